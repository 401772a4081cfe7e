"""What `oc.Generator(model, output_type)` is given, read: one table, from the first row that fits.

`READERS` lists what is taken, `HINTS` what users write in its place, with what is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import isroutine
from types import ModuleType
from typing import Any, get_origin

from pydantic import TypeAdapter

from outlines_cont.arguments import refuse_media, shown
from outlines_cont.decode.samplers.protocol import missing_sampler_members
from outlines_cont.engines.protocol import LanguageModel, missing_members
from outlines_cont.explained import MODELS, no_model
from outlines_cont.fsm.patterns.character_machines import is_machine
from outlines_cont.fsm.protocol import Guide
from outlines_cont.generate import asked, output_types
from outlines_cont.generate.asked import Asked
from outlines_cont.generate.outlines_terms import is_schema_builder, is_term
from outlines_cont.generate.output_types import OutputType
from outlines_cont.generate.python_types import unwrapped
from outlines_cont.state.tools import Tools

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

    >>> from outlines_cont.generate.constraint_of import asked_of
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
