"""States: sets of leaves, and the steps between them.

A state is numbered when it is first met; equal sets are found in the hash table STATE_SLOTS. Its next states are found
when somebody asks, all bytes that behave alike at once. A state of one leaf needs no row: its class says which bytes
lead on, all to one next state.
"""

from __future__ import annotations

from ..layout import (
    ACCEPTS,
    AFTERS,
    ALIKE,
    AT,
    CHAINED,
    CLASSES,
    COUNT,
    DEAD,
    DEPTHS,
    END,
    LEAVES,
    LOOP,
    MARKED,
    NAME_GOES_ON,
    NAMES,
    NEAR,
    NEED,
    NEXT,
    NODE,
    NOTHING_REPEATED,
    OUT,
    PENDING,
    QUOTED,
    REPEATED,
    REST,
    ROW,
    ROWS,
    SEEN,
    SLOTS,
    STATE,
    STATE_SLOTS,
    STATES,
    TERM,
    TERMS,
    TEXT_GOES_ON,
    UNKNOWN,
    UNSEEN,
)
from .leaves import after_leaf, is_split, open_term, sorted_once, unsplit, width_of
from .terms import hash_term, scramble, slot_of
from .views import (
    Array,
    Memory,
    classes_of,
    int32,
    int64,
    lacks,
    numbers,
    octets,
    part,
    records,
    rows_of,
    shorts,
    uint8,
    uint64,
)


@part
def meet(a: Array, b: Array) -> bool:
    """Whether two sets of bytes have one in common."""
    common = uint8(0)
    for i in range(256):
        common |= a[i] & b[i]
    return common != 0


@part
def hash_leaves(keys: Array, at: int, count: int, accepting: int) -> int:
    h = uint64(2 * count + accepting)
    for i in range(count):
        h = scramble(h ^ uint64(keys[at + i]))
    return h


@part
def near_leaves(keys: Array, at: int, count: int, h: int) -> int:
    """Where a state of these leaves belongs: by the term after the first."""
    return (keys[at] & 0xFFFFFFFF if count else int64(0)) + int64(h & uint64(NEAR - 1))


@part
def state_of_leaves(m: Memory, table: int, at: int, count: int, accepting: int) -> int:
    """The state of the leaves at `keys[at : at + count]`. `table` is LEAVES, where they then stay, or OUT."""
    states, slots, leaves = records(m, STATES), shorts(m, STATE_SLOTS), numbers(m, LEAVES)
    keys, i, room = numbers(m, table), int64(0), m[STATE_SLOTS + 2]
    h = hash_leaves(keys, at, count, accepting)
    near = near_leaves(keys, at, count, h)
    slot = slot_of(near, h, i, room)
    while slots[slot] != 0:
        state = int64(slots[slot]) - 1
        if states[state, COUNT] == count and states[state, ACCEPTS] & 1 == accepting:
            same, other = True, states[state, AT]
            for j in range(count):
                if leaves[other + j] != keys[at + j]:
                    same = False
                    break
            if same:
                return state
        i += 1
        slot = slot_of(near, h, i, room)
    if lacks(m, STATES, 1) or lacks(m, LEAVES, count):
        return NEED
    start = at
    if table != LEAVES:
        start = m[LEAVES + 1]
        for j in range(count):
            leaves[start + j] = keys[at + j]
        m[LEAVES + 1] = start + count
    state = m[STATES + 1]
    marked, depths = int64(0), numbers(m, DEPTHS)
    for j in range(count):
        after = leaves[start + j] & 0xFFFFFFFF
        if after != END and depths[after] != 0:
            marked = int64(MARKED)
    states[state, AT], states[state, COUNT], states[state, ACCEPTS] = start, count, accepting | marked
    states[state, ROW] = leaves[start] >> 32 if count == 1 else UNSEEN  # the class of the one leaf; or the row
    states[state, NEXT] = DEAD if count == 0 else UNKNOWN
    states[state, TERM] = states[state, CHAINED] = -1
    states[state, LOOP] = UNKNOWN
    slots[slot] = state + 1
    m[STATES + 1] = state + 1
    return state


@part
def free_slot(slots: Array, near: int, h: int, room: int) -> int:
    i = int64(0)
    while slots[slot_of(near, h, i, room)] != 0:
        i += 1
    return slot_of(near, h, i, room)


@part
def rehash(m: Memory, owner: int) -> None:
    """Fill the slots of TERMS or STATES anew, after the table has grown. 0 is an empty slot."""
    if owner == TERMS:
        terms, slots = records(m, TERMS), shorts(m, SLOTS)
        slots[:] = 0
        for term in range(1, m[TERMS + 1]):  # (term 0 has none)
            h = hash_term(terms[term, NODE], terms[term, REST])
            near = 2 * terms[term, REST] + int64(h & uint64(NEAR - 1))
            slots[free_slot(slots, near, h, m[SLOTS + 2])] = term
        return
    states, slots, leaves = records(m, STATES), shorts(m, STATE_SLOTS), numbers(m, LEAVES)
    slots[:] = 0
    for state in range(m[STATES + 1]):
        at, count = states[state, AT], states[state, COUNT]
        h = hash_leaves(leaves, at, count, states[state, ACCEPTS] & 1)
        slots[free_slot(slots, near_leaves(leaves, at, count, h), h, m[STATE_SLOTS + 2])] = state + 1


@part
def state_of(m: Memory, term: int) -> int:
    """The state in which exactly one term remains to be matched."""
    if term == NEED or open_term(m, term) == NEED:
        return NEED
    terms = records(m, TERMS)
    if terms[term, STATE] < 0:
        accepts, at, count = terms[term, ACCEPTS], terms[term, AT], terms[term, COUNT]
        if count == 1 and is_split(m, numbers(m, LEAVES)[at] & 0xFFFFFFFF):
            count = unsplit(m, numbers(m, LEAVES)[at])
            state = NEED if count == NEED else state_of_leaves(m, int64(OUT), int64(0), count, accepts & 1)
        else:
            state = state_of_leaves(m, int64(LEAVES), at, count, accepts & 1)
        if state == NEED:
            return NEED
        terms[term, STATE] = state
        records(m, STATES)[state, ACCEPTS] |= accepts & (QUOTED | TEXT_GOES_ON | NAME_GOES_ON)
        if records(m, STATES)[state, TERM] == NOTHING_REPEATED:
            records(m, STATES)[state, TERM] = terms[term, REPEATED]
    return terms[term, STATE]


@part
def join(m: Memory, found: int) -> int:
    """The state in which one of the first `found` terms of AFTERS remains to be matched."""
    terms, afters, leaves, out = records(m, TERMS), numbers(m, AFTERS), numbers(m, LEAVES), numbers(m, OUT)
    if found == 1:
        return state_of(m, afters[0])
    total, nullable, some, quoted = int64(0), int64(0), int64(0), int64(1)
    for i in range(found):
        if open_term(m, afters[i]) == NEED:
            return NEED
        total += terms[afters[i], COUNT]
        accepts = terms[afters[i], ACCEPTS]
        nullable |= accepts & 1
        some |= accepts & QUOTED
        quoted &= int64(accepts & (QUOTED | NAMES) != 0)
    if lacks(m, OUT, total):
        return NEED
    total = 0
    for i in range(found):
        first = terms[afters[i], AT]
        for j in range(first, first + terms[afters[i], COUNT]):
            out[total] = leaves[j]
            total += 1
    total = sorted_once(out, total)
    if total == 1 and is_split(m, out[0] & 0xFFFFFFFF):
        total = unsplit(m, out[0])
        if total == NEED:
            return NEED
    target = state_of_leaves(m, int64(OUT), int64(0), total, nullable)
    if target != NEED and some and quoted:
        records(m, STATES)[target, ACCEPTS] |= QUOTED
    if target != NEED and records(m, STATES)[target, TERM] == NOTHING_REPEATED:
        widest = int64(0)
        for i in range(found):
            term = terms[afters[i], REPEATED]
            if term >= 0 and width_of(m, terms[term, NODE]) > widest:
                widest = width_of(m, terms[term, NODE])
                records(m, STATES)[target, TERM] = term
    return target


@part
def new_row(m: Memory, state: int) -> int:
    """Give a state a row: PENDING − i for the bytes of which leaf i alone can be read, UNKNOWN for those of several."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    if lacks(m, ROWS, 1):
        return NEED
    row, several = rows_of(m, ROWS)[m[ROWS + 1]], octets(m, ALIKE)
    row[:] = DEAD
    several[:256] = 0
    at = states[state, AT]
    for i in range(states[state, COUNT]):
        of, pending = classes[leaves[at + i] >> 32], int32(PENDING - i)
        for b in range(256):
            several[b] |= of[b] & uint8(row[b] != DEAD)
            row[b] = pending if of[b] else row[b]
    for b in range(256):
        row[b] = UNKNOWN if several[b] else row[b]
    states[state, ROW] = m[ROWS + 1]
    m[ROWS + 1] += 1
    return 0


@part
def target_of(m: Memory, state: int, byte: int, row: Array) -> int:
    """Find the next state, and write it down for all the bytes that no leaf tells from this one."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    code = row[byte]
    if code <= PENDING:
        leaf = leaves[states[state, AT] + PENDING - code]
        after = after_leaf(m, leaf, byte)
        target = NEED if after == NEED else state_of(m, after)
        if target == NEED:
            return NEED
        if after != leaf & 0xFFFFFFFF:
            row[byte] = target
        else:
            for b in range(256):
                row[b] = target if row[b] == code else row[b]
        return target
    afters, alike = numbers(m, AFTERS), octets(m, ALIKE)
    at, count = states[state, AT], states[state, COUNT]
    if lacks(m, AFTERS, count):
        return NEED
    for b in range(256):
        alike[b] = 1
    found = 0
    for i in range(at, at + count):
        of = classes[leaves[i] >> 32]
        if of[byte]:
            after = after_leaf(m, leaves[i], byte)
            if after == NEED:
                return NEED
            for b in range(256):
                alike[b] &= of[b] & (uint8(after == leaves[i] & 0xFFFFFFFF) | uint8(b == byte))
            afters[found] = after
            found += 1
        else:
            for b in range(256):
                alike[b] &= of[b] ^ 1
    target = join(m, int64(found)) if found > 0 else int64(DEAD)
    if target != NEED:
        for b in range(256):
            if alike[b]:
                row[b] = target
    return target


@part
def only_next(m: Memory, state: int) -> int:
    """The state after whatever byte may follow a state of one leaf, or NEED."""
    states = records(m, STATES)
    if states[state, NEXT] == UNKNOWN:
        after = state_of(m, numbers(m, LEAVES)[states[state, AT]] & 0xFFFFFFFF)
        if after == NEED:
            return NEED
        states[state, NEXT] = after
    return states[state, NEXT]


@part
def known_step(m: Memory, state: int, byte: int) -> int:
    """What `step` says, if it was made before; else UNKNOWN."""
    states = records(m, STATES)
    count, row = states[state, COUNT], states[state, ROW]
    if count == 1:
        return states[state, NEXT] if classes_of(m, CLASSES)[row, byte] else int64(DEAD)
    after = int64(UNKNOWN) if row < 0 else int64(rows_of(m, ROWS)[row, byte])
    return int64(DEAD) if count == 0 else max(after, int64(UNKNOWN))


@part
def step(m: Memory, state: int, byte: int) -> int:
    """The state after one byte, DEAD, or NEED."""
    states, after = records(m, STATES), known_step(m, state, byte)
    if after != UNKNOWN:
        return after
    if states[state, COUNT] == 1:
        return only_next(m, state)
    if states[state, ROW] < 0 and new_row(m, state) == NEED:
        return NEED
    row = rows_of(m, ROWS)[states[state, ROW]]
    return target_of(m, state, byte, row) if row[byte] < DEAD else int64(row[byte])


@part
def first_time(m: Memory, state: int) -> bool:
    """Whether a state without a row has not been asked about; then `step_once` may do."""
    states = records(m, STATES)
    if states[state, ROW] != UNSEEN:
        return False
    states[state, ROW] = SEEN
    return True


@part
def takes(m: Memory, state: int, byte: int) -> bool:
    """Whether a byte can be read from a state: what remains after it, whatever that is, is not empty."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    found = False
    for i in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        found = found or classes[leaves[i] >> 32, byte] != 0
    return found


@part
def step_once(m: Memory, state: int, byte: int) -> int:
    """`step`; but where there is no row yet, none is made, for a byte or two."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    at, count = states[state, AT], states[state, COUNT]
    if count < 2 or states[state, ROW] >= 0:
        return step(m, state, byte)
    if lacks(m, AFTERS, count):
        return NEED
    afters, found = numbers(m, AFTERS), int64(0)
    for i in range(at, at + count):
        if classes[leaves[i] >> 32, byte]:
            afters[found] = after_leaf(m, leaves[i], byte)
            if afters[found] == NEED:
                return NEED
            found += 1
    return join(m, found) if found > 0 else DEAD


@part
def read(m: Memory, state: int, data: Array, begin: int, stop: int) -> int:
    """The state after data[begin : stop], DEAD, or NEED."""
    for i in range(begin, stop):
        state = step(m, state, int64(data[i]))
        if state < 0:
            break
    return state
