"""Make the sample campaign again, with the program itself: ``python tests/make_sample.py``, from the checkout.

It is played in a throw-away home; then its journal, its state and its rules take the place of what lies in
``campaigns/sample-last-dance``. Times and the campaign's secret differ each time, so do this only when formats change.
"""

import io
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SLUG = "sample-last-dance"
KEPT = ("journal.jsonl", "campaign.json", "rules")
NEW = 'campaign new "Sample: Last Dance" --system rtype --lang en\n'

PETREL = """\
# A sheet of the table's own: what its Petrels are like in this campaign. All keys: rules_data/rtype/craft*.toml.
format = 1

[[craft]]
id = "petrel"
name = { en = "Petrel", ja = "ペトレル", ko = "페트렐" }   # or just name = "Petrel"
origin = "Sample: Last Dance"
squad = "rc"          # rc: lead and A to D; or single, force, ship
level = 1
cost = 180
move = 6
search = 4
hp = 80               # of each craft
fuel = 45             # left out: needs none
evade = 25

[[craft.weapon]]
id = "vulcan"
name = { en = "Vulcan", ja = "バルカン", ko = "발칸" }
path = "direct"       # direct, guided, deflected
kind = "gun"
range = [1, 1]
damage = "1D10+20"    # a number, or dice thrown once an attack
hit = 40
ammo = 8              # left out: unlimited
"""

EVENING = """\
session start "The first evening"
side add Players --players --resource sol=60
side add Bydo
pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30 --temperament daredevil
pilot add Hana --body 25 --agility 20 --intelligence 35 --diplomacy 20 --life 45 --spirit 40
skill set ren gunnery 1
unit add kestrel --side players --pilot ren
unit add petrel Storm --side players --pilot hana
unit add gains --side bydo --count 2
unit add pinecone --side bydo
battle start "The reef" --victory players=destroyed
initiative --dice "3 4 / 2 2"
first players
move kestrel 3
search kestrel gains-1 gains-2
attack kestrel vulcan gains-1 --skill gunnery --dice "92 15 07 99 61 / 33 60 88 55" --by kestrel=Ken
move storm 6
attack storm vulcan gains-2 --once --dice "44 / 19 93 08 71 50 / 7" --by storm=Mio
undo
attack storm vulcan gains-1 --once --defence counter:flak --say counter.gains-1.once=yes \
--dice "44 / 19 93 08 71 50 / 7 / 33 / 60 12 99 88" --by storm=Mio --because the other one was meant
end phase --dice "30 78"
attack gains-1 gun kestrel --defence focus --dice "40 83 12 95 77 / 51 99 64"
reroll kestrel evade A --dice 25 --by kestrel=Ken
attack gains-2 flak storm --once --dice "27 / 66 07 81 98 59"
note Hana: "Who painted the Petrel yellow? It's a target."
end phase --rest
session end
session start "The second evening"
initiative --dice "5 2 / 3 4"
first bydo
attack gains-2 gun kestrel --dice "attack: 05 39 88 14 60 / evade: 71 88 03 96"
end phase --rest
attack kestrel missile gains-1 --feint 10 --dice "11 55 62 88 40 / 90 47 33 08" --by kestrel=Ken
set units.storm.fuel 45 --because a tanker passed by
"""


def play(home: Path, lines: str) -> None:
    """Type lines, as a script would have them; what went wrong ends the program."""
    from gmtool.cli.main import run

    out = io.StringIO()
    code = run(["run", "-", "--home", str(home)], stdin=io.StringIO(lines), stdout=out, stderr=out, env=os.environ)
    if code:
        sys.exit(out.getvalue())


def make(folder: Path) -> None:
    """Play the evenings and put what is kept of the campaign into this folder, which is made anew."""
    with TemporaryDirectory(prefix="gmtool-sample-") as home:
        played = Path(home) / SLUG
        play(Path(home), NEW)
        (played / "rules").mkdir()
        (played / "rules" / "petrel.toml").write_text(PETREL, encoding="utf-8")
        play(Path(home), EVENING)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in KEPT:
            shutil.move(played / name, folder / name)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    make(ROOT / "campaigns" / SLUG)
