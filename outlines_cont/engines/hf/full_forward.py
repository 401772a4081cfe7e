"""Plain forwards of whole rows: what a backend must agree with, and how a model is served that keeps nothing."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from outlines_cont.engines.hf.device import device_of
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.kv.read_plan import TokenRun

if TYPE_CHECKING:
    from transformers import PreTrainedModel

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
