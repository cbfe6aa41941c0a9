"""What can stand next in a line that is being typed: verbs, things, weapons, targets, options, answers.

A line of the game is only offered as far as the rules do not refuse it: each is tried on the state as it stands
(``kernel/trial.py``), nothing is written. What was tried is known until the journal grows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from sys import modules
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from gmtool.cli.arguments import arguments, asked_now, campaigns, sides
from gmtool.cli.begun import Begun, begun, parted, read_so_far
from gmtool.cli.dispatch import find
from gmtool.cli.lexer import join
from gmtool.cli.reply import Found
from gmtool.cli.verbs import COMMON, FOR_ONE_SIDE
from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.trial import never
from gmtool.kernel.words import Arg, Candidate, Flag, Opt, Param, params
from gmtool.referee.possible import in_order, trials_on

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.kernel.system import System
    from gmtool.kernel.trial import Trials
    from gmtool.referee.desk import Desk

PATIENCE = 0.006
"""Seconds after which beginnings that the rules have not refused yet are offered without a proof."""
EVERYWHERE = (
    "--dice", "--say", "--by", "--because", "--force", "--fresh", "--yes", "--json", "--lang", "--campaign", "--home",
    "--no-color", "--help",
)  # fmt: skip
"""The options of every line."""


class Offer(NamedTuple):
    """A word that can stand next.

    ``insert`` is put in place of the last ``-start`` characters before the cursor (``start`` is how many that is, as a
    number of 0 or more); it is in quotes where it has blanks. ``shown`` is it for people, ``about`` says more.
    """

    insert: str
    start: int
    shown: str
    about: str = ""


def complete(face: "Face", text: str) -> list[Offer]:
    """What can stand where the cursor is, behind ``text``; nothing where nothing does, or it cannot be found out.

    Never raises, writes nothing and leaves the face as it was.
    """
    try:
        line = begun(text)
        return _offers(face, line) if line else []
    except Exception:  # whatever keeps words from being offered is told to who sends the line, not to who types it
        return []


def rehearsal(face: "Face") -> Iterator[None]:
    """Import and try beforehand what is typed most, a little at a time: then what is offered is proved, and at once.

    Never raises. It ends when everything has been tried, and is of no more use when the journal has grown.
    """
    try:
        desk = face.desk_at_hand()
        if desk is None:
            return
        verbs = _verbs_of(desk.system)
        yield from _chapters(desk.system, verbs)
        if asked_now(desk) is not None:
            return
        trials = trials_on(desk)
        for verb in verbs:
            for _ in _each_beginning(trials, verb):
                yield
                trials.enough = never  # whoever asked meanwhile had less time
    except Exception:
        return


def _verbs_of(system: "System") -> list[str]:
    """The verbs of a game, those that are somebody's turn first."""
    return sorted(system.verbs, key=lambda verb: verb in system.beside)


def _chapters(system: "System", verbs: Sequence[str]) -> Iterator[None]:
    """Import the chapters of the verbs and those that follow, a step for each that was not there."""
    homes = dict.fromkeys([*(system.verbs[verb].partition(":")[0] for verb in verbs), *system.follows.values()])
    for home in homes:
        name = f"{system.package}.{home}"
        if name not in modules:
            import_module(name)
            yield


def _each_beginning(trials: "Trials", verb: str) -> Iterator[None]:
    """A verb by itself, then with each first word."""
    trials.enough = never
    fits = trials.goes_on(verb, {})
    yield
    slots = trials.slots(verb, {})
    for word in (trials.listed(slots[0], {}) or ()) if fits and slots else ():
        trials.goes_on(verb, trials.with_word({}, slots[0], word.id))
        yield


def _offers(face: "Face", line: Begun) -> list[Offer]:
    own = replace(face, options=line.options.merge(face.defaults), meant={}, line=None, seen=None)
    found = list(_words(own, line))
    offered = {offer.insert: offer for offer in found}
    return [*offered.values()]


def _words(face: "Face", line: Begun) -> Iterator[Offer]:
    if line.option:
        yield from _named(line, _values(face, line.option))
        return
    desk = face.desk_at_hand()
    words = line.words[1:] if line.words[:1] == ("help",) else line.words
    if not line.words and not line.prefix:
        yield from _answers(face, desk, line)
    if len(words) == 0 or _is_first_of_two(desk, words):
        yield from _verbs(face, desk, line, words)
        return
    if words is line.words:
        yield from _of_verb(face, desk, line, find(face, words))


# verbs


def _is_first_of_two(desk: "Desk | None", words: Sequence[str]) -> bool:
    """Whether the only word so far is no verb by itself, but begins some of two words."""
    verbs = _all_verbs(desk)
    return len(words) == 1 and words[0] not in verbs and any(verb.startswith(f"{words[0]} ") for verb in verbs)


def _all_verbs(desk: "Desk | None") -> list[str]:
    """The verbs, those of a game first, and of these the ones that are somebody's turn."""
    if desk is None:
        return [*COMMON]
    return [*_verbs_of(desk.system), *desk.system.looks, *COMMON]


def _verbs(face: "Face", desk: "Desk | None", line: Begun, words: Sequence[str]) -> Iterator[Offer]:
    """Verbs that begin so and can do something now; behind ``odds`` or ``try`` those of the game."""
    before, typed = "".join(f"{word} " for word in words), fold(line.word)
    game, known = desk.system.verbs if desk else {}, _all_verbs(desk)
    if line.prefix:
        known = [
            *(verb for verb in known if verb in game),
            "roll",
            *(["compare"] if line.prefix == ("odds",) and not line.words else []),
        ]
    elif not line.words:
        known += ["odds compare", "try", "help"]
    begun_so = [verb for verb in known if verb.startswith(before) and verb[len(before) :].startswith(typed)]
    trials = _trials(face, desk) if desk and line.words[:1] != ("help",) else None
    for verb in begun_so:
        if verb not in game or line.words[:1] == ("help",) or (trials and _goes_on(trials, verb)):
            yield Offer(verb[len(before) :], line.length, verb[len(before) :], _about_verb(face, verb))
    if not words:
        yield from _options_of_every_line(face, line, "")


def _goes_on(trials: "Trials", verb: str) -> bool:
    """Whether a verb can do something now; when there is no time left, those are believed that are not imported yet."""
    home = f"{trials.system.package}.{trials.system.verbs[verb].partition(':')[0]}"
    return (home not in modules and trials.enough()) or trials.goes_on(verb, {})


def _about_verb(face: "Face", verb: str) -> str:
    key = f"help.verb.{verb.replace(' ', '.')}"
    return face.words.say(key) if face.words.has(key) else ""


def _trials(face: "Face", desk: "Desk") -> "Trials | None":
    """The trials of the campaign with the time there is; None while a ruling is open, when all is refused."""
    if asked_now(desk) is not None:
        return None
    trials, start = trials_on(desk, face.options.force), perf_counter()
    trials.enough, trials.trusting = lambda: perf_counter() - start > PATIENCE, False
    return trials


# the words of one verb


def _of_verb(face: "Face", desk: "Desk | None", line: Begun, found: Found) -> Iterator[Offer]:
    """The next word of a verb, or its options."""
    words = parted(found.command, found.rest)
    if words is None or (found.kind != "common" and desk is None):
        return
    if found.kind == "common":
        yield from _of_common(face, line, found, words.args, words.waiting)
        return
    assert desk is not None
    trials = _trials(face, desk)
    given, slots = read_so_far(found.command, words, desk.state, desk.book)
    if trials is None and found.kind == "game":
        return
    of_line = _OfGame(face, desk, line, found, given, trials if found.kind == "game" else None)
    if words.waiting:
        param = next(param for param in params(found.command) if getattr(param.spec, "flag", "") == words.waiting)
        yield from of_line.words(param)
        return
    if slots and not line.dashed:
        yield from of_line.words(slots[0])
    if line.dashed or not any(slot.required and slot.name not in given for slot in slots):
        yield from of_line.options([flag for flag, _ in words.options])


class _OfGame(NamedTuple):
    """A line of a verb of the game as far as it has come; without trials all that is listed is offered."""

    face: "Face"
    desk: "Desk"
    line: Begun
    found: Found
    given: dict[str, Any]
    trials: "Trials | None"

    def words(self, param: Param) -> Iterator[Offer]:
        """What can stand in a field."""
        if self.trials is not None:
            fit = self.trials.words(self.found.verb, self.given, param, lambda word: bool(_way(word, self.line.word)))
        else:
            listed = trials_on(self.desk).listed(param, self.given) or ()
            fit = iter([word for word in listed if _way(word, self.line.word)])
        yield from _named(self.line, sorted(fit, key=in_order), lambda word: _about(self.face, self.desk, word))

    def options(self, used: Sequence[str]) -> Iterator[Offer]:
        """The options that the line can still have, then those of every line."""
        for param in params(self.found.command):
            spec = param.spec
            if isinstance(spec, Arg) or not spec.flag.startswith(self.line.word or "--"):
                continue
            if (spec.flag in used and not getattr(spec, "many", False)) or not self._fits(param):
                continue
            key = f"help.opt.{self.found.verb.replace(' ', '.')}.{spec.flag.removeprefix('--')}"
            yield Offer(spec.flag, self.line.length, spec.flag, self.face.words.say(key))
        yield from _options_of_every_line(self.face, self.line, self.found.verb)

    def _fits(self, param: Param) -> bool:
        """Whether a line with an option is not refused; of one with a value nobody can list the line without it."""
        if self.trials is None:
            return True
        if isinstance(param.spec, Flag):
            other = self.given.get(param.name, param.spec.value) != param.spec.value
            given = {**self.given, param.name: param.spec.value}
            return not other and self.trials.goes_on(self.found.verb, given)
        if self.trials.listed(param, self.given) is None:
            return self.trials.goes_on(self.found.verb, self.given)
        return next(self.trials.words(self.found.verb, self.given, param, lambda word: True), None) is not None


def _options_of_every_line(face: "Face", line: Begun, verb: str) -> Iterator[Offer]:
    if not line.dashed:
        return
    own = [*EVERYWHERE, *(("--for",) if verb in FOR_ONE_SIDE else ())]
    for option in own:
        if option.startswith(line.word):
            yield Offer(option, line.length, option, face.words.say(f"help.global.{option.removeprefix('--')}"))


def _of_common(face: "Face", line: Begun, found: Found, args: Sequence[str], waiting: str) -> Iterator[Offer]:
    """The next word of a common verb: what its kind lists, or what is known to be meant by it; its options."""
    slots = [param for param in params(found.command) if isinstance(param.spec, Arg)]
    slot = slots[min(len(args), len(slots) - 1)] if slots else None
    options = [param for param in params(found.command) if not isinstance(param.spec, Arg)]
    if waiting:
        param = next(param for param in options if isinstance(param.spec, Opt) and param.spec.flag == waiting)
        yield from _named(line, arguments(face, found.verb, param, args))
        return
    free = slot is not None and (len(args) < len(slots) or getattr(slot.spec, "many", False))
    if slot is not None and free and not line.dashed:
        yield from _named(line, arguments(face, found.verb, slot, args))
    if line.dashed or not (slot and slot.required and not args):
        for param in options:
            assert isinstance(param.spec, Opt | Flag)
            if param.spec.flag.startswith(line.word or "--"):
                key = f"help.opt.{found.verb.replace(' ', '.')}.{param.spec.flag.removeprefix('--')}"
                yield Offer(param.spec.flag, line.length, param.spec.flag, face.words.say(key))
    yield from _options_of_every_line(face, line, found.verb)


# answers and options of every line


def _answers(face: "Face", desk: "Desk | None", line: Begun) -> Iterator[Offer]:
    """While a declaration is asked for, what can be said; typed alone it is the answer."""
    from gmtool.render.words import Words

    opened = asked_now(desk) if desk else None
    if opened and opened["asks"][0]["kind"] != "dice":
        words = Words(face.words, {})
        said = [(option, words.value(option)) for option in opened["asks"][0]["options"]]
        yield from _named(line, [Candidate(option, (name,)) for option, name in said])


def _values(face: "Face", option: str) -> list[Candidate]:
    """What can be the value of an option of every line."""
    from gmtool.text.catalogue import LANGUAGES

    known: Mapping[str, Callable[[], list[Candidate]]] = {
        "--campaign": lambda: campaigns(face),
        "--lang": lambda: [Candidate(lang) for lang in LANGUAGES],
        "--for": lambda: sides(face),
    }
    return known[option]() if option in known else []


# how a word is offered


def _named(
    line: Begun, words: Iterable[Candidate], about: Callable[[Candidate], str] = lambda word: _other_name(word)
) -> Iterator[Offer]:
    """Things, each by the way of naming it that has been begun."""
    for word in words:
        way = _way(word, line.word)
        if way:
            told = about(word)
            yield Offer(join([way]), line.length, way, "" if told == way else told)


def _way(word: Candidate, typed: str) -> str:
    """The way of naming a thing that begins as typed: its handle or id, else a name; empty where none does.

    A name that looks like an option is not read as a name even in quotes: the handle stands for it.
    """
    begun, short = fold(typed), "" if word.handle.isdecimal() else word.handle
    named = next(iter(word.names), "")
    if not begun and not short and not named.isascii():  # an id in other letters than the name says nothing
        return named
    for way in (short, word.id):
        if way and fold(way).startswith(begun):
            return way
    if begun and word.handle == begun:
        return word.id
    met = next((name for name in word.names if begun and fold(name).startswith(begun)), "")
    return (short or word.id) if half_width(met).startswith("-") else met


def _other_name(word: Candidate) -> str:
    return next((name for name in word.names if name != word.id), "")


def _about(face: "Face", desk: "Desk", word: Candidate) -> str:
    """What a thing is called, and the number that it can be named by too."""
    within = f"{word.within}/{word.id}" if word.within else word.id
    name = desk.name_of(within)
    told = face.words.fact({"id": within}, {within: name}) if name is not None else _other_name(word)
    return f"{told} ({word.handle})" if word.handle.isdecimal() and told else told
