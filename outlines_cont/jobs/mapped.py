"""`oc.map()`: a job over any number of prompts, in shards, here or on workers, with what is done kept in a folder."""

from __future__ import annotations

import json
import pickle
from collections import deque
from collections.abc import Generator as Yields
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from math import isfinite
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import IO, Any, Self, cast

from pydantic_core import to_jsonable_python

from outlines_cont.arguments import flag, is_whole, positive, shown
from outlines_cont.errors import ConstraintError, CorruptStateError, warn
from outlines_cont.explained import explained
from outlines_cont.files import in_place_of, remove_half_written
from outlines_cont.generate.call_options import CallOptions, checked_errors
from outlines_cont.generate.generator import Generator
from outlines_cont.jobs.inputs import NO_COLUMNS, PROMPT, Key, Shard, checked_input, shards
from outlines_cont.jobs.job import Job, Work, under_adapter
from outlines_cont.jobs.processes import WorkerPool, pool_of
from outlines_cont.jobs.recipes import config_digest, digest, model_facts, specification, version_of_package
from outlines_cont.jobs.shards import Batch, RowResult, decoded, opened
from outlines_cont.progress import Bar
from outlines_cont.state.failed_row import Errors, FailedRow
from outlines_cont.state.random_keys import seeded
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import bar_stream, screen

# --- what a user gets of each prompt, and what the file of values says of it


class Reader:
    """Reads the results of shards, as the job gives them."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._constraints = {link.constraint.spec: link.constraint for link in job.links}

    def results(self, data: bytes, first: int) -> Iterator[Any]:
        """The result of each prompt of a shard. first: the index of its first prompt."""
        for place, row in enumerate(decoded(data, self.job.model, self._constraints, first)):
            yield self._result(row, first + place)

    def _result(self, row: RowResult, index: int) -> Any:
        if row.error is not None:
            return row.error
        if row.scores is not None:
            return row.scores
        assert row.group is not None
        state = SequenceState(self.job.model, [row.group], samples=len(row.group))
        return self._value(state, index) if isinstance(self.job.work, Generator) else state

    def _value(self, state: SequenceState, index: int) -> Any:
        """The value of a generator's row, or its values; its error, if it has none."""
        generator: Generator[Any, Any] = self.job.work  # type: ignore[assignment]
        failures = [row.error for row in state.rows[0] if isinstance(row, FailedRow)]
        [values] = generator._nested(state, failures, "return")
        for sample, value in enumerate(values):
            if isinstance(value, Exception) and not any(value is failure for failure in failures):
                value.row = (index, sample)  # type: ignore[attr-defined]
        if not values:
            return ConstraintError(f"prompt {index} has no samples: nothing is left of it")
        failed = [value for value in values if isinstance(value, Exception)]
        if len(failed) == len(values):
            return failed[0]
        return values[0] if self.job.single and len(values) == 1 else values

    # --- the file of values

    def content(self, result: Any) -> dict[str, Any]:
        """What the file of values says of a result."""
        if isinstance(result, Exception):
            return {"error": error_content(result)}
        if isinstance(result, SequenceState):
            return self._state_content(result)
        if not isinstance(result, list) or not any(isinstance(each, Exception) for each in result):
            return {"value": jsonable(result)}
        failed = [error_content(each) if isinstance(each, Exception) else None for each in result]
        values = [None if isinstance(each, Exception) else jsonable(each) for each in result]
        return {"value": values, "errors": failed}

    def _state_content(self, state: SequenceState) -> dict[str, Any]:
        """Of a state: what was written after the prompt, and the values of named steps; a list for several samples."""
        [rows] = state.rows
        texts = [None if row.dead else self._written(row) for row in rows]
        names = dict.fromkeys(link.call.name for link in self.job.links if link.call.name is not None)
        names |= dict.fromkeys(state.captures)  # functions of a chain may give other steps
        captures = {name: jsonable(state.captures[name][0]) if name in state.captures else [] for name in names}
        ends = [jsonable(row.ended_by) for row in rows]
        failed = [error_content(row.error) if isinstance(row, FailedRow) else None for row in rows]
        if self.job.single and len(rows) == 1:
            texts, captures = texts[0], {name: values[0] if values else [] for name, values in captures.items()}
            ends = ends[0]
        return {"text": texts, "captures": captures, "ended_by": ends, **({"errors": failed} if any(failed) else {})}

    def _written(self, row: Row) -> str:
        """What stands after the prompt."""
        decode = self.job.model.vocabulary.decode
        length = healed = 0
        for piece in row.pieces:
            if piece.kind != "prompt":
                healed = len(piece.origin.healed)
                break
            length += piece.hi - piece.lo
        prompt = len(decode(row.ids[:length])) + healed
        return decode(row.ids)[prompt:].decode("utf-8", "replace")


# --- a folder of shards that are done: a file for each, which stands there whole or not at all, and the values of all

VALUES = "values.jsonl"


class ShardFolder:
    """The folder of `out=…`.

    Attributes:
        path: of the folder.
        work: what is done with each row, and by which model, as text: a part of the names of files.
    """

    def __init__(self, path: Any, work: str) -> None:
        if not isinstance(path, (str, PathLike)):
            raise TypeError(f"out={shown(path)}: it is the path of a folder, or None")
        self.path, self.work = Path(path), work
        if self.path.exists() and not self.path.is_dir():
            raise FileExistsError(f"out={shown(str(path))}: there is a file of this name, and no folder")
        self.path.mkdir(parents=True, exist_ok=True)

    def file(self, shard: Shard) -> Path:
        """Where a shard is. The name says what was done, with which prompts, keys and settings."""
        settings = [shard.settings] if shard.settings else []
        name = digest(self.work, shard.prompts, shard.keys, sorted(shard.faults.items()), *settings)
        return self.path / f"{name}.shard"

    def read(self, shard: Shard) -> bytes | None:
        """What is there of a shard: its bytes. None if it is not there, or was damaged and is to be done again."""
        path = self.file(shard)
        try:
            data = path.read_bytes()
            opened(data)
        except FileNotFoundError:
            return None
        except CorruptStateError as error:
            warn(f"{path} was damaged ({error}): its prompts are done again")
            return None
        return data

    def write(self, shard: Shard, data: bytes) -> None:
        """Put a shard there: all of it, or nothing."""
        with in_place_of(self.file(shard)) as file:
            file.write(data)

    def values(self) -> AbstractContextManager[IO[bytes]]:
        """The file of all values, which stands there when all of it is written. That of an earlier run is removed now:
        it may have another job's values. So is what a run that was killed has left half written."""
        remove_half_written(self.path)
        (self.path / VALUES).unlink(missing_ok=True)
        return in_place_of(self.path / VALUES)

    def holds(self, file: Any) -> bool:
        """Whether what an error names is this folder or a file of it."""
        return isinstance(file, str) and self.path in (Path(file), Path(file).parent)


def line(content: dict[str, Any]) -> bytes:
    """A line of the file of values: JSON in UTF-8. Half a character (a lone surrogate) is written as an escape."""
    try:
        data = json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        data = json.dumps(content).encode()
    return data + b"\n"


def jsonable(value: Any) -> Any:
    """A value as JSON has it: of dates, decimals and the like their text, of a value with fields an object. JSON has no
    infinity and no NaN: their names are texts."""
    return _finite(to_jsonable_python(value, serialize_unknown=True, by_alias=True))


def _finite(value: Any) -> Any:
    """Plain values, in which "Infinity", "-Infinity" and "NaN" stand for floats that JSON does not have."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return json.dumps(value) if isinstance(value, float) and not isfinite(value) else value


def error_content(error: Exception) -> dict[str, str]:
    """An error as JSON has it."""
    return {"type": type(error).__name__, "message": str(error)}


# --- mapped

SHARD = 256  # prompts, where nobody says how many
AHEAD = 3  # shards that are read for each worker, so that none waits for the input, or for who takes the results


class Mapped(Iterator[Any]):
    """The results of `oc.map`, in the order of the prompts. Nothing is done before the first one is asked for.

    `close()`, or the end of a `with` block, ends the workers; so does the end of the results.

    Attributes:
        seed: of all draws, also if it was drawn.
        skipped: how many prompts so far were found in the folder.
    """

    def __init__(self, run: MapRun) -> None:
        self.seed = run.job.seed
        self._run = run
        self._rows = run.rows()

    def __repr__(self) -> str:
        return f"<results of oc.map: {self._run.given:,} given so far, {self.skipped:,} found; seed={self.seed}>"

    def __next__(self) -> Any:
        return next(self._rows)[0]

    @property
    def skipped(self) -> int:
        return self._run.skipped

    def contents(self) -> Iterator[dict[str, Any]]:
        """Instead of the results, what `values.jsonl` says of each."""
        return (content for _, content in self._rows)

    def close(self) -> None:
        """End the workers, and give back no more results. What is in the folder stays there."""
        self._rows.close()
        self._run.pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(eq=False)
class MapRun:
    """The order of events: shards are read, begun, waited for and given out.

    Attributes:
        job, pool, folder, source, errors: what `map` was asked for.
        bar: the bar that is drawn, if one is.
        pending: shards that were read and not given out.
        done: results that were not given out, by the number of their shard.
        fault: what is wrong with the input, once it is met.
        given, skipped: how many results were given out; how many prompts were found in the folder.
        worked, waits_since: for how many seconds somebody waited for a shard before; since when somebody does now.
    """

    job: Job
    pool: WorkerPool
    folder: ShardFolder | None
    source: Iterator[Shard]
    errors: Errors
    bar: Bar | None = None
    pending: deque[Shard] = field(default_factory=deque)
    done: dict[int, bytes] = field(default_factory=dict)
    fault: Exception | None = None
    given: int = 0
    skipped: int = 0
    worked: float = 0.0
    waits_since: float | None = None

    def rows(self) -> Yields[tuple[Any, dict[str, Any]]]:
        """The results, each with what the file of values says of it, which is written on the way."""
        reader = Reader(self.job)
        try:
            with ExitStack() as open_things:
                open_things.callback(self.pool.close)
                bar = None if self.bar is None else open_things.enter_context(self.bar)
                values = open_things.enter_context(self.folder.values()) if self.folder else None
                while self._ahead():
                    shard = self.pending[0]
                    results = reader.results(self._waited_for(shard), shard.first)
                    for key, result in zip(shard.keys, results, strict=True):
                        content = {"key": key, **reader.content(result)}
                        if values is not None:
                            values.write(line(content))
                        self.given += 1
                        if bar is not None:
                            bar.look()
                        yield self._checked(result, key), content
                    self.pending.popleft()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._how_to_go_on("was interrupted")) from None
        except OSError as error:
            if self.folder is None or not self.folder.holds(error.filename):
                raise
            told = f"{error.strerror}: {error.filename!r}; {self._how_to_go_on('ended')}"
            raise type(error)(error.errno, told) from error

    def _ahead(self) -> bool:
        """Begin shards while there are few. Whether there is one that is to be given out.

        What is wrong with the input is raised in its turn, after the results of the shards before it.
        """
        most = max(AHEAD * self.pool.size, 1)
        while len(self.pending) < most and (shard := self._read()) is not None:
            if self.folder is not None and (data := self.folder.read(shard)) is not None:
                self.done[shard.number] = data
                self.skipped += len(shard.keys)
            else:
                self.pool.submit(shard.number, pickle.dumps(shard))
            self.pending.append(shard)
        if self.fault is not None and not self.pending:
            raise self.fault
        return bool(self.pending)

    def _read(self) -> Shard | None:
        """The next shard; None at the end of the input, and where it cannot be read."""
        try:
            return next(self.source, None)
        except Exception as error:
            self.fault = error
            return None

    def _waited_for(self, shard: Shard) -> bytes:
        """The results of a shard, when it is done. Others that are done meanwhile are kept."""
        while shard.number not in self.done:
            with self._waiting():
                number, data = self.pool.wait()
            if self.folder is not None:
                self.folder.write(next(each for each in self.pending if each.number == number), data)
            self.done[number] = data
        return self.done.pop(shard.number)

    @property
    def seconds(self) -> float:
        """For how long somebody has waited for shards."""
        return self.worked + (0.0 if self.waits_since is None else perf_counter() - self.waits_since)

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        self.waits_since = perf_counter()
        try:
            yield
        finally:
            self.worked, self.waits_since = self.seconds, None

    def _checked(self, result: Any, key: Key) -> Any:
        """A result. An error is raised if errors are to be raised."""
        if self.errors == "raise" and (error := _failure(result)) is not None:
            error.add_note(f"This is the error of prompt {self.given - 1}, key {shown(key)}.")
            raise error
        return result

    def _how_to_go_on(self, how: str) -> str:
        told = f"map() {how} after {self.given:,} results"
        if self.folder is None:
            return f"{told}. With out='folder' the shards that are done would be kept, and the same call goes on there"
        return f"{told}. The shards that are done are in {str(self.folder.path)!r}; the same call goes on from there"


def _failure(result: Any) -> Exception | None:
    """The error that a result is, or that of its first sample that failed; None if none has."""
    samples = result.errors[0] if isinstance(result, SequenceState) else result
    each = samples if isinstance(samples, list) else [samples]
    return next((sample for sample in each if isinstance(sample, Exception)), None)


@explained
def map(
    work: Work,
    prompts: Iterable[Any] | str | PathLike[str],
    *,
    seed: int | None,
    keys: Iterable[Key] | None = None,
    out: str | PathLike[str] | None = None,
    batch: Batch = "auto",
    workers: Any = None,
    shard: int = SHARD,
    errors: Errors = "return",
    progress: bool | None = None,
    version: str | None = None,
    load: Any = None,
    adapter: str | Sequence[str] | None = None,
    prompt: str = PROMPT,
    key: str | None = None,
    settings: Mapping[str, str] = NO_COLUMNS,
    max_tokens: int | None = None,
    **options: Any,
) -> Mapped:
    """Do a job with any number of prompts: an iterator over the results, in the order of the prompts.

    The results are those of one call with all prompts, whatever the shards, the batches and the processes, and also
    after crashes: the draws of a row depend on the seed and its key only, which is its index by default. Only some
    shards are in memory at once. See docs/scale.md.

    Args:
        work: a step or a chain: each result is a state of one batch row, without keys and values. A generator: each
            result is a value, or a list of values if the sampler draws several samples.
            `oc.scores.scoring(model, texts)`: each result is a list of floats. If a prompt failed, its result is the
            error.
        prompts: an iterable of prompts (texts, token ids, or messages for the chat template) or of rows (dicts); or the
            path of a file of JSON lines. It is read as it is needed.
        seed: that of all draws. None: a random one, which `.seed` of the iterator gives.
        keys: the random keys, an int or a str for each prompt; see `CallOptions`.
        out: a folder. Each shard is kept in a file there as soon as it is done, and a second run does only those that
            are missing; `values.jsonl` has all values at the end.
        batch: how many rows are computed at once; "auto": as many as fit into half of the budget of keys and values.
            Rows that begin alike are computed together.
        workers: None for this process; an int for that number of other processes; "ray" for actors of Ray.
        shard: the number of prompts in a shard, which is kept in one file, and lost if its process is killed.
        errors: "return" the errors of prompts and samples in their places, or "raise" the first.
        progress: True draws a bar on stderr, in a notebook on stdout. None, the default: if stderr is a terminal, or in
            a notebook, it is drawn once the job has taken two seconds, without the time that you take between two
            results. False: never.
        version: stands for the behaviour of your own functions and classes in the job (hooks, filters, controllers).
            With `out`, a job with such functions needs a version; change it when you change them. Any job may have one:
            shards of another version are computed again.
        load: for workers, a function in a module that makes the model; needed if `oc.load` has not made it.
        adapter: the name of an adapter of peft, or several: the job is done by `model.with_adapter(adapter)`, here and
            in workers. None: by the model as it is.
        prompt: for rows, the field with the prompt. A file or a list whose first row does not have it is refused at
            once.
        key: for rows, the field with the key of the prompt.
        settings: for rows, the fields with what each says for itself, by the names of `oc.Settings`:
            `{"max_tokens": "budget"}`. Of `hooks`, `keep`, `draft` and `filters` a field says nothing. None (in JSON,
            null) stands for what the call says.
        max_tokens: of the call.
        options: of the call; see `CallOptions`.

    Raises:
        TypeError, ValueError: a wrong argument, or a job that cannot be named or sent to workers; the error gives the
            reason.
        WorkerError: while it iterates: a worker failed, or several were lost at one shard.

    >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
    >>> list(oc.map(city, ["The capital of France is ", "The capital of Italy is "], seed=0))
    ['Paris', 'Rome']
    >>> states = oc.map(oc.continuous(city, name="city"), (f"The capital of {c} is " for c in ["Italy"]), seed=0)
    >>> [state.captures["city"] for state in states]
    [[[['Rome']]]]
    """
    checked_input(prompts, keys, prompt, key, settings)
    shard = positive(shard, "shard")
    if not (batch == "auto" or is_whole(batch)) or (batch != "auto" and batch < 1):
        raise ValueError(f"batch={shown(batch)}: it is 'auto', or an int ≥ 1")
    if seed is None and out is not None:
        raise ValueError("out=… with seed=None: a second run would draw another seed, and find nothing; give seed=…")
    if adapter is not None:
        work = under_adapter(work, adapter)
    job = Job.of(work, seeded(seed), max_tokens, cast(CallOptions, options), settings)
    folder = None if out is None else ShardFolder(out, work_name(job, version))
    source = shards(prompts, keys, prompt, key, shard, settings)
    total = len(prompts) if hasattr(prompts, "__len__") and not isinstance(prompts, (str, PathLike)) else None  # type: ignore[arg-type]
    pool = pool_of(workers, job, batch, load)
    if progress == "rows":
        raise ValueError("oc.map(progress='rows'): it has no one state to draw; progress=True draws a bar")
    stream = screen() if progress is None else bar_stream() if flag(progress, "progress") else None
    run = MapRun(job, pool, folder, source, checked_errors(errors))
    if stream is not None:
        run.bar = Bar(stream, lambda: (run.given, total, ""), bool(progress), lambda: run.seconds, unit=" rows")
    return Mapped(run)


def work_name(job: Job, version: str | None) -> str:
    """What is done with each row, and by which model: equal for equal work, in any process."""
    if version is not None and not isinstance(version, str):
        raise TypeError(f"version={shown(version)}: it is a str, or None")
    model = [*model_facts(job.model), config_digest(job.model)]
    return digest(version_of_package(), model, job.seed, specification(job, version))
