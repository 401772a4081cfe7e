"""Engines and language models with a mistake in them are refused, with the member that is wrong and what is right."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
import torch
from engines import PlainModel
from hypothesis import given
from hypothesis import strategies as st

import outlines_cont as oc
from outlines_cont.kv.pool import Pool

Answer = Callable[[Any, Sequence[Any]], Any]


class Bigram:
    """The logits after a token depend on it alone. Its forward goes through a function `(engine, runs)`."""

    n_vocab, context_length, eos = 1536, 64, (1,)
    device, dtype = torch.device("cpu"), torch.float32

    def __init__(self, answer: Answer, keeps: bool = True):
        self.answer, self.keeps = answer, keeps
        self.table = torch.randn(self.n_vocab, self.n_vocab, generator=torch.Generator().manual_seed(0))

    def pool(self) -> Any:
        return Pool() if self.keeps else None

    def forward(self, tree: Any, runs: Sequence[Any]) -> Any:
        return self.answer(self, runs)

    def version(self) -> int:
        return 0

    def identity(self) -> str:
        return "bigram"


def bigram(answer: Answer, keeps: bool = True) -> oc.Model:
    return oc.Model(Bigram(answer, keeps), oc.load().tokenizer)


def lines(engine: Bigram, runs: Sequence[Any]) -> torch.Tensor:
    return torch.cat([engine.table[[run.ids[token] for token in run.wanted_tokens()]] for run in runs])


def right(engine: Bigram, runs: Sequence[Any]) -> Any:
    return lines(engine, runs), 1


def all_tokens(engine: Bigram, runs: Sequence[Any]) -> Any:
    return torch.cat([engine.table[list(run.ids)] for run in runs]), 1


def surplus(engine: Bigram, runs: Sequence[Any]) -> Any:
    return torch.cat([lines(engine, runs), engine.table[:3]]), 1


def too_few(engine: Bigram, runs: Sequence[Any]) -> Any:
    return lines(engine, runs)[:-1], 1


BIGRAMS = {keeps: bigram(right, keeps) for keeps in (True, False)}


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize(("answer", "lines_given"), [(all_tokens, 9), (surplus, 6), (too_few, 2)])
def test_another_number_of_lines_than_is_wanted_is_refused(answer: Answer, lines_given: int, keeps: bool) -> None:
    model = bigram(answer, keeps)
    needs = [oc.stepping.Need((first, 5, 6), (2,)) for first in (7, 8, 9)]
    message = rf"^Bigram\.forward gave logits \({lines_given}, 1536\), and the wanted tokens of its runs \(3\) are 3: "
    for _ in range(2):  # nothing of it is remembered
        with pytest.raises(ValueError, match=message + r"it must give \(3, 1536\), a line for each of run\.wanted_tok"):
            model.read(needs)
    gc.collect()
    assert model.stats.kv_bytes == model.tree.pool.used == 0, "nothing is held"
    model.engine.answer = right
    assert model.logits(needs).equal(model.engine.table[[6, 6, 6]]), "the engine serves as before, once it is mended"


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.sets(st.integers(0, 5)))), st.booleans()
)
def test_no_right_number_of_lines_is_refused(rows: list[Any], keeps: bool) -> None:
    """Whatever the rows share, and whatever is wanted of them twice."""
    engine = BIGRAMS[keeps].engine
    needs = [oc.stepping.Need(tuple(ids), tuple(sorted(at for at in wanted if at < len(ids)))) for ids, wanted in rows]
    expected = [ids for need in needs for ids in (need.tokens[at] for at in need.wanted)]
    for _ in range(2):
        assert BIGRAMS[keeps].logits(needs).equal(engine.table[torch.tensor(expected).long()])


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda *given: lines(*given), TypeError, r"gave torch\.Tensor \(1, 1536\): it must give a tensor of logits"),
        (lambda *given: (lines(*given).numpy(), 1), TypeError, r"gave \(numpy\.ndarray \(1, 1536\), int\): it must"),
        (
            lambda *given: (lines(*given), None),
            TypeError,
            r"gave .*NoneType\): the second is a count of passes, an int",
        ),
        (lambda *given: (lines(*given), 1, 2), TypeError, r"gave \(torch\.Tensor \(1, 1536\), int, int\): it must"),
        (lambda *given: (lines(*given)[:, :9], 1), ValueError, r"gave logits \(1, 9\): n_vocab is 1536, so they must"),
        (lambda *given: (lines(*given)[0], 1), ValueError, r"gave logits \(1536,\): n_vocab is 1536, so they must"),
    ],
)
def test_what_are_no_logits_is_refused_by_the_name_of_forward(answer: Answer, kind: type, message: str) -> None:
    model = bigram(answer)
    with pytest.raises(kind, match=r"^Bigram\.forward " + message):
        oc.generate.text(model)("Mira", max_tokens=1)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"device": "cpu"}, r"\.device is 'cpu' \(str\): it must be a torch\.device, as torch\.device\('cpu'\)$"),
        ({"dtype": "float32"}, r"\.dtype is 'float32' \(str\): it must be a torch\.dtype"),
        ({"version": 0}, r"\.version is 0 \(int\): it must be a method$"),
        ({"identity": "x"}, r"\.identity is 'x' \(str\): it must be a method$"),
        ({"n_vocab": "1536"}, r"\.n_vocab is '1536' \(str\): it must be an int ≥ 1$"),
        ({"eos": 1}, r"\.eos is 1 \(int\): it must be a list of token ids$"),
        ({"context_length": 0}, r"\.context_length is 0 \(int\): it must be an int ≥ 1, or None for no bound$"),
        ({"pool": lambda: None}, r"\.pool\(\) gave None \(NoneType\), which has no used, slot_bytes, .*SlotPool"),
        ({"keep": False}, r"\.keep is no member that is looked at: it is called keeps$"),
        ({"keeps": "no"}, r"\.keeps is 'no' \(str\): it must be True or False$"),
        ({"check": True}, r"\.check is True \(bool\): it must be a method$"),
    ],
)
def test_a_wrong_member_of_an_engine_is_named(members: dict[str, Any], message: str) -> None:
    engine: Any = Bigram(right)
    vars(engine).update(members)
    if "keep" in members:
        del engine.keeps
    with pytest.raises(TypeError, match="^Bigram" + message):
        oc.Model(engine, oc.load().tokenizer)


def test_a_method_where_a_value_belongs_is_named() -> None:
    class Half(Bigram):
        def n_vocab(self) -> int:  # type: ignore[override]
            return 1536

    half = Half.__new__(Half)
    half.keeps = True
    with pytest.raises(TypeError, match=r"^Half\.n_vocab is a method: it must be an int ≥ 1; write @property above it"):
        oc.Model(half, oc.load().tokenizer)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"device": "cpu"}, r"\.device is 'cpu' \(str\): it must be a torch\.device"),
        ({"vocabulary": ["a"]}, r"\.vocabulary is \['a'\] \(list\): it must be a Vocabulary"),
        ({"read": None}, r"\.read is None \(NoneType\): it must be a method$"),
        ({"identity": lambda: "x"}, r"\.identity is a method: it must be a str; write @property above it$"),
    ],
)
def test_a_wrong_member_of_a_language_model_is_named(members: dict[str, Any], message: str) -> None:
    plain = PlainModel(oc.load())
    vars(plain).update(members)
    with pytest.raises(TypeError, match="^PlainModel" + message):
        oc.Model(plain)


class Begun:
    """The first two methods of a language model."""

    def read(self, needs: Sequence[Any]) -> Any: ...

    def claimed(self, row: Any) -> Any:
        return row


class NearlyDone(Begun):
    """All members of a language model but two."""

    vocabulary = encoder = context_length = device = dtype = identity = None


class Complete(NearlyDone):
    def kv_lengths(self, rows: Iterable[Any]) -> list[int]:
        return [0 for _ in rows]


@pytest.mark.parametrize("with_tokenizer", [False, True])
@pytest.mark.parametrize(
    ("begun", "lacks"),
    [
        (Begun, "vocabulary, encoder, context_length, device, dtype, identity, stats, kv_lengths, which belong"),
        (NearlyDone, "stats, kv_lengths, which belong"),
        (Complete, "stats, which belongs"),
    ],
)
def test_an_unfinished_language_model_is_told_what_it_lacks(begun: type, lacks: str, with_tokenizer: bool) -> None:
    given: list[Any] = [begun()] + [oc.load().tokenizer] * with_tokenizer
    with pytest.raises(
        TypeError, match=rf"{begun.__name__} has no {lacks} to an oc\.stepping\.LanguageModel: docs/engines\.md"
    ):
        oc.Model(*given)


def test_an_engine_that_keeps_nothing_needs_no_pool() -> None:
    model = bigram(right, keeps=False)
    assert oc.generate.choice(model, ["Rome", "Paris"])("I live in ", seed=0) in ("Rome", "Paris")
