"""Conversations: what a chat template wrote into a row, one turn more of it, and the tools that a model may call.

A row holds, beside the tokens of a conversation, its messages (`Origin.chat`). So `turn` can ask the template for the
whole conversation with one message more, check that it begins with the row's own tokens, and append what comes after.
Keys and values of all that the row had stay valid.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import or_
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, Field, TypeAdapter, create_model

from outlines_cont.arguments import shown
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.errors import ConstraintError
from outlines_cont.explained import explained
from outlines_cont.prefixes import common_length
from outlines_cont.state.row import Row

# --- functions that a model may call: what it is told of them, and the call that it writes

Declaration = dict[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A call of one of several functions, as a model wrote it.

    Calling it calls the function: `call()`.

    Attributes:
        name: that of the function.
        arguments: by name, as Python values of the annotated types.

    >>> def add(a: int, b: int) -> int: return a + b
    >>> call = oc.tools([add]).parse('{"name":"add","arguments":{"a":1,"b":2}}')
    >>> call.name, call.arguments, call()
    ('add', {'a': 1, 'b': 2}, 3)
    """

    name: str
    arguments: dict[str, Any]
    function: Callable[..., Any] = field(repr=False, compare=False)

    def __call__(self) -> Any:
        """What the function returns for these arguments."""
        parameters = inspect.signature(self.function).parameters.values()
        by_place = [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY]
        by_name = {name: value for name, value in self.arguments.items() if name not in by_place}
        return self.function(*(self.arguments[name] for name in by_place), **by_name)


@dataclass(frozen=True)
class Tools:
    """Functions that a model may call; `oc.tools([f, g])` makes it.

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
        """Those of each function."""
        return {name: Arguments.of(function) for name, function in self.by_name.items()}

    @property
    def declarations(self) -> list[Declaration]:
        """What chat templates are given of the functions: their names, docstrings and arguments, as JSON.

        >>> def add(a: int, b: int) -> int:
        ...     "Add two numbers."
        >>> oc.tools([add]).declarations[0]["function"]["description"]
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
        calls = [
            create_model(name, name=(Literal[name], ...), arguments=(arguments.model, ...))  # pyright: ignore
            for name, arguments in self.arguments.items()
        ]
        one_of_them: Any = reduce(or_, calls)
        tagged: Any = Annotated[one_of_them, Field(discriminator="name")]  # pyright: ignore[reportInvalidTypeForm]
        return TypeAdapter(tagged if len(calls) > 1 else one_of_them)

    def parse(self, text: str) -> ToolCall:
        """The call that a JSON text says. ValueError (pydantic's) if it says none.

        >>> def double(n: int): ...
        >>> oc.tools([double]).parse('{"name": "double", "arguments": {"n": 2}}')
        ToolCall(name='double', arguments={'n': 2})
        """
        call = self.adapter.validate_json(text)
        return ToolCall(call.name, self.arguments[call.name].values(call.arguments), self.by_name[call.name])


@explained
def tools(functions: Sequence[Callable[..., Any]]) -> Tools:
    """Functions that a model may call.

    `model.chat(messages, tools=oc.tools([f, g]))` describes them to the model, by its chat template.
    `oc.generate.json(model, oc.tools([f, g]))` generates a call of one of them, a `ToolCall`: its name and arguments.

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
        """Those of a function. TypeError for one whose arguments have no names or no types."""
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
    """The parameters of a function, and their types."""
    try:
        parameters = dict(inspect.signature(function).parameters)
        hints = get_type_hints(written, include_extras=True)
    except (NameError, TypeError, ValueError, AttributeError) as error:
        reason = str(error).partition("\n")[0].partition(". ")[0]
        raise TypeError(f"{called}(): its signature cannot be read: {reason}") from error
    return parameters, hints


# --- conversation

Message = Mapping[str, Any]
SHOWN = 20  # what is shown of two texts where they part: characters to either side


@dataclass(frozen=True)
class Conversation:
    """Messages, the tools that the template was told of, and whether the assistant's answer was begun after them."""

    messages: tuple[Message, ...]
    tools: tuple[Message, ...] = ()
    reply: bool = True

    @classmethod
    def of(cls, messages: Any, tools: Any, reply: bool) -> Conversation:
        """Of what a user gave, checked. TypeError or ValueError with the message that is none."""
        return cls(tuple(map(_checked_message, messages)), _declarations(tools), reply)

    @classmethod
    def parse(cls, text: str) -> Conversation:
        """The inverse of `str`. ValueError for another text."""
        fields = json.loads(text)
        if not isinstance(fields, dict) or fields.keys() != {"messages", "tools", "reply"}:
            raise ValueError(f"{shown(text)} is no conversation")
        messages, tools, reply = fields["messages"], fields["tools"], fields["reply"]
        if not (isinstance(messages, list) and isinstance(tools, list) and isinstance(reply, bool) and messages):
            raise ValueError(f"{shown(text)} is no conversation")
        return cls(tuple(map(_checked_message, messages)), tuple(tools), reply)

    def __str__(self) -> str:
        fields = {"messages": self.messages, "tools": self.tools, "reply": self.reply}
        return json.dumps(fields, ensure_ascii=False)

    def ids(self, encoder: Encoder) -> list[int]:
        """What the template writes. ValueError where it has no place for the tools, or refuses the messages."""
        messages = [dict(message) for message in self.messages]
        if not self.tools:
            ids = encoder.chat(messages, add_generation_prompt=self.reply)
            self._check_parts(encoder.vocabulary.decode(ids, special=True).decode("utf-8", "replace"))
            return ids
        tools = [dict(tool) for tool in self.tools]
        ids = encoder.chat(messages, add_generation_prompt=self.reply, tools=tools)
        if ids == encoder.chat(messages, add_generation_prompt=self.reply):
            raise ValueError(
                "the chat template has no place for tools: this model was not trained to call any. Describe them in a "
                "message of yours"
            )
        return ids

    def _check_parts(self, written: str) -> None:
        """ValueError where a template that knows texts alone wrote a list of parts as Python prints it."""
        for message in self.messages:
            if isinstance(message.get("content"), list) and str(message["content"]) in written:
                raise ValueError(
                    "the chat template takes no list of parts, and would write it as Python prints it: give the "
                    f"content as a str, not {shown(message['content'])}"
                )

    def row(self, encoder: Encoder) -> Row:
        """The row that the template writes."""
        return Row().append(self.ids(encoder), kind="prompt", chat=str(self))


def turned(row: Row, encoder: Encoder, role: str, content: str, reply: bool) -> Row:
    """The row with one turn more, as its chat template writes it.

    Raises:
        ValueError: the row is no conversation; nobody has answered its last message yet; the template refuses the turn,
            or would write what the row has otherwise.
    """
    if row.dead:
        return row
    row = row.ready(encoder)
    written = list(_units(row.ids, encoder, _chosen(row, encoder)))
    spoken, answer = _spoken(row, encoder, written)
    answers: list[str | None] = [None]
    if spoken.reply:
        if answer is None and role != "assistant":
            raise ValueError(
                "turn() after a message that waits for its answer: generate one, or give it, "
                "turn('assistant', …). To append several messages, turn(…, reply=False) all but the last"
            )
        if answer is not None:
            answers = list(dict.fromkeys((answer, answer.strip(), answer.lstrip(), answer.rstrip())))
    elif answer is not None:
        raise ValueError("turn() after a text that is part of no message: it stands behind the end of the last turn")
    message = _checked_message({"role": role, "content": content})
    reply = reply and role != "assistant"
    parted: list[tuple[int, list[int]]] = []
    for words in answers:  # a template writes the spaces around an answer, or strips them
        answered = () if words is None else ({"role": "assistant", "content": words},)
        longer = Conversation((*spoken.messages, *answered, message), spoken.tools, reply)
        ids = longer.ids(encoder)
        units = list(_units(ids, encoder))
        if units[: len(written)] == written:
            return row.append(_behind(ids, len(written), encoder), chat=str(longer))
        parted.append((common_length(written, units), units))
    at, units = max(parted, key=lambda each: each[0])
    raise ValueError(
        f"turn(): the chat template would rewrite the past. The row has {_around(written, at, encoder)!r} where the "
        f"template, given one message more, writes {_around(units, at, encoder)!r}. Give the whole conversation again, "
        "model.chat(messages): what both begin with is read only once"
    )


def _spoken(row: Row, encoder: Encoder, written: list[int]) -> tuple[Conversation, str | None]:
    """The conversation that the template wrote, and what comes after it; None where nothing does.

    written: the units of the row. The end of what the template wrote may stand in the span after it, which has taken it
    back.
    """
    for _, end, piece in reversed(list(row.placed)):
        if piece.origin.chat is None:
            continue
        spoken, generated = Conversation.parse(piece.origin.chat), row.pieces[-1].kind == "generated"
        if piece.whole:
            size = len(list(_units(row.ids[:end], encoder, _chosen(row, encoder))))
        else:
            units = list(_units(spoken.ids(encoder), encoder))
            size = len(units)
            if written[:size] != units:
                break
        return spoken, _read(written[size:], encoder) if generated or len(written) > size else None
    raise ValueError(
        "turn() on a row that is no conversation, or whose last turn was cut: a conversation begins with "
        "model.chat(messages)"
    )


def _chosen(row: Row, encoder: Encoder) -> frozenset[int]:
    """The places of special tokens that the model wrote inside its answers, as the end of a thought. The template is
    given answers as text, and these as they are spelled."""
    inner = encoder.vocabulary.special.difference(encoder.vocabulary.eos)
    generated = (range(begin, end) for begin, end, piece in row.placed if piece.kind == "generated")
    return frozenset(place for places in generated for place in places if row.ids[place] in inner)


def _units(ids: Sequence[int], encoder: Encoder, spelled: Collection[int] = ()) -> Iterator[int]:
    """The bytes of the text, and the special tokens between them, so that equal texts are equal however cut.

    spelled: places of special tokens that count as their bytes.
    """
    tokens, special = encoder.vocabulary.tokens, encoder.vocabulary.special
    for place, token in enumerate(ids):
        if token in special and place not in spelled:
            yield 256 + token
        else:
            yield from tokens[token]


def _behind(ids: Sequence[int], size: int, encoder: Encoder) -> list[int]:
    """The tokens after so many units. Where these end inside a token, the text up to the next special one is spelled
    anew."""
    special, tokens = encoder.vocabulary.special, encoder.vocabulary.tokens
    count = place = 0
    while count < size:
        count += 1 if ids[place] in special else len(tokens[ids[place]])
        place += 1
    if count == size:
        return list(ids[place:])
    inside = tokens[ids[place - 1]][size - count :]
    end = next((at for at in range(place, len(ids)) if ids[at] in special), len(ids))
    return [*encoder.encode_bytes(inside + b"".join(tokens[token] for token in ids[place:end])), *ids[end:]]


def _around(units: Sequence[int], at: int, encoder: Encoder) -> str:
    """What the units at this place read."""
    return _read(units[max(at - SHOWN, 0) : at + SHOWN], encoder)


def _read(units: Sequence[int], encoder: Encoder) -> str:
    """What units read."""
    tokens = encoder.vocabulary.tokens
    return b"".join(tokens[u - 256] if u > 255 else bytes([u]) for u in units).decode("utf-8", "replace")


# --- what users give


def checked_chats(messages: Any) -> list[Any]:
    """A conversation, or a list of them, as a list of them."""
    if not isinstance(messages, (list, tuple)) or not messages:
        raise ValueError(f"chat() takes a list [{{'role': 'user', 'content': …}}, …], not {shown(messages)}")
    if isinstance(messages[0], (list, tuple)) and messages[0] and isinstance(messages[0][0], str):
        raise ValueError(f"a message of chat() is {{'role': …, 'content': …}}, not {shown(messages[0])}")
    chats: Any = [messages] if isinstance(messages[0], dict) else messages
    if not all(isinstance(chat, (list, tuple)) and chat for chat in chats):
        raise ValueError(f"chat() takes a list of messages, or a list of such lists, not {shown(messages)}")
    return list(chats)


def _checked_message(message: Any) -> Message:
    right = "a message of chat() is {'role': …, 'content': …}"
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise ValueError(f"{right}, not {shown(message)}")
    content = message.get("content")
    if content is None and not message.get("tool_calls"):
        raise ValueError(f"{right}, not {shown(message)}: it has no content")
    for part in content if isinstance(content, (list, tuple)) else ():
        if isinstance(part, dict) and part.get("type", "text") != "text":
            raise ValueError(
                f"a message of chat() has a part of type {shown(part['type'])}: models here read text; images, videos "
                "and sounds are not supported"
            )
    try:
        return json.loads(json.dumps(message))
    except (TypeError, ValueError):
        raise ValueError(f"{right}, of what JSON can say, not {shown(message)}") from None


def _declarations(tools: Any) -> tuple[Message, ...]:
    """Tools as chat templates are given them."""
    tools = getattr(tools, "declarations", tools)
    if tools is None:
        return ()
    if not isinstance(tools, (list, tuple)) or not all(isinstance(tool, dict) for tool in tools):
        raise TypeError(
            f"chat(tools={shown(tools)}): it takes oc.types.tools([f, g]), or a list of declarations in JSON Schema's "
            "words"
        )
    return tuple(tools)
