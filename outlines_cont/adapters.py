"""The adapters of peft: to which of them a part of a model belongs, which of them are active, and which keys and values
belong to which setting of them.

A layer of peft wraps a part of the model, and holds the parts and the tensors of its adapters in dicts, by their names.
Layers that train a copy of the part (`modules_to_save`) do so, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any
from weakref import ref

from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from outlines_cont.arguments import shown
from outlines_cont.engines.hf.parameters import (
    ADAPTER_SETTINGS,
    NOT_OURS,
    PLAIN,
    ParameterWatch,
    configs_of,
    equal,
    identity_of,
    stepped_since,
    steps,
    tensor_parts,
)
from outlines_cont.waiting import told

WRAPPED = {"base_layer", "original_module"}  # what a layer of peft wraps
# Attributes that only say which adapters are there and which are active, apart from those of prompt tuning.
ABOUT_ADAPTERS = frozenset(("active_adapter", "_hf_peft_config_loaded", "peft_config"))


def is_layer(part: nn.Module) -> bool:
    """Whether it is a layer of peft, which wraps a part of the model."""
    return "_active_adapter" in vars(part)


def adapters_in(layer: nn.Module) -> set[str]:
    """The adapters that a layer of peft has, by their names."""
    if "_adapters" in vars(layer):  # it trains a copy of the part
        return set(vars(layer)["_adapters"])
    held = (layer._modules.get(name) for name in _containers(layer))
    return {name for each in held if each is not None for name in [*each._modules, *each._parameters, *each._buffers]}


def active_in(layer: nn.Module) -> tuple[str, ...]:
    """The adapters that a layer of peft adds to what it wraps, in their order."""
    if getattr(layer, "_disable_adapters", False):
        return ()
    active: Any = vars(layer)["_active_adapter"]
    names, held = (active,) if isinstance(active, str) else tuple(active), adapters_in(layer)
    if "_adapters" in vars(layer) and not held.issuperset(names):  # then no copy is used
        return ()
    return tuple(name for name in names if name in held)


def setting_of(part: nn.Module, active: tuple[str, ...] | None = None) -> tuple[Any, ...] | None:
    """How a layer of peft is set: (active adapters, merged ones, how strong the active ones are). None for what is no
    layer of peft, and for one that only passes on. active: others than those that are."""
    if not is_layer(part):
        return None
    names, attributes = active_in(part) if active is None else active, vars(part)
    merged, scaling = tuple(attributes.get("merged_adapters") or ()), attributes.get("scaling")
    if not names and not merged:
        return None
    return names, merged, str([scaling.get(name) for name in names] if isinstance(scaling, dict) else scaling)


def _containers(layer: nn.Module) -> list[str]:
    """The names under which a layer of peft holds what belongs to adapters."""
    return [*getattr(layer, "adapter_layer_names", ()), *getattr(layer, "other_param_names", ())]


@dataclass(frozen=True, slots=True)
class Groups:
    """To which adapters the tensors of a part belong. None stands for the model itself.

    one: the adapter of all of them; keyed: whether each belongs to the adapter of its name; active: the adapters that
    the layer of peft above uses.
    """

    one: str | None = None
    keyed: bool = False
    active: tuple[str, ...] = ()

    def of(self, name: str) -> str | None:
        """The adapter of a tensor of this name."""
        return name if self.keyed else self.one


def parts_of(module: nn.Module) -> Iterator[tuple[str, nn.Module, Groups]]:
    """All parts of a module, each once, with its path, in which layers of peft have none. A part comes before those
    within it."""
    return _parts_below(module, "", Groups(), set())


def _parts_below(
    part: nn.Module, path: str, groups: Groups, seen: set[nn.Module]
) -> Iterator[tuple[str, nn.Module, Groups]]:
    if part in seen:
        return
    seen.add(part)
    yield path, part, groups
    layer = is_layer(part)
    for name, child in part._modules.items():
        if child is None:
            continue
        below, within = path if layer and name in WRAPPED else f"{path}.{name}" if path else name, groups
        if groups.keyed:
            within = Groups(name, active=groups.active)
        elif layer and name in _containers(part):
            within = Groups(keyed=True, active=(*active_in(part), *vars(part).get("merged_adapters", ())))
        yield from _parts_below(child, below, within, seen)


def counted_parts(hf: nn.Module) -> Iterator[tuple[str, nn.Module, Callable[[str], bool]]]:
    """The parts of a model for its digest, with what says which of their tensors count: those of active adapters, and
    those that belong to none. So without active adapters it is the digest of the model before it had any."""
    for path, part, groups in parts_of(hf):
        counts = {None, *groups.active}
        if groups.keyed or groups.one in counts:
            yield path.removeprefix("base_model.model."), part, lambda name, g=groups, c=counts: g.of(name) in c


# --- settings

WRAPPER = " as peft has it"  # after the path of a layer of peft: one that comes or goes changes nothing by itself

MOST_SETTINGS = 64  # that are remembered; those that were made first go first
SWITCHES = ("_active_adapter", "_disable_adapters")  # what says which adapters of a layer are active

Setting = tuple[tuple[Any, ...], ...]  # of each layer that adds something: its path, and how it is set


class Snapshot:
    """What the parts of a model hold, and to which adapters it belongs."""

    def __init__(self, hf: nn.Module, spared: set[tuple[int, str]]):
        self.steps, self.layers = steps(), [(path, part) for path, part, _ in parts_of(hf) if is_layer(part)]
        self.settings = str([[vars(layer).get(name) for name in ADAPTER_SETTINGS] for _, layer in self.layers])
        self._modules = [*hf.modules()]  # held, so that the id of one is never that of a later one
        self._held: list[tuple[str | None, ref[Tensor], StorageWeakRef | None]] = []
        self._adapter_of: dict[int, str] = {}  # by the id of a tensor
        self._content: dict[tuple[str | None, str], Any] = {}  # by adapter, and by a path
        for i, config in enumerate(configs_of(hf)):
            self._content[None, f"config {i}"] = len(config), _plain_in(config, spared, ())
        for path, part, groups in parts_of(hf):
            self._note(path, part, groups, spared)

    def _note(self, path: str, part: nn.Module, groups: Groups, spared: set[tuple[int, str]]) -> None:
        attributes = vars(part)
        if is_layer(part):
            self._content[None, f"{path}{WRAPPER}"] = _plain_in(attributes, spared, ADAPTER_SETTINGS)
        elif not groups.keyed:
            about = () if "prompt_encoder" in part._modules else ABOUT_ADAPTERS
            plain = _plain_in(attributes, spared, about)
            self._content[groups.one, path] = id(part), part.training, attributes.keys() - {*about}, plain
        loose = [(name, value) for name, value in attributes.items() if isinstance(value, Tensor)]
        for name, value in [*part._parameters.items(), *part._buffers.items(), *loose]:
            if value is not None:
                adapter = groups.of(name)
                self._content[adapter, f"{path}.{name}"] = [self._hold(each, adapter) for each in tensor_parts(value)]

    def _hold(self, tensor: Tensor, adapter: str | None) -> tuple[int, int, int]:
        """Which tensor it is, where it lies, and how often it was written."""
        reference, wraps = ref(tensor), is_traceable_wrapper_subclass(tensor)
        self._held.append((adapter, reference, None if wraps else StorageWeakRef(tensor.untyped_storage())))
        if adapter is not None:
            self._adapter_of[id(tensor)] = adapter
        return id(reference), tensor.data_ptr(), 0 if tensor.is_inference() else tensor._version

    def changes(self, now: Snapshot) -> set[str | None]:
        """The adapters that are others now, None for the model itself. What only switches adapters changes nothing."""
        before, after = self._content, now._content
        changed = {at[0] for at in before.keys() ^ after.keys() if not at[1].endswith(WRAPPER)}
        changed |= {at[0] for at in before.keys() & after.keys() if not equal(before[at], after[at])}
        for adapter, reference, storage in self._held:
            if reference() is None or (storage is not None and storage.expired()):
                changed.add(adapter)
        for step in [()] if (stepped := stepped_since(self.steps)) is None else stepped:
            changed |= {now._adapter_of.get(id(each())) for each in step} or {None}
        return changed or ({None} if self.settings == now.settings else set())


def _plain_in(attributes: dict[str, Any], spared: set[tuple[int, str]], out: Collection[str]) -> dict[str, Any]:
    """The plain attributes that are watched, but for some."""
    at = id(attributes)
    plain = {name: value for name, value in attributes.items() if isinstance(value, PLAIN)}
    return {name: plain[name] for name in plain.keys() - {NOT_OURS, *out} if (at, name) not in spared}


class AdapterSettings:
    """A number for each setting of a model's adapters, which lasts until the parameters that it uses change.

    The adapters of a setting are given as a tuple of names, `()` for the model without adapters; None stands for those
    that the model is set to itself.
    """

    def __init__(self, hf: nn.Module, watch: ParameterWatch):
        self._hf, self._watch, self._count = hf, watch, 0
        self._seen = Snapshot(hf, watch.spared)
        self._numbers: dict[Setting, int] = {}
        self._now: dict[tuple[str, ...] | None, int] = {}  # since the last change
        self._switches: dict[tuple[str, ...], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
        self._lent: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = []
        self._inside: Callable[[], object] = lambda: None  # a pass, in which a hook may look; None outside

    def spare_what_forwards_write(self) -> None:
        """What forwards wrote since the last look is no change of the model."""
        self._watch.spare_what_forwards_write()
        self._seen = Snapshot(self._hf, self._watch.spared)

    def look(self) -> None:
        """Look whether the model has changed. After that, numbers of what is wrong now are given no more."""
        if self._inside() is None:
            self._give_back()
        if not self._watch.changed():
            return
        before, self._seen = self._seen, Snapshot(self._hf, self._watch.spared)
        changes = before.changes(self._seen)
        for setting in [*self._numbers]:
            if None in changes or changes.intersection(name for _, *names, _ in setting for name in chain(*names)):
                del self._numbers[setting]
        self._now, self._switches = {}, {}

    def number(self, adapters: tuple[str, ...] | None) -> int:
        """The number of a setting, since the last look."""
        if adapters not in self._now:
            setting = self._setting(adapters)
            if setting not in self._numbers:
                self._count += 1
                self._numbers[setting] = self._count
            while len(self._numbers) > MOST_SETTINGS:
                del self._numbers[next(iter(self._numbers))]
            self._now[adapters] = self._numbers[setting]
        return self._now[adapters]

    @property
    def numbers(self) -> set[int]:
        """The numbers that may come again."""
        return {*self._numbers.values()}

    def _setting(self, adapters: tuple[str, ...] | None) -> Setting:
        settings = []
        for path, layer in self._seen.layers:
            active = None if adapters is None else tuple(name for name in adapters if name in adapters_in(layer))
            if (setting := setting_of(layer, active)) is not None:
                settings.append((path.removeprefix("base_model.model."), *setting))
        there = {name for _, layer in self._seen.layers for name in adapters_in(layer)} if adapters else set()
        if gone := tuple(name for name in adapters or () if name not in there):
            settings.append(("", gone, (), ""))  # deleted: nothing is kept for it, and a pass refuses it
        return tuple(settings)

    def identity(self, adapters: tuple[str, ...] | None) -> str:
        """A digest of all values of every parameter that counts under a setting, and of the setting."""
        with self.under(adapters):
            digest = identity_of(self._hf, counted_parts(self._hf))
        setting = self._setting(adapters)
        return digest + blake2b(str(setting).encode(), digest_size=16).hexdigest() if setting else digest

    def check(self, adapters: Sequence[str]) -> None:
        """ValueError for adapters that the model does not have, and for a setting that it cannot have."""
        there = sorted({name for _, layer in self._seen.layers for name in adapters_in(layer)})
        called = f"with_adapter({list(adapters) if len(adapters) != 1 else adapters[0]!r})"
        if missing := [name for name in adapters if name not in there]:
            has = f"it has {', '.join(map(repr, there))}" if there else "it has none: model.hf.load_adapter loads one"
            raise ValueError(f"{called}: {type(self._hf).__name__} has no adapter {missing[0]!r}; {has}")
        for path, layer in self._seen.layers:
            if merged := vars(layer).get("merged_adapters"):
                raise ValueError(
                    f"{called}: the adapters {list(merged)} are merged into {path}: model.hf.unmerge_adapter() first"
                )
            copies = [name for name in adapters if "_adapters" in vars(layer) and name in adapters_in(layer)]
            if len(copies) > 1:
                raise ValueError(f"{called}: {copies} each have a copy of {path}: only one of them can be active")

    @contextmanager
    def under(self, adapters: tuple[str, ...] | None) -> Iterator[None]:
        """Within this context the model has this setting. peft's own `set_adapter` also says which parameters are
        trained: that would disturb a training. The caller holds the lock. ValueError as of `check`."""
        if adapters is None:
            yield
            return
        if adapters not in self._switches:
            self.check(adapters)
            self._switches[adapters] = [(vars(layer), _switches(layer, adapters)) for _, layer in self._seen.layers]
        self._give_back()
        new = self._switches[adapters]
        inside = set[str]()  # it goes with this frame, wherever an interrupt strikes
        try:
            self._inside = ref(inside)
            self._lent = [(at, values, {name: at[name] for name in SWITCHES if name in at}) for at, values in new]
            for attributes, values in new:
                attributes.update(values)
            yield
        finally:
            self._give_back()

    def _give_back(self) -> None:
        """Set the model to what it was set to. An interrupt may have cut this short before; where somebody has set a
        layer since then, it stays."""
        for attributes, new, before in self._lent:
            if attributes.get("_active_adapter") is new["_active_adapter"]:
                attributes.pop("_disable_adapters", None)  # (a class may say it)
                attributes.update(before)
        self._lent = []


def _switches(layer: nn.Module, adapters: Sequence[str]) -> dict[str, Any]:
    """The attributes of a layer under which these adapters are active, as far as it has them."""
    active = [name for name in adapters if name in adapters_in(layer)]
    return dict(zip(SWITCHES, (active, not active), strict=True))


# --- engines and models


def engine_under(engine: Any, adapters: tuple[str, ...]) -> Any:
    """A `TransformersEngine` of the model under these adapters, whatever it is set to. ValueError if one is missing."""
    other = object.__new__(type(engine))
    active = f"with {', '.join(adapters)}" if adapters else "without adapters"
    name = f"{type(engine.hf).__name__} {active}"
    vars(other).update(vars(engine), adapters=adapters, name=name, _key_shift=None)
    with engine.lock, told("trying out how to keep keys and values of {} exactly", name):
        engine.version()
        with engine._settings.under(adapters):
            other._probed, _ = other.tried()
        other._serve_by(other._probed)
    return other


def model_under(model: Any, adapter: Any) -> Any:
    """See `Model.with_adapter`."""
    names = () if adapter is None else (adapter,) if isinstance(adapter, str) else adapter
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"with_adapter({shown(adapter)}): it takes the name of an adapter, a list of names, or None")
    if not hasattr(model.engine, "adapters"):
        raise ValueError(
            f"with_adapter({shown(adapter)}): {model!r} cannot switch adapters, which models of transformers can: "
            "oc.load(folder, adapters={name: folder}). For other engines, merge the adapter into the weights"
        )
    names = tuple(dict.fromkeys(names))
    if (other := model._adapted.get(names)) is None:
        other = object.__new__(type(model))
        inner = model.language_model.beside(engine_under(model.engine, names))
        vars(other).update(vars(model), language_model=inner, engine=inner.engine, stats=inner.stats)
        model._adapted[names] = other
    return other
