"""Where a call begins with other contexts beside its rows: they are checked, and put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from outlines_cont.arguments import is_number, shown
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.engines.protocol import LanguageModel, how_to_enlarge
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.generate.call_options import Call
from outlines_cont.generate.starts import started
from outlines_cont.state.combination import Combination, OtherContext
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


class GivenContext(NamedTuple):
    """A context of a call: its rows, one for each row or batch row, or one for all; its weight; its name in errors."""

    state: SequenceState
    weight: float
    name: str

    def row(self, b: int, s: int) -> Row:
        """That of a row of the call's state."""
        rows = self.state.rows[b if len(self.state.rows) > 1 else 0]
        return rows[s if len(rows) > 1 else 0]


def with_contexts(
    state: SequenceState, call: Call, samplers: Sequence[Sampler], start: Callable[[Row], int] = len
) -> SequenceState:
    """The state that a call goes on from, with the contexts that it names beside its rows; those that it has, if the
    call names none.

    samplers: that draw in the call; start: the position of a row from which on the contexts share its tokens.
    """
    for sampler in samplers:
        if call.proposal is not None and sampler.ranks_by_logprobs:
            raise ValueError(f"proposal= under {sampler!r}: it draws nothing, so that nothing could be drawn elsewhere")
    if call.beside is None and call.proposal is None:
        return state
    contexts, main_weight = list(_given(state, call)), _main_weight(call)
    normalize, alone = call.normalize is not False, not contexts and main_weight == 1.0
    if not alone:
        _check_exact(state, "the state that the call goes on from")

    def placed(row: Row, b: int, s: int) -> Row:
        if row.dead or alone:
            return replace(row, beside=None) if row.beside else row
        try:
            shared = start(row)
            others = tuple(_context(each, each.row(b, s), state.model, len(row) - shared) for each in contexts)
        except ValueError as error:
            return FailedRow.of(error, (row,))
        return replace(row, beside=Combination(shared, others, main_weight, normalize, row))

    rows = [[placed(row, b, s) for s, row in enumerate(group)] for b, group in enumerate(state.rows)]
    return SequenceState(state.model, rows, state.shape[1])


def _main_weight(call: Call) -> float:
    """That of the model's own law."""
    if call.proposal is not None:
        return 1.0 / call.proposal if is_number(call.proposal) else 0.0
    return 1.0 if call.own is None else call.own


def _given(state: SequenceState, call: Call) -> Iterator[GivenContext]:
    """The contexts that a call names. TypeError or ValueError for those that cannot stand beside the state."""
    pairs = [(each, weight, f"beside[{i}]") for i, (each, weight) in enumerate(call.beside or ())]
    if call.proposal is not None and not is_number(call.proposal):
        pairs = [(call.proposal, 1.0, "proposal")]
    for each, weight, name in pairs:
        context = _read(state.model, each, name)
        if context.model is not state.model and context.model.vocabulary != state.model.vocabulary:
            raise ValueError(
                f"{name} is a state of {context.model!r}, whose vocabulary is not that of "
                f"{state.model!r}: laws are combined token by token, of equal vocabularies"
            )
        batch, samples = context.shape[:2]
        wanted, several = state.shape[:2]
        if batch not in (1, wanted):
            raise BatchMismatch(f"{name} has {batch} batch rows beside a state of {wanted}: {_takes(wanted)}")
        if samples not in (1, several):
            raise SampleMismatch(f"{name} has {samples} samples beside a state of {several}: {_takes(several)}")
        _check_exact(context, name)
        yield GivenContext(context, weight, name)


def _takes(count: int) -> str:
    return "it takes 1" if count == 1 else f"it takes 1 or {count}"


def _check_exact(state: SequenceState, name: str) -> None:
    """ValueError if a row reads a graft: nothing would tell of the combined law that it is approximate."""
    if any(row.reads_graft for group in state.rows for row in group):
        raise ValueError(
            f"{name} reads a graft (oc.graft), whose law is approximate: a combined law (beside=, proposal=) is of "
            "exact ones; state.drop_kv() is read exactly"
        )


def _read(model: LanguageModel, context: Any, name: str) -> SequenceState:
    """A context as a state; a prompt is read for the model of the call."""
    if isinstance(context, SequenceState):
        return context
    try:
        state = started(model, context)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}={shown(context)}: {error}") from None
    return state


def _context(given: GivenContext, row: Row, model: LanguageModel, shared: int) -> OtherContext:
    """A row of a context, beside one that has written so many tokens since. ValueError if there can be none."""
    if isinstance(row, FailedRow):
        raise ValueError(f"{given.name}: {row.error}")
    if row.dead:
        raise ValueError(f"{given.name} is a dead row beside one that is alive")
    if not row.ids:
        raise ValueError(f"{given.name} is empty: a context needs at least one token")
    longest = given.state.model.context_length
    if longest is not None and len(row) + shared > longest:
        raise ValueError(
            f"{given.name} has {len(row) + shared} tokens; the context of its model is {longest}"
            f"{how_to_enlarge(given.state.model)}"
        )
    other = None if given.state.model is model else given.state.model
    return OtherContext(row.ids, given.weight, other, row.claim, row)


def check_carried(state: SequenceState, call: Call) -> None:
    """ValueError if a call goes on with a span that was drawn beside other contexts, which the state has lost."""
    if call.beside is not None or call.proposal is not None:
        return
    for b, group in enumerate(state.rows):
        for s, row in enumerate(group):
            piece = next((piece for piece in reversed(row.pieces) if piece.kind == "generated"), None)
            if piece and piece.origin.combined and row.beside is None and piece.finished != "stop":
                raise ValueError(
                    f"row ({b}, {s}) ends in a span whose law was combined with that of other contexts, and the state "
                    "has these no longer: give them to this call, beside=[(state, weight), …], or beside=[] to go on "
                    "without"
                )
