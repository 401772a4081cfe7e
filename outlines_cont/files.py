"""Files that are written whole or not at all."""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows: a file that is open cannot be deleted there, so nothing has to be locked
    fcntl = None

#: Whether the system says whose a file is and who may write it. On Windows, `os.stat` does not: its modes are made up.
OWNED = hasattr(os, "geteuid")
_HALF_WRITTEN = re.compile(r"\.[0-9a-f]{16}\.tmp")


class _DiskFile(io.FileIO):
    """A new file. Its errors name the file whose place it will take."""

    def __init__(self, path: Path, target: Path) -> None:
        super().__init__(path, "x")
        self._target = target

    def write(self, data: Any) -> int:
        with _naming(self._target):
            return super().write(data)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors of the disk name this file, and not the one beside it."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename == str(path):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def in_place_of(path: Path, durable: bool = True) -> Iterator[IO[bytes]]:
    """A new file, which takes the place of this one when all of it is on the disk, and has its permissions.

    durable: whether to wait for the disk. Else a crash of the machine may leave a file that is torn.

    If the disk is full, or refuses to be written, the file of before stays, and the OSError has the path as its
    `filename`. If the process is killed meanwhile, a file beside it is left; see `remove_half_written`.
    """
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: it is a folder, or its folder does not exist")
    target = path.resolve()  # a link stays one
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} cannot be written: it is no regular file (a device, a pipe), and would be replaced")
    with _naming(path):
        beside, disk = _beside(target, path)
    file = io.BufferedWriter(disk)
    try:
        yield file
        file.flush()
        with _naming(path):
            if durable:
                os.fsync(disk.fileno())
            if target.exists():
                shutil.copymode(target, beside)
            if fcntl is None:
                file.close()
            os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    finally:
        with suppress(OSError):  # what was not written is given up
            file.close()
    if not durable:
        return
    with suppress(OSError):  # not every system has folders that can be synchronised
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _beside(target: Path, path: Path) -> tuple[Path, _DiskFile]:
    """A new file in the folder of the target, locked as long as it is open."""
    while True:
        beside = target.with_name(f".{token_hex(8)}.tmp")  # as short as it may be: names have a limit
        disk = _DiskFile(beside, path)
        try:
            _lock(disk)
        except BlockingIOError:  # `remove_half_written` was faster
            disk.close()
            continue
        except OSError:  # a disk without locks
            return beside, disk
        if os.fstat(disk.fileno()).st_nlink:
            return beside, disk
        disk.close()


def remove_half_written(folder: Path) -> None:
    """Delete the files beside others that processes which were killed have left. Those of processes at work stay; so
    do all on a disk without locks."""
    for path in folder.iterdir():
        if _HALF_WRITTEN.fullmatch(path.name):
            with suppress(OSError), open(path, "r+b") as file:
                _lock(file)
                path.unlink()


def finished_files(folder: str | Path, suffix: str) -> list[tuple[int, int, str]]:
    """The files of a folder that end so: when each was used last, in nanoseconds, its bytes, its name. Of a folder
    that does not exist, an empty list."""
    files: list[tuple[int, int, str]] = []
    if not os.path.isdir(folder):  # somebody deleted it
        return files
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):  # another process may delete it at the same time
                if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    files.append((status.st_mtime_ns, status.st_size, entry.name))
    return files


def only_ours(status: os.stat_result) -> bool:
    """Whether only this user, and root, can have written a file, or can write into a folder. No, if nobody can tell."""
    return OWNED and status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def why(error: Exception) -> str:
    """What an error of the disk, or one of ours, says."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _lock(file: io.IOBase) -> None:
    """Lock a file until it is closed, or its process ends. BlockingIOError if another one has locked it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
