"""The real model on the engine that `pytest --real` names; tests/real_model.py makes its files."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch
from real_model import RealModel, RealModelError, folder_of_choice, found

import outlines_cont as oc

INVARIANT = "llama.cpp-invariant"  # `batch_invariant=True`
ENGINES = ("transformers", "llama.cpp", INVARIANT)
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


def another_model() -> oc.Model:
    """A model with a KV tree of its own, on the chosen engine. Models of transformers share weights."""
    if chosen == "transformers":
        return oc.Model(*hf_model())
    # (64 branches of at most 512 tokens: with fewer, rows would be read in groups, and some tokens again)
    options: dict[str, Any] = {"batch_invariant": True, "n_ctx": 32768, "n_seq_max": 64} if chosen == INVARIANT else {}
    return oc.load(files().gguf, n_threads=torch.get_num_threads(), **options)


def same_numbers() -> bool:
    """Whether two ways to compute a row give the same numbers, up to rounding that no draw notices."""
    return chosen != "llama.cpp"


@cache
def model() -> oc.Model:
    """One for all tests that do not count what is in its tree."""
    return another_model()
