"""The device of a transformers model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import torch

if TYPE_CHECKING:
    from transformers import PreTrainedModel

#: transformers looks for them by name, which takes longer than anything else here.
_embeddings: WeakKeyDictionary[PreTrainedModel, ref[Any]] = WeakKeyDictionary()


def device_of(hf: PreTrainedModel) -> torch.device:
    """Where the model takes its token ids; where it runs, if accelerate keeps its weights elsewhere.

    It is the device of the first embedding that was seen, as long as that lives: whoever gives the model another one
    has to drop the old.
    """
    embedding_ref = _embeddings.get(hf)
    embedding: Any = embedding_ref and embedding_ref()
    if embedding is None:
        embedding = hf.get_input_embeddings()
        _embeddings[hf] = ref(embedding)
    weight = embedding.weight
    device = weight.device if isinstance(weight, torch.Tensor) else hf.device  # a quantised one has it for a method
    if device.type != "meta":
        return device
    if not hasattr(embedding, "_hf_hook"):
        raise ValueError(f"{type(hf).__name__} lies on the device 'meta', which holds no weights: load it first")
    return torch.device(embedding._hf_hook.execution_device)
