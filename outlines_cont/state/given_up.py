"""What a span keeps of the draws that it gave up, so that it goes on from any cut with the same random numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple, Self

# In the making of a span: how many tokens it has, how many of its segments have ended, and what it last did there.
Moment = tuple[int, int, Literal[0, 1, 2]]
CAME, RETURNED, DREW = 0, 1, 2
Tries = tuple[Moment, int, int]
Edit = tuple[Moment, Moment, tuple[int, ...]]


class GivenUp(NamedTuple):
    """Draws that hooks and controllers gave up. Of a span that was never sent back there are none.

    Each has the earliest moment that the span stood at after it was given up. A span that is cut at a later moment has
    given it up; of one that is cut before, it was never drawn.

    Attributes:
        tries: (moment, place, count), ascending: so many draws at this place of the span.
        edits: (begin, end, banned), ascending: at the moments from `begin` to before `end` a hook has sent the span
            back, so that nobody can tell how likely its next draw is, and does not let that draw take what is banned.
    """

    tries: tuple[Tries, ...] = ()
    edits: tuple[Edit, ...] = ()

    def and_also(self, places: Iterable[int], moment: Moment) -> Self:
        """With one more draw at each of these places. After that, the span is at this moment."""
        first = bisect_left(self.tries, moment, key=lambda each: each[0])
        counts = Counter[int](places)
        for _, place, count in self.tries[first:]:
            counts[place] += count
        edits = tuple((begin, min(end, moment), banned) for begin, end, banned in self.edits if begin < moment)
        here = ((moment, place, count) for place, count in sorted(counts.items()))
        return type(self)((*self.tries[:first], *here), edits)

    def edited(self, begin: Moment, end: Moment, banned: Collection[int]) -> Self:
        """With a note that a hook had sent the span back, at the moments from `begin` to before `end`."""
        return self._replace(edits=(*self.edits, (begin, end, tuple(sorted(banned))))) if begin < end else self

    def at(self, moment: Moment) -> Self:
        """Those of a span that is cut at this moment: as it was when it stood there for the last time."""
        tries = tuple(each for each in self.tries if each[0] <= moment)
        return type(self)(tries, tuple(each for each in self.edits if each[0] <= moment))

    @property
    def counts(self) -> Counter[int]:
        """How many draws were given up at each place."""
        counts = Counter[int]()
        for _, place, count in self.tries:
            counts[place] += count
        return counts


NONE_GIVEN_UP = GivenUp()
