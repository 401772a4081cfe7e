"""From needs to logits: tokens that the tree does not hold are computed once, and stored.

How a pass computes runs of tokens is the engine's business: it gives a function, `Forward`. What is computed, stored,
claimed and counted is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from operator import attrgetter

import torch
from torch import Tensor

from outlines_cont.errors import ContextFull
from outlines_cont.kv.needs import Counts, Need, ReadPlan, TokenRun
from outlines_cont.kv.pool import KEPT_LOGITS_BYTES
from outlines_cont.kv.radix_tree import Claim, Tree, TreePoint
from outlines_cont.waiting import told

# (attention call, keys [kv heads, n, head size], by how many positions) → the keys as they are at their new positions
KeyShift = Callable[[int, Tensor, int], Tensor]

# One pass over runs, parents first. It fills their slots with keys and values, and gives the logits `[wanted, V]` at
# the `wanted_tokens` of each run, and how many forwards of the model that took.
Forward = Callable[[Tree, Sequence[TokenRun]], tuple[Tensor, int]]

FEW_TOKENS = 128  # which are read without a word, as in the steps of a generation


def read_logits(forward: Forward, tree: Tree, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None], Counts]:
    """The logits `[Σ len(wanted), V]` that the needs ask for, and for each need a claim on its tokens, as far as they
    are read. The logits may be the tree's own: they are not to be written to. If none are wanted, they are an empty
    tensor of any shape.

    Tokens that rows share are computed once. Tokens in the tree are not computed at all, except where a position's
    logits are wanted but were not kept: that one token is read again without being stored.

    Where the memory does not hold the whole answer, the needs are read in smaller groups, one after the other: what one
    group stored may be evicted for the next.

    ContextFull: a row does not fit an empty memory. ValueError: the engine gave another number of lines of logits than
    was wanted.
    """
    if bounds_of(tree)[:2] == (None, None):
        with tree.planning():
            return _answered(forward, tree, ReadPlan(tree, needs))
    return _read_in_groups(forward, tree, needs)


def bounds_of(tree: Tree) -> tuple[int | None, int | None, int]:
    """How many slots and nodes there can be at most now, None for any number, and how many slots are taken.

    A pool is asked under its tree's lock, for meanwhile other threads give slots back.
    """
    with tree.lock:
        return tree.pool.most_slots, tree.pool.most_nodes, tree.pool.used


def _read_in_groups(forward: Forward, tree: Tree, needs: Sequence[Need]) -> tuple[Tensor, list[Claim | None], Counts]:
    """`read_logits` with a memory of a fixed size."""
    parts: list[Tensor] = []
    claims: list[Claim | None] = []
    counts, size, emptied = Counts(), len(needs), False
    while len(claims) < len(needs):
        group = needs[len(claims) : len(claims) + size]
        with tree.planning():
            plan = ReadPlan(tree, group)
            demand = plan.demand()
            if tree.make_room(*demand):
                logits, group_claims, cost = _answered(forward, tree, plan)
                parts += [logits] * bool(len(logits))
                claims += group_claims
                counts.add(cost)
                emptied = False
                continue
            plan.end()
        del plan
        if emptied:
            raise _full(tree, group[0], demand[0])
        size = _smaller(tree, len(group), *demand)
        if len(group) == 1:  # what is kept of the row, and what is read of it again, are too much together
            tree.evict()
            emptied = True
    return torch.cat(parts) if len(parts) > 1 else parts[0] if parts else torch.empty(0), claims, counts


def _smaller(tree: Tree, size: int, slots: int, nodes: int) -> int:
    """How many needs to try next, after so many of them needed so much. What is used now is theirs."""
    most_slots, most_nodes, used = bounds_of(tree)
    share = 0.75
    if most_slots is not None:
        share = min(share, most_slots / max(used + slots, 1))
    if most_nodes is not None:
        share = min(share, most_nodes / max(tree.memory.nodes + nodes, 1))
    return max(1, int(size * share))


def _full(tree: Tree, need: Need, slots: int) -> ContextFull:
    """The row of a need, which needs so many slots more, does not fit a memory that holds nothing else but grafts."""
    larger = getattr(tree.pool, "larger", "make the engine with a larger memory")
    most, most_nodes, used = bounds_of(tree)
    if most is not None and need.length <= most < used + slots:
        return ContextFull(
            f"a row of {need.length} tokens needs {slots} more slots for keys and values, and {used} of the "
            f"engine's {most} are in use, by grafts, which are not given up: {larger}, or drop states with grafts"
        )
    if most is None or need.length <= most:
        return ContextFull(
            f"a row of {need.length} tokens needs a branch of its own, and the engine, which has room for "
            f"{most_nodes} here, keeps {tree.memory.nodes} that are in use"
        )
    return ContextFull(
        f"a row of {need.length} tokens needs {need.length} slots for keys and values, and the engine has room for "
        f"{most}: {larger}, or read shorter rows"
    )


def _answered(forward: Forward, tree: Tree, plan: ReadPlan) -> tuple[Tensor, list[Claim | None], Counts]:
    """Make the passes of a plan, within `tree.planning()`."""
    answers: list[PassAnswer] = []
    for line, logits in plan.kept.items():
        answers.append(PassAnswer([line], [0], logits[None]))
    many = plan.counts.tokens > FEW_TOKENS
    try:
        with told("the model reads {:,} tokens", plan.counts.tokens) if many else nullcontext():
            for batch in plan.passes():
                answers.append(_computed(forward, tree, batch, plan.counts))
    finally:
        plan.end()
    claims = plan.claims
    for answer in answers:
        for need, claim in answer.ended.items():
            claims[need] = claim
    return _in_order(answers, plan.lines), claims, plan.counts


def read_whole(forward: Forward, needs: Sequence[Need], alone: bool) -> tuple[Tensor, Counts]:
    """The logits `[Σ len(wanted), V]`, of an engine that keeps nothing: each distinct row is one run.

    If none are wanted, they are an empty tensor of any shape, and nothing is computed. `alone`: the logits after a
    token come from a row that ends with it.
    """
    rows = [(need.tokens, need.wanted) for need in needs if need.wanted]
    if alone:
        rows = [(ids[: at + 1], (at,)) for ids, wanted in rows for at in wanted]
    tree, runs = Tree(), dict[tuple[int, ...], TokenRun]()
    lines = 0
    for ids, wanted in rows:
        run = runs.setdefault(ids, TokenRun(ids, (tree.root, 0), 0, stored=False))
        run.marks += [(at, lines + i) for i, at in enumerate(wanted)]
        lines += len(wanted)
    if not lines:
        return torch.empty(0), Counts()
    batch = [*runs.values()]
    logits, passes = forward(tree, batch)
    answer, start = PassAnswer([], [], logits), 0
    for run in batch:
        start += len(answer.note(run, start))
    if start != len(logits):
        raise _other_lines(forward, batch, logits, start)
    return _in_order([answer], lines), Counts(sum(map(len, runs)), passes)


@dataclass(slots=True)
class PassAnswer:
    """The logits of one pass: line `lines[i]` of the whole answer is line `at[i]` of its logits."""

    lines: list[int]
    at: list[int]
    logits: Tensor
    ended: dict[int, Claim] = field(default_factory=dict)  # which need → a claim on its tokens
    borders: list[Claim] = field(default_factory=list)  # on tokens below which a later pass goes on

    def note(self, run: TokenRun, start: int) -> dict[int, int]:
        """Say which lines a run answers, whose logits begin at line `start`: its wanted tokens, and their lines."""
        wanted = run.wanted_tokens()
        line_of = dict(zip(wanted, range(start, start + len(wanted)), strict=True))
        for token, line in run.marks:
            self.lines.append(line)
            self.at.append(line_of[token])
        return line_of


def _computed(forward: Forward, tree: Tree, batch: list[TokenRun], counts: Counts) -> PassAnswer:
    """Compute the runs of one pass, and store their keys and values."""
    stored = [*filter(attrgetter("stored"), batch)]
    _take_slots(tree, stored)
    logits, passes = forward(tree, batch)
    counts.passes += passes
    answer = PassAnswer([], [], logits)
    with tree.lock, tree.changing:
        _store(tree, batch, stored, answer)
        tree.stored()
        lines = _keep_logits(tree, batch, answer)
    if lines != len(logits):
        raise _other_lines(forward, batch, logits, lines)
    return answer


def _other_lines(forward: Forward, batch: Sequence[TokenRun], logits: Tensor, lines: int) -> ValueError:
    """A pass gave more lines of logits than were wanted, or fewer: which are which, nobody knows."""
    name = getattr(forward, "__qualname__", type(forward).__name__)
    right = (lines, *logits.shape[1:])
    return ValueError(
        f"{name} gave logits {tuple(logits.shape)}, and the wanted tokens of its runs ({len(batch)}) are {lines}: "
        f"it must give {right}, a line for each of run.wanted_tokens()"
    )


def _take_slots(tree: Tree, stored: Sequence[TokenRun]) -> None:
    """Give each run slots of its own for its keys and values."""
    slots = tree.take(sum(map(len, map(attrgetter("ids"), stored))))
    start = 0
    for run in stored:
        run.slots = slots[start : start + len(run.ids)]
        start += len(run.ids)


def _store(tree: Tree, batch: Sequence[TokenRun], stored: Sequence[TokenRun], answer: PassAnswer) -> None:
    """Put computed runs into the tree, and claim them: for the rows that end in them, and for runs of later passes."""
    inside = set(map(id, batch))
    for run in stored:
        assert run.slots is not None
        run.place = tree.store(run.base, run.ids, run.slots)
        if run.children and any(id(child) not in inside for child in run.children.values()):
            answer.borders.append(tree.hold(run.point(len(run.ids) - 1)))
        claims: dict[int, Claim] = {}  # by token
        for token, need in run.ends:
            if token not in claims:
                claims[token] = tree.hold((run.place[0], run.place[1] + token + 1))
            answer.ended[need] = claims[token]


def _keep_logits(tree: Tree, batch: Sequence[TokenRun], answer: PassAnswer) -> int:
    """Note which line of the pass answers which line of the whole, and let the tree remember the logits. How many lines
    are wanted: of logits with another number of lines nothing is remembered.

    If very many logits are wanted, only those at the rows' ends are worth their memory.
    """
    logits, kept = answer.logits, dict[TreePoint, int]()
    keep_all = logits.nbytes <= KEPT_LOGITS_BYTES
    start = 0
    for run in batch:
        ends = () if keep_all else {token for token, _ in run.ends}
        if len(run.marks) == 1:  # as in a decode step
            [(token, line)] = run.marks
            answer.lines.append(line)
            answer.at.append(start)
            if run.place is not None and (keep_all or token in ends):
                kept[run.place[0], run.place[1] + token + 1] = start
            start += 1
            continue
        line_of = answer.note(run, start)
        start += len(line_of)
        kept |= {run.point(token): line for token, line in line_of.items() if keep_all or token in ends}
    if start != len(logits):
        return start
    if len(kept) < len(logits):
        logits = logits[list(kept.values())]
        kept = {point: i for i, point in enumerate(kept)}
    if kept:
        tree.memory.logit_cache.keep(kept.items(), logits)
    return start


def _in_order(answers: list[PassAnswer], lines: int) -> Tensor:
    """The whole answer `[lines, V]`, copied only where it has to be put together."""
    if len(answers) == 1 and answers[0].lines == answers[0].at == [*range(len(answers[0].logits))]:
        return answers[0].logits
    order, offset = [0] * lines, 0
    for answer in answers:
        for line, at in zip(answer.lines, answer.at, strict=True):
            order[line] = offset + at
        offset += len(answer.logits) * bool(answer.lines)
    parts = [answer.logits for answer in answers if answer.lines]  # where nothing is wanted, a pass has none
    if not parts:
        return torch.empty(0)
    logits = parts[0] if len(parts) == 1 else torch.cat(parts)
    if order == list(range(len(logits))):
        return logits
    return logits[torch.tensor(order, device=logits.device)]
