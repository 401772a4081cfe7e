"""The KV tree: keys and values of every row of every state of one model, each (prefix, token) stored once.

A `TreeNode` is a run of tokens that hangs on a point of another node's run. A row holds a `Claim` on a point: a node
and how many of its tokens count. Forking, selecting and cropping rows copy claims. Nothing is ever overwritten, because
a run grows only where it ends; and tokens that no claim reaches are freed, one by one.

The tensors live in a `Pool` of slots, one token each. So a crop that outlives its row keeps only its own tokens alive.

Grafts (`forward.py`) are the one exception to the first line: nodes whose keys and values were computed after other
tokens. Such a node is no child of the node that it hangs on, and only a claim on it, or below it, leads there.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain, count, starmap
from typing import Any
from weakref import WeakValueDictionary, ref

import numpy as np
from torch import Tensor

from outlines_cont.kv.pool import ChangeGuard, LogitCache, LogitLine, Pool, SlotPool, Torn
from outlines_cont.prefixes import common_length
from outlines_cont.processes import ProcessBound, ProcessBoundValue, whole_at_fork

TreePoint = tuple["TreeNode", int]  # after so many tokens of a node's run


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
    """A hold on all tokens up to a point: it keeps their keys and values alive, unless the tree evicts it."""

    __slots__ = ("__weakref__", "point", "stamp", "tree")
    _instead = "keys and values are computed anew where they are needed"

    def __init__(self, tree: Tree, point: TreePoint):
        self.tree, self.point, self.stamp = tree, point, tree.clock
        node, size = point
        node.uses[size] = node.uses.get(size, 0) + 1

    def __del__(self, exiting: Callable[[], bool] = sys.is_finalizing) -> None:
        """It lives on until the tree, under its lock, has given up its hold: another thread may be evicting it."""
        if not exiting() and hasattr(self, "stamp"):  # else an interrupt came while it was made
            self.tree.release(self)

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
    """The slots and logits of a node, to be given back when it is gone, unless the slots were `lent` to it."""

    slots: array[int]
    logits: dict[int, LogitLine]
    lent: bool = False


class Tree(ProcessBound):
    """All nodes of one model in one version of its parameters.

    `budget`: bytes of keys and values, or None. Beyond it the claims of values that are not in use are evicted, least
    recently used first; keys and values that a running pass needs are kept even beyond the budget.
    """

    _instead = "keys and values are computed anew where they are needed"

    def __init__(self, budget: int | None = None, pool: SlotPool | None = None) -> None:
        self.pool: SlotPool = Pool() if pool is None else pool
        self.budget = budget
        self.lock = whole_at_fork(threading.Lock())
        self.changing = ChangeGuard(self._drop_all)
        self.dead = False  # it holds nothing and will hold nothing
        self.clock = 0  # counts passes
        self._busy = False
        self._loose: np.ndarray | None = None  # slots that a pass took and has not stored yet
        self._released: deque[Claim | NodeRemains] = deque()
        self._owned: dict[NodeRemains, ref[object]] = {}  # what is to be given back, and whose it is
        self._lent: dict[NodeRemains, ref[object]] = {}  # the same of all grafts
        self.claims: dict[int, ref[Claim]] = {}  # those of rows, by id: what may be evicted
        self.logit_cache = LogitCache()
        self.lenders: WeakValueDictionary[tuple[tuple[int, ...], int, int], Any] = WeakValueDictionary()  # of grafts
        self.root = TreeNode(self, None)

    @property
    def bytes(self) -> int:
        """Bytes of the keys and values that live claims reach."""
        with self.lock, self.changing:
            self._drain()
            self._squeeze()
            return self.pool.used * self.pool.slot_bytes

    @property
    def allocated(self) -> int:
        """Bytes of the buffers, free slots included."""
        with self.lock, self.changing:
            self._drain()
            self._squeeze()
            return self.pool.nbytes

    # --- claims

    def find(self, ids: Sequence[int], claim: Claim | None = None, head: Sequence[int] = ()) -> Claim | None:
        """A claim on the longest prefix of the row `head + ids` that the tree holds.

        `claim` is a claim on some prefix of the row; where it covers the head, the head is not looked at.
        """
        return self.find_all([(ids, claim, head)])[0]

    def find_all(self, rows: Iterable[tuple[Sequence[int], Claim | None, Sequence[int]]]) -> list[Claim | None]:
        """`find` for many rows: (ids, claim, head) of each."""
        with self.lock, self.changing:
            if self._released:
                self._drain()
            return [None for _ in rows] if self.dead else [*starmap(self._found, rows)]

    def _found(self, ids: Sequence[int], claim: Claim | None, head: Sequence[int]) -> Claim | None:
        node, size = claim.point if claim is not None and claim.tree is self else (self.root, 0)
        depth, length, start = node.depth + size, len(head) + len(ids), len(head)
        if depth > length:
            depth, (node, size) = length, above((node, size), length)
        if depth < start:
            ids, start = (*head, *ids), 0
        if depth > start:
            assert node.ids[size - 1] == ids[depth - start - 1], "a claim on other tokens"
        point = self._descend((node, size), ids, start)
        if claim is not None and claim.point == point:
            claim.stamp = self.clock
            return claim
        return self.hold(point) if point[0].depth + point[1] else None

    def crop(self, claim: Claim, depth: int) -> Claim | None:
        """A claim on the first `depth` tokens of another claim; the same claim if it has no more."""
        with self.lock, self.changing:
            if self.dead or depth <= 0:
                return None
            self._drain()
            return claim if depth >= claim.depth else self.hold(above(claim.point, depth))

    def hold(self, point: TreePoint) -> Claim:
        """A row's claim on a point; the caller holds the lock."""
        claim = Claim(self, point)
        self.claims[id(claim)] = ref(claim)
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

    @contextmanager
    def planning(self) -> Iterator[None]:
        """Around everything that reads or writes slots: until it ends, no slot moves, and no claim that is used now is
        evicted. Torn if the tree is dead."""
        with self.lock, self.changing:
            if self.dead:
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

    def take(self, number: int) -> np.ndarray:
        """Slots for `number` tokens, int64. They are given back unless `stored()` follows. Idle claims are evicted
        where the budget asks for it."""
        with self.lock, self.changing:
            if self.dead:
                raise Torn
            if self._released:
                self._drain()
            self._make_room(number, 0)
            self._loose = self.pool.take(number)
            return self._loose

    def stored(self, left: np.ndarray | None = None) -> None:
        """Say that all slots that were taken, but for those `left`, belong to nodes now. The caller holds the lock."""
        self._loose = left

    def reclaim(self) -> None:
        """Give back the slots that were taken and are not stored, as a failed pass leaves some. The caller holds the
        lock."""
        self._drain()
        if self._loose is not None and not self.dead:
            self.pool.give(self._loose)
        self._loose = None

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
                self.release(remains)

        (self._lent if remains.lent else self._owned)[remains] = ref(owner, gone)

    def release(self, gone: Claim | NodeRemains) -> None:
        """A claim is gone, or a node is. This runs wherever the interpreter drops them, maybe while this thread holds
        the lock: then the next operation cleans up."""
        self._released.append(gone)
        # Never `acquire` and then `try`: an interrupt in between would keep the lock for ever. There is no deadlock
        # between trees: a thread that waits here holds no other tree's lock, else it would have found that one locked.
        if not self.lock.locked():
            with self.lock, self.changing:
                self._drain()

    def _drain(self) -> None:
        while self._released:
            gone = self._released.popleft()
            if self.dead:  # its memory is closed; what goes with this one comes here, too
                pass
            elif isinstance(gone, Claim):
                self.claims.pop(id(gone), None)
                self._free(*gone.point)
            else:
                (self._lent if gone.lent else self._owned).pop(gone, None)
                if not gone.lent:
                    self.pool.give(gone.slots)
                for line in gone.logits.values():
                    self.logit_cache.drop(line)
                del gone.slots[:]  # a garbage collection may find a node before its claims
                gone.logits.clear()
            del gone  # a node may go with it, and release its own claim

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
        for remains in chain(self._owned, self._lent):
            remains.slots[:] = array("q", moved[np.frombuffer(remains.slots, np.int64)].tobytes())

    def clear(self) -> None:
        """Give all memory back: nobody will ask this tree for anything again, though old claims still point into it."""
        with self.lock, self.changing:
            self._drop_all()

    def _drop_all(self) -> None:
        self.dead = True
        self.pool.close()
        self.pool = Pool()
        self._loose = None
        for remains in chain(self._owned, self._lent):
            remains.logits.clear()
        self.logit_cache = LogitCache()

    # --- the budget

    def trim(self) -> None:
        """Evict the claims that the budget does not allow for."""
        with self.lock, self.changing:
            self._drain()
            self._make_room(0, 0)
            self._squeeze()

    def make_room(self, slots: int, nodes: int) -> bool:
        """Evict idle claims until so many more slots and nodes fit; whether they do."""
        with self.lock, self.changing:
            if self.dead:
                raise Torn
            self._drain()
            self._make_room(slots, nodes)
            return self._holds(slots, nodes, None)

    def evict(self) -> None:
        """Evict all claims that are not in use."""
        with self.lock, self.changing:
            if not self.dead:
                self._drain()
                self._make_room(0, 0, everything=True)

    @property
    def nodes(self) -> int:
        """How many nodes there are, but for the root and for grafts, which have no slots of their own."""
        return len(self._owned)

    def live_nodes(self) -> list[TreeNode]:
        """All nodes but the root, in any order. The caller holds the lock."""
        owners = [owner() for owner in chain(self._owned.values(), self._lent.values())]
        return [owner for owner in owners if isinstance(owner, TreeNode)]

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
            self._drain()
            while not node.uses and node.base is not None:
                node = node.base.point[0]  # nobody holds the one below any more: it lets go of this one
                self._drain()
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
            every = ((each, size) for each in (*self._owned, *self._lent) for size in [*each.logits])
            for holder, size in (above(claim.point, depth) for depth in depths) if claim else every:
                if (line := holder.logits.pop(size, None)) is not None:
                    self.logit_cache.drop(line)
