"""``status --watch --for SIDE``: what is hidden changes no byte of a frame, nor how often one is shown."""

import copy
import random
from collections.abc import Callable, Sequence
from pathlib import Path as File
from typing import Any

import pytest

from gmtool.cli import keys, watching
from tests.hidden import BATTLE, SIDE, Tables, Window, changed, fill, is_open, paths, played, put

LANGS = ("en", "ja", "ko")


@pytest.fixture
def tables(gm: Callable[..., Any], home: File) -> Tables:
    """The state of a battle with much that is hidden."""
    return fill(played(home, gm, BATTLE))


@pytest.fixture
def see(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Window:
    """A window on that battle, in which every look says that something has changed."""
    monkeypatch.setattr(watching.Watcher, "look", lambda watcher: True)
    monkeypatch.setattr(watching.Watcher, "_refreshed", _forgotten)
    return Window(monkeypatch, tables)


def _forgotten(watcher: Any) -> None:
    """As if another line had been written: the desk is opened anew."""
    watcher.face.seen = None
    watcher.face.desks.clear()
    watcher.face.meant.clear()
    watcher._desk = watcher.face.whole()


def watched(see: Window, monkeypatch: pytest.MonkeyPatch, states: Sequence[Tables], *argv: str, width: int = 80) -> str:
    """All that is written while the state becomes one of these after the other; then the window is left."""
    coming = iter(states[1:])

    def wait(self: keys.Keys, seconds: float) -> str:
        following = next(coming, None)
        if following is None:
            return "q"
        see.tables = following
        return ""

    monkeypatch.setattr(keys.Keys, "wait", wait)
    ran = see("status", "--watch", *argv, width=width, tables=states[0])
    assert (ran.code, ran.err) == (0, "")
    return ran.out


@pytest.mark.parametrize("seed", range(6))
def test_what_is_hidden_changes_no_byte_of_it_and_brings_no_frame(
    see: Window, tables: Tables, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Each state has another sixty of all hidden paths changed; together every one is."""
    hidden = [path for path in paths(tables) if not is_open(tables, path)]
    random.Random(1).shuffle(hidden)
    options = ("--for", SIDE, "--lang", LANGS[seed % 3], *(["--json"] if seed == 3 else []))
    width = (80, 120, 0, 0, 40, 80)[seed]
    states = [tables, *(changed(tables, *hidden[n :: len(hidden) // 60 + 1]) for n in range(len(hidden) // 60 + 1))]
    alone = watched(see, monkeypatch, [tables], *options, width=width)
    assert watched(see, monkeypatch, states, *options, width=width) == alone
    assert all(watched(see, monkeypatch, [state], *options, width=width) == alone for state in states[1:3])


def test_what_the_side_may_know_brings_a_frame(see: Window, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    other = copy.deepcopy(tables)
    put(other, ("units", "kestrel", "fuel"), 3)
    shown = watched(see, monkeypatch, [tables, other, other], "--for", SIDE, width=0)
    assert shown.count("-" * 40 + "\n") == 1
    assert watched(see, monkeypatch, [tables, other], width=0).count("-" * 40 + "\n") == 1


def test_rulings_are_the_gms(see: Window, tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The GM sees the latest ruling below the board, a side the board alone."""
    gm = watched(see, monkeypatch, [tables], width=0)
    side = watched(see, monkeypatch, [tables], "--for", SIDE, width=0)
    assert "#" in gm.splitlines()[-1]
    assert side == see("status", "--for", SIDE, width=0, tables=tables).out
    assert '"latest"' in watched(see, monkeypatch, [tables], "--json", width=0)
    assert '"latest"' not in watched(see, monkeypatch, [tables], "--json", "--for", SIDE, width=0)
