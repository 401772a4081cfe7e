"""What is used of lm-eval, and what is said where it is missing or too old."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

OLDEST = (0, 4, 13)
COMMAND = "pip install 'outlines_cont[lm_eval]'"


def _requirement() -> str | None:
    """What is wrong with the lm-eval that is installed, if anything is."""
    try:
        installed = version("lm_eval")
    except PackageNotFoundError:
        return "lm-eval, which is not installed"
    numbers = tuple(int(part) for part in installed.split(".")[:3] if part.isdigit())
    oldest = ".".join(map(str, OLDEST))
    return f"lm-eval {oldest} or later; {installed} is installed" if numbers < OLDEST else None


if _lacking := _requirement():
    raise ImportError(f"outlines_cont.integrations.lm_eval needs {_lacking}: {COMMAND}")

# pyright: reportMissingImports=false
# `lm_eval.models` registers lm-eval's own models, which it does itself only while there are no others
from lm_eval.api.model import TemplateLM  # noqa: E402
from lm_eval.api.registry import register_model  # noqa: E402
from lm_eval.models.utils import normalize_gen_kwargs, postprocess_generated_text  # noqa: E402

#: One request: `args` is (context, continuation), (text,) or (context, generation settings).
Instance = Any

__all__ = ["Instance", "TemplateLM", "normalize_gen_kwargs", "postprocess_generated_text", "register_model"]
