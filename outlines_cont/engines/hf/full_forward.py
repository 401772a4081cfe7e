"""Plain forwards of whole rows: what a backend must agree with, and how a model is served that keeps nothing."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from outlines_cont.engines.hf.device import device_of
from outlines_cont.kv.need import Need
from outlines_cont.kv.read_plan import Counts

if TYPE_CHECKING:
    from transformers import PreTrainedModel

RECOMPUTED_TOKENS = 4096  # in one forward


def full_forward(hf: PreTrainedModel, rows: Sequence[tuple[int, ...]], wanted: Sequence[int] | None = None) -> Tensor:
    """A plain forward of equally long rows: logits `[rows, wanted or T, V]`."""
    ids = torch.tensor(rows, device=device_of(hf))
    options: dict[str, Any] = {}
    if wanted is not None and "logits_to_keep" in inspect.signature(hf.forward).parameters:
        options["logits_to_keep"] = torch.tensor(wanted)
    logits: Tensor = hf(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False, **options).logits
    if logits.shape[1] != (len(wanted or ()) if options else ids.shape[1]):
        name, shape = type(hf).__name__, (logits.shape[1], ids.shape[1])
        raise ValueError(f"{name} cannot be served: it gives {shape[0]} logits for {shape[1]} tokens")
    return logits if wanted is None or options else logits[:, list(wanted)]


def recomputed(hf: PreTrainedModel, needs: Sequence[Need], alone: bool) -> tuple[Tensor, Counts]:
    """The logits `[Σ len(wanted), V]` from full forwards of the distinct rows. If none are wanted, they are an empty
    tensor of any shape, and nothing is computed.

    `alone`: the logits after a token come from a forward that ends with it.
    """
    counts = Counts()
    if alone:
        needs = [Need(need.tokens[: at + 1], (at,)) for need in needs for at in need.wanted]
    needs = [need for need in needs if need.wanted]
    rows = [need.tokens for need in needs]
    wanted: dict[int, set[int]] = {}  # by length of row
    for need, row in zip(needs, rows, strict=True):
        wanted.setdefault(len(row), set()).update(need.wanted)
    logits: dict[tuple[tuple[int, ...], int], Tensor] = {}  # (row, position) → [V]
    for length, positions in wanted.items():
        alike = sorted({row for row in rows if len(row) == length})
        logits |= _logits_of_rows(hf, alike, sorted(positions), counts)
    pairs = [(row, at) for need, row in zip(needs, rows, strict=True) for at in need.wanted]
    return torch.stack([logits[pair] for pair in pairs]) if pairs else torch.empty(0), counts


def _logits_of_rows(
    hf: PreTrainedModel, rows: list[tuple[int, ...]], positions: list[int], counts: Counts
) -> dict[tuple[tuple[int, ...], int], Tensor]:
    """The logits of distinct, equally long rows at some positions, in forwards that are not too large."""
    logits: dict[tuple[tuple[int, ...], int], Tensor] = {}
    length = len(rows[0])
    step = max(1, RECOMPUTED_TOKENS // length)
    for batch in (rows[i : i + step] for i in range(0, len(rows), step)):
        for row, lines in zip(batch, full_forward(hf, batch, positions), strict=True):
            logits.update({(row, at): line for at, line in zip(positions, lines, strict=True)})
        counts.passes += 1
        counts.tokens += length * len(batch)
    return logits
