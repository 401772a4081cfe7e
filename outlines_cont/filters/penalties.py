"""What filters are made of; and those that look at the tokens of a row: penalties, n-grams, biases of sequences, DRY.

The tokens are read as an array, and the logits of few columns change, so that a large vocabulary costs little.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import accumulate, islice
from math import inf, log
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import BRIEF, half_character, is_number, is_whole, plain, shown
from outlines_cont.decode.filters import check, is_count
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.rows import NEG_INF
from outlines_cont.state.random_keys import uniform

Ids = np.ndarray  # int64
LEAST, MOST = (getattr(torch.finfo(torch.float32), name) for name in ("min", "max"))


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
        name = self.function.__name__[1:]
        named = signature(self.function.__globals__[name]).parameters.values()
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


def id_of(name: str, token: Any, vocabulary: Vocabulary) -> int:
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


# --- tokens of a row, and logits of their columns


def _written(row: Writing, prompt: bool, last: int | None = None) -> Ids:
    """The tokens of a row, or of its span alone; the last ones, so many."""
    ids, begin = row.ids, 0 if prompt else row.start
    return np.array(ids[max(begin, len(ids) - last) if last else begin :], np.int64)


def _columns(row: Writing, ids: Ids, name: str = "", exempt: Sequence[Token] = ()) -> Ids:
    """The columns of some tokens, without those that are exempt. An eos stands in the column of the stop."""
    columns = ids.copy()
    for eos in row.vocabulary.eos:
        columns[ids == eos] = len(row.vocabulary)
    for column in {column_of(name, token, row.vocabulary) for token in exempt}:
        columns = columns[columns != column]
    return columns


def _after(ids: Ids, places: Ids, back: int) -> Ids:
    """Of some places, all before which, so many tokens back, the row has the token that its end has there."""
    return places[ids[places - back] == ids[-back]]


def _changed(logits: Tensor, columns: Ids, change: Callable[[Tensor], Tensor]) -> Tensor:
    """The logits, changed in some columns. Finite ones stay so, however large a penalty is: a law is never left without
    a candidate."""
    places = torch.from_numpy(columns).to(logits.device)
    before = logits[places]
    logits[places] = torch.where(before == NEG_INF, before, change(before).clamp(LEAST, MOST))
    return logits


def _without(logits: Tensor, columns: Ids) -> Tensor:
    """The logits without some candidates; unchanged, if these are all that there are."""
    if len(columns):
        places = torch.from_numpy(columns).to(logits.device)
        before = logits[places]
        logits[places] = NEG_INF
        if not bool(logits.amax() > NEG_INF):
            logits[places] = before
    return logits


# --- penalties of tokens


def _counted(row: Writing, prompt: bool, last: int | None, exempt: Sequence[Token]) -> tuple[Ids, Ids]:
    """The columns of the tokens that a penalty looks at, and how often each is there."""
    return np.unique(_columns(row, _written(row, prompt, last), "a penalty", exempt), return_counts=True)


def _repetition_penalty(row: Writing, logits: Tensor, penalty: float, *scope: Any) -> Tensor:
    columns, _ = _counted(row, *scope)
    return _changed(logits, columns, lambda each: torch.where(each < 0, each * penalty, each / penalty))


def _presence_penalty(row: Writing, logits: Tensor, penalty: float, *scope: Any) -> Tensor:
    columns, _ = _counted(row, *scope)
    return _changed(logits, columns, lambda each: each - penalty)


def _frequency_penalty(row: Writing, logits: Tensor, penalty: float, *scope: Any) -> Tensor:
    columns, counts = _counted(row, *scope)
    return _changed(logits, columns, lambda each: each - penalty * torch.from_numpy(counts).to(each.device))


def repetition_penalty(
    penalty: float, *, prompt: bool = True, last: int | None = None, exempt: Sequence[Token] = ()
) -> Filter:
    """The logits of tokens that the row has already are divided by `penalty` if positive, else multiplied.

    An eos in the row, as a chat has it, counts for the stop. Keskar et al. 2019, "CTRL" (arXiv:1909.05858); the setting
    of this name of transformers' `generate()`, and `repeat_penalty` of llama.cpp.

    Args:
        penalty: > 0; above 1 it makes repetition less likely.
        prompt: whether what stands before the span counts, too. (It does in transformers and llama.cpp.)
        last: only so many last tokens count; None: all. (`repeat_last_n` of llama.cpp.)
        exempt: tokens that never get less likely: each an id, the text of exactly one token, or None for the stop.

    >>> new = oc.samplers.greedy(filters=[oc.filters.repetition_penalty(5.0)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty) and penalty > 0, "a number > 0")
    return Filter(_repetition_penalty, (float(penalty), *_scope("repetition_penalty", prompt, last, exempt)))


def presence_penalty(
    penalty: float, *, prompt: bool = False, last: int | None = None, exempt: Sequence[Token] = ()
) -> Filter:
    """`penalty` is taken from the logits of tokens that the span has already, however often.

    This is the option of this name of OpenAI, vLLM and llama.cpp, of which the last counts the prompt, too.

    penalty: a number; below 0 it makes repetition likelier; prompt, last, exempt: see `repetition_penalty`.

    >>> new = oc.samplers.greedy(filters=[oc.filters.presence_penalty(9.0, prompt=True)])
    >>> oc.generate.text(model, new)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("penalty", penalty, is_number(penalty), "a number")
    return Filter(_presence_penalty, (float(penalty), *_scope("presence_penalty", prompt, last, exempt)))


def frequency_penalty(
    penalty: float, *, prompt: bool = False, last: int | None = None, exempt: Sequence[Token] = ()
) -> Filter:
    """`penalty` is taken from the logit of a token as often as the span has it already.

    Options and origin: those of `presence_penalty`.

    >>> oc.samplers.greedy(filters=[oc.filters.frequency_penalty(0.5, last=64, exempt=["."])])
    Greedy(logit_filters=(frequency_penalty(penalty=0.5, last=64, exempt=('.',)),))
    """
    check("penalty", penalty, is_number(penalty), "a number")
    return Filter(_frequency_penalty, (float(penalty), *_scope("frequency_penalty", prompt, last, exempt)))


def _scope(name: str, prompt: Any, last: Any, exempt: Any) -> tuple[bool, int | None, tuple[Token, ...]]:
    """The tokens that a penalty looks at, checked."""
    check("prompt", prompt, isinstance(prompt, bool), "True or False")
    check("last", last, last is None or is_count(last), "an int ≥ 1, or None for all tokens")
    return prompt, last and operator.index(last), checked_tokens(name, exempt, "exempt")


# --- sequences of tokens


def _no_repeat_ngram(row: Writing, logits: Tensor, size: int, prompt: bool, exempt: Sequence[Token]) -> Tensor:
    ids = _written(row, prompt)
    places = np.arange(size - 1, len(ids))
    for back in range(1, min(size, len(ids) + 1)):
        places = _after(ids, places, back)
    return _without(logits, _columns(row, ids[places], "no_repeat_ngram", exempt))


def no_repeat_ngram(size: int, *, prompt: bool = True, exempt: Sequence[Token] = ()) -> Filter:
    """No sequence of `size` tokens comes twice in the row.

    Where the constraint or other filters leave nothing but tokens that would repeat one, these may come. Forced runs
    are appended without a draw, and may repeat one. This is `no_repeat_ngram_size` of transformers' `generate()`, which
    would have no candidate there.

    size: an int ≥ 1; prompt: whether sequences that begin before the span count, too; exempt: tokens that may always
    come, see `repetition_penalty`.

    >>> once = oc.samplers.greedy(filters=[oc.filters.no_repeat_ngram(2)])
    >>> oc.generate.text(model, once)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("size", size, is_count(size), "an int ≥ 1")
    prompt, _, exempt = _scope("no_repeat_ngram", prompt, None, exempt)
    return Filter(_no_repeat_ngram, (operator.index(size), prompt, exempt))


def _sequence_bias(row: Writing, logits: Tensor, biases: tuple[tuple[tuple[Token, ...], float], ...]) -> Tensor:
    banned, ids, vocabulary = list[int](), row.ids, row.vocabulary
    for (*before, last), bias in biases:
        if tuple(id_of("sequence_bias", each, vocabulary) for each in before) == ids[len(ids) - len(before) :]:
            column = column_of("sequence_bias", last, vocabulary)
            if bias == -inf:
                banned.append(column)
            else:
                _changed(logits, np.array([column]), lambda each, bias=bias: each + bias)
    return _without(logits, np.array(banned, np.int64))


def sequence_bias(biases: Mapping[tuple[Token, ...], float]) -> Filter:
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
    checked = ((tuple(checked_token("sequence_bias", each) for each in key), float(b)) for key, b in biases.items())
    return Filter(_sequence_bias, (tuple(checked),))


# --- samplers of llama.cpp

BREAKERS = ("\n", ":", '"', "*")


def _dry(row: Writing, logits: Tensor, multiplier: float, base: float, allowed: int, *others: Any) -> Tensor:
    last, breakers = others
    ids, tokens, data = _written(row, True, last), row.vocabulary.tokens, [each.encode() for each in breakers]
    # a longer repetition counts as one for which the penalty is as large as a float may be
    most = min(len(ids) - 1, allowed + (int(log(MOST) / log(base)) if base > 1 else 0))
    places, longest, length = np.arange(1, len(ids)), dict[int, int](), 1
    while length <= most and len(places := _after(ids, places[places >= length], length)):
        if length == allowed:
            most = min(most, _unbroken(ids, most, tokens, data))
        if allowed <= length <= most:
            longest |= dict.fromkeys(ids[places].tolist(), length)
        length += 1
    longest = {token: n for token, n in longest.items() if not any(each in tokens[token] for each in data)}
    taken = torch.tensor([multiplier * base ** (n - allowed) for n in longest.values()], device=logits.device)
    return _changed(logits, _columns(row, np.array([*longest], np.int64)), lambda each: each - taken)


def _unbroken(ids: Ids, most: int, tokens: Sequence[bytes], breakers: Sequence[bytes]) -> int:
    """How many of the last tokens, at most so many, stand after all breakers."""
    text, sizes, longest = b"", list[int](), max(map(len, breakers), default=0)
    # (a breaker may begin before these tokens, and end in them)
    for count, token in enumerate(reversed(ids[max(0, len(ids) - most - longest) :].tolist())):
        size = len(tokens[token])
        text = (tokens[token] + text)[: size + longest]
        lasts = ((text.rfind(each, 0, size - 1 + len(each)), len(each)) for each in breakers)  # that begin in the token
        if ends := [at + length for at, length in lasts if at >= 0]:
            begins = accumulate(reversed(sizes), initial=size)
            return count - sum(begin < max(ends) for begin in islice(begins, len(sizes)))
        sizes.append(size)
    return most


def dry(
    multiplier: float,
    base: float = 1.75,
    allowed_length: int = 2,
    *,
    last: int | None = None,
    breakers: Sequence[str] = BREAKERS,
) -> Filter:
    """Tokens that would go on repeating what stands in the row get less likely, the more the longer the repetition is.

    If the last n ≥ `allowed_length` tokens stood in the row before, multiplier · base ^ (n − allowed_length) is taken
    from the logit of the token that came after them there; of several such places the one with the largest n counts.
    This is the sampler of this name of llama.cpp.

    Args:
        multiplier: ≥ 0; 0.8 is usual.
        base: ≥ 1.
        allowed_length: a repetition of fewer tokens costs nothing.
        last: only so many last tokens count (`dry_penalty_last_n`); None: all, prompt included.
        breakers: a repetition does not reach across these strings, and a token that holds one never gets less likely.

    >>> varied = oc.samplers.greedy(filters=[oc.filters.dry(9.0)])
    >>> oc.generate.text(model, varied)("The sky is blue. The sky is", max_tokens=1) == " blue"
    False
    """
    check("multiplier", multiplier, is_number(multiplier) and multiplier >= 0, "a number ≥ 0")
    check("base", base, is_number(base) and base >= 1, "a number ≥ 1")
    check("allowed_length", allowed_length, is_count(allowed_length), "an int ≥ 1")
    _, last, _ = _scope("dry", True, last, ())
    breakers = plain(breakers)
    right = isinstance(breakers, (list, tuple)) and all(isinstance(each, str) and each for each in breakers)
    check("breakers", breakers, right and not any(map(half_character, breakers)), "a list of strings, none empty")
    return Filter(_dry, (float(multiplier), float(base), operator.index(allowed_length), last, tuple(breakers)))


def _xtc(row: Writing, logits: Tensor, probability: float, threshold: float) -> Tensor:
    if uniform(row.seed, row.lineage, len(row), 0, "xtc") >= probability:
        return logits
    law = torch.softmax(logits, -1)
    likely = law[law >= threshold]
    return logits.masked_fill(law > likely.min(), NEG_INF) if len(likely) > 1 else logits


def xtc(probability: float, threshold: float = 0.1) -> Filter:
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
    return Filter(_xtc, (float(probability), float(threshold)), after_warp=True)


def _temperature(row: Writing, logits: Tensor, value: float) -> Tensor:
    return logits.sub_(logits.amax()).div_(value)


def temperature(value: float) -> Filter:
    """A temperature that comes after top-k, top-p and min-p, as in llama.cpp.

    That of a sampler comes before these, as in transformers. value: > 0.

    >>> late = oc.samplers.multinomial(min_p=0.1, filters=[oc.filters.xtc(0.5), oc.filters.temperature(1.5)])
    >>> oc.generate.text(model, late)("The sky is", max_tokens=2, seed=0)
    ' green.'
    """
    check("value", value, is_number(value) and value > 0, "a number > 0")
    return Filter(_temperature, (max(float(value), 1e-30),), after_warp=True)
