"""The probabilities of the options of a choice by sequence, for many rows in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import torch

from outlines_cont.decode.electing import option_scores
from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.vetted_options import vetted_shares
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def option_table(settings: SpanSettings, state: SequenceState) -> torch.Tensor:
    """The probability of each option after each row of a state, float64 `(B, S, options)`; 0 after dead rows."""
    rows = [row for rows in state.rows for row in rows if not row.dead]
    shares = option_shares(state.model, settings, rows)
    table = torch.zeros(*state.shape[:2], len(settings.constraint.options), dtype=torch.float64)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            if not row.dead:
                table[b, s] = shares[row.ids]
    return table.to(state.model.device)


def option_shares(
    model: LanguageModel, settings: SpanSettings, rows: Sequence[Row]
) -> dict[tuple[int, ...], torch.Tensor]:
    """After each of these rows' tokens the probability of each option, float64 `[options]`.

    ValueError where the model's context has no room for every option.
    """
    begun = {row.ids: _begun(settings, row) for row in rows}
    waiting = [(h, h.status.scoring) for h in begun.values() if h.status.scoring is not None]
    for ids, h in begun.items():
        if h.status.scoring is None and h.status.finished != "stop":
            raise ValueError(f"a row of {len(ids)} tokens: the model's context has no room for every option")
    logits, _ = model.read([need for _, scoring in waiting for need in scoring.needs])
    lines = torch.split(logits, [sum(len(need.wanted) for need in scoring.needs) for _, scoring in waiting])
    count = len(settings.constraint.options)
    only_option = {
        ids: (torch.zeros if h.status.died else torch.ones)(count, dtype=torch.float64) for ids, h in begun.items()
    }  # it is ""
    return only_option | {
        h.row.ids: _shares(h, scoring, logits) for (h, scoring), logits in zip(waiting, lines, strict=True)
    }


def _shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.zeros(len(scoring.numbers), dtype=torch.float64)
    with suppress(Unsatisfied):
        among_accepted = vetted_shares(h, option_scores(h, logits).shares)
        shares[list(scoring.numbers)] = torch.tensor(among_accepted, dtype=torch.float64).exp()
    return shares


def _begun(settings: SpanSettings, row: Row) -> Hypothesis:
    """A row that waits for its options; dead, if there is only one and the predicate refuses it."""
    try:
        return Hypothesis.begin(settings, row)[0]
    except Unsatisfied as error:
        return failing_row(settings, row, error)[0]
