"""The plain ``text`` of a JSON answer."""

from collections.abc import Iterable

from gmtool.render.lines import Styled, plain


def text(lines: Iterable[Styled]) -> str:
    """The same lines as on the screen, without colour, joined by newlines."""
    return "\n".join(plain(line) for line in lines)
