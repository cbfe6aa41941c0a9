"""Odds of a line: the same rules, over all faces at once; nothing is written."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.asks import AGAIN, Answers, Missing
from gmtool.kernel.case import REROLLS
from gmtool.kernel.odds import Outlook, outlook
from gmtool.kernel.refusal import Refused
from gmtool.kernel.summary import summary
from gmtool.referee.act import named_by_id, resolve
from gmtool.referee.desk import Desk
from gmtool.referee.opened import Request

MOST = 20
"""So many rules are set aside for a forecast, each named; a line that breaks more is no plan."""


class Foretold(NamedTuple):
    """What a line would come to, and the rules that stand against it now (set aside for the forecast)."""

    result: dict[str, Any]
    against: tuple[Refused, ...]
    lapsed: tuple[float, ...] = ()
    """Of several lines, for each but the first the chance that it could not be done when its turn came."""


def odds(desk: Desk, request: Request, *then: Request) -> Foretold:
    """What a line would come to, exactly; declarations as said, the rest by default.

    A plan may be made before its time: a refusal that could be forced is set aside and named. Lines to be given
    ``then`` go on from wherever the one before has led.
    """
    command, *others = [resolve(desk, each.verb, each.words) for each in (request, *then)]
    said = named_by_id(desk, request).said
    for key, value in said.items():
        if key.partition(".")[0] == AGAIN and value != REROLLS[0]:
            raise Refused("no-odds", key="odds-no-reroll", facts={"key": key})
    whole = bool(others) or not hasattr(command, "apart")
    parts = [] if whole else command.apart(said, desk.state, desk.book)
    if len(parts) < 2:
        return _foretold(desk, [command, *others], said)
    # what falls apart is foretold part by part: a forecast of several targets grows with their number, not its power
    result: dict[str, Any] = {}
    against: dict[str, Refused] = {}
    for suffix, part, own in parts:
        found = _foretold(desk, [part], own)
        result |= {key if suffix in key.split(".") else f"{key}.{suffix}": tally for key, tally in found.result.items()}
        against |= {str(refused): refused for refused in found.against}
    return Foretold(result, tuple(against.values()))


def _foretold(desk: Desk, commands: Sequence[Any], said: Mapping[str, str]) -> Foretold:
    answers = Answers(said=said)
    against: list[Refused] = []
    while True:
        try:
            view = _outlook(desk, commands, answers, against)
            break
        except Refused as refused:
            if not refused.forcible or len(against) == MOST:
                raise
            against.append(refused)
    found = summary(view, desk.system.sums if len(commands) > 1 else ())
    if view.unsettled:
        found["unsettled"] = float(view.unsettled)
    return Foretold(found, tuple(against), tuple(map(float, view.lapsed)))


def _outlook(desk: Desk, commands: Sequence[Any], answers: Answers, against: Sequence[Refused]) -> Outlook:
    settings = desk.settings(aside=[(refused.code, refused.rule) for refused in against])
    try:
        return outlook(desk.system, desk.state, desk.book, commands[0], answers, settings, then=commands[1:])
    except Missing as missing:
        # a declaration that the campaign wants asked has to be said: nothing is kept open for a forecast
        key, options = missing.asks[0].key, list(missing.asks[0].options)
        raise Refused("needs-answer", key="odds-need", facts={"key": key, "options": options}) from None
