"""TODO."""

from __future__ import annotations

from ..layout import CLASSES, A, ACCEPTS, ALT, ANY_NAMED, ANY_SPELLED, AT, B, BRANCHES, C, CAT, CHARS, CHARSET, CLASS, COUNT, D, DEEPEST, END, EPOCH, FOLDED, HEAP, KIND, LACKING, LEAVES, NAMES, NAME_GOES_ON, NEED, NODE, NODES, NO_LIMIT, NULLABLE, OUT, QUOTED, REPEAT, REPEATED, REST, SPLIT, STACK, STAMP, TERMS, TEXT_GOES_ON, UNLIKE, WORDS
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
    if size == m[STACK + 2]:
        m[LACKING] = STACK
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
    if count == m[OUT + 2]:
        m[LACKING] = OUT
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
def charset_of(m: Memory, node: int) -> int:
    """The charset, or the option that is one, of the body of a REPEAT; or −1."""
    nodes, heap = records(m, NODES), numbers(m, HEAP)
    body = nodes[node, A]
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
        return int64(1) << 32 if nodes[node, C] >= m[DEEPEST] and nodes[node, B] else int64(0)
    one = charset_of(m, node)
    if one < 0:
        return int64(0)
    return nodes[one, D] + (int64(1) << 32 if nodes[node, C] == NO_LIMIT else int64(0))


@part
def open_term(m: Memory, term: int) -> int:
    """Find a term's leaves, and whether it matches the empty string. 0, or NEED."""
    if records(m, TERMS)[term, AT] >= 0:
        return 0
    nodes, terms, heap = records(m, NODES), records(m, TERMS), numbers(m, HEAP)
    stack, out = numbers(m, STACK), numbers(m, OUT)
    m[EPOCH] += 1
    nullable, count, repeated, quoted = int64(0), int64(0), int64(-1), int64(0)
    size = visit(m, term, count)
    while size > 0:
        size -= 1
        node, rest = terms[stack[size], NODE], terms[stack[size], REST]
        if node == END:
            nullable = 1
            continue
        kind = nodes[node, KIND]
        while kind == CAT or (kind == CHARSET and nodes[node, B] == 0):  # one way on: not worth a term
            if kind == CAT:
                rest = push(m, nodes[node, B], rest)
                if rest == NEED:
                    return NEED
            node = nodes[node, A]
            kind = nodes[node, KIND]
        if kind in (UNLIKE, BRANCHES) and size == 0 and count == 0 and nullable == 0:  # and nothing else
            quoted = int64(QUOTED if kind == UNLIKE else NAMES)
        if kind in (CLASS, CHARSET):
            count = append_leaf(m, node, rest, count)
        elif kind == ALT:
            for i in range(nodes[node, B]):
                option = heap[nodes[node, A] + i]
                if is_leaf(m, option):
                    count = append_leaf(m, option, rest, count)
                else:
                    size = visit(m, push(m, option, rest), size)
                if size == NEED or count == NEED:
                    return NEED
        elif kind == REPEAT:
            if width_of(m, node) > (0 if repeated < 0 else width_of(m, terms[repeated, NODE])):
                repeated = push(m, node, rest)
            less = after_one_round(m, node)
            after = NEED if less == NEED or repeated == NEED else push(m, less, rest)
            if after == NEED:
                return NEED
            body = nodes[node, A]
            if size == 0 and count == 0 and nullable == 0 and nodes[node, C] == NO_LIMIT:
                quoted = int64(TEXT_GOES_ON * (body == m[ANY_SPELLED]) | NAME_GOES_ON * (body == m[ANY_NAMED]))
            if is_leaf(m, body):
                count = append_leaf(m, body, after, count)
            else:
                size = visit(m, push(m, body, after), size)
        else:
            at = edges_of(m, node)
            if at == NEED:
                return NEED
            wide = kind == FOLDED and width_of(m, node) > (0 if repeated < 0 else width_of(m, terms[repeated, NODE]))
            if wide or (kind == FOLDED and repeated < 0 and size == 0 and count == 0 and nullable == 0):
                repeated = push(m, node, rest)
                if repeated == NEED:
                    return NEED
            for i in range(heap[at]):
                label, after = heap[at + 1 + 2 * i], push_tail(m, heap[at + 2 + 2 * i], rest)
                if after == NEED:
                    return NEED
                if is_leaf(m, label):
                    count = append_leaf(m, label, after, count)
                else:
                    size = visit(m, push(m, label, after), size)
                if size == NEED or count == NEED:
                    return NEED
        if size >= 0 and nodes[node, NULLABLE] and kind != ALT:  # which finds it out in its options
            size = visit(m, rest, size)
        if size == NEED or count == NEED:
            return NEED
    count = sorted_once(out, count)
    if lacks(m, LEAVES, count):
        return NEED
    at, leaves = m[LEAVES + 1], numbers(m, LEAVES)
    for i in range(count):
        leaves[at + i] = out[i]
    m[LEAVES + 1] = at + count
    terms[term, AT], terms[term, COUNT], terms[term, REPEATED] = at, count, repeated
    terms[term, ACCEPTS] = nullable | quoted
    return 0


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
