"""Samplers: who goes on with which candidate. Pure functions of laws and hypotheses.

A *candidate* is a token id, or V (one past the last id): the stop.

>>> two = oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=2, top_k=20))
>>> two("Mira lives in ", seed=0)
[['Femilby', 'Riga']]
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from numbers import Real
from typing import Protocol, cast

import torch

from outlines_cont.decode.draws import Answer, Backtrack, Replace, Resample
from outlines_cont.decode.hooks import Review
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import TooManyRetries
from outlines_cont.errors import SampleMismatch
from outlines_cont.kernels.draw import BLOCK, draw
from outlines_cont.kernels.laws import Candidates, Law, Option
from outlines_cont.kernels.warp import warp
from outlines_cont.state import particles
from outlines_cont.state.random_keys import copied, random_key, uniform
from outlines_cont.state.row import Row

Groups = tuple[tuple[Hypothesis, ...], ...]  # per batch row, its hypotheses


class Sampler(Protocol):
    """What the decoding loop asks of a sampler."""

    @property
    def samples(self) -> int: ...

    @property
    def length_penalty(self) -> float: ...

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        """The rows that one batch row's samples start from, each with the place of the one it comes from.

        SampleMismatch if their number does not fit.
        """
        ...

    @property
    def joint(self) -> bool:
        """Whether the samples of a batch row are one search, of which nobody knows before its end who stays."""
        ...

    @property
    def forced(self) -> bool:
        """Whether a generator appends what its constraint leaves no choice about, unless it is told otherwise."""
        ...

    def choose(self, groups: Groups, law: Candidates, seed: int, review: Review | None = None) -> Groups:
        """The next hypotheses of every batch row. The law has a row for each one that is ready, in order.

        `review`: the hooks that what is drawn must pass; they look at the law, which is a `Law` then.
        """
        ...

    def elect(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        """Of a ballot's options, with these log-probabilities: the law that they are elected by, and who is."""
        ...

    def sifted(self, group: Sequence[Hypothesis], seed: int) -> tuple[Hypothesis, ...]:
        """Those of one batch row's hypotheses that go on after ballots, where nothing is drawn in the same step."""
        ...

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Those of one batch row's hypotheses, all of which have ended, that are its samples."""
        ...


class _RowByRow:
    """Samplers for which the samples have nothing to do with each other."""

    forced = True
    joint = False

    def choose(self, groups: Groups, law: Candidates, seed: int, review: Review | None = None) -> Groups:
        live = [h for group in groups for h in group if h.ready]
        law = self._warped(law)
        options = self._draw(live, law, seed)
        if review is None:
            grown = iter([h.extend(*option) for h, option in zip(live, options, strict=True)])
        else:
            seen = cast(Law, law)

            def redraw(h: Hypothesis, law: Law) -> tuple[Law, Option]:
                law = cast(Law, self._warped(law))
                return law, self._draw([h], law, seed)[0]

            drawn = enumerate(zip(live, options, strict=True))
            grown = iter([review.settle(h, i, option, seen.row(i), redraw) for i, (h, option) in drawn])
        return tuple(tuple(x for h in group for x in (next(grown) if h.ready else (h,))) for group in groups)

    def _warped(self, law: Candidates) -> Candidates:
        """The law drawn from."""
        return law

    def _draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        """What each row draws."""
        raise NotImplementedError

    def sifted(self, group: Sequence[Hypothesis], seed: int) -> tuple[Hypothesis, ...]:
        return tuple(group)

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        return list(group)


@dataclass(frozen=True)
class Greedy(_RowByRow):
    """The likeliest candidate, for every row by itself; of equal ones the smallest token id, and the stop last."""

    samples = 1
    length_penalty = 0.0

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        return list(enumerate(rows))

    def _draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        return law.greedy()

    def elect(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        return values, [values.index(max(values))]


@dataclass(frozen=True)
class Multinomial(_RowByRow):
    """Random draws, for every row by itself; see `multinomial`."""

    samples: int = 1
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    length_penalty = 0.0

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if self.samples == 1 or len(rows) == self.samples:
            return list(enumerate(rows))
        if len(rows) == 1:
            return [(0, copied(rows[0], i)) for i in range(self.samples)]
        raise SampleMismatch(
            f"{self._call(self.samples)} on a state of {len(rows)} samples: it takes 1 or {self.samples}"
        )

    @staticmethod
    def _call(samples: int) -> str:
        """How the user made it."""
        return f"multinomial(samples={samples})"

    def _warped(self, law: Candidates) -> Candidates:
        return law.warped(self.temperature, self.top_k, self.top_p, self.min_p)

    def _draw(self, live: Sequence[Hypothesis], law: Candidates, seed: int) -> list[Option]:
        return law.drawn([random_key(seed, h.lineage, h.position, h.attempt) for h in live])

    def elect(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        number = uniform(seed, h.lineage, h.position, h.attempt)
        scores = warp(torch.tensor([values], dtype=torch.float64), self.temperature, self.top_k, self.top_p, self.min_p)
        law = torch.log_softmax(scores, dim=-1)
        padded = torch.nn.functional.pad(law.exp(), (0, -len(values) % BLOCK))
        drawn = draw(padded, torch.tensor([number], dtype=torch.float64))
        return law[0].tolist(), drawn.tolist()


@dataclass(frozen=True)
class Particles(Multinomial):
    """Random draws, and resampling on the way; see `smc`."""

    threshold: float = 0.5
    forced = False
    joint = True

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if any(isnan(row.log_importance) for row in rows):
            raise ValueError(
                "smc() on rows whose importance is not known (NaN): state.rescore() or state.resample(reset=True) first"
            )
        return super().widen(rows)

    @staticmethod
    def _call(samples: int) -> str:
        return f"smc(particles={samples})"

    def choose(self, groups: Groups, law: Candidates, seed: int, review: Review | None = None) -> Groups:
        grown = zip(groups, super().choose(groups, law, seed, review), strict=True)
        # nothing of one batch row may depend on how long another takes
        return tuple(self.sifted(new, seed) if any(h.ready for h in old) else new for old, new in grown)

    def sifted(self, group: Sequence[Hypothesis], seed: int) -> tuple[Hypothesis, ...]:
        """One batch row's particles, the finished ones among them, drawn anew if their weights have grown apart."""
        live = [h for h in group if not h.kept]
        if all(h.finished for h in live):
            return tuple(group)
        known = [h.known for h in live]
        importance = [row.log_importance for row in known]
        level, longest = particles.log_mean(importance), max(map(len, known))  # ValueError if one is not known
        # equal weights are not told from each other by rounding
        if particles.effective_sample_size(importance) >= self.threshold * len(live) * (1 - 1e-6):
            return tuple(group)
        places = particles.drawn(importance, seed, live[0].lineage, longest, "systematic")
        marks = [row.resampled(level).resamplings[-1] for row in known]
        new = iter([live[place].resampled(marks[place], copy) for place, copy in particles.numbered(places)])
        return tuple(h if h.kept else next(new) for h in group)


@dataclass(frozen=True)
class BeamSearch:
    """The k hypotheses of largest score; see `beam_search`."""

    beams: int = 4
    length_penalty: float = 0.0
    forced = False
    joint = True

    @property
    def samples(self) -> int:
        return self.beams

    @property
    def width(self) -> int:
        """How many tokens of each hypothesis are looked at: some end at once and leave their place to others."""
        return 2 * self.beams

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if len(rows) > self.beams:
            raise SampleMismatch(
                f"beam_search(beams={self.beams}) on a state of {len(rows)} samples: it takes at most {self.beams}"
            )
        if any(isnan(row.weight) for row in rows):
            raise ValueError(
                "beam_search() on rows whose log-probabilities are not known (NaN): call state.rescore() first"
            )
        # equal rows would only fill the beams with copies of each other; one that has ended is not one that goes on
        best: dict[object, tuple[int, Row]] = {}
        for place, row in enumerate(rows):
            key = (row.ids, row.finished == "stop", row.borders)
            if not row.dead and (key not in best or row.weight > best[key][1].weight):
                best[key] = (place, row)
        return list(best.values())

    def choose(self, groups: Groups, law: Candidates, seed: int, review: Review | None = None) -> Groups:
        rows = iter(range(len(law)))
        options = law.best(self.width)
        chosen = []
        for group in groups:
            live = [(h, next(rows)) for h in group if h.ready]
            own = [options[row] for _, row in live]
            chosen.append(self._search(group, live, own, law, review) if live else group)
        return tuple(chosen)

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        kept, others = [h for h in group if h.kept], _distinct([h for h in group if not h.kept])
        others = sorted(others, key=_rank)[: self.beams - len(kept)]
        ranked = sorted([*kept, *others], key=lambda h: -h.score)
        return [h if h.kept else h.changed(row=copied(h.row, i)) for i, h in enumerate(ranked)]

    def elect(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        best = sorted(range(len(values)), key=lambda place: -values[place])[: self.beams]
        return values, [place for place in best if values[place] > -inf]

    def sifted(self, group: Sequence[Hypothesis], seed: int = 0) -> tuple[Hypothesis, ...]:
        old = [h for h in group if h.kept]
        beams = self.beams - len(old)
        pool = sorted(_distinct([h for h in group if h.finished and not h.kept]), key=_rank)[:beams]
        going = sorted([h for h in group if not h.finished], key=_rank)[:beams]
        if pool and len(pool) == beams and not pool[-1].cut:
            going = [h for h in going if h.bound > pool[-1].score]
        return (*old, *pool, *going)

    def _search(
        self,
        group: Sequence[Hypothesis],
        live: Sequence[tuple[Hypothesis, int]],
        options: list[list[Option]],
        law: Candidates,
        review: Review | None,
    ) -> tuple[Hypothesis, ...]:
        """`live`: those that are ready, each with its row of the law; options: the best `width` of each."""
        beams = self.beams - sum(h.kept for h in group)
        vetting = _Vetting(law, review)
        width = self.width
        while True:
            vetting.made.clear()
            found = [h for h in group if not h.ready]
            for (h, row), [*_, stop] in zip(live, options, strict=True):
                if stop[1] > -inf:
                    found += vetting.taken(h, row, stop)
            ranked = sorted(
                (-h.score_with(value), i, token, value, proposal)
                for i, ((h, _), own) in enumerate(zip(live, options, strict=True))
                for token, value, proposal in own[:-1]
                if value > -inf
            )
            room = beams
            for _, i, *option in ranked:
                if room <= 0:
                    break
                taken = vetting.taken(*live[i], cast(Option, tuple(option)))
                found += taken
                room -= sum(not h.finished for h in taken)
            if room <= 0 or not vetting.declined or width >= law.stop:
                break
            width *= 2  # what the hooks declined left its place to others, too
            options = law.best(width, [row for _, row in live])
        if not found:
            raise TooManyRetries("the hooks have banned all that the constraint allows")
        return self.sifted(found)


class _Vetting:
    """What the hooks let pass of a beam search's candidates: each is asked about once."""

    def __init__(self, law: Candidates, review: Review | None):
        self.law, self.review = law, review
        self.declined: dict[int, set[int]] = {}  # candidates, by row
        self.made: set[tuple[int, Answer]] = set()  # what rows have become: several may be replaced by the same
        self._answers: dict[tuple[int, int], Answer] = {}

    def taken(self, h: Hypothesis, row: int, option: Option) -> tuple[Hypothesis, ...]:
        """What a hypothesis becomes with this candidate: nothing, if that is declined."""
        if self.review is None:
            return h.extend(*option)
        declined = self.declined.get(row, set())
        if option[0] in declined:
            return ()
        law, key = cast(Law, self.law).row(row), (row, option[0])
        if key not in self._answers:
            self._answers[key] = self.review.ask(h, row, option, law)
        answer = self._answers[key]
        if isinstance(answer, Resample):
            self.declined[row] = declined = declined | {option[0]} | self.review.banned(answer, option, law)
            if len(declined) > h.settings.retries:
                raise TooManyRetries(
                    f"the hooks declined over {h.settings.retries} candidates of one position (retries)"
                )
            return ()
        if isinstance(answer, Backtrack):
            raise ValueError(f"{answer} under beam search: hypotheses are not sent back; decline with Resample()")
        made = (row, answer or Replace(None if option[0] == law.stop else option[0]))
        if made in self.made:
            return ()
        self.made.add(made)
        return self.review.follow(h, row, option, law, answer)


def _rank(h: Hypothesis) -> tuple[bool, float]:
    """Best first; what was cut short comes after all that is whole."""
    return h.cut, -h.score


def _distinct(group: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Of hypotheses that wrote the same spans and differ only in how they stopped, the one of largest score."""
    best: dict[object, Hypothesis] = {}
    for h in group:
        key = (h.row.ids, h.ids, h.row.borders) if h.finished == "stop" else id(h)
        if key not in best or h.score > best[key].score:
            best[key] = h
    return list(best.values())


def greedy() -> Greedy:
    """The likeliest candidate at every position.

    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2)
    ' blue.'
    """
    return Greedy()


def multinomial(
    samples: int = 1,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
) -> Multinomial:
    """Random draws from the constrained law after temperature, top-k, top-p and min-p, in transformers' order.

    Candidates of equal probability are kept or dropped together. temperature: taken to be within 1e-30 … 1e30.
    `samples=k` widens a state of one sample to k. The stop is a candidate like any token. What a row draws depends on
    the seed, its lineage and its position alone.

    >>> three = oc.samplers.multinomial(samples=3, temperature=0.7, top_p=0.9)
    >>> oc.generate.regex(model, "[A-Z][a-z]+", three)("Mira lives in ", seed=0)
    [['Dafemby', 'Riga', 'Athens']]
    """
    _check("samples", samples, _whole(samples), "an int ≥ 1")
    _check(
        "temperature", temperature, _number(temperature) and temperature > 0, "a number > 0; greedy() is the limit at 0"
    )
    _check("top_k", top_k, top_k is None or _whole(top_k), "an int ≥ 1 or None")
    _check("top_p", top_p, top_p is None or (_number(top_p) and 0 < top_p <= 1), "in (0, 1] or None")
    _check("min_p", min_p, min_p is None or (_number(min_p) and 0 <= min_p <= 1), "in [0, 1] or None")
    top_p, min_p = (value if value is None else float(value) for value in (top_p, min_p))
    return Multinomial(int(samples), float(temperature), top_k and int(top_k), top_p, min_p)


def smc(particles: int = 8, threshold: float = 0.5, temperature: float = 1.0) -> Particles:
    """Sequential Monte Carlo: random draws as of `multinomial`, as particles that stand for the model's own law.

    Drawing token by token under a constraint prefers what looks likely until it must be paid for: the law is not that
    of the model, given the constraint. The difference is each sample's `log_importance`. When these have grown apart,
    so that the effective sample size of a batch row falls below `threshold` · particles, its particles are resampled,
    the finished ones among them. Afterwards weigh the samples by exp(log_importance), or `resample()`; as the number of
    particles grows, estimates converge to the model's law given the constraint. temperature: of the draws; the weights
    make up for it. Lew et al. 2023, "Sequential Monte Carlo Steering of Large Language Models" (arXiv:2306.03081); Park
    et al. 2024, "Grammar-Aligned Decoding" (arXiv:2405.21047), on the law that is missed.

    >>> city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.smc(4)), name="city")
    >>> state = city("Mira lives in ", seed=1)
    >>> state.captures["city"], state.log_importance.round(decimals=1).tolist()
    ([[['Porto'], ['Lima'], ['Lima'], ['Porto']]], [[-18.7, -2.3, -2.3, -18.7]])
    """
    _check("particles", particles, _whole(particles), "an int ≥ 1")
    _check("threshold", threshold, _number(threshold) and 0 <= threshold <= 1, "in [0, 1]")
    _check("temperature", temperature, _number(temperature) and temperature > 0, "a number > 0")
    return Particles(int(particles), float(temperature), threshold=float(threshold))


def beam_search(beams: int = 4, length_penalty: float = 0.0) -> BeamSearch:
    """The `beams` hypotheses of largest Σ of the model's own log-probabilities and stops / length ^ length_penalty.

    The constraint does not renormalise them; the length counts the row's generated tokens. Finished hypotheses keep
    their score and stay in the pool; the search ends when `beams` finished ones beat every live one's bound. It starts
    from any number of samples up to `beams`, with their weights, so a chain of steps is one search. Hypotheses are
    token sequences: several may spell the same text.

    >>> city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.beam_search(2)))
    >>> state = city("Mira lives in ")
    >>> [text[14:] for text in state], state.weights.round(decimals=2).tolist()
    (['Lisbon', 'Lima'], [[-3.99, -4.03]])
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
