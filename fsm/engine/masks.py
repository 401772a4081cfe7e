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
from outlines_cont.processes import whole_at_fork
from outlines_cont.waiting import told

from ..language.nodes import charsets
from ..vocabulary import Vocabulary
from . import layout
from .automaton import Automaton
from .layout import DONE, NEARLY, SPACED
from .native import engine
from .slices import FEW_CHARACTERS, Slice, surveys_of
from .trie import place, trie_of

# --- the masks that are kept for a vocabulary, and the slices that they are made of

REACHES = (32, 24, 16, 12, 8)  # bytes: shorter tokens are allowed as if there were no bound on the length
MASKS = "masks"  # where in `Vocabulary.cache` they are kept


class _Generation:
    def __init__(self) -> None:
        self.by_state: dict[tuple[int, int], np.ndarray] = {}
        self.by_content: dict[Any, np.ndarray] = {}
        self.slices: dict[tuple[int, int], Slice] = {}
        self.size = 0  # bytes, roughly: the arrays, and the entries by which they are found


class MaskCache:
    """The masks of one vocabulary, and the slices that they are made of, within a limit.

    Equal masks are one array, whichever guides they belong to. There are two generations, so that a hit costs one
    look-up: an entry that is asked for is young, or becomes young. When the young entries take half of the limit, the
    old ones are forgotten and the young ones become old.

    Attributes:
        limit: about how many bytes are kept at most. May be set.
    """

    def __init__(self, limit: int = 256 << 20):
        self.limit = limit
        self._lock = whole_at_fork(threading.Lock())
        self._young, self._old = _Generation(), _Generation()
        self._wanted: dict[tuple[int, int], int] = {}

    @property
    def size(self) -> int:
        """About how many bytes are kept."""
        return self._young.size + self._old.size

    def mask_of(self, state: tuple[int, int]) -> np.ndarray | None:
        """The mask that was kept for a state: (number of the `Masks`, automaton state)."""
        mask = self._young.by_state.get(state)
        if mask is None:
            mask = self._old.by_state.get(state)
            if mask is not None:
                self.keep(state, None, mask)
        return mask

    def mask_like(self, content: Any) -> np.ndarray | None:
        """The mask that was kept for a description of its content."""
        mask = self._young.by_content.get(content)
        return self._old.by_content.get(content) if mask is None else mask

    def keep(self, state: tuple[int, int], content: Any, mask: np.ndarray) -> None:
        """Keep a mask, for its state and for its description (a hashable, or None)."""
        with self._lock:
            young = self._young
            young.by_state[state] = mask
            size, by_content = 128, young.by_content
            if id(mask) not in by_content:  # the entry keeps the mask alive, so that no other array gets its id
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
        kept = self._young.slices.get(charset)
        if kept is None:
            kept = self._old.slices.get(charset)
            if kept is not None:
                self.keep_slice(charset, kept)
        return kept

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


def mask_cache_of(vocabulary: Vocabulary) -> MaskCache:
    """The masks kept for a vocabulary. Its `limit` (bytes) may be set; `clear_caches` forgets that, too."""
    cache = vocabulary.cache.get(MASKS)
    return cache if cache is not None else vocabulary.cache.setdefault(MASKS, MaskCache())


# --- masks

SEARCHED_STATES = 20_000  # at most, to tell whether a state is live
LISTED_TOKENS = 1024  # as many allowed tokens at most are kept as a list, to find equal masks by
STATES_FOR_A_SLICE = 3  # so many states have to want a slice before it is made
TOKENS_FOR_A_SLICE = 1000  # where a character class allows fewer, a walk is as quick as a slice


#: What the engine answers to WALK: a tag and a value.
Walked = tuple[int, int]
NOT_WALKED: Walked = (layout.NOTHING, 0)
#: Makes a mask of the caller's own; None: one that allows nothing.
MaskMaker = Callable[[], np.ndarray] | None
#: The text tokens that a state allows: those of a mask; a hashable that tells this mask from others; and more tokens.
Recipe = tuple[MaskMaker, Any, np.ndarray]


def _united(one: MaskMaker, other: MaskMaker) -> MaskMaker:
    if one is None or other is None:
        return one or other
    return lambda: one() | other()


class _ByIdentity:
    """A mask as a key, by identity. It keeps the mask alive, so that no other array gets its id."""

    __slots__ = ("_mask",)

    def __init__(self, mask: np.ndarray):
        self._mask = mask

    def __hash__(self) -> int:
        return id(self._mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self._mask is other._mask


def _stops(vocabulary: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
    """The stop tokens, as `set_bits` wants them: to allow them, and to allow them no more."""
    stops = np.array(vocabulary.eos, np.int32)
    return stops, ~stops


_serial = count()
_NO_TOKENS = np.empty(0, np.int32)


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
        self._surveys = surveys_of(vocabulary)
        automaton.cells[layout.SPACE] = self._surveys.space
        automaton.cells[layout.FEW] = FEW_CHARACTERS
        automaton.memory[layout.AROUND_QUOTE : layout.AROUND_QUOTE + 3] = self._surveys.place_around_quote
        self._far: set[tuple[int, int]] = set()  # character classes that are near no survey
        self._words = self._surveys.words
        self._eos, self._not_eos = vocabulary.derived(_stops)
        self._set_bits = engine().set_bits
        self._serial = next(_serial)

    def of(self, state: int) -> np.ndarray:
        """The mask of an automaton state. Remembered, within the vocabulary's limit."""
        cache = mask_cache_of(self.vocabulary)
        mask = cache.mask_of((self._serial, state))
        return self._make(state, cache) if mask is None else mask

    def kept(self, state: int) -> np.ndarray | None:
        """The mask that is kept for a state, or for another int that was said to `changed`."""
        return mask_cache_of(self.vocabulary).mask_of((self._serial, state))

    def changed(self, state: int, mask: np.ndarray, tokens: list[int]) -> np.ndarray:
        """A mask with further tokens t, and without the tokens t given as −1 − t; kept as that of `state`."""
        cache = mask_cache_of(self.vocabulary)
        recipe = mask.copy, (_ByIdentity(mask),), np.array(tokens, np.int32)
        content, mask = self._cooked(recipe, 0, cache) if tokens else (None, mask)
        cache.keep((self._serial, state), content, mask)
        return mask

    def only_stop(self, state: int) -> bool:
        """Whether the string may end in `state` and nothing but the stop is allowed."""
        if not self.automaton.accepting(state):
            return False
        if self.every_state_live:
            return self.automaton.dead_end(state)
        return not any(map(self.live, self._successors(state)))

    def live(self, state: int) -> bool:
        """Whether some string can be finished from `state` with tokens of this vocabulary."""
        if self.every_state_live:
            return True
        with self.automaton.lock:
            if state not in self._live:
                self._search(state)
            return self._live[state]

    def _search(self, start: int) -> None:
        """Find out whether a state is live, and note it for all states that are met on the way."""
        came_from: dict[int, int | None] = {start: None}
        todo = [start]
        for state in todo:  # grows while it is read: breadth first
            if self.automaton.accepting(state) or self._live.get(state) or self.automaton.walled(state):
                step: int | None = state
                while step is not None:
                    self._live[step] = True
                    step = came_from[step]
                return
            if len(todo) > SEARCHED_STATES:
                raise ConstraintError(
                    f"{SEARCHED_STATES} states did not tell which tokens lead to an end: {self.vocabulary!r} has no "
                    "token for some single bytes that the constraint needs"
                )
            for after in self._successors(state):
                if after not in came_from and self._live.get(after) is not False:
                    came_from[after] = state
                    todo.append(after)
        self._live.update(dict.fromkeys(came_from, False))  # nothing accepts anywhere behind `start`

    def _successors(self, state: int) -> list[int]:
        return np.unique(self.automaton.ends(state)[:, 1]).tolist()

    def _make(self, state: int, cache: MaskCache) -> np.ndarray:
        automaton = self.automaton
        automaton.valid(state)
        with automaton.lock, told("looking for the tokens that a constraint allows"):
            recipe: Recipe | None = None
            if automaton.bounded and self.every_state_live:
                plain = automaton.unbounded(state)
                if plain not in (None, state):
                    mask = self.of(plain)
                    cache.keep((self._serial, state), None, mask)
                    return mask
                recipe = self._without_counts(state)
            accepting = int(automaton.accepting(state))
            if recipe is None:
                walked = automaton.answer(layout.WALK, state) if self.every_state_live else NOT_WALKED
                tag, value = walked
                done = tag == DONE
                recipe = (None, None, automaton.results(value >> 1)) if done else self._recipe(state, walked, cache)
            content, mask = self._cooked(recipe, accepting, cache)
        cache.keep((self._serial, state), content, mask)
        return mask

    def _cooked(self, recipe: Recipe, accepting: int, cache: MaskCache) -> tuple[Any, np.ndarray]:
        """The mask of a recipe, the kept one if an equal one is kept; and a description of its content to keep it by.

        The description is a list of tokens where they are few; else a digest, and masks are compared then.
        """
        maker, label, tokens = recipe
        few = len(tokens) <= LISTED_TOKENS
        content: Any = (label, accepting, tokens.tobytes()) if few else None
        mask = cache.mask_like(content) if few else None
        if mask is not None:
            return content, mask
        mask = np.zeros(self._words, np.int32) if maker is None else maker()
        self._set_bits(mask, self._words, tokens, len(tokens))
        if accepting:
            self._set_bits(mask, self._words, self._eos, len(self._eos))
        mask.flags.writeable = False
        if not few:
            content = (hash(mask.tobytes()),)
            kept = cache.mask_like(content)
            if kept is not None and np.array_equal(mask, kept):
                mask = kept
        return content, mask

    def _recipe(self, state: int, walked: Walked, cache: MaskCache) -> Recipe:
        """The text tokens that a state allows. The automaton's lock must be held."""
        automaton, (tag, value) = self.automaton, walked
        if not self.every_state_live:
            ends = automaton.ends(state)
            live = [s for s in np.unique(ends[:, 1]).tolist() if self.live(s)]
            tokens, after = trie_of(self.vocabulary).all_of(ends[:, 0], ends[:, 1])
            return None, None, tokens[np.isin(after, live)]
        if tag == layout.PARTED:
            if automaton.bounded and (recipe := self._hardly_bounded(state)) is not None:
                return recipe
            one, other = self.of(value >> 32), self.of(value & 0xFFFFFFFF)
            return lambda: one | other, (_ByIdentity(one), _ByIdentity(other)), _NO_TOKENS
        if tag == NEARLY:
            recipe = self._corrected(state, value, cache)
            if recipe is not None:
                return recipe
            walked = DONE, 2 * automaton.ask(layout.WALK_ALL, state)
        maker, label, tokens = self._below(0, state, walked, cache)
        after = int(automaton.memory[layout.DEFERRED])
        if after >= 0:
            tokens, space = tokens.copy(), self._surveys.space
            spaced = automaton.answer(layout.WALK, after, space)
            maker_of_spaced, label_of_spaced, more = self._below(space, after, spaced, cache)
            maker, label = _united(maker, maker_of_spaced), (label, label_of_spaced)
            tokens = np.concatenate([tokens, more])
        return maker, label, tokens

    def _without_counts(self, state: int) -> Recipe | None:
        """The recipe of a state of which only the characters of tokens and their number matter; or by the mask without
        a minimum, or without a bound if that is all it has; or None."""
        node, behind = self.automaton.whole(state)
        if node is None:
            return None
        byte, plain = self.automaton.closing(behind), node.without_minimum()
        if byte is not None and (lasting := self._surveys.lasting(node, byte)):
            return self._but_where(state, *lasting)
        if byte is not None and plain is not None:
            mask = self.of(self.automaton.join([self.automaton.push(plain, behind)]))
            return self._but_where(state, mask, *self._surveys.around(byte))
        return self._hardly_bounded(state) if node.bounded and node.run is None else None

    def _hardly_bounded(self, state: int) -> Recipe | None:
        """The recipe of a state with a bound that only long tokens reach, by the mask without it; None of others."""
        automaton = self.automaton
        if automaton.unbounded(state, REACHES[-1]) in (None, state):  # then longer ones reach the bound, too
            return None
        looser = ((automaton.unbounded(state, length), length) for length in REACHES)
        plain, length = next((plain, length) for plain, length in looser if plain not in (None, state))
        return self._but_where(state, self.of(plain), *self._surveys.longer(length))

    def _but_where(self, state: int, mask: np.ndarray, others: np.ndarray, left: np.ndarray) -> Recipe:
        """The recipe of a state by a kept mask, which allows the same tokens but for some.

        others: those, as a mask. left: uint8 [nodes], as WALK_LEFT wants it: not 0 where a walk finds them.
        """
        automaton = self.automaton
        automaton.memory[layout.LEFT : layout.LEFT + 3] = place(left)
        tokens = automaton.results(automaton.ask(layout.WALK_LEFT, state))
        after = int(automaton.memory[layout.DEFERRED])
        if after >= 0:
            tokens = tokens.copy()
            more = automaton.results(automaton.ask(layout.WALK_LEFT, after, self._surveys.space))
            tokens = np.concatenate([tokens, more])
        return lambda: self._text(mask & ~others), (_ByIdentity(mask), _ByIdentity(others)), tokens

    def _text(self, mask: np.ndarray) -> np.ndarray:
        """A mask of one's own, without the ends of text."""
        self._set_bits(mask, self._words, self._not_eos, len(self._eos))
        return mask

    def _corrected(self, state: int, other: int, cache: MaskCache) -> Recipe | None:
        """The recipe of a state by the mask of another state; None if they are not much alike."""
        automaton = self.automaton
        mask = cache.mask_of((self._serial, other))
        if mask is None:
            mask = self._make(other, cache)
        count = automaton.ask(layout.DIFFER, state, other)
        if count == layout.DEAD:
            return None
        return lambda: self._text(mask.copy()), _ByIdentity(mask), automaton.results(count)

    def _below(self, root: int, state: int, walked: Walked, cache: MaskCache) -> Recipe:
        """The recipe for the tokens below a node of the trie, of which WALK said this; those below the space later."""
        automaton = self.automaton
        tag, value = walked
        if tag == DONE:
            return None, None, automaton.results(value >> 1)
        if tag == SPACED:
            return None, None, automaton.results(value)
        charset, how = divmod(value, 8)  # charset: 2 × its number, and 1 if it may be escaped
        key = (charset, root)
        cut = self._slice(key, cache)
        if cut is not None:
            count, reach = self._sliced(cut, root, state, how)
            if count >= 0:
                return partial(cut.upto, reach), (key, reach), automaton.results(count)
        count = automaton.ask(layout.WALK_ALL, state, root)
        wanted = cut is None and count >= TOKENS_FOR_A_SLICE and self._surveys.possible
        if wanted and cache.wanted(key) >= STATES_FOR_A_SLICE:
            cache.keep_slice(key, self._surveys.cut(charsets[charset >> 1], root, bool(charset & 1)))
        return None, None, automaton.results(count)

    def _slice(self, key: tuple[int, int], cache: MaskCache) -> Slice | None:
        """The slice of a character class (2 × its number, and 1 if it may be escaped) below a node of the trie.

        None if none is kept, and no survey is near to it.
        """
        cut = cache.slice_of(key)
        if cut is None and key not in self._far:
            charset, root = key
            cut = self._surveys.near(charsets[charset >> 1], root, bool(charset & 1))
            if cut is None:
                self._far.add(key)
            else:
                cache.keep_slice(key, cut)
        return cut

    def _sliced(self, cut: Slice, root: int, state: int, how: int) -> tuple[int, int]:
        """How many results there are besides the tokens of a slice, and how many of its characters these may have.

        A negative number if the state cannot be told by the slice.
        """
        automaton, place_of_slice = self.automaton, slice(layout.BEGINS, layout.PAST_SLICE)
        count, reach = layout.DEAD, cut.longest
        automaton.memory[place_of_slice] = cut.places
        if ~how & (layout.FREE | layout.ENDLESS):
            count = automaton.ask(layout.SLICED, state)
            reach = int(automaton.memory[layout.REACH])
        if count == layout.DEAD and (how & layout.ENDLESS or reach == cut.longest):
            reach = cut.longest
            if cut.ascii and automaton.ask(layout.CLOSED, state):
                return 0, reach
            cut.place_left()
            automaton.memory[place_of_slice] = cut.places
            count = automaton.ask(layout.WALK_LEFT, state, root)
        return count, reach
