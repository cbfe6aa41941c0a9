"""A second, plain R-TYPE fight to hold against gmtool's: written from the rulebook alone.

``board`` holds what there is, ``d99`` the check, ``odds`` the chances. Nothing of gmtool is imported, and nothing is
clever: a fight is a few dataclasses, a command is a function that changes them or raises ``Refused`` or
``Misunderstood``. Who calls works on a copy (:func:`attempt`), so that a refused command has changed nothing. Every
function names the rule it follows. What shots do stands in ``exchange``, ``people`` and ``damage``.
"""

import copy
from collections.abc import Callable

from tests.oracle.board import RC, Fight, Misunderstood, Refused, Sheet, Table, Unit


def check(target: int, temperament: str, mode: str, table: Table) -> None:
    """RT-20, 21: a check outside any other ruling."""
    klass = table.d99("check", target, temperament, mode)
    table.result = {"success": klass in ("critical", "success")}


# ---- set-up ------------------------------------------------------------------------------------------------------


def add_unit(fight: Fight, id: str, sheet: Sheet, side: str, pilot: str | None) -> None:
    """RT-27.1, 24.9: only an RC squad has A to D; forces and ships are single craft; parts have their own points."""
    craft = ("lead", *RC) if sheet.squad == "rc" else ("lead",)
    hp = dict.fromkeys(craft, sheet.hp) | sheet.parts
    ammo = {w.id: w.ammo for w in sheet.weapons if w.ammo is not None}
    fight.units[id] = Unit(id, sheet, side, pilot, hp, sheet.fuel, ammo)
    if pilot:
        fight.pilots[pilot].where = id


def attach(fight: Fight, craft: str, force: str) -> None:
    """RT-4.3, 4.11: the force sits on the craft, which leads it."""
    fight.units[craft].attached, fight.units[force].attached = force, craft
    fight.units[force].led_by = craft


def battle_start(fight: Fight) -> None:
    """RT-2.1: turn 1, initiative first."""
    if fight.phase not in ("setup", "over"):
        raise Refused("a battle is on")
    fight.phase, fight.turn = "initiative", 1


def battle_end(fight: Fight) -> None:
    """RT-13.9: the GM ends it, whenever."""
    if fight.phase in ("setup", "over"):
        raise Refused("no battle")
    fight.phase, fight.acting = "over", None


# ---- 2: turn and initiative --------------------------------------------------------------------------------------


def initiative(fight: Fight, table: Table) -> None:
    """RT-2.2 to 2.4: 2D6 a side; a tie is the players', or is rolled again where one side's players don't stand alone.

    Players roll first, then the others, each as they were made.
    """
    if fight.phase != "initiative" or fight.winner is not None:
        raise Refused("not the time for the initiative")
    sides = sorted(fight.sides, key=lambda side: not fight.sides[side])
    again = 0
    while fight.winner is None:
        again += 1
        keys = {side: f"initiative.{side}" + ("" if again == 1 else f".again{again}") for side in sides}
        totals = {side: table.die(f"{key}.1", 6) + table.die(f"{key}.2", 6) for side, key in keys.items()}
        one, other = sides
        if totals[one] != totals[other]:
            fight.winner = one if totals[one] > totals[other] else other
        elif fight.sides[one] != fight.sides[other]:
            fight.winner = one if fight.sides[one] else other
    table.result = {"winner": fight.winner}


def first(fight: Fight, side: str) -> None:
    """RT-2.2: which side goes first, as the winner chose."""
    if fight.phase != "initiative" or fight.winner is None:
        raise Refused("nobody has won the initiative")
    other = next(s for s in fight.sides if s != side)
    fight.order = [side, other]
    fight.phase = "first"
    begin_phase(fight, side)


def begin_phase(fight: Fight, side: str) -> None:
    """RT-13.9: acted is cleared as the side's own phase begins; so is the move; RT-21.5: and the bar to counter."""
    fight.acting, fight.current = side, None
    for unit in fight.units.values():
        if unit.side == side:
            unit.acted, unit.moved, unit.no_counter, unit.stopped = False, 0, False, False


def end_phase(fight: Fight) -> None:
    """RT-13.2, 13.3, 13.6, 13.8: a charge stage each, without limit, then the other side, then a new turn."""
    if fight.phase not in ("first", "second"):
        raise Refused("no phase to end")
    for unit in fight.units.values():
        if unit.side == fight.acting and unit.state != "wrecked":  # RT-10.9: off the board
            unit.charge += 1
    if fight.phase == "first":
        fight.phase = "second"
        begin_phase(fight, fight.order[1])
    else:
        fight.phase, fight.acting, fight.winner, fight.order = "initiative", None, None, []
        fight.turn += 1


# ---- 2.5, 3: what a unit may do ----------------------------------------------------------------------------------


def may_act(fight: Fight, unit: Unit) -> None:
    """RT-2.1, 2.5, 10.9: in action, in its own side's phase, and not after its action.

    RT-2.6: whose steps begin, ends those of the craft that has taken some and not yet acted; forces apart.
    """
    if fight.phase in ("setup", "over"):
        raise Refused("no battle")
    if unit.state != "active":
        raise Refused("not active")
    if fight.phase == "initiative" or fight.acting != unit.side:
        raise Refused("not its phase")
    if unit.acted:
        raise Refused("already acted")
    if unit.sheet.squad != "force" and fight.current != unit.id:
        if fight.current:
            fight.units[fight.current].acted = True
        fight.current = unit.id


def move(fight: Fight, table: Table, id: str, hexes: int) -> None:
    """RT-3.1, 3.4: up to the move value in a phase, one fuel a hex; the move stops where the fuel ends (D55)."""
    if hexes < 0:
        raise Misunderstood(str(hexes))
    unit = fight.units[id]
    may_act(fight, unit)
    if unit.stopped:
        raise Refused("RT-3.6: the move is over")
    if hexes > unit.sheet.move - unit.moved:
        raise Refused("too far")
    gone = hexes
    if unit.fuel is not None:
        if unit.fuel == 0:
            raise Refused("no fuel")
        gone = min(hexes, unit.fuel)
        unit.fuel -= gone
    unit.moved += gone
    table.result = {"hexes": gone, "fuel": unit.fuel}


def pass_unit(fight: Fight, id: str) -> None:
    """RT-2.7: it leaves out its steps."""
    unit = fight.units[id]
    may_act(fight, unit)
    unit.acted = True


# ---- one command, done or not ------------------------------------------------------------------------------------


def attempt(fight: Fight, command: Callable[[Fight], None]) -> Fight:
    """The fight after the command; the fight given stays as it is, whatever comes of it."""
    after = copy.deepcopy(fight)
    command(after)
    return after
