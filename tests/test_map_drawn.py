"""``map show`` and ``map svg`` at the real command line: what is drawn, what is refused, what may be written over."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from gmtool.text.width import cells
from tests.conftest import ROOT
from tests.hidden import Tty

Gm = Callable[..., Any]
SVG = "{http://www.w3.org/2000/svg}"
TABLE = """
campaign new Dance --system rtype
side add Players --players
side add Bydo
unit add kestrel --side players
unit add round-force --side players
unit add lullaby Ark --side players
unit add gains --side bydo --count 2
unit add thorn-force Thorn --side bydo
map use narrows
attach kestrel round-force --front
deploy kestrel 0202
deploy ark 0208
deploy gains-1 0803
deploy gains-2 1403
deploy thorn 1203
"""
FIGHT = """
battle start
initiative --dice "6 6 1 1"
first players
pass ark
search kestrel gains-1
"""
MAP = """
    01  02  03  04  05  06  07  08  09  10  11  12  13  14  15  16
01  .   .   .   .   .   #   #   .   .   .   .   .   .   .   .   .
02    .   r1> r2) .   .   #   #   .   .   .   .   .   .   .   .   .
03  .   .   .   .   .   :   :  <b1: .   .   .  [b3  .  {b2F .   .
04    .   .   .   .   .   #   :   .   .   #   .   .   .   .   .   .
05  .   .   .   .   .   .   .   $   :   #   #   .   .   .   .   .
06    .   .   .   .   .   .   .   .   .   #   #   .   .   .   .   .
07  .   .   .   .   .   .   .   .   :   .   .   :   .   .   .   .
08    r3+ r3> r3= .   .   :   .   .   .   .   .   .   .   .   .   .
09  .   .   .   .   .   #   :   .   .   .   .   .   :   .   .   .
10    .   .   .   .   .   #   :   :   .   .   .   .   :   .   .   .
11  .   .   .   .   .   #   :   :   .   .   .   .   :   .   .   .

"""
HEAD = {
    "en": "The Narrows   turn 1, first phase: Players",
    "ja": "The Narrows   第1ターン、先攻フェイズ：Players",
    "ko": "The Narrows   1턴, 선공 페이즈: Players",
}
BELOW = {
    "en": """\
. open   # wall   : reef   F facility   $ resource   < > facing   ( ) force
  { } not searched   [ ] force, not searched   = dummy hex   + part
Players   r1 Kestrel   r2 Round Force   r3 Ark
Bydo   b1 Gains-1   b2 Gains-2   b3 Thorn
0805 Ashfall vein   1403 Relay station
b1 searched by Kestrel   not searched: b2 b3   acted: r3
""",
    "ja": """\
. 空きヘクス   # 障害物   : 岩礁   F 施設   $ 資源   < > 向き   ( ) フォース
  { } 未索敵   [ ] 未索敵のフォース   = ダミーヘクス   + 部位
Players   r1 Kestrel   r2 Round Force   r3 Ark
Bydo   b1 Gains-1   b2 Gains-2   b3 Thorn
0805 Ashfall vein   1403 Relay station
b1 索敵：Kestrel   未索敵：b2 b3   行動済み：r3
""",
    "ko": """\
. 빈 헥스   # 장애물   : 암초   F 시설   $ 자원   < > 방향   ( ) 포스
  { } 미색적   [ ] 미색적 포스   = 더미 헥스   + 부위
Players   r1 Kestrel   r2 Round Force   r3 Ark
Bydo   b1 Gains-1   b2 Gains-2   b3 Thorn
0805 Ashfall vein   1403 Relay station
b1 색적: Kestrel   미색적: b2 b3   행동 완료: r3
""",
}
LANGS = tuple(HEAD)
HOSTILE = '</text><script>alert(1)</script>&<b x="\'">'
VOID = """
format = 1
[map]
id = "void"
columns = 99
rows = 99
[[terrain]]
kind = "wall"
hexes = ["2020-3040"]
[[terrain]]
kind = "resource"
name = "ソルモナジウムの非常に長い名前を持つ鉱脈"
resource = "etherium"
amount = 5
hexes = ["9999"]
"""
EMPTY = 'format = 1\n[map]\nid = "speck"\nname = "Speck"\ncolumns = 1\nrows = 1\n'


def play(gm: Gm, lines: str) -> None:
    for line in lines.strip().splitlines():
        ran = gm("run", "-", input=line)
        assert ran.code == 0, (line, ran)


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The table set, nobody fights yet."""
    play(gm, TABLE)
    return gm


@pytest.fixture
def fight(table: Gm) -> Gm:
    """Turn 1, the players' phase: the Kestrel has found Gains-1, the Ark has passed."""
    play(table, FIGHT)
    return table


@pytest.fixture
def own_maps(fight: Gm, home: Path) -> Gm:
    """Two maps of the GM's own besides: one of 99 by 99 hexes, one of a single hex."""
    rules = home / "dance" / "rules"
    rules.mkdir()
    (rules / "void.toml").write_text(VOID, encoding="utf-8")
    (rules / "speck.toml").write_text(EMPTY, encoding="utf-8")
    return fight


def terminal(*argv: str, width: int, color: bool = False) -> str:
    """What a terminal of this width is sent."""
    from gmtool.cli.main import run

    out, err = Tty(), Tty()
    env = {**os.environ, "COLUMNS": str(width), "TERM": "xterm", **({} if color else {"NO_COLOR": "1"})}
    assert run([*argv], stdin=Tty(), stdout=out, stderr=err, env=env) == 0, err.getvalue()
    return out.getvalue()


def result(gm: Gm, *argv: str) -> dict[str, Any]:
    found: dict[str, Any] = gm(*argv, "--json").objects[0]["result"]
    return found


def refusal(gm: Gm, *argv: str) -> tuple[int, str]:
    ran = gm(*argv, "--json")
    return ran.code, ran.objects[0]["error"]["code"]


# on the screen


@pytest.mark.parametrize("lang", LANGS)
def test_the_map_with_everyone_on_it_and_a_legend_of_what_is_there(fight: Gm, lang: str) -> None:
    shown = fight("map", "show", "--lang", lang, env={"COLUMNS": "80"}).out
    assert shown == f"{HEAD[lang]}\n{MAP}{BELOW[lang]}"


@pytest.mark.parametrize("lang", LANGS)
def test_colour_adds_and_tells_nothing_by_itself(fight: Gm, lang: str) -> None:
    painted = terminal("map", "show", "--lang", lang, width=80, color=True)
    assert "\x1b[" in painted
    assert re.sub("\x1b\\[[0-9;]*m", "", painted) == terminal("map", "show", "--lang", lang, width=80)


def test_in_the_set_up_sortie_hexes_are_marked_and_nobody_is_unsearched(table: Gm) -> None:
    shown = table("map", "show").out
    assert "01  ,   ,   ,   .   .   #   #   ." in shown
    assert ", sortie hexes, Players" in shown
    assert "{" not in shown


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("lang", LANGS)
def test_no_line_is_wider_than_the_screen(own_maps: Gm, lang: str, width: int) -> None:
    name = "ｱ紅蓮の翼を継ぐ者たちの長い名前の機体" * 2
    play(own_maps, f'unit add gains "{name}" --side bydo\nmap use void')
    play(own_maps, "deploy b1 5050\ndeploy b4 9997\ndeploy ark 5250")
    for options in ((), ("--at", "9999"), ("--at", "0101"), ("ark", "--range", "30"), ("b4",)):
        lines = terminal("map", "show", *options, "--lang", lang, width=width).splitlines()
        assert max(map(cells, lines)) <= width, options
        piped = own_maps("map", "show", *options, "--lang", lang, env={"COLUMNS": str(width)}).out.splitlines()
        assert max(cells(line) for line in piped if name not in line) <= width


def test_what_does_not_fit_is_shown_around_what_is_looked_at(own_maps: Gm) -> None:
    play(own_maps, "map use void\ndeploy b1 5050")
    lines = terminal("map", "show", width=80).splitlines()
    heads = next(line for line in lines if line.startswith("    ")).split()
    assert (heads[0], heads[-1], len(heads)) == ("41", "58", 18)
    assert sum(bool(re.match("[0-9]{2}  ", line)) for line in lines) == 40
    assert "columns 41 to 58 of 99, rows 30 to 69 of 99   another part: --at HEX" in "\n".join(lines)
    corner = terminal("map", "show", "--at", "9999", width=80)
    assert "columns 82 to 99 of 99, rows 60 to 99 of 99" in corner
    assert re.search(r"^99 .* \$ *$", corner, re.MULTILINE)


def test_in_a_pipe_the_parts_follow_one_another_and_nothing_is_left_out(own_maps: Gm) -> None:
    play(own_maps, "map use void")
    shown = own_maps("map", "show", env={"COLUMNS": "80"}).out
    heads = [column for line in shown.splitlines() if line.startswith("    ") for column in line.split()]
    assert heads == [f"{column:02d}" for column in range(1, 100)]
    assert "--at" not in shown


def test_a_map_of_one_hex_with_nobody_on_it(own_maps: Gm) -> None:
    play(own_maps, "map use speck")
    assert own_maps("map", "show").out == "Speck   turn 1, first phase: Players\n\n    01\n01  .\n\n. open\n"
    assert result(own_maps, "map", "show")["hexes"] == {}


def test_handles_of_three_letters_keep_the_rows_in_line(table: Gm) -> None:
    play(table, "unit add gains --side bydo --count 8\ndeploy b11 0603\ndeploy b10 1001")
    lines = table("map", "show", env={"COLUMNS": "120"}).out.splitlines()
    heads = next(line for line in lines if line.startswith("    "))
    row = next(line for line in lines if line.startswith("03"))
    assert row[heads.index("06") - 1 :].startswith("<b11: ")
    assert row[heads.index("14") - 1 :].startswith("<b2F ")


def test_where_the_sheet_fits_only_without_it_the_sign_under_a_long_handle_is_said_below(table: Gm) -> None:
    """Sixteen columns of four cells fit 80, of six they do not; b11 stands in the reef (0603)."""
    play(table, "unit add gains --side bydo --count 8\ndeploy b11 0603\ndeploy b10 1001")
    shown = table("map", "show", env={"COLUMNS": "80"}).out
    lines = shown.splitlines()
    heads = next(line for line in lines if line.startswith("    "))
    row = next(line for line in lines if line.startswith("03"))
    assert heads.split()[-1] == "16"
    assert row[heads.index("06") - 1 :].startswith("<b11")
    assert "under b11: reef" in lines
    assert max(map(len, lines)) <= 80


def test_without_a_map_there_is_nothing_to_draw(gm: Gm) -> None:
    play(gm, "campaign new Dance --system rtype\nside add Players --players\nunit add kestrel --side players")
    for line in (("map", "show"), ("map", "show", "--at", "0101"), ("map", "svg", "x.svg"), ("map", "show", "kestrel")):
        ran = gm(*line)
        assert ran.code == 1
        assert "No map lies on the table." in ran.err
        assert "map use MAP" in ran.err
        assert refusal(gm, *line) == (1, "no-map")
    assert not Path("x.svg").exists()


# what is reached


def test_distances_go_round_walls_and_leave_them_out(fight: Gm) -> None:
    """0503: six hexes beside it; of the twelve behind these three are walls (0601, 0602, 0604; RT-1.4)."""
    found = result(fight, "map", "show", "--at", "0503", "--range", "2")["distances"]
    assert {hex for hex, n in found.items() if n == 1} == {"0403", "0603", "0402", "0502", "0404", "0504"}
    assert {hex for hex, n in found.items() if n == 2} == {
        "0303", "0703", "0302", "0304", "0401", "0501", "0405", "0505", "0605",
    }  # fmt: skip


def test_numbers_stand_in_the_hexes_and_who_is_reached_is_listed_by_distance(fight: Gm) -> None:
    """The Ark has 0108 to 0308. From 0708, behind the reef, 0308 is four steps away, 0608 one."""
    shown = fight("map", "show", "--at", "0708", "--range", "4", env={"COLUMNS": "80"}).out
    assert "08    r3+ r3> r3= 3   2  :1   .   1   2   3   4   .   .   .   .   ." in shown
    assert "1-4 distance" in shown
    assert "in reach: r3 4" in shown


def test_the_distance_of_a_unit_is_counted_from_all_its_hexes_and_its_forces(fight: Gm) -> None:
    """The Kestrel at 0202 carries its force at 0302: 0402 is one step away."""
    assert result(fight, "map", "show", "kestrel", "--range", "1")["distances"]["0402"] == 1


def test_a_weapon_reaches_from_the_body(fight: Gm) -> None:
    found = result(fight, "map", "show", "kestrel", "--weapon", "vulcan")
    assert set(found["distances"]) == {"0102", "0302", "0201", "0301", "0203", "0303"}


def test_an_area_lies_before_the_force_in_front_and_is_mirrored_to_the_left(table: Gm) -> None:
    """The wave cannon covers a line of six (RT-4.13)."""
    play(table, "sortie players none")
    right = result(table, "map", "show", "kestrel", "--weapon", "3")["area"]
    assert right == ["0402", "0502", "0602", "0702", "0802", "0902"]
    play(table, "deploy kestrel 1002 left")
    left = result(table, "map", "show", "kestrel", "--weapon", "3")["area"]
    assert left == ["0302", "0402", "0502", "0602", "0702", "0802"]
    shown = table("map", "show", "kestrel", "--weapon", "3").out
    assert "02    .   .   *   *   *  #*  #*   *  (r2 <r1  .   .   .   .   .   ." in shown
    assert "* area" in shown


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("map", "show", "--range", "3"), (2, "usage")),
        (("map", "show", "--weapon", "1"), (2, "usage")),
        (("map", "show", "ark", "--at", "0101"), (2, "usage")),
        (("map", "show", "--at", "1712"), (2, "bad-value")),
        (("map", "show", "ark", "--weapon", "9"), (2, "unknown-name")),
        (("map", "show", "nobody"), (2, "unknown-name")),
        (("map", "svg"), (2, "usage")),
    ],
)
def test_what_is_not_understood(table: Gm, line: tuple[str, ...], code: tuple[int, str]) -> None:
    assert refusal(table, *line) == code


def test_a_unit_that_stands_nowhere_cannot_be_looked_at(table: Gm) -> None:
    play(table, "deploy thorn off")
    assert refusal(table, "map", "show", "thorn") == (1, "bad-value")


@pytest.mark.parametrize("at", ["zz", "9999", "0000", "０１０x", "1712"])
def test_a_unit_set_by_hand_to_what_is_no_hex_of_the_map_stands_nowhere(fight: Gm, at: str) -> None:
    assert refusal(fight, "set", "units.gains-2.at", at) == (2, "bad-value"), "deploy is the way while a map lies"
    play(fight, "battle end --leave-open")
    play(fight, f"set units.gains-2.at {at}\nmap use narrows")
    assert "b2" not in fight("map", "show").out
    assert refusal(fight, "map", "show", "gains-2", "--range", "2") == (1, "bad-value")
    assert "b2 Gains-2" not in [title.text for title in picture(fight).iter(f"{SVG}title")]


def test_a_weapon_must_reach_a_hex_that_can_be_aimed_at(table: Gm) -> None:
    """From 0408 the Ark's dummy hex 0308 is one step away and its body 0208 two (RT-1.3, 1.6)."""
    play(table, "deploy gains-2 0408")
    assert "in reach: r3 1\n" in table("map", "show", "gains-2", "--range", "1").out
    assert "in reach: none\n" in table("map", "show", "gains-2", "--weapon", "flak").out


def test_the_same_as_data(fight: Gm) -> None:
    found = result(fight, "map", "show")
    assert found["map"] == {"name": "The Narrows", "columns": 16, "rows": 11, "shoved": "even"}
    assert found["hexes"]["0803"] == {"terrain": "reef", "pieces": [{"unit": "gains-1", "role": "body"}]}
    assert found["hexes"]["0108"] == {"pieces": [{"unit": "ark", "role": "part", "part": "aft-turret"}]}
    assert found["hexes"]["0308"] == {"pieces": [{"unit": "ark", "role": "dummy"}]}
    assert found["hexes"]["0805"] == {"terrain": "resource", "place": "ashfall-vein"}
    assert found["sortie"]["players"][:2] == ["0101", "0201"]
    assert found["distances"] == {}


def test_looking_takes_in_nothing_that_only_pictures_need(fight: Gm) -> None:
    code = "import sys; from gmtool.cli.main import main\ntry: main(['map', 'show'])\nfinally: print([*sys.modules])"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
    modules = ran.stdout.splitlines()[-1]
    assert "'gmtool.render.hexes'" in modules
    assert not re.search("gmtool.render.svg|xml|typer|'rich'", modules)


# on paper


def picture(gm: Gm, *options: str, file: str = "map.svg") -> ElementTree.Element:
    ran = gm("map", "svg", file, *options)
    assert ran.code == 0, ran
    return ElementTree.fromstring(Path(file).read_text(encoding="utf-8"))


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_one_page_with_title_moment_labels_pieces_places_and_legend(fight: Gm) -> None:
    root = picture(fight)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("297mm", "210mm", "0 0 297 210")
    found = texts(root)
    assert {"The Narrows", "turn 1, first phase: Players", "0101", "1611", "r1", "b3", "Gains-2"} <= set(found)
    assert {"wall", "reef", "not searched", "r2 Round Force", "0805 Ashfall vein"} <= set(found)
    assert [title.text for title in root.iter(f"{SVG}title")][1:] == [
        "r3 Ark", "r1 Kestrel", "r2 Round Force", "b1 Gains-1", "b2 Gains-2", "b3 Thorn",
    ]  # fmt: skip


def test_a_tall_map_stands_and_everything_lies_on_the_page(fight: Gm, home: Path) -> None:
    rules = home / "dance" / "rules"
    rules.mkdir()
    (rules / "shaft.toml").write_text('format = 1\n[map]\nid = "shaft"\ncolumns = 8\nrows = 20\n', encoding="utf-8")
    play(fight, "map use shaft\ndeploy ark 0720")
    root = picture(fight, "ark", "--range", "5")
    assert root.get("viewBox") == "0 0 210 297"
    for text in root.iter(f"{SVG}text"):
        if "x" in text.attrib and text.get("class") != "key":  # those that are placed on the page itself
            assert 10 <= float(text.get("x", "")) <= 200
            assert 10 <= float(text.get("y", "")) <= 287


def test_nothing_in_a_picture_comes_from_outside_or_does_anything(fight: Gm) -> None:
    root = picture(fight)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "style", "defs", "pattern", "path", "rect", "circle", "g", "use", "text", "tspan",
    }  # fmt: skip
    for element in root.iter():
        assert all(value.startswith("#") for key, value in element.items() if key.endswith("href"))
        assert not [key for key in element.attrib if key.startswith("on")]
    content = Path("map.svg").read_text(encoding="utf-8")
    assert not re.search(r"@import|url\((?!#)|https?:(?!//www\.w3\.org/2000/svg)", content)


@pytest.mark.parametrize("name", [HOSTILE, "]]>&amp;", "A\uffff\ufffeB", "🚀👨‍🚀", "&#0;%s{0}\\", "か゛" * 19])
def test_names_are_text_whatever_they_are_made_of(fight: Gm, name: str) -> None:
    for n, path in enumerate(("units.gains-1.name", "units.ark.name", "sides.bydo.name"), 1):
        assert fight("set", path, f"{name} {n}").code == 0
    root = picture(fight)
    shown = re.sub("[\ufffe\uffff]", "\ufffd", name)
    assert f"b1 {shown} 1" in [title.text for title in root.iter(f"{SVG}title")]
    assert not list(root.iter(f"{SVG}script"))
    assert "b1" in texts(root)


@pytest.mark.parametrize("lang", LANGS)
def test_a_picture_speaks_the_language_and_is_the_same_each_time(fight: Gm, lang: str) -> None:
    words = {"en": "not searched", "ja": "未索敵", "ko": "미색적"}
    root = picture(fight, "--lang", lang)
    assert root.get("lang") == lang
    assert words[lang] in texts(root)
    first = Path("map.svg").read_bytes()
    picture(fight, "--lang", lang)
    assert Path("map.svg").read_bytes() == first


def test_a_sheet_of_99_by_99_has_numbers_at_its_edge_and_handles_that_can_be_read(own_maps: Gm) -> None:
    play(own_maps, "map use void\ndeploy b1 5050\ndeploy ark 2222 --force")
    root = picture(own_maps)
    assert {"05", "95", "b1", "r3"} <= set(texts(root))
    assert "5050" not in texts(root)
    assert Path("map.svg").stat().st_size < 100_000


def test_a_map_of_one_hex_is_drawn_no_bigger_than_is_good(own_maps: Gm) -> None:
    play(own_maps, "map use speck")
    assert {"Speck", "0101"} <= set(texts(picture(own_maps)))


def test_for_a_side_the_picture_says_so(fight: Gm) -> None:
    assert "turn 1, first phase: Players · as Bydo may know it" in texts(picture(fight, "--for", "bydo"))


# where it goes


def test_a_picture_of_ours_is_written_over_and_nothing_else_without_a_yes(fight: Gm) -> None:
    picture(fight)
    play(fight, "set units.ark.name Noah")
    assert "Noah" in texts(picture(fight))
    other = Path("other.svg")
    other.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    assert refusal(fight, "map", "svg", "other.svg") == (1, "file-exists")
    assert other.read_text(encoding="utf-8") == "<svg xmlns='http://www.w3.org/2000/svg'/>"
    assert "Noah" in texts(picture(fight, "--yes", file="other.svg"))


def test_folders_devices_links_and_files_of_a_campaign_are_not_written_to(fight: Gm, home: Path) -> None:
    Path("folder").mkdir()
    assert refusal(fight, "map", "svg", "folder", "--yes") == (4, "disk")
    assert refusal(fight, "map", "svg", os.devnull, "--yes") == (4, "disk")
    assert refusal(fight, "map", "svg", "nowhere/map.svg") == (4, "disk")
    journal = home / "dance" / "journal.jsonl"
    before = journal.read_bytes()
    assert refusal(fight, "map", "svg", str(journal), "--yes") == (1, "file-exists")
    assert journal.read_bytes() == before
    assert refusal(fight, "map", "svg", "", "--yes") == (2, "bad-value")


@pytest.mark.parametrize("name", ["m.png", "map", "m.svgz", "m.md"])
def test_a_picture_is_written_to_no_name_of_another_kind(fight: Gm, name: str) -> None:
    assert refusal(fight, "map", "svg", name, "--yes") == (2, "bad-value")
    assert not Path(name).exists()


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_link_is_never_written_through(fight: Gm) -> None:
    picture(fight)
    Path("precious").write_text("mine", encoding="utf-8")
    for target in ("precious", "map.svg"):
        Path("link.svg").symlink_to(target)
        assert refusal(fight, "map", "svg", "link.svg") == (1, "file-exists")
        assert fight("map", "svg", "link.svg", "--yes").code == 0
        assert not Path("link.svg").is_symlink()
        Path("link.svg").unlink()
    assert Path("precious").read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["map.svg", "precious"]


# the board


@pytest.mark.parametrize("lang", LANGS)
def test_the_board_has_a_column_of_hexes_where_a_map_lies_on_the_table(fight: Gm, lang: str) -> None:
    heads = {"en": "hex", "ja": "位置", "ko": "위치"}
    for options in ((), ("--for", "players"), ("ark",)):
        lines = terminal("status", *options, "--lang", lang, width=80).splitlines()
        assert max(map(cells, lines)) <= 80
    lines = terminal("status", "--lang", lang, width=80).splitlines()
    at = lines[1].index(heads[lang])
    start = cells(lines[1][:at])
    rows = {line.split()[0]: line for line in lines if re.match("[rb][0-9] ", line)}
    assert {handle: row[start : start + 4] for handle, row in rows.items()} == {
        "r1": "0202", "r2": "0302", "r3": "0208", "b1": "0803", "b2": "1403", "b3": "1203",
    }  # fmt: skip
    play(fight, "map clear")
    assert heads[lang] not in terminal("status", "--lang", lang, width=80)
