"""Odds: the same rules over all faces at once, against die by die, plain play of every fall, and simulation."""

import random
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest

from gmtool.kernel.asks import Answers, Missing, Token
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.laws import Law, weights
from gmtool.kernel.odds import Outlook, outlook, plus
from gmtool.kernel.pools import Group, Spread, spread
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.run import judge
from gmtool.kernel.state import State
from gmtool.kernel.summary import summary
from gmtool.systems.rtype.rules.r08_volley import successes
from gmtool.systems.rtype.rules.r09_defence import HitsKept
from gmtool.systems.rtype.rules.r20_checks import PercentLaw
from tests.bench.kernel import Table
from tests.unit.kernel import toy
from tests.unit.kernel.toy import Heal, Hurt, Over, Strike, Wound, game, hits, ring

STRIKE = Strike("ann", "bob")
Ends = dict[tuple[Any, ...], Fraction]


def die_by_die(groups: tuple[Group, ...], keep: Any) -> Spread:
    """One branch for each fall of each die, none merged with another."""
    laws: list[tuple[int, Law]] = [(n, group.law) for n, group in enumerate(groups) for _ in range(group.n)]
    falls = list(product(*(list(law.all()) for _, law in laws)))
    chances = []
    for fall in falls:
        counts: list[dict[str, int]] = [{} for _ in groups]
        for (index, _), throw in zip(laws, fall, strict=True):
            counts[index][throw.result] = counts[index].get(throw.result, 0) + 1
        chances.append((keep(tuple(counts)), 1))
    return Spread(tuple(chances), len(falls))


def foretold(command: Any, state: State | None = None, said: dict[str, str] | None = None, **more: Any) -> Outlook:
    settings = more.pop("settings", Settings())
    answers = Answers(said=said or {})
    return outlook(game(), state or ring(ann=9, bob=9), None, command, answers, settings, **more)


def told_apart(view: Outlook) -> Ends:
    """The ends by results and rows laid over, with their chances."""
    found: Ends = {}
    for results, state, chance in view.ends:
        key = (*sorted(results.items()), *sorted(state.over.items()))
        assert key not in found, "equal ends are one"
        found[key] = chance
    return found


def played(command: Any, state: State) -> Ends:
    """Every fall typed in and judged, as the table would."""
    waiting: list[tuple[tuple[str, ...], Fraction]] = [((), Fraction(1))]
    chances: dict[tuple[Any, ...], Fraction] = {}
    while waiting:
        faces, chance = waiting.pop()
        answers = Answers(tuple(Token(face) for face in faces))
        try:
            ruling = judge(game(), state, None, command, answers, Settings())
        except Missing as missing:
            sides, low = missing.asks[0].dice[0], 0 if missing.asks[0].dice == (10,) else 1
            waiting += [((*faces, str(face)), chance / sides) for face in range(low, low + sides)]
            continue
        key = (*sorted(ruling.result.items()), *sorted(ruling.state.over.items()))
        chances[key] = chances.get(key, Fraction(0)) + chance
    return chances


def test_one_strike_by_hand() -> None:
    view = foretold(Strike("ann", "bob", 1))
    chances: dict[int, Fraction] = {}
    for results, _, chance in view.ends:
        chances[results["damage"]] = chances.get(results["damage"], Fraction(0)) + chance
    # great 1/10, good 4/10; a parry fails at 0 to 6, 7/10
    assert chances == {0: Fraction(1, 2) + Fraction(5, 10) * Fraction(3, 10), 1: Fraction(28, 100), 2: Fraction(7, 100)}
    assert view.unsettled == 0


@pytest.mark.parametrize("dice", [0, 1])
def test_counts_give_what_playing_every_fall_gives(dice: int) -> None:
    command = Strike("ann", "bob", dice)
    assert told_apart(foretold(command)) == played(command, ring(ann=9, bob=9))


@pytest.mark.parametrize("command", [Strike("ann", "bob", 1), Strike("ann", "bob", 2), Wound("bob", 4)])
@pytest.mark.parametrize("hp", [1, 6, 30])
def test_counts_give_what_die_by_die_gives_to_the_last_digit(command: Any, hp: int) -> None:
    merged = foretold(command, ring(ann=9, bob=hp))
    single = foretold(command, ring(ann=9, bob=hp), spreader=die_by_die)
    assert told_apart(merged) == told_apart(single)
    assert sum(told_apart(merged).values()) == 1
    assert merged.runs <= single.runs


def class_by_class(groups: tuple[Group, ...], keep: Any) -> Spread:
    """One branch for each class of each die, in the order of the dice; none merged with another."""
    dice = [(index, weights(group.law)[0]) for index, group in enumerate(groups) for _ in range(group.n)]
    chances = []
    for fall in product(*(classes for _, classes in dice)):
        counts: list[dict[str, int]] = [{} for _ in groups]
        weight = 1
        for (index, _), (result, ways) in zip(dice, fall, strict=True):
            counts[index][result] = counts[index].get(result, 0) + 1
            weight *= ways
        chances.append((keep(tuple(counts)), weight))
    return Spread(tuple(chances), 100 ** len(dice))


def gathered(groups: tuple[Group, ...], keep: Any) -> Spread:
    """The same, equal values added together."""
    found: Counter[Hashable] = Counter()
    single = class_by_class(groups, keep)
    for value, weight in single.chances:
        found[value] += weight
    return Spread(tuple(found.items()), single.total)


@pytest.mark.parametrize(("craft", "spreader"), [("ABCD", gathered), ("AB", class_by_class)])
def test_squad_against_squad_agrees_with_die_by_die_to_the_last_digit(craft: str, spreader: Any) -> None:
    """The largest attack there is, and one of three rolls with every branch run by itself."""
    table = Table()
    for lost in set("ABCD") - set(craft):
        table.tables["units"]["arrow"]["hp"][lost] = 0
    state = table.system.state(table.tables)
    setting = (table.system, state, table.book, table.command, Answers(), table.settings)
    merged, single = outlook(*setting), outlook(*setting, spreader=spreader)
    assert told_apart(merged) == told_apart(single)
    assert sum(told_apart(merged).values()) == 1
    assert merged.runs <= single.runs


def test_squad_against_squad_agrees_with_simulation() -> None:
    table = Table()
    view = table.odds()
    throw = random.Random(21).choices
    digits = [Token(f"{face:02}") for face in range(100)]
    trials = 1500
    found: Counter[int] = Counter()
    for _ in range(trials):
        faces = tuple(throw(digits, k=5))
        try:
            judge(table.system, table.state, table.book, table.command, Answers(faces), table.settings)
            answers = Answers(faces)
        except Missing as missing:
            answers = Answers((*faces, *throw(digits, k=len(missing.asks))))
        ruling = judge(table.system, table.state, table.book, table.command, answers, table.settings)
        found[ruling.result["damage"]] += 1
    chances: Counter[int] = Counter()
    for results, _, chance in view.ends:
        chances[results["damage"]] += chance  # type: ignore[assignment]
    assert found.keys() <= chances.keys()
    for damage, chance in chances.items():
        error = (float(chance) * (1 - float(chance)) / trials) ** 0.5
        assert abs(found[damage] / trials - float(chance)) <= 4 * error + 2e-3


def test_one_percentile_attack_agrees_with_die_by_die() -> None:
    """A single attack roll and a single evasion of the real game: ten thousand falls."""
    law = PercentLaw(55, "swap", "daredevil")
    keep = HitsKept(True, 2, 2, 1)
    for groups, kept in (
        ((Group(2, law),), successes),
        ((Group(1, law), Group(1, law)), keep),
        ((Group(0, law), Group(2, law)), keep),
    ):
        merged, single = spread(groups, kept), die_by_die(groups, kept)
        found: Counter[Hashable] = Counter()
        for value, weight in single.chances:
            found[value] += weight
        assert dict(merged.chances) == dict(found)
        assert merged.total == single.total


def test_odds_leave_the_state_and_what_was_said_alone() -> None:
    state = ring(ann=9, bob=9)
    state.put({("fighters", "ann"): state.table("fighters")["ann"]})
    before = dict(state.over)
    said = {"stance.bob": "low"}
    foretold(STRIKE, state, said)
    assert (state.over, said) == (before, {"stance.bob": "low"})


def test_what_was_said_shifts_the_odds() -> None:
    high, low = (summary(foretold(STRIKE, said={"stance.bob": word}))["damage"]["mean"] for word in ("high", "low"))
    # a parry fails 7 times in ten, or 4
    assert high == pytest.approx(low * 7 / 4)


def test_a_declaration_that_nothing_asks_for_is_refused_in_odds_too() -> None:
    with pytest.raises(Refused) as refused:
        foretold(STRIKE, said={"stnce": "low"})
    assert refused.value.key == "said-not-asked"


def test_a_refusal_is_a_refusal_in_odds_too() -> None:
    with pytest.raises(Refused) as refused:
        foretold(STRIKE, ring(ann=9, bob=0))
    assert refused.value.code == "down"


def test_a_rule_that_holds_on_to_the_state_sees_its_own_consequences(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        state, table = case.state, case.state.table("fighters")
        case.emit(Hurt(Id("bob"), 9, 4), "")
        case.result(seen=state.table("fighters")["bob"].hp, listed=table["bob"].hp)

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)
    assert foretold(Heal("bob", 1)).ends[0][0] == {"seen": 4, "listed": 4}


def test_commands_equal_as_tuples_are_not_taken_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Wound("bob", 3) == Heal("bob", 3)  # type: ignore[comparison-overlap]

    def rule(case: Case[Any, Any], command: Strike) -> None:
        great, _ = case.pool("x", "", [Group(1, Over(5), ("",))], hits, rule="")
        case.follow(Heal("bob", 3) if great else Wound("bob", 3))

    monkeypatch.setitem(toy.CHAPTER.rules, Strike, rule)
    healed = [chance for _, state, chance in foretold(STRIKE).ends if state.row("fighters", "bob").hp == 12]  # type: ignore[union-attr]
    assert healed == [Fraction(1, 10)]


def test_ways_to_one_state_are_one_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Strike) -> None:
        great, _ = case.pool("x", "", [Group(1, Over(5), ("",))], hits, rule="")
        if great:
            case.emit(Hurt(Id("bob"), 9, 7), "")
        case.emit(Hurt(Id("bob"), 9, 5), "")

    monkeypatch.setitem(toy.CHAPTER.rules, Strike, rule)
    assert [chance for _, _, chance in foretold(STRIKE).ends] == [1]


class Drawn(NamedTuple):
    """An event with a list in it, which cannot be hashed."""

    left: list[int]


def test_an_event_that_cannot_be_hashed_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Strike) -> None:
        great, _ = case.pool("x", "", [Group(1, Over(5), ("",))], hits, rule="")
        case.emit(Drawn([great]), "")
        case.result(great=great)

    monkeypatch.setitem(toy.CHAPTER.rules, Strike, rule)
    assert sorted(chance for _, _, chance in foretold(STRIKE).ends) == [Fraction(1, 10), Fraction(9, 10)]


def again_in_one_rule(case: Case[Any, Any], command: Heal) -> None:
    throw = 1
    while not case.pool(f"x{throw}", "", [Group(1, Over(5), ("",))], any_good, rule=""):
        throw += 1
    case.result(done=True)


def again_by_following(case: Case[Any, Any], command: Heal) -> None:
    if case.pool("x", "", [Group(1, Over(5), ("",))], any_good, rule=""):
        case.result(done=True)
    else:
        case.follow(command)


def any_good(counts: Any) -> bool:
    return "bad" not in counts[0]


def test_a_rule_that_may_throw_for_ever_leaves_a_little_unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toy.CHAPTER.rules, Heal, again_in_one_rule)
    view = foretold(Heal("bob", 1))
    assert view.unsettled == Fraction(1, 2**16)
    assert sum((chance for _, _, chance in view.ends), view.unsettled) == 1


def test_a_command_that_follows_itself_for_ever_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toy.CHAPTER.rules, Heal, again_by_following)
    view = foretold(Heal("bob", 1))
    assert 0 < view.unsettled < Fraction(1, 10**12)
    assert sum((chance for _, _, chance in view.ends), view.unsettled) == 1
    assert [results for results, _, _ in view.ends] == [{"done": True}]


def test_pools_with_one_value_do_not_count_as_throwing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        for n in range(40):
            case.pool(f"x{n}", "", [Group(1, Over(5), ("",))], lambda counts: "sure", rule="")
        case.result(done=True)

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)
    view = foretold(Heal("bob", 1))
    assert (view.unsettled, view.runs, len(view.ends)) == (0, 1, 1)


def test_a_long_exchange_that_ends_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(case: Case[Any, Any], command: Heal) -> None:
        if command.n:
            case.follow(Heal(command.whom, command.n - 1))

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)
    view = foretold(Heal("bob", 60))
    assert (view.unsettled, view.runs) == (0, 61)


def test_weights_are_added_without_loss() -> None:
    assert plus((1, 4), (1, 4)) == (2, 4)
    assert Fraction(*plus((1, 6), (3, 10))) == Fraction(1, 6) + Fraction(3, 10)


def test_a_summary_tells_chances_means_and_words() -> None:
    state = ring()
    half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
    ends = [
        ({"hit": True, "n": 3, "who": "ann"}, state, half),
        ({"hit": False, "n": 0, "who": "bob"}, state, third),
        ({"hit": False, "n": 3}, state, sixth),
    ]
    found = summary(Outlook(ends, Fraction(0), 3))
    assert found["hit"] == 0.5
    assert found["n"] == {"mean": 2.0, "chances": {"0": float(third), "3": float(half + sixth)}}
    assert found["who"] == {"chances": {"ann": 0.5, "bob": float(third)}}
