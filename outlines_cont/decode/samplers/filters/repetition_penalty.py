"""Tokens that stand in the row already become less likely."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from outlines_cont.arguments import is_number
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing


@dataclass(frozen=True)
class RepetitionPenalty:
    """See `repetition_penalty`."""

    penalty: float

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        eos = row.vocabulary.eos
        columns = {len(logits) - 1 if token in eos else token for token in row.ids}
        places = torch.tensor(sorted(columns), device=logits.device)
        seen = logits[places]
        logits[places] = torch.where(seen < 0, seen * self.penalty, seen / self.penalty)
        return logits


def repetition_penalty(penalty: float) -> RepetitionPenalty:
    """The logits of all tokens of the row, prompt included, are divided by `penalty` if positive, else multiplied.

    An eos in the row, as a chat has it, counts for the stop. penalty: > 0; above 1 it makes repetition less likely.
    Keskar et al. 2019, "CTRL" (arXiv:1909.05858); the setting of this name of transformers' `generate()`.

    >>> new = oc.samplers.greedy(filters=[oc.filters.repetition_penalty(5.0)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty) and penalty > 0, "a number > 0")
    return RepetitionPenalty(float(penalty))
