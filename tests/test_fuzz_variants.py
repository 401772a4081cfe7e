"""The fuzzer of variants (tests/bench/fuzz_variants.py): a few programs in all their ways; what goes wrong is told."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent / "bench"))

import fuzz_variants as fuzz  # type: ignore[import-not-found]  # in tests/bench
import hashed_model
from drawn_programs import Language, program_of
from fixed_memory import FixedPool
from program_checks import VARIANTS, check_program, plain_model, warped

import outlines_cont as oc
from outlines_cont.generate.steps import Composition


def test_programs_at_random_give_the_same_in_all_ways() -> None:
    counts = Counter[str]()
    for number in range(5, 17):
        check_program(program_of(Random(f"variants {number}")), number, counts=counts)
    assert counts["programs"] == 12 and counts["scores computed anew"] > 100
    assert all(counts[f"variant {name}"] for name in VARIANTS), counts


# ------------------------------------------------------------------------------------------- what goes wrong is told


def reads_one_token_less(patch: pytest.MonkeyPatch) -> None:
    whole = hashed_model.HashedModel.read

    def less(model: Any, needs: Any) -> Any:
        return whole(model, [oc.stepping.Need(n.tokens[1:], tuple(at - 1 for at in n.wanted if at)) for n in needs])

    patch.setattr(hashed_model.HashedModel, "read", less)


def forgets_the_first_slot(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hashed_model.HashedSlots, "law", lambda engine, ids: torch_law(engine, ids[1:]))


def torch_law(engine: Any, ids: tuple[int, ...]) -> Any:
    return hashed_model.torch.from_numpy(engine.model.law(ids).copy())


def gives_nothing_back(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FixedPool, "give", lambda pool, slots: None)


def resumes_with_another_seed(patch: pytest.MonkeyPatch) -> None:
    resume = Composition.resume
    patch.setattr(Composition, "resume", lambda chain, state, seed, **more: resume(chain, state, seed=seed + 1, **more))


@pytest.mark.parametrize(
    ("fault", "told", "programs"),
    [
        (reads_one_token_less, "Wrong in the plain laws", 3),
        (forgets_the_first_slot, "Wrong in slots", 3),
        (gives_nothing_back, "Wrong in slots", 3),
        (resumes_with_another_seed, "Wrong in cut", 40),
    ],
)
def test_a_planted_fault_is_told_with_what_repeats_it(
    fault: Callable[[pytest.MonkeyPatch], None], told: str, programs: int, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    way = told.split()[-1]
    only = ["--only", way if way in VARIANTS else "slots"]
    plain_model.cache_clear()
    with monkeypatch.context() as patch:
        fault(patch)
        assert fuzz.main(["--programs", f"{programs}", "--seed", "1", *only]) == 1
    printed = capsys.readouterr().out
    assert f"-- {told}: " in printed and "again: python tests/bench/fuzz_variants.py --case 10000000" in printed
    assert not printed.strip().endswith(" 0 failures")
    assert fuzz.main(["--programs", "1", "--seed", "1", "--only", "slots"]) == 0
    assert capsys.readouterr().out.strip().endswith(" 0 failures")


# ------------------------------------------------------------------------------------------------ what the oracle says


def test_a_language_knows_its_texts_and_their_beginnings() -> None:
    language = Language(b"ab|c{2,3}x?")
    assert [language.whole(text) for text in (b"ab", b"cc", b"a", b"ccccx")] == [True, True, False, False]
    assert [language.begins(text) for text in (b"", b"a", b"ccx", b"ca", b"abx")] == [True, True, True, False, False]


def test_a_law_is_warped_in_the_order_of_transformers() -> None:
    scores = hashed_model.np.log([0.5, 0.3, 0.15, 0.05])
    two = warped(scores, oc.samplers.multinomial(top_k=2))
    assert [round(x, 3) for x in two] == [-0.47, -0.981, float("-inf"), float("-inf")]
    assert warped(scores, oc.samplers.multinomial(top_p=0.6))[1] == pytest.approx(two[1])
    assert warped(scores, oc.samplers.multinomial(min_p=0.5))[1] == pytest.approx(two[1])
    assert warped(scores, oc.samplers.multinomial(top_p=0.8))[0] is None, "0.8 is a border"
