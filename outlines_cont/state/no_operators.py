"""What a state is not: a function, a number, or something with an order. Each says what to write."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from outlines_cont.hints import Hinted

TIMES = "state * n: write state.fork(n) for n samples of each row, or oc.cat([state] * n, 0) for n times its batch rows"
MINUS = "state - …: tokens are taken away by slices, state[..., :-n], and texts by state.up_to(text)"
ORDER = (
    "states have no order: sort by a number of each, sorted(states, key=lambda state: state.weights.item()), or by "
    "their text, key=str; of one state, state.best(k) has the samples of largest score, and sorted(list(state)) texts"
)
CALL = (
    "a state is a value, and no function: a step or a generator is called with it, step(state); state + '…' appends a "
    "text, and str(state) or list(state) gives its text"
)
SET = "a state is a value without item assignment or deletion: write state[…] + new + state[…], which is a new state"
EXAMPLE = """A TypeError that says what to write.

    >>> model.state("The sky is")()
    Traceback (most recent call last):
        ...
    TypeError: a state is a value, and no function: a step or a generator is called with it, step(state); ...
    """


def _refusing(message: str) -> Callable[..., Any]:
    def refuse(self: object, *_: object, **__: object) -> Any:
        raise TypeError(message)

    # As something that takes no argument: whoever asks for a function of one argument refuses it.
    refuse.__signature__ = Signature([Parameter("self", Parameter.POSITIONAL_ONLY)])  # type: ignore[attr-defined]
    refuse.__doc__ = EXAMPLE
    return refuse


class WithoutOperators(Hinted):
    """An object that says what to write where Python would only say that an operator is not supported."""

    __slots__ = ()

    if not TYPE_CHECKING:  # so that a type checker finds them
        __array_ufunc__ = None  # numpy's numbers leave their operators to these
        __call__ = _refusing(CALL)
        __mul__ = __rmul__ = _refusing(TIMES)
        __sub__ = __rsub__ = _refusing(MINUS)
        __lt__ = __le__ = __gt__ = __ge__ = _refusing(ORDER)
        __setitem__ = __delitem__ = _refusing(SET)
