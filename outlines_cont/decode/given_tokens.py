"""What logits say of tokens that were given, and of options that are compared: the answers of needs, as scores."""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor

from outlines_cont.decode.alternatives import with_alternatives_of_given
from outlines_cont.decode.answers import AnsweredNeed, need_of_row
from outlines_cont.decode.branching import Branching
from outlines_cont.decode.combining.context_answers import NO_CONTEXTS, ContextAnswers
from outlines_cont.decode.electing import option_scores
from outlines_cont.decode.failed_rows import failing
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.onward import scored
from outlines_cont.decode.option_scoring import OptionScores
from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.rescore import logprob_of

# What options score; and for each of their needs, as which pending row it was read, and a claim.
Election = tuple[OptionScores, list[tuple[int, Claim | None]]]


def election_of(h: Hypothesis, answers: Iterable[AnsweredNeed], logits: Tensor) -> Election | Need:
    """What the options score that this row waits for, and maybe others; the need of the row, if it has to wait on.

    `answers`: of their needs.
    """
    each = list(answers)
    if each[0][1] < 0:
        return need_of_row(h, [need for need, _, _, _ in each])
    return option_scores(h, logits[each[0][1] : each[-1][2]]), [(need.row, claim) for need, _, _, claim in each]


def given_scored(
    h: Hypothesis, logits: Tensor, line: int, branching: Branching, contexts: ContextAnswers
) -> tuple[Hypothesis, ...]:
    """A row with its tokens scored that were given; `line`: of the logits before the first of these."""
    ids = (*h.ids[len(h.ids) - h.unscored :], *(h.span.dropped if h.status.ending else ()))
    try:
        logprobs = [logprob_of(logits[line + at], token) for at, token in enumerate(ids)]
        if h.settings.alternatives and h.unscored:
            h = with_alternatives_of_given(h, logits[line : line + h.unscored])
        if contexts is NO_CONTEXTS:
            return scored(h, logprobs, branching)
        return scored(h, logprobs, branching, contexts.proposals(h, logits, line, ids, logprobs))
    except Exception as error:
        return failing(h, error)
