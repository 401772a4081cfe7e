"""More than one process: forks while a thread generates; the collector; and what is pickled, or says why not."""

from __future__ import annotations

import copy
import gc
import inspect
import multiprocessing
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
import threading
from functools import cache
from typing import Any

import pytest
from strategies import CLOSE, shipped_model
from test_house import ROOT, modules

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.processes import ProcessBound, ProcessBoundValue, uncollected, whole_at_fork

FORKING = """
import os, signal, sys, threading, torch
torch.set_num_threads(2)  # more than one: torch would wait in the child for threads that are not there
import outlines_cont as oc

model = oc.load()
digits = oc.generate.regex(model, "[a-z]{2,5} [0-9]{4}", oc.samplers.greedy())
schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}, "required": ["a"]}
data = oc.generate.json(model, schema)
held = oc.continuous(digits)("Mira came in ", max_tokens=3)

def values():
    state = oc.continuous(digits).resume(held)
    return [digits("In "), data("Mira", seed=1), state.tolist()], state.rescore().weights

def as_expected():
    texts, weights = values()
    return texts == expected[0] and weights.allclose(expected[1], atol=float(sys.argv[2]))

expected, over, turns = values(), threading.Event(), threading.Semaphore(0)

def generate():
    turn = 0
    while not over.is_set():
        turn += 1
        fresh = oc.generate.regex(model, f"[0-9]{{1,{turn % 30 + 1}}}")  # guides are made, and masks, and slots taken
        fresh.run(f"{turn}", max_tokens=9)
        turns.release()

worker = threading.Thread(target=generate)
worker.start()
outcomes = []
for _ in range(int(sys.argv[1])):
    turns.acquire()
    if not (child := os.fork()):
        signal.alarm(60)  # a child that waits for ever is killed
        os._exit(not (as_expected() and torch.get_num_threads() == 1))
    outcomes.append(os.waitpid(child, 0)[1])
over.set()
worker.join()
assert as_expected() and torch.get_num_threads() == 2
print(len(outcomes), "children,", sum(map(bool, outcomes)), "failed")
"""
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def forks(count: int) -> str:
    """What comes of so many children of a process in which a thread generates."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKING, str(count), str(CLOSE)]
    patient = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}  # torch's threads sleep while they have nothing to do
    done = subprocess.run(command, capture_output=True, text=True, timeout=120 + 5 * count, cwd=ROOT, env=patient)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@needs_fork
def test_a_child_generates_what_its_parent_does_while_a_thread_generates() -> None:
    assert forks(10) == "10 children, 0 failed"


@needs_fork
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_waits_for_changes_and_takes_locks_in_any_order() -> None:
    """One thread holds a lock and asks for another one, which the fork may have taken first."""
    a, b = whole_at_fork(threading.Lock()), whole_at_fork(threading.RLock())
    begun, data, over = threading.Event(), [0, 0], False

    def change(first: Any, second: Any) -> None:
        while not over:
            with first:
                begun.set()
                with second:
                    data[0] += 1
                    data[1] += 1

    threads = [threading.Thread(target=change, args=order) for order in [(a, b), (a, b)]]
    for thread in threads:
        thread.start()
    begun.wait()
    for _ in range(20):
        if not (child := os.fork()):
            whole = data[0] == data[1] and a.acquire(blocking=False) and b.acquire(blocking=False)
            os._exit(not whole)
        assert os.waitpid(child, 0)[1] == 0
    over = True
    for thread in threads:
        thread.join()


FORKS_AT_ONCE = """
import os, threading, time
from contextlib import nullcontext
from outlines_cont.processes import whole_at_fork

lock, ready = whole_at_fork(threading.RLock()), threading.Barrier(3)

def forks(within):
    ready.wait()
    for _ in range(20):
        with within:  # a forward does, if it starts a process
            time.sleep(0.001)
            if not (child := os.fork()):
                os._exit(not lock.acquire(blocking=False))
            assert os.waitpid(child, 0)[1] == 0
    os.write(1, b"done\\n")  # `print` writes a line in two parts

for within in (lock, nullcontext(), nullcontext()):
    threading.Thread(target=forks, args=(within,)).start()
"""


@needs_fork
def test_threads_fork_at_once_and_one_of_them_holds_a_lock() -> None:
    """One waited for the lock, and the other for the one, for ever."""
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS_AT_ONCE]
    assert subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT).stdout == "done\n" * 3


def test_every_lock_is_whole_at_a_fork() -> None:
    """A new lock cannot be forgotten."""
    bare = {
        path.relative_to(ROOT).as_posix()
        for name, path in modules().items()
        if re.search(r"(?<!whole_at_fork\()threading\.R?(Lock|Condition|Semaphore)\(", path.read_text(encoding="utf-8"))
    }
    assert not bare


# --- the garbage collector


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_as_it_was_after_all_that_held_it_off(collecting: bool) -> None:
    """In threads at once, within one another, and where some fail. Nobody prolongs what another one has begun."""
    outcomes: list[bool] = []

    def work(draws: random.Random, depth: int) -> None:
        assert not gc.isenabled() or threading.active_count() > 1
        if depth and draws.random() < 0.7:
            tried(draws, depth - 1)
        if draws.random() < 0.3:
            raise ArithmeticError

    def tried(draws: random.Random, depth: int) -> None:
        try:
            uncollected(work, draws, depth)
        except ArithmeticError:
            outcomes.append(True)

    def many(seed: int) -> None:
        draws = random.Random(seed)
        for _ in range(300):
            tried(draws, 3)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads change places in the middle of everything
    (gc.enable if collecting else gc.disable)()
    try:
        for _ in range(5):
            threads = [threading.Thread(target=many, args=(seed,)) for seed in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert gc.isenabled() is collecting and outcomes
        tried(random.Random(0), 3)
        assert gc.isenabled() is collecting
    finally:
        sys.setswitchinterval(interval)
        gc.enable()


@needs_fork
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_two_hold_the_collector_off_and_it_is_on_when_the_first_has_ended() -> None:
    """Also in a process that is forked meanwhile."""
    begun, over = [threading.Event() for _ in range(2)], [threading.Event() for _ in range(2)]

    def wait(i: int) -> None:
        begun[i].set()
        over[i].wait()

    threads = [threading.Thread(target=uncollected, args=(wait, i), daemon=True) for i in range(2)]
    for i, thread in enumerate(threads):
        thread.start()
        begun[i].wait()
    assert not gc.isenabled()
    if not (child := os.fork()):
        once = gc.isenabled() and not uncollected(gc.isenabled)
        os._exit(not (once and gc.isenabled()))
    assert os.waitpid(child, 0)[1] == 0
    for i, thread in enumerate(threads):
        over[i].set()
        thread.join()
        assert gc.isenabled()


def test_the_collector_waits_while_a_guide_is_made_and_a_schema_unfolds() -> None:
    """Else a schema of so many objects has it run a hundred times."""
    properties = {f"name {i}": {"type": "object", "properties": {"a": {"enum": [i]}}} for i in range(5000)}
    v, ran = Vocabulary([b"<eos>", *map(bytes, zip(range(256), strict=True))], eos=[0]), list[str]()

    def note(phase: str, _: Any) -> None:
        ran.append(phase)

    gc.collect()
    gc.callbacks.append(note)
    try:
        made = guide.json_schema({"type": "object", "properties": properties}, v)
        made.mask(made.advance_all(made.initial, [1 + byte for byte in b'{"']))
    finally:
        gc.callbacks.remove(note)
    assert ran.count("start") <= 6


# --- pickles and copies


@cache
def things() -> list[Any]:
    """One of each: everything that users get into their hands."""
    model = oc.Model(shipped_model().hf, shipped_model().tokenizer)  # what is kept here counts for no other test
    text = oc.generate.text(model)
    step = oc.continuous(text, name="text")
    state = step("Mira is", max_tokens=2, seed=0, keep=oc.Keep(candidates=2, alternatives=2))
    seen: list[Any] = []
    text("Mira", max_tokens=1, hooks=[seen.append])
    rows: list[Any] = []
    text("Mira", max_tokens=2, draft=rows.append)
    frontier = text.begin("The sky is")
    texts_only = oc.Model(model.tokenizer)
    bit = oc.continuous(oc.generate.choice(model, [0, 1]), name="bit")
    fields = bit("Mira is ").captures.fields("bit").posteriors()
    errors = (
        oc.errors.DraftError,
        oc.errors.IncompleteError,
        oc.errors.HookLimit,
        oc.errors.Interrupted,
        oc.errors.InvalidValueError,
    )
    simple = (
        oc.errors.BatchMismatch,
        oc.errors.ConstraintError,
        oc.errors.ContextFull,
        oc.errors.CorruptStateError,
        oc.OutlinesContError,
    )
    return [
        *(model, model.language_model, model.engine, model.tree, model.stats, texts_only, texts_only.engine),
        *(text, text.constraint, text.constraint.guide, step, step >> ".", frontier),
        *(state, next(step.stream("Mira")), state.rows[0][0], state.rows[0][0].claim, state.spans, state.captures),
        *(
            state.kept.candidates[0][0][-1][0],
            state.kept.alternatives[0][0][-1][0],
            seen[0],
            seen[0].row,
            rows[0],
            model.vocabulary,
            oc.score(model.state("a"), ["b"]),
        ),
        oc.grafts.graft_error(state),
        *(oc.train.tree_logprobs(state, grad=False), state.completions()[0][0]),
        oc.bounds(oc.generate.choice(model, ["a", "b"]), "Mira is "),
        *(fields, fields.one[""], fields.one[""].posterior, oc.errors.TooUnlikely("never", 0.1)),
        oc.compare(state, state),
        model.next(state, oc.generate.text(model)),
        *(
            oc.steer.KEEP,
            oc.steer.Branch(allowed=oc.steer.KEEP),
            oc.types.NOTHING,
            oc.types.partial('{"a": '),
            oc.CallOptions(seed=1),
        ),
        *(
            oc.Keep(candidates=3),
            oc.Settings(seed=3, stop_at=["a"]),
            oc.Mix([("a", 0.5)], own=2.0),
            oc.Mix.proposal(2.0),
            oc.steer.Hooks(print, retries=3),
            oc.steer.Watch(print),
            oc.steer.Stop(),
            oc.steer.Backtrack(1),
            oc.steer.Insert(3),
            oc.steer.Replace(3),
            oc.steer.Resample(ban=[3]),
            oc.stepping.Need((0, 921), (1,)),
            oc.stepping.Event("text", "Hi", 0),
            oc.store.KVStore(tempfile.mkdtemp()),
        ),
        *(oc.samplers.greedy(), oc.samplers.multinomial(2), oc.samplers.beam_search(2), oc.samplers.smc(3)),
        *(error("it was cut", state) for error in errors),
        *(error("a message") for error in (*simple, oc.errors.SampleMismatch, oc.errors.SlicingError)),
    ]


def test_every_public_class_is_tried() -> None:
    tried = {cls.__name__ for thing in things() for cls in type(thing).__mro__}
    modules = [oc, oc.errors, oc.grafts, oc.scores, oc.steer, oc.stepping, oc.storage, oc.store, oc.train, oc.types]
    public = {name for module in modules for name in module.__all__ if inspect.isclass(getattr(module, name))}
    assert isinstance(oc.CallOptions(), dict)
    assert public - tried == {
        "CallOptions",
        "Partial",
        "ToolCall",
        "OutputType",
        "Scoring",
        "Engine",
        "LanguageModel",
        *("EngineError", "LibraryError", "ModelFileError", "RankError", "RowError", "WorkerError"),
    }  # and protocols


def same(thing: Any, other: Any) -> bool:
    if isinstance(thing, BaseException):
        return (type(thing), thing.args, vars(thing)) == (type(other), other.args, vars(other))
    return other is thing or repr(other) == repr(thing)


def test_a_public_thing_is_pickled_whole_or_says_what_to_do() -> None:
    """The same of its copies. Nothing ever is copied in part, as a claim without its count."""
    refusal = re.compile(r"[A-Z]\w+ is (not pickled, it belongs to its process|neither pickled nor copied): \w")
    for thing in things():
        try:
            assert same(thing, pickle.loads(pickle.dumps(thing)))
        except TypeError as error:
            assert refusal.match(str(error)), f"{type(thing)}: {error}"
        for copied in (copy.copy, copy.deepcopy):
            if isinstance(thing, ProcessBound) and not isinstance(thing, ProcessBoundValue):
                with pytest.raises(TypeError, match=f"{type(thing).__name__} is neither pickled nor copied: "):
                    copied(thing)
            else:
                other = copied(thing)
                assert other is thing if isinstance(thing, ProcessBoundValue) else same(thing, other)


def test_needs_are_pickled_without_claims() -> None:
    """An engine in another process reads them; what this one keeps stays here."""
    model = shipped_model()
    frontier = oc.generate.text(model).begin("The sky is")
    frontier = frontier.step(model.logits(frontier.pending))
    [need] = frontier.pending
    [sent] = pickle.loads(pickle.dumps(frontier.pending))
    assert need.claim is not None and sent.claim is None and sent.computed == []
    assert (sent.tokens, sent.wanted, sent.parent, sent.keep) == (need.tokens, need.wanted, need.parent, need.keep)
    assert model.logits([sent]).allclose(model.logits([need]), atol=1e-4)


def test_a_process_that_is_spawned_is_given_no_model() -> None:
    process = multiprocessing.get_context("spawn").Process(target=print, args=(oc.generate.text(shipped_model()),))
    with pytest.raises(TypeError, match=r"Generator is not pickled.* make it in each process, of the model"):
        process.start()


def test_a_copied_branch_keeps_what_it_keeps() -> None:
    branch = oc.steer.Branch(allowed=oc.steer.KEEP)
    assert pickle.loads(pickle.dumps(branch)) == copy.deepcopy(branch) == branch
    assert copy.deepcopy(branch).memory is oc.steer.KEEP
