"""How a law is changed before a candidate is drawn from it: temperature, top-k, top-p and min-p."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, cast

from outlines_cont.arguments import MOST_SAMPLES, is_number, is_whole, shown
from outlines_cont.kernels.laws import Candidates


class Filters(NamedTuple):
    """The arguments of `Candidates.warped`; None where nothing is said."""

    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __repr__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in zip(self._fields, self, strict=True) if value is not None)

    @staticmethod
    def of(temperature: object, top_k: object, top_p: object, min_p: object) -> Filters:
        """Filters of plain numbers; `PLAIN` if all are None. ValueError for a value that is out of range."""
        if temperature is top_k is top_p is min_p is None:
            return PLAIN
        fine = temperature is None or (is_number(temperature) and cast(float, temperature) > 0)
        check("temperature", temperature, fine, "a number > 0; greedy() is the limit at 0")
        check("top_k", top_k, top_k is None or is_count(top_k), "an int ≥ 1 or None")
        check("top_p", top_p, top_p is None or (is_number(top_p) and 0 < cast(float, top_p) <= 1), "in (0, 1] or None")
        check("min_p", min_p, min_p is None or (is_number(min_p) and 0 <= cast(float, min_p) <= 1), "in [0, 1] or None")
        temperature, top_p, min_p = (None if x is None else float(cast(float, x)) for x in (temperature, top_p, min_p))
        return Filters(temperature, None if top_k is None else operator.index(cast(int, top_k)), top_p, min_p)

    def applied(self, law: Candidates) -> Candidates:
        """A law that is changed by these. It may reuse the memory of the one that is given."""
        return law.warped(1.0 if self.temperature is None else self.temperature, self.top_k, self.top_p, self.min_p)

    def over(self, other: Filters) -> Filters:
        """These filters, with the other's values where these have None."""
        if self is PLAIN or other is PLAIN:  # they are known by their identity
            return other if self is PLAIN else self
        return Filters(*cast(Any, [b if a is None else a for a, b in zip(self, other, strict=True)]))


PLAIN = Filters()


def is_count(value: object) -> bool:
    """Whether it is an int ≥ 1."""
    return is_whole(value) and operator.index(cast(int, value)) >= 1


def is_sample_count(value: object) -> bool:
    """Whether so many samples are possible."""
    return is_count(value) and operator.index(cast(int, value)) <= MOST_SAMPLES


def check(name: str, value: object, fine: bool, right: str) -> None:
    """ValueError if the argument of this name is not fine; `right` says what would be."""
    if not fine:
        raise ValueError(f"{name}={shown(value)}: it must be {right}")
