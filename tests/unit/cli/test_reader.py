"""The reader: lines of the shell, of scripts, and arguments of a process."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.cli.reader import Globals, Line, join, read_argv, read_line, split
from gmtool.kernel.refusal import Refused

# Pieces that mean something to the reader, so that hypothesis puts them side by side.
PIECES = ["--", "-", "－", "−", "=", "＝", '"', "'", "\\", "#", " ", "\u3000", "--because", "--dice", "--by", "--say"]
PIECES += ["note", "odds", "try", "compare", "--lang", "ja", "ー", "３", "-3", "a", "--feint", "-c", "--json", "\ud800"]
MIXED = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
# Arguments as they come from a shell: without quotes and backslashes, which have been dealt with there.
PLAIN = st.sampled_from(
    ["attack", "r1", "O'Neil", "-3", "Last Dance", "--json", "--feint=1 2", "--by", "a=B C", "名 前", "note", "try"]
)


def words(text: str) -> tuple[str, ...]:
    return read_line(text).words


def refused(text: str) -> Refused:
    with pytest.raises(Refused) as caught:
        read_line(text)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("attack r1\u3000vulcan\tgains", ["attack", "r1", "vulcan", "gains"]),
        ('attack "Red Two" vulcan', ["attack", "Red Two", "vulcan"]),
        ("attack 'Red Two' vulcan", ["attack", "Red Two", "vulcan"]),
        ("attack O'Neil O'Hara", ["attack", "O'Neil", "O'Hara"]),
        ("'it's dark'", ["it's dark"]),
        (r'"x\"y" "a\\b" "\n"', ['x"y', r"a\b", r"\n"]),
        (r"C:\x \"", [r"C:\x", r"\""]),
        ('5" --by="Ken M" unit="Ken M"', ['5"', "--by=Ken M", "unit=Ken M"]),
        ("\"\" ''", ["", ""]),
        ('x[/]y "[b]ravo"', ["x[/]y", "[b]ravo"]),
        ("", []),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize("text", ['attack "Red', "attack 'Red", '"a"b', "'tis dark", '--by="Ken', '"a\\"'])
def test_an_unbalanced_quote_is_refused_and_shown(text: str) -> None:
    refusal = refused(text)
    assert (refusal.code, refusal.key, refusal.exit) == ("usage", "unbalanced-quote", 2)
    assert refusal.facts["value"] in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# all of it", []),
        ("  # all of it", []),
        ("status  # rest", ["status"]),
        ("status\u3000\u3000# rest", ["status"]),
        ("status #1", ["status", "#1"]),
        ("status  '#1'", ["status", "#1"]),
        ("status a#1", ["status", "a#1"]),
    ],
)
def test_comments_of_scripts(text: str, expected: list[str]) -> None:
    assert split(text, script=True) == expected
    assert list(read_line(text, script=True).words) == expected


def test_the_shell_has_no_comments() -> None:
    assert split("status  # 1") == ["status", "#", "1"]


def test_a_comment_is_not_what_was_typed() -> None:
    assert read_line("  status --json   # why not", script=True).typed == "status --json"


def test_prefixes() -> None:
    assert read_line("attack r1")[:2] == ((), ("attack", "r1"))
    assert read_line("odds attack r1")[:2] == (("odds",), ("attack", "r1"))
    assert read_line("--json try attack r1")[:2] == (("try",), ("attack", "r1"))
    assert read_line("odds --json compare a / b")[:2] == (("odds", "compare"), ("a", "/", "b"))
    assert read_line("try odds attack")[:2] == (("try",), ("odds", "attack"))
    assert read_line("compare odds")[:2] == ((), ("compare", "odds"))


def test_the_verb_is_read_in_full_width_and_names_stay() -> None:
    assert read_line("ｏｄｄｓ\u3000ａｔｔａｃｋ アロー２ ｂ３")[:2] == (("odds",), ("attack", "アロー２", "ｂ３"))
    assert words("３３\u3000６０") == ("３３", "６０")


def test_global_options_stand_anywhere() -> None:
    line = read_line("--json attack -c Dance r1 --lang ja vulcan --home=x/y gains --for bydo --no-color --yes --fresh")
    assert line.words == ("attack", "r1", "vulcan", "gains")
    assert line.globals == Globals(
        campaign="Dance", home="x/y", json=True, lang="ja", no_color=True, fresh=True, yes=True, for_side="bydo"
    )


def test_repeated_options_add_up() -> None:
    line = read_line('attack --dice 33 --dice "60 07" --say once=yes --say defence.b2=focus --by Ken --by b2="Mio T"')
    assert line.globals.dice == "33 60 07"
    assert line.globals.say == (("once", "yes"), ("defence.b2", "focus"))
    assert line.globals.by == (("", "Ken"), ("b2", "Mio T"))


def test_full_width_options_and_dashes() -> None:
    line = read_line("attack －－ｆｅｉｎｔ １０ －－ｄｉｃｅ＝３３／６０ −−json －ｃ 名前Ａ --Ｓay key＝Ｂ")
    assert line.words == ("attack", "--feint", "１０", "--Say", "key＝Ｂ")
    assert (line.globals.dice, line.globals.json, line.globals.campaign) == ("33/60", True, "名前Ａ")
    assert read_line("x --say ｋ．ｇ＝Ｂ").globals.say == (("k.g", "Ｂ"),)


@pytest.mark.parametrize(
    "word", ["-3", "−3", "－３", "+2", "-", "-3hp", "-Ace", "―json", "ーー", "――json", "=92", "-.5"]
)
def test_values_and_names_that_look_like_options(word: str) -> None:
    assert words(f"set x {word} y") == ("set", "x", word, "y")


def test_a_value_of_an_option_may_be_negative() -> None:
    assert read_line("roll --dice -3").globals.dice == "-3"


def test_options_of_the_verb_stay_with_their_values() -> None:
    assert words("attack r1 --feint -10 --mod=－20 -x --json") == ("attack", "r1", "--feint", "-10", "--mod=－20", "-x")


def test_two_dashes_end_the_options() -> None:
    line = read_line("damage -- --json 3")
    assert line.words == ("damage", "--", "--json", "3")
    assert not line.globals.json
    assert words("-- damage x") == ("damage", "x")


def test_an_option_in_quotes_is_a_word() -> None:
    assert words('damage "--json"') == ("damage", "--json")


@pytest.mark.parametrize(
    ("text", "text_of_note"),
    [
        ('note it\'s #1  "dark" --json', 'it\'s #1  "dark" --json'),
        ("note   \u3000Alpha: 'tis  # no comment ", "Alpha: 'tis  # no comment"),
        ("try note -- x", "-- x"),
    ],
)
def test_a_note_is_taken_as_it_stands(text: str, text_of_note: str) -> None:
    for script in (False, True):
        assert read_line(text, script).words == ("note", text_of_note)


def test_options_before_note_are_read() -> None:
    line = read_line("--json -c Dance note --force")
    assert (line.words, line.globals) == (("note", "--force"), Globals(json=True, campaign="Dance"))


def test_a_note_without_text_and_help_for_it() -> None:
    assert words("note") == ("note",)
    assert read_line("note --help") == Line((), ("note",), Globals(help=True), "note --help")


@pytest.mark.parametrize(
    ("rest", "because", "left", "force"),
    [
        ("--because it's Ken's turn, #2 --force", "it's Ken's turn, #2 --force", (), False),
        ("--because 'tis dark", "'tis dark", (), False),
        ('--because the "old" rule', 'the "old" rule', (), False),
        ("--because dark 'tis", "dark 'tis", (), False),
        ('--because "it was dark" --force', "it was dark", (), True),
        ('--because "it was dark" b2', "it was dark", ("b2",), False),
        ("--because dark --force", "dark", (), True),
        ("--because=dark b2 --force", "dark", ("b2",), True),
        ("--because dark  # so", "dark  # so", (), False),
        ('--because "dark"  # so', "dark", (), False),
    ],
)
def test_because_takes_the_rest_unless_it_plainly_ends(
    rest: str, because: str, left: tuple[str, ...], force: bool
) -> None:
    line = read_line(f"attack r1 {rest}", script=True)
    assert (line.globals.because, line.words, line.globals.force) == (because, ("attack", "r1", *left), force)


def test_because_before_the_verb_is_one_word() -> None:
    line = read_line("--because dark attack r1")
    assert (line.globals.because, line.words) == ("dark", ("attack", "r1"))


@pytest.mark.parametrize(
    "text", ["x --dice", "x --because --force", "x --lang --json", "x --home=", 'x -c ""', "x --by --"]
)
def test_a_missing_value_is_refused(text: str) -> None:
    refusal = refused(text)
    assert (refusal.key, refusal.exit) == ("option-needs-value", 2)
    assert str(refusal.facts["option"]).startswith("--")


def test_an_unknown_language_is_refused_with_the_choices() -> None:
    refusal = refused("status --lang de")
    assert refusal.key == "unknown-choice"
    assert refusal.facts == {"option": "--lang", "value": "de", "choices": ["en", "ja", "ko"]}
    assert read_line("status --lang ＪＡ").globals.lang == "ja"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("x --json=1", "option-takes-none"),
        ("x -c a -c b", "option-twice"),
        ("x --say k=1 --say k=2", "option-twice"),
        ("x --say focus", "option-form"),
        ("x --say =focus", "option-form"),
        ("x --say defence=", "option-form"),
        ("x --by gains=", "option-form"),
    ],
)
def test_other_misuse_of_options(text: str, key: str) -> None:
    assert refused(text).key == key


def test_the_same_said_twice_is_no_matter() -> None:
    assert read_line("x -c a -c a").globals.campaign == "a"


def test_arguments_read_like_the_line() -> None:
    line = read_argv(["attack", "Red Two", "--dice", "33 60", "--because", "it's dark", "--force"])
    assert line.words == ("attack", "Red Two")
    assert line.globals == Globals(dice="33 60", because="it's dark", force=True)
    assert line.typed == 'attack "Red Two" --dice "33 60" --because "it\'s dark" --force'
    assert read_line(line.typed) == line


@pytest.mark.parametrize(
    ("argv", "text", "options"),
    [
        (["a b", "--json"], "a b", Globals(json=True)),
        (["a", "--home", "x y", "--no-color"], "a", Globals(home="x y", no_color=True)),
        (["a", "--json", "-c=D", "--lang", "ja"], "a", Globals(json=True, campaign="D", lang="ja")),
        (["a", "--json", "b"], "a --json b", Globals()),
        (["--json"], "--json", Globals()),
        (["a", "--home"], "a --home", Globals()),
        (["a --json"], "a --json", Globals()),
        (["a", "--force"], "a --force", Globals()),
    ],
)
def test_options_of_place_and_form_at_the_end_of_a_notes_arguments(
    argv: list[str], text: str, options: Globals
) -> None:
    """A process is told where and how by arguments of their own; in a typed line all of it is the note."""
    line = read_argv(["note", *argv])
    assert (line.words, line.globals) == (("note", text), options)
    assert read_line(line.typed) == line


def test_arguments_of_a_note_and_a_bare_reason() -> None:
    assert read_argv(["--json", "note", "it's", "--force", "x  y"]).words == ("note", "it's --force x  y")
    line = read_argv(["attack", "--because", "it's", "Ken's", "turn"])
    assert line.globals.because == "it's Ken's turn"
    assert line.typed == "attack --because it's Ken's turn"


def test_empty_arguments_are_words() -> None:
    assert read_argv(["campaign", "new", ""]).words == ("campaign", "new", "")


def test_what_is_said_wins_over_the_defaults_of_the_shell() -> None:
    shell = Globals(campaign="Dance", lang="ja", by=(("", "Ken"), ("b2", "Mio")), no_color=True)
    line = Globals(lang="ko", by=(("b2", "Ren"),), json=True, say=(("k", "v"),))
    assert line.merge(shell) == Globals(
        campaign="Dance", lang="ko", by=(("", "Ken"), ("b2", "Ren")), no_color=True, json=True, say=(("k", "v"),)
    )
    assert Globals().merge(shell) == shell


@given(MIXED, st.booleans())
def test_any_text_is_a_line_or_refused(text: str, script: bool) -> None:
    with suppress(Refused):
        assert read_line(text, script).typed in text


@given(st.lists(MIXED | st.sampled_from(PIECES), max_size=6))
def test_any_arguments_are_a_line_or_refused(argv: list[str]) -> None:
    with suppress(Refused):
        assert read_argv(argv).prefix in ((), ("odds",), ("odds", "compare"), ("try",))


@given(st.lists(MIXED, max_size=6))
def test_joined_words_are_split_into_the_same(argv: list[str]) -> None:
    assert split(join(argv)) == argv


@given(st.lists(PLAIN, max_size=6))
def test_what_was_given_as_arguments_can_be_typed_as_a_line(argv: list[str]) -> None:
    try:
        line = read_argv(argv)
    except Refused:
        return
    assert read_line(line.typed) == line
