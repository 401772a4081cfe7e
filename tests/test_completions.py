"""What trainers read off a state, and where they cut it: completions, forced tokens, entropies, `best(by=)`, forks.

How these follow slices, joins, files and chains is checked by every test of operations, in `strategies.check`.
"""

from __future__ import annotations

import math
from copy import deepcopy
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import CLOSE, another_lawful_model, lawful_model
from test_generation import small_model, toy_model
from test_models import random_model
from torch.distributions import Categorical

import outlines_cont as oc

GREEDY, DRAW = oc.samplers.greedy(), oc.samplers.multinomial
BEAMS = oc.samplers.beam_search(2)
SAMPLERS = [GREEDY, DRAW(), DRAW(samples=2), DRAW(temperature=2.0, top_k=5), DRAW(min_p=0.1), BEAMS]
KINDS = ["json", "regex", "choice", "text", "chain", "controlled"]
PROMPTS = ["Mira is ", "In 19"]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["é", "yes"]}}, "required": ["a"]}
ENTROPIES = oc.Keep(entropies=True)


@cache
def step_of(kind: str, sampler: Any, forced: Any) -> Any:
    model: Any = lawful_model()
    makers: dict[str, Any] = {
        "json": lambda: oc.generate.json(model, SCHEMA, sampler, forced=forced),
        "regex": lambda: oc.generate.regex(model, "[0-9]{2}(ab|cd)*(é|efgh)", sampler, forced=forced),
        "choice": lambda: oc.generate.choice(model, ["blue", "bluest", "red"], sampler, forced=forced),
        "text": lambda: oc.generate.text(model, sampler),
        "controlled": lambda: oc.generate.control(model, controller, sampler),
    }
    if kind == "chain":
        return step_of("regex", sampler, forced) >> " so " >> step_of("choice", sampler, forced)
    return oc.continuous(makers[kind](), name=kind)


def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    if len(row) - row.start > 6:
        return []
    drawn = oc.steer.Branch(allowed=list(range(20, 40)))
    return [oc.steer.Branch(forced=" so") if len(row.text) % 2 else drawn]


steps = st.builds(step_of, st.sampled_from(KINDS), st.sampled_from(SAMPLERS), st.sampled_from(["canonical", "never"]))


# --- forced tokens


@settings(max_examples=40, deadline=None)
@given(step=steps, seed=st.integers(0, 99), cut=st.integers(1, 6))
def test_a_token_is_forced_if_it_was_generated_and_no_hook_saw_it_drawn(step: Any, seed: int, cut: int) -> None:
    """Before and after a cut; a draw with one candidate is none, although its proposal is 0, too."""
    seen: set[tuple[tuple[int, ...], int | None]] = set()
    watch = oc.steer.Watch(lambda draw: seen.add((tuple(draw.row.ids), draw.token)))
    state = step(PROMPTS, seed=seed, max_tokens=12, hooks=[watch])
    shorter = state.crop([[max(row.spans[0].end, len(row) - cut) for row in group] for group in state.rows])
    resumable = all(row.pieces[-1].kind == "generated" for group in shorter.rows for row in group)
    for each in [state] + [step.resume(shorter, seed=seed, max_tokens=12, hooks=[watch])] * resumable:
        forced, generated = each.kept.forced_mask, each.kept.generated_mask
        assert not (forced & ~generated).any() and not each.proposal_logprobs[forced].any()
        for b, s in ((b, s) for b in range(2) for s in range(each.shape[1])):
            ids = each.rows[b][s].ids
            drawn = [at for at in range(len(ids)) if (ids[:at], ids[at]) in seen]
            assert [at for at in generated[b, s].nonzero().flatten().tolist() if not forced[b, s, at]] == drawn


def test_a_certain_draw_and_a_forced_token_are_told_apart() -> None:
    for forced in ("canonical", "never"):
        year = oc.continuous(oc.generate.regex(lawful_model(), "[0-9]{3}8[0-9]", GREEDY, forced=forced))
        state = year("Mira came in 1")
        assert state.proposal_logprobs[0, 0, -2].item() == 0.0
        assert state.kept.forced_mask[0, 0, -2:].tolist() == [forced == "canonical", False]


# --- entropies


@settings(max_examples=30, deadline=None)
@given(
    kind=st.sampled_from(["json", "regex", "choice", "text"]),
    sampler=st.sampled_from(SAMPLERS[:2] + SAMPLERS[3:5]),
    forced=st.sampled_from(["canonical", "never"]),
    seed=st.integers(0, 99),
)
def test_entropies_are_those_of_the_laws_drawn_from(kind: str, sampler: Any, forced: str, seed: int) -> None:
    """As `model.next` gives these laws anew, at every cut, and before the stop."""
    step, model = step_of(kind, sampler, forced), lawful_model()
    state = step(PROMPTS, seed=seed, max_tokens=6, keep=ENTROPIES)
    entropies, forced_mask = state.kept.entropies, state.kept.forced_mask
    for b, [[row], [written]] in enumerate(zip(state.rows, state.completions(), strict=True)):
        assert written is not None
        begin, ended = len(written.prompt_ids), state.finished[b] == ["stop"] and written.entropies[-1] is not None
        for at in range(begin, len(row) + ended):
            law = model.next(state[b, 0, :at] if at < len(row) else state[b, 0, :].reopen(), step).proposal_logprobs
            entropy = written.entropies[at - begin]
            if at < len(row) and forced_mask[b, 0, at]:
                assert entropy is None
            else:
                assert entropy == pytest.approx(Categorical(logits=law).entropy().item(), abs=1e-3)
        assert entropies[b][0] == [None] * begin + written.entropies[: len(row) - begin]


def test_entropies_are_kept_only_where_they_are_asked_for() -> None:
    step = step_of("json", GREEDY, "canonical")
    plain, kept = (step("Mira is ", **options) for options in ({}, {"keep": ENTROPIES}))
    assert plain == kept and not any(plain.rows[0][0].pieces[-1].origin.notes.entropies)
    with pytest.warns(UserWarning, match=r"state\.kept\.entropies: none were kept.*oc\.Keep\(entropies=True\)"):
        assert plain.kept.entropies == [[[None] * len(plain.rows[0][0])]]
    assert "entropies of" in repr(kept.kept)
    other = kept.to(another_lawful_model())
    with pytest.warns(UserWarning, match="none were kept"):
        assert not any(other.kept.entropies[0][0]), "another model has not drawn them"
    assert kept.rescore().kept.entropies == kept.kept.entropies and other.kept.forced_mask.equal(kept.kept.forced_mask)
    with pytest.raises(TypeError, match=r"entropies=1: it is True or False"):
        oc.Keep(entropies=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="keeps no candidates, and no entropies"):
        oc.continuous(oc.generate.choice(lawful_model(), ["a", "b"], oc.samplers.exact()))("x", keep=ENTROPIES)


# --- the stop as a token


def test_the_stop_is_eos_and_says_whether_its_logprob_is_that_of_eos() -> None:
    model, [eos] = small_model(), small_model().vocabulary.eos

    def last(step: Any, **options: Any) -> tuple[Any, ...]:
        [[state]] = (state := step("abc", **options)).completions()
        assert state is not None
        return state.ids[-1] == eos, state.mask[-1], state.forced[-1], state.finished

    text, value = oc.continuous(oc.generate.text(model)), oc.generate.regex(model, "[ab]{2}", GREEDY)
    ended = next(s for s in (text("abc", seed=seed, max_tokens=60) for seed in range(99)) if s.finished == [["stop"]])
    [[written]], [[bare]] = ended.completions(), ended.completions(stop="none")
    assert written is not None and bare is not None and written.ids == [*bare.ids, eos] and written.mask[-1]
    logits = model.logits([oc.stepping.Need(ended.rows[0][0].ids, (len(ended.rows[0][0]) - 1,))])
    assert written.logprobs[-1] == pytest.approx(logits.log_softmax(-1)[0, eos].item(), abs=CLOSE)
    assert last(text, max_tokens=1, seed=1)[0] is False
    assert last(oc.continuous(value)) == (True, False, True, "stop")
    assert last(oc.continuous(oc.generate.regex(model, "[ab]{1,9}", GREEDY, forced="never")))[:2] == (True, False)
    assert last(oc.continuous(oc.generate.regex(model, "[abc]{0,2}", stop="eos")), seed=0)[1] in (True, False)
    stops = oc.continuous(oc.generate.text(model, GREEDY))
    drawn = str(stops("abc", max_tokens=3)).removeprefix("abc")
    assert last(stops, stop_at=drawn[-1:], max_tokens=9) in [(True, False, False, "stop"), (True, False, True, "stop")]


def test_of_several_eos_tokens_one_is_named() -> None:
    hf = deepcopy(toy_model().hf)
    hf.generation_config.eos_token_id = [0, 5]
    other = oc.Model(hf, toy_model().tokenizer)
    text = oc.continuous(oc.generate.text(other))
    state = next(s for s in (text("ab", seed=seed, max_tokens=60) for seed in range(200)) if s.finished == [["stop"]])
    [[written]] = state.completions()
    assert written is not None and written.ids[-1] == other.tokenizer.eos_token_id and not written.mask[-1]
    [[named]] = state.completions(stop=5)
    assert named is not None and named.ids[-1] == 5 and named.mask[-1] and named.logprobs == written.logprobs


def test_completions_say_what_is_wrong() -> None:
    model = lawful_model()
    state = step_of("text", DRAW(samples=2), "canonical")("Mira is", max_tokens=2, seed=1)
    for stop in ("eos", 1 << 30, True, None, 2.0):
        with pytest.raises(ValueError, match=r"completions\(stop=.*'token', 'none', or an id of those that end a text"):
            state.completions(stop=stop)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"nothing was generated in row \(0, 0\), .*empty; state\.pick"):
        model.state("Mira").completions()
    with pytest.raises(ValueError, match="every row is dead"):
        state.pick([]).completions()
    some = drawn_rows().pick([(0, 1), (1, 0), (1, 2)]).completions()
    assert [[each is None for each in group] for group in some] == [[False, True], [False, False]]


# --- `best(by=)`


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(-3, 3), min_size=6, max_size=6),
    dead=st.sets(st.integers(0, 5), max_size=2),
    k=st.integers(1, 3),
    kind=st.sampled_from(["lists", "tensor", "array", "function"]),
)
def test_best_by_other_numbers_is_a_sort(values: list[int], dead: set[int], k: int, kind: str) -> None:
    rows = [drawn_rows().rows[at // 3][at % 3] for at in range(6)]
    of = {row.lineage: value for row, value in zip(rows, values, strict=True)}
    state = drawn_rows().pick([(at // 3, at % 3) for at in range(6) if at not in dead])
    table = [[math.nan if row.dead else of[row.lineage] for row in group] for group in state.rows]
    by = {
        "lists": table,
        "tensor": torch.tensor(table),
        "array": np.array(table),
        "function": lambda row: torch.tensor([[of[row.rows[0][0].lineage]]]),
    }[kind]
    k = min(k, state.shape[1])
    live = [[row.lineage for row in group if not row.dead] for group in state.rows]
    ranked = [sorted(group, key=lambda lineage: -of[lineage])[:k] for group in live]
    assert [[row.lineage for row in group if not row.dead] for group in state.best(k, by=by).rows] == ranked
    assert state.best(k, by=state.scores).identical(state.best(k))


@cache
def _drawn_rows() -> oc.SequenceState:
    step = step_of("text", DRAW(samples=3), "canonical")
    return step(PROMPTS, max_tokens=5, seed=7, keep=ENTROPIES).kv.drop()


def drawn_rows() -> oc.SequenceState:
    """Six rows, whose keys and values nobody keeps."""
    return _drawn_rows().kv.drop()


def test_best_by_what_is_no_number_is_an_error() -> None:
    state = drawn_rows()
    with pytest.raises(ValueError, match=r"best\(\): by= is nan for row \(1, 2\), and no number"):
        state.best(1, by=[[1.0, 2.0, 3.0], [1.0, 2.0, math.nan]])
    with pytest.raises(ValueError, match=r"by= is 'a' for row \(0, 0\)"):
        state.best(1, by=lambda row: "a")  # type: ignore[arg-type,return-value]
    with pytest.raises(oc.errors.SampleMismatch, match=r"best\(\) with numbers for 2 samples"):
        state.best(1, by=torch.zeros(2, 2))
    with pytest.raises(oc.errors.BatchMismatch):
        state.best(1, by=[[1.0] * 3])
    for by in (3.0, [1.0, 2.0], "scores"):
        with pytest.raises(TypeError, match="it takes B × S numbers, or a function"):
            state.best(1, by=by)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the function takes a state of one row"):
        state.best(1, by=lambda: 1.0)  # type: ignore[arg-type,misc]


# --- forks


@settings(max_examples=40, deadline=None)
@given(
    step=steps,
    seed=st.integers(0, 99),
    n=st.integers(1, 4),
    where=st.sampled_from(["entropy", "logprob", "function"]),
)
def test_forks_are_cuts_at_the_least_certain_draws(step: Any, seed: int, n: int, where: Any) -> None:
    """Against brute force; they go on as the same slices do, with other random numbers, and read nothing twice."""
    seen: set[tuple[tuple[int, ...], int | None]] = set()
    watch = oc.steer.Watch(lambda draw: seen.add((tuple(draw.row.ids), draw.token)))
    state = step(PROMPTS, seed=seed, max_tokens=10, keep=ENTROPIES, hooks=[watch])
    rows = [row for group in state.rows for row in group]
    dice = {row.lineage: [Random(f"{seed}{row.ids}{at}").random() for at in range(len(row))] for row in rows}
    scores = {
        "entropy": state.kept.entropies,
        "logprob": (-state.proposal_logprobs).tolist(),
        "function": [[dice[row.lineage] for row in group] for group in state.rows],
    }[where]
    if where == "function":
        where = lambda row: torch.tensor(dice[row.rows[0][0].lineage])  # noqa: E731
    cut = oc.train.fork_at(state, where, n=n)
    assert cut.shape[:2] == (2, state.shape[1] * n)
    for b, group in enumerate(state.rows):
        for s, row in enumerate(group):
            draws = [at for at in range(len(row)) if (row.ids[:at], row.ids[at]) in seen]
            best = sorted(draws, key=lambda at: (-scores[b][s][at], at))
            cuts = cut.rows[b][s * n : s * n + n]
            assert [each.ids for each in cuts] == [row.ids[:at] for at in islice(cycle(best[:n]), n)]
            assert all(each.facts()[:4] == row.take(range(len(each))).facts()[:4] for each in cuts)
    keys = [row.lineage for each in (state, cut) for group in each.rows for row in group]
    assert len({*keys}) == len(keys)
    loaded = oc.storage.from_bytes(oc.storage.to_bytes(state), state.model)
    assert oc.train.fork_at(loaded).identical(oc.train.fork_at(state))
    if any("beam" in str(piece.origin.chosen_by) for row in rows for piece in row.pieces):
        return  # beams go on together, and only so many
    before = state.model.stats.tokens
    grown = step.resume(cut, seed=seed, max_tokens=4)
    needed = {row.ids[: at + 1] for group in grown.rows for row in group for at in range(len(row))}
    assert state.model.stats.tokens - before <= len(needed)
    pairs = zip((row for g in grown.rows for row in g), (row for g in cut.rows for row in g), strict=True)
    assert all(long.ids[: len(short)] == short.ids and long.finished is not None for long, short in pairs)


def test_positions_are_cut_where_they_say() -> None:
    state, step = drawn_rows(), step_of("text", DRAW(samples=3), "canonical")
    first = [[len(cast(Any, written).prompt_ids) for written in group] for group in state.completions()]
    cut = oc.train.fork_at(state, [[[group[0], -1], [group[1]], []] for group in first])
    assert cut.shape[:2] == (2, 6)
    assert [[row.dead for row in group] for group in cut.rows] == [[False, False, False, True, True, True]] * 2
    assert cut.lengths[:, 0].tolist() == [group[0] for group in first], "a span that was cut at its first draw"
    grown = step.resume(cut, seed=1, max_tokens=3)
    live = [row for group in grown.rows for row in group if not row.dead]
    assert len(live) == 6 and all(row.spans[-1].kind == "generated" and row.spans[-1].end == len(row) for row in live)
    tensor = torch.tensor([[[at] for at in group] for group in first])
    assert oc.train.fork_at(state, tensor).lengths.tolist() == first


@pytest.mark.parametrize("where", ["entropy", "logprob", lambda row: row.proposal_logprobs])
def test_a_row_of_one_drawn_token_is_cut_before_it(where: Any) -> None:
    drawn = step_of("text", DRAW(), "canonical")("Mira", seed=0, max_tokens=1, keep=oc.Keep(entropies=True))
    cut = oc.train.fork_at(drawn[..., -1:], where, n=2)
    assert cut.shape == (1, 2, 0)


def test_a_row_of_which_only_the_stop_was_drawn_is_cut_before_its_span() -> None:
    """It ended at once; or its only token was cut at a stop string."""
    model = lawful_model()
    empty = oc.continuous(oc.generate.regex(model, "(a|b)?", oc.samplers.multinomial(temperature=9.0, samples=9)))
    state = empty("Mira", seed=0)
    ended = [s for s, text in enumerate(state.tolist()[0]) if text == "Mira"]
    assert 0 < len(ended) < 9
    cut = oc.train.fork_at(state[:, ended, :], "logprob", n=4)
    assert {*cut} == {"Mira"} and len({*empty.resume(cut, seed=0)}) > 1
    letters = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=9)))
    shown = letters("Mira", max_tokens=1, seed=0).tolist()[0]
    word = next(text[4:] for text in shown if len(text) > 5)
    stopped = letters("Mira", stop_at=word[-1], max_tokens=1, seed=0)
    part = stopped[:, [shown.index("Mira" + word)], :]
    assert part.finished == [["stop"]] and str(part) == "Mira" + word[: word.index(word[-1])]
    assert str(oc.train.fork_at(part, "logprob", n=1)) == "Mira"


def test_forks_say_what_is_wrong() -> None:
    state, model, fork_at = drawn_rows(), lawful_model(), cast(Any, oc.train.fork_at)
    begin = state.rows[0][0].pieces[0].hi
    forced = step_of("json", GREEDY, "canonical")("Mira is ", max_tokens=9)
    place = forced.kept.forced_mask[0, 0].nonzero()[0].item()
    for wrong, error, message in [
        (lambda: fork_at("x"), TypeError, "takes a SequenceState first"),
        (lambda: fork_at(state, "entropies"), ValueError, "it is 'entropy', 'logprob', a function"),
        (lambda: fork_at(state, n=0), ValueError, r"fork_at\(n=0\)"),
        (lambda: fork_at(state, n=1.5), TypeError, "n=1.5"),
        (lambda: fork_at(state, [[[begin]] * 3] * 2, n=2), TypeError, "positions, .* which say n themselves"),
        (lambda: fork_at(state, [begin]), TypeError, "B × S lists of ints"),
        (lambda: fork_at(state, 3), TypeError, "B × S lists of ints"),
        (lambda: fork_at(state, [[[begin]] * 3]), ValueError, r"positions for \[3\] samples, .* 2 × 3"),
        (lambda: fork_at(state, [[[99]] * 3] * 2), IndexError, r"position 99 is out of range for row"),
        (lambda: fork_at(state, [[[0]] * 3] * 2), ValueError, r"position 0 of row \(0, 0\) was not drawn"),
        (lambda: fork_at(forced, [[[place]]]), ValueError, "was appended without a draw"),
        (lambda: fork_at(forced), ValueError, r"of row \(0, 0\) has the score None.*Keep\(entropies=True"),
        (lambda: fork_at(state, lambda row: [math.nan] * 99), ValueError, r"of row \(0, 0\), not \d+ numbers"),
        (lambda: fork_at(state, lambda row: row.logprobs * math.nan), ValueError, "has the score nan"),
        (lambda: fork_at(state, lambda: 0), TypeError, "the function takes a state of one row"),
        (lambda: fork_at(model.state("Mira"), "logprob"), ValueError, "has no token that was drawn"),
        (lambda: fork_at(state.pick([])), ValueError, "every row is dead"),
    ]:
        with pytest.raises(error, match=message):
            wrong()  # type: ignore[no-untyped-call]


# --- weights that move


def test_after_a_step_of_the_optimizer_the_tree_is_dropped_and_old_states_keep_their_numbers() -> None:
    model = random_model("llama")
    step = oc.continuous(oc.generate.text(model, DRAW(samples=2)), name="a")
    state = step("abc", max_tokens=5, seed=0)
    held, old, weights = state.kv.lengths.clone(), state.logprobs.clone(), state.weights.clone()
    assert (held > 0).all() and state.rescore().logprobs.allclose(old, atol=CLOSE)
    optimizer = torch.optim.SGD(model.hf.parameters(), lr=0.5)
    oc.train.tree_logprobs(state).logprobs.sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    model.stats.reset()
    assert not state.kv.lengths.any() and model.stats.kv_bytes == 0
    new = state.rescore()
    distinct = {row.ids[: at + 1] for group in state.rows for row in group for at in range(len(row))}
    stops = sum(finished == "stop" for [finished] in zip(*state.finished, strict=True))
    assert len(distinct) - 2 <= model.stats.tokens <= len(distinct) and stops <= 2, "every position of it, once"
    assert state.logprobs.equal(old) and state.weights.equal(weights) and not new.logprobs.allclose(old, atol=1e-3)
    fresh = oc.Model(model.hf, model.tokenizer)
    assert new.logprobs.allclose(state.to(fresh).rescore().logprobs, atol=CLOSE)
    ratio = (new.logprobs - state.logprobs).exp()
    assert ratio[~state.kept.generated_mask].eq(1).all()
    torch.testing.assert_close(oc.train.tree_logprobs(state).logprobs.double(), new.logprobs, atol=CLOSE, rtol=0)
