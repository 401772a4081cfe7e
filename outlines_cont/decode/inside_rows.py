"""A row that is drawn inside an engine: what it has drawn, how much of that is reported, and what it draws next.

An engine that batches requests itself may show logits that it throws away: those of a part of a prompt, say, or of a
request that it computes anew. So a draw counts from the moment when its token is reported, and until then it is made
again whenever the row is asked at the same length. Hypotheses are values: to go back is to take the one before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import torch
from torch import Tensor

from outlines_cont.decode.draws import Watch
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.kv.need import Need

AHEAD = 64  # draws that a row makes before whoever it belongs to looks at it again; then its request ends


def drawable(h: Hypothesis) -> bool:
    """Whether an engine may draw this row: it has not ended, no controller, option or predicate decides,
    nothing stands beside it, and its hooks only look.

    >>> from outlines_cont.decode.inside_rows import drawable
    >>> [drawable(h) for h in oc.generate.text(model).begin("The sky is").groups[0]]
    [True]
    >>> [drawable(h) for h in oc.generate.choice(model, ["a"], by="sequence").begin("I").groups[0]]
    [False]
    """
    status, settings = h.status, h.settings
    if status.finished or status.scoring is not None or status.waiting or status.asking:
        return False
    if settings.constraint.controller is not None or settings.where is not None or h.fed.contexts:
        return False
    return all(isinstance(hook, Watch) for hook in settings.hooks)


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

    def settled(self, length: int, over: bool) -> list[InsideDraw]:
        """The draws that are final when a row of so many tokens is reported; `over`: its request has ended."""
        final = [draw for draw in self.trail if draw.length < length]
        self.trail = self.trail[len(final) :]
        if final:
            self.shadow = final[-1].after
        begin = 0
        if drawable(self.shadow):
            begin = self.shadow.need(0).wanted[0]
        if over:
            self.handle, self.trail = None, []
        certain = length - 1 if over else length + 1
        self.lines = {at: line for at, line in self.lines.items() if begin <= at < certain}
        return final


def _without_hooks(settings: SpanSettings) -> SpanSettings:
    """The same settings, of the whole chain, without hooks, and without what a function of the chain says: it is asked
    about rows that are drawn, not about what may be thrown away."""
    after = _without_hooks(settings.next) if isinstance(settings.next, SpanSettings) else None
    if not settings.hooks and after is settings.next:
        return settings
    # who only looks may look later; what others would do is not drawn inside
    only_look = all(isinstance(hook, Watch) for hook in settings.hooks)
    return replace(settings, hooks=() if only_look else settings.hooks, next=after)


def _begins_with(need: Need, before: Need) -> bool:
    """Whether a row begins with all tokens of another that are read."""
    length = before.length
    if need.length < length:
        return False
    if need.head is before.head and length >= len(need.head):
        count = length - len(need.head)
        return need.ids[:count] == before.ids[:count]
    return need.tokens[:length] == before.tokens
