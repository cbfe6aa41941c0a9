"""The grammar of a verb: fields, kinds of words, and names found by id, handle or any beginning."""

import unicodedata
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import (
    TEXT,
    Arg,
    Candidate,
    Flag,
    Kind,
    Opt,
    Scope,
    begins,
    find,
    number,
    one_of,
    option,
    params,
    read_word,
    read_words,
)  # fmt: skip

UNITS = [
    Candidate("arrow", ("Arrow", "アロー"), "r1"),
    Candidate("arrow-2", ("Arrow-2",), "r2"),
    Candidate("gains-1", ("ゲインズ１",), "b1"),
    Candidate("gains-12", ("ゲインズ１２",), "b12"),
    Candidate("elan", ("Élan",), "b3"),
    Candidate("red-bow", ("Red Bow",), ""),
]
UNIT = Kind("unit", candidates=lambda scope: UNITS)
OTHER = Kind("other", candidates=lambda scope: [c for c in UNITS if c.id != scope.given.get("unit")])
SCOPE = Scope(None, None, {})


class Shoot(NamedTuple):
    """A verb with a field of every sort."""

    unit: Annotated[str, Arg(UNIT)]
    others: Annotated[tuple[str, ...], Arg(OTHER, many=True)] = ()
    dice: Annotated[int, Opt("--dice", number("dice", 1, 9))] = 1
    marks: Annotated[tuple[str, ...], Opt("--mark", TEXT, many=True)] = ()
    rolls: Annotated[str, Flag("--once", "once"), Flag("--each", "each")] = ""
    inner: int = 0


def found(word: str) -> str:
    return find(word, "unit", UNITS)


def refused(word: str) -> Refused:
    with pytest.raises(Refused) as met:
        found(word)
    assert met.value.exit == 2
    return met.value


@pytest.mark.parametrize(
    ("word", "id"),
    [
        ("arrow", "arrow"), ("ARROW", "arrow"), ("Ａｒｒｏｗ", "arrow"), ("arrow-", "arrow-2"), ("アロー", "arrow"),
        ("ｱﾛｰ", "arrow"), ("アロ", "arrow"), ("r2", "arrow-2"), ("Ｒ２", "arrow-2"), ("b1", "gains-1"),
        ("gains-1", "gains-1"), ("gains-12", "gains-12"), ("ゲインズ1", "gains-1"), ("ゲインズ１２", "gains-12"),
        ("é", "elan"), (unicodedata.normalize("NFD", "Élan"), "elan"), ("e", "elan"), ("  red   bow ", "red-bow"),
        ("red b", "red-bow"), ("red-", "red-bow"),
    ],
)  # fmt: skip
def test_a_thing_is_found_by_id_handle_name_or_a_beginning(word: str, id: str) -> None:
    assert found(word) == id


def test_a_handle_is_only_ever_meant_in_full() -> None:
    # r1 and r2 begin so too, but as handles
    assert found("r") == "red-bow"
    assert refused("b").code == "unknown-name"


@pytest.mark.parametrize(("word", "ids"), [("arr", ["arrow", "arrow-2"]), ("gains", ["gains-1", "gains-12"])])
def test_an_ambiguous_beginning_is_refused_with_the_candidates(word: str, ids: list[str]) -> None:
    met = refused(word)
    assert (met.code, met.facts["candidates"]) == ("ambiguous-name", ids)


def test_a_number_is_never_cut() -> None:
    one = [candidate for candidate in UNITS if candidate.id == "gains-12"]
    with pytest.raises(Refused):
        find("gains-1", "unit", one)
    assert find("gains-", "unit", one) == "gains-12"
    assert begins("gains-12", "gains-12")
    assert begins("gains-12", "gains")
    assert not begins("gains-12", "gains-1")
    assert not begins("gains", "gains-1")


def test_an_unknown_name_is_refused_with_what_comes_close() -> None:
    assert refused("arow").facts["candidates"][0] == "arrow"
    assert (refused("zzz").code, len(refused("zzz").facts["candidates"])) == ("unknown-name", 6)


@pytest.mark.parametrize("word", ["", " ", "\u3000"])
def test_nothing_names_nothing(word: str) -> None:
    assert refused(word).code == "unknown-name"


@given(st.text(max_size=12))
def test_any_text_is_a_name_or_refused(word: str) -> None:
    with suppress(Refused):
        assert found(word) in {candidate.id for candidate in UNITS}


def test_the_fields_of_a_command_are_its_grammar() -> None:
    assert [(param.name, type(param.spec), param.required, param.default) for param in params(Shoot)] == [
        ("unit", Arg, True, None), ("others", Arg, False, ()), ("dice", Opt, False, 1), ("marks", Opt, False, ()),
        ("rolls", Flag, False, ""), ("rolls", Flag, False, ""),
    ]  # fmt: skip


def test_words_become_a_command() -> None:
    words: dict[str, Any] = {
        "unit": "r1", "others": ["b1", "é"], "dice": "３", "marks": ["x", "y"], "rolls": "each",
    }  # fmt: skip
    assert read_words(Shoot, words, SCOPE) == Shoot("arrow", ("gains-1", "elan"), 3, ("x", "y"), "each")
    assert read_words(Shoot, {"unit": "arrow"}, SCOPE) == Shoot("arrow")


def test_a_word_is_read_against_those_before_it() -> None:
    with pytest.raises(Refused) as met:
        read_words(Shoot, {"unit": "arrow-2", "others": ["r2"]}, SCOPE)
    assert met.value.code == "unknown-name"


def test_a_missing_word_is_told_by_its_field() -> None:
    with pytest.raises(Refused) as met:
        read_words(Shoot, {"dice": "1"}, SCOPE)
    assert (met.value.code, met.value.key, met.value.facts) == ("usage", "missing-word", {"argument": ["unit"], "n": 1})


@pytest.mark.parametrize("word", ["0", "10", "x", "1.5", "", "²", "ー1"])
def test_a_number_out_of_its_limits_or_none_is_refused(word: str) -> None:
    with pytest.raises(Refused) as met:
        read_word(number("dice", 1, 9), word, SCOPE)
    assert (met.value.code, met.value.exit) == ("bad-value", 2)


def test_an_option_is_meant_in_full_or_by_one_beginning() -> None:
    kind = one_of("mode", "swap", "swap-all", "fixed")
    assert [read_word(kind, word, SCOPE) for word in ("swap", "SWAP", "ｆ", "swap-")] == [
        "swap", "swap", "fixed", "swap-all",
    ]  # fmt: skip
    for word in ("", "x", "fixedly"):
        with pytest.raises(Refused) as met:
            read_word(kind, word, SCOPE)
        assert met.value.key == "not-an-option"
        assert met.value.facts == {"value": word, "key": "mode", "options": ["swap", "swap-all", "fixed"]}
    with pytest.raises(Refused) as met:
        read_word(kind, "s", SCOPE)
    assert (met.value.code, met.value.key) == ("bad-value", "options-fit")
    assert met.value.facts["options"] == ["swap", "swap-all"]
    assert option("a", ("A", "B"), "craft") == "A"


def test_an_option_goes_by_its_other_names_too() -> None:
    kind = one_of("arc", "front", "right", "rear", said={"前方": "front", "b": "rear", "旗": "flag"})
    assert [read_word(kind, word, SCOPE) for word in ("前方", "前", "B", "re")] == ["front", "front", "rear", "rear"]
    with pytest.raises(Refused) as met:
        read_word(kind, "旗", SCOPE)
    assert (met.value.key, met.value.facts["options"]) == ("not-an-option", ["front", "right", "rear"])
