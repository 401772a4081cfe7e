"""One warning where a value grows long that nothing limits: an int may have any number of digits, a list any number of
items, and a model that does not end it writes on until its context is full."""

from __future__ import annotations

from weakref import WeakSet

from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.errors import warn
from outlines_cont.state.constraint import Constraint

LONG = 512  # tokens

_of_types = (
    "Annotated[int, Field(ge=0, le=999)] for a number, Annotated[list[str], Field(max_length=9)] for a list or a "
    "string, in a schema maximum, maxItems and maxLength"
)
#: How a value of each kind gets a limit of its own.
LIMITS = {
    "json": _of_types,
    "format": _of_types,
    "regex": "{1,9} in place of + in the pattern",
    "cfg": "no repetition and no recursion in the grammar",
    "fsm": "no circle in the automaton",
}

_told: WeakSet[Constraint] = WeakSet()


def warn_if_unlimited(span: GrowingSpan) -> None:
    """Warn that a long span is a value without a limit, once for its constraint. Texts are meant to be long, and end
    with eos; where a controller writes, it says what ends."""
    constraint, context = span.settings.constraint, span.settings.context_length
    if not constraint.constrained or span.at.freed is not None or constraint in _told:
        return
    _told.add(constraint)
    if constraint.longest is not None:
        return
    end = "nothing ends it" if context is None else f"only the model's context of {context:,} tokens ends it"
    limit = LIMITS.get(constraint.kind)
    warn(
        f"a {constraint.kind} value has grown to {len(span.ids)} tokens, and {end} if the model does not: give the "
        f"call max_tokens=…{f', or the value a limit of its own: {limit}' if limit else ''}. Its last characters are "
        f"{span.text[-40:].decode('utf-8', 'replace')!r}"
    )
