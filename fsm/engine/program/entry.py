"""The ways in, by the address of a memory: `serve` does one thing with its automaton; `advance` does the commonest."""

from __future__ import annotations

from ..layout import (
    ACCEPTING,
    ACCEPTS,
    AUTOMATON_STATE,
    CLOSED,
    DEAD,
    DEFERRED,
    DIFFER,
    DONE,
    END,
    ENDS,
    FORCED,
    FREE,
    INPUT,
    JOIN,
    LACKS,
    MEMORY,
    NEARLY,
    NEED,
    NO_STATE,
    NOTHING,
    PARTED,
    PAUSED,
    PUSH,
    READ,
    REPEATS,
    RUN_ON,
    SLICED,
    SLOW,
    SPACE,
    SPACED,
    SPELLED,
    START,
    STATES,
    SURVEY,
    TAG_BITS,
    TEXTS,
    UNKNOWN,
    UNSETTLED,
    WALK,
    WALK_ALL,
    WALK_LEFT,
    WALLS,
)
from .classes import closed, loop_of, near_state, parted, sliced, survey
from .differences import differ
from .states import join, read, rehash, state_of
from .terms import push
from .tokens import advanced, below, ends, forced, pause, run_on, walls
from .views import Memory, int64, int64s_at, octets, part, records


@part
def serve(address: int, request: int, x: int, y: int) -> int:
    """Do one thing with the automaton whose memory lies at this address. The answer: value << TAG_BITS | tag.

    LACKS: do what memory[LACKING] says, and ask again. NO_STATE: x is none. DONE: the value is

        START node           the state before its first byte
        PUSH node, term      the term of both
        JOIN n               the state of the first n terms of AFTERS
        READ state, n        the state after the first n bytes of INPUT
        RUN_ON state, d|n    what `tokens.run_on` says of these bytes and d marks, given as d << 32 | n
        WALK state, root     2 n + (1 if the state accepts): n tokens can be read below `root`; or one of the tags below
        WALK_ALL, WALK_LEFT, SLICED, CLOSED, SURVEY, ENDS, DIFFER, WALLS, FORCED: how many results there are

    NOTHING, where there is no such state, or no short answer. WALK may also say, so that less has to be walked: SPACED,
    the value being n, and memory[DEFERRED] the state from which the tokens below SPACE are to be read; REPEATS, what
    `classes.loop_of` says: a slice may be quicker; PARTED, what `classes.parted` says; NEARLY, a state after which
    nearly the same may follow, and which repeats a charset.
    """
    m = int64s_at(address, MEMORY)
    if request >= READ and (x < 0 or x >= m[STATES + 1]):
        return NO_STATE
    if m[PAUSED] == 0:
        m[DEFERRED] = DEAD
    if request == WALK:
        return walk(m, x, y)
    if request >= WALK_ALL:
        return answer(results(m, request, x, y))
    return answer(made(m, request, x, y))


@part
def advance(address: int, state: int, token: int, sure: int) -> int:
    """What `tokens.advanced` says; NEED, as LACKS above. UNKNOWN, too, where there is no such state, or more to do.

    state: as a guide numbers it: that of the automaton | whether several texts are being written << 32 | their number
    << 33. sure: nothing is written, so the lock need not be held.
    """
    m, texts, here = int64s_at(address, MEMORY), state >> 32, state & AUTOMATON_STATE
    if texts & 1 or not 0 <= texts >> 1 <= m[TEXTS] or here >= m[STATES + 1] or not 0 <= token < m[SPELLED + 2] - 1:
        return UNKNOWN
    if m[UNSETTLED] and not sure:
        return NEED
    after = advanced(m, here, token, int64(texts != 0), sure)
    return int64(UNKNOWN) if after == SLOW else after


@part
def answer(value: int) -> int:
    """The answer of a part that gives a number, DEAD or NEED."""
    if value >= 0:
        return value << TAG_BITS | DONE
    return LACKS if value == NEED else NOTHING


@part
def made(m: Memory, request: int, x: int, y: int) -> int:
    """Requests that make terms and states."""
    if request == START:
        return state_of(m, push(m, x, int64(END)))
    if request == PUSH:
        return push(m, x, y)
    if request == JOIN:
        return join(m, x)
    if request == READ:
        return read(m, x, octets(m, INPUT), int64(0), y)
    if request == FORCED:
        return forced(m, x)
    if request == RUN_ON:
        return run_on(m, x, y >> 32, y & 0xFFFFFFFF)
    rehash(m, x)
    return int64(0)


@part
def results(m: Memory, request: int, x: int, y: int) -> int:
    """Requests that write results."""
    if request == WALK_ALL:
        return below(m, y, x, int64(0), int64(0))
    if request == WALK_LEFT:
        return below(m, y, x, int64(0), int64(1))
    if request == SLICED:
        return sliced(m, x)
    if request == DIFFER:
        return differ(m, x, y)
    if request == CLOSED:
        return closed(m, x)
    if request == SURVEY:
        return survey(m, x, y)
    if request == WALLS:
        return walls(m, x, y)
    return ends(m, x) if request == ENDS else int64(DEAD)


@part
def walk(m: Memory, state: int, root: int) -> int:
    """The answer to WALK."""
    loop = loop_of(m, state)
    if loop == NEED:
        return LACKS
    if loop >= 0 and loop & 7 != FREE:
        return loop << TAG_BITS | REPEATS
    if loop >= 0 and root == 0 and m[PAUSED] == 0:
        parts = parted(m, state)
        if parts == NEED:
            return LACKS
        if parts >= 0:
            return parts << TAG_BITS | PARTED
    if root == 0 and m[PAUSED] == 0 and m[SPACE] >= 0:
        other = near_state(m, state)
        if other == NEED:
            return LACKS
        if other >= 0:
            return other << TAG_BITS | NEARLY
    n = below(m, root, state, int64(0), int64(0))
    if n != NEED and m[DEFERRED] >= 0:
        loop = loop_of(m, m[DEFERRED])
        if loop == NEED:
            return answer(pause(m, int64(0), int64(0), n))
        if loop >= 0:
            return n << TAG_BITS | SPACED
        space, m[DEFERRED] = m[DEFERRED], DEAD
        n = below(m, m[SPACE], space, n, int64(0))
    if n == NEED:
        return LACKS
    return (2 * n + (records(m, STATES)[state, ACCEPTS] & ACCEPTING)) << TAG_BITS | DONE
