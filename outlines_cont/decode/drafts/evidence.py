"""How likely it is that a row goes on as it, or a text, went on after the same tokens: by what was seen of it."""

from __future__ import annotations

from math import log
from typing import Literal

How = Literal["once", "same", "other", "second", "elsewhere"]
Evidence = tuple[int, How]  # how many tokens agree, and where, or what had followed them in the last two places

#: How often what followed one, two, or more equal tokens follows them again, before anything was seen of a row: where
#: they stand in one place only; where the same token followed them in the last two places; where another one did; how
#: often that one follows them; and where they stand in another row only, or in the tree.
EXPECTED = {
    "once": (0.3, 0.6, 0.75),
    "same": (0.5, 0.75, 0.9),
    "other": (0.2, 0.4, 0.5),
    "second": (0.1, 0.2, 0.3),
    "elsewhere": (0.2, 0.4, 0.6),
}
TRUST = 3  # so many tokens of the row weigh as much as that
TRUST_IN_ALL = 2  # right ones weigh as much as the belief that all of these shares are right
WORTH = 0.15  # what holds with a smaller probability is not proposed
LEAST = 0.03  # no token of a proposal holds with a smaller one
FADING = 0.9  # of what was seen in a row, with each token
FADING_OF_ALL = 0.98


class Repeats:
    """How often a row went on as it had after the same tokens, by what spoke for that, lately.

    >>> from outlines_cont.decode.drafts.evidence import Repeats
    >>> repeats = Repeats()
    >>> repeats.share((2, "once"))
    0.6
    >>> for _ in range(3):
    ...     repeats.note((2, "once"), right=True)
    >>> repeats.share((2, "once")) > 0.7, repeats.share((1, "once"))
    (True, 0.3)
    """

    def __init__(self) -> None:
        self._seen: dict[Evidence, tuple[float, float]] = {}  # right ones, all
        self._right = self._expected = 0.0  # of all evidence: right ones, and how many had been expected

    def note(self, evidence: Evidence, right: bool) -> None:
        """The token that had followed came again, or another one."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        self._seen[evidence] = good * FADING + right, count * FADING + 1
        self._right = self._right * FADING_OF_ALL + right
        self._expected = self._expected * FADING_OF_ALL + _expected(evidence)

    def share(self, evidence: Evidence) -> float:
        """The probability that the same token follows."""
        good, count = self._seen.get(evidence, (0.0, 0.0))
        lower = min(1.0, (self._right + TRUST_IN_ALL) / (self._expected + TRUST_IN_ALL))
        return (good + TRUST * lower * _expected(evidence)) / (count + TRUST)


def _expected(evidence: Evidence) -> float:
    size, how = evidence
    return EXPECTED[how][min(size, len(EXPECTED[how])) - 1]


def worthy_length(share: float) -> int:
    """How many tokens to propose, each of which holds with this probability if those before it do.

    >>> from outlines_cont.decode.drafts.evidence import worthy_length
    >>> worthy_length(0.1), worthy_length(0.5), worthy_length(0.8)
    (0, 5, 15)
    """
    return int(log(LEAST) / log(min(share, 0.99))) if share >= WORTH else 0
