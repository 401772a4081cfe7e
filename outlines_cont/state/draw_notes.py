"""What a span notes of its draws, by their places in it: the draws that were given up, and notes of single tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, NamedTuple, Self, get_args

from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import Option

# --- what a span keeps of the draws that it gave up, so that it goes on from any cut with the same random numbers

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
        """The notes of one more draw at each of these places; the span is then at this moment."""
        first = bisect_left(self.tries, moment, key=lambda each: each[0])
        counts = Counter[int](places)
        for _, place, count in self.tries[first:]:
            counts[place] += count
        edits = tuple((begin, min(end, moment), banned) for begin, end, banned in self.edits if begin < moment)
        here = ((moment, place, count) for place, count in sorted(counts.items()))
        return type(self)((*self.tries[:first], *here), edits)

    def edited(self, begin: Moment, end: Moment, banned: Collection[int]) -> Self:
        """The notes and one more: a hook had sent the span back, at the moments from `begin` to before `end`."""
        return self._replace(edits=(*self.edits, (begin, end, tuple(sorted(banned))))) if begin < end else self

    def at(self, moment: Moment) -> Self:
        """The notes of a span that is cut at this moment: as it was when it stood there for the last time."""
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


# --- what a span notes of single tokens, by their places in it. Mostly that is nothing


class Candidate(NamedTuple):
    """A token, or the stop, that could have been drawn at one position of a row.

    Attributes:
        token: its id; None for the stop.
        bytes: the token's; none for the stop.
        logprob: the model's own log-probability of it.
        proposal_logprob: that of the law drawn from.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> state = text("The sky is", max_tokens=1, keep=oc.Keep(candidates=2))
    >>> [(candidate.bytes, round(candidate.logprob, 2)) for candidate in state.kept.candidates[0][0][-1]]
    [(b' blue', -0.82), (b' white', -2.0)]
    """

    token: int | None
    bytes: bytes
    logprob: float
    proposal_logprob: float

    @classmethod
    def listed(cls, options: Sequence[Option], vocabulary: Vocabulary) -> list[Self]:
        """The candidates of one draw."""
        tokens = vocabulary.tokens
        named = ((None, b"") if token == len(tokens) else (token, tokens[token]) for token, *_ in options)
        return [cls(*name, *scores) for name, (_, *scores) in zip(named, options, strict=True)]


class LikelyToken(NamedTuple):
    """One of the model's likeliest tokens at one position of a row, before any constraint.

    Attributes:
        token: its id.
        bytes: the token's; none for one that is no text.
        logprob: the model's own log-probability of it.
        allowed: whether the constraint let it come there; of an eos token, whether it let the span end.

    >>> word = oc.continuous(oc.generate.choice(model, [" white", " red"], oc.samplers.greedy()))
    >>> state = word("The sky is", keep=oc.Keep(alternatives=2))
    >>> [(likely.bytes, round(likely.logprob, 2), likely.allowed) for likely in state.kept.alternatives[0][0][-1]]
    [(b' blue', -0.82, False), (b' white', -2.0, True)]
    """

    token: int
    bytes: bytes
    logprob: float
    allowed: bool

    @classmethod
    def listed(cls, noted: Sequence[NotedToken], vocabulary: Vocabulary) -> list[Self]:
        """The noted tokens of one position."""
        return [cls(token, vocabulary.tokens[token], logprob, allowed) for token, logprob, allowed in noted]


NoteKind = Literal["candidates", "alternatives", "entropies"]  # of a call's options, and of what they keep
NotedToken = tuple[int, float, bool]  # a token, the model's log-probability of it, whether it was allowed


class TokenNotes(NamedTuple):
    """Notes of a span's tokens, by their places, ascending.

    Attributes:
        unfed: tokens that the constraint was not told of. They stand in the row, and in no value.
        edited: places at which a hook had a hand in a draw although the law of that draw is known, or in a token that
            was not drawn. So nobody can tell how likely it was that the row came about like this.
        candidates: (place, options): the likeliest candidates of a draw, best first. The place after the last token is
            that of the stop.
        grafted: (begin, end): the places, from the first to before the second, whose draws the model read a graft for
            (`oc.grafts.graft`): their log-probabilities are approximate. `OPEN` as an end: the span is still being
            written.
        alternatives: (place, tokens): the model's likeliest tokens at a place, best first. The place after the last
            token is that of the stop.
        forced: tokens that were appended without a draw.
        entropies: (place, nats): of the law of a draw. The place after the last token is that of the stop.
    """

    unfed: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
    candidates: tuple[tuple[int, tuple[Option, ...]], ...] = ()
    grafted: tuple[tuple[int, int], ...] = ()
    alternatives: tuple[tuple[int, tuple[NotedToken, ...]], ...] = ()
    forced: tuple[int, ...] = ()
    entropies: tuple[tuple[int, float], ...] = ()

    def before(self, place: int) -> Self:
        """The notes of the places before this one."""
        if not any(self):
            return self
        unfed, edited, forced = (
            places if not places or places[-1] < place else tuple(at for at in places if at < place)
            for places in (self.unfed, self.edited, self.forced)
        )
        grafted = tuple(
            (min(begin, place), OPEN) if end == OPEN else (begin, min(end, place))
            for begin, end in self.grafted
            if end == OPEN or begin < place
        )
        candidates, entropies = _before(self.candidates, place), _before(self.entropies, place)
        return type(self)(unfed, edited, candidates, grafted, _before(self.alternatives, place), forced, entropies)

    def going_on(self, place: int, on_graft: bool) -> Self:
        """The notes of a span that is written from this place on; on_graft: whether on a graft, which is noted."""
        return self if not on_graft else self._replace(grafted=(*self.before(place).grafted, (place, OPEN)))

    def ended(self, length: int, stopped: bool) -> Self:
        """The notes of a span of this length that has ended, with or without a stop."""
        if not any(self):
            return self
        notes = self.before(length + stopped)
        closed = ((begin, min(end, length + 1)) for begin, end in notes.grafted)  # segments may end there, too
        return notes._replace(grafted=tuple(each for each in closed if each[0] < each[1]))

    def exact(self) -> Self:
        """Without what was measured on a graft."""
        if not self.grafted:
            return self
        kinds = {kind: getattr(self, kind) for kind in get_args(NoteKind)}
        exact = {kind: tuple(each for each in noted if not self.is_grafted(each[0])) for kind, noted in kinds.items()}
        return self._replace(**exact, grafted=())

    def with_forced(self, begin: int, end: int) -> Self:
        """The notes and those of tokens at these places, before the second one, that were appended without a draw.

        What was noted of a stop that could stand there is not theirs.
        """
        notes = self.before(begin)
        return notes._replace(forced=(*notes.forced, *range(begin, end)))

    def is_grafted(self, place: int) -> bool:
        """Whether the draw at this place was made on a graft."""
        return any(begin <= place < end for begin, end in self.grafted)

    def with_edited(self, place: int) -> Self:
        """The notes and one more: the last token, at this place, was drawn after a hook. Its candidates stay."""
        notes = self.before(place + 1)
        return notes._replace(edited=(*notes.edited, place))

    def with_unfed(self, place: int) -> Self:
        """The notes and one more: the last token, at this place, was put there instead of a draw."""
        notes = self.before(place)
        alternatives = _before(self.alternatives, place + 1)  # they are the model's, whatever was put there
        return notes._replace(unfed=(*notes.unfed, place), edited=(*notes.edited, place), alternatives=alternatives)

    def with_law(self, place: int, options: Sequence[Option], entropy: float | None) -> Self:
        """The notes with the candidates for the token that will have this place, and the entropy of their law, each as
        far as it is kept."""
        candidates, entropies = _before(self.candidates, place), _before(self.entropies, place)
        return self._replace(
            candidates=(*candidates, (place, tuple(options))) if options else candidates,
            entropies=entropies if entropy is None else (*entropies, (place, entropy)),
            alternatives=_before(self.alternatives, place + 1),  # their law is the same, whatever is drawn from it
        )

    def with_alternatives(self, place: int, noted: Sequence[NotedToken]) -> Self:
        """The notes with the model's likeliest tokens at this place, in place of those that were noted before.

        Places after it lose theirs.
        """
        return self._replace(alternatives=(*_before(self.alternatives, place), (place, tuple(noted))))

    def told(self, ids: Sequence[int], begin: int = 0) -> tuple[int, ...]:
        """Of these tokens, the first of which has the place `begin`, those that the constraint was told of."""
        if not self.unfed:
            return tuple(ids)
        unfed = frozenset(self.unfed)
        return tuple(token for place, token in enumerate(ids, begin) if place not in unfed)

    @classmethod
    def of(cls, record: Any) -> Self:
        """Notes as they were saved: lists for tuples."""

        def tupled(value: Any) -> Any:
            return tuple(map(tupled, value)) if isinstance(value, (list, tuple)) else value

        return cls(*(tupled(getattr(record, name)) for name in cls._fields))


def _before(noted: tuple[tuple[int, Any], ...], place: int) -> tuple[tuple[int, Any], ...]:
    """The notes, ascending, of places before this one."""
    return noted if not noted or noted[-1][0] < place else tuple(each for each in noted if each[0] < place)


OPEN = 1 << 62  # the end of places that are still to come
NO_NOTES = TokenNotes()
