"""What is drawn in a notebook while somebody waits: a picture that is drawn anew in its place, and bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from time import perf_counter
from typing import Any

from outlines_cont.display.page import page
from outlines_cont.display.protocol import DrawnState
from outlines_cont.display.text import one_line
from outlines_cont.waiting import bar_stream

ROWS, TOKENS = 8, 60  # what is shown while it is written
FINAL_TOKENS = 120
SELDOM = 0.25  # seconds between two drawings, at least
IDLE = 9  # times as long as a drawing took nothing is drawn after it
BYTES_A_SECOND = 400_000  # a notebook's server takes a million from all cells together


def notebook_shell() -> Any:
    """IPython's shell, if it is that of a notebook's kernel; else None."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if hasattr(shell, "kernel") else None


@contextmanager
def bars_beside_results() -> Iterator[None]:
    """In a notebook, the bars that others draw in this context on stderr have no red background either."""
    if (stream := bar_stream()) is not sys.stdout:
        yield
        return
    with redirect_stderr(stream):
        yield


class LiveRows:
    """The rows of a state in a notebook, drawn anew in their place: not more often than they can be drawn and sent."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._next = 0.0

    @property
    def due(self) -> bool:
        """Whether it is time to draw again."""
        return perf_counter() >= self._next

    def draw(self, state: Callable[[], DrawnState], line: Callable[[], str] | None = None) -> None:
        """Draw a state. line: what stands above it while it is written; without one it is the last drawing."""
        began = perf_counter()
        drawn = state()
        html = str(page(drawn, ROWS, TOKENS if line else FINAL_TOKENS, False))
        if line is not None:
            html = f'<div style="font-variant-numeric:tabular-nums">{line()}</div>{html}'
        bundle = {"text/html": html, "text/plain": one_line(drawn)}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)
        took = perf_counter() - began
        self._next = perf_counter() + max(SELDOM, IDLE * took, len(html) / BYTES_A_SECOND)
