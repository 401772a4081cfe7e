"""`load(…, engine="vllm")`: a folder or a hub id that vLLM computes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from outlines_cont import tiny
from outlines_cont.arguments import shown
from outlines_cont.engines.text_side import text_of
from outlines_cont.fsm.tokenizer_bytes import backend
from outlines_cont.state.model import Model
from outlines_cont.vllm.model import VLLMModel
from outlines_cont.vllm.requests import processor_for
from outlines_cont.vllm.starting import check_names, check_options, check_vllm, eos_ids, start

#: Options that the tokenizer is loaded with, too.
SHARED_OPTIONS = ("revision", "trust_remote_code", "hf_token")


def load_vllm(name_or_path: str | Path | None, kv_budget: Any, options: dict[str, Any]) -> Model:
    """The model in a folder, or of a hub id, computed by vLLM in this process.

    Raises:
        LibraryError: vLLM is missing, or of a version that is not served.
        TypeError, ValueError: an option that vLLM does not take, or that cannot be served exactly; a tokenizer that is
            not the model's.
        FileNotFoundError: no such folder.
    """
    source = os.path.expanduser(tiny.PATH if name_or_path is None else name_or_path)
    if kv_budget != "auto":
        raise TypeError(
            f"load({source!r}, engine='vllm', kv_budget={shown(kv_budget)}): vLLM has a cache of its own; its size is "
            "kv_cache_memory_bytes=… or gpu_memory_utilization=…"
        )
    check_options(source, options)
    if source[0] in "./~" and not Path(source).is_dir():
        raise FileNotFoundError(f"load({source!r}): there is no such folder")
    check_vllm()
    given = options.pop("tokenizer", None)
    check_names(source, options)
    tokenizer = _tokenizer(source, given, options)
    if name_or_path is None:
        options.setdefault("dtype", "float32")
    desk: list[Any] = []
    llm = start(source, processor_for(desk), options)
    config = llm.llm_engine.model_config
    _, vocabulary, encoder = text_of(tokenizer, config.get_vocab_size(), eos_ids(config, tokenizer))
    return Model(VLLMModel(llm, desk, vocabulary, encoder, tokenizer))


def _tokenizer(source: str, given: Any, options: dict[str, Any]) -> Any:
    """The model's tokenizer, or the one that a user gives, if it has the same tokens under their ids."""
    from transformers import AutoTokenizer

    passed_on = {{"hf_token": "token"}.get(name, name): options[name] for name in SHARED_OPTIONS if name in options}
    try:
        models_own = AutoTokenizer.from_pretrained(source, **passed_on)
    except (OSError, ValueError) as error:
        if given is None:
            raise ValueError(f"load({source!r}): there is no tokenizer: {str(error).splitlines()[0]}") from error
        models_own = None
    if given is None:
        return models_own
    if isinstance(given, (str, Path)):
        given = AutoTokenizer.from_pretrained(given, **passed_on)
    if models_own is not None:
        check_same_tokens(given, models_own)
    return given


def check_same_tokens(given: Any, models_own: Any) -> None:
    """ValueError for a tokenizer that has another token under some id than the model's own, the first of them."""
    ours, theirs = backend(models_own), backend(given)
    for token in range(ours.get_vocab_size(with_added_tokens=True)):
        if (name := theirs.id_to_token(token)) != (right := ours.id_to_token(token)):
            raise ValueError(
                f"the tokenizer is not that of the model: its token {token} is {shown(name)}, and the model's is "
                f"{shown(right)}"
            )
