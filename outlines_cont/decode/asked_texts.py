"""The texts that a predicate is asked about: what a span says so far, and what it becomes."""

from __future__ import annotations

from codecs import utf_8_decode

from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.span_ends import stop_begun


def text_so_far(span: GrowingSpan) -> str:
    """The whole characters of a span's value, without the beginning of what may become a stop string."""
    data, constraint = span.value, span.settings.constraint
    if span.settings.stop_bytes and not constraint.include_stop:
        data = data[: len(data) - stop_begun(data, span.settings.stop_bytes)]
    return utf_8_decode(data, "replace", False)[0]


def change(before: GrowingSpan, after: GrowingRow) -> float:
    """What a span adds to its log-potential by going on to where it is afterwards; −inf if that is refused.

    Where a span has no predicate, or its constraint was given up, it adds nothing.
    """
    where = before.settings.where
    if where is None or before.at.freed is not None:
        return 0.0
    if "stop" in (after.status.finished, after.status.ending):
        return where.change(text_so_far(before), after.span.value.decode("utf-8", "replace"), True)
    return where.change(text_so_far(before), text_so_far(after.span), False)
