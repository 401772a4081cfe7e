"""Drafts from a second model of equal vocabulary, which writes on under the same constraint, by the same sampler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from outlines_cont.decode.failed_rows import lawful
from outlines_cont.decode.logits import law_of
from outlines_cont.decode.samplers.row_by_row import RowByRow
from outlines_cont.drafts.protocol import Ahead
from outlines_cont.engines.protocol import LanguageModel, read
from outlines_cont.errors import DraftError
from outlines_cont.kernels.laws import Candidates, Scratch
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim

if TYPE_CHECKING:
    from outlines_cont.drafts.protocol import DraftRow


# --- what a row would go on with if another model's logits were its own: under its constraint, by its sampler, with its
# random numbers. A draft that draws like this draws what the row draws wherever the two models agree well enough.


def likely(points: Sequence[Ahead], logits: Tensor, rows: Sequence[DraftRow], width: int) -> list[list[int]]:
    """For each point the token that its row would draw there, and then the likeliest others, `width` at most.

    logits: `[points, V]`; rows: that of each point. None where the row would stop, or where nothing can be drawn:
    where a predicate refuses all, or a filter raises.
    """

    def law(places: list[int]) -> Candidates:
        return law_of([points[place].h for place in places], logits[places], Scratch(), True, {})

    candidates, errors = lawful(len(points), law)
    choices: list[list[int]] = [[] for _ in points]
    places = [place for place in range(len(points)) if place not in errors]
    if candidates is None:
        return choices
    others = candidates.best(width) if width > 1 else [[] for _ in places]
    for i, place in enumerate(places):
        try:
            first = _drawn(points[place], candidates.row(i), rows[place])
        except Exception:  # of a filter or a predicate, or it refuses all: if the row gets there, its step raises it
            continue
        tokens = dict.fromkeys([first, *(token for token, _, proposal in others[i] if proposal > float("-inf"))])
        choices[place] = [token for token in tokens if token != candidates.stop][:width]
    return choices


def _drawn(point: Ahead, law: Candidates, row: DraftRow) -> int:
    """What a row would draw from the law at a point; the likeliest candidate, if its sampler compares rows."""
    if not isinstance(row.sampler, RowByRow):
        return law.greedy()[0][0]
    return row.sampler.draw_by(point.h, law, point.h.at.followed.filters, row.seed)[1][0]


# --- draft model

Ids = tuple[int, ...]
ABSENT = 16  # passes after which the keys and values of a row that was not asked about are let go


@dataclass(frozen=True, eq=False)
class SmallModel:
    """Proposes what a second model would write; see `model`."""

    model: LanguageModel
    k: int
    width: int

    def begin(self, model: LanguageModel) -> ModelDraft:
        """The draft of one generation of a model. ValueError: the vocabularies are not equal."""
        if self.model.vocabulary != model.vocabulary:
            raise ValueError(unequal(self.model, model))
        return ModelDraft(self.model, self.k, self.width)

    def __repr__(self) -> str:
        return f"model({self.model!r}, k={self.k}, width={self.width})"


def unequal(small: LanguageModel, model: LanguageModel) -> str:
    """What to say of a draft model whose vocabulary is another one: the first thing that differs."""
    mine, other = small.vocabulary, model.vocabulary
    if len(mine) != len(other):
        reason = f"it has {len(mine):,} tokens, and the model that it drafts for has {len(other):,}"
    elif mine.eos != other.eos:
        reason = f"its texts end with {mine.eos}, and those of the model that it drafts for with {other.eos}"
    else:
        at = next((i for i, pair in enumerate(zip(mine.tokens, other.tokens, strict=True)) if len({*pair}) > 1), None)
        if at is None:
            reason = f"other tokens are special: {sorted(mine.special ^ other.special)[:5]}"
        else:
            reason = f"token {at} is {mine.tokens[at]!r}, and {other.tokens[at]!r} for the model that it drafts for"
    return f"drafts.model({small!r}): its vocabulary is another one; {reason}. A draft model needs an equal vocabulary"


class ReadRow:
    """What the small model has read of a row: its tokens, a claim on them, and claims on what was proposed after them.

    `absent`: how many passes ago it was asked about.
    """

    __slots__ = ("absent", "claim", "ids", "proposed")

    def __init__(self, ids: Ids, claim: Claim | None):
        self.ids, self.claim = ids, claim
        self.proposed: list[Claim | None] = []
        self.absent = 0


@dataclass(slots=True)
class GrowingDraft:
    """A continuation in the making, of one of the rows that were asked about.

    claim: of the small model, on what it has read of the row and the continuation.
    """

    row: DraftRow
    place: int
    ahead: Ahead
    claim: Claim | None

    @property
    def length(self) -> int:
        return len(self.row) + len(self.ahead.ids)


class ModelDraft:
    """What `SmallModel` proposes in one generation, and the claims on what the small model has read of its rows."""

    def __init__(self, model: LanguageModel, k: int, width: int):
        self.small, self.k, self.width = model, k, width
        self._rows: dict[Ids, ReadRow] = {}

    def propose(self, rows: Sequence[DraftRow]) -> list[list[Ids]]:
        """For each row what the small model goes on with: `width` continuations where it has so many.

        Each further token takes one pass of the small model, for all rows together. DraftError: it raised, or gave
        something else than a line of numbers for each need, as long as the vocabulary.
        """
        growing = [GrowingDraft(row, place, row.ahead, self._claim(row)) for place, row in enumerate(rows)]
        ended: list[GrowingDraft] = []
        for drafted in range(self.k):
            ended += [each for each in growing if not self._goes_on(each, drafted)]
            growing = [each for each in growing if self._goes_on(each, drafted)]
            if not growing:
                break
            growing = self._longer(growing, drafted, ended)
        proposals: list[list[Ids]] = [[] for _ in rows]
        for each in [*growing, *ended]:
            if each.ahead.ids:
                proposals[each.place].append(each.ahead.ids)
                self._rows[each.row.key].proposed.append(each.claim)
        self._let_go(rows)
        return proposals

    def _longer(self, growing: Sequence[GrowingDraft], drafted: int, ended: list[GrowingDraft]) -> list[GrowingDraft]:
        """One token further: of the first several. Those that do not go on are appended to the ended ones."""
        claims, choices = self._read(growing, 1 if drafted else self.width)
        longer: list[GrowingDraft] = []
        for each, claim, tokens in zip(growing, claims, choices, strict=True):
            if not drafted:
                self._rows[each.row.key] = ReadRow(each.row.ids, claim)
            aheads = [ahead for token in tokens if (ahead := each.ahead.after(token)) is not None]
            longer += [GrowingDraft(each.row, each.place, ahead, claim) for ahead in aheads]
            if not aheads:
                ended.append(each)
        return longer

    def _goes_on(self, each: GrowingDraft, drafted: int) -> bool:
        """Whether the small model is asked what comes after a continuation of so many draws."""
        most = self.small.context_length
        return not each.ahead.over and drafted < each.row.budget and (most is None or each.length <= most)

    def _read(self, growing: Sequence[GrowingDraft], width: int) -> tuple[list[Claim | None], list[list[int]]]:
        """One pass of the small model: for each continuation a claim on it, and the tokens to go on with."""
        needs = [Need(each.ahead.ids, (each.length - 1,), each.claim, each.row.ids) for each in growing]
        try:
            logits, claims = read(self.small, needs)
        except Exception as error:
            raise DraftError(f"the draft model {self.small!r} failed: {type(error).__name__}: {error}") from error
        if logits.isnan().any():
            raise DraftError(f"the draft model {self.small!r} gave logits that are NaN")
        return claims, likely([each.ahead for each in growing], logits, [each.row for each in growing], width)

    def _claim(self, row: DraftRow) -> Claim | None:
        """What the small model read of a row before, if the row still begins with it."""
        read = self._rows.get(row.key)
        return read.claim if read is not None and row.ids[: len(read.ids)] == read.ids else None

    def _let_go(self, rows: Sequence[DraftRow]) -> None:
        """Forget rows that have not been asked about for long: they have ended, or go on under another key."""
        asked = {row.key for row in rows}
        for key, row in list(self._rows.items()):
            row.absent = 0 if key in asked else row.absent + 1
            if row.absent > ABSENT:
                del self._rows[key]
