"""The engine: a language of bytes as an automaton that is built where it is walked, and the token masks of its states.

From the bottom up, and who owns what:

    program/        the source of the compiled half: determinising a language, walking tokens through it
    engine.ll       what is built of it and shipped; `native.py` makes machine code of that
    layout.py       the memory that the compiled half and the files below share
    trie.py         the text tokens of a vocabulary as one trie, laid out for these walks
    tables.py       the tables that the engine works on: where they lie in memory, and how they grow
    node_tables.py  nodes as numbers: how a language is written into the tables
    automaton.py    states, and the steps between them
    slices.py       the tokens of a vocabulary, surveyed by character class, so that a repeated class needs no walk
    masks.py        the mask of a state; which states are live; the masks and slices that are kept for a vocabulary
    memory.py       states that have to remember texts: names of one object, items of an array

Law of the whole: a mask allows exactly the tokens after which some string of the language can still be finished.
"""
