"""Starts a script on several ranks, as torchrun does, always under a time limit, and leaves no process behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class RankEnd:
    """How one rank ended: its exit code, and what it printed."""

    code: int
    text: str


def run_ranks(count: int, *arguments: str, limit: float = 300.0) -> list[RankEnd]:
    """Run a script of this folder with its arguments on so many ranks. AssertionError after `limit` seconds."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    shared = {"WORLD_SIZE": str(count), "MASTER_ADDR": "localhost", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    shared["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(ROOT / "tests" / arguments[0]), *arguments[1:]]
    processes: list[subprocess.Popen[str]] = []
    end = time.monotonic() + limit
    try:
        for rank in range(count):
            environment = {**os.environ, **shared, "RANK": str(rank), "LOCAL_RANK": str(rank)}
            pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            processes.append(subprocess.Popen(command, env=environment, cwd=ROOT, **pipes))  # type: ignore[call-overload]
        texts = [each.communicate(timeout=max(0.1, end - time.monotonic()))[0] for each in processes]
    except subprocess.TimeoutExpired:
        for each in processes:
            each.kill()
        texts = [each.communicate()[0] for each in processes]
        raise AssertionError(f"ranks that did not end in {limit:g} s: {texts}") from None
    finally:
        for each in processes:
            each.kill()
            each.wait()
    return [RankEnd(each.returncode, text) for each, text in zip(processes, texts, strict=True)]
