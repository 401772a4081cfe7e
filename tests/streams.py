"""What the tests of streaming and healing share: made models, a plain model of what is final, and other engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random
from typing import Any

import torch
from hypothesis import strategies as st
from test_generation import random_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.decode.frontier import Frontier, Need
from outlines_cont.fsm.tokenizer_bytes import byte_stand_ins

CHARACTERS = ["a", "b", "é", "日", "🦙", "\u0301"]
POOL = "".join(CHARACTERS).encode()
BROKEN = [b"\xff", b"\xf0\x80", b"\xc3", b"\xed\x9f", b"\xbf", b"a\xe6\x97", b"\xa6\x99b"]


@cache
def made_model(words: tuple[bytes, ...], seed: int = 0) -> oc.Model:
    """A random model over the 256 bytes and these tokens, which may be any bytes; texts are encoded byte by byte."""
    spell = {byte: chr(point) for point, byte in byte_stand_ins().items()}
    names = ["<eos>", *spell.values(), *dict.fromkeys("".join(spell[b] for b in word) for word in words)]
    vocabulary = {name: i for i, name in enumerate(dict.fromkeys(names))}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return random_model(PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<eos>"), seed, positions=96)


@cache
def cutting_model(seed: int) -> oc.Model:
    """Tokens that begin and end anywhere in characters, or are no characters at all."""
    random = Random(seed)
    text = [random.choice(CHARACTERS).encode() for _ in range(40)]
    long = b"".join(text)
    pieces = [long[at : at + random.randint(2, 6)] for at in (random.randrange(len(long) - 6) for _ in range(14))]
    return made_model((*pieces, *random.sample(BROKEN, 3)))


def likely(model: oc.Model) -> list[int]:
    """The tokens that are worth drawing: those of the pool's bytes, and all longer ones."""
    return [i for i in model.vocabulary.text_ids.tolist() if set(model.vocabulary.tokens[i]) <= set(POOL) or i > 256]


stop_strings = st.lists(st.text(st.sampled_from(CHARACTERS), min_size=1, max_size=4), max_size=3, unique=True)

# --- the plain model

#: What may come next, as far as it matters to characters that are cut.
TAILS = [b"", b"z", *(bytes(w) for n in (1, 2, 3) for w in product((0x80, 0x90, 0xA0, 0xBF), repeat=n))]


def cut(text: bytes, stops: Sequence[str]) -> bytes | None:
    """The value of a text in which a stop string has just come up: before the first; None if there is none."""
    places = [at for stop in stops if (at := text.find(stop.encode())) >= 0]
    return text[: min(places)] if places else None


def surely(text: bytes, stops: Sequence[str]) -> str:
    """By brute force what no continuation changes: the common beginning of what the value may become.

    Any bytes may come as one token, and the text may end at any time.
    """
    ends = {stop.encode()[n:] for stop in stops for n in range(len(stop.encode()))}
    values = (text + tail if (value := cut(text + tail, stops)) is None else value for tail in {*TAILS, *ends})
    return common([read(value) for value in values])


def common(texts: Sequence[str]) -> str:
    """The longest common beginning."""
    first, last = min(texts), max(texts)
    return first[: next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


def on_time(given: str, sure: str) -> bool:
    """Whether this is what was sure; the next two tests say which U+FFFD come later than they might."""
    return sure.startswith(given) and set(sure[len(given) :]) <= {"\ufffd"}


def read(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def value_of(row: Any, model: oc.Model) -> str:
    """The text of a row's last span, without what was healed."""
    piece = row.pieces[-1]
    return read(model.vocabulary.decode(row.ids[len(row) - (piece.hi - piece.lo) :])[len(piece.origin.healed) :])


def values_of(state: oc.SequenceState) -> list[list[str]]:
    return [["" if row.dead else value_of(row, state.model) for row in group] for group in state.rows]


def nested(state: Any, attribute: str = "delta") -> list[list[Any]]:
    value = getattr(state, attribute)
    return [[value]] if state.shape[:2] == (1, 1) else value


# --- engines


def chosen(frontier: Frontier, tokens: Sequence[int]) -> Frontier:
    """One step in which each pending row draws the given token (eos: the stop)."""
    lines = [token for need, token in zip(frontier.pending, tokens, strict=True) for _ in need.wanted]
    return frontier.step(torch.nn.functional.one_hot(torch.tensor(lines), len(frontier.model.vocabulary)) * 99.0)


def made_logits(model: oc.Model, needs: Sequence[Need], seed: int) -> Tensor:
    """A language model in one line: a random function of the tokens so far, fond of the pool."""
    lines = torch.full((sum(len(need.wanted) for need in needs), len(model.vocabulary)), -6.0)
    fond = likely(model)
    for line, ids in zip(lines, (need.tokens[: at + 1] for need in needs for at in need.wanted), strict=True):
        random = Random(hash((seed, *ids)))
        line[fond] = torch.tensor([random.gauss(0, 2.5) for _ in fond])
        line[0] = random.gauss(-2, 1)
    return lines


def streamed(frontier: Frontier, seed: int) -> Iterator[tuple[Frontier, Any]]:
    """What `stream` does, with made logits."""
    while not frontier.done:
        frontier, state = frontier.step(made_logits(frontier.model, frontier.pending, seed)).flush()
        yield frontier, state


class Joined:
    """Deltas, joined row by row. A row that a search or a fork made goes on from what its ancestor was given."""

    def __init__(self, joint: bool = False) -> None:
        self.texts: dict[tuple[int, ...], str] = {}
        self.joint = joint  # samples of a batch row are one search, and have all been given the same

    def add(self, state: Any) -> list[list[str]]:
        found, given = [], self.texts
        self.texts = {}
        for rows, deltas in zip(state.rows, nested(state), strict=True):
            for row, delta in zip(rows, deltas, strict=True):
                if row.dead:
                    assert delta == ""
                    continue
                paths = [row.lineage[:n] for n in range(len(row.lineage), 0, -1)]
                paths += [path for path in given if self.joint and path[0] == row.lineage[0]]
                known = next((given[path] for path in paths if path in given), "")
                self.texts[row.lineage] = known + delta
            found.append([self.texts.get(row.lineage, "") for row in rows])
        return found
