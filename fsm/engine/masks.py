"""Automaton state and vocabulary → the tokens that may come next, as a packed mask.

A mask is int32 [(V + 31) // 32], read-only; bit t of word t // 32 says that token t is allowed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from sys import getsizeof
from typing import Any

import numpy as np

from outlines_cont.errors import ConstraintError

from ..language.nodes import charsets
from ..patterns.json_characters import key_class, string_class
from ..patterns.parser import CHARACTERS
from ..vocabulary import Vocabulary
from . import machine, slices
from .automaton import Automaton
from .slices import Slice
from .trie import place

MASKS = "masks"  # where in `Vocabulary.cache` they are kept
LOOKED_AT = 20_000  # states, where some byte is no token by itself
FEW = 1024  # tokens; a list of them is kept, to find equal masks by
PAYS = 3  # states for which a slice is made
WIDE = 1000  # tokens; where a character class allows fewer, a walk is as quick as a slice


def pack(allowed: np.ndarray) -> np.ndarray:
    """bool [V] → int32 [(V + 31) // 32], read-only."""
    packed = np.zeros((len(allowed) + 31) // 32 * 4, np.uint8)
    bits = np.packbits(allowed, bitorder="little")
    packed[: len(bits)] = bits
    mask = packed.view("<i4").astype(np.int32, copy=False)
    mask.flags.writeable = False
    return mask


def unpack(mask: np.ndarray, size: int) -> np.ndarray:
    """int32 [(V + 31) // 32] → bool [V]."""
    return np.unpackbits(mask.astype("<i4").view(np.uint8), count=size, bitorder="little").astype(bool)


class _Generation:
    def __init__(self) -> None:
        self.by_state: dict[tuple[int, int], np.ndarray] = {}
        self.by_content: dict[Any, np.ndarray] = {}
        self.slices: dict[tuple[int, int], Slice] = {}
        self.size = 0  # bytes, roughly: the arrays, and what it takes to find them


class Memo:
    """What is kept for one vocabulary, within bounds: masks, and the slices that they are made of.

    Equal masks are one array, of whatever guide. There are two generations, so that a hit costs a look-up and nothing
    else: what is asked for is young, or becomes so; when the young hold half of the limit, the old are forgotten and
    the young are the old.

    Attributes:
        limit: about how many bytes are kept at most. May be set.
    """

    def __init__(self, limit: int = 256 << 20):
        self.limit = limit
        self._lock = threading.Lock()
        self._young, self._old = _Generation(), _Generation()
        self._wanted: dict[tuple[int, int], int] = {}

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        return self._young.size + self._old.size

    def of(self, state: tuple[int, int]) -> np.ndarray | None:
        """The mask that was kept for a state: (whose, which)."""
        mask = self._young.by_state.get(state)
        if mask is None:
            mask = self._old.by_state.get(state)
            if mask is not None:
                self.keep(state, None, mask)
        return mask

    def like(self, content: Any) -> np.ndarray | None:
        """The mask that was kept for a description of what it allows."""
        mask = self._young.by_content.get(content)
        return self._old.by_content.get(content) if mask is None else mask

    def keep(self, state: tuple[int, int], content: Any, mask: np.ndarray) -> None:
        """Keep a mask, for its state and for its description (a hashable, or None)."""
        with self._lock:
            young = self._young
            young.by_state[state] = mask
            size, by_content = 128, young.by_content
            if id(mask) not in by_content:  # which keeps the mask, so that the id remains its own
                by_content[id(mask)] = mask
                size += 128 + mask.nbytes
            if content is not None and content not in by_content:
                by_content[content] = mask
                size += 512 + getsizeof(content[-1])
            young.size += size
            if 2 * young.size > self.limit:
                self._age()

    def slice_of(self, charset: tuple[int, int]) -> Slice | None:
        """The slice that was kept for a character class, of what is below a node."""
        found = self._young.slices.get(charset)
        if found is None:
            found = self._old.slices.get(charset)
            if found is not None:
                self.keep_slice(charset, found)
        return found

    def keep_slice(self, charset: tuple[int, int], made: Slice) -> None:
        with self._lock:
            self._young.slices[charset] = made
            self._young.size += made.nbytes
            if 2 * self._young.size > self.limit:
                self._age()

    def wanted(self, charset: tuple[int, int]) -> int:
        """How often a slice that is not kept would have been of use."""
        count = self._wanted[charset] = self._wanted.get(charset, 0) + 1
        return count

    def _age(self) -> None:
        self._young, self._old = _Generation(), self._young


def memo(vocabulary: Vocabulary) -> Memo:
    """The masks kept for a vocabulary. Its `limit` (bytes) may be set; `clear_caches` forgets that, too."""
    found = vocabulary.cache.get(MASKS)
    return found if found is not None else vocabulary.cache.setdefault(MASKS, Memo())


_NO_TOKENS = np.zeros(0, np.int32)
Base = Callable[[], np.ndarray] | None  # makes a mask of the caller's own; None: nothing is allowed


def _both(a: Base, b: Base) -> Base:
    if a is None or b is None:
        return a or b
    return lambda: a() | b()


class _Itself:
    """A mask as a key, by identity; which keeps it, so that no other has its id."""

    __slots__ = ("_mask",)

    def __init__(self, mask: np.ndarray):
        self._mask = mask

    def __hash__(self) -> int:
        return id(self._mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self._mask is other._mask


_serial = count()


class Masks:
    """Which tokens of a vocabulary an automaton allows, state by state: law 10, exactly.

    A state is *live* if tokens of this vocabulary can spell a way from it to the end of some string. Where every byte
    that the automaton reads is a token by itself, all states are; otherwise each state is looked into
    when it is first asked for: the states that tokens lead to are followed until one accepts, or there are no more.
    """

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, every_state_live: bool):
        self.automaton, self.vocabulary = automaton, vocabulary
        self.every_state_live = every_state_live
        self._live: dict[int, bool] = {}
        self._only_stop: dict[int, bool] = {}
        self._common = vocabulary.slices
        automaton.memory[machine.SPACE] = self._common.space
        automaton.memory[machine.FEW] = slices.FEW
        automaton.memory[machine.AROUND_QUOTE : machine.AROUND_QUOTE + 3] = place(self._common.around_quote)
        automaton.memory[machine.ANY_SPELLED] = automaton.known(string_class(CHARACTERS))
        automaton.memory[machine.ANY_NAMED] = automaton.known(key_class(CHARACTERS))
        if self._common.tails is not None:
            places = self._common.tails.places
            automaton.memory[machine.TAILS : machine.TAILS + len(places)] = places
        self._far: set[tuple[int, int]] = set()  # character classes that are near no survey
        self._words = self._common.words
        self._eos = np.array(vocabulary.eos, np.int32)
        self._not_eos = ~self._eos  # as `machine.set_bits` wants it
        self._serial = next(_serial)

    def of(self, state: int) -> np.ndarray:
        """The mask of an automaton state. Remembered, within the vocabulary's limit."""
        kept = memo(self.vocabulary)
        mask = kept.of((self._serial, state))
        return self._make(state, kept) if mask is None else mask

    def only_stop(self, state: int) -> bool:
        """Whether the string may end in `state` and nothing but the stop is allowed."""
        if not self.automaton.accepting(state):
            return False
        if self.every_state_live:
            return self.automaton.dead_end(state)
        known = self._only_stop.get(state)
        if known is None:
            known = self._only_stop[state] = not any(map(self.live, self._successors(state)))
        return known

    def live(self, state: int) -> bool:
        """Whether some string can be finished from `state` with tokens of this vocabulary."""
        if self.every_state_live:
            return True
        with self.automaton.lock:
            if state not in self._live:
                self._look(state)
            return self._live[state]

    def _look(self, start: int) -> None:
        came_from: dict[int, int | None] = {start: None}
        todo = [start]
        for state in todo:  # grows while it is read: breadth first
            if self.automaton.accepting(state) or self._live.get(state) or self.automaton.walled(state):
                step: int | None = state
                while step is not None:
                    self._live[step] = True
                    step = came_from[step]
                return
            if len(todo) > LOOKED_AT:
                what = f"{LOOKED_AT} states did not tell which tokens lead to an end: {self.vocabulary!r}"
                raise ConstraintError(f"{what} has no token for some single bytes that the constraint needs")
            for after in self._successors(state):
                if after not in came_from and self._live.get(after) is not False:
                    came_from[after] = state
                    todo.append(after)
        self._live.update(dict.fromkeys(came_from, False))  # nothing accepts anywhere behind `start`

    def _successors(self, state: int) -> list[int]:
        return np.unique(self.automaton.ends(state)[:, 1]).tolist()

    def _make(self, state: int, kept: Memo) -> np.ndarray:
        automaton = self.automaton
        automaton.valid(state)
        with automaton.lock:
            base: Base = None
            label: Any = None
            count = automaton.ask(machine.WALK, state) if self.every_state_live else -1
            free = count <= machine.REPEATS and machine.REPEATS - count & machine.FREE
            if automaton.bounded and (count == machine.NEARLY or free):
                plain = automaton.unbounded(state)
                if plain is not None:
                    mask = self.of(plain)
                    kept.keep((self._serial, state), None, mask)
                    return mask
            if count >= 0:
                count, accepting = count >> 1, count & 1
                tokens = automaton.results(count)
            else:
                base, label, tokens = self._tokens(state, count, kept)
                accepting = int(automaton.accepting(state))
            # What is allowed, in few bytes; or, where it would be many, a digest, and then a comparison.
            few = len(tokens) <= FEW
            content = (label, accepting, tokens.tobytes()) if few else None
            mask = kept.like(content) if few else None
            if mask is None:
                mask = np.zeros(self._words, np.int32) if base is None else base()
                machine.set_bits(mask, tokens, len(tokens))
                if accepting:
                    machine.set_bits(mask, self._eos, len(self._eos))
                mask.flags.writeable = False
                if not few:
                    content = (hash(mask.tobytes()),)
                    found = kept.like(content)
                    if found is not None and np.array_equal(mask, found):
                        mask = found
        kept.keep((self._serial, state), content, mask)
        return mask

    def _tokens(self, state: int, count: int, kept: Memo) -> tuple[Base, Any, np.ndarray]:
        """The text tokens that are allowed: those of a mask that is known, and its label; and what else to `set_bits`.

        `count` is what WALK said. The automaton's lock must be held.
        """
        automaton, tails = self.automaton, self._common.tails
        if count == machine.TAILED and tails is not None:
            which = automaton.results(int(automaton.memory[machine.FOUND])).copy()
            return partial(tails.mask, which), (machine.TAILED, which.tobytes()), _NO_TOKENS
        if not self.every_state_live:
            ends = automaton.ends(state)
            live = [s for s in np.unique(ends[:, 1]).tolist() if self.live(s)]
            tokens, after = self.vocabulary.trie.all_of(ends[:, 0], ends[:, 1])
            return None, None, tokens[np.isin(after, live)]
        if count == machine.NEARLY:
            found = self._corrected(state, int(automaton.memory[machine.FOUND]), kept)
            if found is not None:
                return found
            count = 2 * automaton.ask(machine.WALK_ALL, state)
        base, label, tokens = self._below(0, state, count, kept)
        after = int(automaton.memory[machine.DEFERRED])
        if after >= 0:
            tokens, space = tokens.copy(), self._common.space
            more, rest, others = self._below(space, after, automaton.ask(machine.WALK, after, space), kept)
            base, label = _both(base, more), (label, rest)
            tokens = np.concatenate([tokens, others])
        return base, label, tokens

    def _corrected(self, state: int, other: int, kept: Memo) -> tuple[Base, Any, np.ndarray] | None:
        """The same, by the mask of another state, if they are much alike."""
        automaton = self.automaton
        mask = kept.of((self._serial, other))
        if mask is None:
            mask = self._make(other, kept)
        count = automaton.ask(machine.DIFFER, state, other)
        if count == machine.DEAD:
            return None

        def base() -> np.ndarray:
            text = mask.copy()
            machine.set_bits(text, self._not_eos, len(self._eos))
            return text

        return base, _Itself(mask), automaton.results(count)

    def _below(self, root: int, state: int, count: int, kept: Memo) -> tuple[Base, Any, np.ndarray]:
        """The same, of the tokens below a node of the trie; those below the space are left for later."""
        automaton = self.automaton
        if count >= 0:
            return None, None, automaton.results(count // 2)
        if count == machine.SPACED:
            return None, None, automaton.results(int(automaton.memory[machine.FOUND]))
        charset, how = divmod(machine.REPEATS - count, 8)  # charset: 2 × its number, and 1 if it may be escaped
        key = (charset, root)
        cut = kept.slice_of(key)
        if cut is None and key not in self._far:
            cut = self._common.near(charsets[charset >> 1], root, bool(charset & 1))
            if cut is None:
                self._far.add(key)
            else:
                kept.keep_slice(key, cut)
        if cut is not None:
            count, reach = machine.DEAD, cut.longest
            place = slice(machine.BEGINS, machine.PLACED)
            automaton.memory[place] = cut.places
            if not how & machine.FREE:
                count = automaton.ask(machine.SLICED, state)
                reach = int(automaton.memory[machine.REACH])
            if count == machine.DEAD and how & machine.ENDLESS:
                reach = cut.longest
                if cut.ascii and automaton.ask(machine.CLOSED, state):
                    count = 0
                else:
                    cut.place_left()
                    automaton.memory[place] = cut.places
                    count = automaton.ask(machine.WALK_LEFT, state, root)
            if count >= 0:
                return partial(cut.upto, reach), (key, reach), automaton.results(count)
        count = automaton.ask(machine.WALK_ALL, state, root)
        if cut is None and count >= WIDE and self._common.possible and kept.wanted(key) >= PAYS:
            kept.keep_slice(key, self._common.cut(charsets[charset >> 1], root, bool(charset & 1)))
        return None, None, automaton.results(count)
