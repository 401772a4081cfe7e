"""Generations in asyncio: they give what calls give, leave the loop free, and stop when their task is cancelled."""

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_failed_rows import MARKED, Broken, no_collection, watch
from test_generation import small_model
from test_interrupted import BEAMS, OTHERS, assert_same, model_of, steps

import outlines_cont as oc

make, S = oc.generate, oc.samplers


class Gate:
    """A model whose forwards wait: each says that it has begun, and goes on when somebody lets it."""

    def __init__(self, model: oc.Model, patch: pytest.MonkeyPatch):
        self.begun, self.open, self.reads = threading.Semaphore(0), threading.Semaphore(0), 0
        read = model.language_model.read

        def waiting(needs: Any) -> Any:
            self.reads += 1
            self.begun.release()
            assert self.open.acquire(timeout=60)
            return read(needs)

        patch.setattr(model.language_model, "read", waiting)

    async def has_begun(self) -> None:
        """The loop goes round until a forward has begun, and waits."""
        while not self.begun.acquire(blocking=False):
            await asyncio.sleep(0)


@pytest.fixture
def gated(monkeypatch: pytest.MonkeyPatch) -> tuple[oc.Model, Gate]:
    model = small_model.__wrapped__()
    return model, Gate(model, monkeypatch)


@settings(max_examples=30)
@given(data=st.data())
def test_what_is_awaited_is_what_a_call_gives(data: st.DataObject) -> None:
    model = model_of(data.draw(st.sampled_from(["0", "1", "gpt-j"]), "model"))
    sampler = data.draw(st.one_of(st.sampled_from(BEAMS), st.sampled_from(OTHERS)), "sampler")
    made = steps(model, sampler)
    step = made[data.draw(st.sampled_from(sorted(made)), "step")]
    prompts: Any = data.draw(st.sampled_from(["x", ["x", "ab"], ["x", "x" * 3000, "zz"]]), "prompts")
    options: Any = {"seed": data.draw(st.integers(0, 9), "seed"), "errors": "return"}
    expected = step(prompts, **options)
    partials = list(step.stream(prompts, **options))

    async def awaited() -> tuple[oc.SequenceState, list[Any]]:
        state = await step.acall(prompts, **options)
        return state, [partial async for partial in step.astream(prompts, **options)]

    state, streamed = asyncio.run(awaited())
    assert_same(state, expected)
    assert [partial.delta for partial in streamed] == [partial.delta for partial in partials]
    for one, other in zip(streamed, partials, strict=True):
        assert_same(one, other)
    cut = partials[len(partials) // 2]
    assert_same(asyncio.run(step.aresume(cut, **options)), step.resume(cut, **options))


def test_a_plain_call_gives_values() -> None:
    model = model_of("1")
    generator = make.regex(model, "[12]{2}", S.multinomial(2))
    expected, state = generator(["x", "z"], seed=1), generator.run(["x", "z"], max_tokens=1, seed=1)

    async def awaited() -> None:
        assert await generator.acall(["x", "z"], seed=1) == expected
        *_, last = [partial async for partial in generator.astream(["x", "z"], seed=1)]
        assert generator.values(last) == expected
        assert generator.values(await generator.aresume(state, seed=1)) == expected
        with pytest.raises(oc.errors.IncompleteError) as caught:
            await generator.acall(["x", "z"], max_tokens=1, seed=1)
        assert caught.value.state == state
        with pytest.raises(TypeError, match="did you mean max_tokens"):
            await generator.acall("x", max_token=1)  # type: ignore[call-arg]

    asyncio.run(awaited())


def test_eight_tasks_give_what_they_give_one_by_one() -> None:
    model = model_of("1")
    calls: list[oc.Chain] = []
    for i, sampler in enumerate([S.greedy(), S.multinomial(2), S.beam_search(2), S.smc(3)] * 2):
        chain = (
            oc.continuous(make.regex(model, "[ab]{1,4}", sampler), name="a")
            >> "-"
            >> oc.continuous(make.text(model, sampler, stop="eos"), max_tokens=3 + i)
        )
        calls.append(chain)
    expected = [call(["x", "ab"], seed=i) for i, call in enumerate(calls)]

    async def at_once() -> list[oc.SequenceState]:
        return await asyncio.gather(*[call.acall(["x", "ab"], seed=i) for i, call in enumerate(calls)])

    for state, one in zip(asyncio.run(at_once()), expected, strict=True):
        assert_same(state, one)


def test_the_loop_is_free_while_the_model_reads(gated: tuple[oc.Model, Gate]) -> None:
    """Every forward waits for what only the loop does: a loop that waited for the forward would never do it."""
    model, gate = gated
    step = oc.continuous(make.regex(model, "[ab]{3}", S.greedy()))

    async def ticker() -> None:
        while True:
            await gate.has_begun()
            gate.open.release()

    async def main() -> tuple[oc.SequenceState, list[Any]]:
        ticking = asyncio.create_task(ticker())
        state = await step.acall("x")
        partials = [partial async for partial in step.astream("x")]
        ticking.cancel()
        return state, partials

    state, partials = asyncio.run(main())
    assert gate.reads >= 3 and partials[-1] == state and len(state.tolist()[0][0]) == 4


@pytest.mark.parametrize("how", ["acall", "astream"])
def test_a_task_that_is_cancelled_stops_after_its_step_and_tells_the_state(
    gated: tuple[oc.Model, Gate], how: str
) -> None:
    model, gate = gated
    step = oc.continuous(make.regex(model, "[ab]{6}", S.multinomial()))
    states: list[oc.SequenceState] = []

    async def generation() -> Any:
        try:
            if how == "acall":
                return await step.acall(["x", "ab"], seed=1)
            return [partial async for partial in step.astream(["x", "ab"], seed=1)]
        except asyncio.CancelledError as error:
            states.append(error.state)  # type: ignore[attr-defined]
            raise

    async def main() -> None:
        task = asyncio.create_task(generation())
        for _ in range(2):
            await gate.has_begun()
            gate.open.release()
        await gate.has_begun()  # the third
        task.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not task.done()  # a step is never cut in two
        gate.open.release()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        assert task.cancelled() and caught.value.state is states[0]  # type: ignore[attr-defined]

    asyncio.run(main())
    gate.open.release(99)
    assert gate.reads == 3 and states[0].lengths.tolist() == [[1 + 3], [1 + 3]]
    assert step.resume(states[0], seed=1) == step(["x", "ab"], seed=1)


def test_a_second_cancellation_does_not_wait(gated: tuple[oc.Model, Gate]) -> None:
    model, gate = gated
    step = oc.continuous(make.regex(model, "[ab]{6}", S.multinomial()))

    async def main() -> oc.SequenceState:
        task = asyncio.create_task(step.acall("x", seed=1))
        await gate.has_begun()
        gate.open.release()
        await gate.has_begun()
        task.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task  # while the forward still waits
        gate.open.release(99)
        return caught.value.state  # type: ignore[attr-defined]

    state = asyncio.run(main())
    assert state.lengths.tolist() == [[1 + 1]] and state.finished == [["interrupted"]]


def test_a_timeout_has_the_state_as_its_cause(gated: tuple[oc.Model, Gate]) -> None:
    model, gate = gated
    step = oc.continuous(make.regex(model, "[ab]{6}", S.multinomial()))

    async def main() -> Any:
        limit = asyncio.timeout(None)

        async def opener() -> None:
            await gate.has_begun()
            limit.reschedule(0)  # it is over, in the middle of the first step
            for _ in range(5):
                await asyncio.sleep(0)
            gate.open.release(99)

        opening = asyncio.create_task(opener())
        with pytest.raises(TimeoutError) as caught:
            async with limit:
                await step.acall("x", seed=1)
        await opening
        return caught.value.__cause__

    cause = asyncio.run(main())
    assert isinstance(cause, asyncio.CancelledError)
    assert cause.state.lengths.tolist() == [[1 + 1]]  # type: ignore[attr-defined]


def test_a_stream_that_is_closed_early_stops_and_frees_its_keys() -> None:
    model = small_model.__wrapped__()
    step, reads, read = oc.continuous(make.regex(model, "[ab]{6}", S.multinomial())), [], model.language_model.read

    def counting(needs: Any) -> Any:
        reads.append(len(needs))
        return read(needs)

    model.language_model.read = counting

    async def main() -> None:
        async with aclosing(step.astream("x", seed=1)) as partials:
            async for partial in partials:
                assert model.stats.kv_bytes and partial.delta
                break
        del partial
        with pytest.raises(StopAsyncIteration):
            await anext(partials)

    with no_collection():
        asyncio.run(main())
        assert len(reads) == 1 and model.stats.kv_bytes == 0


def test_errors_of_rows_are_those_of_calls() -> None:
    model = model_of("1")
    step, hooks = oc.continuous(make.regex(model, "[ab]{4}", S.multinomial())), [watch(model, 1)]
    expected = step(["x", MARKED], seed=1, hooks=hooks, errors="return")

    async def main() -> None:
        state = await step.acall(["x", MARKED], seed=1, hooks=hooks, errors="return")
        assert_same(state, expected)
        assert type(state.errors[1][0]) is Broken
        with pytest.raises(Broken) as caught:
            await step.acall(["x", MARKED], seed=1, hooks=hooks)
        error: Any = caught.value
        assert error.row == (1, 0) and error.values[0] == expected.tolist()[0]
        assert_same(await step.aresume(error.state, seed=1), step(["x", MARKED], seed=1))
        partials = []
        with pytest.raises(Broken):
            async for partial in step.astream(["x", MARKED], seed=1, hooks=hooks):
                partials.append(partial)
        assert_same(partials[-1], expected)

    asyncio.run(main())


def test_an_interruption_in_a_step_carries_the_state() -> None:
    """A hook that raises KeyboardInterrupt: as in a call, and as any task does it ends the loop."""
    model = model_of("1")
    step = oc.continuous(make.regex(model, "[ab]{4}", S.multinomial()))

    def pressed(draw: oc.steer.Draw) -> None:
        if draw.step == 2:
            raise KeyboardInterrupt

    with pytest.raises(oc.errors.Interrupted) as caught:
        asyncio.run(step.acall("x", seed=1, hooks=[pressed]))
    assert caught.value.state.lengths.tolist() == [[3]]


def test_the_context_of_a_task_goes_with_its_steps() -> None:
    """`model.fresh()` in one task is not seen by another that runs beside it, and is by its own forwards."""
    model = small_model.__wrapped__()
    step = oc.continuous(make.regex(model, "[ab]{3}", S.greedy()))

    async def fresh() -> oc.SequenceState:
        with model.fresh():
            return await step.acall("x")

    async def plain() -> oc.SequenceState:
        return await step.acall("ab")

    async def main() -> tuple[oc.SequenceState, ...]:
        return await asyncio.gather(fresh(), plain(), fresh(), plain())

    states = asyncio.run(main())
    assert [bool(state.kv.lengths.sum()) for state in states] == [False, True, False, True]


def test_hooks_may_call_the_model_themselves() -> None:
    model = model_of("1")
    inner = make.regex(model, "[ab]{2}", S.greedy())
    seen: list[str] = []
    step = oc.continuous(make.regex(model, "[12]{2}", S.greedy()))

    def hook(draw: oc.steer.Draw) -> None:
        seen.append(inner("x"))

    state = asyncio.run(step.acall("x", hooks=[oc.steer.Watch(hook)]))
    assert state == step("x") and set(seen) == {inner("x")}
