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
from typing import Generic, Literal, Protocol

from typing_extensions import TypeVar

from outlines_cont.decode.filters import Filters
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.filters.protocol import LogitFilter
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
    """Which candidates the rows go on with. All its methods are pure functions: what is random follows from the seed.

    `choose` has to be written; `SamplerDefaults` gives the rest. For type checkers, a `Sampler[One]` makes one sample
    of each batch row, and a `Sampler[Many]` several.
    """

    @property
    def samples(self) -> M_co:
        """How many samples each batch row gets, at most. Default: 1."""
        ...

    @property
    def length_penalty(self) -> float:
        """The power of its length by which a row's weight is divided to give its score. Default: 0."""
        ...

    @property
    def joint(self) -> bool:
        """Whether the samples of a batch row are one search, of which nobody knows before its end who stays.

        Then streams give out only the text that all of them agree on. Default: False.
        """
        ...

    @property
    def forced(self) -> bool:
        """Whether a generator appends what its constraint leaves no choice about, unless it is told otherwise.

        Default: True.
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

        Then hooks may only look (`Watch`), and controllers are refused: what is given up would have to be weighed, too.
        Default: False.
        """
        ...

    @property
    def filters(self) -> Filters | None:
        """What it draws by. Hooks and branches may change some of it for a draw. Default: None; they may not."""
        ...

    @property
    def logit_filters(self) -> tuple[LogitFilter, ...]:
        """Functions that change the logits of each row. With any, the law that it gets is a `Law`. Default: none."""
        ...

    @property
    def notes_candidates(self) -> bool:
        """Whether it keeps the likeliest candidates of each draw where a call asks for them (`top`). Default: False."""
        ...

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        """The rows that one batch row's samples start from, each with the place of the one that it comes from.

        Rows that come from the same one must have different lineages: `random_keys.copied(row, i)` gives them.
        Default: the rows as they are.

        Raises:
            SampleMismatch: this sampler does not go on from so many rows.
        """
        ...

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        """As `widen`, where a generation goes on that was interrupted. Default: `widen(rows)`.

        Args:
            rows: its samples then, as `collect` gave them, or what is left of them.
            ended: for each row whether nothing is written after it.
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
            law: what each ready hypothesis may go on with: one row each, in the order of the groups.
            seed: of all randomness.
            hooks: if it is given, every draw has to pass these hooks (`hooks.settle`), and the law is a `Law`.
        """
        ...

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        """Which of the options of a choice by sequence are taken, and by which law.

        Args:
            h: the hypothesis that goes on with an option.
            values: the log-probability of each option.
            seed: of all randomness.

        Returns:
            The options' log-probabilities under the law that they are taken by, and the places of those that are
            taken, each of which becomes a hypothesis. Default: a TypeError.
        """
        ...

    def selected(self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """Those of one batch row's hypotheses that go on, after a step that took whole options and drew no token.

        before: what they were before it. Default: all.
        """
        ...

    def begun(self, group: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        """One batch row's hypotheses, as they begin, or go on after an interruption. Default: as they are."""
        ...

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        """Those of one batch row's hypotheses that are its samples, in order. Default: all.

        Those that have not ended, because they are looked at on the way, must be among them: `resume` goes on from
        what it is given here.
        """
        ...


def missing_sampler_members(sampler: object) -> list[str]:
    """The members of `Sampler` that an object does not have."""
    members = (name for name in vars(Sampler) if not name.startswith("_"))
    return [name for name in members if not hasattr(sampler, name)]


class SamplerDefaults(Generic[M_co]):
    """All of a sampler but `choose`: one sample from each row, which goes on by itself."""

    samples: M_co = 1  # type: ignore[assignment]
    length_penalty: float = 0.0
    joint: bool = False
    forced: bool = True
    ranks_by_logprobs: bool = False
    weighs_draws: bool = False
    filters: Filters | None = None
    logit_filters: tuple[LogitFilter, ...] = ()
    notes_candidates: bool = False
    honours_where: Honour = "nothing"
    chooses: str | None = None  # its name, as users write it, if it takes the best candidates and draws none

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        return list(enumerate(rows))

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        return self.widen(rows)

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        raise TypeError(f"{self!r} does not take whole options (by='sequence'): it has no choose_options()")

    def begun(self, group: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        return group

    def selected(
        self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis] = ()
    ) -> tuple[Hypothesis, ...]:
        return tuple(group)

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        return list(group)
