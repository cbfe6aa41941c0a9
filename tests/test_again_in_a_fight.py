"""``reroll`` and ``amend`` in an R-TYPE exchange with a counter, worked out by hand.

Arrow (vulcan 40 + agility 30 = 70, evade 20 + 30 = 50) against Gains-1 (evade 20), which counters with its flak (35).
Of 77 15 07 99 61 the lead and C miss. Evasions 99 99 60: A and B hit, D (06) evades: 2 x 30 = 60. The counter's 33
44 99 11 00: lead, C and D hit; Arrow's 55 66 77 evade none: 3 x 20 = 60.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran

GM = Callable[..., Ran]
PILOT = "--body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30"
START = (
    "campaign new Test --system rtype",
    "side add Players --players",
    "side add Bydo",
    f"pilot add Ren {PILOT}",
    "unit add kestrel Arrow --side Players --pilot Ren",
    "unit add gains --side Bydo --count 2",
    "battle start",
    'initiative --dice "6 6 1 1"',
    "first players",
    'attack arrow vulcan gains-1 --defence counter:flak --dice "77 15 07 99 61 / 99 99 60 / 33 44 99 11 00 / 55 66 77"',
)


@pytest.fixture
def fight(gm: GM) -> GM:
    """The exchange has been ruled."""
    ran = gm("run", "-", input="\n".join(START))
    assert ran.code == 0, ran.err
    return gm


def done(fight: GM, *argv: str) -> dict[str, Any]:
    ran = fight("--json", *argv)
    assert ran.code == 0, ran.out
    return dict(ran.objects[0])


def asked(fight: GM, *argv: str) -> list[str]:
    ran = fight("--json", *argv)
    assert ran.objects[0]["error"]["code"] == "needs-answer", ran.out
    return [ask["key"] for ask in ran.objects[0]["asks"]]


def hp(fight: GM) -> dict[str, int]:
    """What each unit's craft A has left."""
    units = done(fight, "status")["result"]["units"]
    return {id: unit["hp"]["A"] for id, unit in units.items()}


def lives(fight: GM) -> int:
    return int(done(fight, "status")["result"]["pilots"]["ren"]["lives"]["now"])


def test_the_exchange_as_it_stands(fight: GM) -> None:
    assert hp(fight) == {"arrow": 40, "gains-1": 40, "gains-2": 100}


def test_another_target_takes_faces_and_declarations_with_it_in_the_counter_too(fight: GM) -> None:
    answer = done(fight, "amend", "gains-2")
    assert hp(fight) == {"arrow": 40, "gains-1": 100, "gains-2": 40}
    keys = [die["key"] for die in answer["dice"]]
    assert keys[5:8] == ["evade.gains-2.A", "evade.gains-2.B", "evade.gains-2.D"]
    assert keys[8] == "counter.gains-2.attack.lead"
    assert keys[13] == "counter.gains-2.evade.arrow.lead"
    assert "Gains-2" in answer["text"]


def test_another_weapon_is_judged_by_the_same_faces(fight: GM) -> None:
    """The missile has 35 + 30 and takes 25: 2 x 25."""
    answer = done(fight, "amend", "missile")
    assert answer["result"]["damage"] == 50
    assert hp(fight)["gains-1"] == 50
    ammo = done(fight, "status")["result"]["units"]["arrow"]["ammo"]
    assert (ammo["vulcan"], ammo["missile"]) == (6, 3)


def test_another_option_leaves_out_what_is_not_needed_and_asks_what_is(fight: GM) -> None:
    done(fight, "amend", "--defence", "evade")
    assert hp(fight) == {"arrow": 100, "gains-1": 40, "gains-2": 100}
    assert asked(fight, "amend", "--defence", "counter:flak") == [
        f"counter.gains-1.attack.{seat}" for seat in ("lead", "A", "B", "C", "D")
    ]
    done(fight, "answer", "99 99 99 99 99")
    assert hp(fight)["arrow"] == 100


def test_a_feint_counts_for_both_with_the_faces_there_are(fight: GM) -> None:
    """70 - 60 = 10 leaves B's 07 alone; evade 20 - 60, so its 99 hits: 1 x 30."""
    answer = done(fight, "amend", "--feint", "60")
    assert answer["result"]["hits"] == 1
    assert hp(fight)["gains-1"] == 70


def test_a_re_roll_after_the_exchange_asks_only_what_it_brings_about(fight: GM) -> None:
    assert asked(fight, "reroll", "ren", "attack", "lead", "--dice", "11") == ["evade.gains-1.lead"]
    answer = done(fight, "answer", "98")
    assert hp(fight) == {"arrow": 40, "gains-1": 10, "gains-2": 100}
    assert (answer["result"]["hits"], lives(fight)) == (3, 2)
    done(fight, "undo")
    assert (hp(fight)["gains-1"], lives(fight)) == (40, 3)


def test_a_life_that_one_has_spent_is_not_spent_by_who_takes_his_place(fight: GM) -> None:
    """Comet is as Arrow is. Ren's lead 77 became 11 for a life; with Comet the 77 stands and misses (RT-22.1, 22.6).

    A, B and D hit, D is evaded: 60; the counter hits Comet three times: 60. Nobody has spent a life.
    """
    done(fight, "undo")
    done(fight, "pilot", "add", "Hana", *PILOT.split())
    done(fight, "unit", "add", "kestrel", "Comet", "--side", "Players", "--pilot", "Hana")
    assert fight("run", "-", input=START[-1]).code == 0
    done(fight, "reroll", "ren", "attack", "lead", "--dice", "11 / 98")
    assert (hp(fight)["gains-1"], lives(fight)) == (10, 2)
    done(fight, "amend", "comet", "vulcan", "gains-1")
    assert hp(fight) == {"arrow": 100, "comet": 40, "gains-1": 40, "gains-2": 100}
    pilots = done(fight, "status")["result"]["pilots"]
    assert {id: row["lives"]["now"] for id, row in pilots.items()} == {"ren": 3, "hana": 3}
    done(fight, "undo")
    assert (hp(fight)["gains-1"], lives(fight)) == (10, 2)


def test_an_evasion_against_the_counter_is_thrown_again_by_its_own_pilot(fight: GM) -> None:
    done(fight, "reroll", "arrow", "evade", "lead", "--dice", "12")
    assert (hp(fight)["arrow"], lives(fight)) == (60, 2)


def test_the_dice_there_are_to_choose_from_are_named_with_what_they_show(fight: GM) -> None:
    ran = fight("--json", "reroll", "ren", "lead")
    error = ran.objects[0]["error"]
    assert (ran.code, error["code"]) == (2, "ambiguous-name")
    assert "attack.lead 77, counter.gains-1.evade.arrow.lead 55" in error["message"]
    assert (hp(fight)["arrow"], lives(fight)) == (40, 3)


def test_who_has_no_pilot_has_no_lives(fight: GM) -> None:
    ran = fight("--json", "reroll", "gains-1", "evade", "A", "--dice", "00")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (1, "bad-value")


def test_a_handle_and_a_craft_are_no_beginnings_of_names(fight: GM) -> None:
    """``A`` in a key is the craft, though Arrow begins so."""
    done(fight, "undo")
    said = ("--say", "reroll.attack.A=yes", "--say", "defence.b1=evade")
    answer = done(fight, "attack", "r1", "vulcan", "b1", *said, "--dice", "99 99 99 99 99 / 98")
    assert answer["dice"][-1]["key"] == "reroll.attack.A"


def test_a_line_that_pins_a_sheet_is_amended_like_any_other(gm: GM) -> None:
    gm("run", "-", input="\n".join(START[:4]))
    done(gm, "unit", "add", "kestrel", "Comet", "--side", "players")
    answer = done(gm, "amend", "gains", "Comet", "--side", "bydo")
    units = done(gm, "status")["result"]["units"]
    assert [(id, unit["sheet"], unit["handle"]) for id, unit in units.items()] == [("comet", "gains", "b1")]
    assert answer["amends"]["seq"] == 5
    assert gm("doctor").code == 0
    done(gm, "undo")
    units = done(gm, "status")["result"]["units"]
    assert [(id, unit["sheet"], unit["handle"]) for id, unit in units.items()] == [("comet", "kestrel", "r1")]


@pytest.mark.parametrize(
    ("before", "amended", "value"),
    [
        ("damage arrow 60 --flat A", ["amend", "shade"], "A"),
        ("ammo arrow vulcan 1", ["amend", "gains-1"], "vulcan"),
    ],
)
def test_what_belongs_to_the_unit_before_is_no_word_of_another(
    fight: GM, before: str, amended: list[str], value: str
) -> None:
    """A single craft has no A; a weapon is one of the unit that has it."""
    assert fight("unit", "add", "shade", "Shade", "--side", "Players").code == 0
    assert fight(*before.split()).code == 0
    ran = fight("--json", *amended)
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "unknown-name")
    assert ran.objects[0]["error"]["facts"]["value"] == value
