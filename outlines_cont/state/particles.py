"""Particles: samples that are weighed by their importance, and resampled by it (sequential Monte Carlo).

`state.particles` says what they estimate: how likely it is that anything right is written, and which texts, with what
shares.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, fsum, inf, isnan, log, nan
from typing import Generic, NamedTuple

import torch
from torch import Tensor

from outlines_cont.arguments import flag, word
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.grid import Grid, State
from outlines_cont.state.random_keys import copied, seeded, uniform
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.spans import Piece

# --- which samples are random draws, so that they weigh something as particles; and why others are not, or it is
# unknown
#
# A sample's importance is the model's own probability of what was written over that of the law it was drawn from. What
# a sampler chose (greedy, beams), or a controller wrote, was not drawn from that law.

DRAW = "Draw with oc.samplers.multinomial(samples=…) or oc.samplers.smc(…)"
SAY = "Say what it wants by a constraint and a predicate (where=…), which are weighed"


class Undrawn(NamedTuple):
    """A span that is no random draw: of which sample, which one, why, and what to do instead."""

    sample: int
    span: str
    reason: str
    instead: str


def undrawn(rows: Sequence[Row], drawn_next: bool = False) -> Undrawn | None:
    """The first span, of the samples of one batch row, that is no random draw. None: their weights compare them.

    A beginning that all live samples share is given to them, as a prompt is, if each has drawn something after it, or
    is about to (`drawn_next`). What stands before a resampling counts no more: where samples were chosen, that took all
    as equal (`reset`).
    """
    live = [(place, row) for place, row in enumerate(rows) if not row.dead]
    given = _given([row for _, row in live])
    for place, row in live:
        for piece in _weighed(row, given, drawn_next):
            if reason := _reason(piece):
                return Undrawn(place, repr(piece.name) if piece.name else f"of {piece.generator}", *reason)
    return None


def _weighed(row: Row, given: int, drawn_next: bool) -> list[Piece]:
    """The spans that a row's weight depends on: those behind its first pieces that are given, and before no resampling
    that weighed them."""
    placed = list(row.placed)
    if drawn_next or any(piece.kind == "generated" for _, _, piece in placed[given:]):
        placed = placed[given:]
    made = [range(resampling.begin, resampling.position + 1) for resampling in row.resamplings]
    return [piece for start, end, piece in placed if not any(start in each and end in each for each in made)]


def importances_of(rows: Sequence[Row], doing: str, drawn_next: bool = False) -> list[float]:
    """The log importances of the live samples of a batch row.

    doing: what they are asked for, for errors; drawn_next: see `undrawn`.

    Raises:
        ValueError: a sample is no random draw, or its importance is not known: which, why, and what to do instead.
    """
    if wrong := undrawn(rows, drawn_next):
        raise ValueError(
            f"{doing}: the span {wrong.span} of sample {wrong.sample} is no random draw: {wrong.reason}, so that its "
            f"weight says nothing. {wrong.instead}; or take all samples as equal with "
            "state.particles.resample(reset=True)"
        )
    importances = [(place, row.log_importance) for place, row in enumerate(rows) if not row.dead]
    if unclear := [place for place, importance in importances if isnan(importance)]:
        raise ValueError(
            f"{doing}: the importance of sample{'s' * (len(unclear) > 1)} {', '.join(map(str, unclear))} is not known "
            f"(log_importance is NaN): {_why_unknown(rows[unclear[0]])}, or take all samples as equal with "
            "state.particles.resample(reset=True)"
        )
    return [importance for _, importance in importances]


def all_drawn(rows: Sequence[Row]) -> bool:
    """Whether everything that was generated in the live ones of these rows is a random draw."""
    return not any(_reason(piece) for row in rows if not row.dead for piece in row.pieces)


def ancestor(row: Row, place: int) -> int:
    """Which sample a row came from that stands at this place now: −1 if it is dead, or that is not known."""
    if row.dead:
        return -1
    return row.resamplings[0].ancestor if row.resamplings else place


def _why_unknown(row: Row) -> str:
    """Why the importance of a row is NaN, and what to do."""
    stops = [stop for _, stop in row.stops]
    if row.on_graft[1]:
        return "its log-probabilities were measured on a graft. Take them anew with state.rescore()"
    if _some_nan([*row.logprobs, *(stop.logprob for stop in stops)]):
        return "its log-probabilities are not known under this model. Take them anew with state.rescore()"
    edited = any(True for piece in row.pieces for _ in piece.edited)
    if edited or _some_nan([*row.proposals, *(stop.proposal for stop in stops)]):
        return (
            "a hook has declined or replaced its draws, or they were made elsewhere: nobody knows by which law. Say "
            "what the text alone decides as a predicate, where=…, which is weighed"
        )
    if not row.resamplings:
        return "it is impossible, by the model and by the law that it was drawn from. Draw it anew"
    return "tokens or stops were sliced away by which it had been resampled. Join them again"


def _some_nan(values: Sequence[float | None]) -> bool:
    return any(value is not None and isnan(value) for value in values)


def _given(rows: Sequence[Row]) -> int:
    """How many pieces are given: up to the last one of those that all rows begin with that is no random draw.

    Equal tokens of equal spans weigh the same in all rows, also if each row wrote them by itself.
    """
    given = 0
    for number, placed in enumerate(zip(*(row.placed for row in rows), strict=False), 1):
        first = placed[0][2]
        pieces = zip(rows, placed, strict=True)
        if len({(piece.kind, piece.lo, piece.hi, row.ids[start:end]) for row, (start, end, piece) in pieces}) > 1:
            break
        given = number if _reason(first) else given
    return given


def _reason(piece: Piece) -> tuple[str, str] | None:
    """Why a span is no random draw by the law of its proposals, and what to do; None if it is one, or was given."""
    if piece.kind != "generated" or piece.emptied:
        return None
    if piece.origin.chosen_by is not None:
        return f"{piece.origin.chosen_by} took the best candidates and drew none", DRAW
    if piece.generator == "control":
        return "its controller may have given up draws, forked rows and dropped them", SAY
    return None


# --- particles

METHODS = ("multinomial", "systematic")
FEW = 4  # batch rows, in `repr`


def weights(log_importance: Sequence[float]) -> list[float]:
    """exp(log importance), up to a factor: the largest is 1. ValueError if one is NaN, or all are −inf."""
    if any(map(isnan, log_importance)):
        raise ValueError(
            "the importance of some rows is not known (NaN): hooks have edited them, their scores were taken under "
            "another model, or tokens were sliced away by which they had been resampled; reset=True takes all as equal"
        )
    top = max(log_importance)
    if top == -inf:
        raise ValueError("all rows have importance 0: none can be drawn")
    return [exp(value - top) for value in log_importance]


def log_mean(log_importance: Sequence[float]) -> float:
    """The log of the mean of exp(log importance)."""
    return max(log_importance) + log(fsum(weights(log_importance)) / len(log_importance))


def effective_sample_size(log_importance: Sequence[float]) -> float:
    """(Σ w)² / Σ w²: so many equally weighted samples would tell as much (Kong, 1992); NaN if not known."""
    if not log_importance or any(map(isnan, log_importance)) or max(log_importance) == -inf:
        return nan
    relative = weights(log_importance)
    return fsum(relative) ** 2 / fsum(weight * weight for weight in relative)


def drawn(
    log_importance: Sequence[float], seed: int, lineage: tuple[int, ...], position: int, method: str = "multinomial"
) -> list[int]:
    """Equally many places as values, in ascending order, each drawn in proportion to its importance.

    "multinomial" draws them one by one; "systematic" at even distances with one random offset, so that each comes up as
    often as expected, rounded up or down (Kitagawa, 1996). The key of the randomness is (seed, lineage, position).
    """
    ends = list(accumulate(weights(log_importance)))
    count = len(ends)
    if method == "systematic":
        offset = uniform(seed, lineage, position, 0, "resample")
        points = [(i + offset) / count for i in range(count)]
    else:
        points = sorted(uniform(seed, lineage, position, i, "resample") for i in range(count))
    return [min(bisect_right(ends, point * ends[-1]), count - 1) for point in points]


def numbered(places: Sequence[int]) -> list[tuple[int, int]]:
    """Each place with the number of times that it came before: the number of its copy."""
    counts: Counter[int] = Counter()
    copies = []
    for place in places:
        copies.append((place, counts[place]))
        counts[place] += 1
    return copies


# --- particles, as users ask for them


@dataclass(frozen=True, slots=True, repr=False)
class WeighedSamples(Generic[State]):
    """The samples of a state as particles, as `state.particles` gives them: those of each batch row stand, by their
    importance, for one law of texts.

    Attributes:
        state: the state.

    >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
    >>> oc.continuous(drawn)("Mira lives in ", seed=0).particles
    WeighedSamples(1 × 8; effective sample size 6.00; log evidence -3.25)
    """

    state: Grid[State]

    @property
    def log_importance(self) -> Tensor:
        """Σ (logprob − proposal_logprob) over tokens and stops: float64 `(B, S)`, the log of each sample's weight as a
        particle.

        Samples that were drawn under a constraint follow, with the weights exp(log_importance), the model's own law,
        given that the text fits the constraint. The mean of the weights estimates the probability that it does. (Greedy
        decoding and beam search draw nothing, so their numbers have no meaning.) After a resampling the sum begins with
        the level of that resampling. −inf for dead rows. NaN if it is not known: after a hook's edit, after a graft
        (until `rescore()`), and if the tokens at which a row was resampled were sliced away.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> [text[14:] for text in state], state.particles.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-12.33, -2.96, -2.96]])
        """
        return self.state._grid(lambda row: row.log_importance, torch.float64)

    @property
    def effective_sample_size(self) -> Tensor:
        """(Σ w)² / Σ w² of the live samples' importances: float64 `(B,)`; NaN where that is not known, and of samples
        that were not drawn at random (greedy, beams, controllers).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> state.particles.effective_sample_size.round(decimals=2).tolist()
        [6.0]
        """
        return self._of_batch([self.weighing(b)[0] for b in range(len(self.state.rows))])

    @property
    def ancestors(self) -> Tensor:
        """The sample, before the first resampling, from which each sample comes: int64 `(B, S)`.

        Without a resampling each sample is its own ancestor. Samples with equal numbers have a common beginning. If
        only few numbers differ, the samples say less than `effective_sample_size` shows, which sees only the weights
        since the last resampling. −1 for dead samples, and if it is not known (the resampling was sliced away).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=4))
        >>> particles = oc.continuous(drawn)("Mira lives in ", seed=0).particles
        >>> particles.ancestors.tolist(), particles.resample(seed=0).particles.ancestors.tolist()
        ([[0, 1, 2, 3]], [[1, 1, 2, 3]])
        """
        table = [[ancestor(row, s) for s, row in enumerate(rows)] for rows in self.state.rows]
        return torch.tensor(table, dtype=torch.int64, device=self.state.model.device).reshape(len(table), -1)

    def weighing(self, batch: int = 0) -> tuple[float, list[int]]:
        """Of one batch row its effective sample size, and the ancestors of its samples; the others are not looked at.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=4))
        >>> even = oc.continuous(drawn)("Mira lives in ", seed=0).particles.resample(seed=0)
        >>> size, ancestors = even.particles.weighing()
        >>> round(size, 2), ancestors
        (4.0, [1, 1, 2, 3])
        """
        rows = self.state.rows[batch]
        importances = [] if undrawn(rows) else [row.log_importance for row in rows if not row.dead]
        return effective_sample_size(importances), [ancestor(row, s) for s, row in enumerate(rows)]

    @property
    def log_evidence(self) -> Tensor:
        """The log of the mean of exp(`log_importance`) over all S samples of each batch row: float64 `(B,)`.

        The mean is an unbiased estimate of the probability that the model writes a text that constraint and predicate
        accept (for a product of experts: of its mass). Dead rows count in S, with weight 0: also those that were dead
        before the last call, and those that only fill up the grid (`best`, `oc.cat`). −inf if all are dead. NaN where
        the importance of a sample is not known, where a row failed (`errors`), for nobody knows what it would have
        weighed, without samples, and where samples were not drawn at random (greedy decoding, beams, controllers). A
        selection of samples (`state[:, :8]`) is estimated as if it were all of them. Of exact samples it is a proved
        upper bound, and no estimate.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> [round(value, 2) for value in state.particles.log_evidence.tolist()]
        [-3.25]
        """
        return self._of_batch([_log_evidence(rows) for rows in self.state.rows])

    def posterior(self) -> list[dict[str, float]]:
        """Of each batch row the texts that its samples wrote, with their probabilities, likeliest first.

        Each live sample counts by its `log_importance`; the spellings of a text are summed, and the probabilities sum
        to 1. The text is what stands from the row's first generated span on: texts that were appended since then are
        part of it, what was healed and special tokens are not. A generated span whose beginning was sliced away is
        text that was given. Samples that were cut short count with what they have. Dead rows, those that failed
        among them, are left out; a batch row of nothing else, or of samples of weight 0, has an empty dict.

        Raises:
            ValueError: the importance of a live sample is not known (NaN); or one was not drawn at random, but made by
                greedy decoding, beams or a controller (a beginning that all samples share is taken as given).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> [texts] = oc.continuous(drawn)("Mira lives in ", seed=0).particles.posterior()
        >>> {text: round(share, 3) for text, share in texts.items()}
        {'Lima': 0.5, 'Lisbon': 0.5}
        """
        return [_posterior(rows, b, self.state.model.vocabulary) for b, rows in enumerate(self.state.rows)]

    def resample(self, seed: int | None = None, *, reset: bool = False, method: str = "multinomial") -> State:
        """Equally many samples of each batch row, drawn with replacement by `log_importance`; nothing is copied.

        Afterwards all have the same importance, the log-mean of those before (the *level*), so that estimates stay
        right. Copies draw their own random numbers. seed: None takes one from torch's global generator. method:
        "multinomial", or "systematic", which varies less. reset: forget the weights. ValueError for unknown
        importances, and for spans of greedy decoding, beams and controllers.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> even = oc.continuous(drawn)("Mira lives in ", seed=0).particles.resample(seed=0)
        >>> [text[14:] for text in even], even.particles.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-3.36, -3.36, -3.36]])
        """
        word(method, "method", METHODS)
        seed, reset = seeded(seed), flag(reset, "reset")

        def taken(rows: Sequence[Row]) -> list[Row]:
            places = [place for place, row in enumerate(rows) if not row.dead]
            if not places:
                return list(rows)
            live = [rows[place] for place in places]
            importance = [0.0] * len(live) if reset else importances_of(rows, "resample()")
            chosen = drawn(importance, seed, live[0].lineage, max(map(len, live)), method)
            level = log_mean(importance)
            samples = [copied(live[i], copy).resampled(level, places[i]) for i, copy in numbered(chosen)]
            return [*samples, *[DEAD] * (len(rows) - len(live))]

        return self.state._made(list(map(taken, self.state.rows)), self.state.shape[1])

    def _of_batch(self, values: list[float]) -> Tensor:
        return torch.tensor(values, dtype=torch.float64, device=self.state.model.device)

    def __repr__(self) -> str:
        (batch, samples, _), numbers = self.state.shape, (self.effective_sample_size, self.log_evidence)
        sizes, evidence = (", ".join(f"{value:.2f}" for value in each[:FEW].tolist()) for each in numbers)
        more = ", …" * (batch > FEW)
        told = f"effective sample size {sizes}{more}; log evidence {evidence}{more}"
        return f"WeighedSamples({batch} × {samples}; {told})"


def _log_evidence(rows: Sequence[Row]) -> float:
    """The log of the mean of exp(importance); NaN of no rows, of rows that failed or were not drawn, and where one is
    not known. Of exact samples the proved bounds count, which their importance leaves out."""
    values = [nan if isinstance(row, FailedRow) else row.log_importance + _log_bounds(row) for row in rows]
    if not values or any(map(isnan, values)) or not all_drawn(rows):
        return nan
    return -inf if max(values) == -inf else log_mean(values)


def _log_bounds(row: Row) -> float:
    """The log of the probabilities that the constraints of its exact spans are fulfilled, at most."""
    masses = (piece.origin.mass for piece in row.pieces if piece.whole)
    return fsum(log(mass) for mass in masses if mass)


def _posterior(rows: Sequence[Row], batch: int, vocabulary: Vocabulary) -> dict[str, float]:
    importances = importances_of(rows, f"posterior() of batch row {batch}")
    if max(importances, default=-inf) == -inf:
        return {}
    live = (row for row in rows if not row.dead)
    parts: dict[str, list[float]] = defaultdict(list)
    for row, weight in zip(live, each := weights(importances), strict=True):
        parts[_written(row, vocabulary)].append(weight)
    shares = {text: fsum(part) / fsum(each) for text, part in parts.items()}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _written(row: Row, vocabulary: Vocabulary) -> str:
    """What a row says from its first generated span on, without the bytes that this had taken back."""
    for start, _, piece in row.placed:
        if piece.kind == "generated":
            return vocabulary.decode(row.ids[start:])[len(piece.origin.healed) :].decode(errors="replace")
    return ""
