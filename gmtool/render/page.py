"""A document as one HTML page: calm, printed on A4 without waste, nothing loaded from anywhere, no script."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from gmtool.render.document import Block, Document, Entry, Heading, Para, Rows, Told

STYLE = """
@page { size: A4; margin: 18mm 16mm }
:root { color-scheme: light }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff;
  font: 11pt/1.5 "Noto Sans", "Hiragino Sans", "Yu Gothic", "Malgun Gothic", "Noto Sans CJK JP", sans-serif;
  overflow-wrap: anywhere }
:lang(ko) { word-break: keep-all }
h1 { font-size: 1.6rem; margin: 0 0 .2rem }
h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; border-bottom: 1px solid #bbb }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem }
h4 { font-size: 1rem; font-weight: normal; color: #555; margin: 1rem 0 .2rem }
h1, h2, h3, h4 { break-after: avoid; line-height: 1.3 }
p { margin: .3rem 0 }
ul { margin: .2rem 0; padding-left: 1.1rem }
li { margin: .25rem 0; break-inside: avoid }
li div { color: #444; font-size: .92em }
.t { display: flex; align-items: flex-start; margin: .55rem 0; break-inside: avoid }
.t p { flex: 1 1 58%; margin: 0; padding-right: 1.2rem }
.m { flex: 0 0 40%; color: #555; font-size: .78em; line-height: 1.4; border-left: 1px solid #ccc; padding-left: .7rem }
.m div { margin: 0 0 .1rem }
.m div:first-child { color: #222 }
table { border-collapse: collapse; margin: .6rem 0; font-size: .95em }
th, td { padding: .15rem .7rem .15rem 0; text-align: left; vertical-align: top }
th { border-bottom: 1px solid #bbb; font-weight: 600 }
.r { text-align: right }
tr { break-inside: avoid }
thead { display: table-header-group }
@media (max-width: 36rem) { .t { display: block } .m { margin-top: .2rem } }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt } }
"""


def page(document: Document) -> str:
    """The whole page; every piece of text is escaped."""
    body = "\n".join(_body(document.blocks, document.colon))
    return f"""<!DOCTYPE html>
<html lang="{escape(document.lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(document.title)}</title>
<style>{STYLE}</style>
</head>
<body>
{body}
</body>
</html>
<!-- {document.mark} -->
"""


def _body(blocks: tuple[Block, ...], colon: str) -> Iterator[str]:
    """Each block; entries that follow one another are one list."""
    for listed, run in groupby(blocks, key=lambda block: isinstance(block, Entry)):
        parts = (part for block in run for part in _block(block, colon))
        yield from ("<ul>", *parts, "</ul>") if listed else parts


def _block(block: Block, colon: str) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f"<h{level}>{escape(text)}</h{level}>"
        case Para(text, strong):
            yield f"<p><b>{escape(text)}</b></p>" if strong else f"<p>{escape(text)}</p>"
        case Entry(strong, text, below):
            first = f"<b>{escape(strong)}</b>" if strong else ""
            rest = "".join(f"<div>{escape(line)}</div>" for line in below)
            yield f"<li>{escape(colon).join(filter(None, [first, escape(text)]))}{rest}</li>"
        case Told(text, margin, number, outcome):
            first = "  ".join(filter(None, [number, outcome]))
            beside = "".join(f"<div>{escape(line)}</div>" for line in (first, *margin) if line)
            yield f'<div class="t"><p>{escape(text)}</p><div class="m">{beside}</div></div>'
        case Rows():
            yield from _table(block)


def _table(table: Rows) -> Iterator[str]:
    yield "<table>"
    yield f"<thead>{_row(table.heads, table.right, 'th')}</thead>"
    yield "<tbody>"
    yield from (_row(row, table.right, "td") for row in table.rows)
    yield "</tbody>"
    yield "</table>"


def _row(cells: tuple[str, ...], right: tuple[bool, ...], tag: str) -> str:
    opens = [f'<{tag} class="r">' if at_right else f"<{tag}>" for at_right in right]
    return "<tr>" + "".join(f"{o}{escape(cell)}</{tag}>" for o, cell in zip(opens, cells, strict=True)) + "</tr>"
