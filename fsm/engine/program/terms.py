"""Terms: what remains to be matched, as persistent stacks of nodes. And the edges of nodes that have many.

A term is a node to be matched, and the term that remains after it. Equal terms are the same number: they are found in
the hash table SLOTS. So a stack may be of any depth, and two stacks share what lies at their bottoms.
"""

from __future__ import annotations

from ..layout import (
    ACCEPTS,
    AT,
    BACKSLASHED,
    BEFORE_DIGITS,
    BEYOND,
    BRANCHES,
    CAT,
    CHARS,
    CLASS,
    CLASSES,
    COUNT,
    DEPTHS,
    END,
    FAULT,
    FOLDED,
    HEADER,
    HEAP,
    KIND,
    LACKING,
    MEMO,
    NEAR,
    NEED,
    NO_LIMIT,
    NODE,
    NODES,
    NULLABLE,
    OTHER_ESCAPES,
    PLAIN,
    REPEAT,
    REST,
    REST_OF,
    SLOTS,
    STAMP,
    STATE,
    TERMS,
    UNFOLD,
    UNLIKE,
    A,
    B,
    C,
    D,
)
from .views import Array, Memory, classes_of, int64, lacks, numbers, part, records, shorts, uint8, uint64


@part
def scramble(x: int) -> int:
    x = (x ^ (x >> uint64(31))) * uint64(0x9E3779B97F4A7C15)
    return x ^ (x >> uint64(29))


@part
def slot_of(near: int, h: int, i: int, room: int) -> int:
    """The i-th slot to look at, for something that belongs near `near` and has the hash h."""
    if i >= NEAR:
        near, i = int64(h >> uint64(32)), i * int64(h & uint64(0xFFFFFFF) | uint64(1))
    return (near + i) & (room - 1)


@part
def hash_term(node: int, rest: int) -> int:
    return scramble(uint64(node) << uint64(32) | uint64(rest))


@part
def push(m: Memory, node: int, rest: int) -> int:
    """The term of `node` and then `rest`."""
    if node == END:
        return rest
    terms, slots = records(m, TERMS), shorts(m, SLOTS)
    h, i, room = hash_term(node, rest), int64(0), m[SLOTS + 2]
    near = 2 * rest + int64(h & uint64(NEAR - 1))
    slot = slot_of(near, h, i, room)
    while slots[slot] != 0:
        term = int64(slots[slot])
        if terms[term, NODE] == node and terms[term, REST] == rest:
            return term
        i += 1
        slot = slot_of(near, h, i, room)
    if lacks(m, TERMS, 1) or lacks(m, DEPTHS, 1):
        return NEED
    term, nodes, depths = m[TERMS + 1], records(m, NODES), numbers(m, DEPTHS)
    depth = depths[rest] if rest != END else int64(0)
    depths[term] = depth + nodes[node, D] if nodes[node, KIND] == FOLDED else depth
    m[DEPTHS + 1] = term + 1
    terms[term, NODE], terms[term, REST], terms[term, AT], terms[term, STATE] = node, rest, -1, -1
    terms[term, COUNT] = terms[term, ACCEPTS] = terms[term, STAMP] = 0
    slots[slot] = term
    m[TERMS + 1] = term + 1
    return term


@part
def push_tail(m: Memory, node: int, rest: int) -> int:
    """`push`; a sequence as it is when it has been opened, so that equal is the same (see `differ`)."""
    nodes = records(m, NODES)
    if nodes[node, KIND] == CAT:
        rest = push(m, nodes[node, B], rest)
        if rest == NEED:
            return NEED
        node = nodes[node, A]
    return push(m, node, rest)


@part
def new_node(m: Memory, kind: int, a: int, b: int, c: int, d: int, nullable: int) -> int:
    if lacks(m, NODES, 1):
        return NEED
    nodes, node = records(m, NODES), m[NODES + 1]
    nodes[node, KIND], nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D] = kind, a, b, c, d
    nodes[node, NULLABLE], nodes[node, MEMO], nodes[node, CHARS] = nullable, -1, -1
    m[NODES + 1] = node + 1
    return node


@part
def after_one_round(m: Memory, node: int) -> int:
    """What remains of a REPEAT after one round: the same node each time."""
    nodes = records(m, NODES)
    if nodes[node, MEMO] < 0:
        body, low, high = nodes[node, A], nodes[node, B], nodes[node, C]
        if high == 1:
            less = int64(END)
        elif high == NO_LIMIT and low == 0:
            less = node
        else:
            low = max(low - 1, 0)
            high = high if high == NO_LIMIT else high - 1
            less = new_node(m, int64(REPEAT), body, low, high, int64(0), int64(low == 0))
            if less == NEED:
                return NEED
        nodes[node, MEMO] = less
    return nodes[node, MEMO]


@part
def end_of_run(heap: Array, starts: int, i: int, high: int, depth: int) -> int:
    """The first word after word i that has another byte at `depth`, or `high`."""
    byte, stop = heap[heap[starts + i] + depth], i + 1
    while stop < high and heap[heap[starts + stop] + depth] == byte:
        stop += 1
    return stop


@part
def edges_of(m: Memory, node: int) -> int:
    """Where in the heap the edges of a WORDS or FOLDED node are: their number, then (label, tail) for each."""
    nodes, heap = records(m, NODES), numbers(m, HEAP)
    if nodes[node, MEMO] >= 0:
        return nodes[node, MEMO]
    if nodes[node, KIND] == FOLDED:
        m[LACKING], m[FAULT] = UNFOLD, node
        return NEED
    if nodes[node, KIND] == UNLIKE:
        return unlike_edges(m, node)
    if nodes[node, KIND] == BACKSLASHED:
        return escapes_edges(m, node)
    # The tails, from `depth` on, of sorted words that agree before it. Word i lies at heap[starts + i]. After word i of
    # a BRANCHES comes the node heap[starts - 1] + i.
    kind = nodes[node, KIND]
    starts, low, high, depth = nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D]
    first = low + 1 if heap[starts + low + 1] - heap[starts + low] == depth else low
    groups, i = 0, first
    while i < high:
        groups += 1
        i = end_of_run(heap, starts, i, high, depth)
    if lacks(m, HEAP, 1 + 2 * groups) or lacks(m, NODES, groups):
        return NEED
    at, i = m[HEAP + 1], first
    heap[at] = groups
    for group in range(groups):
        byte, stop = heap[heap[starts + i] + depth], end_of_run(heap, starts, i, high, depth)
        ends = heap[starts + i + 1] - heap[starts + i] == depth + 1
        tail = END
        if not (ends and stop == i + 1):
            tail = new_node(m, kind, starts, i, stop, depth + 1, int64(ends))
        elif kind == BRANCHES:
            tail = heap[starts - 1] + i
        heap[at + 1 + 2 * group], heap[at + 2 + 2 * group] = 1 + byte, tail  # node 1 + b is the byte b
        i = stop
    m[HEAP + 1] = at + 1 + 2 * groups
    nodes[node, MEMO] = at
    return at


@part
def unlike_edges(m: Memory, node: int) -> int:
    """`edges_of` of an UNLIKE: what goes on and ends with a quote, but is none of the words, nor spells one by escapes.

    The heap has, before the words' places, nodes: what any string goes on with to its end, one character beyond ASCII,
    `u00` (−1: printable ASCII has no escapes), what follows the backslash in other escapes; and, by the byte that is
    left out (0: none), those of the plain characters of ASCII that were made so far. No word has a quote, a backslash,
    or what is not printable.
    """
    nodes, heap, classes = records(m, NODES), numbers(m, HEAP), classes_of(m, CLASSES)
    starts, low, high, depth = nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D]
    head, ends = starts - HEADER, heap[starts + low + 1] - heap[starts + low] == depth
    first = low + 1 if ends else low
    groups, i = 0, first
    while i < high:
        groups += 1
        i = end_of_run(heap, starts, i, high, depth)
    size = groups + 3 + (0 if ends else 1)
    if lacks(m, HEAP, 1 + 2 * size) or lacks(m, NODES, groups + 2) or lacks(m, CLASSES, 1):
        return NEED
    rest, byte = heap[head + REST_OF], int64(0)
    at, new = m[HEAP + 1], m[CLASSES + 1]
    for b in range(256):
        classes[new, b] = uint8(b >= 0x20) & uint8(b < 0x80) & uint8(b != 0x22) & uint8(b != 0x5C)
    i, n = first, at + 1
    while i < high:
        byte, stop = heap[heap[starts + i] + depth], end_of_run(heap, starts, i, high, depth)
        classes[new, byte] = 0
        heap[n], heap[n + 1] = 1 + byte, new_node(m, int64(UNLIKE), starts, i, stop, depth + 1, int64(0))
        n += 2
        i = stop
    plain = heap[head + PLAIN + byte] if groups < 2 else int64(-1)
    if plain < 0:
        m[CLASSES + 1] += 1
        plain = new_node(m, int64(CLASS), new, int64(0), int64(0), int64(0), int64(0))
        if groups < 2:
            heap[head + PLAIN + byte] = plain
    escapes = new_node(m, int64(BACKSLASHED), node, int64(0), int64(0), int64(0), int64(0))
    heap[n], heap[n + 1] = plain, rest
    heap[n + 2], heap[n + 3] = heap[head + BEYOND], rest
    heap[n + 4], heap[n + 5] = 1 + 0x5C, escapes
    if not ends:
        heap[n + 6], heap[n + 7] = 1 + 0x22, END
    heap[at] = size
    m[HEAP + 1] = at + 1 + 2 * size
    nodes[node, MEMO] = at
    return at


@part
def escapes_edges(m: Memory, node: int) -> int:
    """What follows a backslash within an UNLIKE: others; and, if printable ASCII may be escaped, `/` and the digits of
    its characters (Python unfolds these)."""
    nodes, heap = records(m, NODES), numbers(m, HEAP)
    if lacks(m, HEAP, 7) or lacks(m, NODES, 1):
        return NEED
    owner = nodes[node, A]
    head, edges = nodes[owner, A] - HEADER, nodes[owner, MEMO]
    rest = slash = heap[head + REST_OF]
    for i in range(edges + 1, edges + 1 + 2 * heap[edges], 2):
        if heap[i] == 1 + 0x2F:
            slash = heap[i + 1]
    at = m[HEAP + 1]
    heap[at], heap[at + 1], heap[at + 2] = 1, heap[head + OTHER_ESCAPES], rest
    if heap[head + BEFORE_DIGITS] >= 0:
        heap[at], heap[at + 3], heap[at + 4] = 3, 1 + 0x2F, slash
        heap[at + 5] = heap[head + BEFORE_DIGITS]
        heap[at + 6] = new_node(m, int64(FOLDED), owner, int64(0), int64(0), int64(0), int64(0))
    m[HEAP + 1] = at + 1 + 2 * heap[at]
    nodes[node, MEMO] = at
    return at
