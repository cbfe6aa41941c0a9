"""The settings of a campaign: language, dice, what is said beforehand, how ambiguous rules are read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.common import DICE_MODES, FORECAST, SHOWN_TO
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Line, Say, View
from gmtool.kernel.words import Candidate, find, option
from gmtool.render.lines import wrap
from gmtool.text.catalogue import LANGUAGES, Catalogue

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

DEFAULT = "default"


class Setting(NamedTuple):
    """One setting of a campaign as it is typed and kept.

    ``value`` is what was set (None: nothing, so ``default`` holds); ``options`` what may be said (empty: it is only
    looked at here); ``keeps`` the campaign's field and the key in it; ``reset`` what is written for the default.
    """

    value: str | None
    default: str = ""
    options: tuple[str, ...] = ()
    keeps: tuple[str, str] = ("", "")
    reset: str | None = None


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
    """All settings, or one with what it could be."""
    desk = face.desk()
    settings = _settings(desk, face.words)
    shown = [_named(settings, key)] if key else list(settings)
    blocks = [line for name in shown for line in _told(name, settings[name], face.words)]
    body = {"result": {"settings": {name: settings[name].value for name in shown}}}
    reply = face.view(View(tuple(blocks)), body)
    options = settings[shown[0]].options if key else ()
    if not options:
        return reply
    told = face.words.say("list.setting-options", {"key": shown[0], "options": [*options, DEFAULT]})
    return reply._replace(lines=[*reply.lines, *wrap(told, face.out.room, 0, 2)])


def options_of(face: "Face", key: str = "") -> dict[str, tuple[str, ...]]:
    """The settings that can be changed, each with what it can be; with a key only the one that it means."""
    found = _settings(face.whole(), face.words)
    named = [_named(found, key)] if key else [*found]
    return {name: found[name].options for name in named if found[name].options}


def _told(name: str, setting: Setting, words: Catalogue) -> tuple[Line, Line]:
    """The key as it is typed with the value in force; below it what it is about."""
    group, _, inner = name.partition(".")
    value = setting.default if setting.value is None else setting.value
    if not inner:
        shown, about = (value if setting.value else words.say(f"setting.no-{name}")), words.say(f"setting.{name}")
    elif group == "declare":
        usual = words.say("setting.no-declaration", {"value": words.word(value)})
        shown, about = (value if setting.value else usual), words.say(name)
    else:
        shown = value if setting.value else words.say("setting.our-default", {"value": value})
        about = words.say("setting.reading", {"what": words.say(name), "value": words.say(f"{name}.{value}")})
    head = Say("list.setting", {"key": name, "value": shown})
    return Line(head, "" if setting.value else "dim"), Line(Say("list.about", {"text": about}), "dim", 4)


def change(face: "Face", key: str, value: str) -> Reply:
    """One setting changed: a mark, no step of undo."""
    from gmtool.cli.shown import warning_lines
    from gmtool.referee.marks import configure

    desk = face.writable()
    settings = _settings(desk, face.words)
    name = _named(settings, key)
    setting = settings[name]
    if not setting.options:
        fixed = "setting-name" if name == "name" else "setting-fixed"
        raise Refused("bad-value", key=fixed, exit=2, facts={"key": name})
    wanted = option(value, (*setting.options, DEFAULT), name)
    done = configure(desk, *setting.keeps, setting.reset if wanted == DEFAULT else wanted, face.typed)
    told = {"key": name, "value": wanted}
    if done is None:
        lines = wrap(face.words.say("done.setting-same", told), face.out.room, 0, 2)
        return Reply({"result": told, "changes": []}, lines)
    warnings = face.saved(desk)
    lines = wrap(face.words.say("done.setting", told), face.out.room, 0, 2)
    body = {"seq": desk.campaign.head.seq, "result": told, "changes": [done], "warnings": warnings}
    return Reply(body, [*lines, *warning_lines(face, warnings)])


def _settings(desk: "Desk", words: Catalogue) -> dict[str, Setting]:
    """The settings by the key they are typed by: the campaign's, then the game's ways, declarations and readings."""
    row = desk.row
    found = {
        "name": Setting(row.name),
        "seed": Setting(None if row.seed is None else str(row.seed)),
        "lang": Setting(row.lang, options=LANGUAGES, keeps=("lang", "")),
        "dice-mode": Setting(row.dice_mode, options=DICE_MODES, keeps=("dice_mode", ""), reset=DICE_MODES[0]),
    }
    for way, (usual, options) in desk.system.settings.items():
        found[way] = Setting(row.config.get(way), usual, options, ("config", way))
    found[FORECAST] = Setting(row.config.get(FORECAST), SHOWN_TO[0], SHOWN_TO, ("config", FORECAST))
    for kind, (usual, options) in desk.system.declarations.items():
        found[f"declare.{kind}"] = Setting(row.declare.get(kind), usual, (*options, "ask"), ("declare", kind))
    for id, reading in readings(desk.data, row.choices).items():
        found[f"choice.{id}"] = Setting(row.choices.get(id), reading.default, reading.options, ("choices", id))
    return found


def _named(settings: Mapping[str, Setting], key: str) -> str:
    """The setting of this key, also without its group (``rt-8.8``), or of an unambiguous beginning."""
    try:
        return find(key, "setting", [Candidate(name, (name, *_shorter(name))) for name in settings])
    except Refused as refused:
        if refused.code != "unknown-name":
            raise
        facts = {"value": key, "known": list(settings)}
        raise Refused("unknown-name", key="unknown-setting", exit=2, facts=facts) from None


def _shorter(name: str) -> list[str]:
    """``choice.rt-8.8`` without its group, and as the bare number of its rule."""
    inner = name.partition(".")[2]
    number = inner.partition("-")[2]
    return [word for word in (inner, number if number[:1].isdigit() else "") if word]
