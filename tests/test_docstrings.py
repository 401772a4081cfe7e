"""Every public object says what it does and shows it, and what the docstrings show is what happens."""

from __future__ import annotations

import ast
import doctest
import importlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import outlines_cont as oc
import outlines_cont.fsm
import outlines_cont.kernels
from outlines_cont.decode.stream import Streamed
from outlines_cont.fsm import guide
from outlines_cont.state.indexing import CharacterView
from outlines_cont.state.keys_and_values import KeysAndValues
from outlines_cont.state.particles import WeighedSamples
from outlines_cont.train.completions import KeptDraws

CLASSES = (
    oc.SequenceState,
    Streamed,
    oc.Model,
    oc.Step,
    oc.Chain,
    oc.generate.Generator,
    oc.stepping.Frontier,
    oc.steer.Draw,
)
CLASSES += (oc.steer.Writing, oc.types.Partial, oc.Mix, oc.steer.Hooks, CharacterView, KeysAndValues, KeptDraws)
CLASSES += (WeighedSamples, guide.AutomatonGuide)
METHODS = (FunctionType, property, cached_property, classmethod, staticmethod)


def docstrings() -> Iterator[Any]:
    """The docstrings that have examples: module, place in it, text, line."""
    for package in (outlines_cont, outlines_cont.fsm, outlines_cont.kernels):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            module = ".".join([package.__name__, *path.relative_to(folder).with_suffix("").parts])
            module = module.removesuffix(".__init__")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                    text, line = ast.get_docstring(node), getattr(node, "lineno", 1)
                    if text and ">>> " in text:
                        name = f"{module}.{getattr(node, 'name', '')}"
                        yield pytest.param(module, name, text, line, id=f"{name}:{line}")


@pytest.fixture(scope="module")
def model() -> oc.Model:
    return oc.load()


@pytest.mark.parametrize("module, name, text, line", list(docstrings()))
def test_examples_give_what_stands_below_them(module: str, name: str, text: str, line: int, model: oc.Model) -> None:
    for library in ("matplotlib", "lm_eval", "pandas", "integrations.trl"):
        if library in text:
            pytest.importorskip(library.rpartition(".")[2])
    # those of `fsm` make their own vocabularies, with what is there
    there = vars(importlib.import_module(module)) if ".fsm." in module else {}
    found = doctest.DocTestParser().get_doctest(text, {**there, "oc": oc, "model": model}, name, module, line)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found)
    assert results.attempted and not results.failed


def public() -> Iterator[tuple[str, Any]]:
    for name in oc.__all__:
        yield name, getattr(oc, name)
    for module in (oc.errors, oc.grafts, oc.scores, oc.steer, oc.stepping, oc.storage, oc.train, oc.types):
        yield from ((f"{module.__name__}.{name}", getattr(module, name)) for name in module.__all__)
    for module, kind in ((oc.generate, oc.generate.Generator), (oc.samplers, object), (guide, guide.AutomatonGuide)):
        for name, value in vars(module).items():
            home = getattr(value, "__module__", None) or ""
            own = isinstance(value, FunctionType) and home.startswith(module.__name__) and not name.startswith("_")
            if own and (kind is object or str(value.__annotations__["return"]).startswith(kind.__name__)):
                yield f"{module.__name__}.{name}", value
    for cls in CLASSES:
        yield cls.__name__, cls
        bases = [base for base in reversed(cls.__mro__) if base.__module__.startswith(outlines_cont.__name__)]
        members = {name: value for base in bases for name, value in vars(base).items()}
        for name, value in members.items():
            if name == "__call__" or (not name.startswith("_") and isinstance(value, METHODS)):
                yield f"{cls.__name__}.{name}", value


def test_every_public_object_has_a_docstring_with_an_example() -> None:
    assert [name for name, value in public() if ">>> " not in (value.__doc__ or "")] == []
    assert len(list(public())) > 130
