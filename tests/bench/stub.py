"""The floor that ``gmtool status`` is measured against: the five libraries imported, a Typer app of two commands run.

``python tests/bench/stub.py show --name Board --lines 24 --plain`` prints one rich table.
"""

from typing import Annotated

import platformdirs  # noqa: F401  imported because the program depends on it
import pydantic  # noqa: F401
import tinydb  # noqa: F401
import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer()


@app.command()
def show(
    name: Annotated[str, typer.Option("--name")] = "Board",
    lines: Annotated[int, typer.Option("--lines")] = 24,
    plain: Annotated[bool, typer.Option("--plain")] = False,
) -> None:
    """Print a table of as many lines as the board of the measured campaign has units."""
    table = Table(title=name, box=None if plain else Table().box)
    for column in ("unit", "pilot", "lead", "fuel"):
        table.add_column(column)
    for number in range(lines):
        table.add_row(f"unit {number}", "-", "100", "37")
    Console().print(table)


@app.command()
def other() -> None:
    """The second command, so that Typer has to choose."""


if __name__ == "__main__":
    app()
