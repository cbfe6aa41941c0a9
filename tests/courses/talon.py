"""What must hold of any Talon campaign, written from the rules and the classes pinned in it."""

from typing import Any

from tests.courses.checks import Tables, held

Row = dict[str, Any]
STATES = {"active", "destroyed", "retreated", "docked"}
PHASES = {"setup", "impulse", "power", "reinforcement", "retreat", "over"}
STEPS = {"ap", "move", "fire", "repair"}
ARCS = {"front", "right", "rear", "left"}
CRITS = {"shields-down", "helm-down", "power-loss", "turn", "power"}
KINDS = {"planet", "asteroid", "nebula", "black-hole", "worm-hole"}


def sound(tables: Tables) -> None:
    """Every figure within the boxes of its class, every link to a thing that is there."""
    for id, ship in tables.get("ships", {}).items():
        held(ship["side"] in tables["sides"], "a ship has a side", id, ship["side"])
        figures(f"ships.{id}", ship, tables["sheets"][ship["sheet"]])
        inside = ship["inside"]
        held((ship["state"] == "docked") <= (inside is not None), "who is docked is somewhere", id, inside)
    for id, missile in tables.get("missiles", {}).items():
        held(missile["side"] in tables["sides"], "a missile has a side", id, missile["side"])
        held(missile["target"] is None or missile["target"] in tables["ships"], "a target", id, missile["target"])
        held(0 <= missile["facing"] <= 5 and missile["state"] in STATES, "a missile", id, missile["facing"])
    for id, terrain in tables.get("terrain", {}).items():
        held(terrain["kind"] in KINDS, "terrain", id, terrain["kind"])
    if "battle" in tables:
        battle(tables["battle"]["now"], tables)


def figures(path: str, ship: Row, sheet: Row) -> None:
    """Shields, hull, bars and fighters between nothing and what the class has."""
    held(ship["state"] in STATES, "a state", path, ship["state"])
    held(ship["facing"] is None or 0 <= ship["facing"] <= 5, "a facing", path, ship["facing"])
    most = sheet.get("shields") or {}
    held(all(0 <= n <= most.get(arc, 0) for arc, n in ship["shields"].items()), "shields", path, ship["shields"])
    held(0 <= ship["hull"] <= len(sheet["hull"]), "hull boxes", path, ship["hull"])
    held({*ship["markers"]} <= ARCS and {*ship["crits"]} <= CRITS, "markers", path, ship["markers"], ship["crits"])
    held(all(0 <= n <= len(sheet["hull"]) for n in ship["fighters"].values()), "fighters", path, ship["fighters"])
    groups = {str(n): group for n, group in enumerate(sheet.get("groups", ()), 1)}
    if sheet.get("kind") == "squadron":
        groups = dict.fromkeys(ship["fighters"], sheet["groups"][0])
    for colour in ("red", "yellow"):
        bars = ship[colour]
        fits = all(key in groups and 0 <= n <= groups[key][colour] for key, n in bars.items())
        held(fits, "charged boxes", path, colour, bars)
    counts = ("speed", "turn", "counter", "burners", "ap", "turn_plus", "power_minus")
    held(all(ship[key] >= 0 for key in counts), "figures that count", path, {key: ship[key] for key in counts})


def battle(now: Row, tables: Tables) -> None:
    """A moment there is, sides and ships that are there, no wreck that waits between lines."""
    sides, ships = tables["sides"], tables.get("ships", {})
    held(now["phase"] in PHASES and now["step"] in STEPS and now["round"] >= 0, "a moment", now["phase"], now["step"])
    held(now["impulse"] in "ABCDEF", "an impulse", now["impulse"])
    named = [*now["sides"], now["initiative"], *now["lost"], *now["fled"]]
    named += [side for side in (now["acting"], now["winner"]) if side]
    held(all(side in sides for side in named), "sides of a battle", named)
    held(now["firing"] is None or now["firing"] in ships, "who is firing", now["firing"])
    held(now["wrecks"] == [], "wrecks explode before a line ends", now["wrecks"])
