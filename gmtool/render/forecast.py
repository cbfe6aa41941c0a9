"""Forecasts in a line, before the dice; and how rare it was, after them."""

from collections.abc import Mapping, Sequence
from typing import Any

from gmtool.kernel.summary import Field, Rare
from gmtool.render.lines import PAGE, Room, Styled, flow, styled
from gmtool.render.odds import percent
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names

FEW = 3
"""So many values of a figure are told one by one, the last standing for all beyond."""
EXACT_BELOW = 10
CERTAIN = 1e-9
"""So close to 1 a chance is one: nothing lies beyond the least or the most there can be."""


def forecast(fields: Sequence[Field], catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """What may come of a ruling: field after field; what cannot be is left out, unless nothing can."""
    words = Words(catalogue, names)
    several = {field.word for field in fields if sum(other.word == field.word for other in fields) > 1}
    told = [_told(field, words, field.word in several) for field in fields if _possible(field.tally)]
    return _line(words.say("foretold.before"), [styled(each) for each in told or [words.say("foretold.nothing")]], room)


def rarity(rares: Sequence[Rare], catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """How rare an outcome was: the chance of so much or more, or of so little or less, whichever is smaller."""
    words = Words(catalogue, names)
    told = [styled(_rare(each, words, len(rares) > 1)) for each in rares]
    return _line(words.say("foretold.after"), told, room) if told else []


def _line(label: str, fields: list[Styled], room: Room) -> list[Styled]:
    """The fields behind the word for it; what does not fit goes on below, further in."""
    return flow([styled(label, "dim"), *fields], room, 2, 4, "  ")


def _possible(tally: Any) -> bool:
    """Whether there is anything of it: some chance of a yes, of a figure other than 0, of a word."""
    if not isinstance(tally, Mapping):
        return bool(tally)
    return "mean" not in tally or any(value != "0" and chance for value, chance in tally["chances"].items())


def _told(field: Field, words: Words, named: bool) -> str:
    """A figure in the game's sentence for it, with all that such a sentence may show, else in one of ours."""
    facts: dict[str, Any] = {"who": [{"id": id} for id in field.who]}
    if not isinstance(field.tally, Mapping):
        kind, facts["chance"] = "chance", percent(field.tally, words, 0)
    elif "mean" in field.tally:
        kind, facts = "mean", {**facts, **_figures(field.tally, words)}
    else:
        kind, facts["few"] = "few", _few([*field.tally["chances"].items()], words, "")
    facts["what"] = words.term("odds", field.word)
    text = words.first([f"forecast.{field.word}", f"foretold.{kind}"], facts)
    says_who = "{who}" in str(words.catalogue.sentences.get(f"forecast.{field.word}", ""))
    return _of(field.who, text, words) if named and not says_who else text


def _figures(tally: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Of a number: the chance of any, the mean, the most, and the chances of a few values."""
    chances = sorted((int(value), chance) for value, chance in tally["chances"].items())
    any_of_it = sum(chance for value, chance in chances if value)
    few = [(str(value), chance) for value, chance in chances]
    return {
        "chance": percent(any_of_it, words, 0),
        "mean": _number(tally["mean"]),
        "most": str(chances[-1][0]),
        "few": _few(few, words, "+"),
    }


def _few(chances: list[tuple[str, float]], words: Words, beyond: str) -> list[str]:
    """A few values with their chances; of a number the last one ends with ``beyond`` and has what lies beyond too."""
    if len(chances) == 1:
        return [chances[0][0]]
    shown = chances
    if beyond and len(chances) > FEW:
        value, rest = chances[FEW - 1][0], chances[FEW - 1 :]
        shown = [*chances[: FEW - 1], (f"{value}{beyond}", sum(chance for _, chance in rest))]
    told = [(value, percent(chance, words, 0)) for value, chance in shown]
    return [words.say("foretold.each", {"value": value, "chance": chance}) for value, chance in told]


def _number(mean: float) -> str:
    """A mean as people say it: whole, or with one decimal where that tells something."""
    digits = 1 if mean >= EXACT_BELOW else 10
    whole, tenth = divmod(int(mean * digits + 0.5 + CERTAIN), digits)
    return f"{whole}.{tenth}" if digits > 1 else str(whole)


def _rare(rare: Rare, words: Words, named: bool) -> str:
    """The sentence of one outcome."""
    more = rare.at_least <= rare.at_most
    chance = percent(rare.at_least if more else rare.at_most, words, 0)
    facts = {"what": words.term("odds", rare.word), "value": rare.value, "chance": chance}
    outermost = max(rare.at_least, rare.at_most) > 1 - CERTAIN
    text = words.say("foretold.just" if outermost else "foretold.more" if more else "foretold.less", facts)
    return _of(rare.who, text, words) if named else text


def _of(who: Sequence[str], text: str, words: Words) -> str:
    """The sentence with the thing it is about before it."""
    return words.say("mark.of", {"who": [{"id": id} for id in who], "what": text}) if who else text
