"""Samplers: who goes on with which candidate. Pure functions of laws and hypotheses.

A *candidate* is a token id, or V (one past the last id): the stop.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import inf, isfinite, isnan
from numbers import Real
from typing import Protocol, cast

import torch
from torch import Tensor

from outlines_cont.errors import SampleMismatch
from outlines_cont.hypothesis import Hypothesis
from outlines_cont.kernels.sampling import Law, Option, draw
from outlines_cont.lineage import copied
from outlines_cont.row import Row

Groups = tuple[tuple[Hypothesis, ...], ...]  # per batch row, its hypotheses


class Sampler(Protocol):
    """What the decoding loop asks of a sampler."""

    @property
    def samples(self) -> int: ...

    @property
    def length_penalty(self) -> float: ...

    def widen(self, rows: Sequence[Row]) -> list[Row]:
        """The rows that one batch row's samples start from. SampleMismatch if their number does not fit."""
        ...

    def choose(self, groups: Groups, law: Law, seed: int) -> Groups:
        """The next hypotheses of every batch row. The law has a row for each unfinished one, in order."""
        ...

    def collect(self, group: Sequence[Hypothesis]) -> list[Row]:
        """The rows of one batch row whose hypotheses have all ended."""
        ...


class _RowByRow:
    """Samplers for which the samples have nothing to do with each other."""

    def collect(self, group: Sequence[Hypothesis]) -> list[Row]:
        return [h.as_row() for h in group]


@dataclass(frozen=True)
class Greedy(_RowByRow):
    """The likeliest candidate, for every row by itself; of equal ones the smallest token id, and the stop last."""

    samples = 1
    length_penalty = 0.0

    def widen(self, rows: Sequence[Row]) -> list[Row]:
        return list(rows)

    def choose(self, groups: Groups, law: Law, seed: int) -> Groups:
        return _each(groups, law, law.likeliest)


@dataclass(frozen=True)
class Multinomial(_RowByRow):
    """Random draws, for every row by itself; see `multinomial`."""

    samples: int = 1
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    length_penalty = 0.0

    def widen(self, rows: Sequence[Row]) -> list[Row]:
        if self.samples == 1 or len(rows) == self.samples:
            return list(rows)
        if len(rows) == 1:
            return [copied(rows[0], i) for i in range(self.samples)]
        raise SampleMismatch(
            f"multinomial(samples={self.samples}) on a state of {len(rows)} samples: it takes 1 or {self.samples}"
        )

    def choose(self, groups: Groups, law: Law, seed: int) -> Groups:
        law = law.warped(self.temperature, self.top_k, self.top_p, self.min_p)
        live = [h for group in groups for h in group if not h.finished]
        uniforms = torch.tensor([uniform(seed, h.lineage, h.position, h.attempt) for h in live], dtype=torch.float64)
        return _each(groups, law, draw(law.probabilities, uniforms))


@dataclass(frozen=True)
class BeamSearch:
    """The k hypotheses of largest score; see `beam_search`."""

    beams: int = 4
    length_penalty: float = 0.0

    @property
    def samples(self) -> int:
        return self.beams

    def widen(self, rows: Sequence[Row]) -> list[Row]:
        if len(rows) > self.beams:
            raise SampleMismatch(
                f"beam_search(beams={self.beams}) on a state of {len(rows)} samples: it takes at most {self.beams}"
            )
        if any(isnan(row.weight) for row in rows):
            raise ValueError(
                "beam_search() on rows whose log-probabilities are not known (NaN): call state.rescore() first"
            )
        # equal rows would only fill the beams with copies of each other; one that has ended is not one that goes on
        best: dict[object, Row] = {}
        for row in rows:
            key = (row.ids, row.finished == "stop")
            if not row.dead and (key not in best or row.weight > best[key].weight):
                best[key] = row
        return list(best.values())

    def choose(self, groups: Groups, law: Law, seed: int) -> Groups:
        # twice as many as there are beams: some end at once and leave their place to others
        best = law.logits[:, : law.stop].topk(min(2 * self.beams, law.stop), dim=-1).indices
        options = iter(law.options(torch.cat([best, torch.full_like(best[:, :1], law.stop)], dim=-1)))
        return tuple(
            group
            if all(h.finished for h in group)
            else tuple(self._search(group, [(h, next(options)) for h in group if not h.finished]))
            for group in groups
        )

    def collect(self, group: Sequence[Hypothesis]) -> list[Row]:
        kept, others = [h for h in group if h.kept], _distinct([h for h in group if not h.kept])
        others = sorted(others, key=lambda h: -h.score)[: self.beams - len(kept)]
        ranked = sorted([*kept, *others], key=lambda h: -h.score)
        return [h.as_row() if h.kept else copied(h.as_row(), i) for i, h in enumerate(ranked)]

    def _search(self, group: Sequence[Hypothesis], live: Sequence[tuple[Hypothesis, list[Option]]]) -> list[Hypothesis]:
        """`live`: the unfinished ones, each with its likeliest tokens and, last, the stop."""
        done = [h for h in group if h.finished]
        beams = self.beams - sum(h.kept for h in done)
        done += [h.extend(*options[-1]) for h, options in live if options[-1][1] > -inf]
        ranked = sorted(
            (-h.score_with(value), i, token, value, proposal)
            for i, (h, options) in enumerate(live)
            for token, value, proposal in options[:-1]
            if value > -inf
        )
        going: list[Hypothesis] = []
        for _, i, token, value, proposal in ranked:
            if len(going) == beams:
                break
            hypothesis = live[i][0].extend(token, value, proposal)
            (done if hypothesis.finished else going).append(hypothesis)
        kept, pool = [h for h in done if h.kept], [h for h in done if not h.kept]
        pool = sorted(_distinct(pool), key=lambda h: -h.score)[:beams]
        if len(pool) == beams and all(pool[-1].score >= h.bound for h in going):
            going = []
        return [*kept, *pool, *going]


def _distinct(group: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Of hypotheses that wrote the same and differ only in how they stopped, the one of largest score."""
    best: dict[object, Hypothesis] = {}
    for h in group:
        key = (h.row.ids, h.ids) if h.finished == "stop" else id(h)
        if key not in best or h.score > best[key].score:
            best[key] = h
    return list(best.values())


def _each(groups: Groups, law: Law, chosen: Tensor) -> Groups:
    """Every unfinished hypothesis goes on with the candidate chosen for it: int64 `[live]`."""
    options = iter(law.options(chosen[:, None]))
    return tuple(tuple(h if h.finished else h.extend(*next(options)[0]) for h in group) for group in groups)


def uniform(seed: int, lineage: tuple[int, ...], position: int, attempt: int) -> float:
    """A number in [0, 1) that is a function of its key alone: 53 bits of BLAKE2b."""
    key = ",".join(map(str, (seed, *lineage, "at", position, attempt)))
    return (int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little") >> 11) * 2.0**-53


def greedy() -> Greedy:
    """The likeliest candidate at every position."""
    return Greedy()


def multinomial(
    samples: int = 1,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Multinomial:
    """Random draws from the constrained law after temperature, top-k, top-p and min-p, in transformers' order.

    `samples=k` widens a state of one sample to k. The stop is a candidate like any token. What a row draws depends on
    the seed, its lineage and its position alone.
    """
    _check("samples", samples, _whole(samples), "an int ≥ 1")
    _check(
        "temperature", temperature, _number(temperature) and temperature > 0, "a number > 0; greedy() is the limit at 0"
    )
    _check("top_k", top_k, top_k is None or _whole(top_k), "an int ≥ 1 or None")
    _check("top_p", top_p, top_p is None or (_number(top_p) and 0 < top_p <= 1), "in (0, 1] or None")
    _check("min_p", min_p, min_p is None or (_number(min_p) and 0 <= min_p <= 1), "in [0, 1] or None")
    return Multinomial(int(samples), float(temperature), top_k and int(top_k), top_p, min_p)


def beam_search(beams: int = 4, length_penalty: float = 0.0) -> BeamSearch:
    """The `beams` hypotheses of largest Σ of the model's own log-probabilities and stops / length ^ length_penalty.

    The constraint does not renormalise them; the length counts the row's generated tokens. Finished hypotheses keep
    their score and stay in the pool; the search ends when `beams` finished ones beat every live one's bound. It starts
    from any number of samples up to `beams`, with their weights, so a chain of steps is one search. Hypotheses are
    token sequences: several may spell the same text.
    """
    _check("beams", beams, _whole(beams), "an int ≥ 1")
    _check("length_penalty", length_penalty, _number(length_penalty), "a finite number")
    return BeamSearch(int(beams), float(length_penalty))


def _whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool) and operator.index(cast(int, value)) >= 1


def _number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)


def _check(name: str, value: object, fine: bool, right: str) -> None:
    if not fine:
        raise ValueError(f"{name}={value!r}: it must be {right}")
