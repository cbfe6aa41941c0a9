"""Field reports D6, E1 to E5 and E7 as a roster shows them: one person, one career, and nobody twice."""

import json
from pathlib import Path

import pytest

from tests.field.table import PILOT, Table, width


@pytest.fixture
def crew(fight: Table) -> Table:
    """Mika flies Alpha for the players, Ren flies Beta for the Bydo."""
    fight.do("pilot", "add", "Mika", *PILOT, "--player", "Ann")
    fight.do("pilot", "add", "Ren", *PILOT)
    fight.lines("seat alpha mika", "seat beta ren")
    return fight


def wreck_beta(table: Table) -> None:
    """Beta, down to its lead with 30, is wrecked by one hit of five: Ren gets out without a roll."""
    table.lines(*(f"set units.beta.hp.{craft} 0" for craft in "ABCD"), "set units.beta.hp.lead 30")
    table.do("attack", "alpha", "vulcan", "beta", "--dice", "=00 =99 =99 =99 =99 / =99")


def career(table: Table, pilot: str) -> dict[str, int]:
    return dict(table.do("pilot", "show", pilot)["result"]["career"])


NOTHING = {"sorties": 0, "kills": 0, "friends": 0, "lost": 0, "wounds": 0, "lives": 0}


def test_p_d6_what_a_battle_came_to_is_booked_once(crew: Table) -> None:
    wreck_beta(crew)
    assert career(crew, "mika") == NOTHING, "nothing is booked while the battle is on"
    crew.do("battle", "end", "--fate", "ren=recovered")
    assert career(crew, "mika") == {**NOTHING, "sorties": 1, "kills": 1}
    crew.refused("battle", "end", says="no battle")
    assert career(crew, "mika") == {**NOTHING, "sorties": 1, "kills": 1}


def test_p_d6_the_end_of_a_battle_is_undone_and_done_again_to_the_byte(crew: Table, home: Path) -> None:
    wreck_beta(crew)

    def tables() -> dict[str, object]:
        return {**json.loads((home / "test" / "campaign.json").read_bytes()), "journal": None}

    before = tables()
    crew.do("battle", "end", "--fate", "ren=recovered")
    after = tables()
    crew.do("undo")
    assert tables() == before
    crew.do("redo")
    assert tables() == after


def test_p_e1_the_dead_stand_on_the_roll_of_honour_with_their_battle_and_among_nobody_else(crew: Table) -> None:
    crew.do("life", "mika", "0", "--dice", "99")
    crew.do("battle", "end")
    shown = crew.show("roster")
    living, _, honour = shown.partition("Roll of honour")
    assert "Mika" not in living
    assert honour.splitlines()[2].split() == ["Mika", "Ann", "1", "0", "wounds", "Skirmish"]
    told = crew.do("roster")["result"]
    assert told["honour"] == ["mika"]
    assert told["pilots"]["mika"]["career"]["wounds"] == 50


def test_p_e3_a_death_put_right_before_the_end_leaves_nothing(crew: Table) -> None:
    crew.do("life", "mika", "-60", "--dice", "99")
    crew.do("life", "mika", "50")
    crew.do("battle", "end")
    assert career(crew, "mika") == {**NOTHING, "sorties": 1}
    assert "Roll of honour" not in crew.show("roster")
    assert "dead" not in crew.show("pilot", "show", "mika")


def test_p_e3_a_kill_put_right_before_the_end_leaves_nothing(crew: Table) -> None:
    wreck_beta(crew)
    crew.lines("set units.beta.state active", "heal beta 50")
    assert "kills" not in crew.do("battle", "end", "--fate", "ren=recovered")["text"]
    assert career(crew, "mika") == career(crew, "ren") == {**NOTHING, "sorties": 1}
    assert crew.do("roster")["result"]["lost"] == {"bydo": [], "players": []}


def test_p_e4_losing_the_craft_is_one_thing_and_what_became_of_the_pilot_another(crew: Table) -> None:
    wreck_beta(crew)
    crew.do("battle", "end", "--fate", "ren=missing")
    told = crew.do("pilot", "show", "ren")["result"]
    (battle,) = told["battles"]
    assert (battle["lost"], battle["state"], battle["where"]) == (["beta"], None, "missing")
    assert told["pilot"]["state"] == "ready"
    line = " ".join(crew.show("pilot", "show", "ren").split("Skirmish")[-1].split())
    assert line == "flew Beta lost Beta missing"


def test_p_e5_the_battle_put_by_keeps_its_own_count(crew: Table) -> None:
    crew.do("unit", "add", "gains", "Gamma", "--side", "Bydo")
    wreck_beta(crew)
    crew.lines("battle park", "battle start Second", "battle end --leave-open")
    assert career(crew, "mika") == {**NOTHING, "sorties": 1}
    crew.do("battle", "resume", "Skirmish")
    crew.do("battle", "end", "--fate", "ren=recovered")
    assert career(crew, "mika") == {**NOTHING, "sorties": 2, "kills": 1}
    battles = crew.do("pilot", "show", "mika")["result"]["battles"]
    assert [(battle["name"], battle["kills"]) for battle in battles] == [("Second", None), ("Skirmish", ["beta"])]


def test_p_e7_a_new_craft_is_not_the_lost_one(crew: Table) -> None:
    """The id, the name and the record of a lost craft stay its own."""
    wreck_beta(crew)
    crew.do("battle", "end", "--fate", "ren=recovered")
    crew.do("resources", "bydo", "byd=1000")
    crew.do("unit", "buy", "gains", "Beta-2", "--side", "bydo", "--pilot", "ren")
    crew.refused("unit", "buy", "gains", "Beta", "--side", "bydo", says="Beta")
    assert crew.do("roster")["result"]["lost"]["bydo"] == ["beta"]
    assert career(crew, "ren") == {**NOTHING, "sorties": 1, "lost": 1}


def test_p_g1_skill_points_and_levels_are_steps_like_any_other(crew: Table) -> None:
    crew.lines("points mika 2", "skill buy mika gunnery 2")
    crew.do("undo")
    row = crew.state["pilots"]["mika"]
    assert (row["points"], row["skills"]) == (2, {})
    crew.do("undo")
    assert crew.state["pilots"]["mika"]["points"] == 0


def test_a_roster_is_of_one_side_or_of_all(crew: Table) -> None:
    assert {*crew.do("roster")["result"]["pilots"]} == {"mika", "ren"}
    assert {*crew.do("roster", "players")["result"]["pilots"]} == {"mika"}
    assert {*crew.do("roster", "bydo")["result"]["units"]} == {"beta"}


def test_a_side_sees_its_own_roster_and_what_everybody_saw_go(crew: Table) -> None:
    wreck_beta(crew)
    crew.do("battle", "end", "--fate", "ren=recovered")
    told = crew.do("roster", "--for", "players")["result"]
    assert {*told["pilots"]} == {"mika"}
    assert {*told["units"]} == {"alpha"}
    assert told["lost"]["bydo"] == ["beta"]
    assert "kills Beta" in " ".join(crew.show("pilot", "show", "mika", "--for", "players").split())
    crew.refused("pilot", "show", "ren", "--for", "players", says="ren")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_roster_fits_the_terminal_in_every_language(crew: Table, lang: str, columns: int) -> None:
    crew.do("pilot", "add", "長い名前のパイロット・アレクサンドル", *PILOT, "--player", "とても長いプレイヤーの名前")
    wreck_beta(crew)
    crew.do("life", "mika", "0", "--dice", "99")
    crew.do("battle", "end", "--fate", "ren=missing")
    for words in (("roster",), ("pilot", "show", "ren"), ("pilot", "show", "mika")):
        code, out, err = crew.on_screen(*words, "--lang", lang, width=columns)
        assert (code, err) == (0, "")
        assert [line for line in out.splitlines() if width(line) > columns] == []
        assert "<view" not in out
        assert "<column" not in out
