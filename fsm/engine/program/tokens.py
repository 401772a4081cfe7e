"""Walks of tokens: which tokens can be read from a state, and what remains after one.

A trie is laid out level by level: node i has the byte BYTE[i], the children FIRST[i] … FIRST[i + 1] − 1, and spells
TOKEN[i]: a token t, or NO_TOKEN, or, where TWIN[t] is a further token of the same bytes (and so on, to −1),
NO_TOKEN − 1 − t. There are at most m[TWINS] of the same bytes.
"""

from __future__ import annotations

from ..layout import (
    ACCEPTS,
    AT,
    AT_COMMA,
    BEGUN,
    BYTE,
    CLASSES,
    COUNT,
    DEAD,
    DEFERRED,
    DEPTHS,
    END,
    FIRST,
    INPUT,
    LEAVES,
    LEFT,
    MARKED,
    NARROW,
    NEED,
    NEXT,
    NO_TOKEN,
    PAUSED,
    PAUSED_COUNT,
    PAUSED_SIZE,
    QUEUE,
    RESULT,
    ROW,
    ROWS,
    SLOW,
    SPACE,
    SPELLED,
    SPELLING,
    STATES,
    TEXT,
    TOKEN,
    TWIN,
    TWINS,
    UNKNOWN,
)
from .states import first_time, known_step, meet, new_row, step, step_once, takes
from .views import Memory, classes_of, int64, lacks, numbers, octets, part, records, rows_of, shorts


@part
def several(m: Memory, t: int, n: int) -> int:
    """Append all the tokens that TOKEN's entry t stands for."""
    result, twin = shorts(m, RESULT), shorts(m, TWIN)
    t = t if t >= NO_TOKEN else NO_TOKEN - t - 1
    while t >= 0:
        result[n] = t
        n += 1
        t = int64(twin[t])
    return n


@part
def pause(m: Memory, front: int, size: int, n: int) -> int:
    m[PAUSED], m[PAUSED_SIZE], m[PAUSED_COUNT] = front + 1, size, n
    return NEED


@part
def below(m: Memory, root: int, state: int, n: int, sifted: int) -> int:
    """Append to the first n of RESULT the tokens that can be read below `root` from `state` on; their number.

    If `sifted`, only nodes are looked at that the slice has not dealt with. What lies below the node m[SPACE], half of
    all tokens, is left out: m[DEFERRED] then is the state to go on from there. After NEED, it goes on where it was.
    """
    states, rows, classes = records(m, STATES), rows_of(m, ROWS), classes_of(m, CLASSES)
    byte, first, token = octets(m, BYTE), shorts(m, FIRST), shorts(m, TOKEN)
    queue, result, left = numbers(m, QUEUE), shorts(m, RESULT), octets(m, LEFT)
    front, size, space = int64(0), int64(2), m[SPACE]
    if m[PAUSED]:
        front, size, n = m[PAUSED] - 1, m[PAUSED_SIZE], m[PAUSED_COUNT]
        m[PAUSED] = 0
    else:
        queue[0], queue[1] = root, state
    while front < size:
        node, state = queue[front], queue[front + 1]
        start, stop = int64(first[node]), int64(first[node + 1])
        if lacks(m, RESULT, n + m[TWINS] * (stop - start)):
            return pause(m, front, size, n)
        if lacks(m, QUEUE, size + 2 * (stop - start) + 2):
            return pause(m, front, size, n)
        if states[state, COUNT] == 0 or start == stop:
            front += 2
            continue
        once = stop - start <= NARROW and first_time(m, state)
        if not once and states[state, ROW] < 0 and new_row(m, state) == NEED:
            return pause(m, front, size, n)
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
                after = int64(rows[at, byte[child]])
            if after < 0:
                if after == DEAD:
                    continue
                if first[child] == first[child + 1]:  # nobody goes on from there: it need not be known what remains
                    if once and not takes(m, state, int64(byte[child])):
                        continue
                else:
                    after = step_once(m, state, int64(byte[child]))
                    if after < 0:
                        if after == NEED:
                            return pause(m, front, old_size, old_n)
                        continue
            # Half of the nodes are tokens and half have children, as good as at random: no branches, but overwriting.
            t = int64(token[child])
            result[n] = t
            n += t >= 0
            if t < NO_TOKEN:
                n = several(m, t, n)
            queue[size], queue[size + 1] = child, after
            size += 2 * ((first[child] < first[child + 1]) & (child != space))
            if child == space:
                m[DEFERRED] = after
        front += 2
    return n


@part
def advanced(m: Memory, state: int, token: int, active: int, sure: int) -> int:
    """The state after a token's text; it looks after one text that has to be remembered.

    active: whether such a text is being written. If one is after the token, the answer is TEXT − (state * BEGUN + n),
    where it began with the token's n-th byte, or before the token, if n is 0. SLOW, if there is more to do: texts
    within texts, or one that is waited for. sure: nothing is written, and it is UNKNOWN what the tables do not have.
    """
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    spelled, data, depths = shorts(m, SPELLED), octets(m, SPELLING), numbers(m, DEPTHS)
    begin, stop = int64(spelled[token]), int64(spelled[token + 1])
    begun, touched = int64(0), False
    if begin == stop:
        return DEAD
    for i in range(begin, stop):
        byte = int64(data[i])
        if active or states[state, ACCEPTS] & MARKED:
            marks, pending, found = int64(0), int64(0), False
            for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
                if classes[leaves[j] >> 32, byte]:
                    found = True
                    after = leaves[j] & 0xFFFFFFFF
                    if after != END:
                        marks, pending = max(marks, depths[after] & 0xFFFFFFFF), pending | depths[after] >> 32
            if not found:
                return int64(SLOW) if touched else int64(DEAD)
            if marks > 1 or (marks < active and pending):
                return int64(SLOW)
            if marks > active:
                begun = i - begin + 1
            active = marks
            touched = touched or pending > 0
        after = known_step(m, state, byte) if sure else step(m, state, byte)
        if after < 0:
            return int64(SLOW) if after == DEAD and touched else after
        state = after
    return TEXT - (state * BEGUN + begun) if active else state


@part
def run_on(m: Memory, state: int, depth: int, stop: int) -> int:
    """i << 32 | the state after the first i bytes of INPUT, or NEED. i is `stop`, or else where the first byte stands
    that may not come, or after which there are other than `depth` marks on the stack (`memory.py`)."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    data, depths = octets(m, INPUT), numbers(m, DEPTHS)
    for i in range(stop):
        byte, marks = int64(data[i]), int64(-1)
        for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
            if classes[leaves[j] >> 32, byte]:
                after = leaves[j] & 0xFFFFFFFF
                marks = max(marks, depths[after] & 0xFFFFFFFF if after != END else int64(0))
        if marks != depth:
            return int64(i) << 32 | state
        after = step(m, state, byte)
        if after == NEED:
            return NEED
        state = after
    return stop << 32 | state


@part
def forced(m: Memory, state: int) -> int:
    """The bytes with which every way on begins, into RESULT; how many (perhaps more than there is room for).

    After NEED, it goes on where it was: a long way may lack something at each byte."""
    states, leaves, classes, found = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES), shorts(m, RESULT)
    begin = int64(0)
    if m[PAUSED]:
        begin, state = m[PAUSED] - 1, m[PAUSED_SIZE]
        m[PAUSED] = 0
    for i in range(begin, m[RESULT + 2]):
        only, several = int64(-1), states[state, ACCEPTS] & 1 != 0
        for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
            wall = True  # a way on that no byte shows
            for byte in range(256):
                if classes[leaves[j] >> 32, byte]:
                    wall = False
                    several = several or (only >= 0 and only != byte)
                    only = int64(byte)
            several = several or wall
            if several:
                break
        if several or only < 0:
            return i
        after = step(m, state, only)
        if after == NEED:
            return pause(m, i, state, int64(0))
        found[i], state = only, after
    return m[RESULT + 2]


@part
def ends(m: Memory, state: int) -> int:
    """The entries of TOKEN that can be read from `state`, and the state after each, in turn, into RESULT."""
    byte, first, token = octets(m, BYTE), shorts(m, FIRST), shorts(m, TOKEN)
    queue, result, n = numbers(m, QUEUE), shorts(m, RESULT), int64(0)
    queue[0], queue[1] = 0, state
    front, size = 0, 2
    while front < size:
        node, state = queue[front], queue[front + 1]
        front += 2
        if lacks(m, QUEUE, size + 2 * (first[node + 1] - first[node])):
            return NEED
        for child in range(first[node], first[node + 1]):
            after = step(m, state, int64(byte[child]))
            if after == NEED:
                return NEED
            if after >= 0:
                t = int64(token[child])
                if t != NO_TOKEN:
                    if lacks(m, RESULT, n + 2):
                        return NEED
                    result[n], result[n + 1] = t, after
                    n += 2
                if first[child] < first[child + 1]:
                    queue[size], queue[size + 1] = child, after
                    size += 2
    return n


@part
def walls(m: Memory, state: int, root: int) -> int:
    """The nodes below `root` at which a walk from `state` comes to a wall (`memory.py`), into RESULT; how many.

    LEFT says where one may stand: AT_COMMA there, and not 0 on the way.
    """
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    first, byte, left = shorts(m, FIRST), octets(m, BYTE), octets(m, LEFT)
    queue, result, n = numbers(m, QUEUE), shorts(m, RESULT), int64(0)
    queue[0], queue[1] = root, state
    front, size = int64(0), int64(2)
    while front < size:
        node, state = queue[front], queue[front + 1]
        front += 2
        if lacks(m, QUEUE, size + 2 * (first[node + 1] - first[node])):
            return NEED
        for child in range(first[node], first[node + 1]):
            if left[child] == 0:
                continue
            after = step(m, state, int64(byte[child]))
            if after == NEED:
                return NEED
            if after < 0:
                continue
            if left[child] & AT_COMMA and states[after, ACCEPTS] & MARKED:
                for j in range(states[after, AT], states[after, AT] + states[after, COUNT]):
                    if not meet(classes[leaves[j] >> 32], classes[leaves[j] >> 32]):
                        if lacks(m, RESULT, n + 1):
                            return NEED
                        result[n] = child
                        n += 1
                        break
            queue[size], queue[size + 1] = child, after
            size += 2
    return n
