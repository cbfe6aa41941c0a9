"""Free rolls: what is thrown, the table's faces or the tool's, and what comes of them.

Without ``--dice`` the tool throws, as it always did: a free roll is no step and keeps nothing open. Only where a person
sits at the prompt of a shell and the campaign's dice are the table's are they asked for, on the spot; an empty line
leaves them to the tool, ``u`` takes the roll back. What the tool throws is thrown and written down under one lock.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from gmtool.cli.prompt import Prompt
from gmtool.cli.reply import Reply
from gmtool.cli.said import speakers
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk
from gmtool.render.lines import Span, Styled, wrap
from gmtool.text.clean import refuse_controls

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.kernel.expr import DicePart, Fallen, Throwing


def free_roll(face: "Face", text: str) -> Reply:
    """Judge a line of dice; in a campaign the roll is written down as a mark."""
    from gmtool.cli.shown import not_for_real
    from gmtool.kernel.expr import fall, read

    throwing = read(refuse_controls(text, "note"))
    with ExitStack() as held:
        dice = _Dice(face, throwing.canonical, held)
        fallen = fall(throwing, dice.throw)
        dice.end()
        told = [die for each in fallen for die in _dice_told(each, dice.source, speakers(face).get(""))]
        result = _result(throwing, fallen)
        kept = _kept(face, dice.desk(), result, told)
    above = not_for_real(face.words, face.out.room, face.trying)
    lines = _lines(face, throwing, fallen, dice.source if told else "entered")
    return Reply({"result": result, "dice": told, **kept}, [*above, *lines])


@contextmanager
def _at_the_desk(face: "Face") -> Iterator[Desk | Refused | None]:
    """The campaign under its lock from the throw to the line, so that no two windows get the same dice.

    None without a campaign, or for a roll that is only tried; the refusal of one that cannot be written.
    """
    if face.desk_at_hand() is None or face.trying:
        yield None
        return
    try:
        desk = face.writable()
    except Refused as refused:
        yield refused
        return
    with desk.campaign.writing():
        yield desk


class _Dice:
    """Where the faces of a roll come from: typed with it, typed when asked for, or thrown by the tool."""

    def __init__(self, face: "Face", expression: str, held: ExitStack) -> None:
        from gmtool.kernel.expr import Typed

        self._face, self._expression, self._rounds = face, expression, 0
        self._held, self._desks = held, list[Desk | Refused | None]()
        given = face.options.dice
        self._typed = None if given is None else Typed(given.split())
        self.source = "entered"

    def throw(self, parts: "Sequence[DicePart]") -> Sequence[tuple[int, ...]]:
        """The faces of these dice, all of them in one throw."""
        if not parts:
            return []
        if self._typed is not None:
            return self._typed.take(parts)
        self._rounds += 1
        if not self._desks and _asks(self._face):  # nobody is asked while the lock is held
            asked = _asked(self._face, self._expression, parts, self._rounds > 1)
            if asked is not None:
                return asked
        return self._thrown(parts)

    def desk(self) -> Desk | Refused | None:
        """Where the roll is written, held from now on."""
        if not self._desks:
            self._desks.append(self._held.enter_context(_at_the_desk(self._face)))
        return self._desks[0]

    def end(self) -> None:
        """Refuse faces that were typed and not needed."""
        if self._typed is not None:
            self._typed.end()

    def _thrown(self, parts: "Sequence[DicePart]") -> Sequence[tuple[int, ...]]:
        sides = [part.sides for part in parts for _ in range(part.count)]
        faces, self.source = self._by_tool(sides)
        each = iter(faces)
        return [tuple(next(each) for _ in range(part.count)) for part in parts]

    def _by_tool(self, sides: list[int]) -> tuple[list[int], str]:
        self.desk()
        desk = self._face.desk_at_hand()
        if desk is None:
            import secrets

            return [secrets.randbelow(n) + 1 for n in sides], "rolled"
        from gmtool.referee.marks import roll_faces

        face = self._face
        return roll_faces(desk, sides, fresh=face.options.fresh, tried=face.trying, round_=self._rounds)


def _asks(face: "Face") -> bool:
    """Whether the table's dice are asked for: somebody sits at a shell's prompt, and the campaign's dice are theirs."""
    from gmtool.cli.verbs.campaigns import may_ask

    desk = face.desk_at_hand()
    return face.in_shell and desk is not None and desk.row.dice_mode == "ask" and may_ask(face)


def _asked(
    face: "Face", expression: str, parts: "Sequence[DicePart]", again: bool
) -> Sequence[tuple[int, ...]] | None:  # fmt: skip
    """The faces typed for these dice; None where the line stays empty. Refused where the roll is taken back.

    Dice that are thrown ``again`` are named.
    """
    from gmtool.kernel.expr import Typed

    dice = [part.text for part in parts]
    text = face.words.say("roll.dice", {"roll": expression, "dice": dice}) if again else expression
    prompt = Prompt(f"{text}  {face.words.say('shell.question')}> ", True)
    while True:
        line = face.lines.read(prompt) if face.lines else None
        if line is None or line.strip().lower() in ("u", "drop"):
            raise Refused("not-confirmed", key="roll-taken-back", facts={"roll": expression})
        if not line.strip():
            return None
        try:
            typed = Typed(line.split())
            faces = typed.take(parts)
            typed.end()
            return faces
        except Refused as refused:  # a slip of the fingers takes nothing back: it is asked again
            face.err.show(wrap(face.words.say(f"refusal.{refused.key}", refused.facts), face.err.room, 0, 2, "bad"))


def _dice_told(fallen: "Fallen", source: str, by: str | None) -> list[dict[str, Any]]:
    return [
        {
            "key": part.dice.text, "sides": [part.dice.sides] * len(part.faces), "faces": list(part.faces),
            "read": part.value, "source": source, "by": by,
        }
        for part in fallen.parts
    ]  # fmt: skip


def _result(throwing: "Throwing", fallen: "Sequence[Fallen]") -> dict[str, Any]:
    """What came of it: of one throw its own figures, of several each in ``rolls``."""
    each = [_figures(one) for one in fallen]
    told: dict[str, Any] = {"expression": throwing.canonical, "comment": throwing.comment}
    if throwing.secret:
        told["secret"] = True
    if not throwing.repeated:
        return {**each[0], **told}
    met = [one.success for one in fallen if one.success is not None]
    many = {"successes": sum(met)} if met else {}
    return {"total": None, "success": None, **many, "rolls": each, **told}


def _figures(one: "Fallen") -> dict[str, Any]:
    more = {"successes": one.successes, "highest": one.highest, "chosen": one.chosen}
    told = {name: value for name, value in more.items() if value is not None}
    return {"total": one.total, "success": one.success, **told}


def _lines(face: "Face", throwing: "Throwing", fallen: "Sequence[Fallen]", source: str) -> list[Styled]:
    """A line for each throw, numbered where there are several; behind it what it is worth, whence it came, comment."""
    say: Callable[..., str] = face.words.say
    behind = [] if source == "entered" else [Span("  " + say(f"source.{source}"), "dim")]
    behind += [Span("  " + say("roll.secret"), "dim")] if throwing.secret else []
    behind += [Span("  " + throwing.comment)] if throwing.comment else []
    lines: list[Styled] = []
    for n, one in enumerate(fallen, 1):
        number = [Span(f"#{n} ")] if throwing.repeated else []
        lines.append([*number, Span(one.line, "head"), *_worth(one, say), *(behind if n == len(fallen) else [])])
    return lines


def _worth(one: "Fallen", say: Callable[..., str]) -> list[Span]:
    """What a throw is worth, in words."""
    if one.chosen is not None:
        return [Span("  " + one.chosen, "head")]
    if one.success is not None:
        return [Span("  " + say("class.success" if one.success else "class.failure"))]
    if one.successes is not None:
        return [Span("  " + say("roll.successes", {"n": one.successes}), "head")]
    if one.highest is not None:
        return [Span("  " + say("roll.highest", {"n": one.highest, "total": one.total}), "head")]
    return []


def _kept(
    face: "Face", desk: Desk | Refused | None, result: dict[str, Any], dice: list[dict[str, Any]]
) -> dict[str, Any]:
    """The roll in the journal of the campaign, if there is one that can be written."""
    if isinstance(desk, Refused):
        return {"warnings": [{"code": "not-kept", "rule": "", "facts": {"problem": desk.code}}]}
    if desk is None:
        return {"tried": True, "warnings": []} if face.trying else {"warnings": []}
    from gmtool.referee.marks import rolled

    seq = rolled(desk, result["expression"], face.typed, dice, face.options.fresh, result=result)
    return {"seq": seq, "warnings": face.saved(desk)}
