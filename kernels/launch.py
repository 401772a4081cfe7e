"""Which of two runs: a Triton kernel, or the plain-torch reference beside it.

Kernels run on CUDA; `OUTLINES_CONT_KERNELS=reference` takes the references there, too. `OUTLINES_CONT_KERNELS=triton`
takes the kernels everywhere: on a CPU under Triton's interpreter, which `TRITON_INTERPRET=1` asks for before this is
imported.
"""

from __future__ import annotations

import os
import subprocess
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, cast

import torch

try:
    import triton  # pyright: ignore[reportMissingImports]
    import triton.language  # pyright: ignore[reportMissingImports]
    from triton import TritonError  # pyright: ignore[reportMissingImports]
except ImportError:  # not on this platform, or not wanted
    TritonError = ImportError
    triton = None

tl: Any = triton and triton.language
if TYPE_CHECKING:
    constexpr = Any
else:
    constexpr = triton and tl.constexpr
#: Whether kernels run under Triton's interpreter, on the CPU.
INTERPRETED = os.environ.get("TRITON_INTERPRET", "0").lower() in ("1", "true", "yes", "on")

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Either(Protocol[P, R]):
    kernel: Callable[..., R]
    reference: Callable[..., R]
    chosen: Callable[[torch.device], bool]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...


MODES = ("auto", "triton", "reference")
#: What failed to compile, by name, and why.
broken: dict[str, BaseException] = {}


def jit(function: Callable[..., Any]) -> Any:
    """`triton.jit`, where there is a Triton."""
    return function if triton is None else triton.jit(function)


def chosen(device: torch.device) -> bool:
    """Whether kernels are what should run on a device."""
    mode = os.environ.get("OUTLINES_CONT_KERNELS") or "auto"
    if mode not in MODES:
        raise ValueError(f"OUTLINES_CONT_KERNELS={mode!r}: it must be one of {', '.join(MODES)}")
    if mode == "triton" and triton is None:
        raise ImportError("OUTLINES_CONT_KERNELS='triton': there is no Triton here")
    return mode == "triton" or (mode == "auto" and device.type == "cuda" and triton is not None)


def or_reference(reference: Callable[P, R]) -> Callable[[Callable[P, R]], Either[P, R]]:
    """For a function that launches kernels: what is called instead where they are not chosen, or cannot be compiled.

    Both take the same arguments, and the device of the first decides. The function that launches is left as `.kernel`,
    the other as `.reference`; `.chosen(device)` says which it would be.
    """

    def decorate(launch: Callable[P, R]) -> Either[P, R]:
        name = f"{launch.__module__}.{launch.__name__}".removeprefix("outlines_cont.")

        def ours(device: torch.device) -> bool:
            return chosen(device) and name not in broken

        @wraps(launch)
        def either(*args: P.args, **kwargs: P.kwargs) -> R:
            first: Any = args[0] if args else next(iter(kwargs.values()))
            device = first.device
            if ours(device):
                try:
                    # Triton launches on the current device
                    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
                        return launch(*args, **kwargs)
                except Exception as error:
                    if not _of_compiling(error):
                        raise
                    broken[name] = error
                    message = f"{name}: its Triton kernel cannot be used here, plain torch takes its place: {error}"
                    warnings.warn(message, RuntimeWarning, stacklevel=2)
            return reference(*args, **kwargs)

        vars(either).update(kernel=launch, reference=reference, chosen=ours)
        return cast(Either[P, R], either)

    return decorate


def _of_compiling(error: Exception) -> bool:
    """Whether an error says that a kernel cannot be compiled, and not that its arguments are wrong, or the device is
    lost or full."""
    if isinstance(error, (TritonError, ImportError, OSError, subprocess.CalledProcessError)):
        return True
    inner = error.__traceback__
    while inner is not None and inner.tb_next is not None:
        inner = inner.tb_next
    raised_by = inner.tb_frame.f_globals.get("__name__", "") if inner else ""
    # what its driver says is "Triton Error [CUDA]: …": out of memory, an illegal access
    ours = isinstance(error, RuntimeError) and raised_by.split(".")[0] == "triton"
    return ours and not str(error).startswith("Triton Error")


def power_of_2(number: int, least: int = 1) -> int:
    """The smallest power of two that is no smaller than either."""
    return 1 << (max(number, least) - 1).bit_length()
