"""A word that nobody has said yet, for judging a line before it is whole.

A rule that refuses without having looked at the word would refuse whatever it was; one that looks at it stops.
"""

from typing import Any, NoReturn


class Depends(Exception):
    """A rule has come to a word that is still to be said: from here on it depends on that word."""


class Blank:
    """A word still to be said. It can be handed on; whatever looks into it raises Depends."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        raise Depends(name)


def _looked_into(self: Blank, *_: Any) -> NoReturn:
    raise Depends


LOOKS = (
    "bool", "str", "format", "hash", "eq", "ne", "lt", "le", "gt", "ge", "len", "iter", "contains", "getitem", "add",
    "radd", "sub", "rsub", "mul", "rmul", "mod", "rmod", "floordiv", "rfloordiv", "truediv", "rtruediv", "neg", "abs",
    "int", "index", "float", "and", "rand", "or", "ror", "call", "fspath", "bytes", "reversed",
)  # fmt: skip
"""The ways of looking into a value that Python asks its type for, not the value."""
for _name in LOOKS:
    setattr(Blank, f"__{_name}__", _looked_into)

BLANK = Blank()
