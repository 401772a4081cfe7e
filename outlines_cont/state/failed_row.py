"""Rows that failed: a dead row in the place of one whose error ended it, and what is told of such errors.

A row fails by itself: the other rows of its batch go on, as if it had not been there. Its error is the user's to see:
raised by the call, or found in `state.errors`.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy as copied
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import torch

from outlines_cont.errors import INSTALLED, OURS, OutlinesContError
from outlines_cont.state.row import Row

Errors = Literal["raise", "return"]

OF_NO_ROW = (MemoryError, torch.OutOfMemoryError)  # errors that are raised at once, whatever row was looked at


@dataclass(frozen=True, slots=True, eq=False)
class FailedRow(Row):
    """A dead row that stands for one that failed. Its error is an annotation: it is neither compared nor saved.

    Attributes:
        error: what ended it.
        before: the rows as they were before that: one, or all hypotheses of a search; none if the prompt was no row.
        ours: whether it was raised in this library, of what it checks, and not in somebody's hook or controller.
        told: whether a call has raised or returned it.
    """

    dead: bool = True
    error: Exception = field(kw_only=True)
    before: tuple[Row, ...] = ()
    ours: bool = True
    told: bool = False

    @classmethod
    def of(cls, error: Exception, before: tuple[Row, ...] = ()) -> FailedRow:
        """In the place of these rows, which this error ended. The error keeps no frames: they would hold logits, rows
        and their keys and values. It says instead, in a note, where it was raised."""
        return cls(error=error, before=before, ours=without_frames(error))

    def as_told(self) -> FailedRow:
        """The row after its error was raised or returned."""
        return self if self.told else replace(self, told=True)


def failed_rows(rows: Sequence[Sequence[Row]]) -> Iterator[tuple[int, int, FailedRow]]:
    """The failed rows, with their places in the grid."""
    return ((b, s, row) for b, group in enumerate(rows) for s, row in enumerate(group) if isinstance(row, FailedRow))


def as_before(group: Sequence[Row]) -> list[Row]:
    """One batch row's rows, where those that failed are as they were before that."""
    rows = [each for row in group for each in ((row.before or (row,)) if isinstance(row, FailedRow) else (row,))]
    rows = [Row(dead=True) if isinstance(row, FailedRow) else row for row in rows]
    while len(rows) > len(group) and rows[-1].dead:  # a search that failed is one row, and others that fill it up
        rows.pop()
    return rows


def tell(error: Exception, place: tuple[int, int], state: Any, several: bool, ours: bool) -> None:
    """Write into an error which row it ended, and what there is: `error.row`, `error.state`.

    several: whether there are other rows, so that the text names this one; ours: whether the text is ours to change.
    """
    if several and ours and error.args and isinstance(error.args[0], str):
        error.args = (f"row {place}: {error.args[0]}", *error.args[1:])
    elif several:
        _note(error, f"This is the error of row {place}. error.state holds all rows of the batch.")
    _annotate(error, row=place, state=state)


def with_values(error: Exception, values: list[list[Any]]) -> Exception:
    """The error, to be raised, which now carries the values of all rows: `error.values`.

    In its own place stands a copy: in a circle, both would live until the garbage collector comes by.
    """
    copy = _copied(error)
    _annotate(error, values=[[copy if value is error else value for value in group] for group in values])
    return error


def _copied(error: Exception) -> Exception:
    """A copy of an error; itself, if its class cannot be copied."""
    try:
        copy = copied(error)
    except Exception:
        return error
    _annotate(copy, **{name: getattr(error, name) for name in ("row", "state") if hasattr(error, name)})
    return copy if type(copy) is type(error) else error


def _annotate(error: Exception, **attributes: Any) -> None:
    for name, value in attributes.items():
        with suppress(AttributeError, TypeError):  # of somebody else's class, which does not let us
            setattr(error, name, value)


def _note(error: Exception, text: str) -> None:
    if text not in getattr(error, "__notes__", ()):  # the same error may be raised for several rows
        with suppress(AttributeError, TypeError):
            error.add_note(text)


def without_frames(error: Exception) -> bool:
    """Take the frames from an error and from those that led to it; a note says where it was raised. Whether it was
    raised in this library, of what that checks."""
    frames = traceback.extract_tb(error.__traceback__)
    users = [n for n, frame in enumerate(frames) if not frame.filename.startswith(OURS + INSTALLED)]
    checked = isinstance(error, (OutlinesContError, ValueError))
    if users or (frames and not checked):
        first = users[0] if users and os.environ.get("OUTLINES_CONT_TRACEBACK") != "full" else 0
        _note(error, f"It was raised here:\n{''.join(traceback.format_list(frames[first:])).rstrip()}")
    _drop_frames(error, set())
    return checked and not users


def _drop_frames(error: BaseException, seen: set[int]) -> None:
    if id(error) in seen:
        return
    seen.add(id(error))
    BaseException.with_traceback(error, None)
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for each in (error.__cause__, error.__context__, *inner):
        if each is not None:
            _drop_frames(each, seen)
