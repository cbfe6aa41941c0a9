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


ALIKE = 1e-9
"""Chances and means that differ by less are the same."""


class Foretold(NamedTuple):
    """What a line would come to, and the rules that stand against it now (set aside for the forecast)."""

    result: dict[str, Any]
    against: tuple[Refused, ...]
    lapsed: tuple[float, ...] = ()
    """Of several lines, for each but the first the chance that it could not be done when its turn came."""


Plan = Foretold


def compare(desk: Desk, requests: Sequence[Request]) -> tuple[list[Plan], dict[str, list[int]]]:
    """What each line would come to now, and for each result the lines that are best in it, by their places.

    Named are only results that tell plans apart and of which the game says whether more of them is good.
    """
    plans = [odds(desk, each) for each in requests]
    commands = [resolve(desk, each.verb, each.words) for each in requests]
    better = {}
    for key in dict.fromkeys(key for plan in plans for key in plan.result):
        favours = {desk.system.favour(desk.state, command, key) for command in commands}
        worth = [_worth(plan.result.get(key)) for plan in plans]
        best = _best(worth, favours.pop() if len(favours) == 1 else 0)
        if best:
            better[key] = best
    return plans, better


def _worth(tally: Any) -> float | None:
    """The figure by which plans are compared: the chance of a yes, the mean of a number; none for words.

    What does not come up at all counts as nothing of it: a counter that nobody fires does no harm.
    """
    if isinstance(tally, Mapping):
        mean: float | None = tally.get("mean")
        return mean
    return float(tally or 0)


def _best(worth: Sequence[float | None], favour: int) -> list[int]:
    """The places of the best of these figures; none where all are as good, or cannot be compared."""
    known = [each * favour for each in worth if each is not None]
    if not favour or len(known) < len(worth):
        return []
    best = [place for place, each in enumerate(known) if each > max(known) - ALIKE]
    return best if len(best) < len(known) else []


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
    if others:
        return _foretold(desk, [command, *others], said)
    result: dict[str, Any] = {}
    against: dict[str, Refused] = {}
    for suffix, part, own in parts_of(command, said, desk.state, desk.book):
        found = _foretold(desk, [part], own)
        result |= named_apart(suffix, found.result)
        against |= {str(refused): refused for refused in found.against}
    return Foretold(result, tuple(against.values()))


def parts_of(command: Any, said: Mapping[str, str], state: Any, book: Any) -> list[tuple[str, Any, Mapping[str, str]]]:
    """What a command falls apart into, each part with the word for it and what is said of it; else it as it is.

    What falls apart is foretold part by part: a forecast of several targets grows with their number, not its power.
    """
    parts = command.apart(said, state, book) if hasattr(command, "apart") else []
    return parts if len(parts) > 1 else [("", command, said)]


def named_apart(suffix: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """The results of a part under keys that name it."""
    if not suffix:
        return {**result}
    return {key if suffix in key.split(".") else f"{key}.{suffix}": tally for key, tally in result.items()}


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
        command, *then = commands
        return outlook(desk.system, desk.state, desk.book, command, answers, settings, then=then, by_figure=True)
    except Missing as missing:
        # a declaration that the campaign wants asked has to be said: nothing is kept open for a forecast
        key, options = missing.asks[0].key, list(missing.asks[0].options)
        raise Refused("needs-answer", key="odds-need", facts={"key": key, "options": options}) from None
