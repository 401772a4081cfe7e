"""One warning where a value grows long that nothing limits: a list may have any number of items, a string any length,
and a model that does not end it writes on until its context is full."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from weakref import WeakSet

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.errors import warn
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.row import Row

LONG = 512  # tokens
DEEP = 64  # brackets that are open: only a schema that refers to itself nests so deep

#: How a value of each kind gets a limit of its own.
LIMITS = {
    "regex": "{1,9} in place of + in the pattern",
    "cfg": "no recursion and no repetition without a bound in the grammar",
    "fsm": "no circle in the automaton",
}

_told: WeakSet[Constraint] = WeakSet()


def warn_if_unlimited(span: GrowingSpan, new: int = 1) -> None:
    """Warn that a span is a value without any limit if its last tokens made it long, once for its constraint. Texts are
    meant to be long, and end with eos; where a controller writes, it says what ends.

    new: how many tokens these are.
    """
    if len(span.ids) % LONG >= new:
        return
    settings, constraint = span.settings, span.settings.constraint
    if settings.limits.max_tokens is not None or not constraint.constrained or span.at.freed is not None:
        return
    if constraint in _told or not _endless(span.at.guide, _states(span), span.text):
        return
    _told.add(constraint)
    context, limit = settings.limits.context_length, _limit(constraint, span.text)
    end = "nothing ends it" if context is None else f"only the model's context of {context:,} tokens ends it"
    warn(
        f"a {constraint.kind} value has {len(span.ids)} tokens, and if the model does not end it, {end}. Give the call "
        f"max_tokens=…{f', or the value a limit of its own: {limit}' if limit else ''}. Its end so far: "
        f"{span.text[-40:].decode('utf-8', 'replace')!r}"
    )


def cut_short(constraint: Constraint, row: Row, text: bytes, context: int | None) -> str:
    """What to do about a value that was cut short, and ends a row. text: the value so far; context: the length of the
    model's context, if that may have cut it."""
    states: list[Any] = [constraint.guide.initial]
    for token in row.ids[len(row) - row.pieces[-1].hi :]:
        state = constraint.guide.advance(states[-1], token)
        if state is None:  # its first token begins with given text
            break
        states.append(state)
    limit = _limit(constraint, text)
    endless = bool(limit) and _endless(constraint.guide, states, text)
    if context is not None and len(row) >= context:
        bound = f", and the value may have any length: give it a limit of its own ({limit})" if endless else ""
        return f"the model's context of {context:,} tokens is full{bound}"
    bound = f"a limit of its own ({limit}), " if endless else ""
    return f"give it {bound}more max_tokens or max_seconds, or go on: generator.values(generator.resume(error.state))"


def _states(span: GrowingSpan) -> list[Any]:
    """The states that the constraint was in, the last one first."""
    states, trail = [span.at.state], span.trail
    while trail is not None:
        at, trail = trail
        states.append(at.state)
    return states


def _endless(guide: Any, states: Sequence[Any], text: bytes) -> bool:
    """Whether what was written so far shows that the value may be as long as one likes: the constraint was in one
    state twice, or lets brackets stand in each other without a bound. (Of items that must differ nothing shows it.)"""
    if guide.endless(states) if hasattr(guide, "endless") else len(set(states)) < len(states):
        return True
    return _depth(text) > DEEP


def _depth(text: bytes) -> int:
    """How many brackets are open."""
    opened, closed = (sum(map(text.count, brackets)) for brackets in ((b"[", b"{"), (b"]", b"}")))
    return opened - closed


def _limit(constraint: Constraint, text: bytes) -> str:
    """How a value, of which this is written, gets a limit of its own: what its type, or this generator's options, leave
    open. Empty if that is not known."""
    if constraint.kind not in ("json", "format"):
        return LIMITS.get(constraint.kind, "")
    specification = json.loads(constraint.spec)
    options = specification["options"]
    if isinstance(specification["argument"], str):  # a pattern of a plain type: of these only numbers have no end
        return "spelling='plain'"
    limits = [
        "Annotated[list[str], Field(max_length=9)] for a list, a string or a dict, in a schema maxItems, maxLength or "
        "maxProperties"
    ]
    if _depth(text) > DEEP:
        limits.append("as many types inside each other as you need, in place of one that holds itself")
    if options["spelling"] == "any":
        limits.append("spelling='plain' for numbers")
    if options.get("whitespace", "compact") != "compact":
        limits.append("whitespace='compact'")
    return "; ".join(limits)
