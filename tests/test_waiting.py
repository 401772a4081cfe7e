"""What takes long says so to whoever looks, and to nobody else."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_generation import small_model
from test_progress import Broken, calls

import outlines_cont as oc
from outlines_cont import progress, waiting
from outlines_cont.errors import warn
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.waiting import Wait, told

LONG = 60.0  # seconds after which a test gives up


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Condition()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with self.written:
            self.written.notify_all()
            return super().write(text)

    def clear(self) -> None:
        self.seek(0)
        self.truncate()

    @property
    def bars(self) -> list[str]:
        """The last of what was drawn of every bar."""
        lines = [line.split("\r")[-1] for line in self.getvalue().split("\n")]
        return [line for line in lines if " rows" in line]

    def wait_for(self, text: str) -> bool:
        """Whether a text has come."""
        with self.written:
            return self.written.wait_for(lambda: text in self.getvalue(), LONG)


class Kernel(Screen):
    """A stream of a notebook's kernel."""

    __module__ = "ipykernel.iostream"

    def isatty(self) -> bool:
        return False


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A terminal whose user has no patience at all."""
    made = Screen()
    monkeypatch.setattr(waiting, "sys", SimpleNamespace(stderr=made, stdout=sys.stdout))
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "_silent_until", {})
    yield made
    assert not waiting._waits and not progress._drawn


# --- one line


def test_a_stage_that_takes_long_says_what_it_is(screen: Screen) -> None:
    with told("loading {}", "{a} model"):
        assert screen.wait_for("\n")
    assert screen.getvalue() == "outlines_cont: loading {a} model …\n"


def test_each_stage_that_takes_long_says_so_and_one_that_comes_again_does_so_once(screen: Screen) -> None:
    with told("loading"):
        assert screen.wait_for("loading")
        for count in range(3):
            with told("reading {}", count):
                assert screen.wait_for("reading")
    with told("the end"):
        assert screen.wait_for("the end")
    assert screen.getvalue().splitlines() == [f"outlines_cont: {it} …" for it in ("loading", "reading 0", "the end")]


def test_a_stage_that_is_quick_says_nothing(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 3600.0)
    started: list[Any] = []
    monkeypatch.setattr(threading.Thread, "start", lambda thread: started.append(thread))
    monkeypatch.setattr(threading.Thread, "is_alive", lambda thread: True)
    monkeypatch.setattr(waiting, "_thread", None)
    for _ in range(1000):
        with told("a step"):
            pass
    assert screen.getvalue() == "" and len(started) == 1


@pytest.mark.parametrize("name", ["none", "closed", "pipe", "rank", "worker"])
def test_where_nobody_looks_nothing_is_told_and_no_thread_is_started(
    name: str, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "rank":
        monkeypatch.setenv("RANK", "1")
    elif name == "worker":
        monkeypatch.setattr(waiting, "_silent", False)
        waiting.be_silent()
    else:
        closed = Screen()
        closed.close()
        monkeypatch.setattr(waiting.sys, "stderr", {"none": None, "closed": closed, "pipe": io.StringIO()}[name])
    assert waiting.screen() is None
    with told("loading"):
        assert not waiting._waits
    step = oc.continuous(oc.generate.text(small_model()))

    def look(draw: oc.steer.Draw) -> None:
        assert not waiting._waits

    step("ab", max_tokens=3, seed=0, hooks=[look])
    assert screen.getvalue() == ""


class BrokenScreen(Broken):
    def isatty(self) -> bool:
        return True


def test_a_line_that_cannot_be_written_harms_nothing(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting.sys, "stderr", BrokenScreen())
    tried = threading.Event()
    monkeypatch.setattr("tqdm.tqdm.write", lambda *_, file: (tried.set(), file.write("x")))
    with told("loading"):
        assert tried.wait(LONG)
    monkeypatch.setattr(waiting.sys, "stderr", screen)
    with told("reading"):  # the thread goes on
        assert tried.wait(LONG)


def test_in_a_notebook_it_is_told_without_a_red_background(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = Kernel(), Kernel()
    monkeypatch.setattr(waiting.sys, "stdout", out)
    monkeypatch.setattr(waiting.sys, "stderr", err)
    with told("loading"):
        assert out.wait_for("loading")
    step = oc.continuous(oc.generate.text(small_model()))
    step("ab", max_tokens=3, seed=0, hooks=[lambda draw: None if out.wait_for("0/1 rows") else oc.steer.Stop()])
    assert "1/1 rows" in out.getvalue() and err.getvalue() == ""


def test_an_interruption_leaves_nothing_behind(screen: Screen) -> None:
    with pytest.raises(KeyboardInterrupt), told("loading"):
        assert screen.wait_for("loading")
        raise KeyboardInterrupt
    assert not waiting._waits


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.001, 3600.0]), st.booleans()), max_size=12))
def test_waits_may_begin_and_end_in_any_order(program: list[tuple[int, float, bool]]) -> None:
    """The thread is there while there are waits, tells those that are due, and ends after them."""
    with ExitStack() as open_waits:
        for count, after, ends in program:
            rang = threading.Event()
            answers = iter([0.0] * count)

            def ring(rang: threading.Event = rang, answers: Iterator[float] = answers) -> float | None:
                again = next(answers, None)
                if again is None:
                    rang.set()
                return again

            wait = Wait(after, ring)
            with ExitStack() if ends else open_waits as scope:
                wait.__enter__()
                scope.callback(wait.__exit__)
                assert not ends or after > 1 or rang.wait(LONG)
                if not ends:
                    open_waits = open_waits.pop_all()
        open_waits.close()
    assert not waiting._waits


def test_waits_of_many_threads_share_one(screen: Screen) -> None:
    def work(number: int) -> int:
        with told(f"stage {number};"):
            assert screen.wait_for(f"stage {number};")
            return sum(thread.name == "outlines_cont waits" for thread in threading.enumerate())

    with ThreadPoolExecutor(8) as pool:
        assert max(pool.map(work, range(40))) == 1
    assert sorted(screen.getvalue().splitlines()) == sorted(f"outlines_cont: stage {n}; …" for n in range(40))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_has_no_waits_of_its_parent_and_its_own_are_told(screen: Screen) -> None:
    here, there = os.pipe()
    with told("loading"):
        assert screen.wait_for("loading")
        child = os.fork()
        if not child:
            try:
                assert not waiting._waits
                with told("reading"):
                    assert screen.wait_for("reading")
                os.write(there, screen.getvalue().encode())
            finally:
                os._exit(0)
    os.close(there)
    os.waitpid(child, 0)
    with os.fdopen(here) as pipe:
        assert pipe.read().splitlines() == ["outlines_cont: loading …", "outlines_cont: reading …"]


# --- where it is told


def slow(screen: Screen, text: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which does not begin before this was told."""

    def late(*args: Any, **options: Any) -> Any:
        assert screen.wait_for(text)
        return function(*args, **options)

    return late


STAGES: dict[str, tuple[str, str, Callable[[oc.Model, Path], Any]]] = {
    "load": ("outlines_cont.loading._load_transformers", "loading the model that ships", lambda m, f: oc.load()),
    "a tier": (
        "outlines_cont.engines.hf.engine.choose_backend",
        "trying out how to keep keys and values of LlamaForCausalLM exactly",
        lambda m, f: oc.Model(m.hf, m.tokenizer),
    ),
    "a vocabulary": (
        "outlines_cont.fsm.vocabulary.tokens_of",
        "reading the vocabulary of",
        lambda m, f: Vocabulary.of(m.tokenizer, size=len(m.vocabulary) + 1),
    ),
    "the first constraint": (
        "outlines_cont.fsm.engine.trie.Trie",
        "sorting the 4 tokens of the vocabulary for constraints",
        lambda m, f: guides.regex("ab", Vocabulary([b"", b"a", b"b", b"ab"], eos=[0])),
    ),
    "a guide": (
        "outlines_cont.fsm.guide.AutomatonGuide",
        "making a guide of the pattern '[ab]{3}c{2}'",
        lambda m, f: guides.regex("[ab]{3}c{2}", m.vocabulary),
    ),
    "a mask": (
        "outlines_cont.fsm.engine.masks.Masks._cooked",
        "looking for the tokens that a constraint allows",
        lambda m, f: (g := guides.regex("([^a]b*){7}", m.vocabulary)).mask(g.initial),
    ),
    "a long prompt": (
        "outlines_cont.kv.forward._computed",
        "the model reads 150 tokens",
        lambda m, f: next(oc.generate.text(m).stream([5] * 150, max_tokens=1)),
    ),
    "saving": ("outlines_cont.storage.files.write", "saving ", lambda m, f: m.state("ab").save(f / "x.safetensors")),
    "reading": (
        "outlines_cont.storage.states._under",
        "reading ",
        lambda m, f: [m.state("ab").save(f / "x.safetensors"), oc.load_state(f / "x.safetensors", m)],
    ),
    "a digest": (
        "outlines_cont.engines.hf.engine.TransformersEngine.identity",
        "computing the digest of all parameters of LlamaForCausalLM",
        lambda m, f: oc.Model(m.hf, m.tokenizer).identity,
    ),
    "scores": (
        "outlines_cont.scores.score._ScoreCall.read",
        "scoring 2 texts after each row",
        lambda m, f: oc.score(m.state("ab"), ["a", "b"]),
    ),
}


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_that_may_take_long_is_told(
    name: str, screen: Screen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, text, work = STAGES[name]
    model = oc.load()
    monkeypatch.setattr(place, slow(screen, text, resolve_name(place)))
    work(model, tmp_path)
    assert f"outlines_cont: {text}" in screen.getvalue()


# --- bars that show by themselves


@pytest.mark.parametrize("name", calls(small_model()))
def test_a_call_that_takes_long_shows_its_bar_and_a_stream_does_not(name: str, screen: Screen) -> None:
    call = calls(small_model())[name]
    before = call(progress=False)
    screen.clear()

    def hook(draw: oc.steer.Draw) -> None:
        assert "stream" in name or screen.wait_for("/4 rows")

    after = call(hooks=[hook])
    assert after.tolist() == before.tolist() if isinstance(after, oc.SequenceState) else after == before
    assert len(screen.bars) == ("stream" not in name)
    assert "stream" in name or "4/4 rows" in screen.bars[0]


def test_a_call_that_is_quick_or_said_false_shows_none(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    step = oc.continuous(oc.generate.text(small_model()))
    step("ab", max_tokens=3, seed=0, progress=False)
    monkeypatch.setattr(waiting, "PATIENCE", 3600.0)
    step("ab", max_tokens=3, seed=0)
    list(oc.map(step, ["ab"], seed=0, max_tokens=3))
    assert not screen.bars


def test_a_bar_comes_while_a_single_pass_takes_long(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    model = oc.load()
    monkeypatch.setattr(model.language_model, "_forward", slow(screen, "0/1 rows", model.language_model._forward))
    oc.generate.text(model)("ab", max_tokens=1)
    assert "1/1 rows" in screen.getvalue()


@pytest.mark.parametrize("when", ["opened", "closed"])
def test_a_bar_that_is_interrupted_leaves_nothing_behind(when: str, screen: Screen) -> None:
    """Else no other call would ever show its bar, and this one would be drawn for ever."""
    times = iter([when == "opened", True])

    def counts() -> tuple[int, int, str]:
        if next(times):
            raise KeyboardInterrupt
        return 0, 1, ""

    with pytest.raises(KeyboardInterrupt), progress.Bar(screen, counts, at_once=True):
        pass
    assert not progress._drawn and not waiting._waits


def test_of_calls_in_each_other_one_shows_its_bar(screen: Screen) -> None:
    model = small_model()
    inner, outer = (oc.continuous(oc.generate.text(model)) for _ in range(2))
    drawn: list[int] = []

    def look(draw: oc.steer.Draw) -> None:
        assert screen.wait_for("rows")
        drawn.append(len(progress._drawn))

    def call(draw: oc.steer.Draw) -> None:
        look(draw)
        inner("c", max_tokens=2, seed=0, hooks=[look])

    chain = outer >> "-" >> outer
    for work in (
        lambda: chain("ab", max_tokens=2, seed=0, hooks=[call]),
        lambda: list(oc.map(chain, ["ab", "c"], seed=0, max_tokens=2, hooks=[call])),
        lambda: list(oc.map(chain, ["ab", "c"], seed=0, max_tokens=2, hooks=[call], progress=True)),
        lambda: outer("ab", max_tokens=2, seed=0, hooks=[call], progress=True),
    ):
        screen.clear()
        work()
        assert len(screen.bars) == 1
    assert set(drawn) == {1}


def test_of_calls_beside_each_other_one_shows_its_bar_at_a_time(screen: Screen) -> None:
    step = oc.continuous(oc.generate.text(small_model()))
    drawn: list[int] = []

    def look(draw: oc.steer.Draw) -> None:
        assert screen.wait_for("rows")
        drawn.append(len(progress._drawn))

    def call(seed: int) -> Any:
        return step("ab", max_tokens=3, seed=seed, hooks=[look])

    async def together() -> Any:
        return await asyncio.gather(*(step.acall("ab", max_tokens=3, seed=seed, hooks=[look]) for seed in range(6)))

    alone = [step("ab", max_tokens=3, seed=seed, progress=False) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        assert [s.tolist() for s in pool.map(call, range(6))] == [s.tolist() for s in alone]
    assert [s.tolist() for s in asyncio.run(together())] == [s.tolist() for s in alone]
    assert max(drawn) == 1


def test_the_time_of_whoever_takes_the_results_of_a_map_does_not_count(screen: Screen) -> None:
    step = oc.continuous(oc.generate.text(small_model()))
    results = oc.map(step, ["ab", "c"], seed=0, max_tokens=3, shard=1)
    waits: list[Any] = []
    results._run.job.options["hooks"] = [lambda draw: waits.append(results._run.seconds)]
    next(results)
    assert results._run.seconds == results._run.seconds == results._run.worked >= waits[-1] > waits[0] > 0
    results.close()


@pytest.mark.parametrize("way", ["call", "stream"])
def test_who_has_pressed_ctrl_c_in_a_long_step_is_told_what_it_waits_for(way: str, screen: Screen) -> None:
    generator = oc.generate.text(small_model())

    def hook(draw: oc.steer.Draw) -> None:
        signal.raise_signal(signal.SIGINT)
        assert screen.wait_for("Ctrl-C again ends it now …\n")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(oc.errors.Interrupted) as caught:
            if way == "call":
                generator("ab", max_tokens=3, seed=0, hooks=[hook])
            else:
                list(generator.stream("ab", max_tokens=3, seed=0, hooks=[hook]))
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught.value.state.finished == [["interrupted"]]


def test_a_warning_does_not_stand_in_the_line_of_a_bar(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(warnings, "showwarning", lambda message, *place: print(message, file=sys.stderr))

    def hook(draw: oc.steer.Draw) -> None:
        assert screen.wait_for("/1 rows")
        warn("it is long")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        oc.generate.text(small_model())("ab", max_tokens=1, seed=0, hooks=[hook])
    [line] = [line for line in screen.getvalue().splitlines() if "it is long" in line]
    assert line.split("\r")[-1] == "it is long" and "1/1 rows" in screen.getvalue().splitlines()[-1]


def test_a_terminal_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pytest.importorskip("pty").openpty()
    pytest.importorskip("termios").tcsetwinsize(slave, (24, 80))
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    seen = b""

    def hook(draw: oc.steer.Draw) -> None:
        nonlocal seen
        while b"0/1 rows" not in seen:
            seen += os.read(master, 4096)

    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        oc.generate.text(small_model())("ab", max_tokens=3, seed=0, hooks=[hook])
        while b"1/1 rows" not in seen:
            seen += os.read(master, 4096)
    os.close(master)
