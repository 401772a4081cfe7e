"""Log-probabilities along the rows of a state, with matplotlib."""

from __future__ import annotations

from itertools import accumulate
from math import nan
from typing import Any

from outlines_cont.display.marks import live
from outlines_cont.display.protocol import DrawnRow, DrawnState


def chart(state: DrawnState, rows: int, axes: Any) -> Any:
    """See `SequenceState.plot`."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("state.plot() needs matplotlib: pip install 'outlines_cont[notebook]'") from None
    if axes is None:
        _, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 4.5), layout="constrained")
    upper, lower = axes
    known = live(state)
    for colour, (b, s, row) in enumerate(known[:rows]):
        places, own, laws = _drawn(row)
        style = {"color": f"C{colour}", "marker": ".", "markersize": 4}
        upper.plot(places, own, label=f"[{b}, {s}]", **style)
        upper.plot(places, laws, color=f"C{colour}", linestyle=":")
        lower.plot(places, list(accumulate(law - value for law, value in zip(laws, own, strict=True))), **style)
    for start in sorted({start for _, _, row in known[:rows] for start, _, _ in row.placed if start}):
        for axis in (upper, lower):
            axis.axvline(start - 0.5, color="grey", linewidth=0.6, linestyle="--")
    upper.set_ylabel("log-probability (nats)")
    more = f", the first {rows} of {len(known)} rows" if len(known) > rows else ""
    upper.set_title(f"solid: the model's own; dotted: as drawn; dashed: seams{more}", fontsize="small")
    lower.set_ylabel("Σ (drawn − own)")
    lower.set_title("what the constraint and the sampler have cost so far (nats)", fontsize="small")
    lower.set_xlabel("position in the row (tokens)")
    lower.xaxis.get_major_locator().set_params(integer=True)
    if known:
        upper.legend(fontsize="small", loc="lower left", ncols=4)
    return axes


def _drawn(row: DrawnRow) -> tuple[list[int], list[float], list[float]]:
    """The positions at which something was drawn, the model's log-probabilities there, and those of the laws drawn
    from: NaN where they are not known."""
    drawn = [
        (at, own, law) for at, (own, law) in enumerate(zip(row.logprobs, row.proposals, strict=True)) if own is not None
    ]
    return (
        [at for at, _, _ in drawn],
        [own for _, own, _ in drawn],
        [nan if law is None else law for _, _, law in drawn],
    )
