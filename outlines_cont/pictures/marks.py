"""`Mark`: everything that pictures show of one token of a row; and `Headline`: what stands above a row."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, floor, inf, isinf, isnan, log
from typing import Any, Literal, NamedTuple

import numpy as np
import torch

from outlines_cont.engines.protocol import LanguageModel, kept_logits
from outlines_cont.fsm.protocol import allows
from outlines_cont.pictures.markup import characters, readable
from outlines_cont.pictures.protocol import DrawnRow, DrawnState, Noted

# "beside": a token that its constraint was not told of.
Source = Literal["prompt", "text", "forced", "generated", "beside"]
NAMED = 3  # of the likeliest tokens at a place, where they were not recorded
WITHIN = re.compile(rb"([\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")  # a character that goes on
EXACT = 700.0  # nats: beyond, a float may not hold exp of it


@dataclass(frozen=True, slots=True)
class Allowed:
    """How many tokens a constraint let follow, and whether the span might have ended."""

    tokens: int
    stop: bool


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
    alternatives: tuple[LikelyFact, ...] = ()  # the model's likeliest tokens there, if they are known
    parts: tuple[Mark, ...] = ()  # the tokens, if it stands for several that have a character in common

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
        if self.parts:
            return "\n".join(part.facts for part in self.parts)
        lines = [f"[..., {self.position}] token {self.token}: '{readable(self.data)}'" + " (special)" * self.special]
        if self.logprob is not None:
            lines.append(f"model {percent(self.logprob)}, drawn {percent(self.proposal)}")
        lines += ["beside the constraint, which was not told of it"] * (self.source == "beside")
        if self.allowed is not None:
            count = self.allowed.tokens
            forced = "forced: " * (self.source == "forced")
            lines.append(f"{forced}{count:,} token{'s' * (count != 1)} allowed" + ", or the stop" * self.allowed.stop)
        lines += ["likeliest: " + ", ".join(map(str, self.alternatives))] * bool(self.alternatives)
        lines += ["the model's probability is approximate: measured on a graft"] * self.measured_on_graft
        state = "kept" if self.kept else "recomputed" if self.exact else "computed on a graft"
        state += ", a graft's" * self.grafted_keys
        lines.append(f"keys and values {'are' if self.kept else 'would be'} {state}")
        return "\n".join(lines)


def marks(
    model: LanguageModel,
    row: DrawnRow,
    kept: int,
    places: Sequence[int],
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
        noted = {start + at: each for at, each in piece.noted("alternatives")}
        for at, context in zip(range(start, end), piece.contexts(row.ids[start:end]), strict=True):
            if at not in wanted:
                continue
            token = row.ids[at]
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
                    logprob=row.logprobs[at],
                    proposal=row.proposals[at],
                    allowed=allowed,
                    alternatives=likely_facts(vocabulary.tokens, noted.get(at) or _judged(likeliest, at, context)),
                )
            )
    return marked


def whole(drawn: Iterable[Mark], signs: Container[int] = ()) -> Iterator[Mark]:
    """Tokens with one mark for those that have a character in common, if no sign stands before any but the first."""
    parts: list[Mark] = []
    for mark in drawn:
        adjacent = parts and mark.position == parts[-1].position + 1 and mark.position not in signs
        if not (adjacent and WITHIN.search(b"".join(part.data for part in parts))):
            yield from _joined(parts)
            parts = []
        parts.append(mark)
    yield from _joined(parts)


def _joined(parts: Sequence[Mark]) -> Sequence[Mark]:
    """One mark, as likely as these are together, if their bytes make other characters together than one by one."""
    data = b"".join(part.data for part in parts)
    if len(characters(data)) == sum(len(characters(part.data)) for part in parts):
        return parts
    numbers = zip(*((part.logprob, part.proposal) for part in parts), strict=True)
    logprob, proposal = (None if None in each else sum(each) for each in numbers)
    source = next((part.source for part in parts if part.source != "forced"), "forced")
    last = replace(parts[-1], position=parts[0].position, data=data, source=source)  # kept, if the last one is
    return [replace(last, logprob=logprob, proposal=proposal, parts=tuple(parts))]


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


def likely_facts(tokens: Sequence[bytes], noted: Sequence[Noted]) -> tuple[LikelyFact, ...]:
    """The likeliest tokens at a place, with their bytes."""
    return tuple(LikelyFact(tokens[token], logprob, allowed) for token, logprob, allowed in noted)


def _allowed(guide: Any, state: Any, counted: CountedStates) -> Allowed:
    key = id(guide), state
    if key not in counted:
        mask = guide.mask(state) & guide.vocabulary.no_eos
        counted[key] = Allowed(int(np.unpackbits(mask.view(np.uint8)).sum()), guide.accepting(state))
    return counted[key]


def kept_likeliest(model: LanguageModel, row: DrawnRow, places: Sequence[int]) -> dict[int, list[Noted]]:
    """The model's likeliest tokens at those places of a row whose logits are still kept, and not a graft's. No pass."""
    noted = {start + at for start, _, piece in row.placed for at, _ in piece.noted("alternatives")}
    wanted = [at for at in places if 0 < at < row.exact_length and row.logprobs[at] is not None and at not in noted]
    kept = kept_logits(model, row, [at - 1 for at in wanted]) if wanted else {}
    if not kept:
        return {}
    law = torch.log_softmax(torch.stack(list(kept.values())).float(), -1)
    values, tokens = law.topk(min(NAMED, law.shape[-1]))
    each = zip(kept, tokens.tolist(), values.tolist(), strict=True)
    return {at + 1: [(t, v, None) for t, v in zip(ids, logprobs, strict=True)] for at, ids, logprobs in each}


def _probability(logprob: float | None) -> float:
    return exp(min(logprob, 0.0)) if logprob is not None and logprob == logprob else 0.0


def live(state: DrawnState) -> list[tuple[int, int, DrawnRow]]:
    """The rows that are not dead, with their places."""
    return [(b, s, row) for b, group in enumerate(state.rows) for s, row in enumerate(group) if not row.dead]


def signed(value: float, plus: bool = False) -> str:
    """A number with a minus sign that can be seen."""
    return format(value, "+.2f" if plus else ".2f").replace("-", "−")


def number(row: DrawnRow) -> str:
    """A row's weight; "≈" before it says that it was measured on a graft."""
    return "≈ " * row.on_graft[1] + signed(row.weight)


def outcome(row: DrawnRow) -> str:
    """What a row weighs exactly, and how it ended."""
    approximate = " (approximate: measured on a graft)" * row.on_graft[1]
    return f"weight {row.weight:.4f}{approximate}, {row.finished or 'not finished'}"


def percentage(logprob: float) -> str:
    """A log-probability as a percentage of three digits, however large or small it is; "0%" for −inf, "∞%" for inf."""
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


# ------------------------------------------------------------------------------------------------ the line above a row

LEAST_SURE = 3  # tokens are named, at most
UNSURE = 0.5  # the first is named in any case, others below this probability


class Headline(NamedTuple):
    """The numbers of one row.

    Attributes:
        perplexity: exp(− the mean log-probability of its generated tokens), the model's own; None if there are none, or
            if one is not known. Stops do not count.
        forced_share: the share of its generated tokens that the constraint forced, of those whose constraint is known;
            None if there are none of them, or if all are free text.
        least_sure: the tokens that the model found least likely, with their log-probabilities, least likely first.
        approximate: whether some were measured on a graft.
    """

    perplexity: float | None = None
    forced_share: float | None = None
    least_sure: tuple[tuple[bytes, float], ...] = ()
    approximate: bool = False

    def __str__(self) -> str:
        parts = []
        if (value := self.perplexity) is not None:
            written = "∞" if value == inf else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
            parts.append("≈ " * self.approximate + f"perplexity {written}")
        if self.forced_share is not None:
            parts.append(f"{100 * self.forced_share:.0f}% forced")
        if self.least_sure:
            named = ", ".join(f"'{readable(data)}' {percentage(logprob)}" for data, logprob in self.least_sure)
            parts.append(f"least sure: {named}")
        return " · ".join(parts)


def headline(model: LanguageModel, row: DrawnRow, counted: CountedStates) -> Headline:
    """The numbers of a row. counted: what guides allow, which rows may share."""
    drawn = [(value, at) for at, value in enumerate(row.logprobs) if value is not None]
    forced = list(_forced(model, row, counted))
    share = sum(forced) / len(forced) if forced else None
    if not drawn or any(isnan(value) for value, _ in drawn):
        return Headline(forced_share=share)
    lowest = sorted(drawn)[:LEAST_SURE]
    unsure = [(value, at) for n, (value, at) in enumerate(lowest) if not n or value < log(UNSURE)]
    mean = sum(value for value, _ in drawn) / len(drawn)  # NaN of infinite ones with different signs
    return Headline(
        perplexity=None if isnan(mean) else exp(-mean) if -mean < EXACT else inf,
        forced_share=share,
        least_sure=tuple((model.vocabulary.tokens[row.ids[at]], min(value, 0.0)) for value, at in unsure),
        approximate=row.on_graft[1],
    )


def _forced(model: LanguageModel, row: DrawnRow, counted: CountedStates) -> Iterator[bool]:
    """For each generated token whose constraint is known, and is one, whether that forced it."""
    tokens = model.vocabulary.tokens
    for start, end, piece in row.placed:
        if piece.kind != "generated" or piece.generator == "text":
            continue
        ids = row.ids[start:end]
        for token, logprob, context in zip(ids, row.logprobs[start:end], piece.contexts(ids), strict=True):
            if logprob is not None and context is not None:
                yield is_forced(*context, tokens[token], counted)
