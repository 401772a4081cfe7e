"""A mark around changes of shared data, so that a change that was cut short does not go unnoticed.

An interrupt or a failed allocation may strike at any line. A change that does not end leaves the mark open; the next
change finds it, and drops the data.
"""

from __future__ import annotations

from collections.abc import Callable


class Torn(Exception):
    """The tree was dropped, because an interrupt or an error had cut a change of it short: try again with a new one."""


class ChangeGuard:
    """`with lock, guard:` around every change. `on_torn` is called at the next change after one that was cut short."""

    def __init__(self, on_torn: Callable[[], None]):
        self._open, self._on_torn = False, on_torn

    def __enter__(self) -> None:
        if self._open:
            self._on_torn()
        self._open = True

    def __exit__(self, kind: object, *_: object) -> None:
        self._open = kind is not None
