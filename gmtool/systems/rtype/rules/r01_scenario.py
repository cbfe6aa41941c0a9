"""Set-up: a scenario, with its map, sides, pilots, units, deployment and victory, in one line."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype.book import Book, title
from gmtool.systems.rtype.model import Board, goal
from gmtool.systems.rtype.rules import r01_battle, r01_map, r01_setup, r04_force, r12_ships
from gmtool.systems.rtype.words import SCENARIO

CHAPTER = Chapter(
    "1 scenario",
    needs=(r01_battle.CHAPTER, r01_map.CHAPTER, r01_setup.CHAPTER, r04_force.CHAPTER, r12_ships.CHAPTER),
)
AnyCase = Case[Board, Book]


class ScenarioStart(NamedTuple):
    """A scenario is set up and its battle begins."""

    scenario: Annotated[str, Arg(SCENARIO)]


class ScenarioSet(NamedTuple):
    """A scenario is set up."""

    scenario: Id


@CHAPTER.rule(ScenarioStart)
def scenario_start(case: AnyCase, command: ScenarioStart) -> None:
    """All of it by the rules of each part; sides and pilots the campaign has under the same name are its own."""
    row, lang = case.book.scenario(command.scenario), case.state.campaign.lang or "en"
    battle = case.state.battle
    if battle and battle.phase != "over":
        raise case.refuse("wrong-phase", "RT-2.1", key="battle-open", name=battle.name, turn=battle.turn)
    case.keep(ScenarioSet(Id(command.scenario)), "RT-1.1")
    sides = {each["id"]: _side(case, each, lang) for each in row["side"]}
    pilots = {each["id"]: _pilot(case, each, lang) for each in row["pilot"]}
    r01_map.map_use(case, r01_map.MapUse(row["map"]))
    units = {each["id"]: _unit(case, each, sides, pilots, lang) for each in row["unit"]}
    _together(case, row["unit"], units)
    flagships = tuple(units[each["id"]] for each in row["unit"] if each["flagship"])
    winning = [(sides[each["id"]], title(each["victory"], lang)) for each in row["side"] if each.get("victory")]
    goals = tuple(f"{side}={_condition(case, words, units)}" for side, words in winning)
    name = title(row["name"], lang)
    r01_battle.battle_start(case, r01_battle.BattleStart(name, tuple(sides.values()), goals, flagships))


def _known(case: AnyCase, table: str, name: str) -> str | None:
    """The id of the campaign's own of that name, if there is one."""
    return next((id for id, row in case.state.table(table).items() if fold(row.name) == fold(name)), None)


def _side(case: AnyCase, row: Mapping[str, Any], lang: str) -> str:
    name = title(row["name"], lang)
    known = _known(case, "sides", name)
    if known is None:
        resources = tuple(f"{kind}={n}" for kind, n in (row.get("resources") or {}).items())
        r01_setup.side_add(case, r01_setup.SideAdd(name, row["players"], row["bonus"], resources))
    return known or _latest(case, "sides", name)


def _latest(case: AnyCase, table: str, name: str) -> str:
    found = _known(case, table, name)
    assert found is not None
    return found


def _pilot(case: AnyCase, row: Mapping[str, Any], lang: str) -> str:
    name = title(row["name"], lang)
    known = _known(case, "pilots", name)
    if known is None:
        figures = {key: row[key] for key in ("body", "agility", "intelligence", "diplomacy", "life", "spirit")}
        skills = tuple(f"{skill}={level}" for skill, level in (row.get("skills") or {}).items())
        r01_setup.pilot_add(case, r01_setup.PilotAdd(
            name, **figures, temperament=row["temperament"], lives=row.get("lives"), skills=skills
        ))  # fmt: skip
    elif any(unit.pilot == known for unit in case.state.units.values()) or case.state.pilots[known].state == "dead":
        raise case.refuse("bad-value", "RT-26.2", key="scenario-pilot-busy", pilot=Id(known))
    return known or _latest(case, "pilots", name)


def _unit(case: AnyCase, row: Mapping[str, Any], sides: Mapping[str, str], pilots: Mapping[str, str], lang: str) -> str:
    """A unit of the scenario's, under its name if that is free, else under the sheet's with a number."""
    before = set(case.state.units)
    name = title(row["name"], lang) if row.get("name") else ""
    if name and _known(case, "units", name):
        name = ""
    pilot = pilots[row["pilot"]] if row.get("pilot") else ""
    r01_setup.unit_add(case, r01_setup.UnitAdd(row["sheet"], sides[row["side"]], name, pilot=pilot))
    return next(id for id in case.state.units if id not in before)


def _together(case: AnyCase, rows: list[Mapping[str, Any]], units: Mapping[str, str]) -> None:
    """Forces are attached, units deployed with theirs, craft stowed in their ships."""
    for row in rows:
        if row.get("force"):
            r04_force.attach(case, r04_force.Attach(units[row["id"]], units[row["force"]], row["mount"]))
    for row in rows:
        if row.get("at"):
            r01_map.deploy(case, r01_map.Deploy(units[row["id"]], row["at"], row.get("facing") or ""))
    for row in rows:
        if row.get("aboard"):
            r12_ships.stow(case, r12_ships.Stow(units[row["id"]], units[row["aboard"]]))


def _condition(case: AnyCase, words: str, units: Mapping[str, str]) -> str:
    """What a side wins by: a facility by its name on the map, a unit by its id in the scenario (RT-13.4)."""
    kind, named = goal(words)
    if not named:
        return words
    if kind == "destroyed":
        return f"{kind}:{units[named]}"
    place = _known(case, "places", named)
    if place is None:
        there = [row.name for row in case.state.places.values()]
        raise case.refuse("bad-value", "RT-13.4", key="scenario-no-place", value=named, places=there)
    return f"{kind}:{place}"
