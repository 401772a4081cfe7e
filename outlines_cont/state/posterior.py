"""What weighted samples say together: the evidence, and the posterior over texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, inf, isnan, nan

from outlines_cont.arguments import whole_number
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state import particles
from outlines_cont.state.row import Row


def log_evidence(rows: Sequence[Row]) -> float:
    """The log of the mean of exp(log importance) over all rows, dead ones with 0; NaN if unknown, or of none."""
    importance = [row.log_importance for row in rows]
    if not importance or any(map(isnan, importance)):
        return nan
    return -inf if max(importance) == -inf else particles.log_mean(importance)


def posterior(rows: Sequence[Row], since: str | int | None, vocabulary: Vocabulary) -> dict[str, float]:
    """The live rows' texts from a span on, with the shares of their importance; the likeliest first.

    Raises:
        ValueError: an importance is not known, or a row has no span of the name.
        IndexError: a row has no span of the index.
    """
    live = [(row, importance) for row in rows if (importance := row.log_importance) != -inf]
    if not live:
        return {}
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for (row, _), weight in zip(live, particles.weights([importance for _, importance in live]), strict=True):
        shares[_text_since(row, since, vocabulary)].append(weight)
    sums = {text: fsum(weights) for text, weights in shares.items()}
    total = fsum(sums.values())
    return {text: sums[text] / total for text in sorted(sums, key=lambda text: (-sums[text], text)) if sums[text]}


def checked_since(since: str | int | None) -> str | int | None:
    """Where the text begins. TypeError for anything but a name, an index or None."""
    if since is None or isinstance(since, str):
        return since
    return whole_number(
        since, "since", "the name of a span, its index in each row, or None for the first generated one"
    )


def _text_since(row: Row, since: str | int | None, vocabulary: Vocabulary) -> str:
    """What the row says from the beginning of a span's value on, special tokens left out."""
    spans = list(row.placed)
    if since is None:
        place = next((at for at, (_, _, piece) in enumerate(spans) if piece.kind == "generated"), None)
        if place is None:
            return ""
    elif isinstance(since, str):
        place = next((at for at, (_, _, piece) in enumerate(spans) if piece.name == since), None)
        if place is None:
            names = ", ".join(dict.fromkeys(repr(piece.name) for *_, piece in spans if piece.name is not None))
            raise ValueError(
                f"posterior(since={since!r}): a row has no span of this name; its names: {names or 'none'}"
            )
    else:
        if not -len(spans) <= since < len(spans):
            raise IndexError(f"posterior(since={since}): span {since} is out of range for a row of {len(spans)} spans")
        place = since
    start, _, piece = spans[place]
    healed = len(piece.origin.healed) if piece.lo == 0 else 0
    return vocabulary.decode(row.ids[start:])[healed:].decode("utf-8", "replace")
