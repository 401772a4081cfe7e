"""Everything that can go wrong by name; wrong arguments are `TypeError`, `ValueError` or `IndexError` as in torch."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outlines_cont.state import SequenceState


HOME = str(Path(__file__).parent)


class _Short(BaseException):
    """In notebooks: the user's own lines, and what was wrong, without what went on in between."""

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        frames = traceback.extract_tb(self.__traceback__)
        own = [frame for frame in frames if not frame.filename.startswith(HOME) and "IPython" not in frame.filename]
        first = next((at for at, frame in enumerate(frames) if frame.filename.startswith(HOME)), len(frames))
        called = [frame for frame in own if frame in frames[:first]]  # not what the library called in its turn
        lines = [f"line {frame.lineno} of {frame.name}: {frame.line}" for frame in called]
        return [*lines, "", *traceback.format_exception_only(self)]


class OutlinesContError(_Short, Exception):
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


class Interrupted(_Short, KeyboardInterrupt):
    """Ctrl-C during a generation. `state` holds every token drawn until then; `step.resume(error.state)` goes on."""

    def __init__(self, message: str, state: SequenceState):
        super().__init__(message)
        self.state = state
