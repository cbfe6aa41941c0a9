"""The kinds of words that the verbs of fire and repair read: targets, shots, missiles, markers, hosts."""

from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.words import Candidate, Kind, Scope, find, number, option, read_word
from gmtool.systems.talon.words import ARC, SHIP, STRUCK, named, rows
from gmtool.systems.talon.words_engine import GROUP, MARKER

__all__ = ["ARC", "GROUP", "MARKER", "MISSILE", "PLACE", "SHIP", "SHOT", "STRUCK", "TARGET", "named"]


def _target(word: str, scope: Scope) -> str:
    """A ship, base, squadron or missile, or ``SQUADRON/2`` for one of its fighters."""
    candidates = named(scope.state, "ships", "missiles")
    try:
        return find(word, "target", candidates)
    except Refused as unknown:
        name, slash, fighter = half_width(word).partition("/")
        if not slash:
            raise
        try:
            id = find(name, "target", candidates)
        except Refused:
            raise unknown from None
    ship = scope.state.ships.get(id)
    fighters = sorted(ship.fighters) if ship is not None else []
    return f"{id}/{find(fighter, 'fighter', [Candidate(each, within=id) for each in fighters])}"


def _targets(scope: Scope) -> list[Candidate]:
    """All ships, bases, squadrons and missiles, and each fighter of the squadrons."""
    fighters = [
        Candidate(f"{id}/{each}", (f"{ship.name}/{each}",), f"{ship.handle}/{each}")
        for id, ship in scope.state.ships.items()
        for each in sorted(ship.fighters)
    ]
    return [*named(scope.state, "ships", "missiles"), *fighters]


TARGET = Kind("target", _target, offers=_targets)


def _shot(word: str, scope: Scope) -> str:
    """A target, or ``WEAPON=TARGET`` with the number of the weapon in its group; kept so, with the id in it."""
    number, equals, target = half_width(word).partition("=")
    if not equals:
        return str(read_word(TARGET, word, scope))
    weapons = _weapons(scope)
    return f"{option(number.strip(), weapons, Word('weapon'))}={read_word(TARGET, target, scope)}"


def _weapons(scope: Scope) -> tuple[str, ...]:
    """The numbers of the weapons in the group named earlier in the line."""
    from gmtool.systems.talon.targets import group_of

    ship = scope.state.ships.get(scope.given.get("ship", ""))
    group = ship and group_of(scope.book.ship_class(ship.sheet), ship, scope.given.get("group", ""))
    return tuple([str(n + 1) for n in range(group.count if group else 0)])


SHOT = Kind("shot", _shot, offers=_targets)
RANGE = number("range", 1, 99)
POINTS = number("points", 1, 99)
MISSILE = Kind("missile", candidates=rows("missiles"))
PLACE = Kind("terrain", candidates=rows("terrain"))
