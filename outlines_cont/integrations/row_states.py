"""`RowStates`: the states of a guide, by what each row has written.

A loop of somebody else moves, copies and gives up rows as it likes, and tells nobody. So the state of a row is looked
up by the row's own token ids. A row is one that was asked about before, and one token more: its state is one `advance`
away from that row's.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from enum import Enum
from typing import Any

import numpy as np

from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.processes import whole_at_fork

KEPT_BYTES = 1 << 26  # of rows and their places; those of the last steps are kept however long they are
KEPT_STEPS = 4
ENTRY = 192  # bytes that a row takes besides its ids: its state, the objects and the place in the dict
WORD = 4  # bytes of a token id in a key


class Ended(Enum):
    """In place of a state, where there is none."""

    STOPPED = "behind an eos"
    REFUSED = "behind a token that was not allowed"


class RowStates:
    """The states of one guide, by the token ids that lead to them; those asked for last are kept.

    Args:
        guide: whose states.
        ends: the ids that end a text.
    """

    def __init__(self, guide: FullGuide, ends: Collection[int]):
        self.guide, self.ends = guide, frozenset(ends)
        self._kept: OrderedDict[bytes, GuideState | Ended] = OrderedDict()
        self._bytes = 0
        self._lock = whole_at_fork(threading.Lock())

    def of(self, rows: np.ndarray) -> list[GuideState | Ended]:
        """The states of rows, int `[rows, n]`: one `advance` for each that is one token longer than one asked before.

        A row that is not is walked from its longest beginning that is kept.
        """
        with self._lock:
            states = [self._state(row.tobytes()) for row in rows.astype(np.int32)]
            self._forget(KEPT_STEPS * len(rows))
        return states

    def _state(self, ids: bytes) -> GuideState | Ended:
        if not ids:
            return self.guide.initial
        if ids in self._kept:
            self._kept.move_to_end(ids)
            return self._kept[ids]
        length = len(ids) - WORD
        while length and ids[:length] not in self._kept:
            length -= WORD
        state = self._kept[ids[:length]] if length else self.guide.initial
        for token in np.frombuffer(ids[length:], np.int32).tolist():
            state = self._after(state, token)
        self._kept[ids] = state
        self._bytes += ENTRY + len(ids)
        return state

    def _after(self, state: GuideState | Ended, token: int) -> GuideState | Ended:
        if isinstance(state, Ended):
            return state
        if token in self.ends:
            return Ended.STOPPED if self.guide.accepting(state) else Ended.REFUSED
        if token in self.guide.vocabulary.eos or not 0 <= token < len(self.guide.vocabulary):
            return Ended.REFUSED
        after: Any = self.guide.advance(state, token)
        return Ended.REFUSED if after is None else after

    def _forget(self, least: int) -> None:
        while self._bytes > KEPT_BYTES and len(self._kept) > least:
            ids, _ = self._kept.popitem(last=False)
            self._bytes -= ENTRY + len(ids)
