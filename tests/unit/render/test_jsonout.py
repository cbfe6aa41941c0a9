"""JSON answers."""

import json

import pytest

from gmtool.render.jsonout import dumps


def test_one_line_with_names_as_they_are() -> None:
    assert dumps({"name": "アロー", "n": 1}) == '{"name": "アロー", "n": 1}'
    assert dumps({"name": "ア"}, ascii_only=True) == '{"name": "\\u30a2"}'


@pytest.mark.parametrize("text", ["\ud800x", "\udfff", "a\u2028b", "\x1b[0m", "\x9b", "\x7f", "a\nb", '"\\'])
def test_text_that_breaks_lines_or_encodings_is_escaped_and_comes_back(text: str) -> None:
    line = dumps({"t": text})
    assert line.encode("utf-8").decode().splitlines() == [line]
    assert "\x1b" not in line
    assert json.loads(line) == {"t": text}


def test_a_number_that_is_not_finite_is_a_fault() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"n": float("nan")})
