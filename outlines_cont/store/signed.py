"""Tensors as bytes of a safetensors file, and what makes such a file believed: a signature by a secret.

A digest tells damage. A signature also tells what was made by nobody who may: keys and values decide what a model
writes, and a file that says others is not noticed by looking at it.
"""

from __future__ import annotations

import hmac
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any

import torch
from torch import Tensor

from outlines_cont.files import OWNED, only_ours

DTYPES = {
    torch.float64: "F64",
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float8_e4m3fn: "F8_E4M3",
    torch.float8_e5m2: "F8_E5M2",
    torch.int32: "I32",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
SECRET = "secret"  # the name of its file
SECRET_BYTES = 32


def serialized(tensors: Mapping[str, Tensor], metadata: dict[str, str]) -> list[bytes | memoryview]:
    """The pieces of a safetensors file of CPU tensors, those of `save` of safetensors, but equal for equal content:
    that one puts metadata in a random order. The tensors are not copied."""
    aligned = sorted(tensors.items(), key=lambda item: -item[1].element_size())
    header: dict[str, Any] = {"__metadata__": metadata}
    at = 0
    for name, tensor in aligned:
        ends = [at, at := at + tensor.numel() * tensor.element_size()]
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": ends}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return [len(text).to_bytes(8, "little"), text, *(_raw(tensor) for _, tensor in aligned)]


def _raw(tensor: Tensor) -> memoryview:
    """The bytes of a CPU tensor, not copied."""
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data


def signature(secret: bytes, about: str, tensors: Mapping[str, Tensor]) -> str:
    """64 hexadecimal digits that only who has the secret can make: of what the tensors are about, and of all of them.

    HMAC-SHA256: CPUs have instructions for it, so it takes half the time of BLAKE2.
    """
    mac = hmac.new(secret, about.encode(), "sha256")
    for name, tensor in sorted(tensors.items()):
        mac.update(f"\n{name} {tensor.dtype} {list(tensor.shape)}\n".encode())
        mac.update(_raw(tensor))
    return mac.hexdigest()


def is_signed(given: str | None, secret: bytes, about: str, tensors: Mapping[str, Tensor]) -> bool:
    """Whether this is their signature."""
    return given is not None and hmac.compare_digest(given.encode(), signature(secret, about, tensors).encode())


def secret_of(folder: Path) -> bytes:
    """The secret of a folder, made when it is first asked for. Of processes that ask at once, all get the same.

    Raises:
        ValueError: others may write in the folder, or may read the secret, or it is none.
        OSError: it cannot be read or made.
    """
    if not OWNED:
        raise ValueError(f"KVStore({str(folder)!r}): this system does not say who may write a file: none is trusted")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not only_ours(folder.stat()):
        raise ValueError(f"{folder} may be written by others, who could put their files there: chmod go-w {folder}")
    path = folder / SECRET
    while not os.path.lexists(path):
        _make(path)
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_uid not in (0, os.geteuid()) or status.st_mode & 0o077:
        raise ValueError(
            f"{path} can be read by others, or is not yours: delete it, then all keys and values there are read anew"
        )
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"{path} is damaged: delete it, then all keys and values there are read anew")
    return secret


def _make(path: Path) -> None:
    """A new secret, unless another process is faster."""
    beside = path.with_name(f".{token_hex(8)}.tmp")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError, FileNotFoundError):  # or it was taken for one that was left half written
            os.link(beside, path)
    finally:
        beside.unlink(missing_ok=True)
