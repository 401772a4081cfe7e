"""Which request stands in which row of vLLM's batch, as its processors of logits are told: no vLLM is needed for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class PlacedRequest(NamedTuple, Generic[T]):
    """A request in vLLM's batch.

    value: whatever its sampling parameters name; prompt: how many tokens its prompt has; output: vLLM's own list of the
    tokens after it, which grows as these are reported.
    """

    value: T
    prompt: int
    output: list[int]

    @property
    def length(self) -> int:
        """How many tokens its row has.

        Raises:
            RuntimeError: vLLM has not said yet which tokens these are.
        """
        if self.output and self.output[-1] < 0:
            raise RuntimeError(
                "vLLM asks for the next token of a row and does not say which token comes before it (pipeline "
                "parallelism with asynchronous scheduling): start it with async_scheduling=False"
            )
        return self.prompt + len(self.output)


class BatchPlaces(Generic[T]):
    """The requests of a batch, row by row. `update` follows what vLLM's `BatchUpdate` says."""

    def __init__(self) -> None:
        self._rows: dict[int, PlacedRequest[T]] = {}

    def __iter__(self) -> Iterator[tuple[int, PlacedRequest[T]]]:
        """Each request with its row, from the first row on."""
        return iter(sorted(self._rows.items()))

    def __len__(self) -> int:
        return len(self._rows)

    def update(self, removed: Any, added: Any, moved: Any) -> None:
        """Requests leave, then others come, then some change rows.

        removed: rows; added: (row, value or None, prompt tokens, output tokens), None for a request that is not ours;
        moved: (row, row, whether the two change places; else the first goes to the second).
        """
        rows = self._rows
        for row in removed:
            rows.pop(row, None)
        for row, value, prompt, output in added:
            rows.pop(row, None)  # a request may take the row of another one that was not ours
            if value is not None:
                rows[row] = PlacedRequest(value, len(prompt or ()), output)
        for one, other, swap in moved:
            first, second = rows.pop(one, None), rows.pop(other, None)
            if first is not None:
                rows[other] = first
            if swap and second is not None:
                rows[one] = second
