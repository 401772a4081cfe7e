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
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def option_table(settings: SpanSettings, state: SequenceState) -> torch.Tensor:
    """The probability of each option after each row of a state, float64 `(B, S, options)`; 0 after dead rows.

    ValueError where the model's context has no room for every option.
    """
    table = torch.zeros(*state.shape[:2], len(settings.constraint.options), dtype=torch.float64)
    places = [(b, s) for b, rows in enumerate(state.rows) for s, row in enumerate(rows) if not row.dead]
    begun = {(b, s): _begun(settings, state.rows[b][s]) for b, s in places}
    lines = _lines(state.model, [h.status.scoring for h in begun.values() if h.status.scoring is not None])
    for (b, s), h in begun.items():
        if h.status.scoring is not None:
            table[b, s] = _shares(h, h.status.scoring, lines[id(h.status.scoring)])
        elif h.status.finished != "stop":
            length = len(state.rows[b][s])
            raise ValueError(f"a row of {length} tokens: the model's context has no room for every option")
        elif not h.status.died:
            table[b, s, settings.constraint.options.index("")] = 1  # the only option that there is
    return table.to(state.model.device)


def _lines(model: LanguageModel, scorings: list[OptionScoring]) -> dict[int, torch.Tensor]:
    """The logits that scorings asked for, by their identity: equal rows share one, and all are read together."""
    apart = {id(scoring): scoring for scoring in scorings}
    logits, _ = read(model, [need for scoring in apart.values() for need in scoring.needs])
    counts = [sum(len(need.wanted) for need in scoring.needs) for scoring in apart.values()]
    return dict(zip(apart, torch.split(logits, counts), strict=True))


def _shares(h: Hypothesis, scoring: OptionScoring, logits: torch.Tensor) -> torch.Tensor:
    """The probability of each option, `[options]`, from the logits that its scoring asked for."""
    shares = torch.zeros(len(h.settings.constraint.options), dtype=torch.float64)
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
