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
    device = embedding.weight.device
    return device if device.type != "meta" else torch.device(embedding._hf_hook.execution_device)
