"""Field reports A7, E4 and E5: initiative that the table says, pilots after a battle, battles put by."""

from tests.field.table import PILOT, Table


def wreck(table: Table, unit: str) -> None:
    """Wreck a single craft of the Bydo with a Kestrel's vulcan; less than 50 goes beyond, so its pilot is adrift."""
    table.do("set", f"units.{unit}.hp.lead", "1")
    table.do("attack", "alpha", "vulcan", unit, "--dice", "=00 =99 =99 =99 =99 / =99")


def crewed(table: Table) -> None:
    """Mika and Ren each in a single craft of the Bydo, and another squad of the players' to shoot the second."""
    for pilot, unit in (("Mika", "Ash"), ("Ren", "Elm")):
        table.do("pilot", "add", pilot, *PILOT)
        table.do("unit", "add", "lantern", unit, "--side", "Bydo", "--pilot", pilot)


def test_p_a7_totals_may_be_said_and_serve_one_turn(fight: Table) -> None:
    """A turn has no initiative until it is thrown or said; the winner of a tie may go second; then it is over."""
    fight.lines("end phase", "end phase")
    fight.refused("first", "players", says="turn 2")
    fight.refused("initiative", "players=7", says="Bydo")
    said = fight.do("initiative", "players=7", "bydo=7")
    assert said["result"]["winner"] == "players"
    fight.lines("first bydo", "end phase", "end phase")
    fight.refused("first", "players", says="turn 3")


def test_p_a7_a_tie_of_players_is_refused_and_rolled_again(bare: Table) -> None:
    bare.lines("side add Red --players", "side add Blue --players")
    bare.lines("unit add kestrel --side Red", "unit add cross --side Blue", "battle start Duel")
    bare.refused("initiative", "red=7", "blue=7", says="roll again")
    assert bare.do("initiative", "red=8", "blue=7")["result"]["winner"] == "red"


def test_p_e4_the_end_of_a_battle_asks_for_each_pilot_adrift(fight: Table) -> None:
    """Losing the craft decides nothing about the pilot: the GM says it, or leaves it open; nobody is dead."""
    crewed(fight)
    wreck(fight, "ash")
    fight.lines("end phase", "end phase", "initiative players=9 bydo=2", "first players")
    wreck(fight, "elm")
    (answer,) = fight.gm("--json", "battle", "end").objects
    assert [ask["key"] for ask in answer["asks"]] == ["fate.mika"]
    fight.do("answer", "--drop")
    ended = fight.do("battle", "end", "--fate", "Mika=recovered", "--say", "fate.ren=missing")
    pilots = fight.state["pilots"]
    assert {id: (row["state"], row["where"]) for id, row in pilots.items()} == {
        "mika": ("ready", "recovered"),
        "ren": ("ready", "missing"),
    }
    assert "Ren" in ended["text"]


def test_p_e4_left_open_a_pilot_stays_adrift(fight: Table) -> None:
    crewed(fight)
    wreck(fight, "ash")
    fight.do("battle", "end", "--leave-open")
    assert fight.state["pilots"]["mika"]["where"] == "adrift"
    assert fight.state["phase"] == "over"


def test_p_e5_a_battle_put_by_goes_on_where_it_stood(fight: Table) -> None:
    """The next battle takes the campaign's damage along; the one put by keeps its turn, its order and who had acted."""
    fight.lines("end phase", "end phase", "initiative players=9 bydo=2", "first bydo", "pass beta")
    fight.do("set", "units.alpha.hp.A", "4")
    fight.refused("battle", "start", "Sector 5", says="Skirmish")
    fight.do("battle", "park")
    fight.do("battle", "start", "Sector 5")
    assert [(row["name"], row["turn"], row["parked"]) for row in fight.do("battle", "list")["result"]["battles"]] == [
        ("Sector 5", 1, False),
        ("Skirmish", 2, True),
    ]
    assert fight.unit("alpha")["hp"]["A"] == 4
    fight.refused("battle", "resume", "Skirmish", says="Sector 5")
    fight.do("battle", "end")
    fight.do("battle", "resume", "Skirmish")
    state = fight.state
    assert (state["turn"], state["acting"]) == (2, "bydo")
    assert state["units"]["beta"]["acted"] is True
    assert state["units"]["alpha"]["hp"]["A"] == 4
    assert fight.do("battle", "list")["result"]["battles"][0]["name"] == "Skirmish"


def test_p_e5_putting_by_and_taking_up_are_undone_whole(fight: Table) -> None:
    fight.lines("move alpha 2", "charge alpha +2")
    before = fight.state
    fight.do("battle", "park")
    fight.do("undo")
    assert fight.state == before
    fight.lines("redo", "battle resume Skirmish")
    assert {key: fight.state[key] for key in ("turn", "phase", "acting")} == {
        key: before[key] for key in ("turn", "phase", "acting")
    }
    assert fight.unit("alpha") == before["units"]["alpha"]
