"""Walking over the lines of a campaign: from a line on, back from the latest, along what undo and redo would take."""

from collections.abc import Iterator
from itertools import islice

from gmtool.kernel.journal import Head, Line, Spot
from gmtool.store.files import unreadable
from gmtool.store.state import State


class Walks:
    """What can be read of the lines behind a state; those of a what-if that is on stand behind the journal's own."""

    _state: State

    @property
    def head(self) -> Head:
        """Where the journal stands."""
        return self._state.head

    def undoable(self) -> Iterator[Line]:
        """The step and redo lines undo would take back, one after the other, found by seeking."""
        return self._chain(self.head.undo, "under")

    def redoable(self) -> Iterator[Line]:
        """The undo lines redo would take back, one after the other, found by seeking."""
        return self._chain(self.head.redo, "next")

    def lines(self, start_seq: int = 1) -> Iterator[Line]:
        """The journal from a line on, to where this campaign stands."""
        with self._state.reader() as reader:
            seq = max(start_seq, 1)
            for number, (_, raw) in enumerate(reader.forwards(reader.offset_of(seq, self.head.end), self.head.end)):
                yield reader.line(raw, seq + number)

    def find(self, seq: int) -> Line | None:
        """The line of this number, None when there is none."""
        return next(self.lines(seq), None) if 0 < seq <= self.head.seq else None

    def tail(self, n: int) -> list[Line]:
        """The last ``n`` lines, oldest first, read from the end."""
        return list(islice(self.backwards(), max(n, 0)))[::-1]

    def backwards(self) -> Iterator[Line]:
        """The journal from where this campaign stands back to its first line."""
        with self._state.reader() as reader:
            for number, (_, raw) in enumerate(reader.backwards(self.head.end)):
                yield reader.line(raw, self.head.seq - number)

    def _chain(self, spot: Spot, beneath: str) -> Iterator[Line]:
        with self._state.reader() as reader:
            while spot:
                line = reader.line_at(spot[1], spot[0])
                if beneath not in line:
                    raise unreadable(self._state.journal, "pointer", spot[0])
                yield line
                spot = line[beneath]
