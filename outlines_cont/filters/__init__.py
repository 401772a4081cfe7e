"""Filters: they change the logits of a row before a sampler draws from them.

`oc.samplers.multinomial(filters=[…])`, `greedy(filters=[…])` and `smc(filters=[…])` take them, in order. A filter is
one of these, or any function `(row, logits) → logits`; `LogitFilter` says what it gets. Filters change the law that is
drawn from, `proposal_logprobs`, and never the model's own `logprobs`. They are functions of the row's tokens, so a row
that was cut and goes on meets those that it would have met.

>>> calm = oc.samplers.multinomial(filters=[oc.filters.repetition_penalty(1.3), oc.filters.bad_words(["blue"])])
>>> "blue" in oc.generate.text(model, calm)("The sky is", max_tokens=8, seed=0)
False
>>> def no_digits(row, logits):
...     digits = [row.vocabulary.tokens.index(b"%d" % n) for n in range(10)]
...     return logits.index_fill(0, torch.tensor(digits), -torch.inf)
>>> import torch
>>> oc.generate.text(model, oc.samplers.greedy(filters=[no_digits]))("Mira is 3", max_tokens=1) in map(str, range(10))
False
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from outlines_cont.arguments import is_number, is_whole, shown
from outlines_cont.decode.filters import check
from outlines_cont.decode.samplers.filters import LogitFilter
from outlines_cont.decode.samplers.filters.bad_words import BadWords, bad_words
from outlines_cont.decode.writing import Writing
from outlines_cont.filters.penalties import (
    Filter,
    Token,
    checked_token,
    checked_tokens,
    column_of,
    dry,
    frequency_penalty,
    no_repeat_ngram,
    presence_penalty,
    repetition_penalty,
    sequence_bias,
    temperature,
    xtc,
)
from outlines_cont.kernels.rows import NEG_INF

__all__ = [
    "BadWords",
    "Filter",
    "LogitFilter",
    "bad_words",
    "dry",
    "frequency_penalty",
    "logit_bias",
    "min_tokens",
    "no_repeat_ngram",
    "presence_penalty",
    "repetition_penalty",
    "sequence_bias",
    "suppress_tokens",
    "temperature",
    "typical_p",
    "xtc",
]

# --- a number is added to the logits of some tokens


def _logit_bias(row: Writing, logits: Tensor, biases: tuple[tuple[Token, float], ...]) -> Tensor:
    columns = [column_of("logit_bias", token, row.vocabulary) for token, _ in biases]
    values = torch.tensor([bias for _, bias in biases], dtype=logits.dtype, device=logits.device)
    return logits.index_add_(0, torch.tensor(columns, device=logits.device), values)


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
    return logits.index_fill_(0, torch.tensor(columns, device=logits.device), NEG_INF)


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
