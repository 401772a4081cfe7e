"""Filters that need no more than a row and its logits: biases, penalties, suppressed tokens, typical ones."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from outlines_cont.arguments import brief, half_character, is_number, is_whole, plain, shown
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF

# --- tokens as users name them in filters: by id, or by the text of exactly one token

Token = int | str | None


def checked_token(name: str, token: Any) -> Token:
    """An id, a text, or None for the stop. TypeError for anything else."""
    if token is None or (isinstance(token, str) and token and not half_character(token)):
        return token
    if isinstance(token, str) or not is_whole(token):
        raise TypeError(f"{name}(): a token is an id, the text of one token, or None for the stop; not {shown(token)}")
    return operator.index(token)


def column_of(name: str, token: Token, vocabulary: Vocabulary) -> int:
    """The column of a candidate: that of a token, or the last one for the stop, for which any eos stands, too.

    Raises:
        ValueError: the vocabulary has no such token.
    """
    if isinstance(token, str):
        ids = vocabulary.derived(_ids_by_bytes).get(token.encode())
        if ids is None:
            raise ValueError(f"{name}(): {token!r} is no single token of {vocabulary!r}; give its ids")
        token = ids
    if token is None or token in vocabulary.eos:
        return len(vocabulary)
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"{name}(): token {token} is outside the vocabulary of {len(vocabulary)} tokens")
    return token


def _ids_by_bytes(vocabulary: Vocabulary) -> dict[bytes, int]:
    """The id of each token by its bytes: of equal ones a token of text, and the smallest."""
    special, tokens = vocabulary.special, vocabulary.tokens
    ordered = [*reversed([i for i in range(len(tokens)) if i in special])]
    ordered += reversed([i for i in range(len(tokens)) if i not in special])
    return {tokens[i]: i for i in ordered if tokens[i]}


# --- a number is added to the logits of some tokens


@dataclass(frozen=True)
class LogitBias:
    """See `logit_bias`."""

    biases: tuple[tuple[Token, float], ...]

    __repr__ = brief

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        columns = [column_of("logit_bias", token, row.vocabulary) for token, _ in self.biases]
        biases = torch.tensor([bias for _, bias in self.biases], dtype=logits.dtype, device=logits.device)
        return logits.index_add(0, torch.tensor(columns, device=logits.device), biases)


def logit_bias(biases: Mapping[Token, float]) -> LogitBias:
    """A number is added to the logit of each of these tokens: −inf bans it.

    biases: by token, which is an id, the text of exactly one token, or None for the stop.

    >>> blue = oc.filters.logit_bias({" blue": -100.0})
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[blue]))("The sky is", max_tokens=1)
    ' white'
    """
    right = "logit_bias() takes a dict {token: number}, an id or the text of one token"
    if not isinstance(biases, Mapping) or not biases:
        raise TypeError(f"{right}, not {shown(biases)}")
    for bias in biases.values():
        if not (is_number(bias) or bias == -torch.inf):
            raise ValueError(f"{right}; {shown(bias)} is no number")
    return LogitBias(tuple((checked_token("logit_bias", token), float(bias)) for token, bias in biases.items()))


# --- a span does not stop before it has some tokens


@dataclass(frozen=True)
class MinTokens:
    """See `min_tokens`."""

    count: int

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        if len(row) - row.start < self.count and bool((logits[:-1] > NEG_INF).any()):
            logits[-1] = NEG_INF
        return logits


def min_tokens(count: int) -> MinTokens:
    """The span does not stop before it has this many tokens, unless its constraint allows no other token.

    A string of `stop_at` can still end it earlier.

    >>> ten = oc.samplers.greedy(filters=[oc.filters.min_tokens(10)])
    >>> state = oc.generate.text(model, ten).run("The capital of France is ", max_tokens=20)
    >>> state.spans[0][0][-1].end - state.spans[0][0][-1].start >= 10
    True
    """
    check("count", count, is_whole(count) and count >= 0, "an int ≥ 0")
    return MinTokens(operator.index(count))


# --- tokens that stand in the row already become less likely


@dataclass(frozen=True)
class RepetitionPenalty:
    """See `repetition_penalty`."""

    penalty: float

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        eos = row.vocabulary.eos
        columns = {len(logits) - 1 if token in eos else token for token in row.ids}
        places = torch.tensor(sorted(columns), device=logits.device)
        seen = logits[places]
        logits[places] = torch.where(seen < 0, seen * self.penalty, seen / self.penalty)
        return logits


def repetition_penalty(penalty: float) -> RepetitionPenalty:
    """The logits of all tokens of the row, prompt included, are divided by `penalty` if positive, else multiplied.

    An eos in the row, as a chat has it, counts for the stop. penalty: > 0; above 1 it makes repetition less likely.
    Keskar et al. 2019, "CTRL" (arXiv:1909.05858); the setting of this name of transformers' `generate()`.

    >>> new = oc.samplers.greedy(filters=[oc.filters.repetition_penalty(5.0)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty) and penalty > 0, "a number > 0")
    return RepetitionPenalty(float(penalty))


# --- some tokens are never drawn


@dataclass(frozen=True)
class SuppressTokens:
    """See `suppress_tokens`."""

    tokens: tuple[Token, ...]

    __repr__ = brief

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        columns = [column_of("suppress_tokens", token, row.vocabulary) for token in self.tokens]
        logits[torch.tensor(columns, device=logits.device)] = NEG_INF
        return logits


def suppress_tokens(tokens: Sequence[Token]) -> SuppressTokens:
    """These tokens are never drawn. Forced runs are appended without a draw, and may contain them.

    tokens: each an id, the text of exactly one token, or None for the stop.

    >>> dull = oc.filters.suppress_tokens([" blue", " white"])
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[dull]))("The sky is", max_tokens=1) in (" blue", " white")
    False
    """
    tokens = plain(tokens)
    if not isinstance(tokens, (list, tuple)) or not tokens:
        raise TypeError(f"suppress_tokens() takes a list of tokens, not {shown(tokens)}")
    return SuppressTokens(tuple(checked_token("suppress_tokens", token) for token in tokens))


# --- only candidates whose surprise is near the expected one


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
