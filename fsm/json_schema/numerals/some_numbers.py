"""A finite set of numbers, in every spelling: a trie of the digits that each spelling begins with.

    1200   is   1200(\\.0+)?   or   1.2 0* [eE] an exponent of the value 3
    0.25   is   0.25 0*        or   2.5 0* [eE] an exponent of the value -1

Law:   L(some_numbers(values)) == the union of L(equal(value))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from ...language.entries import Entries, Entry
from ...language.nodes import Node, alt, cat, opt, repeat
from .digits import POINT, ZERO, ZEROS, digits_of
from .exponents import exponents_between, mantissa

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
