"""`Constraint`: what a generated span must fit, how its text becomes a value, and when it ends.

`GUIDE_MAKERS` lists the kinds of constraints. A new kind is one more entry there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, cast, get_args

import torch
from torch import Tensor

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.json_schema.partial import loads
from outlines_cont.fsm.protocol import FullGuide, Guide, GuideState, concatenated
from outlines_cont.fsm.vocabulary import Vocabulary

Normalization = Literal["sum", "mean", "unconditional"]  # of the log-probability of a whole text
NORMALIZATIONS = get_args(Normalization)
# From a view of the row (`decode.writing.Writing`) to branches; together: from those of all rows, to a dict by row.
Controller = Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Constraint:
    """A generator without its model and sampler: everything that a span must remember of it.

    Attributes:
        kind: one of `GUIDE_MAKERS`.
        spec: canonical JSON from which `Constraint.of` builds an equal one: saved states hold it.
        guide: the tokens that may follow, as an automaton.
        parse: what turns the span's text into its value.
        stop: "elsewhere" (the model's probability of going on otherwise) or "eos".
        stop_at: strings that end the span.
        include_stop: whether such a string stays in the text.
        controller: says how the span goes on, wherever its guide has come to an end.
        together: the controller is asked about all rows of a batch row at once, which go in lock-step.
        pace: how many tokens each of these gets before it is asked again; 0: until its guide has come to an end.
        options: the texts of a choice that is made at once, by their probabilities.
        normalize: how these probabilities are normalized.
    """

    kind: str
    spec: str
    guide: FullGuide
    parse: Callable[[str], Any] = str
    stop: str = "elsewhere"
    stop_at: tuple[str, ...] = ()
    include_stop: bool = False
    controller: Controller | None = None
    together: bool = False
    pace: int = 0
    options: tuple[str, ...] = ()
    normalize: str = "sum"

    @classmethod
    def of(cls, spec: str, vocabulary: Vocabulary) -> Constraint:
        """A constraint from its specification. Its values are plain: a str, or what JSON says."""
        fields = json.loads(spec)
        parse = loads if _is_schema(fields["argument"]) else str
        return make_constraint(fields["kind"], fields["argument"], vocabulary, parse, **fields["options"])

    def stopping_at(self, strings: tuple[str, ...], include_stop: bool) -> Constraint:
        """The same, ending at these strings."""
        if (strings, include_stop) == (self.stop_at, self.include_stop):
            return self
        fields = json.loads(self.spec)
        fields["options"] |= {"stop_at": list(strings), "include_stop": include_stop}
        return replace(self, spec=_canonical(fields), stop_at=strings, include_stop=include_stop)

    @property
    def stop_bytes(self) -> tuple[bytes, ...]:
        """The strings that end the span, in UTF-8."""
        return tuple(text.encode() for text in self.stop_at)

    @property
    def constrained(self) -> bool:
        """Whether a span that was cut short is no value."""
        return self.kind not in ("text", "control")

    def guide_after(self, healed: bytes) -> FullGuide:
        """The guide of a span that begins with these bytes, taken back from the text before it.

        ConstraintError for a guide that knows no concatenation with others: what it is and what it lacks.
        """
        return self._after(healed) if healed else self.guide

    @cached_property
    def _after(self) -> Callable[[bytes], FullGuide]:
        guide = self.guide
        return lru_cache(maxsize=32)(lambda healed: concatenated(guides.literal(healed, guide.vocabulary), guide))

    @cached_property
    def option_scores(self) -> dict[Any, Any]:
        """The last scorings of a choice by sequence (`decode/option_scoring.py`)."""
        return {}

    def must_stop(self, guide: FullGuide, state: GuideState) -> bool:
        """Whether a text under this guide ends in this state whatever the model thinks: it need not be asked."""
        return self.stop == "elsewhere" and guide.complete(state)

    def stop_ids(self, device: torch.device) -> Tensor | None:
        """The tokens whose probability is the stop's; None for all tokens that do not continue the span."""
        if self.stop == "elsewhere":
            return None
        return torch.tensor(self.guide.vocabulary.eos, dtype=torch.long, device=device)


def replay(guide: Guide, tokens: Iterable[int]) -> GuideState | None:
    """The state that these tokens lead to from the beginning; None if they do not fit."""
    state = guide.initial
    for token in tokens:
        state = None if token in guide.vocabulary.special else guide.advance(state, token)
        if state is None:
            return None
    return state


def _is_schema(argument: Any) -> bool:
    """Whether the argument of a constraint is a JSON schema. A pattern, a grammar or a list of options is none."""
    return isinstance(argument, dict | bool)


def _text_guide(_: None, vocabulary: Vocabulary) -> FullGuide:
    return guides.text(vocabulary)


def _format_guide(argument: Any, vocabulary: Vocabulary, **schema_options: str) -> FullGuide:
    """Scalars are written as a pattern says, containers as JSON."""
    if _is_schema(argument):
        return guides.json_schema(argument, vocabulary, **schema_options)
    return guides.regex(argument, vocabulary)


#: The kinds of constraints, and how the guide of each is made: from the kind's argument, which must be JSON, and the
#: vocabulary. If the argument is a schema, the options of JSON schemas are passed on, too.
GUIDE_MAKERS: dict[str, Callable[..., FullGuide]] = {
    "text": _text_guide,  # no argument
    "control": _text_guide,  # no argument: the controller says what constrains the span
    "choice": guides.choice,  # the options
    "regex": guides.regex,  # the pattern
    "cfg": guides.grammar,  # the grammar
    "json": guides.json_schema,  # the schema
    "format": _format_guide,  # a pattern or a schema
}
SCHEMA_DEFAULTS = {"whitespace": "compact", "order": "schema", "extra": "forbid", "format": "assert"}


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
    """A constraint of a kind in `GUIDE_MAKERS`.

    Args:
        argument: what the kind takes: nothing (None), a list of options, a pattern, a grammar or a schema.
        parse: what turns a text into a value.
        by: of a choice: "token" draws it token by token, "sequence" draws one of the options at once.
        schema_options: those of `fsm.guide.json_schema`.

    Raises:
        ValueError: an unknown kind, or an option that is none of its values.
        ConstraintError: nothing fits the constraint, or it cannot be understood.
    """
    if kind not in GUIDE_MAKERS:
        raise ValueError(f"{kind!r} is no kind of constraint; the kinds are {', '.join(map(repr, GUIDE_MAKERS))}")
    _check_stop(stop, vocabulary)
    _check_normalize(by, normalize)
    guide = GUIDE_MAKERS[kind](argument, vocabulary, **schema_options)
    options: dict[str, Any] = {"stop": stop, "stop_at": list(stop_at), "include_stop": include_stop}
    if _is_schema(argument):
        options |= SCHEMA_DEFAULTS | schema_options
    if by == "sequence":
        options |= {"by": by, "normalize": normalize}
    whole_texts: tuple[str, ...] = tuple(cast(Any, argument)) if by == "sequence" else ()
    return Constraint(
        kind=kind,
        spec=_canonical({"kind": kind, "argument": argument, "options": options}),
        guide=guide,
        parse=parse,
        stop=stop,
        stop_at=tuple(stop_at),
        include_stop=include_stop,
        options=whole_texts,
        normalize=normalize,
    )


def _check_stop(stop: str, vocabulary: Vocabulary) -> None:
    if stop not in ("elsewhere", "eos"):
        raise ValueError(f"stop={stop!r}: it is 'elsewhere' (the model's probability of going on otherwise) or 'eos'")
    if stop == "eos" and not vocabulary.eos:
        raise ConstraintError(f"stop='eos': {vocabulary!r} has no eos; stop='elsewhere' needs none")


def _check_normalize(by: str, normalize: str) -> None:
    if by not in ("token", "sequence"):
        raise ValueError(f"by={by!r}: it is 'token' (one by one) or 'sequence' (all options at once)")
    if normalize not in NORMALIZATIONS:
        raise ValueError(f"normalize={normalize!r}: it is {', '.join(map(repr, NORMALIZATIONS))}")
    if normalize != "sum" and by == "token":
        raise ValueError(f"normalize={normalize!r} with by='token': only whole options (by='sequence') are normalized")


def _canonical(fields: dict[str, Any]) -> str:
    """JSON with its keys in the given order: a schema's properties are generated in theirs."""
    return json.dumps(fields, ensure_ascii=False)
