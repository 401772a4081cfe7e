"""`oc.types`: what no Python type says, as small values that stand in a type's place.

    oc.types.regex(r"[0-9]{4}")                             oc.types.cfg('start: "a" start | "b"')
    oc.types.json_schema(schema, whitespace="flexible")     oc.types.choice(["red", "blue"], by="sequence")
    oc.types.tools([f, g])                                  oc.types.quote(document, words=(3, 40))
    oc.types.triggered({"<call>": (oc.types.tools([f, g]), "</call>")})     oc.types.thought(budget=200)

`oc.Generator(model, …)`, `model(prompt, …)` and `oc.generate.format(model, …)` take them. They are immutable, equal if
what they say is equal, and checked when they are made. `partial` reads a JSON value that is not finished.

>>> year = oc.types.regex("[0-9]{4}")
>>> oc.Generator(model, year, oc.samplers.greedy())("Mira came to town in 1987.\\nQ: When did Mira come?\\nA: ")
'1987'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar, Unpack, overload

from outlines_cont.arguments import plain, word
from outlines_cont.explained import explained
from outlines_cont.fsm.json_schema.compiler import read_document
from outlines_cont.fsm.kinds import BYTES
from outlines_cont.fsm.partial_json import NOTHING, Partial, partial
from outlines_cont.generate import asked
from outlines_cont.generate.asked import OutputType
from outlines_cont.generate.call_options import (
    By,
    Extra,
    FormatCheck,
    Order,
    SchemaOptions,
    SpellingOption,
    Syntax,
    Whitespace,
)
from outlines_cont.hints import NAMES, hint
from outlines_cont.schemas.outlines_terms import is_choice_of_values, schema_and_options
from outlines_cont.schemas.python_types import is_listed, options_of, unwrapped
from outlines_cont.schemas.tools import ToolCall, tools
from outlines_cont.state.constraint import Normalization, make_constraint

__all__ = ["NOTHING", "OutputType", "Partial", "ToolCall", "cfg", "choice", "json_schema", "partial", "quote", "regex"]
__all__ += ["thought", "tools", "triggered"]

T = TypeVar("T")


def _made(name: str, given: Any, **options: Any) -> OutputType[Any]:
    """An output type. An error if it says what no constraint says, whatever the vocabulary."""
    made = OutputType(name, given, options)
    kind, argument, parse, _, others = made.asked()
    make_constraint(kind, argument, BYTES, parse, **others)
    return made


@explained
def regex(pattern: str | re.Pattern[str]) -> OutputType[str]:
    """A text that the pattern matches from end to end; see `oc.generate.regex`. The flags of a compiled pattern count.

    >>> import re
    >>> oc.types.regex("(?i)yes|no") == oc.types.regex(re.compile("yes|no", re.I))
    True
    """
    return _made("regex", asked.regex(pattern, "oc.types.regex()").argument)


@explained
def cfg(grammar: str, *, syntax: Syntax = "lark", parts: Mapping[str, Any] | None = None) -> OutputType[str]:
    """A text of a context-free grammar, in the syntax of "lark", or of llama.cpp ("gbnf"); see `oc.generate.cfg`.

    `Annotated[str, oc.types.cfg(…)]` is a field that holds such a text; then it has no parts.

    >>> oc.Generator(model, oc.types.cfg('start: "blue" | "red"'), oc.samplers.greedy())("The sky is ")
    'blue'
    """
    word(syntax, "syntax", ("lark", "gbnf"))
    text = asked.cfg(grammar, "oc.types.cfg()", syntax, parts).argument
    return _made("cfg", text, syntax=syntax, **({} if parts is None else {"parts": dict(parts)}))


@explained
def quote(document: str, *, words: tuple[int, int | None] = (3, 40)) -> OutputType[str]:
    """A verbatim part of a document, of so many words at least and at most (None: any number), as `str.split` counts.

    It begins and ends with a word; punctuation around the first and the last one may be left out. `Annotated[str,
    oc.types.quote(document)]` is a field that holds one.

    >>> said = oc.types.quote("Mira came to town in 1987. She is a baker.", words=(4, 4))
    >>> oc.Generator(model, said, oc.samplers.greedy())("Mira is a baker.\\nQ: Who is Mira?\\nA: ")
    'Mira came to town'
    """
    return _made("quote", document, words=words)


@explained
def triggered(
    triggers: Mapping[str, tuple[Any, str]], *, at_least: int = 0, at_most: int | None = None
) -> OutputType[list[Any]]:
    """Text in which a trigger begins a value, which its end mark ends; and then text again. See docs/generators.md.

    Values are lists of what was written, in order: a str for text, and (trigger, value) for a value.

    triggers: {trigger: (type, end)}; the types are those of `oc.Generator`. With `str`, any text up to the end mark.
    at_least, at_most: how many values there are; None: any number.

    >>> ages = oc.types.triggered({"<age>": (int, "</age>")}, at_most=2)
    >>> ages.asked().parse("Mira is <age>34</age>.")
    ['Mira is ', ('<age>', 34), '.']
    """
    options = {"at_least": at_least} if at_least else {}
    options |= {} if at_most is None else {"at_most": at_most}
    return _made("triggered", dict(triggers) if isinstance(triggers, Mapping) else triggers, **options)


@explained
def thought(budget: int, *, mark: str = "</think>") -> OutputType[str]:
    """Free text up to a mark, which is written for the model if that has not completed it in so many tokens.

    Values are the text without the mark. See docs/chats.md.

    >>> thought = oc.types.thought(budget=3, mark="</think>")
    >>> step = oc.continuous(oc.Generator(model, thought, oc.samplers.greedy()), name="thought")
    >>> state = step("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    >>> str(state)[-10:], state.captures["thought"]
    ('34</think>', [[['34']]])
    """
    return _made("thought", budget, mark=mark)


@overload
def choice(options: type[T], *, by: By = "token", normalize: Normalization = "sum") -> OutputType[T]: ...


@overload
def choice(options: Iterable[T], *, by: By = "token", normalize: Normalization = "sum") -> OutputType[T]: ...


@overload
def choice(options: object, *, by: By = "token", normalize: Normalization = "sum") -> OutputType[Any]: ...


@explained
def choice(options: Any, *, by: By = "token", normalize: Normalization = "sum") -> OutputType[Any]:
    """One of the options of a list, a `Literal` or an `Enum`, as it was given; see `oc.generate.choice`.

    >>> age = oc.types.choice([30, 34, 40], by="sequence")
    >>> oc.Generator(model, age, oc.samplers.greedy())("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    34
    """
    listed = unwrapped(plain(options.items if is_choice_of_values(options) else options))
    if not is_listed(listed):
        listed = tuple(options_of(listed, "oc.types.choice()").values())
    return _made("choice", listed, by=by, normalize=normalize)


@overload
def json_schema(schema: type[T], **options: Unpack[SchemaOptions]) -> OutputType[T]: ...


@overload
def json_schema(
    schema: dict[str, Any] | str | bool | Callable[..., Any] | object, **options: Unpack[SchemaOptions]
) -> OutputType[Any]: ...


@explained
def json_schema(
    schema: Any,
    *,
    whitespace: Whitespace = "compact",
    order: Order = "schema",
    extra: Extra = "forbid",
    format: FormatCheck = "assert",
    spelling: SpellingOption = "plain",
) -> OutputType[Any]:
    """JSON that fits a schema, a dict or its text, or the schema of a class, a type or a function.

    The options, and the values, are those of `oc.generate.json`.

    >>> schema = {"properties": {"age": {"type": "integer"}}, "required": ["age"]}
    >>> person = oc.types.json_schema(schema, whitespace=" ?")
    >>> oc.Generator(model, person, oc.samplers.greedy())("Mira is 34.\\nJSON with age: ")
    {'age': 34}
    """
    schema, by_term = schema_and_options(schema, "oc.types.json_schema()", {"whitespace": whitespace})
    if isinstance(schema, (dict, bool, str)):
        schema, _ = read_document(schema)  # the text does not change when the dict does
    return _made("json_schema", schema, **by_term, order=order, extra=extra, format=format, spelling=spelling)


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> NoReturn:
    """What people look for here out of habit."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint(NAMES, name)}")
