"""A battle as rows: two sides in the middle of a round, with most that can be marked on a ship."""

from dataclasses import replace
from typing import Any

from gmtool.kernel.state import Map, encode
from gmtool.kernel.view import View, names_in
from gmtool.render.lines import Room, plain
from gmtool.render.views import view as drawn
from gmtool.systems.talon.book import Book, name_of
from gmtool.systems.talon.model import Battle, Board, Missile, Ship, Side, Terrain
from gmtool.systems.talon.tables import ShipClass
from gmtool.text.catalogue import load

Tables = dict[str, dict[str, Any]]
NARROW = Room(80, True)


def ship(book: Book, sheet: str, name: str, handle: str, order: int, at: str, facing: int, **more: Any) -> Ship:
    """A ship as it begins: its start row, shields whole, bars full."""
    of = book.ship_class(sheet)
    power, speed, turn = of.row(of.start) or (0, 0, 0)
    full = {str(n): group for n, group in enumerate(groups(of), 1)}
    begun = Ship(
        name, handle, sheet, of.race, order, "active", power, speed, turn, Map(of.shields or {}),
        Map({key: group.red for key, group in full.items()}), Map({key: group.yellow for key, group in full.items()}),
        at=at, facing=facing, fighters=Map({str(n): 0 for n in range(1, (of.fighters or 0) + 1)}),
    )  # fmt: skip
    return replace(begun, **more)


def groups(of: ShipClass) -> list[Any]:
    """The groups that have a bar: of a squadron one a fighter."""
    return [of.groups[0]] * of.fighters if of.fighters else list(of.groups)


def fleet(book: Book) -> dict[str, Ship]:
    """Four Terrans against three Talons, some of them marked."""
    return {
        "guderian": ship(
            book, "terran-ca", "Guderian", "t1", 1, "0505", 5, counter=2, battery=True, hull=2, ap=1, slip=True,
            shields=Map(front=4, right=5, rear=4, left=5), markers=Map(front="3C"), red=Map({"1": 1, "2": 1, "3": 1}),
            yellow=Map({"1": 1, "2": 0, "3": 1}), initiative="change",
        ),
        "vanguard": ship(
            book, "terran-bb", "Vanguard", "t2", 2, "0605", 4, crits=Map({"power-loss": "2F1"}), lost=("2",),
            power_minus=1,
        ),
        "valley-forge": ship(book, "terran-base", "Valley Forge", "t3", 3, "0303", 1),
        "black-sheep": ship(book, "terran-ftr", "Black Sheep", "t4", 4, "0707", 0, fighters=Map({"1": 0, "3": 1})),
        "zhukov": ship(book, "terran-ca", "Zhukov", "t5", 5, "", 0, state="destroyed", hull=6),
        "justice": ship(book, "talon-ca", "Justice", "a1", 6, "1004", 3, burners=1, counter=1),
        "eviscerator": ship(book, "talon-bb", "Eviscerator", "a2", 7, "1203", 2, crits=Map({"shields-down": "3A2"})),
        "hunter": ship(book, "talon-dd", "Hunter", "a3", 8, "1206", 3, offline=True, power=-1),
    }  # fmt: skip


def rows(book: Book, **changed: Any) -> Tables:
    """Round 3, impulse C, the Terrans act first; fields of the battle may be otherwise."""
    battle = Battle(
        "Border Post", ("terran", "talon"), "terran", "impulse", 3, "C", "terran", "ap", lost=Map(terran=115)
    )
    missiles = {
        "missile-1": Missile("Missile 1", "am1", "talon", 9, "0806", 3, "guderian", "talon-dd"),
        "missile-2": Missile("Missile 2", "am2", "talon", 10, "0806", 2, None, "talon-dd", damaged=True),
    }
    land = {
        "planet-1": Terrain("Planet", "planet", "0704"),
        "asteroid-1": Terrain("Asteroid", "asteroid", "1203"),
        "nebula-1": Terrain("Nebula", "nebula", "0908"),
    }
    return {
        "campaign": {"campaign": {"name": "Border Post", "system": "talon", "session": 2}},
        "sides": {
            "terran": encode(Side("Terrans", "terran", 1, "t")), "talon": encode(Side("Talons", "talon", 2, "a")),
        },
        "ships": {id: encode(row) for id, row in fleet(book).items()},
        "missiles": {id: encode(row) for id, row in missiles.items()},
        "terrain": {id: encode(row) for id, row in land.items()},
        "battle": {"now": encode(replace(battle, **changed))},
    }  # fmt: skip


def text(shown: View, state: Board, book: Book, lang: str = "en", room: Room = NARROW) -> list[str]:
    """A view as lines of a terminal."""
    names = {id: name for id in names_in(shown) if (name := name_of(state, book, id)) is not None}
    return [plain(line).rstrip() for line in drawn(shown, load(lang, "talon"), names, room)]
