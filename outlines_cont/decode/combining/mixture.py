"""Which logits the law of a row is combined of: ∝ exp(main_weight · main + Σ weight · other), before its constraint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from outlines_cont.decode.combining.combined_law import CombinedLaw
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks, law_of
from outlines_cont.kernels.constrain import Scratch
from outlines_cont.kernels.laws import Law
from outlines_cont.kernels.rows import NEG_INF
from outlines_cont.state.combination import Combination


class WeighedLogits(NamedTuple):
    """The logits of one context, `[lines, V]`, of which the law takes one line."""

    weight: float
    logits: Tensor
    line: int


class Mixture(NamedTuple):
    """What a row's law is combined of, besides its own logits. The default is the row's own law."""

    main_weight: float = 1.0
    normalize: bool = True
    parts: tuple[WeighedLogits, ...] = ()

    @classmethod
    def of(cls, beside: Combination, parts: Sequence[WeighedLogits]) -> Mixture:
        """That of a row with these contexts; parts: of those that have a weight."""
        return cls(beside.main_weight, beside.normalize, tuple(parts))


PURE = Mixture()  # a row's own law
Mixtures = dict[int, Mixture]  # of rows, by their places among those that draw


def combined_logits(logits: Tensor, mixtures: Sequence[Mixture]) -> tuple[Tensor, Tensor | None]:
    """The log-densities of each row's tokens, float32 `[rows, V]`, and, if there are any, which are not defined: those
    to which a context of negative weight gives probability 0 and the model does not.

    logits: the rows' own, `[rows, V]`. A token to which these give probability 0 has density 0. ValueError for the
    first row with a context whose logits are no law.
    """
    density = logits.detach().float().clone()
    mixed = [row for row, mixture in enumerate(mixtures) if mixture != PURE]
    if not mixed:
        return density, None
    main = torch.log_softmax(density[mixed], -1)
    refused = main == NEG_INF
    undefined = torch.zeros_like(density, dtype=torch.bool)
    sums = main * _column([mixtures[row].main_weight for row in mixed], density)
    for place in range(max(len(mixtures[row].parts) for row in mixed)):
        at = [i for i, row in enumerate(mixed) if place < len(mixtures[row].parts)]
        parts = [mixtures[mixed[i]].parts[place] for i in at]
        others = _log_law(parts, [mixed[i] for i in at], place, density.device)
        weights, impossible = _column([part.weight for part in parts], density), others == NEG_INF
        undefined[[mixed[i] for i in at]] |= impossible & (weights < 0) & ~refused[at]
        sums[at] = (sums[at] + others.masked_fill(impossible, 0.0) * weights).masked_fill(impossible, NEG_INF)
    density[mixed] = sums.masked_fill(refused, NEG_INF)
    return density, undefined if bool(undefined.any()) else None


def _column(weights: Sequence[float], like: Tensor) -> Tensor:
    return torch.tensor(weights, dtype=like.dtype, device=like.device)[:, None]


def _log_law(parts: Sequence[WeighedLogits], rows: Sequence[int], place: int, device: torch.device) -> Tensor:
    """The log-probabilities `[parts, V]` of contexts that stand in this place beside these rows."""
    lines = torch.stack([part.logits[part.line].detach().to(device).float() for part in parts])
    others = torch.log_softmax(lines, -1)
    if bool(torch.isnan(others).any()):
        row = rows[int(torch.isnan(others).any(-1).nonzero()[0])]
        raise ValueError(
            f"row {row}: the logits of a context beside it (number {place} of those with a weight; 0 is what "
            "step(proposal=…) was given) hold NaN or +inf, or are all −inf"
        )
    return others


def combined_law(
    live: Sequence[Hypothesis],
    logits: Tensor,
    mixtures: Sequence[Mixture],
    scratch: Scratch,
    prepared: PreparedMasks,
) -> CombinedLaw:
    """The law of what comes next in each of these rows, from its logits `[live, V]` and those that stand beside.

    ValueError for the first row whose contexts give no law.
    """
    density, undefined = combined_logits(logits, mixtures)
    main = law_of(live, logits, scratch, True, prepared)
    drawn = law_of(live, density, Scratch(), True, prepared)
    assert isinstance(main, Law) and isinstance(drawn, Law)
    if undefined is not None:
        _check_defined(live, drawn, main, undefined)
    ranked = any(h.settings.ranks_by_logprobs for h in live)
    return CombinedLaw.of(main, drawn, [not mixture.normalize for mixture in mixtures], ranked)


def _check_defined(live: Sequence[Hypothesis], drawn: Law, main: Law, undefined: Tensor) -> None:
    """ValueError if what is not defined may be drawn, as a token or in the mass of the stop."""
    for row, h in enumerate(live):
        allowed = main.logits[row, : drawn.stop] > NEG_INF
        stops = h.at.guide.accepting(h.at.state)
        wrong = undefined[row] if stops else undefined[row] & allowed
        if bool(wrong.any()):
            token = h.encoder.vocabulary.tokens[int(wrong.nonzero()[0])]
            raise ValueError(
                f"row {row}: a context of negative weight gives probability 0 to {token!r}, which the model's own law "
                "does not: their difference is infinite. Give that context a weight ≥ 0, or logits without −inf"
            )


def combined_logprobs(logits: Tensor, mixtures: Sequence[Mixture], tokens: Sequence[int]) -> list[float]:
    """The combined log-probability of a token at each of these lines `[n, V]`, before any constraint."""
    density, _ = combined_logits(logits, mixtures)
    values = density.gather(-1, torch.tensor(tokens, device=density.device)[:, None])[:, 0]
    normalized = torch.tensor([mixture.normalize for mixture in mixtures], device=density.device)
    return torch.where(normalized, values - density.logsumexp(-1), values).tolist()
