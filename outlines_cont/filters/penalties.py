"""Filters that look at the tokens of a row: penalties for what it has already, n-grams, biases of sequences, DRY.

Tokens that came before are read as arrays; the logits of a few columns change, so that a filter costs about as much in
a large vocabulary as in a small one.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, islice
from math import inf, log
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import half_character, is_number, is_whole, plain, shown
from outlines_cont.decode.filters import check, is_count
from outlines_cont.decode.writing import Writing
from outlines_cont.filters.tokens import Token, checked_token, checked_tokens, column_of, id_of
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF

Ids = np.ndarray  # int64
LEAST, MOST = (getattr(torch.finfo(torch.float32), name) for name in ("min", "max"))

# --- tokens of a row, and logits of their columns


def _written(row: Writing, prompt: bool, last: int | None) -> Ids:
    """The tokens of a row, or of its span alone; the last ones, so many."""
    begin = 0 if prompt else row.start
    ids = row.ids
    return np.array(ids[max(begin, len(ids) - last) if last else begin :], np.int64)


def _columns(ids: Ids, name: str, exempt: Sequence[Token], vocabulary: Vocabulary) -> Ids:
    """The columns of some tokens, without those that are exempt. An eos stands in the column of the stop."""
    columns = ids.copy()
    for eos in vocabulary.eos:
        columns[ids == eos] = len(vocabulary)
    for column in {column_of(name, token, vocabulary) for token in exempt}:
        columns = columns[columns != column]
    return columns


def _following(ids: Ids, count: int) -> Ids:
    """The tokens that came after the last `count` tokens wherever these stood before."""
    places = np.arange(count, len(ids))
    for back in range(1, count + 1):
        places = _after(ids, places, back)
    return ids[places]


def _after(ids: Ids, places: Ids, back: int) -> Ids:
    """Those of some places before which, so many tokens back, the row has the token that its end has there."""
    return places[ids[places - back] == ids[-back]]


def _on(logits: Tensor, values: np.ndarray) -> Tensor:
    return torch.from_numpy(values).to(logits.device)


def _finite(changed: Tensor, before: Tensor) -> Tensor:
    """Logits that were finite stay so, however large a penalty is: a law is never left without a candidate."""
    return torch.where(before == NEG_INF, before, changed.clamp(LEAST, MOST))


def _without(logits: Tensor, columns: Ids) -> Tensor:
    """The logits without some candidates; unchanged, if these are all that there are."""
    if not len(columns):
        return logits
    banned = logits.index_fill(0, _on(logits, columns), NEG_INF)
    return banned if bool(banned.max() > NEG_INF) else logits


# --- penalties of tokens


@dataclass(frozen=True, repr=False)
class TokenPenalty:
    """What penalties of tokens have in common: which tokens they look at.

    prompt: whether what stands before the span counts, too; last: only so many last tokens; exempt: never these.
    """

    penalty: float
    prompt: bool
    last: int | None = None
    exempt: tuple[Token, ...] = ()

    def __repr__(self) -> str:
        return _shown(self)

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        ids = _written(row, self.prompt, self.last)
        columns, counts = np.unique(_columns(ids, type(self).__name__, self.exempt, row.vocabulary), return_counts=True)
        if len(columns):
            places = _on(logits, columns)
            before = logits[places]
            logits[places] = _finite(self.penalized(before, _on(logits, counts)), before)
        return logits

    def penalized(self, logits: Tensor, counts: Tensor) -> Tensor:
        """The logits of tokens that came so often."""
        raise NotImplementedError


def _shown(value: Any) -> str:
    """The repr of a filter: its first option, and those that are not as they are by default."""
    first, *others = ((each, getattr(value, each.name)) for each in fields(value))
    told = [first, *((each, given) for each, given in others if given != each.default)]
    return f"{type(value).__name__}({', '.join(f'{each.name}={given!r}' for each, given in told)})"


@dataclass(frozen=True, repr=False)
class RepetitionPenalty(TokenPenalty):
    """See `repetition_penalty`."""

    prompt: bool = True

    def penalized(self, logits: Tensor, counts: Tensor) -> Tensor:
        return torch.where(logits < 0, logits * self.penalty, logits / self.penalty)


@dataclass(frozen=True, repr=False)
class PresencePenalty(TokenPenalty):
    """See `presence_penalty`."""

    prompt: bool = False

    def penalized(self, logits: Tensor, counts: Tensor) -> Tensor:
        return logits - self.penalty


@dataclass(frozen=True, repr=False)
class FrequencyPenalty(TokenPenalty):
    """See `frequency_penalty`."""

    prompt: bool = False

    def penalized(self, logits: Tensor, counts: Tensor) -> Tensor:
        return logits - counts * self.penalty


def repetition_penalty(
    penalty: float, *, prompt: bool = True, last: int | None = None, exempt: Sequence[Token] = ()
) -> RepetitionPenalty:
    """The logits of tokens that the row has already are divided by `penalty` if positive, else multiplied.

    An eos in the row, as a chat has it, counts for the stop. Keskar et al. 2019, "CTRL" (arXiv:1909.05858); the setting
    of this name of transformers' `generate()`, and `repeat_penalty` of llama.cpp.

    Args:
        penalty: > 0; above 1 it makes repetition less likely.
        prompt: whether what stands before the span counts, too. (By default it does, as in transformers.)
        last: only so many last tokens count; None: all. (`repeat_last_n` of llama.cpp.)
        exempt: tokens that never get less likely: each an id, the text of exactly one token, or None for the stop.

    >>> new = oc.samplers.greedy(filters=[oc.filters.repetition_penalty(5.0)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty) and penalty > 0, "a number > 0")
    return RepetitionPenalty(float(penalty), *_scope("repetition_penalty", prompt, last, exempt))


def presence_penalty(
    penalty: float, *, prompt: bool = False, last: int | None = None, exempt: Sequence[Token] = ()
) -> PresencePenalty:
    """`penalty` is taken from the logits of tokens that the span has already, however often.

    This is the option of this name of OpenAI, vLLM and llama.cpp. (The last of these counts the prompt, too.)

    Args:
        penalty: a number; below 0 it makes repetition likelier.
        prompt, last, exempt: see `repetition_penalty`.

    >>> new = oc.samplers.greedy(filters=[oc.filters.presence_penalty(9.0, prompt=True)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty), "a number")
    return PresencePenalty(float(penalty), *_scope("presence_penalty", prompt, last, exempt))


def frequency_penalty(
    penalty: float, *, prompt: bool = False, last: int | None = None, exempt: Sequence[Token] = ()
) -> FrequencyPenalty:
    """`penalty` is taken from the logit of a token as often as the span has it already.

    This is the option of this name of OpenAI, vLLM and llama.cpp. (The last of these counts the prompt, too.)

    Args:
        penalty: a number; below 0 it makes repetition likelier.
        prompt, last, exempt: see `repetition_penalty`.

    >>> new = oc.samplers.greedy(filters=[oc.filters.frequency_penalty(0.5, last=64, exempt=["."])])
    >>> new.logit_filters
    (FrequencyPenalty(penalty=0.5, last=64, exempt=('.',)),)
    """
    check("penalty", penalty, is_number(penalty), "a number")
    return FrequencyPenalty(float(penalty), *_scope("frequency_penalty", prompt, last, exempt))


def _scope(name: str, prompt: Any, last: Any, exempt: Any) -> tuple[bool, int | None, tuple[Token, ...]]:
    """The tokens that a penalty looks at, checked."""
    check("prompt", prompt, isinstance(prompt, bool), "True or False")
    check("last", last, last is None or is_count(last), "an int ≥ 1, or None for all tokens")
    return prompt, None if last is None else operator.index(last), checked_tokens(name, exempt, "exempt")


# --- sequences of tokens


@dataclass(frozen=True, repr=False)
class NoRepeatNgram:
    """See `no_repeat_ngram`."""

    size: int
    prompt: bool = True
    exempt: tuple[Token, ...] = ()

    __repr__ = _shown

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        ids = _written(row, self.prompt, None)
        if len(ids) < self.size:
            return logits
        again = _following(ids, self.size - 1)
        return _without(logits, _columns(again, "no_repeat_ngram", self.exempt, row.vocabulary))


def no_repeat_ngram(size: int, *, prompt: bool = True, exempt: Sequence[Token] = ()) -> NoRepeatNgram:
    """No sequence of `size` tokens comes twice in the row.

    Where nothing but tokens that would repeat one may come, because the constraint or other filters leave no others,
    they may come. Forced runs are appended without a draw, and may repeat one. This is `no_repeat_ngram_size` of
    transformers' `generate()`, which would have no candidate there.

    Args:
        size: an int ≥ 1.
        prompt: whether sequences that begin before the span count, too.
        exempt: tokens that may always come; see `repetition_penalty`.

    >>> once = oc.samplers.greedy(filters=[oc.filters.no_repeat_ngram(2)])
    >>> oc.generate.text(model, once)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("size", size, is_count(size), "an int ≥ 1")
    prompt, _, exempt = _scope("no_repeat_ngram", prompt, None, exempt)
    return NoRepeatNgram(operator.index(size), prompt, exempt)


@dataclass(frozen=True, repr=False)
class SequenceBias:
    """See `sequence_bias`."""

    biases: tuple[tuple[tuple[Token, ...], float], ...]

    __repr__ = _shown

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        banned, ids = [], row.ids
        for (*before, last), bias in self.biases:
            if tuple(id_of("sequence_bias", token, row.vocabulary) for token in before) == ids[len(ids) - len(before) :]:
                column = column_of("sequence_bias", last, row.vocabulary)
                if bias == -inf:
                    banned.append(column)
                else:
                    logits[column] = _finite(logits[column] + bias, logits[column])
        return _without(logits, np.array(banned, np.int64))


def sequence_bias(biases: Mapping[tuple[Token, ...], float]) -> SequenceBias:
    """A number is added to the logit of the last token of a sequence where its other tokens stand before.

    −inf bans it, unless nothing else may come. Several biases of one token are added up. This is the setting of this
    name of transformers' `generate()`.

    biases: by sequence, a tuple of tokens, each an id or the text of exactly one token; the last one may be None for
        the stop. For single tokens `logit_bias` is shorter.

    >>> calm = oc.filters.sequence_bias({(" is", " blue"): -100.0})
    >>> oc.generate.text(model, oc.samplers.greedy(filters=[calm]))("The sky is", max_tokens=1)
    ' white'
    """
    right = "sequence_bias() takes a dict {(token, token, …): number}, each an id or the text of one token"
    if not isinstance(biases, Mapping) or not biases:
        raise TypeError(f"{right}, not {shown(biases)}")
    for tokens, bias in biases.items():
        if not isinstance(tokens, tuple) or not tokens or None in tokens[:-1]:
            raise TypeError(f"{right}; {shown(tokens)} is no tuple of tokens, of which only the last may be None")
        if not (is_number(bias) or bias == -inf):
            raise ValueError(f"{right}; {shown(bias)} is no number")
    return SequenceBias(
        tuple((tuple(checked_token("sequence_bias", each) for each in key), float(b)) for key, b in biases.items())
    )


# --- DRY

BREAKERS = ("\n", ":", '"', "*")


@dataclass(frozen=True, repr=False)
class Dry:
    """See `dry`."""

    multiplier: float
    base: float = 1.75
    allowed: int = 2
    last: int | None = None
    breakers: tuple[str, ...] = BREAKERS

    __repr__ = _shown

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        ids, tokens = _written(row, True, self.last), row.vocabulary.tokens
        breakers = [breaker.encode() for breaker in self.breakers]
        # a longer repetition counts as one for which the penalty is as large as a float may be
        most = min(len(ids) - 1, self.allowed + (int(log(MOST) / log(self.base)) if self.base > 1 else 0))
        places, longest, length = np.arange(1, len(ids)), dict[int, int](), 1
        while length <= most and len(places := _after(ids, places[places >= length], length)):
            if length == self.allowed:
                most = min(most, _unbroken(ids, most, tokens, breakers))
            if self.allowed <= length <= most:
                longest |= dict.fromkeys(ids[places].tolist(), length)
            length += 1
        longest = {token: n for token, n in longest.items() if not any(each in tokens[token] for each in breakers)}
        if not longest:
            return logits
        columns = _on(logits, _columns(np.array([*longest], np.int64), "dry", (), row.vocabulary))
        taken = [self.multiplier * self.base ** (length - self.allowed) for length in longest.values()]
        before = logits[columns]
        logits[columns] = _finite(before - torch.tensor(taken, device=logits.device), before)
        return logits


def _unbroken(ids: Ids, most: int, tokens: Sequence[bytes], breakers: Sequence[bytes]) -> int:
    """How many of the last tokens, at most so many, stand after all breakers."""
    text, sizes, longest = b"", list[int](), max(map(len, breakers), default=0)
    for count, token in enumerate(reversed(ids[len(ids) - most :].tolist())):
        size = len(tokens[token])
        text = (tokens[token] + text)[: size + longest]
        if ends := [at + len(each) for each in breakers if 0 <= (at := text.find(each)) < size]:
            begins = accumulate(reversed(sizes), initial=size)
            return count - sum(begin < max(ends) for begin in islice(begins, len(sizes)))
        sizes.append(size)
    return most


def dry(
    multiplier: float,
    base: float = 1.75,
    allowed: int = 2,
    *,
    last: int | None = None,
    breakers: Sequence[str] = BREAKERS,
) -> Dry:
    """Tokens that would go on repeating what stands in the row get less likely, the more the longer the repetition is.

    If the last n ≥ `allowed` tokens stood in the row before, multiplier · base ^ (n − allowed) is taken from the logit
    of the token that came after them there; of several such places the one with the largest n counts. This is the
    sampler of this name of llama.cpp.

    Args:
        multiplier: ≥ 0; its own programs have 0, which switches it off; 0.8 is usual.
        base: ≥ 1.
        allowed: a repetition of fewer tokens costs nothing (`dry_allowed_length`).
        last: only so many last tokens count (`dry_penalty_last_n`); None: all, prompt included.
        breakers: a repetition does not reach across these strings, and a token that holds one is never less likely.

    >>> varied = oc.samplers.greedy(filters=[oc.filters.dry(9.0)])
    >>> oc.generate.text(model, varied)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("multiplier", multiplier, is_number(multiplier) and multiplier >= 0, "a number ≥ 0")
    check("base", base, is_number(base) and base >= 1, "a number ≥ 1")
    check("allowed", allowed, is_count(allowed), "an int ≥ 1")
    check("last", last, last is None or is_count(last), "an int ≥ 1, or None for all tokens")
    breakers = plain(breakers)
    if not isinstance(breakers, (list, tuple)) or not all(isinstance(each, str) and each for each in breakers):
        raise TypeError(f"dry(breakers={shown(breakers)}): it takes a list of strings that are not empty")
    if wrong := [each for each in breakers if half_character(each)]:
        raise ValueError(f"dry(): {wrong[0]!r} holds half a character (a lone surrogate)")
    return Dry(float(multiplier), float(base), operator.index(allowed), last and operator.index(last), tuple(breakers))
