"""The draws of a step: the law of each row that is ready, and the candidates, or whole options, that the samplers
take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from math import inf
from operator import attrgetter
from typing import NamedTuple, cast

import torch
from torch import Tensor

from outlines_cont.decode.accepting import GivenDraws, given_ids
from outlines_cont.decode.branch import Branching
from outlines_cont.decode.combined_law import Densities, combined_law
from outlines_cont.decode.failed_rows import failing, lawful, lawless
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.growing_row import GrowingRow, shortened, with_end_token
from outlines_cont.decode.growing_span import GrowingSpan, walked_back
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import FILTERS, INSPECTION, IS_READY, Hypothesis, crossed, ended, scored
from outlines_cont.decode.logits import PreparedMasks, law_of
from outlines_cont.decode.option_scoring import OptionScores, log_sum, proposals, scored_options
from outlines_cont.decode.same_text import ByValue
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Sampler
from outlines_cont.decode.settings import Cursor, Trail
from outlines_cont.decode.status import DRAWING
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import AnsweredNeed
from outlines_cont.fsm.protocol import allows
from outlines_cont.kernels.fused_law import FusedLaw
from outlines_cont.kernels.laws import Candidates, Law, Scratch
from outlines_cont.kv.given_tokens import of_laws
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.draw_notes import NotedToken
from outlines_cont.state.spans import SpanStop

# --- branches of controllers that change the law of a draw, and samplers that have none to change


def check_branch_filters(sampler: Sampler, live: Sequence[Hypothesis]) -> None:
    """ValueError for a branch that changes the sampler's law where the sampler has none that could be changed."""
    for filters in map(FILTERS, live):
        if filters is not PLAIN and sampler.filters is None:
            raise ValueError(
                f"a branch with {filters} under {sampler!r}: this sampler draws nothing at random by a law that could "
                "be changed"
            )


# --- rows that draw from the same law, as copies of a prompt do until they have drawn different tokens

WORTH = 2  # rows for each law: with fewer it takes as long to see that laws are the same as to make them


def law_of_rows(
    live: Sequence[Hypothesis],
    logits: Tensor,
    proposal: Densities | None,
    scratch: Scratch,
    plain: bool,
    prepared: PreparedMasks,
) -> Candidates:
    """The law of what comes next in each of these rows: by its own logits `[live, V]`, or by the proposal, if there is
    one. A law that many rows share is made once. `plain`: as a `Law`."""
    if len(live) >= WORTH and (firsts := first_of_same_law(live, logits, proposal)):
        distinct = sorted(set(firsts))
        others = proposal and proposal.at(distinct)
        shared = law_of_rows([live[row] for row in distinct], logits[distinct], others, scratch, plain, prepared)
        if isinstance(shared, Law):
            at = {row: place for place, row in enumerate(distinct)}
            return shared.repeated([at[row] for row in firsts])
    if proposal is not None:
        return combined_law(live, logits, proposal, scratch, prepared)
    return law_of(live, logits, scratch, plain, prepared)


def first_of_same_law(live: Sequence[Hypothesis], logits: Tensor, proposal: Densities | None) -> list[int]:
    """For each row the place of the first one that draws from the same law; [] where it is not worth while.

    logits: of the rows, `[live, V]`. Whoever gives them may give different ones to rows of the same tokens, so they are
    compared, and those of the proposal as well.
    """
    if logits.device.type != "cpu":
        return []
    places: dict[Hashable, int] = {}
    firsts = [
        places.setdefault((*_standing(h), proposal and proposal.weighed[place]), place) for place, h in enumerate(live)
    ]
    if WORTH * len(places) > len(live):
        return []
    copies = [place for place, first in enumerate(firsts) if first != place]
    of_first = [firsts[place] for place in copies]
    each = [logits] if proposal is None else [logits, proposal.density]
    return firsts if all(torch.equal(lines[copies], lines[of_first]) for lines in each) else []


def _standing(h: Hypothesis) -> tuple[Hashable, ...]:
    span = h.span
    return id(span.settings), id(span.row.ids), span.ids, id(span.at.guide), span.at.state


# --- the model's likeliest tokens at each position, for rows that keep them (`oc.Keep(alternatives=n)`)


def with_alternatives(groups: HypothesisGroups, logits: Tensor) -> HypothesisGroups:
    """The hypotheses, of which each that draws now keeps the likeliest tokens, if it was asked to.

    logits: the model's own, `[those that are ready, V]`. One topk for all of them.
    """
    ready = [*filter(IS_READY, chain.from_iterable(groups))]
    asking = [(line, h) for line, h in enumerate(ready) if h.settings.inspection.alternatives]
    if not asking:
        return groups
    lines = logits if len(asking) == len(logits) else logits[[line for line, _ in asking]]
    likeliest = _likeliest(lines, max(h.settings.inspection.alternatives for _, h in asking))
    noted = {id(h): _noted(h, each) for (_, h), each in zip(asking, likeliest, strict=True)}
    return tuple(tuple(noted.get(id(h), h) for h in group) for group in groups)


def with_alternatives_of_given(h: Hypothesis, logits: Tensor) -> Hypothesis:
    """A row that keeps the likeliest tokens at the places of its unscored ones; logits: before each, `[n, V]`."""
    span, count = h.span, len(logits)
    notes = span.notes
    cursors = _cursors_before(span.trail, count) if h.uncut is None else _cursors_anew(h.uncut, span.ids, count)
    for place, at, likeliest in zip(
        range(len(span.ids) - count, len(span.ids)),
        cursors,
        _likeliest(logits, h.settings.inspection.alternatives),
        strict=True,
    ):
        notes = notes.with_alternatives(place, _judged(at, likeliest))
    return h.changed(span=span.changed(notes=notes))


def _noted(h: Hypothesis, likeliest: Sequence[tuple[int, float]]) -> Hypothesis:
    span: GrowingSpan = h.span
    judged = _judged(span.at, likeliest[: h.settings.inspection.alternatives])
    return h.changed(span=span.changed(notes=span.notes.with_alternatives(len(span.ids), judged)))


def _likeliest(logits: Tensor, count: int) -> list[list[tuple[int, float]]]:
    """For each line of logits its likeliest tokens, best first, with their log-probabilities."""
    values, tokens = logits.float().topk(min(count, logits.shape[-1]), dim=-1)
    logprobs = values - torch.logsumexp(logits.float(), dim=-1, keepdim=True)
    return [list(zip(*row, strict=True)) for row in zip(tokens.tolist(), logprobs.tolist(), strict=True)]


def _judged(at: Cursor, likeliest: Sequence[tuple[int, float]]) -> list[NotedToken]:
    """The tokens, with whether the constraint lets each come there; an eos token stands for the end of the span."""
    return [(token, logprob, allows(at.guide, at.state, token)) for token, logprob in likeliest]


def _cursors_before(trail: Trail, count: int) -> list[Cursor]:
    """Where the span stood before each of its last tokens, so many, in order."""
    cursors: list[Cursor] = []
    while len(cursors) < count:
        assert trail is not None
        at, trail = trail
        cursors.append(at)
    return cursors[::-1]


def _cursors_anew(uncut: GrowingSpan, ids: tuple[int, ...], count: int) -> list[Cursor]:
    """Where a span with these tokens stood before each of the last ones, which were spelled anew: a stop string began
    inside the token that they stand for. uncut: the span as it was drawn."""
    place = len(ids) - count
    at, _ = walked_back(uncut.at, uncut.trail, len(uncut.ids) - place)
    cursors = [at]
    for token in ids[place:-1]:
        at = at._replace(state=at.guide.advance(at.state, token))
        cursors.append(at)
    return cursors


# --- drawing


class StepDraws(NamedTuple):
    """The draws of one step.

    Attributes:
        scratch: memory that steps use again.
        masks: those that were prepared.
        logits: the model's own, `[lines, V]`.
        scores: of the tokens that were given, by their lines.
        proposal: for each line the law to draw from; None for the model's own laws.
    """

    scratch: Scratch
    masks: PreparedMasks
    logits: Tensor
    scores: dict[int, float]
    proposal: Densities | None = None

    def given(self, h: Hypothesis, line: int, branching: Branching) -> tuple[Hypothesis, ...]:
        """A row with its tokens scored that were given; line: before the first of these."""
        ids, logits, proposal = given_ids(h), self.logits, self.proposal
        try:
            logprobs = of_laws([self.scores[line + place] for place in range(len(ids))])
            if h.settings.inspection.alternatives and h.unscored:
                h = with_alternatives_of_given(h, logits[line : line + h.unscored])
            return scored(h, logprobs, branching, proposal and proposal.of_given(h, line, ids, logprobs))
        except Exception as error:
            return failing(h, error)

    def drawn(self, groups: HypothesisGroups, live: Sequence[Hypothesis], lines: list[int]) -> HypothesisGroups:
        """The hypotheses after a draw for each that is ready. Batch rows may stand in links with different samplers.

        live: those that are ready, in order; lines: of each of these the line from which it draws.
        """
        if not live:
            return groups
        logits, proposal = self.logits, self.proposal
        if lines != list(range(len(logits))):
            logits, proposal = logits[lines], proposal and proposal.at(lines)
        return with_named_ends(self._chosen_by_samplers(groups, live, logits, proposal), live, logits)

    def _chosen_by_samplers(
        self, groups: HypothesisGroups, live: Sequence[Hypothesis], logits: Tensor, proposal: Densities | None
    ) -> HypothesisGroups:
        how: list[How] = [*map(HOW, live)]
        if all(_alike(how[0], each) for each in how):
            return self._drawn_by(how[0][1], groups, live, logits, proposal)
        after, place_of = list(groups), {id(h): place for place, h in enumerate(live)}
        for (_, sampler), batch in _by_sampler(groups):
            places = [place_of[id(h)] for b in batch for h in groups[b] if h.status.ready]
            ready, theirs = [live[place] for place in places], tuple(groups[b] for b in batch)
            drawn = self._drawn_by(sampler, theirs, ready, logits[places], proposal and proposal.at(places))
            for b, group in zip(batch, drawn, strict=True):
                after[b] = group
        return tuple(after)

    def _drawn_by(
        self,
        sampler: Sampler,
        groups: HypothesisGroups,
        live: Sequence[Hypothesis],
        logits: Tensor,
        proposal: Densities | None,
    ) -> HypothesisGroups:
        """The hypotheses after a draw for each of `live`. All batch rows have this sampler, and one seed."""
        if sampler.draws_texts:  # by laws of its own
            return sampler.choose(groups, NO_LAW, live[0].settings.seed)
        with self.scratch as scratch:

            def law(places: list[int]) -> Candidates:
                each, others = [live[place] for place in places], proposal and proposal.at(places)
                made = self._law(sampler, each, logits[places], others, scratch)
                if isinstance(made, FusedLaw):
                    made.greedy()
                return made

            try:
                candidates = self._law(sampler, live, logits, proposal, scratch)
                if isinstance(candidates, FusedLaw):  # only a draw tells whether each row has a law
                    return self._chosen(sampler, groups, live, logits, candidates)
            except Exception:
                candidates, errors = lawful(len(live), law)
                if isinstance(candidates, FusedLaw) and not errors:  # it was the sampler
                    raise
                failed = {id(live[at]): lawless(live[at], error) for at, error in errors.items()}
                groups = tuple(tuple(x for h in group for x in failed.get(id(h), (h,))) for group in groups)
                places = [place for place in range(len(live)) if place not in errors]
                live, logits = [live[place] for place in places], logits[places]
                if candidates is None:
                    return groups
            return self._chosen(sampler, groups, live, logits, candidates)

    def _chosen(
        self, sampler: Sampler, groups: HypothesisGroups, live: Sequence[Hypothesis], logits: Tensor, law: Candidates
    ) -> HypothesisGroups:
        """The hypotheses after the sampler's choice for each of `live`."""
        seed = live[0].settings.seed
        if not any(map(any, map(INSPECTION, live))):
            return sampler.choose(groups, law, seed, None)
        hooks = HookedStep(logits) if any(h.settings.inspection.hooks for h in live) else None
        return sampler.choose(with_alternatives(groups, logits), law, seed, hooks)

    def _law(
        self, sampler: Sampler, live: Sequence[Hypothesis], logits: Tensor, proposal: Densities | None, scratch: Scratch
    ) -> Candidates:
        """The law of each of these rows, which have one sampler."""
        if [*map(FILTERS, live)].count(PLAIN) < len(live):
            check_branch_filters(sampler, live)
        inspected = any(map(any, map(INSPECTION, live))) and any(h.settings.inspection.shows_law for h in live)
        return law_of_rows(live, logits, proposal, scratch, inspected or bool(sampler.logit_filters), self.masks)


def with_named_ends(groups: HypothesisGroups, live: Sequence[Hypothesis], logits: Tensor) -> HypothesisGroups:
    """The hypotheses after a draw, which say by which of several end tokens it ended their spans: the likeliest.

    live: those that drew; logits: the model's own, `[live, V]`.
    """
    eos = live[0].encoder.vocabulary.eos
    if len(eos) < 2:
        return groups
    lines: dict[tuple[int, ...], int] = {}

    def likeliest(ids: tuple[int, ...]) -> int | None:
        if not lines:
            lines.update({h.span.row.ids + h.span.ids: line for line, h in enumerate(live)})
        return None if ids not in lines else eos[int(logits[lines[ids], list(eos)].argmax())]

    before = {id(h.span.row) for h in live}
    return tuple(tuple(with_end_token(h, before, likeliest) for h in group) for group in groups)


How = tuple[int, Sampler]  # a seed, and what draws by it
HOW, NO_LAW = attrgetter("settings.seed", "settings.sampler"), cast(Candidates, None)


def _alike(one: How, other: How) -> bool:
    """Whether they draw alike. Samplers may hold filters of a user, which cannot be compared."""
    return one[0] == other[0] and (one[1] is other[1] or ByValue(one[1]) == ByValue(other[1]))


def sampler_of(group: Sequence[Hypothesis]) -> Sampler:
    """What draws the rows of a batch row."""
    writing = next((h for h in group if not h.status.inactive), group[0])
    return writing.settings.sampler


def _by_sampler(groups: HypothesisGroups) -> list[tuple[How, list[int]]]:
    """The batch rows in which some draw now, by their seeds and samplers."""
    batches: list[tuple[How, list[int]]] = []
    for b, group in enumerate(groups):
        if not any(map(IS_READY, group)):
            continue
        how = next(HOW(h) for h in group if h.status.ready)
        batch = next((places for other, places in batches if _alike(other, how)), None)
        if batch is None:
            batches.append((how, [b]))
        else:
            batch.append(b)
    return batches


# --- draws of whole options: what they score, and what becomes of a row with each that is chosen


def option_needs(h: GrowingRow, place: int) -> list[Need]:
    """The logits that its options need: the pending rows from this place on."""
    scoring, fed = h.scoring, h.fed
    assert scoring is not None
    needs = []
    for at, need in enumerate(scoring.needs, place):
        of_row = need.head == scoring.context  # others are of no row
        claim, parent, keep = (fed.claim, fed.parent, min(fed.keep, need.wanted[0])) if of_row else (None, None, 0)
        needs.append(Need(need.ids, need.wanted, claim, need.head, at, parent, keep))
    return needs


def option_potential(h: GrowingRow, place: int) -> float:
    """The log-potential of one of its options, as a whole value; −inf if it is refused, 0 without a predicate."""
    where, scoring = h.span.settings.inspection.where, h.scoring
    if where is None or scoring is None:
        return 0.0
    return where.change("", h.span.settings.constraint.options[scoring.numbers[place]], True)


def vetted_shares(h: GrowingRow, shares: Sequence[float]) -> list[float]:
    """The log-probabilities of its options among those that its predicate accepts, by their potentials; shares: by the
    model. Unsatisfied if it accepts none."""
    if h.span.settings.inspection.where is None:
        return list(shares)
    weighed = [share + option_potential(h, place) for place, share in enumerate(shares)]
    if (norm := log_sum(weighed)) == -inf:
        raise Unsatisfied
    return [share - norm for share in weighed]


class Election(NamedTuple):
    """What the options score that rows wait for.

    Attributes:
        need: the one of their needs that keeps the most of the row.
        scores: None if the rows have to wait on.
        reads: for each of their needs, as which pending row it was read, and a claim.
    """

    need: Need
    scores: OptionScores | None
    reads: Sequence[tuple[int, Claim | None]]

    @classmethod
    def of(cls, h: Hypothesis, answers: Iterable[AnsweredNeed], draws: StepDraws | GivenDraws) -> Election:
        """Of the options that a row waits for, and maybe others. answers: of the needs of these options."""
        each, scoring = list(answers), h.scoring
        assert scoring is not None
        need = max((need for need, *_ in each if need.head == scoring.context), key=lambda need: need.keep)
        reads = [(need.row, claim) for need, _, _, claim in each]
        if each[0][1] < 0:
            return cls(need, None, reads)
        assert isinstance(draws, StepDraws)
        logits, settings = draws.logits[each[0][1] : each[-1][2]], h.settings
        return cls(need, scored_options(scoring, settings.constraint, logits, h.logprobs), reads)

    def elected(self, h: Hypothesis) -> Sequence[Hypothesis]:
        """The row with each option that its sampler chooses; the same row, if it waits on."""
        if self.scores is None:
            return [h.waited(self.need)]
        try:
            shares = vetted_shares(h, self.scores.shares)
        except Exception as error:
            return failing(h, error)
        law, places = h.settings.sampler.choose_options(h, shares, h.settings.seed)
        try:
            return [x for place in places for x in self._with_option(h, self.scores, law, place)]
        except Exception as error:
            return failing(h, error)

    def _with_option(
        self, h: Hypothesis, scores: OptionScores, law: Sequence[float], place: int
    ) -> tuple[Hypothesis, ...]:
        """Ended with an option, as far as there is room. law: the log-probabilities by which options are drawn; the
        proposals of the tokens are those of drawing them one by one by this law."""
        scoring, limit = h.scoring, h.settings.limits.max_tokens
        assert scoring is not None
        ids, (logprobs, of_stop) = scoring.options[place], scores.scores[place]
        token_proposals, stop_proposal = proposals(scoring.options, law, place)
        need, size = scoring.read(ids)
        row, claim = self.reads[need]
        longer = h.changed(status=DRAWING, scoring=None).longer(ids, logprobs, token_proposals)
        longer = longer.read(row, size, claim and claim.crop(size))
        if limit is not None and (over := longer.span.spent - limit) > 0:
            return crossed(shortened(longer, over))
        way = None if scoring.law is None else scoring.numbers[place]
        return ended(longer, "stop", SpanStop(of_stop, stop_proposal - option_potential(h, place), by=way))
