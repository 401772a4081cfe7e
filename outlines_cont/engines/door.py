"""What stands behind a `Model`: its arguments → a language model and the engine that users see."""

from __future__ import annotations

from typing import Any

from outlines_cont.engines.hf.engine import TransformersEngine
from outlines_cont.engines.protocol import Engine, LanguageModel, members_of, missing_members
from outlines_cont.engines.slot_model import SlotModel, name_of
from outlines_cont.engines.text_side import text_of
from outlines_cont.fsm.vocabulary import Vocabulary


def language_model_of(engine: Any, tokenizer: Any, kv_budget: Any) -> Any:
    """The `LanguageModel` of a transformers model, of an `Engine`, or of a `LanguageModel`, and of a tokenizer.

    Raises:
        TypeError: something else, with the members that it lacks; no tokenizer for an engine, one for a language model.
        ValueError: a vocabulary of another size than the engine's logits; what the engine says.
    """
    if isinstance(engine, type):
        raise TypeError(f"Model takes an engine, not the class {engine.__name__}: make one of it first")
    if not missing_members(engine, LanguageModel):
        return _checked_language_model(engine, tokenizer, kv_budget)
    if missing_members(engine, Engine):
        _refuse_half_made(engine)
        engine = TransformersEngine(engine, tokenizer)
    elif tokenizer is None:
        raise TypeError(f"Model({name_of(engine)}, tokenizer): an engine needs its tokenizer beside it")
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
    return model


def _refuse_half_made(engine: Any) -> None:
    """TypeError for what has some members of one of the protocols, and lacks others."""
    if hasattr(engine, "get_output_embeddings") or hasattr(engine, "get_vocab"):
        return
    for protocol in (Engine, LanguageModel):
        lacking, count = missing_members(engine, protocol), len(members_of(protocol))
        if len(lacking) < count - 2:  # more than a device and a dtype, which many things have
            raise TypeError(
                f"Model takes a transformers model, an oc.Engine or an oc.LanguageModel, and {type(engine).__name__} "
                f"has no {', '.join(lacking)}, which belong to an oc.{protocol.__name__}: docs/engines.md lists all"
            )
