"""Everything the game can say stands in its catalogues, in all languages: found by reading the game's own source."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from gmtool.kernel.trace import snake
from gmtool.kernel.words import Arg, Param, params
from gmtool.rulesdata.compile import load as load_data
from gmtool.systems.rtype import rules, tables
from gmtool.systems.rtype.model import CRAFT, MODES
from gmtool.systems.rtype.rules import r20_checks
from gmtool.systems.rtype.system import SYSTEM
from gmtool.systems.rtype.words import ABILITIES, DEFENCES
from gmtool.text.catalogue import LANGUAGES, Catalogue, flatten, load
from gmtool.text.check import fields, problems

FOLDER = Path(rules.__path__[0])
FILES = sorted([*FOLDER.glob("*.py"), *FOLDER.parent.glob("*.py")])
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}

PHASES = ("setup", "initiative", "first", "second", "over")
UNIT_STATES = ("active", "stowed", "subspace", "inactive", "wrecked", "lost")
PILOT_STATES = ("ready", "unconscious", "dying", "bydo", "dead")
WHEREABOUTS = ("ashore", "adrift", "recovered", "missing", "captured")


@pytest.fixture(scope="module")
def catalogues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Catalogue]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        return {lang: load(lang, "rtype") for lang in LANGUAGES}


@pytest.fixture(scope="module")
def english(catalogues: dict[str, Catalogue]) -> Catalogue:
    return catalogues["en"]


@pytest.fixture(scope="module")
def own() -> set[str]:
    """The keys of the game's own English files."""
    import tomllib

    folder = Path(__file__).resolve().parents[3] / "rules_data" / "rtype" / "text"
    texts = [tomllib.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*en.toml")]
    return {key for text in texts for key in flatten(text)}


# reading the source


class Call:
    """A call of a method or function somewhere in the game: its arguments, and the function it stands in."""

    def __init__(self, node: ast.Call, around: ast.AST) -> None:
        self.node, self.around = node, around

    def texts(self, argument: ast.expr) -> list[str]:
        """The texts an argument can be: constants, either of two, what a variable was set to; f-strings up to a
        field."""
        if isinstance(argument, ast.Constant):
            return [argument.value] if isinstance(argument.value, str) else []
        if isinstance(argument, ast.IfExp):
            return [*self.texts(argument.body), *self.texts(argument.orelse)]
        if isinstance(argument, ast.JoinedStr):
            return self.texts(argument.values[0])
        if isinstance(argument, ast.Call) and _name(argument.func) in ("of_target", "key"):
            return self.texts(argument.args[0])
        if isinstance(argument, ast.Call):
            return [text for value in returned(_name(argument.func)) for text in self.texts(value)]
        if isinstance(argument, ast.Name):
            return [text for value in self.values(argument.id) for text in self.texts(value)]
        return []

    def values(self, name: str) -> list[ast.expr]:
        """What a local variable is set to."""
        found = [node for node in ast.walk(self.around) if isinstance(node, ast.Assign)]
        return [node.value for node in found if any(isinstance(t, ast.Name) and t.id == name for t in node.targets)]

    def rows(self, facts: ast.expr) -> list[ast.expr]:
        """A table of facts, or what the variable that holds it is set to."""
        return self.values(facts.id) if isinstance(facts, ast.Name) else [facts]

    @property
    def keywords(self) -> dict[str, ast.expr]:
        return {keyword.arg: keyword.value for keyword in self.node.keywords if keyword.arg}


def calls(*names: str) -> Iterator[Call]:
    """All calls of these names, with the functions they stand in."""
    for tree in TREES.values():
        for around in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            for node in ast.walk(around):
                if isinstance(node, ast.Call) and _name(node.func) in names:
                    yield Call(node, around)


def returned(name: str) -> list[ast.expr]:
    """What the game's functions of this name give back."""
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    found = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    returns = [node for each in found for node in ast.walk(each) if isinstance(node, ast.Return)]
    return [node.value for node in returns if node.value]


def hints() -> set[str]:
    """The ways out that a refusal is given besides its own: named with it, or set on it."""
    named = [call.texts(call.keywords["hint"]) for call in calls("forbid", "Refused") if "hint" in call.keywords]
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and _name(node.targets[0]) == "hint":
                named.append(Call(ast.Call(node.value, [], []), tree).texts(node.value))
    return {text for texts in named for text in texts}


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def emitted() -> dict[str, type[Any]]:
    """The event types the chapters tell of, by the key of their sentence."""
    modules = [importlib.import_module(f"{rules.__name__}.{path.stem}") for path in FOLDER.glob("r*.py")]
    found: dict[str, type[Any]] = {}
    for call in calls("emit"):
        first = call.node.args[0]
        made = call.values(first.id) if isinstance(first, ast.Name) else [first]
        for name in (_name(value.func) for value in made if isinstance(value, ast.Call)):
            found[snake(name)] = next(getattr(module, name) for module in modules if hasattr(module, name))
    return found


def refused() -> dict[str, set[str]]:
    """The sentences of refusals with the facts that all their places give."""
    found: dict[str, set[str]] = {}
    for call in calls("barred"):
        for key in call.texts(call.node.args[0]):
            # whoever refuses adds whom it stops, and where or at what
            found[key] = set(call.keywords) | {"unit", "goal", "target"}
    for call in calls("refuse", "forbid", "Refused"):
        keys = call.texts(call.keywords["key"]) if "key" in call.keywords else call.texts(call.node.args[0])
        given = set(call.keywords) - {"key", "rule", "exit", "facts"}
        rest = [keyword.value for keyword in call.node.keywords if keyword.arg in (None, "facts")]
        for row in [each for facts in rest for each in call.rows(facts)]:
            if isinstance(row, ast.Dict):
                given |= {str(key.value) for key in row.keys if isinstance(key, ast.Constant)}
        for key in keys:
            found[key] = found.get(key, given) & given
    found["not-active-now"] = {"unit", "state", "handle", "path"}
    for call in calls("refused"):  # what is not in action, in other words than the common ones
        for key in call.texts(call.node.args[3]) if len(call.node.args) > 3 else []:
            found[key] = found["not-active-now"]
    return found


def first_texts(*names: str, place: int = 0) -> set[str]:
    """What the argument at a place can be, up to its first dot."""
    return {text.partition(".")[0] for call in calls(*names) for text in call.texts(call.node.args[place])}


def parts() -> set[str]:
    """The names of figures' parts: each stands first in a tuple of a name, a number and a rule."""
    tuples = [node.elts for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Tuple)]
    constants = [(elts[0], elts[2]) for elts in tuples if len(elts) == 3]
    return {
        str(name.value)
        for name, rule in constants
        if isinstance(name, ast.Constant) and isinstance(rule, ast.Constant) and str(rule.value).startswith("RT-")
    }


def verbs() -> dict[str, type[Any]]:
    """The command class of every verb, those that only show too."""
    found = {}
    for verb, place in {**SYSTEM.verbs, **SYSTEM.looks}.items():
        module, _, name = place.partition(":")
        found[verb] = getattr(importlib.import_module(f"{SYSTEM.package}.{module}"), name)
    return found


def all_params() -> list[tuple[str, Param]]:
    """The fields of every verb, once for each flag."""
    return [(dotted(verb), param) for verb, kind in verbs().items() for param in params(kind)]


def dotted(verb: str) -> str:
    return verb.replace(" ", ".")


def lacking(catalogue: Catalogue, keys: Iterator[str]) -> list[str]:
    return [key for key in keys if not catalogue.has(key)]


# what has to be there


def test_the_catalogues_are_without_a_fault(catalogues: dict[str, Catalogue]) -> None:
    """The same keys and fields in English, Japanese and Korean, and no character that some terminal misjudges."""
    assert problems(catalogues) == []


def test_every_event_has_a_sentence_that_asks_for_nothing_it_does_not_have(english: Catalogue, own: set[str]) -> None:
    events = emitted()
    assert {key for key in own if key.startswith("event.")} == {f"event.{key}" for key in events}
    for key, kind in events.items():
        assert fields(english.sentences[f"event.{key}"]) <= set(kind._fields), key


def test_every_refusal_has_a_sentence_that_asks_for_nothing_it_does_not_have(english: Catalogue, own: set[str]) -> None:
    known = refused()
    common = {key for key in known if f"refusal.{key}" not in own}
    assert {key for key in own if key.startswith("refusal.")} == {f"refusal.{key}" for key in known.keys() - common}
    assert lacking(english, (f"refusal.{key}" for key in common)) == []
    for key, given in known.items():
        for group in ("refusal", "hint"):
            assert fields(english.sentences.get(f"{group}.{key}", "")) <= given, key


def test_no_hint_is_without_its_refusal(own: set[str]) -> None:
    assert {key.partition(".")[2] for key in own if key.startswith("hint.")} <= {*refused(), *hints()}


def test_every_warning_has_a_sentence(english: Catalogue) -> None:
    for call in calls("warn"):
        for code in call.texts(call.node.args[0]):
            assert fields(english.sentences[f"warning.{code}"]) <= set(call.keywords), code


def test_every_figure_part_pool_and_declaration_has_its_word(english: Catalogue) -> None:
    found = [f"figure.{key}" for key in first_texts("figure")]
    found += [f"pool.{key}" for key in first_texts("pool", "roll")]
    declared = first_texts("ask", "ask_number", "ask_names") | first_texts("ability_part", place=1)
    found += [f"declare.{key}" for key in declared]
    found += [f"part.{key}" for key in parts() | set(ABILITIES)]
    assert {"figure.attack", "pool.evade", "declare.defence-ability", "part.focus"} <= set(found)
    assert lacking(english, iter(found)) == []


def test_every_declaration_is_in_the_table_of_contents() -> None:
    """One that is not would be refused as asked by nobody."""
    asked = first_texts("ask", "ask_number", "ask_names") | first_texts("ability_part", "raise_part", place=1)
    assert asked <= set(SYSTEM.says)


def test_every_result_has_a_label_for_its_odds(english: Catalogue) -> None:
    found = {key for call in calls("result") for key in call.keywords}
    assert "craft_lost" in found
    assert lacking(english, (f"odds.{key}" for key in found)) == []


def test_every_seat_has_its_word(english: Catalogue) -> None:
    assert lacking(english, (f"seat.{seat}" for seat in (*CRAFT, "1", "2", "3", "4", "5"))) == []


@pytest.mark.parametrize("pool", ["attack", "evade"])
def test_attack_and_evade_have_words_of_their_own_for_what_a_roll_came_to(english: Catalogue, pool: str) -> None:
    assert lacking(english, (f"class.{pool}.{name}" for name in r20_checks.BEST)) == []


def test_every_id_of_a_word_that_can_be_shown_has_its_term(english: Catalogue) -> None:
    literals = (tables.Path, tables.Kind, tables.Squad, tables.Grade, tables.Temperament, tables.Work, tables.Trait)
    words = {word for literal in literals for word in get_args(literal)}
    words |= {*PHASES, *UNIT_STATES, *PILOT_STATES, *WHEREABOUTS, *CRAFT, *DEFENCES, *ABILITIES}
    words |= {*MODES, *r20_checks.BEST, "yes", "no", "once", "each"}
    words |= {"unit", "pilot", "side", "sheet", "weapon"} | {param.name for _, param in all_params() if param.required}
    assert lacking(english, (f"word.{word}" for word in sorted(words - {"name"}))) == []


def test_everything_due_has_its_word_in_lists_and_in_sentences(english: Catalogue) -> None:
    due = first_texts("due", place=1)
    assert "choose-order" in due
    assert lacking(english, (f"{group}.{what}" for what in due for group in ("due", "word"))) == []


def test_every_reading_of_a_rule_has_words(english: Catalogue) -> None:
    for id, row in load_data("rtype", tables)["interpretations"].items():
        assert lacking(english, (f"choice.{id}{option}" for option in ("", *(f".{o}" for o in row["options"])))) == []


def test_every_verb_is_explained_and_heads_its_ruling(english: Catalogue) -> None:
    assert lacking(english, (f"help.verb.{dotted(verb)}" for verb in verbs())) == []
    for verb in SYSTEM.verbs:
        sentence = english.sentences[f"command.{dotted(verb)}"]
        assert fields(sentence) <= set(verbs()[verb]._fields), verb


def test_every_argument_is_explained(english: Catalogue, own: set[str]) -> None:
    keys = {f"help.arg.{verb}.{param.name}" for verb, param in all_params() if isinstance(param.spec, Arg)}
    assert {key for key in own if key.startswith("help.arg.")} == keys


def test_every_option_is_explained(english: Catalogue, own: set[str]) -> None:
    flags = [(verb, param.spec.flag) for verb, param in all_params() if not isinstance(param.spec, Arg)]
    keys = {f"help.opt.{verb}.{flag.removeprefix('--')}" for verb, flag in flags}
    assert {key for key in own if key.startswith("help.opt.")} == keys
