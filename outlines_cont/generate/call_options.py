"""What a call may be given: one signature for generators, steps and chains, plain calls, streams and resuming."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal, TypedDict, cast

from outlines_cont.arguments import flag, half_character, is_number, is_whole, shown, takes_one, whole_number, word
from outlines_cont.decode.canonical import Forced, Seam
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.where import WhereFunction
from outlines_cont.explained import explained, explained_class, unknown_argument
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import Normalization
from outlines_cont.state.failed_row import Errors
from outlines_cont.state.prompts import Keys, Prompts, checked_keys, listed
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import ShownProgress, checked_progress

# --- the words that options take, as types for editors. What each one means stands where it is an option

Stop = Literal["elsewhere", "eos"]
By = Literal["token", "sequence"]
Order = Literal["schema", "any"]
Extra = Literal["forbid", "schema"]
FormatCheck = Literal["assert", "annotate"]
SpellingOption = Literal["plain", "any"]
Syntax = Literal["lark", "gbnf"]
Pace = Literal["branch", "token"]
#: Or a pattern of JSON whitespace.
Whitespace = Literal["compact", "flexible"] | str


class GeneratorOptions(TypedDict, total=False):
    """What every maker of generators but `control` takes; see `Generator`."""

    stop: Stop
    forced: Forced | None
    where: WhereFunction | None
    whole: bool


class SeamedOptions(GeneratorOptions, total=False):
    """The options of `Generator` itself."""

    seam: Seam


class ChoiceOptions(GeneratorOptions, total=False):
    """See `oc.generate.choice`."""

    by: By
    normalize: Normalization


class FormatOptions(GeneratorOptions, total=False):
    """See `oc.generate.format`."""

    spelling: SpellingOption


class SchemaOptions(TypedDict, total=False):
    """How JSON is written; see `oc.generate.json`."""

    whitespace: Whitespace
    order: Order
    extra: Extra
    format: FormatCheck
    spelling: SpellingOption


class JsonOptions(GeneratorOptions, SchemaOptions, total=False):
    """See `oc.generate.json`."""


# --- options that belong together, each group as a value

RETRIES = 100  # where nobody says how many
MOST_ALTERNATIVES = 20  # of one position
MOST_WEIGHT = 1e30  # float32 holds what log-probabilities times this come to


def _count(value: Any, name: str, most: int | None = None) -> int:
    right = "an int ≥ 0" if most is None else f"an int from 0 to {most}"
    if (value := whole_number(value, name, right)) < 0 or (most is not None and value > most):
        raise ValueError(f"{name}={value}: it must be {right}")
    return value


@dataclass(frozen=True, init=False)
class Hooks:
    """Functions that are asked about every draw, in order, with limits to how often and how far rows are sent back.

    `hooks=[f, g]` is short for `hooks=oc.steer.Hooks(f, g)`. The limits hold for controllers, too, with or without
    functions beside them: `hooks=oc.steer.Hooks(retries=3)`. The hooks of a step come before those of its call, whose
    limits go before the step's; in a chain, each step's own limits go before those of the call.

    Attributes:
        functions: of a draw (`oc.steer.Draw`); see docs/stepping.md for their answers.
        retries: how often hooks or a controller may send a row back before it grows again; then `HookLimit` is raised.
            None: 100.
        horizon: how many of a row's last tokens hooks and controllers may take back; `HookLimit` if they go further. A
            stream holds back as many tokens. None: all tokens of the span.

    >>> def never(draw):
    ...     return oc.steer.Resample(ban=[])
    >>> text = oc.generate.text(model, oc.samplers.greedy())
    >>> text("The sky is", hooks=oc.steer.Hooks(never, retries=3))
    Traceback (most recent call last):
        ...
    outlines_cont.state.errors.HookLimit: a row was sent back, or given branches that add nothing, 3 times ...
    """

    functions: tuple[Hook, ...]
    retries: int | None = None
    horizon: int | None = None

    @explained
    def __init__(self, *functions: Hook, retries: int | None = None, horizon: int | None = None) -> None:
        if wrong := [hook for hook in functions if not callable(hook) or not takes_one(hook)]:
            right = f"a hook is a function of one argument, a Draw, and not {shown(wrong[0])}"
            raise TypeError(f"hooks={shown(list(functions))}: {right}")
        for name, limit in (("retries", retries), ("horizon", horizon)):
            vars(self)[name] = limit if limit is None else _count(limit, name)
        vars(self).update(functions=functions)


def limited(functions: Sequence[Hook], first: Hooks, last: Hooks) -> Hooks:
    """Functions, under the limits of the last of these hooks that says any."""
    retries = first.retries if last.retries is None else last.retries
    horizon = first.horizon if last.horizon is None else last.horizon
    return Hooks(*functions, retries=retries, horizon=horizon)


@explained_class
@dataclass(frozen=True)
class Keep:
    """What a state keeps of each draw beside the token: `keep=oc.Keep(candidates=3, alternatives=5)`.

    Attributes:
        candidates: how many of the likeliest candidates of each draw are kept, under the law that was drawn from, for
            `state.kept.candidates`. A choice by sequence draws no token, and has none.
        alternatives: how many of the model's likeliest tokens are kept at each generated position, for
            `state.kept.alternatives` and for pictures: at most 20. They are those before the constraint, each with
            whether the constraint allowed it.
        entropies: whether the entropy of the law of each draw is kept, for `state.kept.entropies`.

    Of a choice by sequence nothing is kept.

    >>> colour = oc.continuous(oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy()))
    >>> state = colour("The sky is", keep=oc.Keep(candidates=2))
    >>> [(each.bytes, round(each.proposal_logprob, 2)) for each in state.kept.candidates[0][0][-1]]
    [(b' blue', -0.13), (b' ', -2.47)]
    """

    candidates: int = 0
    alternatives: int = 0
    entropies: bool = False

    def __post_init__(self) -> None:
        flag(self.entropies, "entropies")
        object.__setattr__(self, "candidates", _count(self.candidates, "candidates"))
        object.__setattr__(self, "alternatives", _count(self.alternatives, "alternatives", MOST_ALTERNATIVES))


def checked_hooks(hooks: Any) -> Hooks:
    """What is given as `hooks=`. TypeError for anything but a list of functions, or hooks with their limits."""
    if not isinstance(hooks, (Hooks, list, tuple)):
        raise TypeError(f"hooks={shown(hooks)}: it takes a list of functions, or oc.steer.Hooks(f, g, retries=…)")
    return hooks if isinstance(hooks, Hooks) else Hooks(*hooks)


def checked_keep(keep: Any) -> Keep:
    """What is given as `keep=`. TypeError for anything but a `Keep`."""
    if not isinstance(keep, Keep):
        raise TypeError(f"keep={shown(keep)}: write keep=oc.Keep(candidates=…, alternatives=…)")
    return keep


Contexts = Sequence[tuple[Prompts | SequenceState, float]]  # each with its weight


@dataclass(frozen=True, init=False)
class Mix:
    """Other contexts whose laws are combined with the model's own: `beside=oc.Mix([(context, weight), …], own=1.0)`.

    `beside=[(context, weight), …]` is short for a mix with `own=1.0` and `product=False`. `oc.Mix.proposal(law)` is
    the law that tokens are drawn from instead. See docs/combined.md.

    Attributes:
        contexts: pairs of a prompt or a state (of this model, or of another one with an equal vocabulary) and a weight.
        own: the weight of the model's own log-probabilities.
        product: whether the target is the product of the laws over whole texts (a product of experts), for which
            `particles.log_importance` then weighs. Else it is the combined law, normalized at each token.
        proposes: whether it is a proposal: the model's own law, which is not drawn from, weighs what is drawn.

    Raises:
        TypeError: contexts that are no list of pairs, or a weight that is no number.
        ValueError: a weight that is not finite; no context, or no weight, so that nothing is combined.

    >>> colours = oc.generate.choice(model, [" blue", " white", " red"], oc.samplers.greedy())
    >>> colours("The sky is"), colours("The sky is", beside=oc.Mix([("The snow is", 1.0)], own=0.5))
    (' blue', ' white')
    """

    contexts: tuple[tuple[Prompts | SequenceState, float], ...]
    own: float = 1.0
    product: bool = False
    proposes: bool = False

    @explained
    def __init__(self, contexts: Contexts, own: float = 1.0, product: bool = False) -> None:
        pairs, own, product = _pairs(contexts), _weight(own, "own"), flag(product, "product")
        if not pairs and (own != 1.0 or product):
            raise ValueError(
                f"Mix([], own={own}, product={product}): these say how the laws of contexts are combined, and it "
                "names none: give [(prompt or state, weight), …]. Those that a state carries keep theirs; to change "
                "it, give oc.Mix(state.beside, own=…). For a temperature, give oc.Mix.proposal(temperature)"
            )
        if pairs and own == 0 and not any(weight for _, weight in pairs):
            raise ValueError("Mix(…, own=0.0): all weights are 0, so that no law is left to draw from")
        vars(self).update(contexts=pairs, own=own, product=product, proposes=False)

    @classmethod
    def proposal(cls, law: Prompts | SequenceState | float) -> Mix:
        """The law that tokens are drawn from instead of the model's own, which then weighs them.

        law: a prompt or a state, of this model or another one: the mix `oc.Mix([(law, 1.0)], own=0.0)`; or a
        temperature, a finite number > 0. ValueError for any other number, TypeError for anything else.

        >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Lima"], oc.samplers.multinomial(samples=2)))
        >>> state = city("The capital of Italy is ", seed=0, beside=oc.Mix.proposal("Mira lives in "))
        >>> state.particles.log_importance.shape
        torch.Size([1, 2])
        """
        mix = cls.__new__(cls)
        vars(mix).update(contexts=((law, 1.0),), own=0.0, product=False, proposes=True)
        if isinstance(law, Real) and not isinstance(law, bool):
            if not (is_number(law) and float(law) >= 1 / MOST_WEIGHT):
                right = f"as a temperature it must be a finite number > 0 (and at least {1 / MOST_WEIGHT:g})"
                raise ValueError(f"Mix.proposal({shown(law)}): {right}")
            vars(mix).update(contexts=(), own=1.0 / float(law))
        else:
            _check_context(law, "proposal")
        return mix

    def __bool__(self) -> bool:
        return self.proposes or bool(self.contexts)


def _pairs(contexts: Any) -> tuple[tuple[Any, float], ...]:
    """Pairs of a prompt or a state and its weight. TypeError or ValueError for anything else."""
    right = "it takes a list of pairs, [(prompt or state, weight), …], [] for none, or oc.Mix(pairs, own=…)"
    if not isinstance(contexts, (list, tuple)):
        raise TypeError(f"beside={shown(contexts)}: {right}")
    for i, pair in enumerate(contexts):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"beside={shown(contexts)}: {right}; {shown(pair)} is no pair")
        _check_context(pair[0], f"beside[{i}]")
    return tuple((each, _weight(weight, f"the weight of beside[{i}]")) for i, (each, weight) in enumerate(contexts))


def _check_context(context: Any, name: str) -> None:
    """TypeError or ValueError for what is neither a state nor prompts. (What these hold is looked at by the model.)"""
    try:
        _ = isinstance(context, SequenceState) or listed(context)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}={shown(context)}: {error}") from None


def _weight(weight: Any, name: str) -> float:
    """A weight of log-probabilities: any finite number of at most `MOST_WEIGHT`, or its negative."""
    if is_number(weight) and abs(weight) <= MOST_WEIGHT:
        return float(weight)
    kind = ValueError if isinstance(weight, Real) and not isinstance(weight, bool) else TypeError
    raise kind(f"{name} is {shown(weight)}: it must be a finite number, −{MOST_WEIGHT:g} to {MOST_WEIGHT:g}")


# --- call options

Beside = Contexts | Mix | None
KEYS_OF_A_STATE = "the rows of a state have theirs, and model.state(state, keys=[…]) gives them others"
NO_CLOCK = "it is for one call whose steps the library makes: results of a job, and steps by hand, read no clock"
NO_DRAFT = "whoever steps by hand reads ahead by hand (docs/drafts.md), and a draft changes no result"
StopAt = str | int | Sequence[str | int] | None  # where a text ends: strings, and ids of tokens


class CallOptions(TypedDict, total=False):
    """The options of a call, except its prompts or state and `max_tokens`. All are given by keyword.

    `oc.CallOptions` is the type of `**options` in every call of a generator, a step or a chain. A call refuses by name
    those that do not apply to it:

    - `begin` takes no `progress`, no `errors`, no `draft` and no `max_seconds`;
    - a step has its `name` and its `seam` from `continuous`;
    - the steps of a chain have their `stop_at` from there, too;
    - `keys` are for prompts: the rows of a state have keys already, and `model.state(state, keys=[…])` changes them;
    - `resume` keeps the `stop_at` and the seam of the span; so do `stream` and `begin` with `resume=True`.

    >>> short: oc.CallOptions = {"stop_at": ".", "seed": 0}
    >>> oc.generate.text(model, oc.samplers.greedy())("The capital of France is ", **short)
    'Paris'

    Attributes:
        stop_at: one string or several, at which a text ends. The string is not kept in the row. A special token is
            named by its spelling ("</think>") or its id; an id stands for the text of its token.
        seed: of the random draws, an int. None, the default: one from torch's global generator, `span.seed` of a state.
        keys: the random keys. For each prompt an int, from 0 to 2**63 − 1, or a str; by default the index of the
            prompt. With the same key and the same seed a row draws the same in any call, whatever other rows are in it:
            in parts of a job too, if each prompt has the key of the whole job. ValueError if two prompts have the same
            key. See docs/scale.md.
        hooks: functions that are called for every draw, in order, after those of the step; see `oc.steer.Draw`. With
            limits to how often and how far rows are sent back: `oc.steer.Hooks(f, g, retries=3, horizon=8)`.
        seam: whether a token may cross the end of the text before a span: "auto", the default, "heal" or "keep"; see
            `continuous`.
        name: that of the span, for `state.captures`.
        progress: True draws a bar on stderr, in a notebook on stdout. None, the default: on a terminal, or in a
            notebook, a call that takes longer than two seconds draws it from then on, but a stream does not. False:
            never. "rows", in a notebook only, draws the rows as `state.html()` does, while they are written.
        keep: what a state keeps of each draw beside the token: `oc.Keep(candidates=3, alternatives=5)`. By default
            nothing.
        errors: what to do about rows that fail, because their prompt is too long, their value was cut short or not
            accepted, or a hook or a controller raised. All other rows are finished in any case. "raise", the default:
            the first error is raised. `error.row` is its place, `error.values` has the values of all rows, with errors
            in the places of those that failed, and `error.state` has all rows, so that `resume` can continue them.
            "return": each error stands in the place of its value; for states, in `state.errors`.
        beside: other contexts whose laws are combined with the model's own: pairs of a prompt or a state and a
            weight, or an `oc.Mix` of them. Generated tokens are appended to all of them. They stay with the state, as
            `state.beside`, for the next call; `[]` drops them. See docs/combined.md.
        draft: guesses how rows continue, so that one pass gives the logits of several steps: `oc.drafts.lookup()`,
            `oc.drafts.model(small)`, any function of a row (`oc.drafts.DraftRow`), or an object with the methods of
            `oc.drafts.Draft`. The result is the same with any draft. `begin` does not take it. See docs/drafts.md.
        rows: an `oc.Settings`, or None, for each batch row, in a list or a dict by random key. See docs/batches.md.
        max_seconds: after so many seconds, counted from the call, no more steps are made: rows that have not ended are
            cut, with `finished == "length"`, and `resume` goes on. A text of a chain after which something comes is
            "interrupted", for "length" would be its end. `begin` does not take it. See docs/settings.md.
    """

    stop_at: StopAt
    seed: int | None
    keys: Keys | None
    hooks: Sequence[Hook] | Hooks
    seam: Seam
    name: str | None
    progress: ShownProgress
    keep: Keep
    errors: Errors
    draft: Any
    beside: Beside
    rows: Any
    max_seconds: float | None


@dataclass(frozen=True, kw_only=True)
class Call:
    """`CallOptions` and `max_tokens`, checked, with their defaults; and whether `stream` and `begin` resume spans."""

    max_tokens: int | None = None
    stop_at: StopAt = None
    seed: int | None = None
    keys: tuple[int, ...] | None = None
    hooks: Hooks = field(default_factory=Hooks)
    seam: Seam | None = None
    name: str | None = None
    progress: ShownProgress = None
    keep: Keep = field(default_factory=Keep)
    errors: Errors = "raise"
    draft: Any = None
    beside: Mix | None = None
    rows: Any = None
    max_seconds: float | None = None
    resume: bool = False

    def stop_strings(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """`stop_at` as a tuple of strings. ValueError for an id that stands for none.

        >>> from outlines_cont.generate.call_options import Call
        >>> Call(stop_at=[".", 3]).stop_strings(model.vocabulary)
        ('.', '<|assistant|>')
        """
        stops = (self.stop_at,) if isinstance(self.stop_at, str | int) else tuple(self.stop_at or ())
        return tuple(stop if isinstance(stop, str) else _spelling(stop, vocabulary) for stop in stops)

    @classmethod
    def of(
        cls,
        called: str,
        max_tokens: int | None,
        options: CallOptions,
        without: Sequence[str] = (),
        resume: bool = False,
    ) -> Call:
        """The options of a call of `called`, which does not take those of `without`.

        Raises:
            TypeError: an option that there is not, or a value of the wrong type.
            ValueError: a value that is out of range.
        """
        names = [name for name in ("max_tokens", *CallOptions.__annotations__) if name not in without]
        reasons = {"keys": KEYS_OF_A_STATE, "draft": NO_DRAFT, "max_seconds": NO_CLOCK}
        for name in options:
            if name not in names:
                told = TypeError(f"{called} takes no {name}: {reasons[name]}") if name in reasons else None
                raise told or unknown_argument(called, name, names)
        checks: dict[str, Callable[[Any], Any]] = {
            "stop_at": _stops,
            "keys": lambda keys: None if keys is None else checked_keys(keys),
            "hooks": checked_hooks,
            "seam": checked_seam,
            "name": span_name,
            "progress": checked_progress,
            "keep": checked_keep,
            "errors": checked_errors,
            "draft": _draft,
            "max_seconds": _seconds,
            "beside": lambda beside: beside if beside is None or isinstance(beside, Mix) else Mix(beside),
        }
        given = cast("dict[str, Any]", options)
        if flag(resume, "resume"):
            _check_resumption(called, given)
        values = {name: checks[name](value) if name in checks else value for name, value in given.items()}
        call = cls(max_tokens=_budget(max_tokens), resume=resume, **values)
        if call.draft is not None and call.beside:
            raise ValueError(
                f"{called} takes draft= or beside=, not both: what a draft proposes is held to the law of one context"
            )
        return call


def _draft(draft: Any) -> Any:
    if draft is None:
        return None
    from outlines_cont.drafts.sources import draft_option

    return draft_option(draft)


def _check_resumption(called: str, given: dict[str, Any]) -> None:
    """TypeError for an option that a span that goes on does not take."""
    reasons = dict.fromkeys(("stop_at", "seam"), "the span keeps what it was made with") | {"keys": KEYS_OF_A_STATE}
    for name, reason in reasons.items():
        if given.get(name) is not None:
            raise TypeError(f"{called} takes no {name} with resume=True: {reason}")


def _budget(max_tokens: int | None) -> int | None:
    right = "an int ≥ 0, or None for no limit but the model's context"
    if max_tokens is not None and (max_tokens := whole_number(max_tokens, "max_tokens", right)) < 0:
        raise ValueError(f"max_tokens={max_tokens}: it must be {right}")
    return max_tokens


def _seconds(seconds: Any) -> float | None:
    if seconds is not None and not (is_number(seconds) and seconds >= 0):
        raise ValueError(f"max_seconds={shown(seconds)}: it must be a number of seconds ≥ 0, or None for no limit")
    return seconds


def _stops(stop_at: Any) -> Any:
    if stop_at is None:
        return None
    stops = (stop_at,) if isinstance(stop_at, str) or is_whole(stop_at) else stop_at
    right = "it must be a non-empty string, the id of a token, or a list of them"
    if not isinstance(stops, (list, tuple)) or not all(isinstance(stop, str) or is_whole(stop) for stop in stops):
        raise TypeError(f"stop_at={shown(stop_at)}: {right}")
    if "" in stops:
        raise ValueError(f"stop_at={shown(stop_at)}: {right}")
    if any(half_character(str(stop)) for stop in stops):
        raise ValueError(f"stop_at={stop_at!r} holds half a character (a lone surrogate)")
    return stop_at if isinstance(stop_at, str) else tuple(s if isinstance(s, str) else operator.index(s) for s in stops)


def _spelling(token: int, vocabulary: Vocabulary) -> str:
    """The text of a token, also of a special one."""
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"stop_at={token}: there is no such token in a vocabulary of {len(vocabulary)}")
    data = vocabulary.tokens[token]
    if not (text := data.decode(errors="ignore")) or text.encode() != data:
        raise ValueError(f"stop_at={token}: the token is {data!r}, which is no text")
    return text


def checked_seam(seam: Any) -> Seam:
    """What becomes of the text before a span; ValueError for anything but the three words."""
    return cast("Seam", word(seam, "seam", ("auto", "heal", "keep")))


def span_name(name: Any) -> str | None:
    """The name of a span: None, or a non-empty str; else a TypeError."""
    if name is not None and (not isinstance(name, str) or not name):
        raise TypeError(f"name={shown(name)}: the name of a span is a non-empty str, or None")
    return name


def checked_errors(errors: Any) -> Errors:
    """What becomes of rows that fail; ValueError for anything but the two words."""
    return cast(Errors, word(errors, "errors", ("raise", "return")))
