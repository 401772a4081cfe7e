"""How values of Python's scalar types are written, without quotes, and read back; and the options of a choice.

Types with containers in them are written as JSON (`asked.py`).
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin
from uuid import UUID

from pydantic import TypeAdapter

from outlines_cont.arguments import plain, shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_schema import formats
from outlines_cont.fsm.patterns.json_strings import TEXT_SPELLINGS

# --- patterns of texts that pydantic's types read: every text that one matches is a value of its type
#
# They are narrower than what pydantic would read, and as its users write it. All are ASCII, and match whole texts.

# ------------------------------------------------------------------------------------------------- digits in a range


def between(low: str, high: str) -> str:
    """Texts of one shape, with the same signs between their digits, from one to another in the order of the alphabet.

    >>> import re
    >>> from outlines_cont.schemas.python_types import between
    >>> [bool(re.fullmatch(between("2019-12", "2020-03"), text)) for text in ("2019-11", "2020-01", "2020-04")]
    [False, True, False]
    """
    first, last = _filled(low, "0"), _filled(low, "9")
    if (low, high) == (first, last):
        return "".join("[0-9]" if c.isdigit() else f"[{c}]" for c in low)
    a, b, after, before = low[0], high[0], low[1:], high[1:]
    if a == b:
        return f"[{a}]{between(after, before)}"
    ways = [f"{a}{between(after, last[1:])}", f"{b}{between(first[1:], before)}"]
    if int(b) - int(a) > 1:
        ways.append(f"[{int(a) + 1}-{int(b) - 1}]{between(first[1:], last[1:])}")
    return f"(?:{'|'.join(ways)})"


def _filled(text: str, digit: str) -> str:
    return "".join(digit if c.isdigit() else c for c in text)


def naturals(low: int, high: int) -> str:
    """The natural numbers from one to another, without leading zeros."""
    ways = []
    for size in range(len(str(low)), len(str(high)) + 1):
        least, most = (0 if size == 1 else 10 ** (size - 1)), 10**size - 1
        ways.append(between(str(max(low, least)), str(min(high, most))))
    return f"(?:{'|'.join(ways)})"


def integers(low: int, high: int) -> str:
    """The integers from one to another."""
    above = naturals(max(low, 0), high) if high >= 0 else ""
    below = f"-{naturals(max(-high, 1), -low)}" if low < 0 else ""
    return f"(?:{'|'.join(filter(None, (above, below)))})"


# ------------------------------------------------------------------------------------------------------------- times

CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
DATE = formats.DATE

_TIME = r"T(?:[0-9]{1,4}H(?:[0-9]{1,4}M)?(?:_)?|[0-9]{1,4}M(?:_)?|_)".replace("_", r"[0-9]{1,4}(?:\.[0-9]{1,6})?S")
_DAYS = r"(?:[0-9]{1,3}Y(?:[0-9]{1,3}M)?(?:[0-9]{1,4}D)?|[0-9]{1,3}M(?:[0-9]{1,4}D)?|[0-9]{1,6}D)"
DURATION = rf"P(?:{_DAYS}(?:{_TIME})?|{_TIME}|[0-9]{{1,4}}W)"

# ---------------------------------------------------------------------------------------------------------- networks

_ADDRESS_4, _ADDRESS_6 = formats.IPV4, formats.IPV6
_OCTET, _HEXTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])", r"[0-9a-f]{1,4}"
_BITS_4, _BITS_6 = r"(?:3[0-2]|[12]?[0-9])", naturals(0, 128)


def _network_4(bits: int) -> str:
    """The networks of a prefix of so many bits: all bits after them are 0."""
    whole, part = divmod(bits, 8)
    octets = [_OCTET] * whole
    if part:
        octets.append(f"(?:{'|'.join(map(str, range(0, 256, 2 ** (8 - part))))})")
    return rf"{'[.]'.join([*octets, *'0' * (4 - len(octets))])}/{bits}"


def _network_6(hextets: int) -> str:
    """The networks whose address is so many hextets, then zeros."""
    return rf"{':'.join([_HEXTET] * hextets)}::/{naturals(16 * hextets, 128)}"


NETWORK_4 = "|".join([_ADDRESS_4, *map(_network_4, range(33))])
NETWORK_6 = "|".join([rf"{_ADDRESS_6}(?:/128)?", *map(_network_6, range(8))])
INTERFACE_4, INTERFACE_6 = rf"{_ADDRESS_4}(?:/{_BITS_4})?", rf"{_ADDRESS_6}(?:/{_BITS_6})?"
ANY_ADDRESS = f"{_ADDRESS_4}|{_ADDRESS_6}"
ANY_INTERFACE, ANY_NETWORK = f"{INTERFACE_4}|{INTERFACE_6}", f"{NETWORK_4}|{NETWORK_6}"

_LABEL = r"[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,20})?"  # no `xn--`
HOST = rf"(?:{_LABEL}\.){{0,4}}[a-z]{{2,12}}"  # the last label is no number
_AFTER_HOST = r"(?:/[A-Za-z0-9._~-]*)*(?:\?[A-Za-z0-9._~=&-]*)?(?:#[A-Za-z0-9._~-]*)?"
EMAIL = rf"[a-z0-9]{{1,20}}(?:[._-][a-z0-9]{{1,20}}){{0,2}}@(?:{_LABEL}\.){{1,3}}(?:com|org|net|edu|gov|[a-z]{{2}})"


def url(schemes: list[str] | None) -> str:
    """URLs with a host; of files, without one."""
    names = [scheme for scheme in schemes or ["https", "http", "ftp", "wss", "ws"] if scheme != "file"]
    port = naturals(1, 65535)
    hosted = rf"(?:{'|'.join(name.replace('+', '[+]') for name in names)})://{HOST}(?::{port})?{_AFTER_HOST}"
    local = r"file:///[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*"
    return "|".join([hosted] * bool(names) + [local] * (schemes is None or "file" in schemes))


# ------------------------------------------------------------------------------------------------- bytes and numbers


def base64(last: str) -> str:
    """Base64 whose last two characters are these: `+/`, or `-_` in URLs."""
    one = rf"[A-Za-z0-9{last}]"
    return rf"(?:{one}{{4}})*(?:{one}[AQgw]==|{one}{{2}}[AEIMQUYcgkosw048]=)?"


#: Base64 of ASCII: every eighth bit is 0.
BASE64_TEXT = r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9])*"
BASE64_TEXT += r"(?:[A-Za-f][AQgw]==|[A-Za-f][A-HQ-Xg-nw-z0-3][AEIMQUYcgkosw048]=)?"

#: As Python writes decimals without an exponent: places may end in zeros.
DECIMAL = r"-?(?:0|[1-9][0-9]{0,18})(?:\.[0-9]{1,9})?"
_DECIMAL = r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,8})?"
COMPLEX = rf"-?{_DECIMAL}[+-]{_DECIMAL}j|-?{_DECIMAL}"
FRACTION = r"-?(?:0|[1-9][0-9]{0,8})(?:/[1-9][0-9]{0,8})?"
BYTE_SIZE = r"[0-9]{1,6}(?:\.[0-9]{1,2})?(?:[kmgtp]i?b|b|[KMGTP]i?B|B)"


# --- python types


class Scalar(NamedTuple):
    """How the values of a type are written.

    Attributes:
        pattern: of their texts.
        parse: what reads such a text.
        wider: of the texts that are read, if these are more than are written.
        number: whether `wider` is the spelling that `spelling="any"` asks for.
    """

    pattern: str
    parse: Callable[[str], Any]
    wider: str | None = None
    number: bool = False

    @property
    def readable(self) -> str:
        """The pattern of the texts that are read."""
        return self.wider or self.pattern


_duration = TypeAdapter(timedelta)
SCALARS: dict[Any, Scalar] = {
    int: Scalar(formats.PYTHON_INTEGER, int, formats.INTEGER, number=True),
    float: Scalar(formats.PYTHON_NUMBER, float, formats.NUMBER, number=True),
    Decimal: Scalar(DECIMAL, Decimal, formats.NUMBER, number=True),
    bool: Scalar("True|False", lambda text: text == "True"),
    NoneType: Scalar("None", lambda text: None),
    date: Scalar(formats.DATE, date.fromisoformat),
    time: Scalar(formats.TIME, time.fromisoformat),
    datetime: Scalar(formats.DATE_TIME, datetime.fromisoformat, f"{formats.DATE}[T ]{formats.TIME}"),
    timedelta: Scalar(DURATION, _duration.validate_python),
    UUID: Scalar(formats.UUID, UUID),
}


class Spelling(NamedTuple):
    """How the values of a type are written: a pattern, a wider one that is read, or None; and what reads the text."""

    pattern: str
    wider: str | None
    parse: Callable[[str], Any]


def spelling(python_type: Any, spelling: str) -> Spelling | None:
    """How the values of a scalar type, or of a union of such, are written. None for all other types.

    spelling: how numbers are written: "plain", as Python does, or in "any" way of JSON.

    Raises:
        ValueError: another `spelling`.
        TypeError: a constant that is not written.
    """
    if spelling not in TEXT_SPELLINGS:
        raise ValueError(f"spelling={spelling!r}: it is {' or '.join(map(repr, TEXT_SPELLINGS))}")
    scalars = _scalars(python_type)
    if scalars is None:
        return None

    def read(text: str) -> Any:  # a text that was resumed may have any spelling that is read
        return next(scalar.parse(text) for scalar in scalars if re.fullmatch(scalar.readable, text))

    pattern = _either(s.readable if s.number and spelling == "any" else s.pattern for s in scalars)
    wider = _either(s.readable for s in scalars)
    return Spelling(pattern, None if wider == pattern else wider, read)


def _either(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _scalars(python_type: Any) -> list[Scalar] | None:
    """A type as alternatives; None if it is no scalar."""
    if python_type is None:
        python_type = NoneType
    if isinstance(python_type, type) and python_type in SCALARS:
        return [SCALARS[python_type]]
    if is_listed(python_type):
        return [_constant(text, value) for text, value in options_of(python_type, "a type").items()]
    if get_origin(python_type) not in (Union, UnionType):
        return None
    members = [_scalars(unwrapped(member)) for member in get_args(python_type)]
    if any(member is None for member in members):
        return None
    return [scalar for member in members if member is not None for scalar in member]


def _constant(text: str, value: Any) -> Scalar:
    return Scalar(re.escape(text), lambda _: value)


def unwrapped(python_type: Any) -> Any:
    """A type without the names that `NewType` and `type X = …` give it.

    >>> from typing import NewType
    >>> from outlines_cont.schemas.python_types import unwrapped
    >>> unwrapped(NewType("Age", int))
    <class 'int'>
    """
    seen: list[Any] = []
    while not any(python_type is each for each in seen):  # `type X = X` stands for nothing
        seen.append(python_type)
        if hasattr(python_type, "__supertype__"):
            python_type = python_type.__supertype__
        elif type(python_type).__name__ == "TypeAliasType" and not _names_itself(python_type):
            python_type = python_type.__value__
    return python_type


def with_flags(pattern: re.Pattern[str]) -> str:
    """A compiled pattern as text: flags that do not stand in it are written before it."""
    try:
        missing = pattern.flags & ~re.compile(pattern.pattern).flags
    except re.error:  # it can be read with its flags only: a bracket in a comment of re.X
        missing = pattern.flags
    letters = "".join(letter for letter in "imsxa" if missing & re.RegexFlag[letter.upper()])
    return f"(?{letters}){pattern.pattern}" if letters else pattern.pattern


def _names_itself(alias: Any) -> bool:
    """Whether a type alias may speak of itself, as `JsonValue` does: pydantic reads that by the name."""
    value = alias.__value__
    return isinstance(value, str) or repr(alias.__name__) in repr(value) or alias in get_args(value)


# ------------------------------------------------------------------------------------------------ options of a choice

_PRINTED = (str, bytes, bool, int, float, NoneType)


def is_listed(python_type: Any) -> bool:
    """Whether it is a type that lists its values: a `Literal` or an `Enum`."""
    return get_origin(python_type) is Literal or (isinstance(python_type, type) and issubclass(python_type, Enum))


def options_of(source: Any, called: str) -> dict[str, Any]:
    """The options of a `Literal`, an `Enum` or a list of values, by their texts, in order.

    Texts are as Python prints them (`True`, `None`, `0.5`). called: who is given them, for errors.

    Raises:
        TypeError: it is none of these; or an option is of another type.
        ValueError: two options have one text.
        ConstraintError: there are none.

    >>> from outlines_cont.schemas.python_types import options_of
    >>> options_of([1, None, "red"], "choice()")
    {'1': 1, 'None': None, 'red': 'red'}
    """
    source = plain(unwrapped(source))
    if get_origin(source) is Literal:
        values: list[Any] = list(get_args(source))
    elif (isinstance(source, type) and issubclass(source, Enum)) or (
        isinstance(source, Iterable) and not isinstance(source, (str, bytes, dict, set, frozenset, type))
    ):
        values = list(source)
    else:
        order = " (a set has no order: sorted(…) gives it one)" if isinstance(source, (set, frozenset)) else ""
        raise TypeError(f"{called} takes a list of options, a Literal or an Enum, not {shown(source)}{order}")
    if not values:
        raise ConstraintError(f"{called}: {shown(source)} lists no options")
    options: dict[str, Any] = {}
    for value in values:
        text = _printed(value, called)
        if text in options:
            if options[text] is value or _same(options[text], value):
                raise ValueError(f"{called}: the option {shown(value)} is given twice in a choice of {len(values)}")
            raise ValueError(
                f"{called}: the options {shown(options[text])} and {shown(value)} are both written {text!r}, and could "
                "not be told apart"
            )
        options[text] = value
    return options


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _printed(option: Any, called: str) -> str:
    """The text of an option, as Python prints it. TypeError for other types, ValueError for what has no text."""
    value = option.value if isinstance(option, Enum) else option
    if is_function(value):
        raise TypeError(
            f"{called}: an option is a text or a value, not the function {shown(value)}; for a call of one of several "
            "functions, oc.types.tools([f, g])"
        )
    if not isinstance(option, (*_PRINTED, Enum)):
        raise TypeError(
            f"{called}: an option is a str, int, float, bool, None or a member of an Enum, not {shown(value)} "
            f"({type(value).__name__}); give its text, a str"
        )
    try:
        return value.decode() if isinstance(value, bytes) else str(value)
    except Exception as error:  # bytes that are no text, an int of very many digits, a value of an Enum of their own
        raise ValueError(f"{called}: the option {shown(option)} cannot be written as text: {error}") from error


def is_function(source: Any) -> bool:
    """Whether it is a function, a method or a `functools.partial`, whose arguments can be generated."""
    return isinstance(source, functools.partial) or inspect.isroutine(source)
