"""Processes of this machine that do shards. Each loads the model once, and ends when its parent does."""

from __future__ import annotations

import multiprocessing
import operator
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from multiprocessing.connection import Connection, wait
from queue import Queue
from typing import Any, Protocol, cast

import torch

from outlines_cont.arguments import is_whole, shown
from outlines_cont.errors import WorkerError
from outlines_cont.jobs.inputs import Shard
from outlines_cont.jobs.job import Job
from outlines_cont.jobs.recipes import Setup, unpacked
from outlines_cont.jobs.shards import Batch, ShardWorker
from outlines_cont.waiting import be_silent, told

# --- who does shards: this process, or others. One protocol, and a table of those that are known by a name

TRIES = 3  # how often a shard is begun whose workers are lost

#: Modules of integrations, by the name that users give: each has a function `pool(setup)` that gives a `WorkerPool`.
NAMED = {"ray": "outlines_cont.jobs.ray"}


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


# --- processes

PATIENCE = 5.0  # seconds that a process has to end before it is killed
DEPTH = 2  # shards that each has at once: the next one is there when the first is done

Task = tuple[int, bytes, int]  # the number of a shard, the shard, and how often it was begun before


class WorkerProcess:
    """One process, seen from here.

    Attributes:
        number: of its place; its successor has the same.
        ready: whether it has loaded its model.
        tasks: what it has to do, in order: it is at the first.
    """

    def __init__(self, setup: bytes, number: int, threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        self.number, self.ready = number, False
        self.tasks: deque[Task] = deque()
        self.connection: Connection = here
        self.process = context.Process(target=serve, args=(there, setup, number, threads), daemon=True)
        with _without_interrupts():
            self.process.start()
        there.close()

    def begin(self, task: Task) -> None:
        """Send it a shard. If it is lost, the next look at it tells."""
        self.tasks.append(task)
        with suppress(OSError):
            self.connection.send_bytes(task[1])

    def received(self) -> tuple[str, Any] | None:
        """What it has sent; None if it was lost."""
        try:
            return self.connection.recv() if self.connection.poll() else None
        except (EOFError, OSError, pickle.UnpicklingError):
            return None

    def end(self) -> None:
        """End it, whatever it is at."""
        self.connection.close()
        self.process.terminate()
        self.process.join(PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(PATIENCE)


class Processes:
    """A pool of processes; see `pools.WorkerPool`. They are started when there is something to do.

    Attributes:
        size: how many.
        tries: how often a shard is begun.
    """

    def __init__(self, setup: bytes, size: int, tries: int) -> None:
        self.size, self.tries = size, tries
        self._setup = setup
        self._threads = max(torch.get_num_threads() // size, 1)
        self._waiting: deque[Task] = deque()
        self._workers: list[WorkerProcess] = []
        self._failed_starts = 0

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that there are now."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def submit(self, number: int, task: bytes) -> None:
        self._waiting.append((number, task, 0))
        self._feed()

    def wait(self) -> tuple[int, bytes]:
        while True:
            self._feed()
            things: list[Any] = []
            for worker in self._workers:
                things += [worker.connection, worker.process.sentinel]
            starting = not any(worker.ready for worker in self._workers)
            with told("the model is loaded in {} processes", len(self._workers)) if starting else nullcontext():
                signalled = set(wait(things))
            for worker in list(self._workers):
                if {worker.connection, worker.process.sentinel} & signalled:
                    outcome = self._heard(worker)
                    if outcome is not None:
                        return outcome

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._waiting.clear()

    def _feed(self) -> None:
        """Give workers something to do, those first that have least; start some, while there are too few."""
        while self._waiting and (ready := [each for each in self._workers if each.ready and len(each.tasks) < DEPTH]):
            min(ready, key=lambda each: len(each.tasks)).begin(self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._workers)
        while len(self._workers) < self.size and starting < len(self._waiting):
            taken = {worker.number for worker in self._workers}
            number = min(set(range(self.size)) - taken)
            self._workers.append(WorkerProcess(self._setup, number, self._threads))
            starting += 1

    def _heard(self, worker: WorkerProcess) -> tuple[int, bytes] | None:
        """The results that a worker has sent, if it has; it may have failed or be lost, too."""
        message = worker.received()
        if message is None:
            self._lost(worker)
            return None
        kind, content = message
        if kind == "failed":
            number = f" at shard {worker.tasks[0][0]}" if worker.tasks else ""
            raise WorkerError(f"worker {worker.number} failed{number}:\n{content}")
        if kind == "ready":
            worker.ready, self._failed_starts = True, 0
            return None
        return worker.tasks.popleft()[0], content

    def _lost(self, worker: WorkerProcess) -> None:
        """A worker has ended. Its shard is done again by another one."""
        worker.end()
        self._workers.remove(worker)
        code = worker.process.exitcode
        if not worker.ready:
            self._failed_starts += 1
            if code is None or code >= 0 or self._failed_starts >= self.tries:  # a signal may be somebody's mistake
                raise WorkerError(
                    f"worker {worker.number} ended before it had loaded its model (exit code {code}); what it wrote on "
                    "stderr says why. A script that maps with workers=… does so under `if __name__ == '__main__':`, "
                    "since each worker imports the script"
                )
        if worker.tasks:
            number, task, before = worker.tasks.popleft()
            check_tries(number, before + 1, self.tries, f"exit code {code}")
            self._waiting.extendleft([*reversed(worker.tasks), (number, task, before + 1)])


def check_tries(number: int, begun: int, tries: int, how: str) -> None:
    """WorkerError if a shard has cost too many workers. begun: how often it was; how: what became of the last one."""
    if begun >= tries:
        raise WorkerError(
            f"shard {number} was begun {begun} times, and its worker was lost each time ({how}). Shards that are done "
            "are kept in out=…; a smaller shard=… or batch=… takes less memory"
        )


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """A process that is started here is not interrupted by Ctrl-C, which is its parent's to hear: not even while it
    begins."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- in the process


def serve(connection: Connection, setup: bytes, number: int, threads: int) -> None:
    """What a worker does: load the model, and then one shard after the other, until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(threads)
    be_silent()
    tasks: Queue[bytes] = Queue()
    threading.Thread(target=_receive, args=(connection, tasks), name="outlines_cont tasks", daemon=True).start()
    try:
        worker = unpacked(setup, number)
        connection.send(("ready", None))
        while True:
            connection.send(("done", worker(pickle.loads(tasks.get()))))
    except (BrokenPipeError, ConnectionResetError):
        return
    except Exception:
        connection.send(("failed", traceback.format_exc()))


def _receive(connection: Connection, tasks: Queue[bytes]) -> None:
    """Take in shards while another one is done; when the parent is gone, whatever is done is for nobody."""
    try:
        while True:
            tasks.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(1)
