"""What rows need of a model, and the plan of the pass that computes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import brief, plain, shown, whole_number
from outlines_cont.kv.radix_tree import Claim, Tree, TreeNode, TreePoint, above
from outlines_cont.prefixes import common_length
from outlines_cont.processes import ProcessBoundValue

# --- what a row needs of a model: to be read, and the logits after some of its tokens. The one question that decoding
# asks an engine.


@dataclass(frozen=True, slots=True)
class Need(ProcessBoundValue):
    """Asks that the row `head + ids` be read, and for the logits after each of its tokens at the positions `wanted`.

    `Need((5, 6, 7), wanted=(2,))` and `Need((7,), wanted=(2,), head=(5, 6))` ask for the same logits: those after the
    third token of the row 5, 6, 7. `Need((5, 6, 7))` asks for none: the keys and values of all its tokens enter the KV
    tree, and an engine that keeps none does nothing. `model.read` and `model.logits` take any needs.

    The needs of a frontier also say what an engine without our KV tree may go on from. Whoever computes their logits
    takes what it has of the pending row `parent` of the frontier before (None: nothing), crops it to the first `keep`
    tokens, and reads `token_ids` after them. No wanted position lies before `keep`. If nothing is wanted and `keep` is
    the whole row, there is nothing to do: such a row waits.

    `ids`, `wanted` and `head` may be given as lists or as int tensors `[T]`; TypeError for anything but ints.

    Attributes:
        ids: the row's last tokens, or all of them.
        wanted: positions in the row, counted from 0 at the beginning of `head`; ascending. Tokens after the last wanted
            position are not read; if nothing is wanted, all are.
        claim: on the keys and values of some beginning of the row, if the caller holds one. The KV tree then need not
            search for that beginning. A claim on other tokens is a ValueError where its last token is another.
        head: the row's first tokens. Where the claim covers the head, the head is not looked at: a caller that appends
            one token at each step passes the old tokens as `head`, so that a step does not copy or compare the row.
        row: the place of this need among the needs of its frontier.
        parent: the place of the need, in the frontier before, whose row this one goes on from.
        keep: how many tokens of that row are tokens of this one.
        computed: once our KV tree has computed the logits, the claim on the tokens that it read, and nothing before.
            So a frontier that is given these logits goes on from the same keys and values.

    >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
    >>> f = f.step(model.logits(f.pending))
    >>> [(need.parent, need.keep, need.token_ids, need.wanted) for need in f.pending]
    [(0, 6, (781,), (6,))]
    >>> model.logits([oc.stepping.Need((0, 921, 263), wanted=(0, 2))]).shape
    torch.Size([2, 1536])
    """

    ids: tuple[int, ...]
    wanted: tuple[int, ...] = ()
    claim: Claim | None = None
    head: tuple[int, ...] = ()
    row: int = 0
    parent: int | None = None
    keep: int = 0
    computed: list[Claim] = field(default_factory=list, repr=False, compare=False, kw_only=True)

    __repr__ = brief

    def __post_init__(self) -> None:
        for name, values in (("ids", self.ids), ("wanted", self.wanted), ("head", self.head)):
            # the first one tells, for this is asked for every row at every step; `check_needs` looks at the others
            if type(values) is not tuple or (values and type(values[0]) is not int):
                object.__setattr__(self, name, _whole_numbers(values, name))

    def __reduce__(self) -> Any:
        """Pickled for an engine in another process: without claims, which belong to this one."""
        return Need, (self.ids, self.wanted, None, self.head, self.row, self.parent, self.keep)

    @property
    def length(self) -> int:
        """How many of the row's tokens are read: those up to the last wanted one; all, if nothing is wanted.

        >>> oc.stepping.Need((5, 6, 7), wanted=(0, 1)).length, oc.stepping.Need((5, 6, 7)).length
        (2, 3)
        """
        return self.wanted[-1] + 1 if self.wanted else len(self.head) + len(self.ids)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The whole row, up to the last token that is read: its first `keep` tokens, and `token_ids`.

        An engine that finds by itself what it has read before needs nothing else.

        >>> oc.stepping.Need((7, 8), wanted=(2,), head=(5, 6)).tokens
        (5, 6, 7)
        """
        return (self.head + self.ids)[: self.length]

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The tokens to read after the first `keep`.

        >>> oc.generate.text(model).begin("Mira is").pending[0].token_ids
        (0, 921, 263)
        """
        return self.tokens[self.keep :]


def _whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """Token ids or positions as a tuple of ints. TypeError for what is no row of ints."""
    listed = plain(values)
    if not isinstance(listed, (list, tuple, range)):
        kind = "positions" if name == "wanted" else "token ids"
        raise TypeError(
            f"Need({name}={shown(values)}): it takes {kind}, a tuple or a list of ints, or an int tensor [T]"
        )
    return tuple(whole_number(value, f"{name}[{i}]", "an int") for i, value in enumerate(listed))


def distinct_needs(needs: Sequence[Need]) -> tuple[Sequence[Need], list[int]]:
    """The needs that ask for different things, and for each need which of these asks for the same. Rows that are still
    the same text are read as one.

    What is no list of needs comes back as it is: `check_needs` says so.
    """
    if not isinstance(needs, (list, tuple)) or len(needs) < 2:
        return needs, []
    places: dict[Any, int] = {}
    try:
        each = [places.setdefault((id(n.head), n.ids, n.wanted, id(n.claim), n.keep), len(places)) for n in needs]
    except (AttributeError, TypeError):
        return needs, []
    if len(places) == len(needs):
        return needs, []
    distinct: dict[int, Need] = {}
    for need, place in zip(needs, each, strict=True):
        distinct.setdefault(place, need)
    return list(distinct.values()), each


def for_each(
    distinct: Sequence[Need], places: Sequence[int], logits: Tensor, claims: Sequence[Claim | None]
) -> tuple[Tensor, list[Claim | None]]:
    """The logits and claims of all needs, from those of the `distinct_needs`."""
    ends = list(accumulate((len(need.wanted) for need in distinct), initial=0))
    lines = [line for place in places for line in range(ends[place], ends[place + 1])]
    if lines:
        logits = logits[torch.tensor(lines, device=logits.device)]
    return logits, [claims[place] for place in places]


def check_needs(needs: Sequence[Need], vocabulary_size: int, context_length: int | None, larger: str = "") -> None:
    """TypeError for what is no need; ValueError for positions that a need does not have, for token ids that the
    vocabulary does not have, for rows longer than the context, and for a claim whose last token is another.

    It runs for every row at every step, so it does not look at all tokens that a claim covers. `larger`: how users get
    a larger context, if they can.
    """
    if isinstance(needs, Need):
        raise TypeError("a Need was given where a list of them is taken: read([need])")
    if not isinstance(needs, (list, tuple)):
        raise TypeError(f"needs={shown(needs)}: read() takes a list of Needs")
    longest = 0
    for need in needs:
        if not isinstance(need, Need):
            raise TypeError(f"{shown(need)} ({type(need).__name__}) is no Need: Need(ids, wanted)")
        longest = max(longest, _checked_length(need, vocabulary_size))
    if context_length is not None and longest > context_length:
        right = f": {larger}" if larger else ""
        raise ValueError(f"a row of {longest} tokens was given to a model whose context is {context_length}{right}")


def _checked_length(need: Need, vocabulary_size: int) -> int:
    """How many of its tokens are read, once they are looked at."""
    ids, wanted, head = need.ids, need.wanted, need.head
    begin, covered = len(head), 0 if need.claim is None else _covered(need)
    if type(need.keep) is not int or need.keep < 0:
        _check_keep(need)
    for token in ids[covered - begin :] if covered >= begin else (head + ids)[covered:]:
        if type(token) is not int or not 0 <= token < vocabulary_size:
            _check_token(token, vocabulary_size)
    length = begin + len(ids)
    if count := len(wanted):
        if count > 1 or type(wanted[0]) is not int or not 0 <= wanted[0] < length:
            _check_wanted(wanted, length - 1)
        length = wanted[-1] + 1
    return length


def _check_keep(need: Need) -> None:
    if whole_number(need.keep, "keep", "an int ≥ 0") < 0:
        raise ValueError(f"Need(keep={need.keep}): it must be an int ≥ 0")


def _covered(need: Need) -> int:
    """How many tokens its claim covers, the last one being the row's. (The head is not looked at.)"""
    claim, head, ids = need.claim, need.head, need.ids
    if not isinstance(claim, Claim):
        raise TypeError(f"Need(claim={shown(claim)}): it is None, or a claim that read() gave")
    covered = claim.depth
    depth = min(covered, len(head) + len(ids))
    if depth > len(head) and (claimed := claim.token(depth)) not in (None, token := ids[depth - len(head) - 1]):
        raise ValueError(
            f"Need(claim=…): a claim on other tokens; after {depth - 1} tokens it has token {claimed}, the row {token}"
        )
    return covered


def _check_token(token: Any, vocabulary_size: int) -> None:
    if isinstance(token, bool) or not isinstance(token, (int, np.integer)):
        raise TypeError(f"token id {shown(token)} ({type(token).__name__}) is no int")
    if not 0 <= token < vocabulary_size:
        raise ValueError(f"token id {token} is outside the vocabulary of {vocabulary_size} tokens")


def _check_wanted(wanted: Sequence[int], last: int) -> None:
    ints = all(isinstance(position, (int, np.integer)) and not isinstance(position, bool) for position in wanted)
    if not ints or wanted[0] < 0 or (len(wanted) > 1 and list(wanted) != sorted(set(wanted))):
        raise ValueError(f"wanted={shown(wanted)}: positions of a need, ascending")
    if wanted[-1] > last:
        raise ValueError(f"wanted={wanted}: the last position of the need is {last}")


# --- the tokens that a list of needs needs computed, as runs of new tokens
#
# The runs of a call form a trie below the points of the KV tree: tokens that needs share stand in it once. Planning
# goes by runs and not by tokens, because a prompt may have thousands of them.

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
    """The cost of one call: tokens computed, passes made, positions not computed again, tokens read again, positions
    found in a store."""

    tokens: int = 0
    passes: int = 0
    reused: int = 0
    reread: int = 0
    restored: int = 0

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
        rows: list[tuple[tuple[int, ...], Claim | None, tuple[int, ...]]] = []  # as far as they are read
        for need in needs:
            whole = not need.wanted or need.wanted[-1] == len(need.head) + len(need.ids) - 1
            rows.append((need.ids, need.claim, need.head) if whole else (need.tokens, need.claim, ()))
        self.claims = tree.find_all(rows)  # for each need, on what the tree has of its row already
        for place, (need, (ids, _, head)) in enumerate(zip(needs, rows, strict=True)):
            self._add(place, need, ids, len(head))
        self.counts.reused -= self.counts.tokens + self.counts.reread

    def _add(self, place: int, need: Need, ids: tuple[int, ...], start: int) -> None:
        """ids: of its row, from position `start` to the last one that is read; place: of the need among all."""
        size, claim = start + len(ids), self.claims[place]
        node, at = end = claim.point if claim else (self.tree.root, 0)
        depth = node.depth + at
        if not need.wanted and need.keep >= size:
            return  # it waits
        if depth < start:
            ids, start = need.tokens, 0
        self.counts.reused += size
        new = []
        for line, position in enumerate(need.wanted, self.lines):
            if position >= depth:
                new.append((position, line))
                continue
            point = above(end, position + 1)
            if (kept := self.tree.kept_logits(point)) is not None:
                self.kept[line] = kept
            else:
                run, token = self._reread(point, position)
                run.marks.append((token, line))
                if position == size - 1:
                    run.ends.append((token, place))
        self.lines += len(need.wanted)
        if depth < size:
            self._insert(place, ids, start, end, depth, new)

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
            marks = [(0, wanted[0][1])] if wanted else []
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
