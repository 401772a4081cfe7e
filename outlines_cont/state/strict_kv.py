"""`strict_kv`: a context in which operations that would lose keys and values raise an error instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from outlines_cont.errors import SlicingError
from outlines_cont.state.row import Row

_strict_kv: ContextVar[bool] = ContextVar("strict_kv", default=False)


@contextmanager
def strict_kv() -> Iterator[None]:
    """In this context, slices and joins that would lose keys and values raise `SlicingError`.

    A state has keys and values as soon as a model has read it: `a + b` is allowed, but not after `oc.score(b, …)`.

    >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Look, the sky is", max_tokens=2)
    >>> with oc.strict_kv():
    ...     state[..., 2:]
    Traceback (most recent call last):
        ...
    outlines_cont.errors.SlicingError: tokens 2:11:1 of a row lose the keys and values of its first 10 tokens: ...
    """
    token = _strict_kv.set(True)
    try:
        yield
    finally:
        _strict_kv.reset(token)


def check_slice(row: Row, positions: range) -> None:
    """SlicingError if the tokens at these positions cannot keep the row's keys and values, and that is asked for."""
    if not _strict_kv.get():
        return
    if not row.shares(positions):
        raise SlicingError(
            f"tokens {positions.start}:{positions.stop}:{positions.step} of a row lose the contexts beside it: they "
            f"stay where all tokens up to position {row.beside and row.beside.start} are kept, and no gap is left "
            "(strict_kv)"
        )
    if not (row.claim and row.claim.depth and positions):
        return
    if positions.start or positions.step != 1:
        raise SlicingError(
            f"tokens {positions.start}:{positions.stop}:{positions.step} of a row lose the keys and values of its "
            f"first {row.claim.depth} tokens: they are valid only from token 0 on (strict_kv)"
        )


def check_join(left: Row, right: Row) -> None:
    """SlicingError if the right row's keys and values would be lost after the left row, and strictness is asked for."""
    if _strict_kv.get() and (left.beside or right.beside):
        raise SlicingError("state + state: the contexts beside the rows would be lost (strict_kv); append a text")
    if _strict_kv.get() and right.claim and len(left):
        raise SlicingError("state + state: the right operand's keys and values do not hold after the left (strict_kv)")


def check_graft() -> None:
    """SlicingError for a graft, whose keys and values are not exact, if strictness is asked for."""
    if _strict_kv.get():
        raise SlicingError("graft(left, right): its keys and values are not exact (strict_kv); left + right is")
