"""What two states that are nearly alike do not both allow: the tokens by which their masks differ."""

from __future__ import annotations

from ..layout import (
    ACCEPTS,
    AROUND_QUOTE,
    AT,
    BYTE,
    CHAIN,
    CLASSES,
    COUNT,
    DEAD,
    FIRST,
    LEAVES,
    LEAVING,
    NAME_GOES_ON,
    NEED,
    PAUSED,
    PAUSED_COUNT,
    PAUSED_SIZE,
    QUEUE,
    QUOTED,
    RESULT,
    ROW,
    STATES,
    TEXT_GOES_ON,
    TOKEN,
    TWINS,
)
from .states import first_time, new_row, only_next, step_once, takes
from .tokens import pause, several
from .views import Memory, classes_of, int64, lacks, numbers, octets, part, records, shorts


@part
def alike(m: Memory, a: int, b: int) -> int:
    """1 if the same can be read from both, as far as can be seen at once; 0, or NEED."""
    states = records(m, STATES)
    for _ in range(4):  # the bytes of a character
        if a == b:
            return int64(1)
        if a < 0 or b < 0 or states[a, COUNT] != 1 or states[b, COUNT] != 1 or states[a, ROW] != states[b, ROW]:
            return int64(0)
        a = only_next(m, a)
        b = NEED if a == NEED else only_next(m, b)
        if b == NEED:
            return NEED
    return int64(0)


@part
def where_differ(m: Memory, a: int, b: int) -> None:
    """LEAVING: not 0 for the bytes after which something else may remain of one state than of the other."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    unequal, lone = octets(m, LEAVING), numbers(m, CHAIN)
    if a < 0 or b < 0:
        unequal[:256] = 1
        return
    unequal[:256] = 0
    i, stop = states[a, AT], states[a, AT] + states[a, COUNT]
    j, end = states[b, AT], states[b, AT] + states[b, COUNT]
    mine, theirs = int64(0), int64(0)  # what only one of them has: mine from the front, theirs from the back
    while i < stop or j < end:  # sorted runs, both
        if i < stop and j < end and leaves[i] == leaves[j]:
            i += 1
            j += 1
        elif mine + theirs == 256:
            unequal[:256] = 1
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
                unequal[k] |= one[k] ^ two[k]
            lone[j] = lone[257 - theirs]
            theirs -= 1
        else:
            for k in range(256):
                unequal[k] |= one[k]
    for j in range(257 - theirs, 257):
        two = classes[lone[j] >> 32]
        for k in range(256):
            unequal[k] |= two[k]


@part
def differ(m: Memory, state: int, other: int) -> int:
    """Write the tokens t that only `state` allows into RESULT, and −1 − t for those that only `other` allows.

    Gives how many; or DEAD if that takes a walk through a large part of the trie. Both states go down the trie
    together, node by node, and leave a branch where they agree. Where any JSON string may go on in both (of QUOTED
    states `other` is what `near_state` says), only a quote can make a difference: AROUND_QUOTE are the nodes above and
    below one.
    """
    states = records(m, STATES)
    quoted, around = states[state, ACCEPTS] & QUOTED, octets(m, AROUND_QUOTE)
    byte, first, token = octets(m, BYTE), shorts(m, FIRST), shorts(m, TOKEN)
    queue, result, unequal = numbers(m, QUEUE), shorts(m, RESULT), octets(m, LEAVING)
    front, size, n = int64(0), int64(2), int64(0)
    if m[PAUSED]:
        front, size, n = m[PAUSED] - 1, m[PAUSED_SIZE], m[PAUSED_COUNT]
        m[PAUSED] = 0
    else:
        queue[0], queue[1] = 0, state << 32 | (other + 1)
    while front < size:
        node = queue[front]
        state, other = queue[front + 1] >> 32, (queue[front + 1] & 0xFFFFFFFF) - 1
        start, stop = int64(first[node]), int64(first[node + 1])
        if lacks(m, RESULT, n + m[TWINS] * (stop - start)):
            return pause(m, front, size, n)
        if lacks(m, QUEUE, size + 2 * (stop - start)):
            return pause(m, front, size, n)
        old_size, old_n = size, n
        for one in (state, other):
            if one >= 0 and not first_time(m, one) and states[one, ROW] < 0 and new_row(m, one) == NEED:
                return pause(m, front, size, n)
        where_differ(m, state, other)
        strings = quoted
        if state >= 0 and other >= 0:
            strings |= states[state, ACCEPTS] & states[other, ACCEPTS] & (TEXT_GOES_ON | NAME_GOES_ON)
        for child in range(start, stop):
            b = int64(byte[child])
            if unequal[b] == 0 or (strings and around[child] == 0):
                continue  # nearly always
            if first[child] == first[child + 1]:  # (see `below`)
                one = int64(0 if state >= 0 and takes(m, state, b) else DEAD)
                two = int64(0 if other >= 0 and takes(m, other, b) else DEAD)
                same = int64(one == two)
            else:
                one = DEAD if state < 0 else step_once(m, state, b)
                two = DEAD if one == NEED or other < 0 else step_once(m, other, b)
                same = NEED if one == NEED or two == NEED else alike(m, one, two)
            if same == NEED:
                return pause(m, front, old_size, old_n)
            if same:
                continue
            if (one < 0) != (two < 0):
                i, n = n, several(m, int64(token[child]), n)
                while one < 0 and i < n:
                    result[i] = -1 - result[i]
                    i += 1
            if first[child] < first[child + 1]:
                queue[size], queue[size + 1] = child, one << 32 | (two + 1)
                size += 2
        front += 2
        if 192 * front > m[BYTE + 2] + 32768:  # a walk through all of it is as quick
            return int64(DEAD)
    return n
