"""What a file says of the contexts beside rows. Those of other models it cannot bring back: it holds no models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from outlines_cont.errors import warn
from outlines_cont.state.beside import Combination, OtherContext
from outlines_cont.state.row import Row

CONFIG = ConfigDict(strict=True, extra="forbid", frozen=True)

Position = Annotated[int, Field(ge=0, le=2**31 - 1)]
Weight = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class ContextRecord(BaseModel):
    """See `OtherContext`; identity: that of another model's parameters."""

    model_config = CONFIG

    ids: Annotated[list[Position], Field(min_length=1, fail_fast=True)]
    weight: Weight
    identity: str | None = None


class CombinationRecord(BaseModel):
    """See `Combination`."""

    model_config = CONFIG

    start: Position
    contexts: list[ContextRecord]
    main_weight: Weight = 1.0
    normalize: bool = True


class NumberedCombinations:
    """The combinations of rows, each once, with its number."""

    def __init__(self, rows: Iterable[Row]):
        self._numbers: dict[tuple[object, ...], int] = {}
        self.records: list[dict[str, Any]] = []
        for beside in (row.beside for row in rows):
            if beside is not None and self._numbers.setdefault(beside.facts(), len(self.records)) == len(self.records):
                self.records.append(_combination_record(beside))

    def number(self, row: Row) -> int | None:
        """That of a row's combination."""
        return row.beside and self._numbers[row.beside.facts()]


def _combination_record(beside: Combination) -> dict[str, Any]:
    contexts = []
    for each in beside.contexts:
        identity = {} if each.model is None else {"identity": each.model.identity}
        contexts.append({"ids": each.ids, "weight": each.weight, **identity})
    scalars = {"main_weight": beside.main_weight, "normalize": beside.normalize}
    return {"start": beside.start, "contexts": contexts, **scalars}


def combinations_of(records: Sequence[CombinationRecord], size: int) -> Iterator[Combination | str | None]:
    """The combination of each record, in a vocabulary of this size; None for one with contexts of other models, which
    is warned of; or what is wrong with it."""
    if foreign := sorted({each.identity for record in records for each in record.contexts if each.identity}):
        warn(
            f"the state was saved with contexts of other models beside its rows ({', '.join(foreign)}), and a file "
            "holds no models: these rows have no contexts now; give them anew in the next call, beside=[…]"
        )
    for record in records:
        if any(token >= size for each in record.contexts for token in each.ids):
            yield f"a context has a token that a vocabulary of {size} does not have"
        elif any(each.identity for each in record.contexts):
            yield None
        else:
            contexts = tuple(OtherContext(tuple(each.ids), each.weight) for each in record.contexts)
            yield Combination(record.start, contexts, record.main_weight, record.normalize)
