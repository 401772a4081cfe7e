"""The parts of a generator, checked: a model, a constraint on its vocabulary, and a sampler."""

from __future__ import annotations

from dataclasses import replace
from inspect import isroutine
from typing import Any

from outlines_cont.arguments import shown, word
from outlines_cont.decode import samplers
from outlines_cont.decode.samplers.filters.bad_words import banned_texts, only_bans_texts
from outlines_cont.decode.samplers.protocol import Sampler, missing_sampler_members
from outlines_cont.decode.where import checked_where
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.asked import Asked
from outlines_cont.generate.constraint_of import checked_model
from outlines_cont.state.constraint import Constraint, make_constraint

Parts = tuple[LanguageModel, Constraint, Sampler[Any], bool]  # and whether runs without a choice are appended


def parts_of(
    called: str, model: Any, asked: Asked, sampler: Any, stop: str, forced: str | None, where: Any = None
) -> Parts:
    """The parts of a generator that is asked for. called: who is given them, for errors.

    Raises:
        TypeError, ValueError: something that is none of these, or does not go together.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.
    """
    model, sampler = checked_model(model, called), _checked_sampler(sampler, called)
    if forced is not None:
        word(forced, "forced", ("canonical", "never"))
    normalize = asked.options.get("normalize", "sum")
    if isinstance(normalize, str) and normalize != "sum" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"normalize={normalize!r} with {sampler!r}, which ranks rows by their log-probabilities: use 'sum'"
        )
    if asked.options.get("by") == "sequence" and not only_bans_texts(sampler.logit_filters):
        raise ValueError(
            f"by='sequence' with {sampler!r}: whole options are drawn, and no token that a filter could see; take "
            "by='token'"
        )
    banned = banned_texts(sampler.logit_filters)
    if banned and asked.kind == "control" and sampler.ranks_by_logprobs:
        raise ValueError(
            f"control() with {sampler!r}: bad_words() is a constraint, which a controller's branches name themselves; "
            "ban the texts in their guides, allowed=outlines_cont.fsm.guide.without(guide, [...]), or draw, with "
            "multinomial()"
        )
    if asked.kind == "guide" and (vocabulary := asked.options["guide"].vocabulary) != model.vocabulary:
        raise ValueError(f"{called}: a guide over another vocabulary, {vocabulary!r}, than {model!r}")
    constraint = constraint_on(model.vocabulary, asked, stop)
    constraint.banning(banned).guide  # noqa: B018 (which says at once if nothing is left)
    if checked_where(where, called) is not None:
        _check_takes_where(sampler, where)
        constraint = replace(constraint, where=where)
    return model, constraint, sampler, sampler.forced if forced is None else forced == "canonical"


def _check_takes_where(sampler: Sampler[Any], where: Any) -> None:
    """ValueError if a predicate cannot be asked about what is drawn."""
    given = f"where={getattr(where, '__name__', None) or shown(where)}"
    if getattr(sampler, "honours_where", "nothing") == "nothing":
        raise ValueError(
            f"{given} with {sampler!r}: this sampler asks no predicates; take greedy(), multinomial(), smc() or "
            "beam_search()"
        )


def constraint_on(vocabulary: Vocabulary, asked: Asked, stop: str = "elsewhere") -> Constraint:
    """What is asked for, on a vocabulary.

    ConstraintError if nothing fits it, or if the vocabulary cannot spell it, or one of the options of a choice.
    """
    constraint = make_constraint(
        asked.kind, asked.argument, vocabulary, asked.parse, values=asked.values, stop=stop, **asked.options
    )
    if asked.kind == "choice" and len(vocabulary.single_bytes) < 256:
        for option in asked.argument:  # one that no tokens spell would never be taken
            guide.literal(option.encode(), vocabulary, f"the option {option!r}")
    return constraint


def _checked_sampler(sampler: Any, called: str) -> Sampler[Any]:
    sampler = samplers.multinomial() if sampler is None else sampler
    if isinstance(sampler, type) or isroutine(sampler):
        kind = "class" if isinstance(sampler, type) else "function"
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not the {kind} {sampler.__name__}: call it"
        )
    if isinstance(sampler, str):
        named = sampler if sampler in samplers.__all__ else "greedy"
        raise TypeError(f"{called} takes a sampler, not the name {shown(sampler)}: oc.samplers.{named}()")
    if lacking := missing_sampler_members(sampler):
        raise TypeError(
            f"{called} takes a sampler (oc.samplers.greedy(), …), not {shown(sampler)}, "
            f"which has no {', '.join(lacking)}"
        )
    return sampler
