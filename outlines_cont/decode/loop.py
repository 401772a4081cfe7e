"""The library's own loop over frontiers: read the logits, step, until all rows have ended."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, TypeVar, cast

from outlines_cont import waiting
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.inside import InsideSteps
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import asynchronous, read
from outlines_cont.processes import uncollected
from outlines_cont.state.errors import Interrupted, as_before_failures, with_told_errors
from outlines_cont.state.failed_row import Errors, with_values
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import ShownProgress, Wait, screen, tell

#: The frontier after a flush, what a stream gives for it, and the errors of rows that failed since the last one.
Flushed = tuple[Frontier, Any, list[Exception]]
Flush = Callable[[Frontier], Flushed]
STATE = attrgetter("state")


def run(begin: Callable[[], Frontier], progress: ShownProgress = False, errors: Errors = "raise") -> SequenceState:
    """The state at the end of a generation. Ctrl-C raises `Interrupted` with the state at the last whole step.

    begin: makes the frontier; progress: see `watched`; errors: "raise" the first error of rows that failed, or
    "return" the state, which has them.
    """
    return unfailed(*finished(begin(), progress), errors)


def finished(frontier: Frontier, progress: ShownProgress = False) -> tuple[SequenceState, list[Exception]]:
    """The state at the end of a generation, and the errors of the rows that failed in it."""
    return with_told_errors(at_end(frontier, progress))


def at_end(frontier: Frontier, progress: ShownProgress = False, give: Callable[[Frontier], Any] = STATE) -> Any:
    """The state at the end of a generation, or something else that this function gives of the last frontier."""
    with _interrupts() as interrupted, watched(frontier, progress) as looked_at, stepping(frontier) as step:
        try:
            while not frontier.done and not interrupted.is_set():
                frontier = step(frontier)
                looked_at(frontier)
            given = give(frontier)
        except KeyboardInterrupt:
            raise interruption(frontier) from None
    if interrupted.is_set():
        raise interruption(frontier)
    return given


def stream(
    frontier: Frontier, progress: ShownProgress = False, errors: Errors = "raise", flush: Flush | None = None
) -> Iterator[Any]:
    """The states of a generation, one after every step. Ctrl-C in the middle of a step waits for its end.

    progress: as for `run`, but None draws nothing: whoever takes the states one by one shows what they like of them.
    errors: "raise" the first error of rows that failed, after the last state. flush: gives something else for each step
    than `flushed`.
    """
    failures: list[Exception] = []
    with watched(frontier, progress or False) as looked_at, stepping(frontier) as step:
        while True:
            with _interrupts() as interrupted:
                try:
                    if not frontier.done:
                        frontier = step(frontier)
                        looked_at(frontier)
                    frontier, state, new = (flush or flushed)(frontier)
                except KeyboardInterrupt:
                    raise interruption(frontier) from None
            if interrupted.is_set():
                raise interruption(frontier)
            failures += new
            yield state
            if frontier.done:
                break
    try:
        unfailed(state, failures, errors)
    finally:
        del frontier, state, new, failures


def flushed(frontier: Frontier) -> Flushed:
    """The frontier after giving out what is final, its state, and the errors of rows that failed since the last one."""
    frontier, state = frontier.flush()
    told, new = with_told_errors(state)
    if not new:
        return frontier, state, []
    return frontier.with_told_errors(), state.with_rows(told.rows), new


def unfailed(state: SequenceState, failures: Sequence[Exception], errors: Errors) -> SequenceState:
    """The state at the end of a generation, unless rows of it have failed: then the first error is raised, if it is to
    be raised. It carries the texts of all rows, with the errors in their places.

    Where an error is raised, no function keeps the state, which holds the error, too: in a circle with its traceback,
    both would live until the garbage collector comes by.
    """
    if errors == "return" or not failures:
        return state
    try:
        raise with_values(_first(state, failures), _texts(state))
    finally:
        del state, failures


def _first(state: SequenceState, failures: Sequence[Exception]) -> Exception:
    """The error of the first row that has one of these; the first of them, if no row is left that has one."""
    of_rows = (error for group in state.errors for error in group if error is not None)
    return next((error for error in of_rows if any(error is each for each in failures)), failures[0])


def _texts(state: SequenceState) -> list[list[Any]]:
    """The text of each live row, and the error of each that failed."""
    decode = state.model.encoder.decode
    return [
        [error or decode(row.ids) for row, error in zip(rows, errors, strict=True) if error or not row.dead]
        for rows, errors in zip(state.rows, state.errors, strict=True)
    ]


def watched(first: Frontier, shown: ShownProgress) -> AbstractContextManager[Callable[[Frontier], None]]:
    """What looks at the frontier after each step, and draws how far it is; see `progress.watched`."""
    if shown is False:
        return nullcontext(lambda frontier: None)
    from outlines_cont import progress

    return progress.watched(first, shown)


@contextmanager
def stepping(first: Frontier) -> Iterator[Callable[[Frontier], Frontier]]:
    """What makes the steps from this frontier on: `stepped`, or the same with what drafts propose; or the engine
    itself, where it draws rows inside. When its time is over, the next step is its end."""
    if first.until is not None:
        with stepping(replace(first, until=None)) as step:
            yield lambda frontier: frontier.cut() if waiting.clock() >= cast(float, first.until) else step(frontier)
        return
    if drafts := drafts_of(first):
        from outlines_cont.drafts.loop import Drafting

        yield partial(stepped, step=Drafting(first, drafts))
        return
    if not hasattr(first.model, "row_writer"):
        yield stepped
        return
    steps = InsideSteps(first.model, stepped)
    try:
        yield steps
    finally:
        steps.close()


def drafts_of(frontier: Frontier) -> list[Any]:
    """The drafts of all spans of a generation, each once."""
    waiting = (h.onward.settings for group in frontier.groups for h in group if h.onward)
    begun_with = chain((h.settings for group in frontier.groups for h in group), waiting)
    links = (link for settings in begun_with for link in settings.links if isinstance(link, SpanSettings))
    drafts = {id(each.draft): each.draft for each in links if each.draft is not None}
    return list(drafts.values())


def _read_and_stepped(frontier: Frontier) -> Frontier:
    logits, claims = read(frontier.model, frontier.pending)
    if asynchronous(frontier.model):
        frontier.prepare()
    return frontier.step(logits, claims)


def stepped(frontier: Frontier, step: Callable[[Frontier], Frontier] = _read_and_stepped) -> Frontier:
    """One step further.

    The garbage collector waits until it is made. In the middle of a step old and new rows are alive: it would find
    nothing, and take most of them for objects that live long. With 64 rows that is a fifth of our own work. If a hook
    switches it off, it is on again after the step.
    """
    return uncollected(step, frontier)


def interruption(frontier: Frontier) -> Interrupted:
    how = "call resume(error.state, seed=…) of the generator, step or chain that was called, with the seed of that call"
    if frontier.calls:
        how = "give each job its batch rows of that, oc.batch([(step, error.state[0, ...]), …], seed=…, resume=True)"
    message = f"generation was interrupted; error.state holds the rows so far. To go on, {how}"
    return Interrupted(message, as_before_failures(frontier.state))


@contextmanager
def _interrupts() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, which is `stopping` for the steps: none is cut within a pass. A second one interrupts at
    once. Who waits for a long step is told of it.

    The event is to be looked at after the block: it may be set until the very end of it.
    """
    event = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def handler(number: int, frame: object) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()

    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield event  # it is somebody else's business
        return
    signal.signal(signal.SIGINT, handler)
    others = waiting.stopping.set(event)
    try:
        with _told_of_the_step(event):
            yield event
    finally:
        signal.signal(signal.SIGINT, before)
        waiting.stopping.reset(others)


def _told_of_the_step(pressed: threading.Event) -> AbstractContextManager[None]:
    """A context that says what Ctrl-C waits for, to whom it was pressed a second ago or longer."""
    stream, seen = screen(), False

    def look() -> float | None:
        nonlocal seen
        if not seen:
            seen = pressed.is_set()
            return 1.0
        return tell(stream, "Ctrl-C: the step under way ends first (it may be a long prompt); Ctrl-C again ends it now")

    return nullcontext() if stream is None else Wait(waiting.PATIENCE, look)


# --- the same loop over frontiers for asyncio: the steps are made in other threads, and the event loop stays free
#
# A task that is cancelled stops at the end of the step that it is in. The `CancelledError` goes on, as it has to, and
# carries the state at that point: `error.state`, from which `resume` goes on. A second cancellation does not wait for
# the end of the step; its state is that of before.

T = TypeVar("T")

THREADS = 32  # steps of so many generations may be under way; the model's forwards run one at a time


async def async_finished(
    begin: Callable[[], Frontier], progress: ShownProgress = False
) -> tuple[SequenceState, list[Exception]]:
    """The state at the end of a generation, and the errors of the rows that failed in it. begin: makes the frontier."""
    return with_told_errors(await async_at_end(begin, progress))


async def async_at_end(
    begin: Callable[[], Frontier], progress: ShownProgress = False, give: Callable[[Frontier], Any] = STATE
) -> Any:
    """What `at_end` gives. begin: makes the frontier."""
    frontier = await in_thread(begin)
    with watched(frontier, progress) as looked_at, stepping(frontier) as step:
        while not frontier.done:
            frontier = await _in_thread_from(frontier, step, lambda after: after)
            looked_at(frontier)
    return give(frontier)


async def async_run(
    begin: Callable[[], Frontier], progress: ShownProgress = False, errors: Errors = "raise"
) -> SequenceState:
    """The state at the end of a generation, made in other threads. Arguments: those of `run`."""
    return unfailed(*await async_finished(begin, progress), errors)


async def async_stream(
    begin: Callable[[], Frontier],
    progress: ShownProgress = False,
    errors: Errors = "raise",
    flush: Flush | None = None,
) -> AsyncGenerator[Any, None]:
    """The states of a generation, step by step, as `stream` gives them. Closed early (`aclose`), it makes no more
    steps, and keeps nothing."""
    frontier = await in_thread(begin)
    failures: list[Exception] = []
    with watched(frontier, progress or False) as looked_at, stepping(frontier) as step:
        while True:
            frontier, state, new = await _in_thread_from(
                frontier, partial(_stepped_and_flushed, step, flush or flushed), itemgetter(0)
            )
            looked_at(frontier)
            failures += new
            yield state
            if frontier.done:
                break
    try:
        unfailed(state, failures, errors)
    finally:
        del frontier, state, new, failures


def _stepped_and_flushed(step: Callable[[Frontier], Frontier], flush: Flush, frontier: Frontier) -> Flushed:
    return flush(frontier if frontier.done else step(frontier))


async def _in_thread_from(frontier: Frontier, step: Callable[[Frontier], T], after: Callable[[T], Frontier]) -> T:
    """A step in another thread. A cancellation, or an interruption, comes at its end, or between two of its passes.

    after: the frontier after the step, of what it gives.
    """
    stopping = threading.Event()
    before = waiting.stopping.set(stopping)
    work, made = _submitted(step, frontier)
    waiting.stopping.reset(before)
    future = asyncio.wrap_future(work)
    future.add_done_callback(lambda future: future.cancelled() or future.exception())  # somebody has looked at it
    try:
        await asyncio.shield(future)
        return made.pop()
    except asyncio.CancelledError as error:
        stopping.set()
        try:
            if not work.cancel():  # it has begun
                await asyncio.wait([future])
                frontier = after(made.pop()) if made else frontier  # nothing, if it has failed
        except asyncio.CancelledError as again:
            raise _with_state(again, frontier) from None
        raise _with_state(error, frontier) from None
    except KeyboardInterrupt:
        raise interruption(frontier) from None


def _with_state(error: asyncio.CancelledError, frontier: Frontier) -> asyncio.CancelledError:
    setattr(error, "state", as_before_failures(frontier.state))  # noqa: B010 (no class of ours declares it)
    return error


async def in_thread(function: Callable[..., T], *args: Any) -> T:
    """What a function gives in another thread, in the context of this task. Cancelled, it does not wait for that."""
    work, made = _submitted(function, *args)
    await asyncio.wrap_future(work)
    return made.pop()


def _submitted(function: Callable[..., T], *args: Any) -> tuple[Future[None], list[T]]:
    """A call in another thread, and where it puts what it gives. The thread itself keeps neither for a moment longer:
    keys and values would live on with them."""
    calls, made = [partial(function, *args)], []

    def work() -> None:
        made.append(calls.pop()())

    return _threads().submit(copy_context().run, work), made


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads of our own: asyncio's look up addresses, and may not wait for a model."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="outlines_cont")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a fork has none of them
