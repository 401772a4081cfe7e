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
    alive = live(state)
    for colour, (b, s, row) in enumerate(alive[:rows]):
        positions, logprobs, proposals = _drawn_scores(row)
        style = {"color": f"C{colour}", "marker": ".", "markersize": 4}
        approximate = " ≈ (on a graft)" * row.on_graft[1]
        upper.plot(positions, logprobs, label=f"[{b}, {s}]{approximate}", **style)
        upper.plot(positions, proposals, color=f"C{colour}", linestyle=":")
        differences = (law - logprob for law, logprob in zip(proposals, logprobs, strict=True))
        lower.plot(positions, list(accumulate(differences)), **style)
    for start in sorted({start for _, _, row in alive[:rows] for start, _, _ in row.placed if start}):
        for axis in (upper, lower):
            axis.axvline(start - 0.5, color="grey", linewidth=0.6, linestyle="--")
    upper.set_ylabel("log-probability (nats)")
    more = f", the first {rows} of {len(alive)} rows" if len(alive) > rows else ""
    upper.set_title(f"solid: the model's own; dotted: as drawn; dashed: seams{more}", fontsize="small")
    lower.set_ylabel("Σ (drawn − own)")
    lower.set_title("what the constraint and the sampler have cost so far (nats)", fontsize="small")
    lower.set_xlabel("position in the row (tokens)")
    lower.xaxis.get_major_locator().set_params(integer=True)
    if alive:
        upper.legend(fontsize="small", loc="lower left", ncols=4)
    return axes


def _drawn_scores(row: DrawnRow) -> tuple[list[int], list[float], list[float]]:
    """The positions at which something was drawn, and there the log-probabilities of the model and of the law drawn
    from: NaN where they are not known."""
    scores = enumerate(zip(row.logprobs, row.proposals, strict=True))
    drawn = [(at, logprob, nan if law is None else law) for at, (logprob, law) in scores if logprob is not None]
    return [at for at, _, _ in drawn], [logprob for _, logprob, _ in drawn], [law for _, _, law in drawn]
