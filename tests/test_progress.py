"""What those who wait see."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.state.row import DEAD

END = re.compile(r"100%\|█{20}\| (\d+)/(\d+) rows \[00:\d\d, (\d+) tokens, [\d,]+ tokens/s, KV reuse (\d+)%\]")


def ends(capsys: pytest.CaptureFixture[str]) -> list[tuple[int, ...]]:
    """The last of what was drawn of every bar."""
    out, err = capsys.readouterr()
    assert out == ""
    return [tuple(map(int, END.fullmatch(line.split("\r")[-1]).groups())) for line in err.split("\n")[:-1]]  # type: ignore


def calls(model: oc.Model) -> dict[str, Any]:
    generator = oc.generate.regex(model, "[ab]{3}", oc.samplers.multinomial(samples=2), forced="never")
    step = oc.continuous(generator, name="walk")
    chain = step >> "-" >> oc.continuous(oc.generate.regex(model, "[12]{2}", oc.samplers.multinomial(samples=2)))
    cut, whole = step(["ab", "c"], seed=0, max_tokens=1), chain(["ab", "c"], seed=0)
    return {
        "generator": lambda **options: generator(["ab", "c"], seed=0, **options),
        "stream of a generator": lambda **options: list(generator.stream(["ab", "c"], seed=0, **options))[-1],
        "step": lambda **options: step(["ab", "c"], seed=0, **options),
        "stream of a step": lambda **options: list(step.stream(["ab", "c"], seed=0, **options))[-1],
        "resume": lambda **options: step.resume(cut, seed=0, **options),
        "chain": lambda **options: chain(["ab", "c"], seed=0, **options),
        "stream of a chain": lambda **options: list(chain.stream(["ab", "c"], seed=0, **options))[-1],
        "resumed chain": lambda **options: chain.resume(whole[..., :-1], seed=0, **options),
    }


@pytest.mark.parametrize("name", calls(small_model()))
def test_progress_is_told_of_and_changes_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    call = calls(small_model())[name]
    quiet = call()
    assert capsys.readouterr() == ("", "")
    loud = call(progress=True)
    assert loud.identical(quiet) if isinstance(loud, oc.SequenceState) else loud == quiet
    [(done, rows, tokens, reuse)] = ends(capsys)
    assert done == rows == 4 and 0 < tokens <= 4 * 6 and 0 <= reuse <= 100


def test_tokens_are_those_of_this_call(capsys: pytest.CaptureFixture[str]) -> None:
    model = small_model.__wrapped__()
    step = oc.continuous(oc.generate.text(model, oc.samplers.greedy(), stop="eos"))
    before = step("abc", max_tokens=3)
    old = model.stats.reused, model.stats.tokens
    after = step(before, max_tokens=5, progress=True)
    [(done, rows, tokens, reuse)] = ends(capsys)
    assert (done, rows, tokens) == (1, 1, int(after.lengths[0, 0] - before.lengths[0, 0]))
    known, new = model.stats.reused - old[0], model.stats.tokens - old[1]
    assert reuse == round(100 * known / (known + new)) != round(100 * model.stats.reused / (model.stats.reused + new))


def test_a_bar_is_closed_whatever_happens(capsys: pytest.CaptureFixture[str]) -> None:
    model = small_model()

    def broken(draw: oc.Draw) -> None:
        raise RuntimeError("broken hook")

    step = oc.continuous(oc.generate.text(model))
    with pytest.raises(RuntimeError, match="broken hook"):
        step("ab", max_tokens=3, hooks=[broken], progress=True)
    assert capsys.readouterr().err.endswith("\n")
    stream = step.stream("ab", max_tokens=3, seed=0, progress=True)
    next(stream)
    stream.close()
    assert capsys.readouterr().err.endswith("\n")


def test_what_is_forced_counts_and_what_has_ended_has_ended(capsys: pytest.CaptureFixture[str]) -> None:
    model = small_model()
    forced = oc.generate.regex(model, "abcabc12", oc.samplers.greedy())
    state = forced.run("x", progress=True)
    [(done, rows, tokens, _)] = ends(capsys)
    assert (done, rows, tokens) == (1, 1, int(state.lengths[0, 0]) - 1)
    forced.run(["x", "y"], max_tokens=0, progress=True)
    assert ends(capsys)[0][:3] == (2, 2, 0)
    dead = oc.cat([state, oc.SequenceState(model, [[DEAD]], samples=1)], 1)
    oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(dead, max_tokens=1, progress=True)
    assert ends(capsys)[0][:2] == (1, 1)


class Broken(io.StringIO):
    """A stream that somebody stopped reading."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def flush(self) -> None:
        raise BrokenPipeError


@pytest.mark.parametrize("stderr", [None, Broken(), io.StringIO()])
def test_a_bar_harms_nothing(stderr: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model()
    step = oc.continuous(oc.generate.text(model))
    quiet = step("ab", max_tokens=3, seed=0)
    if isinstance(stderr, io.StringIO) and not isinstance(stderr, Broken):
        stderr.close()
    monkeypatch.setattr("sys.stderr", stderr)
    assert step("ab", max_tokens=3, seed=0, progress=True).identical(quiet)
