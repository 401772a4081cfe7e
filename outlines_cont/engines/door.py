"""What stands behind a `Model`: its arguments → a language model and the engine that users see."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch

from outlines_cont.arguments import is_whole, shown
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.protocol import Engine, LanguageModel, members_of, missing_members
from outlines_cont.engines.slot_model import SlotModel, name_of
from outlines_cont.engines.text_side import text_of
from outlines_cont.fsm.vocabulary import Vocabulary


def language_model_of(
    engine: Any, tokenizer: Any, kv_budget: Any, batch_invariant: bool = False, store: Any = None
) -> Any:
    """The `LanguageModel` of a transformers model, of an `Engine`, or of a `LanguageModel`, and of a tokenizer.

    Raises:
        TypeError: something else, with the members that it lacks; no tokenizer for an engine, one for a language model.
        ValueError: a vocabulary of another size than the engine's logits; what the engine says.
    """
    if isinstance(engine, type):
        raise TypeError(f"Model takes an engine, not the class {engine.__name__}: make one of it first")
    ready = not missing_members(engine, LanguageModel) or not missing_members(engine, Engine)
    if batch_invariant and ready:
        raise TypeError(
            f"Model({name_of(engine)}, batch_invariant=True): it says itself how it computes. transformers models take "
            "this option here, and LlamaCppEngine takes it when it is made"
        )
    if not missing_members(engine, LanguageModel):
        if store is not None:
            raise TypeError(f"store={shown(store)}: {type(engine).__name__} has a cache of its own")
        return _checked_language_model(engine, tokenizer, kv_budget)
    if missing_members(engine, Engine):
        refuse_half_made(engine)
        engine = TransformersEngine(engine, tokenizer, batch_invariant)
    elif tokenizer is None:
        raise TypeError(f"Model({name_of(engine)}, tokenizer): an engine needs its tokenizer beside it")
    else:
        check_engine_members(engine)
    if isinstance(tokenizer, Vocabulary):
        tokenizer, vocabulary, encoder = text_of(tokenizer)
    else:
        tokenizer, vocabulary, encoder = text_of(tokenizer, engine.n_vocab, engine.eos)
    return SlotModel(engine, vocabulary, encoder, kv_budget, tokenizer, store)


def _checked_language_model(model: Any, tokenizer: Any, kv_budget: Any) -> Any:
    """A language model as it is. TypeError for arguments that are not for it."""
    kind = type(model).__name__
    if tokenizer is not None:
        raise TypeError(
            f"Model({kind}, tokenizer): {kind} has a vocabulary and an encoder already: Model({kind}) alone"
        )
    if kv_budget != "auto":
        raise TypeError(f"kv_budget={kv_budget!r}: {kind} has a cache of its own, which is not bounded here")
    check_language_model_members(model)
    return model


#: What hardly anything else has: who has one of these means to write a language model.
READING = ("read", "claimed", "kv_lengths")


def refuse_half_made(model: Any) -> None:
    """TypeError for what has some members of one of the protocols, and lacks others."""
    if model is None or hasattr(model, "get_output_embeddings") or hasattr(model, "get_vocab"):
        return
    lacking: dict[type, list[str]] = {each: missing_members(model, each) for each in (Engine, LanguageModel)}
    present = {protocol: len(members_of(protocol)) - len(names) for protocol, names in lacking.items()}
    protocol: type = max(present, key=present.__getitem__)
    if lacking[protocol] and present[protocol] <= 2:  # many things have a device and a dtype
        protocol = LanguageModel
        if all(name in lacking[protocol] for name in READING):
            return
    names = ", ".join(lacking[protocol])
    raise TypeError(
        "Model takes a transformers model, an oc.stepping.Engine or an oc.stepping.LanguageModel, and "
        f"{type(model).__name__} has no {names}, which belong{'s' * (len(lacking[protocol]) == 1)} to an "
        f"oc.stepping.{protocol.__name__}: docs/engines.md lists all"
    )


# --- the members of an engine or a language model of a third party: what is wrong is named where it was written


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
OPTIONAL_RULES: dict[str, Rule] = {"keeps": FLAG, "alone": FLAG, "check": METHOD}
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
        raise TypeError(f"{type(model).__name__}.identity is a method: it must be a str; write @property above it")
    _check_spelling(model)


def _check(thing: Any, rules: dict[str, Rule]) -> None:
    for name, (fits, right) in rules.items():
        value = getattr(thing, name)
        if fits(value):
            continue
        if inspect.ismethod(value) and right != METHOD[1]:
            raise TypeError(f"{type(thing).__name__}.{name} is a method: it must be {right}; write @property above it")
        raise TypeError(f"{type(thing).__name__}.{name} is {shown(value)} ({type(value).__name__}): it must be {right}")


def _check_spelling(thing: Any) -> None:
    for wrong, right in MISSPELLED.items():
        if isinstance(getattr(thing, wrong, None), bool) and not hasattr(thing, right):
            raise TypeError(f"{type(thing).__name__}.{wrong} is no member that is looked at: it is called {right}")
