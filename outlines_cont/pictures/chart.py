"""Log-probabilities along the rows of a state, with matplotlib, in the user's own style."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import nan
from typing import Any, NamedTuple

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.pictures.marks import live
from outlines_cont.pictures.markup import cut, readable
from outlines_cont.pictures.protocol import DrawnRow, DrawnState
from outlines_cont.pictures.text import row_key

MOST_TICKS = 40  # tokens that are written below the axis, if only one row is drawn
LONGEST_TICK = 12  # characters


class Curve(NamedTuple):
    """The drawn tokens of a row. Between spans stands a point that is NaN, so that no line leads over given text.

    Attributes:
        positions: where they are in the row; between spans, a number in between.
        logprobs: the model's own log-probabilities.
        proposals: those of the law drawn from.
        sums: what the differences add up to.
    """

    positions: list[float]
    logprobs: list[float]
    proposals: list[float]
    sums: list[float]


def chart(state: DrawnState, rows: int, axes: Any) -> Any:
    """See `SequenceState.plot`."""
    ours = axes is None
    upper, lower = axes = _new_axes() if ours else axes
    alive = live(state)
    shown = alive[:rows]
    curves = [_curve(row) for _, _, row in shown]
    for colour, ((b, s, row), curve) in enumerate(zip(shown, curves, strict=True)):
        style = {"color": f"C{colour}", "marker": ".", "markersize": 5}
        approximate = " ≈ (on a graft)" * row.on_graft[1]
        upper.plot(curve.positions, curve.logprobs, label=row_key(b, s) + approximate, **style)
        upper.plot(curve.positions, curve.proposals, color=f"C{colour}", linestyle=":")
        lower.plot(curve.positions, curve.sums, **style)
    seams = _seams([row for _, _, row in shown])
    _draw_seams(seams, upper, lower)
    upper.set_ylabel("log-probability (nats)")
    parts = ["solid: the model's own", "dotted: as drawn", *["dashed: seams"] * bool(seams)]
    parts += [f"the first {rows} of {len(alive)} rows"] * (len(alive) > rows)
    upper.set_title("; ".join(parts), fontsize="small")
    lower.set_ylabel("Σ (drawn − own)")
    lower.set_title("what the constraint and the sampler have cost so far (nats)", fontsize="small")
    lower.xaxis.get_major_locator().set_params(integer=True)
    lower.set_xlabel("position in the row (tokens)")
    if len(shown) == 1:
        _write_tokens(state.model, shown[0][2], lower)
    if len(shown) > 1 or any(row.on_graft[1] for _, _, row in shown):
        beside = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)} if ours else {}
        upper.legend(fontsize="small", **beside)
    return axes


def _new_axes() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("state.plot() needs matplotlib: pip install 'outlines_cont[notebook]'") from None
    return plt.subplots(2, 1, sharex=True, layout="constrained")[1]


def _curve(row: DrawnRow) -> Curve:
    """The points of a row, with a gap between spans; NaN too where a number is not known."""
    begins = {start for start, _, _ in row.shown}
    scores = [(at, logprob) for at, logprob in enumerate(row.logprobs) if logprob is not None]
    drawn, logprobs = [at for at, _ in scores], [logprob for _, logprob in scores]
    proposals = [nan if (law := row.proposals[at]) is None else law for at in drawn]
    sums = list(accumulate(law - logprob for law, logprob in zip(proposals, logprobs, strict=True)))
    points = list(zip(map(float, drawn), logprobs, proposals, sums, strict=True))
    gaps = [i for i, (at, then) in enumerate(pairwise(drawn), 1) if then > at + 1 or then in begins]
    for i in reversed(gaps):
        points.insert(i, ((drawn[i - 1] + drawn[i]) / 2, nan, nan, nan))
    return Curve(*(list(values) for values in zip(*points, strict=True))) if points else Curve([], [], [], [])


# --- seams


def _seams(rows: list[DrawnRow]) -> dict[int, str]:
    """Where a generated span begins or ends in each of these rows, with the name of the step that begins there."""
    each = [_borders(row) for row in rows]
    common = set.intersection(*map(set, each)) if each else set()
    return {at: name if all(names[at] == (name := each[0][at]) for names in each) else "" for at in sorted(common)}


def _borders(row: DrawnRow) -> dict[int, str]:
    borders: dict[int, str] = {}
    for start, end, piece in row.shown:
        if piece.kind == "generated":
            borders |= {start: piece.name or "", end: ""}
    return {at: name for at, name in borders.items() if 0 < at < len(row)}


def _draw_seams(seams: dict[int, str], upper: Any, lower: Any) -> None:
    from matplotlib import rcParams

    if any(seams.values()):
        upper.margins(y=0.14)  # room for the names
    for at, name in seams.items():
        for axis in (upper, lower):
            line = {"color": rcParams["grid.color"], "linewidth": rcParams["grid.linewidth"], "linestyle": "--"}
            axis.axvline(at - 0.5, **line, alpha=0.7, zorder=0)
        if name:
            place = upper.get_xaxis_transform()
            upper.text(at - 0.4, 0.03, readable(name.encode("utf-8", "replace")), transform=place, fontsize="x-small")


# --- tokens


def _write_tokens(model: LanguageModel, row: DrawnRow, axis: Any) -> None:
    """Write the tokens of a row below the axis, if they are few enough: also the given ones among them, if all are."""
    drawn = [at for at, logprob in enumerate(row.logprobs) if logprob is not None]
    if not drawn or len(drawn) > MOST_TICKS:
        return
    between = range(drawn[0], drawn[-1] + 1)
    places = list(between) if len(between) <= MOST_TICKS else drawn
    axis.set_xticks(places, [_token_text(model, row.ids[at]) for at in places], rotation=90, fontsize="small")
    axis.set_xlabel(f"tokens {places[0]} to {places[-1]} of the row")


def _token_text(model: LanguageModel, token: int) -> str:
    """A token as matplotlib is to write it: spaces can be seen, and "$" begins no formula."""
    return cut(readable(model.vocabulary.tokens[token]).replace(" ", "·"), LONGEST_TICK).replace("$", r"\$")
