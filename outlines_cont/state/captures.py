"""Named spans → values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outlines_cont.errors import InvalidValueError
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.row import Row


class Captures(Mapping[str, list[list[list[Any]]]]):
    """Name → B × S nested lists of the values of that name; parsed anew at every look."""

    def __init__(self, rows: Sequence[Sequence[Row]], vocabulary: Vocabulary, state: object):
        """state: what holds the rows, for errors."""
        self._rows, self._vocabulary, self._state = rows, vocabulary, state
        pieces = (piece for group in rows for row in group for piece in row.pieces)
        named = (piece.origin.name for piece in pieces if piece.kind == "generated")
        self._names = tuple(dict.fromkeys(name for name in named if name is not None))

    def __getitem__(self, name: str) -> list[list[list[Any]]]:
        if name not in self._names:
            known = ", ".join(map(repr, self._names)) or "none: no step was given a name"
            raise KeyError(f"no span is named {name!r}; the names here are {known}")
        return [[self._values(row, name, (b, s)) for s, row in enumerate(rows)] for b, rows in enumerate(self._rows)]

    def _values(self, row: Row, name: str, place: tuple[int, int]) -> list[Any]:
        """The values of the row's spans of this name that are whole and ended in their stop."""
        decode, values = self._vocabulary.decode, []
        for start, end, piece in row.placed:
            constraint = piece.origin.constraint
            if (
                piece.origin.name != name
                or constraint is None
                or piece.origin.freed is not None
                or piece.finished != "stop"
            ):
                continue
            try:
                text = decode(row.ids[start:end])[len(piece.origin.healed) :]
                values.append(constraint.parse(text.decode("utf-8", "replace")))
            except ValueError as error:  # what pydantic checks beyond the schema
                raise InvalidValueError(
                    f"captures[{name!r}]: the value of row {place} was generated but not accepted: {error}", self._state
                ) from error
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Captures({', '.join(map(repr, self._names))})"
