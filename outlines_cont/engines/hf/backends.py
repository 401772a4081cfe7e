"""How a model's keys and values are kept: decided when it is loaded, by its flags, its config and a known answer.

1. `hook`: one packed forward a step, through transformers' attention interface (`attention_hook.py`).
2. `stock`: the same store, with stock forwards on transient caches (`cache_forward.py`).
3. `recompute`: nothing is kept; every row is read anew at every step (`backends.py`). For recurrent models, and
   where a row's keys depend on its length.

Users call these three the *tiers* of a model: `model.tier` is its `Backend`.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn
from transformers import DynamicCache, PreTrainedModel

from outlines_cont.engines.hf import attention_hook, cache_forward
from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.errors import warn
from outlines_cont.kv.forward import Forward, read_logits
from outlines_cont.kv.needs import Need, TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree

# --- plain forwards of whole rows: what a backend must agree with, and how a model is served that keeps nothing

RECOMPUTED_TOKENS = 4096  # in one forward


class OtherCount(ValueError):
    """A forward that gives another number of logits than it was given tokens."""


def full_forward(hf: PreTrainedModel, rows: Sequence[tuple[int, ...]], wanted: Sequence[int] | None = None) -> Tensor:
    """A plain forward of equally long rows: logits `[rows, wanted or T, V]`."""
    ids = torch.tensor(rows, device=device_of(hf))
    options: dict[str, Any] = {}
    if wanted is not None and "logits_to_keep" in inspect.signature(hf.forward).parameters:
        options["logits_to_keep"] = torch.tensor(wanted)
    logits: Tensor = hf(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, **options).logits
    if logits.shape[1] != (len(wanted or ()) if options else ids.shape[1]):
        name, shape = type(hf).__name__, (logits.shape[1], ids.shape[1])
        raise OtherCount(f"{name} cannot be served: it gives {shape[0]} logits for {shape[1]} tokens")
    return logits if wanted is None or options else logits[:, list(wanted)]


def forward(hf: PreTrainedModel, tree: Tree, runs: Sequence[TokenRun], together: bool = True) -> tuple[Tensor, int]:
    """The logits `[wanted, V]` at the marks of runs that are distinct whole rows, and how many forwards they took.

    together: whether rows of one length may share a forward, which gives the wanted logits alone. If not, each forward
    is as a user would make it: of one row, with all its logits.
    """
    wanted: dict[int, set[int]] = {}  # by length of row
    for run in runs:
        wanted.setdefault(len(run.ids), set()).update(run.wanted_tokens())
    logits: dict[tuple[tuple[int, ...], int], Tensor] = {}  # (row, position) → [V]
    passes = 0
    for length, positions in wanted.items():
        alike, places = sorted(tuple(run.ids) for run in runs if len(run.ids) == length), sorted(positions)
        step = max(1, RECOMPUTED_TOKENS // length) if together else 1
        for batch in (alike[i : i + step] for i in range(0, len(alike), step)):
            answer = full_forward(hf, batch, places) if together else full_forward(hf, batch)[:, places]
            for row, lines in zip(batch, answer, strict=True):
                logits.update({(row, at): line for at, line in zip(places, lines, strict=True)})
            passes += 1
    return torch.stack([logits[tuple(run.ids), at] for run in runs for at in run.wanted_tokens()]), passes


# --- the probe: whether a backend gives what a model's own plain forwards give, on a small tree of rows
#
# One plain forward reads three rows whole. Then a backend makes two passes: the first reads the beginnings of two rows,
# one of them with other tokens after it; the second crops these, goes on, forks, and reads tokens again. For a backend
# that fits, that makes three forwards of 84 tokens together. If both passes agree with the longer plain forward, the
# answers depend neither on the tokens that follow nor on how many there are. Only if not, it is asked which it is.
#
# Answers are compared at every position, and as a rule before the model's head (`BeforeHead`): the logits of a large
# vocabulary cost more than all layers of a small model.

LENGTH = 14  # tokens of a row that is read whole; twice as many where logits are compared
READ = 12  # of 14 a backend reads: fewer than all, so that what is done at the end of a forward is seen
KEPT = 6  # of 14 are right in the first pass. The second reads as many, so what is done at a place of a pass is seen
HALVES = (torch.bfloat16, torch.float16)
HEAD_POSITIONS = 3  # that the head is asked about at first

BackendForward = Callable[[PreTrainedModel, Tree, Sequence[TokenRun]], tuple[Tensor, int]]
Row = tuple[int, ...]


class NotHeard(Exception):
    """What the head is given cannot be told apart, or its answer to a position depends on others: logits tell."""


class BeforeHead:
    """Stands for a model, and gives in the place of its logits what its head is given: `[B, T, hidden size]`.

    A head, and what a model does with its logits afterwards (a scale, a softcap), treats each position by itself. That
    is tested with it: at the first forward the head is asked about the last three positions, and at each later one
    about the first or the last of these alone, in the place of its own. NotHeard if the head is not called once, with
    all positions of a forward.
    """

    def __init__(self, hf: PreTrainedModel):
        self._hf, self._thread = hf, threading.get_ident()
        self._asked: Tensor | None = None  # [1, HEAD_POSITIONS, hidden size]
        self.logits: list[Tensor] = []  # of each forward, at the positions that the head was asked about

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hf, name)

    def __call__(self, **inputs: Any) -> Any:
        given: list[Tensor] = []
        head = cast(nn.Module, self._hf.get_output_embeddings())
        hook = head.register_forward_pre_hook(partial(self._ask, given), prepend=True)
        try:
            logits = self._hf(**inputs).logits
        finally:
            hook.remove()
        positions = 1 if self.logits else HEAD_POSITIONS
        heard = [states.shape[:-1] for states in given] == [inputs["input_ids"].shape]
        if not heard or logits.shape[:-1] != (1, positions):
            raise NotHeard
        self.logits.append(logits[0])
        return SimpleNamespace(logits=given[0])

    def _ask(self, given: list[Tensor], _: nn.Module, arguments: tuple[Any, ...]) -> Any:
        """Hear what the head is given, and give it a position that is known instead."""
        if threading.get_ident() != self._thread:
            return None  # somebody uses the model beside us
        if not arguments or not isinstance(arguments[0], Tensor) or arguments[0].dim() != 3:
            raise NotHeard
        given.append(arguments[0])
        if self._asked is None:
            self._asked = arguments[0][-1:, -HEAD_POSITIONS:]
            return (self._asked, *arguments[1:])
        return (self._asked[:, [_position_asked(len(self.logits))]], *arguments[1:])

    @property
    def n_vocab(self) -> int:
        """How many logits the model gives after a token."""
        return self.logits[0].shape[-1]

    def agrees(self) -> bool:
        """Whether the head's answer to a position is the same alone as beside others."""
        first, *alone = self.logits
        beside = first[[_position_asked(forward) for forward in range(1, len(self.logits))]]
        return not alone or agree([(torch.cat(alone), beside)])


def _position_asked(forward: int) -> int:
    """About which of the head's positions it is asked at a forward after the first: the first and the last in turn."""
    return 0 if forward % 2 else HEAD_POSITIONS - 1


class Probe:
    """The rows, with their known answers.

    Args:
        hf: the model.
        ids: some different token ids, among them the padding id if there is one.
        before_head: whether to compare what the head is given. If not, logits are compared, of longer rows: hooks and
            patches of the model may address positions.
        one_by_one: whether each row is read in a plain forward of its own.

    Attributes:
        n_vocab: how many logits the model gives after a token. A forward says so; the shape of a quantised head does
            not.
        one_by_one: as given; True also after `by_length` has found that rows of one forward change each other.
    """

    def __init__(self, hf: PreTrainedModel, ids: Sequence[int], before_head: bool, one_by_one: bool):
        self._name, self.one_by_one = type(hf).__name__, one_by_one
        self._before_head = BeforeHead(hf) if before_head else None
        self.hf = cast(PreTrainedModel, self._before_head or hf)
        self._length, self._kept, self._to_read = (n if before_head else 2 * n for n in (LENGTH, KEPT, READ))
        first, second, self._other = (_row(ids, start, self._length) for start in (1, 6, 12))
        self._rows = [first, second, second[: self._kept] + self._other[self._kept :]]
        try:
            self._plain = self._read(self._rows)
        except OtherCount:
            raise
        except Exception as error:
            if before_head:
                raise NotHeard from error
            headless = hf.get_output_embeddings() is None
            raise ValueError(
                f"{self._name} cannot be served: its own forward of {self._length} tokens fails "
                f"({type(error).__name__}: {error})"
                + ("; it has no head: load it with AutoModelForCausalLM" if headless else "")
            ) from error
        self._halved = _halved(self._plain)
        self.n_vocab = self._before_head.n_vocab if self._before_head else self._plain[0].shape[-1]
        self._scale = _spread(torch.cat(self._plain)) if self._before_head else 1.0

    def _read(self, rows: Sequence[Row]) -> list[Tensor]:
        """What plain forwards give at every token of equally long rows."""
        if self.one_by_one:
            return [full_forward(self.hf, [row])[0] for row in rows]
        return list(full_forward(self.hf, rows))

    def fails(self, name: str, forward: BackendForward) -> str:
        """The reason against the backend of this name; empty if its forward gives the known answer.

        NotHeard if the head does not treat each position by itself.
        """
        first, second, third = self._rows
        kept, read = self._kept, self._to_read
        new = tuple(range(kept, read))
        try:
            tree, compute = Tree(), partial(forward, self.hf)
            rows = [first[:read], second[:kept] + self._other[: read - kept]]
            begun, claims, _ = read_logits(compute, tree, [Need(row, tuple(range(read))) for row in rows])
            tree.forget_logits()
            after, _, _ = read_logits(compute, tree, [Need(row[:read], new) for row in (first, second, third)])
            del claims  # until now they kept the keys and values alive
        except NotHeard:
            raise
        except Exception as error:
            return f"the {name} tier does not fit it ({type(error).__name__}: {error})"
        buffers = cast(Pool, tree.pool).buffers.values()
        self._halved |= any(each.dtype in HALVES for pair in buffers for each in pair)
        answers = [begun[:read], begun[read : read + kept], *after.split(len(new))]
        expected = [self._plain[0][:read], self._plain[1][:kept], *(plain[kept:read] for plain in self._plain)]
        if not self._agree(answers, expected):
            return f"the {name} tier gives other logits than its own forward"
        if self._before_head and not self._before_head.agrees():
            raise NotHeard
        return ""

    def gives_nan(self, bos: Any) -> bool:
        """Whether the model's own forward gives NaN or +inf: then nothing can be compared with it.

        In float16 two more rows are read for that: where numbers grow too large, they often do so at the beginning of a
        text (bos: its token, if there is one), and only in some rows.
        """
        numbers = self._plain
        if numbers[0].dtype == torch.float16:
            first, second, _ = self._rows
            begun = second[: self._kept] + self._other[: self._length - self._kept]
            numbers = numbers + self._read([(bos, *first[1:]) if isinstance(bos, int) else first, begun])
        numbers = [*numbers, *(self._before_head.logits if self._before_head else ())]
        return any(bool((each.isnan() | (each == torch.inf)).any()) for each in numbers)

    def by_length(self) -> bool:
        """Whether the logits after a token depend on how many tokens follow it, though not on which.

        ValueError if they depend on the tokens that follow: then no backend is exact.
        """
        [short] = self._read([self._rows[1][: self._kept]])
        if not self.one_by_one and not self._agree([short], [self._plain[1][: self._kept]]):
            self.one_by_one = True
            self._plain = self._read(self._rows)
        if self._agree([short], [self._plain[1][: self._kept]]):
            return False
        if self._agree([self._plain[2][: self._kept]], [self._plain[1][: self._kept]]):
            return True
        raise ValueError(
            f"{self._name} cannot be served: its logits at a token depend on the tokens after it. Either it is not a "
            "causal language model as it is configured, or its layers quantise their inputs with one scale for a whole "
            "forward, as quantize_dynamic makes them (then quantise its weights only)"
        )

    def _agree(self, answers: Sequence[Tensor], expected: Sequence[Tensor]) -> bool:
        return agree([*zip(answers, expected, strict=True)], self._scale, self._halved)


def can_be_heard(hf: PreTrainedModel) -> bool:
    """Whether `BeforeHead` may stand for a model. It may not where a `forward` was put in place of another, which may
    look at its logits (accelerate's do not), nor where it is compiled, which would be done with our hook in it."""
    for module in hf.modules():
        if "_orig_mod" in module._modules or getattr(module, "_compiled_call_impl", None) is not None:
            return False
        if "forward" in vars(module) and not hasattr(module, "_hf_hook"):
            return False
    return isinstance(hf.get_output_embeddings(), nn.Module)


def _row(ids: Sequence[int], start: int, length: int) -> Row:
    """A row of different tokens, one of its first the last of `ids`."""
    last = length // 3
    places = [*range(1, last), 0, *range(last, length)]
    return tuple(ids[-1] if place == 0 else ids[(start + place * (place + 3) // 2) % len(ids)] for place in places)


def _spread(states: Tensor) -> Tensor:
    """By how much each number of hidden states `[T, H]` varies between positions: a measure for its errors. Some of
    them are large everywhere, and say little."""
    spread = states.float().std(0)
    least = torch.maximum(0.1 * spread.median(), 1e-3 * states.float().pow(2).mean().sqrt())
    return torch.maximum(spread, least)


def _halved(numbers: Sequence[Tensor]) -> bool:
    """Whether they come from half precision: a `forward` under autocast, as accelerate's, may give them in float32."""
    return any(all(each.equal(each.to(half).to(each.dtype)) for each in numbers) for half in HALVES)


def agree(pairs: Sequence[tuple[Tensor, Tensor]], scale: Tensor | float = 1.0, halved: bool = False) -> bool:
    """Whether numbers `[T, …]` are equal up to rounding, measured by `scale`: everywhere in float32, at most positions
    of each pair in half precision (halved), where a rounded router or a rounded score may go either way."""
    errors = [((a - b) / scale).abs().amax(-1) / (b / scale).abs().max() for a, b in pairs]
    if not halved and pairs[0][0].dtype not in HALVES:
        return all(bool((error <= 1e-4).all()) for error in errors)
    return all(bool(error.median() <= 5e-2) for error in errors)


# --- backends


@dataclass(frozen=True)
class Backend:
    """One of the three, and the reason why it is not a better one.

    forward: how a pass is computed; where nothing is kept, a pass of whole rows.
    alone: only for `recompute`: the logits after a token must come from a forward that ends there.
    """

    name: Literal["hook", "stock", "recompute"]
    why: str
    forward: Forward = field(repr=False)
    alone: bool = False

    @property
    def keeps(self) -> bool:
        """Whether keys and values are kept."""
        return self.name != "recompute"

    def __str__(self) -> str:
        kinds = {
            "hook": "KV tree through the attention hook",
            "stock": "KV tree through stock forwards",
            "recompute": "recompute",
        }
        return kinds[self.name] + (f": {self.why}" if self.why else "")


def choose_backend(hf: PreTrainedModel, ids: Sequence[int], hooked: bool) -> tuple[Backend, int]:
    """The best backend that gives a known answer, that of plain forwards, and how many logits a forward gives.

    ids: some different token ids for the probe, among them the padding id if there is one: some models count positions
    by it. hooked: whether there are forward hooks of the user's.

    ValueError if the model's own forward fails, or if the logits at a token depend on the tokens after it: then no
    backend is exact.
    """
    with as_served(hf):
        ropes = _ropes(hf)
        if "dynamic" in ropes:
            raise ValueError(
                f"{type(hf).__name__} cannot be served with rope_type 'dynamic': its frequencies are those of the "
                "longest row that it has read so far; those of 'yarn', 'linear' and 'llama3' are fixed"
            )
        plainly = hooked  # whether to take nothing but forwards as a user makes them for known
        if not hooked and can_be_heard(hf):
            with suppress(NotHeard):
                return _tried(hf, ids, ropes, before_head=True, one_by_one=False)
            plainly = True
        return _tried(hf, ids, ropes, before_head=False, one_by_one=plainly)


def _tried(
    hf: PreTrainedModel, ids: Sequence[int], ropes: set[str], before_head: bool, one_by_one: bool
) -> tuple[Backend, int]:
    """`choose_backend` by a probe with these options. NotHeard if what its head is given does not tell."""
    probe = Probe(hf, ids, before_head, one_by_one)
    if probe.gives_nan(getattr(hf.config.get_text_config(), "bos_token_id", None)):
        why = _why_nan(hf)
        warn(f"{type(hf).__name__}: {why}. Nothing can be drawn from NaN, and no keys and values are kept")
        return _by_itself(hf, why), probe.n_vocab
    no_hook = no_cache = "its longrope depends on the length of a forward"
    if "longrope" not in ropes:
        no_hook = _no_hook(hf) or probe.fails("hook", attention_hook.forward)
        if not no_hook:
            return Backend("hook", "", partial(attention_hook.forward, hf)), probe.n_vocab
        no_cache = _no_cache(hf) or probe.fails("stock", cache_forward.forward)
        if not no_cache:
            return Backend("stock", no_hook, partial(cache_forward.forward, hf)), probe.n_vocab
    by_length = probe.by_length()
    if by_length and "longrope" not in ropes:
        no_cache = "its logits depend on the length of a forward"
    elif probe.one_by_one and not one_by_one:  # rows of one forward change each other
        return _tried(hf, ids, ropes, before_head, one_by_one=True)
    whole_rows = partial(forward, hf, together=not probe.one_by_one)
    return Backend("recompute", no_cache, whole_rows, alone=by_length or "longrope" in ropes), probe.n_vocab


def rows_by_themselves(hf: PreTrainedModel) -> Backend:
    """How a model is served whose forward hooks are not those that the probe saw: they may address a position of a row,
    or record rows."""
    why = "forward hooks came or went after it was wrapped; while they differ, each row is read by itself"
    return _by_itself(hf, why)


def _by_itself(hf: PreTrainedModel, why: str) -> Backend:
    """What asks nothing of a model: each row is read in a forward of its own, which ends at the wanted token."""
    return Backend("recompute", why, partial(forward, hf, together=False), alone=True)


def _why_nan(hf: PreTrainedModel) -> str:
    """What to say of a model whose own forward gives NaN."""
    given = f"its own forward gives NaN or infinite numbers in {str(hf.dtype).removeprefix('torch.')}"
    if hf.dtype == torch.float16:
        return f"{given}, whose largest is 65,504: load it with dtype='bfloat16' or dtype='float32'"
    numbers = ((name, each) for name, each in hf.named_parameters() if each.is_floating_point() and not each.is_meta)
    name = next((name for name, each in numbers if not each.isfinite().all()), None)
    return given + (f": its parameter {name!r} holds such" if name else "")


@contextmanager
def as_served(hf: PreTrainedModel) -> Iterator[None]:
    """Without gradients, dropout and autocast."""
    modes = {module: module.training for module in hf.modules()}
    hf.eval()
    try:
        with torch.inference_mode(False), torch.no_grad(), torch.autocast(device_of(hf).type, enabled=False):
            yield
    finally:
        for module, mode in modes.items():
            module.training = mode


def _ropes(hf: PreTrainedModel) -> set[str]:
    """The types of its rotary embeddings."""
    rope: Any = getattr(hf.config.get_text_config(), "rope_parameters", None) or {}
    scalings = [rope] if "rope_type" in rope else [value for value in rope.values() if isinstance(value, dict)]
    return {str(scaling.get("rope_type", "default")) for scaling in scalings}


def _no_hook(hf: PreTrainedModel) -> str:
    """The reason against the attention hook, as far as it is known before anything is tried."""
    name, config = type(hf).__name__, hf.config.get_text_config()
    if not getattr(hf, "_supports_attention_backend", False) or not hf._can_set_attn_implementation():
        return f"{name} does not go through transformers' attention interface"
    if why := _no_cache(hf):
        return why
    layers = {type(layer).__name__ for layer in DynamicCache(config=config).layers}
    if strange := layers - {"DynamicLayer", "DynamicSlidingWindowLayer", "DummyLayer"}:
        return f"it caches its layers in {', '.join(sorted(strange))}"
    if getattr(config, "attn_temperature_tuning", False):
        return "its attention's temperature counts the tokens of a forward, not their positions"
    parameters = inspect.signature(hf.forward).parameters  # wrappers (peft, torch.compile) pass on what they are given
    if "logits_to_keep" not in parameters and all(p.kind is not p.VAR_KEYWORD for p in parameters.values()):
        return f"{name} takes no logits_to_keep"
    return ""


def _no_cache(hf: PreTrainedModel) -> str:
    """The reason against keeping keys and values at all."""
    if getattr(hf, "_is_stateful", False):
        return f"{type(hf).__name__} is recurrent"
    return ""
