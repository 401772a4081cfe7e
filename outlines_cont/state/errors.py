"""Errors of a generation that ended early. Each carries the state so far, so that nothing that was computed is lost."""

from __future__ import annotations

from outlines_cont.errors import CarriesState, OutlinesContError, ShortTraceback
from outlines_cont.state.failed_row import FailedRow, as_before, failed_rows, tell
from outlines_cont.state.random_keys import rekeyed
from outlines_cont.state.selecting import rectangular
from outlines_cont.state.state import SequenceState, with_rows_changed


class IncompleteError(CarriesState, OutlinesContError, ValueError):
    """A constrained value was cut short. `state` holds the unfinished rows; `step.resume(error.state)` continues them.

    >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
    >>> try:
    ...     year("Mira came in ", max_tokens=2)
    ... except oc.errors.IncompleteError as error:
    ...     print(error.state, "→", oc.continuous(year).resume(error.state))
    Mira came in 19 → Mira came in 1960
    """

    state: SequenceState


class HookLimit(CarriesState, OutlinesContError, RuntimeError):
    """Hooks or a controller sent a row back too often, or too far; `state` holds the rows as they were before that.

    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> text("The sky is", hooks=oc.steer.Hooks(lambda draw: oc.steer.Resample(ban=[]), retries=3))
    Traceback (most recent call last):
        ...
    outlines_cont.state.errors.HookLimit: a row was sent back, or given branches that add nothing, 3 times ...
    """

    state: SequenceState


class Interrupted(CarriesState, ShortTraceback, KeyboardInterrupt):
    """Ctrl-C during a generation. `state` holds every token drawn until then; `step.resume(error.state)` continues.

    >>> def pressed(draw):
    ...     raise KeyboardInterrupt  # as Ctrl-C does
    >>> try:
    ...     oc.generate.text(model)("The sky is", hooks=[pressed])
    ... except oc.errors.Interrupted as error:
    ...     print(error.state, error.state.finished)
    The sky is [['interrupted']]
    """

    state: SequenceState


# --- states some of whose rows have failed


def as_before_failures(state: SequenceState) -> SequenceState:
    """The state whose rows that failed are as they were before that, so that `resume` may try them again."""
    if not any(failed_rows(state.rows)):
        return state
    rows = rekeyed(rectangular([as_before(group) for group in state.rows]))
    return SequenceState(state.model, rows, samples=max(map(len, rows)))


def with_told_errors(state: SequenceState) -> tuple[SequenceState, list[Exception]]:
    """The state whose errors have been told; and those that had not been, in the order of the rows, each of which now
    says which row it ended, and carries all rows as they were before."""
    new = [(b, s, row) for b, s, row in failed_rows(state.rows) if not row.told]
    if not new:
        return state, []
    before, several = as_before_failures(state), sum(map(len, state.rows)) > 1
    errors: list[Exception] = []
    for b, s, row in new:
        if not any(row.error is error for error in errors):
            tell(row.error, (b, s), before, several, row.ours)
            errors.append(row.error)
    return with_rows_changed(state, lambda row: row.as_told() if isinstance(row, FailedRow) else row), errors
