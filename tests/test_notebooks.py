"""The notebooks run, and give what is stored in them. Those of the real model are tried by `pytest --real`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import KernelManager, start_new_kernel
from nbclient import NotebookClient
from real_model import VARIABLE

ROOT = Path(__file__).parent.parent
EACH = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
OF_THE_REAL_MODEL = [path for path, text in EACH.items() if VARIABLE in text]
NOTEBOOKS = [path for path in EACH if path not in OF_THE_REAL_MODEL]
DIGITS = 5  # of numbers in pictures, and of those that are printed, machines agree on so many


def said(cell: nbformat.NotebookNode) -> list[str]:
    """What a cell printed, then what else it gave as plain text, and which pictures."""
    assert all(output.output_type != "error" for output in cell.outputs)
    printed = _unhurried("".join(output.text for output in cell.outputs if output.get("name") == "stdout"))
    data = [output.data for output in cell.outputs if "data" in output]
    return [
        _rounded(_unhurried(printed)),
        *(_rounded(given["text/plain"]) + " as " + ", ".join(sorted(given)) for given in data),
    ]


def _unhurried(printed: str) -> str:
    """Without what is shown to those who wait, which depends on how fast the machine is: bars, and lines that say what
    takes long. A carriage return begins its line anew."""
    lines = [line.rpartition("\r") for line in printed.split("\n")]
    shown = [text for _, again, text in lines if not (again and (not text.strip() or re.match(r" *\d+%\|", text)))]
    return "\n".join(line for line in shown if not re.fullmatch("outlines_cont: .* …", line))


def _rounded(text: str) -> str:
    """Sizes of pictures go with their numbers; log-probabilities with the machine, in their last digits."""
    text = re.sub(r"<Picture: [\d,]+", "<Picture: some", text)
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda number: f"{float(number[0]):.{DIGITS - 1}g}", text)


def test_what_is_shown_to_those_who_wait_is_no_answer() -> None:
    bar = "\r  0%|          | 0/1 rows [00:02, 90 tokens]\r100%|██████████| 1/1 rows [00:03, 131 tokens]\n"
    line = "outlines_cont: loading model.gguf …\n"
    assert (
        _unhurried(line + bar + "one\n" + bar[:40] + "\r" + 9 * " " + "\r" + line + "50%| two\n") == "one\n50%| two\n"
    )


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 7 and len(OF_THE_REAL_MODEL) == 3


def prepare_environment(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("OMP_NUM_THREADS", "1")  # pytest-xdist has the cores already
    patch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # transformers' own, on red, also from processes of a notebook
    # The checkout is what is tested, with the code that other tests have compiled, also where a build is installed.
    patch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    """One process for all notebooks: importing takes longer than most of what they do."""
    with pytest.MonkeyPatch.context() as patch:
        prepare_environment(patch)
        manager, client = start_new_kernel(cwd=str(ROOT / "notebooks"))
    client.stop_channels()
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_what_is_stored_in_it(path: Path, kernel: KernelManager) -> None:
    begin_anew(kernel)
    check_notebook(path, km=kernel)


def test_the_notebook_of_doubt_runs_on_the_model_that_ships_too(kernel: KernelManager, tmp_path: Path) -> None:
    """So that every change tries its calls, whose output is the real model's."""
    (tmp_path / "hf").symlink_to(ROOT / "outlines_cont" / "tiny")
    begin_anew(kernel, f"%env {VARIABLE}={tmp_path}")
    executed(ROOT / "notebooks" / "08_how_sure.ipynb", km=kernel)


def begin_anew(kernel: KernelManager, *lines: str) -> None:
    cells = [nbformat.v4.new_code_cell(line) for line in ("%reset -f", *lines)]
    NotebookClient(nbformat.v4.new_notebook(cells=cells), km=kernel).execute()


def check_notebook(path: Path, timeout: int = 240, km: KernelManager | None = None) -> None:
    for old, new in zip(nbformat.read(path, as_version=4).cells, executed(path, timeout, km).cells, strict=True):
        if old.cell_type == "code" and "timed" not in old.metadata.get("tags", []):
            assert said(old) == said(new), old.source


def executed(path: Path, timeout: int = 240, km: KernelManager | None = None) -> nbformat.NotebookNode:
    again = nbformat.read(path, as_version=4)
    NotebookClient(again, timeout=timeout, km=km, resources={"metadata": {"path": str(path.parent)}}).execute()
    outputs = [output for cell in again.cells for output in cell.get("outputs", ())]
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []  # it is shown on red
    return again
