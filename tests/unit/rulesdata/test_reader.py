"""Reading TOML: encodings, double keys, lines; nothing but a refusal ever comes of a bad file."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.lines import line_of
from gmtool.rulesdata.reader import decode, parse, read_toml


def test_a_file_is_read_as_utf8_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes("name = 'アロー'\r\n".encode())
    plain = read_toml(file)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_toml(file) == plain == {"name": "アロー"}


def test_the_first_byte_that_is_not_utf8_is_named_with_its_line() -> None:
    with pytest.raises(Refused) as caught:
        decode("a = 1\nname = 'アロー'\n".encode("cp932"), "rules/a.toml")
    assert caught.value.key == "data-not-utf8"
    assert caught.value.facts == {"file": "rules/a.toml", "byte": "0x83", "line": 2}


def test_a_file_that_cannot_be_read_is_refused_with_the_systems_reason(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        read_toml(tmp_path / "gone.toml")
    assert (caught.value.code, caught.value.key, caught.value.exit) == ("rules-file", "data-unreadable", 3)
    assert caught.value.facts["problem"]


@pytest.mark.parametrize(
    ("text", "key", "first", "line"),
    [
        ("a = 1\nb = 2\na = 3\n", "a", 1, 3),
        ("[t]\na = 1\n[u]\na = 1\na = 2\n", "a", 4, 5),
        ("a = 1\na = [\n 1,\n 2,\n]\n", "a", 1, 2),
        ("[t]\nx = 1\n[u]\n[t]\n", "t", 1, 4),
        ('"a b" = 1\n"a b" = 2\n', '"a b"', 1, 2),
    ],
)
def test_a_double_key_is_named_with_both_lines(text: str, key: str, first: int, line: int) -> None:
    with pytest.raises(Refused) as caught:
        parse(text, "f")
    assert caught.value.key == "data-duplicate-key"
    assert caught.value.facts == {"file": "f", "key": key, "first": first, "line": line}


@pytest.mark.parametrize("text", ["a = " + "[" * 20_000, "a = " + "9" * 5_000, "a = 2026-13-41", "\x00", "= 1", "a"])
def test_what_toml_does_not_allow_is_a_syntax_refusal(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(text, "f")
    assert caught.value.key == "data-syntax"


@given(st.one_of(st.binary(), st.text(alphabet="ab=[]{}.\"'\n #1,").map(str.encode)))
def test_any_bytes_give_data_or_a_refusal(data: bytes) -> None:
    with suppress(Refused):
        assert isinstance(parse(decode(data, "f"), "f"), dict)


def test_the_line_of_a_path_is_where_its_last_known_step_is_written() -> None:
    text = "x = 1\n[[t]]\na = 1\nb = [\n  [1, 2],\n  [3, 4],\n]\n[[t]]\na = 2\n"
    assert line_of(text, ("t", 0, "a")) == 3
    assert line_of(text, ("t", 1, "a")) == 9
    assert line_of(text, ("t", 1, "nowhere")) == 8
    assert line_of(text, ("t", 0, "b", 1)) == 7, "a value of several lines counts from where it ends"
    assert line_of(text, ("nowhere",)) == 0
