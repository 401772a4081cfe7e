"""A held prefix, forked to N samples that decode 32 tokens each: ours beside transformers' caches, in one run.

`python tests/bench/kv.py`, with the package installed: about ten minutes on a slow core. `--quick` takes the small
model and the short prefix only, `--all` leaves nothing out, `--seconds` repeats the dear lines too, `--profile` says
where our own time goes; `--models`, `--prefixes` and `--samples` choose.

The keys and values of the prefix are there before the clock starts, ours and theirs. What is timed: fork to N rows, put
one distinct token after each (equal rows would be computed once), decode 32 tokens greedily. The peers, each as lean as
transformers allows: a bare loop of forwards on a `DynamicCache` repeated N times, `generate()` on the same, and a bare
loop on a `StaticCache` exactly as long as needed. Our time of a round is divided by the fastest peer's of that round.

Correctness first: every token of every row must be the argmax of a stock forward of that row, and ours are the peers'
tokens wherever the margin is clear. Where one is not, nothing is timed any more and the exit status is 1.
"""

from __future__ import annotations

import argparse
import copy
import cProfile
import inspect
import pstats
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, StaticCache

import outlines_cont as oc

TOKENS = 32  # decoded by each row
SUFFIX = TOKENS  # positions of a row beyond the prefix: the token that makes it distinct, and all decoded but the last
TOLERANCE = 1e-4  # of the largest logit
HOPELESS, COSTLY = 1.25, 2.5  # a peer that took so many times the fastest one's time, and so many seconds, is left out
RUNS = 7  # of repeated runs per cell: at most so many; at least 3 if one fits into --seconds
CACHE_LIMIT = 4 << 30  # bytes of an expanded cache beyond which a cell needs --all
EOS = "<eos>"


@dataclass(frozen=True)
class Shape:
    """A Llama to be filled with random numbers. fresh: rows checked by a forward from scratch, by prefix length."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    intermediate: int
    vocabulary: int
    fresh: dict[int, int]


SHAPES = {
    "10M": Shape(384, 5, 6, 2, 1024, 8192, {1000: 64, 4000: 8}),
    "135M": Shape(576, 30, 9, 3, 1536, 49152, {1000: 3, 4000: 1}),  # as SmolLM-135M
}


# --- what is compared


def made_tokenizer(size: int) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer whose tokens beyond the bytes are made up; the last one is eos."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = [f"Ġ{number:x}" for number in range(size - len(alphabet) - 1)]
    fast = Tokenizer(models.BPE({token: i for i, token in enumerate([*alphabet, *words])}, []))
    fast.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    fast.decoder = decoders.ByteLevel()
    fast.add_special_tokens([AddedToken(EOS, special=True)])
    return PreTrainedTokenizerFast(tokenizer_object=fast, eos_token=EOS)


def made_llama(shape: Shape) -> LlamaForCausalLM:
    """Random weights, such that attention picks a few keys out of thousands: an error in the cache changes tokens."""
    config = LlamaConfig(
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=64,
        intermediate_size=shape.intermediate,
        vocab_size=shape.vocabulary,
        max_position_embeddings=8192,
        tie_word_embeddings=True,
        initializer_range=0.05,
        bos_token_id=None,
        eos_token_id=shape.vocabulary - 1,
        pad_token_id=shape.vocabulary - 1,
    )
    torch.manual_seed(0)
    hf = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for layer in hf.model.layers:
            layer.self_attn.q_proj.weight *= 2
            layer.self_attn.k_proj.weight *= 2
            layer.self_attn.o_proj.weight *= 4
        hf.model.norm.weight *= 4  # as sharp as a trained model's
        hf.model.embed_tokens.weight[-1] = 0  # the logit of eos is 0: never the largest, and hardly ever drawn
    return hf


@dataclass
class Setting:
    """A model, and a prefix whose keys and values both sides hold."""

    name: str
    model: oc.Model
    ids: Tensor  # int64 [1, prefix]
    held: oc.SequenceState
    cache: DynamicCache
    logits: Tensor  # [1, V], after the prefix
    forks: list[int]  # the token that makes row i distinct
    fresh: int  # how many rows are checked from scratch
    known: dict[tuple[int, ...], Tensor] = field(default_factory=dict)

    @property
    def prefix(self) -> int:
        return self.ids.shape[1]

    @property
    def token_bytes(self) -> int:
        """Bytes of one token's keys and values."""
        return cache_bytes(self.cache) // self.prefix


def made_setting(name: str, hf: LlamaForCausalLM, tokenizer: Any, prefix: int, samples: int, fresh: int) -> Setting:
    """A model with an empty tree, and the prefix read once by each side."""
    torch.manual_seed(prefix)
    drawn = torch.randperm(len(tokenizer) - 1)[: prefix + samples]
    ids, forks = drawn[None, :prefix], drawn[prefix:].tolist()
    model = oc.Model(hf, tokenizer)
    greedy = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    held = greedy(model.state(ids), max_tokens=1)[..., :prefix]
    assert held.kv.lengths.tolist() == [[prefix]], model
    with torch.no_grad():
        cache = DynamicCache(config=hf.config)
        logits = hf(input_ids=ids, past_key_values=cache, logits_to_keep=1).logits[:, -1]
    return Setting(name, model, ids, held, cache, logits, forks, fresh)


def cache_bytes(cache: Any) -> int:
    return sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)


def allocated_bytes(model: oc.Model) -> int:
    """Bytes of all buffers that hold our keys and values, those without a token in them included."""
    return sum(tensor.nbytes for pair in model.tree.pool.buffers.values() for tensor in pair)


def expanded(setting: Setting, n: int) -> DynamicCache:
    cache = copy.deepcopy(setting.cache)
    cache.batch_repeat_interleave(n)
    return cache


def preallocated(setting: Setting, n: int) -> StaticCache:
    cache = StaticCache(config=setting.model.hf.config, max_cache_len=setting.prefix + SUFFIX)
    for i, layer in enumerate(setting.cache.layers):
        cache.update(layer.keys.expand(n, -1, -1, -1), layer.values.expand(n, -1, -1, -1), i)
    return cache


def largest(logits: Tensor) -> Tensor:
    return logits.argmax(-1, keepdim=True)


def drawn(logits: Tensor) -> Tensor:
    return torch.multinomial(logits.softmax(-1), 1)


@torch.no_grad()
def loop(hf: Any, cache: Any, tokens: Tensor, pick: Callable[[Tensor], Tensor], count: int = TOKENS) -> Tensor:
    """The bare loop: `tokens` [N, 1] and then `count` − 1 picked ones are read → [N, count] picked."""
    picked = []
    for _ in range(count):
        tokens = pick(hf(input_ids=tokens, past_key_values=cache, logits_to_keep=1).logits[:, -1])
        picked.append(tokens)
    return torch.cat(picked, dim=1)


@dataclass
class Works:
    """The same work in four ways. Each gives the decoded tokens `[N, 32]` as its last, untimed act."""

    setting: Setting
    n: int

    def __post_init__(self) -> None:
        model = self.setting.model
        self.tails = oc.cat([model.state([token]) for token in self.setting.forks[: self.n]], 1)
        self.first = torch.tensor(self.setting.forks[: self.n])[:, None]
        self.step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))

    def ours(self) -> oc.SequenceState:
        return self.step(self.setting.held.fork(self.n) + self.tails, max_tokens=TOKENS)

    @torch.no_grad()
    def dynamic(self) -> Tensor:
        return loop(self.setting.model.hf, expanded(self.setting, self.n), self.first, largest)

    @torch.no_grad()
    def generate(self) -> Tensor:
        rows = torch.cat([self.setting.ids.expand(self.n, -1), self.first], dim=1)
        out = self.setting.model.hf.generate(
            rows,
            attention_mask=torch.ones_like(rows),
            past_key_values=expanded(self.setting, self.n),
            max_new_tokens=TOKENS,
            do_sample=False,
        )
        return out[:, rows.shape[1] :]

    @torch.no_grad()
    def static(self) -> Tensor:
        return loop(self.setting.model.hf, preallocated(self.setting, self.n), self.first, largest)


PEERS = ("dynamic", "generate", "static")


# --- correctness


def reference(setting: Setting, suffix: tuple[int, ...], fresh: bool) -> Tensor:
    """Stock logits after each of the last `SUFFIX` tokens of prefix + suffix, [SUFFIX, V].

    fresh: by a forward of the whole row; else by one of the suffix on the cache of the stock prefill.
    """
    if suffix not in setting.known:
        hf, tail = setting.model.hf, torch.tensor([suffix])
        with torch.no_grad():
            if fresh:
                out = hf(torch.cat([setting.ids, tail], dim=1), use_cache=False, logits_to_keep=len(suffix))
            else:
                out = hf(tail, past_key_values=copy.deepcopy(setting.cache))
        setting.known[suffix] = out.logits[0]
    return setting.known[suffix]


def faults(setting: Setting, tokens: dict[str, Tensor], all_fresh: bool) -> list[str]:
    """What is wrong with the tokens [N, 32] of each way of decoding, in words."""
    found = []
    for name, rows in tokens.items():
        if rows.shape[1] != TOKENS:
            found.append(f"{name} decoded {rows.shape[1]} tokens a row instead of {TOKENS}")
            continue
        for i, row in enumerate(rows):
            suffix = (setting.forks[i], *row[:-1].tolist())
            logits = reference(setting, suffix, all_fresh or i < setting.fresh)
            short = logits.amax(-1) - logits.gather(-1, row[:, None])[:, 0]
            wrong = (short > TOLERANCE * logits.abs().amax(-1)).nonzero().flatten().tolist()
            if wrong:
                found.append(f"{name}, row {i}: tokens {wrong[:5]} are not the stock forward's")
            apart = (tokens["ours"][i] != row).nonzero().flatten().tolist() if not found else []
            if apart:
                line = logits[apart[0]]
                best, second = line.topk(2).values.tolist()
                if best - second > 2 * TOLERANCE * line.abs().max():
                    found.append(f"{name}, row {i}: differs from ours at {apart[0]}, where the margin is clear")
    return found


# --- timing


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def interleaved(works: dict[str, Callable[[], Any]], runs: int) -> dict[str, list[float]]:
    """Seconds of each work in each of so many rounds, each round in another order."""
    times: dict[str, list[float]] = {name: [] for name in works}
    names = list(works)
    for run in range(runs):
        for name in names[run % len(names) :] + names[: run % len(names)]:
            times[name].append(seconds(works[name])[0])
    return times


def ratios(times: dict[str, list[float]]) -> list[float]:
    """Ours by the fastest other, round by round."""
    others = [taken for name, taken in times.items() if name != "ours"]
    return [mine / min(theirs) for mine, *theirs in zip(times["ours"], *others, strict=True)]


def target(name: str, prefix: int, n: int) -> float | None:
    """What our time is to be, in the faster peer's."""
    if n == 64:
        return 0.5 if prefix == 1000 else 0.33 if name == "10M" else None
    return {1: 1.05, 16: 0.75}.get(n)


def verdict(value: float, goal: float | None) -> str:
    if goal is None:
        return f"{value:5.2f}                "
    return f"{value:5.2f} ≤ {goal:<4} {'met   ' if value <= goal else 'MISSED'}"


HEADER = (
    f"{'model':5} {'prefix':>6} {'N':>3} | {'ours':>7} {'dynamic':>8} {'generate':>8} {'static':>7} | "
    f"{'ours / faster peer':21} | {'KV MiB: ours':>12} {'used':>6} {'peers':>7} {'× needed':22}| "
    f"{'positions':>9} {'alone':>7} | runs"
)


def cell(setting: Setting, n: int, hopeless: set[str], all_fresh: bool, patience: float) -> bool:
    """One line of the table. False if a token is wrong. Adds to `hopeless` the peers that are no longer worth a run."""
    works, model = Works(setting, n), setting.model
    ways: dict[str, Callable[[], Any]] = {"ours": works.ours}
    ways |= {name: getattr(works, name) for name in PEERS if name not in hopeless}

    model.stats.reset()
    first, result = {}, {}
    for name, way in ways.items():
        first[name], result[name] = seconds(way)
    positions, used, allocated = model.stats.tokens, model.stats.kv_bytes, allocated_bytes(model)
    # from here on nothing holds our rows: a later run computes them anew
    result["ours"] = result["ours"].token_ids[0, :, setting.prefix + 1 :]
    wrong = faults(setting, result, all_fresh)
    if positions != n * SUFFIX:
        wrong.append(f"ours computed {positions} positions; {n} rows beyond the prefix are {n * SUFFIX}")
    for line in wrong:
        print(f"{setting.name} {setting.prefix} {n}: {line}")
    if wrong:
        return False

    fastest = min(first[name] for name in ways if name != "ours")
    hopeless |= {name for name in ways if name != "ours" and first[name] > max(HOPELESS * fastest, COSTLY)}
    ways = {name: way for name, way in ways.items() if name not in hopeless}
    budget = patience / sum(first[name] for name in ways)  # in rounds
    runs = min(RUNS, max(int(budget), 3 if budget >= 1 else 0))
    times = interleaved(ways, runs) if runs else {name: [first[name]] for name in ways}
    shown = {name: [taken] for name, taken in first.items()} | times

    needed = (setting.prefix + n * SUFFIX) * setting.token_bytes
    alone = n * (setting.prefix + SUFFIX)
    share = verdict(statistics.median(ratios(times)), target(setting.name, setting.prefix, n))
    columns = [f"{statistics.median(shown[name]):.2f}" if name in shown else "–" for name in ("ours", *PEERS)]
    mib = [size / 2**20 for size in (allocated, used, alone * setting.token_bytes)]
    print(
        f"{setting.name:5} {setting.prefix:6} {n:3} | "
        f"{columns[0]:>7} {columns[1]:>8} {columns[2]:>8} {columns[3]:>7} | {share} | "
        f"{mib[0]:12.1f} {mib[1]:6.1f} {mib[2]:7.1f} {verdict(allocated / needed, 1.2)}| "
        f"{positions:9,} {alone:7,} | {runs or '1, cold'}",
        flush=True,
    )
    return True


# --- sampling


def sampling(setting: Setting, n: int) -> bool:
    """`multinomial(samples=n)` beside bare loops with `torch.multinomial`; all know the logits after the prefix."""
    model, hf = setting.model, setting.model.hf
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=n)))

    def ours() -> oc.SequenceState:
        return step(setting.held, max_tokens=TOKENS, seed=0)

    @torch.no_grad()
    def peer(cache: Callable[[Setting, int], Any]) -> Tensor:
        start = drawn(setting.logits.expand(n, -1))
        return torch.cat([start, loop(hf, cache(setting, n), start, drawn, TOKENS - 1)], dim=1)

    model.stats.reset()
    state = ours()
    positions = model.stats.tokens
    if state.lengths.min() < setting.prefix + TOKENS:
        print(f"sampling {n}: a row drew eos: take another seed")
        return False
    for i in range(min(n, 4)):
        row = state.token_ids[0, i, setting.prefix :]
        logits = reference(setting, tuple(row.tolist()), fresh=False)
        theirs = torch.cat([setting.logits, logits[:-1]]).log_softmax(-1).gather(-1, row[:, None])[:, 0]
        apart = (state.logprobs[0, i, setting.prefix :] - theirs).abs().max()
        if apart > 2 * TOLERANCE * logits.abs().max():
            print(f"sampling {n}: the log-probabilities of row {i} are off by {apart:.1e}")
            return False
    del state
    times = interleaved({"ours": ours, "dynamic": lambda: peer(expanded), "static": lambda: peer(preallocated)}, 3)
    ours_, dynamic, static = (f"{statistics.median(taken):.2f}" for taken in times.values())
    print(
        f"{setting.name:5} {setting.prefix:6} {n:3} | {ours_:>7} {dynamic:>8} {static:>7} | "
        f"{statistics.median(ratios(times)):18.2f} | {positions:9,} {n * (setting.prefix + TOKENS - 1):7,}",
        flush=True,
    )
    return True


# --- operations on rows


def microseconds(work: Callable[[], Any], runs: int = 51) -> float:
    work()
    return 1e6 * statistics.median(seconds(work)[0] for _ in range(runs))


def operations(setting: Setting, n: int = 64) -> None:
    """Fork, select, reorder and crop n rows, and what the same costs in a `DynamicCache`."""
    state = Works(setting, n).ours()
    length = state.shape[2]
    torch.manual_seed(0)
    order = torch.randperm(n).tolist()
    parents = torch.randint(n, (n,)).tolist()  # as beams: some rows go on twice, others not at all
    sizes = [length - 1 - i % TOKENS for i in range(n)]
    ragged = oc.cat([state[0, i, :size] for i, size in enumerate(sizes)], 1)

    def cut() -> oc.SequenceState:
        return oc.cat([state[0, i, :size] for i, size in enumerate(sizes)], 1)

    lines: list[tuple[str, Callable[[], Any], float | None]] = [
        (f"prefix.fork({n})", lambda: setting.held.fork(n), 50),
        ("state[:, order, :], each row once", lambda: state[:, order, :], 50),
        ("state[:, parents, :], some rows twice", lambda: state[:, parents, :], 50),
        ("state[..., :-16]", lambda: state[..., :-16], None),
        ("ragged[..., :-16]", lambda: ragged[..., :-16], None),
        (f"cat of {n} state[0, i, :size_i]", cut, None),
    ]
    print(f"\nµs for {n} rows of {length:,} tokens ({setting.name}); a DynamicCache copies")
    for name, work, goal in lines:
        taken = microseconds(work)
        against = f"  ≤ {goal:.0f} {'met' if taken <= goal else 'MISSED'}" if goal else ""
        print(f"  {name:36} {taken:10,.0f}{against}")
    index = torch.tensor(parents)
    with torch.no_grad():
        cache = expanded(setting, n)
        theirs: list[tuple[str, Callable[[], Any]]] = [
            ("deepcopy, batch_repeat_interleave", lambda: expanded(setting, n)),
            ("reorder_cache(parents)", lambda: cache.reorder_cache(index)),
            ("batch_select_indices(parents)", lambda: cache.batch_select_indices(index)),
        ]
        for name, work in theirs:
            print(f"  DynamicCache: {name:36} {microseconds(work, 5):10,.0f}", flush=True)


# --- where a step's time goes


@contextmanager
def clocked(hf: Any) -> Iterator[list[list[float]]]:
    """Begin and end of every forward of the model."""
    calls: list[list[float]] = []
    hooks = [
        hf.register_forward_pre_hook(lambda *_: calls.append([time.perf_counter()])),
        hf.register_forward_hook(lambda *_: calls[-1].append(time.perf_counter())),
    ]
    try:
        yield calls
    finally:
        for hook in hooks:
            hook.remove()


def steps(calls: list[list[float]], work: Callable[[], Any]) -> tuple[list[float], list[float]]:
    """Milliseconds from the beginning of each forward to that of the next, and of the forwards themselves."""
    calls.clear()
    work()
    if len(calls) != TOKENS:
        raise SystemExit(f"{len(calls)} forwards for {TOKENS} tokens: a step is not a forward")
    whole = [1e3 * (after[0] - begin[0]) for begin, after in pairwise(calls)]
    return whole, [1e3 * (end - begin) for begin, end in calls[:-1]]


def overhead(setting: Setting, n: int, runs: int = 5) -> None:
    """Our step beside a stock forward of as many rows at the same lengths, step by step."""
    hf, tokenizer = setting.model.hf, setting.model.tokenizer
    with clocked(hf) as calls:  # before it is wrapped: a model whose hooks change later reads each row by itself
        works = Works(made_setting(setting.name, hf, tokenizer, setting.prefix, n, 0), n)
        _overhead(works, calls, runs)


def _overhead(works: Works, calls: list[list[float]], runs: int) -> None:
    whole: list[float] = []
    own: list[float] = []
    stock: dict[str, list[float]] = {"dynamic": [], "static": []}
    for run in range(runs + 1):
        taken = {name: steps(calls, getattr(works, name)) for name in ("ours", "dynamic", "static")}
        if run:
            whole += taken["ours"][0]
            own += taken["ours"][1]
            for name, values in stock.items():
                values += taken[name][1]
    name, prefix = works.setting.name, works.setting.prefix
    print(f"\nA greedy step without constraint, N = {works.n}, {prefix:,} tokens, {name}: medians in ms")
    print(f"  our step {statistics.median(whole):8.2f}   the model's forward in it {statistics.median(own):8.2f}")
    faster = min(stock, key=lambda name: statistics.median(stock[name]))
    for name, values in stock.items():
        over = statistics.median((a - b) / b for a, b in zip(whole, values, strict=True))
        around = statistics.median((a - c) / b for a, b, c in zip(whole, values, own, strict=True))
        goal = f"  ≤ 10% {'met' if over <= 0.1 else 'MISSED'}" if name == faster else ""
        print(
            f"  stock forward, {name:8} {statistics.median(values):6.2f}   our step − it: {over:+7.1%} of it{goal}"
            f"   our step − our forward: {around:.1%} of it",
            flush=True,
        )


def profile(setting: Setting, n: int) -> None:
    """Shares of a decoding run, under cProfile (which makes Python look slower than it is)."""
    works, hf = Works(setting, n), setting.model.hf
    works.ours()
    profiler = cProfile.Profile()
    profiler.runcall(works.ours)
    stats: dict[Any, Any] = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    code = inspect.unwrap(type(hf).forward).__code__

    def total(file: str, *names: str) -> float:
        """Seconds in these functions of ours and all that they call."""
        return sum(t[3] for (where, _, name), t in stats.items() if where.endswith(f"{file}.py") and name in names)

    run = total("continuous", "__call__")
    read = total("outlines_cont/model", "read")
    forward = stats.get((code.co_filename, code.co_firstlineno, code.co_name), (0, 0, 0, 0.0))[3]
    # the outermost of that name
    attention = max(t[3] for (where, _, name), t in stats.items() if "outlines_cont/kv/" in where and name == "attend")
    step, pending = total("decoding", "step"), total("decoding", "pending")
    laws, choose = total("decoding", "_laws"), total("samplers", "choose")
    parts = [
        ("the model's forward", forward, 0),
        ("our attention in it", attention, 1),
        ("around the forward: plan, version check, bookkeeping", read - forward, 0),
        ("Frontier.step: laws, sampler, hypotheses", step, 0),
        ("laws", laws, 1),
        ("choose, the longer hypotheses", choose, 1),
        ("queries", pending, 0),
        ("the rest: begin, collect, the loop", run - read - step - pending, 0),
    ]
    print(f"\nUnder cProfile, N = {n}, {setting.prefix:,} tokens, {TOKENS} steps: {1e3 * run / TOKENS:.2f} ms a step")
    for name, taken, depth in parts:
        print(f"  {'  ' * depth}{name:56} {1e3 * taken / TOKENS:8.3f} ms  {taken / run:6.1%}")
    print("  by function of ours, with all that it calls elsewhere, but without the model:")
    for taken, calls, (where, line, name) in sorted(own_seconds(stats), reverse=True)[:25]:
        at = f"{'/'.join(where.split('/')[-2:])}:{line} {name}"
        print(f"    {1e3 * taken / TOKENS:8.3f} ms a step {calls / TOKENS:9.1f} calls  {at}")


def own_seconds(stats: dict[Any, Any]) -> Iterator[tuple[float, int, Any]]:
    """For each function of the package: its seconds, and those of what it calls outside the package; its calls."""
    root = str(Path(oc.__file__).parent.parent)
    parts = tuple(f"{root}/{part}/" for part in ("outlines_cont", "fsm", "kernels"))
    own = {function: [taken[2], taken[1]] for function, taken in stats.items() if function[0].startswith(parts)}
    for callee, (*_, callers) in stats.items():
        if callee in own or callee[2] in ("_wrapped_call_impl", "_call_impl"):
            continue
        for caller, (*_, cumulative) in callers.items():
            if caller in own:
                own[caller][0] += cumulative
    return ((taken, calls, function) for function, (taken, calls) in own.items())


# --- the run


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", nargs="+", choices=list(SHAPES), default=list(SHAPES))
    parser.add_argument("--prefixes", nargs="+", type=int, choices=[1000, 4000], default=[1000, 4000])
    parser.add_argument("--samples", nargs="+", type=int, choices=[1, 4, 16, 64], default=[1, 4, 16, 64])
    parser.add_argument("--quick", action="store_true", help="the 10M model and 1,000 tokens only")
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of repeated runs, about, for each line of the table"
    )
    parser.add_argument("--all", action="store_true", help="every peer in every cell, every row checked from scratch")
    parser.add_argument("--profile", action="store_true", help="where our time goes, at N = 16 on the first model")
    options = parser.parse_args(arguments)
    if options.quick:
        options.models, options.prefixes = ["10M"], [1000]

    torch.set_num_threads(1)
    print(f"{TOKENS} tokens for each of N rows after a held prefix; one thread, fp32")
    print("seconds: medians of interleaved runs; ratios: medians over rounds; 'cold': the first run is the only one")
    print(f"a peer that took {COSTLY:g} s and {HOPELESS:g} × the fastest one's time runs once, and not at larger N (–)")
    print(f"× needed: allocated by us, divided by (prefix + N × {SUFFIX}) tokens' keys and values\n\n{HEADER}")
    first: Setting | None = None
    for name in options.models:
        shape = SHAPES[name]
        hf, tokenizer = made_llama(shape), made_tokenizer(shape.vocabulary)
        for prefix in sorted(options.prefixes):
            fresh = min(shape.fresh[prefix], 8) if options.quick else shape.fresh[prefix]
            setting = made_setting(name, hf, tokenizer, prefix, 64, fresh)
            hopeless: set[str] = set()
            for n in sorted(options.samples):
                if not options.all and n * (prefix + SUFFIX) * setting.token_bytes > CACHE_LIMIT:
                    print(f"{name:5} {prefix:6} {n:3} | left out without --all: the peers' cache is too large")
                    continue
                if not cell(setting, n, set() if options.all else hopeless, options.all, options.seconds):
                    return 1
            setting.known.clear()
            first = first or setting
    assert first is not None

    columns = f"{'model':5} {'prefix':>6} {'N':>3} | {'ours':>7} {'dynamic':>8} {'static':>7} | ours / faster peer"
    print(f"\nSampling, multinomial(samples=N)\n{columns} | {'positions':>9} {'alone':>7}")
    for n in (16,) if options.quick else (16, 64):
        if not sampling(first, n):
            return 1
    operations(first)
    overhead(first, 16)
    if options.profile:
        profile(first, 16)
    return 0


if __name__ == "__main__":
    sys.exit(main())
