"""What an engine or a language model of a third party gives, checked: what is wrong is named where it was written."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch

from outlines_cont.arguments import is_whole, shown
from outlines_cont.engines.protocol import Engine, missing_members
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kv.pool import SlotPool


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 1


def _are_ids(value: Any) -> bool:
    return not isinstance(value, str) and hasattr(value, "__iter__") and all(is_whole(token) for token in value)


Rule = tuple[Callable[[Any], bool], str]

DEVICE: Rule = (lambda value: isinstance(value, torch.device), "a torch.device, as torch.device('cpu')")
DTYPE: Rule = (lambda value: isinstance(value, torch.dtype), "a torch.dtype, as torch.float32")
CONTEXT: Rule = (lambda value: value is None or _is_count(value), "an int ≥ 1, or None for no bound")
FLAG: Rule = (lambda value: isinstance(value, bool), "True or False")
METHOD: Rule = (callable, "a method")

ENGINE_RULES: dict[str, Rule] = {
    "n_vocab": (_is_count, "an int ≥ 1"),
    "eos": (_are_ids, "a list of token ids"),
    "context_length": CONTEXT,
    "device": DEVICE,
    "dtype": DTYPE,
    **dict.fromkeys(("pool", "forward", "version", "identity"), METHOD),
}
OPTIONAL_RULES: dict[str, Rule] = {
    "keeps": FLAG,
    "alone": FLAG,
    "check": METHOD,
}
LANGUAGE_MODEL_RULES: dict[str, Rule] = {
    "vocabulary": (lambda value: isinstance(value, Vocabulary), "a Vocabulary (outlines_cont.fsm.vocabulary)"),
    "context_length": CONTEXT,
    "device": DEVICE,
    "dtype": DTYPE,
    **dict.fromkeys(("read", "claimed", "kv_lengths"), METHOD),
}
MISSPELLED = {"keep": "keeps"}  # members that nobody would look at


def check_engine_members(engine: Any) -> None:
    """TypeError for a member of an `Engine` that is of another kind than the protocol says."""
    _check(engine, ENGINE_RULES)
    _check(engine, {name: rule for name, rule in OPTIONAL_RULES.items() if getattr(engine, name, None) is not None})
    _check_spelling(engine)


def check_language_model_members(model: Any) -> None:
    """TypeError for a member of a `LanguageModel` that is of another kind than the protocol says. Nothing that takes
    long is asked for: the identity is a str or a property."""
    _check(model, LANGUAGE_MODEL_RULES)
    if callable(inspect.getattr_static(model, "identity", None)):
        raise TypeError(f"{_kind(model)}.identity is a method: it must be a str; write @property above it")
    _check_spelling(model)


def _check(thing: Any, rules: dict[str, Rule]) -> None:
    for name, (fits, right) in rules.items():
        value = getattr(thing, name)
        if fits(value):
            continue
        if inspect.ismethod(value) and right != METHOD[1]:
            raise TypeError(f"{_kind(thing)}.{name} is a method: it must be {right}; write @property above it")
        raise TypeError(f"{_kind(thing)}.{name} is {shown(value)} ({type(value).__name__}): it must be {right}")


def _check_spelling(thing: Any) -> None:
    for wrong, right in MISSPELLED.items():
        if isinstance(getattr(thing, wrong, None), bool) and not hasattr(thing, right):
            raise TypeError(f"{_kind(thing)}.{wrong} is no member that is looked at: it is called {right}")


def _kind(thing: Any) -> str:
    return type(thing).__name__


def checked_pool(engine: Engine) -> SlotPool:
    """A new pool of an engine. TypeError for what is none, unless the engine keeps nothing."""
    pool = engine.pool()
    if getattr(engine, "keeps", True) and (lacking := missing_members(pool, SlotPool)):
        raise TypeError(
            f"{_kind(engine)}.pool() gave {shown(pool)} ({_kind(pool)}), which has no {', '.join(lacking)}: it must be "
            "an outlines_cont.kv.pool.SlotPool, as outlines_cont.kv.pool.Pool() is one"
        )
    return pool
