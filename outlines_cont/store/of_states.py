"""Keys and values of the rows of a state, beside them in its file: `state.save(path, kv=True)`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from torch import Tensor

from outlines_cont import disk_cache
from outlines_cont.engines.protocol import KeptRow
from outlines_cont.engines.slot_model import SlotModel, plain_arithmetic
from outlines_cont.errors import warn
from outlines_cont.files import why
from outlines_cont.kv.pool import Torn
from outlines_cont.kv.radix_tree import Claim, Tree, TreeNode
from outlines_cont.store.copies import copying_engine, planted
from outlines_cont.store.signed import is_signed, secret_of, signature

T = TypeVar("T")

OF_COPIES = "kv."  # the beginning of the names of their tensors
Rows = Sequence[Sequence[KeptRow]]


class SavedCopies(NamedTuple):
    """What a file has of keys and values: entries of its metadata, and tensors."""

    metadata: dict[str, str]
    tensors: dict[str, Tensor]


class KeptRun(NamedTuple):
    """Tokens `start` … `end` - 1 of a row, whose beginning belongs to runs before it."""

    row: int
    start: int
    end: int


NO_COPIES = SavedCopies({}, {})


def copies_of(model: Any, rows: Rows) -> SavedCopies:
    """The keys and values that the tree has of these rows, each once. Those after a graft, which are not exact, are
    left out.

    TypeError or ValueError for a model whose keys and values cannot be copied, and where there is no secret to sign
    them with: it is in the folder of `disk_cache`.
    """
    inner = getattr(model, "language_model", model)
    engine, secret = copying_engine(inner, "kv=True"), _secret()
    flat = [*chain.from_iterable(rows)]

    def copied(tree: Tree) -> tuple[str, dict[str, Tensor]]:
        facts = {"identity": inner.identity, "layout": engine.kv_layout()}
        runs, tensors, written = list[KeptRun](), dict[str, Tensor](), dict[TreeNode, int]()
        claims = [None if row.dead else tree.find(row.ids, row.claim) for row in flat]
        for place, claim in enumerate(claims):
            claim = claim and claim.exact_part()
            if claim is None or (start := _start(claim, written)) == claim.depth:
                continue
            with tree.lock:
                slots = tree.slots(claim.point)[start:]
            copies = engine.copied(tree, slots)
            tensors |= {f"{OF_COPIES}{len(runs)}.{name}": copy for name, copy in copies.items()}
            runs.append(KeptRun(place, start, claim.depth))
        inner._check_version()
        if inner.tree is not tree:  # another thread has changed the model meanwhile
            raise Torn
        return json.dumps({**facts, "runs": runs}), tensors

    text, tensors = _planning(inner, copied)
    return SavedCopies({"kv": text, "kv signature": signature(secret, _about(text, flat), tensors)}, tensors)


def _start(claim: Claim, written: dict[TreeNode, int]) -> int:
    """From which token on the path to a claim is not written yet; from now on it is. written: tokens of each node."""
    node, size = claim.point
    start = claim.depth
    while node.base is not None:
        if (before := written.get(node, 0)) < size:
            start = node.depth + before
            written[node] = size
        node, size = node.base.point
    return start


def restored(model: Any, rows: Rows, copies: SavedCopies, name: str) -> list[Claim]:
    """Claims on the keys and values that a file of this name has for its rows. If it has some that cannot be used, a
    warning says why."""
    if "kv" not in copies.metadata:
        return []
    inner, flat = getattr(model, "language_model", model), [*chain.from_iterable(rows)]
    try:
        return _restored(inner, flat, *copies) if not isinstance(inner, SlotModel) or inner.keeps else []
    except (OSError, TypeError, ValueError, KeyError) as error:
        warn(f"the keys and values in {name} are not used, and computed where they are needed: {why(error)}")
        return []


def _restored(
    inner: SlotModel, rows: Sequence[KeptRow], metadata: Mapping[str, str], copies: Mapping[str, Tensor]
) -> list[Claim]:
    engine, text = copying_engine(inner, "kv=True"), metadata["kv"]
    if not is_signed(metadata.get("kv signature"), _secret(), _about(text, rows), copies):
        raise ValueError("they are damaged, or signed with another secret than that of your cache folder")
    record = json.loads(text)
    if record["identity"] != inner.identity:
        raise ValueError("they are those of other parameters")
    if record["layout"] != engine.kv_layout():
        raise ValueError("they were computed in another way: another version, device, precision or configuration")

    def plant(tree: Tree) -> list[Claim]:
        claims: list[Claim] = []
        for number, (place, start, end) in enumerate(record["runs"]):
            beginning = f"{OF_COPIES}{number}."
            run = {name.removeprefix(beginning): copies[name] for name in copies if name.startswith(beginning)}
            tokens = rows[place].ids[:end]
            claim = tree.find(tokens)
            depth = claim.depth if claim else 0
            if depth >= start:
                claim = planted(engine, tree, tokens, claim, end, [(start, end, run)])
            if claim is not None:
                claims.append(claim)
                inner.stats.restored += claim.depth - depth
        return claims

    claims = _planning(inner, plant)
    inner.tree.trim()
    return claims


def _planning(inner: SlotModel, work: Callable[[Tree], T]) -> T:
    """What some work on the tree of a model gives, done between its passes."""
    with inner._lock, plain_arithmetic(inner.device.type):
        while True:
            inner._check_version()
            with suppress(Torn), inner.tree.planning():
                return work(inner.tree)


def _about(text: str, rows: Sequence[KeptRow]) -> str:
    """What copies are about: what is said of them, and the tokens of all rows."""
    digest = blake2b(digest_size=16)
    for row in rows:
        digest.update(len(row.ids).to_bytes(8, "little"))
        digest.update(np.array(row.ids, np.int64).tobytes())
    return f"outlines_cont state {digest.hexdigest()} {text}"


def _secret() -> bytes:
    """What states of this user are signed with. ValueError if there is no place for it."""
    folder: Path | None = disk_cache.folder()
    if folder is None:
        raise ValueError(
            f"kv=True: keys and values are signed with a secret in the cache folder, and there is none: "
            f"{disk_cache.SWITCH}=FOLDER names one"
        )
    return secret_of(folder)
