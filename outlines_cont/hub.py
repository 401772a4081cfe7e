"""The hub of models: whether it can be reached, asked before transformers waits for it; and what transformers finds
wrong with what it loads."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.hints import ARGUMENTS, hint

#: What says, once it is kept on this machine, that something was had from there before.
FIRST_FILES = ("config.json", "adapter_config.json", "tokenizer_config.json", "tokenizer.json")
NO_CONNECTION = ("ConnectError", "ConnectionError", "ProxyError")  # of whatever client asks
AGAIN = 1.0  # seconds after which it is asked a second time: names are not resolved for a moment


def check_reachable(name: str, options: Mapping[str, Any]) -> None:
    """FileNotFoundError if nothing of a hub id is kept on this machine, and nobody answers at the hub.

    (transformers asks for two files of it, each six times within 23 seconds, and says it then. Everything else that may
    be wrong is left to it, such as answers that are slow.)

    options: of `from_pretrained`: revision, subfolder, cache_dir, token, local_files_only.
    """
    if options.get("local_files_only") or options.get("proxies"):
        return
    reason = ""
    with suppress(Exception):
        reason = "" if _is_kept(name, options) else _no_connection(name, options)
    if reason:
        raise FileNotFoundError(
            f"load({name!r}): there is no such folder; nothing of this hub id is kept on this machine, and the hub "
            f"cannot be reached ({reason})"
        )


def _is_kept(name: str, options: Mapping[str, Any]) -> bool:
    from huggingface_hub import try_to_load_from_cache

    folder = f"{options['subfolder']}/" if options.get("subfolder") else ""
    where = {"cache_dir": options.get("cache_dir"), "revision": options.get("revision")}
    return any(isinstance(try_to_load_from_cache(name, folder + file, **where), str) for file in FIRST_FILES)


def _no_connection(name: str, options: Mapping[str, Any]) -> str:
    """Why there is no connection to the hub; empty if somebody answers, whatever it is."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    url = hf_hub_url(name, FIRST_FILES[0], revision=options.get("revision"))
    for pause in (AGAIN, 0.0):
        try:
            get_hf_file_metadata(url, token=options.get("token"))
            return ""
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__]
            if not set(kinds) & set(NO_CONNECTION):
                return ""
            reason = f"{kinds[0]}: {str(error).splitlines()[0]}" if str(error) else kinds[0]
            if "OfflineModeIsEnabled" in kinds:
                return reason
        time.sleep(pause)
    return reason


@contextmanager
def explained_loading(name: str | Path | None, kwargs: dict[str, Any], part: str = "model") -> Iterator[None]:
    """What transformers finds wrong with a model (or `part`), or with its options, in a line that begins with ours."""
    try:
        yield
    except TypeError as error:
        refused = re.search(r"unexpected keyword argument '(\w+)'", str(error))
        if refused is None or refused[1] not in kwargs:
            raise
        option = f"{refused[1]}={shown(kwargs[refused[1]])}"
        raise TypeError(f"load({option}): transformers takes no such option{hint(ARGUMENTS, refused[1])}") from error
    except (OSError, ValueError) as error:
        if name is None:
            raise
        reason = str(error).strip().split("\n")[0]
        if "device_map" in kwargs and "device_map" in reason:
            raise ValueError(f"load(device_map={shown(kwargs['device_map'])}): {reason}") from error
        if Path(name).is_dir():
            raise ValueError(f"load({str(name)!r}): transformers finds no {part} in this folder: {reason}") from error
        raise FileNotFoundError(
            f"load({str(name)!r}): there is no such folder, and no such {part} was had from the hub: {reason}"
        ) from error
