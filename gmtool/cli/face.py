"""The face: what a line has around it: streams, options, the campaign that is meant, the words of its language."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from gmtool.cli.reader import Globals, Line, said_again
from gmtool.cli.reply import Reply, Trouble
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk, Registry
from gmtool.referee.opened import Question
from gmtool.render.screen import Screen
from gmtool.render.text import text
from gmtool.store.home import Home, find_home
from gmtool.text.catalogue import LANGUAGES, Catalogue
from gmtool.text.catalogue import load as load_catalogue

if TYPE_CHECKING:
    from gmtool.cli.prompt import Lines
    from gmtool.referee.forecast import Forecast
    from gmtool.store.campaign import Campaign

SNAPSHOT_EVERY = 50


@dataclass
class Face:
    """What lines are done with; a process has it for one line, a shell and a script keep it for all of theirs.

    ``lines`` is where those of a shell come from. ``asked`` is the question the shell has shown last and nothing here
    has settled; ``answering`` whether this line answers one; ``foreseen`` the line under way in the shell with its
    latest forecast. ``seen`` is what a line with ``--for`` sees of the campaign, ``reals`` the real lines
    it sees it of; ``trying`` whether nothing of the line is to be kept; ``known`` the what-if that each campaign was in
    when a line was last typed here.
    """

    stdin: TextIO
    out: Screen
    err: Screen
    env: Mapping[str, str]
    cwd: Path
    registry: Registry
    defaults: Globals = field(default_factory=Globals)
    deferred: bool = False
    depth: int = 0
    scripts: list[str] = field(default_factory=list)
    in_shell: bool = False
    lines: "Lines | None" = None
    asked: Question | None = None
    foreseen: "tuple[str, Forecast | None] | None" = None
    answering: bool = False
    trying: bool = False
    desks: dict[Path, Desk] = field(default_factory=dict)
    reals: dict[Path, Desk] = field(default_factory=dict)
    known: dict[Path, str] = field(default_factory=dict)
    line: Line | None = None
    options: Globals = field(default_factory=Globals)
    meant: dict[tuple[str | None, str | None], Desk | Refused] = field(default_factory=dict)
    seen: Desk | None = None

    def begin(self, line: Line) -> None:
        """Take up a line: its options over those that hold for all, and the campaign to be looked for anew."""
        self.line, self.options, self.answering = line, line.globals.merge(self.defaults), False
        self.trying = line.prefix == ("try",)
        self.meant.clear()
        self.seen = None

    def show(self, reply: Reply) -> None:
        """Write a reply: one JSON object, or the lines."""
        if reply.body is None:
            return
        if self.options.json:
            self.out.json(
                {"ok": True, "command": self.typed, **reply.body, **self._branch(), "text": text(reply.lines)}
            )
        else:
            self.out.show(reply.lines)

    def show_trouble(self, found: Trouble) -> int:
        """Write why a line was not done; its exit code."""
        if self.options.json:
            self.out.json({"ok": False, "command": self.typed, **found.body, **self._branch()})
        else:
            self.err.show(found.lines)
        return found.code

    @property
    def typed(self) -> str:
        """The line as it can be typed again, without what only says where and how to show it."""
        return said_again(self.line) if self.line else ""

    def view(self, shown: Any, body: Mapping[str, Any] | None = None) -> Reply:
        """A view of the game as a reply."""
        from gmtool.kernel.view import names_in
        from gmtool.render.views import view

        names = self.desk().names(names_in(shown))
        return Reply(body or {}, view(shown, self.words, names, self.out.room))

    @property
    def expects(self) -> Question | None:
        """The question an answer is meant for: the one that was shown, unless the line names another campaign."""
        return self.asked if self.options.campaign == self.defaults.campaign else None

    # where we are

    @property
    def home(self) -> Home:
        """The folder of campaigns in force, and why it is that one."""
        return find_home(self.options.home, self.env, self.cwd)

    def desk(self) -> Desk:
        """The campaign that is meant, opened; with ``--for`` no more of it than that side may know."""
        if not self.options.for_side:
            return self.whole()
        if self.seen is None:
            from gmtool.referee.onesided import one_sided

            self.seen = one_sided(self.whole(), self.options.for_side)
        return self.seen

    def whole(self, name: str | None = None) -> Desk:
        """The campaign that is meant, whole; Refused (no-campaign) where none is. Looked for once a line."""
        place = name or self.options.campaign, self.options.home
        if place not in self.meant:
            try:
                self.meant[place] = self._opened(name)
            except Refused as refused:
                self.meant[place] = refused
        found = self.meant[place]
        if isinstance(found, Refused):
            raise found
        return found

    def _opened(self, name: str | None) -> Desk:
        from gmtool.cli.choosing import chosen
        from gmtool.store.campaign import open_campaign

        name, home = name or self.options.campaign, self.home
        desks = self.reals if self.options.for_side else self.desks  # what is only tried is no side's to see
        path = home.path / (name or "")
        if path not in desks:  # one that is open goes by the name of its folder
            path = chosen(home, name, self.env)
        if path not in desks:
            desks[path] = Desk(open_campaign(path, write=False, branched=desks is self.desks), self.registry)
            self.known.setdefault(path, desks[path].campaign.branch_id)
        desk = desks[path]
        if self.deferred:
            desk.campaign.refresh()
        return desk

    def writable(self) -> Desk:
        """The campaign that is meant, for a line that changes it.

        Refused (branch-open) once where a what-if has begun or ended in another window since the last line here.
        """
        desk = self.whole()
        desk.campaign.to_write()
        now = desk.campaign.branch_id
        if self.known.setdefault(desk.path, now) != now:
            self.known[desk.path] = now
            raise Refused("branch-open", key="branch-began" if now else "branch-ended")
        return desk

    def _branch(self) -> dict[str, Any]:
        """What a reply says of the what-if that is on."""
        campaign = self.in_branch()
        if campaign is None or campaign.branch is None:
            return {}
        return {"branch": {"id": campaign.branch.id, "since": campaign.branch.seq, "lines": campaign.tried}}

    def in_branch(self) -> "Campaign | None":
        """The campaign of this line, if a what-if is on there."""
        for found in self.meant.values():
            if isinstance(found, Desk) and found.campaign.branch:
                return found.campaign
        return None

    def saw(self) -> None:
        """The line is over: whoever typed it has been told in which what-if its campaigns are."""
        for found in self.meant.values():
            if isinstance(found, Desk) and found.campaign.branched:
                self.known[found.path] = found.campaign.branch_id

    def desk_or_none(self) -> Desk | None:
        """The campaign that is meant, or None where there is none to be had; its game and language are no secret."""
        try:
            return self.whole()
        except Refused as refused:
            if refused.code != "no-campaign" or self.options.campaign:
                raise
            return None

    def saved(self, desk: Desk, *, always: bool = False) -> list[dict[str, Any]]:
        """Bring snapshot and copy up to date (in a shell now and then); a warning where that could not be done."""
        behind = desk.campaign.head.seq - desk.campaign.saved
        if self.deferred and behind < SNAPSHOT_EVERY and not always:
            return []
        return [] if desk.campaign.save_snapshot() else [{"code": "snapshot-behind", "rule": "", "facts": {}}]

    def notices(self) -> list[dict[str, Any]]:
        """What was found while the campaigns of this line were opened and written, each told once, and to the GM."""
        if self.options.for_side:
            return []
        desks = [desk for desk in self.meant.values() if isinstance(desk, Desk)]
        found = [notice for desk in desks for notice in desk.campaign.notices]
        for desk in desks:
            desk.campaign.notices.clear()
        return [
            {"code": notice["code"], "rule": "", "facts": {k: v for k, v in notice.items() if k != "code"}}
            for notice in found
            if notice["code"] != "others-wrote"
        ]

    def close(self) -> None:
        """Bring every snapshot up to date at the end of a shell or script."""
        for desk in self.desks.values():
            if desk.campaign.saved != desk.campaign.head.seq:
                desk.campaign.save_snapshot()

    # words

    @property
    def lang(self) -> str:
        """The language to speak: the option, GMTOOL_LANG, the campaign's, the locale's, English."""
        asked = self.options.lang or self.env.get("GMTOOL_LANG", "").lower()[:2]
        if asked in LANGUAGES:
            return asked
        desk = self.desk_at_hand()
        own = desk.row.lang if desk else None
        return own if own in LANGUAGES else _locale_language(self.env)

    @property
    def words(self) -> Catalogue:
        """The sentences of the language spoken, with the game's own."""
        desk = self.desk_at_hand()
        return load_catalogue(self.lang, desk.system.id, desk.folder) if desk else load_catalogue(self.lang)

    def desk_at_hand(self) -> Desk | None:
        """The campaign, if it can be had without trouble: what goes wrong while it is opened is told elsewhere."""
        try:
            return self.desk_or_none()
        except (Refused, OSError):
            return None


def _locale_language(env: Mapping[str, str]) -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if env.get(name):
            lang = env[name].lower()[:2]
            return lang if lang in LANGUAGES else "en"
    return "en"


def working_folder() -> Path:
    """The folder we stand in; a deleted one counts as the root of nothing."""
    try:
        return Path(os.getcwd())
    except OSError:
        return Path("/")
