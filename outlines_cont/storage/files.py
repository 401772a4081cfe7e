"""A grid of rows ↔ one safetensors file, or its bytes: ids and scores as tensors, the rest as JSON in its metadata.
Never pickle.

A file comes back as what was saved, or not at all: a checksum is over everything in it. It is written beside its place
and put there whole, so that whoever reads it finds the old one or the new one.

Scores are there for the tokens that were drawn only.
"""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load

from outlines_cont.arguments import shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import CorruptStateError
from outlines_cont.files import in_place_of
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.processes import whole_at_fork
from outlines_cont.state.row import Row
from outlines_cont.storage.records import Inconsistent, header_of, parsed_header, rows_of
from outlines_cont.store.of_states import NO_COPIES, OF_COPIES, SavedCopies
from outlines_cont.store.signed import serialized

# --- states in pickles: the models that a process has set for reading them, and which of these reads one
#
# A pickle holds no model. So a process says which of its models pickled states are to be read under; it says so for all
# of its threads, since pools of processes read what they are sent in threads of their own.


class StateReader(NamedTuple):
    """A model, and what reads the bytes of a state under it."""

    model: LanguageModel
    read: Callable[[bytes, LanguageModel], Any]


_readers: tuple[StateReader, ...] = ()  # of this process, the one that was set last first
_lock = whole_at_fork(threading.Lock())


def set_reader(reader: StateReader) -> None:
    """From now on pickled states may be read by this one."""
    global _readers
    with _lock:
        _readers = (reader, *_readers)


def take_back(reader: StateReader) -> None:
    """Undo one `set_reader`."""
    global _readers
    with _lock:
        place = next(place for place, each in enumerate(_readers) if each is reader)
        _readers = (*_readers[:place], *_readers[place + 1 :])


def is_set(vocabulary: Vocabulary) -> bool:
    """Whether this process reads pickled states of this vocabulary."""
    return any(reader.model.vocabulary == vocabulary for reader in _readers)


def unpickled(vocabulary: str, identity: str, data: bytes) -> Any:
    """What pickles call: a state under the model that was set last, among those of its vocabulary; first come those
    that also have its parameters.

    vocabulary, identity: the fingerprint of the vocabulary, and the identity of the model, that it was pickled under.
    """
    readers = _readers
    right = "oc.storage.unpickling(model) sets one; in a pool of processes, in the initializer of each"
    if not readers:
        raise ValueError(f"a pickled state is read under a model, and none is set in this process: {right}")
    fitting = [reader for reader in readers if reader.model.vocabulary.fingerprint == vocabulary]
    if not fitting:
        models = ", ".join(repr(reader.model) for reader in readers)
        raise ValueError(
            f"a state was pickled under another vocabulary than the models set here have: {models}; {right}"
        )
    reader = fitting[0]
    if len(fitting) > 1:
        reader = next((each for each in fitting if each.model.identity == identity), reader)
    return reader.read(data, reader.model)


# --- storage

FAMILY, VERSION = "outlines_cont state", 9
LONGEST_HEADER = 100_000_000  # bytes: safetensors reads no more
#: What people may want who name a file so, by the end of its name.
OTHER_KINDS = {
    **dict.fromkeys((".html", ".htm"), "a page is written by state.html().save({0})"),
    **dict.fromkeys((".svg", ".png"), "a picture is written by state.html().save({0}), or state.tree().save({0})"),
    **dict.fromkeys((".txt", ".md"), "texts are written by Path({0}).write_text('\\n'.join(state))"),
    **dict.fromkeys((".csv", ".json", ".jsonl", ".parquet"), "a table is made by state.to_pandas()"),
}
DTYPES = {"ids": torch.int32, "drawn": torch.bool, "logprobs": torch.float64, "proposals": torch.float64}


def write(
    path: str | Path,
    rows: Sequence[Sequence[Row]],
    samples: int,
    vocabulary: Vocabulary,
    identity: str,
    copies: SavedCopies = NO_COPIES,
) -> None:
    """Write a grid of rows. identity: names the model's parameters; copies: of keys and values."""
    _check_path(path)
    if advice := OTHER_KINDS.get(Path(path).suffix.lower()):
        raise ValueError(
            f"save({shown(str(path))}): it writes the state for oc.load_state(), usually as .safetensors; "
            f"{advice.format(shown(str(path)))}"
        )
    pieces = pieces_of(rows, samples, vocabulary, identity, copies, str(path))
    with in_place_of(Path(path)) as file:
        file.writelines(pieces)


def pieces_of(
    rows: Sequence[Sequence[Row]],
    samples: int,
    vocabulary: Vocabulary,
    identity: str,
    copies: SavedCopies = NO_COPIES,
    target: str = "bytes",
) -> list[bytes | memoryview]:
    """A grid of rows as the content of a file, in pieces. target: what is written, for errors."""
    header = header_of(rows, samples, f"{FAMILY} {VERSION}", vocabulary, identity)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    flat = [row for group in rows for row in group]
    drawn = [value is not None for row in flat for value in row.logprobs]
    tensors = {
        "ids": torch.tensor([token for row in flat for token in row.ids], dtype=torch.int32),
        "drawn": torch.tensor(drawn, dtype=torch.bool),
        "logprobs": _scores(value for row in flat for value in row.logprobs),
        "proposals": _scores(value for row in flat for value in row.proposals),
    }
    metadata = {"outlines_cont": text, "checksum": _checksum(text, tensors), **copies.metadata}
    pieces = serialized({**tensors, **copies.tensors}, metadata)
    if (size := len(pieces[1])) > LONGEST_HEADER:
        raise ValueError(
            f"{target} cannot be written: the JSON of this state's spans and candidates takes {size:,} bytes, too many "
            f"for one file, which may have {LONGEST_HEADER:,}. Save its batch rows in several: state[:n], state[n:]"
        )
    return pieces


class SavedState(NamedTuple):
    """A grid of rows, the number of samples, the identity of the model that they were saved with, copies of their keys
    and values, which nobody has checked, and what errors call their file, or bytes."""

    rows: list[list[Row]]
    samples: int
    identity: str
    copies: SavedCopies
    name: str


def read(path: str | Path, vocabulary: Vocabulary) -> SavedState:
    """What a file holds.

    Raises:
        CorruptStateError: it is no saved state, or one that was damaged: what, and where.
        ValueError: it was saved with another vocabulary, or in the format of another version.
    """
    _check_path(path)
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise IsADirectoryError(f"{path} is a folder, or no regular file: not a saved state")
    return _read(lambda: _content_of_file(path), vocabulary, str(path))


def read_bytes(data: bytes, vocabulary: Vocabulary) -> SavedState:
    """What `read` gives, of the content of a file."""
    return _read(lambda: _content_of_bytes(data), vocabulary, "what from_bytes() was given")


def _read(
    content: Callable[[], tuple[dict[str, str], dict[str, torch.Tensor]]], vocabulary: Vocabulary, name: str
) -> SavedState:
    """What `read` gives, of a file, or bytes, of this name; `content` gives its metadata and its tensors."""
    source = f"{name} holds no saved state that is whole"
    try:
        metadata, tensors = content()
        copies = {each: tensors.pop(each) for each in [*tensors] if each.startswith(OF_COPIES)}
        text = metadata.get("outlines_cont", "")
        _check_version(text)
        _check_content(text, metadata.get("checksum"), tensors)
        header = parsed_header(text)
        if header.vocabulary != vocabulary.fingerprint:
            raise ValueError(f"{name} was saved with another vocabulary than the given model's {vocabulary!r}")
        rows = rows_of(header, tensors, vocabulary, source)
        return SavedState(rows, header.samples, header.identity, SavedCopies(metadata, copies), name)
    except (SafetensorError, Inconsistent) as error:
        raise CorruptStateError(f"{source}: {error}") from None


def _check_path(path: Any) -> None:
    """TypeError or ValueError for what is no path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"a saved state has a path, a str or a Path, not {shown(path)}")
    try:
        if b"\0" in os.fsencode(path):
            raise ValueError(f"{shown(path)} is no path: it holds a NUL")
    except UnicodeEncodeError:
        raise ValueError(f"{shown(path)} is no path: it holds half a character (a lone surrogate)") from None


def _content_of_file(path: str | Path) -> tuple[dict[str, str], dict[str, torch.Tensor]]:
    """The metadata and the tensors of a file. Nothing is copied."""
    with safe_open(path, framework="pt") as file:
        return file.metadata() or {}, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def _content_of_bytes(data: bytes) -> tuple[dict[str, str], dict[str, torch.Tensor]]:
    """The metadata and the tensors of the content of a file."""
    tensors = load(data)  # which checks the header
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header.get("__metadata__") or {}, tensors


def _check_version(text: str) -> None:
    """Inconsistent if a header names another format than this version's."""
    if not re.match(rf'\{{"format": ?"{FAMILY} {VERSION}"', text):
        named = f"its format is {text[:60]!r}" if text else "it has no header of ours"
        raise Inconsistent(f"{named}; this version reads {FAMILY} {VERSION}")


def _check_content(text: str, checksum: str | None, tensors: dict[str, torch.Tensor]) -> None:
    """Inconsistent if these are not the tensors of a state, or not those that were written with this header."""
    if sorted(tensors) != sorted(DTYPES):
        raise Inconsistent(f"it has the tensors {sorted(tensors)}, not {sorted(DTYPES)}")
    for name, tensor in tensors.items():
        if tensor.dtype != DTYPES[name] or tensor.dim() != 1:
            raise Inconsistent(f"the tensor {name!r} is {tensor.dtype} {list(tensor.shape)}")
    if checksum != _checksum(text, tensors):
        raise Inconsistent("its checksum is not that of its content")
    drawn = int(tensors["drawn"].sum())
    for name, length in {"ids": len(tensors["drawn"]), "logprobs": drawn, "proposals": drawn}.items():
        if len(tensors[name]) != length:
            raise Inconsistent(f"the tensor {name!r} has {len(tensors[name])} values, not {length}")


def _checksum(text: str, tensors: dict[str, torch.Tensor]) -> str:
    """Of a header and of the tensors: equal only if all bytes are."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16)
    for name in DTYPES:
        digest.update(b"\0")
        digest.update(tensors[name].numpy().data)  # not a copy
    return digest.hexdigest()


def _scores(values: Iterable[float | None]) -> torch.Tensor:
    """The scores of what was drawn."""
    return torch.tensor([value for value in values if value is not None], dtype=torch.float64)
