"""The loop with drafts: one pass reads the logits after rows, and after what is proposed for them; and each row is
stepped with these as far as the tokens that it draws are the proposed ones.

A row's draw is a function of the logits, the seed, the row and the place. So whatever is proposed, the result is that
of the loop without drafts: a proposal only decides which logits are there already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.decode.frontier import Frontier, asking
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.drafts.protocol import Ahead, DraftRow, Ids, begun, checked_proposals
from outlines_cont.engines.protocol import LanguageModel, asynchronous, read
from outlines_cont.errors import ContextFull, DraftError
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.errors import as_before_failures

# --- how many tokens are proposed for a row: more while they hold, and none for a while after they did not

Key = tuple[int, ...]

FIRST, MOST = 8, 32  # tokens of a proposal: where nothing is known, and at most
PATIENCE = 6  # proposals of which nothing holds, after which some draws are left out
LONGEST = 60  # draws without a proposal; 61 is prime, so that rows take turns whatever their number
REMEMBERED = 4096  # rows


@dataclass
class Backoff:
    """What one more proposal may be. Its size is twice what held of the last one, and `FIRST` more. After one whose
    first token was wrong it is half as large; and after `PATIENCE` such ones nothing is proposed for a draw, for three
    draws, for seven …

    >>> from outlines_cont.drafts.loop import Backoff
    >>> backoff = Backoff()
    >>> backoff.note(3)
    >>> backoff.size, backoff.wait
    (14, 0)
    >>> for _ in range(8):
    ...     backoff.note(0)
    >>> backoff.size, backoff.wait
    (1, 3)
    """

    size: int = FIRST
    wait: int = 0  # draws that nothing is proposed for
    wrong: int = 0  # proposals, one after the other, of which nothing held

    def note(self, held: int) -> None:
        """One proposal more: so many tokens of it were taken."""
        self.wrong = 0 if held else self.wrong + 1
        self.size = min(MOST, FIRST + 2 * held) if held else max(self.size // 2, 1)
        self.wait = min(2 ** max(self.wrong - PATIENCE, 0) - 1, LONGEST)


class Pace:
    """The lengths of what is proposed by one draft in one generation.

    Rows for which something has held are paced each by itself. All others share one back-off, and while nothing holds
    for them, one of them at a time is tried, in turn: a draft that never holds costs as much for many rows as for one.
    """

    def __init__(self) -> None:
        self._rows: dict[Key, Backoff] = {}
        self._others, self._held = Backoff(), False
        self._place = self._turn = 0  # of the row that is asked for, and of the one that was tried last
        self._tried = False  # in this pass

    def pass_begins(self) -> None:
        """Before the budgets of a pass are asked for."""
        self._place, self._turn = 0, self._turn if self._turn < self._place else 0
        self._tried = False

    def budget(self, key: Key) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        row = self._rows.get(key, self._others)
        self._place += 1
        if row.wait:
            row.wait -= 1
            return 0
        if row is self._others and not self._held:
            if self._tried or self._place <= self._turn:
                return 0
            self._tried, self._turn = True, self._place
        return row.size

    def note(self, key: Key, held: int) -> None:
        """What became of a proposal for a row: how many of its tokens, one after the other, were taken."""
        if key not in self._rows:
            self._held = held > 0
            self._others.note(held)
            if not held:
                return
        if len(self._rows) >= REMEMBERED:
            self._rows.clear()
        self._rows.setdefault(key, Backoff()).note(held)


# --- what is read ahead of a row: its continuations, cut where the constraint refuses them, as a tree

WIDEST = 4  # of a tree: tokens for each token of its budget


class Proposal:
    """What is read ahead of a row that waits for logits, and what of it the row has taken.

    Attributes:
        row: as the draft saw it.
        ids: all tokens of the row, before what is read ahead.
        read: beginnings of the paths, which are the tokens that are read.
        paths: continuations that the constraint allows, with forced runs, and the positions in the row after which
            logits are wanted there.
    """

    def __init__(self, row: DraftRow, continuations: Sequence[Ids]):
        self.row, self.ids = row, row.ids
        self.paths: list[tuple[Ids, Ids]] = []
        self._draws: list[Ids] = []  # of each path, how many of its tokens are there when one more of them was drawn
        self.read: set[Ids] = set()
        self._taken: set[Ids] = set()
        self._wanted: set[Ids] = set()
        room = WIDEST * row.budget
        for continuation in continuations:
            ahead, draws = _cut(row.ahead, continuation, row.budget)
            size = ahead.wanted[-1] + 1 - ahead.length if ahead.wanted else 0
            new = [n for n in range(1, size + 1) if ahead.ids[:n] not in self.read]
            if not new or (self.read and len(self.read) + len(new) > room):
                continue
            self.read.update(ahead.ids[:n] for n in new)
            wanted = [at for at in ahead.wanted if ahead.ids[: at + 1 - ahead.length] not in self._wanted]
            self._wanted.update(ahead.ids[: at + 1 - ahead.length] for at in wanted)
            self.paths.append((ahead.ids[:size], tuple(wanted)))
            self._draws.append(draws)

    def needs(self, need: Need) -> Iterator[Need]:
        """The needs that read them: that of the row itself, longer; and others for the other branches of the tree."""
        for i, (ids, wanted) in enumerate(self.paths):
            yield replace(need, ids=need.ids + ids, wanted=(*(need.wanted if not i else ()), *wanted), computed=[])

    def take(self, ids: Ids) -> None:
        """The row, or one that comes from it, has been stepped with logits after these tokens of it."""
        if ids[: len(self.ids)] == self.ids:  # else it has gone back, and come another way
            self._taken |= taken_of(self.read, ids[len(self.ids) :])

    @property
    def drafted(self) -> int:
        """How many tokens were read."""
        return len(self.read)

    @property
    def accepted(self) -> int:
        """How many of them the row has taken."""
        return len(self._taken)

    def held(self) -> int:
        """How many draws were foretold one after the other, on the path that holds longest."""
        each = zip(self.paths, self._draws, strict=True)
        return max((sum(ids[:size] in self._taken for size in draws) for (ids, _), draws in each), default=0)


def taken_of(read: set[Ids], continuation: Ids) -> set[Ids]:
    """Which beginnings of a continuation were read."""
    return {continuation[:size] for size in range(1, len(continuation) + 1)} & read


def _cut(ahead: Ahead, continuation: Ids, budget: int) -> tuple[Ahead, Ids]:
    """How far the constraint and the budget of draws go along a continuation: the place; and, for each draw that is
    foretold, how many tokens are read when it is known that it was right."""
    draws: list[int] = []
    for at, token in enumerate(continuation):
        if at < len(ahead.ids):
            if ahead.ids[at] != token:
                break
            continue
        longer = ahead.after(token) if len(draws) < budget else None
        if longer is None or len(longer.wanted) == len(ahead.wanted):
            break
        draws.append(longer.wanted[len(ahead.wanted)] + 1 - ahead.length)
        ahead = longer
    return ahead, tuple(draws)


# --- loop

LOGITS_BYTES = 64 << 20  # of what is read ahead in a pass, if no row has a tree


class RunningDraft:
    """A draft in one generation, with its pace, and what it proposed for the pass that is being used up."""

    def __init__(self, given: Any, model: LanguageModel):
        self.given, self.draft, self.pace = given, begun(given, model), Pace()
        self.proposals: list[Proposal] = []

    def budget(self, key: Ids) -> int:
        """How many tokens are worth proposing for a row; 0: none."""
        return self.pace.budget(key)

    def propose(self, rows: Sequence[DraftRow]) -> list[Proposal]:
        """What is read ahead of each of these rows."""
        try:
            continuations = checked_proposals(rows, self.draft.propose(rows))
            self.proposals = [Proposal(row, each) for row, each in zip(rows, continuations, strict=True)]
        except Exception as error:
            raise self._failed(error) from error
        return self.proposals

    def end_pass(self) -> None:
        """Note how many of the proposed tokens were taken in this pass, and tell the draft."""
        proposals, self.proposals = self.proposals, []
        for proposal in proposals:
            if proposal.paths:
                self.pace.note(proposal.row.key, proposal.held())
        if proposals and (settled := getattr(self.draft, "settled", None)) is not None:
            try:
                settled([each.row for each in proposals], [each.accepted for each in proposals])
            except Exception as error:
                raise self._failed(error) from error

    def _failed(self, error: Exception) -> DraftError:
        reason = str(error) if isinstance(error, DraftError) else f"it raised {type(error).__name__}: {error}"
        return DraftError(f"draft={shown(self.given)}: {reason}")


class ReadAhead:
    """Continuations of a row's tokens: all beginnings of them that a pass has read, and those that were of use."""

    def __init__(self) -> None:
        self.read, self.taken = set[Ids](), set[Ids]()

    def take(self, continuation: Ids) -> None:
        """Some row has come to this continuation."""
        self.taken |= taken_of(self.read, continuation)


class LogitsAhead:
    """The logits of one pass, after tokens that rows may come to.

    Attributes:
        logits: `[lines, V]`.
        needs, claims: of the pass.
        proposals: by the places of the needs that read them.
        lines: of a row's tokens, the line after the last of them, and which need has read them.
        counts: what is read ahead, and what of it was of use; once, where rows of equal tokens share it.
    """

    def __init__(
        self, logits: Tensor, claims: Sequence[Claim | None], needs: Sequence[Need], proposals: dict[int, Proposal]
    ):
        self.logits, self.claims, self.needs, self.proposals = logits, claims, needs, proposals
        self.lines: dict[Ids, tuple[int, int]] = {}
        self.counts: dict[Ids, ReadAhead] = {}
        self._of_rows: dict[Ids, list[Proposal]] = {}  # hypotheses of one search may have one key
        for proposal in dict.fromkeys(proposals.values()):
            self._of_rows.setdefault(proposal.row.key, []).append(proposal)
            self.counts.setdefault(proposal.ids, ReadAhead()).read |= proposal.read
        line = 0
        for place, need in enumerate(needs):
            if place in proposals:
                tokens = need.tokens
                for at, position in enumerate(need.wanted, line):
                    self.lines[tokens[: position + 1]] = at, place
            line += len(need.wanted)

    def answer(self, need: Need) -> tuple[list[int], Claim | None, int] | None:
        """The lines that answer a need, a claim, and which need has read it; None if a line is not there."""
        if not need.wanted:
            return [], need.claim, -1
        tokens, at = need.tokens, -1
        lines: list[int] = []
        for position in need.wanted:
            line = self.lines.get(tokens[: position + 1])
            if line is None:
                return None
            lines.append(line[0])
            at = line[1]
        claim = self.claims[at]
        return lines, claim and claim.crop(need.length), at

    def take(self, h: Hypothesis, tokens: Ids, place: int) -> None:
        """A row goes on with logits after these tokens of it, which the need at a place has read."""
        lineage = h.lineage
        for size in range(len(lineage), 0, -1):  # a row that has forked begins with the key of what it comes from
            for proposal in self._of_rows.get(lineage[:size], ()):
                proposal.take(tokens)
        if (proposal := self.proposals.get(place)) is not None:
            self.counts[proposal.ids].take(tokens[len(proposal.ids) :])


class Drafting:
    """Steps the frontiers of one generation, in their order, with the drafts that its spans were given."""

    def __init__(self, frontier: Frontier, given: Sequence[Any]):
        self._model, self._given = frontier.model, given
        if any(h.row.beside for group in frontier.groups for h in group):
            raise TypeError(
                "draft= of rows with contexts beside them (beside=, or state.beside): it is not known ahead "
                "what their combined law draws; leave the draft out, or the contexts (beside=[])"
            )
        self._drafts: dict[int, RunningDraft] = {}  # by what was given; begun with the first step
        self._ahead: LogitsAhead | None = None  # while some of it may be of use
        self._rows: list[int] = []  # the needs of the next frontier that it answers
        self._roomy = True  # the engine's memory has room for more than the rows themselves
        self._reads: dict[Ids, int] = {}  # what the last pass has read, if rows were stepped several times after it

    def __call__(self, frontier: Frontier) -> Frontier:
        """One step further, with a pass or without."""
        if not self._drafts:
            self._drafts = {id(draft): RunningDraft(draft, self._model) for draft in self._given}
        after = self._without_pass(frontier) if self._rows else self._with_pass(frontier)
        self._match(after)
        return after

    # --- with a pass

    def _with_pass(self, frontier: Frontier) -> Frontier:
        pending = [self._needed(need) for need in frontier.pending] if self._reads else list(frontier.pending)
        self._reads = {}
        proposals = self._proposals(frontier)
        if proposals and (ahead := self._read_ahead(pending, proposals)) is not None:
            return self._stepped_with(frontier, pending, ahead)
        logits, claims = read(self._model, pending)
        if asynchronous(self._model):
            frontier.prepare()
        return frontier.step(logits, claims)

    def _read_ahead(self, pending: list[Need], proposals: dict[int, Proposal]) -> LogitsAhead | None:
        """The logits of a pass that reads ahead of some rows, too; None if the engine has no room for that.

        pending: what the rows need; proposals: by the places of their needs.
        """
        needs = pending[:]
        for place, proposal in list(proposals.items()):
            needs[place], *others = proposal.needs(pending[place])
            for other in others:
                proposals[len(needs)] = proposal
                needs.append(replace(other, row=len(needs)))
        with suppress(ContextFull, torch.OutOfMemoryError):
            return LogitsAhead(*read(self._model, needs), needs, proposals)
        self._roomy = False
        for running in self._drafts.values():
            running.proposals = []
        return None

    def _stepped_with(self, frontier: Frontier, pending: list[Need], ahead: LogitsAhead) -> Frontier:
        """The first step after a pass that read ahead."""
        if asynchronous(self._model):
            frontier.prepare()
        if None in ahead.claims:  # an engine without our tree may go by what needs say of their parents
            self._reads = {need.tokens: place for place, need in enumerate(ahead.needs)}
            self._reads |= {tokens: place for tokens, (_, place) in ahead.lines.items()}
        answers, claims = list[int](), list(ahead.claims[: len(pending)])
        line = 0
        for place, (need, longer) in enumerate(zip(pending, ahead.needs, strict=False)):
            answers += range(line, line + len(need.wanted))
            line += len(longer.wanted)
            if place in ahead.proposals and (claim := claims[place]) is not None:
                claims[place] = claim.crop(need.length)
        self._ahead = ahead
        return frontier.step(ahead.logits[answers], claims)

    def _needed(self, need: Need) -> Need:
        """A need after several steps of one pass: it goes on from what that pass has read."""
        keep = need.wanted[0] if need.wanted else need.length
        parent = self._reads.get((need.head + need.ids)[:keep])
        return replace(need, parent=parent, keep=0 if parent is None else keep, computed=[])

    def _proposals(self, frontier: Frontier) -> dict[int, Proposal]:
        """What is read ahead, by the places of the needs."""
        if not self._roomy:
            return {}
        asked: dict[int, list[tuple[int, DraftRow]]] = {}
        for running in self._drafts.values():
            running.pace.pass_begins()
        most = max(1, LOGITS_BYTES // (4 * len(self._model.vocabulary)) // max(len(frontier.pending), 1))
        for place, h in _placed(frontier):
            running = self._drafts.get(id(h.settings.draft))
            if running is not None and (row := _shown(h, running, most)) is not None:
                asked.setdefault(id(running.given), []).append((place, row))
        proposals: dict[int, Proposal] = {}
        for draft, rows in asked.items():
            try:
                proposed = self._drafts[draft].propose([row for _, row in rows])
            except DraftError as error:
                raise _with_state(error, frontier) from error.__cause__
            proposals |= {place: each for (place, _), each in zip(rows, proposed, strict=True) if each.paths}
        return proposals

    # --- without one

    def _without_pass(self, frontier: Frontier) -> Frontier:
        assert self._ahead is not None
        lines, claims = list[int](), list[Claim | None]()
        hypotheses = dict(_placed(frontier))
        for row in self._rows:
            need = frontier.pending[row]
            answer = self._ahead.answer(need)
            assert answer is not None
            lines += answer[0]
            claims.append(answer[1])
            if row in hypotheses:
                self._ahead.take(hypotheses[row], need.tokens, answer[2])
        rows = self._rows if len(self._rows) < len(frontier.pending) else None
        return frontier.step(self._ahead.logits[lines], claims, rows)

    def _match(self, frontier: Frontier) -> None:
        """Find the rows that the last pass answers as well. If there are none it is used up, and drafts are told."""
        self._rows = []
        ahead, pending = self._ahead, frontier.pending
        if ahead is not None:
            for block in frontier.blocks:
                if any(pending[place].wanted for place in block) and all(
                    ahead.answer(pending[place]) is not None for place in block
                ):
                    self._rows += block
        if not self._rows:
            self._ahead = None
            count = getattr(self._model.stats, "count_drafts", None)
            if ahead is not None and count is not None:
                each = ahead.counts.values()
                count(sum(len(counts.read) for counts in each), sum(len(counts.taken) for counts in each))
            try:
                for running in self._drafts.values():
                    running.end_pass()
            except DraftError as error:
                raise _with_state(error, frontier) from error.__cause__


def _placed(frontier: Frontier) -> Iterator[tuple[int, Hypothesis]]:
    """The hypotheses that wait for logits, each with the place of its first need."""
    place = 0
    for h in asking(frontier.groups):
        yield place, h
        place += 1 if h.scoring is None else len(h.scoring.needs)


def _shown(h: Hypothesis, running: RunningDraft, most: int) -> DraftRow | None:
    """A row as its draft sees it, if something is worth proposing for it; at most so many tokens."""
    if not h.status.drawing:
        return None
    room = h.span.room - (h.settings.chain.next is None)  # after its last token nothing is drawn
    if room <= 0 or not (budget := running.budget(h.lineage)):
        return None
    ahead = Ahead.of(h)
    if ahead is None:
        return None
    return DraftRow(h, ahead, int(min(budget, room, most)), h.settings.sampler, h.settings.seed)


def _with_state(error: DraftError, frontier: Frontier) -> DraftError:
    error.state = as_before_failures(frontier.state)
    return error
