"""States in which nothing is generated yet: prompts, and rows that were made of them, each with its random key."""

from __future__ import annotations

from collections.abc import Sequence

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.keys import Keys, checked_keys, lineages
from outlines_cont.state.prompts import Prompts, listed, prompt_row
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState


def prompt_state(
    model: LanguageModel, prompts: Prompts, special: bool = False, keys: Keys | None = None
) -> SequenceState:
    """See `Model.state`."""
    return row_state(model, [prompt_row(model, prompt, special) for prompt in listed(prompts)], keys)


def row_state(model: LanguageModel, rows: Sequence[Row], keys: Keys | None = None) -> SequenceState:
    """A state `(B, 1, T)` of these rows, each with the lineage of its key; without keys, of its place."""
    paths = lineages(None if keys is None else checked_keys(keys), len(rows))
    keyed = [[model.claimed(row.keyed(path))] for row, path in zip(rows, paths, strict=True)]
    return SequenceState(model, keyed, samples=1)
