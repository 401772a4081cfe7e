"""`load`: a model by its place: the one that ships, a folder or a hub id (transformers, or vLLM), a GGUF file
(llama.cpp)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import torch

from outlines_cont import tiny
from outlines_cont.arguments import flag, shown
from outlines_cont.hub import check_reachable, explained_loading
from outlines_cont.state.model import Model
from outlines_cont.waiting import bars_beside_results, told

if TYPE_CHECKING:
    from outlines_cont.store import KVStore

#: What a transformers model and its tokenizer are both loaded with.
SHARED_OPTIONS = {
    *("revision", "token", "trust_remote_code", "subfolder"),
    *("cache_dir", "local_files_only", "force_download", "proxies"),
}


def load(
    name_or_path: str | Path | None = None,
    kv_budget: int | Literal["auto"] | None = "auto",
    *,
    engine: Literal["vllm"] | None = None,
    batch_invariant: bool = False,
    store: KVStore | None = None,
    **kwargs: Any,
) -> Model:
    """Load the model that ships with the package, one from a folder or a hub id, or one from a GGUF file.

    llama.cpp computes a file whose path ends in `.gguf`, and any other file that begins as GGUF files do
    (docs/engines.md). Its vocabulary and its chat template are read from the file alone.

    Args:
        name_or_path: a folder, a hub id, or the path of a GGUF file; None for the model that ships.
        kv_budget: see `Model.kv_budget`.
        engine: "vllm": a folder or a hub id is computed by vLLM, in this process (docs/engines.md).
        batch_invariant: a row's logits depend on its tokens alone, bit for bit, and not on how they were read and on
            what was read beside them. It is slower (docs/engines.md). Not for vLLM, and not with `tp_plan`.
        store: an `oc.store.KVStore`: keys and values of prefixes that any process has read (docs/store.md). Not for
            vLLM, and not with `tp_plan`.
        kwargs: for a folder or a hub id, the options of transformers' `from_pretrained` (dtype, revision …).
            `tp_plan="auto"`, under torchrun, divides the model over several processes (docs/scale.md). With accelerate
            (the extra `scale`) also `device_map="auto"`, `max_memory` and `offload_folder` (docs/models.md). With peft
            also `adapters={name: folder or hub id}`: they are loaded, and none is active before `model.with_adapter`
            or `model.hf.set_adapter` chooses one (docs/adapters.md). For a GGUF
            file, the options of llama.cpp (n_ctx, n_gpu_layers, n_threads …: those of `LlamaCppEngine`); `tokenizer`: a
            transformers tokenizer, or its folder or hub id, in place of the one in the file; `eos`: the ids that end a
            text, if those in the file are wrong. For vLLM, the options of `vllm.LLM` (dtype,
            max_model_len, max_num_seqs …), and `tokenizer`.

    Raises:
        LibraryError: the library of an engine is missing, or has an unsupported version.
        TypeError: an option of another engine, or an unknown one.
        FileNotFoundError: there is no such file or folder.
        ModelFileError: a GGUF file that is damaged, incomplete, or of an unsupported kind.

    >>> oc.load(dtype="bfloat16").hf.dtype
    torch.bfloat16
    >>> oc.load("./nowhere")
    Traceback (most recent call last):
        ...
    FileNotFoundError: load('./nowhere'): there is no such folder
    """
    if not isinstance(name_or_path, (str, Path, type(None))):
        kind = type(name_or_path).__name__
        raise TypeError(
            f"load() takes a folder, a hub id or a GGUF file, not {kind}; for objects you hold, "
            "Model(hf_model, hf_tokenizer)"
        )
    if flag(batch_invariant, "batch_invariant"):
        right = "leave engine= out, then transformers computes the model"
        of_vllm = f"vLLM decides itself what it computes together; {right}"
        of_ranks = "a model that is spread over processes is not computed so; load it in one process"
        _refuse_elsewhere("batch_invariant=True", engine, kwargs, of_vllm, of_ranks)
        kwargs["batch_invariant"] = True
    if store is not None:
        of_vllm, of_ranks = "vLLM has a cache of its own", "its keys and values are spread over processes"
        right = "leave store= out"
        _refuse_elsewhere("store=…", engine, kwargs, f"{of_vllm}; {right}", f"{of_ranks}; {right}")
        kwargs["store"] = store
    with told("loading {}", "the model that ships" if name_or_path is None else name_or_path):
        if engine is not None:
            model = _load_by(engine, name_or_path, kv_budget, dict(kwargs))
            kwargs["engine"] = engine
        elif name_or_path is not None and _is_gguf(path := Path(name_or_path).expanduser()):
            from outlines_cont.llama_cpp.loading import load_gguf

            model = load_gguf(path, kv_budget, dict(kwargs))
        else:
            model = _load_transformers(name_or_path, kv_budget, dict(kwargs))
    if kwargs.get("tp_plan") is None:  # another process cannot load what is spread over these
        model.loaded_from = name_or_path, {"kv_budget": kv_budget, **kwargs}
    return model


def _refuse_elsewhere(option: str, engine: Any, options: dict[str, Any], of_vllm: str, of_ranks: str) -> None:
    """ValueError for an option that vLLM and models that are spread over processes do not have; of_…: why not."""
    if engine is not None:
        raise ValueError(f"load(engine={shown(engine)}, {option}): {of_vllm}")
    if options.get("tp_plan") is not None:
        raise ValueError(f"load(tp_plan=…, {option}): {of_ranks}")


def _load_by(engine: Any, name_or_path: str | Path | None, kv_budget: Any, options: dict[str, Any]) -> Model:
    """The model, computed by an engine that was named."""
    if engine != "vllm":
        raise ValueError(
            f"load(engine={shown(engine)}): it is 'vllm', or not given: then transformers computes folders and hub "
            "ids, and llama.cpp GGUF files"
        )
    if name_or_path is not None and _is_gguf(path := Path(name_or_path).expanduser()):
        raise ValueError(f"load({str(path)!r}, engine='vllm'): GGUF files are computed by llama.cpp: leave engine= out")
    from outlines_cont.vllm.model import load_vllm

    return load_vllm(name_or_path, kv_budget, options)


# --- GGUF files


def _is_gguf(path: Path) -> bool:
    """Whether a path is meant for llama.cpp: by its name, or by what lies there."""
    from outlines_cont.llama_cpp.gguf_file import begins_like_gguf

    return not path.is_dir() and (path.suffix.lower() == ".gguf" or begins_like_gguf(path))


# --- transformers


def _load_transformers(name_or_path: str | Path | None, kv_budget: Any, kwargs: dict[str, Any]) -> Model:
    _refuse_options(name_or_path, kwargs)
    source = tiny.PATH if name_or_path is None else name_or_path
    if not str(source) or (str(source)[0] in "./~" and not Path(source).is_dir()):
        raise FileNotFoundError(f"load({str(name_or_path)!r}): there is no such folder")
    _refuse_folder_of_files(Path(source))
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer  # their code takes seconds to import

    kwargs.setdefault("dtype", torch.float32 if name_or_path is None else "auto")
    passed_on = {k: v for k, v in kwargs.items() if k in SHARED_OPTIONS}

    batch_invariant, store = kwargs.pop("batch_invariant", False), kwargs.pop("store", None)
    adapters = kwargs.pop("adapters", {})
    _check_adapters(adapters, kwargs)

    def reach() -> None:
        if not Path(source).is_dir():
            check_reachable(str(source), kwargs)

    def config() -> Any:
        reach()
        with explained_loading(name_or_path, kwargs):
            return AutoConfig.from_pretrained(source, **passed_on)

    def parts() -> tuple[Any, Any]:
        reach()
        with explained_loading(name_or_path, kwargs), _quiet() if name_or_path is None else bars_beside_results():
            hf = AutoModelForCausalLM.from_pretrained(source, **_with_plan_apart(kwargs))
            for name, place in adapters.items():
                hf.load_adapter(str(place), name)
            if adapters:
                hf.disable_adapters()
        with explained_loading(name_or_path, kwargs, "tokenizer"):
            return hf.eval(), AutoTokenizer.from_pretrained(source, **passed_on)

    if kwargs.get("tp_plan") is not None:
        from outlines_cont.ranks.leader import join  # with torch.distributed, which takes a while

        return Model(*join(source, {"kv_budget": kv_budget, **kwargs}, config, parts), kv_budget)
    return Model(*parts(), kv_budget, batch_invariant=batch_invariant, store=store)


def _check_adapters(adapters: Any, options: dict[str, Any]) -> None:
    """TypeError for what are no adapters, ValueError where there can be none; FileNotFoundError for no folder."""
    places = adapters.items() if isinstance(adapters, dict) else [(None, None)]
    if not all(isinstance(name, str) and isinstance(place, (str, Path)) for name, place in places):
        raise TypeError(f"load(adapters={shown(adapters)}): it is a dict, names of adapters → their folders or hub ids")
    if adapters and options.get("tp_plan") is not None:
        raise ValueError("load(tp_plan=…, adapters=…): a model that is spread over processes has no adapters")
    for place in adapters.values():
        if str(place)[:1] in ("", *"./~") and not Path(place).is_dir():
            raise FileNotFoundError(f"load(adapters={shown(adapters)}): there is no folder {str(place)!r}")


def _with_plan_apart(options: dict[str, Any]) -> dict[str, Any]:
    """The options with the plan of tensor parallelism where transformers wants it: elsewhere it is deprecated."""
    if options.get("tp_plan") is None:
        return options
    from transformers.distributed.configuration_utils import DistributedConfig

    plan = {name: options[name] for name in ("tp_plan", "tp_size") if name in options}
    others = {name: value for name, value in options.items() if name not in plan}
    return {**others, "distributed_config": DistributedConfig(**plan)}


def _refuse_options(name_or_path: str | Path | None, options: dict[str, Any]) -> None:
    """TypeError for options of llama.cpp, ValueError for a dtype that there is not."""
    for name in options:
        # (others take long to import, and no option of transformers has such a name)
        if name.startswith(("n_", "type_", "flash_", "library", "tokenizer", "eos")) and _is_of_llama_cpp(name):
            raise TypeError(
                f"load({shown(name_or_path)}, {name}={shown(options[name])}): this option is for llama.cpp, which "
                "computes GGUF files; a folder or a hub id is loaded by transformers"
            )
    named = options.get("dtype")
    if isinstance(named, str) and named != "auto" and not isinstance(getattr(torch, named, None), torch.dtype):
        raise ValueError(f"load(dtype={named!r}): it is 'auto', a torch.dtype or the name of one, as 'bfloat16'")


def _is_of_llama_cpp(name: str) -> bool:
    from outlines_cont.llama_cpp.loading import options_of_files

    return name in options_of_files()


def _refuse_folder_of_files(folder: Path) -> None:
    """FileNotFoundError for a folder that has GGUF files and nothing for transformers."""
    if folder.is_dir() and not (folder / "config.json").exists() and (files := sorted(folder.glob("*.gguf"))):
        raise FileNotFoundError(
            f"load({str(folder)!r}): this folder has no config.json for transformers; give the path of the GGUF file: "
            f"oc.load({str(files[0])!r})"
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bar for what takes a tenth of a second."""
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
