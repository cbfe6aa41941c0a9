"""Dice as they lie and as they were read."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from gmtool.kernel.asks import first_key
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


def die_field(die: Entry, pool: str, words: Words, origin: bool) -> Styled:
    """One throw: seat, figure, class; then each further throw of it, at its target where that was raised.

    ``origin``: with where the faces of each came from.
    """
    throws = [die, *further_of(die)]
    field: Styled = []
    for each in throws:
        style = _STYLES.get(str(each.get("class")), "") if each is throws[-1] else "dim"
        figure = styled(figure_of(each), "" if each is throws[-1] else "dim")
        seat = styled(seat_of(die, words)) if each is die else []
        field += [] if each is die else styled(_again(each, words), "dim")
        field += joined([seat, figure, styled(class_of(each, pool, words), style)], " ")
        field += styled(origin_of(each, words), "dim") if origin else []
    return field


def further_of(die: Entry) -> list[Entry]:
    """The further throws of a die."""
    return list(die.get("further") or [])


def _again(die: Entry, words: Words) -> str:
    """What leads from a throw to the next one."""
    at = die.get("target")
    return words.say("ruling.again" if at is None else "ruling.again-at", {"target": at})


def further(trace: Sequence[Entry]) -> list[Entry]:
    """The trace with the dice that were thrown again at the dice they belong to, as ``further`` of these."""
    again = [entry for entry in trace if entry["t"] == "dice" and first_key(entry["key"]) != entry["key"]]
    if not again:
        return list(trace)
    return [_with(entry, again) for entry in trace if entry not in again]


def _with(entry: Entry, again: Sequence[Entry]) -> Entry:
    """A pool's throws, each with its further ones; these with their target where it is another than the one before."""
    if entry["t"] != "dice":
        return entry
    later = [(each, _target(other)) for other in again for each in other["dice"]]
    dice: list[Entry] = []
    for die in entry["dice"]:
        found = [(each, at) for each, at in later if first_key(each["key"]) == die["key"]]
        targets = [_target(entry), *(at for _, at in found)]
        raised = [at if at != before else None for before, at in pairwise(targets)]
        shown = [{**each, "target": at} for (each, _), at in zip(found, raised, strict=True)]
        dice.append({**die, "further": shown} if shown else die)
    return {**entry, "dice": dice}


def _target(entry: Entry) -> Any:
    """The figure that the dice of a pool must meet, where they have one."""
    return ((entry.get("law") or {}).get("facts") or {}).get("target")


class Line(NamedTuple):
    """The throws of one pool as fields, each under its seat, and what all of them have in common."""

    seats: tuple[str, ...]
    fields: tuple[Styled, ...]
    note: Styled


def dice_line(entry: Entry, words: Words) -> Line:
    """A pool's throws; an origin that all share is said once, at the end."""
    pool = words.pool(entry["key"], entry.get("who"))
    origins = [origin_of(each, words) for die in entry["dice"] for each in (die, *further_of(die))]
    shared = origins[0] if origins and len(set(origins)) == 1 else ""
    fields = [die_field(die, pool, words, not shared) for die in entry["dice"]]
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
