"""What is done with every row: a generator, a step or a chain with the options of its call, or a scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from outlines_cont.arguments import shown
from outlines_cont.batches import Settings, applied, over
from outlines_cont.decode.failed_rows import OF_NO_ROW
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.call_options import Call, CallOptions
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.steps import Chain, Composition, Step
from outlines_cont.scores.score import Scoring
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState
from outlines_cont.ways import mapped

Work = Generator[Any, Any] | Composition | Scoring
T = TypeVar("T")
Group = tuple[Row, ...]  # what becomes of a prompt: its samples
Outcome = Group | list[float] | Exception  # of a prompt

ASSUMED = 512  # tokens of a span, where nobody says how many it may have
#: These are arguments of `map`, or have no meaning.
OF_MAP = ("seed", "errors", "progress", "keys", "rows", "max_seconds")


@dataclass(frozen=True)
class JobLink:
    """A span that the job writes: by which generator, and with which options of its call, all of them filled in."""

    generator: Generator[Any, Any]
    call: Call

    @property
    def constraint(self) -> Constraint:
        """The constraint that the spans of this link have."""
        return self.generator.settings(self.call).constraint

    @property
    def rows(self) -> int:
        """How many rows stand side by side for a prompt, at most."""
        sampler = self.generator.sampler
        return sampler.samples * (getattr(sampler, "spellings", 1) or 4)


@dataclass(frozen=True)
class Job:
    """Work with the options of its call.

    Attributes:
        work: what is called with each batch of rows.
        seed: of all random draws.
        max_tokens, options: of the call.
        links: the spans that it writes, in order; a scoring writes none.
    """

    work: Work
    seed: int
    max_tokens: int | None = None
    options: CallOptions = field(default_factory=CallOptions)
    links: tuple[JobLink, ...] = ()

    @classmethod
    def of(cls, work: Any, seed: int, max_tokens: int | None, options: CallOptions, by_row: Iterable[str] = ()) -> Job:
        """The job. TypeError or ValueError for what cannot be mapped, and for options that do not go with it.

        by_row: settings that differ by row.
        """
        if isinstance(work, Scoring):
            Call.of("map() of a scoring", None, options, without=list(CallOptions.__annotations__))
            if max_tokens is not None or by_row:
                given = "settings=…" if max_tokens is None else f"max_tokens={shown(max_tokens)}"
                raise TypeError(f"{given}: a scoring writes no tokens")
            return cls(work, seed)
        without = {Generator: (), Step: ("name", "seam"), Chain: ("name", "seam", "stop_at")}.get(type(work))
        if without is None:
            raise TypeError(
                f"map() takes a step, a chain, a generator or oc.scores.scoring(model, texts) first, not {shown(work)}"
            )
        if "beside" in options:
            raise TypeError(
                "map() takes no option 'beside': a job is written down for shards and other processes, and "
                "contexts of a combined law are states of one process. Call the step on lists of prompts, "
                "step(prompts, beside=[…]), or put a temperature into the sampler"
            )
        call = Call.of("map()", max_tokens, options, without=[*OF_MAP, "beside", *without])
        for name in by_row:  # says what does not fit
            probe: Any = {name: "." if name == "stop_at" else 1}
            each = Settings(**probe)
            _links_of(applied(each, work), over(each, call, "map()", without))
        return cls(work, seed, max_tokens, options, _links_of(work, call))

    @property
    def model(self) -> LanguageModel:
        """The model of all of it."""
        return self.links[0].generator.model if self.links else self.work.model  # type: ignore[union-attr]

    @property
    def parts(self) -> tuple[Any, ...]:
        """Of a step or a chain its steps, texts and functions."""
        return self.work.parts if isinstance(self.work, Composition) else ()

    @property
    def single(self) -> bool:
        """Whether a prompt gives one value, and not a list of them."""
        return not self.links or self.links[-1].generator.sampler.samples == 1

    def positions(self, length: int, budget: int | None = None) -> int:
        """How many tokens a row of this length is to grow by, at most, in all rows that stand for it.

        budget: of each of its spans, if the row says so itself.
        """
        context = self.model.context_length
        if isinstance(self.work, Scoring):
            return sum(len(self.model.encoder.append(text)) for text in self.work.texts)
        budgets = (link.call.max_tokens if budget is None else budget for link in self.links)
        asked = sum(ASSUMED if each is None else each for each in budgets)
        asked += sum(len(self.model.encoder.append(text)) for text in self.parts if isinstance(text, str))
        room = asked if context is None else min(asked, max(context - length, 0))
        return room * self.width

    @property
    def width(self) -> int:
        """How many rows stand side by side for a prompt, at most."""
        return max((link.rows for link in self.links), default=1)

    def outcomes(self, rows: Sequence[Row], settings: Sequence[Settings] | None = None) -> list[Outcome]:
        """What becomes of each of these rows, in one batch. If that needs too much memory, it is done in halves.

        settings: those of each row, if they differ.
        """
        if isinstance(self.work, Scoring):
            return _halved(rows, self._scores, (*OF_NO_ROW, ValueError))
        if settings is None:
            return _halved(rows, self._groups, OF_NO_ROW)
        return _halved(
            [*zip(rows, settings, strict=True)], lambda each: self._groups(*zip(*each, strict=True)), OF_NO_ROW
        )

    def _scores(self, rows: Sequence[Row]) -> list[Outcome]:
        assert isinstance(self.work, Scoring)
        if len(rows) == 1 and not rows[0].ids:
            return [ValueError("the prompt is empty: a text is scored after at least one token")]
        state = SequenceState(self.work.model, [[row] for row in rows], samples=1)
        try:
            return [scores for [scores] in self.work(state).tolist()]
        except ValueError as error:  # it names the row of a batch
            raise ValueError(str(error).replace("row (0, 0)", "the prompt")) from None

    def _groups(self, rows: Sequence[Row], settings: Sequence[Settings] | None = None) -> list[Outcome]:
        state = SequenceState(self.model, [[row] for row in rows], samples=1)
        run = self.work.run if isinstance(self.work, Generator) else self.work
        options: CallOptions = {**self.options, "seed": self.seed, "errors": "return", "progress": False}
        options["rows"] = settings
        made: SequenceState = run(state, self.max_tokens, **options)  # type: ignore[operator]
        return [trimmed(group) for group in made.rows]


def _links_of(work: Any, call: Call) -> tuple[JobLink, ...]:
    """The spans that a call writes. TypeError or ValueError for options that do not fit one."""
    composed = isinstance(work, Composition)
    generators = [step.generator for step in work.steps] if composed else [work]
    links = tuple(map(JobLink, generators, work.link_calls(call) if composed else [call]))
    for link in links:
        link.generator.settings(link.call)
    return links


def under_adapter(work: Any, adapter: Any) -> Any:
    """The work with its model's `with_adapter(adapter)` in the place of its model."""
    if not isinstance(work, (Generator, Step, Chain, Scoring)):
        return work  # `Job.of` refuses it
    model: Any = work.model
    if not hasattr(model, "with_adapter"):
        raise TypeError(f"map(adapter={shown(adapter)}): {model!r} is no oc.Model, and has no adapters")
    return _on(work, model.with_adapter(adapter))


def _on(work: Any, model: LanguageModel) -> Any:
    """The work on another model of equal vocabulary."""
    if isinstance(work, Generator):
        return Generator._of(model, work.constraint, work.sampler, work.forced, work.seam)
    if isinstance(work, Step):
        return replace(work, generator=_on(work.generator, model))
    if isinstance(work, Chain):
        return Chain(tuple(mapped(work.parts, lambda part: _on(part, model) if isinstance(part, Step) else part)))
    return replace(work, model=model)


def trimmed(group: Sequence[Row]) -> Group:
    """Without the dead rows at its end, which are there because other prompts have more samples."""
    count = max((s + 1 for s, row in enumerate(group) if not row.dead or isinstance(row, FailedRow)), default=0)
    return tuple(group[:count])


def _halved(
    rows: Sequence[T], do: Callable[[Sequence[T]], list[Outcome]], caught: tuple[type[Exception], ...]
) -> list[Outcome]:
    """What is done with all rows; where that raises one of these errors, with each half. A row keeps its error."""
    try:
        return do(rows)
    except caught as error:
        if len(rows) == 1:
            return [error]
    middle = len(rows) // 2
    return _halved(rows[:middle], do, caught) + _halved(rows[middle:], do, caught)
