"""The compiled engine: that what is shipped was made from the source beside it, and that no index leaves its table."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from outlines_cont.fsm.engine import layout, native

ROOT = Path(__file__).parent.parent


def builder() -> ModuleType:
    """The script that builds the engine, as a module."""
    spec = importlib.util.spec_from_file_location("build_engine", ROOT / "tools" / "engine" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_shipped_engine_was_made_from_this_source() -> None:
    made_from = native.SHIPPED.read_text(encoding="utf-8").splitlines()[0]
    assert made_from == f"; source {builder().source_hash()}", "run tools/engine/build.py, and commit what it writes"


@pytest.mark.nightly
def test_what_is_built_is_what_is_shipped(tmp_path: Path) -> None:
    """Line by line, with the version of numba that is tested."""
    code = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tools' / 'engine')!r}]; import build; "
    code += f"open({str(tmp_path / 'engine.ll')!r}, 'w').write(build.built())"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, timeout=600)
    built, shipped = (tmp_path / "engine.ll").read_text(), native.SHIPPED.read_text(encoding="utf-8")
    if built.splitlines()[1] != shipped.splitlines()[1]:
        pytest.skip(f"made with another numba: {built.splitlines()[1]}")
    assert built == shipped


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine that checks every index."""
    path = tmp_path_factory.mktemp("engine") / "checked.ll"
    command = [sys.executable, str(ROOT / "tools" / "engine" / "build.py"), "--checked", str(path)]
    subprocess.run(command, check=True, cwd=path.parent, timeout=600, capture_output=True)
    return path


@pytest.mark.nightly
def test_no_index_leaves_its_table(checked: Path) -> None:
    """The tests of masks and of grammars, random automata and vocabularies among them, on an engine that looks."""
    tests = [str(ROOT / "tests" / name) for name in ("test_machine.py", "test_grammar.py", "test_recall.py")]
    command = [sys.executable, "-m", "pytest", "-q", "-m", "quick", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {native.VARIABLE: str(checked)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.nightly
def test_the_engine_that_looks_says_what_it_sees(checked: Path) -> None:
    masks, ids = np.zeros(2, np.int32), np.array([64], np.int32)
    with pytest.raises(IndexError, match="an index of the engine lies outside its table"):
        native.CompiledEngine(checked).set_bits(masks, 2, ids, 1)


def test_places_of_a_memory_do_not_overlap() -> None:
    tables = "NODES HEAP TERMS SLOTS LEAVES STATES STATE_SLOTS ROWS CLASSES DEPTHS STACK AFTERS OUT ALIKE INPUT CHAIN"
    tables += (
        " LEAVING RESULT QUEUE BYTE FIRST TOKEN TWIN SPELLING SPELLED PARENT BEGINS EXITS EXIT_NODE EXIT_CHARS LEFT"
    )
    tables += " EXCLUDED AROUND_QUOTE"
    numbers = "ROOT LONGEST ESCAPES LACKING FAULT EPOCH TWINS DEEPEST FEW REACH SPACE DEFERRED PAUSED PAUSED_SIZE"
    numbers += " PAUSED_COUNT UNSETTLED TEXTS ANY_SPELLED ANY_NAMED"
    places = [getattr(layout, name) + i for name in tables.split() for i in range(3)]
    places += [getattr(layout, name) for name in numbers.split()]
    assert sorted(places) == list(range(layout.MEMORY))


def test_instead_of_states_there_are_numbers_of_their_own() -> None:
    names = ["DEAD", "UNKNOWN", "NEED", "PENDING", "UNSEEN", "SEEN", "SLOW"]
    assert len({getattr(layout, name) for name in names}) == len(names)
    assert max(getattr(layout, name) for name in names) < 0 and min(getattr(layout, n) for n in names) == layout.PENDING


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1, 2, 3), TypeError),
        ((1, 2, 3, "a"), TypeError),
        ((1, 2, 3, 1.5), TypeError),
        ((1, 2, 3, 2**63), OverflowError),
    ],
)
def test_entries_refuse_what_they_cannot_take(arguments: tuple, error: type[Exception]) -> None:
    with pytest.raises(error):
        native.engine().serve(*arguments)
    with pytest.raises(TypeError, match="bytes-like"):
        native.engine().set_bits(1, 1, np.zeros(1, np.int32), 1)


def test_buffers_are_given_back() -> None:
    """Also those that an entry took before it refused another argument."""
    mask = bytearray(8)
    for _ in range(3):
        with pytest.raises(TypeError):
            native.engine().set_bits(mask, 2, "no buffer", 1)
    native.engine().set_bits(mask, 2, np.array([1], np.int32), 1)
    mask.extend(b"more")  # a BufferError if somebody still looked at it
    assert mask[0] == 2


def test_without_llvmlite_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(ImportError, match="llvmlite, which cannot be loaded"):
        native.CompiledEngine()


def test_other_processors_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native.sys, "byteorder", "big")
    with pytest.raises(RuntimeError, match="64 bits, little-endian"):
        native.CompiledEngine()
    assert ctypes.sizeof(ctypes.c_void_p) == 8


def test_constraints_need_no_numba() -> None:
    code = "import sys; sys.modules['numba'] = None\n"
    code += "from outlines_cont.fsm import guide; from outlines_cont.fsm.vocabulary import Vocabulary\n"
    code += (
        "g = guide.regex('[0-9]{2}', Vocabulary([b'<eos>', b'1', b'12'], eos=[0])); assert g.mask(g.initial)[0] == 6"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=300)
