"""What generators, steps and chains have in common: how a call of one begins, what runs it, and the values it gives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Unpack

import torch

from outlines_cont.arguments import shown
from outlines_cont.decode.drawing import vetted_shares
from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.loop import async_run, async_stream, run, stream
from outlines_cont.decode.option_scoring import scored_options
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.stream import Streamed
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import read
from outlines_cont.errors import ConstraintError
from outlines_cont.generate.call_options import Call, CallOptions
from outlines_cont.generate.starts import in_time
from outlines_cont.hints import Hinted
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.errors import as_before_failures
from outlines_cont.state.failed_row import Errors, FailedRow, tell, with_values, without_frames
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import ShownProgress

Given = Prompts | SequenceState  # what a call begins with
#: What makes the frontier of a call, and its `progress` and `errors`.
Begun = tuple[Callable[[], Frontier], ShownProgress, Errors]


class Calls(ProcessBoundValue, Hinted):
    """What writes spans after prompts, or after the rows of a state. Each method takes the same options."""

    _instead = "make it in each process, of the model that is loaded there"
    _called: ClassVar[str]
    _of_links: ClassVar[tuple[str, ...]] = ()  # options that belong to the links, and not to a call

    def _frontier(self, prompts: Given, call: Call) -> Frontier:
        raise NotImplementedError

    def _resumption(self, state: Given, call: Call) -> Frontier:
        """The frontier from which `resume` steps on."""
        raise NotImplementedError

    def stream(
        self, prompts: Given, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> Iterator[Streamed]:
        """The states on the way, one for each step, with the text that became final: `partial.delta`.

        The last state is that at the end. Deltas of a chain include the texts between and after the links, but not the
        text before the first link.

        resume: continue the span that was cut, as the method `resume` does, instead of beginning a new one. Deltas then
        begin at the cut, from the last whole character on, and hooks and controllers cannot take back tokens before it.
        options: see `CallOptions`.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> [partial.delta for partial in text.stream("The sky is", max_tokens=2)]
        [' blue', '.']
        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> [partial.delta for partial in ("The sky is " >> colour >> ".").stream("Look: ")]
        ['blue.']
        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> cut = year("Mira came in ")[..., :-2]
        >>> str(cut), "".join(partial.delta for partial in year.stream(cut, resume=True))
        ('Mira came in 19', '60')
        """
        begin, progress, errors = self._streaming(prompts, max_tokens, options, resume)
        return stream(begin(), progress, errors)

    def astream(
        self, prompts: Given, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> AsyncGenerator[Streamed, None]:
        """A `stream` for `async for`: the event loop stays free while a step is made.

        Closed early (`aclose()`, `contextlib.aclosing`), it makes no more steps, and its keys and values are freed.

        >>> import asyncio
        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> async def deltas():
        ...     return [partial.delta async for partial in text.astream("The sky is", max_tokens=2)]
        >>> asyncio.run(deltas())
        [' blue', '.']
        """
        return async_stream(*self._streaming(prompts, max_tokens, options, resume))

    def begin(
        self, prompts: Given, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> Frontier:
        """The frontier from which a call, or a stream, steps on; see docs/stepping.md, and for `resume` the stream.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=1)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        without = [*self._of_links, "progress", "errors", "draft", "max_seconds"]
        call = Call.of("begin()", max_tokens, options, without, resume)
        rows = call.rows.values() if isinstance(call.rows, Mapping) else call.rows
        if isinstance(rows, Iterable) and any(getattr(each, "draft", None) is not None for each in rows):
            raise TypeError("begin(rows=…): a draft reads ahead in the library's own loop; leave Settings(draft=…) out")
        return self._begun(prompts, call)

    def resume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Continue each row from where it was cut, as if the later tokens had never been drawn.

        A generator, or a step, continues the last span of its name in every row, from the constraint state that its
        tokens lead to. A chain continues each row in the link in which it stands; rows that have the whole chain come
        back unchanged.

        Rollback is slicing: `step.resume(s[..., :-5])` continues as if the last five tokens had never been drawn. Rows
        whose span ended in its stop come back unchanged. `max_tokens` is counted anew; a text still ends at the stop
        strings that it was made with. A beam search continues with all hypotheses of a state on the way, and warns if
        `max_tokens` has lost some; see docs/search.md.

        Text that was appended after the cut joins the span; ConstraintError if it does not fit. A span that was cut off
        exactly at its start begins anew, with the same draws. ValueError if a row has no such span (more was cut off:
        call the step), or does not end in this chain.

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> state = year("Mira came in ")
        >>> str(state), str(year.resume(state[..., :-2] + "8"))
        ('Mira came in 1960', 'Mira came in 1980')
        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> chain = colour >> " and " >> colour
        >>> state = chain("The sky is ")
        >>> str(state[..., :-1]), str(chain.resume(state[..., :-1]))
        ('The sky is blue and ', 'The sky is blue and red')
        """
        return run(*self._resuming(state, max_tokens, options))

    async def aresume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """A `resume` for `await`: the event loop stays free while a step is made.

        >>> import asyncio
        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()))
        >>> state = year("Mira came in ", max_tokens=2)
        >>> asyncio.run(year.aresume(state)) == year.resume(state)
        True
        """
        return await async_run(*self._resuming(state, max_tokens, options))

    def _calling(self, prompts: Given, max_tokens: int | None, options: CallOptions) -> Begun:
        return self._begins(prompts, Call.of(self._called, max_tokens, options, self._of_links))

    def _streaming(self, prompts: Given, max_tokens: int | None, options: CallOptions, resume: bool) -> Begun:
        return self._begins(prompts, Call.of("stream()", max_tokens, options, self._of_links, resume))

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Begun:
        without = [*self._of_links, "keys", "stop_at", "seam"]
        return self._begins(state, Call.of("resume()", max_tokens, options, without), goes_on=True)

    def _begins(self, prompts: Given, call: Call, goes_on: bool = False) -> Begun:
        return in_time(partial(self._begun, prompts, call, goes_on), call), call.progress, call.errors

    def _begun(self, prompts: Given, call: Call, goes_on: bool = False) -> Frontier:
        """The frontier of a call, whose seed is drawn here if it has none."""
        call = replace(call, seed=seeded(call.seed))
        if call.rows is not None:
            from outlines_cont.batches import begun_by_row

            return begun_by_row(self, prompts, call, goes_on)
        return self._resumption(prompts, call) if goes_on else self._frontier(prompts, call)


# --- the probabilities of the options of a choice by sequence, for many rows in one pass


def option_table(settings: SpanSettings, state: SequenceState) -> torch.Tensor:
    """The probability of each option after each row of a state, float64 `(B, S, options)`; 0 after dead rows.

    ValueError where the model's context has no room for every option.
    """
    table = torch.zeros(*state.shape[:2], len(settings.constraint.options), dtype=torch.float64)
    places = [(b, s) for b, rows in enumerate(state.rows) for s, row in enumerate(rows) if not row.dead]
    begun = {(b, s): _waiting(settings, state.rows[b][s]) for b, s in places}
    apart = {id(h.scoring): h.scoring for h in begun.values() if h.scoring is not None}  # equal rows share one
    logits, _ = read(state.model, [need for scoring in apart.values() for need in scoring.needs])
    counts = [sum(len(need.wanted) for need in scoring.needs) for scoring in apart.values()]
    lines = dict(zip(apart, torch.split(logits, counts), strict=True))
    for (b, s), h in begun.items():
        if h.scoring is not None:
            with suppress(Unsatisfied):
                scores = scored_options(h.scoring, h.settings.constraint, lines[id(h.scoring)], h.logprobs)
                shares = vetted_shares(h, scores.shares)
                table[b, s, list(h.scoring.numbers)] = torch.tensor(shares, dtype=torch.float64).exp()
        elif h.finished != "stop":
            length = len(state.rows[b][s])
            raise ValueError(f"a row of {length} tokens: the model's context has no room for every option")
        elif h.lost != "died":
            table[b, s, settings.constraint.options.index("")] = 1  # the only option that there is
    return table.to(state.model.device)


def _waiting(settings: SpanSettings, row: Row) -> Hypothesis:
    """A row that waits for its options; dead, if there is only one and the predicate refuses it."""
    try:
        return Hypothesis.begin(settings, row)[0]
    except Unsatisfied as error:
        return failing_row(settings, row, error)[0]


# --- row values


def check_spans(constraint: Constraint, state: SequenceState, generator: object) -> None:
    """ValueError if a row does not end in a span of this generator's constraint."""
    for row in (row for rows in state.rows for row in rows if not row.dead):
        made = row.pieces[-1].origin.constraint if row.pieces else None
        texts = made is not None and made.kind == constraint.kind == "text"  # whatever strings they ended at
        if made is None or not (texts or constraint.allows_the_same(made)):
            raise ValueError(f"values() of {generator!r}: a row does not end in a span of this generator")


def unwrapped(values: list[list[Any]], state: SequenceState) -> Any:
    """The value of a state of one row; of every other one all of them, nested."""
    return values[0][0] if state.shape[:2] == (1, 1) and values[0] else values


def values_of(
    state: SequenceState,
    value: Callable[[Row, SequenceState], Any],
    failures: Sequence[Exception],
    errors: Errors,
    where: Any = None,
) -> list[list[Any]]:
    """B × S nested lists: the value of each live row, or the error that it has instead.

    where: the predicate of their span. A batch row whose samples are all dead, because it refused them, has an error.

    value: of a row, or its error, which carries the state that it is given. failures: the errors of rows of this state
    that failed before. errors: "raise" the first error, of these or of a row without a value; "return" all that there
    are, and then those of earlier calls, too.
    """
    values: list[list[Any]] = []
    raised: list[Exception] = []
    try:
        values, raised = _values_and_errors(state, value, failures, errors == "return", where)
        if errors == "raise" and raised:
            raise with_values(raised[0], values)
        return values
    finally:
        del state, failures, values, raised  # see `unfailed`


def _values_and_errors(
    state: SequenceState,
    value: Callable[[Row, SequenceState], Any],
    failures: Sequence[Exception],
    earlier: bool,
    where: Any,
) -> tuple[list[list[Any]], list[Exception]]:
    """The values, and the errors that may be raised. earlier: whether those of earlier calls are values, too."""
    before, several = as_before_failures(state), sum(map(len, state.rows)) > 1
    values: list[list[Any]] = []
    raised: list[Exception] = []
    for b, rows in enumerate(state.rows):
        values.append([])
        for s, row in enumerate(rows):
            if isinstance(row, FailedRow):
                new = any(row.error is error for error in failures)
                raised += [row.error] * new
                values[-1] += [row.error] * (new or earlier)
            elif not row.dead:
                try:
                    values[-1].append(value(row, before))
                except Exception as error:
                    tell(error, (b, s), before, several, without_frames(error))
                    raised.append(error)
                    values[-1].append(error)
        if where is not None and rows and not values[-1] and not any(isinstance(row, FailedRow) for row in rows):
            values[-1].append(_unsatisfied(where, (b, 0), before, several))
            raised += values[-1]
    return values, raised


def _unsatisfied(where: Any, place: tuple[int, int], state: SequenceState, several: bool) -> ConstraintError:
    """The error that all samples of a batch row are dead."""
    name = getattr(where, "__name__", None) or shown(where)
    error = ConstraintError(
        f"where={name} refused whatever could come next, in every sample. It must accept, with done=False, every text "
        "that a right one begins with, the empty one, too; more samples may find what is rare"
    )
    tell(error, place, state, several, ours=True)
    return error
