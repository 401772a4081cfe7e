"""A number is added to the logits of some tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from outlines_cont.arguments import brief, is_number, shown
from outlines_cont.decode.samplers.filters.tokens import Token, checked_token, column_of
from outlines_cont.decode.writing import Writing


@dataclass(frozen=True)
class LogitBias:
    """See `logit_bias`."""

    biases: tuple[tuple[Token, float], ...]

    __repr__ = brief

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        columns = [column_of("logit_bias", token, row.vocabulary) for token, _ in self.biases]
        biases = torch.tensor([bias for _, bias in self.biases], dtype=logits.dtype, device=logits.device)
        return logits.index_add(0, torch.tensor(columns, device=logits.device), biases)


def logit_bias(biases: Mapping[Token, float]) -> LogitBias:
    """A number is added to the logit of each of these tokens: −inf bans it.

    biases: by token, which is an id, the text of exactly one token, or None for the stop.

    >>> blue = oc.filters.logit_bias({" blue": -100.0})
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[blue]))("The sky is", max_tokens=1)
    ' white'
    """
    right = "logit_bias() takes a dict {token: number}, an id or the text of one token"
    if not isinstance(biases, Mapping) or not biases:
        raise TypeError(f"{right}, not {shown(biases)}")
    for bias in biases.values():
        if not (is_number(bias) or bias == -torch.inf):
            raise ValueError(f"{right}; {shown(bias)} is no number")
    return LogitBias(tuple((checked_token("logit_bias", token), float(bias)) for token, bias in biases.items()))
