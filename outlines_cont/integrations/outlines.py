"""Outlines: constraints of ours in its generators, so that beams and several samples are right there, too.

    theirs = outlines.from_transformers(hf_model, hf_tokenizer)
    generator = outlines.Generator(theirs, processor=processor(theirs, output_type))
    generator(prompt, num_beams=4, num_return_sequences=4)

The other way round, `oc.Generator(model, …)` takes Outlines' terms, and `oc.continuous(…)` its generators. These are
known by the names of their classes. A generator of Outlines keeps no output type, only the logits processor that was
made of it. What that holds is read: a grammar or a schema (llguidance), or the table of an `Index` (outlines-core),
which is a guide over tokens.
"""

from __future__ import annotations

import json
import re
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from outlines_cont.arguments import shown
from outlines_cont.decode.samplers import from_config
from outlines_cont.fsm.language.graph import leading_to
from outlines_cont.fsm.partial_json import is_text
from outlines_cont.fsm.vocabulary import Vocabulary, pack
from outlines_cont.generate import asked
from outlines_cont.generate.asked import Asked, parts_of
from outlines_cont.generate.generator import Generator
from outlines_cont.integrations.transformers import LogitsProcessor
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.model import Model

CALLED = "continuous()"
#: What a pattern becomes in a grammar of llguidance.
_REGEX_GRAMMAR = re.compile(r"start: /(.*)/", re.S)


def processor(model: Any, output_type: Any) -> LogitsProcessor:
    """A logits processor for `outlines.Generator(model, processor=…)`, where its own have one guide for each row.

    Args:
        model: what `outlines.from_transformers(hf_model, hf_tokenizer)` gave.
        output_type: what is to be written: all that `oc.Generator` takes, Outlines' terms included.

    Raises:
        TypeError: the model is none of Outlines that wraps one of transformers; or an output type that is none.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.

    The generator gives texts, as all of Outlines do; `processor.constraint.parse(text)` gives the value.

    >>> from types import SimpleNamespace
    >>> from outlines_cont.integrations.outlines import processor
    >>> theirs = SimpleNamespace(model=model.hf, hf_tokenizer=model.tokenizer)  # in place of outlines.from_transformers
    >>> processor(theirs, ["Paris", "Rome"])
    LogitsProcessor(choice, 1536 tokens)
    """
    hf, tokenizer = getattr(model, "model", None), getattr(model, "hf_tokenizer", None)
    if hf is None or tokenizer is None or not hasattr(hf, "generate"):
        raise TypeError(
            "processor() takes a model of Outlines that wraps one of transformers, "
            f"outlines.from_transformers(hf_model, hf_tokenizer), not {shown(model)}; for generate() of transformers "
            "itself, outlines_cont.integrations.transformers has LogitsProcessor"
        )
    return LogitsProcessor(output_type, tokenizer)


# --- generators of Outlines as ours


def generator_of(given: Any) -> Generator[Any, Any]:
    """A generator with the model and the output type of one of Outlines, and the sampler of the model's configuration.

    Raises:
        TypeError: its model is not one of transformers; or the processor that it was given tells no output type.
        ConstraintError: the output type is not supported here: named.
    """
    model = _model_of(given.model)
    processor = getattr(given, "logits_processor", None)
    wanted = _asked_of(processor, model.vocabulary)
    return Generator._of(*parts_of(CALLED, model, wanted, from_config(model), "elsewhere", None))


def _model_of(theirs: Any) -> Model:
    """The model that a model of Outlines wraps; the same one as long as somebody holds it."""
    hf, tokenizer = getattr(theirs, "model", None), getattr(theirs, "hf_tokenizer", None)
    if hf is None or tokenizer is None:
        raise TypeError(
            f"{CALLED} takes a generator of Outlines whose model wraps one of transformers, "
            f"outlines.from_transformers(hf_model, hf_tokenizer); this one is a {type(theirs).__name__}"
        )
    kept = _models.get(theirs)
    model = None if kept is None else kept()
    if model is None:
        model = Model(hf, tokenizer)
        _models[theirs] = ref(model)
    return model


_models: WeakKeyDictionary[Any, ref[Model]] = WeakKeyDictionary()


def _asked_of(processor: Any, vocabulary: Vocabulary) -> Asked:
    """What a logits processor of Outlines, or one of ours, allows."""
    if processor is None:
        return asked.text()
    constraint = getattr(processor, "constraint", None)
    if isinstance(constraint, Constraint):
        return _asked_again(constraint)
    if isinstance(grammar := getattr(processor, "grammar", None), str):
        return _asked_of_grammar(grammar)
    index = getattr(processor, "index", None)
    if hasattr(index, "get_transitions"):
        return asked.guide(IndexGuide(index, vocabulary))
    raise TypeError(
        f"{CALLED}: the {type(processor).__name__} of this generator does not tell its output type; make a generator "
        "of the type itself: oc.Generator(oc.Model(hf_model, hf_tokenizer), output_type)"
    )


def _asked_again(constraint: Constraint) -> Asked:
    """What a constraint was made of, for another vocabulary; a guide is for its own."""
    if constraint.kind == "guide":
        return asked.guide(constraint.guide)
    fields = json.loads(constraint.spec)
    options = {name: value for name, value in fields["options"].items() if name not in ("stop", "stop_at")}
    return Asked(constraint.kind, fields["argument"], constraint.parse, constraint.values, options)


def _asked_of_grammar(grammar: str) -> Asked:
    """What a grammar of llguidance stands for: a pattern, a JSON Schema, or a grammar in the syntax of lark."""
    try:
        parts = json.loads(grammar)["grammars"]
    except (ValueError, TypeError, KeyError):
        return asked.cfg(grammar, CALLED)
    if len(parts) != 1:
        raise TypeError(f"{CALLED}: a grammar of {len(parts)} grammars of llguidance; give one of them")
    schema, rules = parts[0].get("json_schema"), parts[0].get("lark_grammar")
    if schema is not None:
        return asked.json(schema, CALLED)
    if not isinstance(rules, str):
        raise TypeError(f"{CALLED}: {shown(parts[0])} holds neither a grammar nor a JSON Schema")
    pattern = _REGEX_GRAMMAR.fullmatch(rules) if parts[0].get("name") == "regex" else None
    if pattern is None:
        return asked.cfg(rules, CALLED)
    return asked.regex(pattern[1], CALLED)


class IndexGuide:
    """The guide of an `outlines_core.Index`: its states, and what it allows that our vocabulary calls text.

    Tokens that hold only a part of a character are left out: the index takes them for U+FFFD.

    Attributes:
        vocabulary, initial: see `Guide`.
    """

    def __init__(self, index: Any, vocabulary: Vocabulary):
        self.vocabulary, self.initial = vocabulary, index.get_initial_state()
        self._ends = {state for state in index.get_final_states()}
        text = {int(token) for token in vocabulary.text_ids if is_text(vocabulary.tokens[token])}
        following = {
            state: {token: after for token, after in row.items() if token in text}
            for state, row in index.get_transitions().items()
        }
        live = leading_to(self._ends, {state: row.values() for state, row in following.items()})
        self._following = {
            state: {token: after for token, after in row.items() if after in live} for state, row in following.items()
        }
        self._masks: dict[Any, np.ndarray] = {}
        if self.initial not in live:
            raise ValueError(f"{CALLED}: no sequence of text tokens fits the index of this generator")

    def mask(self, state: Any) -> np.ndarray:
        """See `Guide`."""
        if state not in self._masks:
            allowed = np.zeros(len(self.vocabulary), bool)
            allowed[list(self._following.get(state, ()))] = True
            if state in self._ends:
                allowed[list(self.vocabulary.eos)] = True
            self._masks[state] = pack(allowed)
        return self._masks[state]

    def advance(self, state: Any, token: int) -> Any:
        """See `Guide`."""
        if not 0 <= token < len(self.vocabulary):
            raise IndexError(f"token {token} is not in a vocabulary of {len(self.vocabulary)} tokens")
        if token in self.vocabulary.eos:
            return _ENDED if state in self._ends else None
        return self._following.get(state, {}).get(token)

    def accepting(self, state: Any) -> bool:
        """See `Guide`."""
        return state == _ENDED or state in self._ends

    def __repr__(self) -> str:
        return f"<an Index of outlines-core, {len(self._following)} states>"


_ENDED = "ended"  # the state after eos
