"""Exact samples: whole texts, drawn from the model's own law given the constraint, by a race.

Let every text that the model could write come at random times, as often as it is likely. The first one that is wanted
is a draw from the model's law given that: it is the one with which rejection would have ended. The first time of
a prefix comes apart into those of its tokens as the prefix is read: one of them has it, and the others come later by
times of their own, for such times have no memory. So a row reads only the prefixes that come before its text; its text
depends on its random numbers alone, and not on what was read for others; and what is refused is refused once for all.

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
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    from outlines_cont.masses import Masses, MassNode

MOST_LISTED = 1 << 22  # tokens that all tries of a model list, 24 bytes each
STOP, LOST, OTHERS = 0, 1, 2  # which number, after those of the tokens, is whose


class _Entrants(NamedTuple):
    """What may come after a node: the logs of the times, ascending, and whose they are, by place among the numbers."""

    node: MassNode
    block: int
    begin: int
    times: np.ndarray
    places: np.ndarray


class TooMany(Exception):
    """A row has asked about as many prefixes as it may."""


@dataclass(eq=False)
class TextRace:
    """How one row comes to its text.

    Attributes:
        h: the row. masses: the trie of its texts. numbers: what its random numbers depend on.
        positions: how many prefixes it may ask about; asked: how many it has.
        waiting: the node that it needs to be read, with the log of its time, and which of its blocks of tokens.
        text: the node at which its text ends, and whether that is a draw.
        queue: the first entrant after each node, and a number that tells equal times apart.
    """

    h: Hypothesis
    masses: Masses
    numbers: Any
    positions: int
    asked: int = 1
    waiting: tuple[MassNode, float, int] | None = None
    text: tuple[MassNode, bool] | None = None
    queue: list[tuple[float, int, _Entrants, int]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.waiting = self.masses.root, -inf, 0  # the first time of all: the others are counted from it

    def run(self) -> bool:
        """Whether it has its text; else its node has to be read first.

        TooMany; Unsatisfied if nothing is left that could come.
        """
        while True:
            if self.waiting is not None:
                node, time, block = self.waiting
                if node.problem is not None:
                    raise node.problem
                if not node.is_read or 0 < len(node.ends) <= block:
                    return False
                self.waiting = None
                if node.ends:
                    self._divide(node, time, block)
            if not self.queue:
                raise Unsatisfied
            time, _, entrants, place = heappop(self.queue)
            self._enter(entrants, place + 1)
            node, at = entrants.node, int(entrants.places[place])
            listed = node.ends[entrants.block] - entrants.begin
            if at == listed + OTHERS:
                self._asks(node, time, entrants.block + 1)
                continue
            stops = at == listed + STOP
            node = node if stops else self.masses.child(node, entrants.begin + at)
            if stops or node.ended:
                if self._accepts(node, stops):
                    self.text = node, stops
                    return True
            else:
                self._goes_on(node, time)

    def _goes_on(self, child: MassNode, time: float) -> None:
        where = self.h.settings.inspection.where
        if where and where.potential(text_so_far(self.h.span.changed(text=child.text)), False) == -inf:
            child.refuse(all_of_it=True)
        else:
            self._asks(child, time, 0)

    def _asks(self, node: MassNode, time: float, block: int) -> None:
        if node.ends or not node.is_read:
            self.asked += 1
            if self.asked > self.positions:
                raise TooMany
        self.waiting = node, time, block

    def _divide(self, node: MassNode, time: float, block: int) -> None:
        """The time of a node comes apart into those of its tokens, its stop, all that is lost, and the other tokens."""
        begin, end = node.ends[block - 1] if block else 0, node.ends[block]
        size = len(self.masses.rules.guide.vocabulary)
        ends = [0.0, 0.0] if block else [node.stop, node.lost]
        shares = np.array([*node.shares[begin:end], *ends, node.shares[end:].sum() + node.others])
        stream = blake2b(repr((self.numbers, node.ids)).encode(), digest_size=8).digest()
        places = np.append(node.tokens[begin:end], (size + STOP, size + LOST, size + OTHERS + block))
        numbers = uniforms_at(int.from_bytes(stream, "little"), places)
        with np.errstate(divide="ignore", invalid="ignore"):
            waits = -np.log1p(-numbers) / shares
            later = np.log(waits - np.nanmin(waits)) - node.log_mass
        later[(shares == 0) | np.isnan(later)] = inf
        later[end - begin + LOST] = inf
        order = np.argsort(later, kind="stable")[: np.isfinite(later).sum() + (later == -inf).sum()]
        self._enter(_Entrants(node, block, begin, np.logaddexp(time, later[order]), order), 0)

    def _enter(self, entrants: _Entrants, place: int) -> None:
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

    def ended(self) -> tuple[Hypothesis, ...]:
        """The row with its text, and all that follows of it."""
        assert self.text is not None
        return self.with_text(self.h, *self.text)

    def with_text(self, h: Hypothesis, node: MassNode, stops: bool) -> tuple[Hypothesis, ...]:
        """A row with the tokens of a node. stops: by a draw, and not whatever the model thinks."""
        masses = self.masses
        path, temperature = [node], masses.rules.temperature
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        nodes = path[-2::-1]
        drawn = [float(np.log(x.parent.shares[x.place])) for x in nodes if x.parent]
        own = [temperature * logprob + x.parent.offset for x, logprob in zip(nodes, drawn, strict=True) if x.parent]
        noted = h.settings.noted._replace(mass=masses.root.bound)
        h = h.changed(span=h.span.changed(settings=replace(h.settings, noted=noted)))
        longer = h.longer(node.ids, own, drawn)
        longer = longer.changed(fed=longer.fed._replace(claim=node.claim or longer.fed.claim))
        if stops:
            return longer.extend(len(masses.rules.guide.vocabulary), node.own_stop, float(np.log(node.stop)))
        return settled(longer)


@dataclass(frozen=True, repr=False)
class Exact(Multinomial[M_co]):
    """Whole texts from the model's own law given the constraint; see `exact`."""

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
        """The sampler, which reads whole texts by a model. ValueError for what it does not go together with."""
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
        live = [*filter(IS_READY, chain.from_iterable(groups))]
        model = vars(self)["_model"]
        made, tries = dict[int, tuple[Hypothesis, ...]](), _Tries(model)
        races, over = dict[int, TextRace](), dict[int, TextRace]()
        try:
            for place, h in enumerate(live):
                key = random_key(seed, h.lineage, h.position, h.attempt, "exact")
                try:
                    _check_alone(h)
                    races[place] = TextRace(h, tries.of(h, self.temperature), key, self.positions)
                except Exception as error:
                    made[place] = failing(h, error)
            while races:
                for place, race in list(races.items()):
                    try:
                        if race.run():
                            over[place] = races.pop(place)
                        elif race.masses.root.bound <= self.least:
                            raise TooMany
                    except Exception as error:
                        made[place] = failing(races.pop(place).h, self._explained(error, race))
                tries.read([(race.masses, race.waiting[0]) for race in races.values() if race.waiting])
            for place, race in over.items():
                try:
                    made[place] = race.ended()
                except Exception as error:
                    made[place] = failing(race.h, error)
        finally:
            tries.keep()
        return in_place_of_ready(groups, [made[place] for place in range(len(live))])

    def _explained(self, error: Exception, race: TextRace) -> Exception:
        """What is raised for a row without a text."""
        impossible = isinstance(error, Unsatisfied) and race.h.settings.inspection.where is None
        if not isinstance(error, TooMany) and not impossible:
            return error
        bound, asked = race.masses.root.bound, min(race.asked, self.positions)
        return TooUnlikely(
            f"{self!r}: no exact sample after {asked} prefixes; the model writes a text that the constraint accepts "
            f"with a probability of at most {bound:.3g}. Give more positions=, a prompt that leads to such texts, or "
            "take smc()",
            bound,
        )


def _check_alone(h: Hypothesis) -> None:
    if h.row.beside is not None:
        raise ValueError("exact() draws from the model's own law, and the row has contexts beside it (beside=)")
    if h.row.reads_graft:
        raise ValueError("exact() on a graft, whose log-probabilities are approximate; state.kv.drop() is read exactly")


class _Tries:
    """The tries of a call. Those of earlier calls go on, as long as the parameters are the same: each belongs to one
    call at a time."""

    def __init__(self, model: LanguageModel):
        self.model = model
        self._used: dict[Any, Masses] = {}
        self._kept: dict[Any, Masses] = {}
        if keeps(model) and hasattr(model, "__dict__"):
            version = getattr(getattr(model, "engine", None), "version", None)
            now = version() if callable(version) else model.identity
            before, self._kept = vars(model).get("_exact_tries", (None, self._kept))
            if before != now:
                self._kept = {}
            vars(model)["_exact_tries"] = now, self._kept

    def of(self, h: Hypothesis, temperature: float) -> Masses:
        """The trie of the texts that a row may get."""
        from outlines_cont.masses import Masses, MassNode, MassRules

        settings, span, at = h.settings, h.span, h.span.at
        limits, where = settings.limits, settings.inspection.where
        guide, state = span.going_on
        rules = MassRules(
            at.guide,
            None if guide is at.guide else guide,
            settings.constraint.stops_at_eos(at.guide),
            limits.stop_bytes,
            inf if limits.max_tokens is None else limits.max_tokens - span.spent,
            len(settings.healed),
            inf if limits.context_length is None else limits.context_length,
            settings.passes("length"),
            clamped_temperature(temperature),
        )
        function = where and where.function
        ids = span.row.ids + span.ids
        key = (ids, at.state, state, span.text, *vars(rules).values(), function and id(function))
        masses = self._used.get(key)
        if masses is None:
            begun = MassNode((), span.text, at.state, state)
            masses = self._kept.pop(key, None) or Masses(self.model, ids, rules, begun)
            masses.user, masses.root.claim = function, h.fed.claim
            self._used[key] = masses
        return masses

    def read(self, asked: Sequence[tuple[Masses, MassNode]]) -> None:
        """Read these nodes in one pass."""
        from outlines_cont.masses import read_together

        nodes: dict[Masses, dict[MassNode, None]] = {}
        for masses, node in asked:
            nodes.setdefault(masses, {})[node] = None
        try:
            read_together([(masses, list(each)) for masses, each in nodes.items()])
        except ValueError:
            if not any(node.problem for _, node in asked):
                raise

    def keep(self) -> None:
        """Give the tries to the next call, without keys and values; the oldest go, if they are too large together."""
        for masses in self._used.values():
            masses.forget_keys()
        self._kept.update(self._used)
        size = sum(masses.size for masses in [*self._kept.values()])
        for key in list(self._kept):
            if size > MOST_LISTED and (masses := self._kept.pop(key, None)) is not None:
                size -= masses.size
