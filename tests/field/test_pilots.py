"""Field reports C to E where figures are changed by hand, and what becomes of pilots: C2, C3, D1, D2, E1 to E4, E6."""

import pytest

from tests.field.table import KESTREL_FUEL, PILOT, Table, journal


@pytest.fixture
def crew(fight: Table) -> Table:
    """Mika (body 20, agility 30) flies Alpha and Ren flies Beta, which is down to a lead with 40."""
    fight.do("pilot", "add", "Mika", *PILOT)
    fight.do("pilot", "add", "Ren", *PILOT)
    fight.lines("seat alpha mika", "seat beta ren")
    fight.lines(*(f"set units.beta.hp.{craft} 0" for craft in "ABCD"), "set units.beta.hp.lead 40")
    return fight


def pilot(table: Table, id: str) -> tuple[str, str]:
    """A pilot's state and whereabouts."""
    row = table.state["pilots"][id]
    return row["state"], row["where"]


def test_p_c2_damage_by_hand_tells_what_was_dealt_taken_and_over(crew: Table) -> None:
    before = crew.unit("alpha")
    crew.do("set", "units.alpha.hp.B", "3")
    crew.do("damage", "alpha", "8", "--flat", "B")
    assert crew.unit("alpha")["hp"]["B"] == 0
    told = crew.show("why")
    assert "3 > 0" in told
    assert "5" in told.split("3 > 0")[1]
    crew.do("undo", "2")
    assert crew.unit("alpha") == before


def test_p_c3_healing_stops_at_the_maximum_and_says_what_was_used(crew: Table) -> None:
    crew.do("set", "units.alpha.hp.A", "90")
    crew.do("heal", "alpha", "50", "--craft", "A")
    assert crew.unit("alpha")["hp"]["A"] == 100
    assert "40" in crew.show("why")
    crew.refused("heal", "alpha", "1", says="100")


def test_p_d1_more_fuel_than_there_is_cannot_be_spent_but_lost(crew: Table) -> None:
    crew.do("fuel", "alpha", "2")
    crew.refused("fuel", "alpha", "-3", says="2")
    crew.do("fuel", "alpha", "-3", "--force")
    assert crew.unit("alpha")["fuel"] == 0
    assert "1" in crew.show("why").split("2 > 0")[1]


def test_p_d2_a_gain_stops_at_the_maximum_and_says_what_was_used(crew: Table) -> None:
    crew.do("fuel", "alpha", str(KESTREL_FUEL - 1))
    crew.refused("fuel", "alpha", "+2", says=str(KESTREL_FUEL))
    crew.do("fuel", "alpha", "+2", "--force")
    assert crew.unit("alpha")["fuel"] == KESTREL_FUEL
    crew.refused("fuel", "alpha", "+2", "--force", says=str(KESTREL_FUEL))


def test_p_e1_who_died_after_leaving_the_craft_is_dead(crew: Table) -> None:
    """One pilot, one record: out of the wreck with life 15 - 20 = -5, then dead by the check for it."""
    crew.lines("life ren 15")
    crew.do("damage", "beta", "90", "--dice", "escape: 15 / death: 99")
    assert pilot(crew, "ren") == ("dead", "adrift")
    crew.do("battle", "end")
    assert pilot(crew, "ren")[0] == "dead"
    crew.refused("seat", "alpha", "ren", "--force", says="Ren")
    assert [entry["type"] for entry in journal(crew.home)[-2]["trace"] if entry["t"] == "event"][-1] == "died"


def test_p_e2_a_seat_of_the_dead_is_not_filled_by_who_sits_elsewhere(crew: Table) -> None:
    crew.do("life", "mika", "0", "--dice", "99")
    crew.do("battle", "end")
    assert crew.unit("alpha")["pilot"] is None
    crew.refused("seat", "alpha", "ren", says="Ren")
    assert crew.unit("beta")["pilot"] == "ren"
    crew.do("seat", "alpha", "ren", "--move")
    assert (crew.unit("alpha")["pilot"], crew.unit("beta")["pilot"]) == ("ren", None)
    assert pilot(crew, "ren") == ("ready", "alpha")
    crew.do("unseat", "alpha")
    assert (crew.unit("alpha")["pilot"], pilot(crew, "ren")) == (None, ("ready", "ashore"))
    assert [row["where"] for row in crew.state["pilots"].values()].count("alpha") == 0


def test_p_e3_a_corrected_wound_brings_the_pilot_back(crew: Table) -> None:
    crew.do("life", "mika", "-60", "--dice", "99")
    assert pilot(crew, "mika")[0] == "dead"
    crew.do("life", "mika", "5", "--because", "five wounds, not six")
    crew.do("battle", "end")
    assert pilot(crew, "mika") == ("ready", "alpha")


def test_p_e4_out_adrift_missing_and_dead_are_different_things(crew: Table) -> None:
    crew.do("damage", "beta", "40")
    crew.do("damage", "alpha", "500")
    assert (pilot(crew, "mika"), pilot(crew, "ren")) == (("ready", "adrift"), ("ready", "adrift"))
    crew.do("set", "pilots.ren.where", "missing")
    crew.do("set", "pilots.mika.where", "recovered")
    assert (pilot(crew, "mika"), pilot(crew, "ren")) == (("ready", "recovered"), ("ready", "missing"))


def test_p_e6_a_raise_stays_for_the_throws_after_it_and_lives_are_counted(crew: Table) -> None:
    """40 fails with 77; raised to 60, 66 fails; 55 at 60 succeeds. Of 4 lives two throws and the raise take 3."""
    crew.do("pilot", "add", "Sora", *PILOT, "--lives", "5")
    crew.do("lives", "sora", "4")
    crew.do("check", "40", "--as", "sora", "--dice", "77")
    assert crew.do("reroll", "sora", "--raise", "--dice", "66")["result"]["success"] is False
    assert crew.do("reroll", "sora", "--dice", "55")["result"]["success"] is True
    assert crew.state["pilots"]["sora"]["lives"] == {"now": 1, "max": 5}
    crew.do("lives", "sora", "0")
    crew.refused("check", "40", "--as", "sora", "--raise", "--dice", "77", says="0")
    told = crew.do("check", "40", "--as", "sora", "--dice", "55")
    assert told["result"]["success"] is False, "the next check starts at its plain value"
    crew.refused("lives", "sora", "6", says="5")
