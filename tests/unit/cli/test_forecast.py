"""``config forecast`` and ``odds compare``, as they are typed and seen."""

from collections.abc import Callable

import pytest

from gmtool.text.catalogue import LANGUAGES
from gmtool.text.width import cells
from tests.conftest import Ran
from tests.setups import PILOTS, PLAYERS_FIRST

Gm = Callable[..., Ran]
SETUP = PILOTS + PLAYERS_FIRST
ATTACK = ("attack", "arrow", "vulcan", "gains")
COUNTERED = (*ATTACK, "--defence", "counter:flak")
MISSILE = ("attack", "arrow", "missile", "gains")


@pytest.fixture
def duel(gm: Gm) -> Gm:
    assert gm("campaign", "new", "Duel", "--system", "rtype").code == 0
    assert gm("run", "-", input=SETUP.strip()).code == 0
    return gm


def compared(gm: Gm, *line: str) -> dict[str, object]:
    found: dict[str, object] = gm("odds", "compare", *line, "--json").objects[0]["result"]
    return found


# ---- config forecast


def test_a_forecast_is_for_whoever_types_unless_said_otherwise(duel: Gm) -> None:
    assert "self (our default)" in duel("config", "forecast").out
    assert duel("config", "forecast", "tables").code == 2
    duel(*ATTACK)
    assert "forecast" not in duel("status").out
    assert "forecast" not in duel("status", "--json").objects[0]["result"]["open"]


def test_at_the_table_status_has_it_while_a_question_is_open(duel: Gm) -> None:
    """By hand: 91 of 100 throws hit at 70, 25 are not evaded at 50, so each of five dice hits with 22.75 %."""
    duel("config", "forecast", "table")
    assert "forecast" not in duel("status").out
    asked = duel(*ATTACK, "--json")
    assert "forecast" not in asked.objects[0], "an ask has none, whatever the setting"
    shown = duel("status", env={"COLUMNS": "80"}).out.splitlines()
    assert shown[-1] == "  forecast  hit 72 % (1.1 of 5)  damage 34  craft lost 0: 99 %, 1: 1 %"
    told = duel("status", "--json").objects[0]["result"]["open"]["forecast"]
    assert told["damage"]["mean"] == pytest.approx(5 * 0.91 * 0.25 * 30)
    assert duel("answer", "--drop").code == 0
    assert "forecast" not in duel("status").out


@pytest.mark.parametrize("side", ["Players", "Bydo"])
def test_no_side_is_shown_a_forecast(duel: Gm, side: str) -> None:
    """Its figures come of the hit points and values of both sides."""
    duel("config", "forecast", "table")
    duel(*ATTACK)
    shown = duel("status", "--for", side)
    assert shown.code == 0
    assert "forecast" not in shown.out
    assert "forecast" not in duel("status", "--for", side, "--json").out


def test_off_is_off(duel: Gm) -> None:
    duel("config", "forecast", "off")
    duel(*ATTACK)
    assert "forecast" not in duel("status").out


# ---- odds compare


def test_two_plans_side_by_side_with_the_better_figures_marked(duel: Gm) -> None:
    """The Vulcan at 70 hits more often and harder than the missile at 60 (84 of 100); that is answered by no counter.

    The counter: flak at 65 hits with 84 of 100 too, 20 each, with a craft less where four or five hits took one.
    """
    shown = duel("odds", "compare", *COUNTERED, "/", *MISSILE, env={"COLUMNS": "80"})
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[:3] == [
        "A  attack arrow vulcan gains --defence counter:flak",
        "B  attack arrow missile gains",
        " " * 27 + "A" + " " * 25 + "B",
    ]
    rows = {line.split("expected")[0].strip(): line for line in lines if "expected" in line}
    assert rows["damage"].split()[2:] == ["34.12", "*", "expected", "26.25"]
    assert rows["Gains counter, damage"].split()[-3:] == ["20.95", "-", "*"]
    assert lines[-1] == "  mark" or lines[-1].endswith("no mark")


def test_each_plan_has_the_odds_it_has_alone(duel: Gm) -> None:
    found = compared(duel, *ATTACK, "/", *MISSILE, "/", *ATTACK, "--feint", "10")
    plans: list[dict[str, object]] = found["plans"]  # type: ignore[assignment]
    assert [plan["line"] for plan in plans] == [
        "attack arrow vulcan gains", "attack arrow missile gains", "attack arrow vulcan gains --feint 10",
    ]  # fmt: skip
    for plan, line in zip(plans, (ATTACK, MISSILE, (*ATTACK, "--feint", "10")), strict=True):
        assert plan["result"] == duel("odds", *line, "--json").objects[0]["result"]
    # a feint of 10: 84 of 100 hit at 60, and 36 are not evaded at 40
    assert found["better"]["damage"] == [2]  # type: ignore[index]


def test_a_counter_is_better_where_it_does_less(duel: Gm) -> None:
    found = compared(duel, *ATTACK, "/", *COUNTERED)
    better: dict[str, list[int]] = found["better"]  # type: ignore[assignment]
    assert better["counter.gains.damage"] == [0]
    assert "damage" not in better, "as good in both"


def test_plans_may_be_of_different_units_and_before_their_time(duel: Gm) -> None:
    """What stands against a plan is set aside and told under it."""
    shown = duel("odds", "compare", *ATTACK, "/", "attack", "gains", "gun", "arrow")
    assert shown.code == 0
    assert "set aside for the forecast: " in shown.out.splitlines()[2]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (ATTACK, "usage"),
        ((*ATTACK, "/"), "usage"),
        ((*ATTACK, "/", "status"), "usage"),
        ((*ATTACK, "/", *ATTACK, "/", *ATTACK, "/", *ATTACK, "/", *ATTACK), "usage"),
        ((*ATTACK, "/", *ATTACK, "--dice", "15"), "usage"),
        ((*ATTACK, "/", "attack", "arrow", "vulcan", "nobody"), "unknown-name"),
        ((), "usage"),
    ],
)
def test_what_cannot_be_compared_is_refused(duel: Gm, line: tuple[str, ...], code: str) -> None:
    ran = duel("odds", "compare", *line, "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, code)


def test_a_side_is_foretold_nothing(duel: Gm) -> None:
    assert duel("odds", "compare", *ATTACK, "/", *MISSILE, "--for", "Players").code == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [80, 120])
def test_every_line_fits_in_every_language(duel: Gm, lang: str, columns: int) -> None:
    duel("config", "forecast", "table")
    duel(*COUNTERED)
    shown = [duel("status", "--lang", lang, env={"COLUMNS": str(columns)})]
    duel("answer", "--drop")
    shown.append(duel("odds", "compare", *COUNTERED, "/", *MISSILE, "--lang", lang, env={"COLUMNS": str(columns)}))
    for ran in shown:
        assert ran.code == 0
        assert all(cells(line) <= columns for line in ran.out.splitlines())
        assert "{" not in ran.out
        assert "<foretold" not in ran.out


def test_the_columns_stand_below_each_other_in_cells(duel: Gm) -> None:
    """The mean and the chances of the second plan begin at the same cell in Japanese too."""
    shown = duel("odds", "compare", *ATTACK, "/", *MISSILE, "--lang", "ja", env={"COLUMNS": "80"}).out.splitlines()
    start = cells(shown[2].split("B")[0])
    means = [line for line in shown if line.count("期待値") == 2]
    assert means
    for line in means:
        first, second = line.rsplit("期待値", 1)
        assert cells(first) == start, second


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_no_label_runs_into_its_figure(lang: str) -> None:
    """A range of values can be longer than the name of what it is of."""
    from gmtool.render.compare import Planned, compare
    from gmtool.render.lines import plain
    from gmtool.text.catalogue import load

    many = {"mean": 50.0, "chances": {str(n * 10): 1 / 40 for n in range(40)}}
    lines = [
        plain(line)
        for line in compare([Planned("a", {"hits": many}), Planned("b", {"hits": many})], {}, load(lang, "rtype"), {})
    ]
    assert any(line.strip().startswith("0-30  ") for line in lines), lines
