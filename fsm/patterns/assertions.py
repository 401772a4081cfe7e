r"""Assertions: `^`, `$`, `\b`, lookahead, lookbehind. They match no character, and hold at some places of a text only.

A surrogate is no character, so that it can stand for an assertion: a pattern is read with a mark, a surrogate, wherever
an assertion stands. What an assertion means is a language, too: the texts, with its mark somewhere, in which it does
*not* hold there. So all assertions, one within another as well, are resolved by one intersection:

    L(pattern)  =  the marked texts of the pattern in which no mark is refused, without their marks
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..language.graph import GraphState, graph
from ..language.intersection import intersection
from ..language.nodes import VOID, Class, Node, alt, cat, chars, opt, star
from ..language.ranges import Ranges, complement, overlap, union
from .characters import ANY, CHARACTERS, SURROGATES, TOP

TEXT, ANYTHING = star(ANY), star(chars(((0, TOP),)))


class Assertion(Class):
    """An assertion that is not resolved yet: its mark, a symbol of its own.

    Args:
        number: of this assertion, in one pattern.
        texts: gives the texts, with this mark somewhere, in which the assertion does not hold there.
        edge: -1 if it holds wherever a text begins and says no more there, 1 if wherever one ends; else 0.
    """

    __slots__ = ("_refused", "_texts", "edge")

    def __init__(self, number: int, texts: Callable[[Assertion], Node], edge: int = 0):
        code = SURROGATES[0][0] + number
        super().__init__(((code, code),))
        self.edge, self._texts = edge, texts
        self._refused: Node | None = None

    @property
    def refused(self) -> Node:
        """The texts in which the assertion does not hold, with any marks of others."""
        if self._refused is None:
            self._refused = _with_marks(intersection([cat(TEXT, self, TEXT), self._texts(self)]))
        return self._refused


def resolved(node: Node, marks: Sequence[Assertion]) -> Node:
    """The texts of a pattern in which these assertions hold wherever it has them.

    Raises:
        ConstraintError: it needs too many states.
    """
    if not marks or node is VOID:
        return node
    refused = [mark.refused for mark in marks]
    return _without_marks(intersection([node, ANYTHING], [texts for texts in refused if texts is not VOID]), marks)


def holds_where(texts: Node, mark: Assertion) -> Node:
    """Where an assertion does not hold that holds in `texts`."""
    return intersection([cat(TEXT, mark, TEXT)], [texts] if texts is not VOID else [])


def begins(mark: Node, line_ends: Ranges) -> Node:
    """Where `^` does not hold. line_ends: it holds behind these as well."""
    return cat(TEXT, but(line_ends), mark, TEXT)


def ends(mark: Node, line_ends: Ranges) -> Node:
    """Where `$` does not hold. line_ends: it holds before these as well."""
    return cat(TEXT, mark, but(line_ends), TEXT)


def ends_before_newline(mark: Node) -> Node:
    """Where Python's `$` does not hold: that is before a newline at the end, too."""
    return cat(TEXT, mark, alt(but(((10, 10),)), cat(ANY, ANY)), TEXT)


def word_boundary(mark: Node, words: Ranges, inverted: bool) -> Node:
    r"""Where `\b` does not hold; or where `\B` does not (`inverted`)."""
    word, other = chars(words), but(words)
    in_word, out_of_it = cat(TEXT, word), opt(cat(TEXT, other))  # what stands before
    into_word, on = cat(word, TEXT), opt(cat(other, TEXT))  # what follows
    if inverted:
        in_word, out_of_it = out_of_it, in_word
    return alt(cat(in_word, mark, into_word), cat(out_of_it, mark, on))


def but(ranges: Ranges) -> Node:
    """Any character but these."""
    return chars(overlap(CHARACTERS, complement(ranges, TOP)))


def _with_marks(node: Node) -> Node:
    """The same, with any marks anywhere."""
    if not isinstance(node, GraphState):
        return node  # VOID
    labels = [_ranges(label) for label in node.graph.labels]
    edges: list[list[tuple[Node, int]]] = []
    for i, _ in enumerate(node.graph.edges):
        onward = list(node.graph.numbered(i))
        stay = union(SURROGATES, *(labels[label] for label, j in onward if j == i))
        edges.append([(chars(stay), i), *((chars(labels[label]), j) for label, j in onward if j != i)])
    return graph(edges, node.graph.ends, node.index)


def _without_marks(node: Node, marks: Sequence[Assertion]) -> Node:
    """The same, with nothing in place of these marks."""
    if not isinstance(node, GraphState):
        return node  # VOID
    gone = union(*(mark.ranges for mark in marks))
    labels = [_ranges(label) for label in node.graph.labels]
    silent = [bool(overlap(ranges, gone)) for ranges in labels]
    heard = [chars(overlap(ranges, complement(gone, TOP))) for ranges in labels]
    edges: list[list[tuple[Node, int]]] = [[] for _ in node.graph.edges]
    accepting = [False] * len(edges)
    met = {node.index: None}
    for i in (states := [node.index]):  # grows
        reached = _silently_reached(node, i, silent)
        edges[i] = [
            (heard[label], k) for j in reached for label, k in node.graph.numbered(j) if heard[label] is not VOID
        ]
        accepting[i] = any(node.graph.ends[j] for j in reached)
        new = {k: None for _, k in edges[i] if k not in met}
        met |= new
        states += new
    return graph(edges, accepting, node.index)


def _silently_reached(node: GraphState, start: int, silent: list[bool]) -> dict[int, None]:
    """The states that silent labels lead to."""
    reached = {start: None}
    for i in (todo := [start]):  # grows
        for label, j in node.graph.numbered(i):
            if silent[label] and j not in reached:
                reached[j] = None
                todo.append(j)
    return reached


def _ranges(label: Node) -> Ranges:
    assert isinstance(label, Class), "what `intersection` makes"
    return label.ranges
