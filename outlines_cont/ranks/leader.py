"""`RankedEngine`: rank 0's side of a model that is spread over processes. It sends each command, and does its part."""

from __future__ import annotations

import atexit
import os
import pickle
import platform
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import torch
import torch.distributed as dist
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.engines.hf import attention_hook
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.hf.parameters import content_digest
from outlines_cont.errors import PACKAGE, RankError, warn
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool, Torn
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.processes import ProcessBound
from outlines_cont.ranks.commands import LAST_WORDS, CommandStream, FollowingPools, LayoutMessage, LeadingPool

# --- what a follower does: obey the commands of rank 0 until it ends


class Follower:
    """One rank's shard of the model, and what it does at each command."""

    def __init__(self, engine: TransformersEngine, stream: CommandStream):
        self._engine, self._stream, self._pools = engine, stream, FollowingPools()

    def follow(self) -> NoReturn:
        """Obey until rank 0 ends; then SystemExit with code 0. What fails here is told to rank 0, and raised."""
        number = 0
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all: rank 0 decides
        self._stream.beat()
        try:
            while True:
                name, (notes, payload), number = self._stream.receive()
                for note in notes:
                    self._pools.obey(note)
                if name == "end":
                    break
                self._obey(name, payload, number)
                self._stream.done(number)
        except BaseException as error:
            self._stream.fail(error)
            raise
        self._stream.answer(number, None)
        with suppress(Exception):
            dist.destroy_process_group()
        sys.exit(0)

    def _obey(self, name: str, payload: Any, number: int) -> None:
        if name == "pass":
            self._compute(payload)
        elif name == "identity":
            self._engine.identity()
        else:
            self._stream.answer(number, applied(self._engine, payload))

    def _compute(self, packed: LayoutMessage) -> None:
        with torch.inference_mode(False), torch.no_grad():
            hf, pool = self._engine.hf, self._pools.of(packed)
            attention_hook.compute(hf, pool, packed.layout(), packed.wanted, attention_hook.where_computed(hf))


def applied(engine: TransformersEngine, fn: Callable[[Any], Any]) -> tuple[bool, str]:
    """Run a function of the model on this rank: whether the parameters have changed, and what went wrong, in words."""
    before, error = engine.version(), ""
    try:
        fn(engine.hf)
    except Exception as wrong:
        error = f"{type(wrong).__name__}: {wrong}"
    return engine.version() != before, error


# --- leader


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
        hf, where = self._inner.hf, attention_hook.where_computed(self._inner.hf)
        layout, wanted = attention_hook.planned(hf, tree, runs, where)
        with self._together("pass", LayoutMessage.of(pool, layout, wanted)):
            return attention_hook.compute(hf, pool, layout, wanted, where), 1

    def version(self) -> int:
        """Another number after the parameters have changed, on any rank."""
        return self._inner.version() + (self._changes << 32)  # each pair of numbers is one of its own

    def identity(self) -> str:
        """The digest of the whole model: that of the model which is not spread."""
        with self.lock, self._together("identity", None):
            return self._inner.identity()

    def check(self) -> None:
        """ValueError where a `TransformersEngine` raises it, and while there are forward hooks added after loading."""
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


# --- loading a model on all ranks: they must agree before rank 0 leads and the others follow

_leading: list[RankedEngine] = []  # of this process


def join(
    source: Any, options: dict[str, Any], config: Callable[[], Any], load: Callable[[], tuple[Any, Any]]
) -> tuple[RankedEngine, Any]:
    """On rank 0 the engine and the tokenizer. On the others it does not return: they follow until rank 0 ends, and then
    leave by SystemExit with code 0.

    config: gives the config of the transformers model; load: gives this rank's shard of it, and the tokenizer.

    Raises (on every rank):
        ValueError: the ranks run other versions, or have other files, options or parameters; more ranks than heads of
            keys and values; a model of another tier than `hook`.
        RankError: loading failed on another rank; a second model; no process group.
    """
    if _leading:
        raise RankError(f"load({shown(source)}, tp_plan=…): the other ranks follow the first model that was loaded")
    _begin(source)
    stream = CommandStream()
    try_all(stream, lambda: _facts(source, options, config), "differ in")
    parts = _on_all(stream, load)
    engine = _on_all(stream, lambda: _fitting(*parts))
    try_all(stream, lambda: _whole_parameters(engine.hf), "hold other values of")
    if stream.rank:
        Follower(engine, stream).follow()
    _leading.append(RankedEngine(engine, stream))
    return _leading[0], parts[1]


def _begin(source: Any) -> None:
    """The process group, if it is not there yet."""
    if dist.is_initialized():
        return
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        raise RankError(
            f"load({shown(source)}, tp_plan=…): tensor parallelism needs several processes: "
            "torchrun --nproc-per-node 2 script.py"
        )
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", 0)))
        dist.init_process_group("cpu:gloo,cuda:nccl")
    else:
        dist.init_process_group("gloo")


def _on_all(stream: CommandStream, do: Callable[[], Any]) -> Any:
    """What `do` gives here, if it fails on no rank. Its own error where it fails, and RankError elsewhere."""
    value, wrong = None, None
    try:
        value = do()
    except Exception as error:
        wrong = error
    errors = stream.gathered(None if wrong is None else f"{type(wrong).__name__}: {wrong}")
    if wrong is not None:
        raise wrong
    for rank, error in enumerate(errors):
        if error is not None:
            raise RankError(f"rank {rank} could not load the model: {error}")
    return value


def try_all(stream: CommandStream, facts: Callable[[], dict[str, Any]], verb: str) -> None:
    """ValueError, on every rank, if the facts are not the same on all."""
    gathered = stream.gathered(_on_all(stream, facts))
    for rank, other in enumerate(gathered):
        for name in {**gathered[0], **other}:
            if gathered[0].get(name) != other.get(name):
                raise ValueError(
                    f"ranks 0 and {rank} {verb} {name}: {shown(gathered[0].get(name))} and {shown(other.get(name))}; "
                    "all ranks must load the same model with the same versions"
                )


def _facts(source: Any, options: dict[str, Any], config: Callable[[], Any]) -> dict[str, Any]:
    """What must be the same everywhere: versions, options and the model's files. ValueError if the heads cannot be
    shared out."""
    facts: dict[str, Any] = {
        "the version of outlines_cont": sys.modules[PACKAGE.name].__version__,
        "the version of Python": platform.python_version(),
    }
    facts |= {f"the version of {name}": version(name) for name in ("torch", "transformers", "numpy")}
    compared = {name: value for name, value in options.items() if name not in ("device_mesh", "token")}  # a secret
    facts |= {f"the option {name}": repr(value) for name, value in compared.items()}
    if (folder := Path(source) / (options.get("subfolder") or "")).is_dir():
        files = {path.name: path for path in sorted(folder.iterdir()) if path.is_file()}
        facts |= {f"the size of the file {name}": path.stat().st_size for name, path in files.items()}
        for name, path in files.items():
            if path.suffix == ".json":
                facts[f"the file {name}"] = blake2b(path.read_bytes(), digest_size=8).hexdigest()
    else:
        facts["the model's name"] = str(source)
    _check_heads(config())
    return facts


def _check_heads(config: Any) -> None:
    """ValueError if the heads cannot be shared out evenly."""
    text, size = config.get_text_config(), dist.get_world_size()
    heads = getattr(text, "num_attention_heads", None)
    kv_heads = getattr(text, "num_key_value_heads", None) or heads
    if isinstance(kv_heads, int) and size > kv_heads:
        raise ValueError(
            f"{size} ranks, and the model has {kv_heads} heads of keys and values: start at most {kv_heads} processes"
        )
    for count, name in ((heads, "attention heads"), (kv_heads, "heads of keys and values")):
        if isinstance(count, int) and count % size:
            raise ValueError(f"{size} ranks cannot share {count} {name} evenly: start a number that divides {count}")


def _fitting(hf: Any, tokenizer: Any) -> TransformersEngine:
    """The engine of this rank's shard. ValueError for another tier than `hook`."""
    engine = TransformersEngine(hf, tokenizer)
    if engine.tier.name != "hook":
        raise ValueError(
            f"{engine.name} under tensor parallelism: only models of the tier 'hook' are spread over ranks, and it is "
            f"of the tier {engine.tier.name!r}: {engine.tier.why}"
        )
    return engine


def _whole_parameters(hf: Any) -> dict[str, Any]:
    """Digests of the parameters that every rank holds whole: norms, and what else is not cut into shards."""
    whole = {name: value for name, value in hf.state_dict().items() if _is_whole(value)}
    return {f"the parameter {name}": content_digest(_local(value)).hex() for name, value in whole.items()}


def _is_whole(value: Any) -> bool:
    placements = getattr(value, "placements", ())
    return isinstance(value, torch.Tensor) and all(placement.is_replicate() for placement in placements)


def _local(value: Any) -> torch.Tensor:
    return value.to_local() if hasattr(value, "to_local") else value
