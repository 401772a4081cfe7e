"""The probabilities of the options of a choice by sequence, for many rows in one pass."""

from __future__ import annotations

from contextlib import suppress

import torch

from outlines_cont.decode.electing import option_scores
from outlines_cont.decode.failed_rows import failing_row
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.decode.vetted_options import vetted_shares
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def option_table(settings: SpanSettings, state: SequenceState) -> torch.Tensor:
    """The probability of each option after each row of a state, float64 `(B, S, options)`; 0 after dead rows.

    ValueError where the model's context has no room for every option.
    """
    live = [((b, s), row) for b, rows in enumerate(state.rows) for s, row in enumerate(rows) if not row.dead]
    begun = {place: _begun(settings, row) for place, row in live}
    scorings = {id(h.status.scoring): h.status.scoring for h in begun.values() if h.status.scoring is not None}
    logits, _ = state.model.read([need for scoring in scorings.values() for need in scoring.needs])
    counts = [sum(len(need.wanted) for need in scoring.needs) for scoring in scorings.values()]
    lines = dict(zip(scorings, torch.split(logits, counts), strict=True))
    table = torch.zeros(*state.shape[:2], len(settings.constraint.options), dtype=torch.float64)
    for place, h in begun.items():
        if h.status.scoring is not None:
            table[place] = _shares(h, h.status.scoring, lines[id(h.status.scoring)])
        elif not h.status.died:
            table[place] = 1  # the only option, which is ""
    return table.to(state.model.device)


def _shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.zeros(len(scoring.numbers), dtype=torch.float64)
    with suppress(Unsatisfied):
        among_accepted = vetted_shares(h, option_scores(h, logits).shares)
        shares[list(scoring.numbers)] = torch.tensor(among_accepted, dtype=torch.float64).exp()
    return shares


def _begun(settings: SpanSettings, row: Row) -> Hypothesis:
    """A row that waits for its options; dead, if there is only one and the predicate refuses it. ValueError if the
    context has no room for them."""
    try:
        h = Hypothesis.begin(settings, row)[0]
    except Unsatisfied as error:
        return failing_row(settings, row, error)[0]
    if h.status.scoring is None and h.status.finished != "stop":
        raise ValueError(f"a row of {len(row)} tokens: the model's context has no room for every option")
    return h
