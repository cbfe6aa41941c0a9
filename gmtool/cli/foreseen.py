"""Forecasts on the screen: before faces are asked, and how rare it was afterwards."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gmtool.kernel.common import OFF, TABLE
from gmtool.referee.forecast import Forecast, forecast, rarity, shown_to
from gmtool.render.lines import Styled

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk


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
