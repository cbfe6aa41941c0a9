"""What a whole line of ``roll`` says: an expression, a pool or a choice, perhaps several times, perhaps in secret."""

import re
from typing import NamedTuple, TypeAlias, cast

from gmtool.kernel.expr.reading import COMPARISON, CONTROL, DIGITS, SAME_AS, Reader, read_sum
from gmtool.kernel.expr.tree import (
    MAX_DICE,
    MAX_NUMBER,
    MAX_OPTIONS,
    MAX_OPTIONS_LENGTH,
    MAX_TIMES,
    Compare,
    DicePart,
    Kind,
    Roll,
    printable,
    refuse,
)

SECRET = re.compile(r"[Ss](?=[0-9CcDdXxRr(+-])")
TIMES = re.compile(r"(?:[Xx]|[Rr][Ee][Pp](?:[Ee][Aa][Tt])?)([0-9]+)(?=\s)")
CHOICE = re.compile(r"[Cc][Hh][Oo][Ii][Cc][Ee](?=[\[(\s])")
POOL = re.compile(r"([0-9]+)([BbRrUu])([0-9]+)")
PLUS = re.compile(r"\+(?=\s*[0-9]+[BbRrUu])")
SIGNED = re.compile(r"([+-])\s*([0-9]+)")
BRACKETS = {"[": "]", "(": ")"}
BETWEEN = re.compile(r"[,\u3001\uff64]")


class Pool(NamedTuple):
    """Dice that stay single. With a target those that meet it are counted.

    ``kind`` ``b``: thrown once. ``r``: for each that meets ``again`` one more is thrown. ``u``: so is one more for each
    such die, added to it, and sums (with ``plus``) meet the target. ``again`` is None for ``b``.
    """

    kind: Kind
    dice: tuple[DicePart, ...]
    again: tuple[Compare, int] | None
    plus: int
    compare: Compare | None
    target: int | None
    canonical: str
    comment: str


class Choice(NamedTuple):
    """Options of which a die chooses one: as many sides as there are."""

    options: tuple[str, ...]
    canonical: str
    comment: str

    @property
    def dice(self) -> tuple[DicePart, ...]:
        """The die that chooses."""
        return (DicePart(1, len(self.options), "sum"),)


Form: TypeAlias = Roll | Pool | Choice


class Throwing(NamedTuple):
    """A form thrown one or several ``times``; ``secret`` where the table is not to hear of it."""

    form: Form
    times: int
    secret: bool

    @property
    def repeated(self) -> bool:
        """Whether it is thrown several times."""
        return self.times > 1

    @property
    def canonical(self) -> str:
        """The text that reads back to the same, without its comment."""
        times = f"x{self.times} " if self.repeated else ""
        return f"{'S' if self.secret else ''}{times}{self.form.canonical}"

    @property
    def comment(self) -> str:
        """What was typed behind it."""
        return self.form.comment


def read(text: str) -> Throwing:
    """Read a line of ``roll``; Refused with a key of ``REFUSALS``, whatever the text, quickly."""
    reader = Reader(text)
    secret = reader.take(SECRET) is not None
    times = _times(reader)
    if times > 1:
        secret = reader.take(SECRET) is not None or secret
        if again := TIMES.match(reader.text, reader.place):
            raise refuse("roll-times-twice", text=printable(again[0]), at=reader.place + 1)
    form = _form(reader)
    dice = times * sum(part.count for part in form.dice)
    if dice > MAX_DICE:
        raise refuse("roll-too-many-dice", text=printable(f"x{times} {form.canonical}"), value=dice, limit=MAX_DICE)
    return Throwing(form, times, secret)


def _times(reader: Reader) -> int:
    """How often; 1 where nothing is said."""
    found = reader.take(TIMES)
    if found is None:
        return 1
    if not 1 <= int(found[1]) <= MAX_TIMES:
        raise refuse("roll-times", text=printable(found[0]), limit=MAX_TIMES)
    reader.blanks()
    return int(found[1])


def _form(reader: Reader) -> Form:
    if reader.take(CHOICE):
        return _choice(reader)
    if POOL.match(reader.text, reader.place):
        return _pool(reader)
    return read_sum(reader)


# choices


def _choice(reader: Reader) -> Choice:
    """``[a,b]`` or ``(a,b)``, with blanks between where there is no comma; or words up to the end of the line."""
    opened = reader.text[reader.place]
    start = reader.place
    if opened not in BRACKETS:
        options, end = tuple(reader.typed[start:].split()), len(reader.text)
        canonical = "choice " + " ".join(options)
    else:
        end = reader.text.find(BRACKETS[opened], start)
        if end < 0:
            raise refuse("roll-bracket", text=opened, at=start + 1)
        options = _options(reader.typed[start + 1 : end], reader.text[start + 1 : end])
        canonical, end = f"choice{opened}{','.join(options)}{BRACKETS[opened]}", end + 1
    _check_options(reader, start, end, options)
    reader.place = end
    return Choice(options, canonical, reader.rest(whole=True))


def _options(typed: str, folded: str) -> tuple[str, ...]:
    """The words between brackets as they were typed."""
    cuts = [found.start() for found in BETWEEN.finditer(folded)]
    if not cuts:
        return tuple(typed.split())
    ends = zip([-1, *cuts], [*cuts, len(typed)], strict=True)
    return tuple(" ".join(typed[before + 1 : after].split()) for before, after in ends)


def _check_options(reader: Reader, start: int, end: int, options: tuple[str, ...]) -> None:
    if not 1 <= len(options) <= MAX_OPTIONS:
        raise refuse("roll-options", limit=MAX_OPTIONS)
    if end - start > MAX_OPTIONS_LENGTH:
        raise refuse("roll-too-long", limit=MAX_OPTIONS_LENGTH)
    if "" in options:
        raise refuse("roll-option-empty", at=options.index("") + 1)
    if control := CONTROL.search("".join(options)):
        at = reader.typed.find(control[0]) + 1
        raise refuse("roll-character", text="?", number=f"U+{ord(control[0]):04X}", at=at)


# pools


def _pool(reader: Reader) -> Pool:
    """Dice of one kind with + between them, when they are thrown again, what is added, the target."""
    kind = cast(Kind, reader.text[reader.place :].lstrip("0123456789")[0].lower())
    _dice(reader, kind)
    while reader.operator(PLUS):
        _dice(reader, kind)
    again = _again(reader, "[") if kind != "b" else None
    plus = _added(reader) if kind == "u" else 0
    compare, target, compared = reader.comparison()
    if compared.endswith("?"):
        raise refuse("roll-target-missing", text=printable(compared))
    behind = _again(reader, "@") if kind != "b" else None
    if again and behind:
        raise refuse("roll-again-twice", text="@", at=reader.place)
    dice = tuple(reader.dice)
    text = "+".join(part.text for part in dice)
    again = _settled(kind, text, again or behind, compare, target)
    _refuse_endless(dice, again, text)
    told = "" if again is None else f"[{again[0] if kind == 'r' else ''}{again[1]}]"
    canonical = f"{text}{told}{f'{plus:+d}' if plus else ''}{compared}"
    return Pool(kind, dice, again, plus, compare, target, canonical, reader.rest())


def _dice(reader: Reader, kind: str) -> None:
    found = reader.take(POOL)
    if found is None or found[2].lower() != kind:
        reader.place -= len(found[0]) if found else 0
        raise reader.stuck("")
    reader.add_dice(int(found[1]), int(found[3]), cast(Kind, kind))


def _again(reader: Reader, opened: str) -> tuple[Compare | None, int] | None:
    """When dice are thrown again: ``[>3]`` behind the dice or ``@>3`` at the end; without a sign it is the target's."""
    if not reader.operator(re.compile(re.escape(opened))):
        return None
    at = reader.place
    sign = reader.operator(COMPARISON)
    number = reader.take(DIGITS)
    if number is None or int(number[0]) > MAX_NUMBER:
        raise reader.stuck("")
    if opened == "[" and not reader.operator(re.compile(r"\]")):
        raise refuse("roll-bracket", text="[", at=at)
    return (cast(Compare, SAME_AS.get(sign, sign)) if sign else None), int(number[0])


def _added(reader: Reader) -> int:
    """Numbers added to each sum or taken off it."""
    plus = 0
    while found := reader.operator(SIGNED):
        sign, digits = found[0], found[1:].strip()
        plus += int(digits) if sign == "+" else -int(digits)
        if abs(plus) > MAX_NUMBER:
            raise refuse("roll-too-big", text=printable(digits), value=plus, limit=MAX_NUMBER)
    return plus


def _settled(
    kind: Kind, text: str, again: tuple[Compare | None, int] | None, compare: Compare | None, target: int | None
) -> tuple[Compare, int] | None:
    """When dice are thrown again: of ``r`` as the target says where nothing else is, of ``u`` from a number on."""
    if kind == "b":
        return None
    if kind == "u":
        if again is None or again[0] not in (None, ">="):
            raise refuse("roll-again-missing", text=text)
        return ">=", again[1]
    if compare is None or target is None:
        raise refuse("roll-target-missing", text=text)
    return (compare, target) if again is None else (again[0] or compare, again[1])


def _refuse_endless(dice: tuple[DicePart, ...], again: tuple[Compare, int] | None, text: str) -> None:
    """Refuse dice whose every face would be thrown again."""
    if again is None:
        return
    for part in dice:
        if faces_that_meet(part.sides, *again) == part.sides:
            raise refuse("roll-endless", text=text)


def faces_that_meet(sides: int, compare: Compare, target: int) -> int:
    """How many faces of a die, from 1 on, meet a comparison."""
    at_most = min(max(target, 0), sides)
    match compare:
        case ">=":
            return sides - min(max(target - 1, 0), sides)
        case ">":
            return sides - at_most
        case "<=":
            return at_most
        case "<":
            return min(max(target - 1, 0), sides)
        case "=":
            return int(1 <= target <= sides)
        case "!=":
            return sides - int(1 <= target <= sides)
