"""What a row remembers of the draws that were given up: each draw there takes another random number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from outlines_cont.decode.values import Value


class TooManyRetries(Exception):
    """A row was sent back more often than its settings let it, or further; the frontier makes a `HookLimit` of it."""


@dataclass(frozen=True, eq=False)
class Retries(Value):
    """How often a row was sent back, and what its next draws must know of that. Places count the span's tokens.

    Attributes:
        of_row: place → how many draws the row before the span had given up there.
        tries: place → how many draws the span has given up there.
        edited: a hook declined a draw here, so that nobody can tell how likely the next one is.
        law_known: it is at least known what law that one is drawn from.
        banned: what a hook does not let it draw next.
        count: how often it was sent back since it was `furthest` tokens long.
    """

    of_row: Mapping[int, int] = field(default_factory=dict)
    tries: Mapping[int, int] = field(default_factory=dict)
    edited: bool = False
    law_known: bool = False
    banned: frozenset[int] = frozenset()
    count: int = 0
    furthest: int = 0

    def sent_back(self, length: int, limit: int) -> Self:
        """With one more, of a span of so many tokens. TooManyRetries if it is no longer after `limit` of them."""
        furthest = max(self.furthest, length)
        count = self.count + 1 if length <= self.furthest else 1
        if count > limit:
            raise TooManyRetries(
                f"a row was sent back, or given branches that add nothing, {limit} times (retries), "
                f"and is no longer than {furthest} tokens"
            )
        return self.changed(count=count, furthest=furthest)

    def given_up(self, places: Iterable[int]) -> Self:
        """With one more draw given up at each of these places."""
        tries = dict(self.tries)
        for place in places:
            tries[place] = tries.get(place, 0) + 1
        return self.changed(tries=tries)

    def accepted(self) -> Self:
        """After a draw that was accepted: the next one may take anything."""
        return self.changed(edited=False, law_known=False, banned=frozenset()) if self.edited else self


NEVER_SENT_BACK = Retries()
