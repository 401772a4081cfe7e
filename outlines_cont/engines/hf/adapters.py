"""The adapters of peft: to which of them a part of a model belongs, which of them are active, and which keys and values
belong to which setting of them.

A layer of peft wraps a part of the model, and holds the parts and the tensors of its adapters in dicts, by their names.
Layers that train a copy of the part (`modules_to_save`) do so, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from torch import nn

WRAPPED = {"base_layer", "original_module"}  # what a layer of peft wraps
ADAPTER_SETTINGS = ("_active_adapter", "_disable_adapters", "merged_adapters", "scaling")  # of a layer of peft
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


# --- settings

MOST_SETTINGS = 64  # that are remembered; those that were made first go first
SWITCHES = ("_active_adapter", "_disable_adapters")  # what says which adapters of a layer are active

Setting = tuple[tuple[Any, ...], ...]  # of each layer that adds something: its path, and how it is set


class Watch(Protocol):
    """Says whether a model has changed since the last look, and what of it: see `ParameterWatch`."""

    changes: set[str | None]

    def changed(self) -> bool:
        """Whether anything changed since the last look."""
        ...


class AdapterSettings:
    """A number for each setting of a model's adapters, which lasts until the parameters that it uses change.

    The adapters of a setting are given as a tuple of names, `()` for the model without adapters; None stands for those
    that the model is set to itself.
    """

    def __init__(self, hf: nn.Module, watch: Watch):
        self._hf, self._watch, self._count = hf, watch, 0
        self._numbers: dict[Setting, int] = {}
        self._now: dict[tuple[str, ...] | None, int] = {}  # since the last change
        self._switches: dict[tuple[str, ...], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
        self._lent: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = []
        self._layers = self._find_layers()

    def _find_layers(self) -> list[tuple[str, nn.Module]]:
        return [(path, part) for path, part, _ in parts_of(self._hf) if is_layer(part)]

    def look(self) -> None:
        """Look whether the model has changed. After that, numbers of what is wrong now are given no more."""
        self._give_back()
        if not self._watch.changed():
            return
        changes = self._watch.changes
        for setting in [each for each in self._numbers if None in changes or changes & _adapters_of(each)]:
            del self._numbers[setting]
        self._now, self._switches, self._layers = {}, {}, self._find_layers()

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
        for path, layer in self._layers:
            active = None if adapters is None else tuple(name for name in adapters if name in adapters_in(layer))
            if (setting := setting_of(layer, active)) is not None:
                settings.append((path, *setting))
        return tuple(settings)

    def check(self, adapters: Sequence[str]) -> None:
        """ValueError for adapters that the model does not have, and for a setting that it cannot have."""
        there = sorted({name for _, layer in self._layers for name in adapters_in(layer)})
        called = f"with_adapter({list(adapters) if len(adapters) != 1 else adapters[0]!r})"
        if missing := [name for name in adapters if name not in there]:
            has = f"it has {', '.join(map(repr, there))}" if there else "it has none: model.hf.load_adapter loads one"
            raise ValueError(f"{called}: {type(self._hf).__name__} has no adapter {missing[0]!r}; {has}")
        for path, layer in self._layers:
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
            self._switches[adapters] = [(vars(layer), _switches(layer, adapters)) for _, layer in self._layers]
        try:
            before = [
                (at, new, {name: at[name] for name in SWITCHES if name in at}) for at, new in self._switches[adapters]
            ]
            self._lent = before
            for attributes, new in self._switches[adapters]:
                attributes.update(new)
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


def _adapters_of(setting: Setting) -> set[str]:
    """The adapters that a setting uses."""
    return {name for _, active, merged, _ in setting for name in (*active, *merged)}


def _switches(layer: nn.Module, adapters: Sequence[str]) -> dict[str, Any]:
    """The attributes of a layer under which these adapters are active, as far as it has them."""
    active = [name for name in adapters if name in adapters_in(layer)]
    return dict(zip(SWITCHES, (active, not active), strict=True))
