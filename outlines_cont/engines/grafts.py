"""Grafts of an engine with slots: what is computed for them, and what is taken over."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from outlines_cont.engines.slot_model import SlotModel, name_of, plain_arithmetic
from outlines_cont.kv.change_guard import Torn
from outlines_cont.kv.grafting import GraftPlan, KeyShift, graft_all
from outlines_cont.kv.need import Need, check_needs
from outlines_cont.kv.radix_tree import Claim


@dataclass(frozen=True, slots=True)
class RowGraft:
    """A row that goes on with tokens whose keys and values another row has.

    Attributes:
        ids: the whole row.
        claim: on the keys and values of its beginning, if there is one.
        computed: so many of its first tokens are read as they stand there; the others are taken over.
        source: the other row, up to the last token that is taken over.
        source_claim: on the keys and values of its beginning, if there is one.
    """

    ids: tuple[int, ...]
    claim: Claim | None
    computed: int
    source: tuple[int, ...]
    source_claim: Claim | None

    @property
    def taken(self) -> int:
        """How many tokens are taken over."""
        return len(self.ids) - self.computed


def graft_rows(model: Any, rows: Sequence[RowGraft]) -> list[Claim]:
    """A claim on the keys and values of all tokens of each row. One pass reads what the tree lacks, of the rows before
    their grafts and of the other rows.

    model: what a `Model` is made of. ValueError for one that cannot do it, with the reason; for rows longer than its
    context.
    """
    shift_keys = _key_shift(model)
    with model._lock, plain_arithmetic(model.device.type):
        check_needs([Need(row.ids) for row in rows], len(model.vocabulary), model.context_length)
        while True:
            heads = [Need(row.ids[: row.computed], (), row.claim) for row in rows]
            sources = [Need(row.source, (), row.source_claim) for row in rows if row.taken]
            _, claims = model.read([*heads, *sources])
            bases, held = claims[: len(heads)], iter(claims[len(heads) :])
            with suppress(Torn):
                return _claims(model, rows, bases, [next(held) if row.taken else None for row in rows], shift_keys)


def _claims(
    model: SlotModel,
    rows: Sequence[RowGraft],
    bases: Sequence[Claim | None],
    sources: Sequence[Claim | None],
    shift_keys: KeyShift,
) -> list[Claim]:
    """The claims on the rows, by those on their beginnings and on what they take over. Torn if the tree is gone."""
    plans: dict[int, GraftPlan] = {}
    for place, (row, base, source) in enumerate(zip(rows, bases, sources, strict=True)):
        if base is None or base.depth != row.computed or base.tree is not model.tree:
            raise Torn
        if row.taken:
            if source is None or source.tree is not model.tree:
                raise Torn
            plans[place] = GraftPlan(base, source, row.source, len(row.source) - row.taken)
    grafts = dict(zip(plans, graft_all(model.tree, list(plans.values()), shift_keys), strict=True)) if plans else {}
    model.stats.grafted += sum(rows[place].taken for place in plans)
    return [grafts.get(place) or base for place, base in enumerate(bases) if base is not None]


def _key_shift(model: Any) -> KeyShift:
    """What moves the keys of this model. ValueError for one whose keys cannot be moved, or are not kept now."""
    engine: Any = getattr(model, "engine", None)
    if not isinstance(model, SlotModel) or not hasattr(engine, "key_shift"):
        name = name_of(engine) if isinstance(model, SlotModel) else type(model).__name__
        raise ValueError(
            f"{name} takes no grafts: it has no way to move keys to other positions (transformers models have one); "
            "left + right is exact"
        )
    if model._fresh.get():
        raise ValueError("graft() under model.fresh(): nothing is kept here, and so there is nothing to take over")
    with model._lock, plain_arithmetic(model.device.type):
        if model._check is not None:
            model._check()
        return engine.key_shift()
