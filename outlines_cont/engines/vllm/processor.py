"""The processor of logits through which vLLM asks what comes next. vLLM is imported where a class is made of it."""

from __future__ import annotations

from math import inf
from typing import Any
from weakref import ReferenceType

import torch
from torch import Tensor

from outlines_cont.engines.vllm.batch_places import BatchPlaces
from outlines_cont.engines.vllm.requests import KEY, Requests
from outlines_cont.engines.vllm.starting import vllm_part


def updated(places: BatchPlaces[Any], update: Any, value_of: Any) -> None:
    """Follow a change of vLLM's batch.

    value_of: sampling parameters and prompt → what is kept of a request, or None for one that is not ours.
    """
    places.update(
        update.removed,
        [(row, value_of(parameters, prompt), prompt, output) for row, parameters, prompt, output in update.added],
        [(one, other, direction.name == "SWAP") for one, other, direction in update.moved],
    )


def processor_class() -> Any:
    """vLLM's class of processors, for its older runner."""
    return vllm_part("vllm.v1.sample.logits_processor", "LogitsProcessor")


def processor_for(desk: list[ReferenceType[Requests]]) -> type:
    """A class of processors that ask the requests in this list, once it has some. (vLLM keeps all such classes.)"""

    class RowProcessor(processor_class()):
        """Leaves one token finite in each row that is ours: the one that was drawn."""

        def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool):
            self._places: BatchPlaces[str] = BatchPlaces()

        def is_argmax_invariant(self) -> bool:
            return False

        def update_state(self, batch_update: Any) -> None:
            if batch_update is not None:
                updated(self._places, batch_update, lambda parameters, prompt: (parameters.extra_args or {}).get(KEY))

        def apply(self, logits: Tensor) -> Tensor:
            places = [(row, request) for row, request in self._places if row < len(logits)]
            requests = desk[0]() if desk else None
            if not places or requests is None:
                return logits
            rows = torch.tensor([row for row, _ in places], device=logits.device)
            lines = logits[rows]  # a copy: these rows are overwritten
            asked = [(request.value, request.length) for _, request in places]
            tokens = torch.tensor(requests.answers(asked, lines), device=logits.device)
            logits[rows] = -inf
            logits[rows, tokens] = 0.0
            return logits

    return RowProcessor
