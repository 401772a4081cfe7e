"""Constraints for people who stay in vLLM: they call `llm.generate`, and each request brings its own.

llm = vllm.LLM(folder, logits_processors=["outlines_cont.integrations.vllm:ConstraintProcessor"])
year = ConstrainedRequest(oc.types.regex("[0-9]{4}"))
[output] = llm.generate(prompt, vllm.SamplingParams(max_tokens=8, extra_args=year.extra_args))
year.value(output.outputs[0].text, output.outputs[0].finish_reason)

vLLM's own sampler draws. `ConstraintProcessor` is made when it is first asked for, of vLLM's class.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.engines.text_side import text_of
from outlines_cont.engines.vllm.batch_places import BatchPlaces
from outlines_cont.engines.vllm.processor import processor_class, updated
from outlines_cont.engines.vllm.starting import check_vllm, eos_ids
from outlines_cont.errors import ConstraintError, warn
from outlines_cont.fsm.protocol import FullGuide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.parts import constraint_on
from outlines_cont.integrations.vllm_requests import KEY, ConstrainedRequest, GuidedRow, asked_for
from outlines_cont.kernels import bitmask

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
            self._config = vllm_config.model_config
            self._places: BatchPlaces[GuidedRow] = BatchPlaces()
            self._guides: dict[str, FullGuide | None] = {}
            self._vocabulary: Vocabulary | None = None

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
            logits[rows] = bitmask.masked(logits[rows], torch.from_numpy(masks).to(logits.device))
            return logits

        def _row(self, parameters: Any, prompt: Any) -> GuidedRow | None:
            text = (parameters.extra_args or {}).get(KEY)
            if text is None:
                return None
            if self._vocabulary is None:
                self._vocabulary = _vocabulary(self._config)
            if text not in self._guides:
                while len(self._guides) >= KEPT:
                    del self._guides[next(iter(self._guides))]
                self._guides[text] = _guide(text, self._vocabulary)
            return GuidedRow(self._guides[text], self._vocabulary)

    return ConstraintProcessor


def _guide(text: str, vocabulary: Vocabulary) -> FullGuide | None:
    """The guide of a constraint. Nothing is raised in the middle of a pass of vLLM: where these tokens cannot spell it
    there is none, and the request ends without a text, which `ConstrainedRequest.value` refuses."""
    try:
        return constraint_on(vocabulary, asked_for(text)).guide
    except (ConstraintError, ValueError) as error:
        warn(f"vLLM: a request has a constraint that its model cannot write, and gets nothing: {error}")
        return None


def _mask(request: Any) -> np.ndarray:
    """The tokens that may come next in a row."""
    _ = request.length  # or it says that the tokens are not known
    row: GuidedRow = request.value
    return row.mask(request.output)


def _vocabulary(config: Any) -> Vocabulary:
    """The tokens of the model that vLLM computes."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        config.tokenizer, revision=config.tokenizer_revision, trust_remote_code=config.trust_remote_code
    )
    return text_of(tokenizer, config.get_vocab_size(), eos_ids(config, tokenizer))[1]
