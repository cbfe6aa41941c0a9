"""Marks for the shapes of data files: what a value may be, told to the validator without importing it.

A game's tables annotate their fields with these (``Annotated[int, Whole(0, 100)]``); whoever compiles the files
validates them with pydantic against those very classes. Reading compiled data costs nothing of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

JSON = Any

LANGUAGES = ("en", "ja", "ko")
NAME_CELLS = 80
TERM = r"[1-9][0-9]?[dD][1-9][0-9]{0,2}"
DICE = rf"^([0-9]{{1,6}} ?\+ ?)*{TERM}( ?(\+ ?{TERM}|[+-] ?[0-9]{{1,6}}))*$"


class Fault(NamedTuple):
    """What is wrong inside one entry: keys and positions down to it, the sentence's key, and its further facts."""

    path: tuple[str | int, ...]
    key: str
    facts: Mapping[str, Any]


class Whole(NamedTuple):
    """A whole number from ``low`` to ``high``; no fraction, no text, no yes or no. ``word`` says what was expected."""

    low: int
    high: int
    word: str = "data-number"

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        limits = {"low": self.low, "high": self.high, "word": self.word}
        inner = {"type": "int", "strict": True, "ge": self.low, "le": self.high}
        return _worded(inner, "data-out-of-range", limits)


class Text(NamedTuple):
    """Text that fits a pattern; ``word`` says what was expected."""

    word: str
    pattern: str
    longest: int = 200

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        inner = {"type": "str", "strict": True, "pattern": self.pattern, "max_length": self.longest}
        return _worded(inner, self.word, {})


class YesNo(NamedTuple):
    """``true`` or ``false``, nothing that merely looks like it."""

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        return _worded({"type": "bool", "strict": True}, "data-yes-or-no", {})


class Named(NamedTuple):
    """A name: one text, or a table of texts by language."""

    keys: tuple[str, ...] = LANGUAGES

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        text = PLAIN_NAME.__get_pydantic_core_schema__(None, None)
        field = {"type": "typed-dict-field", "schema": text, "required": False}
        table = {"type": "typed-dict", "fields": dict.fromkeys(self.keys, field), "extra_behavior": "forbid"}
        return _either(dict, table, text)


class NumberOrDice(NamedTuple):
    """A whole number of at least 0, or dice such as ``2D6+10``; with ``truth`` also yes or no."""

    truth: bool = False

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> dict[str, Any]:
        word = "data-figure" if self.truth else "data-damage"
        number = Whole(0, 1_000_000, word).__get_pydantic_core_schema__(None, None)
        dice = Text(word, DICE).__get_pydantic_core_schema__(None, None)
        either = _either(str, dice, number)
        return _either(bool, {"type": "bool"}, either) if self.truth else either


def _worded(inner: dict[str, Any], word: str, context: dict[str, Any]) -> dict[str, Any]:
    """A schema whose every failure is reported under one word of ours."""
    custom = {"custom_error_type": word, "custom_error_message": word, "custom_error_context": context}
    return {"type": "custom-error", "schema": inner, **custom}


def _either(kind: type, yes: dict[str, Any], no: dict[str, Any]) -> dict[str, Any]:
    """A schema that depends on what the value is, so that a failure speaks of one reading only."""
    return {
        "type": "tagged-union",
        "discriminator": lambda value: "?yes" if isinstance(value, kind) else "?no",
        "choices": {"?yes": yes, "?no": no},
    }


PLAIN_NAME = Text("data-name", r"^[^\s\x00-\x1f\x7f]([^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Interpretation:
    """A rule of a game that can be read in several ways.

    ``waits_for`` names the verb that will first make a difference.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}
    id: Annotated[str, Text("data-id", r"^[a-z]+-[0-9]+(\.[0-9]+)*(-[a-z]+)*$", 40)]
    rule: Annotated[str, Text("data-rule", r"^[A-Z]+-[0-9]+(\.[0-9]+)*$")]
    options: tuple[Annotated[str, Text("data-id", r"^[a-z0-9]+(-[a-z0-9]+)*$", 40)], ...]
    default: Annotated[str, Text("data-id", r"^[a-z0-9]+(-[a-z0-9]+)*$", 40)]
    waits_for: Annotated[str, Text("data-text", r"^[a-z][a-z ]*$")] = ""

    def faults(self) -> Iterator[Fault]:
        """Two options at least, none twice, the default among them."""
        if len(self.options) < 2:
            yield Fault(("options",), "data-too-few", {"least": 2})
        yield from no_double(("options",), self.options)
        if self.default not in self.options:
            yield Fault(("default",), "data-not-one-of", {"found": self.default, "known": list(self.options)})


def no_double(path: tuple[str | int, ...], values: tuple[Any, ...]) -> Iterator[Fault]:
    """A fault for each value that stands in a row a second time."""
    seen = set()
    for value in values:
        if value in seen:
            yield Fault(path, "data-twice", {"found": value})
        seen.add(value)
