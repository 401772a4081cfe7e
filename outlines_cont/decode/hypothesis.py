"""A row in the making: a growing span and what becomes of it, from its first token to the next span of its chain.

The way of a token: `read` (its logits were computed), `scored` (the tokens before it that were given), `extend` (it was
drawn), `settled` (all that follows without another draw). A span that is over goes to `end_when_scored`, and from there
to `crossed`: on to the next span of its chain, if there is one.

Every change gives new hypotheses. Mostly it is one, but a controller may fork a row, so that `extend` and all that may
end a segment of a span give a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan

from torch import Tensor

from outlines_cont.decode.branch import Given, OneToken
from outlines_cont.decode.branching import branches_of, forks
from outlines_cont.decode.canonical import forced_run, reopened
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.option_scoring import (
    ChooseOptions,
    OptionScores,
    OptionScoring,
    option_scoring,
    proposals,
    scored_options,
)
from outlines_cont.decode.settings import Cursor, SpanSettings
from outlines_cont.decode.span_ends import cut_at_stop, ended_now, row_with, shortened, stop_string_end
from outlines_cont.decode.status import ASKING, ENDED, ENDING, KEPT, READY, WHOLE
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Segment, SpanStop

CERTAIN = SpanStop(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Hypothesis(GrowingSpan):
    """A growing span that ends, forks, and goes on along its chain.

    Attributes:
        scoring: the options of which it takes one next, for which it waits.
        prior: what its chain wrote before this span, in this call.
        sent: how many bytes of what it wrote were given out as final.
        delta: the last text of these.
    """

    scoring: OptionScoring | None = None
    prior: bytes = b""
    sent: int = 0
    delta: str = ""

    # --- where it begins

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
            return fresh.waiting_for_options()
        return fresh.settled() if settings.constraint.controller is None else fresh.asked()

    @classmethod
    def keep(cls, settings: SpanSettings, row: Row) -> Hypothesis:
        """A row that comes back as it is, so that for this call it has ended."""
        at = Cursor(settings.constraint.guide, None)
        return cls(settings, row, at, weight=row.weight, generated=row.generated, status=KEPT)

    @classmethod
    def linked(
        cls, settings: SpanSettings, row: Row, text: tuple[int, ...], before: Hypothesis | None
    ) -> tuple[Hypothesis, ...]:
        """A new span after a row and a text; where the context has no room for that, it ends without either."""
        longer = row.append(text)
        if settings.context_length is None or len(longer) <= settings.context_length:
            return cls.begin(settings, longer, before)
        at = Cursor(settings.constraint.guide, settings.constraint.guide.initial)
        last = cls(settings, row, at, weight=row.weight, generated=row.generated, claim=row.claim)
        last = last.changed(status=ENDED["length"])
        return (last if before is None else last.changed(prior=before.written, sent=before.sent),)

    def after(self, before: Hypothesis) -> Hypothesis:
        """The same, going on from what the hypothesis before it had been given, and had given out."""
        fed, prior = min(before.fed, len(self.row)), before.written
        if before.settings.text and before.settings.passes(before.status.finished) and not before.status.whole:
            prior += before.settings.text.encode()
        return self.changed(parent=before.parent, fed=fed, prior=prior, sent=before.sent)

    # --- what it shows to others

    @property
    def final(self) -> int:
        """How many of its tokens cannot be taken back any more."""
        if self.status.finished or not self.settings.revised:
            return len(self.ids)
        return 0 if self.settings.horizon is None else max(0, max(len(self.ids), self.furthest) - self.settings.horizon)

    @property
    def written(self) -> bytes:
        """All that was written by this call."""
        return self.prior + self.value if self.prior else self.value

    @property
    def cut_short(self) -> bool:
        """Whether it ended before its time: its text is no value, or its chain did not come to the end."""
        return self.status.finished == "length" and not self.settings.passes("length")

    def end_now(self, how: Finished) -> Hypothesis:
        """End it here if it has not ended: without what is not scored yet."""
        return ended_now(self, how)

    def as_row(self) -> Row:
        """The row with its new span."""
        return self.row if self.status.whole else row_with(self)

    @property
    def scored_row(self) -> Row:
        """Its row, up to where all is scored."""
        return self.end_now("interrupted").as_row()

    # --- the logits that it needs, and gets

    @property
    def needs(self) -> Sequence[Need]:
        """The logits that it needs."""
        return [self.need] if self.scoring is None else self.scoring.needs

    @property
    def need(self) -> Need:
        """Those it needs if it waits for no options: at its unscored tokens, and after its last one if it goes on."""
        head, tail = self.row.ids, self.dropped if self.status.ending else ()
        length = len(head) + len(self.ids)
        wanted = range(length - self.unscored - 1, length + len(tail) - (self.status.ending is not None))
        return Need(self.ids + tail, tuple(wanted), self.claim, head)

    def read(self, place: int, count: int, claim: Claim | None) -> Hypothesis:
        """Its first `count` tokens were read, as the pending row of this place.

        `claim`: on their keys and values; without a new one it keeps its own.
        """
        status = self.status
        if not (status.asking or status.ending):
            status = READY
        return self.changed(parent=place, fed=count, claim=claim or self.claim, status=status)

    def scored(self, logprobs: Sequence[float]) -> tuple[Hypothesis, ...]:
        """With the log-probabilities of its unscored tokens, and then of those that its stop dropped."""
        given, dropped = logprobs[: self.unscored], logprobs[self.unscored :]
        stop = self.stop
        if stop is not None and stop.dropped is not None:
            stop = replace(stop, logprob=sum(dropped))
        ending = self.status.ending
        scored = self.changed(
            logprobs=(*self.logprobs[: len(self.ids) - self.unscored], *given),
            weight=self.weight + sum(logprobs),
            stop=stop,
            status=ENDED[ending] if ending else READY,
            unscored=0,
        )
        return scored.asked() if self.status.asking else scored.crossed()

    # --- a token further

    def extend(self, candidate: int, logprob: float, proposal: float) -> tuple[Hypothesis, ...]:
        """One candidate further: a token that the constraint allows, or the stop."""
        if self.edited:
            proposal = nan
        if candidate == len(self.settings.encoder.vocabulary.tokens):
            return self._after_guide(SpanStop(logprob, proposal))
        longer = self.longer((candidate,), (logprob,), (proposal,))
        if self.edited:
            longer = longer.changed(edited=False, banned=frozenset())
        return longer.settled(len(self.text))

    def settled(self, searched: int = 0) -> tuple[Hypothesis, ...]:
        """After all that follows without a draw: a stop string, a segment's end, the end of its room, a forced run.

        No stop string ends in the `searched` first bytes of the text.
        """
        status = self.status
        if status.finished or status.asking or status.ending:
            return (self,)
        settings, at = self.settings, self.at
        if settings.stop_bytes and (size := stop_string_end(self, searched)) is not None:
            return cut_at_stop(self, size).crossed()
        if isinstance(at.guide, (Given, OneToken)):
            over = at.guide.over(at.state)
        else:
            over = settings.constraint.must_stop(at.guide, at.state)
        if over:
            return self._after_guide(None)
        room = settings.room(self.position, self.spent)
        if room <= 0:
            return self.end_when_scored("length")
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

    # --- its controller

    def _after_guide(self, stop: SpanStop | None) -> tuple[Hypothesis, ...]:
        """Its guide has ended: with a stop that was drawn, or (None) because the guide allows nothing else."""
        at = self.at
        if not self.controlled:
            return self.end_when_scored("stop", stop or CERTAIN)
        ended = self
        if stop is not None:
            segments = (*at.segments, Segment(at.begin, len(self.ids), stop, at.guide))
            at = at._replace(segments=segments)
            ended = self.changed(at=at, weight=self.weight + stop.logprob, edited=False, banned=frozenset())
            if isinstance(at.guide, OneToken):
                return ended.end_when_scored("stop", CERTAIN)
        elif isinstance(at.guide, OneToken) and (run := at.guide.runs.get(at.state)):
            guide = Given(self.settings.encoder.vocabulary, run)
            return self.changed(at=at._replace(guide=guide, state=guide.initial)).settled()
        return (ended if len(self.ids) > at.begin else ended.sent_back()).asked()

    def asked(self) -> tuple[Hypothesis, ...]:
        """Along the branches that its controller wants, once all its tokens are scored."""
        if self.unscored:
            return (self.changed(status=ASKING),)
        branches = branches_of(self)
        if not branches:
            return self.end_when_scored("stop", CERTAIN)
        return tuple(h for fork in forks(self, branches) for h in fork.settled(len(fork.text)))

    # --- whole options

    def waiting_for_options(self) -> tuple[Hypothesis, ...]:
        """With the options for the rest of its span; ended, if there are none, or there is no room for them."""
        settings, here = self.settings, self.row.ids + self.ids
        scoring = option_scoring(settings.constraint, settings.encoder, settings.healed, here, self.ids)
        if scoring is None:
            return self._after_guide(None)
        longest = max(map(len, scoring.options)) + len(here)
        if settings.room(self.position, self.spent) <= 0 or (
            settings.context_length is not None and longest > settings.context_length
        ):
            return self.end_when_scored("length")
        return (self.changed(scoring=scoring),)

    def option_scores(self, logits: Tensor) -> OptionScores:
        """What its options score, from the logits `[lines, V]` that `scoring` asked for."""
        assert self.scoring is not None
        return scored_options(self.scoring, self.settings.constraint, self.at.guide, logits, self.logprobs)

    def with_options(
        self, scores: OptionScores, choose: ChooseOptions, reads: Sequence[tuple[int, Claim | None]]
    ) -> Iterator[Hypothesis]:
        """The span with each option that is chosen.

        Tokens' proposals are those of drawing them one by one by the same law of the options. `reads`: for each need,
        as which pending row it was read, and a claim on its keys and values.
        """
        scoring = self.scoring
        assert scoring is not None
        law, places = choose(scores.shares)
        for place in places:
            ids, (logprobs, stop) = scoring.options[place], scores.scores[place]
            token_proposals, stop_proposal = proposals(scoring.options, law, place)
            need, size = scoring.read(ids)
            row, claim = reads[need]
            longer = self.changed(scoring=None).longer(ids, logprobs, token_proposals)
            read = longer.read(row, size, claim and claim.crop(size))
            yield from read._ended_by_option(SpanStop(stop, stop_proposal))

    def _ended_by_option(self, stop: SpanStop) -> tuple[Hypothesis, ...]:
        """Ended with the option that was chosen for it, as far as there is room."""
        ended = self.changed(stop=stop, weight=self.weight + stop.logprob, status=ENDED["stop"])
        over = 0 if self.settings.max_tokens is None else self.spent - self.settings.max_tokens
        return (shortened(ended, over) if over > 0 else ended).crossed()

    # --- its end

    def end_when_scored(self, how: Finished, stop: SpanStop | None = None) -> tuple[Hypothesis, ...]:
        """Ended, once its tokens are scored."""
        weight = self.weight + (stop.logprob if stop else 0.0)
        if self.unscored:
            return (self.changed(stop=stop, weight=weight, status=ENDING[how]),)
        return self.changed(stop=stop, weight=weight, status=ENDED[how]).crossed()

    def stopped_by_hook(self, stop: SpanStop) -> tuple[Hypothesis, ...]:
        """Ended here because a hook said so: as a stop, if the constraint lets it; else cut short."""
        if self.at.guide.accepting(self.at.state) and not self.controlled:
            return self.end_when_scored("stop", stop)
        return self.end_when_scored("interrupted")

    def crossed(self) -> tuple[Hypothesis, ...]:
        """On to what its chain goes on with, if its span has ended as it should."""
        settings, finished = self.settings, self.status.finished
        if finished is None or not (settings.next or settings.text) or not settings.passes(finished):
            return (self,)
        row = self.as_row()
        text = settings.text_after(row.ids)
        if settings.next is not None:
            return Hypothesis.linked(settings.next, row, text, self)
        row = row.append(text)
        whole = self.changed(
            row=row, ids=(), logprobs=(), proposals=(), text=b"", claim=row.claim, status=WHOLE[finished]
        )
        return (whole.after(self),)
