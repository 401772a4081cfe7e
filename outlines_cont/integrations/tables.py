"""States as tables: one line for each row that is there, with its text, its values and its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import InvalidValueError
from outlines_cont.state.captures import Captures
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row

#: The columns that every table has. The first three stand before the others, which have the names of spans.
COLUMNS = ("batch", "sample", "text", "weight", "score", "finished", "error")
MARK = "exact"  # the column that grafts add
Place = tuple[int, int]


def columns(grid: Sequence[Sequence[Row]], model: LanguageModel) -> dict[str, list[Any]]:
    """The columns of a table of a grid of rows, by name, each with a value for every row that is live or has failed.

    Where a weight was measured on a graft (`oc.grafts.graft`), there is one more column, `exact`, False for such rows.

    Raises:
        ValueError: a span has the name of a column.

    >>> from outlines_cont.integrations.tables import columns
    >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
    >>> table = columns(city("The capital of France is ").rows, model)
    >>> list(table), table["city"], table["finished"]
    (['batch', 'sample', 'text', 'city', 'weight', 'score', 'finished', 'error'], ['Paris'], ['stop'])
    """
    placed = list(_placed(grid))
    places, rows = [place for place, _ in placed], [row for _, row in placed]
    marks, captures = _marks(rows), Captures(grid, model.vocabulary, None)
    for name in captures:
        if name in (*COLUMNS, *marks):
            raise ValueError(f"a table of a state has a column {name!r} already: give the step another name")
    errors = [_told(row.error) if isinstance(row, FailedRow) else None for row in rows]
    values = {name: _values(captures, name, placed, errors) for name in captures}
    texts = [None if row.dead else model.encoder.decode(row.ids) for row in rows]
    before = {"batch": [b for b, _ in places], "sample": [s for _, s in places], "text": texts}
    numbers = {name: [getattr(row, name) for row in rows] for name in ("weight", "score", "finished")}
    return before | values | numbers | {"error": errors} | marks


def _marks(rows: Sequence[Row]) -> dict[str, list[bool]]:
    """The column that tells which rows have exact numbers; none, if all have."""
    exact = [not row.on_graft[1] for row in rows]
    return {} if all(exact) else {MARK: exact}


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _placed(grid: Sequence[Sequence[Row]]) -> Iterator[tuple[Place, Row]]:
    """The rows that are live, or have failed, with their places."""
    rows = (((b, s), row) for b, group in enumerate(grid) for s, row in enumerate(group))
    return ((place, row) for place, row in rows if not row.dead or isinstance(row, FailedRow))


def _values(captures: Captures, name: str, placed: list[tuple[Place, Row]], errors: list[str | None]) -> list[Any]:
    """The values of one name: a value for each row, None where there is none; lists, if some row has several.

    errors: of the rows, as text; a value that was not accepted puts its own there.
    """
    lists: list[list[Any]] = []
    for i, (place, row) in enumerate(placed):
        try:
            lists.append(captures.of_row(row, name, place))
        except InvalidValueError as error:
            lists.append([])
            errors[i] = errors[i] or _told(error)
    if any(len(values) > 1 for values in lists):
        return lists
    return [values[0] if values else None for values in lists]


def frame(grid: Sequence[Sequence[Row]], model: LanguageModel) -> Any:
    """See `Grid.to_pandas`."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("state.to_pandas() needs pandas: pip install pandas") from error
    table = columns(grid, model)
    objects = table.keys() - {"batch", "sample", "weight", "score"}
    return pandas.DataFrame(
        {name: pandas.Series(values, dtype=object if name in objects else None) for name, values in table.items()}
    )
