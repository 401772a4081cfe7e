"""States that were written somewhere, read again under a model: of files, of bytes, of files."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from outlines_cont.arguments import flag, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.rescore import without_scores
from outlines_cont.state.state import SequenceState
from outlines_cont.storage import files
from outlines_cont.store.of_states import NO_COPIES, copies_of, restored
from outlines_cont.waiting import told


def load_state(path: str | Path, model: LanguageModel) -> SequenceState:
    """Read a saved state.

    The loaded state equals the saved one; otherwise a `CorruptStateError` says what is wrong, and where. The constraint
    of a span is compiled only when it is first needed, for example by `html` or `rescore`, so errors in it are raised
    then. ValueError if the model's vocabulary is not the one that the state was saved with. If the model has other
    parameters, log-probabilities are NaN until `rescore()`. Captures of json and format spans are plain values, because
    a file holds no classes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     model.state("The sky is").save(f"{folder}/sky.safetensors")
    ...     oc.load_state(f"{folder}/sky.safetensors", model).identical(model.state("The sky is"))
    True
    """
    _check_model(model, "load_state(path, model)")
    with told("reading {}", path):
        return _under(model, files.read(path, model.vocabulary))


def to_bytes(state: SequenceState, kv: bool = False) -> bytes:
    """A state as bytes, those that `state.save(path, kv)` writes to a file; `from_bytes(data, model)` reads them.

    >>> state = model.state("The sky is")
    >>> oc.storage.from_bytes(oc.storage.to_bytes(state), model) == state
    True
    """
    if not isinstance(state, SequenceState):
        raise TypeError(f"to_bytes(state) takes a SequenceState, not {shown(state)}")
    copies = copies_of(state.model, state.rows) if flag(kv, "kv") else NO_COPIES
    model = state.model
    return b"".join(files.pieces_of(state.rows, state.shape[1], model.vocabulary, model.identity, copies))


def from_bytes(data: bytes | bytearray | memoryview, model: LanguageModel) -> SequenceState:
    """Read a state from the bytes of `to_bytes`, as `load_state` reads one from a file.

    >>> data = oc.storage.to_bytes(model.state("The sky is"))
    >>> oc.storage.from_bytes(data, model).identical(model.state("The sky is"))
    True
    """
    _check_model(model, "from_bytes(data, model)")
    if not isinstance(data, (bytes, bytearray, memoryview)):
        instead = "; load_state(path, model) reads a file" if isinstance(data, (str, Path)) else ""
        raise TypeError(f"from_bytes(data, model) takes bytes first, not {shown(data)}{instead}")
    return _under(model, files.read_bytes(bytes(data), model.vocabulary))


def unpickling(model: LanguageModel) -> AbstractContextManager[Any]:
    """Set a model for this process: states with its vocabulary can then be pickled, and are read with it.

    The setting holds from the call on, in all threads, or, with `with oc.storage.unpickling(model):`, until the end of
    the block. In a pool, each process calls it once, in its initializer. If several models are set, a state is read
    with the one that has its vocabulary and its parameters; otherwise with the last one set that has its vocabulary
    (log-probabilities are then NaN).

    If no model with its vocabulary is set, reading a state raises a ValueError, and pickling one a TypeError.

    >>> import pickle
    >>> state = model.state("The sky is")
    >>> with oc.storage.unpickling(model):
    ...     pickle.loads(pickle.dumps(state)).identical(state)
    True
    """
    _check_model(model, "unpickling(model)")
    reader = files.StateReader(model, from_bytes)
    files.set_reader(reader)
    end = ExitStack()
    end.callback(files.take_back, reader)
    return end


def _check_model(model: Any, called: str) -> None:
    if not hasattr(model, "vocabulary"):
        place = "second" if "," in called else "first"
        raise TypeError(f"{called} takes a Model {place}, not {type(model).__name__}")


def _under(model: LanguageModel, saved: files.SavedState) -> SequenceState:
    """What was saved, as a state of this model."""
    claims = restored(model, saved.rows, saved.copies, saved.name)
    same = saved.identity == model.identity
    rows = saved.rows if same else [[without_scores(row) for row in group] for group in saved.rows]
    state = SequenceState(model, [[model.claimed(row) for row in group] for group in rows], samples=saved.samples)
    del claims  # until now they kept what was restored alive
    return state
