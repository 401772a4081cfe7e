"""The shape of what a file says of rows, besides their tensors: records of JSON, which pydantic checks."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from outlines_cont.state.prompts import LEAST_LINEAGE, MOST_KEY
from outlines_cont.state.row import STEEPEST_PENALTY

MOST = 2**31 - 1  # of anything that is counted
Count = Annotated[int, Field(ge=0, le=MOST)]
Ancestor = Annotated[int, Field(ge=-1, le=MOST)]
Logprob = Annotated[float, Field(strict=True)]
Weight = Annotated[float, Field(strict=True, allow_inf_nan=False)]
MomentRecord = tuple[Count, Count, Literal[0, 1, 2]]  # see `Moment`
Some = Annotated[int, Field(ge=1, le=MOST)]
T = TypeVar("T")
Listed = Annotated[list[T], Field(fail_fast=True)]  # of many wrong items only the first is told: each takes a kilobyte


class Record(BaseModel):
    """JSON of one shape: nothing more, nothing less, and no value that has to be converted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class StopRecord(Record):
    """See `SpanStop`."""

    logprob: Logprob
    proposal: Logprob
    dropped: Listed[Count] | None = None
    by: Ancestor | str | None = None


class SegmentRecord(Record):
    """See `Segment`: a file holds no guides."""

    begin: Count
    end: Count
    stop: StopRecord


class NotesRecord(Record):
    """See `TokenNotes`."""

    unfed: Listed[Count] = []
    edited: Listed[Count] = []
    candidates: Listed[tuple[Count, Listed[tuple[Count, Logprob, Logprob]]]] = []
    grafted: Listed[tuple[Count, Count]] = []
    alternatives: Listed[tuple[Count, Listed[tuple[Count, Logprob, bool]]]] = []
    forced: Listed[Count] = []
    entropies: Listed[tuple[Count, Annotated[float, Field(ge=0, allow_inf_nan=False)]]] = []


class OriginRecord(Record):
    """See `Origin`; `constraint` is the number of one in the header."""

    kind: Literal["prompt", "text", "generated"]
    length: Count
    name: Annotated[str, Field(min_length=1)] | None = None
    constraint: Count | None = None
    finished: Literal["stop", "length", "interrupted"] | None = None
    stop: StopRecord | None = None
    length_penalty: Annotated[float, Field(ge=-STEEPEST_PENALTY, le=STEEPEST_PENALTY)] = 0.0
    bos: Count = 0
    from_ids: bool = False
    link: Count | None = None
    segments: Listed[SegmentRecord] = []
    healed: Annotated[str, Field(pattern="^([0-9a-f]{2})*$")] = ""
    freed: Count | None = None
    tries: Listed[tuple[MomentRecord, Count, Some]] = []
    edits: Listed[tuple[MomentRecord, MomentRecord, Listed[Count]]] = []
    notes: NotesRecord = NotesRecord()
    chat: str | None = None
    combined: bool = False
    chosen_by: Annotated[str, Field(min_length=1)] | None = None
    mass: Annotated[float, Field(ge=0, le=1)] | None = None
    seed: int | None = None


class RowRecord(Record):
    """See `Row`; `pieces`: the number of each one's origin, which of its tokens these are, and False if it did not
    begin after the token before it; `beside`: the number of a combination in the header."""

    length: Count
    pieces: Listed[tuple[Count, Count, Count] | tuple[Count, Count, Count, Literal[False]]] = []
    lineage: Listed[Annotated[int, Field(ge=LEAST_LINEAGE, lt=MOST_KEY)]] = []
    dead: bool = False
    resamplings: Listed[tuple[Count, Count, Logprob, Count, Ancestor]] = []
    beside: Count | None = None


class ContextRecord(Record):
    """See `OtherContext`; identity: that of another model's parameters."""

    ids: Annotated[list[Count], Field(min_length=1, fail_fast=True)]
    weight: Weight
    identity: str | None = None


class CombinationRecord(Record):
    """See `Combination`."""

    start: Count
    contexts: list[ContextRecord]
    main_weight: Weight = 1.0
    normalize: bool = True


class Header(Record):
    """All of a file but its tensors.

    What has its default is left out.

    Attributes:
        format: of the file.
        vocabulary: the fingerprint of the vocabulary; identity: that of the model's parameters.
        samples: of each batch row.
        constraints: the specifications of the constraints of all origins, each once.
        origins: of all rows, each once.
        rows: B lists of S.
        combinations: of contexts beside rows, each once.
    """

    format: str
    vocabulary: str
    identity: str
    samples: Count
    constraints: Listed[str] = []
    origins: Listed[OriginRecord]
    rows: Listed[Listed[RowRecord]]
    combinations: Listed[CombinationRecord] = []
