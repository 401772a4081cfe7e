"""Filters that need hardly more than the logits: biases, suppressed tokens, typical ones, XTC, a late temperature."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from outlines_cont.arguments import brief, is_number, is_whole, shown
from outlines_cont.decode.filters import check
from outlines_cont.decode.writing import Writing
from outlines_cont.filters.tokens import Token, checked_token, checked_tokens, column_of
from outlines_cont.kernels.rows import NEG_INF
from outlines_cont.state.random_keys import uniform

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
    if not (listed := checked_tokens("suppress_tokens", tokens)):
        raise TypeError(f"suppress_tokens() takes a list of tokens, not {shown(tokens)}")
    return SuppressTokens(listed)


# --- only candidates whose surprise is near the expected one


@dataclass(frozen=True)
class TypicalP:
    """See `typical_p`."""

    mass: float
    after_warp = True

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        places = (logits > NEG_INF).nonzero()[:, 0]  # the others would have to be sorted, too
        logprobs = torch.log_softmax(logits[places].double(), -1)
        probabilities = logprobs.exp()
        entropy = -(probabilities * logprobs).nansum()
        distance, order = (-logprobs - entropy).abs().sort(stable=True)
        # a candidate goes when those nearer than it already hold the mass together
        held = probabilities[order].cumsum(-1) - probabilities[order]
        last = int((held < self.mass).sum().clamp(min=1)) - 1
        logits[places[order[distance > distance[last]]]] = NEG_INF
        return logits


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


# --- the likeliest candidates are left out now and then


@dataclass(frozen=True)
class Xtc:
    """See `xtc`."""

    probability: float
    threshold: float = 0.1
    after_warp = True

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        if uniform(row.seed, row.lineage, len(row), 0, "xtc") >= self.probability:
            return logits
        law = torch.softmax(logits, -1)
        likely = law[law >= self.threshold]
        return logits.masked_fill(law > likely.min(), NEG_INF) if len(likely) > 1 else logits


def xtc(probability: float, threshold: float = 0.1) -> Xtc:
    """Exclude top choices: at some positions, of the candidates with at least `threshold` only the least likely stays.

    Whether a position is one of these depends on the seed, the row's lineage and the position alone. Candidates of
    equal probability are kept or dropped together. It comes after temperature, top-k, top-p and min-p. This is the
    sampler of this name of llama.cpp.

    probability: of a position, in [0, 1]; threshold: in (0, 0.5].

    >>> unusual = oc.samplers.multinomial(filters=[oc.filters.xtc(1.0, threshold=0.05)])
    >>> oc.generate.text(model, unusual)("The sky is", max_tokens=1, seed=0) == " blue"
    False
    """
    check("probability", probability, is_number(probability) and 0 <= probability <= 1, "in [0, 1]")
    check("threshold", threshold, is_number(threshold) and 0 < threshold <= 0.5, "in (0, 0.5]")
    return Xtc(float(probability), float(threshold))


# --- a temperature that comes last


@dataclass(frozen=True)
class Temperature:
    """See `temperature`."""

    value: float
    after_warp = True

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        return (logits - logits.max()) / self.value


def temperature(value: float) -> Temperature:
    """A temperature that comes after top-k, top-p and min-p, as in llama.cpp.

    That of a sampler comes before these, as in transformers. value: > 0.

    >>> late = oc.samplers.multinomial(min_p=0.1, filters=[oc.filters.xtc(0.5), oc.filters.temperature(1.5)])
    >>> oc.generate.text(model, late)("The sky is", max_tokens=2, seed=0)
    ' blue.'
    """
    check("value", value, is_number(value) and value > 0, "a number > 0")
    return Temperature(max(float(value), 1e-30))
