"""Boards and summaries, and what they look like in the three languages."""

from dataclasses import replace
from typing import Any

import pytest

from gmtool.kernel.state import Map, encode
from gmtool.kernel.view import Grid, Line, Name, Say, View
from gmtool.render.lines import Room, plain
from gmtool.render.views import view as drawn
from gmtool.rulesdata.compile import load as load_data
from gmtool.systems.rtype import tables, views
from gmtool.systems.rtype.book import Book, name_of
from gmtool.systems.rtype.model import Battle, Board, Pilot, Side, Unit
from gmtool.text.catalogue import LANGUAGES, load
from gmtool.text.width import cells

Tables = dict[str, dict[str, Any]]
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


def text(shown: View, state: Board, book: Book, lang: str = "en") -> list[str]:
    ids = [*state.units, *state.pilots, *state.sides, *book.sheet_ids()]
    ids += [f"{id}/{weapon.id}" for id in book.sheet_ids() for weapon in book.sheet(id).weapons]
    names = {id: name for id in ids if (name := name_of(state, book, id)) is not None}
    return [plain(line) for line in drawn(shown, load(lang, "rtype"), names, Room(80, True))]


def row_of(shown: View, id: str) -> dict[str, Any]:
    """The cells of a unit's row by column."""
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    row = next(row for row in grid.rows if row[1].text == Name(id))
    return {column.key: cell.text for column, cell in zip(grid.columns, row, strict=True)}


def lines(shown: View) -> list[Say]:
    return [block.say for block in shown.blocks if isinstance(block, Line)]


def test_before_the_first_battle_it_is_turn_0_in_the_setup(rows: Tables) -> None:
    del rows["battle"]
    state = Board(rows)
    assert views.header(state) == {"turn": 0, "phase": "setup", "acting": None}
    assert views.where(state) is None
    assert views.next_line(state) == Say("view.next.start")


def test_in_a_battle_the_header_says_turn_phase_and_who_acts(rows: Tables) -> None:
    assert views.header(Board(rows)) == {"turn": 2, "phase": "first", "acting": "players"}
    assert views.where(Board(rows)) == Say("view.where", {"turn": 2, "phase": "first"})


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
    assert (row["lead"], row["A"], row["pilot"], row["charge"]) == ("280/300", "", None, "0")


def test_the_board_lists_players_first_and_a_sides_wrecks_last(rows: Tables, data: Any) -> None:
    state = Board(rows)
    shown = views.board(state, Book(state, data))
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    assert [row[1].text for row in grid.rows] == ["players", "kestrel", "tender", "bydo", "gains-2", "gains-1"]
    assert row_of(shown, "gains-1")["lead"] == "wrecked"


def test_the_foot_says_who_has_acted_and_who_has_not(rows: Tables, data: Any) -> None:
    state = Board(rows)
    assert Say("view.foot", {"acted": ["r1"], "waiting": ["r2"]}) in lines(views.board(state, Book(state, data)))


def test_a_pilot_in_trouble_and_what_is_due_stand_below_the_units(rows: Tables, data: Any) -> None:
    rows["pilots"]["ren"] |= {"state": "dying", "where": "adrift"}
    due = {"what": "escape", "who": "ren", "rule": "RT-11.2", "command": "set due.escape-ren done"}
    rows["due"] = {"escape-ren": due}
    state = Board(rows)
    book = Book(state, data)
    shown = "\n".join(text(views.board(state, book), state, book))
    assert "Ren: dying, adrift" in shown
    assert "Ren: escape check, RT-11.2. Settle with: set due.escape-ren done" in shown


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"phase": "initiative", "acting": None, "winner": None}, "view.next.initiative"),
        ({"phase": "initiative", "acting": None}, "view.next.first"),
        ({}, "view.next.act"),
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
    assert views.thing(state, book, "kestrel") == views.unit(state, book, "kestrel")
    assert views.thing(state, book, "ren") == views.pilot(state, book, "ren")
    assert views.thing(state, book, "bydo") == views.side(state, book, "bydo")
    assert views.thing(state, book, "vulcan") is None


def test_a_unit_whole_shows_its_weapons_with_what_is_left_for_them(rows: Tables, data: Any) -> None:
    state = Board(rows)
    book = Book(state, data)
    shown = text(views.unit(state, book, "kestrel"), state, book)
    vulcan = next(line for line in shown if "Vulcan" in line)
    assert vulcan.split() == ["1", "Vulcan", "direct", "gun", "40", "30", "1", "5/6", "yes", "yes"]


def test_a_pilot_whole_shows_points_left_of_the_most(rows: Tables, data: Any) -> None:
    state = Board(rows)
    book = Book(state, data)
    shown = text(views.pilot(state, book, "ren"), state, book)
    assert shown[0] == "Ren   daredevil, player Ken"
    assert shown[2].split() == ["40", "30", "20", "25", "9/10", "12/12", "2/3"]
    assert shown[3] == "ready, Kestrel"


def all_views(state: Board, book: Book) -> list[View]:
    shown = [views.board(state, book), views.sheets(book), *(views.sheet(book, id) for id in book.sheet_ids())]
    shown += [view for id in ("kestrel", "tender", "gains-1", "ren", "bydo") if (view := views.thing(state, book, id))]
    said = [say for say in (views.where(state), views.next_line(state)) if say]
    return [*shown, View(tuple(Line(say) for say in said))]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("session", [0, 3])
@pytest.mark.parametrize("phase", ["setup", "initiative", "won", "first", "due", "over"])
def test_no_view_lacks_a_word_or_a_field(rows: Tables, data: Any, lang: str, session: int, phase: str) -> None:
    """A missing key would show as ``<key>``, a missing field as ``{field}``."""
    rows["campaign"]["campaign"]["session"] = session
    rows["pilots"]["ren"]["where"] = "missing"
    rows["units"]["tender"] |= {"state": "inactive", "no_counter": True}
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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_of_24_units_fits_80_columns_with_its_points_and_pilots(rows: Tables, data: Any, lang: str) -> None:
    """Twelve squads against twelve, with names as a Japanese table gives them."""
    sides = {"players": ("ケストレル", "r"), "bydo": ("ゲインズ", "b")}
    rows["units"], rows["pilots"] = {}, {}
    for order in range(24):
        side = "players" if order < 12 else "bydo"
        name, letter = sides[side]
        id, number = f"u-{order}", order % 12 + 1
        rows["pilots"][f"p-{order}"] = encode(replace(REN, name=f"パイロット{number}", where=id))
        row = replace(KESTREL, name=f"{name}-{number}", handle=f"{letter}{number}", side=side, order=order)
        rows["units"][id] = encode(replace(row, pilot=f"p-{order}"))
    state = Board(rows)
    book = Book(state, data)
    shown = text(views.board(state, book), state, book, lang)
    assert max(map(cells, shown)) <= 80
    squads = [line for line in shown if "ケストレル-" in line or "ゲインズ-" in line]
    assert len(squads) == 24
    assert all("パイロット" in line and "100" in line and "3*" in line for line in squads)
