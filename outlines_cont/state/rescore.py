"""The model's own log-probabilities of what rows already hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan

import torch
from torch import Tensor

from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.kernels.bitmask import unpack
from outlines_cont.kernels.laws import candidate_logprobs, ids_on
from outlines_cont.kv.given_tokens import given_logprobs, of_laws
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.ends import replay
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece, Segment, SpanStop


def rescored(model: LanguageModel, rows: Sequence[Row]) -> tuple[list[Row], list[Claim | None]]:
    """The rows with every generated token's log-probability, and every stop's, taken in their present context.

    One tree-shaped pass. A token that begins its row has no context: it becomes a given one. So does the stop of a
    span whose beginning was cut off: nobody can say what its constraint allowed. Proposals stay.
    """
    rescorings = [_RowRescoring(row, model.encoder) for row in rows]
    needs = [need for rescoring in rescorings for need in rescoring.needs]
    logits, claims = read(model, needs)
    answers = iter(torch.split(logits, [len(need.wanted) for need in needs]))
    return [rescoring.rescored(answers) for rescoring in rescorings], claims


def stop_logprob(constraint: Constraint, guide: FullGuide, state: GuideState, logits: Tensor) -> float:
    """The log-probability that a text under this guide ends in this state, whose tokens go on with it: logits `[V]`
    after its last token."""
    allowed = unpack(torch.tensor(guide.mask(state)[None], device=logits.device), logits.shape[-1])
    stop_ids = ids_on(guide.vocabulary.eos, logits.device) if constraint.stops_at_eos(guide) else None
    allowed[:, list(guide.vocabulary.eos)] = False
    may_stop = torch.ones(1, dtype=torch.bool, device=logits.device)
    return float(candidate_logprobs(logits[None], allowed, may_stop, stop_ids)[0, -1])


class _RowRescoring:
    """What one row asks of the model, and how the answers become its new log-probabilities.

    Attributes:
        row: the row as it is.
        positions: the positions after which the row's own tokens, stops and segments need logits.
        needs: one for these positions, if there are any, and then those of each stop string, and of each decision.
    """

    def __init__(self, row: Row, encoder: Encoder):
        self.row, self.encoder = row, encoder
        self.positions = _wanted_positions(row)
        exact = row.claim and row.claim.exact_part()
        self.needs = [Need(row.ids, self.positions, exact)] if self.positions else []
        self.needs += _stops_apart(row, encoder)

    def rescored(self, answers: Iterator[Tensor]) -> Row:
        """The row with new log-probabilities. It takes one answer for each of its needs, in their order."""
        row = self.row
        own_logits = next(answers) if self.positions else torch.empty(0, 1)
        logits_after = dict(zip(self.positions, own_logits, strict=True))
        following = [*row.ids[1:], 0]  # after its last token any will do: that line is of a stop
        given = {line: following[position] for line, position in enumerate(self.positions)}
        scores = dict(zip(self.positions, of_laws(given_logprobs(own_logits, given)), strict=True))
        logprobs = tuple(None if value is None or not at else scores[at - 1] for at, value in enumerate(row.logprobs))
        pieces = tuple(self._rescored_piece(start, piece, logits_after, answers) for start, _, piece in row.placed)
        new = replace(row, logprobs=logprobs, pieces=pieces, claim=row.claim and row.claim.exact_part())
        return _with_moved_levels(new, row) if row.resamplings else new

    def _rescored_piece(
        self, start: int, piece: Piece, logits_after: Mapping[int, Tensor], answers: Iterator[Tensor]
    ) -> Piece:
        origin = piece.origin
        if piece.emptied:
            return piece
        if piece.stop is not None:
            end = start + piece.hi - piece.lo
            stop = None  # one that cannot be scored counts as given
            if _has_scorable_stop(piece, end):
                stop = replace(piece.stop, logprob=self._stop_logprob(start, end, piece, logits_after, answers))
            origin = replace(origin, stop=stop)
        if origin.segments:
            origin = replace(origin, segments=self._rescored_segments(start, piece, logits_after))
        if origin.notes.grafted:
            origin = replace(origin, notes=origin.notes.exact())
        return piece if origin is piece.origin else replace(piece, origin=origin)

    def _stop_logprob(
        self, start: int, end: int, piece: Piece, logits_after: Mapping[int, Tensor], answers: Iterator[Tensor]
    ) -> float:
        """The log-probability of a span's stop: of the stop string's tokens, or of the span's not going on."""
        origin, stop, constraint = piece.origin, piece.stop, piece.origin.constraint
        assert stop is not None and constraint is not None
        if stop.dropped is not None:
            return sum(of_laws(given_logprobs(next(answers), dict(enumerate(stop.dropped))))) if stop.dropped else 0.0
        if constraint.kind == "control" and origin.freed is None:
            return 0.0  # the controller ended the span, not the model
        if constraint.guide_is_lost and origin.freed is None:
            return nan
        if piece.way is not None:
            from outlines_cont.ways import way_logprob

            return way_logprob(constraint, self.encoder, self.row.ids[:end], piece.way, answers)
        begin = origin.freed or 0
        ids = origin.notes.told(self.row.ids[start + begin : end], begin)
        if origin.freed is None:
            guide = constraint.guide_of(ids, origin.healed)
        else:  # the span ended as a text without a constraint
            guide, constraint = guides.text(constraint.guide.vocabulary), replace(constraint, unbanned=None)
        return _end_logprob(constraint, guide, ids, logits_after[end - 1], origin.healed)

    def _rescored_segments(self, start: int, piece: Piece, logits_after: Mapping[int, Tensor]) -> tuple[Segment, ...]:
        """The origin's segments. Those whose stops cannot be scored get NaN; a span without its beginning has none."""
        if piece.lo:
            return ()
        scorable = {id(segment) for segment in _scorable_segments(start, piece)}
        rescored = []
        for segment in piece.origin.segments:
            logprob = nan
            if id(segment) in scorable and segment.guide is not None and piece.origin.constraint is not None:
                begin, end = start + segment.begin, start + segment.end
                ids = piece.origin.notes.told(self.row.ids[begin:end], segment.begin)
                logits = logits_after[end - 1]
                logprob = _end_logprob(piece.origin.constraint, segment.guide, ids, logits)
            rescored.append(replace(segment, stop=replace(segment.stop, logprob=logprob)))
        return tuple(rescored)


def _wanted_positions(row: Row) -> tuple[int, ...]:
    """The positions after which logits are needed: before drawn tokens, and where spans and segments end."""
    wanted = {at - 1 for at, value in enumerate(row.logprobs) if value is not None and at}
    for start, end, piece in row.placed:
        apart = piece.stop is not None and (piece.stop.dropped is not None or piece.way is not None)
        if _has_scorable_stop(piece, end) and not apart:
            wanted.add(end - 1)
        wanted |= {start + segment.end - 1 for segment in _scorable_segments(start, piece)}
    return tuple(sorted(wanted))


def _stops_apart(row: Row, encoder: Encoder) -> Iterator[Need]:
    """The needs of stops that other tokens than the row's decide, in the order of its pieces: of stop strings those of
    the tokens that they dropped; and those of decisions between ways."""
    for _, end, piece in row.placed:
        if not _has_scorable_stop(piece, end) or piece.stop is None:
            continue
        claim = row.claim and row.claim.exact_part()
        claim = claim and claim.crop(end)  # beyond it other tokens follow in the row
        if dropped := piece.stop.dropped:
            ids = row.ids[:end] + dropped
            yield Need(ids, tuple(range(end - 1, len(ids) - 1)), claim)
        elif piece.way is not None and piece.origin.constraint is not None:
            from outlines_cont.ways import way_needs

            yield from way_needs(piece.origin.constraint, encoder, row.ids[:end], claim)


def _has_scorable_stop(piece: Piece, end: int) -> bool:
    return bool(piece.stop and piece.whole and piece.origin.constraint and end)


def _scorable_segments(start: int, piece: Piece) -> Iterator[Segment]:
    """The segments of the piece, which starts at this position, whose stops can be scored."""
    segments = () if piece.lo or piece.origin.constraint is None else piece.segments
    return (segment for segment in segments if segment.guide is not None and start + segment.end)


def _end_logprob(
    constraint: Constraint, guide: FullGuide, ids: Sequence[int], logits: Tensor, healed: bytes = b""
) -> float:
    """The log-probability that these tokens of a guide end there; NaN if they do not fit their own constraint.

    logits: `[V]`, after the last token.
    """
    state = replay(guide, ids)
    if state is None:
        return nan
    if constraint.must_stop(guide, state, ids, healed):
        return 0.0
    return stop_logprob(constraint, *constraint.going_on(guide, state, ids, healed), logits)


def _with_moved_levels(new: Row, old: Row) -> Row:
    """The rescored row, whose resamplings weigh what they replace as the new log-probabilities do."""
    resamplings = tuple(
        resampling._replace(
            level=resampling.level + new.replaced_logprob(resampling) - old.replaced_logprob(resampling)
        )
        for resampling in old.resamplings
    )
    return replace(new, resamplings=resamplings)


def without_scores(row: Row) -> Row:
    """The row as another model takes it over: its tokens and spans, without any number that this model computed."""

    def blank(values: tuple[float | None, ...]) -> tuple[float | None, ...]:
        return tuple(value if value is None else nan for value in values)

    def unknown(stop: SpanStop) -> SpanStop:
        return replace(stop, logprob=nan, proposal=nan)

    def emptied(origin: Origin) -> Origin:
        segments = tuple(replace(segment, stop=unknown(segment.stop)) for segment in origin.segments)
        notes = origin.notes._replace(candidates=(), grafted=(), alternatives=(), entropies=())
        return replace(origin, stop=origin.stop and unknown(origin.stop), segments=segments, notes=notes)

    pieces = tuple(
        replace(piece, origin=emptied(piece.origin)) if piece.origin.constraint is not None else piece
        for piece in row.pieces
    )
    return replace(
        row,
        logprobs=blank(row.logprobs),
        proposals=blank(row.proposals),
        pieces=pieces,
        claim=None,
        beside=row.beside and row.beside.without_claims(),
        resamplings=tuple(resampling._replace(level=nan) for resampling in row.resamplings),
    )
