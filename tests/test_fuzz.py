"""The fuzzer of constraints (tests/bench/fuzz_constraints.py): cases of each kind; what goes wrong is told."""

from __future__ import annotations

import os
import re
import signal
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent / "bench"))

import constraint_checks
import fuzz_constraints as fuzz  # type: ignore[import-not-found]  # in tests/bench
from constraint_checks import CHECKS, Outcome, Tell, Wrong, check_grammar, check_pattern, check_schema, decimal, ecma
from drawn_constraints import SchemaCase, TextCase

#: Cases that take no time.
FEW = {"schemas": range(3, 18), "patterns": range(20), "grammars": range(15, 23), "whole": range(15, 30)}
silent: Tell = lambda phase: None  # noqa: E731


@pytest.mark.parametrize("kind", FEW)
def test_constraints_at_random_are_right_or_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without schemas of the real world: these are not everywhere, and a number has to stand for one thing.
    monkeypatch.setattr("drawn_constraints.real_cases", list)
    outcomes = [CHECKS[kind](Random(f"{kind} {number}"), silent) for number in FEW[kind]]
    refused = sum(bool(outcome.refused) for outcome in outcomes)
    assert 0 < refused < len(outcomes) and any(outcome.counts for outcome in outcomes)


# ------------------------------------------------------------------------------------------- what goes wrong is told


@pytest.mark.parametrize(
    ("check", "case", "texts"),
    [
        (check_schema, SchemaCase({"type": "integer", "minimum": 3}, [2, 3, 4, 2, 3]), None),
        (check_pattern, TextCase("(?:ab)+"), None),
        (check_grammar, TextCase('start: "a" start | "b"', "lark"), None),
        (check_grammar, TextCase('root ::= "a"', "gbnf", {"a": True, "b": False}), None),
    ],
)
def test_a_guide_of_another_language_is_noticed(check: Any, case: Any, texts: Any, monkeypatch: Any) -> None:
    for seed in range(3):
        check(Random(seed), silent, case)
    other = constraint_checks.guide.regex
    for name in ("json_schema", "regex", "grammar"):
        monkeypatch.setattr(constraint_checks.guide, name, lambda _, v, **options: other("2|aa|bb?", v))
    with pytest.raises(Wrong, match=r"a walk gives|we (accept|refuse)"):
        for seed in range(20):
            check(Random(seed), silent, case)


def failing(how: str) -> Any:
    """A check that draws nothing, and fails at the third case in some way."""

    def check(r: Random, tell: Tell) -> Outcome:
        number = check.count = check.count + 1  # type: ignore[attr-defined]
        tell("compile")
        if number == 3 and how == "raises":
            raise KeyError("x")
        if number == 3 and how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        while number == 3 and how in ("hangs", "oracle hangs"):
            tell("oracle" if how == "oracle hangs" else "walk")
        if number == 3 and how == "takes memory":
            bytearray(2**32)
        return Outcome("shown", refused="no \ud800" if number % 2 else "")

    check.count = 0  # type: ignore[attr-defined]
    return check


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limits are those of Linux")
@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("raises", "KeyError: test_fuzz.py"),
        ("dies", "SIGKILL in compile"),
        ("hangs", "over 0.4 s in walk"),
        ("takes memory", "MemoryError: test_fuzz.py"),
        ("oracle hangs", ""),
        ("nothing", ""),
    ],
)
def test_a_case_that_fails_is_told_and_the_others_run(how: str, told: str, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setitem(CHECKS, "patterns", failing(how))
    given = ["patterns", "--cases", "6", "--guard", "0.4", "--memory", "1", "--seed", "1"]
    assert fuzz.main(given) == int(bool(told))
    printed = capsys.readouterr().out
    assert "6  drawn" in printed and ("no failures" in printed) is not bool(told)
    if told:
        assert f"-- case 1000000002: {told}" in printed
    assert ("the oracle takes too long" in printed) is (how == "oracle hangs")


# ------------------------------------------------------------------------------------------------ what oracles are told


def test_numbers_are_written_plainly() -> None:
    for text in ("0", "-1", "12.5", "-0.001", "100000000000000000000000.5"):
        assert decimal(Fraction(text)) == text
    assert decimal(Fraction("1e3")) == "1000" and decimal(Fraction("1e-3")) == "0.001"


def test_patterns_of_ecma_262_are_written_for_python() -> None:
    for pattern, text, expected in [
        ("a$", "a\n", False),
        ("^.$", "\u2028", False),
        (r"^[\s$.]$", "\ufeff", True),
        (r"^[\s$.]$", "$", True),
        (r"^\d$", "٣", False),
        (r"^\$\.$", "$.", True),
        (r"é\b", "éa", True),
    ]:
        assert (re.search(ecma(pattern), text) is not None) is expected, pattern
