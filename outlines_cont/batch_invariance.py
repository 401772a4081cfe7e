"""Passes whose logits after a token are, bit for bit, a function of the tokens before it: `batch_invariant=True`.

Two things decide the bits of a token. A product of matrices adds up in an order that depends on the number of its rows:
so a pass has one of a few widths that add up alike, and is filled up to it with tokens that nobody sees. Which widths
these are depends on the machine, the library, the number format and the sizes of the model, so they are tried when the
model is wrapped. And attention adds up in an order that depends on how keys lie and how many queries there are: so it
is computed for each token alone, over a copy of its row's keys in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import PreTrainedModel
from transformers.masking_utils import causal_mask_function

from outlines_cont.engines.hf import cache_forward
from outlines_cont.engines.hf.attention_hook import attention
from outlines_cont.engines.hf.attention_plan import MaskRule
from outlines_cont.engines.hf.backends import Backend, agree, as_served, rows_by_themselves
from outlines_cont.engines.hf.parameters import device_of
from outlines_cont.kernels import attention_parts
from outlines_cont.kernels.attention_parts import VisibleKeys
from outlines_cont.kv.forward import Forward, read_logits
from outlines_cont.kv.needs import Need, TokenRun
from outlines_cont.kv.pool import Pool
from outlines_cont.kv.radix_tree import Tree

#: Widths that may add up alike, the best first. On a GPU one width is likelier to than several.
WIDTHS = {"cpu": [(4, 16, 64), (1,)]}
WIDTHS_ELSEWHERE = [(4, 16, 64), (64,), (1,)]

SeenKeys = tuple[int, int, VisibleKeys | None]  # the keys from … to … that a query sees, all or those that are visible


def invariant(hf: PreTrainedModel, tier: Backend, ids: Sequence[int], context_length: int | None) -> Backend:
    """The backend, computing so that equal tokens after equal tokens get equal logits to the bit.

    ids: some token ids for the probe. ValueError if no width gives equal bits.
    """
    with as_served(hf):
        return _found(hf, tier, ids, context_length)


def _found(hf: PreTrainedModel, tier: Backend, ids: Sequence[int], context_length: int | None) -> Backend:
    if tier.name == "recompute":
        by_themselves = rows_by_themselves(hf)
        return replace(by_themselves, why=f"{tier.why}; batch-invariant, row by row")
    if tier.name == "stock":
        forward = partial(_one_by_one, hf)
        if _equal_bits(forward, ids, 1, context_length):
            return replace(tier, forward=forward, why=f"{tier.why}; batch-invariant, token by token")
    else:
        for widths in WIDTHS.get(device_of(hf).type, WIDTHS_ELSEWHERE):
            forward = InvariantForward(hf, widths)
            if _equal_bits(forward, ids, widths[-1], context_length):
                _check_answers(hf, tier, forward, ids)
                return replace(tier, forward=forward, why=f"batch-invariant, {_named(widths)}")
    raise ValueError(
        f"{type(hf).__name__} cannot be computed batch-invariantly here: equal tokens get other logits beside other "
        "tokens, however few are computed at once"
    )


def _one_by_one(hf: PreTrainedModel, tree: Tree, batch: Sequence[TokenRun]) -> tuple[Tensor, int]:
    """`cache_forward.forward`, each token in a forward of its own after its own row."""
    lines, passes = list[Tensor](), 0
    for run in batch:
        assert run.slots is not None
        slots, wanted = np.concatenate([run.slots_above(tree), run.slots]), set(run.wanted_tokens())
        for at, token in enumerate(run.ids):
            depth, logits = run.depth + at, dict[tuple[int, int], Tensor]()
            one = TokenRun([token], run.parent, depth, run.stored, marks=[(0, 0)] * (at in wanted))
            one.slots = run.slots[at : at + 1]
            cache_forward.forward_runs(hf, cast(Pool, tree.pool), [one], slots[None, :depth], logits)
            lines += logits.values()
            passes += 1
    return torch.stack(lines) if lines else torch.empty(0), passes


def _named(widths: Sequence[int]) -> str:
    if len(widths) == 1:
        return "token by token" if widths[0] == 1 else f"in passes of {widths[0]} tokens"
    return f"in passes of {', '.join(map(str, widths[:-1]))} or {widths[-1]} tokens"


def _check_answers(hf: PreTrainedModel, tier: Backend, forward: Forward, ids: Sequence[int]) -> None:
    """ValueError if the logits are others, beyond rounding, than those that the backend gives otherwise."""
    needs = [Need(tuple(ids[:12]), tuple(range(len(ids[:12])))), Need((*ids[:5], ids[-1]), (5,))]
    if not agree([(read_logits(forward, Tree(), needs)[0], read_logits(tier.forward, Tree(), needs)[0])]):
        raise ValueError(f"{type(hf).__name__} cannot be computed batch-invariantly: it gives other logits then")


def _equal_bits(forward: Forward, ids: Sequence[int], width: int, context_length: int | None) -> bool:
    """Whether a row gets equal logits in other passes, at other places of a pass, and beside other rows."""
    longest = 16 if width == 1 else width + 8
    line = tuple(ids[i * (i + 3) // 2 % len(ids)] for i in range(min(longest, context_length or longest)))
    logits_of: dict[tuple[int, ...], Tensor] = {}
    for call in _ways_to_read(line):
        tree, held = Tree(), list[Any]()
        for needs in call:
            logits, claims, _ = read_logits(forward, tree, needs)
            held += claims
            rows = [need.tokens[: position + 1] for need in needs for position in need.wanted]
            if not all(
                torch.equal(logits_of.setdefault(row, each), each) for row, each in zip(rows, logits, strict=True)
            ):
                return False
            tree.forget_logits()
    return True


def _ways_to_read(line: tuple[int, ...]) -> list[list[list[Need]]]:
    """A row in some ways, each a list of readings of one tree: whole, behind another row, in parts, and token by token
    beside none to two others."""
    few = tuple(sorted({*range(0, len(line), 7), *range(min(8, len(line)))}))

    def part(size: int) -> Need:
        return Need(line[:size], tuple(position for position in few if position < min(size, len(line))))

    def other(size: int) -> Need:
        size = min(size, len(line))
        return Need(line[::-1][:size], (size - 1,))

    return [
        [[Need(line, tuple(range(len(line))))]],
        [[other(5), part(len(line)), other(7)]],
        [[part(11)], [part(11), part(13)], [part(len(line))]],
        [[*[other(size)] * (size % 3), part(size)] for size in range(1, 9)],
    ]


@dataclass(slots=True)
class RunPiece:
    """Neighbouring tokens of a run, in one pass.

    Attributes:
        first: the place of its first token in the pass.
        begin, end: which tokens of the run.
        slots: of all tokens of its row up to its last one: int64.
    """

    run: TokenRun
    first: int
    begin: int
    end: int
    slots: np.ndarray

    @property
    def places(self) -> range:
        """Of its tokens in the pass."""
        return range(self.first, self.first + self.end - self.begin)


class InvariantForward:
    """The runs of a pass, in forwards of the given widths, in ascending order."""

    def __init__(self, hf: PreTrainedModel, widths: Sequence[int]):
        self.hf, self.widths = hf, tuple(widths)

    def __call__(self, tree: Tree, runs: Sequence[TokenRun]) -> tuple[Tensor, int]:
        """The logits `[wanted, V]` at the runs' marks, and how many forwards they took. Fills the runs' slots."""
        parts = [self._compute(cast(Pool, tree.pool), pieces) for pieces in self._passes(tree, runs)]
        return torch.cat(parts), len(parts)

    def _passes(self, tree: Tree, runs: Sequence[TokenRun]) -> Iterator[list[RunPiece]]:
        """The runs, parents first, cut into passes of at most the largest width."""
        pieces, count = list[RunPiece](), 0
        for run in runs:
            assert run.slots is not None
            slots, begin = np.concatenate([run.slots_above(tree), run.slots]), 0
            while begin < len(run.ids):
                end = min(len(run.ids), begin + self.widths[-1] - count)
                pieces.append(RunPiece(run, count, begin, end, slots[: run.depth + end]))
                count, begin = count + end - begin, end
                if count == self.widths[-1]:
                    yield pieces
                    pieces, count = [], 0
        if pieces:
            yield pieces

    def _compute(self, pool: Pool, pieces: list[RunPiece]) -> Tensor:
        device = device_of(self.hf)
        ids = [token for piece in pieces for token in piece.run.ids[piece.begin : piece.end]]
        depths = [piece.run.depth + at for piece in pieces for at in range(piece.begin, piece.end)]
        wanted = [
            piece.first + at - piece.begin
            for piece in pieces
            for at in piece.run.wanted_tokens()
            if piece.begin <= at < piece.end
        ]
        given = torch.tensor([self._filled(ids), self._filled(depths)], device=device)
        with attention(self.hf, InvariantPlan(pool, pieces)):
            logits: Tensor = self.hf(
                input_ids=given[:1],
                position_ids=given[1:],
                attention_mask=torch.ones_like(given[:1]),
                use_cache=False,
                logits_to_keep=torch.tensor(self._filled(wanted) if wanted else [0]),
            ).logits[0]
        return logits[: len(wanted)]

    def _filled(self, numbers: list[int]) -> list[int]:
        """These numbers, padded with copies of the first one to the next width."""
        width = next(width for width in self.widths if width >= len(numbers))
        return numbers + numbers[:1] * (width - len(numbers))


class InvariantPlan:
    """Stores the new keys and values of one pass, and computes its attention: each token alone. See `AttentionPlan`."""

    def __init__(self, pool: Pool, pieces: list[RunPiece]):
        self.pool, self.pieces = pool, pieces
        self.calls = 0
        stored = [piece for piece in pieces if piece.run.stored]
        self._places = [place for piece in stored for place in piece.places]
        new = [piece.slots[piece.run.depth + piece.begin :] for piece in stored]
        self._new = np.concatenate(new) if new else np.empty(0, np.int64)
        self._on: dict[torch.device, list[Tensor]] = {}
        self._seen: dict[tuple[MaskRule, torch.device], list[list[SeenKeys]]] = {}

    def attend_one_row(self, *_: Any) -> None:
        """There is one way for all."""

    def write(self, call: int, keys: Tensor, values: Tensor) -> None:
        """Store the new keys and values `[kv heads, T, head size]` of one attention call."""
        if self._places:
            places, slots, *_ = self._indices(keys.device)
            self.pool.write(call, slots, keys[:, places], values[:, places])

    def attend(
        self,
        call: int,
        query: Tensor,
        rule: MaskRule,
        scale: float,
        softcap: float | None = None,
        sinks: Tensor | None = None,
    ) -> Tensor:
        """Attention of one call: query `[H, T, D]` → `[T, H, Dv]`, zeros at places that fill the pass up."""
        heads, count, size = query.shape
        buffers = self.pool.buffers[call]
        kv_heads = len(buffers[0])
        queries = query.transpose(0, 1).contiguous().view(count, 1, kv_heads, heads // kv_heads, size)
        out = query.new_zeros(count, 1, kv_heads, heads // kv_heads, buffers[1].shape[-1])
        _, _, *paths = self._indices(query.device)
        for piece, path, seen in zip(self.pieces, paths, self._seen_under(rule, query.device), strict=True):
            keys, values = self.pool.read(call, path)
            for place, (begin, end, mask) in zip(piece.places, seen, strict=True):
                pair = keys[None, :, begin:end], values[None, :, begin:end]
                if softcap is None and sinks is None:
                    bias = mask and mask.bias(query.dtype)
                    out[place] = scaled_dot_product_attention(queries[place], *pair, bias, scale=scale)
                    continue
                part, lse = attention_parts.attend(queries[place], *pair, scale, mask, False, softcap)
                out[place] = part if sinks is None else attention_parts.sink(part, lse, sinks.view(1, kv_heads, -1))
        return out.view(count, heads, -1)

    def _indices(self, device: torch.device) -> list[Tensor]:
        """The places of the tokens that are stored, their slots, and the slots of each piece's row."""
        if device not in self._on:
            arrays = [np.array(self._places, np.int64), self._new, *(piece.slots for piece in self.pieces)]
            self._on[device] = [torch.from_numpy(array).to(device) for array in arrays]
        return self._on[device]

    def _seen_under(self, rule: MaskRule, device: torch.device) -> list[list[SeenKeys]]:
        """What each token of each piece sees under the model's own rule (causal, sliding, chunked)."""
        if (rule, device) not in self._seen:
            self._seen[rule, device] = [list(_seen(piece, rule, device)) for piece in self.pieces]
        return self._seen[rule, device]


def _seen(piece: RunPiece, rule: MaskRule, device: torch.device) -> Iterator[SeenKeys]:
    depths = torch.arange(piece.run.depth + piece.begin, piece.run.depth + piece.end)
    if rule is causal_mask_function:
        yield from ((0, depth + 1, None) for depth in depths.tolist())
        return
    zero, keys = torch.zeros((), dtype=torch.long, device=device), torch.arange(len(piece.slots))
    sees = torch.as_tensor(rule(zero, zero, depths[:, None].to(device), keys[None].to(device)))
    sees = sees.cpu().broadcast_to(len(depths), len(keys)) & (keys[None] <= depths[:, None])
    for line in sees:
        seen = line.nonzero()[:, 0]
        begin, end = int(seen[0]), int(seen[-1]) + 1
        mask = None if len(seen) == end - begin else VisibleKeys(line[None, None, None, begin:end].to(device))
        yield begin, end, mask
