"""`continuous()`: generators as functions from states to states; and chains of them, `a >> " text " >> b`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, zip_longest
from typing import Any, NoReturn, Unpack, overload

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.stage import Stage
from outlines_cont.decode.stream import Streamed
from outlines_cont.generate.beginning import AsyncCalls, Beginning
from outlines_cont.generate.call_options import Call, CallOptions, StopAt, span_name
from outlines_cont.generate.chain_position import onward, stands_in
from outlines_cont.generate.contexts import check_carried, with_contexts
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.option_words import Seam
from outlines_cont.generate.outlines_generators import generator_of, is_outlines_generator
from outlines_cont.generate.span_settings import only_drawn, only_watched
from outlines_cont.generate.starts import checked, started, warn_of_cuts
from outlines_cont.hints import Hinted, explained
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.state import SequenceState


class _Link(AsyncCalls, ProcessBoundValue, Hinted):
    """What can stand in a chain."""

    _instead = "make it in each process, of the model that is loaded there"

    def __rshift__(self, other: Step | Chain | str) -> Chain:
        return _joined(_chain(self), other)

    def __rrshift__(self, other: str) -> Chain:
        return _joined(other, _chain(self))

    def __add__(self, other: object) -> NoReturn:
        raise TypeError("steps and texts are put one after the other by >>: 'text' >> step, step >> step")

    __radd__ = __add__


@dataclass(frozen=True, eq=False)
class Step(_Link):
    """A function from a state, or prompts, to the state with one new span after every live row.

    `step >> " text " >> step` is a chain.

    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
    >>> str(city("The capital of France is "))
    'The capital of France is Paris'
    """

    generator: Generator[Any, Any]
    name: str | None = None
    seam: Seam = "keep"
    max_tokens: int | None = None
    stop_at: StopAt = None
    hooks: Sequence[Hook] = ()
    retries: int | None = None
    draft: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.generator, Generator):
            raise TypeError(
                f"continuous() takes a generator (oc.generate.text(model), …), not {type(self.generator).__name__}"
            )
        options: CallOptions = {"stop_at": self.stop_at, "seam": self.seam, "name": self.name, "hooks": self.hooks}
        if self.retries is not None:
            options["retries"] = self.retries
        if self.draft is not None:
            options["draft"] = self.draft
        call = Call.of("a step", self.max_tokens, options)
        self.generator.settings(replace(call, max_tokens=call.max_tokens or 0))  # says what does not fit
        object.__setattr__(self, "hooks", call.hooks)
        object.__setattr__(self, "draft", call.draft)

    def __call__(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Generate. A span that was cut short says so in `state.finished`.

        max_tokens: the most tokens of each row's new span; options: see `CallOptions`.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=2)
        >>> str(state), state.finished
        ('The sky is blue.', [['length']])
        """
        return self._calling(prompts, max_tokens, options).run()

    def stream(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Streamed]:
        """As a call, but gives all the states on the way, one for each step, with the text that became final:
        `partial.delta`.

        The last state is that of the call, or, with `resume=True`, that of `resume` for a state that was cut.
        options: see `CallOptions`.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> [partial.delta for partial in text.stream("The sky is", max_tokens=2)]
        [' blue', '.']
        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> cut = year("Mira came in ")[..., :-2]
        >>> str(cut), "".join(partial.delta for partial in year.stream(cut, resume=True))
        ('Mira came in 19', '60')
        """
        return self._streaming(prompts, max_tokens, options).stream()

    def begin(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Frontier:
        """The frontier from which a call, or with a horizon a stream, steps on; see docs/stepping.md.

        >>> f = oc.continuous(oc.generate.text(model, oc.samplers.greedy())).begin("The sky is", max_tokens=1)
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue'
        """
        call = self._call("begin()", max_tokens, options, without=["progress", "errors", "draft"])
        return self.generator.frontier(prompts, call)

    def resume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Continue the last span of this step's name in every row, from the constraint state that its tokens lead to.

        Rollback is slicing: `step.resume(s[..., :-5])` continues as if the last five tokens had never been drawn. Rows
        whose span ended in its stop come back unchanged. `max_tokens` is counted anew; a text still ends at the stop
        strings that it was made with. A beam search continues with all hypotheses of a state on the way, and warns if
        `max_tokens` has lost some; see docs/search.md.

        Text that was appended after the cut joins the span; ConstraintError if it does not fit. ValueError if a row has
        no such span. (One that was cut off exactly at its start begins anew; if more was cut off, call the step.)

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy()), name="year")
        >>> state = year("Mira came in ")
        >>> str(state), str(year.resume(state[..., :-2] + "8"))
        ('Mira came in 1960', 'Mira came in 1980')
        """
        return self._resuming(state, max_tokens, options).run()

    def _calling(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = self._call("a step", max_tokens, options, without=["horizon", "resume"])
        return Beginning(call, partial(self.generator.frontier, prompts, call))

    def _streaming(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = self._call("stream()", max_tokens, options)
        return Beginning(call, partial(self.generator.frontier, prompts, call))

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = self._call("resume()", max_tokens, options, without=["keys", "stop_at", "horizon", "resume"])
        call = replace(call, stop_at=None, seam="keep")
        return Beginning(call, partial(self.generator.resumption, state, call))

    def filled(self, call: Call) -> Call:
        """A call's options, with the step's own where the call says nothing.

        >>> from outlines_cont.generate.call_options import Call
        >>> step = oc.continuous(oc.generate.text(model), name="line", stop_at="\\n")
        >>> step.filled(Call(max_tokens=5)).stop_at
        '\\n'
        """
        return replace(
            call,
            max_tokens=self.max_tokens if call.max_tokens is None else call.max_tokens,
            stop_at=self.stop_at if call.stop_at is None else call.stop_at,
            name=self.name,
            seam=self.seam,
            hooks=(*self.hooks, *call.hooks),
            retries=self.retries if call.retries is None else call.retries,
            draft=self.draft if call.draft is None else call.draft,
        )

    def _call(self, called: str, max_tokens: int | None, options: CallOptions, without: Sequence[str] = ()) -> Call:
        return self.filled(Call.of(called, max_tokens, options, without=["name", "seam", *without]))

    def __repr__(self) -> str:
        return f"continuous({self.generator.constraint.kind}, {self.generator.sampler!r}, name={self.name!r})"


@dataclass(frozen=True, eq=False)
class Chain(_Link):
    """Steps and texts as one step: each row goes on to the next link as soon as it has ended one.

    Made by `a >> " text " >> b`. With one beam sampler the whole chain is one search: hypotheses in different links
    compete by their scores. Texts are not scored; two neighbouring texts are joined. Links with equal samplers run
    together; where the sampler changes, all rows wait for each other.

    If `max_tokens` cuts a constrained link short, the row ends there. After a text that was cut, the row goes on.

    Attributes:
        steps: n ≥ 1 of them.
        texts: n + 1 of them: before, between and after the steps; "" for no text.

    >>> greedy = oc.samplers.greedy()
    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], greedy), name="city")
    >>> chain = "The capital of France is " >> city >> ", and that of Italy is " >> city >> "."
    >>> str(chain("\\n"))
    '\\nThe capital of France is Paris, and that of Italy is Rome.'
    """

    steps: tuple[Step, ...]
    texts: tuple[str, ...]

    def __call__(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Generate.

        max_tokens: of each link's span, where its step says nothing else; options: see `CallOptions`.

        >>> greedy = oc.samplers.greedy()
        >>> word = oc.continuous(oc.generate.regex(model, "[a-z]+", greedy), name="word")
        >>> number = oc.continuous(oc.generate.regex(model, "[0-9]{1,2}", greedy), name="number")
        >>> state = ("a " >> word >> " of " >> number)("Once upon ")
        >>> state.captures["word"], len(state.spans[0][0])
        ([[['town']]], 5)
        """
        return self._calling(prompts, max_tokens, options).run()

    def stream(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Iterator[Streamed]:
        """As a call, but gives all the states on the way. Deltas include the texts between and after the links, but not
        the text before the first link. See `Step.stream`.

        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> [partial.delta for partial in ("The sky is " >> colour >> ".").stream("Look: ")]
        ['blue.']
        """
        return self._streaming(prompts, max_tokens, options).stream()

    def begin(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> Frontier:
        """The frontier from which a call, or with a horizon a stream, steps on; see docs/stepping.md.

        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> f = (colour >> "!").begin("The sky is ")
        >>> str(f.step(model.logits(f.pending)).state)
        'The sky is blue!'
        """
        return self._frontier(
            prompts, _call_of_chain("begin()", max_tokens, options, without=["progress", "errors", "draft"])
        )

    def resume(
        self, state: SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Continue each row from the place in this chain where it was cut, as if the later tokens had never been drawn.

        Rows that have the whole chain come back unchanged. ValueError if a row does not end in this chain.

        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"], oc.samplers.greedy()))
        >>> chain = colour >> " and " >> colour
        >>> state = chain("The sky is ")
        >>> str(state[..., :-1]), str(chain.resume(state[..., :-1]))
        ('The sky is blue and ', 'The sky is blue and red')
        """
        return self._resuming(state, max_tokens, options).run()

    def _calling(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = _call_of_chain("a chain", max_tokens, options, without=["horizon", "resume"])
        return Beginning(call, partial(self._frontier, prompts, call))

    def _streaming(self, prompts: Prompts | SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = _call_of_chain("stream()", max_tokens, options)
        return Beginning(call, partial(self._frontier, prompts, call))

    def _resuming(self, state: SequenceState, max_tokens: int | None, options: CallOptions) -> Beginning:
        call = _call_of_chain("resume()", max_tokens, options, without=["keys", "horizon", "resume"])
        return Beginning(call, partial(self._resumption, state, call))

    def _resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        if call.proposal is not None or call.beside:
            raise ValueError(
                "a chain that goes on takes no beside= and no proposal= (but beside=[] for none): nobody can tell from "
                "where on the contexts share the tokens of each row. The state has those that it was made with"
            )
        state = checked(state, self.steps[0].generator.model)
        check_carried(state, call)
        state = with_contexts(state, call, ())
        return Frontier.begin(state, self._stages(call), seeded(call.seed))

    def _frontier(self, prompts: Prompts | SequenceState, call: Call) -> Frontier:
        if call.resume:
            return self._resumption(prompts, call)
        state = started(self.steps[0].generator.model, prompts, call.keys)
        state = with_contexts(state, call, [step.generator.sampler for step in self.steps])
        first, *later = self._stages(call)
        warn_of_cuts(state, [step.generator.settings(step.filled(call)) for step in self.steps])
        first = first._replace(start=partial(Hypothesis.begin, first.settings), stands_here=None)
        return Frontier.begin(state + self.texts[0], [first, *later], seeded(call.seed))

    def link_calls(self, call: Call) -> list[Call]:
        """The options of each link in a call of the chain: what a step says for itself goes before what the call says.

        >>> from outlines_cont.generate.call_options import Call
        >>> text = oc.generate.text(model)
        >>> chain = oc.continuous(text, max_tokens=3) >> oc.continuous(text)
        >>> [link.max_tokens for link in chain.link_calls(Call(max_tokens=5))]
        [3, 5]
        """
        return [
            step.filled(
                replace(
                    call,
                    max_tokens=call.max_tokens if step.max_tokens is None else step.max_tokens,
                    retries=call.retries if step.retries is None else step.retries,
                    draft=call.draft if step.draft is None else step.draft,
                )
            )
            for step in self.steps
        ]

    def _stages(self, call: Call) -> list[Stage]:
        """A stage for each run of links that have equal samplers. Each row goes on from where it stands."""
        links: list[SpanSettings] = []
        for link, (step, link_call) in enumerate(zip(self.steps, self.link_calls(call), strict=True)):
            settings = step.generator.settings(link_call)
            links.append(replace(settings, link=link).followed_by(self.texts[link + 1]))
        samplers = [step.generator.sampler for step in self.steps]
        for i, sampler in enumerate(samplers):
            if sampler.weighs_draws:
                only_watched(sampler, [hook for link in links[:i] for hook in link.hooks])
                only_drawn(sampler, samplers[:i])
        borders = [0, *(i + 1 for i, (a, b) in enumerate(pairwise(samplers)) if a != b), len(links)]
        stages = [range(begin, end) for begin, end in pairwise(borders)]
        links = _in_stages(links, stages)
        return [
            Stage(
                samplers[stage[0]],
                links[stage[0]],
                partial(onward, links, stage, call.resume),
                partial(stands_in, links, stage),
            )
            for stage in stages
        ]

    def __repr__(self) -> str:
        links = chain.from_iterable(zip_longest(self.texts, self.steps))
        return " >> ".join(repr(link) for link in links if link)


def _in_stages(links: Sequence[SpanSettings], stages: Sequence[range]) -> list[SpanSettings]:
    """The links of a chain, each of which knows where its stage begins, and the next one of its stage."""
    joined = list(links)
    for stage in stages:
        following = None
        for link in reversed(stage):
            following = joined[link] = replace(joined[link], first_link=stage.start, next=following)
    return joined


def _call_of_chain(called: str, max_tokens: int | None, options: CallOptions, without: Sequence[str] = ()) -> Call:
    return Call.of(called, max_tokens, options, without=["stop_at", "name", "seam", *without])


def _chain(link: object) -> Chain:
    if isinstance(link, Chain):
        return link
    assert isinstance(link, Step)
    return Chain((link,), ("", ""))


def _joined(left: object, right: object) -> Chain:
    """left >> right, at least one of which is a chain."""
    for side in (left, right):
        if isinstance(side, Generator):
            raise TypeError(f"a chain is made of steps and texts: continuous({side!r}) makes a step")
        if not isinstance(side, (Step, Chain, str)):
            hint = "; a chain is called with a state: (a >> b)(state)" if isinstance(side, SequenceState) else ""
            if isinstance(side, type):
                hint = f": continuous(Generator(model, {side.__name__})) makes a step"
            raise TypeError(f"a chain is made of steps and texts, not {type(side).__name__}{hint}")
    if isinstance(left, str):
        chain = _chain(right)
        return replace(chain, texts=(left + chain.texts[0], *chain.texts[1:]))
    chain = _chain(left)
    if isinstance(right, str):
        return replace(chain, texts=(*chain.texts[:-1], chain.texts[-1] + right))
    other = _chain(right)
    models = [link.steps[0].generator.model for link in (chain, other)]
    if models[0] is not models[1]:
        raise ValueError(
            f"the links of a chain have one model, not two: {models[0]!r}, and another {models[1]!r}. Make all "
            "generators of one Model"
        )
    between = chain.texts[-1] + other.texts[0]
    return Chain(chain.steps + other.steps, (*chain.texts[:-1], between, *other.texts[1:]))


@overload
def continuous(
    generator: Generator[Any, Any],
    name: str | None = None,
    seam: Seam = "keep",
    *,
    max_tokens: int | None = None,
    stop_at: StopAt = None,
    hooks: Sequence[Hook] = (),
    retries: int | None = None,
    draft: Any = None,
) -> Step: ...


@overload
def continuous(generator: Chain, name: str | None = None) -> Chain: ...


@explained
def continuous(
    generator: Generator[Any, Any] | Chain,
    name: str | None = None,
    seam: Seam = "keep",
    *,
    max_tokens: int | None = None,
    stop_at: StopAt = None,
    hooks: Sequence[Hook] = (),
    retries: int | None = None,
    draft: Any = None,
) -> Step | Chain:
    """Make a step from a generator. The values of a named step are in `state.captures[name]`.

    seam: "keep" the tokens of the text before a span, or "heal" them: the last tokens (at most four, none that was
    generated) are taken back if a longer token could begin with them. The span then begins with their bytes, so that
    the model may choose a token that crosses the seam. These bytes belong to no capture. The law is that of the
    language "these bytes, followed by a text that the generator allows", token by token.
    max_tokens, stop_at, retries, draft: the defaults for calls, and for chains, that do not give them.
    hooks: they are called for every draw of this step, before those of a call.

    A chain with a name is the same chain with its name before those of its steps: `captures["hero.city"]`. A generator
    of Outlines becomes a step with its model and its output type, if it wraps a transformers model.

    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
    >>> state = city("The capital of Italy is ")
    >>> str(state), state.captures["city"]
    ('The capital of Italy is Rome', [[['Rome']]])
    """
    span_name(name)
    if is_outlines_generator(generator):
        generator = generator_of(generator)
    if isinstance(generator, Chain):
        if seam != "keep" or hooks or any(each is not None for each in (max_tokens, stop_at, retries, draft)):
            raise ValueError(
                "seam, max_tokens, stop_at, hooks, retries and draft belong to the steps of a chain, not to the chain"
            )
        steps = [replace(s, name=f"{name}.{s.name}" if name and s.name else s.name) for s in generator.steps]
        return replace(generator, steps=tuple(steps))
    return Step(generator, name, seam, max_tokens, stop_at, hooks, retries, draft)
