"""`Mark`: everything that pictures show of one token of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, floor, isinf, log
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from outlines_cont.display.protocol import DrawnRow, DrawnState, Noted
from outlines_cont.engines.protocol import LanguageModel, kept_logits, read
from outlines_cont.fsm.draw.picture import readable
from outlines_cont.fsm.protocol import allows
from outlines_cont.kv.need import Need

# "beside": a token that its constraint was not told of.
Source = Literal["prompt", "text", "forced", "generated", "beside"]
ROUNDING = 1 + 1e-6  # so that bounds hold
FEW_TOKENS = 4  # fewer tokens are shown rather than left out and counted
NAMED_LIKELIER = 3  # candidates that are named before a token that was not the model's first
EXACT = 700.0  # nats: beyond, a float may not hold exp of it


@dataclass(frozen=True, slots=True)
class Allowed:
    """How many tokens a constraint let follow, and whether the span might have ended."""

    tokens: int
    stop: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A token's rank among all tokens, 1 for the likeliest, and the likeliest tokens before it with probabilities."""

    place: int
    likelier: tuple[tuple[bytes, float], ...] = ()


class LikelyFact(NamedTuple):
    """One of the model's likeliest tokens at a place, and whether the constraint let it follow; None: not known."""

    data: bytes
    logprob: float
    allowed: bool | None

    def __str__(self) -> str:
        sign = {None: "", True: " ✓", False: " ✗"}[self.allowed]
        return f"'{readable(self.data)}' {100 * _probability(self.logprob):.3g}%{sign}"


CountedStates = dict[tuple[int, Any], Allowed]  # what guides allow, by their ids and states


@dataclass(frozen=True, slots=True)
class Mark:
    """One token. `allowed` is None where nothing was drawn or its constraint is not known any more."""

    position: int
    token: int
    data: bytes
    source: Source
    special: bool
    kept: bool  # its keys and values are in the tree
    exact: bool = True  # they are its own, or will be, and not a graft's
    measured_on_graft: bool = False  # its log-probability is approximate
    logprob: float | None = None
    proposal: float | None = None
    allowed: Allowed | None = None
    bound: int | None = None  # its rank is at most that, as its probability says
    ranked: Ranked | None = None
    alternatives: tuple[LikelyFact, ...] = ()  # the model's likeliest tokens there, if they are known

    @property
    def grafted_keys(self) -> bool:
        """Whether the tree keeps a graft's keys and values for it, or such that were computed on a graft."""
        return self.kept and not self.exact

    @property
    def own(self) -> float:
        """The model's probability; 0 where it is not known."""
        return _probability(self.logprob)

    @property
    def drawn(self) -> float:
        """The probability under the law drawn from; 0 where it is not known."""
        return _probability(self.proposal)

    @property
    def facts(self) -> str:
        """Everything about it, in a few lines."""
        lines = [f"[..., {self.position}] token {self.token}: '{readable(self.data)}'" + " (special)" * self.special]
        if self.logprob is not None:
            lines.append(f"model {percent(self.logprob)}, drawn {percent(self.proposal)}")
        lines += ["beside the constraint, which was not told of it"] * (self.source == "beside")
        lines += filter(None, [self._rank_fact, self._allowed_fact])
        lines += ["likeliest: " + ", ".join(map(str, self.alternatives))] * bool(self.alternatives)
        lines += ["the model's probability is approximate: measured on a graft"] * self.measured_on_graft
        state = "kept" if self.kept else "recomputed" if self.exact else "computed on a graft"
        lines.append(
            f"keys and values {'are' if self.kept else 'would be'} {state}" + ", a graft's" * self.grafted_keys
        )
        return "\n".join(lines)

    @property
    def _rank_fact(self) -> str:
        if self.ranked is not None:
            better = ", ".join(f"'{readable(data)}' {100 * p:.3g}%" for data, p in self.ranked.likelier)
            return f"rank {self.ranked.place:,}" + (f" after {better}" if better else "")
        if self.bound is None:
            return ""
        return "rank 1" if self.bound == 1 else f"rank at most {self.bound:,}"

    @property
    def _allowed_fact(self) -> str:
        if self.allowed is None:
            return ""
        count = self.allowed.tokens
        allowed = f"{count:,} token{'s' if count != 1 else ''} allowed" + ", or the stop" * self.allowed.stop
        return f"forced: {allowed}" if self.source == "forced" else allowed


def marks(
    model: LanguageModel,
    row: DrawnRow,
    kept: int,
    places: Sequence[int],
    ranks: Mapping[int, Ranked] | None = None,
    likeliest: Mapping[int, Sequence[Noted]] | None = None,
    counted: CountedStates | None = None,
) -> list[Mark]:
    """The tokens of a row at these places, in order. The first `kept` tokens have their keys and values in the tree.

    likeliest: the model's likeliest tokens at some places; those that the row has noted itself come first. counted:
    what guides allow, which rows may share.
    """
    vocabulary, wanted = model.vocabulary, set(places)
    marked: list[Mark] = []
    counted = {} if counted is None else counted
    exact_length, approximate = row.exact_length, row.on_graft[0]
    for start, end, piece in row.placed:
        noted = {start + at: each for at, each in piece.alternatives}
        for at, context in zip(range(start, end), piece.contexts(row.ids[start:end]), strict=True):
            if at not in wanted:
                continue
            token, logprob = row.ids[at], row.logprobs[at]
            data = vocabulary.tokens[token]
            source, allowed = piece.kind, None
            if at - start in piece.unfed:
                source = "beside"
            if context is not None and source == "generated":
                allowed = _allowed(*context, counted)
                source = "forced" if is_forced(*context, data, counted) else source
            marked.append(
                Mark(
                    position=at,
                    token=token,
                    data=data,
                    source=source,
                    special=token in vocabulary.special,
                    kept=at < kept,
                    exact=at < exact_length,
                    measured_on_graft=at in approximate,
                    logprob=logprob,
                    proposal=row.proposals[at],
                    allowed=allowed,
                    bound=_rank_bound(logprob, len(vocabulary)),
                    ranked=ranks.get(at) if ranks else None,
                    alternatives=_named(vocabulary.tokens, noted.get(at) or _judged(likeliest, at, context)),
                )
            )
    return marked


def is_forced(guide: Any, state: Any, data: bytes, counted: CountedStates) -> bool:
    """Whether a constraint left one way to go on in this state, which is this token or begins with it."""
    forced = guide.forced(state)
    if not data or forced.startswith(data):
        return bool(data)
    # One token may be left whose bytes go on beyond what all texts share: the vocabulary cannot spell the others.
    return not guide.accepting(state) and _allowed(guide, state, counted).tokens == 1


def _judged(
    likeliest: Mapping[int, Sequence[Noted]] | None, at: int, context: tuple[Any, Any] | None
) -> Sequence[Noted]:
    """The likeliest tokens at a place, with whether the constraint lets them follow."""
    noted = likeliest.get(at, ()) if likeliest else ()
    if context is None:
        return noted
    return [(token, logprob, allows(*context, token)) for token, logprob, _ in noted]


def _named(tokens: Sequence[bytes], noted: Sequence[Noted]) -> tuple[LikelyFact, ...]:
    return tuple(LikelyFact(tokens[token], logprob, allowed) for token, logprob, allowed in noted)


def _rank_bound(logprob: float | None, size: int) -> int | None:
    """The most that a token's rank can be: at most 1/p tokens are as likely as one of probability p."""
    if logprob is None or not logprob > -log(size):
        return None
    return max(1, floor(exp(-logprob) * ROUNDING))


def _allowed(guide: Any, state: Any, counted: CountedStates) -> Allowed:
    key = id(guide), state
    if key not in counted:
        mask = guide.mask(state) & guide.vocabulary.no_eos
        counted[key] = Allowed(int(np.unpackbits(mask.view(np.uint8)).sum()), guide.accepting(state))
    return counted[key]


def kept_likeliest(model: LanguageModel, row: DrawnRow, places: Sequence[int]) -> dict[int, list[Noted]]:
    """The model's likeliest tokens at those places of a row whose logits are still kept, and not a graft's. No pass."""
    noted = {start + at for start, _, piece in row.placed for at, _ in piece.alternatives}
    wanted = [at for at in places if 0 < at < row.exact_length and row.logprobs[at] is not None and at not in noted]
    kept = kept_logits(model, row, [at - 1 for at in wanted]) if wanted else {}
    if not kept:
        return {}
    law = torch.log_softmax(torch.stack(list(kept.values())).float(), -1)
    values, tokens = law.topk(min(NAMED_LIKELIER, law.shape[-1]))
    each = zip(kept, tokens.tolist(), values.tolist(), strict=True)
    return {at + 1: [(t, v, None) for t, v in zip(ids, logprobs, strict=True)] for at, ids, logprobs in each}


def ranked(model: LanguageModel, rows: Sequence[tuple[DrawnRow, Sequence[int]]]) -> list[dict[int, Ranked]]:
    """For each row, the ranks of the tokens that were drawn at its places (in order). One pass of the model."""
    drawn = [[at for at in places if at and row.logprobs[at] is not None] for row, places in rows]
    asked = [(row, wanted) for (row, _), wanted in zip(rows, drawn, strict=True) if wanted]
    logits, claims = read(model, [Need(row.ids, tuple(at - 1 for at in wanted), row.claim) for row, wanted in asked])
    for row, _ in asked:
        model.claimed(row)
    del claims  # until now they kept the new keys and values alive
    lines = iter(logits)
    return [
        {at: _ranked_token(model, row.ids[at], next(lines)) for at in wanted}
        for (row, _), wanted in zip(rows, drawn, strict=True)
    ]


def _ranked_token(model: LanguageModel, token: int, logits: Tensor) -> Ranked:
    law = torch.log_softmax(logits.float(), -1)
    above = int((law > law[token]).sum())
    values, tokens = law.topk(min(above, NAMED_LIKELIER))
    data = (model.vocabulary.tokens[other] for other in tokens.tolist())
    return Ranked(above + 1, tuple(zip(data, values.exp().tolist(), strict=True)))


def _probability(logprob: float | None) -> float:
    return exp(min(logprob, 0.0)) if logprob is not None and logprob == logprob else 0.0


def live(state: DrawnState) -> list[tuple[int, int, DrawnRow]]:
    """The rows that are not dead, with their places."""
    return [(b, s, row) for b, group in enumerate(state.rows) for s, row in enumerate(group) if not row.dead]


def number(row: DrawnRow) -> str:
    """A row's weight, with a minus sign that can be seen; "≈" before it says that it was measured on a graft."""
    return "≈ " * row.on_graft[1] + f"{row.weight:.2f}".replace("-", "−")


def outcome(row: DrawnRow) -> str:
    """What a row weighs exactly, and how it ended."""
    approximate = " (approximate: measured on a graft)" * row.on_graft[1]
    return f"weight {row.weight:.4f}{approximate}, {row.finished or 'not finished'}"


def percentage(logprob: float) -> str:
    """A log-probability as a percentage of three digits, however large or small it is; "0%" for −inf, "∞%" for inf.

    >>> from outlines_cont.display.marks import percentage
    >>> percentage(-0.5), percentage(0.0), percentage(800.0), percentage(-800.0)
    ('60.7%', '100%', '2.73e+349%', '3.67e-346%')
    """
    if isinf(logprob):
        return "∞%" if logprob > 0 else "0%"
    if abs(logprob) < EXACT:
        return f"{100 * exp(logprob):.3g}%"
    power = logprob / log(10) + 2  # of 10: no float holds the number itself
    mantissa, carry = f"{10 ** (power - floor(power)):.2e}".split("e")
    return f"{mantissa}e{floor(power) + int(carry):+d}%"


def percent(logprob: float | None) -> str:
    """A log-probability, and what it is as a probability."""
    if logprob is None or logprob != logprob:
        return "not known"
    return f"{logprob:.2f} ({percentage(logprob)})"
