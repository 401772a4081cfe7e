"""`cat`: states joined along one of their three axes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import reduce

from outlines_cont.arguments import shown, whole_number
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.state.beside import of_one_kind
from outlines_cont.state.one_model import check_same_model
from outlines_cont.state.random_keys import rekeyed
from outlines_cont.state.state import SequenceState


@explained
def cat(states: Sequence[SequenceState], dim: int) -> SequenceState:
    """Concatenate states along 0 (batch), 1 (sample) or 2 (token, as `+`).

    Rows keep their lineage; rows with equal lineages get new ones. Contexts (`state.beside`) are kept if all rows with
    contexts have the same number of them, with the same weights and models; otherwise all are dropped, with a warning.

    >>> sky, mira = model.state("The sky"), model.state("Mira")
    >>> [oc.cat([sky, mira], dim).tolist() for dim in (0, 1, 2)]
    [[['The sky'], ['Mira']], [['The sky', 'Mira']], [['The skyMira']]]
    """
    states = _checked_states(states)
    if not -3 <= whole_number(dim, "dim", "0 (batch), 1 (sample) or 2 (token)") < 3:
        raise IndexError(f"cat(dim={dim}): the axes are 0 (batch), 1 (sample) and 2 (token)")
    for state in states[1:]:
        check_same_model(states[0], state)
    if len(states) == 1:
        return states[0]
    join = (_cat_batches, _cat_samples, _cat_tokens)[dim % 3]
    return join(states)


def _checked_states(states: Sequence[SequenceState]) -> list[SequenceState]:
    """TypeError for anything but at least one state in a list."""
    if isinstance(states, SequenceState):
        raise TypeError("cat([a, b], dim) takes a list of SequenceStates first, not one SequenceState")
    if not isinstance(states, Iterable) or hasattr(states, "tolist"):
        raise TypeError(f"cat([a, b], dim) takes a list of SequenceStates first, not {shown(states)}")
    states = list(states)
    if not states or not all(isinstance(state, SequenceState) for state in states):
        kinds = [type(state).__name__ for state in states]
        raise TypeError(f"cat([a, b], dim) takes a list of SequenceStates first, not {kinds or 'an empty list'}")
    return states


def _cat_batches(states: list[SequenceState]) -> SequenceState:
    counts = [state.shape[1] for state in states]
    if len(set(counts)) > 1:
        raise SampleMismatch(f"cat(dim=0) joins states of equal samples, not {counts}")
    rows = [list(group) for state in states for group in state.rows]
    return SequenceState(states[0].model, rekeyed(of_one_kind(rows)), samples=counts[0])


def _cat_samples(states: list[SequenceState]) -> SequenceState:
    counts = [state.shape[0] for state in states]
    if len(set(counts)) > 1:
        raise BatchMismatch(f"cat(dim=1) joins states of equal batches, not {counts}")
    rows = [[row for state in states for row in state.rows[b]] for b in range(counts[0])]
    return SequenceState(states[0].model, rekeyed(of_one_kind(rows)), samples=sum(state.shape[1] for state in states))


def _cat_tokens(states: list[SequenceState]) -> SequenceState:
    return reduce(operator.add, states)
