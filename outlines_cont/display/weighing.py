"""How much weighed samples tell, in a few words: for pictures, and for those who wait."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from outlines_cont.display.protocol import DrawnState
from outlines_cont.display.text import row_key

SHOWN_BATCH_ROWS = 6


def weighings(state: DrawnState, batch_rows: Sequence[int]) -> list[str]:
    """Of each of these batch rows how much its samples tell, as "ESS 37 of 50, 12 distinct ancestors".

    Only of rows where that says something: their samples differ in weight, or some have an ancestor in common. Rows are
    numbered if the state has several.
    """
    texts: dict[int, str] = {}
    for b in sorted(set(batch_rows)):
        samples = sum(not row.dead for row in state.rows[b])
        if samples < 2:
            continue
        size, ancestors = state.weighing(b)
        distinct = len({ancestor for ancestor in ancestors if ancestor >= 0})
        if distinct < samples:
            texts[b] = weighing(size, samples, distinct, " of ", "distinct ancestor")
        elif size < samples * (1 - 1e-6):
            texts[b] = weighing(size, samples, of=" of ")
    return [f"{row_key(b)} {text}" if state.shape[0] > 1 else text for b, text in texts.items()]


def weighing(size: float, samples: int, ancestors: int | None = None, of: str = "/", noun: str = "ancestor") -> str:
    """Effective sample size, and from how many different samples these have come since they were resampled first.

    >>> from outlines_cont.display.weighing import weighing
    >>> weighing(37.4, 50, 12), weighing(1.25, 8, 1, " of ", "distinct ancestor"), weighing(3.0, 8)
    ('ESS 37/50, 12 ancestors', 'ESS 1.2 of 8, 1 distinct ancestor', 'ESS 3.0/8')
    """
    shown = "unknown" if isnan(size) else f"{size:.1f}" if size < 10 else f"{size:.0f}"
    tail = "" if ancestors is None else f", {ancestors or 'unknown'} {noun}{'s' * (ancestors != 1)}"
    return f"ESS {shown}{of}{samples}{tail}"


def head_part(state: DrawnState, batch_rows: Sequence[int]) -> str:
    """What the head line of a picture adds about the weights of these batch rows: nothing, or text after a semicolon.

    Those of the first few are told.
    """
    return "".join(f"; {text}" for text in weighings(state, sorted(set(batch_rows))[:SHOWN_BATCH_ROWS]))
