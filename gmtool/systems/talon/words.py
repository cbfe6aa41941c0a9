"""The kinds of words that setting up reads: classes, races, sides, ships, scenarios, hexes, facings, arcs, terrain."""

from collections.abc import Callable, Mapping
from typing import Any

from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Candidate, Kind, Scope, names_of, one_of, read_word
from gmtool.systems.talon.grid import LABEL, label, read
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.tables_scenario import FACINGS, TERRAINS

OFF = "off"
"""In place of a hex: a ship is taken off the board."""
RACES: Mapping[str, tuple[str, ...]] = {
    "terran": ("Terran", "地球連邦", "테란", "テラン"),
    "talon": ("Talon", "タロン", "탈론"),
}
"""What the races of the book are called in English, Japanese and Korean; others go by their ids."""
TERRAIN_NAMES: Mapping[str, Mapping[str, str]] = {
    "planet": {"en": "Planet", "ja": "惑星", "ko": "행성"},
    "asteroid": {"en": "Asteroid", "ja": "小惑星帯", "ko": "소행성대"},
    "nebula": {"en": "Nebula", "ja": "星雲", "ko": "성운"},
    "black-hole": {"en": "Black hole", "ja": "ブラックホール", "ko": "블랙홀"},
    "worm-hole": {"en": "Worm hole", "ja": "ワームホール", "ko": "웜홀"},
}
"""What terrain is called where nobody names it."""
_SAID_TERRAINS = {
    **{f"{kind}s": kind for kind in TERRAINS},
    "nebulae": "nebula",
    **{name: kind for kind, names in TERRAIN_NAMES.items() for name in names.values()},
}
_SAID_ARCS = {
    "b": "rear", "前方": "front", "右舷": "right", "後方": "rear", "左舷": "left",
    "전방": "front", "우현": "right", "후방": "rear", "좌현": "left",
}  # fmt: skip
"""What the arcs are called in Japanese and Korean, and the rear by the letter that tables have for it."""


def named(state: Any, *tables: str) -> list[Candidate]:
    """The things of some tables as they can be named: by id, name or handle."""
    found = [(id, row) for table in tables for id, row in state.table(table).items()]
    return [Candidate(id, (row.name,), getattr(row, "handle", "")) for id, row in found]


def rows(*tables: str) -> Callable[[Scope], list[Candidate]]:
    """The candidates of a word that names a thing of these tables."""
    return lambda scope: named(scope.state, *tables)


def _classes(scope: Scope) -> list[Candidate]:
    """All classes, by id; those that the side named before can have also by code and name: ``CA``."""
    side = scope.state.sides.get(scope.given.get("side", ""))
    found = []
    for id, name in scope.book.class_names():
        row = scope.book.ship_class(id)
        own = side is None or row.race == side.race
        found.append(Candidate(id, (row.code, *names_of(name)) if own else ()))
    return found


def _races(scope: Scope) -> list[Candidate]:
    """The races that any class is of."""
    return [Candidate(race, RACES.get(race, ())) for race in scope.book.races()]


def short(id: str) -> str:
    """What a scenario is called for by: those of the book by their number, which no thing may have for its id."""
    return id.removeprefix("scenario-")


def _scenarios(scope: Scope) -> list[Candidate]:
    return [Candidate(id, names_of(name), short(id)) for id, name in scope.book.scenario_names()]


def _hex(word: str, scope: Scope) -> str:
    """A hex by column and row: ``0105``; beyond the first sheet ``-3.12``, or ``105.2``."""
    plain = half_width(word).strip()
    if not LABEL.fullmatch(plain):
        raise Refused("bad-value", key="no-hex-label", exit=2, facts={"value": word})
    return label(read(plain))


def _ship_or_hex(word: str, scope: Scope) -> str:
    """A ship, else a hex."""
    try:
        return str(read_word(SHIP, word, scope))
    except Refused:
        if LABEL.fullmatch(half_width(word).strip()):
            return _hex(word, scope)
        raise


SIDE = Kind("side", candidates=rows("sides"))
SHIP = Kind("ship", candidates=rows("ships"))
CLASS = Kind("class", candidates=_classes)
RACE = Kind("race", candidates=_races)
SCENARIO = Kind("scenario", candidates=_scenarios)
HEX = Kind("hex", _hex)
SHIP_OR_HEX = Kind("ship", _ship_or_hex, SHIP.candidates)
HEX_OR_OFF = Kind("hex", lambda word, scope: OFF if fold(word) == OFF else _hex(word, scope))
FACING = one_of("facing", *FACINGS)
ARC = one_of("arc", *ARCS, said=_SAID_ARCS)
STRUCK = one_of("arc", *ARCS, "hull", said={**_SAID_ARCS, "船体": "hull", "선체": "hull"})
TERRAIN = one_of("terrain", *TERRAINS, said=_SAID_TERRAINS)
