"""Facts and keys turned into the words of one language, with the names of one line of the journal."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gmtool.kernel.asks import first_key
from gmtool.kernel.view import Name, Say, Word
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.clean import printable

_STOPS = (".", "。")


class Words(NamedTuple):
    """A catalogue together with the names that ids are shown by."""

    catalogue: Catalogue
    names: Names

    def say(self, key: str, facts: Mapping[str, Any] | None = None) -> str:
        """The sentence of a key."""
        return self.catalogue.say(key, facts, self.names)

    def said(self, say: Say) -> str:
        """The sentence a view asks for, with the sentences that stand within it."""
        facts = {key: self._told(fact) for key, fact in say.facts.items()}
        return self.say(say.key, facts)

    def _told(self, fact: Any) -> Any:
        """A fact with the sentences in it said."""
        if isinstance(fact, Say):
            return self.said(fact)
        return [self._told(item) for item in fact] if isinstance(fact, list) else fact

    def first(self, keys: Iterable[str], facts: Mapping[str, Any] | None = None) -> str:
        """The sentence of the first of these keys that exists, or nothing."""
        return next((self.say(key, facts) for key in keys if self.catalogue.has(key)), "")

    def term(self, group: str, key: str) -> str:
        """The word for ``key`` in a group (``figure``, ``part``, ``seat`` …), else its name or the key itself.

        A key of several parts without a word of its own has those of its parts: ``counter.attack``. What answers the
        like of itself is told once: a counter within a counter.
        """
        first, dot, rest = key.partition(".")
        while dot and first == rest.partition(".")[0]:
            first, dot, rest = rest.partition(".")
            key = f"{first}{dot}{rest}"
        whole = self.first([f"{group}.{key}"])
        if whole or not dot:
            return whole or self.value(key)
        return self.say("mark.of", {"who": self.term(group, first), "what": self.term(group, rest)})

    def part(self, part: Mapping[str, Any]) -> str:
        """The word for a part of a figure, or the name of the thing that it is."""
        return self.fact(part["name"]) if "name" in part else self.term("part", part["key"])

    def value(self, value: Any) -> str:
        """A value said, chosen or stored: text that is an id or a term is shown as such, the rest as a fact."""
        if isinstance(value, str) and not isinstance(value, Name | Word):
            return self.fact({"id": value} if value in self.names else {"word": value})
        return self.fact(value)

    def fact(self, fact: Any) -> str:
        """A fact as a sentence would show it."""
        return self.catalogue.fact(fact, self.names)

    def name(self, id: str) -> str:
        """The name of an id, the id itself if it has none."""
        return self.fact({"id": id})

    def who(self, entry: Mapping[str, Any]) -> str:
        """Whose this is, or nothing."""
        who = entry.get("who")
        if not who or who == {"id": ""}:
            return ""
        return self.fact(who) if isinstance(who, Mapping) else self.value(who)

    def subject(self, entry: Mapping[str, Any], what: str) -> str:
        """A thing with whose it is: ``Kestrel, attack``."""
        who = self.who(entry)
        return self.say("mark.of", {"who": who, "what": what}) if who else what

    def pool(self, key: str, who: Any = None) -> str:
        """The key of a pool without units and numbers: ``evade.gains-2`` -> ``evade``, ``death.ken.3`` -> ``death``."""
        ids = {who.get("id") if isinstance(who, Mapping) else who, *self.names}
        inner = {name.partition("/")[2] for name in self.names}
        first, *rest = [part for part in key.split(".") if part not in ids and not part.isdecimal()] or [""]
        return ".".join([first, *(part for part in rest if part not in inner)])

    def roll(self, pool: str) -> str:
        """The word for a pool; one that is thrown again is told as such."""
        first = first_key(pool)
        word = self.term("pool", first)
        return word if first == pool else self.say("mark.again", {"text": word})

    def declared(self, entry: Mapping[str, Any]) -> str:
        """Which declaration a key is of: the last part that has a word, ``counter.gains.once`` -> ``once``."""
        parts = self.pool(entry["key"], entry.get("who")).split(".")
        return next((part for part in reversed(parts) if self.catalogue.has(f"declare.{part}")), parts[0])

    def declaration(self, ask: Mapping[str, Any]) -> str:
        """What is asked for, in the exchange it belongs to: ``counter, one roll``."""
        kind, whole = self.declared(ask), self.pool(ask["key"], ask.get("who"))
        before = whole.partition(f"{kind}")[0].rstrip(".")
        before = ask.get("exchange") or before if before else ""
        said = self.term("declare", kind)
        return self.say("mark.of", {"who": self.term("pool", before), "what": said}) if before else said

    def outcome(self, pool: str, result: str) -> str:
        """What a throw came to, in the words of its pool (``class.<pool>.<class>``) if it has any, else of all."""
        kinds = [pool, *reversed(pool.split("."))]
        return self.first(f"class.{kind}.{result}" for kind in kinds) or self.term("class", result)

    def cited(self, sentence: str, rule: str | None) -> str:
        """A sentence with its rule in brackets before the full stop, unless it names it by itself."""
        if not rule or rule in sentence:
            return sentence
        stop = sentence[-1:] if sentence.endswith(_STOPS) else ""
        return self.say("mark.rule", {"text": sentence.removesuffix(stop), "rule": rule}) + stop


def signed(number: int, first: bool = False) -> str:
    """A part of a figure: ``+30``, ``-10``; the first part without its plus."""
    return str(number) if first else f"{number:+d}"


def clean(text: Any) -> str:
    """Text of the journal as it was typed, with nothing in it that could move the cursor."""
    return printable(str(text or ""))
