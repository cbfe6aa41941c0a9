"""Field reports E7, H, I, J and O as far as the command line shows them; the store's own tests go deeper."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.field.table import PILOT, Table, folder_bytes, journal

FOREIGN = {"empty": b"", "null": b"null", "a list": b"[1,2]", "text": b'"x"', "a number": b"5", "nothing in it": b"{}",
           "another shape": b'{"units": 3}', "no JSON": b"{", "another encoding": "名".encode("cp932"),
           "zeros": b"\0" * 64}  # fmt: skip


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_p_h3_h5_a_journal_that_is_none_is_refused_and_left_alone(squads: Table, content: bytes) -> None:
    (squads.home / "test" / "journal.jsonl").write_bytes(content)
    for words in (["status"], ["set", "units.alpha.fuel", "1"], ["history"], ["undo"], ["session", "start"]):
        squads.refused(*words)
        assert squads.gm(*words).code == 4


def test_p_h3_a_campaign_that_is_not_there_is_not_made(squads: Table) -> None:
    for words in (["status"], ["set", "units.alpha.fuel", "1"], ["side", "add", "X"], ["campaign", "show", "nosuch"]):
        squads.refused(*words, "-c", "nosuch", says="nosuch")
    assert not (squads.home / "nosuch").exists()


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_p_h3_h5_a_state_that_is_none_is_made_again_from_the_journal(squads: Table, content: bytes) -> None:
    """The journal is the truth; only a state of a newer format is refused."""
    state = squads.state
    (squads.home / "test" / "campaign.json").write_bytes(content)
    assert squads.state == state
    squads.do("set", "units.alpha.fuel", "7")
    assert squads.unit("alpha")["fuel"] == 7


def test_p_h4_a_value_that_cannot_be_stored_changes_nothing(squads: Table) -> None:
    for words in (["note", "a\ud800"], ["side", "add", "a\ud800"], ["battle", "start", "x", "--because", "a\udc80"]):
        ran = squads.gm(*words)
        assert ran.code in (1, 2), (words, ran)
    squads.do("battle", "start")


def test_p_i1_a_question_in_one_window_is_known_in_the_other(fight: Table) -> None:
    """A ruling that waits holds no old state: others are refused until it is answered or dropped."""
    assert fight.gm("attack", "alpha", "vulcan", "beta").code == 1
    before = folder_bytes(fight.home)
    for words in (
        ["set", "units.beta.hp.A", "7"],
        ["move", "alpha", "1"],
        ["undo"],
        ["attack", "alpha", "vulcan", "beta"],
    ):
        assert fight.refused(*words)["code"] == "ruling-open"
    assert fight.gm("status").code == 0
    assert folder_bytes(fight.home) == before
    fight.do("answer", "--dice", "=99 =99 =99 =99 =99")
    fight.do("set", "units.beta.hp.A", "7")
    assert fight.unit("beta")["hp"]["A"] == 7


def test_p_i1_two_shells_see_each_other(fight: Table) -> None:
    """A shell that is open reads on before every line: nothing of the other window is undone or overwritten."""
    other = Table(fight.gm, fight.home)

    class Typing:
        """Standard input of the first shell, between whose lines the second window works."""

        def __init__(self) -> None:
            self.lines = iter(["move alpha 1", None, "move alpha 1", None, "undo", "quit"])

        def readline(self, size: int = -1) -> str:
            line = next(self.lines, "")
            if line is None:
                other.do("set", "units.beta.hp.A", str(other.unit("beta")["hp"]["A"] - 10))
                return "status\n"
            return f"{line}\n" if line else ""

        def isatty(self) -> bool:
            return False

    import io
    import os

    from gmtool.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    typing: Any = Typing()
    assert run(["table"], stdin=typing, stdout=out, stderr=err, env=os.environ) == 0
    assert err.getvalue() == ""
    assert fight.unit("beta")["hp"]["A"] == 90, "the undo took back the other window's step, the newest"
    assert fight.unit("alpha")["moved"] == 2
    seqs = [line["seq"] for line in journal(fight.home)]
    assert seqs == list(range(1, len(seqs) + 1))


def test_p_i3_a_reader_never_sees_half_a_state(fight: Table, gm_process: Callable[..., Any]) -> None:
    """One process takes a point off and gives it back 100 times, each pair in an undo; another looks all the while."""
    script = "set units.alpha.hp.A 99\nset units.alpha.hp.A 100\n" * 100
    writer = threading.Thread(target=lambda: done.append(gm_process("run", "-", input=script)))
    done: list[Any] = []
    writer.start()
    seen = set()
    while writer.is_alive():
        ran = fight.gm("status", "--json")
        assert ran.code == 0, ran
        seen.add(ran.objects[0]["result"]["units"]["alpha"]["hp"]["A"])
    writer.join()
    assert done[0].code == 0, done
    assert seen <= {99, 100}


def test_p_j2_a_newer_save_is_refused_with_both_numbers(squads: Table) -> None:
    file = squads.home / "test" / "journal.jsonl"
    data = file.read_text(encoding="utf-8").splitlines()
    last = json.loads(data[-1])
    file.write_text("\n".join([*data[:-1], json.dumps({**last, "format": 99})]) + "\n", encoding="utf-8")
    (squads.home / "test" / "campaign.json").unlink()
    for words in (["status"], ["set", "units.alpha.fuel", "1"]):
        error = squads.refused(*words, says="99")
        assert error["code"] == "newer"


def test_p_j4_what_was_ruled_stays_as_it_was(fight: Table) -> None:
    """The journal keeps outcomes: other data, and another reading of a rule, change nothing that happened."""
    fight.do("attack", "alpha", "vulcan", "beta", "--dice", "00 =99 =99 =99 =99 =99")
    told, state = fight.do("why")["text"], fight.state
    rules = fight.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    sheet = 'format = 1\n[[craft]]\nid = "kestrel"\nname = "Kestrel"\nsquad = "rc"\nhp = 1\nmove = 1\nevade = 0\n'
    (rules / "other.toml").write_text(sheet, encoding="utf-8")
    assert fight.state == state
    assert fight.do("why")["text"] == told
    fight.do("undo")
    fight.do("redo")
    assert fight.state == state


def test_p_j4_newer_data_are_told_and_taken_over_on_demand_only(fight: Table) -> None:
    """A battle begun by an older sheet says so at the next session; what was ruled by it stays."""
    fight.do("attack", "alpha", "vulcan", "beta", "--dice", "00 =99 =99 =99 =99 =99")
    told = fight.do("why")
    rules = fight.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    sheet = 'format = 1\n[[craft]]\nid = "gains"\nname = "Gains"\nsquad = "rc"\nhp = 100\nmove = 1\nevade = 0\n'
    (rules / "other.toml").write_text(sheet, encoding="utf-8")
    evade = fight.do("sheet", "show", "gains")
    assert "rules upgrade" in " ".join(fight.show("session", "start").split())
    assert fight.do("rules", "diff")["result"]["sheets"][0]["id"] == "gains"
    fight.do("rules", "upgrade")
    assert fight.do("sheet", "show", "gains") != evade
    assert fight.do("why", str(told["seq"]))["text"] == told["text"]


def test_p_e7_an_id_is_not_given_to_another(sides: Table) -> None:
    """Whatever kind of thing, and whatever became of the first."""
    for n in range(3):
        sides.do("pilot", "add", "ABC"[n] + "アロー", *PILOT)
    sides.do("unit", "add", "kestrel", "Ren", "--side", "Players")
    sides.do("pilot", "add", "Ren", *PILOT)
    sides.do("set", "pilots.ren-2.state", "dead")
    sides.gm("pilot", "add", "ren", *PILOT)
    sides.do("pilot", "add", "Ren!", *PILOT)
    state = sides.state
    ids = [*state["units"], *state["pilots"], *state["sides"]]
    assert len(set(ids)) == len(ids)
    assert state["pilots"]["ren-2"]["name"] == "Ren"


def test_p_o2_order_is_the_journals_whatever_the_clock_does(squads: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(
        [
            "2026-10-25T02:59:50+02:00",
            "2026-10-25T02:00:10+01:00",
            "2026-10-25T02:00:10+01:00",
            "1970-01-01T00:00:00+00:00",
        ]
    )
    last = ["2026-10-25T02:59:40+02:00"]

    def now() -> str:
        last[0] = next(times, last[0])
        return last[0]

    for module in ("campaign", "files"):
        monkeypatch.setattr(f"gmtool.store.{module}.now", now)
    monkeypatch.setattr("gmtool.cli.verbs.sessions.now", now, raising=False)
    squads.do("session", "start", "Late")
    for n in (3, 2, 1):
        squads.do("set", "units.alpha.fuel", str(n))
    squads.do("session", "end")
    lines = squads.do("history")["result"]["lines"]
    assert [line["line"] for line in lines if line["kind"] == "step"][-3:] == [
        f"set units.alpha.fuel {n}" for n in (3, 2, 1)
    ]
    squads.do("undo")
    assert squads.unit("alpha")["fuel"] == 2
    shown = squads.show("session", "list")
    assert "Late" in shown
    assert not any(word.startswith("-") and word != "-" for word in shown.split())


def test_p_h6_looking_creates_nothing(fight: Table) -> None:
    before = {path: path.stat().st_mtime_ns for path in fight.home.rglob("*")}
    for words in (
        ["status"],
        ["history"],
        ["why"],
        ["sheet", "list"],
        ["campaign", "list"],
        ["doctor"],
        ["rules", "list"],
        ["undo", "--preview"],
    ):
        fight.do(*words)
    fight.do("odds", "attack", "alpha", "vulcan", "beta")
    assert {path: path.stat().st_mtime_ns for path in fight.home.rglob("*")} == before
