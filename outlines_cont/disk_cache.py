"""What is computed once for a vocabulary or a model, kept on disk for the processes to come.

The folder is `$OUTLINES_CONT_CACHE`, or else `outlines_cont` in `$XDG_CACHE_HOME` or in `~/.cache`.
`OUTLINES_CONT_CACHE=` (empty) keeps nothing. Everything in it can be deleted at any time, also while programs run.

A file is written whole or not at all, and bears a digest of its contents. One that is damaged, cut, or of another
version is made anew. Nothing is locked: processes that make the same file at once make equal ones, and the last stays.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from outlines_cont.files import in_place_of

SWITCH = "OUTLINES_CONT_CACHE"

LAYOUT = 1  # another number when what files contain, or how it is read, changes

_DIGEST_SIZE = 32

Arrays = dict[str, np.ndarray]


def folder() -> Path | None:
    """Where files are kept; None if nothing is to be kept."""
    chosen = os.environ.get(SWITCH)
    if chosen is not None:
        return Path(chosen).expanduser() if chosen.strip() else None
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "outlines_cont"
    except RuntimeError:  # a user without a home
        return None


def kept(kind: str, key: str, make: Callable[[], Arrays]) -> Arrays:
    """What `make` gives, from disk if an earlier process has made it.

    kind: a short name, the beginning of the file's.
    key: all that the arrays depend on, the version of what makes them included. Equal keys must mean equal arrays.

    The arrays are read-only in both cases. Where the folder cannot be written, one warning says so.
    """
    place = folder()
    path = place and place / f"{kind}-{_digest(f'{LAYOUT} {kind} {key}'.encode()).hex()[:40]}.safetensors"
    arrays = path and _read(path)
    if not arrays:
        arrays = make()
        if path:
            _write(path, arrays)
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _read(path: Path) -> Arrays | None:
    """The arrays of a file; None if there is none, or not the one that was written."""
    try:
        contents = path.read_bytes()
    except OSError:
        return None
    if _digest(memoryview(contents)[_DIGEST_SIZE:]) != contents[:_DIGEST_SIZE]:
        return None
    try:
        return load(contents[_DIGEST_SIZE:])
    except SafetensorError:  # a valid digest of something else
        return None


def _write(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    contents = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with in_place_of(path) as file:
            file.write(_digest(contents))
            file.write(contents)
    except (OSError, ValueError) as error:
        warnings.warn(
            f"nothing can be kept in {path.parent} ({error}), so every process computes it anew. {SWITCH}=FOLDER names "
            f"another folder, and {SWITCH}= (empty) none",
            RuntimeWarning,
            stacklevel=2,
        )


def _digest(contents: bytes | memoryview) -> bytes:
    return hashlib.sha256(contents).digest()
