"""The grammar of a verb: a command class says it all.

A command is a NamedTuple whose fields are ``Annotated[kind, Arg(...)]``, ``Opt``, ``Many`` or ``Flag``. From it come
the parser, help, completion, name resolution and JSON. A ``Kind`` reads one word: a number, a text, one of a few
words, or the name of a thing (by id, handle, name, or any unambiguous beginning).

Refusals (exit 2): ``unknown-name`` and ``ambiguous-name`` {value, kind, candidates, within}, ``not-an-option`` {value,
key, options} (``options-fit`` where it begins several, which are the options then), ``too-many-words`` {value},
``missing-word`` {argument (all that are missing), n}, ``unknown-option`` {value, options}. A value that an option
refuses has the fact ``option`` too. The key of ``unknown-name`` is ``unknown-name-far`` where the candidates are not
close (``-many`` {more} where not all are listed), ``unknown-name-none`` without any.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, get_origin

from gmtool.kernel.cached import cached
from gmtool.kernel.fold import fold, half_width, numeral
from gmtool.kernel.refusal import Id, Refused, Word


class Candidate(NamedTuple):
    """A thing that can be named: its id, its names in any script, its short handle.

    ``within`` is the thing it belongs to, where its id is one of that thing's only: it is named as ``within/id``.
    ``sure``: the rules themselves have listed it for the very line, which a trial of it would only find again.
    """

    id: str
    names: tuple[str, ...] = ()
    handle: str = ""
    within: str = ""
    sure: bool = False


def names_of(name: Any) -> tuple[str, ...]:
    """A name of the data in all the languages it has, a mapping where these are several; nothing without one."""
    return (name,) if isinstance(name, str) else tuple(name.values()) if isinstance(name, Mapping) else ()


class Scope(NamedTuple):
    """What a word is read against: the state, the game's data, and the words of the line read before it."""

    state: Any
    book: Any
    given: Mapping[str, Any]


class Kind(NamedTuple):
    """How one word is read. ``candidates`` lists what it may name; ``read`` reads otherwise, or more.

    ``offers`` lists words for a kind that reads, to be offered to somebody who types: each reads as its own id. It need
    not list all that is read, and whether the rules allow what it lists is not its business.
    """

    name: str
    read: Callable[[str, Scope], Any] | None = None
    candidates: Callable[[Scope], Sequence[Candidate]] | None = None
    offers: Callable[[Scope], Sequence[Candidate]] | None = None


class Arg(NamedTuple):
    """A word at its place; ``many`` takes the rest of the line's words."""

    kind: Kind
    many: bool = False


class Opt(NamedTuple):
    """A long option with a value; ``many`` may be given several times, ``each`` reads ``NAME=VALUE`` pairs."""

    flag: str
    kind: Kind
    many: bool = False


class Flag(NamedTuple):
    """A long option without a value; ``value`` is what the field takes when it is given."""

    flag: str
    value: Any = True


Spec = Arg | Opt | Flag


class Param(NamedTuple):
    """One field of a command with its place in the grammar."""

    name: str
    spec: Spec
    required: bool
    default: Any


@cached(256)
def params(command: Any) -> tuple[Param, ...]:
    """The fields of a command class as the grammar sees them; several flags may share a field."""
    found: list[Param] = []
    defaults: Mapping[str, Any] = command._field_defaults
    for name, kind in command.__annotations__.items():
        if get_origin(kind) is None and not hasattr(kind, "__metadata__"):
            continue
        for spec in getattr(kind, "__metadata__", ()):
            found.append(Param(name, spec, name not in defaults, defaults.get(name)))
    return tuple(found)


def read_words(command: type[Any], words: Mapping[str, Any], scope: Scope) -> Any:
    """A command from its words (field name -> word, list of words, or True), each read by its kind in order."""
    values: dict[str, Any] = {}
    for param in params(command):
        given = words.get(param.name)
        if given is None or param.name in values:
            continue
        if isinstance(param.spec, Flag):
            values[param.name] = given
            continue
        values[param.name] = read_field(param.spec, given, Scope(scope.state, scope.book, values))
    missing = [_written(param) for param in params(command) if param.required and param.name not in values]
    if missing:
        missing = list(dict.fromkeys(missing))
        raise Refused("usage", key="missing-word", exit=2, facts={"argument": missing, "n": len(missing)})
    return command(**values)


def _written(param: Param) -> str:
    """A field as it is typed: an option by its flag, a word by what it is."""
    return Word(param.name) if isinstance(param.spec, Arg) else param.spec.flag


def read_field(spec: Arg | Opt, given: Any, scope: Scope) -> Any:
    """What stands for one field; a value that is refused names the option it was given to."""
    try:
        if spec.many:
            return tuple(read_word(spec.kind, word, scope) for word in given)
        return read_word(spec.kind, given, scope)
    except Refused as refused:
        if isinstance(spec, Opt):
            refused.facts.setdefault("option", spec.flag)
        raise


def read_word(kind: Kind, word: str, scope: Scope) -> Any:
    """One word read by its kind; raises Refused with the candidates where it names nothing or several things."""
    if kind.candidates is not None and kind.read is None:
        return find(word, kind.name, kind.candidates(scope))
    return kind.read(word, scope) if kind.read else word


def find(word: str, kind: str, candidates: Sequence[Candidate]) -> str:
    """The id of the one thing a word names: exactly, or by an unambiguous beginning of its id or a name."""
    wanted = fold(word)
    for match in (_exactly, _beginning):
        met = [candidate for candidate in candidates if match(candidate, wanted)]
        ids = list(dict.fromkeys(candidate.id for candidate in met))
        if len(ids) == 1:
            return ids[0]
        if ids:
            raise Refused("ambiguous-name", exit=2, facts=_facts(word, kind, ids, candidates))
    raise _unknown(word, wanted, kind, candidates)


def _exactly(candidate: Candidate, wanted: str) -> bool:
    return wanted in {candidate.id, candidate.handle, *map(fold, candidate.names)} and bool(wanted)


def _beginning(candidate: Candidate, wanted: str) -> bool:
    return bool(wanted) and any(begins(fold(name), wanted) for name in (candidate.id, *candidate.names))


def begins(name: str, wanted: str) -> bool:
    """Whether a name begins so, both folded; a number is never cut: ``gains-1`` does not begin ``gains-12``."""
    rest = name[len(wanted) :]
    return name.startswith(wanted) and not (wanted[-1:].isdecimal() and rest[:1].isdecimal())


LISTED = 12
"""So many names are listed where none comes close; how many more there are is said."""


def _unknown(word: str, wanted: str, kind: str, candidates: Sequence[Candidate]) -> Refused:
    """The refusal of an unknown name: with what comes close, else with what there is, the first few of it."""
    from difflib import get_close_matches

    spelled = {fold(name): candidate.id for candidate in candidates for name in (candidate.id, *candidate.names)}
    near = list(dict.fromkeys(spelled[name] for name in get_close_matches(wanted, spelled, n=5, cutoff=0.5)))
    all = list(dict.fromkeys(c.id for c in candidates))
    facts = _facts(word, kind, near or all[:LISTED], candidates)
    key = "unknown-name" if near else "unknown-name-far" if all else "unknown-name-none"
    if key == "unknown-name-far" and len(all) > LISTED:
        key, facts["more"] = "unknown-name-many", len(all) - LISTED
    return Refused("unknown-name", key=key, exit=2, facts=facts)


def _facts(word: str, kind: str, ids: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, Any]:
    within = next((c.within for c in candidates if c.within), "")
    owner = {"within": within} if within else {}
    return {"value": word, "kind": Word(kind), "candidates": [Id(id) for id in ids], **owner}


def number(name: str, low: int, high: int, sign: str = "") -> Kind:
    """A whole number within limits; ``sign`` may stand behind it (``50%``)."""
    return Kind(name, lambda word, scope: numeral(half_width(word).removesuffix(sign), low, high))


def one_of(name: str, *options: str, said: Mapping[str, str] = MappingProxyType({})) -> Kind:
    """One of a few words, or an unambiguous beginning of one; ``said`` is what they are called besides."""
    called = {option: tuple([other for other, meant in said.items() if meant == option]) for option in options}
    listed = [Candidate(option, others) for option, others in called.items()]
    return Kind(name, lambda word, scope: option(word, options, Word(name), said=said), offers=lambda scope: listed)


def option(
    word: str, options: Sequence[str], key: str, rule: str = "", said: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The option a word means: the word itself, or the one option it begins, case and width ignored.

    ``said`` has other names of options, as in another language; they can be begun like the options themselves.
    """
    if word in options:
        return word
    wanted = fold(half_width(word))
    names = [(fold(o), o) for o in options] + [(fold(name), o) for name, o in said.items() if o in options]
    whole = [o for name, o in names if name == wanted]
    met = list(dict.fromkeys(whole or [o for name, o in names if wanted and name.startswith(wanted)]))
    if len(met) != 1:
        facts = {"value": word, "key": key, "options": met or list(options)}
        raise Refused("bad-value", key="options-fit" if met else "not-an-option", rule=rule, exit=2, facts=facts)
    return met[0]


def typed(name: str) -> str:
    """A name as it can be typed in a line: in quotes where it has blanks or quotes."""
    plain = name.isprintable() and not any(mark in name for mark in " \"'\u3000")
    return name if plain else quoted(name)


def quoted(word: str) -> str:
    """A word in quotes, as a line is read."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


TEXT = Kind("text")
WORD = Kind("word")
