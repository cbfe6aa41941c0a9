"""The settings of a campaign: language, dice, what is said beforehand, how ambiguous rules are read."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gmtool.cli.face import Reply
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Cell, Column, Grid, Say, View
from gmtool.kernel.words import Candidate, Scope, find, one_of
from gmtool.render.lines import wrap
from gmtool.text.catalogue import LANGUAGES, Catalogue

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

DEFAULT = "default"
ASK = "ask"
_COLUMNS = (Column("list-setting"), Column("list-value"), Column("list-meaning", drop=1))


class Setting(NamedTuple):
    """One setting: its value (None: the default's), the default, what may be said, and where the campaign keeps it.

    ``options`` empty: only looked at here. ``keeps`` is the field of the campaign and the key within it.
    """

    value: str | None
    default: str
    options: tuple[str, ...] = ()
    keeps: tuple[str, str] = ("", "")

    @property
    def current(self) -> str:
        """The value in force."""
        return self.default if self.value is None else self.value


class Reading(NamedTuple):
    """An interpretation: the rule it belongs to, its options, which is in force, and whether that was chosen.

    ``waits_for`` is the verb that will first make a difference (empty: it does today).
    """

    rule: str
    options: tuple[str, ...]
    default: str
    value: str
    chosen: bool
    waits_for: str


def readings(data: Mapping[str, Any], choices: Mapping[str, str]) -> dict[str, Reading]:
    """The interpretations of a game's data by id, as a campaign with these choices plays them."""
    return {
        id: Reading(
            row["rule"], tuple(row["options"]), row["default"], choices.get(id, row["default"]), id in choices,
            row.get("waits_for", ""),
        )
        for id, row in data.get("interpretations", {}).items()
    }  # fmt: skip


def show(face: "Face", key: str) -> Reply:
    """All settings, or one."""
    desk = face.desk()
    settings = _settings(desk, face.words)
    shown = [_named(settings, key)] if key else list(settings)
    rows = tuple(_row(name, settings[name], face.words) for name in shown)
    body = {"result": {"settings": {name: settings[name].value for name in shown}}}
    reply = face.view(View((Grid(None, _COLUMNS, rows),)), body)
    if not key:
        return reply
    options = [*settings[shown[0]].options, DEFAULT] if settings[shown[0]].options else []
    told = wrap(face.words.say("list.setting-options", {"key": shown[0], "options": options}), face.out.room, 0, 2)
    return reply._replace(lines=reply.lines + (told if options else []))


def change(face: "Face", key: str, value: str) -> Reply:
    """One setting changed: a mark, no step of undo."""
    from gmtool.cli.shown import warning_lines
    from gmtool.referee.marks import configure

    desk = face.writable()
    settings = _settings(desk, face.words)
    name = _named(settings, key)
    setting = settings[name]
    if not setting.options:
        raise Refused("bad-value", key="setting-fixed", exit=2, facts={"key": name})
    wanted = _value(name, setting, value)
    done = configure(desk, *setting.keeps, _kept(setting, wanted), face.typed)
    facts = {"key": name, "value": wanted}
    if done is None:
        lines = wrap(face.words.say("done.setting-same", facts), face.out.room, 0, 2)
        return Reply({"result": facts, "changes": []}, lines)
    warnings = face.saved(desk)
    lines = wrap(face.words.say("done.setting", facts), face.out.room, 0, 2)
    body = {"seq": desk.campaign.head.seq, "result": facts, "changes": [done], "warnings": warnings}
    return Reply(body, [*lines, *warning_lines(face, warnings)])


def _settings(desk: "Desk", words: Catalogue) -> dict[str, Setting]:
    """The settings by the key they are typed by: the campaign's, then the game's declarations and readings."""
    row = desk.row
    found = {
        "name": Setting(row.name, ""),
        "lang": Setting(row.lang, DEFAULT, LANGUAGES, ("lang", "")),
        "dice-mode": Setting(row.dice_mode, ASK, (ASK, "auto"), ("dice_mode", "")),
        "seed": Setting(None if row.seed is None else str(row.seed), "-"),
    }
    for kind, options in desk.system.declarations.items():
        found[f"declare.{kind}"] = Setting(row.declare.get(kind), DEFAULT, (*options, ASK), ("declare", kind))
    for id, reading in readings(desk.data, row.choices).items():
        found[f"choice.{id}"] = Setting(row.choices.get(id), reading.default, reading.options, ("choices", id))
    return found
