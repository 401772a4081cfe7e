"""What stands above a row: how well the model foresaw what was generated, and how much of it the constraint forced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp, inf, isnan, log
from typing import NamedTuple

from outlines_cont.display.marks import CountedStates, is_forced
from outlines_cont.display.protocol import DrawnRow
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import markup, readable

LEAST_SURE = 3  # tokens are named, at most
UNSURE = 0.5  # the first is named in any case, others below this probability


class Headline(NamedTuple):
    """The numbers of one row.

    Attributes:
        perplexity: exp(− the mean log-probability of its generated tokens), the model's own; None if there are none, or
            if one is not known. Stops do not count.
        forced: the share of its generated tokens that the constraint forced, of those whose constraint is known; None
            if there are none of them, or if all are free text.
        least_sure: the tokens that the model found least likely, with their probabilities, least likely first.
        approximate: whether some were measured on a graft.
    """

    perplexity: float | None
    forced: float | None
    least_sure: tuple[tuple[bytes, float], ...]
    approximate: bool = False

    def __str__(self) -> str:
        parts = []
        if self.perplexity is not None:
            parts.append("≈ " * self.approximate + f"perplexity {_rounded(self.perplexity)}")
        if self.forced is not None:
            parts.append(f"{100 * self.forced:.0f}% forced")
        if self.least_sure:
            named = ", ".join(f"'{readable(data)}' {_percent(p)}" for data, p in self.least_sure)
            parts.append(f"least sure: {named}")
        return " · ".join(parts)


NOTHING_GENERATED = Headline(None, None, ())


def headline(model: LanguageModel, row: DrawnRow, counted: CountedStates) -> Headline:
    """The numbers of a row. counted: what guides allow, which rows may share."""
    drawn = [(value, at) for at, value in enumerate(row.logprobs) if value is not None]
    if not drawn:
        return NOTHING_GENERATED
    if any(value != value for value, _ in drawn):
        return Headline(None, _share(_forced(model, row, counted)), ())
    lowest = sorted(drawn)[:LEAST_SURE]
    unsure = [(value, at) for n, (value, at) in enumerate(lowest) if not n or value < log(UNSURE)]
    tokens = model.vocabulary.tokens
    mean = sum(value for value, _ in drawn) / len(drawn)  # NaN of infinite ones with different signs
    return Headline(
        perplexity=None if isnan(mean) else _exp(-mean),
        forced=_share(_forced(model, row, counted)),
        least_sure=tuple((tokens[row.ids[at]], exp(min(value, 0.0))) for value, at in unsure),
        approximate=row.on_graft[1],
    )


def of_rows(headlines: Sequence[Headline]) -> str:
    """The numbers of several rows in one line: from the least to the largest."""
    perplexities = [each.perplexity for each in headlines if each.perplexity is not None]
    forced = [each.forced for each in headlines if each.forced is not None]
    parts = []
    if perplexities:
        parts.append(f"perplexity {_range(_rounded(min(perplexities)), _rounded(max(perplexities)))}")
    if forced:
        parts.append(f"{_range(f'{100 * min(forced):.0f}', f'{100 * max(forced):.0f}')}% forced")
    return " · ".join(parts)


def line(text: str) -> str:
    """The markup of such a line; none where there is nothing to say."""
    return f'<div class="m">{markup(text, quote=False)}</div>' if text else ""


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


def _share(forced: Iterable[bool]) -> float | None:
    each = list(forced)
    return sum(each) / len(each) if each else None


def _exp(value: float) -> float:
    try:
        return exp(value)
    except OverflowError:
        return inf


def _percent(probability: float) -> str:
    """Two digits of it: `:.2g` alone would write 1e+02 for 99.6."""
    return f"{float(f'{100 * probability:.2g}'):g}%"


def _rounded(value: float) -> str:
    return "∞" if value == inf else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def _range(least: str, most: str) -> str:
    return least if least == most else f"{least}–{most}"
