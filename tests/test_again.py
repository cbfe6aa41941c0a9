"""Judging the latest ruling again: ``reroll`` and ``amend``, in a game with nothing but dice (Trio).

Ann, Bob and Cyd have three chips each; a chip throws a die again, two let it have eight sides (a raise). What counts
is the sum of the best two dice (steady) or twice those that show the same (bold).
"""

import io
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import Ran

Table = Callable[..., Ran]
START = ("campaign new Dice --system trio", "player add Ann", "player add Bob", "player add Cyd", "begin")


@pytest.fixture
def table(home: Path) -> Table:
    """The command line at the tiny games, Trio begun: it is Ann's turn."""

    def call(*argv: str, input: str = "") -> Ran:
        out, err = io.StringIO(), io.StringIO()
        env = dict(os.environ)
        code = run([*argv], stdin=io.StringIO(input), stdout=out, stderr=err, env=env, packages=("tests.games",))
        return Ran(code, out.getvalue(), err.getvalue())

    assert call("run", "-", input="\n".join(START)).code == 0
    return call


def done(table: Table, *argv: str) -> dict[str, Any]:
    ran = table("--json", *argv)
    assert ran.code == 0, ran.out
    return dict(ran.objects[0])


def refused(table: Table, *argv: str) -> tuple[str, str]:
    """The code of a refusal and its message with the hint; the state has not changed."""
    before = tables(table)
    ran = table("--json", *argv)
    assert ran.code in (1, 2), ran.out
    assert tables(table) == before
    error = ran.objects[0]["error"]
    return error["code"], f"{error['message']} {error['hint']}"


def tables(table: Table) -> bytes:
    """The state as it lies on disk, without the journal's position."""
    found = json.loads((Path(os.environ["GMTOOL_HOME"]) / "dice" / "campaign.json").read_text(encoding="utf-8"))
    return json.dumps({name: rows for name, rows in found.items() if name != "journal"}).encode()


def points(table: Table) -> dict[str, tuple[int, int]]:
    """Points and chips of each player."""
    rows = done(table, "status")["result"]["players"]
    return {id: (row["points"], row["chips"]) for id, row in rows.items()}


# reroll


def test_a_die_thrown_again_counts_in_place_of_the_one_that_lay_there(table: Table) -> None:
    """2 6 5 gives 11; the 2 thrown again is a 6: 12. The line takes the old ruling back and does the new one."""
    done(table, "throw", "ann", "--dice", "2 6 5")
    answer = done(table, "reroll", "ann", "1", "--dice", "6")
    assert answer["result"]["points"] == 12
    assert answer["amends"] == {"seq": 6, "taken_back": 2}
    assert [(die["key"], die["read"]) for die in answer["dice"]] == [
        ("throw.ann.1", 2), ("throw.ann.2", 6), ("throw.ann.3", 5), ("reroll.throw.ann.1", 6),
    ]  # fmt: skip
    assert points(table)["ann"] == (12, 2)
    assert "2, again 6" in answer["text"]
    assert "in place of #6" in answer["text"]


def test_the_changes_of_the_line_lead_from_the_state_before_the_command_to_the_one_after(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    changes = done(table, "reroll", "ann", "1", "--dice", "6")["changes"]
    walk = [(each["path"], each["before"], each["after"]) for each in changes]
    assert walk == [
        ("round.now.acting", "bob", "ann"), ("players.ann.points", 11, 0),
        ("players.ann.chips", 3, 2), ("players.ann.points", 0, 12), ("round.now.acting", "ann", "bob"),
    ]  # fmt: skip


def test_a_second_and_a_third_throw_of_the_same_die(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    done(table, "reroll", "ann", "1", "--dice", "1")
    answer = done(table, "reroll", "ann", "1", "--dice", "3")
    assert answer["dice"][-1]["key"] == "reroll.2.throw.ann.1"
    assert "2, again 1, again 3" in answer["text"]
    assert points(table)["ann"] == (11, 1)
    code, told = refused(table, "reroll", "ann", "1", "--raise", "--dice", "8")
    assert code == "wrong-phase"  # two chips for a raise, and one is left
    assert "chips" in told
    done(table, "undo")
    assert done(table, "reroll", "ann", "1", "--raise", "--dice", "8")["result"]["points"] == 14
    assert points(table)["ann"] == (14, 0)


def test_dice_that_are_brought_about_are_asked_and_those_no_longer_needed_are_dropped(table: Table) -> None:
    """A triple throws again: it comes with the re-roll, and goes with the next one."""
    done(table, "throw", "ann", "--dice", "4 4 1")
    ran = table("--json", "reroll", "ann", "3", "--dice", "4")
    assert [ask["key"] for ask in ran.objects[0]["asks"]] == [f"throw.ann.again1.{n}" for n in (1, 2, 3)]
    assert points(table)["ann"] == (8, 3)
    done(table, "answer", "1 2 3")
    assert points(table)["ann"] == (13, 2)  # 8 for the triple, 5 for the throw after it
    answer = done(table, "reroll", "ann", "throw.ann.3", "--dice", "5")
    assert points(table)["ann"] == (9, 1)
    assert len(answer["dice"]) == 5  # three, the one again, and again
    done(table, "undo")
    assert points(table)["ann"] == (13, 2)


def test_a_die_of_the_open_ruling_is_thrown_again_and_the_question_goes_on(table: Table) -> None:
    table("throw", "ann", "--dice", "2 6")
    ran = table("--json", "reroll", "ann", "1")
    assert [ask["key"] for ask in ran.objects[0]["asks"]] == ["throw.ann.3"]
    assert table("--json", "answer", "5").objects[0]["asks"][0]["key"] == "reroll.throw.ann.1"
    answer = done(table, "answer", "6")
    assert (answer["result"]["points"], "amends" in answer) == (12, False)
    assert points(table)["ann"] == (12, 2)
    done(table, "undo")
    assert points(table)["ann"] == (0, 3)


def test_what_lies_there_and_is_not_come_to_yet_stands(table: Table) -> None:
    """The dice of the throw after the triple wait while the first ones are thrown again, and stand if it is one still.

    4 4 4 and then 1 2 3: the first 4, thrown again, is a 4.
    """
    done(table, "throw", "ann", "--dice", "4 4 4 1 2 3")
    assert table("reroll", "ann", "throw.ann.1").code == 1
    assert "again1" not in " ".join(asked(table))
    answer = done(table, "answer", "4")
    assert [die["read"] for die in answer["dice"]] == [4, 4, 4, 4, 1, 2, 3]
    assert points(table)["ann"] == (13, 2)


def asked(table: Table) -> list[str]:
    return [ask["key"] for ask in done(table, "status")["result"]["open"]["asks"]]


def test_it_can_be_said_with_the_line_itself(table: Table) -> None:
    answer = done(table, "throw", "ann", "--say", "reroll.throw.Ann.1=yes", "--dice", "2 6 5 / reroll throw: 6")
    assert answer["result"]["points"] == 12
    said = done(table, "reroll", "ann", "1", "--dice", "1")  # the second time
    assert said["dice"][-1]["key"] == "reroll.2.throw.ann.1"


def test_re_rolls_are_thrown_in_the_order_they_were_said(table: Table) -> None:
    said = ("--say", "reroll.throw.ann.3=yes", "--say", "reroll.throw.ann.1=yes")
    answer = done(table, "throw", "ann", *said, "--dice", "2 6 1 4 3")
    assert [(die["key"], die["read"]) for die in answer["dice"][3:]] == [
        ("reroll.throw.ann.3", 4), ("reroll.throw.ann.1", 3),
    ]  # fmt: skip


def test_what_does_not_name_one_die_is_refused_with_those_there_are(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    code, told = refused(table, "reroll", "ann")
    assert code == "ambiguous-name"
    assert "throw.ann.1 2, throw.ann.2 6, throw.ann.3 5" in told
    code, told = refused(table, "reroll", "ann", "evade")
    assert code == "unknown-name"
    assert "evade" in told
    assert "throw.ann.1 2" in told
    assert refused(table, "reroll", "bob")[0] == "unknown-name"
    assert refused(table, "reroll", "nobody")[0] == "unknown-name"


def test_only_the_latest_ruling_counts_and_notes_are_none(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    done(table, "note", "hm")
    done(table, "config", "dice-mode", "ask")
    done(table, "throw", "bob", "--dice", "1 2 3")
    done(table, "note", "hm")
    code, told = refused(table, "reroll", "ann", "1", "--dice", "6")
    assert code == "unknown-name"
    assert "throw.bob.1 1" in told
    assert done(table, "reroll", "bob", "1", "--dice", "6")["result"]["points"] == 9


def test_a_ruling_without_such_dice_has_none_to_throw_again(table: Table) -> None:
    assert refused(table, "reroll", "ann")[0] == "no-reroll"
    done(table, "undo", "4")
    assert refused(table, "reroll")[0] == "nothing-to-amend"
    assert refused(table, "amend", "x")[0] == "nothing-to-amend"


def test_odds_foretell_no_re_rolls_and_say_so(table: Table) -> None:
    code, told = refused(table, "odds", "throw", "ann", "--say", "reroll.throw.ann.1=yes")
    assert (code, "reroll.throw.ann.1" in told) == ("no-odds", True)
    assert table("odds", "throw", "ann").code == 0


def test_the_tool_throws_the_new_die_where_it_throws_all(table: Table) -> None:
    done(table, "config", "dice-mode", "auto")
    first = done(table, "throw", "ann")
    # three alike throw again by Trio's own rule: the die is named in full, whatever fell
    again = done(table, "reroll", "ann", "throw", "ann", "2")
    assert again["dice"][:3] == first["dice"][:3]
    assert next(die for die in again["dice"] if die["key"] == "reroll.throw.ann.2")["source"] == "rolled"


# amend


def test_an_option_and_a_word_are_replaced_and_the_faces_stay(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 1 4")
    assert points(table)["ann"] == (8, 3)
    answer = done(table, "amend", "--style", "bold")
    assert answer["result"]["points"] == 16
    assert done(table, "amend", "--style=steady")["result"]["points"] == 8
    code, _ = refused(table, "amend", "bob")
    assert code == "wrong-phase"  # it was Ann's turn
    answer = done(table, "amend", "bob", "--force")
    assert [die["key"] for die in answer["dice"]] == ["throw.bob.1", "throw.bob.2", "throw.bob.3"]
    assert points(table) == {"ann": (0, 3), "bob": (8, 3), "cyd": (0, 3)}
    done(table, "undo", "3")
    assert points(table)["ann"] == (8, 3)


def test_what_the_gm_has_set_aside_stays_so_and_nothing_else(table: Table) -> None:
    """A forced line is judged again without ``--force``; a second refusal of the same rule is one."""
    done(table, "throw", "bob", "--force", "--dice", "4 1 4")
    assert done(table, "amend", "--style", "bold")["overruled"] == [{"code": "wrong-phase", "rule": "TR-1.3"}]
    for face in ("1", "2", "3"):
        done(table, "reroll", "bob", "2", "--dice", face)
    assert refused(table, "reroll", "bob", "2", "--dice", "4")[0] == "wrong-phase"
    done(table, "reroll", "bob", "2", "--dice", "4 1 1 2", "--force")
    assert refused(table, "reroll", "bob", "throw.bob.1", "--dice", "4")[0] == "wrong-phase"


def test_a_face_is_replaced_by_its_name(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 1 4", "--by", "Kim")
    answer = done(table, "amend", "--dice", "throw ann 2: 6")
    assert [(die["read"], die["by"]) for die in answer["dice"]] == [(4, "Kim"), (6, None), (4, "Kim")]
    assert answer["result"]["points"] == 10


def test_a_declaration_is_replaced_and_a_re_roll_taken_back(table: Table) -> None:
    done(table, "throw", "ann", "--say", "style.ann=steady", "--dice", "4 1 4")
    assert done(table, "amend", "--say", "style=bold")["result"]["points"] == 16
    done(table, "reroll", "ann", "2", "--dice", "6")
    answer = done(table, "amend", "--say", "reroll.throw.ann.2=no")
    assert len(answer["dice"]) == 3
    assert points(table)["ann"] == (16, 3)


def test_a_re_roll_of_dice_that_are_no_longer_thrown_is_passed_over(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 4 4 1 2 3")
    done(table, "reroll", "ann", "again1", "1", "--dice", "6")
    answer = done(table, "amend", "--dice", "throw ann 3: 5")
    assert [die["key"] for die in answer["dice"]] == ["throw.ann.1", "throw.ann.2", "throw.ann.3"]
    assert points(table)["ann"] == (9, 3)


def test_missing_faces_of_an_amended_ruling_are_asked_and_answered(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 1 4")
    ran = table("--json", "amend", "--dice", "throw ann 2: 4")
    assert ran.objects[0]["asks"][0]["key"] == "throw.ann.again1.1"
    assert refused(table, "amend", "--style", "bold")[0] == "ruling-open"
    assert refused(table, "undo")[0] == "ruling-open"
    answer = done(table, "answer", "1 2 3")
    assert answer["amends"]["seq"] == 6
    assert points(table)["ann"] == (13, 3)
    table("--json", "amend", "--dice", "throw ann 2: 1")
    assert points(table)["ann"] == (8, 3)


def test_an_amended_ruling_that_is_dropped_leaves_the_old_one(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 1 4")
    table("amend", "--dice", "throw ann 2: 4")
    done(table, "answer", "--drop")
    assert points(table)["ann"] == (8, 3)
    assert done(table, "undo")["result"] == {"undone": [6]}


def test_what_fits_nowhere_is_refused(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "4 1 4")
    for words in (("zz",), ("--feint", "3"), ("--style",), ("--style", "odd"), (), ("bob", "bob")):
        assert refused(table, "amend", *words)[0] in {"bad-value", "usage"}, words


def test_rows_made_by_a_line_are_made_anew_under_the_same_id(table: Table) -> None:
    done(table, "undo", "2")  # Cyd and the beginning
    done(table, "player", "add", "Dan")
    answer = done(table, "amend", "Eve")
    assert done(table, "status")["result"]["players"].keys() == {"ann", "bob", "eve"}
    assert "Eve" in answer["text"]
    done(table, "undo")
    assert done(table, "status")["result"]["players"].keys() == {"ann", "bob", "dan"}


def test_figures_set_by_hand_are_amended_too(table: Table) -> None:
    done(table, "set", "players.ann.points", "7")
    done(table, "amend", "9", "--because", "misread")
    assert points(table)["ann"] == (9, 3)
    assert done(table, "history", "1")["result"]["lines"][0]["because"] == "misread"


# what the journal tells


def test_history_and_why_say_what_stands_in_place_of_what(table: Table) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    done(table, "reroll", "ann", "1", "--dice", "1")
    done(table, "amend", "--style", "bold")
    lines = done(table, "history", "3")["result"]["lines"]
    assert [(line["seq"], line["amended_by"], line["undone"]) for line in lines] == [
        (6, 7, False), (7, 8, False), (8, None, False),
    ]  # fmt: skip
    assert "(amended: #7)" in table("history").out
    assert "in place of #7" in table("why").out
    assert "again" in table("why", "7").out
    undone = table("undo").out
    assert "#7 stands again" in undone
    lines = done(table, "history", "2")["result"]["lines"]
    assert [(line["seq"], line["amended_by"]) for line in lines] == [(6, 7), (7, None)]
    assert table("doctor").code == 0


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_language_has_the_words(table: Table, lang: str) -> None:
    done(table, "throw", "ann", "--dice", "2 6 5")
    for words in (("reroll", "ann", "1", "--dice", "1"), ("why",), ("history",), ("undo",), ("reroll", "ann")):
        ran = table(*words, "--lang", lang)
        assert not any(mark in ran.out + ran.err for mark in ("<", "ruling.", "mark.", "history.", "hint.")), ran
    for verb in ("reroll", "amend"):
        assert "<" not in table(verb, "--help", "--lang", lang).out


def test_a_re_roll_or_amendment_is_one_step_whatever_came_before(table: Table) -> None:
    """Courses by chance: undo gives the bytes from before, redo those from after; the files are whole."""
    for course in range(12):
        chance = random.Random(course)
        states = [tables(table)]
        while len(states) < 9:
            acting = done(table, "status")["result"]["acting"]
            if acting is None:
                break
            faces = " ".join(str(chance.randint(1, 6)) for _ in range(3))
            lines = [
                ("throw", acting, "--dice", faces),
                ("reroll", "--dice", faces[0], "", str(chance.randint(1, 3))),
                ("amend", "--style", chance.choice(["steady", "bold"])),
                ("amend", "--dice", f"throw {chance.choice(['ann', 'bob', 'cyd'])} 1: {faces[0]}"),
            ]
            if not table(*chance.choice(lines)).code:
                states.append(tables(table))
            elif table("answer", "1 2 4").code:
                table("answer", "--drop")
            else:
                states.append(tables(table))
        for before in reversed(states[:-1]):
            done(table, "undo")
            assert tables(table) == before
        for after in states[1:]:
            done(table, "redo")
            assert tables(table) == after
        assert table("doctor").code == 0
        done(table, "undo", str(len(states) - 1))
