"""Beam search: of all samples of a batch row, the hypotheses of largest score go on, as different texts.

Hypotheses that go on compete for `beams` texts, with up to `spellings` hypotheses each. Those that have ended are
merged by text, and each text keeps its best spelling. With distinct="tokens" every token sequence is a text of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from math import inf, isnan
from operator import itemgetter
from typing import Literal, cast

from outlines_cont.arguments import shown
from outlines_cont.decode.draws import Answer, Backtrack, Replace, Resample
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.filters import PLAIN
from outlines_cont.decode.growing_span import TooManyRetries
from outlines_cont.decode.hooks import HookedStep, accepts, noted
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.same_text import History, SpanText
from outlines_cont.decode.samplers.filters.bad_words import BadWords
from outlines_cont.decode.samplers.protocol import HypothesisGroups, M_co, SamplerDefaults, shown_sampler
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.errors import SampleMismatch, level_of_the_user
from outlines_cont.kernels.laws import Candidates, Law, Option
from outlines_cont.kernels.likeliest import WIDEST
from outlines_cont.state.failed_row import FailedRow
from outlines_cont.state.random_keys import copied
from outlines_cont.state.row import Row

# --- places of a beam search: hypotheses compete for so many texts, and for so many spellings of each

LOOKS = 4  # candidates that are looked at for further spellings, for each place


class Places:
    """Room for so many texts, in so many spellings each (None: any number). Who comes first takes it.

    `distinct`: "text", or "tokens" where each hypothesis is a text of its own.
    """

    def __init__(self, texts: int, distinct: str, spellings: int | None):
        self._most, self._spellings = texts, inf if spellings is None else spellings
        self._by_text = distinct == "text"
        self._taken: dict[Hashable, int] = {}
        self._ended: dict[History, float] = {}  # texts that have ended → their scores
        self._open = texts  # texts that have room

    @property
    def lacks_texts(self) -> bool:
        """Whether there is room for another text."""
        return len(self._taken) < self._most

    @property
    def full(self) -> bool:
        """Whether nothing can be taken any more."""
        return self._open <= 0

    def ended(self, h: Hypothesis) -> None:
        """Keep in mind a text that has ended."""
        if self._by_text:
            text = h.same_text
            self._ended[text] = max(h.score, self._ended.get(text, -inf))

    def take(self, h: Hypothesis) -> bool:
        """Whether there is room for a hypothesis that goes on: then it is taken.

        None is needed for what can only become a text that has ended already, with a score that it does not reach; and
        if it may reach that, the text has its place among those that have ended.
        """
        score = self._ended.get(h.only_end or ()) if self._ended else None
        if score is not None and h.bound <= score:
            return False
        key = h.same_text if self._by_text else h
        count = self._taken.get(key, 0)
        if count >= self._spellings or not (count or score is not None or self.lacks_texts):
            return False
        if score is not None and not count:
            self._most, self._open = self._most + 1, self._open + 1
        self._taken[key] = count + 1
        self._open -= count + 1 == self._spellings
        return True


class Spellings:
    """Which candidates are of use once all places for texts are taken: those that end, and those that may be further
    spellings of texts that are there. They are looked for among so many candidates more (None: among all).
    """

    def __init__(self, looks: int | None, group: Iterable[Hypothesis]):
        self._looks = inf if looks is None else looks
        self._texts: dict[History, set[bytes]] = {}  # by the row that stands before them
        for h in group:
            self.add(h)

    def add(self, h: Hypothesis) -> None:
        """A text that is there, whether it goes on or has ended."""
        *before, span = h.same_text
        if isinstance(span, SpanText):
            self._texts.setdefault(tuple(before), set()).add(span.text)

    def look(self) -> bool:
        """Whether one more candidate is looked at."""
        self._looks -= 1
        return self._looks >= 0

    def of_use(self, h: Hypothesis, token: int) -> bool:
        """Whether a hypothesis ends with this token, or may become a spelling of one of the texts."""
        text = h.text + h.encoder.vocabulary.tokens[token]
        if any(other.startswith(text) for other in self._texts.get(h.history, ())):
            return True
        at = h.at
        after = at.guide.advance(at.state, token)
        ids, settings = (*h.span.ids, token), h.settings
        return after is not None and settings.constraint.must_stop(at.guide, after, ids, settings.healed)


def widest(beams: int, spellings: int | None, most: int) -> int:
    """How many of a hypothesis' likeliest tokens are looked at: some end at once, some begin the same text, and both
    leave their place to others. No more than `most` unless there are more beams."""
    return max(2 * beams, min(2 * beams * (spellings or most), most))


def best_of_each(group: Sequence[Hypothesis], keys: Sequence[Hashable]) -> list[Hypothesis]:
    """Of hypotheses with equal keys, the one of largest score."""
    best: dict[Hashable, Hypothesis] = {}
    for h, key in zip(group, keys, strict=True):
        if key not in best or h.score > best[key].score:
            best[key] = h
    return list(best.values())


# --- beam search

SPELLINGS = 2  # of each text, where nobody says how many
Distinct = Literal["text", "tokens"]
Beam = tuple[Hypothesis, int]  # a hypothesis that is ready, and its row of the law


@dataclass(frozen=True)
class BeamSearch(SamplerDefaults[M_co]):
    """Search for the k texts with the largest scores; see `beam_search`."""

    beams: M_co = 4  # type: ignore[assignment]
    length_penalty: float = 0.0
    distinct: Distinct = "text"
    spellings: int | None = SPELLINGS
    logit_filters: tuple[BadWords, ...] = ()
    forced = "never"
    joint = True
    takes_fewer = True
    ranks_by_logprobs = True
    notes_candidates = True
    honours_where = "predicates"

    def __post_init__(self) -> None:
        if self.distinct == "tokens":
            object.__setattr__(self, "spellings", 1)

    def __repr__(self) -> str:
        """Its class and its options, without filters where there are none."""
        return shown_sampler(self)

    @property
    def samples(self) -> M_co:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.beams

    @property
    def chooses(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"beam_search({self.beams})"

    @property
    def width(self) -> int:
        """How many candidates of each hypothesis are considered first; more, if these give too few texts."""
        return widest(self.beams, self.spellings, WIDEST)

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if len(rows) > self.beams:
            raise SampleMismatch(f"{self} on a state of {len(rows)} samples: it takes at most {self.beams}")
        return _distinct_rows(rows)

    def resumed(self, rows: Sequence[Row], ended: Sequence[bool]) -> list[tuple[int, Row]]:
        different = _distinct_rows(rows)
        over = sum(ended[place] for place, _ in different)
        # (a text that may become better than one that has ended has room beside it)
        texts = self.beams + (over if self.distinct == "text" else 0)
        room = inf if self.spellings is None else texts * self.spellings
        cut = [row for place, row in different if row.finished == "length" and not ended[place]]
        # (a search on the way may have so many that were cut beside those that go on)
        if max(over, len(cut)) > self.beams or len(different) - over - len(cut) > room:
            most = f"{self.beams} of each" if room == self.beams else f"{room} and {self.beams}"
            raise SampleMismatch(
                f"resume() of {self} on {len(different) - over} samples that go on and {over} that have ended: it "
                f"takes at most {most}"
            )
        if self._lost(cut, len(different)):
            warnings.warn(
                f"resume() of {self} on a search that max_tokens had ended: only its best samples go on, and may end "
                "otherwise than with more max_tokens at once. A state on the way, of stream() or begin(), holds all "
                "hypotheses",
                stacklevel=level_of_the_user(),
            )
        # `collect` had numbered them, and will again
        return [(place, row.keyed(row.lineage[:-1] or row.lineage)) for place, row in different]

    def _lost(self, cut: Sequence[Row], count: int) -> bool:
        """Whether other hypotheses were lost when `max_tokens` cut these, of so many that were kept.

        Of each text one spelling is kept. What was cut comes after all values, so that all token sequences are left of
        a search that had found none. A text may be cut, and takes the place of others by its score.
        """
        constraint = cut[0].pieces[-1].origin.constraint if cut else None
        if constraint is None or self.distinct == "text":
            return constraint is not None
        return count == self.beams and (len(cut) < count or not constraint.constrained)

    def __str__(self) -> str:
        """How users write it."""
        more = "" if self.distinct == "text" else f", distinct={self.distinct!r}"
        return f"beam_search(beams={self.beams}{more})"

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        rows = iter(range(len(law)))
        options = law.best(self.width)
        chosen = []
        for group in groups:
            live = [(h, next(rows)) for h in group if h.status.ready]
            if any(h.settings.inspection.keeps_law for h, _ in live):
                live = [(noted(h, cast(Law, law.row(row))), row) for h, row in live]
            try:
                chosen.append(self._search(group, live, options, law, hooks) if live else group)
            except Exception as error:
                chosen.append(failing(live[0][0], error))
        return tuple(chosen)

    def choose_options(self, h: Hypothesis, values: list[float], seed: int) -> tuple[list[float], list[int]]:
        best = sorted(range(len(values)), key=lambda place: -values[place])[: self.beams]
        return values, [place for place in best if values[place] > -inf]

    def selected(
        self, group: Sequence[Hypothesis], seed: int = 0, before: Sequence[Hypothesis] = ()
    ) -> tuple[Hypothesis, ...]:
        """The best finished hypotheses, and the best that go on and can still enter these. Inactive rows stay."""
        pool, going = self._divided(group)
        beams = self._free_beams(group)
        places = self._places(beams, pool)
        going = [h for h in going if places.take(h)]
        if pool and len(pool) == beams and not pool[-1].cut_short:
            going = [h for h in going if h.bound > pool[-1].score]
        return (*(h for h in group if h.status.inactive), *pool, *going)

    def collect(self, group: Sequence[Hypothesis]) -> list[Hypothesis]:
        """By their scores. On the way these are the finished hypotheses, at most `beams`, and all that go on.

        Rows that were cut short in an earlier link come last, if there is room for them.
        """
        pool, going = self._divided(group)
        ahead = [h for h in group if _is_ahead(h)]
        by_score = sorted([*ahead, *_ranked([*pool, *going])], key=lambda h: -h.score)
        numbered = [h if h.status.inactive else h.with_row(copied(h.row, i)) for i, h in enumerate(by_score)]
        out = _ranked([h for h in group if h.status.inactive and h.cut_short])
        failed = [h for h in group if isinstance(h.row, FailedRow)]
        return [*numbered, *out[: max(0, self.beams - len(numbered))], *failed]

    def _free_beams(self, group: Iterable[Hypothesis]) -> int:
        """How many of the beams are not taken by rows that have come further in their chain."""
        return self.beams - sum(map(_is_ahead, group))

    def _places(self, texts: int, ended: Iterable[Hypothesis]) -> Places:
        """Room for so many texts that go on, beside those that have ended."""
        places = Places(texts, self.distinct, self.spellings)
        for h in ended:
            places.ended(h)
        return places

    def _divided(self, group: Sequence[Hypothesis]) -> tuple[list[Hypothesis], list[Hypothesis]]:
        """The best finished hypotheses, and all that go on, best first."""
        finished = [h for h in group if h.status.ended and not h.status.inactive]
        best = _ranked(best_of_each(finished, [self._ended_key(h) for h in finished]))
        return best[: self._free_beams(group)], _ranked([h for h in group if not h.status.ended])

    def _ended_key(self, h: Hypothesis) -> Hashable:
        """Equal for hypotheses that have ended and are one: those that wrote the same may have stopped otherwise."""
        if self.distinct == "text":
            return h.same_text
        row = h.as_row()
        return (row.ids, row.borders) if h.finished == "stop" else h

    def _search(
        self,
        group: Sequence[Hypothesis],
        live: Sequence[Beam],
        all_options: Sequence[list[Option]],
        law: Candidates,
        hooks: HookedStep | None,
    ) -> tuple[Hypothesis, ...]:
        """One batch row's next hypotheses. `all_options`: for each row of the law its best tokens, and the stop."""
        beams = self._free_beams(group)
        vetting = _Vetting(law, hooks)
        width, options = self.width, [all_options[row] for _, row in live]
        while True:
            vetting.made.clear()
            grown = [h for h in group if not h.status.ready]
            grown += vetting.stopped(live, options)
            lacks_texts = self._take_tokens(grown, live, options, vetting, beams)
            if (
                not lacks_texts
                or width >= law.stop
                or not (vetting.has_declined or self._cut_off(grown, options, beams))
            ):
                break
            width *= 2
            options = law.best(width, [row for _, row in live])
        if not grown and vetting.refused:
            raise Unsatisfied
        if not grown:
            raise TooManyRetries("the hooks have banned all that the constraint allows")
        return self.selected(grown)

    def _take_tokens(
        self,
        grown: list[Hypothesis],
        live: Sequence[Beam],
        options: Sequence[list[Option]],
        vetting: _Vetting,
        beams: int,
    ) -> bool:
        """Add what hypotheses become with their tokens, best first, as far as there is room. Whether texts lack."""
        several, most = self.spellings != 1, self.spellings
        places = self._places(beams, (h for h in grown if h.status.ended and not h.status.inactive))
        spellings = Spellings(None if most is None else LOOKS * beams * most, grown if several else ())
        for (h, row), option in _best_first(live, options):
            if places.full:
                break
            if not places.lacks_texts:
                if not spellings.look():
                    break
                if not spellings.of_use(h, option[0]):
                    continue
            for x in vetting.taken(h, row, option):
                if x.status.ended:
                    places.ended(x)
                elif not places.take(x):
                    continue
                grown.append(x)
                if several:
                    spellings.add(x)
        return places.lacks_texts

    def _cut_off(self, grown: Sequence[Hypothesis], options: Sequence[list[Option]], beams: int) -> bool:
        """Whether tokens that were not looked at may still give a text that is among the best."""
        pool, _ = self._divided(grown)
        return len(pool) < beams and any(tokens[-1][1] > -inf for *tokens, _ in options)


class _Vetting:
    """What the hooks let pass of a beam search's candidates: each is asked about once."""

    def __init__(self, law: Candidates, hooks: HookedStep | None):
        self.law, self.hooks = law, hooks
        self.declined: dict[int, set[int]] = {}  # candidates, by row
        self.refused = False  # predicates have refused some
        self.made: set[tuple[int, Answer]] = set()  # what rows have become: several may be replaced by the same
        self._answers: dict[tuple[int, int], Answer] = {}

    def stopped(self, live: Sequence[Beam], options: Sequence[list[Option]]) -> list[Hypothesis]:
        """All hypotheses that stop here; the stop is the last of each one's options."""
        stops = ((h, row, stop) for (h, row), [*_, stop] in zip(live, options, strict=True) if stop[1] > -inf)
        return [ended for h, row, stop in stops for ended in self.taken(h, row, stop)]

    @property
    def has_declined(self) -> bool:
        """Whether anything was declined, by hooks or by predicates."""
        return self.refused or bool(self.declined)

    def taken(self, h: Hypothesis, row: int, option: Option) -> tuple[Hypothesis, ...]:
        """What a hypothesis becomes with this candidate: nothing, if that is declined."""
        try:
            if h.settings.inspection.where is not None and not accepts(h, option[0]):
                raise Unsatisfied
            return h.extend(*option) if self.hooks is None else self._followed(self.hooks, h, row, option)
        except Unsatisfied:  # or the span after this one refuses its beginning
            self.refused = True
            return ()

    def _followed(self, hooks: HookedStep, h: Hypothesis, row: int, option: Option) -> tuple[Hypothesis, ...]:
        """What becomes of it after its hooks were asked."""
        declined = self.declined.get(row, set())
        if option[0] in declined:
            return ()
        law, key = cast(Law, self.law).row(row), (row, option[0])
        if key not in self._answers:
            self._answers[key] = hooks.ask(h, row, option, law)
        answer = self._answers[key]
        if isinstance(answer, Resample):
            if answer.filters is not PLAIN:
                raise ValueError(
                    f"{shown(answer)} under beam search: nothing is drawn at random; decline with Resample()"
                )
            self.declined[row] = declined = declined | {option[0]} | hooks.banned(answer, option, law)
            if len(declined) > h.settings.going_back.retries:
                raise TooManyRetries(
                    f"the hooks declined over {h.settings.going_back.retries} candidates of one position (retries)"
                )
            return ()
        if isinstance(answer, Backtrack):
            raise ValueError(
                f"{shown(answer)} under beam search: hypotheses are not sent back; decline with Resample()"
            )
        made = (row, answer or Replace(None if option[0] == law.stop else option[0]))
        if made in self.made:
            return ()
        self.made.add(made)
        return hooks.follow(h, row, option, law, answer)


def _is_ahead(h: Hypothesis) -> bool:
    """Whether a row has come further in its chain than this search, whose beam it holds."""
    return h.status.inactive and not h.cut_short and not h.row.dead


def _best_first(live: Sequence[Beam], options: Sequence[list[Option]]) -> Iterator[tuple[Beam, Option]]:
    """The tokens of all hypotheses, by the score that they lead to. Few are asked for, so that they come one by one.

    Equal scores: first those of the earlier hypothesis, then those of the smaller token.
    """

    def ranked(i: int) -> Iterator[tuple[float, int, int, float, float]]:
        h, _ = live[i]
        *tokens, _ = options[i]  # best first
        by = 2 if h.span.ranks_by_proposals else 1
        each = ((-h.score_with(option[by]), i, *option) for option in tokens if option[1] > -inf)
        for _, equal in groupby(each, key=itemgetter(0)):
            yield from sorted(equal)

    for _, i, token, logprob, proposal in merge(*map(ranked, range(len(live)))):
        yield live[i], (token, logprob, proposal)


def _ranked(group: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Best first; what was cut short comes after all that is whole."""
    return sorted(group, key=lambda h: (h.cut_short, -h.score))


def _distinct_rows(rows: Sequence[Row]) -> list[tuple[int, Row]]:
    """The different ones of some rows, with their places: equal ones would fill the beams with copies."""
    if any(isnan(row.weight) for row in rows):
        raise ValueError(
            "beam_search() on rows whose log-probabilities are not known (NaN): call state.rescore() first"
        )
    best: dict[object, tuple[int, Row]] = {}
    for place, row in enumerate(rows):
        # one that has ended is not one that goes on, and rows on different branches of a controller are two
        last = row.pieces[-1] if row.pieces else None
        branch = id(last.origin.trail) if last is not None and not last.emptied else None
        key = (row.ids, row.finished == "stop", row.borders, branch)
        if not row.dead and (key not in best or row.weight > best[key][1].weight):
            best[key] = (place, row)
    return list(best.values())
