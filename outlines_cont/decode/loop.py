"""The library's own loop over frontiers: read the logits, step, until all rows have ended."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.progress import watched
from outlines_cont.decode.stream import Streamed
from outlines_cont.engines.protocol import asynchronous
from outlines_cont.state.errors import Interrupted
from outlines_cont.state.state import SequenceState


def run(frontier: Frontier, progress: bool = False) -> SequenceState:
    """The state at the end of a generation. Ctrl-C raises `Interrupted` with the state at the last whole step.

    progress: draw a bar on stderr.
    """
    with _interrupts() as interrupted, watched(frontier, progress) as looked_at:
        try:
            while not frontier.done and not interrupted.is_set():
                frontier = _stepped(frontier)
                looked_at(frontier)
            state = frontier.state
        except KeyboardInterrupt:
            raise _interrupted(frontier) from None
    if interrupted.is_set():
        raise _interrupted(frontier)
    return state


def stream(frontier: Frontier, progress: bool = False) -> Iterator[Streamed]:
    """The same loop, which gives out the state after every step. Ctrl-C in the middle of a step waits for its end."""
    with watched(frontier, progress) as looked_at:
        while True:
            with _interrupts() as interrupted:
                try:
                    if not frontier.done:
                        frontier = _stepped(frontier)
                        looked_at(frontier)
                    frontier, state = frontier.flush()
                except KeyboardInterrupt:
                    raise _interrupted(frontier) from None
            if interrupted.is_set():
                raise _interrupted(frontier)
            yield state
            if frontier.done:
                return


def _stepped(frontier: Frontier) -> Frontier:
    """One step further.

    The garbage collector waits until it is made. In the middle of a step old and new rows are alive: it would find
    nothing, and take most of them for objects that live long. With 64 rows that is a fifth of our own work. If a hook
    switches it off, it is on again after the step.
    """
    collecting = gc.isenabled()
    try:
        gc.disable()
        logits, claims = frontier.model.read(frontier.pending)
        if asynchronous(frontier.model):
            frontier.prepare()
        return frontier.step(logits, claims)
    finally:
        if collecting:
            gc.enable()


def _interrupted(frontier: Frontier) -> Interrupted:
    message = "generation was interrupted; error.state holds the rows so far, and resume(error.state) goes on"
    return Interrupted(f"{message}: of the generator, step or chain that was called", frontier.state)


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, so that a step is never cut in two; a second one interrupts at once.

    The event is to be looked at after the block: it may be set until the very end of it.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    def handler(number: int, frame: object) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()

    if before is not signal.default_int_handler:  # somebody else's business
        yield event
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
