"""The real model on the engine that `pytest --real` names; tests/real_model.py makes its files."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch
from real_model import RealModel, RealModelError, folder_of_choice, found

import outlines_cont as oc

ENGINES = ("transformers", "llama.cpp")
#: How far a logit of llama.cpp's Q4 weights may move with the tokens that are read at once (docs/engines.md).
ROUNDING = 1.5
#: The one that was asked for; None in all runs but those with `--real`.
chosen: str | None = None


@cache
def files() -> RealModel:
    """Where the model lies; the run ends if it is not there, or not as it was made."""
    try:
        return found(folder_of_choice())
    except RealModelError as error:
        pytest.exit(f"--real: {error}", returncode=1)


@cache
def hf_model() -> tuple[Any, Any]:
    """The model and the tokenizer of transformers, float32."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    hf = AutoModelForCausalLM.from_pretrained(files().hf, dtype=torch.float32).eval()
    return hf, AutoTokenizer.from_pretrained(files().hf)


def another_model(engine: str | None = None) -> oc.Model:
    """A model with a KV tree of its own, on the chosen engine, or on this one. Models of transformers share weights."""
    if (engine or chosen) == "transformers":
        return oc.Model(*hf_model())
    return oc.load(files().gguf, n_threads=torch.get_num_threads())


@cache
def model() -> oc.Model:
    """One for all tests that do not count what is in its tree."""
    return another_model()
