"""The catalogues against the code: every key that can be asked for is there, in every language, with fields it fills.

The code is read, not run: keys are the constants that reach ``say``, ``Say``, ``Refused`` and their like. Keys that are
put together while running stand in ``PUT_TOGETHER``, the one place to add to when a test here does not know one.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gmtool.cli.codes import CODES
from gmtool.cli.dispatch import common_command
from gmtool.cli.helping import GLOBAL
from gmtool.cli.verbs import COMMON
from gmtool.kernel.by_hand import CLOSED
from gmtool.kernel.expr import REFUSALS
from gmtool.kernel.words import Arg, Flag, Opt, Param, params
from gmtool.referee.desk import Registry
from gmtool.rulesdata.faults import EXPECTED, SENTENCES
from gmtool.rulesdata.finder import data_root
from gmtool.text.catalogue import LANGUAGES, Catalogue, Sentence, load
from gmtool.text.check import fields, problems

PACKAGE = Path(__file__).resolve().parents[3] / "gmtool"
LAYERS = ("cli", "referee", "render", "store", "rulesdata", "text", "kernel")
GAMES = sorted(Registry().found)


def each(prefix: str, *endings: str) -> tuple[str, ...]:
    """Keys that begin alike."""
    return tuple(prefix + ending for ending in endings)


OF_GAMES = (
    "event.*", "system.*", "demo.*", "rule.*", "origin.*", "chapter.*", "rulestatus.*", "reason.*", "choice.*",
    "choice.*.*", "law.*", "result.*", "tale.*",
)  # fmt: skip
"""Keys that are the games' to define."""

FINDINGS = (
    "bom", "encoding", "json", "number", "duplicate-key", "shape", "newer", "sequence", "chain", "pointers", "bad-path",
    "nowhere", "exists", "missing", "differs", "torn-tail", "snapshot-missing", "snapshot-damaged", "snapshot-edited",
    "snapshot-foreign", "snapshot-differs", "unreadable", "no-campaign", "disk", "sum", "copy-ahead", "copy-differs",
    "copy-damaged",
)  # fmt: skip
"""What the doctor finds."""

RULED = (
    "already-acted", "bad-setup", "barred-defence", "beyond-limits", "blocked", "due-open", "has-moved",
    "must-move", "no-ammo", "no-ap", "no-force", "no-fuel", "no-function", "no-line", "no-lives", "no-map",
    "no-replacements", "no-resources", "no-room", "not-active", "not-adjacent", "not-charged", "not-in-range",
    "not-searched", "once-only", "pilot-out", "seat-taken", "skill-unfit", "step-over", "too-far", "wrong-craft",
    "wrong-phase",
)  # fmt: skip
"""The codes by which a rule refuses what could be done at another time or by somebody else."""

PUT_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "ask.*": each("ask.", "declaration", "judgement"),
    "done.*": each("done.", "undone", "redone", "undo-preview"),
    "done.campaign-new-*": each("done.campaign-new-", "ask", "auto"),
    "doctor.*": each("doctor.", *FINDINGS),
    "doctor.left-*": each("doctor.left-", "nothing", "lines", "state", "both"),
    "error-help.*": each("error-help.", *CODES),
    "fair.note-*": each("fair.note-", "faces", "test", "tests", "nothing", "unknown"),
    "fair.place-*": each("fair.place-", "tens", "ones"),
    "fair.verdict-*": each("fair.verdict-", "unusual", "even", "few", "too-few"),
    "help.global.*": each("help.global.", *(option.split()[0] for option in GLOBAL)),
    "history.*": each("history.", "undo", "redo", "trying", "branch", "fresh"),
    "list.campaign-*": each("list.campaign-", "game", "lines", "dice-ask", "dice-auto", "session", "folder"),
    "list.home-*": each("list.home-", "option", "env", "checkout", "user-data"),
    "list.backup-*": each("list.backup-", "began", "ended", "aside", "replaced", "upgraded"),
    "list.reading-*": each("list.reading-", "option", "option-chosen", "option-default"),
    "question.*": each("question.", "remove", "overwrite"),
    "setting.*": each("setting.", "name", "seed", "lang", "dice-mode"),
    "setting.no-*": each("setting.no-", "seed", "lang"),
    "shell.*": each("shell.", "question", "choice"),
    "source.*": each("source.", "entered", "rolled", "seeded"),
    "why-not.*": each("why-not.", *RULED),
    # what is looked at elsewhere in this file: verbs with their help, columns, refusals, warnings
    "help.verb.*": (),
    "help.arg.*.*": (),
    "help.opt.*.*": (),
    "column.*": (),
    "column.list-*": each("column.list-", "ruled", "by-hand", "not-covered"),
    "refusal.*": (),
    "warning.*": (),
    "warning.?case.warn.code": (),
    "word.?by_hand.set_value.table": (),
    "word.?words.read_word": (),
    "word.?case.ask_names.kind": (),
    "warning.?face.notices": (),
    "warning.?state._restart.notice": ("warning.snapshot-foreign",),
    "refusal.?campaign._targets.code": each("refusal.", "nothing-to-undo", "nothing-to-redo"),
    "refusal.?campaign._targets.own": each("refusal.", "branch-undo", "branch-redo"),
    "refusal.?campaigns.campaign_names.key": each("refusal.", "campaign-name-taken", "campaign-name-taken-import"),
    "refusal.?case.refuse.key": (),
    "refusal.?case.forbid.key": (),
    "refusal.?lexer.usage.key": (),
    "refusal.?tree.refuse.key": each("refusal.", *REFUSALS),
    "refusal.?faults.refused.sentence": each("refusal.", *SENTENCES),
    # sentences that are handed on: their keys are constants where they come from
    "?shown.context": (),
    "?report._place": (),
    "?campaigns._said.key": (),
    "?sessions._said.key": (),
    "?back._said.key": (),
    "?branch._said.key": (),
    "?health._said.key": (),
    "?health._what": (),
    "?refusal.hints": (),
    "?words.say.key": (),
    "?words.said": (),
    "?words.first.key": (),
    "?why._told.key": each("why.", "said", "assumed", "default", "chosen"),
    "?settings._told.name": (),
    "?settings._told.name.*": (),
}
"""What a key that is put together or handed on can be; ``*`` is a part filled in, ``?`` begins where a name is."""

NOT_SHOWN = {"refusal.name-taken"}
"""Refusals that are always told under another key: whose name is taken, the verbs for campaigns know better."""


class Use(NamedTuple):
    """A key the code uses, the fields it fills (None: not to be seen from here), and where."""

    key: str
    facts: frozenset[str] | None
    where: str


class Reader(ast.NodeVisitor):
    """Collects the uses of keys in one module."""

    def __init__(self, path: Path) -> None:
        self.module = path.stem
        self.functions: list[ast.FunctionDef] = []
        self.found: list[Use] = []
        self.visit(ast.parse(path.read_text(encoding="utf-8")))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Names are looked up in the functions around them."""
        self.functions.append(node)
        self.generic_visit(node)
        self.functions.pop()

    def visit_Call(self, node: ast.Call) -> None:
        """The calls that take a key."""
        self.generic_visit(node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        if name in ("say", "Say") and node.args:
            self._use("", node.args[0], node, node.args[1] if len(node.args) > 1 else given.get("facts"))
        elif name == "_said" and len(node.args) > 1:
            self._use("", node.args[1], node, node.args[2] if len(node.args) > 2 else None)
        elif name == "Column":
            self._use("column.", node.args[0], node, None)
        elif name == "Refused":
            self._use("refusal.", given.get("key", node.args[0]), node, given.get("facts"))
        elif name == "find" and len(node.args) == 3:
            self._keep("word.", node.args[1], node, None)
        elif name == "Word" and _text(node.args[0]):
            self._keep("word.", node.args[0], node, None)
        elif name == "usage":
            self._keep("refusal.", node.args[0], node, frozenset(given))

    def visit_Dict(self, node: ast.Dict) -> None:
        """Warnings and notices: a code with its facts and nothing else, or with the facts beside it."""
        self.generic_visit(node)
        known = {_text(key): value for key, value in zip(node.keys, node.values, strict=True)}
        if set(known) == {"code", "rule", "facts"}:
            self._use("warning.", known["code"], node, known["facts"])
        elif "code" in known and self._is_notice(node):
            self._keep("warning.", known["code"], node, frozenset(known) - {"code"})

    def _is_notice(self, node: ast.Dict) -> bool:
        """Whether a dict is put among the notices of a campaign."""
        around = self.functions[-1] if self.functions else None
        calls = [call for call in ast.walk(around) if isinstance(call, ast.Call)] if around else []
        return any(node in call.args and ast.unparse(call.func).endswith("notices.append") for call in calls)

    def _use(self, prefix: str, key: ast.expr, node: ast.AST, facts: ast.expr | None) -> None:
        self._keep(prefix, key, node, self._fields(facts) if facts is not None else frozenset())

    def _keep(self, prefix: str, key: ast.expr, node: ast.AST, facts: frozenset[str] | None) -> None:
        where = f"{self.module}:{getattr(node, 'lineno', 0)}"
        self.found += [Use(prefix + text, facts, where) for text in self.texts(key)]

    def texts(self, node: ast.expr) -> Iterator[str]:
        """All that an expression can be, with ``*`` and ``?`` for what is not to be seen."""
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.IfExp():
                yield from (*self.texts(node.body), *self.texts(node.orelse))
            case ast.BoolOp():
                yield from (text for value in node.values for text in self.texts(value))
            case ast.JoinedStr():
                yield from self._joined(node)
            case ast.Name():
                yield from self._named(node.id)
            case _:
                yield f"?{self._here()}"

    def _joined(self, node: ast.JoinedStr) -> Iterator[str]:
        parts = [str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values]
        first = node.values[0]
        if isinstance(first, ast.FormattedValue) and isinstance(first.value, ast.Name):
            parts[0] = f"?{self._here()}.{first.value.id}"
        yield "".join(parts)

    def _named(self, name: str) -> Iterator[str]:
        values = [value for function in reversed(self.functions) for value in _values(function, name)]
        if values:
            yield from (text for value in values for text in self.texts(value))
        if not values or name in _parameters(self.functions):
            yield f"?{self._here()}.{name}"

    def _here(self) -> str:
        holders = [function.name for function in self.functions]
        return f"{self.module}.{holders[0] if holders[:1] == ['_told'] else holders[-1] if holders else ''}"

    def _fields(self, node: ast.expr) -> frozenset[str] | None:
        """The keys of a dict of facts, as far as they can be seen."""
        match node:
            case ast.Dict() if all(map(_text, node.keys)):
                return frozenset(map(_text, node.keys))
            case ast.Name():
                values = [value for function in self.functions for value in _values(function, node.id)]
                return self._fields(values[0]) if len(values) == 1 else None
        return None


def _text(node: ast.expr | None) -> str:
    """A key that is written out, or nothing."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _values(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    """What is assigned to a name in a function, or what a loop over a written-out tuple gives it."""
    found: list[ast.expr] = []
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)]) if target == name:
                found.append(node.value)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                found.append(value)
            case ast.For(target=ast.Tuple(elts=targets), iter=ast.Tuple(elts=rows)):
                places = [place for place, item in enumerate(targets) if getattr(item, "id", "") == name]
                found += [row.elts[place] for place in places for row in rows if isinstance(row, ast.Tuple)]
    return found


def _parameters(functions: list[ast.FunctionDef]) -> set[str]:
    return {argument.arg for function in functions for argument in (*function.args.args, *function.args.kwonlyargs)}


@lru_cache(maxsize=1)
def uses() -> tuple[Use, ...]:
    """All uses of keys outside the games."""
    files = sorted(file for layer in LAYERS for file in (PACKAGE / layer).rglob("*.py"))
    return tuple(use for file in files for use in Reader(file).found)


def known(use: Use) -> tuple[str, ...]:
    """The keys a use stands for; none for those of games."""
    if "*" not in use.key and "?" not in use.key:
        return (use.key,)
    return PUT_TOGETHER.get(use.key, ())


@lru_cache(maxsize=1)
def filled() -> Mapping[str, frozenset[str] | None]:
    """Each key with the fields that every use of it fills (None: nothing is to be seen of any use)."""
    found: dict[str, frozenset[str] | None] = {}
    for use in uses():
        for key in known(use):
            before = found.get(key)
            found[key] = use.facts if before is None else before if use.facts is None else before & use.facts
    given = {key: set(facts) for key, (_, _, facts) in REFUSALS.items()} | {key: set(s) for key, s in SENTENCES.items()}
    return {**found, **{f"refusal.{key}": frozenset(facts) for key, facts in given.items()}}


def unfilled(key: str, sentence: Sentence) -> str:
    """What is wrong with the fields of a sentence, or nothing."""
    model = filled().get(key, filled().get(key.replace("hint.", "refusal.", 1)))
    missing = fields(sentence) - model if model is not None else set()
    return f"{key}: {sorted(missing)}" if missing else ""


@pytest.fixture(params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    """The common sentences of each language."""
    return load(request.param)


def test_every_key_that_is_put_together_is_known_here() -> None:
    """A key that is none of these has to be added to ``PUT_TOGETHER``, with what it can be."""
    dynamic = [use for use in uses() if "*" in use.key or "?" in use.key]
    assert [use for use in dynamic if use.key not in PUT_TOGETHER and use.key not in OF_GAMES] == []


def test_nothing_in_put_together_is_out_of_date() -> None:
    """What no code puts together any more is taken out."""
    used = {use.key for use in uses()}
    assert sorted(key for key in PUT_TOGETHER if key not in used) == []


def test_every_key_the_code_uses_has_a_common_sentence(catalogue: Catalogue) -> None:
    """Without any game: refusals, warnings and what verbs say must be there before a campaign is open."""
    wanted = {key for use in uses() for key in known(use)} - NOT_SHOWN
    assert sorted(key for key in wanted if not catalogue.has(key)) == []


def test_no_sentence_has_a_field_that_is_not_always_filled(catalogue: Catalogue) -> None:
    """A field that one of several refusals does not fill would be shown as it is written."""
    wrong = [unfilled(key, sentence) for key, sentence in catalogue.sentences.items()]
    assert list(filter(None, wrong)) == []


@pytest.mark.parametrize("game", [None, *GAMES])
def test_the_catalogues_of_all_languages_are_sound(game: str | None) -> None:
    """The same keys and fields in every language; nothing that may not be printed."""
    assert problems({lang: load(lang, game) for lang in LANGUAGES}) == []


def test_every_hint_belongs_to_a_refusal(catalogue: Catalogue) -> None:
    """A way out is never shown without the reason; ``force`` is for all that can be forced."""
    hints = [key.removeprefix("hint.") for key in catalogue.sentences if key.startswith("hint.")]
    assert [key for key in hints if key != "force" and not catalogue.has(f"refusal.{key}")] == []


def test_every_common_verb_is_explained(catalogue: Catalogue) -> None:
    """The verb, each of its words and each of its options."""
    wanted = [key for verb in COMMON for key in help_keys(verb, common_command(verb))]
    assert [key for key in wanted if not catalogue.has(key)] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verb_of_a_game_is_explained(game: str, lang: str) -> None:
    """The same for the verbs and views of each game, and its own name."""
    words, system = load(lang, game), Registry().system(game)
    commands = {verb: system.command(verb) for verb in system.verbs}
    commands |= {verb: system.look(verb) for verb in system.looks}
    wanted = [f"system.{game}", *(key for verb, command in commands.items() for key in help_keys(verb, command))]
    assert [key for key in wanted if not words.has(key)] == []


def help_keys(verb: str, command: type[Any]) -> list[str]:
    """The keys of the help of a verb."""
    dotted = verb.replace(" ", ".")
    found = [f"help.verb.{dotted}"]
    for param in params(command):
        if isinstance(param.spec, Opt | Flag):
            found.append(f"help.opt.{dotted}.{param.spec.flag.removeprefix('--')}")
        else:
            found.append(f"help.arg.{dotted}.{param.name}")
    return found


def test_every_word_of_a_verb_can_be_named(catalogue: Catalogue) -> None:
    """Refusals name the word that is missing, or those that were expected."""
    named = {param.name for verb in COMMON for param in params(common_command(verb)) if is_named(param)}
    assert sorted(word for word in named | EXPECTED | {"name", "note"} if not catalogue.has(f"word.{word}")) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_word_of_a_game_can_be_named(game: str, lang: str) -> None:
    """The words of a game's verbs, and the tables ``set`` may go to."""
    words, system = load(lang, game), Registry().system(game)
    named = {param.name for verb in system.verbs for param in params(system.command(verb)) if is_named(param)}
    tables = set(system.state.kinds) - set(CLOSED)
    assert sorted(word for word in named | tables if not words.has(f"word.{word}")) == []


def is_named(param: Param) -> bool:
    """Whether a refusal may name it: it is required, or the line has more words than there are places."""
    return param.required or (isinstance(param.spec, Arg) and not param.spec.many)


def test_every_problem_of_a_file_has_words_of_its_own(catalogue: Catalogue) -> None:
    """``unreadable``, ``disk`` and ``bad-archive`` say what is the matter (``refusal.<code>-<problem>``)."""
    wanted = {f"refusal.disk-{problem}" for problem in ("full", "read-only", "permission", "io")}
    wanted |= {f"refusal.{code}-{text}" for code, text in told_problems() if text not in ("newer", "edited")}
    assert sorted(key for key in wanted if not catalogue.has(key)) == []


def told_problems() -> Iterator[tuple[str, str]]:
    """The problems the store and the kernel name, with the code they come under."""
    calls = {"BadLine": ("unreadable", 0), "ChangeError": ("unreadable", 1), "unreadable": ("unreadable", 1),
             "_bad_archive": ("bad-archive", 0)}  # fmt: skip
    for file in (*(PACKAGE / "store").glob("*.py"), *(PACKAGE / "kernel").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            code, place = calls.get(getattr(getattr(node, "func", None), "id", ""), ("", 0))
            argument = node.args[place] if code and isinstance(node, ast.Call) and len(node.args) > place else None
            if isinstance(argument, ast.Constant):
                yield code, str(argument.value)


def test_the_demo_headings_of_a_game_are_in_its_catalogue() -> None:
    """Each heading of a demo script, in each language."""
    scripts = [PACKAGE.parent / "campaigns" / "demo" / f"{game}.gm" for game in GAMES]
    for script in filter(Path.is_file, scripts):
        lines = script.read_text(encoding="utf-8").splitlines()
        headings = [line.removeprefix("#: ").strip() for line in lines if line.startswith("#: ")]
        for lang in LANGUAGES:
            assert [key for key in headings if not load(lang, script.stem).has(f"demo.{key}")] == []


def test_every_game_has_texts_in_every_language() -> None:
    """A game's folder of texts has a file for each language."""
    for game in GAMES:
        assert all((data_root() / game / "text" / f"{lang}.toml").is_file() for lang in LANGUAGES)
