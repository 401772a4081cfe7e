"""Conversations: what a chat template wrote into a row, and one turn more of it.

A row holds, beside the tokens of a conversation, its messages (`Origin.chat`). So `turn` can ask the template for the
whole conversation with one message more, check that it begins with the row's own tokens, and append what comes after.
Keys and values of all that the row had stay valid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from inspect import signature
from itertools import accumulate
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.explained import unknown_argument
from outlines_cont.hints import ARGUMENTS, hint
from outlines_cont.prefixes import common_length
from outlines_cont.state.row import Row

Message = Mapping[str, Any]
SHOWN = 20  # what is shown of two texts where they part: characters to either side
#: Options of `apply_chat_template` that a template reads, or that choose one.
READ_BY_TEMPLATES = {"documents", "chat_template"}
SYSTEM, ANSWERS = ("system", "developer"), ("assistant", "tool")
#: What messages have by the convention of all templates, though some leave it out.
MEMBERS = ("role", "content", "tool_calls", "tool_call_id", "name")


@dataclass(frozen=True)
class Conversation:
    """Messages, the tools that the template was told of, whether the assistant's answer was begun after them, and the
    options of the template."""

    messages: tuple[Message, ...]
    tools: tuple[Message, ...] = ()
    reply: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, messages: Any, tools: Any, options: Mapping[str, Any], reply: bool = True) -> Conversation:
        """Of what a user gave, checked. TypeError or ValueError with the message, or the option, that is none."""
        try:
            options = json.loads(json.dumps(options))
        except (TypeError, ValueError):
            raise TypeError(f"chat() takes options of what JSON can say, not {shown(options)}") from None
        return cls(tuple(map(_checked_message, messages)), _declarations(tools), reply, options)

    @classmethod
    def parse(cls, text: str) -> Conversation:
        """The inverse of `str`. ValueError for another text."""
        fields = json.loads(text)
        if not isinstance(fields, dict) or {*fields, "options"} != {"messages", "tools", "reply", "options"}:
            raise ValueError(f"{shown(text)} is no conversation")
        messages, tools, reply, options = (fields.get(name, {}) for name in ("messages", "tools", "reply", "options"))
        lists = isinstance(messages, list) and messages and isinstance(tools, list)
        if not (lists and isinstance(reply, bool) and isinstance(options, dict)):
            raise ValueError(f"{shown(text)} is no conversation")
        return cls(tuple(map(_checked_message, messages)), tuple(tools), reply, options)

    def __str__(self) -> str:
        options = {"options": self.options} if self.options else {}
        fields = {"messages": self.messages, "tools": self.tools, "reply": self.reply, **options}
        return json.dumps(fields, ensure_ascii=False)

    def ids(self, encoder: Encoder) -> list[int]:
        """What the template writes.

        Raises:
            TypeError: the template does not read one of the options.
            ValueError: it has no place for the tools, writes nothing of a message, or refuses the messages.
        """
        self._check_names(encoder)
        told = self._told()
        ids, written = encoder.chat(self.messages, **told), encoder.rendered(self.messages, **told)
        self._check_options(encoder)
        self._check_parts(written)
        self._check_messages(encoder, written)
        if self.tools and written == encoder.rendered(self.messages, **told | {"tools": None}):
            raise ValueError(
                "the chat template has no place for tools: this model was not trained to call any. Describe them in a "
                "message of yours"
            )
        return ids

    def _told(self) -> dict[str, Any]:
        """What the template is told beside the messages."""
        tools = {"tools": list(self.tools)} if self.tools else {}
        return {"add_generation_prompt": self.reply, **tools, **self.options}

    def _template(self, encoder: Encoder) -> str:
        """The source of the template; "" where something else writes messages."""
        template = self.options.get("chat_template")
        if not template and not getattr(encoder.tokenizer, "chat_template", None):
            return ""
        return encoder.tokenizer.get_chat_template(template, self.tools or None)

    def check_fields(self, encoder: Encoder, message: Message) -> None:
        """TypeError for a part of a message that this template does not read: misspelled, or one of its options."""
        template = self._template(encoder)
        for name in message.keys() - set(MEMBERS) if template else ():
            if not re.search(rf"\b{re.escape(name)}\b", template) or name in _names_in(template):
                raise unknown_argument("turn()", name, ["reply", *MEMBERS[2:], "those that the chat template reads"])

    def _check_names(self, encoder: Encoder) -> None:
        """TypeError for an option that says how `apply_chat_template` is called."""
        apply = getattr(encoder.tokenizer, "apply_chat_template", None)
        taken = {"messages", *signature(apply).parameters} - READ_BY_TEMPLATES - {"kwargs"} if apply else ()
        for name in taken and self.options:
            if name in taken:
                raise unknown_argument("chat()", name, ["messages", "tools", "keys", "those of the chat template"])

    def _check_options(self, encoder: Encoder) -> None:
        """TypeError for an option that the template does not read."""
        given = sorted(self.options.keys() - {"chat_template"})
        if not given or not (template := self._template(encoder)):
            return  # (what writes messages without a template knows its options itself)
        names = _names_in(template)
        for name in (name for name in given if name not in names):
            options = sorted(n for n in names - NO_OPTIONS if not n.endswith("_token"))
            meant = "".join(f" (did you mean {near}?)" for near in get_close_matches(name, options, 1))
            reads = f"the options that it reads are {', '.join(options)}" if options else "it reads no options"
            advice = hint(ARGUMENTS, name).replace(": ", "; ", 1)
            advice *= f"{name}=" not in advice  # to give it to chat()
            raise TypeError(
                f"chat() takes no option {name!r}: this chat template does not read it{meant}; {reads}{advice}"
            )

    def _check_parts(self, written: str) -> None:
        """ValueError where a template that knows texts alone wrote a list of parts as Python prints it."""
        for message in self.messages:
            if isinstance(message.get("content"), list) and str(message["content"]) in written:
                raise ValueError(
                    "the chat template takes no list of parts, and would write it as Python prints it: give the "
                    f"content as a str, not {shown(message['content'])}"
                )

    def _check_messages(self, encoder: Encoder, written: str) -> None:
        """ValueError for a message of which the template writes nothing: what it writes is the same for other words.

        Mostly it is enough to see that all contents are written which stand there in place of the real ones.
        """
        places = [(at, key) for at, each in enumerate(self.messages) for key in ("content", "tool_calls")]
        begin = next(begin for n in range(10**9) if (begin := f"[~{n}:") not in str(self))
        marks = {place: f"{begin}{n}~]" for n, place in enumerate(places)}
        marked = [dict(message) for message in self.messages]
        for (at, key), mark in marks.items():
            if key in marked[at]:
                marked[at][key] = _with_mark(marked[at][key], mark)
        text = self._other(encoder, marked)
        for (at, key), mark in marks.items():
            message, other = self.messages[at], {**self.messages[at], key: marked[at].get(key)}
            if mark in text or other[key] == message.get(key):
                continue
            if self._other(encoder, [*self.messages[:at], other, *self.messages[at + 1 :]]) == written:
                raise ValueError(
                    f"the chat template writes nothing of the {key} of messages[{at}], {shown(message)}: the model "
                    f"would never see it. It has no place for it in a message of the role {message['role']!r} there"
                )

    def _other(self, encoder: Encoder, messages: Sequence[Message]) -> str:
        """What the template writes of other messages; "" if it refuses them."""
        try:
            return encoder.rendered(messages, **self._told())
        except ValueError:
            return ""

    def row(self, encoder: Encoder) -> Row:
        """The row that the template writes."""
        return Row().append(self.ids(encoder), kind="prompt", chat=str(self))


#: What is in every template's reach and is no option of it.
NO_OPTIONS = {"messages", "tools", "add_generation_prompt", "raise_exception", "strftime_now"}
_GENERATION = re.compile(r"\{%-?\s*(end)?generation\s*-?%\}")  # a statement of transformers, which writes nothing


def _names_in(template: str) -> set[str]:
    """The names that a template reads and does not set itself."""
    from jinja2 import Environment, meta

    return meta.find_undeclared_variables(
        Environment(extensions=["jinja2.ext.loopcontrols"]).parse(_GENERATION.sub("", template))
    )


def _with_mark(value: Any, mark: str) -> Any:
    """A content, or calls, with a mark in place of each text, or of each function's name; what says nothing stays."""
    if isinstance(value, str):
        return mark if value.strip() else value
    if isinstance(value, list):
        return [_with_mark(part, mark) for part in value]
    if isinstance(value, dict):
        return {
            key: _with_mark(part, mark) if key in ("text", "name", "function") else part for key, part in value.items()
        }
    return value


def turned(row: Row, encoder: Encoder, message: Mapping[str, Any], reply: bool, forget: int = 0) -> Row:
    """The row with this message more, as its chat template writes it; without its first messages, so many.

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
        if answer is None and message["role"] != "assistant":
            raise ValueError(
                "turn() after a message that waits for its answer: generate one, or give it, "
                "turn('assistant', …). To append several messages, turn(…, reply=False) all but the last"
            )
        if answer is not None:
            answers = list(dict.fromkeys((answer, answer.strip(), answer.lstrip(), answer.rstrip())))
    elif answer is not None:
        raise ValueError("turn() after a text that is part of no message: it stands behind the end of the last turn")
    spoken.check_fields(encoder, message)
    message = _checked_message(message)
    reply = reply and message["role"] != "assistant"
    parted: list[tuple[int, list[int]]] = []
    for words in answers:  # a template writes the spaces around an answer, or strips them
        answered = () if words is None else ({"role": "assistant", "content": words},)
        messages = _without_first((*spoken.messages, *answered), forget)
        longer = replace(spoken, messages=(*messages, message), reply=reply)
        ids = longer.ids(encoder)
        units = list(_units(ids, encoder))
        if forget:
            kept, size = _without_a_part(row, written, units, encoder)
            kind = "text" if kept.ids else "prompt"
            return kept.append(_behind(ids, size, encoder), kind=kind, chat=str(longer))
        if units[: len(written)] == written:
            return row.append(_behind(ids, len(written), encoder), chat=str(longer))
        parted.append((common_length(written, units), units))
    at, units = max(parted, key=lambda each: each[0])
    raise ValueError(
        f"turn(): the chat template would rewrite the past. The row has {_around(written, at, encoder)!r} where the "
        f"template, given one message more, writes {_around(units, at, encoder)!r}. Give the whole conversation again, "
        "model.chat(messages): what both begin with is read only once"
    )


def _without_first(messages: tuple[Message, ...], count: int) -> tuple[Message, ...]:
    """The messages without the first ones, so many, after those of the system. ValueError if a question would be left
    out and its answer kept."""
    first = next((at for at, each in enumerate(messages) if each["role"] not in SYSTEM), len(messages))
    begins = [at - first for at in range(first, len(messages)) if messages[at]["role"] not in ANSWERS]
    fitting = [*begins, len(messages) - first]
    if count not in fitting and count:
        raise ValueError(
            f"turn(forget={count}): the first messages after the system's drop out, as many as make whole turns, a "
            f"question with all that answers it: here {', '.join(str(n) for n in fitting if n)}"
        )
    return (*messages[:first], *messages[first + count :])


def _without_a_part(row: Row, written: list[int], units: list[int], encoder: Encoder) -> tuple[Row, int]:
    """The row without a part of it, the shortest one without which it begins as these units do; and how many of them it
    has then. Where the template writes what comes after the part otherwise, that is left out as well.

    written: the units of the row. It is cut between tokens.
    """
    special, spelled, tokens = encoder.vocabulary.special, _chosen(row, encoder), encoder.vocabulary.tokens
    sizes = (1 if t in special and at not in spelled else len(tokens[t]) for at, t in enumerate(row.ids))
    borders = {border: at for at, border in enumerate(accumulate(sizes, initial=0))}
    common = common_length(written, units)
    for gap in range(1, len(written) + 1):
        size = at = len(written) - gap
        if size >= len(units):  # something of the new message is to be appended
            continue
        while at and units[at - 1] == written[at - 1 + gap]:
            at -= 1
        fitting = (cut for cut in range(min(common, size), at - 1, -1) if cut in borders and cut + gap in borders)
        if (cut := next(fitting, None)) is not None:
            return row.take(range(borders[cut])).join(row.take(range(borders[cut + gap], len(row)))), size
    return Row(lineage=row.lineage), 0


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
    content, calls = message.get("content"), message.get("tool_calls")
    if isinstance(calls, (list, tuple)):
        message = {**message, "tool_calls": [getattr(call, "entry", call) for call in calls]}
    if calls is not None and not (isinstance(calls, (list, tuple)) and all(map(_is_call, message["tool_calls"]))):
        raise ValueError(f"tool_calls of a message are a list of ToolCall or of dicts, not {shown(calls)}")
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


def _is_call(call: Any) -> bool:
    """Whether it is an entry of `tool_calls`: a function's name with arguments, mostly under "function"."""
    return isinstance(call, dict) and isinstance(call.get("function", call), dict)


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
