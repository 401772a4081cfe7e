"""The KV tree: keys and values of every row of every state of one model, each (prefix, token) stored once.

A `Node` is a run of tokens that hangs on a point of another node's run. A row holds a `Claim`: a node and how many of
its tokens count. Forking, selecting and cropping rows copy claims; nothing is ever overwritten, because a run grows
only where it ends, and what no claim reaches is freed, token by token.

The tensors live in a `Pool` of slots, one token each, so that memory follows values exactly: a crop that outlives its
row pins nothing but itself.
"""

from __future__ import annotations

import threading
import weakref
from array import array
from collections import deque
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

KEPT_LOGITS_BYTES = 64 << 20


class Pool:
    """Slots for one token's keys and values in every attention call of the model.

    Per call, two buffers `[kv heads, capacity, head size]`. Not thread-safe: the tree's lock guards it.
    """

    def __init__(self) -> None:
        self.buffers: dict[int, tuple[Tensor, Tensor]] = {}
        self.capacity = 0
        self.free: list[int] = []

    @property
    def used(self) -> int:
        return self.capacity - len(self.free)

    @property
    def slot_bytes(self) -> int:
        """Bytes of one token's keys and values, over all calls."""
        return sum(t.shape[0] * t.shape[2] * t.element_size() for pair in list(self.buffers.values()) for t in pair)

    def take(self, count: int) -> list[int]:
        if count > len(self.free):
            grown = max(256, 2 * self.capacity, self.used + count)
            self.free[:0] = range(grown - 1, self.capacity - 1, -1)
            self.capacity = grown
        slots = self.free[len(self.free) - count :]
        del self.free[len(self.free) - count :]
        return slots[::-1]

    def give(self, slots: Sequence[int]) -> None:
        self.free.extend(reversed(slots))
        if len(self.free) == self.capacity:
            self.buffers.clear()
            self.free.clear()
            self.capacity = 0

    def write(self, call: int, slots: Tensor, keys: Tensor, values: Tensor) -> None:
        """Put keys and values `[kv heads, len(slots), head size]` of one attention call into slots."""
        pair = self.buffers.get(call)
        if pair is None or pair[0].shape[1] < self.capacity:
            pair = self.buffers[call] = (self._grown(pair and pair[0], keys), self._grown(pair and pair[1], values))
        pair[0][:, slots] = keys
        pair[1][:, slots] = values

    def read(self, call: int, slots: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values `[kv heads, len(slots), head size]`."""
        keys, values = self.buffers[call]
        return keys.index_select(1, slots), values.index_select(1, slots)

    def _grown(self, old: Tensor | None, like: Tensor) -> Tensor:
        new = like.new_empty(like.shape[0], self.capacity, like.shape[2])
        if old is not None:
            new[:, : old.shape[1]] = old
        return new

    def compact(self, live: list[int]) -> None:
        """Move the slots `live` to 0 … len(live) − 1 and give the rest of the memory back."""
        self.capacity = max(256, len(live))
        self.free = list(range(self.capacity - 1, len(live) - 1, -1))
        for call, pair in self.buffers.items():
            index = torch.tensor(live, device=pair[0].device)
            keys, values = self.read(call, index)
            self.buffers[call] = (self._grown(keys, keys), self._grown(values, values))


class Node:
    """A run of tokens below a point of the parent's run; `slots[i]` holds the keys and values of `ids[i]`."""

    __slots__ = ("__weakref__", "base", "children", "depth", "ids", "logits", "slots", "uses")

    def __init__(self, base: Claim | None):
        self.base = base
        self.depth: int = base.depth if base else 0
        self.ids: list[int] = []
        self.slots = array("q")
        self.uses: dict[int, int] = {}  # how many claims reach to this point of the run
        self.children: weakref.WeakValueDictionary[tuple[int, int], Node] = weakref.WeakValueDictionary()
        self.logits: dict[int, Tensor] = {}  # after so many tokens of the run


class Claim:
    """The first `size` tokens of a node's run and all that is above: keeps their keys and values alive."""

    __slots__ = ("__weakref__", "node", "size", "tree")

    def __init__(self, tree: Tree, node: Node, size: int):
        self.tree, self.node, self.size = tree, node, size
        node.uses[size] = node.uses.get(size, 0) + 1

    def __del__(self) -> None:
        self.tree.release(self.node, self.size)

    @property
    def depth(self) -> int:
        """How many tokens of a row it covers."""
        return self.node.depth + self.size

    def crop(self, depth: int) -> Claim | None:
        """The claim on the first `depth` tokens only."""
        if depth >= self.depth:
            return self
        if depth <= 0:
            return None
        return self.tree.claim(*self.at(depth))

    def at(self, depth: int) -> tuple[Node, int]:
        """Where the prefix of `depth` tokens ends."""
        node = self.node
        while node.base and depth <= node.depth:
            node = node.base.node
        return node, depth - node.depth


class Tree:
    """All nodes of one model in one version of its parameters."""

    def __init__(self) -> None:
        self.pool = Pool()
        self.lock = threading.Lock()
        self.root = Node(None)
        self._released: deque[tuple[Node, int]] = deque()
        self._nodes: weakref.WeakSet[Node] = weakref.WeakSet()
        self._known_above: WeakKeyDictionary[Node, np.ndarray] = WeakKeyDictionary()
        self._kept: dict[tuple[int, int], weakref.ref[Node]] = {}  # whose logits, oldest first
        self._kept_bytes = 0
        self._blank = np.empty(0, np.int64)

    @property
    def bytes(self) -> int:
        """Bytes of the keys and values that live claims reach."""
        with self.lock:
            self._drain()
            return self.pool.used * self.pool.slot_bytes

    def find(self, ids: Sequence[int], known: Claim | None = None) -> Claim | None:
        """A claim on the longest prefix of ids that the tree holds. `known` is a claim on some prefix of ids."""
        with self.lock:
            self._drain()
            if known is not None and known.tree is not self:
                known = None
            if known is not None and known.size and known.depth <= len(ids):
                assert known.node.ids[known.size - 1] == ids[known.depth - 1], "a claim on other tokens"
            if known is not None and known.depth > len(ids):
                node, size = known.at(len(ids))
            else:
                node, size = (known.node, known.size) if known else (self.root, 0)
            here = (node, size)
            node, size = self.descend(node, size, ids)
            if known is not None and here == (node, size) == (known.node, known.size):
                return known
            return Claim(self, node, size) if node.depth + size else None

    def descend(self, node: Node, size: int, ids: Sequence[int]) -> tuple[Node, int]:
        """Follow ids down from a point that agrees with their beginning. The caller holds the lock."""
        depth = node.depth + size
        while depth < len(ids):
            step = _agreement(node.ids, size, ids, depth)
            size, depth = size + step, depth + step
            child = node.children.get((size, ids[depth])) if depth < len(ids) else None
            if child is None:
                break
            node, size = child, 0
        return node, size

    def claim(self, node: Node, size: int) -> Claim:
        with self.lock:
            self._drain()
            return Claim(self, node, size)

    def release(self, node: Node, size: int) -> None:
        """A claim is gone. This runs wherever the interpreter drops it, maybe while this thread holds the lock: then
        the next operation cleans up."""
        self._released.append((node, size))
        if self.lock.acquire(blocking=False):
            try:
                self._drain()
            finally:
                self.lock.release()

    def _drain(self) -> None:
        while self._released:
            self._free(*self._released.popleft())

    def _free(self, node: Node, size: int) -> None:
        node.uses[size] -= 1
        if node.uses[size]:
            return
        del node.uses[size]
        live = max(node.uses, default=0)
        if live < len(node.ids):
            self.pool.give(node.slots[live:])
            del node.ids[live:], node.slots[live:]
            for gone in [n for n in node.logits if n > live]:
                self._forget(node, gone)

    def extend(self, node: Node, size: int, token: int, slot: int) -> tuple[Node, int]:
        """Add one token below a point; the caller holds the lock and claims what it wants to keep before leaving it.

        In place where the run ends here, else in a new node: what older claims see never changes.
        """
        if size < len(node.ids) or node is self.root:
            child = Node(Claim(self, node, size))
            node.children[(size, token)] = child
            self._nodes.add(child)
            node, size = child, 0
        node.ids.append(token)
        node.slots.append(slot)
        return node, size + 1

    def keep_logits(self, node: Node, size: int, logits: Tensor) -> None:
        """Remember the logits after a point, so that going on from there re-reads nothing. Oldest go first."""
        if size in node.logits:
            self._forget(node, size)
        node.logits[size] = logits
        self._kept[id(node), size] = weakref.ref(node)
        self._kept_bytes += logits.nbytes
        while self._kept_bytes > KEPT_LOGITS_BYTES:
            (_, oldest), reference = next(iter(self._kept.items()))
            old = reference()
            assert old is not None, "a node forgets its logits before it goes"
            self._forget(old, oldest)

    def _forget(self, node: Node, size: int) -> None:
        self._kept_bytes -= node.logits.pop(size).nbytes
        del self._kept[id(node), size]

    def paths(self, points: Iterable[tuple[Node, int]]) -> dict[tuple[Node, int], np.ndarray]:
        """For each point the slots of the prefix that ends there, in order: int64 `[depth]`.

        What lies above a node is remembered from one call to the next, for the nodes of the last call only: walking up
        anew at every step would cost as many steps as beams were reordered.
        """
        above: WeakKeyDictionary[Node, np.ndarray] = WeakKeyDictionary()
        found: dict[tuple[Node, int], np.ndarray] = {}
        for node, size in points:
            if (node, size) in found:
                continue
            if node not in above:
                above[node] = self._above(node)
            found[node, size] = np.concatenate([above[node], np.array(node.slots[:size], np.int64)])
        self._known_above = above
        return found

    def take_blank(self) -> np.ndarray:
        """A place for one int64 per slot, all −1. It is the caller's until `put_blank`: what an interrupt left half
        written is never seen again."""
        blank, self._blank = self._blank, np.empty(0, np.int64)
        return blank if len(blank) >= self.pool.capacity else np.full(self.pool.capacity, -1)

    def put_blank(self, blank: np.ndarray) -> None:
        """Give the place back, all −1 again."""
        self._blank = blank

    def _above(self, node: Node) -> np.ndarray:
        parts: list[np.ndarray] = []
        while (known := self._known_above.get(node)) is None and node.base is not None:
            parts.append(np.array(node.base.node.slots[: node.base.size], np.int64))
            node = node.base.node
        parts.append(np.empty(0, np.int64) if known is None else known)
        return np.concatenate(parts[::-1])

    def clear(self) -> None:
        """Give all memory back: nobody will ask this tree for anything again, though old claims still point into it."""
        with self.lock:
            self.pool.buffers.clear()
            for node in list(self._nodes):
                node.logits.clear()
            self._kept.clear()
            self._kept_bytes = 0

    def compact(self) -> None:
        """Give memory back when most slots are free. Only between forwards: it moves keys and values."""
        with self.lock:
            self._drain()
            if self.pool.capacity <= 1024 or self.pool.used > self.pool.capacity // 4:
                return
            self._known_above = WeakKeyDictionary()
            nodes = list(self._nodes)
            self.pool.compact([slot for node in nodes for slot in node.slots])
            start = 0
            for node in nodes:
                node.slots = array("q", range(start, start + len(node.slots)))
                start += len(node.slots)


def _agreement(run: list[int], i: int, ids: Sequence[int], j: int) -> int:
    """How many tokens of run[i:] and ids[j:] agree."""
    count = min(len(run) - i, len(ids) - j)
    if tuple(run[i : i + count]) == tuple(ids[j : j + count]):
        return count
    return next(k for k in range(count) if run[i + k] != ids[j + k])
