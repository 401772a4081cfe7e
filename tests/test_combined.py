"""`beside=`, `oc.Mix`: laws of several contexts, against logits combined by hand."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import exp, fsum, inf, isnan
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import small_model, spanned

import outlines_cont as oc
from outlines_cont.errors import BatchMismatch, SampleMismatch, SlicingError

KEEP: Any = {"seam": "keep"}
GREEDY, draw, smc = oc.samplers.greedy(), oc.samplers.multinomial, oc.samplers.smc
LANGUAGES = [["a", "ab", "abc"], ["12", "1", "121", "212"], ["", "a"], ["abcabc", "abc", "bca"]]
Read = tuple[oc.Model, tuple[int, ...], float]  # a model, the tokens before the span, a weight
Path_ = tuple[int, ...]


def ids_of(model: oc.Model, prompt: str) -> tuple[int, ...]:
    return model.state(prompt).rows[0][0].ids


def law_after(model: oc.Model, ids: Sequence[int]) -> torch.Tensor:
    """A fresh forward over all tokens, in float64."""
    with torch.no_grad():
        logits = model.hf(input_ids=torch.tensor([list(ids)]), use_cache=False).logits[0, -1]
    return torch.log_softmax(logits.double(), -1)


def densities(contexts: Sequence[Read], ids: Path_) -> torch.Tensor:
    return sum((weight * law_after(model, head + ids) for model, head, weight in contexts), torch.zeros(()))


def enumerated(contexts: Sequence[Read], strings: Sequence[str]) -> dict[Path_, tuple[float, float, float, float]]:
    """Every spelling of every string, token by token: Σ of the model's own log-probabilities (the first context's, at
    weight 1), of the densities, of the combined law before the constraint, and of the law drawn from."""
    model, head, _ = contexts[0]
    tokens, goals = model.vocabulary.tokens, [string.encode() for string in strings]
    paths: dict[Path_, tuple[float, float, float, float]] = {}

    def walk(ids: Path_, text: bytes, sums: tuple[float, float, float, float]) -> None:
        going = [t for t in range(1, len(tokens)) if any(goal.startswith(text + tokens[t]) for goal in goals)]
        ends = text in goals
        if ends and not going:
            paths[ids] = sums
            return
        own, density = law_after(model, head + ids), densities(contexts, ids)
        elsewhere = [t for t in range(len(tokens)) if t not in going]
        total = density.logsumexp(-1).item()
        stop = density[elsewhere].logsumexp(-1).item()
        norm = torch.cat([density[going], torch.tensor([stop if ends else -inf])]).logsumexp(-1).item()

        def further(own: float, density: float) -> tuple[float, float, float, float]:
            each = (own, density, density - total, density - norm)
            return tuple(a + b for a, b in zip(sums, each, strict=True))  # type: ignore[return-value]

        if ends:
            paths[ids] = further(own[elsewhere].logsumexp(-1).item(), stop)
        for t in going:
            walk((*ids, t), text + tokens[t], further(own[t].item(), density[t].item()))

    walk((), b"", (0.0, 0.0, 0.0, 0.0))
    return paths


def proposed(row: Any) -> float:
    """Σ of what stands for the law drawn from, the stop's included."""
    return fsum([*(p for p in row.proposals if p is not None), *(stop.proposal for _, stop in row.stops)])


def choosing(model: oc.Model, options: list[str], sampler: Any, **more: Any) -> oc.Step:
    return oc.continuous(oc.generate.choice(model, options, sampler, forced="never"), name="x", **more)


def contexts_of(model: oc.Model, other: oc.Model, weights: Sequence[float]) -> tuple[list[Read], list[Any]]:
    """The main context "xy", one more of the same model, and one of another: by hand, and as a call takes them."""
    by_hand = [(model, ids_of(model, "xy"), weights[0]), (model, ids_of(model, "ca-"), weights[1])]
    by_hand.append((other, ids_of(other, "b"), weights[2]))
    return by_hand, [("ca-", weights[1]), (other.state("b"), weights[2])]


WEIGHTS = [(1.0, 0.5, -0.25), (2.0, -1.0, 0.0), (0.0, 1.0, 0.5), (0.5, 0.0, 0.5)]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("product", [False, True])
def test_draws_follow_logits_combined_by_hand(weights: tuple[float, float, float], product: bool) -> None:
    """The law, the model's own log-probabilities, and what each row weighs."""
    model, other = small_model(0), small_model(1)
    for options in LANGUAGES:
        by_hand, beside = contexts_of(model, other, weights)
        paths = enumerated(by_hand, options)
        assert fsum(exp(q) for *_, q in paths.values()) == pytest.approx(1, abs=1e-6)
        step = choosing(model, options, draw(samples=100))
        state = step("xy", seed=3, beside=oc.Mix(beside, own=weights[0], product=product))
        counts: dict[Path_, int] = {}
        for row, ids in zip(state.rows[0], spanned(state), strict=True):
            own, density, _, law = paths[ids]
            counts[ids] = counts.get(ids, 0) + 1
            assert row.weight == pytest.approx(own, abs=1e-3)
            weighs = density - law if product else own - law
            assert row.log_importance == pytest.approx(weighs, abs=2e-3)
            assert proposed(row) == pytest.approx(own - weighs, abs=2e-3)
        statistic = fsum((counts.get(ids, 0) - 100 * exp(q)) ** 2 / (100 * exp(q)) for ids, (*_, q) in paths.items())
        assert statistic < 20 + 8 * len(paths)
        assert all(span.combined for group in state.spans for spans in group for span in spans[1:])


def test_weights_have_the_exact_expectation() -> None:
    """Over all draws: products have the mass of the product, proposals that of the model, whatever draws them."""
    model, other = small_model(0), small_model(1)
    for options in LANGUAGES:
        paths = enumerated([(model, ids_of(model, "xy"), 1.0), (other, ids_of(other, "b"), 0.7)], options)
        state = choosing(model, options, draw(samples=300))(
            "xy", seed=0, beside=oc.Mix([(other.state("b"), 0.7)], product=True)
        )
        weighs = {ids: row.log_importance for ids, row in zip(spanned(state), state.rows[0], strict=True)}
        missing = fsum(exp(density) for ids, (_, density, *_) in paths.items() if ids not in weighs)
        expected = fsum(exp(paths[ids][3] + weight) for ids, weight in weighs.items()) + missing
        assert expected == pytest.approx(fsum(exp(density) for _, density, *_ in paths.values()), rel=3e-3)
        by_small = enumerated([(model, ids_of(model, "xy"), 0.0), (other, ids_of(other, "b"), 1.0)], options)
        state = choosing(model, options, draw(samples=300))("xy", seed=0, beside=oc.Mix.proposal(other.state("b")))
        weighs = {ids: row.log_importance for ids, row in zip(spanned(state), state.rows[0], strict=True)}
        missing = fsum(exp(own) for ids, (own, *_) in by_small.items() if ids not in weighs)
        expected = fsum(exp(by_small[ids][3] + weight) for ids, weight in weighs.items()) + missing
        assert expected == pytest.approx(fsum(exp(own) for own, *_ in by_small.values()), rel=3e-3)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_greedy_takes_the_likeliest_of_the_combined_law(weights: tuple[float, float, float]) -> None:
    model, other = small_model(0), small_model(1)
    by_hand, beside = contexts_of(model, other, weights)
    text = oc.continuous(oc.generate.regex(model, "[abc12xyz-]{1,12}", GREEDY))
    state = text("xy", beside=oc.Mix(beside, own=weights[0]), max_tokens=8)
    ids: Path_ = ()
    for token in spanned(state)[0]:
        density = densities(by_hand, ids)
        assert density[token] == density[1:].max()
        ids = (*ids, token)


@pytest.mark.parametrize("product", [False, True])
@pytest.mark.parametrize("weights", WEIGHTS[:3])
def test_beams_maximise_the_combined_log_probability(weights: tuple[float, float, float], product: bool) -> None:
    model, other = small_model(0), small_model(1)
    by_hand, beside = contexts_of(model, other, weights)
    for options in LANGUAGES:
        paths = enumerated(by_hand, options)
        sampler = oc.samplers.beam_search(len(paths), distinct="tokens")
        state = choosing(model, options, sampler)("xy", beside=oc.Mix(beside, own=weights[0], product=product))
        ranked = sorted(paths, key=lambda ids: -paths[ids][1 if product else 2])
        assert spanned(state) == ranked
        assert state.weights[0].tolist() == pytest.approx([paths[ids][0] for ids in ranked], abs=1e-3)
        narrow = choosing(model, options, oc.samplers.beam_search(1, distinct="tokens"))
        assert narrow("xy", beside=oc.Mix(beside, own=weights[0], product=product)).shape[1] == 1


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_particles_estimate_a_product(threshold: float) -> None:
    """Over 40 seeds the mean estimate of the product's mass is right within four standard errors."""
    model, other = small_model(0), small_model(1)
    options = LANGUAGES[1]
    paths = enumerated([(model, ids_of(model, "xy"), 1.0), (other, ids_of(other, "b"), 1.0)], options)
    mass = fsum(exp(density) for _, density, *_ in paths.values())
    step = choosing(model, options, smc(20, threshold=threshold))
    runs = [step("xy", seed=seed, beside=oc.Mix([(other.state("b"), 1.0)], product=True)) for seed in range(40)]
    ratios = torch.stack([state.particles.log_importance[0].exp().mean() / mass for state in runs])
    assert abs(ratios.mean() - 1) < 4 * ratios.std() / 40**0.5 + 1e-3


def test_one_pass_reads_all_contexts_of_a_model() -> None:
    model, other = small_model(2), small_model(3)
    text = oc.continuous(oc.generate.regex(model, "[abc]{6}", GREEDY))
    model.stats.reset()
    plain = text(["xy", "12"])
    alone = model.stats.passes
    del plain
    model.stats.reset()
    other.stats.reset()
    state = text(["xy", "12"], beside=[("ca-", 0.5), (["b", "c"], -0.5), (other.state("b"), 0.5)])
    steps = max(map(len, spanned(state)))
    assert model.stats.passes <= max(alone, steps) + 1 and other.stats.passes <= steps + 1
    # each token of each context is read once; the last one that was drawn is not read
    written = [len(ids) - 1 for ids in spanned(state)]
    heads = [len(ids_of(model, text)) for text in ("xy", "12", "ca-", "ca-", "b", "c")]
    assert model.stats.tokens <= sum(heads) + 3 * sum(written) and model.stats.reread == 0
    assert len(state.beside) == 3 and state.beside[0][0].shape[:2] == (2, 1)


def test_a_context_of_weight_0_is_not_read() -> None:
    model, other = small_model(0), small_model(4)
    text = oc.continuous(oc.generate.regex(model, "[abc]{1,6}", draw(samples=2)))
    other.stats.reset()
    state = text("xy", seed=1, beside=[(other.state("b"), 0.0)])
    assert other.stats.passes == 0 and state == text("xy", seed=1)
    assert [str(row)[0] for row in state.beside[0][0]] == ["b", "b"]


def annotated(state: oc.SequenceState) -> list[Any]:
    """The contexts of a state, as texts and weights."""
    return [(other.tolist(), weight) for other, weight in state.beside]


def base(samples: int = 2, **options: Any) -> tuple[oc.Step, oc.SequenceState]:
    model, other = small_model(0), small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc12-]{8}", draw(samples=samples), forced="never"), name="x")
    beside = [(["ca-", "b"], 0.5), (other.state("x"), -0.25)]
    return step, step(["xy", "12"], seed=5, beside=beside, **options)


@settings(max_examples=25)
@given(st.data())
def test_contexts_follow_rows_and_tokens(data: st.DataObject) -> None:
    """Whatever is done to the rows is done to all contexts: a context is its own tokens, and then the row's."""
    _, state = base()
    heads = [[["ca-"] * 2, ["b"] * 2], [["x"] * 2] * 2]
    rows = [list(group) for group in state.tolist()]
    for _ in range(data.draw(st.integers(1, 4))):
        change = data.draw(st.sampled_from(["rows", "cut", "text", "fork", "save", "drop", "reopen", "one"]))
        if change == "rows" and state.shape[1] > 1:
            keys = data.draw(st.lists(st.integers(0, state.shape[1] - 1), min_size=1, max_size=3))
            state = state[:, keys, :]
            rows = [[group[k] for k in keys] for group in rows]
            heads = [[[group[k] for k in keys] for group in context] for context in heads]
        elif change == "one":
            b = data.draw(st.integers(0, len(rows) - 1))
            state, rows, heads = state[[b], :, :], [rows[b]], [[context[b]] for context in heads]
        elif change == "cut":
            shortest = min(len(row) for group in state.rows for row in group)
            if shortest > 4:
                state = state[..., :-1]
                rows = state.tolist()
        elif change == "text":
            text = data.draw(st.sampled_from(["-", "ab", "1"]))
            state = state + text
            rows = [[row + text for row in group] for group in rows]
        elif change == "fork" and state.shape[1] == 1:
            state, rows = state.fork(2), [group * 2 for group in rows]
            heads = [[group * 2 for group in context] for context in heads]
        elif change == "save":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loaded = oc.storage.from_bytes(oc.storage.to_bytes(state), state.model)
            assert loaded == state and loaded.beside == ()  # one context is another model's
        elif change == "drop":
            state = state.kv.drop()
        elif change == "reopen":
            state = state.reopen()
        assert state.tolist() == rows
        expected = [
            [[head + row[2:] for head, row in zip(*pair, strict=True)] for pair in zip(context, rows, strict=True)]
            for context in heads
        ]
        assert [texts for texts, _ in annotated(state)] == expected


def test_what_cannot_keep_its_contexts_drops_them() -> None:
    step, state = base()
    assert state[..., :2].beside != () and state[0, :, :1].beside == state[..., 1:].beside == ()
    [(ragged, _), _] = state[..., :1].beside  # the second prompt is one token, the first one two
    assert ragged.finished == [["dead"] * 2, [None] * 2] and ragged[[1], :, :].tolist() == [["b"] * 2]
    assert state[..., ::2].beside == ()
    with oc.stepping.strict_kv():
        assert state[..., :-1].beside
        for lost in (lambda: state[..., :1], lambda: state[..., 1:], lambda: state[..., ::-1], lambda: state + state):
            with pytest.raises(SlicingError, match="contexts"):
                lost()
    with pytest.warns(UserWarning, match="drops the contexts"):
        assert (state + state).beside == ()
    with pytest.warns(UserWarning, match="drops the contexts"):
        assert (state[..., :5] + state[..., 5:]) == state
    assert (state + "").beside and annotated(oc.cat([state, state], 0))[0][1] == 0.5
    with pytest.warns(UserWarning, match="of other weights"):
        assert oc.cat([state, step(["xy", "12"], seed=1, beside=[("b", 1.0)])], 1).beside == ()
    assert oc.cat([state, step(["xy", "12"], seed=1)], 1).beside[0][0].finished[0][2:] == ["dead"] * 2
    cut = state[..., :-3]
    assert step.resume(cut, seed=5) == state
    bare = oc.storage.from_bytes(oc.storage.to_bytes(state.model.state("xy")), state.model)
    assert bare.beside == ()


def test_resuming_goes_on_as_if_nothing_had_been_cut() -> None:
    step, state = base()
    assert step.resume(state[..., :-4], seed=5) == state
    assert step.resume(state[..., :-4].kv.drop(), seed=5) == state
    again = step.resume(state[..., :-4], seed=5)
    assert torch.allclose(again.logprobs, state.logprobs, atol=1e-4)
    assert torch.allclose(again.proposal_logprobs, state.proposal_logprobs, atol=1e-4)
    assert annotated(again) == annotated(state)
    with pytest.warns(UserWarning, match="other models"):
        loaded = oc.storage.from_bytes(oc.storage.to_bytes(state[..., :-4]), state.model)
    with pytest.raises(ValueError, match="has these no longer"):
        step.resume(loaded, seed=5)
    beside = [(["ca-", "b"], 0.5), (small_model(1).state("x"), -0.25)]
    assert step.resume(loaded, seed=5, beside=beside) == state
    alone = step.resume(loaded, seed=5, beside=[])
    assert alone.beside == () and alone.spans[0][0][-1].combined
    cut = step("xy", max_tokens=2, seed=0)  # contexts that share only what comes after it
    later = oc.continuous(oc.generate.regex(state.model, "[ab]{2}", draw(samples=2)), name="y")
    with pytest.raises(ValueError, match="share its tokens"):
        step.resume(later(cut, seed=0, beside=[("b", 0.5)])[..., : cut.shape[2]])


def test_saved_contexts_come_back(tmp_path: Path) -> None:
    model = small_model(0)
    step = oc.continuous(oc.generate.regex(model, "[abc12-]{8}", draw(samples=2), forced="never"), name="x")
    state = step("xy", seed=5, beside=oc.Mix([("ca-", 0.5), ("b", -1.5)], own=0.75, product=True))
    state.save(tmp_path / "state.safetensors")
    loaded = oc.load_state(tmp_path / "state.safetensors", model)
    assert loaded.identical(state) and annotated(loaded) == annotated(state)
    assert step.resume(loaded[..., :-3], seed=5) == state == step.resume(state[..., :-3], seed=5)
    assert torch.allclose(
        step.resume(loaded[..., :-3], seed=5).particles.log_importance, state.particles.log_importance, atol=1e-4
    )
    assert not state.identical(step("xy", seed=5)) and oc.storage.to_bytes(state) == oc.storage.to_bytes(loaded)
    moved = state.to(small_model(1))
    assert annotated(moved) == annotated(state) and moved == state


def test_batches_draw_as_their_rows_do_alone() -> None:
    step, state = base(samples=3)
    beside = [("b", 0.5), (small_model(1).state("x"), -0.25)]
    start = state.model.state(["xy", "12"])[1, :, :]
    alone = step(start, seed=5, beside=beside)
    assert alone == state[1, :, :]
    assert torch.equal(alone.proposal_logprobs, state[1, :, :].proposal_logprobs)
    more = step(state[..., :-1] + "a", seed=2)
    assert step(state[[1], :, :][..., :-1] + "a", seed=2) == more[1, :, :]


def test_chains_carry_contexts_over_texts_and_links() -> None:
    model = small_model(0)
    letters = oc.continuous(oc.generate.regex(model, "[abc]{2,3}", draw(samples=2), forced="never"), name="letters")
    digits = oc.continuous(oc.generate.regex(model, "[12]{2,3}", draw(samples=2), forced="never"), name="digits")
    chain = "-" >> letters >> "x" >> digits >> "z"
    beside = [("ca-", 0.5)]
    state = chain("xy", seed=1, beside=beside)
    by_hand = (
        digits(letters(model.state("xy") + "-", seed=1, beside=[(model.state("ca-") + "-", 0.5)]) + "x", seed=1) + "z"
    )
    assert state == by_hand and annotated(state) == annotated(by_hand)
    assert torch.allclose(state.proposal_logprobs, by_hand.proposal_logprobs, atol=1e-4)
    for cut in range(1, 4):
        assert chain.resume(state[..., :-cut], seed=1) == state
    assert str(list(chain.stream("xy", seed=1, beside=beside))[-1]) == str(state)
    with pytest.raises(ValueError, match="a chain that goes on takes no beside="):
        chain.resume(state[..., :-2], beside=beside)
    beams = oc.samplers.beam_search(3)
    search = oc.continuous(oc.generate.regex(model, "[abc]{2,3}", beams), name="a")
    both = search >> "x" >> oc.continuous(oc.generate.regex(model, "[12]{2}", beams), name="b")
    assert both("xy", beside=beside).shape[1] == 3 and both("xy", beside=beside).beside


def test_forced_runs_are_weighed_by_the_product() -> None:
    """A run that the constraint forces is drawn by nobody: all that it is in the product is weighed."""
    model = small_model(0)
    read = [(model, ids_of(model, "xy"), 1.0), (model, ids_of(model, "b"), 0.5)]
    step = oc.continuous(oc.generate.regex(model, "abc12[ab]", draw(samples=4), forced="canonical"))
    state = step("xy", seed=0, beside=oc.Mix([("b", 0.5)], product=True))
    for row, ids in zip(state.rows[0], spanned(state), strict=True):
        sums, weighs = [densities(read, ids[:at])[token].item() for at, token in enumerate(ids)], 0.0
        drawn = densities(read, ids[:-1])
        tokens = model.vocabulary.tokens
        allowed = [t for t in range(1, len(tokens)) if tokens[t] in (b"a", b"b")]
        weighs = fsum(sums[:-1]) + drawn[allowed].logsumexp(-1).item()
        assert row.log_importance == pytest.approx(weighs, abs=2e-3)
        assert row.weight == pytest.approx(
            fsum(law_after(model, read[0][1] + ids[:i])[t].item() for i, t in enumerate(ids)), abs=1e-3
        )


def test_stop_strings_and_streams() -> None:
    model = small_model(0)
    text = oc.continuous(
        oc.generate.text(model, draw(samples=3), stop="eos") if False else oc.generate.text(model, draw(samples=3))
    )
    beside = [("ca-", 0.5)]
    state = text("xy", seed=2, stop_at=["1", "b"], max_tokens=6, beside=beside)
    *_, last = text.stream("xy", seed=2, stop_at=["1", "b"], max_tokens=6, beside=beside)
    assert last == state and last.beside
    raw = text("xy", seed=2, stop_at=["1", "bc"], max_tokens=6, beside=oc.Mix(beside, product=True))
    assert raw.beside and all(isinstance(x, float) for x in raw.particles.log_importance[0].tolist())
    beams = oc.continuous(oc.generate.text(model, oc.samplers.beam_search(2)))
    assert beams("xy", stop_at=["bc"], max_tokens=6, beside=beside).shape[1] == 2


def test_stepping_by_hand() -> None:
    """Needs of contexts stand after the rows'; other models are read by the step; a mixture may be given as such."""
    model, other = small_model(0), small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc12-]{5}", draw(samples=2), forced="never"))
    beside = [("ca-", 0.5), (other.state("x"), -0.25)]
    f = step.begin("xy", seed=5, beside=beside)
    assert [need.wanted[-1] + 1 for need in f.pending] == [
        len(ids_of(model, text)) for text in ("xy", "xy", "ca-", "ca-")
    ]
    assert f.drawing == (True, True, False, False) and len(f.pending_of(other)) == 2
    while not f.done:
        assert [need.parent for need in f.pending] in ([None] * 4, [0, 1, 2, 3])
        logits = [law_after(model, need.tokens[: at + 1]) for need in f.pending for at in need.wanted]
        f = f.step(torch.stack(logits).float())
    assert f.state == step("xy", seed=5, beside=beside)

    plain = step.begin("xy", seed=5)
    while not plain.done:
        logits = model.logits(plain.pending)
        own, drawn = torch.log_softmax(logits, -1), []
        for line, need in enumerate(plain.pending):
            ids = need.tokens[2:]
            drawn.append(
                own[line]
                + 0.5 * law_after(model, ids_of(model, "ca-") + ids).float()
                - 0.25 * law_after(other, ids_of(other, "x") + ids).float()
            )
        plain = plain.step(logits, proposal=torch.stack(drawn))
    assert plain.state == f.state
    assert torch.allclose(plain.state.particles.log_importance, f.state.particles.log_importance, atol=1e-3)
    f = step.begin("xy", seed=5)
    logits = model.logits(f.pending)
    for wrong, kind in ((logits[:1], ValueError), ("logits", TypeError), (logits.long(), TypeError)):
        with pytest.raises(kind, match="proposal"):
            f.step(logits, proposal=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="combines their laws itself"):
        g = step.begin("xy", beside=[("b", 1.0)])
        g.step(model.logits(g.pending), proposal=model.logits(g.pending))
    with pytest.raises(TypeError, match="contexts beside it"):
        step.begin("xy", beside=[("b", 1.0)]).accept([5, 5, None, None])
    with pytest.raises(TypeError, match="compares rows"):
        h = oc.generate.regex(model, "[ab]{3}", oc.samplers.beam_search(2)).begin("xy")
        h.step(model.logits(h.pending), proposal=model.logits(h.pending))


def test_proposals_draw_elsewhere_and_weigh_here() -> None:
    model, other = small_model(0), small_model(1)
    step = choosing(model, LANGUAGES[1], draw(samples=5))
    by_prompt = step("xy", seed=1, beside=oc.Mix.proposal("ca-"))
    assert by_prompt.identical(step("xy", seed=1, beside=oc.Mix([("ca-", 1.0)], own=0.0)))
    assert [text[2:] for text in by_prompt] == [text[3:] for text in step("ca-", seed=1)]
    hot = step("xy", seed=1, beside=oc.Mix.proposal(2.0))
    tempered = choosing(model, LANGUAGES[1], draw(samples=5, temperature=2.0))("xy", seed=1)
    assert hot.beside == () and hot.tolist() == step("xy", seed=1, beside=oc.Mix([("ca-", 0.0)], own=0.5)).tolist()
    assert hot.particles.log_importance.shape == tempered.particles.log_importance.shape
    with pytest.raises(ValueError, match="draws nothing"):
        choosing(model, LANGUAGES[1], oc.samplers.beam_search(2))("xy", beside=oc.Mix.proposal(other.state("b")))


def test_hooks_filters_and_notes_see_the_combined_law() -> None:
    model = small_model(0)
    seen: list[list[tuple[int | None, float, float]]] = []
    text = oc.continuous(oc.generate.regex(model, "[abc]{4}", draw(filters=[oc.filters.min_tokens(1)])))
    watch = [lambda draw: seen.append(draw.candidates(3))]
    state = text("xy", seed=0, beside=[("ca-", 0.5)], hooks=watch, keep=oc.Keep(candidates=2))
    density = densities([(model, ids_of(model, "xy"), 1.0), (model, ids_of(model, "ca-"), 0.5)], ())
    best, *_ = seen[0]
    assert best[0] is not None and best[1] == pytest.approx(
        law_after(model, ids_of(model, "xy"))[best[0]].item(), abs=1e-3
    )
    allowed = [t for t in range(1, len(density)) if set(model.vocabulary.tokens[t]) <= set(b"abc")]
    assert density[best[0]] == density[allowed].max()
    assert state.kept.candidates is not None
    declined = text(
        "xy", seed=0, beside=[("ca-", 0.5)], hooks=[lambda draw: oc.steer.Resample() if draw.attempt == 0 else None]
    )
    assert isnan(declined.particles.log_importance.item()) and declined.beside


BAD: list[tuple[Any, type[Exception], str]] = [
    ({"beside": "ca-"}, TypeError, "list of pairs"),
    ({"beside": ["ca-"]}, TypeError, "is no pair"),
    ({"beside": [("ca-", "1")]}, TypeError, r"the weight of beside\[0\]"),
    ({"beside": [("ca-", float("nan"))]}, ValueError, "finite number"),
    ({"beside": [("ca-", inf)]}, ValueError, "finite number"),
    ({"beside": [("ca-", True)]}, TypeError, "finite number"),
    ({"beside": [(7, 1.0)]}, TypeError, r"beside\[0\]"),
    ({"beside": [(["a", "b", "c"], 1.0)]}, BatchMismatch, "3 batch rows beside a state of 2"),
    ({"beside": [([], 1.0)]}, ValueError, "no prompts"),
    ({"beside": [([[]], 1.0)]}, ValueError, "empty"),
    ({"own": 2.0}, TypeError, "write beside=oc.Mix"),
    ({"normalize": False}, TypeError, r"write beside=oc.Mix\(\[…\], product=True\)"),
    ({"proposal": "b"}, TypeError, "write beside=oc.Mix.proposal"),
    (lambda: {"beside": oc.Mix([], own=2.0)}, ValueError, "names none"),
    (lambda: {"beside": oc.Mix([], product=True)}, ValueError, "names none"),
    (lambda: {"beside": oc.Mix([("a", 1.0)], own=float("nan"))}, ValueError, "own"),
    (lambda: {"beside": oc.Mix([("a", 0.0)], own=0.0)}, ValueError, "no law is left"),
    (lambda: {"beside": oc.Mix([("a", 1.0)], product=1)}, TypeError, "product"),  # type: ignore[arg-type]
    (lambda: {"beside": oc.Mix([("a", 1.0)], normalize=False)}, TypeError, r"product=True"),  # type: ignore[call-arg]
    (lambda: {"beside": oc.Mix.proposal(0.0)}, ValueError, "temperature"),
    (lambda: {"beside": oc.Mix.proposal(float("nan"))}, ValueError, "temperature"),
    (lambda: _made(oc.Mix.proposal(True)), TypeError, "proposal=True: a prompt is a str"),  # type: ignore[arg-type]
    (lambda: _made(oc.Mix.proposal(None)), TypeError, "proposal=None"),  # type: ignore[arg-type]
    (lambda: _made(oc.Mix([("a", 1.0), (True, 1.0)])), TypeError, r"beside\[1\]=True"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(
    ("options", "kind", "message"), BAD, ids=lambda value: None if callable(value) else str(value)[:40]
)
def test_bad_contexts_are_refused_before_the_first_token(options: Any, kind: type[Exception], message: str) -> None:
    model = small_model(0)
    model.stats.reset()
    with pytest.raises(kind, match=message):
        given = options() if callable(options) else options
        oc.continuous(oc.generate.regex(model, "[ab]{3}", GREEDY))(["xy", "12"], **given)
    assert model.stats.passes == 0


def _made(mix: oc.Mix) -> Any:
    raise AssertionError(f"{mix} was made, and would fail in the call")


def test_contexts_that_do_not_fit() -> None:
    model, step = small_model(0), oc.continuous(oc.generate.regex(small_model(0), "[ab]{20,30}", draw(samples=2)))
    with pytest.raises(SampleMismatch, match="3 samples beside a state of 1"):
        step("xy", beside=[(model.state("b").fork(3), 1.0)])
    with pytest.raises(ValueError, match="vocabulary"):
        step("xy", beside=[(oc.load().state("The"), 1.0)])
    with pytest.raises(ValueError, match=r"beside\[0\]: the prompt has 90 tokens; the model's context is 64"):
        step("xy", beside=[("1" * 90, 1.0)])
    whole = step("xy", seed=0, beside=[("1-" * 30, 1.0)])  # there is room for few tokens beside it
    assert whole.finished == [["length"] * 2] and max(map(len, spanned(whole))) <= 4
    dead = step(["xy", "1" * 90], max_tokens=3, errors="return", beside=[("b", 1.0)])
    assert dead.finished == [["length"] * 2, ["dead"] * 2]
    assert dead.beside[0][0].finished == [[None] * 2, ["dead"] * 2]
    with pytest.raises(ValueError, match=r"beside\[0\]: row \(1, 0\)"):
        step(["xy", "ab"], beside=[(dead[:, [0], :], 1.0)], max_tokens=1)
    with pytest.raises(TypeError, match="takes no option"):
        oc.map(step, ["xy"], seed=0, beside=[("b", 1.0)])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="by='sequence'"):
        oc.generate.choice(model, ["a", "b"], by="sequence")("xy", beside=[("b", 1.0)])
    healed = oc.continuous(oc.generate.regex(model, "bc[12]", GREEDY), seam="heal")
    with pytest.raises(ValueError, match="seam='heal'"):
        healed("xa", beside=[("b", 1.0)])
    assert str(healed(step("x", seed=0, max_tokens=0, beside=[("y", 1.0)])[:, [0], :] + "a")).startswith("xabc")


def test_by_default_a_space_is_taken_back_where_all_contexts_have_it() -> None:
    """The law there is that of the same texts with the space; elsewhere that of seam="keep"."""
    model = shipped_model()
    word, spaced = (
        oc.generate.choice(model, [space + word for word in ("the sea", "a house", "in it")], draw(3), forced="never")
        for space in ("", " ")
    )
    own, kept = (oc.continuous(word, **seam)("I see ", beside=[("We hear ", 1.0)], seed=1) for seam in ({}, KEEP))
    assert own == kept and torch.equal(own.proposal_logprobs, kept.proposal_logprobs)
    begun = oc.continuous(oc.generate.text(model))("I see", beside=[("We hear", 1.0)], max_tokens=0)
    taken, plain = oc.continuous(word, name="w")(begun + " ", seed=1), oc.continuous(spaced)(begun, seed=1)
    assert {row.pieces[-1].origin.healed for row in taken.rows[0]} == {b" "} and taken == plain
    torch.testing.assert_close(taken.proposal_logprobs, plain.proposal_logprobs, atol=1e-4, rtol=1e-4, equal_nan=True)
    assert ["I see " + value for [value] in taken.captures["w"][0]] == list(taken)


class Edited:
    """A model some of whose logits are put in place by hand."""

    def __init__(self, token: int, value: float):
        self.token, self.value = token, value

    def __call__(self, module: Any, args: Any, output: Any) -> Any:
        output.logits[..., self.token] = self.value
        return output


def edited_state(model: oc.Model, token: bytes, value: float) -> tuple[oc.SequenceState, Any]:
    edit = Edited(model.vocabulary.tokens.index(token), value)
    return model.state("b"), model.hf.register_forward_hook(edit)


@pytest.mark.parametrize("sampler", [GREEDY, draw(samples=2), oc.samplers.beam_search(2), smc(2)])
def test_probabilities_of_0(sampler: Any) -> None:
    """A context of positive weight refuses; of weight 0 it says nothing; of negative weight nothing can be drawn."""
    model, other = small_model(0), small_model(5)
    step = oc.continuous(oc.generate.regex(model, "[ab]{3}", sampler))
    context, hook = edited_state(other, b"a", -inf)
    try:
        token = model.vocabulary.tokens.index(b"a")
        assert all(token not in ids for ids in spanned(step("xy", seed=0, beside=[(context, 1.0)])))
        assert step("xy", seed=0, beside=[(context, 0.0)]) == step("xy", seed=0)
        with pytest.raises(ValueError, match="negative weight gives probability 0 to b'a'"):
            step("xy", seed=0, beside=[(context, -0.5)])
        only_c = oc.continuous(oc.generate.regex(model, "c{3}", sampler))
        assert only_c("xy", seed=0, beside=[(context, -0.5)]).beside  # what is not allowed is not asked for
    finally:
        hook.remove()
    context, hook = edited_state(other, b"a", float("nan"))
    try:
        with pytest.raises(ValueError, match="a context beside it"):
            step("xy", seed=0, beside=[(context, 1.0)])
    finally:
        hook.remove()


def test_beams_on_the_way_go_on_as_the_search_does() -> None:
    model = small_model(0)
    step = oc.continuous(oc.generate.regex(model, "[abc12-]{6}", oc.samplers.beam_search(3)), name="x")
    whole = step("xy", beside=[("ca-", 0.8)])
    for partial in list(step.stream("xy", beside=[("ca-", 0.8)]))[1:-1]:
        again = step.resume(oc.storage.from_bytes(oc.storage.to_bytes(partial), model))
        assert again == whole and torch.allclose(again.proposal_logprobs, whole.proposal_logprobs, atol=1e-4)
    token = model.vocabulary.tokens.index(b"a")
    with pytest.raises(ValueError, match="compared by the combined law"):
        step("xy", beside=[("ca-", 0.8)], hooks=[lambda draw: oc.steer.Replace(token)])
    declined = step(
        "xy", beside=[("ca-", 0.8)], hooks=[lambda draw: oc.steer.Resample() if draw.token == token else None]
    )
    assert all(token not in ids for ids in spanned(declined))


def test_states_keep_what_was_computed_of_them() -> None:
    """A context that is used again is not read again; dropping keys and values frees those of the contexts, too."""
    model = small_model(6)
    step = oc.continuous(oc.generate.regex(model, "[abc]{4}", GREEDY))
    start, context = model.state("xy-12"), model.state("ca-b-1-2-x")
    state = step(start, beside=[(context, 0.5)])
    assert context.kv.lengths.tolist() == [[context.shape[2]]]
    first = model.stats.tokens
    del state
    step(start, beside=[(context, 0.5)])
    assert model.stats.tokens - first <= 2 * 3  # the tokens that were drawn, in both contexts
    state = step(start, beside=[(context, 0.5)])
    assert state.beside[0][0].kv.lengths.tolist() == [[context.shape[2] + len(spanned(state)[0]) - 1]]
    bare = state.kv.drop()
    del state, start, context
    assert model.stats.kv_bytes == 0 and bare.beside


def pattern(text: str) -> Any:
    return oc.generate.regex(small_model(0), text)


def ha(row: oc.steer.Writing) -> list[oc.steer.Branch]:
    """A controller that forks, forces, goes back and draws."""
    if not row.text:
        return [oc.steer.Branch(forced="ab"), oc.steer.Branch(allowed=pattern("[abc]{2}"))]
    if row.memory is None and row.branch == 0:
        return [oc.steer.Branch(backtrack=1, allowed=pattern("[12]{1,3}"), memory=1)]
    return [oc.steer.Branch(allowed=pattern("-[xyz]"), memory=2)] if row.memory != 2 else []


def in_step(rows: tuple[oc.steer.Writing, ...]) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
    """A controller of several rows: they wait for each other."""
    more = any(len(row.text) < 6 for row in rows)
    return {
        row: [oc.steer.Branch(allowed=pattern("[ab]{1,3}[12]"))] if more and row.finished is None else []
        for row in rows
    }


def programs(model: oc.Model) -> dict[str, Any]:
    """What may be called with contexts, on rows that end, fork, wait, go back and cross links."""

    def back(draw: oc.steer.Draw) -> oc.steer.Backtrack | oc.steer.Insert | oc.steer.Resample | None:
        if draw.attempt == 0 and len(draw.row.text) == 3:
            return oc.steer.Backtrack(1)
        return oc.steer.Resample() if draw.attempt == 0 and draw.bytes == b"b" else None

    multi, single = draw(samples=2), draw()
    words = oc.continuous(oc.generate.regex(model, "[abc]{2,4}", multi), name="w")
    digits = oc.continuous(oc.generate.regex(model, "12[12x]{1,2}", multi), name="d")
    return {
        "regex": words,
        "text": oc.continuous(oc.generate.text(model, multi), max_tokens=6, stop_at=["b", "12"]),
        "hot": oc.continuous(oc.generate.regex(model, "[abc12-]{5}", draw(2, temperature=0.7, top_k=3))),
        "greedy": oc.continuous(oc.generate.regex(model, "[abc12-]{5}", GREEDY)),
        "chain": words >> "-x" >> digits >> "y",
        "control": oc.continuous(oc.generate.control(model, ha, single)),
        "together": oc.continuous(oc.generate.control(model, together=in_step, sampler=multi)),
        "hooks": oc.continuous(oc.generate.regex(model, "[abc]{5}", single), hooks=[back]),
        "budget": oc.continuous(oc.generate.regex(model, "[abc]{9}", multi), max_tokens=2) >> words,
    }


def stepped_by_hand(step: Any, prompts: list[str], seed: int, weights: list[tuple[str, float]], own: float) -> Any:
    """The same call without contexts, stepped with mixtures that are computed by full forwards."""
    model = small_model(0)
    start = {ids_of(model, prompt): len(ids_of(model, prompt)) for prompt in prompts}
    f = step.begin(prompts, seed=seed)
    while not f.done:
        logits, drawn = model.logits(f.pending), []
        for need in f.pending:
            [size] = [size for ids, size in start.items() if need.tokens[:size] == ids] if need.wanted else [0]
            for at in need.wanted:
                density = own * law_after(model, need.tokens[: at + 1])
                for text, weight in weights:
                    density = density + weight * law_after(model, ids_of(model, text) + need.tokens[size : at + 1])
                drawn.append(density.float())
        f = f.step(logits, proposal=torch.stack(drawn) if drawn else logits.clone())
    return f.state


@settings(max_examples=30)
@given(
    st.sampled_from(list(programs(small_model(0)))),
    st.integers(0, 50),
    st.lists(
        st.tuples(st.sampled_from(["ca-", "b", "x1"]), st.sampled_from([-0.5, 0.25, 1.0])), min_size=1, max_size=3
    ),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([["xy"], ["xy", "-1"], ["c-", "xy", "-1"]]),
)
def test_every_program_gives_what_mixtures_by_hand_give(
    name: str, seed: int, weights: list[tuple[str, float]], own: float, prompts: list[str]
) -> None:
    """Controllers, hooks, chains, rows in step: the same tokens, log-probabilities and proposals."""
    model = small_model(0)
    step = programs(model)[name]
    state = step(prompts, seed=seed, beside=oc.Mix(weights, own=own))
    by_hand = stepped_by_hand(programs(model)[name], prompts, seed, weights, own)
    assert state == by_hand and state.finished == by_hand.finished
    assert torch.allclose(state.logprobs, by_hand.logprobs, atol=1e-3, equal_nan=True)
    assert torch.allclose(state.proposal_logprobs, by_hand.proposal_logprobs, atol=1e-3, equal_nan=True)
    for text, (other, weight) in zip([text for text, _ in weights], state.beside, strict=True):
        heads = [
            [row[len(prompt) :] for row in group if row] for prompt, group in zip(prompts, state.tolist(), strict=True)
        ]
        assert [[row for row in group if row] for group in other.tolist()] == [
            [text + t for t in group] for group in heads
        ]
        assert weight in (-0.5, 0.25, 1.0)
    *_, last = step.stream(prompts, seed=seed, beside=oc.Mix(weights, own=own))
    assert last == state and last.beside
