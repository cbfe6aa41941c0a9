"""No better die by undo: what the tool has thrown falls again when it is asked again, whatever was done in between."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran
from tests.test_open_rulings import START

GM = Callable[..., Ran]
ATTACK = ("attack", "arrow", "vulcan", "gains-1", "--force")
OTHER = ("attack", "arrow", "vulcan", "gains-2", "--force")


@pytest.fixture(params=["--dice-mode auto", "--dice-mode auto --seed 7"])
def fight(gm: GM, request: pytest.FixtureRequest) -> GM:
    """A battle in which the tool throws, from a secret or from a seed."""
    first, *rest = START
    assert gm("run", "-", input="\n".join([f"{first} {request.param}", *rest])).code == 0
    return gm


def faces(ran: Ran) -> list[list[int]]:
    """The faces of a line."""
    (told,) = ran.objects
    assert told["ok"], told
    return [die["faces"] for die in told["dice"]]


def lines(gm: GM, *all: str) -> None:
    """Lines that are all done."""
    for line in all:
        assert gm(*line.split()).code == 0, line


@pytest.mark.parametrize("between", [
    (), ("note Wind",), ("roll 2D6",), ("roll 2D6", "roll 2D6"), ("set units.arrow.fuel 7",),
    ("config lang ja", "config lang en"),
    ("set units.arrow.fuel 7", "set units.arrow.fuel 8", "undo"), ("checkpoint Wind",), ("session start Evening",),
    ("unit add gains --side Bydo",), ("redo", "undo"), ("try", "set units.arrow.fuel 7", "drop"),
    ("try", "set units.arrow.fuel 7", "keep"), ("try attack arrow vulcan gains-1 --force",),
    ("attack arrow vulcan gains-2 --force", "undo"), ("attack arrow vulcan gains-2 --force --fresh", "undo"),
    ("try", "attack arrow vulcan gains-1 --force", "drop"),
    ("set units.arrow.fuel 7", "amend 8", "undo", "amend 9"),
])  # fmt: skip
def test_the_same_roll_after_an_undo_falls_as_before(fight: GM, between: tuple[str, ...]) -> None:
    first = faces(fight(*ATTACK, "--json"))
    lines(fight, "undo", *between)
    assert faces(fight(*ATTACK, "--json")) == first != []


def test_the_next_roll_is_another(fight: GM) -> None:
    first = faces(fight(*ATTACK, "--json"))
    assert faces(fight(*ATTACK, "--json")) != first


def test_fresh_dice_fall_otherwise_and_do_not_change_what_falls_without(fight: GM) -> None:
    first = faces(fight(*ATTACK, "--json"))
    lines(fight, "undo")
    fresh = fight(*ATTACK, "--fresh", "--json")
    assert faces(fresh) != first
    assert (fresh.objects[0]["fresh"], {die["source"] for die in fresh.objects[0]["dice"]}) == (True, {"rolled"})
    lines(fight, "undo")
    assert faces(fight(*ATTACK, "--json")) == first


@pytest.mark.parametrize("between", [(), ("note Wind",), ("set units.arrow.fuel 7",), ("undo",), ("config lang ja",)])
def test_a_free_roll_that_was_tried_falls_for_real_whatever_comes_first(fight: GM, between: tuple[str, ...]) -> None:
    tried = faces(fight("try", "roll", "10D10", "--json"))
    lines(fight, *between)
    assert faces(fight("roll", "10D10", "--json")) == tried
    assert faces(fight("roll", "10D10", "--json")) != tried


def test_a_life_taken_with_the_line_or_after_it_throws_the_same_die(fight: GM) -> None:
    """First reroll behind the ruling, then undone; then declared with the line."""
    fight(*ATTACK)
    after: dict[str, Any] = fight("reroll", "ren", "attack", "lead", "--json").objects[0]
    lines(fight, "undo 2")
    within = fight(*ATTACK, "--say", "reroll.attack.lead=yes", "--json").objects[0]
    assert after["ok"]
    assert within["dice"] == after["dice"]


def test_an_amended_line_throws_the_same_for_what_it_needs_anew(fight: GM) -> None:
    fight(*ATTACK, "--dice", "attack: 01 02 03 04 05")
    first = faces(fight("amend", "gains-2", "--json"))
    lines(fight, "undo", "note Wind", "set units.arrow.fuel 7", "undo")
    assert faces(fight("amend", "gains-2", "--json")) == first


def test_fresh_is_on_record_wherever_somebody_may_ask(fight: GM) -> None:
    lines(fight, "session start Evening", " ".join([*ATTACK, "--fresh"]))
    assert "(thrown anew)" in fight("history", "1").out
    assert "dice thrown anew (--fresh)" in fight("why").out
    assert "dice thrown anew (--fresh)" in fight("report").out
    lines(fight, "undo")
    assert "(thrown anew)  (undone)" in fight("history", "--all", "2").out


def test_fresh_faces_of_an_answer_are_on_record_too_and_stay_it_when_amended(fight: GM) -> None:
    lines(fight, "config dice-mode ask")
    fight(*ATTACK)
    assert fight("answer", "--roll", "--fresh").code in (0, 1)
    fight("answer", "--roll")
    assert "dice thrown anew (--fresh)" in fight("why").out
    fight("amend", "--because", "as the table wants it")
    assert "dice thrown anew (--fresh)" in fight("why").out


def test_fresh_faces_that_did_not_please_stay_on_record_when_the_line_is_dropped(fight: GM) -> None:
    lines(fight, "config dice-mode ask")
    fight(*ATTACK)
    fight("answer", "01 02 03 04 05")
    fight("answer", "--roll", "--fresh")
    before = len(fight("history", "--all", "--json").objects[0]["result"]["lines"])
    fight("undo")
    fight(*ATTACK)
    asked = fight("answer", "--roll", "--fresh", "--json").objects[0]
    assert asked["ok"] is False  # the evasions are to follow
    lines(fight, "answer --drop")
    told = fight("history", "--all", "--json").objects[0]["result"]["lines"]
    assert (len(told), told[-1]["line"]) == (before + 2, "answer --drop")
    assert "(thrown anew)" in fight("history", "1").out


def test_typed_faces_are_never_called_fresh(fight: GM) -> None:
    fight(*ATTACK, "--fresh", "--dice", "attack: 92 15 07 99 61 / evade: 33 60 88 55")
    assert "thrown anew" not in fight("why").out
