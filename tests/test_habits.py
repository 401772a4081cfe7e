"""States are no texts, numbers or functions: what is right for one row works, and the rest says what to write."""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Pair, base_states, shipped_model

import outlines_cont as oc

pairs = st.sampled_from(range(len(base_states()))).map(lambda number: base_states()[number])


@settings(deadline=None)
@given(pairs, st.sampled_from(["", ">40", "<3", "^20", ".3"]))
def test_only_a_state_of_one_row_is_formatted(pair: Pair, specification: str) -> None:
    state = pair[0]
    if state.shape[:2] == (1, 1) and len(state) == 1:
        assert format(state, specification) == format(list(state)[0], specification)
        assert f"{state}\nQ:" == list(state)[0] + "\nQ:"
        return
    with pytest.raises(TypeError, match=re.escape(f"{state.shape[0]} × {state.shape[1]} rows ({len(state)} live)")):
        format(state, specification)
    assert f"{state!s}" == str(state)


@settings(deadline=None)
@given(pairs, st.text("aeilns ,.é", max_size=3), st.integers(0, 9), st.integers(0, 9))
def test_in_finds_a_text_in_any_row(pair: Pair, text: str, begin: int, length: int) -> None:
    state = pair[0]
    assert (text in state) == any(text in string for string in state)
    for string in state:
        assert string[begin : begin + length] in state and string in state
    for other in (3, None, b"a", state, ["a"]):
        with pytest.raises(TypeError, match="in state: a text is looked for in its rows, not"):
            operator.contains(state, other)


@settings(deadline=None)
@given(pairs)
def test_a_row_of_the_table_begins_with_its_key(pair: Pair) -> None:
    """And in pictures: what stands there selects the row."""
    state = pair[0]
    pictures = [state.html(rows=99), state.tree(rows=99), oc.compare(state, state).html(rows=99)]
    labels = [re.findall(r"(?:<div[^>]*>|<title>|\n)(\[\d[^\]]*\]):? ", picture) for picture in pictures]
    grid = {f"[{b}, {s}, :]" for b in range(state.shape[0]) for s in range(state.shape[1])}
    heads = {f"[{b}, :, :]" for b in range(state.shape[0])}  # of several trees
    assert {*labels[0]} == {*labels[2]} == grid and grid | heads >= {*labels[1]}
    for label in grid:
        assert eval(f"state{label}", {"state": state}).shape[:2] == (1, 1)
    row = state[0, 0, :]
    for at, token in re.findall(r'title="(\[\.[^\]]*\]) token (\d+)', row.html(tokens=999)):
        assert eval(f"row{at}", {"row": row}).token_ids[0, 0].tolist() == [int(token)]
    if state.shape[:2] == (1, 1) and len(state):
        return
    for line in str(state).splitlines()[1:]:
        if line.startswith("…"):
            continue
        key, _, _ = line.partition("]")
        row = eval(f"state{key}]", {"state": state})
        ending = str(row) if len(row) else ""
        assert row.shape[:2] == (1, 1) and line.endswith(repr(ending)[1:-1][-20:])
    compared = oc.compare(state, state)
    for line in str(compared).splitlines():
        if line.startswith("["):
            assert eval(f"state{line.partition(']')[0]}]", {"state": state}).shape[:2] == (1, 1)


def test_a_state_equals_states_only_and_says_so_once() -> None:
    state = shipped_model().state("The sky is")
    for other in ("The sky is", b"x", ["The sky is"], ("The sky is",), torch.zeros(1), np.zeros(1)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(3):
                assert state.__eq__(other) is False
            assert len(caught) == 1 and "list(state) == ['…']" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert state != None and state != 3 and state == state and state in [state]  # noqa: E711
        assert {state: 1, "The sky is": 2}[state] == 1 and state == AnyState()


class AnyState:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, oc.SequenceState)


TIMES = r"state\.fork\(n\).*oc\.cat\(\[state\] \* n, 0\)"
HABITS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda s: s(), r"step\(state\)"),
    (lambda s: s("text", seed=1), r"step\(state\)"),
    (lambda s: s * 2, TIMES),
    (lambda s: 2 * s, TIMES),
    (lambda s: np.int64(2) * s, TIMES),
    (lambda s: s - "text", r"state\[\.\.\., :-n\]"),
    (lambda s: "text" - s, r"state\[\.\.\., :-n\]"),
    (lambda s: sorted([s, s]), "states have no order: .*key="),
    (lambda s: max(s, s), "states have no order: .*key="),
    (lambda s: s >= "a", "states have no order: .*key="),
    (lambda s: operator.setitem(s, 0, "a"), "without item assignment or deletion"),
    (lambda s: operator.delitem(s, 0), "without item assignment or deletion"),
]


@pytest.mark.parametrize("number", range(len(HABITS)))
def test_what_a_state_is_not_says_what_to_write(number: int) -> None:
    use, message = HABITS[number]
    with pytest.raises(TypeError, match=message):
        use(shipped_model().state("The sky is"))


def test_a_state_is_taken_for_no_function() -> None:
    model = shipped_model()
    state, text = model.state("The sky is"), oc.generate.text(model)
    step = oc.continuous(text)
    doors = [
        lambda: step >> state,
        lambda: state.map(state),
        lambda: state.pick(state),
        lambda: text(state, draft=state, max_tokens=1),
        lambda: text(state, hooks=[state], max_tokens=1),
        lambda: oc.generate.control(model, state),
        lambda: oc.generate.text(model, where=state),
        lambda: oc.generate.text(model, oc.samplers.greedy(filters=[state]))("x", max_tokens=1),
    ]
    for door in doors:
        with pytest.raises(TypeError):
            door()


def noted(**options: Any) -> oc.SequenceState:
    step = oc.continuous(oc.generate.text(shipped_model(), oc.samplers.greedy()))
    return step("The sky is", max_tokens=2, **options)


@pytest.mark.parametrize("member", ["candidates", "stop_candidates", "alternatives", "stop_alternatives"])
def test_what_no_call_was_asked_to_keep_says_so(member: str) -> None:
    name = member.removeprefix("stop_")
    plain, asked = noted(), noted(keep=oc.Keep(**{name: 2}))
    with pytest.warns(UserWarning, match=rf"state\.kept\.{name}: none were kept in any row.*keep=oc.Keep\({name}=5\)"):
        getattr(plain.kept, member)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for state in (asked, oc.cat([plain, asked], 0), shipped_model().state("The sky is"), plain[..., :4]):
            getattr(state.kept, member)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("x.html", "state.html().save('x.html')"),
        ("x.HTM", "state.html().save('x.HTM')"),
        ("x.svg", "state.tree().save('x.svg')"),
        ("a/x.png", "state.tree().save('a/x.png')"),
        ("x.txt", "Path('x.txt').write_text('\\n'.join(state))"),
        ("x.csv", "state.to_pandas()"),
        ("x.jsonl", "state.to_pandas()"),
    ],
)
def test_a_state_is_not_saved_under_the_name_of_something_else(name: str, advice: str, tmp_path: Path) -> None:
    state = shipped_model().state("The sky is")
    with pytest.raises(ValueError, match=re.escape(advice)):
        state.save(name)
    (tmp_path / "a").mkdir()
    with pytest.raises(ValueError, match=r"oc\.load_state"):
        state.save(tmp_path / name)
    assert not any(path.is_file() for path in tmp_path.rglob("*"))
    for other in ("x.safetensors", "x", "x.state", "x.html.safetensors"):
        state.save(tmp_path / other)
        assert oc.load_state(tmp_path / other, state.model) == state


def test_what_users_hold_says_what_it_is() -> None:
    model = shipped_model()
    colour = oc.continuous(oc.generate.choice(model, [" blue", " red"]), name="colour")
    state, law = colour("The sky is", seed=0), model.next("The sky is", colour.generator)
    mapped = oc.map(colour, ["a"], seed=3)
    held = [
        *(model, model.stats, model.vocabulary, state, state.captures, state.chars, state.spans[0][0][0], law, mapped),
        *(
            colour,
            colour.generator,
            "a" >> colour,
            oc.scores.scoring(model, ["a"]),
            oc.compare(state, state),
            state.html(),
        ),
        *(oc.drafts.lookup(), oc.samplers.smc(2), oc.samplers.beam_search(2)),
    ]
    for thing in held:
        assert " object at 0x" not in repr(thing), type(thing)
    assert repr(state.captures) == f"Captures({{'colour': {state.captures['colour']}}})"
    assert repr(mapped) == "<results of oc.map: 0 given so far, 0 found; seed=3>"


def test_a_name_that_is_not_there_names_the_one_that_was_meant() -> None:
    model = shipped_model()
    colour = oc.continuous(oc.generate.choice(model, [" blue", " red"]), name="colour")
    other = oc.continuous(oc.generate.choice(model, [" blue", " red"]), name="color")
    state = colour("The sky is", seed=0)
    for look in (
        lambda: state.captures["color"],
        lambda: state.up_to("blue", span="color"),
        lambda: other.resume(state[..., :-1]),
    ):
        with pytest.raises((KeyError, ValueError), match=r"\(did you mean 'colour'\?\)"):
            look()
    with pytest.raises(ValueError, match=r"no setting 'topk' \(did you mean 'top_k'\?\)"):
        oc.samplers.from_config(model, ignore=["topk"])
    with pytest.raises(ValueError, match="no setting 't'"):
        oc.samplers.from_config(model, ignore="top_k")
