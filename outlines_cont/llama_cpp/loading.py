"""A model of a GGUF file: the engine that computes it, and its tokenizer, which the file holds or the user gives."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from pathlib import Path
from typing import Any

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.errors import warn
from outlines_cont.fsm.tokenizer_bytes import backend
from outlines_cont.hints import GGUF_ARGUMENTS, hint
from outlines_cont.hub import check_reachable, explained_loading
from outlines_cont.llama_cpp.engine import LlamaCppEngine
from outlines_cont.llama_cpp.gguf_file import GGUFFile
from outlines_cont.llama_cpp.gguf_tokenizer import check_names, tokenizer_of
from outlines_cont.llama_cpp.gguf_vocabulary import end_ids
from outlines_cont.state.model import Model


def options_of_files() -> list[str]:
    """The names of the options of a GGUF file: those of `LlamaCppEngine`, and two of the file."""
    parameters = inspect.signature(LlamaCppEngine).parameters.values()
    return [*(each.name for each in parameters if each.kind is each.KEYWORD_ONLY), "tokenizer", "eos"]


def load_gguf(path: Path, kv_budget: Any, options: dict[str, Any]) -> Model:
    """The model in a GGUF file."""
    allowed, store = options_of_files(), options.pop("store", None)
    for name in options:
        if name not in allowed:
            raise TypeError(
                f"load({str(path)!r}, {name}={shown(options[name])}): a GGUF file is loaded with no such option"
                f"{hint(GGUF_ARGUMENTS, name)}; its options are {', '.join(allowed)}"
            )
    if not path.exists():
        raise FileNotFoundError(f"load({str(path)!r}): there is no such file")
    file = GGUFFile.read(path)
    tokenizer = _tokenizer(file, options.pop("tokenizer", None))
    eos = options.pop("eos", None)
    ends = end_ids(file) if eos is None else _checked_eos(eos, file)
    engine = LlamaCppEngine(file, **options)
    if eos is None:
        _warn_of_ends(file, engine, ends)
    engine.eos = list(ends)
    return Model(engine, tokenizer, kv_budget, store=store)


def _tokenizer(file: GGUFFile, given: Any) -> Any:
    """The tokenizer that a user gives for a file, or else the one that the file holds."""
    if given is None:
        return tokenizer_of(file)
    if isinstance(given, (str, Path)):
        from transformers import AutoTokenizer

        if not Path(given).is_dir():
            check_reachable(str(given), {})
        with explained_loading(given, {}, "tokenizer"):
            given = AutoTokenizer.from_pretrained(given)
    check_names(file, backend(given))
    return given


def _checked_eos(eos: Any, file: GGUFFile) -> list[int]:
    ids = plain(eos)
    ids = [ids] if is_whole(ids) else ids
    if not isinstance(ids, Collection) or isinstance(ids, str) or not all(map(is_whole, ids)):
        raise TypeError(f"load(eos={shown(eos)}): it must be a list of token ids")
    count = len(file.texts("tokenizer.ggml.tokens") or ())
    if outside := [token for token in ids if not 0 <= token < count]:
        raise ValueError(f"load(eos={shown(eos)}): the model has {count} tokens, and none of the id {outside[0]}")
    return [int(token) for token in ids]


def _warn_of_ends(file: GGUFFile, engine: LlamaCppEngine, ends: Collection[int]) -> None:
    """Warn where turns of a chat end in a token that the file does not call an end."""
    template, tokens = file.text("tokenizer.chat_template") or "", file.texts("tokenizer.ggml.tokens") or ()
    written = [token for token, name in enumerate(tokens) if name in template and token not in ends]
    missing = [token for token in written if engine.model.ends(token)]
    if missing:
        named = ", ".join(f"{tokens[token]!r} ({token})" for token in missing)
        warn(
            f"{file.path.name}: the chat template has {named}, which llama.cpp takes for an end of a text, and the "
            f"file names only {list(ends)} as such; if it is one, load it with eos={[*ends, *missing]}"
        )
