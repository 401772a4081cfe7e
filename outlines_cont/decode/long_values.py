"""One warning where a value grows long that nothing limits: a list may have any number of items, a string any length,
and a model that does not end it writes on until its context is full."""

from __future__ import annotations

import json
from typing import Any
from weakref import WeakSet

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.errors import warn
from outlines_cont.state.constraint import Constraint

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
    if settings.max_tokens is not None or not constraint.constrained or span.at.freed is not None:
        return
    if constraint in _told or not _endless(span):
        return
    _told.add(constraint)
    context, limit = settings.context_length, LIMITS.get(constraint.kind) or _limit_of_json(span)
    end = "nothing ends it" if context is None else f"only the model's context of {context:,} tokens ends it"
    warn(
        f"a {constraint.kind} value has {len(span.ids)} tokens, and if the model does not end it, {end}. Give the call "
        f"max_tokens=…{f', or the value a limit of its own: {limit}' if limit else ''}. Its end so far: "
        f"{span.text[-40:].decode('utf-8', 'replace')!r}"
    )


def _endless(span: GrowingSpan) -> bool:
    """Whether what was written so far shows that the value may be as long as one likes: the constraint was in one
    state twice, or lets brackets stand in each other without a bound. (Of items that must differ nothing shows it.)"""
    states, trail = [span.at.state], span.trail
    while trail is not None:
        at, trail = trail
        states.append(at.state)
    guide: Any = span.at.guide
    if guide.endless(states) if hasattr(guide, "endless") else len(set(states)) < len(states):
        return True
    return _depth(span) > DEEP


def _depth(span: GrowingSpan) -> int:
    """How many brackets are open."""
    opened, closed = (sum(map(span.text.count, brackets)) for brackets in ((b"[", b"{"), (b"]", b"}")))
    return opened - closed


def _limit_of_json(span: GrowingSpan) -> str:
    """What gives a JSON value a limit: of its type, and of what this generator's options leave open."""
    constraint = span.settings.constraint
    if constraint.kind not in ("json", "format"):
        return ""
    specification = json.loads(constraint.spec)
    options = specification["options"]
    if isinstance(specification["argument"], str):  # a pattern of a plain type: of these only numbers have no end
        return "numbers='python'"
    limits = [
        "Annotated[list[str], Field(max_length=9)] for a list, a string or a dict, in a schema maxItems, maxLength or "
        "maxProperties"
    ]
    if _depth(span) > DEEP:
        limits.append("as many types inside each other as you need, in place of one that holds itself")
    if options.get("numbers", "json") == "json":  # as files of earlier versions, which do not name it
        limits.append("numbers='python' for numbers")
    if options.get("whitespace", "compact") != "compact":
        limits.append("whitespace='compact'")
    return "; ".join(limits)
