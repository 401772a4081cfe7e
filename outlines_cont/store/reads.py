"""When a model asks its store for files, and when it writes them: around its reading of needs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.errors import warn_once
from outlines_cont.kv.needs import Counts, Need
from outlines_cont.kv.pool import Torn
from outlines_cont.kv.radix_tree import Claim, Tree
from outlines_cont.store.copies import Copies, copying_engine, planted
from outlines_cont.store.kv_store import CHUNK, FORMAT, KVStore

FEW = 16  # tokens: shorter readings are not written


class LongRow(NamedTuple):
    """A row that is read: which need it is, its tokens, the names of its whole chunks, how many of its tokens the tree
    had before the pass."""

    place: int
    tokens: tuple[int, ...]
    names: list[str]
    depth: int


class StoredReads:
    """The readings of a `SlotModel` with a store.

    TypeError for what is no store, and for an engine whose keys and values cannot be copied; ValueError, with the
    reason, for a model that keeps none, or where nobody can tell what they depend on.
    """

    def __init__(self, model: Any, store: Any):
        check_store(store)
        self.model, self.engine, self.store = model, copying_engine(model, "store=…"), store

    def read(self, tree: Tree, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None], Counts]:
        """The answer of the model, which finds in its tree what the store had."""
        claims: list[Claim] = []
        rows, restored, version = self._restored(tree, needs, claims)
        answer = _, ended, counts = self.model.read_plainly(tree, needs)
        del claims  # until now they kept what was restored alive
        counts.restored = min(restored, counts.reused)  # some of it may have given way to other rows
        counts.reused -= counts.restored
        if rows:
            self._keep(tree, rows, ended, version)
        return answer

    def _restored(self, tree: Tree, needs: Sequence[Need], claims: list[Claim]) -> tuple[list[LongRow], int, int]:
        """The rows of which so many tokens are read that it may concern the store, how many tokens of theirs came from
        there, and the version of the model, before it was asked for its identity. claims: gets those on them."""
        long = [(place, need) for place, need in enumerate(needs) if _missing(tree, need) >= FEW]
        if not long:
            return [], 0, 0
        version = self.model.engine.version()
        try:
            begin = f"{FORMAT} {self.model.identity} {self.engine.kv_layout()}"
        except ValueError as error:
            warn_once(f"the store in {self.store.folder} is not used: {error}", str(error))
            return [], 0, 0
        rows, restored = list[LongRow](), 0
        with tree.planning():
            for place, need in long:
                tokens = need.tokens
                claim = tree.find(tokens, need.claim)
                depth = claim.depth if claim else 0
                if claim is not None and claim.exact_depth is not None:
                    continue  # what follows a graft is no prefix's
                names = names_of(begin, tokens)
                most = need.wanted[0] if need.wanted else len(tokens)  # else tokens would be read again for the logits
                if most - depth >= CHUNK:
                    claim = self._planted(tree, tokens, claim, most, names)
                    restored += (claim.depth if claim else 0) - depth
                if claim is not None:
                    claims.append(claim)
                rows.append(LongRow(place, tokens, names, claim.depth if claim else 0))
        return rows, restored, version

    def _planted(
        self, tree: Tree, tokens: tuple[int, ...], claim: Claim | None, most: int, names: list[str]
    ) -> Claim | None:
        """A claim on as much of a row's first tokens, at most so many, as the tree and the store have together."""
        first = (claim.depth if claim else 0) // CHUNK
        wanted = names[first : -(-most // CHUNK)]
        copies = [*self.store.found(wanted)]
        if not copies:
            return claim
        for name, when in _used(names[: first + len(copies)]):
            self.store.touched(name, when)
        end = min((first + len(copies)) * CHUNK, most)
        spans = [(at * CHUNK, (at + 1) * CHUNK, each) for at, each in enumerate(copies, first)]
        return planted(self.engine, tree, tokens, claim, end, spans)

    def _keep(self, tree: Tree, rows: Sequence[LongRow], claims: Sequence[Claim | None], version: int) -> None:
        """Write the whole chunks of these rows that are not there yet, if much of a row was read. version: of
        the model, before the pass."""
        if self.model.engine.version() != version:
            return  # another thread has changed the model meanwhile: nobody knows what was computed
        spared = {name for row in rows for name in row.names}
        try:
            with tree.planning():
                with tree.lock:
                    for claim in filter(None, claims):
                        claim.stamp = tree.memory.clock  # in use: another thread evicts it no more
                self.store.write(self._chunks(tree, rows, claims), spared)
        except Torn:
            pass  # what was read is gone already

    def _chunks(
        self, tree: Tree, rows: Sequence[LongRow], claims: Sequence[Claim | None]
    ) -> Iterator[tuple[str, int, Copies]]:
        """The chunks to write: the name, when it was used, the copies."""
        done = set[str]()
        for row in rows:
            if (claim := claims[row.place]) is None:
                continue
            with tree.lock:
                slots, exact = tree.slots(claim.point), claim.exact_depth
            depth = len(slots) if exact is None else min(exact, len(slots))
            if depth - row.depth < FEW:
                continue
            names = row.names[: depth // CHUNK]
            used = enumerate(_used(names))
            new = [(at, *each) for at, each in used if each[0] not in done and not self.store.touched(*each)]
            done.update(names)
            for at, name, when in new:
                yield name, when, self.engine.copied(tree, slots[at * CHUNK : (at + 1) * CHUNK])


def _used(names: Sequence[str]) -> list[tuple[str, int]]:
    """The names of a row's chunks, and when they count as used: now; the last ones, which are deleted first, before."""
    now = time.time_ns()
    return [(name, now - 1000 * place) for place, name in enumerate(names)]


def check_store(store: Any) -> None:
    """TypeError for what is no `KVStore`."""
    if not isinstance(store, KVStore):
        right = f": oc.store.KVStore({shown(str(store))})" if isinstance(store, str) or hasattr(store, "parts") else ""
        raise TypeError(f"store={shown(store)}: it is a KVStore{right}")


def names_of(begin: str, tokens: Sequence[int]) -> list[str]:
    """The names of the whole chunks of a row: each a digest of `begin` and of all tokens up to its end."""
    ids = np.array(tokens, np.int64)
    digest, names = blake2b(begin.encode(), digest_size=20), list[str]()
    for at in range(0, len(ids) - CHUNK + 1, CHUNK):
        digest.update(ids[at : at + CHUNK].tobytes())
        names.append(digest.hexdigest())
    return names


def _missing(tree: Tree, need: Need) -> int:
    """At most how many tokens are read for a need."""
    if not need.wanted and need.keep >= need.length:
        return 0  # it waits
    claim = need.claim
    return need.length - (claim.depth if claim is not None and claim.tree is tree else 0)
