"""What the automata of schemas begin with: what most of them would write down."""

from __future__ import annotations

from functools import lru_cache

from ..engine.automaton import Automaton
from ..engine.node_tables import Ground
from ..language.nodes import alt, star
from ..language.words import literal
from ..patterns.characters import CHARACTERS
from ..patterns.json_characters import key_class
from ..patterns.json_strings import other_strings
from . import numerals
from .scalars import digits_alone
from .spelling import NUMBER_SPELLINGS, punctuation, whitespace
from .writer import FREE_KINDS, NO_BOUNDS, anything, free_values

ROOM = 16  # times what automata have otherwise: schemas unfold without end, and what is not written to takes no memory
_OFTEN = (b'"', b"{", b"}", b"[", b"]", b",", b":", b"true", b"false", b"null")
_SAMPLES = ('{"":[null,{}],', '[{},[],"",', '"a\\n\\u00e9\\ud83d\\ude00é☃😀"', '"x\\"', "-10.25e+3", " ,", "\r\n\t,")


@lru_cache(maxsize=len(NUMBER_SPELLINGS))
def ground(numbers: str) -> Ground:
    """An automaton that has read some samples, as the ground for others of the same spelling of numbers."""
    integers = numerals.number(frozenset({"integer"}), *NO_BOUNDS, exponents=False)
    spaces = (whitespace("compact"), whitespace("flexible"))
    signs = [sign for space in spaces for sign in punctuation(space)]
    texts = other_strings(["x"]), star(key_class(CHARACTERS))
    values = [anything(space, numbers) for space in spaces]
    values += [free_values(kinds, numbers) for kinds in FREE_KINDS]
    common = alt(*values, *texts, integers, digits_alone(integers), *signs, *map(literal, _OFTEN))
    automaton = Automaton(common, ground=Ground(factor=ROOM))
    for sample in _SAMPLES:
        automaton.run(automaton.initial, sample.encode())
    return Ground(automaton, ROOM)
