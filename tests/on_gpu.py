"""`TRITON_INTERPRET=0 pytest`, on a machine with a GPU: what the suite does on a CPU it does there on the GPU.

Every model that is wrapped is moved to the GPU first. The tests compare on the CPU: a tensor of theirs is carried to
the GPU and back, for a call of a model and for the launch of a kernel, which is compiled and not interpreted.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch.utils._pytree import tree_map

from outlines_cont.kernels import launch

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def wanted() -> bool:
    """Whether the suite runs on a GPU."""
    return launch.triton is not None and not launch.INTERPRETED and torch.cuda.is_available()


class Carried:
    """Tensors of the CPU, for one launch: all that lies in one storage is copied there once, with its strides."""

    def __init__(self) -> None:
        self.storages: dict[int, tuple[Tensor, Tensor]] = {}

    def there(self, given: Any) -> Any:
        if not isinstance(given, Tensor) or given.device != CPU:
            return given
        storage = given.untyped_storage()
        if storage.data_ptr() not in self.storages:
            here = torch.empty(0, dtype=torch.uint8).set_(storage)
            self.storages[storage.data_ptr()] = here, here.to(GPU)
        _, copied = self.storages[storage.data_ptr()]
        made = torch.empty(0, dtype=given.dtype, device=GPU)
        return made.set_(copied.untyped_storage(), given.storage_offset(), given.shape, given.stride())

    def back(self) -> None:
        """What the kernel wrote."""
        for here, copied in self.storages.values():
            here.copy_(copied)


def install() -> None:
    """For this process, until it ends."""
    from transformers import PreTrainedModel

    from outlines_cont.engines.hf.engine import TransformersEngine

    jit: Any = launch.triton.runtime.jit.JITFunction
    launched, made, called = jit.run, TransformersEngine.__init__, PreTrainedModel.__call__

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        carried = Carried()
        done = launched(self, *map(carried.there, args), **{name: carried.there(each) for name, each in kwargs.items()})
        carried.back()
        return done

    def wrap(self: TransformersEngine, hf: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(hf, PreTrainedModel) and not hasattr(hf, "hf_device_map"):
            hf.to(GPU)  # type: ignore[arg-type]
        made(self, hf, *args, **kwargs)

    def call(self: PreTrainedModel, *args: Any, **kwargs: Any) -> Any:
        given = [each for each in (*args, *kwargs.values()) if isinstance(each, Tensor)]
        if not given or any(each.device != CPU for each in given) or self.device == CPU:
            return called(self, *args, **kwargs)

        def moved(to: torch.device) -> Any:
            return lambda each: each.to(to) if isinstance(each, Tensor) else each

        args, kwargs = tree_map(moved(self.device), (args, kwargs))
        return tree_map(moved(CPU), called(self, *args, **kwargs))

    mock.patch.object(jit, "run", run).start()
    mock.patch.object(TransformersEngine, "__init__", wrap).start()
    mock.patch.object(PreTrainedModel, "__call__", call).start()
