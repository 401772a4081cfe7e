"""Rows ↔ one safetensors file: ids and scores as tensors, spans and lineage as JSON in its metadata. Never pickle."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import nan
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.resampling import Resampling
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Origin, Piece, Segment, SpanStop
from outlines_cont.state.token_notes import NO_NOTES, TokenNotes

FORMAT = "outlines_cont state 3"


def write(path: str | Path, rows: Sequence[Sequence[Row]], samples: int, vocabulary: Vocabulary, identity: str) -> None:
    """Write a grid of rows. `identity` names the model's parameters."""
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: it is a folder, or its folder does not exist")
    flat = [row for group in rows for row in group]
    origins = _numbered_origins(flat)
    header = {
        "format": FORMAT,
        "vocabulary": vocabulary.fingerprint,
        "identity": identity,
        "shape": [len(rows), samples],
        "origins": [_origin_record(origin) for _, origin in origins.values()],
        "rows": [_row_record(row, origins) for row in flat],
    }
    drawn = [value is not None for row in flat for value in row.logprobs]
    tensors = {
        "ids": torch.tensor([token for row in flat for token in row.ids], dtype=torch.int64),
        "drawn": torch.tensor(drawn, dtype=torch.bool),
        "logprobs": _scores([value for row in flat for value in row.logprobs]),
        "proposals": _scores([value for row in flat for value in row.proposals]),
    }
    save_file(tensors, path, metadata={"outlines_cont": json.dumps(header, ensure_ascii=False)})


def read(path: str | Path, vocabulary: Vocabulary) -> tuple[list[list[Row]], int, str]:
    """The grid of rows, the number of samples, and the identity of the model that they were saved with."""
    if Path(path).is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a saved state")
    try:
        opened = safe_open(path, framework="pt")
    except SafetensorError as error:
        raise ValueError(f"{path} holds no saved state: {error}") from None
    with opened as file:
        header = _checked_header(path, file.metadata() or {}, vocabulary)
        ids, drawn, logprobs, proposals = (
            file.get_tensor(name).tolist() for name in ("ids", "drawn", "logprobs", "proposals")
        )
    origins = [_origin(record, vocabulary) for record in header["origins"]]
    flat: list[Row] = []
    start = 0
    for record in header["rows"]:
        here = slice(start, start := start + record["length"])
        flat.append(
            Row(
                ids=tuple(ids[here]),
                logprobs=_values(logprobs[here], drawn[here]),
                proposals=_values(proposals[here], drawn[here]),
                pieces=tuple(Piece(origins[number], lo, hi) for number, lo, hi in record["pieces"]),
                lineage=tuple(record["lineage"]),
                dead=record["dead"],
                resamplings=tuple(Resampling(*fields) for fields in record["resamplings"]),
            )
        )
    batch, samples = header["shape"]
    return [flat[b * samples : (b + 1) * samples] for b in range(batch)], samples, header["identity"]


def _checked_header(path: str | Path, metadata: dict[str, str], vocabulary: Vocabulary) -> dict[str, Any]:
    """The header of a saved state; ValueError if there is none, or if it was saved with another vocabulary."""
    try:
        header = json.loads(metadata.get("outlines_cont", "{}"))
    except json.JSONDecodeError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{path} holds no saved state (expected the format {FORMAT!r})")
    if header["vocabulary"] != vocabulary.fingerprint:
        raise ValueError(f"{path} was saved with another vocabulary than the given model's {vocabulary!r}")
    return header


# --- tensors


def _scores(values: list[float | None]) -> torch.Tensor:
    return torch.tensor([nan if value is None else value for value in values], dtype=torch.float64)


def _values(values: list[float], drawn: list[bool]) -> tuple[float | None, ...]:
    return tuple(value if was_drawn else None for value, was_drawn in zip(values, drawn, strict=True))


# --- records: the keys "maker" and "parts" are those of the file format


def _numbered_origins(rows: Iterable[Row]) -> dict[int, tuple[int, Origin]]:
    """By identity, each origin with its number in the file: rows may share origins."""
    origins: dict[int, tuple[int, Origin]] = {}
    for row in rows:
        for piece in row.pieces:
            origins.setdefault(id(piece.origin), (len(origins), piece.origin))
    return origins


def _row_record(row: Row, origins: dict[int, tuple[int, Origin]]) -> dict[str, Any]:
    return {
        "length": len(row),
        "pieces": [(origins[id(piece.origin)][0], piece.lo, piece.hi) for piece in row.pieces],
        "lineage": row.lineage,
        "dead": row.dead,
        "resamplings": row.resamplings,
    }


def _origin_record(origin: Origin) -> dict[str, Any]:
    return {
        "kind": origin.kind,
        "length": origin.length,
        "name": origin.name,
        "maker": origin.constraint and origin.constraint.spec,
        "finished": origin.finished,
        "stop": _stop_record(origin.stop),
        "length_penalty": origin.length_penalty,
        "bos": origin.bos,
        "link": origin.link,
        "parts": [[segment.begin, segment.end, _stop_record(segment.stop)] for segment in origin.segments],
        "healed": origin.healed.hex(),
        "freed": origin.freed,
        "tries": origin.tries,
        **({"notes": origin.notes} if any(origin.notes) else {}),
    }


def _origin(record: dict[str, Any], vocabulary: Vocabulary) -> Origin:
    return Origin(
        **{
            **{key: value for key, value in record.items() if key not in ("maker", "parts")},
            "constraint": record["maker"] and Constraint.of(record["maker"], vocabulary),
            "stop": _stop(record["stop"]),
            "segments": tuple(Segment(begin, end, SpanStop(*stop)) for begin, end, stop in record["parts"]),
            "healed": bytes.fromhex(record["healed"]),
            "tries": tuple((at, count) for at, count in record["tries"]),
            "notes": TokenNotes.of(record["notes"]) if "notes" in record else NO_NOTES,
        }
    )


def _stop_record(stop: SpanStop | None) -> list[Any] | None:
    return stop and [stop.logprob, stop.proposal, stop.dropped]


def _stop(record: list[Any] | None) -> SpanStop | None:
    return SpanStop(record[0], record[1], None if record[2] is None else tuple(record[2])) if record else None
