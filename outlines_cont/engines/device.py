"""The device of a transformers model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def device_of(hf: PreTrainedModel) -> torch.device:
    """Where the model takes its token ids; where it runs, if accelerate keeps its weights elsewhere."""
    embedding: Any = hf.get_input_embeddings()
    device = embedding.weight.device
    return device if device.type != "meta" else torch.device(embedding._hf_hook.execution_device)
