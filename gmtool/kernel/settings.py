"""What a campaign has decided beforehand: declarations, readings of ambiguous rules, force."""

from collections.abc import Mapping, Sequence


class Reading:
    """How an ambiguous rule is read in this campaign; ``default`` tells whether it is our default."""

    __slots__ = ("default", "rule", "value")

    def __init__(self, value: str, rule: str, default: bool) -> None:
        self.value, self.rule, self.default = value, rule, default


class Settings:
    """What a campaign has decided beforehand: declarations, readings of ambiguous rules, and whether force is used.

    ``aside`` are refusals (code, rule) that the GM has set aside in an earlier judgement: each gives way once more.
    """

    def __init__(
        self,
        declare: Mapping[str, str] | None = None,
        choices: Mapping[str, str] | None = None,
        defaults: Mapping[str, tuple[str, str]] | None = None,
        force: bool = False,
        aside: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.declare = dict(declare or {})
        self._choices = dict(choices or {})
        self._defaults = dict(defaults or {})
        self._readings: dict[str, Reading] = {}
        self.force, self.aside = force, tuple(aside)

    def reading(self, id: str) -> Reading:
        """The reading chosen for an interpretation's id; the default where nothing was chosen."""
        if id not in self._readings:
            value, rule = self._defaults[id]
            self._readings[id] = Reading(self._choices.get(id, value), rule, id not in self._choices)
        return self._readings[id]
