"""Trying lines on a state: which words can stand next so that the rules do not refuse the line.

A line is tried by judging it up to the first die or declaration that is missing; nothing is kept. Words that are still
to come are blank: a refusal that comes without a look at them holds whatever they are, so what cannot be is left out
word by word and no line is tried that begins like a refused one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.asks import Answers, Cursor, Missing
from gmtool.kernel.blank import BLANK, Depends
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import run
from gmtool.kernel.state import BadRow, State
from gmtool.kernel.system import System
from gmtool.kernel.words import Arg, Candidate, Opt, Param, Scope, params

Given = Mapping[str, Any]
"""What a line has so far: the values of its fields, as its kinds have read them."""
NOTHING_SAID = Answers()
IN_VAIN = 4
"""Words that came up so often in vain are looked through by themselves."""
NOT_UNDERSTOOD = 2
"""The exit code of a line that means nothing yet."""


class Verdict(NamedTuple):
    """What became of a trial: refused, or not; ``depends``: it came to a word that is still to be said."""

    refused: Refused | None = None
    depends: bool = False


NOT_REFUSED, OPEN = Verdict(), Verdict(depends=True)


class Trials:
    """The lines tried on one state, each once; ``spent`` counts them.

    A beginning goes on where some line with it is not refused. When it is ``enough``, a beginning that has not been
    refused counts as going on, and so does a word that is sure; all others are always tried, and nothing that was only
    believed is remembered. When it is ``trusting`` it believes what is sure at once.
    """

    def __init__(self, system: System, state: State, book: Any, settings: Settings) -> None:
        self.system, self.state, self.book = system, state, book
        self.enough: Callable[[], bool] = never
        self.trusting = False
        self.spent = 0
        self._settings = settings
        self._commands: dict[str, Any] = {}
        self._tried: dict[tuple[Any, ...], Verdict] = {}
        self._fits: dict[tuple[Any, ...], bool] = {}
        self._listed: dict[Any, Sequence[Candidate]] = {}
        self._sieved: dict[tuple[str, str], Sequence[Candidate]] = {}
        self._came: Counter[tuple[str, str]] = Counter()
        self._did: dict[tuple[str, str], str] = {}

    # one line

    def verdict(self, verb: str, given: Given, blank: bool = False) -> Verdict:
        """What the rules say to a line; with ``blank`` the words it could still have are left open."""
        key = (verb, blank, *given.items())
        known = self._tried.get(key)
        if known is None:
            self.spent += 1
            known = self._tried[key] = self._judged(verb, given, blank)
        return known

    def _judged(self, verb: str, given: Given, blank: bool) -> Verdict:
        command = self.command(verb)
        case: Case[Any, Any] = Case(self.system, self.state.fork(), self.book, Cursor(NOTHING_SAID), self._settings)
        try:
            run(self.system, case, command(**_with_blanks(command, given, blank)))
        except Missing:
            return NOT_REFUSED
        except Depends:
            return OPEN
        except Refused as refused:
            return Verdict(refused)
        except BadRow as error:
            return Verdict(error.refusal())
        except TypeError:
            # functions of Python's own want text or numbers, and say so where they get a word still to be said
            if not blank and all(param.name in given for param in params(command) if param.required):
                raise
            return OPEN
        return NOT_REFUSED

    def command(self, verb: str) -> Any:
        """The command class of a verb."""
        known = self._commands.get(verb)
        if known is None:
            known = self._commands[verb] = self.system.command(verb)
        return known

    # what can stand next

    def slots(self, verb: str, given: Given) -> list[Param]:
        """The words that a line can still have, in order, options left aside; more of those of which it has some."""
        of_verb = [param for param in params(self.command(verb)) if isinstance(param.spec, Arg)]
        return [param for param in of_verb if param.name not in given or _several(param)]

    def words(self, verb: str, given: Given, param: Param, begun: Callable[[Candidate], bool]) -> Iterator[Candidate]:
        """What can stand in a field next so that the line goes on, of what is ``begun``; nothing where all may."""
        for word in self.listed(param, given) or ():
            wanted = begun(word) and word.id not in _so_far(given, param)
            if wanted and (self.believed(word) or self._fits_in(verb, given, param, word.id)):
                yield word

    def believed(self, word: Candidate) -> bool:
        """Whether a word that is sure need not be tried, or cannot be for want of time."""
        return word.sure and (self.trusting or self.enough())

    def with_word(self, given: Given, param: Param, word: Any) -> dict[str, Any]:
        """A line with one word more; of a field that takes several it is the next one."""
        return {**given, param.name: (*_so_far(given, param), word) if _several(param) else word}

    def listed(self, param: Param, given: Given) -> Sequence[Candidate] | None:
        """What can be named in a field, each by what it is read as; None where its kind lists nothing."""
        assert isinstance(param.spec, Arg | Opt)
        offers = param.spec.kind.offers or param.spec.kind.candidates
        if offers is None:
            return None
        known = self._listed.get(offers)
        if known is None:
            watched = _Watched(given)
            known = offers(Scope(self.state, self.book, watched))
            if not watched.used:
                self._listed[offers] = known
        return known

    def goes_on(self, verb: str, given: Given) -> bool:
        """Whether a line that begins so, or is no more than this, is not refused."""
        key = (verb, *given.items())
        known = self._fits.get(key)
        if known is None:
            known = self._goes_on(verb, given)
            if not self.enough():
                self._fits[key] = known
        return known

    def _goes_on(self, verb: str, given: Given) -> bool:
        slots = self.slots(verb, given)
        whole = not any(slot.required and slot.name not in given for slot in slots)
        if whole and self._so_far_is_done(verb, given, slots):
            return True
        if not slots or self.verdict(verb, given, blank=True).refused:
            return False
        if whole and self.verdict(verb, given).refused is None:
            return True
        words = self._worth(verb, slots[0], given)
        if words is None:
            return slots[0].required  # a word of anybody's choice may be right, but hardly saves a line that is refused
        if self.enough():
            return True
        so_far = _so_far(given, slots[0])
        if so_far and not self.unfinished(verb, given):
            return False
        return any(self._fits_in(verb, given, slots[0], word.id) for word in words if word.id not in so_far)

    def unfinished(self, verb: str, given: Given) -> bool:
        """Whether a line is refused as one that is not understood, so that a further word may help it."""
        refused = self.verdict(verb, given).refused
        return refused is not None and refused.exit == NOT_UNDERSTOOD

    def _so_far_is_done(self, verb: str, given: Given, slots: Sequence[Param]) -> bool:
        """Whether a line without words to come, or whose next one is a further one of several, is not refused as it is.

        Else the open line is tried first: whoever is refused whatever comes is refused in one trial.
        """
        return (not slots or slots[0].name in given) and self.verdict(verb, given).refused is None

    def _fits_in(self, verb: str, given: Given, slot: Param, word: str) -> bool:
        """Whether a line goes on with this word; one that does is tried first where the same is asked again."""
        fits = self.goes_on(verb, self.with_word(given, slot, word))
        if fits:
            self._did[verb, slot.name] = word
        return fits

    def _worth(self, verb: str, slot: Param, given: Given) -> Sequence[Candidate] | None:
        """The words of a field that are worth a trial, the one in front that did last time.

        What one unit can hit another often can. Where the same words came up a few times in vain, those are left out
        that are refused whatever stands before them.
        """
        place = verb, slot.name
        words = self._sieved.get(place) or self.listed(slot, given)
        if not words:
            return words
        self._came[place] += 1
        if self._came[place] == IN_VAIN and place not in self._sieved and words in self._listed.values():
            words = self._sieved[place] = [w for w in words if not self._never(verb, slot, w.id)] or [words[0]]
        did = self._did.get(place)
        return sorted(words, key=lambda word: word.id != did) if did else words

    def _never(self, verb: str, slot: Param, word: str) -> bool:
        return self.verdict(verb, self.with_word({}, slot, word), blank=True).refused is not None


def never() -> bool:
    """There is all the time there can be."""
    return False


def _several(param: Param) -> bool:
    return bool(getattr(param.spec, "many", False))


def _so_far(given: Given, param: Param) -> tuple[Any, ...]:
    """The words of a field that takes several."""
    return tuple(given.get(param.name, ())) if _several(param) else ()


def _with_blanks(command: Any, given: Given, blank: bool) -> dict[str, Any]:
    """The fields of a command, blank where a word is missing; with ``blank`` where one could still come."""
    words: dict[str, Any] = {**given}
    for param in params(command):
        open_still = blank and isinstance(param.spec, Arg)
        if open_still and _several(param) and param.name in given:
            words[param.name] = (*given[param.name], BLANK)
        elif param.name not in words and (param.required or open_still):
            words[param.name] = BLANK
    return words


class _Watched(dict[str, Any]):
    """The words of a line, and whether a kind has looked at them: what does not depend on them is listed once."""

    used = False

    def __getitem__(self, name: str) -> Any:
        self.used = True
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The word, marked as looked at."""
        self.used = True
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.used = True
        return super().__contains__(name)
