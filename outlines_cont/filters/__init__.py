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

from outlines_cont.decode.samplers.filters.bad_words import BadWords, bad_words
from outlines_cont.decode.samplers.filters.protocol import LogitFilter
from outlines_cont.filters.penalties import (
    dry,
    frequency_penalty,
    no_repeat_ngram,
    presence_penalty,
    repetition_penalty,
    sequence_bias,
    temperature,
    xtc,
)
from outlines_cont.filters.simple import Filter, logit_bias, min_tokens, suppress_tokens, typical_p

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
