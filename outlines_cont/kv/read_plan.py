"""The tokens that a list of needs needs computed, as runs of new tokens.

The runs of a call form a trie below the points of the KV tree: tokens that needs share stand in it once. Planning
goes by runs and not by tokens, because a prompt may have thousands of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor

from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim, Tree, TreeNode, TreePoint, above
from outlines_cont.prefixes import common_length

PASS_TOKENS = 8192  # a longer pass is cut: its activations need memory


@dataclass(slots=True, eq=False)
class TokenRun:
    """New tokens, one after the other, below a point of the tree or below the whole of another run.

    A run that is not `stored` is tokens of one node whose keys and values the tree has: they are read again for the
    logits after them.
    """

    ids: tuple[int, ...] | list[int]
    parent: TokenRun | TreePoint
    depth: int  # the position of its first token
    stored: bool = True
    children: dict[int, TokenRun] = field(default_factory=dict)
    marks: list[tuple[int, int]] = field(default_factory=list)  # (after which token logits are wanted, their line)
    ends: list[tuple[int, int]] = field(default_factory=list)  # (with which token a need ends, which need)
    slots: np.ndarray | None = None  # int64, one for each token
    place: TreePoint | None = None  # where it begins in the tree

    def point(self, token: int) -> TreePoint:
        """The point of the tree after one of its tokens, once the run is stored."""
        assert self.place is not None
        return self.place[0], self.place[1] + token + 1

    @property
    def base(self) -> TreePoint:
        """The point that it hangs on, once the run above it is stored."""
        return self.parent.point(len(self.parent.ids) - 1) if isinstance(self.parent, TokenRun) else self.parent

    def slots_above(self, tree: Tree) -> np.ndarray:
        """The slots of all tokens above it, in order, for a pass that computes it: int64 `[depth]`."""
        parts: list[np.ndarray] = []
        run = self
        while isinstance(run.parent, TokenRun) and run.parent.place is None:  # computed in the same pass
            run = run.parent
            assert run.slots is not None
            parts.append(run.slots)
        return np.concatenate([tree.slots(run.base), *parts[::-1]])

    def wanted_tokens(self) -> list[int]:
        """The tokens after which logits are wanted, in order."""
        if len(self.marks) == 1:  # as in a decode step
            return [self.marks[0][0]]
        return sorted({token for token, _ in self.marks})

    def split(self, at: int) -> TokenRun:
        """Keep the first `at` tokens; the others become a run below, or, where the run is not stored, one beside it."""
        marks = [(token - at, line) for token, line in self.marks if token >= at]
        ends = [(token - at, need) for token, need in self.ends if token >= at]
        lower = TokenRun(self.ids[at:], self, self.depth + at, self.stored, self.children, marks, ends)
        for child in lower.children.values():
            child.parent = lower
        if self.stored:
            self.children = {lower.ids[0]: lower}
        else:
            lower.parent = lower.place = self.point(at - 1)
        self.ids, self.marks = self.ids[:at], [mark for mark in self.marks if mark[0] < at]
        self.ends = [end for end in self.ends if end[0] < at]
        return lower


@dataclass(slots=True)
class Counts:
    """The cost of one call: tokens computed, passes made, positions not computed again, tokens read again."""

    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0

    def add(self, other: Counts) -> None:
        """Count what another call cost, too."""
        self.tokens += other.tokens
        self.passes += other.passes
        self.reused += other.reused
        self.reread += other.reread


class ReadPlan:
    """The runs that a list of needs needs, and the logits and claims that the tree has for them already.

    The answer to the needs has a line of logits for each wanted position, in order.
    """

    def __init__(self, tree: Tree, needs: Sequence[Need]):
        self.tree = tree
        self.counts = Counts()
        self.kept: dict[int, Tensor] = {}  # line of the answer → logits that the tree remembers
        self.runs: list[TokenRun] = []  # those that hang on the tree
        self.lines = 0  # of the answer
        self._below: dict[TreePoint, dict[int, TokenRun]] = {}
        self._rereads: dict[TreePoint, tuple[TokenRun, int]] = {}  # the run and which of its tokens
        rows = [self._row(need) for need in needs]
        self.claims = tree.find_all(rows)  # for each need, on what the tree has of its row already
        for place, (need, (ids, _, head)) in enumerate(zip(needs, rows, strict=True)):
            self._add(place, need, ids, len(head))
        self.counts.reused -= self.counts.tokens + self.counts.reread

    @staticmethod
    def _row(need: Need) -> tuple[tuple[int, ...], Claim | None, tuple[int, ...]]:
        """The row as far as it is read, as `Tree.find` takes it."""
        whole = need.length == len(need.head) + len(need.ids)
        return (need.ids, need.claim, need.head) if whole else (need.tokens, need.claim, ())

    def _add(self, place: int, need: Need, ids: tuple[int, ...], start: int) -> None:
        """ids: of its row, from position `start` to the last one that is read; place: of the need among all."""
        size, claim = start + len(ids), self.claims[place]
        depth = claim.depth if claim else 0
        if not need.wanted and need.keep >= size:
            return  # it waits
        if depth < start:
            ids, start = need.tokens, 0
        wanted = [(position, self.lines + i) for i, position in enumerate(need.wanted)]
        self.lines += len(wanted)
        self.counts.reused += size
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
                run, token = self._reread(point, position)
                run.marks.append((token, line))
                if position == size - 1:
                    run.ends.append((token, place))
        if depth < size:
            self._insert(place, ids, start, claim.point if claim else (self.tree.root, 0), depth, new)

    def _reread(self, point: TreePoint, position: int) -> tuple[TokenRun, int]:
        """Plan to read a token again that the tree holds without the logits after it: the run, and its token."""
        if point not in self._rereads:
            node, size = point
            run, token = self._rereads.get((node, size - 1), (None, 0))
            # An engine may compute them anew: so those of a graft are read one by one, each after the others' own keys.
            if run is not None and token == len(run.ids) - 1 and node.lender is None:  # the one before it is read again
                assert isinstance(run.ids, list)
                self._rereads[point] = run, len(run.ids)
                run.ids.append(node.ids[size - 1])
            else:
                parent = above(point, position) if position else (self.tree.root, 0)
                run = TokenRun([node.ids[size - 1]], parent, position, stored=False, place=(node, size - 1))
                self._rereads[point] = run, 0
                self.runs.append(run)
            self.counts.reread += 1
        return self._rereads[point]

    def _insert(
        self, place: int, ids: tuple[int, ...], start: int, point: TreePoint, depth: int, wanted: list[tuple[int, int]]
    ) -> None:
        """Put a row, whose ids begin at position `start`, into the trie below a point, and mark the wanted logits."""
        parent: TokenRun | TreePoint = point
        children = self._below.setdefault(point, {})
        size = start + len(ids)
        if depth == size - 1 and ids[-1] not in children:  # as in most decode steps
            marks = [(0, line) for _, line in wanted]
            run = children[ids[-1]] = TokenRun(ids[-1:], point, depth, marks=marks, ends=[(0, place)])
            self.counts.tokens += 1
            self.runs.append(run)
            return
        while depth < size:
            new = ids[depth - start :]
            run = children.get(new[0])
            if run is None:
                run = children[new[0]] = TokenRun(new, parent, depth)
                self.counts.tokens += len(new)
                if not isinstance(parent, TokenRun):
                    self.runs.append(run)
            common = common_length(run.ids, new)
            end = depth + common
            run.marks += [(at - depth, line) for at, line in wanted if depth <= at < end]
            if end == size:
                run.ends.append((common - 1, place))
            if common < min(len(run.ids), len(new)):
                run.split(common)
            parent, children, depth = run, run.children, end

    def demand(self) -> tuple[int, int]:
        """How many slots and nodes it needs at most, besides those that its claims hold. Tokens that are read again
        count too: an engine may need a place for them as long as the pass runs."""
        slots = nodes = 0
        continued: set[TreeNode] = set()
        stack = self.runs[:]
        while stack:
            run = stack.pop()
            slots += len(run.ids)
            nodes += 1 - bool(run.children)  # the first of its children continues it
            if run.stored and not isinstance(run.parent, TokenRun):
                node, size = run.parent
                grows = size == len(node.ids) and node is not self.tree.root and node.lender is None
                if grows and node not in continued:
                    continued.add(node)
                    nodes -= 1
            stack += run.children.values()
        return slots, nodes

    def end(self) -> None:
        """Cut the cycles of runs: else nodes of the tree would live until the next garbage collection."""
        stack = self.runs
        while stack:
            run = stack.pop()
            stack += run.children.values()
            run.children = {}

    def passes(self) -> Iterator[list[TokenRun]]:
        """The runs, parents first, in passes of at most `PASS_TOKENS` tokens."""
        batch: list[TokenRun] = []
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
