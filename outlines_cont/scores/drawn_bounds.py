"""Bounds as pictures: texts as bars with the intervals of their probabilities, and prefixes as a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

from outlines_cont.masses import MassNode
from outlines_cont.pictures.markup import BLUE, GREY, SKY, cut, readable
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.svg import FONT, MARGIN, SMALL, Look, box, document, line, route, titled, width_of, written
from outlines_cont.scores.best_first import BestFirst

LINE, BARS, LONGEST, GAP = 20.0, 320.0, 36, 34.0  # pixels, but for LONGEST: the characters of a text
WIDEST_EDGE, THINNEST_EDGE = 11.0, 1.2
PALE = Look(SMALL, opacity=0.75)
OPEN = "open"


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


def drawn_bars(head: str, shares: Mapping[str, tuple[float, float]], opened: float) -> Picture:
    """A bar for each text as long as its lower bound, pale up to its upper one; and one for all that is open."""
    names = [cut(f"'{readable(text.encode('utf-8', 'surrogatepass'))}'", LONGEST) for text in shares]
    parts, x = [written(head, MARGIN, MARGIN + SMALL, PALE)], 2 * MARGIN + max(map(width_of, [*names, OPEN]))
    bars = zip([*names, OPEN], [*shares.values(), (0.0, opened)], strict=True)
    y, right = MARGIN, 2 * MARGIN + width_of(head, SMALL)
    for name, (lower, upper) in bars:
        y += LINE
        colour, least, most = GREY if name is OPEN else BLUE, x + BARS * lower, x + BARS * upper
        told = f"at most {_percent(upper)}" if name is OPEN else f"{_percent(lower)} to {_percent(upper)}"
        drawn = [
            written(name, MARGIN, y + FONT),
            box(x, y + 3, least - x, LINE - 7, f'fill="{colour}" fill-opacity=".7"'),
            box(least, y + 3, most - least, LINE - 7, f'fill="{colour}" fill-opacity=".25"'),
            *(line(f"M{end:.1f} {y + 1:.1f}v{LINE - 3:.1f}") for end in (least, most)),
            written(told, most + 8, y + FONT - 1, PALE),
        ]
        parts.append(titled(f"{name}: {told} of the language", drawn))
        right = max(right, most + 8 + width_of(told, SMALL) + MARGIN)
    return Picture(document(right, y + LINE + MARGIN, parts, "bounds of the probabilities of texts"))


# --- tree


@dataclass(slots=True, eq=False)
class MassBranch:
    """A beginning as it is drawn: the bytes that it adds, the mass that was found or is open in it, what goes on from
    it, and whether nothing of it was looked into."""

    text: bytes
    mass: float
    below: list[MassBranch]
    open: bool = False
    y: float = 0.0

    def opened(self) -> float:
        """The mass of the branches below that are open."""
        return self.mass if self.open else sum(branch.opened() for branch in self.below)

    def settle(self, y: float) -> float:
        """Set its height and those below, from here on; the height of the last line."""
        last = y
        for i, branch in enumerate(self.below):
            last = branch.settle(last + LINE * (i > 0))
        self.y = (self.below[0].y + self.below[-1].y) / 2 if self.below else y
        return last


def drawn_tree(head: str, search: BestFirst, share: float) -> Picture:
    """The prefixes of a search with at least this share of all that is found or open."""
    if search.masses is None:
        raise TypeError("tree() of a choice by sequence: its options were scored as they are; html() shows them")
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
    least = share * masses[order[0]]
    root = _branch(order[0], b"", masses, opened, least)
    root.below = [branch for branch in root.below if branch.text]  # what is open behind the root stands with the others
    if (elsewhere := search.open - root.opened()) >= least:
        root.below.append(MassBranch(b"", elsewhere, [], open=True))
    low = root.settle(MARGIN + LINE + FONT)
    drawn, right = _drawn(root, MARGIN, root.mass or 1.0)
    width = max(right + MARGIN, 2 * MARGIN + width_of(head, SMALL))
    parts = [written(head, MARGIN, MARGIN + SMALL, PALE), *drawn]
    return Picture(document(width, low + LINE, parts, "the prefixes of texts as a tree"))


def _branch(
    node: MassNode, text: bytes, masses: Mapping[MassNode, float], opened: Mapping[MassNode, float], least: float
) -> MassBranch:
    """A prefix as a branch, together with the tokens that nearly always come next; without those that are unlikely."""
    shown = [child for child in node.children.values() if masses[child] >= least]
    while len(shown) == 1 and masses[shown[0]] > masses[node] - least:
        text, node = text + shown[0].text[len(node.text) :], shown[0]
        shown = [child for child in node.children.values() if masses[child] >= least]
    shown.sort(key=lambda child: -masses[child])
    below = [_branch(child, child.text[len(node.text) :], masses, opened, least) for child in shown]
    if node.is_read and opened[node] >= least:
        below.append(MassBranch(b"", opened[node], [], open=True))
    return MassBranch(text, masses[node], below, open=not node.is_read)


def _drawn(branch: MassBranch, x: float, whole: float) -> tuple[list[str], float]:
    """The SVG of a branch from its left end on, and how far to the right it comes. whole: the mass of all."""
    words = [readable(branch.text).replace(" ", "·"), OPEN * branch.open, _percent(branch.mass / whole)]
    label = " ".join(filter(None, words[:2] if branch.below else words)) or "∅"
    parts, right = [written(label, x, branch.y, Look(opacity=0.6 if branch.open else 1.0))], x + width_of(label)
    far = right
    for below in branch.below:
        path = route([(right + 3, branch.y - 4), (right + GAP - 3, below.y - 4)])
        thick = max(THINNEST_EDGE, WIDEST_EDGE * below.mass / whole)
        told = f"{_percent(below.mass / whole)} of what was found or is open" + ", not looked into" * below.open
        parts.append(titled(told, [line(path, thick, GREY if below.open else SKY, 0.85)]))
        drawn, reach = _drawn(below, right + GAP, whole)
        parts, far = parts + drawn, max(far, reach)
    return parts, far
