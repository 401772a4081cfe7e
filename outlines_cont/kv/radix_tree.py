"""The KV tree: keys and values of every row of every state of one model, each (prefix, token) stored once.

A `TreeNode` is a run of tokens that hangs on a point of another node's run. A row holds a `Claim` on a point: a node
and how many of its tokens count. Forking, selecting and cropping rows copy claims. Nothing is ever overwritten, because
a run grows only where it ends; and tokens that no claim reaches are freed, one by one.

The tensors live in a `Pool` of slots, one token each. So a crop that outlives its row keeps only its own tokens alive.
What a tree shares with the trees beside it is in `memory.py`.

Grafts (`forward.py`) are the one exception to the first line: nodes whose keys and values were computed after other
tokens. Such a node is no child of the node that it hangs on, and only a claim on it, or below it, leads there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import chain, starmap
from typing import Any
from weakref import WeakValueDictionary, ref

import numpy as np
from torch import Tensor

from outlines_cont.kv.memory import Claim, KVMemory, NodeRemains, TreeNode, TreePoint, above
from outlines_cont.kv.pool import SlotPool
from outlines_cont.prefixes import common_length
from outlines_cont.processes import ProcessBound


class Tree(ProcessBound):
    """All nodes of one model under one setting of its parameters, in one version of them.

    budget, pool: of a memory of its own, see `KVMemory`. beside: a tree whose memory it shares, instead.
    """

    _instead = "keys and values are computed anew where they are needed"

    def __init__(self, budget: int | None = None, pool: SlotPool | None = None, beside: Tree | None = None) -> None:
        self.memory = KVMemory(budget, pool) if beside is None else beside.memory
        memory = self.memory
        self.lock, self.changing, self.take, self.stored = memory.lock, memory.changing, memory.take, memory.stored
        self.trim, self.evict, self.make_room, self.clear = memory.trim, memory.evict, memory.make_room, memory.clear
        self.reclaim = memory.reclaim
        self._dropped = False
        self.lenders: WeakValueDictionary[tuple[tuple[int, ...], int, int], Any] = WeakValueDictionary()  # of grafts
        self.root = TreeNode(self, None)

    # --- the memory

    @property
    def dead(self) -> bool:
        """Whether it holds nothing and will hold nothing."""
        return self._dropped or self.memory.dead

    @property
    def pool(self) -> SlotPool:
        """The slots of the memory."""
        return self.memory.pool

    @property
    def budget(self) -> int | None:
        """The most bytes of the memory; None for no bound."""
        return self.memory.budget

    @budget.setter
    def budget(self, budget: int | None) -> None:
        self.memory.budget = budget

    @property
    def bytes(self) -> int:
        """Bytes of the keys and values that live claims reach, in all trees of the memory."""
        return self.memory.bytes

    def drop(self) -> None:
        """Give back what this tree holds, and nothing of the trees beside it. Old claims still point into it."""
        with self.lock, self.changing:
            if not self.dead:
                self.memory.drop(self)
                self._dropped = True

    # --- claims

    def find(self, ids: Sequence[int], claim: Claim | None = None, head: Sequence[int] = ()) -> Claim | None:
        """A claim on the longest prefix of the row `head + ids` that the tree holds.

        `claim` is a claim on some prefix of the row; where it covers the head, the head is not looked at.
        """
        return self.find_all([(ids, claim, head)])[0]

    def find_all(self, rows: Iterable[tuple[Sequence[int], Claim | None, Sequence[int]]]) -> list[Claim | None]:
        """`find` for many rows: (ids, claim, head) of each."""
        with self.lock, self.changing:
            self.memory.drain()
            return [None for _ in rows] if self.dead else [*starmap(self._found, rows)]

    def _found(self, ids: Sequence[int], claim: Claim | None, head: Sequence[int]) -> Claim | None:
        begun = None if claim is None else claim.within(self)
        node, size = (self.root, 0) if begun is None else begun.point
        depth, length, start = node.depth + size, len(head) + len(ids), len(head)
        if depth > length:
            depth, (node, size) = length, above((node, size), length)
        if depth < start:
            ids, start = (*head, *ids), 0
        if depth > start:
            assert node.ids[size - 1] == ids[depth - start - 1], "a claim on other tokens"
        point = self._descend((node, size), ids, start)
        if claim is not None and claim.point == point:
            claim.stamp = self.memory.clock
            return claim
        beside = () if claim is None or (claim.tree is self and not claim.beside) else self._others(claim)
        return self.hold(point, beside) if beside or point[0].depth + point[1] else None

    def _others(self, claim: Claim) -> tuple[Claim, ...]:
        """What a claim, and those beside it, hold in other trees of the memory, each as a claim of its own."""
        held: list[Claim] = []
        for each in (claim, *claim.beside):
            if each.tree is not self and each.tree.memory is self.memory and not each.tree.dead and each.depth:
                held.append(each.tree.hold(each.point))
                held[-1].stamp = each.stamp  # it was not used now
        return tuple(held)

    def crop(self, claim: Claim, depth: int) -> Claim | None:
        """A claim on the first `depth` tokens of another claim; the same claim if it has no more."""
        with self.lock, self.changing:
            if depth <= 0 or (self.dead and not claim.beside):
                return None
            self.memory.drain()
            if not claim.beside:
                return claim if depth >= claim.depth else self.hold(above(claim.point, depth))
            live = [each for each in (claim, *claim.beside) if not each.tree.dead]
            if not live or all(depth >= each.depth for each in live):
                return claim if live else None
            first, *others = (each.tree.hold(above(each.point, min(depth, each.depth))) for each in live)
            first.beside = tuple(others)
            return first

    def hold(self, point: TreePoint, beside: tuple[Claim, ...] = ()) -> Claim:
        """A row's claim on a point, which may be evicted; the caller holds the lock. beside: see `Claim`."""
        claim = Claim(self, point, beside)
        self.memory.claims[id(claim)] = ref(claim)
        return claim

    def _descend(self, point: TreePoint, ids: Sequence[int], start: int) -> TreePoint:
        """Follow a row, ids from position `start` on, down from a point that agrees with its beginning."""
        node, size = point
        at = node.depth + size - start
        while at < len(ids):
            if size < len(node.ids):
                most = min(len(node.ids) - size, len(ids) - at)
                step = common_length(tuple(node.ids[size : size + most]), tuple(ids[at : at + most]))
                size, at = size + step, at + step
            child = node.children.get((size, ids[at])) if at < len(ids) else None
            if child is None or not child.ids:  # a node without claims, which somebody holds
                break
            node, size = child, 0
        return node, size

    def slots(self, point: TreePoint) -> np.ndarray:
        """The slots of all tokens up to a point, in order: int64 `[depth]`."""
        parts: list[np.ndarray] = []
        node, size = point
        while node.base is not None:
            parts.append(np.array(node.slots[:size], np.int64))
            node, size = node.base.point
        return np.concatenate([*parts[::-1], np.empty(0, np.int64)])

    # --- passes

    def planning(self) -> AbstractContextManager[None]:
        """Around everything that reads or writes slots: until it ends, no slot moves, and no claim that is used now is
        evicted. Torn if the tree is dead."""
        return self.memory.planning(self)

    def store(self, point: TreePoint, ids: Sequence[int], slots: np.ndarray) -> TreePoint:
        """Hang tokens on a point. They lengthen its run if it ends there, else they go into a new node: so the tokens
        of older claims never change. Returns the point where they begin. The caller holds the lock, and claims the
        tokens that it wants to keep."""
        node, size = point
        if size < len(node.ids) or node is self.root or node.lender is not None:
            child = self.new_node(point)
            node.children[size, ids[0]] = child
            node, size = child, 0
        node.slots.frombytes(slots.tobytes())
        node.ids.extend(ids)
        return node, size

    def new_node(self, point: TreePoint, lender: object | None = None) -> TreeNode:
        """A node without tokens that hangs on a point, and is nobody's child yet; `lender`: of a graft. The caller
        holds the lock."""
        return TreeNode(self, Claim(self, point), lender)

    # --- giving back

    def register(self, owner: object, remains: NodeRemains) -> None:
        """Note what is to be given back when its owner is gone. The caller holds the lock.

        No `__del__` does it: while one runs, another thread still gets its object by a weak reference, and would go on
        with what is being given back. When the callback of a weak reference runs, nobody can get the object any more.
        """

        def gone(_: object, exiting: Callable[[], bool] = sys.is_finalizing) -> None:
            if not exiting():  # then modules and memory are gone already
                memory.release(remains)

        remains.tree, memory = self, self.memory
        (memory.lent if remains.lent else memory.owned)[remains] = ref(owner, gone)

    def live_nodes(self) -> list[TreeNode]:
        """All nodes but the root, in any order. The caller holds the lock."""
        owners = [owner() for owner in chain(self.memory.owned.values(), self.memory.lent.values())]
        return [owner for owner in owners if isinstance(owner, TreeNode) and owner.tree is self]

    # --- kept logits

    def kept_logits(self, point: TreePoint) -> Tensor | None:
        """The logits `[V]` after a point, if they are remembered."""
        node, size = point
        line = node.logits.get(size)
        return None if line is None else line[0].logits[line[1]]

    def kept_logits_along(self, claim: Claim, depths: Iterable[int]) -> dict[int, Tensor]:
        """The logits `[V]` after the first tokens of a claim's path, so many, where they are remembered."""
        with self.lock, self.changing:
            points = {depth: above(claim.point, depth) for depth in depths if 0 < depth <= claim.depth}
            kept = {depth: self.kept_logits(point) for depth, point in points.items()}
        return {depth: logits for depth, logits in kept.items() if logits is not None}

    def forget_logits(self, claim: Claim | None = None, depths: Iterable[int] = ()) -> None:
        """Drop all kept logits, or those after so many first tokens of a claim's path: who asks has them read again."""
        with self.lock, self.changing:
            remains = [each for each in (*self.memory.owned, *self.memory.lent) if each.tree is self]
            every = ((each, size) for each in remains for size in [*each.logits])
            for holder, size in (above(claim.point, depth) for depth in depths) if claim else every:
                if (line := holder.logits.pop(size, None)) is not None:
                    self.memory.logit_cache.drop(line)
