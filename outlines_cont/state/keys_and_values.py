"""What a state has in the KV tree (`state.kv`), and `strict_kv`, in which operations that would lose it raise an error.

Keys and values are no part of the value: whatever is computed, dropped or asked here, the state stays equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Generic, cast

import torch
from torch import Tensor

from outlines_cont.engines.protocol import keeps, read
from outlines_cont.errors import SlicingError
from outlines_cont.kv.needs import Need
from outlines_cont.state.grid import Grid, State
from outlines_cont.state.row import Row


@dataclass(frozen=True, slots=True, repr=False)
class KeysAndValues(Generic[State]):
    """The keys and values of a state's tokens, as `state.kv` gives them: how many the KV tree has now, and whether they
    are exact.

    Attributes:
        state: the state.

    >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira says the sky is", max_tokens=2)
    >>> state.kv  # the last token was drawn and not read yet
    KeysAndValues(9 of 10 tokens)
    """

    state: Grid[State]

    @property
    def lengths(self) -> Tensor:
        """How many leading tokens of each row have their keys and values in the KV tree now: int64 `(B, S)`.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira says the sky is", max_tokens=2)
        >>> state.lengths.tolist(), state.kv.lengths.tolist()  # the last token was drawn and not read yet
        ([[10]], [[9]])
        """
        model, shape = self.state.model, self.state.shape[:2]
        lengths = model.kv_lengths(row for rows in self.state.rows for row in rows)
        return torch.tensor(lengths, dtype=torch.int64, device=model.device).view(shape)

    @property
    def exact(self) -> Tensor:
        """Whether the keys and values of each token are exact: bool `(B, S, T)`, True on padding.

        False at the tokens of a graft (`oc.grafts.graft`), whose keys and values were computed after other tokens, and
        at all tokens after it, which attend to the graft.

        >>> facts = model.state(" Mira is a pilot.")
        >>> grafted = oc.grafts.graft(model.state("Look:"), facts, recompute=0.5)
        >>> grafted.kv.exact.sum().item(), grafted.kv.exact.shape[2]
        (7, 10)
        """
        self.state.model.kv_lengths([])  # after a change of the parameters nothing is a graft any more
        return self.state._padded(lambda row: [at < row.exact_length for at in range(len(row))], True, torch.bool)

    @property
    def logprobs_exact(self) -> Tensor:
        """Whether each token's log-probability is exact: bool `(B, S, T)`, True at tokens that were not drawn.

        False if the token was drawn after a graft (`oc.grafts.graft`); `rescore()` computes exact ones. `span.exact` is
        the same for whole spans, stops included.

        >>> step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> grafted = step(oc.grafts.graft(model.state("Look:"), model.state(" The sky is")), max_tokens=2)
        >>> grafted.kv.logprobs_exact[..., -3:].tolist(), grafted.rescore().kv.logprobs_exact.all().item()
        ([[[True, False, False]]], True)
        """

        def exact(row: Row) -> list[bool]:
            approximate, _ = row.on_graft
            return [at not in approximate for at in range(len(row))]

        return self.state._padded(exact, True, torch.bool)

    def prefill(self) -> State:
        """The state itself, after a pass that computes all keys and values that the KV tree lacks.

        The logits after each row's last token are kept, too, so that the first draw of the next step computes nothing.
        (The model keeps the latest 64 MiB of logits.) Keys and values stay as long as this state, or a state made from
        it, is alive, and the budget allows it: see `lengths`. ValueError if a row is longer than the model's context.

        Dead rows and rows without tokens have nothing to compute. Under `model.fresh()`, and for a model without a KV
        tree, nothing can be kept: then nothing is computed, and `lengths` stays 0.

        >>> state = model.state(["Zora is a pilot", "Zora is a cook."]).kv.prefill()
        >>> state.kv.lengths.equal(state.lengths)
        True
        """
        model = self.state.model
        if keeps(model):
            rows = [row for group in self.state.rows for row in group if row.ids and not row.dead]
            _, claims = read(model, [Need(row.ids, (len(row) - 1,), row.claim) for row in rows])
            for row in rows:
                model.claimed(row)
            del claims  # until now they kept the new keys and values alive
        return cast(State, self.state)

    def drop(self) -> State:
        """The state without a claim on the KV tree, until its keys and values are computed again.

        >>> state = oc.continuous(oc.generate.text(oc.load()))("The sky is", max_tokens=2)
        >>> bare = state.kv.drop()
        >>> del state  # nobody else holds them
        >>> bare.kv.lengths.tolist()
        [[0]]
        """
        return self.state._mapped(
            lambda row: row if row.dead else replace(row, claim=None, beside=row.beside and row.beside.without_claims())
        )

    def __repr__(self) -> str:
        count, size = int(self.lengths.sum()), int(self.state.lengths.sum())
        inexact = size - sum(min(row.exact_length, len(row)) for rows in self.state.rows for row in rows)
        return f"KeysAndValues({count} of {size} tokens{f', {inexact} by a graft' * (inexact > 0)})"


# --- strictness

_strict_kv: ContextVar[bool] = ContextVar("strict_kv", default=False)


@contextmanager
def strict_kv() -> Iterator[None]:
    """In this context, slices and joins that would lose keys and values raise `SlicingError`.

    A state has keys and values as soon as a model has read it: `a + b` is allowed, but not after `oc.score(b, …)`.

    >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Look, the sky is", max_tokens=2)
    >>> with oc.stepping.strict_kv():
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
