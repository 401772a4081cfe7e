"""Numbers by their digits: the JSON spellings of integers and decimals within bounds, exactly.

    integers(low, high, multiple)        no leading zeros, no `-0`, no fraction, no exponent
    decimals(low, high, …, multiple)     plain decimals, without exponent; without bounds, every JSON number

Bounds are inclusive unless said otherwise; None is none. All arithmetic is exact (`Fraction`).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from outlines_cont.fsm import formats
from outlines_cont.fsm.language import EMPTY, VOID, Node, alt, cat, chars, graph, literal, opt, repeat, star
from outlines_cont.fsm.pattern import parse
from outlines_cont.fsm.product import intersect

MODULUS_LIMIT = 10_000
MINUS, POINT, ZERO = literal(b"-"), literal(b"."), literal(b"0")


def digit(low: int = 0, high: int = 9) -> Node:
    return chars(((48 + low, 48 + high),)) if low <= high else VOID


DIGITS = star(digit())
WHOLE = alt(ZERO, cat(digit(1), DIGITS))
FRACTION = opt(cat(POINT, repeat(digit(), 1, None)))


def manageable(multiple: Fraction) -> bool:
    """Whether the multiples of a number take a reasonable number of states."""
    places = _places(multiple)
    return (multiple * 10**places).numerator * (places + 2) <= MODULUS_LIMIT


def integers(low: Fraction | None = None, high: Fraction | None = None, multiple: Fraction | None = None) -> Node:
    """The integers from `low` to `high`; only the multiples of `multiple`, if given."""
    least = None if low is None else ceil(low)
    most = None if high is None else floor(high)
    options = []
    if most is None or most >= 0:
        options.append(_whole(max(least or 0, 0), most))
    if least is None or least < 0:
        options.append(cat(MINUS, _whole(max(1, -most) if most is not None else 1, None if least is None else -least)))
    node = alt(*options)
    if multiple is None or node is VOID:
        return node
    return intersect(node, cat(opt(MINUS), _multiples(multiple.numerator, 0)))


def decimals(
    low: Fraction | None = None,
    high: Fraction | None = None,
    low_open: bool = False,
    high_open: bool = False,
    multiple: Fraction | None = None,
) -> Node:
    """The numbers from `low` to `high`; only the multiples of `multiple`, if given.

    Exponents are generated where no bound but 0 is given.

    Raises:
        ValueError: a bound or `multiple` has no finite decimal spelling.
    """
    any_number = parse(formats.NUMBER)
    if low is None and high is None and multiple is None:
        return any_number
    plain = cat(opt(MINUS), WHOLE, FRACTION)
    node = any_number if multiple is None and not low and not high else plain
    if low is not None:
        node = intersect(node, _ray(low, low_open, up=True))
    if high is not None and node is not VOID:
        node = intersect(node, _ray(high, high_open, up=False))
    if multiple is not None and node is not VOID:
        places = _places(multiple)
        node = intersect(node, cat(opt(MINUS), _multiples((multiple * 10**places).numerator, places)))
    return node


# ----------------------------------------------------------------------------------------------------------- integers


def _whole(low: int, high: int | None) -> Node:
    """Natural numbers."""
    if high is not None and high < low:
        return VOID
    size = len(str(low))
    if high is None:
        longer = cat(digit(1), repeat(digit(), size, None))
        return alt(_between(str(low), "9" * size), longer)
    top = str(high)
    options = [
        _between(str(low) if n == size else "1" + "0" * (n - 1), top if n == len(top) else "9" * n)
        for n in range(size, len(top) + 1)
    ]
    return alt(*options)


def _between(low: str, high: str) -> Node:
    """Strings of digits from `low` to `high`, which are equally long."""
    if not low:
        return EMPTY
    rest = len(low) - 1
    if low == "0" * len(low) and high == "9" * len(low):
        return repeat(digit(), len(low), len(low))
    first, last = int(low[0]), int(high[0])
    if first == last:
        return cat(digit(first, last), _between(low[1:], high[1:]))
    return alt(
        cat(digit(first, first), _between(low[1:], "9" * rest)),
        cat(digit(first + 1, last - 1), repeat(digit(), rest, rest)),
        cat(digit(last, last), _between("0" * rest, high[1:])),
    )


def _multiples(modulus: int, places: int) -> Node:
    """Natural plain decimals that are a multiple of modulus / 10^places.

    The states: the start, and then, for each number of places read so far (none, a point and none, 1, 2 …), the digits
    so far modulo `modulus`.
    """

    def at(phase: int, rest: int) -> int:
        return 1 + phase * modulus + rest % modulus

    def digits(phase: int, rest: int) -> list[tuple[Node, int]]:
        return [(digit(d, d), at(phase, 10 * rest + d)) for d in range(10)]

    edges, ends = [digits(0, 0)], [False]
    for phase in range(max(places + 2, 3)):
        for rest in range(modulus):
            if phase == 0:
                edges.append([*digits(0, rest), (POINT, at(1, rest))])
            elif phase <= places:
                edges.append(digits(phase + 1, rest))
            else:
                edges.append([(ZERO, at(max(phase, 2), rest))])  # further places are zeros
            missing = places - min(max(phase - 1, 0), places)
            ends.append(phase != 1 and rest * 10**missing % modulus == 0)
    return graph(edges, ends)


# ----------------------------------------------------------------------------------------------------------- decimals


def _places(x: Fraction) -> int:
    """How many decimal places a number needs."""
    places, rest = 0, x.denominator
    while rest % 10 == 0:
        places, rest = places + 1, rest // 10
    while rest > 1:
        if rest % 2 and rest % 5:
            raise ValueError(f"{x} has no finite decimal spelling")
        places, rest = places + 1, rest // 2 if rest % 2 == 0 else rest // 5
    return places


def _ray(bound: Fraction, strict: bool, up: bool) -> Node:
    """JSON numbers ≥ bound, or ≤ bound if not `up` (> and < if strict); with exponents where the bound is 0."""
    onward, backward = (EMPTY, MINUS) if up else (MINUS, EMPTY)
    distance = bound if up else -bound
    if distance > 0:
        return cat(onward, _magnitudes_from(distance, strict))
    if distance < 0:
        return alt(cat(onward, WHOLE, FRACTION), cat(backward, _magnitudes_to(-distance, strict)))
    beyond = cat(onward, parse(r"(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.0*[1-9][0-9]*)(?:[eE][+-]?[0-9]+)?"))
    return beyond if strict else alt(beyond, parse(r"-?0(?:\.0+)?(?:[eE][+-]?[0-9]+)?"))


def _magnitudes_from(bound: Fraction, strict: bool) -> Node:
    whole, places = _parts(bound)
    above = cat(_whole(whole + 1, None), FRACTION)
    # After the same digits as the bound's: a greater digit decides; the end of the bound's digits decides if equal is
    # enough, or if a digit that is not 0 follows.
    tail = cat(star(ZERO), digit(1), DIGITS) if strict else DIGITS
    for place in reversed(places):
        tail = alt(cat(digit(int(place) + 1), DIGITS), cat(digit(int(place), int(place)), tail))
    same = cat(POINT, tail) if places or strict else FRACTION
    return alt(above, cat(literal(str(whole).encode()), same))


def _magnitudes_to(bound: Fraction, strict: bool) -> Node:
    whole, places = _parts(bound)
    below = cat(_whole(0, whole - 1), FRACTION)
    if not places:
        equal = VOID if strict else cat(literal(str(whole).encode()), opt(cat(POINT, repeat(ZERO, 1, None))))
        return alt(below, equal)
    tail = VOID if strict else star(ZERO)
    for place in reversed(places[1:]):
        # fewer digits than the bound has are less than it: its last one is not 0
        tail = alt(EMPTY, cat(digit(0, int(place) - 1), DIGITS), cat(digit(int(place), int(place)), tail))
    first = int(places[0])
    tail = alt(cat(digit(0, first - 1), DIGITS), cat(digit(first, first), tail))
    return alt(below, cat(literal(str(whole).encode()), opt(cat(POINT, tail))))


def _parts(bound: Fraction) -> tuple[int, str]:
    """The whole part of a magnitude, and its decimal places without trailing zeros."""
    places = _places(bound)
    whole, rest = divmod((bound * 10**places).numerator, 10**places)
    return whole, str(rest).zfill(places) if places else ""
