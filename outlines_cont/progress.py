"""How far a generation is, for those who wait for it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from math import isnan
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from tqdm import tqdm

from outlines_cont import waiting
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.processes import whole_at_fork
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.particles import ancestor, effective_sample_size
from outlines_cont.waiting import ShownProgress, Wait, bar_stream, is_screen, screen

if TYPE_CHECKING:
    from outlines_cont.pictures.protocol import DrawnState


OFTEN, SELDOM = 0.1, 1.0  # seconds between two looks: on a screen, and in a log. Without a step it is seldom, too
ROWS_FORM = "{percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} rows [{elapsed}{postfix}]"

_drawn: set[object] = set()  # what is drawn now: bars and rows

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawn.clear)  # its parent draws them


class WatchedGeneration(Protocol):
    """What a bar shows the progress of: a frontier."""

    @property
    def model(self) -> LanguageModel:
        """The model that reads it."""
        ...

    @property
    def groups(self) -> Sequence[Sequence[Hypothesis]]:
        """The hypotheses of each batch row."""
        ...

    @property
    def state(self) -> DrawnState:
        """The rows as they are now."""
        ...


class _GenerationCounts:
    """What is told of a generation that begins with a frontier: rows that have ended, tokens, and what was reused.

    The share of the needed positions that the KV tree had already counts all that use the model meanwhile.
    """

    def __init__(self, first: WatchedGeneration, interval: float = SELDOM):
        self.stats, self.began, self.weighed = first.model.stats, perf_counter(), Weighed(interval)
        self.tokens, self.reused = self.stats.tokens, self.stats.reused
        # what was appended when the rows began has not been scored yet
        self.given = sum(_generated(h) - h.unscored for group in first.groups for h in group)

    def __call__(self, frontier: WatchedGeneration) -> tuple[int, int, str]:
        """How many rows have ended, of how many, and the counts as text."""
        rows = [h for group in frontier.groups for h in group if not h.row.dead or isinstance(h.row, FailedRow)]
        ended = [h.status.ended for h in rows]
        made = sum(map(_generated, rows)) - self.given
        rate = made / max(perf_counter() - self.began, 1e-9)
        return (
            sum(ended),
            len(ended),
            f"{made:,} tokens, {rate:,.0f} tokens/s{self._share()}{self.weighed.told(frontier)}",
        )

    def _share(self) -> str:
        tokens, reused = self.stats.tokens, self.stats.reused
        if tokens is None or reused is None or self.tokens is None or self.reused is None:
            return ""  # the engine does not count them
        old, new = max(reused - self.reused, 0), max(tokens - self.tokens, 0)
        return f", KV reuse {old / max(old + new, 1):.0%}"


@contextmanager
def watched(first: WatchedGeneration, shown: ShownProgress) -> Iterator[Callable[[WatchedGeneration], None]]:
    """What is to be called after every step of a generation that begins with this frontier.

    shown: True, to draw a bar on stderr, if there is one (in a notebook on stdout), of the rows that have ended, with
    the counts; None, to draw it if that takes long, and somebody looks; "rows", to draw the rows themselves, in a
    notebook. Of particles (`smc`) the counts tell the effective sample size and how many ancestors they have, of the
    batch row that has the smallest.
    """
    stream = screen() if shown is None else bar_stream() if shown is True else None
    if shown == "rows":
        watching = _rows_watched(first)
    elif stream is not None:
        watching = _bar_watched(first, stream, at_once=bool(shown))
    else:
        watching = nullcontext(lambda frontier: None)
    with watching as look:
        yield look


@contextmanager
def _rows_watched(first: WatchedGeneration) -> Iterator[Callable[[WatchedGeneration], None]]:
    """The last of the drawings stays, whatever ends the generation."""
    from outlines_cont.pictures.rows import LiveRows

    counts, live, last = _GenerationCounts(first), LiveRows(), [first]

    def look(frontier: WatchedGeneration) -> None:
        last[0] = frontier
        if live.due:
            with _unharmed():
                live.draw(lambda: frontier.state, lambda: _counts_line(*counts(frontier)))

    _drawn.add(live)
    try:
        look(first)
        yield look
    finally:
        _drawn.discard(live)
        with _unharmed():
            live.draw(lambda: last[0].state)
        last.clear()


def _counts_line(done: int, total: int, text: str) -> str:
    return f"{done:,}/{total:,} rows, {text}"


@contextmanager
def _bar_watched(first: WatchedGeneration, stream: Any, at_once: bool) -> Iterator[Callable[[WatchedGeneration], None]]:
    counts, last = _GenerationCounts(first, _interval(stream)), [first]
    bar = Bar(stream, lambda: counts(last[0]), at_once, bar_format=ROWS_FORM)

    def look(frontier: WatchedGeneration) -> None:
        last[0] = frontier
        bar.look()

    try:
        with bar:
            yield look
    finally:
        last.clear()  # keys and values live as long as somebody holds them


def _interval(stream: Any) -> float:
    return OFTEN if is_screen(stream) else SELDOM


class Bar:
    """A bar on a stream, for as long as this context is open.

    One that is not wanted at once is drawn if the work takes longer than `waiting.PATIENCE`, and only while nothing
    else is drawn: of calls in each other, or beside each other, that of the outer or older one.

    Args:
        stream: a terminal, a notebook's stdout, or a log.
        counts: how much is done, of how much (None: nobody knows), and what is told besides. Another thread asks, too.
        at_once: whether the bar is wanted in any case.
        worked: for how many seconds there has been work so far; None: since the context was opened.
        form: for tqdm.
    """

    def __init__(
        self,
        stream: Any,
        counts: Callable[[], tuple[int, int | None, str]],
        at_once: bool,
        worked: Callable[[], float] | None = None,
        **form: Any,
    ) -> None:
        self._stream, self._counts, self._form = stream, counts, form
        began = perf_counter()
        self._worked = worked or (lambda: perf_counter() - began)
        self._drawing = whole_at_fork(threading.Lock())  # held while it is drawn or closed
        self._bar: tqdm | None = None
        self._over, self._at_once = False, at_once
        self._wait = Wait(SELDOM if at_once else waiting.PATIENCE, self._tick)

    def __enter__(self) -> Bar:
        try:
            if self._at_once:
                with self._drawing, _unharmed():
                    self._open()
            self._wait.__enter__()
        except BaseException:  # Ctrl-C: while a bar is drawn, no other one is
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        try:
            self._wait.__exit__()
            with self._drawing, _unharmed():
                if self._bar is not None:
                    self._draw(self._bar)
                    self._bar.close()
        finally:
            _drawn.discard(self)

    def look(self) -> None:
        """Draw what has changed, unless something was drawn a moment ago."""
        if self._bar is not None:
            with self._drawing, _unharmed():
                self._draw(self._bar)

    def _tick(self) -> float | None:
        """In another thread: open it when it is time; and a long step does not stop its clock."""
        with self._drawing, _unharmed():
            if self._over:
                return None
            if self._bar is not None:
                self._draw(self._bar)
            elif (left := waiting.PATIENCE - self._worked()) > 0:
                return left
            elif not _drawn:
                self._open()
        return SELDOM

    def _open(self) -> None:
        _drawn.add(self)
        often = _interval(self._stream)
        bar = tqdm(file=self._stream, miniters=0, mininterval=often, maxinterval=often, delay=1e-9, **self._form)
        bar.start_t -= self._worked()
        bar.delay = 0  # with a delay it drew nothing yet
        _, bar.total, text = self._counts()
        if not self._at_once:  # else there are no rates yet
            bar.set_postfix_str(text, refresh=False)
        bar.refresh()
        self._bar = bar

    def _draw(self, bar: tqdm) -> None:
        done, bar.total, text = self._counts()
        bar.set_postfix_str(text, refresh=False)
        bar.update(done - bar.n)


class Weighed:
    """How much the particles tell. That is looked up every `interval` seconds only, and when all have ended."""

    def __init__(self, interval: float):
        self._interval, self._next, self._text = interval, 0.0, ""

    def told(self, frontier: WatchedGeneration) -> str:
        """The text for the bar; empty where nothing is weighed."""
        if not any(h.settings.sampler.weighs_draws for group in frontier.groups for h in group):
            return ""
        now = perf_counter()
        if now >= self._next or all(h.status.ended for group in frontier.groups for h in group):
            self._text = _weighing(frontier.groups)
            self._next = now + self._interval
        return self._text


def _weighing(groups: Sequence[Sequence[Hypothesis]]) -> str:
    """The text for the batch row whose effective sample size is the smallest part of its particles."""
    from outlines_cont.pictures.text import weighing

    counted = []
    for group in groups:
        live = [(place, h.scored_row) for place, h in enumerate(group) if not h.row.dead]
        if live:
            size = effective_sample_size([row.log_importance for _, row in live])
            counted.append((size, len(live), len({ancestor(row, place) for place, row in live})))
    if not counted:
        return ""
    size, count, ancestors = min(counted, key=lambda each: -1 if isnan(each[0]) else each[0] / each[1])
    return f", {'least ' * (len(counted) > 1)}{weighing(size, f'/{count}', ancestors)}"


def _generated(h: Hypothesis) -> int:
    """How many tokens a row and its span generated, also one that failed."""
    return sum(row.generated for row in h.row.before) if isinstance(h.row, FailedRow) else h.generated


def _unharmed() -> suppress:
    """What cannot be written is not shown: nothing that was generated is lost for it."""
    return suppress(OSError, ValueError)
