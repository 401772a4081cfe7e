"""Where bytes meet tokens: forced bytes as the tokenizer would write them, and text that is opened again to be healed.

A tokenizer writes a text as a whole; a row is written bit by bit. Two seams must not show: that before a run which the
constraint forces, so it is spelled together with the tokens before it (llguidance's lookback); and that after it, so a
token that could merge with what follows is left to the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, Literal, NamedTuple, TypeVar

from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.engine.trie import trie_of
from outlines_cont.fsm.partial_json import is_text
from outlines_cont.fsm.protocol import FullGuide, GuideState
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.state.row import Row

Seam = Literal["auto", "heal", "keep"]
Forced = Literal["canonical", "never"]

LOOKBACK = 4  # tokens; or half of them, where the first of these is no place to begin a text
REOPENED = 4  # tokens
MERGES = 4  # tokens that are looked at for each byte that may come next
KEPT = 4096  # answers of a guide

R = TypeVar("R")


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
        if not is_text(lead):
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
    before = tuple(before[-LOOKBACK:])
    return _once(encoder.seams.setdefault(guide, {}), (state, before), _forced_run, encoder, guide, state, before)


def _once(answers: dict[Any, R], key: Any, function: Callable[..., R], *arguments: Any) -> R:
    """What a function answers, kept by a key: rows, and calls, often come to the same places."""
    if (answer := answers.get(key)) is None:
        if len(answers) >= KEPT:
            answers.clear()
        answer = answers[key] = function(*arguments)
    return answer


def _forced_run(encoder: Encoder, guide: FullGuide, state: GuideState, before: Sequence[int]) -> tuple[int, ...]:
    data = guide.forced(state)
    while data and not is_text(data):
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


class Beginnings(NamedTuple):
    """How the values may begin that come after a seam.

    Attributes:
        first: the bytes that may be the first one.
        empty: whether there may be none.
        answers: those that are kept, as how many tokens are taken back before them, by the end of a row.
    """

    first: Callable[[], frozenset[int]]
    empty: bool
    answers: dict[Any, int]

    @classmethod
    def of_guide(cls, guide: FullGuide, encoder: Encoder) -> Beginnings:
        """The beginnings of the texts of a guide."""
        answers = encoder.seams.setdefault(guide, {})
        return cls(partial(_once, answers, None, _first_bytes, guide), guide.accepting(guide.initial), answers)

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Beginnings:
        """The beginnings of these texts."""
        first = frozenset(text.encode()[0] for text in texts if text)
        return cls(lambda: first, not all(texts), {})


def _first_bytes(guide: FullGuide) -> frozenset[int]:
    """The bytes that texts of a guide begin with. Of those that are tokens, these are asked about."""
    vocabulary, state = guide.vocabulary, guide.initial
    tokens, singles = vocabulary.tokens, vocabulary.single_bytes
    first = {byte for byte, token in singles.items() if guide.advance(state, token) is not None}
    if len(singles) < 256:
        allowed = unpack(guide.mask(state), len(tokens)).nonzero()[0].tolist()
        first |= {tokens[token][0] for token in allowed if token not in vocabulary.special} - singles.keys()
    return frozenset(first)


def reopened(encoder: Encoder, values: Beginnings, row: Row, seam: Seam) -> int:
    """How many tokens at the end of a row's text to take back, so that a token may cross the seam: at most four.

    seam="heal": the most of them that together begin some longer token with which the span may go on. seam="auto": the
    most of them that are white space with which a token of the span may begin, or that the tokenizer merges with
    whatever comes next.
    seam="keep": none. Special tokens and generated tokens stay, and one token of the row. Under "auto", so do tokens
    that were given as ids, texts of which tokens were sliced away, and what the contexts beside the row do not have.

    Raises:
        ValueError: seam="heal", and the contexts beside the row do not have these tokens.
    """
    if seam == "keep":
        return 0
    most = min(_given(encoder, row, seam), len(row) - 1, REOPENED)
    ids = row.ids[-most - LOOKBACK :]
    best = _once(values.answers, (seam, most, ids), _most_open, encoder, values, ids, most, seam)
    if not best or row.shares(range(len(row) - best)):
        return best
    if seam == "auto":
        return 0
    raise ValueError(
        "seam='heal' would take back tokens that the contexts beside the row (beside=) do not have; begin the "
        "span after a text that was appended to all of them, or use seam='keep'"
    )


def _most_open(encoder: Encoder, values: Beginnings, ids: Sequence[int], most: int, seam: Seam) -> int:
    """`reopened`, for a row that ends in these tokens and of which at most so many may be taken back."""
    tokens = encoder.vocabulary.tokens
    data, best = b"", 0
    for count in range(1, most + 1):
        token = ids[-count]
        data = tokens[token] + data
        if seam == "heal":
            fits = not values.first().isdisjoint(trie_of(encoder.vocabulary).following(data))
        else:
            fits = _begins_words(encoder, values, data, len(tokens[token])) or _is_merged(
                encoder, values, ids[-count - LOOKBACK : -count], data
            )
        best = count if fits else best
    return best


def _given(encoder: Encoder, row: Row, seam: Seam) -> int:
    """How many tokens at the end of a row are those of texts."""
    given, special = 0, encoder.vocabulary.special
    for piece in reversed(row.pieces):
        if piece.emptied:
            continue
        if piece.origin.kind == "generated":
            break
        if seam == "auto" and (piece.origin.from_ids or piece.hi < piece.origin.length):
            break
        given += piece.hi - piece.lo
    return next((count for count in range(given) if row.ids[-count - 1] in special), given)


def _begins_words(encoder: Encoder, values: Beginnings, data: bytes, first: int) -> bool:
    """Whether white space that ends a text belongs to tokens which a value may go on with: from one of its `first`
    bytes on, a token has it, and then something else."""
    if not data.decode("utf-8", "replace").isspace():
        return False
    following = trie_of(encoder.vocabulary).following
    words = {byte for byte in values.first() if bytes([byte]).strip()}
    return not all(words.isdisjoint(following(data[at:])) for at in range(first))


def _is_merged(encoder: Encoder, values: Beginnings, before: Sequence[int], data: bytes) -> bool:
    """Whether the tokenizer writes the end of these bytes together with what comes next, whatever that is.

    before: the tokens before them.
    """
    following = trie_of(encoder.vocabulary).following(data)
    if not following or values.empty or not (first := values.first()) or not first.issubset(following):
        return False
    return all(_may_merge(encoder, tuple(before), data, byte) for byte in first)


def _may_merge(encoder: Encoder, before: tuple[int, ...], data: bytes, byte: int) -> bool:
    """Whether the tokenizer has no border after these bytes in some text that goes on with this byte."""
    tokens = encoder.vocabulary.tokens
    lead = b"".join(tokens[token] for token in before if token not in encoder.vocabulary.special)
    for token in trie_of(encoder.vocabulary).beginning_with(data + bytes([byte]), MERGES):
        try:
            ids = encoder.encode_bytes(lead + token)
        except ValueError:
            continue
        if len(lead) + len(data) not in accumulate(len(tokens[each]) for each in ids):
            return True
    return False
