"""Everything that can go wrong by name; wrong arguments are `TypeError`, `ValueError` or `IndexError` as in torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outlines_cont.state import SequenceState


class OutlinesContError(Exception):
    """The root of this library's own errors."""


class BatchMismatch(OutlinesContError, ValueError):
    """Two things that must have the same number of batch rows do not."""


class SampleMismatch(OutlinesContError, ValueError):
    """Two things that must have the same number of samples do not."""


class SlicingError(OutlinesContError, IndexError):
    """Under `strict_kv()`: the operation would give up keys and values already computed."""


class ConstraintError(OutlinesContError, ValueError):
    """A constraint that is empty, cannot be spelled with the vocabulary, is not supported, or does not fit the text."""


class IncompleteError(OutlinesContError, ValueError):
    """A constrained value was cut short. `state` holds what there is; `step.resume(error.state)` goes on."""

    def __init__(self, message: str, state: SequenceState):
        super().__init__(message)
        self.state = state


class InvalidValueError(OutlinesContError, ValueError):
    """A value that fits its constraint and that its class refuses: what validators check, a schema cannot say.

    `state` holds it, with everything before it; `__cause__` is what the class said.
    """

    def __init__(self, message: str, state: SequenceState):
        super().__init__(message)
        self.state = state


class HookLimit(OutlinesContError, RuntimeError):
    """Hooks or a controller sent a row back too often, or too far; `state` holds the rows as they were before that."""

    def __init__(self, message: str, state: SequenceState):
        super().__init__(message)
        self.state = state


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a generation. `state` holds every token drawn until then; `step.resume(error.state)` goes on."""

    def __init__(self, message: str, state: SequenceState):
        super().__init__(message)
        self.state = state
