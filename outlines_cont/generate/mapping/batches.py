"""A shard, done: its prompts become rows, those that share a beginning are read together, as many as memory holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from math import inf
from typing import Literal

from outlines_cont.decode.failed_rows import OF_NO_ROW
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.mapping.inputs import Prompt, Shard
from outlines_cont.generate.mapping.job import Job, Outcome
from outlines_cont.generate.mapping.shards import encoded
from outlines_cont.state.conversation import Conversation
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.keys import checked_keys
from outlines_cont.state.prompts import prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState

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
        for chosen in batches(self.job, rows, places, self.batch):
            made = self.job.outcomes([rows[place] for place in chosen])
            for place, outcome in zip(chosen, made, strict=True):
                outcomes[place] = outcome
        return encoded(model, outcomes)


def _row(model: LanguageModel, prompt: Prompt, path: tuple[int, ...], fault: str | None) -> Row:
    """The row of a prompt; of one that cannot be read, a row that failed."""
    try:
        if fault is not None:
            raise TypeError(fault)
        if isinstance(prompt, list) and prompt and isinstance(prompt[0], dict):
            row = Conversation.of(prompt, None, reply=True).row(model.encoder)
            return model.claimed(row.keyed(path))
        return prompt_row(model, prompt).keyed(path)
    except (TypeError, ValueError) as error:
        return FailedRow(error=error.with_traceback(None))  # it is told to no other process where it was raised


def batches(job: Job, rows: Sequence[Row], places: Sequence[int], batch: Batch) -> Iterator[list[int]]:
    """The places of the rows of each batch. Rows that begin alike stand side by side, and count their beginning once.

    batch: how many rows; "auto": as many as half of the budget of keys and values holds, with all that they may write,
    and as many as have few enough logits.
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
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, ids, strict=False)))
        growth = job.positions(len(ids))
        new = len(ids) - shared + growth
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
        first.prefill()  # nobody knows how large they are until some are computed
    with tree.lock:
        size = tree.pool.slot_bytes
    return budget / 2 / size if size else inf
