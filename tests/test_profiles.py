"""The profiles of the suite, and what `-m quick` takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import conftest
import pytest
import torch
from conftest import EXAMPLES, profile_of, scaled_settings
from hypothesis import HealthCheck, settings
from other_rounding import rounded_otherwise
from real_model import ROOT, VARIABLE


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_a_test_s_own_number_of_examples_is_scaled(factor: float) -> None:
    scaled = scaled_settings(factor)
    assert scaled(max_examples=300).max_examples == 300 * factor
    assert scaled(max_examples=1).max_examples == max(1, factor)
    many = scaled(max_examples=150, suppress_health_check=["function_scoped_fixture"])
    assert many.max_examples == 150 * factor
    assert {HealthCheck.function_scoped_fixture, HealthCheck.too_slow} <= set(many.suppress_health_check)
    assert scaled(many, deadline=None).max_examples == 150 * factor
    assert scaled(many, max_examples=20).max_examples == 20 * factor


def test_exploring_draws_new_examples_and_says_how_to_draw_them_again() -> None:
    exploring, suite = (settings.get_profile(name) for name in ("explore", "suite"))
    assert not exploring.derandomize and exploring.print_blob and exploring.database is not None
    assert suite.derandomize and not exploring.derandomize
    assert exploring.max_examples / EXAMPLES["explore"] == suite.max_examples / EXAMPLES["suite"] == 100


def test_the_profile_is_chosen_by_an_option_a_variable_or_the_marker(monkeypatch: pytest.MonkeyPatch) -> None:
    class Config:
        def __init__(self, **options: str) -> None:
            self.options = options

        def getoption(self, name: str) -> str | None:
            return self.options.get(name)

    def chosen(**options: str) -> str:
        return profile_of(Config(**options))  # type: ignore[arg-type]

    monkeypatch.delenv("HYPOTHESIS_PROFILE", raising=False)
    assert chosen() == chosen(markexpr="not quick") == "suite" and chosen(markexpr="quick") == "quick"
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "explore")
    assert chosen() == chosen(markexpr="quick") == "explore"
    assert chosen(**{"--hypothesis-profile": "suite"}) == "suite"
    monkeypatch.delenv("HYPOTHESIS_PROFILE")
    assert chosen(**{"--real": "llama.cpp"}) == chosen(markexpr="quick", **{"--real": "llama.cpp"}) == "real"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_other_rounding_depends_on_the_number_of_rows_and_is_rounding(dtype: torch.dtype) -> None:
    row = torch.linspace(-3, 5, 40, dtype=dtype)
    alone, among = rounded_otherwise(row[None])[0], rounded_otherwise(row.repeat(3, 1))[0]
    assert not alone.equal(among) and rounded_otherwise(row[None])[0].equal(alone)
    for other in (alone, among):
        assert 0 < (other - row).abs().max() < 10 * torch.finfo(dtype).eps * row.abs().max()


def test_the_slow_and_the_real_modules_exist(request: pytest.FixtureRequest) -> None:
    here, named = request.path.parent, {*conftest.SLOW_MODULES, *conftest.REAL_MODULES}
    assert [name for name in sorted(named) if not (here / f"{name}.py").exists()] == []


def test_the_real_model_is_tried_only_where_it_is_asked_for(tmp_path: Path) -> None:
    """Without `--real` its tests are skipped, and with it no others run; where it is not there, nothing does."""

    def run(*arguments: str) -> str:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        where = {**clean, VARIABLE: str(tmp_path)}
        return subprocess.run(command, cwd=ROOT, env=where, stdout=subprocess.PIPE, text=True, check=False).stdout

    skipped = run("tests/real")
    assert "the real model is not asked for (--real, docs/testing.md)" in skipped
    assert "passed" not in skipped and "failed" not in skipped
    collected = run(
        "--real", "llama.cpp", "--collect-only", "tests/real", "tests/test_laws.py", "tests/test_profiles.py"
    )
    assert "test_the_mission" in collected and "test_law_1_" in collected and "test_profiles.py::" not in collected
    nothing = run("--real", "llama.cpp", "tests/real/test_mission.py")
    assert f"--real: {tmp_path}/model.gguf is not there: python tests/real_model.py makes it" in nothing
