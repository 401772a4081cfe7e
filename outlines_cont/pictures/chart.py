"""Log-probabilities along the rows of a state, with matplotlib: on light and dark, or in the user's own style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import isfinite, nan
from typing import Any

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.pictures.marks import live, marks, whole
from outlines_cont.pictures.markup import GREY, cut, escaped, readable
from outlines_cont.pictures.protocol import DrawnRow, DrawnState
from outlines_cont.pictures.text import row_key

MOST_TICKS = 40  # tokens that are written below the axis, if only one row is drawn
LONGEST_TICK = 12  # characters
SMALL, LETTER = 8.0, 5.2  # points: the height of small letters, and their width at most
LEAST = 1.0  # nats that an axis covers, at least: hardly anything is not to look like much
INKS = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
PAPERS = ("figure.facecolor", "axes.facecolor")


def chart(state: DrawnState, rows: int, axes: Any) -> Any:
    """See `SequenceState.plot`."""
    ours, alive = axes is None, live(state)
    shown = [(row_key(b, s) + " ≈ (on a graft)" * row.on_graft[1], row) for b, s, row in alive[:rows]]
    with _palette(ours):
        upper, lower = axes = _new_axes(len(shown)) if ours else axes
        strips, seams = list(_strips(upper, len(shown))), _seams([row for _, row in shown])
        for n, (strip, (key, row)) in enumerate(zip(strips, shown, strict=True)):
            _draw_row(strip, lower, row, f"C{n}", 1.5 + 0.8 * (len(shown) - n - 1))
            if len(shown) > 1 or row.on_graft[1]:
                strip.text(1.01, 0.5, key, color=f"C{n}", transform=strip.transAxes, va="center", fontsize=SMALL)
        for axis, least in [(lower, LEAST), *((strip, -LEAST) for strip in strips)]:
            axis.use_sticky_edges = False
            axis.update_datalim([(0, 0), (0, least)], updatex=False)
            axis.autoscale_view()
        if shown and all(row.generated == 0 for _, row in shown):
            lower.set_xlim(-0.5, max(state.shape[2], 1) - 0.5)
        _draw_seams(seams, upper, [*strips, lower])
        upper.set_ylabel("log-probability (nats)", labelpad=28 if len(shown) > 1 else None)
        parts = ["bars: the model's own", "lines: as drawn", *["dashed: seams"] * bool(seams)]
        parts += [f"the first {rows} of {len(alive)} rows"] * (len(alive) > rows)
        upper.set_title("; ".join(parts), fontsize="small", pad=18 if any(seams.values()) else None)
        lower.set_ylabel("Σ (drawn − own)")
        lower.set_title("what the constraint and the sampler have cost so far (nats)", fontsize="small")
        lower.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
        lower.set_xlabel("position in the row (tokens)")
        if len(shown) == 1:
            _write_tokens(state.model, shown[0][1], lower)
    return axes


def _palette(ours: bool) -> Any:
    """Ink that is read on light and on dark, and no paper: unless the axes are the user's, or the style is."""
    try:
        import matplotlib.pyplot as plt
        from matplotlib import rcParamsDefault
    except ImportError:
        raise ImportError("state.plot() needs matplotlib: pip install 'outlines_cont[notebook]'") from None
    if ours:
        plt.draw_if_interactive()  # rc_context would take back what a backend sets when it is first used
    plain = ours and all(plt.rcParams[key] == rcParamsDefault[key] for key in (*INKS, *PAPERS))
    return plt.rc_context(dict.fromkeys(INKS, GREY) | dict.fromkeys(PAPERS, "none") if plain else {})


def _new_axes(count: int) -> Any:
    import matplotlib.pyplot as plt

    wide, high = plt.rcParams["figure.figsize"]
    size, ratios = (wide, high * max(1.0, 0.76 + 0.12 * count)), (max(1.0, 0.4 * count), 1)
    return plt.subplots(2, 1, sharex=True, layout="constrained", figsize=size, height_ratios=ratios)[1]


def _strips(upper: Any, count: int) -> Iterator[Any]:
    """Where each row is drawn: a single one in the axes themselves, several below one another in them."""
    if count == 1:
        yield upper
    elif count:
        upper.tick_params(left=False, bottom=False, labelleft=False, labelbottom=False)
        upper.spines[:].set_visible(False)
    first = None
    for n in range(count if count > 1 else 0):
        strip = upper.inset_axes((0, 1 - (n + 1) / count, 1, 0.86 / count), sharex=upper, sharey=first)
        strip.tick_params(bottom=False, labelbottom=False, labelsize=SMALL)
        strip.locator_params(axis="y", nbins=2)
        first = first or strip
        yield strip


def _draw_row(strip: Any, lower: Any, row: DrawnRow, colour: str, width: float) -> None:
    """The model's own numbers as bars, those drawn from as lines; and the sums, so wide that equal ones are seen."""
    drawn = [at for at, logprob in enumerate(row.logprobs) if logprob is not None]
    logprobs, law = ([_finite(numbers[at]) for at in drawn] for numbers in (row.logprobs, row.proposals))
    strip.bar(drawn, logprobs, width=0.8, color=colour, alpha=0.6)
    strip.plot(*_levels(drawn, law), color=strip.yaxis.label.get_color(), linewidth=1.2)
    sums = accumulate(there - here for there, here in zip(law, logprobs, strict=True))
    lower.plot(*_levels(drawn, sums), color=colour, linewidth=width)


def _finite(number: float | None) -> float:
    return number if number is not None and isfinite(number) and abs(number) < 1e30 else nan


def _levels(places: Sequence[int], values: Iterable[float]) -> tuple[list[float], list[float]]:
    """A line for each token, as long as it is wide."""
    return [x for at in places for x in (at - 0.5, at + 0.5, nan)], [y for value in values for y in (value, value, nan)]


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


def _draw_seams(seams: dict[int, str], upper: Any, axes: Sequence[Any]) -> None:
    """Lines, and above them the names of steps, each in the room up to the next."""
    for at in seams:
        for axis in axes:
            axis.axvline(at - 0.5, color=GREY, linewidth=0.8, linestyle="--", alpha=0.7, zorder=0)
    left, right = upper.get_xlim()
    letters = 72 * upper.get_position().width * upper.figure.get_figwidth() / LETTER / (right - left)
    for (at, name), (after, _) in pairwise([*((at, name) for at, name in seams.items() if name), (right, "")]):
        text = cut(_drawable(readable(name.encode("utf-8", "replace"))), max(1, int((after - at) * letters)))
        place = {"transform": upper.get_xaxis_transform(), "fontsize": SMALL, "va": "bottom"}
        upper.text(at - 0.5, 1.01, text, **place)


# --- tokens


def _write_tokens(model: LanguageModel, row: DrawnRow, axis: Any) -> None:
    """Write the tokens of a row below the axis, if they are few enough: also the given ones among them, if all are."""
    drawn = [at for at, logprob in enumerate(row.logprobs) if logprob is not None]
    if not drawn or len(drawn) > MOST_TICKS:
        return
    between = range(drawn[0], drawn[-1] + 1)
    places = list(between) if len(between) <= MOST_TICKS else drawn
    each = list(whole(marks(model, row, 0, places)))
    texts = [_drawable(cut(readable(mark.data).replace(" ", "·"), LONGEST_TICK)) for mark in each]
    axis.set_xticks([mark.position for mark in each], texts, rotation=90, fontsize="small")
    axis.set_xlabel(f"tokens {places[0]} to {places[-1]} of the row" if places[1:] else f"token {places[0]} of the row")


def _drawable(text: str) -> str:
    """A text in which "$" begins no formula, and what no font here has is written as its number."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = [get_font(findfont(FontProperties(family=[name]))) for name in rcParams["font.family"]]
    there = (each if any(font.get_char_index(ord(each)) for font in fonts) else escaped(each) for each in text)
    return "".join(there).replace("$", r"\$")
