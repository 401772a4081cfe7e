"""`oc.errors`: what can go wrong, by name. Wrong arguments are `TypeError`, `ValueError` or `IndexError`, as in torch.

Those of a generation that ended early carry a state: they are defined in `state/errors.py`, since this file lies below
every other, and are here, too.

>>> try:
...     oc.generate.regex(model, "[0-9")
... except oc.errors.ConstraintError as error:
...     print(error)
the pattern '[0-9' is not a regular expression (unterminated character set), at position 0: '[0-9'
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
import traceback
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outlines_cont.state.errors import HookLimit, IncompleteError, Interrupted

__all__ = ["BatchMismatch", "ConstraintError", "ContextFull", "CorruptStateError", "DraftError", "EngineError"]
__all__ += ["HookLimit", "IncompleteError", "Interrupted", "InvalidValueError", "LibraryError", "ModelFileError"]
__all__ += ["OutlinesContError", "RankError", "RowError", "SampleMismatch", "SlicingError", "TooUnlikely"]
__all__ += ["WorkerError"]

PACKAGE = Path(__file__).parent
OURS = tuple(f"{folder}{os.sep}" for folder in (PACKAGE, PACKAGE.parent / "fsm", PACKAGE.parent / "kernels"))
CALLED_BY_US = (*OURS, contextlib.__file__)  # which calls the end of a context, too
INSTALLED = tuple(f"{path}{os.sep}" for path in {sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")})


def level_of_the_user() -> int:
    """How many frames above the function that calls this one stands the first that is not ours (its own is 1)."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(CALLED_BY_US):
        level, frame = level + 1, frame.f_back
    return level


class ShortTraceback(BaseException):
    """In notebooks: the user's own lines, and what was wrong, with … for what went on in between.

    The environment variable OUTLINES_CONT_TRACEBACK=full gives all of it.
    """

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        if os.environ.get("OUTLINES_CONT_TRACEBACK") == "full":
            return traceback.format_exception(self)
        lines = [*_own_lines(self), *traceback.format_exception_only(self)]
        cause = self.__cause__ or (None if self.__suppress_context__ else self.__context__)
        if cause is not None:
            lines += ["\n", "because of ", *traceback.format_exception_only(cause)]
        return lines


def _own_lines(error: BaseException) -> Iterator[str]:
    """The lines of a traceback that are neither ours nor installed."""
    frames = traceback.extract_tb(error.__traceback__)
    while frames and f"{os.sep}IPython{os.sep}" in frames[0].filename:  # which runs the cell
        frames.pop(0)
    for users, run in groupby(frames, key=lambda frame: not frame.filename.startswith(OURS + INSTALLED)):
        if not users:
            yield "    …\n"
            continue
        for frame in run:
            where = "cell" if "ipykernel_" in frame.filename or "<ipython" in frame.filename else frame.filename
            yield f"{where}, line {frame.lineno}, in {frame.name}\n    {frame.line}\n"


def warn(message: str, kind: type[Warning] = UserWarning) -> None:
    """A warning at the user's line: the first, above the function that calls this one, that is not ours."""
    with _past_the_bars():
        warnings.warn(message, kind, stacklevel=level_of_the_user())


_warned: set[str] = set()


def warn_once(message: str, about: str = "", kind: type[Warning] = UserWarning) -> None:
    """A warning, the first time that a process has one about this; without `about`, the first time that it has it."""
    if (about or message) not in _warned:
        _warned.add(about or message)
        warn(message, kind)


def _past_the_bars() -> AbstractContextManager[None]:
    """A context in which no bar stands in the line of the cursor."""
    bars = sys.modules.get("tqdm")  # if it is not there, there are none
    return nullcontext() if bars is None else bars.tqdm.external_write_mode(file=sys.stderr)


class OutlinesContError(ShortTraceback, Exception):
    """The root of this library's own errors.

    >>> try:
    ...     oc.generate.regex(model, "[0-9")
    ... except oc.OutlinesContError as error:
    ...     print(f"{type(error).__name__}: {error}")
    ConstraintError: the pattern '[0-9' is not a regular expression (unterminated character set), at position ...
    """


class CarriesState(BaseException):
    """An error with the `SequenceState` that holds what there is, and that its copies share.

    Attributes:
        state: all rows.
        row: the place (batch, sample) of the row that it is about, once a call has raised or returned it.
        values: of the error that a call raises for one of its rows: B × S nested lists of the values of all rows, with
            errors in the places of those that have none.
    """

    row: tuple[int, int] | None = None
    values: list[list[Any]] | None = None

    def __init__(self, message: str, state: Any):
        super().__init__(message)
        self.state = state

    def __reduce__(self) -> Any:
        return type(self), (*self.args, self.state), vars(self)


class CorruptStateError(OutlinesContError, ValueError):
    """A file holds no saved state, or is damaged. The error says what is wrong, and where.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sky.safetensors"
    ...     model.state("The sky is").save(path)
    ...     size = path.write_bytes(path.read_bytes().replace(b"prompt", b"promqt"))
    ...     try:
    ...         oc.load_state(path, model)
    ...     except oc.errors.CorruptStateError as error:
    ...         print(str(error).partition(": ")[2])
    its checksum is not that of its content
    """


class ModelFileError(OutlinesContError, ValueError):
    """A model's file cannot be loaded: it is damaged, incomplete, or of an unsupported kind. The error says what is
    wrong.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.gguf"
    ...     size = path.write_text("Not found")
    ...     try:
    ...         oc.load(path)
    ...     except oc.errors.ModelFileError as error:
    ...         print(str(error).partition(": ")[2])
    it is no GGUF file: it begins with b'Not ', not b'GGUF'.
    """


class EngineError(OutlinesContError, RuntimeError):
    """An engine failed while it computed, or could not be set up. The error has the engine's own message.

    Nothing of the pass is kept. States stay as they were, and the next call works if the cause is gone.

    >>> issubclass(oc.errors.EngineError, RuntimeError)
    True
    """


class DraftError(CarriesState, OutlinesContError, RuntimeError):
    """A draft failed, or proposed something that is not a token. `state` holds the rows so far; `resume(error.state)`
    continues.

    All generated tokens are kept and are correct. Without the draft the call works.

    >>> def draft(row):
    ...     return [5000]
    >>> try:
    ...     oc.generate.text(model)("The sky is", max_tokens=2, draft=draft)
    ... except oc.errors.DraftError as error:
    ...     print(error)
    draft=<function draft at ...>: it proposed token 5000 after 'The sky is'; the vocabulary has 1536 tokens
    """

    def __init__(self, message: str, state: Any = None):
        super().__init__(message, state)


class RankError(OutlinesContError, RuntimeError):
    """A model is spread over processes, and one of them failed, ended, or would not take part. The error says which,
    and why.

    >>> issubclass(oc.errors.RankError, RuntimeError)
    True
    """


class LibraryError(OutlinesContError, ImportError):
    """A library is missing, of an engine or for a pattern, or its version is unsupported; with what to install.

    >>> issubclass(oc.errors.LibraryError, ImportError)
    True
    """


class BatchMismatch(OutlinesContError, ValueError):
    """Two things that must have the same number of batch rows do not.

    >>> model.state(["Once", "Mira"]) + ["a", "b", "c"]
    Traceback (most recent call last):
        ...
    outlines_cont.errors.BatchMismatch: 3 texts for a state of 2 batch rows × 1 samples; give one text, 2 ...
    """


class SampleMismatch(OutlinesContError, ValueError):
    """Two things that must have the same number of samples do not.

    >>> model.state("Once").fork(3).fork(2)
    Traceback (most recent call last):
        ...
    outlines_cont.errors.SampleMismatch: fork(2) of 3 samples: only a state of one sample can be forked
    """


class ContextFull(OutlinesContError, ValueError):
    """A row does not fit the memory of an engine with a fixed size, even when nothing else is kept there.

    No value is lost: states stay as they were, and shorter rows can still be read.

    >>> issubclass(oc.errors.ContextFull, ValueError)
    True
    """


class SlicingError(OutlinesContError, IndexError):
    """Under `strict_kv()`: the operation would lose keys and values that were computed.

    >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=2)
    >>> with oc.stepping.strict_kv():
    ...     "Look: " + state
    Traceback (most recent call last):
        ...
    outlines_cont.errors.SlicingError: state + state: the right operand's keys and values do not hold after ...
    """


class ConstraintError(OutlinesContError, ValueError):
    """A constraint that is empty, cannot be spelled with the vocabulary, is not supported, or does not fit the text.

    >>> oc.generate.regex(model, r"(a)\\1")
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: the pattern '(a)\\\\1' uses a backreference, which is not supported, ...
    """


class TooUnlikely(OutlinesContError, RuntimeError):
    """`oc.samplers.exact` gave up: the model hardly ever writes what the constraint accepts.

    `bound` is proved: at least the probability with which it does.

    >>> year = oc.generate.regex(model, "Q{9}[0-9]{4}", oc.samplers.exact(least=0.001))
    >>> try:
    ...     year("Mira came in ")
    ... except oc.errors.TooUnlikely as error:
    ...     error.bound < 0.001
    True
    """

    def __init__(self, message: str, bound: float = 1.0):
        super().__init__(message, bound)
        self.bound = bound

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidValueError(CarriesState, OutlinesContError, ValueError):
    """A value fits its constraint, but its class refuses it: a schema cannot express what validators check.

    `state` is the `SequenceState` that holds the value; `__cause__` is the error of the class.

    >>> from typing import Annotated
    >>> from pydantic import AfterValidator
    >>> number = oc.generate.json(model, Annotated[str, AfterValidator(int)], oc.samplers.greedy())
    >>> number("A word: ")
    Traceback (most recent call last):
        ...
    outlines_cont.errors.InvalidValueError: the value '"["' was generated but not accepted: 1 validation ...
    """


class RowError(OutlinesContError, RuntimeError):
    """In the results of `oc.map`: an error whose class is neither Python's nor ours. It has the name of the class and
    the text.

    >>> class TooRude(Exception): ...
    >>> def polite(draw):
    ...     raise TooRude("no")
    >>> text = oc.generate.text(model)
    >>> list(oc.map(text, ["The sky is"], seed=0, hooks=[polite]))
    [RowError('TooRude: no')]
    """


class WorkerError(OutlinesContError, RuntimeError):
    """A worker of `oc.map` failed, or several were lost at one shard. Finished shards are kept in the folder `out`.

    >>> def load():
    ...     return oc.load()
    >>> oc.map(oc.generate.text(model), ["The sky is"], seed=0, workers=2, load=load)
    Traceback (most recent call last):
        ...
    TypeError: workers=2: <function load at ...> cannot be sent to another process ...
    """


if not TYPE_CHECKING:  # so that a type checker finds misspelled names

    def __getattr__(name: str) -> Any:
        """The errors that carry states, which are defined above this file."""
        if name in ("HookLimit", "IncompleteError", "Interrupted"):
            return getattr(import_module("outlines_cont.state.errors"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
