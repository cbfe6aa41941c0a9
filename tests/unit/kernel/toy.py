"""A game of a few lines for the kernel's tests: two fighters, a coin-like law, one attack that may go on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gmtool.kernel.asks import Answers, Names
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.common import KINDS
from gmtool.kernel.fold import numeral
from gmtool.kernel.laws import Throw
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.state import Map, Rows, State, replace
from gmtool.kernel.system import Chapter, System
from gmtool.kernel.typed import read_dice

CHAPTER = Chapter("toy", needs=(COMMON,))


@dataclass(frozen=True, slots=True)
class Fighter:
    name: str
    hp: int
    parts: Map[int] = Map()
    tags: tuple[str, ...] = ()
    friend: str | None = None
    tired: bool = False


class Ring(State):
    kinds = {**KINDS, "fighters": Fighter}


class Over(NamedTuple):
    """A die of ten: 9 is ``great``, ``target`` or more is ``good``, the rest ``bad``; 0 counts 0."""

    target: int

    @property
    def dice(self) -> tuple[int, ...]:
        return (10,)

    @property
    def lowest(self) -> int:
        return 0

    def told(self) -> Mapping[str, Any] | None:
        return {"key": "over", "facts": {"target": self.target}, "rules": ["T-0"]}

    def all(self) -> Iterator[Throw]:
        return (self.throw((face,)) for face in range(10))

    def parse(self, token: str) -> Throw:
        face = numeral(token.removeprefix("="))
        if not 0 <= face <= 9:
            raise Refused("bad-dice", key="face-impossible", exit=2, facts={"value": token, "sides": 10})
        return self.throw((face,), token.startswith("="))

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        face = faces[0]
        return Throw(faces, face, "great" if face == 9 else "good" if face >= self.target else "bad", fixed)


class Under(NamedTuple):
    """Equal to ``Over`` as a tuple, and its contrary as a law."""

    target: int
    dice = Over.dice
    lowest = Over.lowest
    told = Over.told
    all = Over.all
    parse = Over.parse

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        return Throw(faces, faces[0], "good" if faces[0] < self.target else "bad", fixed)


class Strike(NamedTuple):
    who: str
    whom: str
    dice: int = 2
    once: str = ""


class Wound(NamedTuple):
    whom: str
    n: int


class Heal(NamedTuple):
    whom: str
    n: int


class Hurt(NamedTuple):
    whom: Id
    before: int
    after: int


class Anything(NamedTuple):
    """An event with fields of every kind."""

    one: Id
    many: tuple[Id, ...] | None
    none: Id | None
    word: Word
    text: str
    flag: bool


def hits(counts: Any) -> tuple[int, int]:
    """(great, good)."""
    return counts[0].get("great", 0), counts[0].get("good", 0)


def through(counts: Any) -> int:
    """What is not parried: one hit for each bad parry, two where it answers a great one."""
    return 2 * counts[0].get("bad", 0) + int(counts[1].get("bad", 0))


AnyCase = Case[Ring, Any]


@CHAPTER.rule(Strike)
def strike(case: AnyCase, command: Strike) -> None:
    """Strikes, each parried on its own; what comes through wounds."""
    if case.state.table("fighters")[command.whom].hp == 0:
        case.forbid("down", "T-1", unit=Id(command.whom))
    seats = tuple("ABCDEFGH"[: command.dice])
    stance = case.ask(f"stance.{command.whom}", command.whom, ("high", "low"), "high", rule="T-2")
    great, good = case.pool("strike", command.who, [Group(command.dice, Over(5), seats)], hits, rule="T-3")
    case.result(damage=0)
    if not great + good:
        return
    law = Over(4 if stance == "low" else 7)
    groups = [Group(great, law, answers=("strike", "great")), Group(good, law, answers=("strike", "good"))]
    left = case.pool(f"parry.{command.whom}", command.whom, groups, through, rule="T-4")
    case.result(damage=left)
    if left:
        case.follow(Wound(command.whom, left))


@CHAPTER.rule(Wound)
def wound(case: AnyCase, command: Wound) -> None:
    """One point each, a little more by a roll of two small dice."""
    extra = case.roll("extra", command.whom, (4, 6), rule="T-5")
    before = case.state.table("fighters")[command.whom].hp
    case.emit(Hurt(Id(command.whom), before, max(0, before - command.n - extra)), "T-5")
    case.result(down=case.state.table("fighters")[command.whom].hp == 0)


@CHAPTER.rule(Heal)
def heal(case: AnyCase, command: Heal) -> None:
    """As many points back."""
    before = case.state.table("fighters")[command.whom].hp
    case.emit(Hurt(Id(command.whom), before, before + command.n), "T-6")


@CHAPTER.effect(Hurt)
def hurt(state: Ring, event: Hurt) -> Rows:
    """The fighter's points."""
    return {("fighters", event.whom): replace(state.table("fighters")[event.whom], hp=event.after)}


def game() -> System:
    """The toy as a system; rules can be added to it without touching the others'."""
    system = System("toy", "tests.unit.kernel", Ring, {}, book=lambda state, data: None, name=lambda *_: None, looks={})
    system.include(CHAPTER)
    return system


def ring(**hp: int) -> Ring:
    """A state with these fighters."""
    fighters = {id: {"name": id.title(), "hp": points} for id, points in hp.items()}
    return Ring({"fighters": fighters})


def ruled(command: Any, dice: str = "", state: Ring | None = None, **more: Any) -> Ruling:
    """A command judged on a ring with ``ann`` and ``bob``, 9 points each."""
    loose, named = read_dice(dice)
    settings = more.pop("settings", Settings())
    names = Names(more.pop("names", lambda id: ()))
    answers = Answers(loose, named, **more)
    return judge(game(), state or ring(ann=9, bob=9), None, command, answers, settings, names)
