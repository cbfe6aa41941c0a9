"""What if: lines that go on from the real line without being on it, until they are kept or dropped."""

from abc import abstractmethod
from contextlib import suppress
from pathlib import Path

from gmtool.kernel import journal
from gmtool.kernel.journal import Line
from gmtool.kernel.refusal import Refused
from gmtool.store import branch
from gmtool.store.branch import Branch
from gmtool.store.walks import Walks


class WhatIf(Walks):
    """A campaign as far as it may have a what-if; begin, keep and drop belong inside ``writing()``."""

    path: Path
    latest: list[Line]

    @property
    def branched(self) -> bool:
        """Whether it is one that goes along with a what-if."""
        return self._state.branched

    @property
    def branch(self) -> Branch | None:
        """The what-if that is on; None on the real line."""
        return self._state.branch

    @property
    def branch_id(self) -> str:
        """The name of the what-if that is on; empty on the real line."""
        return self.branch.id if self.branch else ""

    @property
    def tried(self) -> int:
        """How many lines the what-if has."""
        return self.head.seq - self._state.real.seq

    @abstractmethod
    def save_snapshot(self, wait: float = 0.5) -> bool:
        """Bring the snapshot up to date."""

    @abstractmethod
    def _put(self, data: bytes, real: bool = False) -> None:
        """Write behind the last whole line, of the real line where that is meant."""

    def begin_branch(self) -> Branch:
        """Begin a what-if here; lines go there from now on. Refused ``branch-open`` while one is on, ``disk``."""
        if self.branch:
            raise Refused("branch-open", key="branch-on", facts={"n": self.tried})
        self.save_snapshot()  # which is what a drop begins from
        found = branch.begin(self.path, self.head)
        self._state.began(found)
        return found

    def keep_branch(self) -> list[Line]:
        """Put the lines of the what-if on the real line, in one write, and end it; the lines. Refused ``disk``.

        Each is then a line as any other, with the what-if it comes from in ``branch``.
        """
        found = self._on()
        with self._state.reader() as reader:
            seqs = enumerate(reader.forwards(found.end, self.head.end), found.seq + 1)
            lines = [(offset, reader.line(raw, seq)) for seq, (offset, raw) in seqs]
        head, done, data = journal.moved(lines, self._state.real, branch=found.id)
        self._state.unsure = True
        try:
            if data:
                self._put(data, real=True)
        except Exception:
            self._state.unsure = False
            raise
        with suppress(Refused):  # they are on the real line: a file that is left says so itself
            branch.forget(self.path)
        self._state.branch = None
        self._state.wrote(head, done)
        self.latest = done
        return done

    def drop_branch(self) -> int:
        """Forget the what-if; the campaign stands where it began. How many lines it had. Refused ``disk``."""
        self._on()
        count = self.tried
        branch.forget(self.path)
        self._state.again()
        return count

    def _on(self) -> Branch:
        if self.branch is None:
            raise Refused("no-branch")
        return self.branch


def changed(now: Branch | None) -> Refused:
    """Why a line is not written: since it was typed, a what-if has begun or ended elsewhere."""
    return Refused("branch-open", key="branch-began" if now else "branch-ended")
