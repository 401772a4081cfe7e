"""Arguments as users give them: what they mean as plain values, or an error that says what would be right."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import fields
from difflib import get_close_matches
from inspect import signature
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np

LONGEST = 1000  # characters of a value in a message
BRIEF = 80  # characters of a field in a repr
MOST_SAMPLES = 1 << 20  # of a batch row


def shown(value: object, longest: int = LONGEST) -> str:
    """A value as it is written in a message: its repr, without its middle if that is long."""
    try:
        text = repr(value)
    except Exception:  # nested too deeply, say; or it is the value's own that is wrong
        return f"<{type(value).__name__}, which cannot be printed>"
    return text if len(text) <= longest else f"{text[: longest // 2]} … {text[-longest // 2 :]}"


def brief(self: Any) -> str:
    """The repr of a dataclass whose fields may be long: `__repr__ = brief` in its body. They lose their middles."""
    inside = (f"{each.name}={shown(getattr(self, each.name), BRIEF)}" for each in fields(self) if each.repr)
    return f"{type(self).__name__}({', '.join(inside)})"


def whole_number(value: Any, name: str, right: str) -> int:
    """The value as an int. TypeError for a bool, and for anything that torch and numpy would not take for an int."""
    if is_whole(value):
        return operator.index(value)
    raise TypeError(f"{name}={shown(value)}: it must be {right}")


def positive(value: Any, name: str) -> int:
    """The value, if it is an int ≥ 1; else a TypeError or a ValueError."""
    if (value := whole_number(value, name, "an int ≥ 1")) < 1:
        raise ValueError(f"{name}={value}: it must be an int ≥ 1")
    return value


def is_whole(value: Any) -> bool:
    """Whether it is an int, of Python, numpy or torch, and no bool."""
    if type(value) is int:
        return True
    if isinstance(value, bool) or "bool" in str(getattr(value, "dtype", "")):
        return False
    with suppress(TypeError):
        operator.index(value)
        return True
    return False


def is_number(value: object) -> bool:
    """Whether it is a finite number that a float can hold."""
    with suppress(OverflowError):
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
    return False


def flag(value: Any, name: str) -> bool:
    """The value, if it is True or False; else a TypeError."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={shown(value)}: it is True or False")
    return bool(value)


def word(value: Any, name: str, words: Sequence[str], right: str = "") -> str:
    """The value, if it is one of these words; else a ValueError. right: what it says of them."""
    if not isinstance(value, str) or value not in words:
        listed = f"{', '.join(map(repr, words[:-1]))} or {words[-1]!r}"
        raise ValueError(f"{name}={shown(value)}: it is {right or listed}")
    return value


def meant(name: str, names: Iterable[str]) -> str:
    """ " (did you mean 'x'?)", for a name that is none of these, but nearly one; else ""."""
    return "".join(f" (did you mean {near!r}?)" for near in get_close_matches(name, names, 1))


def plain(values: Any) -> Any:
    """A tensor or an array as nested lists; anything else as it is. TypeError for a tensor that has no numbers."""
    if not hasattr(values, "tolist") or isinstance(values, type):
        return values
    try:
        return values.tolist()
    except (RuntimeError, NotImplementedError):
        raise TypeError(f"{shown(values)} has no plain numbers in memory that could be read") from None


def media_name(value: object) -> str | None:
    """What an image, a video or a sound is called, of Pillow or of Outlines, or a class of such; None for all else.

    These packages need not be installed.
    """
    cls = value if isinstance(value, type) else type(value)
    for base in cls.__mro__:
        package = base.__module__.partition(".")[0]
        if package == "PIL" or (package == "outlines" and base.__name__ in ("Image", "Video", "Audio")):
            return f"{base.__module__}.{base.__name__}"
    return None


def refuse_media(value: object) -> None:
    """TypeError for an image, a video or a sound."""
    if name := media_name(value):
        raise TypeError(f"{name}: models here read text; images, videos and sounds are not supported")


def half_character(text: str) -> bool:
    """Whether a text has a lone surrogate, which no bytes spell."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def takes_one(function: Callable[..., Any]) -> bool:
    """Whether a function can be called with one argument, as far as it tells."""
    return takes(function, 1)


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments, as far as it tells."""
    try:
        signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # some that are written in C do not tell
        return True
    return True
