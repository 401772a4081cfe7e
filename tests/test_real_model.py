"""How the real model of `.ci/nightly real` is made ready: whole or not at all, with small packages in its place."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import real_model
from real_model import NoRoom, NotFetched, OtherFile, digest_of, found, made

PARTS = [b"GGUF, ", b"by ", b"four ", b"parts"]
#: As the packages of the real model do it: the parts that are there are checked only by the digest of the whole.
ASSEMBLE = """
from importlib import import_module
from pathlib import Path

def assemble(path):
    parts = [Path(import_module(f"{__name__}_part{n}").__file__).parent / "data" for n in (1, 2, 3, 4)]
    if missing := [str(part) for part in parts if not part.exists()]:
        raise FileNotFoundError("Missing chunk files: " + ", ".join(missing))
    Path(path).write_bytes(b"".join(part.read_bytes() for part in parts))
"""


def wheel(folder: Path, module: str, files: dict[str, bytes]) -> str:
    """A wheel of these files, and the line with which pip asks for it."""
    about, path = f"{module}-1.0.0.dist-info", folder / f"{module}-1.0.0-py3-none-any.whl"
    name = module.replace("_", "-")
    files = {f"{module}/{file}": data for file, data in files.items()} | {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n".encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/RECORD": b"",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    return f"{name}==1.0.0 --hash=sha256:{digest_of(path)}\n"


class Index(NamedTuple):
    """A package index in a folder.

    Attributes:
        wheels: it.
        folder: where the model is to be made.
        dequantized: the files that have been dequantized.
    """

    wheels: Path
    folder: Path
    dequantized: list[Path]


def dequantizing(done: list[Path]) -> Callable[[Path, Path], None]:
    def dequantize(file: Path, folder: Path) -> None:
        done.append(file)
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(2 * file.read_bytes())
        (folder / "config.json").write_text("{}")

    return dequantize


def publish(monkeypatch: pytest.MonkeyPatch, wheels: Path, parts: list[bytes | None]) -> None:
    """Packages of these parts; None: a package without its part."""
    pinned = wheel(wheels, real_model.PACKAGE, {"__init__.py": ASSEMBLE.encode()})
    for number, part in enumerate(parts, 1):
        data = {} if part is None else {"data": part}
        pinned += wheel(wheels, f"{real_model.PACKAGE}_part{number}", {"__init__.py": b"", **data})
    monkeypatch.setattr(real_model, "PACKAGES", pinned)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    it = Index(tmp_path / "wheels", tmp_path / "real", [])
    it.wheels.mkdir()
    publish(monkeypatch, it.wheels, [*PARTS])
    monkeypatch.setattr(real_model, "DIGEST", sha256(b"".join(PARTS)).hexdigest())
    monkeypatch.setattr(real_model, "dequantize", dequantizing(it.dequantized))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(it.wheels))
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    return it


def raised(kind: type[BaseException], words: str | None, index: Index) -> None:
    """It cannot be made, for that reason; and what is in its place then is nothing or right."""
    with pytest.raises(kind, match=words):
        made(index.folder)
    gguf, hf = index.folder / "model.gguf", index.folder / "hf"
    assert not gguf.exists() or digest_of(gguf) == real_model.DIGEST
    assert not hf.exists()


def test_it_is_made_once_and_left_without_anything_beside_it(index: Index) -> None:
    model = made(index.folder)
    assert model == (index.folder / "hf", index.folder / "model.gguf") == found(index.folder)
    assert model.gguf.read_bytes() == b"".join(PARTS)
    shutil.rmtree(index.wheels)  # nothing is fetched again
    assert made(index.folder) == model and index.dequantized == [model.gguf]
    assert {path.name for path in index.folder.iterdir()} == {"hf", "model.gguf", "lock"}
    shutil.rmtree(model.hf)
    assert made(index.folder) == model and index.dequantized == [model.gguf] * 2


def test_packages_that_are_not_right_are_refused_by_name(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    other = index.wheels / f"{real_model.PACKAGE}_part2-1.0.0-py3-none-any.whl"
    right = other.read_bytes()
    wheel(index.wheels, f"{real_model.PACKAGE}_part2", {"__init__.py": b"", "data": b"BY "})
    raised(OtherFile, "(?s)another content than tests/real_model.py says.*part2", index)
    other.write_bytes(right[: len(right) // 2])  # half of its download
    raised(OtherFile, "another content", index)
    other.unlink()
    raised(NotFetched, "(?s)pip cannot install.*part2", index)
    publish(monkeypatch, index.wheels, [*PARTS[:3], None])
    raised(OtherFile, "do not assemble: .*Missing chunk files.*part4", index)
    publish(monkeypatch, index.wheels, [*PARTS[:3], b"part"])
    raised(OtherFile, f"a file of the digest .*, not {real_model.DIGEST}", index)
    publish(monkeypatch, index.wheels, [*PARTS])
    assert made(index.folder).gguf.read_bytes() == b"".join(PARTS)


def test_an_interrupted_run_leaves_nothing_half_and_the_next_goes_on(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = real_model.dequantize

    def fails(error: BaseException) -> Callable[[Path, Path], None]:
        def dequantize(file: Path, folder: Path) -> None:
            folder.mkdir()
            (folder / "model.safetensors").write_bytes(b"half of")
            raise error

        return dequantize

    monkeypatch.setattr(real_model, "dequantize", fails(KeyboardInterrupt()))
    raised(KeyboardInterrupt, None, index)
    monkeypatch.setattr(real_model, "dequantize", fails(OSError(errno.ENOSPC, "No space left on device")))
    raised(NoRoom, f"no room is left in {index.folder}", index)
    shutil.rmtree(index.wheels)  # the file is there: it is not fetched again
    monkeypatch.setattr(real_model, "dequantize", whole)
    assert (made(index.folder).hf / "model.safetensors").read_bytes() == 2 * b"".join(PARTS)


def test_a_full_disk_is_said_before_anything_is_written(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    usage: Any = type("Usage", (), {"free": 3_000_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    raised(NoRoom, "room for 3 MB, and 900 MB are needed", index)
    assert [path.name for path in index.folder.iterdir()] == ["lock"]


def test_of_two_runs_at_once_the_second_waits_and_takes_what_the_first_has_made(
    index: Index, capfd: pytest.CaptureFixture[str]
) -> None:
    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(made, [index.folder] * 2)
    assert one == two == found(index.folder) and len(index.dequantized) == 1
    assert "another process makes" in capfd.readouterr().err


def test_what_was_changed_later_is_refused_and_never_read(index: Index) -> None:
    model = made(index.folder)
    note = json.loads((model.hf / "made.json").read_text())
    cases: list[tuple[Path, bytes | None, str]] = [
        (model.gguf, b"GGUF, another", "model.gguf has the digest .*: delete it"),
        (model.gguf, None, "model.gguf is not there: python tests/real_model.py makes it"),
        (model.hf / "model.safetensors", b"half", "hf has another model.safetensors than was written: delete it"),
        (model.hf / "config.json", None, "hf has another config.json than was written"),
        (model.hf / "made.json", b"{", "hf has a made.json that cannot be read"),
        (model.hf / "made.json", b'{"of": "1", "files": []}', "hf has a made.json that cannot be read"),
        (model.hf / "made.json", json.dumps({**note, "of": "1"}).encode(), "was made of the file with the digest 1"),
        (model.hf / "made.json", None, r"was not made by tests/real_model.py \(it has no made.json\)"),
    ]
    for path, data, words in cases:
        before = path.read_bytes()
        path.unlink() if data is None else path.write_bytes(data)
        with pytest.raises(OtherFile, match=words):
            found(index.folder)
        path.write_bytes(before)
    assert found(index.folder) == model


def test_the_command_names_what_is_wrong_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # as if there were no network
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    done = subprocess.run(
        [sys.executable, real_model.__file__, str(tmp_path / "real")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr
    assert done.stderr.startswith("NotFetched: pip cannot install the packages of the real model")
