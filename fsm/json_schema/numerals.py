"""Numbers by their digits: the JSON spellings of the numbers that meet some conditions, exactly.

    number(kinds, low, high, …)      the numbers of some kinds within bounds, (not) multiples, without some values
    equal(value)                     one number
    read(text)                       the value of one spelling, if it is not too long

A number is of the kind "integer" if its *value* is integral (`7`, `1.0`, `-0`, `1e2`), else of the kind "fraction".
Nothing is accepted that does not meet the conditions, and every value that meets them has an accepted spelling. The
spellings:

    plain      `-?(0|[1-9]\\d*)(\\.\\d+)?`: every one of them
    exponents  every JSON number, where there is no condition, or only one on the sign.

Otherwise exponents stand behind a normalised mantissa, `[1-9](\\.\\d+)?[eE][+-]?\\d+` (and behind a zero), as programs
write them, and of those

    both kinds, bounds, excluded values    every one
    integers                               those with at most 17 significant places, any zeros after them (to count more
                                           against the exponent takes ever more states; Python writes at most 16)
    fractions only                         those with a negative exponent
    multiples                              those that are multiples of a power of ten that is itself a multiple of the
                                           given numbers (100 for 25, 1 for 0.25; none for 3), at most 17 places
    not multiples                          those with a negative exponent, if the given numbers are integers; else none

All arithmetic is exact (`Fraction`). `value × 10^x` with a mantissa in [1, 10) is compared by x, then by digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor, gcd, lcm
from typing import NamedTuple

from outlines_cont.errors import ConstraintError

from ..language.graph import graph
from ..language.intersection import intersection
from ..language.lazy import Deferred
from ..language.nodes import EMPTY, VOID, Node, alt, cat, chars, opt, repeat, star
from ..language.ranges import Ranges, union
from ..language.words import literal

KINDS = frozenset({"integer", "fraction"})
BIT_LIMIT = 3_650  # of the parts of a number that is given: 1,100 digits, more than any double has
STATE_LIMIT = 10_000  # of the remainders by which multiples are told
PAIR_LIMIT = 200_000  # remainders times the digits of the bounds
AT_ONCE = 8  # digits of a bound that are compared before a walk asks for more
PLACES = 17  # significant places that are counted against an exponent
SIDE = 400  # digits before the point, and decimal places, of the numbers that `read` tells apart: any double's
LONG = Fraction(1, 3)  # no JSON number is that: it stands for all those that have more digits
FEW_DIGITS = 8  # instead, where digits are counted beside remainders: within PAIR_LIMIT, then

Places = int | None  # at most so many significant decimal places, then zeros; None: any number; NO_POINT: not even one
NO_POINT = -1
Digits = tuple[str, str]  # before and after the point

MINUS, POINT, ZERO = literal(b"-"), literal(b"."), literal(b"0")
EXPONENT = chars(((ord("E"), ord("E")), (ord("e"), ord("e"))))


@cache
def digit(low: int = 0, high: int = 9) -> Node:
    return chars(((48 + low, 48 + high),)) if low <= high else VOID


DIGITS = star(digit())
ZEROS = star(ZERO)
NOT_ZEROS = cat(ZEROS, digit(1), DIGITS)
WHOLE = alt(ZERO, cat(digit(1), DIGITS))


class Interval(NamedTuple):
    """The numbers from `low` to `high` (None: no bound)."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool
    high_open: bool


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
    `not_multiples`; and are none of the `excluded` ones. With `LONG` among these they have at most `SIDE` digits before
    the point and, as multiples have, `SIDE` decimal places (where remainders tell what is a multiple, `FEW_DIGITS`).

    Raises:
        ConstraintError: this takes too many states.
        ValueError: `kinds` has something else than "integer" and "fraction".
    """
    if not kinds <= KINDS:
        raise ValueError(f"no kinds of numbers: {sorted(kinds - KINDS)}")
    given = (*(x for x in (low, high) if x is not None), *multiples, *not_multiples, *excluded)
    for x in given:
        if max(abs(x.numerator), x.denominator).bit_length() > BIT_LIMIT:
            raise ConstraintError(f"the number {_shown(x)} has too many digits to compare with: over {BIT_LIMIT} bits")
    conditions = _conditions(kinds, multiples, not_multiples)
    if conditions is None:
        return VOID
    multiple, others = conditions
    by_remainder = bool(others) or not _is_places(multiple)
    if LONG in excluded:
        limit = Fraction(10) ** (FEW_DIGITS if by_remainder else SIDE)
        low, low_open = (-limit, True) if low is None or low <= -limit else (low, low_open)
        high, high_open = (limit, True) if high is None or high >= limit else (high, high_open)
        multiple = 1 / limit if multiple is None else _least_common(multiple, 1 / limit)
        excluded = tuple(x for x in excluded if x != LONG)
    bounds = Interval(low, high, low_open and low is not None, high_open and high is not None)
    if multiple is None and not others and exponents:
        return _within(bounds, excluded, None, _any_magnitudes)
    power = None if multiple is None else _power_of_ten(multiple)
    step = None if power is None else Fraction(10) ** power
    places = -power if power is not None and _is_places(multiple) else None
    plain = _within(bounds, () if by_remainder else excluded, multiple, lambda part: _plain(part, places))
    if by_remainder:
        plain = _with_remainders(plain, bounds, excluded, *conditions)
    if not exponents or (multiple is not None and power is None) or any(x.denominator != 1 for x in others):
        return plain
    return alt(plain, _within(bounds, excluded, step, lambda part: _scientific(part, power, bool(others))))


def equal(value: Fraction) -> Node:
    """The spellings of one number."""
    return number(KINDS, value, value)


def read(text: str) -> Fraction:
    """The value of a JSON number; `LONG` if it has more than `SIDE` digits before the point or decimal places."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, places = mantissa.removeprefix("-").partition(".")
    digits = (whole + places).rstrip("0")
    if not digits:
        return Fraction(0)
    size = exponent.lstrip("+-0")
    if len(size) > 18:  # more than a text has digits to make up for
        return LONG
    power = len(whole) - len(digits) + int(size or 0) * (-1 if exponent.startswith("-") else 1)  # of the last digit
    digits = digits.lstrip("0")
    if power < -SIDE or len(digits) + power > SIDE:
        return LONG
    return (-1 if mantissa.startswith("-") else 1) * int(digits) * Fraction(10) ** power


# --------------------------------------------------------------------------------------------------------- conditions


def _conditions(
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
    for x in (*map(_decimal_part, multiples), *(() if "fraction" in kinds else one)):
        multiple = x if multiple is None else _least_common(multiple, x)
    others = {
        x if multiple is None else _least_common(multiple, x)
        for x in (*map(_decimal_part, not_multiples), *(() if "integer" in kinds else one))
    }
    if not kinds or multiple in others:
        return None
    return multiple, tuple(sorted(x for x in others if not any(x != y and (x / y).denominator == 1 for y in others)))


def _least_common(x: Fraction, y: Fraction) -> Fraction:
    return Fraction(lcm(x.numerator, y.numerator), gcd(x.denominator, y.denominator))


def _decimal_part(x: Fraction) -> Fraction:
    """Has the same multiples among the numbers that have a finite decimal spelling."""
    return abs(x) * _twos_fives_rest(x.denominator)[2]


def _twos_fives_rest(n: int) -> tuple[int, int, int]:
    """How often 2 and 5 divide a positive number, and what remains."""
    twos, fives = (n & -n).bit_length() - 1, 0
    n >>= twos
    while n % 5 == 0:
        n, fives = n // 5, fives + 1
    return twos, fives, n


def _is_places(multiple: Fraction | None) -> bool:
    """Whether the decimal places alone say what is a multiple: all numbers (None), or those of so many places."""
    return multiple is None or (multiple <= 1 and multiple == Fraction(10) ** (_power_of_ten(multiple) or 0))


def _power_of_ten(multiple: Fraction) -> int | None:
    """The exponent of the smallest power of ten that is a multiple."""
    twos, fives, rest = _twos_fives_rest(multiple.numerator)
    twos_below, fives_below, _ = _twos_fives_rest(multiple.denominator)
    return max(twos - twos_below, fives - fives_below) if rest == 1 else None


def _within(
    bounds: Interval, excluded: Sequence[Fraction], step: Fraction | None, magnitudes: Callable[[Interval], Node]
) -> Node:
    """What `magnitudes` makes of the bounds, which are not negative for it, and are multiples of `step`."""
    return alt(*(_signed(part, magnitudes) for part in _parts(bounds, excluded, step)))


def _parts(bounds: Interval, excluded: Sequence[Fraction], step: Fraction | None) -> list[Interval]:
    """What the excluded numbers leave of the bounds. If only multiples of `step` count, each part is cut to them."""
    low, low_open, parts = bounds.low, bounds.low_open, []
    for x in sorted(set(excluded)):
        inside = (bounds.low is None or x >= bounds.low) and (bounds.high is None or x <= bounds.high)
        if inside and (_twos_fives_rest(x.denominator)[2] == 1 if step is None else (x / step).denominator == 1):
            parts.append(Interval(low, x, low_open, True))
            low, low_open = x, True
    parts.append(Interval(low, bounds.high, low_open, bounds.high_open))
    if step is not None:
        parts = [_rounded(part, step) for part in parts]
    return [part for part in parts if not _is_empty(part)]


def _rounded(part: Interval, step: Fraction) -> Interval:
    low = high = None
    if part.low is not None:
        low = (floor(part.low / step) + 1 if part.low_open else ceil(part.low / step)) * step
    if part.high is not None:
        high = (ceil(part.high / step) - 1 if part.high_open else floor(part.high / step)) * step
    return Interval(low, high, False, False)


def _is_empty(part: Interval) -> bool:
    low, high, low_open, high_open = part
    return low is not None and high is not None and (low > high or (low == high and (low_open or high_open)))


def _signed(part: Interval, magnitudes: Callable[[Interval], Node]) -> Node:
    mirrored = Interval(
        None if part.high is None else -part.high,
        None if part.low is None else -part.low,
        part.high_open,
        part.low_open,
    )
    upper, lower = _not_negative(part), _not_negative(mirrored)
    if upper == lower and upper is not None:
        return cat(opt(MINUS), magnitudes(upper))
    return alt(
        VOID if upper is None else magnitudes(upper),
        VOID if lower is None else cat(MINUS, magnitudes(lower)),
    )


def _not_negative(part: Interval) -> Interval | None:
    low, high, _, high_open = part
    if high is not None and (high < 0 or (high == 0 and high_open)):
        return None
    return part if low is not None and low >= 0 else Interval(Fraction(0), high, False, high_open)


# ------------------------------------------------------------------------------------------------------ plain decimals


@cache
def _fraction(places: Places) -> Node:
    """What may follow the whole part."""
    if places == NO_POINT:
        return EMPTY
    return opt(cat(POINT, repeat(ZERO, 1, None) if places == 0 else cat(digit(), _more(places, 1))))


@cache
def _more(places: Places, used: int) -> Node:
    """What may follow so many decimal places."""
    return DIGITS if places is None else cat(repeat(digit(), 0, places - used), ZEROS)


@lru_cache(maxsize=4096)
def _free(whole: int, places: Places) -> Node:
    """So many digits, and any fraction."""
    return cat(repeat(digit(), whole, whole), _fraction(places))


def _plain(part: Interval, places: Places) -> Node:
    """The plain decimals of an interval that is not negative."""
    low, high, low_open, high_open = part
    assert low is not None
    if low == 0 and high is None and not low_open:
        return cat(WHOLE, _fraction(places))
    return _between(_digits(low), low_open, None if high is None else _digits(high), high_open, places)


def _between(low: Digits, low_open: bool, high: Digits | None, high_open: bool, places: Places) -> Node:
    """The plain decimals between two: first by how many whole digits they have."""
    size = len(low[0])
    if high is None:
        return alt(
            _digitwise(size, "".join(low), low_open, None, False, places),
            cat(digit(1), repeat(digit(), size, None), _fraction(places)),
        )
    most = len(high[0])
    if size == most:
        return _digitwise(size, "".join(low), low_open, "".join(high), high_open, places)
    return alt(
        _digitwise(size, "".join(low), low_open, None, False, places),
        cat(digit(1), repeat(digit(), size, most - 2), _fraction(places)),
        _digitwise(most, "1", False, "".join(high), high_open, places),
    )


def _digits(x: Fraction) -> Digits:
    """The whole part of a magnitude, and its decimal places without trailing zeros."""
    twos, fives, rest = _twos_fives_rest(x.denominator)
    if rest != 1:
        raise ConstraintError(f"the bound {x} has no finite decimal spelling")
    places = max(twos, fives)
    whole, fraction = divmod((x * 10**places).numerator, 10**places)
    return str(whole), str(fraction).zfill(places) if places else ""


def _digitwise(size: int, low: str, low_open: bool, high: str | None, high_open: bool, places: Places) -> Node:
    """The decimals of `size` whole digits between two, each given by its digits without the point (and without its last
    zeros, if need be): digit by digit, as long as they agree with a bound's.

    With a number of `places`, the bounds must not be open, nor have more.
    """
    low = low.rstrip("0").ljust(size if low_open else 0, "0")

    def free(i: int) -> Node:
        """What may follow i digits if anything may."""
        return _free(size - i, places) if i <= size else _more(places, i - size)

    def point(i: int) -> Node:
        return POINT if i == size else EMPTY

    def above(i: int) -> Node:
        """What may follow the first i digits of `low`. Never VOID."""
        if i >= len(low):
            return cat(point(i), NOT_ZEROS) if low_open else free(i)
        d, after = int(low[i]), i + 1
        if after == len(low) and not low_open:
            return cat(point(i), digit(d), free(after))
        tail = Deferred(lambda: above(after)) if after % AT_ONCE == 0 and after < len(low) else above(after)
        return cat(point(i), alt(cat(digit(d, d), tail), cat(digit(d + 1), free(after))))

    def below(i: int) -> Node:
        """What may follow the first i digits of `high`."""
        assert high is not None
        if i == len(high):
            return VOID if high_open else ZEROS if i > size else EMPTY if places == NO_POINT else _fraction(0)
        if high_open and not high[i:].strip("0"):
            return VOID
        more = Deferred(lambda: at_most(i)) if i % AT_ONCE == 0 else at_most(i)
        return more if i < size else alt(EMPTY, more)  # the bound's last place is not 0: fewer are less

    def at_most(i: int) -> Node:
        assert high is not None
        d = int(high[i])
        return cat(point(i), alt(cat(digit(0, d - 1), free(i + 1)), cat(digit(d, d), below(i + 1))))

    if high is None:
        return above(0)
    high = high[:size].ljust(size, "0") + high[size:].rstrip("0")
    i = 0
    while i < len(high) and low[i : i + 1].ljust(low_open, "0") == high[i]:
        i += 1
    same = literal((high[:i] if i <= size else f"{high[:size]}.{high[size:i]}").encode())
    if i >= len(low) and not low_open:
        return cat(same, below(i))
    first, last = int(low[i : i + 1] or "0"), int(high[i : i + 1] or "-1")
    if first > last:
        return VOID
    between = cat(digit(first + 1, last - 1), free(i + 1))
    return cat(
        same, point(i), alt(cat(digit(first, first), above(i + 1)), between, cat(digit(last, last), below(i + 1)))
    )


# ----------------------------------------------------------------------------------------------------------- exponents


def _any_magnitudes(part: Interval) -> Node:
    """The numbers of both kinds of an interval that is not negative."""
    low, high, low_open, _ = part
    if high is not None or low != 0:
        return alt(_plain(part, None), _scientific(part, None))
    exponent = opt(_exponents(None, None))
    if not low_open:
        return cat(WHOLE, _fraction(None), exponent)
    positive = alt(cat(digit(1), DIGITS, _fraction(None)), cat(ZERO, POINT, NOT_ZEROS))
    return cat(positive, exponent)


def _scientific(part: Interval, power: int | None, below_one: bool = False) -> Node:
    """The forms with exponents of an interval that is not negative; the multiples of 10^power."""
    low, high, low_open, high_open = part
    assert low is not None
    most = -1 if below_one else None
    shift = None if power is None else -power
    options, start, stop = [], None, None
    if low == 0 and not low_open and not below_one:
        options.append(cat(ZERO, _fraction(0), _exponents(None, None)))
    bottom, top = "1", None
    if high is not None:
        if high == 0:
            return alt(*options)
        top, stop = _mantissa(high)
    if low > 0:
        bottom, start = _mantissa(low)
        if start == stop:
            return alt(*options, _at_exponent(start, most, bottom, low_open, top, high_open, shift))
        options.append(_at_exponent(start, most, bottom, low_open, None, False, shift))
        start += 1
    if stop is not None:
        options.append(_at_exponent(stop, most, "1", False, top, high_open, shift))
        stop -= 1
    if below_one:
        stop = -1 if stop is None else min(stop, -1)
    return alt(*options, _any_mantissa(start, stop, shift))


def _mantissa(x: Fraction) -> tuple[str, int]:
    """The digits d… and the exponent e of a number d.… × 10^e, which is not 0."""
    whole, places = _digits(x)
    digits = (whole + places).lstrip("0")
    return digits.rstrip("0"), len(whole) - 1 if whole != "0" else len(digits) - len(places) - 1


def _at_exponent(
    exponent: int, most: int | None, low: str, low_open: bool, high: str | None, high_open: bool, shift: int | None
) -> Node:
    """The forms with one exponent (and none greater than `most`), whose mantissas lie between two."""
    if most is not None and exponent > most:
        return VOID
    places = None
    if shift is not None:
        places = min(exponent + shift, PLACES)
        if places < 0:
            return VOID
        if len(low) > places + 1:
            low = str(int(low[: places + 1]) + 1)
            if len(low) > places + 1:
                return VOID
        if high is not None and len(high) > places + 1:
            high, high_open = high[: places + 1], False
            if low.ljust(places + 1, "0") > high:
                return VOID
    return cat(_digitwise(1, low, low_open, high, high_open, places), _exponents(exponent, exponent))


@lru_cache(maxsize=256)
def _any_mantissa(low: int | None, high: int | None, shift: int | None) -> Node:
    """The forms with an exponent from `low` to `high`, and at most `shift` places more than it says."""
    if low is not None and high is not None and low > high:
        return VOID
    if shift is None:
        return cat(digit(1), _fraction(None), _exponents(low, high))
    low = -shift if low is None else max(low, -shift)
    if high is not None and low > high:
        return VOID
    most = PLACES if high is None else min(PLACES, high + shift)
    places = Deferred(lambda: _counted_places(low, high, shift, 1, most))
    least = _exponents(low, high)
    some = cat(ZERO, ZEROS, least) if most < 1 else places
    return cat(digit(1), alt(least, cat(POINT, some)))


def _counted_places(low: int, high: int | None, shift: int, count: int, most: int) -> Node:
    """The places of a mantissa from the `count`-th on: where one is not 0, the exponent says that it may be."""
    exponents = cat(ZEROS, _exponents(max(low, count - shift), high))
    following = VOID
    if count < most:
        following = Deferred(lambda: _counted_places(low, high, shift, count + 1, most))
    # a first 0 needs no greater exponent, nor do the zeros after it
    spare = cat(ZERO, ZEROS, _exponents(low, high)) if count == 1 else VOID
    return alt(spare, cat(digit(1), alt(exponents, following)), cat(ZERO, following))


SIGNS = chars(((ord("+"), ord("+")), (ord("-"), ord("-"))))
ANY_EXPONENT = cat(EXPONENT, opt(SIGNS), digit(), DIGITS)


@lru_cache(maxsize=1024)
def _exponents(low: int | None, high: int | None) -> Node:
    """An exponent from `low` to `high`, in every spelling."""
    if low is None and high is None:
        return ANY_EXPONENT
    return cat(EXPONENT, Deferred(lambda: _integers(low, high)))


def _integers(low: int | None, high: int | None) -> Node:
    """Integers with a sign, or none, and leading zeros."""
    options = []
    if high is None or high >= 0:
        natural = _natural(low, high) if low is not None and low > 0 else _natural(0, high)
        options.append(cat(opt(literal(b"+")), ZEROS, natural))
    if (low is None or low <= 0) and (high is None or high >= 0):
        options.append(cat(MINUS, ZERO, ZEROS))
    if low is None or low < 0:
        least = 1 if high is None else max(1, -high)
        options.append(cat(MINUS, ZEROS, _natural(least, None if low is None else -low)))
    return alt(*options)


def _natural(low: int, high: int | None) -> Node:
    return _between((str(low), ""), False, None if high is None else (str(high), ""), False, NO_POINT)


# ----------------------------------------------------------------------------------------------------------- multiples


def _with_remainders(
    plain: Node,
    bounds: Interval,
    excluded: Sequence[Fraction],
    multiple: Fraction | None,
    others: tuple[Fraction, ...],
) -> Node:
    """Those of the plain decimals that are multiples of one number and of no other, and none of the excluded ones."""
    if plain is VOID:
        return VOID
    remainders, states = _remainders(multiple, others)
    node = cat(opt(MINUS), remainders)
    numbers = [x for x in (bounds.low, bounds.high) if x is not None]
    digits = sum((abs(x.numerator).bit_length() + x.denominator.bit_length()) // 3 + 1 for x in numbers)
    if states * digits > PAIR_LIMIT:
        raise ConstraintError(
            f"{_listed(multiple, others)} within bounds of so many digits ({', '.join(map(_shown, numbers))}) need too "
            "many states"
        )
    gone = [alt(*map(equal, excluded))] if excluded else []  # not by intervals: those count the digits of all others
    return intersection([plain, node] if numbers else [node], gone)


@lru_cache(maxsize=256)
def _remainders(multiple: Fraction | None, others: tuple[Fraction, ...]) -> tuple[Node, int]:
    """The plain decimals without sign that are multiples of one number, and of no other; and the states this takes.

    A state is how many decimal places were read (`WHOLE_PART` and so on before the point), and what the digits so far,
    taken as one natural number, leave when divided by each number.
    """
    numbers = (*(() if multiple is None else (multiple,)), *others)
    places = max(max(_twos_fives_rest(x.denominator)[:2]) for x in numbers)
    if any(_twos_fives_rest(x.numerator)[2] > STATE_LIMIT for x in numbers):
        raise ConstraintError(f"{_listed(multiple, others)} need too many states")
    remainders = [_Remainders((x * 10**places).numerator, places) for x in numbers]
    index: dict[tuple[int, tuple[int, ...]], int] = {(_START, (0,) * len(numbers)): 0}
    edges: list[list[tuple[Node, int]]] = []
    ends: list[bool] = []
    states = list(index)

    def after(place: int, rests: tuple[int, ...], d: int) -> tuple[int, tuple[int, ...]] | None:
        if place == _BEYOND or (place >= places and d):  # a place that no multiple has
            return (_BEYOND, ()) if multiple is None else None
        if place >= places:
            return max(place, 1), rests
        following = place + 1 if place >= 0 else _WHOLE if place == _WHOLE or d else _ZERO
        return following, tuple(x.after(rest, d) for x, rest in zip(remainders, rests, strict=True))

    for place, rests in states:  # grows while it is read
        missing = places - min(max(place, 0), places)
        divided = [rest * 10**missing % x.modulus == 0 for x, rest in zip(remainders, rests, strict=bool(rests))]
        fits = divided == [x is multiple for x in numbers] if rests else True
        out: dict[tuple[int, tuple[int, ...]], list[Ranges]] = {}
        if place in (_ZERO, _WHOLE) and (fits or places or multiple is None):
            out[0, rests] = [((ord("."), ord(".")),)]
        for d in range(10) if place != _ZERO else ():
            state = after(place, rests, d)
            if state is not None:
                out.setdefault(state, []).append(((48 + d, 48 + d),))
        for state in out:
            if state not in index:
                index[state] = len(states)
                states.append(state)
        if len(states) > STATE_LIMIT:
            raise ConstraintError(f"{_listed(multiple, others)} need too many states")
        edges.append([(chars(union(*labels)), index[state]) for state, labels in out.items()])
        ends.append(fits and place not in (0, _START))
    return graph(edges, ends), len(states)


_START, _ZERO, _WHOLE, _BEYOND = -4, -3, -2, -1  # instead of a number of places: before any digit, after a first 0, …


class _Remainders:
    """The remainders of a modulus, those that nothing that follows can tell apart taken as one."""

    def __init__(self, modulus: int, places: int):
        self.modulus = modulus
        self._powers = [10**k for k in range(max(len(str(modulus)), places) + 1)]
        self._first: dict[tuple[int, ...], int] = {}
        self._alike: dict[int, int] = {}

    def after(self, rest: int, d: int) -> int:
        rest = (10 * rest + d) % self.modulus
        found = self._alike.get(rest)
        if found is None:
            # what k further digits must be; as many as the modulus has can be anything
            needed = (-rest * power % self.modulus for power in self._powers)
            key = tuple(x if x < power else -1 for x, power in zip(needed, self._powers, strict=True))
            found = self._alike[rest] = self._first.setdefault(key, rest)
        return found


def _listed(multiple: Fraction | None, others: Sequence[Fraction]) -> str:
    return " and ".join(
        ([] if multiple is None else [f"multiples of {_shown(multiple)}"])
        + [f"numbers that are no multiples of {_shown(x)}" for x in others]
    )


def _shown(x: Fraction) -> str:
    try:
        if x.denominator == 1 and abs(x) < 10**16:
            return str(x.numerator)
        return repr(float(x)) if float(x) else "a number next to 0"
    except OverflowError:
        return "a number over 1e308"
