"""The model's own log-probabilities of tokens that are given, and not drawn: which logits they need, and what these
say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite, isnan

import torch
from torch import Tensor

from outlines_cont.kernels.laws import log_sum_exp
from outlines_cont.kernels.rows import rows_at_once
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.prefixes import common_length

Ids = tuple[int, ...]
NO_PROBABILITY = "the model's logits hold NaN or +inf, or are all −inf: they give a text no probability"


class GivenTexts:
    """Texts after contexts, as token ids, and the needs for the logits before their tokens. What texts share is asked
    for once.

    Attributes:
        needs: in the order of their lines of logits.
        following: of each line `[V]`, the tokens that come next in some text.
        paths: context → text → the lines before each of its tokens and, where it was asked for, after the last.
    """

    def __init__(self, lines_at_once: int | None = None):
        self.lines_at_once = lines_at_once
        self.needs: list[Need] = []
        self.following: list[set[int]] = []
        self.paths: dict[Ids, dict[Ids, list[int]]] = {}

    def add(self, context: Ids, texts: Mapping[Ids, bool], claim: Claim | None = None) -> None:
        """texts: each with whether the line after its last token is asked for."""
        paths = self.paths.setdefault(context, {})
        previous: Ids = ()
        path: list[int] = []
        # in order, no text shares more with an earlier one than with its neighbour; backwards, it comes after those
        # that go on from it, and needs no need of its own
        for text in sorted(texts, reverse=True):
            path = path[: common_length(previous, text) + 1]
            size = len(text) + texts[text]
            step = self.lines_at_once or max(size, 1)
            for first in range(len(path), size, step):
                ends = range(first, min(first + step, size))
                wanted = tuple(len(context) - 1 + end for end in ends)
                self.needs.append(Need(text[: ends[-1]], wanted, claim, head=context))
                path += range(len(self.following), len(self.following) + len(ends))
                self.following += [set() for _ in ends]
            for line, token in zip(path, text, strict=False):
                self.following[line].add(token)
            paths[text] = path[:size]
            previous = text


def logprobs_of(logits: Tensor, tokens: Sequence[Collection[int]]) -> tuple[list[dict[int, float]], list[float]]:
    """For each line of logits `[lines, V]` the log-probabilities of some tokens, and the log-sum-exp over all.
    ValueError if they are no logits of a law."""
    logits = logits.float()
    totals = log_sum_exp(logits)
    if not all(map(isfinite, totals)):
        raise ValueError(NO_PROBABILITY)
    pairs = [(line, token) for line, asked in enumerate(tokens) for token in asked]
    at = torch.tensor(pairs, dtype=torch.long, device=logits.device).view(-1, 2)
    picked = iter(logits[at[:, 0], at[:, 1]].tolist())
    logprobs = [{token: next(picked) - total for token in asked} for asked, total in zip(tokens, totals, strict=True)]
    return logprobs, totals


def given_logprobs(logits: Tensor, given: Mapping[int, int]) -> list[float]:
    """The log-probability of each of these tokens, by its line of the logits `[lines, V]`; NaN if they are no law."""
    logprobs: list[float] = []
    pairs = torch.tensor([*given.items()], dtype=torch.long).view(-1, 2).to(logits.device)
    for at in pairs.split(rows_at_once(logits)):
        laws = torch.log_softmax(logits[at[:, 0]].detach().float(), dim=-1)
        logprobs += laws.gather(1, at[:, 1:])[:, 0].tolist()
    return logprobs


def of_laws(logprobs: list[float]) -> list[float]:
    """These log-probabilities. ValueError if one of them is of no law."""
    if any(map(isnan, logprobs)):
        raise ValueError(NO_PROBABILITY)
    return logprobs


def logprob_of(logits: Tensor, token: int) -> float:
    """The log-probability of one token: logits `[V]`. ValueError if they are no logits of a law."""
    return of_laws(given_logprobs(logits[None], {0: token}))[0]
