"""What makes a span: a constraint, how its text becomes a value, and when it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol, cast, get_args

import numpy as np
import torch
from torch import Tensor

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import Vocabulary

GuideState = Any  # of a guide: immutable and hashable
Normalization = Literal["sum", "mean", "unconditional"]  # of the log-probability of a whole text
NORMALIZATIONS = get_args(Normalization)
Controller = Callable[[Any], Sequence[Any]]  # from a view of the row (`branch.Writing`) to branches


class Guide(Protocol):
    """The constraint protocol (`outlines_cont.fsm.guide`): pure functions of immutable states."""

    vocabulary: Vocabulary

    @property
    def initial(self) -> GuideState: ...
    def mask(self, state: GuideState) -> np.ndarray: ...
    def masks(self, states: Sequence[GuideState]) -> np.ndarray: ...
    def advance(self, state: GuideState, token: int) -> GuideState | None: ...
    def accepting(self, state: GuideState) -> bool: ...
    def complete(self, state: GuideState) -> bool: ...
    def forced(self, state: GuideState) -> bytes: ...


@dataclass(frozen=True, eq=False)
class Constraint:
    """A generator without its model and sampler: everything that a span must remember of it.

    spec: canonical JSON from which `Maker.of` builds an equal one (that is how saved states find their constraints);
    stop: "elsewhere" (the model's probability of going on otherwise) or "eos"; stop_at: strings that end the span;
    controller: says what the span goes on with, wherever its guide has come to an end;
    options: the texts of a choice that is made at once, by their probabilities; normalize: how these are taken.
    """

    kind: str
    spec: str
    guide: Guide
    parse: Callable[[str], Any] = str
    stop: str = "elsewhere"
    stop_at: tuple[str, ...] = ()
    include_stop: bool = False
    controller: Controller | None = None
    options: tuple[str, ...] = ()
    normalize: str = "sum"

    @classmethod
    def of(cls, spec: str, vocabulary: Vocabulary) -> Constraint:
        """A constraint from its specification. Its values are plain: a str, or what JSON says."""
        fields = json.loads(spec)
        kind, argument = fields["kind"], fields["argument"]
        if isinstance(argument, dict | bool):  # a schema
            return make_constraint(kind, argument, vocabulary, json.loads, **fields["options"])
        return make_constraint(kind, argument, vocabulary, str, **fields["options"])

    def stopping_at(self, strings: tuple[str, ...], include_stop: bool) -> Constraint:
        """The same, ending at these strings."""
        if (strings, include_stop) == (self.stop_at, self.include_stop):
            return self
        fields = json.loads(self.spec)
        fields["options"] |= {"stop_at": list(strings), "include_stop": include_stop}
        return replace(self, spec=_canonical(fields), stop_at=strings, include_stop=include_stop)

    @property
    def stop_bytes(self) -> tuple[bytes, ...]:
        return tuple(text.encode() for text in self.stop_at)

    @property
    def constrained(self) -> bool:
        """Whether what is cut short is no value."""
        return self.kind not in ("text", "control")

    def guide_after(self, healed: bytes) -> Guide:
        """The guide of a span that begins with these bytes, taken back from the text before it."""
        return self._after(healed) if healed else self.guide

    @cached_property
    def _after(self) -> Callable[[bytes], Guide]:
        guide: Any = self.guide
        return lru_cache(maxsize=32)(lambda healed: guides.literal(healed, guide.vocabulary) + guide)

    @cached_property
    def option_scores(self) -> dict[Any, Any]:
        """The last scorings of a choice by sequence (`decode/option_scoring.py`)."""
        return {}

    def must_stop(self, guide: Guide, state: GuideState) -> bool:
        """Whether what this guide is for ends here whatever the model thinks, so that nothing has to be asked of it."""
        return self.stop == "elsewhere" and guide.complete(state)

    def stop_ids(self, device: torch.device) -> Tensor | None:
        """The tokens whose probability is the stop's; None for all that do not continue the span."""
        return (
            None
            if self.stop == "elsewhere"
            else torch.tensor(self.guide.vocabulary.eos, dtype=torch.long, device=device)
        )


def replay(guide: Guide, tokens: Iterable[int]) -> GuideState | None:
    """The state that these tokens lead to from the beginning; None if they do not fit."""
    state = guide.initial
    for token in tokens:
        state = None if token in guide.vocabulary.special else guide.advance(state, token)
        if state is None:
            return None
    return state


def make_constraint(
    kind: str,
    argument: Any,
    vocabulary: Vocabulary,
    parse: Callable[[str], Any] = str,
    *,
    stop: str = "elsewhere",
    stop_at: tuple[str, ...] | list[str] = (),
    include_stop: bool = False,
    by: str = "token",
    normalize: str = "sum",
    **schema_options: str,
) -> Constraint:
    """A constraint of a kind: text and control (no argument), choice (list of str), regex (pattern), cfg (grammar),
    json (schema) or format (either)."""
    if stop not in ("elsewhere", "eos"):
        raise ValueError(f"stop={stop!r}: it is 'elsewhere' (the model's probability of going on otherwise) or 'eos'")
    if stop == "eos" and not vocabulary.eos:
        raise ConstraintError(f"stop='eos': {vocabulary!r} has no eos; stop='elsewhere' needs none")
    if by not in ("token", "sequence"):
        raise ValueError(f"by={by!r}: it is 'token' (one by one) or 'sequence' (all options at once)")
    if normalize not in NORMALIZATIONS:
        raise ValueError(f"normalize={normalize!r}: it is {', '.join(map(repr, NORMALIZATIONS))}")
    if normalize != "sum" and by == "token":
        raise ValueError(f"normalize={normalize!r} with by='token': only whole options (by='sequence') are normalized")
    if kind in ("text", "control"):
        guide = guides.text(vocabulary)
    elif kind == "choice":
        guide = guides.choice(argument, vocabulary)
    elif kind == "cfg":
        guide = guides.grammar(argument, vocabulary)
    elif isinstance(argument, dict | bool):
        guide = guides.json_schema(argument, vocabulary, **schema_options)
    else:
        guide = guides.regex(argument, vocabulary)
    options: dict[str, Any] = {"stop": stop, "stop_at": list(stop_at), "include_stop": include_stop}
    if isinstance(argument, dict | bool):
        options |= {"whitespace": "compact", "order": "schema", "extra": "forbid", "format": "assert"} | schema_options
    if by == "sequence":
        options |= {"by": by, "normalize": normalize}
    whole: tuple[str, ...] = tuple(cast(Any, argument)) if by == "sequence" else ()
    spec = _canonical({"kind": kind, "argument": argument, "options": options})
    return Constraint(kind, spec, guide, parse, stop, tuple(stop_at), include_stop, options=whole, normalize=normalize)


def _canonical(fields: dict[str, Any]) -> str:
    """JSON in the order of its keys: a schema's properties are generated in theirs."""
    return json.dumps(fields, ensure_ascii=False)
