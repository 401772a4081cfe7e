"""Whether rows can be forked, cropped and branched exactly: a known answer, tried when a file is loaded."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from outlines_cont.engines.protocol import Engine
from outlines_cont.errors import ModelFileError
from outlines_cont.kv.forward import read_logits
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Tree
from outlines_cont.kv.read_plan import TokenRun

#: How far logits may lie apart, relative to the largest one: everywhere if all is float32; at most positions if
#: parameters, or keys and values, are rounded. (llama.cpp rounds in float32 files, too: 6e-4 on Gemma 3 270M.)
EXACT, ROUNDED = 2e-3, 5e-2

Row = tuple[int, ...]


def fails(engine: Engine, tolerance: float, name: str) -> str:
    """The reason why no keys and values can be kept; empty if a tree of rows gives the logits of whole rows.

    tolerance: EXACT, ROUNDED, or 0 for equal bits; name: of the file, for the error. ModelFileError if the
    logits after a token depend on the tokens after it.
    """
    line = tuple(i * (i + 7) * 5 % engine.n_vocab for i in range(1, 9))
    trunk, first, second, third = line[:4], line[4:6], line[6:8], line[3:4]
    calls: list[list[Row]] = [
        [trunk],
        [trunk + first, trunk[:2] + second, trunk + third],
        [trunk + first + second, trunk[:2] + second, trunk[:1], second],
    ]
    plain = _plain(engine, list(dict.fromkeys(row for call in calls for row in call)))
    if not _agree(tolerance, [(plain[line][:4], plain[trunk])]):
        raise ModelFileError(
            f"{name}: its logits at a token depend on the tokens after it: it is no causal language model"
        )
    tree, held = Tree(None, engine.pool()), list[Any]()
    pairs: list[tuple[Tensor, Tensor]] = []
    for rows in calls:
        needs = [Need(row, tuple(range(len(row)))) for row in rows]
        try:
            answers, claims, _ = read_logits(engine.forward, tree, needs)
        except Exception as error:
            return f"branches do not fit it ({type(error).__name__}: {error})"
        held += claims
        pairs += zip(answers.split([len(row) for row in rows]), (plain[row] for row in rows), strict=True)
        tree.forget_logits()
    return "" if _agree(tolerance, pairs) else "branches give other logits than whole rows"


def _plain(engine: Engine, rows: list[Row]) -> dict[Row, Tensor]:
    """The logits `[T, V]` of whole rows."""
    tree = Tree(None, engine.pool())
    runs = [TokenRun(row, (tree.root, 0), 0, stored=False, marks=[(i, 0) for i in range(len(row))]) for row in rows]
    logits, _ = engine.forward(tree, runs)
    return dict(zip(rows, logits.split([len(row) for row in rows]), strict=True))


def _agree(tolerance: float, pairs: list[tuple[Tensor, Tensor]]) -> bool:
    """Whether logits are equal up to rounding: everywhere if nothing is rounded, else at most positions."""
    errors = torch.cat([(a - b).abs().amax(-1) / b.abs().max() for a, b in pairs])
    return bool((errors.median() if tolerance == ROUNDED else errors).le(tolerance).all())
