"""When keys and values are no longer those of the model: a change of its parameters, cheaply detected."""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.optim.optimizer import register_optimizer_step_post_hook

_optimizer_steps = 0


def _count_step(*_: Any) -> None:
    """Fused optimizers leave no trace in the parameters' version counters."""
    global _optimizer_steps
    _optimizer_steps += 1


register_optimizer_step_post_hook(_count_step)


class Version:
    """What a module's parameters were at the last look: identities, storage, version counters, mode, peft's adapters.

    A look takes 0.1 ms at 30 layers. Writes through `parameter.data` leave no trace.
    """

    def __init__(self, module: nn.Module):
        self._module = module
        self._modules: list[nn.Module] = []
        self._children: list[int] = []
        self._seen = self._look()

    def changed(self) -> bool:
        """Whether anything changed since the last look."""
        before, self._seen = self._seen, self._look()
        return before != self._seen

    def _look(self) -> int:
        if not self._modules or self._children != self._grown():
            self._modules = list(self._module.modules())
            self._parameters = [module._parameters for module in self._modules]
            self._adapters = [vars(module) for module in self._modules if "_active_adapter" in vars(module)]
            self._children = self._grown()
        parameters = [p for group in self._parameters for p in group.values() if p is not None]
        try:
            seen = [(id(p), p.data_ptr(), p._version) for p in parameters]
        except RuntimeError:  # tensors made under inference_mode have no version counter
            seen = [(id(p), p.data_ptr(), 0 if p.is_inference() else p._version) for p in parameters]
        names = ("_active_adapter", "_disable_adapters", "merged_adapters")
        adapters = [str([layer.get(name) for name in names]) for layer in self._adapters]
        return hash((self._module.training, _optimizer_steps, *self._children, *seen, *adapters))

    def _grown(self) -> list[int]:
        """The identities of all modules below: a replaced one shows."""
        return [id(child) for module in self._modules for child in module._modules.values()]
