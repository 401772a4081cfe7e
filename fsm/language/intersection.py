"""The strings that several languages have in common, and that others lack.

Law:   L(intersection(xs, ys)) == all of L(x) & none of L(y)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from outlines_cont.errors import ConstraintError

from .graph import graph
from .nodes import Class, Lazy, Node, chars, inside_out, star, uncollected
from .ranges import Ranges, complement, overlap, union
from .terms import Term, Terms

_PRODUCT_LIMIT = 200_000


@uncollected()
def intersection(yes: Sequence[Node], no: Sequence[Node] = ()) -> Node:
    """The strings that all of `yes` have and none of `no`. Built at once, because a way may turn out to be a dead end.

    Raises:
        ConstraintError: all together are too large.
    """
    if len(yes) == 1 and not no:
        return yes[0]
    yes = yes or [star(chars(((0, 0x10FFFF),)))]
    terms, sets = Terms(), _Sets()
    start: _Meeting = (
        tuple(terms.push(node, terms.end) for node in yes),
        tuple(frozenset([terms.push(node, terms.end)]) for node in no),
    )
    index, meetings = {start: 0}, [start]
    symbols = _symbols(yes)
    edges: list[list[tuple[Node, int]]] = []
    ends: list[bool] = []
    for meeting in meetings:  # grows while it is read
        out: dict[int, int] = {}
        for some, after in _together(terms, sets, meeting):
            j = index.get(after)
            if j is None:
                refused = any(terms.has_all(t, symbols) for ways in after[1] for t in ways)  # whatever comes
                j = index[after] = -1 if refused else len(meetings)
                if not refused:
                    meetings.append(after)
            if j >= 0:
                out[j] = sets.either(out[j], some) if j in out else some
        edges.append([(sets.classes[some], j) for j, some in out.items()])
        ends.append(all(t.nullable for t in meeting[0]) and not any(t.nullable for some in meeting[1] for t in some))
        if len(meetings) > _PRODUCT_LIMIT:
            raise ConstraintError(f"the conditions on one value, taken together, need over {_PRODUCT_LIMIT} states")
    return graph(edges, ends)


_Remaining = tuple[frozenset[Term], ...]  # every way through each of `no`
_Meeting = tuple[tuple[Term, ...], _Remaining]  # one way through each of `yes`


def _symbols(nodes: Sequence[Node]) -> Ranges | None:
    """The symbols of one of some languages; None if that is not plain."""
    for node in nodes:
        parts = inside_out(node)
        if not any(isinstance(part, Lazy) for part in parts):
            return union(*(part.ranges for part in parts if isinstance(part, Class)))
    return None


class _Sets:
    """Sets of symbols, by number (NONE is the empty one, ALL has every symbol): few, so that all is worked out once."""

    def __init__(self) -> None:
        self._ranges: list[Ranges] = []
        self.classes: list[Node] = []
        self._numbers: dict[Ranges, int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._but: dict[tuple[int, int], int] = {}
        self._either: dict[tuple[int, int], int] = {}
        self._leaves: dict[Term, list[tuple[int, Term]]] = {}
        self.number(())
        self.number(((0, 0x10FFFF),))

    def number(self, ranges: Ranges) -> int:
        found = self._numbers.get(ranges)
        if found is None:
            found = self._numbers[ranges] = len(self._ranges)
            self._ranges.append(ranges)
            self.classes.append(chars(ranges))
        return found

    def both(self, a: int, b: int) -> int:
        """What two have in common."""
        if a in (ALL, b):
            return b
        found = self._both.get((a, b))
        if found is None:
            found = self._both[a, b] = self.number(overlap(self._ranges[a], self._ranges[b]))
        return found

    def but(self, a: int, b: int) -> int:
        """What one has and the other does not."""
        found = self._but.get((a, b))
        if found is None:
            others = complement(self._ranges[b], 0x10FFFF)
            found = self._but[a, b] = self.number(overlap(self._ranges[a], others))
        return found

    def either(self, a: int, b: int) -> int:
        """What one of two has."""
        found = self._either.get((a, b))
        if found is None:
            found = self._either[a, b] = self.number(union(self._ranges[a], self._ranges[b]))
        return found

    def leaves(self, terms: Terms, term: Term) -> list[tuple[int, Term]]:
        """What a term begins with, and what remains of it then."""
        found = self._leaves.get(term)
        if found is None:
            found = self._leaves[term] = [(self.number(leaf.ranges), after) for leaf, after in terms.open(term)]
        return found


NONE, ALL = 0, 1


def _together(terms: Terms, sets: _Sets, meeting: _Meeting) -> Iterator[tuple[int, _Meeting]]:
    """What may come next, and what remains after it."""
    ways: list[tuple[int, tuple[Term, ...]]] = [(ALL, ())]
    for term in meeting[0]:
        leaves = sets.leaves(terms, term)
        ways = [
            (common, (*afters, after))
            for some, afters in ways
            for leaf, after in leaves
            if (common := sets.both(some, leaf)) != NONE
        ]
    refused = [[leaf for term in some for leaf in sets.leaves(terms, term)] for some in meeting[1]]
    for some, afters in ways:
        pieces: list[tuple[int, _Remaining]] = [(some, ())]
        for leaves in refused:
            pieces = [(part, (*done, then)) for piece, done in pieces for part, then in _split(sets, piece, leaves)]
        for part, remaining in pieces:
            yield part, (afters, remaining)


def _split(sets: _Sets, symbols: int, leaves: Sequence[tuple[int, Term]]) -> list[tuple[int, frozenset[Term]]]:
    """Cut a set where the leaves tell symbols from each other; each part with all that remains after it."""
    pieces: list[tuple[int, frozenset[Term]]] = [(symbols, frozenset())]
    for leaf, after in leaves:
        cut: list[tuple[int, frozenset[Term]]] = []
        for piece, some in pieces:
            inside = sets.both(piece, leaf)
            if inside == NONE:
                cut.append((piece, some))
                continue
            cut.append((inside, some | {after}))
            if inside != piece:
                cut.append((sets.but(piece, inside), some))
        pieces = cut
    return pieces
