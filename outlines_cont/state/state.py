"""`SequenceState`: the algebra of batches of samples of token sequences.

A state is a grid of rows. Every operation makes new rows and leaves the old ones as they are:

    s[..., a:b][..., c:d]           Python's slices, row by row
    s[..., :n] + s[..., n:] == s    concatenation is a monoid; s + "" is s
    s == s.kv.drop()                keys and values are not part of the value

What a state holds, as tensors, lists and strings, is in `grid.py`; parts of it are in `selecting.py`; and what belongs
to it and has operations of its own, in `keys_and_values.py` and `particles.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from outlines_cont.arguments import MOST_SAMPLES, flag, positive, shown, whole_number
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import BatchMismatch, SampleMismatch
from outlines_cont.explained import explained
from outlines_cont.state.beside import beside_of, of_one_kind, warn_of_lost_contexts
from outlines_cont.state.grid import check_same_model, check_same_shape
from outlines_cont.state.keys_and_values import KeysAndValues, check_join
from outlines_cont.state.particles import WeighedSamples
from outlines_cont.state.prompts import prompt_row
from outlines_cont.state.random_keys import copied, rekeyed
from outlines_cont.state.rescore import rescored, without_scores
from outlines_cont.state.row import Row
from outlines_cont.state.selecting import SelectableGrid
from outlines_cont.waiting import told

if TYPE_CHECKING:
    from outlines_cont.pictures.picture import Picture
    from outlines_cont.train.completions import Completion, KeptDraws


class SequenceState(SelectableGrid["SequenceState"]):
    """An immutable B × S grid of token sequences, with their spans, scores and values.

    Made by `model.state()`, `model.chat()`, `load_state()` and the steps of `continuous()`. `state[batch, sample,
    token]` selects, `+` concatenates, `list(state)` gives the live rows' strings, prompt included. `state.kv` has what
    the KV tree keeps of it, `state.kept` what calls recorded of each draw, `state.particles` what its samples estimate.

    Attributes:
        model: the model that reads it.
        rows: the grid: B tuples of S rows.

    >>> state = model.state(["The sky is", "Mira is a"]) + " friend"
    >>> state.shape, list(state[..., -2:])
    ((2, 1, 7), [' is friend', ' a friend'])
    """

    __slots__ = ()
    __reversed__ = None

    # --- what stands beside the tokens, with operations of its own

    @property
    def kv(self) -> KeysAndValues[SequenceState]:
        """Its keys and values in the KV tree: `lengths`, `exact`, `logprobs_exact`, `prefill()` and `drop()`.

        >>> state = model.state("Mira is a painter").kv.prefill()
        >>> state.kv, state.kv.drop() == state
        (KeysAndValues(5 of 5 tokens), True)
        """
        return KeysAndValues(self)

    @property
    def kept(self) -> KeptDraws:
        """What calls with `keep=oc.Keep(candidates=…, alternatives=…)` kept of each draw, under these names.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text("The sky is", max_tokens=2, keep=oc.Keep(candidates=3))
        >>> state.kept, len(state.kept.candidates[0][0][-1])
        (KeptDraws(candidates of 2 draws, alternatives of 0), 3)
        """
        from outlines_cont.train.completions import KeptDraws

        return KeptDraws(self)

    @property
    def particles(self) -> WeighedSamples[SequenceState]:
        """Its samples as particles: how much each weighs, what they estimate together, and `resample()`.

        >>> drawn = oc.generate.choice(model, ["Lisbon", "Lima"], oc.samplers.multinomial(samples=8))
        >>> state = oc.continuous(drawn)("Mira lives in ", seed=0)
        >>> state.particles, state.particles.resample(seed=0).shape[:2]
        (WeighedSamples(1 × 8; effective sample size 6.00; log evidence -3.25), (1, 8))
        """
        return WeighedSamples(self)

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

    def completions(self, stop: Literal["token", "none"] | int = "token") -> list[list[Completion | None]]:
        """What the model wrote in each row, as trainers take it: B × S nested lists of `oc.train.Completion`, None for
        dead rows. Each has the ids of prompt and completion, a mask, both log-probabilities, entropies.

        stop: "token" puts an eos token at the end of a row that ended in its stop: the tokenizer's, or the one of this
        id, of those that end a text. "none" puts none. A row that was cut (`max_tokens`) has none.

        ValueError where nothing was generated in a live row, or every row is dead.

        >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = text(["Mira is a", "The capital of France is "], max_tokens=3, stop_at=".")
        >>> [[long], [short]] = state.completions()
        >>> long.finished, short.finished, short.ids[-1] in model.vocabulary.eos
        ('length', 'stop', True)
        """
        from outlines_cont.train.completions import completions_of

        return completions_of(self, stop)

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
        if (texts := self._texts(other)) is not None:
            return self._append(texts)
        raise TypeError(
            f"state + {type(other).__name__}: a state takes a str, a list of them or a state of the same model; "
            "for token ids, state + model.state(ids)"
        )

    def __radd__(self, other: Any) -> SequenceState:
        """Put a text before every row, encoded as the beginning of a prompt.

        >>> list("Yes: " + model.state(["The sky is blue.", "Mira is 34."]))
        ['Yes: The sky is blue.', 'Yes: Mira is 34.']
        """
        if (texts := self._texts(other)) is None:
            return NotImplemented
        if not any(map(any, texts)):
            return self

        def prompt(row: Row, text: str) -> Row:
            return replace(prompt_row(self.model, text) if text else Row(), lineage=row.lineage)

        return self._mapped(prompt, texts) + self

    def _texts(self, given: Any) -> list[list[str]] | None:
        """A text for each place of the grid: of one text, of B or of B · S of them. None if it is none of these."""
        texts = [given] * len(self.rows) if isinstance(given, str) else given
        if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
            return None
        b, s = self.shape[:2]
        if len(texts) == b:
            return [[text] * s for text in texts]
        if len(texts) == b * s:
            return [list(texts[i * s : (i + 1) * s]) for i in range(b)]
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

        return self._mapped(appended, texts)

    @explained
    def turn(
        self, role: str, content: str | list[str] | None, *, reply: bool = True, forget: int = 0, **fields: Any
    ) -> SequenceState:
        """Append one turn to each row's conversation, as the chat template writes it, ready for the answer.

        The state was made by `model.chat()`, with answers after it. Its tokens, keys and values do not change.

        Args:
            role: "user", "tool", … ; content: a text for every row, or one per batch row or per row. None if
                `tool_calls` say everything.
            reply: whether the assistant answers next.
            forget: so many messages drop out first, after the system's: whole turns, a question with all that answers
                it. What comes after them keeps its tokens and spans where the template writes it as before; its keys
                and values are computed again.
            fields: what else the message has, alike in every row: `tool_calls=`, `tool_call_id=`, `name=` …

        Raises:
            ValueError: a row is not a conversation; its last message has no answer; `forget` would cut a turn in two;
                the template writes nothing of the message, or would change the text that the row has already (some
                leave out old thoughts), as the error shows.

        >>> ask = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
        >>> state = ask(model.chat([{"role": "user", "content": "What is the capital of France?"}]))
        >>> state = ask(state.turn("user", "What is the capital of Japan?"))
        >>> state.text(special=True)[0][0].partition("<|end|><|user|>")[2]
        'What is the capital of Japan?<|end|><|assistant|>Tokyo'
        """
        from outlines_cont.conversation import turned

        without = content is None and fields.get("tool_calls")
        texts = self._texts("" if without else content) if isinstance(role, str) else None
        if texts is None:
            right = "turn(role, content) takes a role, 'user', and a text or a list of them"
            raise TypeError(f"{right}, not turn({shown(role)}, {shown(content)})")
        flag(reply, "reply")
        if whole_number(forget, "forget", "an int ≥ 0") < 0:
            raise ValueError(f"forget={forget}: it must be an int ≥ 0")
        encoder, claimed = self.model.encoder, self.model.claimed

        def longer(row: Row, text: str) -> Row:
            message = {"role": role, "content": None if without else text, **fields}
            return claimed(turned(row, encoder, message, reply, forget))

        return self._mapped(longer, texts)

    def _plus_state(self, other: SequenceState) -> SequenceState:
        check_same_model(self, other)
        check_same_shape(self, other, "state + state")
        for left, right in zip(self._flat(), other._flat(), strict=True):
            check_join(left, right)
        warn_of_lost_contexts(self.rows, other.rows)

        def joined(left: Row, right: Row) -> Row:
            empty = not right.ids and not right.pieces and not right.dead
            return left if empty else self.model.claimed(left.join(right))

        return self._mapped(joined, other.rows)

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

    # --- the same value, otherwise annotated

    def reopen(self) -> SequenceState:
        """The state without the final stop of each row, so that its last span can go on.

        >>> state = oc.continuous(oc.generate.regex(model, "[0-9]+", oc.samplers.greedy()))("Mira is 3")
        >>> state.finished, state.reopen().finished
        ([['stop']], [[None]])
        """
        return self._mapped(Row.reopen)

    def rescore(self) -> SequenceState:
        """The state with all `logprobs` and stops computed again in their present context.

        A generated token that now begins its row has no context and counts as given; so does the stop of a span whose
        beginning was cut off. Grafts (`oc.grafts.graft`) are read exactly, and the result holds none.

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

    def to(self, model: LanguageModel) -> SequenceState:
        """The state under another model with an equal vocabulary; log-probabilities are NaN until `rescore()`.

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

    # --- files

    def save(self, path: str | Path, kv: bool = False) -> None:
        """Write the value to one safetensors file whose metadata is JSON.

        kv: whether to write its keys and values, too, so that `load_state` need not compute them (docs/store.md).
        TypeError or ValueError for a model whose keys and values cannot be copied.

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
        from outlines_cont.store.of_states import NO_COPIES, copies_of

        with told("saving {}", path):
            copies = copies_of(self.model, self.rows) if flag(kv, "kv") else NO_COPIES
            files.write(path, self.rows, self._samples, self.model.vocabulary, self.model.identity, copies)

    def __reduce__(self) -> Any:
        """What a pickle holds: the bytes, where `oc.storage.unpickling` has set a model that reads them."""
        from outlines_cont.storage import files

        if type(self) is not SequenceState or not files.is_set(self.model.vocabulary):
            return super().__reduce__()
        data = b"".join(files.pieces_of(self.rows, self._samples, self.model.vocabulary, self.model.identity))
        return files.unpickled, (self.model.vocabulary.fingerprint, self.model.identity, data)

    # --- pictures

    def __str__(self) -> str:
        if self.shape[:2] == (1, 1) and not self.rows[0][0].dead:
            return self._string(self.rows[0][0])
        from outlines_cont.pictures.text import table

        return table(self)

    def __repr__(self) -> str:
        from outlines_cont.pictures.text import one_line

        return one_line(self)

    def _repr_html_(self) -> str:
        return self.html()

    @explained
    def html(self, rows: int = 8, tokens: int = 120) -> Picture:
        """What a notebook shows of a state: a line for each row, in which each token tells where it came from and how.

        The colour is where it came from (prompt, text, generated, forced); the fill how likely it was as it was drawn,
        the line below how likely the model itself found it. Point at a token for its id, bytes and numbers.

        rows, tokens: how many are shown, of the state and of each row.

        >>> state = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))("The sky is", max_tokens=2)
        >>> state.html(tokens=40)
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.pictures.rows import page

        return page(self, positive(rows, "rows"), positive(tokens, "tokens"))

    def tree(self, rows: int = 24, tokens: int | None = None) -> Picture:
        """The samples of each batch row, drawn as one tree: what they share stands there once.

        An edge is as wide as the share of the rows below it in the probability of all rows of its tree. At the leaves
        stand weights (log-probabilities, in nats), that share, and ×n for n equal rows. The picture is as wide as a
        page of a notebook: where there is little room, given text is left out first, and branches take several lines.
        Answers are shown whole, but for the middle of spans of more than 80 tokens.

        rows: how many are drawn, at most 200. tokens: how many of each span and of each given text; None: as many as
        the page has room for.

        >>> drawn = oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=3))
        >>> oc.continuous(drawn)("Mira lives in ", seed=0).tree()
        <Picture: ... characters of HTML; a notebook shows it, picture.save(path) writes it>
        """
        if (rows := positive(rows, "rows")) > 200:
            raise ValueError(f"rows={rows}: a tree of more than 200 rows cannot be read; tree() of a slice can")
        from outlines_cont.pictures.tree import sample_tree

        return sample_tree(self, rows, None if tokens is None else positive(tokens, "tokens"))

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

        return chart(self, positive(rows, "rows"), axes)

    def _made(self, rows: Sequence[Sequence[Row]], samples: int) -> SequenceState:
        return SequenceState(self.model, rows, samples)


def with_rows_changed(state: SequenceState, change: Callable[[Row], Row]) -> SequenceState:
    """The state of the rows that a function makes of each row; the state itself, if these are the same."""
    return state._mapped(change)


# --- `cat`: states joined along one of their three axes


@explained
def cat(states: Sequence[SequenceState], dim: int) -> SequenceState:
    """Concatenate states along 0 (batch), 1 (sample) or 2 (token, as `+`).

    Rows keep their lineage; rows with equal lineages get new ones. Contexts (`state.beside`) are kept if all rows with
    contexts have the same number of them, with the same weights and models; otherwise all are dropped, with a warning.

    >>> sky, mira = model.state("The sky"), model.state("Mira")
    >>> [oc.cat([sky, mira], dim).tolist() for dim in (0, 1, 2)]
    [[['The sky'], ['Mira']], [['The sky', 'Mira']], [['The skyMira']]]
    """
    states = _of_one_model(states)
    if not -3 <= whole_number(dim, "dim", "0 (batch), 1 (sample) or 2 (token)") < 3:
        raise IndexError(f"cat(dim={dim}): the axes are 0 (batch), 1 (sample) and 2 (token)")
    if len(states) == 1 or dim % 3 == 2:
        return reduce(operator.add, states)
    by_batch = dim % 3 == 0
    counts = [state.shape[by_batch] for state in states]
    if len(set(counts)) > 1:
        mismatch, axis = (SampleMismatch, "samples") if by_batch else (BatchMismatch, "batches")
        raise mismatch(f"cat(dim={dim % 3}) joins states of equal {axis}, not {counts}")
    if by_batch:
        rows = [list(group) for state in states for group in state.rows]
    else:
        rows = [[row for state in states for row in state.rows[b]] for b in range(counts[0])]
    samples = counts[0] if by_batch else sum(state.shape[1] for state in states)
    return SequenceState(states[0].model, rekeyed(of_one_kind(rows)), samples)


def _of_one_model(states: Sequence[SequenceState]) -> list[SequenceState]:
    """The states. TypeError for anything but at least one of them in a list, ValueError if they have two models."""
    if isinstance(states, SequenceState):
        raise TypeError("cat([a, b], dim) takes a list of SequenceStates first, not one SequenceState")
    if not isinstance(states, Iterable) or hasattr(states, "tolist"):
        raise TypeError(f"cat([a, b], dim) takes a list of SequenceStates first, not {shown(states)}")
    states = list(states)
    if not states or not all(isinstance(state, SequenceState) for state in states):
        kinds = [type(state).__name__ for state in states]
        raise TypeError(f"cat([a, b], dim) takes a list of SequenceStates first, not {kinds or 'an empty list'}")
    for state in states[1:]:
        check_same_model(states[0], state)
    return states
