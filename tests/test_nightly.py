"""`.ci/run` and `.ci/nightly`: what fails is a failure, and what could not run says why. The scripts run alone, in an
empty checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("bash", "cut", "date", "dirname", "env", "git", "grep", "mkdir", "rm", "tail", "tee", "timeout")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script, and a PATH without any Python or browser."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "nightly", tmp_path / ".ci")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        there = shutil.which(tool)
        if there is None:
            pytest.skip(f"there is no {tool}")
        (tmp_path / "bin" / tool).symlink_to(there)
    return tmp_path


def nightly(checkout: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    nowhere = str(checkout / "nowhere")
    environment = {"PATH": str(checkout / "bin"), "HOME": nowhere, "PYENV_ROOT": nowhere, "OUTLINES_CONT_DATA": nowhere}
    command = ["bash", str(checkout / ".ci" / "nightly"), "--quick", *parts]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, cwd=os.sep)


def python_that_prints(checkout: Path, line: str) -> None:
    """The environment's Python, in whose place is one that prints this, whatever it is asked."""
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\necho '{line}'\n", encoding="utf-8")
    python.chmod(0o755)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("schemas", "no data"),
        ("processors", "no data"),
        ("pythons", "no python3.12: install one"),
        ("site", "no chromium"),
    ],
)
def test_a_part_that_could_not_run_is_a_failure_that_says_why(checkout: Path, part: str, why: str) -> None:
    run = nightly(checkout, part)
    last = run.stdout.splitlines()[-1]
    assert run.returncode == 1 and last.startswith(part) and "NOT RUN" in last and why in last, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("3 skipped in 0.01s", "NOT RUN"),
        ("=== 3 skipped, 5 deselected in 0.01s ===", "NOT RUN"),
        ("2 passed, 1 skipped", "ok"),
    ],
)
def test_a_part_all_of_whose_tests_were_skipped_did_not_run(checkout: Path, line: str, outcome: str) -> None:
    python_that_prints(checkout, line)
    run = nightly(checkout, "types")
    assert run.stdout.splitlines()[-1].split("types", 1)[1].strip().startswith(outcome), run.stdout + run.stderr
    assert run.returncode == (outcome != "ok")


def test_a_part_that_there_is_not_is_refused(checkout: Path) -> None:
    run = nightly(checkout, "types", "tpyes")
    assert run.returncode == 2 and "no part is called tpyes; there are: install " in run.stdout
    assert "types" not in run.stdout.split("there are:")[0]


@pytest.mark.parametrize("fails", [None, "ruff", "pyright", "mkdocs", "tools.website.check", "pytest"])
def test_whatever_fails_beside_or_among_the_tests_fails_the_run(checkout: Path, fails: str | None) -> None:
    """In place of every program there is one that says how it was called, and fails if it is the one."""
    shutil.copy(ROOT / ".ci" / "run", checkout / ".ci")
    programs = checkout / ".venv" / "bin"
    programs.mkdir(parents=True)
    for path in (checkout / "bin" / "python", *(programs / name for name in ("python", "pip", "ruff", "mkdocs"))):
        path.write_text(
            f'#!/bin/sh\necho "called: $0 $*"\ncase "$0 $*" in *{fails}*) exit 3;; esac\n', encoding="utf-8"
        )
        path.chmod(0o755)
    (checkout / "bin" / "cat").symlink_to(shutil.which("cat") or "")
    done = subprocess.run(
        ["bash", str(checkout / ".ci" / "run")],
        env={"PATH": str(checkout / "bin")},
        capture_output=True,
        text=True,
        timeout=60,
        cwd=os.sep,
    )
    assert (done.returncode == 0) == (fails is None), done.stdout + done.stderr
    if fails != "ruff":  # all others are tried, whichever fails
        said = done.stdout
        assert all(name in said for name in ("-m pyright", "mkdocs build", "-m pytest")), said
        assert ("== failed: " in said) == (fails is not None)
