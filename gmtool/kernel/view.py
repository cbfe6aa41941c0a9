"""Views: what a game hands out to be looked at, without words, widths or colours.

A view is a list of blocks. Words are named by catalogue keys and filled with facts; numbers stay
numbers, so that they can be lined up and are never cut. How it is drawn is not decided here.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gmtool.kernel.refusal import Id as Name
from gmtool.kernel.refusal import Word

if TYPE_CHECKING:
    from gmtool.kernel.drawing import Drawing

__all__ = [
    "Block", "Cell", "Column", "Fact", "Facts", "Fields", "Grid", "Line", "Name", "Say", "Style", "View", "Word",
]  # fmt: skip

Fact: TypeAlias = int | str | bool | Mapping[str, str] | Sequence[Any] | None
"""What fills a field of a sentence: a number, plain text shown as it is, a `Name` (or ``{"id": …}``), a `Word`
(or ``{"word": …}``), nothing, several of these in a list, or a `Say`."""

Facts: TypeAlias = Mapping[str, Fact]
"""The facts of a sentence by field name."""

Style: TypeAlias = Literal["", "dim", "good", "warn", "bad", "head"]
"""How a piece stands out. Colour only adds: nothing may depend on it."""


class Say(NamedTuple):
    """One sentence of the catalogue: its dotted key and the facts that fill it."""

    key: str
    facts: Facts = {}


class Cell(NamedTuple):
    """One field of a grid. ``None`` is nothing to show and is drawn as ``-``; only a `Name` is ever shortened.

    It takes ``span`` columns; one that reaches over the last column may go on in the next line.
    """

    text: Say | Name | Word | str | int | None
    style: Style = ""
    span: int = 1


class Column(NamedTuple):
    """A column of a grid, headed by ``column.<key>`` (no heading if the key is empty).

    ``drop`` 0 is never left out in a narrow terminal; of the others the highest goes first, but only when names are
    no wider than the ``least`` cells of their column. A ``close`` column stands one blank after the one before.
    """

    key: str
    align: Literal["left", "right"] = "left"
    drop: int = 0
    least: int = 16
    close: bool = False


class Grid(NamedTuple):
    """A table: the cells of each row take all its columns."""

    title: Say | None
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Line(NamedTuple):
    """One sentence on a line of its own, ``indent`` cells in."""

    say: Say
    style: Style = ""
    indent: int = 0


class Fields(NamedTuple):
    """Sentences side by side, going on in the next line where one does not fit; none is broken that need not be."""

    says: tuple[Say, ...]
    style: Style = ""


Block: TypeAlias = "Grid | Line | Fields | Drawing"


class View(NamedTuple):
    """What is shown, from top to bottom."""

    blocks: tuple[Block, ...]


def names_in(shown: Any) -> set[str]:
    """All ids that a view, a sentence or a fact shows by name."""
    if isinstance(shown, Name):
        return {str(shown)}
    if isinstance(shown, Mapping):
        return {shown["id"]} if set(shown) == {"id"} else names_in(list(shown.values()))
    if isinstance(shown, list | tuple):
        return set().union(*map(names_in, shown), set())
    return set()
