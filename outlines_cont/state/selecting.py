"""A choice of its own for each row: how many tokens are kept (`crop`), which rows (`pick`), and what becomes of each
(`map`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np
from torch import Tensor

from outlines_cont.arguments import flag, is_whole, plain, shown, takes_one
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.state.beside import of_one_kind
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.indexing import token_range
from outlines_cont.state.one_model import check_same_model
from outlines_cont.state.posterior import WeighedGrid
from outlines_cont.state.random_keys import rekeyed, rekeyed_copies
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.strict_kv import check_slice

State = TypeVar("State")


class ChosenGrid(WeighedGrid, Generic[State]):
    """A grid whose rows are chosen, cut and changed row by row. Everything here makes a new state."""

    __slots__ = ()

    def _made(self, rows: Sequence[Sequence[Row]], samples: int) -> State:
        """The state of these rows, under the same model."""
        raise NotImplementedError

    @explained
    def crop(self, lengths: int | Sequence[Sequence[int]] | Tensor | np.ndarray) -> State:
        """The first `lengths[b][s]` tokens of each row, as `state[..., :n]` with an n for each row.

        lengths: B × S ints, in nested lists, a tensor or an array; or one int for all rows. Negative ones count from
        the end of the row, as in slices; more than a row has keeps all of it, and 0 gives an empty row. Those of dead
        rows mean nothing. `crop(m).crop(n)` is the crop to the smaller of both for m, n ≥ 0; rows may be chosen before
        or after; keys and values stay. BatchMismatch or SampleMismatch if there is not one int for each row.

        >>> state = model.state(["Mira is a painter", "The sky is"])
        >>> state.crop([[3], [-1]]).tolist(), state.crop(3) == state[..., :3]
        ([['Mira is'], ['The sky']], True)
        """
        right = "it takes an int for each row, B × S of them in nested lists, a tensor or an array; or one int"
        each = plain(lengths)
        if is_whole(each):
            each = [[each] * self._samples for _ in self.rows]
        if not _is_table(each, is_whole):
            raise TypeError(f"crop({shown(lengths)}): {right}")
        self._check_shape(each, "crop", "lengths")
        pairs = [zip(*pair, strict=True) for pair in zip(self.rows, each, strict=True)]
        return self._with_rows([[self._take(row, slice(int(length))) for row, length in pair] for pair in pairs])

    @explained
    def pick(self, rows: Callable[[State], Any] | Sequence[Any] | Tensor | np.ndarray) -> State:
        """Some rows of each batch row, as its samples; dead rows fill the places of batch rows that have fewer.

        rows: pairs `[(b, s), …]`, which are taken in their order; or a mask, B × S bools in nested lists, a tensor or
        an array; or a function from the state of one row to True or False, which is called for each live row. No batch
        row is left out: one of which nothing is picked has dead rows only. A row that is picked twice becomes two with
        random numbers of their own. Rows that failed stay (`errors`) where a function picks.

        Raises:
            IndexError: a pair that is none of the state's places.
            BatchMismatch, SampleMismatch: a mask of another shape.

        >>> names = oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.beam_search(3))
        >>> state = oc.continuous(names, name="city")(["Mira lives in ", "The capital of Peru is "])
        >>> state.pick(lambda row: "Li" in str(row)).shape[:2], state.pick([(1, 0), (0, 2)]).tolist()
        ((2, 2), [['Mira lives in Porto'], ['The capital of Peru is Lima']])
        """
        return self._chosen(rows if not callable(rows) else self._mask(rows))

    @explained
    def map(self, change: Callable[[State], State]) -> State:
        """The state of what a function makes of each live row: from a state of one row to a state of one row.

        `map(f).map(g)` is `map(lambda row: g(f(row)))`, and rows may be picked before or after: f(state[b, s, :]) is
        the row at (b, s), unless two rows that come back have one lineage; the later one gets another then. Dead rows
        are not asked. An error of the function says of which row it was asked. Steps that f calls run for one row at a
        time: a step that is called with the whole state computes all rows together.

        >>> state = model.state(["Mira is 34", "Tom is"])
        >>> state.map(lambda row: row[:-1] if str(row)[-1].isdigit() else row + " old").tolist()
        [['Mira is 3'], ['Tom is old']]
        """
        if not callable(change) or not takes_one(change):
            raise TypeError(f"map({shown(change)}): it takes a function from a state of one row to a state of one row")
        rows = [[self._changed(change, b, s, row) for s, row in enumerate(group)] for b, group in enumerate(self.rows)]
        return self._with_rows(rows if self._holds(rows) else rekeyed(of_one_kind(rows)))

    def _changed(self, change: Callable[[State], State], b: int, s: int, row: Row) -> Row:
        if row.dead:
            return row
        after = _asked(change, self._alone(row), f"map() of row ({b}, {s})")
        if not isinstance(after, ChosenGrid):
            raise TypeError(f"map(): the function made {shown(after)} of row ({b}, {s}), and not a state of one row")
        check_same_model(self, after)
        if after.shape[:2] != (1, 1):
            raise ValueError(
                f"map(): the function made a state of {after.shape[0]} × {after.shape[1]} rows of row ({b}, {s}); it "
                "has to be one row"
            )
        return after.rows[0][0]

    def _alone(self, row: Row) -> State:
        return self._made([[row]], 1)

    def _mask(self, picked: Callable[[State], Any]) -> list[list[bool]]:
        """Which rows a function picks."""
        if not takes_one(picked):
            raise TypeError(f"pick({shown(picked)}): the function takes a state of one row, and says True or False")

        def is_picked(b: int, s: int, row: Row) -> bool:
            if row.dead:
                return isinstance(row, FailedRow)
            answer = _asked(picked, self._alone(row), f"pick() of row ({b}, {s})")
            while isinstance(answer := plain(answer), list) and len(answer) == 1:  # of a tensor for one row
                [answer] = answer
            return flag(answer, f"pick(): what the function says of row ({b}, {s})")

        return [[is_picked(b, s, row) for s, row in enumerate(group)] for b, group in enumerate(self.rows)]

    def _chosen(self, rows: Any) -> State:
        """The rows at these pairs, or where a mask says True."""
        lines = plain(rows)
        if lines and _is_table(lines, lambda value: isinstance(value, (bool, np.bool_))):
            self._check_shape(lines, "pick", "bools")
            samples = [[s for s, is_picked in enumerate(line) if is_picked] for line in lines]
        elif _is_table(lines, is_whole) and all(len(line) == 2 for line in lines):
            samples = self._places(lines)
        else:
            raise TypeError(
                f"pick({shown(rows)}): it takes pairs [(b, s), …], B × S bools, or a function from a state of one row "
                "to True or False"
            )
        chosen = [[self.rows[b][s] for s in places] for b, places in enumerate(samples)]
        if any(len(set(places)) < len(places) for places in samples):
            chosen = rekeyed_copies(chosen)
        return self._with_rows(rectangular(chosen))

    def _places(self, pairs: Sequence[Sequence[int]]) -> list[list[int]]:
        """For each batch row the samples that pairs name."""
        samples: list[list[int]] = [[] for _ in self.rows]
        for b, s in pairs:
            if not (-len(self.rows) <= b < len(self.rows) and -self._samples <= s < self._samples):
                raise IndexError(
                    f"pick(): ({b}, {s}) is out of range for {len(self.rows)} batch rows × {self._samples} samples"
                )
            samples[b].append(s % self._samples)
        return samples

    def _check_shape(self, table: Sequence[Sequence[Any]], called: str, values: str) -> None:
        """BatchMismatch or SampleMismatch if there is not one value for each row."""
        right = f"a state of {len(self.rows)} batch rows × {self._samples} samples: it takes one for each row"
        if len(table) != len(self.rows):
            raise BatchMismatch(f"{called}() with {values} for {len(table)} batch rows, of {right}")
        if wrong := [len(line) for line in table if len(line) != self._samples]:
            raise SampleMismatch(f"{called}() with {values} for {wrong[0]} samples, of {right}")

    def _take(self, row: Row, token: int | slice) -> Row:
        if row.dead:
            return row
        positions = token_range(token, len(row))
        check_slice(row, positions)
        return row.take(positions)

    def _mapped(self, change: Callable[[Row], Row]) -> State:
        return self._with_rows([[change(row) for row in rows] for rows in self.rows])

    def _with_rows(self, rows: list[list[Row]]) -> State:
        """The state of these rows, B groups of equal length; this state itself if they are its own."""
        if self._holds(rows):
            return cast(State, self)
        return self._made(rows, max(map(len, rows), default=self._samples))

    def _holds(self, rows: Sequence[Sequence[Row]]) -> bool:
        """Whether these are its rows."""
        same_samples = all(len(group) == self._samples for group in rows)
        pairs = zip(rows, self.rows, strict=True)
        return same_samples and all(a is b for pair in pairs for a, b in zip(*pair, strict=True))


def rectangular(rows: list[list[Row]]) -> list[list[Row]]:
    """Groups of equal length: the shorter ones are filled up with dead rows."""
    samples = max(map(len, rows), default=0)
    return [[*row, *[DEAD] * (samples - len(row))] for row in rows]


def _is_table(values: Any, is_value: Callable[[Any], bool]) -> bool:
    """Whether these are lists, or tuples, of such values in a list."""
    if not isinstance(values, (list, tuple)) or not all(isinstance(line, (list, tuple)) for line in values):
        return False
    return all(is_value(value) for line in values for value in line)


def _asked(function: Callable[[Any], Any], state: Any, of: str) -> Any:
    """What a function of the user's says of a state; an error of it says where that was."""
    try:
        return function(state)
    except Exception as error:
        error.add_note(f"(raised by the function in {of})")
        raise
