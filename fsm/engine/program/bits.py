"""Packed masks, scores under them, and marks in a trie: loops too long for Python, and too odd for numpy.

Arrays are given by their addresses.
"""

from __future__ import annotations

from .views import Array, first_one, int16s_at, int32, int32s_at, int64, int64s_at, octets_at, part


@part
def set_bits(mask: int, words: int, ids: int, count: int) -> int:
    """Allow the first `count` of `ids` in a packed mask; of −1 − t, refuse t. mask int32 [words]; ids int32"""
    bits, tokens = int32s_at(mask, words), int32s_at(ids, count)
    for i in range(count):
        t = int64(tokens[i])
        if t >= 0:
            bits[t >> 5] |= int32(1) << int32(t & 31)
        else:
            t = -1 - t
            bits[t >> 5] &= ~(int32(1) << int32(t & 31))
    return int64(0)


@part
def mark_around(marked: int, size: int, nodes: int, count: int, parent: int, first: int) -> int:
    """Mark some nodes of a trie and all that are above or below one of them. marked uint8 [size]; the others int32"""
    marks, chosen = octets_at(marked, size), int32s_at(nodes, count)
    above, children = int32s_at(parent, size), int32s_at(first, size + 1)
    for i in range(count):
        node = int64(chosen[i])
        while node >= 0 and marks[node] & 1 == 0:
            marks[node] |= 1
            node = int64(above[node])
        node = int64(chosen[i])
        if marks[node] & 2 == 0:
            low, high = node, node + 1
            while low < high:  # level by level: what is below a node on one level are neighbours
                for lower in range(low, high):
                    marks[lower] |= 2
                low, high = int64(children[low]), int64(children[high])
    return int64(0)


@part
def weigh(byte: int, parent: int, size: int, sizes: int, weight: int) -> int:
    """Add to weight[b], for each byte, how many nodes of a trie are, or lie below, a node of that byte.

    byte uint8 [size]; parent int32 [size]; sizes int64 [size], all 1, is written to; weight int64 [256]
    """
    last, above = octets_at(byte, size), int32s_at(parent, size)
    lower, total = int64s_at(sizes, size), int64s_at(weight, int64(256))
    for i in range(1, size):
        node = size - i
        lower[above[node]] += lower[node]
        total[last[node]] += lower[node]
    return int64(0)


@part
def characters(sets: int, tokens: int, spelling: int, spelled: int, start: int) -> int:
    """Note the characters of ASCII in each token, from its byte `start` on: bit c & 63 of sets[2 t + (c >> 6)].

    sets int64 [2 tokens], all 0; spelling and spelled as a trie's
    """
    bits, begins = int64s_at(sets, 2 * tokens), int32s_at(spelled, tokens + 1)
    data = octets_at(spelling, int64(begins[tokens]))
    for t in range(tokens):
        for i in range(begins[t] + start, begins[t + 1]):
            c = int64(data[i])
            if c < 128:
                bits[2 * t + (c >> 6)] |= int64(1) << (c & 63)
    return int64(0)


@part
def keep_allowed(scores: int, out: int, size: int, rows: int, width: int, nothing: int, masks: int, stride: int) -> int:
    """Write scores `[rows, width]` to `out`, with `nothing` for each token that a mask refuses.

    size: bytes of a score, 2 or 4; nothing: the bits of −inf, as an int of that size. masks: int32, a row's begins
    `stride` words after that of the row before. How many rows are left with nothing else.
    """
    empty = int64(0)
    for row in range(rows):
        mask, at = int32s_at(masks + 4 * row * stride, (width + 31) // 32), row * width * size
        if size == 2:
            empty += keep(int16s_at(scores + at, width), int16s_at(out + at, width), width, nothing, mask)
        else:
            empty += keep(int32s_at(scores + at, width), int32s_at(out + at, width), width, nothing, mask)
    return empty


@part
def keep(scores: Array, out: Array, width: int, nothing: int, mask: Array) -> int:
    """One row of `keep_allowed`: first what becomes of most tokens, then the others. 1 if nothing else is left."""
    sample, words = int64(0), (width + 31) // 32
    for word in range(words):
        sample += mask[word] & 1
    many = 2 * sample > words
    for token in range(width):
        out[token] = scores[token] if many else nothing
    for word in range(words):
        bits = int64(~mask[word] if many else mask[word]) & 0xFFFFFFFF
        while bits:
            token = 32 * word + first_one(bits)
            bits &= bits - 1
            if token < width:
                out[token] = nothing if many else scores[token]
    for word in range(words):
        bits = int64(mask[word]) & 0xFFFFFFFF
        while bits:
            token = 32 * word + first_one(bits)
            bits &= bits - 1
            if token < width and scores[token] != nothing:
                return int64(0)
    return int64(1)
