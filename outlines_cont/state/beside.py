"""What stands beside a row: other contexts of its last tokens, whose laws are combined with its own at each token.

A row and its contexts share the row's tokens from `start` on. So the tokens of a context are not kept: they are its
`ids`, and then those of the row. Whatever shortens or lengthens the row does the same to all its contexts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import warn
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBoundValue


@dataclass(frozen=True, slots=True, eq=False)
class OtherContext(ProcessBoundValue):
    """Other tokens before the tokens that a row shares.

    Attributes:
        ids: the tokens before the shared ones; at least one.
        weight: what its log-probabilities are multiplied by.
        model: what reads it; None for the row's own model.
        claim: on the keys and values of its first tokens in the KV tree of its model.
        given: the row that a call was given for it, until something was read of it: it keeps what was computed, too.
    """

    _instead = "state.save(path) writes the contexts of a state"

    ids: tuple[int, ...]
    weight: float
    model: LanguageModel | None = None
    claim: Claim | None = None
    given: Any = field(default=None, repr=False)


class Claims(NamedTuple):
    """What is held of a row with contexts beside it, in place of the claim of a row that has none.

    Attributes:
        main: the claim on the keys and values of its beginning.
        others: those of its contexts.
        longer: by how many tokens each context is longer than the row.
    """

    main: Claim | None
    others: tuple[Claim | None, ...]
    longer: tuple[int, ...]

    def crop(self, length: int) -> Claims:
        """Of a row that keeps only so many tokens."""
        pairs = zip(self.others, self.longer, strict=True)
        others = tuple(claim and claim.crop(length + more) for claim, more in pairs)
        return Claims(self.main and self.main.crop(length), others, self.longer)


@dataclass(frozen=True, slots=True, eq=False)
class Combination(ProcessBoundValue):
    """The contexts of a row, and how their laws are combined: ∝ exp(main_weight · main + Σ weight · other).

    Attributes:
        start: the position in the row at which the shared tokens begin.
        contexts: the others, in order.
        main_weight: that of the row's own law.
        product: whether the product over whole texts is the target, and what each step's law sums to is weighed; else
            each token's law is normalized.
        given: the row as it was without contexts, as of `OtherContext`.
    """

    _instead = "state.save(path) writes the contexts of a state"

    start: int
    contexts: tuple[OtherContext, ...]
    main_weight: float = 1.0
    product: bool = False
    given: Any = field(default=None, repr=False)

    @property
    def only_falls(self) -> bool:
        """Whether the combined log-probability of a row never grows with a token."""
        return not self.product or (self.main_weight >= 0 and all(each.weight >= 0 for each in self.contexts))

    def cropped(self, length: int) -> Combination:
        """Of a row that keeps only so many tokens, which are no fewer than `start`."""
        return self.claiming(self.claims().crop(length).others)

    @property
    def longer(self) -> tuple[int, ...]:
        """By how many tokens each context is longer than the row."""
        return tuple(len(each.ids) - self.start for each in self.contexts)

    def claims(self, main: Claim | None = None) -> Claims:
        """All that is held of the row and its contexts. main: of the row itself."""
        return Claims(main, tuple(each.claim for each in self.contexts), self.longer)

    def tokens(self, context: OtherContext, ids: tuple[int, ...]) -> tuple[int, ...]:
        """All tokens of a context of a row of these ids."""
        return context.ids + ids[self.start :]

    def claiming(self, claims: Sequence[Claim | None]) -> Combination:
        """The combination with other claims, one for each context."""
        pairs = list(zip(self.contexts, claims, strict=True))
        if self.given is None and all(each.claim is claim and each.given is None for each, claim in pairs):
            return self
        contexts = tuple(replace(each, claim=claim, given=None) for each, claim in pairs)
        return replace(self, contexts=contexts, given=None)

    def given_rows(self) -> Iterator[tuple[LanguageModel | None, Any]]:
        """The rows that a call was given, with their models: the row itself, and those of its contexts."""
        each_given = [(None, self.given), *((each.model, each.given) for each in self.contexts)]
        return ((model, row) for model, row in each_given if row is not None)

    def without_claims(self) -> Combination:
        """The combination with no claim on keys and values."""
        return self.claiming([None] * len(self.contexts))

    def context_length(self, main: int | None) -> int | None:
        """How long the row may become: the models have to read it and all contexts. main: what its own model can."""
        models = [main if each.model is None else each.model.context_length for each in self.contexts]
        rooms = (size - more for size, more in zip(models, self.longer, strict=True) if size is not None)
        return min([*rooms, *([] if main is None else [main])], default=None)

    @property
    def kind(self) -> tuple[object, ...]:
        """Equal for rows whose laws are combined in the same way, from other contexts."""
        contexts = ((each.weight, None if each.model is None else id(each.model)) for each in self.contexts)
        return self.main_weight, self.product, *contexts

    def facts(self) -> tuple[object, ...]:
        """What two equal ones share."""
        names = (None if each.model is None else each.model.identity for each in self.contexts)
        contexts = ((each.ids, each.weight, name) for each, name in zip(self.contexts, names, strict=True))
        return self.start, self.main_weight, self.product, *contexts


# --- the contexts of a grid of rows, and where they are lost

Rows = Sequence[Sequence[Any]]  # a grid of `Row`s


def kinds(combinations: Iterable[Combination | None]) -> set[tuple[object, ...]]:
    """In how many ways the laws of rows are combined, of those that have something beside them."""
    return {each.kind for each in combinations if each is not None}


def beside_of(model: LanguageModel, rows: Rows) -> Iterator[tuple[LanguageModel | None, float, list[list[Any]]]]:
    """Each context of a grid of rows: its model (None: `model`), its weight, and its rows, dead where there is none."""
    live = [row for group in rows for row in group if not row.dead]
    if len(kinds(row.beside for row in live)) > 1:
        raise ValueError("the laws of these rows are combined in different ways: look at some of them, state[i, j]")
    first = next((row.beside for row in live if row.beside), None)
    for place, context in enumerate(first.contexts if first else ()):
        claimed = (context.model or model).claimed
        yield context.model, context.weight, [[row.context(place, claimed) for row in group] for group in rows]


def of_one_kind(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows; without what stands beside them, if that is not combined in the same way for all live ones."""
    if len(kinds(row.beside for group in rows for row in group)) < 2:
        return rows
    warn(
        "rows with contexts of other weights or models beside them (state.beside) became one state: it has none; give "
        "them anew in the next call, beside=[…]"
    )
    return [[row if row.beside is None else replace(row, beside=None) for row in group] for group in rows]


def warn_of_lost_contexts(left: Rows, right: Rows) -> None:
    """Say so if two grids of rows that are joined token by token have contexts, which are lost."""
    pairs = ((a, b) for groups in zip(left, right, strict=True) for a, b in zip(*groups, strict=True))
    if any((a.beside or b.beside) and len(b) for a, b in pairs):
        warn(
            "a join (state + state, oc.grafts.graft) drops the contexts beside the rows (state.beside): nobody knows "
            "what they would have there. Append a text, state + 'text', which goes to all of them; or give them anew "
            "in the next call, beside=[…]"
        )
