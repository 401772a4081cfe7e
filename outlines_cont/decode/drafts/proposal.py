"""What is read ahead of a row: its continuations, cut where the constraint refuses them, as a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from outlines_cont.decode.drafts.ahead import Ahead, Ids
from outlines_cont.decode.drafts.protocol import DraftRow
from outlines_cont.kv.need import Need

WIDEST = 4  # of a tree: tokens for each token of its budget


class Proposal:
    """What is read ahead of a row that waits for logits, and what of it the row has taken.

    Attributes:
        row: as the draft saw it.
        ids: all tokens of the row, before what is read ahead.
        read: beginnings of the paths, which are the tokens that are read.
        paths: continuations that the constraint allows, with forced runs, and the positions in the row after which
            logits are wanted there.
    """

    def __init__(self, row: DraftRow, continuations: Sequence[Ids]):
        self.row, self.ids = row, row.ids
        self.paths: list[tuple[Ids, Ids]] = []
        self._draws: list[Ids] = []  # of each path, how many of its tokens are there when one more of them was drawn
        self.read: set[Ids] = set()
        self._taken: set[Ids] = set()
        self._wanted: set[Ids] = set()
        room = WIDEST * row.budget
        for continuation in continuations:
            ahead, draws = _cut(row.ahead, continuation, row.budget)
            size = ahead.wanted[-1] + 1 - ahead.length if ahead.wanted else 0
            new = [n for n in range(1, size + 1) if ahead.ids[:n] not in self.read]
            if not new or (self.read and len(self.read) + len(new) > room):
                continue
            self.read.update(ahead.ids[:n] for n in new)
            wanted = [at for at in ahead.wanted if ahead.ids[: at + 1 - ahead.length] not in self._wanted]
            self._wanted.update(ahead.ids[: at + 1 - ahead.length] for at in wanted)
            self.paths.append((ahead.ids[:size], tuple(wanted)))
            self._draws.append(draws)

    def needs(self, need: Need) -> Iterator[Need]:
        """The needs that read them: that of the row itself, longer; and others for the other branches of the tree."""
        for i, (ids, wanted) in enumerate(self.paths):
            yield replace(need, ids=need.ids + ids, wanted=(*(need.wanted if not i else ()), *wanted), computed=[])

    def take(self, ids: Ids) -> None:
        """The row, or one that comes from it, has been stepped with logits after these tokens of it."""
        if ids[: len(self.ids)] == self.ids:  # else it has gone back, and come another way
            self._taken |= taken_of(self.read, ids[len(self.ids) :])

    @property
    def drafted(self) -> int:
        """How many tokens were read."""
        return len(self.read)

    @property
    def accepted(self) -> int:
        """How many of them the row has taken."""
        return len(self._taken)

    def outcome(self) -> tuple[int, int]:
        """How many draws were foretold one after the other, and whether (1 or 0) one came out otherwise."""
        held, failed = 0, 1
        for (ids, _), draws in zip(self.paths, self._draws, strict=True):
            right = sum(ids[:size] in self._taken for size in draws)
            if (right, -(right < len(draws))) > (held, -failed):
                held, failed = right, int(right < len(draws))
        return held, failed


def taken_of(read: set[Ids], continuation: Ids) -> set[Ids]:
    """Which beginnings of a continuation were read.

    >>> from outlines_cont.decode.drafts.proposal import taken_of
    >>> sorted(taken_of({(7,), (8,), (8, 9)}, (8, 9, 7)))
    [(8,), (8, 9)]
    """
    return {continuation[:size] for size in range(1, len(continuation) + 1)} & read


def _cut(ahead: Ahead, continuation: Ids, budget: int) -> tuple[Ahead, Ids]:
    """As far along a continuation as the constraint goes, and the budget of draws: where that is; and, for each draw
    that is foretold, how many tokens are read when it is known that it was right."""
    draws: list[int] = []
    for at, token in enumerate(continuation):
        if at < len(ahead.ids):
            if ahead.ids[at] != token:
                break
            continue
        longer = ahead.after(token) if len(draws) < budget else None
        if longer is None or len(longer.wanted) == len(ahead.wanted):
            break
        draws.append(longer.wanted[len(ahead.wanted)] + 1 - ahead.length)
        ahead = longer
    return ahead, tuple(draws)
