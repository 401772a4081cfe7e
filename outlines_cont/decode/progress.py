"""How far a generation is, for those who wait for it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from math import isnan
from time import perf_counter
from typing import Protocol

from tqdm import tqdm

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.display.weighing import weighing
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.processes import whole_at_fork
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.importance import ancestor
from outlines_cont.state.particles import effective_sample_size

OFTEN, SELDOM = 0.1, 1.0  # seconds between two looks: on a screen, and in a log. Without a step it is seldom, too


class WatchedGeneration(Protocol):
    """What a bar shows the progress of: a frontier."""

    @property
    def model(self) -> LanguageModel:
        """The model that reads it."""
        ...

    @property
    def sampler(self) -> Sampler:
        """Who draws now."""
        ...

    @property
    def groups(self) -> Sequence[Sequence[Hypothesis]]:
        """The hypotheses of each batch row."""
        ...


@contextmanager
def watched(first: WatchedGeneration, shown: bool) -> Iterator[Callable[[WatchedGeneration], None]]:
    """What is to be called after every step of a generation that begins with this frontier.

    shown: draw a bar on stderr, if there is one, of the rows that have ended, with the tokens a second and the share of
    the needed positions that the KV tree had already. (The tree counts for all that use the model meanwhile.) Of
    particles (`smc`) it tells the effective sample size and how many ancestors they have, of the batch row that has
    the smallest.
    """
    if not shown or getattr(sys.stderr, "closed", sys.stderr is None):
        yield lambda frontier: None
        return
    stats, began = first.model.stats, perf_counter()
    tokens, reused = stats.tokens, stats.reused
    # what was appended when the rows began has not been scored yet
    given = sum(_generated(h) - h.unscored for group in first.groups for h in group)
    # a notebook draws what is written to it; anything else that is no terminal is a log
    live = getattr(sys.stderr, "isatty", bool)() or type(sys.stderr).__module__.startswith("ipykernel")
    interval = OFTEN if live else SELDOM
    form = "{percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} rows [{elapsed}{postfix}]"
    with ExitStack() as open_bar:
        bar: tqdm | None = None
        drawing = whole_at_fork(threading.Lock())

        def share() -> str:
            if tokens is None or reused is None or stats.tokens is None or stats.reused is None:
                return ""  # the engine does not count them
            old, new = max(stats.reused - reused, 0), max(stats.tokens - tokens, 0)
            return f", KV reuse {old / max(old + new, 1):.0%}"

        weighed = Weighed(interval)

        def look(frontier: WatchedGeneration) -> None:
            if bar is None:
                return
            rows = [h for group in frontier.groups for h in group if not h.row.dead or isinstance(h.row, FailedRow)]
            ended = [h.status.finished is not None for h in rows]
            made = sum(map(_generated, rows)) - given
            rate = made / max(perf_counter() - began, 1e-9)
            bar.total = len(ended)
            postfix = f"{made:,} tokens, {rate:,.0f} tokens/s{share()}{weighed.told(frontier)}"
            with drawing, _unharmed():
                bar.set_postfix_str(postfix, refresh=False)
                bar.update(sum(ended) - bar.n)

        def tick() -> None:
            if bar is not None:
                with drawing, _unharmed():
                    bar.update(0)  # which draws it, unless that was done a moment ago

        with _unharmed():
            bar = tqdm(
                total=max(sum(map(len, first.groups)), 1),
                miniters=0,
                mininterval=interval,
                maxinterval=interval,
                bar_format=form,
            )
            open_bar.callback(_close, bar)
        look(first)
        open_bar.enter_context(_ticking(tick))
        yield look


class Weighed:
    """How much the particles tell. That is looked up every `interval` seconds only, and when all have ended."""

    def __init__(self, interval: float):
        self._interval, self._next, self._text = interval, 0.0, ""

    def told(self, frontier: WatchedGeneration) -> str:
        """The text for the bar; empty where nothing is weighed."""
        if not frontier.sampler.weighs_draws:
            return ""
        now = perf_counter()
        if now >= self._next or all(h.status.finished for group in frontier.groups for h in group):
            self._text = _weighing(frontier.groups)
            self._next = now + self._interval
        return self._text


def _weighing(groups: Sequence[Sequence[Hypothesis]]) -> str:
    """That of the batch row whose effective sample size is the smallest part of its particles."""
    counted = []
    for group in groups:
        live = [(place, h.scored_row) for place, h in enumerate(group) if not h.row.dead]
        if live:
            size = effective_sample_size([row.log_importance for _, row in live])
            counted.append((size, len(live), len({ancestor(row, place) for place, row in live})))
    if not counted:
        return ""
    least = min(counted, key=lambda each: -1 if isnan(each[0]) else each[0] / each[1])
    return f", {'least ' * (len(counted) > 1)}{weighing(*least)}"


def _generated(h: Hypothesis) -> int:
    """How many tokens a row and its span generated, also one that failed."""
    return sum(row.generated for row in h.row.before) if isinstance(h.row, FailedRow) else h.generated


@contextmanager
def _ticking(tick: Callable[[], None]) -> Iterator[None]:
    """Another thread ticks every `SELDOM` seconds: a long step does not stop the clock."""
    over = threading.Event()

    def ticking() -> None:
        while not over.wait(SELDOM):
            tick()

    thread = threading.Thread(target=ticking, name="outlines_cont progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _close(bar: tqdm) -> None:
    with _unharmed():
        bar.close()


def _unharmed() -> suppress:
    """What cannot be written is not shown: nothing that was generated is lost for it."""
    return suppress(OSError, ValueError)
