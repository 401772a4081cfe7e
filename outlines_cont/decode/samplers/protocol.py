"""What the decoding loop asks of a sampler: the protocol, for those who write one of their own.

A *candidate* is a token id, or V (one past the last id): the stop. An *option* is a candidate with two
log-probabilities: the model's own, and that of the law drawn from. A sampler gets the law of what comes next as
`Candidates` (`outlines_cont.kernels.laws`), which offers `greedy()`, `drawn(keys)`, `best(width)` and
`warped(temperature, …)`.

A sampler that treats every row by itself derives from `RowByRow` (`row_by_row.py`) and writes one method, `draw`. One
that compares rows, like beam search, writes `choose`, and derives from `SamplerDefaults`. `check_sampler` in the
project's tests (`tests/samplers.py`) tries the contract on any sampler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Generic, Literal, Protocol

from typing_extensions import TypeVar

from outlines_cont.decode.filters import Filters
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.filters import LogitFilter
from outlines_cont.kernels.laws import Candidates
from outlines_cont.state.row import Row

#: What a sampler makes of `where`: nothing, so that it is refused; candidates are declined; or potentials are weighed.
Honour = Literal["nothing", "predicates", "potentials"]

HypothesisGroups = tuple[tuple[Hypothesis, ...], ...]  # per batch row, its hypotheses


class One(int):
    """For type checkers only: the type of `samples` where there is one, and a prompt gives one value."""


class Many(int):
    """For type checkers only: the type of `samples` where there are several, and a prompt gives a list of values."""


M_co = TypeVar("M_co", bound=int, covariant=True, default=int)  # `One`, `Many`, or nobody knows


class Sampler(Protocol[M_co]):
    """Decides with which candidates the rows continue. All methods are pure functions: random choices depend on the
    seed.

    Write `choose`; `SamplerDefaults` has all other methods. For type checkers, a `Sampler[One]` makes one sample of
    each batch row, and a `Sampler[Many]` several.
    """

    @property
    def samples(self) -> M_co:
        """How many samples each batch row gets, at most. Default: 1."""
        ...

    @property
    def takes_fewer(self) -> bool:
        """Whether it takes any number of rows up to `samples`, so that it makes no difference how many dead ones stand
        beside them. Default: False.

        Then a batch row begins its next span by itself, before others have come to the end of the span before.
        """
        ...

    @property
    def length_penalty(self) -> float:
        """The power of its length by which a row's weight is divided to give its score. Default: 0."""
        ...

    @property
    def joint(self) -> bool:
        """Whether the samples of a batch row are one search, whose final samples are not known before its end.

        Then streams give out only the text that all of them agree on. Default: False.
        """
        ...

    @property
    def forced(self) -> str:
        """What generators do with forced runs, unless `forced=` of the generator is given: "canonical" or "never".

        Default: "canonical".
        """
        ...

    @property
    def ranks_by_logprobs(self) -> bool:
        """Whether rows are compared by the model's own log-probabilities.

        Then the options of a choice cannot be compared by any other measure (`normalize`). Default: False.
        """
        ...

    @property
    def weighs_draws(self) -> bool:
        """Whether samples are weighed, as they are drawn, by the law of their draws.

        Then hooks may only look (`Watch`), and controllers are refused, because rejected draws would have to be
        weighed, too.
        Default: False.
        """
        ...

    @property
    def filters(self) -> Filters | None:
        """Temperature, top-k, top-p and min-p. Hooks and branches may change them for a draw. Default: None, not
        changeable."""
        ...

    @property
    def logit_filters(self) -> tuple[LogitFilter, ...]:
        """Functions that change the logits of each row. With any, the law that it gets is a `Law`. Default: none."""
        ...

    @property
    def notes_candidates(self) -> bool:
        """Whether it keeps the likeliest candidates of each draw if a call asks for them. Default: False."""
        ...

    @property
    def draws_texts(self) -> bool:
        """Whether it reads whole texts by the model of `bound_to`, and `choose` gets no law. Default: False."""
        ...

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        """The rows from which one batch row's samples start, each with the index of its origin in `rows`.

        Rows that come from the same one must have different lineages: `random_keys.copied(row, i)` gives them.
        Default: the rows as they are.

        Raises:
            SampleMismatch: this sampler cannot continue so many rows.
        """
        ...

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        """The rows, with their indices, from which an interrupted batch row goes on. Default: `widen(rows)`.

        Args:
            rows: the samples at the interruption, as `collect` gave them, or those that are left.
            ended: for each row whether it is finished.
        """
        ...

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        """The next hypotheses of every batch row.

        A hypothesis whose `status.ready` is true takes a candidate, by `h.extend(candidate, logprob, proposal)`, which
        gives a tuple of hypotheses; or it is left out. All others stay as they are. What happens to one batch row must
        not depend on the others.

        Args:
            groups: the hypotheses of every batch row.
            law: the law of each ready hypothesis: one row each, in the order of the groups.
            seed: that of all random choices.
            hooks: if given, every draw has to pass these hooks (`hooks.extend`), and the law is a `Law`.
        """
        ...

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        """Choose options of a choice by sequence.

        Args:
            h: the hypothesis that an option continues.
            values: the log-probability of each option.
            seed: that of all random choices.

        Returns:
            The options' log-probabilities under the law of the choice, and the indices of the chosen ones, each of
            which becomes a hypothesis. Default: a TypeError.
        """
        ...

    def selected(self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """The hypotheses of one batch row that continue after a step that took whole options and drew no token.

        before: the hypotheses before that step. Default: all continue.
        """
        ...

    def begun(self, group: tuple[Hypothesis, ...], seed: int) -> tuple[Hypothesis, ...]:
        """One batch row's hypotheses where a span begins, or after an interruption. Default: unchanged."""
        ...

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The hypotheses of one batch row that are its samples, in order. Default: all.

        On the way, they must include those that have not ended, because `resume` continues the rows that are returned
        here.
        """
        ...


def missing_sampler_members(sampler: object) -> list[str]:
    """The members of `Sampler` that an object does not have."""
    members = (name for name in vars(Sampler) if not name.startswith("_"))
    return [name for name in members if not hasattr(sampler, name)]


def shown_sampler(sampler: Any) -> str:
    """The repr of a sampler: that of a dataclass, without `logit_filters` if there are none."""
    values = ((each.name, getattr(sampler, each.name)) for each in fields(sampler))
    shown_values = (f"{name}={value!r}" for name, value in values if name != "logit_filters" or value)
    return f"{type(sampler).__name__}({', '.join(shown_values)})"


class SamplerDefaults(Generic[M_co]):
    """All methods of a sampler except `choose`: one sample for each row, independent of the others."""

    samples: M_co = 1  # type: ignore[assignment]
    takes_fewer: bool = False
    length_penalty: float = 0.0
    joint: bool = False
    forced: str = "canonical"
    ranks_by_logprobs: bool = False
    weighs_draws: bool = False
    filters: Filters | None = None
    logit_filters: tuple[LogitFilter, ...] = ()
    notes_candidates: bool = False
    honours_where: Honour = "nothing"
    draws_texts: bool = False
    chooses: str | None = None  # its name, as users write it, if it takes the best candidates and draws none

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        return list(enumerate(rows))

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        return self.widen(rows)

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        raise TypeError(f"{self!r} does not take whole options (by='sequence'): it has no choose_options()")

    def begun(self, group: tuple[Hypothesis, ...], seed: int) -> tuple[Hypothesis, ...]:
        return group

    def selected(
        self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis] = ()
    ) -> tuple[Hypothesis, ...]:
        return tuple(group)

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        return list(group)
