"""`Captures`: the values of named spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from outlines_cont.arguments import meant, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import InvalidValueError, warn
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row

if TYPE_CHECKING:
    from outlines_cont.scores.fields import Fields

SHOWN = 4  # batch rows, samples and values of each, in `repr`
NEAR = 0.75  # how alike two names are, of 1, if one is taken for a misspelling of the other


class Captures(ProcessBoundValue, Mapping[str, list[list[list[Any]]]]):
    """Name → B × S nested lists of the values of that name. They are parsed anew at every look-up."""

    _instead = "dict(captures) holds the values alone"

    def __init__(self, rows: Sequence[Sequence[Row]], vocabulary: Vocabulary, state: Any):
        """state: the state that holds the rows, which errors carry."""
        self._rows, self._vocabulary, self._state = rows, vocabulary, state
        pieces = (piece for group in rows for row in group for piece in row.pieces)
        named = (piece.origin.name for piece in pieces if piece.kind == "generated")
        self._names = tuple(dict.fromkeys(name for name in named if name is not None))

    def __getitem__(self, name: str) -> list[list[list[Any]]]:
        self._check(name)
        return [[self.of_row(row, name, (b, s)) for s, row in enumerate(rows)] for b, rows in enumerate(self._rows)]

    def _check(self, name: object) -> None:
        """KeyError for what no span is named."""
        if not isinstance(name, str) or name not in self._names:
            dead = all(row.dead for group in self._rows for row in group)
            none = "none: every row is dead, and holds nothing" if dead else "none: no step was given a name"
            names = ", ".join(map(repr, self._names)) or none
            near = meant(name, self._names) if isinstance(name, str) else ""
            raise KeyError(f"no span is named {shown(name)}{near}; the names here are {names}")

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def get(self, key: str, default: Any = None, /) -> Any:
        """The values of a name, or the default where no span here has it, because no row has reached its step.

        Which names other rows may have is not known here; so one that is nearly a name of these rows warns.
        """
        if key in self:
            return self[key]
        [*near] = get_close_matches(key, self._names, 1, NEAR) if isinstance(key, str) else []
        if near and _without_digits(key) != _without_digits(near[0]):
            warn(
                f"captures.get({key!r}): no span here is named so, and the default is given; did you mean {near[0]!r}?"
            )
        return default

    if not TYPE_CHECKING:  # so that a type checker finds misspelled members

        def __getattr__(self, name: str) -> Any:
            right = f": write captures[{name!r}]" if name in self.__dict__.get("_names", ()) else ""
            raise AttributeError(f"'Captures' object has no attribute {name!r}{right}")

    def fields(self, name: str | None = None) -> Fields:
        """How sure each field is of the JSON in the spans of a name: `oc.scores.Fields`, B × S nested lists with a dict
        for each span, from JSON pointers to `oc.scores.Field`s. Spans that were cut have the fields that are there.

        name: None for the last generated span of each row.

        Raises:
            KeyError: no span has this name.
            ValueError: the text of a span is no beginning of a JSON text.

        >>> schema = {"properties": {"age": {"type": "integer"}}, "required": ["age"]}
        >>> record = oc.continuous(oc.generate.json(model, schema, oc.samplers.greedy()), name="record")
        >>> state = record("Mira is 34 years old.\\nJSON with age: ")
        >>> {path: field.text for path, field in state.captures.fields("record").one.items()}
        {'': '{"age":34}', '/age': '34'}
        """
        from outlines_cont.scores.fields import fields_of

        if name is not None:
            self._check(name)
        return fields_of(self._state.model, self._rows, name)

    def of_row(self, row: Row, name: str, place: tuple[int, int]) -> list[Any]:
        """The values of the row's spans of this name that are whole and ended in their stop; of texts, also by length.

        A text that was interrupted is a value as long as the row ends there.

        InvalidValueError for one that pydantic does not accept. place: of the row in the grid, for that error.
        """
        values = []
        for start, end, piece in row.placed:
            origin, constraint = piece.origin, piece.origin.constraint
            if origin.name != name or constraint is None:
                continue
            open_text = piece.finished == "interrupted" and not constraint.constrained and piece is row.pieces[-1]
            if origin.freed is not None or not (open_text or constraint.is_value(piece.finished)):
                continue
            data = piece.value(row.ids[start:end], self._vocabulary)
            try:
                values.append(constraint.parse(data.decode("utf-8", "replace")))
            except ValueError as error:  # pydantic checks more than the schema says
                raise InvalidValueError(
                    f"captures[{name!r}]: the value of row {place} was generated but not accepted: {error}", self._state
                ) from error
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        """A dict's, of the first few rows of the grid; long values without their middle."""
        return f"Captures({{{', '.join(f'{name!r}: {self._few(name)}' for name in self._names)}}})"

    def _few(self, name: str) -> str:
        """The values of a name, in the first few rows."""
        groups = []
        for b, rows in enumerate(self._rows[:SHOWN]):
            values = [self._short(row, name, (b, s)) for s, row in enumerate(rows[:SHOWN])]
            groups.append(f"[{', '.join([*values, *['…'] * (len(rows) > SHOWN)])}]")
        return f"[{', '.join([*groups, *['…'] * (len(self._rows) > SHOWN)])}]"

    def _short(self, row: Row, name: str, place: tuple[int, int]) -> str:
        try:
            values = self.of_row(row, name, place)
        except InvalidValueError:
            return "[<not accepted>]"
        return f"[{', '.join([*map(shown, values[:SHOWN]), *['…'] * (len(values) > SHOWN)])}]"


def _without_digits(name: str) -> str:
    """Names that differ in their numbers only are different ones: "answer 1", "answer 2"."""
    return "".join(character for character in name if not character.isdigit())


# --- states as tables: one line for each row that is there, with its text, its values and its numbers

#: The columns that every table has. The first three stand before the others, which have the names of spans.
COLUMNS = ("batch", "sample", "text", "weight", "score", "finished", "error")
MARK = "exact"  # the column that grafts add
Place = tuple[int, int]


def columns(grid: Sequence[Sequence[Row]], model: LanguageModel) -> dict[str, list[Any]]:
    """The columns of a table of a grid of rows, by name, each with a value for every row that is live or has failed.

    Where a weight was measured on a graft (`oc.grafts.graft`), there is one more column, `exact`, False for such rows.

    Raises:
        ValueError: a span has the name of a column.

    >>> from outlines_cont.state.captures import columns
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
