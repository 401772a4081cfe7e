"""Constraints that travel with vLLM's requests, as text, and rows that are followed through them. No vLLM is needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.asked import Asked
from outlines_cont.generate.constraint_of import asked_of
from outlines_cont.generate.parts import constraint_on
from outlines_cont.prefixes import common_length

KEY = "outlines_cont"  # in the `extra_args` of sampling parameters
KINDS = ("text", "format", "regex", "json", "choice", "cfg")
CALLED = "ConstrainedRequest()"


class ConstrainedRequest:
    """What one request of vLLM's is to write: its `extra_args`, and the value of what came.

    The constraint travels as JSON, so it may go to vLLM's own processes and servers. A constraint that cannot be
    written as JSON (a guide, an automaton) is refused.

    Args:
        output_type: what is to be written: what `oc.Generator` takes.

    Attributes:
        extra_args: for `vllm.SamplingParams(extra_args=…)`, or a server's `vllm_xargs`.

    Raises:
        TypeError: an output type that is none, or that cannot travel.
        ConstraintError: nothing fits it.

    >>> from outlines_cont.integrations.vllm_requests import ConstrainedRequest
    >>> year = ConstrainedRequest(oc.types.regex("[0-9]{4}"))
    >>> year.extra_args
    {'outlines_cont': '{"kind": "regex", "argument": "[0-9]{4}", "options": {}}'}
    >>> ConstrainedRequest(int).value("34", "stop")
    34
    """

    def __init__(self, output_type: Any):
        self._asked = asked_of(output_type, CALLED)
        self._output_type = output_type
        self.extra_args: dict[str, Any] = {KEY: _written(self._asked, output_type)}

    def value(self, text: str, finish_reason: str | None) -> Any:
        """The value of a text that vLLM wrote: `value(output.text, output.finish_reason)`.

        Raises:
            ValueError: the text was cut short, does not fit the constraint, or its class refuses it.
        """
        if finish_reason != "stop":
            raise ValueError(f"{shown(text)} was cut short ({finish_reason}): give SamplingParams more max_tokens")
        row = GuidedRow(constraint_on(_bytes(), self._asked).guide, _bytes())
        state = row.state(list(text.encode()))
        if row.guide is None or state is None or not row.guide.accepting(state):
            raise ValueError(
                f"{shown(text)} is no text of {self!r}: was the request made with its extra_args, and vLLM started "
                "with ConstraintProcessor? Or does its log say that the model cannot write this constraint?"
            )
        return self._asked.parse(text)

    def __repr__(self) -> str:
        return f"ConstrainedRequest({shown(self._output_type)})"


def _written(asked: Asked, output_type: Any) -> str:
    """A constraint as JSON."""
    if asked.options.get("by") == "sequence":
        raise ValueError(f"{CALLED}: by='sequence' draws whole options, and vLLM tokens: take by='token'")
    try:
        if asked.kind not in KINDS:
            raise TypeError
        text = json.dumps({"kind": asked.kind, "argument": asked.argument, "options": asked.options}, allow_nan=False)
    except (TypeError, ValueError):
        raise TypeError(
            f"{CALLED} takes {shown(output_type)} not: a {asked.kind} is no text that could be sent to vLLM's process; "
            "oc.load(…, engine='vllm') takes every constraint"
        ) from None
    asked_for(text)
    return text


@cache
def _bytes() -> Vocabulary:
    """A vocabulary of single bytes, which can spell everything."""
    return Vocabulary([bytes([byte]) for byte in range(256)] + [b"<end>"], eos=[256])


def asked_for(text: Any) -> Asked:
    """The constraint that stands in `extra_args`.

    Raises:
        ValueError: it is no constraint.
        ConstraintError: nothing fits it.
    """
    try:
        parts = json.loads(text)
        asked = Asked(parts["kind"], parts["argument"], options=parts["options"])
        if asked.kind not in KINDS or not isinstance(asked.options, dict) or len(parts) != 3:
            raise ValueError(f"no constraint has the kind {asked.kind!r}")
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(
            f"extra_args[{KEY!r}]={shown(text)} is no constraint ({error}): take "
            "ConstrainedRequest(output_type).extra_args"
        ) from None
    try:
        constraint_on(_bytes(), asked)
    except ConstraintError:
        raise
    except (TypeError, KeyError, AttributeError) as error:  # an argument or an option that its kind does not have
        raise ValueError(f"extra_args[{KEY!r}]={shown(text)}: {error}") from None
    return asked


class GuidedRow:
    """One request, followed through its constraint: a pure function of the tokens that are reported of it.

    guide: of the constraint; None: nothing may be written. vocabulary: its tokens, and where texts end. A row that is
    asked at fewer tokens than before, or at others, goes back: all states on its way are kept.
    """

    def __init__(self, guide: FullGuide | None, vocabulary: Vocabulary):
        self.guide, self.vocabulary, self.ends = guide, vocabulary, frozenset(vocabulary.eos)
        self._tokens: list[int] = []
        initial = None if guide is None else guide.initial
        self._states: list[GuideState | None] = [initial]  # None: behind an end, or behind what does not fit

    def state(self, output: Sequence[int]) -> GuideState | None:
        """Where the constraint stands after these tokens; None where the text has ended."""
        shared = common_length(self._tokens, list(output))
        del self._tokens[shared:], self._states[shared + 1 :]
        for token in output[shared:]:
            self._states.append(self._after(self._states[-1], token))
            self._tokens.append(token)
        return self._states[-1]

    def _after(self, state: GuideState | None, token: int) -> GuideState | None:
        if self.guide is None or state is None or token in self.ends or not 0 <= token < len(self.vocabulary):
            return None
        return self.guide.advance(state, token)

    def mask(self, output: Sequence[int]) -> np.ndarray:
        """The tokens that may come after these, packed: int32 `[(V + 31) // 32]`. After the end only the ends may."""
        state = self.state(output)
        guide, ends = self.guide, packed(self.ends, len(self.vocabulary))
        if guide is None or state is None:
            return ends
        mask = guide.mask(state) & ~ends
        return mask | ends if guide.accepting(state) else mask


def packed(ids: frozenset[int], size: int) -> np.ndarray:
    """A packed mask of these ids."""
    mask = np.zeros((size + 31) // 32, np.uint32)
    for token in ids:
        mask[token >> 5] |= np.uint32(1 << (token & 31))
    return mask.view(np.int32)
