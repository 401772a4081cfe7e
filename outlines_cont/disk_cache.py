"""What is computed once for a vocabulary, a model or a processor, kept on disk for the processes to come.

The folder is `$OUTLINES_CONT_CACHE`, or else `outlines_cont` in `$XDG_CACHE_HOME` or in `~/.cache`.
`OUTLINES_CONT_CACHE=` (empty) keeps nothing. Everything in it can be deleted at any time, also while programs run.

A file is written whole or not at all, and begins with a digest of its contents and of what they are. One that is
damaged, cut, in another's place, or of another version is made anew; so is one that other users could have written,
because machine code is kept, too. Nothing is locked: processes that make the same file at once make equal ones, and the
last stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from outlines_cont.errors import warn_once
from outlines_cont.files import finished_files, in_place_of, only_ours, remove_half_written, why

SWITCH = "OUTLINES_CONT_CACHE"
LAYOUT = 2  # another number when what files contain, or how it is read, changes
LIMIT = 1 << 30  # bytes: when a file is written, those longest unused are deleted until all take no more
SUFFIX = ".kept"
ALIGNED = 64  # bytes: where arrays begin in a file

_DIGEST_SIZE = 32

Arrays = dict[str, np.ndarray]


def folder() -> Path | None:
    """Where files are kept; None if nothing is to be kept."""
    chosen = os.environ.get(SWITCH)
    if chosen is not None:
        return Path(os.path.expanduser(chosen)) if chosen.strip() else None
    usual = os.environ.get("XDG_CACHE_HOME", "")
    home = usual if os.path.isabs(usual) else os.path.expanduser("~/.cache")
    return Path(home) / "outlines_cont" if os.path.isabs(home) else None  # else there is no home


def kept(kind: str, key: str, make: Callable[[], Arrays], files: Iterable[str | os.PathLike[str]] = ()) -> Arrays:
    """What `make` gives, from disk if an earlier process has made it.

    kind: a short name, the beginning of the file's.
    key: all that the arrays depend on. Equal keys must mean equal arrays, whatever process makes them.
    files: what they depend on as well, by its contents: the source of what makes them, so that no other version's are
        read. Where one of these cannot be read, nothing is kept.

    The arrays are read-only in both cases. Where the folder cannot be written, one warning says so.
    """
    path = named = None
    if (place := folder()) is not None:
        with suppress(OSError):
            sources = [_digest(Path(file).read_bytes()).hex() for file in files]
            named = _digest(json.dumps([LAYOUT, kind, key, *sources]).encode())
            path = place / f"{kind}-{named.hex()[:40]}{SUFFIX}"
    arrays = _read(path, named) if path and named else None
    if arrays is None:
        arrays = make()
        if path and named:
            _write(path, named, arrays)
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _read(path: Path, named: bytes) -> Arrays | None:
    """The arrays of a file; None if there is none, or not the one that was written."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # before it is opened: a pipe would wait
            return None
        with open(path, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not only_ours(status):
                return None
            contents = np.empty(status.st_size, np.uint8)
            if file.readinto(contents.data) != status.st_size:
                return None
    except (OSError, MemoryError):
        return None
    data = contents.data
    if len(data) < _DIGEST_SIZE or _digest(named, data[_DIGEST_SIZE:]) != data[:_DIGEST_SIZE]:
        return None
    with suppress(OSError):
        os.utime(path)  # used now, so others are deleted before it
    start = _DIGEST_SIZE + 8
    size = int.from_bytes(data[_DIGEST_SIZE:start], "little")
    arrays, at = {}, _aligned(start + size)
    for name, kind, shape in json.loads(bytes(data[start : start + size])):
        dtype = np.dtype(kind)
        end = at + dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        arrays[name] = contents[at:end].view(dtype).reshape(shape)
        at = _aligned(end)
    return arrays


def _write(path: Path, named: bytes, arrays: Mapping[str, np.ndarray]) -> None:
    rows = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    header = json.dumps([[name, row.dtype.str, arrays[name].shape] for name, row in rows.items()]).encode()
    pieces: list[bytes | memoryview] = [len(header).to_bytes(8, "little"), header]
    at = _DIGEST_SIZE + 8 + len(header)
    for row in rows.values():
        if row.dtype.hasobject:
            raise TypeError(f"arrays of {row.dtype} cannot be kept")
        pieces += [bytes(_aligned(at) - at), row.reshape(-1).view(np.uint8).data]
        at = _aligned(at) + row.nbytes
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(f"{path.name} is a folder")
        path.unlink(missing_ok=True)  # one that is not believed, whoever may write it
        with in_place_of(path) as file:
            os.chmod(file.name, 0o644)
            if not only_ours(os.fstat(file.fileno())):
                raise PermissionError("on that disk, files belong to anybody")
            file.write(_digest(named, *pieces))
            file.writelines(pieces)
        _tidy(path.parent, path.name, at)
    except (OSError, ValueError) as error:
        if not (isinstance(error, FileNotFoundError) and path.parent.exists()):  # else somebody deleted it meanwhile
            warn_once(
                f"nothing can be kept in {path.parent} ({why(error)}), so every process computes it anew. "
                f"{SWITCH}=FOLDER names another folder, and {SWITCH}= (empty) none",
                str(path.parent),
                RuntimeWarning,
            )


def _tidy(place: Path, new: str, size: int) -> None:
    """Delete what has not been used for longest while all takes more than LIMIT, and what was left half written.

    new, size: the file that was written now, which stays.
    """
    remove_half_written(place)
    files = sorted(file for file in finished_files(place, SUFFIX) if file[2] != new)
    size += sum(other for _, other, _ in files)
    for _, freed, name in files:
        if size <= LIMIT:
            break
        with suppress(OSError):
            os.unlink(place / name)
        size -= freed


def _aligned(at: int) -> int:
    return -(-at // ALIGNED) * ALIGNED


def _digest(*contents: bytes | memoryview) -> bytes:
    digest = hashlib.sha256()
    for part in contents:
        digest.update(part)
    return digest.digest()
