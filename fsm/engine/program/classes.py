"""States that repeat a class of characters: what a slice of the vocabulary says of them (`slices.py`)."""

from __future__ import annotations

from ..layout import (
    ACCEPTING,
    ACCEPTS,
    ALIKE,
    AT,
    BACKSLASH,
    BEGINS,
    BYTE,
    CHAIN,
    CHAINED,
    CHARS,
    CLASSES,
    COUNT,
    DEAD,
    DEAR,
    DEEPEST,
    DEFERRED,
    END,
    ENDLESS,
    ESCAPES,
    EXCLUDED,
    EXIT_CHARS,
    EXIT_NODE,
    EXITS,
    FEW,
    FIRST,
    FOLDED,
    FREE,
    GLANCE,
    HEAP,
    INPUT,
    KIND,
    LEAVES,
    LEAVING,
    LONGEST,
    LOOP,
    MID,
    NEED,
    NO_LIMIT,
    NO_TOKEN,
    NODE,
    NODES,
    NOTHING_REPEATED,
    OTHERS,
    OUT,
    PARENT,
    PART,
    PAUSED,
    QUEUE,
    REACH,
    REPEAT,
    REST,
    RESULT,
    ROOT,
    SPACE,
    STATES,
    TERM,
    TERMS,
    TOKEN,
    TOKENS,
    TWINS,
    UNKNOWN,
    WIDE,
    A,
    B,
    C,
    D,
)
from .leaves import charset_of, is_split, open_term, unsplit
from .states import meet, read, state_of, state_of_leaves, step, step_once
from .terms import after_one_round, edges_of, push
from .tokens import below, several
from .views import Array, Memory, classes_of, int64, lacks, numbers, octets, part, records, shorts, uint8


@part
def loop_of(m: Memory, state: int) -> int:
    """8 c + how, if `state` repeats the charset c, which is of more than m[FEW] characters; or −1.

    how & ENDLESS: any number of its characters may come next. Every character leads to the CHAIN of this state, one and
    the same, unless how is FREE | ENDLESS. how & OTHERS: there are strings that come next in another way. None of them
    begins with a byte that begins such a character; if how & FREE, some begin with characters of one byte that are of
    the charset. how == FREE: some begin with longer ones of it, see `parted`.
    """
    states = records(m, STATES)
    if states[state, LOOP] != UNKNOWN:
        return states[state, LOOP]
    nodes, term, chain = records(m, NODES), term_of(m, state), int64(-1)
    node = records(m, TERMS)[term, NODE] if term >= 0 else int64(END)
    loop = int64(-1)
    if nodes[node, KIND] == FOLDED and nodes[node, B] and nodes[node, C] >= m[DEEPEST] and states[state, TERM] >= 0:
        loop = 8 * (nodes[node, B] - 1) + ENDLESS + FREE
    else:
        one, after = round_of(m, state)
        chain = state_of(m, after) if after >= 0 else after
        count = others(m, state, one, after) if chain >= 0 else chain
        if count == NEED:
            return NEED
        if count >= 0:
            loop = int64(ENDLESS if nodes[node, KIND] == REPEAT and nodes[node, C] == NO_LIMIT else 0)
            classes, out, begins = classes_of(m, CLASSES), numbers(m, OUT), octets(m, ALIKE)
            for j in range(count):
                of = classes[out[j] >> 32]
                if meet_longer(begins, of, nodes[one, CHARS] & 1):
                    loop = FREE | loop & ENDLESS
                    break
                loop |= FREE | OTHERS if meet(begins, of) else OTHERS
            loop += 8 * nodes[one, CHARS]
    states[state, LOOP], states[state, CHAINED] = loop, chain
    return loop


@part
def term_of(m: Memory, state: int) -> int:
    """The term that a state repeats a charset by, or (of a PART) the one after that; or −1."""
    term = records(m, STATES)[state, TERM]
    if term != PART:
        return term
    leaf = widest_leaf(m, state)
    after = leaf & 0xFFFFFFFF if leaf >= 0 else int64(END)
    kind = records(m, NODES)[records(m, TERMS)[after, NODE], KIND]
    return after if after != END and kind in (REPEAT, FOLDED) else int64(-1)


@part
def round_of(m: Memory, state: int) -> tuple[int, int]:
    """The charset that a state repeats, and the term after one of its characters: −1 if it repeats none, or NEED."""
    nodes, terms, term = records(m, NODES), records(m, TERMS), term_of(m, state)
    node = terms[term, NODE] if term >= 0 else int64(END)
    one, less = int64(-1), int64(-1)
    if nodes[node, KIND] == REPEAT:
        one, less = charset_of(m, nodes[node, A]), after_one_round(m, node)
    elif nodes[node, KIND] == FOLDED and nodes[node, B]:
        at = edges_of(m, node)
        if at == NEED:
            return one, NEED
        one, less = charset_of(m, numbers(m, HEAP)[at + 1]), numbers(m, HEAP)[at + 2]
    if one < 0 or less == NEED or nodes[one, D] <= m[FEW]:
        return one, less if less == NEED else int64(-1)
    return one, term if records(m, STATES)[state, TERM] == PART else push(m, less, terms[term, REST])


@part
def others(m: Memory, state: int, one: int, after: int) -> int:
    """Into OUT, the leaves of a state but those of its charset; how many; DEAD, if it has not all of the latter.

    Into ALIKE, the bytes that begin a character.
    """
    states, terms, inside = records(m, STATES), records(m, TERMS), push(m, one, after)
    if inside == NEED or open_term(m, inside) == NEED or lacks(m, OUT, states[state, COUNT]):
        return NEED
    leaves, classes, out, begins = numbers(m, LEAVES), classes_of(m, CLASSES), numbers(m, OUT), octets(m, ALIKE)
    i, stop, n = terms[inside, AT], terms[inside, AT] + terms[inside, COUNT], int64(0)
    if stop == i + 1 and is_split(m, leaves[i] & 0xFFFFFFFF) and not has_leaf(m, state, leaves[i]):
        begun = state_of(m, inside)  # where the leaf was alone, there are those that it stands for
        if begun == NEED:
            return NEED
        i, stop = states[begun, AT], states[begun, AT] + states[begun, COUNT]
    begins[:256] = 0
    for j in range(i, stop):
        of = classes[leaves[j] >> 32]
        for b in range(256):
            begins[b] |= of[b]
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):  # sorted runs, both
        if i < stop and leaves[i] == leaves[j]:
            i += 1
        else:
            out[n] = leaves[j]
            n += 1
    return n if i == stop else int64(DEAD)


@part
def aside(m: Memory, state: int) -> int:
    """The state of the `others` of a state that repeats a charset; or NEED."""
    one, after = round_of(m, state)
    n = others(m, state, one, after) if after != NEED else NEED
    out = numbers(m, OUT)
    if n == 1 and is_split(m, out[0] & 0xFFFFFFFF):
        n = unsplit(m, out[0])
    accepting = records(m, STATES)[state, ACCEPTS] & ACCEPTING
    return NEED if n == NEED else state_of_leaves(m, int64(OUT), int64(0), n, accepting)


@part
def parted(m: Memory, state: int) -> int:
    """Two states that together allow what a state does of which `how` is FREE: of what begins with a character of the
    charset and goes on in the CHAIN, and of all else. one << 32 | the other; or −1, if that would be no help.
    """
    states, other = records(m, STATES), aside(m, state)
    one, after = round_of(m, state)
    alone = NEED if other == NEED or after == NEED else state_of(m, push(m, one, after))
    if alone == NEED:
        return NEED
    for half in (alone, other):
        if states[half, TERM] == NOTHING_REPEATED:
            states[half, TERM], states[half, LOOP] = PART, UNKNOWN
    for further in (alone, other, states[state, CHAINED]):
        loop = loop_of(m, further)
        if loop == NEED:
            return NEED
        if (loop < 0 or (loop & 7 == FREE and further != other)) and widest_leaf(m, further) >= 0:
            return int64(-1)
    return alone << 32 | other if other != state else int64(-1)


@part
def meet_longer(a: Array, b: Array, escaped: int) -> bool:
    """Whether two sets of bytes have one in common that may begin a character of several bytes."""
    common = a[BACKSLASH] & b[BACKSLASH] & uint8(escaped != 0)
    for i in range(128, 256):
        common |= a[i] & b[i]
    return common != 0


@part
def has_leaf(m: Memory, state: int, leaf: int) -> bool:
    states, leaves, found = records(m, STATES), numbers(m, LEAVES), False
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        found = found or leaves[j] == leaf
    return found


@part
def after_path(m: Memory, state: int, node: int) -> int:
    """The state after what leads from the node m[ROOT] to another node, DEAD, or NEED."""
    byte, parent, path = octets(m, BYTE), shorts(m, PARENT), octets(m, INPUT)
    start = m[INPUT + 2]
    while node > m[ROOT]:
        start -= 1
        path[start] = byte[node]
        node = int64(parent[node])
    return read(m, state, path, start, m[INPUT + 2])


@part
def sliced(m: Memory, state: int) -> int:
    """Write the tokens that a state which repeats a charset allows beside those of only such characters into RESULT.

    Gives how many; DEAD if the slice cannot tell, NEED if memory has to grow first.
    m[REACH] then says how many characters of the slice's class may follow, m[LONGEST] at most; tokens that are such
    characters only are allowed up to that length. The others leave the class at some byte: the slice knows at which
    nodes. (Its class is the charset, or all of it but some ASCII; it is about what lies below the node m[ROOT].)
    """
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    chain, leaving, begins = numbers(m, CHAIN), octets(m, LEAVING), octets(m, BEGINS)
    exits, exit_node, exit_chars = shorts(m, EXITS), shorts(m, EXIT_NODE), shorts(m, EXIT_CHARS)
    first, token, byte = shorts(m, FIRST), shorts(m, TOKEN), octets(m, BYTE)
    excluded, parent = octets(m, EXCLUDED), shorts(m, PARENT)
    charset, longest = loop_of(m, state), m[LONGEST]
    chain[0], reach = state, int64(0)
    while True:
        loop = loop_of(m, chain[reach])
        if loop == NEED:
            return NEED
        goes_on = loop >> 3 == charset >> 3 and (loop & FREE == 0 or loop & OTHERS != 0)
        if reach == longest or not goes_on:
            break
        chain[reach + 1] = states[chain[reach], CHAINED]
        reach += 1
    m[REACH] = reach
    leaving[:256] = 0
    for j in range(reach + 1):
        last = j == reach and not goes_on
        if j > 0 and not last and (chain[j] == chain[j - 1] or states[chain[j], LOOP] & OTHERS == 0):
            continue  # (what leaves the slice's class, but not the charset, does so from the first state, too)
        other = aside(m, chain[j]) if not last and states[chain[j], LOOP] & FREE else chain[j]
        if other == NEED:
            return NEED
        for k in range(states[chain[j], AT], states[chain[j], AT] + states[chain[j], COUNT]):
            of = classes[leaves[k] >> 32]
            if last and meet_longer(begins, of, charset >> 3 & 1):
                return DEAD  # it goes on in another way with what may be the same characters
            for b in range(256):
                leaving[b] |= of[b] & uint8(begins[b] == 0 or last)
        for k in range(states[other, AT], states[other, AT] + states[other, COUNT] * (other != chain[j])):
            of = classes[leaves[k] >> 32]
            for b in range(256):
                leaving[b] |= of[b]
    weight = int64(0)
    for b in range(256):
        weight += int64(exits[b + 1] - exits[b]) if leaving[b] and begins[b] else int64(0)
    if DEAR * weight > exits[256]:
        return DEAD
    n = int64(0)
    for b in range(256):
        if leaving[b] == 0:
            continue
        asked, left = int64(-1), int64(DEAD)
        for k in range(exits[b], exits[b + 1]):
            if exit_chars[k] > reach:
                break
            node = int64(parent[exit_node[k]]) if m[EXCLUDED + 1] else m[ROOT]
            while node > m[ROOT] and excluded[byte[node]] == 0:
                node = int64(parent[node])
            if node > m[ROOT]:
                if m[ESCAPES] == 0:
                    continue  # it left earlier
                after = after_path(m, state, int64(exit_node[k]))  # or this byte is a part of an escape
            else:
                if chain[exit_chars[k]] != asked:  # of them, most are the same
                    asked = chain[exit_chars[k]]
                    other = asked
                    if begins[b] and (exit_chars[k] < reach or goes_on):
                        other = aside(m, asked)
                    left = NEED if other == NEED else step_once(m, other, int64(b))
                after = left
            if after == NEED:
                return NEED
            if after < 0:
                continue
            node = int64(exit_node[k])
            if lacks(m, RESULT, n + m[TWINS] + 1):
                return NEED
            n = several(m, int64(token[node]), n)
            if node == m[SPACE]:
                m[DEFERRED] = after
            elif first[node] < first[node + 1]:
                n = below(m, node, after, n, int64(0))
                if n == NEED:
                    m[PAUSED] = 0
                    return NEED
    return n


@part
def closed(m: Memory, state: int) -> int:
    """1 if, whatever characters of the slice's class (ASCII only) come next, nothing else can follow any of them.

    0 if something can, or if that takes more than a glance to find out.
    """
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    begins, met = octets(m, BEGINS), numbers(m, CHAIN)
    met[0] = state
    count, i = 1, 0
    while i < count:
        state = met[i]
        i += 1
        for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
            of = classes[leaves[j] >> 32]
            for b in range(256):
                if of[b] > begins[b]:
                    return int64(0)
        for b in range(128):
            if begins[b] == 0:
                continue
            after = step(m, state, int64(b))
            if after == NEED:
                return NEED
            new = after >= 0
            for j in range(count):
                new = new and met[j] != after
            if new:
                if count == GLANCE:
                    return int64(0)
                met[count] = after
                count += 1
    return int64(1)


@part
def near_state(m: Memory, state: int) -> int:
    """The state that its widest leaf leads to, if that is wide and the state repeats a charset without end; or −1.

    (Any string but some: what begins none of those goes on in such a state.)
    """
    best = widest_leaf(m, state)
    if best < 0:
        return int64(-1)
    after = state_of(m, best & 0xFFFFFFFF)
    loop = NEED if after == NEED else loop_of(m, after)
    if loop == NEED:
        return NEED
    return after if loop >= 0 and loop & ENDLESS and after != state else int64(-1)


@part
def widest_leaf(m: Memory, state: int) -> int:
    """The leaf of the most bytes, if these are many; or −1."""
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    widest, best = int64(WIDE - 1), int64(-1)
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        of, width = classes[leaves[j] >> 32], int64(0)
        for b in range(256):
            width += of[b]
        if width > widest and not is_split(m, leaves[j] & 0xFFFFFFFF):
            widest, best = width, leaves[j]
    return best


@part
def survey(m: Memory, state: int, root: int) -> int:
    """What a slice has to know of what lies below `root`. `state` is before any number of characters; and after each.

    (TOKENS, token entry, n) for what is n characters, the last of which may be cut; (byte, node, n) where a byte that
    does not begin one, or is one by itself, follows n characters; (MID, node, n) where a byte does not go on with one.
    Into RESULT.
    """
    byte, first, token = octets(m, BYTE), shorts(m, FIRST), shorts(m, TOKEN)
    queue, result, n, home = numbers(m, QUEUE), shorts(m, RESULT), int64(0), state
    queue[0], queue[1] = root, state  # (node, 65536 × characters + state)
    front, size = int64(0), int64(2)
    while front < size:
        node, state, chars = queue[front], queue[front + 1] & 65535, queue[front + 1] >> 16
        front += 2
        fan = int64(first[node + 1] - first[node])
        if lacks(m, QUEUE, size + 2 * fan) or lacks(m, RESULT, n + 6 * fan):
            return NEED
        for child in range(first[node], first[node + 1]):
            after = step(m, state, int64(byte[child]))
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
