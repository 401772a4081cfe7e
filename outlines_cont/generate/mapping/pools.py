"""Who does shards: this process, or others. One protocol, and a table of those that are known by a name."""

from __future__ import annotations

import operator
import pickle
from collections import deque
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from outlines_cont.arguments import is_whole, shown
from outlines_cont.generate.mapping.batches import Batch, ShardWorker
from outlines_cont.generate.mapping.inputs import Shard
from outlines_cont.generate.mapping.job import Job
from outlines_cont.generate.mapping.processes import Processes
from outlines_cont.generate.mapping.recipes import ModelSource, packed

TRIES = 3  # how often a shard is begun whose workers are lost

#: Modules of integrations, by the name that users give: each has a function `pool(setup)` that gives a `WorkerPool`.
NAMED = {"ray": "outlines_cont.integrations.ray"}


class WorkerPool(Protocol):
    """Does shards, in any order. A worker that is lost costs its shard, which is done again by another one."""

    @property
    def size(self) -> int:
        """How many shards may be at work while nobody waits."""
        ...

    def submit(self, number: int, task: bytes) -> None:
        """A shard is to be done: its number, and itself, pickled."""
        ...

    def wait(self) -> tuple[int, bytes]:
        """The number and the results of a shard that is done: of any that was submitted.

        Raises:
            WorkerError: a worker failed, or a shard cost `TRIES` workers.
        """
        ...

    def close(self) -> None:
        """End all workers. What they were at is lost."""
        ...


class Setup:
    """What the workers of a job are made of.

    Attributes:
        job, batch: the job, and how its rows are batched.
        load: the user's function that loads a model, or None.
        workers: what the user asked for, for errors.
    """

    def __init__(self, job: Job, batch: Batch, load: Any, workers: Any) -> None:
        self.job, self.load, self.workers = job, load, shown(workers)
        self.batch: Batch = batch

    def packed(self, dumps: Callable[[Any], bytes] = pickle.dumps, sharing: int = 1) -> bytes:
        """As bytes, for `recipes.unpacked`. TypeError for what cannot travel. sharing: workers on one machine."""
        source = ModelSource.of(self.job.model, self.load, self.workers, sharing)
        return packed(source, self.job, self.batch, self.workers, dumps)


class Here:
    """This process. A shard is done when somebody waits for it."""

    size = 0

    def __init__(self, job: Job, batch: Batch) -> None:
        self._worker: ShardWorker | None = ShardWorker(job, batch)
        self._waiting: deque[tuple[int, bytes]] = deque()

    def submit(self, number: int, task: bytes) -> None:
        self._waiting.append((number, task))

    def wait(self) -> tuple[int, bytes]:
        assert self._worker is not None
        number, task = self._waiting.popleft()
        shard: Shard = pickle.loads(task)
        return number, self._worker(shard)

    def close(self) -> None:
        self._worker = None  # and the keys and values of its last batch
        self._waiting.clear()


def pool_of(workers: Any, job: Job, batch: Batch, load: Any) -> WorkerPool:
    """The pool that was asked for: None, a number of processes, a name, or a function from a `Setup` to a pool.

    TypeError or ValueError for anything else, and for a job that cannot be sent there.
    """
    if workers is None:
        if load is not None:
            raise TypeError("load=… is for workers, and workers=None is this process, which has the model")
        return Here(job, batch)
    setup = Setup(job, batch, load, workers)
    if isinstance(workers, str) and workers in NAMED:
        return import_module(NAMED[workers]).pool(setup)
    if callable(workers) and not isinstance(workers, type):
        return cast("Callable[[Setup], WorkerPool]", workers)(setup)
    if not is_whole(workers):
        names = ", ".join(map(repr, NAMED))
        raise TypeError(f"workers={shown(workers)}: it is None (this process), a number of processes, or {names}")
    if (count := operator.index(cast(int, workers))) < 1:
        raise ValueError(f"workers={workers}: it is an int ≥ 1, or None for this process")
    return Processes(setup.packed(sharing=count), count, TRIES)
