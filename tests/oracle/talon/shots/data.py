"""The tables of the rulebook, written a second time: what a class, a weapon and a critical come to (TL-5, 8.3, 8.5)."""

from typing import NamedTuple

ARCS = ("front", "right", "rear", "left")
LETTERS = dict(zip("FRBL", ARCS, strict=True))


class Group(NamedTuple):
    """Weapons that fire together, how many, through which arcs, and the boxes of their bar."""

    weapon: str
    count: int
    arcs: tuple[str, ...]
    red: int
    yellow: int


class Class(NamedTuple):
    """A class: shields by arc, hull boxes, the critical ones among them, groups, the blast, points, its kind."""

    id: str
    shields: dict[str, int]
    hull: int
    critical: tuple[int, ...]
    groups: tuple[Group, ...]
    blast: int
    points: int
    kind: str = "ship"


# id, shields F/R/B/L, hull with its critical boxes, groups (weapon, count, arcs, red, yellow), blast, points
SHEETS = """
terran-bb    8 7 7 7   9 5     ph2FL12 wm1F25 ph2FR12      4 194
terran-bc    7 5 5 5   6 4     ph1FL11 to2F24 ph1FR11      3 134
terran-ca    6 5 4 5   6 4     ph1FL11 to1F22 ph1FR11      3 115
terran-cl    5 4 3 4   5 3     ph1FRL11 to1FRL22           2 88
terran-cv    4 4 4 4   6 3,5   ph1FBL11 ph1FRB11           4 70
terran-dd    3 3 2 3   4 2     to1FRL22                    1 55
terran-sc    2 1 1 1   2 -     ph1FRL11                    1 37
terran-ftr   0 0 0 0   2 -     ph1F11                      0 44
terran-base  7 7 7 7   9 5     ph2FBL12 ph2FRB12 wm1R25    5 184
talon-dn     11 9 8 9  10 5,7  di2FL14 fu2F36 di2FR14      5 218
talon-bb     9 7 6 7   8 4,6   di2FL14 fu1F33 di2FR14      4 179
talon-bc     8 4 4 4   7 3,5   di2FRL14 mi3F20 di1F12      3 142
talon-ca     7 4 3 4   7 3,5   di2FL14 di2FR14             3 115
talon-cl     6 3 3 3   5 2,4   di1FRL12 di2F14             2 88
talon-dd     4 2 2 2   4 1,3   mi1FRL20 mi1F20             1 48
talon-ff     3 2 2 2   3 2     di1F12 di1F12               1 44
talon-base   7 7 7 7   10 5,7  di2FBL14 di2FRB14 mi2FRB20  5 184
"""
WEAPONS = {
    "ph": "phaser", "to": "torpedo", "wm": "wave-motion-gun", "di": "disruptor", "fu": "fusion-cannon", "mi": "missile",
}  # fmt: skip


def _group(text: str) -> Group:
    weapon, count, arcs = WEAPONS[text[:2]], int(text[2]), text[3:-2]
    return Group(weapon, count, tuple(LETTERS[each] for each in arcs), int(text[-2]), int(text[-1]))


def _class(line: str) -> Class:
    id, *words = line.split()
    shields, (hull, critical, *groups, blast, points) = [int(word) for word in words[:4]], words[4:]
    kind = {"base": "base", "ftr": "squadron"}.get(id.partition("-")[2], "ship")
    boxes = tuple(int(box) for box in critical.split(",") if box != "-")
    by_arc = dict(zip(ARCS, shields, strict=True))
    return Class(id, by_arc, int(hull), boxes, tuple(map(_group, groups)), int(blast), int(points), kind)


CLASSES = {sheet.id: sheet for sheet in map(_class, SHEETS.strip().splitlines())}

HITS = {  # the least roll that hits by range, and the damage
    "torpedo": ({2: 2, 3: 3, 4: 5}, 4),
    "disruptor": ({1: 5, 2: 2, 3: 3, 4: 5}, 2),
    "wave-motion-gun": ({2: 2, 3: 3, 4: 3}, 10),
}
BY_ROLL = {  # the damage of each roll by range
    "phaser": {1: "122222", 2: "111222", 3: "000011"},
    "fusion-cannon": {1: (7, 7, 9, 9, 11, 11), 2: (4, 4, 6, 6, 8, 8), 3: (0, 0, 2, 2, 4, 4)},
}
LAUNCH = range(1, 5)
MISSILE = 2


def reaches(weapon: str, far: int) -> bool:
    """Whether a weapon has a row for a range."""
    if weapon == "missile":
        return far in LAUNCH
    return far in (HITS[weapon][0] if weapon in HITS else BY_ROLL[weapon])


def damage(weapon: str, far: int, roll: int) -> int:
    """The damage of a modified roll; below 1 misses."""
    if roll < 1:
        return 0
    if weapon in HITS:
        least, hurt = HITS[weapon]
        return hurt if roll >= least[far] else 0
    return int(BY_ROLL[weapon][far][roll - 1])
