"""Same seed, same draws: whatever hooks and controllers gave up, `resume` of any cut goes on as if it were not cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_corrupt_files import forged
from test_generation import toy_model
from test_hooks import LANGUAGES, Language, as_hook, programs

import outlines_cont as oc
from outlines_cont.decode.growing_span import Retries
from outlines_cont.fsm import guide as guides
from outlines_cont.state.draw_notes import CAME, DREW, NONE_GIVEN_UP, RETURNED, GivenUp, Moment

DRAW = oc.samplers.multinomial
TOKENS = 10


# --- the value, beside a plain history of a span in the making


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_what_a_cut_has_given_up_is_what_its_history_says(seed: int) -> None:
    """Random histories of draws, declined draws, ends of segments and ways back. For every moment of the span that is
    made in the end: what had been given up when it came there for good, and when it last went on from there."""
    dice, retries = Random(seed), Retries()
    path: list[Moment] = [(0, 0, 0)]
    came, went_on = {}, {path[0]: retries}
    for _ in range(40):
        tokens, segments, _ = path[-1]
        drew = tokens, segments, DREW
        kind = dice.choice("ttttsbbf")
        for _ in range(dice.choice([0, 0, 0, 1, 2]) if kind != "f" else 0):
            retries = retries.giving_up([tokens], drew).changed(edited=True)
        match kind:
            case "t" | "s":
                path.append((tokens, segments + 1, 0) if kind == "s" else (tokens + 1, segments, 0))
                retries = retries.accepted(drew)
                came[path[-1]] = went_on[path[-1]] = retries
            case "f":  # a token that the constraint forces: what a hook has banned waits for the next draw
                path.append((tokens + 1, segments, 0))
                came[path[-1]] = went_on[path[-1]] = retries
            case "b":
                target = dice.choice([moment for moment in path if moment[0] >= tokens - 3])
                del path[path.index(target) + 1 :]
                back = (*target[:2], RETURNED)
                retries = retries.giving_up(range(target[0], tokens + 1), back)
                if dice.random() < 0.7:
                    retries = retries.gone_back(back, frozenset(dice.sample(range(9), dice.randint(0, 2))))
                went_on[target] = retries
    kept = retries.kept((*path[-1][:2], DREW))
    for moment in path:
        for snapshots, stage in ((came, CAME), (went_on, RETURNED)):
            if moment in snapshots:
                again, then = Retries().resumed(kept, (*moment[:2], stage)), snapshots[moment]
                assert Counter(again.tries) == Counter(then.tries)
                assert (again.edited, again.banned) == (then.since is not None, then.banned)
                assert again.given_up == then.given_up and again.since == then.since
    assert retries.tries == kept.counts


# --- hooks, controllers, and both


def generated(seed: int, dice: Random) -> tuple[oc.Generator, Language]:
    """A text, a choice or a pattern."""
    wanted, language = LANGUAGES[seed % len(LANGUAGES)]
    sampler = DRAW(temperature=dice.choice([0.7, 1.0, 1.5]))
    if wanted is None:
        return oc.generate.text(toy_model(), sampler), language
    make: Any = oc.generate.regex if isinstance(wanted, str) else oc.generate.choice
    return make(toy_model(), wanted, sampler, forced=dice.choice(["never", "canonical"])), language


def restless(seed: int) -> Callable[[oc.steer.Writing], list[oc.steer.Branch]]:
    """A controller that counts in its memory, and often goes back: mostly to the start of its span."""
    vocabulary = toy_model().vocabulary
    kinds: list[dict[str, Any]] = [
        {"forced": b"1ab"},
        {"allowed": guides.choice(["ab", "abc", "b", ""], vocabulary)},
        {"allowed": [70, 71, 72, 75, 80]},
        {},
        {"allowed": guides.regex("[abc]{1,4}", vocabulary)},
    ]

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        count, ids = row.memory or 0, row.ids[row.start :]
        dice = Random(f"{seed} {ids} {count}")
        if count == 9:
            return []
        back: int | str = 0
        if ids and dice.random() < 0.5:
            back = dice.choice([len(ids), len(ids), dice.randint(1, len(ids)), *sorted(row.labels)])
        return [
            oc.steer.Branch(back, memory=count + 1, label=dice.choice([None, None, "p", "q"]), **dice.choice(kinds))
        ]

    return controller


def patient(seed: int) -> Callable[[oc.steer.Writing], list[oc.steer.Branch]]:
    """A function of the text: it draws words, and draws one that it does not like again, or all of them."""
    word = guides.regex("[abc]{1,3}-", toy_model().vocabulary)

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        words = row.text.split("-")[:-1]
        dice = Random(f"{seed} {words}")
        if not words or dice.random() < 0.6:
            return [oc.steer.Branch(allowed=word, label=f"word {len(words)}")] if len(words) < 3 else []
        place = dice.choice([0, len(words) - 1])
        back = dice.choice([f"word {place}", len(row) - row.labels[f"word {place}"]])
        return [oc.steer.Branch(back, allowed=word, label=f"word {place}")]

    return controller


def states_on_the_way(step: Any, state: oc.SequenceState, **options: Any) -> Iterator[oc.SequenceState]:
    """As they are when somebody interrupts the call."""
    frontier = step.begin(state, **options)
    while not frontier.done:
        frontier = frontier.step(*frontier.model.read(frontier.pending))
        yield frontier.state


def reloaded(state: oc.SequenceState) -> oc.SequenceState:
    return oc.storage.from_bytes(oc.storage.to_bytes(state), state.model)


def check_goes_on(again: oc.SequenceState, whole: oc.SequenceState) -> None:
    """The same row, drawn by the same laws, that gave up the same draws."""
    assert again == whole and again.finished == whole.finished and again.captures == whole.captures
    [[row]], [[other]] = again.rows, whole.rows
    assert row.lineage == other.lineage
    assert row.pieces[-1].origin.given_up == other.pieces[-1].origin.given_up
    for name in ("logprobs", "proposal_logprobs", "weights"):
        pair = getattr(again, name), getattr(whole, name)
        torch.testing.assert_close(*pair, atol=1e-3, rtol=1e-3, equal_nan=True)


def check_every_cut(
    step: Any, seed: int, hooks: Sequence[Any] = (), files: bool = True, on_the_way: bool = True
) -> int:
    """Every cut of each row, and of each state on the way, goes on as the call did. How many rows gave a draw up."""
    first = oc.continuous(oc.generate.regex(toy_model(), "[0-9]{2}", DRAW()), name="f")(["xy", "x1"], seed=seed)
    start, options = first.shape[2], {"seed": seed, "hooks": oc.steer.Hooks(*hooks, retries=300)}
    try:
        whole = step(first, TOKENS, **options)
    except (oc.errors.HookLimit, oc.errors.ConstraintError, ValueError):  # a wrong answer of a random program
        return 0
    states = [whole]
    if on_the_way:  # some of them
        states += [*states_on_the_way(step, first, max_tokens=TOKENS, **options)][seed % 3 :: 3]
    for b, rows in enumerate(whole.rows):
        for s in range(len(rows)):
            expected = whole[b, s, :]
            for state in states:
                for length in range(start + 1, len(state.rows[b][s]) + 1):
                    cut = state[b, s, :length]
                    for each in (cut, reloaded(cut)) if files else (cut,):
                        check_goes_on(step.resume(each, TOKENS + start - length, **options), expected)
    return sum(row.pieces[-1].origin.given_up != NONE_GIVEN_UP for rows in whole.rows for row in rows)


@pytest.mark.parametrize("kinds", ["RRRbbb", "rRRbbriutfs"])
def test_a_span_that_hooks_sent_back_goes_on_from_any_cut(kinds: str) -> None:
    """Resample and Backtrack together, bans and other answers, forced runs; from a file, too."""
    gave_up = 0
    for seed in range(16):
        generator, language = generated(seed, Random(seed))
        hooks = [as_hook(programs(language, seed, True, kinds))]
        gave_up += check_every_cut(oc.continuous(generator, name="x"), seed, hooks, on_the_way=seed % 4 == 0)
    assert gave_up > 8


@pytest.mark.parametrize("kinds", ["", "RRb", "rRRbbiutf"])
def test_a_span_whose_controller_went_back_goes_on_from_any_cut(kinds: str) -> None:
    """Mostly to the start of the span; and hooks went back in between."""
    gave_up, free = 0, LANGUAGES[-1][1]
    for seed in range(16):
        hooks = [as_hook(programs(free, seed, True, kinds))] if kinds else []
        forced = "never" if seed % 2 else "canonical"
        step = oc.continuous(oc.generate.control(toy_model(), restless(seed), DRAW(), forced=forced), name="x")
        gave_up += check_every_cut(step, seed, hooks, files=False, on_the_way=seed % 4 == 0)
    assert gave_up > 8


def test_a_controller_without_memory_draws_the_same_after_a_file() -> None:
    """A file has no cursors, but what was given up is in it."""
    gave_up = 0
    for seed in range(10):
        step = oc.continuous(oc.generate.control(toy_model(), patient(seed), DRAW()), name="x")
        gave_up += check_every_cut(step, seed, on_the_way=seed % 4 == 0)
    assert gave_up > 8


def test_draws_are_counted_from_the_call_that_resumes() -> None:
    """Also where the controller is asked again along what was kept."""
    step = oc.continuous(oc.generate.control(toy_model(), patient(1), DRAW()), name="x")
    steps: list[int] = []
    for state in (step("xy", 4, seed=1), reloaded(step("xy", 4, seed=1))):
        steps.clear()
        step.resume(state, 3, seed=1, hooks=[lambda draw: steps.append(draw.step)])
        assert steps == [*range(len(steps))] and steps


def test_a_chain_goes_on_from_any_cut_whatever_its_hooks_gave_up() -> None:
    """What a link gave up behind its end counts for the next link, also after a cut in either."""
    gave_up = 0
    for seed in range(12):
        a, language = generated(seed % (len(LANGUAGES) - 1), Random(seed))  # no text
        hooks = [as_hook(programs(language, seed, True, "RRRb"))]
        b = oc.continuous(
            oc.generate.regex(toy_model(), "[abc]{3,6}", DRAW()), name="b", hooks=oc.steer.Hooks(*hooks, retries=300)
        )
        chain = oc.continuous(a, name="a", hooks=oc.steer.Hooks(*hooks, retries=300)) >> "-" >> b
        try:
            whole = chain("xy", seed=seed)
        except (oc.errors.HookLimit, oc.errors.ConstraintError, ValueError):
            continue
        for length in range(whole.spans[0][0][1].start + 1, whole.shape[2] + 1):
            check_goes_on(chain.resume(reloaded(whole[..., :length]), seed=seed), whole)
        gave_up += any(piece.origin.given_up != NONE_GIVEN_UP for piece in whole.rows[0][0].pieces)
    assert gave_up > 4


def test_rows_that_were_never_sent_back_keep_nothing_and_parts_share_what_is_kept() -> None:
    """Nothing stands in the row, or in its file; slices and forks hold the same object."""
    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{9}", DRAW()), name="x")

    def twice(draw: oc.steer.Draw) -> oc.steer.Resample | oc.steer.Backtrack | None:
        if draw.attempt:
            return None
        return {2: oc.steer.Resample(), 4: oc.steer.Backtrack(1)}.get(len(draw.row))

    plain, hooked = step("xy", seed=1), step("xy", seed=1, hooks=[twice])
    assert all(piece.origin.given_up is NONE_GIVEN_UP for piece in plain.rows[0][0].pieces)
    assert b'"tries"' not in oc.storage.to_bytes(plain) and b'"edits"' not in oc.storage.to_bytes(plain)
    origin = hooked.rows[0][0].pieces[-1].origin
    tries = ((0, 0, DREW), 0, 1), ((1, 0, RETURNED), 1, 1), ((1, 0, RETURNED), 2, 1)
    assert origin.given_up == GivenUp(tries, (((1, 0, RETURNED), (1, 0, DREW), ()),))
    for part in (hooked[..., :4], hooked[..., :3] + hooked[..., 3:], hooked.fork(2)):
        assert all(row.pieces[-1].origin is origin for row in part.rows[0])
    assert reloaded(hooked).identical(hooked)


def with_tries(tries: Any, edits: Any = None) -> oc.SequenceState:
    """A loaded state of three tokens that says this of what was given up."""
    step = oc.continuous(oc.generate.regex(toy_model(), "[abc]{9}", DRAW()), name="x")

    def change(header: Any, tensors: Any) -> Any:
        header["origins"][-1] |= {"tries": tries} | ({} if edits is None else {"edits": edits})
        return header, tensors

    return oc.storage.from_bytes(forged(oc.storage.to_bytes(step("xy", 3, seed=1)), change), toy_model())


@pytest.mark.parametrize(
    ("tries", "edits", "message"),
    [
        ([[[1, 0, 1], 1, 1], [[0, 0, 1], 1, 1]], None, "tries out of their places"),
        ([[[2, 0, 1], 1, 1]], None, "tries out of their places"),
        ([[[1, 0, 3], 1, 1]], None, "tries"),
        ([[[1, 0, 1], 1, 0]], None, "tries"),
        ([[[1, 0, 1], 1]], None, "tries"),
        ([[3, 2]], None, "tries"),
        ([], [[[2, 0, 1], [1, 0, 2], []]], "edits out of their places"),
        ([], [[[1, 0, 1], [1, 0, 1], []]], "an edit without a place"),
        ([], [[[1, 0, 1], [1, 0, 2], [10**6]]], "bans a token"),
    ],
)
def test_what_a_file_says_of_it_is_checked(tries: Any, edits: Any, message: str) -> None:
    with pytest.raises(oc.errors.CorruptStateError, match=message):
        with_tries(tries, edits)
