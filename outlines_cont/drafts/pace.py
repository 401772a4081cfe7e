"""How many tokens are proposed for a row: more while they hold, and none for a while after they did not."""

from __future__ import annotations

from dataclasses import dataclass

Key = tuple[int, ...]

FIRST, MOST = 8, 32  # tokens of a proposal: where nothing is known, and at most
PATIENCE = 6  # proposals of which nothing holds, after which some draws are left out
LONGEST = 60  # draws without a proposal; 61 is prime, so that rows take turns whatever their number
REMEMBERED = 4096  # rows


@dataclass
class Backoff:
    """What one more proposal may be. Its size is twice what held of the last one, and `FIRST` more. After one whose
    first token was wrong it is half as large; and after `PATIENCE` such ones nothing is proposed for a draw, for three
    draws, for seven …

    >>> from outlines_cont.drafts.pace import Backoff
    >>> backoff = Backoff()
    >>> backoff.note(3)
    >>> backoff.size, backoff.wait
    (14, 0)
    >>> for _ in range(8):
    ...     backoff.note(0)
    >>> backoff.size, backoff.wait
    (1, 3)
    """

    size: int = FIRST
    wait: int = 0  # draws that nothing is proposed for
    wrong: int = 0  # proposals, one after the other, of which nothing held

    def note(self, held: int) -> None:
        """One proposal more: so many tokens of it were taken."""
        self.wrong = 0 if held else self.wrong + 1
        self.size = min(MOST, FIRST + 2 * held) if held else max(self.size // 2, 1)
        self.wait = min(2 ** max(self.wrong - PATIENCE, 0) - 1, LONGEST)


class Pace:
    """The lengths of what is proposed by one draft in one generation.

    Rows for which something has held are paced each by itself. All others share one back-off, and while nothing holds
    for them, one of them at a time is tried, in turn: a draft that never holds costs as much for many rows as for one.
    """

    def __init__(self) -> None:
        self._rows: dict[Key, Backoff] = {}
        self._others, self._held = Backoff(), False
        self._place = self._turn = 0  # of the row that is asked for, and of the one that was tried last
        self._tried = False  # in this pass

    def pass_begins(self) -> None:
        """Before the budgets of a pass are asked for."""
        self._place, self._turn = 0, self._turn if self._turn < self._place else 0
        self._tried = False

    def budget(self, key: Key) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        row = self._rows.get(key, self._others)
        self._place += 1
        if row.wait:
            row.wait -= 1
            return 0
        if row is self._others and not self._held:
            if self._tried or self._place <= self._turn:
                return 0
            self._tried, self._turn = True, self._place
        return row.size

    def note(self, key: Key, held: int) -> None:
        """What became of a proposal for a row: how many of its tokens, one after the other, were taken."""
        if key not in self._rows:
            self._held = held > 0
            self._others.note(held)
            if not held:
                return
        if len(self._rows) >= REMEMBERED:
            self._rows.clear()
        self._rows.setdefault(key, Backoff()).note(held)
