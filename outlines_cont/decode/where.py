"""What a generator's `where` says of texts: it is asked once about each, and its answers are held to their contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from math import inf, isnan
from numbers import Integral, Real
from typing import Any, TypeVar, cast

from outlines_cont.arguments import shown, takes
from outlines_cont.errors import ConstraintError

WhereFunction = Callable[[str, bool], Any]  # the value's text so far, and whether it ends there → bool, or float
V = TypeVar("V")

MOST_TEXTS = 4096  # whose answers are kept
RIGHT = "it is a function (text, done) → bool, or float: may a value begin with the text, or, if it is done, be that?"


class Unsatisfied(Exception):
    """All that a row may become is refused by its predicate; the frontier puts a dead row in its place."""


def checked_where(where: Any, called: str) -> WhereFunction | None:
    """A predicate, or None. TypeError for what cannot be asked about a text and its end."""
    if where is None:
        return None
    if isinstance(where, type) or not callable(where):
        raise TypeError(f"{called}: where={shown(where)}: {RIGHT}")
    if not takes(where, 2):
        raise TypeError(f"{called}: where={shown(where)} does not take two arguments: {RIGHT}")
    if iscoroutinefunction(where):
        raise TypeError(f"{called}: where={shown(where)} is a coroutine function, which answers too late: {RIGHT}")
    return where


@dataclass(frozen=True, eq=False)
class Where:
    """A predicate of a value's text, or a log-potential, for one call: it remembers what it was asked.

    Attributes:
        function: the user's.
        unweighed: the sampler, as users write it, if that weighs nothing, so that a text is refused or not; else None.
    """

    function: WhereFunction
    unweighed: str | None = None
    _potentials: dict[tuple[str, bool], float] = field(default_factory=dict, repr=False)
    _beginnings: dict[str, str] = field(default_factory=dict, repr=False)  # of texts that were accepted → one of these

    @property
    def name(self) -> str:
        """How errors call it."""
        return f"where={getattr(self.function, '__name__', None) or shown(self.function)}"

    def potential(self, text: str, done: bool) -> float:
        """The log-potential of a text; −inf if it is refused.

        Raises:
            TypeError: the answer is neither a bool nor a float.
            ValueError: it is NaN or +inf; or a finite potential under a sampler that weighs nothing.
        """
        value = self._potentials.get((text, done))
        if value is None:
            try:
                answer = self.function(text, done)
            except Exception as error:
                error.add_note(f"(raised by {self.name}, which was asked about {(text, done)!r})")
                raise
            value = self._checked(answer, f"({text!r}, {done})")
            _keep(self._potentials, (text, done), value)
        return value

    def change(self, old: str, new: str, done: bool) -> float:
        """What a text adds to its log-potential by going on to another one; −inf if that is refused.

        An empty text has the potential 0. ConstraintError if a beginning of the text was refused.
        """
        if new == old and not done:
            return 0.0
        value = self.potential(new, done)
        self._check_contract(old, new, done, value)
        if not old or value == -inf:
            return value
        if (before := self.potential(old, False)) == -inf:
            raise self._broken(old, new)
        return value - before

    def _check_contract(self, old: str, new: str, done: bool, value: float) -> None:
        """ConstraintError if one text was refused, and another one that begins with it was accepted."""
        if value == -inf:
            if not done and new in self._beginnings:
                raise self._broken(new, self._beginnings[new])
            return
        for size in range(len(old), len(new) + done):
            beginning = new[:size]
            if self._potentials.get((beginning, False)) == -inf:
                raise self._broken(beginning, new)
            _keep(self._beginnings, beginning, new)

    def _broken(self, refused: str, accepted: str) -> ConstraintError:
        return ConstraintError(
            f"{self.name} refuses {refused!r} (done=False) and accepts {accepted!r}, which begins with it. A text that "
            "is refused must refuse all that begins with it: accept, with done=False, whatever may still become right"
        )

    def _checked(self, answer: Any, asked: str) -> float:
        if type(answer).__name__ in ("bool", "bool_"):  # Python's or numpy's
            return 0.0 if answer else -inf
        if not isinstance(answer, Real) or isinstance(answer, Integral):
            instead = "write bool(…), or float(…) for a potential" if answer is not None else "return one everywhere"
            raise TypeError(
                f"{self.name}{asked} gave {shown(answer)}: it gives a bool, or a float, a log-potential; {instead}"
            )
        value = float(answer)
        if isnan(value) or value == inf:
            raise ValueError(f"{self.name}{asked} gave {value}: a log-potential is a number, or −inf")
        if self.unweighed is not None and value not in (0.0, -inf):
            raise ValueError(
                f"{self.name}{asked} gave the log-potential {value} under {self.unweighed}, which weighs nothing: give "
                "a bool, or take multinomial() or smc()"
            )
        return value


def _keep(memory: dict[Any, V], key: Any, value: V) -> None:
    """Remember a value, and forget old ones if there are too many."""
    if len(memory) >= MOST_TEXTS:
        for old in list(memory)[: MOST_TEXTS // 2]:  # (other threads may do the same)
            memory.pop(old, None)
    memory[key] = cast(V, value)
