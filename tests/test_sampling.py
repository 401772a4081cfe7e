"""The decode step's kernels against plain references: laws, draws, masks; and what a step must not depend on."""

from __future__ import annotations

import contextlib
import inspect
import math
import random
import re
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from samplers import check_sampler, members
from test_generation import toy_model
from torch import Tensor

import outlines_cont as oc
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.fsm.vocabulary import pack
from outlines_cont.kernels import laws as laws_module
from outlines_cont.kernels.bitmask import penalties, unpack
from outlines_cont.kernels.draw import BLOCK, draw
from outlines_cont.kernels.draw import _draw as by_definition
from outlines_cont.kernels.laws import Law, Scratch, candidate_logprobs, constrain, log_sum_exp
from outlines_cont.kernels.rows import NEG_INF
from outlines_cont.state.random_keys import copied

SIZES = st.sampled_from([1, 5, 31, 32, 33, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])


def reference(
    logits: Tensor,
    allowed: Tensor,
    may_stop: Tensor,
    stop_ids: Tensor | None,
    at_ids: list[bool],
    stops: dict[int, Tensor],
) -> tuple[Tensor, Tensor]:
    """The model's own log-probabilities of every candidate, and the constrained law: both `[rows, V + 1]`."""
    own = candidate_logprobs(logits, allowed, may_stop, stop_ids)
    own = own.where(torch.tensor(at_ids)[:, None], candidate_logprobs(logits, allowed, may_stop))
    for row, stop in stops.items():
        own[row, -1] = stop - logits[row].logsumexp(-1) if may_stop[row] else NEG_INF
    masked = own.clone()
    masked[:, :-1].masked_fill_(~allowed, NEG_INF)
    return own, torch.log_softmax(masked, -1)


def dirty(rows: int, size: int) -> Scratch:
    """A scratch that was used before, by a step whose law was not a number."""
    scratch = Scratch()
    for array in scratch.take(rows + 1, (size // BLOCK + 1) * BLOCK, torch.device("cpu")):
        array.fill_(math.nan)
    return scratch


@st.composite
def problems(draw: st.DrawFn) -> tuple[Tensor, np.ndarray, Tensor, Tensor | None]:
    """Logits of any size, with −inf among them; masks of each row or of all; who may stop, and how."""
    rows, size, seed = draw(st.integers(1, 4)), draw(SIZES), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(rows, size)) * draw(st.sampled_from([0.0, 1.0, 8.0, 90.0]))
    logits[rng.random((rows, size)) < draw(st.sampled_from([0.0, 0.2]))] = NEG_INF
    logits[:, rng.integers(size)] = 1.5  # something is possible
    allowed = rng.random((1 if draw(st.booleans()) else rows, size)) < draw(st.sampled_from([0.0, 0.1, 0.9, 1.0]))
    may_stop = rng.random(rows) < draw(st.sampled_from([0.0, 0.5, 1.0]))
    stop_ids = None if draw(st.booleans()) else torch.tensor([int(rng.integers(size))])
    masks = np.stack([pack(line) for line in allowed])
    return torch.tensor(logits, dtype=torch.float32), masks, torch.from_numpy(may_stop), stop_ids


@settings(max_examples=400)
@given(problem=problems(), data=st.data())
def test_a_constrained_law_is_the_reference_law(problem, data: st.DataObject) -> None:
    logits, masks, may_stop, stop_ids = problem
    rows, size = logits.shape
    at_ids = data.draw(st.none() | st.lists(st.booleans(), min_size=rows, max_size=rows))
    allowed = unpack(torch.tensor(masks), size).expand(rows, size).clone()
    if stop_ids is not None:
        allowed[:, stop_ids] = False
        masks = np.stack([pack(line) for line in allowed.numpy()])
    stops = {
        row: logits[row][~allowed[row] & (torch.arange(size) % 2 == 0)].logsumexp(-1)
        for row in data.draw(st.sets(st.integers(0, rows - 1)))
    }
    own, expected = reference(logits, allowed, may_stop, stop_ids, at_ids or [True] * rows, stops)
    if expected.isnan().any():
        with pytest.raises(ValueError, match=r"dead end.* probability 0 to all that it allows"):
            constrain(logits, masks, may_stop.tolist(), stop_ids, dirty(rows, size), at_ids, stops)
        return
    before = logits.clone()
    law = constrain(logits, masks, may_stop.tolist(), stop_ids, dirty(rows, size), at_ids, stops)
    assert logits.equal(before), "logits are somebody else's"
    ids, logprobs, proposals = torch.tensor(law.options(torch.arange(size + 1).expand(rows, -1))).unbind(-1)
    possible = expected > NEG_INF
    assert (proposals > NEG_INF).equal(possible) and ids[0].tolist() == list(range(size + 1))
    assert torch.allclose(proposals, expected, atol=3e-5, rtol=1e-5)
    assert torch.allclose(logprobs[possible], own[possible], atol=3e-5, rtol=1e-5)
    assert torch.allclose(law.probabilities[:, : size + 1], expected.exp(), atol=1e-6)
    assert not law.probabilities[:, size + 1 :].any()
    assert law.likeliest.equal(law.scores.argmax(-1))


@given(problem=problems(), seed=st.integers(0, 2**32 - 1), temperature=st.sampled_from([1.0, 0.7]))
def test_a_law_by_torch_is_the_law_by_numpy(problem, seed: int, temperature: float) -> None:
    """Where logits lie on a device, torch writes the law; on the host numpy does. They give the same options."""
    logits, masks, may_stop, stop_ids = problem
    keys = [(seed + i, i, 0) for i in range(len(logits))]

    def options() -> list[object]:
        law = constrain(logits, masks, may_stop.tolist(), stop_ids)
        first = law.greedy()
        warm = law.warped(temperature)
        return [first, warm.drawn(keys), warm.best(3)]

    try:
        expected = options()
    except ValueError as error:
        with contextlib.ExitStack() as stack, pytest.raises(ValueError, match=re.escape(str(error))):
            _by_torch(stack)
            options()
        return
    with contextlib.ExitStack() as stack:
        _by_torch(stack)
        by_torch = options()
    for ours, theirs in zip(expected, by_torch, strict=True):
        assert torch.allclose(torch.tensor(ours), torch.tensor(theirs), atol=3e-5, rtol=1e-5)


def _by_torch(stack: contextlib.ExitStack) -> None:
    laws_module._shared.cache_clear()
    stack.callback(laws_module._shared.cache_clear)
    stack.enter_context(mock.patch.object(laws_module, "array_of", lambda tensor: tensor))
    stack.enter_context(mock.patch.object(laws_module, "draw", lambda w, u: by_definition(w, torch.tensor(u).double())))


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("where", ["allowed", "elsewhere"])
def test_logits_that_are_no_numbers_are_named(bad: float, shared: bool, where: str) -> None:
    allowed = np.zeros((1 if shared else 3, 200), bool)
    allowed[:, :100] = True
    masks, may_stop = np.stack([pack(line) for line in allowed]), [True, False, True]
    logits = torch.zeros(3, 200)
    logits[1, 7 if where == "allowed" else 150] = bad
    with pytest.raises(ValueError, match=r"NaN or \+inf, or are all −inf"):
        constrain(logits, masks, may_stop)
    with pytest.raises(ValueError, match=r"NaN or \+inf, or are all −inf"):
        constrain(torch.full((3, 200), NEG_INF), masks, may_stop)


@given(size=SIZES, rows=st.integers(1, 3), seed=st.integers(0, 2**32 - 1))
def test_penalties_say_what_masks_say(size: int, rows: int, seed: int) -> None:
    packed = np.stack([pack(line) for line in np.random.default_rng(seed).random((rows, size)) < 0.5])
    out = penalties(packed, torch.full((rows, (size // BLOCK + 1) * BLOCK), math.nan))
    assert (out[:, :size] == 0).equal(unpack(torch.tensor(packed), size))
    assert (out[out != 0] == NEG_INF).all() and (out[:, size:] == NEG_INF).all()


@given(seed=st.integers(0, 2**32 - 1), scale=st.sampled_from([0.0, 1.0, 30.0, 1e4]), size=st.sampled_from([1, 3000]))
def test_log_sum_exp(seed: int, scale: float, size: int) -> None:
    logits = torch.randn(3, size, generator=torch.Generator().manual_seed(seed)) * scale
    logits[1, ::2] = logits[2] = NEG_INF
    assert torch.allclose(torch.tensor(log_sum_exp(logits)), logits.logsumexp(-1), atol=1e-5, rtol=1e-6)


EDGES = [0.0, 2.0**-53, 0.5, 1 - 2.0**-52, 1 - 2.0**-53]


@given(
    seed=st.integers(0, 2**32 - 1),
    uniforms=st.lists(st.floats(0, 1, exclude_max=True) | st.sampled_from(EDGES), min_size=1, max_size=4),
    kept=st.sampled_from([1, 2, 40, 3 * BLOCK]),
    scale=st.sampled_from([0.0, 1.0, 12.0]),
)
def test_draws_invert_the_cumulative_law(seed: int, uniforms: list[float], kept: int, scale: float) -> None:
    """Each draw is the candidate at which the cumulative law passes the uniform number, and never an impossible one."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((len(uniforms), 3 * BLOCK), np.float32)
    for row in weights:
        possible = rng.choice(len(row), kept, replace=False)
        row[possible] = np.exp(scale * rng.normal(size=kept))
    probabilities = torch.from_numpy(weights / weights.sum(-1, keepdims=True))
    drawn = draw(probabilities, torch.tensor(uniforms, dtype=torch.float64))
    exact = probabilities.double().cumsum(-1)
    for row, cumulative, u, at in zip(probabilities, exact, uniforms, drawn.tolist(), strict=True):
        assert row[at] > 0
        whole = float(cumulative[-1])
        assert float(cumulative[at] - row[at]) / whole - 1e-6 <= u <= float(cumulative[at]) / whole + 1e-6
    alone = [
        draw(line[None], torch.tensor([u], dtype=torch.float64))
        for line, u in zip(probabilities, uniforms, strict=True)
    ]
    assert drawn.equal(torch.cat(alone)), "a draw depends on its own row alone"


def test_draws_follow_the_law_across_blocks() -> None:
    """Evenly spread uniforms come out in the law's proportions."""
    probabilities = torch.rand(1, 4 * BLOCK, generator=torch.Generator().manual_seed(0)).pow(8)
    probabilities /= probabilities.sum()
    count = 20_000
    uniforms = (torch.arange(count, dtype=torch.float64) + 0.5) / count
    drawn = draw(probabilities.expand(count, -1), uniforms)
    counts = drawn.bincount(minlength=4 * BLOCK)
    assert (counts - count * probabilities[0]).abs().max() <= 1.01


def test_a_warped_law_is_drawn_from_and_recorded() -> None:
    logits = torch.randn(2, 300, generator=torch.Generator().manual_seed(0))
    masks, may_stop = pack(np.arange(300) < 200)[None], [True, False]
    law = constrain(logits, masks, may_stop)
    assert law.warped() is law
    warm = law.warped(0.5, top_k=9)
    assert ((warm.probabilities > 0).sum(-1) == 9).all()
    candidates = warm.probabilities.topk(9).indices
    ours, before = torch.tensor(warm.options(candidates)), torch.tensor(law.options(candidates))
    assert torch.allclose(ours[..., 2].exp(), warm.probabilities.gather(-1, candidates), atol=1e-6)
    assert torch.allclose(warm.probabilities.sum(-1), torch.ones(2))
    assert ours[..., 1].equal(before[..., 1]), "the model's own stay as they are"


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("shared", [True, False])
def test_laws_are_in_float32(dtype: torch.dtype, shared: bool) -> None:
    logits = torch.randn(3, 300, generator=torch.Generator().manual_seed(1)).to(dtype)
    masks, may_stop = np.stack([pack(np.arange(300) % 3 < 2)] * (1 if shared else 3)), [True, False, True]
    law, plain = (constrain(given, masks, may_stop) for given in (logits, logits.float()))
    assert law.probabilities.dtype == torch.float32 and law.probabilities.equal(plain.probabilities)
    assert law.totals == plain.totals


def test_two_generations_step_by_step_at_once() -> None:
    """What a step leaves behind is its own: frontiers that take turns, or are stepped twice, do not disturb another."""
    model = toy_model()
    generators = [oc.generate.regex(model, "[a-c]{5}", oc.samplers.multinomial(samples=k)) for k in (2, 3)]
    expected = [generator.run("xy", seed=3) for generator in generators]
    frontiers = [generator.begin("xy", seed=3) for generator in generators]
    while not all(f.done for f in frontiers):
        logits = [model.logits(f.pending) for f in frontiers]
        twice = [f if f.done else f.step(own) for f, own in zip(frontiers, logits, strict=True)]
        frontiers = [f if f.done else f.step(own) for f, own in zip(frontiers, logits, strict=True)]
        assert [f.state for f in twice] == [f.state for f in frontiers]
    assert [f.state for f in frontiers] == expected


def test_one_frontier_in_many_threads() -> None:
    """Each thread works in a scratch of its own."""
    model = toy_model()
    frontier = oc.generate.regex(model, "[a-c]{5}", oc.samplers.multinomial(samples=5, temperature=0.9)).begin(
        "xy", seed=3
    )
    logits = model.logits(frontier.pending)
    expected = frontier.step(logits).state
    with ThreadPoolExecutor(8) as pool:
        states = list(pool.map(lambda _: frontier.step(logits).state, range(200)))
    assert all(state.identical(expected) for state in states)


def test_laws_are_values_of_their_step() -> None:
    """The law of a step without a scratch of its own stands for good."""
    masks, may_stop = pack(np.ones(50, bool))[None], [False]
    laws: list[Law] = [constrain(torch.full((1, 50), float(i)), masks, may_stop) for i in range(2)]
    assert laws[0].totals[0] == pytest.approx(math.log(50))
    assert laws[1].logits[0, 0] == 1 and laws[0].logits[0, 0] == 0


class SecondBest(oc.samplers.RowByRow):
    """A third party's sampler that writes one method: the second best token, if there is one."""

    def draw(self, live, law, seed):
        ranked = ([option for option in options if option[1] > NEG_INF] for options in law.best(2))
        return [options[1] if len(options) > 2 else options[0] for options in ranked]


class Likeliest:
    """A third party's sampler that derives from nothing: two samples, of which the one of larger score comes first."""

    samples, length_penalty, takes_fewer = 2, 0.0, False
    joint, forced, ranks_by_logprobs, weighs_draws = True, "never", False, False
    filters, logit_filters, notes_candidates, draws_texts = None, (), False, False

    def widen(self, rows):
        if len(rows) > 2:
            raise oc.errors.SampleMismatch(f"two samples, not {len(rows)}")
        return [(i % len(rows), copied(rows[i % len(rows)], i)) for i in range(2)]

    def resumed(self, rows, ended):
        return list(enumerate(rows))

    def choose(self, groups, law, seed, hooks=None):
        live = [h for group in groups for h in group if h.status.ready]
        options = law.greedy()
        grown = {
            h: h.extend(*option) if hooks is None else hooks.extend(h, i, option, law.row(i), self.redraw)
            for i, (h, option) in enumerate(zip(live, options, strict=True))
        }
        return tuple(tuple(x for h in group for x in grown.get(h, (h,))) for group in groups)

    def redraw(self, h, law, filters):
        return law, law.greedy()[0]

    def choose_options(self, h, values, seed):
        return values, [values.index(max(values))]

    def selected(self, group, seed, before):
        return tuple(group)

    def begun(self, group, seed):
        return group

    def collect(self, group):
        return sorted(group, key=lambda h: -h.score)


class Forgetful(oc.samplers.Multinomial):
    """A wrong one: what it draws does not follow from the seed."""

    def draw(self, live, law, seed):
        return super().draw(live, law, random.randrange(1 << 30))


class Greedier(oc.samplers.Greedy):
    """A wrong one: it loses the hypotheses that are not ready."""

    def choose(self, groups, law, seed, hooks=None):
        return tuple(tuple(h for h in group if not h.status.ended) for group in super().choose(groups, law, seed))


SAMPLERS = {
    "greedy": oc.samplers.greedy(),
    "multinomial": oc.samplers.multinomial(),
    "three draws": oc.samplers.multinomial(samples=3, temperature=1.5, top_k=4),
    "beams": oc.samplers.beam_search(3),
    "one beam": oc.samplers.beam_search(1, length_penalty=1.0),
    "particles": oc.samplers.smc(4),
    "second best": SecondBest(),
    "by hand": Likeliest(),
}


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS)
def test_samplers_do_what_is_asked_of_any(sampler: Sampler) -> None:
    check_sampler(sampler)


@pytest.mark.parametrize("wrong", [Forgetful(), Greedier()])
def test_a_wrong_sampler_is_noticed(wrong: Sampler) -> None:
    with pytest.raises(AssertionError):
        check_sampler(wrong)


def test_every_member_of_the_protocol_is_explained() -> None:
    assert len(members()) == 18 and all(inspect.getdoc(member) for member in members().values())


def test_what_takes_no_whole_options_says_so() -> None:
    generator = oc.generate.choice(toy_model(), ["a", "b"], SecondBest(), by="sequence")
    with pytest.raises(TypeError, match="does not take whole options"):
        generator("x")
