"""Help in the user's language: all verbs on one page, or one verb with its words and options."""

from typing import TYPE_CHECKING, Any

from gmtool.cli.reply import Found, Reply
from gmtool.cli.verbs import COMMON
from gmtool.kernel.words import Arg, Flag, Opt, Param, params
from gmtool.render.lines import Room, Span, Styled, padded, wrap
from gmtool.text.catalogue import Catalogue
from gmtool.text.width import cells

if TYPE_CHECKING:
    from gmtool.cli.face import Face

GLOBAL = (
    "campaign NAME", "home DIR", "json", "lang en|ja|ko", "no-color", "dice FACES", "say KEY=VALUE", "by NAME",
    "because WORDS", "force", "fresh", "yes", "for SIDE",
)  # fmt: skip


def root(face: "Face") -> Reply:
    """The verbs of the active game in a panel of their own, the common verbs, the options of every line."""
    words, room = face.words, face.out.room
    desk = face.desk_at_hand()
    lines = wrap(words.say("help.usage"), room, 0, 2, "head")
    if desk:
        title = words.say("help.game", {"game": words.say(f"system.{desk.system.id}")})
        lines += _panel(title, [*desk.system.verbs, *desk.system.looks], words, room)
    lines += _panel(words.say("help.common"), list(COMMON), words, room)
    lines += _options(words, room)
    verbs = [*(desk.system.verbs if desk else ()), *COMMON]
    return Reply({"result": {"verbs": verbs}}, lines)


def version() -> Reply:
    """The version that is installed."""
    from gmtool import __version__

    return Reply({"result": {"version": __version__}}, [[Span(f"gmtool {__version__}")]])


def _panel(title: str, verbs: list[str], words: Catalogue, room: Room) -> list[Styled]:
    width = max(map(len, verbs)) + 2
    rows = [(verb, words.say(f"help.verb.{dotted(verb)}")) for verb in verbs]
    return [[], [Span(title, "head")], *_rows(rows, width, room)]


def _rows(rows: list[tuple[str, str]], width: int, room: Room) -> list[Styled]:
    """Two columns; what does not fit beside the first goes below, as nearly all does where there is little room."""
    lines: list[Styled] = []
    width = min(width, room.width // 7) if room.width < 64 else width
    for left, right in rows:
        if cells(left) + 2 > width:
            lines.append([Span("  " + left)])
            lines += wrap(right, room, width + 2)
            continue
        first, *rest = wrap(right, Room(room.width - width - 2, room.cut)) or [[]]
        lines.append([*padded([Span("  " + left)], width + 2), *first])
        lines += [[Span(" " * (width + 2)), *line] for line in rest]
    return lines


def _options(words: Catalogue, room: Room) -> list[Styled]:
    rows = [("--" + option, words.say(f"help.global.{option.split()[0]}")) for option in GLOBAL]
    return [[], [Span(words.say("help.options"), "head")], *_rows(rows, 18, room)]


def verb(face: "Face", found: Found) -> Reply:
    """One verb: how it is written, what it does, its words, its options."""
    words, room = face.words, face.out.room
    described = params(found.command)
    usage = " ".join(["gmtool", found.verb, *map(_written, described)])
    lines = [*wrap(usage, room, 0, 4, "head"), *wrap(words.say(f"help.verb.{dotted(found.verb)}"), room, 2)]
    rows = [(_name(param), _help(found.verb, param, words)) for param in described]
    if rows:
        lines += [[], *_rows(rows, min(max(len(left) for left, _ in rows) + 2, 26), room)]
    return Reply({"result": {"verb": found.verb, "usage": usage}}, lines)


def dotted(verb: str) -> str:
    """A verb as part of a catalogue key."""
    return verb.replace(" ", ".")


def _written(param: Param) -> str:
    """A word or option as the usage line has it."""
    spec = param.spec
    word = _name(param)
    if isinstance(spec, Arg) and spec.many:
        word += " ..."
    return word if param.required else f"[{word}]"


def _name(param: Param) -> str:
    spec = param.spec
    if isinstance(spec, Flag):
        return spec.flag
    return param.name.upper() if isinstance(spec, Arg) else f"{spec.flag} {spec.kind.name.upper()}"


def _help(verb: str, param: Param, words: Catalogue) -> str:
    spec: Any = param.spec
    if isinstance(spec, Opt | Flag):
        return words.say(f"help.opt.{dotted(verb)}.{spec.flag.removeprefix('--')}")
    return words.say(f"help.arg.{dotted(verb)}.{param.name}")
