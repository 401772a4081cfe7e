"""The values of a state's rows, and the errors in the places of those that have none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch

from outlines_cont.arguments import shown
from outlines_cont.decode.electing import option_scores, vetted_shares
from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.errors import ConstraintError
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.failed_row import Errors, FailedRow, tell, with_values, without_frames
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState, as_before_failures

# --- the probabilities of the options of a choice by sequence, for many rows in one pass


def option_table(settings: SpanSettings, state: SequenceState) -> torch.Tensor:
    """The probability of each option after each row of a state, float64 `(B, S, options)`; 0 after dead rows.

    ValueError where the model's context has no room for every option.
    """
    table = torch.zeros(*state.shape[:2], len(settings.constraint.options), dtype=torch.float64)
    places = [(b, s) for b, rows in enumerate(state.rows) for s, row in enumerate(rows) if not row.dead]
    begun = {(b, s): _begun(settings, state.rows[b][s]) for b, s in places}
    lines = _lines(state.model, [h.status.scoring for h in begun.values() if h.status.scoring is not None])
    for (b, s), h in begun.items():
        if h.status.scoring is not None:
            table[b, s] = _shares(h, h.status.scoring, lines[id(h.status.scoring)])
        elif h.status.finished != "stop":
            length = len(state.rows[b][s])
            raise ValueError(f"a row of {length} tokens: the model's context has no room for every option")
        elif not h.status.died:
            table[b, s, settings.constraint.options.index("")] = 1  # the only option that there is
    return table.to(state.model.device)


def _lines(model: LanguageModel, scorings: list[OptionScoring]) -> dict[int, torch.Tensor]:
    """The logits that scorings asked for, by their identity: equal rows share one, and all are read together."""
    apart = {id(scoring): scoring for scoring in scorings}
    logits, _ = read(model, [need for scoring in apart.values() for need in scoring.needs])
    counts = [sum(len(need.wanted) for need in scoring.needs) for scoring in apart.values()]
    return dict(zip(apart, torch.split(logits, counts), strict=True))


def _shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.zeros(len(h.settings.constraint.options), dtype=torch.float64)
    with suppress(Unsatisfied):
        among_accepted = vetted_shares(h, option_scores(h, logits).shares)
        shares[list(scoring.numbers)] = torch.tensor(among_accepted, dtype=torch.float64).exp()
    return shares


def _begun(settings: SpanSettings, row: Row) -> Hypothesis:
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
    """That all samples of a batch row are dead."""
    name = getattr(where, "__name__", None) or shown(where)
    error = ConstraintError(
        f"where={name} refused whatever could come next, in every sample. It must accept, with done=False, every text "
        "that a right one begins with, the empty one, too; more samples may find what is rare"
    )
    tell(error, place, state, several, ours=True)
    return error
