"""A span does not stop before it has some tokens."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from torch import Tensor

from outlines_cont.arguments import is_whole
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing
from outlines_cont.kernels.rows import NEG_INF


@dataclass(frozen=True)
class MinTokens:
    """See `min_tokens`."""

    count: int

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        if len(row) - row.start < self.count and bool((logits[:-1] > NEG_INF).any()):
            logits[-1] = NEG_INF
        return logits


def min_tokens(count: int) -> MinTokens:
    """The span does not stop before it has this many tokens, unless its constraint allows no other token.

    A string of `stop_at` can still end it earlier.

    >>> ten = oc.samplers.greedy(filters=[oc.filters.min_tokens(10)])
    >>> state = oc.generate.text(model, ten).run("The capital of France is ", max_tokens=20)
    >>> state.spans[0][0][-1].end - state.spans[0][0][-1].start >= 10
    True
    """
    check("count", count, is_whole(count) and count >= 0, "an int ≥ 0")
    return MinTokens(operator.index(count))
