"""The numbers that meet some conditions: plain decimals and forms with exponents, put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from outlines_cont.errors import ConstraintError

from ...language.graph import graph
from ...language.intersection import intersection
from ...language.nodes import VOID, Node, Ranges, alt, cat, chars, opt, union
from .decimals import (
    MINUS,
    Interval,
    any_magnitudes,
    by_magnitude,
    digits_of,
    plain_decimals,
    scientific,
    shown,
    twos_fives_others,
)

# --- conditions on divisibility, brought to one form: multiples of one number that are multiples of no other numbers


def as_multiples(
    kinds: frozenset[str], multiples: Sequence[Fraction], not_multiples: Sequence[Fraction]
) -> tuple[Fraction | None, tuple[Fraction, ...]] | None:
    """(m, others): the multiples of m (None: all numbers) that are multiples of no other. None if there is none.

    The others are themselves multiples of m, and none is a multiple of another.
    """
    for x in (*multiples, *not_multiples):
        if x == 0:
            raise ConstraintError("0 has no multiples")
    one = (Fraction(1),)
    multiple: Fraction | None = None
    for x in (*map(decimal_part, multiples), *(() if "fraction" in kinds else one)):
        multiple = x if multiple is None else least_common(multiple, x)
    others = {
        x if multiple is None else least_common(multiple, x)
        for x in (*map(decimal_part, not_multiples), *(() if "integer" in kinds else one))
    }
    if not kinds or multiple in others:
        return None
    return multiple, tuple(sorted(x for x in others if not any(x != y and (x / y).denominator == 1 for y in others)))


def least_common(x: Fraction, y: Fraction) -> Fraction:
    return Fraction(lcm(x.numerator, y.numerator), gcd(x.denominator, y.denominator))


def decimal_part(x: Fraction) -> Fraction:
    """Has the same multiples among the numbers that have a finite decimal spelling."""
    return abs(x) * twos_fives_others(x.denominator)[2]


def is_decimal_places(multiple: Fraction | None) -> bool:
    """Whether the decimal places alone say what is a multiple: all numbers (None), or those of so many places."""
    return multiple is None or (multiple <= 1 and multiple == Fraction(10) ** (power_of_ten(multiple) or 0))


def power_of_ten(multiple: Fraction) -> int | None:
    """The exponent of the smallest power of ten that is a multiple."""
    twos, fives, others = twos_fives_others(multiple.numerator)
    twos_below, fives_below, _ = twos_fives_others(multiple.denominator)
    return max(twos - twos_below, fives - fives_below) if others == 1 else None


# --- plain decimals that are multiples of one number and of no other, told by the remainders of what was read so far

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
    """The plain decimals within `bounds` that are multiples of one number and of none of the others.

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


# --- number

NUMBER_KINDS = frozenset({"integer", "fraction"})
BIT_LIMIT = 3_650  # of the parts of a number that is given: 1,100 digits, more than any double has
#: Digits before the point, and decimal places, of the numbers that `read` tells apart: any double has fewer.
DIGITS_PER_SIDE = 400
DIGITS_BESIDE_REMAINDERS = 8  # instead, where digits are counted beside remainders: within PAIR_LIMIT, then
TOO_LONG = Fraction(1, 3)  # no JSON number is that: it stands for all those that have more digits


@lru_cache(maxsize=4096)
def number(
    kinds: frozenset[str],
    low: Fraction | None = None,
    high: Fraction | None = None,
    low_open: bool = False,
    high_open: bool = False,
    multiples: tuple[Fraction, ...] = (),
    not_multiples: tuple[Fraction, ...] = (),
    excluded: tuple[Fraction, ...] = (),
    exponents: bool = True,
) -> Node:
    """The numbers of some `kinds` that meet the conditions; VOID if there is none. Without `exponents`, plain decimals.

    They lie between `low` and `high`, each exclusive if open; are multiples of all `multiples`, and of none of
    `not_multiples`; and are none of the `excluded` ones. With `TOO_LONG` among these they have at most
    `DIGITS_PER_SIDE` digits before the point and, as multiples have, `DIGITS_PER_SIDE` decimal places (where remainders
    tell what is a multiple, `DIGITS_BESIDE_REMAINDERS`).

    Raises:
        ConstraintError: this takes too many states.
        ValueError: `kinds` has something else than "integer" and "fraction".
    """
    if not kinds <= NUMBER_KINDS:
        raise ValueError(f"no kinds of numbers: {sorted(kinds - NUMBER_KINDS)}")
    _refuse_long((*(x for x in (low, high) if x is not None), *multiples, *not_multiples, *excluded))
    conditions = as_multiples(kinds, multiples, not_multiples)
    if conditions is None:
        return VOID
    bounds = Interval(low, high, low_open and low is not None, high_open and high is not None)
    return _multiples(*conditions, bounds, excluded, exponents)


def _multiples(
    multiple: Fraction | None,
    others: tuple[Fraction, ...],
    bounds: Interval,
    excluded: tuple[Fraction, ...],
    exponents: bool,
) -> Node:
    """The multiples of one number (None: all numbers) and of no other, within bounds."""
    step = multiple  # what all of the numbers are multiples of
    if TOO_LONG in excluded:
        by_remainder = others or not is_decimal_places(multiple)
        limit = Fraction(10) ** (DIGITS_BESIDE_REMAINDERS if by_remainder else DIGITS_PER_SIDE)
        bounds = _narrowed(bounds, limit)
        step = 1 / limit if multiple is None else least_common(multiple, 1 / limit)
        excluded = tuple(x for x in excluded if x != TOO_LONG)
    if step is None and not others and exponents:
        return by_magnitude(bounds, excluded, None, any_magnitudes)
    plain = _plain(multiple, others, bounds, excluded, step)
    return alt(plain, _scientific(others, bounds, excluded, step)) if exponents else plain


def _plain(
    multiple: Fraction | None,
    others: tuple[Fraction, ...],
    bounds: Interval,
    excluded: tuple[Fraction, ...],
    step: Fraction | None,
) -> Node:
    """The multiples that are spelled as plain decimals."""
    places = None
    if step is not None and is_decimal_places(step):
        places = -(power_of_ten(step) or 0)
    if not others and is_decimal_places(multiple):
        return by_magnitude(bounds, excluded, step, lambda part: plain_decimals(part, places))
    # Here the excluded numbers are no ends of intervals: the digits of all ends are counted.
    plain = by_magnitude(bounds, (), step, lambda part: plain_decimals(part, places))
    gone = [alt(*map(equal, excluded))] if excluded and plain is not VOID else []
    return with_remainders(plain, bounds, gone, multiple, others)


def _scientific(
    others: tuple[Fraction, ...], bounds: Interval, excluded: tuple[Fraction, ...], step: Fraction | None
) -> Node:
    """The multiples that are spelled with an exponent; VOID if such forms do not tell what is a multiple."""
    power = None if step is None else power_of_ten(step)
    if (step is not None and power is None) or any(x.denominator != 1 for x in others):
        return VOID
    ten = None if power is None else Fraction(10) ** power
    return by_magnitude(bounds, excluded, ten, lambda part: scientific(part, power, bool(others)))


def equal(value: Fraction) -> Node:
    """The spellings of one number."""
    return number(NUMBER_KINDS, value, value)


def _refuse_long(given: Iterable[Fraction]) -> None:
    for x in given:
        if max(abs(x.numerator), x.denominator).bit_length() > BIT_LIMIT:
            raise ConstraintError(f"the number {shown(x)} has too many digits to compare with: over {BIT_LIMIT} bits")


def _narrowed(bounds: Interval, limit: Fraction) -> Interval:
    """What lies within `bounds` and is smaller than `limit`, with either sign."""
    low, high, low_open, high_open = bounds
    low, low_open = (-limit, True) if low is None or low <= -limit else (low, low_open)
    high, high_open = (limit, True) if high is None or high >= limit else (high, high_open)
    return Interval(low, high, low_open, high_open)


def read(text: str) -> Fraction:
    """The value of a JSON number.

    It is `TOO_LONG` for a number of more than `DIGITS_PER_SIDE` digits before the point, or of more decimal places.
    """
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, places = mantissa.removeprefix("-").partition(".")
    digits = (whole + places).rstrip("0")
    if not digits:
        return Fraction(0)
    size = exponent.lstrip("+-0")
    if len(size) > 18:  # more than a text has digits to make up for
        return TOO_LONG
    power = len(whole) - len(digits) + int(size or 0) * (-1 if exponent.startswith("-") else 1)  # of the last digit
    digits = digits.lstrip("0")
    if power < -DIGITS_PER_SIDE or len(digits) + power > DIGITS_PER_SIDE:
        return TOO_LONG
    return (-1 if mantissa.startswith("-") else 1) * int(digits) * Fraction(10) ** power


def is_too_long(x: Fraction) -> bool:
    """Whether `read` gives `TOO_LONG` for a number."""
    if x == TOO_LONG or abs(x) >= 10**DIGITS_PER_SIDE:
        return True
    return x.denominator > 1 and len(digits_of(abs(x))[1]) > DIGITS_PER_SIDE
