"""Loading a model on all ranks: they must agree before rank 0 leads and the others follow."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from outlines_cont.arguments import shown
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.hf.identity import content_digest
from outlines_cont.engines.hf.ranks.follower import Follower
from outlines_cont.engines.hf.ranks.leader import RankedEngine
from outlines_cont.engines.hf.ranks.stream import CommandStream
from outlines_cont.errors import PACKAGE, RankError

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
