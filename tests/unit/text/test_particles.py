"""Korean particles by the sound before them."""

import pytest

from gmtool.text.particles import PAIRS, with_particle


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("발칸", "이 은 을 과 으로"),
        ("파동포", "가 는 를 와 로"),
        ("케스트럴", "이 은 을 과 로"),
        ("\u1112\u1161\u11ab", "이 은 을 과 으로"),
        ("0", "이 은 을 과 으로"),
        ("11", "이 은 을 과 로"),
        ("2", "가 는 를 와 로"),
        ("3", "이 은 을 과 으로"),
        ("6", "이 은 을 과 으로"),
        ("7", "이 은 을 과 로"),
        ("8", "이 은 을 과 로"),
        ("9", "가 는 를 와 로"),
        ("A", "가 는 를 와 로"),
        ("Kestrel", "이 은 을 과 로"),
        ("LANTERN", "이 은 을 과 으로"),
        ("Husk", "가 는 를 와 로"),
        ("アロー", "가 는 를 와 로"),
        ("", "가 는 를 와 로"),
    ],
)
def test_particles(text: str, forms: str) -> None:
    assert [with_particle(text, pair).removeprefix(text) for pair in PAIRS] == forms.split()


def test_an_unknown_pair_adds_nothing() -> None:
    assert with_particle("발칸", "a/b") == "발칸"
