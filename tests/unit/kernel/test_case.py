"""The case: what a rule may touch, and that nothing is kept unless a run reaches its end."""

import json
from typing import Any

import pytest

from gmtool.kernel.asks import Missing
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.changes import apply, reverse
from gmtool.kernel.common import DueSettled
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.trace import event_entry, fact, ids_in, snake
from tests.unit.kernel.toy import Anything, Fighter, Heal, Hurt, Over, Strike, hits, ring, ruled

STRIKE = Strike("ann", "bob")


def with_rule(monkeypatch: pytest.MonkeyPatch, rule: Any) -> None:
    """``Heal`` is judged by another rule."""
    from tests.unit.kernel import toy

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)


def test_one_ruling_by_hand() -> None:
    # 5 is good, 9 great; the parry of the good one (7 or more) holds, that of the great one fails: 2, and 1 + 3 more
    ruling = ruled(STRIKE, "5 9 7 6 1 3")
    assert ruling.result == {"damage": 2, "down": False}
    assert ruling.changes == [{"path": "fighters.bob.hp", "before": 9, "after": 3, "rule": "T-5"}]
    assert [entry["t"] for entry in ruling.trace] == ["assumed", "dice", "dice", "dice", "event"]
    assert ruling.rules == ["T-2", "T-3", "T-0", "T-4", "T-5"]
    assert ruling.trace[2] == {
        "t": "dice", "key": "parry.bob", "who": {"id": "bob"}, "rule": "T-4",
        "law": {"key": "over", "facts": {"target": 7}, "rules": ["T-0"]},
        "dice": [
            {"key": "parry.bob.A", "seat": "A", "faces": [7], "read": 7, "class": "good", "source": "entered",
             "by": None, "fixed": False, "answers": ["strike", "A", "good"]},
            {"key": "parry.bob.B", "seat": "B", "faces": [6], "read": 6, "class": "bad", "source": "entered",
             "by": None, "fixed": False, "answers": ["strike", "B", "great"]},
        ],
    }  # fmt: skip
    assert ruling.trace[4]["facts"] == {"whom": {"id": "bob"}, "before": 9, "after": 3}
    json.dumps(ruling.trace)


def test_answers_follow_the_order_of_what_they_answer_while_keep_sees_counts() -> None:
    # great, good: A's parry answers the great one
    assert [face.answers for face in ruled(STRIKE, "9 5 7 7").faces[2:]] == [
        ("strike", "A", "great"), ("strike", "B", "good"),
    ]  # fmt: skip


@pytest.mark.parametrize("dice", ["", "5", "5 9 7", "5 9 7 6 1", "5 9 7 6 1 3 8", "5 9 x", "5 9 / guard: 1"])
def test_a_state_is_left_untouched_by_what_does_not_reach_its_end(dice: str) -> None:
    state = ring(ann=9, bob=9)
    with pytest.raises((Refused, Missing)):
        ruled(STRIKE, dice, state=state)
    assert state.over == {}
    assert state.table("fighters")["bob"] == Fighter("Bob", 9)


def test_a_ruling_leaves_the_state_it_started_from_alone_and_its_changes_can_be_taken_back() -> None:
    tables: dict[str, Any] = {"fighters": {id: {"name": id, "hp": 9} for id in ("ann", "bob")}}
    before = json.dumps(tables)
    state = type(ring())(tables)
    ruling = ruled(STRIKE, "5 9 7 6 1 3", state=state)
    assert state.over == {}
    assert ruling.state.row("fighters", "bob").hp == 3  # type: ignore[union-attr]
    apply(tables, ruling.changes)
    assert tables["fighters"]["bob"]["hp"] == 3
    apply(tables, reverse(ruling.changes))
    assert json.dumps(tables) == before


def test_what_is_forbidden_can_be_forced_and_is_named() -> None:
    state = ring(ann=9, bob=0)
    with pytest.raises(Refused) as refused:
        ruled(STRIKE, "0 0", state=state)
    assert (refused.value.code, refused.value.rule, refused.value.forcible) == ("down", "T-1", True)
    ruling = ruled(STRIKE, "0 0", state=state, settings=Settings(force=True))
    assert ruling.overruled == [{"code": "down", "rule": "T-1"}]
    assert ruling.trace[0] == {
        "t": "overruled", "code": "down", "key": "down", "rule": "T-1", "facts": {"unit": {"id": "bob"}},
    }  # fmt: skip


def test_a_declaration_falls_back_on_the_campaign_then_the_rule() -> None:
    assert ruled(STRIKE, "0 0").trace[0]["value"] == "high"
    declared = ruled(STRIKE, "0 0", settings=Settings(declare={"stance": "low"})).trace[0]
    assert (declared["t"], declared["value"]) == ("assumed", "low")
    said = ruled(STRIKE, "0 0", said={"stance.bob": "high"}, settings=Settings(declare={"stance": "low"})).trace[0]
    assert (said["t"], said["value"]) == ("said", "high")


def test_a_declaration_the_campaign_wants_asked_is_asked() -> None:
    with pytest.raises(Missing) as missing:
        ruled(STRIKE, "0 0", settings=Settings(declare={"stance": "ask"}))
    assert [ask.json() for ask in missing.value.asks] == [
        {
            "key": "stance.bob",
            "who": "bob",
            "kind": "declaration",
            "dice": [],
            "options": ["high", "low"],
            "rule": "T-2",
        },
    ]


def test_an_ask_met_twice_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    def rule(case: Case[Any, Any], command: Heal) -> None:
        heard.extend(case.ask("mood", "ann", ("glad", "sad"), "glad", rule="T-9") for _ in range(2))

    with_rule(monkeypatch, rule)
    ruled(Heal("ann", 1), said={"mood": "sad"})
    assert heard == ["sad", "sad"]


def test_a_pool_thrown_twice_is_a_fault_of_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        for _ in range(2):
            case.pool("x", "ann", [Group(1, Over(5), ("",))], hits, rule="")

    with_rule(monkeypatch, rule)
    with pytest.raises(ValueError, match="x is thrown twice"):
        ruled(Heal("ann", 1), "5 5")


def test_a_group_has_as_many_seats_as_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    with_rule(monkeypatch, lambda case, command: case.pool("x", "", [Group(2, Over(5), ("A",))], hits, rule=""))
    with pytest.raises(ValueError, match="other seats than dice"):
        ruled(Heal("ann", 1), "5 5")


def test_seats_of_its_own_come_after_those_that_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def rule(case: Case[Any, Any], command: Heal) -> None:
        case.pool("one", "", [Group(2, Over(5), ("A", "B"))], hits, rule="")
        case.pool("two", "", [Group(1, Over(5), ("C",))], hits, rule="")
        answers = [Group(1, Over(5), answers=("two", "good")), Group(1, Over(5), answers=("one", "good"))]
        seen.append(case.pool("three", "", [Group(1, Over(5), ("Z",)), *answers], lambda counts: len(counts), rule=""))

    with_rule(monkeypatch, rule)
    ruling = ruled(Heal("ann", 1), "0 5 / two: 5 / three: 1 2 3")
    assert [(face.key, face.read) for face in ruling.faces[3:]] == [("three.B", 1), ("three.C", 2), ("three.Z", 3)]


def test_a_reading_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with_rule(monkeypatch, lambda case, command: [case.choice("t-7") for _ in range(2)])
    by_default = ruled(Heal("ann", 1), settings=Settings(defaults={"t-7": ("wide", "T-7")}))
    assert by_default.trace == [{"t": "choice", "id": "t-7", "value": "wide", "rule": "T-7", "default": True}]
    chosen = ruled(Heal("ann", 1), settings=Settings(choices={"t-7": "close"}, defaults={"t-7": ("wide", "T-7")}))
    assert chosen.trace == [{"t": "choice", "id": "t-7", "value": "close", "rule": "T-7", "default": False}]


def test_a_figure_is_the_sum_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        case.result(n=case.figure("aim", "ann", [("base", 40, "T-1"), ("wind", -10, "T-2")], rule="T-3"))

    with_rule(monkeypatch, rule)
    ruling = ruled(Heal("ann", 1))
    assert ruling.result == {"n": 30}
    parts = [{"key": "base", "n": 40, "rule": "T-1"}, {"key": "wind", "n": -10, "rule": "T-2"}]
    assert ruling.trace == [
        {"t": "figure", "key": "aim", "who": {"id": "ann"}, "total": 30, "parts": parts, "rule": "T-3"}
    ]


def test_something_due_is_put_down_and_settled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        case.due("wake-ann", "wake", "ann", "wake ann", rule="T-8")
        case.settle("wake-ann", "T-8")
        case.settle("wake-ann", "T-8")

    with_rule(monkeypatch, rule)
    row = {"what": "wake", "who": "ann", "rule": "T-8", "command": "wake ann"}
    assert ruled(Heal("ann", 1)).changes == [
        {"path": "due.wake-ann", "after": row, "rule": "T-8"},
        {"path": "due.wake-ann", "before": row, "rule": "T-8"},
    ]


def test_a_warning_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with_rule(monkeypatch, lambda case, command: case.warn("late", "T-1", who=Id("ann"), how=[Word("very"), 3]))
    ruling = ruled(Heal("ann", 1))
    assert ruling.warnings == [
        {"code": "late", "rule": "T-1", "facts": {"who": {"id": "ann"}, "how": [{"word": "very"}, 3]}}
    ]
    assert (ruling.changes, ruling.trace) == ([], [])


def test_two_changes_of_one_figure_stand_one_after_the_other() -> None:
    state = ring(ann=9, bob=9)
    first = ruled(Heal("bob", 2), state=state)
    second = ruled(Heal("bob", 1), state=first.state)
    assert second.changes == [{"path": "fighters.bob.hp", "before": 11, "after": 12, "rule": "T-6"}]


def test_facts_are_plain_json() -> None:
    assert fact([Id("ann"), Word("low"), "x", 3, True, None, (1, Id("b"))]) == [
        {"id": "ann"}, {"word": "low"}, "x", 3, True, None, [1, {"id": "b"}],
    ]  # fmt: skip
    assert fact(Fighter("Ann", 9)) == {
        "name": "Ann", "hp": 9, "parts": {}, "tags": [], "friend": None, "tired": False,
    }  # fmt: skip


def test_plain_text_of_an_event_is_marked_by_its_annotation() -> None:
    entry = event_entry(Anything("ann", ("ann", Id("bob")), None, "low", "text", True), "T-1")
    assert entry == {
        "t": "event", "type": "anything", "rule": "T-1",
        "facts": {"one": {"id": "ann"}, "many": [{"id": "ann"}, {"id": "bob"}], "none": None, "word": {"word": "low"},
                  "text": "text", "flag": True},
    }  # fmt: skip
    assert event_entry(Hurt(Id("ann"), 1, 0), "")["facts"]["whom"] == {"id": "ann"}
    assert (snake("CraftLost"), snake("Hurt")) == ("craft_lost", "hurt")


def test_ids_are_found_wherever_they_are_marked_and_nowhere_else() -> None:
    entry = {"t": "x", "who": {"id": "ann"}, "facts": {"all": [{"id": "bob"}, {"word": "cyd"}]}}
    assert ids_in([entry]) == {"ann", "bob"}
    assert ids_in(event_entry(DueSettled("wake-ann"), "")) == set()
    assert ids_in({"id": 3}) == set()
