"""The face: one line after the other, whether from a process, a script or the shell; the same for all three."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from gmtool.cli.bridge import take_apart
from gmtool.cli.errors import Trouble, trouble
from gmtool.cli.reader import Globals, Line, said_again
from gmtool.cli.reply import Found, Reply
from gmtool.cli.verbs import COMMON
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Scope, read_words
from gmtool.referee.desk import Desk, Registry
from gmtool.render.screen import Screen
from gmtool.render.text import text
from gmtool.store.home import Home, find_home
from gmtool.text.catalogue import LANGUAGES, Catalogue
from gmtool.text.catalogue import load as load_catalogue

SNAPSHOT_EVERY = 50


@dataclass
class Face:
    """Where lines are executed. A shell and a script keep it, and with it the open campaign."""

    stdin: TextIO
    out: Screen
    err: Screen
    env: Mapping[str, str]
    cwd: Path
    registry: Registry
    defaults: Globals = field(default_factory=Globals)
    deferred: bool = False
    depth: int = 0
    in_shell: bool = False
    desks: dict[Path, Desk] = field(default_factory=dict)
    line: Line | None = None
    options: Globals = field(default_factory=Globals)
    meant: dict[tuple[str | None, str | None], Desk] = field(default_factory=dict)

    def execute(self, line: Line) -> int:
        """Do one line, show what came of it, and say how it went by its exit code."""
        self.line, self.options = line, line.globals.merge(self.defaults)
        self.meant.clear()
        try:
            reply = self._reply(line)
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return self.show_trouble(trouble(error, self))
        self.show(reply)
        return reply.code

    def show(self, reply: Reply) -> None:
        """Write a reply: one JSON object, or the lines."""
        if reply.body is None:
            return
        if self.options.json:
            self.out.json({"ok": True, "command": self.typed, **reply.body, "text": text(reply.lines)})
        else:
            self.out.show(reply.lines)

    def show_trouble(self, found: Trouble) -> int:
        """Write why a line was not done; its exit code."""
        if self.options.json:
            self.out.json({"ok": False, "command": self.typed, **found.body})
        else:
            self.err.show(found.lines)
        return found.code

    @property
    def typed(self) -> str:
        """The line as it can be typed again, without what only says where and how to show it."""
        return said_again(self.line) if self.line else ""

    def _reply(self, line: Line) -> Reply:
        from gmtool.cli import helping

        words = (*line.prefix[:1], *line.words) if line.prefix == ("odds",) else line.words
        if not words or (self.options.help and not line.words):
            return helping.root(self)
        if line.prefix not in ((), ("odds",)):
            raise Refused("not-covered", key="prefix-later", exit=2, facts={"value": " ".join(line.prefix)})
        found = self.find(line.words) if not line.prefix else self.find(line.words, odds=True)
        if self.options.help:
            return helping.verb(self, found)
        if line.prefix:
            from gmtool.cli.verbs.looking import odds

            return odds(self, found)
        return self.call(found)

    def call(self, found: Found) -> Reply:
        """Do a verb that was found."""
        if found.kind == "game":
            from gmtool.cli.verbs.play import rule

            return rule(self, found, take_apart(found.command, found.rest))
        words = take_apart(found.command, found.rest)
        if found.kind == "look":
            desk = self.desk()
            command = read_words(found.command, words, Scope(desk.state, desk.book, {}))
            shown, data = import_module(found.command.__module__).LOOKS[found.command](desk.state, desk.book, command)
            return self.view(shown, {"system": desk.system.id, "result": data})
        handler = common_module(found.verb).HANDLERS[found.command]
        reply: Reply = handler(self, read_words(found.command, words, Scope(None, None, {})))
        return reply

    def view(self, shown: Any, body: Mapping[str, Any] | None = None) -> Reply:
        """A view of the game as a reply."""
        from gmtool.kernel.view import names_in
        from gmtool.render.views import view

        names = self.desk().names(names_in(shown))
        return Reply(body or {}, view(shown, self.words, names, self.out.room))

    # finding verbs

    def find(self, words: tuple[str, ...], odds: bool = False) -> Found:
        """The verb that a line begins with: exactly, or by an unambiguous beginning of each of its words."""
        head = [word.lower() for word in words[:2]]
        if not odds and (exact := _exact(head, COMMON)):
            return self._found(exact, "common", words)
        desk = self.desk_or_none()
        game = {**desk.system.verbs} if desk else {}
        looks = desk.system.looks if desk else {}
        everything = {**({} if odds else COMMON), **game, **looks, "set": COMMON["set"]}
        verb = _exact(head, everything) or _unfolded(head, everything)
        kind = "common" if verb in COMMON else "game" if verb in game else "look"
        return self._found(verb, kind, words)

    def _found(self, verb: str, kind: str, words: tuple[str, ...]) -> Found:
        rest = words[len(verb.split()) :]
        if kind == "common":
            return Found(verb, common_command(verb), kind, rest)
        system = self.desk().system
        if kind == "game":
            return Found(verb, system.command(verb), kind, rest)
        return Found(verb, system.look(verb), kind, rest)

    # where we are

    @property
    def home(self) -> Home:
        """The folder of campaigns in force, and why it is that one."""
        return find_home(self.options.home, self.env, self.cwd)

    def desk(self, name: str | None = None) -> Desk:
        """The campaign that is meant, opened; Refused (no-campaign) where none is. Looked for once a line."""
        place = name or self.options.campaign, self.options.home
        if place not in self.meant:
            self.meant[place] = self._desk(name)
        return self.meant[place]

    def _desk(self, name: str | None) -> Desk:
        from gmtool.cli.choosing import chosen
        from gmtool.store.campaign import open_campaign

        name, home = name or self.options.campaign, self.home
        path = home.path / (name or "")
        if path not in self.desks:  # one that is open goes by the name of its folder
            path = chosen(home, name, self.env)
        if path not in self.desks:
            self.desks[path] = Desk(open_campaign(path, write=False), self.registry)
        desk = self.desks[path]
        if self.deferred:
            desk.campaign.refresh()
        return desk

    def writable(self) -> Desk:
        """The campaign that is meant, for a line that changes it."""
        desk = self.desk()
        desk.campaign.to_write()
        return desk

    def desk_or_none(self) -> Desk | None:
        """The campaign that is meant, or None where there is none to be had."""
        try:
            return self.desk()
        except Refused:
            if self.options.campaign:
                raise
            return None

    def saved(self, desk: Desk) -> list[dict[str, Any]]:
        """Bring the snapshot up to date (in a shell now and then); a warning where it could not be written."""
        behind = desk.campaign.head.seq - desk.campaign.saved
        if self.deferred and behind < SNAPSHOT_EVERY:
            return []
        return [] if desk.campaign.save_snapshot() else [{"code": "snapshot-behind", "rule": "", "facts": {}}]

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
        return load_catalogue(self.lang, desk.system.id if desk else None)

    def desk_at_hand(self) -> Desk | None:
        """The campaign, if it can be had without trouble: what goes wrong while it is opened is told elsewhere."""
        try:
            return self.desk_or_none()
        except (Refused, OSError):
            return None


def common_module(verb: str) -> Any:
    """The module of a common verb."""
    return import_module(f"gmtool.cli.verbs.{COMMON[verb].partition(':')[0]}")


def common_command(verb: str) -> type[Any]:
    """The command class of a common verb."""
    command: type[Any] = getattr(common_module(verb), COMMON[verb].partition(":")[2])
    return command


def _exact(head: list[str], verbs: Mapping[str, Any]) -> str:
    for n in (2, 1):
        if len(head) >= n and " ".join(head[:n]) in verbs:
            return " ".join(head[:n])
    return ""


def _unfolded(head: list[str], verbs: Mapping[str, Any]) -> str:
    """The one verb whose words begin as typed; Refused with what comes close."""
    met = [verb for verb in verbs if _begins(head, verb.split())]
    firsts = {verb.split()[0] for verb in met}
    if len(met) == 1:
        return met[0]
    if len(firsts) == 1 and len(met) > 1:
        raise Refused("usage", key="verb-unfinished", exit=2, facts={"value": " ".join(head), "verbs": met})
    if met:
        raise Refused("ambiguous-name", key="ambiguous-verb", exit=2, facts={"value": head[0], "verbs": met})
    from difflib import get_close_matches

    begun = list(dict.fromkeys(verb.split()[0] for verb in verbs))
    near = get_close_matches(head[0], begun, n=3, cutoff=0.6) or begun[:12]
    raise Refused("unknown-name", key="unknown-verb", exit=2, facts={"value": head[0], "verbs": near})


def _begins(head: list[str], verb: list[str]) -> bool:
    if len(verb) == 2 and len(head) >= 2:
        return verb[0].startswith(head[0]) and verb[1].startswith(head[1])
    return bool(head) and verb[0].startswith(head[0]) and (len(verb) == 1 or len(head) == 1)


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
