"""`bounds()`: between which numbers the probability of a language lies, and that of each of its texts."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import exp, fsum, inf
from typing import Any, NamedTuple

import torch

from outlines_cont.arguments import is_number, positive, shown
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
from outlines_cont.masses import forget
from outlines_cont.pictures.picture import Picture
from outlines_cont.processes import ProcessBoundValue
from outlines_cont.races import masses_of
from outlines_cont.scores.best_first import BestFirst, search_together
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
    """What `bounds` knows of the texts that a generator may write after a row. All spellings of a text count.

    Attributes:
        asked_width: the width that was asked for.
        drift: by how much, relatively, the masses of the likeliest text's tokens changed when they were read again, in
            a later pass: the bounds are about the logits that were read first.
        positions, passes: how many token positions were read for it, and in how many passes.
        of_sampler: whether the probabilities are those with which the sampler draws, for it has a temperature or
            filters. Else they are the model's own, of which what the constraint forbids keeps its share.

    >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red", " green"]), "The sky is")
    >>> law
    BoundedLaw(3 texts; mass 0.526 to 0.531, width 0.87%; open 0.0046; drift ...; 5 positions)
    >>> law.conditional(" blue").lower > 0.82, law.top(1).proved
    (True, True)
    """

    _instead = "send what you need of it: law.mass, law.top(k)"

    asked_width: float
    drift: float
    positions: int
    passes: int
    of_sampler: bool
    _search: BestFirst
    _begun: Hypothesis

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

        >>> oc.bounds(oc.generate.regex(model, "[0-9]+"), "Mira is ", positions=1).open > 0.5
        True
        """
        return self._search.open

    @property
    def width(self) -> float:
        """The upper bound of the mass over its lower one, minus 1; inf where no text was found.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is", width=0.5).width < 0.5
        True
        """
        lower, upper = self.mass
        return upper / lower - 1 if lower else inf if upper else 0.0

    @property
    def proved(self) -> bool:
        """Whether the bounds are as narrow as was asked, and the logits moved by no more than that.

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
        return self._mass_of(text) * (1 - self._search.slack)

    def upper(self, text: str) -> float:
        """At most so likely is a text: what was found of it, and all that is open and may still become it.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is")
        >>> round(law.upper(" blue"), 2), law.upper(" grey")
        (0.44, 0.0)
        """
        opened = self._search.open_for(_encoded(text)) if self._may_be(text) else ()
        return min(1.0, fsum((self._mass_of(text), *opened)) * (1 + self._search.slack))

    def conditional(self, text: str) -> MassBounds:
        """The probability of a text, given that some text of the language is written.

        ValueError if the model writes none: the mass is 0.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is", width=1e-4)
        >>> [round(bound, 2) for bound in law.conditional(" blue")]
        [0.97, 0.97]
        """
        mass, lower, upper = self.mass, self.lower(text), self.upper(text)
        if not mass.upper:
            raise ValueError("the model gives probability 0 to every text of the language: none is likely given others")
        others = max(0.0, mass.lower - self._mass_of(text))
        return MassBounds(lower / mass.upper, min(1.0, upper / (upper + others)) if upper else 0.0)

    def top(self, k: int = 5) -> TopTexts:
        """The k likeliest texts that were found, or all if these are fewer, best first: `texts`, each with its bounds.
        `proved`: no other text is likelier than one of these, also if the logits are off by the drift.

        >>> law = oc.bounds(oc.generate.choice(model, [" blue", " red", " green"]), "The sky is")
        >>> [(each.text, round(each.lower, 2)) for each in law.top(2).texts], law.top(2).proved
        ([(' blue', 0.44), (' green', 0.07)], True)
        """
        k = positive(k, "k")
        sums = ((fsum(masses), value) for value, masses in self._search.found_masses.items())
        ranked = sorted(sums, key=lambda pair: (-pair[0], pair[1]))
        texts = [value.decode(errors="replace") for _, value in ranked[:k]]
        others = self.open + (ranked[k][0] if len(ranked) > k else 0.0)
        error, least = self.drift + 2 * self._search.slack, ranked[k - 1][0] if len(ranked) >= k else 0.0
        proved = not others or least * (1 - error) > others * (1 + error)
        return TopTexts(tuple(BoundedText(text, self.lower(text), self.upper(text)) for text in texts), proved)

    def html(self, k: int = 12) -> Picture:
        """The k likeliest texts as bars, each with the interval of its probability, given the language; and what is
        open. A notebook shows it; `save` writes it to a file.

        >>> oc.bounds(oc.generate.choice(model, [" blue", " red"]), "The sky is").html()
        <Picture: ... characters of SVG; a notebook shows it, picture.save(path) writes it>
        """
        from outlines_cont.scores.drawn_bounds import drawn_bars

        shares = {each.text: self.conditional(each.text) for each in self.top(k).texts}
        return drawn_bars(repr(self), shares, self.open / (self.mass.upper or 1.0))

    def tree(self, share: float = 0.01) -> Picture:
        """The beginnings that were read as a tree: as wide as they are likely, and grey where they are open.

        share: beginnings with less of the whole are not drawn. TypeError for a choice by sequence: it has no tree.

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
        count, asked, (lower, upper) = len(self._search.found_masses), f"{self.asked_width:.2g}", self.mass
        moved = f", which exceeds the width {asked}: the logits move" * (self.drift > self.asked_width)
        short = f"; the width {asked} that was asked for is not reached" * (not self._search.reached(self.asked_width))
        return (
            f"BoundedLaw({count} text{'s' * (count != 1)}; {'sampled ' * self.of_sampler}mass {lower:.3g} to "
            f"{upper:.3g}, width {100 * self.width:.2g}%; open {self.open:.2g}; drift {self.drift:.1g}{moved}; "
            f"{self.positions} position{'s' * (self.positions != 1)}{short})"
        )

    def _mass_of(self, text: str) -> float:
        return fsum(self._search.found_masses.get(_encoded(text), ()))

    def _may_be(self, text: str) -> bool:
        """Whether a text is of the language; True where only the search can tell."""
        guide, search = self._begun.at.guide, self._search
        if search.masses is None or not isinstance(guide, AutomatonGuide) or search.stop_strings:
            return True
        try:
            state = replay(guide, self._begun.settings.encoder.encode_bytes(search.healed + _encoded(text)))
        except ValueError:  # the tokenizer does not spell it
            return True
        return state is not None and guide.accepting(state)


def _encoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"text={shown(text)}: it must be a str")
    return text.encode("utf-8", "surrogatepass")


# --- what is asked


@explained
def bounds(
    generator: Generator[Any, Any] | Step,
    prompts: Prompts | SequenceState,
    width: float = 0.01,
    positions: int = 4096,
    seconds: float | None = None,
) -> Any:
    """Between which numbers the probability lies that a value of the generator follows a prompt, and that of each
    value: proved, by a search of the likeliest prefixes, and not estimated by samples.

    A prompt gives a `BoundedLaw` (`oc.scores`), a list of prompts a list of them. A state of one row gives one, every
    other state B × S nested lists, with None for dead rows. All prompts are read together.

    generator: or a step. Under a plain sampler the law is the model's own; under one with a temperature, top-k, top-p
    or min-p it is the law that this draws from, token by token. A choice by sequence has one spelling of each option.
    width: how much may stay open, relative to the mass of the texts that were found. positions: how many token
    positions are read for each prompt at most; seconds: how long it may take, None for any time. Then the result is
    what was reached, and `proved` is False.

    Raises:
        TypeError: something else than a generator or a step. Chains, controllers, predicates (where=), filters that are
            functions of the logits, contexts beside a row and grafts are refused by name.
        ValueError: a width, positions or seconds that are not above 0; a row that cannot be read.

    >>> age = oc.generate.regex(model, "[0-9]{1,2}")
    >>> law = oc.bounds(age, "Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
    >>> law.conditional("34").lower > 0.9, law.proved
    (True, True)
    """
    _check_limits(width, positions, seconds)
    generator, call = _checked(generator)
    state, failures = with_told_errors(started(generator.model, prompts))
    if failures:
        raise failures[0]
    settings = replace(generator.settings(call), appends_runs=False)
    rows = {row.ids: row for group in state.rows for row in group if not row.dead}
    with told("bounding {} after {:,} rows", generator, len(rows)):
        begun = [_begun(settings, row) for row in rows.values()]
        searches = [_search(generator.model, h) for h in begun]
        search_together(searches, float(width), operator.index(positions), seconds or inf)
        laws = [_law(generator.model, h, each, width) for h, each in zip(begun, searches, strict=True)]
    by_row = dict(zip(rows, laws, strict=True))
    nested = [[by_row.get(row.ids) for row in group] for group in state.rows]
    if isinstance(prompts, SequenceState):
        return nested[0][0] if state.shape[:2] == (1, 1) else nested
    return nested[0][0] if is_one_prompt(prompts) else [law for [law] in nested]


def _check_limits(width: Any, positions: Any, seconds: Any) -> None:
    for name, value in [("width", width)] + [("seconds", seconds)] * (seconds is not None):
        if not is_number(value) or value <= 0:
            raise ValueError(f"{name}={shown(value)}: it must be a number > 0")
    positive(positions, "positions")


def _begun(settings: SpanSettings, row: Row) -> Hypothesis:
    if row.beside is not None or row.reads_graft:
        raise TypeError("bounds() of a row with contexts beside it (beside=), or on a graft: it bounds the plain law")
    return Hypothesis.begin(settings, row)[0]


def _checked(generator: Any) -> tuple[Generator[Any, Any], Call]:
    """The generator, and the options of its step."""
    if isinstance(generator, Chain) or not isinstance(generator, (Generator, Step)):
        advice = "one of its steps, chain.steps[i]" if isinstance(generator, Chain) else "oc.Generator(model, type)"
        raise TypeError(f"bounds() takes a generator or a step, not {shown(generator)}: give it {advice}")
    call = generator.filled(Call()) if isinstance(generator, Step) else Call()
    call = replace(call, max_tokens=sys.maxsize if call.max_tokens is None else call.max_tokens)
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


def _filters(h: Hypothesis) -> Filters | None:
    """What changes the law of its draws, if anything does."""
    filters = getattr(h.settings.sampler, "filters", None)
    return None if filters in (None, PLAIN) else filters


def _search(model: LanguageModel, h: Hypothesis) -> BestFirst:
    """The search of the texts that may follow where a span has begun; of a choice by sequence, with its end."""
    settings, constraint = h.settings, h.settings.constraint
    if constraint.options:
        listed = BestFirst()
        for option, mass in _option_masses(model, h):
            listed.found_masses[option.encode()].append(mass)
        return listed
    filters = _filters(h)
    if settings.sampler.draws_texts:  # by a temperature of the model, and not of each draw
        masses = masses_of(model, h, (filters or PLAIN).temperature or 1.0)
    else:
        masses = masses_of(model, h, warp=filters and partial(_warped, filters))
    masses.root.claim = h.span.row.claim and h.span.row.claim.exact_part()
    return BestFirst(masses, settings.healed, constraint.include_stop, frozenset(constraint.stop_tokens))


def _warped(filters: Filters, scores: torch.Tensor) -> torch.Tensor:
    return warp(scores, filters.temperature or 1.0, filters.top_k, filters.top_p, filters.min_p)


def _option_masses(model: LanguageModel, h: Hypothesis) -> Iterator[tuple[str, float]]:
    """The options of a choice by sequence, each with its mass."""
    scoring, constraint = h.scoring, h.settings.constraint
    if scoring is None:
        yield from [("", 1.0)] * (h.finished == "stop")  # the only option that there is
        return
    shares, scores = scored_options(scoring, constraint, read(model, scoring.needs)[0], h.logprobs)
    masses = [exp(fsum(each) + stop) for each, stop in scores]
    if filters := _filters(h):
        masses = torch.softmax(_warped(filters, torch.tensor([shares], dtype=torch.float64)), -1)[0].tolist()
    yield from zip([constraint.options[n] for n in scoring.numbers], masses, strict=True)


# --- what was reached, and its drift


def _law(model: LanguageModel, h: Hypothesis, search: BestFirst, width: float) -> BoundedLaw:
    masses, of_sampler = search.masses, _filters(h) is not None
    if masses is not None:
        masses.forget_keys()
        return BoundedLaw(width, search.drift, masses.positions, masses.passes, of_sampler, search, h)
    needs = h.scoring.needs if h.scoring else ()
    for need in needs:
        for claim in need.computed:
            forget(model, claim, need.wanted)
    again = {option.encode(): mass for option, mass in _option_masses(model, h)}
    moved = fsum(abs(mass - again[value]) for value, [mass] in search.found_masses.items())
    positions = sum(len(need.wanted) for need in needs)
    return BoundedLaw(width, moved / (search.lower or 1.0), positions, bool(needs), of_sampler, search, h)
