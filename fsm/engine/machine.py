"""The compiled half of `automaton.py`: determinising a language of bytes, and walking tokens through it.

The file is long because its functions are compiled as one program and share one layout of memory.

Everything here is a function of `m`, the memory of one automaton: an int64 array that says, for each of the tables
below, where it lies, how many records are used, and for how many there is room. `serve` is the one way in: one function
to compile, and two tenths of a microsecond to call. The tables:

    NODES    8 × int64    kind, a, b, c, d, nullable, memo, chars: what `language.nodes.Node` says, as numbers
    HEAP     int64        lists: the options of an ALT, the words of a WORDS, the edges of an unfolded node
    TERMS    8 × int64    node, rest, at, count, accepts | QUOTED or NAMES or …, stamp, state, repeated;
                          LEAVES[at : at + count]
    DEPTHS   int64        of each term: the marks on the stack, and the pending nodes << 32 (see `memory.py`)
    LEAVES   int64        class << 32 | term after it; sorted runs
    STATES   8 × int64    row, next, at, count, accepts | MARKED | QUOTED | …, term, loop, chained
    ROWS     256 × int32  next states, for states of more than one leaf; or how to find them, see `_new_row`
    CLASSES  256 × uint8  sets of bytes

A *term* is a persistent stack: a node to be matched and the term that remains after it. Terms are interned: equal is
the same number. Taking a byte off a term gives other terms (Antimirov's partial derivatives, 1996); a *leaf* is one way
to do it. A *state* is a set of leaves, and whether the string may end there; it is numbered when first met, and its
next states are found when first asked for, all bytes that behave alike at once. So `x{1,2000}` costs what is reached
of it, and a stack may be of any depth.

A function that lacks something returns NEED and changes nothing that matters: `m[LACKING]` says which table is full,
or that the node `m[FAULT]` has to be unfolded by Python; whoever called sees to it and calls again. Nothing here is
called by two threads at a time.

(Numbers are int64 throughout: each function is then compiled once, not once for every mixture of types.)
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config, types
from numba.extending import intrinsic

njit: Any = numba.njit
carray: Any = numba.carray  # type: ignore[attr-defined]

# Tables: m[TABLE] is the address, m[TABLE + 1] the number of records used, m[TABLE + 2] the room.
NODES, HEAP, TERMS, SLOTS, LEAVES, STATES, STATE_SLOTS, ROWS, CLASSES = range(0, 27, 3)
STACK, AFTERS, OUT, ALIKE, INPUT, CHAIN, LEAVING = range(27, 48, 3)  # scratch
RESULT, QUEUE, BYTE, FIRST, TOKEN, TWIN, SPELLING, SPELLED, PARENT = range(48, 75, 3)  # the vocabulary's: `trie.py`
BEGINS, EXITS, EXIT_NODE, EXIT_CHARS, LEFT, EXCLUDED = range(75, 93, 3)  # a slice's, see `slices.py`
ROOT, LONGEST, ESCAPES, PLACED = range(93, 97)  # also the slice's; PLACED: behind all that is
LACKING, FAULT, EPOCH, TWINS, REACH, SPACE, DEFERRED, FOUND = range(96, 104)
PAUSED, DEPTHS, ACTIVE, BEGUN, DEEPEST, FEW, AROUND_QUOTE = 104, 107, 110, 111, 112, 113, 114  # PAUSED: three numbers
ANY_SPELLED, ANY_NAMED = 117, 118  # the nodes of any one character, in a JSON string and in a name; or −1
TAILS = 119  # BYTE, FIRST and TOKEN of what tokens have from a quote on that ends a string: `slices.Tails`; or 0
MEMORY = 128  # numbers that m has

KIND, A, B, C, D, NULLABLE, MEMO, CHARS = range(8)  # fields of nodes
NODE, REST, AT, COUNT, ACCEPTS, STAMP, STATE, REPEATED = range(8)  # of terms
ROW, NEXT, TERM, LOOP, CHAINED = 0, 1, 5, 6, 7  # and of states, whose AT, COUNT and ACCEPTS are where terms have them
EMPTY, CLASS, CAT, ALT, REPEAT, WORDS, FOLDED, CHARSET, UNLIKE, BRANCHES, BACKSLASHED = range(11)
SPLIT = 11  # the last of the kinds of nodes, see `_after`
REST_OF, BEYOND, BEFORE_DIGITS, OTHER_ESCAPES, PLAIN, HEADER = 0, 1, 2, 3, 4, 4 + 128  # see `_unlike_edges`
DEAD, UNKNOWN, NEED, INVALID = -1, -2, -3, -4  # INVALID: there is no such state
PENDING = -16  # and less: see `_new_row`
UNSEEN, SEEN = -1, -2  # instead of a row, where there is none yet: see `_first_time`
# A state accepts, has marks or pending nodes on the stack (`memory.py`); any JSON string may go on, up to its quote
# (and nothing else: names, at most, which are terms of their own).
MARKED, QUOTED, NAMES = 2, 4, 8
TEXT_GOES_ON, NAME_GOES_ON = 16, 32  # a repeat of ANY_SPELLED, or ANY_NAMED, without end: likewise (a quote ends it)
END = 0  # the term that matches the empty string, and the node
NO_LIMIT = -1
SLOW, CONTINUES = -5, -1  # see `_recall`
NO_TOKEN = -1
ON_THE_WAY, AT_COMMA = 1, 2  # see `_walls`
OTHERS, FREE, ENDLESS = 1, 2, 4  # see `_loop`
MID, TOKENS = 256, 257  # see `_survey`
GLANCE = 16  # states
WIDE = 48  # bytes of a class
NARROW = 2  # children of a node, for which a row is not worth making


def _entry(function: Any) -> Any:
    """Compiled when first called, and kept on disk; where nothing can be kept there, compiled in each process.

    Kept in the user's cache: files beside the source would outlive it, and Python take their folder for the package.
    """
    before = config.CACHE_DIR  # type: ignore[attr-defined]
    try:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        config.CACHE_DIR = before or str(Path(caches) / "outlines_cont")  # type: ignore[attr-defined]
        return njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # there is no home, or numba found no folder to write to
        return njit(error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before  # type: ignore[attr-defined]


def _part(function: Any) -> Any:
    """Compiled as a part of `serve`."""
    return njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def _pointer(kind: Any) -> Any:
    @intrinsic
    def pointer(context: Any, address: Any) -> Any:
        signature = types.CPointer(kind)(types.int64)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return signature, generate

    return pointer


_int32, _int64, _uint8 = _pointer(types.int32), _pointer(types.int64), _pointer(types.uint8)


@_part
def _records(m: Any, table: Any) -> Any:
    return carray(_int64(m[table]), (m[table + 2], 8))


@_part
def _numbers(m: Any, table: Any) -> Any:
    return carray(_int64(m[table]), (m[table + 2],))


@_part
def _shorts(m: Any, table: Any) -> Any:
    return carray(_int32(m[table]), (m[table + 2],))


@_part
def _bytes(m: Any, table: Any) -> Any:
    return carray(_uint8(m[table]), (m[table + 2],))


@_part
def _rows(m: Any) -> Any:
    return carray(_int32(m[ROWS]), (m[ROWS + 2], 256))


@_part
def _classes(m: Any) -> Any:
    return carray(_uint8(m[CLASSES]), (m[CLASSES + 2], 256))


@_part
def _lacks(m: Any, table: Any, count: Any) -> Any:
    """Whether there is no room for so many records more; then `m` says so."""
    if m[table + 1] + count <= m[table + 2]:
        return False
    m[LACKING] = table
    return True


# ------------------------------------------------------------------------------------------------------- terms


@_part
def _scramble(x: Any) -> Any:
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    return x ^ (x >> np.uint64(29))


# Slots are looked for near each other for what was made lately, and anywhere only if it is crowded there: a term on new
# terms, a state of new terms, would else wait for memory that is in no cache. (That was a quarter of all walking.)
NEAR = 8


@_part
def _slot(near: Any, h: Any, i: Any, room: Any) -> Any:
    """The i-th slot to look at, for something that belongs near `near` and has the hash h."""
    if i >= NEAR:
        near, i = np.int64(h >> np.uint64(32)), i * np.int64(h & np.uint64(0xFFFFFFF) | np.uint64(1))
    return (near + i) & (room - 1)


@_part
def _hash_term(node: Any, rest: Any) -> Any:
    return _scramble(np.uint64(node) << np.uint64(32) | np.uint64(rest))


@_part
def push(m: Any, node: Any, rest: Any) -> Any:
    """The term of `node` and then `rest`."""
    if node == END:
        return rest
    terms, slots = _records(m, TERMS), _shorts(m, SLOTS)
    h, i, room = _hash_term(node, rest), np.int64(0), m[SLOTS + 2]
    near = 2 * rest + np.int64(h & np.uint64(NEAR - 1))
    slot = _slot(near, h, i, room)
    while slots[slot] != 0:
        term = np.int64(slots[slot])
        if terms[term, NODE] == node and terms[term, REST] == rest:
            return term
        i += 1
        slot = _slot(near, h, i, room)
    if _lacks(m, TERMS, 1) or _lacks(m, DEPTHS, 1):
        return NEED
    term, nodes, depths = m[TERMS + 1], _records(m, NODES), _numbers(m, DEPTHS)
    depth = depths[rest] if rest != END else np.int64(0)
    depths[term] = depth + nodes[node, D] if nodes[node, KIND] == FOLDED else depth
    m[DEPTHS + 1] = term + 1
    terms[term, NODE], terms[term, REST], terms[term, AT], terms[term, STATE] = node, rest, -1, -1
    terms[term, COUNT] = terms[term, ACCEPTS] = terms[term, STAMP] = 0
    slots[slot] = term
    m[TERMS + 1] = term + 1
    return term


@_part
def _push_tail(m: Any, node: Any, rest: Any) -> Any:
    """`push`; a sequence as it is when it has been opened, so that equal is the same (see `_differ`)."""
    nodes = _records(m, NODES)
    if nodes[node, KIND] == CAT:
        rest = push(m, nodes[node, B], rest)
        if rest == NEED:
            return NEED
        node = nodes[node, A]
    return push(m, node, rest)


@_part
def new_node(m: Any, kind: Any, a: Any, b: Any, c: Any, d: Any, nullable: Any) -> Any:
    if _lacks(m, NODES, 1):
        return NEED
    nodes, node = _records(m, NODES), m[NODES + 1]
    nodes[node, KIND], nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D] = kind, a, b, c, d
    nodes[node, NULLABLE], nodes[node, MEMO], nodes[node, CHARS] = nullable, -1, -1
    m[NODES + 1] = node + 1
    return node


@_part
def _less(m: Any, node: Any) -> Any:
    """What remains of a REPEAT after one round: the same node each time."""
    nodes = _records(m, NODES)
    if nodes[node, MEMO] < 0:
        body, low, high = nodes[node, A], nodes[node, B], nodes[node, C]
        if high == 1:
            less = np.int64(END)
        elif high == NO_LIMIT and low == 0:
            less = node
        else:
            low = max(low - 1, 0)
            high = high if high == NO_LIMIT else high - 1
            less = new_node(m, np.int64(REPEAT), body, low, high, np.int64(0), np.int64(low == 0))
            if less == NEED:
                return NEED
        nodes[node, MEMO] = less
    return nodes[node, MEMO]


@_part
def _run(heap: Any, starts: Any, i: Any, high: Any, depth: Any) -> Any:
    """The first word after word i that has another byte at `depth`, or `high`."""
    byte, stop = heap[heap[starts + i] + depth], i + 1
    while stop < high and heap[heap[starts + stop] + depth] == byte:
        stop += 1
    return stop


@_part
def _edges(m: Any, node: Any) -> Any:
    """Where in the heap the edges of a WORDS or FOLDED node are: their number, then (label, tail) for each."""
    nodes, heap = _records(m, NODES), _numbers(m, HEAP)
    if nodes[node, MEMO] >= 0:
        return nodes[node, MEMO]
    if nodes[node, KIND] == FOLDED:
        m[LACKING], m[FAULT] = FAULT, node
        return NEED
    if nodes[node, KIND] == UNLIKE:
        return _unlike_edges(m, node)
    if nodes[node, KIND] == BACKSLASHED:
        return _escapes_edges(m, node)
    # The tails, from `depth` on, of sorted words that agree before it. Word i lies at heap[starts + i]. After word i of
    # a BRANCHES comes the node heap[starts - 1] + i.
    kind = nodes[node, KIND]
    starts, low, high, depth = nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D]
    first = low + 1 if heap[starts + low + 1] - heap[starts + low] == depth else low
    groups, i = 0, first
    while i < high:
        groups += 1
        i = _run(heap, starts, i, high, depth)
    if _lacks(m, HEAP, 1 + 2 * groups) or _lacks(m, NODES, groups):
        return NEED
    at, i = m[HEAP + 1], first
    heap[at] = groups
    for group in range(groups):
        byte, stop = heap[heap[starts + i] + depth], _run(heap, starts, i, high, depth)
        ends = heap[starts + i + 1] - heap[starts + i] == depth + 1
        tail = END
        if not (ends and stop == i + 1):
            tail = new_node(m, kind, starts, i, stop, depth + 1, np.int64(ends))
        elif kind == BRANCHES:
            tail = heap[starts - 1] + i
        heap[at + 1 + 2 * group], heap[at + 2 + 2 * group] = 1 + byte, tail  # node 1 + b is the byte b
        i = stop
    m[HEAP + 1] = at + 1 + 2 * groups
    nodes[node, MEMO] = at
    return at


@_part
def _unlike_edges(m: Any, node: Any) -> Any:
    """`_edges` of an UNLIKE: what goes on and ends with a quote, but is none of the words, nor spells one by escapes.

    The heap has, before the words' places, nodes: what any string goes on with to its end, one character beyond ASCII,
    `u00`, what follows the backslash in the escapes of what is not printable ASCII; and, by the byte that is left out
    (0: none), those of the plain characters of ASCII that were made so far. No word has a quote, a backslash, or what
    is not printable.
    """
    nodes, heap, classes = _records(m, NODES), _numbers(m, HEAP), _classes(m)
    starts, low, high, depth = nodes[node, A], nodes[node, B], nodes[node, C], nodes[node, D]
    head, ends = starts - HEADER, heap[starts + low + 1] - heap[starts + low] == depth
    first = low + 1 if ends else low
    groups, i = 0, first
    while i < high:
        groups += 1
        i = _run(heap, starts, i, high, depth)
    size = groups + 3 + (0 if ends else 1)
    if _lacks(m, HEAP, 1 + 2 * size) or _lacks(m, NODES, groups + 2) or _lacks(m, CLASSES, 1):
        return NEED
    rest, byte = heap[head + REST_OF], np.int64(0)
    at, new = m[HEAP + 1], m[CLASSES + 1]
    for b in range(256):
        classes[new, b] = np.uint8(b >= 0x20) & np.uint8(b < 0x80) & np.uint8(b != 0x22) & np.uint8(b != 0x5C)
    i, n = first, at + 1
    while i < high:
        byte, stop = heap[heap[starts + i] + depth], _run(heap, starts, i, high, depth)
        classes[new, byte] = 0
        heap[n], heap[n + 1] = 1 + byte, new_node(m, np.int64(UNLIKE), starts, i, stop, depth + 1, np.int64(0))
        n += 2
        i = stop
    plain = heap[head + PLAIN + byte] if groups < 2 else np.int64(-1)
    if plain < 0:
        m[CLASSES + 1] += 1
        plain = new_node(m, np.int64(CLASS), new, np.int64(0), np.int64(0), np.int64(0), np.int64(0))
        if groups < 2:
            heap[head + PLAIN + byte] = plain
    escapes = new_node(m, np.int64(BACKSLASHED), node, np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    heap[n], heap[n + 1] = plain, rest
    heap[n + 2], heap[n + 3] = heap[head + BEYOND], rest
    heap[n + 4], heap[n + 5] = 1 + 0x5C, escapes
    if not ends:
        heap[n + 6], heap[n + 7] = 1 + 0x22, END
    heap[at] = size
    m[HEAP + 1] = at + 1 + 2 * size
    nodes[node, MEMO] = at
    return at


@_part
def _escapes_edges(m: Any, node: Any) -> Any:
    """What follows a backslash within an UNLIKE: `/`, the digits of printable ASCII (Python unfolds these), others."""
    nodes, heap = _records(m, NODES), _numbers(m, HEAP)
    if _lacks(m, HEAP, 7) or _lacks(m, NODES, 1):
        return NEED
    owner = nodes[node, A]
    head, edges = nodes[owner, A] - HEADER, nodes[owner, MEMO]
    rest = slash = heap[head + REST_OF]
    for i in range(edges + 1, edges + 1 + 2 * heap[edges], 2):
        if heap[i] == 1 + 0x2F:
            slash = heap[i + 1]
    at = m[HEAP + 1]
    heap[at], heap[at + 1], heap[at + 2] = 3, 1 + 0x2F, slash
    heap[at + 3] = heap[head + BEFORE_DIGITS]
    heap[at + 4] = new_node(m, np.int64(FOLDED), owner, np.int64(0), np.int64(0), np.int64(0), np.int64(0))
    heap[at + 5], heap[at + 6] = heap[head + OTHER_ESCAPES], rest
    m[HEAP + 1] = at + 7
    nodes[node, MEMO] = at
    return at


@_part
def _visit(m: Any, term: Any, size: Any) -> Any:
    """Put a term on the stack of `open_term`, once."""
    terms, stack = _records(m, TERMS), _numbers(m, STACK)
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


@_part
def _is_leaf(m: Any, node: Any) -> Any:
    """Whether one leaf says all that a node begins with, as can be seen at once."""
    nodes = _records(m, NODES)
    if nodes[node, KIND] == CAT:
        node = nodes[node, A]
    kind = nodes[node, KIND]
    if kind == WORDS:
        return nodes[node, C] == nodes[node, B] + 1 and nodes[node, NULLABLE] == 0
    return kind == CLASS or (kind == CHARSET and nodes[node, B] != 0)


@_part
def _leaf(m: Any, node: Any, after: Any, count: Any) -> Any:
    """Append the leaf of such a node to the first `count` of OUT."""
    nodes = _records(m, NODES)
    if nodes[node, KIND] == CAT:
        after = push(m, nodes[node, B], after)
        node = nodes[node, A]
    kind, of = nodes[node, KIND], nodes[node, A]
    if kind == CHARSET and after != NEED:
        split = nodes[node, B]
        of, after = nodes[split, B], push(m, split, after)
    elif kind == WORDS and after != NEED:
        at = _edges(m, node)
        if at == NEED:
            return NEED
        of = _numbers(m, HEAP)[at + 1] - 1  # node 1 + b is the byte b, and class b
        after = push(m, _numbers(m, HEAP)[at + 2], after)
    if after == NEED:
        return NEED
    if count == m[OUT + 2]:
        m[LACKING] = OUT
        return NEED
    _numbers(m, OUT)[count] = of << 32 | after
    return count + 1


# What remains after the first byte of a character beyond ASCII depends on that byte. So that this is not half a dozen
# leaves, and as many terms, wherever a string may go on, it is one leaf of all those bytes (the class B). Its term
# begins with a SPLIT, which is never opened: at HEAP[A], how many sets of bytes there are, which do not meet, and each
# of them, with the node after it. (There are 51 such bytes, so no more than 51 sets.) No state has such a leaf alone.


@_part
def _is_split(m: Any, term: Any) -> Any:
    return term != END and _records(m, NODES)[_records(m, TERMS)[term, NODE], KIND] == SPLIT


@_part
def _after(m: Any, leaf: Any, byte: Any) -> Any:
    """The term after a leaf, of whose bytes it was this one; or NEED."""
    term = leaf & 0xFFFFFFFF
    if not _is_split(m, term):
        return term
    heap, classes = _numbers(m, HEAP), _classes(m)
    at = _records(m, NODES)[_records(m, TERMS)[term, NODE], A] + 1
    while classes[heap[at], byte] == 0:
        at += 2
    return push(m, heap[at + 1], _records(m, TERMS)[term, REST])


@_part
def _unsplit(m: Any, leaf: Any) -> Any:
    """Into OUT: the leaves that a SPLIT stands for, where it is by itself. How many, or NEED."""
    heap, out, terms = _numbers(m, HEAP), _numbers(m, OUT), _records(m, TERMS)
    term = leaf & 0xFFFFFFFF
    at, rest = _records(m, NODES)[terms[term, NODE], A], terms[term, REST]
    for i in range(heap[at]):
        after = push(m, heap[at + 2 + 2 * i], rest)
        if after == NEED:
            return NEED
        out[i] = heap[at + 1 + 2 * i] << 32 | after
    return _normal(out, heap[at])


@_part
def _charset_of(m: Any, node: Any) -> Any:
    """The charset, or the option that is one, of the body of a REPEAT; or −1."""
    nodes, heap = _records(m, NODES), _numbers(m, HEAP)
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
    return body if nodes[body, CHARS] >= 0 else np.int64(-1)


@_part
def _width(m: Any, node: Any) -> Any:
    """How much a REPEAT of a charset allows, to choose between several: any number of times goes before all else.

    A FOLDED of which any c characters of the charset b − 1 may come next is as good, where no token has more.
    """
    nodes = _records(m, NODES)
    if nodes[node, KIND] == FOLDED:
        return np.int64(1) << 32 if nodes[node, C] >= m[DEEPEST] and nodes[node, B] else np.int64(0)
    one = _charset_of(m, node)
    if one < 0:
        return np.int64(0)
    return nodes[one, D] + (np.int64(1) << 32 if nodes[node, C] == NO_LIMIT else np.int64(0))


@_part
def open_term(m: Any, term: Any) -> Any:
    """Find a term's leaves, and whether it matches the empty string. 0, or NEED."""
    if _records(m, TERMS)[term, AT] >= 0:
        return 0
    nodes, terms, heap = _records(m, NODES), _records(m, TERMS), _numbers(m, HEAP)
    stack, out = _numbers(m, STACK), _numbers(m, OUT)
    m[EPOCH] += 1
    nullable, count, repeated, quoted = np.int64(0), np.int64(0), np.int64(-1), np.int64(0)
    size = _visit(m, term, count)
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
            quoted = np.int64(QUOTED if kind == UNLIKE else NAMES)
        if kind in (CLASS, CHARSET):
            count = _leaf(m, node, rest, count)
        elif kind == ALT:
            for i in range(nodes[node, B]):
                option = heap[nodes[node, A] + i]
                if _is_leaf(m, option):
                    count = _leaf(m, option, rest, count)
                else:
                    size = _visit(m, push(m, option, rest), size)
                if size == NEED or count == NEED:
                    return NEED
        elif kind == REPEAT:
            if _width(m, node) > (0 if repeated < 0 else _width(m, terms[repeated, NODE])):
                repeated = push(m, node, rest)
            less = _less(m, node)
            after = NEED if less == NEED or repeated == NEED else push(m, less, rest)
            if after == NEED:
                return NEED
            body = nodes[node, A]
            if size == 0 and count == 0 and nullable == 0 and nodes[node, C] == NO_LIMIT:
                quoted = np.int64(TEXT_GOES_ON * (body == m[ANY_SPELLED]) | NAME_GOES_ON * (body == m[ANY_NAMED]))
            if _is_leaf(m, body):
                count = _leaf(m, body, after, count)
            else:
                size = _visit(m, push(m, body, after), size)
        else:
            at = _edges(m, node)
            if at == NEED:
                return NEED
            wide = kind == FOLDED and _width(m, node) > (0 if repeated < 0 else _width(m, terms[repeated, NODE]))
            if wide or (kind == FOLDED and repeated < 0 and size == 0 and count == 0 and nullable == 0):
                repeated = push(m, node, rest)
                if repeated == NEED:
                    return NEED
            for i in range(heap[at]):
                label, after = heap[at + 1 + 2 * i], _push_tail(m, heap[at + 2 + 2 * i], rest)
                if after == NEED:
                    return NEED
                if _is_leaf(m, label):
                    count = _leaf(m, label, after, count)
                else:
                    size = _visit(m, push(m, label, after), size)
                if size == NEED or count == NEED:
                    return NEED
        if size >= 0 and nodes[node, NULLABLE] and kind != ALT:  # which finds it out in its options
            size = _visit(m, rest, size)
        if size == NEED or count == NEED:
            return NEED
    count = _normal(out, count)
    if _lacks(m, LEAVES, count):
        return NEED
    at, leaves = m[LEAVES + 1], _numbers(m, LEAVES)
    for i in range(count):
        leaves[at + i] = out[i]
    m[LEAVES + 1] = at + count
    terms[term, AT], terms[term, COUNT], terms[term, REPEATED] = at, count, repeated
    terms[term, ACCEPTS] = nullable | quoted
    return 0


@_part
def _normal(keys: Any, count: Any) -> Any:
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


# ------------------------------------------------------------------------------------------------------- states


@_part
def _hash_leaves(keys: Any, at: Any, count: Any, accepting: Any) -> Any:
    h = np.uint64(2 * count + accepting)
    for i in range(count):
        h = _scramble(h ^ np.uint64(keys[at + i]))
    return h


@_part
def _state(m: Any, table: Any, at: Any, count: Any, accepting: Any) -> Any:
    """The state of the leaves at `keys[at : at + count]`. `table` is LEAVES, where they then stay, or OUT."""
    states, slots, leaves = _records(m, STATES), _shorts(m, STATE_SLOTS), _numbers(m, LEAVES)
    keys, i, room = _numbers(m, table), np.int64(0), m[STATE_SLOTS + 2]
    h = _hash_leaves(keys, at, count, accepting)
    near = _near_leaves(keys, at, count, h)
    slot = _slot(near, h, i, room)
    while slots[slot] != 0:
        state = np.int64(slots[slot]) - 1
        if states[state, COUNT] == count and states[state, ACCEPTS] & 1 == accepting:
            same, other = True, states[state, AT]
            for j in range(count):
                if leaves[other + j] != keys[at + j]:
                    same = False
                    break
            if same:
                return state
        i += 1
        slot = _slot(near, h, i, room)
    if _lacks(m, STATES, 1) or _lacks(m, LEAVES, count):
        return NEED
    start = at
    if table != LEAVES:
        start = m[LEAVES + 1]
        for j in range(count):
            leaves[start + j] = keys[at + j]
        m[LEAVES + 1] = start + count
    state = m[STATES + 1]
    marked, depths = np.int64(0), _numbers(m, DEPTHS)
    for j in range(count):
        after = leaves[start + j] & 0xFFFFFFFF
        if after != END and depths[after] != 0:
            marked = np.int64(MARKED)
    states[state, AT], states[state, COUNT], states[state, ACCEPTS] = start, count, accepting | marked
    states[state, ROW] = leaves[start] >> 32 if count == 1 else UNSEEN  # the class of the one leaf; or the row
    states[state, NEXT] = DEAD if count == 0 else UNKNOWN
    states[state, TERM] = states[state, CHAINED] = -1
    states[state, LOOP] = UNKNOWN
    slots[slot] = state + 1
    m[STATES + 1] = state + 1
    return state


@_part
def _near_leaves(keys: Any, at: Any, count: Any, h: Any) -> Any:
    """Where a state of these leaves belongs: by the term after the first."""
    return (keys[at] & 0xFFFFFFFF if count else np.int64(0)) + np.int64(h & np.uint64(NEAR - 1))


@_part
def _free(slots: Any, near: Any, h: Any, room: Any) -> Any:
    i = np.int64(0)
    while slots[_slot(near, h, i, room)] != 0:
        i += 1
    return _slot(near, h, i, room)


@_part
def _rehash(m: Any, owner: Any) -> None:
    """Fill the slots of TERMS or STATES anew, after the table has grown. 0 is an empty slot."""
    if owner == TERMS:
        terms, slots = _records(m, TERMS), _shorts(m, SLOTS)
        slots[:] = 0
        for term in range(1, m[TERMS + 1]):  # (term 0 has none)
            h = _hash_term(terms[term, NODE], terms[term, REST])
            near = 2 * terms[term, REST] + np.int64(h & np.uint64(NEAR - 1))
            slots[_free(slots, near, h, m[SLOTS + 2])] = term
        return
    states, slots, leaves = _records(m, STATES), _shorts(m, STATE_SLOTS), _numbers(m, LEAVES)
    slots[:] = 0
    for state in range(m[STATES + 1]):
        at, count = states[state, AT], states[state, COUNT]
        h = _hash_leaves(leaves, at, count, states[state, ACCEPTS] & 1)
        slots[_free(slots, _near_leaves(leaves, at, count, h), h, m[STATE_SLOTS + 2])] = state + 1


@_part
def state_of(m: Any, term: Any) -> Any:
    """The state in which exactly one term remains to be matched."""
    if term == NEED or open_term(m, term) == NEED:
        return NEED
    terms = _records(m, TERMS)
    if terms[term, STATE] < 0:
        accepts, at, count = terms[term, ACCEPTS], terms[term, AT], terms[term, COUNT]
        if count == 1 and _is_split(m, _numbers(m, LEAVES)[at] & 0xFFFFFFFF):
            count = _unsplit(m, _numbers(m, LEAVES)[at])
            state = NEED if count == NEED else _state(m, np.int64(OUT), np.int64(0), count, accepts & 1)
        else:
            state = _state(m, np.int64(LEAVES), at, count, accepts & 1)
        if state == NEED:
            return NEED
        terms[term, STATE] = state
        _records(m, STATES)[state, ACCEPTS] |= accepts & (QUOTED | TEXT_GOES_ON | NAME_GOES_ON)
        if _records(m, STATES)[state, TERM] < 0:
            _records(m, STATES)[state, TERM] = terms[term, REPEATED]
    return terms[term, STATE]


@_part
def _join(m: Any, found: Any) -> Any:
    """The state in which one of the first `found` terms of AFTERS remains to be matched."""
    terms, afters, leaves, out = _records(m, TERMS), _numbers(m, AFTERS), _numbers(m, LEAVES), _numbers(m, OUT)
    if found == 1:
        return state_of(m, afters[0])
    total, nullable, some, quoted = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    for i in range(found):
        if open_term(m, afters[i]) == NEED:
            return NEED
        total += terms[afters[i], COUNT]
        accepts = terms[afters[i], ACCEPTS]
        nullable |= accepts & 1
        some |= accepts & QUOTED
        quoted &= np.int64(accepts & (QUOTED | NAMES) != 0)
    if total > m[OUT + 2]:
        m[LACKING] = OUT
        return NEED
    total = 0
    for i in range(found):
        first = terms[afters[i], AT]
        for j in range(first, first + terms[afters[i], COUNT]):
            out[total] = leaves[j]
            total += 1
    total = _normal(out, total)
    if total == 1 and _is_split(m, out[0] & 0xFFFFFFFF):
        total = _unsplit(m, out[0])
        if total == NEED:
            return NEED
    target = _state(m, np.int64(OUT), np.int64(0), total, nullable)
    if target != NEED and some and quoted:
        _records(m, STATES)[target, ACCEPTS] |= QUOTED
    if target != NEED and _records(m, STATES)[target, TERM] < 0:
        widest = np.int64(0)
        for i in range(found):
            term = terms[afters[i], REPEATED]
            if term >= 0 and _width(m, terms[term, NODE]) > widest:
                widest = _width(m, terms[term, NODE])
                _records(m, STATES)[target, TERM] = term
    return target


@_part
def _new_row(m: Any, state: Any) -> Any:
    """Give a state a row: PENDING − i for the bytes of which leaf i alone can be read, UNKNOWN for those of several."""
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    if _lacks(m, ROWS, 1):
        return NEED
    row, several = _rows(m)[m[ROWS + 1]], _bytes(m, ALIKE)
    row[:] = DEAD
    several[:256] = 0
    at = states[state, AT]
    for i in range(states[state, COUNT]):
        of, pending = classes[leaves[at + i] >> 32], np.int32(PENDING - i)
        for b in range(256):
            several[b] |= of[b] & np.uint8(row[b] != DEAD)
            row[b] = pending if of[b] else row[b]
    for b in range(256):
        row[b] = UNKNOWN if several[b] else row[b]
    states[state, ROW] = m[ROWS + 1]
    m[ROWS + 1] += 1
    return 0


@_part
def _target(m: Any, state: Any, byte: Any, row: Any) -> Any:
    """Find the next state, and write it down for all the bytes that no leaf tells from this one."""
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    code = row[byte]
    if code <= PENDING:
        leaf = leaves[states[state, AT] + PENDING - code]
        after = _after(m, leaf, byte)
        target = NEED if after == NEED else state_of(m, after)
        if target == NEED:
            return NEED
        if after != leaf & 0xFFFFFFFF:
            row[byte] = target
        else:
            for b in range(256):
                row[b] = target if row[b] == code else row[b]
        return target
    afters, alike = _numbers(m, AFTERS), _bytes(m, ALIKE)
    at, count = states[state, AT], states[state, COUNT]
    if count > m[AFTERS + 2]:
        m[LACKING] = AFTERS
        return NEED
    for b in range(256):
        alike[b] = 1
    found = 0
    for i in range(at, at + count):
        of = classes[leaves[i] >> 32]
        if of[byte]:
            after = _after(m, leaves[i], byte)
            if after == NEED:
                return NEED
            for b in range(256):
                alike[b] &= of[b] & (np.uint8(after == leaves[i] & 0xFFFFFFFF) | np.uint8(b == byte))
            afters[found] = after
            found += 1
        else:
            for b in range(256):
                alike[b] &= of[b] ^ 1
    target = _join(m, np.int64(found)) if found > 0 else np.int64(DEAD)
    if target != NEED:
        for b in range(256):
            if alike[b]:
                row[b] = target
    return target


@_part
def step(m: Any, state: Any, byte: Any) -> Any:
    """The state after one byte, DEAD, or NEED."""
    states = _records(m, STATES)
    count = states[state, COUNT]
    if count == 1:
        if _classes(m)[states[state, ROW], byte] == 0:
            return DEAD
        if states[state, NEXT] == UNKNOWN:
            after = state_of(m, _numbers(m, LEAVES)[states[state, AT]] & 0xFFFFFFFF)
            if after == NEED:
                return NEED
            states[state, NEXT] = after
        return states[state, NEXT]
    if count == 0:
        return DEAD
    if states[state, ROW] < 0 and _new_row(m, state) == NEED:
        return NEED
    row = _rows(m)[states[state, ROW]]
    if row[byte] < DEAD:
        return _target(m, state, byte, row)
    return row[byte]


@_part
def _first_time(m: Any, state: Any) -> Any:
    """Whether a state without a row has not been asked about; then `_step_once` may do."""
    states = _records(m, STATES)
    if states[state, ROW] != UNSEEN:
        return False
    states[state, ROW] = SEEN
    return True


@_part
def _takes(m: Any, state: Any, byte: Any) -> Any:
    """Whether a byte can be read from a state: what remains after it, whatever that is, is not empty."""
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    found = False
    for i in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        found = found or classes[leaves[i] >> 32, byte] != 0
    return found


@_part
def _step_once(m: Any, state: Any, byte: Any) -> Any:
    """`step`; but where there is no row yet, none is made, for a byte or two."""
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    at, count = states[state, AT], states[state, COUNT]
    if count < 2 or states[state, ROW] >= 0:
        return step(m, state, byte)
    if count > m[AFTERS + 2]:
        m[LACKING] = AFTERS
        return NEED
    afters, found = _numbers(m, AFTERS), np.int64(0)
    for i in range(at, at + count):
        if classes[leaves[i] >> 32, byte]:
            afters[found] = _after(m, leaves[i], byte)
            if afters[found] == NEED:
                return NEED
            found += 1
    return _join(m, found) if found > 0 else DEAD


@_part
def _read(m: Any, state: Any, data: Any, begin: Any, stop: Any) -> Any:
    """The state after data[begin : stop], DEAD, or NEED."""
    for i in range(begin, stop):
        state = step(m, state, np.int64(data[i]))
        if state < 0:
            break
    return state


@_part
def _recall(m: Any, state: Any, token: Any) -> Any:
    """The state after a token's text; it looks after one text that has to be remembered.

    m[ACTIVE], before and after: whether such a text is being written. m[BEGUN]: at which byte of the token it began, or
    CONTINUES. SLOW, if there is more to do: texts within texts, or one that is waited for.
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    spelled, data, depths = _shorts(m, SPELLED), _bytes(m, SPELLING), _numbers(m, DEPTHS)
    begin, stop = np.int64(spelled[token]), np.int64(spelled[token + 1])
    active, begun, touched = m[ACTIVE], np.int64(CONTINUES), False
    if begin == stop:
        return DEAD
    for i in range(begin, stop):
        byte = np.int64(data[i])
        if active or states[state, ACCEPTS] & MARKED:
            marks, pending, found = np.int64(0), np.int64(0), False
            for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
                if classes[leaves[j] >> 32, byte]:
                    found = True
                    after = leaves[j] & 0xFFFFFFFF
                    if after != END:
                        marks, pending = max(marks, depths[after] & 0xFFFFFFFF), pending | depths[after] >> 32
            if not found:
                return np.int64(SLOW) if touched else np.int64(DEAD)
            if marks > 1 or (marks < active and pending):
                return np.int64(SLOW)
            if marks > active:
                begun = i - begin
            active = marks
            touched = touched or pending > 0
        after = step(m, state, byte)
        if after < 0:
            return np.int64(SLOW) if after == DEAD and touched else after
        state = after
    m[ACTIVE], m[BEGUN] = active, begun
    return state


@_part
def _forced(m: Any, state: Any) -> Any:
    """The bytes with which every way on begins, into RESULT; how many (perhaps more than there is room for)."""
    states, leaves, classes, found = _records(m, STATES), _numbers(m, LEAVES), _classes(m), _shorts(m, RESULT)
    for i in range(m[RESULT + 2]):
        only, several = np.int64(-1), states[state, ACCEPTS] & 1 != 0
        for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
            wall = True  # a way on that no byte shows
            for byte in range(256):
                if classes[leaves[j] >> 32, byte]:
                    wall = False
                    several = several or (only >= 0 and only != byte)
                    only = np.int64(byte)
            several = several or wall
            if several:
                break
        if several or only < 0:
            return i
        state = step(m, state, only)
        if state == NEED:
            return NEED
        found[i] = only
    return m[RESULT + 2]


# ------------------------------------------------------------------------------------------------------- tokens
#
# A trie is laid out level by level: node i has the byte BYTE[i], the children FIRST[i] … FIRST[i + 1] − 1, and spells
# TOKEN[i]: a token t, or NO_TOKEN, or, where TWIN[t] is a further token of the same bytes (and so on, to −1),
# NO_TOKEN − 1 − t. There are at most m[TWINS] of the same bytes.


@_part
def _several(m: Any, t: Any, n: Any) -> Any:
    """Append all the tokens that TOKEN's entry t stands for."""
    result, twin = _shorts(m, RESULT), _shorts(m, TWIN)
    t = t if t >= NO_TOKEN else NO_TOKEN - t - 1
    while t >= 0:
        result[n] = t
        n += 1
        t = np.int64(twin[t])
    return n


@_part
def _below(m: Any, root: Any, state: Any, n: Any, sifted: Any, away: Any) -> Any:
    """Append to the first n of RESULT the tokens that can be read below `root` from `state` on; their number.

    If `sifted`, only nodes are looked at that the slice has not dealt with. What lies below the node m[SPACE], half of
    all tokens, is left out: m[DEFERRED] then is the state to go on from there. After NEED, it goes on where it was.
    `away`: how far from the tables of the trie lie those of the one that is meant; 0 for the trie.
    """
    states, rows, classes = _records(m, STATES), _rows(m), _classes(m)
    byte, first, token = _bytes(m, BYTE + away), _shorts(m, FIRST + away), _shorts(m, TOKEN + away)
    queue, result, left = _numbers(m, QUEUE), _shorts(m, RESULT), _bytes(m, LEFT)
    front, size, space = np.int64(0), np.int64(2), np.int64(-1 if away else m[SPACE])
    if m[PAUSED]:
        front, size, n = m[PAUSED] - 1, m[PAUSED + 1], m[PAUSED + 2]
        m[PAUSED] = 0
    else:
        queue[0], queue[1] = root, state
    while front < size:
        node, state = queue[front], queue[front + 1]
        start, stop = np.int64(first[node]), np.int64(first[node + 1])
        if n + m[TWINS] * (stop - start) > m[RESULT + 2]:
            m[LACKING] = RESULT
            return _pause(m, front, size, n)
        if size + 2 * (stop - start) + 2 > m[QUEUE + 2]:
            m[LACKING] = QUEUE
            return _pause(m, front, size, n)
        if states[state, COUNT] == 0 or start == stop:
            front += 2
            continue
        once = stop - start <= NARROW and _first_time(m, state)
        if not once and states[state, ROW] < 0 and _new_row(m, state) == NEED:
            return _pause(m, front, size, n)
        at, single = states[state, ROW], states[state, COUNT] == 1
        old_size, old_n = size, n
        for child in range(start, stop):
            if sifted and left[child] == 0:
                continue
            if single:
                if classes[at, byte[child]] == 0:
                    continue
                after = states[state, NEXT]
            elif once:
                after = UNKNOWN
            else:
                after = np.int64(rows[at, byte[child]])
            if after < 0:
                if after == DEAD:
                    continue
                if first[child] == first[child + 1]:  # nobody goes on from there: it need not be known what remains
                    if once and not _takes(m, state, np.int64(byte[child])):
                        continue
                else:
                    after = _step_once(m, state, np.int64(byte[child]))
                    if after < 0:
                        if after == NEED:
                            return _pause(m, front, old_size, old_n)
                        continue
            # Half of the nodes are tokens and half have children, as good as at random: no branches, but overwriting.
            t = np.int64(token[child])
            result[n] = t
            n += t >= 0
            if t < NO_TOKEN:
                n = _several(m, t, n)
            queue[size], queue[size + 1] = child, after
            size += 2 * ((first[child] < first[child + 1]) & (child != space))
            if child == space:
                m[DEFERRED] = after
        front += 2
    return n


@_part
def _pause(m: Any, front: Any, size: Any, n: Any) -> Any:
    m[PAUSED], m[PAUSED + 1], m[PAUSED + 2] = front + 1, size, n
    return NEED


@_part
def _ends(m: Any, state: Any) -> Any:
    """The entries of TOKEN that can be read from `state`, and the state after each, in turn, into RESULT."""
    byte, first, token = _bytes(m, BYTE), _shorts(m, FIRST), _shorts(m, TOKEN)
    queue, result, room, n = _numbers(m, QUEUE), _shorts(m, RESULT), m[RESULT + 2], 0
    queue[0], queue[1] = 0, state
    front, size = 0, 2
    while front < size:
        node, state = queue[front], queue[front + 1]
        front += 2
        if size + 2 * (first[node + 1] - first[node]) > m[QUEUE + 2]:
            m[LACKING] = QUEUE
            return NEED
        for child in range(first[node], first[node + 1]):
            after = step(m, state, np.int64(byte[child]))
            if after == NEED:
                return NEED
            if after >= 0:
                t = np.int64(token[child])
                if t != NO_TOKEN:
                    if n + 2 > room:
                        m[LACKING] = RESULT
                        return NEED
                    result[n], result[n + 1] = t, after
                    n += 2
                if first[child] < first[child + 1]:
                    queue[size], queue[size + 1] = child, after
                    size += 2
    return n


@_part
def _walls(m: Any, state: Any, root: Any) -> Any:
    """The nodes below `root` at which a walk from `state` comes to a wall (`memory.py`), into RESULT; how many.

    LEFT says where one may stand: AT_COMMA there, and not 0 on the way.
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    first, byte, left = _shorts(m, FIRST), _bytes(m, BYTE), _bytes(m, LEFT)
    queue, result, n = _numbers(m, QUEUE), _shorts(m, RESULT), np.int64(0)
    queue[0], queue[1] = root, state
    front, size = np.int64(0), np.int64(2)
    while front < size:
        node, state = queue[front], queue[front + 1]
        front += 2
        if size + 2 * (first[node + 1] - first[node]) > m[QUEUE + 2]:
            m[LACKING] = QUEUE
            return NEED
        for child in range(first[node], first[node + 1]):
            if left[child] == 0:
                continue
            after = step(m, state, np.int64(byte[child]))
            if after == NEED:
                return NEED
            if after < 0:
                continue
            if left[child] & AT_COMMA and states[after, ACCEPTS] & MARKED:
                for j in range(states[after, AT], states[after, AT] + states[after, COUNT]):
                    if not _meet(classes[leaves[j] >> 32], classes[leaves[j] >> 32]):
                        if n == m[RESULT + 2]:
                            m[LACKING] = RESULT
                            return NEED
                        result[n] = child
                        n += 1
                        break
            queue[size], queue[size + 1] = child, after
            size += 2
    return n


# ------------------------------------------------------------------------------------------------------- slices


@_part
def _loop(m: Any, state: Any) -> Any:
    """8 c + how, if `state` repeats the charset c, which is of more than m[FEW] characters; or −1.

    how & ENDLESS: any number of its characters may come next. Unless how & FREE, every character leads to one and the
    same state, the CHAIN of this one, and no other string that may come next begins with a byte that begins such a
    character; how & OTHERS: there are such strings.
    """
    states, nodes = _records(m, STATES), _records(m, NODES)
    if states[state, LOOP] != UNKNOWN:
        return states[state, LOOP]
    loop, chain = np.int64(-1), np.int64(-1)
    if states[state, TERM] >= 0:
        terms, leaves, classes = _records(m, TERMS), _numbers(m, LEAVES), _classes(m)
        node, rest = terms[states[state, TERM], NODE], terms[states[state, TERM], REST]
        one = np.int64(-1)
        if nodes[node, KIND] == FOLDED:
            if _width(m, node) > 0:
                loop = 8 * (nodes[node, B] - 1) + ENDLESS + FREE
        else:
            one = _charset_of(m, node)
        if one >= 0 and nodes[one, D] <= m[FEW]:
            one = np.int64(-1)
        if one >= 0:
            less = _less(m, node)
            after = NEED if less == NEED else push(m, less, rest)
            inside = NEED if after == NEED else push(m, one, after)
            if inside == NEED or open_term(m, inside) == NEED:
                return NEED
            chain = state_of(m, after)
            if chain == NEED:
                return NEED
            endless = np.int64(ENDLESS if nodes[node, C] == NO_LIMIT else 0)
            loop = 8 * nodes[one, CHARS] + endless
            begins = _bytes(m, LEAVING)
            begins[:256] = 0
            i, stop = terms[inside, AT], terms[inside, AT] + terms[inside, COUNT]
            if stop == i + 1 and _is_split(m, leaves[i] & 0xFFFFFFFF) and not _has_leaf(m, state, leaves[i]):
                begun = state_of(m, inside)  # where the leaf was alone, there are those that it stands for
                if begun == NEED:
                    return NEED
                i, stop = states[begun, AT], states[begun, AT] + states[begun, COUNT]
            for j in range(i, stop):
                of = classes[leaves[j] >> 32]
                for b in range(256):
                    begins[b] |= of[b]
            for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):  # sorted runs, both
                if i < stop and leaves[i] == leaves[j]:
                    i += 1
                elif _meet(begins, classes[leaves[j] >> 32]):
                    loop = loop | FREE if endless else np.int64(-1)
                    break
                else:
                    loop |= OTHERS
    states[state, LOOP], states[state, CHAINED] = loop, chain
    return loop


@_part
def _has_leaf(m: Any, state: Any, leaf: Any) -> Any:
    states, leaves, found = _records(m, STATES), _numbers(m, LEAVES), False
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        found = found or leaves[j] == leaf
    return found


@_part
def _meet(a: Any, b: Any) -> Any:
    """Whether two sets of bytes have one in common."""
    common = np.uint8(0)
    for i in range(256):
        common |= a[i] & b[i]
    return common != 0


@_part
def _only_quotes(m: Any, state: Any, loop: Any) -> Any:
    """Whether a state in which, as `loop` says, any text goes on is the same after it, and only a quote ends that text.

    So it reads nothing that no text has: no control character.
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    if (
        states[state, ACCEPTS] & TEXT_GOES_ON == 0
        or states[state, CHAINED] != state
        or loop & (FREE | ENDLESS) != ENDLESS
    ):
        return False
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        of = classes[leaves[j] >> 32]
        for b in range(0x20):
            if of[b]:
                return False
    return True


@_part
def _sliced(m: Any, state: Any) -> Any:
    """The tokens from a state that repeats a charset that are not all of it, into RESULT; how many; DEAD if unknown.

    m[REACH] then says how many characters of the slice's class may follow, m[LONGEST] at most; tokens that are such
    characters only are allowed up to that length. The others leave the class at some byte: the slice knows at which
    nodes. (Its class is the charset, or all of it but some ASCII; it is about what lies below the node m[ROOT].)
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    chain, leaving, begins = _numbers(m, CHAIN), _bytes(m, LEAVING), _bytes(m, BEGINS)
    exits, exit_node, exit_chars = _shorts(m, EXITS), _shorts(m, EXIT_NODE), _shorts(m, EXIT_CHARS)
    first, token, byte = _shorts(m, FIRST), _shorts(m, TOKEN), _bytes(m, BYTE)
    excluded, parent = _bytes(m, EXCLUDED), _shorts(m, PARENT)
    charset, longest = _loop(m, state), m[LONGEST]
    chain[0], reach = state, np.int64(0)
    while True:
        loop = _loop(m, chain[reach])
        if loop == NEED:
            return NEED
        goes_on = loop >> 3 == charset >> 3 and loop & FREE == 0
        if reach == longest or not goes_on:
            break
        chain[reach + 1] = states[chain[reach], CHAINED]
        reach += 1
    m[REACH] = reach
    leaving[:256] = 0
    for j in range(reach + 1):
        at, stop = states[chain[j], AT], states[chain[j], AT] + states[chain[j], COUNT]
        if j == reach and not goes_on:
            for k in range(at, stop):
                if _meet(begins, classes[leaves[k] >> 32]):
                    return DEAD  # it goes on in another way with what may be the same characters
        elif j > 0 and (chain[j] == chain[j - 1] or states[chain[j], LOOP] & OTHERS == 0):
            continue  # (what leaves the slice's class, but not the charset, does so from the first state, too)
        for k in range(at, stop):
            of = classes[leaves[k] >> 32]
            for b in range(256):
                leaving[b] |= of[b]
    n = np.int64(0)
    for b in range(256):
        if leaving[b] == 0 or begins[b]:
            continue
        asked, left = np.int64(-1), np.int64(DEAD)
        for k in range(exits[b], exits[b + 1]):
            if exit_chars[k] > reach:
                break
            node = np.int64(parent[exit_node[k]]) if m[EXCLUDED + 1] else m[ROOT]
            while node > m[ROOT] and excluded[byte[node]] == 0:
                node = np.int64(parent[node])
            if node > m[ROOT]:
                if m[ESCAPES] == 0:
                    continue  # it left earlier
                after = _reach(m, state, np.int64(exit_node[k]))  # or this byte is a part of an escape
            else:
                if chain[exit_chars[k]] != asked:  # of them, most are the same
                    asked = chain[exit_chars[k]]
                    left = _step_once(m, asked, np.int64(b))
                after = left
            if after == NEED:
                return NEED
            if after < 0:
                continue
            node = np.int64(exit_node[k])
            if n + m[TWINS] >= m[RESULT + 2]:
                m[LACKING] = RESULT
                return NEED
            n = _several(m, np.int64(token[node]), n)
            if node == m[SPACE]:
                m[DEFERRED] = after
            elif first[node] < first[node + 1]:
                n = _below(m, node, after, n, False, 0)
                if n == NEED:
                    m[PAUSED] = 0
                    return NEED
    return n


@_part
def _reach(m: Any, state: Any, node: Any) -> Any:
    """The state after what leads from the node m[ROOT] to another node, DEAD, or NEED."""
    byte, parent, path = _bytes(m, BYTE), _shorts(m, PARENT), _bytes(m, INPUT)
    start = m[INPUT + 2]
    while node > m[ROOT]:
        start -= 1
        path[start] = byte[node]
        node = np.int64(parent[node])
    return _read(m, state, path, start, m[INPUT + 2])


@_part
def _closed(m: Any, state: Any) -> Any:
    """1 if, whatever characters of the slice's class (ASCII only) come next, nothing else can follow any of them.

    0 if something can, or if that takes more than a glance to find out.
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    begins, met = _bytes(m, BEGINS), _numbers(m, CHAIN)
    met[0] = state
    count, i = 1, 0
    while i < count:
        state = met[i]
        i += 1
        for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
            of = classes[leaves[j] >> 32]
            for b in range(256):
                if of[b] > begins[b]:
                    return np.int64(0)
        for b in range(128):
            if begins[b] == 0:
                continue
            after = step(m, state, np.int64(b))
            if after == NEED:
                return NEED
            new = after >= 0
            for j in range(count):
                new = new and met[j] != after
            if new:
                if count == GLANCE:
                    return np.int64(0)
                met[count] = after
                count += 1
    return np.int64(1)


@_part
def _near(m: Any, state: Any) -> Any:
    """The state that its widest leaf leads to, if that is wide and the state repeats a charset without end; or −1.

    (Any string but some: what begins none of those goes on in such a state.)
    """
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    widest, best = np.int64(WIDE - 1), np.int64(-1)
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        of, width = classes[leaves[j] >> 32], np.int64(0)
        for b in range(256):
            width += of[b]
        if width > widest and not _is_split(m, leaves[j] & 0xFFFFFFFF):
            widest, best = width, leaves[j]
    if best < 0:
        return np.int64(-1)
    after = state_of(m, best & 0xFFFFFFFF)
    loop = NEED if after == NEED else _loop(m, after)
    if loop == NEED:
        return NEED
    return after if loop >= 0 and loop & ENDLESS and after != state else np.int64(-1)


@_part
def _only_next(m: Any, state: Any) -> Any:
    """The state after whatever byte may follow a state of one leaf, or NEED."""
    states = _records(m, STATES)
    if states[state, NEXT] == UNKNOWN:
        after = state_of(m, _numbers(m, LEAVES)[states[state, AT]] & 0xFFFFFFFF)
        if after == NEED:
            return NEED
        states[state, NEXT] = after
    return states[state, NEXT]


@_part
def _alike(m: Any, a: Any, b: Any) -> Any:
    """1 if the same can be read from both, as far as can be seen at once; 0, or NEED."""
    states = _records(m, STATES)
    for _ in range(4):  # the bytes of a character
        if a == b:
            return np.int64(1)
        if a < 0 or b < 0 or states[a, COUNT] != 1 or states[b, COUNT] != 1 or states[a, ROW] != states[b, ROW]:
            return np.int64(0)
        a = _only_next(m, a)
        b = NEED if a == NEED else _only_next(m, b)
        if b == NEED:
            return NEED
    return np.int64(0)


@_part
def _where_differ(m: Any, a: Any, b: Any) -> None:
    """LEAVING: not 0 for the bytes after which something else may remain of one state than of the other."""
    states, leaves, classes = _records(m, STATES), _numbers(m, LEAVES), _classes(m)
    differ, lone = _bytes(m, LEAVING), _numbers(m, CHAIN)
    if a < 0 or b < 0:
        differ[:256] = 1
        return
    differ[:256] = 0
    i, stop = states[a, AT], states[a, AT] + states[a, COUNT]
    j, end = states[b, AT], states[b, AT] + states[b, COUNT]
    mine, theirs = np.int64(0), np.int64(0)  # what only one of them has: mine from the front, theirs from the back
    while i < stop or j < end:  # sorted runs, both
        if i < stop and j < end and leaves[i] == leaves[j]:
            i += 1
            j += 1
        elif mine + theirs == 256:
            differ[:256] = 1
            return
        elif j == end or (i < stop and leaves[i] < leaves[j]):
            lone[mine] = leaves[i]
            i, mine = i + 1, mine + 1
        else:
            lone[256 - theirs] = leaves[j]
            j, theirs = j + 1, theirs + 1
    for i in range(mine):
        one, j = classes[lone[i] >> 32], 256
        while j > 256 - theirs and lone[j] & 0xFFFFFFFF != lone[i] & 0xFFFFFFFF:
            j -= 1
        if j > 256 - theirs:  # the same remains, of other bytes
            two = classes[lone[j] >> 32]
            for k in range(256):
                differ[k] |= one[k] ^ two[k]
            lone[j] = lone[257 - theirs]
            theirs -= 1
        else:
            for k in range(256):
                differ[k] |= one[k]
    for j in range(257 - theirs, 257):
        two = classes[lone[j] >> 32]
        for k in range(256):
            differ[k] |= two[k]


@_part
def _differ(m: Any, state: Any, other: Any) -> Any:
    """The tokens that can be read from `state` and not from `other`, and −1 − t for those that the other way round.

    Into RESULT; how many, or DEAD if that takes a walk through a large part of the trie. Where any JSON string may go
    on in both (of QUOTED states `other` is what `_near` says), only a quote can make a difference: AROUND_QUOTE are the
    nodes above and below one.
    """
    states = _records(m, STATES)
    quoted, around = states[state, ACCEPTS] & QUOTED, _bytes(m, AROUND_QUOTE)
    byte, first, token = _bytes(m, BYTE), _shorts(m, FIRST), _shorts(m, TOKEN)
    queue, result, differ = _numbers(m, QUEUE), _shorts(m, RESULT), _bytes(m, LEAVING)
    front, size, n = np.int64(0), np.int64(2), np.int64(0)
    if m[PAUSED]:
        front, size, n = m[PAUSED] - 1, m[PAUSED + 1], m[PAUSED + 2]
        m[PAUSED] = 0
    else:
        queue[0], queue[1] = 0, state << 32 | (other + 1)
    while front < size:
        node = queue[front]
        state, other = queue[front + 1] >> 32, (queue[front + 1] & 0xFFFFFFFF) - 1
        start, stop = np.int64(first[node]), np.int64(first[node + 1])
        if n + m[TWINS] * (stop - start) > m[RESULT + 2]:
            m[LACKING] = RESULT
            return _pause(m, front, size, n)
        if size + 2 * (stop - start) > m[QUEUE + 2]:
            m[LACKING] = QUEUE
            return _pause(m, front, size, n)
        old_size, old_n = size, n
        for one in (state, other):
            if one >= 0 and not _first_time(m, one) and states[one, ROW] < 0 and _new_row(m, one) == NEED:
                return _pause(m, front, size, n)
        _where_differ(m, state, other)
        strings = quoted
        if state >= 0 and other >= 0:
            strings |= states[state, ACCEPTS] & states[other, ACCEPTS] & (TEXT_GOES_ON | NAME_GOES_ON)
        for child in range(start, stop):
            b = np.int64(byte[child])
            if differ[b] == 0 or (strings and around[child] == 0):
                continue  # nearly always
            if first[child] == first[child + 1]:  # (see `_below`)
                one = np.int64(0 if state >= 0 and _takes(m, state, b) else DEAD)
                two = np.int64(0 if other >= 0 and _takes(m, other, b) else DEAD)
                same = np.int64(one == two)
            else:
                one = DEAD if state < 0 else _step_once(m, state, b)
                two = DEAD if one == NEED or other < 0 else _step_once(m, other, b)
                same = NEED if one == NEED or two == NEED else _alike(m, one, two)
            if same == NEED:
                return _pause(m, front, old_size, old_n)
            if same:
                continue
            if (one < 0) != (two < 0):
                i, n = n, _several(m, np.int64(token[child]), n)
                while one < 0 and i < n:
                    result[i] = -1 - result[i]
                    i += 1
            if first[child] < first[child + 1]:
                queue[size], queue[size + 1] = child, one << 32 | (two + 1)
                size += 2
        front += 2
        if 192 * front > m[BYTE + 2] + 32768:  # a walk through all of it is as quick
            return np.int64(DEAD)
    return n


@_part
def _survey(m: Any, state: Any, root: Any) -> Any:
    """What a slice has to know of what lies below `root`. `state` is before any number of characters; and after each.

    (TOKENS, token entry, n) for what is n characters, the last of which may be cut; (byte, node, n) where a byte that
    does not begin one, or is one by itself, follows n characters; (MID, node, n) where a byte does not go on with one.
    Into RESULT.
    """
    byte, first, token = _bytes(m, BYTE), _shorts(m, FIRST), _shorts(m, TOKEN)
    queue, result, n, home = _numbers(m, QUEUE), _shorts(m, RESULT), np.int64(0), state
    queue[0], queue[1] = root, state  # (node, 65536 × characters + state)
    front, size = np.int64(0), np.int64(2)
    while front < size:
        node, state, chars = queue[front], queue[front + 1] & 65535, queue[front + 1] >> 16
        front += 2
        fan = np.int64(first[node + 1] - first[node])
        if size + 2 * fan > m[QUEUE + 2] or n + 6 * fan > m[RESULT + 2]:
            m[LACKING] = QUEUE if size + 2 * fan > m[QUEUE + 2] else RESULT
            return NEED
        for child in range(first[node], first[node + 1]):
            after = step(m, state, np.int64(byte[child]))
            if after == NEED:
                return NEED
            if after < 0 or (state == home and after == home):
                result[n], result[n + 1], result[n + 2] = byte[child] if state == home else MID, child, chars
                n += 3
            if after >= 0:
                begun = chars + (state == home)
                if token[child] != NO_TOKEN:
                    result[n], result[n + 1], result[n + 2] = TOKENS, token[child], begun
                    n += 3
                if first[child] < first[child + 1]:
                    queue[size], queue[size + 1] = child, begun << 16 | after
                    size += 2
    return n


# ------------------------------------------------------------------------------------------------------ the way in

START, REHASH, PUSH, JOIN, READ, ADVANCE, FORCED, RECALL = range(8)
WALK, WALK_ALL, WALK_LEFT, SLICED, CLOSED, SURVEY, ENDS, DIFFER, WALLS = range(8, 17)
# WALK says 2 n + (1 if `state` accepts), n being what it found; SPACED, if that is m[FOUND] and m[DEFERRED] is to come;
# REPEATS − n where `_loop` says n ≥ 0: a slice may be quicker; NEARLY, if nearly the same may follow as in the state
# m[FOUND], which repeats a charset; TAILED, if any text may go on, and m[FOUND] of the TAILS end it.
SPACED, NEARLY, TAILED, REPEATS = -5, -6, -7, -10


@_entry
def serve(m: Any, what: Any, x: Any, y: Any) -> Any:
    """Do one thing; what it says, or NEED.

    START node → the state before its first byte        READ state, n → the state after the first n bytes of INPUT
    PUSH node, term → the term of both                  JOIN n → the state of the first n terms of AFTERS
    DIFFER state, state; RECALL state, token: see above
    ADVANCE state, token → the state after the token    WALK, WALK_ALL, WALK_LEFT, WALLS, SURVEY state, root: see above
    """
    if what >= READ and (x < 0 or x >= m[STATES + 1]):
        return INVALID
    if what == ADVANCE:
        spelled = _shorts(m, SPELLED)
        if spelled[y] == spelled[y + 1]:  # no text
            return DEAD
        return _read(m, x, _bytes(m, SPELLING), np.int64(spelled[y]), np.int64(spelled[y + 1]))
    if m[PAUSED] == 0:
        m[DEFERRED] = -1
    if what == WALK:
        loop = _loop(m, x)
        if loop == NEED:
            return NEED
        if loop >= 0:
            if y == 0 and m[TAILS] and _only_quotes(m, x, loop):
                n = _below(m, 0, x, np.int64(0), False, TAILS - BYTE)
                m[FOUND] = n
                return NEED if n == NEED else TAILED
            return REPEATS - loop
        if y == 0 and m[PAUSED] == 0 and m[SPACE] >= 0:
            other = _near(m, x)
            if other == NEED:
                return NEED
            if other >= 0:
                m[FOUND] = other
                return NEARLY
        n = _below(m, y, x, np.int64(0), False, 0)
        if n != NEED and m[DEFERRED] >= 0:
            loop = _loop(m, m[DEFERRED])
            if loop == NEED:
                return _pause(m, np.int64(0), np.int64(0), n)
            if loop >= 0:
                m[FOUND] = n
                return SPACED
            space, m[DEFERRED] = m[DEFERRED], -1
            n = _below(m, m[SPACE], space, n, False, 0)
        return NEED if n == NEED else 2 * n + (_records(m, STATES)[x, ACCEPTS] & 1)
    if what == WALK_ALL:
        return _below(m, y, x, np.int64(0), False, 0)
    if what == WALK_LEFT:
        return _below(m, y, x, np.int64(0), True, 0)
    if what == SLICED:
        return _sliced(m, x)
    if what == DIFFER:
        return _differ(m, x, y)
    if what == CLOSED:
        return _closed(m, x)
    if what == SURVEY:
        return _survey(m, x, y)
    if what == START:
        return state_of(m, push(m, x, np.int64(END)))
    if what == PUSH:
        return push(m, x, y)
    if what == JOIN:
        return _join(m, x)
    if what == READ:
        return _read(m, x, _bytes(m, INPUT), np.int64(0), y)
    if what == RECALL:
        return _recall(m, x, y)
    if what == FORCED:
        return _forced(m, x)
    if what == WALLS:
        return _walls(m, x, y)
    if what == ENDS:
        return _ends(m, x)
    _rehash(m, x)
    return 0


_compiling = threading.Lock()


def ready() -> None:
    """Compile `serve`, or load it, once for a process; numbers of other types are converted, then, not compiled for."""
    with _compiling:
        if not serve.signatures:
            serve.compile((types.int64[::1], types.int64, types.int64, types.int64))
            serve.disable_compile()


@_entry
def set_bits(mask: Any, ids: Any, count: int) -> None:
    """Allow the first `count` of `ids` in a packed mask; of −1 − t, refuse t."""
    for i in range(count):
        t = ids[i]
        if t >= 0:
            mask[t >> 5] |= np.int32(1) << np.int32(t & 31)
        else:
            mask[~t >> 5] &= ~(np.int32(1) << np.int32(~t & 31))


@_entry
def set_rows(mask: Any, ids: Any, starts: Any, rows: Any) -> None:
    """Allow in a packed mask ids[starts[i] : starts[i + 1]], for each i of `rows`."""
    for row in rows:
        for k in range(starts[row], starts[row + 1]):
            mask[ids[k] >> 5] |= np.int32(1) << np.int32(ids[k] & 31)


@_entry
def strike(mask: Any, others: Any, which: Any) -> None:
    """Refuse in a packed mask what some rows of `others` allow."""
    for i in range(len(which)):
        row = others[which[i]]
        for word in range(len(mask)):
            mask[word] &= ~row[word]


@_entry
def mark_around(marked: Any, nodes: Any, parent: Any, first: Any) -> None:
    """Mark some nodes of a trie and all that are above or below one of them."""
    for i in range(len(nodes)):
        node = nodes[i]
        while node >= 0 and marked[node] & 1 == 0:
            marked[node] |= 1
            node = parent[node]
        if marked[nodes[i]] & 2 == 0:
            low, high = np.int64(nodes[i]), np.int64(nodes[i]) + 1
            while low < high:  # level by level: what is below a node on one level are neighbours
                for below in range(low, high):
                    marked[below] |= 2
                low, high = np.int64(first[low]), np.int64(first[high])


@_entry
def weigh(byte: Any, parent: Any, weight: Any) -> None:
    """Add to weight[b], for each byte, how many nodes of a trie are, or lie below, a node of that byte."""
    below = np.ones(len(parent), np.int64)
    for node in range(len(parent) - 1, 0, -1):
        below[parent[node]] += below[node]
        weight[byte[node]] += below[node]


@_entry
def set_containing(masks: Any, spelling: Any, spelled: Any, after: Any) -> None:
    """masks[b], for each ASCII byte: allow the tokens in which it occurs, after so many bytes."""
    for t in range(len(spelled) - 1):
        for i in range(spelled[t] + after, spelled[t + 1]):
            if spelling[i] < 128:
                masks[spelling[i], t >> 5] |= np.int32(1) << np.int32(t & 31)
