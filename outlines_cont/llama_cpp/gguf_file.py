"""`GGUFFile`: what a GGUF file says of its model, by name and with its types checked; one file, or one cut in parts."""

from __future__ import annotations

import math
import mmap
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from outlines_cont.arguments import half_character, shown
from outlines_cont.errors import ModelFileError, warn

# --- the head of a GGUF file as plain values: its keys, and where its tensors lie. What is damaged is refused by name
#
# A file is a magic, a version, the number of tensors and of keys; the keys with their values; the names, shapes and
# types of the tensors; and their data. Every length in it is checked against what is left of the file before anything
# is read, so that a damaged file costs neither memory nor time.
#
# (The package `gguf` reads such files, too. It makes a numpy array of every token and every merge, 8 seconds for a
# vocabulary of 131,072; it reads on behind the end of a file, where a count that was damaged keeps it for hours; and
# its errors are those of numpy.)

MAGIC = b"GGUF"
VERSIONS = (2, 3)
#: How the files of earlier days began.
OLD_MAGICS = (b"lmgg", b"fmgg", b"tjgg", b"algg", b"ggml", b"ggmf", b"ggjt", b"ggla")
#: The most items of an array and the most bytes of a string. Vocabularies have some 100,000 tokens.
MOST_ITEMS, MOST_BYTES = 1 << 24, 1 << 28
MOST_DIMENSIONS = 4
#: So many zeros at the end of a file are hardly parameters: downloads that stopped leave them.
ENDING_ZEROS = 1 << 20

STRING, ARRAY = 8, 9
LENGTH = struct.Struct("<Q")  # of a text
#: The types of values that have a fixed size, by number.
SCALARS = {
    **{0: "u1", 1: "i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4"},
    **{7: "?", 10: "<u8", 11: "<i8", 12: "<f8"},
}
#: The types of tensors by number: values in a block, and bytes of a block.
BLOCKS = {
    **{0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 40)},
    **{10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292)},
    **{16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82)},
    **{23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2)},
    **{34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18)},
}


@dataclass(frozen=True)
class TensorInfo:
    """A tensor of a file: its name, its shape (the fastest axis first), and the number of its type."""

    name: str
    shape: tuple[int, ...]
    kind: int

    @property
    def nbytes(self) -> int | None:
        """How many bytes its data takes; None for a type that is not known here."""
        if self.kind not in BLOCKS:
            return None
        values, size = BLOCKS[self.kind]
        return math.prod(self.shape) // values * size


@dataclass(frozen=True)
class Head:
    """What stands before the data of the tensors.

    Attributes:
        version: of the format.
        values: by key: bool, int, float, str, a tuple of str, or a numpy array. A str that was no UTF-8 has lone
            surrogates.
        tensors: in the order of the file.
    """

    version: int
    values: dict[str, Any]
    tensors: tuple[TensorInfo, ...]


def begins_like_gguf(path: Path) -> bool:
    """Whether it is a file that begins with the magic of GGUF."""
    try:
        with path.open("rb") as file:
            return file.read(4) == MAGIC
    except OSError:
        return False


def read_head(path: Path) -> Head:
    """The head of a GGUF file.

    Raises:
        FileNotFoundError: there is no such file.
        ModelFileError: it is no GGUF file, of another version, damaged, or not whole.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise ModelFileError(f"{path}: it cannot be read ({error.strerror})") from error
    with file:
        if path.stat().st_size < 4:
            raise ModelFileError(f"{path}: it is no GGUF file: it has {path.stat().st_size} bytes")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _HeadReader(path, data).head()


class _HeadReader:
    """A place in a file, and what is read from there on."""

    def __init__(self, path: Path, data: mmap.mmap):
        self.path, self.data, self.at, self.size = path, data, 0, len(data)

    def fail(self, problem: str) -> NoReturn:
        raise ModelFileError(f"{self.path}: {problem}")

    def skip(self, count: int, of: str) -> int:
        """The place of the next `count` bytes, which are passed over."""
        begin = self.at
        if count > self.size - begin:
            self.fail(
                f"it is damaged or not whole: {of} takes {count:,} bytes from byte {begin:,} on, "
                f"and the file ends at {self.size:,}"
            )
        self.at += count
        return begin

    def number(self, form: str, of: str) -> Any:
        return struct.unpack_from(form, self.data, self.skip(struct.calcsize(form), of))[0]

    def string(self, of: str) -> str:
        length = self.number("<Q", of)
        if length > MOST_BYTES:
            self.fail(f"it is damaged: {of} is a text of {length:,} bytes")
        begin = self.skip(length, of)
        return self.data[begin : begin + length].decode("utf-8", "surrogateescape")

    def strings(self, count: int, of: str) -> tuple[str, ...]:
        """So many texts, one after the other. (A vocabulary has some 100,000: this loop has no calls of Python.)"""
        at, size, data, length = self.at, self.size, self.data, LENGTH.unpack_from
        texts: list[str] = []
        while len(texts) < count and at + 8 <= size:
            begin = at + 8
            at = begin + length(data, at)[0]
            if at > size or at - begin > MOST_BYTES:
                break
            texts.append(data[begin:at].decode("utf-8", "surrogateescape"))
        if len(texts) < count:  # one of these names what is wrong
            return tuple([self.string(of) for _ in range(count)])
        self.at = at
        return tuple(texts)

    def count(self, of: str, least: int) -> int:
        """A number of things of at least so many bytes each."""
        count = self.number("<Q", f"the number of {of}")
        if count > MOST_ITEMS or count * least > self.size - self.at:
            self.fail(f"it is damaged or not whole: it is said to have {count:,} {of}, and has {self.size:,} bytes")
        return count

    def head(self) -> Head:
        version = self.version()
        tensors = self.count("tensors", 24)
        keys = self.count("keys", 13)
        values: dict[str, Any] = {}
        for n in range(keys):
            name = self.string(f"the name of key {n}")
            if name in values:
                self.fail(f"it is damaged: it has the key {shown(name)} twice")
            values[name] = self.value(self.number("<I", f"the type of {shown(name)}"), shown(name))
        infos = self.tensors(tensors)
        self.check_data(infos, values)
        return Head(version, values, tuple(info for info, _ in infos))

    def version(self) -> int:
        magic = self.data[self.skip(4, "its magic") : 4]
        if magic != MAGIC:
            older = " It is of a format before GGUF: convert the model anew" if magic in OLD_MAGICS else ""
            self.fail(f"it is no GGUF file: it begins with {bytes(magic)!r}, not {MAGIC!r}.{older}")
        version = self.number("<I", "its version")
        if version in VERSIONS:
            return version
        if version & 0xFFFF == 0 and version >> 24 in VERSIONS:
            self.fail("it was written for big-endian machines: convert the model for this one")
        if version == 1:
            self.fail("it is of version 1 of GGUF, which llama.cpp no longer reads: convert the model anew")
        self.fail(f"it is of version {version} of GGUF: versions {VERSIONS[0]} and {VERSIONS[1]} are read here")

    def value(self, kind: int, of: str) -> Any:
        if kind == STRING:
            return self.string(of)
        if kind == ARRAY:
            return self.array(self.number("<I", f"the type of {of}"), of)
        if kind not in SCALARS:
            self.fail(f"it is damaged, or newer than what is read here: {of} is of type {kind}, which there is not")
        dtype = np.dtype(SCALARS[kind])
        return np.frombuffer(self.data, dtype, 1, self.skip(dtype.itemsize, of))[0].item()

    def array(self, kind: int, of: str) -> Any:
        if kind == STRING:
            return self.strings(self.count(f"items of {of}", 8), of)
        if kind not in SCALARS:
            self.fail(f"it is damaged, or newer than what is read here: {of} is a list of type {kind}")
        dtype = np.dtype(SCALARS[kind])
        count = self.count(f"items of {of}", dtype.itemsize)
        return np.frombuffer(self.data, dtype, count, self.skip(count * dtype.itemsize, of)).copy()

    def tensors(self, count: int) -> list[tuple[TensorInfo, int]]:
        """The tensors, and where in the data they begin."""
        infos: dict[str, tuple[TensorInfo, int]] = {}
        for n in range(count):
            name = self.string(f"the name of tensor {n}")
            if name in infos:
                self.fail(f"it is damaged: it has the tensor {shown(name)} twice")
            dimensions = self.number("<I", f"the shape of {shown(name)}")
            if dimensions > MOST_DIMENSIONS:
                self.fail(f"it is damaged: the tensor {shown(name)} has {dimensions} dimensions")
            shape = tuple(self.number("<Q", f"the shape of {shown(name)}") for _ in range(dimensions))
            kind = self.number("<I", f"the type of {shown(name)}")
            infos[name] = TensorInfo(name, shape, kind), self.number("<Q", f"the place of {shown(name)}")
        return list(infos.values())

    def check_data(self, infos: list[tuple[TensorInfo, int]], values: dict[str, Any]) -> None:
        """Whether the data of all tensors lies within the file."""
        alignment = values.get("general.alignment", 32)
        if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
            self.fail(f"it is damaged: general.alignment is {shown(alignment)}, which is no power of two")
        begin = -(-self.at // alignment) * alignment
        for info, place in infos:
            needed = begin + place + (info.nbytes or 0)
            if needed > self.size:
                self.fail(
                    f"it is damaged or not whole: the tensor {shown(info.name)} ends at byte {needed:,}, and the file "
                    f"at {self.size:,}"
                )
        if self.size - begin >= ENDING_ZEROS and not self.data[-ENDING_ZEROS:].strip(b"\0"):
            warn(f"{self.path}: its last {ENDING_ZEROS:,} bytes are zeros: has it been downloaded to its end?")


# --- gguf file

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
        if texts and half_character("".join(texts)):
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
        if half_character(text):  # what was no UTF-8 in the file is a lone surrogate here
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
