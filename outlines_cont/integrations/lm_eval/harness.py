"""What is used of lm-eval, and what is said where it is missing or too old."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

OLDEST = (0, 4, 13)
COMMAND = "pip install 'outlines_cont[lm-eval]'"


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


def _given(module: str, name: str) -> Any:
    """What lm-eval calls so. (Imported by name: type checkers take `lm_eval` in this folder for the folder itself.)"""
    return getattr(import_module(f"lm_eval.{module}"), name)


TemplateLM = _given("api.model", "TemplateLM")
register_model = _given("api.registry", "register_model")
# `lm_eval.models` registers lm-eval's own models, which it does itself only while there are no others
normalize_gen_kwargs = _given("models.utils", "normalize_gen_kwargs")
postprocess_generated_text = _given("models.utils", "postprocess_generated_text")


def run_command() -> None:
    """The command `lm_eval`, with the arguments of this process."""
    _given("__main__", "cli_evaluate")()


#: One request: `args` is (context, continuation), (text,) or (context, generation settings).
Instance = Any

__all__ = [
    "Instance",
    "TemplateLM",
    "normalize_gen_kwargs",
    "postprocess_generated_text",
    "register_model",
    "run_command",
]
