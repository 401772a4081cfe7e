"""Only candidates whose surprise is near the expected one."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from outlines_cont.arguments import is_number
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing
from outlines_cont.kernels.rows import NEG_INF


@dataclass(frozen=True)
class TypicalP:
    """See `typical_p`."""

    mass: float
    after_warp = True

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        logprobs = torch.log_softmax(logits.double(), -1)
        probabilities = logprobs.exp()
        entropy = -(probabilities * logprobs).nansum()
        distance, order = (-logprobs - entropy).abs().sort(stable=True)
        # a candidate goes when those nearer than it already hold the mass together
        held = probabilities[order].cumsum(-1) - probabilities[order]
        last = int((held < self.mass).sum().clamp(min=1)) - 1
        near = torch.zeros_like(logits, dtype=torch.bool)
        near[order] = distance <= distance[last]
        return logits.masked_fill(~near, NEG_INF)


def typical_p(mass: float) -> TypicalP:
    """Keep the candidates whose −log p is nearest to the entropy of the law, until their probabilities sum to `mass`.

    Candidates of equal distance are kept or dropped together. It comes after temperature, top-k, top-p and min-p.
    mass: in (0, 1]. Meister et al. 2022, "Locally Typical Sampling" (arXiv:2202.00666).

    >>> typical = oc.samplers.multinomial(filters=[oc.filters.typical_p(0.5)])
    >>> oc.generate.regex(model, "[A-Z][a-z]+", typical)("Mira lives in ", seed=0)
    'Oslo'
    """
    check("mass", mass, is_number(mass) and 0 < mass <= 1, "in (0, 1]")
    return TypicalP(float(mass))
