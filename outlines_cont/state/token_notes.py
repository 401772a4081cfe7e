"""What a span notes of single tokens, by their places in it. Mostly that is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.kernels.laws import Option


class Candidate(NamedTuple):
    """A token, or the stop, that could have been drawn at one position of a row.

    Attributes:
        token: its id; None for the stop.
        bytes: the token's; none for the stop.
        logprob: the model's own log-probability of it.
        proposal_logprob: that of the law drawn from.

    >>> text = oc.continuous(oc.generate.text(model, oc.samplers.greedy()))
    >>> state = text("The sky is", max_tokens=1, keep=oc.Keep(candidates=2))
    >>> [(candidate.bytes, round(candidate.logprob, 2)) for candidate in state.candidates[0][0][-1]]
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
    >>> [(likely.bytes, round(likely.logprob, 2), likely.allowed) for likely in state.alternatives[0][0][-1]]
    [(b' blue', -0.82, False), (b' white', -2.0, True)]
    """

    token: int
    bytes: bytes
    logprob: float
    allowed: bool

    @classmethod
    def listed(cls, noted: Sequence[NotedToken], vocabulary: Vocabulary) -> list[Self]:
        """Those of one position."""
        return [cls(token, vocabulary.tokens[token], logprob, allowed) for token, logprob, allowed in noted]


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
            (`oc.graft`): their log-probabilities are approximate. `OPEN` as an end: the span is still being written.
        alternatives: (place, tokens): the model's likeliest tokens at a place, best first. The place after the last
            token is that of the stop.
    """

    unfed: tuple[int, ...] = ()
    edited: tuple[int, ...] = ()
    candidates: tuple[tuple[int, tuple[Option, ...]], ...] = ()
    grafted: tuple[tuple[int, int], ...] = ()
    alternatives: tuple[tuple[int, tuple[NotedToken, ...]], ...] = ()

    def before(self, place: int) -> Self:
        """Those of the places before this one."""
        if not any(self):
            return self
        unfed, edited = (tuple(at for at in places if at < place) for places in self[:2])
        grafted = tuple(
            (min(begin, place), OPEN) if end == OPEN else (begin, min(end, place))
            for begin, end in self.grafted
            if end == OPEN or begin < place
        )
        candidates = tuple(noted for noted in self.candidates if noted[0] < place)
        return type(self)(unfed, edited, candidates, grafted, self._alternatives_before(place))

    def _alternatives_before(self, place: int) -> tuple[tuple[int, tuple[NotedToken, ...]], ...]:
        if not self.alternatives or self.alternatives[-1][0] < place:
            return self.alternatives
        return tuple(noted for noted in self.alternatives if noted[0] < place)

    def going_on(self, place: int, on_graft: bool) -> Self:
        """Those of a span that is written from this place on; whether on a graft, which is noted."""
        return self if not on_graft else self._replace(grafted=(*self.before(place).grafted, (place, OPEN)))

    def ended(self, length: int, stopped: bool) -> Self:
        """Those of a span of this length that has ended, with or without a stop."""
        if not any(self):
            return self
        notes = self.before(length + stopped)
        closed = ((begin, min(end, length + 1)) for begin, end in notes.grafted)  # segments may end there, too
        return notes._replace(grafted=tuple(each for each in closed if each[0] < each[1]))

    def exact(self) -> Self:
        """Without what was measured on a graft."""
        if not self.grafted:
            return self
        candidates = tuple(noted for noted in self.candidates if not self.is_grafted(noted[0]))
        alternatives = tuple(noted for noted in self.alternatives if not self.is_grafted(noted[0]))
        return self._replace(candidates=candidates, alternatives=alternatives, grafted=())

    def is_grafted(self, place: int) -> bool:
        """Whether the draw at this place was made on a graft."""
        return any(begin <= place < end for begin, end in self.grafted)

    def with_edited(self, place: int) -> Self:
        """With a note of the last token, which has this place and was drawn there: its candidates stay."""
        notes = self.before(place + 1)
        return notes._replace(edited=(*notes.edited, place))

    def with_unfed(self, place: int) -> Self:
        """With a note of the last token, which has this place and was put there instead of a draw."""
        notes = self.before(place)
        alternatives = self._alternatives_before(place + 1)  # they are the model's, whatever was put there
        return notes._replace(unfed=(*notes.unfed, place), edited=(*notes.edited, place), alternatives=alternatives)

    def with_candidates(self, place: int, options: Sequence[Option]) -> Self:
        """With the candidates for the token that will have this place."""
        kept = self if not self.candidates or self.candidates[-1][0] < place else self.before(place)
        alternatives = self._alternatives_before(place + 1)  # their law is the same, whatever is drawn from it
        return kept._replace(candidates=(*kept.candidates, (place, tuple(options))), alternatives=alternatives)

    def with_alternatives(self, place: int, noted: Sequence[NotedToken]) -> Self:
        """With the model's likeliest tokens at this place, in place of those that were noted there before.

        Places after it lose theirs.
        """
        return self._replace(alternatives=(*self._alternatives_before(place), (place, tuple(noted))))

    def told(self, ids: Sequence[int], begin: int = 0) -> tuple[int, ...]:
        """Of these tokens, the first of which has the place `begin`, those that the constraint was told of."""
        if not self.unfed:
            return tuple(ids)
        unfed = frozenset(self.unfed)
        return tuple(token for place, token in enumerate(ids, begin) if place not in unfed)

    @classmethod
    def of(cls, record: Sequence[Any]) -> Self:
        """Notes as they were saved: lists for tuples."""
        unfed, edited, candidates, grafted, alternatives = record
        noted = ((place, tuple(map(tuple, options))) for place, options in candidates)
        likely = ((place, tuple(map(tuple, tokens))) for place, tokens in alternatives)
        return cls(tuple(unfed), tuple(edited), tuple(noted), tuple(map(tuple, grafted)), tuple(likely))


OPEN = 1 << 62  # the end of places that are still to come
NO_NOTES = TokenNotes()
