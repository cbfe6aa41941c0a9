"""One frame of a screen that is drawn anew again and again: as many lines as there is room for, in one piece."""

from collections.abc import Callable, Sequence

from gmtool.render.lines import Span, Styled, plain
from gmtool.text.width import cells, clusters

ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""The other screen, without a cursor; what is too long does not go on in the next line."""
LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_HOME, _LINE, _REST = "\x1b[H", "\x1b[K", "\x1b[J"


def cut(lines: Sequence[Styled], below: Sequence[Styled], rows: int, note: Callable[[int], Styled]) -> list[Styled]:
    """Lines and those below them in so many rows; where not all fit, ``note`` tells how many are left out.

    What stands below stays as long as the half of the rows is left for the rest.
    """
    if len(lines) + len(below) <= rows:
        return [*lines, *below]
    kept = list(below) if len(below) <= rows // 2 else []
    shown = max(rows - len(kept) - 1, 0)
    left_out = len(lines) + len(below) - shown - len(kept)
    return [*[*lines, *below][:shown], note(left_out), *kept][:rows]


def clipped(line: Styled, width: int) -> Styled:
    """What of a line is seen in so many cells; nothing wide is cut in half."""
    if cells(plain(line)) <= width:
        return line
    found: Styled = []
    for span in line:
        kept = ""
        for cluster in clusters(span.text):
            if cluster.cells > width:
                return [*found, Span(kept, span.style)]
            kept, width = kept + cluster.text, width - cluster.cells
        found.append(Span(kept, span.style))
    return found


def frame(painted: Sequence[str]) -> str:
    """Lines, painted already, from the top left on, and nothing of what stood there before.

    Rows are cleared before they are written, the last one with all below it: behind a full one the cursor stands on
    its last cell, which would go too.
    """
    *above, last = painted or [""]
    return _HOME + "".join(f"{_LINE}{line}\r\n" for line in above) + _REST + last
