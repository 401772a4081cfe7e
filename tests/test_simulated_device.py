"""The road to a second device, walked without one: every kind of work, on tensors that say they are on `cuda:0`.

Tokens and numbers are those of the CPU, tensors of two devices never meet, and the host waits once a step.
(`tests/on_gpu.py` runs all tests on a real device.)
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import on_gpu
import pytest
import simulated_device
import test_laws as laws
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from simulated_device import SimulatedTensor, Transfers, moved, simulated
from strategies import (
    STEP_NAMES,
    TEXTS,
    VARIANTS,
    Pair,
    Variant,
    lawful_model,
    nonempty,
    shipped_model,
    short_hf,
    states,
    steps,
)
from test_composition import chained, one_by_one, same
from test_cuda_graphs import model_of

import outlines_cont as oc
from outlines_cont.decode import frontier
from outlines_cont.decode.logits import Shelf

pytestmark = pytest.mark.skipif(on_gpu.wanted(), reason="all tests run on a device there")

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 6}, "age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
STORY = "Mira is a painter from Lisbon. Mira is 34 years old.\n"
GREEDY = oc.samplers.greedy()
Work = Callable[[oc.Model], oc.SequenceState]


@cache
def plain_hf() -> Any:
    return copy.deepcopy(short_hf())


def on_the_cpu(dtype: torch.dtype = torch.float32) -> oc.Model:
    return oc.Model(copy.deepcopy(plain_hf()).to(dtype), shipped_model().tokenizer)


@cache
def kernel_model() -> oc.Model:
    """One for all tests with kernels, which are slow under the interpreter."""
    return on_the_device()


def on_the_device(dtype: torch.dtype = torch.float32) -> oc.Model:
    return oc.Model(moved(copy.deepcopy(plain_hf()).to(dtype)), shipped_model().tokenizer)


@contextmanager
def kernels(mode: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OUTLINES_CONT_KERNELS", mode)
        yield


def step(make: Callable[[oc.Model], Any], prompt: str = STORY, **options: Any) -> Work:
    return lambda model: oc.continuous(make(model), name="it")(prompt, **options)


def chain(model: oc.Model, sampler: Any) -> Any:
    number = oc.continuous(oc.generate.regex(model, "[0-9]{1,2}", sampler), name="number")
    colour = oc.continuous(oc.generate.choice(model, ["red", "green", "blue"], sampler), name="colour")
    return "Q: How old is Mira?\nA: " >> number >> ", and " >> colour


def text(sampler: Any) -> Callable[[oc.Model], Any]:
    return lambda model: oc.generate.text(model, sampler)


def resumed(model: oc.Model) -> oc.SequenceState:
    made = oc.continuous(oc.generate.json(model, PERSON, GREEDY), name="it")
    return made.resume(made(STORY + "JSON: ")[..., :-3])


def grafted(model: oc.Model) -> oc.SequenceState:
    joined = oc.grafts.graft(model.state("A. "), model.state("Mira is a painter."))
    return oc.continuous(oc.generate.text(model, GREEDY), name="it")(joined, max_tokens=3)


def streamed(model: oc.Model) -> oc.SequenceState:
    *_, last = oc.continuous(oc.generate.text(model, GREEDY), name="it").stream(STORY, max_tokens=5)
    return last


def again(draw: oc.steer.Draw) -> object:
    return oc.steer.Resample() if draw.probability < 0.2 and len(draw.candidates(2)) == 2 else None


MULTINOMIAL = oc.samplers.multinomial
WORK: dict[str, Work] = {
    "text": step(text(GREEDY), max_tokens=8),
    "text, drawn": step(text(MULTINOMIAL(samples=4)), max_tokens=6, seed=1),
    "text, filtered": step(text(MULTINOMIAL(samples=2, temperature=0.7, top_k=20, top_p=0.8)), max_tokens=6, seed=1),
    "text, kept": step(text(GREEDY), max_tokens=3, keep=oc.Keep(candidates=2, alternatives=2, entropies=True)),
    "text, hooked": step(text(MULTINOMIAL()), max_tokens=6, seed=0, hooks=[again]),
    "text, drafted": step(text(GREEDY), STORY + STORY, max_tokens=8, draft=oc.drafts.lookup()),
    "text beside another": step(text(GREEDY), max_tokens=4, beside=[("The apple is", -0.5)]),
    "text, streamed": streamed,
    "json": step(lambda model: oc.generate.json(model, PERSON, GREEDY), STORY + "JSON: "),
    "json, drawn": step(
        lambda model: oc.generate.json(model, PERSON, MULTINOMIAL(samples=3), forced="never"), STORY + "JSON: ", seed=3
    ),
    "json, resumed": resumed,
    "grammar": step(lambda model: oc.generate.cfg(model, 'start: "(" start? ")"', GREEDY), max_tokens=8),
    "choice by sequence": step(
        lambda model: oc.generate.choice(model, ["painter", "sailor"], MULTINOMIAL(), by="sequence"), seed=1
    ),
    "where": step(
        lambda model: oc.generate.regex(model, "[0-9]{1,3}", where=lambda text, done: text[:1] != "1"), seed=4
    ),
    "chain, beams": lambda model: chain(model, oc.samplers.beam_search(3))(STORY),
    "chain, particles": lambda model: chain(model, oc.samplers.smc(4))(STORY, seed=2),
    "graft": grafted,
    "rescored": lambda model: WORK["text"](model).kv.drop().rescore(),
    "saved": lambda model: oc.storage.from_bytes(oc.storage.to_bytes(WORK["json"](model)), model),
}
#: Short ones: kernels are slow under the interpreter. How often the host waits in a step of each.
WITH_KERNELS: dict[str, tuple[int, Work]] = {
    "text": (1, step(text(GREEDY), max_tokens=3)),
    "text, filtered": (
        1,
        step(text(MULTINOMIAL(samples=2, temperature=0.7, top_k=20, top_p=0.8)), max_tokens=3, seed=1),
    ),
    "json": (1, step(lambda model: oc.generate.json(model, PERSON, GREEDY, forced="never"), max_tokens=4)),
    "beams": (1, lambda model: chain(model, oc.samplers.beam_search(2))(STORY)),
    "particles": (1, lambda model: chain(model, oc.samplers.smc(2))(STORY, seed=2)),
    "choice by sequence": (3, WORK["choice by sequence"]),
}


def numbers_of(state: oc.SequenceState) -> list[Any]:
    return [state.token_ids, state.logprobs, state.proposal_logprobs, state.weights]


def check_equal(here: oc.SequenceState, there: oc.SequenceState) -> None:
    assert list(here) == list(there) and here.finished == there.finished and here.captures == there.captures
    for one, other in zip(numbers_of(here), numbers_of(there), strict=True):
        assert other.device == there.model.device
        torch.testing.assert_close(one, simulated_device.inner_of(other), rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("work", WORK)
def test_every_kind_of_work_gives_on_a_device_what_it_gives_on_the_cpu(work: str) -> None:
    with kernels("reference"):
        here = WORK[work](on_the_cpu())
        with simulated():
            check_equal(here, WORK[work](on_the_device()))


@pytest.mark.parametrize("kind", WITH_KERNELS)
def test_with_kernels_the_host_waits_once_a_step_and_copies_twice(kind: str) -> None:
    waits, work = WITH_KERNELS[kind]
    here = work(on_the_cpu())
    with simulated() as transfers:
        model = kernel_model()
        with steps_counted(transfers) as counts:
            check_equal(here, work(model))
    assert set(counts.waits) == {waits}, counts.waits
    # what the pass reads, and what the draw reads; the first step may put rows in order, and send what is sent once
    assert set(counts.copies[1:]) <= {2}, counts.copies
    # a pass that reads several tokens of several rows is told at which of them logits are wanted
    assert sum(counts.told) <= (2 if kind in ("beams", "particles") else 0), counts.told


def test_windows_cost_no_wait() -> None:
    """What the model's own rules of attention say, the host finds out by itself."""
    work = step(text(MULTINOMIAL(samples=2)), "Mira is a painter", max_tokens=3, seed=1)
    here = work(model_of("gemma2"))
    with simulated() as transfers:
        there = model_of("gemma2")
        model = oc.Model(moved(there.hf), there.tokenizer)
        with steps_counted(transfers) as counts:
            check_equal(here, work(model))
    assert set(counts.waits) == {1} and set(counts.copies[1:]) == {2}, (counts.waits, counts.copies)


def test_a_graft_reads_once_from_the_device() -> None:
    with kernels("reference"), simulated() as transfers:
        model = on_the_device()
        parts = model.state("A. "), model.state("Mira is a painter.")
        transfers.reset()
        oc.grafts.graft(*parts)
        assert transfers.waits == {"copy to the host": 1}
        transfers.reset()
        oc.grafts.graft(parts[1], parts[0])
        assert not transfers.waits


class Counts:
    """Waits and copies of each step of the frontiers, but for automata, which are copied once."""

    def __init__(self) -> None:
        self.waits: list[int] = []
        self.copies: list[int] = []
        self.told: list[int] = []


@contextmanager
def steps_counted(transfers: Transfers) -> Iterator[Counts]:
    counts = Counts()
    stepped = frontier.Frontier.step

    def noted(self: Any, *args: Any, **kwargs: Any) -> Any:
        done = stepped(self, *args, **kwargs)
        counts.waits.append(transfers.waits.total())
        counts.told.append(transfers.copies.pop("indices of aten.index.Tensor", 0))
        counts.copies.append(transfers.copies.total())
        transfers.reset()
        return done

    placed_table = Shelf._placed_table

    def placed(self: Any, guide: Any) -> Any:
        before = Counter(transfers.copies)
        table = placed_table(self, guide)
        transfers.copies.clear()
        transfers.copies.update(before)
        return table

    with patch.object(frontier.Frontier, "step", noted), patch.object(Shelf, "_placed_table", placed):
        transfers.reset()
        yield counts


def test_masks_are_made_between_the_launch_of_a_pass_and_the_wait_for_it() -> None:
    events: list[str] = []
    prepare = frontier.Frontier.prepare

    def prepared(self: Any) -> None:
        prepare(self)
        events.append("prepared")

    def read(self: SimulatedTensor) -> Any:
        events.append("waited")
        return self.inner.tolist()

    with simulated():
        model = kernel_model()
        launched = model.hf.forward

        def forward(*args: Any, **kwargs: Any) -> Any:
            events.append("launched")
            return launched(*args, **kwargs)

        made = oc.continuous(oc.generate.json(model, PERSON, MULTINOMIAL(), forced="never"))
        with (
            patch.object(model.hf, "forward", forward),
            patch.object(frontier.Frontier, "prepare", prepared),
            patch.object(SimulatedTensor, "tolist", read),
        ):
            made(STORY + "JSON: ", max_tokens=2, seed=1)
    assert events == ["launched", "prepared", "waited"] * (len(events) // 3) and len(events) >= 6


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("work", ["text", "json, drawn", "chain, beams"])
def test_half_precision_gives_equal_tokens(work: str, dtype: torch.dtype) -> None:
    with kernels("reference"):
        here = WORK[work](on_the_cpu(dtype))
        with simulated():
            assert list(WORK[work](on_the_device(dtype))) == list(here)


def spread(hf: Any) -> Any:
    """Its second layer on a second device, with what accelerate puts around the modules of such a model."""
    from accelerate.hooks import AlignDevicesHook, add_hook_to_module

    moved(hf, "cuda:0")
    moved(hf.model.layers[1], "cuda:1")
    add_hook_to_module(hf, AlignDevicesHook("cuda:0", io_same_device=True))
    add_hook_to_module(hf.model.layers[1], AlignDevicesHook("cuda:1"))
    for module in (hf.model.norm, hf.lm_head):
        add_hook_to_module(module, AlignDevicesHook("cuda:0"))
    return hf


def test_a_model_on_two_devices_gives_equal_tokens() -> None:
    works = ["text, drawn", "chain, beams", "graft", "json, resumed"]
    with kernels("reference"):
        here = [WORK[work](on_the_cpu()) for work in works]
        with simulated(2) as transfers:
            model = oc.Model(spread(copy.deepcopy(plain_hf())), shipped_model().tokenizer)
            for work, expected in zip(works, here, strict=True):
                state = WORK[work](model)
                check_equal(expected, state)
            assert transfers.copies["between devices"] > 0
            places = {keys.device for keys, _ in model.language_model.tree.pool.buffers.values()}
            assert places == {torch.device("cuda:0"), torch.device("cuda:1")}, state


def offloaded(hf: Any, folder: Path | None) -> Any:
    """Its second layer on the host, or in a folder, with what accelerate puts around the modules of such a model."""
    from accelerate.hooks import AlignDevicesHook, add_hook_to_module, attach_align_device_hook
    from accelerate.utils import OffloadedWeightsLoader, offload_state_dict

    layer, hf.model.layers[1] = hf.model.layers[1], torch.nn.Identity()
    moved(hf)
    hf.model.layers[1] = layer
    weights: Any = {name: value.detach() for name, value in layer.state_dict().items()}
    if folder is not None:
        offload_state_dict(str(folder), weights)
        weights = OffloadedWeightsLoader(save_folder=str(folder))
    attach_align_device_hook(layer, execution_device="cuda:0", offload=True, weights_map=weights)
    add_hook_to_module(hf, AlignDevicesHook("cuda:0", io_same_device=True))
    return hf


@pytest.mark.parametrize("place", ["cpu", "disk"])
def test_a_model_with_an_offloaded_layer_gives_equal_tokens(place: str, tmp_path: Any) -> None:
    """Its weights lie on the host or on a disk, and come to the device for each forward."""
    works = ["text, drawn", "chain, beams", "graft", "json, resumed"]
    with kernels("reference"):
        here = [WORK[work](on_the_cpu()) for work in works]
        with simulated() as transfers:
            hf = offloaded(copy.deepcopy(plain_hf()), tmp_path if place == "disk" else None)
            model = oc.Model(hf, shipped_model().tokenizer)
            for work, expected in zip(works, here, strict=True):
                check_equal(expected, WORK[work](model))
                assert {each.device.type for each in hf.model.layers[1].parameters()} == {"meta"}
            assert transfers.copies["to the device"] > len(list(hf.model.layers[1].parameters()))


def test_the_benchmark_on_a_gpu_is_rehearsed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One section; `python tests/bench/gpu.py --dry` rehearses all."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "bench"))
    import gpu

    report = tmp_path / "report.txt"
    monkeypatch.setattr("sys.argv", ["gpu.py", "--dry", "bitmask", "--report", str(report)])
    assert gpu.main() == 0
    lines = report.read_text().splitlines()
    assert lines[0].startswith("a simulated device") and sum("dry" in line for line in lines) >= 6
    monkeypatch.setattr(gpu.bitmask.apply, "kernel", lambda logits, masks: logits)
    assert gpu.main() == 1
    assert "RED, no timings: apply" in report.read_text()


def test_drafts_and_contexts_may_lie_on_other_devices() -> None:
    def drafted(model: oc.Model, small: oc.Model) -> oc.SequenceState:
        return (
            WORK["text"](model)
            if small is model
            else step(text(GREEDY), max_tokens=8, draft=oc.drafts.model(small))(model)
        )

    def beside(model: oc.Model, other: oc.Model) -> oc.SequenceState:
        return step(text(GREEDY), max_tokens=4, beside=[(other.state("The apple is"), -0.5)])(model)

    with kernels("reference"):
        cpu = on_the_cpu()
        expected = [drafted(cpu, cpu), beside(cpu, on_the_cpu())]
        with simulated(2):
            model = on_the_device()
            far = oc.Model(moved(copy.deepcopy(plain_hf()), "cuda:1"), shipped_model().tokenizer)
            for other in (far, cpu):
                check_equal(expected[0], drafted(model, other))
                check_equal(expected[1], beside(model, other))
            check_equal(expected[1], beside(cpu, far))


# --- laws


@pytest.fixture(scope="module")
def variant() -> Iterator[None]:
    """Models are on the device; `with simulated()` has to be around what they do."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OUTLINES_CONT_KERNELS", "reference")
        VARIANTS.append(Variant(on_the_device))
        yield
        VARIANTS.pop()


FEW = settings(max_examples=4, deadline=None)
SEEDS = st.integers(0, 99)


def law(test: Any, *drawn: Any) -> None:
    test.hypothesis.inner_test(*drawn)


KINDS = st.sampled_from(["colour", "digits", "maybe"])


@pytest.fixture(autouse=True)
def simulated_for_laws(request: pytest.FixtureRequest) -> Iterator[None]:
    if "variant" not in request.fixturenames:
        yield
        return
    with simulated():
        yield


@FEW
@given(states(), STEP_NAMES, SEEDS, st.integers(1, 3))
def test_law_2_keys_and_values_are_not_part_of_the_value(
    variant: None, pair: Pair, name: str, seed: int, n: int
) -> None:
    law(laws.test_law_2_keys_and_values_are_not_part_of_the_value, pair, name, seed, n)


@FEW
@given(states(), STEP_NAMES, SEEDS)
def test_law_6_rescore_reproduces_what_was_drawn(variant: None, pair: Pair, name: str, seed: int) -> None:
    law(laws.test_law_6_rescore_reproduces_what_was_drawn, pair, name, seed)


@FEW
@given(states(), STEP_NAMES, SEEDS, st.data())
def test_law_9_neighbours_do_not_matter(variant: None, pair: Pair, name: str, seed: int, data: Any) -> None:
    law(laws.test_law_9_neighbours_do_not_matter, pair, name, seed, data)


@FEW
@given(states(), KINDS, st.sampled_from(TEXTS), KINDS, SEEDS)
def test_law_12_a_chain_is_the_composition_of_its_steps(
    variant: None, pair: Pair, first: str, between: str, second: str, seed: int
) -> None:
    assume(nonempty(pair[1]))
    parts = [steps()[first], between, steps()[second]]
    expected = one_by_one(parts, pair[0], lawful_model(), seed=seed)
    same(chained(parts)(pair[0].kv.drop(), seed=seed), expected)


# --- the simulation itself


def test_tensors_of_two_devices_do_not_meet() -> None:
    with simulated(2) as transfers:
        here, there, third = torch.ones(3), torch.ones(3, device="cuda"), torch.ones(3, device="cuda:1")
        for one, other in [(here, there), (there, third), (third, here)]:
            with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
                one + other
        with pytest.raises(TypeError, match="numpy"):
            there.numpy()
        assert (there * torch.tensor(2.0)).tolist() == [2.0] * 3  # a number may be anywhere
        assert Counter(transfers.waits) == {"tolist": 1} and not transfers.copies
        transfers.reset()
        assert there.sum().item() == 3.0 and there.nonzero().shape == (3, 1) and bool((there == 1).all())
        assert there.cpu().tolist() == here.to("cuda:0").to("cpu").tolist() == [1.0] * 3
        assert transfers.waits.total() == 5 and transfers.copies == {"to the device": 1}
    assert not torch.cuda.is_available() and simulated_device.TRANSFERS is transfers
