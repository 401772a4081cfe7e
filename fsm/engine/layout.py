"""The layout of an automaton's memory: which number says what. The compiled engine and the code around it share it.

`program/` is the source of the engine, and says what the tables are for. An automaton's *memory* is an int64 array. Of
each table it has three numbers: memory[TABLE] is the address, memory[TABLE + 1] the number of records used,
memory[TABLE + 2] the room; and it has single numbers. Their places are dealt out here, one after the other.
"""

from __future__ import annotations

_size = 0


def _tables(count: int) -> range:
    """The places of tables: three numbers each."""
    global _size
    begin, _size = _size, _size + 3 * count
    return range(begin, _size, 3)


def _numbers(count: int) -> range:
    """The places of single numbers."""
    global _size
    begin, _size = _size, _size + count
    return range(begin, _size)


# What an automaton is made of: `program/__init__.py` says what the records are.
NODES, HEAP, TERMS, SLOTS, LEAVES, STATES, STATE_SLOTS, ROWS, CLASSES, DEPTHS = _tables(10)
# Scratch. LEAVING: a flag for each byte; CHAIN: the states after 0, 1, 2 … characters.
STACK, AFTERS, OUT, ALIKE, INPUT, CHAIN, LEAVING = _tables(7)
# The vocabulary's: results and a queue to write to, and its trie (`trie.py`); put there in one piece.
RESULT, QUEUE, BYTE, FIRST, TOKEN, TWIN, SPELLING, SPELLED, PARENT = _tables(9)
# A slice's (`slices.py`), also put there in one piece, up to PAST_SLICE.
BEGINS, EXITS, EXIT_NODE, EXIT_CHARS, LEFT, EXCLUDED = _tables(6)
ROOT, LONGEST, ESCAPES = _numbers(3)
PAST_SLICE = _size
(AROUND_QUOTE,) = _tables(1)  # not 0 for the nodes of the trie above and below a quote
# What the engine lacks: a table that is full, or UNFOLD, the node FAULT; and whether a table has not yet got its place.
LACKING, FAULT, UNSETTLED = _numbers(3)
EPOCH, TWINS, DEEPEST, FEW = _numbers(4)  # TWINS: tokens of equal bytes, at most; DEEPEST: bytes of the longest token
REACH, SPACE, DEFERRED = _numbers(3)
PAUSED, PAUSED_SIZE, PAUSED_COUNT = _numbers(3)  # where a walk stands that lacked something; PAUSED: 0 if none does
(TEXTS,) = _numbers(1)  # the last number of texts that are remembered
ANY_SPELLED, ANY_NAMED = _numbers(2)  # the nodes of any one character, in a JSON string and in a name; or −1
MEMORY = _size  # numbers that a memory has

UNFOLD = -1  # in LACKING, where no table is full: the node FAULT has to be written down

# Fields of records. Those of terms and of states that have one name have one place.
KIND, A, B, C, D, NULLABLE, MEMO, CHARS = range(8)  # of nodes
NODE, REST, AT, COUNT, ACCEPTS, STAMP, STATE, REPEATED = range(8)  # of terms
ROW, NEXT, _, _, _, TERM, LOOP, CHAINED = range(8)  # of states; AT, COUNT and ACCEPTS as above
WIDTH = 8  # of all these records

# Kinds of nodes.
EMPTY, CLASS, CAT, ALT, REPEAT, WORDS, FOLDED, CHARSET, UNLIKE, BRANCHES, BACKSLASHED, SPLIT = range(12)
END = 0  # the node of the empty string, and the term that matches it
NO_LIMIT = -1  # instead of the largest count of a REPEAT
REST_OF, BEYOND, BEFORE_DIGITS, OTHER_ESCAPES, PLAIN = range(5)  # the heap before the words of an UNLIKE
HEADER = PLAIN + 128

# Instead of a state. Rows have the first two, and numbers ≤ PENDING: see `states.new_row`.
DEAD, UNKNOWN, NEED = -1, -2, -3
PENDING = -16
UNSEEN, SEEN = -4, -5  # instead of the number of a row, of a state that has none: see `states.first_time`
SLOW = -6  # see `tokens.advanced`
TEXT = -16  # and less: see `tokens.advanced`
NOTHING_REPEATED = -1  # in the field REPEATED of a term, and TERM of a state
PART = -2  # in TERM, of a state that was made by `classes.parted`: what it repeats is the term after its widest leaf
NO_LOOP = -1  # in the field LOOP; UNKNOWN where nobody has asked
NO_TOKEN = -1  # in a trie: nothing is spelled here; and less, of several tokens: see `tokens.several`

# Bits of ACCEPTS: the state accepts; has marks or pending nodes on its stack (`memory.py`); any JSON string may go on,
# up to its quote, and nothing else but names, which are terms of their own; a repeat of ANY_SPELLED or ANY_NAMED
# without end, which a quote ends.
ACCEPTING, MARKED, QUOTED, NAMES, TEXT_GOES_ON, NAME_GOES_ON = (1 << i for i in range(6))

# Bits of what `classes.loop_of` says of the characters that a state repeats; their charset stands above, × 8.
OTHERS, FREE, ENDLESS = 1, 2, 4
ON_THE_WAY, AT_COMMA = 1, 2  # in LEFT, for `tokens.walls`
MID, TOKENS = 256, 257  # instead of a byte, in what `classes.survey` says

NEAR = 8  # slots: see `terms.slot_of`
GLANCE = 16  # states that `classes.closed` looks at
WIDE = 48  # bytes of a class
BEGUN = 1 << 31  # more than any token has bytes
AUTOMATON_STATE = (1 << 32) - 1  # the bits of a guide's state that are the automaton's
DEAR = 4  # one of so many nodes of the trie
BACKSLASH = 0x5C
NARROW = 2  # children of a node, for which a row is not worth making

# What the engine can be asked: `program/entry.py`.
START, REHASH, PUSH, JOIN, READ, FORCED, RUN_ON = range(7)
WALK, WALK_ALL, WALK_LEFT, SLICED, CLOSED, SURVEY, ENDS, DIFFER, WALLS = range(7, 16)

# An answer is a tag and a value: value << TAG_BITS | tag.
TAG_BITS = 4
DONE, LACKS, NO_STATE, NOTHING, SPACED, NEARLY, REPEATS, PARTED = range(8)
