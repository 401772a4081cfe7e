"""The parts of a generator, checked: a model, a constraint on its vocabulary, and a sampler."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from inspect import isroutine
from types import ModuleType
from typing import Any, get_origin

from pydantic import TypeAdapter

from outlines_cont.arguments import refuse_media, shown, word
from outlines_cont.decode import samplers
from outlines_cont.decode.samplers.filters.bad_words import banned_texts, only_bans_texts
from outlines_cont.decode.samplers.protocol import Sampler, missing_sampler_members
from outlines_cont.decode.where import checked_where
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.explained import MODELS, no_model
from outlines_cont.fsm import guide
from outlines_cont.fsm.patterns.character_machines import is_machine
from outlines_cont.fsm.protocol import Guide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate import asked, output_types
from outlines_cont.generate.asked import Asked
from outlines_cont.generate.outlines_terms import is_schema_builder, is_term
from outlines_cont.generate.output_types import OutputType
from outlines_cont.generate.python_types import unwrapped
from outlines_cont.state.constraint import Constraint, make_constraint
from outlines_cont.state.conversation import Tools

# --- what `oc.Generator(model, output_type)` is given, read: one table, from the first row that fits
#
# `READERS` lists what is taken, `HINTS` what users write in its place, with what is right.

Test = Callable[[Any], bool]
Reader = Callable[[Any, str, str], Asked]  # of what is given, of who is given it, and of how numbers are spelled


def _of(*classes: type) -> Test:
    return lambda given: isinstance(given, classes)


def _is_guide(given: Any) -> bool:
    return not isinstance(given, type) and isinstance(given, Guide)


def _is_list(given: Any) -> bool:
    return isinstance(given, (list, tuple, range, set, frozenset)) or (
        hasattr(given, "tolist") and not isinstance(given, type)
    )


def _without_numbers(read: Callable[[Any, str], Asked]) -> Reader:
    """A reader of what has no numbers that could be spelled in several ways."""

    def checked(given: Any, called: str, numbers: str) -> Asked:
        if numbers != "python":
            raise TypeError(f"{called}: numbers={numbers!r} is for Python types, not for {shown(given)}")
        return read(given, called)

    return checked


#: What is taken. All that fits no other row is a Python type.
READERS: list[tuple[Test, Reader]] = [
    (lambda given: given is None or given is str, _without_numbers(lambda given, called: asked.text())),
    (_of(OutputType), _without_numbers(lambda given, called: given.asked())),
    (_of(re.Pattern), _without_numbers(asked.regex)),
    (_of(Tools), lambda given, called, numbers: asked.json(given, called, numbers=numbers)),
    (_of(dict), lambda given, called, numbers: asked.json(given, called, numbers=numbers)),
    (is_machine, _without_numbers(asked.fsm)),
    (is_term, asked.outlines_term),
    (is_schema_builder, lambda given, called, numbers: asked.json(given, called, numbers=numbers)),
    (_is_guide, _without_numbers(lambda given, called: asked.guide(given))),
    (_is_list, _without_numbers(asked.choice)),
    (lambda given: True, asked.python_type),
]


def _text_hint(given: str) -> str:
    return (
        f"the str {shown(given)} may be a pattern, a grammar or an option: write oc.types.regex(…), oc.types.cfg(…), "
        "oc.types.json_schema(…) or a list of options, […]"
    )


def _sampler_hint(given: object) -> str:
    return f"{shown(given)} is a sampler, and comes third: oc.Generator(model, None, sampler) writes any text"


#: What is not taken, and what to say of it.
HINTS: list[tuple[Test, Callable[[Any], str]]] = [
    (_of(str), _text_hint),
    (_of(bytes), lambda given: f"the bytes {shown(given)} are no type; patterns, grammars and schemas are text"),
    (_of(bool), lambda given: f"{given} is a value: the type is bool, the schema oc.types.json_schema({given})"),
    (_of(ModuleType), lambda given: f"{given.__name__} is a module: give one of its classes or functions"),
    (lambda given: not isinstance(given, type) and not missing_sampler_members(given), _sampler_hint),
    (
        lambda given: any(given is getattr(output_types, name) for name in output_types.__all__),
        lambda given: f"oc.types.{given.__name__} is not called: oc.types.{given.__name__}(…)",
    ),
    (lambda given: not missing_members(given), lambda given: "a model comes first, once: oc.Generator(model, int)"),
    (
        lambda given: type(given).__name__ in ("Generator", "Step", "Chain"),
        lambda given: f"{shown(given)} is a {type(given).__name__.lower()} already: call it with a prompt",
    ),
    (
        lambda given: type(given).__module__ == "outlines.generator",
        lambda given: f"{shown(given)} has a model and an output type: oc.continuous(generator) makes a step of both",
    ),
    (
        lambda given: not isinstance(given, type) and hasattr(given, "to_fsm"),
        lambda given: f"{shown(given)} is a pattern that interegular has read: its to_fsm() makes an FSM of it",
    ),
    (
        lambda given: type(given).__name__ == "SequenceState",
        lambda given: "a state is a prompt: call the generator with it",
    ),
]


def asked_of(given: Any, called: str, numbers: str = "python") -> Asked:
    """The constraint that an output type stands for.

    called: who was given it, for errors. numbers: how numbers are spelled, "python" or "json".

    Raises:
        TypeError: it stands for none; with what would be right.
        ValueError, ConstraintError: something in it cannot be generated.

    >>> from outlines_cont.generate.parts import asked_of
    >>> asked_of(["red", 3], "Generator()")[:2]
    ('choice', ['red', '3'])
    >>> asked_of("[0-9]+", "Generator()")
    Traceback (most recent call last):
        ...
    TypeError: Generator(): the str '[0-9]+' may be a pattern, a grammar or an option: write oc.types.regex(…), ...
    """
    given = unwrapped(given)
    refuse_media(given)
    for fits, hint in HINTS:
        if fits(given):
            raise TypeError(f"{called}: {hint(given)}")
    return next(read(given, called, numbers) for fits, read in READERS if fits(given))


def _is_written(given: Any) -> bool:
    """Whether it says what is to be written, or is a name."""
    described = (str, type, re.Pattern, OutputType, Tools, TypeAdapter, dict, list, tuple, set, frozenset)
    return isinstance(given, described) or isroutine(given) or get_origin(given) is not None


def checked_model(model: Any, called: str) -> LanguageModel:
    """The model. TypeError if it is none, with how one is made."""
    if not isinstance(model, type) and not (lacking := missing_members(model)):
        return model
    if _is_written(model):
        raise no_model(called, model)
    if hasattr(model, "generate") and hasattr(model, "config"):
        raise TypeError(
            f"{called} takes a Model first, not a bare transformers model: oc.Model(hf_model, hf_tokenizer) wraps one"
        )
    if hasattr(model, "hf_tokenizer") and hasattr(model, "type_adapter"):
        raise TypeError(
            f"{called} takes a Model first, not one of Outlines: write oc.Model(model.model, model.hf_tokenizer)"
        )
    if hasattr(model, "convert_ids_to_tokens"):
        raise TypeError(f"{called} takes a Model first, not a tokenizer: oc.Model(hf_model, hf_tokenizer)")
    raise TypeError(
        f"{called} takes a Model first ({MODELS}), not {type(model).__name__}, "
        f"which has no {', '.join(lacking[:4])}{' …' if len(lacking) > 4 else ''}"
    )


# --- parts

Parts = tuple[LanguageModel, Constraint, Sampler[Any], bool]  # and whether runs without a choice are appended


def parts_of(
    called: str, model: Any, asked: Asked, sampler: Any, stop: str, forced: str | None, where: Any = None
) -> Parts:
    """The parts of a generator that is asked for. called: who is given them, for errors.

    Raises:
        TypeError, ValueError: something that is none of these, or does not go together.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.
    """
    model, sampler = checked_model(model, called), _checked_sampler(sampler, called)
    if forced is not None:
        word(forced, "forced", ("canonical", "never"))
    normalize = asked.options.get("normalize", "sum")
    if isinstance(normalize, str) and normalize != "sum" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"normalize={normalize!r} with {sampler!r}, which ranks rows by their log-probabilities: use 'sum'"
        )
    if asked.options.get("by") == "sequence" and not only_bans_texts(sampler.logit_filters):
        raise ValueError(
            f"by='sequence' with {sampler!r}: whole options are drawn, and no token that a filter could see; take "
            "by='token'"
        )
    banned = banned_texts(sampler.logit_filters)
    if banned and asked.kind == "control" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"control() with {sampler!r}: bad_words() is a constraint, which a controller's branches name themselves; "
            "ban the texts in their guides, allowed=outlines_cont.fsm.guide.without(guide, [...]), or draw, with "
            "multinomial()"
        )
    if asked.kind == "guide" and (vocabulary := asked.options["guide"].vocabulary) != model.vocabulary:
        raise ValueError(f"{called}: a guide over another vocabulary, {vocabulary!r}, than {model!r}")
    constraint = constraint_on(model.vocabulary, asked, stop)
    constraint.banning(banned).guide  # noqa: B018 (which says at once if nothing is left)
    if checked_where(where, called) is not None:
        _check_takes_where(sampler, where)
        constraint = replace(constraint, where=where)
    return model, constraint, sampler, sampler.forced if forced is None else forced == "canonical"


def _check_takes_where(sampler: Sampler[Any], where: Any) -> None:
    """ValueError if a predicate cannot be asked about what is drawn."""
    given = f"where={getattr(where, '__name__', None) or shown(where)}"
    if getattr(sampler, "honours_where", "nothing") == "nothing":
        raise ValueError(
            f"{given} with {sampler!r}: this sampler asks no predicates; take greedy(), multinomial(), smc() or "
            "beam_search()"
        )


def constraint_on(vocabulary: Vocabulary, asked: Asked, stop: str = "elsewhere") -> Constraint:
    """What is asked for, on a vocabulary.

    ConstraintError if nothing fits it, or if the vocabulary cannot spell it, or one of the options of a choice.
    """
    constraint = make_constraint(
        asked.kind, asked.argument, vocabulary, asked.parse, values=asked.values, stop=stop, **asked.options
    )
    if asked.kind == "choice" and len(vocabulary.single_bytes) < 256:
        for option in asked.argument:  # one that no tokens spell would never be taken
            guide.literal(option.encode(), vocabulary, f"the option {option!r}")
    return constraint


def _checked_sampler(sampler: Any, called: str) -> Sampler[Any]:
    sampler = samplers.multinomial() if sampler is None else sampler
    if isinstance(sampler, type) or isroutine(sampler):
        kind = "class" if isinstance(sampler, type) else "function"
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not the {kind} {sampler.__name__}: call it"
        )
    if isinstance(sampler, str):
        named = sampler if sampler in samplers.__all__ else "greedy"
        raise TypeError(f"{called} takes a sampler, not the name {shown(sampler)}: oc.samplers.{named}()")
    if lacking := missing_sampler_members(sampler):
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not {shown(sampler)}, "
            f"which has no {', '.join(lacking)}"
        )
    return sampler
