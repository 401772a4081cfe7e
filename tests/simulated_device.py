"""A second device on a machine without one: tensors that say they are on `cuda:0`, `cuda:1`, …, and lie on the CPU.

As on CUDA, an operation on tensors of two devices is an error. All that the host waits for, and all that is copied, is
counted. Kernels run in Triton's interpreter, on what the tensors wrap. Nothing is said about time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any, ClassVar
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from outlines_cont.engines.hf import attention_hook
from outlines_cont.kernels import launch

CPU = torch.device("cpu")
#: What the host waits for: values that it reads, and shapes that depend on values.
READ = ("aten._local_scalar_dense", "aten.item", "aten.is_nonzero", "aten.equal", "aten.allclose")
SHAPED = ("aten.nonzero", "aten.masked_select", "aten._unique", "aten.unique", "aten.repeat_interleave.Tensor")
INDEXED = ("aten.index", "aten.index_put", "aten.index_put_")  # whose indices may lie on the host
GIBIBYTE = 1 << 30


class Generator(torch.Generator):
    """Random numbers of a simulated device: those of the CPU."""

    def __new__(cls, device: Any = None) -> Generator:
        return super().__new__(cls, "cpu")


class Event:
    """An event of a simulated device. Nothing is said about time: any two are a second apart."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.timed, self.recorded = enable_timing, False

    def record(self) -> None:
        self.recorded = True

    def elapsed_time(self, end: Event) -> float:
        assert self.timed and end.timed and self.recorded and end.recorded
        return 1000.0


class Transfers:
    """How often the host waited, by operation, and how often something was copied to a device."""

    def __init__(self) -> None:
        self.waits: Counter[str] = Counter()
        self.copies: Counter[str] = Counter()

    def reset(self) -> None:
        self.waits.clear()
        self.copies.clear()


TRANSFERS = Transfers()


class SimulatedTensor(Tensor):
    """A tensor of a simulated device.

    Attributes:
        inner: what it holds, a tensor of the CPU.
    """

    inner: Tensor
    place: torch.device
    __torch_function__: ClassVar = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, inner: Tensor, place: torch.device | None = None, requires_grad: bool = False) -> Any:
        if place is None:  # accelerate takes the class of a parameter to make another one of it
            return nn.Parameter(inner, requires_grad)
        made: Any = torch.Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            layout=inner.layout,
            device=inner.device,  # what torch's own code asks: it would look for a driver
            requires_grad=False,
        )
        made.inner, made.place = inner, place
        return made

    def __repr__(self, **_: object) -> str:  # type: ignore[override]
        return f"SimulatedTensor({self.inner!r}, {self.place})"

    @property
    def device(self) -> torch.device:  # type: ignore[override]
        return self.place

    @property
    def is_cuda(self) -> bool:  # type: ignore[override]
        return True

    @property
    def is_cpu(self) -> bool:  # type: ignore[override]
        return False

    def data_ptr(self) -> int:
        return self.inner.data_ptr()

    def get_device(self) -> int:
        return self.place.index

    def to(self, *args: Any, **kwargs: Any) -> Tensor:  # type: ignore[override]
        place, dtype = kwargs.get("device"), kwargs.get("dtype")
        for each in args:
            if isinstance(each, torch.dtype):
                dtype = each
            elif isinstance(each, Tensor):
                place, dtype = each.device, each.dtype
            elif isinstance(each, (str, torch.device, int)) and not isinstance(each, bool):
                place = each
        there = self.place if place is None else whole(place)
        inner = self.inner if dtype is None else self.inner.to(dtype)
        if there == self.place:
            return self if inner is self.inner else SimulatedTensor(inner, there)
        _note(self.place, there)
        return SimulatedTensor(inner.clone(), there) if there.type == "cuda" else inner.clone().to(there)

    def pin_memory(self, *_: Any, **__: Any) -> Tensor:
        raise RuntimeError(f"cannot pin '{self.place}': only dense CPU tensors can be pinned")

    def cuda(self, device: Any = None, **_: Any) -> Tensor:  # type: ignore[override]
        return self.to(self.place if device is None else device)

    def new_tensor(self, data: Any, **options: Any) -> Tensor:  # type: ignore[override]
        return torch.tensor(data, **{"dtype": self.dtype, "device": self.place, **options})

    def tolist(self) -> Any:
        TRANSFERS.waits["tolist"] += 1
        return self.inner.tolist()

    def __format__(self, format_spec: str) -> str:
        return format(self.item() if self.dim() == 0 else repr(self), format_spec)

    def cpu(self, *_: Any, **__: Any) -> Tensor:
        TRANSFERS.waits["copy to the host"] += 1
        return self.inner.clone()

    def numpy(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"can't convert {self.place} device type tensor to numpy. Use Tensor.cpu() first")

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.numpy()

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(func, args, kwargs or {})


def whole(place: Any) -> torch.device:
    """The device, with its number."""
    device = torch.device("cuda", place) if isinstance(place, int) else torch.device(place)
    return torch.device("cuda", 0) if device.type == "cuda" and device.index is None else device


def inner_of(value: Any) -> Any:
    return value.inner if isinstance(value, SimulatedTensor) else value


def _named(operation: str, names: tuple[str, ...]) -> bool:
    return any(operation == name or operation.startswith(f"{name}.") for name in names)


def computed(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What an operation gives, on the device of its tensors or on the one that it is asked to make something on."""
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    simulated = [each for each in tensors if isinstance(each, SimulatedTensor)]
    place = kwargs.get("device")
    if not simulated and (place is None or whole(place).type != "cuda"):
        return func(*args, **kwargs)
    operation = str(func)
    place = None if place is None else whole(place)
    plain = dict(kwargs) if place is None else {**kwargs, "device": CPU}
    plain.pop("pin_memory", None)

    def on_the_host() -> Any:
        return func(*tree_map(inner_of, args), **tree_map(inner_of, plain))

    if _named(operation, READ):
        if simulated:
            TRANSFERS.waits[operation] += 1
        _check_one_device(operation, tensors)
        return on_the_host()
    if _named(operation, ("aten._to_copy",)):
        return _copied(args[0], on_the_host, place)
    if _named(operation, ("aten.copy_",)):
        _note_copy(args[1], args[0])
        inner_of(args[0]).copy_(inner_of(args[1]))
        return args[0]
    if simulated and _named(operation, SHAPED):
        TRANSFERS.waits[operation] += 1
    _check_one_device(operation, tensors)
    given = on_the_host()
    if place is None:
        place = simulated[0].place if simulated else None
    if place is None or place.type != "cuda":
        return given
    again = {id(each.inner): each for each in simulated}  # what is changed in place stays the same object

    def wrapped(value: Any) -> Any:
        if not isinstance(value, Tensor) or isinstance(value, SimulatedTensor):
            return value
        return again[id(value)] if id(value) in again else SimulatedTensor(value, place)

    return tree_map(wrapped, given)


def _copied(source: Any, on_the_host: Callable[[], Tensor], place: torch.device | None) -> Tensor:
    given = on_the_host()
    here = source.place if isinstance(source, SimulatedTensor) else CPU
    there = here if place is None else place
    if given is inner_of(source):
        given = given.clone()
    _note(here, there)
    return SimulatedTensor(given, there) if there.type == "cuda" else given.to(there)


def _note_copy(source: Any, target: Any) -> None:
    here, there = (each.place if isinstance(each, SimulatedTensor) else CPU for each in (source, target))
    _note(here, there)


def _note(here: torch.device, there: torch.device) -> None:
    if here == there or there.type == "meta":
        return
    if there.type == "cpu":
        TRANSFERS.waits["copy to the host"] += 1
    else:
        TRANSFERS.copies["to the device" if here.type == "cpu" else "between devices"] += 1


def _check_one_device(operation: str, tensors: list[Tensor]) -> None:
    """RuntimeError for tensors of two devices, as CUDA raises it; a number may lie on the CPU, and so may indices."""
    places = {each.device for each in tensors if each.dim() > 0 or isinstance(each, SimulatedTensor)}
    if len(places) <= 1:
        return
    if _named(operation, INDEXED) and isinstance(tensors[0], SimulatedTensor):
        on_the_host = [each for each in tensors if not isinstance(each, SimulatedTensor)]
        if places <= {tensors[0].device, CPU}:
            TRANSFERS.copies[f"indices of {operation}"] += len(on_the_host)
            return
    shapes = [(str(each.device), tuple(each.shape)) for each in tensors]
    raise RuntimeError(f"Expected all tensors to be on the same device, but {operation} has {shapes}")


class _Factories(TorchDispatchMode):
    """New tensors on the simulated devices."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return computed(func, args, kwargs or {})


@contextmanager
def simulated(devices: int = 1) -> Iterator[Transfers]:
    """Within this there are `devices` simulated GPUs. Gives what counts waits and copies from here on."""
    memory = lambda device=None: (16 * GIBIBYTE, 16 * GIBIBYTE)  # noqa: E731
    executed = None
    with ExitStack() as stack:
        stack.enter_context(patch.object(torch.cuda, "is_available", lambda: True))
        stack.enter_context(patch.object(torch.cuda, "device_count", lambda: devices))
        stack.enter_context(patch.object(torch.cuda, "_lazy_init", lambda: None))
        stack.enter_context(patch.object(torch.cuda, "mem_get_info", memory))
        stack.enter_context(patch.object(torch.cuda, "device", lambda device: launch.ONE_AT_A_TIME or nullcontext()))
        stack.enter_context(patch.object(torch.cuda, "current_device", lambda: 0))
        stack.enter_context(patch.object(torch.cuda, "synchronize", lambda device=None: None))
        stack.enter_context(patch.object(torch.cuda, "get_device_name", lambda device=None: "a simulated device"))
        stack.enter_context(patch.object(torch.cuda, "Event", Event))
        stack.enter_context(patch.object(torch, "Generator", Generator))
        stack.enter_context(patch.object(Tensor, "pin_memory", Tensor.clone))
        # a graph needs a driver
        stack.enter_context(patch.object(attention_hook, "REPLAYED", set[str]()))
        if launch.INTERPRETED:
            from triton.runtime import interpreter

            executed = interpreter.GridExecutor.__call__

            def run(self: Any, *args: Any, **kwargs: Any) -> Any:
                for place, given in enumerate((*args, *kwargs.values())):
                    if isinstance(given, Tensor) and not isinstance(given, SimulatedTensor):
                        raise ValueError(f"Pointer argument (at {place}) cannot be accessed from Triton (cpu tensor?)")
                return executed(self, *map(inner_of, args), **{name: inner_of(each) for name, each in kwargs.items()})

            stack.enter_context(patch.object(interpreter.GridExecutor, "__call__", run))
        torch._C._ensureCUDADeviceGuardSet()
        before = torch._C._only_lift_cpu_tensors()
        torch._C._set_only_lift_cpu_tensors(True)
        stack.callback(torch._C._set_only_lift_cpu_tensors, before)
        stack.enter_context(_Factories())
        TRANSFERS.reset()
        yield TRANSFERS


def moved(module: nn.Module, place: str | torch.device = "cuda:0") -> nn.Module:
    """The module with all its parameters and buffers on a simulated device. It is changed, as by `module.to`."""
    place = whole(place)
    for each in module.modules():
        for name, value in list(each._parameters.items()):
            if value is not None:
                there = SimulatedTensor(inner_of(value.detach()), place)
                each._parameters[name] = nn.Parameter(there, requires_grad=False)
        for name, value in list(each._buffers.items()):
            if value is not None:
                each._buffers[name] = SimulatedTensor(inner_of(value), place)
    return module
