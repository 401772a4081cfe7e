"""A change of a model's parameters, cheaply detected: keys and values computed before it are no longer the model's."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from itertools import chain
from operator import attrgetter, methodcaller
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.dropout import _DropoutNd
from torch.optim.optimizer import register_optimizer_step_post_hook

ADAPTER_SETTINGS = ("_active_adapter", "_disable_adapters", "merged_adapters", "scaling")  # of a peft layer

_optimizer_steps = 0
_counting = False  # whether the hook that counts them is registered
_registration = threading.Lock()
_MODE, _CHILDREN, _VERSION = attrgetter("training"), attrgetter("_modules"), attrgetter("_version")


def _count_step(*_: Any) -> None:
    """Fused optimizers leave no trace in the parameters' version counters."""
    global _optimizer_steps
    _optimizer_steps += 1


def count_optimizer_steps() -> None:
    """Count all optimizer steps of this process from now on. Further calls do nothing."""
    global _counting
    with _registration:
        if not _counting:
            register_optimizer_step_post_hook(_count_step)
            _counting = True


class ParameterWatch:
    """Remembers what a module was at the last look: identities, storage and version counters of its parameters and
    buffers, the modes of its parts, the settings of peft's adapters.

    Every decode step has a look, 0.1 ms at 30 layers: so it goes by `map`. Writes through `parameter.data` leave no
    trace.
    """

    def __init__(self, module: nn.Module):
        count_optimizer_steps()
        self._module = module
        self._modules: list[nn.Module] = []
        self._children: list[int] = []
        self._values: Callable[[Any], Iterable[Any]] = dict.values
        self._seen = self._look()

    def changed(self) -> bool:
        """Whether anything changed since the last look."""
        before, self._seen = self._seen, self._look()
        return before != self._seen

    def check(self) -> None:
        """ValueError if dropout is on: then no two forwards give the same."""
        if self._module.training and any(module.training for module in self._dropouts):
            raise ValueError(
                f"{type(self._module).__name__} is in train mode and has dropout: its logits are random. Call "
                "model.hf.eval() before generating"
            )

    def _look(self) -> tuple[object, ...]:
        """Everything that is watched, as a value."""
        if not self._modules or self._children != self._child_ids():
            self._collect()
        modes = [*map(_MODE, self._modules)]
        return _optimizer_steps, modes, self._children, self._tensor_marks(), self._adapter_settings()

    def _collect(self) -> None:
        """Find the parts of the module anew."""
        self._modules = list(self._module.modules())
        self._tensors = [group for m in self._modules for group in (m._parameters, m._buffers)]
        self._adapters = [vars(module) for module in self._modules if "_active_adapter" in vars(module)]
        self._dropouts = [m for m in self._modules if isinstance(m, _DropoutNd) and m.p]
        plain = all(isinstance(group, dict) for group in [*map(_CHILDREN, self._modules), *self._tensors])
        self._values = dict.values if plain else methodcaller("values")  # scripted modules have groups of their own
        self._children = self._child_ids()

    def _tensor_marks(self) -> tuple[list[int], ...]:
        """The identity, storage and version counter of each parameter and buffer."""
        tensors: Iterable[Tensor | None] = chain.from_iterable(map(self._values, filter(None, self._tensors)))
        placed = [t for t in tensors if t is not None]
        pointers = [*map(Tensor.data_ptr, placed)]
        if not all(pointers):  # what accelerate has put elsewhere is another tensor at every forward, without storage
            placed = [t for t, pointer in zip(placed, pointers, strict=True) if pointer]
        try:
            versions = [*map(_VERSION, placed)]
        except RuntimeError:  # tensors made under inference_mode have no version counter
            versions = [0 if t.is_inference() else t._version for t in placed]
        return [*map(id, placed)], pointers, versions

    def _adapter_settings(self) -> list[str]:
        return [str([layer.get(name) for name in ADAPTER_SETTINGS]) for layer in self._adapters]

    def _child_ids(self) -> list[int]:
        """The identities of all modules below: a replaced one shows."""
        return [*map(id, chain.from_iterable(map(self._values, filter(None, map(_CHILDREN, self._modules)))))]
