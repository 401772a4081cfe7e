"""Automaton state and vocabulary → the tokens that may come next, as a packed mask.

The vocabulary is a trie, laid out level by level. One walk takes every token through the automaton at once: a level is
a few numpy calls on the prefixes that are still alive, so a dead byte costs its whole subtree nothing.

A mask is int32 [(V + 31) // 32], read-only; bit t of word t // 32 says that token t is allowed.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from itertools import count

import numpy as np

from outlines_cont.fsm.automaton import DEAD, Automaton
from outlines_cont.fsm.vocabulary import Vocabulary

MASKS = "masks"  # where in `Vocabulary.cache` they are kept


class Trie:
    """All text tokens of a vocabulary, as the prefixes that they have.

    Nodes are numbered level by level, the root is 0, and the children of a node are consecutive.

    Attributes:
        byte: uint8 [n], the last byte of each prefix.
        first, fan: int32 [n], the first child and how many there are.
        token_start, tokens: the tokens that spell node i are `tokens[token_start[i] : token_start[i + 1]]`.
        node_of: int32 [V], the node of each token; n for what is no text.
    """

    def __init__(self, vocabulary: Vocabulary):
        ids = np.asarray(vocabulary.text_ids, dtype=np.int64)
        spelled = [vocabulary.tokens[i] for i in ids.tolist()]
        order = sorted(range(len(spelled)), key=spelled.__getitem__)
        ids = ids[order]
        data = np.frombuffer(b"".join([spelled[i] for i in order]), dtype=np.uint8)
        lengths = np.array([len(spelled[i]) for i in order], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        node_of = np.full(len(vocabulary), -1, dtype=np.int64)
        byte, parent = [np.zeros(1, np.uint8)], [np.full(1, -1, np.int64)]
        size, depth = 1, 0
        alive, at = np.arange(len(ids)), np.zeros(len(ids), np.int64)  # tokens longer than depth; their prefix's node
        while len(alive):
            symbol = data[starts[alive] + depth]
            new = np.ones(len(alive), bool)  # sorted: equal prefixes are neighbours
            new[1:] = (at[1:] != at[:-1]) | (symbol[1:] != symbol[:-1])
            byte.append(symbol[new])
            parent.append(at[new])
            at = size - 1 + np.cumsum(new)
            size += int(new.sum())
            depth += 1
            longer = lengths[alive] > depth
            node_of[ids[alive[~longer]]] = at[~longer]
            alive, at = alive[longer], at[longer]
        self.byte = np.concatenate(byte)
        self.fan = np.bincount(np.concatenate(parent)[1:], minlength=size).astype(np.int32)
        self.first = (1 + np.cumsum(self.fan) - self.fan).astype(np.int32)
        text = np.flatnonzero(node_of >= 0)
        by_node = text[np.argsort(node_of[text], kind="stable")]
        self.tokens = by_node.astype(np.int32)
        self.token_start = np.zeros(size + 1, np.int32)
        self.token_start[1:] = np.cumsum(np.bincount(node_of[text], minlength=size))
        self.node_of = np.where(node_of < 0, size, node_of).astype(np.int32)

    def __len__(self) -> int:
        return len(self.byte)


_tries: weakref.WeakKeyDictionary[Vocabulary, Trie] = weakref.WeakKeyDictionary()
_tries_lock = threading.Lock()


def trie(vocabulary: Vocabulary) -> Trie:
    """The trie of a vocabulary, built once; it depends on nothing else, so `clear_caches` leaves it alone."""
    found = _tries.get(vocabulary)
    if found is None:
        with _tries_lock:
            found = _tries.get(vocabulary)
            if found is None:
                found = _tries[vocabulary] = Trie(vocabulary)
    return found


def walk(automaton: Automaton, state: int, trie: Trie) -> tuple[np.ndarray, np.ndarray]:
    """Every prefix in the trie that the automaton can read from `state`: its node, and the state after it."""
    nodes, states = np.zeros(1, np.int32), np.full(1, state, np.int32)
    all_nodes, all_states = [], []
    while True:
        fan = trie.fan[nodes]
        total = int(fan.sum())
        if not total:
            break
        offsets = np.cumsum(fan) - fan
        children = np.repeat(trie.first[nodes] - offsets, fan) + np.arange(total)
        after = automaton.gather(np.repeat(states, fan), trie.byte[children])
        alive = np.flatnonzero(after != DEAD)
        nodes, states = children[alive], after[alive]
        all_nodes.append(nodes)
        all_states.append(states)
    if not all_nodes:
        return np.zeros(0, np.int64), np.zeros(0, np.int32)
    return np.concatenate(all_nodes), np.concatenate(all_states)


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


class Memo:
    """The masks of one vocabulary, the least recently used forgotten first."""

    def __init__(self, limit: int = 256 << 20):
        self.limit, self.size = limit, 0
        self.masks: OrderedDict[tuple[int, int], np.ndarray] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: tuple[int, int]) -> np.ndarray | None:
        with self.lock:
            mask = self.masks.get(key)
            if mask is not None:
                self.masks.move_to_end(key)
            return mask

    def put(self, key: tuple[int, int], mask: np.ndarray) -> None:
        with self.lock:
            if key not in self.masks:
                self.masks[key] = mask
                self.size += mask.nbytes
        self.trim()

    def trim(self) -> None:
        with self.lock:
            while self.size > self.limit and len(self.masks) > 1:
                self.size -= self.masks.popitem(last=False)[1].nbytes


def memo(vocabulary: Vocabulary) -> Memo:
    """The masks kept for a vocabulary. Its `limit` (bytes) may be set; `clear_caches` forgets that, too."""
    found = vocabulary.cache.get(MASKS)
    return found if found is not None else vocabulary.cache.setdefault(MASKS, Memo())


_serial = count()


class Masks:
    """Which tokens of a vocabulary an automaton allows, state by state: law 10, exactly.

    A state is *live* if tokens of this vocabulary can spell a way from it to the end of some string. Where every byte
    that the automaton reads is a token by itself, all states are; otherwise each state is looked into
    when it is first asked for: the states that tokens lead to are followed until one accepts, or there are no more.
    """

    def __init__(self, automaton: Automaton, vocabulary: Vocabulary, every_state_live: bool):
        self.automaton, self.vocabulary, self.trie = automaton, vocabulary, trie(vocabulary)
        self._every_state_live = every_state_live
        self._live: dict[int, bool] = {}
        self._only_stop: dict[int, bool] = {}
        self._lock = threading.RLock()
        self._serial = next(_serial)

    def of(self, state: int) -> np.ndarray:
        """The mask of an automaton state. Remembered, within the vocabulary's limit."""
        kept, key = memo(self.vocabulary), (self._serial, state)
        mask = kept.get(key)
        if mask is None:
            mask = self._make(state)
            kept.put(key, mask)
        return mask

    def only_stop(self, state: int) -> bool:
        """Whether the string may end in `state` and nothing but the stop is allowed."""
        if not self.automaton.accepting(state):
            return False
        known = self._only_stop.get(state)
        if known is None:
            dead_end = bool((self.automaton.row(state) == DEAD).all())
            known = dead_end or (not self._every_state_live and not any(map(self.live, self._successors(state))))
            self._only_stop[state] = known
        return known

    def live(self, state: int) -> bool:
        """Whether some string can be finished from `state` with tokens of this vocabulary."""
        if self._every_state_live:
            return True
        with self._lock:
            if state not in self._live:
                self._look(state)
            return self._live[state]

    def _look(self, start: int) -> None:
        came_from: dict[int, int | None] = {start: None}
        todo = [start]
        for state in todo:  # grows while it is read: breadth first
            if self.automaton.accepting(state) or self._live.get(state):
                step: int | None = state
                while step is not None:
                    self._live[step] = True
                    step = came_from[step]
                return
            for after in self._successors(state):
                if after not in came_from and self._live.get(after) is not False:
                    came_from[after] = state
                    todo.append(after)
        self._live.update(dict.fromkeys(came_from, False))  # nothing accepts anywhere behind `start`

    def _successors(self, state: int) -> list[int]:
        return np.unique(self._ends(state)[1]).tolist()

    def _ends(self, state: int) -> tuple[np.ndarray, np.ndarray]:
        """The trie nodes that are whole tokens and that the automaton can read, and the states after them."""
        nodes, states = walk(self.automaton, state, self.trie)
        whole = self.trie.token_start[nodes + 1] > self.trie.token_start[nodes]
        return nodes[whole], states[whole]

    def _make(self, state: int) -> np.ndarray:
        nodes, states = self._ends(state)
        if not self._every_state_live:
            live = [s for s in np.unique(states).tolist() if self.live(s)]
            nodes = nodes[np.isin(states, live)]
        trie = self.trie
        if len(nodes) > len(trie) // 16:
            reached = np.zeros(len(trie) + 1, bool)
            reached[nodes] = True
            allowed = reached[trie.node_of]
        else:
            allowed = np.zeros(len(self.vocabulary), bool)
            starts = trie.token_start[nodes]
            many = trie.token_start[nodes + 1] - starts
            total = int(many.sum())
            allowed[trie.tokens[np.repeat(starts - (np.cumsum(many) - many), many) + np.arange(total)]] = True
        if self.automaton.accepting(state):
            allowed[list(self.vocabulary.eos)] = True
        return pack(allowed)
