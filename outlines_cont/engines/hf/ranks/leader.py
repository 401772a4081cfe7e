"""`RankedEngine`: rank 0's side of a model that is spread over processes. It sends each command, and does its part."""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.hf.ranks.follower import applied
from outlines_cont.engines.hf.ranks.packed_pass import LayoutMessage, LeadingPool
from outlines_cont.engines.hf.ranks.stream import LAST_WORDS, CommandStream
from outlines_cont.errors import RankError, warn
from outlines_cont.kv.change_guard import Torn
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.kv.read_plan import TokenRun
from outlines_cont.processes import ProcessBound


class SpreadModel:
    """Stands where `model.hf` stands elsewhere: what is done with it on rank 0 alone would leave the others behind."""

    def __init__(self, hf: Any):
        self._name, self._generation_config = type(hf).__name__, getattr(hf, "generation_config", None)
        self._config = hf.config

    @property
    def generation_config(self) -> Any:
        """What transformers' `generate()` reads, and `oc.samplers.from_config`."""
        return self._generation_config

    @property
    def config(self) -> Any:
        """A copy: changes of it reach no rank."""
        return deepcopy(self._config)

    def _refuse(self, use: str) -> RankError:
        return RankError(
            f"model.hf{use} on rank 0: {self._name} is spread over several processes, and rank 0 must not use it "
            "alone. model.apply(fn) runs fn(hf) on all of them"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self._refuse(f".{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("_name", "_generation_config", "_config"):
            raise self._refuse(f".{name} = …")
        super().__setattr__(name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise self._refuse("(…)")

    def __repr__(self) -> str:
        return f"SpreadModel({self._name}: model.apply(fn) runs fn(hf) on all ranks)"


class RankedEngine(ProcessBound):
    """A transformers model under tensor parallelism behind the protocol `Engine`, on rank 0.

    Attributes:
        hf: raises RankError, by name, at any use.
        tier, n_vocab, eos, context_length, keeps, alone, name, lock: as of a `TransformersEngine`.
    """

    _instead = "its processes are those that were started together"

    def __init__(self, inner: TransformersEngine, stream: CommandStream):
        self._inner, self._stream = inner, stream
        self._notes: deque[tuple[Any, ...]] = deque()
        self._broken = ""
        self._process = os.getpid()
        self.hf = SpreadModel(inner.hf)
        self.tier, self.name, self.lock = inner.tier, inner.name, inner.lock
        self.n_vocab, self.eos, self.context_length = inner.n_vocab, inner.eos, inner.context_length
        self.keeps, self.alone = inner.keeps, inner.alone
        self._changes = 0  # that were seen on other ranks only
        atexit.register(self._end)

    @property
    def device(self) -> torch.device:
        """Where rank 0's shard takes its token ids."""
        return self._inner.device

    @property
    def dtype(self) -> torch.dtype:
        """The number format of its parameters."""
        return self._inner.dtype

    def pool(self) -> Pool:
        """Slots of tensors, whose other shards follow."""
        return LeadingPool(self._notes)

    def forward(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        """One pass over the runs, on all ranks."""
        pool = tree.pool
        if not isinstance(pool, LeadingPool):  # the tree was dropped meanwhile
            raise Torn
        layout, wanted = attention_hook.planned(self._inner.hf, tree, runs)
        with self._together("pass", LayoutMessage.of(pool, layout, wanted)):
            return attention_hook.compute(self._inner.hf, pool, layout, wanted), 1

    def version(self) -> int:
        """Another number after the parameters have changed, on any rank."""
        return self._inner.version() + self._changes

    def identity(self) -> str:
        """The digest of the whole model: that of the model which is not spread."""
        return self.identity_with("")

    def identity_with(self, vocabulary: str) -> str:
        """The same together with a vocabulary, by its fingerprint."""
        with self.lock, self._together("identity", vocabulary):
            return self._inner.identity_with(vocabulary)

    def check(self) -> None:
        """As of a `TransformersEngine`. ValueError, too, while there are forward hooks that came after loading."""
        self._inner.check()
        if (tier := self._inner.tier) is not self.tier:
            raise ValueError(
                f"{self.name} is spread over several processes, where rows are not read by themselves, and its "
                f"{tier.why}: remove the hooks"
            )

    def apply(self, fn: Callable[[Any], Any]) -> None:
        """Run `fn(hf)` on every rank, with the shard that is there. Changes of the parameters are noticed.

        fn: a function at the top of a module that the other ranks can import, or of the script that all of them run,
        above its `oc.load`.

        Raises:
            TypeError: fn is no such function.
            RankError: it failed. If it did not fail on all ranks, or had changed parameters before, the shards may not
                fit together any more, and the model can be used no longer.
        """
        _check_function(fn)
        name = fn.__qualname__
        with self.lock, self._together("apply", fn) as number:
            changed, error = applied(self._inner, fn)
            answers = [(changed, error), *self._stream.answers(number)]
        if any(each for each, _ in answers) and not changed:
            self._changes += 1
        errors = [f"rank {rank}: {error}" for rank, (_, error) in enumerate(answers) if error]
        if errors:
            if len(errors) < len(answers) or any(each for each, _ in answers):
                self._broken = f"apply({name}) failed ({'; '.join(errors)}): the shards may differ"
            raise RankError(f"apply({name}) failed: {'; '.join(errors)}")

    @contextmanager
    def _together(self, name: str, payload: Any) -> Iterator[int]:
        """Send a command, and do rank 0's part of it in the body. Ctrl-C waits for its end, and a second one does not.

        RankError: another rank failed; the stream was broken before.
        """
        if os.getpid() != self._process:
            raise RankError("a forked process has no other ranks: a model that is spread belongs to rank 0 itself")
        if self._broken:
            raise RankError(f"the model can be used no longer: {self._broken}")
        notes: list[tuple[Any, ...]] = []
        with _interrupts_wait():
            try:
                while self._notes:
                    notes.append(self._notes.popleft())
                yield self._stream.send(name, (notes, payload))
            except BaseException as error:
                self._broken = f"the command {name!r} did not end on all ranks ({type(error).__name__}: {error})"
                if not isinstance(error, Exception):  # Ctrl-C, which waits for nobody
                    raise
                with suppress(Exception):
                    # It is said at once, because torchrun ends this process 0.1 s after another rank has ended.
                    warn(f"{self._broken}; the other ranks are asked why, for {LAST_WORDS:g} s")
                with suppress(Exception):
                    if words := self._stream.last_words():
                        self._broken = f"{words} ({self._broken})"
                raise RankError(
                    f"the command {name!r} failed over {self._stream.size} ranks: {self._broken}"
                ) from error

    def _end(self) -> None:
        """The end of rank 0 is the end of all. After a broken pass the others notice that the connection is closed."""
        if os.getpid() != self._process or self._broken:
            return
        self._broken = "it has ended"
        with suppress(Exception):
            self._stream.answers(self._stream.send("end", ([], None)), LAST_WORDS)
            dist.destroy_process_group()


def _check_function(fn: Any) -> None:
    """TypeError for a function that the other ranks cannot find by its name."""
    main = sys.modules.get("__main__")
    name, module = getattr(fn, "__qualname__", ""), getattr(fn, "__module__", None)
    if not callable(fn) or "<" in name or "." in name or module is None:
        raise TypeError(
            f"apply({fn!r}): the other ranks find the function by its name: give one that stands at the top of a "
            "module, or of the script above oc.load"
        )
    if module == "__main__" and getattr(main, "__file__", None) is None:
        raise TypeError(f"apply({name}): the other ranks have no such function in their __main__: put it in a file")
    try:
        pickle.dumps(fn)
    except Exception as error:
        raise TypeError(f"apply({name}): it cannot be sent to the other ranks: {error}") from error


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Ctrl-C within the body is raised at its end: half a pass on rank 0 would leave the others in the other half. A
    second Ctrl-C is raised at once, for bodies that do not end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[Any] = []
    before = signal.getsignal(signal.SIGINT)

    def press(*args: Any) -> None:
        pressed.append(args)
        if len(pressed) > 1 and callable(before):
            before(*args)

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)
        if len(pressed) == 1 and callable(before):
            before(*pressed[0])
