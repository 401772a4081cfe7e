"""The samples of a state as a tree: what they share drawn once, as an SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from math import exp, inf
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from outlines_cont.display.marks import Mark, marks
from outlines_cont.fsm.picture import BLUE, SKY, VERMILION, Picture, characters, seen
from outlines_cont.row import Row

if TYPE_CHECKING:
    from outlines_cont.state import SequenceState

CHARACTER, LINE, GAP, MARGIN = 7.25, 40, 46, 10  # pixels
WIDEST, THINNEST = 11.0, 1.2  # edges
FEW = 4  # tokens that are drawn rather than counted
SOURCES = {"generated": BLUE, "forced": VERMILION}
SIGNS = {" ": "·", "\n": "⏎", "\t": "→"}


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A row, and the tokens that are drawn of it."""

    b: int
    s: int
    row: Row
    marks: Sequence[Mark]


@dataclass(slots=True, eq=False)
class Branch:
    """Tokens that some rows share; what they go on with; the rows that end with them. x, y: where its text begins."""

    marks: Sequence[Mark]
    leaves: list[Leaf]
    rows: int  # that share it
    branches: list[Branch] = field(default_factory=list)
    mass: float = 1.0  # of the rows that share it, among all
    x: float = 0.0
    y: float = 0.0


def branches(state: SequenceState, rows: int, tokens: int) -> Picture:
    """See `SequenceState.tree`."""
    drawn: list[str] = []
    width, y = 0.0, MARGIN + LINE / 2
    for root in forest(state, rows):
        y = _place(root, MARGIN, y, tokens)
        drawn += _draw(root, tokens)
        width = max(width, _reach(root, tokens))
    if (more := len(state) - rows) > 0:
        said = f"… and {more:,} more row{'s' * (more > 1)}: state.tree(rows={len(state)})"
        drawn.append(_label(MARGIN, y, said))
        width, y = max(width, MARGIN + len(said) * CHARACTER), y + LINE
    size = f'width="{width:.0f}" height="{y - LINE / 2 + MARGIN:.0f}"'
    about = "line: share of the probability of the rows shown; bar: keys and values kept, or (dotted) to be recomputed"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="ui-monospace,monospace" font-size="12" '
        f'fill="currentColor" stroke="none" role="img"><title>{about}</title>{"".join(drawn)}</svg>'
    )


# --- what is shared


def forest(state: SequenceState, rows: int) -> list[Branch]:
    """A tree for each batch row, of the first so many live rows of the state."""
    live = [(b, s, row) for b, group in enumerate(state.rows) for s, row in enumerate(group) if not row.dead][:rows]
    kept = state.model.kv_lengths(row for _, _, row in live)
    leaves = [
        Leaf(b, s, row, marks(state.model, row, count, range(len(row))))
        for (b, s, row), count in zip(live, kept, strict=True)
    ]
    roots = [_tree(list(group), 0) for _, group in groupby(leaves, key=lambda leaf: leaf.b)]
    for root in roots:
        _weigh(root)
    return roots


def _tree(leaves: list[Leaf], begin: int) -> Branch:
    """What these rows, which agree before `begin`, have in common from there on, and then the rest of each."""
    first = leaves[0].marks
    end = min(len(leaf.marks) for leaf in leaves)
    end = next((at for at in range(begin, end) if any(x.marks[at].token != first[at].token for x in leaves)), end)
    here = Branch(first[begin:end], [leaf for leaf in leaves if len(leaf.marks) == end], len(leaves))
    further = [leaf for leaf in leaves if len(leaf.marks) > end]
    starts = dict.fromkeys(leaf.marks[end].token for leaf in further)
    here.branches = [_tree([leaf for leaf in further if leaf.marks[end].token == token], end) for token in starts]
    return here


def _weigh(root: Branch) -> None:
    """The share of each branch in the probability of all rows; equal rows count once, rows without weights alike."""

    def weights(branch: Branch) -> Iterator[float]:
        if branch.leaves:
            yield branch.leaves[0].row.weight
        for below in branch.branches:
            yield from weights(below)

    known = list(weights(root))
    top = max(known, default=0.0)
    plain = not all(-inf < weight < inf for weight in known)
    total = len(known) if plain else sum(exp(weight - top) for weight in known)

    def weigh(branch: Branch) -> None:
        own = list(weights(branch))
        branch.mass = (len(own) if plain else sum(exp(weight - top) for weight in own)) / total
        for below in branch.branches:
            weigh(below)

    weigh(root)


# --- where it stands


def _place(branch: Branch, x: float, y: float, tokens: int) -> float:
    """Give places to a branch and all below it, from this height on; the height below them."""
    branch.x = x
    end = x + _width(branch, tokens) + GAP
    begin = y
    if branch.leaves:
        y += LINE
    for below in branch.branches:
        y = _place(below, end, y, tokens)
    first = begin if branch.leaves else branch.branches[0].y
    branch.y = (first + (branch.branches[-1].y if branch.branches else begin)) / 2
    return y


def _width(branch: Branch, tokens: int) -> float:
    return sum(size for _, _, size in _texts(branch, tokens))


def _reach(branch: Branch, tokens: int) -> float:
    own = branch.x + _width(branch, tokens) + GAP + max((len(_said(branch)) for _ in branch.leaves), default=0) * 7.0
    return max([own + MARGIN, *(_reach(below, tokens) for below in branch.branches)])


# --- how it looks


def _texts(branch: Branch, tokens: int) -> Iterator[tuple[Mark | None, str, float]]:
    """Its tokens, in the middle those that are left out as one, with what is shown of each and how wide that is."""
    cut = len(branch.marks) - tokens
    cut = cut if cut >= FEW else 0
    head = tokens // 4 if branch.x > MARGIN else 0  # of what all share the end says most
    for at, mark in enumerate(branch.marks):
        if cut and head <= at < head + cut:
            if at == head:
                said = f" … {cut} tokens … "
                yield None, said, len(said) * CHARACTER
            continue
        shown = "".join(SIGNS.get(character) or seen(character) for character in characters(mark.data)) or "∅"
        wide = sum(2 if east_asian_width(character) in "WF" else 1 for character in shown)
        yield mark, shown, wide * CHARACTER


def _draw(branch: Branch, tokens: int) -> Iterator[str]:
    x, y = branch.x, branch.y
    shared = f"shared by {branch.rows} rows" if branch.rows > 1 else "of one row"
    for mark, shown, size in _texts(branch, tokens):
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
        yield from _draw(below, tokens)


def _edge(x: float, y: float, below: Branch) -> str:
    thick = max(THINNEST, WIDEST * below.mass)
    start, end, middle, here, there = x + 2, below.x - 2, (x + below.x) / 2, y - 4, below.y - 4
    path = f"M{start:.1f} {here:.1f}C{middle:.1f} {here:.1f} {middle:.1f} {there:.1f} {end:.1f} {there:.1f}"
    title = f"{100 * below.mass:.3g}% of the probability of the rows shown, {below.rows} of them"
    return (
        f'<path d="{path}" fill="none" stroke="{SKY}" stroke-opacity=".85" stroke-width="{thick:.1f}">'
        f"<title>{title}</title></path>"
    )


def _said(branch: Branch) -> str:
    """What stands at the end of a row."""
    leaf, count = branch.leaves[0], len(branch.leaves)
    ends = {"stop": " ■", None: ""}.get(leaf.row.finished, " ✂")
    weight = f"{leaf.row.weight:.2f}".replace("-", "−") if leaf.row.generated else ""
    return f"{weight}{ends}" + (f" ×{count}" if count > 1 else "")


def _all(branch: Branch) -> str:
    places = ", ".join(f"[{leaf.b}, {leaf.s}]" for leaf in branch.leaves)
    return f"{places}: weight {branch.leaves[0].row.weight:.4f}, {branch.leaves[0].row.finished or 'not finished'}"


def _text(x: float, y: float, shown: str, size: float, more: str = "") -> str:
    fit = f'textLength="{size:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve" {fit}{more}>{escape(shown)}</text>'


def _label(x: float, y: float, said: str, title: str = "") -> str:
    about = f"<title>{escape(title)}</title>" if title else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="system-ui,sans-serif" opacity=".8">{about}{escape(said)}</text>'
