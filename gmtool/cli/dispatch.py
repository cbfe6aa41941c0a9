"""One line after the other, whether from a process, a script or the shell: its verb is found, done and shown."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gmtool.cli.bridge import take_apart
from gmtool.cli.errors import trouble
from gmtool.cli.reader import Line
from gmtool.cli.reply import Found, Reply
from gmtool.cli.verbs import COMMON, FOR_ONE_SIDE, not_for_one_side
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Scope, read_words
from gmtool.referee.act import check_names
from gmtool.referee.branch import REAL_ONLY, refuse_in_branch

if TYPE_CHECKING:
    from gmtool.cli.face import Face


VERSION = ("--version",), ("-V",)
COMPARE = ("odds", "compare")
GM_ONLY = COMMON.keys() - FOR_ONE_SIDE


def execute(face: "Face", line: Line) -> int:
    """Do one line, show what came of it, and say how it went by its exit code."""
    face.begin(line)
    try:
        reply = reply_to(face, line)
    except Exception as error:
        return face.show_trouble(trouble(error, face))
    face.show(_in_branch(face, _with_notices(face, reply)))
    face.saw()
    return reply.code


def _in_branch(face: "Face", reply: Reply) -> Reply:
    """The reply under the heading of the what-if that is on, if one is: nothing of it is to be taken for real."""
    campaign = face.in_branch()
    if campaign is None or reply.body is None:
        return reply
    from gmtool.cli.shown import not_for_real

    return reply._replace(lines=[*not_for_real(face.words, face.out.room, False, campaign), *reply.lines])


def _with_notices(face: "Face", reply: Reply) -> Reply:
    """The reply with what was found on the way: a torn line cut off, a snapshot that could not be read."""
    found = face.notices()
    if not found or reply.body is None:
        return reply
    from gmtool.cli.shown import warning_lines

    body = {**reply.body, "warnings": [*reply.body.get("warnings", []), *found]}
    return reply._replace(body=body, lines=[*warning_lines(face, found), *reply.lines])


def reply_to(face: "Face", line: Line) -> Reply:
    """What a line answers. Raises whatever keeps it from being done."""
    from gmtool.cli import helping

    if not line.prefix and line.words in ((), ("help",)):
        return helping.root(face)
    if not line.prefix and line.words in VERSION:
        return helping.version()
    asked, prefix = line.words[:1] == ("help",), next(iter(line.prefix), "")
    words = line.words[1:] if asked else line.words
    found = find(face, words) if words else Found(prefix, common_command(prefix), "common", ())
    if asked or face.options.help:
        return helping.verb(face, found)
    if face.options.for_side and (line.prefix or found.kind == "game" or found.verb in GM_ONLY):
        raise not_for_one_side(prefix or found.verb)
    if line.prefix == ("try",) and words:
        from gmtool.cli.verbs.branch import refuse_untried

        refuse_untried(found)
        return call(face, found)
    if line.prefix == COMPARE:
        return side_by_side(face, found)
    return foretell(face, found) if line.prefix and words else call(face, found)


def side_by_side(face: "Face", found: Found) -> Reply:
    """The odds of several lines beside each other, with a ``/`` between them."""
    from gmtool.cli.verbs.comparing import compared

    first, *others = _parts(found.rest)
    if not all(others):
        raise Refused("usage", key="compare-what", exit=2)
    return compared(face, [found._replace(rest=first), *(find(face, words) for words in others)])


def foretell(face: "Face", found: Found) -> Reply:
    """The odds of a line, or of several with a ``/`` between them; the stroke of a free roll is its own."""
    from gmtool.cli.verbs.looking import odds

    first, *others = [found.rest] if found.verb == "roll" else _parts(found.rest)
    if not all(others):
        raise Refused("usage", key="odds-of-what", exit=2)
    return odds(face, found._replace(rest=first), *(find(face, words) for words in others))


def _parts(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Words cut at every stroke that stands alone."""
    cuts = [n for n, word in enumerate(words) if half_width(word) == "/"]
    return [words[a + 1 : b] for a, b in zip([-1, *cuts], [*cuts, len(words)], strict=True)]


def call(face: "Face", found: Found) -> Reply:
    """Do a verb that was found."""
    words = taken(found)
    if found.kind == "game":
        from gmtool.cli.verbs.play import rule

        return rule(face, found, words)
    if found.kind == "look":
        from gmtool.cli.drawing import draw, draws

        if draws(found.command):
            return draw(face, found, words)
        desk = face.desk()
        book = desk.reference
        command = read_words(found.command, words, Scope(desk.state, book, {}))
        shown, data = import_module(found.command.__module__).LOOKS[found.command](desk.state, book, command)
        return face.view(shown, {"system": desk.system.id, "result": data})
    if found.verb in REAL_ONLY and (meant := face.desk_at_hand()):
        refuse_in_branch(meant, found.verb)
    check_names(found.command, words)
    handler = _module(found.verb).HANDLERS[found.command]
    reply: Reply = handler(face, read_words(found.command, words, Scope(None, None, {})))
    return reply


def taken(found: Found) -> dict[str, Any]:
    """The words of a verb by field name."""
    # a note is taken as it stands: nothing in it is an option; the options of an amendment are another verb's
    if found.verb == "note" and found.rest:
        return {"text": " ".join(found.rest)}
    if found.verb == "amend":
        return {"words": list(found.rest)}
    return take_apart(found.command, found.rest)


def find(face: "Face", words: tuple[str, ...]) -> Found:
    """The verb that a line begins with: exactly, or by an unambiguous beginning of each of its words."""
    head = [word.lower() for word in words[:2]]
    if exact := _exact(head, COMMON):
        return _found(face, exact, "common", words)
    desk = face.desk_or_none()
    game = desk.system.verbs if desk else {}
    looks = desk.system.looks if desk else {}
    everything = {**COMMON, **game, **looks}
    verb = _exact(head, everything) or _begun(head, everything)
    if not verb:
        raise _of_games(face, head) or _unknown(head, everything, [*game, *looks] or [*COMMON])
    kind = "common" if verb in COMMON else "game" if verb in game else "look"
    return _found(face, verb, kind, words)


def _found(face: "Face", verb: str, kind: str, words: tuple[str, ...]) -> Found:
    rest = words[len(verb.split()) :]
    if kind == "common":
        return Found(verb, common_command(verb), kind, rest)
    system = face.whole().system
    return Found(verb, system.command(verb) if kind == "game" else system.look(verb), kind, rest)


def common_command(verb: str) -> type[Any]:
    """The command class of a common verb."""
    command: type[Any] = getattr(_module(verb), COMMON[verb].partition(":")[2])
    return command


def _module(verb: str) -> Any:
    return import_module(f"gmtool.cli.verbs.{COMMON[verb].partition(':')[0]}")


def _exact(head: list[str], verbs: Mapping[str, Any]) -> str:
    for n in (2, 1):
        if len(head) >= n and " ".join(head[:n]) in verbs:
            return " ".join(head[:n])
    return ""


def _begun(head: list[str], verbs: Mapping[str, Any]) -> str:
    """The one verb whose words begin as typed, or nothing; Refused where several do."""
    met = [verb for verb in verbs if _begins(head, verb.split())]
    firsts = {verb.split()[0] for verb in met}
    if len(met) < 2:
        return "".join(met)
    if len(firsts) == 1:
        raise Refused("usage", key="verb-unfinished", exit=2, facts={"value": " ".join(head), "verbs": met})
    raise Refused("ambiguous-name", key="ambiguous-verb", exit=2, facts={"value": head[0], "verbs": met})


def _of_games(face: "Face", head: list[str]) -> Refused | None:
    """The refusal of a game's verb where no campaign says which game is played; None for any other word."""
    if face.desk_or_none() is not None:
        return None
    found: dict[str, str] = {}
    for id in face.registry.found:
        system = face.registry.system(id)
        met = [verb for verb in (*system.verbs, *system.looks) if _begins(head, verb.split())]
        if met:
            found[id] = _exact(head, dict.fromkeys(met)) or met[0]
    if not found:
        return None
    try:
        face.whole()
    except Refused as refused:
        if refused.key == "no-campaign-chosen":
            return refused
    from gmtool.cli.verbs.about import game_name

    games = [game_name(face.lang, id) for id in found]
    facts = {"value": next(iter(found.values())), "games": games, "systems": [*found], "system": next(iter(found))}
    return Refused("no-campaign", key="verb-of-game", exit=4, facts=facts)


def _unknown(head: list[str], verbs: Mapping[str, Any], first: list[str]) -> Refused:
    """The refusal of a verb that there is not: with what begins like it, what comes close, else with ``first``."""
    from difflib import get_close_matches

    begun = [verb for verb in verbs if verb.split()[0].startswith(head[0])]
    if begun:
        facts = {"value": " ".join(head), "begun": begun[0].split()[0], "verbs": begun}
        return Refused("unknown-name", key="unknown-verb-begun", exit=2, facts=facts)
    firsts = {verb.split()[0] for verb in verbs}
    near = get_close_matches(head[0], firsts, n=3, cutoff=0.6)
    close = [verb for word in near for verb in verbs if verb.split()[0] == word]
    key = "unknown-verb" if close else "unknown-verb-far"
    return Refused("unknown-name", key=key, exit=2, facts={"value": head[0], "verbs": close or first})


def _begins(head: list[str], verb: list[str]) -> bool:
    if not all(head[: len(verb)]):
        return False  # an empty word begins everything and means nothing
    if len(verb) == 2 and len(head) >= 2:
        return verb[0].startswith(head[0]) and verb[1].startswith(head[1])
    return bool(head) and verb[0].startswith(head[0]) and (len(verb) == 1 or len(head) == 1)
