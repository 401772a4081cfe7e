"""What a filter is, and how a law is changed by some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from inspect import isroutine
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown, takes
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.filters.bad_words import BadWords
from outlines_cont.decode.writing import Writing
from outlines_cont.kernels.laws import Array, Law, array_of, exponentials
from outlines_cont.kernels.rows import NEG_INF

#: Where the functions are that make filters.
MAKERS = ("outlines_cont.filters", "outlines_cont.decode.samplers.filters.")


class LogitFilter(Protocol):
    """A pure function from a row and the logits after it to other logits.

    A filter with an attribute `after_warp` that is true gets the logits after temperature, top-k, top-p and min-p; all
    others get them before. Forced runs are not drawn: a filter with a method `allowed_run(span, run)` says how many
    tokens of a run may be appended; the next one is then drawn.
    """

    def __call__(self, row: Writing, logits: Tensor) -> Tensor:
        """The logits of one row, changed.

        Args:
            row: what is written so far.
            logits: float32 `[V + 1]`, of each token, and of the stop in the last place; −inf for what the constraint
                does not allow. It is the filter's until it returns, and may be written to.

        Returns:
            The same shape, on the same device. What the constraint does not allow stays at −inf, whatever is returned.
        """
        ...


def checked_filters(filters: Any) -> tuple[LogitFilter, ...]:
    """The filters of a sampler. TypeError for what is no list of functions of two arguments.

    >>> from outlines_cont.decode.samplers.filters import checked_filters
    >>> checked_filters([oc.filters.min_tokens(3)])
    (min_tokens(count=3),)
    """
    if not isinstance(filters, (list, tuple)):
        raise TypeError(f"filters={shown(filters)}: it takes a list, [oc.filters.min_tokens(5), …]")
    for each in filters:
        if not callable(each) or isinstance(each, type):
            raise TypeError(
                f"filters={shown(filters)}: a filter is a function (row, logits) → logits; {shown(each)} is not"
            )
        if str(getattr(each, "__module__", "")).startswith(MAKERS) and isroutine(each):
            raise TypeError(f"filters={shown(filters)}: {each.__name__} makes a filter: call it, {each.__name__}(…)")
        if any(base.__name__ == "LogitsProcessor" for base in type(each).__mro__):
            raise TypeError(
                f"filters={shown(filters)}: a filter is a function (row, logits) → logits, and no LogitsProcessor of "
                "transformers: oc.filters has the usual ones"
            )
        if not takes(each, 2):
            raise TypeError(f"filters={shown(filters)}: a filter takes two arguments, (row, logits); {shown(each)} not")
    return tuple(filters)


def filtered(law: Law, live: Sequence[Hypothesis], filters: Sequence[LogitFilter]) -> Law:
    """A law `[rows, W]` whose scores are changed by filters, row by row. The law that is given stays as it is.

    Raises:
        ValueError: a filter gives something else than logits, or leaves no candidate.
    """
    scores, end = law.scores.clone(), law.stop + 1
    for row, h in enumerate(live):
        writing, before = Writing(h.span), law.scores[row, :end]
        for each in filters:
            each = each.beside(h.span) if isinstance(each, BadWords) else each
            given = scores[row, :end]  # a copy for each filter would take longer than most of them
            after = _checked(each, each(writing, given), before)
            if after is not given:
                given.copy_(after)
        _forbid(array_of(scores[row, :end]), array_of(before))
        if not float(scores[row, :end].amax()) > NEG_INF:
            raise ValueError(
                f"filters={shown(list(filters))}: they leave no candidate after {writing.text[-40:]!r}, where the "
                f"constraint allows {int((before > NEG_INF).sum())}"
            )
    weights = torch.empty_like(scores)
    norms = exponentials(array_of(scores), array_of(weights))
    return replace(law, scores=scores, weights=weights, norms=norms)


def _forbid(scores: Array, before: Array) -> None:
    """What had −inf before gets it again. (numpy does this in a fifth of torch's time.)"""
    if isinstance(scores, np.ndarray):
        np.copyto(scores, NEG_INF, where=before == NEG_INF)
    else:
        scores.masked_fill_(before == NEG_INF, NEG_INF)


def _checked(each: LogitFilter, logits: Any, before: Tensor) -> Tensor:
    right = f"it must return logits, a tensor of {len(before)} numbers: one a token, and the stop's"
    if not isinstance(logits, Tensor) or logits.shape != before.shape or not logits.is_floating_point():
        raise ValueError(f"the filter {shown(each)} returned {shown(logits)}: {right}")
    if not float(logits.detach().amax()) < torch.inf:
        raise ValueError(f"the filter {shown(each)} returned NaN or +inf: {right}")
    return logits.detach() if logits.requires_grad else logits
