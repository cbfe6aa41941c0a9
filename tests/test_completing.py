"""Completion: what is offered is what the rules do not refuse, by whatever name is begun; nothing is written for it."""

import io
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli import completing, main
from gmtool.cli.bridge import take_apart
from gmtool.cli.completing import Offer, complete
from gmtool.cli.dispatch import execute, find
from gmtool.cli.face import Face
from gmtool.cli.reader import read_line
from gmtool.kernel.asks import Answers, Missing
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import judge
from gmtool.kernel.words import Arg, Scope, params, read_word
from gmtool.referee.act import resolve
from gmtool.referee.desk import Desk, Registry
from gmtool.store.campaign import open_campaign
from tests.conftest import Ran
from tests.courses.chooser import Chooser
from tests.courses.course import Course
from tests.courses.ways import GAMES, argv_of
from tests.field.table import folder_bytes
from tests.setups import DUEL

Gm = Callable[..., Ran]


def open_face(packages: tuple[str, ...] = GAMES) -> Face:
    return main.make_face(io.StringIO(), io.StringIO(), io.StringIO(), dict(os.environ), packages)


def words(offers: list[Offer]) -> list[str]:
    return [offer.insert for offer in offers]


@pytest.fixture(autouse=True)
def _no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is tried, however slow the machine is."""
    monkeypatch.setattr(completing, "PATIENCE", 1_000)


@pytest.fixture
def duel(gm: Gm) -> Gm:
    """Two craft against two, in the players' phase."""
    assert gm("campaign", "new", "Duel", "--system", "rtype").code == 0
    ran = gm("run", "-", input="\n".join(DUEL))
    assert ran.code == 0, ran
    return gm


@pytest.mark.usefixtures("duel")
def test_the_units_weapons_and_targets_of_an_attack_are_offered_one_after_the_other() -> None:
    face = open_face()
    assert words(complete(face, "att")) == ["attack"]  # attach would need a force
    assert words(complete(face, "attack ")) == ["r1", "r2"]
    assert complete(face, "attack r1 ") == [
        Offer("vulcan", 0, "vulcan", "Vulcan (1)"), Offer("missile", 0, "missile", "Missile (2)"),
    ]  # fmt: skip
    assert words(complete(face, "attack r1 vulcan ")) == ["b1", "b2"]
    assert complete(face, "attack r1 vulcan b")[0] == Offer("b1", 1, "b1", "Gains-1")


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize(
    ("typed", "insert"),
    [
        ("attack arr", "arrow"), ("attack ARR", "arrow"), ("attack ａｒｒ", "arrow"), ("attack R1", "r1"),
        ('attack "Blue B', '"Blue Bird"'), ("attack r1 バル", "バルカン"), ("attack r1 발", "발칸"),
        ("attack r1 1", "vulcan"), ("attack r1 2", "missile"),
    ],
)  # fmt: skip
def test_any_way_of_naming_a_thing_can_be_begun(typed: str, insert: str) -> None:
    assert words(complete(open_face(), typed)) == [insert]


def test_names_with_blanks_dashes_and_in_any_script_are_put_in_so_that_the_line_is_read(gm: Gm) -> None:
    gm("campaign", "new", "Duel", "--system", "rtype")
    for line in (*DUEL[:2], "unit add kestrel 青い鳥 --side players", 'unit add kestrel "파란 새" --side players'):
        assert gm("run", "-", input=line).code == 0
    assert gm("unit", "add", "gains", "--side=bydo", "--", "--Ren").code == 0
    gm("run", "-", input="\n".join(DUEL[5:]))
    face = open_face()
    assert words(complete(face, "attack 青")) == ["青い鳥"]
    assert words(complete(face, "attack 파")) == ['"파란 새"']
    assert words(complete(face, 'attack "파란 ')) == ['"파란 새"']
    assert complete(face, 'attack r1 vulcan "--R') == [Offer("b1", 4, "b1", "--Ren")]


@pytest.mark.usefixtures("duel")
def test_what_a_word_replaces_is_counted_from_the_cursor_with_its_quote() -> None:
    (offer,) = complete(open_face(), 'attack r1 vulcan b1 --defence "ev')
    assert (offer.insert, offer.start) == ("evade", 3)


def test_who_has_acted_is_offered_no_more(duel: Gm) -> None:
    face = open_face()
    assert words(complete(face, "pass ")) == ["r1", "r2"]
    assert duel("pass", "r1").code == 0
    face = open_face()
    assert words(complete(face, "pass ")) == ["r2"]
    assert words(complete(face, "attack ")) == ["r2"]


def test_one_open_shell_sees_at_once_that_a_unit_has_acted(duel: Gm) -> None:
    face = open_face()
    assert words(complete(face, "attack ")) == ["r1", "r2"]
    execute(face, read_line("pass r2"))
    assert words(complete(face, "attack ")) == ["r1"]


def test_a_weapon_without_ammunition_is_not_offered(duel: Gm) -> None:
    assert duel("ammo", "r1", "missile", "0").code == 0
    assert words(complete(open_face(), "attack r1 ")) == ["vulcan"]
    assert words(complete(open_face(), "attack r2 ")) == ["vulcan", "missile"]


def test_without_fuel_there_is_no_move(duel: Gm) -> None:
    assert duel("fuel", "r1", "0").code == 0
    assert words(complete(open_face(), "move ")) == ["r2"]
    assert complete(open_face(), "move r1 ") == []
    assert words(complete(open_face(), "move r2 ")) == ["1", "2", "3", "4", "5"]  # the move value of a Kestrel


def test_who_is_out_of_range_is_not_offered(gm: Gm) -> None:
    gm("campaign", "new", "Duel", "--system", "rtype")
    lines = (*DUEL[:2], "map use sandbar", "unit add kestrel Arrow --side players --at 0404")
    lines = (*lines, "unit add gains Near --side bydo --at 0504", "unit add gains Far --side bydo --at 1004", *DUEL[5:])
    ran = gm("run", "-", input="\n".join((*lines, "search arrow")))
    if ran.code:
        pytest.skip(ran.err)  # no such map in this set of data
    assert words(complete(open_face(), "attack arrow vulcan ")) == ["b1"]


def test_where_searching_is_strict_nobody_unsearched_is_offered(duel: Gm) -> None:
    assert duel("config", "search", "strict").code == 0
    assert complete(open_face(), "attack ") == []
    assert duel("search", "r1", "b2").code == 0
    assert words(complete(open_face(), "attack r1 vulcan ")) == ["b2"]


def test_in_the_wrong_phase_no_verb_of_the_phase_is_offered(gm: Gm) -> None:
    gm("campaign", "new", "Duel", "--system", "rtype")
    gm("run", "-", input="\n".join(DUEL[:6]))
    face = open_face()
    offered = words(complete(face, ""))
    assert "initiative" in offered
    assert not {"attack", "move", "search", "pass", "end phase", "first"} & {*offered}
    assert complete(face, "attack ") == []


@pytest.mark.usefixtures("duel")
def test_options_are_offered_with_what_they_can_be() -> None:
    face = open_face()
    assert "--feint" in words(complete(face, "attack r1 vulcan b1 --"))
    assert words(complete(face, "attack r1 vulcan b1 --def"))[0] == "--defence"
    assert words(complete(face, "attack r1 vulcan b1 --defence ")) == ["evade", "focus", "counter:flak"]
    assert words(complete(face, "attack r1 --lang ")) == ["en", "ja", "ko"]
    assert "--each" not in words(complete(face, "attack r1 vulcan b1 --once --"))


@pytest.mark.usefixtures("duel")
def test_prefixes_and_a_second_plan_begin_a_line_anew() -> None:
    face = open_face()
    assert "attack" in words(complete(face, "odds att"))
    assert "compare" in words(complete(face, "odds co"))
    assert words(complete(face, "odds attack r2 ")) == ["vulcan", "missile"]
    assert words(complete(face, "odds compare attack r1 vulcan b1 / attack r2 v")) == ["vulcan"]
    assert "campaign use" not in words(complete(face, "odds "))
    assert words(complete(face, "end ph")) == ["phase"]


@pytest.mark.usefixtures("duel")
def test_the_words_of_common_verbs_are_known() -> None:
    face = open_face()
    assert words(complete(face, "campaign use ")) == ["duel"]
    assert words(complete(face, "config search s")) == ["strict"]
    assert "search" in words(complete(face, "config s"))
    assert "RT-8.1" in words(complete(face, "rules show rt-8"))
    assert words(complete(face, "status --for ")) == ["players", "bydo"]
    assert words(complete(face, "status arr")) == ["arrow"]
    assert words(complete(face, "campaign new x --system t")) == ["talon", "trio"]
    assert complete(face, "note att") == []
    assert complete(face, "pass r1 --because att") == []


def test_while_a_declaration_is_asked_its_words_are_offered_and_no_verb_of_the_game(duel: Gm) -> None:
    assert duel("config", "declare.defence", "ask").code == 0
    assert duel("attack", "r1", "vulcan", "b1", "--dice", "11 11 11 11 11").code == 1
    face = open_face()
    assert words(complete(face, ""))[0] == "evade"
    assert words(complete(face, "answer f")) == ["focus"]
    assert not {"attack", "pass", "end phase"} & {*words(complete(face, ""))}
    assert complete(face, "attack ") == []


def test_nothing_is_written_and_no_file_made(duel: Gm, home: Path) -> None:
    before = folder_bytes(home)
    names = sorted(path.name for path in home.rglob("*"))
    face = open_face()
    for text in ("", "attack ", "attack r1 vulcan b1 --", "config ", "rules show ", "status ", "unit add "):
        assert complete(face, text)
    assert folder_bytes(home) == before
    assert sorted(path.name for path in home.rglob("*")) == names
    assert duel("doctor").code == 0


@pytest.mark.parametrize("harm", ["", "{", '{"format": 99}\n', "\x00\x00"])
def test_a_damaged_campaign_stops_nobody_who_types(duel: Gm, home: Path, harm: str) -> None:
    (home / "duel" / "journal.jsonl").write_text(harm, encoding="utf-8")
    (home / "duel" / "campaign.json").write_text(harm, encoding="utf-8")
    before = folder_bytes(home)
    face = open_face()
    assert complete(face, "attack ") == []
    assert "campaign use" in words(complete(face, "camp"))
    assert folder_bytes(home) == before


def test_a_damaged_question_is_told_with_the_next_line_and_not_while_one_types(duel: Gm, home: Path) -> None:
    assert duel("attack", "r1", "vulcan", "b1").code == 1
    (home / "duel" / "open.json").write_text("{", encoding="utf-8")
    face = open_face()
    assert words(complete(face, "attack ")) == ["r1", "r2"]  # a question that cannot be read is none
    assert face.whole().campaign.notices == []


@pytest.mark.usefixtures("home")
def test_without_a_campaign_the_common_verbs_are_offered() -> None:
    assert "demo" in words(complete(open_face(), "d"))
    assert complete(open_face(), "attack ") == []


@pytest.mark.usefixtures("duel")
@pytest.mark.parametrize(
    "text", ['"', "'", "attack '", "\x1b[31m", "attack \x00", "--", "-- ", "/", " / ", "=" * 300, "な" * 999]
)
def test_no_text_at_all_raises(text: str) -> None:
    assert isinstance(complete(open_face(), text), list)


@pytest.mark.usefixtures("duel")
def test_when_time_is_out_beginnings_are_believed_and_whole_lines_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completing, "PATIENCE", -1)
    face = open_face()
    assert "attack" in words(complete(face, "att"))
    assert words(complete(face, "attack ")) == ["r1", "r2"]  # the enemy is refused whatever comes
    assert words(complete(face, "attack r1 vulcan ")) == ["b1", "b2"]


# whatever state a game has come to


def states(game: str, seed: int, folder: Path) -> Iterator[tuple[Face, Desk]]:
    """A campaign that began as a case of the rulebook and went on by chance."""
    home = folder / f"{game}-{seed}"
    home.mkdir()
    course = Course(game, "calls", seed, home)
    course.made()
    for line in course.opening.lines if course.opening else ():
        course.called(argv_of(line))
    desk = Desk(open_campaign(course.folder, write=False), Registry(GAMES))
    chooser = Chooser(desk, course.chance)
    for _ in range(3):
        for _ in range(4):
            course.called(argv_of(chooser.ruled()))
            desk.campaign.refresh()
        course.called(["answer", "--drop"])
        env = {**course.env, "GMTOOL_CACHE": os.environ["GMTOOL_CACHE"]}
        yield main.make_face(io.StringIO(), io.StringIO(), io.StringIO(), env, GAMES), desk


def verdict(face: Face, desk: Desk, text: str) -> Refused | None:
    """What the rules say to a line that is typed, judged as a ruling is."""
    line = read_line(text)
    found = find(face, line.words)
    try:
        command = resolve(desk, found.verb, take_apart(found.command, found.rest))
        judge(desk.system, desk.state, desk.book, command, Answers(), desk.settings(), desk.speech)
    except Missing:
        return None
    except Refused as refused:
        return refused
    return None


def wants_a_free_word(face: Face, text: str) -> bool:
    """Whether the verb of a line has a word or an option that anybody may choose."""
    found = find(face, read_line(text).words)
    specs: list[Any] = [param.spec for param in params(found.command) if param.required]
    return any(not isinstance(spec, Arg) or not (spec.kind.offers or spec.kind.candidates) for spec in specs)


def comes_to_something(face: Face, desk: Desk, text: str, chance: random.Random, depth: int = 5) -> bool:
    """Whether a line that was offered is not refused, or goes on with a word that is offered, to one that is not."""
    refused = verdict(face, desk, text)
    if refused is None or wants_a_free_word(face, text):
        return True
    further = [offer for offer in complete(face, f"{text} ") if not offer.insert.startswith("--")]
    chance.shuffle(further)
    return depth > 0 and any(comes_to_something(face, desk, f"{text} {o.insert}", chance, depth - 1) for o in further)


@pytest.mark.parametrize("game", Registry(GAMES).found)
@pytest.mark.usefixtures("home")
def test_whatever_a_kind_offers_is_read_as_itself(game: str, tmp_path: Path) -> None:
    for _, desk in states(game, 1, tmp_path):
        for verb in desk.system.verbs:
            given: dict[str, Any] = {}
            for param in params(desk.system.command(verb)):
                kind = getattr(param.spec, "kind", None)
                scope = Scope(desk.state, desk.book, given)
                offered = kind.offers(scope) if kind is not None and kind.offers else ()
                assert [read_word(kind, word.id, scope) for word in offered] == [word.id for word in offered], verb
                listed = offered or (kind.candidates(scope) if kind is not None and kind.candidates else ())
                if listed and isinstance(param.spec, Arg):
                    given[param.name] = (listed[0].id,) if param.spec.many else listed[0].id


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", Registry(GAMES).found)
def test_every_line_that_is_offered_is_not_refused_in_any_state(
    game: str, seed: int, tmp_path: Path, home: Path
) -> None:
    chance = random.Random(f"{game} {seed}")
    for face, desk in states(game, seed, tmp_path):
        face.begin(read_line("status"))
        before = folder_bytes(face.home.path)
        verbs = [offer.insert for offer in complete(face, "") if offer.insert in desk.system.verbs]
        for verb in chance.sample(verbs, min(6, len(verbs))):
            text = verb
            for _ in range(4):
                assert comes_to_something(face, desk, text, chance), text
                offers = complete(face, f"{text} ")
                if not offers:
                    break
                text = f"{text} {chance.choice(offers).insert}"
                if text.rpartition(" ")[2].startswith("--"):
                    break
        assert folder_bytes(face.home.path) == before


@pytest.mark.usefixtures("duel")
def test_what_was_rehearsed_while_nobody_typed_is_offered_with_proof_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time an unproved beginning is offered: attach would need a force."""
    monkeypatch.setattr(completing, "PATIENCE", -1)
    assert words(complete(open_face(), "att")) == ["attack", "attach"]
    face = open_face()
    for _ in completing.rehearsal(face):
        pass
    assert words(complete(face, "att")) == ["attack"]
    assert words(complete(face, "attack ")) == ["r1", "r2"]


def test_a_rehearsal_without_a_campaign_or_in_a_damaged_one_ends_quietly(duel: Gm, home: Path) -> None:
    (home / "duel" / "journal.jsonl").write_bytes(b"{}\n")
    (home / "duel" / "campaign.json").unlink()
    assert list(completing.rehearsal(open_face())) == []
    assert list(completing.rehearsal(main.make_face(*[io.StringIO()] * 3, {"GMTOOL_HOME": str(home / "x")}))) == []
