"""Leaves: the ways to take one byte off a term (Antimirov's partial derivatives, 1996).

A leaf is a set of bytes and the term that remains after one of them: class << 32 | term. `open_term` finds the leaves
of a term once, and writes them down as a sorted run.

What remains after the first byte of a character beyond ASCII depends on that byte. So that this is not half a dozen
leaves, and as many terms, wherever a string may go on, it is one leaf of all those bytes (the class B). Its term begins
with a SPLIT, which is never opened: at HEAP[A], how many sets of bytes there are, which do not meet, and each of them,
with the node after it. (There are 51 such bytes, so no more than 51 sets.) No state has such a leaf alone.
"""

from __future__ import annotations

from ..layout import (
    ACCEPTS,
    ALT,
    ANY_NAMED,
    ANY_SPELLED,
    AT,
    BRANCHES,
    CAT,
    CHARS,
    CHARSET,
    CLASS,
    CLASSES,
    COUNT,
    DEEPEST,
    END,
    EPOCH,
    FOLDED,
    HEAP,
    KIND,
    LEAVES,
    NAME_GOES_ON,
    NAMES,
    NEED,
    NO_LIMIT,
    NODE,
    NODES,
    NOTHING_REPEATED,
    NULLABLE,
    OUT,
    QUOTED,
    REPEAT,
    REPEATED,
    REST,
    SPLIT,
    STACK,
    STAMP,
    TERMS,
    TEXT_GOES_ON,
    UNLIKE,
    WORDS,
    A,
    B,
    C,
    D,
)
from .terms import after_one_round, edges_of, push, push_tail
from .views import Array, Memory, classes_of, int64, lacks, numbers, part, records


@part
def visit(m: Memory, term: int, size: int) -> int:
    """Put a term on the stack of `open_term`, once."""
    terms, stack = records(m, TERMS), numbers(m, STACK)
    if term == NEED:
        return NEED
    if terms[term, STAMP] == m[EPOCH]:
        return size
    if lacks(m, STACK, size + 1):
        return NEED
    terms[term, STAMP] = m[EPOCH]
    stack[size] = term
    return size + 1


@part
def is_leaf(m: Memory, node: int) -> bool:
    """Whether one leaf says all that a node begins with, as can be seen at once."""
    nodes = records(m, NODES)
    if nodes[node, KIND] == CAT:
        node = nodes[node, A]
    kind = nodes[node, KIND]
    if kind == WORDS:
        return nodes[node, C] == nodes[node, B] + 1 and nodes[node, NULLABLE] == 0
    return kind == CLASS or (kind == CHARSET and nodes[node, B] != 0)


@part
def append_leaf(m: Memory, node: int, after: int, count: int) -> int:
    """Append the leaf of such a node to the first `count` of OUT."""
    nodes = records(m, NODES)
    if nodes[node, KIND] == CAT:
        after = push(m, nodes[node, B], after)
        node = nodes[node, A]
    kind, of = nodes[node, KIND], nodes[node, A]
    if kind == CHARSET and after != NEED:
        split = nodes[node, B]
        of, after = nodes[split, B], push(m, split, after)
    elif kind == WORDS and after != NEED:
        at = edges_of(m, node)
        if at == NEED:
            return NEED
        of = numbers(m, HEAP)[at + 1] - 1  # node 1 + b is the byte b, and class b
        after = push(m, numbers(m, HEAP)[at + 2], after)
    if after == NEED:
        return NEED
    if lacks(m, OUT, count + 1):
        return NEED
    numbers(m, OUT)[count] = of << 32 | after
    return count + 1


@part
def is_split(m: Memory, term: int) -> bool:
    return term != END and records(m, NODES)[records(m, TERMS)[term, NODE], KIND] == SPLIT


@part
def after_leaf(m: Memory, leaf: int, byte: int) -> int:
    """The term after a leaf, of whose bytes it was this one; or NEED."""
    term = leaf & 0xFFFFFFFF
    if not is_split(m, term):
        return term
    heap, classes = numbers(m, HEAP), classes_of(m, CLASSES)
    at = records(m, NODES)[records(m, TERMS)[term, NODE], A] + 1
    while classes[heap[at], byte] == 0:
        at += 2
    return push(m, heap[at + 1], records(m, TERMS)[term, REST])


@part
def unsplit(m: Memory, leaf: int) -> int:
    """Into OUT: the leaves that a SPLIT stands for, where it is by itself. How many, or NEED."""
    heap, out, terms = numbers(m, HEAP), numbers(m, OUT), records(m, TERMS)
    term = leaf & 0xFFFFFFFF
    at, rest = records(m, NODES)[terms[term, NODE], A], terms[term, REST]
    for i in range(heap[at]):
        after = push(m, heap[at + 2 + 2 * i], rest)
        if after == NEED:
            return NEED
        out[i] = heap[at + 1 + 2 * i] << 32 | after
    return sorted_once(out, heap[at])


@part
def charset_of(m: Memory, body: int) -> int:
    """A node if it is a charset, or the option that is one; or −1."""
    nodes, heap = records(m, NODES), numbers(m, HEAP)
    if nodes[body, KIND] == ALT:
        for i in range(nodes[body, A], nodes[body, A] + nodes[body, B]):
            option = heap[i]
            if nodes[option, CHARS] >= 0:
                return option
            if nodes[option, KIND] == ALT:  # a charset and its escapes, and something else
                for j in range(nodes[option, A], nodes[option, A] + nodes[option, B]):
                    if nodes[heap[j], CHARS] >= 0:
                        return heap[j]
    return body if nodes[body, CHARS] >= 0 else int64(-1)


@part
def width_of(m: Memory, node: int) -> int:
    """How much a REPEAT of a charset allows, to choose between several: any number of times goes before all else.

    A FOLDED of which any c characters of the charset b − 1 may come next is as good, where no token has more.
    """
    nodes = records(m, NODES)
    if nodes[node, KIND] == FOLDED:
        return (int64(1) << 32 if nodes[node, C] >= m[DEEPEST] else int64(1)) if nodes[node, B] else int64(0)
    one = charset_of(m, nodes[node, A])
    if one < 0:
        return int64(0)
    return nodes[one, D] + (int64(1) << 32 if nodes[node, C] == NO_LIMIT else int64(0))


@part
def open_term(m: Memory, term: int) -> int:
    """Find a term's leaves, and whether it matches the empty string. 0, or NEED.

    The terms that are still to be opened lie on the STACK, the leaves found so far in OUT.
    """
    if records(m, TERMS)[term, AT] >= 0:
        return int64(0)
    nodes, terms = records(m, NODES), records(m, TERMS)
    stack, out = numbers(m, STACK), numbers(m, OUT)
    m[EPOCH] += 1
    nullable, count, repeated, quoted = int64(0), int64(0), int64(NOTHING_REPEATED), int64(0)
    size = visit(m, term, int64(0))
    while size > 0:
        size -= 1
        node, rest = terms[stack[size], NODE], terms[stack[size], REST]
        if node == END:
            nullable = int64(1)
            continue
        node, rest = one_way_on(m, node, rest)
        if rest == NEED:
            return int64(NEED)
        kind, alone = nodes[node, KIND], size == 0 and count == 0 and nullable == 0
        if kind in (REPEAT, FOLDED):
            repeated = wider(m, node, rest, repeated, alone)
            if repeated == NEED:
                return int64(NEED)
        if alone:
            quoted = goes_on(m, node, quoted)
        if kind == ALT:
            size, count = open_options(m, node, rest, size, count)
        elif kind == REPEAT:
            size, count = open_repeat(m, node, rest, size, count)
        elif kind in (CLASS, CHARSET):
            count = append_leaf(m, node, rest, count)
        else:
            size, count = open_edges(m, node, rest, size, count)
        if size >= 0 and nodes[node, NULLABLE] and kind != ALT:  # which finds it out in its options
            size = visit(m, past(m, node, rest), size)
        if size == NEED or count == NEED:
            return int64(NEED)
    count = sorted_once(out, count)
    if lacks(m, LEAVES, count):
        return int64(NEED)
    at, leaves = m[LEAVES + 1], numbers(m, LEAVES)
    for i in range(count):
        leaves[at + i] = out[i]
    m[LEAVES + 1] = at + count
    terms[term, AT], terms[term, COUNT], terms[term, REPEATED] = at, count, repeated
    terms[term, ACCEPTS] = nullable | quoted
    return int64(0)


@part
def one_way_on(m: Memory, node: int, rest: int) -> tuple[int, int]:
    """The first node of a sequence, and what follows it: one way on is not worth a term. (node, NEED) if it lacks."""
    nodes = records(m, NODES)
    while rest != NEED and (nodes[node, KIND] == CAT or (nodes[node, KIND] == CHARSET and nodes[node, B] == 0)):
        if nodes[node, KIND] == CAT:
            rest = push(m, nodes[node, B], rest)
        node = nodes[node, A]
    return node, rest


@part
def past(m: Memory, node: int, rest: int) -> int:
    """What follows a nullable node that is left out: no more of the same, since `x? x?` begins with all that `x?` does.

    (If x is the first byte of both, what the second leaves, `R` of `x? x? R`, is what the first may leave, `x? R`.)
    """
    nodes, terms = records(m, NODES), records(m, TERMS)
    if nodes[node, KIND] == FOLDED and nodes[node, D] != 0:  # texts are told apart by their marks
        return rest
    while rest != NEED and rest != END:
        front, behind = terms[rest, NODE], terms[rest, REST]
        if front == node:
            rest = behind
        elif nodes[front, KIND] == CAT and nodes[front, A] == node:
            rest = push(m, nodes[front, B], behind)
        else:
            break
    return rest


@part
def wider(m: Memory, node: int, rest: int, repeated: int, alone: bool) -> int:
    """The term that repeats the most: that of `node` and then `rest`, or the one that was found before; or NEED."""
    nodes, terms = records(m, NODES), records(m, TERMS)
    before = int64(0) if repeated < 0 else width_of(m, terms[repeated, NODE])
    first_folded = nodes[node, KIND] == FOLDED and repeated < 0 and alone
    return push(m, node, rest) if first_folded or width_of(m, node) > before else repeated


@part
def goes_on(m: Memory, node: int, quoted: int) -> int:
    """QUOTED, NAMES, TEXT_GOES_ON or NAME_GOES_ON, for a node that is all that is left; else as before."""
    nodes = records(m, NODES)
    kind, body = nodes[node, KIND], nodes[node, A]
    if kind == UNLIKE:
        return int64(QUOTED)
    if kind == BRANCHES:
        return int64(NAMES)
    if kind == REPEAT and nodes[node, C] == NO_LIMIT:
        return int64(TEXT_GOES_ON * (body == m[ANY_SPELLED]) | NAME_GOES_ON * (body == m[ANY_NAMED]))
    return quoted


@part
def open_one(m: Memory, node: int, after: int, size: int, count: int) -> tuple[int, int]:
    """A node and the term after it: a leaf more, or a term more on the stack. Either number may be NEED."""
    if after == NEED:
        return int64(NEED), count
    if is_leaf(m, node):
        return size, append_leaf(m, node, after, count)
    return visit(m, push(m, node, after), size), count


@part
def open_options(m: Memory, node: int, rest: int, size: int, count: int) -> tuple[int, int]:
    """All the options of an ALT; see `open_one`."""
    nodes, heap = records(m, NODES), numbers(m, HEAP)
    for i in range(nodes[node, A], nodes[node, A] + nodes[node, B]):
        after = past(m, node, rest) if heap[i] == END else rest
        size, count = open_one(m, heap[i], after, size, count)
        if size == NEED or count == NEED:
            break
    return size, count


@part
def open_repeat(m: Memory, node: int, rest: int, size: int, count: int) -> tuple[int, int]:
    """One round of a REPEAT; see `open_one`."""
    less = after_one_round(m, node)
    after = int64(NEED) if less == NEED else push(m, less, rest)
    return open_one(m, records(m, NODES)[node, A], after, size, count)


@part
def open_edges(m: Memory, node: int, rest: int, size: int, count: int) -> tuple[int, int]:
    """All the edges of a node that has some; see `open_one`."""
    at, heap = edges_of(m, node), numbers(m, HEAP)
    if at == NEED:
        return int64(NEED), count
    for i in range(heap[at]):
        size, count = open_one(m, heap[at + 1 + 2 * i], push_tail(m, heap[at + 2 + 2 * i], rest), size, count)
        if size == NEED or count == NEED:
            break
    return size, count


@part
def sorted_once(keys: Array, count: int) -> int:
    """Sort the first `count` keys and leave out what is there twice; how many are left."""
    gap = 1
    while gap < count // 9:
        gap = 3 * gap + 1
    while gap > 0:  # Shell's sort: there are few, nearly always
        for i in range(gap, count):
            key, j = keys[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap //= 3
    kept = 0
    for i in range(count):
        if kept == 0 or keys[i] != keys[kept - 1]:
            keys[kept] = keys[i]
            kept += 1
    return kept
