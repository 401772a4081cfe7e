"""Penalties beside transformers' and llama.cpp's own, and beside plain models; under the laws of slices and batches."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_bool, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from transformers.generation import logits_process as theirs

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary

TOKENS = [b"<eos>", *(bytes([97 + i]) for i in range(6)), b"\n", b" a", b'b"', b": "]
SIZE = len(TOKENS)
VOCABULARY = Vocabulary(TOKENS, eos=[0])


class PlainRow:
    """As much of a `Writing` as filters look at."""

    def __init__(self, ids: list[int], start: int = 0, seed: int = 0, lineage: tuple[int, ...] = (0,)) -> None:
        self.ids, self.start, self.seed, self.lineage = tuple(ids), start, seed, lineage
        self.vocabulary = VOCABULARY

    def __len__(self) -> int:
        return len(self.ids)


LOGITS = st.lists(st.floats(-8, 8, width=32), min_size=SIZE, max_size=SIZE).map(torch.tensor)
ROWS = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=30)
#: Few different tokens, so that much is repeated.
REPETITIVE = st.lists(st.sampled_from([1, 2, 7]), min_size=1, max_size=30) | ROWS


def with_stop(values: torch.Tensor) -> torch.Tensor:
    """Logits of tokens as a filter gets them: here the stop is the one eos, which is no token then."""
    return torch.cat([values.index_fill(0, torch.tensor([0]), -torch.inf), values[:1]])


def without_stop(logits: torch.Tensor) -> torch.Tensor:
    """The logits of tokens, of what a filter gives: eos has those of the stop."""
    return torch.cat([logits[-1:], logits[1:-1]])


def filtered(each: Any, ids: list[int], values: torch.Tensor, start: int = 0) -> torch.Tensor:
    return without_stop(each(PlainRow(ids, start), with_stop(values)))


def check_same(ours: torch.Tensor, others: torch.Tensor) -> None:
    assert torch.equal(ours == -torch.inf, others == -torch.inf)
    assert torch.allclose(ours[ours > -torch.inf], others[others > -torch.inf], atol=1e-4, rtol=1e-4)


# -- beside transformers ----------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(LOGITS, ROWS, st.floats(0.25, 4), st.data())
def test_the_repetition_penalty_of_generated_tokens_is_transformers(values, ids, penalty, data):
    start = data.draw(st.integers(0, len(ids) - 1))
    other = theirs.RepetitionPenaltyLogitsProcessor(penalty, prompt_ignore_length=start)
    ours = filtered(oc.filters.repetition_penalty(penalty, prompt=False), ids, values, start)
    check_same(ours, other(torch.tensor([ids]), values[None])[0])


@settings(max_examples=200, deadline=None)
@given(LOGITS, REPETITIVE, st.integers(1, 5))
def test_no_repeat_ngram_is_transformers(values, ids, size):
    other = theirs.NoRepeatNGramLogitsProcessor(size)(torch.tensor([ids]), values[None])[0]
    assume(bool((other > -torch.inf).any()))
    check_same(filtered(oc.filters.no_repeat_ngram(size), ids, values), other)


SEQUENCES = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)


@settings(max_examples=200, deadline=None)
@given(
    LOGITS,
    st.lists(st.integers(0, 3), min_size=4, max_size=9),
    st.dictionaries(SEQUENCES, st.floats(-9, 9), min_size=1, max_size=9),
)
def test_the_sequence_bias_is_transformers(values, ids, biases):
    other = theirs.SequenceBiasLogitsProcessor([[list(sequence), bias] for sequence, bias in biases.items()])
    check_same(filtered(oc.filters.sequence_bias(biases), ids, values), other(torch.tensor([ids]), values[None])[0])


# -- beside llama.cpp -------------------------------------------------------------------------------------------------


class Candidate(ctypes.Structure):
    _fields_ = [("id", c_int32), ("logit", c_float), ("p", c_float)]


class Candidates(ctypes.Structure):
    _fields_ = [("data", ctypes.POINTER(Candidate)), ("size", c_size_t), ("selected", c_int64), ("sorted", c_bool)]


class LlamaSamplers:
    """llama.cpp's own samplers, and a vocabulary for them."""

    def __init__(self, folder: Path) -> None:
        from gguf_files import write_vocabulary

        from outlines_cont.llama_cpp.library import load_library

        library = load_library()
        path = write_vocabulary(folder / "vocabulary.gguf", shipped_model().tokenizer)
        params = library.llama_model_default_params()
        params.vocab_only = True
        self.vocabulary = library.llama_model_get_vocab(library.llama_model_load_from_file(str(path).encode(), params))
        self.library = ctypes.CDLL(str(library.path))
        for name in ("dry", "xtc", "penalties"):
            getattr(self.library, f"llama_sampler_init_{name}").restype = c_void_p
        self.library.llama_sampler_accept.argtypes = [c_void_p, c_int32]
        self.library.llama_sampler_apply.argtypes = [c_void_p, ctypes.POINTER(Candidates)]
        self.library.llama_sampler_free.argtypes = [c_void_p]

    def applied(self, name: str, arguments: list[Any], ids: list[int], values: torch.Tensor) -> torch.Tensor:
        """The logits after a sampler that has seen these tokens; −inf of those that it drops."""
        sampler = getattr(self.library, f"llama_sampler_init_{name}")(*arguments)
        for token in ids:
            self.library.llama_sampler_accept(sampler, token)
        given = (Candidate * len(values))(*(Candidate(i, value, 0.0) for i, value in enumerate(values.tolist())))
        array = Candidates(given, len(values), -1, False)
        self.library.llama_sampler_apply(sampler, ctypes.byref(array))
        self.library.llama_sampler_free(sampler)
        after = torch.full_like(values, -torch.inf)
        for each in array.data[: array.size]:
            after[each.id] = each.logit
        return after

    def dry(self, multiplier: float, base: float, allowed: int, last: int, breakers: list[str], *row: Any) -> Any:
        strings = (c_char_p * len(breakers))(*(each.encode() for each in breakers))
        numbers = [c_float(multiplier), c_float(base), c_int32(allowed), c_int32(last)]
        return self.applied("dry", [c_void_p(self.vocabulary), *numbers, strings, c_size_t(len(breakers))], *row)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: Any) -> Iterator[LlamaSamplers]:
    pytest.importorskip("xllamacpp", reason="the wheel that carries llama.cpp is not installed")
    pytest.importorskip("gguf", reason="the package with which the tests write their files is not installed")
    yield LlamaSamplers(tmp_path_factory.mktemp("vocabulary"))


@settings(max_examples=150, deadline=None)
@given(LOGITS, ROWS, st.integers(1, 20), st.floats(0.5, 3), st.floats(-2, 2), st.floats(-2, 2))
def test_three_penalties_in_a_row_are_llama_cpps(llama, values, ids, last, repeat, frequency, presence):
    size = 4096  # of a vocabulary
    numbers = [c_int32(size), c_int32(last), c_float(repeat), c_float(frequency), c_float(presence)]
    ours = with_stop(values)
    for each in (
        oc.filters.repetition_penalty(repeat, last=last),
        oc.filters.frequency_penalty(frequency, prompt=True, last=last),
        oc.filters.presence_penalty(presence, prompt=True, last=last),
    ):
        ours = each(PlainRow(ids, len(ids)), ours)
    check_same(without_stop(ours), llama.applied("penalties", numbers, ids, values))


@settings(max_examples=150, deadline=None)
@given(LOGITS, st.floats(0.05, 0.5))
def test_xtc_is_llama_cpps_wherever_it_applies(llama, values, threshold):
    law = torch.softmax(values, -1)
    assume(bool(((law - threshold).abs() > 1e-4).all()) and len(set(values.tolist())) == SIZE)
    other = llama.applied("xtc", [c_float(1.0), c_float(threshold), c_size_t(1), c_uint32(1)], [], values)
    check_same(filtered(oc.filters.xtc(1.0, threshold), [1], values), other)


#: Tokens of the shipped vocabulary, some of which hold breakers.
SHIPPED = [
    *(shipped_model().vocabulary.tokens.index(each) for each in (b"a", b"b", b" the", b"\n", b":", b" is", b"."))
]


@settings(max_examples=250, deadline=None)
@given(
    st.lists(st.sampled_from(SHIPPED), min_size=1, max_size=30) | st.lists(st.sampled_from(SHIPPED[:2]), max_size=40),
    st.floats(0, 3),
    st.floats(1, 3),
    st.integers(1, 4),
    st.integers(3, 50),
    st.lists(st.sampled_from(["\n", ":", "t", "q"]), unique=True),
)
def test_dry_is_llama_cpps(llama, ids, multiplier, base, allowed, last, breakers):
    assume(ids)
    vocabulary = shipped_model().vocabulary
    row: Any = PlainRow(ids)
    row.vocabulary = vocabulary
    values = torch.zeros(len(vocabulary))
    each = oc.filters.dry(multiplier, base, allowed, last=last, breakers=breakers)
    ours = each(row, torch.cat([values, torch.zeros(1)]))
    check_same(ours[:-1], llama.dry(multiplier, base, allowed, last, breakers, ids, values))


# -- beside plain models ----------------------------------------------------------------------------------------------


def plain_dry(
    ids: list[int], tokens: list[bytes], multiplier: float, base: float, allowed: int, last: int | None, *strings: str
) -> dict[int, float]:
    """What DRY takes from each token's logit, by its description: for every token and every place, how long the
    repetition would be that it goes on with, up to the last breaker."""
    ids = ids[-last:] if last else ids
    ends, data = [0], b""
    for token in ids:
        data += tokens[token]
        ends.append(len(data))
    # the last token in which a breaker begins, and how far those go that begin there
    breakers, border = [breaker.encode() for breaker in strings], 0
    for begin, end in pairwise(ends):
        here = [at + len(b) for b in breakers for at in range(begin, end) if data.startswith(b, at)]
        border = max(here, default=border)
    limit = sum(begin >= border for begin in ends[:-1])
    taken: dict[int, float] = {}
    for place in range(1, len(ids)):
        n = 0
        while n < place and ids[place - 1 - n] == ids[-1 - n]:
            n += 1
        n = min(n, limit)
        if n >= allowed and not any(b in tokens[ids[place]] for b in breakers):
            taken[ids[place]] = max(taken.get(ids[place], 0.0), multiplier * base ** (n - allowed))
    return taken


@settings(max_examples=400, deadline=None)
@given(
    LOGITS,
    st.lists(st.sampled_from([1, 2, 7, 9]), min_size=4, max_size=25) | st.lists(st.integers(1, SIZE - 1), min_size=1),
    st.sampled_from([0.8, 3.0]),
    st.sampled_from([1.0, 1.5, 2.0]),
    st.integers(1, 2),
    st.none() | st.integers(1, 30),
    st.lists(st.sampled_from(["\n", "ba", "aa", '"', ": ", "a\na"]), max_size=2, unique=True),
)
@example(torch.zeros(SIZE), [1, 2, 3, 7, 1, 2], 0.8, 2.0, 1, None, ["\n"])
@example(torch.zeros(SIZE), [1, 7, 1, 2, 3, 1, 7, 1, 2], 0.8, 2.0, 1, None, ["a\na"])
@example(torch.zeros(SIZE), [2, 1, 2, 7, 2, 7, 2, 1], 0.8, 1.0, 1, None, ["ba"])
@example(torch.zeros(SIZE), [1, 1, 2, 2, 9, 7, 1, 7, 1], 0.8, 1.5, 1, None, ["a\na", "\n"])
def test_dry_does_what_its_description_says(values, ids, multiplier, base, allowed, last, breakers):
    """Breakers of several characters, too, in whatever tokens they are written."""
    each = oc.filters.dry(multiplier, base, allowed, last=last, breakers=breakers)
    wanted = values.clone()
    for token, taken in plain_dry(ids, TOKENS, multiplier, base, allowed, last, *breakers).items():
        wanted[token] -= taken
    check_same(filtered(each, ids, values), wanted)


@settings(max_examples=200, deadline=None)
@given(
    LOGITS, ROWS, st.booleans(), st.none() | st.integers(1, 40), st.sets(st.sampled_from([1, "\n", None, 3])), st.data()
)
def test_penalties_look_at_the_tokens_that_they_are_told_to(values, ids, prompt, last, exempt, data):
    start = data.draw(st.integers(0, len(ids)))
    spared = {{"\n": 7, None: 0}.get(each, each) for each in exempt}
    looked_at = ids if prompt else ids[start:]
    counts = {token: looked_at[-(last or 99) :].count(token) for token in looked_at[-(last or 99) :]}
    frequency, presence, divided, once = (values.clone() for _ in range(4))
    for token in counts.keys() - spared:
        frequency[token] -= 0.5 * counts[token]
        presence[token] -= 0.5
        divided[token] = divided[token] / 2 if divided[token] > 0 else divided[token] * 2
    for before, after in pairwise(looked_at):
        if before == looked_at[-1] and after not in spared:
            once[after] = -torch.inf
    scope: dict[str, Any] = {"prompt": prompt, "exempt": [*exempt]}
    ngram = oc.filters.no_repeat_ngram(2, **scope)
    check_same(filtered(ngram, ids, values, start), once if (once > -torch.inf).any() else values)
    scope["last"] = last
    check_same(filtered(oc.filters.frequency_penalty(0.5, **scope), ids, values, start), frequency)
    check_same(filtered(oc.filters.presence_penalty(0.5, **scope), ids, values, start), presence)
    check_same(filtered(oc.filters.repetition_penalty(2.0, **scope), ids, values, start), divided)


@given(LOGITS)
def test_a_late_temperature_divides_what_is_left(values):
    filters = [oc.filters.temperature(2.5)]
    [after] = [each(PlainRow([1]), with_stop(values)) for each in filters]
    assert torch.allclose(torch.softmax(after, -1), torch.softmax(with_stop(values) / 2.5, -1), atol=1e-6)
    assert oc.filters.temperature(1e-300)(PlainRow([1]), values.clone()).max() == 0.0


@given(st.integers(0, 99))
def test_xtc_throws_its_coin_by_the_seed_the_lineage_and_the_position_alone(seed):
    values = torch.zeros(SIZE + 1)
    values[3:5] = torch.tensor([4.0, 5.0])
    each = oc.filters.xtc(0.3, 0.1)

    def applies(length: int, seed: int, lineage: tuple[int, ...] = (0,)) -> bool:
        row: Any = PlainRow([1] * length, seed=seed, lineage=lineage)
        return bool(each(row, values.clone())[4] == -torch.inf)

    coins = [applies(n, seed) for n in range(1, 200)]
    assert coins == [applies(n, seed) for n in range(1, 200)]
    assert coins != [applies(n, seed + 1) for n in range(1, 200)]
    assert coins != [applies(n, seed, (1,)) for n in range(1, 200)]
    assert 0.15 < sum(coins) / len(coins) < 0.45


# -- what is left of a law --------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(
    REPETITIVE,
    st.sets(st.integers(1, SIZE), min_size=1, max_size=4),
    st.sampled_from([1e38, -1e38, 3.0]),
    st.integers(1, 3),
)
def test_no_penalty_takes_the_last_candidate_that_the_constraint_allows(ids, allowed, penalty, size):
    logits = torch.full((SIZE + 1,), -torch.inf)
    logits[sorted(allowed)] = torch.linspace(-30, 30, len(allowed))
    for each in (
        oc.filters.presence_penalty(penalty, prompt=True),
        oc.filters.frequency_penalty(penalty, prompt=True),
        oc.filters.repetition_penalty(abs(penalty)),
        oc.filters.no_repeat_ngram(size),
        oc.filters.sequence_bias({(token,): -torch.inf for token in range(SIZE)}),
        oc.filters.dry(abs(penalty), 3.0, 1),
        oc.filters.xtc(1.0, 0.01),
    ):
        after = each(PlainRow(ids), logits.clone())
        assert (after > -torch.inf).any() and not (after == torch.inf).any() and not after.isnan().any(), each
        assert not (after[logits == -torch.inf] > -torch.inf).any(), each


def test_what_must_be_repeated_is_repeated() -> None:
    once = oc.samplers.multinomial(filters=[oc.filters.no_repeat_ngram(1)])
    again = oc.generate.regex(shipped_model(), "(ab){4}", once, forced="never")
    assert again("The ", seed=0) == "abababab"


# -- laws -------------------------------------------------------------------------------------------------------------

F = oc.filters
PENALTIES = {
    "presence": F.presence_penalty(1.5),
    "frequency": F.frequency_penalty(0.7, prompt=True),
    "repetition": F.repetition_penalty(1.5, prompt=False, exempt=["."]),
    "last": F.repetition_penalty(1.5, last=4),
    "ngram": F.no_repeat_ngram(2),
    "bias": F.sequence_bias({(" is", " a"): -3.0, (" the",): 1.0}),
    "dry": F.dry(1.0, allowed_length=1),
    "xtc": F.xtc(0.5, 0.05),
    "temperature": F.temperature(1.7),
}
PROMPTS = ["The sky is", "Mira is a painter. Mira is a", "Q: Who is who is who is"]


@pytest.mark.parametrize("name", PENALTIES)
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**40), st.integers(1, 7), st.permutations(range(3)))
def test_rows_with_penalties_follow_the_laws_of_slices_and_of_batches(name, seed, cut, order):
    sampler = oc.samplers.multinomial(samples=2, min_p=0.01, filters=[PENALTIES[name]])
    step = oc.continuous(oc.generate.text(shipped_model(), sampler), name="text")
    start = shipped_model().state(PROMPTS)
    whole = step(start, max_tokens=8, seed=seed)
    some = list(order)[: 1 + cut % 3]
    assert step(start[some, :, :], max_tokens=8, seed=seed) == whole[some, :, :]
    shorter = whole.crop([[len(row) + cut] * 2 for [row] in start.rows])
    assert step.resume(shorter, max_tokens=8 - cut, seed=seed) == whole
    assert torch.allclose(whole.rescore().logprobs, whole.logprobs, atol=1e-3)


def test_the_order_of_filters_is_that_in_which_they_are_written() -> None:
    row, logits = PlainRow([1, 1, 2]), with_stop(torch.full((SIZE,), 2.0))
    halved, taken = F.repetition_penalty(2.0), F.presence_penalty(1.0, prompt=True)
    assert taken(row, halved(row, logits.clone()))[1] == 0.0
    assert halved(row, taken(row, logits.clone()))[1] == 0.5


@pytest.mark.parametrize(
    "make",
    [
        lambda: F.presence_penalty(float("nan")),
        lambda: F.frequency_penalty("much"),
        lambda: F.repetition_penalty(1.2, last=0),
        lambda: F.repetition_penalty(1.2, prompt=1),
        lambda: F.presence_penalty(1.0, exempt="abc"),
        lambda: F.presence_penalty(1.0, exempt=[1.5]),
        lambda: F.no_repeat_ngram(0),
        lambda: F.sequence_bias({}),
        lambda: F.sequence_bias({"ab": 1.0}),
        lambda: F.sequence_bias({(None, 1): 1.0}),
        lambda: F.sequence_bias({(1,): float("inf")}),
        lambda: F.dry(-1.0),
        lambda: F.dry(1.0, base=0.5),
        lambda: F.dry(1.0, allowed_length=0),
        lambda: F.dry(1.0, breakers="\n"),
        lambda: F.dry(1.0, breakers=[""]),
        lambda: F.dry(1.0, breakers=["\ud800"]),
        lambda: F.xtc(1.5),
        lambda: F.xtc(0.5, 0.0),
        lambda: F.temperature(0),
        lambda: oc.samplers.greedy(filters=[F.dry]),
        lambda: oc.samplers.beam_search(2, filters=[F.dry(1.0)]),
    ],
)
def test_wrong_options_of_penalties_are_refused(make):
    with pytest.raises((TypeError, ValueError)):
        make()
