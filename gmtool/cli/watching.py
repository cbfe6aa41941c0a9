"""The board on a screen of its own, drawn anew after each line that anybody writes to the campaign.

It only reads: no lock, no file, no question. While nothing changes it asks the disk no more than whether anything has.
With ``--for`` a frame is made of what that side may know and of nothing else, and one that says the same as the one
before is not written: not even how often it is drawn tells of what is hidden.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gmtool.cli.keys import Keys, Signals
from gmtool.cli.reply import Reply
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.render.frame import ENTER, LEAVE, clipped, cut, frame
from gmtool.render.lines import Span, Styled, wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

TICK = 0.2
"""Seconds between two looks at the files."""
AGAIN = 5
"""What could not be read is tried again after so many of them, changed or not."""
ENDS = ("q", "ㅂ")
"""What ends it: the same key, whatever writing the keyboard is set to."""
LEFT = 130
Look = tuple[Any, ...]
Build = Callable[[], Reply]


class Shown(NamedTuple):
    """What a frame shows: the board, what stands below it, the JSON of both."""

    lines: list[Styled]
    below: list[Styled]
    body: Any


def watch(face: "Face", build: Build) -> Reply:
    """Show what ``build`` gives until somebody ends it: ``q``, Ctrl-C, a signal, a reader that goes away."""
    if face.depth:
        raise Refused("usage", key="watch-alone", exit=2)
    watcher = Watcher(face, build)
    watcher.look()
    first = watcher.made()  # what is wrong from the start is refused as ever
    plain = face.options.json or not face.out.terminal or face.env.get("TERM") in ("dumb", "unknown")
    return Reply(None, [], (Written if plain else Drawn)(watcher).run(first))


class Watcher:
    """The campaign that is watched: whether its files have changed, and what is to be seen of it."""

    def __init__(self, face: "Face", build: Build) -> None:
        self.face, self._build = face, build
        self._desk: Desk = face.whole()
        self._place = face.options.campaign, face.options.home
        self._path: Path = self._desk.path
        self._seen: Look | None = None
        self._reopen = True  # on the real line: what is only tried must not be taken for it by whoever looks up
        self.may_pass = True

    def look(self) -> bool:
        """Whether anything has changed since this was last asked. Nothing is read."""
        found = (_look(self._path / "journal.jsonl"), _look(self._path / "open.json"), *_rules(self._path / "rules"))
        before, self._seen = self._seen, found
        if before is not None and (found[0][:1], found[2:]) != (before[0][:1], before[2:]):
            self._reopen = True  # another journal, or other data, and so perhaps another game
        return found != before

    def made(self) -> Shown:
        """The board as the files say now, with the latest ruling for the GM. Raises what keeps it from being read."""
        self._refreshed()
        reply = self._build()
        body, below = dict(reply.body or {}), list[Styled]()
        if not self.face.options.for_side:
            below, body["latest"] = _latest(self.face, self._desk)
        self._desk.campaign.notices.clear()
        return Shown(reply.lines, below, body)

    def _refreshed(self) -> None:
        from gmtool.referee.desk import Desk
        from gmtool.store.campaign import open_campaign

        if self._reopen:
            self._desk = Desk(open_campaign(self._path, write=False), self.face.registry)
            self._reopen = False
        else:
            self._desk.campaign.refresh()
        self.face.seen = None
        self.face.meant[self._place] = self._desk

    def failed(self, error: Exception) -> None:
        """What could not be read is read from its beginning the next time; a fault of ours does not pass by itself."""
        self._reopen, self.may_pass = True, isinstance(error, Refused | OSError)


def _look(path: Path) -> Look:
    """What tells whether a file is as it was; nothing of one that is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _rules(folder: Path) -> list[Look]:
    """The same of each file of the GM's own data."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, *_look(Path(entry.path))) for entry in entries)
    except OSError:
        return []


def _latest(face: "Face", desk: "Desk") -> tuple[list[Styled], dict[str, Any] | None]:
    """The latest ruling that stands, in brief; nothing before the first one."""
    from gmtool.referee.explain import line_to_explain
    from gmtool.render.ruling import Context, head
    from gmtool.render.words import Words

    try:
        line = line_to_explain(desk, None)
    except Refused as refused:
        if refused.code != "nothing-to-explain":
            raise
        return [], None
    lines = head(line, Words(face.words, line.get("names") or {}), Context(face.out.room))
    return [[], *lines], {"seq": line["seq"], "line": line["line"]}


class Viewer:
    """Shows frames as they come; how, the two kinds of it say."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher, self.face = watcher, watcher.face
        self.keys = Keys(self.face.stdin, self.face.out.stream)
        self.signals = Signals(self.leave, self.enter)

    def run(self, first: Shown) -> int:
        """Show the first frame, then each that is another, to the end; the exit code."""
        with self.signals.heard():
            try:
                self.enter()
                self.show(first)
                return self._loop()
            except KeyboardInterrupt:
                return LEFT
            except EOFError:
                return 0
            finally:
                self.leave()

    def _loop(self) -> int:
        troubled, waited = False, 0
        while not self.signals.ended and not self.face.out.closed and self.face.out.trouble is None:
            if set(ENDS) & set(half_width(self.keys.wait(TICK)).lower()):
                return 0
            waited += 1
            changed, resized = self.watcher.look(), self.resized()
            if changed or resized or (troubled and self.watcher.may_pass and waited >= AGAIN):
                troubled, waited = not self._tried(), 0
        return self.signals.ended

    def _tried(self) -> bool:
        """Make and show a frame; where that cannot be, say why and keep what was shown."""
        try:
            self.show(self.watcher.made())
        except Exception as error:
            from gmtool.cli.errors import trouble

            self.watcher.failed(error)
            self.tell(trouble(error, self.face))
            return False
        return True

    def enter(self) -> None:
        """Take the screen."""

    def leave(self) -> None:
        """Give it back."""

    def resized(self) -> bool:
        """Whether the screen is of another size now."""
        return False

    def show(self, shown: Shown) -> None:
        """A frame."""
        raise NotImplementedError

    def tell(self, found: Any) -> None:
        """Why there is none."""
        raise NotImplementedError


class Written(Viewer):
    """For a pipe, a file, a terminal that knows no codes: a frame after the other, or a JSON object each."""

    last: Any = None

    def show(self, shown: Shown) -> None:
        """A frame that differs from the last one, under a line that parts them."""
        if shown == self.last:
            return
        lines = [*shown.lines, *shown.below]
        parted = [[Span("-" * 40, "dim")]] if self.last is not None and not self.face.options.json else []
        self.last = shown
        self.face.show(Reply(shown.body, [*parted, *lines]))

    def tell(self, found: Any) -> None:
        """Once for each trouble, where troubles are told."""
        if found != self.last:
            self.last = found
            self.face.show_trouble(found)


class Drawn(Viewer):
    """For a terminal: each frame in place of the one before, written in one piece."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__(watcher)
        self._shown: Shown = Shown([], [], None)
        self._size = self.face.out.size
        self._written = ""

    def enter(self) -> None:
        """The other screen, and keys one by one."""
        self.keys.open()
        self.face.out.write(ENTER)
        if self._written:
            self.face.out.write(self._written)

    def leave(self) -> None:
        """The screen and the keys as they were."""
        self.face.out.write(LEAVE)
        self.keys.close()

    def resized(self) -> bool:
        """Whether the terminal has another size; the room for lines goes with it."""
        before, self._size = self._size, self.face.out.size
        if before == self._size:
            return False
        self.face.out.measure()
        self._written = ""
        return True

    def show(self, shown: Shown) -> None:
        """The frame, unless it is the one that is there."""
        self._shown = shown
        self._draw(shown.lines, shown.below)

    def tell(self, found: Any) -> None:
        """The last frame there was, and below it what is the matter."""
        warned = [[Span(span.text, "warn") for span in line] for line in found.lines]
        self._draw(self._shown.lines, [[], *warned])

    def _draw(self, lines: list[Styled], below: list[Styled]) -> None:
        (columns, rows), words = self._size, self.face.words
        ending = [[], *self._dim(words.say("watch.end"))]
        below = [*below, *ending] if len(lines) + len(below) + len(ending) <= rows else below
        kept = cut(lines, below, rows, lambda n: self._dim(words.say("watch.more", {"n": n}))[0])
        text = frame([self.face.out.painted(clipped(line, columns)) for line in kept])
        if text != self._written:
            self._written = text
            self.face.out.write(text)

    def _dim(self, sentence: str) -> list[Styled]:
        return wrap(sentence, self.face.out.room, 0, 0, "dim")
