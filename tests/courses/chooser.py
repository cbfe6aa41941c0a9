"""What somebody at the table might type next: mostly what can be done now, sometimes what cannot or means nothing."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from gmtool.cli.lexer import join, split
from gmtool.cli.verbs import COMMON
from gmtool.kernel.by_hand import settable
from gmtool.kernel.journal import original
from gmtool.kernel.state import encode
from gmtool.kernel.words import TEXT, params
from gmtool.referee.desk import Desk
from gmtool.referee.opened import open_ruling
from tests.courses.drafts import NONSENSE, SMALL, Drafter

VERBS, DRAFTS = 6, 5
"""So many verbs are thought of before a line is typed that cannot be done, each with so many lines and one a word."""
CROWD = 24
"""With so many things on the board hardly any are added."""
SHOWN = (
    "status", "status --lang ja", "history", "history 3", "history --all", "why", "session list", "config", "systems",
    "rules list", "errors", "doctor", "campaign list", "campaign show", "undo --preview", "undo 3 --preview",
)  # fmt: skip
ROLLS = ("1d6", "2d10+3", "d99 <= 40", "3d6 # why", "1d", "0d6", "99999d99999", "4")


class Chooser:
    """Chooses line after line by chance alone, so that a seed is a course."""

    def __init__(self, desk: Desk, chance: random.Random) -> None:
        self.desk, self.chance = desk, chance
        self.drafter = Drafter(desk, chance)
        self.much = {verb: len(params(self.drafter.command(verb))) for verb in desk.system.verbs}
        self.liking = {verb: chance.choice((0.3, 1, 1, 3)) * (1 + much / 4) for verb, much in self.much.items()}
        self.typed: Counter[str] = Counter()
        self.foretold = ""
        self.adding = {verb for verb in desk.system.verbs if self._adds(verb)}
        self.ways: dict[Callable[[], str], int] = {
            self.ruled: 60, self.due: 8, self.back: 7, self.by_hand: 5, self.marked: 6, self.amended: 6,
            self.thrown_again: 4, self.looked: 6, self.odds: 5, self.nonsense: 4,
        }  # fmt: skip

    def _adds(self, verb: str) -> bool:
        return any(getattr(p.spec, "kind", None) is TEXT and p.required for p in params(self.drafter.command(verb)))

    def line(self) -> str:
        """The next line."""
        opened = open_ruling(self.desk)
        if opened is not None and self.chance.random() < 0.85:
            return self.answered(opened)
        if self.foretold:
            line, self.foretold = self.foretold, ""
            return line
        (way,) = self.chance.choices([*self.ways], [*self.ways.values()])
        line = self.adorned(way() or self.ruled())
        self.foretold = line.removeprefix("odds ") if line.startswith("odds ") and self.chance.random() < 0.8 else ""
        return line

    def adorned(self, line: str) -> str:
        """The line with a few of the options that every line takes."""
        chance = self.chance.random
        if line.startswith("note"):
            return line
        line += f" --lang {self.chance.choice(('en', 'ja', 'ko'))}" if chance() < 0.2 and "--lang" not in line else ""
        line += " --force" if chance() < 0.08 else ""
        line += f" --say {self._declared()}" if chance() < 0.04 and self.desk.system.declarations else ""
        line += f" --dice {join([self._faces()])}" if chance() < 0.06 and "--dice" not in line else ""
        line += " --by Ken" if chance() < 0.03 else ""
        return line + (" --because it is so" if chance() < 0.03 else "")

    def _declared(self) -> str:
        key, (_, words) = self.chance.choice([*self.desk.system.declarations.items()])
        return f"{key}={self.chance.choice(words)}"

    def _faces(self) -> str:
        """A few faces as somebody gives them before they are asked for, sometimes with the name of a roll."""
        rolls = self.desk.system.rolls
        named = f"{self.chance.choice(rolls)}: " if rolls and self.chance.random() < 0.5 else ""
        sides = self.chance.choice(([10, 10], [10, 10], [6], [6, 6, 6]))
        return named + " ".join(self._face(sides) for _ in range(self.chance.randint(1, 8)))

    def ruled(self) -> str:
        """A verb of the game: one that can be done, if some thinking finds one."""
        draft = None
        for verb in self._thought_of():
            for _ in range(DRAFTS + self.much[verb]):
                draft = self.drafter.draft(verb)
                if self.chance.random() < 0.03:
                    return draft.line
                if self.drafter.fate(draft) != "refused":
                    self.typed[verb] += 1
                    return draft.line
        assert draft is not None
        return draft.line

    def _thought_of(self) -> list[str]:
        crowd = len(self.drafter.things()) > CROWD
        weights = [
            like * (0.05 if crowd and verb in self.adding else 1) / (1 + self.typed[verb])
            for verb, like in self.liking.items()
        ]
        return self.chance.choices([*self.liking], weights, k=VERBS)

    def due(self) -> str:
        """The line that settles what is due."""
        dues = [row.command for row in self.desk.state.table("due").values()]
        return self.chance.choice(dues) if dues else ""

    def back(self) -> str:
        """Steps taken back or done again."""
        word = self.chance.choice(("undo", "undo", "redo", "redo", "redo"))
        return f"{word} {self.chance.choice((1, 1, 1, 1, 1, 2, 3, 4, 30))}"

    def by_hand(self) -> str:
        """A figure set by its path."""
        state = self.desk.state
        tables = [name for name in settable(state) if state.table(name)]
        if not tables:
            return ""
        table = self.chance.choice(tables)
        if table == "due":
            return f"set due.{self.chance.choice([*state.table(table)])} done"
        rows = {id: encode(row) for id, row in state.table(table).items()}
        id, row = self.chance.choice([*rows.items()])
        key = self.chance.choice([*row])
        value, path = row[key], f"{table}.{id}.{key}"
        if isinstance(value, dict) and value:
            inner = self.chance.choice([*value])
            return join(["set", f"{path}.{inner}", self._value(value[inner], [])])
        return join(["set", path, self._value(value, [other.get(key) for other in rows.values()])])

    def _value(self, before: Any, others: list[Any]) -> str:
        if isinstance(before, bool):
            return self.chance.choice(("yes", "no"))
        if isinstance(before, int):
            return str(self.chance.choice((*SMALL, before + 1, before - 1, -1)))
        words = [word for word in others if isinstance(word, str)]
        return self.chance.choice([*words, *words, "-", *self.drafter.things()[:4], *NONSENSE])

    def marked(self) -> str:
        """What is written down without being a step."""
        (way,) = self.chance.choices(("note", "roll", "config", "start", "end"), (3, 3, 6, 3, 2))
        if way == "note":
            return f"note {self.drafter.name()} it's said"
        if way == "roll":
            return f"roll {self.chance.choice(ROLLS)}"
        if way == "config":
            return f"config {' '.join(self.chance.choice(self._settings()))}"
        named = [self.drafter.name()][: self.chance.randrange(2)]
        return "session end" if way == "end" else join(["session", "start", *named])

    def _settings(self) -> list[tuple[str, str]]:
        system = self.desk.system
        found = [("dice-mode", "auto"), ("dice-mode", "ask"), ("lang", "ja"), ("lang", "ko")] * 2
        declared = system.declarations.items()
        found += [(f"declare.{key}", word) for key, (_, words) in declared for word in (*words, "ask")]
        found += [(key, word) for key, (_, words) in system.settings.items() for word in words]
        readings = self.desk.data.get("interpretations", {})
        found += [(f"choice.{id}", word) for id, row in readings.items() for word in row["options"]]
        return found

    def latest(self) -> dict[str, Any] | None:
        """The latest ruling that stands."""
        line = next(self.desk.campaign.undoable(), None)
        return self.desk.campaign.find(original(line)) if line else None

    def amended(self) -> str:
        """The latest ruling with a word or an option put in place of its own, or a die."""
        ruled = self.latest()
        if ruled is None or ruled["command"]["verb"] not in self.desk.system.verbs:
            return join(["amend", str(self.chance.choice(SMALL))]) if ruled else ""
        if self.chance.random() < 0.15 and self.desk.system.declarations:
            return f"amend --say {self._declared()}"
        dice = [die for die in ruled["answers"] if die["class"]]
        if dice and self.chance.random() < 0.4:
            die = self.chance.choice(dice)
            return join(["amend", "--dice", f"{die['key']}: {self._face([10] * len(die['faces']))}"])
        verb = ruled["command"]["verb"]
        words = split(self.drafter.draft(verb).line)[len(verb.split()) :]
        if not words:
            return ""
        at = self.chance.randrange(len(words))
        return join(["amend", *words[at : at + 1 + words[at].startswith("--")]])

    def thrown_again(self) -> str:
        """A die of the latest ruling that a life may throw again."""
        ruled = self.latest()
        thrown = [
            (entry["who"]["id"], die["key"])
            for entry in (ruled or {}).get("trace", ())
            if entry["t"] == "dice" and entry.get("again")
            for die in entry["dice"]
        ]
        if not thrown:
            return ""
        who, key = self.chance.choice(thrown)
        return join(["reroll", who, key]) + self.chance.choice(("", "", " --raise", " --dice 50"))

    def looked(self) -> str:
        """A line that only shows."""
        chance, system = self.chance, self.desk.system
        look = chance.choice((*SHOWN, "thing", "line", "rule", "help", *system.looks, *system.looks))
        if look == "thing":
            return join(["status", chance.choice([*self.drafter.things(), "ghost"])])
        if look == "line":
            return f"why {chance.randint(1, self.desk.campaign.head.seq + 1)}"
        if look == "help":
            return f"help {chance.choice([*COMMON, *system.verbs, *system.looks])}"
        if look == "rule":
            ruled = self.latest()
            return f"rules show {chance.choice((ruled or {}).get('rules') or ['RT-1.1'])}"
        return self.drafter.draft(look).line if look in system.looks else look

    def odds(self) -> str:
        """The odds of a line, of one with dice where there is one."""
        return f"odds {self.ruled()}"

    def nonsense(self) -> str:
        """A line with a word that means nothing, or all of it."""
        if self.chance.random() < 0.1:
            return join([self.chance.choice(NONSENSE), self.chance.choice(NONSENSE)])
        return self.drafter.broken(self.chance.choice((self.ruled, self.by_hand, self.marked))() or "status")

    def answered(self, opened: dict[str, Any]) -> str:
        """An answer to the open ruling: good ones, the tool's dice, wrong ones, or the ruling dropped."""
        ask = opened["asks"][0]
        way = self.chance.random()
        if way < 0.08:
            return "answer --drop"
        if way < 0.13:
            return join(["answer", self.chance.choice(NONSENSE)])
        if way < 0.16:
            return self.thrown_again() or "answer"
        if ask["kind"] != "dice":
            word = self.chance.choice(ask["options"] or ["no"])
            return join(["answer", word] if way < 0.7 else ["answer", "--say", f"{ask['key']}={word}"])
        if way < 0.5:
            return "answer --roll"
        asks = opened["asks"][: self.chance.randint(1, len(opened["asks"]))]
        faces = [self._face(each["dice"]) for each in asks if each["kind"] == "dice"]
        return join(["answer", "--dice", " ".join(faces)])

    def _face(self, sides: list[int]) -> str:
        """Faces as they are typed: one number, or the digits of a percentile die together."""
        if sides == [10, 10]:
            return f"{self.chance.choice(('', '', '='))}{self.chance.randrange(100):02}"
        return " ".join(str(self.chance.randint(1, n)) for n in sides)
