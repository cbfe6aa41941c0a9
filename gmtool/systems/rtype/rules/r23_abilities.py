"""Chapter 23: the ability a pilot adds to a check."""

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.words import ABILITIES

AnyCase = Case[Board, Book]


def ability_part(case: AnyCase, key: str, id: str, unit: Unit, given: str, rule: str) -> list[Part]:
    """The pilot's agility or intelligence, the better one unless said; nothing without a pilot (RT-8.14, 25.2)."""
    pilot = case.state.pilot_of(unit)
    if pilot is None:
        if given:
            raise case.refuse("bad-value", "RT-25.2", key="no-pilot", unit=Id(id))
        return []
    better = "intelligence" if pilot.intelligence > pilot.agility else "agility"
    ability = case.ask(key, id, ABILITIES, better, rule=rule, given=given or None)
    return [(ability, getattr(pilot, ability), rule)]
