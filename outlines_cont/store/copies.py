"""Copies of keys and values: what an engine offers for them, and how they come back into a KV tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from outlines_cont.errors import ContextFull
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.radix_tree import Claim, Tree

Copies = dict[str, Tensor]  # CPU tensors by names of the engine's choice


class CopyingEngine(Protocol):
    """The members that an `Engine` has beside the others if its keys and values can leave the process: all or none.

    They are called as passes are: one at a time, within `tree.planning()` (but for `kv_layout`).
    """

    def kv_layout(self) -> str:
        """All that keys and values depend on besides the parameters (`identity`) and the tokens.

        Two models of equal identity and equal layout compute equal keys and values up to rounding: so it names the
        engine, the versions of its libraries, the way of computing, the number format and the settings. It is asked for
        often. ValueError, with the reason, if it cannot be told.
        """
        ...

    def copied(self, tree: Tree, slots: np.ndarray, /) -> Copies:
        """The keys and values in these slots, int64 `[n]`, whose tokens stand one after the other in one row."""
        ...

    def put(self, tree: Tree, run: TokenRun, copies: Copies, start: int, /) -> None:
        """Fill the slots of a run with copies.

        The run is stored, its slots are taken, and its parent is a point of the tree. Its tokens are the
        `len(run.ids)` tokens of the copies from the one at `start` on: `run.depth - start` is the position of the
        first token that was copied. ValueError for copies of another form (names, shapes, dtypes). ContextFull where
        there is no room for the copies' other tokens, if the engine needs some meanwhile.
        """
        ...


def copying_engine(model: Any, asked: str) -> CopyingEngine:
    """The engine of a `SlotModel`, whose keys and values can be copied. asked: what needs that, for errors.

    TypeError for any other model or engine; ValueError, with the reason, for a model that keeps nothing, and where
    nobody can tell what keys and values depend on.
    """
    engine = getattr(model, "engine", model)
    if lacking := [name for name in ("kv_layout", "copied", "put") if not hasattr(type(engine), name)]:
        raise TypeError(
            f"{asked}: keys and values of {type(engine).__name__} cannot be copied: it has no {', '.join(lacking)} "
            "(outlines_cont.store.copies.CopyingEngine)"
        )
    if not model.keeps:
        raise ValueError(f"{asked}: {model!r} keeps no keys and values here")
    try:
        engine.kv_layout()
    except ValueError as error:
        raise ValueError(f"{asked}: {error}") from None
    return engine


def planted(
    engine: CopyingEngine,
    tree: Tree,
    tokens: tuple[int, ...],
    claim: Claim | None,
    end: int,
    chunks: Iterable[tuple[int, int, Copies]],
) -> Claim | None:
    """A claim on more of a row: on those of its first `end` tokens whose copies are given. Within `tree.planning()`.

    claim: on what the tree has of the row, nothing of it after a graft. chunks: copies one after the other, each with
    the position of its first token and of the one after its last. Where memory has no room, it reaches less far.
    """
    at = start = 0 if claim is None else claim.depth
    if end <= start or not tree.make_room(len(tokens) - start, 1):
        return claim
    slots = tree.take(end - start, len(tokens) - end)
    for first, last, copies in chunks:
        stop = min(last, end)
        run = TokenRun(tokens[at:stop], (tree.root, 0) if claim is None else claim.point, at)
        run.slots = slots[at - start : stop - start]
        try:
            engine.put(tree, run, copies, at - first)
        except ContextFull:
            return claim
        with tree.lock, tree.changing:
            run.place = tree.store(run.base, run.ids, run.slots)
            claim = tree.hold(run.point(len(run.ids) - 1))
            tree.stored(slots[stop - start :])
        at = stop
    with tree.lock, tree.changing:
        tree.reclaim()
    return claim
