"""`fork_at`: the rows of a state, cut where their draws were least certain, to go on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice
from math import isnan
from numbers import Real
from typing import Any, Literal

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown, whole_number
from outlines_cont.explained import explained
from outlines_cont.state.beside import of_one_kind
from outlines_cont.state.random_keys import rekeyed
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.selecting import answers_of
from outlines_cont.state.state import SequenceState

Where = Literal["entropy", "logprob"] | Callable[[SequenceState], Any] | Sequence[Any] | Tensor | np.ndarray
CUTS = 3
#: How uncertain each token of a row was.
SCORES: dict[Any, Callable[[Any], Any]] = {
    "entropy": lambda row: row.rows[0][0].noted("entropies")[0],
    "logprob": lambda row: -row.proposal_logprobs,
}


@explained
def fork_at(state: SequenceState, where: Where = "entropy", n: int | None = None) -> SequenceState:
    """Each row, cut before each of its n least certain draws: a state that `resume` of its step or chain goes on from.

    The cuts of each sample stand side by side, the least certain draw first: `(B, S · n, T)`. Rows are as long as they
    are cut, and their keys and values stay. They have random keys of their own, so that the seed of the first call
    draws something else. Only draws of tokens count: no forced and no given tokens, none that a hook put there, and no
    stops. A row with fewer draws is cut at the same ones again; one that has only its stop, before the
    span that this ends. Dead rows stay dead.

    Args:
        where: "entropy", of the law drawn from, which the call has to keep (`keep=oc.Keep(entropies=True)`); or
            "logprob", those that were least likely as drawn (`proposal_logprobs`); or a function from a state of one
            row to a number for each of its tokens, largest first; or positions in the rows, B × S lists of ints, in a
            tensor or an array too, negative ones from the end. Where a row has fewer of them, dead rows follow.
        n: how many cuts of each row, 3 by default. Positions say that themselves.

    Raises:
        ValueError: a live row has no draw, or no entropies; a score is NaN; a position is none of a draw; n < 1.
        IndexError: a position that the row does not have.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))
    >>> state = text("Mira is a", max_tokens=5, seed=1, keep=oc.Keep(entropies=True))
    >>> cut = oc.train.fork_at(state, n=2)
    >>> cut.shape[:2], text.resume(cut, max_tokens=5, seed=1).shape[:2]
    ((1, 4), (1, 4))
    """
    if not isinstance(state, SequenceState):
        raise TypeError(f"fork_at(state, where, n) takes a SequenceState first, not {shown(state)}")
    if not len(state):
        raise ValueError("fork_at(): every row is dead (state.errors says why one failed)")
    given = not (callable(where) or isinstance(where, str))
    places = _given(state, where, n) if given else _least_certain(state, where, n)
    most = max(len(each) for group in places for each in group)
    rows = [
        [*group, *(cut for row, each in zip(group, cuts, strict=True) for cut in _cut(row, each, most))]
        for group, cuts in zip(state.rows, places, strict=True)
    ]
    keyed = rekeyed(of_one_kind(rows))
    return SequenceState(state.model, [group[state.shape[1] :] for group in keyed], state.shape[1] * most)


def _cut(row: Row, places: list[int], most: int) -> list[Row]:
    return [row.take(range(at)) if at < len(row) else row.reopen() for at in places] + [row if row.dead else DEAD] * (
        most - len(places)
    )


def draws_of(row: Row) -> list[int]:
    """The positions of tokens that were drawn, in spans that can go on."""
    undrawn = {*row.forced, *(start + at for start, _, piece in row.placed for at in piece.edited)}
    places = (at for start, end, piece in row.placed if piece.kind == "generated" for at in range(start, end))
    return [at for at in places if row.logprobs[at] is not None and at not in undrawn]


def _least_certain(state: SequenceState, where: Any, n: int | None) -> list[list[list[int]]]:
    """The n least certain draws of each live row."""
    if isinstance(where, str) and where not in SCORES:
        raise ValueError(f"fork_at(where={where!r}): it is 'entropy', 'logprob', a function, or positions")
    if (count := CUTS if n is None else whole_number(n, "n", "an int ≥ 1")) < 1:
        raise ValueError(f"fork_at(n={n}): each row is cut at 1 draw at least")

    def ranked(row: Row, scores: Any, name: str) -> list[int]:
        scores = [scores] if len(row) == 1 and isinstance(scores, Real) else scores
        if not isinstance(scores, (list, tuple)) or len(scores) != len(row):
            raise ValueError(f"fork_at(): the function says {shown(scores)} of {name}, not {len(row)} numbers")
        if not (draws := draws_of(row)):
            if row.finished == "stop":
                return [[*row.placed][-1][0]] * count
            raise ValueError(f"fork_at(): {name} has no token that was drawn; state.pick(function) leaves rows out")
        for at in draws:
            if not isinstance(scores[at], Real) or isnan(scores[at]):
                asked = "; a call with keep=oc.Keep(entropies=True) keeps entropies" * (where == "entropy")
                raise ValueError(f"fork_at(): token {at} of {name} has the score {shown(scores[at])}, no number{asked}")
        return list(islice(cycle(sorted(draws, key=lambda at: (-scores[at], at))[:count]), count))

    function: Callable[[Any], Any] = SCORES[where] if isinstance(where, str) else where
    return _each(state, answers_of(function, state, "fork_at"), ranked)


def _each(state: SequenceState, values: Any, places: Callable[[Row, Any, str], list[int]]) -> list[list[list[int]]]:
    """Where each live row is cut, by the value for it."""
    return [
        [[] if row.dead else places(row, values[b][s], f"row ({b}, {s})") for s, row in enumerate(group)]
        for b, group in enumerate(state.rows)
    ]


def _given(state: SequenceState, where: Any, n: Any) -> list[list[list[int]]]:
    """Positions as they were given, one list of ints for each row, counted from its beginning."""
    positions, (b, s, _) = plain(where), state.shape
    lists = isinstance(positions, (list, tuple)) and all(isinstance(group, (list, tuple)) for group in positions)
    rows = [row for group in positions for row in group] if lists else [None]
    if n is not None or not all(isinstance(row, (list, tuple)) and all(map(is_whole, row)) for row in rows):
        right = (
            "'entropy' or 'logprob' or a function, with n, or positions, B × S lists of ints, which say n themselves"
        )
        raise TypeError(f"fork_at(where={shown(where)}, n={shown(n)}): it takes {right}")
    if [*map(len, positions)] != [s] * b:
        raise ValueError(f"fork_at(): positions for {[*map(len, positions)]} samples, of a state of {b} × {s} rows")

    def checked(row: Row, given: Sequence[int], name: str) -> list[int]:
        draws = draws_of(row)
        for at in given:
            if not -len(row) <= at < len(row):
                raise IndexError(f"fork_at(): position {at} is out of range for {name} of {len(row)} tokens")
            if at % len(row) not in draws:
                forced = at % len(row) in row.forced
                how = "was appended without a draw" if forced else "was not drawn in a span that can go on"
                raise ValueError(f"fork_at(): the token at position {at} of {name} {how}: rows are cut before draws")
        return [int(at) % len(row) for at in given]

    return _each(state, positions, checked)
