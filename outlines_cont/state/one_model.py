"""States that belong to two models, and what to do about it."""

from __future__ import annotations

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.grid import Grid


def check_same_model(a: Grid, b: Grid) -> None:
    """ValueError if the states belong to two models."""
    if a.model is not b.model:
        raise ValueError(f"states of two models do not mix: {a.model!r} and {b.model!r}: {of_another(b, a.model)}")


def of_another(state: Grid, model: LanguageModel) -> str:
    """How a state of another model becomes one of this model."""
    if state.model.vocabulary == model.vocabulary:
        return "these are two Model objects with equal vocabularies, state.to(model) moves it"
    theirs, ours = state.model.vocabulary, model.vocabulary
    if theirs.tokens == ours.tokens and theirs.eos != ours.eos:
        return (
            f"their tokens are equal, but those that end a text are {theirs.eos} and {ours.eos} (they come from the "
            "tokenizer and the model's generation config), model.state(list(state)) reads its texts anew"
        )
    return "their vocabularies differ, model.state(list(state)) reads its texts anew"
