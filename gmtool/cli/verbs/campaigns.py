"""Campaigns: made, chosen, listed, looked at, renamed, written to a file, taken from one, put away."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.choosing import chosen, named
from gmtool.cli.reply import Reply
from gmtool.cli.verbs.about import SYSTEM, game_name, game_named
from gmtool.kernel.common import DICE_MODES
from gmtool.kernel.common import Campaign as CampaignRow
from gmtool.kernel.fold import LIMIT, fold
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import encode
from gmtool.kernel.view import Cell, Column, Grid, Name, Say
from gmtool.kernel.words import TEXT, WORD, Arg, Opt, number, one_of
from gmtool.render.lines import Styled, wrap
from gmtool.store import shelf
from gmtool.store.files import given_path
from gmtool.store.names import display_name

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.text.catalogue import Catalogue

DICE_MODE = one_of("dice-mode", *DICE_MODES)
BEHIND = {"code": "snapshot-behind", "rule": "", "facts": {}}
_COLUMNS = (
    Column("list-campaign"),
    Column("list-name"),
    Column("list-game", drop=2),
    Column("list-lines", "right", drop=1),
    Column("list-use"),
)


class New(NamedTuple):
    """A new campaign, in use from then on."""

    name: Annotated[str, Arg(TEXT)]
    system: Annotated[str, Opt("--system", SYSTEM)]
    dice_mode: Annotated[str, Opt("--dice-mode", DICE_MODE)] = ""
    seed: Annotated[int | None, Opt("--seed", number("seed", 0, LIMIT))] = None


class Use(NamedTuple):
    """Choose the campaign that is meant when none is named."""

    name: Annotated[str, Arg(WORD)]


class List(NamedTuple):
    """The campaigns of this home."""


class Show(NamedTuple):
    """One campaign and where it lies."""

    name: Annotated[str, Arg(WORD)] = ""


class Rename(NamedTuple):
    """Another display name; the folder keeps its own."""

    name: Annotated[str, Arg(WORD)]
    new: Annotated[str, Arg(TEXT)]


class Export(NamedTuple):
    """The campaign in use as one file."""

    file: Annotated[str, Arg(WORD)]


class Import(NamedTuple):
    """A campaign from such a file."""

    file: Annotated[str, Arg(WORD)]


class Remove(NamedTuple):
    """Put a campaign away."""

    name: Annotated[str, Arg(WORD)]


def new(face: "Face", command: New) -> Reply:
    """A folder with the first line of its journal; the campaign becomes the one in use."""
    from gmtool.store.campaign import create

    home, system = face.home.path, game_named(face, command.system)
    row = _first_row(face, command, system)
    first = [{"path": "campaign.campaign", "after": encode(row), "rule": ""}]
    args = {"name": row.name, "system": system, "dice_mode": row.dice_mode, "seed": row.seed}
    with campaign_names():
        campaign = create(
            home, row.name, system, first, line=face.typed, command={"verb": "campaign new", "args": args}
        )
    warnings = [] if campaign.save_snapshot() else [BEHIND]
    warnings += _into_use(home, campaign.path.name)
    face.meant.clear()
    told = {"campaign": campaign.path.name, **args, "path": str(campaign.path)}
    facts = {**told, "system": game_name(face.lang, system)}
    lines = _said(face, f"done.campaign-new-{row.dice_mode}", facts) + _said(face, "list.campaign-folder", facts, "dim")
    lines += _meant_here(face, campaign.path, warnings)
    return _reply(face, {"seq": campaign.head.seq, "result": told}, lines, warnings)


def _first_row(face: "Face", command: New, system: str) -> CampaignRow:
    """The settings a campaign begins with; a seed is for dice thrown by the tool, so it chooses them unless said."""
    from secrets import token_hex

    mode = command.dice_mode or ("ask" if command.seed is None else "auto")
    name = command.name.strip()
    return CampaignRow(name, system, face.options.lang, mode, command.seed, secret=token_hex(16))


def _into_use(home: Path, slug: str) -> list[dict[str, Any]]:
    """Choose a campaign that is made already; what cannot be written down is a warning."""
    try:
        shelf.mark_home(home)
        shelf.use(home, slug)
    except Refused:
        return [{"code": "not-chosen", "rule": "", "facts": {"campaign": slug}}]
    return []


def use(face: "Face", command: Use) -> Reply:
    """The campaign of this name is meant from now on, in this home."""
    home = face.home
    path = named(home, command.name)
    shelf.use(home.path, path.name)
    face.meant.clear()
    told = {"campaign": path.name, "name": display_name(path)}
    lines = _said(face, "done.campaign-use", told)
    return _reply(face, {"result": told}, lines + _meant_here(face, path, []), [])


def list_(face: "Face", command: List) -> Reply:
    """The home, why it is that one, and its campaigns; those that cannot be read with the reason."""
    home, entries, meant = face.home, shelf.list_campaigns(face.home.path), _meant(face)
    told = [
        {"slug": entry.slug, "name": entry.name, "system": entry.system, "lines": entry.seq,
         "in_use": entry.path == meant, "problem": entry.problem.code if entry.problem else None}
        for entry in entries
    ]  # fmt: skip
    lines = _said(face, f"list.home-{home.why}", {"path": str(home.path)}, "dim")
    lines += _shelf(face, entries, meant) if entries else _said(face, "list.no-campaigns")
    result = {"home": {"path": str(home.path), "why": home.why}, "campaigns": told}
    return Reply({"result": result}, lines)


def _shelf(face: "Face", entries: list[shelf.Entry], meant: Path | None) -> list[Styled]:
    """A line for each campaign, and below what is the matter with those that cannot be read."""
    from gmtool.cli.errors import message_of
    from gmtool.render.views import grid
    from gmtool.render.words import Words

    words = Words(face.words, {entry.slug: entry.name for entry in entries})
    rows = tuple(_row(face, entry, entry.path == meant) for entry in entries)
    lines = grid(Grid(None, _COLUMNS, rows), words, face.out.room)
    for entry in entries:
        if entry.problem:
            told = {"campaign": entry.slug, "text": message_of(entry.problem, face)}
            lines += _said(face, "list.problem", told, "bad")
    return lines


def _row(face: "Face", entry: shelf.Entry, meant: bool) -> tuple[Cell, ...]:
    use = Say("list.in-use") if meant else ""
    if entry.problem:
        return Cell(entry.slug), Cell(Name(entry.slug)), Cell(""), Cell(""), Cell(Say("list.unreadable"), "bad")
    game = game_name(face.lang, entry.system)
    return Cell(entry.slug), Cell(Name(entry.slug)), Cell(game), Cell(entry.seq), Cell(use, "good")


def show(face: "Face", command: Show) -> Reply:
    """A campaign's name, game, settings, and its folder."""
    desk = face.whole(command.name or None)
    row = desk.row
    told: dict[str, Any] = {
        "campaign": desk.path.name, "name": row.name, "system": row.system, "lines": desk.campaign.head.seq,
        "session": row.session, "lang": row.lang, "dice_mode": row.dice_mode, "seed": row.seed,
        "in_use": desk.path == _meant(face), "path": str(desk.path),
    }  # fmt: skip
    facts = {**told, "system": game_name(face.lang, row.system)}
    lines = _said(face, "list.campaign-head", facts, "head")
    keys = ["game", "lines", f"dice-{row.dice_mode}", *(["session"] if row.session else []), "folder"]
    for key in keys:
        lines += wrap(face.words.say(f"list.campaign-{key}", facts), face.out.room, 2, 4)
    return Reply({"result": told}, lines)


def rename(face: "Face", command: Rename) -> Reply:
    """The display name, by a mark: no step of undo, and the folder stays where it is."""
    from gmtool.referee.branch import refuse_in_branch
    from gmtool.referee.marks import mark
    from gmtool.referee.opened import refuse_if_open

    desk = face.whole(command.name)
    desk.campaign.to_write()
    before, after = desk.row.name, command.new.strip()
    told = {"campaign": desk.path.name, "name": after, "before": before}
    with desk.campaign.writing(), campaign_names():
        refuse_in_branch(desk, "campaign rename")
        refuse_if_open(desk)
        changes = shelf.rename(desk.campaign, after)
        if not changes:
            return Reply({"result": told, "changes": []}, _said(face, "done.campaign-same", told))
        seq = mark(desk, "campaign rename", {"name": after}, face.typed, changes)
    warnings = face.saved(desk)
    body = {"seq": seq, "result": told, "changes": changes}
    return _reply(face, body, _said(face, "done.campaign-renamed", told), warnings)


def export(face: "Face", command: Export) -> Reply:
    """One zip with the journal, the state and the GM's own rules; a file that is there is asked about first."""
    path = chosen(face.home, face.options.campaign, face.env)
    file = given_path(face.cwd, command.file)
    sure = os.path.isfile(file) and may_ask(face) and agreed(face, "overwrite", {"file": str(file)})
    shelf.export(path, file, overwrite=sure or face.options.yes)
    told = {"campaign": path.name, "file": str(file)}
    return _reply(face, {"result": told}, _said(face, "done.campaign-exported", told), [])


def import_(face: "Face", command: Import) -> Reply:
    """A campaign from a zip, under its own name; what the zip holds lands in its folder or nowhere."""
    home = face.home.path
    with campaign_names("campaign-name-taken-import"):
        path = shelf.import_zip(home, given_path(face.cwd, command.file), check=lambda path: _sound(face, path))
    face.meant.clear()
    told = {"campaign": path.name, "name": display_name(path), "path": str(path)}
    lines = _said(face, "done.campaign-imported", told)
    return _reply(face, {"result": told}, lines + _meant_here(face, path, []), [])


def _sound(face: "Face", path: Path) -> None:
    """Refused where what came from elsewhere does not hold together; a game that is not here cannot tell."""
    from gmtool.cli.errors import of_the_files
    from gmtool.referee.desk import Desk
    from gmtool.store.campaign import open_campaign

    try:
        desk = Desk(open_campaign(path, write=False), face.registry)
    except Refused:
        return
    if problem := of_the_files([desk]):
        raise problem


def remove(face: "Face", command: Remove) -> Reply:
    """Into the home's ``.removed``, never deleted; asks first, or wants ``--yes``. Told in that campaign's language."""
    path = named(face.home, command.name)
    words = _speak_of(face, path)
    facts = {"campaign": path.name, "name": display_name(path)}
    if not face.options.yes:
        if not may_ask(face):
            raise Refused("needs-yes", exit=2, facts=facts)
        if not agreed(face, "remove", facts):
            raise Refused("not-confirmed", facts=facts)
    face.desks.pop(path, None)
    face.meant.clear()
    told = {**facts, "moved_to": str(shelf.remove(path))}
    return _reply(face, {"result": told}, wrap(words.say("done.campaign-removed", told), face.out.room, 0, 2), [])


def _speak_of(face: "Face", path: Path) -> "Catalogue":
    """Let the rest of the line be told in the words of this campaign, where it can be opened; those words."""
    meant = face.options
    face.options = meant._replace(campaign=path.name)
    if face.desk_at_hand() is None:
        face.options = meant
    return face.words


def may_ask(face: "Face") -> bool:
    """Whether somebody sits there: a question to a pipe, or between JSON objects, would reach nobody."""
    return face.stdin.isatty() and face.out.terminal and not face.options.json


def agreed(face: "Face", question: str, facts: dict[str, Any]) -> bool:
    """Ask, and take nothing but a yes for a yes; the end of input is none."""
    words = face.words
    face.out.write(f"{words.say(f'question.{question}', facts)} {words.say('question.yes-or-no')} ")
    return fold(face.stdin.readline().strip()) in words.say("question.yes").split()


@contextmanager
def campaign_names(key: str = "campaign-name-taken") -> Iterator[None]:
    """The names of campaigns are refused in words of their own: games have things whose name may be taken too."""
    try:
        yield
    except Refused as error:
        if error.code != "name-taken":
            raise
        raise Refused(error.code, key=key, exit=error.exit, facts=error.facts) from None


def _meant(face: "Face") -> Path | None:
    """The campaign that is meant now, if any is."""
    try:
        return chosen(face.home, face.options.campaign, face.env)
    except Refused:
        return None


def _meant_here(face: "Face", path: Path, warnings: list[dict[str, Any]]) -> list[Styled]:
    """Which campaign lines go to, where it is not the one just spoken of; silent if a warning says so already."""
    meant = _meant(face)
    if warnings or meant == path:
        return []
    if meant is None:
        return _said(face, "list.choose", {"campaign": path.name}, "dim")
    return _said(face, "list.meant", {"meant": meant.name, "other": path.name}, "dim")


def _said(face: "Face", key: str, facts: dict[str, Any] | None = None, style: str = "") -> list[Styled]:
    return wrap(face.words.say(key, facts or {}), face.out.room, 0, 2, style)


def _reply(face: "Face", body: dict[str, Any], lines: list[Styled], warnings: list[dict[str, Any]]) -> Reply:
    """A reply with its warnings in both forms."""
    from gmtool.cli.shown import warning_lines

    return Reply({**body, "warnings": warnings}, lines + warning_lines(face, warnings))


HANDLERS: dict[type[Any], Callable[..., Reply]] = {
    New: new,
    Use: use,
    List: list_,
    Show: show,
    Rename: rename,
    Export: export,
    Import: import_,
    Remove: remove,
}
