"""What a state holds, read-only: as tensors, as strings, and as pictures."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.explained import explained
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.state import particles
from outlines_cont.state.captures import Captures, frame
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.no_operators import WithoutOperators
from outlines_cont.state.noted_draws import NotedDraws
from outlines_cont.state.particles import ancestor, undrawn
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Finished, Span

if TYPE_CHECKING:
    from outlines_cont.pictures.picture import Picture


class Grid(NotedDraws, ProcessBoundValue, WithoutOperators):
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
    _instead = (
        "oc.storage.from_bytes(state.to_bytes(), model) reads it under the model of another process, as "
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
    def kv_lengths(self) -> Tensor:
        """How many leading tokens of each row have their keys and values in the KV tree now: int64 `(B, S)`.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira says the sky is", max_tokens=2)
        >>> state.lengths.tolist(), state.kv_lengths.tolist()  # the last token was drawn and not read yet
        ([[10]], [[9]])
        """
        lengths = self.model.kv_lengths(self._flat())
        return torch.tensor(lengths, dtype=torch.int64, device=self.model.device).view(self.shape[:2])

    @property
    def kv_exact(self) -> Tensor:
        """Whether the keys and values of each token are exact: bool `(B, S, T)`, True on padding.

        False at the tokens of a graft (`oc.graft`), whose keys and values were computed after other tokens, and at all
        tokens after it, which attend to the graft.

        >>> facts = model.state(" Mira is a pilot.")
        >>> grafted = oc.graft(model.state("Look:"), facts, recompute=0.5)
        >>> grafted.kv_exact.sum().item(), grafted.kv_exact.shape[2]
        (7, 10)
        """
        self.model.kv_lengths([])  # after a change of the parameters nothing is a graft any more
        return self._padded(lambda row: [at < row.exact_length for at in range(len(row))], True, torch.bool)

    @property
    def logprobs_exact(self) -> Tensor:
        """Whether each token's log-probability is exact: bool `(B, S, T)`, True at tokens that were not drawn.

        False if the token was drawn after a graft (`oc.graft`); `rescore()` computes exact ones. `span.exact` is the
        same for whole spans, stops included.

        >>> step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> grafted = step(oc.graft(model.state("Look:"), model.state(" The sky is")), max_tokens=2)
        >>> grafted.logprobs_exact[..., -3:].tolist(), grafted.rescore().logprobs_exact.all().item()
        ([[[True, False, False]]], True)
        """

        def exact(row: Row) -> list[bool]:
            approximate, _ = row.on_graft
            return [at not in approximate for at in range(len(row))]

        return self._padded(exact, True, torch.bool)

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
    def log_importance(self) -> Tensor:
        """Σ (logprob − proposal_logprob) over tokens and stops: float64 `(B, S)`, the log of each sample's weight as a
        particle.

        Samples that were drawn under a constraint follow, with the weights exp(log_importance), the model's own law,
        given that the text fits the constraint. The mean of the weights estimates the probability that it does. (Greedy
        decoding and beam search draw nothing, so their numbers have no meaning.) After a resampling the sum begins with
        the level of that resampling. −inf for dead rows. NaN if it is not known: after a hook's edit, after a graft
        (until `rescore()`), and if the tokens at which a row was resampled were sliced away.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> [text[14:] for text in state], state.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-12.33, -2.96, -2.96]])
        """
        return self._grid(lambda row: row.log_importance, torch.float64)

    @property
    def effective_sample_size(self) -> Tensor:
        """(Σ w)² / Σ w² of the live samples' importances: float64 `(B,)`; NaN where that is not known, and of samples
        that were not drawn at random (greedy, beams, controllers).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> oc.continuous(drawn)("Mira lives in ", seed=0).effective_sample_size.round(decimals=2).tolist()
        [6.0]
        """
        sizes = [self.weighing(b)[0] for b in range(len(self.rows))]
        return torch.tensor(sizes, dtype=torch.float64, device=self.model.device)

    @property
    def ancestors(self) -> Tensor:
        """The sample, before the first resampling, from which each sample comes: int64 `(B, S)`.

        Without a resampling each sample is its own ancestor. Samples with equal numbers have a common beginning. If
        only few numbers differ, the samples say less than `effective_sample_size` shows, which sees only the weights
        since the last resampling. −1 for dead samples, and if it is not known (the resampling was sliced away).

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=4))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> state.ancestors.tolist(), state.resample(seed=0).ancestors.tolist()
        ([[0, 1, 2, 3]], [[1, 1, 2, 3]])
        """
        table = [[ancestor(row, s) for s, row in enumerate(rows)] for rows in self.rows]
        return torch.tensor(table, dtype=torch.int64, device=self.model.device).reshape(len(self.rows), -1)

    def weighing(self, batch: int = 0) -> tuple[float, list[int]]:
        """Of one batch row its effective sample size, and the ancestors of its samples; the others are not looked at.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=4))
        >>> size, ancestors = oc.continuous(drawn)("Mira lives in ", seed=0).resample(seed=0).weighing()
        >>> round(size, 2), ancestors
        (4.0, [1, 1, 2, 3])
        """
        rows = self.rows[batch]
        importances = [] if undrawn(rows) else [row.log_importance for row in rows if not row.dead]
        return particles.effective_sample_size(importances), [ancestor(row, s) for s, row in enumerate(rows)]

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
    def captures(self) -> Mapping[str, list[list[list[Any]]]]:
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
        """As `tolist()`; `special=True` keeps special tokens.

        >>> model.state("Mira").text(special=True)
        [['<|begin|>Mira']]
        """
        flag(special, "special")
        return [[self._string(row, special) for row in rows if not row.dead] for rows in self.rows]

    def __str__(self) -> str:
        if self.shape[:2] == (1, 1) and not self.rows[0][0].dead:
            return self._string(self.rows[0][0])
        from outlines_cont.pictures.text import table

        return table(self)

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

    def __repr__(self) -> str:
        from outlines_cont.pictures.text import one_line

        return one_line(self)

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

    # --- pictures

    def _repr_html_(self) -> str:
        return self.html()

    @explained
    def html(self, rows: int = 8, tokens: int = 120) -> Picture:
        """What a notebook shows of a state: a line for each row, in which each token tells where it came from and how.

        The colour is where it came from (prompt, text, generated, forced); the fill how likely it was as it was drawn,
        the line below how likely the model itself found it: where they differ, the constraint pushed. The bar at the
        bottom is solid where keys and values are in the tree. Point at a token for its id, bytes and numbers.

        rows, tokens: how many are shown, of the state and of each row.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> state.html(tokens=40)
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.pictures.rows import page

        return page(self, _positive(rows, "rows"), _positive(tokens, "tokens"))

    def tree(self, rows: int = 24, tokens: int | None = None) -> Picture:
        """The samples of each batch row as an SVG, drawn as one tree: what they share stands there once.

        An edge is as wide as the share of the rows below it in the probability of all rows of its tree. At the leaves
        stand weights (log-probabilities, in nats), that share, and ×n for n equal rows. The bar below the text is solid
        where keys and values are in the KV tree. A legend explains the signs. The picture is as wide as a page of a
        notebook: where there is little room, given text is left out first, and branches take several lines. Answers
        are shown whole, but for the middle of spans of more than 80 tokens.

        rows: how many are drawn, at most 200. tokens: how many of each span and of each given text; None: as many as
        the page has room for.

        >>> drawn = oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=3))
        >>> oc.continuous(drawn)("Mira lives in ", seed=0).tree()
        <Picture: ... characters of SVG; a notebook shows it, picture.save(path) writes it>
        """
        if (rows := _positive(rows, "rows")) > 200:
            raise ValueError(f"rows={rows}: a tree of more than 200 rows cannot be read; tree() of a slice can")
        from outlines_cont.pictures.tree import sample_tree

        return sample_tree(self, rows, None if tokens is None else _positive(tokens, "tokens"))

    def plot(self, rows: int = 8, axes: Any = None) -> Any:
        """Log-probabilities along the rows, the model's own and those drawn from, and below what their difference adds
        up to. Takes and gives two matplotlib axes (the extra `notebook`); ImportError without it.

        >>> from matplotlib.figure import Figure
        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> upper, lower = state.plot(axes=Figure().subplots(2))
        >>> upper.get_ylabel()
        'log-probability (nats)'
        """
        from outlines_cont.pictures.chart import chart

        return chart(self, _positive(rows, "rows"), axes)

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

    def identical(self, other: Grid) -> bool:
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


def _positive(count: int, name: str) -> int:
    """The argument of this name, if it is an int ≥ 1."""
    if (count := whole_number(count, name, "an int ≥ 1")) < 1:
        raise ValueError(f"{name}={count}: it must be an int ≥ 1")
    return count
