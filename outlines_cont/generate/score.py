"""`score()`: the model's own log-probabilities of texts that rows could go on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import fsum, inf
from typing import Literal, NamedTuple, TypeVar, overload

import torch
from torch import Tensor

from outlines_cont.arguments import flag, shown, word
from outlines_cont.decode.prefix_needs import Ids, PrefixNeeds
from outlines_cont.engines.protocol import LanguageModel, how_to_enlarge
from outlines_cont.errors import ConstraintError
from outlines_cont.kernels.log_sum_exp import log_sum_exp
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.constraint import NORMALIZATIONS, Normalization
from outlines_cont.state.rescore import logprobs_of
from outlines_cont.state.state import SequenceState

T = TypeVar("T")

LOGITS_AT_ONCE = 1 << 26  # more are read in parts: in float32 these take a quarter of a GiB


class TokenScore(NamedTuple):
    """A token of a text, its bytes and its log-probability; the stop is no token and has no bytes."""

    token: int | None
    bytes: bytes
    logprob: float


class Scored(NamedTuple):
    """scores: float64 `(B, S, K)`; tokens: B × S × K nested lists of what each text's log-probability is the sum of."""

    scores: Tensor
    tokens: list[list[list[tuple[TokenScore, ...]]]]


@overload
def score(
    state: SequenceState,
    texts: str | Sequence[str],
    *,
    stop: bool = False,
    normalize: Normalization = "sum",
    detail: Literal[False] = False,
) -> Tensor: ...


@overload
def score(
    state: SequenceState,
    texts: str | Sequence[str],
    *,
    stop: bool = False,
    normalize: Normalization = "sum",
    detail: Literal[True],
) -> Scored: ...


def score(
    state: SequenceState,
    texts: str | Sequence[str],
    *,
    stop: bool = False,
    normalize: Normalization = "sum",
    detail: bool = False,
) -> Tensor | Scored:
    """Log-probability of each of K texts after each row: float64 `(B, S, K)`, in nats; −inf after dead rows.

    The model's own: of unmasked logits at temperature 1, spelled as `state + text` spells it. All texts of all rows are
    read as one tree: what they share, with each other or with what the state's keys and values hold, is computed once.

    Args:
        state: what the texts come after; every live row has at least one token.
        texts: a list of K, or a str, which is a list of one.
        stop: count in that the text ends there, with the probability of all eos tokens together.
        normalize: "sum", the log-probability itself; "mean", divided by the number of tokens, the stop being one (0 for
            nothing at all); "unconditional", minus the log-probability of the same tokens (and stop) where a document
            begins: after the tokenizer's bos, or, where it adds none, after an eos, which separates documents. That is
            the pointwise mutual information of row and text: no answer wins by being common. NaN if both are −inf.
        detail: give `Scored(scores, tokens)`; `tokens[b][s][k]` are `TokenScore(token, bytes, logprob)`, not
            normalized, the stop last with the token None; of dead rows they are empty.

    Raises:
        TypeError: something else than a state, than texts, or than a bool for `stop`.
        ValueError: no texts, a row without tokens, a row and a text that exceed the model's context, a text that the
            tokenizer cannot spell, or "unconditional" where there is neither bos nor eos.
        ConstraintError: `stop=True` of a model without eos.

    Both normalizations: Brown et al. 2020, "Language Models are Few-Shot Learners" (arXiv:2005.14165), section 2.4, the
    second with "Answer: " for a beginning; that one also: Holtzman et al. 2021, "Surface Form Competition"
    (arXiv:2104.08315). After a premise of the domain, as they advise, instead of a bare beginning, it is
    `score(state, texts) - score(model.state(premise), texts)`.

    >>> state = model.state("Mira is a painter from Lisbon.\\nQ: What is Mira's job?\\nA:")
    >>> oc.score(state, [" painter", " sailor"]).round(decimals=1).tolist()
    [[[-0.2, -8.4]]]
    """
    _check(state, stop, normalize)
    flag(detail, "detail")
    model, texts = state.model, listed_texts(texts)
    spelled = _spelled(state, texts)
    wanted = {context: set(ids) for context, ids in spelled.items()}
    if start := model.encoder.blank if normalize == "unconditional" else ():
        wanted[start] = {ids for spellings in spelled.values() for ids in spellings} | wanted.get(start, set())
    claims = {row.ids: row.claim for rows in state.rows for row in rows if row.claim}
    tree = PrefixNeeds(max(LOGITS_AT_ONCE // len(model.vocabulary), 1))
    for context, texts_here in wanted.items():
        tree.add(context, dict.fromkeys(texts_here, stop), claims.get(context))
    scored, held = _read(model, tree)
    for rows in state.rows:
        for row in rows:
            model.claimed(row)
    del held  # until now they kept the new keys and values alive

    def normalized(ids: Ids, logprobs: list[float]) -> float:
        if normalize == "mean":
            return fsum(logprobs) / max(len(logprobs), 1)
        return fsum(logprobs) - (fsum(scored[start][ids]) if start else 0.0)

    def detailed(ids: Ids, logprobs: list[float]) -> tuple[TokenScore, ...]:
        spelling = [(token, model.vocabulary.tokens[token]) for token in ids] + [(None, b"")] * stop
        return tuple(TokenScore(*token, value) for token, value in zip(spelling, logprobs, strict=True))

    def grid(value: Callable[[Ids, list[float]], T], dead: T) -> list[list[list[T]]]:
        values = {
            context: [value(ids, scored[context][ids]) for ids in spellings] for context, spellings in spelled.items()
        }
        return [[list(values.get(row.ids, [dead] * len(texts))) for row in rows] for rows in state.rows]

    scores = torch.tensor(grid(normalized, -inf), dtype=torch.float64, device=model.device)
    scores = scores.view(*state.shape[:2], len(texts))
    return Scored(scores, grid(detailed, ())) if detail else scores


def _check(state: SequenceState, stop: bool, normalize: Normalization) -> None:
    if not isinstance(state, SequenceState):
        raise TypeError(f"score() takes a SequenceState, not {type(state).__name__}: model.state(prompts) makes one")
    check_options(state.model, stop, normalize)


def check_options(model: LanguageModel, stop: bool, normalize: Normalization) -> None:
    """What is wrong with the options of `score`, if anything is: its TypeError, ValueError or ConstraintError."""
    word(normalize, "normalize", NORMALIZATIONS)
    if not isinstance(stop, bool):
        raise TypeError(f"stop={shown(stop)}: it is True, to count in that a text ends with eos, or False")
    if stop and not model.vocabulary.eos:
        raise ConstraintError(f"stop=True: {model.vocabulary!r} has no eos, so no text ends")


def listed_texts(texts: str | Sequence[str]) -> list[str]:
    """The texts of a call of `score`; its TypeError or ValueError for anything else."""
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, (list, tuple)):
        raise TypeError(f"texts={shown(texts)}: score() takes a str or a list of them, not {type(texts).__name__}")
    if not texts:
        raise ValueError("texts is empty: there is nothing to score; pass at least one str")
    for k, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"texts[{k}] is {shown(text)} ({type(text).__name__}), not a str")
    return list(texts)


def _spelled(state: SequenceState, texts: list[str]) -> dict[Ids, list[Ids]]:
    """The texts as they are spelled after each distinct live row."""
    model, spelled = state.model, {}
    encode = cache(model.encoder.append)
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            if row.dead or row.ids in spelled:
                continue
            if not row.ids:
                raise ValueError(f"row ({b}, {s}) is empty: a text is scored after at least one token")
            spelled[row.ids] = [tuple(encode(text, at_start=row.ids == model.encoder.prefix)) for text in texts]
            for k, ids in enumerate(spelled[row.ids]):
                if model.context_length is not None and len(row) + len(ids) > model.context_length:
                    raise ValueError(
                        f"row ({b}, {s}) has {len(row)} tokens and texts[{k}] {len(ids)}, together "
                        f"{len(row) + len(ids)}; the model's context is {model.context_length}{how_to_enlarge(model)}"
                    )
    return spelled


def _read(model: LanguageModel, tree: PrefixNeeds) -> tuple[dict[Ids, dict[Ids, list[float]]], list[Claim | None]]:
    """Context → text → the log-probability of each of its tokens, and of the stop; and claims on what was read."""
    laws: list[dict[int | None, float]] = []
    held: list[Claim | None] = []  # until the end: later parts go on from earlier ones
    for needs in _parts(tree):
        logits, claims = model.read(needs)
        held += claims
        laws += _laws(logits, tree.following[len(laws) : len(laws) + len(logits)], model.vocabulary.eos)
    scored = {
        context: {
            text: [laws[line][token] for line, token in zip(path, (*text, None), strict=False)]
            for text, path in paths.items()
        }
        for context, paths in tree.paths.items()
    }
    return scored, held


def _parts(tree: PrefixNeeds) -> Iterator[list[Need]]:
    """The needs in order, not too many logits at a time."""
    assert tree.lines_at_once is not None
    part: list[Need] = []
    room = tree.lines_at_once
    for need in tree.needs:
        if len(need.wanted) > room:
            yield part
            part, room = [], tree.lines_at_once
        part.append(need)
        room -= len(need.wanted)
    if part:
        yield part


def _laws(logits: Tensor, following: Sequence[set[int]], eos: Sequence[int]) -> Iterator[dict[int | None, float]]:
    """For each line of logits `[lines, V]` the log-probabilities of some tokens and, as None, of the stop."""
    stops = log_sum_exp(logits[:, list(eos)].float())
    for tokens, total, stop in zip(*logprobs_of(logits, following), stops, strict=True):
        # several eos tokens must not be likelier than 1 by rounding
        yield {**tokens, None: min(stop - total, 0.0)}
