"""What `score` takes and gives: texts for each row, token ids, windows, lengths in bytes and characters, `greedy`."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import toy_model
from test_score import ALL_AT_ONCE, Ids, appended, law, plain, states

import outlines_cont as oc
from outlines_cont.scores import score as continuations

CONTEXT = 64  # of the toy model
TEXT = st.text("abc1é", max_size=6)
NORMALIZATIONS = ["sum", "mean", "bytes", "characters", "unconditional"]


@settings(max_examples=40)
@given(data=st.data(), stop=st.booleans(), normalize=st.sampled_from(NORMALIZATIONS))
def test_texts_of_each_row_score_as_in_a_call_of_their_own(data: st.DataObject, stop: bool, normalize: Any) -> None:
    """Lists of different lengths, by batch row or by row, some as token ids: each row as if it were alone, and −inf in
    the places of texts that it lacks. All rows together compute each token once."""
    model = toy_model(data.draw(st.integers(0, 2)))
    state = data.draw(states(model))
    batch, samples, _ = state.shape
    by_row = data.draw(st.booleans())
    draw_texts = st.lists(TEXT, min_size=1, max_size=3)
    texts = [[data.draw(draw_texts) for _ in range(samples)] for _ in range(batch)]
    if not by_row:
        texts = [[rows[0]] * samples for rows in texts]
    as_ids = data.draw(st.booleans())

    def item(text: str, b: int, s: int) -> Any:
        ids = appended(state, text)[b][s]
        return data.draw(st.sampled_from([list(ids), ids, torch.tensor(ids, dtype=torch.long), np.array(ids, int)]))

    if as_ids and by_row:
        given_texts: Any = [
            [[item(t, b, s) for t in row] for s, row in enumerate(rows)] for b, rows in enumerate(texts)
        ]
    else:
        given_texts = texts if by_row else [rows[0] for rows in texts]
    rows = [row for group in state.rows for row in group]
    held = {row.ids[: n + 1] for row, kv in zip(rows, state.kv.lengths.flatten(), strict=True) for n in range(kv)}
    model.stats.reset()
    scored = oc.score(state, given_texts, stop=stop, normalize=normalize, detail=True)
    counted, needed = model.stats.tokens, set[Ids]()
    most = max(len(row) for rows in texts for row in rows)
    assert scored.scores.shape == scored.greedy.shape == (batch, samples, most)
    for b, s in itertools.product(range(batch), range(samples)):
        count = len(texts[b][s])
        for k, text in enumerate(texts[b][s]):
            ids = appended(state, text)[b][s]
            for context in (state.rows[b][s].ids, *[(model.vocabulary.eos[0],)] * (normalize == "unconditional")):
                read = (context + ids)[: len(context) + len(ids) - (not stop)] if ids or stop else ()
                needed |= {read[: n + 1] for n in range(len(read))}
            alone = oc.score(state[b : b + 1, s : s + 1, :], text, stop=stop, normalize=normalize)
            assert scored.scores[b, s, k].item() == pytest.approx(alone.item(), abs=1e-3)
        assert scored.scores[b, s, count:].tolist() == [-math.inf] * (most - count)
        assert scored.tokens[b][s][count:] == [()] * (most - count) and not scored.greedy[b, s, count:].any()
    assert counted == len(needed - held)


@settings(max_examples=30)
@given(data=st.data(), texts=st.lists(TEXT, min_size=1, max_size=4), stop=st.booleans())
def test_greedy_says_which_texts_greedy_decoding_writes(data: st.DataObject, texts: list[str], stop: bool) -> None:
    """Each token against the argmax of a plain forward; and the text that greedy decoding writes is greedy."""
    model = toy_model(data.draw(st.integers(0, 2)))
    state = data.draw(states(model))
    scored = oc.score(state, texts, stop=stop, detail=True)
    for k, text in enumerate(texts):
        spelled = appended(state, text)
        for b, s in itertools.product(*map(range, state.shape[:2])):
            row, ids = state.rows[b][s].ids, spelled[b][s]
            best = [int(law(model, row + ids[:n]).argmax()) for n in range(len(ids) + stop)]
            expected = [token == here for token, here in zip(ids, best, strict=False)]
            expected += [best[-1] in model.vocabulary.eos] if stop else []
            assert [token.greedy for token in scored.tokens[b][s][k]] == expected
            assert bool(scored.greedy[b, s, k]) == all(expected)
    row = state.rows[0][0].ids
    written: Ids = ()
    for _ in range(3):
        written += (int(law(model, row + written).argmax()),)
    assert oc.score(state[:1, :1, :], [list(written)], detail=True).greedy.tolist() == [[[True]]]


def windowed(model: oc.Model, context: Ids, ids: Ids, stop: bool, step: int) -> tuple[list[float], set[Ids]]:
    """The log-probability of each token, and of the stop, by the rule as `score` states it, one forward for each; and
    the prefixes that windows read."""
    tokens, count = context + ids, len(ids) + stop
    room = max(CONTEXT - len(context) + 1, 0)  # of the first window
    logprobs, read = [], set[Ids]()
    for n in range(count):
        end = min(room, count) if n < room else min(room + ((n - room) // step + 1) * step, count)
        begin = max(len(context) + end - 1 - CONTEXT, 0)
        before = tokens[begin : len(context) + n]
        probabilities = law(model, before)
        last = probabilities[list(model.vocabulary.eos)].logsumexp(-1)
        logprobs.append((probabilities[ids[n]] if n < len(ids) else last).item())
        read |= {before[: size + 1] for size in range(len(before))}
    return logprobs, read


@settings(max_examples=25)
@given(
    data=st.data(),
    step=st.one_of(st.sampled_from([1, 7, 63, CONTEXT]), st.integers(1, CONTEXT)),
    stop=st.booleans(),
    normalize=st.sampled_from(NORMALIZATIONS),
    at_once=st.sampled_from([1000, ALL_AT_ONCE]),
)
def test_windows_score_texts_longer_than_the_context(
    data: st.DataObject, step: int, stop: bool, normalize: Any, at_once: int
) -> None:
    """Every token by the stated rule; each prefix that a window reads is computed once; the state's stay, others go."""
    model = toy_model()
    state = model.state(["ab", "x" * data.draw(st.integers(1, 90))])  # some are longer than the context alone
    letters = st.text("abc", min_size=1, max_size=30)
    texts = [data.draw(letters) * data.draw(st.integers(1, 5)) for _ in range(data.draw(st.integers(1, 2)))]
    spelled = [[model.encoder.append(text) for text in texts]] * 2
    model.stats.reset()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuations, "LOGITS_AT_ONCE", at_once)
        scores = oc.score(state, texts, stop=stop, normalize=normalize, windows=step)
    counted, kept = model.stats.tokens, model.stats.kv_bytes
    needed: set[Ids] = set()
    start = (model.vocabulary.eos[0],)
    for (b, [row]), (k, text) in itertools.product(enumerate(state.rows), enumerate(texts)):
        ids = tuple(spelled[b][k])
        logprobs, read = windowed(model, row.ids, ids, stop, step)
        needed |= read
        expected = math.fsum(logprobs)
        if normalize == "unconditional":
            logprobs, read = windowed(model, start, ids, stop, step)
            needed |= read
            expected -= math.fsum(logprobs)
        divisors = {"mean": len(ids) + stop, "bytes": len(text.encode()), "characters": len(text)}
        assert scores[b, 0, k].item() == pytest.approx(expected / divisors.get(normalize, 1), abs=2e-3)
    assert counted == len(needed)
    of_rows = {row.ids[: n + 1] for [row] in state.rows for n in range(len(row))}
    assert kept == len(of_rows & needed) * model.tree.pool.slot_bytes


def test_windows_change_nothing_where_a_text_fits() -> None:
    model = toy_model()
    state = model.state(["ab", "x" * 60])
    texts = ["abc", ""]
    assert oc.score(state, texts, windows=3).equal(oc.score(state, texts))
    long = "abc" * 20
    ids = model.encoder.append(long)
    assert len(ids) + 60 > CONTEXT
    one_more = ids[: CONTEXT + 1 - 60]  # its last token need not be read
    expected = math.fsum(plain(model, state.rows[1][0].ids, tuple(one_more), stop=False))
    assert oc.score(state[1:, :, :], [list(one_more)], windows=1).item() == pytest.approx(expected, abs=1e-4)


@given(texts=st.lists(st.text("aé€🦙\x00b", max_size=5), min_size=1, max_size=4), stop=st.booleans())
@settings(max_examples=30)
def test_lengths_are_those_of_the_text(texts: list[str], stop: bool) -> None:
    """In bytes and in characters, of a str and of the ids that spell it; the stop has none."""
    model = shipped_model()
    state = model.state(["Mira is", "a"])
    total, kept = (oc.score(state, texts, stop=stop, seam=seam) for seam in ("auto", "keep"))
    ids = [[[list(ids) for ids in (appended(state, text)[b][0] for text in texts)]] for b in range(2)]
    for name, size in (("bytes", lambda text: len(text.encode())), ("characters", len)):
        divisor = torch.tensor([max(size(text), 1) for text in texts])
        for given_texts, expected in ((texts, total), (ids, kept)):
            scores = oc.score(state, given_texts, stop=stop, normalize=name)  # type: ignore[call-overload]
            assert torch.allclose(scores, expected / divisor, atol=1e-9)


def test_of_characters_spelled_in_part_those_count_whose_first_byte_is_there() -> None:
    model = shipped_model()
    state = model.state("Mira is")
    [[ids]] = appended(state, "🦙")
    assert len(ids) > 1
    total = oc.score(state, [list(ids), list(ids[:1]), list(ids[1:])], normalize="sum")
    by_character = oc.score(state, [list(ids), list(ids[:1]), list(ids[1:])], normalize="characters")
    assert torch.allclose(total, by_character, atol=1e-9)  # one, one, and none
    special = [model.vocabulary.eos[0]]
    assert oc.score(state, [special], normalize="bytes").equal(oc.score(state, [special]))


def test_shapes() -> None:
    """Which text of a nesting stands after which row: by what each row alone gives."""
    model = toy_model()
    state = model.state(["ab", "xy", "x"]).fork(2)
    alone = {text: oc.score(state, text) for text in ("a", "b", "c")}
    by_batch_row = oc.score(state, [["a", "b"], ["c"], ["b", "a"]])
    assert by_batch_row.shape == (3, 2, 2)
    assert by_batch_row[0, :, 1].tolist() == pytest.approx(alone["b"][0, :, 0].tolist(), abs=1e-4)
    assert by_batch_row[1, :, 0].tolist() == pytest.approx(alone["c"][1, :, 0].tolist(), abs=1e-4)
    by_row = oc.score(state, [[["a"], ["b"]], [["c"], ["a"]], [["b"], ["c"]]])
    assert by_row.shape == (3, 2, 1)
    assert by_row[2, 1, 0].item() == pytest.approx(alone["c"][2, 1, 0].item(), abs=1e-4)
    [a], [b] = model.encoder.append("a"), model.encoder.append("b")
    ids = torch.tensor([[a, b], [b, a]])
    assert oc.score(state, torch.tensor([a, b])).shape == (3, 2, 1)  # one text
    assert oc.score(state, ids).shape == (3, 2, 2)  # [K, T]
    assert oc.score(state, ids.expand(3, 4, 2, 2)[:, :, 0]).shape == (3, 2, 4)  # [B, K, T]
    assert oc.score(state, ids.expand(3, 2, 2, 2)).shape == (3, 2, 2)  # [B, S, K, T]
    assert oc.score(state, [[], [a]]).tolist() == oc.score(state, ["", "a"]).tolist()  # [] is a text without tokens
    assert oc.score(state[:, [], :], [["a"], ["b", "c"], ["a"]]).shape == (3, 0, 2)


def test_what_is_refused() -> None:
    model = toy_model()
    state = model.state(["ab", "xy"])
    long = model.state("x" * 60)
    wrong: Any
    for wrong, error, message in [
        (
            [["a"], ["b"], ["c"]],
            ValueError,
            r"texts has length 3, but the state has 2 batch rows.*one list for each batch row",
        ),
        ([[["a"]], [["b"], ["c"]]], ValueError, r"texts\[1\] has length 2, but the state has 1 sample:.*each sample"),
        ([["a"], []], ValueError, r"texts\[1\] is empty"),
        ([["a"], "b"], TypeError, r"texts\[1\] is 'b', where others are lists of texts"),
        ([["a"], [["b"]]], TypeError, r"texts\[0\]\[0\] is 'a', where others are lists of texts"),
        ([[[["a"]]], [[["b"]]]], ValueError, r"nested 4 deep"),
        ([[model.vocabulary.eos[0], 10**6]], ValueError, r"texts\[0\] has token id 1000000, outside the vocabulary"),
        ([[-1]], ValueError, r"texts\[0\] has token id -1"),
        (["a", [1.5]], TypeError, r"texts\[1\] is \[1.5\] \(list\), not a str, and not a list of token ids"),
        ([[True, False]], TypeError, r"texts\[0\]"),
        (torch.tensor([1.5]), TypeError, r"1.5"),
        (torch.tensor(1), TypeError, r"not Tensor"),
        ({"a": 1}, TypeError, r"not dict"),
    ]:
        with pytest.raises(error, match=message):
            oc.score(state, wrong)
    for windows, error in ((0, ValueError), (CONTEXT + 1, ValueError), ("all", TypeError), (True, TypeError)):
        with pytest.raises(error, match=r"windows=.* from 1 to the model's context length"):
            oc.score(state, "a", windows=windows)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="windows= reads longer texts in parts"):
        oc.score(long, "b" * 5)
