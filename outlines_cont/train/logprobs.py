"""`tree_logprobs()`: the log-probabilities of what states hold, with gradients to the model's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from outlines_cont.arguments import flag, whole_number
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import ContextFull
from outlines_cont.explained import explained
from outlines_cont.generate.asked import checked_model
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState, cat
from outlines_cont.train.packed import LearnedRow, values_of


class TreeLogprobs(NamedTuple):
    """What `tree_logprobs` gives for a state.

    Attributes:
        logprobs: `(B, S, T)`, of the generated tokens, in nats; 0 elsewhere.
        mask: bool `(B, S, T)`, which tokens were generated.
        entropies: `(B, S, T)`, of the model's law at each generated token, in nats, 0 elsewhere; None if they were not
            asked for.

    >>> state = oc.continuous(oc.generate.text(model))("The sky is", max_tokens=2, seed=1)
    >>> logprobs, mask, _ = oc.train.tree_logprobs(state)
    >>> logprobs.requires_grad, mask[0, 0].tolist()
    (True, [False, False, False, False, False, False, True, True])
    """

    logprobs: Tensor
    mask: Tensor
    entropies: Tensor | None


@explained
def tree_logprobs(
    states: SequenceState | Sequence[SequenceState],
    model: LanguageModel | None = None,
    *,
    grad: bool = True,
    chunk: int | None = None,
    entropies: bool = False,
) -> TreeLogprobs:
    """The log-probability of every generated token of one or many states, with gradients to the model's parameters.

    These are the model's own log-probabilities, from unmasked logits at temperature 1, each in the context of its row,
    as `state.rescore()` gives them: float32, or float64 if the logits are. All rows of all states are read in one pass
    over their trie: what rows begin with in common is computed once. The pass uses the model as it is: its adapters,
    its precision, autocast, gradient checkpointing, and in train mode its dropout, which rows share where they begin
    alike. It neither reads nor fills the KV tree. A model whose tier is not `hook` reads plain padded rows; a warning
    says so, with the price.

    Args:
        states: a state, or a list of them, which is taken as `oc.cat(states, 0)`. Every row is alive and has a
            generated token; no row holds a graft.
        model: whose log-probabilities; None: the states' own model. Another one has an equal vocabulary.
        grad: False: without gradients.
        chunk: the most positions in one pass, padding included; None: any number. The trie is cut between rows, and
            what parts have in common is computed in each. Where there are several parts, each is computed once more
            in `backward()`: so memory is that of one part.
        entropies: whether to give the entropies of the laws, too, with gradients.

    Raises:
        TypeError: something else than states; a model without parameters here.
        ValueError: states of two models; another vocabulary; a dead row, a row with a graft, one without
            generated tokens, or one that begins with a generated token; a chunk that does not hold the longest row; a
            model whose logits depend on the length of a forward.
        ContextFull: a row that is longer than the model's context.

    >>> step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)), name="answer")
    >>> state = step("The sky is", max_tokens=8, seed=0)
    >>> logprobs = oc.train.tree_logprobs(state).logprobs
    >>> (-logprobs.sum(-1)).mean().backward()
    >>> logprobs.allclose(state.logprobs.float(), atol=1e-4)
    True
    >>> model.hf.zero_grad()
    """
    state = states if isinstance(states, SequenceState) else cat(states, 0)
    learner = _checked_learner(state.model if model is None else checked_model(model, "tree_logprobs(model=…)"))
    if learner.vocabulary != state.model.vocabulary:
        raise ValueError(
            f"tree_logprobs(model=…): the model has another vocabulary, {learner.vocabulary!r}, than the states, "
            f"{state.model.vocabulary!r}"
        )
    places = ((f"row [{b}, {s}]", row) for b, group in enumerate(state.rows) for s, row in enumerate(group))
    if not (rows := [_learned(row, place) for place, row in places]):
        raise ValueError("tree_logprobs(): there are no rows")
    _check_lengths(rows, learner.context_length, chunk)
    flags = flag(grad, "grad"), flag(entropies, "entropies")
    values = values_of(learner, rows, grad=flags[0], chunk=chunk, entropies=flags[1])
    mask = torch.zeros(state.shape, dtype=torch.bool)
    for line, row in zip(mask.view(-1, state.shape[2]), rows, strict=True):
        line[list(row.wanted)] = True
    mask = mask.to(values.device)
    logprobs, *others = (values.new_zeros(mask.shape).masked_scatter(mask, each) for each in values)
    return TreeLogprobs(logprobs, mask, others[0] if others else None)


def _checked_learner(model: Any) -> Any:
    """The model, which is a transformers model whose forwards are the same whatever they are made of."""
    if not isinstance(getattr(model, "hf", None), nn.Module):
        raise TypeError(f"tree_logprobs() needs the parameters of a transformers model, and {model!r} has none here")
    check_learns(model, "tree_logprobs()")
    if model.tier.why.endswith("on the length of a forward"):
        raise ValueError(
            f"tree_logprobs(): rows of {type(model.hf).__name__} have no logits of their own: {model.tier}"
        )
    return model


def check_learns(model: Any, called: str) -> None:
    """ValueError for a model of `with_adapter`: a backward pass may compute forwards again, under other adapters."""
    if getattr(model.engine, "adapters", None) is not None:
        raise ValueError(
            f"{called}: {model!r} is for reading. Give the model that with_adapter() was called on: the adapter that "
            "model.hf.set_adapter(…) sets is the one that is trained"
        )


def _learned(row: Row, place: str) -> LearnedRow:
    """The tokens of a row, and which of them are wanted. ValueError, with its place, for one that cannot be learned."""
    wanted = tuple(at for at, value in enumerate(row.logprobs) if value is not None)
    if row.dead:
        reason = "is dead: it has no tokens. Give the live rows, as a list of states: [state[b, s, :], …]"
    elif row.reads_graft:
        reason = "holds a graft, whose keys and values are of another text: state.rescore() gives it without"
    elif not wanted:
        reason = "has no generated token"
    elif not wanted[0]:
        reason = "begins with a generated token, which has no context: keep the prompt"
    else:
        return LearnedRow(row.ids, wanted)
    raise ValueError(f"tree_logprobs(): {place} {reason}")


def _check_lengths(rows: Sequence[LearnedRow], context_length: int | None, chunk: Any) -> None:
    longest = max(len(row.context) for row in rows)
    if context_length is not None and longest > context_length:
        raise ContextFull(f"tree_logprobs(): a row of {longest + 1} tokens; the model's context has {context_length}")
    if chunk is not None and whole_number(chunk, "chunk", "an int, or None") < longest:
        raise ValueError(f"chunk={chunk}: it must hold the longest row, {longest} positions without its last token")
