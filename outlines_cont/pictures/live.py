"""What is drawn in a notebook while somebody waits: the rows of a state, drawn anew in their place."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from outlines_cont.pictures.protocol import DrawnState
from outlines_cont.pictures.rows import page
from outlines_cont.pictures.text import one_line

ROWS, TOKENS = 8, 60  # what is shown while it is written
FINAL_TOKENS = 120
SELDOM = 0.25  # seconds between two drawings, at least
IDLE = 9  # times as long as a drawing took nothing is drawn after it
BYTES_A_SECOND = 400_000  # a notebook's server takes a million from all cells together


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
        html = str(page(drawn, ROWS, TOKENS if line else FINAL_TOKENS))
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
