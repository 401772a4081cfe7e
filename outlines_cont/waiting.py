"""Those who wait are told for what: functions that are called while something goes on for long.

One thread calls them. It is there only while somebody may have to be told, and it wakes up once in `PATIENCE` seconds
at most: to begin and to end a wait that is short costs some microseconds.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr, suppress
from contextvars import ContextVar
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Literal

from outlines_cont.arguments import flag
from outlines_cont.processes import whole_at_fork

#: Of a call: whether a bar is drawn, or the rows themselves; None: a bar, if it takes long.
ShownProgress = bool | Literal["rows"] | None

PATIENCE = 2.0  # seconds after which whoever waits is told for what
AGAIN = 60.0  # seconds for which a stage that was told is not told again

#: What `max_seconds` is counted by.
clock = monotonic

#: Is set when the step under way is to end (Ctrl-C): steps of many passes look at it between them.
stopping: ContextVar[threading.Event | None] = ContextVar("stopping", default=None)

_change = whole_at_fork(threading.Condition())  # reentrant: a signal may come while this thread holds it
_waits: set[Wait] = set()
_thread: threading.Thread | None = None
_wakes = inf  # when the thread looks at the waits again
_silent = False
_unseen: Any = None  # the stderr that nobody looks at, as far as was asked: it is asked at every guide and mask
_silent_until: dict[str, float] = {}  # by stage


class Wait:
    """While this context is open, another thread calls `told`: first after so many seconds, and then after as many as
    that answers, until it answers None.

    It may still be running when the context has been left.

    >>> from outlines_cont.waiting import Wait
    >>> with Wait(3600, lambda: print("an hour has passed")):
    ...     1 + 1
    2
    """

    __slots__ = ("_after", "due", "told")

    def __init__(self, after: float, told: Callable[[], float | None]) -> None:
        self._after, self.told, self.due = after, told, inf

    def __enter__(self) -> None:
        global _thread
        with _change:
            self.due = monotonic() + self._after
            _waits.add(self)
            if _thread is None or not _thread.is_alive():  # it does not live on in a fork
                _thread = threading.Thread(target=_watch, name="outlines_cont waits", daemon=True)
                with suppress(RuntimeError):  # no thread can be started: then nobody is told
                    _thread.start()
            elif self.due < _wakes:
                _change.notify_all()

    def __exit__(self, *_: object) -> None:
        with _change:
            _waits.discard(self)


def _watch() -> None:
    """What the thread does, until a look at the waits finds none."""
    global _thread, _wakes
    while True:
        with _change:
            due = [wait for wait in _waits if wait.due <= monotonic()]
            if not due:
                if not _waits:
                    _thread = None
                    return
                _wakes = min(wait.due for wait in _waits)
                _change.wait(max(_wakes - monotonic(), 0))
                continue
        for wait in sorted(due, key=lambda each: each.due):
            again = None
            with suppress(Exception):  # who is not told has lost nothing else
                again = wait.told()
            with _change:
                wait.due = monotonic() + (inf if again is None else again)
                if again is None:
                    _waits.discard(wait)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_waits.clear)  # they are those of its parent


def told(stage: str, *details: Any) -> AbstractContextManager[None]:
    """A context that says what it is, in one line, if it takes longer than `PATIENCE` and somebody looks (`screen`).

    Where contexts stand in each other, each that takes so long says so. A stage that comes again and again says so once
    in `AGAIN` seconds.

    stage: what goes on, as `str.format` takes it; details: what it puts there.

    >>> from outlines_cont.waiting import told
    >>> with told("adding {} and {}", 1, 1):
    ...     1 + 1
    2
    """
    stream = screen()
    return nullcontext() if stream is None else Wait(PATIENCE, partial(tell, stream, stage, *details))


def tell(stream: Any, stage: str, *details: Any) -> None:
    """Say at once in one line what `told` says, past the bars that are drawn there."""
    from tqdm import tqdm  # which knows the bars that are drawn on this stream

    if (now := monotonic()) < _silent_until.get(stage, now):
        return
    _silent_until[stage] = now + AGAIN
    with suppress(OSError, ValueError):
        tqdm.write(f"outlines_cont: {stage.format(*details)} …", file=stream)
        stream.flush()


def bar_stream() -> Any:
    """Where bars are drawn: stderr, if there is one. A notebook has a red box for that, so there it is stdout.

    >>> from outlines_cont.waiting import bar_stream, is_screen
    >>> is_screen(bar_stream())
    False
    """
    if type(sys.stderr).__module__.startswith("ipykernel") and type(sys.stdout).__module__.startswith("ipykernel"):
        return sys.stdout
    return None if getattr(sys.stderr, "closed", sys.stderr is None) else sys.stderr


def notebook_shell() -> Any:
    """IPython's shell, if it is that of a notebook's kernel; else None."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if hasattr(shell, "kernel") else None


def checked_progress(value: Any) -> ShownProgress:
    """What is given as `progress=`. TypeError or ValueError for anything but a bool, None and "rows"."""
    if value is None:
        return None
    if not isinstance(value, str):
        return flag(value, "progress")
    if value != "rows":
        raise ValueError(f"progress={value!r}: it is None, True or False, or 'rows' in a notebook")
    if notebook_shell() is None:
        raise ValueError(
            "progress='rows' draws the rows in a notebook, and this program does not run in one; progress=True draws "
            "a bar on stderr"
        )
    return "rows"


@contextmanager
def bars_beside_results() -> Iterator[None]:
    """In a notebook, the bars that others draw in this context on stderr have no red background either."""
    if (stream := bar_stream()) is not sys.stdout:
        yield
        return
    with redirect_stderr(stream):
        yield


def is_screen(stream: Any) -> bool:
    """Whether somebody sees at once what is written to a stream: a terminal, or a notebook. Anything else is a log."""
    return bool(getattr(stream, "isatty", bool)()) or type(stream).__module__.startswith("ipykernel")


def screen() -> Any:
    """The stream of bars, if somebody looks at it and wants to be told unasked; else None.

    Of several processes that do one job, the first speaks (of `torchrun`), or the one that has begun it (of `oc.map`).

    >>> from outlines_cont.waiting import screen
    >>> screen() is None
    True
    """
    global _unseen
    if _silent or (_unseen is not None and _unseen is sys.stderr) or os.environ.get("RANK", "0") != "0":
        return None
    with suppress(OSError, ValueError):  # somebody may close it meanwhile
        if is_screen(stream := bar_stream()):
            return stream
        _unseen = stream
    return None


def be_silent() -> None:
    """From now on this process, which works for another one, tells nobody anything unasked."""
    global _silent
    _silent = True
