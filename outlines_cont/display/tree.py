"""The samples of a state as a tree: what they share drawn once, as an SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from math import exp, inf, isnan
from unicodedata import east_asian_width

from outlines_cont.display.marks import FEW_TOKENS, Mark, live, marks, number, outcome
from outlines_cont.display.protocol import DrawnRow, DrawnState
from outlines_cont.display.weighing import weighings
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import BLUE, SKY, VERMILION, Picture, characters, seen

CHARACTER_WIDTH, LINE_HEIGHT, GAP, MARGIN = 7.25, 40, 46, 10  # pixels
WIDEST_EDGE, THINNEST_EDGE = 11.0, 1.2  # edges
SOURCE_COLOURS = {"generated": BLUE, "forced": VERMILION}
GRAFT_DASHES = ' stroke-dasharray="6 2"'
WHITESPACE_SIGNS = {" ": "·", "\n": "⏎", "\t": "→"}


@dataclass(frozen=True, slots=True, eq=False)
class TreeRow:
    """A row, its place, and how many of its tokens have their keys and values in the tree."""

    b: int
    s: int
    row: DrawnRow
    kept: int

    @property
    def ids(self) -> tuple[int, ...]:
        return self.row.ids


@dataclass(slots=True, eq=False)
class Stem:
    """Tokens that some rows share, with the stems that go on from there.

    Attributes:
        first: of the rows that share the tokens the one with the most generated ones.
        begin: where the tokens begin in these rows.
        end: where they end.
        leaves: the rows that end here.
        rows: how many rows share the tokens.
        branches: the stems that go on.
        mass: the share of these rows in the probability of all rows of the tree.
        weights_known: whether the weights of all rows of the tree are known.
        labels: of each token that is drawn its mark, text and width; no mark for the text that stands for tokens
            left out.
        x: where the first label begins.
        y: the height of the labels.
    """

    first: TreeRow
    begin: int
    end: int
    leaves: list[TreeRow]
    rows: int
    branches: list[Stem] = field(default_factory=list)
    mass: float = 1.0
    weights_known: bool = True
    labels: list[tuple[Mark | None, str, float]] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """The width of all labels, in pixels."""
        return sum(size for _, _, size in self.labels)


def sample_tree(state: DrawnState, rows: int, tokens: int) -> Picture:
    """See `SequenceState.tree`."""
    drawn: list[str] = []
    width, y = 0.0, MARGIN + LINE_HEIGHT / 2
    roots = forest(state, rows)
    weighed = weighings(state, [root.first.b for root in roots])
    for root in roots:
        _set_labels(root, state.model, tokens, True)
        y = _place(root, MARGIN, y)
        drawn += _draw(root)
        width = max(width, _reach(root))
        if note := weighed.get(root.first.b):
            drawn.append(_label(MARGIN, y - LINE_HEIGHT / 4, note))
            width, y = max(width, MARGIN + len(note) * CHARACTER_WIDTH), y + LINE_HEIGHT / 2
    if (more := len(state) - rows) > 0:
        hint = f"… and {more:,} more row{'s' * (more > 1)}: state.tree(rows={len(state)})"
        drawn.append(_label(MARGIN, y, hint))
        width, y = max(width, MARGIN + len(hint) * CHARACTER_WIDTH), y + LINE_HEIGHT
    size = f'width="{width:.0f}" height="{y - LINE_HEIGHT / 2 + MARGIN:.0f}"'
    about = (
        "line: share of the probability of the rows of a tree; bar: keys and values kept, or (dotted) to be recomputed"
    )
    about += ", or (dashed) a graft's" * any(GRAFT_DASHES in part for part in drawn)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="ui-monospace,monospace" font-size="12" '
        f'fill="currentColor" stroke="none" role="img"><title>{about}</title>{"".join(drawn)}</svg>'
    )


# --- what is shared


def forest(state: DrawnState, rows: int) -> list[Stem]:
    """A tree for each batch row, of the first so many live rows of the state."""
    shown = live(state)[:rows]
    kept = state.model.kv_lengths(row for _, _, row in shown)
    leaves = [TreeRow(*place, count) for place, count in zip(shown, kept, strict=True)]
    roots = [_tree(list(group), 0) for _, group in groupby(leaves, key=lambda leaf: leaf.b)]
    for root in roots:
        _weigh(root)
    return roots


def _tree(leaves: list[TreeRow], begin: int) -> Stem:
    """The tree of rows that agree before `begin`: what they have in common from there on, and then how each goes on."""
    first, last = min(leaf.ids for leaf in leaves), max(leaf.ids for leaf in leaves)  # all rows share what these do
    end = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    most_generated = max(leaves, key=lambda leaf: leaf.row.generated)  # tokens given to one row may be drawn in another
    stem = Stem(most_generated, begin, end, [leaf for leaf in leaves if len(leaf.ids) == end], len(leaves))
    further: dict[int, list[TreeRow]] = {}
    for leaf in leaves:
        if len(leaf.ids) > end:
            further.setdefault(leaf.ids[end], []).append(leaf)
    stem.branches = [_tree(group, end) for group in further.values()]
    return stem


def _weigh(root: Stem) -> None:
    """Set the share of each stem in the probability of the rows of its tree.

    Rows of equal tokens count once. Where a weight is not known, all count alike.
    """
    stems, order = [root], []
    while stems:
        order.append(stem := stems.pop())
        stems += stem.branches
    weights = {id(stem): stem.leaves[0].row.weight for stem in order if stem.leaves}
    all_known = not any(isnan(weight) for weight in weights.values())
    top = max((weight for weight in weights.values() if weight > -inf), default=0.0)
    for stem in reversed(order):
        weight = weights.get(id(stem))
        mass = 0.0 if weight is None else exp(weight - top) if all_known else 1.0
        stem.mass = mass + sum(below.mass for below in stem.branches)
    total = root.mass or 1.0
    for stem in order:
        stem.mass, stem.weights_known = stem.mass / total, all_known


# --- where it stands


def _set_labels(stem: Stem, model: LanguageModel, tokens: int, root: bool) -> None:
    """Set the labels of a stem and of all below it: at most so many tokens of each."""
    count = stem.end - stem.begin
    cut = count - tokens if count - tokens >= FEW_TOKENS else 0
    head = stem.begin + (0 if root or not cut else tokens // 4)  # the end of what all rows share says most
    places = [at for at in range(stem.begin, stem.end) if not head <= at < head + cut]
    for mark in marks(model, stem.first.row, stem.first.kept, places):
        if cut and mark.position >= head + cut:
            gap, cut = f" … {cut} tokens … ", 0
            stem.labels.append((None, gap, len(gap) * CHARACTER_WIDTH))
        text = "".join(WHITESPACE_SIGNS.get(character) or seen(character) for character in characters(mark.data)) or "∅"
        wide = sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
        stem.labels.append((mark, text, wide * CHARACTER_WIDTH))
    for below in stem.branches:
        _set_labels(below, model, tokens, False)


def _place(stem: Stem, x: float, y: float) -> float:
    """Set the places of a stem and of all below it, from this height on. Returns the height below them."""
    stem.x, begin = x, y
    if stem.leaves:
        y += LINE_HEIGHT
    for below in stem.branches:
        y = _place(below, x + stem.width + GAP, y)
    first = begin if stem.leaves else stem.branches[0].y
    stem.y = (first + (stem.branches[-1].y if stem.branches else begin)) / 2
    return y


def _reach(stem: Stem) -> float:
    """How far to the right a stem and all below it go."""
    label_width = len(_leaf_label(stem)) * CHARACTER_WIDTH if stem.leaves else 0.0
    return max([stem.x + stem.width + GAP + label_width + MARGIN, *map(_reach, stem.branches)])


# --- how it looks


def _draw(stem: Stem) -> Iterator[str]:
    x, y = stem.x, stem.y
    shared = f"shared by {stem.rows} rows" if stem.rows > 1 else "of one row"
    for mark, text, size in stem.labels:
        if mark is None:
            yield _text(x, y, text, size, ' opacity=".6"')
        else:
            yield f"<g><title>{escape(mark.facts)}\n{shared}</title>"
            if mark.source in SOURCE_COLOURS:
                shade = f'fill="{SOURCE_COLOURS[mark.source]}" fill-opacity="{0.08 + 0.47 * mark.drawn:.2f}"'
                yield f'<rect x="{x:.1f}" y="{y - 12:.1f}" width="{size:.1f}" height="17" {shade}/>'
            dotted = "" if mark.kept else ' stroke-dasharray="1.5 3"'
            dotted = GRAFT_DASHES if mark.grafted_keys else dotted
            yield f'<path d="M{x:.1f} {y + 8:.1f}h{size:.1f}" stroke="#8a8a8a" stroke-width="3"{dotted}/>'
            style = {
                "text": ' font-style="italic"',
                "beside": ' font-style="italic"',
                "forced": ' text-decoration="underline"',
            }.get(mark.source, "")
            yield _text(x, y, text, size, style) + "</g>"
        x += size
    if stem.leaves:
        yield _label(x + 12, y, _leaf_label(stem), _leaf_title(stem))
    for below in stem.branches:
        yield _edge(x, y, below)
        yield from _draw(below)


def _edge(x: float, y: float, below: Stem) -> str:
    thick = max(THINNEST_EDGE, WIDEST_EDGE * below.mass)
    start, end, middle, here, there = x + 2, below.x - 2, (x + below.x) / 2, y - 4, below.y - 4
    path = f"M{start:.1f} {here:.1f}C{middle:.1f} {here:.1f} {middle:.1f} {there:.1f} {end:.1f} {there:.1f}"
    share = f"{100 * below.mass:.3g}% of the probability of this tree, " if below.weights_known else ""
    title = f"{share}{below.rows} of its rows"
    return (
        f'<path d="{path}" fill="none" stroke="{SKY}" stroke-opacity=".85" stroke-width="{thick:.1f}">'
        f"<title>{title}</title></path>"
    )


def _leaf_label(stem: Stem) -> str:
    """The text at the end of rows with equal tokens: the weight and the end of each, and how often they occur."""
    counts: dict[str, int] = {}
    for leaf in stem.leaves:
        weight = number(leaf.row) if leaf.row.generated else ""
        label = weight + {"stop": " ■", None: ""}.get(leaf.row.finished, " ✂")
        counts[label] = counts.get(label, 0) + 1
    return ", ".join(label + (f" ×{count}" if count > 1 else "") for label, count in counts.items())


def _leaf_title(stem: Stem) -> str:
    return "\n".join(f"[{leaf.b}, {leaf.s}]: {outcome(leaf.row)}" for leaf in stem.leaves)


def _text(x: float, y: float, text: str, size: float, more: str = "") -> str:
    fit = f'textLength="{size:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve" {fit}{more}>{escape(text)}</text>'


def _label(x: float, y: float, text: str, title: str = "") -> str:
    about = f"<title>{escape(title)}</title>" if title else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui,sans-serif" opacity=".8">{about}{escape(text)}</text>'
