"""Why something cannot be done: what a rule says against a step, a weapon or a defence, before anyone refuses it."""

from typing import Any, NamedTuple


class Bar(NamedTuple):
    """The refusal's key, the rule, the facts besides the unit."""

    key: str
    rule: str
    facts: dict[str, Any]


def barred(key: str, rule: str, **facts: Any) -> Bar:
    """What bars it."""
    return Bar(key, rule, facts)
