"""The options of a call that combine laws, `beside`, `own`, `normalize` and `proposal`: as users give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from outlines_cont.arguments import is_number, shown
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.state import SequenceState

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
