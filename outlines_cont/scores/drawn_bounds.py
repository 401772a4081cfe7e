"""Bounds as pictures: texts as bars with the intervals of their probabilities, and prefixes as a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any

from outlines_cont.masses import MassNode
from outlines_cont.pictures.markup import BLUE, GREY, SKY, cut, readable
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.svg import (
    FONT,
    MARGIN,
    SMALL,
    WIDE,
    Look,
    box,
    document,
    line,
    route,
    titled,
    width_of,
    written,
)
from outlines_cont.scores.best_first import BestFirst

LINE, BARS, LONGEST = 20.0, 320.0, 36  # pixels: of a line, of the widest bar; characters of a text
WIDEST_EDGE, THINNEST_EDGE, GAP = 11.0, 1.2, 34.0
OPEN = "open"

Share = tuple[float, float]  # the bounds of a probability, given the language


def _named(text: str) -> str:
    return cut(f"'{readable(text.encode('utf-8', 'surrogatepass'))}'", LONGEST)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def drawn_bars(head: str, texts: Sequence[tuple[str, Share]], law: Any) -> Picture:
    """A bar for each text as long as its lower bound, pale up to its upper one; and one for all that is open."""
    names = [_named(text) for text, _ in texts]
    beside = max(map(width_of, [*names, OPEN])) + MARGIN
    parts, y = [written(head, MARGIN, MARGIN + SMALL, Look(SMALL, opacity=0.75))], MARGIN + LINE
    last = (0.0, law.open / law.mass.upper if law.mass.upper else 0.0)
    for name, (lower, upper), colour in [
        *((n, s, BLUE) for n, (_, s) in zip(names, texts, strict=True)),
        (OPEN, last, GREY),
    ]:
        x, numbers = MARGIN + beside, f"{_percent(lower)} to {_percent(upper)}"
        numbers = f"at most {_percent(upper)}" if colour == GREY else numbers
        drawn = [
            written(name, MARGIN, y + FONT, Look(opacity=0.75) if colour == GREY else Look()),
            box(x, y + 3, BARS * lower, LINE - 7, f'fill="{colour}" fill-opacity=".7"'),
            box(x + BARS * lower, y + 3, BARS * (upper - lower), LINE - 7, f'fill="{colour}" fill-opacity=".25"'),
            line(f"M{x + BARS * lower:.1f} {y + 1:.1f}v{LINE - 3:.1f}"),
            line(f"M{x + BARS * upper:.1f} {y + 1:.1f}v{LINE - 3:.1f}"),
            written(numbers, x + BARS * upper + 8, y + FONT - 1, Look(SMALL, opacity=0.75)),
        ]
        parts.append(titled(f"{name}: {numbers} of the language", drawn))
        y += LINE
    width = max(2 * MARGIN + beside + BARS + 26 * WIDE * SMALL, 2 * MARGIN + width_of(head, SMALL))
    return Picture(document(width, y + MARGIN, parts, "bounds of the probabilities of texts"))


# --- tree


@dataclass(slots=True, eq=False)
class MassBranch:
    """A beginning as it is drawn: the bytes that it adds, how likely it is that one of its texts is written, of what
    was found and of what is open, and the branches that go on from it; whether all of it is open."""

    text: bytes
    mass: float
    below: list[MassBranch] = field(default_factory=list)
    open: bool = False
    y: float = 0.0


def drawn_tree(head: str, search: BestFirst, share: float) -> Picture:
    """The prefixes of a search with at least this share of all that is found or open."""
    if search.masses is None:
        raise TypeError("tree() of a choice by sequence: its options were scored as they are; html() shows them")
    masses, opened = _masses(search)
    least = share * masses[search.masses.root]
    root = _branch(search.masses.root, b"", masses, opened, least)
    if (scattered := search.open - _open_of(root)) >= least:
        root.below.append(MassBranch(b"", scattered, open=True))
    y = _settled(root, MARGIN + LINE + FONT) + LINE
    parts = [written(head, MARGIN, MARGIN + SMALL, Look(SMALL, opacity=0.75))]
    drawn, right = _drawn(root, MARGIN, root.mass or 1.0)
    width = max(right + MARGIN, 2 * MARGIN + width_of(head, SMALL))
    return Picture(document(width, y + MARGIN, [*parts, *drawn], "the prefixes of texts as a tree"))


def _masses(search: BestFirst) -> tuple[dict[MassNode, float], dict[MassNode, float]]:
    """Of each prefix the mass that was found or is open in it; and that of it which is open, beside its children's."""
    assert search.masses is not None
    order = [search.masses.root]
    for node in order:
        order += node.children.values()
    opened: defaultdict[MassNode, float] = defaultdict(float)
    for entry in search.heap:
        opened[entry[2]] += search.mass_of(entry)
    masses: dict[MassNode, float] = {}
    for node in reversed(order):
        below = sum(masses[child] for child in node.children.values())
        masses[node] = exp(node.log_mass) * node.stop + opened[node] + below
    return masses, opened


def _branch(
    node: MassNode, text: bytes, masses: dict[MassNode, float], opened: dict[MassNode, float], least: float
) -> MassBranch:
    """A prefix as a branch: with those that add one token alone as one, and without those that are less likely."""
    shown = [child for child in node.children.values() if masses[child] >= least]
    while len(shown) == 1 and masses[shown[0]] > masses[node] - least:
        text, node = text + shown[0].text[len(node.text) :], shown[0]
        shown = [child for child in node.children.values() if masses[child] >= least]
    branch = MassBranch(text, masses[node], open=not node.is_read)
    for child in sorted(shown, key=lambda child: -masses[child]):
        branch.below.append(_branch(child, child.text[len(node.text) :], masses, opened, least))
    if node.is_read and opened[node] >= least:
        branch.below.append(MassBranch(b"", opened[node], open=True))
    return branch


def _open_of(branch: MassBranch) -> float:
    return branch.mass if branch.open else sum(map(_open_of, branch.below))


def _settled(branch: MassBranch, y: float) -> float:
    """Set the heights of a branch and of all below it, from here on; the height of the last line."""
    last = y
    for i, below in enumerate(branch.below):
        last = _settled(below, last + LINE * (i > 0))
    branch.y = (branch.below[0].y + branch.below[-1].y) / 2 if branch.below else y
    return last


def _drawn(branch: MassBranch, x: float, whole: float) -> tuple[list[str], float]:
    """The SVG of a branch from its left end on, and how far to the right it comes. whole: the mass of all."""
    text = readable(branch.text).replace(" ", "·") or ("" if branch.open else "∅")
    label = f"{text} {OPEN} {_percent(branch.mass / whole)}".strip() if branch.open else text
    label += f"  {_percent(branch.mass / whole)}" * (not branch.below and not branch.open)
    right = x + width_of(label)
    parts = [titled(_told(branch, whole), [written(label, x, branch.y, Look(opacity=0.6 if branch.open else 1.0))])]
    far = right
    for below in branch.below:
        start, end = (right + 3, branch.y - 4), (right + GAP - 3, below.y - 4)
        thick = max(THINNEST_EDGE, WIDEST_EDGE * below.mass / whole)
        parts.append(titled(_told(below, whole), [line(route([start, end]), thick, GREY if below.open else SKY, 0.85)]))
        drawn, reach = _drawn(below, right + GAP, whole)
        parts, far = parts + drawn, max(far, reach)
    return parts, far


def _told(branch: MassBranch, whole: float) -> str:
    return f"{_percent(branch.mass / whole)} of what was found or is open" + ", not looked into" * branch.open
