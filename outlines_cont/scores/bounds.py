"""`bounds()`: between which numbers the probability of a language lies, and that of each of its texts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from math import exp, fsum, inf
from typing import Any, NamedTuple

import torch

from outlines_cont.arguments import is_number, shown, whole_number
from outlines_cont.decode.filters import PLAIN, Filters
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.option_scoring import scored_options
from outlines_cont.decode.samplers.filters.bad_words import only_bans_texts
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.explained import explained
from outlines_cont.fsm.automaton_guide import AutomatonGuide
from outlines_cont.generate.call_options import Call
from outlines_cont.generate.generator import Generator
from outlines_cont.generate.starts import started
from outlines_cont.generate.steps import Chain, Step
from outlines_cont.kernels.warp import warp
from outlines_cont.kv.needs import Need
from outlines_cont.masses import Masses, MassNode, MassRules
from outlines_cont.pictures.picture import Picture
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.scores.best_first import BestFirst, TextsOfNodes, search_together
from outlines_cont.state.ends import replay
from outlines_cont.state.errors import with_told_errors
from outlines_cont.state.prompts import Prompts, is_one_prompt
from outlines_cont.state.row import Row
from outlines_cont.state.state import SequenceState
from outlines_cont.waiting import told

# --- bounds, as a value


class MassBounds(NamedTuple):
    """Two numbers between which a probability lies."""

    lower: float
    upper: float


class BoundedText(NamedTuple):
    """A text, and between which numbers its probability lies."""

    text: str
    lower: float
    upper: float


class TopTexts(NamedTuple):
    """The likeliest texts that were found, best first; and whether no other text can be likelier than one of these."""

    texts: tuple[BoundedText, ...]
    proved: bool


@dataclass(frozen=True, eq=False, repr=False)
class BoundedLaw(ProcessBoundValue):
    """What `bounds` knows of the texts that a generator may write after a row.

    All spellings of a text count. The bounds hold for the logits that were read: `drift` says how far these moved when
    some of them were read once more.

    Attributes:
        asked_width: the width that was asked for.
        drift: by how much, relatively, the mass of the likeliest text changed when its tokens were read again, in a
            pass of their own.
        positions, passes: how many token positions were read for it, and in how many passes.
        of_sampler: False: the probabilities are the model's own, where what the constraint forbids keeps its share.
            True: they are those with which the sampler draws, for it has a temperature or filters.

    >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red", " green"]), "The sky is")
    >>> law
    BoundedLaw(3 texts; mass 0.526 to 0.527, width 0.17%; open 0.0009; drift ...; 2 positions)
    >>> law.conditional(" blue").lower > 0.83, law.top(1).proved
    (True, True)
    """

    _instead = "send what you need of it: law.mass, law.top(k)"

    asked_width: float
    drift: float
    positions: int
    passes: int
    of_sampler: bool
    _search: BestFirst
    _allows: Callable[[str], bool]

    @property
    def mass(self) -> MassBounds:
        """The probability that any text of the language is written.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is").mass.upper < 0.5
        True
        """
        lower, slack = self._search.lower, self._search.slack
        return MassBounds(lower * (1 - slack), min(1.0, (lower + self.open) * (1 + slack)))

    @property
    def open(self) -> float:
        """The mass of the beginnings that were not looked into: at most so likely is everything that is not known.

        >>> oc.bounds(oc.generate.regex(model, "[0-9]+"), "Mira is ", positions=2).open > 0.5
        True
        """
        return self._search.open

    @property
    def width(self) -> float:
        """The mass's upper bound over its lower one, minus 1; inf where no text was found.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is", width=0.5).width < 0.5
        True
        """
        lower, upper = self.mass
        return upper / lower - 1 if lower else inf if upper else 0.0

    @property
    def proved(self) -> bool:
        """Whether the bounds are as narrow as was asked, also if the logits are off by the drift.

        >>> oc.bounds(oc.generate.regex(model, "[a-z ]+"), "Mira is ", positions=4).proved
        False
        """
        return self._search.reached(self.asked_width) and self.drift <= self.asked_width

    def lower(self, text: str) -> float:
        """At least so likely is a text; 0 if it was not found.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is")
        >>> round(law.lower(" blue"), 2), law.lower(" grey")
        (0.44, 0.0)
        """
        return self._search.of_text(_encoded(text)) * (1 - self._search.slack)

    def upper(self, text: str) -> float:
        """At most so likely is a text: what was found of it, and all that is open and may still become it.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is")
        >>> round(law.upper(" blue"), 2), law.upper(" grey")
        (0.44, 0.0)
        """
        value = _encoded(text)
        if not self._allows(text):
            return 0.0
        mass = fsum((self._search.of_text(value), self._search.open_for(value)))
        return min(1.0, mass * (1 + self._search.slack))

    def conditional(self, text: str) -> MassBounds:
        """The probability of a text, given that some text of the language is written.

        ValueError if the model writes none: its mass is 0.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is")
        >>> [round(bound, 2) for bound in law.conditional(" blue")]
        [0.97, 0.97]
        """
        mass, lower, upper = self.mass, self.lower(text), self.upper(text)
        if not mass.upper:
            raise ValueError("the model gives probability 0 to every text of the language: none is likely given others")
        others = max(0.0, mass.lower - self._search.of_text(_encoded(text)))
        return MassBounds(lower / mass.upper, min(1.0, upper / (upper + others)) if upper else 0.0)

    def top(self, k: int = 5) -> TopTexts:
        """The k likeliest texts that were found, or all if these are fewer, best first: `texts`, each with its bounds.

        `proved` says whether no other text is likelier than one of these, also if the logits are off by the drift.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red", " green"]), "The sky is")
        >>> [(each.text, round(each.lower, 2)) for each in law.top(2).texts], law.top(2).proved
        ([(' blue', 0.44), (' green', 0.07)], True)
        """
        if (k := whole_number(k, "k", "an int ≥ 1")) < 1:
            raise ValueError(f"k={k}: it must be an int ≥ 1")
        found = self._search.found_masses
        ranked = sorted(
            ((fsum(masses), value) for value, masses in found.items()), key=lambda pair: (-pair[0], pair[1])
        )
        texts = [value.decode(errors="replace") for _, value in ranked[:k]]
        others = self.open + (ranked[k][0] if len(ranked) > k else 0.0)
        error = self.drift + 2 * self._search.slack
        least = ranked[k - 1][0] if len(ranked) >= k else 0.0
        proved = not others or least * (1 - error) > others * (1 + error)
        return TopTexts(tuple(BoundedText(text, self.lower(text), self.upper(text)) for text in texts), proved)

    def html(self, k: int = 12) -> Picture:
        """The k likeliest texts as bars, each with the interval in which its probability lies, given the language; and
        what is open. A notebook shows it; `save` writes it to a file.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is").html()
        <Picture: ... characters of SVG; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.scores.drawn_bounds import drawn_bars

        return drawn_bars(repr(self), [(each.text, self.conditional(each.text)) for each in self.top(k).texts], self)

    def tree(self, share: float = 0.01) -> Picture:
        """The beginnings that were read as a tree: as wide as they are likely, and grey where they are open.

        share: beginnings with less of the whole are not drawn by themselves. A choice by sequence has no tree.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is").tree()
        <Picture: ... characters of SVG; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.scores.drawn_bounds import drawn_tree

        if not is_number(share) or not 0 < share <= 1:
            raise ValueError(f"share={shown(share)}: it must be a number in (0, 1]")
        return drawn_tree(repr(self), self._search, share)

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        count = len(self._search.found_masses)
        reached = self._search.reached(self.asked_width)
        short = f"; the width {self.asked_width:.2g} that was asked for is not reached" * (not reached)
        moved = f", which exceeds the width {self.asked_width:.2g}: the logits move" * (self.drift > self.asked_width)
        return (
            f"BoundedLaw({count} text{'s' * (count != 1)}; {'sampled ' * self.of_sampler}mass {self.mass.lower:.3g} "
            f"to {self.mass.upper:.3g}, width {100 * self.width:.2g}%; open {self.open:.2g}; "
            f"drift {self.drift:.1g}{moved}; "
            f"{self.positions} position{'s' * (self.positions != 1)}{short})"
        )


def _encoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"text={shown(text)}: it must be a str")
    return text.encode("utf-8", "surrogatepass")


# --- what is asked, and checked


@explained
def bounds(
    generator: Generator[Any, Any] | Step[Any],
    prompts: Prompts | SequenceState,
    width: float = 0.01,
    positions: int = 1000,
    seconds: float | None = None,
) -> Any:
    """Between which numbers the probability lies that a value of the generator follows a prompt, and that of each
    value: proved, by a search of the likeliest prefixes, and not estimated by samples.

    A prompt gives a `BoundedLaw` (`oc.scores`), a list of prompts a list of them. A state of one row gives one, every
    other state B × S nested lists, with None for dead rows. All prompts are read together.

    generator: or a step. Under a plain sampler the law is the model's own; under one with a temperature, top-k, top-p
    or min-p it is the law that this draws from, token by token. A choice by sequence has its own law, in which each
    option is spelled in one way.
    width: how much the mass that is open may be, of the mass of the texts that were found. positions: how many token
    positions are read for each prompt at most; seconds: how long it may take. Then the result is what was reached, and
    `proved` is False.

    Raises:
        TypeError: something else than a generator or a step; a chain, a controller, a predicate (where=), filters that
            are functions of the logits, and contexts beside rows are refused by name.
        ValueError: a width, positions or seconds that are not above 0; a row that cannot be read.

    >>> age = oc.generate.regex(model, "[0-9]{1,2}")
    >>> law = oc.bounds(age, "Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    >>> law.conditional("34").lower > 0.9, law.proved
    (True, True)
    """
    generator, call = _asked(generator)
    for name, value in (("width", width), ("seconds", inf if seconds is None else seconds)):
        if value is not inf and (not is_number(value) or value <= 0):
            raise ValueError(f"{name}={shown(value)}: it must be a number > 0")
    if (positions := whole_number(positions, "positions", "an int ≥ 1")) < 1:
        raise ValueError(f"positions={positions}: it must be an int ≥ 1")
    state, failures = with_told_errors(started(generator.model, prompts))
    if failures:
        raise failures[0]
    call = replace(call, max_tokens=sys.maxsize if call.max_tokens is None else call.max_tokens)
    settings = replace(generator.settings(call), appends_runs=False)
    rows = {row.ids: row for group in state.rows for row in group if not row.dead}
    with told("bounding the law of {} after {:,} rows", generator, len(rows)):
        laws = _bounded(generator, settings, [*rows.values()], float(width), positions, seconds or inf)
    by_row = dict(zip(rows, laws, strict=True))
    nested = [[None if row.dead else by_row[row.ids] for row in group] for group in state.rows]
    if isinstance(prompts, SequenceState):
        return nested[0][0] if state.shape[:2] == (1, 1) else nested
    return nested[0][0] if is_one_prompt(prompts) else [law for [law] in nested]


def _asked(generator: Any) -> tuple[Generator[Any, Any], Call]:
    """The generator, and the options of its step."""
    if isinstance(generator, Chain):
        raise TypeError(f"bounds() of a chain, {shown(generator)}: it bounds one span; give it chain.steps[i]")
    if not isinstance(generator, (Generator, Step)):
        raise TypeError(f"bounds() takes a generator or a step, not {shown(generator)}: oc.Generator(model, type)")
    call = generator.filled(Call()) if isinstance(generator, Step) else Call()
    generator = generator.generator if isinstance(generator, Step) else generator
    constraint, sampler = generator.constraint, generator.sampler
    refused = None
    if constraint.controller is not None:
        refused = "a controller may fork rows and take tokens back, so that no law says how likely a text is"
    elif constraint.where is not None:
        refused = "a predicate (where=) is asked about texts one by one; bound the generator without it"
    elif not only_bans_texts(getattr(sampler, "logit_filters", ())):
        refused = f"the filters of {sampler!r} are functions of each row; take temperature, top_k, top_p or min_p"
    elif constraint.options and constraint.normalize != "sum":
        refused = f"normalize={constraint.normalize!r} makes shares that are no probabilities; see probabilities()"
    if refused:
        raise TypeError(f"bounds() of {generator!r}: {refused}")
    return generator, call


def _filters(settings: SpanSettings) -> Filters:
    return getattr(settings.sampler, "filters", None) or PLAIN


def _bounded(
    generator: Generator[Any, Any],
    settings: SpanSettings,
    rows: list[Row],
    width: float,
    positions: int,
    seconds: float,
) -> list[BoundedLaw]:
    """The laws after these rows."""
    model = generator.model
    for row in rows:
        if row.beside is not None or row.reads_graft:
            what = "contexts beside it (beside=)" if row.beside is not None else "a graft"
            raise TypeError(f"bounds() of a row that has {what}: it bounds the model's own law; take the plain row")
    begun = [Hypothesis.begin(settings, row)[0] for row in rows]
    searches = [_search(model, h) for h in begun]
    search_together(searches, width, positions, seconds)
    laws = []
    for h, search in zip(begun, searches, strict=True):
        drift = _drift_of_options(model, h) if search.masses is None else _drift(model, search)
        read_positions = len(h.scoring.prefixes.following) if h.scoring else 0
        counts = (read_positions, 1) if search.masses is None else (search.masses.positions, search.masses.passes)
        laws.append(BoundedLaw(width, drift, *counts, _filters(settings) != PLAIN, search, partial(_allows, h, search)))
        if search.masses is not None:
            search.masses.forget_keys()
    return laws


def _search(model: LanguageModel, h: Hypothesis) -> BestFirst:
    """The search of the texts that may follow where a span has begun."""
    settings, constraint = h.span.settings, h.span.settings.constraint
    texts = TextsOfNodes(
        settings.healed, settings.limits.stop_bytes, constraint.include_stop, frozenset(constraint.stop_tokens)
    )
    if constraint.options:
        listed = BestFirst(None, texts)
        for number, mass in _option_masses(model, h):
            listed.found_masses[constraint.options[number].encode()].append(mass)
        return listed
    filters, guide = _filters(settings), h.at.guide
    open_guide = constraint.unbanned and constraint.unbanned.guide_after(settings.healed)
    limits, row = settings.limits, h.span.row
    rules = MassRules(
        guide,
        open_guide,
        constraint.stops_at_eos(guide),
        limits.stop_bytes,
        limits.max_tokens or 0,
        len(settings.healed),
        limits.context_length or inf,
        not constraint.constrained,
        warp=None if filters == PLAIN else partial(_warped, filters),
    )
    claim = row.claim and row.claim.exact_part()
    root = MassNode((), b"", guide.initial, open_guide and open_guide.initial, claim=claim)
    return BestFirst(Masses(model, row.ids, rules, root), texts)


def _warped(filters: Filters, scores: torch.Tensor) -> torch.Tensor:
    return warp(scores, filters.temperature or 1.0, filters.top_k, filters.top_p, filters.min_p)


def _allows(h: Hypothesis, search: BestFirst, text: str) -> bool:
    """Whether a text may be of the language; True where only the search can tell."""
    constraint, guide = h.settings.constraint, h.at.guide
    if constraint.options:
        return text in constraint.options
    if not isinstance(guide, AutomatonGuide) or search.texts.stop_strings:
        return True
    try:
        ids = h.settings.encoder.encode_bytes(search.texts.healed + text.encode("utf-8", "surrogatepass"))
    except ValueError:  # the tokenizer does not spell it
        return True
    state = replay(guide, ids)
    return state is not None and guide.accepting(state)


# --- a choice by sequence: its options are scored at once


def _option_masses(model: LanguageModel, h: Hypothesis) -> list[tuple[int, float]]:
    """The number of each option, and its mass."""
    scoring, settings = h.scoring, h.settings
    if scoring is None:
        return [(settings.constraint.options.index(""), 1.0)] if h.finished == "stop" else []
    shares, scores = scored_options(scoring, settings.constraint, read(model, scoring.needs)[0], h.logprobs)
    if _filters(settings) != PLAIN:
        scaled = _warped(_filters(settings), torch.tensor([shares], dtype=torch.float64))
        return list(zip(scoring.numbers, torch.softmax(scaled, -1)[0].tolist(), strict=True))
    return [(n, exp(fsum(each) + stop)) for n, (each, stop) in zip(scoring.numbers, scores, strict=True)]


def _drift_of_options(model: LanguageModel, h: Hypothesis) -> float:
    before = [mass for _, mass in _option_masses(model, h)]
    with _fresh(model):
        after = [mass for _, mass in _option_masses(model, h)]
    return fsum(abs(a - b) for a, b in zip(before, after, strict=True)) / (fsum(before) or 1.0)


# --- drift


def _fresh(model: Any) -> AbstractContextManager[Any]:
    """In it a model reads everything from the beginning."""
    return getattr(getattr(model, "language_model", model), "fresh", nullcontext)()


def _drift(model: LanguageModel, search: BestFirst) -> float:
    """By how much the masses of what follows each prefix of the likeliest text change, relatively, when they are read
    again: in one row, alone, from the beginning."""
    masses, (_, node) = search.masses, search.likeliest
    assert masses is not None
    if node is None:  # no text was found: the likeliest prefix that is open
        node = search.heap[0][2] if search.heap else None
    path: list[MassNode] = []
    while node is not None:
        path += [node] * (node in search.tails)
        node = node.parent
    if not path:
        return 0.0
    begin = len(masses.ids) - 1
    need = Need((*masses.ids, *path[0].ids), tuple(range(begin, begin + len(path))))
    with _fresh(model):
        logits, _ = read(model, [need])
    return fsum(_moved(masses, each, line) for each, line in zip(reversed(path), logits, strict=True))


def _moved(masses: Masses, node: MassNode, logits: torch.Tensor) -> float:
    """The difference of two readings of a node, over the probability of all that was looked into after it."""
    again = MassNode(node.ids, node.text, node.state, node.open_state)
    masses.list_next(again, logits)
    shares = dict(zip(again.tokens.tolist(), again.shares.tolist(), strict=True))
    places = [*node.children]
    tokens, before = node.tokens[places].tolist(), node.shares[places].tolist()
    pairs = [(node.stop, again.stop), *((p, shares.get(token, p)) for token, p in zip(tokens, before, strict=True))]
    return fsum(abs(a - b) for a, b in pairs) / (fsum(a for a, _ in pairs) or 1.0)
