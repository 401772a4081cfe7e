"""Languages with other symbols: every class of symbols replaced by a language."""

from __future__ import annotations

from .nodes import (
    Alt,
    Cat,
    Class,
    Lazy,
    Node,
    Repeat,
    SpellClass,
    SpellWord,
    alt,
    cat,
    chars,
    inside_out,
    overlap,
    repeat,
    union,
)
from .terms import alphabet


def substitute(node: Node, leaf: SpellClass, spell_word: SpellWord = lambda word: word) -> Node:
    """Replace every class by `leaf(ranges)`, and every word by `spell_word(word)`.

    With `leaf` the UTF-8 (or JSON) spelling of one character, it turns a language of code points into one of bytes.
    Where `leaf` gives VOID within a `product.AtMost`, dead ends may appear there.
    """
    if isinstance(node, Class):
        return leaf(node.ranges)
    done: dict[Node, Node] = {}
    for x in inside_out(node):
        if isinstance(x, Class):
            done[x] = leaf(x.ranges)
        elif isinstance(x, Cat):
            done[x] = cat(done[x.first], done[x.rest])
        elif isinstance(x, Alt):
            done[x] = alt(*(done[y] for y in x.options))
        elif isinstance(x, Repeat):
            done[x] = repeat(done[x.body], x.low, x.high)
        else:
            done[x] = x.substituted(leaf, spell_word) if isinstance(x, Lazy) else x
    return done[node]


def restrict(node: Node, symbols: set[int]) -> Node:
    """The strings of a language of bytes that use no byte outside `symbols`."""
    if alphabet(node) <= symbols:
        return node
    allowed = union(*(((s, s),) for s in symbols))
    return substitute(
        node, lambda r: chars(overlap(r, allowed)), lambda word: word if symbols.issuperset(word) else None
    )
