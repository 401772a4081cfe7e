"""States as plain text: one line, a short table, and how much weighed samples tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import isnan

from outlines_cont.pictures.markup import end_of
from outlines_cont.pictures.protocol import DrawnState

SHOWN_ROWS = 12
SHOWN_CHARACTERS = 88
SHOWN_BATCH_ROWS = 6


def one_line(state: DrawnState) -> str:
    """The summary of a state, made without decoding tokens, and without asking the device or a model at work."""
    claims = [row.claim for rows in state.rows for row in rows]
    return summary(state, [claim.depth if claim and not claim.tree.dead else 0 for claim in claims])


def summary(state: DrawnState, kept: Sequence[int] | None) -> str:
    """Shape, lengths, how many tokens of each row have their keys and values kept, dtype and device."""
    b, s, t = state.shape
    live = [not row.dead for rows in state.rows for row in rows]
    lengths = list(compress((len(row) for rows in state.rows for row in rows), live))
    kept_part = "" if kept is None else f"; kv {_range(list(compress(kept, live)) or [0])}"
    kept_part += _graft_part(state)
    dtype = str(state.model.dtype).removeprefix("torch.")
    return f"SequenceState({b} × {s} × {t}; {_range(lengths or [t])} tokens{kept_part}; {dtype}, {state.model.device})"


def _graft_part(state: DrawnState) -> str:
    """Which tokens are read with a graft's keys and values, and how many rows have numbers that were measured so."""
    rows = [row for group in state.rows for row in group]
    begins = [row.exact_length for row in rows if row.exact_length < len(row)]
    approximate = sum(row.on_graft[1] for row in rows)
    part = f" (a graft's from token {_range(begins)} on)" if begins else ""
    return part + (f"; weights approximate in {approximate} of {len(rows)} rows" if approximate else "")


def _range(numbers: Sequence[int]) -> str:
    least, most = min(numbers), max(numbers)
    return f"{most}" if least == most else f"{least}–{most}"


def row_key(b: int, s: int | None = None) -> str:
    """What stands behind a state of any shape to select this row; without s, a batch row. All labels are such keys."""
    return f"[{b}, {':' if s is None else s}, :]"


def table(state: DrawnState) -> str:
    """A short table: the key of each row, its weight, how it ended, and the text."""
    places = [(b, s, row) for b, rows in enumerate(state.rows) for s, row in enumerate(rows)]
    lines = [one_line(state)]
    for b, s, row in places[:SHOWN_ROWS]:
        text = "" if row.dead else end_of(repr(state.model.encoder.decode(row.ids))[1:-1], SHOWN_CHARACTERS)
        sign = "≈" if row.on_graft[1] else " "
        lines.append(f"{row_key(b, s)} {row.weight:9.3f}{sign} {row.finished or '':<11} {text}")
    if len(places) > SHOWN_ROWS:
        lines.append(f"… and {len(places) - SHOWN_ROWS} more rows")
    return "\n".join(lines)


def weighings(state: DrawnState, batch_rows: Sequence[int]) -> list[str]:
    """Of each of these batch rows how much its samples tell, as "ESS 37 of 50 by importance, 12 distinct ancestors".

    Only of rows where that says something: the number is less than that of samples as it is written, or some have an
    ancestor in common. Rows are numbered if the state has several. Those of the first few are told.
    """
    texts: dict[int, str] = {}
    for b in sorted(set(batch_rows))[:SHOWN_BATCH_ROWS]:
        samples = sum(not row.dead for row in state.rows[b])
        if samples < 2:
            continue
        size, ancestors = state.particles.weighing(b)
        distinct = len({ancestor for ancestor in ancestors if ancestor >= 0})
        if distinct < samples or round(size, int(size < 10)) < samples:
            fewer = distinct if distinct < samples else None
            texts[b] = weighing(size, f" of {samples} by importance", fewer, "distinct ancestor")
    return [f"{row_key(b)} {text}" if state.shape[0] > 1 else text for b, text in texts.items()]


def weighing(size: float, of: str, ancestors: int | None = None, noun: str = "ancestor") -> str:
    """Effective sample size, and from how many different samples these have come since they were resampled first."""
    shown = "unknown" if isnan(size) else f"{size:.1f}" if size < 10 else f"{size:.0f}"
    tail = "" if ancestors is None else f", {ancestors or 'unknown'} {noun}{'s' * (ancestors != 1)}"
    return f"ESS {shown}{of}{tail}"
