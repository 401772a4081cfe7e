"""A vocabulary, cut once for each character class that constraints repeat.

Where a state repeats a class of characters (`[a-z]+`, `.{0,200}`, the inside of a JSON string), the tokens that consist
of such characters are allowed without looking at them, up to the length that is left; and of the others only those are
looked at that leave the class at a byte that the state can read. (llguidance's slices, with lengths and exits.)

Everyday classes are cut when a vocabulary is first used; others when a second state repeats them.
"""

from __future__ import annotations

from functools import cache
from itertools import count

import numpy as np

from outlines_cont.fsm import machine
from outlines_cont.fsm.automaton import Automaton
from outlines_cont.fsm.language import Class, Ranges, star
from outlines_cont.fsm.pattern import parse, utf8_class
from outlines_cont.fsm.trie import Trie

#: The classes that are cut beforehand, as patterns.
EVERYDAY = (
    *("[a-z]", "[A-Z]", "[a-zA-Z]", "[a-z0-9]", "[a-zA-Z0-9]", "[a-zA-Z0-9_]", "[a-zA-Z0-9_-]", "[a-zA-Z0-9_.-]"),
    *(
        r"\w",
        r"\d",
        r"\s",
        r"\S",
        ".",
        "(?s:.)",
        r"[^\"\\\x00-\x1f]",
        r"[^\"\\]",
        r'[^"]',
        r"[^\n\r\u2028\u2029]",
        "[\x20-\x7e]",
    ),
)
WORTHWHILE = 4096  # nodes of a trie; in a smaller one, a walk takes no longer than this
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192)


_serials = count()


class Slice:
    """The tokens of a vocabulary, seen from one character class.

    Attributes:
        serial: tells it from all others.
        longest: how many characters of the class a token, or the beginning of one, has at most.
        places: where the machine finds the exits; to be put into its memory from BEGINS on.
    """

    def __init__(self, ranges: Ranges, trie: Trie, words: int):
        self.serial = next(_serials)
        home = Automaton(star(utf8_class(ranges)), trie)
        home.reserve(3 * len(trie))
        with home.lock:
            found = home.results(home.ask(machine.SURVEY, home.initial)).reshape(-1, 3).copy()
        inside = found[:, 0] < 0
        tokens, lengths = trie.all_of(found[inside, 1], found[inside, 2])
        order = np.argsort(lengths.astype(np.uint16), kind="stable")
        self._tokens = tokens[order].astype(np.int32)
        exits = found[~inside]
        left = np.zeros(len(trie), np.uint8)  # whether a node, or one above or below it, leaves the class
        left[exits[:, 1]] = 1
        machine.mark_above(left, trie.parent)
        exits = exits[exits[:, 0] != machine.MID]
        exits = exits[np.argsort((exits[:, 0] << 8 | np.minimum(exits[:, 2], 255)).astype(np.uint16), kind="stable")]
        self.longest = int(found[:, 2].max(initial=0))
        # How many of the tokens have at most n characters.
        self._up_to = np.searchsorted(lengths[order], np.arange(self.longest + 2), side="right")
        self._masks: dict[int, np.ndarray] = {}
        previous = np.zeros(words, np.int32)
        done = 0
        for length in (*(n for n in LENGTHS if n < self.longest), self.longest):
            previous = previous.copy()
            upto = int(self._up_to[length])
            machine.set_bits(previous, self._tokens[done:upto], upto - done)
            previous.flags.writeable = False
            self._masks[length], done = previous, upto
        begins = (home.row(home.initial) >= 0).astype(np.uint8)
        starts = np.zeros(257, np.int32)
        np.cumsum(np.bincount(exits[:, 0], minlength=256), out=starts[1:])
        self._kept = (begins, starts, exits[:, 1].astype(np.int32), exits[:, 2].astype(np.int32), left)
        self.places = np.array(
            [x for array in self._kept for x in (array.__array_interface__["data"][0], 0, len(array))]
        )

    @property
    def nbytes(self) -> int:
        return sum(x.nbytes for x in (*self._masks.values(), self._tokens, *self._kept))

    def upto(self, length: int) -> np.ndarray:
        """The tokens that are at most so many characters of the class. Perhaps read-only."""
        length = min(length, self.longest)
        mask = self._masks.get(length)
        if mask is None:
            below = max(n for n in LENGTHS if n < length)
            mask = self._masks[below].copy()
            more = self._tokens[self._up_to[below] : self._up_to[length]]
            machine.set_bits(mask, more, len(more))
        return mask


def everyday(trie: Trie, words: int) -> dict[Ranges, Slice]:
    """The slices that are made beforehand."""
    return {ranges: Slice(ranges, trie, words) for ranges in _everyday()} if len(trie) >= WORTHWHILE else {}


@cache
def _everyday() -> tuple[Ranges, ...]:
    return tuple(node.ranges for node in map(parse, EVERYDAY) if isinstance(node, Class))
