"""A document as Markdown that reads well unrendered too; what people have typed is escaped, so it stays text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from gmtool.render.document import Block, Document, Entry, Heading, Para, Rows, Told

_SIGNS = re.compile(r"([\\`*_\[\]<|~$]|&(?=[#\w]))")
"""What means something wherever it stands: code, stress, links, HTML, cells, entities, formulas."""
_START = re.compile(r"^(\s*)(?:([#>+=:-])|(\d+)([.)]))")
"""What means something at the start of a line only: headings, quotes, lists, rules."""

_LISTED = (Entry, Told)
"""What stands in a list, one under the other."""


def markdown(document: Document) -> str:
    """The document, one line a paragraph; blank lines only where blocks of another kind meet."""
    lines: list[str] = []
    for before, block in pairwise((None, *document.blocks)):
        if block is None:
            continue
        if before is not None and not (isinstance(before, _LISTED) and isinstance(block, _LISTED)):
            lines.append("")
        lines += _block(block, document.colon)
    return "\n".join([*lines, "", f"<!-- {document.mark} -->", ""])


def _block(block: Block, colon: str) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f"{'#' * level} {inline(text)}"
        case Para(text, strong):
            yield f"**{inline(text)}**" if strong else escaped(text)
        case Entry():
            yield from _entry(block, colon)
        case Told(text, margin, number, outcome):
            yield f"- {escaped(text)}" + (f" ({inline(number)})" if number else "")
            yield from (f"  - {escaped(line)}" for line in (outcome, *margin) if line)
        case Rows():
            yield from _table(block)


def _entry(entry: Entry, colon: str) -> Iterator[str]:
    first = f"**{inline(entry.strong)}**" if entry.strong else ""
    text = inline(entry.text) if first else escaped(entry.text)
    yield "- " + colon.join(filter(None, [first, text]))
    yield from (f"  - {escaped(line)}" for line in entry.below)


def _table(table: Rows) -> Iterator[str]:
    yield _row(table.heads)
    yield _row(tuple("---:" if right else "---" for right in table.right), plain=True)
    yield from (_row(row) for row in table.rows)


def _row(cells: tuple[str, ...], plain: bool = False) -> str:
    return f"| {' | '.join(cell if plain else inline(cell) for cell in cells)} |"


def inline(text: str) -> str:
    """Text within a line: nothing in it is a mark, and it stays on that line."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def escaped(text: str) -> str:
    """Text at the start of a line: it begins no list, heading, quote or rule."""
    return _START.sub(_shielded, inline(text))


def _shielded(found: re.Match[str]) -> str:
    blank, sign, number, stop = found.groups()
    return f"{blank}\\{sign}" if sign else f"{blank}{number}\\{stop}"
