"""More than one process: what a fork copies is whole, and what belongs to one process says so when it is pickled.

A fork copies the memory as it stands, but of all threads only the one that forks. What another thread was changing
would stay half changed in the child, and its locks would be held there for ever. So a fork waits until no thread holds
a lock of ours, and keeps them all while the memory is copied.

And of Python's garbage collector, which a process has one of, for all of its threads.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar
from weakref import WeakValueDictionary

L = TypeVar("L")
T = TypeVar("T")

_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by id


class _Kept(threading.local):
    """The locks that this thread has taken for its fork: another one may fork at the same time."""

    def __init__(self) -> None:
        self.locks: set[Any] = set()


_kept = _Kept()


def whole_at_fork(lock: L) -> L:
    """The lock. A fork of the process waits for it, so that what it guards is whole in the child, and the lock open."""
    _locks[id(lock)] = lock
    return lock


def _keep_all() -> None:
    """Take all locks. A thread that holds one may wait for another, or fork: so this waits only while it has none."""
    while missing := [lock for ref in _locks.valuerefs() if (lock := ref()) is not None and lock not in _kept.locks]:
        for lock in missing:
            if not lock.acquire(blocking=False):
                _open_all()
                lock.acquire()
                _kept.locks.add(lock)
                break
            _kept.locks.add(lock)


def _open_all() -> None:
    while _kept.locks:
        _kept.locks.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_keep_all, after_in_parent=_open_all, after_in_child=_open_all)


class ProcessBound:
    """An object of the process that made it: pickling or copying it is a TypeError that says what to do instead."""

    __slots__ = ()
    _instead: ClassVar[str]

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} is neither pickled nor copied: {self._instead}")


class ProcessBoundValue(ProcessBound):
    """A value of the process that made it: pickling it is a TypeError; nothing changes it, so its copies are itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"{type(self).__name__} is not pickled, it belongs to its process: {self._instead}")


_turns: dict[str, list[bool]] = {}  # "now": of the one who holds the collector off, whether it was on


def uncollected(work: Callable[..., T], *arguments: Any) -> T:
    """What a function gives. The garbage collector waits until then, unless somebody has switched it off already.

    While much is made that stays, it finds nothing, and takes as long as the work. Of several threads one holds it off,
    and the others do not prolong that: it has its turn between any two such pieces of work, and is on after each.
    """
    if not gc.isenabled():
        return work(*arguments)
    turn = [False]
    try:
        if _turns.setdefault("now", turn) is turn:
            turn[0] = gc.isenabled()
            gc.disable()
        return work(*arguments)
    finally:
        if "now" in _turns and _turns["now"] is turn:  # no calls: Ctrl-C may come after each
            del _turns["now"]
        if turn[0]:
            gc.enable()


def _collect_again() -> None:
    """In a fork: the thread that held the collector off may not have come along."""
    if [True] in _turns.values():
        gc.enable()
    _turns.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_collect_again)
