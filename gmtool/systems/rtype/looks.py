"""Verbs that only show R-TYPE's data."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.view import View
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import views
from gmtool.systems.rtype.words import SHEET


class SheetList(NamedTuple):
    """All sheets a unit can be added from."""


class SheetShow(NamedTuple):
    """One sheet whole."""

    sheet: Annotated[str, Arg(SHEET)]


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    SheetList: lambda state, book, command: (views.sheets(book), {"sheets": book.sheet_ids()}),
    SheetShow: lambda state, book, command: (views.sheet(book, command.sheet), {"sheet": book.json(command.sheet)}),
}
