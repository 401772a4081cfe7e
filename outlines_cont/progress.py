"""How far a generation is, for those who wait for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from tqdm import tqdm

if TYPE_CHECKING:
    from outlines_cont.decoding import Frontier

OFTEN, SELDOM = 0.1, 30.0  # seconds between two looks: on a screen, and in a log


@contextmanager
def watched(first: Frontier, shown: bool) -> Iterator[Callable[[Frontier], None]]:
    """What is to be called after every step of a generation that begins with this frontier.

    shown: draw a bar on stderr, of the rows that have ended, with the tokens a second and the share of positions that
    the KV tree had already.
    """
    if not shown:
        yield lambda frontier: None
        return
    stats, began = first.model.stats, perf_counter()
    before, tokens, reused = _generated(first), stats.tokens, stats.reused
    interval = OFTEN if sys.stderr.isatty() or "ipykernel" in sys.modules else SELDOM
    form = "{percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} rows [{elapsed}{postfix}]"
    total = sum(not h.row.dead for group in first.groups for h in group)
    with tqdm(total=total, miniters=0, mininterval=interval, maxinterval=interval, bar_format=form) as bar:

        def look(frontier: Frontier) -> None:
            ended = [h.finished is not None for group in frontier.groups for h in group if not h.row.dead]
            made, old, new = _generated(frontier) - before, stats.reused - reused, stats.tokens - tokens
            rate = made / max(perf_counter() - began, 1e-9)
            share = old / max(old + new, 1)
            bar.total = len(ended)
            bar.set_postfix_str(f"{made:,} tokens, {rate:,.0f} tokens/s, KV reuse {share:.0%}", refresh=False)
            bar.update(sum(ended) - bar.n)

        yield look


def _generated(frontier: Frontier) -> int:
    return sum(h.generated for group in frontier.groups for h in group)
