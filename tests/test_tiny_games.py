"""Two games that know nothing of percentiles, units or sides, played on the kernel as it is."""

import json
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel.asks import Answers, Given, Missing
from gmtool.kernel.case import Settings
from gmtool.kernel.changes import apply, reverse
from gmtool.kernel.odds import outlook
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.summary import summary
from gmtool.kernel.system import find_systems, load_system
from gmtool.kernel.typed import read_dice
from gmtool.kernel.view import Grid, View
from gmtool.kernel.words import Scope, read_words
from gmtool.text.catalogue import LANGUAGES, Catalogue, Sentence
from gmtool.text.check import fields

GAMES = Path(__file__).parent / "games"


class Play:
    """A campaign of a tiny game in memory: what the journal would hold, and what the state would be."""

    def __init__(self, game: str) -> None:
        self.system = load_system(find_systems(("tests.games",))[game])
        self.tables: dict[str, Any] = {}
        self.journal: list[Ruling] = []

    @property
    def state(self) -> Any:
        return self.system.state(self.tables)

    def read(self, verb: str, words: Mapping[str, Any]) -> Any:
        return read_words(self.system.command(verb), words, Scope(self.state, None, {}))

    def do(self, verb: str, dice: str = "", given: Mapping[str, Given] | None = None, **words: Any) -> Ruling:
        loose, named = read_dice(dice)
        answers = Answers(loose, named, words.pop("said", {}), given or {})
        ruling = judge(self.system, self.state, None, self.read(verb, words), answers, Settings())
        apply(self.tables, ruling.changes)
        self.journal.append(ruling)
        return ruling

    def odds(self, verb: str, said: Mapping[str, str] | None = None, **words: Any) -> dict[str, Any]:
        answers = Answers(said=said or {})
        view = outlook(self.system, self.state, None, self.read(verb, words), answers, Settings())
        assert sum((chance for _, _, chance in view.ends), view.unsettled) == 1
        return summary(view)

    def undo(self) -> None:
        apply(self.tables, reverse(self.journal.pop().changes))

    def board(self) -> View:
        view: View = self.system.view().board(self.state, None)
        return view

    def header(self) -> dict[str, Any]:
        header: dict[str, Any] = self.system.view().header(self.state)
        return header


def trio() -> Play:
    play = Play("trio")
    for name in ("Ann", "Bob", "Cyd"):
        play.do("player add", name=name)
    play.do("begin")
    return play


def cards(each: str = "4") -> Play:
    play = Play("cards")
    for name in ("Ann", "Bob"):
        play.do("seat", name=name)
    play.do("shuffle", each=each)
    return play


def refused(play: Play, verb: str, dice: str = "", **words: Any) -> Refused:
    before = json.dumps(play.tables)
    with pytest.raises(Refused) as met:
        play.do(verb, dice, **words)
    assert json.dumps(play.tables) == before
    return met.value


def test_games_are_found_in_whatever_package_is_listed() -> None:
    assert find_systems(("tests.games",)) == {"cards": "tests.games.cards", "trio": "tests.games.trio"}


def test_trio_steady_keeps_the_best_two_dice_and_the_turn_goes_round() -> None:
    play = trio()
    assert play.header() == {"turn": 1, "phase": "playing", "acting": "ann"}
    assert play.do("throw", "2 6 5", player="ann").result == {"points": 11, "won": False}
    assert play.do("throw", "1 2 3", player="bob").result == {"points": 5, "won": False}
    assert play.do("throw", "throw cyd: 4 4 1", player="cyd").result == {"points": 8, "won": False}
    assert play.header() == {"turn": 2, "phase": "playing", "acting": "ann"}


def test_trio_bold_counts_twice_what_shows_the_same() -> None:
    play = trio()
    assert play.do("throw", "4 1 4", player="ann", style="b").result["points"] == 16
    assert play.do("throw", "1 2 3", player="bob", said={"style": "bold"}).result["points"] == 0


def test_trio_three_of_a_kind_throws_again() -> None:
    play = trio()
    with pytest.raises(Missing) as missing:
        play.do("throw", "2 2 2", player="ann")
    assert [ask.key for ask in missing.value.asks] == [f"throw.ann.again1.{n}" for n in "123"]
    ruling = play.do("throw", "2 2 2 6 1 5", player="ann")
    assert ruling.result == {"points": 15, "won": False}
    assert [change["path"] for change in ruling.changes] == [
        "players.ann.points", "players.ann.points", "round.now.acting",
    ]  # fmt: skip


def test_trio_is_won_with_thirty() -> None:
    play = trio()
    assert play.do("throw", "6 6 6", player="ann", style="bold").result == {"points": 36, "won": True}
    assert play.header() == {"turn": 1, "phase": "over", "acting": None}
    assert refused(play, "throw", "1 2 3", player="bob").key == "no-round"


def test_trio_refuses_what_its_rules_do_not_allow() -> None:
    play = trio()
    assert refused(play, "throw", "1 2 3", player="bob").key == "not-your-turn"
    assert refused(play, "player add", name="Dan").key == "table-full"
    assert refused(play, "throw", "1 2 7", player="ann").code == "bad-dice"
    assert refused(play, "throw", "1 2 3 4", player="ann").key == "dice-rest"


def test_trio_odds_by_hand() -> None:
    play = trio()
    found = play.odds("throw", player="ann")
    # 2 only from 1 1 1 with another throw after it; 12 from two sixes and no third: 3 x 5 of 216
    assert "2" not in found["points"]["chances"]
    assert found["points"]["chances"]["12"] == pytest.approx(15 / 216, abs=0.005)
    play.tables["players"]["ann"]["points"] = 18
    # 12 more: at least two sixes, (15 + 1) of 216; or a triple below that and enough after it
    least = Fraction(16, 216)
    assert least < play.odds("throw", player="ann")["won"] < least + Fraction(5, 216)
    # bold: a pair of n gives 4n, three 6n
    bold = play.odds("throw", player="ann", style="bold")
    pairs = Fraction(4 * 15, 216)
    triples = Fraction(5, 216)
    assert float(pairs + triples) < bold["won"] < float(pairs + triples + Fraction(1, 216))


def test_cards_are_drawn_without_going_back() -> None:
    play = cards()
    ruling = play.do("draw", "T ａ", player="ann", cards="2")
    assert ruling.result == {"points": 21, "bust": False}
    assert play.tables["players"]["ann"]["hand"] == {"T": 1, "A": 1}
    assert play.tables["deck"]["now"]["left"]["A"] == 3
    assert [(face.key, face.result, face.read) for face in ruling.faces] == [
        ("card.ann.1", "T", 10),
        ("card.ann.2", "A", 1),
    ]
    assert ruling.trace[0]["law"]["facts"] == {"n": 40}
    assert ruling.trace[2]["law"]["facts"] == {"n": 39}


def test_cards_a_card_that_is_gone_is_refused() -> None:
    play = cards(each="1")
    play.do("draw", "9", player="ann")
    met = refused(play, "draw", "9", player="ann")
    assert (met.code, met.key, met.facts["left"]) == ("bad-dice", "no-such-card", list("A2345678T"))


def test_cards_too_many_ends_the_draw_and_what_is_left_over_is_told() -> None:
    play = cards()
    assert refused(play, "draw", "T 9 8 A", player="ann", cards="4").facts == {"value": "A", "needed": 3}
    ruling = play.do("draw", "10 9 8", player="ann", cards="4")
    assert ruling.result == {"points": 27, "bust": True}
    assert play.header() == {"turn": 1, "phase": "drawing", "acting": "bob"}
    play.do("stand", player="b")
    assert play.header()["phase"] == "over"
    assert refused(play, "draw", "2", player="ann").key == "is-done"


def test_cards_thrown_by_the_tool_are_cards_that_are_left() -> None:
    play = cards(each="1")
    command = play.read("draw", {"player": "ann", "cards": "2"})
    sides = []

    def roller(key: str, dice: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
        sides.append(dice)
        return (dice[0] - 1,), "rolled"

    ruling = judge(play.system, play.state, None, command, Answers(roller=roller), Settings())
    assert [face.result for face in ruling.faces] == ["T", "9"]
    assert sides == [(10,), (9,)]


def test_cards_a_place_beyond_the_deck_is_asked_for_again() -> None:
    play = cards(each="1")
    stale = {"card.ann.1": Given((11,), False, "entered", None)}
    with pytest.raises(Missing):
        play.do("draw", given=stale, player="ann")
    assert (
        play.do("draw", given={"card.ann.1": Given((10,), False, "entered", None)}, player="ann").result["points"] == 10
    )


def test_cards_odds_know_what_is_left() -> None:
    play = cards(each="1")
    play.do("draw", "T 9", player="ann", cards="2")
    # 19 points; left are A and 2 to 8: an ace or a two is not too many
    found = play.odds("draw", player="ann")
    assert found["bust"] == pytest.approx(6 / 8)
    assert found["points"]["chances"]["20"] == pytest.approx(1 / 8)
    # the second card: 20 and then a 2 is too many; 21 and then anything is
    assert play.odds("draw", player="ann", cards="2")["bust"] == pytest.approx(1)


def test_cards_odds_of_five_draws_are_those_of_playing_them_all() -> None:
    play = cards(each="1")
    chances: dict[str, Fraction] = {}

    def every(hand: tuple[int, ...], chance: Fraction) -> None:
        points = sum(hand) + (10 if 1 in hand and sum(hand) <= 11 else 0)
        if len(hand) == 5 or points > 21:
            chances[str(points)] = chances.get(str(points), Fraction(0)) + chance
            return
        left = [rank for rank in range(1, 11) if rank not in hand]
        for rank in left:
            every((*hand, rank), chance / len(left))

    every((), Fraction(1))
    found = play.odds("draw", player="ann", cards="5")["points"]["chances"]
    assert found == {value: float(chance) for value, chance in chances.items()}


@pytest.mark.parametrize("make", [trio, cards])
def test_all_can_be_taken_back_and_leaves_nothing(make: Any) -> None:
    play = make()
    if play.system.id == "trio":
        play.do("throw", "2 2 2 6 1 5", player="ann")
    else:
        play.do("draw", "T 9 8", player="ann", cards="3")
    assert all(json.dumps(ruling.trace) and json.dumps(ruling.changes) for ruling in play.journal)
    while play.journal:
        play.undo()
    assert play.tables == {}


@pytest.mark.parametrize("make", [trio, cards])
def test_a_board_shows_every_player(make: Any) -> None:
    play = make()
    grid = play.board().blocks[0]
    assert isinstance(grid, Grid)
    assert [len(row) for row in grid.rows] == [len(grid.columns)] * len(play.tables["players"])
    assert play.system.view().thing(play.state, None, "ann")
    assert play.system.view().thing(play.state, None, "deck") is None
    assert play.system.name(play.state, None, "bob") == "Bob"


def flat(table: Mapping[str, Any], before: str = "") -> dict[str, Sentence]:
    found: dict[str, Sentence] = {}
    for key, value in table.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            found |= flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    return found


def catalogue(game: str, lang: str) -> Catalogue:
    return Catalogue(lang, flat(tomllib.loads((GAMES / game / "text" / f"{lang}.toml").read_text(encoding="utf-8"))))


@pytest.mark.parametrize("game", ["trio", "cards"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_event_refusal_and_verb_has_its_sentence(game: str, lang: str) -> None:
    words, english = catalogue(game, lang), catalogue(game, "en")
    assert words.sentences.keys() == english.sentences.keys()
    for key, sentence in english.sentences.items():
        assert fields(words.sentences[key]) == fields(sentence), key
    system = load_system(f"tests.games.{game}")
    for verb in system.verbs:
        system.command(verb)
        assert words.has("help.verb." + verb.replace(" ", "."))
    from gmtool.kernel.trace import snake

    own = [event for event in system.effects if event.__module__.startswith("tests.")]
    assert own
    assert all(words.has(f"event.{snake(event.__name__)}") for event in own)
    views = import_module(f"tests.games.{game}.views")
    assert all(words.has(f"column.{column.key}") for column in views._PLAYERS)
