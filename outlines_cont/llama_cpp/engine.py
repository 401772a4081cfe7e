"""`LlamaCppEngine`: a model in a GGUF file behind the protocol `Engine`, computed by llama.cpp.

A node of the KV tree that branches off is a sequence of llama.cpp that shares the cells of the tokens above it, so that
nothing is computed or kept twice (`cells.py`). A pass is one call of `llama_decode` (`packed_pass.py`).
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.errors import EngineError
from outlines_cont.kv.needs import PASS_TOKENS, TokenRun
from outlines_cont.kv.pool import Torn
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.llama_cpp.cells import Cells, CellTable, Sequences
from outlines_cont.llama_cpp.context import (
    ABORTED,
    ALL_LAYERS,
    NO_ROOM,
    Context,
    ContextOptions,
    LoadedModel,
    available_memory,
    contexts,
)
from outlines_cont.llama_cpp.copies import CellCopies, Lanes
from outlines_cont.llama_cpp.gguf_file import GGUFFile
from outlines_cont.llama_cpp.known_answers import EXACT, ROUNDED, copies_fail, fails
from outlines_cont.llama_cpp.library import CACHE_TYPES, F16, F32, MOST_SEQUENCES, load_library
from outlines_cont.llama_cpp.packed_pass import BatchArrays, PackedPass
from outlines_cont.processes import ProcessBound, whole_at_fork

CELLS = 16_384  # by default
TOKENS_AT_ONCE = 512  # by default
STREAMS = 16  # by default, where every sequence has cells of its own
LOGITS_AT_ONCE = 1 << 26  # in one batch: 256 MiB
SPARE_SEQUENCES = 2  # a branch that another thread just gave back may be in the memory until the next pass
WHOLE_ROWS = 16  # at once, of a model that keeps no keys and values

T = TypeVar("T")

CacheType = Literal["auto", "f32", "f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0"]


class LlamaCppEngine(ProcessBound):
    """A causal language model in a GGUF file, computed by llama.cpp: an engine with slots.

    Args:
        file: the path of the file; of a model in several parts, the first.
        n_ctx: how many tokens all live states may have together, those that they share counted once. It is also the
            longest row, if the model was not made for shorter ones. The memory for them is taken at once.
            (`batch_invariant` divides them among the sequences.)
        n_batch: the most tokens of one batch.
        n_ubatch: the most tokens that are computed at once: 512, and 1 with `batch_invariant`, if it is None.
        n_seq_max: the most sequences, at most 256: one for each live branch of the KV tree, and some to compute with.
            A model with sliding windows has at most 128. None is as many as can be; with `batch_invariant`, 16.
        n_threads: by default as many as torch uses.
        flash_attention: True or False. It is faster with many rows, and rounds. "auto" is False for a file whose
            parameters are all float32, so that nothing is rounded that transformers does not round; else it is what
            llama.cpp takes.
        n_gpu_layers: how many layers go to the GPU, if the library can; −1 for all.
        type_k, type_v: how keys and values are stored. "auto" is "f32" for a file whose parameters are all float32,
            else "f16".
        batch_invariant: whether a row's logits depend on its tokens alone, bit for bit, and not on how they were read
            and on what was read beside them: tokens are then computed one by one, and every sequence has
            n_ctx / n_seq_max cells of its own (docs/engines.md).
        library: the path of another library of llama.cpp than the one in the wheel `xllamacpp`. Its layout must be the
            same.

    Attributes:
        file: what the file says of its model.
        n_vocab: how many logits it gives.
        eos: the tokens that end a text.
        context_length: the longest row.
        batch_invariant: as given.
        keeps: whether keys and values can be kept.
        tier: how they are kept, or the reason why they are not.
        name, lock: as of any engine.

    Raises:
        LibraryError: the library is missing, or of another layout.
        ModelFileError: the file cannot be loaded, or is no causal language model.
        EngineError: there is not enough memory for the context.
        ValueError: an option out of its range.
    """

    _instead = "load the file in each process"
    device = torch.device("cpu")  # where the logits are
    dtype = torch.float32

    def __init__(
        self,
        file: str | Path | GGUFFile,
        *,
        n_ctx: int = CELLS,
        n_batch: int = PASS_TOKENS,
        n_ubatch: int | None = None,
        n_seq_max: int | None = None,
        n_threads: int | None = None,
        flash_attention: bool | Literal["auto"] = "auto",
        n_gpu_layers: int = ALL_LAYERS,
        type_k: CacheType = "auto",
        type_v: CacheType = "auto",
        batch_invariant: bool = False,
        library: str | Path | None = None,
    ):
        self.file = file if isinstance(file, GGUFFile) else GGUFFile.read(file)
        self.file.check_settings()
        self._seen = _stamps(self.file)
        layers = _count("n_gpu_layers", n_gpu_layers, ALL_LAYERS, 1 << 16)
        self.model = LoadedModel(load_library(library), self.file.path, layers)
        self.n_vocab = self.model.n_vocab
        self._eos: Sequence[int] | None = None
        exact = all(tensor.kind == F32 for tensor in self.file.tensors)
        cells = _count("n_ctx", n_ctx, 16, 1 << 30)
        self.batch_invariant = flag(batch_invariant, "batch_invariant")
        streams = self.batch_invariant and not self.model.recurrent  # a recurrent model's rows have no cells
        most, twins = self._sequence_counts(n_seq_max, streams)
        whole = 256 * most if streams else 256  # llama.cpp gives every sequence a multiple of 256 cells
        options = ContextOptions(
            n_ctx=-(-cells // whole) * whole,
            n_batch=min(_count("n_batch", n_batch, 1, 1 << 20), -(-cells // 256) * 256),
            n_ubatch=min(_tokens_at_once(n_ubatch, self.batch_invariant), n_batch, cells),
            n_seq_max=most + twins,
            n_outputs=max(most + twins, min(n_batch, LOGITS_AT_ONCE // self.n_vocab)),
            n_threads=torch.get_num_threads() if n_threads is None else _count("n_threads", n_threads, 1, 512),
            flash_attention=_flash(flash_attention, exact),
            type_k=_cache_type("type_k", type_k, exact),
            type_v=_cache_type("type_v", type_v, exact),
            streams=streams,
        )
        self.lock = whole_at_fork(threading.RLock())
        one, more, self.slot_bytes = self._measured_states(options)
        self.context = Context(self.model, options)
        weakref.finalize(self, _close_at_exit, weakref.ref(self))  # newer than those of the context: it goes first
        longest = self.context.n_ctx // most if streams else cells
        self.context_length = min(self.model.context_length or longest, longest)
        #: How users get a larger context, if the model allows for one.
        self.larger_context = self._larger_context(longest, most if streams else 0)
        exact &= options.type_k == options.type_v == F32 and not options.flash_attention
        self._tolerance = 0 if self.batch_invariant else EXACT if exact else ROUNDED
        self._cells = self.context.n_ctx
        self._sequences = Sequences(self.model.library, self.context.memory, most, twins, streams)
        self._arrays = BatchArrays(options.n_batch, options.n_outputs, twins)
        self._copies = CellCopies(self.context, self._sequences, one, more)
        self._sequences.lanes = Lanes(self.context, self._sequences, self._copies, self.slot_bytes)
        self._broken = False  # a pass was cut short, and nobody has cleaned up
        reason = "it is recurrent" if self.model.recurrent else fails(self, self._tolerance, str(self.file.path))
        self.keeps = not reason
        self.tier = f"recompute: {reason}" if reason else f"KV tree in {self._cells:,} cells"
        self.tier += ", batch-invariant" if self.batch_invariant else ""
        self.name = f"llama.cpp, {self.file.architecture} {self.file.file_type}"

    # --- the protocol

    def pool(self) -> Cells:
        """An empty pool for a new KV tree."""
        with self.lock:
            table = CellTable(2 * self._cells)  # a slot that was given back is free only after the next pass
            self._sequences.tables.append(table)
            return Cells(table, self.slot_bytes, self._cells, self._bounds)

    def forward(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        """The logits `[wanted, V]` after the wanted tokens of the runs, parents first, and how many batches it took.

        The tokens of runs that are stored are in the memory afterwards.

        Raises:
            EngineError: llama.cpp failed. Nothing of the pass is in the memory.
        """

        def passed() -> tuple[Tensor, int]:
            wanted = sum(len(run.marks) if len(run.marks) < 2 else len(run.wanted_tokens()) for run in runs)
            packed = self._packed(tree, runs, torch.empty(wanted, self.n_vocab, dtype=self.dtype))
            packed.run(runs)
            return packed.logits, packed.batches

        return self._changed(passed)

    def kv_layout(self) -> str:
        """All that keys and values depend on besides the file and the tokens: the library, what it computes with, and
        how it stores them.

        ValueError, with the reason, if they cannot be copied exactly: that is tried when it is first asked for.
        """
        with self.lock:
            if reason := self._copies_fail:
                raise ValueError(f"the keys and values of {self.file.path} cannot be copied: {reason}")
            return self._layout

    def copied(self, tree: Tree, slots: np.ndarray) -> dict[str, Tensor]:
        """The keys and values in slots, int64 `[n]`, whose tokens stand one after the other in a row: uint8 `[bytes]`,
        as llama.cpp writes them."""
        return self._changed(lambda: self._copies.copied(_table_of(tree), slots))

    def put(self, tree: Tree, run: TokenRun, copies: dict[str, Tensor], start: int) -> None:
        """Fill the slots of a run with `copied` keys and values, of which the first `start` tokens stand above it.

        Raises:
            ValueError: copies of another form.
            ContextFull: there is no room for what else was copied with them, which is needed meanwhile.
            EngineError: llama.cpp did not take them. Nothing of them is in the memory.
        """
        pieces, end = self._copies.pieces(run.depth - start, copies), run.depth + len(run.ids)

        def put(into: int) -> None:
            self._copies.put(into, pieces, run.depth, end, self._room())

        self._changed(lambda: self._packed(tree, [run]).place(run, put))

    def version(self) -> int:
        """Always the same: the parameters of a file do not change."""
        return 0

    def identity(self) -> str:
        """A digest of all bytes of the file, which is read for it when it is first asked for."""
        return self._digest

    @property
    def eos(self) -> Sequence[int]:
        """The tokens that end a text; if nobody has set them, those that llama.cpp takes for such."""
        if self._eos is None:  # each token is asked about, which takes a while
            self._eos = [token for token in range(self.n_vocab) if self.model.ends(token)]
        return self._eos

    @eos.setter
    def eos(self, ids: Sequence[int]) -> None:
        self._eos = ids

    # --- within

    def _changed(self, change: Callable[[], T]) -> T:
        """Change the memory: what is cut short at any line is undone, at the latest before the next change."""
        with self.lock:
            if self._broken:
                self._repair()
            self._broken = True
            try:
                self._sequences.forget()
                result = change()
            except BaseException:
                self._repair()
                raise
            self._broken = False
            return result

    def _packed(self, tree: Tree, runs: Sequence[TokenRun], logits: Tensor | None = None) -> PackedPass:
        logits = torch.empty(0) if logits is None else logits
        return PackedPass(self._sequences, _table_of(tree, runs), self._arrays, self._decode, self._room(), logits)

    def _room(self) -> int:
        """How many cells are for nobody's slots."""
        return self._cells - sum(each.used for each in self._sequences.tables)

    @cached_property
    def _layout(self) -> str:
        options, library = self.context.options, self.model.library
        stretched = any(tensor.name.startswith("rope_factors_long") for tensor in self.file.tensors)
        facts = {
            "library": library.digest,
            "computes with": library.llama_print_system_info().decode(errors="replace"),
            "gpu layers": self.model.gpu_layers,
            "keys": options.type_k,
            "values": options.type_v,
            "flash attention": options.flash_attention,
            "context": self._cells if stretched else "any",  # such models turn keys by it
        }
        return "; ".join(["llama.cpp", *(f"{name} {value}" for name, value in facts.items())])

    @cached_property
    def _copies_fail(self) -> str:
        return copies_fail(self, self._tolerance) if self.keeps else self.tier

    @cached_property
    def _digest(self) -> str:
        if _stamps(self.file) != self._seen:
            raise ValueError(
                f"{self.file.path} was changed after it was loaded: its digest would be that of other parameters"
            )
        return self.file.digest

    def _bounds(self, table: CellTable) -> tuple[int, int]:
        """How many slots and how many nodes the tree of a table may have now."""
        sequences = self._sequences
        others = [each for each in sequences.tables if each is not table and not each.closed]
        slots = self._cells - sum(each.used for each in others)
        used = len({number for each in others for number in each.sequence[each.computed()].tolist()})
        return max(0, slots), max(0, sequences.most - SPARE_SEQUENCES - used)

    def _decode(self, arrays: BatchArrays) -> int:
        """Compute a batch: where its logits are."""
        library, lanes = self.model.library, self._sequences.lanes
        context = lanes.context if arrays is lanes.arrays else self.context
        result = context.decode(arrays.batch)
        if result == NO_ROOM:  # what was given back meanwhile may make room
            self._sequences.forget(in_a_pass=True)
            result = context.decode(arrays.batch)
        if result:
            raise EngineError(self._problem(result, arrays.batch.n_tokens))
        return library.llama_get_logits(context.pointer) if arrays.outputs else 0

    def _problem(self, result: int, tokens: int) -> str:
        """What went wrong, for users."""
        cause = self.model.library.errors()
        if result == NO_ROOM:
            return f"no room for {tokens} more tokens in n_ctx={self._cells}, which is what all states have together"
        if result == ABORTED:
            return f"the pass of {tokens} tokens was stopped"
        return f"llama.cpp failed in a pass of {tokens} tokens (code {result}{f': {cause}' if cause else ''})"

    def _repair(self) -> None:
        """After a pass that did not end: its tokens leave the memory."""
        self._arrays.clear()
        self._sequences.repair()
        self._broken = False

    def _sequence_counts(self, n_seq_max: Any, streams: bool) -> tuple[int, int]:
        """How many sequences there are, and how many twins of them."""
        most = STREAMS if self.batch_invariant else MOST_SEQUENCES
        most = most if n_seq_max is None else _count("n_seq_max", n_seq_max, 4, MOST_SEQUENCES)
        if self.model.recurrent:
            return min(most, WHOLE_ROWS), 0
        twins = min(most, MOST_SEQUENCES // 2) if self.model.window and not streams else 0
        return twins or most, twins

    def _larger_context(self, longest: int, rows: int) -> str:
        if longest >= self.model.context_length:
            return ""
        fewer = f" or a smaller n_seq_max ({rows} rows share the cells)" if rows else ""
        return f"load the file with a larger n_ctx{fewer}"

    def _measured_states(self, options: ContextOptions) -> tuple[int, int, int]:
        """Bytes of the saved state of one token, and of each further one; and of the keys and values of a token, which
        are multiples of 32. EngineError if there is no memory for all.

        llama.cpp fills what it takes, so that a system may end the process that takes too much.
        """
        if self.model.recurrent:
            return 0, 0, 0
        small = replace(options, n_ctx=256, n_batch=16, n_ubatch=16, n_seq_max=1)
        one, more = Context(self.model, small).state_sizes()
        size = more - more % 32  # the state has a few bytes more of each cell
        memory, needed = available_memory(), size * options.n_ctx
        if memory is not None and needed > memory and not self.model.library.llama_supports_gpu_offload():
            raise EngineError(
                f"n_ctx={options.n_ctx} needs {needed >> 20:,} MiB for keys and values, {size:,} bytes for each token, "
                f"and {memory >> 20:,} MiB are free: give a smaller n_ctx"
            )
        return one, more, size

    def __repr__(self) -> str:
        return f"LlamaCppEngine({self.name}, {self.tier})"


def _close_at_exit(engine: weakref.ref[LlamaCppEngine]) -> None:
    """When the interpreter exits, daemon threads still run, and the library's memory is freed: they must not be in it.

    So the engine's lock is taken, and never opened again. (An engine that is gone is in no thread's hands.)
    """
    if (alive := engine()) is not None:
        alive.lock.acquire()


def _on_one_thread() -> None:
    """Threads do not live on in a child, where the library would wait for them for ever."""
    for context in contexts:
        context.on_one_thread()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_on_one_thread)


def _table_of(tree: Tree, runs: Sequence[TokenRun] | None = None) -> CellTable:
    """Where the tokens of a tree are. Torn if another thread has dropped it."""
    if isinstance(tree.pool, Cells):
        return tree.pool.table
    if runs is None or any(run.stored or run.depth for run in runs):
        raise Torn
    return CellTable(0)  # whole rows need none


def _stamps(file: GGUFFile) -> list[tuple[int, int]]:
    """What tells whether a file was changed: sizes, and times of the last changes."""
    return [(stat.st_size, stat.st_mtime_ns) for stat in (part.stat() for part in file.parts)]


def _count(name: str, count: Any, least: int, most: int) -> int:
    count = whole_number(count, name, f"an int from {least} to {most}")
    if not least <= count <= most:
        raise ValueError(f"{name}={count}: it must be an int from {least} to {most}")
    return count


def _tokens_at_once(n_ubatch: Any, batch_invariant: bool) -> int:
    if n_ubatch is None:
        return 1 if batch_invariant else TOKENS_AT_ONCE
    n_ubatch = _count("n_ubatch", n_ubatch, 1, 1 << 20)
    if batch_invariant and n_ubatch > 1:
        raise ValueError(f"n_ubatch={n_ubatch} and batch_invariant=True: then tokens are computed one by one")
    return n_ubatch


def _flash(value: Any, exact: bool) -> int:
    if value == "auto":
        return 0 if exact else -1
    return int(flag(value, "flash_attention"))


def _cache_type(name: str, value: Any, exact: bool) -> int:
    if value == "auto":
        return F32 if exact else F16
    if value not in CACHE_TYPES:
        raise ValueError(f"{name}={shown(value)}: it must be 'auto' or one of {', '.join(CACHE_TYPES)}")
    return CACHE_TYPES[value]
