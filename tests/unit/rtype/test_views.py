"""Boards and summaries, and what they look like in the three languages."""

import random
import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from gmtool.kernel.state import Map, encode
from gmtool.kernel.view import Fields, Grid, Line, Name, Say, View, names_in
from gmtool.render.lines import Room, plain
from gmtool.render.views import view as drawn
from gmtool.rulesdata.compile import load as load_data
from gmtool.systems.rtype import tables, views, views_thing
from gmtool.systems.rtype.book import Book, name_of, title
from gmtool.systems.rtype.model import GRADES, LEAD, RC, Battle, Board, Pilot, Place, Side, Unit
from gmtool.text.catalogue import LANGUAGES, load
from gmtool.text.width import cells

Tables = dict[str, dict[str, Any]]
NARROW = Room(80, True)
HP = Map(lead=100, A=100, B=100, C=40, D=0)
REN = Pilot("Ren", "Ken", 40, 30, 20, 25, 9, 12, 10, 12, "daredevil", Map(now=2, max=3), where="kestrel")
KESTREL = Unit(
    "Kestrel", "r1", "kestrel", "players", 1, "ren", HP, 31, "clean", Map(vulcan=5, missile=4), charge=3, acted=True
)
TENDER = Unit("Tender", "r2", "tender", "players", 2, None, Map(lead=280), 40, "D", Map())
GAINS = Unit("Gains-1", "b1", "gains", "bydo", 3, None, HP, None, "B", Map(), state="wrecked")
SECOND = replace(GAINS, name="Gains-2", handle="b2", order=4, state="active")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        for lang in LANGUAGES:
            load(lang, "rtype")
        return load_data("rtype", tables)


@pytest.fixture
def rows() -> Tables:
    """Two sides in turn 2, the players' first phase: one unit has acted, one has not, one enemy is wrecked."""
    battle = Battle("Last Dance", 2, "first", ("players", "bydo"), "players", "players", ("players", "bydo"))
    return {
        "campaign": {"campaign": {"name": "Last Dance", "system": "rtype", "session": 3}},
        "sides": {"players": encode(Side("Players", True, "r", 1)), "bydo": encode(Side("Bydo", False, "b", 2))},
        "pilots": {"ren": encode(REN)},
        "units": {
            id: encode(row)
            for id, row in {"kestrel": KESTREL, "tender": TENDER, "gains-1": GAINS, "gains-2": SECOND}.items()
        },
        "battle": {"now": encode(battle)},
    }


def put(rows: Tables, **changed: Any) -> Tables:
    """The same state with the battle otherwise."""
    rows["battle"]["now"].update(changed)
    return rows


def text(shown: View, state: Board, book: Book, lang: str = "en", room: Room = NARROW) -> list[str]:
    ids = names_in(shown)
    names = {id: name for id in ids if (name := name_of(state, book, id)) is not None}
    return [plain(line) for line in drawn(shown, load(lang, "rtype"), names, room)]


def row_of(shown: View, id: str) -> dict[str, Any]:
    """The cells of a unit's row by column."""
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    row = next(row for row in grid.rows if len(row) > 1 and row[1].text == Name(id))
    found, at = {}, 0
    for cell in row:
        found[grid.columns[at].key] = cell.text
        at += cell.span
    assert at == len(grid.columns)
    return found


def order_of(shown: View) -> list[str]:
    """The ids of the units in the order of the board."""
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    return [row[1].text for row in grid.rows if len(row) > 1 and isinstance(row[1].text, Name)]


def lines(shown: View) -> list[Say]:
    says = [block.say for block in shown.blocks if isinstance(block, Line)]
    return says + [say for block in shown.blocks if isinstance(block, Fields) for say in block.says]


def board_text(rows: Tables, data: Any, lang: str = "en") -> str:
    state = Board(rows)
    book = Book(state, data)
    return "\n".join(line.rstrip() for line in text(views.board(state, book), state, book, lang))


def test_before_the_first_battle_it_is_turn_0_in_the_setup(rows: Tables) -> None:
    del rows["battle"]
    state = Board(rows)
    nothing: dict[str, Any] = {"current": None, "victory": {}, "flagships": {}, "met": []}
    assert views.header(state) == {"turn": 0, "phase": "setup", "acting": None, **nothing}
    assert views.where(state) is None
    assert views.next_line(state) == Say("view.next.start")


def test_in_a_battle_the_header_says_turn_phase_and_who_acts(rows: Tables) -> None:
    put(rows, victory={"players": "flagship"}, flagships={"bydo": "gains-2"}, met=["players"], current="tender")
    assert views.header(Board(rows)) == {
        "turn": 2, "phase": "first", "acting": "players", "current": "tender", "victory": {"players": "flagship"},
        "flagships": {"bydo": "gains-2"}, "met": ["players"],
    }  # fmt: skip
    assert views.where(Board(rows)) == Say("view.where", {"turn": 2, "phase": "first", "battle": "Last Dance"})


def test_a_squads_row_has_the_points_of_each_craft_and_a_mark_where_a_charge_weapon_is_ready(
    rows: Tables, data: Any
) -> None:
    """The wave cannon needs stage 3 (RT-8.9)."""
    state = Board(rows)
    row = row_of(views.board(state, Book(state, data)), "kestrel")
    assert [row[craft] for craft in ("lead", "A", "B", "C", "D")] == [100, 100, 100, 40, 0]
    assert (row["handle"], row["pilot"], row["fuel"], row["charge"], row["ammo"]) == ("r1", "ren", 31, "3*", "5/4")


def test_a_single_craft_shows_what_is_left_of_its_most_and_no_pilot_as_nothing(rows: Tables, data: Any) -> None:
    state = Board(rows)
    row = row_of(views.board(state, Book(state, data)), "tender")
    assert (row["lead"], row["pilot"], row["charge"]) == ("280/300", None, "0")
    assert "A" not in row, "what is left reaches over the columns of the RC craft"


def test_the_board_lists_players_first_and_a_sides_wrecks_last(rows: Tables, data: Any) -> None:
    assert [line.split()[0] for line in board_text(rows, data).split("\n")[2:8]] == [
        "Players", "r1", "r2", "Bydo", "b2", "wrecked:",
    ]  # fmt: skip


def test_wrecks_and_dead_of_earlier_battles_are_left_out(rows: Tables, data: Any) -> None:
    rows["pilots"]["ren"] |= {"state": "dead"}
    assert {"wrecked: Gains-1", "dead: Ren"} <= {line.strip() for line in board_text(rows, data).split("\n")}
    shown = board_text(put(rows, gone=["gains-1", "ren"]), data)
    assert "wrecked" not in shown
    assert "dead" not in shown


def test_a_side_has_its_resources_beside_its_name(rows: Tables, data: Any) -> None:
    rows["sides"]["players"]["resources"] = {"solmonadium": 140, "bydogen": 20}
    assert "\nPlayers   Sol 140  Eth 0  Byd 20\n" in board_text(rows, data)


def test_what_belongs_to_a_unit_stands_below_it_and_says_so(rows: Tables, data: Any) -> None:
    """A force on its craft, a craft aboard its ship, a decoy after its maker: each after a unit of a higher order."""
    more = {
        "ball": replace(TENDER, sheet="round-force", handle="r3", order=5, attached_to="kestrel", mount="front"),
        "guest": replace(TENDER, handle="r4", order=6, state="stowed", aboard="tender", acted=True),
        "twin": replace(KESTREL, handle="r5", order=7, pilot=None, decoy_of="kestrel"),
        "ghost": replace(TENDER, handle="r6", order=8, state="subspace"),
    }
    rows["units"] |= {id: encode(replace(row, name=id)) for id, row in more.items()}
    rows["units"]["kestrel"]["attached_to"] = "ball"
    state = Board(rows)
    book = Book(state, data)
    assert order_of(views.board(state, book)) == [
        "kestrel", "ball", "twin", "tender", "guest", "ghost", "gains-2",
    ]  # fmt: skip
    ends = {line[:2]: line.rstrip()[-14:] for line in text(views.board(state, book), state, book)}
    assert ends["r3"].endswith(" r1 front")
    assert ends["r4"].endswith(" acted in r2")
    assert ends["r5"].endswith(" acted decoy")
    assert ends["r6"].endswith(" subspace")


def test_units_that_stand_below_each_other_are_still_there(rows: Tables, data: Any) -> None:
    """Set by hand, a ring can come about; nobody is lost and nothing runs in circles."""
    rows["units"]["kestrel"]["aboard"] = "tender"
    rows["units"]["tender"]["aboard"] = "kestrel"
    state = Board(rows)
    assert sorted(order_of(views.board(state, Book(state, data)))) == ["gains-2", "kestrel", "tender"]


def test_only_the_side_whose_phase_it_is_is_marked_as_having_acted(rows: Tables, data: Any) -> None:
    """The other side's marks of its last phase are cleared when its next one begins (RT-13.9)."""
    rows["units"]["gains-2"]["acted"] = True
    rows["units"]["tender"]["stopped"] = True
    state = Board(rows)
    shown = views.board(state, Book(state, data))
    marks = {id: row_of(shown, id)["acted"] for id in ("kestrel", "tender", "gains-2")}
    assert marks == {"kestrel": Say("view.acted"), "tender": Say("view.stopped"), "gains-2": ""}


def test_parts_stand_below_their_unit(rows: Tables, data: Any) -> None:
    rows["units"]["tender"] |= {"sheet": "bramble", "hp": {"lead": 280, "turret": 35}}
    rest = board_text(rows, data).split("280/")[1].split("\n")
    assert rest[0].startswith("400 ")
    assert rest[1].strip() == "Turret 35/80"


def test_low_ammunition_is_marked_and_the_marks_are_explained(rows: Tables, data: Any) -> None:
    """Of 6 shots 1 is a quarter or less, of 4 missiles 2 are not."""
    rows["units"]["kestrel"]["ammo"] = {"vulcan": 1, "missile": 2}
    shown = board_text(rows, data)
    assert " 1!/2 " in shown
    assert "\n* Wave cannon: r1   ! ammunition low\n" in shown


def test_charge_weapons_of_the_same_name_are_told_once(rows: Tables, data: Any) -> None:
    """Kestrel's needs stage 3, Cross's of another sheet stage 2."""
    rows["units"]["tender"] |= {"sheet": "cross", "charge": 2}
    rows["units"]["gains-2"]["charge"] = 2
    assert "* Wave cannon: r1 r2\n" in board_text(rows, data)


def test_what_is_unusual_has_a_line_each(rows: Tables, data: Any) -> None:
    rows["units"]["tender"] |= {"hold": {"etherium": 30}, "no_counter": True}
    rows["units"]["gains-2"]["found_by"] = {"kestrel": "search"}
    rows["places"] = {
        "depot": encode(Place("Depot", "facility", progress=Map(players=45, bydo=0))),
        "vein": encode(Place("Vein", "resource", "etherium", 120)),
    }
    rows["parked"] = {"old": {"battle": {"name": "First Dance"}}}
    put(rows, victory={"players": "facility:depot", "bydo": "Hold out till dawn"}, met=["bydo"])
    shown = board_text(rows, data).split("\n")
    assert shown[1] == 'victory Players: Depot occupied   victory Bydo: "Hold out till dawn", MET'
    assert shown[-8:-1] == [
        "* Wave cannon: r1",
        "no counter: r2",
        "searched: b2",
        "r2 carries Sol 0  Eth 30  Byd 0",
        "Depot (facility)   Players 45 %",
        "Vein (resource)   Etherium 120 left",
        "parked: First Dance",
    ]


def test_the_board_ends_with_what_comes_next(rows: Tables, data: Any) -> None:
    assert board_text(rows, data).split("\n")[-1] == "next  Players: acted 1 of 2, to act r2"
    put(rows, current="tender")
    assert board_text(rows, data).split("\n")[-1] == "next  Players: Tender goes on; acted 1 of 2, to act r2"
    put(rows, met=["players"])
    assert board_text(rows, data).split("\n")[-2:] == [
        "next  Players: Tender goes on; acted 1 of 2, to act r2   victory: Players,",
        "  battle end",
    ]


def test_a_pilot_in_trouble_and_what_is_due_stand_below_the_units(rows: Tables, data: Any) -> None:
    rows["pilots"]["ren"] |= {"state": "dying", "where": "adrift", "life": -5, "treated": True}
    due = {"what": "escape", "who": "ren", "rule": "RT-11.2", "command": "set due.escape-ren done"}
    rows["due"] = {"escape-ren": due}
    shown = board_text(rows, data).split("\n")
    assert "Ren  dying  adrift  life -5/10  spirit 12/12  treated" in shown
    assert shown[-2:] == [
        "due  Ren: escape check, RT-11.2. Settle with: set due.escape-ren done",
        "acted: r1   to act: r2",
    ]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"phase": "initiative", "acting": None, "winner": None}, "view.next.initiative"),
        ({"phase": "initiative", "acting": None}, "view.next.first"),
        ({}, "view.next.act"),
        ({"met": ["players"]}, "view.next.act-met"),
        ({"met": ["players"], "phase": "initiative", "acting": None, "winner": None}, "view.next.initiative-met"),
        ({"met": ["players"], "phase": "over", "acting": None}, None),
        ({"phase": "over", "acting": None}, None),
    ],
)
def test_the_next_line_follows_the_order_of_play(rows: Tables, changed: dict[str, Any], expected: str | None) -> None:
    said = views.next_line(Board(put(rows, **changed)))
    assert (said and said.key) == expected


def test_when_all_have_acted_the_phase_can_end(rows: Tables) -> None:
    rows["units"]["tender"]["acted"] = True
    assert views.next_line(Board(rows)) == Say("view.next.end", {"side": "players", "all": 2})


def test_what_is_due_comes_before_the_next_unit(rows: Tables) -> None:
    rows["due"] = {"escape-ren": {"what": "escape", "who": "ren", "rule": "RT-11.2", "command": "set due.x done"}}
    said = views.next_line(Board(rows))
    assert said is not None
    assert (said.key, said.facts["command"]) == ("view.next.due", "set due.x done")


def test_a_thing_is_a_unit_a_pilot_or_a_side_and_nothing_else(rows: Tables, data: Any) -> None:
    state = Board(rows)
    book = Book(state, data)
    assert views.thing(state, book, "kestrel") == views_thing.unit(state, book, "kestrel")
    assert views.thing(state, book, "ren") == views_thing.pilot(state, book, "ren")
    assert views.thing(state, book, "bydo") == views_thing.side(state, book, "bydo")
    assert views.thing(state, book, "vulcan") is None


def test_a_unit_whole_shows_its_weapons_with_what_is_left_for_them(rows: Tables, data: Any) -> None:
    state = Board(rows)
    book = Book(state, data)
    shown = text(views_thing.unit(state, book, "kestrel"), state, book)
    vulcan = next(line for line in shown if "Vulcan" in line)
    assert vulcan.split() == ["1", "Vulcan", "direct", "gun", "40", "30", "1", "5/6", "yes", "yes"]
    cannon = next(line for line in shown if "Wave cannon" in line)
    assert "3*" in cannon, "stage 3 is needed and reached"


def test_a_unit_whole_says_what_it_is_tied_to(rows: Tables, data: Any) -> None:
    rows["pilots"]["ren"]["skills"] = {"gunnery": 3}
    ball = replace(TENDER, name="Ball", sheet="round-force", handle="r3", order=5, hp=Map(lead=90), fuel=None)
    rows["units"]["ball"] = encode(replace(ball, attached_to="kestrel", led_by="kestrel", mount="back"))
    rows["units"]["kestrel"] |= {"attached_to": "ball", "found_by": {"gains-2": "search"}, "replacements": 7}
    rows["units"]["tender"] |= {"aboard": "gains-2", "hold": {"bydogen": 200}, "may_move": True, "acted": True}
    put(rows, flagships={"bydo": "gains-2"})
    state = Board(rows)
    book = Book(state, data)
    shown = {id: "\n".join(text(views_thing.unit(state, book, id), state, book)) for id in state.units}
    assert "force Ball   back   searched by Gains-2" in shown["kestrel"]
    assert (
        "pilot Ren: daredevil, agility 30, intelligence 20\nlife 9/10   spirit 12/12   lives 2/3\nGunnery 3\n"
        in shown["kestrel"]
    )
    assert " 7/10" in shown["kestrel"]
    assert "attached to Kestrel   back" in shown["ball"]
    assert "pilot Ren: " in shown["ball"], "a force fights with the pilot of the craft that leads it (RT-4.11)"
    assert "in action   has acted, may still move\naboard Gains-2   carries Sol 0  Eth 0  Byd 200" in shown["tender"]
    assert "in action   flagship\n1 of 0 aboard: Tender" in shown["gains-2"]


def test_a_unit_with_parts_shows_them_by_name_and_id(rows: Tables, data: Any) -> None:
    rows["units"]["tender"] |= {"sheet": "bramble", "hp": {"lead": 280, "turret": 35}}
    state = Board(rows)
    book = Book(state, data)
    shown = text(views_thing.unit(state, book, "tender"), state, book, "ja")
    assert ["turret", "砲塔", "35/80"] in [line.split() for line in shown]


def test_a_side_whole_says_what_it_has_to_reach(rows: Tables, data: Any) -> None:
    rows["sides"]["players"]["bonus"] = 2
    put(rows, victory={"players": "flagship"}, flagships={"players": "tender"})
    state = Board(rows)
    book = Book(state, data)
    shown = text(views_thing.side(state, book, "players"), state, book)
    assert shown[-2:] == [
        "initiative +2   victory Players: enemy flagship destroyed",
        "  flagship Players: Tender",
    ]


def test_a_place_whole_shows_what_lies_there(rows: Tables, data: Any) -> None:
    rows["places"] = {"depot": encode(Place("Depot", "facility", progress=Map(players=45, bydo=10)))}
    state = Board(rows)
    book = Book(state, data)
    shown = views.thing(state, book, "depot")
    assert shown is not None
    assert text(shown, state, book) == ["Depot (facility)", "Players 45 %", "Bydo 10 %"]


def test_a_pilot_whole_shows_points_left_of_the_most(rows: Tables, data: Any) -> None:
    rows["pilots"]["ren"] |= {"skills": {"gunnery": 3}, "out": True, "treated": True}
    state = Board(rows)
    book = Book(state, data)
    shown = text(views_thing.pilot(state, book, "ren"), state, book)
    assert shown[0] == "Ren   daredevil, player Ken"
    assert shown[2].split() == ["40", "30", "20", "25", "9/10", "12/12", "2/3"]
    assert shown[3:] == ["ready, Kestrel   treated   unconscious until the spirit is whole", "Gunnery 3"]


def all_views(state: Board, book: Book) -> list[View]:
    shown = [views.board(state, book), views.sheets(book), *(views.sheet(book, id) for id in book.sheet_ids())]
    ids = ("kestrel", "tender", "gains-1", "ren", "bydo", "depot", "vein")
    shown += [view for id in ids if (view := views.thing(state, book, id))]
    said = [say for say in (views.where(state), views.next_line(state)) if say]
    return [*shown, View(tuple(Line(say) for say in said))]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("session", [0, 3])
@pytest.mark.parametrize("phase", ["setup", "initiative", "won", "first", "due", "over"])
def test_no_view_lacks_a_word_or_a_field(rows: Tables, data: Any, lang: str, session: int, phase: str) -> None:
    """A missing key would show as ``<key>``, a missing field as ``{field}``."""
    rows["campaign"]["campaign"]["session"] = session
    rows["pilots"]["ren"]["where"] = "missing"
    rows["units"]["tender"] |= {"state": "inactive", "no_counter": True, "stopped": True, "swap": "reverse"}
    rows["units"]["kestrel"] |= {"form": "accelerated", "at": "0304", "facing": "left", "decoy_made": True}
    rows["units"]["gains-2"] |= {"decoy_of": "gains-1", "state": "stowed", "led_by": "kestrel", "hold": {"etherium": 1}}
    rows["places"] = {
        "depot": encode(Place("Depot", "facility", progress=Map(players=45))),
        "vein": encode(Place("Vein", "resource", "etherium", 120)),
    }
    put(rows, victory={"players": "facility:depot", "bydo": "destroyed"}, met=["bydo"] if session else [])
    if phase == "due":
        rows["due"] = {"escape-ren": {"what": "escape", "who": "ren", "rule": "RT-11.2", "command": "set due.x done"}}
    elif phase == "setup":
        del rows["battle"]
    elif phase != "first":
        put(rows, phase="over" if phase == "over" else "initiative", acting=None)
        rows["battle"]["now"]["winner"] = "bydo" if phase == "won" else None
    state = Board(rows)
    book = Book(state, data)
    for shown in all_views(state, book):
        for line in text(shown, state, book, lang):
            assert not set("<>{}") & set(line), line


def crowded(data: Any, seed: int) -> Tables:
    """24 units at random: any sheets, any figures, any states, names as Japanese and Korean tables give them."""
    chance = random.Random(seed)
    book = Book(Board({}), data)
    sides = {"players": ("ケストレル", "r"), "bydo": ("게인즈", "b")}
    units, pilots = {}, {}
    for order in range(24):
        side = "players" if order < 12 else "bydo"
        sheet, id = book.sheet(chance.choice(book.sheet_ids())), f"u-{order}"
        hp = {craft: chance.randint(0, sheet.hp) for craft in ((LEAD, *RC) if sheet.squad == "rc" else (LEAD,))}
        hp |= {part.id: chance.randint(0, part.hp) for part in sheet.parts}
        ammo = {weapon.id: chance.randint(0, weapon.ammo) for weapon in sheet.weapons if weapon.ammo}
        pilots[f"p-{order}"] = encode(replace(REN, name=f"パイロット{order}", where=id))
        row = Unit(
            f"{sides[side][0]}-{order}", f"{sides[side][1]}{order % 12 + 1}", sheet.id, side, order,
            chance.choice([None, f"p-{order}"]), Map(hp), None if sheet.fuel is None else chance.randint(0, sheet.fuel),
            chance.choice(GRADES), Map(ammo), charge=chance.randint(0, 4), acted=chance.random() < 0.5,
        )  # fmt: skip
        special: list[dict[str, Any]] = [{}, {}, {"state": "subspace"}, {"state": "inactive"}, {"stopped": True}]
        special += [{"state": "stowed", "aboard": f"u-{order // 12 * 12}"}, {"decoy_of": "u-1"}, {"may_move": True}]
        units[id] = encode(replace(row, **chance.choice(special)))
    battle = Battle("Last Dance", 2, "first", ("players", "bydo"), "players", "players", ("players", "bydo"))
    stock = Map(solmonadium=1400, etherium=999, bydogen=20)
    return {
        "campaign": {"campaign": {"name": "Last Dance", "system": "rtype", "session": 3}},
        "sides": {
            "players": encode(Side("Players", True, "r", 1, resources=stock)),
            "bydo": encode(Side("Bydo", False, "b", 2)),
        },
        "pilots": pilots, "units": units, "battle": {"now": encode(battle)},
    }  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seed", range(8))
def test_a_board_of_24_units_fits_80_columns_and_no_figure_is_missing(data: Any, lang: str, seed: int) -> None:
    """Each unit's hit points, fuel, charge, grade, ammunition and whether it has acted, in its row."""
    state = Board(crowded(data, seed))
    book, words = Book(state, data), load(lang, "rtype")
    shown = text(views.board(state, book), state, book, lang)
    assert max(map(cells, shown)) <= 80, "\n".join(shown)
    assert not [char for char in "".join(shown) if unicodedata.east_asian_width(char) == "A"]
    for unit in state.units.values():
        at = next(n for n, line in enumerate(shown) if line.startswith(f"{unit.handle} "))
        row, sheet = shown[at].split(), book.sheet(unit.sheet)
        points = [str(unit.hp[craft]) for craft in (LEAD, *RC) if craft in unit.hp]
        figures = points if len(points) > 1 else [f"{points[0]}/{sheet.hp}"]
        figures.append("-" if unit.fuel is None else str(unit.fuel))
        ready = any(weapon.charge and weapon.charge <= unit.charge for weapon in sheet.weapons)
        figures.append(f"{unit.charge}*" if ready else str(unit.charge))
        figures.append(words.say("view.clean") if unit.grade == "clean" else unit.grade)
        left = [(unit.ammo[weapon.id], weapon.ammo or 0) for weapon in sheet.weapons if weapon.ammo]
        figures += ["/".join(f"{n}!" if n * 4 <= most else str(n) for n, most in left)] if left else []
        assert row[3 : 3 + len(figures)] == figures, shown[at]
        mark = words.say("view.may-move" if unit.may_move else "view.acted").split()
        rest = row[3 + len(figures) :]
        assert (rest[: len(mark)] == mark) == (unit.acted and unit.side == "players"), shown[at]
        assert all(f"{title(part.name, lang)} {unit.hp[part.id]}/{part.hp}" in shown[at + 1] for part in sheet.parts)
        assert (row[2] == "-") == (unit.pilot is None)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_every_row_of_the_board_ends_at_the_same_cell(data: Any, lang: str, width: int) -> None:
    state = Board(crowded(data, 1))
    book = Book(state, data)
    shown = text(views.board(state, book), state, book, lang, Room(width, True))
    handles = [unit.handle for unit in state.units.values()]
    rows = [line for line in shown if line.split()[0] in handles and not line.startswith(" ")]
    assert len({cells(line) for line in rows}) == 1
    assert max(map(cells, rows)) <= width


@pytest.mark.parametrize(("lang", "shown"), [("en", "facing left"), ("ja", "向き：左"), ("ko", "방향: 왼쪽")])
def test_where_a_unit_faces_is_told_in_words(rows: Tables, data: Any, lang: str, shown: str) -> None:
    rows["units"]["kestrel"].update(at="0304", facing="left")
    state = Board(rows)
    book = Book(state, data)
    told = views.thing(state, book, "kestrel")
    assert told is not None
    assert shown in "\n".join(text(told, state, book, lang))
