"""Settings of the whole suite: its profiles, and which tests are quick. docs/testing.md says how to run what."""

from __future__ import annotations

import atexit
import gc
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

# Kernels run under Triton's interpreter; it has to be asked for before they are imported. With 0, on a GPU: on_gpu.py.
os.environ.setdefault("TRITON_INTERPRET", "1")

# What is kept between processes goes into a folder of this run, which all its processes share.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["OUTLINES_CONT_CACHE"] = tempfile.mkdtemp(prefix="outlines_cont-tests-")
    atexit.register(shutil.rmtree, os.environ["OUTLINES_CONT_CACHE"], ignore_errors=True)

import hypothesis
import on_gpu
import other_rounding
import pytest
import real_engine
import torch
from hypothesis import HealthCheck, Phase, settings
from hypothesis.database import DirectoryBasedExampleDatabase

#: How many examples each test tries under a profile, relative to its own number. For a change, a third of them do: the
#: same ones in every run, where `explore` draws thirty times as many new ones every night.
EXAMPLES = {"suite": 0.35, "quick": 0.1, "explore": 10.0, "real": 0.05}

#: What `--real` runs besides the tests in tests/real: modules whose states are those of `lawful_model()`.
REAL_MODULES = {"test_laws"}

#: The tests that `-m quick` leaves out, one `module::test` on a line. `--note-slow` adds to it.
SLOW_TESTS = Path(__file__).parent / "slow_tests.txt"
#: A quick test takes no more processor time, in seconds, with what is set up for it.
QUICK_SECONDS = 0.1

#: Modules that `-m quick` leaves out: they start other processes, compile, interpret kernels, try many whole models, or
#: collect all garbage before and after each test.
SLOW_MODULES = {
    "test_docs",
    "test_docstrings",
    "test_kernels",
    "test_kv",
    "test_main_job",
    "test_models",
    "test_notebooks",
    "test_packaging",
    "test_ranks",
    "test_schema_suite",
}

# Timings on a shared machine say nothing, and a failing example should fail again.
LENIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", derandomize=True, max_examples=35, **LENIENT)
settings.register_profile("quick", derandomize=True, max_examples=10, **LENIENT)
# On a real model a smaller failing example costs more than it tells.
settings.register_profile("real", derandomize=True, max_examples=5, phases=[Phase.explicit, Phase.generate], **LENIENT)
settings.register_profile(
    "explore",
    derandomize=False,  # hypothesis draws the same examples in CI unless it is told otherwise
    max_examples=1000,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
    # Among so many examples some tests draw long runs of ones that do not count. That is no failure.
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.load_profile("suite")

# The models here are so small that threads only wait for each other, and pytest-xdist has the cores already.
torch.set_num_threads(1)


def scaled_settings(factor: float) -> type[settings]:
    """`hypothesis.settings` for tests that say how many examples they try: `factor` times as many are tried."""

    class Scaled(settings):
        def __init__(self, parent: settings | None = None, **given: Any) -> None:
            if "max_examples" in given:
                given["max_examples"] = max(1, round(factor * given["max_examples"]))
            if "suppress_health_check" in given:
                checks: Sequence[HealthCheck | str] = given["suppress_health_check"]
                named = {check if isinstance(check, HealthCheck) else HealthCheck[check] for check in checks}
                given["suppress_health_check"] = [*{*named, *settings().suppress_health_check}]
            super().__init__(parent, **given)

    return Scaled


def profile_of(config: pytest.Config) -> str:
    """The profile that was asked for: by an option, by a variable, or by `-m quick`."""
    asked = config.getoption("--hypothesis-profile") or os.environ.get("HYPOTHESIS_PROFILE")
    if config.getoption("--real"):
        return asked or "real"
    quick = config.getoption("markexpr") == "quick" or config.getoption("--note-slow")
    return asked or ("quick" if quick else "suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--minutes", type=float, help="start no test after so many minutes; the modules run in a random order"
    )
    parser.addoption(
        "--other-rounding", action="store_true", help="last bits depend on how many rows are computed together"
    )
    parser.addoption(
        "--note-slow", action="store_true", help=f"run the quick tests, and note in {SLOW_TESTS.name} which are not"
    )
    parser.addoption(
        "--real", choices=real_engine.ENGINES, help="run the tests of the real model, on this engine, and no others"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before the modules of tests are imported: their decorators read the profile."""
    profile = profile_of(config)
    if profile not in EXAMPLES:
        raise pytest.UsageError(f"no profile {profile!r}: it must be one of {', '.join(EXAMPLES)}")
    settings.load_profile(profile)
    if EXAMPLES[profile] != 1:
        hypothesis.settings = scaled_settings(EXAMPLES[profile])  # type: ignore[misc]
    if config.getoption("--other-rounding"):
        other_rounding.install()
    if on_gpu.wanted():
        on_gpu.install()
    real_engine.chosen = config.getoption("--real")


DEADLINE = pytest.StashKey[float]()
#: The processor time that each test took, in seconds, by its name in SLOW_TESTS.
TAKEN = Counter[str]()


def name_of(nodeid: str) -> str:
    """The name that a test has in SLOW_TESTS: its cases share it."""
    path, _, test = nodeid.partition("::")
    return f"{Path(path).stem}::{test.partition('[')[0]}"


def choose_quick(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test is quick unless its module or the test itself is listed as slow; of its cases the first is quick.

    So a new module is quick, and so is a new test, until `--note-slow` finds that it takes longer than QUICK_SECONDS.
    """
    listed, seen = {*SLOW_TESTS.read_text().split()}, set[str]()
    for item in items:
        name = name_of(item.nodeid)
        if name not in seen and item.path.stem not in SLOW_MODULES and name not in listed:
            item.add_marker("quick")
        seen.add(name)
    if config.getoption("--note-slow"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("quick") is None])
        items[:] = [item for item in items if item.get_closest_marker("quick") is not None]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    begun = sum(os.times()[:4])  # processor time, of child processes too: other work of the machine does not count
    outcome = yield
    TAKEN[name_of(item.nodeid)] += sum(os.times()[:4]) - begun
    return outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--note-slow"):
        slow = {name for name, seconds in TAKEN.items() if seconds > QUICK_SECONDS}
        SLOW_TESTS.write_text("".join(f"{name}\n" for name in sorted({*SLOW_TESTS.read_text().split(), *slow})))


def choose_nightly(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What has the mark `nightly` runs where `-m` names it, and not for every change."""
    nightly = [item for item in items if item.get_closest_marker("nightly") is not None]
    if nightly and "nightly" not in config.getoption("markexpr"):
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item.get_closest_marker("nightly") is None]


def choose_real(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--real` only the tests of the real model run, and without it none of them."""
    engine, others = config.getoption("--real"), []
    for item in items:
        real, same = item.path.parent.name == "real", item.get_closest_marker("same_numbers") is not None
        if engine is None and real:
            item.add_marker(pytest.mark.skip(reason="the real model is not asked for (--real, docs/testing.md)"))
        elif engine is not None and not real and item.path.stem not in REAL_MODULES:
            others.append(item)
        elif engine == real_engine.INVARIANT and not same and item.path.stem != "test_mission":
            others.append(item)  # it has run on llama.cpp
        elif same and not real_engine.same_numbers():
            item.add_marker(pytest.mark.skip(reason=f"Q4 rounds beside other tokens: --real {real_engine.INVARIANT}"))
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in {*others}]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    choose_nightly(config, items)
    choose_quick(config, items)
    choose_real(config, items)
    if (minutes := config.getoption("--minutes")) is not None:
        config.stash[DEADLINE] = time.monotonic() + 60 * minutes
        # All processes of one run have to agree about the order.
        drawn = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID", str(time.time())))
        order = {path: drawn.random() for path in sorted({item.path for item in items})}
        items.sort(key=lambda item: order[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What the modules of tests import and make stays: looking for garbage among it took longer than some tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        atexit.register(gc.unfreeze)  # else what Triton has made outlives its module, and it says so


@pytest.fixture(autouse=True, scope="module")
def no_state_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A module leaves no keys and values in the tree of `lawful_model`: the laws count what is in it.

    What the modules before it have left is there for good, too: no garbage is looked for in it.
    """
    gc.collect()
    gc.freeze()
    yield
    strategies = sys.modules.get("strategies")
    if strategies is None or request.session.testsfailed:
        return  # a test that failed keeps its states, for its traceback
    models = strategies.lawful_model.made.values()
    if any(model.stats.kv_bytes for model in models):
        gc.collect()
    assert not any(model.stats.kv_bytes for model in models), (
        "a state of lawful_model() outlived the tests of this module: keep those of own models"
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.stash.get(DEADLINE, float("inf")) < time.monotonic():
        pytest.skip("no time is left")
