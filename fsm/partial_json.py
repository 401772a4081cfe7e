"""What an unfinished JSON text says so far.

    partial(b'{"a": [1, 2')                  {"a": [1, 2]}
    Partial().feed(b'{"a": ').feed(b"tru")   a value: .value is {}, .complete is False

- A string is there as far as its characters are whole: half an escape, half of a surrogate pair, or the beginning of a
  UTF-8 sequence is left out.
- A number is there as soon as what stands is one, and may still grow: `12` is 12, `1.` and `1e-` are 1, `-` is nothing.
- `true`, `false` and `null` are there when they are whole, and a key when its value has begun. Of equal keys the last
  counts, as in `json.loads`.
- Before anything is there, the value is `NOTHING`, which is false, and is not `null`.

Laws, for a JSON text t and bytes a, b:

    partial(t)                  =  json.loads(t)
    partial(a)                  is a beginning of partial(t), where a begins t: arrays, objects (of different keys) and
                                strings grow at their ends; a number is one that t's number begins with
    partial(a)                  raises ValueError  ⟺  no JSON text begins with a
    Partial().feed(a).feed(b)   =  Partial().feed(a + b)
"""

from __future__ import annotations

import json
import re
from codecs import utf_8_decode
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple, NoReturn


class Nothing(Enum):
    """The type of `NOTHING`.

    >>> oc.types.partial(" "), bool(oc.types.partial(" ")), oc.types.partial("null")
    (NOTHING, False, None)
    """

    NOTHING = "nothing"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing.NOTHING
"""The value of a text in which no value has begun. It is false, and is not `None`, which is the value of `null`."""

Linked = tuple[Any, Any] | None  # (those before, the last one): appending changes no earlier list


class Expects(Enum):
    """What may come next, whitespace aside."""

    VALUE = "a value"
    ITEM = "a value or ']'"
    NAME = "a key"
    MEMBER = "a key or '}'"
    COLON = "':'"
    KEY = "the rest of a key"
    STRING = "the rest of a string"
    MORE = "',' or the end of the array or object"
    END = "nothing more"


class Unclosed(NamedTuple):
    """An array or object that is not closed yet.

    Attributes:
        outer: what it is in.
        members: its finished items, or (key, value) pairs.
        key: the key whose value is to come; of an object.
    """

    outer: Unclosed | None
    keyed: bool
    members: Linked = None
    key: str | None = None


_SPACE = re.compile(rb"[ \t\n\r]*")
_PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
_ESCAPE = re.compile(rb'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})?')
_CUT_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?")
_HIGH = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}")
_LOW = re.compile(rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_CUT_LOW = re.compile(rb"(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z")
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NUMBER_BEGUN = re.compile(rb"-?(?:0|[1-9][0-9]*)?(?:(?<=[0-9])\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?")
_SHORT_ESCAPES = {b"\\%c" % ord(sign): json.loads(rf'"\{sign}"') for sign in '"\\/bfnrt'}
_WORDS: dict[int, tuple[bytes, Any]] = {ord(w[0]): (w.encode(), json.loads(w)) for w in ("true", "false", "null")}


@dataclass(frozen=True, eq=False, repr=False)
class Partial:
    """The beginning of a JSON text. Immutable: `feed` gives another `Partial`, and this one stays as it is.

    The time to feed depends on the bytes that are fed (and on the number that they continue), not on the bytes before.

    Attributes:
        position: how many bytes were fed.

    >>> half = oc.types.Partial().feed('{"name": "Mi')
    >>> half.value, half.complete
    ({'name': 'Mi'}, False)
    >>> half.feed('ra"}').value, half.value
    ({'name': 'Mira'}, {'name': 'Mi'})
    """

    position: int = 0
    _expects: Expects = Expects.VALUE
    _open: Unclosed | None = None
    _pieces: Linked = None  # of the string that is being read
    _unread: bytes = b""  # what cannot be read before its end is there: a number, a literal, an escape, a character
    _root: Any = NOTHING  # the value, once it is finished

    def feed(self, data: bytes | str) -> Partial:
        """The text with these bytes after it. A str is encoded as UTF-8.

        Raises:
            ValueError: no JSON text begins so; the message has the offset of the first byte that does not fit.

        >>> oc.types.Partial().feed("[1, 2").feed("3]").value
        [1, 23]
        >>> oc.types.Partial().feed("[1, }")
        Traceback (most recent call last):
            ...
        ValueError: not JSON at byte 4: b'}' where a value should be
        """
        if not isinstance(data, (str, bytes, bytearray)):
            raise TypeError(f"JSON is read from bytes or a str, not from {type(data).__name__}")
        added = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)
        return _Reading(self, added).run() if added else self

    @property
    def value(self) -> Any:
        """The value so far. Finished parts are shared with later `Partial`s: copy them before you change them.

        The time depends on the members of the arrays and objects that are open, and on the string that is open.

        >>> [oc.types.partial(text) for text in ('{"age": 3', '{"age": 34}', '{"age"', '[true, fal')]
        [{'age': 3}, {'age': 34}, {}, [True]]
        """
        return self._within(self._unfinished)

    @property
    def certain(self) -> Any:
        """The value so far without a string, number, key or word that may still go on.

        >>> half = oc.types.Partial().feed('{"name": "Mira", "born": 19')
        >>> half.certain, half.value
        ({'name': 'Mira'}, {'name': 'Mira', 'born': 19})
        """
        return self._within(self._root)

    def _within(self, value: Any) -> Any:
        """The value in all that is open."""
        outer = self._open
        while outer is not None:
            members = _list(outer.members)
            if outer.keyed:
                value = dict(members if value is NOTHING else [*members, (outer.key, value)])
            else:
                value = members if value is NOTHING else [*members, value]
            outer = outer.outer
        return value

    @property
    def complete(self) -> bool:
        """Whether the text may end here. (A number may also go on.)

        >>> [oc.types.Partial().feed(text).complete for text in ("[1", "[1]", "1", "-")]
        [False, True, True, False]
        """
        if self._expects is Expects.END:
            return True
        return self._open is None and self._expects is Expects.VALUE and bool(_NUMBER.fullmatch(self._unread))

    @property
    def _unfinished(self) -> Any:
        """The innermost value, if it has begun."""
        if self._expects is Expects.STRING:
            return "".join(_list(self._pieces))
        if self._expects in (Expects.VALUE, Expects.ITEM) and (begun := _NUMBER.match(self._unread)):
            return _number(begun[0])
        return self._root

    def __repr__(self) -> str:
        return f"<Partial JSON, {self.position} bytes, expects {self._expects.value}>"


def partial(data: bytes | str) -> Any:
    """The value of an unfinished JSON text, `NOTHING` if there is none yet.

    Raises:
        ValueError: no JSON text begins so; the message has the offset of the first byte that does not fit.

    >>> oc.types.partial('{"name": "Ada", "born": 18')
    {'name': 'Ada', 'born': 18}
    >>> oc.types.partial(" ")
    NOTHING
    """
    return Partial().feed(data).value


def loads(text: str) -> Any:
    """`json.loads`, also of values that Python's stack, or its limit on digits, is too small for.

    >>> loads("[" * 10_000 + "]" * 10_000)[0] is not None
    True
    """
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        read = Partial().feed(text)
        if not read.complete:
            raise
        return read.value


class _Reading:
    """One call of `feed`: the same fields, which change while bytes are read."""

    def __init__(self, before: Partial, added: bytes):
        self.data, self.at = before._unread + added, 0
        self.base = before.position - len(before._unread)
        self.expects, self.open, self.pieces, self.root = before._expects, before._open, before._pieces, before._root

    def run(self) -> Partial:
        data = self.data
        while self.at < len(data):
            if self.expects in (Expects.KEY, Expects.STRING):
                more = self.in_string()
            else:
                self.at = _SPACE.match(data, self.at).end()  # type: ignore[union-attr]  # it always matches
                more = self.at < len(data) and self.between_strings(data[self.at])
            if not more:
                break
        position, unread = self.base + len(data), data[self.at :]
        return Partial(position, self.expects, self.open, self.pieces, unread, self.root)

    def between_strings(self, byte: int) -> bool:
        """Read one token; False if its end is not there yet."""
        expects, outer = self.expects, self.open
        may_close = expects in (Expects.ITEM, Expects.MEMBER, Expects.MORE)
        if may_close and outer is not None and byte == ord("}" if outer.keyed else "]"):
            return self.close()
        if expects in (Expects.VALUE, Expects.ITEM):
            return self.begin_value(byte)
        if expects in (Expects.NAME, Expects.MEMBER) and byte == ord('"'):
            return self.then(Expects.KEY)
        if expects is Expects.COLON and byte == ord(":"):
            return self.then(Expects.VALUE)
        if expects is Expects.MORE and outer is not None and byte == ord(","):
            return self.then(Expects.NAME if outer.keyed else Expects.VALUE)
        self.refuse(self.at)

    def begin_value(self, byte: int) -> bool:
        if byte == ord('"'):
            return self.then(Expects.STRING)
        if byte == ord("["):
            self.open = Unclosed(self.open, False)
            return self.then(Expects.ITEM)
        if byte == ord("{"):
            self.open = Unclosed(self.open, True)
            return self.then(Expects.MEMBER)
        if byte in b"-0123456789":
            return self.number()
        if byte in _WORDS:
            return self.word(*_WORDS[byte])
        self.refuse(self.at)

    def number(self) -> bool:
        begun = _NUMBER_BEGUN.match(self.data, self.at)
        assert begun is not None
        if begun.end() == len(self.data):
            return False
        if not _NUMBER.fullmatch(begun[0]):
            self.refuse(begun.end())
        self.at = begun.end()
        return self.finish(_number(begun[0]))

    def word(self, word: bytes, value: Any) -> bool:
        there = self.data[self.at : self.at + len(word)]
        if there == word:
            self.at += len(word)
            return self.finish(value)
        if word.startswith(there):
            return False
        self.refuse(self.at + next(i for i, byte in enumerate(there) if byte != word[i]))

    def in_string(self) -> bool:
        """Read characters up to the next escape or to the end; False if there is one of which the end is missing."""
        run = _PLAIN.match(self.data, self.at)
        assert run is not None
        if run[0]:
            return self.plain(run[0], run.end() == len(self.data))
        byte = self.data[self.at]
        if byte == ord("\\"):
            return self.escape()
        if byte != ord('"'):
            self.refuse(self.at)
        self.at += 1
        text, self.pieces = "".join(_list(self.pieces)), None
        if self.expects is Expects.STRING:
            return self.finish(text)
        assert self.open is not None
        self.open, self.expects = self.open._replace(key=text), Expects.COLON
        return True

    def plain(self, raw: bytes, cut: bool) -> bool:
        """Take characters that are not escaped. cut: whether they may go on."""
        try:
            text, size = utf_8_decode(raw, "strict", not cut)
        except UnicodeDecodeError as error:
            self.refuse(self.at + (error.start if error.reason == "invalid start byte" else error.end))
        self.at += size
        if text:
            self.pieces = (self.pieces, text)
        begun = raw[size:]
        if len(begun) > 1 and not is_text((begun + b"\x80\x80")[: 3 if begun[0] < 0xF0 else 4]):
            self.refuse(self.at + 1)  # which bytes may be the second depends on the first
        return not begun

    def escape(self) -> bool:
        escape = _ESCAPE.match(self.data, self.at)
        assert escape is not None
        end = escape.end()
        if len(escape[0]) == 1:
            begun = _CUT_ESCAPE.match(self.data, self.at)
            assert begun is not None
            if begun.end() < len(self.data):
                self.refuse(begun.end())
            return False
        if escape[0] in _SHORT_ESCAPES:
            text = _SHORT_ESCAPES[escape[0]]
        else:
            code = int(escape[0][2:], 16)
            if _HIGH.fullmatch(escape[0]):
                if low := _LOW.match(self.data, end):
                    code = 0x10000 + ((code - 0xD800) << 10) + int(low[0][2:], 16) - 0xDC00
                    end = low.end()
                elif _CUT_LOW.match(self.data, end):
                    return False
            text = chr(code)
        self.pieces, self.at = (self.pieces, text), end
        return True

    def then(self, expects: Expects) -> bool:
        self.expects = expects
        self.at += 1
        return True

    def close(self) -> bool:
        closed = self.open
        assert closed is not None
        self.open = closed.outer
        self.at += 1
        members = _list(closed.members)
        return self.finish(dict(members) if closed.keyed else members)

    def finish(self, value: Any) -> bool:
        outer = self.open
        if outer is None:
            self.root, self.expects = value, Expects.END
        else:
            member = (outer.key, value) if outer.keyed else value
            self.open, self.expects = outer._replace(members=(outer.members, member), key=None), Expects.MORE
        return True

    def refuse(self, at: int) -> NoReturn:
        byte = bytes(self.data[at : at + 1])
        raise ValueError(f"not JSON at byte {self.base + at}: {byte!r} where {self.expects.value} should be")


def _list(chain: Linked) -> list[Any]:
    items = []
    while chain is not None:
        chain, last = chain
        items.append(last)
    items.reverse()
    return items


def is_text(data: bytes) -> bool:
    """Whether these bytes are whole characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _number(text: bytes) -> int | float:
    if re.search(rb"[.eE]", text):
        return float(text)
    return int(text) if len(text) < 4_000 else int(Decimal(text.decode()))  # which Python does not limit
