"""Controllers of several rows: they wait for each other, and one function says how they go on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import enumerate_law, spanned, toy_model

import outlines_cont as oc

GREEDY, DRAW = oc.samplers.greedy(), oc.samplers.multinomial
Rows = tuple[oc.steer.Writing, ...]
Together = Callable[[Rows], dict[oc.steer.Writing, list[oc.steer.Branch]]]
PATTERNS = ["(ab|ba|cc)[abc]{2}", "[ab]{4}", "(abc|bca|cab){2}", "(12|21)[ab](1|2)"]


@cache
def guide_of(pattern: str) -> Any:
    return oc.generate.regex(toy_model(), pattern).constraint.guide


@cache
def legal(pattern: str, state: Any) -> list[int]:
    guide, special = guide_of(pattern), toy_model().vocabulary.special
    going = (t for t in range(len(guide.vocabulary)) if t not in special)
    return [t for t in going if guide.advance(state, t) is not None]


def beam_search(pattern: str, beams: int) -> Together:
    """As a user writes it: every row is forked into all that may follow, and the likeliest go on."""
    guide = guide_of(pattern)

    def controller(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        answers: dict[oc.steer.Writing, list[oc.steer.Branch]] = {}
        going = 0
        for row in sorted(rows, key=lambda row: -row.weight):
            state = guide.initial if row.memory is None else row.memory
            if row.finished or (going < beams and guide.complete(state)):
                answers[row] = []
            elif going < beams:
                going += 1
                answers[row] = [
                    oc.steer.Branch(forced=[t], memory=guide.advance(state, t)) for t in legal(pattern, state)
                ]
        return answers

    return controller


@settings(max_examples=12, deadline=None)
@given(pattern=st.sampled_from(PATTERNS), beams=st.integers(1, 6))
def test_beam_search_in_ten_lines(pattern: str, beams: int) -> None:
    """It gives the beams of `beam_search`; with enough of them, the best of all token sequences of the language."""
    model = toy_model()
    one = oc.continuous(oc.generate.control(model, together=beam_search(pattern, beams), pace="token"), name="x")
    other = oc.continuous(
        oc.generate.regex(model, pattern, oc.samplers.beam_search(beams, distinct="tokens")), name="x"
    )
    state, expected = one("xy", hooks=oc.steer.Hooks(retries=9), seed=0), other("xy")
    # the one shows all that were forked last, the best of which are the beams
    best = state.best(beams)
    assert best == expected and best.captures == expected.captures
    torch.testing.assert_close(best.weights, expected.weights, atol=1e-4, rtol=1e-4)


def test_with_enough_beams_it_enumerates() -> None:
    model, pattern = toy_model(), "[ab]{2}1"
    texts = ["".join(word) + "1" for word in product("ab", repeat=2)]
    state = oc.continuous(oc.generate.control(model, together=beam_search(pattern, 99)))("xy", seed=0)
    ranked = sorted((logprob for _, logprob, _ in enumerate_law(model, "xy", texts)), reverse=True)
    assert sorted(state.weights[0].tolist(), reverse=True) == pytest.approx(ranked, abs=1e-4)


def best_of(n: int, sentence: Any, sentences: int) -> Together:
    """The best of n sentences, again and again: the rows that lost make room for copies of the one that won."""

    def controller(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        written = rows[0].memory or 0
        go_on = oc.steer.Branch(allowed=sentence, memory=written + 1)
        if not written:
            return {row: [go_on] for row in rows}
        winner = max(rows, key=lambda row: row.weight)
        return {winner: [] if written == sentences else [go_on] * n}

    return controller


def test_best_of_n_by_sentence() -> None:
    """What is kept after each sentence is the likeliest of what was written; n rows are read, and one is left."""
    model, sentence = toy_model(), oc.generate.regex(toy_model(), "[abc]{2,3}1")
    seen: list[list[tuple[tuple[int, ...], float]]] = []
    controller = best_of(4, sentence, 3)

    def watched(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        seen.append([(row.ids, row.weight) for row in rows])
        return controller(rows)

    step = oc.continuous(oc.generate.control(model, sampler=DRAW(samples=4), together=watched), name="s")
    state = step("xy", seed=3)
    assert [len(rows) for rows in seen] == [4, 4, 4, 4] and state.shape[1] == 1 and state.finished == [["stop"]]
    for rows, after in zip(seen[1:], [*seen[2:], [(state.rows[0][0].ids, 0.0)]], strict=True):
        winner, _ = max(rows, key=lambda row: row[1])
        assert all(ids[: len(winner)] == winner for ids, _ in after)
    torch.testing.assert_close(state.rescore().weights, state.weights, atol=1e-3, rtol=1e-3)


def test_a_tournament() -> None:
    """Two samples meet, the likelier one stays, until one is left."""
    model, word = toy_model(), oc.generate.regex(toy_model(), "[abc]{3}")

    def tournament(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        if not rows[0].text:
            return {row: [oc.steer.Branch(allowed=word)] for row in rows}
        pairs = [rows[i : i + 2] for i in range(0, len(rows), 2)]
        left = [max(pair, key=lambda row: row.weight) for pair in pairs]
        return {row: [] if len(left) == 1 else [oc.steer.Branch(forced="")] for row in left}

    state = oc.continuous(oc.generate.control(model, None, DRAW(samples=8), together=tournament))("xy", seed=1)
    samples = oc.continuous(oc.generate.regex(model, "[abc]{3}", DRAW(samples=8)))("xy", seed=1)
    assert state.shape[1] == 1 and spanned(state)[0] in spanned(samples)
    assert state.weights.item() == pytest.approx(samples.weights.max().item(), abs=1e-4)


def kept(first: oc.steer.Branch, asked: list[Rows]) -> Together:
    """All rows begin with a branch, and go on as they do until that has ended."""

    def controller(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        asked.append(rows)
        more = [oc.steer.Branch(allowed=oc.steer.KEEP)]
        return {row: [first] if row.branch is None else more * (not row.branch_ended) for row in rows}

    return controller


@settings(max_examples=25, deadline=None)
@given(
    pace=st.sampled_from(["token", "branch", 2, 3, 50]),
    seed=st.integers(0, 99),
    sampler=st.sampled_from([GREEDY, DRAW(), DRAW(samples=3), DRAW(samples=2, temperature=2.0)]),
    forced=st.sampled_from(["never", "canonical"]),
)
def test_rows_that_are_only_kept_are_those_of_the_constraint(
    pace: str | int, seed: int, sampler: Any, forced: str
) -> None:
    """Asked after any number of tokens, and told to go on: the draws, scores and texts are those of a plain step."""
    model, pattern, prompts = toy_model(), "[abc]{2,6}(1|22)?", ["xy", "1"]
    asked: list[Rows] = []
    first = oc.steer.Branch(allowed=oc.generate.regex(model, pattern))
    plain = oc.continuous(oc.generate.regex(model, pattern, sampler, forced=forced))(prompts, seed=seed)
    step = oc.continuous(
        oc.generate.control(model, None, sampler, together=kept(first, asked), pace=pace, forced=forced)
    )
    state = step(prompts, seed=seed)
    assert state == plain and state.finished == plain.finished
    torch.testing.assert_close(state.weights, plain.weights, atol=1e-4, rtol=1e-4)
    least = {"token": 1, "branch": 99}.get(str(pace), pace)
    assert isinstance(least, int)
    for rows in asked:
        assert len(rows) == sampler.samples and len({row.lineage[0] for row in rows}) == 1
        for row in rows:
            assert row.branch is None or row.branch_ended or row.finished or len(row.last_append) >= least
    # law 9: nothing of a batch row depends on the others
    for b, prompt in enumerate(prompts):
        alone = step(model.state(prompts)[b : b + 1, :, :], seed=seed)
        assert alone == state[b : b + 1, :, :], prompt


def test_rows_wait_for_each_other() -> None:
    """One row has three tokens to write and the other one: they are asked again when both have."""
    model, texts = toy_model(), ["abc", "b"]
    asked: list[list[str]] = []

    def controller(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        asked.append([row.text for row in rows])
        choices = [oc.generate.choice(model, [text], forced="never") for text in texts]
        if len(rows) == 1:
            return {rows[0]: [oc.steer.Branch(allowed=choice) for choice in choices]}
        return {row: [] if row.text.endswith("!") else [oc.steer.Branch(forced="!")] for row in rows}

    generator = oc.generate.control(model, together=controller, sampler=GREEDY, forced="never")
    assert generator("xy") == ["abc!", "b!"]
    assert asked == [[""], ["abc", "b"], ["abc!", "b!"]]
    frontier = generator.begin("xy")  # an engine of one's own keeps what it has of the row that waits
    lengths = []
    while not frontier.done:
        lengths.append([(len(need.token_ids), len(need.wanted)) for need in frontier.pending])
        frontier = frontier.step(model.logits(frontier.pending))
    assert lengths == [[(2, 1), (2, 1)], [(1, 1), (0, 0)], [(1, 1), (0, 0)], [(2, 2), (2, 2)]]
    assert frontier.state.tolist() == [["xyabc!", "xyb!"]]


def test_what_is_dropped_leaves_dead_rows_and_no_keys() -> None:
    """A batch row that loses its samples has dead ones; one that loses all has no value."""
    model = toy_model()

    def drop_some(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        if not rows[0].text:
            return {row: [oc.steer.Branch(forced="ab")] for row in rows}
        left = {"x": 3, "y": 1, "z": 0}[rows[0].before[-1]]
        return {row: [] for row in rows[:left]}

    step = oc.continuous(oc.generate.control(model, together=drop_some, sampler=DRAW(samples=3)), name="d")
    state = step(["x", "y", "z"], seed=0)
    assert state.tolist() == [["xab"] * 3, ["yab"], []] and state.captures["d"][2] == [[], [], []]
    assert state.finished == [["stop"] * 3, ["stop", "dead", "dead"], ["dead"] * 3]
    following = oc.continuous(oc.generate.choice(model, ["1"]))(state)
    assert following.tolist() == [["xab1"] * 3, ["yab1"], []]


def test_a_cut_row_goes_on_in_step() -> None:
    """Law 7, where the controller is the same; a span that was loaded is refused by name."""
    model, asked = toy_model(), []
    first = oc.steer.Branch(allowed=oc.generate.regex(model, "([abc]1){5,9}"))
    step = oc.continuous(
        oc.generate.control(model, None, DRAW(samples=2), together=kept(first, asked), pace=2), name="k"
    )
    whole = step("xy", seed=5)
    for cut in (1, 3, 4):
        resumed = step.resume(whole[..., :-cut], seed=5)
        assert resumed == step.resume(whole[..., :-cut].kv.drop(), seed=5)
        assert all(len(text) >= 12 for text in resumed.tolist()[0]) and resumed.finished == [["stop", "stop"]]
    other = oc.continuous(
        oc.generate.control(model, None, DRAW(samples=2), together=kept(first, asked), pace=2), name="k"
    )
    with pytest.raises(oc.errors.ConstraintError, match="asked about several rows"):
        other.resume(whole[..., :-1])


def test_in_a_chain_rows_go_on_when_they_have_ended() -> None:
    model = toy_model()
    word = oc.generate.regex(model, "[abc]{2}")
    one = oc.continuous(oc.generate.control(model, None, DRAW(samples=4), together=best_of(4, word, 2)), name="one")
    two = oc.continuous(oc.generate.control(model, None, DRAW(samples=4), together=best_of(2, word, 1)), name="two")
    state = (one >> " " >> two >> ".")("xy", seed=1)
    assert state.shape[1] == 1 and [len(v) for v in state.captures["one"][0][0] + state.captures["two"][0][0]] == [4, 2]
    assert (one >> " " >> two >> ".")(["xy", "1"], seed=1)[0, :, :] == state


def test_rows_that_have_gone_on_in_their_chain_keep_nobody_waiting() -> None:
    """One row ends its link at once, and writes the next one while the others are still in step."""
    model, long = toy_model(), "abcabcabc"

    def in_turns(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        first = rows[0].branch is None
        return {
            row: [] if (first and not i) or row.text == "xx" else [oc.steer.Branch(forced="x")]
            for i, row in enumerate(rows)
        }

    one = oc.continuous(oc.generate.control(model, None, DRAW(samples=3), together=in_turns), name="one")
    two = oc.continuous(oc.generate.choice(model, [long], DRAW(samples=3), forced="never"), name="two")
    frontier, steps = (one >> " " >> two).begin("xy", seed=0), 0
    while not frontier.done:
        frontier, steps = frontier.step(model.logits(frontier.pending)), steps + 1
    captures = frontier.state.captures
    assert captures["one"] == [[[""], ["xx"], ["xx"]]] and captures["two"] == [[[long]] * 3]
    alone, least = two.begin("xy", seed=0), 0
    while not alone.done:
        alone, least = alone.step(model.logits(alone.pending)), least + 1
    assert steps <= least + 4


def test_streams_show_what_all_rows_say() -> None:
    """Before the end, the text that all rows agree on, and nothing that may be taken back."""
    model = toy_model()
    step = oc.continuous(
        oc.generate.control(model, None, DRAW(samples=3), together=best_of(3, oc.generate.regex(model, "[ab]{2}"), 3))
    )
    partials = list(step.stream("xy", seed=2, hooks=oc.steer.Hooks(horizon=0)))
    streams = ["", "", ""]
    for partial in partials:
        streams = [
            text + delta
            for text, delta in zip(
                streams, partial.delta[0] if isinstance(partial.delta, list) else [partial.delta], strict=False
            )
        ]
    assert partials[-1] == step("xy", seed=2) and str(partials[-1]) == "xy" + streams[0]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda m: oc.generate.control(m, together=lambda rows: []), TypeError, "gives a dict"),
        (lambda m: oc.generate.control(m, together=lambda rows: {1: []}), TypeError, "whose keys are rows"),
        (lambda m: oc.generate.control(m, together=lambda rows: {rows[0]: "ab"}), TypeError, "a list of Branches"),
        (lambda m: oc.generate.control(m, lambda row: [], together=lambda rows: {}), TypeError, "not .* and together="),
        (lambda m: oc.generate.control(m), TypeError, "takes a function"),
        (lambda m: oc.generate.control(m, lambda row: [], pace="token"), TypeError, "a controller of one row"),
        (lambda m: oc.generate.control(m, together=dict, pace="word"), ValueError, "'branch', 'token' or an int"),
        (lambda m: oc.generate.control(m, together=dict, pace=0), ValueError, "'branch', 'token' or an int"),
        (
            lambda m: oc.generate.control(m, None, oc.samplers.beam_search(2), together=dict),
            ValueError,
            "chooses among",
        ),
        (lambda m: oc.generate.control(m, None, oc.samplers.smc(2), together=dict), ValueError, "chooses among"),
    ],
)
def test_what_is_wrong_is_said(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make(toy_model())("x", seed=0)


def test_a_row_that_has_ended_is_kept_or_dropped() -> None:
    model = toy_model()

    def again(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        if rows[0].text == "":
            return {rows[0]: [oc.steer.Branch(forced="a"), oc.steer.Branch(forced="b")]}
        return {row: [oc.steer.Branch(forced="c")] if row.text != "b" else [] for row in rows}

    def late(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        return (
            {row: [oc.steer.Branch(forced="c")] for row in rows} if any(row.finished for row in rows) else again(rows)
        )

    with pytest.raises(ValueError, match=r"has ended \(stop\): a controller keeps it"):
        oc.generate.control(model, together=late)("x")


def test_rows_that_end_by_themselves_are_told_to_the_controller() -> None:
    """All end for want of tokens: it still says which of them stays."""
    model = toy_model()
    word = oc.generate.regex(model, "[abc]{9}", forced="never")

    def likeliest(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        if rows[0].branch is None:
            return {row: [oc.steer.Branch(allowed=word)] for row in rows}
        assert all(row.finished == "length" for row in rows)
        return {max(rows, key=lambda row: row.weight): []}

    step = oc.continuous(oc.generate.control(model, None, DRAW(samples=3), together=likeliest))
    state = step("xy", 3, seed=0)
    assert state.shape[1] == 1 and state.finished == [["length"]]


def test_a_run_is_appended_whole_and_a_branch_keeps_its_law() -> None:
    model, asked = toy_model(), []

    def once(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        return {row: [] if row.text else [oc.steer.Branch(forced=["abc12", "b12"])] for row in rows}

    assert oc.generate.control(model, together=once, pace="token", sampler=GREEDY)("xy") in ("abc12", "b12")
    hot = oc.steer.Branch(allowed=oc.generate.regex(model, "[abc]{30}", forced="never"), temperature=50.0)
    step = oc.continuous(oc.generate.control(model, None, GREEDY, together=kept(hot, asked), pace="token"))
    texts = {str(step("xy", seed=seed))[4:] for seed in range(4)}  # all but the first tokens
    assert len(texts) == 4


def test_a_constraint_that_was_given_up_is_not_asked_about() -> None:
    model, asked = toy_model(), []
    z = model.encoder.append("z")[0]
    first = oc.steer.Branch(allowed=oc.generate.regex(model, "[abc]{9}", forced="never"))
    step = oc.continuous(oc.generate.control(model, None, GREEDY, together=kept(first, asked), pace="token"), name="k")
    free = [oc.steer.Replace(z, unconstrained=True)]
    state = step("xy", 8, hooks=[lambda draw: free.pop() if free and len(draw.row) == 4 else None])
    assert state.captures["k"] == [[[]]] and len(asked) == 4  # and once when it ended


def test_chains_hold_back_what_may_be_dropped() -> None:
    model = toy_model()
    word = oc.continuous(oc.generate.regex(model, "[abc]{4}", DRAW(samples=2)))

    def last(rows: Rows) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        return {rows[-1]: []} if rows[0].text else {row: [oc.steer.Branch(forced="!")] for row in rows}

    chain = word >> oc.continuous(oc.generate.control(model, None, DRAW(samples=2), together=last))
    for seed in range(9):
        partials = list(chain.stream("xy", seed=seed))
        first = "".join(p.delta if isinstance(p.delta, str) else p.delta[0][0] for p in partials)
        assert "xy" + first == str(partials[-1])


def test_tokens_drawn_elsewhere_go_in_step() -> None:
    """`accept` drives rows in lock-step, too."""
    model, asked = toy_model(), []
    alone = oc.Model(model.tokenizer, context_length=64, vocab_size=len(model.vocabulary))
    first = oc.steer.Branch(allowed=oc.generate.choice(alone, ["abc", "ab1"], forced="never"))
    generator = oc.generate.control(alone, None, DRAW(samples=2), together=kept(first, asked), pace="token")
    frontier = generator.begin("xy")
    while not frontier.done:
        ids = [
            alone.encoder.append("abc")[len(row.ids) - 2] if draws else None
            for row, draws in zip(frontier.state.rows[0], frontier.drawing, strict=True)
        ]
        frontier = frontier.accept(ids)
    assert frontier.state.tolist() == [["xyabc", "xyabc"]]


def test_endless_rows_in_step_are_stopped() -> None:
    idle = oc.generate.control(toy_model(), together=lambda rows: {row: [oc.steer.Branch(forced="")] for row in rows})
    with pytest.raises(oc.errors.HookLimit, match=r"20 times \(retries\)"):
        idle("x", hooks=oc.steer.Hooks(retries=20))
