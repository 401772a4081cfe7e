"""`state[...]` against numpy on an object array, and what its errors say."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import axis_keys, base_states, check, indexed, keys, shipped_model, slices

import outlines_cont as oc


@cache
def grid(b: int, s: int) -> oc.SequenceState:
    """Row (i, j) is ten tokens: 100 * i + 10 * j + 0 … 9."""
    model = shipped_model()
    columns = [model.state([[100 * i + 10 * j + k for k in range(10)] for i in range(b)]) for j in range(s)]
    return oc.cat(columns, 1)


def array(state: oc.SequenceState) -> np.ndarray:
    return state.token_ids.numpy()


SHAPES = st.sampled_from([(1, 1), (1, 3), (3, 1), (2, 3)])


@settings(max_examples=300, deadline=None)
@given(SHAPES, st.data())
def test_the_three_axes_are_numpys(shape: tuple[int, int], data: st.DataObject) -> None:
    """Each key by itself does what numpy does along its axis; lists select the outer product; no axis goes away."""
    state = grid(*shape)
    (batch, bs), (sample, ss) = data.draw(axis_keys(shape[0])), data.draw(axis_keys(shape[1]))
    token = data.draw(slices(10) | st.integers(-10, 9))
    columns = np.atleast_1d(np.arange(10)[token])
    expected = array(state)[np.ix_(bs, ss, columns)]
    if not bs or not ss:
        expected = expected[..., :0]  # T is the longest row, and there is none
    result = state[batch, sample, token]
    assert isinstance(result, oc.SequenceState) and result.shape == expected.shape
    np.testing.assert_array_equal(array(result), expected)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(range(9)), st.data())
def test_every_way_of_writing_a_key(base: int, data: st.DataObject) -> None:
    """`...` fills as in numpy, and leading axes of size 1 may be left out; on ragged rows and with dead ones."""
    state, plain = base_states()[base]
    key = data.draw(keys(plain))
    check(state[key.written], indexed(plain, key.batch, key.sample, key.token))


@settings(max_examples=300, deadline=None)
@given(st.data(), SHAPES, st.sampled_from(["batch", "sample", "token"]))
def test_an_int_out_of_range_raises_and_a_slice_clips(data: st.DataObject, shape: tuple[int, int], axis: str) -> None:
    state = grid(*shape)
    place = ["batch", "sample", "token"].index(axis)
    size = state.shape[place]
    far = data.draw(st.integers(size, size + 50) | st.integers(-size - 50, -size - 1))
    key: list[Any] = [slice(None)] * 3
    key[place] = far
    with pytest.raises(IndexError, match=rf"{axis} {far} is out of range .* {size}"):
        state[tuple(key)]
    key[place] = slice(far, None) if far > 0 else slice(None, far)
    assert state[tuple(key)].shape[place] == 0
    key[place] = slice(None, far) if far > 0 else slice(far, None)
    assert state[tuple(key)] is state


def test_rows_of_different_lengths_are_sliced_each_by_its_own() -> None:
    state = shipped_model().state([[1, 2, 3], [4], []])
    assert state[..., -2:] == shipped_model().state([[2, 3], [4], []])
    assert state[..., ::-1] == shipped_model().state([[3, 2, 1], [4], []])
    with pytest.raises(IndexError, match="token 0 is out of range for a row of 0 tokens"):
        state[..., 0]
    with pytest.raises(IndexError, match="token -2 is out of range for a row of 1 tokens"):
        state[:2, -2]


def test_nothing_selected_is_a_state_of_nothing() -> None:
    state = grid(2, 3)
    for key, shape in [
        ((slice(0, 0), slice(None), slice(None)), (0, 3, 0)),
        (([], [], slice(None)), (0, 0, 0)),
        ((0, slice(3, None), slice(None)), (1, 0, 0)),
        ((..., slice(0, 0)), (2, 3, 0)),
    ]:
        empty = state[key]
        assert empty.shape == shape
        for tensor in (empty.token_ids, empty.attention_mask, empty.logprobs, empty.proposal_logprobs):
            assert tensor.shape == shape
        for tensor in (empty.lengths, empty.weights, empty.scores, empty.kv.lengths):
            assert tensor.shape == shape[:2]
        assert len(empty) == len(list(empty)) == shape[0] * shape[1]
        assert (empty + "" is empty) and repr(empty) and (empty == state[key]) and hash(empty) == hash(state[key])
    assert state[0:0, :, :][:, :2, :].shape == (0, 2, 0)
    assert state[:, 0:0, :][:1, :, :].shape == (1, 0, 0)


def test_what_selects_everything_is_the_same_object() -> None:
    for shape in [(1, 1), (2, 3)]:
        state = grid(*shape)
        assert state[...] is state[:, :, :] is state[..., :] is state[[*range(shape[0])], ..., 0:99] is state


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 3)])
@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_too_few_or_too_many_keys_are_answered_with_those_that_fit(shape: tuple[int, int], count: int) -> None:
    state = grid(*shape)
    short = {(1, 1): {1, 2}, (1, 3): {2}, (3, 1): {2}, (2, 3): set()}[shape]
    key = (slice(None),) * count
    if count in short:
        assert state[key] is state
        return
    with pytest.raises(IndexError) as caught:
        state[key]
    message = str(caught.value)
    assert f"state[{', '.join([':'] * count)}]" in message and str(state.shape) in message
    assert "state[batch, sample, token]" in message and "state[..., token]" in message
    assert ("state[token]" in message) == (shape == (1, 1))
    assert ("state[sample, token]" in message) == (shape[0] == 1)
    assert ("state[batch, token]" in message) == (shape == (3, 1))
    if count in (1, 2):  # the lines that it names are other keys of the same state, and fit
        lines = re.findall(r"state(\[[^]]*\])", message.partition(": here ")[2])
        assert len(lines) == 3 - count
        assert all(eval(f"state{line}") is state for line in lines)


@pytest.mark.parametrize(
    ("shape", "key", "here"),
    [
        ((3, 1), slice(2), "state[:2, :, :] (batch) or state[..., :2] (tokens)"),
        ((1, 3), slice(-2, None), "state[:, -2:, :] (sample) or state[..., -2:] (tokens)"),
        ((2, 3), [1, 0], "state[[1, 0], :, :] (batch)"),
        ((2, 3), (0, slice(2)), "state[0, :2, :]"),
    ],
)
def test_keys_that_do_not_fit_are_written_out(shape: tuple[int, int], key: Any, here: str) -> None:
    with pytest.raises(IndexError) as caught:
        grid(*shape)[key]
    assert str(caught.value).endswith(f": here {here}")


BAD: list[tuple[Any, str]] = [
    ("a", r"state\['a'\]: the keys are \[batch, sample, token\]; .* in state.captures\['a'\]"),
    (None, r"state\[None\] does not fit"),
    ((0, 0, None), "token key is None"),
    ((None, 0, 0), "batch key is None"),
    ((0, "b", 0), "sample key is 'b'"),
    ((0, 0, 1.5), r"token key is 1.5 \(float\); use an int or a slice"),
    ((1.0, 0, 0), r"batch key is 1.0 \(float\)"),
    ((0, 0, [1, 2]), r"token key is \[1, 2\] \(list\); use an int or a slice"),
    ((0, 0, torch.tensor([1])), "token key is"),
    ((0, 0, np.array([1, 2])), "token key is"),
    ((0, 0, True), "token key is True"),
    ((True, 0, 0), "batch key is True"),
    (([True], 0, 0), "batch mask has 1 entries; the axis has 2"),
    ((0, torch.tensor([True, False]), 0), "sample mask has 2 entries; the axis has 3"),
    ((torch.tensor([], dtype=torch.bool), 0, 0), "batch mask has 0 entries; the axis has 2"),
    (([True, 1], 0, 0), "batch key is True"),
    ((np.array([0.0, 1.0]), 0, 0), "batch key"),
    ((torch.tensor([[0, 1]]), 0, 0), "batch key has 2 dimensions"),
    (([[0, 1]], 0, 0), r"batch key is \[0, 1\]"),
    (([0, 2], 0, 0), "batch 2 is out of range for an axis of size 2"),
    ((..., ..., 0), "holds '...' twice"),
    ((..., 0, 0, 0, 0), "does not fit"),
    (({0}, 0, 0), "batch key is {0}"),
]


@pytest.mark.parametrize(("key", "message"), BAD, ids=[message for _, message in BAD])
def test_a_wrong_key_is_named(key: Any, message: str) -> None:
    with pytest.raises(IndexError, match=message):
        grid(2, 3)[key]


def test_wrong_slices_are_what_they_are_for_lists() -> None:
    with pytest.raises(ValueError, match="slice step cannot be zero"):
        grid(1, 1)[::0]
    with pytest.raises(TypeError, match="slice indices must be integers"):
        grid(1, 1)["a":]  # type: ignore[misc]


def test_reversed_and_item_assignment_do_not_exist() -> None:
    state = grid(2, 3)
    with pytest.raises(TypeError, match="not reversible"):
        reversed(state)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="item assignment"):
        state[0, 0, 0] = 1  # type: ignore[index]
