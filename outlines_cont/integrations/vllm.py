"""Constraints for people who stay in vLLM: they call `llm.generate`, and each request brings its own.

llm = vllm.LLM(folder, logits_processors=["outlines_cont.integrations.vllm:ConstraintProcessor"])
year = ConstrainedRequest(oc.types.regex("[0-9]{4}"))
[output] = llm.generate(prompt, vllm.SamplingParams(max_tokens=8, extra_args=year.extra_args))
year.value(output.outputs[0].text, output.outputs[0].finish_reason)

vLLM's own sampler draws. `ConstraintProcessor` is made when it is first asked for, of vLLM's class.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.decode.branch_guides import eos_mask
from outlines_cont.engines.text_side import text_of
from outlines_cont.errors import ConstraintError, warn
from outlines_cont.fsm.kinds import BYTES
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.fsm.within import Thought, Within, whole_limit
from outlines_cont.generate.asked import Asked, asked_of, constraint_on
from outlines_cont.kernels import bitmask
from outlines_cont.prefixes import common_length
from outlines_cont.vllm.requests import BatchPlaces, processor_class, updated
from outlines_cont.vllm.starting import check_vllm, eos_ids

# --- constraints that travel with vLLM's requests, as text, and rows that are followed through them. No vLLM is needed

KEY = "outlines_cont"  # in the `extra_args` of sampling parameters
KINDS = ("text", "format", "regex", "json", "choice", "cfg", "triggered", "thought")
CALLED = "ConstrainedRequest()"


class ConstrainedRequest:
    """What one request of vLLM's is to write: its `extra_args`, and the value of what came.

    The constraint travels as JSON, so it may go to vLLM's own processes and servers. A constraint that cannot be
    written as JSON (a guide, an automaton) is refused.

    Args:
        output_type: what is to be written: what `oc.Generator` takes.
        max_tokens: with `whole=True`, how many tokens the text and its eos may take: those of
            `vllm.SamplingParams(max_tokens=…)`.
        whole: the text closes within `max_tokens`. See docs/whole.md.

    Attributes:
        extra_args: for `vllm.SamplingParams(extra_args=…)`, or a server's `vllm_xargs`.

    Raises:
        TypeError: an output type that is none, or that cannot travel.
        ConstraintError: nothing fits it.

    >>> from outlines_cont.integrations.vllm import ConstrainedRequest
    >>> year = ConstrainedRequest(oc.types.regex("[0-9]{4}"))
    >>> year.extra_args
    {'outlines_cont': '{"kind": "regex", "argument": "[0-9]{4}", "options": {}}'}
    >>> ConstrainedRequest(int).value("34", "stop")
    34
    """

    def __init__(self, output_type: Any, *, max_tokens: int | None = None, whole: bool = False):
        self._asked = asked_of(output_type, CALLED)
        self._output_type = output_type
        limit = whole_limit(CALLED, max_tokens, whole)
        if limit is not None and self._asked.kind == "text":
            constraint_on(BYTES, self._asked).closing(CALLED, ())
        self.extra_args: dict[str, Any] = {KEY: _written(self._asked, output_type, limit)}

    def value(self, text: str, finish_reason: str | None) -> Any:
        """The value of a text that vLLM wrote: `value(output.text, output.finish_reason)`.

        Raises:
            ValueError: the text was cut short, does not fit the constraint, or its class refuses it.
        """
        if finish_reason != "stop":
            raise ValueError(f"{shown(text)} was cut short ({finish_reason}): give SamplingParams more max_tokens")
        guide = constraint_on(BYTES, self._asked).guide
        row = GuidedRow(guide.free if isinstance(guide, Thought) else guide, BYTES)  # a budget counts tokens
        state = row.state(list(text.encode()))
        if row.guide is None or state is None or not row.guide.accepting(state):
            raise ValueError(
                f"{shown(text)} is no text of {self!r}: was the request made with its extra_args, and vLLM started "
                "with ConstraintProcessor? Or does its log say that the model cannot write this constraint?"
            )
        return self._asked.parse(text)

    def __repr__(self) -> str:
        return f"ConstrainedRequest({shown(self._output_type)})"


def _written(asked: Asked, output_type: Any, limit: int | None) -> str:
    """A constraint as JSON. limit: within how many tokens it closes."""
    if asked.options.get("by") == "sequence":
        raise ValueError(f"{CALLED}: by='sequence' draws whole options, and vLLM tokens: take by='token'")
    try:
        if asked.kind not in KINDS:
            raise TypeError
        fields = {"kind": asked.kind, "argument": asked.argument, "options": asked.options}
        text = json.dumps(fields if limit is None else fields | {"within": limit}, allow_nan=False)
    except (TypeError, ValueError):
        raise TypeError(
            f"{CALLED} takes {shown(output_type)} not: a {asked.kind} is no text that could be sent to vLLM's process; "
            "oc.load(…, engine='vllm') takes every constraint"
        ) from None
    asked_for(text)
    return text


def asked_for(text: Any) -> tuple[Asked, int | None]:
    """The constraint that stands in `extra_args`, and within how many tokens it closes (None: nobody says).

    Raises:
        ValueError: it is no constraint.
        ConstraintError: nothing fits it.
    """
    try:
        parts = json.loads(text)
        if not isinstance(parts, dict) or parts.keys() - {"within"} != {"kind", "argument", "options"}:
            raise ValueError(f"{shown(parts)} is no object of kind, argument and options")
        asked, limit = Asked(parts["kind"], parts["argument"], options=parts["options"]), parts.get("within")
        if asked.kind not in KINDS:
            raise ValueError(f"the kind is {shown(asked.kind)}, not one of {', '.join(KINDS)}")
        if not isinstance(asked.options, dict):
            raise ValueError(f"the options are {shown(asked.options)}, not an object such as {{}}")
        if limit is not None and (type(limit) is not int or limit < 0):
            raise ValueError(f"it cannot close within {limit!r} tokens")
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"extra_args[{KEY!r}]={shown(text)} is no constraint ({error}): take "
            "ConstrainedRequest(output_type).extra_args"
        ) from None
    try:
        constraint_on(BYTES, asked)
    except ConstraintError:
        raise
    except (TypeError, LookupError, AttributeError) as error:  # an argument or an option that its kind does not have
        raise ValueError(f"extra_args[{KEY!r}]={shown(text)}: {error}") from None
    return asked, limit


class GuidedRow:
    """One request, followed through its constraint: a pure function of the tokens that are reported of it.

    guide: of the constraint; None: nothing may be written. vocabulary: its tokens, and where texts end. A row that is
    asked at fewer tokens than before, or at others, goes back: all states on its way are kept.
    """

    def __init__(self, guide: FullGuide | None, vocabulary: Vocabulary):
        self.guide, self.vocabulary = guide, vocabulary
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
        if self.guide is None or state is None or token in self.vocabulary.eos or not 0 <= token < len(self.vocabulary):
            return None
        return self.guide.advance(state, token)

    def mask(self, output: Sequence[int]) -> np.ndarray:
        """The tokens that may come after these, packed: int32 `[(V + 31) // 32]`. After the end only the ends may."""
        state = self.state(output)
        guide, ends = self.guide, self.vocabulary.derived(eos_mask)
        if guide is None or state is None:
            return ends
        mask = guide.mask(state) & ~ends
        return mask | ends if guide.accepting(state) else mask


# --- vllm

__all__ = ["ConstrainedRequest", "ConstraintProcessor"]

if TYPE_CHECKING:
    ConstraintProcessor: type
KEPT = 256  # constraints that are kept, of one process of vLLM


def __getattr__(name: str) -> Any:
    """The class of processors. LibraryError where vLLM is missing, or of a version that is not served."""
    if name == "ConstraintProcessor":
        return _processor()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _processor() -> type:
    check_vllm()

    class ConstraintProcessor(processor_class()):
        """Masks what the constraint of a request does not allow; requests without one are left alone.

        The state of a row follows from the tokens that vLLM reports, so prompts in parts, preemption and asynchronous
        scheduling change nothing. Ids that end a text may come exactly where it may end, and after it only they may.
        """

        def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool):
            self._vocabulary = _vocabulary(vllm_config.model_config)  # when vLLM starts: no request waits for it
            self._places: BatchPlaces[GuidedRow] = BatchPlaces()
            self._guides: dict[str, FullGuide | None] = {}

        @classmethod
        def validate_params(cls, sampling_params: Any) -> None:
            """ValueError for a request whose constraint is none, or that nothing fits."""
            if (text := (sampling_params.extra_args or {}).get(KEY)) is not None:
                asked_for(text)

        def is_argmax_invariant(self) -> bool:
            return False

        def update_state(self, batch_update: Any) -> None:
            if batch_update is not None:
                updated(self._places, batch_update, self._row)

        def apply(self, logits: Tensor) -> Tensor:
            places = [(row, request) for row, request in self._places if row < len(logits)]
            if not places:
                return logits
            rows = torch.tensor([row for row, _ in places], device=logits.device)
            masks = np.stack([_mask(request) for _, request in places])
            logits[rows] = bitmask.apply(logits[rows], torch.from_numpy(masks).to(logits.device))
            return logits

        def _row(self, parameters: Any, prompt: Any) -> GuidedRow | None:
            text = (parameters.extra_args or {}).get(KEY)
            if text is None:
                return None
            if text not in self._guides:
                while len(self._guides) >= KEPT:
                    del self._guides[next(iter(self._guides))]
                self._guides[text] = _guide(text, self._vocabulary)
            return GuidedRow(self._guides[text], self._vocabulary)

    return ConstraintProcessor


def _guide(text: str, vocabulary: Vocabulary) -> FullGuide | None:
    """The guide of a constraint. Nothing is raised in the middle of a pass of vLLM, which would end all requests: where
    these tokens cannot spell it there is none, and the request gets no text: `ConstrainedRequest.value` refuses it."""
    try:
        asked, limit = asked_for(text)
        guide = constraint_on(vocabulary, asked).guide
        return guide if limit is None else Within(guide, limit)
    except Exception as error:
        _tell(error)
        return None


def _tell(error: Exception) -> None:
    warn(f"vLLM: a request has a constraint that its model cannot write, and gets no more: {error}")


def _mask(request: Any) -> np.ndarray:
    """The tokens that may come next in a row. Its text ends where its constraint turns out to be refused: what stands
    deep in a schema is read when a text comes there."""
    _ = request.length  # or it says that the tokens are not known
    row: GuidedRow = request.value
    try:
        return row.mask(request.output)
    except Exception as error:
        _tell(error)
        row.guide = None
        return row.mask(request.output)


def _vocabulary(config: Any) -> Vocabulary:
    """The tokens of the model that vLLM computes."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        config.tokenizer, revision=config.tokenizer_revision, trust_remote_code=config.trust_remote_code
    )
    return text_of(tokenizer, config.get_vocab_size(), eos_ids(config, tokenizer))[1]
