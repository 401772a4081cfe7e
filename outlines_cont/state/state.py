"""`SequenceState`: the algebra of batches of samples of token sequences, and nothing else.

A state is a grid of rows. Every operation makes new rows and leaves the old ones as they are:

    s[..., a:b][..., c:d]           Python's slices, row by row
    s[..., :n] + s[..., n:] == s    concatenation is a monoid; s + "" is s
    s == s.drop_kv()                keys and values are not part of the value
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from math import nan
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from outlines_cont import display
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import BatchMismatch, SampleMismatch, SlicingError
from outlines_cont.fsm.draw.picture import Picture
from outlines_cont.state import particles, storage
from outlines_cont.state.captures import Captures
from outlines_cont.state.indexing import select, token_range, whole_number
from outlines_cont.state.prompts import Prompts, listed, prompt_row
from outlines_cont.state.random_keys import copied, rekeyed, rekeyed_copies, seeded
from outlines_cont.state.rescore import rescored
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.spans import Finished, Origin, Span, SpanStop

_strict_kv: ContextVar[bool] = ContextVar("strict_kv", default=False)


@contextmanager
def strict_kv() -> Iterator[None]:
    """Within this context slicing and joining that would give up keys and values raise `SlicingError`.

    >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Look, the sky is", max_tokens=2)
    >>> with oc.strict_kv():
    ...     state[..., 2:]
    Traceback (most recent call last):
        ...
    outlines_cont.errors.SlicingError: tokens 2:11:1 of a row lose the keys and values of its first 10 tokens: ...
    """
    token = _strict_kv.set(True)
    try:
        yield
    finally:
        _strict_kv.reset(token)


class SequenceState:
    """An immutable B × S grid of token sequences, with all that was computed on the way to them.

    Made by `model.state()`, `model.chat()`, `load_state()` and the steps of `continuous()`. `state[batch, sample,
    token]` selects, `+` concatenates, `list(state)` gives the live rows' strings, prompt included.

    Attributes:
        model: the one that reads it.
        rows: the grid: B tuples of S rows.

    >>> state = model.state(["The sky is", "Mira is a"]) + " friend"
    >>> state.shape, list(state[..., -2:])
    ((2, 1, 7), [' is friend', ' a friend'])
    """

    __slots__ = ("__weakref__", "_samples", "model", "rows")
    __reversed__ = None

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

    def __copy__(self) -> SequenceState:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SequenceState:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a SequenceState holds a model and is not pickled: use state.save(path) and load_state()")

    # --- what it holds

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
        """The model's own log-probabilities, float64 `(B, S, T)`; 0 on what was not generated.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> state.logprobs.round(decimals=2).tolist()
        [[[0.0, 0.0, 0.0, 0.0, -0.99, -0.06]]]
        """
        return self._padded(lambda row: [value or 0.0 for value in row.logprobs], 0.0, torch.float64)

    @property
    def proposal_logprobs(self) -> Tensor:
        """Log-probabilities under the law each token was drawn from, float64 `(B, S, T)`; 0 where none was.

        >>> age = oc.continuous(oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy()))
        >>> drawn = age("Mira is ")[..., -2:]
        >>> drawn.logprobs.round(decimals=2).tolist(), drawn.proposal_logprobs.round(decimals=2).tolist()
        ([[[-0.76, -4.75]]], [[[-0.51, -1.42]]])
        """
        return self._padded(lambda row: [value or 0.0 for value in row.proposals], 0.0, torch.float64)

    @property
    def log_importance(self) -> Tensor:
        """Σ (logprob − proposal_logprob) over tokens and stops: float64 `(B, S)`, what samples weigh as particles.

        Samples drawn under a constraint, weighed by exp(log_importance), stand for the model's own law, given that it
        writes what the constraint allows; the mean of the weights estimates how likely that is. (What greedy and beams
        give was not drawn, and its number says nothing.) Since a resampling it counts from that one's level. −inf for
        dead rows; NaN where it is not known: after a hook's edit, and where the tokens at which a row had been
        resampled were sliced away.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> [text[14:] for text in state], state.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-12.33, -2.96, -2.96]])
        """
        return self._grid(lambda row: row.log_importance, torch.float64)

    @property
    def effective_sample_size(self) -> Tensor:
        """(Σ w)² / Σ w² of the live samples' importances: float64 `(B,)`; NaN where that is not known.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> oc.continuous(drawn)("Mira lives in ", seed=0).effective_sample_size.round(decimals=2).tolist()
        [6.0]
        """
        known = [[row.log_importance for row in rows if not row.dead] for rows in self.rows]
        sizes = list(map(particles.effective_sample_size, known))
        return torch.tensor(sizes, dtype=torch.float64, device=self.model.device)

    @property
    def finished(self) -> list[list[Finished | None]]:
        """How each row's last span ended: None (prompt, text, or cut), "stop", "length", "interrupted" or "dead".

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> text("The sky is", max_tokens=1).finished, text("The sky is", stop_at=".").finished
        ([['length']], [['stop']])
        """
        return [[row.finished for row in rows] for rows in self.rows]

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
        """By name, B × S nested lists of the freshly parsed values of the whole spans of that name, in order.

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
        """Whether some live row's whole string is this one, as `in` of a list."""
        return any(text == string for string in self)

    def tolist(self) -> list[list[str]]:
        """The live rows' strings, batch then sample.

        >>> model.state(["The sky is", "Mira"]).fork(2).tolist()
        [['The sky is', 'The sky is'], ['Mira', 'Mira']]
        """
        return [[self._string(row) for row in rows if not row.dead] for rows in self.rows]

    def text(self, special: bool = False) -> list[list[str]]:
        """As `tolist()`; `special=True` keeps special tokens.

        >>> model.state("Mira").text(special=True)
        [['<|begin|>Mira']]
        """
        return [[self._string(row, special) for row in rows if not row.dead] for rows in self.rows]

    def __str__(self) -> str:
        if self.shape[:2] == (1, 1) and not self.rows[0][0].dead:
            return self._string(self.rows[0][0])
        return display.table(self)

    def __repr__(self) -> str:
        return display.line(self)

    # --- pictures

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, rows: int = 8, tokens: int = 120, ranks: bool = False) -> Picture:
        """What a notebook shows of a state: a line for each row, in which each token tells where it came from and how.

        The colour is where it came from (prompt, text, generated, forced); the fill how likely it was as it was drawn,
        the line below how likely the model itself found it: where they differ, the constraint pushed. The bar at the
        bottom is solid where keys and values are in the tree. Point at a token for its id, bytes and numbers.

        rows, tokens: how many are shown, of the state and of each row; ranks: say where among all tokens of the
        vocabulary each stood, and what stood before it, which takes a pass of the model.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> state.html(ranks=True)
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        return display.page(self, _shown(rows, "rows"), _shown(tokens, "tokens"), ranks)

    def tree(self, rows: int = 24, tokens: int = 12) -> Picture:
        """The samples of each batch row as an SVG, drawn as one tree: what they share stands there once.

        An edge is as wide as the share of what goes through it in the probability of the rows of its tree; at the
        leaves stand weights, and ×n for n equal rows. The bar below the text is solid where keys and values are in the
        KV tree.

        rows: how many are drawn, at most 200; tokens: how many of each branch.

        >>> drawn = oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=3))
        >>> oc.continuous(drawn)("Mira lives in ", seed=0).tree()
        <Picture: ... characters of SVG; a notebook shows it, picture.save(path) writes it>
        """
        if (rows := _shown(rows, "rows")) > 200:
            raise ValueError(f"rows={rows}: a tree of more than 200 rows cannot be read; tree() of a slice can")
        return display.branches(self, rows, _shown(tokens, "tokens"))

    def plot(self, rows: int = 8, axes: Any = None) -> Any:
        """Log-probabilities along the rows, the model's own and those drawn from, and below what their difference adds
        up to. Takes and gives two matplotlib axes (the extra `notebook`); ImportError without it.

        >>> from matplotlib.figure import Figure
        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> upper, lower = state.plot(axes=Figure().subplots(2))
        >>> upper.get_ylabel()
        'log-probability (nats)'
        """
        return display.chart(self, _shown(rows, "rows"), axes)

    # --- equality

    def __eq__(self, other: object) -> bool:
        """Same vocabulary, shape and token ids. Scores, spans, lineage and KV are annotations."""
        if not isinstance(other, SequenceState):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.model.vocabulary, self.shape, tuple((row.ids, row.dead) for row in self._flat())

    def identical(self, other: SequenceState) -> bool:
        """Equal, and so are scores, spans, stops and lineage; only the KV may differ.

        >>> whole, joined = model.state("The sky is"), model.state("The sky") + " is"
        >>> whole == joined, whole.identical(joined)
        (True, False)
        """
        return self == other and all(a.facts() == b.facts() for a, b in zip(self._flat(), other._flat(), strict=True))

    # --- selection

    def __getitem__(self, key: Any) -> SequenceState:
        """`state[batch, sample, token]`, each an int, a slice, or (batch, sample) a list: always a state of three axes.

        s[..., a:b][..., c:d] is what Python's lists give, row by row; lists select the outer product.

        >>> state = model.state(["The sky is blue.", "Mira is a painter."])
        >>> state[0, 0, :-1].tolist(), state[[1, 0], -2:].tolist()
        ([['The sky is blue']], [[' painter.'], [' blue.']])
        """
        batch, sample, token = select(key, self.shape)
        taken = picked = [[rows[s] for s in sample] for rows in map(self.rows.__getitem__, batch)]
        if token != slice(None):
            taken = [[self._take(row, token) for row in rows] for rows in picked]
        if taken == picked == [list(rows) for rows in self.rows] and len(sample) == self._samples:
            return self
        if len(set(batch)) < len(batch) or len(set(sample)) < len(sample):
            taken = rekeyed_copies(taken)
        return SequenceState(self.model, taken, samples=len(sample))

    def _take(self, row: Row, token: int | slice) -> Row:
        if row.dead:
            return row
        positions = token_range(token, len(row))
        if (
            _strict_kv.get()
            and row.claim
            and row.claim.depth
            and positions
            and (positions.start or positions.step != 1)
        ):
            raise SlicingError(
                f"tokens {positions.start}:{positions.stop}:{positions.step} of a row lose the keys and values of its "
                f"first {row.claim.depth} tokens: they are valid only from token 0 on (strict_kv)"
            )
        return row.take(positions)

    def best(self, k: int = 1) -> SequenceState:
        """The k live samples of largest score of each batch row, best first; fewer live ones leave dead rows.

        >>> city = oc.generate.choice(model, ["Lima", "Lisbon", "Porto"], oc.samplers.beam_search(3))
        >>> oc.continuous(city)("Mira lives in ").best(2).tolist()
        [['Mira lives in Lisbon', 'Mira lives in Lima']]
        """
        if not 1 <= operator.index(k) <= max(self._samples, 1):
            raise ValueError(f"best({k}) of {self._samples} samples: k must lie between 1 and {self._samples}")
        ranked = [sorted((r for r in rows if not r.dead), key=_rank)[:k] for rows in self.rows]
        return SequenceState(self.model, _rectangular(ranked), samples=max(map(len, ranked), default=0))

    # --- concatenation

    def __add__(self, other: Any) -> SequenceState:
        """Append a text to every row, or one text per batch row or per row, or a state of the same batch and samples.

        Weights add; the left operand's keys and values are kept.

        >>> state = model.state(["The sky", "Mira"])
        >>> (state + " is").tolist(), (state + [" is blue", " is 34"]).tolist()
        ([['The sky is'], ['Mira is']], [['The sky is blue'], ['Mira is 34']])
        """
        if isinstance(other, SequenceState):
            return self._plus_state(other)
        if isinstance(other, str):
            return self if not other else self._append([[other] * self._samples for _ in self.rows])
        if isinstance(other, (list, tuple)) and all(isinstance(text, str) for text in other):
            return self._append(self._distributed(list(other)))
        raise TypeError(
            f"state + {type(other).__name__}: a state takes a str, a list of them or a state of the same model; "
            "for token ids, state + model.state(ids)"
        )

    def __radd__(self, other: Any) -> SequenceState:
        """Put a text before every row, encoded as the beginning of a prompt.

        >>> list("Yes: " + model.state(["The sky is blue.", "Mira is 34."]))
        ['Yes: The sky is blue.', 'Yes: Mira is 34.']
        """
        if isinstance(other, str):
            other = [other] * len(self.rows)
            if not any(other):
                return self
        if isinstance(other, (list, tuple)) and all(isinstance(text, str) for text in other):
            texts = self._distributed(list(other))
            prompts = [[prompt_row(self.model, text) if text else Row() for text in row] for row in texts]
            left = [
                [replace(a, lineage=b.lineage) for a, b in zip(*pair, strict=True)]
                for pair in zip(prompts, self.rows, strict=True)
            ]
            return SequenceState(self.model, left, samples=self._samples) + self
        return NotImplemented

    def _distributed(self, texts: list[str]) -> list[list[str]]:
        """B or B · S texts → one for each place of the grid."""
        b, s = self.shape[:2]
        if len(texts) == b:
            return [[text] * s for text in texts]
        if len(texts) == b * s:
            return [texts[i * s : (i + 1) * s] for i in range(b)]
        raise BatchMismatch(
            f"{len(texts)} texts for a state of {b} batch rows × {s} samples; give one text, {b} (one a batch row)"
            + (f" or {b * s} (one a row)" if s != 1 else "")
        )

    def _append(self, texts: list[list[str]]) -> SequenceState:
        encode = cache(self.model.encoder.append)

        def appended(row: Row, text: str) -> Row:
            if row.dead or not text:
                return row
            return self.model.claimed(row.append(encode(text, at_start=row.ids == self.model.encoder.prefix)))

        rows = [list(map(appended, *pair)) for pair in zip(self.rows, texts, strict=True)]
        return SequenceState(self.model, rows, samples=self._samples)

    def _plus_state(self, other: SequenceState) -> SequenceState:
        _same_model(self, other)
        if len(self.rows) != len(other.rows):
            raise BatchMismatch(
                f"state + state: {len(self.rows)} batch rows on the left, {len(other.rows)} on the right"
            )
        if self._samples != other._samples:
            raise SampleMismatch(f"state + state: {self._samples} samples on the left, {other._samples} on the right")
        if _strict_kv.get() and any(
            row.claim and len(left) for left, row in zip(self._flat(), other._flat(), strict=True)
        ):
            raise SlicingError(
                "state + state: the right operand's keys and values do not hold after the left (strict_kv)"
            )
        rows = [
            [
                a if not b.ids and not b.pieces and not b.dead else self.model.claimed(a.join(b))
                for a, b in zip(*pair, strict=True)
            ]
            for pair in zip(self.rows, other.rows, strict=True)
        ]
        return SequenceState(self.model, rows, samples=self._samples)

    def fork(self, n: int) -> SequenceState:
        """n samples of each batch row's one: nothing is copied. SampleMismatch if there are several already.

        >>> model.state("Once").fork(3).shape
        (1, 3, 3)
        """
        n = operator.index(n)
        if n < 1:
            raise ValueError(f"fork({n}): a row can be forked into 1 or more samples")
        if n == 1 and self._samples == 1:
            return self
        if self._samples != 1:
            raise SampleMismatch(f"fork({n}) of {self._samples} samples: only a state of one sample can be forked")
        return SequenceState(self.model, [[copied(rows[0], i) for i in range(n)] for rows in self.rows], samples=n)

    def resample(self, seed: int | None = None, *, reset: bool = False, method: str = "multinomial") -> SequenceState:
        """As many samples of each batch row, drawn with replacement by `log_importance`; nothing is copied.

        Each then has the same importance, the log-mean of before (its *level*), so that estimates go on from there.
        Copies draw their own random numbers. seed: None takes one from torch's global generator; method: "multinomial",
        or "systematic", which varies less; reset: take all as equal, and forget what they weighed. ValueError where an
        importance is not known.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0).resample(seed=0)
        >>> [text[14:] for text in state], state.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-3.36, -3.36, -3.36]])
        """
        if method not in particles.METHODS:
            raise ValueError(f"method={method!r}: it is 'multinomial' or 'systematic'")
        seed = seeded(seed)

        def drawn(rows: Sequence[Row]) -> list[Row]:
            live = [row for row in rows if not row.dead]
            if not live:
                return list(rows)
            known = [0.0 if reset else row.log_importance for row in live]
            places = particles.drawn(known, seed, live[0].lineage, max(map(len, live)), method)
            level = particles.log_mean(known)
            new = [copied(live[place], copy).resampled(level) for place, copy in particles.numbered(places)]
            return [*new, *[DEAD] * (len(rows) - len(live))]

        return SequenceState(self.model, list(map(drawn, self.rows)), samples=self._samples)

    # --- the same value, otherwise annotated

    def reopen(self) -> SequenceState:
        """The same tokens without the final stop of each row, so that its last span can go on.

        >>> state = oc.continuous(oc.generate.regex(model, "[0-9]+", oc.samplers.greedy()))("Mira is 3")
        >>> state.finished, state.reopen().finished
        ([['stop']], [[None]])
        """
        return self._map(Row.reopen)

    def rescore(self) -> SequenceState:
        """The same tokens, every generated token's `logprobs` and every stop taken anew in the present context.

        A generated token that now begins its row has no context and counts as given; so does the stop of a span
        whose beginning was cut off.

        >>> step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> moved = "Mira is a baker. " + step("Mira is a", max_tokens=2)
        >>> moved.weights.round(decimals=2).tolist(), moved.rescore().weights.round(decimals=2).tolist()
        ([[-1.05]], [[-0.63]])
        """
        rows, claims = rescored(self.model.read, list(self._flat()))
        claimed = iter([self.model.claimed(row) for row in rows])
        del claims  # until now they kept the new keys and values alive
        return SequenceState(self.model, [[next(claimed) for _ in group] for group in self.rows], self._samples)

    def drop_kv(self) -> SequenceState:
        """The same value with no claim on the KV tree.

        >>> state = oc.continuous(oc.generate.text(oc.load()))("The sky is", max_tokens=2)
        >>> bare = state.drop_kv()
        >>> del state  # nobody else holds them
        >>> bare.kv_lengths.tolist()
        [[0]]
        """
        return self._map(lambda row: replace(row, claim=None) if row.claim else row)

    def to(self, model: LanguageModel) -> SequenceState:
        """The same value under another model with an equal vocabulary; log-probabilities are NaN until `rescore()`.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("Mira is a", max_tokens=2)
        >>> other = state.to(oc.load())
        >>> other == state, other.weights.tolist(), other.rescore().weights.round(decimals=2).tolist()
        (True, [[nan]], [[-1.05]])
        """
        if model is self.model:
            return self
        if not hasattr(model, "vocabulary"):
            raise TypeError(f"state.to() takes a Model, not {model!r}; its device is where the model is")
        if model.vocabulary != self.model.vocabulary:
            raise ValueError(
                f"state.to(): the model has another vocabulary, {model.vocabulary!r}, than this state, "
                f"{self.model.vocabulary!r}"
            )
        rows = [[model.claimed(without_scores(row)) for row in rows] for rows in self.rows]
        return SequenceState(model, rows, samples=self._samples)

    def _map(self, change: Callable[[Row], Row]) -> SequenceState:
        rows = [[change(row) for row in rows] for rows in self.rows]
        if all(a is b for new, old in zip(rows, self.rows, strict=True) for a, b in zip(new, old, strict=True)):
            return self
        return SequenceState(self.model, rows, samples=self._samples)

    def save(self, path: str | Path) -> None:
        """Write the value to one safetensors file whose metadata is JSON. Keys and values are not written.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     model.state("The sky is").save(f"{folder}/sky.safetensors")
        ...     oc.load_state(f"{folder}/sky.safetensors", model).tolist()
        [['The sky is']]
        """
        storage.write(path, self.rows, self._samples, self.model.vocabulary, self.model.identity)


def prompt_state(model: LanguageModel, prompts: Prompts, special: bool = False) -> SequenceState:
    """See `Model.state`."""
    rows = [prompt_row(model, prompt, special) for prompt in listed(prompts)]
    return SequenceState(model, [[replace(row, lineage=(b,))] for b, row in enumerate(rows)], samples=1)


def load_state(path: str | Path, model: LanguageModel) -> SequenceState:
    """Read a saved state.

    ValueError if the model's vocabulary is not the one it was saved with. Under other parameters its
    log-probabilities are NaN until `rescore()`. Captures of json and format spans are plain values: a file holds no
    classes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     model.state("The sky is").save(f"{folder}/sky.safetensors")
    ...     oc.load_state(f"{folder}/sky.safetensors", model).identical(model.state("The sky is"))
    True
    """
    if not hasattr(model, "vocabulary"):
        raise TypeError(f"load_state(path, model) takes a Model second, not {type(model).__name__}")
    rows, samples, identity = storage.read(path, model.vocabulary)
    fit = (lambda row: row) if identity == model.identity else without_scores
    return SequenceState(model, [[model.claimed(fit(row)) for row in group] for group in rows], samples=samples)


def cat(states: Sequence[SequenceState], dim: int) -> SequenceState:
    """Concatenate states along 0 (batch), 1 (sample) or 2 (token, as `+`).

    Rows keep their lineage; those that collide get a new one.

    >>> sky, mira = model.state("The sky"), model.state("Mira")
    >>> [oc.cat([sky, mira], dim).tolist() for dim in (0, 1, 2)]
    [[['The sky'], ['Mira']], [['The sky', 'Mira']], [['The skyMira']]]
    """
    if isinstance(states, SequenceState):
        raise TypeError("cat([a, b], dim) takes a list of SequenceStates first, not one SequenceState")
    states = list(states)
    if not states or not all(isinstance(state, SequenceState) for state in states):
        kinds = [type(state).__name__ for state in states]
        raise TypeError(f"cat([a, b], dim) takes a list of SequenceStates first, not {kinds or 'an empty list'}")
    if not -3 <= operator.index(dim) < 3:
        raise IndexError(f"cat(dim={dim}): the axes are 0 (batch), 1 (sample) and 2 (token)")
    first, dim = states[0], dim % 3
    for state in states[1:]:
        _same_model(first, state)
    if dim == 2:
        total = first
        for state in states[1:]:
            total = total + state
        return total
    if len(states) == 1:
        return first
    if dim == 0:
        counts = [state.shape[1] for state in states]
        if len(set(counts)) > 1:
            raise SampleMismatch(f"cat(dim=0) joins states of equal samples, not {counts}")
        rows = [list(rows) for state in states for rows in state.rows]
        return SequenceState(first.model, rekeyed(rows), samples=counts[0])
    counts = [state.shape[0] for state in states]
    if len(set(counts)) > 1:
        raise BatchMismatch(f"cat(dim=1) joins states of equal batches, not {counts}")
    rows = [[row for state in states for row in state.rows[b]] for b in range(counts[0])]
    return SequenceState(first.model, rekeyed(rows), samples=sum(state.shape[1] for state in states))


def without_scores(row: Row) -> Row:
    """The row as another model finds it: tokens and spans, but nothing that this model computed."""

    def blank(values: tuple[float | None, ...]) -> tuple[float | None, ...]:
        return tuple(value if value is None else nan for value in values)

    def unknown(stop: SpanStop) -> SpanStop:
        return replace(stop, logprob=nan, proposal=nan)

    def emptied(origin: Origin) -> Origin:
        segments = tuple(replace(segment, stop=unknown(segment.stop)) for segment in origin.segments)
        return replace(origin, stop=origin.stop and unknown(origin.stop), segments=segments)

    pieces = tuple(
        replace(p, origin=emptied(p.origin)) if p.origin.stop or p.origin.segments else p for p in row.pieces
    )
    return replace(
        row,
        logprobs=blank(row.logprobs),
        proposals=blank(row.proposals),
        pieces=pieces,
        claim=None,
        resamplings=tuple(known._replace(level=nan) for known in row.resamplings),
    )


def _shown(count: int, what: str) -> int:
    if (count := whole_number(count, what, "an int ≥ 1")) < 1:
        raise ValueError(f"{what}={count}: it must be an int ≥ 1")
    return count


def _rank(row: Row) -> tuple[bool, float]:
    """Best first; what has no score last."""
    return row.score != row.score, -row.score


def _rectangular(rows: list[list[Row]]) -> list[list[Row]]:
    """Fill up with dead rows."""
    samples = max(map(len, rows), default=0)
    return [[*row, *[DEAD] * (samples - len(row))] for row in rows]


def _same_model(a: SequenceState, b: SequenceState) -> None:
    if a.model is not b.model:
        raise ValueError(f"states of two models do not mix: {a.model!r} and {b.model!r}: {of_another(b, a.model)}")


def of_another(state: SequenceState, model: LanguageModel) -> str:
    """How a state of another model becomes one of this model."""
    if state.model.vocabulary == model.vocabulary:
        return "these are two Model objects with equal vocabularies, state.to(model) moves it"
    return "their vocabularies differ, model.state(list(state)) reads its texts anew"
