"""What a state holds, read-only: as tensors, as lists and as strings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import flag, shown
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.hints import MEMBERS, STATE_MEMBERS, Hinted
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state.captures import Captures, frame
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Span

State = TypeVar("State")

# --- what a state is not: a function, a number, or something with an order. Each says what to write

TIMES = "state * n: write state.fork(n) for n samples of each row, or oc.cat([state] * n, 0) for n times its batch rows"
MINUS = "state - …: tokens are taken away by slices, state[..., :-n], and texts by state.up_to(text)"
ORDER = (
    "states have no order: sort by a number of each, sorted(states, key=lambda state: state.weights.item()), or by "
    "their text, key=str; of one state, state.best(k) has the samples of largest score, and sorted(list(state)) texts"
)
CALL = (
    "a state is a value, and no function: a step or a generator is called with it, step(state); state + '…' appends a "
    "text, and str(state) or list(state) gives its text"
)
SET = "a state is a value without item assignment or deletion: write state[…] + new + state[…], which is a new state"
EXAMPLE = """A TypeError that says what to write.

    >>> model.state("The sky is")()
    Traceback (most recent call last):
        ...
    TypeError: a state is a value, and no function: a step or a generator is called with it, step(state); ...
    """


def _refusing(message: str) -> Callable[..., Any]:
    def refuse(self: object, *_: object, **__: object) -> Any:
        raise TypeError(message)

    # As something that takes no argument: whoever asks for a function of one argument refuses it.
    refuse.__signature__ = Signature([Parameter("self", Parameter.POSITIONAL_ONLY)])  # type: ignore[attr-defined]
    refuse.__doc__ = EXAMPLE
    return refuse


class WithoutOperators(Hinted):
    """An object that says what to write where Python would only say that an operator is not supported."""

    __slots__ = ()

    if not TYPE_CHECKING:  # so that a type checker finds them
        __array_ufunc__ = None  # numpy's numbers leave their operators to these
        __call__ = _refusing(CALL)
        __mul__ = __rmul__ = _refusing(TIMES)
        __sub__ = __rsub__ = _refusing(MINUS)
        __lt__ = __le__ = __gt__ = __ge__ = _refusing(ORDER)
        __setitem__ = __delitem__ = _refusing(SET)


class Grid(ProcessBoundValue, WithoutOperators, Generic[State]):
    """An immutable B × S grid of rows that one model reads. Everything here looks at it; `SequenceState` adds the
    operations that make new ones.

    Attributes:
        model: the model that reads the rows.
        rows: the grid: B tuples of S rows.

    >>> state = model.state(["The sky is", "Mira"])
    >>> state.model is model, [len(row) for rows in state.rows for row in rows]
    (True, [6, 2])
    """

    __slots__ = ("__weakref__", "_samples", "model", "rows")
    _members = MEMBERS | STATE_MEMBERS
    _instead = (
        "oc.storage.from_bytes(oc.storage.to_bytes(state), model) reads it under the model of another process, as "
        "oc.load_state(path, model) does after state.save(path); or call oc.storage.unpickling(model) here and in the "
        "other process, and pickle it"
    )

    model: LanguageModel
    rows: tuple[tuple[Row, ...], ...]

    def __init__(self, model: LanguageModel, rows: Sequence[Sequence[Row]], samples: int):
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "rows", tuple(map(tuple, rows)))
        object.__setattr__(self, "_samples", samples)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a SequenceState is a value: {name} cannot be set; operations return new states")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a SequenceState is a value: {name} cannot be deleted")

    # --- tensors and lists

    @property
    def shape(self) -> tuple[int, int, int]:
        """(B, S, T): batch rows, samples, tokens of the longest row.

        >>> model.state(["The sky is", "Mira"]).shape
        (2, 1, 6)
        """
        return len(self.rows), self._samples, max([len(row.ids) for rows in self.rows for row in rows], default=0)

    @property
    def lengths(self) -> Tensor:
        """Tokens per row: int64 `(B, S)`.

        >>> model.state(["The sky is", "Mira"]).lengths.tolist()
        [[6], [2]]
        """
        return self._grid(len, torch.int64)

    @property
    def weights(self) -> Tensor:
        """Σ `logprobs` over each row's generated tokens and stops: float64 `(B, S)`; −inf for dead rows.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> state.weights.round(decimals=2).tolist()
        [[-1.05]]
        """
        return self._grid(lambda row: row.weight, torch.float64)

    @property
    def scores(self) -> Tensor:
        """weight / (generated tokens) ^ (length penalty of the last step): float64 `(B, S)`.

        >>> mean = oc.samplers.beam_search(1, length_penalty=1.0)
        >>> state = oc.continuous(oc.generate.text(model, mean))("Mira is a", max_tokens=4)
        >>> (state.weights / state.scores).tolist()
        [[4.0]]
        """
        return self._grid(lambda row: row.score, torch.float64)

    @property
    def token_ids(self) -> Tensor:
        """int64 `(B, S, T)`, right-padded with the tokenizer's pad id, or eos if it has none.

        >>> model.state(["Mira is", "Mira"]).token_ids.tolist()
        [[[0, 921, 263]], [[0, 921, 1]]]
        """
        return self._padded(lambda row: row.ids, self.model.encoder.pad, torch.int64)

    @property
    def attention_mask(self) -> Tensor:
        """int64 `(B, S, T)`: 1 on tokens, 0 on padding.

        >>> model.state(["Mira is", "Mira"]).attention_mask.tolist()
        [[[1, 1, 1]], [[1, 1, 0]]]
        """
        return self._padded(lambda row: [1] * len(row), 0, torch.int64)

    @property
    def logprobs(self) -> Tensor:
        """The model's own log-probabilities, float64 `(B, S, T)`; 0 at tokens that were not generated.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> state.logprobs.round(decimals=2).tolist()
        [[[0.0, 0.0, 0.0, 0.0, -0.99, -0.06]]]
        """
        return self._padded(lambda row: [value or 0.0 for value in row.logprobs], 0.0, torch.float64)

    @property
    def proposal_logprobs(self) -> Tensor:
        """Log-probabilities under the law that each token was drawn from, float64 `(B, S, T)`; 0 at tokens that were
        not drawn.

        >>> age = oc.continuous(oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy()))
        >>> drawn = age("Mira is ")[..., -2:]
        >>> drawn.logprobs.round(decimals=2).tolist(), drawn.proposal_logprobs.round(decimals=2).tolist()
        ([[[-0.76, -4.75]]], [[[-0.51, -1.42]]])
        """
        return self._padded(lambda row: [value or 0.0 for value in row.proposals], 0.0, torch.float64)

    @property
    def finished(self) -> list[list[Finished | None]]:
        """How each row's last span ended: None (prompt, text, or cut), "stop", "length", "interrupted" or "dead".

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> text("The sky is", max_tokens=1).finished, text("The sky is", stop_at=".").finished
        ([['length']], [['stop']])
        """
        return [[row.finished for row in rows] for rows in self.rows]

    @property
    def errors(self) -> list[list[Exception | None]]:
        """The error of each row that failed: B × S nested lists, None for all others.

        A row that failed is dead. A call with `errors="return"` gives such states; if a search failed (beams,
        particles), the error stands in the place of its first sample. Errors stay with their rows in slices and joins,
        but `==` does not compare them, and a file does not keep them.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text(["The sky is", "so " * 3000], max_tokens=1, errors="return")
        >>> state.finished, state.errors[0], str(state.errors[1][0])
        ([['length'], ['dead']], [None], "row (1, 0): the prompt has ... tokens; the model's context is 2048")
        """
        return [[row.error if isinstance(row, FailedRow) else None for row in rows] for rows in self.rows]

    @property
    def spans(self) -> list[list[tuple[Span, ...]]]:
        """Each row's spans, in order.

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}"), name="year")
        >>> [(span.kind, span.name, span.start, span.end) for span in year("Mira came in ").spans[0][0]]
        [('prompt', None, 0, 5), ('generated', 'year', 5, 9)]
        """
        return [[row.spans for row in rows] for rows in self.rows]

    @property
    def captures(self) -> Captures:
        """For each name, B × S nested lists of the values of the whole spans with that name, in order. They are parsed
        anew at each access.

        >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
        >>> city(["The capital of France is ", "The capital of Italy is "]).captures["city"]
        [[['Paris']], [['Rome']]]
        """
        return Captures(self.rows, self.model.vocabulary, self)

    def _flat(self) -> Iterator[Row]:
        return (row for rows in self.rows for row in rows)

    def _live(self) -> Iterator[Row]:
        return (row for row in self._flat() if not row.dead)

    def _grid(self, value: Callable[[Row], float], dtype: torch.dtype) -> Tensor:
        values = [[value(row) for row in rows] for rows in self.rows]
        return torch.tensor(values, dtype=dtype, device=self.model.device).view(self.shape[:2])

    def _padded(self, values: Callable[[Row], Sequence[float]], pad: float, dtype: torch.dtype) -> Tensor:
        b, s, t = self.shape
        padded = [[*values(row), *[pad] * (t - len(row))] for row in self._flat()]
        return torch.tensor(padded, dtype=dtype, device=self.model.device).view(b, s, t)

    # --- strings

    def _string(self, row: Row, special: bool = False) -> str:
        return self.model.encoder.decode(row.ids, special=special)

    def __iter__(self) -> Iterator[str]:
        """The live rows' strings, batch-major, prompt included, without special tokens."""
        return (self._string(row) for row in self._live())

    def __len__(self) -> int:
        """The number of live rows."""
        return sum(1 for _ in self._live())

    def __bool__(self) -> bool:
        """True: a state is no container to be tested for emptiness by mistake; `len(s)` tells."""
        return True

    def __contains__(self, text: object) -> bool:
        """Whether the text stands in some live row's string, prompt included. TypeError for anything but a str."""
        if not isinstance(text, str):
            raise TypeError(
                f"{shown(text)} in state: a text is looked for in its rows, not {type(text).__name__}; for one of "
                "several states, any(state == other for other in states)"
            )
        return any(text in string for string in self)

    def tolist(self) -> list[list[str]]:
        """The live rows' strings, batch then sample.

        >>> model.state(["The sky is", "Mira"]).fork(2).tolist()
        [['The sky is', 'The sky is'], ['Mira', 'Mira']]
        """
        return [[self._string(row) for row in rows if not row.dead] for rows in self.rows]

    @explained
    def text(self, special: bool = False) -> list[list[str]]:
        """The live rows' strings, batch then sample; `special=True` keeps special tokens.

        >>> model.state("Mira").text(special=True)
        [['<|begin|>Mira']]
        """
        flag(special, "special")
        return [[self._string(row, special) for row in rows if not row.dead] for rows in self.rows]

    def __format__(self, specification: str) -> str:
        """The string of a state of one row. TypeError for any other, which has no one string."""
        b, s, _ = self.shape
        if (b, s) != (1, 1) or self.rows[0][0].dead:
            raise TypeError(
                f"a state of {b} × {s} rows ({len(self)} live) is not formatted as one text: state + '…' appends to "
                "every row and '…' + state puts a text before it, [f'{text}…' for text in state] makes strings of "
                "the rows, and f'{state!s}' is the table that print(state) shows"
            )
        return format(self._string(self.rows[0][0]), specification)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with one line for each row that is live, or has failed.

        Columns: `batch` and `sample`, its place in the grid; `text`, its string, as `list(state)` gives it (None if it
        failed); one for each name of spans, with the value, or None (lists, where some row has several of a name);
        `weight` and `score`; `finished`; and `error`, what ended it, as text. ImportError without pandas.

        >>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
        >>> frame = city(["The capital of France is ", "The capital of Italy is "]).to_pandas()
        >>> frame[["batch", "city", "finished"]].values.tolist()
        [[0, 'Paris', 'stop'], [1, 'Rome', 'stop']]
        """
        return frame(self.rows, self.model)

    # --- states of other rows

    def _made(self, rows: Sequence[Sequence[Row]], samples: int) -> State:
        """The state of these rows, under the same model."""
        raise NotImplementedError

    def _mapped(self, change: Callable[..., Row], *grids: Sequence[Sequence[Any]]) -> State:
        """The state of what a function makes of each row, and of what other grids have in its place."""
        groups = (zip(*each, strict=True) for each in zip(self.rows, *grids, strict=True))
        return self._with_rows([[change(*values) for values in group] for group in groups])

    def _with_rows(self, rows: list[list[Row]]) -> State:
        """The state of these rows, B groups of equal length; this state itself if they are its own."""
        if self._holds(rows):
            return cast(State, self)
        return self._made(rows, max(map(len, rows), default=self._samples))

    def _holds(self, rows: Sequence[Sequence[Row]]) -> bool:
        same_samples = all(len(group) == self._samples for group in rows)
        pairs = zip(rows, self.rows, strict=True)
        return same_samples and all(a is b for pair in pairs for a, b in zip(*pair, strict=True))

    # --- equality

    def __eq__(self, other: object) -> bool:
        """Same vocabulary, shape and token ids. Scores, spans, lineage and KV are annotations.

        False for anything but a state, with a warning where that is likely a mistake (a text, a list, a tensor).
        """
        if not isinstance(other, Grid):
            if not isinstance(other, (str, bytes, list, tuple, Tensor, np.ndarray)):
                return NotImplemented
            warnings.warn(
                f"state == {type(other).__name__} is always False: a state equals states only; compare its strings, "
                "list(state) == ['…'] or str(state) == '…', or its tokens, state.token_ids",
                stacklevel=2,
            )
            return False
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.model.vocabulary, self.shape, tuple((row.ids, row.dead) for row in self._flat())

    def identical(self, other: Grid[Any]) -> bool:
        """Equal, and so are scores, spans, stops and lineage; only the KV may differ.

        >>> whole, joined = model.state("The sky is"), model.state("The sky") + " is"
        >>> whole == joined, whole.identical(joined)
        (True, False)
        """
        return (
            isinstance(other, Grid)
            and self == other
            and all(a.facts() == b.facts() for a, b in zip(self._flat(), other._flat(), strict=True))
        )


# --- states that do not go together, since they have two models or two shapes, and what to do about it


def check_same_model(a: Grid[Any], b: Grid[Any]) -> None:
    """ValueError if the states belong to two models."""
    if a.model is not b.model:
        raise ValueError(f"states of two models do not mix: {a.model!r} and {b.model!r}: {of_another(b, a.model)}")


def check_same_shape(left: Grid[Any], right: Grid[Any], called: str) -> None:
    """BatchMismatch or SampleMismatch, with the expression that widens the smaller one, if not of one shape."""
    (b, s, _), (other_b, other_s, _) = left.shape, right.shape
    if b != other_b:
        raise BatchMismatch(
            f"{called}: {b} batch rows on the left, {other_b} on the right{_widened(b, other_b, 'oc.cat([t] * {}, 0)')}"
        )
    if s != other_s:
        raise SampleMismatch(
            f"{called}: {s} samples on the left, {other_s} on the right{_widened(s, other_s, 't.fork({})')}"
        )


def _widened(left: int, right: int, expression: str) -> str:
    """How the one of the two states that has only one of something, t, gets as many as the other."""
    if 1 not in (left, right) or 0 in (left, right):
        return ""
    side = "left" if left == 1 else "right"
    return f"; nothing is repeated by itself: write {expression.format(max(left, right))} for the {side} one, t"


def of_another(state: Grid[Any], model: LanguageModel) -> str:
    """How a state of another model becomes one of this model."""
    if state.model.vocabulary == model.vocabulary:
        return "these are two Model objects with equal vocabularies, state.to(model) moves it"
    theirs, ours = state.model.vocabulary, model.vocabulary
    if theirs.tokens == ours.tokens and theirs.eos != ours.eos:
        return (
            f"their tokens are equal, but those that end a text are {theirs.eos} and {ours.eos} (they come from the "
            "tokenizer and the model's generation config), model.state(list(state)) reads its texts anew"
        )
    return "their vocabularies differ, model.state(list(state)) reads its texts anew"
