"""Samplers, as users make them: who goes on with which candidate. Pure functions of laws and hypotheses.

`protocol.py` says what the decoding loop asks of a sampler.

>>> two = oc.generate.regex(model, "[A-Z][a-z]+", oc.samplers.multinomial(samples=2, top_k=20))
>>> two("Mira lives in ", seed=0)
['Femilby', 'Riga']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast, overload

from outlines_cont.arguments import MOST_SAMPLES, is_number, shown
from outlines_cont.decode.filters import Filters, check, is_count, is_sample_count
from outlines_cont.decode.samplers.beam_search import SPELLINGS, BeamSearch, Distinct
from outlines_cont.decode.samplers.config_sampler import from_config
from outlines_cont.decode.samplers.filters import LogitFilter, checked_filters
from outlines_cont.decode.samplers.filters.bad_words import BadWords, only_bans_texts
from outlines_cont.decode.samplers.protocol import HypothesisGroups, Many, One, Sampler, SamplerDefaults
from outlines_cont.decode.samplers.row_by_row import Greedy, Multinomial, RowByRow
from outlines_cont.decode.samplers.smc import Every, Particles, checked_every
from outlines_cont.explained import explained
from outlines_cont.hints import NAMES, hint
from outlines_cont.state.row import STEEPEST_PENALTY

if TYPE_CHECKING:
    from outlines_cont.races import Exact

__all__ = [
    "BeamSearch",
    "Greedy",
    "HypothesisGroups",
    "Many",
    "Multinomial",
    "One",
    "Particles",
    "RowByRow",
    "Sampler",
    "SamplerDefaults",
    "beam_search",
    "exact",
    "from_config",
    "greedy",
    "multinomial",
    "smc",
]

SAMPLES = f"an int ≥ 1, and {MOST_SAMPLES:,} at most"


@explained
def greedy(filters: Sequence[LogitFilter] = ()) -> Greedy:
    """The likeliest candidate at every position. filters: functions that change the logits first; see `oc.filters`.

    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2)
    ' blue.'
    """
    return Greedy(checked_filters(filters))


@overload
def multinomial(
    samples: Literal[1] = 1,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    *,
    filters: Sequence[LogitFilter] = (),
) -> Multinomial[One]: ...


@overload
def multinomial(
    samples: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    *,
    filters: Sequence[LogitFilter] = (),
) -> Multinomial[Many]: ...


@explained
def multinomial(
    samples: int = 1,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    min_p: float | None = None,
    *,
    filters: Sequence[LogitFilter] = (),
) -> Multinomial[Any]:
    """Random draws from the constrained law after temperature, top-k, top-p and min-p, in transformers' order.

    With one sample a prompt gives a value; with several, a list of values.

    Candidates of equal probability are kept or dropped together. temperature: clipped to 1e-30 … 1e30. filters:
    functions that change the logits of each row first, in order; see `oc.filters`. `samples=k` widens a state of one
    sample to k. The stop is a candidate like any token. The random numbers of a row depend on the seed, its lineage and
    its position only.

    >>> three = oc.samplers.multinomial(samples=3, temperature=0.7, top_p=0.9)
    >>> oc.generate.regex(model, "[A-Z][a-z]+", three)("Mira lives in ", seed=0)
    ['Dafemby', 'Riga', 'Athens']
    """
    check("samples", samples, is_sample_count(samples), SAMPLES)
    check("temperature", temperature, temperature is not None, "a number > 0")
    warp = Filters.of(temperature, top_k, top_p, min_p)
    return Multinomial(int(samples), float(temperature), *warp[1:], checked_filters(filters))


@overload
def smc(
    particles: Literal[1],
    threshold: float = 0.5,
    temperature: float = 1.0,
    *,
    every: Every = "span",
    filters: Sequence[LogitFilter] = (),
) -> Particles[One]: ...


@overload
def smc(
    particles: int = 8,
    threshold: float = 0.5,
    temperature: float = 1.0,
    *,
    every: Every = "span",
    filters: Sequence[LogitFilter] = (),
) -> Particles[Many]: ...


@explained
def smc(
    particles: int = 8,
    threshold: float = 0.5,
    temperature: float = 1.0,
    *,
    every: Every = "span",
    filters: Sequence[LogitFilter] = (),
) -> Particles[Any]:
    """Sequential Monte Carlo: random draws as of `multinomial`, as particles that stand for the model's own law.

    Drawing token by token under a constraint does not follow the model's law given the constraint: it prefers
    beginnings that look likely, even if the constraint later forces unlikely tokens. Each sample's weight,
    `state.particles.log_importance`, corrects this. At the points that `every` sets, the particles of a batch row
    wait for each other. If the effective sample size is then below `threshold` · particles, all are resampled, also
    the finished ones. every: where these points are:

    - "span", the default: at the ends of spans. So a call of one generator never resamples, and a chain does after each
      link;
    - "word", "line", or a pattern of bytes (rb"[,}]"): also after each match in the span;
    - a number: after each so many tokens. Spellings of a text differ in length, so this compares unequal amounts of
      text; it measured worse than no resampling (docs/search.md);
    - None: never.

    Afterwards weigh the samples by exp(log_importance), or `particles.resample()`. As the number of particles grows,
    estimates converge to the model's law given the constraint. temperature: that of the draws. The weights correct
    for it, and for `filters` (see `oc.filters`), as far as these leave a candidate possible. Hooks may only look
    (`Watch`), and controllers are refused. Lew et al. 2023, "Sequential Monte Carlo Steering of Large Language
    Models" (arXiv:2306.03081); Park et al. 2024, "Grammar-Aligned Decoding" (arXiv:2405.21047), on the law that is
    missed.

    >>> city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.smc(4)), name="city")
    >>> state = city("Mira lives in ", seed=1)
    >>> state.captures["city"], state.particles.log_importance.round(decimals=1).tolist()
    ([[['Porto'], ['Lima'], ['Lima'], ['Porto']]], [[-18.7, -2.3, -2.3, -18.7]])
    """
    check("particles", particles, is_sample_count(particles), SAMPLES)
    check("threshold", threshold, is_number(threshold) and 0 <= threshold <= 1, "in [0, 1]")
    check("temperature", temperature, is_number(temperature) and temperature > 0, "a number > 0")
    return Particles(
        int(particles),
        float(temperature),
        logit_filters=checked_filters(filters),
        threshold=float(threshold),
        every=checked_every(every),
    )


@overload
def exact(
    samples: Literal[1] = 1, temperature: float = 1.0, *, positions: int = 4096, least: float = 0.0
) -> Exact[One]: ...


@overload
def exact(samples: int, temperature: float = 1.0, *, positions: int = 4096, least: float = 0.0) -> Exact[Many]: ...


@explained
def exact(samples: int = 1, temperature: float = 1.0, *, positions: int = 4096, least: float = 0.0) -> Exact[Any]:
    """Independent draws from the model's own law, given the constraint: as often as the model would write each text.

    `multinomial` draws token by token among those that are allowed, and so prefers beginnings that look likely. This
    draws whole texts. Their `particles.log_importance` is 0, and `particles.log_evidence` is a proved upper bound. What
    is learnt of a prompt is kept for all its samples, and for later calls with the same constraint.

    A text that does not end within `max_tokens` is none of the constraint. In a chain each link is drawn exactly, given
    the links before. temperature: that of the model, before the constraint.

    positions: how many prefixes a sample may ask the model about; least: `TooUnlikely` is raised as soon as the
    constraint is proved to have no larger probability than that; `error.bound` is what was proved.

    >>> city = oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.exact(4))
    >>> state = oc.continuous(city, name="city")("Mira lives in ", seed=0)
    >>> state.captures["city"], state.particles.log_importance.tolist()
    ([[['Porto'], ['Lima'], ['Lima'], ['Lima']]], [[0.0, 0.0, 0.0, 0.0]])
    """
    from outlines_cont.races import Exact

    check("samples", samples, is_sample_count(samples), SAMPLES)
    check("temperature", temperature, is_number(temperature) and temperature > 0, "a number > 0")
    check("positions", positions, is_count(positions), "an int ≥ 1")
    check("least", least, is_number(least) and 0 <= least < 1, "in [0, 1)")
    return Exact(int(samples), float(temperature), positions=int(positions), least=float(least))


@overload
def beam_search(
    beams: Literal[1],
    length_penalty: float = 0.0,
    distinct: Distinct = "text",
    spellings: int | None = SPELLINGS,
    *,
    filters: Sequence[BadWords] = (),
) -> BeamSearch[One]: ...


@overload
def beam_search(
    beams: int = 4,
    length_penalty: float = 0.0,
    distinct: Distinct = "text",
    spellings: int | None = SPELLINGS,
    *,
    filters: Sequence[BadWords] = (),
) -> BeamSearch[Many]: ...


@explained
def beam_search(
    beams: int = 4,
    length_penalty: float = 0.0,
    distinct: Distinct = "text",
    spellings: int | None = SPELLINGS,
    *,
    filters: Sequence[BadWords] = (),
) -> BeamSearch[Any]:
    """The `beams` texts of largest Σ of the model's own log-probabilities and stops / length ^ length_penalty.

    The log-probabilities are not renormalised by the constraint; the length counts the row's generated tokens. Finished
    hypotheses keep their score and stay in the pool. The search ends when no live hypothesis can beat the `beams` best
    finished ones. It starts from any number of samples up to `beams`, with their weights, so a chain of steps is one
    search. A state on the way (from `stream` or an interruption) holds all hypotheses, and `resume` continues the
    search.

    distinct: "text": the samples are different texts, each in its best spelling among those found. Two hypotheses are
    the
        same text if they begin after the same row and write the same bytes in the same spans, in any tokens.
        "tokens": the samples are the best token sequences, of which several may spell the same text.
    spellings: how many live hypotheses may be the same text; None: any number, which may grow with every token.
        A step has at most beams · spellings rows. The best spelling of a text may be lost on the way; more spellings
        make
        that less likely.

    filters: `oc.filters.bad_words` of strings, which is a constraint; beams rank by the model's own log-probabilities,
        and take no others.

    >>> city = oc.continuous(oc.generate.choice(model, ["Lisbon", "Lima", "Porto"], oc.samplers.beam_search(2)))
    >>> state = city("Mira lives in ")
    >>> [text[14:] for text in state], state.weights.round(decimals=2).tolist()
    (['Lisbon', 'Lima'], [[-3.99, -4.03]])
    """
    check("beams", beams, is_sample_count(beams), SAMPLES)
    fits = is_number(length_penalty) and abs(length_penalty) <= STEEPEST_PENALTY
    check("length_penalty", length_penalty, fits, f"a number from {-STEEPEST_PENALTY:.0f} to {STEEPEST_PENALTY:.0f}")
    check("distinct", distinct, isinstance(distinct, str) and distinct in ("text", "tokens"), "'text' or 'tokens'")
    check("spellings", spellings, spellings is None or is_sample_count(spellings), f"{SAMPLES}; or None for all")
    if distinct == "tokens":
        fits = spellings in (1, SPELLINGS)
        check("spellings", spellings, fits, "left out with distinct='tokens', where each hypothesis has one")
    if not only_bans_texts(banning := checked_filters(filters)):
        raise TypeError(
            f"beam_search(filters={shown(filters)}): beams rank by the model's own log-probabilities, and take no "
            "filters but oc.filters.bad_words of strings; use multinomial(filters=[…])"
        )
    most = None if spellings is None else int(spellings)
    return BeamSearch(int(beams), float(length_penalty), distinct, most, cast("tuple[BadWords, ...]", banning))


def __getattr__(name: str) -> NoReturn:
    """What people look for here out of habit."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint(NAMES, name)}")


def __dir__() -> list[str]:
    return sorted(__all__)
