"""What stands behind a `Model`: its arguments → a language model and the engine that users see."""

from __future__ import annotations

from typing import Any

from outlines_cont.engines.engine_checks import check_engine_members, check_language_model_members
from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.protocol import Engine, LanguageModel, members_of, missing_members
from outlines_cont.engines.slot_model import SlotModel, name_of
from outlines_cont.engines.text_side import text_of
from outlines_cont.fsm.vocabulary import Vocabulary


def language_model_of(engine: Any, tokenizer: Any, kv_budget: Any, batch_invariant: bool = False) -> Any:
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
    return SlotModel(engine, vocabulary, encoder, kv_budget, tokenizer)


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
