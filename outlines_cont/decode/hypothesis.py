"""A row in the making: the tokens of its growing span, the constraint state they lead to, and how it may end.

Every change gives new hypotheses: mostly one, several where a controller forks, so `extend` and all that may end a part
of a span give a tuple.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from math import fsum, inf, nan
from typing import Any

from torch import Tensor

from outlines_cont.decode.canonical import LOOKBACK, forced_run, reopened
from outlines_cont.decode.control import KEEP, Branch, Given, OneToken
from outlines_cont.decode.option_scoring import Ballot, Elect, OptionScores, ballot_of, proposals, scored_options
from outlines_cont.decode.settings import Cursor, SpanSettings, TooManyRetries, Trail
from outlines_cont.decode.writing import Writing
from outlines_cont.engines.encoding import Encoder
from outlines_cont.fsm import guide as guides
from outlines_cont.kv.query import Query
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.random_keys import copied
from outlines_cont.state.row import Finished, Origin, Piece, Resampling, Row, Segment, SpanStop, score

CERTAIN = SpanStop(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """`row` is what stands before the span; `ids` … are the span's tokens so far, `at` is where they lead.

    unscored: so many of the last tokens were given, not drawn, and still have to be scored.
    ready: the logits after its last token have been given.
    asking: its controller is to be asked, once all is scored; ending: how it ends, once all is scored.
    parent, fed: which pending row of the frontier before it continues, and how many tokens of that one are its own.
    tries: how many draws were given up at a place in the span; edited: and the next draw's law is not known for it;
    banned: what it may not draw next; retries: how often it was sent back since it was `furthest` tokens long.
    prior: what its chain wrote before this span; sent: so many bytes of its value were given out as final; delta: the
    last text of them.
    ballot: what it writes next is elected as a whole.
    kept: it was finished before this call and comes back unchanged; whole: so is its row, and nothing is in the making.
    """

    settings: SpanSettings
    row: Row
    at: Cursor
    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    text: bytes = b""
    trail: Trail = field(default=None, repr=False)
    spent: int = 0
    weight: float = 0.0
    generated: int = 0
    claim: Claim | None = field(default=None, repr=False)
    parent: int | None = None
    fed: int = 0
    unscored: int = 0
    ready: bool = False
    asking: bool = False
    ending: Finished | None = None
    finished: Finished | None = None
    stop: SpanStop | None = None
    kept: bool = False
    whole: bool = False
    ballot: Ballot | None = None
    tries: Mapping[int, int] = field(default_factory=dict)
    edited: bool = False
    banned: frozenset[int] = frozenset()
    retries: int = 0
    furthest: int = 0
    prior: bytes = b""
    sent: int = 0
    delta: str = ""

    @classmethod
    def begin(cls, settings: SpanSettings, row: Row, before: Hypothesis | None = None) -> tuple[Hypothesis, ...]:
        """A new span after a row. `before`: what wrote that row's end, a moment ago."""
        row = row.sealed()
        if (
            settings.heals
            and settings.max_tokens != 0
            and (count := reopened(settings.encoder, settings.constraint.guide, row))
        ):
            healed, row = row.ids[-count:], row.take(range(len(row) - count))
            row = row.resampled_before(len(row))  # what is taken back weighs nothing
            settings = replace(settings, healed=settings.encoder.vocabulary.decode(healed))
        guide = settings.constraint.guide_after(settings.healed)
        fresh = cls(settings, row, Cursor(guide, guide.initial))
        fresh = fresh.changed(weight=row.weight, generated=row.generated, claim=row.claim)
        if before is not None:
            fresh = fresh.after(before)
        if settings.constraint.options:
            return fresh.balloted()
        return fresh.settled() if settings.constraint.controller is None else fresh.asked()

    @classmethod
    def keep(cls, settings: SpanSettings, row: Row) -> Hypothesis:
        """A row that comes back as it is, so that for this call it has ended."""
        at = Cursor(settings.constraint.guide, None)
        return cls(
            settings, row, at, weight=row.weight, generated=row.generated, finished="stop", kept=True, whole=True
        )

    @classmethod
    def linked(
        cls, settings: SpanSettings, row: Row, text: tuple[int, ...], before: Hypothesis | None
    ) -> tuple[Hypothesis, ...]:
        """A new span after a row and a text; where the context has no room for that, it ends without either."""
        longer = row.append(text)
        if settings.context_length is None or len(longer) <= settings.context_length:
            return cls.begin(settings, longer, before)
        at = Cursor(settings.constraint.guide, settings.constraint.guide.initial)
        last = cls(settings, row, at, weight=row.weight, generated=row.generated, claim=row.claim, finished="length")
        return (last if before is None else last.changed(prior=before.said, sent=before.sent),)

    def balloted(self) -> tuple[Hypothesis, ...]:
        """With a ballot for the rest of its span; ended, if there is none, or no room for its options."""
        settings, here = self.settings, self.row.ids + self.ids
        ballot = ballot_of(settings.constraint, settings.encoder, settings.healed, here, self.ids)
        if ballot is None:
            return self._ended(None)
        longest = max(map(len, ballot.options)) + len(here)
        if settings.room(self.position, self.spent) <= 0 or (
            settings.context_length is not None and longest > settings.context_length
        ):
            return self._ending("length")
        return (self.changed(ballot=ballot),)

    def option_scores(self, logits: Tensor) -> OptionScores:
        """What the options of its ballot score, from the logits `[lines, V]` that the ballot asked for."""
        assert self.ballot is not None
        return scored_options(self.ballot, self.settings.constraint, self.at.guide, logits, self.logprobs)

    def elected(
        self, scores: OptionScores, elect: Elect, reads: Sequence[tuple[int, Claim | None]]
    ) -> Iterator[Hypothesis]:
        """The span with the option, or with each of those, that its ballot elects.

        Tokens' proposals are those of drawing them one by one by the same law of the options. `reads`: for each query,
        as which pending row it was read, and a claim on its keys and values.
        """
        ballot = self.ballot
        assert ballot is not None
        law, chosen = elect(scores.shares)
        for place in chosen:
            ids, (logprobs, stop) = ballot.options[place], scores.scores[place]
            token_proposals, stop_proposal = proposals(ballot.options, law, place)
            query, size = ballot.read(ids)
            row, claim = reads[query]
            longer = self.changed(ballot=None).longer(ids, logprobs, token_proposals)
            yield from longer.read(row, size, claim and claim.crop(size)).chosen(SpanStop(stop, stop_proposal))

    def chosen(self, stop: SpanStop) -> tuple[Hypothesis, ...]:
        """Ended with the option that was elected for it, as far as there is room."""
        ended = self.changed(stop=stop, weight=self.weight + stop.logprob, finished="stop", ready=False)
        over = 0 if self.settings.max_tokens is None else self.spent - self.settings.max_tokens
        return (ended.shortened(over) if over > 0 else ended).crossed()

    def after(self, before: Hypothesis) -> Hypothesis:
        """The same, going on from what the hypothesis before it had been given, and had given out."""
        fed, prior = min(before.fed, len(self.row)), before.said
        if before.settings.text and before.settings.passes(before.finished) and not before.whole:
            prior += before.settings.text.encode()
        return self.changed(parent=before.parent, fed=fed, prior=prior, sent=before.sent)

    @property
    def lineage(self) -> tuple[int, ...]:
        return self.row.lineage

    @property
    def encoder(self) -> Encoder:
        return self.settings.encoder

    @property
    def memory(self) -> Any:
        """What its controller gave it to remember."""
        return self.at.memory

    @property
    def labels(self) -> tuple[tuple[str, int, int], ...]:
        return self.at.labels

    @property
    def position(self) -> int:
        """Where the next token will stand."""
        return len(self.row) + len(self.ids)

    @property
    def tail(self) -> tuple[int, ...]:
        """The row's last tokens: enough to see how the tokenizer would go on."""
        return (*self.row.ids[-LOOKBACK:], *self.ids[-LOOKBACK:])[-LOOKBACK:]

    @property
    def controlled(self) -> bool:
        """Whether a controller says what comes next."""
        return self.settings.constraint.controller is not None and self.at.freed is None

    @property
    def attempt(self) -> int:
        """How many draws were made at that position before."""
        here = len(self.ids)
        segments = sum(segment.end == here for segment in self.at.segments) if self.at.segments else 0
        return self.row.attempts(self.position) + segments + self.tries.get(here, 0)

    @property
    def score(self) -> float:
        return score(self.weight, self.generated, self.settings.length_penalty)

    def score_with(self, logprob: float) -> float:
        """The score after one more token."""
        return score(self.weight + logprob, self.generated + 1, self.settings.length_penalty)

    @property
    def bound(self) -> float:
        """The best score still to be reached: weights only fall; a penalty helps the longest, a bonus the shortest."""
        longest = self.generated + self.settings.reach(self.position, self.spent)
        if self.settings.length_penalty > 0:
            return score(self.weight, longest, self.settings.length_penalty) if longest < inf else 0.0
        return self.score

    @property
    def final(self) -> int:
        """How many of its tokens cannot be taken back any more."""
        if self.finished or not self.settings.revised:
            return len(self.ids)
        return 0 if self.settings.horizon is None else max(0, max(len(self.ids), self.furthest) - self.settings.horizon)

    @property
    def value(self) -> bytes:
        """The text of its span, but for what was healed."""
        healed = len(self.settings.healed)
        return self.text[healed:] if healed else self.text

    @property
    def said(self) -> bytes:
        """All that was written by this call."""
        return self.prior + self.value if self.prior else self.value

    @property
    def cut(self) -> bool:
        """Whether it ended before its time: what it wrote is no value, or its chain did not come to the end."""
        return self.finished == "length" and not self.settings.passes("length")

    @property
    def known(self) -> Row:
        """Its row, up to where all is scored."""
        return self.finish("interrupted").as_row()

    @property
    def queries(self) -> Sequence[Query]:
        """The logits that it needs."""
        return [self.query] if self.ballot is None else self.ballot.queries

    @property
    def query(self) -> Query:
        """Those it needs if there is no ballot: where tokens are unscored, and after its last one, if it goes on."""
        head, tail = self.row.ids, self.dropped if self.ending else ()
        length = len(head) + len(self.ids)
        wanted = range(length - self.unscored - 1, length + len(tail) - (self.ending is not None))
        return Query(self.ids + tail, tuple(wanted), self.claim, head)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The tokens of a stop string that were taken out of the row."""
        return (self.stop and self.stop.dropped) or ()

    def read(self, place: int, count: int, claim: Claim | None) -> Hypothesis:
        """Its first `count` tokens were read, as the pending row of this place.

        `claim`: on their keys and values; without a new one it keeps its own.
        """
        return self.changed(parent=place, fed=count, claim=claim or self.claim, ready=self.ending is None)

    # --- forward

    def extend(self, candidate: int, logprob: float, proposal: float) -> tuple[Hypothesis, ...]:
        """One candidate further: a token that the constraint allows, or the stop."""
        if self.edited:
            proposal = nan
        if candidate == len(self.settings.encoder.vocabulary.tokens):
            return self._ended(SpanStop(logprob, proposal))
        longer = self.longer((candidate,), (logprob,), (proposal,))
        if self.edited:
            longer = longer.changed(edited=False, banned=frozenset())
        return longer.settled(len(self.text))

    def scored(self, logprobs: Sequence[float]) -> tuple[Hypothesis, ...]:
        """With the log-probabilities of its unscored tokens, and then of those that its stop dropped."""
        own, dropped = logprobs[: self.unscored], logprobs[self.unscored :]
        stop = self.stop
        if stop is not None and stop.dropped is not None:
            stop = replace(stop, logprob=sum(dropped))
        known = self.changed(
            logprobs=(*self.logprobs[: len(self.ids) - self.unscored], *own),
            weight=self.weight + sum(logprobs),
            stop=stop,
            finished=self.ending,
            ending=None,
            unscored=0,
        )
        if self.asking:
            return known.asked()
        return known.crossed()

    def longer(
        self, ids: Sequence[int], logprobs: Sequence[float], proposals: Sequence[float], unscored: int = 0
    ) -> Hypothesis:
        """With more tokens, which its guide allows; the last ones may be unscored."""
        at, trail, guide = self.at, self.trail, self.at.guide
        for token in ids:
            state = guide.advance(at.state, token)
            assert state is not None, f"token {token} was drawn against the constraint"
            trail = (at, trail)
            at = Cursor(guide, state, at.memory, at.labels, at.segments, at.begin, at.freed)
        tokens = self.settings.encoder.vocabulary.tokens
        return self.changed(
            at=at,
            trail=trail,
            ids=(*self.ids, *ids),
            logprobs=(*self.logprobs, *logprobs),
            proposals=(*self.proposals, *proposals),
            text=self.text + (tokens[ids[0]] if len(ids) == 1 else b"".join([tokens[token] for token in ids])),
            spent=self.spent + (self._charged(len(self.text), ids) if self.settings.healed else len(ids)),
            weight=self.weight + sum(logprobs),
            generated=self.generated + len(ids),
            unscored=self.unscored + unscored,
            ready=False,
        )

    def _charged(self, begin: int, ids: Sequence[int]) -> int:
        """How many of these tokens count for max_tokens, `begin` bytes after the span's beginning: not what heals."""
        tokens, healed = self.settings.encoder.vocabulary.tokens, len(self.settings.healed)
        ends = accumulate((len(tokens[token]) for token in ids), initial=begin)
        return sum(end > healed for end in islice(ends, 1, None))

    def changed(self, **changes: Any) -> Hypothesis:
        """`dataclasses.replace` in a third of its time: every token of every row comes by here."""
        changed = object.__new__(Hypothesis)
        changed.__dict__.update(self.__dict__)
        changed.__dict__.update(changes)
        return changed

    def settled(self, known: int = 0) -> tuple[Hypothesis, ...]:
        """After all that is left without a draw: a stop string, a part's end, the end of its room, a forced run.

        No stop string ends in the `known` first bytes of the text.
        """
        if self.finished or self.asking or self.ending:
            return (self,)
        settings, at = self.settings, self.at
        if settings.stop_bytes and (cut := self._stop_string(known)) is not None:
            return self._cut(cut).crossed()
        if settings.constraint.must_stop(at.guide, at.state) or (
            isinstance(at.guide, (Given, OneToken)) and at.guide.complete(at.state)
        ):
            return self._ended(None)
        room = settings.room(self.position, self.spent)
        if room <= 0:
            return self._ending("length")
        if isinstance(at.guide, Given):
            run = at.guide.ids[at.state :]
        elif settings.forced and at.guide.forced(at.state):
            run = forced_run(settings.encoder, at.guide, at.state, self.tail)
        else:
            run = ()
        if not run:
            return (self,)
        run = run[: int(min(room, len(run)))]
        zeros = [0.0] * len(run)
        return self.longer(run, zeros, zeros, unscored=len(run)).settled(len(self.text))

    def _ending(self, how: Finished, stop: SpanStop | None = None) -> tuple[Hypothesis, ...]:
        """Ended, once its tokens are scored."""
        weight = self.weight + (stop.logprob if stop else 0.0)
        if self.unscored:
            return (self.changed(stop=stop, weight=weight, ending=how, ready=False),)
        return self.changed(stop=stop, weight=weight, finished=how, ready=False).crossed()

    def crossed(self) -> tuple[Hypothesis, ...]:
        """On to what its chain goes on with, if its span has ended as it should."""
        settings = self.settings
        if self.finished is None or not (settings.next or settings.text) or not settings.passes(self.finished):
            return (self,)
        own = self.as_row()
        text = settings.text_after(own.ids)
        if settings.next is not None:
            return Hypothesis.linked(settings.next, own, text, self)
        row = own.append(text)
        ended = self.changed(row=row, ids=(), logprobs=(), proposals=(), text=b"", claim=row.claim, whole=True)
        return (ended.after(self),)

    # --- parts of a span, and who says what comes next

    def _ended(self, stop: SpanStop | None) -> tuple[Hypothesis, ...]:
        """What its guide is for has ended: with a stop that was drawn, or (None) because nothing else was left."""
        at = self.at
        if not self.controlled:
            return self._ending("stop", stop or CERTAIN)
        ended = self
        if stop is not None:
            segments = (*at.segments, Segment(at.begin, len(self.ids), stop, at.guide))
            at = at._replace(segments=segments)
            ended = self.changed(at=at, weight=self.weight + stop.logprob, edited=False, banned=frozenset())
            if isinstance(at.guide, OneToken):
                return ended._ending("stop", CERTAIN)
        elif isinstance(at.guide, OneToken) and (rest := at.guide.runs.get(at.state)):
            run = Given(self.settings.encoder.vocabulary, rest)
            return self.changed(at=at._replace(guide=run, state=run.initial)).settled()
        return (ended if len(self.ids) > at.begin else ended._sent_back()).asked()

    def asked(self) -> tuple[Hypothesis, ...]:
        """The branches that its controller wants, once all its tokens are scored."""
        if self.unscored:
            return (self.changed(asking=True, ready=False),)
        controller = self.settings.constraint.controller
        assert controller is not None
        branches = controller(Writing(self))
        if not isinstance(branches, (list, tuple)) or not all(isinstance(branch, Branch) for branch in branches):
            raise TypeError(f"a controller gives a list of Branches, [] to stop; {controller!r} gave {branches!r}")
        if not branches:
            return self.changed(asking=False)._ending("stop", CERTAIN)
        # samples are numbered from 0 on: forks have numbers that no sample has
        rows = [self.row] if len(branches) == 1 else [copied(self.row, -1 - i) for i in range(len(branches))]
        forks = [self.changed(row=row, asking=False) for row in rows]
        return tuple(h for fork, branch in zip(forks, branches, strict=True) for h in fork._branched(branch))

    def _branched(self, branch: Branch) -> tuple[Hypothesis, ...]:
        """Along one branch."""
        h = self if branch.backtrack == 0 else self._back_along(branch.backtrack)
        guide, here = branch.guide(self.settings.encoder, h.tail, self.settings.everything), len(h.ids)
        labels = h.at.labels
        if branch.label is not None:
            others = (label for label in labels if label[0] != branch.label)
            labels = (*others, (branch.label, here, len(h.at.segments)))
        memory = self.at.memory if branch.memory is KEEP else branch.memory
        return h.changed(at=Cursor(guide, guide.initial, memory, labels, h.at.segments, here)).settled(len(h.text))

    def _back_along(self, backtrack: int | str) -> Hypothesis:
        """So many tokens back, or back to a label."""
        if not isinstance(backtrack, str):
            return self.back(backtrack)
        labels = {name: (at, segments) for name, at, segments in self.at.labels}
        if backtrack not in labels:
            raise ValueError(f"Branch(backtrack={backtrack!r}): the row has the labels {sorted(labels)}")
        at, segments = labels[backtrack]
        return self.back(len(self.ids) - at, segments=segments)

    # --- back

    def back(self, n: int, drawn: bool = False, segments: int | None = None) -> Hypothesis:
        """Without its last n tokens, from where they were drawn: constraint, KV, scores and text go back together.

        drawn: another draw, after them, is given up with them; parts: how many parts are left, of those that end there.
        """
        if isinstance(n, bool) or not hasattr(n, "__index__") or (n := operator.index(n)) < 0:
            raise ValueError(f"to go back {n!r} tokens: it must be an int ≥ 0")
        count = len(self.ids) - n
        if count < 0:
            raise ValueError(f"to go back {n} tokens: the span has only {len(self.ids)} so far")
        if count + len(self.row) == 0:
            raise ValueError(f"to go back {n} tokens: nothing of the row is left to go on from")
        h = self._sent_back()
        if self.settings.horizon is not None and count < h.furthest - self.settings.horizon:
            raise TooManyRetries(
                f"to go back {n} tokens: the text before the last {self.settings.horizon} was given out already "
                "(horizon)"
            )
        at, trail = self.at, self.trail
        for _ in range(n):
            assert trail is not None
            at, trail = trail
        at = at._replace(segments=at.segments[:segments])
        tokens, gone = self.settings.encoder.vocabulary.tokens, self.ids[count:]
        size = len(self.text) - sum(len(tokens[token]) for token in gone)
        logprobs = self.logprobs[:count]
        tries = dict(self.tries)
        for place in range(count, len(self.ids) + drawn):
            tries[place] = tries.get(place, 0) + 1
        for segment in self.at.segments[len(at.segments) :]:
            tries[segment.end] = tries.get(segment.end, 0) + 1
        drawn_logprobs = [value for value in logprobs if value is not None]
        return h.changed(
            row=self.row.sealed(len(self.row) + count),
            at=at,
            trail=trail,
            ids=self.ids[:count],
            logprobs=logprobs,
            proposals=self.proposals[:count],
            text=self.text[:size],
            weight=fsum([self.row.weight, *drawn_logprobs, *(segment.stop.logprob for segment in at.segments)]),
            generated=self.row.generated + len(drawn_logprobs),
            spent=self.spent - self._charged(size, gone),
            unscored=max(0, self.unscored - n),
            claim=self.claim and self.claim.crop(len(self.row) + count),
            fed=min(self.fed, len(self.row) + count),
            ready=self.ready and not n,
            tries=tries,
        )

    def resampled(self, mark: Resampling, copy: int) -> Hypothesis:
        """Drawn among the particles, as this copy of it."""
        row = copied(self.row, copy)
        return self.changed(row=replace(row, resamplings=(*row.resamplings, mark)))

    def declined(self) -> Hypothesis:
        """What was drawn next is given up: it draws anew, at the same place, by a law that nobody can tell."""
        here = len(self.ids)
        tries = {**self.tries, here: self.tries.get(here, 0) + 1}
        return self._sent_back().changed(tries=tries, edited=True)

    def _sent_back(self) -> Hypothesis:
        """Counted as a retry."""
        limit = self.settings.retries
        furthest = max(self.furthest, len(self.ids))
        retries = self.retries + 1 if len(self.ids) <= self.furthest else 1
        if retries > limit:
            raise TooManyRetries(
                f"a row was sent back, or given branches that add nothing, {limit} times (retries), "
                f"and is no longer than {furthest} tokens"
            )
        return self.changed(retries=retries, furthest=furthest)

    # --- the end

    def _stop_string(self, known: int) -> int | None:
        """How many bytes of the text are kept, if it holds a stop string, none of which ends in the `known` first."""
        begin = len(self.settings.healed)
        stops = self.settings.stop_bytes
        starts = ((self.text.find(stop, max(begin, known - len(stop) + 1)), -len(stop)) for stop in stops)
        found = [start for start in starts if start[0] >= 0]
        if not found:
            return None
        at, length = min(found)
        return at - length if self.settings.constraint.include_stop else at

    def _cut(self, size: int) -> Hypothesis:
        """End the span after `size` bytes of its text; the tokens beyond them are the stop's."""
        tokens = self.settings.encoder.vocabulary.tokens
        count = length = 0
        while count < len(self.ids) and length + len(tokens[self.ids[count]]) <= size:
            length += len(tokens[self.ids[count]])
            count += 1
        gone = slice(count, None)
        decided = SpanStop(
            sum(value or 0.0 for value in self.logprobs[gone]),
            sum(value or 0.0 for value in self.proposals[gone]),
            self.ids[gone],
        )
        kept = replace(
            self,
            row=self._resampled_before(count),
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
        spell = self.settings.encoder.encode_bytes
        crossing = tokens[self.ids[count]]
        lead, rest = spell(crossing[: size - length]), spell(crossing[size - length :])
        dropped = (*rest, *self.ids[count + 1 :])
        if self.settings.room(len(self.row) + count + len(lead) + len(dropped), 0) < 0:
            # the model cannot read that far to score it: its context is what ends the row, stop string and all
            return replace(self, finished="length")
        return replace(
            kept,
            ids=(*kept.ids, *lead),
            logprobs=(*kept.logprobs, *[0.0] * len(lead)),
            proposals=(*kept.proposals, *[0.0] * len(lead)),
            stop=replace(decided, dropped=dropped),
            finished=None,
            ending="stop",
            generated=kept.generated + len(lead),
            weight=self.weight - decided.logprob,
            unscored=len(lead),
        )

    def _resampled_before(self, count: int) -> Row:
        """The row for a span that is cut here: what a stop string drops is weighed with the stop."""
        end, known = len(self.row) + count, self.row.resamplings
        if not known or known[-1].position <= end:
            return self.row
        gone = slice(count, known[-1].position - len(self.row))
        pairs = zip(self.logprobs[gone], self.proposals[gone], strict=True)
        return self.row.resampled_before(end, fsum((own or 0.0) - (law or 0.0) for own, law in pairs))

    def stopped_by_hook(self, stop: SpanStop) -> tuple[Hypothesis, ...]:
        """Ended here because a hook said so: as a stop, if the constraint lets it; else cut short."""
        if self.at.guide.accepting(self.at.state) and not self.controlled:
            return self._ending("stop", stop)
        return self._ending("interrupted")

    def freed(self, token: int, logprob: float, proposal: float) -> Hypothesis:
        """One token further, whether its constraint allows it or not; from there on the span is text."""
        if len(self.text) < len(self.settings.healed):
            raise ValueError(f"Replace({token}, unconstrained=True) before {self.settings.healed!r} is healed")
        guide = guides.text(self.settings.encoder.vocabulary)
        freed = len(self.ids) if self.at.freed is None else self.at.freed
        free = self.changed(at=self.at._replace(guide=guide, state=guide.initial, freed=freed))
        longer = free.longer((token,), (logprob,), (proposal,))
        return longer.changed(trail=(self.at, self.trail), edited=False, banned=frozenset())

    def finish(self, finished: Finished) -> Hypothesis:
        """End it here if it has not ended: without what is not scored yet."""
        if self.finished:
            return self
        if not self.unscored:
            return replace(self, finished=finished)
        keep, at, trail = slice(-self.unscored), self.at, self.trail
        # (no points lead to what a stop string left of a token: that was spelled anew)
        for _ in range(self.unscored if self.ending is None or self.dropped == () else 0):
            assert trail is not None
            at, trail = trail
        return replace(
            self,
            at=at,
            trail=trail,
            ids=self.ids[keep],
            logprobs=self.logprobs[keep],
            proposals=self.proposals[keep],
            stop=None,
            unscored=0,
            ending=None,
            finished=finished,
        )

    def shortened(self, n: int) -> Hypothesis:
        """Ended for want of room, without its last n tokens."""
        tokens = self.settings.encoder.vocabulary.tokens
        size = len(self.text) - sum(len(tokens[token]) for token in self.ids[-n:])
        row = self.changed(unscored=n, ending="length", finished=None).finish("length")
        weight = fsum([self.row.weight, *(value for value in row.logprobs if value is not None)])
        return row.changed(text=self.text[:size], weight=weight, generated=self.generated - n)

    def as_row(self) -> Row:
        """The row with its new span. Without tokens or a decision there is still a span: it says how it ended."""
        if self.whole:
            return self.row
        origin = Origin(
            "generated",
            len(self.ids),
            self.settings.name,
            self.settings.constraint,
            self.finished,
            self.stop,
            self.settings.length_penalty,
            link=self.settings.link,
            segments=self.at.segments,
            healed=self.settings.healed,
            freed=self.at.freed,
            tries=tuple((at, count) for at, count in self.tries.items() if at >= len(self.ids)),
            point=(self.at, self.trail) if self.settings.constraint.controller is not None else None,
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
