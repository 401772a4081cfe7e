"""Exact samples: whole texts, drawn from the model's own law given the constraint, by a race.

Let every text that the model could write come at random times, as often as it is likely. The first one that is wanted
is a draw from the model's law given that: it is the one with which rejection would have ended. The first time of a
prefix comes apart into those of its tokens when the prefix is read: one of them has it, and the others come later by
times of their own, for such times have no memory. So a row reads only the prefixes that come before its text; and its
text depends on its random numbers alone, and not on what was read before, for it or for others.

Rejection that learns: Parys et al. 2025 (arXiv:2510.01902). Times from the top down: A* sampling, Maddison et al. 2014
(arXiv:1411.0030).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import chain, count
from math import inf
from typing import Any, NamedTuple

import numpy as np

from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.growing_row import change, text_so_far
from outlines_cont.decode.hypothesis import IS_READY, Hypothesis, alone, settled
from outlines_cont.decode.samplers.protocol import Honour, HypothesisGroups, M_co
from outlines_cont.decode.samplers.row_by_row import Multinomial, in_place_of_ready
from outlines_cont.decode.where import Unsatisfied
from outlines_cont.engines.protocol import LanguageModel, keeps
from outlines_cont.errors import TooUnlikely
from outlines_cont.kernels.laws import Candidates
from outlines_cont.kernels.philox import random_key, uniforms_at
from outlines_cont.kernels.warp import clamped_temperature
from outlines_cont.masses import Masses, MassNode, MassRules, WarpScores, read_together
from outlines_cont.waiting import stopping

MOST_LISTED = 1 << 22  # tokens that the tries of a model list: some 600 bytes each with their nodes
STOP, LOST, OTHERS = 0, 1, 2  # which number, after those of the tokens, is whose


class Entrants(NamedTuple):
    """What may come after a node, in order: the logs of the times, and whose they are. Tokens count from `begin`."""

    node: MassNode
    block: int
    begin: int
    times: np.ndarray
    places: np.ndarray


@dataclass(eq=False)
class TextRace:
    """How one row comes to its text.

    Attributes:
        h: the row. masses: the trie of its texts. key: what its random numbers depend on.
        waiting: the node that it looks at next, with the log of its time, and which of its blocks of tokens.
        text: the node at which its text ends, and whether that is a draw.
        failed: what is left of the row, if it has failed.
        asked: how many prefixes it has asked about.
        queue: the next entrant after each node, and a number that tells equal times apart.
    """

    h: Hypothesis
    masses: Masses
    key: Any
    waiting: tuple[MassNode, float, int] | None = None
    text: tuple[MassNode, bool] | None = None
    failed: tuple[Hypothesis, ...] = ()
    asked: int = 1
    queue: list[tuple[float, int, Entrants, int]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.waiting = self.masses.root, -inf, 0  # the first time of all, from which the others are counted

    def run(self) -> bool:
        """Whether it has its text; else the node that it waits for has to be read."""
        while self.text is None:
            if self.waiting is not None:
                node, time, block = self.waiting
                if node.problem is not None:
                    raise node.problem
                if not node.is_read or 0 < len(node.ends) <= block:
                    self._check(self.masses.root.bound > self.h.settings.sampler.least)
                    return False
                self.waiting = None
                if node.ends:
                    self._divide(node, time, block)
            if not self.queue and self.h.settings.inspection.where is not None:
                raise Unsatisfied
            self._check(bool(self.queue))
            time, _, entrants, place = heappop(self.queue)
            self._enter(entrants, place + 1)
            self._come(entrants, int(entrants.places[place]), time)
        return True

    def goes_on(self) -> bool:
        """Whether a node has to be read for it. If it fails, its row does."""
        try:
            if self.h.row.beside is not None or self.h.row.reads_graft:
                beside = "a graft" if self.h.row.beside is None else "contexts beside it (beside=)"
                raise ValueError(f"{self.h.settings.sampler!r} draws from the model's own law; the row has {beside}")
            return not self.run()
        except Exception as error:
            self.failed = failing(self.h, error)
            return False

    def ended(self) -> tuple[Hypothesis, ...]:
        """The row with its text, and all that follows of it; or the failed row."""
        if self.text is None:
            return self.failed
        try:
            return self.with_text(self.h, *self.text)
        except Exception as error:
            return failing(self.h, error)

    def _check(self, likely: bool) -> None:
        """TooUnlikely, unless it may go on."""
        if not likely:
            bound, sampler = self.masses.root.bound, self.h.settings.sampler
            raise TooUnlikely(
                f"{sampler!r}: no exact sample after {min(self.asked, sampler.positions)} prefixes; the model writes "
                f"what the constraint accepts with a probability of at most {bound:.3g}. Give more positions=, or a "
                "prompt that leads there; or take smc()",
                bound,
            )

    def _come(self, entrants: Entrants, place: int, time: float) -> None:
        """The next one is there: a text, or a prefix that has to be read."""
        node, block, begin, *_ = entrants
        number = place - (node.ends[block] - begin)
        if number == OTHERS:
            return self._ask(node, time, block + 1)
        if number != STOP:
            node = self.masses.child(node, begin + place)
        if number == STOP or node.ended:
            self.text = (node, number == STOP) if self._accepts(node, number == STOP) else None
        elif self._may_begin(node):
            self._ask(node, time, 0)
        else:
            node.refuse()
        return None

    def _ask(self, node: MassNode, time: float, block: int) -> None:
        self.asked += bool(node.ends) or not node.is_read
        self._check(self.asked <= self.h.settings.sampler.positions)
        self.waiting = node, time, block

    def _may_begin(self, node: MassNode) -> bool:
        """Whether the predicate of the row lets its text begin so."""
        where = self.h.settings.inspection.where
        return where is None or where.potential(text_so_far(self.h.span.changed(text=node.text)), False) > -inf

    def _divide(self, node: MassNode, time: float, block: int) -> None:
        """The time of a node comes apart into those of its tokens, its stop, all that is lost, and the other tokens."""
        begin, end, size = node.ends[block - 1] if block else 0, node.ends[block], len(self.masses.vocabulary)
        ends = [0.0, 0.0] if block else [node.stop, node.lost]
        shares = np.array([*node.shares[begin:end], *ends, node.shares[end:].sum() + node.others])
        stream = blake2b(repr((self.key, node.ids)).encode(), digest_size=8).digest()
        places = np.append(node.tokens[begin:end], (size + STOP, size + LOST, size + OTHERS + block))
        with np.errstate(divide="ignore", invalid="ignore"):
            waits = -np.log1p(-uniforms_at(int.from_bytes(stream, "little"), places)) / shares
            waits[shares == 0] = inf
            later = np.log(waits - waits.min()) - node.log_mass  # one has the time itself
        later[end - begin + LOST] = inf
        order = np.argsort(later, kind="stable")[: int((later < inf).sum())]
        self._enter(Entrants(node, block, begin, np.logaddexp(time, later[order]), order), 0)

    def _enter(self, entrants: Entrants, place: int) -> None:
        if place < len(entrants.times):
            heappush(self.queue, (float(entrants.times[place]), next(self._order), entrants, place))

    def _accepts(self, node: MassNode, stops: bool) -> bool:
        """Whether the predicate of the row lets it have the text of a node."""
        if self.h.settings.inspection.where is None:
            return True
        [after] = self.with_text(alone(self.h), node, stops)
        if refused := change(self.h.span, after) == -inf:
            node.refuse()
        return not refused

    def with_text(self, h: Hypothesis, node: MassNode, stops: bool) -> tuple[Hypothesis, ...]:
        """A row with the tokens of a node, and all that follows of it. stops: by a draw, and not in any case."""
        masses, path = self.masses, [node]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        steps = list(zip(path[:0:-1], path[-2::-1], strict=True))
        drawn = [float(np.log(above.shares[x.place])) for above, x in steps]
        scores = [masses.rules.temperature * p + above.offset for p, (above, _) in zip(drawn, steps, strict=True)]
        noted = h.settings.noted._replace(mass=masses.root.bound)
        h = h.changed(span=h.span.changed(settings=replace(h.settings, noted=noted)))
        longer = h.longer(node.ids, scores, drawn)
        longer = longer.changed(fed=longer.fed._replace(claim=node.claim or longer.fed.claim))
        if not stops:
            return settled(longer)
        return longer.extend(len(masses.vocabulary), node.own_stop, float(np.log(node.stop)))


# --- tries, and who keeps them


def masses_of(model: LanguageModel, h: Hypothesis, temperature: float = 1.0, warp: WarpScores | None = None) -> Masses:
    """The trie of the texts that a row may get in its span. warp: see `MassRules`."""
    span, settings, limits = h.span, h.settings, h.settings.limits
    guide, state = span.going_on
    rules = MassRules(
        h.at.guide,
        None if guide is h.at.guide else guide,
        settings.constraint.stops_at_eos(h.at.guide),
        limits.stop_bytes,
        inf if limits.max_tokens is None else limits.max_tokens - span.spent,
        len(settings.healed),
        inf if limits.context_length is None else limits.context_length,
        settings.passes("length"),
        clamped_temperature(temperature),
        warp,
    )
    return Masses(model, span.row.ids + span.ids, rules, MassNode((), span.text, h.at.state, state))


class _Tries:
    """The tries of a call. Those of earlier calls go on, while the parameters are the same; each belongs to one call at
    a time."""

    def __init__(self, model: LanguageModel):
        self._model, self._used, self._kept = model, dict[Any, Masses](), dict[Any, Masses]()
        if keeps(model) and hasattr(model, "__dict__"):
            version = getattr(getattr(model, "engine", None), "version", None)
            now = version() if callable(version) else model.identity
            before, kept = vars(model).get("_exact_tries", (now, self._kept))
            self._kept = kept if before == now else self._kept
            vars(model)["_exact_tries"] = now, self._kept

    def of(self, h: Hypothesis, temperature: float) -> Masses:
        """The trie of a row, which goes on if there is one."""
        masses, where = masses_of(self._model, h, temperature), h.settings.inspection.where
        masses.user = where and where.function
        state = masses.root.state, masses.root.open_state, masses.root.text
        key = masses.ids, *state, *vars(masses.rules).values(), id(masses.user)
        if key not in self._used:
            self._used[key] = self._kept.pop(key, masses)
            self._used[key].root.claim = h.fed.claim
        return self._used[key]

    def read(self, races: Sequence[TextRace]) -> None:
        """Read the nodes that these wait for, in one pass."""
        nodes: dict[Masses, dict[MassNode, None]] = {}
        for race in races:
            if race.waiting is not None:
                nodes.setdefault(race.masses, {})[race.waiting[0]] = None
        try:
            read_together([(masses, list(each)) for masses, each in nodes.items()])
        except ValueError:
            if not any(node.problem for node in chain.from_iterable(nodes.values())):
                raise

    def keep(self) -> None:
        """Give the tries to later calls, without keys and values. The oldest go, if all are too large."""
        for masses in self._used.values():
            masses.forget_keys()
        self._kept.update(self._used)
        size = sum(masses.size for masses in [*self._kept.values()])
        for key in [*self._kept]:
            if size > MOST_LISTED and (masses := self._kept.pop(key, None)) is not None:
                size -= masses.size


# --- sampler


@dataclass(frozen=True, repr=False)
class Exact(Multinomial[M_co]):
    """Whole texts from the model's own law given the constraint; see `oc.samplers.exact`."""

    positions: int = 4096
    least: float = 0.0
    forced = "never"
    notes_candidates = False
    draws_texts = True

    @staticmethod
    def _call(samples: int) -> str:
        return f"exact(samples={samples})"

    @property
    def honours_where(self) -> Honour:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "predicates"

    def bound_to(self, model: LanguageModel, constraint: Any, forced: str, call: Any) -> Exact[M_co]:
        """The sampler that reads texts by a model. ValueError for what it does not go together with."""
        others = {
            "a controller": constraint.controller is not None,
            "by='sequence', whose options are drawn at once": bool(constraint.options),
            "forced='canonical', which draws one spelling of a text alone": forced != "never",
            "hooks, which are asked about single draws": bool(call.hooks.functions),
            "keep=oc.Keep(alternatives=…), which looks at single draws": bool(call.keep.alternatives),
        }
        if wrong := next((name for name, given in others.items() if given), None):
            raise ValueError(f"{self!r} draws whole texts, and does not go together with {wrong}; take multinomial()")
        bound = copy(self)
        vars(bound)["_model"] = model
        return bound

    def choose(self, groups: HypothesisGroups, law: Candidates, seed: int, hooks: Any = None) -> HypothesisGroups:
        tries, races = _Tries(vars(self)["_model"]), list[TextRace]()
        try:
            for h in filter(IS_READY, chain.from_iterable(groups)):
                key = random_key(seed, h.lineage, h.position, h.attempt, "exact")
                races.append(TextRace(h, tries.of(h, self.temperature), key))
            going = races
            while going := [race for race in going if race.goes_on()]:
                if (asked := stopping.get()) is not None and asked.is_set():
                    raise KeyboardInterrupt  # what was read is kept, and serves the next call
                tries.read(going)
            return in_place_of_ready(groups, [race.ended() for race in races])
        finally:
            tries.keep()
