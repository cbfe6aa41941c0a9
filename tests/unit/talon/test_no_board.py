"""A battle without a board: everything that is looked at works, in 80 columns and every language."""

from collections.abc import Callable

import pytest

from gmtool.text.catalogue import LANGUAGES
from gmtool.text.width import cells
from tests.conftest import Ran

Gm = Callable[..., Ran]
LOOKS = ("status", "status alpha", "schedule alpha", "board show", "history", "report", "why")


@pytest.fixture
def table(gm: Gm) -> Gm:
    """A carrier, which has an AP in impulse A, against a cruiser; neither stands anywhere."""
    for line in (
        "campaign new T --system talon", "side add Terra --race terran", "side add Horde --race talon",
        "ship add terran-cv Alpha --side Terra", "ship add talon-ca Beta --side Horde",
        "battle start --initiative terra",
    ):  # fmt: skip
        assert gm(*line.split()).code == 0, line
    return gm


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_is_looked_at_can_be(table: Gm, lang: str) -> None:
    for line in LOOKS:
        ran = table(*line.split(), "--lang", lang, env={"COLUMNS": "80"})
        assert ran.code == 0, f"{line}: {ran.err}"
        assert line == "report" or [row for row in ran.out.splitlines() if cells(row) > 80] == [], line


@pytest.mark.parametrize("line", ["aim alpha", "arc alpha beta", "board show alpha", "leave alpha"])
def test_what_needs_a_board_says_so(table: Gm, line: str) -> None:
    ran = table(*line.split(), "--json")
    error = ran.objects[0]["error"]
    assert (ran.code, error["code"] in {"bad-value", "no-map"}) == (1, True), error
    assert "board" in error["message"]


def test_a_second_cannon_finds_nobody_where_the_first_has_destroyed_the_target(gm: Gm) -> None:
    """Fusion cannon at range 1, a roll of 6: 11; a heavy cruiser has 4 boxes to the rear and a hull of 6 (TL-15.2.1).

    The fourth hull box is critical: 3 and 4 is no critical (TL-8.5). The other cannon throws no die.
    """
    for line in (
        "campaign new T --system talon", "side add Terra --race terran", "side add Horde --race talon",
        "ship add terran-ca Alpha --side Terra", "ship add talon-dn Beta --side Horde",
        "battle start --initiative horde",
    ):  # fmt: skip
        assert gm(*line.split()).code == 0, line
    shot = ("fire", "beta", "2", "alpha", "--range", "1", "--shield", "rear")
    assert gm("odds", *shot).code == 0
    done = gm(*shot, "--dice", "6 3 4", "--json").objects[0]
    assert done["ok"], done
    assert [die["faces"] for die in done["dice"]] == [[6], [3], [4]]
    assert done["result"]["destroyed"] == 1
