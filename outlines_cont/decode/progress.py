"""How far a generation is, for those who wait for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from time import perf_counter
from typing import Protocol

from tqdm import tqdm

from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.engines.protocol import LanguageModel

OFTEN, SELDOM = 0.1, 30.0  # seconds between two looks: on a screen, and in a log


class Generation(Protocol):
    """What a bar shows the progress of: a frontier."""

    @property
    def model(self) -> LanguageModel:
        """The model that reads it."""
        ...

    @property
    def groups(self) -> Sequence[Sequence[Hypothesis]]:
        """The hypotheses of each batch row."""
        ...


@contextmanager
def watched(first: Generation, shown: bool) -> Iterator[Callable[[Generation], None]]:
    """What is to be called after every step of a generation that begins with this frontier.

    shown: draw a bar on stderr, if there is one, of the rows that have ended, with the tokens a second and the share of
    the needed positions that the KV tree had already. (The tree counts for all that use the model meanwhile.)
    """
    if not shown or getattr(sys.stderr, "closed", sys.stderr is None):
        yield lambda frontier: None
        return
    stats, began = first.model.stats, perf_counter()
    tokens, reused = stats.tokens, stats.reused
    # what was appended when the rows began has not been scored yet
    given = sum(h.generated - h.unscored for group in first.groups for h in group)
    # a notebook draws what is written to it; anything else that is no terminal is a log
    live = getattr(sys.stderr, "isatty", bool)() or type(sys.stderr).__module__.startswith("ipykernel")
    interval = OFTEN if live else SELDOM
    form = "{percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} rows [{elapsed}{postfix}]"
    with ExitStack() as open_bar:
        bar: tqdm | None = None

        def look(frontier: Generation) -> None:
            if bar is None:
                return
            ended = [h.status.finished is not None for group in frontier.groups for h in group if not h.row.dead]
            made = sum(h.generated for group in frontier.groups for h in group) - given
            old, new = max(stats.reused - reused, 0), max(stats.tokens - tokens, 0)
            rate = made / max(perf_counter() - began, 1e-9)
            bar.total = len(ended)
            postfix = f"{made:,} tokens, {rate:,.0f} tokens/s, KV reuse {old / max(old + new, 1):.0%}"
            with _unharmed():
                bar.set_postfix_str(postfix, refresh=False)
                bar.update(sum(ended) - bar.n)

        with _unharmed():
            bar = tqdm(total=1, miniters=0, mininterval=interval, maxinterval=interval, bar_format=form)
            open_bar.callback(_close, bar)
        look(first)
        yield look


def _close(bar: tqdm) -> None:
    with _unharmed():
        bar.close()


def _unharmed() -> suppress:
    """What cannot be written is not shown: nothing that was generated is lost for it."""
    return suppress(OSError, ValueError)
