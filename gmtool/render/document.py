"""A document: headings, paragraphs, entries, stories and tables of plain text, before it is Markdown or HTML.

Text is data here as everywhere: whoever writes it out escapes it, and nothing in it is ever read as a mark.
"""

from typing import NamedTuple, TypeAlias


class Heading(NamedTuple):
    """A heading; level 1 is the title."""

    level: int
    text: str


class Para(NamedTuple):
    """A paragraph, perhaps standing out."""

    text: str
    strong: bool = False


class Entry(NamedTuple):
    """An entry of a list: what it is, what stands out before that, and lines below it."""

    strong: str
    text: str = ""
    below: tuple[str, ...] = ()


class Told(NamedTuple):
    """A paragraph of a story, and what stands beside it in the margin: its number, what came of it, the rest."""

    text: str
    margin: tuple[str, ...] = ()
    number: str = ""
    outcome: str = ""


class Rows(NamedTuple):
    """A table: its headings, which of its columns stand at the right, its rows."""

    heads: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


Block: TypeAlias = Heading | Para | Entry | Told | Rows


class Document(NamedTuple):
    """A whole document in one language.

    ``mark`` is the remark in its last line, by which it is known again; ``colon`` parts what stands out in an entry
    from the rest, as that language does.
    """

    title: str
    lang: str
    blocks: tuple[Block, ...]
    mark: str
    colon: str = ": "
