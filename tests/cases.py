"""Cases of parametrized tests: some run for every change, all of them every night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

import pytest


def nightly(*values: Any) -> Any:
    """A case that `.ci/nightly` runs."""
    return pytest.param(*values, marks=pytest.mark.nightly)


def some_of(names: str, cases: Iterable[Any], every: int) -> pytest.MarkDecorator:
    """`parametrize`: each `every`-th case, and the last, run for every change; the others every night."""
    cases = list(cases)
    chosen = {*range(0, len(cases), every), len(cases) - 1}
    return pytest.mark.parametrize(names, [case if i in chosen else nightly(case) for i, case in enumerate(cases)])


def pairs(names: Sequence[str], *axes: Iterable[Any], strength: int = 2, ids: Any = None) -> pytest.MarkDecorator:
    """`parametrize` with all combinations of the values of some axes. For every change run so many of them that every
    `strength` values of different axes come together; the others every night."""
    listed = [list(axis) for axis in axes]
    every = list(product(*(range(len(axis)) for axis in listed)))
    places = list(combinations(range(len(listed)), strength))
    to_meet = {(at, tuple(case[i] for i in at)) for case in every for at in places}
    chosen = set[tuple[int, ...]]()
    used = Counter[tuple[int, int]]()
    while to_meet:
        meets = {case: sum((at, tuple(case[i] for i in at)) in to_meet for at in places) for case in every}
        most = max(meets.values())
        best = min(
            (case for case in every if meets[case] == most),
            key=lambda case: sum(used[each] for each in enumerate(case)),
        )
        chosen.add(best)
        used.update(enumerate(best))
        to_meet -= {(at, tuple(best[i] for i in at)) for at in places}
    values = [[axis[i] for axis, i in zip(listed, case, strict=True)] for case in every]
    cases = [case if at in chosen else nightly(*case) for at, case in zip(every, values, strict=True)]
    return pytest.mark.parametrize(names, cases, ids=ids)
