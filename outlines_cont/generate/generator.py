"""A model, a constraint and a sampler: what is called with prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn, Unpack

import torch

from outlines_cont.decode.async_loop import async_finished
from outlines_cont.decode.draws import Watch
from outlines_cont.decode.electing import option_scores
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.loop import finished
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.stage import Stage
from outlines_cont.decode.stream import Streamed
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import InvalidValueError
from outlines_cont.generate.beginning import AsyncStreams, Beginning
from outlines_cont.generate.call_options import RETRIES, Call, CallOptions, checked_errors
from outlines_cont.generate.row_values import values_of
from outlines_cont.generate.starts import checked, gone_on, open_span, started, warn_of_cuts
from outlines_cont.hints import Hinted
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.errors import IncompleteError
from outlines_cont.state.failed_row import Errors, failed_rows
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState, with_told_errors

SHOWN = 100  # characters of a value's beginning and of its end, in messages


@dataclass(frozen=True, eq=False)
class Generator(AsyncStreams, ProcessBoundValue, Hinted):
    """A model, a constraint and a sampler.

    `generator(prompts)` gives plain values. One prompt and one sample give the value itself, everything else nested
    lists, batch then sample. `continuous(generator)` gives states instead.

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
    >>> city("The capital of France is ")
    'Paris'
    >>> city(["The capital of France is ", "The capital of Italy is "])
    [['Paris'], ['Rome']]
    """

    _instead = "make it in each process, of the model that is loaded there"

    model: LanguageModel
    constraint: Constraint
    sampler: Sampler
    forced: bool = True  # whether what the constraint leaves no choice about is appended without drawing it

    def __repr__(self) -> str:
        return f"Generator({self.constraint.kind}, {self.sampler!r})"

    def __rshift__(self, other: object) -> NoReturn:
        raise TypeError(f"a chain is made of steps and texts: continuous({self!r}) makes a step")

    __rrshift__ = __rshift__

    def __call__(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        """Generate after each prompt and parse.

        max_tokens: the most tokens of each row's new span; options: see `CallOptions`. IncompleteError, with the
        state, if a constrained value was cut short.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> text("The sky is", max_tokens=2), text("The capital of France is ", stop_at=".")
        (' blue.', 'Paris')
        """
        call, begin = self._calling(prompts, max_tokens, options)
        return self._values(*finished(begin(), call.progress), call.errors)

    async def acall(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        """As a call, for `await`: the event loop stays free while a step is made, and several tasks go on in turn.

        A task that is cancelled stops at the end of its step; the `CancelledError` has the state, `error.state`.

        >>> import asyncio
        >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
        >>> asyncio.run(city.acall("The capital of France is "))
        'Paris'
        """
        call, begin = self._calling(prompts, max_tokens, options)
        return self._values(*await async_finished(begin, call.progress), call.errors)

    def values(self, state: SequenceState, errors: Errors = "raise") -> Any:
        """What the last spans of the live rows say, as a call gives it: of one made by this generator, or resumed.

        errors: of rows that have no value, and of those that failed before; see `CallOptions`.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> try:
        ...     year("In the year 19", max_tokens=1)
        ... except oc.IncompleteError as error:
        ...     len(year.values(year.resume(error.state)))
        4
        """
        checked_errors(errors)
        failures = [row.error for _, _, row in failed_rows(checked(state, self.model).rows)]
        return self._values(state, failures, errors)

    def _values(self, state: SequenceState, failures: Sequence[Exception], errors: Errors) -> Any:
        """The values of a state. failures: the errors of its rows that may be raised."""
        try:
            self._check_spans(state)
            values = values_of(state, self._value, failures, errors)
            return values[0][0] if state.shape[:2] == (1, 1) and values[0] else values
        finally:
            del state, failures  # see `unfailed`

    def _check_spans(self, state: SequenceState) -> None:
        for row in (row for rows in state.rows for row in rows if not row.dead):
            made = row.pieces[-1].origin.constraint if row.pieces else None
            kind = self.constraint.kind  # (a text's specification has the strings that one call ended at)
            if made is None or not (made.spec == self.constraint.spec or made.kind == kind == "text"):
                raise ValueError(f"values() of {self!r}: a row does not end in a span of this generator")

    def _value(self, row: Row, state: SequenceState) -> Any:
        """The value of a row that ends in a span of this generator. state: what errors carry."""
        piece = row.pieces[-1]
        data = piece.value(row.ids[len(row) - piece.hi :], self.model.vocabulary)
        text = data.decode("utf-8", "replace")
        shown = repr(text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} … {text[-SHOWN:]}")
        if self.constraint.constrained and piece.origin.freed is not None:
            raise IncompleteError(f"the constraint of the {self.constraint.kind} value {shown} was given up", state)
        if self.constraint.constrained and piece.finished != "stop":
            raise IncompleteError(
                f"the {self.constraint.kind} value {shown} was cut short ({piece.finished}): give it more max_tokens, "
                "or go on: generator.values(generator.resume(error.state))",
                state,
            )
        try:
            return self.constraint.parse(text)
        except ValueError as error:  # what pydantic checks beyond the schema
            raise InvalidValueError(f"the value {shown} was generated but not accepted: {error}", state) from error

    def run(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """The state with one new span after every live row. options: see `CallOptions`.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> str(text.run("The sky is", max_tokens=2))
        'The sky is blue.'
        """
        return self._calling(prompts, max_tokens, options).run()

    def stream(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Streamed]:
        """The states on the way, one a step, each with the text that became final: `partial.delta`.

        options: see `CallOptions`.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> [partial.delta for partial in text.stream("The sky is", max_tokens=2)]
        [' blue', '.']
        """
        return self._streaming(prompts, max_tokens, options).stream()

    def begin(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Frontier:
        """The frontier from which `run`, or with a horizon `stream`, steps on. options: see `CallOptions`.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=1)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        return self.frontier(prompts, Call.of("begin()", max_tokens, options, without=["progress", "errors"]))

    def resume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """The state in which the last span of this name goes on in every row; see `Step.resume`.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> state = year.run("Mira came in 1", max_tokens=2)
        >>> str(state), state.finished, str(year.resume(state))
        ('Mira came in 196', [['length']], 'Mira came in 19600')
        """
        return self._resuming(state, max_tokens, options).run()

    def _calling(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = Call.of("a generator", max_tokens, options, without=["horizon", "resume"])
        return Beginning(call, partial(self.frontier, prompts, call))

    def _streaming(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = Call.of("stream()", max_tokens, options)
        return Beginning(call, partial(self.frontier, prompts, call))

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = Call.of("resume()", max_tokens, options, without=["stop_at", "seam", "horizon", "resume"])
        return Beginning(call, partial(self.resumption, state, call))

    def frontier(self, prompts: Prompts | SequenceState, call: Call) -> Frontier:
        """As `begin`, of options that were checked.

        >>> from outlines_cont.generate.call_options import Call
        >>> oc.generate.text(model).frontier("The sky is", Call(max_tokens=0)).done
        True
        """
        if call.resume:
            return self.resumption(prompts, replace(call, stop_at=None, seam="keep"))
        state, settings = started(self.model, prompts), self.settings(call)
        warn_of_cuts(state, [settings])
        stage = Stage(self.sampler, settings, partial(Hypothesis.begin, settings))
        return Frontier.begin(state, [stage], seeded(call.seed))

    def resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        """The frontier from which `resume` steps on, of options that were checked.

        >>> from outlines_cont.generate.call_options import Call
        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> year.resumption(year.run("Mira came in 1", max_tokens=2), Call()).done
        False
        """
        state = checked(state, self.model)
        settings = self.settings(call)

        def start(row: Row, before: Hypothesis | None) -> tuple[Hypothesis, ...]:
            index, origin = open_span(row, call.name)
            if origin is None:
                return (Hypothesis.keep(settings, row, "stop"),)
            return gone_on(settings, row, index, given_out=call.resume)

        return Frontier.begin(state, [Stage(self.sampler, settings, start, lambda row: True)], seeded(call.seed))

    def probabilities(self, prompts: Prompts | SequenceState) -> torch.Tensor:
        """Of a choice by sequence: how likely each option is after each row, float64 `(B, S, options)`.

        Together 1, in the order of the options; 0 after dead rows. All rows are read in one pass.

        >>> colour = oc.generate.choice(model, [" blue", " red", " green"], by="sequence")
        >>> colour.probabilities("The sky is").round(decimals=2).tolist()
        [[[0.83, 0.03, 0.14]]]
        """
        if not self.constraint.options:
            raise TypeError(f"probabilities() of {self!r}: only choice(…, by='sequence') knows them")
        state, failures = with_told_errors(started(self.model, prompts))
        if failures:
            raise failures[0]
        shares = self._shares([row for rows in state.rows for row in rows if not row.dead])
        table = torch.zeros(*state.shape[:2], len(self.constraint.options), dtype=torch.float64)
        for b, rows in enumerate(state.rows):
            for s, row in enumerate(rows):
                if not row.dead:
                    table[b, s] = shares[row.ids]
        return table.to(self.model.device)

    def _shares(self, rows: Sequence[Row]) -> dict[tuple[int, ...], torch.Tensor]:
        """After each of these rows' tokens the probability of each option, float64 `[options]`."""
        settings = self.settings(Call(max_tokens=1))  # none is written
        begun = {row.ids: Hypothesis.begin(settings, row)[0] for row in rows}
        waiting = [(h, h.status.scoring) for h in begun.values() if h.status.scoring is not None]
        for ids, h in begun.items():
            if h.status.scoring is None and h.status.finished != "stop":
                raise ValueError(f"a row of {len(ids)} tokens: the model's context has no room for every option")
        logits, _ = self.model.read([need for _, scoring in waiting for need in scoring.needs])
        lines = torch.split(logits, [sum(len(need.wanted) for need in scoring.needs) for _, scoring in waiting])
        only_option = torch.ones(len(self.constraint.options), dtype=torch.float64)  # it is ""
        return dict.fromkeys(begun, only_option) | {
            h.row.ids: _option_shares(h, scoring, logits) for (h, scoring), logits in zip(waiting, lines, strict=True)
        }

    def settings(self, call: Call) -> SpanSettings:
        """What all hypotheses of a call share.

        >>> from outlines_cont.generate.call_options import Call
        >>> oc.generate.text(model).settings(Call(max_tokens=5, stop_at="\\n")).stop_bytes
        (b'\\n',)
        """
        if call.max_tokens is None and self.model.context_length is None:
            raise ValueError(f"{self.model!r} states no context length: give max_tokens")
        kind, controlled = self.constraint.kind, self.constraint.controller is not None
        stops = call.stop_strings(self.model.vocabulary)
        if stops and kind != "text":
            raise ValueError(f"stop_at={call.stop_at!r} on a {kind} generator: only text ends at a string")
        if call.seam == "heal" and controlled:
            raise ValueError(
                "seam='heal' on a generator of oc.generate.control(): only a span with one constraint can be healed, "
                "and a controller names one for each branch; use seam='keep'"
            )
        if call.top and not self.sampler.notes_candidates:
            raise TypeError(f"top={call.top} with {self.sampler!r}: this sampler keeps no candidates")
        if self.sampler.weighs_draws:
            only_watched(self.sampler, call.hooks)
        constraint = self.constraint.stopping_at(stops, self.constraint.include_stop)
        return SpanSettings(
            constraint,
            self.model.encoder,
            call.name,
            self.sampler.length_penalty,
            call.max_tokens,
            self.model.context_length,
            constraint.stop_bytes,
            self.forced,
            RETRIES if call.retries is None else call.retries,
            call.horizon,
            revised=bool(call.hooks) or controlled,
            heals=call.seam == "heal",
            hooks=call.hooks,
            top=call.top,
        )


def only_watched(sampler: Sampler, hooks: Sequence[Hook]) -> None:
    """ValueError if one of the hooks may answer, so that a sampler that weighs draws could not tell their law."""
    if answering := [hook for hook in hooks if not isinstance(hook, Watch)]:
        raise ValueError(
            f"hooks={answering} with {sampler!r}: it weighs each draw by its law, and the answer of a hook changes it; "
            "wrap a hook that only looks, hooks=[oc.Watch(look)], or take multinomial()"
        )


def _option_shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.empty(len(scoring.numbers), dtype=torch.float64)
    shares[list(scoring.numbers)] = torch.tensor(option_scores(h, logits).shares, dtype=torch.float64).exp()
    return shares
