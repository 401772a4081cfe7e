"""Options of a call that belong together, each group as a value: `Hooks`, `Keep` and `Mix`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from outlines_cont.arguments import flag, is_number, shown, takes_one, whole_number
from outlines_cont.decode.hooks import Hook
from outlines_cont.explained import explained, explained_class
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState

RETRIES = 100  # where nobody says how many
MOST_ALTERNATIVES = 20  # of one position
MOST_WEIGHT = 1e30  # float32 holds what log-probabilities times this come to


def _count(value: Any, name: str, most: int | None = None) -> int:
    right = "an int ≥ 0" if most is None else f"an int from 0 to {most}"
    if (value := whole_number(value, name, right)) < 0 or (most is not None and value > most):
        raise ValueError(f"{name}={value}: it must be {right}")
    return value


def _count_or_none(value: Any, name: str) -> int | None:
    return None if value is None else _count(value, name)


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
            raise TypeError(
                f"hooks={shown(list(functions))}: a hook is a function of one argument, a Draw; {shown(wrong[0])} is "
                "not"
            )
        limits = {"retries": _count_or_none(retries, "retries"), "horizon": _count_or_none(horizon, "horizon")}
        vars(self).update(functions=functions, **limits)

    @property
    def most_retries(self) -> int:
        """`retries`, or what stands in its place.

        >>> oc.steer.Hooks().most_retries, oc.steer.Hooks(retries=3).most_retries
        (100, 3)
        """
        return RETRIES if self.retries is None else self.retries

    def limited_by(self, limits: Hooks) -> Hooks:
        """Its functions, under the limits of another, where that says any.

        >>> oc.steer.Hooks(print, retries=9).limited_by(oc.steer.Hooks(horizon=3))
        Hooks(functions=(<built-in function print>,), retries=9, horizon=3)
        """
        retries = self.retries if limits.retries is None else limits.retries
        horizon = self.horizon if limits.horizon is None else limits.horizon
        return Hooks(*self.functions, retries=retries, horizon=horizon)

    def before(self, later: Hooks) -> Hooks:
        """Its functions and then those of `later`, whose limits go before its own.

        >>> oc.steer.Hooks(print, retries=9).before(oc.steer.Hooks(id, retries=2))
        Hooks(functions=(<built-in function print>, <built-in function id>), retries=2, horizon=None)
        """
        return Hooks(*self.functions, *later.functions).limited_by(self).limited_by(later)


NO_HOOKS = Hooks()


@explained_class
@dataclass(frozen=True)
class Keep:
    """How many candidates of each draw a state keeps: `keep=oc.Keep(candidates=3, alternatives=5)`.

    Attributes:
        candidates: how many of the likeliest candidates of each draw are kept, under the law that was drawn from, for
            `state.kept.candidates`. A choice by sequence draws no token, and has none.
        alternatives: how many of the model's likeliest tokens are kept at each generated position, for
            `state.kept.alternatives` and for pictures: at most 20. They are those before the constraint, each with
            whether the constraint allowed it. A choice by sequence has none.

    >>> colour = oc.continuous(oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy()))
    >>> state = colour("The sky is", keep=oc.Keep(candidates=2))
    >>> [(each.bytes, round(each.proposal_logprob, 2)) for each in state.kept.candidates[0][0][-1]]
    [(b' blue', -0.13), (b' ', -2.47)]
    """

    candidates: int = 0
    alternatives: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", _count(self.candidates, "candidates"))
        object.__setattr__(self, "alternatives", _count(self.alternatives, "alternatives", MOST_ALTERNATIVES))


KEEP_NOTHING = Keep()


def checked_hooks(hooks: Any) -> Hooks:
    """What is given as `hooks=`. TypeError for anything but a list of functions, or hooks with their limits."""
    if not isinstance(hooks, (Hooks, list, tuple)):
        raise TypeError(
            f"hooks={shown(hooks)}: it takes a list of functions, or oc.steer.Hooks(f, g, retries=…, horizon=…)"
        )
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

    `beside=[(context, weight), …]` is short for a mix with `own=1.0` and `normalize=True`. `oc.Mix.proposal(law)` is
    the law that tokens are drawn from instead. See docs/combined.md.

    Attributes:
        contexts: pairs of a prompt or a state (of this model, or of another one with an equal vocabulary) and a weight.
        own: the weight of the model's own log-probabilities.
        normalize: True: tokens are drawn from the combined law, normalized at each token. False: the target is the
            product of the laws over whole texts (a product of experts), and `particles.log_importance` weighs for it.
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
    normalize: bool = True
    proposes: bool = False

    @explained
    def __init__(self, contexts: Contexts, own: float = 1.0, normalize: bool = True) -> None:
        pairs, own, normalize = _pairs(contexts), _weight(own, "own"), flag(normalize, "normalize")
        if not pairs and (own != 1.0 or not normalize):
            raise ValueError(
                f"Mix([], own={own}, normalize={normalize}): these say how the laws of contexts are combined, and it "
                "names none: give [(prompt or state, weight), …]. Those that a state carries keep theirs; to change "
                "it, give oc.Mix(state.beside, own=…). For a temperature, give oc.Mix.proposal(temperature)"
            )
        if pairs and own == 0 and not any(weight for _, weight in pairs):
            raise ValueError("Mix(…, own=0.0): all weights are 0, so that no law is left to draw from")
        vars(self).update(contexts=pairs, own=own, normalize=normalize, proposes=False)

    @classmethod
    def proposal(cls, law: Prompts | SequenceState | float) -> Mix:
        """The law that tokens are drawn from instead of the model's own, which then weighs them.

        law: a prompt or a state, of this model or another one: the mix `oc.Mix([(law, 1.0)], own=0.0)`; or a
        temperature, a finite number > 0. ValueError for any other number.

        >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Lima"], oc.samplers.multinomial(samples=2)))
        >>> state = city("The capital of Italy is ", seed=0, beside=oc.Mix.proposal("Mira lives in "))
        >>> state.particles.log_importance.shape
        torch.Size([1, 2])
        """
        mix = cls.__new__(cls)
        vars(mix).update(contexts=((law, 1.0),), own=0.0, normalize=True, proposes=True)
        if isinstance(law, Real) and not isinstance(law, bool):
            if not (is_number(law) and float(law) >= 1 / MOST_WEIGHT):
                raise ValueError(
                    f"Mix.proposal({shown(law)}): as a temperature it must be a finite number > 0 (and at least "
                    f"{1 / MOST_WEIGHT:g})"
                )
            vars(mix).update(contexts=(), own=1.0 / float(law))
        return mix

    @property
    def combines(self) -> bool:
        """Whether it says of a law that something else is combined with it.

        >>> oc.Mix([]).combines, oc.Mix([("The snow is", 0.5)]).combines
        (False, True)
        """
        return self.proposes or bool(self.contexts)


def checked_beside(beside: Any) -> Mix | None:
    """What is given as `beside=`; None where it says nothing. TypeError or ValueError as of a mix."""
    return beside if beside is None or isinstance(beside, Mix) else Mix(beside)


def _pairs(contexts: Any) -> tuple[tuple[Any, float], ...]:
    """Pairs of a prompt or a state and its weight. TypeError or ValueError for anything else."""
    right = "it takes a list of pairs, [(prompt or state, weight), …], [] for none, or oc.Mix(pairs, own=…)"
    if not isinstance(contexts, (list, tuple)):
        raise TypeError(f"beside={shown(contexts)}: {right}")
    for pair in contexts:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise TypeError(f"beside={shown(contexts)}: {right}; {shown(pair)} is no pair")
    return tuple((each, _weight(weight, f"the weight of beside[{i}]")) for i, (each, weight) in enumerate(contexts))


def _weight(weight: Any, name: str) -> float:
    """A weight of log-probabilities: any finite number of at most `MOST_WEIGHT`, or its negative."""
    if is_number(weight) and abs(weight) <= MOST_WEIGHT:
        return float(weight)
    kind = ValueError if isinstance(weight, Real) and not isinstance(weight, bool) else TypeError
    raise kind(f"{name} is {shown(weight)}: it must be a finite number, −{MOST_WEIGHT:g} to {MOST_WEIGHT:g}")
