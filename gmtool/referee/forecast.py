"""Forecasts: what the ruling that is open will come to, from where its dice lie; afterwards, how rare it was.

A forecast is a help and never in the way: what cannot be foretold, or only by more runs than ``RUNS``, has none.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gmtool.kernel.asks import AGAIN, NAMELESS, Answers, Given, Missing
from gmtool.kernel.case import Settings
from gmtool.kernel.common import FORECAST, SELF
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import BadRow
from gmtool.kernel.summary import Field, Rare, fields, summary
from gmtool.kernel.summary import rarity as rare
from gmtool.kernel.underway import underway
from gmtool.referee.act import restored
from gmtool.referee.desk import Desk
from gmtool.referee.foretell import named_apart, parts_of
from gmtool.referee.ground import Ground, ground
from gmtool.referee.opened import Opened, Request

RUNS = 8_000
"""So many runs of rules are worth a line on the screen: a few of a hundred are usual."""
NOTHING = Request("", {}, "")


class Forecast(NamedTuple):
    """The results that a game foretells, in its order, and all results as ``odds`` has them."""

    fields: tuple[Field, ...]
    result: Mapping[str, Any]


class _Known(NamedTuple):
    """What is known of a ruling: the command, what is said, the dice that lie, the refusals set aside."""

    command: Any
    said: Mapping[str, str]
    given: Mapping[str, Given]
    settings: Settings


def shown_to(desk: Desk) -> str:
    """Who sees forecasts in this campaign: ``off``, ``self`` or ``table``."""
    return desk.row.config.get(FORECAST, SELF)


def forecast(desk: Desk, opened: Mapping[str, Any]) -> Forecast | None:
    """What the open ruling will come to, given the dice that lie and what was said; unsaid declarations by default.

    ``opened`` is what ``open_ruling`` gives. None where the game foretells nothing of it, or it would take too long.
    """
    if opened["named"] or opened.get(
        "loose"
    ):  # faces typed for rolls that nobody has come to: whose they are is not known yet
        return None
    try:
        ruling = Opened.read(opened, NOTHING)
        said = ruling.request.said
        settings = _unasked(desk.settings(ruling.request.force, ruling.aside))
        known = _Known(restored(desk, ruling.verb, ruling.args), said, ruling.given, settings)
        return _foreseen(desk, ground(desk, ruling.amends), known)
    except (Refused, Missing, BadRow):
        return None


def hindsight(desk: Desk, line: Mapping[str, Any]) -> Forecast | None:
    """What the latest ruling would have come to by all odds, from before its first die; None as for ``forecast``.

    For a ruling whose faces came with the line, so that nobody has been asked.
    """
    try:
        args = line["command"]["args"]
        said = {key: value for key, value in line.get("said", {}).items() if key.partition(".")[0] != AGAIN}
        settings = _unasked(desk.settings(aside=[(each["code"], each["rule"]) for each in line["overruled"]]))
        known = _Known(restored(desk, line["command"]["verb"], args), said, {}, settings)
        return _foreseen(desk, ground(desk, line["seq"]), known)
    except (Refused, Missing, BadRow):
        return None


def rarity(desk: Desk, before: Forecast | None, line: Mapping[str, Any]) -> list[Rare]:
    """How rare the outcome of a ruling was, by the forecast from before its first die."""
    return rare(before.result, line["result"], desk.system.rarity) if before else []


def _unasked(settings: Settings) -> Settings:
    """The same, with the game's default where the campaign wants a declaration asked."""
    settings.declare = {key: value for key, value in settings.declare.items() if value != "ask"}
    return settings


def _foreseen(desk: Desk, base: Ground, known: _Known) -> Forecast | None:
    system = desk.system
    if not system.forecast:
        return None
    names = desk.speech if known.said else NAMELESS
    result: dict[str, Any] = {}
    for suffix, part, own in parts_of(known.command, known.said, base.state, base.book):
        answers = Answers(said=own, given=known.given)
        view = underway(system, base.state, base.book, part, answers, known.settings, names, RUNS)
        result |= named_apart(suffix, summary(view))
    found = tuple(fields(result, system.forecast))
    return Forecast(found, result) if found else None
