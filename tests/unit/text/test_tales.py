"""The sentences in which a report tells events: each is of an event there is, and says only what that holds."""

import importlib
import pkgutil
from functools import lru_cache

import pytest

from gmtool.kernel.trace import snake
from gmtool.referee.desk import Registry
from gmtool.text.catalogue import LANGUAGES, load
from gmtool.text.check import fields

GAMES = sorted(Registry().found)


@lru_cache(maxsize=8)
def events(game: str) -> dict[str, set[str]]:
    """The events of a game by the name their sentences have, with their fields."""
    rules = importlib.import_module(f"gmtool.systems.{game}.rules")
    modules = [
        importlib.import_module(f"{rules.__name__}.{found.name}") for found in pkgutil.iter_modules(rules.__path__)
    ]
    kinds = [kind for module in modules for kind in vars(module).values() if hasattr(kind, "_fields")]
    return {snake(kind.__name__): set(kind._fields) for kind in kinds if isinstance(kind, type)}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_tale_says_only_what_its_event_holds(game: str, lang: str) -> None:
    catalogue = load(lang, game)
    tales = {key[5:]: sentence for key, sentence in catalogue.sentences.items() if key.startswith("tale.")}
    assert tales
    assert [key for key in tales if not catalogue.has(f"event.{key}") or key not in events(game)] == []
    wrong = {key: fields(tale) - events(game)[key] for key, tale in tales.items()}
    assert {key: more for key, more in wrong.items() if more} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_tale_is_a_sentence(game: str, lang: str) -> None:
    stop = "。" if lang == "ja" else "."
    for key, tale in load(lang, game).sentences.items():
        if key.startswith("tale."):
            assert all(form.endswith(stop) for form in ([tale] if isinstance(tale, str) else tale.values())), key
