"""State: rows read from JSON, laid over, compared; and written back as changes."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.changes import apply, diff, reverse
from gmtool.kernel.common import Counter
from gmtool.kernel.refusal import Id
from gmtool.kernel.run import changes_of
from gmtool.kernel.state import BadRow, Map, Raw, State, decode, encode, replace
from tests.unit.kernel.toy import Fighter, Ring, ring


@dataclass(frozen=True)
class Loose:
    """A row whose fields lie in a dict."""

    name: str
    hp: int = 0


ANN = Fighter("Ann", 9, Map(arm=3, leg=4), ("tall",), None, False)
JSON = {"name": "Ann", "hp": 9, "parts": {"arm": 3, "leg": 4}, "tags": ["tall"], "friend": None, "tired": False}


def test_a_row_and_its_json_are_the_same_thing() -> None:
    assert encode(ANN) == JSON
    assert decode(Fighter, JSON) == ANN
    assert json.loads(json.dumps(encode(ANN))) == JSON


def test_fields_left_out_take_their_defaults() -> None:
    assert decode(Fighter, {"name": "Bob", "hp": 1}) == Fighter("Bob", 1)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"name": "Ann", "hp": "9"}, "fighters.ann.hp"),
        ({"name": "Ann", "hp": True}, "fighters.ann.hp"),
        ({"name": "Ann", "hp": 9.0}, "fighters.ann.hp"),
        ({"name": "Ann", "hp": None}, "fighters.ann.hp"),
        ({"name": 1, "hp": 9}, "fighters.ann.name"),
        ({"name": "Ann", "hp": 9, "parts": []}, "fighters.ann.parts"),
        ({"name": "Ann", "hp": 9, "parts": {"arm": "x"}}, "fighters.ann.parts.arm"),
        ({"name": "Ann", "hp": 9, "tags": "tall"}, "fighters.ann.tags"),
        ({"name": "Ann", "hp": 9, "tags": [1]}, "fighters.ann.tags"),
        ({"name": "Ann", "hp": 9, "friend": 3}, "fighters.ann.friend"),
        ({"name": "Ann", "hp": 9, "size": 3}, "fighters.ann.size"),
        ({"name": "Ann"}, "fighters.ann"),
        ([], "fighters.ann"),
    ],
)
def test_a_row_of_another_shape_is_told_by_its_path(data: Any, path: str) -> None:
    with pytest.raises(BadRow) as bad:
        decode(Fighter, data, "fighters.ann")
    assert bad.value.path == path


def test_a_row_without_a_kind_stays_plain_json() -> None:
    state = State({"things": {"x": {"deep": {"a": [1, {"b": None}]}}}})
    assert state.row("things", "x") == Raw(deep={"a": [1, {"b": None}]})
    with pytest.raises(BadRow):
        State({"things": {"x": 3}}).row("things", "x")


def test_maps_with_the_same_entries_are_one_key_whatever_their_order() -> None:
    one, other = Map(a=1, b=2), Map(b=2, a=1)
    assert (hash(one), one) == (hash(other), other)
    assert hash(Raw(a=[1])) == hash(Raw(a=[1]))


def test_put_leaves_the_map_and_its_hash_alone() -> None:
    one = Map(a=1)
    before = hash(one)
    other = one.put("a", 2)
    assert (one, other, hash(one)) == (Map(a=1), Map(a=2), before)
    assert hash(other) == hash(Map(a=2))


def test_replace_is_that_of_the_dataclasses() -> None:
    assert replace(ANN, hp=3, tired=True) == dataclasses.replace(ANN, hp=3, tired=True)
    assert hash(replace(ANN)) == hash(ANN)
    assert replace(Counter(1), n=2) == Counter(2)
    with pytest.raises(TypeError, match="size"):
        replace(ANN, size=3)


def test_replace_does_the_same_without_slots() -> None:
    row = Loose("Ann", 9)
    new = replace(row, hp=3)
    assert (new, row) == (Loose("Ann", 3), Loose("Ann", 9))
    assert (hash(new), encode(new)) == (hash(Loose("Ann", 3)), {"name": "Ann", "hp": 3})
    assert changes(row, new) == [{"path": "fighters.ann.hp", "before": 9, "after": 3, "rule": "T-1"}]
    with pytest.raises(TypeError, match="size"):
        replace(row, size=3)


def test_a_table_reads_rows_by_id_in_the_order_of_ids() -> None:
    table = ring(bob=2, ann=1).table("fighters")
    assert list(table) == ["ann", "bob"]
    assert [row.hp for row in table.values()] == [1, 2]
    assert "ann" in table
    assert "cyd" not in table
    assert len(table) == 2
    assert table.get("cyd") is None
    with pytest.raises(KeyError):
        table["cyd"]
    assert list(ring().table("nothing")) == []


def test_rows_laid_over_are_seen_in_tables_handed_out_before() -> None:
    state = ring(ann=1, bob=2)
    table = state.table("fighters")
    state.put({("fighters", "ann"): None, ("fighters", "cyd"): Fighter("Cyd", 3)})
    assert list(table) == state.ids("fighters") == ["bob", "cyd"]
    assert "ann" not in table
    assert table.get("ann") is None
    assert table["cyd"].hp == 3


def test_a_fork_and_its_beginning_do_not_see_each_other() -> None:
    state = ring(ann=1)
    state.put({("fighters", "ann"): Fighter("Ann", 2)})
    fork = state.fork()
    fork.put({("fighters", "ann"): Fighter("Ann", 3)})
    assert (state.table("fighters")["ann"].hp, fork.table("fighters")["ann"].hp) == (2, 3)
    state.put({("fighters", "ann"): None})
    assert fork.table("fighters")["ann"].hp == 3


def test_states_with_equal_rows_laid_over_have_one_key() -> None:
    one, other = ring(ann=1, bob=1), ring(ann=1, bob=1)
    one.put({("fighters", "ann"): Fighter("Ann", 2)})
    one.put({("fighters", "bob"): Fighter("Bob", 3)})
    other.put({("fighters", "bob"): Fighter("Bob", 3), ("fighters", "ann"): Fighter("Ann", 2)})
    assert one.key() == other.key()
    other.put({("fighters", "ann"): None})
    assert one.key() != other.key()


def test_settled_rows_are_read_anew() -> None:
    tables: dict[str, Any] = {"fighters": {"ann": {"name": "Ann", "hp": 1}}}
    state = Ring(tables)
    assert state.table("fighters")["ann"].hp == 1
    assert list(state.table("ids")) == []
    apply(tables, [{"path": "fighters.ann.hp", "before": 1, "after": 5}, {"path": "ids.x", "after": {"n": 1}}])
    state.settle({("fighters", "ann"): None, ("ids", "x"): None})
    assert state.table("fighters")["ann"].hp == 5
    assert list(state.table("ids")) == ["x"]


def changes(old: Any, new: Any) -> list[dict[str, Any]]:
    place = ("fighters", "ann")
    return changes_of([({place: old}, {place: new}, "T-1")])


def test_only_what_differs_becomes_a_change() -> None:
    new = replace(ANN, hp=int("9"), tired=True, parts=ANN.parts.put("arm", 1), tags=("tall", "old"))
    assert changes(ANN, new) == [
        {"path": "fighters.ann.parts.arm", "before": 3, "after": 1, "rule": "T-1"},
        {"path": "fighters.ann.tags", "before": ["tall"], "after": ["tall", "old"], "rule": "T-1"},
        {"path": "fighters.ann.tired", "before": False, "after": True, "rule": "T-1"},
    ]
    assert changes(ANN, replace(ANN)) == []
    assert changes(ANN, None) == [{"path": "fighters.ann", "before": JSON, "rule": "T-1"}]
    assert changes(None, ANN) == [{"path": "fighters.ann", "after": JSON, "rule": "T-1"}]


def test_an_id_in_a_row_is_the_text_it_is_stored_as() -> None:
    old = replace(ANN, friend="bob")
    assert changes(old, replace(old, friend=Id("bob"))) == []
    (change,) = changes(ANN, replace(ANN, friend=Id("bob"), tags=(Id("tall"),)))
    assert (change["path"], type(change["after"])) == ("fighters.ann.friend", str)


def test_an_empty_plain_row_is_a_row() -> None:
    assert changes(None, Raw()) == [{"path": "fighters.ann", "after": {}, "rule": "T-1"}]
    assert changes(Raw(), Raw(a=1)) == [{"path": "fighters.ann.a", "after": 1, "rule": "T-1"}]


@dataclass(frozen=True, slots=True)
class Nested:
    """A row whose maps hold more than figures."""

    words: Map[tuple[str, ...]] = Map()
    flags: Map[bool] = Map()


def test_lists_and_yes_or_no_within_maps_are_written_as_json() -> None:
    old, new = Nested(Map(a=("x",)), Map(b=True)), Nested(Map(a=("x", "y")), Map(b=False))
    assert encode(new) == {"words": {"a": ["x", "y"]}, "flags": {"b": False}}
    assert changes(old, new) == [
        {"path": "fighters.ann.flags.b", "before": True, "after": False, "rule": "T-1"},
        {"path": "fighters.ann.words.a", "before": ["x"], "after": ["x", "y"], "rule": "T-1"},
    ]


KEYS = st.text(st.sampled_from("ab.1"), max_size=3)
FIGHTERS = st.builds(
    Fighter,
    st.sampled_from(["Ann", "Bob"]),
    st.integers(0, 3),
    st.dictionaries(KEYS, st.integers(0, 2), max_size=3).map(Map),
    st.lists(st.sampled_from("xy"), max_size=2).map(tuple),
    st.sampled_from([None, "bob"]),
    st.booleans(),
)


@given(st.none() | FIGHTERS, st.none() | FIGHTERS)
def test_changes_of_rows_are_those_of_their_json_and_lead_there_and_back(old: Any, new: Any) -> None:
    found = changes(old, new)
    before, after = (None if row is None else encode(row) for row in (old, new))
    assert found == diff("fighters", "ann", before, after, "T-1")
    tables: dict[str, Any] = {} if old is None else {"fighters": {"ann": encode(old)}}
    start = json.dumps(tables, sort_keys=True)
    apply(tables, found)
    assert tables == ({} if new is None else {"fighters": {"ann": encode(new)}})
    apply(tables, reverse(found))
    assert json.dumps(tables, sort_keys=True) == start
