"""Rows that draw from the same law, as copies of a prompt do until they have drawn different tokens."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import torch
from torch import Tensor

from outlines_cont.decode.combining.mixture import Mixture, combined_law
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.logits import PreparedMasks, law_of
from outlines_cont.kernels.constrain import Scratch
from outlines_cont.kernels.laws import Candidates, Law

WORTH = 2  # rows for each law: with fewer it takes as long to see that laws are the same as to make them


def law_of_rows(
    live: Sequence[Hypothesis],
    logits: Tensor,
    mixtures: Sequence[Mixture],
    scratch: Scratch,
    plain: bool,
    prepared: PreparedMasks,
) -> Candidates:
    """The law of what comes next in each of these rows: by its own logits `[live, V]`, or by the mixtures, if there are
    any. A law that many rows share is made once. `plain`: as a `Law`."""

    def law(rows: Sequence[Hypothesis], lines: Tensor, mixed: Sequence[Mixture]) -> Candidates:
        if mixed:
            return combined_law(rows, lines, mixed, scratch, prepared)
        return law_of(rows, lines, scratch, plain, prepared)

    firsts = first_of_same_law(live, logits, mixtures)
    if not firsts:
        return law(live, logits, mixtures)
    distinct = sorted(set(firsts))
    shared = law([live[row] for row in distinct], logits[distinct], [mixtures[row] for row in distinct if mixtures])
    at = {row: place for place, row in enumerate(distinct)}
    return shared.repeated([at[row] for row in firsts]) if isinstance(shared, Law) else law(live, logits, mixtures)


def first_of_same_law(live: Sequence[Hypothesis], logits: Tensor, mixtures: Sequence[Mixture]) -> list[int]:
    """For each row the place of the first one that draws from the same law; [] where it is not worth while.

    logits: of the rows, `[live, V]`. Whoever gives them may give different ones to rows of the same tokens, so they are
    compared, and those of contexts (mixtures; empty, if there are none) as well.
    """
    places: dict[Hashable, int] = {}
    firsts = [places.setdefault(_standing(h), place) for place, h in enumerate(live)]
    if WORTH * len(places) > len(live) or logits.device.type != "cpu":
        return []
    copies = [place for place, first in enumerate(firsts) if first != place]
    of_first = [firsts[place] for place in copies]
    if mixtures and any(_shape(mixtures[a]) != _shape(mixtures[b]) for a, b in zip(copies, of_first, strict=True)):
        return []
    pairs = {id(logits): (logits, list(copies), list(of_first))}  # of lines that have to be equal
    for row, first in zip(copies, of_first, strict=True) if mixtures else ():
        for part, other in zip(mixtures[row].parts, mixtures[first].parts, strict=True):
            _, lines, others = pairs.setdefault(id(part.logits), (part.logits, [], []))
            lines.append(part.line)
            others.append(other.line)
    return firsts if all(torch.equal(of_all[a], of_all[b]) for of_all, a, b in pairs.values()) else []


def _standing(h: Hypothesis) -> Hashable:
    span = h.span
    return id(span.settings), id(span.row.ids), id(span.row.beside), span.ids, id(span.at.guide), span.at.state


def _shape(mixture: Mixture) -> Hashable:
    """What decides a mixture, but for the lines of its logits."""
    return mixture.main_weight, mixture.normalize, [(part.weight, id(part.logits)) for part in mixture.parts]
