"""The contexts beside the rows of a grid: as rows, and where they are lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.errors import warn
from outlines_cont.state.combination import kinds
from outlines_cont.state.row import DEAD, Row

Rows = Sequence[Sequence[Row]]


def beside_of(model: LanguageModel, rows: Rows) -> Iterator[tuple[LanguageModel | None, float, list[list[Row]]]]:
    """Each context of a grid of rows: its model (None: `model`), its weight, and its rows, dead ones where a row has
    none."""
    live = [row for group in rows for row in group if not row.dead]
    if len(kinds(row.beside for row in live)) > 1:
        raise ValueError("the laws of these rows are combined in different ways: look at some of them, state[i, j]")
    first = next((row.beside for row in live if row.beside), None)
    for place, context in enumerate(first.contexts if first else ()):
        yield (
            context.model,
            context.weight,
            [[_context_row(context.model or model, row, place) for row in group] for group in rows],
        )


def _context_row(model: LanguageModel, row: Row, place: int) -> Row:
    """A context of a row as a row of its own: given tokens."""
    if row.dead or row.beside is None:
        return DEAD
    context = row.beside.contexts[place]
    head = Row().append(context.ids, kind="prompt")
    whole = replace(head.append(row.ids[row.beside.start :]), lineage=row.lineage, claim=context.claim)
    return model.claimed(whole)


def of_one_kind(rows: list[list[Row]]) -> list[list[Row]]:
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
