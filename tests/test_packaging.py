"""The wheel: built from this checkout, installed beside nothing else, and run from somewhere else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from cases import nightly
from transformers.utils import import_utils

ROOT = Path(__file__).parent.parent
PACKAGES = {"outlines_cont": ROOT / "outlines_cont", "fsm": ROOT / "fsm", "kernels": ROOT / "kernels"}
MEGABYTE = 1_000_000

# What transformers imports of the real `kernels`, whatever that is: every name makes decorators that do nothing.
STUB = """
class Decorator:
    def __call__(self, decorated):
        return decorated
class Maker:
    def __call__(self, *args, **kwargs):
        return Decorator()
    def __getattr__(self, name):
        return None
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Maker()
"""


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command in a folder, with nothing of this process's Python path; its output, or a failure that shows it."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV_", "PYTEST_"))}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@dataclass
class Installed:
    """A fresh environment that holds the wheel. Heavy dependencies are borrowed from the environment of the tests."""

    wheel: Path
    python: Path
    site: Path
    checkout: Path  # the copy that was built
    elsewhere: Path  # an empty folder


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Installed:
    base = tmp_path_factory.mktemp("packaging")
    # Building leaves `build/` and `*.egg-info` behind, so it is a copy that is built.
    checkout, elsewhere = base / "checkout", base / "elsewhere"
    ignore = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, checkout, symlinks=True, ignore=ignore)
    elsewhere.mkdir()
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", base, "."]
    run(build, checkout)
    (wheel,) = base.glob("*.whl")
    venv.create(base / "venv", with_pip=False)
    python = base / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel], elsewhere)
    site = Path(run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], elsewhere).strip())
    # A path in a .pth file comes after the environment's own packages, and .pth files behind it are not read: an
    # editable install of this checkout over there is not seen here.
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    return Installed(wheel, python, site, checkout, elsewhere)


def test_every_file_is_in_the_wheel_and_nothing_else(installed):
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    want = set()
    for name, folder in PACKAGES.items():
        inside = "outlines_cont" if name == "outlines_cont" else f"outlines_cont/{name}"
        for path in folder.rglob("*"):
            if (
                path.suffix in {".py", ".typed", ".json", ".safetensors", ".md", ".ll"}
                and "__pycache__" not in path.parts
            ):
                want.add(f"{inside}/{path.relative_to(folder).as_posix()}")
    assert {name for name in names if ".dist-info/" not in name} == want
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert "outlines_cont/py.typed" in names


def test_sizes(installed):
    assert installed.wheel.stat().st_size <= 10 * MEGABYTE
    sizes = {info.filename: info.file_size for info in zipfile.ZipFile(installed.wheel).infolist()}
    model = {
        name: size for name, size in sizes.items() if name.startswith("outlines_cont/tiny/") and name[-3:] != ".py"
    }
    assert {"outlines_cont/tiny/config.json", "outlines_cont/tiny/tokenizer.json"} < model.keys()
    assert "outlines_cont/tiny/model.safetensors" in model
    assert sum(model.values()) <= 8 * MEGABYTE


def test_the_wheel_is_what_is_imported(installed):
    code = (
        "import importlib, json, sys\n"
        "names = json.loads(sys.argv[1])\n"
        "print(json.dumps([importlib.import_module(name).__file__ for name in names]))"
    )
    modules = []
    for name, folder in PACKAGES.items():
        inside = "outlines_cont" if name == "outlines_cont" else f"outlines_cont.{name}"
        for path in folder.rglob("*.py"):
            # (those for lm-eval and TRL say that they are missing: test_lm_eval.py, test_trl.py)
            if path.name not in ("__main__.py", "trl.py") and path.parent.name != "lm_eval":
                modules.append(".".join([inside, *path.relative_to(folder).with_suffix("").parts]))
    assert len(modules) > 80
    found = json.loads(run([installed.python, "-c", code, json.dumps(modules)], installed.elsewhere))
    for path in found:
        assert Path(path).is_relative_to(installed.site / "outlines_cont")


def test_it_runs_from_anywhere(installed, tmp_path, monkeypatch):
    """And writes nothing: neither to the user's cache, nor beside the package."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = {path for path in installed.site.glob("outlines_cont/**/*") if path.suffix != ".pyc"}
    assert run([installed.python, "-m", "outlines_cont"], installed.elsewhere).strip()
    after = {path for path in installed.site.glob("outlines_cont/**/*") if path.suffix != ".pyc"}
    assert not [*tmp_path.iterdir()] and {path.name for path in after - before} <= {"__pycache__"}


@pytest.mark.parametrize("place", ["elsewhere", nightly("checkout")])
def test_the_kernels_package_of_others_is_left_alone(installed, place, tmp_path):
    """transformers imports a package named `kernels` where one is installed; ours must not be taken for it."""
    number = getattr(import_utils, "KERNELS_MIN_VERSION", "0.11.0")  # of the transformers that is borrowed
    stub, info = tmp_path / "kernels", tmp_path / f"kernels-{number}.dist-info"
    stub.mkdir()
    info.mkdir()
    (stub / "__init__.py").write_text(f"__version__ = {number!r}\n{STUB}")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: kernels\nVersion: {number}\n")
    (info / "INSTALLER").write_text("test\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "import kernels, transformers\n"
        "from transformers.utils.import_utils import is_kernels_available\n"
        f"assert kernels.__file__.startswith({str(tmp_path)!r}), kernels.__file__\n"
        "assert is_kernels_available()\n"
        "from outlines_cont import tiny\n"
        "from outlines_cont.kernels import bitmask\n"
        "model = transformers.AutoModelForCausalLM.from_pretrained(tiny.PATH)\n"
        "print(model.num_parameters())"
    )
    assert int(run([installed.python, "-c", code], getattr(installed, place))) > 0


def test_no_folder_here_is_an_importable_kernels():
    """See the comment in pyproject.toml."""
    for name in ("fsm", "kernels"):
        assert not (ROOT / name / "__init__.py").exists()
        assert not (ROOT / "tests" / name).exists()
