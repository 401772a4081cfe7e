"""Passes of a model on a GPU as CUDA graphs: Python launches their kernels once, and then they are replayed.

The kernels of a decode step take the host longer to launch than the device to run. A graph launches them all at once.
It reads one buffer, into which each pass writes what is its own: token ids, positions, slots, and the work of its
attention. So passes of about one shape share a graph: their tokens are filled up with copies of the last one, and
their work with items that do nothing. Where not all keys and values are stored, some are stored several times.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from outlines_cont.engines.hf.attention_plan import AttentionPlan, WorkKey
from outlines_cont.engines.hf.parameters import side_effects
from outlines_cont.kernels.attention_work import AttentionWork, arrays_of, packed, placed, unpacked
from outlines_cont.kernels.launch import power_of_2
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree

SIZES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128)  # tokens of a graph: a pass is filled up to one of these
AT_MOST = 32  # graphs of a tree
STEPS_AHEAD = 32  # for which its memory grows at once: what moves in memory is recorded anew
MOST_STEPS_AHEAD = 256  # it grows by twice as many each time, up to these, if as much is used

# plan, token ids `[T]`, positions `[T]`, the tokens whose logits are wanted → logits `[wanted, V]`
Through = Callable[[AttentionPlan, Tensor, Tensor, list[int]], Tensor]
Replay = Callable[[], object]


@dataclass(eq=False)
class Graphs:
    """The graphs of one tree: by shape the buffer that a graph reads, what replays it, and its logits.

    keys: of the works of a pass, one for each kind of mask of the model; None before the first pass.
    seen: shapes of passes that came once; tried: those whose kernels have run.
    memory: how many slots there are, and the addresses of the keys and values, where the graphs expect them.
    """

    keys: list[WorkKey] | None = None
    seen: set[object] = field(default_factory=set)
    tried: set[object] = field(default_factory=set)
    memory: list[int] = field(default_factory=list)
    by_shape: OrderedDict[object, tuple[Tensor, Replay, Tensor]] = field(default_factory=OrderedDict)
    pool: object = None  # the memory that all of them compute in

    def reach(self, pool: Pool, ahead: int) -> bool:
        """Whether there is memory; graphs that expect it elsewhere are dropped. ahead: slots by which it grows."""
        pool.ahead = max(pool.ahead, ahead)
        pool.widen()
        memory = [pool.capacity, *(tensor.data_ptr() for pair in pool.buffers.values() for tensor in pair)]
        if memory != self.memory:
            if self.memory:
                pool.ahead = max(pool.ahead, min(2 * pool.ahead, pool.used, MOST_STEPS_AHEAD // STEPS_AHEAD * ahead))
            self.by_shape.clear()  # first: an interrupt leaves no graph of old memory
            self.memory, self.pool = memory, None  # torch ends a pool with the last of its graphs
        return bool(pool.buffers)

    def record(self, shape: object, hf: nn.Module, buffer: Tensor, run: Callable[[], Tensor]) -> None:
        """A new graph. RuntimeError where there can be none."""
        if shape not in self.tried:  # what is not compiled and loaded cannot be recorded
            run()
            self.tried.add(shape)
        _check(hf, buffer.device)
        replay, logits, self.pool = record(run, buffer.device, self.pool)
        self.by_shape[shape] = buffer, replay, logits
        if len(self.by_shape) > AT_MOST:
            self.by_shape.popitem(last=False)


_graphs: WeakKeyDictionary[Tree, Graphs] = WeakKeyDictionary()  # by tree: each stands for one setting of the model
_refused: WeakKeyDictionary[nn.Module, bool] = WeakKeyDictionary()
_streams: dict[torch.device, Any] = {}


def computed(
    hf: nn.Module,
    plan: AttentionPlan,
    ids: np.ndarray,
    wanted: list[int],
    device: torch.device,
    through: Through,
    launched: Callable[[], Tensor],
) -> Tensor:
    """The logits `[wanted, V]` of a pass of the tokens `ids`, int64 `[T]`, of which most are wanted.

    through: computes a pass; launched: computes this one.

    A shape becomes a graph when it comes for the second time. What cannot be recorded is launched kernel by kernel, as
    are passes of many tokens.
    """
    graphs = _graphs_of(plan.layout.runs[0].base[0].tree)
    size = next((size for size in SIZES if size >= len(ids)), None)
    if size is None or not graphs.keys or not len(plan.new) or hf in _refused or _watched():
        logits = launched()
        graphs.keys = [*plan.works] if graphs.keys is None else graphs.keys  # none in float64, which has no kernel
        return logits
    works = [filled(work, size) for work in map(plan.work_on_host, graphs.keys)]
    parts = [_tokens(plan, ids, wanted, size), *arrays_of(works)]
    kinds = [(*work.launches, work.outputs) for work in works]
    shape = size, plan.stored is None, torch.get_float32_matmul_precision(), *kinds, *map(len, parts)
    if shape not in graphs.seen or not graphs.reach(plan.pool, STEPS_AHEAD * len(plan.new)):
        logits = launched()
        graphs.seen.add(shape)
        return logits
    inputs = packed(parts)
    if shape not in graphs.by_shape:
        buffer = inputs.to(device)

        def run() -> Tensor:
            (ids, depths, slots, stored, _), *others = unpacked(buffer, parts)
            replayed = AttentionPlan(plan.pool, plan.layout, {device: True})
            replayed.places[device] = slots, None if plan.stored is None else stored
            replayed.given = iter(placed(works, others))
            made = through(replayed, ids, depths, [*range(size)])
            if len(replayed.works) != len(works):  # others would be copied to the device in the graph
                raise RuntimeError("its forwards do not all ask for the same attention")
            return made

        try:
            graphs.record(shape, hf, buffer, run)
        except RuntimeError as error:
            _refused[hf], reason = True, str(error).partition("\n")[0]
            message = f"{type(hf).__name__} cannot be recorded as a CUDA graph, so each step launches it anew: {reason}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            return launched()
    graphs.by_shape.move_to_end(shape)
    buffer, replay, logits = graphs.by_shape[shape]
    buffer.copy_(inputs, non_blocking=True)
    replay()
    return logits[unpacked(buffer, parts)[0][-1, : len(wanted)]]


def _tokens(plan: AttentionPlan, ids: np.ndarray, wanted: list[int], size: int) -> np.ndarray:
    """Int64 `[5, size]`: token ids, positions, slots to fill and from which tokens, lines that are wanted; repeated."""
    stored = np.arange(len(ids)) if plan.stored is None else plan.stored
    tokens = np.stack([ids, plan.depths, *(np.resize(each, len(ids)) for each in (plan.new, stored, wanted))])
    return np.pad(tokens, ((0, 0), (0, size - len(ids))), "edge")


def _graphs_of(tree: Tree) -> Graphs:
    """The graphs of a tree. Those of trees that were dropped, which claims of old states keep alive, are given up."""
    if tree not in _graphs:
        for dropped in [each for each in _graphs if each.dead]:
            del _graphs[dropped]
    return _graphs.setdefault(tree, Graphs())


def record(run: Callable[[], Tensor], device: torch.device, pool: object) -> tuple[Replay, Tensor, object]:
    """What does anew what `run` does, and the tensor that it fills. pool: the memory of graphs of which one runs at a
    time, or None for a new one, which is given."""
    with torch.cuda.device(device):
        stream = _streams.get(device) or _streams.setdefault(device, torch.cuda.Stream())
        pool = torch.cuda.graph_pool_handle() if pool is None else pool
        stream.wait_stream(torch.cuda.current_stream())
        try:
            return *_captured(run, stream, pool), pool
        except BaseException:
            # until a capture has ended well, torch's generator takes itself for captured
            _captured(partial(torch.zeros, 1, device=device), stream, torch.cuda.graph_pool_handle())
            raise


def _captured(run: Callable[[], Tensor], stream: torch.cuda.Stream, pool: Any) -> tuple[Replay, Tensor]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        graph.capture_begin(pool, capture_error_mode="thread_local")
        try:
            made = run()
        finally:
            graph.capture_end()
    return graph.replay, made


def _watched() -> bool:
    """Whether somebody counts or changes torch's calls, of which a replay makes none."""
    return torch._C._len_torch_dispatch_stack() > 0 or torch.is_autocast_enabled("cuda")


def _check(hf: nn.Module, device: torch.device) -> None:
    """RuntimeError if a replay would leave out what a forward does on the host."""
    if effects := side_effects(hf):
        raise RuntimeError(f"a replay would leave out {effects}")
    elsewhere = {tensor.device for tensor in chain(hf.parameters(), hf.buffers())} - {device}
    if elsewhere or any("_hf_hook" in vars(module) for module in hf.modules()):
        raise RuntimeError(f"not all of it is on {device}")


# --- the work of a pass, filled up


def filled(work: AttentionWork, size: int) -> AttentionWork:
    """Work on the host with room for more, in powers of two; queries up to `size` are merged as the last one is."""
    items, queries, slots, mask, begin, order = (tensor.numpy() for tensor in work[:6])
    launches: list[tuple[int, int, int]] = []
    room: list[np.ndarray] = []
    for first, count, rows in work.launches:
        launches.append((sum(map(len, room)), power_of_2(count, 64), rows))
        room.append(_longer(items[first : first + count], launches[-1][1]))
    last = order[begin[-2] :]
    copies = size + 1 - len(begin)
    begin = np.concatenate([begin, begin[-1] + len(last) * np.arange(1, copies + 1)])
    order = np.concatenate([order, *[last] * copies])
    outputs = power_of_2(max(work.outputs, len(order)), 256)
    arrays = [
        np.concatenate(room),
        _longer(queries, power_of_2(len(queries), 256)),
        _longer(slots, power_of_2(len(slots), 4096)),
        _longer(mask, power_of_2(len(mask), 4096) if len(mask) else 0),
        begin,
        _longer(order, outputs),
    ]
    return AttentionWork._make([*map(torch.from_numpy, arrays), outputs, launches])


def _longer(part: np.ndarray, length: int) -> np.ndarray:
    return np.concatenate([part, np.zeros((length - len(part), *part.shape[1:]), part.dtype)])
