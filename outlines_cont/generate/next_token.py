"""`model.next`: where a generator's next token comes in each row, and the law of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.decode.frontier import Frontier
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.next_law import next_law
from outlines_cont.decode.settings import SpanSettings, Turn
from outlines_cont.decode.stage import standing
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.generate.call_options import Call
from outlines_cont.generate.contexts import check_carried
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.starts import gone_on, started
from outlines_cont.generate.steps import Chain, Step
from outlines_cont.state.next_law import NextLaw
from outlines_cont.state.prompts import Prompts
from outlines_cont.state.row import Row
from outlines_cont.state.spans import Piece
from outlines_cont.state.state import SequenceState, with_told_errors


def next_of(model: LanguageModel, prompts: Prompts | SequenceState, step: Any) -> NextLaw:
    """The law of the next token of each row under a generator or a step; see `Model.next`."""
    generator, call = _parts(model, step)
    # (a span of which one token is looked at has all the room that there is)
    settings = generator.settings(replace(call, max_tokens=sys.maxsize))
    if settings.where is not None:
        raise TypeError(
            f"next() of a generator with a predicate, {settings.where.name} (where=): it is asked about single draws, "
            "so that nobody knows the law of all candidates; step(state, top=n) keeps those of each draw"
        )
    state, failures = with_told_errors(started(generator.model, prompts))
    if failures:
        raise failures[0]
    check_carried(state, call)

    begins = Turn(settings, partial(Hypothesis.begin, settings))

    def place(row: Row) -> Hypothesis:
        index = unfinished(row, settings)
        if index is None:
            return standing(settings, row, begins)
        goes_on = Turn(settings, partial(gone_on, settings, index, False), midway=True)
        return standing(settings, row, None if row.pieces[index].finished == "stop" else goes_on)

    return next_law(Frontier.begin(state, settings, place, seed=0), generator.sampler)


def _parts(model: LanguageModel, step: Any) -> tuple[Generator[Any, Any], Call]:
    if isinstance(step, Chain):
        raise TypeError(
            f"next() of a chain, {shown(step)}: it looks at one span. Give it the step that writes next, "
            "chain.steps[i], and a state that ends in the text before that step"
        )
    if not isinstance(step, (Generator, Step)):
        raise TypeError(f"next() takes a generator or a step, not {shown(step)}: oc.Generator(model, output_type)")
    generator = step.generator if isinstance(step, Step) else step
    if generator.model is not model:
        raise ValueError(f"next() of {model!r} got a generator of another model, {generator.model!r}")
    return generator, step.filled(Call()) if isinstance(step, Step) else Call()


def unfinished(row: Row, settings: SpanSettings) -> int | None:
    """The index of the span with these settings that a row ends in, or that it goes on with; None if it begins one.

    Text that was put after a constrained value that was cut belongs to the value, as for `resume`.
    """
    last = len(row.pieces) - 1
    index = next((i for i in range(last, -1, -1) if row.pieces[i].kind == "generated"), None)
    if index is None or not _made_by(settings, row.pieces[index]):
        return None
    joined = settings.constraint.constrained and row.pieces[index].finished != "stop"
    return index if index == last or joined else None


def _made_by(settings: SpanSettings, piece: Piece) -> bool:
    made = piece.origin.constraint
    if piece.origin.name != settings.name or made is None:
        return False
    texts = made.kind == settings.constraint.kind == "text"  # whatever strings they end at
    return texts or settings.constraint.allows_the_same(made)
