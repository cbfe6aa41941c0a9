"""The one bridge from a command class to a Typer command: it takes the line's words apart, the grammar reads them.

Typer sees strings only. What it cannot take apart is worded by us, from the catalogues.

Refusals (exit 2, code ``usage``): ``unknown-option`` {value, options}, ``option-needs-value`` {option},
``option-contradicts`` {option, value, other}, ``too-many-words`` {value, arguments}.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Annotated, Any

from gmtool.cli.lexer import END_OF_OPTIONS, Token, option_of
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.words import Arg, Flag, Opt, Param, params


def take_apart(command: Any, words: Sequence[str]) -> dict[str, Any]:
    """The words of a verb by field name: a word, a list of words, or what a flag stands for."""
    if not words:
        return {}  # a verb on its own is spared the import of Typer

    from typer.exceptions import TyperException

    names = list(words).index(END_OF_OPTIONS) if END_OF_OPTIONS in words else len(words)
    given = [_checked(command, word) for word in words[:names]] + list(words[names:])
    _refuse_contradictions(command, given[:names])
    try:
        with typer_command(command).make_context(command.__name__, [*given]) as context:
            taken, rest = dict(context.params), list(context.args)
    except TyperException:
        # the only fault left is a last option without its value
        option = next((word for word in reversed(given) if word.startswith("--")), "")
        raise Refused("usage", key="option-needs-value", exit=2, facts={"option": option}) from None
    if rest:
        named = [Word(param.name) for param in params(command) if isinstance(param.spec, Arg)]
        raise Refused("usage", key="too-many-words", exit=2, facts={"value": rest[0], "arguments": named})
    return _by_field(command, taken)


def parted(command: Any, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The options of a verb by field name, and the bare words between them as they stand."""
    options: list[str] = []
    bare: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == END_OF_OPTIONS:
            bare += rest
        elif option_of(Token(word)) is None:
            bare.append(word)
        else:
            options.append(_checked(command, word))
            param = _options(command)[word.partition("=")[0]]
            if isinstance(param.spec, Opt) and "=" not in word:
                options += [value for value in (next(rest, None),) if value is not None]
    return take_apart(command, options), bare


def _checked(command: Any, word: str) -> str:
    """A word, if it is no option of another verb."""
    option, _ = option_of(Token(word)) or (None, None)
    if option is None or option in _options(command):
        return word
    from difflib import get_close_matches

    known = list(_options(command))
    facts = {"value": option, "options": known, "near": get_close_matches(option, known, n=1)}
    raise Refused("usage", key="unknown-option", exit=2, facts=facts)


def _refuse_contradictions(command: Any, words: Sequence[str]) -> None:
    """Refuse an option that may be given once and has two values."""
    known, found = _options(command), dict[str, str]()
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        spec = known[option].spec if option in known else None
        if not isinstance(spec, Opt):
            continue
        value = value if equals else next(rest, "")
        if found.setdefault(option, value) != value and not spec.many:
            facts = {"option": option, "value": found[option], "other": value}
            raise Refused("usage", key="option-contradicts", exit=2, facts=facts)


@lru_cache(maxsize=256)
def _options(command: Any) -> Mapping[str, Param]:
    """The long options of a verb."""
    return {param.spec.flag: param for param in params(command) if isinstance(param.spec, Opt | Flag)}


def _flags(command: Any, field: str) -> list[str]:
    """The flags that set a field."""
    return [p.spec.flag for p in params(command) if p.name == field and isinstance(p.spec, Flag)]


def _by_field(command: Any, taken: Mapping[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for place, param in enumerate(params(command)):
        word = taken.get(_slot(param, place))
        if isinstance(param.spec, Flag):
            word = param.spec.value if word else None
            if word is not None and values.get(param.name, word) != word:
                facts = {"value": param.spec.flag, "options": _flags(command, param.name)}
                raise Refused("usage", key="options-exclude", exit=2, facts=facts)
        if word not in (None, [], ()):
            values[param.name] = list(word) if isinstance(word, tuple) else word
    return values


@lru_cache(maxsize=256)
def typer_command(command: Any) -> Any:
    """The Typer command of a command class: every word optional and a string, since the grammar decides."""
    import typer

    def verb(**values: Any) -> Any:
        return values

    found = [
        Parameter(_slot(param, place), Parameter.KEYWORD_ONLY, default=_empty(param), annotation=_annotation(param))
        for place, param in enumerate(params(command))
    ]
    verb.__signature__ = Signature(found)  # type: ignore[attr-defined]
    verb.__annotations__ = {parameter.name: parameter.annotation for parameter in found}
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    settings = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    app.command(command.__name__, context_settings=settings)(verb)
    return typer.main.get_command(app)


def _slot(param: Param, place: int) -> str:
    """A name of its own for each word, since several flags may share a field."""
    return f"{param.name}__{place}" if isinstance(param.spec, Flag) else param.name


def _empty(param: Param) -> Any:
    return False if isinstance(param.spec, Flag) else None


def _annotation(param: Param) -> Any:
    import typer

    spec = param.spec
    if isinstance(spec, Arg):
        return Annotated[list[str] | None if spec.many else str | None, typer.Argument()]
    if isinstance(spec, Flag):
        return Annotated[bool, typer.Option(spec.flag)]
    return Annotated[list[str] | None if spec.many else str | None, typer.Option(spec.flag)]
