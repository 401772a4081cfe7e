"""A folder of shards that are done: a file for each, which stands there whole or not at all, and the values of all."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import IO, Any

from pydantic_core import to_jsonable_python

from outlines_cont.arguments import shown
from outlines_cont.errors import CorruptStateError, warn
from outlines_cont.files import in_place_of, remove_half_written
from outlines_cont.generate.mapping.inputs import Shard
from outlines_cont.generate.mapping.shards import opened
from outlines_cont.generate.mapping.specification import digest

VALUES = "values.jsonl"


class ShardFolder:
    """The folder of `out=…`.

    Attributes:
        path: of the folder.
        work: what is done with each row, and by which model, as text: a part of the names of files.
    """

    def __init__(self, path: Any, work: str) -> None:
        if not isinstance(path, (str, PathLike)):
            raise TypeError(f"out={shown(path)}: it is the path of a folder, or None")
        self.path, self.work = Path(path), work
        if self.path.exists() and not self.path.is_dir():
            raise FileExistsError(f"out={shown(str(path))}: there is a file of this name, and no folder")
        self.path.mkdir(parents=True, exist_ok=True)

    def file(self, shard: Shard) -> Path:
        """Where a shard is. The name says what was done, with which prompts and which keys."""
        return self.path / f"{digest(self.work, shard.prompts, shard.keys, sorted(shard.faults.items()))}.shard"

    def read(self, shard: Shard) -> bytes | None:
        """What is there of a shard: its bytes. None if it is not there, or was damaged and is to be done again."""
        path = self.file(shard)
        try:
            data = path.read_bytes()
            opened(data)
        except FileNotFoundError:
            return None
        except CorruptStateError as error:
            warn(f"{path} was damaged ({error}): its prompts are done again")
            return None
        return data

    def write(self, shard: Shard, data: bytes) -> None:
        """Put a shard there: all of it, or nothing."""
        with in_place_of(self.file(shard)) as file:
            file.write(data)

    def values(self) -> AbstractContextManager[IO[bytes]]:
        """The file of all values, which stands there when all of it is written. That of an earlier run is removed now:
        it may have another job's values. So is what a run that was killed has left half written."""
        remove_half_written(self.path)
        (self.path / VALUES).unlink(missing_ok=True)
        return in_place_of(self.path / VALUES)

    def holds(self, file: Any) -> bool:
        """Whether what an error names is this folder or a file of it."""
        return isinstance(file, str) and self.path in (Path(file), Path(file).parent)


def line(content: dict[str, Any]) -> bytes:
    """A line of the file of values: JSON in UTF-8. Half a character (a lone surrogate) is written as an escape."""
    try:
        data = json.dumps(content, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        data = json.dumps(content).encode()
    return data + b"\n"


def jsonable(value: Any) -> Any:
    """A value as JSON has it: of dates, decimals and the like their text, of a value with fields an object. JSON has no
    infinity and no NaN: their names are texts."""
    return _finite(to_jsonable_python(value, serialize_unknown=True, by_alias=True))


def _finite(value: Any) -> Any:
    """Plain values, in which "Infinity", "-Infinity" and "NaN" stand for floats that JSON does not have."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return json.dumps(value) if isinstance(value, float) and not isfinite(value) else value


def error_content(error: Exception) -> dict[str, str]:
    """An error as JSON has it."""
    return {"type": type(error).__name__, "message": str(error)}
