"""Each file of tests/bad_data/rtype has one fault; its first line says with which words it must be refused."""

import json
from pathlib import Path

import pytest

from gmtool.kernel.refusal import Refused, Word
from gmtool.rulesdata.compile import load
from gmtool.rulesdata.faults import EXPECTED, SENTENCES
from gmtool.systems.rtype import tables

FOLDER = Path(__file__).parents[2] / "bad_data" / "rtype"
FILES = sorted(FOLDER.glob("*.toml"))


def expectation(file: Path) -> dict[str, object]:
    """The JSON in the comment of the first line, whatever the file's encoding."""
    data = file.read_bytes()
    text = data.decode("utf-16") if data.startswith(b"\xff\xfe") else data.decode("utf-8-sig", "replace")
    expected: dict[str, object] = json.loads(text.splitlines()[0].removeprefix("# "))
    return expected


def refusal(file: Path, tmp_path: Path) -> Refused:
    """How a campaign with this file in its rules folder is refused."""
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / file.name).write_bytes(file.read_bytes())
    with pytest.raises(Refused) as caught:
        load("rtype", tables, rules)
    return caught.value


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("file", [file for file in FILES if "refused" in expectation(file)], ids=lambda f: f.stem)
def test_a_fault_is_named_with_file_key_and_what_was_expected(file: Path, tmp_path: Path) -> None:
    expected, refused = expectation(file), refusal(file, tmp_path)
    facts = expected["facts"]
    assert isinstance(facts, dict)
    assert (refused.code, refused.exit, refused.key) == ("rules-file", 3, expected["refused"])
    assert refused.facts["file"] == f"rules/{file.name}"
    assert {key: refused.facts.get(key) for key in facts} == facts


@pytest.mark.parametrize("file", [file for file in FILES if "refused" in expectation(file)], ids=lambda f: f.stem)
def test_a_refusal_has_just_the_facts_its_sentence_can_use(file: Path, tmp_path: Path) -> None:
    refused = refusal(file, tmp_path)
    assert set(refused.facts) == SENTENCES[refused.key]
    if "expected" in refused.facts:
        assert isinstance(refused.facts["expected"], Word)
        assert refused.facts["expected"] in EXPECTED


@pytest.mark.parametrize("file", [file for file in FILES if "accepted" in expectation(file)], ids=lambda f: f.stem)
def test_what_only_looks_wrong_is_accepted(file: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / file.name).write_bytes(file.read_bytes())
    table, _, id = str(expectation(file)["accepted"]).partition(".")
    assert id in load("rtype", tables, rules)[table]


def test_nearly_every_sentence_is_met_by_a_bad_file() -> None:
    """What no single bad file can show (no folder, unreadable, too big) has tests of its own."""
    shown = {str(expectation(file).get("refused")) for file in FILES}
    assert set(SENTENCES) - shown == {"data-no-folder", "data-unreadable", "data-too-big"}
