"""The source of the compiled engine: determinising a language of bytes, and walking tokens through it.

    views.py        how the engine sees its memory, and what makes a function a part of it
    terms.py        what remains to be matched: stacks of nodes
    leaves.py       the ways to take a byte off a term
    states.py       sets of leaves, numbered; steps and rows of next states
    tokens.py       walks of tokens through states, along the trie
    classes.py      states that repeat a class of characters
    differences.py  the tokens by which two states differ
    bits.py         packed masks, and marks in a trie
    entry.py        the way in: `serve` does one thing

Nothing here is imported at run time. `tools/engine/build.py` compiles it, with numba, and writes `engine.ll`, which is
shipped; `native.py` loads that. After a change here, or in `layout.py`, run the script again: a test compares.

Everything is a function of `m`, the memory of one automaton: an int64 array that says, for each table, where it lies,
how many records are used, and for how many there is room (`layout.py`). The tables of the automaton itself:

    NODES    8 × int64    kind, a, b, c, d, nullable, memo, chars: what `language.nodes.Node` says, as numbers
    HEAP     int64        lists: the options of an ALT, the words of a WORDS, the edges of an unfolded node
    TERMS    8 × int64    node, rest, at, count, accepts | QUOTED or NAMES or …, stamp, state, repeated;
                          LEAVES[at : at + count]
    DEPTHS   int64        of each term: the marks on the stack, and the pending nodes << 32 (see `memory.py`)
    LEAVES   int64        class << 32 | term after it; sorted runs
    STATES   8 × int64    row, next, at, count, accepts | MARKED | QUOTED | …, term, loop, chained
    ROWS     256 × int32  next states, for states of more than one leaf; or how to find them, see `states.new_row`
    CLASSES  256 × uint8  sets of bytes

A part that lacks something returns NEED and changes nothing that matters: m[LACKING] says which table is full, or that
the node m[FAULT] has to be unfolded by Python; whoever called sees to it and calls again. Nothing here is called by two
threads at a time.
"""
