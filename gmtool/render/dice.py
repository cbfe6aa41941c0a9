"""Dice as they lie and as they were read."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.render.lines import Room, Span, Styled, cells_of, flow, joined, padded, styled
from gmtool.render.words import Words

Entry = Mapping[str, Any]

_STYLES = {"critical": "good", "success": "good", "fumble": "bad", "failure": "dim"}


class Reading(NamedTuple):
    """The faces as they were typed and the figure they were read as, both as shown.

    ``other``: the figure they would give the other way round, where they are read as digits and that differs.
    """

    typed: str
    read: str
    other: str = ""


def reading(die: Entry) -> Reading:
    """How a throw is written: ``92`` read as ``29``, ``4+1`` as ``5``, ``0`` as ``10``."""
    faces, read = list(die["faces"]), die.get("read")
    digits = "".join(map(str, faces))
    shown = str(read).zfill(len(digits)) if isinstance(read, int) else str(read or "")
    if len(faces) > 1 and sorted(digits) == sorted(shown):
        return Reading(digits, shown, _other(digits, shown))
    if len(faces) > 1 and read in (sum(faces), sum(face or 10 for face in faces)):
        return Reading("+".join(map(str, faces)), str(read))
    return Reading(digits if 0 in faces else " ".join(map(str, faces)), shown)


def _other(digits: str, shown: str) -> str:
    other = shown[::-1]
    return other if len(digits) == 2 and other != shown else ""


def figure_of(die: Entry) -> str:
    """The throw in one word: the typed order stands before the reading where they differ."""
    typed, read, _ = reading(die)
    if die.get("fixed"):
        return f"={typed}"
    if not read or typed == read:
        return typed
    return f"{typed}={read}" if "+" in typed else f"{typed}>{read}"


def class_of(die: Entry, pool: str, words: Words) -> str:
    """What the throw came to, in the words of its pool if there are any; nothing where the figure says it all."""
    result = str(die.get("class") or "")
    if result in ("", str(die.get("read"))):
        return ""
    return words.outcome(pool, result)


def seat_of(die: Entry, words: Words) -> str:
    """The seat's word; seats that are mere numbers are not worth one."""
    seat = str(die.get("seat") or "")
    return "" if seat.isdecimal() else seat and words.term("seat", seat)


def origin_of(die: Entry, words: Words) -> str:
    """Where the faces came from: nothing for dice of the table whose roller was not named."""
    source = die.get("source") or "entered"
    told = [words.term("source", source)] if source != "entered" else []
    told += [words.value(by)] if (by := die.get("by")) else []
    return words.say("mark.note", {"text": told}) if told else ""


def die_field(die: Entry, pool: str, words: Words) -> Styled:
    """One throw: seat, figure, class."""
    result = class_of(die, pool, words)
    seat = seat_of(die, words)
    style = _STYLES.get(str(die.get("class")), "")
    return joined([styled(seat), styled(figure_of(die)), styled(result, style)], " ")


class Line(NamedTuple):
    """The throws of one pool as fields, each under its seat, and what all of them have in common."""

    seats: tuple[str, ...]
    fields: tuple[Styled, ...]
    note: Styled


def dice_line(entry: Entry, words: Words) -> Line:
    """A pool's throws; an origin that all share is said once, at the end."""
    pool = words.pool(entry["key"], entry.get("who"))
    origins = [origin_of(die, words) for die in entry["dice"]]
    shared = origins[0] if origins and len(set(origins)) == 1 else ""
    fields = [die_field(die, pool, words) for die in entry["dice"]]
    if not shared:
        pairs = zip(fields, origins, strict=True)
        fields = [[*field, *styled(origin, "dim")] for field, origin in pairs]
    seats = tuple(str(die.get("seat") or "") for die in entry["dice"])
    return Line(seats, tuple(fields), styled(shared.strip(), "dim"))


def seat_widths(lines: Sequence[Line], room: Room, indent: int) -> dict[str, int]:
    """The width of each seat's column over all pools of a ruling; none where the columns would not fit.

    Seats that are mere numbers have no columns: a roll then stands where there is room, not under one it is not of.
    """
    widths: dict[str, int] = {}
    for line in lines:
        if all(map(str.isdecimal, line.seats)):
            continue
        if len(set(line.seats)) < len(line.seats) or "" in line.seats:
            return {}
        for seat, field in zip(line.seats, line.fields, strict=True):
            widths[seat] = max(widths.get(seat, 0), cells_of(field))
    note = max((cells_of(line.note) for line in lines), default=0)
    whole = indent + sum(widths.values()) + 3 * len(widths) + note
    return widths if whole <= room.width else {}


def laid_out(line: Line, widths: Mapping[str, int], room: Room, indent: int) -> list[Styled]:
    """The throws in one row, under the columns of their seats if there are any, else broken between throws."""
    fields = list(line.fields)
    if widths and not all(map(str.isdecimal, line.seats)):
        by_seat = dict(zip(line.seats, line.fields, strict=True))
        order = list(widths)
        last = max(order.index(seat) for seat in line.seats)
        fields = [padded(by_seat.get(seat, [Span("")]), widths[seat]) for seat in order[:last]]
        fields.append(by_seat[order[last]])
    return flow([*fields, line.note], room, indent, indent + 2)
