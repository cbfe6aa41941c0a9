"""The verb that lists whom each weapon group of a ship can fire at, with the chances of each weapon."""

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Cell, Column, Grid, Line, Name, Say, Style, View
from gmtool.kernel.words import Arg
from gmtool.systems.talon.aim import Aim, aim_of, can_strike, in_cone, why_not
from gmtool.systems.talon.bars import Bar, bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import parted
from gmtool.systems.talon.looks_board import placed
from gmtool.systems.talon.measured import weighs
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.sightlines import arc
from gmtool.systems.talon.targets import spot, there
from gmtool.systems.talon.views_board import bar as bar_cell
from gmtool.systems.talon.words_combat import GROUP, SHIP, SHOT

_COLUMNS = (
    Column("number", "right"), Column("weapon"), Column("bar"), Column("aim-target"), Column("aim-range", "right"),
    Column("aim-shield"), Column("aim-die", "right"), Column("aim-hit", "right"), Column("aim-damage", "right"),
)  # fmt: skip


class AimAt(NamedTuple):
    """Whom the weapon groups of a ship can fire at: all, one group, or the shots that ``fire`` would be told."""

    ship: Annotated[str, Arg(SHIP)]
    group: Annotated[str, Arg(GROUP)] = ""
    targets: Annotated[tuple[str, ...], Arg(SHOT, many=True)] = ()


class Chance(NamedTuple):
    """One weapon of a group at a target: range, shield arc, what the die loses, the chance to hit, mean damage.

    A launch has neither chance nor damage: both are None.
    """

    target: str
    range: int
    shield: str
    die: int
    hit: Fraction | None
    damage: Fraction | None


def chances(state: Board, book: Book, aim: Aim) -> list[Chance]:
    """Each target of a group that is in arc, range and sight (TL-8.2, 8.3); the bar is not looked at."""
    return [_chance(state, book, aim, target) for target in can_strike(state, book, book.reading, aim)]


def shots(state: Board, book: Book, aim: Aim, targets: tuple[str, ...]) -> list[Chance]:
    """The shots at the targets named, or all that the group has; Refused where one of them cannot be (TL-8.2, 8.3)."""
    named = [target.rpartition("=")[2] for target in targets]
    for target in named:
        bar = why_not(state, book, book.reading, aim, target)
        if bar is not None:
            raise Refused(bar.code, key=bar.key, rule=bar.rule, facts=bar.facts)
    return [_chance(state, book, aim, target) for target in named] or chances(state, book, aim)


def _chance(state: Board, book: Book, aim: Aim, target: str) -> Chance:
    row = there(state, parted(target)[0])
    assert row is not None
    start, goal = spot(aim.ship), spot(row)
    far = distance(start, goal)
    bare = not isinstance(row, Ship) or bool(row.fighters)
    shield = "" if bare else arc(book.reading, goal, row.facing or 0, start)
    table = aim.weapon.at(far)
    spared = aim.weapon.cone and target not in in_cone(state, book, book.reading, aim)
    if table is None or spared:
        return Chance(target, far, shield, 0, None, None)
    loses = sum(weighs(book.reading, state, start, row).values()) * book.figures.die_modifier
    does = [table[die - loses - 1] if die > loses else 0 for die in range(1, 7)]
    hits = sum([damage > 0 for damage in does])
    return Chance(target, far, shield, -loses, Fraction(hits, 6), Fraction(sum(does), 6))


def aim_at(state: Board, book: Book, command: AimAt) -> tuple[View, dict[str, Any]]:
    """A line for each target of each group that is not lost; nothing is decided here."""
    ship = placed(state, command.ship)
    rows: list[tuple[Cell, ...]] = []
    told: dict[str, Any] = {}
    for shown in bars(book.ship_class(ship.sheet), ship):
        aim = None if shown.lost else aim_of(state, book, command.ship, shown.key)
        if aim is None or command.group not in ("", shown.key):
            continue
        found = shots(state, book, aim, command.targets)
        rows += [_row(shown, each) for each in found] or [_bare(shown)]
        told[shown.key] = [_json(each) for each in found]
    head = Say("view.aim.head", {"unit": Name(command.ship)})
    if not rows:
        return View((Line(head, "head"), Line(Say("view.aim.none"), "dim"))), {"groups": told}
    return View((Grid(head, _COLUMNS, tuple(rows)),)), {"groups": told}


def _row(shown: Bar, each: Chance) -> tuple[Cell, ...]:
    hit = None if each.hit is None else Say("view.aim.percent", {"n": round(100 * each.hit)})
    damage = None if each.damage is None else f"{float(each.damage):.2f}"
    style: Style = "" if shown.full else "dim"
    shield = Say(f"view.arc.{each.shield}") if each.shield else None
    return (
        Cell(shown.key, style), Cell(Name(shown.group.weapon), style), bar_cell(shown), Cell(Name(each.target), style),
        Cell(each.range, style), Cell(shield, style), Cell(each.die, style), Cell(hit, style), Cell(damage, style),
    )  # fmt: skip


def _bare(shown: Bar) -> tuple[Cell, ...]:
    """A group with nothing to fire at."""
    nobody = Cell(Say("view.aim.none"), "dim", 6)
    return Cell(shown.key, "dim"), Cell(Name(shown.group.weapon), "dim"), bar_cell(shown), nobody


def _json(each: Chance) -> dict[str, Any]:
    """The same for scripts; chances in parts of 1."""
    return {
        "target": each.target, "range": each.range, "shield": each.shield or None, "die": each.die,
        "hit": None if each.hit is None else float(each.hit),
        "damage": None if each.damage is None else float(each.damage),
    }  # fmt: skip


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {AimAt: aim_at}
