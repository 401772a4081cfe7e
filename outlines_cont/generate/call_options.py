"""What a call may be given: one signature for generators, steps and chains, plain calls, streams and resuming."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, Literal, TypedDict, cast

from outlines_cont.arguments import flag, half_character, is_number, is_whole, shown, takes_one, whole_number, word
from outlines_cont.decode.canonical import Seam
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.progress import ShownProgress, checked_progress
from outlines_cont.decode.where import WhereFunction
from outlines_cont.explained import unknown_argument
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import Normalization
from outlines_cont.state.failed_row import Errors
from outlines_cont.state.prompts import Keys, Prompts, checked_keys
from outlines_cont.state.state import SequenceState

# --- the words that options take, as types for editors. What each one means stands where it is an option

Stop = Literal["elsewhere", "eos"]
Forced = Literal["canonical", "never"]
By = Literal["token", "sequence"]
Order = Literal["schema", "any"]
Extra = Literal["forbid", "schema"]
FormatCheck = Literal["assert", "annotate"]
Numbers = Literal["python", "json"]
Syntax = Literal["lark", "gbnf"]
Pace = Literal["branch", "token"]
#: Or a pattern of JSON whitespace.
Whitespace = Literal["compact", "flexible"] | str


class GeneratorOptions(TypedDict, total=False):
    """What every maker of generators but `control` takes; see `Generator`."""

    stop: Stop
    forced: Forced | None
    where: WhereFunction | None


class SeamedOptions(GeneratorOptions, total=False):
    """Those of `Generator` itself."""

    seam: Seam


class ChoiceOptions(GeneratorOptions, total=False):
    """See `oc.generate.choice`."""

    by: By
    normalize: Normalization


class FormatOptions(GeneratorOptions, total=False):
    """See `oc.generate.format`."""

    numbers: Numbers


class SchemaOptions(TypedDict, total=False):
    """How JSON is written; see `oc.generate.json`."""

    whitespace: Whitespace
    order: Order
    extra: Extra
    format: FormatCheck
    numbers: Numbers


class JsonOptions(GeneratorOptions, SchemaOptions, total=False):
    """See `oc.generate.json`."""


# --- the options of a call that combine laws, `beside`, `own`, `normalize` and `proposal`: as users give them

MOST_WEIGHT = 1e30  # float32 holds what log-probabilities times this come to
Beside = Sequence[tuple[Prompts | SequenceState, float]]  # other contexts, each with its weight
OPTIONS = ("beside", "own", "normalize", "proposal")


def checked_beside(beside: Any) -> tuple[tuple[Any, float], ...] | None:
    """Pairs of a prompt or a state and its weight. TypeError or ValueError for anything else."""
    right = "it takes a list of pairs, [(prompt or state, weight), …], or [] for none"
    if beside is None:
        return None
    if not isinstance(beside, (list, tuple)):
        raise TypeError(f"beside={shown(beside)}: {right}")
    for pair in beside:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"beside={shown(beside)}: {right}; {shown(pair)} is no pair")
    return tuple(
        (context, checked_weight(weight, f"the weight of beside[{i}]")) for i, (context, weight) in enumerate(beside)
    )


def checked_weight(weight: Any, name: str = "own") -> float:
    """A weight of log-probabilities: any finite number of at most `MOST_WEIGHT`, or its negative."""
    if is_number(weight) and abs(weight) <= MOST_WEIGHT:
        return float(weight)
    kind = ValueError if isinstance(weight, Real) and not isinstance(weight, bool) else TypeError
    raise kind(f"{name} is {shown(weight)}: it must be a finite number, −{MOST_WEIGHT:g} to {MOST_WEIGHT:g}")


def check_combined(called: str, given: Mapping[str, Any]) -> None:
    """TypeError or ValueError for options that do not go with each other."""
    beside, proposal = given.get("beside"), given.get("proposal")
    if given.get("draft") is not None and (beside or proposal is not None):
        raise ValueError(
            f"{called} takes draft= or {'beside' if beside else 'proposal'}=, not both: what a draft proposes is held "
            "to the law of one context"
        )
    if proposal is not None:
        _check_proposal(called, given, proposal)
    elif not beside and (unused := [name for name in ("own", "normalize") if name in given]):
        raise ValueError(
            f"{called}: {unused[0]}={shown(given[unused[0]])} says how the laws of other contexts are combined, and "
            "this call names none: give beside=[(prompt or state, weight), …]. Those that a state carries keep theirs; "
            "to change it, give beside=state.beside"
        )
    if beside and given.get("own", 1.0) == 0 and not any(weight for _, weight in checked_beside(beside) or ()):
        raise ValueError(f"{called}: own=0 and all weights of beside=… are 0, so that no law is left to draw from")


def _check_proposal(called: str, given: Mapping[str, Any], proposal: Any) -> None:
    if others := [name for name in ("beside", "own", "normalize") if given.get(name) is not None]:
        raise ValueError(
            f"{called} takes proposal= or {others[0]}=, not both: proposal=p is beside=[(p, 1.0)], own=0.0, the law "
            "that is drawn from"
        )
    if (
        isinstance(proposal, Real)
        and not isinstance(proposal, bool)
        and not (is_number(proposal) and float(proposal) >= 1 / MOST_WEIGHT)
    ):
        raise ValueError(
            f"{called}: proposal={shown(proposal)}: as a temperature it must be a finite number > 0 (and at least "
            f"{1 / MOST_WEIGHT:g})"
        )


# --- call options

KEYS_OF_A_STATE = "the rows of a state have theirs, and model.state(state, keys=[…]) gives them others"
NO_DRAFT = "whoever steps by hand reads ahead by hand (docs/drafts.md), and a draft changes no result"
RETRIES = 100  # where nobody says how many
MOST_ALTERNATIVES = 20  # of one position
StopAt = str | int | Sequence[str | int] | None  # where a text ends: strings, and ids of tokens


class CallOptions(TypedDict, total=False):
    """The options of a call, except its prompts or state and `max_tokens`. All are given by keyword.

    `oc.CallOptions` is the type of `**options` in every call of a generator, a step or a chain. A call refuses by name
    those that do not apply to it:

    - only `stream` and `begin`, whose states come one by one, take `horizon`; `begin` takes no `progress`, no
      `errors` and no `draft`;
    - a step has its `name` and its `seam` from `continuous`;
    - the steps of a chain have their `stop_at` from there, too;
    - `keys` are for prompts: the rows of a state have keys already, and `model.state(state, keys=[…])` changes them;
    - `resume` keeps the `stop_at` and the seam of the span; so does `resume=True`, which only `stream` and `begin`
      take.

    >>> short: oc.CallOptions = {"stop_at": ".", "seed": 0}
    >>> oc.generate.text(model, oc.samplers.greedy())("The capital of France is ", **short)
    'Paris'

    Attributes:
        stop_at: one string or several, at which a text ends. The string is not kept in the row. A special token is
            named by its spelling ("</think>") or its id; an id stands for the text of its token.
        seed: of the random draws, an int. None, the default, takes one from torch's global generator.
        keys: the random keys. For each prompt an int, from 0 to 2**63 − 1, or a str; by default the index of the
            prompt. With the same key and the same seed a row draws the same in any call, whatever other rows are in it.
            So if you do a job in parts, give each prompt the key that it has in the whole job: its index there, or its
            id. ValueError if two prompts have the same key. See docs/scale.md.
        hooks: functions that are called for every draw, in order, after those of the step; see `oc.Draw`.
        retries: how often hooks or a controller may send a row back before it grows again; then `HookLimit` is raised.
            100, unless the call or its step gives a number.
        horizon: how many of a row's last tokens hooks and controllers may take back. A stream holds back as many
            tokens. None, the default: all tokens of the span.
        seam: whether a token may cross the end of the text before a span: "auto", the default, "heal" or "keep"; see
            `continuous`.
        name: that of the span, for `state.captures`.
        progress: True draws a bar on stderr, in a notebook on stdout. None, the default: if stderr is a terminal, or in
            a notebook, a call that takes longer than two seconds draws it from then on, but a stream does not. False:
            never. "rows", in a notebook only, draws the rows as `state.html()` does, and draws them again in the same
            place while they are written.
        candidates: how many of the likeliest candidates of each draw are kept, for `state.candidates`; by
            default none (0). A choice by sequence draws no token, and has none.
        alternatives: how many of the model's likeliest tokens are kept at each generated position, for
            `state.alternatives` and for pictures. They are those before the constraint, each with whether the
            constraint allowed it. By default none (0), at most 20. A choice by sequence has none.
        errors: what to do about rows that fail, because their prompt is too long, their value was cut short or not
            accepted, or a hook or a controller raised. All other rows are finished in any case. "raise", the default:
            the first error is raised. `error.row` is its place, `error.values` has the values of all rows, with errors
            in the places of those that failed, and `error.state` has all rows, so that `resume` can continue them.
            "return": each error stands in the place of its value; for states, in `state.errors`.
        resume: whether to continue the span that was cut, as `resume(state)` does, instead of beginning a new one.
            Deltas then begin at the cut, from the last whole character on, and hooks and controllers cannot take back
            tokens before it.
        beside: other contexts whose laws are combined with the model's own: pairs of a prompt or a state (of this
            model, or of another one with an equal vocabulary) and a weight. Generated tokens are appended to all of
            them. They stay with the state, as `state.beside`, for the next call; `[]` drops them. See docs/combined.md.
        own: the weight of the model's own log-probabilities in a combined law; by default 1.
        normalize: True, the default: tokens are drawn from the combined law, normalized at each token. False: the
            target is the product of the laws over whole texts (a product of experts), and
            `particles.log_importance` weighs for it.
        proposal: the law that tokens are drawn from instead of the model's own, which then weighs them: a prompt or a
            state, of this model or another one, or a temperature. The same as `beside=[(proposal, 1.0)], own=0.0`.
        draft: guesses how rows continue, so that one pass gives the logits of several steps: `oc.drafts.lookup()`,
            `oc.drafts.model(small)`, any function of a row (`oc.drafts.DraftRow`), or an object with the methods of
            `oc.drafts.Draft`. The result is the same with any draft. `begin` does not take it. See docs/drafts.md.
    """

    stop_at: StopAt
    seed: int | None
    keys: Keys | None
    hooks: Sequence[Hook]
    retries: int
    horizon: int | None
    seam: Seam
    name: str | None
    progress: ShownProgress
    candidates: int
    alternatives: int
    errors: Errors
    resume: bool
    draft: Any
    beside: Beside | None
    own: float
    normalize: bool
    proposal: Prompts | SequenceState | float | None


@dataclass(frozen=True, kw_only=True)
class Call:
    """`CallOptions` and `max_tokens`, checked, with their defaults."""

    max_tokens: int | None = None
    stop_at: StopAt = None
    seed: int | None = None
    keys: tuple[int, ...] | None = None
    hooks: tuple[Hook, ...] = ()
    retries: int | None = None
    horizon: int | None = None
    seam: Seam | None = None
    name: str | None = None
    progress: ShownProgress = None
    candidates: int = 0
    alternatives: int = 0
    errors: Errors = "raise"
    resume: bool = False
    draft: Any = None
    beside: tuple[tuple[Any, float], ...] | None = None
    own: float | None = None
    normalize: bool | None = None
    proposal: Any = None

    def stop_strings(self, vocabulary: Vocabulary) -> tuple[str, ...]:
        """`stop_at` as a tuple of strings. ValueError for an id that stands for none.

        >>> from outlines_cont.generate.call_options import Call
        >>> Call(stop_at=[".", 3]).stop_strings(model.vocabulary)
        ('.', '<|assistant|>')
        """
        listed = (self.stop_at,) if isinstance(self.stop_at, str | int) else tuple(self.stop_at or ())
        return tuple(stop if isinstance(stop, str) else _spelling(stop, vocabulary) for stop in listed)

    @classmethod
    def of(cls, called: str, max_tokens: int | None, options: CallOptions, without: Sequence[str] = ()) -> Call:
        """The options of a call of `called`, which does not take those of `without`.

        Raises:
            TypeError: an option that there is not, or a value of the wrong type.
            ValueError: a value that is out of range.
        """
        names = [field.name for field in fields(cls) if field.name not in without]
        for name in options:
            if name == "keys" and name not in names:
                raise TypeError(f"{called} takes no keys: {KEYS_OF_A_STATE}")
            if name == "draft" and name not in names:
                raise TypeError(f"{called} takes no draft: {NO_DRAFT}")
            if name not in names:
                raise unknown_argument(called, name, names)
        checks: dict[str, Callable[[Any], Any]] = {
            "stop_at": _stops,
            "keys": lambda keys: None if keys is None else checked_keys(keys),
            "hooks": _functions,
            "retries": _count("retries"),
            "candidates": _count("candidates"),
            "alternatives": _count("alternatives", MOST_ALTERNATIVES),
            "horizon": _horizon,
            "seam": checked_seam,
            "name": span_name,
            "progress": checked_progress,
            "errors": checked_errors,
            "resume": _bool("resume"),
            "beside": checked_beside,
            "own": checked_weight,
            "normalize": _bool("normalize"),
            "draft": _draft,
        }
        given = cast("dict[str, Any]", options)
        if given.get("resume") is True:
            _check_resumption(called, given)
        check_combined(called, given)
        values = {name: checks[name](value) if name in checks else value for name, value in given.items()}
        return cls(max_tokens=_budget(max_tokens), **values)


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
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = ""
    if not text:
        raise ValueError(f"stop_at={token}: the token is {data!r}, which is no text")
    return text


def _functions(hooks: Any) -> tuple[Hook, ...]:
    if not isinstance(hooks, (list, tuple)) or not all(map(callable, hooks)):
        raise TypeError(f"hooks={shown(hooks)}: it takes a list of functions")
    if wrong := [hook for hook in hooks if not takes_one(hook)]:
        raise TypeError(f"hooks={shown(hooks)}: a hook is a function of one argument, a Draw; {shown(wrong[0])} is not")
    return tuple(hooks)


def _count(name: str, most: int | None = None) -> Callable[[Any], int]:
    right = "an int ≥ 0" if most is None else f"an int from 0 to {most}"

    def checked(value: Any) -> int:
        if (value := whole_number(value, name, right)) < 0 or (most is not None and value > most):
            raise ValueError(f"{name}={value}: it must be {right}")
        return value

    return checked


def _horizon(horizon: Any) -> int | None:
    if horizon is not None and (horizon := whole_number(horizon, "horizon", "an int ≥ 0 or None")) < 0:
        raise ValueError(f"horizon={horizon}: it must be an int ≥ 0, or None for all")
    return horizon


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


def _bool(name: str) -> Callable[[Any], bool]:
    def checked(value: Any) -> bool:
        return flag(value, name)

    return checked
