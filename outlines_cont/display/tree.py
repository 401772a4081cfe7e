"""The samples of a state as a tree: what they share drawn once, as an SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from math import exp, inf, isnan
from unicodedata import east_asian_width

from outlines_cont.display.marks import FEW, Mark, live, marks, number, outcome
from outlines_cont.display.protocol import DrawnRow, DrawnState
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import BLUE, SKY, VERMILION, Picture, characters, seen

CHARACTER, LINE, GAP, MARGIN = 7.25, 40, 46, 10  # pixels
WIDEST, THINNEST = 11.0, 1.2  # edges
SOURCES = {"generated": BLUE, "forced": VERMILION}
SIGNS = {" ": "·", "\n": "⏎", "\t": "→"}


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
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
    """Tokens that some rows share; what they go on with; the rows that end with them.

    first: of the rows that share it the one with most to tell; begin, end: where its tokens stand; leaves: the rows
    that end here; rows: how many share it; mass: their share in the probability of all, known: if all weights are
    known; shown: what is drawn of its tokens, None for those left out; x, y: where that begins.
    """

    first: Leaf
    begin: int
    end: int
    leaves: list[Leaf]
    rows: int
    branches: list[Stem] = field(default_factory=list)
    mass: float = 1.0
    known: bool = True
    shown: list[tuple[Mark | None, str, float]] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        return sum(size for _, _, size in self.shown)


def branches(state: DrawnState, rows: int, tokens: int) -> Picture:
    """See `SequenceState.tree`."""
    drawn: list[str] = []
    width, y = 0.0, MARGIN + LINE / 2
    for root in forest(state, rows):
        _spell(root, state.model, tokens, True)
        y = _place(root, MARGIN, y)
        drawn += _draw(root)
        width = max(width, _reach(root))
    if (more := len(state) - rows) > 0:
        said = f"… and {more:,} more row{'s' * (more > 1)}: state.tree(rows={len(state)})"
        drawn.append(_label(MARGIN, y, said))
        width, y = max(width, MARGIN + len(said) * CHARACTER), y + LINE
    size = f'width="{width:.0f}" height="{y - LINE / 2 + MARGIN:.0f}"'
    about = (
        "line: share of the probability of the rows of a tree; bar: keys and values kept, or (dotted) to be recomputed"
    )
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="ui-monospace,monospace" font-size="12" '
        f'fill="currentColor" stroke="none" role="img"><title>{about}</title>{"".join(drawn)}</svg>'
    )


# --- what is shared


def forest(state: DrawnState, rows: int) -> list[Stem]:
    """A tree for each batch row, of the first so many live rows of the state."""
    shown = live(state)[:rows]
    kept = state.model.kv_lengths(row for _, _, row in shown)
    leaves = [Leaf(*place, count) for place, count in zip(shown, kept, strict=True)]
    roots = [_tree(list(group), 0) for _, group in groupby(leaves, key=lambda leaf: leaf.b)]
    for root in roots:
        _weigh(root)
    return roots


def _tree(leaves: list[Leaf], begin: int) -> Stem:
    """What these rows, which agree before `begin`, have in common from there on, and then the rest of each."""
    first, last = min(leaf.ids for leaf in leaves), max(leaf.ids for leaf in leaves)  # what these share, all do
    end = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    told = max(leaves, key=lambda leaf: leaf.row.generated)  # given tokens of one row may be another's own
    here = Stem(told, begin, end, [leaf for leaf in leaves if len(leaf.ids) == end], len(leaves))
    further: dict[int, list[Leaf]] = {}
    for leaf in leaves:
        if len(leaf.ids) > end:
            further.setdefault(leaf.ids[end], []).append(leaf)
    here.branches = [_tree(group, end) for group in further.values()]
    return here


def _weigh(root: Stem) -> None:
    """The share of each branch in the probability of the rows of its tree; rows of equal tokens count once. Where a
    weight is not known, all count alike."""
    stems, order = [root], []
    while stems:
        order.append(stem := stems.pop())
        stems += stem.branches
    own = {id(stem): stem.leaves[0].row.weight for stem in order if stem.leaves}
    known = not any(isnan(weight) for weight in own.values())
    top = max((weight for weight in own.values() if weight > -inf), default=0.0)
    for stem in reversed(order):
        weight = own.get(id(stem))
        mass = 0.0 if weight is None else exp(weight - top) if known else 1.0
        stem.mass = mass + sum(below.mass for below in stem.branches)
    total = root.mass or 1.0
    for stem in order:
        stem.mass, stem.known = stem.mass / total, known


# --- where it stands


def _spell(branch: Stem, model: LanguageModel, tokens: int, root: bool) -> None:
    """What is shown of the tokens of a branch and of all below it."""
    count = branch.end - branch.begin
    cut = count - tokens if count - tokens >= FEW else 0
    head = branch.begin + (0 if root or not cut else tokens // 4)  # of what all share the end says most
    places = [at for at in range(branch.begin, branch.end) if not head <= at < head + cut]
    for mark in marks(model, branch.first.row, branch.first.kept, places):
        if cut and mark.position >= head + cut:
            said, cut = f" … {cut} tokens … ", 0
            branch.shown.append((None, said, len(said) * CHARACTER))
        text = "".join(SIGNS.get(character) or seen(character) for character in characters(mark.data)) or "∅"
        wide = sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
        branch.shown.append((mark, text, wide * CHARACTER))
    for below in branch.branches:
        _spell(below, model, tokens, False)


def _place(branch: Stem, x: float, y: float) -> float:
    """Give places to a branch and all below it, from this height on; the height below them."""
    branch.x, begin = x, y
    if branch.leaves:
        y += LINE
    for below in branch.branches:
        y = _place(below, x + branch.width + GAP, y)
    first = begin if branch.leaves else branch.branches[0].y
    branch.y = (first + (branch.branches[-1].y if branch.branches else begin)) / 2
    return y


def _reach(branch: Stem) -> float:
    """How far to the right it goes."""
    said = len(_said(branch)) * CHARACTER if branch.leaves else 0.0
    return max([branch.x + branch.width + GAP + said + MARGIN, *map(_reach, branch.branches)])


# --- how it looks


def _draw(branch: Stem) -> Iterator[str]:
    x, y = branch.x, branch.y
    shared = f"shared by {branch.rows} rows" if branch.rows > 1 else "of one row"
    for mark, shown, size in branch.shown:
        if mark is None:
            yield _text(x, y, shown, size, ' opacity=".6"')
        else:
            yield f"<g><title>{escape(mark.facts)}\n{shared}</title>"
            if mark.source in SOURCES:
                shade = f'fill="{SOURCES[mark.source]}" fill-opacity="{0.08 + 0.47 * mark.drawn:.2f}"'
                yield f'<rect x="{x:.1f}" y="{y - 12:.1f}" width="{size:.1f}" height="17" {shade}/>'
            dotted = "" if mark.kept else ' stroke-dasharray="1.5 3"'
            yield f'<path d="M{x:.1f} {y + 8:.1f}h{size:.1f}" stroke="#8a8a8a" stroke-width="3"{dotted}/>'
            italic = ' font-style="italic"' * (mark.source == "text") + ' text-decoration="underline"' * (
                mark.source == "forced"
            )
            yield _text(x, y, shown, size, italic) + "</g>"
        x += size
    if branch.leaves:
        yield _label(x + 12, y, _said(branch), _all(branch))
    for below in branch.branches:
        yield _edge(x, y, below)
        yield from _draw(below)


def _edge(x: float, y: float, below: Stem) -> str:
    thick = max(THINNEST, WIDEST * below.mass)
    start, end, middle, here, there = x + 2, below.x - 2, (x + below.x) / 2, y - 4, below.y - 4
    path = f"M{start:.1f} {here:.1f}C{middle:.1f} {here:.1f} {middle:.1f} {there:.1f} {end:.1f} {there:.1f}"
    share = f"{100 * below.mass:.3g}% of the probability of this tree, " if below.known else ""
    title = f"{share}{below.rows} of its rows"
    return (
        f'<path d="{path}" fill="none" stroke="{SKY}" stroke-opacity=".85" stroke-width="{thick:.1f}">'
        f"<title>{title}</title></path>"
    )


def _said(branch: Stem) -> str:
    """What stands at the end of rows with equal tokens: how each weighs and ended, and how often."""
    count: dict[str, int] = {}
    for leaf in branch.leaves:
        weight = number(leaf.row.weight) if leaf.row.generated else ""
        said = weight + {"stop": " ■", None: ""}.get(leaf.row.finished, " ✂")
        count[said] = count.get(said, 0) + 1
    return ", ".join(said + (f" ×{n}" if n > 1 else "") for said, n in count.items())


def _all(branch: Stem) -> str:
    return "\n".join(f"[{leaf.b}, {leaf.s}]: {outcome(leaf.row)}" for leaf in branch.leaves)


def _text(x: float, y: float, shown: str, size: float, more: str = "") -> str:
    fit = f'textLength="{size:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve" {fit}{more}>{escape(shown)}</text>'


def _label(x: float, y: float, said: str, title: str = "") -> str:
    about = f"<title>{escape(title)}</title>" if title else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui,sans-serif" opacity=".8">{about}{escape(said)}</text>'
