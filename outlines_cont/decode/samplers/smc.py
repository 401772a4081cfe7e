"""Sequential Monte Carlo: random draws, as particles that are resampled where all have come as far."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from operator import attrgetter

from outlines_cont.arguments import shown, whole_number
from outlines_cont.decode.failed_rows import or_failing
from outlines_cont.decode.hooks import HookedStep
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import HypothesisGroups, M_co
from outlines_cont.decode.samplers.row_by_row import Multinomial
from outlines_cont.decode.status import DRAWING, WAITING
from outlines_cont.kernels.laws import Candidates
from outlines_cont.state import particles
from outlines_cont.state.particles import importances_of
from outlines_cont.state.row import Row

# --- where particles wait for each other: how far each has come, measured in something else than tokens
#
# The spellings of a text have different lengths, and a constraint charges them at different tokens. So particles of
# equal length are not equally far, and to compare their weights there kills those that have paid early. They are
# compared where all have come as far: at the ends of spans, or of words, lines, or whatever else the caller names.

Every = str | bytes | int | None  # as `smc` takes it
PATTERNS = {"word": rb"(?<=\S)\s", "line": rb"\n"}
WHITESPACE = b" \t\n\r\v\f"
SINGLE = re.compile(rb"\\n|[^\\.^$*+?{}\[\]|()]|\[[^\\\[\]^][^\\\[\]]*\]", re.DOTALL)


def checked_every(every: Every) -> Every:
    """Where particles are compared; ValueError or TypeError for what names no points.

    >>> from outlines_cont.decode.samplers.smc import checked_every
    >>> checked_every("word"), checked_every(rb"[,;]"), checked_every(8)
    ('word', b'[,;]', 8)
    """
    right = '"span", "word", "line", a pattern of bytes, a number of tokens ≥ 1, or None (never on the way)'
    if every is None or (isinstance(every, str) and every in ("span", *PATTERNS)):
        return every
    if isinstance(every, str):
        near = get_close_matches(every, ("span", *PATTERNS), 1)
        meant = f"every={near[0]!r}" if near else f"every={shown(every.encode())}, for a pattern"
        raise ValueError(f"every={shown(every)}: it is {right}. Did you mean {meant}?")
    if isinstance(every, re.Pattern):
        pattern = every.pattern if isinstance(every.pattern, bytes) else every.pattern.encode()
        raise TypeError(f"every={shown(every)}: it is {right}. Write every={shown(pattern)}")
    if isinstance(every, bytes):
        try:
            matches_nothing = re.compile(every).match(b"") is not None
        except re.error as error:
            raise ValueError(f"every={shown(every)}: it is no pattern: {error}") from None
        if matches_nothing:
            raise ValueError(f"every={shown(every)}: the pattern matches the empty text, so that it is everywhere")
        return every
    every = whole_number(every, "every", right)
    if every < 1:
        raise ValueError(f"every={every}: it is {right}")
    return every


def progress(h: Hypothesis, every: Every) -> int:
    """How far a particle has come in its span: how many points it has passed."""
    if every is None or every == "span" or h.scoring is not None:
        return 0
    return len(h.span.ids) // every if isinstance(every, int) else points(every, h.span.value)


def points(every: str | bytes, text: bytes) -> int:
    """How many points of a kind a text has passed."""
    # All texts are looked at anew at every step: so what can be counted without a search is.
    if every == "word":  # one that is followed by whitespace
        words = len(text.split())
        return words - (text[-1:] not in WHITESPACE) if text else 0
    pattern = PATTERNS[every] if isinstance(every, str) else every
    matched = single_bytes(pattern)
    return _searched(pattern, text) if matched is None else len(text) - len(text.translate(None, matched))


@lru_cache(64)
def single_bytes(pattern: bytes) -> bytes | None:
    """Of a pattern that is one byte, or a class of bytes, those that it matches. None: it may look at several."""
    if not SINGLE.fullmatch(pattern):
        return None
    return bytes(byte for byte in range(256) if re.fullmatch(pattern, bytes([byte])))


@lru_cache(4096)
def _searched(pattern: bytes, text: bytes) -> int:
    """How often a pattern matches. Several steps ask about the same text: where a particle waits, and before and after
    a draw."""
    return sum(1 for _ in re.finditer(pattern, text))


def least(group: Sequence[Hypothesis], every: Every) -> int | None:
    """How far those have come that are the furthest behind, of those that go on; None if all have ended."""
    return min((progress(h, every) for h in group if not h.status.ended), default=None)


def arrived(before: Sequence[Hypothesis], after: Sequence[Hypothesis], every: Every) -> bool:
    """Whether all have passed the point, in this step, that some of them had not passed before it."""
    old, new = least(before, every), least(after, every)
    return old is not None and new is not None and new > old


def held(group: Sequence[Hypothesis], every: Every) -> tuple[Hypothesis, ...]:
    """The particles, of which those ahead of others wait, and those furthest behind go on.

    This looks at nothing but the particles, so that a search that was cut and goes on is the same one.
    """
    behind = least(group, every)
    return tuple(_waiting_or_not(h, behind is not None and progress(h, every) > behind) for h in group)


def _waiting_or_not(h: Hypothesis, ahead: bool) -> Hypothesis:
    if h.status is DRAWING and ahead:
        return h.changed(status=WAITING)
    return h.changed(status=DRAWING) if h.status is WAITING and not ahead else h


# --- smc


@dataclass(frozen=True, repr=False)
class Particles(Multinomial[M_co]):
    """Random draws, and resampling on the way; see `smc`."""

    threshold: float = 0.5
    every: Every = "span"
    forced = "never"
    joint = True
    weighs_draws = True

    def widen(self, rows: Sequence[Row]) -> list[tuple[int, Row]]:
        if any(row.reads_graft for row in rows):
            raise ValueError(
                "smc() on a graft, whose log-probabilities are approximate: it weighs samples by the model's own; "
                "state.kv.drop() is read exactly"
            )
        importances_of(rows, f"{self._call(self.samples)} weighs its samples", drawn_next=True)
        return super().widen(rows)

    @staticmethod
    def _call(samples: int) -> str:
        return f"smc(particles={samples})"

    def begun(self, group: tuple[Hypothesis, ...], seed: int) -> tuple[Hypothesis, ...]:
        """Where all begin a span, particles that have come from spans before it are drawn anew if their weights have
        grown apart. Of a search that goes on, those that were ahead of others wait for them."""
        here = [h for h in group if not h.status.inactive]
        if here and self.every is not None and all(len(h.ids) == h.unscored and not h.status.whole for h in here):
            group = tuple(self._drawn_anew(group, seed, attrgetter("row")))
        return held(group, self.every)

    def choose(
        self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: HookedStep | None = None
    ) -> HypothesisGroups:
        grown = zip(groups, super().choose(groups, law, seed, hooks), strict=True)
        # nothing of one batch row may depend on how long another takes
        return tuple(
            or_failing(self.selected, new, seed, old) if any(h.status.ready for h in old) else new for old, new in grown
        )

    def selected(self, group: Sequence[Hypothesis], seed: int, before: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
        """One batch row's particles, the finished ones among them. Where all have come as far, they are drawn anew if
        their weights have grown apart. Those that are ahead wait."""
        if arrived(before, group, self.every):
            group = self._drawn_anew(group, seed)
        return held(group, self.every)

    def _drawn_anew(
        self, group: Sequence[Hypothesis], seed: int, row_of: Callable[[Hypothesis], Row] = attrgetter("scored_row")
    ) -> Sequence[Hypothesis]:
        """The particles, drawn anew by the importance of their rows, if their weights have grown apart."""
        places = [place for place, h in enumerate(group) if _weighed(h)]
        live = [group[place] for place in places]
        rows = list(map(row_of, live))
        importance = [row.log_importance for row in rows]
        level, longest = particles.log_mean(importance), max(map(len, rows))  # ValueError if one is not known
        # equal weights are not told from each other by rounding
        if particles.effective_sample_size(importance) >= self.threshold * len(live) * (1 - 1e-6):
            return group
        first = next(h for h in live if not h.row.dead)
        chosen = particles.drawn(importance, seed, first.lineage, longest, "systematic")
        marks = [row.resampled(level, places[i]).resamplings[-1] for i, row in enumerate(rows)]
        new = iter([live[i].resampled(marks[i], copy) for i, copy in particles.numbered(chosen)])
        return [next(new) if _weighed(h) else h for h in group]


def _weighed(h: Hypothesis) -> bool:
    """Whether it is a particle. One that has died is, and weighs nothing; one that was dead before stays so."""
    return h.lost == "died" or h.cut_short or not h.status.inactive
