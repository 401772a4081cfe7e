"""What a row remembers of the draws that were given up: each draw there takes another random number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from outlines_cont.decode.values import Value
from outlines_cont.state.given_up import NONE_GIVEN_UP, GivenUp, Moment


class TooManyRetries(Exception):
    """A row was sent back more often than its settings let it, or further; the frontier makes a `HookLimit` of it."""


@dataclass(frozen=True, eq=False)
class Retries(Value):
    """How often a row was sent back, and what its next draws must know of that. Places count the span's tokens.

    Attributes:
        of_row: place → how many draws the row before the span had given up there.
        tries: place → how many draws the span has given up there.
        given_up: the same, and since when, for the span that will be resumed; without the next draw's part.
        edited: a hook declined a draw here, so that nobody can tell how likely the next one is.
        since: it did so by going back, to this moment; None: it did not.
        law_known: it is at least known what law that one is drawn from.
        banned: what a hook does not let it draw next.
        count: how often it was sent back since it was `furthest` tokens long.
    """

    of_row: Mapping[int, int] = field(default_factory=dict)
    tries: Mapping[int, int] = field(default_factory=dict)
    given_up: GivenUp = NONE_GIVEN_UP
    edited: bool = False
    since: Moment | None = None
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

    def giving_up(self, places: Iterable[int], moment: Moment) -> Self:
        """With one more draw given up at each of these places. After that, the span is at this moment."""
        tries, places = dict(self.tries), tuple(places)
        for place in places:
            tries[place] = tries.get(place, 0) + 1
        since = self.since and min(self.since, moment)
        return self.changed(tries=tries, given_up=self.given_up.and_also(places, moment), since=since)

    def gone_back(self, moment: Moment, banned: frozenset[int]) -> Self:
        """After a hook has sent the row back to this moment: its next draw takes none of what is banned."""
        return self.changed(given_up=self.kept(moment), edited=True, since=moment, law_known=False, banned=banned)

    def accepted(self, after: Moment) -> Self:
        """After a draw that was accepted, and led there: the next one may take anything."""
        if not self.edited:
            return self
        return self.changed(given_up=self.kept(after), edited=False, since=None, law_known=False, banned=frozenset())

    def kept(self, end: Moment) -> GivenUp:
        """What a span keeps of it; what holds for the next draw holds up to that moment."""
        return self.given_up if self.since is None else self.given_up.edited(self.since, end, self.banned)

    def resumed(self, given_up: GivenUp, moment: Moment) -> Self:
        """Of a span that goes on from this moment. given_up: all that it gave up, also later."""
        given_up = given_up.at(moment)
        edit = next((each for each in given_up.edits if moment < each[1]), None)
        since, banned = (None, ()) if edit is None else (edit[0], edit[2])
        past = given_up._replace(edits=tuple(each for each in given_up.edits if each is not edit))
        return self.changed(
            tries=given_up.counts,
            given_up=past,
            edited=edit is not None,
            since=since,
            banned=frozenset(banned),
            count=0,
        )


NEVER_SENT_BACK = Retries()
