"""Field reports K: arguments, encodings, colours, narrow screens, questions, Ctrl-C."""

import contextlib
import io
import itertools
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gmtool
from tests.field.table import PILOT, Table, Tty, folder_bytes, journal

ROOT = Path(gmtool.__file__).parents[1]
ESC = "\x1b"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""What a line editor says to the terminal besides text."""
ENCODINGS = ("cp932", "cp949", "cp1252", "ascii", "euc_jp", "iso2022_jp", "gbk", "latin-1", "utf-16")


def environment(**more: str) -> dict[str, str]:
    """What a process of its own needs to find the program."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def as_process(*words: str, typed: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """The program with streams of bytes."""
    return subprocess.run(
        [sys.executable, "-m", "gmtool", *words],
        input=typed, capture_output=True, env=environment(**env), timeout=60, check=False,
    )  # fmt: skip


# K1


def test_p_k1_a_negative_number_is_a_value_where_a_number_is_expected(bare: Table) -> None:
    answer = bare.do("check", "-20", "--dice", "00")
    assert answer["result"]["failure"] is True
    assert "target -20" in answer["text"]


@pytest.mark.parametrize(
    "line",
    [
        ["set", "units.alpha.fuel", "-3"],
        ["set", "units.alpha.hp.A", "-3"],
        ["set", "units.alpha.ammo.vulcan", "-3"],
        ["set", "units.alpha.charge", "-3"],
        ["move", "alpha", "-3"],
        ["attack", "alpha", "vulcan", "beta", "--feint", "-3"],
        ["attack", "alpha", "vulcan", "beta", "--feint=-3"],
        ["unit", "add", "kestrel", "--side", "Players", "--count", "-3"],
        ["pilot", "add", "Mika", *PILOT, "--agility", "-3"],
        ["undo", "-3"],
        ["redo", "-3"],
        ["history", "-3"],
        ["why", "-3"],
    ],
)
def test_p_k1_where_none_may_stand_it_is_named_and_nothing_changes(fight: Table, line: list[str]) -> None:
    if line[:2] == ["pilot", "add"]:
        line = [word for n, word in enumerate(line) if line[n : n + 2] != ["--agility", "30"] and word != "30"]
    error = fight.refused(*line, says="-3")
    assert error["code"] != "fault"


# K2


@pytest.fixture
def burning(squads: Table) -> Table:
    """A name that most encodings cannot write."""
    squads.lines("unit add kestrel アロー🔥 --side Players", "unit add gains 화살〜− --side Bydo")
    return squads


def fuels(table: Table) -> dict[str, int | None]:
    """The fuel of every unit by its name."""
    return {unit["name"]: unit["fuel"] for unit in table.state["units"].values()}


def encoded(*words: str, encoding: str) -> tuple[int, str, str]:
    """A line on streams of an encoding that raise for what they cannot hold."""
    from gmtool.cli.main import run

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict") for _ in range(2))
    code = run(list(words), stdin=io.StringIO(), stdout=out, stderr=err, env=os.environ)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode(encoding))  # type: ignore[attr-defined]
    return code, texts[0], texts[1]


@pytest.mark.parametrize(("encoding", "lang"), list(zip(ENCODINGS, ("ja", "ko", "en") * 3, strict=True)))
def test_p_k2_output_never_raises_and_the_change_is_made_once(burning: Table, encoding: str, lang: str) -> None:
    code, out, err = encoded("set", "units.アロー🔥.fuel", "37", "--lang", lang, encoding=encoding)
    assert (code, err) == (0, "")
    assert out.strip()
    assert fuels(burning) == {"Alpha": 40, "アロー🔥": 37, "Beta": None, "화살〜−": None}
    assert len([line for line in journal(burning.home) if line["kind"] == "step" and "37" in line["line"]]) == 1
    for line in (["status"], ["history"], ["why"], ["--help"], ["sheet", "list"], ["rules", "list"], ["config"]):
        code, out, err = encoded(*line, "--lang", lang, encoding=encoding)
        assert (code, err) == (0, "")
        assert out.strip()
    code, out, err = encoded("set", "units.アロー🔥.fuel", "x🔥", "--lang", lang, encoding=encoding)
    assert (code, out) == (2, "")
    assert "x" in err


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_p_k2_a_script_gets_all_of_it_whatever_the_encoding(burning: Table, encoding: str) -> None:
    import json

    code, out, _ = encoded("status", "--json", encoding=encoding)
    assert code == 0
    names = [unit["name"] for unit in json.loads(out)["result"]["units"].values()]
    assert "アロー🔥" in names


@pytest.mark.parametrize(
    "env",
    [{"PYTHONIOENCODING": encoding} for encoding in ("cp932", "cp949", "cp1252", "ascii")]
    + [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}],
    ids=lambda env: env.get("PYTHONIOENCODING", "C"),
)
def test_p_k2_the_same_as_a_process(burning: Table, env: dict[str, str]) -> None:
    done = as_process("set", "units.アロー🔥.fuel", "37", **env)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert done.stdout.strip()
    assert fuels(burning) == {"Alpha": 40, "アロー🔥": 37, "Beta": None, "화살〜−": None}
    told = as_process("attack", "アロー🔥", "vulcan", "[nosuch]", **env)
    assert told.returncode == 2
    assert told.stdout == b""
    assert b"[nosuch]" in told.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "cp949", "ascii"])
def test_p_m6_a_script_on_standard_input_is_utf_8_whatever_the_terminal_is(burning: Table, encoding: str) -> None:
    typed = "set units.アロー🔥.fuel 36\nset units.アロー🔥.fuel 37 --because 화살\n".encode()
    done = as_process("run", "-", typed=typed, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert fuels(burning)["アロー🔥"] == 37
    assert journal(burning.home)[-1]["because"] == "화살"


@pytest.mark.parametrize("encoding", ["utf-8", "cp949"])
def test_p_m6_a_script_on_standard_input_that_is_not_utf_8_is_refused(burning: Table, encoding: str) -> None:
    before = folder_bytes(burning.home)
    done = as_process("run", "-", typed="note 名前\n".encode("cp932"), PYTHONIOENCODING=encoding)
    assert done.returncode == 2, done
    assert b"UTF-8" in done.stderr
    assert folder_bytes(burning.home) == before


# K3

COLOURS = [
    dict(pairs)
    for pairs in itertools.product(
        [("NO_COLOR", "1"), ("NO_COLOR", "")],
        [("FORCE_COLOR", "1"), ("FORCE_COLOR", "")],
    )
]


def shown(words: list[str], terminal: bool, env: dict[str, str]) -> str:
    """What a line writes on both streams."""
    from gmtool.cli.main import run

    out, err = (Tty() if terminal else io.StringIO() for _ in range(2))
    run(words, stdin=io.StringIO(), stdout=out, stderr=err, env={**os.environ, "TERM": "xterm", **env})
    return out.getvalue() + err.getvalue()


LOOKS = [
    ["status"], ["history"], ["why"], ["--help"], ["attack", "--help"], ["sheet", "list"], ["errors"], ["nonsense"],
    ["attack", "alpha", "x", "beta"], ["attack", "alpha", "vulcan", "beta"], ["roll", "2d6>=7"], ["table"],
    ["campaign", "remove", "test"], ["odds", "attack", "alpha", "vulcan", "beta"],
]  # fmt: skip


@pytest.mark.parametrize("words", LOOKS, ids=" ".join)
def test_p_k3_no_colour_where_none_is_wanted(fight: Table, words: list[str]) -> None:
    for terminal, env in itertools.product((False, True), COLOURS):
        forced = env["FORCE_COLOR"] and not env["NO_COLOR"]
        if env["NO_COLOR"] or (not terminal and not forced):
            assert ESC not in shown(words, terminal, env), (terminal, env)
        assert ESC not in shown([*words, "--no-color"], terminal, env), (terminal, env)
        assert ESC not in shown(["--json", *words], terminal, env), (terminal, env)
        assert ESC not in shown(words, terminal, {**env, "TERM": "dumb", "FORCE_COLOR": ""}), (terminal, env)


def test_p_k3_colour_where_it_is_wanted(fight: Table) -> None:
    """The test above can see colours."""
    assert ESC in shown(["status"], True, {})
    assert ESC in shown(["status"], False, {"FORCE_COLOR": "1"})


# K4

BIG = """format = 1
[[craft]]
id = "tanker"
name = "Tanker"
squad = "rc"
hp = 1234
move = 5
evade = 10
fuel = 2000
replacements = 98765
[[craft.weapon]]
id = "gun"
name = "Gun"
path = "direct"
kind = "gun"
range = [1, 1]
damage = 30
hit = 40
ammo = 54321
"""
LONG = [sign * 19 + end for sign, end in itertools.product("補給", "一二三")]
NUMBERS = {"1234", "2000", "54321", "98765", "0", "5", "10"}


@pytest.fixture
def tankers(sides: Table) -> Table:
    """Six units with names of 20 Japanese characters and long numbers."""
    rules = sides.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    (rules / "tanker.toml").write_text(BIG, encoding="utf-8")
    for name in LONG:
        sides.do("unit", "add", "tanker", name, "--side", "Players")
    return sides


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", ["20", "40", "80"])
def test_p_k4_nothing_is_cut_in_a_pipe(tankers: Table, columns: str, lang: str) -> None:
    out = tankers.show("status", "--lang", lang, env={"COLUMNS": columns})
    assert all(name in out for name in LONG)
    assert out.count("2000") == len(LONG)
    assert out.count("1234") == 5 * len(LONG)
    assert out.count("54321") == len(LONG)


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [40, 47, 60, 80, 110])
def test_p_k4_in_a_narrow_terminal_every_number_is_whole_and_what_is_hidden_is_named(
    tankers: Table, columns: int, lang: str
) -> None:
    code, out, err = tankers.on_screen("status", "--lang", lang, width=columns)
    assert (code, err) == (0, "")
    numbers = {number for line in out.splitlines()[1:] for number in re.findall(r"(?<![a-z.0-9#])[0-9]+", line)}
    assert numbers <= NUMBERS
    wide = tankers.on_screen("status", "--lang", lang, width=300)[1].splitlines()[1]
    heads = [head for head in wide.split() if head]
    for head in heads:
        assert head in out, "shown, or named among what is left out"
    for handle in ("r1", "r6"):
        assert handle in out


# K5


def test_p_k5_a_reader_that_goes_away_is_a_quiet_end(squads: Table) -> None:
    """Like ``history | head -1``, unbuffered: the program writes to a pipe that nobody reads any more."""
    script = "\n".join(["note " + "x" * 500] * 400).encode()
    assert as_process("run", "-", typed=script).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "gmtool", "history", "--all"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(PYTHONUNBUFFERED="1"),
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) in (0, 141)


# K6

ANSWERS = {"nothing": "", "a blank line": "\n", "no": "n\n", "yes n": "n\n" * 1_000, "a yes to nobody": "y\n"}


@pytest.mark.parametrize("typed", ANSWERS.values(), ids=ANSWERS)
def test_p_k6_without_a_terminal_and_without_yes_nothing_is_removed(squads: Table, typed: str) -> None:
    squads.refused("campaign", "remove", "test", says="--yes", input=typed)
    assert (squads.home / "test" / "journal.jsonl").exists()


@pytest.mark.parametrize(
    "typed", [answer for answer in ANSWERS.values() if answer != "y\n"] + ["x\n", "\x00\n", "y n\n"]
)
def test_p_k6_in_a_terminal_only_a_yes_is_a_yes(squads: Table, typed: str) -> None:
    from gmtool.cli.main import run

    before = folder_bytes(squads.home)
    stdin, out, err = Tty(typed), Tty(), Tty()
    code = run(["campaign", "remove", "test"], stdin=stdin, stdout=out, stderr=err, env=os.environ)
    assert code == 1, err.getvalue()
    assert folder_bytes(squads.home) == before


def test_p_k6_with_yes_it_is_put_away_and_can_be_had_back(squads: Table) -> None:
    told = squads.do("campaign", "remove", "test", "--yes")
    assert not (squads.home / "test").exists()
    assert (Path(told["result"]["moved_to"]) / "journal.jsonl").exists()


def test_p_k6_a_file_is_not_written_over_unasked(squads: Table, tmp_path: Path) -> None:
    file = tmp_path / "there.zip"
    file.write_text("precious", encoding="utf-8")
    squads.refused("campaign", "export", str(file), input="y\n")
    assert file.read_text(encoding="utf-8") == "precious"
    squads.do("campaign", "export", str(file), "--yes")
    assert file.read_bytes()[:2] == b"PK"


@pytest.mark.parametrize("line", ["campaign remove test", "campaign export there.zip"])
def test_p_k6_as_processes_without_input(squads: Table, line: str) -> None:
    Path("there.zip").write_text("precious", encoding="utf-8")
    before = folder_bytes(squads.home)
    for typed in (b"", b"n\n" * 1_000):
        done = as_process(*line.split(), typed=typed)
        assert done.returncode in (1, 2), done
        assert b"--yes" in done.stderr
    assert folder_bytes(squads.home) == before
    assert Path("there.zip").read_text(encoding="utf-8") == "precious"


# K7

pty_only = pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")


class Terminal:
    """The program in a terminal of its own, as a person has it."""

    def __init__(self, *words: str) -> None:
        self.master, slave = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", FOREGROUND, *words],
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env=environment(TERM="xterm", COLUMNS="80"),
        )  # fmt: skip
        os.close(slave)
        self.raw = self.text = ""
        self.read = 0  # up to where it has been looked at

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.master, text.encode())

    def read_until(self, wanted: str, seconds: float = 20) -> None:
        """Wait for a text after what has been read so far."""
        until = time.monotonic() + seconds
        while wanted not in self.text[self.read :]:
            more = self._more(0.5) and time.monotonic() < until
            assert more or wanted in self.text[self.read :], self.text
        self.read = self.text.index(wanted, self.read) + len(wanted)

    def shows(self, end: str) -> bool:
        """Whether the screen ends so, now."""
        while select.select([self.master], [], [], 0)[0] and self._more(0):
            pass
        return self.text.endswith(end)

    def leave(self) -> int:
        """Type ``quit``, again if it was lost with a Ctrl-C before it; the exit code."""
        for _ in range(5):
            self.type("quit\r")
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.rest(4)
        return self.rest(4)

    def rest(self, seconds: float = 20) -> int:
        """Everything up to the end of the process; its exit code."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and (self._more(0.1) or self.process.poll() is None):
            pass
        return self.process.wait(max(0.1, until - time.monotonic()))

    def _more(self, seconds: float) -> bool:
        """Read what there is; False at the end of the terminal."""
        if not select.select([self.master], [], [], seconds)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self.master, 65_536)
        except OSError:
            return False
        self.raw += data.decode("utf-8", "replace")
        self.text = CODES.sub("", self.raw)
        return bool(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)


FOREGROUND = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from gmtool.cli.main import main
main(sys.argv[1:])
"""


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Terminals that are closed at the end."""
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(*words))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pty_only
@pytest.mark.parametrize("pause", [None, 0.0, 0.002, 0.01], ids=["once", "twice at once", "2 ms apart", "10 ms apart"])
def test_p_k7_ctrl_c_at_a_question_stores_nothing_and_the_shell_goes_on(
    fight: Table, terminal: Callable[..., Terminal], pause: float | None
) -> None:
    before = folder_bytes(fight.home)
    window = terminal("table")
    window.read_until("> ")
    window.type("attack alpha vulcan beta\r")
    window.read_until("RT-8.5")
    window.read_until("> ")
    window.type("33 60\r")
    window.read_until("RT-8.5")
    window.read_until("> ")
    time.sleep(0.2)  # until the line editor waits for keys
    window.type("\x03")
    if pause is not None:
        time.sleep(pause)
        window.type("\x03")
    window.read_until("> ")
    time.sleep(0.3)  # keys pressed while the second one is dealt with would go with it
    if not window.shows("first phase> "):  # the second came before the first had dropped the line: asked again
        window.type("\x03")
        window.read_until("first phase> ")
        time.sleep(0.3)
    assert window.leave() == 0, window.text
    assert "Traceback" not in window.text
    assert folder_bytes(fight.home) == before
    assert not (fight.home / "test" / "open.json").exists()
    assert fight.state["open"] is None


@pty_only
def test_p_k7_ctrl_c_at_the_prompt_does_not_leave_the_shell(fight: Table, terminal: Callable[..., Terminal]) -> None:
    window = terminal("table")
    window.read_until("> ")
    for _ in range(3):
        window.type("move al")
        time.sleep(0.2)  # until the line editor waits for keys
        window.type("\x03")
        window.read_until("> ")
    window.type("move alpha 1\r")
    window.read_until("#9")
    window.read_until("first phase> ")
    window.type("\x04")
    assert window.rest() == 0, window.text
    assert fight.unit("alpha")["moved"] == 1


@pty_only
@pytest.mark.parametrize("pause", [None, 0.0, 0.01], ids=["once", "twice at once", "10 ms apart"])
def test_p_k7_ctrl_c_at_a_yes_or_no_is_a_cancel(
    squads: Table, terminal: Callable[..., Terminal], pause: float | None
) -> None:
    before = folder_bytes(squads.home)
    window = terminal("campaign", "remove", "test")
    window.read_until("Test")
    time.sleep(0.05)
    window.type("\x03")
    if pause is not None:
        time.sleep(pause)
        window.type("\x03")
    code: Any = window.rest()
    assert code in (130, -signal.SIGINT), window.text
    assert "Traceback" not in window.text
    assert folder_bytes(squads.home) == before
