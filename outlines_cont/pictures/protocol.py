"""What can be drawn: the read-only protocol that states fulfil. The other files of this folder know nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, Protocol

from outlines_cont.engines.protocol import KeptRow, LanguageModel
from outlines_cont.fsm.protocol import FullGuide, GuideState

Kind = Literal["prompt", "text", "generated"]
Context = tuple[FullGuide, GuideState]
Noted = tuple[int, float, bool | None]  # a token, its log-probability, and whether its constraint let it follow


class DrawnStop(Protocol):
    """The decision that a span ends."""

    @property
    def logprob(self) -> float:
        """The model's own log-probability of it."""

    @property
    def proposal(self) -> float:
        """Its log-probability under the law drawn from."""

    @property
    def dropped(self) -> tuple[int, ...] | None:
        """Of a stop string, the tokens that are not in the row any more."""


class DrawnPiece(Protocol):
    """What a row holds of a span: tokens lo … hi − 1 of its `length`."""

    @property
    def kind(self) -> Kind:
        """Where the tokens come from."""

    @property
    def name(self) -> str | None:
        """The name of the step that made the span."""

    @property
    def generator(self) -> str | None:
        """The kind of the generator that made the span."""

    @property
    def lo(self) -> int:
        """The first of the span's tokens."""

    @property
    def hi(self) -> int:
        """One more than the last of the span's tokens."""

    @property
    def length(self) -> int:
        """How many tokens the span had when it was made."""

    @property
    def grafted(self) -> Iterable[tuple[int, int]]:
        """Where its draws were made on a graft: (begin, end), counted from its beginning; a stop comes last."""

    @property
    def unfed(self) -> Collection[int]:
        """Which of its tokens its constraint was not told of, counted from its beginning."""

    @property
    def alternatives(self) -> Iterable[tuple[int, Sequence[Noted]]]:
        """The model's likeliest tokens that were noted at its places, counted from its beginning; a stop comes last."""

    @property
    def whole(self) -> bool:
        """Whether nothing of the span was cut off."""

    @property
    def finished(self) -> str | None:
        """How the span ended; None if it was cut."""

    @property
    def stop(self) -> DrawnStop | None:
        """The stop at its end, if that is still there."""

    @property
    def stops(self) -> Iterable[tuple[int, DrawnStop]]:
        """Every stop in it, with the number of its tokens before it."""

    def contexts(self, ids: tuple[int, ...], /) -> Iterator[Context | None]:
        """For each of its tokens the guide and the state that it was drawn under; None where that is not known."""


class DrawnRow(KeptRow, Protocol):
    """One row."""

    @property
    def logprobs(self) -> tuple[float | None, ...]:
        """The model's own log-probability of each token; None where nothing was drawn."""

    @property
    def proposals(self) -> tuple[float | None, ...]:
        """The log-probability of each token under the law drawn from."""

    @property
    def candidates(self) -> Sequence[Sequence[tuple[int, float, float]] | None]:
        """The candidates that were noted of each token's draw, (token, log-probability, the law's); None for none."""

    @property
    def placed(self) -> Iterable[tuple[int, int, DrawnPiece]]:
        """Each piece with the positions (start, end) that it takes."""

    @property
    def shown(self) -> Iterable[tuple[int, int, DrawnPiece]]:
        """The same, without the empty pieces of spans that were cut off."""

    @property
    def exact_length(self) -> int:
        """How many of its first tokens are read with exact keys and values; those after them with a graft's."""

    @property
    def on_graft(self) -> tuple[set[int], bool]:
        """The positions whose log-probabilities were measured on a graft; whether any number of the row was."""

    @property
    def generated(self) -> int:
        """How many tokens were drawn."""

    @property
    def weight(self) -> float:
        """The sum of the log-probabilities of what was generated, stops included."""

    @property
    def finished(self) -> str | None:
        """How the last span ended."""

    def __len__(self) -> int: ...


class DrawnState(Protocol):
    """A grid of rows, batch × sample."""

    @property
    def model(self) -> LanguageModel:
        """The model that reads it: its vocabulary spells tokens, its KV tree says what is kept."""

    @property
    def rows(self) -> Sequence[Sequence[DrawnRow]]:
        """The grid."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """(batch rows, samples, tokens of the longest row)."""

    def weighing(self, batch: int, /) -> tuple[float, list[int]]:
        """Of one batch row its effective sample size, NaN where the samples are not weighed; and which sample each one
        came from, −1 where that is not known, or it is dead."""

    def __len__(self) -> int: ...
