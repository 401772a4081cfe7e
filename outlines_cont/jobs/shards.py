"""The results of a shard ↔ bytes: what travels between processes, and what a file of a shard holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib import import_module
from math import inf
from typing import Any, Literal

from outlines_cont.batches import Settings
from outlines_cont.conversation import Conversation
from outlines_cont.decode.failed_rows import OF_NO_ROW
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import CarriesState, CorruptStateError, RowError
from outlines_cont.jobs.inputs import Prompt, Shard
from outlines_cont.jobs.job import Group, Job, Outcome, trimmed
from outlines_cont.prefixes import common_length
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.failed_row import FailedRow, as_before
from outlines_cont.state.prompts import checked_keys, prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.selecting import rectangular
from outlines_cont.state.state import SequenceState
from outlines_cont.storage.states import from_bytes, to_bytes

# --- a shard, done: its prompts become rows, those that share a beginning are read together, as many as memory holds

Batch = int | Literal["auto"]

LOGITS_AT_ONCE = 1 << 26  # of all rows of a batch: in float32 a quarter of a GiB


class ShardWorker:
    """Does shards of a job, one after the other.

    All rows of a shard are kept until it is done, so what its prompts share is read once. Of an earlier shard nothing
    is kept: the rounding of logits depends on what the KV tree has, and a shard would depend on what was done before.
    """

    def __init__(self, job: Job, batch: Batch) -> None:
        self.job = job
        self.batch: Batch = batch

    def __call__(self, shard: Shard) -> bytes:
        """The results of a shard, as bytes. What its prompts are does not depend on how they are batched."""
        model = self.job.model
        paths = [(number,) for number in checked_keys(shard.keys)]
        faults = [shard.faults.get(place) for place in range(len(paths))]
        rows = [_row(model, *each) for each in zip(shard.prompts, paths, faults, strict=True)]
        outcomes: list[Outcome] = [row.error if isinstance(row, FailedRow) else () for row in rows]
        places = [place for place, row in enumerate(rows) if not isinstance(row, FailedRow)]
        budgets = [each.get("max_tokens") for each in shard.settings] or [None] * len(rows)
        for chosen in batches(self.job, rows, places, self.batch, budgets):
            settings = [Settings(**shard.settings[place]) for place in chosen] if shard.settings else None
            made = self.job.outcomes([rows[place] for place in chosen], settings)
            for place, outcome in zip(chosen, made, strict=True):
                outcomes[place] = outcome
        return encoded(model, outcomes)


def _row(model: LanguageModel, prompt: Prompt, path: tuple[int, ...], fault: str | None) -> Row:
    """The row of a prompt; of one that cannot be read, a row that failed."""
    try:
        if fault is not None:
            raise TypeError(fault)
        if isinstance(prompt, list) and prompt and isinstance(prompt[0], dict):
            row = Conversation.of(prompt, None, {}).row(model.encoder)
            return model.claimed(row.keyed(path))
        return prompt_row(model, prompt).keyed(path)
    except (TypeError, ValueError) as error:
        return FailedRow(error=error.with_traceback(None))  # it is told to no other process where it was raised


def batches(
    job: Job, rows: Sequence[Row], places: Sequence[int], batch: Batch, budgets: Sequence[int | None]
) -> Iterator[list[int]]:
    """The places of the rows of each batch. Rows that begin alike stand side by side, and count their beginning once.

    batch: how many rows; "auto": as many as half of the budget of keys and values holds, with all that they may write,
    and as many as have few enough logits. budgets: of each row, how many tokens a span of it may have, None as the job.
    """
    order = sorted(places, key=lambda place: rows[place].ids)
    if not order:
        return
    most = max(LOGITS_AT_ONCE // len(job.model.vocabulary) // job.width, 1) if batch == "auto" else batch
    first = SequenceState(job.model, [[rows[order[0]]]], samples=1)
    room = _room(job.model, first) if batch == "auto" else inf
    chosen: list[int] = []
    taken, before = 0, ()
    for place in order:
        ids = rows[place].ids
        growth = job.positions(len(ids), budgets[place])
        new = len(ids) - common_length(before, ids) + growth
        if chosen and (len(chosen) == most or taken + new > room):
            yield chosen
            chosen, taken, new = [], 0, len(ids) + growth
        chosen.append(place)
        taken, before = taken + new, ids
    yield chosen
    del first  # until now it kept the keys and values of its prompt


def _room(model: LanguageModel, first: SequenceState) -> float:
    """How many tokens' keys and values a batch may have. first: a prompt of it."""
    budget, tree = getattr(model, "kv_budget", None), getattr(model, "tree", None)
    if budget is None or tree is None:
        return inf
    with suppress(*OF_NO_ROW, ValueError):  # too long a prompt, say: it fails when it is done
        first.kv.prefill()  # nobody knows how large they are until some are computed
    with tree.lock:
        size = tree.pool.slot_bytes
    return budget / 2 / size if size else inf


# --- shards

MARK = b"outlines_cont shard 1 "
PLACE_NOTE = "This is the error of row"  # how a note begins that names a place in a batch


@dataclass(frozen=True)
class RowResult:
    """What became of a prompt.

    Attributes:
        group: its rows; None where there are none, or where it was scored.
        scores: of a scoring.
        error: what ended it, if nothing is left of it.
    """

    group: Group | None = None
    scores: list[float] | None = None
    error: Exception | None = None


def encoded(model: LanguageModel, outcomes: Sequence[Outcome]) -> bytes:
    """The outcomes of a shard's prompts, in order."""
    groups: list[list[Row]] = []
    errors: list[tuple[int, int, bool, dict[str, Any]]] = []  # place, sample, whether no other sample is left, error
    scores: dict[int, list[float]] = {}
    for place, outcome in enumerate(outcomes):
        groups.append([])
        if isinstance(outcome, Exception):
            errors.append((place, 0, True, _record(outcome)))
        elif isinstance(outcome, list):
            scores[place] = outcome
        else:
            whole = all(row.dead for row in outcome)
            failed = [(s, row.error) for s, row in enumerate(outcome) if isinstance(row, FailedRow)]
            errors += [(place, s, whole, _record(error)) for s, error in failed]
            groups[-1] = as_before(outcome)
    header = {"count": len(outcomes), "errors": errors, "scores": list(scores.items())}
    state = b""
    if any(groups):
        state = to_bytes(SequenceState(model, rectangular(groups), samples=max(map(len, groups))))
    return _sealed(json.dumps(header, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" + state)


def decoded(data: bytes, model: LanguageModel, constraints: Mapping[str, Constraint], first: int) -> list[RowResult]:
    """What `encoded` was given.

    constraints: those of the job's spans, by their specification: what reads the values. first: the index of the first
    prompt in all of the input; errors tell it.
    """
    line, _, state = opened(data).partition(b"\n")
    header = json.loads(line.decode("utf-8", "surrogatepass"))
    errors: dict[int, dict[int, dict[str, Any]]] = {}
    lost: set[int] = set()
    for place, sample, whole, record in header["errors"]:
        errors.setdefault(place, {})[sample] = record
        lost |= {place} if whole else set()
    scores = dict(header["scores"])
    groups: Sequence[Sequence[Row]] = [()] * header["count"]
    if state:
        loaded = from_bytes(state, model)
        groups = [[_read_by(row, constraints) for row in group] for group in loaded.rows]
    return [
        RowResult(scores=scores[place])
        if place in scores
        else _with_errors(trimmed(group), errors.get(place, {}), place in lost, model, first + place)
        for place, group in enumerate(groups)
    ]


def _with_errors(
    group: Group, records: Mapping[int, dict[str, Any]], lost: bool, model: LanguageModel, index: int
) -> RowResult:
    """The rows of a prompt, with the errors in the places of those that failed; or the error, if nothing is left."""
    if not records:
        return RowResult(tuple(group))
    before = SequenceState(model, [group], samples=len(group))
    told = {sample: _rebuilt(record, (index, sample), before) for sample, record in records.items()}
    if lost:
        return RowResult(error=told[min(told)])
    rows = [*group, *[Row(dead=True)] * (max(told) + 1 - len(group))]
    for sample, error in told.items():
        rows[sample] = FailedRow(error=error, before=() if rows[sample].dead else (rows[sample],), told=True)
    return RowResult(tuple(rows))


def _read_by(row: Row, constraints: Mapping[str, Constraint]) -> Row:
    """The row, whose values are read as the job reads them: bytes hold no classes. It claims no keys and values: those
    of all results would fill the memory."""
    pieces = tuple(
        replace(piece, origin=replace(piece.origin, constraint=constraints[read.spec].banning(read.bans, read.before)))
        if (read := piece.origin.constraint) is not None and read.spec in constraints
        else piece
        for piece in row.pieces
    )
    return replace(row, pieces=pieces, claim=None)


# --- errors


def _record(error: Exception) -> dict[str, Any]:
    """An error as plain values, without its place in a batch."""
    message, row = str(error), getattr(error, "row", None)
    if row is not None:
        message = message.removeprefix(f"row {row}: ")
    notes = [note for note in getattr(error, "__notes__", ()) if not note.startswith(PLACE_NOTE)]
    return {"module": type(error).__module__, "name": type(error).__qualname__, "message": message, "notes": notes}


def _rebuilt(record: Mapping[str, Any], place: tuple[int, int], state: SequenceState) -> Exception:
    """The error of a record: of Python's classes and ours as it was, of any other a `RowError` that names it."""
    name, message = record["name"], record["message"]
    kind: Any = None
    if record["module"] == "builtins" or record["module"].startswith("outlines_cont."):
        kind = getattr(import_module(record["module"]), name, None)
    error: Exception | None = None
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            error = kind(message, state) if issubclass(kind, CarriesState) else kind(message)
        except TypeError:  # it takes other arguments
            error = None
    if error is None or (str(error) != message and not isinstance(error, KeyError)):
        error = RowError(f"{name}: {message}")
    for note in record["notes"]:
        error.add_note(note)
    error.row, error.state = place, state  # type: ignore[attr-defined]
    return error


# --- bytes


def _sealed(content: bytes) -> bytes:
    """Behind a mark and a checksum."""
    return MARK + blake2b(content, digest_size=16).hexdigest().encode() + b"\n" + content


def opened(data: bytes) -> bytes:
    """The content of what was sealed; CorruptStateError if it is not whole."""
    line, _, content = data.partition(b"\n")
    if not line.startswith(MARK):
        raise CorruptStateError("it is no shard of this version's")
    if line[len(MARK) :].decode("ascii", "replace") != blake2b(content, digest_size=16).hexdigest():
        raise CorruptStateError("its checksum is not that of its content")
    return content
