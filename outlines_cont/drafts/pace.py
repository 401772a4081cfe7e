"""How many tokens are worth proposing for a row: as many as what was accepted lately lets hope for."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

Key = tuple[int, ...]

WORTH = 0.05  # a token that holds with a smaller probability is not worth its place in a pass
MOST = 32  # tokens of a proposal
FIRST, LATER = 0.5, 0.7  # what is hoped of a first token, and of one after others that held, where nothing is known
START = 4  # tokens that a generation may read for nothing before anything has held; and one more for each row
PROBES = 40  # of so many draws one may read a token for nothing, to find out whether a draft holds by now
REMEMBERED = 4096  # rows


@dataclass
class Holding:
    """How often the first token of a proposal was taken, and how often one after others that were; lately, mostly.

    >>> from outlines_cont.drafts.pace import Holding
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
    say, is mostly wrong at once, or right for long.

    Until something has held, and of rows for which not even the first token is worth it, proposals are *trials* of
    one token. All rows of the generation share what trials may cost: a few tokens at the beginning, and one in
    `PROBES` draws. The rows take turns. So rows that fail for one common reason are not given up for long, and many
    rows cost no larger share than one.

    >>> from outlines_cont.drafts.pace import Pace
    >>> pace = Pace()
    >>> budgets = []
    >>> for _ in range(100):
    ...     pace.pass_begins(rows=1)
    ...     budgets.append(pace.budget((0,)))
    ...     if budgets[-1]:
    ...         pace.note((0,), held=0, failed=1, lost=budgets[-1])
    >>> budgets[:8], sum(budgets)
    ([1, 1, 1, 1, 1, 0, 0, 0], 7)
    """

    def __init__(self) -> None:
        self._all = Holding(fading=0.95)
        self._rows: dict[Key, Holding] = {}
        self._spare = float(START)  # tokens that trials may cost
        self._trials: dict[Key, int] = {}  # of this pass: what they may cost
        self._most = 0  # rows that the generation has had at a time
        self._place = self._turn = 0  # of the row that is asked for, and of the next one that is tried

    def pass_begins(self, rows: int) -> None:
        """Before the budgets of a pass are asked for. rows: how many wait for logits."""
        self._spare += sum(self._trials.values()) + max(0, rows - self._most)
        self._most, self._trials = max(rows, self._most), {}
        self._spare = min(self._spare + rows / PROBES, START + self._most)
        if self._turn >= self._place:
            self._turn = 0
        self._place = 0

    def budget(self, key: Key) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        self._place += 1
        row = self._rows.get(key)
        shares = self._all.shares((FIRST, LATER), weight=1)
        first, later = shares if row is None else row.shares(shares, weight=2)
        worth = 0 if first < WORTH else min(MOST, 1 + int(log(WORTH / first) / log(later)))
        return worth if worth and self._all.first else self._trial(key)

    def _trial(self, key: Key) -> int:
        """One token, if it is the row's turn and there is one to spare."""
        if self._spare < 1 or self._place <= self._turn:
            return 0
        self._turn = self._place
        self._spare -= 1
        self._trials[key] = 1
        return 1

    def note(self, key: Key, held: int, failed: int, lost: int) -> None:
        """What became of a proposal for a row: how many of its tokens, one after the other, were taken, whether (1 or
        0) one came out otherwise, and how many were read for nothing."""
        self._spare += self._trials.pop(key, lost) - lost
        if len(self._rows) >= REMEMBERED:
            self._rows.clear()
        self._rows.setdefault(key, Holding(fading=0.9)).note(held, failed)
        self._all.note(held, failed)
