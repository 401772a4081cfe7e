"""`continuous()`: generators as functions from states to states; and chains of them, `a >> " text " >> b`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeAlias, Unpack, cast, overload

from outlines_cont.arguments import BRIEF, shown, takes_one
from outlines_cont.decode.combined import frontier_kind
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.loop import async_run, run
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.explained import explained
from outlines_cont.generate.call_options import (
    Call,
    CallOptions,
    Hooks,
    Seam,
    StopAt,
    checked_hooks,
    limited,
    span_name,
)
from outlines_cont.generate.calls import Calls
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.links import ChainLinks
from outlines_cont.generate.links import Part as LinkedPart
from outlines_cont.generate.starts import (
    check_carried,
    checked,
    only_drawn,
    only_watched,
    started,
    warn_of_cuts,
    with_contexts,
)
from outlines_cont.schemas.outlines_terms import is_outlines_generator
from outlines_cont.state.model import Model
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState

if TYPE_CHECKING:
    from outlines_cont.ways import Ways

#: A function in a chain: of a one-row state it gives a text, a step, a chain, or None, where the row ends.
Function = Callable[[SequenceState], "str | Composition | None"]
Part: TypeAlias = "Step | str | Function | Ways"


class Composition(Calls):
    """A function from states to states: steps, texts and functions, one after the other. A step is one of them."""

    parts: tuple[Part, ...]  # the steps, texts, functions and ways, in order; no text comes after a text

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in order, those of all ways, too.

        >>> colour = oc.continuous(oc.generate.choice(model, ["blue", "red"]), name="colour")
        >>> [step.name for step in (colour >> " and " >> colour).steps]
        ['colour', 'colour']
        """
        from outlines_cont.ways import inner_parts

        return tuple(part for part in inner_parts(self.parts) if isinstance(part, Step))

    @property
    def model(self) -> LanguageModel:
        """The model of all its generators.

        >>> oc.continuous(oc.generate.text(model)).model is model
        True
        """
        return self.steps[0].generator.model

    def __rshift__(self, other: Part | Chain) -> Chain:
        return _joined(self, other)

    def __rrshift__(self, other: str | Function) -> Chain:
        return _joined(other, self)

    def __or__(self, other: str | Composition) -> Chain:
        return _either(self, other)

    def __ror__(self, other: str) -> Chain:
        return _either(other, self)

    def repeat(self, at_most: int | None = None, *, at_least: int = 0) -> Chain:
        """It as often as the model wants: `(a | b).repeat()` takes either in each turn. See docs/search.md.

        at_most: None for any number, as long as the context has room; at_least: so many turns are not decided.

        >>> word = oc.continuous(oc.generate.regex(model, " [a-z]+", oc.samplers.greedy()), name="word")
        >>> (word.repeat(3) >> ".")("Mira is").captures["word"]
        [[[' a', ' friend', ' of']]]
        """
        from outlines_cont.ways import repeated

        return Chain((repeated(self.parts, at_most, at_least),))

    def __add__(self, other: object) -> NoReturn:
        raise TypeError("steps and texts are put one after the other by >>: 'text' >> step, step >> step")

    __radd__ = __add__

    def __call__(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """Generate. A span that was cut short says so in `state.finished`.

        max_tokens: the most tokens of each row's new span, of each link's in a chain; options: see `CallOptions`.

        >>> greedy = oc.samplers.greedy()
        >>> text = oc.continuous(oc.generate.text(model, greedy))
        >>> state = text("The sky is", max_tokens=2)
        >>> str(state), state.finished
        ('The sky is blue.', [['length']])
        >>> word = oc.continuous(oc.generate.regex(model, "[a-z]+", greedy), name="word")
        >>> number = oc.continuous(oc.generate.regex(model, "[0-9]{1,2}", greedy), name="number")
        >>> state = ("a " >> word >> " of " >> number)("Once upon ")
        >>> state.captures["word"], len(state.spans[0][0])
        ([[['town']]], 5)
        """
        return run(*self._calling(prompts, max_tokens, options))

    async def acall(
        self, prompts: Prompts | SequenceState, max_tokens: int | None = None, **options: Unpack[CallOptions]
    ) -> SequenceState:
        """A call for `await`: the event loop stays free while a step is computed, and several tasks take turns.

        A task that is cancelled stops at the end of its step; the `CancelledError` has the state, `error.state`.

        >>> import asyncio
        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> print(asyncio.run(text.acall("The sky is", max_tokens=2)))
        The sky is blue.
        """
        return await async_run(*self._calling(prompts, max_tokens, options))

    def link_calls(self, call: Call) -> list[Call]:
        """The options of each step in a call: in a chain, what a step says for itself goes before what the call says.

        >>> from outlines_cont.generate.call_options import Call
        >>> text = oc.generate.text(model)
        >>> chain = oc.continuous(text, max_tokens=3) >> oc.continuous(text)
        >>> [link.max_tokens for link in chain.link_calls(Call(max_tokens=5))]
        [3, 5]
        """
        calls = []
        for step in self.steps:
            given = {name: value for name in ("max_tokens", "draft") if (value := getattr(step, name)) is not None}
            hooks = limited(call.hooks.functions, call.hooks, step.hooks)
            calls.append(step.filled(replace(call, **given, hooks=hooks)))
        return calls

    def _frontier(self, prompts: Prompts | SequenceState, call: Call) -> Frontier:
        if call.resume:
            return self._resumption(prompts, call)
        state = started(self.model, prompts, call.keys)
        state = with_contexts(state, call, [step.generator.sampler for step in self.steps])
        links = self._links(call)
        warn_of_cuts(state, [part for part, _ in links.parts if isinstance(part, SpanSettings)])
        if isinstance(text := links.parts[0].part, str):
            state = state + text
        return frontier_kind(state).begin(state, links.first, links.begins())

    def _resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        if call.beside:
            raise ValueError(
                "a chain that goes on takes no beside= (but beside=[] for none): nobody can tell from where on the "
                "contexts share the tokens of each row. The state has those that it was made with"
            )
        state = checked(state, self.model)
        check_carried(state, call)
        state, links = with_contexts(state, call, ()), self._links(call)
        place = partial(links.stands, call.resume)
        return frontier_kind(state).begin(state, links.first, place, goes_on=True)

    def _links(self, call: Call) -> ChainLinks:
        """What this writes in a call."""
        from outlines_cont.ways import expanded, mapped

        calls, before = iter(self.link_calls(call)), list[SpanSettings]()

        def linked(part: Part) -> LinkedPart:
            if not isinstance(part, Step):
                return part if isinstance(part, str) else partial(self._asked, cast("Function", part), call)
            sampler = part.generator.sampler
            if sampler.weighs_draws:
                only_watched(sampler, [hook for link in before for hook in link.inspection.hooks])
                only_drawn(sampler, [link.sampler for link in before])
            before.append(part.generator.settings(next(calls)))
            return before[-1]

        return ChainLinks.of(expanded(mapped(self.parts, linked)))

    def _asked(self, function: Function, call: Call, row: Row) -> Sequence[LinkedPart] | None:
        """What a row goes on with, as one of its functions says. TypeError or ValueError for an answer that is none."""
        answer = function(SequenceState(self.model, [[row]], 1))
        if answer is None:
            return None
        if isinstance(answer, str):
            return [answer] if answer else []
        if not isinstance(answer, Composition):
            hint = f": continuous({answer!r}) makes a step" if isinstance(answer, Generator) else ""
            raise TypeError(
                f"{shown(function)} gave {shown(answer)}: a function in a chain gives a text, a step, a chain, or "
                f"None, where the row ends{hint}"
            )
        _check_one_model(self, answer)
        return [part for part, _ in Chain(answer.parts)._links(call).parts]  # a step, too, is a link here


@dataclass(frozen=True, eq=False)
class Step(Composition):
    """A function from a state, or prompts, to the state with one new span after every live row.

    `step >> " text " >> step` is a chain.

    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
    >>> str(city("The capital of France is "))
    'The capital of France is Paris'
    """

    generator: Generator[Any, Any]
    name: str | None = None
    seam: Seam | None = None
    max_tokens: int | None = None
    stop_at: StopAt = None
    hooks: Hooks = field(default_factory=Hooks)
    draft: Any = None

    _called: ClassVar = "a step"
    _of_links: ClassVar = ("name", "seam")

    def __post_init__(self) -> None:
        if not isinstance(self.generator, Generator):
            raise TypeError(
                f"continuous() takes a generator (oc.generate.text(model), …), not {type(self.generator).__name__}"
            )
        named = {name: getattr(self, name) for name in ("stop_at", "name", "hooks", "seam", "draft")}
        options = cast("CallOptions", {name: value for name, value in named.items() if value is not None})
        call = Call.of("a step", self.max_tokens, options)
        self.generator.settings(replace(call, max_tokens=call.max_tokens or 0))  # says what does not fit
        object.__setattr__(self, "hooks", call.hooks)
        object.__setattr__(self, "draft", call.draft)

    @property
    def parts(self) -> tuple[Part, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Itself.

        >>> step = oc.continuous(oc.generate.text(model))
        >>> step.parts == (step,)
        True
        """
        return (self,)

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
            hooks=limited((*self.hooks.functions, *call.hooks.functions), self.hooks, call.hooks),
            draft=self.draft if call.draft is None else call.draft,
        )

    def link_calls(self, call: Call) -> list[Call]:
        """The options of its call.

        >>> from outlines_cont.generate.call_options import Call
        >>> [link.max_tokens for link in oc.continuous(oc.generate.text(model), max_tokens=3).link_calls(Call())]
        [3]
        """
        return [self.filled(call)]

    def _resumption(self, state: Prompts | SequenceState, call: Call) -> Frontier:
        [call] = self.link_calls(call)
        return self.generator._resumption(state, replace(call, stop_at=None, seam=None))

    def __repr__(self) -> str:
        return f"continuous({self.generator.constraint.kind}, {self.generator.sampler!r}, name={self.name!r})"


@dataclass(frozen=True, eq=False)
class Chain(Composition):
    """Steps, texts and functions as one step: `(a >> " text " >> b)(state)` is `b(a(state) + " text ")`.

    With equal options and seed the rows, captures, weights and log-probabilities are those of the steps, under every
    sampler. Rows that are drawn one by one cross to the next link as soon as they have ended one. Rows that are
    compared (beams, particles) wait for those of their own prompt. Texts are not scored; two neighbouring texts are
    joined.

    A function of a one-row state gives what the row goes on with: a text, a step, a chain, or None, where the row ends.
    It is called once for each row that comes to it, and must be pure. An error in it ends that row alone.

    If `max_tokens` or the context cuts a constrained link short, the row ends there, where a step would begin a new
    value. After a text that was cut, the row goes on.

    >>> greedy = oc.samplers.greedy()
    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], greedy), name="city")
    >>> chain = "The capital of France is " >> city >> ", and that of Italy is " >> city >> "."
    >>> str(chain("\\n"))
    '\\nThe capital of France is Paris, and that of Italy is Rome.'
    """

    parts: tuple[Part, ...]

    _called: ClassVar = "a chain"
    _of_links: ClassVar = ("stop_at", "name", "seam")

    def __repr__(self) -> str:
        return " >> ".join(repr(part) if isinstance(part, Step) else shown(part, BRIEF) for part in self.parts)


def _joined(left: object, right: object) -> Chain:
    """left >> right, at least one of which is a step or a chain."""
    parts: list[Part] = []
    for part in (*_parts(left), *_parts(right)):
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            part = cast(str, parts.pop()) + part
        if part != "":
            parts.append(part)
    if isinstance(left, Composition) and isinstance(right, Composition):
        _check_one_model(left, right)
    return Chain(tuple(parts))


def _either(left: object, right: object) -> Chain:
    """left | right, at least one of which is a step or a chain."""
    from outlines_cont.ways import either

    if isinstance(left, Composition) and isinstance(right, Composition):
        _check_one_model(left, right)
    return Chain((either(_parts(left), _parts(right)),))


def _parts(side: object) -> tuple[Part, ...]:
    """The parts of one side of >>. TypeError for what cannot stand in a chain."""
    if isinstance(side, Composition):
        return side.parts
    if isinstance(side, str):
        return (side,)
    of = "a chain is made of steps, texts and functions"
    if isinstance(side, Generator):
        raise TypeError(f"{of}: continuous({side!r}) makes a step")
    if isinstance(side, SequenceState):
        raise TypeError(f"{of}, not SequenceState; a chain is called with a state: (a >> b)(state)")
    if isinstance(side, type):
        raise TypeError(f"{of}, not type: continuous(Generator(model, {side.__name__})) makes a step")
    if not callable(side) or isinstance(side, Model):
        raise TypeError(f"{of}, not {type(side).__name__}")
    if not takes_one(side):
        raise TypeError(f"{of}: {shown(side)} is no function of one argument, a state of one row")
    return (cast("Function", side),)


def _check_one_model(one: Composition, other: Composition) -> None:
    if one.model is not other.model:
        raise ValueError(
            f"the links of a chain have one model, not two: {one.model!r}, and another {other.model!r}. Make all "
            "generators of one Model"
        )


@overload
def continuous(
    generator: Generator[Any, Any],
    name: str | None = None,
    seam: Seam | None = None,
    *,
    max_tokens: int | None = None,
    stop_at: StopAt = None,
    hooks: Sequence[Hook] | Hooks = (),
    draft: Any = None,
) -> Step: ...


@overload
def continuous(generator: Chain, name: str | None = None) -> Chain: ...


@explained
def continuous(
    generator: Generator[Any, Any] | Chain,
    name: str | None = None,
    seam: Seam | None = None,
    *,
    max_tokens: int | None = None,
    stop_at: StopAt = None,
    hooks: Sequence[Hook] | Hooks = (),
    draft: Any = None,
) -> Step | Chain:
    """Make a step from a generator. The values of a named step are in `state.captures[name]`.

    seam: what becomes of the last tokens of the text before a span (at most four). "auto", the default of generators:
    they are taken back if they are white space with which a token of the value may begin, or if the tokenizer merges
    them with whatever the value may begin with. "heal": they are taken back if any longer token could begin with
    them. "keep": never. "auto" keeps what contexts beside a row do not have, and what stands before a guide of your own
    without `__radd__`; with "heal" both are errors. The span then begins with their bytes, so that the model may choose
    a token that crosses the seam. These bytes belong to no capture, and the state that the text came from does not
    change. The law is that of the language "these bytes, followed by a text that the generator allows", token by token.
    max_tokens, stop_at, draft: the defaults for calls, and for chains, that do not give them.
    hooks: they are called for every draw of this step, before those of a call; see `oc.steer.Hooks`.

    A chain with a name is the same chain with its name before those of its steps: `captures["hero.city"]`. A generator
    of Outlines becomes a step with its model and its output type, if it wraps a transformers model.

    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
    >>> state = city("The capital of Italy is ")
    >>> str(state), state.captures["city"]
    ('The capital of Italy is Rome', [[['Rome']]])
    """
    span_name(name)
    if is_outlines_generator(generator):
        from outlines_cont.integrations.outlines import generator_of

        generator = generator_of(generator)
    if isinstance(generator, Chain):
        if hooks or any(each is not None for each in (seam, max_tokens, stop_at, draft)):
            raise ValueError(
                "seam, max_tokens, stop_at, hooks and draft belong to the steps of a chain, not to the chain"
            )

        from outlines_cont.ways import mapped

        def named(part: Part) -> Part:
            inner = part.name if isinstance(part, Step) and name else None
            return replace(cast(Step, part), name=f"{name}.{inner}") if inner else part

        return Chain(tuple(mapped(generator.parts, named)))
    return Step(generator, name, seam, max_tokens, stop_at, checked_hooks(hooks), draft)
