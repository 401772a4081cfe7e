"""A digest of all values that a module holds: tells models apart, also across processes, devices and shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from hashlib import blake2b
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from outlines_cont.engines.hf.parameters import ADAPTER_SETTINGS

WORDS = 4096  # of 64 bits, in a line
LINES = {"cpu": 64}  # that are multiplied at once: what fits a cache of 4 MB
MANY_LINES = 4096


def identity_of(module: nn.Module, salt: str) -> str:
    """A digest of `salt` and of the names, dtypes, shapes and all bits of the parameters and persistent buffers, of
    what else goes into the `state_dict` (the packed weights of a quantised layer), and of how peft's adapters are set.

    It does not depend on the device, nor on how the values are spread over devices: weights that accelerate has put
    elsewhere are fetched part by part, a `DTensor` is gathered, which all its processes must ask for together.
    """
    digest = blake2b(salt.encode(), digest_size=16)
    for path, part in module.named_modules():
        with torch.no_grad(), _here(part):
            content: dict[str, Any] = {}
            part._save_to_state_dict(content, f"{path}.", keep_vars=False)
            for name, value in content.items():
                for text in _described(name, value):
                    digest.update(text)
        if hasattr(part, "_active_adapter"):
            digest.update(f"{path} {[getattr(part, name, None) for name in ADAPTER_SETTINGS]}\n".encode())
    return digest.hexdigest()


def _here(part: nn.Module) -> AbstractContextManager[Any]:
    """Where the weights of a part are at hand. Those that accelerate has put elsewhere are fetched."""
    if not hasattr(part, "_hf_hook"):
        return nullcontext()
    from accelerate.utils import align_module_device  # not installed, where no model is spread

    return align_module_device(part)


def _described(name: str, value: Any) -> Iterator[bytes]:
    """What goes into the digest for an entry of a `state_dict`."""
    if hasattr(value, "full_tensor"):  # a DTensor, whose module takes a second to import
        value = value.full_tensor()
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from _described(f"{name}.{i}", item)
    elif not isinstance(value, Tensor):
        yield f"{name} {value if isinstance(value, (bool, int, float, str, torch.dtype)) else type(value)}\n".encode()
    elif is_traceable_wrapper_subclass(value):  # of torchao, for one
        for part in value.__tensor_flatten__()[0]:
            yield from _described(f"{name}.{part}", getattr(value, part))
    else:
        yield f"{name} {value.dtype} {tuple(value.shape)}\n".encode()
        yield content_digest(value)


def content_digest(tensor: Tensor) -> bytes:
    """16 bytes that tell a tensor's values from others, on whatever device it is.

    A line of 4,096 words w becomes Σ rᵢ wᵢ mod 2⁶⁴, with fixed odd random rᵢ (multilinear hashing, Lemire & Kaser
    2014: one word changed changes the sum, others coincide with a chance of 2⁻⁶⁴ or so); a cryptographic hash of the
    sums follows. So the values are read once, where they are: 8 times as fast as hashing them all on a CPU.
    """
    if tensor.is_meta:
        raise ValueError("a parameter is on the device 'meta', without values: load the model before it is saved with")
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    flat = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    if flat.stride() != (1,) or flat.storage_offset() * flat.element_size() % 8:
        flat = flat.clone(memory_format=torch.contiguous_format)
    raw = flat.view(torch.uint8)
    whole = len(raw) - len(raw) % (8 * WORDS)
    digest = blake2b(raw[whole:].cpu().numpy().tobytes(), digest_size=16)
    factors = _factors().to(raw.device)
    for lines in raw[:whole].view(torch.int64).view(-1, WORDS).split(LINES.get(raw.device.type, MANY_LINES)):
        digest.update((lines * factors).sum(1).cpu().numpy().tobytes())
    return digest.digest()


@cache
def _factors() -> Tensor:
    """4,096 odd numbers of 64 bits, the same in every process."""
    words = blake2b(b"outlines_cont", digest_size=64)
    factors: list[int] = []
    while len(factors) < WORDS:
        words.update(words.digest())
        factors += [int.from_bytes(words.digest()[i : i + 8], "little", signed=True) | 1 for i in range(0, 64, 8)]
    return torch.tensor(factors)
