"""`KVStore`: the files of a store.

A file has the keys and values of `CHUNK` tokens of a row. Its name is a digest of all that they depend on: the model
and all tokens up to its last one. So files of one name have the same content, up to rounding, whoever writes them, and
no process waits for another one: the last file stays. A row is found chunk after chunk, until one is missing.

One lock is there, for the budget: who has it deletes what was not used for longest, and then puts new files in place.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from safetensors import SafetensorError, safe_open

from outlines_cont.arguments import shown
from outlines_cont.errors import warn_once
from outlines_cont.files import fcntl, finished_files, in_place_of, only_ours, remove_half_written, why
from outlines_cont.store.copies import Copies
from outlines_cont.store.signed import is_signed, secret_of, serialized, signature

FORMAT = "outlines_cont keys and values 1"  # another number when what files contain, or their names, change
CHUNK = 64  # tokens
SUFFIX = ".safetensors"
LOCK = "lock"
BATCH = 32  # files that are put in place at once


@dataclass(frozen=True)
class KVStore:
    """A folder with keys and values of prefixes that were read, for all processes that are given it.

    `oc.load(…, store=store)` looks there for the beginning of a prompt before the model reads it, and writes there what
    it has read. Nothing else changes: all values are those of a model without a store. Keys and values are found by
    the parameters, the tokens and all that decides how they are computed (docs/store.md). A file that is damaged, or
    that was not written by somebody who can read the folder's file `secret`, is deleted, and its tokens are read.

    Many models and processes may use one folder at once, and each may be killed at any time. It can be deleted at any
    time, too.

    Args:
        folder: where the files are; it is made if it is missing.
        budget: the most bytes that its files take together. Those that were not used for longest are deleted.

    Attributes:
        folder: as an absolute path, a str.
        budget: as given.

    Raises:
        TypeError: a budget that is no int; a folder that is no path.
        ValueError: a negative budget; a folder, or a secret, that others may write or read.
        OSError: the folder cannot be made or read.

    >>> from tempfile import mkdtemp
    >>> store = oc.store.KVStore(mkdtemp(), budget=1 << 30)
    >>> model = oc.load(store=store)
    >>> prompt = model.state("Mira is a painter from Lisbon. " * 20).kv.prefill()
    >>> store.bytes > 0, store.budget
    (True, 1073741824)
    """

    folder: str
    budget: int = 10 << 30

    def __init__(self, folder: str | Path, budget: int = 10 << 30) -> None:
        if not isinstance(folder, (str, os.PathLike)):
            raise TypeError(f"KVStore(folder) takes a path, not {shown(folder)}")
        if not isinstance(budget, int) or isinstance(budget, bool):
            raise TypeError(f"KVStore(budget={shown(budget)}): it is a number of bytes, an int")
        if budget < 0:
            raise ValueError(f"KVStore(budget={budget}): it is a number of bytes, ≥ 0")
        object.__setattr__(self, "folder", os.path.abspath(os.path.expanduser(os.fspath(folder))))
        object.__setattr__(self, "budget", budget)
        self.secret()
        if self.bytes > budget:
            self.write((), ())

    @property
    def bytes(self) -> int:
        """The bytes of all files with keys and values that are there now.

        >>> from tempfile import mkdtemp
        >>> oc.store.KVStore(mkdtemp()).bytes
        0
        """
        return sum(size for _, size, _ in finished_files(self.folder, SUFFIX))

    def __repr__(self) -> str:
        return f"KVStore({self.folder!r}, {self.bytes:,} of {self.budget:,} bytes)"

    def secret(self) -> bytes:
        """What files are signed with."""
        return secret_of(Path(self.folder))

    # --- reading

    def found(self, names: Sequence[str]) -> Iterator[Copies]:
        """The copies in the files of these names, up to the first that is missing. Unsound files are deleted."""
        if not names or not os.path.lexists(self._path(names[0])):
            return
        secret = self.secret()
        for name in names:
            if (copies := self._read(name, secret)) is None:
                return
            yield copies

    def _read(self, name: str, secret: bytes) -> Copies | None:
        path = self._path(name)
        try:
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and only_ours(status):  # before it is opened: a pipe would wait
                with safe_open(path, framework="pt") as file:
                    metadata = file.metadata() or {}
                    copies = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
                if copies and is_signed(metadata.get("signature"), secret, f"{FORMAT} {name}", copies):
                    return copies
        except FileNotFoundError:
            return None
        except (SafetensorError, OSError, ValueError, KeyError, AttributeError, TypeError):
            pass
        self.delete(name)
        return None

    def delete(self, name: str) -> None:
        """Delete a file that is not to be believed."""
        with suppress(OSError):
            self._path(name).unlink()

    def touched(self, name: str, when: int) -> bool:
        """Whether there is a file of this name. From now on it counts as used at this time, in nanoseconds."""
        try:
            os.utime(self._path(name), ns=(when, when), follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError:  # a disk that is only read
            return os.path.lexists(self._path(name))
        return True

    # --- writing

    def write(self, chunks: Iterable[tuple[str, int, Copies]], spared: Collection[str]) -> None:
        """Write files: of each the name, the time at which it counts as used, in nanoseconds, and the copies.

        Those that the budget has no room for are left out. Where the folder cannot be written, one warning says so.

        spared: names of files that are not deleted for these.
        """
        batch: list[tuple[Path, int, list[bytes | memoryview]]] = []
        try:
            secret = self.secret()
            for name, when, copies in chunks:
                metadata = {"format": FORMAT, "signature": signature(secret, f"{FORMAT} {name}", copies)}
                batch.append((self._path(name), when, serialized(copies, metadata)))
                if len(batch) == BATCH:
                    self._put_in_place(batch, spared)
                    batch = []
            self._put_in_place(batch, spared)
        except (OSError, ValueError) as error:
            warn_once(
                f"nothing can be written to the store in {self.folder} ({why(error)}); what is there is used",
                self.folder,
            )

    def _put_in_place(
        self, batch: Sequence[tuple[Path, int, list[bytes | memoryview]]], spared: Collection[str]
    ) -> None:
        """Write files, each once there is room for it: those that were not used for longest are deleted."""
        with self._locked():
            remove_half_written(Path(self.folder))
            files = sorted(finished_files(self.folder, SUFFIX), reverse=True)
            taken = sum(size for _, size, _ in files)
            files = [file for file in files if file[2].removesuffix(SUFFIX) not in spared]
            for path, when, pieces in (*batch, (None, 0, ())):  # at last for nothing: the budget may be another one
                size = sum(map(len, pieces))
                while taken + size > self.budget and files:
                    _, freed, name = files.pop()
                    Path(self.folder, name).unlink(missing_ok=True)
                    taken -= freed
                if path is None or taken + size > self.budget:
                    return
                with in_place_of(path, durable=False) as file:
                    os.chmod(file.name, 0o600)
                    file.writelines(pieces)
                self.touched(path.stem, when)
                taken += size

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """While this process, and no other one, makes room and puts files in place. Who is killed gives it up."""
        with open(os.open(Path(self.folder, LOCK), os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _path(self, name: str) -> Path:
        return Path(self.folder, name + SUFFIX)
