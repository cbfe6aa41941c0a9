"""The kinds of words that the verbs of time, power and movement read: ships, uses of an AP, ways to move."""

from collections.abc import Mapping, Sequence

from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.words import Candidate, Kind, Scope, find, names_of, number, one_of, option, read_word
from gmtool.systems.talon.bars import bars
from gmtool.systems.talon.words import ARC, SHIP, named, rows

AHEAD, LEFT, RIGHT, SLIP_LEFT, SLIP_RIGHT, CLOCKWISE = "ahead", "left", "right", "slip-left", "slip-right", "clockwise"
WAYS = (AHEAD, LEFT, RIGHT, SLIP_LEFT, SLIP_RIGHT)
"""What a ship may do on its move (TL-7.1); a base turns clockwise instead (TL-14)."""
USES = ("slip", "turn", "charge", "battery", "reinforce", "change", "defend", "power", "retarget")
"""What an AP buys (TL-6.1)."""
SENT = ("slip", "turn", "charge")
"""What power sent to a squadron does (TL-12.2.2)."""
_SAID_WAYS = {
    "直進": AHEAD, "左": LEFT, "右": RIGHT, "左横滑り": SLIP_LEFT, "右横滑り": SLIP_RIGHT, "時計回り": CLOCKWISE,
    "직진": AHEAD, "왼쪽": LEFT, "오른쪽": RIGHT, "왼쪽슬립": SLIP_LEFT, "오른쪽슬립": SLIP_RIGHT,
    "시계방향": CLOCKWISE,
}  # fmt: skip
_SAID_USES = {
    "横滑り": "slip", "旋回": "turn", "充電": "charge", "バッテリー": "battery",
    "強化": "reinforce", "シールド強化": "reinforce", "変更": "change", "維持": "defend", "送電": "power",
    "目標変更": "retarget",
    "슬립": "slip", "사이드슬립": "slip", "선회": "turn", "충전": "charge", "배터리": "battery",
    "강화": "reinforce", "실드강화": "reinforce", "변경": "change", "유지": "defend", "송전": "power",
    "목표변경": "retarget",
}  # fmt: skip
_SAID_MARKERS = {
    "シールド停止": "shields-down", "操舵不能": "helm-down", "動力喪失": "power-loss",
    "실드정지": "shields-down", "조타불능": "helm-down", "동력상실": "power-loss",
}  # fmt: skip
_SAID_COLOURS = {"赤": "red", "黄": "yellow", "빨강": "red", "노랑": "yellow"}


MOVER = Kind("ship", candidates=rows("ships", "missiles"))
USE = one_of("use", *USES, said=_SAID_USES)
CRITS = ("shields-down", "helm-down", "power-loss")
"""The markers of criticals that are no figure of the ship (TL-8.5)."""
CRIT = one_of("marker", *CRITS, said=_SAID_MARKERS)
MARKER = one_of("marker", *CRITS, "turn", "power", said=_SAID_MARKERS)
"""All that a critical may leave on a ship."""
BOXES = number("boxes", 0, 99)
COLOUR = one_of("colour", "red", "yellow", said=_SAID_COLOURS)
SPEED = number("speed", 0, 99)
WAY = one_of("way", *WAYS, CLOCKWISE, said=_SAID_WAYS)
BURNER_WAY = one_of("way", *WAYS, said=_SAID_WAYS)


def group_of(field: str) -> Kind:
    """A weapon group of the ship named earlier in the line: its number; of a squadron a fighter's.

    One that is lost can be named, so that the rules say what became of it; it is not among those that are listed.
    """

    def read(word: str, scope: Scope) -> str:
        ship = scope.state.ships.get(scope.given.get(field, ""))
        if ship is None:
            return find(word, "group", [])
        sheet = scope.book.ship_class(ship.sheet)
        known = list(bars(sheet, ship))
        if any(bar.lost and bar.key == half_width(word).strip() for bar in known):
            return half_width(word).strip()
        return find(word, "group", [Candidate(bar.key, within=ship.handle) for bar in known if not bar.lost])

    def offers(scope: Scope) -> list[Candidate]:
        ship = scope.state.ships.get(scope.given.get(field, ""))
        if ship is None:
            return []
        known = bars(scope.book.ship_class(ship.sheet), ship)
        return [Candidate(bar.key, names_of(scope.book.weapon(bar.group.weapon).name)) for bar in known if not bar.lost]

    return Kind("group", read, offers=offers)


GROUP = group_of("ship")


def _too_many(word: str, *taken: str) -> Refused:
    """The refusal of a word that this use does not take, with the words it does."""
    facts = {"value": word, "arguments": [Word(each) for each in taken]}
    return Refused("usage", key="too-many-words", exit=2, facts=facts)


def _what(word: str, scope: Scope) -> str:
    """What an AP is spent on: a group, an arc, a squadron, or a missile, as the use before it has it."""
    use = scope.given.get("use")
    if use == "charge":
        return str(read_word(GROUP, word, scope))
    if use == "reinforce":
        return str(read_word(ARC, word, scope))
    if use == "power":
        return str(read_word(SHIP, word, scope))
    if use == "retarget":
        return find(word, "missile", named(scope.state, "missiles"))
    raise _too_many(word, "ship", "use")


def _how(word: str, scope: Scope) -> str:
    """What the power sent does, or the missile's new target."""
    if scope.given.get("use") == "power":
        return option(word, SENT, Word("how"), said=_SAID_USES)
    if scope.given.get("use") == "retarget":
        return str(read_word(SHIP, word, scope))
    raise _too_many(word, "ship", "use", "what")


def _fighter(word: str, scope: Scope) -> str:
    """The fighter whose bar the power sent charges."""
    if scope.given.get("how") != "charge":
        raise _too_many(word, "ship", "use", "what", "how")
    return str(read_word(group_of("what"), word, scope))


def _whats(scope: Scope) -> Sequence[Candidate]:
    """What the use before it can be spent on."""
    return _offered({"charge": GROUP, "reinforce": ARC, "power": SHIP, "retarget": MISSILES}, "use", scope)


def _hows(scope: Scope) -> Sequence[Candidate]:
    """What the power sent does, or the ships that a missile may turn to."""
    return _offered({"power": SENDING, "retarget": SHIP}, "use", scope)


def _fighters(scope: Scope) -> Sequence[Candidate]:
    """The fighters of the squadron that power is sent to."""
    return _offered({"charge": group_of("what")}, "how", scope)


def _offered(kinds: Mapping[str, Kind], field: str, scope: Scope) -> Sequence[Candidate]:
    """What the kind offers that goes with a word said before; nothing where none does."""
    kind = kinds.get(scope.given.get(field, ""))
    listed = kind and (kind.offers or kind.candidates)
    return listed(scope) if listed else ()


SENDING = one_of("how", *SENT, said=_SAID_USES)
MISSILES = Kind("missile", candidates=rows("missiles"))
WHAT = Kind("what", _what, offers=_whats)
HOW = Kind("how", _how, offers=_hows)
FIGHTER = Kind("fighter", _fighter, offers=_fighters)
