"""How many tokens are worth proposing for a row: as many as what was accepted lately lets hope for."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

Key = tuple[int, ...]

WORTH = 0.05  # a token that holds with a smaller probability is not worth its place in a pass
MOST = 32  # tokens of a proposal
FIRST, LATER = 0.5, 0.7  # what is hoped of a first token, and of one after others that held, where nothing is known
PROBES = 24  # in one pass of so many, a draft that failed is tried again, by one token for each row
NEW_ROWS = 4  # of which nothing is known yet, and which are proposed for at once
REMEMBERED = 4096  # rows


@dataclass
class Holding:
    """How often the first token of a proposal was taken, and how often one after others that were; lately, mostly.

    >>> from outlines_cont.decode.drafts.pace import Holding
    >>> holding = Holding(fading=0.5)
    >>> holding.note(held=3, failed=1)
    >>> holding.shares((0.5, 0.7), weight=1)
    (0.75, 0.675)
    """

    fading: float
    tried: float = 0.0
    first: float = 0.0
    later_tried: float = 0.0
    later: float = 0.0

    def note(self, held: int, failed: int) -> None:
        """One more proposal: so many tokens of it were taken, and so many, one or none, were the first that was not."""
        self.tried = self.tried * self.fading + 1
        self.first = self.first * self.fading + (held > 0)
        if held > 0:
            self.later_tried = self.later_tried * self.fading + held - 1 + failed
            self.later = self.later * self.fading + held - 1

    def shares(self, hoped: tuple[float, float], weight: float) -> tuple[float, float]:
        """The shares of first tokens, and of later ones, that hold. hoped: where there is no proposal yet."""
        first, later = hoped
        return (
            (self.first + weight * first) / (self.tried + weight),
            (self.later + weight * later) / (self.later_tried + weight),
        )


class Pace:
    """The lengths of what is proposed by one draft in one generation.

    A token is worth proposing while it holds with a probability of at least `WORTH`. That is estimated from what held
    lately, in this row, or in all where the row is new. First tokens are told from later ones: a guess of copied text,
    say, is mostly wrong at once, or right for long. Where not even the first is worth it, one is tried now and then.

    >>> from outlines_cont.decode.drafts.pace import Pace
    >>> pace = Pace()
    >>> budgets = []
    >>> for _ in range(100):
    ...     pace.pass_begins()
    ...     budgets.append(pace.budget((0,)))
    ...     if budgets[-1]:
    ...         pace.note((0,), held=0, failed=1)
    >>> budgets[:8], sum(budgets)
    ([7, 4, 2, 1, 0, 0, 0, 0], 18)
    """

    def __init__(self) -> None:
        self._all = Holding(fading=0.98)
        self._rows: dict[Key, Holding] = {}
        self._passes = self._new = 0

    def pass_begins(self) -> None:
        """Before the budgets of a pass are asked for."""
        self._new = 0
        self._passes += 1

    def budget(self, key: Key) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        row = self._rows.get(key)
        if row is None and self._all.tried < NEW_ROWS:
            self._new += 1
            if self._new > NEW_ROWS:
                return 0
        shares = self._all.shares((FIRST, LATER), weight=1)
        first, later = shares if row is None else row.shares(shares, weight=2)
        if first >= WORTH:
            return min(MOST, 1 + int(log(WORTH / first) / log(later)))
        return int(self._passes % PROBES == 0)

    def note(self, key: Key, held: int, failed: int) -> None:
        """What became of a proposal for a row."""
        if len(self._rows) >= REMEMBERED:
            self._rows.clear()
        self._rows.setdefault(key, Holding(fading=0.9)).note(held, failed)
        self._all.note(held, failed)
