"""The plain ``text`` of a JSON answer."""

from collections.abc import Iterable

from gmtool.render.lines import Styled, plain, trimmed


def text(lines: Iterable[Styled]) -> str:
    """The same lines as on the screen, without colour, joined by newlines."""
    return "\n".join(plain(trimmed(line)) for line in lines)
