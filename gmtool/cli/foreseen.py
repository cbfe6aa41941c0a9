"""Forecasts on the screen: before faces are asked, and how rare it was afterwards."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gmtool.kernel.common import OFF, TABLE
from gmtool.referee.forecast import Forecast, forecast, hindsight, rarity, shown_to
from gmtool.render.lines import Styled

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk


def before_the_dice(face: "Face", opened: Mapping[str, Any]) -> list[Styled]:
    """The forecast above a question of the shell, unless it is the one that stands there already.

    The first one of a line is remembered: by it the outcome will be measured.
    """
    desk = face.desk_at_hand()
    if desk is None or not face.in_shell or face.options.json:
        return []
    found = foreseen(desk, opened)
    line = str(opened["line"])
    first, last = face.foreseen[1:] if face.foreseen and face.foreseen[0] == line else (found, None)
    face.foreseen = line, first, found
    return [] if found == last else forecast_lines(face, desk, found)


def after_the_dice(face: "Face", desk: "Desk", line: Mapping[str, Any]) -> list[Styled]:
    """How rare the outcome of a line of the shell was, where dice were thrown for it, which is over with it."""
    known, face.foreseen = face.foreseen, None
    if not face.in_shell or face.options.json or not line["answers"] or shown_to(desk) == OFF:
        return []
    if known and known[0] == line["line"]:
        return rarity_lines(face, desk, known[1], line)
    fresh = "seq" in line and "amends" not in line  # what stands in place of another has been measured already
    return rarity_lines(face, desk, hindsight(desk, line) if fresh else None, line)


def foreseen(desk: "Desk", opened: Mapping[str, Any]) -> Forecast | None:
    """The forecast of the open ruling for whoever types; None where there is none, or the campaign wants none."""
    return None if shown_to(desk) == OFF else forecast(desk, opened)


def at_the_table(desk: "Desk", opened: Mapping[str, Any]) -> Forecast | None:
    """The forecast of the open ruling for all who see the board: where the campaign says ``table``."""
    return forecast(desk, opened) if shown_to(desk) == TABLE else None


def forecast_lines(face: "Face", desk: "Desk", found: Forecast | None) -> list[Styled]:
    """A forecast as lines; none without one."""
    if found is None:
        return []
    from gmtool.render.forecast import forecast as told

    return told(found.fields, face.words, desk.names({id for field in found.fields for id in field.who}), face.out.room)


def rarity_lines(face: "Face", desk: "Desk", before: Forecast | None, line: Mapping[str, Any]) -> list[Styled]:
    """How rare the outcome of a journal line was by the forecast from before its first die; none without one."""
    rares = rarity(desk, before, line)
    if not rares:
        return []
    from gmtool.render.forecast import rarity as told

    return told(rares, face.words, desk.names({id for rare in rares for id in rare.who}), face.out.room)
