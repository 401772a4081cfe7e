"""Conversations: what a chat template wrote into a row, and one turn more of it.

A row holds, beside the tokens of a conversation, its messages (`Origin.chat`). So `turn` can ask the template for the
whole conversation with one message more, check that it begins with the row's own tokens, and append what comes after.
Keys and values of all that the row had stay valid.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.prefixes import common_length
from outlines_cont.state.row import Row

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
