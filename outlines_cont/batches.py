"""Rows and jobs that differ in their settings, in the same passes: `rows=` of a call, and `oc.batch`.

Each begins as a frontier by itself. One frontier then has the batch rows of them all: a step reads what they need in
one pass, and draws for each row by its own settings.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Unpack, cast

from outlines_cont.arguments import shown
from outlines_cont.decode.filters import Filters
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hooks import Hook
from outlines_cont.decode.loop import Flushed, async_at_end, async_stream, at_end, flushed, stream, unfailed
from outlines_cont.decode.samplers.filters import LogitFilter, checked_filters
from outlines_cont.decode.stream import Streamed
from outlines_cont.errors import BatchMismatch
from outlines_cont.explained import explained_class
from outlines_cont.generate.call_options import Call, CallOptions, Hooks, Keep, StopAt
from outlines_cont.generate.starts import checked, in_time, started, with_contexts
from outlines_cont.state.errors import with_told_errors
from outlines_cont.state.failed_row import Errors, with_values
from outlines_cont.state.prompts import lineage_of, listed, plain_key
from outlines_cont.state.random_keys import may_collide, seeded
from outlines_cont.state.selecting import rectangular
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import ShownProgress
from outlines_cont.ways import mapped

#: Fields of `Settings` that are options of a call; and those that a sampler takes, by the name of its class.
OF_CALLS = ("max_tokens", "stop_at", "seed", "hooks", "keep", "draft")
OF_SAMPLERS = ("temperature", "top_k", "top_p", "min_p", "filters")
TAKEN = {"Greedy": ("filters",), "Multinomial": OF_SAMPLERS}
TAKEN |= {"Particles": ("temperature", "filters"), "Exact": ("temperature",)}


@explained_class
@dataclass(frozen=True, kw_only=True, repr=False)
class Settings:
    """What one row of a call, or one job of a batch, has for itself. None: as the call, or the sampler, says.

    Attributes:
        max_tokens, stop_at, seed, hooks, keep, draft: in place of those of the call; see `CallOptions`.
        temperature, top_k, top_p, min_p, filters: in place of those of the sampler, in a chain of every link's; see
            `oc.samplers.multinomial`. `greedy` takes `filters`, `smc` `temperature` and `filters`, `exact`
            `temperature`; from other samplers there is a ValueError.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> rows = [oc.Settings(max_tokens=2), oc.Settings(stop_at=" a")]
    >>> list(text(["The sky is", "Mira is"], max_tokens=5, rows=rows))
    ['The sky is blue.', 'Mira is']
    """

    max_tokens: int | None = None
    stop_at: StopAt = None
    seed: int | None = None
    hooks: Sequence[Hook] | Hooks | None = None
    keep: Keep | None = None
    draft: Any = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    filters: Sequence[LogitFilter] | None = None

    def __post_init__(self) -> None:
        call = over(self, Call(), "Settings()", ())
        given = {name: getattr(call, name) for name in OF_CALLS if getattr(self, name) is not None}
        if self.seed is not None:
            given["seed"] = seeded(self.seed)
        Filters.of(self.temperature, self.top_k, self.top_p, self.min_p)
        filters = None if self.filters is None else checked_filters(self.filters)
        vars(self).update(given, filters=filters)

    def __repr__(self) -> str:
        given = {n: v for n in (*OF_CALLS, *OF_SAMPLERS) if (v := getattr(self, n)) is not None}
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __hash__(self) -> int:  # of what has one: filters and hooks are the user's
        return hash((self.max_tokens, self.seed, self.temperature))


def over(settings: Settings, call: Call, called: str, without: Sequence[str]) -> Call:
    """The options of a call, with the settings in place of its own. TypeError for one that it does not take."""
    options: Any = {name: value for name in OF_CALLS if (value := getattr(settings, name)) is not None}
    if "max_tokens" in options:
        call = replace(call, max_tokens=Call.of(called, options.pop("max_tokens"), {}).max_tokens)
    made = Call.of(called, None, options, without)
    return replace(call, **{name: getattr(made, name) for name in options})


def applied(settings: Settings, work: Any) -> Any:
    """The generator, step or chain whose samplers draw as the settings say.

    >>> from outlines_cont.batches import applied
    >>> applied(oc.Settings(temperature=0.5), oc.generate.text(model)).sampler.temperature
    0.5
    """
    changes = {name: value for name in OF_SAMPLERS if (value := getattr(settings, name)) is not None}
    return _changed(work, changes) if changes else work


def _changed(work: Any, changes: dict[str, Any]) -> Any:
    if hasattr(work, "constraint"):
        return _drawn_otherwise(work, changes)
    if hasattr(work, "generator"):
        return replace(work, generator=_drawn_otherwise(work.generator, changes))
    if hasattr(work, "steps"):
        return type(work)(tuple(mapped(work.parts, lambda part: _changed(part, changes))))
    return (lambda state: _changed(work(state), changes)) if callable(work) else work  # a function of a chain, a text


def _drawn_otherwise(generator: Any, changes: dict[str, Any]) -> Any:
    """The generator with another law of its draws. ValueError if its sampler has no such law."""
    sampler, given = generator.sampler, f"Settings({', '.join(f'{n}={shown(v)}' for n, v in changes.items())})"
    taken = TAKEN.get(type(sampler).__name__, ())
    if not changes.keys() <= {*taken}:
        takes = f"takes {', '.join(taken)}" if taken else "has no option that differs by row"
        raise ValueError(f"{given} with {sampler!r}: this sampler {takes}")
    if changes.get("filters") and generator.constraint.options:
        raise ValueError(f"{given}: whole options are drawn, and no token that a filter could see; take by='token'")
    named = {"logit_filters" if name == "filters" else name: value for name, value in changes.items()}
    other = replace(sampler, **named)
    return type(generator)._of(generator.model, generator.constraint, other, generator.forced, generator.seam)


# --- the frontiers of several calls, as one


def _begun(work: Any, prompts: Any, settings: Settings, call: Call, goes_on: bool = False) -> Frontier:
    """The frontier of one call, under its settings. goes_on: whether it is that of `resume`."""
    resumes = goes_on or call.resume
    without = (*work._of_links, "stop_at") if resumes else work._of_links
    call = over(settings, call, "resume()" if resumes else work._called, without)
    work = applied(settings, work)
    return work._resumption(prompts, call) if goes_on else work._frontier(prompts, call)


def _together(
    frontiers: Sequence[Frontier], order: Sequence[tuple[int, int]], calls: tuple[range, ...] = ()
) -> Frontier:
    """One frontier of the batch rows of all of these. order: of each, which frontier it is of, and its place there.

    calls: the batch rows of each, if these know nothing of each other; else they are the rows of one call.
    """
    begun = [list(frontiers[k].begun[b * frontiers[k].samples : (b + 1) * frontiers[k].samples]) for k, b in order]
    filled = rectangular(begun)
    return replace(
        next((each for each in frontiers if type(each) is not Frontier), frontiers[0]),
        groups=tuple(frontiers[k].groups[b] for k, b in order),
        samples=max(each.samples for each in frontiers),
        begun=tuple(chain.from_iterable(filled)),
        may_collide=any(each.may_collide for each in frontiers) if calls else may_collide(filled),
        calls=calls,
    )


@contextmanager
def _noted(place: str) -> Iterator[None]:
    """What is raised in this context says what it is about."""
    try:
        yield
    except Exception as error:
        error.add_note(f"This is about {place}.")
        raise


def begun_by_row(work: Any, prompts: Any, call: Call, goes_on: bool) -> Frontier:
    """The frontier of a call with `rows=`. goes_on: whether it is that of `resume`."""
    resumes = goes_on or call.resume
    state = checked(prompts, work.model) if resumes else started(work.model, prompts, call.keys)
    each = _of_rows(call.rows, state)
    if call.beside:
        if resumes:
            raise ValueError("rows= with beside= of spans that go on: leave beside= out, the state has its contexts")
        steps = getattr(work, "steps", ())
        state = with_contexts(state, call, [step.generator.sampler for step in steps] or [work.sampler])
        call = replace(call, beside=None)
    call = replace(call, rows=None, keys=None)
    alike: dict[Any, list[int]] = {}  # equal ones share masks and draws; of a user's functions two are never one
    for b, settings in enumerate(each):
        plain = settings.hooks is settings.draft is settings.filters is None
        alike.setdefault(settings if plain else id(settings), []).append(b)
    frontiers: list[Frontier] = []
    for settings, places in ((each[places[0]], places) for places in alike.values()):
        part = SequenceState(state.model, [state.rows[b] for b in places], state.shape[1])
        with _noted(f"rows[{places[0]}]"):
            frontiers.append(_begun(work, part, settings, call, goes_on))
    order = {b: (k, place) for k, places in enumerate(alike.values()) for place, b in enumerate(places)}
    return _together(frontiers, [order[b] for b in range(len(each))])


def _of_rows(rows: Any, state: SequenceState) -> list[Settings]:
    """The settings of each batch row. TypeError, ValueError or BatchMismatch for what are none."""
    right = "it takes a list with oc.Settings(…), or None, for each batch row, or a dict of them by random key"
    if isinstance(rows, Mapping):
        named = {lineage_of(plain_key(key, "a key of rows= is ")): each for key, each in rows.items()}
        keys = [next((row.lineage[0] for row in group if row.lineage), None) for group in state.rows]
        if not {*keys} >= named.keys():
            raise ValueError(f"rows={shown(rows)} names a key that no row has: keys=[…] gives prompts their keys")
        rows = [None if key is None else named.get(key) for key in keys]
    if not isinstance(rows, (list, tuple)) or not all(isinstance(each, Settings | None) for each in rows):
        raise TypeError(f"rows={shown(rows)}: {right}")
    if len(rows) != len(state.rows):
        raise BatchMismatch(f"rows=: {len(rows)} given for {len(state.rows)} batch rows; {right}")
    return [each or Settings() for each in rows]


# --- different jobs


class BatchJob(NamedTuple):
    """A job of a batch: what is called, with what, under which settings; and its batch rows among those of all jobs."""

    work: Any
    prompts: Any
    settings: Settings
    rows: range

    @classmethod
    def all_of(cls, jobs: Any) -> list[BatchJob]:
        """The jobs of a batch. TypeError or ValueError for what are none."""
        right = "oc.batch() takes a list of jobs, (generator, step or chain, prompt or state) or (…, …, oc.Settings(…))"
        if not isinstance(jobs, (list, tuple)) or not jobs:
            raise TypeError(f"{right}; not {shown(jobs)}")
        each: list[BatchJob] = []
        for i, job in enumerate(jobs):
            is_job = isinstance(job, (list, tuple)) and len(job) in (2, 3) and hasattr(job[0], "_of_links")
            if not is_job or not isinstance(job[-1], Settings if len(job) == 3 else object):
                raise TypeError(f"{right}; job {i} is {shown(job)}")
            work, prompts, settings = cast("Any", (*job, Settings())[:3])
            if work.model is not jobs[0][0].model:
                raise ValueError(f"all jobs have one model: job {i} has {work.model!r}, job 0 {jobs[0][0].model!r}")
            with _noted(f"job {i}"):
                count = len(prompts.rows if isinstance(prompts, SequenceState) else listed(prompts))
            first = each[-1].rows.stop if each else 0
            each.append(cls(work, prompts, settings, range(first, first + count)))
        return each

    def begun(self, call: Call) -> Frontier:
        """Its frontier. The keys of prompts are their places among those of all jobs, or as the call says."""
        keys = call.keys and call.keys[self.rows.start : self.rows.stop]
        if keys is None and not (call.resume or isinstance(self.prompts, SequenceState)):
            keys = tuple(self.rows)
        if call.stop_at is not None and "stop_at" in self.work._of_links:
            over(Settings(stop_at=call.stop_at), call, self.work._called, self.work._of_links)
        return _begun(self.work, self.prompts, self.settings, replace(call, keys=keys))

    def result(self, state: SequenceState, errors: Errors) -> Any:
        """What it gives: a generator values, all others a state."""
        try:
            state, failures = with_told_errors(state)
            if hasattr(self.work, "constraint"):
                return self.work._given(self.prompts, state, failures, errors)
            return unfailed(state, failures, errors)
        finally:
            del state


def _begun_together(jobs: Sequence[BatchJob], call: Call) -> Frontier:
    call, frontiers = replace(call, seed=seeded(call.seed)), []
    for i, job in enumerate(jobs):
        with _noted(f"job {i}"):
            frontiers.append(job.begun(call))
    order = [(k, b) for k, job in enumerate(jobs) for b in range(len(job.rows))]
    return _together(frontiers, order, tuple(job.rows for job in jobs))


def _states(frontier: Frontier) -> list[SequenceState]:
    return [each.state for each in frontier.apart()]


def _results(jobs: Sequence[BatchJob], states: list[SequenceState], errors: Errors) -> list[Any]:
    """The results of all jobs; the first error, if one is to be raised, with the results of the others."""
    results: list[Any] = []
    failed: list[Exception] = []
    try:
        for i, (job, state) in enumerate(zip(jobs, states, strict=True)):
            try:
                results.append(job.result(state, errors))
            except Exception as error:
                results.append(_of_job(error, i))
                failed.append(error)
        if failed:
            error: Any = with_values(failed[0], [results])
            [error.values] = error.values
            raise error
        return results
    finally:
        del states, results, failed  # see `unfailed`


def _of_job(error: Exception, job: int) -> Exception:
    error.add_note(f"This is the error of job {job}.")
    error.job = job  # type: ignore[attr-defined]
    return error


def _flushed_apart(failed: list[Exception], frontier: Frontier) -> Flushed:
    """The flushed frontiers of all jobs, as one; their errors are put down in `failed`."""
    each = [flushed(part) for part in frontier.apart()]
    failed += [_of_job(error, i) for i, (_, _, new) in enumerate(each) for error in new]
    groups = tuple(chain.from_iterable(part.groups for part, _, _ in each))
    return replace(frontier, groups=groups), [state for _, state, _ in each], []


def _raise_first(failed: list[Exception], errors: Errors) -> None:
    if errors == "raise" and failed:
        try:
            raise failed[0]
        finally:
            failed.clear()


class JobBatch:
    """Different jobs in the same passes: `oc.batch([(generator, prompt), (step, state, settings), …])`.

    A job is a generator, a step or a chain with what it is called with, and maybe its `oc.Settings`. Each gives what it
    gives alone with the same seed; the key of a prompt is its place among the prompts of all jobs. All have one model.

    `oc.batch.acall` is a call for `await`. `stream`, and `astream` for `async for`, give a list after each step: of
    each job the state, with its delta.

    >>> greedy = oc.samplers.greedy()
    >>> city = oc.generate.choice(model, ["Rome", "Paris"], greedy)
    >>> text = oc.continuous(oc.generate.text(model, greedy))
    >>> short = oc.Settings(max_tokens=2)
    >>> answer, state = oc.batch([(city, "The capital of Italy is "), (text, "The sky is", short)])
    >>> answer, str(state)
    ('Rome', 'The sky is blue.')
    """

    def __call__(
        self, jobs: Any, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> list[Any]:
        """The result of each job, in order: of a generator what its call gives, of a step or a chain a state.

        jobs: (generator, step or chain, prompts or state), each maybe with its `Settings`. resume: continue the spans
        that were cut, of states; see `stream` of generators. max_tokens, options: of all jobs; see `CallOptions`. They
        take no `name`, no `seam` and no `rows`. An error that is raised has the number of its job, `error.job`, and the
        results of all jobs, `error.values`. After Ctrl-C `error.state` has the batch rows of all jobs, in order.

        >>> year = oc.continuous(oc.generate.regex(model, "[0-9]{4}", oc.samplers.multinomial()))
        >>> jobs = [(year, "Mira came in "), (year, "Tom came in ", oc.Settings(max_tokens=2))]
        >>> one, two = oc.batch(jobs, seed=1)
        >>> two == year("Tom came in ", keys=[1], seed=1, max_tokens=2)
        True
        >>> [str(state) for state in oc.batch([(year, two)], seed=1, resume=True)]
        ['Tom came in 3007']
        """
        each, begin, progress, errors = _begins(jobs, max_tokens, options, resume)
        return _results(each, at_end(begin(), progress, _states), errors)

    async def acall(
        self, jobs: Any, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> list[Any]:
        """A call for `await`: the event loop stays free while a step is computed.

        >>> import asyncio
        >>> city = oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy())
        >>> asyncio.run(oc.batch.acall([(city, "The capital of France is ")]))
        ['Paris']
        """
        each, begin, progress, errors = _begins(jobs, max_tokens, options, resume)
        return _results(each, await async_at_end(begin, progress, _states), errors)

    def stream(
        self, jobs: Any, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> Iterator[list[Streamed]]:
        """After each step a list: of each job its state, with the text that became final, `delta`.

        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> jobs = [(text, "The sky is"), (text, "Mira is", oc.Settings(max_tokens=1))]
        >>> [[partial.delta for partial in partials] for partials in oc.batch.stream(jobs, max_tokens=2)]
        [[' blue', ' a'], ['.', '']]
        """
        _, begin, progress, errors = _begins(jobs, max_tokens, options, resume)
        failed: list[Exception] = []
        yield from stream(begin(), progress, "return", partial(_flushed_apart, failed))
        _raise_first(failed, errors)

    async def astream(
        self, jobs: Any, max_tokens: int | None = None, *, resume: bool = False, **options: Unpack[CallOptions]
    ) -> AsyncGenerator[list[Streamed], None]:
        """A `stream` for `async for`.

        >>> import asyncio
        >>> text = oc.generate.text(model, oc.samplers.greedy())
        >>> async def deltas():
        ...     return [one.delta async for [one] in oc.batch.astream([(text, "The sky is")], max_tokens=2)]
        >>> asyncio.run(deltas())
        [' blue', '.']
        """
        _, begin, progress, errors = _begins(jobs, max_tokens, options, resume)
        failed: list[Exception] = []
        async with aclosing(async_stream(begin, progress, "return", partial(_flushed_apart, failed))) as steps:
            async for partials in steps:
                yield partials
        _raise_first(failed, errors)


def _begins(
    jobs: Any, max_tokens: int | None, options: CallOptions, resume: bool
) -> tuple[list[BatchJob], Callable[[], Frontier], ShownProgress, Errors]:
    """The jobs, what makes their frontier, and `progress` and `errors` of the call."""
    each = BatchJob.all_of(jobs)
    call = Call.of("oc.batch()", max_tokens, options, ("name", "seam", "rows"), resume)
    if call.keys is not None and len(call.keys) != (count := each[-1].rows.stop):
        raise BatchMismatch(f"keys=: {len(call.keys)} given for {count} prompts of {len(each)} jobs")
    return each, in_time(partial(_begun_together, each, call), call), call.progress, call.errors


batch = JobBatch()
