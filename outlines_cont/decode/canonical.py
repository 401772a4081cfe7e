"""Where bytes meet tokens: forced bytes as the tokenizer would write them, and text that is opened again to be healed.

A tokenizer writes a text as a whole; a row is written bit by bit. Two seams must not show: that before a run which the
constraint forces, so it is spelled together with the tokens before it (llguidance's lookback); and that after it, so a
token that could merge with what follows is left to the model.
"""

from __future__ import annotations

from collections.abc import Sequence

from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.engine.trie import trie_of
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.state.row import Row

LOOKBACK = 4  # tokens; or half of them, where the first of these is no place to begin a text
REOPENED = 4  # tokens
KEPT_RUNS = 4096  # runs of a guide


def spelled_after(encoder: Encoder, before: Sequence[int], data: bytes) -> tuple[int, ...] | None:
    """The tokens of these bytes after those tokens, if the tokenizer writes them so; None if it would not.

    Where it would write other tokens across the seam, nothing appended to a row is what it would write.
    """
    tokens, special = encoder.vocabulary.tokens, encoder.vocabulary.special
    for count in (LOOKBACK, LOOKBACK // 2):
        tail = tuple(before[-count:])
        while tail and any(token in special for token in tail):
            tail = tail[1:]
        lead = b"".join(tokens[token] for token in tail)
        if not _is_text(lead):
            continue
        try:
            ids = tuple(encoder.encode_bytes(lead + data))
        except ValueError:
            return None
        if ids[: len(tail)] == tail:
            return ids[len(tail) :]
    return None


def forced_run(encoder: Encoder, guide: FullGuide, state: GuideState, before: Sequence[int]) -> tuple[int, ...]:
    """The tokens that a guide leaves no choice about, in the tokenizer's own spelling; none where that is in doubt.

    Left out are the tokens at the end that could merge with what follows.
    """
    runs = encoder.forced_runs.setdefault(guide, {})  # rows, and calls, often come to the same places
    key = state, tuple(before[-LOOKBACK:])
    if key not in runs:
        if len(runs) >= KEPT_RUNS:
            runs.clear()
        runs[key] = _forced_run(encoder, guide, state, before)
    return runs[key]


def _forced_run(encoder: Encoder, guide: FullGuide, state: GuideState, before: Sequence[int]) -> tuple[int, ...]:
    data = guide.forced(state)
    while data and not _is_text(data):
        data = data[:-1]
    run = spelled_after(encoder, before, data) if data else None
    if not run:
        return ()
    tokens = encoder.vocabulary.tokens
    end = state
    for count, token in enumerate(run):
        after = guide.advance(end, token)
        if after is None:  # it cannot be spelled so, with this vocabulary: as far as it goes
            run = run[:count]
            break
        end = after
    sure = len(data) - _open_end(encoder, guide, end, data)
    count = size = 0
    while count < len(run) and size + len(tokens[run[count]]) <= sure:
        size += len(tokens[run[count]])
        count += 1
    return run[:count]


def _open_end(encoder: Encoder, guide: FullGuide, state: GuideState, data: bytes) -> int:
    """How many of the last bytes some token could take together with what may follow this state."""
    if guide.complete(state):
        return 0
    counts = range(min(len(data), trie_of(encoder.vocabulary).depth - 1), 0, -1)
    return next((count for count in counts if _may_cross(encoder, guide, state, data[-count:])), 0)


def _may_cross(encoder: Encoder, guide: FullGuide, state: GuideState, data: bytes) -> bool:
    """Whether a longer token begins with these bytes, whose next one the guide allows."""
    singles = encoder.vocabulary.single_bytes
    following = trie_of(encoder.vocabulary).following(data)
    return any(byte not in singles or guide.advance(state, singles[byte]) is not None for byte in following)


def reopened(encoder: Encoder, guide: FullGuide, row: Row) -> int:
    """How many tokens at the end of a row's text to take back, so that a token may cross the seam: at most four.

    The most of them that together begin some longer token whose next byte the guide allows. One token of the row stays.
    """
    tokens, special = encoder.vocabulary.tokens, encoder.vocabulary.special
    given = 0
    for piece in reversed(row.pieces):
        if piece.origin.kind == "generated" and not piece.emptied:
            break
        given += piece.hi - piece.lo
    data, best = b"", 0
    for count in range(1, min(given, len(row) - 1, REOPENED) + 1):
        token = row.ids[-count]
        if token in special:
            break
        data = tokens[token] + data
        if _may_cross(encoder, guide, guide.initial, data):
            best = count
    return best


def _is_text(data: bytes) -> bool:
    """Whether these bytes are whole characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
