"""Builds a release and tries it: `python tools/release.py`, from a checkout.

It refuses to begin where the version is not the same in `outlines_cont/__init__.py`, CITATION.cff and the first heading
of CHANGELOG.md, or where files are not committed. Then it builds the wheel and the source distribution, installs each
in a new environment with the pinned versions (the wheel by its name and with an extra, from the folder it lies in),
imports every module there, and runs the tour and the first lines of the README in an empty folder. In the end `--out`
(default `dist`) has both files, their checksums and the notes of the tag; the command that makes the tag is printed.
The exit status is 0 only if all of it worked. It takes three minutes and needs a package index.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"  # for `sha256sum -c`
EXTRA = "llama"  # of the extras, the one that is small and pinned
# Each imports a package of an extra, and says so where that is missing.
IMPORTS = """
import importlib, pkgutil, outlines_cont
names = [m.name for m in pkgutil.walk_packages(outlines_cont.__path__, "outlines_cont.")]
names = [n for n in names if not n.endswith("__main__") and ".lm_eval" not in n and not n.endswith(".trl")]
for name in names:
    importlib.import_module(name)
print(f"{len(names)} modules of {outlines_cont.__version__} imported from {outlines_cont.__path__[0]}")
"""


def run(*command: str | Path, folder: Path = ROOT) -> str:
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def agreed_version() -> str:
    """The version, if all places agree on it."""
    places = {
        "outlines_cont/__init__.py": r'^__version__ = "(.+)"$',
        "CITATION.cff": r"^version: (.+)$",
        "CHANGELOG.md": r"^## (\S+)",
    }
    versions = {}
    for place, pattern in places.items():
        match = re.search(pattern, (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE)
        versions[place] = match[1] if match else "none"
    if len({*versions.values()}) > 1:
        raise SystemExit(f"The places of the version differ: {versions}. Make them one.")
    return versions["CITATION.cff"]


def notes_of(version: str) -> str:
    """The section of the changelog on this version, without its heading and without the list of all changes."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.split(r"^## .*$|^### All changes$", text, flags=re.MULTILINE)[1].strip()
    return f"outlines_cont {version}\n\n{section}\n"


def try_file(file: Path, version: str, folder: Path) -> None:
    """Installs the file in a new environment; imports all modules, and runs the tour and README's first lines."""
    environment, elsewhere = folder / f"venv-{file.suffix[1:]}", folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    # The wheel is installed by its name, as from any folder of wheels, and with an extra.
    wanted = ["--find-links", file.parent, f"outlines_cont[{EXTRA}]=={version}"] if file.suffix == ".whl" else [file]
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", *wanted)
    print(f"{file.name}: {run(python, '-c', IMPORTS, folder=elsewhere).strip()}")
    print(f"{file.name}: {run(python, '-m', 'outlines_cont', folder=elsewhere).splitlines()[-1]}")
    [first, *_] = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    (elsewhere / "first_lines.txt").write_text(first, encoding="utf-8")
    run(python, "-m", "doctest", "first_lines.txt", folder=elsewhere)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files go (default: dist)")
    out = parser.parse_args().out
    version = agreed_version()
    if changed := run("git", "status", "--porcelain"):
        raise SystemExit(f"These files are not committed:\n{changed}Commit them, then release what is committed.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The build leaves folders behind, so it is a copy of what is committed that is built.
        run("git", "clone", "-q", ROOT, folder / "checkout")
        venv.create(folder / "builder", with_pip=True)
        builder = folder / "builder" / "bin" / "python"
        run(builder, "-m", "pip", "install", "-q", "build")
        run(builder, "-m", "build", "-o", folder / "dist", folder / "checkout")
        files = sorted((folder / "dist").iterdir())
        if len(files) != 2 or not all(f"-{version}" in file.name for file in files):
            raise SystemExit(f"built {[file.name for file in files]}: a wheel and an sdist of {version} were wanted")
        for file in files:
            try_file(file, version, folder)
        out.mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, out)
    notes = out / f"notes-{version}.md"
    notes.write_text(notes_of(version), encoding="utf-8")
    sums = [f"{hashlib.sha256((out / file.name).read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (out / SUMS).write_text("".join(sums), encoding="utf-8")
    print(f"{out} has {', '.join(file.name for file in files)}, {SUMS} and {notes.name}. The tag:")
    print(f"    git tag -a v{version} --cleanup=whitespace -F {notes}")


if __name__ == "__main__":
    sys.exit(main())
