"""From hypotheses and logits to the law of what comes next: here constraints meet logits, wherever these are."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

from outlines_cont.decode.branch import KEEP, Branch, Branching, checked_branches, forks
from outlines_cont.decode.branch_guides import BranchGuide
from outlines_cont.decode.growing_span import GrowingSpan
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import HypothesisGroups
from outlines_cont.decode.settings import Cursor
from outlines_cont.decode.writing import Writing
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.engine.automaton import TransitionTable
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import Vocabulary, unpack
from outlines_cont.fsm.within import Within, plain_place
from outlines_cont.kernels import token_masks
from outlines_cont.kernels.attention_work import copied_to
from outlines_cont.kernels.fused_law import fused
from outlines_cont.kernels.laws import NO_STOPS, Candidates, Scratch, constrain, endings_of, ids_on
from outlines_cont.kernels.philox import random_key, signed
from outlines_cont.kernels.sampling import sample
from outlines_cont.processes import whole_at_fork

SHELF_KEY = "shelf"  # where in `Vocabulary.cache` they are kept
SHELF_BYTES = 64 << 20  # bytes of masks on one device, for one vocabulary
FIRST_MASKS = 64  # masks
TABLE_STATES = 1024  # a guide of no more has its automaton on the device

PreparedMasks = dict[tuple[FullGuide, GuideState], np.ndarray]  # made before a law asks for them


def law_of(
    live: Sequence[Hypothesis], logits: Tensor, scratch: Scratch, plain: bool, prepared: PreparedMasks
) -> Candidates:
    """The law of what comes next in each of these, from its logits `[live, V]`. `plain`: as a `Law`."""
    points: list[Cursor] = []
    may_stop: list[bool] = []
    at_eos: list[bool] = []
    banned = False
    for h in live:
        at, constraint = h.at, h.settings.constraint
        points.append(_plain(at))
        may_stop.append(at.guide.accepting(at.state))
        at_eos.append(constraint.stops_at_eos(at.guide))
        banned |= constraint.unbanned is not None or points[-1].guide.__class__ is Within
    stop_ids = ids_on(points[0].guide.vocabulary.eos, logits.device) if any(at_eos) else None
    stops = _stops_beside_bans(live, logits, may_stop, at_eos) if banned else NO_STOPS
    if not plain and sample.chosen(logits.device):
        keys = [random_key(h.settings.seed, h.lineage, h.position, h.attempt) for h in live]  # if it will be drawn
        beside = [np.array(endings_of(may_stop, at_eos, stops)), signed(keys)]
        shelf = _shelf(points[0].guide.vocabulary, logits.device)
        masks, *rows, placed = shelf.placed([(at.guide, at.state) for at in points], prepared, beside)
        return fused(logits, masks, rows, stop_ids, stops, (keys, placed))
    return constrain(logits, _masks_at(points, prepared), may_stop, stop_ids, scratch, at_eos, stops)


def _stops_beside_bans(
    live: Sequence[Hypothesis], logits: Tensor, may_stop: Sequence[bool], at_eos: Sequence[bool]
) -> dict[int, Tensor]:
    """The logit of the stop, by row, where a ban or a limit forbids tokens that go on with the value, no stop."""
    stops: dict[int, Tensor] = {}
    for row, h in enumerate(live):
        if not may_stop[row] or at_eos[row]:
            continue
        guide, state = h.span.going_on
        if guide is not _plain(h.at).guide:
            on = unpack(guide.mask(state) & guide.vocabulary.no_eos, logits.shape[-1])
            others = torch.from_numpy(~on).to(logits.device)
            stops[row] = logits[row].detach().float()[others].logsumexp(-1)
    return stops


def _plain(at: Cursor) -> Cursor:
    """The cursor, without the limit of tokens where that takes nothing away: its masks are those of other rows then."""
    if at.guide.__class__ is not Within:
        return at
    guide, state = plain_place(at.guide, at.state)
    return at._replace(guide=guide, state=state)


def prepared_masks(points: Sequence[Cursor], device: torch.device, plain: bool) -> PreparedMasks:
    """The masks that a law at these points will ask for, but for those that it has on its device or makes there.

    What a guide fails at is left out. The device is told nothing: it would first end what it does.
    """
    masks: PreparedMasks = {}
    on_device = not plain and sample.chosen(device)
    for at in points:
        with suppress(Exception):
            at = _plain(at)
            at.guide.accepting(at.state)
            key = at.guide, at.state
            if key not in masks and not (on_device and _shelf(at.guide.vocabulary, device).needs_no_mask(*key)):
                masks[key] = at.guide.mask(at.state)
    return masks


def _mask(guide: FullGuide, state: GuideState, prepared: PreparedMasks) -> np.ndarray:
    """The mask of a state, if need be made now."""
    mask = prepared.get((guide, state))
    return guide.mask(state) if mask is None else mask


def _masks_at(points: Sequence[Cursor], prepared: PreparedMasks) -> np.ndarray:
    """The masks at these points without eos, int32 `[points, (V + 31) // 32]`, or `[1, …]` if they are the same."""
    guide = points[0].guide
    if not prepared and len({*map(id, map(attrgetter("guide"), points))}) == 1:
        states = {*map(attrgetter("state"), points)}
        # rows often share a state, and states a mask
        masks = guide.mask(points[0].state)[None] if len(states) == 1 else guide.masks([at.state for at in points])
    else:
        rows = [_mask(at.guide, at.state, prepared) for at in points]
        masks = np.stack(rows[:1] if len(set(map(id, rows))) == 1 else rows)
    if masks.dtype != np.int32 or masks.shape[1:] != guide.vocabulary.no_eos.shape:
        raise _no_mask(points)
    return (masks if masks.strides[0] else masks[:1]) & guide.vocabulary.no_eos


def _no_mask(points: Sequence[Cursor]) -> TypeError:
    """What to say of the guide, somebody else's, whose mask is none."""
    words = points[0].guide.vocabulary.no_eos.shape
    answers = ((at.guide, np.asarray(at.guide.mask(at.state))) for at in points)
    wrong = [(guide, mask) for guide, mask in answers if mask.dtype != np.int32 or mask.shape != words]
    guide, mask = wrong[0] if wrong else (points[0].guide, points[0].guide.masks([points[0].state])[0])
    return TypeError(
        f"{guide!r} gave {mask.dtype} {list(mask.shape)} for a mask; a guide's mask is int32 {list(words)}, one bit a "
        "token (outlines_cont.fsm.vocabulary.pack makes it of bools)"
    )


class Shelf:
    """The masks of one vocabulary's guides on a device, without eos, which the stop stands for: one for each state that
    was asked for, so that none is sent a second time. A full shelf is begun anew.

    A guide that is a small finite automaton is walked there; the masks of others are made on the host, and sent.
    """

    def __init__(self, vocabulary: Vocabulary, device: torch.device):
        self.vocabulary, self.device = vocabulary, device
        self.words = (len(vocabulary) + 31) // 32
        self._lock = whole_at_fork(threading.Lock())
        self._spelling: token_masks.VocabularyBytes | None = None
        self._tables: WeakKeyDictionary[guides.AutomatonGuide, TransitionTable | token_masks.ByteAutomaton | None]
        self._tables = WeakKeyDictionary()
        self._clear()

    def _clear(self) -> None:
        self._masks = self._room(FIRST_MASKS)
        self._known: WeakKeyDictionary[guides.AutomatonGuide, dict[GuideState, int]] = WeakKeyDictionary()
        self._used = 0

    def _room(self, masks: int) -> Tensor:
        with torch.inference_mode(False):  # whoever asks first may be in it, and others may not
            return torch.empty(masks, self.words, dtype=torch.int32, device=self.device)

    def needs_no_mask(self, guide: FullGuide, state: GuideState) -> bool:
        """Whether the mask of a state is here, or will be made on the device."""
        if not isinstance(guide, guides.AutomatonGuide):
            return False
        with self._lock:
            return state in self._of(guide) or self._table(guide) is not None

    def placed(
        self, asked: Sequence[tuple[FullGuide, GuideState]], prepared: PreparedMasks, beside: Sequence[np.ndarray]
    ) -> list[Tensor]:
        """Masks, int32 `[n, (V + 31) // 32]`; which of them are those of these states, int64; and other arrays. All
        that the device needs goes there in one copy."""
        with self._lock:
            limit = max(SHELF_BYTES // (4 * self.words), len(asked))
            if self._used + len(self._new(asked)) > limit:
                self._clear()  # with room of its own: laws may still look at the old masks
            new = self._new(asked)
            if self._used + len(new) > len(self._masks):
                grown = self._room(min(max(2 * len(self._masks), self._used + len(new)), limit))
                grown[: self._used] = self._masks[: self._used]
                self._masks = grown
            at = {(id(guide), state): place for place, (guide, state) in enumerate(new, self._used)}
            places = [at[id(g), state] if (id(g), state) in at else self._of(g)[state] for g, state in asked]
            groups = [(guide, [state for _, state in pairs]) for guide, pairs in groupby(new, key=itemgetter(0))]
            arrays = [self._needed(*group, prepared) for group in groups]
            tensors = iter(copied_to(self.device, [*arrays, np.array(places), *beside]))
            for guide, states in groups:
                table, given, first = self._placed_table(guide), next(tensors), self._used
                masks = given if table is None else token_masks.masks(*table, given)
                self._used += len(states)
                self._masks[first : self._used] = masks
                # Other guides may be made for one step, and have states of any kind.
                if isinstance(guide, guides.AutomatonGuide):
                    self._known.setdefault(guide, {}).update(zip(states, range(first, self._used), strict=True))
            return [self._masks, *tensors]

    def _of(self, guide: FullGuide) -> dict[GuideState, int]:
        """Where the masks of a guide are, by state."""
        return self._known.get(guide, {}) if isinstance(guide, guides.AutomatonGuide) else {}

    def _new(self, asked: Sequence[tuple[FullGuide, GuideState]]) -> list[tuple[FullGuide, GuideState]]:
        """What has no mask here, each once, guide by guide."""
        new = {(id(guide), state): (guide, state) for guide, state in asked if state not in self._of(guide)}
        return sorted(new.values(), key=lambda pair: id(pair[0]))

    def _needed(self, guide: FullGuide, states: list[GuideState], prepared: PreparedMasks) -> np.ndarray:
        """What the device needs for the masks of these states: themselves, or their masks."""
        if self._placed_table(guide) is not None:
            return np.array(states, np.int64)
        masks = np.stack([_mask(guide, state, prepared) for state in states])
        if masks.dtype != np.int32 or masks.shape[1:] != (self.words,):
            raise _no_mask([Cursor(guide, state) for state in states])
        return masks & self.vocabulary.no_eos

    def _table(self, guide: guides.AutomatonGuide) -> TransitionTable | token_masks.ByteAutomaton | None:
        """The automaton of a guide, if it is small: on the device from its first use on."""
        if guide not in self._tables:
            self._tables[guide] = guide.table(TABLE_STATES)
        return self._tables[guide]

    def _placed_table(self, guide: FullGuide) -> tuple[token_masks.ByteAutomaton, token_masks.VocabularyBytes] | None:
        if not isinstance(guide, guides.AutomatonGuide) or (table := self._table(guide)) is None:
            return None
        if isinstance(table, TransitionTable):
            table = self._tables[guide] = token_masks.ByteAutomaton(*copied_to(self.device, table))
        if self._spelling is None:  # eos is left out of it: no mask has it then
            v = self.vocabulary
            self._spelling = token_masks.VocabularyBytes.of(v.tokens, v.text_ids.tolist(), (), self.device)
        return table, self._spelling


def _shelf(vocabulary: Vocabulary, device: torch.device) -> Shelf:
    key = (SHELF_KEY, device)
    if key not in vocabulary.cache:
        vocabulary.cache[key] = Shelf(vocabulary, device)
    return vocabulary.cache[key]


# --- what the next step needs and no logits decide: masks, and what controllers answer
#
# It can be made while a device computes the logits, so that neither waits for the other.


class Prepared(NamedTuple):
    """What was prepared for a step.

    Attributes:
        masks: of the states from which rows will draw.
        answers: what controllers say of rows whose tokens are not scored yet. Each is good for one step, which takes it
            out: another step may give other scores.
    """

    masks: PreparedMasks
    answers: dict[Hypothesis, Branching]


NOTHING_PREPARED = Prepared({}, {})


def prepared(groups: HypothesisGroups, device: torch.device) -> Prepared:
    """What can be prepared for these rows. `device`: where their logits will lie.

    What fails is left out. The step does it again, and says what is wrong.
    """
    answers: dict[Hypothesis, Branching] = {}
    points: list[Cursor] = []
    for h in (h for group in groups for h in group):
        if h.status.drawing:
            points.append(h.at)
        elif h.asking and not h.settings.constraint.together:
            with suppress(Exception, NotScored):
                answers[h], forked = _early_answer(h)
                points += forked
    shown = any(h.settings.inspection.shows_law for group in groups for h in group)
    return Prepared(prepared_masks(points, device, shown), answers)


class NotScored(BaseException):
    """A controller that was asked early wants a score. No `except Exception` of its own catches this."""


class EarlyWriting(Writing):
    """A row whose last tokens have no scores yet. Who asks for these is told `NotScored`, until they are known."""

    score_wanted = False

    def _check(self) -> None:
        if self._growing.unscored:
            vars(self).update(score_wanted=True)
            raise NotScored("the last tokens of this row are not scored yet")

    @property
    def logprobs(self) -> tuple[float | None, ...]:
        self._check()
        return super().logprobs

    @property
    def weight(self) -> float:
        self._check()
        return super().weight

    @property
    def score(self) -> float:
        self._check()
        return super().score

    def scored(self, span: GrowingSpan) -> None:
        """Give the row its scores: a controller may have kept it."""
        vars(self).update(_growing=span)


def _early_answer(h: Hypothesis) -> tuple[Branching, list[Cursor]]:
    """What its controller says of a row before its last tokens are scored, with guides that are made; and where rows
    then draw. NotScored if it depends on the scores."""
    controller = h.settings.constraint.controller
    assert controller is not None
    row = EarlyWriting(h.span)
    branches = checked_branches(controller(row), controller)
    if row.score_wanted:  # whatever it did when it was told that there is none
        raise NotScored
    cursors = [fork.at for fork in forks(h, branches)]
    made = [
        branch if branch.allowed is KEEP else replace(branch, allowed=at.guide, forced=None)
        for branch, at in zip(branches, cursors, strict=True)
    ]

    def branching(span: GrowingSpan) -> Sequence[Branch]:
        row.scored(span)
        return made

    return branching, [at for at in cursors if not (isinstance(at.guide, BranchGuide) and at.guide.run(at.state))]
