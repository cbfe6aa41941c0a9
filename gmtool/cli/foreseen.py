"""Forecasts on the screen: before faces are asked, and how rare it was afterwards."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gmtool.kernel.common import OFF
from gmtool.referee.forecast import Forecast, forecast, hindsight, rarity, shown_to
from gmtool.render.lines import Styled

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk


def before_the_dice(face: "Face", opened: Mapping[str, Any]) -> list[Styled]:
    """The forecast above a question of the shell, unless it is the one that stands there already."""
    desk = face.desk_at_hand()
    if desk is None or not face.in_shell or face.options.json:
        return []
    with suppress(Exception):  # a help that fails is none, and must be in nobody's way
        found = foreseen(desk, opened)
        shown, face.foreseen = face.foreseen, (str(opened["line"]), found)
        return [] if shown == face.foreseen else forecast_lines(face, desk, found)
    return []


def after_the_dice(face: "Face", desk: "Desk", line: Mapping[str, Any]) -> list[Styled]:
    """How rare the outcome of a line of the shell was, where dice were thrown for it; its forecast is over with it.

    What stands in place of another ruling has been measured already, and what was only tried has no place to begin at.
    """
    face.foreseen = None
    wanted = face.in_shell and not face.options.json and line["answers"] and shown_to(desk) != OFF
    if not wanted or "seq" not in line or "amends" in line:
        return []
    with suppress(Exception):  # the ruling is done, whatever becomes of this
        return rarity_lines(face, desk, hindsight(desk, line), line)
    return []


def foreseen(desk: "Desk", opened: Mapping[str, Any]) -> Forecast | None:
    """The forecast of the open ruling for whoever types; None where there is none, or the campaign wants none."""
    return None if shown_to(desk) == OFF else forecast(desk, opened)


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
