"""What generators, steps and chains have in common: how a call of one begins, and what runs it, here or in asyncio."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Unpack

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.loop import async_run, async_stream, run, stream
from outlines_cont.decode.progress import ShownProgress, Streamed
from outlines_cont.generate.call_options import Call, CallOptions
from outlines_cont.hints import Hinted
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.failed_row import Errors
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState

#: What makes the frontier of a call, and its `progress` and `errors`.
Begun = tuple[Callable[[], Frontier], ShownProgress, Errors]


class Calls(ProcessBoundValue, Hinted):
    """What writes spans after prompts, or after the rows of a state. Each method takes the same options."""

    _instead = "make it in each process, of the model that is loaded there"
    _called: ClassVar[str]
    _of_links: ClassVar[tuple[str, ...]] = ()  # options that belong to the links, and not to a call

    def _frontier(self, prompts: Prompts | SequenceState, call: Call) -> Frontier:
        raise NotImplementedError

    def _resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        """The frontier from which `resume` steps on."""
        raise NotImplementedError

    def stream(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Streamed]:
        """The states on the way, one for each step, with the text that became final: `partial.delta`.

        The last state is that at the end, or, with `resume=True`, that of `resume` for a state that was cut. Deltas of
        a chain include the texts between and after the links, but not the text before the first link.
        options: see `CallOptions`.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> [partial.delta for partial in text.stream("The sky is", max_tokens=2)]
        [' blue', '.']
        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> [partial.delta for partial in ("The sky is " >> colour >> ".").stream("Look: ")]
        ['blue.']
        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> cut = year("Mira came in ")[..., :-2]
        >>> str(cut), "".join(partial.delta for partial in year.stream(cut, resume=True))
        ('Mira came in 19', '60')
        """
        begin, *shown = self._streaming(prompts, max_tokens, options)
        return stream(begin(), *shown)

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
        return async_stream(*self._streaming(prompts, max_tokens, options))

    def begin(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Frontier:
        """The frontier from which a call, or with a horizon a stream, steps on; see docs/stepping.md.

        >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=1)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        without = ["progress", "errors", "draft"]
        return self._frontier(prompts, self._call("begin()", max_tokens, options, without))

    def resume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Continue each row from where it was cut, as if the later tokens had never been drawn.

        A generator, or a step, continues the last span of its name in every row, from the constraint state that its
        tokens lead to. A chain continues each row in the link in which it stands; rows that have the whole chain come
        back unchanged.

        Rollback is slicing: `step.resume(s[..., :-5])` continues as if the last five tokens had never been drawn. Rows
        whose span ended in its stop come back unchanged. `max_tokens` is counted anew; a text still ends at the stop
        strings that it was made with. A beam search continues with all hypotheses of a state on the way, and warns if
        `max_tokens` has lost some; see docs/search.md.

        Text that was appended after the cut joins the span; ConstraintError if it does not fit. A span that was cut off
        exactly at its start begins anew, with the same draws. ValueError if a row has no such span (more was cut off:
        call the step), or does not end in this chain.

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> state = year("Mira came in ")
        >>> str(state), str(year.resume(state[..., :-2] + "8"))
        ('Mira came in 1960', 'Mira came in 1980')
        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> chain = colour >> " and " >> colour
        >>> state = chain("The sky is ")
        >>> str(state[..., :-1]), str(chain.resume(state[..., :-1]))
        ('The sky is blue and ', 'The sky is blue and red')
        """
        return run(*self._resuming(state, max_tokens, options))

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
        return await async_run(*self._resuming(state, max_tokens, options))

    def _calling(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Begun:
        call = self._call(self._called, max_tokens, options, ["horizon", "resume"])
        return _begun(self._frontier, prompts, call)

    def _streaming(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Begun:
        return _begun(self._frontier, prompts, self._call("stream()", max_tokens, options))

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Begun:
        call = self._call("resume()", max_tokens, options, ["keys", "stop_at", "seam", "horizon", "resume"])
        return _begun(self._resumption, state, call)

    def _call(self, called: str, max_tokens: int | None, options: CallOptions, without: Sequence[str] = ()) -> Call:
        return Call.of(called, max_tokens, options, without=[*self._of_links, *without])


def _begun(begin: Callable[[Any, Call], Frontier], prompts: Prompts | SequenceState, call: Call) -> Begun:
    return partial(begin, prompts, call), call.progress, call.errors
