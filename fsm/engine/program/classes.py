"""States that repeat a class of characters: what a slice of the vocabulary says of them (`slices.py`)."""

from __future__ import annotations

from ..layout import (
    AT,
    BEGINS,
    BYTE,
    CHAIN,
    CHAINED,
    CHARS,
    CLASSES,
    COUNT,
    DEAD,
    DEFERRED,
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
    OTHERS,
    PARENT,
    PAUSED,
    QUEUE,
    REACH,
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
    B,
    C,
    D,
)
from .leaves import charset_of, is_split, open_term, width_of
from .states import meet, read, state_of, step, step_once
from .terms import after_one_round, push
from .tokens import below, several
from .views import Memory, classes_of, int64, lacks, numbers, octets, part, records, shorts


@part
def loop_of(m: Memory, state: int) -> int:
    """8 c + how, if `state` repeats the charset c, which is of more than m[FEW] characters; or −1.

    how & ENDLESS: any number of its characters may come next. Unless how & FREE, every character leads to one and the
    same state, the CHAIN of this one, and no other string that may come next begins with a byte that begins such a
    character; how & OTHERS: there are such strings.
    """
    states, nodes = records(m, STATES), records(m, NODES)
    if states[state, LOOP] != UNKNOWN:
        return states[state, LOOP]
    loop, chain = int64(-1), int64(-1)
    if states[state, TERM] >= 0:
        terms, leaves, classes = records(m, TERMS), numbers(m, LEAVES), classes_of(m, CLASSES)
        node, rest = terms[states[state, TERM], NODE], terms[states[state, TERM], REST]
        one = int64(-1)
        if nodes[node, KIND] == FOLDED:
            if width_of(m, node) > 0:
                loop = 8 * (nodes[node, B] - 1) + ENDLESS + FREE
        else:
            one = charset_of(m, node)
        if one >= 0 and nodes[one, D] <= m[FEW]:
            one = int64(-1)
        if one >= 0:
            less = after_one_round(m, node)
            after = NEED if less == NEED else push(m, less, rest)
            inside = NEED if after == NEED else push(m, one, after)
            if inside == NEED or open_term(m, inside) == NEED:
                return NEED
            chain = state_of(m, after)
            if chain == NEED:
                return NEED
            endless = int64(ENDLESS if nodes[node, C] == NO_LIMIT else 0)
            loop = 8 * nodes[one, CHARS] + endless
            begins = octets(m, LEAVING)
            begins[:256] = 0
            i, stop = terms[inside, AT], terms[inside, AT] + terms[inside, COUNT]
            if stop == i + 1 and is_split(m, leaves[i] & 0xFFFFFFFF) and not has_leaf(m, state, leaves[i]):
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
                elif meet(begins, classes[leaves[j] >> 32]):
                    loop = loop | FREE if endless else int64(-1)
                    break
                else:
                    loop |= OTHERS
    states[state, LOOP], states[state, CHAINED] = loop, chain
    return loop


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
                if meet(begins, classes[leaves[k] >> 32]):
                    return DEAD  # it goes on in another way with what may be the same characters
        elif j > 0 and (chain[j] == chain[j - 1] or states[chain[j], LOOP] & OTHERS == 0):
            continue  # (what leaves the slice's class, but not the charset, does so from the first state, too)
        for k in range(at, stop):
            of = classes[leaves[k] >> 32]
            for b in range(256):
                leaving[b] |= of[b]
    n = int64(0)
    for b in range(256):
        if leaving[b] == 0 or begins[b]:
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
                    left = step_once(m, asked, int64(b))
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
    states, leaves, classes = records(m, STATES), numbers(m, LEAVES), classes_of(m, CLASSES)
    widest, best = int64(WIDE - 1), int64(-1)
    for j in range(states[state, AT], states[state, AT] + states[state, COUNT]):
        of, width = classes[leaves[j] >> 32], int64(0)
        for b in range(256):
            width += of[b]
        if width > widest and not is_split(m, leaves[j] & 0xFFFFFFFF):
            widest, best = width, leaves[j]
    if best < 0:
        return int64(-1)
    after = state_of(m, best & 0xFFFFFFFF)
    loop = NEED if after == NEED else loop_of(m, after)
    if loop == NEED:
        return NEED
    return after if loop >= 0 and loop & ENDLESS and after != state else int64(-1)


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
