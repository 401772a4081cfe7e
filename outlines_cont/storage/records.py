"""Rows ↔ what a file says of them, besides their tensors: records of JSON (`shapes.py`), and what of them must agree.

`header_of` and `rows_of` are each other's inverse. A damaged record gives sound rows, or an error that names its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import inf
from typing import Any

from pydantic import ValidationError
from torch import Tensor

from outlines_cont.conversation import Conversation
from outlines_cont.errors import warn
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import ROUNDING
from outlines_cont.state.beside import Combination, OtherContext
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.draw_notes import NO_NOTES, NONE_GIVEN_UP, GivenUp, TokenNotes
from outlines_cont.state.resampling import Resampling
from outlines_cont.state.row import Row
from outlines_cont.state.spans import LIKELIEST, Origin, Piece, Segment, SpanStop, joined_pieces
from outlines_cont.storage.shapes import (
    CombinationRecord,
    Header,
    NotesRecord,
    OriginRecord,
    Record,
    RowRecord,
    StopRecord,
)

#: What a span and its record have in different forms, and in the same form.
OTHERWISE = {"constraint", "stop", "link", "segments", "healed", "tries", "edits", "notes"}
PLAIN = [name for name in OriginRecord.model_fields if name not in OTHERWISE]
PART = 1 << 14  # of a tensor that is looked at, tokens


class Inconsistent(ValueError):
    """Records that do not agree with each other, and where."""


def parsed_header(text: str) -> Header:
    """The header of a file. Inconsistent, with the place, if it has another shape."""
    try:
        return Header.model_validate_json(text)
    except ValidationError as error:
        raise Inconsistent(f"header {_first(error)}") from None


def _first(error: ValidationError) -> str:
    """Where a shape is another one, and what is wrong there."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


# --- rows → records


def header_of(
    rows: Sequence[Sequence[Row]], samples: int, format: str, vocabulary: Vocabulary, identity: str
) -> dict[str, Any]:
    """The header of a grid of rows, as what JSON can say. What is as always is left out."""
    flat = list(chain.from_iterable(rows))
    origins = {id(piece.origin): piece.origin for row in flat for piece in row.pieces}  # rows may share them
    specs = _numbered(origin.constraint.record for origin in origins.values() if origin.constraint is not None)
    combinations = {row.beside.facts(): row.beside for row in flat if row.beside is not None}
    numbers, places = _numbered(origins), _numbered(combinations)
    header: dict[str, Any] = {
        "format": format,
        "vocabulary": vocabulary.fingerprint,
        "identity": identity,
        "samples": samples,
        "constraints": list(specs),
        "origins": [_origin_record(origin, specs) for origin in origins.values()],
        "rows": [[_row_record(row, numbers, row.beside and places[row.beside.facts()]) for row in g] for g in rows],
    }
    records = list(map(_combination_record, combinations.values()))
    return header | ({"combinations": records} if records else {})


def _numbered(keys: Iterable[Any]) -> dict[Any, int]:
    return {key: number for number, key in enumerate(dict.fromkeys(keys))}


def _row_record(row: Row, numbers: dict[int, int], beside: int | None) -> dict[str, Any]:
    record = {
        "length": len(row),
        "pieces": [
            (numbers[id(piece.origin)], piece.lo, piece.hi, *(() if piece.begun else (False,))) for piece in row.pieces
        ],
        "lineage": row.lineage,
        "dead": row.dead,
        "resamplings": row.resamplings,
        "beside": beside,
    }
    return _without_defaults(record, RowRecord)


def _origin_record(origin: Origin, specs: Mapping[str, int]) -> dict[str, Any]:
    told = {
        "constraint": None if origin.constraint is None else specs[origin.constraint.record],
        "stop": _stop_record(origin.stop),
        "segments": [{"begin": s.begin, "end": s.end, "stop": _stop_record(s.stop)} for s in origin.segments],
        "healed": origin.healed.hex(),
        "tries": origin.given_up.tries,
        "edits": origin.given_up.edits,
        "notes": origin.notes._asdict() if any(origin.notes) else NotesRecord(),
    }
    record = {name: told[name] if name in told else getattr(origin, name) for name in OriginRecord.model_fields}
    return _without_defaults(record, OriginRecord)


def _combination_record(beside: Combination) -> dict[str, Any]:
    contexts = []
    for each in beside.contexts:
        identity = {} if each.model is None else {"identity": each.model.identity}
        contexts.append({"ids": each.ids, "weight": each.weight, **identity})
    scalars = {"main_weight": beside.main_weight, "normalize": not beside.product}
    return {"start": beside.start, "contexts": contexts, **scalars}


def _stop_record(stop: SpanStop | None) -> dict[str, Any] | None:
    if stop is None:
        return None
    record = {"logprob": stop.logprob, "proposal": stop.proposal, "dropped": stop.dropped, "by": stop.by}
    return _without_defaults(record, StopRecord)


def _without_defaults(record: Mapping[str, Any], shape: type[Record]) -> dict[str, Any]:
    """The fields of a record, without those that have the default of its shape."""
    return {name: value for name, value in record.items() if _listed(value) != shape.model_fields[name].default}


def _listed(value: Any) -> Any:
    """The value as JSON gives it back, as far as it is a tuple."""
    return list(value) if isinstance(value, tuple) else value


# --- records → rows


def rows_of(header: Header, tensors: Mapping[str, Tensor], vocabulary: Vocabulary, source: str) -> list[list[Row]]:
    """The grid of rows. Inconsistent, with the place, where records and tensors do not agree.

    tensors: "ids" and "drawn", `[tokens of all rows]`; "logprobs" and "proposals", `[tokens that were drawn]`.
    source: the file, for constraints that turn out later to be none.
    """
    size = len(vocabulary)
    _check_values("ids", tensors, lambda ids: (ids < 0) | (ids >= size), f": the vocabulary has {size} tokens")
    _check_values("logprobs", tensors, lambda values: values > ROUNDING, " is no log-probability")
    # (what stands for the law drawn from has no bound: a predicate or a product is weighed in it)
    _check_values("proposals", tensors, lambda values: values == inf, " weighs nothing")
    for b, group in enumerate(header.rows):
        _check(len(group) == header.samples, f"rows[{b}] has {len(group)} samples, not {header.samples}")
    total = sum(record.length for group in header.rows for record in group)
    _check(total == len(tensors["ids"]), f"the rows have {total} tokens, the tensors {len(tensors['ids'])}")
    specs = enumerate(header.constraints)
    constraints = [_constraint(spec, f"constraints[{i}]", vocabulary, source) for i, spec in specs]
    origins = []
    for i, record in enumerate(header.origins):
        number = record.constraint
        _check(number is None or number < len(constraints), f"origins[{i}]: constraint {number} of {len(constraints)}")
        origins.append(_origin(record, f"origins[{i}]", size, None if number is None else constraints[number]))
    columns, combinations = _TokenColumns(tensors), _combinations(header.combinations, size)
    grid = [
        [_row(record, f"rows[{b}][{s}]", origins, columns, combinations) for s, record in enumerate(group)]
        for b, group in enumerate(header.rows)
    ]
    lineages = [row.lineage for group in grid for row in group if not row.dead]
    _check(len(set(lineages)) == len(lineages), "two rows have the same lineage")
    return grid


def _check_values(name: str, tensors: Mapping[str, Tensor], wrong: Callable[[Tensor], Tensor], reason: str) -> None:
    for number, part in enumerate(tensors[name].split(PART)):
        for at in wrong(part).nonzero()[:1].flatten().tolist():
            raise Inconsistent(f"{name}[{number * PART + at}]={part[at].item()}{reason}")


class _TokenColumns:
    """The tensors of all rows, which each row takes its part of.

    A file may be large: no more than `PART` values at a time are there as tensor and as Python's numbers, and equal ids
    are one int.
    """

    def __init__(self, tensors: Mapping[str, Tensor]):
        self._tensors, self._ids = tensors, dict[int, int]()
        self._at = self._drawn_at = 0

    def taken(self, length: int) -> tuple[tuple[int, ...], Tensor, list[tuple[float | None, ...]]]:
        """The ids of the next row; which of them were drawn, bool `[length]`; and their two scores."""
        here = slice(self._at, self._at + length)
        self._at += length
        ids, drawn = (self._tensors[name][here] for name in ("ids", "drawn"))
        if not (count := int(drawn.sum())):
            return tuple(self._shared(ids)), drawn, [(None,) * length] * 2
        scored = slice(self._drawn_at, self._drawn_at + count)
        self._drawn_at += count
        scores = (self._tensors[name][scored] for name in ("logprobs", "proposals"))
        return tuple(self._shared(ids)), drawn, [tuple(_where(drawn, values)) for values in scores]

    def _shared(self, ids: Tensor) -> Iterator[int]:
        parts = (part.tolist() for part in ids.split(PART))
        return chain.from_iterable(map(self._ids.setdefault, part, part) for part in parts)


def _where(drawn: Tensor, values: Tensor) -> Iterator[float | None]:
    """The values, which are those of what was drawn, in their places; None for everything else."""
    scores = chain.from_iterable(part.tolist() for part in values.split(PART))
    for part in drawn.split(PART):
        yield from (next(scores) if was_drawn else None for was_drawn in part.tolist())


def _combinations(records: Sequence[CombinationRecord], size: int) -> list[Combination | None]:
    """The combination of each record, in a vocabulary of this size; None for one with contexts of other models, which
    a file cannot bring back: a warning says so."""
    combinations: list[Combination | None] = []
    if foreign := sorted({each.identity for record in records for each in record.contexts if each.identity}):
        warn(
            f"the state was saved with contexts of other models beside its rows ({', '.join(foreign)}), and a file "
            "holds no models: these rows have no contexts now; give them anew in the next call, beside=[…]"
        )
    for i, record in enumerate(records):
        fits = all(token < size for each in record.contexts for token in each.ids)
        _check(fits, f"combinations[{i}]: a context has a token that a vocabulary of {size} does not have")
        contexts = tuple(OtherContext(tuple(each.ids), each.weight) for each in record.contexts)
        made = Combination(record.start, contexts, record.main_weight, not record.normalize)
        combinations.append(None if any(each.identity for each in record.contexts) else made)
    return combinations


def _row(
    record: RowRecord,
    where: str,
    origins: Sequence[Origin],
    columns: _TokenColumns,
    combinations: Sequence[Combination | None],
) -> Row:
    pieces = list(_pieces(record, where, origins))
    _check(sum(piece.hi - piece.lo for piece in pieces) == record.length, f"{where}: its pieces are not its tokens")
    _check(not record.dead or not (record.length or pieces), f"{where}: a dead row has no tokens")
    number = record.beside
    _check(number is None or number < len(combinations), f"{where}: combination {number} of {len(combinations)}")
    beside = None if number is None else combinations[number]
    _check(beside is None or beside.start <= record.length, f"{where}: its contexts share tokens behind its end")
    ids, drawn, (logprobs, proposals) = columns.taken(record.length)
    at = 0
    for piece in pieces:
        size = piece.hi - piece.lo
        given = piece.origin.kind != "generated"
        _check(not (given and drawn[at : at + size].any()), f"{where}: tokens that were given have scores")
        at += size
    return Row(
        ids=ids,
        logprobs=logprobs,
        proposals=proposals,
        pieces=joined_pieces(pieces),
        lineage=tuple(record.lineage),
        dead=record.dead,
        resamplings=tuple(Resampling(*each) for each in record.resamplings),
        beside=beside,
    )


def _pieces(record: RowRecord, where: str, origins: Sequence[Origin]) -> Iterator[Piece]:
    for number, lo, hi, *begun in record.pieces:
        _check(number < len(origins), f"{where}: origin {number} of {len(origins)}")
        length = origins[number].length
        _check(lo <= hi <= length, f"{where}: tokens {lo} to {hi} of a span of {length}")
        yield Piece(origins[number], lo, hi, *begun)


def _origin(record: OriginRecord, where: str, size: int, constraint: Constraint | None) -> Origin:
    """A span, of a vocabulary of this size, that was made under this constraint."""
    generated = record.kind == "generated"
    _check(generated == (constraint is not None), f"{where}: a generated span has a constraint, others have none")
    of_draws = record.combined, record.chosen_by, record.mass is not None, record.seed is not None
    of_ends = (record.stop, record.finished, record.segments)
    _check(generated or not any(of_draws), f"{where}: only generated spans are drawn from a law, or by a sampler")
    _check(generated or not any(of_ends), f"{where}: only generated spans end")
    _check(max(record.bos, record.freed or 0) <= record.length, f"{where}: bos or freed lie behind its end")
    _check_stops(record, where, size, constraint)
    _check_notes(record, where, size)
    _check_chat(record, where)
    notes = record.notes
    plain = {name: getattr(record, name) for name in PLAIN}
    return Origin(
        **plain,
        constraint=constraint,
        stop=_stop(record.stop),
        link=record.link if generated else None,
        segments=tuple(Segment(s.begin, s.end, SpanStop(s.stop.logprob, s.stop.proposal)) for s in record.segments),
        healed=bytes.fromhex(record.healed),
        given_up=_given_up(record, where, size),
        notes=TokenNotes.of(notes) if notes != NotesRecord() else NO_NOTES,
    )


def _given_up(record: OriginRecord, where: str, size: int) -> GivenUp:
    """The draws that a span gave up."""
    generated = record.kind == "generated"
    _check(generated or not (record.tries or record.edits), f"{where}: only generated spans give draws up")
    edits = tuple((begin, end, tuple(banned)) for begin, end, banned in record.edits)
    given_up = GivenUp(tuple(record.tries), edits)
    _check_given_up(given_up, where, size)
    return given_up if any(given_up) else NONE_GIVEN_UP


def _check_given_up(given_up: GivenUp, where: str, size: int) -> None:
    """Draws that were given up stand in order, at moments from which on their places lie ahead."""
    places = [(moment, place) for moment, place, _ in given_up.tries]
    borders = [moment for begin, end, _ in given_up.edits for moment in (begin, end)]
    ascending = all(a < b for a, b in pairwise(places))
    _check(ascending and all(moment[0] <= place for moment, place in places), f"{where}: tries out of their places")
    _check(borders == sorted(borders), f"{where}: edits out of their places")
    _check(all(begin < end for begin, end, _ in given_up.edits), f"{where}: an edit without a place")
    banned = [token for _, _, tokens in given_up.edits for token in tokens]
    _check(max(banned, default=0) <= size, f"{where}: an edit bans a token that the vocabulary does not have")


def _check_stops(record: OriginRecord, where: str, size: int, constraint: Constraint | None) -> None:
    """A stop is one, and by what can end such a span; segments follow each other."""
    _check(record.stop is None or record.finished == "stop", f"{where}: a stop of a span that did not end in it")
    for stop in [*([record.stop] if record.stop else []), *(segment.stop for segment in record.segments)]:
        _check(not stop.logprob > ROUNDING, f"{where}: a stop without a log-probability")
        _check(stop.proposal != inf, f"{where}: a stop that weighs nothing")
        _check(max(stop.dropped or [0]) < size, f"{where}: a stop drops a token that the vocabulary does not have")
    if record.stop is not None and constraint is not None and record.stop.by is not None:
        by, drawn = record.stop.by, record.stop.dropped is None
        ids = range(len(constraint.options)) if constraint.kind == "ways" else range(LIKELIEST, size)
        fine = by == "hook" or by in ids if drawn else by in constraint.stop_at
        _check(fine, f"{where}: {by!r} ends no such span")
    borders = [at for segment in record.segments for at in (segment.begin, segment.end)]
    _check(borders == sorted(borders), f"{where}: segments that do not follow each other")
    _check(max(borders, default=0) <= record.length, f"{where}: segments behind its end")


def _check_chat(record: OriginRecord, where: str) -> None:
    """What a chat template wrote was given, and comes with its messages."""
    if record.chat is not None:
        _check(record.kind != "generated", f"{where}: a generated span is no part of a chat template")
        try:
            Conversation.parse(record.chat)
        except (ValueError, RecursionError) as error:
            raise Inconsistent(f"{where}.chat: {error}") from None


def _check_notes(record: OriginRecord, where: str, size: int) -> None:
    """Notes stand in order, at places of the span; those of the stop behind its last token."""
    notes = record.notes
    drawn = ([place for place, _ in noted] for noted in (notes.candidates, notes.alternatives, notes.entropies))
    lasts = (*[record.length - 1] * 3, *[record.length] * 3)
    for places, last in zip((notes.unfed, notes.edited, notes.forced, *drawn), lasts, strict=True):
        in_order = all(a < b for a, b in pairwise(places))
        _check(in_order and max(places, default=-1) <= last, f"{where}: notes out of their places")
    of_draws = {place for place, _ in (*notes.candidates, *notes.entropies)}
    given = record.kind != "generated"
    _check(not given or not (notes.forced or of_draws), f"{where}: forced tokens, or draws, of what was given")
    _check(of_draws.isdisjoint(notes.forced), f"{where}: a token that was forced and drawn")
    _check_grafted(record, where)
    for _, options in notes.candidates:
        for candidate, *scores in options:
            fine = candidate <= size and not max(scores[: 2 - record.combined]) > ROUNDING  # (densities may be larger)
            _check(fine, f"{where}: candidate {candidate} with the log-probabilities {scores}")
    for _, tokens in notes.alternatives:
        for token, logprob, _ in tokens:
            fine = token < size and not logprob > ROUNDING
            _check(fine, f"{where}: the likely token {token} with the log-probability {logprob}")


def _check_grafted(record: OriginRecord, where: str) -> None:
    """Stretches that were drawn on a graft stand in order, in a generated span."""
    grafted = record.notes.grafted
    borders = [at for pair in grafted for at in pair]
    in_order = borders == sorted(borders) and all(begin < end for begin, end in grafted)
    _check(in_order and max(borders, default=0) <= record.length + 1, f"{where}: grafted places out of their places")
    _check(not borders or record.kind == "generated", f"{where}: only what was generated was drawn on a graft")


def _constraint(spec: str, where: str, vocabulary: Vocabulary, source: str) -> Constraint:
    """The constraint of a specification that stands at this place. Inconsistent if it is none."""
    try:
        return Constraint.of(spec, vocabulary, f"{source}: {where}")
    except ValidationError as error:
        raise Inconsistent(f"{where} {_first(error)}") from None
    except (ValueError, RecursionError) as error:  # ConstraintError is one
        raise Inconsistent(f"{where}: {error}") from None


def _stop(record: StopRecord | None) -> SpanStop | None:
    if record is None:
        return None
    return SpanStop(
        record.logprob, record.proposal, None if record.dropped is None else tuple(record.dropped), record.by
    )


def _check(fine: object, message: str) -> None:
    if not fine:
        raise Inconsistent(message)
