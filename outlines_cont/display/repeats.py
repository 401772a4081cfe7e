"""Which tokens of a row are shown: those that are as in the row above are not, and the middle of a long row is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, groupby
from typing import Literal, NamedTuple

from outlines_cont.display.marks import FEW_TOKENS
from outlines_cont.display.protocol import DrawnRow
from outlines_cont.prefixes import common_length

LONG_REPEAT = 12  # if a row and the one above it begin with more equal tokens, they are shown once
COMPACT_ROWS = 4  # with fewer rows nothing is gained

Shown = Literal["shown", "above", "more"]


class RowPart(NamedTuple):
    """Tokens start … end − 1 of a row: shown, left out as they are those of the row above, or left out as too many."""

    start: int
    end: int
    shown: Shown

    def __len__(self) -> int:
        return self.end - self.start


def parts_of(row: DrawnRow, repeated: Sequence[range], tokens: int) -> list[RowPart]:
    """The parts of a row of which these ranges are repeated, and at most about `tokens` are shown, most of its end."""
    kinds: list[Shown] = ["shown"] * len(row)
    for each in repeated:
        for at in each:
            kinds[at] = "above"
    places = [at for at, kind in enumerate(kinds) if kind == "shown"]
    if len(places) >= tokens + FEW_TOKENS:
        head = tokens // 4
        begin, end = places[head], places[len(places) - (tokens - head) - 1] + 1
        for at in range(begin, end):
            kinds[at] = "more"
    parts, start = [], 0
    for kind, group in groupby(kinds):
        end = start + sum(1 for _ in group)
        parts.append(RowPart(start, end, kind))
        start = end
    return parts


def repeated_beginning(row: DrawnRow, above: DrawnRow) -> list[range]:
    """The given tokens at the beginning that the row above begins with, too, if they are many."""
    given = next((at for at, drawn in enumerate(row.logprobs) if drawn is not None), len(row))
    count = min(common_length(row.ids, above.ids), given)
    return [range(count)] if count > LONG_REPEAT else []


def repeated_parts(row: DrawnRow, above: DrawnRow) -> list[range]:
    """All that a row repeats of the one above it, span by span: given text, and long beginnings of what was generated.

    A short answer is shown in any case, so that one sees the answers of each row.
    """
    repeated = [False] * len(row)
    for (start, end, piece), (begin, stop, other) in zip(row.shown, above.shown, strict=False):
        if (piece.kind, piece.name) != (other.kind, other.name):
            break
        count = common_length(row.ids[start:end], above.ids[begin:stop])
        if piece.kind != "generated" or count > LONG_REPEAT:
            repeated[start : start + count] = [True] * count
    ranges, start = [], 0
    for is_repeated, group in groupby(repeated):
        end = start + sum(1 for _ in group)
        if is_repeated and end - start > FEW_TOKENS:
            ranges.append(range(start, end))
        start = end
    return ranges


def worth_compacting(
    rows: Sequence[DrawnRow], plain: Sequence[Sequence[range]], full: Sequence[Sequence[range]]
) -> bool:
    """Whether to leave out all repeats (`full`) and not only the plain ones: if that spares half of what is shown."""
    if len(rows) < COMPACT_ROWS:
        return False
    total = sum(map(len, rows))
    plainly, fully = (total - sum(map(len, chain.from_iterable(each))) for each in (plain, full))
    return 2 * fully <= plainly
