"""The numbers of an interval, digit by digit: plain decimals, as `-0.25`, and forms with exponents, as `2.5e-3`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor
from typing import NamedTuple

from outlines_cont.errors import ConstraintError

from ...language.nodes import EMPTY, VOID, Node, alt, cat, chars, opt, repeat, star
from ...language.terms import Deferred
from ...language.tries import Entries, Entry, literal

# --- decimal digits as languages, and the decimal digits of exact fractions

#: At most so many significant decimal places, then zeros; None: any number of them; NO_POINT: not even the point.
DecimalPlaces = int | None
NO_POINT = -1
Digits = tuple[str, str]  # before and after the point

MINUS, POINT, ZERO = literal(b"-"), literal(b"."), literal(b"0")


@cache
def digit(low: int = 0, high: int = 9) -> Node:
    return chars(((48 + low, 48 + high),)) if low <= high else VOID


DIGITS = star(digit())
ZEROS = star(ZERO)
NOT_ZEROS = cat(ZEROS, digit(1), DIGITS)
WHOLE = alt(ZERO, cat(digit(1), DIGITS))


def twos_fives_others(n: int) -> tuple[int, int, int]:
    """How often 2 and 5 divide a positive number, and the product of its other prime factors."""
    twos, fives = (n & -n).bit_length() - 1, 0
    n >>= twos
    while n % 5 == 0:
        n, fives = n // 5, fives + 1
    return twos, fives, n


def digits_of(x: Fraction) -> Digits:
    """The whole part of a magnitude, and its decimal places without trailing zeros."""
    twos, fives, others = twos_fives_others(x.denominator)
    if others != 1:
        raise ConstraintError(f"the bound {x} has no finite decimal spelling")
    places = max(twos, fives)
    whole, fraction = divmod((x * 10**places).numerator, 10**places)
    return str(whole), str(fraction).zfill(places) if places else ""


def shown(x: Fraction) -> str:
    """A number in an error message."""
    try:
        if x.denominator == 1 and abs(x) < 10**16:
            return str(x.numerator)
        return repr(float(x)) if float(x) else "a number next to 0"
    except OverflowError:
        return "a number over 1e308"


# --- intervals of numbers: with values left out, rounded to multiples, and split by the sign


class Interval(NamedTuple):
    """The numbers from `low` to `high` (None: no bound)."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool
    high_open: bool


def by_magnitude(
    bounds: Interval,
    excluded: Sequence[Fraction],
    step: Fraction | None,
    magnitudes: Callable[[Interval], Node],
    minus_zero: bool = True,
) -> Node:
    """The numbers within `bounds`, by their sign and their magnitude.

    Args:
        excluded: numbers that are left out.
        step: if not None, only its multiples count: then all bounds that `magnitudes` gets are multiples of it.
        magnitudes: gives the language of an interval that is not negative.
        minus_zero: whether 0 may have a sign; if not, there must be a step.
    """
    least = Fraction(0) if minus_zero or step is None else step
    return alt(*(_signed(part, magnitudes, least) for part in without(bounds, excluded, step)))


def without(bounds: Interval, excluded: Sequence[Fraction], step: Fraction | None) -> list[Interval]:
    """What the excluded numbers leave of the bounds. If only multiples of `step` count, each part is cut to them."""
    if step is not None:
        return _multiples_without(bounds, excluded, step)
    low, low_open, parts = bounds.low, bounds.low_open, []
    for x in sorted(set(excluded)):
        inside = (bounds.low is None or x >= bounds.low) and (bounds.high is None or x <= bounds.high)
        if inside and twos_fives_others(x.denominator)[2] == 1:
            parts.append(Interval(low, x, low_open, True))
            low, low_open = x, True
    parts.append(Interval(low, bounds.high, low_open, bounds.high_open))
    return [part for part in parts if not _is_empty(part)]


def _multiples_without(bounds: Interval, excluded: Sequence[Fraction], step: Fraction) -> list[Interval]:
    """The multiples of a step from one bound to another: counted in steps, as ints."""
    low, high = _rounded(bounds, step)
    counts = ((x if step == 1 else x / step).as_integer_ratio() for x in excluded)
    gone = sorted({n for n, d in counts if d == 1 and not (_is_over(low, n) or _is_over(n, high))})
    parts = zip([low, *(n + 1 for n in gone)], [*(n - 1 for n in gone), high], strict=True)
    kept = [(a, b) for a, b in parts if not _is_over(a, b)]
    return [Interval(_times(a, step), _times(b, step), False, False) for a, b in kept]


def _times(count: int | None, step: Fraction) -> Fraction | None:
    return None if count is None else count * step


def _rounded(part: Interval, step: Fraction) -> tuple[int | None, int | None]:
    """The first and the last multiple of a step, counted in steps."""
    low = high = None
    if part.low is not None:
        low = floor(part.low / step) + 1 if part.low_open else ceil(part.low / step)
    if part.high is not None:
        high = ceil(part.high / step) - 1 if part.high_open else floor(part.high / step)
    return low, high


def _is_over(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a > b


def _is_empty(part: Interval) -> bool:
    low, high, low_open, high_open = part
    return low is not None and high is not None and (low > high or (low == high and (low_open or high_open)))


def _signed(part: Interval, magnitudes: Callable[[Interval], Node], least: Fraction) -> Node:
    """A part, with its sign. least: the smallest magnitude that a minus may stand before."""
    mirrored = Interval(
        None if part.high is None else -part.high,
        None if part.low is None else -part.low,
        part.high_open,
        part.low_open,
    )
    upper, lower = _at_least(Fraction(0), part), _at_least(least, mirrored)
    if upper == lower and upper is not None:
        return cat(opt(MINUS), magnitudes(upper))
    return alt(
        VOID if upper is None else magnitudes(upper),
        VOID if lower is None else cat(MINUS, magnitudes(lower)),
    )


def _at_least(least: Fraction, part: Interval) -> Interval | None:
    low, high, _, high_open = part
    if high is not None and (high < least or (high == least and high_open)):
        return None
    return part if low is not None and low >= least else Interval(least, high, False, high_open)


# --- decimals

DIGITS_AT_ONCE = 8  # digits of a bound that are compared before a walk asks for more


@cache
def fraction_part(places: DecimalPlaces) -> Node:
    """What may follow the whole part."""
    if places == NO_POINT:
        return EMPTY
    return opt(cat(POINT, repeat(ZERO, 1, None) if places == 0 else cat(digit(), more_places(places, 1))))


@cache
def more_places(places: DecimalPlaces, used: int) -> Node:
    """What may follow so many decimal places."""
    return DIGITS if places is None else cat(repeat(digit(), 0, places - used), ZEROS)


@lru_cache(maxsize=4096)
def _any_decimal(whole: int, places: DecimalPlaces) -> Node:
    """So many digits, and any fraction."""
    return cat(repeat(digit(), whole, whole), fraction_part(places))


def plain_decimals(part: Interval, places: DecimalPlaces) -> Node:
    """The plain decimals of an interval that is not negative."""
    low, high, low_open, high_open = part
    assert low is not None
    if low == 0 and high is None and not low_open:
        return cat(WHOLE, fraction_part(places))
    return between(digits_of(low), low_open, None if high is None else digits_of(high), high_open, places)


def between(low: Digits, low_open: bool, high: Digits | None, high_open: bool, places: DecimalPlaces) -> Node:
    """The plain decimals between two: first by how many whole digits they have."""
    size = len(low[0])
    if high is None:
        return alt(
            digitwise(size, "".join(low), low_open, None, False, places),
            cat(digit(1), repeat(digit(), size, None), fraction_part(places)),
        )
    most = len(high[0])
    if size == most:
        return digitwise(size, "".join(low), low_open, "".join(high), high_open, places)
    return alt(
        digitwise(size, "".join(low), low_open, None, False, places),
        cat(digit(1), repeat(digit(), size, most - 2), fraction_part(places)),
        digitwise(most, "1", False, "".join(high), high_open, places),
    )


def digitwise(size: int, low: str, low_open: bool, high: str | None, high_open: bool, places: DecimalPlaces) -> Node:
    """The decimals of `size` whole digits between two, each given by its digits without the point (and without its last
    zeros, if need be): digit by digit, as long as they agree with a bound's.

    With a number of `places`, the bounds must not be open, nor have more.
    """
    low = low.rstrip("0").ljust(size if low_open else 0, "0")

    def free(i: int) -> Node:
        """What may follow i digits if anything may."""
        return _any_decimal(size - i, places) if i <= size else more_places(places, i - size)

    def point(i: int) -> Node:
        return POINT if i == size else EMPTY

    def above(i: int) -> Node:
        """What may follow the first i digits of `low`. Never VOID."""
        if i >= len(low):
            return cat(point(i), NOT_ZEROS) if low_open else free(i)
        d, after = int(low[i]), i + 1
        if after == len(low) and not low_open:
            return cat(point(i), digit(d), free(after))
        tail = Deferred(lambda: above(after)) if after % DIGITS_AT_ONCE == 0 and after < len(low) else above(after)
        return cat(point(i), alt(cat(digit(d, d), tail), cat(digit(d + 1), free(after))))

    def below(i: int) -> Node:
        """What may follow the first i digits of `high`."""
        assert high is not None
        if i == len(high):
            return VOID if high_open else ZEROS if i > size else EMPTY if places == NO_POINT else fraction_part(0)
        if high_open and not high[i:].strip("0"):
            return VOID
        more = Deferred(lambda: at_most(i)) if i % DIGITS_AT_ONCE == 0 else at_most(i)
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


# --- numbers with exponents, as in `2.5e-3`: those of an interval, by the exponent first, then by the mantissa

SIGNIFICANT_PLACES = 17  # places that are counted against an exponent
EXPONENT = chars(((ord("E"), ord("E")), (ord("e"), ord("e"))))


def any_magnitudes(part: Interval) -> Node:
    """The numbers of both kinds of an interval that is not negative."""
    low, high, low_open, _ = part
    if high is not None or low != 0:
        return alt(plain_decimals(part, None), scientific(part, None))
    exponent = opt(exponents_between(None, None))
    if not low_open:
        return cat(WHOLE, fraction_part(None), exponent)
    positive = alt(cat(digit(1), DIGITS, fraction_part(None)), cat(ZERO, POINT, NOT_ZEROS))
    return cat(positive, exponent)


def scientific(part: Interval, power: int | None, below_one: bool = False) -> Node:
    """The forms with exponents of an interval that is not negative; the multiples of 10^power."""
    low, high, low_open, high_open = part
    assert low is not None
    most = -1 if below_one else None
    shift = None if power is None else -power
    options, start, stop = [], None, None
    if low == 0 and not low_open and not below_one:
        options.append(cat(ZERO, fraction_part(0), exponents_between(None, None)))
    bottom, top = "1", None
    if high is not None:
        if high == 0:
            return alt(*options)
        top, stop = mantissa(*digits_of(high))
    if low > 0:
        bottom, start = mantissa(*digits_of(low))
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


def mantissa(whole: str, places: str) -> tuple[str, int]:
    """The digits d… and the exponent e of a number d.… × 10^e, which is not 0, by its decimal digits."""
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
        places = min(exponent + shift, SIGNIFICANT_PLACES)
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
    return cat(digitwise(1, low, low_open, high, high_open, places), exponents_between(exponent, exponent))


@lru_cache(maxsize=256)
def _any_mantissa(low: int | None, high: int | None, shift: int | None) -> Node:
    """The forms with an exponent from `low` to `high`, and at most `shift` places more than it says."""
    if low is not None and high is not None and low > high:
        return VOID
    if shift is None:
        return cat(digit(1), fraction_part(None), exponents_between(low, high))
    low = -shift if low is None else max(low, -shift)
    if high is not None and low > high:
        return VOID
    most = SIGNIFICANT_PLACES if high is None else min(SIGNIFICANT_PLACES, high + shift)
    places = Deferred(lambda: _counted_places(low, high, shift, 1, most))
    least = exponents_between(low, high)
    some = cat(ZERO, ZEROS, least) if most < 1 else places
    return cat(digit(1), alt(least, cat(POINT, some)))


def _counted_places(low: int, high: int | None, shift: int, count: int, most: int) -> Node:
    """The places of a mantissa from the `count`-th on: where one is not 0, the exponent says that it may be."""
    exponents = cat(ZEROS, exponents_between(max(low, count - shift), high))
    following = VOID
    if count < most:
        following = Deferred(lambda: _counted_places(low, high, shift, count + 1, most))
    # a first 0 needs no greater exponent, nor do the zeros after it
    spare = cat(ZERO, ZEROS, exponents_between(low, high)) if count == 1 else VOID
    return alt(spare, cat(digit(1), alt(exponents, following)), cat(ZERO, following))


PLUS_OR_MINUS = chars(((ord("+"), ord("+")), (ord("-"), ord("-"))))
ANY_EXPONENT = cat(EXPONENT, opt(PLUS_OR_MINUS), digit(), DIGITS)


@lru_cache(maxsize=1024)
def exponents_between(low: int | None, high: int | None) -> Node:
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
    return between((str(low), ""), False, None if high is None else (str(high), ""), False, NO_POINT)


# --- a finite set of numbers, in every spelling: a trie of the digits that each spelling begins with
#
# 1200   is   1200(\.0+)?   or   1.2 0* [eE] an exponent of the value 3
#     0.25   is   0.25 0*        or   2.5 0* [eE] an exponent of the value -1
#
# Law:   L(some_numbers(values)) == the union of L(equal(value))

_SOME_ZEROS = repeat(ZERO, 1, None)
_POINT_AND_ZEROS = cat(POINT, _SOME_ZEROS)


def some_numbers(values: Iterable[Fraction]) -> Node:
    """The spellings of some numbers; VOID if there are none."""
    return Entries(entry for value in set(values) for entry in number_entries(value)).without()


def number_entries(value: Fraction) -> Iterator[Entry]:
    """What spellings of a number begin with, the sign included, and how these go on.

    Those that are an entry's text, without more, are the plain digits of an integer, or a plain decimal.
    """
    if not value:
        for digits in ("0", "-0"):
            yield Entry(digits, True, alt(_POINT_AND_ZEROS, _with_exponent(None, False)))
        return
    sign = "-" * (value < 0)
    whole, places = digits_of(abs(value))
    digits, exponent = mantissa(whole, places)
    if places:
        yield Entry(f"{sign}{whole}.{places}", True, _SOME_ZEROS)
    else:
        yield Entry(f"{sign}{whole}", True, _POINT_AND_ZEROS)
    first, others = digits[0], digits[1:]
    yield Entry(f"{sign}{first}{'.' * bool(others)}{others}", False, _with_exponent(exponent, bool(others)))


@lru_cache(maxsize=4096)
def _with_exponent(exponent: int | None, places: bool) -> Node:
    """What follows the digits of a mantissa, which has decimal places, or none."""
    return cat(ZEROS if places else opt(_POINT_AND_ZEROS), exponents_between(exponent, exponent))
