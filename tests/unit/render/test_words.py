"""The real catalogues of the renderers."""

import re
from pathlib import Path

import pytest

import gmtool.render
import gmtool.text.catalogue
from gmtool.text.catalogue import Catalogue, merged
from gmtool.text.check import problems

FOLDER = Path(gmtool.text.catalogue.__file__).parent / "catalogue"
SOURCES = Path(gmtool.render.__file__).parent
RENDER = {lang: Catalogue(lang, merged([FOLDER / f"{lang}.render.toml"])) for lang in ("en", "ja", "ko")}
GROUPS = "mark|ruling|why|view|tally|ask|dues"


def test_the_sentences_are_well_formed_and_the_same_in_all_languages() -> None:
    assert problems(RENDER) == []


def test_every_key_the_renderers_name_exists_and_none_is_left_over() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("*.py"))
    named = set(re.findall(rf'"((?:{GROUPS})\.[a-z-]+)"', code)) | {"ask.declaration", "ask.judgement"}
    written = {key for key in RENDER["en"].sentences if re.match(rf"(?:{GROUPS})\.", key)}
    assert named == written


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_a_sentence_with_its_rule_keeps_its_stop(lang: str) -> None:
    from gmtool.render.words import Words

    words = Words(RENDER[lang], {})
    shown = {"en": "Too far (RT-8.1).", "ja": "射程外です（RT-8.1）。", "ko": "사거리 밖입니다(RT-8.1)."}
    told = {"en": "Too far.", "ja": "射程外です。", "ko": "사거리 밖입니다."}
    assert words.cited(told[lang], "RT-8.1") == shown[lang]
    assert words.cited(shown[lang], "RT-8.1") == shown[lang]
