"""A call that has been checked and not begun: what runs it, here or in asyncio."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from typing import NamedTuple, Unpack

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.loop import async_run, async_stream, run, stream
from outlines_cont.decode.progress import Streamed
from outlines_cont.generate.call_options import Call, CallOptions
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState


class Beginning(NamedTuple):
    """The options of a call, and what makes its frontier."""

    call: Call
    begin: Callable[[], Frontier]

    def run(self) -> SequenceState:
        """The state at the end."""
        return run(self.begin, self.call.progress, self.call.errors)

    def stream(self) -> Iterator[Streamed]:
        """The states on the way."""
        return stream(self.begin(), self.call.progress, self.call.errors)

    async def async_run(self) -> SequenceState:
        """The state at the end. The event loop stays free."""
        return await async_run(self.begin, self.call.progress, self.call.errors)

    def async_stream(self) -> AsyncGenerator[Streamed, None]:
        """The states on the way. The event loop stays free."""
        return async_stream(self.begin, self.call.progress, self.call.errors)


class AsyncStreams:
    """Streams and resumptions for asyncio, of what has them without. See docs/batches.md."""

    def _calling(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        raise NotImplementedError

    def _streaming(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        raise NotImplementedError

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        raise NotImplementedError

    def astream(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> AsyncGenerator[Streamed, None]:
        """As `stream`, for `async for`: the event loop stays free while a step is made.

        Closed early (`aclose()`, `contextlib.aclosing`), it makes no more steps, and its keys and values are freed.

        >>> import asyncio
        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> async def deltas():
        ...     return [partial.delta async for partial in text.astream("The sky is", max_tokens=2)]
        >>> asyncio.run(deltas())
        [' blue', '.']
        """
        return self._streaming(prompts, max_tokens, options).async_stream()

    async def aresume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """As `resume`, for `await`: the event loop stays free while a step is made.

        >>> import asyncio
        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()))
        >>> state = year("Mira came in ", max_tokens=2)
        >>> asyncio.run(year.aresume(state)) == year.resume(state)
        True
        """
        return await self._resuming(state, max_tokens, options).async_run()


class AsyncCalls(AsyncStreams):
    """Calls for asyncio, of what gives states."""

    async def acall(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """As a call, for `await`: the event loop stays free while a step is computed, and several tasks take turns.

        A task that is cancelled stops at the end of its step; the `CancelledError` has the state, `error.state`.

        >>> import asyncio
        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> print(asyncio.run(text.acall("The sky is", max_tokens=2)))
        The sky is blue.
        """
        return await self._calling(prompts, max_tokens, options).async_run()
