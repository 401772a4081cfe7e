"""What a generator is asked for, read: a kind of constraint with its argument, and what reads the values.

One function for each kind. Nothing here knows a model: `Generator` makes the constraint on its vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from os import PathLike
from types import ModuleType
from typing import Any, NamedTuple

from pydantic import BaseModel, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter

from outlines_cont.arguments import refuse_media, shown
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.json_schema.compiler import read_document
from outlines_cont.fsm.partial_json import loads
from outlines_cont.fsm.patterns import character_machines
from outlines_cont.fsm.protocol import Guide
from outlines_cont.generate import outlines_terms, python_types
from outlines_cont.generate.pydantic_schemas import faithful_schema
from outlines_cont.generate.python_types import unwrapped
from outlines_cont.state.conversation import Arguments, Tools, is_function

PATTERN_FLAGS = {"i": re.I, "m": re.M, "s": re.S, "x": re.X, "a": re.A}


class Asked(NamedTuple):
    """A constraint before it has a vocabulary: the arguments of `make_constraint`.

    Attributes:
        kind, argument, parse, values: see `Constraint`.
        options: the others, by their names.
    """

    kind: str
    argument: Any = None
    parse: Callable[[str], Any] = str
    values: Any = None
    options: dict[str, Any] = {}  # noqa: RUF012 (never changed)


def text(include_stop: bool = False) -> Asked:
    """Any text."""
    return Asked("text", options={"include_stop": include_stop})


def choice(source: Any, called: str, by: str = "token", normalize: str = "sum") -> Asked:
    """One of the options of a list, a `Literal` or an `Enum`. Values are the options as they were given.

    A `Choice` of Outlines is a list, too.
    """
    if outlines_terms.is_choice_of_values(source):
        source = source.items
    options = python_types.options_of(source, called)
    texts, asked_by = list(options), {"by": by, "normalize": normalize}
    if all(type(value) is str for value in options.values()):
        return Asked("choice", texts, options=asked_by)
    values = tuple((type(value), value) for value in options.values())
    return Asked("choice", texts, options.__getitem__, values, asked_by)


def regex(pattern: Any, called: str) -> Asked:
    """A text that a pattern matches, a str or what `re.compile` gives, or a term of Outlines."""
    if outlines_terms.is_term(pattern):
        pattern = outlines_terms.pattern_of(pattern, called)
    if isinstance(pattern, re.Pattern):
        if isinstance(pattern.pattern, bytes):
            raise TypeError(f"{called} takes a pattern of text, not of bytes: {shown(pattern)}")
        pattern = _with_flags(pattern)
    if not isinstance(pattern, str):
        raise TypeError(f"{called} takes a pattern, a str or what re.compile gives, not {shown(pattern)}")
    return Asked("regex", pattern)


def _with_flags(pattern: re.Pattern[str]) -> str:
    """A compiled pattern as text: flags that do not stand in it are written before it."""
    try:
        missing = pattern.flags & ~re.compile(pattern.pattern).flags
    except re.error:  # it can be read with its flags only: a bracket in a comment of re.X
        missing = pattern.flags
    letters = "".join(letter for letter, flag in PATTERN_FLAGS.items() if missing & flag)
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern


def cfg(grammar: Any, called: str, syntax: str = "lark") -> Asked:
    """A text of a grammar, a str or a `CFG` of Outlines."""
    if outlines_terms.is_term(grammar) and outlines_terms.kind_of(grammar) == "CFG":
        grammar = grammar.definition
    if not isinstance(grammar, str):
        right = ": path.read_text()" if isinstance(grammar, PathLike) else ""
        raise TypeError(f"{called} takes a grammar as a str, not {type(grammar).__name__}{right}")
    return Asked("cfg", grammar, options={"syntax": syntax})


def fsm(machine: Any, called: str) -> Asked:
    """A text that an `interegular.FSM` accepts."""
    if not character_machines.is_machine(machine):
        hint = ": its to_fsm() makes one" if hasattr(machine, "to_fsm") else ""
        raise TypeError(f"{called} takes an interegular.FSM, not {shown(machine)}{hint}")
    return Asked("fsm", character_machines.listing(machine))


def json(source: Any, called: str, **options: str) -> Asked:
    """JSON of a schema, a class, a type or a function's arguments. options: those of `fsm.guide.json_schema`."""
    source, options = outlines_terms.schema_and_options(source, called, options)
    schema, parse = schema_and_parser(source, called)
    values = None if isinstance(source, (dict, bool, str)) else python_types.unwrapped(source)
    return Asked("json", schema, parse, values, {"numbers": "python", **options})


def python_type(source: Any, called: str, numbers: str = "python") -> Asked:
    """A value of a type: a constant of those listed, a scalar without quotes, or JSON."""
    source = python_types.unwrapped(source)
    if python_types.is_listed(source):
        return choice(source, called)
    spelling = python_types.spelling(source, numbers)
    if spelling is None:
        return json(source, called, numbers=numbers)
    options = {} if spelling.wider is None else {"wider": spelling.wider}
    return Asked("format", spelling.pattern, spelling.parse, source, options)


def outlines_term(term: Any, called: str, numbers: str = "python") -> Asked:
    """What a term of Outlines stands for: a schema, a grammar, a choice of values, or a pattern."""
    kind = outlines_terms.kind_of(term)
    if kind == "JsonSchema":
        return json(term, called, numbers=numbers)
    if numbers != "python":
        raise TypeError(f"{called}: numbers={numbers!r} is for Python types and schemas, not for {shown(term)}")
    if kind == "CFG":
        return cfg(term, called)
    return choice(term, called) if outlines_terms.is_choice_of_values(term) else regex(term, called)


def guide(source: Guide) -> Asked:
    """A text of a guide of the user's."""
    name = source.name if isinstance(source, AutomatonGuide) else type(source).__name__
    return Asked("guide", name, options={"guide": source})


# --- what `json` takes, as a JSON Schema and a parser: pydantic classes, schemas, functions, tools, annotated types

Parsed = tuple[dict[str, Any] | bool, Callable[[str], Any]]


def schema_and_parser(source: Any, called: str = "json()") -> Parsed:
    """A JSON Schema and what turns a text into a value. called: who was given the source, for errors.

    Raises:
        TypeError: it is neither a schema, nor a type that pydantic reads, nor a function whose arguments have types.
        ConstraintError: something in it is nothing that JSON carries, or that a schema can say.
    """
    source = unwrapped(source)
    if isinstance(source, type) and issubclass(source, BaseModel):
        return faithful_schema(source), source.model_validate_json
    if isinstance(source, str):
        return read_document(source)[1], loads
    if isinstance(source, (dict, bool)):
        return source, loads
    if isinstance(source, TypeAdapter):
        return faithful_schema(source), source.validate_json
    if isinstance(source, Tools):
        return faithful_schema(source.adapter), source.parse
    if is_function(source):
        arguments = Arguments.of(source)
        return faithful_schema(arguments.model), arguments.parse
    adapter = _adapter(source, called)  # dataclasses, TypedDicts, annotated types
    return faithful_schema(adapter), adapter.validate_json


def _adapter(source: Any, called: str) -> TypeAdapter[Any]:
    refuse_media(source)
    try:
        return TypeAdapter(source)
    except PydanticUserError as error:
        if error.code == "typed-dict-version":
            raise TypeError(
                f"{called}: before Python 3.12 pydantic does not read typing.TypedDict, which is in {shown(source)}: "
                "write `from typing_extensions import TypedDict`"
            ) from error
        if isinstance(error, PydanticSchemaGenerationError) and f"schema for {source!r}." in str(error):
            raise TypeError(f"{called} does not read {_described(source)}{_hint(source)}") from error
        raise TypeError(f"{called}: pydantic does not read {_described(source)}: {_first_sentence(error)}") from error
    except ImportError as error:  # of what some types need beside pydantic
        raise TypeError(f"{called}: for {_described(source)}, pydantic lacks a package: {error}") from error
    except Exception as error:
        raise TypeError(f"{called} does not read {_described(source)}{_hint(source)}") from error


def _first_sentence(error: Exception) -> str:
    return str(error).partition("\n")[0].partition(". ")[0]


def _described(source: Any) -> str:
    if isinstance(source, ModuleType):
        return f"the module {source.__name__}"
    if isinstance(source, type):
        return f"the class {source.__name__}"
    return shown(source)


_READ = (
    "a type, a pydantic class, dataclass or TypedDict, a JSON Schema (a dict) or a function with annotated arguments"
)


def _hint(source: Any) -> str:
    """What to write in place of something that is no type that is read."""
    if isinstance(source, type):
        return ", which pydantic does not know: make it a dataclass, a TypedDict or a pydantic class"
    if isinstance(source, (BaseModel, *_SIMPLE)) or hasattr(source, "__dataclass_fields__"):
        return f": it is a value; give its type, {type(source).__name__}, or a list of options, [{shown(source)}]"
    return f": it takes {_READ}"


_SIMPLE = (int, float, complex, bytes)
