"""Steps of a frontier whose rows are drawn inside the engine, for models that let us (`row_writer`).

The engine batches the rows in its own way, and asks after each of its passes which token comes next. The answer is our
draw, by our law and our random numbers, so the tokens are those of the loop that reads logits. What the engine has
reported becomes the next frontier, which is a value as any other: a step that is given another frontier than it made
last begins the requests anew where they differ.

Which rows are drawn inside is a rule, `drawn_inside`; all others are read, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.inside_rows import InsideDraw, InsideRow, drawable
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.engines.answer_checks import are_logits, logits_refused
from outlines_cont.engines.protocol import RowWriter
from outlines_cont.kernels.constrain import Scratch

Place = tuple[int, int]  # of a hypothesis: its batch row, and which of that row's samples


def drawn_inside(frontier: Frontier) -> list[Place]:
    """The rows that an engine may draw: those that are `drawable`, under a sampler that draws each row by itself. None
    of them, where rows go in lock-step.

    >>> from outlines_cont.decode.inside import drawn_inside
    >>> drawn_inside(oc.generate.text(model).begin(["The sky is", "Mira"]))
    [(0, 0), (1, 0)]
    >>> drawn_inside(oc.generate.text(model, oc.samplers.beam_search(2)).begin("The sky is"))
    []
    """
    rows = [((b, s), h) for b, group in enumerate(frontier.groups) for s, h in enumerate(group)]
    if any(h.settings.constraint.together for _, h in rows):
        return []
    return [place for place, h in rows if _row_by_row(h.settings.sampler) and drawable(h)]


def _row_by_row(sampler: Any) -> bool:
    plain = getattr(type(sampler), "choose", None) is RowByRow.choose
    return plain and not (sampler.joint or sampler.weighs_draws)


class InsideSteps:
    """Steps from a frontier to the next one. `close` ends all requests that are still open.

    model: has `row_writer`; stepped: a step of a frontier that is not drawn inside.
    """

    def __init__(self, model: Any, stepped: Callable[[Frontier], Frontier]):
        self._stepped, self._scratch = stepped, Scratch()
        self._width, self._giver = len(model.vocabulary), f"{type(model).__name__}.row_writer gave"
        self._writer: RowWriter = model.row_writer(self._answers)
        self._rows: dict[Place, InsideRow] = {}
        self._handles: dict[int, InsideRow] = {}
        self._frontier: Frontier | None = None  # the one that is being drawn

    def close(self) -> None:
        """End all open requests."""
        with self._writer.lock:
            self._keep(())
            self._writer.close()

    def __call__(self, frontier: Frontier) -> Frontier:
        """The next frontier: with the tokens of one pass of the engine, or more."""
        places = drawn_inside(frontier)
        if not places:
            with self._writer.lock:
                self._keep(())
            return self._stepped(frontier)
        with self._writer.lock:
            self._frontier = frontier
            final: dict[Place, list[InsideDraw]] = {}
            while not final:  # a pass may have computed a part of a prompt only, or read what is forced
                self._begin(frontier, places)
                final = self._reported()
        grown = {place: self._replayed(frontier, place, draws) for place, draws in final.items()}
        groups = [list(group) for group in frontier.groups]
        for (b, s), h in grown.items():
            groups[b][s] = h
        return frontier.drawn_elsewhere(tuple(map(tuple, groups)))

    # --- requests

    def _keep(self, places: Sequence[Place]) -> None:
        """End the requests of all other rows."""
        for place in self._rows.keys() - set(places):
            self._drop(place)

    def _drop(self, place: Place) -> None:
        row = self._rows.pop(place)
        if row.handle is not None:
            self._handles.pop(row.handle, None)
            self._writer.drop(row.handle)

    def _begin(self, frontier: Frontier, places: Sequence[Place]) -> None:
        """A request for each row that is to be drawn and has none."""
        self._keep(places)
        for place in places:
            h = frontier.groups[place[0]][place[1]]
            if place in self._rows and not self._rows[place].goes_on_as(h):
                self._drop(place)
            if place in self._rows:
                self._rows[place].rebase(h)
            else:
                self._rows[place] = InsideRow(h)
            row = self._rows[place]
            if row.handle is None:
                row.handle = self._writer.add(row.prompt)
                self._handles[row.handle] = row

    def _reported(self) -> dict[Place, list[InsideDraw]]:
        """What is final after a pass of the engine: the draws of each row that has some."""
        reports = self._writer.step()
        final: dict[Place, list[InsideDraw]] = {}
        for place, row in self._rows.items():
            if row.handle in reports:
                report = reports[row.handle]
                if report.over:
                    del self._handles[row.handle]
                if draws := row.settled(report.length, report.over):
                    final[place] = draws
        return final

    def _replayed(self, frontier: Frontier, place: Place, draws: Sequence[InsideDraw]) -> Hypothesis:
        """A row after its final draws. Where hooks look at them, they are made once more from the same logits."""
        row = self._rows[place]
        h = draws[-1].after
        if row.replays:
            h = row.base
            for draw in draws:
                if drawable(h):  # a hook may have failed at the draw before
                    [h] = self._drawn(frontier, [h], draw.lines)
        row.base = h = h.forgotten()
        if not drawable(h) or h.ids != row.shadow.ids:
            with self._writer.lock:
                self._drop(place)
        return h

    # --- draws

    def _answers(self, asked: Sequence[tuple[int, int]], logits: Tensor) -> list[int | None]:
        """The next token of rows, given by handle and length, from the logits `[rows, V]` after that many tokens."""
        if not are_logits(logits, self._width, len(asked)):
            raise logits_refused(logits, self._giver, f"its questions are about ({len(asked)}, {self._width})")
        rows = [self._handles[handle] for handle, _ in asked]
        for row, (_, length), line in zip(rows, asked, logits, strict=True):
            row.read(length, line)
        waiting = [(row, length) for row, (_, length) in zip(rows, asked, strict=True)]
        assert self._frontier is not None
        while ready := [(row, n, lines) for row, n in waiting if (lines := row.needed(n)) is not None]:
            current = [row.current for row, _, _ in ready]
            lines = torch.cat([lines for _, _, lines in ready])
            for (row, n, needed), after in zip(ready, self._drawn(self._frontier, current, lines), strict=True):
                row.draw(n, needed, after)
            waiting = [(row, n) for row, n, _ in ready]  # where nothing was read meanwhile it draws once more
        return [row.next_token(length) for row, (_, length) in zip(rows, asked, strict=True)]

    def _drawn(self, frontier: Frontier, hypotheses: Sequence[Hypothesis], lines: Tensor) -> list[Hypothesis]:
        """Each of these after its draw. lines: `[Σ wanted, V]`, in their order."""
        groups = tuple((h,) for h in hypotheses)
        alone = Frontier(frontier.model, frontier.seed, groups, 1, scratch=self._scratch)
        return [h for [h] in alone.answered(lines)]
