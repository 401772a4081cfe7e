"""Requests to a vLLM engine in this process: rows are begun and ended, passes are made, and questions are passed on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import ReferenceType

import torch
from torch import Tensor

from outlines_cont.engines.protocol import Answers, WrittenRow
from outlines_cont.processes import ProcessBound, whole_at_fork
from outlines_cont.vllm.starting import vllm_part

# --- which request stands in which row of vLLM's batch, as its processors of logits are told: no vLLM is needed for it

T = TypeVar("T")


class PlacedRequest(NamedTuple, Generic[T]):
    """A request in vLLM's batch.

    value: whatever its sampling parameters name; prompt: how many tokens its prompt has; output: vLLM's own list of the
    tokens after it, which grows as these are reported.
    """

    value: T
    prompt: int
    output: list[int]

    @property
    def length(self) -> int:
        """How many tokens its row has.

        Raises:
            RuntimeError: vLLM has not said yet which tokens these are.
        """
        if self.output and self.output[-1] < 0:
            raise RuntimeError(
                "vLLM asks for the next token of a row and does not say which token comes before it (pipeline "
                "parallelism with asynchronous scheduling): start it with async_scheduling=False"
            )
        return self.prompt + len(self.output)


class BatchPlaces(Generic[T]):
    """The requests of a batch, row by row. `update` follows what vLLM's `BatchUpdate` says."""

    def __init__(self) -> None:
        self._rows: dict[int, PlacedRequest[T]] = {}

    def __iter__(self) -> Iterator[tuple[int, PlacedRequest[T]]]:
        """Each request with its row, from the first row on."""
        return iter(sorted(self._rows.items()))

    def __len__(self) -> int:
        return len(self._rows)

    def update(self, removed: Any, added: Any, moved: Any) -> None:
        """Requests leave, then others come, then some change rows.

        removed: rows; added: (row, value or None, prompt tokens, output tokens), None for a request that is not ours;
        moved: (row, row, whether the two change places; else the first goes to the second).
        """
        rows = self._rows
        for row in removed:
            rows.pop(row, None)
        for row, value, prompt, output in added:
            rows.pop(row, None)  # a request may take the row of another one that was not ours
            if value is not None:
                rows[row] = PlacedRequest(value, len(prompt or ()), output)
        for one, other, swap in moved:
            first, second = rows.pop(one, None), rows.pop(other, None)
            if first is not None:
                rows[other] = first
            if swap and second is not None:
                rows[one] = second


# --- the processor of logits through which vLLM asks what comes next. vLLM is imported where a class is made of it


def updated(places: BatchPlaces[Any], update: Any, value_of: Any) -> None:
    """Follow a change of vLLM's batch.

    value_of: sampling parameters and prompt → what is kept of a request, or None for one that is not ours.
    """
    places.update(
        update.removed,
        [(row, value_of(parameters, prompt), prompt, output) for row, parameters, prompt, output in update.added],
        [(one, other, direction.name == "SWAP") for one, other, direction in update.moved],
    )


def processor_class() -> Any:
    """vLLM's class of processors, for its older runner."""
    return vllm_part("vllm.v1.sample.logits_processor", "LogitsProcessor")


def processor_for(desk: list[ReferenceType[Requests]]) -> type:
    """A class of processors that ask the requests in this list, once it has some. (vLLM keeps all such classes.)"""

    class RowProcessor(processor_class()):
        """Leaves one token finite in each row that is ours: the one that was drawn."""

        def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool):
            self._places: BatchPlaces[str] = BatchPlaces()

        def is_argmax_invariant(self) -> bool:
            return False

        def update_state(self, batch_update: Any) -> None:
            if batch_update is not None:
                updated(self._places, batch_update, lambda parameters, prompt: (parameters.extra_args or {}).get(KEY))

        def apply(self, logits: Tensor) -> Tensor:
            places = [(row, request) for row, request in self._places if row < len(logits)]
            requests = desk[0]() if desk else None
            if not places or requests is None:
                return logits
            rows = torch.tensor([row for row, _ in places], device=logits.device)
            lines = logits[rows]  # a copy: these rows are overwritten
            asked = [(request.value, request.length) for _, request in places]
            tokens = torch.tensor(requests.answers(asked, lines), device=logits.device)
            logits[rows] = -inf
            logits[rows, tokens] = 0.0
            return logits

    return RowProcessor


# --- requests

KEY = "outlines_cont_row"  # in the `extra_args` of sampling parameters


@dataclass
class RequestCounts:
    """What was computed: token positions, those that vLLM had already, passes, and requests; and tokens of drafts that
    were read, and that rows took."""

    tokens: int = 0
    reused: int = 0
    passes: int = 0
    requests: int = 0
    drafted: int = 0
    accepted: int = 0

    def reset(self) -> None:
        """Count from 0 again."""
        self.tokens = self.reused = self.passes = self.requests = self.drafted = self.accepted = 0

    def count_drafts(self, drafted: int, accepted: int) -> None:
        """Count tokens of drafts."""
        self.drafted += drafted
        self.accepted += accepted


@dataclass(eq=False)
class OpenRequest:
    """A request that is not over, with the writer that it belongs to."""

    writer: RequestWriter
    handle: int
    prompt: int
    length: int
    computed: int = 0  # positions that are counted


class Requests(ProcessBound):
    """All requests of one vLLM engine, of whatever writers.

    engine: vLLM's `LLMEngine`; parameters: makes the sampling parameters of a request, of its key and its length; end:
    the token at which each request ends.
    """

    _instead = "load the model in each process"

    def __init__(self, engine: Any, parameters: Callable[[str, int], Any], end: int):
        self.engine, self.parameters, self.end = engine, parameters, end
        self.lock = whole_at_fork(threading.RLock())
        self.stats = RequestCounts()
        self._open: dict[str, OpenRequest] = {}
        self._names = count()

    def writer(self, answers: Answers) -> RequestWriter:
        """A writer of rows, which asks this function."""
        return RequestWriter(self, answers)

    def begin(self, writer: RequestWriter, handle: int, tokens: Sequence[int]) -> str:
        """Begin a request; its key."""
        key = f"outlines_cont-{next(self._names)}"
        prompt = {"prompt_token_ids": list(tokens)}
        self.engine.add_request(key, prompt, self.parameters(key, len(tokens)))
        self._open[key] = OpenRequest(writer, handle, len(tokens), len(tokens))
        self.stats.requests += 1
        return key

    def abort(self, keys: Sequence[str]) -> None:
        """End requests that are not over."""
        going = [key for key in keys if self._open.pop(key, None) is not None]
        if going:
            self.engine.abort_request(going)

    def make_pass(self) -> None:
        """One pass of vLLM. What it reports goes to the writers. If it fails, all rows end: also those of other
        writers, which are told."""
        self.stats.passes += 1
        try:
            outputs = self.engine.step()
        except BaseException as error:
            for writer in {request.writer for request in self._open.values()}:
                writer.lost(error)
            self.abort(list(self._open))
            raise
        for output in outputs:
            if (request := self._open.get(output.request_id)) is not None:
                self._report(output, request)

    def _report(self, output: Any, request: OpenRequest) -> None:
        new = len(output.outputs[0].token_ids)
        if not request.computed:
            reused = output.num_cached_tokens or 0
            request.computed = request.prompt
            self.stats.tokens += request.prompt - reused
            self.stats.reused += reused
        if new:
            computed = request.length + new - 1  # the last token is not read
            self.stats.tokens += computed - request.computed
            request.computed = computed
        request.length += new
        if output.finished:
            del self._open[output.request_id]
        request.writer.reports[request.handle] = WrittenRow(request.length, output.finished)

    def answers(self, asked: Sequence[tuple[str, int]], logits: Tensor) -> list[int]:
        """The next tokens of requests, given by key and length, from the logits `[rows, V]`.

        It never raises: vLLM would be left in the middle of a pass. The writer raises the error when that is over.
        """
        tokens = [self.end] * len(asked)
        places: dict[RequestWriter, list[tuple[int, int, int]]] = {}  # a row here, its handle, its length
        for row, (key, length) in enumerate(asked):
            if (request := self._open.get(key)) is not None:  # else it was ended a moment ago
                places.setdefault(request.writer, []).append((row, request.handle, length))
        for writer, each in places.items():
            rows = [row for row, _, _ in each]
            lines = logits if len(rows) == len(logits) else logits[rows]
            for row, token in zip(rows, writer.answered([(h, n) for _, h, n in each], lines), strict=True):
                tokens[row] = self.end if token is None else token
        return tokens


@dataclass(eq=False)
class RequestWriter:
    """The rows of one call: a `RowWriter`."""

    requests: Requests
    ask: Answers
    reports: dict[int, WrittenRow] = field(default_factory=dict)
    error: BaseException | None = None
    _keys: dict[int, str] = field(default_factory=dict)
    _handles: count[int] = field(default_factory=count)

    @property
    def lock(self) -> Any:
        """Held while rows are asked about."""
        return self.requests.lock

    def add(self, tokens: Sequence[int]) -> int:
        """Begin a row; its handle."""
        with self.lock:
            handle = next(self._handles)
            self._keys[handle] = self.requests.begin(self, handle, tokens)
            return handle

    def drop(self, handle: int) -> None:
        """End a row that is not over."""
        with self.lock:
            self.reports.pop(handle, None)
            self.requests.abort([self._keys.pop(handle)])

    def step(self) -> dict[int, WrittenRow]:
        """What is new of the rows, after a pass if nothing was new before."""
        with self.lock:
            if not self.reports and self.error is None:
                try:
                    self.requests.make_pass()
                except BaseException:
                    self.error = None  # this one is raised here
                    raise
            if self.error is not None:
                error, self.error = self.error, None
                try:
                    raise error
                finally:
                    del error
            reports, self.reports = self.reports, {}
            for handle, report in reports.items():
                if report.over:
                    del self._keys[handle]
            return reports

    def close(self) -> None:
        """End all rows."""
        with self.lock:
            keys, self._keys, self.reports = list(self._keys.values()), {}, {}
            self.requests.abort(keys)

    def lost(self, error: BaseException) -> None:
        """Its rows have ended, because a pass failed. The next `step` says so."""
        if self.error is None:
            self.error = RuntimeError(
                f"vLLM failed in a pass that another call made, and all rows ended ({type(error).__name__}: {error})"
            )
            self.error.__cause__ = error

    def answered(self, asked: Sequence[tuple[int, int]], logits: Tensor) -> Sequence[int | None]:
        """What the owner answers; ends for all rows, if that raises."""
        if self.error is None:
            try:
                return self.ask(asked, logits)
            except BaseException as error:
                self.error = error
        return [None] * len(asked)
