"""What the floors above use of a model: the protocol between the algebra and whatever computes logits.

Laws, draws, constraints, chains, beams and scores are pure functions of logits. So everything above this floor knows a
model by these members only, and any engine that has them may stand behind a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor

from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim


class KeptRow(Protocol):
    """What a model has to know of a row to find its keys and values."""

    @property
    def ids(self) -> tuple[int, ...]:
        """The row's token ids."""
        ...

    @property
    def claim(self) -> Claim | None:
        """On the keys and values of its beginning, if it has one already."""
        ...

    def hold(self, claim: Claim | None, /) -> None:
        """Note a claim on more of them."""
        ...

    @property
    def dead(self) -> bool:
        """Whether the row stands for no sample, and has no tokens."""
        ...


R = TypeVar("R", bound=KeptRow)


class Counted(Protocol):
    """What a model counts: the members of `Stats` that a progress bar reads."""

    tokens: int
    reused: int


class LanguageModel(Protocol):
    """A causal language model: it gives logits after tokens, and may keep what it computed."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of every token, and which tokens end a text. As large as a line of logits."""
        ...

    @property
    def encoder(self) -> Encoder:
        """Text ↔ token ids, at the start and in the middle of a row."""
        ...

    @property
    def context_length(self) -> int | None:
        """The most tokens that a row may have; None if there is no bound, so that calls must give `max_tokens`."""
        ...

    @property
    def device(self) -> torch.device:
        """Where logits lie, and the tensors of states."""
        ...

    @property
    def dtype(self) -> torch.dtype:
        """The number format of the parameters, for display."""
        ...

    @property
    def identity(self) -> str:
        """A digest that is equal for equal vocabularies and parameters, also in another process."""
        ...

    @property
    def stats(self) -> Counted:
        """How many token positions were computed, and how many were needed and not computed again."""
        ...

    def read(self, needs: Sequence[Need], /) -> tuple[Tensor, list[Claim | None]]:
        """The logits `[Σ len(need.wanted), V]`, in the order of the needs, and for each need a claim or None.

        A claim is on the keys and values of the tokens that were read. Equal tokens give equal logits up to rounding,
        whatever else is read with them. A need that wants nothing has no line: an engine that keeps keys and values
        computes those of its row, another one passes it over. ValueError for positions that a need does not have, and
        for rows longer than the context.
        """
        ...

    def claimed(self, row: R, /) -> R:
        """The row itself. It was told by `hold` of a claim on the longest beginning of it that has keys and values."""
        ...

    def kv_lengths(self, rows: Iterable[KeptRow], /) -> list[int]:
        """How many leading tokens of each row have their keys and values kept now; 0 where nothing is known."""
        ...


_MEMBERS = [name for name in vars(LanguageModel) if not name.startswith("_")]


def keeps(model: LanguageModel) -> bool:
    """Whether a model keeps what it reads now. One that keeps nothing may say so, by an attribute: `keeps = False`."""
    return getattr(model, "keeps", True)


def asynchronous(model: LanguageModel) -> bool:
    """Whether its `read` may come back before the logits are computed, for which those wait who look at them. Such a
    model says so, by an attribute: `asynchronous = True`. Meanwhile its rows are prepared for the next step."""
    return getattr(model, "asynchronous", False)


def missing_members(model: Any) -> list[str]:
    """Which members of `LanguageModel` an object lacks. Nothing of it is computed."""
    attributes = getattr(model, "__dict__", {})
    return [name for name in _MEMBERS if name not in attributes and not hasattr(type(model), name)]
