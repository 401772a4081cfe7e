"""Some tokens are never drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from outlines_cont.arguments import brief, plain, shown
from outlines_cont.decode.samplers.filters.tokens import Token, checked_token, column_of
from outlines_cont.decode.writing import Writing
from outlines_cont.kernels.rows import NEG_INF


@dataclass(frozen=True)
class SuppressTokens:
    """See `suppress_tokens`."""

    tokens: tuple[Token, ...]

    __repr__ = brief

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        columns = [column_of("suppress_tokens", token, row.vocabulary) for token in self.tokens]
        logits[torch.tensor(columns, device=logits.device)] = NEG_INF
        return logits


def suppress_tokens(tokens: Sequence[Token]) -> SuppressTokens:
    """These tokens are never drawn. Forced runs are appended without a draw, and may contain them.

    tokens: each an id, the text of exactly one token, or None for the stop.

    >>> dull = oc.filters.suppress_tokens([" blue", " white"])
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[dull]))("The sky is", max_tokens=1) in (" blue", " white")
    False
    """
    tokens = plain(tokens)
    if not isinstance(tokens, (list, tuple)) or not tokens:
        raise TypeError(f"suppress_tokens() takes a list of tokens, not {shown(tokens)}")
    return SuppressTokens(tuple(checked_token("suppress_tokens", token) for token in tokens))
