"""Calls of functions, counted: exact where times are noise."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import outlines_cont

T = TypeVar("T")
PACKAGE = Path(outlines_cont.__file__).parent


class Calls(NamedTuple):
    """How often functions were called.

    Attributes:
        python: those of Python, by (file, name); the file of one of ours from the package on. A generator that goes on
            counts as a call.
        c: those in C, by name.
    """

    python: Counter[tuple[str, str]]
    c: Counter[str]

    @property
    def ours(self) -> int:
        """The calls of functions of this package."""
        return sum(n for (file, _), n in self.python.items() if file.startswith(PACKAGE.name))


def counted(work: Callable[[], T]) -> tuple[T, Calls]:
    """What `work` returns, and the calls in it."""
    python: Counter[Any] = Counter()
    c: Counter[str] = Counter()

    def count(frame: Any, event: str, function: Any) -> None:
        if event == "call":
            python[frame.f_code] += 1
        elif event == "c_call":
            c[function.__name__] += 1

    before, collecting = sys.getprofile(), gc.isenabled()
    gc.collect()  # what other tests left behind is not freed, and its finalizers not counted, in the work
    gc.disable()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
        if collecting:
            gc.enable()
    c["setprofile"] -= 1
    by_name: Counter[tuple[str, str]] = Counter()
    for code, calls in python.items():
        by_name[_file(code.co_filename), getattr(code, "co_qualname", code.co_name)] += calls
    return result, Calls(by_name, +c)


def _file(path: str) -> str:
    if Path(path).is_relative_to(PACKAGE):
        return f"{PACKAGE.name}/{Path(path).relative_to(PACKAGE)}"
    return Path(path).name


def forget() -> None:
    """Drop all that this process keeps of earlier constraints; what a vocabulary keeps, `clear_caches` drops."""
    modules = [module for name, module in sys.modules.items() if name.startswith("outlines_cont.fsm.")]
    caches = {id(x): x for module in modules for x in vars(module).values() if hasattr(x, "cache_parameters")}
    for cache in caches.values():
        if cache.cache_parameters()["maxsize"]:  # others are tables
            cache.cache_clear()
