"""One side's desk: nothing lies on it but what that side may know, so that whatever is shown from it can be shown.

What a side may know is the game's to say; here nobody knows which game it is.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import State
from gmtool.kernel.words import Candidate, find
from gmtool.referee.desk import Desk, load_game_data

Ask = Mapping[str, Any]


class OneSided(Desk):
    """A desk for looking only: it has no campaign beneath it, and of the data only what comes with the game."""

    def __init__(self, desk: Desk, side: str) -> None:
        self.side, self.registry, self.system = side, desk.registry, desk.system
        self.data = load_game_data(desk.system, None)
        self._known: State = desk.system.view().known(desk.state, desk.book, side)
        self._pinned = self.system.book(self._known, self.data)

    @property
    def state(self) -> State:
        """The state as the side may know it."""
        return self._known

    @property
    def book(self) -> Any:
        """The data that the side's state pins, and the game's own."""
        return self._pinned

    @property
    def reference(self) -> Any:
        """The game's own data as they come with it, whatever is pinned of what the others have."""
        return self.system.book(self.system.state({}), self.data)


def one_sided(desk: Desk, word: str) -> OneSided:
    """The desk for the side a word names.

    Refused (exit 2): ``for-no-game`` where the game does not say what a side may know; ``unknown-side`` {value, sides},
    ``unknown-side-none`` {value}; an ambiguous beginning with its candidates.
    """
    views = desk.system.view()
    if not hasattr(views, "known"):
        raise Refused("not-covered", key="for-no-game", exit=2, facts={"value": word})
    sides = list(views.sides(desk.state))
    try:
        side = find(word, "side", [Candidate(id, tuple(desk.spoken(id))) for id in sides])
    except Refused as refused:
        if refused.code != "unknown-name":
            raise
        facts = {"value": word, "sides": [desk.spoken(id)[0] for id in sides]}
        key = "unknown-side" if sides else "unknown-side-none"
        raise Refused("unknown-name", key=key, exit=2, facts=facts) from None
    return OneSided(desk, side)


def own_asks(whole: Desk, desk: OneSided, asks: Sequence[Ask]) -> list[dict[str, Any]]:
    """Those of the asks that are put to the side and name nobody it does not know, without what has to be reached."""
    strangers = things(whole) - things(desk)
    is_own = desk.system.view().is_own
    named = [{word for text in (ask["key"], *ask["options"]) for word in re.split("[.:/=]", text)} for ask in asks]
    return [
        {key: value for key, value in ask.items() if key != "target"}
        for ask, words in zip(asks, named, strict=True)
        if is_own(desk.state, ask["who"]) and not words & strangers
    ]


def things(desk: Desk) -> set[str]:
    """The ids of all things that have a name."""
    system = desk.system
    return {id for table in system.state.kinds if table not in system.inner for id in desk.state.table(table)}
