"""A file of parameters in memory, and a context: what computes, and the cells that it keeps.

Both belong to the C library. They are freed when the last reference to the `Context` goes.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.errors import EngineError, ModelFileError
from outlines_cont.llama_cpp.library import Batch, ContextParams, Library
from outlines_cont.llama_cpp.packed_pass import BatchArrays
from outlines_cont.processes import whole_at_fork

LONG_PASS = 256  # tokens; a longer pass can be interrupted
HEARS_EVERY = 0.1  # seconds, within a long pass
NO_ROOM, ABORTED = 1, 2  # what llama_decode gives, 0 if all went well
ALL_LAYERS = -1


@dataclass(frozen=True)
class ContextOptions:
    """How much a context keeps and computes at once; see `LlamaCppEngine`."""

    n_ctx: int
    n_batch: int
    n_ubatch: int
    n_seq_max: int
    n_outputs: int
    n_threads: int
    flash_attention: int
    type_k: int
    type_v: int
    streams: bool = False  # each sequence has cells of its own, as many as the others


#: All that there are.
contexts: weakref.WeakSet[Context] = weakref.WeakSet()


class LoadedModel:
    """The parameters and the vocabulary of a file, as the library holds them.

    Raises:
        ModelFileError: the library does not load it, or it is no causal language model.
    """

    def __init__(self, library: Library, path: Path, gpu_layers: int = ALL_LAYERS):
        self.library, self.path, self.gpu_layers = library, path, gpu_layers
        params = library.llama_model_default_params()
        params.n_gpu_layers = gpu_layers
        params.check_tensors = True  # what is NaN in a file, quantized products turn into numbers
        library.errors()
        self.pointer = library.llama_model_load_from_file(os.fsencode(path), params)
        if not self.pointer:
            raise ModelFileError(_not_loaded(path, library.errors()))
        self.finalizer = weakref.finalize(self, library.llama_model_free, self.pointer)
        if library.llama_model_has_encoder(self.pointer) or library.llama_model_is_diffusion(self.pointer):
            raise ModelFileError(f"{path} is no causal language model: its rows cannot be continued")
        self.vocabulary = library.llama_model_get_vocab(self.pointer)
        self.n_vocab: int = library.llama_vocab_n_tokens(self.vocabulary)
        self.context_length: int = library.llama_model_n_ctx_train(self.pointer)
        #: How many tokens back its windows see; 0 if it has none.
        self.window: int = library.llama_model_n_swa(self.pointer)
        #: Whether it keeps a state for a whole row, and not keys and values for each token.
        self.recurrent = bool(
            library.llama_model_is_recurrent(self.pointer) or library.llama_model_is_hybrid(self.pointer)
        )

    def ends(self, token: int) -> bool:
        """Whether a token ends a text."""
        return self.library.llama_vocab_is_eog(self.vocabulary, token)


class Context:
    """A context of a model. Not thread-safe: the engine's lock guards it.

    Raises:
        EngineError: the library does not make it: too little memory, or options that the model does not allow.
    """

    def __init__(self, model: LoadedModel, options: ContextOptions):
        self.model, self.options, self.library = model, options, model.library
        library, params = model.library, self._params(options)
        library.errors()
        self.pointer = library.llama_init_from_model(model.pointer, params)
        if not self.pointer:
            cause = library.errors() or "it does not say why"
            raise EngineError(
                f"llama.cpp makes no context of n_ctx={options.n_ctx} for {model.path}: {cause}. A smaller n_ctx or "
                "n_seq_max needs less memory"
            )
        self.finalizer = weakref.finalize(self, _free, library, self.pointer, model)
        contexts.add(self)
        self._check(params)
        self.memory = library.llama_get_memory(self.pointer)
        self.n_ctx: int = library.llama_n_ctx(self.pointer)
        #: A C string: while it is not empty, passes end at once.
        self.stop = ctypes.create_string_buffer(2)
        library.llama_set_abort_callback(self.pointer, _length_of_string(), ctypes.addressof(self.stop))

    def decode(self, batch: Batch) -> int:
        """Compute a batch: what `llama_decode` gives. An interrupt ends a long pass, with all that it has computed."""
        if batch.n_tokens < LONG_PASS or threading.current_thread() is not threading.main_thread():
            return self.library.llama_decode(self.pointer, batch)
        # Python hears of a signal only in its main thread, and not within a call of C.
        work = _Work(lambda: self.library.llama_decode(self.pointer, batch))
        try:
            threading.Thread(target=work.run).start()
            while not work.done.wait(HEARS_EVERY):
                pass  # a signal that came just before a wait, or to another thread, does not end it
        except BaseException:
            _despite_interrupts(work.give_up)
            if work.begun:
                self.stop.value = b"x"
                _despite_interrupts(work.done.wait)
                self.stop.value = b""
            raise
        return work.result

    def state_sizes(self) -> tuple[int, int]:
        """Bytes of the saved state of one token, and by how much each further one lengthens it, of a context that is
        new. A token is in it afterwards."""
        library, arrays = self.library, BatchArrays(2, 1)
        arrays.add([0, 0], 0, [], [0])
        arrays.fill()
        if result := self.decode(arrays.batch):
            raise EngineError(f"llama.cpp does not compute two tokens (code {result}): {library.errors()}")
        two = library.llama_state_seq_get_size(self.pointer, 0)
        library.llama_memory_seq_rm(self.memory, 0, 1, -1)
        one = library.llama_state_seq_get_size(self.pointer, 0)
        return one, two - one

    def on_one_thread(self) -> None:
        """Compute without other threads: they do not live on in the child of a fork."""
        self.library.llama_set_n_threads(self.pointer, 1, 1)
        self.options = replace(self.options, n_threads=1)  # contexts that are made like this one

    def _params(self, options: ContextOptions) -> ContextParams:
        params = self.library.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = options.n_ctx, options.n_batch, options.n_ubatch
        params.n_seq_max, params.n_threads, params.n_threads_batch = (
            options.n_seq_max,
            options.n_threads,
            options.n_threads,
        )
        params.n_outputs_max = params.n_outputs_max_per_seq = options.n_outputs
        params.flash_attn_type, params.type_k, params.type_v = options.flash_attention, options.type_k, options.type_v
        params.kv_unified = not options.streams  # then a cell may be of many sequences
        params.swa_full = True  # what a sliding window no longer sees is kept, so that rows can be cropped
        params.no_perf = True
        return params

    def _check(self, params: ContextParams) -> None:
        """EngineError if the context is another one than was asked for: then the parameters have another layout."""
        for name in ("n_batch", "n_ubatch", "n_seq_max", "n_threads", "n_threads_batch"):
            wanted, given = getattr(params, name), getattr(self.library, f"llama_{name}")(self.pointer)
            if given != wanted:
                raise EngineError(f"llama.cpp made a context of {name}={given}, where {wanted} was asked for")
        cells, of_one = self.library.llama_n_ctx(self.pointer), self.library.llama_n_ctx_seq(self.pointer)
        share = params.n_ctx if params.kv_unified else params.n_ctx // params.n_seq_max
        if not params.n_ctx <= cells < params.n_ctx + 256 or not share <= of_one < share + 256:
            raise EngineError(
                f"llama.cpp made a context of {cells} tokens, {of_one} for one sequence, where {params.n_ctx} and "
                f"{share} were asked for"
            )


def _not_loaded(path: Path, errors: str) -> str:
    """Why the library does not load a file."""
    if damaged := re.findall(r"tensor '([^']*)' has invalid data", errors):
        more = f" and {len(damaged) - 1} more" * (len(damaged) > 1)
        return (
            f"{path}: it is damaged: the tensor {shown(damaged[0])}{more} holds numbers that are NaN or infinite, or "
            "are no numbers of its type"
        )
    return f"llama.cpp cannot load {path}: {errors or 'it does not say why'}"


def available_memory() -> int | None:
    """Bytes of the machine's memory that can be had now; None if nobody says."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        names = getattr(os, "sysconf_names", {})
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if "SC_PHYS_PAGES" in names else None


def _free(library: Library, context: Any, model: LoadedModel) -> None:
    """Free a context. The model lives until then, since this holds it."""
    library.llama_free(context)


class _Work:
    """A call in a thread of its own, which begins before it is given up, or never.

    (Whether a thread is at work is not asked of the thread: a `join` that is interrupted takes it for ended, up to
    Python 3.12.)
    """

    def __init__(self, call: Callable[[], int]):
        self.call = call
        self.result = 0
        self.begun = self.given_up = False
        self.done = threading.Event()
        self._gate = whole_at_fork(threading.Lock())

    def run(self) -> None:
        with self._gate:
            self.begun = not self.given_up
        try:
            if self.begun:
                self.result = self.call()
        finally:
            self.done.set()

    def give_up(self) -> None:
        with self._gate:
            self.given_up = True


def _despite_interrupts(call: Callable[[], Any]) -> None:
    """Call a function until it comes to its end. (Interrupts are many where somebody holds Ctrl-C.)"""
    while True:
        try:
            call()
            return
        except KeyboardInterrupt:
            continue


def _length_of_string() -> Any:
    """The address of C's `strlen`: as a function that says whether to stop, it is true for a string that is not empty.

    A Python function in its place would need the interpreter's lock for each node of the graph.
    """
    c = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
    return ctypes.cast(c.strlen, ctypes.c_void_p)
