"""The same loop over frontiers for asyncio: the steps are made in other threads, and the event loop stays free.

A task that is cancelled stops at the end of the step that it is in. The `CancelledError` goes on, as it has to, and
carries the state at that point: `error.state`, from which `resume` goes on. A second cancellation does not wait for the
end of the step; its state is that of before.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from operator import itemgetter
from typing import Any, TypeVar

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.loop import flushed, interruption, stepping, unfailed
from outlines_cont.decode.progress import ShownProgress, watched
from outlines_cont.decode.stream import Streamed
from outlines_cont.state.failed_row import Errors
from outlines_cont.state.state import SequenceState, as_before_failures, with_told_errors

T = TypeVar("T")

THREADS = 32  # steps of so many generations may be under way; the model's forwards run one at a time


async def async_finished(
    begin: Callable[[], Frontier], progress: ShownProgress = False
) -> tuple[SequenceState, list[Exception]]:
    """As `loop.finished`. begin: makes the frontier; that takes time, too."""
    frontier = await in_thread(begin)
    with watched(frontier, progress) as looked_at, stepping(frontier) as step:
        while not frontier.done:
            frontier = await _in_thread_from(frontier, step, lambda after: after)
            looked_at(frontier)
    return with_told_errors(frontier.state)


async def async_run(
    begin: Callable[[], Frontier], progress: ShownProgress = False, errors: Errors = "raise"
) -> SequenceState:
    """As `loop.run`."""
    return unfailed(*await async_finished(begin, progress), errors)


async def async_stream(
    begin: Callable[[], Frontier], progress: ShownProgress = False, errors: Errors = "raise"
) -> AsyncGenerator[Streamed, None]:
    """As `loop.stream`. Closed early (`aclose`), it makes no more steps, and keeps nothing."""
    frontier = await in_thread(begin)
    failures: list[Exception] = []
    with watched(frontier, progress or False) as looked_at, stepping(frontier) as step:
        while True:
            frontier, state, new = await _in_thread_from(frontier, partial(_stepped_and_flushed, step), itemgetter(0))
            looked_at(frontier)
            failures += new
            yield state
            if frontier.done:
                break
    try:
        unfailed(state, failures, errors)
    finally:
        del frontier, state, new, failures


def _stepped_and_flushed(
    step: Callable[[Frontier], Frontier], frontier: Frontier
) -> tuple[Frontier, Streamed, list[Exception]]:
    return flushed(frontier if frontier.done else step(frontier))


async def _in_thread_from(frontier: Frontier, step: Callable[[Frontier], T], after: Callable[[T], Frontier]) -> T:
    """A step in another thread. It is never cut in two: a cancellation, or an interruption, comes at its end.

    after: the frontier after the step, of what it gives.
    """
    work, made = _submitted(step, frontier)
    future = asyncio.wrap_future(work)
    future.add_done_callback(lambda future: future.cancelled() or future.exception())  # somebody has looked at it
    try:
        await asyncio.shield(future)
        return made.pop()
    except asyncio.CancelledError as error:
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
