"""A change of a model's parameters, cheaply detected: keys and values computed before it are no longer the model's."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from hashlib import blake2b
from itertools import chain
from operator import attrgetter, is_not, itemgetter, methodcaller
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary, WeakSet, ref

import torch
from torch import Tensor, UntypedStorage, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn.modules import module as torch_module
from torch.nn.modules.dropout import _DropoutNd
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from outlines_cont.processes import whole_at_fork

if TYPE_CHECKING:
    from transformers import PreTrainedModel


# --- the device of a transformers model

#: transformers looks for them by name, which takes longer than anything else here.
_embeddings: WeakKeyDictionary[PreTrainedModel, ref[Any]] = WeakKeyDictionary()


def device_of(hf: PreTrainedModel) -> torch.device:
    """Where the model takes its token ids; where it runs, if accelerate keeps its weights elsewhere.

    It is the device of the first embedding that was seen, as long as that lives: whoever gives the model another one
    has to drop the old.
    """
    embedding_ref = _embeddings.get(hf)
    embedding: Any = embedding_ref and embedding_ref()
    if embedding is None:
        embedding = hf.get_input_embeddings()
        _embeddings[hf] = ref(embedding)
    weight = embedding.weight
    device = weight.device if isinstance(weight, torch.Tensor) else hf.device  # a quantised one has it for a method
    if device.type != "meta":
        return device
    if not hasattr(embedding, "_hf_hook"):
        raise ValueError(f"{type(hf).__name__} lies on the device 'meta', which holds no weights: load it first")
    return torch.device(embedding._hf_hook.execution_device)


# --- a digest of all values that a module holds: tells models apart, also across processes, devices and shards

WORDS = 4096  # of 64 bits, in a line
LINES = {"cpu": 64}  # that are multiplied at once: what fits a cache of 4 MB
MANY_LINES = 4096


def identity_of(module: nn.Module, parts: Iterable[tuple[str, nn.Module, Callable[[str], bool]]] | None = None) -> str:
    """A digest of the names, dtypes, shapes and all bits of the parameters and persistent buffers, and of
    what else goes into the `state_dict` (the packed weights of a quantised layer).

    It does not depend on the device, nor on how the values are spread over devices: weights that accelerate has put
    elsewhere are fetched part by part, a `DTensor` is gathered, which all its processes must ask for together.

    parts: the parts of the module that count, each with a path and with what says which of its tensors count; None for
    all of them.
    """
    digest, tied = blake2b(digest_size=16), dict[Any, tuple[Tensor, bytes]]()
    for path, part, counts in parts or ((path, part, lambda name: True) for path, part in module.named_modules()):
        with torch.no_grad(), _here(part):
            content: dict[str, Any] = {}
            part._save_to_state_dict(content, f"{path}.", keep_vars=False)
            for name, value in content.items():
                if counts(name.removeprefix(f"{path}.")):
                    for text in _described(name, value, {} if hasattr(part, "_hf_hook") else tied):
                        digest.update(text)
    return digest.hexdigest()


def _here(part: nn.Module) -> AbstractContextManager[Any]:
    """Where the weights of a part are at hand. Those that accelerate has put elsewhere are fetched."""
    if not hasattr(part, "_hf_hook"):
        return nullcontext()
    from accelerate.utils import align_module_device  # not installed, where no model is spread

    return align_module_device(part)


def _described(name: str, value: Any, tied: dict[Any, tuple[Tensor, bytes]]) -> Iterator[bytes]:
    """What goes into the digest for an entry of a `state_dict`. tied: the tensors that were read, which stay alive, by
    where they lie, with their digests: an embedding may be the head, too."""
    if hasattr(value, "full_tensor"):  # a DTensor, whose module takes a second to import
        value = value.full_tensor()
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from _described(f"{name}.{i}", item, tied)
    elif not isinstance(value, Tensor):
        yield f"{name} {value if isinstance(value, (bool, int, float, str, torch.dtype)) else type(value)}\n".encode()
    elif is_traceable_wrapper_subclass(value):  # of torchao, for one
        for part in value.__tensor_flatten__()[0]:
            yield from _described(f"{name}.{part}", getattr(value, part), tied)
    else:
        yield f"{name} {value.dtype} {tuple(value.shape)}\n".encode()
        place = value.layout, value.dtype, value.shape, value.is_meta or (value.data_ptr(), value.stride())
        if place not in tied:
            tied[place] = value, content_digest(value)
        yield tied[place][1]


def content_digest(tensor: Tensor) -> bytes:
    """16 bytes that tell a tensor's values from others, on whatever device it is.

    A line of 4,096 words w becomes Σ rᵢ wᵢ mod 2⁶⁴, with fixed odd random rᵢ (multilinear hashing, Lemire & Kaser
    2014: one word changed changes the sum, others coincide with a chance of 2⁻⁶⁴ or so); a cryptographic hash of the
    sums follows. So the values are read once, where they are: 8 times as fast as hashing them all on a CPU.
    """
    if tensor.is_meta:
        raise ValueError("a parameter is on the device 'meta', without values: load the model before it is saved with")
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    flat = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
    if flat.stride() != (1,) or flat.storage_offset() * flat.element_size() % 8:
        flat = flat.clone(memory_format=torch.contiguous_format)
    raw = flat.view(torch.uint8)
    whole = len(raw) - len(raw) % (8 * WORDS)
    digest = blake2b(raw[whole:].cpu().numpy().tobytes(), digest_size=16)
    factors = _factors().to(raw.device)
    for lines in raw[:whole].view(torch.int64).view(-1, WORDS).split(LINES.get(raw.device.type, MANY_LINES)):
        digest.update((lines * factors).sum(1).cpu().numpy().tobytes())
    return digest.digest()


@cache
def _factors() -> Tensor:
    """4,096 odd numbers of 64 bits, the same in every process."""
    words = blake2b(b"outlines_cont", digest_size=64)
    factors: list[int] = []
    while len(factors) < WORDS:
        words.update(words.digest())
        factors += [int.from_bytes(words.digest()[i : i + 8], "little", signed=True) | 1 for i in range(0, 64, 8)]
    return torch.tensor(factors)


# --- parameters

ADAPTER_SETTINGS = ("_active_adapter", "_disable_adapters", "merged_adapters", "scaling")  # of a peft layer
# Which attention a model uses: ours, while it computes for us.
NOT_OURS = "_attn_implementation_internal"
# Hooks that change no number: transformers records hidden states by them, and lets embeddings have gradients, as peft.
HARMLESS = {"transformers.utils.output_capturing", "make_inputs_require_grad", "make_inputs_require_grads"}
PLAIN = (bool, int, float, complex, str, type(None), FunctionType, MethodType, BuiltinFunctionType)

_writing: WeakSet[nn.Module] = WeakSet()  # whose forwards write attributes
_optimizer_steps = 0
_stepped: deque[tuple[ref[Tensor], ...]] = deque(maxlen=64)  # the parameters of the last steps
_counting = False  # whether the hook that counts them is registered
_registration = whole_at_fork(threading.Lock())
GLOBAL_HOOKS = [torch_module._global_forward_hooks, torch_module._global_forward_pre_hooks]
_MODE, _CHILDREN, _VERSION = attrgetter("training"), attrgetter("_modules"), attrgetter("_version")
_HOOKS, _TENSORS = attrgetter("_forward_hooks", "_forward_pre_hooks"), attrgetter("_parameters", "_buffers")
_IS_THERE = partial(is_not, None)
_EXPIRED = cast(Callable[[int], bool], UntypedStorage._expired)


def _count_step(optimizer: torch.optim.Optimizer, *_: Any) -> None:
    """Fused optimizers leave no trace in the parameters' version counters."""
    global _optimizer_steps
    parameters = chain.from_iterable(group["params"] for group in optimizer.param_groups)
    _stepped.append(tuple(ref(each) for each in parameters if each.requires_grad or each.grad is not None))
    _optimizer_steps += 1


def steps() -> int:
    """How many steps of optimizers were counted."""
    return _optimizer_steps


def stepped_since(before: int) -> list[tuple[ref[Tensor], ...]] | None:
    """The parameters of each step since there were so many; None if that is too long ago."""
    new = _optimizer_steps - before
    return None if new > len(_stepped) else [*_stepped][len(_stepped) - new :]


def count_optimizer_steps() -> None:
    """Count all optimizer steps of this process from now on. Further calls do nothing."""
    global _counting
    with _registration:
        if not _counting:
            register_optimizer_step_post_hook(_count_step)
            _counting = True


class ParameterWatch:
    """Remembers what a module was at the last look, and says whether it has changed since.

    Seen are: an optimizer's step; the identity, storage and version counter of every tensor that the module's parts
    hold, parameters, buffers and others; their plain attributes (numbers, strings, flags, functions: the epsilon of a
    norm, train mode, a `forward` put in place of another); those of the config; the settings of peft's adapters.
    Forward hooks are seen apart from these: see `hooks`.

    Not seen are: values written past torch's version counters (`parameter.data.mul_(2)`, a numpy view of it), and what
    changes within a list, a dict or another object that a part holds.

    Every decode step has a look, 0.15 ms at 30 layers: so it goes by `map`.

    Attributes:
        spared: the plain attributes that are not watched: the `id` of the `vars` that hold one, and its name.
    """

    def __init__(self, module: nn.Module):
        count_optimizer_steps()
        self._module = module
        self.spared: set[tuple[int, str]] = set()  # the id of the `vars` that hold it, and its name
        self._hooks_seen: tuple[list[int], frozenset[int]] = [], frozenset()  # all numbers, and those that count
        self._remember()

    def __repr__(self) -> str:
        return f"ParameterWatch({type(self._module).__name__})"

    def changed(self) -> bool:
        """Whether anything changed since the last look."""
        if not self._gone and not any(map(_EXPIRED, self._storage_ids)) and equal(self._seen, self._look()):
            return False
        self._remember()
        return True

    def hooks(self) -> frozenset[int]:
        """The numbers of the forward hooks and pre-hooks that there are: on the parts that it had when `changed` last
        looked, and on all modules. Torch gives no number twice. Those that change no number are left out."""
        numbers = [*chain.from_iterable(filter(None, self._hooks))]
        if numbers != self._hooks_seen[0]:
            self._hooks_seen = numbers, frozenset(_foreign(self._hooks))
        return self._hooks_seen[1]

    def spare_what_forwards_write(self) -> None:
        """Plain attributes that changed since the last look are watched no longer. For use after some forwards: what
        these wrote (a counter, the longest row so far) is no change of the model."""
        before = dict(zip(self._plain, self._seen[1], strict=True))
        self._remember()
        after = dict(zip(self._plain, self._seen[1], strict=True))
        self.spared |= {at for at in after if at not in before or not equal(before[at], after[at])}
        if self.spared:
            _writing.add(self._module)
        self._remember()

    def check(self) -> None:
        """ValueError if dropout is on: then no two forwards give the same."""
        if self._module.training and any(module.training for module in self._dropouts):
            raise ValueError(
                f"{type(self._module).__name__} is in train mode and has dropout: its logits are random. Call "
                "model.hf.eval() before generating"
            )

    def _remember(self) -> None:
        """Find the parts of the module and what they hold anew, and what they are now."""
        self._collect()
        self._seen = self._look()
        gone: list[Any] = []  # a list of its own, which the references of an earlier look do not fill
        tensors = self._placed()[0]
        self._gone, self._references = gone, [weakref.ref(tensor, gone.append) for tensor in tensors]
        self._storages = [StorageWeakRef(t.untyped_storage()) for t in tensors if not is_traceable_wrapper_subclass(t)]
        self._storage_ids = [storage.cdata for storage in self._storages]

    def _collect(self) -> None:
        """Where everything is that is watched."""
        modules = self._modules = list(self._module.modules())
        self._without_mode = [m for m in modules if "training" not in vars(m)]  # scripted ones
        self._dropouts = [m for m in modules if isinstance(m, _DropoutNd) and m.p]
        self._hooks = _hooks_of(modules)
        self._tensors = [*chain.from_iterable(map(_TENSORS, modules))]
        only_dicts = all(isinstance(group, dict) for group in [*map(_CHILDREN, modules), *self._tensors])
        self._values: Callable[[Any], Iterable[Any]] = dict.values if only_dicts else methodcaller("values")
        self._dicts = [*map(vars, modules), *configs_of(self._module)]
        self._adapters = [group for group in self._dicts if "_active_adapter" in group]
        plain = [at for at in _attributes(self._dicts, PLAIN) if (id(at[0]), at[1]) not in self.spared]
        self._plain = [(id(holder), name) for holder, name in plain]
        self._plain_dicts, self._plain_names = [*map(itemgetter(0), plain)], [*map(itemgetter(1), plain)]
        self._loose = _attributes(self._dicts, Tensor)

    def _look(self) -> tuple[Any, ...]:
        """Everything that is watched, as a value."""
        tensors, pointers = self._placed()
        try:
            versions = [*map(_VERSION, tensors)]
        except RuntimeError:  # tensors made under inference_mode have no version counter
            versions = [0 if t.is_inference() else t._version for t in tensors]
        return (
            _optimizer_steps,
            [*map(dict.get, self._plain_dicts, self._plain_names)],
            [*map(len, self._dicts)],
            [*map(_MODE, self._without_mode)],
            [*map(id, chain.from_iterable(map(self._values, filter(None, map(_CHILDREN, self._modules)))))],
            [*map(id, tensors)],
            pointers,
            versions,
            self._adapters and [str([layer.get(name) for name in ADAPTER_SETTINGS]) for layer in self._adapters],
        )

    def _placed(self) -> tuple[list[Tensor], list[int]]:
        """All tensors with their addresses, but for those that accelerate has put elsewhere: these are other tensors
        at every forward."""
        registered: Iterable[Any] = chain.from_iterable(map(self._values, filter(None, self._tensors)))
        tensors: list[Tensor] = [*filter(_IS_THERE, registered)]
        if self._loose:
            tensors += [t for holder, name in self._loose if isinstance(t := holder.get(name), Tensor)]
        pointers = [*map(Tensor.data_ptr, tensors)]
        if not all(pointers):
            tensors = [part for tensor in tensors for part in tensor_parts(tensor)]
            pointers = [*map(Tensor.data_ptr, tensors)]
        return tensors, pointers


FORWARD_HOOKS = "its forward hooks"


def side_effects(module: nn.Module) -> str | None:
    """What its forwards do on the host besides launching, as far as is known."""
    if any(True for _ in _foreign(_hooks_of(module.modules()))):
        return FORWARD_HOOKS
    return "the attributes that its forwards write" if module in _writing else None


def _hooks_of(modules: Iterable[nn.Module]) -> list[dict[int, Any]]:
    return [*GLOBAL_HOOKS, *chain.from_iterable(map(_HOOKS, modules))]


def _foreign(groups: Iterable[dict[int, Any]]) -> Iterator[int]:
    for number, hook in chain.from_iterable(map(dict.items, filter(None, groups))):
        if not {getattr(hook, "__module__", ""), getattr(hook, "__name__", "")} & HARMLESS:
            yield number


def _attributes(holders: Iterable[dict[str, Any]], kind: Any) -> list[tuple[dict[str, Any], str]]:
    """Where values of a kind are: by the `vars` that hold them, and by name."""
    return [(h, name) for h in holders for name, value in h.items() if isinstance(value, kind) and name != NOT_OURS]


def tensor_parts(tensor: Tensor) -> Iterator[Tensor]:
    """A tensor, and those within it (the shard of a DTensor, the packed values of a quantised one)."""
    if not tensor.is_meta:
        yield tensor
    if is_traceable_wrapper_subclass(tensor):
        within = [getattr(tensor, name) for name in tensor.__tensor_flatten__()[0]]
        for part in within:
            yield from tensor_parts(part) if isinstance(part, Tensor) else ()


def configs_of(module: nn.Module) -> list[dict[str, Any]]:
    """The attributes of its config, and of its text model's: some models read numbers there at every forward."""
    config: Any = getattr(module, "config", None)
    if not hasattr(config, "get_text_config"):
        return []
    return [vars(c) for c in {id(c): c for c in (config, config.get_text_config())}.values()]


def equal(before: Any, now: Any) -> bool:
    """Whether what was seen is what there is."""
    try:
        return bool(before == now)
    except (RuntimeError, ValueError):  # a tensor or an array where a number was
        return False
