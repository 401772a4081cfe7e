"""The switch between a Triton kernel and the plain-torch reference beside it.

Kernels run on CUDA; `OUTLINES_CONT_KERNELS=reference` takes the references there, too. `OUTLINES_CONT_KERNELS=triton`
takes the kernels everywhere: on a CPU under Triton's interpreter, which `TRITON_INTERPRET=1` asks for before this is
imported.
"""

from __future__ import annotations

import os
import subprocess
import threading
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, cast

import torch

from outlines_cont.processes import whole_at_fork

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

#: The interpreter changes `triton.language` while a kernel runs.
ONE_AT_A_TIME = whole_at_fork(threading.RLock()) if INTERPRETED else nullcontext()

P = ParamSpec("P")
R = TypeVar("R")


class KernelOrReference(Protocol[P, R]):
    """A function that runs a kernel or its reference, and lets either be called by itself: see `or_reference`."""

    kernel: Callable[..., R]
    reference: Callable[..., R]
    chosen: Callable[[torch.device], bool]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...


MODES = ("auto", "triton", "reference")
#: The errors of kernels that failed to compile, by name.
broken: dict[str, BaseException] = {}


def jit(function: Callable[..., Any]) -> Any:
    """`triton.jit`; where Triton is not installed, the function itself."""
    return function if triton is None else triton.jit(function)


def chosen(device: torch.device) -> bool:
    """Whether kernels should run on a device."""
    mode = os.environ.get("OUTLINES_CONT_KERNELS") or "auto"
    if mode not in MODES:
        raise ValueError(f"OUTLINES_CONT_KERNELS={mode!r}: it must be one of {', '.join(MODES)}")
    if mode == "triton" and triton is None:
        raise ImportError("OUTLINES_CONT_KERNELS='triton': there is no Triton here")
    return mode == "triton" or (mode == "auto" and device.type == "cuda" and triton is not None)


def or_reference(reference: Callable[P, R]) -> Callable[[Callable[P, R]], KernelOrReference[P, R]]:
    """Decorate a function that launches kernels with the reference that replaces it where kernels are not chosen, or
    cannot be compiled.

    Both functions take the same arguments, and the device of the first argument decides. The decorated function has
    `.kernel` and `.reference`, the two functions, and `.chosen(device)`, whether the kernel would run.
    """

    def decorate(launch: Callable[P, R]) -> KernelOrReference[P, R]:
        name = f"{launch.__module__}.{launch.__name__}".removeprefix("outlines_cont.")

        def ours(device: torch.device) -> bool:
            return chosen(device) and name not in broken

        @wraps(launch)
        def kernel_or_reference(*args: P.args, **kwargs: P.kwargs) -> R:
            first: Any = args[0] if args else next(iter(kwargs.values()))
            device = first.device
            if ours(device):
                try:
                    # Triton launches on the current device
                    with torch.cuda.device(device) if device.type == "cuda" else ONE_AT_A_TIME:
                        return launch(*args, **kwargs)
                except Exception as error:
                    if not _of_compiling(error):
                        raise
                    broken[name] = error
                    message = f"{name}: its Triton kernel cannot be used here, plain torch takes its place: {error}"
                    warnings.warn(message, RuntimeWarning, stacklevel=2)
            return reference(*args, **kwargs)

        vars(kernel_or_reference).update(kernel=launch, reference=reference, chosen=ours)
        return cast(KernelOrReference[P, R], kernel_or_reference)

    return decorate


def _of_compiling(error: Exception) -> bool:
    """Whether an error says that a kernel cannot be compiled. (Others say that the arguments are wrong, or that the
    device is lost or full.)"""
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
    """The smallest power of two that is no smaller than `number` and `least`."""
    return 1 << (max(number, least) - 1).bit_length()
