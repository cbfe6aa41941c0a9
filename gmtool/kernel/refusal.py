"""Refusals: the one shape in which anything says no.

A refusal names what is wrong by a stable code and facts; the sentence is found in the catalogues
under ``refusal.<key>`` (and ``hint.<key>`` for the way out), never here.
"""

from collections.abc import Mapping
from typing import Any


class Id(str):
    """The id of a thing of the campaign; shown by the thing's name."""

    __slots__ = ()


class Word(str):
    """A term of the catalogue (``word.<value>``), such as a defence or the letter of a craft."""

    __slots__ = ()


class Refused(Exception):
    """Something is not done, and nothing has changed.

    ``code`` is stable and public, ``key`` names the sentence (the code itself unless given), ``facts`` fill it.
    ``exit`` is the exit code: 1 rules or state, 2 not understood, 3 a rules file, 4 the campaign or disk.
    ``forcible`` says whether ``--force`` could have set the rule aside; ``hint`` names the sentence with the way out
    where it is not the one of ``key``. ``state`` is how things stood by then where a rule refuses: what the line itself
    had made has its name there only.
    """

    state: Any = None

    def __init__(
        self,
        code: str,
        *,
        key: str = "",
        rule: str = "",
        exit: int = 1,
        forcible: bool = False,
        hint: str | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.key = key or code
        self.rule = rule
        self.exit = exit
        self.forcible = forcible
        self.hint = hint
        self.facts: dict[str, Any] = dict(facts or {})

    def __str__(self) -> str:
        return f"{self.key}: {self.facts}"
