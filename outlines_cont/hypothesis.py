"""A row in the making: the tokens of its growing span, the constraint state they lead to, and how it may end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from outlines_cont.encoding import Encoder
from outlines_cont.kv.forward import Query
from outlines_cont.kv.tree import Claim
from outlines_cont.maker import Maker, State
from outlines_cont.row import Finished, Origin, Piece, Row, Stop, score


@dataclass(frozen=True)
class Job:
    """What all hypotheses of one generator call share."""

    maker: Maker
    encoder: Encoder
    name: str | None
    length_penalty: float
    max_tokens: int | None
    context_length: int | None
    stop_bytes: tuple[bytes, ...] = ()

    def room(self, length: int, drawn: int) -> float:
        """How many more tokens a row of this length may draw."""
        budget = inf if self.max_tokens is None else self.max_tokens - drawn
        context = inf if self.context_length is None else self.context_length - length
        return min(budget, context)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """`row` is what stands before the span; `ids` … are the span's tokens so far.

    `parent`, `fed`: which pending row of the frontier before it continues, and how many tokens of that one are its own.
    `unscored`: the span ended in a stop string that began inside a token. That token was spelled anew from this
    index on, and its new tokens, like those of the stop string, still have to be scored.
    """

    job: Job
    row: Row
    state: State
    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    text: bytes = b""
    drawn: int = 0
    weight: float = 0.0
    generated: int = 0
    claim: Claim | None = field(default=None, repr=False)
    parent: int | None = None
    fed: int = 0
    finished: Finished | None = None
    stop: Stop | None = None
    unscored: int | None = None
    kept: bool = False  # it was finished before this call and comes back unchanged

    @classmethod
    def begin(cls, job: Job, row: Row) -> Hypothesis:
        """A new span after a row."""
        fresh = cls(
            job=job,
            row=row,
            state=job.maker.guide.initial,
            weight=row.weight,
            generated=row.generated,
            claim=row.claim,
        )
        return fresh._settled()

    @classmethod
    def resume(cls, job: Job, row: Row, index: int, state: State) -> Hypothesis:
        """The span that is the piece of this index goes on from the end of the row, from this constraint state."""
        head = row.before(index)
        start = len(head)
        ids = row.ids[start:]
        old = cls(
            job=job,
            row=replace(head, claim=None),
            state=state,
            ids=ids,
            logprobs=row.logprobs[start:],
            proposals=row.proposals[start:],
            text=job.encoder.vocabulary.decode(ids),
            weight=row.weight,
            generated=row.generated,
            claim=row.claim,
        )
        return old._settled()

    @classmethod
    def keep(cls, job: Job, row: Row) -> Hypothesis:
        """A row that comes back as it is, so that for this call it has ended."""
        return cls(job, row, None, weight=row.weight, generated=row.generated, finished="stop", kept=True)

    @property
    def lineage(self) -> tuple[int, ...]:
        return self.row.lineage

    @property
    def position(self) -> int:
        """Where the next token will stand."""
        return len(self.row) + len(self.ids)

    @property
    def attempt(self) -> int:
        """How many draws were made at that position before."""
        return self.row.attempts(self.position)

    @property
    def score(self) -> float:
        return score(self.weight, self.generated, self.job.length_penalty)

    def score_with(self, logprob: float) -> float:
        """The score after one more token."""
        return score(self.weight + logprob, self.generated + 1, self.job.length_penalty)

    @property
    def bound(self) -> float:
        """The best score still to be reached: weights only fall; a penalty helps the longest, a bonus the shortest."""
        longest = self.generated + self.job.room(self.position, self.drawn)
        if self.job.length_penalty > 0:
            return score(self.weight, longest, self.job.length_penalty) if longest < inf else 0.0
        return self.score

    @property
    def query(self) -> Query:
        """The logits that it needs: after its last token, or at everything that was spelled anew."""
        head, ids = self.row.ids, self.ids
        if self.unscored is None:
            return Query(ids, (len(head) + len(ids) - 1,), self.claim, head)
        wanted = range(len(head) + self.unscored - 1, len(head) + len(ids) + len(self.dropped) - 1)
        return Query(ids + self.dropped, tuple(wanted), self.claim, head)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The tokens of a stop string that were taken out of the row."""
        return (self.stop and self.stop.dropped) or ()

    def read(self, place: int, count: int, claim: Claim | None) -> Hypothesis:
        """Its first `count` tokens were read, as the pending row of this place.

        `claim`: on their keys and values; without a new one it keeps its own.
        """
        return self._with(parent=place, fed=count, claim=claim or self.claim)

    def extend(self, candidate: int, logprob: float, proposal: float) -> Hypothesis:
        """One candidate further: a token that the constraint allows, or the stop."""
        guide = self.job.maker.guide
        if candidate == len(guide.vocabulary.tokens):
            return self._stopped(Stop(logprob, proposal))
        state = guide.advance(self.state, candidate)
        assert state is not None, f"token {candidate} was drawn against the constraint"
        longer = self._with(
            state=state,
            ids=self.ids + (candidate,),
            logprobs=self.logprobs + (logprob,),
            proposals=self.proposals + (proposal,),
            text=self.text + guide.vocabulary.tokens[candidate],
            drawn=self.drawn + 1,
            weight=self.weight + logprob,
            generated=self.generated + 1,
        )
        return longer._settled(len(self.text))

    def _with(self, **changes: Any) -> Hypothesis:
        """`dataclasses.replace` in a third of its time: every token of every row comes by here."""
        changed = object.__new__(Hypothesis)
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(changes)
        return changed

    def _settled(self, known: int = 0) -> Hypothesis:
        """Finished, if nothing is left to decide. No stop string ends in the `known` first bytes of the text."""
        if self.job.stop_bytes and (cut := self._stop_string(known)) is not None:
            return self._cut(cut)
        if self.job.maker.must_stop(self.state):
            return self._stopped(Stop(0.0, 0.0))
        if self.job.room(self.position, self.drawn) <= 0:
            return self._with(finished="length")
        return self

    def _stopped(self, stop: Stop) -> Hypothesis:
        return self._with(stop=stop, finished="stop", weight=self.weight + stop.logprob)

    def _stop_string(self, known: int) -> int | None:
        """How many bytes of the text are kept, if it holds a stop string, none of which ends in the `known` first."""
        starts = ((self.text.find(stop, max(0, known - len(stop) + 1)), -len(stop)) for stop in self.job.stop_bytes)
        found = [start for start in starts if start[0] >= 0]
        if not found:
            return None
        at, length = min(found)
        return at - length if self.job.maker.include_stop else at

    def _cut(self, size: int) -> Hypothesis:
        """End the span after `size` bytes of its text; the tokens beyond them are the stop's."""
        tokens = self.job.maker.guide.vocabulary.tokens
        count = length = 0
        while count < len(self.ids) and length + len(tokens[self.ids[count]]) <= size:
            length += len(tokens[self.ids[count]])
            count += 1
        gone = slice(count, None)
        decided = Stop(
            sum(value or 0.0 for value in self.logprobs[gone]),
            sum(value or 0.0 for value in self.proposals[gone]),
            self.ids[gone],
        )
        kept = replace(
            self,
            ids=self.ids[:count],
            logprobs=self.logprobs[:count],
            proposals=self.proposals[:count],
            text=self.text[:size],
            claim=self.claim and self.claim.crop(len(self.row) + count),
            fed=min(self.fed, len(self.row) + count),
            stop=decided,
            finished="stop",
            generated=self.generated - sum(value is not None for value in self.logprobs[gone]),
        )
        if length == size:
            return kept
        # the stop string begins inside a token: spell that token's two parts apart, and score both
        spell = self.job.encoder.encode_bytes
        crossing = tokens[self.ids[count]]
        lead, rest = spell(crossing[: size - length]), spell(crossing[size - length :])
        dropped = (*rest, *self.ids[count + 1 :])
        if self.job.room(len(self.row) + count + len(lead) + len(dropped), 0) < 0:
            # the model cannot read that far to score it: its context is what ends the row, stop string and all
            return replace(self, finished="length")
        return replace(
            kept,
            ids=(*kept.ids, *lead),
            logprobs=(*kept.logprobs, *[0.0] * len(lead)),
            proposals=(*kept.proposals, *[0.0] * len(lead)),
            stop=replace(decided, dropped=dropped),
            finished=None,
            generated=kept.generated + len(lead),
            weight=self.weight - decided.logprob,
            unscored=count,
        )

    def scored(self, logprobs: list[float]) -> Hypothesis:
        """With the log-probabilities of what was spelled anew: its tokens, and then those that the stop dropped."""
        assert self.unscored is not None and self.stop is not None
        split = len(self.ids) - self.unscored
        lead, dropped = logprobs[:split], logprobs[split:]
        return replace(
            self,
            logprobs=(*self.logprobs[: self.unscored], *lead),
            stop=replace(self.stop, logprob=sum(dropped)),
            weight=self.weight + sum(logprobs),
            finished="stop",
            unscored=None,
        )

    def finish(self, finished: Finished) -> Hypothesis:
        """End it here if it has not ended."""
        if self.finished:
            return self
        if self.unscored is None:
            return replace(self, finished=finished)
        keep = slice(self.unscored)
        return replace(
            self,
            ids=self.ids[keep],
            logprobs=self.logprobs[keep],
            proposals=self.proposals[keep],
            stop=None,
            unscored=None,
            finished=finished,
        )

    def as_row(self) -> Row:
        """The row with its new span. Without tokens or a decision there is still a span: it says how it ended."""
        if self.kept:
            return self.row
        origin = Origin(
            "generated",
            len(self.ids),
            self.job.name,
            self.job.maker,
            self.finished,
            self.stop,
            self.job.length_penalty,
        )
        ids = self.row.ids + self.ids
        return replace(
            self.row,
            ids=ids,
            logprobs=self.row.logprobs + self.logprobs,
            proposals=self.row.proposals + self.proposals,
            pieces=(*self.row.pieces, Piece(origin, 0, len(self.ids))),
            claim=self.claim.crop(len(ids)) if self.claim else None,
        )
