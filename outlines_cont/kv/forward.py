"""From queries to logits: what the tree does not hold is computed once, in runs of new tokens, and stored.

The runs of a call form a trie: tokens that queries share stand in it once. How a pass computes runs is the tier's
business (`hook.py`, `stock.py`); what is computed, stored, claimed and counted is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel

from outlines_cont.kv.logit_cache import KEPT_LOGITS_BYTES
from outlines_cont.kv.radix_tree import Claim, Point, Tree, above

PASS_TOKENS = 8192  # a longer pass is cut: its activations need memory


def device_of(hf: PreTrainedModel) -> torch.device:
    """Where the model takes its token ids; where it runs, if accelerate keeps its weights elsewhere."""
    embedding: Any = hf.get_input_embeddings()
    device = embedding.weight.device
    return device if device.type != "meta" else torch.device(embedding._hf_hook.execution_device)


@dataclass(frozen=True, slots=True)
class Query:
    """Give the logits after each of the tokens at positions `wanted` (ascending) of the row `head + ids`.

    Two parts, because joining them for every token of every row would touch each token at each step.
    """

    ids: tuple[int, ...]
    wanted: tuple[int, ...]
    claim: Claim | None = None
    head: tuple[int, ...] = ()

    @property
    def tokens(self) -> tuple[int, ...]:
        """The row up to the last wanted token."""
        return (self.head + self.ids)[: self.wanted[-1] + 1]


@dataclass(slots=True, eq=False)
class Run:
    """New tokens, one after the other, below a point of the tree or below the whole of another run.

    Not `stored`: tokens of one node whose keys and values the tree has, read again for the logits after them.
    """

    ids: tuple[int, ...] | list[int]
    parent: Run | Point
    depth: int  # the position of its first token
    stored: bool = True
    children: dict[int, Run] = field(default_factory=dict)
    marks: list[tuple[int, int, bool]] = field(default_factory=list)  # (token, line of the answer, a row ends here?)
    slots: np.ndarray | None = None  # int64, one for each token
    place: Point | None = None  # where it begins in the tree

    def point(self, token: int) -> Point:
        """Where one of its tokens stands in the tree, or the last of a run above."""
        assert self.place is not None
        return self.place[0], self.place[1] + token + 1

    @property
    def base(self) -> Point:
        """The point that it hangs on, once what is above it is stored."""
        return self.parent.point(len(self.parent.ids) - 1) if isinstance(self.parent, Run) else self.parent

    def split(self, at: int) -> Run:
        """Keep the first `at` tokens; the others become a run below, or beside it where the tree has them already."""
        marks = [(token - at, line, last) for token, line, last in self.marks if token >= at]
        lower = Run(self.ids[at:], self, self.depth + at, self.stored, self.children, marks)
        for child in lower.children.values():
            child.parent = lower
        if self.stored:
            self.children = {lower.ids[0]: lower}
        else:
            lower.parent = lower.place = self.point(at - 1)
        self.ids, self.marks = self.ids[:at], [mark for mark in self.marks if mark[0] < at]
        return lower


@dataclass(slots=True)
class Counts:
    """What one call cost: tokens computed, passes made, positions not computed again, tokens read again."""

    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0


# One pass over runs, parents first: it fills their slots with keys and values, and gives the logits [wanted, V] at the
# `wanted_tokens` of each, and how many forwards of the model that took.
Forward = Callable[[Tree, Sequence[Run]], tuple[Tensor, int]]


class Work:
    """What a list of queries needs."""

    def __init__(self, tree: Tree, queries: Sequence[Query]):
        self.tree = tree
        self.counts = Counts()
        self.claims: list[Claim | None] = []
        self.ends: list[int] = []  # for each query the line of its last answer, −1 where its claim stands already
        self.kept: dict[int, Tensor] = {}  # line of the answer → logits that the tree remembers
        self.runs: list[Run] = []
        self.lines = 0
        self._below: dict[Point, dict[int, Run]] = {}
        self._rereads: dict[Point, tuple[Run, int]] = {}  # the run and which of its tokens
        for query in queries:
            self._add(query)
        self.counts.reused -= self.counts.tokens + self.counts.reread

    def _add(self, query: Query) -> None:
        size, ids, start = query.wanted[-1] + 1, query.ids, len(query.head)
        if size < start + len(ids):
            ids, start = query.tokens, 0
        claim = self.tree.find(ids, query.claim, query.head[:start])
        depth = claim.depth if claim else 0
        if depth < start:
            ids, start = query.tokens, 0
        wanted = [(position, self.lines + i) for i, position in enumerate(query.wanted)]
        self.lines += len(wanted)
        self.counts.reused += size
        self.claims.append(claim)
        self.ends.append(-1 if depth == size else wanted[-1][1])
        new = []
        for position, line in wanted:
            if position >= depth:
                new.append((position, line))
                continue
            assert claim is not None
            point = above(claim.point, position + 1)
            if (kept := self.tree.kept_logits(point)) is not None:
                self.kept[line] = kept
            else:
                self._reread(point, position, line, line == wanted[-1][1])
        if depth < size:
            self._insert(ids, start, claim.point if claim else (self.tree.root, 0), depth, new)

    def _reread(self, point: Point, position: int, line: int, last: bool) -> None:
        if point not in self._rereads:
            node, size = point
            run, token = self._rereads.get((node, size - 1), (None, 0))
            if run is not None and token == len(run.ids) - 1:  # the token before it is read again, too
                assert isinstance(run.ids, list)
                self._rereads[point] = run, len(run.ids)
                run.ids.append(node.ids[size - 1])
            else:
                parent = above(point, position) if position else (self.tree.root, 0)
                run = Run([node.ids[size - 1]], parent, position, stored=False, place=(node, size - 1))
                self._rereads[point] = run, 0
                self.runs.append(run)
            self.counts.reread += 1
        run, token = self._rereads[point]
        run.marks.append((token, line, last))

    def _insert(
        self, ids: tuple[int, ...], start: int, point: Point, depth: int, wanted: Sequence[tuple[int, int]]
    ) -> None:
        """Put the row, ids from position `start` on, into the trie below a point, and mark where logits are wanted."""
        parent: Run | Point = point
        children = self._below.setdefault(point, {})
        last = wanted[-1][1]
        while depth < start + len(ids):
            new = ids[depth - start :]
            run = children.get(new[0])
            if run is None:
                run = children[new[0]] = Run(new, parent, depth)
                self.counts.tokens += len(new)
                if not isinstance(parent, Run):
                    self.runs.append(run)
            common = _common(run.ids, new)
            end = depth + common
            run.marks += [(at - depth, line, line == last) for at, line in wanted if depth <= at < end]
            if common < min(len(run.ids), len(new)):
                run.split(common)
            parent, children, depth = run, run.children, end

    def end(self) -> None:
        """Runs point up and down; nothing of the tree may live until a garbage collection because of that."""
        stack = self.runs
        while stack:
            run = stack.pop()
            stack += run.children.values()
            run.children = {}

    def passes(self) -> Iterator[list[Run]]:
        """The runs, parents first, in passes that are not too long."""
        batch: list[Run] = []
        room = PASS_TOKENS
        stack = self.runs[::-1]
        while stack:
            run = stack.pop()
            if len(run.ids) > room and not batch:
                lower = run.split(room)
                if not run.stored:
                    stack.append(lower)
            elif len(run.ids) > room:
                yield batch
                batch, room = [], PASS_TOKENS
                stack.append(run)
                continue
            if run.place is not None:
                node, start = run.place
                run.slots = np.array(node.slots[start : start + len(run.ids)], np.int64)
            batch.append(run)
            room -= len(run.ids)
            stack.extend(reversed(run.children.values()))
        if batch:
            yield batch


def _common(run: Sequence[int], ids: Sequence[int]) -> int:
    """How many tokens agree."""
    number = min(len(run), len(ids))
    if run[:number] == ids[:number]:
        return number
    return next(k for k in range(number) if run[k] != ids[k])


def run(forward: Forward, tree: Tree, queries: Sequence[Query]) -> tuple[Tensor, list[Claim | None], Counts]:
    """The logits `[Σ len(wanted), V]` that the queries ask for, and for each a claim on its tokens up to the last
    wanted one. The logits may be the tree's own: they are not to be written to.

    Tokens that rows share are computed once; those in the tree are not computed at all, except where a position's
    logits are wanted but were not kept: that one token is read again without being stored.
    """
    with tree.planning():
        work = Work(tree, queries)
        found = [Found([line], [0], logits[None]) for line, logits in work.kept.items()]
        try:
            for batch in work.passes():
                found.append(_pass(forward, tree, batch, work.counts))
        finally:
            work.end()
    ended = {line: claim for answers in found for line, claim in answers.ended.items()}
    claims = [ended.get(line, claim) for line, claim in zip(work.ends, work.claims, strict=True)]
    return _in_order(found, work.lines), claims, work.counts


@dataclass(slots=True)
class Found:
    """What one pass found: `lines[i]` of the answer is line `at[i]` of its logits."""

    lines: list[int]
    at: list[int]
    logits: Tensor
    ended: dict[int, Claim] = field(default_factory=dict)  # last line of a query → a claim on its tokens
    borders: list[Claim] = field(default_factory=list)  # what a later pass hangs on


def _pass(forward: Forward, tree: Tree, batch: list[Run], counts: Counts) -> Found:
    """Compute runs, and store their keys and values."""
    stored = [run for run in batch if run.stored]
    slots = tree.take(sum(len(run.ids) for run in stored))
    start = 0
    for run in stored:
        run.slots = slots[start : start + len(run.ids)]
        start += len(run.ids)
    logits, passes = forward(tree, batch)
    counts.passes += passes
    found = Found([], [], logits)
    inside = set(map(id, batch))
    kept: dict[Point, int] = {}
    with tree.lock, tree.whole:
        for run in stored:
            assert run.slots is not None
            run.place = tree.store(run.base, run.ids, run.slots)
            if any(id(child) not in inside for child in run.children.values()):
                found.borders.append(tree.hold(run.point(len(run.ids) - 1)))
            for token in {token for token, _, last in run.marks if last}:
                claim = tree.hold(run.point(token))
                found.ended |= {line: claim for at, line, last in run.marks if last and at == token}
        tree.stored()
        here = 0
        for run in batch:
            where = {token: here + i for i, token in enumerate(wanted_tokens(run))}
            here += len(where)
            for token, line, last in run.marks:
                found.lines.append(line)
                found.at.append(where[token])
                if last or logits.nbytes <= KEPT_LOGITS_BYTES:
                    kept[run.point(token)] = where[token]
        if len(kept) < len(logits):  # so many are wanted that only those at the rows' ends are worth their memory
            logits = logits[list(kept.values())]
            kept = {point: i for i, point in enumerate(kept)}
        if kept:
            tree.pages.keep(kept, logits)
    return found


def wanted_tokens(run: Run) -> list[int]:
    """Which of its tokens' logits are wanted, in order."""
    return sorted({token for token, _, _ in run.marks})


def _in_order(found: list[Found], lines: int) -> Tensor:
    """The answer `[lines, V]`, copied only where it has to be put together."""
    order, offset = [0] * lines, 0
    for answers in found:
        for line, at in zip(answers.lines, answers.at, strict=True):
            order[line] = offset + at
        offset += len(answers.logits) * bool(answers.lines)
    parts = [answers.logits for answers in found if answers.lines]  # a pass that was cut off may have none
    logits = parts[0] if len(parts) == 1 else torch.cat(parts)
    if order == list(range(len(logits))):
        return logits
    return logits[torch.tensor(order, device=logits.device)]
