"""What a report says at its end: what the battles of a session came to, and how things stand."""

from collections.abc import Iterator, Mapping

from gmtool.kernel.view import Block, Line, Name, Say, View
from gmtool.systems.rtype import views_roster
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.careers import Fought, fought
from gmtool.systems.rtype.model import RESOURCES, Board
from gmtool.systems.rtype.tally import by_hand, lost, standing


def chronicle(state: Board, book: Book, session: int | None) -> View:
    """Battles that ended in a session (None: all), and the one that is on, each with kills and losses; how all stands.

    That is pilots, the dead, resources.
    """
    battles = [battle for battle in fought(state) if session in (None, battle.session)]
    ids = list(state.pilots)
    blocks: list[Block] = [block for battle in battles for block in _battle(state, battle)]
    blocks += _so_far(state)
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
        shown = [_loss(battle.felled, unit) for unit in units]
        yield Line(Say("view.chronicle.lost", {"side": Name(side), "units": shown}))


def _so_far(state: Board) -> Iterator[Block]:
    """A battle that is not over: who has wrecked whom up to now, what each side has lost."""
    battle = state.battle
    if battle is None or battle.phase == "over":
        return
    yield Line(Say("view.chronicle.on", {"name": battle.name, "n": battle.turn}), "head")
    falls = standing(state)
    for key, friends in (("kills", False), ("friends", True)):
        for who, units in by_hand(falls, friends).items():
            yield Line(Say(f"view.chronicle.{key}", {"pilot": Name(who), "units": [Name(unit) for unit in units]}))
    felled = {id: fall.unit for id, fall in falls.items()}
    gone = {side: lost(state, battle, side) for side in battle.sides}
    for side, units in gone.items():
        if units:
            shown = [_loss(felled, unit) for unit in units]
            yield Line(Say("view.chronicle.lost", {"side": Name(side), "units": shown}))
    if not any(gone.values()):
        yield Line(Say("view.chronicle.none"))


def _loss(felled: Mapping[str, str], unit: str) -> Say | Name:
    """A unit that was lost, and by whom, where somebody did it."""
    by = felled.get(unit)
    return Say("view.chronicle.by", {"unit": Name(unit), "by": Name(by)}) if by else Name(unit)


def _resources(state: Board) -> Iterator[Block]:
    """What each side has, of those that have anything."""
    for side in state.sides_in_order():
        if any(state.sides[side].resources.get(kind) for kind in RESOURCES):
            yield Line(views_roster.side_line(state, side))
