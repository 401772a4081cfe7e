"""The samples of a state as a tree: what they share drawn once, as an SVG that fits its page.

The files beside this one have its parts: what is shared (`tree_shape`), which of it is written (`tree_labels`), where
that stands (`tree_layout`), and what the signs mean (`tree_legend`).
"""

from __future__ import annotations

from collections.abc import Iterator

from outlines_cont.display.protocol import DrawnState
from outlines_cont.display.tree_labels import NAME_LETTERS, WORD_LETTERS, TreeLabel, stem_text, words_width
from outlines_cont.display.tree_layout import ASCENT, DESCENT, MARGIN, PAGE, PlacedStem, TreeLine, layout
from outlines_cont.display.tree_legend import SOURCE_STYLES, bar, bar_kind, legend, token_box
from outlines_cont.display.tree_shape import forest
from outlines_cont.display.weighing import weighings
from outlines_cont.fsm.draw.picture import SKY, Picture, markup

LETTERS, SIGN_LETTERS = 13, 10  # pixels: how high those of text are, and stops and cuts
WIDEST_EDGE, THINNEST_EDGE = 11.0, 1.2
LEGEND_ROOM = 560.0  # pixels: to which a narrow picture is widened, so that its legend has few lines
SMALLEST = 0.75  # to which a picture is shrunk that is wider than a page; then it is scrolled
MOST_ROWS = 200


def sample_tree(state: DrawnState, rows: int, tokens: int | None) -> Picture:
    """See `SequenceState.tree`."""
    roots = [stem_text(root, state.model, tokens) for root in forest(state, rows)]
    placed, width, y = layout(roots, tokens)
    drawn = [part for root in placed for part in _draw(root)]
    below = weighings(state, [root.stem.first.b for root in roots])
    if (more := len(state) - rows) > 0:
        below.insert(0, f"… and {more:,} more row{'s' * (more > 1)}: state.tree(rows={min(len(state), MOST_ROWS)})")
    for text in below:
        drawn.append(_words(MARGIN, y + ASCENT, text))
        width, y = max(width, 2 * MARGIN + words_width(text, WORD_LETTERS)), y + ASCENT + DESCENT
    explained, legend_width, y = legend(placed, max(width, LEGEND_ROOM), y)
    width, height = round(max(width, legend_width)), round(y + MARGIN)
    limit = "100%" if width <= PAGE else f"max(100%,{round(SMALLEST * width)}px)"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'style="max-width:{limit};height:auto" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" '
        f'font-size="{LETTERS}" fill="currentColor" stroke="none" role="img" aria-label="samples as a tree">'
        f"{''.join(drawn)}{explained}</svg>"
    )


def _draw(placed: PlacedStem) -> Iterator[str]:
    """A stem, and all that goes on from it."""
    stem = placed.stem
    shared = f"shared by {stem.rows} rows" if stem.rows > 1 else "of one row"
    for below in placed.branches:
        yield _edge(placed, below)
    if len(placed.lines) > 1:  # what belongs together, beside the ends of other rows
        top, bottom = placed.lines[0].base - ASCENT + 2, placed.lines[-1].base + DESCENT - 4
        yield f'<path d="M{placed.x - 4:.1f} {top:.1f}V{bottom:.1f}" stroke="currentColor" stroke-opacity=".3"/>'
    for line in placed.lines:
        for label, x in zip(line.labels, line.x, strict=True):
            yield _label(placed.x + x, line, label, shared)
    for below in placed.branches:
        yield from _draw(below)


def _label(x: float, line: TreeLine, label: TreeLabel, shared: str) -> str:
    y = line.base
    name = _name(x, y, label) if label.name else ""
    if label.words:
        return name + _words(x, y, label.text, label.title)
    mark = label.mark
    if mark is None:
        text = _text(x + 2, y, label, ' opacity=".6"') if label.left_out else _sign(x + label.width / 2, y, label.text)
        return f"{name}<g><title>{markup(label.title)}</title>{text}</g>"
    box = token_box(x, y, label.width, mark.source, 0.08 + 0.47 * mark.drawn)
    line_below = bar(x, y + 8, label.width, bar_kind(label))
    text = _text(x, y, label, SOURCE_STYLES.get(mark.source, ""))
    return f"{name}<g><title>{markup(mark.facts)}\n{shared}</title>{box}{line_below}{text}</g>"


def _edge(above: PlacedStem, below: PlacedStem) -> str:
    stem = below.stem
    thick = max(THINNEST_EDGE, WIDEST_EDGE * stem.mass)
    (begin, here), start = above.exit, above.x + above.width + 2
    end, there = below.x - (6 if len(below.lines) > 1 else 3), below.entry
    middle = (start + end) / 2
    path = f"M{min(begin + 2, start):.1f} {here:.1f}H{start:.1f}"
    path += f"C{middle:.1f} {here:.1f} {middle:.1f} {there:.1f} {end:.1f} {there:.1f}"
    share = f"{100 * stem.mass:.3g}% of the probability of this tree, " if stem.weights_known else ""
    return (
        f'<path d="{path}" fill="none" stroke="{SKY}" stroke-opacity=".85" stroke-width="{thick:.1f}">'
        f"<title>{share}{stem.rows} of its rows</title></path>"
    )


def _text(x: float, y: float, label: TreeLabel, more: str = "") -> str:
    """Text whose letters are drawn as wide as they were measured, whichever font there is."""
    width = label.width if label.mark else label.width - 4
    fit = f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve" {fit}{more}>{markup(label.text)}</text>'


def _sign(x: float, y: float, text: str) -> str:
    """A stop or a cut, around a place."""
    look = f'font-family="system-ui,sans-serif" font-size="{SIGN_LETTERS}" text-anchor="middle" opacity=".8"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{text}</text>'


def _words(x: float, y: float, text: str, title: str = "") -> str:
    about = f"<title>{markup(title)}</title>" if title else ""
    look = f'font-family="system-ui,sans-serif" font-size="{WORD_LETTERS}" opacity=".85"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{about}{markup(text)}</text>'


def _name(x: float, y: float, label: TreeLabel) -> str:
    """The name of a step, above the beginning of its span."""
    about = f"<title>{markup(label.full_name)}</title>" if label.full_name != label.name else ""
    look = f'font-family="system-ui,sans-serif" font-size="{NAME_LETTERS}" opacity=".75"'
    return f'<text x="{x:.1f}" y="{y - 16:.1f}" {look}>{about}{markup(label.name)}</text>'
