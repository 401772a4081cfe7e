"""One immutable row: its tokens, the spans they belong to, their scores, and its place in the KV tree.

A span is made whole, once: that is its `Origin`. What a row holds are `Piece`s of origins, so cutting a row cuts
pieces, and joining two rows whose pieces meet again makes the span whole again. Nothing else has to be remembered for
`s[..., :n] + s[..., n:]` to be `s`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat
from math import fsum, inf, nan
from typing import Any, Literal, NamedTuple

from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.constraint import Constraint, Guide, GuideState

Kind = Literal["prompt", "text", "generated"]
Finished = Literal["stop", "length", "interrupted", "dead"]


@dataclass(frozen=True, slots=True)
class SpanStop:
    """The decision that a span ends: the model's log-probability of it, and the one of the law drawn from.

    `dropped`: of a stop string, the tokens that were taken out of the row again; None for any other stop.
    """

    logprob: float
    proposal: float
    dropped: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Of a controlled span: its tokens begin … end − 1, written under one guide, which ended where the stop was drawn.

    `guide`: None if the span was loaded from disk, which holds no guides.
    """

    begin: int
    end: int
    stop: SpanStop
    guide: Guide | None = None


class Resampling(NamedTuple):
    """A point of a row at which it was drawn among the samples by its importance.

    `stops`: how many stops stood at that position then; `level`: the log of the samples' mean importance, which takes
    the place of all that lies between `begin` (where another row was put before) and the point. NaN where the point
    was sliced away, so that nobody knows any more what the row was chosen for.
    """

    position: int
    stops: int
    level: float
    begin: int = 0


@dataclass(frozen=True, eq=False)
class Origin:
    """A span as it was made: its kind, its length in tokens, what made it, and how it ended.

    Compared by identity: two spans with equal tokens are two spans.
    """

    kind: Kind
    length: int
    name: str | None = None
    constraint: Constraint | None = None
    finished: Finished | None = None
    stop: SpanStop | None = None
    length_penalty: float = 0.0
    bos: int = 0  # so many tokens at its beginning were added by the tokenizer
    link: int = 0  # its place in the chain that made it
    segments: tuple[Segment, ...] = ()  # in order
    healed: bytes = b""  # that it begins with: they were taken back from the text before it, and are not of its value
    freed: int | None = (
        None  # so many of its tokens were written before its constraint was given up; then it is no value
    )

    tries: tuple[tuple[int, int], ...] = ()  # (place, how many draws were given up there), from its end on
    point: Any = field(default=None, repr=False)  # where its end stands, and what leads there, if a controller made it

    def facts(self) -> tuple[object, ...]:
        """What two equal spans share; the constraint stands for itself by its specification."""
        constraint = self.constraint and self.constraint.spec
        stop = self.stop and _stop_facts(self.stop)
        segments = tuple((segment.begin, segment.end, _stop_facts(segment.stop)) for segment in self.segments)
        own = (self.kind, self.length, self.name, constraint, self.finished, stop, self.length_penalty, self.bos)
        return (*own, self.link, segments, self.healed, self.freed, self.tries)


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Tokens lo … hi − 1 of an origin."""

    origin: Origin
    lo: int
    hi: int

    @property
    def kind(self) -> Kind:
        """A generated span whose beginning was cut off is text: nobody can say what constraint state it began in."""
        return "text" if self.lo and self.origin.kind == "generated" else self.origin.kind

    @property
    def whole(self) -> bool:
        return self.lo == 0 and self.hi == self.origin.length

    @property
    def stop(self) -> SpanStop | None:
        """A stop belongs to the end of its span: cut the end, and it is gone."""
        return self.origin.stop if self.hi == self.origin.length else None

    @property
    def segments(self) -> Iterator[Segment]:
        """The parts whose ends it holds, in the origin's numbers."""
        own = self.origin.segments
        return (segment for segment in own if self.lo < segment.end <= self.hi or segment.end == self.lo == 0)

    @property
    def stops(self) -> Iterator[tuple[int, SpanStop]]:
        """Every stop in it, its own last, with the number of its tokens before it."""
        yield from ((segment.end - self.lo, segment.stop) for segment in self.segments)
        if self.stop:
            yield self.hi - self.lo, self.stop

    @property
    def finished(self) -> Finished | None:
        return self.origin.finished if self.whole and self.origin.kind == "generated" else None

    @property
    def name(self) -> str | None:
        return self.origin.name

    @property
    def generator(self) -> str | None:
        """The kind of the generator that made the span."""
        return self.origin.constraint.kind if self.origin.constraint else None

    @property
    def length(self) -> int:
        """How many tokens the span had when it was made."""
        return self.origin.length

    def contexts(self, ids: tuple[int, ...]) -> Iterator[tuple[Guide, GuideState] | None]:
        """For each token the guide and the state that it was drawn under; None where that is not known.

        ids: the tokens of this piece.
        """
        origin = self.origin
        if self.kind != "generated" or origin.constraint is None:
            yield from repeat(None, len(ids))
        elif origin.constraint.controller is None:
            guide = origin.constraint.guide_after(origin.healed)
            state = guide.initial
            for at, token in enumerate(ids):
                free = state is None or (origin.freed is not None and at >= origin.freed)
                yield None if free else (guide, state)
                state = None if free else guide.advance(state, token)
        elif origin.point is None:
            yield from repeat(None, len(ids))
        else:  # a controller's: what led to its end was remembered
            _, trail = origin.point
            points = []  # before each token, from the last one on
            while trail is not None:
                point, trail = trail
                points.append(None if point.freed is not None else (point.guide, point.state))
            yield from reversed(points[len(points) - self.hi :])


@dataclass(frozen=True, slots=True)
class Span:
    """A span as it stands in a row: tokens `start` … `end` − 1, how it ended if its end is still there, its weight."""

    kind: Kind
    start: int
    end: int
    name: str | None = None
    generator: str | None = None
    finished: Finished | None = None
    stop_logprob: float | None = None
    weight: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """ids, and beside each its two log-probabilities (None where nothing was drawn); pieces cover the ids in order.

    resamplings: in order. One beyond the end was sliced away, and is back when the row is joined with its other part.
    """

    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    pieces: tuple[Piece, ...] = ()
    lineage: tuple[int, ...] = ()
    claim: Claim | None = field(default=None, repr=False)
    dead: bool = False
    resamplings: tuple[Resampling, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    def keyed(self, lineage: tuple[int, ...]) -> Row:
        """The same row with another lineage. `replace` takes four times as long, and forks do nothing else."""
        copy = object.__new__(Row)
        _set_ids(copy, self.ids)
        _set_logprobs(copy, self.logprobs)
        _set_proposals(copy, self.proposals)
        _set_pieces(copy, self.pieces)
        _set_lineage(copy, lineage)
        _set_claim(copy, self.claim)
        _set_dead(copy, self.dead)
        _set_resamplings(copy, self.resamplings)
        return copy

    @property
    def placed(self) -> Iterator[tuple[int, int, Piece]]:
        """Each piece with the positions (start, end) that it takes in this row."""
        start = 0
        for piece in self.pieces:
            end = start + piece.hi - piece.lo
            yield start, end, piece
            start = end

    @property
    def stops(self) -> Iterator[tuple[int, SpanStop]]:
        """Every stop in it, with the number of its tokens before it."""
        return ((start + at, stop) for start, _, piece in self.placed for at, stop in piece.stops)

    @property
    def borders(self) -> tuple[tuple[str | None, int], ...]:
        """Where its generated spans end, and their names."""
        return tuple((piece.origin.name, end) for _, end, piece in self.placed if piece.kind == "generated")

    @property
    def generated(self) -> int:
        """How many tokens of the row were drawn rather than given."""
        return sum(value is not None for value in self.logprobs)

    @property
    def weight(self) -> float:
        """Σ log-probabilities of what was generated, stops included; `fsum` makes it independent of any order."""
        if self.dead:
            return -inf
        stops = (stop.logprob for _, stop in self.stops)
        return fsum([*(v for v in self.logprobs if v is not None), *stops])

    @property
    def length_penalty(self) -> float:
        """That of the last generated span."""
        return next((p.origin.length_penalty for p in reversed(self.pieces) if p.origin.kind == "generated"), 0.0)

    @property
    def score(self) -> float:
        """The weight over (generated tokens) ^ length penalty."""
        return score(self.weight, self.generated, self.length_penalty)

    @property
    def finished(self) -> Finished | None:
        """How the last span ended."""
        if self.dead:
            return "dead"
        return self.pieces[-1].finished if self.pieces else None

    def attempts(self, position: int) -> int:
        """How many draws at this position have been made already that left no token: stops, and what they dropped."""
        stops = sum(end <= position < end + max(len(stop.dropped or ()), 1) for end, stop in self.stops)
        whole = (
            (start - piece.lo, piece.origin.tries) for start, _, piece in self.placed if piece.hi == piece.origin.length
        )
        return stops + sum(count for start, tries in whole for at, count in tries if start + at == position)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(self._span(start, end, piece) for start, end, piece in self.placed)

    def _span(self, start: int, end: int, piece: Piece) -> Span:
        origin, stop = piece.origin, piece.stop
        drawn = [value for value in self.logprobs[start:end] if value is not None]
        return Span(
            kind=piece.kind,
            start=start,
            end=end,
            name=origin.name,
            generator=origin.constraint.kind if origin.constraint else None,
            finished=piece.finished,
            stop_logprob=stop.logprob if stop else None,
            weight=fsum([*drawn, *(stop.logprob for _, stop in piece.stops)]),
        )

    def facts(self) -> tuple[object, ...]:
        """Everything but the KV: what `identical` compares."""
        pieces = tuple((piece.lo, piece.hi, piece.origin.facts()) for piece in self.pieces)
        resamplings = tuple(_comparable(resampling) for resampling in self.resamplings)
        own = (self.ids, *map(_comparable, (self.logprobs, self.proposals)), pieces, self.lineage, self.dead)
        return (*own, resamplings)

    def take(self, positions: range) -> Row:
        """The tokens at these positions, in this order; pieces, scores and stops follow them."""
        if self.dead or positions == range(len(self)):
            return self
        runs = [positions] if positions.step == 1 else [range(p, p + 1) for p in positions]
        pieces: list[Piece] = []
        for run in runs:
            pieces += self._cut(run.start, run.stop)
        keep = slice(positions.start, positions.stop, 1) if positions.step == 1 else None
        starts_at_zero = positions.step == 1 and positions.start == 0
        return replace(
            self,
            ids=self.ids[keep] if keep else tuple(self.ids[p] for p in positions),
            logprobs=self.logprobs[keep] if keep else tuple(self.logprobs[p] for p in positions),
            proposals=self.proposals[keep] if keep else tuple(self.proposals[p] for p in positions),
            pieces=_meeting(pieces),
            claim=self.claim.crop(len(positions)) if self.claim and starts_at_zero else None,
            resamplings=self._resamplings_of(positions) if self.resamplings else (),
        )

    def _resamplings_of(self, positions: range) -> tuple[Resampling, ...]:
        """Those behind the beginning of these positions. One that lies at it belongs to what comes before."""
        if positions.step != 1:
            return (_unknown(len(positions)),)
        start = positions.start
        behind = (known for known in self.resamplings if known.position > start)
        return tuple(k._replace(position=k.position - start, begin=max(0, k.begin - start)) for k in behind)

    def sealed(self, position: int | None = None) -> Row:
        """The row before something else is put after it: what was sliced away of its resamplings is lost for good.

        position: where it is put, if that is not the end.
        """
        end = len(self) if position is None else position
        kept = tuple(known for known in self.resamplings if known.position <= end)
        if len(kept) == len(self.resamplings):
            return self
        return replace(self, resamplings=(*kept, _unknown(end)))

    def own_before(self, known: Resampling) -> float:
        """The log-probability of what a resampling's level stands for."""
        position, counted, _, begin = known
        between = [stop for at, stop in self.stops if (begin < at or not begin) and at < position]
        stops = [stop.logprob for stop in (*between, *self.stops_at(position)[:counted])]
        return fsum([*(value for value in self.logprobs[begin:position] if value is not None), *stops])

    def resampled_before(self, end: int, gone: float = 0.0) -> Row:
        """As if it had been resampled here at the latest, not behind: what was weighed since then, `gone`, is to be
        weighed once more."""
        behind = [known for known in self.resamplings if known.position > end]
        if not behind:
            return self
        last = behind[-1]._replace(position=end, stops=len(self.stops_at(end)), level=behind[-1].level - gone)
        return replace(self, resamplings=(*self.resamplings[: -len(behind)], last))

    def stops_at(self, position: int) -> list[SpanStop]:
        """The stops that stand between the tokens at position − 1 and position."""
        return [stop for at, stop in self.stops if at == position]

    @property
    def log_importance(self) -> float:
        """Σ (logprob − proposal) over tokens and stops since the last resampling, and its level; NaN if not known."""
        if self.dead:
            return -inf
        known, end = list(self.resamplings), len(self)
        if known and known[-1].position > end:
            return nan
        stops = list(self.stops)
        values: list[float] = []
        while True:
            while known and known[-1].position > end:
                known.pop()
            position, counted, level, begin = known.pop() if known else Resampling(0, 0, 0.0)
            here = [stop for at, stop in stops if at == position]
            if len(here) < counted:
                return nan
            later = [*here[counted:], *(stop for at, stop in stops if position < at <= end)]
            drawn = zip(self.logprobs[position:end], self.proposals[position:end], strict=True)
            values += [level, *(own - law for own, law in drawn if own is not None and law is not None)]
            values += [stop.logprob - stop.proposal for stop in later]
            if not begin:
                return fsum(values)
            end = begin

    def resampled(self, level: float) -> Row:
        """The row, drawn among others at its end."""
        here = Resampling(len(self), len(self.stops_at(len(self))), level)
        return replace(self, resamplings=(*self.sealed().resamplings, here))

    def _cut(self, start: int, stop: int) -> Iterator[Piece]:
        for begin, end, piece in self.placed:
            if begin == end:
                # a span without tokens hangs on the token before it
                if start < begin <= stop:
                    yield piece
            elif (lo := max(start, begin)) < (hi := min(stop, end)):
                yield Piece(piece.origin, piece.lo + lo - begin, piece.lo + hi - begin)

    def join(self, right: Row) -> Row:
        """This row and then the right one: weights add, KV and lineage are this row's. A dead row stays dead."""
        if self.dead or right.dead:
            return DEAD if not self.dead else self
        if len(self):
            right = right.without_bos()
        resamplings = self.resamplings
        if resamplings or right.resamplings:
            size = len(self)
            moved = tuple(k._replace(position=k.position + size, begin=k.begin + size) for k in right.resamplings)
            cut = [known[:3] for known in resamplings if known.position > size]
            if cut != [known[:3] for known in moved[: len(cut)]]:  # else what was sliced away is back
                resamplings, cut = self.sealed().resamplings, []
            resamplings += moved[len(cut) :]
        return replace(
            self,
            ids=self.ids + right.ids,
            logprobs=self.logprobs + right.logprobs,
            proposals=self.proposals + right.proposals,
            pieces=_meeting((*self.pieces, *right.pieces)),
            resamplings=resamplings,
        )

    def without_bos(self) -> Row:
        """The row without a bos that the tokenizer added; spans without tokens stay, to hang on what comes before."""
        if not (self.pieces and self.pieces[0].origin.bos and self.pieces[0].lo == 0):
            return self
        count = min(self.pieces[0].origin.bos, self.pieces[0].hi)
        hanging = tuple(piece for start, end, piece in self.placed if start == end == count)
        rest = self.take(range(count, len(self)))
        return replace(rest, pieces=hanging + rest.pieces)

    def before(self, index: int) -> Row:
        """What stands before the piece of this index."""
        start = sum(piece.hi - piece.lo for piece in self.pieces[:index])
        return replace(self.take(range(start)), pieces=self.pieces[:index])

    def append(self, ids: list[int] | tuple[int, ...], kind: Kind = "text", bos: int = 0) -> Row:
        """This row and then a span of given tokens. Without tokens it is the row itself."""
        if self.dead or not ids:
            return self
        blank = (None,) * len(ids)
        piece = Piece(Origin(kind, len(ids), bos=bos), 0, len(ids))
        return self.join(Row(tuple(ids), blank, blank, (piece,)))

    def reopen(self) -> Row:
        """The row without its final stop, and without the end of a part that stands there."""
        if self.dead or not self.pieces or self.pieces[-1].stop is None:
            return self
        last = self.pieces[-1]
        segments = last.origin.segments
        if segments and segments[-1].end == last.origin.length:
            segments = segments[:-1]
        origin = replace(last.origin, stop=None, finished=None, segments=segments)
        return replace(self, pieces=(*self.pieces[:-1], replace(last, origin=origin)))


DEAD = Row(dead=True)
_set_ids, _set_logprobs, _set_proposals, _set_pieces, _set_lineage, _set_claim, _set_dead, _set_resamplings = (
    vars(Row)[name].__set__
    for name in ("ids", "logprobs", "proposals", "pieces", "lineage", "claim", "dead", "resamplings")
)


def _meeting(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces of one span that meet again become one piece."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].origin is piece.origin and 0 < piece.lo == joined[-1].hi:
            piece = Piece(piece.origin, joined.pop().lo, piece.hi)
        joined.append(piece)
    return tuple(joined)


def _unknown(position: int) -> Resampling:
    """What is left of resamplings that were sliced away."""
    return Resampling(position, 0, nan)


def _stop_facts(stop: SpanStop) -> tuple[object, ...]:
    return (*_comparable((stop.logprob, stop.proposal)), stop.dropped)


def _comparable(values: Iterable[float | None]) -> tuple[object, ...]:
    """NaN, which says "not known", equals itself here."""
    return tuple("nan" if value != value else value for value in values)


def score(weight: float, generated: float, length_penalty: float) -> float:
    """weight / generated ^ length_penalty."""
    return weight / max(generated, 1) ** length_penalty if length_penalty else weight
