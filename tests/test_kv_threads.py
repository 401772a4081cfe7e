"""A KV tree under several threads: what one of them drops is given back once, and nobody else gets hold of it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from test_attention import filled

from outlines_cont.grafts.states import LentSlots
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree


def dropped_meanwhile(drop: Callable[[], object], tree: Tree) -> Callable[[], None]:
    """Another thread drops something, and has told the tree so, but Python is not done with dropping it. What lets it
    go on is given."""
    told, going_on = threading.Event(), threading.Event()
    release = tree.memory.release

    def waiting(gone: Any) -> None:
        release(gone)
        if threading.current_thread() is thread:
            told.set()
            assert going_on.wait(20)

    tree.memory.release = waiting  # type: ignore[method-assign]
    thread = threading.Thread(target=drop)
    thread.start()
    assert told.wait(20)

    def end() -> None:
        going_on.set()
        thread.join()
        tree.memory.release = release  # type: ignore[method-assign]

    return end


@pytest.mark.parametrize("first", [True, False])
def test_a_claim_that_is_evicted_while_another_thread_drops_it_is_given_back_once(first: bool) -> None:
    """first: whether it is evicted before what the tree was told of it is looked at, or after."""
    tree = Tree(pool=(pool := Pool()))
    kept, *idle = filled(tree, [[1, 2], [1, 2, 4], [1, 2, 3], [1, 2, 3]])
    assert kept is not None
    pool.slot_bytes = 1
    kept.stamp = tree.memory.clock = 9
    for claim, stamp in zip(idle, (1, *[2 * (not first)] * 2), strict=True):
        assert claim is not None
        claim.stamp = stamp
    tree.budget = 2
    ends: list[Callable[[], None]] = []

    class Claims(dict[int, Any]):
        """What an eviction looks at, before the other thread begins."""

        def values(self) -> Any:
            values = [*super().values()]
            if not ends:
                ends.append(dropped_meanwhile(idle.pop, tree))
            return values

    del claim
    tree.memory.claims = Claims(tree.memory.claims)
    tree.trim()
    ends[0]()
    prefix = tree.find([1, 2, 3])
    assert prefix is not None
    assert (tree.bytes, kept.depth, prefix.depth, [claim and claim.depth for claim in idle]) == (2, 2, 2, [0, 0])
    idle.clear()
    del kept, prefix
    assert (tree.bytes, tree.pool.used, tree.memory.nodes, len(tree.memory.claims)) == (0, 0, 0, 0)


def test_a_node_that_another_thread_drops_is_not_found() -> None:
    """The plan of a pass may hold a node for longer than its claims do, and is dropped without the lock."""
    tree = Tree(pool=(pool := Pool()))
    long, *claims = filled(tree, [[9] * 1000, [1, 2], [1, 2, 3, 4], [1, 2, 5]])
    end_claim = claims.pop()
    assert end_claim is not None
    nodes = [end_claim.point[0]]
    del end_claim
    with tree.lock:  # as another operation has it
        end = dropped_meanwhile(nodes.clear, tree)
        claims.append(tree._found([1, 2, 5], None, ()))
    end()
    claims += filled(tree, [[1, 2, 5, 6]])
    del long
    assert tree.memory.allocated >= 0 and pool.moves, "slots have moved"
    slots = {slot for claim in claims if claim for slot in tree.slots(claim.point).tolist()}
    assert slots == {*range(tree.pool.used)} and len(slots) == 6
    claims.clear()
    assert (tree.bytes, tree.pool.used, tree.memory.nodes) == (0, 0, 0)


def test_moved_keys_that_another_thread_drops_are_not_lent() -> None:
    tree = Tree()
    lenders = [LentSlots(tree, tree.take(2))]
    tree.stored()
    tree.lenders[(1, 2), 0, 1] = lenders[0]
    with tree.lock:
        end = dropped_meanwhile(lenders.clear, tree)
        lender = tree.lenders.get(((1, 2), 0, 1))
    end()
    assert lender is None
    assert (tree.bytes, tree.pool.used) == (0, 0)


def test_threads_find_drop_and_evict_at_once() -> None:
    """Whatever they do, each token is given back once, when nobody claims it."""
    pool = Pool()
    tree, failures, stop = Tree(pool=pool), list[BaseException](), threading.Event()
    rows = [[1, 2, 3, *end] for end in ([4, 5], [4, 6], [7], [7, 8, 9], [])]

    def written(r: Random) -> None:
        with tree.planning():
            claims = filled(tree, r.sample(rows, 2))
        pool.slot_bytes = 1
        tree.budget = r.randint(0, 6)
        tree.trim()
        del claims

    def evicted(r: Random) -> None:
        tree.evict()

    def looked_up(r: Random) -> None:
        row = r.choice(rows)
        claims = [tree.find(row) for _ in range(50)]
        claims += [claim and claim.crop(r.randint(1, 4)) for claim in claims]
        for claim in filter(None, claims):
            depths = {claim.depth for _ in range(3)} - {0}
            assert len(depths) <= 1, "it is evicted, or it is not"
            assert all(claim.token(depth) in (None, row[depth - 1]) for depth in depths)

    def repeated(work: Callable[[Random], None], r: Random) -> None:
        try:
            while not stop.is_set():
                work(r)
        except BaseException as error:
            failures.append(error)
            stop.set()

    works = [written, evicted, looked_up, looked_up]
    threads = [threading.Thread(target=repeated, args=(work, Random(i))) for i, work in enumerate(works)]
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        stop.wait(2)
        stop.set()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switching)
    assert not failures
    assert (tree.bytes, tree.pool.used, tree.memory.nodes, len(tree.memory.claims), tree.dead) == (0, 0, 0, 0, False)
