"""What can be drawn: the read-only protocol that states fulfil. The other files of this folder know nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol

from outlines_cont.engines.protocol import KeptRow, LanguageModel
from outlines_cont.fsm.protocol import FullGuide, GuideState

Kind = Literal["prompt", "text", "generated"]
Context = tuple[FullGuide, GuideState]
NoteKind = Literal["candidates", "alternatives"]
Noted = tuple[int, float, bool | None]  # a token, its log-probability, and whether its constraint let it follow


class DrawnStop(Protocol):
    """The decision that a span ends.

    Attributes:
        logprob: the model's own log-probability of it.
        proposal: its log-probability under the law drawn from.
        dropped: of a stop string, the tokens that are not in the row any more.
    """

    @property
    def logprob(self) -> float: ...
    @property
    def proposal(self) -> float: ...
    @property
    def dropped(self) -> tuple[int, ...] | None: ...


class DrawnPiece(Protocol):
    """What a row holds of a span: tokens lo … hi − 1 of its `length`.

    Attributes:
        kind: where the tokens come from.
        name: the name of the step that made the span.
        generator: the kind of the generator that made the span.
        lo: the first of the span's tokens.
        hi: one more than the last of the span's tokens.
        length: how many tokens the span had when it was made.
        unfed: which of its tokens its constraint was not told of, counted from its beginning.
        whole: whether nothing of the span was cut off.
        finished: how the span ended; None if it was cut.
        stop: the stop at its end, if that is still there.
        stops: every stop in it, with the number of its tokens before it.
    """

    @property
    def kind(self) -> Kind: ...
    @property
    def name(self) -> str | None: ...
    @property
    def generator(self) -> str | None: ...
    @property
    def lo(self) -> int: ...
    @property
    def hi(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def unfed(self) -> Collection[int]: ...
    @property
    def whole(self) -> bool: ...
    @property
    def finished(self) -> str | None: ...
    @property
    def stop(self) -> DrawnStop | None: ...
    @property
    def stops(self) -> Iterable[tuple[int, DrawnStop]]: ...

    def noted(self, kind: NoteKind, /) -> Iterable[tuple[int, Sequence[Noted]]]:
        """What was noted of this kind at its places, counted from its beginning; a stop's comes last."""
        ...

    def contexts(self, ids: tuple[int, ...], /) -> Iterator[Context | None]:
        """For each of its tokens the guide and the state that it was drawn under; None where that is not known."""
        ...


class DrawnRow(KeptRow, Protocol):
    """One row.

    Attributes:
        logprobs: the model's own log-probability of each token; None where nothing was drawn.
        proposals: the log-probability of each token under the law drawn from.
        placed: each piece with the positions (start, end) that it takes.
        shown: the same, without the empty pieces of spans that were cut off.
        exact_length: how many of its first tokens are read with exact keys and values; those after them with a
            graft's.
        on_graft: the positions whose log-probabilities were measured on a graft; whether any number of the row was.
        generated: how many tokens were drawn.
        weight: the sum of the log-probabilities of what was generated, stops included.
        finished: how the last span ended.
    """

    @property
    def logprobs(self) -> tuple[float | None, ...]: ...
    @property
    def proposals(self) -> tuple[float | None, ...]: ...
    @property
    def placed(self) -> Iterable[tuple[int, int, DrawnPiece]]: ...
    @property
    def shown(self) -> Iterable[tuple[int, int, DrawnPiece]]: ...
    @property
    def exact_length(self) -> int: ...
    @property
    def on_graft(self) -> tuple[set[int], bool]: ...
    @property
    def generated(self) -> int: ...
    @property
    def weight(self) -> float: ...
    @property
    def finished(self) -> str | None: ...

    def noted(self, kind: NoteKind, /) -> tuple[list[Any], Any]:
        """What was noted of this kind of each token's draw, and of that of its last stop; None where nothing was."""
        ...

    def __len__(self) -> int: ...


class DrawnParticles(Protocol):
    """How much the samples of a state tell."""

    def weighing(self, batch: int, /) -> tuple[float, list[int]]:
        """Of a batch row its effective sample size, or NaN; and the origin of each sample, −1 if not known."""
        ...


class DrawnState(Protocol):
    """A grid of rows, batch × sample.

    Attributes:
        model: the model that reads it: its vocabulary spells tokens, its KV tree says what is kept.
        rows: the grid.
        shape: (batch rows, samples, tokens of the longest row).
        particles: how much its samples tell.
    """

    @property
    def model(self) -> LanguageModel: ...
    @property
    def rows(self) -> Sequence[Sequence[DrawnRow]]: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...

    @property
    def particles(self) -> DrawnParticles: ...

    def __len__(self) -> int: ...
