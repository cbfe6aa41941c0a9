"""Any input: whatever is typed, run or found in a file, the end is a result or a refusal. The corpus, then chance."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.field.inputs import FILES, Input, Place, bring, corpus, judged, places
from tests.field.table import folder_bytes

PLACES = places()
TEXTS = corpus("text")
LOOKS = [line.split() for line in ("status", "history", "undo", "move alpha 1", "answer 1", "campaign list", "doctor")]
hostile = st.sampled_from([text.text for text in TEXTS if text.kind != "long"])
anything = hostile | st.text(max_size=30)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, data_cache: Path) -> Iterator[Place]:
    """One table for all tests of this file; each line that changes it is followed by a new copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(data_cache))
        folder = tmp_path_factory.mktemp("any")
        (folder / "here").mkdir()
        patch.chdir(folder / "here")
        yield Place(folder, data_cache)


@pytest.fixture(autouse=True)
def _anew(place: Place) -> Iterator[None]:
    yield
    place.reset()


def of(way: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("each", corpus(way), ids=lambda each: each.id)


@pytest.mark.parametrize("number", range(len(TEXTS)), ids=[text.id for text in TEXTS])
def test_a_hostile_text_in_any_argument(place: Place, number: int) -> None:
    """Each text in every twenty-fifth place, one further on for each text: each place meets several of each kind."""
    for words in PLACES[number % 25 :: 25]:
        place.tried([*words, TEXTS[number].text])


@of("line")
def test_a_hostile_line(place: Place, each: Input) -> None:
    place.tried(bring(place, each)[0])
    place.tried(["run", "-"], each.text)


@of("script")
def test_a_hostile_script(place: Place, each: Input) -> None:
    words, typed = bring(place, each)
    place.tried(words, typed)


@of("shell")
def test_hostile_lines_of_a_shell(place: Place, each: Input) -> None:
    judged(place.run(["table"], each.text), ["table"])


@of("rules")
def test_a_hostile_rules_file(place: Place, each: Input) -> None:
    words, _ = bring(place, each)
    before = folder_bytes(place.home)
    for line in (words, ["unit", "add", "kestrel", "--side", "Players"]):
        ended = place.run(line)
        judged(ended, line)
        assert ended.code == 3
        assert "rules/any.toml" in ended.err.replace("\n  ", "")
    assert folder_bytes(place.home) == before


@of("json")
@pytest.mark.parametrize("file", FILES)
def test_a_hostile_file_of_a_campaign(place: Place, each: Input, file: str) -> None:
    for words in LOOKS:
        bring(place, each, file)
        before = folder_bytes(place.home)
        ended = place.run(words)
        judged(ended, words)
        assert not ended.code or folder_bytes(place.home) == before
        place.reset()


few = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@few
@given(words=st.sampled_from(PLACES), more=st.lists(anything, max_size=3), prefix=st.sampled_from(["", "odds", "try"]))
@example(words=("run",), more=["~nosuch/x"], prefix="")
def test_any_text_in_any_argument(place: Place, words: tuple[str, ...], more: list[str], prefix: str) -> None:
    place.tried([*([prefix] if prefix else []), *words, *more])


a_line = st.tuples(st.sampled_from(PLACES), anything).map(lambda at: " ".join([*at[0], at[1]]))


@few
@given(lines=st.lists(a_line, max_size=4))
def test_any_lines_of_a_script_or_a_shell(place: Place, lines: list[str]) -> None:
    for words in (["run", "--keep-going", "-"], ["table"]):
        judged(place.run(words, "\n".join(lines)), words)
        place.reset()


def test_the_places_are_all_there_are() -> None:
    """A sample of what must be among them: an argument, a later one, an option, a game's verb, a look, a prefix."""
    wanted = {("note",), ("attack", "alpha", "beta"), ("sheet", "show"), ("odds",), ("run",)}
    assert any(place[:2] == ("unit", "add") and place[-1] == "--side" for place in PLACES)
    assert wanted <= set(PLACES)
    assert len(PLACES) > 150
