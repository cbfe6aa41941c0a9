"""gmtool on the map against a second, plain writing of its rules (``tests/oracle``): random positions, one ruling each.

Positions are laid as rows of the state, so that every one there can be is met; ``MAP_ORACLE`` plays more of them,
``MAP_ORACLE_SEED`` others.
"""

import os
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from gmtool.kernel.asks import Answers, Missing
from gmtool.kernel.case import Settings
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.system import load_system
from gmtool.kernel.typed import read_dice
from gmtool.kernel.words import Scope, read_words
from gmtool.rulesdata.compile import load
from gmtool.systems.rtype import tables as shapes
from tests.oracle.hexes import Ground, Hex, Piece, apart, beside, offset, read, written
from tests.oracle.leash import follows
from tests.oracle.moves import reach, taken, walk
from tests.oracle.sight import finds, in_area, pushed, refused

POSITIONS = int(os.environ.get("MAP_ORACLE", "300"))
SEED = int(os.environ.get("MAP_ORACLE_SEED", "1"))
SYSTEM = load_system("gmtool.systems.rtype")

READINGS = {
    "rt-3.5-enemy": ["any", "same"],
    "rt-3.5-start": ["counts", "entered"],
    "rt-3.6": ["mark", "sight"],
    "rt-8.2-area": ["open", "hidden"],
}
BODIES: list[list[list[int]]] = [[[0, 0]]] * 4
BODIES += [
    [[0, 0], [-1, 0]],
    [[0, 0], [1, 0], [0, 1]],
    [[0, 0], [-1, 0], [-1, 1], [0, -1]],
    [[0, 0], [1, -1], [2, -1], [0, 1]],
]
WHY = {
    "hex-wall": "wall", "hex-enemy": "enemy", "hex-zone": "zone", "hex-off-map": "edge", "hex-taken": "taken",
    "hex-not-beside": "not-beside", "way-too-long": "movement", "way-no-fuel": "fuel",
    "way-not-in-range": "not-in-range", "way-no-line": "no-line-of-fire",
}  # fmt: skip


# ---- positions ---------------------------------------------------------------------------------------------------


def weapon(rng: random.Random, id: str) -> dict[str, Any]:
    least = rng.choice([0, 1, 1, 1, 2])
    kind = rng.choice(["gun", "missile", "melee", "laser"])
    row = {"id": id, "name": id, "path": rng.choice(["direct", "direct", "guided", "deflected"]), "kind": kind}
    return {**row, "damage": 1, "hit": 50, "range": [least, least + rng.randint(0, 4)]}


def charge(rng: random.Random, id: str) -> dict[str, Any]:
    area: dict[str, Any] = {"shape": rng.choice(["line", "cone", "burst"]), "length": rng.randint(1, 6)}
    if rng.random() < 0.25:
        area = {"offsets": sorted([rng.randint(-3, 4), rng.randint(-3, 3)] for _ in range(8))}
    row = {"id": id, "name": id, "path": rng.choice(["direct", "guided"]), "kind": "charge", "charge": 1}
    return {**row, "damage": 1, "hit": 50, "area": area}


def ram(id: str) -> dict[str, Any]:
    return {"id": id, "name": id, "path": "direct", "kind": "ram", "damage": 1, "hit": 50, "range": [1, 1]}


def sheet(rng: random.Random, id: str, force: bool = False) -> dict[str, Any]:
    """A sheet as a GM may write it: few hexes or many, at times a part with hit points, at times no fuel."""
    hexes = [[0, 0]] if force else rng.choice(BODIES)
    squad = "force" if force else "single" if len(hexes) > 1 else rng.choice(["rc", "single"])
    row = {"id": id, "name": id, "squad": squad, "hp": 500, "evade": 0, "hexes": hexes, "forces": ["orb"]}
    row |= {"move": rng.choice([0, 1, 2, 3, 4, 5, 5, 6, 7]), "search": rng.randint(0, 5)}
    fuel = rng.choice([None, None, 1, 2, 4, 6, 20, 30])
    row |= {} if fuel is None else {"fuel": fuel}
    if len(hexes) > 1 and rng.random() < 0.6:
        row["parts"] = [{"id": "turret", "name": "turret", "hex": rng.choice(hexes[1:]), "hp": 100}]
    row["weapons"] = [weapon(rng, "w0"), weapon(rng, "w1"), charge(rng, "c0"), charge(rng, "c1"), ram("ram")]
    return row


def position(rng: random.Random, most: int = 8, wide: int = 12) -> Ground:
    """Sparse or dense ground with units of two sides on it, some inactive, some found already."""
    ground = Ground(rng.randint(4, wide), rng.randint(3, wide - 2), set(), set())
    wall, reef = rng.choice([0, 0.05, 0.1, 0.2, 0.3, 0.4]), rng.choice([0, 0.1, 0.3])
    for hex in everywhere(ground):
        what = rng.random()
        if what < wall + reef:
            (ground.walls if what < wall else ground.reefs).add(hex)
    ground.readings = {id: rng.choice(options) for id, options in READINGS.items()}
    for n in range(rng.randint(2, most)):
        add(rng, ground, n, "red" if n == 0 or rng.random() < 0.4 else "blue")
    pieces = list(ground.pieces.values())
    red = [piece.id for piece in pieces if piece.side == "red"]
    for piece in pieces:
        piece.fuel = piece.sheet.get("fuel")
        if piece.fuel and rng.random() < 0.3:
            piece.fuel = rng.randint(0, piece.fuel)
        if not piece.force and not piece.carried_by and rng.random() < 0.1:
            piece.state = "inactive"
        if red and piece.side == "blue" and rng.random() < 0.5:
            piece.marks = {rng.choice(red): "stood"}
    return ground


def add(rng: random.Random, ground: Ground, n: int, side: str) -> None:
    """One more unit where there is room, at times with a force on it."""
    piece = Piece(f"u{n}", side, sheet(rng, f"s{n}"), (0, 0), rng.choice(["left", "right"]))
    if len(piece.sheet["hexes"]) == 1 and rng.random() < 0.4:
        piece.force, piece.mount = f"f{n}", rng.choice(["front", "back"])
    for _ in range(20):
        piece.at = rng.choice(everywhere(ground))
        hexes = set(ground.covered(piece))
        if all(map(ground.free, hexes)) and not taken(ground, piece, piece.at):
            ground.pieces[piece.id] = piece
            if piece.force:
                force = Piece(piece.force, side, sheet(rng, f"orb-{n}", force=True), ground.seat(piece), piece.facing)
                force.carried_by = force.led_by = piece.id
                ground.pieces[force.id] = force
            return


def everywhere(ground: Ground) -> list[Hex]:
    return [read(f"{c:02d}{r:02d}") for c in range(1, ground.columns + 1) for r in range(1, ground.rows + 1)]


# ---- gmtool ------------------------------------------------------------------------------------------------------


def rows(ground: Ground) -> dict[str, Any]:
    """The position as gmtool keeps it."""
    terrain = {written(hex): kind for kind, hexes in (("wall", ground.walls), ("reef", ground.reefs)) for hex in hexes}
    laid = {"name": "m", "columns": ground.columns, "rows": ground.rows, "terrain": terrain}
    sides = {
        "red": {"name": "red", "players": True, "letter": "r", "order": 1},
        "blue": {"name": "blue", "players": False, "letter": "b", "order": 2},
    }
    battle = {"name": "m", "turn": 1, "phase": "first", "sides": ["red", "blue"], "acting": "red", "winner": "red"}
    units = {}
    for n, (id, piece) in enumerate(ground.pieces.items()):
        craft = dict.fromkeys(("lead", *"ABCD") if piece.sheet["squad"] == "rc" else ("lead",), piece.sheet["hp"])
        units[id] = {
            "name": id, "handle": f"{piece.side[0]}{n}", "sheet": piece.sheet["id"], "side": piece.side, "order": n,
            "pilot": None, "hp": craft | {part["id"]: part["hp"] for part in piece.sheet.get("parts", ())},
            "fuel": piece.fuel, "grade": "clean", "ammo": {}, "charge": 3, "at": written(piece.at),
            "facing": piece.facing, "acted": piece.acted, "state": piece.state, "found_by": dict(piece.marks),
            "since": dict.fromkeys(piece.marks, "1 first"), "attached_to": piece.force or piece.carried_by or None,
            "led_by": piece.led_by or None,
            "mount": ground.pieces[piece.carried_by].mount if piece.carried_by else "",
        }  # fmt: skip
    return {
        "campaign": {"campaign": {"name": "m", "system": "rtype", "choices": dict(ground.readings)}},
        "sides": sides, "map": {"now": laid}, "units": units, "battle": {"now": {**battle, "order": ["red", "blue"]}},
        "sheets": {piece.sheet["id"]: piece.sheet for piece in ground.pieces.values()},
    }  # fmt: skip


class Table:
    """gmtool at one position: each line is judged from there, and nothing is kept."""

    def __init__(self, data: Mapping[str, Any], ground: Ground) -> None:
        given = {id: (row["default"], row["rule"]) for id, row in data["interpretations"].items()}
        self.settings = Settings(defaults=given)
        self.state = SYSTEM.state(rows(ground))
        self.book = SYSTEM.book(self.state, data)

    def __call__(self, verb: str, words: Mapping[str, Any], dice: str = "") -> Ruling | Refused | Missing:
        command = read_words(SYSTEM.command(verb), words, Scope(self.state, self.book, {}))
        said = {f"encounter.{id}": "none" for id in self.state.units}
        answers = Answers(*read_dice(dice), said=said, spare=frozenset(said))
        try:
            return judge(SYSTEM, self.state, self.book, command, answers, self.settings)
        except (Refused, Missing) as no:
            return no

    def played(self, verb: str, words: Mapping[str, Any], first: str) -> Ruling | Refused | Missing:
        """With the first dice as said, and nobody evading."""
        dice = ""
        while isinstance(ruling := self(verb, words, dice), Missing):
            dice += (first if not dice else "98 ") * len(ruling.asks)
        return ruling


def shown(answer: Ruling | Refused | Missing) -> str:
    return str(answer.result if isinstance(answer, Ruling) else answer)


Compared = Callable[[random.Random, Mapping[str, Any]], list[str]]


# ---- what is compared: each gives the lines that differ ----------------------------------------------------------


def a_way(rng: random.Random, ground: Ground, piece: Piece) -> list[Hex]:
    """Some hexes in a row; most are where the unit can go, some are not, few are not even neighbours."""
    way: list[Hex] = []
    for _ in range(rng.randint(1, piece.sheet["move"] + 2)):
        for _ in range(3):
            next = rng.choice(beside(way[-1] if way else piece.at))
            next = rng.choice(everywhere(ground)) if rng.random() < 0.02 or not ground.on(next) else next
            # having come back to where it started, that hex is left out for now where only hexes entered count
            back = ground.readings["rt-3.5-start"] == "entered" and piece.at in way
            if not back and not walk(ground, piece, [*way, next]).why - {"taken"}:
                break
        way.append(next)
    return way[: way.index(piece.at)] or way[:1] if piece.at in way else way


def movers(ground: Ground) -> list[Piece]:
    return [one for one in ground.pieces.values() if one.side == "red" and one.state == "active" and not one.carried_by]


def ways(rng: random.Random, data: Mapping[str, Any]) -> list[str]:
    """Any way: how far it is legal and why no further, where it ends, what it costs, who is found then."""
    ground, wrong = position(rng), []
    table = Table(data, ground)
    for piece in rng.choices(movers(ground), k=3) if movers(ground) else ():
        way = a_way(rng, ground, piece)
        if ground.readings["rt-3.6"] == "sight" and any(one.carried_by for one in ground.pieces.values()):
            continue  # whether a force that is carried sees for itself is left out
        expected, line = walk(ground, piece, way), " ".join(map(written, way))
        got = table("move", {"unit": piece.id, "hexes": line.split()})
        if isinstance(got, Refused):
            legal = next((written(hex) for hex in reversed(expected.path) if not taken(ground, piece, hex)), "")
            fair = WHY.get(got.key) in expected.why and (got.key == "hex-taken" or got.facts["legal"] == legal)
        else:
            fair = isinstance(got, Ruling) and not expected.bad and as_it_went(ground, piece, expected.path, got)
            fair = fair and (got.result["hexes"], got.result["movement"]) == (expected.hexes, expected.movement)
            fuel = None if piece.fuel is None else piece.fuel - expected.fuel
            fair = fair and got.state.units[piece.id].fuel == fuel
        wrong += [] if fair else [f"move {piece.id} {line}: {shown(got)}, oracle {expected}"]
    return wrong


def as_it_went(ground: Ground, piece: Piece, path: list[Hex], got: Ruling) -> bool:
    """Whether unit and force stand where they should, and whether those it sees from there are found."""
    start, piece.at = piece.at, path[-1]
    force = ground.carried(piece)
    ends = {piece.id: piece.at} | ({force.id: ground.seat(piece)} if force else {})
    found = finds(ground, piece) | {id for id, one in ground.pieces.items() if piece.id in one.marks}
    piece.at = start
    stand = all(got.state.units[id].at == written(hex) for id, hex in ends.items())
    return stand and found == {id for id, unit in got.state.units.items() if piece.id in unit.found_by}


def goals(rng: random.Random, data: Mapping[str, Any]) -> list[str]:
    """The cheapest way to any hex: the cost is the oracle's, and the way itself is one that the oracle allows."""
    ground, wrong = position(rng, wide=9), []
    if ground.readings["rt-3.6"] == "sight":
        ground.readings["rt-3.6"] = "mark"
    table = Table(data, ground)
    for piece in movers(ground)[:1]:
        there = reach(ground, piece)
        for hex in rng.sample(everywhere(ground), 8):
            got = table("move", {"unit": piece.id, "hexes": ["to", written(hex)]})
            fair = isinstance(got, Refused) == (hex not in there) or hex == piece.at
            if isinstance(got, Ruling) and fair:
                way = walk(ground, piece, [read(label) for label in got.result["path"].split()])
                fair = not way.bad and way.path[-1] == hex and (way.movement, way.hexes) == there[hex]
            wrong += [] if fair else [f"move {piece.id} to {written(hex)}: {shown(got)}, oracle {there.get(hex)}"]
    return wrong


def shots(rng: random.Random, data: Mapping[str, Any]) -> list[str]:
    """Who can be attacked with what, and who is in the area of a charge weapon."""
    ground, wrong = position(rng), []
    red = [piece for piece in ground.pieces.values() if piece.side == "red" and piece.state == "active"]
    for piece in ground.pieces.values():
        piece.marks = {one.id: "stood" for one in red} if piece.side == "blue" else {}
    table = Table(data, ground)
    pairs = [(piece, aim) for piece in red for aim in ground.pieces.values() if aim.side == "blue"]
    for piece, aim in rng.sample(pairs, min(4, len(pairs))):
        for weapon in piece.sheet["weapons"][:2]:
            for part, hex in aim.targets().items():
                if weapon["kind"] == "laser" and not piece.force:
                    continue
                target = f"{aim.id}/{part}" if part else aim.id
                got = table("attack", {"unit": piece.id, "weapon": weapon["id"], "target": target})
                why = refused(ground, piece, weapon, hex)
                fair = WHY.get(got.key) in why if isinstance(got, Refused) else not why
                line = f"attack {piece.id} {weapon['id']} {target}"
                wrong += [] if fair else [f"{line}: {shown(got)}, oracle {why}"]
    for piece in [one for one in red if not one.carried_by][:2]:
        for weapon in piece.sheet["weapons"][2:4]:
            got = table.played("fire", {"unit": piece.id, "weapon": weapon["id"]}, "98 ")
            area = {f"{id}.{part}".strip(".") for id, part in in_area(ground, piece, weapon)}
            if isinstance(got, Refused):
                fair = not area and got.key == "nobody-in-area"
            else:
                fair = area == {key[5:] for key in got.result if key.startswith("hits.")}
            wrong += [] if fair else [f"fire {piece.id} {weapon['id']}: {shown(got)}, oracle {area}"]
    return wrong


def leashes(rng: random.Random, data: Mapping[str, Any]) -> list[str]:
    """Where a non-destructible force ends when its craft moves on, and whether it sleeps or wakes."""
    ground = position(rng, most=5)
    ground.readings["rt-3.6"] = "mark"
    craft = ground.pieces.get("u0")
    if not craft or craft.force or craft.state != "active":
        return []
    force = Piece("f9", "red", {**sheet(rng, "orb", force=True), "indestructible": True}, (0, 0), led_by="u0")
    force.fuel, force.acted, far = force.sheet.get("fuel"), rng.random() < 0.2, ground.far([craft.at])
    force.state = rng.choice(["active", "active", "active", "inactive"])
    near = [
        hex for hex, gap in far.items()
        if (gap <= 3) == (force.state == "active") and not taken(ground, force, hex)
    ]  # fmt: skip
    if not near:
        return []
    force.at, ground.pieces["f9"] = rng.choice(near), force
    table, wrong, there = Table(data, ground), [], sorted(reach(ground, craft))
    for hex in rng.sample(there, min(4, len(there))):
        got = table("move", {"unit": "u0", "hexes": ["to", written(hex)]})
        assert isinstance(got, Ruling), (hex, shown(got))
        start, craft.at = craft.at, hex
        state, ends = follows(ground, craft, force)
        craft.at, after = start, got.state.units["f9"]
        if after.state != state or (ends and read(after.at) not in ends):
            where = [written(end) for end in ends]
            wrong.append(f"move u0 to {written(hex)}: {after.at} {after.state}, oracle {where} {state}")
    return wrong


def rams(rng: random.Random, data: Mapping[str, Any]) -> list[str]:
    """Where rammer and target end; whether the rammer follows a craft with a force is left out for now."""
    ground, wrong = position(rng, most=10, wide=7), []
    red = [piece for piece in ground.pieces.values() if piece.side == "red" and piece.state == "active"]
    for piece in ground.pieces.values():
        piece.marks = {one.id: "stood" for one in red} if piece.side == "blue" else {}
    table = Table(data, ground)
    for piece in red:
        for aim in [one for one in ground.pieces.values() if one.side == "blue" and apart(one.at, piece.at) == 1]:
            got = table.played("attack", {"unit": piece.id, "weapon": "ram", "target": aim.id}, "01 ")
            assert isinstance(got, Ruling), shown(got)
            before = {id: unit.at for id, unit in table.state.units.items()}
            ends = {id: unit.at for id, unit in got.state.units.items() if unit.at != before[id]}
            expected = {id: written(hex) for id, hex in pushed(ground, piece, aim).items()}
            if aim.force or aim.carried_by:
                for id in (piece.id, piece.force):
                    ends.pop(id, None)
                    expected.pop(id, None)
            wrong += [] if ends == expected else [f"attack {piece.id} ram {aim.id}: {ends}, oracle {expected}"]
    return wrong


# ---- the tests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compare", [ways, goals, shots, leashes, rams])
def test_random_positions_go_as_the_oracle_says(home: Any, compare: Compared) -> None:
    data = load("rtype", shapes)
    for n in range(POSITIONS):
        rng = random.Random(1_000_000 * SEED + n)
        wrong = compare(rng, data)
        assert not wrong, f"position {n} of seed {SEED}\n" + "\n".join(wrong)


def test_the_hexes_of_the_sheet() -> None:
    """What the conventions say in so many words, by hand."""
    assert {written(hex) for hex in beside(read("0303"))} == {"0203", "0403", "0202", "0302", "0204", "0304"}
    assert {written(hex) for hex in beside(read("0304"))} == {"0204", "0404", "0303", "0403", "0305", "0405"}
    assert [offset(pair, "right") for pair in ([1, 0], [0, 1], [-1, 1], [1, -1])] == [(2, 0), (1, 1), (-1, 1), (1, -1)]
    assert all(offset((q, r), "left") == offset((-q - r, r), "right") for q in range(-3, 4) for r in range(-3, 4))
