"""Verbs that judge the latest ruling again: a die thrown once more, one word put in place of another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.bridge import parted
from gmtool.cli.reply import Reply
from gmtool.cli.verbs.play import done, request
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.words import WORD, Arg, Flag

if TYPE_CHECKING:
    from gmtool.cli.face import Face


class Reroll(NamedTuple):
    """A life takes a die of the open or latest ruling again."""

    who: Annotated[str, Arg(WORD)] = ""
    roll: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()
    raised: Annotated[bool, Flag("--raise")] = False


class Amend(NamedTuple):
    """The latest ruling again, with the same faces and something changed."""

    words: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()


def reroll_(face: "Face", command: Reroll) -> Reply:
    """Throw a die again; the rule spends the life."""
    from gmtool.referee.again import reroll

    value = "raise" if command.raised else "yes"
    asked = request(face, "reroll", {})
    return done(face, reroll(face.writable(), command.who, command.roll, value, asked))


def amend_(face: "Face", command: Amend) -> Reply:
    """Judge again with the words and options of the line in place of the ruling's own."""
    from gmtool.referee.again import amend, amendable

    options = face.options
    if not (command.words or options.dice or options.say or options.because or options.force):
        raise Refused("usage", key="missing-word", exit=2, facts={"argument": [Word("words")], "n": 1})
    desk = face.writable()
    with desk.campaign.writing():
        by_field, words = parted(amendable(desk), command.words)
        ruled = amend(desk, by_field, words, request(face, "amend", {}))
    return done(face, ruled)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Reroll: reroll_, Amend: amend_}
