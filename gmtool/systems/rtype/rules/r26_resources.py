"""Chapter 26 and what 12 says of paying: the resources of a side, given by the GM, spent on repairs."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import LIMIT, half_width, numeral
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Kind, Scope, read_word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import RESOURCES, Board, Unit
from gmtool.systems.rtype.words import RESOURCE, SIDE

CHAPTER = Chapter("26")
AnyCase = Case[Board, Book]
GONE = ("wrecked", "lost")


def _amount(word: str, scope: Scope) -> str:
    """``sol=20``, ``sol=+20``, ``sol=-20``: the kind in full and the figure as it was typed."""
    name, _, figure = half_width(word).partition("=")
    if not figure:
        raise Refused("bad-value", key="resource-amount", exit=2, facts={"value": word})
    numeral(figure)
    return f"{read_word(RESOURCE, name, scope)}={figure.strip()}"


def _payment(word: str, scope: Scope) -> str:
    """``sol=20``, or a kind alone: all of what is to be paid."""
    name, equals, figure = half_width(word).partition("=")
    kind = read_word(RESOURCE, name, scope)
    return f"{kind}={numeral(figure, 0)}" if equals else str(kind)


AMOUNT = Kind("amount", _amount)
PAYMENT = Kind("payment", _payment)


class Resources(NamedTuple):
    """The GM gives a side resources, or takes some: ``sol=20`` sets, ``sol=+20`` and ``sol=-20`` change (RT-26.1)."""

    side: Annotated[str, Arg(SIDE)]
    amounts: Annotated[tuple[str, ...], Arg(AMOUNT, many=True)]


class ResourcesSet(NamedTuple):
    """A side's store of one kind has been changed by hand."""

    side: Id
    resource: Word
    before: int
    after: int


class Paid(NamedTuple):
    """A side has paid out of its store."""

    side: Id
    resource: Word
    amount: int
    before: int
    after: int


class HeldPaid(NamedTuple):
    """What a unit has hauled has paid for its side."""

    unit: Id
    resource: Word
    amount: int
    before: int
    after: int


class Unloaded(NamedTuple):
    """What a unit has hauled is in its side's store now."""

    unit: Id
    side: Id
    resource: Word
    amount: int


@CHAPTER.rule(Resources)
def resources(case: AnyCase, command: Resources) -> None:
    """Each kind named is set or changed; a store never falls below 0 (RT-26.1)."""
    for entry in command.amounts:
        resource, _, figure = entry.partition("=")
        before = case.state.sides[command.side].resources.get(resource, 0)
        after = before + numeral(figure) if figure[0] in "+-" else numeral(figure)
        if after < 0:
            _too_little(case, command.side, resource, before, before - after, "RT-26.1")
            case.warn("resources-short", "RT-26.1", side=Id(command.side), resource=Word(resource), short=-after)
        if after > LIMIT:
            path = f"sides.{command.side}.resources.{resource}"
            raise case.refuse("bad-value", "RT-26.1", key="set-range", value=after, low=0, high=LIMIT, path=path)
        case.emit(ResourcesSet(Id(command.side), Word(resource), before, max(0, after)), "RT-26.1")


def _too_little(case: AnyCase, side: str, resource: str, left: int, need: int, rule: str) -> None:
    """Refuse what is more than there is, unless it is forced."""
    paid = Word(resource)
    case.forbid("no-resources", rule, key="too-little", side=Id(side), resource=paid, left=left, need=need)


def cost_of(case: AnyCase, id: str) -> int:
    """What one repair of a unit costs: a tenth of its development cost, rounded down (RT-12.2, 12.15)."""
    return case.book.sheet(case.state.units[id].sheet).cost // case.book.figures.repair_divisor


def stock(state: Board, side: str) -> dict[str, int]:
    """What a side can pay with, of each kind: its store and what its units hold (RT-12.9, 26.1)."""
    store = state.sides[side].resources
    held = [unit.hold for _, unit in holders(state, side)]
    return {kind: store.get(kind, 0) + sum(hold.get(kind, 0) for hold in held) for kind in RESOURCES}


def holders(state: Board, side: str) -> Iterator[tuple[str, Unit]]:
    """The units of a side that hold something, as the board lists them; what a wreck held is gone."""
    return ((id, unit) for id, unit in state.of_side(side) if unit.hold and unit.state not in GONE)


def can_pay(case: AnyCase, side: str, cost: int) -> bool:
    """Whether one kind suffices for the whole sum (RT-12.17)."""
    return not cost or bool(_enough(case, side, cost))


def _enough(case: AnyCase, side: str, cost: int) -> dict[str, int]:
    """The kinds that suffice, with how much there is: any kind, or the one that this table pays with (RT-12.17)."""
    paying = case.choice("rt-12.17")
    have = stock(case.state, side)
    return {kind: n for kind, n in have.items() if n >= cost and paying in ("any", kind)}


def pay(case: AnyCase, side: str, cost: int, key: str, given: Sequence[str] = (), rule: str = "RT-12.2") -> None:
    """The side pays, in one kind of its choice (RT-12.17); refused if it cannot, and by force nothing is paid.

    ``rule`` is what it pays for: a repair, decontamination, a purchase.
    """
    if not cost:
        return
    parts = _typed(case, side, cost, given, rule) if given else _chosen(case, side, cost, key, rule)
    for kind, amount in parts.items():
        _take(case, side, kind, amount, rule)


def _chosen(case: AnyCase, side: str, cost: int, key: str, rule: str) -> dict[str, int]:
    """The kind that was said for the ask, else the one of which the side has most."""
    enough = _enough(case, side, cost)
    if not enough:
        sol, eth, byd = (stock(case.state, side)[kind] for kind in RESOURCES)
        case.forbid("no-resources", rule, side=Id(side), cost=cost, solmonadium=sol, etherium=eth, bydogen=byd)
        return {}
    most = max(enough, key=lambda kind: enough[kind])
    quiet = len(enough) == 1
    return {case.ask(key, side, tuple(enough), most, rule="RT-12.17", quiet=quiet): cost}


def _typed(case: AnyCase, side: str, cost: int, given: Sequence[str], rule: str) -> dict[str, int]:
    """What the line says: one kind, in full, of the kind this table pays with, and there; each can be forced."""
    pairs = [entry.partition("=") for entry in given]
    parts = {kind: int(figure) if figure else cost for kind, _, figure in pairs}
    paying = case.choice("rt-12.17")
    if len(pairs) > 1:
        case.forbid("no-resources", "RT-12.17", key="pay-one-kind", cost=cost)
    elif paying not in ("any", *parts):
        case.forbid("no-resources", "RT-12.17", key="pay-other-kind", resource=Word(paying), cost=cost)
    if sum(parts.values()) != cost:
        case.forbid("no-resources", rule, key="pay-sum", cost=cost, total=sum(parts.values()))
    have = stock(case.state, side)
    for kind, amount in parts.items():
        if have[kind] < amount:
            _too_little(case, side, kind, have[kind], amount, rule)
            return {}
    return parts


def _take(case: AnyCase, side: str, kind: str, amount: int, rule: str) -> None:
    """So much of a kind: from the side's store first, then from what its units hold (RT-12.9)."""
    before = case.state.sides[side].resources.get(kind, 0)
    part = min(before, amount)
    if part:
        case.emit(Paid(Id(side), Word(kind), part, before, before - part), rule)
    for id, unit in [*holders(case.state, side)]:
        amount, before = amount - part, unit.hold.get(kind, 0)
        part = min(before, amount)
        if part:
            case.emit(HeldPaid(Id(id), Word(kind), part, before, before - part), "RT-12.9")


def unload(case: AnyCase, id: str) -> None:
    """What a unit holds goes to its side's store, free (RT-12.9)."""
    unit = case.state.units[id]
    for kind in RESOURCES:
        if amount := unit.hold.get(kind, 0):
            case.emit(Unloaded(Id(id), Id(unit.side), Word(kind), amount), "RT-12.9")


@CHAPTER.effect(ResourcesSet)
@CHAPTER.effect(Paid)
def store_changed(state: Board, event: ResourcesSet | Paid) -> Rows:
    """The side's store of that kind."""
    side = state.sides[event.side]
    return {("sides", event.side): replace(side, resources=side.resources.put(str(event.resource), event.after))}


@CHAPTER.effect(HeldPaid)
def hold_changed(state: Board, event: HeldPaid) -> Rows:
    """What the unit holds of that kind."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hold=unit.hold.put(str(event.resource), event.after))}


@CHAPTER.effect(Unloaded)
def unloaded(state: Board, event: Unloaded) -> Rows:
    """The unit's hold of that kind is empty, the side's store has it."""
    unit, side, kind = state.units[event.unit], state.sides[event.side], str(event.resource)
    store = side.resources.put(kind, side.resources.get(kind, 0) + event.amount)
    return {
        ("units", event.unit): replace(unit, hold=unit.hold.put(kind, 0)),
        ("sides", event.side): replace(side, resources=store),
    }
