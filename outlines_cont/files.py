"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO


@contextmanager
def in_place_of(path: Path) -> Iterator[IO[bytes]]:
    """A new file, which takes the place of this one when all of it is on the disk, and has its permissions.

    If the process is killed meanwhile, a file beside it is left that begins with a dot and ends in `.tmp`.
    """
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: it is a folder, or its folder does not exist")
    target = path.resolve()  # a link stays one
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} cannot be written: it is no regular file (a device, a pipe), and would be replaced")
    beside = target.with_name(f".{token_hex(8)}.tmp")  # as short as it may be: names have a limit
    try:
        with open(beside, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # not every system has folders that can be synchronised
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
