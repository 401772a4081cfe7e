"""How many tokens are worth proposing for a row: as many as what was accepted lately lets hope for."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

Key = tuple[int, ...]

WORTH = 0.1  # a token that holds with a smaller probability is not worth its place in a pass
MOST = 32  # tokens of a proposal
PROBES = 32  # in one pass of so many, a draft that failed is tried again, by one token for each row
NEW_ROWS = 4  # of which nothing is known yet, and which are proposed for at once
REMEMBERED = 4096  # rows


@dataclass
class TakenShare:
    """How often a proposed token was taken, and how often there was one, the latest the most.

    >>> from outlines_cont.decode.drafts.pace import TakenShare
    >>> taken = TakenShare(fading=0.5)
    >>> taken.note(held=1, failed=1)
    >>> taken.share(0.5), taken.share(0.0)
    (0.5, 0.25)
    """

    fading: float
    tried: float = 0.0
    held: float = 0.0

    def note(self, held: int, failed: int) -> None:
        """One more proposal: so many tokens of it were taken, and so many, one or none, were the first that was not."""
        self.tried = self.tried * self.fading + held + failed
        self.held = self.held * self.fading + held

    def share(self, expected: float) -> float:
        """The share of tokens that hold. expected: where there was none."""
        return (self.held + 2 * expected) / (self.tried + 2)


class Pace:
    """The lengths of what is proposed by one draft in one generation.

    A token is worth proposing while it holds with a probability of at least `WORTH`: that of a proposal's n-th token is
    the n-th power of the share of tokens that held lately, in this row, or in all where the row is new. Where not even
    the first is worth it, one token is tried now and then.

    >>> from outlines_cont.decode.drafts.pace import Pace
    >>> pace = Pace()
    >>> budgets = []
    >>> for _ in range(100):
    ...     pace.pass_begins()
    ...     budgets.append(pace.budget((0,)))
    ...     if budgets[-1]:
    ...         pace.note((0,), held=0, failed=1)
    >>> budgets[:8], sum(budgets)
    ([3, 1, 1, 0, 0, 0, 0, 0], 8)
    """

    def __init__(self) -> None:
        self._all = TakenShare(fading=0.98)
        self._rows: dict[Key, TakenShare] = {}
        self._passes = self._new = 0

    def pass_begins(self) -> None:
        """Before the budgets of a pass are asked for."""
        self._new = 0
        self._passes += 1

    def budget(self, key: Key) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        taken = self._rows.get(key)
        if taken is None and self._all.tried < NEW_ROWS:
            self._new += 1
            if self._new > NEW_ROWS:
                return 0
        share = self._all.share(0.5)
        share = share if taken is None else taken.share(share)
        if share >= WORTH:
            return min(MOST, int(log(WORTH) / log(share)))
        return int(self._passes % PROBES == 0)

    def note(self, key: Key, held: int, failed: int) -> None:
        """What became of a proposal for a row."""
        if len(self._rows) >= REMEMBERED:
            self._rows.clear()
        taken = self._rows.setdefault(key, TakenShare(fading=0.8))
        taken.note(held, failed)
        self._all.note(held, failed)
