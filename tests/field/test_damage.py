"""Field reports A to E as far as the first fight goes: initiative, damage, resources, pilots, the end of a battle."""

from pathlib import Path

import pytest

from tests.field.table import KESTREL_FUEL, PILOT, Table

GUNNER = """format = 1
[[craft]]
id = "gunner"
name = "Gunner"
squad = "rc"
hp = 11
move = 5
evade = 0
fuel = 9
"""
WEAPON = """[[craft.weapon]]
id = "gun-{n}"
name = "Gun {n}"
path = "direct"
kind = "gun"
range = [1, 1]
damage = {n}
hit = 98
"""
SINGLE = """[[craft]]
id = "hull"
name = "Hull"
squad = "single"
hp = 100
move = 3
evade = -100
"""
DAMAGES = (1, 3, 5, 7, 10, 11, 12)


@pytest.fixture
def range_(sides: Table) -> Table:
    """A squad of five with 11 points each and guns of several damages, against its like and a single craft.

    Everybody hits with every roll but 99.
    """
    rules = sides.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    text = GUNNER + "".join(WEAPON.format(n=n) for n in DAMAGES) + SINGLE
    (rules / "guns.toml").write_text(text, encoding="utf-8")
    sides.lines("unit add gunner Alpha --side Players", "unit add gunner Beta --side Bydo", "unit add hull --side Bydo")
    sides.lines("battle start Range", "initiative --dice 3,4,2,2", "first players")
    return sides


def hit(table: Table, damage: int, target: str, hits: int) -> dict[str, int]:
    """Let so many of Alpha's five rolls hit the target; its hit points afterwards."""
    faces = ["00"] * hits + ["=99"] * (5 - hits)
    faces += ["=99"] * hits
    table.do("attack", "alpha", f"gun-{damage}", target, "--dice", " ".join(faces))
    return dict(table.unit(target)["hp"])


def left(hp: dict[str, int]) -> int:
    """How many of A to D still fly."""
    return sum(1 for craft, points in hp.items() if craft != "lead" and points)


@pytest.mark.parametrize(("before", "craft"), [(12, 4), (11, 3), (10, 3), (1, 3)])
def test_p_c1_a_craft_is_lost_when_damage_reaches_what_it_has(squads: Table, before: int, craft: int) -> None:
    """One hit of 11 on a craft with 12, 11 and fewer points: RT-10.1 and 11.1 say "0 hit points"."""
    # A squad of its own with 12 points, so that the figure may stand there.
    rules = squads.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    text = GUNNER.replace("hp = 11", "hp = 12") + "".join(WEAPON.format(n=n) for n in DAMAGES)
    (rules / "guns.toml").write_text(text, encoding="utf-8")
    squads.lines("unit add gunner Red --side Players", "unit add gunner Blue --side Bydo")
    squads.lines("battle start Range", "initiative --dice 3,4,2,2", "first players", f"set units.blue.hp.A {before}")
    squads.do("attack", "red", "gun-11", "blue", "--dice", "attack: 00 =99 =99 =99 =99 / evade: =99")
    hp = squads.unit("blue")["hp"]
    assert left(hp) == craft
    assert sum(hp.values()) == 4 * 12 + before - 11 if before > 11 else 4 * 12 + 0


@pytest.mark.parametrize(
    ("damage", "hits", "hp"),
    [
        (10, 3, [11, 0, 0, 3, 11]),  # 30 points: two craft of 11, 8 off the third
        (11, 1, [11, 0, 11, 11, 11]),
        (11, 2, [11, 0, 0, 11, 11]),
        (12, 1, [11, 0, 10, 11, 11]),
        (12, 4, [7, 0, 0, 0, 0]),  # 48 points: four craft of 11, 4 off the lead
        (11, 5, [0, 0, 0, 0, 0]),  # 55 points, which is all there is
        (12, 5, [0, 0, 0, 0, 0]),  # 60 points, 5 over
    ],
)
def test_p_c5_what_exceeds_one_craft_goes_on_to_the_next(range_: Table, damage: int, hits: int, hp: list[int]) -> None:
    """RT-10.1: A to D, then the lead; every point is accounted for."""
    got = hit(range_, damage, "beta", hits)
    assert [got[craft] for craft in ("lead", "A", "B", "C", "D")] == hp
    assert 55 - sum(hp) == min(55, damage * hits)


def test_p_c2_overkill_is_recorded_and_nothing_falls_below_zero(range_: Table) -> None:
    range_.lines(*(f"set units.beta.hp.{craft} 0" for craft in "ABCD"), "set units.beta.hp.lead 3")
    before = range_.unit("beta")
    faces = "attack: 00 00 =99 =99 =99 / evade: =99 =99"
    answer = range_.do("attack", "alpha", "gun-12", "beta", "--dice", faces)
    after = range_.unit("beta")
    assert (after["hp"]["lead"], after["state"]) == (0, "wrecked")
    assert answer["result"]["damage"] == 24
    assert min(figure["after"] for figure in answer["changes"] if ".hp." in figure["path"]) == 0
    assert "21" in range_.show("why"), "24 dealt, 3 taken, 21 over"
    range_.do("undo")
    assert range_.unit("beta") == before


@pytest.mark.parametrize(("damage", "lost"), [(1, 0), (3, 0), (5, 1), (7, 1), (10, 2), (11, 2), (12, 2)])
def test_p_c6_a_fifth_is_rounded_down_always(range_: Table, damage: int, lost: int) -> None:
    """RT-10.2 and RT-24.3: one hit on a single craft."""
    assert hit(range_, damage, "hull", 1)["lead"] == 100 - lost


def test_p_c6_the_total_is_divided_not_each_hit(range_: Table) -> None:
    assert hit(range_, 3, "hull", 5)["lead"] == 97


def test_p_d1_fuel_ends_at_zero_and_what_was_not_possible_is_said(fight: Table) -> None:
    """RT-3.4: a move stops where the fuel ends; with none it is refused."""
    fight.do("set", "units.alpha.fuel", "2")
    answer = fight.do("move", "alpha", "3")
    assert answer["result"] == {"hexes": 2, "fuel": 0}
    fight.refused("move", "alpha", "1", says="0")
    for wrong in ("-1", "41", "65445"):
        fight.refused("set", "units.alpha.fuel", wrong, says=wrong)


@pytest.mark.parametrize("wrong", ["-1", "65445"])
def test_p_d1_fuel_written_into_the_save_by_hand_is_reported_and_not_taken(fight: Table, wrong: str) -> None:
    save = fight.home / "test" / "campaign.json"
    text = save.read_text(encoding="utf-8")
    save.write_text(text.replace(f'"fuel":{KESTREL_FUEL}', f'"fuel":{wrong}'), encoding="utf-8")
    assert save.read_text(encoding="utf-8") != text
    checked = fight.gm("doctor")
    assert checked.code != 0
    assert "campaign.json" in checked.out + checked.err
    assert fight.unit("alpha")["fuel"] == KESTREL_FUEL
    fight.do("move", "alpha", "1")
    assert fight.unit("alpha")["fuel"] == KESTREL_FUEL - 1


@pytest.mark.parametrize(
    ("figure", "most"),
    [("hp.A", 100), ("hp.lead", 100), ("fuel", KESTREL_FUEL), ("ammo.vulcan", 6), ("replacements", 10)],
)
def test_p_d2_no_figure_passes_its_maximum_by_one(squads: Table, figure: str, most: int) -> None:
    squads.do("set", f"units.alpha.{figure}", str(most))
    squads.refused("set", f"units.alpha.{figure}", str(most + 1), says=str(most + 1))


def test_p_d3_a_shot_is_paid_from_its_own_weapon_or_not_fired(fight: Table) -> None:
    fight.do("set", "units.alpha.ammo.missile", "1")
    shot = ("attack", "alpha", "missile", "beta", "--once", "--dice", "=99")
    fight.do(*shot)
    assert fight.unit("alpha")["ammo"] == {"missile": 0, "vulcan": 6}
    fight.do("set", "units.alpha.acted", "no")
    fight.refused(*shot, says="Missile")
    assert fight.unit("alpha")["ammo"] == {"missile": 0, "vulcan": 6}


def test_p_d6_what_was_used_in_a_battle_is_used_after_it(fight: Table) -> None:
    fight.do("move", "alpha", "5")
    fight.do("attack", "alpha", "missile", "beta", "--once", "--dice", "=99")
    fight.do("battle", "end")
    fight.refused("battle", "end")
    assert (fight.unit("alpha")["fuel"], fight.unit("alpha")["ammo"]["missile"]) == (KESTREL_FUEL - 5, 3)
    fight.do("battle", "start", "Next")
    assert (fight.unit("alpha")["fuel"], fight.unit("alpha")["ammo"]["missile"]) == (KESTREL_FUEL - 5, 3)


def test_p_d6_losses_lives_and_stores_are_written_back_in_one_step_and_listed(fight: Table) -> None:
    """A wreck, a life, a grade, a repair for 160 / 10 of 20: all so in the next battle, and one undo before it."""
    fight.do("pilot", "add", "Mika", *PILOT)
    fight.lines("seat alpha mika", "resources players sol=20")
    fight.lines(*[f"unit add tender {name} --side Players" for name in ("Kit", "Rex")], "unit add lamprey --side Bydo")
    fight.lines("set units.rex.hp.lead 100", "repair kit rex", "grade alpha E", "set units.lamprey.hp.lead 1")
    hit = ("--dice", "attack: 00 / evade: =99 99 99 99 99")
    fight.do("attack", "alpha", "vulcan", "lamprey", "--once", "--raise", *hit)
    before = fight.state
    ended = fight.do("battle", "end")
    for lost in ("Lamprey", "lost"):
        assert lost in ended["text"]
    fight.do("undo")
    assert fight.state == before
    fight.lines("redo", "battle start Next")
    state = fight.state
    assert state["units"]["lamprey"]["state"] == "wrecked"
    assert state["units"]["rex"]["hp"]["lead"] == 160
    assert (state["units"]["alpha"]["grade"], state["units"]["alpha"]["ammo"]["vulcan"]) == ("E", 5)
    assert state["pilots"]["mika"]["lives"] == {"now": 2, "max": 3}
    assert state["sides"]["players"]["resources"]["solmonadium"] == 4


def test_p_d7_charge_comes_at_the_end_of_the_own_phase_and_a_hit_ends_it(fight: Table) -> None:
    def charges() -> tuple[int, int]:
        return fight.unit("alpha")["charge"], fight.unit("beta")["charge"]

    fight.lines("set units.alpha.charge 1", "set units.beta.charge 1", "move alpha 1", "pass alpha")
    assert charges() == (1, 1)
    fight.do("end", "phase")
    assert charges() == (2, 1)
    fight.do("attack", "beta", "gun", "alpha", "--dice", "attack: 00 =99 =99 =99 =99 / evade: =99")
    assert charges() == (0, 1)
    fight.do("end", "phase")
    assert charges() == (0, 2)
    fight.do("initiative", "--dice", "3,4,2,2")
    fight.do("first", "players")
    assert charges() == (0, 2)


def test_p_a7_each_turn_has_an_initiative_of_its_own(fight: Table) -> None:
    """RT-2.2 and 2.3: the players' side wins a tie and chooses; nothing of it counts in the next turn."""
    fight.lines("end phase", "end phase")
    for line in ("first players", "move alpha 1", "end phase"):
        fight.refused(*line.split())
    tie = fight.do("initiative", "--dice", "3,4 5,2")
    assert tie["result"]["winner"] == "players"
    fight.refused("end", "phase")
    fight.do("first", "bydo")
    assert fight.state["acting"] == "bydo"
    fight.refused("initiative", "--dice", "3,4 5,2")


def test_p_a7_a_tie_is_shown_with_its_total(fight: Table) -> None:
    fight.lines("end phase", "end phase")
    shown = fight.do("initiative", "--dice", "3,4 5,2")["text"].split("why")[0]
    assert "7" in shown.replace("RT-2.7", "")


def test_p_a7_two_sides_of_players_roll_again(bare: Table) -> None:
    bare.lines("side add Red --players", "side add Blue --players")
    bare.lines("unit add kestrel --side Red", "unit add cross --side Blue", "battle start Duel")
    before = bare.state["phase"]
    (answer,) = bare.gm("--json", "initiative", "--dice", "3,4 5,2").objects
    assert answer["error"]["code"] == "needs-answer", "a tie between players is thrown again"
    assert bare.state["phase"] == before
    bare.do("answer", "--dice", "1 1 6 6")
    assert bare.state["due"][0]["who"] == "blue"


def test_p_b1_what_lasts_to_the_next_phase_of_a_side_ends_there_not_with_the_turn(fight: Table) -> None:
    """RT-21.5: who fumbles cannot counter until its own next phase; the turn's end, and the other's phase,
    change nothing."""
    fight.do("set", "units.alpha.no_counter", "yes")
    fight.do("end", "phase")
    fight.do("end", "phase")
    assert fight.unit("alpha")["no_counter"] is True
    fight.lines("initiative --dice 3,4,2,2", "first bydo")
    assert fight.unit("alpha")["no_counter"] is True
    fight.do("end", "phase")
    assert fight.unit("alpha")["no_counter"] is False


def test_p_e2_a_pilot_has_one_seat(sides: Table) -> None:
    sides.do("pilot", "add", "Ren", *PILOT)
    sides.do("unit", "add", "arrow", "Alpha", "--side", "Players", "--pilot", "Ren")
    sides.refused("unit", "add", "arrow", "Beta", "--side", "Players", "--pilot", "Ren", says="Ren")
    sides.refused("unit", "add", "arrow", "Gamma", "--side", "Players", "--pilot", "Ren", "--count", "2")
    assert sides.state["pilots"]["ren"]["where"] == "alpha"


def test_p_e4_who_loses_a_craft_is_adrift_and_not_dead(range_: Table) -> None:
    range_.do("pilot", "add", "Mika", *PILOT)
    range_.do("unit", "add", "hull", "Husk", "--side", "Bydo", "--pilot", "Mika")
    range_.do("set", "units.husk.hp.lead", "1")
    hit(range_, 12, "husk", 5)
    pilot = range_.state["pilots"]["mika"]
    assert (pilot["state"], pilot["where"]) == ("ready", "adrift")
    assert range_.unit("husk")["pilot"] is None


def test_p_e5_an_open_battle_is_kept(fight: Table) -> None:
    fight.do("set", "units.alpha.hp.A", "4")
    fight.refused("battle", "start", "Sector 5", says="Skirmish")
    assert fight.state["phase"] == "first"
    fight.lines("battle end", "battle start Second")
    assert fight.unit("alpha")["hp"]["A"] == 4


def test_the_range_is_what_it_says(range_: Table, home: Path) -> None:
    """Without a hit nothing changes: the tests above measure what they think they measure."""
    assert set(hit(range_, 12, "beta", 0).values()) == {11}
