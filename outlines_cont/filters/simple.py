"""What filters are made of; and those that need no more than logits: biases, suppressed tokens, typical ones."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import torch
from torch import Tensor

from outlines_cont.arguments import BRIEF, half_character, is_number, is_whole, plain, shown
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF

# --- a filter as a value


@dataclass(frozen=True)
class Filter:
    """A filter: a function of a row, its logits, and the options that a user gave."""

    function: Callable[..., Tensor]
    options: tuple[Any, ...]
    after_warp: bool = False

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        return self.function(row, logits, *self.options)

    def __repr__(self) -> str:
        """How it is written, without options that are as they are by default."""
        from outlines_cont import filters

        name = self.function.__name__[1:]
        named = signature(getattr(filters, name)).parameters.values()
        told = (pair for pair in zip(named, self.options, strict=True) if pair[1] != pair[0].default)
        return f"{name}({', '.join(f'{each.name}={shown(value, BRIEF)}' for each, value in told)})"


# --- tokens as users name them in filters: by id, or by the text of exactly one token

Token = int | str | None


def checked_token(name: str, token: Any) -> Token:
    """An id, a text, or None for the stop. TypeError for anything else."""
    if token is None or (isinstance(token, str) and token and not half_character(token)):
        return token
    if isinstance(token, str) or not is_whole(token):
        raise TypeError(f"{name}(): a token is an id, the text of one token, or None for the stop; not {shown(token)}")
    return operator.index(token)


def checked_tokens(name: str, tokens: Any, option: str = "tokens") -> tuple[Token, ...]:
    """Some of them. TypeError for anything but a list."""
    tokens = plain(tokens)
    if not isinstance(tokens, (list, tuple)):
        raise TypeError(f"{name}({option}={shown(tokens)}): it takes a list of tokens")
    return tuple(checked_token(name, token) for token in tokens)


def id_of(name: str, token: int | str, vocabulary: Vocabulary) -> int:
    """The id of a token. ValueError: the vocabulary has no such token."""
    if isinstance(token, str):
        named = vocabulary.derived(_ids_by_bytes).get(token.encode())
        if named is None:
            raise ValueError(f"{name}(): {token!r} is no single token of {vocabulary!r}; give its ids")
        return named
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"{name}(): token {token} is outside the vocabulary of {len(vocabulary)} tokens")
    return token


def column_of(name: str, token: Token, vocabulary: Vocabulary) -> int:
    """The column of a candidate: that of a token, or the last one for the stop, for which any eos stands, too.

    Raises:
        ValueError: the vocabulary has no such token.
    """
    column = len(vocabulary) if token is None else id_of(name, token, vocabulary)
    return len(vocabulary) if column in vocabulary.eos else column


def _ids_by_bytes(vocabulary: Vocabulary) -> dict[bytes, int]:
    """The id of each token by its bytes: of equal ones a token of text, and the smallest."""
    special, tokens = vocabulary.special, vocabulary.tokens
    ordered = [*reversed([i for i in range(len(tokens)) if i in special])]
    ordered += reversed([i for i in range(len(tokens)) if i not in special])
    return {tokens[i]: i for i in ordered if tokens[i]}


# --- a number is added to the logits of some tokens


def _logit_bias(row: Writing, logits: Tensor, biases: tuple[tuple[Token, float], ...]) -> Tensor:
    columns = [column_of("logit_bias", token, row.vocabulary) for token, _ in biases]
    values = torch.tensor([bias for _, bias in biases], dtype=logits.dtype, device=logits.device)
    return logits.index_add(0, torch.tensor(columns, device=logits.device), values)


def logit_bias(biases: Mapping[Token, float]) -> Filter:
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
    checked = tuple((checked_token("logit_bias", token), float(bias)) for token, bias in biases.items())
    return Filter(_logit_bias, (checked,))


# --- a span does not stop before it has some tokens


def _min_tokens(row: Writing, logits: Tensor, count: int) -> Tensor:
    if len(row) - row.start < count and bool((logits[:-1] > NEG_INF).any()):
        logits[-1] = NEG_INF
    return logits


def min_tokens(count: int) -> Filter:
    """The span does not stop before it has this many tokens, unless its constraint allows no other token.

    A string of `stop_at` can still end it earlier.

    >>> ten = oc.samplers.greedy(filters=[oc.filters.min_tokens(10)])
    >>> state = oc.generate.text(model, ten).run("The capital of France is ", max_tokens=20)
    >>> state.spans[0][0][-1].end - state.spans[0][0][-1].start >= 10
    True
    """
    check("count", count, is_whole(count) and count >= 0, "an int ≥ 0")
    return Filter(_min_tokens, (operator.index(count),))


# --- some tokens are never drawn


def _suppress_tokens(row: Writing, logits: Tensor, tokens: tuple[Token, ...]) -> Tensor:
    columns = [column_of("suppress_tokens", token, row.vocabulary) for token in tokens]
    return logits.index_fill(0, torch.tensor(columns, device=logits.device), NEG_INF)


def suppress_tokens(tokens: Sequence[Token]) -> Filter:
    """These tokens are never drawn. Forced runs are appended without a draw, and may contain them.

    tokens: each an id, the text of exactly one token, or None for the stop.

    >>> dull = oc.filters.suppress_tokens([" blue", " white"])
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[dull]))("The sky is", max_tokens=1) in (" blue", " white")
    False
    """
    if not (listed := checked_tokens("suppress_tokens", tokens)):
        raise TypeError(f"suppress_tokens() takes a list of tokens, not {shown(tokens)}")
    return Filter(_suppress_tokens, (listed,))


# --- only candidates whose surprise is near the expected one


def _typical_p(row: Writing, logits: Tensor, mass: float) -> Tensor:
    places = (logits > NEG_INF).nonzero()[:, 0]  # the others would have to be sorted, too
    logprobs = torch.log_softmax(logits[places].double(), -1)
    probabilities = logprobs.exp()
    entropy = -(probabilities * logprobs).nansum()
    distance, order = (-logprobs - entropy).abs().sort(stable=True)
    # a candidate goes when those nearer than it already hold the mass together
    held = probabilities[order].cumsum(-1) - probabilities[order]
    last = int((held < mass).sum().clamp(min=1)) - 1
    logits[places[order[distance > distance[last]]]] = NEG_INF
    return logits


def typical_p(mass: float) -> Filter:
    """Keep the candidates whose −log p is nearest to the entropy of the law, until their probabilities sum to `mass`.

    Candidates of equal distance are kept or dropped together. It comes after temperature, top-k, top-p and min-p.
    mass: in (0, 1]. Meister et al. 2022, "Locally Typical Sampling" (arXiv:2202.00666).

    >>> typical = oc.samplers.multinomial(filters=[oc.filters.typical_p(0.5)])
    >>> oc.generate.regex(model, "[A-Z][a-z]+", typical)("Mira lives in ", seed=0)
    'Oslo'
    """
    check("mass", mass, is_number(mass) and 0 < mass <= 1, "in (0, 1]")
    return Filter(_typical_p, (float(mass),), after_warp=True)
