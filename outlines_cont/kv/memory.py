"""The memory of the KV trees of one model: nodes, claims on them, and what of it is given up when it is full.

A model has a tree for each setting of its parameters. They share this memory: its slots, its budget, its lock, and the
order in which idle claims are evicted.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, count
from typing import Any
from weakref import WeakValueDictionary, ref

import numpy as np

from outlines_cont.kv.pool import ChangeGuard, LogitCache, LogitLine, Pool, SlotPool, Torn
from outlines_cont.processes import ProcessBound, ProcessBoundValue, whole_at_fork

TreePoint = tuple["TreeNode", int]  # after so many tokens of a node's run
Tree = Any  # that of `radix_tree.py`, which stands upon this


class TreeNode:
    """A run of tokens below a point of the parent's run; `slots[i]` holds the keys and values of `ids[i]`.

    exact: how many tokens stand before the first graft on the path to it; None if there is none.
    lender: of a graft, what keeps its slots, which others read, too: so it never grows.
    """

    __slots__ = (
        "__weakref__", "base", "children", "depth", "exact", "ids", "lender", "logits", "slots", "tree", "uses",
    )  # fmt: skip

    def __init__(self, tree: Tree, base: Claim | None, lender: object | None = None):
        self.tree = tree
        self.base = base
        self.depth: int = base.depth if base else 0
        self.exact: int | None = base.point[0].exact if base else None
        self.lender = lender
        self.ids: list[int] = []
        self.slots = array("q")
        self.uses: dict[int, int] = {}  # how many claims end after so many tokens of the run
        self.children: WeakValueDictionary[tuple[int, int], TreeNode] = WeakValueDictionary()
        self.logits: dict[int, LogitLine] = {}  # after so many tokens of the run
        if base is not None:
            tree.register(self, NodeRemains(self.slots, self.logits, lender is not None))


class Claim(ProcessBoundValue):
    """A hold on all tokens up to a point: it keeps their keys and values alive, unless the tree evicts it.

    beside: claims on beginnings of the row in other trees of the memory, one in each: so a row that is read under
    several settings of the parameters holds what was computed under each. They have none beside them.
    """

    __slots__ = ("__weakref__", "beside", "point", "stamp", "tree")
    _instead = "keys and values are computed anew where they are needed"

    def __init__(self, tree: Tree, point: TreePoint, beside: tuple[Claim, ...] = ()):
        self.tree, self.point, self.beside, self.stamp = tree, point, beside, tree.memory.clock
        node, size = point
        node.uses[size] = node.uses.get(size, 0) + 1

    def __del__(self, exiting: Callable[[], bool] = sys.is_finalizing) -> None:
        """It lives on until the tree, under its lock, has given up its hold: another thread may be evicting it."""
        if not exiting() and hasattr(self, "stamp"):  # else an interrupt came while it was made
            self.tree.memory.release(self)

    @property
    def depth(self) -> int:
        """How many tokens of a row it covers; 0 once it is evicted."""
        node, size = self.point  # once: another thread may evict it
        return node.depth + size

    def __repr__(self) -> str:
        return f"Claim({'of a tree that was dropped' if self.tree.dead else f'{self.depth} tokens'})"

    def token(self, depth: int) -> int | None:
        """The last of its first `depth` tokens; None once it is evicted."""
        node, size = point = self.point
        if depth < node.depth + size:
            node, size = above(point, depth)
        token = next(iter(node.ids[size - 1 : size]), None)
        return token if self.point is point else None  # evicted just now: other tokens may stand there

    def within(self, tree: object) -> Claim | None:
        """It, or the claim beside it, whichever is on this tree."""
        return next((each for each in (self, *self.beside) if each.tree is tree), None)

    def crop(self, depth: int) -> Claim | None:
        """The claim on the first `depth` tokens only."""
        return self.tree.crop(self, depth)

    @property
    def exact_depth(self) -> int | None:
        """How many tokens stand before the graft that it reads; None if it reads none."""
        return None if self.tree.dead else self.point[0].exact

    def exact_part(self) -> Claim | None:
        """The claim on the tokens before the first graft: the same claim if it reads none."""
        return self if (depth := self.exact_depth) is None else self.crop(depth)


def above(point: TreePoint, depth: int) -> TreePoint:
    """The point after the first `depth` tokens of the path to a point."""
    node, _ = point
    while node.base and depth <= node.depth:
        node, _ = node.base.point
    return node, depth - node.depth


def lasting(point: TreePoint) -> TreePoint:
    """What is left of a claim on a point that is evicted: the last point of its path in a graft, which nothing could
    compute again; without a graft nothing, the root."""
    node, size = point
    while node.lender is None and node.base is not None:
        node, size = node.base.point
    return node, size


@dataclass(slots=True, eq=False)
class NodeRemains:
    """The slots and logits of a node, to be given back when it is gone, unless the slots were `lent` to it.

    tree: whose node it is; None until the tree has noted it.
    """

    slots: array[int]
    logits: dict[int, LogitLine]
    lent: bool = False
    tree: Tree | None = None


class KVMemory(ProcessBound):
    """The memory of some trees. Trees pass its members on, and say what each does (`radix_tree.py`).

    `budget`: bytes of keys and values, or None. Beyond it the claims of values that are not in use are evicted, least
    recently used first; keys and values that a running pass needs are kept even beyond the budget.
    """

    _instead = "keys and values are computed anew where they are needed"

    def __init__(self, budget: int | None, pool: SlotPool | None):
        self.pool: SlotPool = Pool() if pool is None else pool
        self.budget = budget
        self.lock = whole_at_fork(threading.Lock())
        self.changing = ChangeGuard(self.drop_all)
        self.dead = False  # it holds nothing and will hold nothing
        self.clock = 0  # counts passes
        self._busy = False
        self._loose: np.ndarray | None = None  # slots that a pass took and has not stored yet
        self._released: deque[Claim | NodeRemains] = deque()
        self.owned: dict[NodeRemains, ref[object]] = {}  # what is to be given back, and whose it is
        self.lent: dict[NodeRemains, ref[object]] = {}  # the same of all grafts
        self.claims: dict[int, ref[Claim]] = {}  # those of rows, by id: what may be evicted
        self.logit_cache = LogitCache()

    @property
    def bytes(self) -> int:
        """Bytes of the keys and values that live claims reach."""
        with self.lock, self.changing:
            self.drain()
            self._squeeze()
            return self.pool.used * self.pool.slot_bytes

    @property
    def allocated(self) -> int:
        """Bytes of the buffers, free slots included."""
        with self.lock, self.changing:
            self.drain()
            self._squeeze()
            return self.pool.nbytes

    @contextmanager
    def planning(self, tree: Tree) -> Iterator[None]:
        """Around everything that reads or writes slots of a tree: until it ends, no slot moves, and no claim that is
        used now is evicted. Torn if the tree is dead."""
        with self.lock, self.changing:
            if tree.dead:
                raise Torn
            if self._released or self._loose is not None:
                self.reclaim()
            if self.pool.roomy:
                self._squeeze()
            self.clock += 1
            self._busy = True
        try:
            yield
        finally:
            self._busy = False
            if self._loose is not None:
                with self.lock, self.changing:
                    self.reclaim()

    def take(self, number: int, later: int = 0) -> np.ndarray:
        """Slots for `number` tokens, int64. They are given back unless `stored()` follows. Idle claims are evicted
        where the budget asks for it. later: how many tokens more the memory should have room for without growing."""
        with self.lock, self.changing:
            if self.dead:
                raise Torn
            if self._released:
                self.drain()
            self._make_room(number + later, 0)
            taken = self.pool.take(number + later)
            self._loose = taken[:number]
            self.pool.give(taken[number:])
            return self._loose

    def stored(self, left: np.ndarray | None = None) -> None:
        """Say that all slots that were taken, but for those `left`, belong to nodes now. The caller holds the lock."""
        self._loose = left

    def reclaim(self) -> None:
        """Give back the slots that were taken and are not stored, as after a failed pass. The caller holds the lock."""
        self.drain()
        if self._loose is not None and not self.dead:
            self.pool.give(self._loose)
        self._loose = None

    def release(self, gone: Claim | NodeRemains) -> None:
        """A claim is gone, or a node is. This runs wherever the interpreter drops them, maybe while this thread holds
        the lock: then the next operation cleans up."""
        self._released.append(gone)
        # Never `acquire` and then `try`: an interrupt in between would keep the lock for ever. There is no deadlock
        # between trees: a thread that waits here holds no other tree's lock, else it would have found that one locked.
        if not self.lock.locked():
            with self.lock, self.changing:
                self.drain()

    def drain(self) -> None:
        """Give back what was released. The caller holds the lock."""
        while self._released:
            gone = self._released.popleft()
            if isinstance(gone, Claim):
                self.claims.pop(id(gone), None)
            if self.dead or gone.tree is None or gone.tree.dead:  # given back; what goes with it comes here, too
                pass
            elif isinstance(gone, Claim):
                self._free(*gone.point)
            else:
                (self.lent if gone.lent else self.owned).pop(gone, None)
                self._give_back(gone)
            del gone  # a node may go with it, and release its own claim

    def _give_back(self, remains: NodeRemains) -> None:
        if not remains.lent:
            self.pool.give(remains.slots)
        for line in remains.logits.values():
            self.logit_cache.drop(line)
        del remains.slots[:]  # a garbage collection may find a node before its claims
        remains.logits.clear()

    def _free(self, node: TreeNode, size: int) -> None:
        node.uses[size] -= 1
        if node.uses[size]:
            return
        del node.uses[size]
        live = max(node.uses, default=0)
        if live < len(node.ids):
            if node.lender is None:
                self.pool.give(node.slots[live:])
            del node.ids[live:], node.slots[live:]
            for beyond in [n for n in node.logits if n > live]:
                self.logit_cache.drop(node.logits.pop(beyond))

    def _squeeze(self) -> None:
        """Give memory back when much of it is free. Only between passes: it moves keys and values."""
        if self._busy or not self.pool.roomy:
            return
        moved = self.pool.squeeze()
        for remains in chain(self.owned, self.lent):
            remains.slots[:] = array("q", moved[np.frombuffer(remains.slots, np.int64)].tobytes())

    def clear(self) -> None:
        """Give all memory back: nobody will ask its trees for anything again, though old claims still point there."""
        with self.lock, self.changing:
            self.drop_all()

    def drop_all(self) -> None:
        """Let all its trees be dead. The caller holds the lock."""
        self.dead = True
        self.pool.close()
        self.pool = Pool()
        self._loose = None
        for remains in chain(self.owned, self.lent):
            remains.logits.clear()
        self.logit_cache = LogitCache()

    def drop(self, tree: Tree) -> None:
        """Give back what one tree holds; the others stay. The caller holds the lock, and lets the tree be dead then."""
        self.drain()
        for group in (self.owned, self.lent):
            for remains in [each for each in group if each.tree is tree]:
                del group[remains]
                self._give_back(remains)
        for claim in [claim_ref() for claim_ref in list(self.claims.values())]:
            if claim is not None and claim.tree is tree:
                self.claims.pop(id(claim), None)

    # --- the budget

    def trim(self) -> None:
        """Evict the claims that the budget does not allow for."""
        with self.lock, self.changing:
            self.drain()
            self._make_room(0, 0)
            self._squeeze()

    def make_room(self, slots: int, nodes: int) -> bool:
        """Evict idle claims until so many more slots and nodes fit; whether they do."""
        with self.lock, self.changing:
            if self.dead:
                raise Torn
            self.drain()
            self._make_room(slots, nodes)
            return self._holds(slots, nodes, None)

    def evict(self) -> None:
        """Evict all claims that are not in use."""
        with self.lock, self.changing:
            if not self.dead:
                self.drain()
                self._make_room(0, 0, everything=True)

    @property
    def nodes(self) -> int:
        """How many nodes there are, but for roots and for grafts, which have no slots of their own."""
        return len(self.owned)

    def _holds(self, slots: int, nodes: int, limit: int | None) -> bool:
        """Whether the memory has room for so many more. limit: how many slots the budget allows."""
        pool, used = self.pool, self.pool.used + slots
        fits = (limit is None or used <= limit) and (pool.most_slots is None or used <= pool.most_slots)
        return fits and (pool.most_nodes is None or self.nodes + nodes <= pool.most_nodes)

    def _make_room(self, slots: int, nodes: int, everything: bool = False) -> None:
        """Evict idle claims at the ends of the tree, least recently used first, until so many more slots and nodes fit,
        or until all are gone. A point above them may become an end when they are gone."""
        size = self.pool.slot_bytes
        limit = self.pool.limit = None if self.budget is None or not size else self.budget // size

        if not everything and self._holds(slots, nodes, limit):
            return
        at = self._claims_by_point()
        ends: list[tuple[int, int, TreePoint]] = []
        queued: set[TreePoint] = set()  # each once: what stands here keeps its node, and that keeps a token above it
        order = count()  # of equally old ones any

        def consider(point: TreePoint) -> None:
            claims = [claim for claim in at.get(point, ()) if id(claim) in self.claims] if point not in queued else None
            if claims and point[0].uses[point[1]] == len(claims):
                used = max(claim.stamp for claim in claims)
                if used < self.clock or not self._busy:
                    heappush(ends, (used, next(order), point))
                    queued.add(point)

        for node in {node: None for node, _ in at}:
            consider((node, max(node.uses)))
        while ends and (everything or not self._holds(slots, nodes, limit)):
            _, _, point = heappop(ends)
            queued.discard(point)
            node = point[0]
            for claim in [claim for claim in at.pop(point, ()) if self.claims.pop(id(claim), None)]:
                upper, length = claim.point = lasting(point)
                upper.uses[length] = upper.uses.get(length, 0) + 1
                del upper
                self._free(*point)
            del point
            self.drain()
            while not node.uses and node.base is not None:
                node = node.base.point[0]  # nobody holds the one below any more: it lets go of this one
                self.drain()
            consider((node, max(node.uses, default=0)))
            del node

    def _claims_by_point(self) -> dict[TreePoint, list[Claim]]:
        """All claims of rows that hold something that could be computed again. Another thread may be dropping some of
        them: those leave `claims` when they are given back."""
        at: dict[TreePoint, list[Claim]] = {}
        for claim in [claim_ref() for claim_ref in list(self.claims.values())]:
            if claim is not None and claim.depth and claim.point[0].lender is None:
                at.setdefault(claim.point, []).append(claim)
        return at
