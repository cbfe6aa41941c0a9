"""Judging the latest ruling again: a die thrown again for a life, or one word of the line put in place of another.

The new ruling is judged on the state before the old one, with its faces (by key) and its declarations. It is one step:
its line takes the old one back and does the new, and an undo brings the old ruling back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from gmtool.kernel.asks import Answers, Cursor, Given, again_key, first_key
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.state import State, encode
from gmtool.kernel.system import COMMON_VERBS
from gmtool.kernel.typed import read_dice
from gmtool.kernel.words import Arg, Flag, Param, Scope, begins, params, read_field, read_word
from gmtool.referee.act import Done, check_names, judged, named_by_id, restored
from gmtool.referee.desk import Desk
from gmtool.referee.ground import Ground, ground, latest
from gmtool.referee.opened import Opened, Request, open_ruling, refuse_if_open

Line = dict[str, Any]


class Thrown(NamedTuple):
    """A die of a ruling: its key, who threw it, the faces that stand, how often it was thrown; may it be ``again``?"""

    key: str
    who: str
    faces: tuple[int, ...]
    times: int
    again: bool

    def told(self) -> str:
        """The die as a list of candidates shows it: ``attack.lead 92``."""
        digits = all(face < 10 for face in self.faces)
        return f"{self.key} {('' if digits else '+').join(map(str, self.faces))}"


# throwing again


def reroll(desk: Desk, who: str, roll: Sequence[str], value: str, request: Request) -> Done:
    """Throw a die of the open or latest ruling again (``value``: yes or raise). Raises Refused, or NeedsAnswer."""
    with desk.campaign.writing():
        stored = open_ruling(desk)
        line = None if stored else latest(desk)
        dice = _dice_of_open(stored) if stored else _dice_of_line(line or {})
        base = ground(desk, stored.get("amends") if stored else (line or {})["seq"])
        die = _meant(desk, base, dice, who, roll)
        request = named_by_id(desk, request)
        said = {**request.said, again_key(die.key, die.times): value}
        request = replace(request, said=said)
        opened = Opened.read(stored, request) if stored else once_more(desk, line or {}, request)
        loose, named = read_dice(request.dice)
        opened.named += named
        return judged(desk, restored(desk, opened.verb, opened.args), opened, loose + opened.loose)


def _dice_of_line(line: Line) -> list[Thrown]:
    """The dice of a ruling in the journal."""
    thrown = (
        (die["key"], entry["who"]["id"], die["faces"], entry.get("again", False))
        for entry in line["trace"]
        if entry["t"] == "dice"
        for die in entry["dice"]
    )
    return _joined(thrown)


def _dice_of_open(stored: Line) -> list[Thrown]:
    """The dice that the open ruling has got so far."""
    return _joined((key, die["who"], die["faces"], die["again"]) for key, die in stored["given"].items())


def _joined(thrown: Iterator[tuple[str, str, list[int], bool]]) -> list[Thrown]:
    """One entry for a die and its further throws."""
    found: dict[str, Thrown] = {}
    for key, who, faces, again in thrown:
        first = first_key(key)
        times = found[first].times + 1 if first in found else 1
        found[first] = Thrown(first, who, tuple(faces), times, again)
    return list(found.values())


def _meant(desk: Desk, base: Ground, dice: list[Thrown], who: str, roll: Sequence[str]) -> Thrown:
    """The one die that a unit or pilot and the words of a roll mean; Refused with the candidates."""
    id = _thrower(desk, dice, who) if who else ""
    theirs = [die for die in dice if not id or die.who == id or _belongs(base.state, die.who, id)]
    met = _named(desk, theirs, [part for word in roll for part in word.split(".") if part])
    good = [die for die in met if die.again]
    if len(good) == 1:
        return good[0]
    value = " ".join([who, *roll]).strip()
    if good:
        raise Refused("ambiguous-name", key="reroll-which", exit=2, facts={"rolls": [die.told() for die in good]})
    listed = [die.told() for die in theirs if die.again] or [die.told() for die in dice if die.again]
    if not listed:
        raise Refused("no-reroll", key="reroll-none")
    if met:
        raise Refused("no-reroll", key="reroll-stands", facts={"value": met[0].told(), "rolls": listed})
    raise Refused("unknown-name", key="reroll-unknown", exit=2, facts={"value": value, "rolls": listed})


def _thrower(desk: Desk, dice: list[Thrown], who: str) -> str:
    """The thing a word names; of several, the one that threw dice in this ruling."""
    try:
        return desk.find(who)
    except Refused as refused:
        met = {die.who for die in dice} & set(refused.facts.get("candidates", ()))
        if refused.code != "ambiguous-name" or len(met) != 1:
            raise
        return met.pop()


def _belongs(state: State, one: str, other: str) -> bool:
    """Whether one thing's row refers to the other, a unit's to its pilot, a pilot's to the seat; or he rolls for it."""
    return bool(one) and (_refers(state, one, other) or _refers(state, other, one) or state.behind(one) == other)


def _refers(state: State, id: str, to: str) -> bool:
    values = [value for row in _rows(state, id) for value in dict(encode(row)).values()]
    return any(value == to for value in values if isinstance(value, str))


def _rows(state: State, id: str) -> list[Any]:
    """The rows of an id, in whatever table."""
    return [row for table in state.kinds if (row := state.row(table, id)) is not None]


def _named(desk: Desk, dice: list[Thrown], words: list[str]) -> list[Thrown]:
    """The dice whose key has the words among its parts, in order; a whole key goes first, then parts in full."""
    exact = [die for die in dice if _along(desk, words, die.key.split("."), True)]
    whole = [die for die in exact if len(words) == len(die.key.split("."))]
    return whole or exact or [die for die in dice if _along(desk, words, die.key.split("."), False)]


def _along(desk: Desk, words: list[str], parts: list[str], whole: bool) -> bool:
    at = 0
    for part in parts:
        names = [fold(name) for name in (part, *desk.spoken(part))]
        wanted = fold(words[at]) if at < len(words) else ""
        at += bool(wanted) and any(name == wanted or (not whole and begins(name, wanted)) for name in names)
    return at == len(words)


# amending


def amendable(desk: Desk) -> Any:
    """The command class of the latest ruling; Refused where none stands, or one is open."""
    refuse_if_open(desk)
    return _kind(desk, latest(desk))


def _kind(desk: Desk, line: Line) -> Any:
    verb = line["command"]["verb"]
    if verb not in desk.system.verbs and verb not in COMMON_VERBS:
        raise Refused("nothing-to-amend", key="amend-not-this", facts={"seq": line["seq"], "line": line["line"]})
    return desk.system.command(verb)


def amend(desk: Desk, options: Mapping[str, Any], words: Sequence[str], request: Request) -> Done:
    """Judge the latest ruling again with one thing changed. ``options`` are the verb's own by field, ``words`` bare."""
    with desk.campaign.writing():
        kind, line = amendable(desk), latest(desk)
        base = ground(desk, line["seq"])
        args = line["command"]["args"]
        command = _amended(kind, restored(desk, line["command"]["verb"], args), options, words, base)
        moves = _moves(base.state, args, command._asdict())
        opened = once_more(desk, line, named_by_id(desk, request), moves, _lapsed(base.state, line, moves))
        opened.args = command._asdict()
        loose, named = read_dice(request.dice)
        cursor = Cursor(Answers(named=named), desk.speech)
        opened.given = {key: die for key, die in opened.given.items() if not cursor.replaces(key)}
        opened.named += named
        return judged(desk, command, opened, loose)


def once_more(
    desk: Desk,
    line: Line,
    request: Request,
    moves: Mapping[str, str] | None = None,
    lapsed: frozenset[str] = frozenset(),
) -> Opened:
    """The ruling of a line as one under way: all its faces and declarations given; ids in keys renamed by ``moves``.

    Of the ``lapsed`` dice only the first throw is given.
    """
    _kind(desk, line)

    def moved(key: str) -> str:
        kind, *parts = key.split(".")
        return ".".join([kind, *((moves or {}).get(part, part) for part in parts)])

    def stays(key: str) -> bool:
        return first_key(key) == key or first_key(key) not in lapsed

    given = {
        moved(die["key"]): Given(tuple(die["faces"]), die["fixed"], die["source"], die["by"])
        for die in line["answers"]
        if stays(die["key"])
    }
    before = {moved(key): value for key, value in line.get("said", {}).items() if stays(key)}
    before = {key: value for key, value in before.items() if not _said_anew(desk, key, request.said)}
    again = replace(
        request, verb=line["command"]["verb"], words={}, said={**before, **request.said},
        because=request.because or line["because"], was_fresh=bool(line.get("fresh")),
    )  # fmt: skip
    aside = tuple((each["code"], each["rule"]) for each in line["overruled"])
    args = line["command"]["args"]
    return Opened(again.verb, args, again, given, (), line["seq"], aside, frozenset(before))


def _lapsed(state: State, line: Line, moves: Mapping[str, str]) -> frozenset[str]:
    """The dice of whoever another stands in place of now: a life that one has spent is not spent by the other."""
    return frozenset(
        die.key for die in _dice_of_line(line) if any(die.who == old or _belongs(state, die.who, old) for old in moves)
    )


def _said_anew(desk: Desk, key: str, said: Mapping[str, str]) -> bool:
    """Whether a declaration made before is made again now, under its key or a beginning of it."""
    return key in said or (bool(said) and Cursor(Answers(said=said), desk.speech).said(key) is not None)


def _amended(kind: Any, command: Any, options: Mapping[str, Any], words: Sequence[str], base: Ground) -> Any:
    """The command with options and words put in place of its own."""
    check_names(kind, options)
    values = command._asdict()
    for param in params(kind):
        if param.name in options:
            given = options[param.name]
            scope = Scope(base.state, base.book, values)
            values[param.name] = given if isinstance(param.spec, Flag) else read_field(param.spec, given, scope)
    read = _read_again(kind, {**values, **_placed(kind, values, words, base)}, base)
    check_names(kind, {field: value for field, value in read.items() if value})
    return kind(**read)


def _read_again(kind: Any, values: Mapping[str, Any], base: Ground) -> dict[str, Any]:
    """All words, each read by its kind beside the new ones: the weapon of another unit may be no weapon of this one."""
    read: dict[str, Any] = {}
    for param in params(kind):
        value = values[param.name]
        if not isinstance(param.spec, Flag) and param.name not in read and _is_words(value):
            value = read_field(param.spec, value, Scope(base.state, base.book, read))
        read[param.name] = value
    return read


def _is_words(value: Any) -> bool:
    """Whether a value is kept as it is typed, one word or several; figures are read already."""
    several = value if isinstance(value, tuple) else (value,)
    return bool(value) and all(isinstance(each, str) for each in several)


def _placed(kind: Any, values: dict[str, Any], words: Sequence[str], base: Ground) -> dict[str, Any]:
    """Bare words by field, last word first: each goes to the last field that reads it, before those already placed."""
    fields = [param for param in params(kind) if isinstance(param.spec, Arg)]
    placed: dict[str, Any] = {}
    left = len(fields)
    for word in reversed(words):
        place, value = _place(word, fields, left, Scope(base.state, base.book, {**values, **placed}))
        field = fields[place]
        check_names(kind, {field.name: value})
        many = isinstance(field.spec, Arg) and field.spec.many
        placed[field.name] = (value, *placed.get(field.name, ())) if many else value
        left = place + many
    return placed


def _place(word: str, fields: Sequence[Param], left: int, scope: Scope) -> tuple[int, Any]:
    """The last of the fields still left that reads a word, and what it reads; Refused where none does."""
    ambiguous: Refused | None = None
    for place in range(left - 1, -1, -1):
        try:
            return place, read_word(fields[place].spec.kind, word, scope)  # type: ignore[union-attr]
        except Refused as refused:
            ambiguous = ambiguous or (refused if refused.code == "ambiguous-name" else None)
    facts = {"value": word, "arguments": [Word(field.name) for field in fields]}
    raise ambiguous or Refused("bad-value", key="amend-no-place", exit=2, facts=facts)


def _moves(state: State, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """The things that others stand in place of now: their faces and declarations move along."""
    moves: dict[str, str] = {}
    for field, old in before.items():
        olds, news = _several(old), _several(after[field])
        gone = [id for id in olds if id not in news and _rows(state, id)]
        come = [id for id in news if id not in olds and _rows(state, id)]
        moves |= dict(zip(gone, come, strict=False))
    return moves


def _several(value: Any) -> list[str]:
    """A word, or several, as a list; nothing for figures and what is empty."""
    values = value if isinstance(value, list | tuple) else [value]
    return [each for each in values if isinstance(each, str) and each]
