"""`SequenceState`: the algebra of batches of samples of token sequences.

A state is a grid of rows. Every operation makes new rows and leaves the old ones as they are:

    s[..., a:b][..., c:d]           Python's slices, row by row
    s[..., :n] + s[..., n:] == s    concatenation is a monoid; s + "" is s
    s == s.drop_kv()                keys and values are not part of the value

What a state holds, as tensors, strings and pictures, is in `grid.py`; what its samples estimate, in `posterior.py`; and
what is chosen row by row, in `selecting.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from outlines_cont.arguments import MOST_SAMPLES, flag, shown, whole_number, word
from outlines_cont.engines.protocol import LanguageModel, keeps, read
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.kv.needs import Need
from outlines_cont.state import particles
from outlines_cont.state.beside import beside_of, warn_of_lost_contexts
from outlines_cont.state.characters import (
    CharacterView,
    Inside,
    Missing,
    UpTo,
    checked_inside,
    checked_span,
    checked_text,
)
from outlines_cont.state.conversation import turned
from outlines_cont.state.failed_row import failed_rows
from outlines_cont.state.indexing import select
from outlines_cont.state.one_model import check_same_model, check_same_shape
from outlines_cont.state.particles import importances_of
from outlines_cont.state.prompts import Keys, checked_keys, lineages, prompt_row
from outlines_cont.state.random_keys import copied, rekeyed_copies, seeded
from outlines_cont.state.rescore import rescored, without_scores
from outlines_cont.state.row import DEAD, Row
from outlines_cont.state.selecting import ChosenGrid, rectangular
from outlines_cont.state.strict_kv import check_join
from outlines_cont.waiting import told


class SequenceState(ChosenGrid["SequenceState"]):
    """An immutable B × S grid of token sequences, with their spans, scores and values.

    Made by `model.state()`, `model.chat()`, `load_state()` and the steps of `continuous()`. `state[batch, sample,
    token]` selects, `+` concatenates, `list(state)` gives the live rows' strings, prompt included.

    Attributes:
        model: the model that reads it.
        rows: the grid: B tuples of S rows.

    >>> state = model.state(["The sky is", "Mira is a"]) + " friend"
    >>> state.shape, list(state[..., -2:])
    ((2, 1, 7), [' is friend', ' a friend'])
    """

    __slots__ = ()
    __reversed__ = None

    # --- selection

    def __getitem__(self, key: Any) -> SequenceState:
        """`state[batch, sample, token]`, each an int, a slice, or (batch, sample) a list: always a state of three axes.

        `s[..., a:b][..., c:d]` is what Python's lists give, row by row; lists select the outer product.

        >>> state = model.state(["The sky is blue.", "Mira is a painter."])
        >>> state[0, 0, :-1].tolist(), state[[1, 0], -2:].tolist()
        ([['The sky is blue']], [[' painter.'], [' blue.']])
        """
        return self._selected(key, self._take)

    def _selected(self, key: Any, part: Callable[[Row, int | slice], Row], unit: str = "token") -> SequenceState:
        """The rows that a key selects, and of each the part that the last key means, counted in these units."""
        batch, sample, last = selection = select(key, self.shape, unit)
        taken = picked = [[rows[s] for s in sample] for rows in map(self.rows.__getitem__, batch)]
        if last != slice(None):
            taken = [[part(row, last) for row in rows] for rows in picked]
        if taken == picked == [list(rows) for rows in self.rows] and len(sample) == self._samples:
            return self
        if selection.repeats:
            taken = rekeyed_copies(taken)
        return SequenceState(self.model, taken, samples=len(sample))

    @property
    def beside(self) -> tuple[tuple[SequenceState, float], ...]:
        """The contexts combined with the model's own law (`beside=`): pairs of a state of this shape and a weight.
        Where a row has lost its contexts, the row there is dead. The next step uses them, unless it is given others.

        >>> colour = oc.continuous(oc.generate.choice(model, [" blue", " red"], oc.samplers.greedy()))
        >>> state = colour("The sky is", beside=[("The apple is", -0.5)])
        >>> [(str(other), weight) for other, weight in state.beside]
        [('The apple is blue', -0.5)]
        """
        return tuple(
            (SequenceState(model or self.model, rows, self._samples), weight)
            for model, weight, rows in beside_of(self.model, self.rows)
        )

    @property
    def chars(self) -> CharacterView[SequenceState]:
        """`state.chars[batch, sample, i:j]`: as `state[…]`, but the last key counts the characters of a row's string.

        The last key is an int or a slice of step 1, and the string of each row becomes exactly `string[i:j]`. Whole
        tokens are kept as in slices. If a token crosses a cut, its bytes on the kept side are spelled anew, as given
        text that does not count in `weights`; ValueError if no tokens spell them. `state.chars(inside="keep")[…]` keeps
        such tokens whole, `inside="drop"` drops them. Special tokens at a cut belong to the part after it. A token
        beside its constraint (`oc.Insert`) that crosses the end of a cut is dropped whole, because the constraint would
        read a part of it.

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
    ) -> SequenceState:
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

    def best(self, k: int = 1) -> SequenceState:
        """The k live samples with the largest scores of each batch row, best first; dead rows fill missing places.

        A batch row without live samples keeps its first error.

        >>> city = oc.generate.choice(model, ["Lima", "Lisbon", "Porto"], oc.samplers.beam_search(3))
        >>> oc.continuous(city)("Mira lives in ").best(2).tolist()
        [['Mira lives in Lisbon', 'Mira lives in Lima']]
        """
        k = whole_number(k, "k", "an int ≥ 1")
        if not 1 <= k <= max(self._samples, 1):
            raise ValueError(f"best({k}) of {self._samples} samples: k must lie between 1 and {self._samples}")
        ranked = [sorted((row for row in rows if not row.dead), key=_rank)[:k] for rows in self.rows]
        for b, _, failed in failed_rows(self.rows):
            ranked[b] = ranked[b] or [failed]
        return SequenceState(self.model, rectangular(ranked), samples=max(map(len, ranked), default=0))

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
            prompts = [[prompt_row(self.model, text) if text else Row() for text in group] for group in texts]
            left = [
                [replace(prompt, lineage=row.lineage) for prompt, row in zip(*groups, strict=True)]
                for groups in zip(prompts, self.rows, strict=True)
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

    @explained
    def turn(self, role: str, content: str | list[str], *, reply: bool = True) -> SequenceState:
        """Append one turn to each row's conversation, as the chat template writes it, ready for the answer.

        The state was made by `model.chat()`, with answers after it. Its tokens, keys and values do not change. content:
        a text for every row, or one per batch row or per row. reply: whether the assistant answers next.

        Raises:
            ValueError: a row is not a conversation; its last message has no answer; or the template would change the
                text that the row has already (some leave out old thoughts), as the error shows.

        >>> ask = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = ask(model.chat([{"role": "user", "content": "What is the capital of France?"}]))
        >>> state = ask(state.turn("user", "What is the capital of Japan?"))
        >>> state.text(special=True)[0][0].partition("<|end|><|user|>")[2]
        'What is the capital of Japan?<|end|><|assistant|>Tokyo'
        """
        right = "turn(role, content) takes a role, 'user', and a text or a list of them"
        texts = [content] * len(self.rows) if isinstance(content, str) else content
        if not isinstance(role, str) or not isinstance(texts, (list, tuple)):
            raise TypeError(f"{right}, not turn({shown(role)}, {shown(content)})")
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(f"{right}, not turn({shown(role)}, {shown(content)})")
        flag(reply, "reply")
        rows = [
            [
                self.model.claimed(turned(row, self.model.encoder, role, text, reply))
                for row, text in zip(*pair, strict=True)
            ]
            for pair in zip(self.rows, self._distributed(list(texts)), strict=True)
        ]
        return SequenceState(self.model, rows, samples=self._samples)

    def _plus_state(self, other: SequenceState) -> SequenceState:
        check_same_model(self, other)
        check_same_shape(self, other, "state + state")
        for left, right in zip(self._flat(), other._flat(), strict=True):
            check_join(left, right)
        warn_of_lost_contexts(self.rows, other.rows)
        rows = [
            [
                left if not right.ids and not right.pieces and not right.dead else self.model.claimed(left.join(right))
                for left, right in zip(*groups, strict=True)
            ]
            for groups in zip(self.rows, other.rows, strict=True)
        ]
        return SequenceState(self.model, rows, samples=self._samples)

    def fork(self, n: int) -> SequenceState:
        """n samples of each batch row, from its only one; nothing is copied. SampleMismatch if there are several.

        >>> model.state("Once").fork(3).shape
        (1, 3, 3)
        """
        n = whole_number(n, "n", "an int ≥ 1")
        if not 1 <= n <= MOST_SAMPLES:
            raise ValueError(f"fork({n}): a row can be forked into 1 or more samples, and {MOST_SAMPLES:,} at most")
        if n == 1 and self._samples == 1:
            return self
        if self._samples != 1:
            raise SampleMismatch(f"fork({n}) of {self._samples} samples: only a state of one sample can be forked")
        return SequenceState(self.model, [[copied(rows[0], i) for i in range(n)] for rows in self.rows], samples=n)

    def resample(self, seed: int | None = None, *, reset: bool = False, method: str = "multinomial") -> SequenceState:
        """The same number of samples in each batch row, drawn with replacement by `log_importance`; nothing is copied.

        Afterwards all have the same importance, the log-mean of those before (the *level*), so that estimates stay
        right. Copies draw their own random numbers. seed: None takes one from torch's global generator. method:
        "multinomial", or "systematic", which varies less. reset: forget the weights. ValueError for unknown
        importances, and for spans of greedy decoding, beams and controllers.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=3))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0).resample(seed=0)
        >>> [text[14:] for text in state], state.log_importance.round(decimals=2).tolist()
        (['Lima', 'Lima', 'Lisbon'], [[-3.36, -3.36, -3.36]])
        """
        word(method, "method", particles.METHODS)
        seed, reset = seeded(seed), flag(reset, "reset")

        def drawn(rows: Sequence[Row]) -> list[Row]:
            places = [place for place, row in enumerate(rows) if not row.dead]
            if not places:
                return list(rows)
            live = [rows[place] for place in places]
            importance = [0.0] * len(live) if reset else importances_of(rows, "resample()")
            chosen = particles.drawn(importance, seed, live[0].lineage, max(map(len, live)), method)
            level = particles.log_mean(importance)
            samples = [copied(live[i], copy).resampled(level, places[i]) for i, copy in particles.numbered(chosen)]
            return [*samples, *[DEAD] * (len(rows) - len(live))]

        return SequenceState(self.model, list(map(drawn, self.rows)), samples=self._samples)

    # --- the same value, otherwise annotated

    def keyed(self, keys: Keys) -> SequenceState:
        """The same rows with other random keys: one for each batch row, an int or a str. See `CallOptions.keys`.

        The rows then draw as rows of prompts with these keys would; several samples draw as those of `fork`. So a part
        of a batch draws as in the whole batch if its rows have the keys that they have there. BatchMismatch if there
        are not as many keys as batch rows.

        >>> text = oc.continuous(oc.generate.text(model))
        >>> prompts = ["The sky is", "Mira is", "Tom is"]
        >>> alone = model.state(prompts[2]).keyed(2)
        >>> text(alone, max_tokens=4, seed=0) == text(prompts, max_tokens=4, seed=0)[2, :]
        True
        """
        paths = lineages(checked_keys(keys), len(self.rows), "batch row")
        many = self._samples > 1
        rows = [
            [row if row.dead else row.keyed((*path, s) if many else path) for s, row in enumerate(group)]
            for path, group in zip(paths, self.rows, strict=True)
        ]
        return SequenceState(self.model, rows, samples=self._samples)

    def reopen(self) -> SequenceState:
        """The same tokens without the final stop of each row, so that its last span can go on.

        >>> state = oc.continuous(oc.generate.regex(model, "[0-9]+", oc.samplers.greedy()))("Mira is 3")
        >>> state.finished, state.reopen().finished
        ([['stop']], [[None]])
        """
        return self._mapped(Row.reopen)

    def rescore(self) -> SequenceState:
        """The same tokens, with all `logprobs` and stops computed again in their present context.

        A generated token that now begins its row has no context and counts as given; so does the stop of a span whose
        beginning was cut off. Grafts (`oc.graft`) are read exactly, and the result holds none.

        >>> step = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> moved = "Mira is a baker. " + step("Mira is a", max_tokens=2)
        >>> moved.weights.round(decimals=2).tolist(), moved.rescore().weights.round(decimals=2).tolist()
        ([[-1.05]], [[-0.63]])
        """
        rows, claims = rescored(self.model, list(self._flat()))
        for row in (*self._flat(), *rows):
            self.model.claimed(row)
        del claims  # until now they kept the new keys and values alive
        new = iter(rows)
        return SequenceState(self.model, [[next(new) for _ in group] for group in self.rows], self._samples)

    def prefill(self) -> SequenceState:
        """This state itself, after a pass that computes all keys and values that the KV tree lacks.

        The logits after each row's last token are kept, too, so that the first draw of the next step computes nothing.
        (The model keeps the latest 64 MiB of logits.) Keys and values stay as long as this state, or a state made from
        it, is alive, and the budget allows it: see `kv_lengths`. ValueError if a row is longer than the model's
        context.

        Dead rows and rows without tokens have nothing to compute. Under `model.fresh()`, and for a model without a KV
        tree, nothing can be kept: then nothing is computed, and `kv_lengths` stays 0.

        >>> state = model.state(["Zora is a pilot", "Zora is a cook."]).prefill()
        >>> state.kv_lengths.equal(state.lengths)
        True
        """
        if keeps(self.model):
            rows = [row for row in self._live() if row.ids]
            _, claims = read(self.model, [Need(row.ids, (len(row) - 1,), row.claim) for row in rows])
            for row in rows:
                self.model.claimed(row)
            del claims  # until now they kept the new keys and values alive
        return self

    def drop_kv(self) -> SequenceState:
        """The same value without a claim on the KV tree, until its keys and values are computed again.

        >>> state = oc.continuous(oc.generate.text(oc.load()))("The sky is", max_tokens=2)
        >>> bare = state.drop_kv()
        >>> del state  # nobody else holds them
        >>> bare.kv_lengths.tolist()
        [[0]]
        """
        return self._mapped(
            lambda row: row if row.dead else replace(row, claim=None, beside=row.beside and row.beside.without_claims())
        )

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
            raise TypeError(f"state.to() takes a Model, not {shown(model)}; its device is where the model is")
        if model.vocabulary != self.model.vocabulary:
            raise ValueError(
                f"state.to(): the model has another vocabulary, {model.vocabulary!r}, than this state, "
                f"{self.model.vocabulary!r}"
            )
        rows = [[model.claimed(without_scores(row)) for row in rows] for rows in self.rows]
        return SequenceState(model, rows, samples=self._samples)

    def _made(self, rows: Sequence[Sequence[Row]], samples: int) -> SequenceState:
        return SequenceState(self.model, rows, samples)

    def save(self, path: str | Path) -> None:
        """Write the value to one safetensors file whose metadata is JSON. Keys and values are not written.

        The file is written under another name and renamed: a reader finds the old file or the whole new one, also after
        a crash. ValueError for a device or a pipe, which would be replaced, and for the name of a picture, a text or a
        table (`x.html`).

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     model.state("The sky is").save(f"{folder}/sky.safetensors")
        ...     oc.load_state(f"{folder}/sky.safetensors", model).tolist()
        [['The sky is']]
        """
        from outlines_cont.storage import files

        with told("saving {}", path):
            files.write(path, self.rows, self._samples, self.model.vocabulary, self.model.identity)

    def to_bytes(self) -> bytes:
        """The value as bytes, those that `save` writes to a file; `oc.from_bytes(data, model)` reads them.

        >>> state = model.state("The sky is")
        >>> oc.from_bytes(state.to_bytes(), model) == state
        True
        """
        from outlines_cont.storage import files

        return files.bytes_of(self.rows, self._samples, self.model.vocabulary, self.model.identity)

    def __reduce__(self) -> Any:
        """What a pickle holds: the bytes, where `oc.unpickling` has set a model that reads them."""
        from outlines_cont.storage import files

        if type(self) is not SequenceState or not files.is_set(self.model.vocabulary):
            return super().__reduce__()
        return files.unpickled, (self.model.vocabulary.fingerprint, self.model.identity, self.to_bytes())


def with_rows_changed(state: SequenceState, change: Callable[[Row], Row]) -> SequenceState:
    """The state of the rows that a function makes of each row; the state itself, if these are the same."""
    return state._mapped(change)


def _rank(row: Row) -> tuple[bool, float]:
    """A key by which rows are sorted: best first, those without a score last."""
    return row.score != row.score, -row.score
