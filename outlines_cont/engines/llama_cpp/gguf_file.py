"""`GGUFFile`: what a GGUF file says of its model, by name and with its types checked; one file, or one cut in parts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.engines.llama_cpp.gguf_reader import Head, TensorInfo, read_head
from outlines_cont.errors import ModelFileError

#: The names of file types, as `general.file_type` numbers them.
FILE_TYPES = {
    **{0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S"},
    **{12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K"},
    **{19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL"},
    **{26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16"},
    **{36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4", 39: "NVFP4", 40: "Q1_0"},
}
#: The most layers that llama.cpp computes (LLAMA_MAX_LAYERS), and its largest int.
MOST_LAYERS, LARGEST = 512, 2**31 - 1
#: How llama.cpp names the parts of a file, and where it looks for them.
PART = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf")


@dataclass(frozen=True, eq=False)
class GGUFFile:
    """What a GGUF file says of its model. Nothing of its tensors is read.

    Attributes:
        path: where it lies.
        values: by key: bool, int, float, str, a tuple of str, or a numpy array.
        tensors: the tensors of all its parts.
        parts: its files: one, or those that it was cut into, in order.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from outlines_cont.engines.llama_cpp.gguf_file import GGUFFile
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.gguf"
    ...     size = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]))
    ...     try:
    ...         GGUFFile.read(path)
    ...     except oc.ModelFileError as error:
    ...         print(str(error).partition(": ")[2])
    it is damaged or not whole: the number of tensors takes 8 bytes from byte 8 on, and the file ends at 8
    """

    path: Path
    values: Mapping[str, Any]
    tensors: tuple[TensorInfo, ...]
    parts: tuple[Path, ...]

    @classmethod
    def read(cls, path: str | Path) -> GGUFFile:
        """The file at a path; of one that was cut in parts, the first.

        Raises:
            FileNotFoundError: there is no such file.
            ModelFileError: it is no GGUF file, damaged or not whole, or a part is missing.
        """
        path = Path(path)
        head = read_head(path)
        parts = _parts(path, head)
        tensors = list(head.tensors)
        for number, part in enumerate(parts[1:], 1):
            other = read_head(part)
            if other.values.get("split.no") != number or other.values.get("split.count") != len(parts):
                raise ModelFileError(f"{part}: it is not part {number + 1} of {len(parts)} of {path.name}")
            tensors += other.tensors
        return cls(path, MappingProxyType(head.values), tuple(tensors), tuple(parts))

    # --- values by key

    def fail(self, problem: str) -> NoReturn:
        """ModelFileError: what is wrong with this file."""
        raise ModelFileError(f"{self.path}: {problem}")

    def text(self, key: str, default: str | None = None) -> str | None:
        """A str. ModelFileError if it is something else."""
        return self._typed(key, str, "a text", default)

    def flag(self, key: str, default: bool | None = None) -> bool | None:
        """A bool. ModelFileError if it is something else."""
        return self._typed(key, bool, "true or false", default)

    def number(self, key: str, default: int | None = None) -> int | None:
        """An int. ModelFileError if it is something else."""
        return self._typed(key, int, "a whole number", default)

    def texts(self, key: str) -> tuple[str, ...] | None:
        """A list of str. ModelFileError if it is something else, or has bytes that are no text."""
        texts = self._typed(key, tuple, "a list of texts", None)
        if texts and not _is_text("".join(texts)):
            for n, text in enumerate(texts):
                self._check_text(text, f"item {n} of {key}")
        return texts

    def numbers(self, key: str, floats: bool = False) -> np.ndarray | None:
        """A list of ints, or of numbers. ModelFileError if it is something else."""
        numbers = self._typed(key, np.ndarray, "a list of numbers", None)
        if numbers is not None and numbers.dtype.kind not in ("iuf" if floats else "iu"):
            self.fail(f"{key} is a list of {numbers.dtype}: it must be one of {'numbers' if floats else 'ints'}")
        return numbers

    def needed(self, key: str, value: Any) -> Any:
        """The value of a key that must be there."""
        if value is None:
            self.fail(f"it has no key {key!r}")
        return value

    def _typed(self, key: str, kind: type, right: str, default: Any) -> Any:
        value = self.values.get(key)
        if value is None:
            return default
        if type(value) is not kind:
            self.fail(f"{key} is {shown(value)}: it must be {right}")
        if kind is str:
            self._check_text(value, key)
        return value

    def _check_text(self, text: str, of: str) -> None:
        if not _is_text(text):
            self.fail(f"{of} is no UTF-8: {shown(text.encode('utf-8', 'surrogateescape'))}")

    # --- what it says of its model

    @property
    def architecture(self) -> str:
        """`general.architecture`."""
        return self.needed("general.architecture", self.text("general.architecture"))

    @property
    def name(self) -> str | None:
        """`general.name`."""
        return self.text("general.name")

    @property
    def file_type(self) -> str:
        """How most of its parameters are stored: "F32", "Q8_0", "Q4_K_M" …; "unknown" if it does not say."""
        number = self.number("general.file_type")
        return "unknown" if number is None else FILE_TYPES.get(number, f"type {number}")

    @property
    def context_length(self) -> int | None:
        """The most tokens of a row that the model was made for; None if the file does not say."""
        key = f"{self.architecture}.context_length"
        length = self.number(key)
        if length is not None and not 1 <= length <= LARGEST:
            self.fail(f"it is damaged: {key} is {length}")
        return length

    def check_settings(self) -> None:
        """ModelFileError for settings at which llama.cpp would end the process."""
        layers = self.number(key := f"{self.architecture}.block_count")
        if layers is not None and not 1 <= layers <= MOST_LAYERS:
            self.fail(f"it is damaged: {key} is {layers}, and llama.cpp computes 1 to {MOST_LAYERS} layers")
        for key, value in self.values.items():
            if key.endswith("_epsilon") and not (isinstance(value, float) and 0 <= value < math.inf):
                self.fail(f"it is damaged: {key} is {shown(value)}: it must be a number ≥ 0")
        _ = self.context_length

    @cached_property
    def digest(self) -> str:
        """A digest of all bytes of all parts: reads the whole file."""
        digest = blake2b(b"gguf", digest_size=16)
        for part in self.parts:
            with part.open("rb") as file:
                while block := file.read(1 << 24):
                    digest.update(block)
        return digest.hexdigest()


def _is_text(text: str) -> bool:
    """Whether it was UTF-8 in the file: what was not is a lone surrogate here."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parts(path: Path, head: Head) -> list[Path]:
    """The files that a model was cut into; this one must be the first, and the others lie beside it."""
    count, number = head.values.get("split.count", 1), head.values.get("split.no", 0)
    if type(count) is not int or type(number) is not int or not 0 <= number < max(count, 1) <= 99_999:
        raise ModelFileError(f"{path}: it is damaged: it is part {shown(number)} of {shown(count)}")
    if count <= 1:
        return [path]
    named = PART.fullmatch(path.name)
    if named is None or int(named[3]) != count or int(named[2]) != number + 1:
        raise ModelFileError(
            f"{path}: it is part {number + 1} of {count} of a model, and must be called "
            f"NAME-{number + 1:05}-of-{count:05}.gguf"
        )
    parts = [path.with_name(f"{named[1]}-{n + 1:05}-of-{count:05}.gguf") for n in range(count)]
    if number != 0:
        raise ModelFileError(f"{path}: it is part {number + 1} of {count} of a model: give the first, {parts[0].name}")
    if missing := [part.name for part in parts if not part.exists()]:
        raise ModelFileError(f"{path}: parts of it are missing beside it: {', '.join(missing[:3])}")
    return parts
