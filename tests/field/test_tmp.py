from tests.field.table import *
def test_x(fight):
    for w in ("sheet list","sheet show kestrel","systems","campaign list","config","session start Evening","session end","session list","rules list","rules show RT-10.1","status alpha","campaign show"):
        r=fight.gm(*w.split()); print(w, r.code); print("\n".join("|"+l+"|" for l in (r.out+r.err).splitlines()[:14]))
    for w in (["attack","alpha","vulcan","beta"],["status"],["move","alpha","1"],["answer","--drop"],["set","units.alpha.fuel","1"],["move","alpha","3"],["move","alpha","1"],["move","alpha","1","--force"],["check","50","--dice","0 2"],["check","50","--dice","101"],["check","50","--dice","10 3"],["check","−10","--dice","00"],["roll","1d10","--dice","0"],["roll","1d100","--dice","00"],["roll","-1d6"],["roll","0d6"],["roll",""],["roll","1e3d6"],["roll","3.9d6"],["roll","1d6/(1d6-1)"],["set","units.alpha.hp.A","nan"],["set","units.alpha.fuel","-3"],["set","units.alpha.fuel","41"],["set","units.alpha.state","lost"],["battle","end"],["battle","end"],["battle","start"]):
        r=fight.gm(*w); print("$",w, r.code); print(r.out+r.err)
    print(folder_bytes(fight.home).keys())
    assert 0
