"""What the house promises about its own files, checked by reading them: see *Who may import whom* in CONTRIBUTING."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "gmtool"
MODULES = sorted(PACKAGE.rglob("*.py"))
GAMES = sorted(init.parent.name for init in (PACKAGE / "systems").glob("[!_]*/__init__.py"))

LONGEST_MODULE = 400
LONGEST_FUNCTION = 50

Function = ast.FunctionDef | ast.AsyncFunctionDef

every_module = pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())


def forbidden() -> set[str]:
    """The libraries that the contract *pure* keeps away from kernel and games."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return set(next(contract for contract in contracts if contract["id"] == "pure")["forbidden_modules"])


def parsed(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each import wherever it stands, as line and the first part of the name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.partition(".")[0]


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each string of the code that is not a docstring or another bare sentence."""
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.lineno, node.value


def public(tree: ast.Module | ast.ClassDef) -> Iterator[Function | ast.ClassDef]:
    """Functions and classes that others may use, methods of public classes included."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)


def games_in(text: str) -> set[str]:
    """The games that a string names: it is an id, or a path or dotted name with one in it."""
    return set(GAMES).intersection(re.split(r"[./\\:]", text))


@every_module
def test_a_module_is_short_and_so_are_its_functions(module: Path) -> None:
    length = len(module.read_text(encoding="utf-8").splitlines())
    assert length <= LONGEST_MODULE
    functions = [node for node in ast.walk(parsed(module)) if isinstance(node, Function)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION]
    assert not long, f"more than {LONGEST_FUNCTION} lines: {long}"


@every_module
def test_all_that_is_public_has_a_docstring(module: Path) -> None:
    tree = parsed(module)
    assert ast.get_docstring(tree), "the module has none"
    silent = [f"{node.name}, line {node.lineno}" for node in public(tree) if not ast.get_docstring(node)]
    assert not silent, f"without a docstring: {silent}"


@every_module
def test_kernel_and_games_touch_no_screen_disk_clock_or_chance(module: Path) -> None:
    if module.relative_to(PACKAGE).parts[0] not in {"kernel", "systems"}:
        return
    banned = forbidden()
    found = [f"{name}, line {line}" for line, name in imported(parsed(module)) if name in banned]
    assert not found, f"imports {found}"


@every_module
def test_a_game_is_named_only_in_its_own_folder(module: Path) -> None:
    folder = module.relative_to(PACKAGE).parts
    own = {folder[1]} if folder[0] == "systems" and len(folder) > 2 else set()
    found = [f"{text!r}, line {line}" for line, text in literals(parsed(module)) if games_in(text) - own]
    assert not found, f"names a game: {found}"


def test_every_folder_of_a_game_is_found_without_being_listed_anywhere(gm: Callable[..., Any]) -> None:
    assert GAMES
    ran = gm("systems", "--json")
    assert ran.code == 0, ran.err
    assert all(f'"{game}"' in ran.out for game in GAMES)
