"""A map as the files have it, ready to be laid on the table."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gmtool.systems.rtype.book import title
from gmtool.systems.rtype.model import Place
from gmtool.systems.rtype.tables_map import all_labels, terrain_of


class Chart(NamedTuple):
    """The columns and rows of a map, the kind of each hex that has one, the players' sortie hexes."""

    name: str | Mapping[str, str]
    columns: int
    rows: int
    shoved: str
    terrain: dict[str, str]
    sortie: tuple[str, ...]
    parts: tuple[Mapping[str, Any], ...]

    def places(self, lang: str) -> Iterator[Place]:
        """Its facilities and resources, those without a name called by their kind and first hex (RT-12.8, 12.9)."""
        for part in self.parts:
            if part["kind"] not in {"facility", "resource"}:
                continue
            hexes = tuple(all_labels(part["hexes"]))
            what = part.get("resource", part["kind"])
            name = title(part["name"], lang) if part.get("name") else f"{what.capitalize()} {hexes[0]}"
            yield Place(name, part["kind"], part.get("resource", ""), part.get("amount", 0), hexes=hexes)


def chart_of(row: Mapping[str, Any]) -> Chart:
    """A map from compiled JSON; without a name it has its id for one."""
    parts = tuple(row["terrain"])
    return Chart(
        row.get("name") or row["id"], row["columns"], row["rows"], row["shoved"], terrain_of(row),
        tuple(all_labels(row["sortie"])), parts,
    )  # fmt: skip
