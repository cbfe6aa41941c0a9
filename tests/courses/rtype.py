"""What must hold of any R-TYPE campaign, written from the rules and the sheets pinned in it."""

from collections import Counter
from typing import Any

from tests.courses.checks import Tables, held

Row = dict[str, Any]
UNIT_STATES = {"active", "stowed", "subspace", "inactive", "wrecked", "lost"}
PILOT_STATES = {"dead", "bydo", "dying", "unconscious", "ready"}
PLACES = {"ashore", "adrift", "recovered", "missing", "captured"}
PHASES = {"setup", "initiative", "first", "second", "over"}
GRADES = {"clean", "E", "D", "C", "B", "A", "S"}
RESOURCES = {"solmonadium", "etherium", "bydogen"}
SKILL_LEVELS = range(1, 11)


def sound(tables: Tables) -> None:
    """Every figure within its limits, every link to a thing that is there, and links from both ends."""
    units, pilots = tables.get("units", {}), tables.get("pilots", {})
    for id, unit in units.items():
        figures(f"units.{id}", unit, tables["sheets"][unit["sheet"]])
        links(id, unit, tables)
    seats = Counter(unit["pilot"] for unit in units.values() if unit["pilot"])
    held(all(n == 1 for n in seats.values()), "a pilot sits in one seat", seats)
    for id, pilot in pilots.items():
        person(id, pilot, units)
    for id, side in tables.get("sides", {}).items():
        held(side["resources"].keys() <= RESOURCES, "resources there are", id, side["resources"])
        within(f"sides.{id}.resources", side["resources"], {})
    for id, place in tables.get("places", {}).items():
        within(f"places.{id}.progress", place["progress"], dict.fromkeys(place["progress"], 100))
        held(place["amount"] >= 0, "an amount is not below 0", id, place["amount"])
    if "battle" in tables:
        battle(tables["battle"]["now"], tables)
    if "map" in tables:
        chart(tables["map"]["now"], units)


def chart(map: Row, units: dict[str, Row]) -> None:
    """Whoever stands somewhere stands on the map, and a force that is attached next to its craft."""
    for id, unit in units.items():
        at = unit["at"]
        if at is None:
            continue
        held(1 <= int(at[:2]) <= map["columns"] and 1 <= int(at[2:]) <= map["rows"], "a hex of the map", id, at)
        held(unit["state"] not in {"stowed", "wrecked"}, "who stands on the map is there", id, unit["state"])


def within(path: str, figures: Row, most: Row) -> None:
    """Figures from 0 up to the most there is of each."""
    for key, value in figures.items():
        limit = most.get(key)
        fits = value is None or 0 <= value <= (value if limit is None else limit)
        held(fits, "a figure in its limits", path, key, value)


def figures(path: str, unit: Row, sheet: Row) -> None:
    """Hit points, fuel, ammunition, cargo and the rest between 0 and what the sheet allows."""
    craft = ("lead", "A", "B", "C", "D") if sheet["squad"] == "rc" else ("lead",)
    most = {**dict.fromkeys(craft, sheet["hp"]), **{part["id"]: part["hp"] for part in sheet.get("parts", ())}}
    held(unit["hp"].keys() == most.keys(), "hit points of the craft and parts of the sheet", path, unit["hp"])
    within(f"{path}.hp", unit["hp"], most)
    ammo = {weapon["id"]: weapon["ammo"] for weapon in sheet.get("weapons", ()) if weapon.get("ammo")}
    held(unit["ammo"].keys() == ammo.keys(), "ammunition of the weapons that have some", path, unit["ammo"])
    within(f"{path}.ammo", unit["ammo"], ammo)
    held((unit["fuel"] is None) == (sheet.get("fuel") is None), "fuel where the sheet has some", path, unit["fuel"])
    one = {key: unit[key] for key in ("fuel", "charge", "moved", "replacements")}
    within(path, one, {"fuel": sheet.get("fuel"), "replacements": sheet.get("replacements", 10)})
    within(f"{path}.hold", unit["hold"], {})
    words = (unit["state"] in UNIT_STATES, unit["grade"] in GRADES, unit["swap"] in {"swap", "fixed", "reverse"})
    held(all(words), "words from their lists", path, unit["state"], unit["grade"], unit["swap"])


def links(id: str, unit: Row, tables: Tables) -> None:
    """Side, seat, force, ship, maker: each is there, and those of two ends are known at both."""
    units, pilots = tables["units"], tables.get("pilots", {})
    held(unit["side"] in tables["sides"], "a unit has a side", id, unit["side"])
    for key in ("attached_to", "aboard", "led_by", "decoy_of"):
        there = unit[key] is None or (unit[key] in units and unit[key] != id)
        held(there, "a link to another unit", id, key, unit[key])
    if unit["attached_to"]:
        other = units[unit["attached_to"]]
        held(other["attached_to"] == id, "who is attached knows it at both ends", id, unit["attached_to"])
        held(other["side"] == unit["side"], "who is attached is of one side", id, unit["attached_to"])
    if unit["aboard"]:
        held(unit["state"] in {"stowed", "wrecked", "lost"}, "who is aboard is stowed", id, unit["state"])
    if unit["pilot"]:
        held(unit["pilot"] in pilots, "a seat is a pilot's", id, unit["pilot"])
        held(pilots[unit["pilot"]]["where"] == id, "a pilot knows his seat", id, pilots[unit["pilot"]]["where"])


def person(id: str, pilot: Row, units: dict[str, Row]) -> None:
    """Life up to its maximum (below 0 too), spirit and lives from 0 to theirs, a place that knows him."""
    path = f"pilots.{id}"
    held(pilot["life"] <= pilot["life_max"], "life", path, pilot["life"], pilot["life_max"])
    within(path, {"spirit": pilot["spirit"]}, {"spirit": pilot["spirit_max"]})
    within(f"{path}.lives", pilot["lives"], {"now": pilot["lives"].get("max", 0)})
    held(all(level in SKILL_LEVELS for level in pilot["skills"].values()), "skills", path, pilot["skills"])
    held(pilot["state"] in PILOT_STATES, "the state of a pilot", path, pilot["state"])
    where = pilot["where"]
    held(where in PLACES or where in units, "where a pilot is", path, where)
    held(where not in units or units[where]["pilot"] == id, "a seat knows its pilot", path, where)


def battle(now: Row, tables: Tables) -> None:
    """A phase there is, and sides and units that are there."""
    sides, units = tables["sides"], tables["units"]
    held(now["phase"] in PHASES and now["turn"] >= 0, "a moment of a battle", now["phase"], now["turn"])
    named = [*now["sides"], *now["order"], *now["totals"], *now["victory"], *now["met"]]
    named += [side for side in (now["acting"], now["winner"]) if side]
    held(all(side in sides for side in named), "sides of a battle", named)
    ships = [*now["flagships"].values(), *([now["current"]] if now["current"] else [])]
    held(all(unit in units for unit in ships), "units of a battle", ships)
    held((now["phase"] in {"first", "second"}) == (now["acting"] is not None), "who acts", now["phase"], now["acting"])
