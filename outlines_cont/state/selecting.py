"""Parts of a state: what `state[…]` and `state.chars[…]` select; and choices row by row: how many tokens are kept
(`crop`, `up_to`), which rows (`pick`, `best`), and what becomes of each (`map`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from numbers import Real
from typing import Any, cast, get_args

import numpy as np
from torch import Tensor

from outlines_cont.arguments import flag, is_whole, plain, shown, takes_one, whole_number, word
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.state.beside import of_one_kind
from outlines_cont.state.failed_row import FailedRow, failed_rows
from outlines_cont.state.grid import Grid, State, check_same_model
from outlines_cont.state.indexing import (
    CharacterView,
    Inside,
    Missing,
    UpTo,
    checked_inside,
    checked_span,
    checked_text,
    select,
    token_range,
)
from outlines_cont.state.keys_and_values import check_slice
from outlines_cont.state.random_keys import rekeyed, rekeyed_copies
from outlines_cont.state.row import DEAD, Row


class SelectableGrid(Grid[State]):
    """A grid whose rows are selected, cut and changed, each by itself. Everything here makes a new state."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> State:
        """`state[batch, sample, token]`, each an int, a slice, or (batch, sample) a list: always a state of three axes.

        `s[..., a:b][..., c:d]` is what Python's lists give, row by row; lists select the outer product.

        >>> state = model.state(["The sky is blue.", "Mira is a painter."])
        >>> state[0, 0, :-1].tolist(), state[[1, 0], -2:].tolist()
        ([['The sky is blue']], [[' painter.'], [' blue.']])
        """
        return self._selected(key, self._take)

    def _selected(self, key: Any, part: Callable[[Row, int | slice], Row], unit: str = "token") -> State:
        """The rows that a key selects, and of each the part that the last key means, counted in these units."""
        batch, sample, last = selection = select(key, self.shape, unit)
        taken = picked = [[rows[s] for s in sample] for rows in map(self.rows.__getitem__, batch)]
        if last != slice(None):
            taken = [[part(row, last) for row in rows] for rows in picked]
        if taken == picked == [list(rows) for rows in self.rows] and len(sample) == self._samples:
            return cast(State, self)
        if selection.repeats:
            taken = rekeyed_copies(taken)
        return self._made(taken, len(sample))

    @property
    def chars(self) -> CharacterView[State]:
        """`state.chars[batch, sample, i:j]`: as `state[…]`, but the last key counts the characters of a row's string.

        The last key is an int or a slice of step 1, and the string of each row becomes exactly `string[i:j]`. Whole
        tokens are kept as in slices. If a token crosses a cut, its bytes on the kept side are spelled anew, as given
        text that does not count in `weights`; ValueError if no tokens spell them. `state.chars(inside="keep")[…]` keeps
        such tokens whole, `inside="drop"` drops them. Special tokens at a cut belong to the part after it. A token
        beside its constraint (`oc.steer.Insert`) that crosses the end of a cut is dropped whole, because the constraint
        would read a part of it.

        >>> state = model.state(["Mira is a painter", "The sky is blue"])
        >>> state.chars[..., :12].tolist(), state.chars[1, -4:].tolist()
        ([['Mira is a pa'], ['The sky is b']], [['blue']])
        """
        return CharacterView(self.model, lambda key, part: self._selected(key, part, "character"))

    def up_to(
        self,
        text: str,
        *,
        include: bool = False,
        span: str | int | None = None,
        inside: Inside = "spell",
        missing: Missing = "raise",
    ) -> State:
        """Each row up to the first occurrence of a text, cut as by `chars`. Of several rows, those without it are
        unchanged; ValueError if no row has the text, or a span of the name.

        include: keep the text itself. span: search only the last span with this name, or the one with this index in
        each row, and keep all that stands before it (also what the span took back from there); IndexError for an
        index out of range. inside: "spell", "keep" or "drop" a token that crosses the cut: see `chars`. missing:
        "keep" leaves rows as they are also if none has the text, or such a span.

        >>> state = model.state(["Mira is a painter. She is 34", "Tom is 28"])
        >>> state.up_to(" is").tolist(), state.up_to("ter.", include=True).tolist()
        ([['Mira'], ['Tom']], [['Mira is a painter.'], ['Tom is 28']])
        >>> state.up_to("baker", missing="keep") == state
        True
        """
        cut = UpTo(self.model, checked_text(text), flag(include, "include"), checked_span(span), checked_inside(inside))
        word(missing, "missing", get_args(Missing))
        state = self._mapped(cut)
        return state if missing == "keep" else cut.checked(state, len(self))

    def best(
        self, k: int = 1, by: Callable[[State], float] | Sequence[Sequence[float]] | Tensor | np.ndarray | None = None
    ) -> State:
        """The k live samples with the largest scores of each batch row, best first; dead rows fill missing places.

        A batch row without live samples keeps its first error.

        by: other numbers than `scores`: B × S of them, in nested lists, a tensor or an array, of which those of dead
        rows mean nothing; or a function from the state of one row to a number, which is called for each live row.

        Raises:
            ValueError: k is not between 1 and S; or a number is NaN.
            BatchMismatch, SampleMismatch: there is not one number for each row.

        >>> city = oc.generate.choice(model, ["Lima", "Lisbon", "Porto"], oc.samplers.beam_search(3))
        >>> oc.continuous(city)("Mira lives in ").best(2).tolist()
        [['Mira lives in Lisbon', 'Mira lives in Lima']]
        """
        k = whole_number(k, "k", "an int ≥ 1")
        if not 1 <= k <= max(self._samples, 1):
            raise ValueError(f"best({k}) of {self._samples} samples: k must lie between 1 and {self._samples}")
        ranks = [[_rank(row.score) for row in rows] for rows in self.rows] if by is None else self._ranks(by)
        live = [[s for s, row in enumerate(rows) if not row.dead] for rows in self.rows]
        ranked = [
            [rows[s] for s in sorted(places, key=rank.__getitem__)[:k]]
            for rows, places, rank in zip(self.rows, live, ranks, strict=True)
        ]
        for b, _, failed in failed_rows(self.rows):
            ranked[b] = ranked[b] or [failed]
        return self._made(rectangular(ranked), max(map(len, ranked), default=0))

    def _ranks(self, by: Any) -> list[list[tuple[bool, float]]]:
        """Keys by which rows are sorted, of the numbers that users give for their scores."""
        table = answers_of(by, self, "best") if callable(by) else plain(by)
        if not _is_table(table, lambda value: True):
            raise TypeError(f"best(by={shown(by)}): it takes B × S numbers, or a function from a state of one row")
        self._check_shape(table, "best", "numbers")
        dead = [[row.dead for row in rows] for rows in self.rows]
        for b, s in ((b, s) for b, line in enumerate(dead) for s, is_dead in enumerate(line) if not is_dead):
            if not isinstance(table[b][s], Real) or isnan(table[b][s]):
                raise ValueError(f"best(): by= is {shown(table[b][s])} for row ({b}, {s}), and no number")
        return [[(d, d or -v) for d, v in zip(*each, strict=True)] for each in zip(dead, table, strict=True)]

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
        return self._mapped(lambda row, length: self._take(row, slice(int(length))), each)

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
        if not isinstance(after, SelectableGrid):
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
        answers = answers_of(picked, self, "pick")

        def is_picked(b: int, s: int, row: Row) -> bool:
            if row.dead:
                return isinstance(row, FailedRow)
            return flag(answers[b][s], f"pick(): what the function says of row ({b}, {s})")

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


def _rank(score: float) -> tuple[bool, float]:
    """A key by which rows are sorted: best first, those without a score last."""
    return score != score, -score


def rectangular(rows: list[list[Row]]) -> list[list[Row]]:
    """Groups of equal length: the shorter ones are filled up with dead rows."""
    samples = max(map(len, rows), default=0)
    return [[*row, *[DEAD] * (samples - len(row))] for row in rows]


def _is_table(values: Any, is_value: Callable[[Any], bool]) -> bool:
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


def answers_of(function: Callable[[Any], Any], state: SelectableGrid[Any], called: str) -> list[list[Any]]:
    """What a function of the user's says of each live row, as plain values, out of lists of one; None of dead rows."""
    if not takes_one(function):
        raise TypeError(f"{called}({shown(function)}): the function takes a state of one row")

    def answer(b: int, s: int, row: Row) -> Any:
        value = None if row.dead else _asked(function, state._alone(row), f"{called}() of row ({b}, {s})")
        while isinstance(value := plain(value), list) and len(value) == 1:  # of a tensor for one row
            [value] = value
        return value

    return [[answer(b, s, row) for s, row in enumerate(group)] for b, group in enumerate(state.rows)]
