"""The game's data, compiled once a module, and a book of it for a campaign in which nothing is yet."""

from typing import Any

import pytest

from gmtool.rulesdata.compile import load as load_data
from gmtool.systems.talon import tables
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.text.catalogue import LANGUAGES, load


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The compiled data; the sentences of all languages are compiled with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        for lang in LANGUAGES:
            load(lang, "talon")
        return load_data("talon", tables)


@pytest.fixture
def book(data: Any) -> Book:
    """A book without pinned classes."""
    return Book(Board({}), data)
