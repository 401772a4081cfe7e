"""Steps of a frontier whose rows are drawn inside the engine, for models that let us (`row_writer`).

The engine batches the rows in its own way, and asks after each of its passes which token comes next. The answer is our
draw, by our law and our random numbers, so the tokens are those of the loop that reads logits. What the engine has
reported becomes the next frontier, which is a value as any other: a step that is given another frontier than it made
last begins the requests anew where they differ.

Which rows are drawn inside is a rule, `drawn_inside`; all others are read, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from outlines_cont.decode.draws import Watch
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import RowWriter, are_logits, logits_refused
from outlines_cont.kernels.laws import Scratch
from outlines_cont.kv.needs import Need
from outlines_cont.prefixes import common_length

# --- a row that is drawn inside an engine: what it has drawn, how much of that is reported, and what it draws next
#
# An engine that batches requests itself may show logits that it throws away: those of a part of a prompt, say, or of a
# request that it computes anew. So a draw counts from the moment when its token is reported, and until then it is made
# again whenever the row is asked at the same length. Hypotheses are values: to go back is to take the one before.

AHEAD = 64  # draws that a row makes before whoever it belongs to looks at it again; then its request ends


def drawable(h: Hypothesis) -> bool:
    """Whether an engine may draw this row: it has not ended, no controller, option or predicate decides,
    nothing stands beside it, and its hooks only look."""
    settings = h.settings
    if h.status.ended or h.scoring is not None or h.status.waiting or h.asking:
        return False
    if settings.constraint.controller is not None or settings.inspection.where is not None or h.row.beside:
        return False
    return all(isinstance(hook, Watch) for hook in settings.inspection.hooks)


class InsideDraw(NamedTuple):
    """A draw that may be thrown away.

    length: how many tokens the row had; lines: the logits that it was made from, `[wanted, V]`; after: what came of it;
    goes_on: whether that is drawn on by the same request.
    """

    length: int
    lines: Tensor
    after: Hypothesis
    goes_on: bool


@dataclass(eq=False)
class InsideRow:
    """One row of a frontier, while an engine writes it.

    Attributes:
        base: the hypothesis that the frontier has.
        shadow: the same without hooks: draws are made from it, since some of them are thrown away.
        replays: whether `base` follows by drawing once more from the same logits, so that hooks see each draw once.
        trail: the draws since then, none of which is reported yet.
        lines: logits that wait for others that the row needs as well, by their position.
        handle: by which the engine knows its request; None: there is none.
    """

    base: Hypothesis
    shadow: Hypothesis = field(init=False)
    replays: bool = field(init=False, default=False)
    trail: list[InsideDraw] = field(default_factory=list)
    lines: dict[int, Tensor] = field(default_factory=dict)
    handle: int | None = None

    def __post_init__(self) -> None:
        self.rebase(self.base)

    # --- its place in the frontier

    def goes_on_as(self, h: Hypothesis) -> bool:
        """Whether this hypothesis is the row's, but for what was given out of its text."""
        return h is self.base or (h.span is self.base.span and h.status is self.base.status)

    def rebase(self, h: Hypothesis) -> None:
        """Go on from the same hypothesis as the frontier has it now."""
        if not self.trail:
            stripped = _without_hooks(h.settings)
            self.shadow = h if stripped is h.settings else h.changed(span=h.span.changed(settings=stripped))
            self.replays = self.shadow is not h
        elif h is not self.base:
            self.replays = True
        self.base = h

    @property
    def prompt(self) -> tuple[int, ...]:
        """The tokens with which a request begins: up to the first position whose logits are wanted."""
        need = self.shadow.need(0)
        first = next((position for position in need.wanted if position not in self.lines), need.wanted[-1])
        return need.tokens[: first + 1]

    # --- what the engine asks

    @property
    def current(self) -> Hypothesis:
        """The hypothesis after the last draw."""
        return self.trail[-1].after if self.trail else self.shadow

    def read(self, length: int, line: Tensor) -> None:
        """The logits `[V]` after its first tokens, so many. What was drawn at this length or later is forgotten."""
        while self.trail and self.trail[-1].length >= length:
            self.trail.pop()
        self.lines[length - 1] = line

    def needed(self, length: int) -> Tensor | None:
        """The logits `[wanted, V]` that it draws from now; None: it does not draw, or waits for more of them."""
        if self.trail and not self.trail[-1].goes_on:
            return None
        need = self.current.need(0)
        if need.length != length or not all(position in self.lines for position in need.wanted):
            return None
        return torch.stack([self.lines[position] for position in need.wanted])

    def draw(self, length: int, lines: Tensor, after: Hypothesis) -> None:
        """Note a draw from these logits."""
        need = self.current.need(0)
        goes_on = drawable(after) and _begins_with(after.need(0), need)
        self.trail.append(InsideDraw(length, lines, after, goes_on))

    def next_token(self, length: int) -> int | None:
        """The token that stands after its first ones, so many; None: this request has come to its end."""
        if len(self.trail) >= AHEAD or (self.trail and not self.trail[-1].goes_on):
            return None
        need = self.current.need(0)
        if need.length <= length:
            return None
        at = length - len(need.head)
        return need.head[length] if at < 0 else need.ids[at]

    # --- what the engine reports

    def take_final(self, length: int, over: bool) -> list[InsideDraw]:
        """Pop the draws that are final when a row of so many tokens is reported; `over`: its request has ended."""
        final = [draw for draw in self.trail if draw.length < length]
        self.trail = self.trail[len(final) :]
        begin, certain = 0, length - 1 if over else length + 1
        for draw in final:
            before, self.shadow = self.shadow, draw.after
            if not draw.goes_on and drawable(draw.after):  # tokens were dropped, as those of a stop string
                certain = min(certain, common_length(before.need(0).tokens, draw.after.need(0).tokens))
        if drawable(self.shadow):
            begin = self.shadow.need(0).wanted[0]
        if over:
            self.handle, self.trail = None, []
        self.lines = {at: line for at, line in self.lines.items() if begin <= at < certain}
        return final


def _without_hooks(settings: SpanSettings) -> SpanSettings:
    """The settings of the whole chain without hooks and functions: these are asked about rows drawn for good."""
    after = _without_hooks(settings.chain.next) if isinstance(settings.chain.next, SpanSettings) else None
    if not settings.inspection.hooks and after is settings.chain.next:
        return settings
    # who only looks may look later; what others would do is not drawn inside
    only_look = all(isinstance(hook, Watch) for hook in settings.inspection.hooks)
    inspection = settings.inspection._replace(hooks=()) if only_look else settings.inspection
    return replace(settings, inspection=inspection, chain=settings.chain._replace(next=after))


def _begins_with(need: Need, before: Need) -> bool:
    """Whether a row begins with all tokens of another that are read."""
    length = before.length
    if need.length < length:
        return False
    if need.head is before.head and length >= len(need.head):
        count = length - len(need.head)
        return need.ids[:count] == before.ids[:count]
    return need.tokens[:length] == before.tokens


# --- inside

Place = tuple[int, int]  # of a hypothesis: its batch row, and which of that row's samples


def drawn_inside(frontier: Frontier) -> list[Place]:
    """The rows that an engine may draw: those that are `drawable`, under a sampler that draws each row by itself. None
    of them, where rows go in lock-step."""
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
        return frontier.after(tuple(map(tuple, groups)))

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
                if draws := row.take_final(report.length, report.over):
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
        alone = Frontier(frontier.model, groups, 1, scratch=self._scratch)
        return [h for [h] in alone.answered(lines)]
