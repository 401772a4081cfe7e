"""`oc.map(…, workers="ray")`: shards are done by actors of Ray, on the cluster that is up, or on a local one.

`actors` says how many there are, and what each of them needs: `workers=actors(8, num_gpus=1)`.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Any

from outlines_cont.arguments import is_number, shown, whole_number
from outlines_cont.errors import WorkerError, warn
from outlines_cont.explained import explained
from outlines_cont.jobs.processes import TRIES, WorkerPool, check_tries
from outlines_cont.jobs.recipes import Setup, unpacked

PATIENCE = 60.0  # seconds until somebody is told that no actor is ready


@explained
def actors(
    count: int | None = None,
    *,
    num_cpus: float = 1,
    num_gpus: float | None = None,
    options: dict[str, Any] | None = None,
) -> Callable[[Setup], WorkerPool]:
    """For `oc.map(workers=…)`: how many actors of Ray do the shards, and what each of them needs.

    count: how many; None for as many as the cluster has room for. num_cpus, num_gpus: what Ray keeps free for each; an
    actor sees the GPUs that it got, and no others. None: one GPU, if the cluster has any. options: other options of
    Ray's actors (`resources`, `runtime_env` …).

    >>> from outlines_cont.jobs.ray import actors
    >>> four_gpus = actors(4, num_gpus=1)
    """
    if count is not None and (count := whole_number(count, "count", "an int ≥ 1, or None")) < 1:
        raise ValueError(f"count={count}: it must be an int ≥ 1, or None for as many as there is room for")
    for name, value in (("num_cpus", num_cpus), ("num_gpus", num_gpus or 0)):
        if not is_number(value) or value < 0:
            raise ValueError(f"{name}={shown(value)}: it must be a number ≥ 0")
    return lambda setup: Actors(setup, count, {**(options or {}), "num_cpus": num_cpus, "num_gpus": num_gpus})


def pool(setup: Setup) -> WorkerPool:
    """The pool of `workers="ray"`: an actor on each GPU of the cluster, or, where it has none, on each CPU."""
    return actors()(setup)


class Actors:
    """A pool of actors; see `WorkerPool` in `jobs/processes.py`. Ray is joined when there is something to do.

    Attributes:
        needs: the options that they are made with.
    """

    def __init__(self, setup: Setup, count: int | None, needs: dict[str, Any]) -> None:
        self.needs = needs
        self._count = count
        self._data = setup.packed(_ray().cloudpickle.dumps)
        self._setup: Any = None  # where Ray keeps it
        self._started = False  # whether Ray runs for us alone
        self._actors: dict[int, Any] = {}
        self._loading: dict[Any, int] = {}  # by reference: those actors that have no model yet
        self._failed_starts = 0
        self._told = False  # whether it was said that no actor is ready
        self._waiting: deque[tuple[int, bytes, int]] = deque()
        self._at_work: dict[Any, tuple[int, tuple[int, bytes, int]]] = {}  # by reference: the actor, and its shard

    @property
    def size(self) -> int:
        """How many actors there are."""
        return self._joined

    @cached_property
    def _joined(self) -> int:
        """How many actors there are, of the cluster that is joined."""
        ray = _ray()
        if not ray.is_initialized():
            # Ray joins the cluster that RAY_ADDRESS names, or that runs on this machine; else it starts one.
            ray.init(log_to_driver=False, logging_level="warning")
            self._started = True
        resources = ray.cluster_resources()
        if self.needs["num_gpus"] is None:
            self.needs = {**self.needs, "num_gpus": 1 if resources.get("GPU", 0) >= 1 else 0}
        self._setup = ray.put(self._data)
        if self._count is not None:
            return self._count
        wanted = {"CPU": self.needs["num_cpus"], "GPU": self.needs["num_gpus"]}
        room = min((int(resources.get(name, 0) // need) for name, need in wanted.items() if need), default=1)
        if room < 1:
            raise ValueError(f"workers='ray': the cluster has {resources}, and an actor needs {self.needs}")
        return room

    @property
    def pids(self) -> list[int]:
        """The ids of the processes of those actors that have loaded their model."""
        loading = set(self._loading.values())
        return [_ray().get(actor.pid.remote()) for place, actor in self._actors.items() if place not in loading]

    def submit(self, number: int, task: bytes) -> None:
        self._waiting.append((number, task, 0))
        self._feed()

    def wait(self) -> tuple[int, bytes]:
        ray = _ray()
        while True:
            self._feed()
            done, _ = ray.wait([*self._at_work, *self._loading], num_returns=1, timeout=PATIENCE)
            if not done:
                self._tell_of_waiting()
            elif (reference := done[0]) in self._loading:
                self._loaded(reference)
            elif (data := self._results(reference)) is not None:
                return data

    def _loaded(self, reference: Any) -> None:
        """An actor has loaded its model, or is lost, and another one is made."""
        ray, place = _ray(), self._loading.pop(reference)
        try:
            ray.get(reference)
        except ray.exceptions.RayError as error:
            self._lost(place, error)
            self._failed_starts += 1
            if self._failed_starts >= TRIES:
                raise WorkerError(f"{TRIES} actors were lost before they had loaded their model: {error}") from None

    def _results(self, reference: Any) -> tuple[int, bytes] | None:
        """The number and the results of a shard that an actor was at; None if they are lost, and it is done again."""
        ray = _ray()
        place, (number, task, before) = self._at_work.pop(reference)
        try:
            return number, ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            raise WorkerError(f"worker {place} failed at shard {number}:\n{error}") from None
        except ray.exceptions.RayError as error:  # the actor is lost, or the machine that had the results
            self._lost(place, error)
            check_tries(number, before + 1, TRIES, str(error).strip().split("\n")[0])
            self._waiting.appendleft((number, task, before + 1))
            return None

    def _lost(self, place: int, error: Exception) -> None:
        """An actor is lost. WorkerError if it could not load its model: another one could not either."""
        actor = self._actors.pop(place)
        if "The actor died because of an error raised in its creation task" in str(error):
            raise WorkerError(f"worker {place} failed:\n{error}") from None
        _ray().kill(actor)

    def _tell_of_waiting(self) -> None:
        """Warn, once, if no actor has a model yet: the cluster may have no room for any."""
        if len(self._loading) == len(self._actors) and not self._told:
            self._told = True
            warn(
                f"workers='ray': after {PATIENCE:.0f} seconds no actor is ready. They load the model, or the cluster "
                f"has no room for them: {self._resources()} is free, and an actor needs {self.needs}"
            )

    @staticmethod
    def _resources() -> dict[str, float]:
        """What is free in the cluster."""
        free = _ray().available_resources()
        return {name: free.get(name, 0) for name in ("CPU", "GPU")}

    def close(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            for actor in self._actors.values():
                ray.kill(actor)
            if self._started:
                ray.shutdown()
        self._actors.clear()
        self._loading.clear()
        self._waiting.clear()
        self._at_work.clear()

    def _feed(self) -> None:
        """Give idle actors something to do; make some, while there are too few. One that has no model yet gets
        nothing: the cluster may have no room for it, ever."""
        busy = {place for place, _ in self._at_work.values()} | set(self._loading.values())
        for place in [place for place in self._actors if place not in busy]:
            if self._waiting:
                task = self._waiting.popleft()
                self._at_work[self._actors[place].done.remote(task[1])] = place, task
        for place in range(self.size):
            if place not in self._actors and len(self._loading) < len(self._waiting):
                made = _ray().remote(RayWorker).options(max_restarts=0, **self.needs)
                self._actors[place] = made.remote(self._setup, place)
                self._loading[self._actors[place].pid.remote()] = place


class RayWorker:
    """An actor: it loads the model when it is made."""

    def __init__(self, setup: bytes, number: int) -> None:
        self._worker = unpacked(setup, number)

    def pid(self) -> int:
        """The id of its process."""
        return os.getpid()

    def done(self, task: bytes) -> bytes:
        """The results of a shard."""
        return self._worker(pickle.loads(task))


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "workers='ray' needs Ray: pip install 'outlines_cont[ray]' (on every machine of the cluster, with the same "
            "version of outlines_cont)"
        ) from None
    return ray
