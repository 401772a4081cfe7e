"""Plain decimals that are multiples of one number and of no other, told by the remainders of what was read so far."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from outlines_cont.errors import ConstraintError

from ...language.graph import graph
from ...language.intersection import intersection
from ...language.nodes import VOID, Node, cat, chars, opt
from ...language.ranges import Ranges, union
from .digits import MINUS, shown, twos_fives_others
from .intervals import Interval

REMAINDERS_LIMIT = 10_000  # states by which multiples are told
PAIR_LIMIT = 200_000  # remainders times the digits of the bounds

#: How many decimal places were read, or one of the negative numbers below; and what the digits so far, taken as one
#: natural number, leave when they are divided by each of the numbers.
DivisionState = tuple[int, tuple[int, ...]]
#: Before any digit; after a first 0; after other digits before the point; after a decimal place that no multiple has.
_START, _ZERO, _WHOLE, _BEYOND = -4, -3, -2, -1


def with_remainders(
    plain: Node, bounds: Interval, excluded: Sequence[Node], multiple: Fraction | None, others: tuple[Fraction, ...]
) -> Node:
    """Those of the plain decimals within `bounds` that are multiples of one number and of no other.

    Args:
        plain: the plain decimals within the bounds.
        excluded: languages of numbers that are left out.
    """
    if plain is VOID:
        return VOID
    unsigned, states = _unsigned_multiples(multiple, others)
    node = cat(opt(MINUS), unsigned)
    limits = [x for x in (bounds.low, bounds.high) if x is not None]
    digits = sum((abs(x.numerator).bit_length() + x.denominator.bit_length()) // 3 + 1 for x in limits)
    if states * digits > PAIR_LIMIT:
        raise ConstraintError(
            f"{_described(multiple, others)} within bounds of so many digits ({', '.join(map(shown, limits))}) need "
            "too many states"
        )
    return intersection([plain, node] if limits else [node], excluded)


@lru_cache(maxsize=256)
def _unsigned_multiples(multiple: Fraction | None, others: tuple[Fraction, ...]) -> tuple[Node, int]:
    """The plain decimals without sign that are multiples of one number, and of no other; and the states this takes."""
    division = _Division(multiple, others)
    states: list[DivisionState] = [division.start]
    index = {division.start: 0}
    edges: list[list[tuple[Node, int]]] = []
    for state in states:  # grows while it is read
        after = division.edges(state)
        for following in after:
            if following not in index:
                index[following] = len(states)
                states.append(following)
        if len(states) > REMAINDERS_LIMIT:
            raise ConstraintError(f"{_described(multiple, others)} need too many states")
        edges.append([(chars(union(*labels)), index[following]) for following, labels in after.items()])
    return graph(edges, [division.ends(state) for state in states]), len(states)


class _Division:
    """Division by several numbers at once, digit by digit."""

    def __init__(self, multiple: Fraction | None, others: tuple[Fraction, ...]):
        numbers = (*(() if multiple is None else (multiple,)), *others)
        self.places = places = max(max(twos_fives_others(x.denominator)[:2]) for x in numbers)
        if any(twos_fives_others(x.numerator)[2] > REMAINDERS_LIMIT for x in numbers):
            raise ConstraintError(f"{_described(multiple, others)} need too many states")
        self.remainders = [_Remainders((x * 10**places).numerator, places) for x in numbers]
        self.every_number = multiple is None
        self._divides = [x is multiple for x in numbers]  # which of the numbers have to divide
        self.start: DivisionState = (_START, (0,) * len(numbers))

    def edges(self, state: DivisionState) -> dict[DivisionState, list[Ranges]]:
        """The states after this one, each with the symbols that lead there."""
        place, rests = state
        edges: dict[DivisionState, list[Ranges]] = {}
        if place in (_ZERO, _WHOLE) and (self.places or self.every_number or self.fits(state)):
            edges[0, rests] = [((ord("."), ord(".")),)]
        for d in range(10) if place != _ZERO else ():
            following = self.after(state, d)
            if following is not None:
                edges.setdefault(following, []).append(((48 + d, 48 + d),))
        return edges

    def after(self, state: DivisionState, d: int) -> DivisionState | None:
        """The state after one more digit; None if no multiple goes on so."""
        place, rests = state
        if place == _BEYOND or (place >= self.places and d):
            return (_BEYOND, ()) if self.every_number else None
        if place >= self.places:
            return max(place, 1), rests
        following = place + 1 if place >= 0 else _WHOLE if place == _WHOLE or d else _ZERO
        return following, tuple(x.after(remainder, d) for x, remainder in zip(self.remainders, rests, strict=True))

    def fits(self, state: DivisionState) -> bool:
        """Whether the number that was read is a multiple of the one number and of no other."""
        place, rests = state
        if not rests:
            return True
        missing = self.places - min(max(place, 0), self.places)
        divided = [
            remainder * 10**missing % x.modulus == 0 for x, remainder in zip(self.remainders, rests, strict=True)
        ]
        return divided == self._divides

    def ends(self, state: DivisionState) -> bool:
        """Whether the number may end here: not before a digit, nor right behind the point."""
        return state[0] not in (0, _START) and self.fits(state)


class _Remainders:
    """The remainders of a modulus. Those that no digits that follow can tell apart count as one."""

    def __init__(self, modulus: int, places: int):
        self.modulus = modulus
        self._powers = [10**k for k in range(max(len(str(modulus)), places) + 1)]
        self._first: dict[tuple[int, ...], int] = {}
        self._alike: dict[int, int] = {}

    def after(self, remainder: int, d: int) -> int:
        """The remainder after one more digit."""
        remainder = (10 * remainder + d) % self.modulus
        alike = self._alike.get(remainder)
        if alike is None:
            # what k further digits must be; as many as the modulus has can be anything
            needed = (-remainder * power % self.modulus for power in self._powers)
            key = tuple(x if x < power else -1 for x, power in zip(needed, self._powers, strict=True))
            alike = self._alike[remainder] = self._first.setdefault(key, remainder)
        return alike


def _described(multiple: Fraction | None, others: Sequence[Fraction]) -> str:
    return " and ".join(
        ([] if multiple is None else [f"multiples of {shown(multiple)}"])
        + [f"numbers that are no multiples of {shown(x)}" for x in others]
    )
