"""No stall: what rows need next is made while the model computes, and changes nothing that one can see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any

import numpy as np
import pytest
import torch
from engines import PlainModel
from hypothesis import given, settings
from hypothesis import strategies as st
from test_control import GREEDY, Program, logprobs_after
from test_generation import toy_model
from test_stepping import generations
from torch import Tensor
from torch.utils._pytree import tree_map_only

import outlines_cont as oc
from outlines_cont.decode.frontier import Frontier
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.automaton_guide import AutomatonGuide

Log = list[str]


class LateLogits(Tensor):
    """Logits that are being computed. Who looks at more than their shape waits for them."""

    work: Future[Tensor]
    log: Log

    @staticmethod
    def of(shape: tuple[int, int], work: Future[Tensor], log: Log) -> LateLogits:
        late: Any = Tensor._make_wrapper_subclass(LateLogits, shape, dtype=torch.float32)  # type: ignore[attr-defined]
        late.work, late.log = work, log
        return late

    def waited_for(self) -> Tensor:
        if self.log[-1] != "logits read":
            self.log.append("logits read")
        return self.work.result()

    @classmethod
    def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs = tree_map_only(LateLogits, LateLogits.waited_for, (args, kwargs or {}))
        return function(*args, **kwargs)


class LateModel(PlainModel):
    """An engine whose `read` only launches a pass."""

    asynchronous = True

    def __init__(self, model: oc.Model, log: Log):
        super().__init__(model)
        self.log, self.device_of_its_own = log, ThreadPoolExecutor(1)

    def read(self, needs: Sequence[Any]) -> tuple[Tensor, list[None]]:
        self.log.append("launched")
        work = self.device_of_its_own.submit(lambda: super(LateModel, self).read(needs)[0])
        shape = sum(len(need.wanted) for need in needs), len(self.vocabulary)
        return LateLogits.of(shape, work, self.log), [None] * len(needs)


class Cold:
    """A third party's guide, which keeps no mask."""

    def __init__(self, guide: AutomatonGuide, log: Log):
        self.vocabulary, self.initial, self.log = guide.vocabulary, guide.initial, log
        self.advance, self.accepting, self.complete, self.inner = guide.advance, guide.accepting, guide.complete, guide

    def mask(self, state: int) -> np.ndarray:
        self.log.append("mask made")
        return self.inner.mask(state)


def test_masks_and_answers_are_made_while_the_model_computes() -> None:
    """The order of events. The controller forces a run, and then draws under a guide whose masks are always cold."""
    log: Log = []
    model = toy_model()
    cold = Cold(guides.regex("[abc]{2}", model.vocabulary), log)

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        log.append("controller asked")
        return [[oc.steer.Branch(forced="12", memory=1)], [oc.steer.Branch(allowed=cold, memory=2)], []][
            row.memory or 0
        ]

    late = oc.generate.control(LateModel(model, log), controller, GREEDY)
    state = late.run("x")
    assert log == [
        *["controller asked"],  # before the first pass: it forces the run
        *["launched", "controller asked", "mask made", "logits read"],  # of the run
        *["launched", "mask made", "logits read"] * (state.shape[2] - model.state("x12").shape[2] - 1),
        *["controller asked"],  # its guide has ended: now it says that the span has, too
    ]
    assert state.token_ids.equal(oc.generate.control(model, controller, GREEDY).run("x").token_ids)


def test_cold_masks_cost_a_late_engine_nothing() -> None:
    """Under a schema, of several rows: whoever waits for the logits has asked for all masks before."""
    log: Log = []
    model = toy_model()
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    options: dict[str, Any] = {"seed": 1, "max_tokens": 12}

    cold = Cold(guides.json_schema(schema, model.vocabulary, spelling="any"), log)

    def value(of: Any) -> Any:
        return oc.Generator(of, cold, oc.samplers.multinomial(samples=3), forced="never").run("x", **options)

    state = value(LateModel(model, log))
    turns = " ".join(log).split("launched")[1:]
    assert len(turns) > 5 and all(turn.split("logits read")[0].split() for turn in turns)
    assert not any("mask" in turn.split("logits read", 1)[1] for turn in turns)
    log.clear()
    assert state.token_ids.tolist() == value(model).token_ids.tolist() and "mask made" in log


def logits_for(frontier: Frontier) -> Tensor:
    """Those of a made-up model, to the last bit a function of the tokens alone."""
    lines = [need.tokens[: at + 1] for need in frontier.pending for at in need.wanted]
    return torch.stack([logprobs_after(ids, len(frontier.model.vocabulary)) for ids in lines])


def stepped(frontier: Frontier, random: Random | None = None) -> oc.SequenceState:
    """To the end; with a `random`, prepared now and then, and stepped with other logits, too."""
    while not frontier.done:
        logits = logits_for(frontier)
        for _ in range(random.choice([0, 1, 1, 2]) if random else 0):
            frontier.prepare()
        if random and random.random() < 0.3:
            frontier.step(-logits)
        frontier = frontier.step(logits)
    if random:
        frontier.prepare()
    return frontier.state


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_prepared_or_not_the_states_are_the_same(seed: int) -> None:
    """Texts, regexes, JSON, choices by sequence, chains, controllers, hooks, beams and particles."""
    model, random = toy_model(), Random(seed)
    for generator, prompts, options in random.sample(generations(model), 6):
        state = stepped(generator.begin(prompts, seed=seed, **options), random)
        assert state.identical(stepped(generator.begin(prompts, seed=seed, **options)))


class Kept:
    """A controller that keeps the rows that it was asked about."""

    def __init__(self, controller: Callable[[Any], Any]):
        self.controller, self.rows = controller, list[oc.steer.Writing]()

    def __call__(self, row: oc.steer.Writing) -> Any:
        self.rows.append(row)
        return self.controller(row)

    @property
    def seen(self) -> list[str]:
        """What they show. (It is asked in another order.)"""
        return sorted(str((row.ids, row.logprobs, row.weight, row.score, row.memory, row.text)) for row in self.rows)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), forks=st.booleans(), looks=st.booleans(), beams=st.booleans())
def test_controllers_are_asked_once_and_their_rows_get_their_scores(
    seed: int, forks: bool, looks: bool, beams: bool
) -> None:
    """Random programs of branches, with two futures at each place; one that looks at scores is asked by each step."""
    model = toy_model()
    kept = Kept(Program(seed, forks).controller(model, looks))
    sampler = oc.samplers.beam_search(3) if beams else oc.samplers.multinomial(samples=2)
    frontier = oc.generate.control(model, kept, sampler).begin("xy", seed=seed, hooks=oc.steer.Hooks(retries=1000))
    while not frontier.done:
        logits, expected = logits_for(frontier), []
        for other in (logits, -logits):
            kept.rows = []
            expected.append((frontier.step(other).state, kept.seen))
        kept.rows = []
        for _ in range(2):
            frontier.prepare()
        early = len(kept.rows)
        future = frontier.step(logits)
        first, kept.rows = kept.rows[early * looks :], []
        other = frontier.step(-logits)
        assert other.state.identical(expected[1][0]) and kept.seen == expected[1][1]
        kept.rows = first
        assert future.state.identical(expected[0][0]) and kept.seen == expected[0][1]
        frontier = future


@pytest.mark.parametrize("caught", [Exception, BaseException], ids=lambda caught: caught.__name__)
def test_a_controller_cannot_hide_that_it_wants_a_score(caught: type[BaseException]) -> None:
    model = toy_model()

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        if not row.text:
            return [oc.steer.Branch(forced="12")]
        try:
            weight = row.weight
        except caught:
            weight = 0.0
        return [] if len(row.text) > 3 else [oc.steer.Branch(forced="a" if weight else "b")]

    frontier = oc.generate.control(model, controller).begin("x", seed=0)
    assert str(stepped(frontier, Random(1))) == "x12aa"


def test_what_fails_is_said_by_the_step() -> None:
    """Errors of controllers and of guides; and what a branch gives once is not asked for twice."""
    model = toy_model()

    def failing(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return (
            [oc.steer.Branch(forced="ab")] if not row.text else [oc.steer.Branch(allowed=[1 / len(row.memory or ())])]
        )

    def wrong(row: oc.steer.Writing) -> Any:
        return [oc.steer.Branch(forced="ab")] if not row.text else "stop"

    class Broken(Cold):
        def mask(self, state: int) -> np.ndarray:
            raise KeyError("no mask today")

    broken = Broken(guides.regex("[ab]+", model.vocabulary), [])
    for controller, error, says in (
        (failing, ZeroDivisionError, "division"),
        (wrong, TypeError, "gives a list of Branches"),
        (lambda row: [oc.steer.Branch(allowed=broken)], KeyError, "no mask today"),
    ):
        frontier = oc.generate.control(model, controller).begin("x", seed=0)
        logits = model.logits(frontier.pending)
        frontier.prepare()
        [[told]] = frontier.step(logits).state.errors
        assert isinstance(told, error) and says in str(told)


def test_what_a_branch_gives_once_is_not_asked_for_twice() -> None:
    model = toy_model()

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        letters = iter([model.vocabulary.tokens.index(b"b")])
        return [[oc.steer.Branch(forced="12", memory=1)], [oc.steer.Branch(allowed=letters, memory=2)], []][
            row.memory or 0
        ]

    frontier = oc.generate.control(model, controller).begin("x", seed=0)
    frontier.prepare()
    assert str(stepped(frontier)) == "x12b"


def test_tokens_that_were_drawn_elsewhere_find_what_was_prepared() -> None:
    model, asked = toy_model(), []
    answers = [[oc.steer.Branch(forced="12")], [oc.steer.Branch(allowed=guides.literal(b"a", model.vocabulary))], []]

    def controller(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        asked.append(row.text)
        return answers[len(asked) - 1]

    frontier = oc.generate.control(model, controller, forced="never").begin("x", seed=0)
    frontier.prepare()
    assert asked == ["", "12"]
    frontier = frontier.accept([model.vocabulary.tokens.index(b"a")])
    assert asked == ["", "12", "12a"] and str(frontier.state) == "x12a"


def test_rows_in_lock_step_are_asked_by_the_step() -> None:
    model, asked = toy_model(), []

    def controller(rows: tuple[oc.steer.Writing, ...]) -> dict[oc.steer.Writing, list[oc.steer.Branch]]:
        asked.append(rows[0].weight)
        return {row: [] if row.text else [oc.steer.Branch(forced="12")] for row in rows}

    two = oc.samplers.multinomial(samples=2)
    frontier = oc.generate.control(model, sampler=two, together=controller).begin("x", seed=0)
    logits = logits_for(frontier)
    frontier.prepare()
    assert len(asked) == 1 and frontier.step(logits).done and len(asked) == 2


def test_a_hook_may_step_the_frontier_that_is_being_stepped() -> None:
    """The arrays of a law are used again, but never while somebody still looks at it."""
    model = toy_model()
    generator = oc.generate.regex(model, "[a-c]{3,9}", oc.samplers.multinomial())
    frontiers: list[Frontier] = []
    looked: list[bool] = []

    def hook(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        if draw.attempt:
            return None
        if frontiers:  # or it is asked in the step within the step
            before, other = draw.candidates(9), torch.randn(1, len(model.vocabulary))
            frontiers.pop().step(other)
            looked.append(draw.candidates(9) == before)
        return oc.steer.Resample() if len(draw.candidates(2)) == 2 else None

    def plain(draw: oc.steer.Draw) -> oc.steer.Resample | None:
        return oc.steer.Resample() if not draw.attempt and len(draw.candidates(2)) == 2 else None

    frontier = generator.begin("xy", seed=3, hooks=[hook])
    while not frontier.done:
        frontiers[:] = [frontier]
        frontier = frontier.step(model.logits(frontier.pending))
    assert looked and all(looked)
    assert frontier.state == generator.run("xy", seed=3, hooks=[plain])
