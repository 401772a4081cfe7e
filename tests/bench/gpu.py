r"""The kernels on a GPU, beside plain torch: masked sampling, token masks, prefix attention, a whole generation.

`python tests/bench/gpu.py [section …]`, with the package installed: under five minutes. What it prints is also written
to `gpu_report.txt`, or where `--report` says: one file to send.
`TRITON_INTERPRET=1 python tests/bench/gpu.py --dry` runs every line of it on a simulated device and on tiny shapes: the
times that it takes there are none, so they are not shown.
Token masks are those of a real vocabulary if OUTLINES_CONT_DATA names a folder that has it (see `fsm.py`), else of one
made up.

Shares are of what the same run measures on the same device: copying (bytes read and written both count), reading, and
a product of matrices. Before each run of what is timed L2 is flushed: 256 MB are written. Times are medians:

    device   what a profiler says that our kernels took, without the host and whatever lies between them
    call     CUDA events around the call, after warm-up: with the host, wherever the device waits for it
    least    the shortest of these
    torch    as `call`, of the same in torch; ratios are to `call`

Correctness first: what is timed is compared with its reference, or with the definition. If a check fails, nothing of
that section is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import re
import statistics
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count, product
from math import inf, isnan, nan
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

import numpy as np
import torch
import transformers
import triton
from kv import Shape, made_llama
from torch import Tensor
from torch.autograd import DeviceType
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention
from torch.profiler import ProfilerActivity, profile

sys.path.insert(0, str(Path(__file__).parents[1]))  # the simulated device

import simulated_device

import outlines_cont as oc
from fsm import Words
from outlines_cont.engines.hf import attention_hook
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels import bitmask, launch, philox, token_masks
from outlines_cont.kernels.attention_work import AttentionBlock, work_of
from outlines_cont.kernels.likeliest import likeliest
from outlines_cont.kernels.philox import Key, uniform
from outlines_cont.kernels.prefix_attention import attend_tree
from outlines_cont.kernels.rows import ELSEWHERE, GIVEN, Rows
from outlines_cont.kernels.sampling import sample
from outlines_cont.kernels.warp import warp

FLUSHED = 256 << 20  # bytes
SECONDS, FEWEST, MOST = 0.03, 5, 100  # how long a case is timed for, and how often
WARM_UP, PROFILED = 3, 10
ROUNDING = 1e-5  # of a cumulative law
PART = 64  # rows that are compared at once: the definition is float64

Work = Callable[[], object]
Attend = Callable[[], Tensor]
Filters = tuple[float, int | None, float | None]  # temperature, top_k, top_p
WAYS: dict[str, Filters | None] = {
    "greedy": None,
    "temperature": (0.7, None, None),
    "top-k 50, top-p 0.9": (0.7, 50, 0.9),
}
REGEXES = {
    "mail": r"[a-z]+@[a-z]+\.com",
    "date": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "JSON string": r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
    "anything": r".*",
}
LENGTHS = [2, 28, 86, 132, 131, 162, 130, 84, 87, 48, 40, 20, 22, 5, 10, 3]  # how frequent tokens of 1, 2, … bytes are
LETTERS = (
    b"eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnssssssrrrrrrhhhhhhddddllllccuummwwffggyyppbbvkjxqz0123.,-"
)
TAIL, HEADS, KV_HEADS, SIZE = 32, 32, 8, 128  # of attention: keys of a sample's own; heads, and their size
EXPANDED = 20e9  # bytes of keys and values copied for every sample: no more than that
FLEX_SECONDS = 60  # compiling takes most of them


class Red(Exception):
    """A check failed."""


@dataclass
class Bench:
    """What is measured with, the ceilings, and the table of the section that runs."""

    device: torch.device
    dry: bool
    copied: float = nan  # bytes a second, read and written
    read: float = nan  # bytes a second
    flops: float = nan  # a second
    table: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def check(self, what: str, right: bool | Tensor) -> None:
        if not right:
            raise Red(what)

    def number(self, value: float | None) -> str:
        """Three digits; "–" for what was left out."""
        if value is None or isnan(value):
            return "–"
        if self.dry:
            return "dry"
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"

    def row(self, *cells: str | float | None) -> None:
        self.table.append(tuple(cell if isinstance(cell, str) else self.number(cell) for cell in cells))

    def target(self, what: str, value: float, met: bool) -> None:
        verdict = "dry" if self.dry else "met" if met else "missed"
        self.notes.append(f"target: {what}: {self.number(value)}, {verdict}")

    def show(self) -> None:
        """Print the table, and begin another one."""
        widths = [max(map(len, column)) for column in zip(*self.table, strict=True)]
        for first, *rest in self.table:
            print(first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)))
        for note in self.notes:
            print(note)
        self.table, self.notes = [], []

    def timed(self, work: Work) -> tuple[float, float]:
        """Seconds of a call: the median and the least."""
        flushed = torch.empty(1 if self.dry else FLUSHED, dtype=torch.uint8, device=self.device)
        times, (warm_up, wanted) = list[float](), (0, 1) if self.dry else (WARM_UP, FEWEST)
        while len(times) < warm_up + wanted:
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            flushed.zero_()
            start.record()
            work()
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
            if len(times) == warm_up:
                wanted = int(min(max(SECONDS / times[-1], FEWEST), MOST))
        return statistics.median(times[warm_up:]), min(times[warm_up:])

    def measured(self, work: Work) -> tuple[float, float, float]:
        """Seconds of a call of ours: of its kernels (NaN where there is no profiler), the median, and the least."""
        runs, activity = (1, ProfilerActivity.CPU) if self.dry else (PROFILED, ProfilerActivity.CUDA)
        call = self.timed(work)
        flushed = torch.empty(1 if self.dry else FLUSHED, dtype=torch.uint8, device=self.device)
        with profile(activities=[activity], acc_events=True) as profiled:
            for _ in range(runs):
                flushed.zero_()
                work()
            torch.cuda.synchronize()
        spent = defaultdict[str, list[float]](list)
        for event in profiled.events() or ():
            # Triton's kernels have the names of their functions; torch's are C++
            if event.device_type == DeviceType.CUDA and re.match("_[a-z]+_kernel", event.name):
                spent[event.name].append(event.time_range.elapsed_us() / 1e6)
        device = sum(statistics.median(each) * len(each) / runs for each in spent.values()) if spent else nan
        return device, *call

    def beside(self, name: str, moved: float, ours: Work, theirs: Work, steps: int = 1) -> tuple[float, float]:
        """A line of the table: both, by the step, in which so many bytes have to be moved. Gives the seconds that our
        kernels take, and those of a call."""
        device, call, least, other = (seconds / steps for seconds in (*self.measured(ours), self.timed(theirs)[0]))
        rate = moved / device
        times = (1e6 * device, 1e6 * call, 1e6 * least, 1e6 * other)
        self.row(name, *times, other / call, rate / 1e9, rate / self.copied)
        return device, call

    def head(self, name: str) -> None:
        self.row(name, "device µs", "call µs", "least µs", "torch µs", "torch / call", "GB/s", "of copy")


# --- what the device can do


def ceilings(bench: Bench) -> None:
    size, side = (1000, 32) if bench.dry else (1 << 28, 8192)
    source = torch.ones(size, device=bench.device)
    target = torch.empty_like(source)
    a, b = (torch.randn(side, side, device=bench.device).bfloat16() for _ in range(2))
    bench.check("copy", target.copy_(source).equal(source))
    bench.check("sum", (source.sum() - size).abs() < 1e-4 * size)
    bench.check("product", close(a[:8] @ b, a[:8].float() @ b.float()))
    bench.copied = 2 * source.nbytes / bench.timed(lambda: target.copy_(source))[0]
    bench.read = source.nbytes / bench.timed(source.sum)[0]
    bench.flops = 2 * side**3 / bench.timed(lambda: a @ b)[0]
    bench.row("copy, GB/s", bench.copied / 1e9)
    bench.row("read, GB/s", bench.read / 1e9)
    bench.row(f"bfloat16 product of {side}³, TFLOP/s", bench.flops / 1e12)


def close(found: Tensor, expected: Tensor, tolerance: float = 0.02) -> bool:
    """Whether each vector along the last axis is off by at most a fraction of its length."""
    return bool(((found.float() - expected).norm(dim=-1) <= tolerance * expected.norm(dim=-1)).all())


# --- masks and draws


def made_rows(bench: Bench, rows: int, size: int, dtype: torch.dtype = torch.bfloat16) -> Rows:
    """Random logits; masks of every other token or so; rows that may stop in each way, or not at all."""
    generator = torch.Generator(bench.device).manual_seed(size + rows)
    logits = torch.randn(rows, size, device=bench.device, generator=generator).mul_(3).to(dtype)
    words = torch.randint(-(2**31), 2**31, (rows, (size + 31) // 32), device=bench.device, generator=generator).int()
    row = torch.arange(rows, device=bench.device)
    return Rows(logits, words, row, row % 3, torch.zeros(rows, device=bench.device))


def torch_allowed(packed: Tensor, size: int) -> Tensor:
    """Masks unpacked by torch, byte by byte, which is faster than word by word."""
    bits = torch.tensor([1, 2, 4, 8, 16, 32, 64, 128], dtype=torch.uint8, device=packed.device)
    return ((packed.view(torch.uint8)[..., None] & bits) != 0).flatten(-2)[..., :size]


def torch_masked(rows: Rows) -> Tensor:
    return rows.logits.masked_fill(~torch_allowed(rows.masks, rows.logits.shape[1]), -inf)


def torch_sample(rows: Rows, filters: Filters | None) -> Tensor:
    """What one writes in torch: no stop, no log-probabilities."""
    scores = torch_masked(rows)
    if filters is None:
        return scores.argmax(-1)
    temperature, top_k, top_p = filters
    if top_k is None or top_p is None:
        return torch.multinomial(torch.softmax(scores.float() / temperature, -1), 1)[:, 0]
    best, ids = scores.float().topk(top_k, -1)
    weights = torch.softmax(best / temperature, -1)
    weights = weights.masked_fill(weights.cumsum(-1) - weights >= top_p, 0.0)
    return ids.gather(-1, torch.multinomial(weights, 1))[:, 0]


def well_drawn(rows: Rows, keys: Sequence[Key] | None, filters: Filters | None, said: Tensor) -> bool:
    """Whether greedy draws are the reference's, and of others the uniform number of each key lies where the cumulative
    law has the candidate, but for rounding; and whether what is said of them is right."""
    fine = True
    for start in range(0, len(said), PART):
        part = slice(start, start + PART)
        logits, ending, stops, found = rows.logits[part], rows.ending[part], rows.stops[part], said[part]
        masks, place = rows.masks[rows.places[part]], torch.arange(len(logits), device=logits.device)
        few = Rows(logits, masks, place, ending, stops)
        some = None if keys is None else keys[part]
        expected = sample.reference(few, some, *(filters or ()))
        if some is None or filters is None:
            fine &= found[:, 0].equal(expected[:, 0]) and torch.allclose(found, expected, atol=1e-3, rtol=1e-5)
            continue
        allowed, logits = bitmask.unpack.reference(masks, logits.shape[1]), logits.double()
        stop = torch.where(ending == GIVEN, stops.double(), -inf)
        stop = torch.where(ending == ELSEWHERE, logits.masked_fill(allowed, -inf).logsumexp(-1), stop)
        scores = torch.cat([logits.masked_fill(~allowed, -inf), stop[:, None]], -1)
        law, candidate = torch.softmax(warp(scores, *filters), -1), found[:, :1].long()
        mass, after = (x.gather(-1, candidate)[:, 0] for x in (law, law.cumsum(-1)))
        at = torch.tensor(list(map(uniform, some)), dtype=torch.float64, device=logits.device)
        fine &= bool(((mass > 0) & (at > after - mass - ROUNDING) & (at < after + ROUNDING)).all())
        own = scores.gather(-1, candidate) - expected[:, 3:4]
        told = torch.cat([candidate, own, mass.log()[:, None], expected[:, 3:]], -1)
        fine &= torch.allclose(found, told, atol=1e-3, rtol=1e-5)
    return fine


def masked_sampling(bench: Bench) -> None:
    sizes, counts = ([300], [2]) if bench.dry else ([32_768, 131_072, 262_144], [1, 16, 64, 256, 512])
    bench.head("V × rows, logits, how")
    for size, number, dtype in product(sizes, counts, (torch.bfloat16, torch.float32)):
        rows = made_rows(bench, number, size, dtype)
        for how, filters in WAYS.items():
            keys = None if filters is None else [(row << 40 | 977, row, 0) for row in range(number)]
            name = f"{size} × {number}, {str(dtype)[6:]}, {how}"
            placed = None if keys is None else philox.keys_on(keys, bench.device)
            ours = partial(sample.kernel, rows, placed, *(filters or ()))
            theirs = partial(torch_sample, rows, filters)
            bench.check(name, well_drawn(rows, keys, filters, ours()))
            bench.check(f"torch, {name}", torch_masked(rows).gather(-1, theirs()[:, None]).isfinite().all())
            moved = rows.logits.nbytes + rows.masks.nbytes
            taken = bench.beside(name, moved, ours, theirs)
            if how == "temperature" and (bench.dry or (size, number) == (131_072, 256)):
                for seconds, where in zip(taken, ("on the device", "as called"), strict=True):
                    share = moved / seconds / bench.copied
                    bench.target(f"{name}, {where}, ≥ 0.7 of a copy", share, share >= 0.7)
    bench.notes.append("bytes: logits and masks once; keys are on the device beforehand")


def likeliest_candidates(bench: Bench) -> None:
    # the interpreter takes long over wide ones
    size, counts, width = (300, [2], 2) if bench.dry else (131_072, [1, 64, 256], 32)
    bench.head(f"V × rows, {width} likeliest")
    for number in counts:
        rows = made_rows(bench, number, size)
        ids, said = likeliest.kernel(rows, width)
        expected, told = likeliest.reference(rows, width)
        bench.check(f"{number} rows", ids.equal(expected) and torch.allclose(said, told, atol=1e-3, rtol=1e-5))
        ours, theirs = partial(likeliest.kernel, rows, width), lambda r=rows: torch_masked(r).topk(width, -1)
        bench.beside(f"{size} × {number}", rows.logits.nbytes + rows.masks.nbytes, ours, theirs)


def bit_masks(bench: Bench) -> None:
    size, number = (300, 2) if bench.dry else (131_072, 256)
    rows = made_rows(bench, number, size)
    logits, masks, tokens = rows.logits, rows.masks, number * size
    allowed = bitmask.unpack.reference(masks, size)
    unpacked = partial(torch_allowed, masks, size)
    works: list[tuple[str, Any, tuple[Any, ...], int, Callable[[], Tensor]]] = [
        ("apply", bitmask.apply, (logits, masks), logits.nbytes, lambda: logits.masked_fill_(~unpacked(), -inf)),
        ("unpack", bitmask.unpack, (masks, size), tokens, unpacked),
        ("pack", bitmask.pack, (allowed,), tokens, partial(bitmask.pack.reference, allowed)),
    ]
    bench.head(f"{number} masks of {size}")
    for name, work, (first, *rest), moved, theirs in works:
        expected = work.reference(first.clone(), *rest)  # `apply` writes to it
        bench.check(name, work.kernel(first.clone(), *rest).equal(expected) and theirs().equal(expected))
        bench.beside(name, masks.nbytes + moved, partial(work.kernel, first, *rest), theirs)


# --- token masks


def made_vocabulary(size: int) -> Vocabulary:
    """All bytes, and words of letters as frequent as in English, half of them behind a space; eos is the last."""
    rng = np.random.default_rng(0)
    tokens = {bytes([byte]): None for byte in range(256)}
    lengths = rng.choice(np.arange(1, len(LENGTHS) + 1), 8 * size, p=np.array(LENGTHS) / sum(LENGTHS)).tolist()
    for length, space in zip(lengths, rng.random(len(lengths)) < 0.57, strict=True):
        if len(tokens) < size - 1:
            word = rng.choice(np.frombuffer(LETTERS, np.uint8), length).tobytes()
            tokens[(b" " + word if space else word)[:length]] = None
    return Vocabulary([*tokens, b""], eos=[len(tokens)])


def token_tables(guide: guides.AutomatonGuide, device: torch.device) -> token_masks.ByteAutomaton:
    return token_masks.ByteAutomaton(*(torch.from_numpy(array).to(device) for array in guide.table(1024) or ()))


def masks_of_tokens(bench: Bench) -> None:
    v, number = made_vocabulary(300 if bench.dry else 131_072), 3 if bench.dry else 64
    if os.environ.get("OUTLINES_CONT_DATA") and not bench.dry:
        words = Words.read("tekken131k")
        v = Vocabulary(words.tokens, [words.eos], words.special)
    spelling = token_masks.VocabularyBytes.of(v.tokens, v.text_ids.tolist(), v.eos, bench.device)
    bench.head(f"masks of {number} states (torch: sent)")
    for name, pattern in REGEXES.items():
        guide = guides.regex(pattern, v)
        table = token_tables(guide, bench.device)
        every = torch.arange(len(table.ends), device=bench.device)
        expected = torch.from_numpy(np.stack([guide.mask(state) for state in every.tolist()]))
        bench.check(name, token_masks.masks.kernel(table, spelling, every).cpu().equal(expected))
        states = torch.arange(number, device=bench.device) % len(every)
        host = expected[states.cpu()].pin_memory()
        target = torch.empty_like(host, device=bench.device)
        ours, sent = partial(token_masks.masks.kernel, table, spelling, states), partial(target.copy_, host, True)
        _, call = bench.beside(f"{name}, {len(every)} states in all", target.nbytes, ours, sent)
        bench.target(f"{name}: ≤ 100 µs a call", 1e6 * call, call <= 1e-4)
    bench.notes.append(f"{v!r}; sent: masks from pinned memory, without the time that the host makes them in")


# --- prefix attention


def sdpa_of(query: Tensor, key: Tensor, value: Tensor, own: Tensor) -> Attend:
    """Over the keys and values of each sample, copied: own int64 `[n, L]` → `[n, H, 1, D]`."""
    asking = query.transpose(0, 1)[:, :, None].contiguous()
    keys, values = key[:, own].transpose(0, 1), value[:, own].transpose(0, 1)
    return partial(scaled_dot_product_attention, asking, keys, values, enable_gqa=True)


def flex_of(query: Tensor, key: Tensor, value: Tensor, prefix: int, dry: bool) -> Attend:
    """FlexAttention over all samples' queries in one sequence; keys are the prefix, then each tail → `[1, H, n, D]`."""

    def sees(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key < prefix) | ((key - prefix) // TAIL == query)

    seen = create_block_mask(sees, None, None, query.shape[1], key.shape[1], device=str(query.device))
    torch.compiler.reset()  # each shape by itself: of one function only so many may be compiled
    attend: Any = flex_attention if dry else torch.compile(flex_attention, dynamic=False)
    return partial(attend, query[None], key[None], value[None], block_mask=seen, enable_gqa=True)


def attention(bench: Bench) -> None:
    bench.row(
        *("prefix × samples", "device µs", "call µs", "least µs", "TB/s", "TFLOP/s", "bound µs", "of bound"),
        *("SDPA µs", "SDPA / call", "Flex µs", "Flex / call"),
    )
    began = time.perf_counter()
    for prefix, samples in [(40, 3)] if bench.dry else product((1024, 8192, 65536), (1, 16, 64, 256)):
        name, total = f"{prefix} × {samples}", prefix + TAIL * samples
        torch.manual_seed(0)
        # sharp enough that some keys matter more than others
        query = 3 * torch.randn(HEADS, samples, SIZE, device=bench.device, dtype=torch.bfloat16)
        key, value = torch.randn(2, KV_HEADS, total, SIZE, device=bench.device, dtype=torch.bfloat16)
        shared = np.arange(prefix)
        tails = prefix + np.arange(TAIL)[None] * samples + np.arange(samples)[:, None]  # they lie interleaved
        blocks = [
            AttentionBlock(np.arange(samples)[None], None, shared[None], None, False),
            AttentionBlock(np.arange(samples)[:, None], None, tails, None, False),
        ]
        work = work_of(blocks, samples, HEADS // KV_HEADS, KV_HEADS, bench.device)
        given = (query, key, value, work, SIZE**-0.5)
        expected = attend_tree.reference(*given).float()
        bench.check(name, close(attend_tree.kernel(*given), expected))
        device, call, least = bench.measured(partial(attend_tree.kernel, *given))

        def peer(kind: str, make: Callable[[], Attend], name: str = name, expected: Tensor = expected) -> float | None:
            try:
                attend = make()
                bench.check("it is wrong", close(attend().transpose(1, 2).reshape(expected.shape), expected))
                return bench.timed(attend)[0]
            except Exception as error:  # ours is still worth its time
                reason = str(error).strip().partition("\n")[0][:160]
                bench.notes.append(f"{name}: no {kind}: {type(error).__name__}: {reason}")

        sdpa = flex = None
        if 4 * samples * (prefix + TAIL) * KV_HEADS * SIZE <= EXPANDED:
            own = torch.from_numpy(np.concatenate([np.broadcast_to(shared, (samples, prefix)), tails], 1))
            sdpa = peer("SDPA", partial(sdpa_of, query, key, value, own.to(bench.device)))
        else:
            bench.notes.append(f"{name}: no SDPA: keys and values would take over {EXPANDED / 1e9:.0f} GB")
        if bench.dry or (samples >= 16 and prefix >= 8192 and time.perf_counter() - began < FLEX_SECONDS):
            order = torch.from_numpy(np.concatenate([shared, tails.ravel()])).to(bench.device)
            flex = peer("FlexAttention", partial(flex_of, query, key[:, order], value[:, order], prefix, bench.dry))
        moved, flops = key.nbytes + value.nbytes, 4 * HEADS * SIZE * samples * (prefix + TAIL)
        bound = max(moved / bench.read, flops / bench.flops)
        ours = (1e6 * device, 1e6 * call, 1e6 * least, moved / device / 1e12, flops / device / 1e12)
        peers = (cell for t in (sdpa, flex) for cell in ((None, None) if t is None else (1e6 * t, t / call)))
        bench.row(name, *ours, 1e6 * bound, bound / device, *peers)
        bench.target(f"{name}, on the device, ≥ 0.6 of the bound", bound / device, bound / device >= 0.6)
        if sdpa is not None and (bench.dry or (prefix, samples) == (8192, 64)):
            bench.target(f"{name}, ≥ 5 times as fast as SDPA", sdpa / call, sdpa / call >= 5)
    bench.notes.append(
        "bound: distinct keys and values read once, or the products. `work_of`, once a pass, is not timed"
    )
    bench.notes.append("SDPA: on keys copied beforehand. Flex: compiled for each shape, from 8192 × 16 on")


# --- a whole generation


def large_llama(device: torch.device) -> Any:
    """Some 1.2 billion random weights, such that attention picks a few keys out of thousands."""
    with device, torch.no_grad():
        hf = made_llama(Shape(2048, 16, 32, 8, 8192, 131_072, {}))
        for weight in hf.parameters():
            if weight.ndim == 2:
                weight *= 0.4  # made for smaller ones: here the samples would all be the same
    return hf


def theirs(hf: Any, ids: list[int], samples: int, tokens: int) -> tuple[float, float, float]:
    """Milliseconds of a step of `generate()` without a constraint, median and least, and tokens a second."""
    prompt = torch.tensor([ids], device=hf.device)

    def seconds(count: int) -> float:
        start = time.perf_counter()
        hf.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            max_new_tokens=count,
            min_new_tokens=count,
            do_sample=True,
            num_return_sequences=samples,
            top_k=0,
        )
        torch.cuda.synchronize()
        return time.perf_counter() - start

    seconds(2)
    steps = [(seconds(2 + tokens) - seconds(2)) / tokens for _ in range(5)]
    median = statistics.median(steps)
    return 1e3 * median, 1e3 * min(steps), samples / median


DTYPES = ((torch.float32, 12), (torch.bfloat16, 32))  # and how many tokens


def generation(bench: Bench) -> None:
    shipped = oc.load()
    hf: Any = shipped.hf if bench.dry else large_llama(bench.device)
    length, samples = (40, 2) if bench.dry else (4000, 64)
    ids = np.random.default_rng(0).choice(shipped.vocabulary.text_ids, length).tolist()
    bench.row(f"{samples} samples, prompt of {length}", "tokens", "ms a step", "least", "tokens/s")
    # in float32 the tokens must be the same; bfloat16 rounds each way's logits otherwise
    for dtype, tokens in ((torch.float32, 2), (torch.bfloat16, 2)) if bench.dry else DTYPES:
        hf = simulated_device.moved(deepcopy(shipped.hf).to(dtype)) if bench.dry else hf.to(dtype)
        model = oc.Model(hf, shipped.tokenizer)
        sampler = oc.samplers.multinomial(samples=samples)
        step = oc.continuous(oc.generate.regex(model, "[a-z ]{300,600}", sampler), max_tokens=tokens)
        drawn = list[oc.SequenceState]()
        kernels = "triton" if bench.dry else "auto"
        for mode, replayed in ((kernels, {"cuda"}), (kernels, set[str]()), ("reference", set[str]())):
            with patch.dict(os.environ, OUTLINES_CONT_KERNELS=mode), patch.object(attention_hook, "REPLAYED", replayed):
                held, seeds = step(model.state(ids), seed=0), count(1)
                drawn.append(held.kv.drop())  # its keys and values must not serve the other mode
                prompt = held[:, :1, :length]  # keeps the prompt's own
                del held
                median, least = bench.timed(lambda p=prompt, step=step, seeds=seeds: step(p, seed=next(seeds)))
                del prompt
            times = (1e3 * median / tokens, 1e3 * least / tokens, samples * tokens / median)
            name = "kernels, replayed" if replayed else "references" if mode == "reference" else "kernels, launched"
            bench.row(f"{str(dtype)[6:]}, {name}", str(tokens), *times)
        if dtype == torch.bfloat16:  # it reads the prompt once for each sample: float32 does not fit
            bench.row(f"{str(dtype)[6:]}, generate() of transformers", str(tokens), *theirs(hf, ids, samples, tokens))
        bench.check(f"cannot be compiled: {', '.join(launch.broken)}", not launch.broken)
        ours, launched, plain = (state.token_ids[0, :, length:] for state in drawn)
        bench.check("lengths", ours.shape == plain.shape == (samples, tokens))
        bench.check("replayed", (ours == launched).float().mean().item() > 0.95)
        same = ours == plain
        together = same.cumprod(-1).bool()  # elsewhere the log-probabilities are of other contexts
        one, two = (state.logprobs[0, :, length:][together] for state in drawn[::2])
        share, off = same.float().mean().item(), (one - two).abs()
        if dtype == torch.float32:
            bench.check("tokens", share > 0.95)
            bench.check("log-probabilities", bool(off.max() < 0.01))
        bench.notes.append(
            f"{str(dtype)[6:]}: equal tokens {share:.3f}; up to a row's first difference log-probabilities are off by "
            f"{off.median():.2g} at the median, {off.max():.2g} at most"
        )


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "ceilings": ceilings,
    "bitmask": bit_masks,
    "sampling": masked_sampling,
    "likeliest": likeliest_candidates,
    "token_masks": masks_of_tokens,
    "attention": attention,
    "generation": generation,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--dry", action="store_true", help="on a simulated device, on tiny shapes, without timings")
    parser.add_argument("--report", type=Path, default=Path("gpu_report.txt"), help="the file to send")
    asked = parser.parse_args()
    if unknown := set(asked.sections) - set(SECTIONS):
        parser.error(f"no such section: {', '.join(unknown)}")
    if asked.dry and not launch.INTERPRETED:
        parser.error("--dry needs TRITON_INTERPRET=1")
    if not asked.dry and (launch.INTERPRETED or not torch.cuda.is_available()):
        parser.error("this needs a GPU; or see --dry")
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # the profiler tells of each start
    with (
        asked.report.open("w") as file,
        redirect_stdout(Both(sys.stdout, file)) as both,
        redirect_stderr(both),
        simulated_device.simulated() if asked.dry else nullcontext(),
    ):
        device = torch.device("cuda", torch.cuda.current_device())
        return int(reported(Bench(device, asked.dry), asked.sections or [*SECTIONS]))


class Both(io.TextIOBase):
    """What is written goes to the screen and to a file."""

    def __init__(self, *files: TextIO) -> None:
        self.files = files

    def write(self, text: str) -> int:
        for file in self.files:
            file.write(text)
            file.flush()  # a device that is lost may end the process
        return len(text)


def reported(bench: Bench, sections: Sequence[str]) -> bool:
    """Run some sections. Gives whether any of them failed."""
    versions = f"torch {torch.__version__}, triton {triton.__version__}, transformers {transformers.__version__}"
    print(f"{torch.cuda.get_device_name()}, {datetime.now():%Y-%m-%d %H:%M}, {versions}, {platform.platform()}")
    failed = False
    for section in dict.fromkeys(["ceilings", *sections]):
        began = time.perf_counter()
        print(f"\n{section}", flush=True)
        try:
            SECTIONS[section](bench)
        except Red as what:
            failed, bench.table, bench.notes = True, [], [f"RED, no timings: {what}"]
        except Exception:  # the other sections are still worth their time
            failed = True
            traceback.print_exc(file=sys.stdout)
        bench.show()
        print(f"({time.perf_counter() - began:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
