"""What is said with a line, as the referee takes it: who threw, why, rolls and options by the words that are shown.

Refusals (exit 2, code ``bad-value``) have the fact ``option``: those of names for ``--by``, of reasons for
``--because`` (``text.clean``).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gmtool.kernel.asks import AGAIN
from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.typed import is_face
from gmtool.kernel.words import begins
from gmtool.text.clean import name_limits, reason_limits

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

Pools = Sequence[tuple[str, str]]
"""The words for rolls, folded, each with the key of the roll."""


def speakers(face: "Face") -> dict[str, str]:
    """Who threw, by unit; under an empty one who threw for all others."""
    return {unit: _within(name_limits, name, "--by") for unit, name in face.options.by}


def reason(face: "Face") -> str | None:
    """Why the line is done, if it says so."""
    because = face.options.because
    return because if because is None else _within(reason_limits, because, "--because")


def _within(limits: Callable[[str], str], text: str, option: str) -> str:
    try:
        return limits(text)
    except Refused as refused:
        refused.facts["option"] = option
        raise


def option_and_faces(opened: Mapping[str, Any], words: Sequence[str]) -> tuple[str, str]:
    """What is typed for a choice, and the faces behind it where the dice were thrown along with it: ``evade 33 60``."""
    last = len(words)
    if opened["asks"][0]["kind"] != "dice":
        while last > 1 and is_face(words[last - 1]):
            last -= 1
    return " ".join(words[:last]), " ".join(words[last:])


def option_shown(face: "Face", desk: "Desk", opened: Mapping[str, Any], word: str) -> str | None:
    """The option of the open question that is shown by this very word, if one is."""
    from gmtool.referee.opened import asked_names
    from gmtool.render.words import Words

    ask = opened["asks"][0]
    if ask["kind"] == "dice" or not word:
        return None
    words = Words(face.words, asked_names(desk, opened["asks"]))
    met = [option for option in ask["options"] if fold(words.value(option)) == fold(word)]
    return met[0] if len(met) == 1 and word not in ask["options"] else None


def rolls_shown(face: "Face", dice: str) -> str:
    """Dice whose labels begin with the word by which a roll is shown, or its beginning, with the roll's own key."""
    dice = half_width(dice)
    desk = face.desk_at_hand() if ":" in dice else None
    if desk is None:
        return dice
    sentences = face.words.sentences.items()
    pools = [(fold(name), key[5:]) for key, name in sentences if key.startswith("pool.") and isinstance(name, str)]
    return "/".join(_with_key(group, pools, desk.system.rolls) for group in dice.split("/"))


def _with_key(group: str, pools: Pools, rolls: Sequence[str]) -> str:
    label, colon, faces = group.rpartition(":")
    words = label.split()
    for count in range(len(words), 0, -1):
        key = _key(fold(" ".join(words[:count])), pools, rolls)
        if key:
            return " ".join([key, *words[count:]]) + colon + faces
    return group


def _key(word: str, pools: Pools, rolls: Sequence[str]) -> str:
    """The roll that a word means: shown by it, or begun by it; a beginning of several means what they begin with."""
    whole = [key for name, key in pools if name == word]
    if whole:
        return whole[0]
    if any(begins(roll, word) for roll in (*rolls, AGAIN)):
        return ""
    shortest, *others = sorted((key for name, key in pools if begins(name, word)), key=len) or [""]
    return shortest if all(key.startswith(shortest) for key in others) else ""
