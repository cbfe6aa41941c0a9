"""The shape of a map (RT-1, 3, 12): a sheet of hexes with terrain, facilities and resources.

Hexes are written as on the sheet, column then row, two digits each; ``0301-0503`` is every hex of columns 3 to 5 in
rows 1 to 3. They stand on a point, so that each has a neighbour to its left and right.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from gmtool.kernel.shapes import JSON, Fault, Text, Whole
from gmtool.systems.rtype.tables import STRICT, Count, Id, Name

BLOCK = Text("data-hex", r"^[0-9]{4}(-[0-9]{4})?$")
Block = Annotated[str, BLOCK]
Side = Annotated[int, Whole(1, 99)]
KINDS = ("reef", "wall", "facility", "resource")
Kind = Literal["reef", "wall", "facility", "resource"]
Resource = Literal["solmonadium", "etherium", "bydogen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """Hexes of one kind: a reef costs one movement more, a wall lets nothing through (RT-3.1, 1.4).

    A facility can be occupied, a resource hauled: ``amount`` points in all (RT-12.8, 12.9).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    hexes: tuple[Block, ...]
    kind: Kind
    name: Name | None = None
    resource: Resource | None = None
    amount: Count | None = None

    def faults(self) -> Iterator[Fault]:
        """Some hexes; what can be hauled for resources and nothing else."""
        if not self.hexes:
            yield Fault(("hexes",), "data-empty", {})
        for key in ("resource", "amount"):
            given = getattr(self, key) is not None
            if given != (self.kind == "resource"):
                other = {"other": f'kind = "{self.kind}"'}
                yield Fault((key,), "data-not-with" if given else "data-missing-key", other if given else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSheet:
    """A map. ``shoved`` are the rows, by their written number, that stand half a hex to the right.

    ``sortie`` are the hexes in which the players' side may deploy; none: anywhere (RT-1.1).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    columns: Side
    rows: Side
    name: Name | None = None
    shoved: Literal["even", "odd"] = "even"
    sortie: tuple[Block, ...] = ()
    terrain: tuple[Terrain, ...] = ()

    def faults(self) -> Iterator[Fault]:
        """Every hex lies on the sheet and has one kind of terrain; resources and facilities are complete."""
        yield from _on_the_sheet(self, ("sortie",), self.sortie)
        seen: set[str] = set()
        for place, terrain in enumerate(self.terrain):
            path = ("terrain", place)
            for fault in (*terrain.faults(), *_on_the_sheet(self, ("hexes",), terrain.hexes)):
                yield fault._replace(path=(*path, *fault.path))
            for n, block in enumerate(terrain.hexes):
                for label in labels(block):
                    if label in seen:
                        yield Fault((*path, "hexes", n), "data-twice", {"found": label})
                    seen.add(label)


def _on_the_sheet(sheet: MapSheet, path: tuple[str | int, ...], blocks: tuple[str, ...]) -> Iterator[Fault]:
    for n, block in enumerate(blocks):
        ends = block.split("-")
        corners = [(int(end[:2]), int(end[2:])) for end in ends]
        if any(not (1 <= column <= sheet.columns and 1 <= row <= sheet.rows) for column, row in corners):
            facts = {"found": block, "columns": sheet.columns, "rows": sheet.rows}
            yield Fault((*path, n), "data-off-the-map", facts)
        elif any(first > last for first, last in zip(*corners, strict=True)) if len(corners) == 2 else False:
            yield Fault((*path, n), "data-wrong-order", {"found": block})


def labels(block: str) -> list[str]:
    """The hexes of a block, row by row: of ``0304`` the one, of ``0301-0503`` nine."""
    first, _, last = block.partition("-")
    last = last or first
    rows, columns = range(int(first[2:]), int(last[2:]) + 1), range(int(first[:2]), int(last[:2]) + 1)
    return [f"{column:02d}{row:02d}" for row in rows for column in columns]


def all_labels(blocks: Any) -> list[str]:
    """The hexes of several blocks."""
    return [label for block in blocks for label in labels(block)]


def terrain_of(row: Mapping[str, JSON]) -> dict[str, str]:
    """The kind of each hex of a compiled map that has one."""
    return {label: part["kind"] for part in row["terrain"] for label in all_labels(part["hexes"])}
