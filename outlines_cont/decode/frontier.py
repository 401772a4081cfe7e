"""The frontier: a generation as a chain of immutable values, `begin → step → … → state`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from operator import attrgetter, is_not

from torch import Tensor

from outlines_cont.decode.accepting import GivenDraws, given_ids, unread_needs
from outlines_cont.decode.blocks import blocks_of, checked_rows
from outlines_cont.decode.branch import branches_of
from outlines_cont.decode.combined_law import Densities, given_proposal
from outlines_cont.decode.drawing import Election, StepDraws, option_needs, sampler_of
from outlines_cont.decode.failed_rows import in_step, or_failing, with_failed_rows
from outlines_cont.decode.growing_row import NOTHING_SENT
from outlines_cont.decode.growing_span import TooManyRetries
from outlines_cont.decode.hypothesis import HAS_ENDED, IS_LOST, Hypothesis
from outlines_cont.decode.logits import NOTHING_PREPARED, Prepared, prepared
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.stage import BatchRows, Standing, at_border, next_stage, standing_rows, waits, without_filling
from outlines_cont.decode.stream import Streamed, flushed
from outlines_cont.engines.protocol import AnsweredNeed, LanguageModel, answered_needs
from outlines_cont.kernels.laws import Scratch
from outlines_cont.kv.given_tokens import given_logprobs
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.errors import HookLimit
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.random_keys import may_collide, rekeyed
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.state import SequenceState

IN_LOCK_STEP = attrgetter("settings.constraint.together")


def asking(groups: HypothesisGroups) -> list[Hypothesis]:
    """The hypotheses that have needs; one of those that wait for the same options."""
    askers: list[Hypothesis] = []
    electing: set[OptionScoring] = set()
    for h in chain.from_iterable(groups):
        if h.scoring is not None:
            if h.scoring not in electing:
                electing.add(h.scoring)
                askers.append(h)
        elif h.status.drawing or not h.needs_nothing:
            askers.append(h)
    return askers


@dataclass(frozen=True, eq=False)
class Frontier(ProcessBoundValue):
    """All rows of a running generation between two tokens, as an immutable value.

    `step(logits)` gives the next frontier and leaves this one as it is, so it may be stepped again, with other logits.
    `generator.begin(…)` makes a frontier, and the library's own loop is
    `while not f.done: f = f.step(model.logits(f.pending))`. The logits may come from elsewhere, such as a server that
    batches many frontiers.

    A row that fails, because its prompt is too long or a hook raises, is dead from then on, and the others go on.
    `frontier.state.errors` has its error; a call of the generator would raise it.

    >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=2)
    >>> while not f.done:
    ...     f = f.step(model.logits(f.pending))
    >>> str(f.state)
    'The sky is blue.'
    """

    _instead = "frontier.state.save(path) writes what there is, and resume() goes on from the loaded state"

    model: LanguageModel
    groups: HypothesisGroups
    samples: int  # of the state that it began from
    scratch: Scratch = field(default_factory=Scratch, repr=False)
    begun: tuple[Row, ...] = ()  # the rows that it began from, until the first step has read them
    may_collide: bool = False  # rows of different batch rows may come to have one lineage
    calls: tuple[range, ...] = ()  # the batch rows of each call, where several calls are stepped together
    until: float | None = None  # the time at which the call ends by itself, of `waiting.clock`
    prepared: Prepared = field(default=NOTHING_PREPARED, init=False, repr=False)  # for the next step

    @classmethod
    def begin(cls, state: SequenceState, settings: SpanSettings, place: Standing, goes_on: bool = False) -> Frontier:
        """Widen the samples as the sampler wants and start a hypothesis on each live row; a controller may fork it.

        place: each live row as it stands where the call begins; settings: those of rows that do not go on; goes_on:
        whether the call goes on from where another one was.

        >>> from outlines_cont.decode.stage import Hypothesis, Turn, standing
        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> from outlines_cont.generate.call_options import Call
        >>> settings = text.settings(Call(max_tokens=1))
        >>> turn = Turn(settings, lambda row, before: Hypothesis.begin(settings, row))
        >>> place = lambda row: standing(settings, row, turn)
        >>> f = oc.stepping.Frontier.begin(model.state("The sky is"), settings, place)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        rows = tuple(row for group in state.rows for row in group)
        try:
            samples = map(without_filling, state.rows) if goes_on else state.rows
            groups = tuple(standing_rows(group, settings, place) for group in samples)
            first = cls(state.model, groups, state.shape[1], begun=rows, may_collide=may_collide(state.rows))
            return first._with_failed(groups, rows_before=state.rows.__getitem__, state_before=lambda: state)._onward()
        except TooManyRetries as error:
            raise HookLimit(str(error), state) from None

    def _with_failed(
        self,
        groups: HypothesisGroups,
        rows_before: Callable[[int], Sequence[Row]] | None = None,
        state_before: Callable[[], SequenceState] | None = None,
        begun: tuple[Row, ...] | None = None,
    ) -> Frontier:
        """The frontier with other hypotheses, in which failed rows have replaced those that were failing.

        rows_before, state_before: one batch row, and all of them, before that; None: as they are in this frontier.
        """
        rows = rows_before or (lambda b: [h.as_row() for h in self._samples_of(self.groups[b])])
        if any(map(IS_LOST, chain.from_iterable(groups))):
            groups = with_failed_rows(groups, rows, state_before or (lambda: self.state))
        return replace(self, groups=groups, begun=self.begun if begun is None else begun)

    def _onward(self) -> Frontier:
        """Every batch row that has come to a border of its chain goes on, as far as it need not wait for others."""
        frontier = self
        while (groups := frontier._past_borders()) is not frontier.groups:
            frontier = frontier._with_failed(groups)
        return frontier

    def _past_borders(self) -> HypothesisGroups:
        """Each batch row whose rows have all come to a border, in its next stage or waiting for it; others as is."""
        groups, ended = list(self.groups), list[int]()
        for b, group in enumerate(groups):
            if all(map(HAS_ENDED, group)):
                ended.append(b)
                groups[b] = at_border(group) or group
        if not ended:
            return self.groups
        come, waiting = tuple(groups), [b for b in ended if waits(groups[b])]
        for call in self._all_calls if waiting else ():
            beside = BatchRows(come[call.start : call.stop], self.may_collide)
            for b in waiting:
                if b in call and (stage := next_stage(come[b], beside)) is not None:
                    groups[b] = or_failing(in_step, stage)
        return tuple(groups) if any(map(is_not, groups, self.groups)) else self.groups

    @property
    def _all_calls(self) -> tuple[range, ...]:
        return self.calls or (range(len(self.groups)),)

    def apart(self) -> list[Frontier]:
        """The frontiers of the calls that are stepped together, each as if it had been stepped alone.

        >>> f = oc.generate.text(model).begin("The sky is")
        >>> [each.state == f.state for each in f.apart()]
        [True]
        """
        return [replace(self, groups=self.groups[call.start : call.stop], calls=()) for call in self._all_calls]

    def cut(self) -> Frontier:
        """The frontier at its end: every row that has not ended is cut here, and `resume` goes on with it.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
        >>> f.step(model.logits(f.pending)).cut().state.finished
        [['length']]
        """
        return replace(self, groups=tuple(tuple(h.cut_now() for h in group) for group in self.groups))

    def __repr__(self) -> str:
        ended = sum(h.status.ended for group in self.groups for h in group)
        rows = f"{len(self.groups)} batch rows, {sum(map(len, self.groups))} hypotheses, {ended} of them ended"
        return f"Frontier({rows}; {len(self.pending)} needs)"

    @cached_property
    def pending(self) -> tuple[Need, ...]:
        """The logits that the next step needs: one need for each row that has not ended. A row that waits for whole
        options has several needs; further rows that wait for the same options have none. After the needs of all rows
        come those of their contexts (`beside=`) of the same model.

        >>> f = oc.generate.text(model).begin(["Mira is", "Mira"])
        >>> [(need.token_ids, need.wanted) for need in f.pending]
        [((0, 921, 263), (2,)), ((0, 921), (1,))]
        """
        needs: list[Need] = []
        for h in asking(self.groups):
            needs += [h.need(len(needs))] if h.scoring is None else option_needs(h, len(needs))
        return tuple(needs)

    def pending_of(self, model: LanguageModel) -> tuple[Need, ...]:
        """The needs of the next step for contexts of another model. The step reads these itself: give it those of
        `pending`.

        >>> other = oc.load()
        >>> f = oc.generate.text(model).begin("The sky is", beside=[(other.state("The sea is"), 1.0)])
        >>> [need.token_ids for need in f.pending_of(other)] == [other.state("The sea is").rows[0][0].ids]
        True
        """
        return ()

    @property
    def done(self) -> bool:
        """Whether all rows have ended.

        >>> f = oc.generate.text(model).begin("The sky is", max_tokens=1)
        >>> f.done, f.step(model.logits(f.pending)).done
        (False, True)
        """
        return all(map(HAS_ENDED, chain.from_iterable(self.groups)))

    @property
    def drawing(self) -> tuple[bool, ...]:
        """For each need, whether a token may be drawn for its row now. False if the row only waits for scores, or for
        other rows. For callers who draw themselves (`accept`).

        >>> oc.generate.choice(model, [" blue"]).begin("The sky is").drawing
        (False,)
        """
        drawing: list[bool] = []
        for h in asking(self.groups):
            scoring = h.scoring
            drawing += [h.may_draw] * (1 if scoring is None else len(scoring.needs))
        return tuple(drawing)

    def prepare(self) -> None:
        """Compute in advance all parts of the next step that need no logits: masks, and answers of controllers.

        Call it after a pass is launched on another device, and before its logits are used, as the library's loop does.
        The step itself calls controllers that read scores (`logprobs`, `weight`, `score`) of tokens not scored yet, or
        several rows (`together`). If something fails here, the step does it again, and raises the error. No result
        changes, however often it is called.

        >>> f = oc.generate.choice(model, [" blue", " white"], oc.samplers.greedy()).begin("The sky is")
        >>> logits = model.logits(f.pending)
        >>> f.prepare()
        >>> str(f.step(logits).state)
        'The sky is blue'
        """
        if self.prepared is NOTHING_PREPARED:
            object.__setattr__(self, "prepared", prepared(self.groups, self.model.device))

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The places of the needs in `pending`, in blocks. Those of a block must be answered in the same step.

        Each row is a block, but beams and particles of one batch row, rows in lock-step, and rows that wait for the
        same options share one.

        >>> oc.generate.text(model, oc.samplers.multinomial(samples=2)).begin("The sky is").blocks
        ((0,), (1,))
        >>> oc.generate.regex(model, "a|b", oc.samplers.beam_search(2)).begin(["The sky is", "Mira is"]).blocks
        ((0,), (1,))
        """
        return blocks_of(self.groups)

    def step(
        self,
        logits: Tensor,
        claims: Sequence[Claim | None] | None = None,
        rows: Sequence[int] | None = None,
        *,
        proposal: Tensor | None = None,
    ) -> Frontier:
        """One token further: logits `[Σ len(need.wanted), V]` in the order of `pending`.

        claims: those on the keys and values of the needs' tokens. None, the default: the claims that `model.logits` or
        `model.read` made when they computed these needs; logits from elsewhere have none.
        rows: the places in `pending` of the needs that are answered, in the order of their logits and claims; None, the
        default: all. The other rows wait and ask again. The result does not depend on which rows waited.
        proposal: other logits of the same shape, from which tokens are drawn; `logprobs` remain those of `logits`, and
        `particles.log_importance` weighs the difference.

        Raises:
            ValueError: logits of another shape; places that do not exist, or that contain a part of a block.
            TypeError: logits that are not a tensor of floats; claims or rows of a wrong type.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin(["The sky is", "Mira is"])
        >>> logits = model.logits(f.pending)
        >>> f.step(logits).state.tolist(), f.step(logits[1:], rows=[1]).state.tolist()
        ([['The sky is blue'], ['Mira is a']], [['The sky is'], ['Mira is a']])
        """
        try:
            if rows is not None:
                rows = checked_rows(rows, self.pending, self.blocks)
            groups = self.answered(logits, claims, rows, proposal)
            return self.after(groups, rows is not None and len(rows) < len(self.pending))
        except TooManyRetries as error:
            raise HookLimit(f"{error}; error.state holds the rows so far", self.state) from None

    def answered(
        self,
        logits: Tensor,
        claims: Sequence[Claim | None] | None = None,
        rows: Sequence[int] | None = None,
        proposal: Tensor | None = None,
    ) -> HypothesisGroups:
        """The hypotheses after a step, before any goes past a border where others wait. Arguments as of `step`.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
        >>> [[h]] = f.answered(model.logits(f.pending))
        >>> h.text
        b' blue'
        """
        size = len(self.model.vocabulary.tokens)
        if proposal is not None and rows is not None:
            proposal, _ = answered_needs(proposal, claims, self.pending, size, rows)
        logits, each = answered_needs(logits, claims, self.pending, size, rows)
        answers = [*each]
        if proposal is None:
            return self._stepped(answers, self._draws(logits, answers))
        samplers = [h.settings.sampler for h in asking(self.groups)]
        return self._stepped(answers, self._draws(logits, answers, given_proposal(proposal, logits, samplers)))

    def _draws(self, logits: Tensor, answers: Sequence[AnsweredNeed], proposal: Densities | None = None) -> StepDraws:
        """The draws of a step. The tokens of all rows that were given are scored at once: one wait for the device."""
        given, each = dict[int, int](), iter(answers)
        for h in asking(self.groups):
            (_, begin, *_), *_ = islice(each, len(h.scoring.needs) if h.scoring else 1)
            if (h.unscored or h.end) and h.scoring is None and begin >= 0 and not h.status.waiting:
                given.update(enumerate(given_ids(h), begin))
        scores = dict(zip(given, given_logprobs(logits, given), strict=True)) if given else {}
        return StepDraws(self.scratch, self.prepared.masks, logits, scores, proposal)

    def accept(
        self, ids: Sequence[int | None] | Tensor, logprobs: Sequence[float | None] | Tensor | None = None
    ) -> Frontier:
        """One token further without logits: the tokens were drawn elsewhere, one for each need, in their order.

        The rows continue as with logits, but scores that need logits are not known: `logprobs` of forced tokens and all
        `proposal_logprobs` are NaN.

        ids: for each need the id that was drawn; None, or an eos id, for the stop. Where `drawing` is False, it must be
        None. It is not used if a controller answers first without a draw.
        logprobs: the model's own log-probability of each; None if not known, which gives NaN.

        Raises:
            ConstraintError: a token, or the stop, that a row's constraint does not allow.
            ValueError: too few or too many ids; one that is neither text nor eos, or for a row that draws none; a
                logprob > 0.
            TypeError: something needs logits: samplers that compare rows (beams, particles), choices by sequence,
                hooks, `candidates`, `alternatives`, branches with filters, and a controller's fork whose rows would
                draw from one need. Also ids of a wrong type.

        >>> blue = model.vocabulary.tokens.index(b" blue")
        >>> f = oc.generate.text(model).begin("The sky is")
        >>> f, streamed = f.accept([blue], logprobs=[-0.5]).flush()
        >>> streamed.delta, f.accept([None]).state.finished
        (' blue', [['stop']])
        """
        draws = GivenDraws.of(self.groups, len(self.pending), ids, logprobs, self.model.vocabulary)
        return self.after(self._stepped(unread_needs(self.pending), draws))

    def after(self, groups: HypothesisGroups, some_wait: bool = False) -> Frontier:
        """The next frontier, of these hypotheses. some_wait: not all needs were answered.

        >>> f = oc.generate.text(model).begin("The sky is")
        >>> assert f.after(f.groups).state == f.state
        """
        begun = self._claimed_beginnings(groups, some_wait) if self.begun else ()
        if any(map(IN_LOCK_STEP, chain.from_iterable(groups))):
            groups = tuple(or_failing(in_step, group) for group in groups)
        return self._with_failed(groups, begun=begun)._onward()

    def _claimed_beginnings(self, groups: HypothesisGroups, some_wait: bool) -> tuple[Row, ...]:
        """The rows that it began from and that are not read yet. The others keep what was computed of them, in the
        state that they came from, too."""
        unread = [DEAD] * len(self.begun) if some_wait else []
        for place, row in enumerate(self.begun):
            group = groups[place // self.samples]
            if some_wait and any(h.fed.parent is None and not h.status.ended for h in group):
                unread[place] = row
            elif not any(h.lost == "failing" for h in group):
                self._claim(row)
        return () if all(row.dead for row in unread) else tuple(unread)

    def _claim(self, row: Row) -> None:
        """Note in a row that it began from what was computed of that."""
        self.model.claimed(row)

    def _stepped(self, answered: Iterable[AnsweredNeed], draws: StepDraws | GivenDraws) -> HypothesisGroups:
        """The hypotheses with their tokens scored, their options chosen, and after a draw for each that is ready."""
        answers, elections = iter(answered), dict[OptionScoring, Election]()
        groups: list[tuple[Hypothesis, ...]] = []
        live: list[Hypothesis] = []
        lines: list[int] = []
        for group in self.groups:
            grown: list[Hypothesis] = []
            before, elects = len(live), False
            for h in group:
                scoring = h.scoring
                if scoring is not None:  # it chooses among whole options
                    if scoring not in elections:
                        elections[scoring] = Election.of(h, islice(answers, len(scoring.needs)), draws)
                    elects |= elections[scoring].scores is not None
                    grown += elections[scoring].elected(h)
                elif not h.status.drawing and h.needs_nothing:
                    # when its chain goes on, whoever gives the logits may have forgotten it
                    grown.append(h.forgotten())
                else:
                    need, begin, end, claim = next(answers)  # lines begin … end − 1 of the logits; −1: unanswered
                    if begin < 0:
                        grown.append(h.waited(need))
                        continue
                    branching = self.prepared.answers.pop(h, branches_of)
                    h = h.read(need.row, need.wanted[-1] + 1 if need.wanted else need.length, claim)
                    given = (h.unscored or h.end) and not h.status.waiting  # of which nothing was read
                    for x in draws.given(h, begin, branching) if given else (h,):
                        grown.append(x)
                        if x.status.ready:
                            live.append(x)
                            lines.append(end - 1)
            groups.append(tuple(grown) if len(live) > before else self._selected(tuple(grown), group, elects))
        return draws.drawn(tuple(groups), live, lines)

    def _selected(
        self, group: tuple[Hypothesis, ...], before: tuple[Hypothesis, ...], elects: bool
    ) -> tuple[Hypothesis, ...]:
        """One batch row's hypotheses after a step in which none of them draws. elects: some have taken options."""
        sampler = sampler_of(group) if group else None
        if sampler is None or not (elects or (sampler.weighs_draws and any(h.status.waiting for h in before))):
            return group
        return or_failing(sampler.selected, group, group[0].settings.seed, before)

    @property
    def state(self) -> SequenceState:
        """The rows as they are now; those still going are marked as interrupted.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
        >>> f = f.step(model.logits(f.pending))
        >>> str(f.state), f.state.finished
        ('The sky is blue', [['interrupted']])
        """
        return SequenceState(self.model, *self._rows([self._samples_of(group) for group in self.groups]))

    def flush(self) -> tuple[Frontier, Streamed]:
        """A frontier equal to this one, and its state with the text that has become final since the last flush.

        Continue with the frontier that is returned: it remembers which text was given out.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
        >>> f, partial = f.step(model.logits(f.pending)).flush()
        >>> partial.delta, f.flush()[1].delta
        (' blue', '')
        """
        joint = [any(h.settings.drops_rows for h in group) for group in self.groups]
        groups = tuple(flushed(g, together, not waits(g)) for g, together in zip(self.groups, joint, strict=True))
        collected = [self._samples_of(group) for group in groups]
        rows, samples = self._rows(collected)
        delta = [[*(h.sent.delta for h in group), *[""] * (samples - len(group))] for group in collected]
        written = [[(h.written, h.sent, j) for h in group] for group, j in zip(collected, joint, strict=True)]
        written = [[*group, *[(b"", NOTHING_SENT, False)] * (samples - len(group))] for group in written]
        return replace(self, groups=groups), Streamed(self.model, rows, samples, delta, written)

    def with_told_errors(self) -> Frontier:
        """The frontier in which the errors of all failed rows are marked as raised or returned.

        >>> f = oc.generate.text(model).begin("The sky is", max_tokens=0)
        >>> f.with_told_errors().state == f.state
        True
        """

        def told(h: Hypothesis) -> Hypothesis:
            return h.with_row(h.row.as_told()) if isinstance(h.row, FailedRow) else h

        return replace(self, groups=tuple(tuple(map(told, group)) for group in self.groups))

    def _samples_of(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        if all(h.status.inactive for h in group):  # nothing is written after them
            fewer = group and sampler_of(group).takes_fewer and not self.begun
            return [h for h in group if not (fewer and h.is_padding)]  # as many as those beside it need
        return [h.end_now("interrupted") for h in sampler_of(group).collect(group)]

    def _rows(self, ended: Sequence[Sequence[Hypothesis]]) -> tuple[list[list[Row]], int]:
        rows = [[h.as_row() for h in group] for group in ended]
        samples = max(map(len, rows), default=0) or self.samples
        filled = [[*row, *[DEAD] * (samples - len(row))] for row in rows]
        filled = [group for call in self._all_calls for group in rekeyed(filled[call.start : call.stop])]
        return [[self.model.claimed(row) for row in group] for group in filled], samples
