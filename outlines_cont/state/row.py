"""One immutable row: its tokens, the spans they belong to, their scores, and its place in the KV tree.

What a row holds of its spans are `Piece`s of `Origin`s (`spans.py`). So cutting a row cuts pieces, and joining two rows
whose pieces meet again makes the span whole again. Nothing else has to be remembered for `s[..., :n] + s[..., n:]` to
be `s`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from math import inf, nan
from typing import Any

from outlines_cont.arguments import brief
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state import resampling
from outlines_cont.state.beside import Claims, Combination
from outlines_cont.state.draw_notes import NoteKind
from outlines_cont.state.resampling import Resampling
from outlines_cont.state.spans import (
    Finished,
    Kind,
    Origin,
    Piece,
    Span,
    SpanEnd,
    SpanStop,
    comparable,
    joined_pieces,
    total,
)


@dataclass(frozen=True, slots=True, eq=False)
class Row(ProcessBoundValue):
    """A row: pure data, of which only the claim ever changes. Its pieces cover its ids in order.

    Attributes:
        ids: the tokens.
        logprobs: beside each token the model's own log-probability of it; None where nothing was drawn.
        proposals: beside each token its log-probability under the law drawn from; None where nothing was drawn.
        pieces: the spans, or parts of spans, that the tokens belong to.
        lineage: the key of the row's random numbers (`random_keys.py`).
        claim: on the keys and values of its beginning in the KV tree. Who computes more of them notes it here.
        dead: whether it stands for no sample, and has no tokens.
        resamplings: the points at which it was drawn among other samples, in order (`resampling.py`).
        beside: other contexts of its last tokens, and how their laws are combined (`beside.py`).
    """

    _instead = "state.save(path) writes the rows of a state"

    ids: tuple[int, ...] = ()
    logprobs: tuple[float | None, ...] = ()
    proposals: tuple[float | None, ...] = ()
    pieces: tuple[Piece, ...] = ()
    lineage: tuple[int, ...] = ()
    claim: Claim | None = field(default=None, repr=False)
    dead: bool = False
    resamplings: tuple[Resampling, ...] = ()
    beside: Combination | None = None

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.ids)

    def keyed(self, lineage: tuple[int, ...]) -> Row:
        """The row with another lineage. `replace` takes four times as long, and forks do nothing else."""
        copy = object.__new__(Row)
        _set_ids(copy, self.ids)
        _set_logprobs(copy, self.logprobs)
        _set_proposals(copy, self.proposals)
        _set_pieces(copy, self.pieces)
        _set_lineage(copy, lineage)
        _set_claim(copy, self.claim)
        _set_dead(copy, self.dead)
        _set_resamplings(copy, self.resamplings)
        _set_beside(copy, self.beside)
        return copy

    def hold(self, claim: Claim | None) -> None:
        """Note a claim on more keys and values of its beginning. Nothing that one can tell the row by changes."""
        _set_claim(self, claim)

    @property
    def held(self) -> Claim | Claims | None:
        """Its claim; with contexts beside it, those of all."""
        return self.claim if self.beside is None else self.beside.claims(self.claim)

    def holding(self, held: Claim | Claims | None) -> dict[str, Any]:
        """The members that say what is held of it."""
        if not isinstance(held, Claims) or self.beside is None:
            return {"claim": held}
        return {"claim": held.main, "beside": self.beside.claiming(held.others)}

    @property
    def placed(self) -> Iterator[tuple[int, int, Piece]]:
        """Each piece with the positions (start, end) that it takes in this row."""
        start = 0
        for piece in self.pieces:
            end = start + piece.hi - piece.lo
            yield start, end, piece
            start = end

    @property
    def shown(self) -> Iterator[tuple[int, int, Piece]]:
        """Each piece that pictures show, with its positions: not the empty ones of spans that were cut off."""
        return (each for each in self.placed if not each[2].emptied)

    @property
    def stops(self) -> Iterator[tuple[int, SpanStop]]:
        """Every stop in the row, with the number of the row's tokens before it."""
        return ((start + at, stop) for start, _, piece in self.placed for at, stop in piece.stops)

    @property
    def borders(self) -> tuple[tuple[str | int | None, int], ...]:
        """The name of each generated span, or the way that it decided for, and the position at which it ends."""
        each = ((piece.origin.name, piece.way, end) for _, end, piece in self.shown if piece.kind == "generated")
        return tuple((name if way is None else way, end) for name, way, end in each)

    @property
    def generated(self) -> int:
        """How many tokens of the row were drawn rather than given."""
        return len(self.logprobs) - self.logprobs.count(None)

    @property
    def weight(self) -> float:
        """The sum of the log-probabilities of everything generated, stops included, whatever the order (`fsum`)."""
        if self.dead:
            return -inf
        stops = (stop.logprob for _, stop in self.stops)
        return total([*(v for v in self.logprobs if v is not None), *stops])

    @property
    def combined_weight(self) -> float:
        """The weight, where spans whose law was combined count by that law. (Beams record it before the constraint.)"""
        values = [value for value in self.logprobs if value is not None]
        values += [stop.logprob for _, stop in self.stops]
        for start, end, piece in self.placed:
            if piece.kind == "generated" and piece.origin.combined:
                pairs = zip(self.proposals[start:end], self.logprobs[start:end], strict=True)
                values += [(proposal or 0.0) - (logprob or 0.0) for proposal, logprob in pairs]
                values += [stop.proposal - stop.logprob for _, stop in piece.stops]
        return total(values)

    @property
    def length_penalty(self) -> float:
        """The length penalty of the last generated span."""
        generated = (p.origin for p in reversed(self.pieces) if p.origin.kind == "generated" and not p.emptied)
        return next((origin.length_penalty for origin in generated), 0.0)

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

    @property
    def ended_by(self) -> SpanEnd | None:
        """What ended the last span."""
        return self.pieces[-1].ended_by if self.pieces else None

    def attempts_behind(self) -> dict[int, int]:
        """How many draws left no token: counted tokens after the row's end → draws, where there were any.

        These are stops, with the tokens that they dropped, and draws that were given up. Decisions between ways of a
        chain have random numbers of their own.
        """
        attempts: Counter[int] = Counter()
        for start, _, piece in self.placed:
            for end, stop in piece.stops if piece.way is None else ():
                attempts.update(range(start + end, start + end + max(len(stop.dropped or ()), 1)))
            if piece.hi == piece.origin.length:
                for _, at, count in piece.origin.given_up.tries:
                    attempts[start - piece.lo + at] += count
        return {at - len(self): count for at, count in attempts.items() if at >= len(self)}

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans as users see them."""
        return tuple(self._span(start, end, piece) for start, end, piece in self.placed)

    def _span(self, start: int, end: int, piece: Piece) -> Span:
        stop = piece.stop
        drawn = [value for value in self.logprobs[start:end] if value is not None]
        return Span(
            kind=piece.kind,
            start=start,
            end=end,
            name=piece.name,
            generator=piece.generator,
            finished=piece.finished,
            stop_logprob=stop.logprob if stop else None,
            weight=total([*drawn, *(stop.logprob for _, stop in piece.stops)]),
            unfed=tuple(start + at for at in piece.unfed),
            combined=piece.kind == "generated" and piece.origin.combined,
            exact=not any(piece.grafted),
            ended_by=piece.ended_by,
            seed=piece.origin.seed if piece.kind == "generated" else None,
        )

    def noted(self, kind: NoteKind) -> tuple[list[Any], Any]:
        """What was noted of this kind of each token's draw, and of the last stop's; None where nothing was."""
        of_tokens, of_stop = [None] * len(self), None
        for start, end, piece in self.placed:
            for at, each in piece.noted(kind):
                if start + at < end:
                    of_tokens[start + at] = each
                elif piece is self.pieces[-1]:
                    of_stop = each
        return of_tokens, of_stop

    @property
    def forced(self) -> frozenset[int]:
        """The positions of tokens that were appended without a draw."""
        return frozenset(start + at for start, _, piece in self.placed for at in piece.forced)

    @property
    def reads_graft(self) -> bool:
        """Whether it holds a graft, so that what is drawn after it is approximate."""
        return self.claim is not None and self.claim.exact_depth is not None

    @property
    def exact_length(self) -> int:
        """How many of its first tokens have exact keys and values, or will have. Those after them are a graft's."""
        depth = None if self.claim is None else self.claim.exact_depth
        return len(self) if depth is None else depth

    @property
    def on_graft(self) -> tuple[set[int], bool]:
        """The positions whose log-probabilities were measured on a graft; and whether any number of the row was."""
        if not any(piece.origin.notes.grafted for piece in self.pieces):
            return set(), False
        places: set[int] = set()
        for start, end, piece in self.placed:
            for begin, last in piece.grafted:
                places.update(range(start + begin, start + last))
                places.discard(end)  # that of the stop
        drawn = {at for at in places if self.logprobs[at] is not None}
        return drawn, bool(drawn) or any(self._approximate_stops)

    @property
    def _approximate_stops(self) -> Iterator[bool]:
        """Of every stop in the row, whether it was drawn on a graft."""
        for piece in self.pieces:
            yield from (piece.origin.notes.is_grafted(piece.lo + at) for at, _ in piece.stops)

    def facts(self) -> tuple[object, ...]:
        """Everything but the claim: what `identical` compares."""
        return (
            self.ids,
            comparable(self.logprobs),
            comparable(self.proposals),
            tuple((piece.lo, piece.hi, piece.origin.facts()) for piece in self.pieces),
            self.lineage,
            self.dead,
            tuple(map(comparable, self.resamplings)),
            self.beside and self.beside.facts(),
        )

    # --- parts of a row

    def take(self, positions: range) -> Row:
        """The tokens at these positions, in this order; pieces, scores and stops follow them.

        Of tokens that stand side by side, the keys and values of a row's beginning stay valid. Of tokens that are taken
        one by one, each keeps the empty piece of a span that began after it.
        """
        if self.dead or positions == range(len(self)):
            return self
        start, stop, step = positions.start, positions.stop, positions.step
        part = slice(start, stop if stop >= 0 else None, step) if positions else slice(0)
        claim = self.claim if start == 0 and step == 1 else None
        return replace(
            self,
            ids=self.ids[part],
            logprobs=self.logprobs[part],
            proposals=self.proposals[part],
            pieces=joined_pieces(self._cut(start, stop) if step == 1 else self._apart(positions)),
            claim=claim and claim.crop(len(positions)),
            resamplings=resampling.taken(self.resamplings, positions),
            beside=self.beside.cropped(stop) if self.beside and self.shares(positions) else None,
        )

    def context(self, place: int, claimed: Callable[[Row], Row]) -> Row:
        """The context beside it that has this place, as a row of its own: given tokens. Dead, if it has none. claimed:
        finds its keys and values."""
        if self.dead or self.beside is None:
            return DEAD
        context = self.beside.contexts[place]
        whole = Row().append(context.ids, kind="prompt").append(self.ids[self.beside.start :])
        return claimed(replace(whole, lineage=self.lineage, claim=context.claim))

    def shares(self, positions: range) -> bool:
        """Whether the tokens at these positions keep the contexts beside the row: all up to where these begin to share
        its tokens, and of those only the last ones are cut."""
        return self.beside is None or (
            positions.start == 0 and positions.step == 1 and len(positions) >= self.beside.start
        )

    def _cut(self, start: int, stop: int) -> Iterator[Piece]:
        """The pieces of the tokens start … stop − 1. A span without tokens hangs on the token before it; so does the
        beginning of a generated span, of which an empty piece is left."""
        for begin, end, piece in self.placed:
            if begin == end:
                if start < begin <= stop:
                    yield piece
            elif (lo := max(start, begin)) < (hi := min(stop, end)):
                yield Piece(piece.origin, piece.lo + lo - begin, piece.lo + hi - begin, piece.begun)
            elif start < begin == stop and piece.begins:
                yield Piece(piece.origin, 0, 0)

    def _apart(self, positions: range) -> Iterator[Piece]:
        """The pieces of tokens that do not stand side by side: a span that begins there began after another token."""
        for number, at in enumerate(positions):
            for piece in self._cut(at, at + 1):
                yield replace(piece, begun=False) if number and piece.begins and piece.hi else piece

    def before(self, index: int) -> Row:
        """The part of the row before the piece of this index."""
        start = sum(piece.hi - piece.lo for piece in self.pieces[:index])
        return replace(self.take(range(start)), pieces=self.pieces[:index])

    def ready(self, encoder: Encoder) -> Row:
        """The row before a new span. Where the last one was cut off, or interrupted, before its value began, nothing is
        left of it, and the text that it had taken back is text again."""
        last = self.pieces[-1] if self.pieces else None
        if last is None or last.kind != "generated" or last.finished not in (None, "interrupted"):
            return self
        taken_back = last.origin.healed
        if not last.emptied and not taken_back:
            return self
        if not last.emptied and len(encoder.vocabulary.decode(self.ids[len(self) - last.hi :])) > len(taken_back):
            return self
        row = self.before(len(self.pieces) - 1)
        return row.sealed().append(encoder.encode_bytes(taken_back)) if taken_back else row

    def without_bos(self) -> Row:
        """The row without a bos that the tokenizer added; spans without tokens stay, to hang on what comes before."""
        if not (self.pieces and self.pieces[0].origin.bos and self.pieces[0].lo == 0):
            return self
        count = min(self.pieces[0].origin.bos, self.pieces[0].hi)
        hanging = tuple(piece for start, end, piece in self.placed if start == end == count)
        behind = self.take(range(count, len(self)))
        return replace(behind, pieces=hanging + behind.pieces)

    def reopen(self) -> Row:
        """The row without its final stop, and without the end of a segment that stands there."""
        if self.dead or not self.pieces or self.pieces[-1].stop is None:
            return self
        last = self.pieces[-1]
        segments = last.origin.segments
        if segments and segments[-1].end == last.origin.length:
            segments = segments[:-1]
        origin = replace(last.origin, stop=None, finished=None, segments=segments)
        return replace(self, pieces=(*self.pieces[:-1], replace(last, origin=origin)))

    # --- rows joined

    def join(self, right: Row) -> Row:
        """This row and then the right one: weights add, KV and lineage are this row's. A dead row stays dead.

        What stood beside the rows is gone: nobody knows what the other contexts would have there.
        """
        if self.dead or right.dead:
            return self if self.dead else right
        if len(self):
            right = right.without_bos()
        pieces = right.pieces
        if not all(piece.begun for piece in pieces):  # whatever its first token followed, here it follows this row
            pieces = [replace(piece, begun=not start) for start, _, piece in right.placed]
        resamplings = self.resamplings
        if resamplings or right.resamplings:
            resamplings = resampling.joined(resamplings, len(self), right.resamplings)
        return replace(
            self,
            ids=self.ids + right.ids,
            logprobs=self.logprobs + right.logprobs,
            proposals=self.proposals + right.proposals,
            pieces=joined_pieces((*self.pieces, *pieces)),
            resamplings=resamplings,
            beside=None,
        )

    def append(
        self,
        ids: list[int] | tuple[int, ...],
        kind: Kind = "text",
        bos: int = 0,
        chat: str | None = None,
        from_ids: bool = False,
    ) -> Row:
        """This row and then a span of given tokens, in all its contexts. Without tokens it is the row itself."""
        if self.dead or not ids:
            return self
        blank = (None,) * len(ids)
        piece = Piece(Origin(kind, len(ids), bos=bos, chat=chat, from_ids=from_ids), 0, len(ids))
        longer = self.join(Row(tuple(ids), blank, blank, (piece,)))
        return longer if self.beside is None else replace(longer, beside=self.beside)

    # --- resamplings

    @property
    def log_importance(self) -> float:
        """Σ (logprob − proposal) over tokens and stops since the last resampling, and its level; NaN if not known."""
        if self.dead:
            return -inf
        logprobs, proposals = self.logprobs, self.proposals
        stops, notes = list(self.stops), [piece.origin.notes for piece in self.pieces]
        if any(each.edited for each in notes):
            edited = {start + place for start, _, piece in self.placed for place in piece.edited}
            logprobs = tuple(nan if at in edited else value for at, value in enumerate(logprobs))
            proposals = tuple(nan if at in edited else value for at, value in enumerate(proposals))
        if any(each.grafted for each in notes):
            logprobs, stops = self._known_exactly(logprobs, stops)
        return resampling.log_importance(self.resamplings, logprobs, proposals, stops)

    def _known_exactly(
        self, logprobs: tuple[float | None, ...], stops: list[tuple[int, SpanStop]]
    ) -> tuple[tuple[float | None, ...], list[tuple[int, SpanStop]]]:
        """Log-probabilities and stops, NaN where they were measured on a graft."""
        approximate, _ = self.on_graft
        return tuple(nan if at in approximate else value for at, value in enumerate(logprobs)), [
            (at, replace(stop, logprob=nan) if inexact else stop)
            for (at, stop), inexact in zip(stops, self._approximate_stops, strict=True)
        ]

    def resampled(self, level: float, place: int) -> Row:
        """The row, drawn at its end among others, of which it was the one at this place."""
        here = Resampling(len(self), len(self.stops_at(len(self))), level, ancestor=place)
        return replace(self, resamplings=(*self.sealed().resamplings, here))

    def sealed(self, position: int | None = None) -> Row:
        """The row before something else is put after it: resamplings that were sliced away are lost for good.

        position: where it is put, if that is not the end.
        """
        resamplings = resampling.sealed(self.resamplings, len(self) if position is None else position)
        return self if resamplings is self.resamplings else replace(self, resamplings=resamplings)

    def resampled_before(self, end: int, gone: float = 0.0) -> Row:
        """The row as if resamplings behind `end` had been made at `end`.

        gone: the log importance of what was weighed between `end` and the last resampling; it will be weighed again.
        """
        moved = resampling.brought_forward(self.resamplings, end, len(self.stops_at(end)), gone)
        return self if moved is self.resamplings else replace(self, resamplings=moved)

    def replaced_logprob(self, resampled: Resampling) -> float:
        """The log-probability of everything whose importance the resampling's level replaces."""
        return resampling.replaced_logprob(resampled, self.logprobs, list(self.stops))

    def stops_at(self, position: int) -> list[SpanStop]:
        """The stops that stand between the tokens at position − 1 and position."""
        return [stop for at, stop in self.stops if at == position]


DEAD = Row(dead=True)
_SETTERS = [vars(Row)[member.name].__set__ for member in fields(Row)]
_set_ids, _set_logprobs, _set_proposals, _set_pieces, _set_lineage, *_ = _SETTERS
*_, _set_claim, _set_dead, _set_resamplings, _set_beside = _SETTERS


STEEPEST_PENALTY = 32.0  # either way: its power of 2³¹ tokens is a float yet


def score(weight: float, generated: float, length_penalty: float) -> float:
    """weight / generated ^ length_penalty."""
    return weight / max(generated, 1) ** length_penalty if length_penalty else weight
