"""What controllers answer: branches, the ways on for a row.

A controller is a function from a `Writing` to a list of `Branch`es. How a row follows them is told in `branch.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.decode.branch_guides import Given, OneToken, WithRuns, any_token, packed
from outlines_cont.decode.canonical import spelled_after
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.settings import Cursor, Followed
from outlines_cont.decode.writing import Writing
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.explained import explained_class
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.fsm.language.narrowed import begun
from outlines_cont.fsm.protocol import FullGuide, GuideState, with_defaults
from outlines_cont.fsm.stop_tokens import EndingTokens
from outlines_cont.fsm.vocabulary import Vocabulary, pack, unpack
from outlines_cont.state.constraint import Controller
from outlines_cont.state.random_keys import copied


class Keeping(Enum):
    """The type of `KEEP`, by which a branch keeps what the row remembers (`memory`), or its guide (`allowed`).

    >>> oc.steer.Branch(forced=" so").memory, oc.steer.Branch(allowed=oc.steer.KEEP).allowed
    (KEEP, KEEP)
    """

    KEEP = "KEEP"

    def __repr__(self) -> str:
        return "KEEP"


KEEP = Keeping.KEEP
"""What a `Branch` gives as its memory, or as its guide, to leave that unchanged."""


ForcedRun = bytes | str | Sequence[int]  # a text, or token ids


@explained_class
@dataclass(frozen=True, slots=True)
class Branch:
    """One way to continue a row, returned by a controller.

    First, `backtrack` tokens of the span are dropped, or all tokens after the point with this label. Then `forced` is
    appended, if it is given. Otherwise tokens are drawn:

    - `allowed` is a guide, or a generator, whose constraint counts: tokens are drawn until it is complete, or its stop
      is drawn;
    - `allowed` is token ids, a boolean mask `[V]` or a packed mask (int32 `[(V + 31) // 32]`): one token is drawn; if
      eos is among them, the stop may be drawn instead, and ends the span;
    - `allowed=KEEP`: the branch before it continues where it is (for rows in lock-step);
    - no `allowed`: one token of any text is drawn, or the stop.

    Then the controller is called again.

    Attributes:
        backtrack: a number of tokens, or a label.
        allowed: what may be drawn.
        forced: bytes or a str, spelled canonically, or token ids. Or several runs: a list of these, or a dict {token
            id: a run that begins with it}. One of them is then drawn by its first token, and appended whole. Of runs
            in a list that begin with the same token, the first is taken; a choice between such texts is
            `allowed=oc.generate.choice(model, […])`. With `allowed`, the first tokens of the runs must be allowed, and
            other tokens may be drawn, too. A guide continues after the run.
        memory: an immutable value that the row remembers from now on; KEEP: the value that it has already.
        label: a name for the point at which this branch begins, after its backtrack.
        temperature, top_k, top_p, min_p: those of the branch's draws, in place of the sampler's own. The draws are then
            random, even under a greedy sampler.

    >>> def both(row):
    ...     return [] if row.text else [oc.steer.Branch(forced=" yes"), oc.steer.Branch(forced=" no")]
    >>> oc.generate.control(model, both)("Is it blue?")
    [' yes', ' no']
    """

    backtrack: int | str = 0
    allowed: Any = None
    forced: ForcedRun | Sequence[ForcedRun] | Mapping[int, ForcedRun] | None = None
    memory: Any = KEEP
    label: str | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __post_init__(self) -> None:
        if self.filters is not PLAIN and self.forced is not None and not _are_runs(self.forced):
            raise ValueError(f"{shown(self)}: a run that is given is not drawn, so no {self.filters} changes it")

    @property
    def filters(self) -> Filters:
        """What it changes of the sampler's law. ValueError for a value that is out of range."""
        return Filters.of(self.temperature, self.top_k, self.top_p, self.min_p)

    def guide(self, encoder: Encoder, before: Sequence[int]) -> FullGuide:
        """The guide of what it says. `before`: the row's last tokens, from which a forced text goes on.

        Raises:
            TypeError, ValueError: `allowed` or `forced` is none of what a branch takes, or allows nothing.
        """
        vocabulary = encoder.vocabulary

        def spell(data: bytes) -> Sequence[int]:
            ids = spelled_after(encoder, before, data)
            return encoder.encode_bytes(data) if ids is None else ids

        if self.forced is None:
            return self._allowed_guide(vocabulary)
        if not _are_runs(self.forced):
            if self.allowed is not None:
                raise TypeError(
                    "Branch(allowed=…, forced=…): a branch draws, or appends a run; say the one or the other"
                )
            return Given(vocabulary, _run(vocabulary, self.forced, spell))
        runs = dict(self._runs(vocabulary, spell, encoder.encode_bytes))
        if self.allowed is None:
            if not runs:
                raise ValueError(f"Branch(forced={self.forced!r}) allows no token")
            return WithRuns(OneToken(vocabulary, packed(vocabulary, runs), may_stop=False), runs)
        guide = self._allowed_guide(vocabulary)
        for first, others in runs.items():
            _check_fits(guide, (first, *others))
        return WithRuns(guide, runs)

    def _allowed_guide(self, vocabulary: Vocabulary) -> FullGuide:
        """The guide of what may be drawn."""
        if self.allowed is None:
            return vocabulary.derived(any_token)
        constraint = getattr(self.allowed, "constraint", None)
        if getattr(constraint, "controller", None) is not None:
            raise TypeError(f"Branch(allowed={self.allowed!r}): a controller cannot stand in another; give it a guide")
        if getattr(constraint, "where", None) is not None:
            raise TypeError(
                f"Branch(allowed={self.allowed!r}): of a generator in a branch only the grammar counts, and this one "
                "has a predicate (where=…); let the controller look at row.text"
            )
        allowed = getattr(constraint, "guide", self.allowed)
        if hasattr(allowed, "advance") or (hasattr(allowed, "mask") and not hasattr(allowed, "dtype")):
            guide = with_defaults(cast(Any, allowed))  # or it says what a guide needs
            if guide.vocabulary != vocabulary:
                raise ValueError(f"Branch(allowed={guide!r}): a guide over another vocabulary, {guide.vocabulary!r}")
            return guide
        tokens = _tokens_of(vocabulary, allowed)
        may_stop, text = bool(tokens[list(vocabulary.eos)].any()), tokens & ~vocabulary.derived(_special)
        if not may_stop and not text.any():
            raise ValueError(f"Branch(allowed={self.allowed!r}) allows no token")
        return OneToken(vocabulary, pack(text), may_stop)

    def _runs(self, vocabulary: Vocabulary, spell: Spell, spell_rest: Spell) -> Iterable[tuple[int, tuple[int, ...]]]:
        """Its runs: the first token of each, and what follows it."""
        if isinstance(self.forced, Mapping):
            for token, run in self.forced.items():
                ids = _run(vocabulary, run, spell_rest, _checked(vocabulary, token))
                if ids[0] != token:
                    raise ValueError(f"Branch(forced={{{token!r}: {run!r}}}): the run does not begin with its token")
                yield token, ids[1:]
            return
        listed = cast("Sequence[ForcedRun]", self.forced)
        first = self._by_first([_run(vocabulary, run, spell) for run in listed])
        if len(first) < len(listed):  # after this row they begin alike: each by itself may not
            alone = self._by_first([_run(vocabulary, run, spell_rest) for run in listed])
            first = max(first, alone, key=len)
        yield from first.items()

    def _by_first(self, runs: Sequence[tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
        """What follows the first tokens of runs. Of runs that begin alike the first is taken, as AICI does."""
        if not all(runs):
            raise ValueError(f"Branch(forced={self.forced!r}): a run without tokens cannot be drawn")
        first: dict[int, tuple[int, ...]] = {}
        for token, *others in runs:
            first.setdefault(token, tuple(others))
        return first


Spell = Callable[[bytes], Sequence[int]]  # bytes as token ids


def _are_runs(forced: Any) -> bool:
    """Whether these are several runs, of which one is drawn."""
    if isinstance(forced, Mapping):
        return True
    if isinstance(forced, (str, bytes, bytearray)) or not isinstance(forced, Sequence) or not forced:
        return False
    return all(isinstance(run, (str, bytes, Sequence)) or getattr(run, "ndim", 0) == 1 for run in forced)


def _check_fits(guide: FullGuide, run: tuple[int, ...]) -> None:
    """ValueError if the guide does not allow a run."""
    if isinstance(guide, OneToken):
        if guide.advance(guide.initial, run[0]) is None:
            raise ValueError(f"Branch(forced=…): `allowed` leaves out {run[0]}, with which the run {run} begins")
        return
    state = guide.initial
    for count, token in enumerate(run):
        if (state := guide.advance(state, token)) is None:
            text = guide.vocabulary.decode(run)
            raise ValueError(
                f"Branch(allowed={guide!r}, forced=…): the guide does not allow the run {run}, {text!r}, beyond its "
                f"first {count} tokens"
            )


def _tokens_of(vocabulary: Vocabulary, allowed: Any) -> np.ndarray:
    """Which tokens are allowed, bool `[V]`: by token ids, a boolean mask or a packed one."""
    size = len(vocabulary)
    words = (size + 31) // 32
    if str(getattr(allowed, "dtype", "")).endswith("int32") and tuple(allowed.shape) == (words,):
        return unpack(_on_host(allowed), size)
    if _is_mask(allowed):
        mask = _on_host(allowed)
        if mask.shape != (size,):
            raise ValueError(
                f"Branch(allowed=a boolean mask {list(mask.shape)}): a mask has one entry a token, [{size}]"
            )
        return mask
    listed = plain(allowed)
    if not isinstance(listed, Iterable) or isinstance(listed, (str, bytes)):
        raise TypeError(
            f"Branch(allowed={shown(allowed)}): it takes a guide, a generator, token ids, a boolean mask [{size}] or a "
            f"packed one (int32 [{words}])"
        )
    tokens = np.zeros(size, bool)
    tokens[[_checked(vocabulary, token, drawn=True) for token in listed]] = True
    return tokens


def _on_host(allowed: Any) -> np.ndarray:
    return np.asarray(allowed.cpu() if isinstance(allowed, Tensor) else allowed)


def _is_mask(allowed: Any) -> bool:
    if hasattr(allowed, "dtype"):
        return "bool" in str(allowed.dtype)
    return isinstance(allowed, list | tuple) and bool(allowed) and all(isinstance(bit, bool) for bit in allowed)


def _special(vocabulary: Vocabulary) -> np.ndarray:
    special = np.zeros(len(vocabulary), bool)
    special[list(vocabulary.special)] = True
    return special


def _run(vocabulary: Vocabulary, run: Any, spell: Spell, first: int | None = None) -> tuple[int, ...]:
    """The tokens of a run; those of a text begin with `first`, if it is given."""
    if isinstance(run, str):
        try:
            run = run.encode()
        except UnicodeEncodeError:
            raise ValueError(f"Branch(forced={shown(run)}) holds half a character (a lone surrogate)") from None
    if isinstance(run, (bytes, bytearray)):
        if first is None:
            return tuple(spell(bytes(run)))
        lead = vocabulary.tokens[first]
        if not run.startswith(lead):
            raise ValueError(f"Branch(forced={{{first}: {run!r}}}): the run does not begin with its token, {lead!r}")
        return (first, *(spell(bytes(run[len(lead) :])) if len(run) > len(lead) else ()))
    run = plain(run)
    if not isinstance(run, Iterable):
        raise TypeError(
            f"Branch(forced={shown(run)}): it takes bytes, a str, token ids, a list of those, or a dict of them by "
            "their first tokens"
        )
    return tuple(_checked(vocabulary, token) for token in run) or (() if first is None else (first,))


def _checked(vocabulary: Vocabulary, token: Any, drawn: bool = False) -> int:
    """The id of a token that ends no text. drawn: of a token of text, or of one that ends it."""
    if isinstance(token, bool) or not is_whole(token):
        raise TypeError(f"{shown(token)} is no token id")
    if not 0 <= (number := operator.index(token)) < len(vocabulary):
        raise ValueError(f"token {shown(token)} is not in a vocabulary of {len(vocabulary)} tokens")
    if number in vocabulary.special and (number in vocabulary.eos) != drawn:
        right = f"forced=[{number}] appends it" if drawn else "it ends a text, and a controller does that by []"
        raise ValueError(f"token {number} is a special token: {right}")
    return number


# --- what a row's controller says of it, and the rows that go on along the branches of its answer

R = TypeVar("R", bound=GrowingRow)

Branching = Callable[[GrowingSpan], Sequence[Branch]]  # what the controller of a span says of it


def branches_of(span: GrowingSpan) -> Sequence[Branch]:
    """What its controller says of a span; TypeError if that is no list of branches."""
    controller = span.settings.constraint.controller
    assert controller is not None
    return checked_branches(controller(Writing(span)), controller)


def checked_branches(branches: Any, controller: Controller) -> Sequence[Branch]:
    """What a controller answered for one row. TypeError if that is no list of branches."""
    if not isinstance(branches, (list, tuple)) or not all(isinstance(branch, Branch) for branch in branches):
        raise TypeError(f"a controller gives a list of Branches, [] to stop; {controller!r} gave {shown(branches)}")
    return branches


def forks(h: R, branches: Sequence[Branch]) -> Iterator[R]:
    """A row for each branch, where the branch begins: nothing is appended yet."""
    if len(branches) == 1:
        yield _turned(h, branches[0], 0)
        return
    for i, branch in enumerate(branches):
        # samples are numbered from 0 on: forks have numbers that no sample has
        yield _turned(h.with_row(copied(h.row, -1 - i)), branch, i)


def _turned(h: R, branch: Branch, index: int) -> R:
    """At the beginning of a branch, the one of this index, with the branch's guide."""
    start = _back_along(h, branch.backtrack)
    span, settings = start.span, start.span.settings
    here, labels = len(span.ids), span.at.labels
    if branch.allowed is KEEP:
        guide, state, begin = _kept_guide(start, branch)
        filters = branch.filters.over(start.at.followed.filters)
    else:
        guide, begin = _unbanned(branch.guide(settings.encoder, span.tail), span), here
        state, filters = guide.initial, branch.filters
    if branch.label is not None:
        others = (label for label in labels if label[0] != branch.label)
        labels = (*others, (branch.label, here, len(span.at.segments)))
    memory = h.at.memory if branch.memory is KEEP else branch.memory
    followed = Followed(index, here, len(h.ids) - here, filters)
    at = Cursor(guide, state, memory, labels, span.at.segments, begin, followed=followed)
    return start.changed(span=span.changed(at=at))


def _unbanned(guide: FullGuide, span: GrowingSpan) -> FullGuide:
    """A branch's guide, without the texts that the sampler's filters ban.

    Tokens that a branch lists, and guides of third parties, are left to the filters; runs that it gives are its own.
    """
    filters = getattr(span.settings.sampler, "logit_filters", ())
    banned = tuple(text for each in filters if hasattr(each, "allowed_run") for text in each.texts)
    if not banned or not isinstance(guide, AutomatonGuide | EndingTokens):
        return guide
    written = span.encoder.spell(span.row.ids) + span.text
    return _without(guide, banned, begun(written, [text.encode() for text in banned]))


_without = lru_cache(maxsize=64)(guides.without)  # rows, and calls, often come to the same places


def _kept_guide(h: GrowingRow, branch: Branch) -> tuple[FullGuide, GuideState, int]:
    """The guide of the branch that a row is on, its state, and where it began. ValueError if it has ended."""
    at = h.span.at
    if branch.forced is not None:
        raise TypeError("Branch(allowed=KEEP, forced=…): a branch goes on, or appends a run; say the one or the other")
    if h.span.branch_ended:
        raise ValueError("Branch(allowed=KEEP): the row is on no branch that could go on; say what is allowed now")
    return at.guide, at.state, at.begin


def _back_along(h: R, backtrack: int | str) -> R:
    """So many tokens back, or back to a label."""
    if not isinstance(backtrack, str):
        return h.back(count) if (count := h.span.checked_count(backtrack)) else h
    labels = {name: (place, segments) for name, place, segments in h.at.labels}
    if backtrack not in labels:
        raise ValueError(f"Branch(backtrack={backtrack!r}): the row has the labels {sorted(labels)}")
    place, segments = labels[backtrack]
    return h.back(len(h.ids) - place, segments=segments)
