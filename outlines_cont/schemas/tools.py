"""Functions that a model may call: what it is told of them, and the call that it writes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from hashlib import blake2b
from operator import or_
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, Field, GetCoreSchemaHandler, TypeAdapter, create_model
from pydantic_core import to_json, to_jsonable_python
from pydantic_core.core_schema import no_info_after_validator_function

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError
from outlines_cont.explained import explained

Declaration = dict[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A call of one of several functions, as a model wrote it.

    Calling it calls the function: `call()`.

    Attributes:
        name: that of the function.
        arguments: by name, as Python values of the annotated types.

    >>> def add(a: int, b: int) -> int: return a + b
    >>> call = oc.types.tools([add]).parse('{"name":"add","arguments":{"a":1,"b":2}}')
    >>> call.name, call.arguments, call()
    ('add', {'a': 1, 'b': 2}, 3)
    """

    name: str
    arguments: dict[str, Any]
    function: Callable[..., Any] = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        """Nine letters and digits that follow of name and arguments, for messages with the answer (`tool_call_id`).

        Equal calls have equal ids. All chat templates take them: some want nine characters.
        """
        return blake2b(to_json([self.name, self.arguments]), digest_size=5).hexdigest()[:9]

    @property
    def entry(self) -> dict[str, Any]:
        """The call as chat templates are given it, an entry of a message's `tool_calls`.

        >>> def add(a: int, b: int) -> int: return a + b
        >>> oc.types.tools([add]).parse('{"name":"add","arguments":{"a":1,"b":2}}').entry["function"]
        {'name': 'add', 'arguments': {'a': 1, 'b': 2}}
        """
        arguments = to_jsonable_python(self.arguments)
        return {"type": "function", "id": self.id, "function": {"name": self.name, "arguments": arguments}}

    def __call__(self) -> Any:
        """What the function returns for these arguments."""
        parameters = inspect.signature(self.function).parameters.values()
        by_place = [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY]
        by_name = {name: value for name, value in self.arguments.items() if name not in by_place}
        return self.function(*(self.arguments[name] for name in by_place), **by_name)


@dataclass(frozen=True)
class Tools:
    """Functions that a model may call; `oc.types.tools([f, g])` makes it.

    As a type of values it is JSON, `{"name": …, "arguments": {…}}`, read as a `ToolCall`.

    Attributes:
        functions: in their order.
    """

    functions: tuple[Callable[..., Any], ...]

    @cached_property
    def by_name(self) -> dict[str, Callable[..., Any]]:
        """The functions by their names."""
        return {function.__name__: function for function in self.functions}

    @cached_property
    def arguments(self) -> dict[str, Arguments]:
        """The arguments of each function, by its name."""
        return {name: Arguments.of(function) for name, function in self.by_name.items()}

    @property
    def declarations(self) -> list[Declaration]:
        """What chat templates are given of the functions: their names, docstrings and arguments, as JSON.

        >>> def add(a: int, b: int) -> int:
        ...     "Add two numbers."
        >>> oc.types.tools([add]).declarations[0]["function"]["description"]
        'Add two numbers.'
        """
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": inspect.getdoc(self.by_name[name]) or "",
                    "parameters": arguments.model.model_json_schema(),
                },
            }
            for name, arguments in self.arguments.items()
        ]

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """What reads and describes the JSON of a call."""
        return TypeAdapter(self)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """How pydantic reads a call, also within other types: `list[tools]` are several calls."""
        calls = [
            create_model(name, name=(Literal[name], ...), arguments=(arguments.model, ...))  # pyright: ignore
            for name, arguments in self.arguments.items()
        ]
        one_of_them: Any = reduce(or_, calls)
        tagged: Any = Annotated[one_of_them, Field(discriminator="name")]  # pyright: ignore[reportInvalidTypeForm]
        schema = handler.generate_schema(tagged if len(calls) > 1 else one_of_them)
        return no_info_after_validator_function(self._call, schema)

    def _call(self, read: Any) -> ToolCall:
        return ToolCall(read.name, self.arguments[read.name].values(read.arguments), self.by_name[read.name])

    def parse(self, text: str) -> ToolCall:
        """The call that a JSON text says. ValueError (pydantic's) if it says none.

        >>> def double(n: int): ...
        >>> oc.types.tools([double]).parse('{"name": "double", "arguments": {"n": 2}}')
        ToolCall(name='double', arguments={'n': 2})
        """
        return self.adapter.validate_json(text)


@explained
def tools(functions: Sequence[Callable[..., Any]]) -> Tools:
    """Functions that a model may call.

    `model.chat(messages, tools=oc.types.tools([f, g]))` describes them to the model, by its chat template.
    `oc.generate.json(model, oc.types.tools([f, g]))` generates a call of one of them, a `ToolCall`: its name and
    arguments. `list[oc.types.tools([f, g])]` is a type of several calls.

    functions: each has a name of its own, and an annotation for each argument; `*args` and `**kwargs` are not
    supported. Otherwise a TypeError or a ValueError is raised.

    >>> def weather(city: str, days: int = 1): ...
    >>> def age(name: str): ...
    >>> a_call = oc.generate.json(model, oc.types.tools([weather, age]), oc.samplers.greedy())
    >>> call = a_call("How old is Mira?\\nJSON: ")
    >>> call.name in ("weather", "age")
    True
    """
    if callable(functions) or not isinstance(functions, (list, tuple)) or not functions:
        raise TypeError(f"tools() takes a list of functions, tools([f, g]), not {shown(functions)}")
    for function in functions:
        if not (inspect.isfunction(function) or inspect.ismethod(function)):
            raise TypeError(f"tools() takes functions; {shown(function)} is none")
    names = [function.__name__ for function in functions]
    for name in names:
        if name == "<lambda>":
            raise ValueError("tools() takes functions with names: write a def in place of a lambda")
        if names.count(name) > 1:
            raise ValueError(f"tools(): two functions are called {name!r}: a model could not tell them apart")
    made = Tools(tuple(functions))
    made.arguments  # noqa: B018  (what is wrong with them is said at once)
    return made


@dataclass(frozen=True)
class Arguments:
    """The arguments of a function, as a class that pydantic reads.

    Attributes:
        model: the class.
        fields: the field of each argument: another name where pydantic has one of its own.
    """

    model: type[BaseModel]
    fields: dict[str, str]

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Arguments:
        """The arguments of a function. TypeError for one whose arguments have no names or no types."""
        written = function.func if isinstance(function, functools.partial) else function
        called = getattr(written, "__name__", type(written).__name__)
        parameters, hints = _signature(function, written, called)
        types: dict[str, Any] = {}
        fields: dict[str, str] = {}
        for name, parameter in parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TypeError(f"{called}() takes *{name}: a schema needs arguments with names")
            if parameter.annotation is parameter.empty:
                raise TypeError(f"{called}(): the argument {name!r} has no annotation")
            default = ... if parameter.default is parameter.empty else parameter.default
            taken = name.startswith(("_", "model_")) or hasattr(BaseModel, name)  # pydantic's own names
            fields[name] = f"argument_{len(fields)}" if taken else name
            types[fields[name]] = (hints[name], Field(default, alias=name, title=name) if taken else default)
        try:
            return cls(create_model(called.strip("<>"), **types), fields)
        except ConstraintError:
            raise
        except Exception as error:
            reason = str(error).partition("\n")[0].partition(". ")[0]
            raise TypeError(f"{called}(): pydantic does not read its arguments: {reason}") from error

    def values(self, read: BaseModel) -> dict[str, Any]:
        """The arguments by their names."""
        return {name: getattr(read, field) for name, field in self.fields.items()}

    def parse(self, text: str) -> dict[str, Any]:
        """The arguments that a JSON object says. ValueError (pydantic's) if it says none."""
        return self.values(self.model.model_validate_json(text))


def _signature(function: Any, written: Any, called: str) -> tuple[dict[str, inspect.Parameter], dict[str, Any]]:
    try:
        parameters = dict(inspect.signature(function).parameters)
        hints = get_type_hints(written, include_extras=True)
    except (NameError, TypeError, ValueError, AttributeError) as error:
        reason = str(error).partition("\n")[0].partition(". ")[0]
        raise TypeError(f"{called}(): its signature cannot be read: {reason}") from error
    return parameters, hints
