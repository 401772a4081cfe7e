"""Needs → logits, by requests: each run of positions that follow each other is one request, which is fed its tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import torch
from torch import Tensor

from outlines_cont.engines.protocol import Answers, RowWriter
from outlines_cont.kv.need import Need


@dataclass(eq=False)
class ReadRun:
    """Some positions of a row that follow each other; lines: the logits after their tokens, those that are certain."""

    tokens: tuple[int, ...]
    first: int
    last: int
    lines: list[Tensor]
    shown: Tensor | None = None  # the logits that were shown last: certain once a token after them is reported
    shown_length: int = 0

    @property
    def length(self) -> int:
        """How many tokens the next request begins with."""
        return self.first + len(self.lines) + 1

    @property
    def done(self) -> bool:
        """Whether all its lines are certain."""
        return len(self.lines) == self.last - self.first + 1

    def answer(self, length: int, line: Tensor) -> int | None:
        """The token after its first ones, so many; None at its end."""
        self.shown, self.shown_length = line, length
        return self.tokens[length] if length <= self.last else None

    def report(self, length: int) -> None:
        """A row of so many tokens, its end included, is reported."""
        if self.shown is not None and self.shown_length < length:
            self.lines.append(self.shown)
            self.shown = None


def runs_of(needs: Sequence[Need]) -> list[list[ReadRun]]:
    """The runs of each need, in the order of its positions.

    >>> from outlines_cont.engines.vllm.reading import runs_of
    >>> needs = [oc.Need((5, 6, 7, 8, 9), wanted=(0, 1, 4)), oc.Need((5,))]
    >>> [[(run.first, run.last) for run in runs] for runs in runs_of(needs)]
    [[(0, 1), (4, 4)], []]
    """
    runs = []
    for need in needs:
        tokens = need.tokens if need.wanted else ()
        groups = groupby(enumerate(need.wanted), lambda pair: pair[1] - pair[0])
        positions = [[position for _, position in group] for _, group in groups]
        runs.append([ReadRun(tokens, each[0], each[-1], []) for each in positions])
    return runs


def read_rows(writer: Callable[[Answers], RowWriter], needs: Sequence[Need]) -> list[Tensor]:
    """The logits `[V]` after each wanted position, in the order of the needs."""
    runs = [run for each in runs_of(needs) for run in each]
    alike: dict[tuple[tuple[int, ...], int], list[ReadRun]] = {}
    for run in runs:
        alike.setdefault((run.tokens[: run.last + 1], run.first), []).append(run)
    open_runs: dict[int, ReadRun] = {}

    def answers(asked: Sequence[tuple[int, int]], logits: Tensor) -> list[int | None]:
        rows = zip(asked, logits, strict=True)
        return [open_runs[handle].answer(length, line) for (handle, length), line in rows]

    requests = writer(answers)
    with requests.lock:
        try:
            waiting = [each[0] for each in alike.values()]
            while waiting or open_runs:
                for run in waiting:  # anew, where a token of the row is the one at which requests end
                    open_runs[requests.add(run.tokens[: run.length])] = run
                waiting = []
                for handle, report in requests.step().items():
                    run = open_runs[handle]
                    run.report(report.length)
                    if report.over:
                        del open_runs[handle]
                        if not run.done:
                            waiting.append(run)
        finally:
            requests.close()
    for first, *others in alike.values():
        for run in others:
            run.lines = first.lines
    return [line for run in runs for line in run.lines]


def stacked(lines: Sequence[Tensor], width: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """The lines as a tensor `[lines, V]`."""
    return torch.stack(list(lines)) if lines else torch.empty(0, width, dtype=dtype, device=device)
