"""Particles: samples that are weighed by their importance, and resampled by it (sequential Monte Carlo)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import exp, fsum, inf, isnan, log, nan
from typing import NamedTuple

from outlines_cont.state.random_keys import uniform
from outlines_cont.state.row import Row
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
            f"weight says nothing. {wrong.instead}; or take all samples as equal with state.resample(reset=True)"
        )
    importances = [(place, row.log_importance) for place, row in enumerate(rows) if not row.dead]
    if unclear := [place for place, importance in importances if isnan(importance)]:
        raise ValueError(
            f"{doing}: the importance of sample{'s' * (len(unclear) > 1)} {', '.join(map(str, unclear))} is not known "
            f"(log_importance is NaN): {_why_unknown(rows[unclear[0]])}, or take all samples as equal with "
            "state.resample(reset=True)"
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
    """Why a span is no random draw by the law that its proposals say, and what to do instead; None if it is one, or was
    given."""
    if piece.kind != "generated" or piece.emptied:
        return None
    if piece.origin.chosen_by is not None:
        return f"{piece.origin.chosen_by} took the best candidates and drew none", DRAW
    if piece.generator == "control":
        return "its controller may have given up draws, forked rows and dropped them", SAY
    return None


# --- particles

METHODS = ("multinomial", "systematic")


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
    """As many places as there are values, in ascending order, each drawn in proportion to its importance.

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
