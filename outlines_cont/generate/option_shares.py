"""The probabilities of the options of a choice by sequence, for many rows in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from outlines_cont.decode.electing import option_scores
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.row import Row


def option_shares(
    model: LanguageModel, settings: SpanSettings, rows: Sequence[Row]
) -> dict[tuple[int, ...], torch.Tensor]:
    """After each of these rows' tokens the probability of each option, float64 `[options]`.

    ValueError where the model's context has no room for every option.
    """
    begun = {row.ids: Hypothesis.begin(settings, row)[0] for row in rows}
    waiting = [(h, h.status.scoring) for h in begun.values() if h.status.scoring is not None]
    for ids, h in begun.items():
        if h.status.scoring is None and h.status.finished != "stop":
            raise ValueError(f"a row of {len(ids)} tokens: the model's context has no room for every option")
    logits, _ = model.read([need for _, scoring in waiting for need in scoring.needs])
    lines = torch.split(logits, [sum(len(need.wanted) for need in scoring.needs) for _, scoring in waiting])
    only_option = torch.ones(len(settings.constraint.options), dtype=torch.float64)  # it is ""
    return dict.fromkeys(begun, only_option) | {
        h.row.ids: _shares(h, scoring, logits) for (h, scoring), logits in zip(waiting, lines, strict=True)
    }


def _shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.empty(len(scoring.numbers), dtype=torch.float64)
    shares[list(scoring.numbers)] = torch.tensor(option_scores(h, logits).shares, dtype=torch.float64).exp()
    return shares
