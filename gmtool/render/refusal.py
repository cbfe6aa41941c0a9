"""What is not done and why, what is still asked for, what is due."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from gmtool.kernel.asks import first_key
from gmtool.render.lines import PAGE, Room, Styled, wrap
from gmtool.render.words import Words, clean
from gmtool.text.catalogue import Catalogue, Names

Entry = Mapping[str, Any]


def refusal(error: Entry, catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """The reason with its rule, then what would work: ``hint.<hint or key>``, and ``--force`` where it would do."""
    words = Words(catalogue, names)
    lines = wrap(message(error, words), room, 0, 2, "bad")
    for sentence in hints(error, words):
        lines += wrap(sentence, room, 0, 2)
    return lines


def message(error: Entry, words: Words) -> str:
    """The sentence of a refusal (``refusal.<key>``), with its rule."""
    key = _particular("refusal", error.get("key") or error["code"], error, words)
    facts = error.get("facts") or {}
    told = words.say(f"refusal.{key}", facts)
    if facts.get("line") == 0 and "file" in facts:
        # a line that is not known is not told
        told = told.replace(words.say("mark.place", facts), words.fact(facts["file"]))
    option = facts.get("option")
    if option and str(option) not in told:
        told = words.say("mark.option", {"option": option, "text": told})
    told = words.cited(told, error.get("rule"))
    if facts.get("roll") and facts.get("who"):
        told = words.say("mark.option", {"option": _rolled(facts, words), "text": told})
    return told


def _rolled(facts: Mapping[str, Any], words: Words) -> str:
    """The roll that a face was typed for, with whose it is and for which of his craft."""
    ask = {"key": str(facts["roll"]), "who": facts["who"]["id"], "exchange": facts.get("exchange")}
    pool, seat = _pool(ask, words)
    subject = words.subject(ask, words.roll(pool))
    return f"{subject} {words.term('seat', seat)}" if seat and not seat.isdecimal() else subject


def _particular(group: str, key: str, error: Entry, words: Words) -> str:
    """The sentence for the very problem (``disk-full``), where there is one of its own."""
    own = f"{key}-{(error.get('facts') or {}).get('problem')}"
    return own if words.catalogue.has(f"{group}.{own}") else key


def hints(error: Entry, words: Words) -> list[str]:
    """The ways out that the catalogue knows of."""
    key = _particular("hint", error.get("hint") or error.get("key") or error["code"], error, words)
    none_more = (error.get("facts") or {}).get("more") == 0
    keys = [*([] if none_more else [f"hint.{key}"]), *(["hint.force"] if error.get("forcible") else [])]
    facts = {name: _told_apart(fact, words) for name, fact in (error.get("facts") or {}).items()}
    return [words.say(key, facts) for key in keys if words.catalogue.has(key)]


def _told_apart(fact: Any, words: Words) -> Any:
    """A fact; in a list of things those whose names are alike have their ids behind them."""
    if not isinstance(fact, list):
        return fact
    ids = [item["id"] if isinstance(item, Mapping) and "id" in item else item for item in fact]
    told = [words.fact(item) for item in fact]
    alike = [isinstance(id, str) and told.count(name) > 1 and name != id for id, name in zip(ids, told, strict=True)]
    return [f"{told[n]} ({ids[n]})" if alike[n] else item for n, item in enumerate(fact)]


def asks(
    items: Sequence[Entry], catalogue: Catalogue, names: Names, room: Room = PAGE, *, typed: bool = True
) -> list[Styled]:
    """What a ruling waits for: who, which check, how many dice, which choices, and (``typed``) what to type.

    Rolls of one pool that follow each other are one line; ``target`` (a figure) is shown where an ask has it.
    """
    words = Words(catalogue, names)
    lines: list[Styled] = []
    for _, run in groupby(items, key=lambda ask: _kind(ask, words)):
        group = list(run)
        sentence, command = (_dice if group[0]["kind"] == "dice" else _choice)(group, words)
        lines += wrap(words.cited(sentence, group[0].get("rule")), room, 0, 2)
        lines += wrap(command, room, 2, 4, "dim") if typed else []
    return lines


def question(items: Sequence[Entry], catalogue: Catalogue, names: Names) -> str:
    """The first thing that a ruling waits for, in a few words: whose it is and which check."""
    words, ask = Words(catalogue, names), items[0]
    if ask["kind"] == "dice":
        return words.subject(ask, words.roll(_pool(ask, words)[0]))
    return words.subject(ask, words.declaration(ask))


def _kind(ask: Entry, words: Words) -> Any:
    """Asks with the same of these are rolled together."""
    if ask["kind"] != "dice":
        return ask["key"]
    return _pool(ask, words)[0], str(ask.get("who")), tuple(ask["dice"]), ask.get("target"), ask.get("rule")


def _pool(ask: Entry, words: Words) -> tuple[str, str]:
    """The pool of a roll and its seat: ``evade.gains-2.A`` -> ``evade``, ``A``; a last id is no seat."""
    first = first_key(ask["key"])
    again, parts = ask["key"].removesuffix(first), first.split(".")
    known = {ask.get("who"), *words.names}
    seat = parts.pop() if len(parts) > 1 and parts[-1] not in known else ""
    pool = words.pool(".".join(parts), ask.get("who"))
    if ask.get("exchange") and "." in pool:
        pool = f"{ask['exchange']}.{pool.rpartition('.')[2]}"
    return again + pool, seat


def _dice(group: Sequence[Entry], words: Words) -> tuple[str, str]:
    """The sentence for rolls, and an example of the option with a gap for each."""
    ask = group[0]
    pool = _pool(ask, words)[0]
    seats = [seat for each in group if not (seat := _pool(each, words)[1]).isdecimal()]
    target = f" {ask['target']}" if ask.get("target") is not None else ""
    facts = {
        "subject": words.subject(ask, words.roll(pool)) + target,
        "n": len(group),
        "dice": words.first([f"dice.{'-'.join(map(str, ask['dice']))}"]) or notation(ask["dice"]),
        "seats": [words.term("seat", seat) for seat in seats if seat],
    }
    key = "ask.seats" if facts["seats"] else "ask.dice"
    gap = "__" if len(ask["dice"]) == 2 and set(ask["dice"]) == {10} else " ".join("_" * len(ask["dice"]))
    command = f'answer --dice "{" ".join([gap] * len(group))}"'
    return words.say(key, facts), words.say("ask.type", {"command": command})


def _choice(group: Sequence[Entry], words: Words) -> tuple[str, str]:
    """The sentence for a declaration or judgement; options in words, below as they are typed."""
    ask = group[0]
    options = [str(option) for option in ask.get("options") or []]
    shown = words.say("mark.or").join(map(words.value, options))
    facts = {"subject": words.subject(ask, words.declaration(ask)), "options": shown}
    command = clean(f"answer --say {ask['key']}={'|'.join(options)}")
    return words.say(f"ask.{ask['kind']}", facts), words.say("ask.type", {"command": command})


def notation(dice: Sequence[int]) -> str:
    """Dice thrown together: ``2D10``, ``D6``, ``D6+D10``."""
    runs = [(sides, len(list(run))) for sides, run in groupby(dice)]
    return "+".join(f"{count if count > 1 else ''}D{sides}" for sides, count in runs)


def due(items: Sequence[Entry], catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """What waits to be settled: ``{what, who, rule, command}``, a line each under their number."""
    words = Words(catalogue, names)
    lines = wrap(words.say("dues.count", {"n": len(items)}), room, 0, 2, "warn") if items else []
    for item in items:
        subject = words.subject(item, words.term("due", item["what"]))
        facts = {"subject": subject, "rule": item.get("rule"), "command": item.get("command")}
        lines += wrap(words.say("dues.item", facts), room, 2, 4)
    return lines
