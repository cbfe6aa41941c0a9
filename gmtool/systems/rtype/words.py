"""The kinds of words that R-TYPE's verbs read: units, pilots, sides, sheets, weapons, abilities, defences."""

from collections.abc import Callable, Sequence
from typing import Any

from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.words import Candidate, Kind, Scope, find, names_of, number, one_of, option, read_word
from gmtool.systems.rtype.model import CONDITIONS, FATES, LEAD, RC, TEMPERAMENTS


def _named(table: str) -> Any:
    """Candidates from a table whose rows have a name (and perhaps a handle)."""
    return lambda scope: candidates_of(scope.state, table)


def candidates_of(state: Any, table: str) -> list[Candidate]:
    """The things of a table as they can be named: by id, name or handle."""
    rows = state.table(table)
    return [Candidate(id, (row.name,), getattr(row, "handle", "")) for id, row in rows.items()]


def _sheets(scope: Scope) -> list[Candidate]:
    return [Candidate(id, names_of(name)) for id, name in scope.book.sheet_names()]


def _weapons(scope: Scope) -> list[Candidate]:
    """The weapons of the unit named earlier in the line; ``1`` to ``9`` in the sheet's order."""
    unit = scope.state.units.get(scope.given.get("unit", ""))
    return [] if unit is None else weapons_of(scope.book.sheet(unit.sheet))


def weapons_of(sheet: Any) -> list[Candidate]:
    """The weapons of a sheet as they can be named: by id, name, or number in the sheet's order."""
    return [Candidate(w.id, names_of(w.name), str(n), sheet.id) for n, w in enumerate(sheet.weapons, 1)]


def defending_weapons(state: Any, book: Any, id: str) -> list[Candidate]:
    """The weapons a unit may defend itself with: its sheet's, then those of the craft an attached force sits on."""
    from gmtool.systems.rtype.arms import arms

    own = weapons_of(book.sheet(state.units[id].sheet))
    lent = [weapon for firing, weapon in arms(state, book, id) if firing != id]
    return [*own, *(Candidate(weapon.id, names_of(weapon.name), "", own[0].within if own else "") for weapon in lent)]


def craft_of(field: str) -> Kind:
    """A craft (lead, A to D) or part of the unit named earlier in the line, in that field."""

    def candidates(scope: Scope) -> list[Candidate]:
        unit = scope.state.units.get(scope.given.get(field, "").partition("/")[0])
        if unit is None:
            return []
        parts = {part.id: names_of(part.name) for part in scope.book.sheet(unit.sheet).parts}
        return [Candidate(craft, (craft, *_CRAFT.get(craft, ()), *parts.get(craft, ()))) for craft in unit.hp]

    return Kind("craft", candidates=candidates)


_CRAFT = {LEAD: ("本機", "본기"), **{craft: (f"{craft}機", f"{craft}기") for craft in RC}}
"""What the craft of a unit are called besides their ids."""
_RESOURCES = (
    Candidate("solmonadium", ("ソルモナジウム", "솔모나디움")),
    Candidate("etherium", ("エーテリウム", "에테리움")),
    Candidate("bydogen", ("バイドルゲン", "바이도르겐")),
)
UNIT = Kind("unit", candidates=_named("units"))
PILOT = Kind("pilot", candidates=_named("pilots"))
SIDE = Kind("side", candidates=_named("sides"))
SKILL = Kind("skill", candidates=lambda scope: [Candidate(s.id, names_of(s.name)) for s in scope.book.skills()])
PLACE = Kind("place", candidates=_named("places"))
RESOURCE = Kind("resource", candidates=lambda scope: _RESOURCES)
SHEET = Kind("sheet", candidates=_sheets)
WEAPON = Kind("weapon", candidates=_weapons)
ABILITIES = ("agility", "intelligence")
ABILITY = one_of("ability", *ABILITIES)
TEMPERAMENT = one_of("temperament", *TEMPERAMENTS)
DEFENCES = ("evade", "focus")
ARMED = ("intercept", "counter", "guard-counter")
WAYS = (*DEFENCES, "guard", "guard-at-once", *ARMED)
"""What a target may declare; the last three with a weapon behind a colon."""


def _target(word: str, scope: Scope) -> str:
    """A unit, or ``UNIT/PART`` for a part with hit points of its own."""
    name, slash, part = half_width(word).partition("/")
    try:
        return str(read_word(UNIT, word, scope))
    except Refused as unknown:
        named = read_word(UNIT, name, scope) if slash and _is_unit(name, scope) else None
        if named is None:
            raise unknown from None
        id = str(named)
    parts = scope.book.sheet(scope.state.units[id].sheet).parts
    return f"{id}/{find(part, 'part', [Candidate(p.id, names_of(p.name), within=id) for p in parts])}"


def _targets(scope: Scope) -> list[Candidate]:
    """All units, each with those of its parts that have hit points of their own."""
    found = []
    for id, unit in scope.state.units.items():
        found.append(Candidate(id, (unit.name,), unit.handle))
        for part in scope.book.sheet(unit.sheet).parts:
            names = tuple([f"{unit.name}/{name}" for name in names_of(part.name)])
            found.append(Candidate(f"{id}/{part.id}", names, f"{unit.handle}/{part.id}"))
    return found


def _is_unit(name: str, scope: Scope) -> bool:
    try:
        read_word(UNIT, name, scope)
    except Refused:
        return False
    return True


def for_target(kind: Kind) -> Kind:
    """A value for the one target there is, or ``TARGET=value``; the target is read first and kept by its id."""

    def read(word: str, scope: Scope) -> str:
        name, equals, value = word.rpartition("=")
        if not equals:
            return str(read_word(kind, word, scope))
        target = read_word(UNIT, name, scope)
        aimed = scope.given.get("target")
        if aimed is not None and target != aimed.partition("/")[0]:
            raise Refused("bad-value", key="not-a-target", exit=2, facts={"value": Id(target), "target": Id(aimed)})
        given = {**scope.given, "target": target}
        read = read_word(kind, value, Scope(scope.state, scope.book, given))
        return str(read) if aimed is not None else f"{target}={read}"

    def offers(scope: Scope) -> Sequence[Candidate]:
        listed = kind.offers or kind.candidates
        return listed(scope) if listed and scope.given.get("target") is not None else ()

    return Kind(kind.name, read, offers=offers)


def _way(word: str, scope: Scope) -> str:
    """A defence, with its weapon by id: ``counter:flak``; the target's weapons are known where it was named."""
    way, colon, weapon = half_width(word).partition(":")
    way = option(way, WAYS, "defence")
    target = scope.given.get("target", "").partition("/")[0]
    if not colon or target not in scope.state.units:
        return f"{way}{colon}{weapon}"
    return f"{way}:{find(weapon, 'weapon', defending_weapons(scope.state, scope.book, target))}"


def _ways(scope: Scope) -> list[Candidate]:
    """The defences, those with a weapon once for each that the target has."""
    target = scope.given.get("target", "").partition("/")[0]
    weapons = defending_weapons(scope.state, scope.book, target) if target in scope.state.units else []
    armed = [
        Candidate(f"{way}:{weapon.id}", tuple([f"{way}:{name}" for name in weapon.names]))
        for way in ARMED
        for weapon in weapons
    ]
    return [*[Candidate(way) for way in WAYS if way not in ARMED], *armed]


TARGET = Kind("target", _target, offers=_targets)


def units_of(fits: Callable[[Any], bool]) -> Kind:
    """A unit, of which those are offered whose sheet fits; any other can be named, and the rules say why not."""

    def offers(scope: Scope) -> list[Candidate]:
        units = scope.state.units
        return [each for each in candidates_of(scope.state, "units") if fits(scope.book.sheet(units[each.id].sheet))]

    return UNIT._replace(read=lambda word, scope: read_word(UNIT, word, scope), offers=offers)


def one_part(option: str, part: str, said: str) -> None:
    """Refused where ``UNIT/PART`` and an option name different parts."""
    if part and said and said != part:
        raise Refused("bad-value", key="said-otherwise", exit=2, facts={"key": option, "value": said, "other": part})


DEFENCE = for_target(Kind("defence", _way, offers=_ways))
DEFENCE_ABILITY = for_target(ABILITY)
DEFENCE_SKILL = for_target(SKILL)


def pair(name: str, left: Kind, right: Kind) -> Kind:
    """``NAME=VALUE`` in one word, both read by their kinds; kept in the same form, with the id in it."""

    def read(word: str, scope: Scope) -> str:
        place = half_width(word).find("=")
        if place < 0:
            raise Refused("usage", key="no-pair", exit=2, facts={"value": word, "form": f"{name.upper()}"})
        return f"{read_word(left, word[:place], scope)}={read_word(right, word[place + 1 :], scope)}"

    return Kind(name, read)


def _condition(word: str, scope: Scope) -> str:
    """One of the book's conditions, of a place or unit with its name, ``none``, or the GM's own words (RT-13.4)."""
    head, colon, named = half_width(word).partition(":")
    if colon and fold(head) in ("facility", "destroyed"):
        kind = PLACE if fold(head) == "facility" else UNIT
        return f"{fold(head)}:{read_word(kind, named, scope)}"
    if fold(word) in (*CONDITIONS, "none"):
        return fold(word)
    if not word.strip() or not word.isprintable() or len(word) > TEXT_LENGTH:
        raise Refused("bad-value", key="bad-condition", rule="RT-13.4", exit=2, facts={"most": TEXT_LENGTH})
    return word


def _parked(scope: Scope) -> list[Candidate]:
    rows = scope.state.table("parked")
    return [Candidate(id, (row["battle"]["name"],)) for id, row in rows.items()]


TEXT_LENGTH = 80
CARRIER = units_of(lambda sheet: sheet.capacity > 0)
A_FORCE = units_of(lambda sheet: sheet.squad == "force")
CONDITION = Kind("condition", _condition)
SIDE_CONDITION = pair("side=condition", SIDE, CONDITION)
SIDE_TOTAL = pair("side=total", SIDE, number("total", 0, 1_000))
SIDE_BONUS = pair("side=n", SIDE, number("bonus", -100, 100))
PILOT_FATE = pair("pilot=fate", PILOT, one_of("fate", *FATES))
PARKED = Kind("battle", candidates=_parked)
CHART = Kind("map", candidates=lambda scope: [Candidate(id, names_of(name)) for id, name in scope.book.map_names()])
SCENARIO = Kind(
    "scenario", candidates=lambda scope: [Candidate(id, names_of(name)) for id, name in scope.book.scenario_names()]
)
SAID_FACING = {"左": "left", "右": "right", "왼쪽": "left", "오른쪽": "right"}
FACING = Kind(
    "facing", lambda word, scope: option(SAID_FACING.get(word.strip(), word), ("left", "right"), "facing"),
    offers=lambda scope: [Candidate("left", ("左", "왼쪽")), Candidate("right", ("右", "오른쪽"))],
)  # fmt: skip
