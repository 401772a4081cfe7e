"""Numbers by their digits: the JSON spellings of the numbers that meet some conditions, exactly.

    number(kinds, low, high, …)      the numbers of some kinds within bounds, (not) multiples, without some values
    equal(value)                     one number
    python_number(kinds, low, …)     those that Python writes, in its spelling: see `python.py`
    python_step(low, high)           what the numbers between two are multiples of that Python writes
    some_numbers(values)             a finite set of them, of any size; number_entries(value): one of them, as an entry
    is_too_long(value)               whether it has more digits than numbers that are told apart
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

from .decimals import SIGNIFICANT_PLACES, number_entries, some_numbers
from .number import DIGITS_PER_SIDE, NUMBER_KINDS, TOO_LONG, equal, is_too_long, number, read
from .python import python_number, python_step

__all__ = ["DIGITS_PER_SIDE", "NUMBER_KINDS", "SIGNIFICANT_PLACES", "TOO_LONG"]
__all__ += ["equal", "is_too_long", "number", "number_entries", "python_number", "python_step", "read", "some_numbers"]
