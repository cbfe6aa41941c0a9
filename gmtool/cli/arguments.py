"""What the words of the common verbs can be, as far as there is a list of it; the files it stands in are only read."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gmtool.kernel.words import Arg, Candidate, Opt, Param, Scope

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk


def arguments(face: "Face", verb: str, param: Param, before: Sequence[str]) -> Sequence[Candidate]:
    """What can stand in a field of a common verb, with the words that stand before it."""
    assert isinstance(param.spec, Arg | Opt)
    known = KNOWN.get((verb, param.name)) or KNOWN.get(("", param.name))
    if known is not None:
        return known(face, before)
    kind = param.spec.kind
    listed = kind.offers or kind.candidates
    return listed(Scope(None, None, {})) if listed else ()


def campaigns(face: "Face", before: Sequence[str] = ()) -> list[Candidate]:
    """The campaigns of the home."""
    from gmtool.store.names import campaign_folders

    return [Candidate(folder.name) for folder in campaign_folders(face.home.path)]


def sides(face: "Face", before: Sequence[str] = ()) -> list[Candidate]:
    """The sides that the board can be shown to, where the game can do that."""
    desk = face.whole()
    views = desk.system.view()
    if not hasattr(views, "known"):
        return []
    return [Candidate(id, tuple(desk.spoken(id))) for id in views.sides(desk.state)]


def asked_now(desk: "Desk") -> dict[str, Any] | None:
    """The ruling that is open; what is wrong with its file is told to who sends a line, not to who types one."""
    from gmtool.referee.opened import open_ruling

    told = len(desk.campaign.notices)
    opened = open_ruling(desk)
    del desk.campaign.notices[told:]
    return opened


def _things(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """All that has a name on the board."""
    return face.whole().candidates()


def _rules(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """The rules that there is a sentence for."""
    sentences = face.words.sentences
    return [Candidate(key[5:], (str(sentences[key]),)) for key in sentences if key.startswith("rule.")]


def _games(face: "Face", before: Sequence[str]) -> list[Candidate]:
    return [Candidate(id) for id in face.registry.found]


def _codes(face: "Face", before: Sequence[str]) -> list[Candidate]:
    from gmtool.cli.codes import CODES

    return [Candidate(code) for code in CODES]


def _settings(face: "Face", before: Sequence[str]) -> list[Candidate]:
    from gmtool.cli.settings import options_of

    return [Candidate(name) for name in options_of(face)]


def _setting_values(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """What the setting named before can be set to."""
    from gmtool.cli.settings import DEFAULT, options_of

    found = options_of(face, before[0]).values()
    return [Candidate(option) for options in found for option in (*options, DEFAULT)]


def _answers(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """What the open question can be answered with."""
    opened = asked_now(face.whole())
    ask = opened["asks"][0] if opened else None
    return [Candidate(option) for option in ask["options"]] if ask and not before else []


def _checkpoints(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """The places that have a name to go back to."""
    return [Candidate(row.name) for row in face.whole().state.table("checkpoints").values()]


def _readings(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """The interpretations, each by what it is about."""
    return [Candidate(id, (face.words.say(f"choice.{id}"),)) for id in face.whole().data.get("interpretations", {})]


def _sheets(face: "Face", before: Sequence[str]) -> list[Candidate]:
    """The sheets that the campaign has pinned."""
    return [Candidate(id) for id in face.whole().state.table("sheets")]


KNOWN: Mapping[tuple[str, str], Callable[["Face", Sequence[str]], list[Candidate]]] = {
    ("campaign use", "name"): campaigns,
    ("campaign show", "name"): campaigns,
    ("campaign rename", "name"): campaigns,
    ("campaign remove", "name"): campaigns,
    ("status", "name"): _things,
    ("can", "name"): _things,
    ("reroll", "who"): _things,
    ("rules show", "rules"): _rules,
    ("config", "key"): _settings,
    ("config", "value"): _setting_values,
    ("errors", "code"): _codes,
    ("demo", "game"): _games,
    ("answer", "words"): _answers,
    ("undo", "to"): _checkpoints,
    ("interpretations", "words"): _readings,
    ("rules upgrade", "sheets"): _sheets,
    ("", "system"): _games,
}
"""Verb and field (or a field of any verb) -> what is listed for it."""
