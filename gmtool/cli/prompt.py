"""Where the lines of the live shell come from: a prompt with a memory, completion and keys, or any other stream.

prompt_toolkit is imported when a prompt is first shown at a terminal, and nowhere else. Cursor position reports are
not asked for: a terminal that does not answer them would keep everybody waiting, and nothing here needs them.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gmtool.cli.reader import LONGEST_LINE
from gmtool.render.screen import encodable
from gmtool.store.history import history_file, shortened
from gmtool.text.clean import printable

if TYPE_CHECKING:
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    from gmtool.cli.face import Face

KEYS = {"f1": "--help", "f2": "status", "f3": "why", "f4": "can"}
"""Keys that stand for a line which only shows; what is being typed is there again afterwards."""
MENU = 11
"""Rows for what is offered, and one above them."""
UNFINISHED = ("=", ":", "/")
"""What a word ends in that goes on."""
NO_LINE = ("", "dumb", "unknown")
"""Terminals that cannot move a cursor."""


class Prompt(NamedTuple):
    """What is shown before the line; ``asking`` while a question is open, whose answers no history keeps.

    ``memory`` is what the campaign's history is kept under; empty where there is no campaign.
    """

    text: str
    asking: bool = False
    memory: str = ""


class Lines(Protocol):
    """Something that gives one line after the other; KeyboardInterrupt for Ctrl-C."""

    keys: bool
    """Whether keys do more than type; the cursor then stands on a new line after Ctrl-C."""

    def read(self, prompt: Prompt) -> str | None:
        """A line without its end; None at the end of input."""

    def stop(self) -> int:
        """Forget lines that were pasted together and wait still; how many there were."""


def lines_of(face: "Face") -> Lines:
    """The prompt with all its keys where a person types at a terminal that can show it, else the stream itself."""
    terminal = face.stdin is sys.stdin and face.stdin.isatty() and face.out.terminal and face.out.stream is sys.stdout
    if not terminal or face.options.json:
        return Stream(face)
    able = sys.platform == "win32" or face.env.get("TERM", "") not in NO_LINE
    return Live(face) if able else Stream(face)


class Stream:
    """Lines of a pipe, a file, or a terminal that cannot move its cursor."""

    keys = False

    def __init__(self, face: "Face") -> None:
        self.face = face

    def read(self, prompt: Prompt) -> str | None:
        """A line, the prompt before it where somebody looks; of one that is too long only so much as is refused."""
        face = self.face
        face.out.write(encodable(prompt.text, face.out.encoding) if face.out.terminal else "")
        text = face.stdin.readline(LONGEST_LINE + 2)
        more = text
        while len(more) > LONGEST_LINE and not more.endswith("\n"):
            more = face.stdin.readline(LONGEST_LINE + 2)  # of a line that will be refused; none of it is kept
        return text.rstrip("\r\n") if text else None

    def stop(self) -> int:
        """Each line stands for itself."""
        return 0


class Live:
    """The prompt of a person at a terminal: one memory for each campaign, none for answers."""

    keys = True

    def __init__(self, face: "Face") -> None:
        self.face = face
        self._sessions: dict[str | None, Any] = {}
        self._kept = ""
        self._pasted: list[str] = []
        self._completer = _completer(face)

    def read(self, prompt: Prompt) -> str | None:
        """A line as typed. What was being typed when a key was pressed is there again, lines pasted at once follow."""
        if self._pasted:
            text = self._pasted.pop(0)
            self.face.out.write(encodable(f"{prompt.text}{printable(text)}\n", self.face.out.encoding))
            return text
        session = self._session(None if prompt.asking else prompt.memory)
        kept, self._kept = self._kept, ""
        try:
            # in a colour of its own, the terminal's usual one, the blank at its end is written like the rest
            shown = [("fg:ansidefault", encodable(prompt.text, self.face.out.encoding))]
            text = str(session.prompt(shown, default=kept, pre_run=None if prompt.asking else self._rehearse))
        except (EOFError, OSError):  # the end of the input, or of the terminal
            return None
        first, *self._pasted = text.splitlines() or [""]
        return first

    def _rehearse(self) -> None:
        """Between the keys that are pressed, find out what could be typed."""
        from asyncio import sleep

        from prompt_toolkit.application import get_app

        from gmtool.cli.completing import rehearsal

        async def between() -> None:
            self.face.options = self.face.defaults
            for _ in rehearsal(self.face):
                await sleep(0.001)

        get_app().create_background_task(between())

    def stop(self) -> int:
        """Forget what was pasted."""
        count = sum(1 for line in self._pasted if line.strip())
        self._pasted = []
        return count

    def _session(self, memory: str | None) -> Any:
        """The prompt with this memory, made when it is first wanted."""
        if memory not in self._sessions:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.output import ColorDepth

            self._sessions[memory] = PromptSession(
                history=_history(memory), completer=self._completer, complete_while_typing=False,
                enable_history_search=True, key_bindings=self._bindings(memory is None), output=_output(),
                color_depth=None if self.face.out.color else ColorDepth.DEPTH_1_BIT,
                include_default_pygments_style=False, reserve_space_for_menu=MENU,
            )  # fmt: skip
        return self._sessions[memory]

    def _bindings(self, asking: bool) -> "KeyBindings":
        """Keys for lines that only show, and for undo and redo where nothing is typed that they could be about."""
        from prompt_toolkit.application import get_app
        from prompt_toolkit.filters import Condition, has_completions
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()
        empty = Condition(lambda: not get_app().current_buffer.text)
        for key, line in KEYS.items():
            keys.add(key)(self._types(line))
        keys.add("tab", filter=~has_completions)(self._offers)
        keys.add("c-z", filter=empty)(self._types("u" if asking else "undo"))
        keys.add("c-z", filter=~empty)(lambda event: event.current_buffer.undo())
        keys.add("c-y", filter=empty)(self._types("redo"))
        return keys

    def _offers(self, event: "KeyPressEvent") -> None:
        """The only word there is, or a list; what all have in common is put in only where they have been begun."""
        from gmtool.cli.completing import complete

        buffer = event.current_buffer
        text = buffer.document.text_before_cursor
        self.face.options = self.face.defaults
        begun = text[-1:].strip() != ""
        buffer.start_completion(insert_common_part=begun or len(complete(self.face, text)) == 1)

    def _types(self, line: str) -> "Callable[[KeyPressEvent], None]":
        """What a key does that types a whole line."""

        def press(event: "KeyPressEvent") -> None:
            from prompt_toolkit.document import Document

            buffer = event.current_buffer
            self._kept = buffer.text
            buffer.set_document(Document(line))
            event.app.exit(result=line)

        return press


def _output() -> Any:
    """The terminal, which is asked nothing."""
    from prompt_toolkit.output import create_output

    output: Any = create_output(sys.stdout)
    if hasattr(output, "enable_cpr"):
        output.enable_cpr = False
    return output


def _completer(face: "Face") -> Any:
    """What completes the word at the cursor, by the rules of the game."""
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class ByTheRules(Completer):
        """Asks the program what may stand there; whatever goes wrong, there is nothing to offer."""

        def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
            from gmtool.cli.completing import complete

            face.options = face.defaults
            for offer in complete(face, document.text_before_cursor):
                blank = "" if offer.insert.endswith(UNFINISHED) else " "
                yield Completion(offer.insert + blank, -offer.start, display=offer.shown, display_meta=offer.about)

    return ByTheRules()


def _history(memory: str | None) -> "History":
    """What was typed before: on disk for a campaign, nothing for answers; where no file can be had, until the end."""
    from prompt_toolkit.history import DummyHistory, FileHistory, InMemoryHistory

    class Kept(FileHistory):
        """Lines on disk, as far as the disk allows."""

        def load_history_strings(self) -> Iterator[str]:
            with suppress(OSError):
                yield from super().load_history_strings()

        def store_string(self, string: str) -> None:
            with suppress(OSError):
                super().store_string(string)

    if memory is None:
        return DummyHistory()
    file: Path | None = history_file(memory) if memory else None
    return Kept(str(file)) if file is not None and shortened(file) else InMemoryHistory()
