"""A model, a constraint and a sampler: what is called with prompts."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NoReturn, Self, Unpack, overload

import torch
from pydantic import TypeAdapter
from typing_extensions import TypeVar

from outlines_cont.decode.combined import frontier_kind
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.long_values import cut_short
from outlines_cont.decode.loop import async_finished, finished, run
from outlines_cont.decode.samplers.protocol import Many, One, Sampler
from outlines_cont.decode.settings import SpanSettings, Turn
from outlines_cont.decode.stage import standing
from outlines_cont.decode.where import WhereFunction
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import InvalidValueError
from outlines_cont.explained import explained
from outlines_cont.generate.asked import asked_of, checked_model, parts_of
from outlines_cont.generate.call_options import (
    Call,
    CallOptions,
    Forced,
    Seam,
    SeamedOptions,
    Stop,
    checked_errors,
    checked_seam,
)
from outlines_cont.generate.calls import Calls, check_spans, option_table, unwrapped, values_of
from outlines_cont.generate.output_types import OutputType
from outlines_cont.generate.starts import (
    check_carried,
    checked,
    gone_on,
    open_span,
    span_settings,
    started,
    warn_of_cuts,
    with_contexts,
)
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.errors import IncompleteError, with_told_errors
from outlines_cont.state.failed_row import Errors, failed_rows
from outlines_cont.state.prompts import Prompts, is_one_prompt
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState

T = TypeVar("T", default=Any)
M = TypeVar("M", bound=int, default=One)
T_co = TypeVar("T_co", covariant=True, default=Any)  # of the values
M_co = TypeVar("M_co", bound=int, covariant=True, default=One)  # how many samples: `One` or `Many`

SHOWN = 100  # characters of a value's beginning and of its end, in messages


class Generator(Calls, Generic[T_co, M_co]):
    """A model, an output type and a sampler: called with prompts, it gives values.

    `oc.Generator(model, output_type, sampler)` takes for `output_type`

    - `None` or `str`: any text;
    - a `Literal`, an `Enum`, or a list of options, which are given back as they are: `["red", 3, None]`;
    - a compiled pattern (`re.compile`): a text that it matches from end to end;
    - `int`, `float`, `bool`, `Decimal`, `UUID`, `date`, `time`, `datetime`, `timedelta`, and unions of these, of
      `None` and of the former: written without quotes, as Python prints them (`True`), times as ISO 8601;
    - any other type that pydantic reads, written as JSON: `list[int]`, `str | None`, a dataclass, `TypedDict`,
      `NamedTuple` or pydantic class, a `TypeAdapter`, `Annotated[int, Field(ge=0)]`;
    - a function: values are dicts of its arguments;
    - a dict: a JSON Schema;
    - a guide on the vocabulary of the model (`outlines_cont.fsm.guide`), or an `interegular.FSM`;
    - a term of Outlines: `Regex`, `Choice`, `JsonSchema`, `CFG`, and terms composed of these;
    - `oc.types.regex`, `cfg`, `choice` and `json_schema`, with options that no type can express.

    `oc.generate` has a function for each kind, with all its options. Generators are equal if they have the same model,
    and equal constraints, values and samplers, however they were made.

    A prompt gives a value, or, if the sampler draws several samples, a list of values. A list of prompts gives nested
    lists, batch then sample. `continuous(generator)` gives states instead. Editors infer the type of the values from a
    class, a pattern or a function; where they cannot, write `oc.Generator[Literal["a", "b"]](…)`.

    Args:
        model: an `oc.Model`, or another language model, which computes the logits.
        output_type: the kind of the values; see above.
        sampler: how tokens are drawn; None for `oc.samplers.multinomial()`.
        stop: where a value may end or go on, it ends with the probability of all tokens that would not continue it,
            "elsewhere", or of the eos tokens, "eos".
        forced: text without a choice is appended without a draw, "canonical", or drawn token by token, "never"; None:
            the sampler's default.
        seam: what becomes of the last tokens of the text before a value; see `continuous`. A step or a call may say
            otherwise.
        where: a predicate, a function (text, done) → bool, or float for a log-potential, which the text must also
            fulfil; see docs/weighted.md.
        whole: every value closes within the `max_tokens` of its call, or the model's context. While there is room its
            law is the plain one; near the edge only what can still be ended may come. See docs/whole.md.

    Attributes:
        model, constraint, sampler: its parts.
        forced: "canonical" or "never": what was given, or the sampler's default.

    Raises:
        TypeError: the model, the sampler or the output type is of a wrong kind; the error says what would be right.
        ConstraintError: no text fits, or a part is not supported; the error names it, with its place.

    >>> greedy = oc.samplers.greedy()
    >>> oc.Generator(model, int, greedy)("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    34
    >>> city = oc.Generator(model, ["Rome", "Paris"], greedy)
    >>> city("The capital of France is ")
    'Paris'
    >>> city(["The capital of France is ", "The capital of Italy is "])
    [['Paris'], ['Rome']]
    >>> city == oc.generate.choice(model, ["Rome", "Paris"], greedy)
    True
    """

    _called = "a generator"

    model: LanguageModel
    constraint: Constraint
    sampler: Sampler[M_co]
    forced: Forced
    seam: Seam

    @overload
    def __init__(
        self,
        model: LanguageModel,
        output_type: type[T_co] | OutputType[T_co] | TypeAdapter[T_co] | list[T_co] | tuple[T_co, ...],
        sampler: Sampler[M_co] | None = None,
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: Generator[str, One],
        model: LanguageModel,
        output_type: re.Pattern[str] | None = None,
        sampler: None = None,
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: Generator[str, M],
        model: LanguageModel,
        output_type: re.Pattern[str] | None,
        sampler: Sampler[M],
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: Generator[dict[str, Any], One],
        model: LanguageModel,
        output_type: Callable[..., Any],
        sampler: None = None,
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: Generator[dict[str, Any], M],
        model: LanguageModel,
        output_type: Callable[..., Any],
        sampler: Sampler[M],
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @overload
    def __init__(
        self,
        model: LanguageModel,
        output_type: object,
        sampler: Sampler[M_co] | None = None,
        **others: Unpack[SeamedOptions],
    ) -> None: ...

    @explained
    def __init__(
        self,
        model: LanguageModel,
        output_type: Any = None,
        sampler: Any = None,
        *,
        stop: Stop = "elsewhere",
        forced: Forced | None = None,
        where: WhereFunction | None = None,
        whole: bool = False,
        seam: Seam = "auto",
    ) -> None:
        checked_model(model, "Generator()")
        wanted = asked_of(output_type, "Generator()")
        parts = parts_of("Generator()", model, wanted, sampler, stop, forced, where, whole)
        self._fill(*parts, checked_seam(seam))

    @classmethod
    def _of(
        cls, model: LanguageModel, constraint: Constraint, sampler: Sampler[Any], forced: Forced, seam: Seam = "auto"
    ) -> Self:
        """A generator of its parts."""
        generator = cls.__new__(cls)
        generator._fill(model, constraint, sampler, forced, seam)
        return generator

    def _fill(self, model: LanguageModel, constraint: Constraint, sampler: Any, forced: Forced, seam: Seam) -> None:
        vars(self).update(model=model, constraint=constraint, sampler=sampler, forced=forced, seam=seam)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "__orig_class__":  # what `Generator[int](…)` notes
            return
        raise AttributeError(f"{self!r} is a value, and has no {name} to be set: make another generator")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self!r} is a value, and has no {name} to be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Generator):
            return NotImplemented
        return (
            self.model is other.model
            and (self.forced, self.seam) == (other.forced, other.seam)
            and self.sampler == other.sampler
            and self.constraint.equals(other.constraint)
        )

    def __hash__(self) -> int:
        return hash((id(self.model), self.constraint.spec, self.forced, self.seam))

    def __repr__(self) -> str:
        return f"Generator({self.constraint.kind}, {self.sampler!r})"

    def __rshift__(self, other: object) -> NoReturn:
        raise TypeError(f"a chain is made of steps and texts: continuous({self!r}) makes a step")

    __rrshift__ = __or__ = __ror__ = __rshift__

    @overload
    def __call__(
        self: Generator[T, One],
        prompts: str | Sequence[int],
        max_tokens: int | None = None,
        **options: Unpack[CallOptions],
    ) -> T: ...

    @overload
    def __call__(
        self: Generator[T, Many],
        prompts: str | Sequence[int],
        max_tokens: int | None = None,
        **options: Unpack[CallOptions],
    ) -> list[T]: ...

    @overload
    def __call__(
        self,
        prompts: Sequence[str] | Sequence[Sequence[int]],
        max_tokens: int | None = None,
        **options: Unpack[CallOptions],
    ) -> list[list[T_co]]: ...

    @overload
    def __call__(
        self, prompts: SequenceState | torch.Tensor, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Any: ...

    def __call__(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        """Generate after each prompt and parse.

        A prompt, a str or token ids, gives a value, or a list of them if the sampler makes several samples. A list of
        prompts gives nested lists, batch then sample. A state gives what `values` gives.

        max_tokens: the most tokens of each row's new span; options: see `CallOptions`. IncompleteError, with the
        state, if a constrained value was cut short.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> text("The sky is", max_tokens=2), text(["The capital of France is "], stop_at=".")
        (' blue.', [['Paris']])
        """
        begin, progress, errors = self._calling(prompts, max_tokens, options)
        return self._given(prompts, *finished(begin(), progress), errors)

    async def acall(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Any:
        """A call for `await`: the event loop stays free while a step is computed, and several tasks take turns.

        A task that is cancelled stops at the end of its step; the `CancelledError` has the state, `error.state`.

        >>> import asyncio
        >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
        >>> asyncio.run(city.acall("The capital of France is "))
        'Paris'
        """
        begin, progress, errors = self._calling(prompts, max_tokens, options)
        return self._given(prompts, *await async_finished(begin, progress), errors)

    def _given(
        self, prompts: Prompts | SequenceState, state: SequenceState, failures: Sequence[Exception], errors: Errors
    ) -> Any:
        """What a call gives: the values of a state, nested as its prompts were. See `_nested`."""
        try:
            nested = self._nested(state, failures, errors)
            if isinstance(prompts, SequenceState):
                return unwrapped(nested, state)
            if not is_one_prompt(prompts):
                return nested
            return nested[0][0] if self.sampler.samples == len(nested[0]) == 1 else nested[0]
        finally:
            del state, failures  # see `unfailed`

    def values(self, state: SequenceState, errors: Errors = "raise") -> Any:
        """The values of the last spans of the live rows, in a state that this generator made or resumed.

        A state of one row gives the value; every other state gives nested lists, batch then sample.

        errors: what to do about rows without a value, and rows that failed before; see `CallOptions`.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> try:
        ...     year("In the year 19", max_tokens=1)
        ... except oc.errors.IncompleteError as error:
        ...     len(year.values(year.resume(error.state)))
        4
        """
        checked_errors(errors)
        failures = [row.error for _, _, row in failed_rows(checked(state, self.model).rows)]
        return unwrapped(self._nested(state, failures, errors), state)

    def _nested(self, state: SequenceState, failures: Sequence[Exception], errors: Errors) -> list[list[Any]]:
        """The values of a state, batch then sample. failures: the errors of its rows that may be raised."""
        try:
            check_spans(self.constraint, state, self)
            return values_of(state, self._value, failures, errors, self.constraint.where)
        finally:
            del state, failures  # see `unfailed`

    def _value(self, row: Row, state: SequenceState) -> Any:
        """The value of a row that ends in a span of this generator. state: what errors carry."""
        piece = row.pieces[-1]
        data = piece.value(row.ids[len(row) - piece.hi :], self.model.vocabulary)
        text = data.decode("utf-8", "replace")
        shown = repr(text if len(text) <= 2 * SHOWN else f"{text[:SHOWN]} … {text[-SHOWN:]}")
        if self.constraint.constrained and piece.origin.freed is not None:
            raise IncompleteError(f"the constraint of the {self.constraint.kind} value {shown} was given up", state)
        if self.constraint.constrained and piece.finished != "stop":
            context = self.model.context_length if piece.finished == "length" else None
            advice = cut_short(self.constraint, row, data, context)
            how = f"the {self.constraint.kind} value {shown} was cut short ({piece.finished}): {advice}"
            raise IncompleteError(how, state)
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
        return run(*self._calling(prompts, max_tokens, options))

    def _frontier(self, prompts: Prompts | SequenceState, call: Call) -> Frontier:
        if call.resume:
            return self._resumption(prompts, replace(call, stop_at=None, seam=None))
        state, settings = started(self.model, prompts, call.keys), self.settings(call)
        state = with_contexts(state, call, [self.sampler])
        warn_of_cuts(state, [settings])
        turn = Turn(settings, partial(Hypothesis.begin, settings))
        return frontier_kind(state).begin(state, settings, lambda row: standing(settings, row, turn))

    def _resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        state = checked(state, self.model)
        check_carried(state, call)
        settings = self.settings(call)

        def begins(row: Row) -> int:
            return len(row.before(open_span(row, call.name)[0]))

        state = with_contexts(state, call, [self.sampler], begins)

        def place(row: Row) -> Hypothesis:
            index, origin = open_span(row, call.name)
            start = partial(gone_on, settings, index, call.resume)
            return standing(settings, row, None if origin is None else Turn(settings, start, midway=True))

        return frontier_kind(state).begin(state, settings, place, goes_on=True)

    def probabilities(self, prompts: Prompts | SequenceState) -> torch.Tensor:
        """The probability of each option of a choice by sequence after each row: float64 `(B, S, options)`.

        In the order of the options, with the sum 1; 0 after dead rows, and for options that a predicate refuses. All
        rows are read in one pass.

        >>> colour = oc.generate.choice(model, [" blue", " red", " green"], by="sequence")
        >>> colour.probabilities("The sky is").round(decimals=2).tolist()
        [[[0.83, 0.03, 0.14]]]
        """
        if not self.constraint.options:
            raise TypeError(f"probabilities() of {self!r}: only choice(…, by='sequence') knows them")
        state, failures = with_told_errors(started(self.model, prompts))
        if failures:
            raise failures[0]
        return option_table(self.settings(Call(max_tokens=sys.maxsize)), state)  # none is written

    def settings(self, call: Call) -> SpanSettings:
        """What all hypotheses of a call share.

        >>> from outlines_cont.generate.call_options import Call
        >>> oc.generate.text(model).settings(Call(max_tokens=5, stop_at="\\n")).limits.stop_bytes
        (b'\\n',)
        """
        return span_settings(self.model, self.constraint, self.sampler, self.forced, call, call.seam or self.seam)
