"""The head of a GGUF file as plain values: its keys, and where its tensors lie. What is damaged is refused by name.

A file is a magic, a version, the number of tensors and of keys; the keys with their values; the names, shapes and types
of the tensors; and their data. Every length in it is checked against what is left of the file before anything is read,
so that a damaged file costs neither memory nor time.

(The package `gguf` reads such files, too. It makes a numpy array of every token and every merge, 8 seconds for a
vocabulary of 131,072; it reads on behind the end of a file, where a count that was damaged keeps it for hours; and its
errors are those of numpy.)
"""

from __future__ import annotations

import math
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.errors import ModelFileError, warn

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
