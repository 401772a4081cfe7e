"""The model's own log-probabilities of what rows already hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, nan

import torch
from torch import Tensor

from outlines_cont.fsm import guide as guides
from outlines_cont.kernels.bitmask import unpack
from outlines_cont.kernels.constrain import candidate_logprobs
from outlines_cont.kernels.log_sum_exp import log_sum_exp
from outlines_cont.kv.query import Query
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.constraint import Constraint, Guide, GuideState, replay
from outlines_cont.state.row import Piece, Row, Segment

Read = Callable[[Sequence[Query]], tuple[Tensor, list[Claim | None]]]


def rescored(read: Read, rows: Sequence[Row]) -> tuple[list[Row], list[Claim | None]]:
    """The rows with every generated token's log-probability, and every stop's, taken in their present context.

    One tree-shaped pass. A token that begins its row has no context: it becomes a given one. So does the stop of a
    span whose beginning was cut off: nobody can say what its constraint allowed. Proposals stay.
    """
    link_settings = [_Job(row) for row in rows]
    queries = [query for settings in link_settings for query in settings.queries]
    logits, claims = read(queries)
    answers = iter(torch.split(logits, [len(query.wanted) for query in queries]))
    return [settings.done(answers) for settings in link_settings], claims


def stop_logprob(constraint: Constraint, guide: Guide, state: GuideState, logits: Tensor) -> float:
    """Log-probability that what this guide is for ends in this state: logits `[V]` after its last token."""
    allowed = unpack(torch.tensor(guide.mask(state)[None], device=logits.device), logits.shape[-1])
    stop_ids = constraint.stop_ids(logits.device)
    allowed[:, list(guide.vocabulary.eos)] = False
    may_stop = torch.ones(1, dtype=torch.bool, device=logits.device)
    return float(candidate_logprobs(logits[None], allowed, may_stop, stop_ids)[0, -1])


@dataclass
class _Job:
    """The queries of one row, and how to put the answers back."""

    row: Row
    queries: list[Query] = field(default_factory=list)
    positions: tuple[int, ...] = ()  # those whose logits the row's own tokens and stops need

    def __post_init__(self) -> None:
        row = self.row
        wanted = {at - 1 for at, value in enumerate(row.logprobs) if value is not None and at}
        wanted |= {end - 1 for _, end, piece in row.placed if self._ends(piece, end) and self._asks(piece)}
        wanted |= {start + own.end - 1 for start, _, piece in row.placed for own in self._segments(start, piece)}
        self.positions = tuple(sorted(wanted))
        if self.positions:
            self.queries.append(Query(row.ids, self.positions, row.claim))
        for _, end, piece in row.placed:
            if self._ends(piece, end) and piece.stop and (dropped := piece.stop.dropped):
                ids = row.ids[:end] + dropped
                claim = row.claim and row.claim.crop(end)  # beyond it other tokens follow in the row
                self.queries.append(Query(ids, tuple(range(end - 1, len(ids) - 1)), claim))

    @staticmethod
    def _ends(piece: Piece, end: int) -> bool:
        """Whether a stop stands here that can be scored."""
        return bool(piece.stop and piece.whole and piece.origin.constraint and end)

    @staticmethod
    def _segments(start: int, piece: Piece) -> Iterator[Segment]:
        """The parts of a span whose stops can be scored."""
        held = () if piece.lo or piece.origin.constraint is None else piece.segments
        return (segment for segment in held if segment.guide is not None and start + segment.end)

    @staticmethod
    def _asks(piece: Piece) -> bool:
        """Stop strings ask for the tokens they dropped, all other stops for the logits at the span's end."""
        return piece.stop is not None and piece.stop.dropped is None

    def done(self, answers: Iterator[Tensor]) -> Row:
        row = self.row
        own = next(answers) if self.positions else torch.empty(0)
        laws = dict(zip(self.positions, own, strict=True))
        logprobs = [
            None if value is None or not at else logprob_of(laws[at - 1], row.ids[at])
            for at, value in enumerate(row.logprobs)
        ]
        pieces = []
        for start, end, piece in row.placed:
            stop = piece.stop
            if stop is not None:
                new = None
                if self._ends(piece, end):
                    constraint = piece.origin.constraint
                    assert constraint is not None
                    if stop.dropped is not None:
                        value = sum(map(logprob_of, next(answers), stop.dropped)) if stop.dropped else 0.0
                    elif constraint.kind == "control" and piece.origin.freed is None:
                        value = 0.0  # the controller said so
                    else:
                        guide, ids, freed = (
                            constraint.guide_after(piece.origin.healed),
                            row.ids[start:end],
                            piece.origin.freed,
                        )
                        if freed is not None:
                            guide, ids = guides.text(constraint.guide.vocabulary), ids[freed:]
                        value = self._stop(constraint, guide, ids, laws[end - 1])
                    new = replace(stop, logprob=value)
                piece = replace(piece, origin=replace(piece.origin, stop=new))
            if piece.origin.segments:
                scored = {id(segment) for segment in self._segments(start, piece)}
                kept = tuple(
                    self._segment(row, start, piece, segment, laws, id(segment) in scored)
                    for segment in piece.origin.segments
                )
                piece = replace(piece, origin=replace(piece.origin, segments=() if piece.lo else kept))
            pieces.append(piece)
        new = replace(row, logprobs=tuple(logprobs), pieces=tuple(pieces))
        if row.resamplings:  # particles of one law, weighed as such of another
            moved = (k._replace(level=k.level + new.own_before(k) - row.own_before(k)) for k in row.resamplings)
            new = replace(new, resamplings=tuple(moved))
        return new

    @staticmethod
    def _stop(constraint: Constraint, guide: Guide, ids: Sequence[int], law: Tensor) -> float:
        """What it cost that these tokens of a guide were not continued; NaN if they do not fit their own constraint."""
        if (state := replay(guide, ids)) is None:
            return nan
        return 0.0 if constraint.must_stop(guide, state) else stop_logprob(constraint, guide, state, law)

    def _segment(
        self, row: Row, start: int, piece: Piece, segment: Segment, laws: dict[int, Tensor], known: bool
    ) -> Segment:
        value, constraint = nan, piece.origin.constraint
        if known and segment.guide is not None and constraint is not None:
            ids = row.ids[start + segment.begin : start + segment.end]
            value = self._stop(constraint, segment.guide, ids, laws[start + segment.end - 1])
        return replace(segment, stop=replace(segment.stop, logprob=value))


def logprobs_of(logits: Tensor, tokens: Sequence[Collection[int]]) -> tuple[list[dict[int, float]], list[float]]:
    """For each line of logits `[lines, V]` the log-probabilities of some tokens, and the log-sum-exp over all."""
    logits = logits.float()
    totals = log_sum_exp(logits)
    if not all(map(isfinite, totals)):
        raise ValueError("the model's logits hold NaN or +inf, or are all −inf: they give a text no probability")
    pairs = [(line, token) for line, own in enumerate(tokens) for token in own]
    at = torch.tensor(pairs, dtype=torch.long, device=logits.device).view(-1, 2)
    picked = iter(logits[at[:, 0], at[:, 1]].tolist())
    return [{token: next(picked) - total for token in own} for own, total in zip(tokens, totals, strict=True)], totals


def logprob_of(logits: Tensor, token: int) -> float:
    """The log-probability of one token: logits `[V]`."""
    return float(torch.log_softmax(logits.float(), dim=-1)[token])
