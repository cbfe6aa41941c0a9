"""The verbs that show the campaign's people and craft: the roster, and one pilot with all he has been through."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.state import encode
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import views_roster
from gmtool.systems.rtype.careers import Fought, career_of, fought
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.words import PILOT, SIDE


class Roster(NamedTuple):
    """Pilots and craft, losses, the roll of honour; of one side or of all."""

    side: Annotated[str, Arg(SIDE)] = ""


class PilotShow(NamedTuple):
    """One pilot whole, with his career."""

    pilot: Annotated[str, Arg(PILOT)]


def _roster(state: Board, side: str) -> dict[str, Any]:
    """The same for scripts: rows by id, the dead among the pilots, their ids as the roll of honour."""
    pilots = views_roster.pilots_of(state, side)
    sides = [side] if side else state.sides_in_order()
    return {
        "pilots": {id: {**encode(state.pilots[id]), "career": career_of(state, id).sums} for id in pilots},
        "units": {id: encode(unit) for each in sides for id, unit in views_roster.craft_of(state, each)},
        "lost": {each: views_roster.lost_by(state, each) for each in sides},
        "honour": [id for id in pilots if state.pilots[id].state == "dead"],
    }


def _pilot(state: Board, id: str) -> dict[str, Any]:
    """A pilot's row, the sums of his career, and a line for each battle."""
    career, battles = career_of(state, id), {str(battle.number): battle for battle in fought(state)}
    lines = [_line(encode(career), number, battles.get(number)) for number in views_roster.battles_of(career)]
    return {"id": id, "pilot": encode(state.pilots[id]), "career": career.sums, "battles": lines}


def _line(career: dict[str, Any], number: str, battle: Fought | None) -> dict[str, Any]:
    """What a career has of one battle; nothing where there is nothing."""
    head: dict[str, Any] = {"battle": None, "name": None, "session": 0}
    if battle is not None:
        head = {"battle": battle.number, "name": battle.name, "session": battle.session}
    return {**head, **{field: entries.get(number) for field, entries in career.items()}}


LOOKS: dict[type[Any], Callable[..., tuple[Any, dict[str, Any]]]] = {
    Roster: lambda state, book, command: (
        views_roster.roster(state, book, command.side),
        _roster(state, command.side),
    ),
    PilotShow: lambda state, book, command: (
        views_roster.pilot(state, book, command.pilot),
        _pilot(state, command.pilot),
    ),
}
