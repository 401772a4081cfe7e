"""States that do not go together, since they have two models or two shapes, and what to do about it."""

from __future__ import annotations

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.state.grid import Grid


def check_same_model(a: Grid, b: Grid) -> None:
    """ValueError if the states belong to two models."""
    if a.model is not b.model:
        raise ValueError(f"states of two models do not mix: {a.model!r} and {b.model!r}: {of_another(b, a.model)}")


def check_same_shape(left: Grid, right: Grid, called: str) -> None:
    """BatchMismatch or SampleMismatch, with the expression that widens the smaller one, if not of one shape."""
    (b, s, _), (other_b, other_s, _) = left.shape, right.shape
    if b != other_b:
        raise BatchMismatch(
            f"{called}: {b} batch rows on the left, {other_b} on the right{_widened(b, other_b, 'oc.cat([t] * {}, 0)')}"
        )
    if s != other_s:
        raise SampleMismatch(
            f"{called}: {s} samples on the left, {other_s} on the right{_widened(s, other_s, 't.fork({})')}"
        )


def _widened(left: int, right: int, expression: str) -> str:
    """How the one of the two states that has only one of something, t, gets as many as the other."""
    if 1 not in (left, right) or 0 in (left, right):
        return ""
    side = "left" if left == 1 else "right"
    return f"; nothing is repeated by itself: write {expression.format(max(left, right))} for the {side} one, t"


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
