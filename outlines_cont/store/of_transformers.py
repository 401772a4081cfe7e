"""Copies of keys and values of transformers models, and what these depend on besides parameters and tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib import metadata
from inspect import getsourcefile
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from outlines_cont.adapters import Groups, is_layer, parts_of
from outlines_cont.engines.hf.attention_hook import where_computed
from outlines_cont.engines.hf.parameters import ADAPTER_SETTINGS, FORWARD_HOOKS, NOT_OURS, content_digest, side_effects
from outlines_cont.kv.needs import TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.store.copies import Copies

TransformersEngine = Any  # its module imports this one, late

#: Packages whose code their version tells.
VERSIONED = ("transformers", "torch", "peft", "accelerate")
#: Settings of a config that change no key and no value, or are told by the digest of the parameters.
OF_NO_NUMBER = ("transformers_version", "_name_or_path", "dtype", "torch_dtype", "use_cache", "architectures")
#: Attributes of parts of which the digest of the parameters tells more, or that change no number.
UNTOLD = {NOT_OURS, *ADAPTER_SETTINGS, "active_adapter", "name_or_path", "training"}
FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType)
SIMPLE = (bool, int, float, complex, str, type(None), torch.dtype)


@dataclass
class Facts:
    """What is found once for a version of an engine."""

    layout: str
    devices: dict[int, torch.device] = field(default_factory=dict)  # by attention call, once they are asked for


_facts: WeakKeyDictionary[TransformersEngine, dict[int, Facts]] = WeakKeyDictionary()  # by version


def layout(engine: TransformersEngine) -> str:
    """See `CopyingEngine.kv_layout`."""
    facts = _facts_of(engine)
    device, kernel = where_computed(engine.hf)
    precise = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    halved = torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction
    return f"{facts.layout} {device.type} {kernel} {precise} {halved} {torch.backends.cpu.get_cpu_capability()}"


def _facts_of(engine: TransformersEngine) -> Facts:
    with engine.lock:
        version, facts = engine.version(), _facts.get(engine, {})
        if version not in facts:
            again = {number: facts[number] for number in facts.keys() & engine.versions()}
            facts = _facts[engine] = {**again, version: Facts(_layout(engine))}
        return facts[version]


def _layout(engine: TransformersEngine) -> str:
    """A digest of what the model is, but for its state_dict."""
    hf, digest = engine.hf, blake2b(digest_size=16)
    if side_effects(hf) == FORWARD_HOOKS:
        raise ValueError(f"{engine.name} has forward hooks, of which nobody can tell what they change")
    packages = {name: _version_of(name) for name in VERSIONED}
    settings = {name: value for name, value in hf.config.to_dict().items() if name not in OF_NO_NUMBER}
    devices = sorted({tensor.device.type for tensor in hf.parameters()})
    facts = [packages, settings, devices, engine.tier.name, engine.batch_invariant]
    digest.update(json.dumps(facts, sort_keys=True, default=str).encode())
    with engine._settings.under(engine.adapters):
        for path, part, groups in parts_of(hf):
            if groups.one is None or groups.one in groups.active:  # others compute nothing here
                for fact in _of_part(part, engine.watch.spared, groups):
                    digest.update(f"{path} {fact}\n".encode())
    return digest.hexdigest()


def _version_of(package: str) -> str | None:
    """The version that is installed, whether or not anybody has imported it; None if none is."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _of_part(part: nn.Module, written: set[tuple[int, str]], groups: Groups) -> Iterator[str]:
    """What a part computes with, besides its state_dict, as text. ValueError for what text cannot tell.

    written: attributes that forwards write, by the id of their dict and their name: they do not count. groups: to which
    adapters it belongs.
    """
    kind, attributes = type(part), vars(part)
    yield " ".join(map(_code, (*kind.__mro__[:-1], kind.forward)))
    if part.training and groups == Groups() and not is_layer(part):  # some add noise then
        yield "in train mode"
    spread = "_hf_hook" in attributes and getattr(attributes.get("_old_forward"), "__func__", None) is kind.forward
    for name, value in sorted(attributes.items()) if not groups.keyed else ():
        if (id(attributes), name) not in written and name not in UNTOLD:
            if callable(value) and not spread and hasattr(kind, name):
                raise ValueError(f"{kind.__name__}.{name} is another one here, and nobody can tell what it does")
            yield f"{name} {_told(value, is_layer(part))}"
    yield from _of_buffers(part, groups)


def _of_buffers(part: nn.Module, groups: Groups) -> Iterator[str]:
    """The buffers that its state_dict leaves out, but for those of adapters that are not active, as text."""
    for name in sorted(part._non_persistent_buffers_set):
        if (buffer := part._buffers.get(name)) is not None and (not groups.keyed or name in groups.active):
            yield f"{name} {_told(buffer)}"


def _told(value: Any, of_adapters: bool = False) -> str:
    """A value as text; empty for an object of which only its parts compute. of_adapters: dicts hold all adapters'."""
    if isinstance(value, FUNCTIONS):
        return _code(value)
    if isinstance(value, Tensor):
        return f"{value.dtype} {tuple(value.shape)} {'' if value.is_meta else content_digest(value).hex()}"
    return repr(value) if isinstance(value, SIMPLE) or (not of_adapters and _is_simple(value)) else ""


def _is_simple(value: Any) -> bool:
    """Whether it is made of numbers, strings and flags."""
    if isinstance(value, dict):
        return all(map(_is_simple, (*value, *value.values())))
    return all(map(_is_simple, value)) if isinstance(value, (tuple, list)) else isinstance(value, SIMPLE)


@cache
def _code(thing: Any) -> str:
    """The name of a class or a function, and, if its package's version does not tell it, a digest of its source file.
    ValueError if there is none, or if it depends on what stood around it."""
    name = f"{thing.__module__}.{thing.__qualname__}"
    if name.split(".")[0] in VERSIONED:
        return name
    with suppress(OSError, TypeError):
        if (source := getsourcefile(thing)) and "<" not in name:
            return f"{name} {blake2b(Path(source).read_bytes(), digest_size=16).hexdigest()}"
    raise ValueError(f"{name} does not stand by itself in a module: no other process can tell whether it has the same")


# --- copies

KINDS = ("keys", "values")


def copied(pool: Pool, slots: np.ndarray) -> Copies:
    """The keys and values `[kv heads, n, head size]` of these slots, two tensors for each attention call."""
    copies: Copies = {}
    for call, pair in sorted(pool.buffers.items()):
        for kind, buffer in zip(KINDS, pair, strict=True):
            copies[f"{call}.{kind}"] = buffer.index_select(1, torch.from_numpy(slots).to(buffer.device)).cpu()
    return copies


def put(engine: TransformersEngine, tree: Tree, run: TokenRun, copies: Copies, start: int) -> None:
    """See `CopyingEngine.put`."""
    pool, slots = cast(Pool, tree.pool), torch.from_numpy(cast(np.ndarray, run.slots))
    last, new = start + len(slots), dict[int, list[Tensor]]()
    for name in sorted(copies):  # of each call the keys, then the values
        call, copy = int(name.split(".")[0]), copies[name]
        if copy.dim() != 3 or copy.shape[1] < last:
            raise ValueError(f"the copy {name} is {list(copy.shape)}, and {last} tokens of it are wanted")
        new.setdefault(call, []).append(copy[:, start:last])
    forms = {call: [_form(each) for each in pair] for call, pair in pool.buffers.items()}
    if forms and forms != {call: [_form(each) for each in pair] for call, pair in new.items()}:
        raise ValueError(f"the copies are not of the form {forms}")
    devices = {call: pair[0].device for call, pair in pool.buffers.items()} or _devices(engine, new)
    for call, (keys, values) in new.items():
        device = devices[call]
        pool.write(call, slots.to(device), keys.to(device), values.to(device))


def _form(copy: Tensor) -> tuple[torch.dtype, int, int]:
    return copy.dtype, copy.shape[0], copy.shape[2]


def _devices(engine: TransformersEngine, calls: Iterable[int]) -> dict[int, torch.device]:
    """Where the keys and values of each attention call lie. Of a model on several devices, a forward tells."""
    facts = _facts_of(engine)
    if not facts.devices:
        device: torch.device = engine.device
        if {parameter.device for parameter in engine.hf.parameters()} == {device}:
            return dict.fromkeys(calls, device)
        tree = Tree()
        pool = cast(Pool, tree.pool)
        engine.forward(tree, [TokenRun((0,), (tree.root, 0), 0, slots=pool.take(1))])
        facts.devices = {call: pair[0].device for call, pair in pool.buffers.items()}
    return facts.devices
