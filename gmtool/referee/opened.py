"""Rulings under way: what one line brings, and the ruling kept beside the campaign while answers are missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gmtool.kernel.asks import Face, Given, Missing
from gmtool.kernel.journal import Head
from gmtool.kernel.refusal import Refused
from gmtool.kernel.typed import Row, Token
from gmtool.referee.desk import Desk
from gmtool.store import openruling

Question = tuple[str, str]
"""A question that was shown: the line it belongs to, the key of what is asked first."""


class NeedsAnswer(Exception):
    """The ruling is open: ``asks`` is what it needs next; it is kept beside the campaign, and nothing has changed.

    ``so_far``: what has happened in it since the last dice, as the trace will have it; ``unasked``: the keys of what
    was said and nothing has asked for yet; ``tried``: nothing of the line will be kept.
    """

    def __init__(
        self, asks: Sequence[Mapping[str, Any]], line: str, names: Mapping[str, Any],
        so_far: Sequence[Mapping[str, Any]] = (), unasked: Sequence[str] = (), tried: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(line)
        self.asks, self.line, self.names, self.so_far = list(asks), line, names, list(so_far)
        self.unasked, self.tried = tuple(unasked), tried

    @property
    def question(self) -> Question:
        """What is asked now."""
        return self.line, str(self.asks[0]["key"])


@dataclass(frozen=True)
class Request:
    """One line as the face understood it: verb, words by field, and what was said with it.

    ``fresh`` has the tool throw anew, ``was_fresh`` says that it did so for an earlier answer; of a line that is
    ``tried`` nothing is kept. ``roll`` lets the tool throw the dice that the open ruling asks for now;
    ``expects`` is the question that an answer is meant for, where one was shown.
    """

    verb: str
    words: Mapping[str, Any]
    line: str
    dice: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    by: str | None = None
    by_unit: Mapping[str, str] = field(default_factory=dict)
    because: str | None = None
    force: bool = False
    fresh: bool = False
    was_fresh: bool = False
    tried: bool = False
    roll: bool = False
    expects: "Question | None" = None


@dataclass
class Opened:
    """A ruling under way: its command, what has been given so far, whatever it still needs.

    One that is judged again ``amends`` the line of this number; refusals set ``aside`` (code, rule) and declarations
    of that line hold again, and a declaration is spared where nothing asks for it now. ``loose`` are faces in a row
    that it had not come to when it asked.
    """

    verb: str
    args: dict[str, Any]
    request: Request
    given: dict[str, Given] = field(default_factory=dict)
    named: tuple[tuple[str, tuple[Token, ...]], ...] = ()
    amends: int | None = None
    aside: tuple[tuple[str, str], ...] = ()
    spare: frozenset[str] = frozenset()
    loose: Row = ()

    @classmethod
    def read(cls, stored: Mapping[str, Any], request: Request) -> "Opened":
        """The ruling as it was kept, with what the new line adds."""
        lying = {**stored.get("kept", {}), **stored["given"]}
        given = {key: Given(tuple(d["faces"]), d["fixed"], d["source"], d["by"]) for key, d in lying.items()}
        named = tuple((label, tuple(Token(*token) for token in tokens)) for label, tokens in stored["named"])
        merged = Request(
            stored["verb"], {}, stored["line"], said={**stored["said"], **request.said}, by=request.by or stored["by"],
            by_unit={**stored["by_unit"], **request.by_unit}, because=request.because or stored["because"],
            force=request.force or stored["force"], fresh=request.fresh or stored.get("anew", False),
            was_fresh=request.was_fresh or stored.get("fresh", False),
            tried=request.tried or stored.get("tried", False),
        )  # fmt: skip
        aside = tuple((code, rule) for code, rule in stored.get("aside", ()))
        spare = frozenset(stored.get("spare", ()))
        loose = tuple(Token(*token) for token in stored.get("loose", ()))
        return cls(stored["verb"], stored["args"], merged, given, named, stored.get("amends"), aside, spare, loose)

    def json(self, missing: Missing, head: Head, branch: str) -> dict[str, Any]:
        """The ruling as it is kept: with the steps the journal stood between, and in which what-if, if one is on."""
        request = self.request
        given = {die.key: _come_to(die, *missing.throwers[die.key]) for die in missing.dice}
        kept = {key: _lying(die) for key, die in self.given.items() if key not in given}
        named = [[label, [list(token) for token in tokens]] for label, tokens in missing.named if tokens]
        return {
            "verb": self.verb, "args": self.args, "line": request.line, "step": head.undo, "redo": head.redo,
            "given": given, "kept": kept, "loose": [list(token) for token in missing.loose], "named": named,
            "said": dict(request.said), "by": request.by,
            "by_unit": dict(request.by_unit), "because": request.because, "force": request.force,
            "asks": [ask.json() for ask in missing.asks], "amends": self.amends,
            "aside": [list(refusal) for refusal in self.aside], "spare": sorted(self.spare),
            "fresh": self.threw_anew([die for die in missing.dice if die.key not in self.given]),
            "anew": request.fresh, "tried": request.tried, "branch": branch,
        }  # fmt: skip

    def threw_anew(self, dice: Sequence[Face]) -> bool:
        """Whether the tool threw anew for this ruling: now, where one of these dice is its own, or before."""
        return self.request.was_fresh or (self.request.fresh and any(die.source == "rolled" for die in dice))


def _lying(die: Face | Given) -> dict[str, Any]:
    """A die that lies there, whether or not the ruling has come to it."""
    return {"faces": list(die.faces), "fixed": die.fixed, "source": die.source, "by": die.by}


def _come_to(die: Face, who: str, again: bool) -> dict[str, Any]:
    """A die that the ruling has come to, with who threw it and whether it may be thrown again."""
    return {**_lying(die), "who": who, "again": again}


def open_ruling(desk: Desk) -> dict[str, Any] | None:
    """The ruling that is open, if one is. One left behind by a line that did get done (a kill between) is none.

    Nor is it one again once that line is undone: there is then something to redo that was not there before. One of a
    what-if is none outside it; whoever looks at the real line only has nothing to do with what is tried.
    """
    campaign = desk.campaign
    stored, head = openruling.load(desk.path, campaign.notices), campaign.head
    if stored is None or (stored["step"], stored.get("redo", head.redo)) != (head.undo, head.redo):
        return None
    elsewhere = stored.get("branch", "") != campaign.branch_id
    return None if elsewhere or (stored.get("tried") and not campaign.branched) else stored


def asked_names(desk: Desk, asks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The names of those who are asked, and of those whom the keys name."""
    return desk.names({id for ask in asks for id in (ask["who"], *ask["key"].split(".")[1:]) if id})


def question_of(stored: Mapping[str, Any]) -> Question:
    """What an open ruling asks now."""
    return str(stored["line"]), str(stored["asks"][0]["key"])


def the_open_ruling(desk: Desk, expects: Question | None = None) -> dict[str, Any]:
    """The ruling that is open; Refused where none is, or where it no longer asks what is expected."""
    stored = open_ruling(desk)
    if stored is None and expects:
        raise Refused("no-open-ruling", key="question-gone", facts={"line": expects[0]})
    if stored is None:
        raise Refused("no-open-ruling")
    if expects and question_of(stored) != expects:
        raise Refused("ruling-open", key="question-changed", facts={"line": expects[0], "now": stored["line"]})
    return stored


def refuse_if_open(desk: Desk) -> None:
    """A question that is open somewhere is settled before anything else changes."""
    stored = open_ruling(desk)
    if stored is not None:
        raise Refused("ruling-open", facts={"line": stored["line"], "key": stored["asks"][0]["key"]})


def refuse_fresh(desk: Desk, tried: bool) -> None:
    """Refuse dice thrown anew for what may be forgotten: that they were is to be on record."""
    if tried or desk.campaign.branch:
        raise Refused("usage", key="fresh-in-try", exit=2)


def drop(desk: Desk, expects: Question | None = None) -> str:
    """Forget the open ruling; the line it was. Refused where there is none, or not the one expected."""
    with desk.campaign.writing():
        stored = the_open_ruling(desk, expects)
        if stored.get("fresh"):  # dice were thrown anew for it: that is on record, whatever becomes of the line
            _mark_fresh(desk, stored)
        openruling.drop(desk.path)
        return str(stored["line"])


def _mark_fresh(desk: Desk, stored: Mapping[str, Any]) -> None:
    dice = [{"key": key, **die} for key, die in stored["given"].items() if die["source"] == "rolled"]
    command = {"verb": "answer", "args": {"drop": True, "line": stored["line"]}}
    mark = {"kind": "mark", "line": "answer --drop", "command": command, "answers": dice, "fresh": True, "changes": []}
    desk.campaign.append([mark])
