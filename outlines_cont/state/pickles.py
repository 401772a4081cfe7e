"""States in pickles: the models that a process has set for reading them, and which of these reads one.

A pickle holds no model. So a process says which of its models pickled states are to be read under; it says so for all
of its threads, since pools of processes read what they are sent in threads of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.processes import whole_at_fork


class StateReader(NamedTuple):
    """A model, and what reads the bytes of a state under it."""

    model: LanguageModel
    read: Callable[[bytes, LanguageModel], Any]


_readers: tuple[StateReader, ...] = ()  # of this process, the one that was set last first
_lock = whole_at_fork(threading.Lock())


def set_reader(reader: StateReader) -> None:
    """From now on pickled states may be read by this one."""
    global _readers
    with _lock:
        _readers = (reader, *_readers)


def take_back(reader: StateReader) -> None:
    """Undo one `set_reader`."""
    global _readers
    with _lock:
        place = next(place for place, each in enumerate(_readers) if each is reader)
        _readers = (*_readers[:place], *_readers[place + 1 :])


def is_set(vocabulary: Vocabulary) -> bool:
    """Whether this process reads pickled states of this vocabulary."""
    return any(reader.model.vocabulary == vocabulary for reader in _readers)


def unpickled(vocabulary: str, identity: str, data: bytes) -> Any:
    """What pickles call: a state under the model that was set last, among those of its vocabulary; first come those
    that also have its parameters.

    vocabulary, identity: the fingerprint of the vocabulary, and the identity of the model, that it was pickled under.
    """
    readers = _readers
    right = "oc.unpickling(model) sets one; in a pool of processes, in the initializer of each"
    if not readers:
        raise ValueError(f"a pickled state is read under a model, and none is set in this process: {right}")
    fitting = [reader for reader in readers if reader.model.vocabulary.fingerprint == vocabulary]
    if not fitting:
        models = ", ".join(repr(reader.model) for reader in readers)
        raise ValueError(
            f"a state was pickled under another vocabulary than the models set here have: {models}; {right}"
        )
    reader = fitting[0]
    if len(fitting) > 1:
        reader = next((each for each in fitting if each.model.identity == identity), reader)
    return reader.read(data, reader.model)
