"""Functions that say what to write in place of an argument that they do not take, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, isroutine, signature
from typing import Any, ParamSpec, TypeVar

from outlines_cont.arguments import shown
from outlines_cont.hints import ARGUMENTS, MISSING, PLACES, hint

P = ParamSpec("P")
T = TypeVar("T")
MODELS = "oc.load() or oc.Model(hf, tokenizer)"


def unknown_argument(called: str, name: str, names: list[str]) -> TypeError:
    """The error for an argument that `called` does not take: what to write, or the name that was meant."""
    for table in (ARGUMENTS, PLACES):
        if name in table and name not in names:
            advice = table[name].format(name)
            return TypeError(f"{called} takes no option {name!r}: {_of_itself(called, advice) or advice}")
    meant = "".join(f" (did you mean {near}?)" for near in get_close_matches(name, names, 1))
    return TypeError(f"{called} takes no option {name!r}{meant}; its options are {', '.join(names)}")


def _of_itself(called: str, advice: str) -> str:
    """Of an advice to take the sampler that was called, its arguments alone; "" of any other advice.

    >>> from outlines_cont.explained import _of_itself
    >>> _of_itself("smc()", "it is a filter: oc.samplers.smc(filters=[oc.g(…)])"), _of_itself("greedy()", "oc.g(a=…)")
    ('write filters=[oc.g(…)]', '')
    """
    _, begin, arguments = advice.partition(f"oc.samplers.{called.removesuffix(')')}")
    depth, end = 1, 0
    while begin and depth and end < len(arguments):
        depth += {"(": 1, ")": -1}.get(arguments[end], 0)
        end += 1
    return f"write {arguments[: end - 1]}" if begin and not depth and end > 1 else ""


def no_model(called: str, given: object) -> TypeError:
    """The error for what is to be written in the place of a model, or for a model's name. called: as "json()"."""
    is_class = isinstance(given, type)
    written = getattr(given, "__name__", "") if is_class or isroutine(given) else shown(given)
    write = "" if called == "text()" else f": write {called.removesuffix('()')}(model, {written})"
    loads = f"; if it is the name of a model, oc.load({given!r}) loads that" if isinstance(given, str) else ""
    return TypeError(f"{called} takes a Model first ({MODELS}), not {'the class ' * is_class}{written}{write}{loads}")


def explained(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with an error of ours for an argument that it does not take, and for one that is missing.

    >>> oc.samplers.multinomial(n=3)
    Traceback (most recent call last):
        ...
    TypeError: multinomial() takes no option 'n': write samples=…
    """
    shape = signature(function)
    names = [name for name in shape.parameters if name != "self"]
    taken = frozenset(names)
    more = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in shape.parameters.values())
    if more:  # what these may be, the function knows
        named = (p for p in shape.parameters.values() if p.name != "self" and p.kind is not Parameter.VAR_KEYWORD)
        needed = [p for p in named if p.default is p.empty]
        names = [p.name + "=…" * (p.kind is Parameter.KEYWORD_ONLY) for p in needed] + ["…"]
    called = function.__name__ if function.__name__ != "__init__" else function.__qualname__.split(".")[-2]

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if not more and not kwargs.keys() <= taken:
            unknown = next(name for name in kwargs if name not in taken)
            raise unknown_argument(f"{called}()", unknown, names)
        try:
            shape.bind(*args, **kwargs)
        except TypeError as error:  # one that is missing, or too many
            if names[:1] == ["model"] and "model" not in kwargs and (not args or not hasattr(args[0], "vocabulary")):
                raise (no_model(f"{called}()", args[0]) if args else _nothing(called, names)) from None
            missing = re.fullmatch(r"missing a required .*argument: '(\w+)'", str(error))
            advice = "" if missing is None else hint(MISSING, missing[1])
            raise TypeError(f"{called}({', '.join(names)}): {error}{advice}") from None
        return function(*args, **kwargs)

    return checked


def _nothing(called: str, names: list[str]) -> TypeError:
    return TypeError(f"{called}({', '.join(names)}): it takes a Model first ({MODELS})")


def explained_class(cls: type[T]) -> type[T]:
    """The class, with an error of ours for an argument that it does not take.

    >>> oc.steer.Branch(ff_tokens=[781])
    Traceback (most recent call last):
        ...
    TypeError: Branch() takes no option 'ff_tokens': tokens that are not drawn are a controller's: it returns oc.ste...
    """
    make = cls.__init__
    names = [name for name in signature(cls).parameters]
    taken = frozenset(names)

    @wraps(make)
    def __init__(self: T, *args: Any, **kwargs: Any) -> None:
        if not kwargs.keys() <= taken:
            unknown = next(name for name in kwargs if name not in taken)
            raise unknown_argument(f"{cls.__name__}()", unknown, names)
        make(self, *args, **kwargs)

    cls.__init__ = __init__
    return cls
