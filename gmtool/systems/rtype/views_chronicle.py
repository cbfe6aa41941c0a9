"""What a report says at its end: what the battles of a session came to, and how things stand."""

from collections.abc import Iterator

from gmtool.kernel.view import Block, Line, Name, Say, View
from gmtool.systems.rtype import views_roster
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.careers import Fought, fought
from gmtool.systems.rtype.model import RESOURCES, Board


def chronicle(state: Board, book: Book, session: int | None) -> View:
    """Battles that ended in a session (None: all) with kills and losses; pilots, the dead, resources as they stand."""
    battles = [battle for battle in fought(state) if session in (None, battle.session)]
    ids = list(state.pilots)
    blocks: list[Block] = [block for battle in battles for block in _battle(state, battle)]
    blocks += [*views_roster.pilots(state, ids), *views_roster.honour(state, ids), *_resources(state)]
    return View(tuple(blocks))


def _battle(state: Board, battle: Fought) -> Iterator[Block]:
    """A battle that is over: how long it was, who wrecked what, what each side lost."""
    yield Line(Say("view.chronicle.battle", {"name": battle.name, "n": battle.turns}), "head")
    for id, career in state.table("careers").items():
        for key in ("kills", "friends"):
            if units := getattr(career, key).get(str(battle.number)):
                yield Line(Say(f"view.chronicle.{key}", {"pilot": Name(id), "units": [Name(unit) for unit in units]}))
    for side, units in battle.lost.items():
        yield Line(Say("view.chronicle.lost", {"side": Name(side), "units": [_loss(battle, unit) for unit in units]}))


def _loss(battle: Fought, unit: str) -> Say | Name:
    """A unit that was lost, and by whom, where somebody did it."""
    by = battle.felled.get(unit)
    return Say("view.chronicle.by", {"unit": Name(unit), "by": Name(by)}) if by else Name(unit)


def _resources(state: Board) -> Iterator[Block]:
    """What each side has, of those that have anything."""
    for side in state.sides_in_order():
        if any(state.sides[side].resources.get(kind) for kind in RESOURCES):
            yield Line(views_roster.side_line(state, side))
