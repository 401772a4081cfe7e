"""How long the strings of a language are, and which symbols occur in them."""

from __future__ import annotations

from .nodes import Alt, Bounds, Cat, Class, Lazy, Node, Repeat, inside_out


def shortest(node: Node) -> int:
    """The length of the shortest string."""
    return bounds(node)[0]


def longest(node: Node) -> int | None:
    """A bound on the length of the longest string; None if there is none, or none is known."""
    return bounds(node)[1]


def furthest(node: Node) -> int | None:
    """How far from an end one can get: the greatest `shortest` of what remains after any beginning of a string.

    An upper bound; None if none is known.
    """
    done: dict[Node, tuple[int, int]] = {}  # (shortest, furthest)
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = (1, 1)
        elif isinstance(x, Cat):
            (low, far), (more, further) = done[x.first], done[x.rest]
            done[x] = (low + more, max(far + more, further))
        elif isinstance(x, Alt):
            done[x] = (min(done[y][0] for y in x.options), max(done[y][1] for y in x.options))
        elif isinstance(x, Repeat):
            low, far = done[x.body]
            done[x] = (low * x.low, far + low * max(x.low - 1, 0))
        elif isinstance(x, Lazy):
            of_lazy = x.furthest()
            if of_lazy is None:
                return None
            done[x] = (x.lengths()[0], of_lazy)
        else:
            done[x] = (0, 0)
    return done[node][1]


def bounds(node: Node) -> Bounds:
    """(`shortest`, `longest`) of a node."""
    if isinstance(node, Class):  # as nearly all labels of a `Graph`
        return 1, 1
    done: dict[Node, Bounds] = {}
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = (1, 1)
        elif isinstance(x, Cat):
            (low, high), (more, most) = done[x.first], done[x.rest]
            done[x] = (low + more, None if high is None or most is None else high + most)
        elif isinstance(x, Alt):
            done[x] = _of_any([done[option] for option in x.options])
        elif isinstance(x, Repeat):
            low, high = done[x.body]
            done[x] = (low * x.low, None if high is None or x.high is None else high * x.high)
        else:
            done[x] = x.lengths() if isinstance(x, Lazy) else (0, 0)
    return done[node]


def _of_any(options: list[Bounds]) -> Bounds:
    highs = [high for _, high in options if high is not None]
    return min(low for low, _ in options), max(highs) if len(highs) == len(options) else None


def alphabet(node: Node) -> set[int]:
    """Every symbol that occurs in some string of a language of bytes (or, after `substitute`, might)."""
    symbols: set[int] = set()
    for x in inside_out(node):
        if isinstance(x, Class):
            for low, high in x.ranges:
                symbols.update(range(low, high + 1))
        elif isinstance(x, Lazy):
            symbols |= x.symbols()
    return symbols
