"""What those who wait see."""

from __future__ import annotations

import asyncio
import io
import re
import sys
from types import SimpleNamespace
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

    def broken(draw: oc.steer.Draw) -> None:
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


class Notebook:
    """IPython as a notebook's kernel has it: what was shown, and what was drawn in its place."""

    def __init__(self) -> None:
        self.shown: list[list[dict[str, str]]] = []

    def display(self, bundle: dict[str, str], raw: bool, display_id: bool) -> SimpleNamespace:
        assert raw and display_id
        self.shown.append([bundle])
        return SimpleNamespace(update=lambda bundle, raw: self.shown[-1].append(bundle))


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    made = Notebook()
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=made.display))  # type: ignore[arg-type]
    return made


@pytest.mark.parametrize("name", calls(small_model()))
def test_rows_are_drawn_in_one_place_and_change_nothing(
    name: str, notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    call = calls(small_model())[name]
    quiet = call()
    assert notebook.shown == []
    drawn = call(progress="rows")
    assert drawn.identical(quiet) if isinstance(drawn, oc.SequenceState) else drawn == quiet
    [bundles] = notebook.shown
    first, last = bundles[0], bundles[-1]
    assert "tokens/s" in first["text/html"] and "tokens/s" not in last["text/html"]
    assert 2 <= len(bundles) < 9  # the steps take no quarter of a second
    if isinstance(drawn, oc.SequenceState) and "stream" not in name:
        assert last == {"text/html": str(drawn.html()), "text/plain": repr(drawn)}
    assert capsys.readouterr() == ("", "")


def test_rows_are_drawn_as_often_as_time_allows(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("outlines_cont.pictures.rows.perf_counter", lambda: clock[0])

    def slow(draw: oc.steer.Draw) -> None:
        clock[0] += 0.1

    step = oc.continuous(oc.generate.text(small_model(), stop="eos"))
    state = step("ab", max_tokens=30, seed=0, hooks=[slow], progress="rows")
    [bundles] = notebook.shown
    seconds = 0.1 * (state.shape[2] - 2)
    assert len(bundles) <= 2 + seconds / 0.25
    assert len(bundles) >= 2 + seconds / 0.5


def test_the_last_drawing_is_what_an_interruption_left(notebook: Notebook) -> None:
    model = small_model()
    step = oc.continuous(oc.generate.text(model, stop="eos"))

    def broken(draw: oc.steer.Draw) -> None:
        raise KeyboardInterrupt

    with pytest.raises(oc.errors.Interrupted) as error:
        step("ab", max_tokens=30, seed=0, hooks=[broken], progress="rows")
    assert notebook.shown[-1][-1]["text/html"] == error.value.state.html()
    stream = step.stream("ab", max_tokens=3, seed=0, progress="rows")
    partial = next(stream)
    stream.close()
    assert notebook.shown[-1][-1]["text/html"] == partial.html()


def test_rows_are_drawn_from_asyncio(notebook: Notebook) -> None:
    step = oc.continuous(oc.generate.text(small_model(), stop="eos"))
    state = asyncio.run(step.acall("ab", max_tokens=3, seed=0, progress="rows"))
    assert notebook.shown[-1][-1]["text/html"] == state.html()


def test_rows_need_a_notebook_and_a_state(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model()
    generator = oc.generate.text(model)
    with pytest.raises(ValueError, match=r"oc.map\(progress='rows'\)"):
        oc.map(generator, ["a"], seed=0, progress="rows")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress"):
        generator.begin("a", progress="rows")
    with pytest.raises(ValueError, match="progress='row': it is None, True or False, or 'rows' in a notebook"):
        generator("a", progress="row")  # type: ignore[typeddict-item]
    with pytest.raises(TypeError, match="progress=1"):
        generator("a", progress=1)  # type: ignore[typeddict-item]
    terminal = SimpleNamespace(get_ipython=lambda: SimpleNamespace())
    for ipython in (terminal, SimpleNamespace(get_ipython=lambda: None), None):
        monkeypatch.setitem(sys.modules, "IPython", ipython)  # type: ignore[arg-type]
        for call in (generator, oc.continuous(generator).stream):
            with pytest.raises(ValueError, match=r"in a notebook.*progress=True draws"):
                call("a", progress="rows")
    assert notebook.shown == []


def test_a_bar_in_a_notebook_has_no_red_background(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
    out, err = kernels(), kernels()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    step = oc.continuous(oc.generate.text(small_model()))
    state = step("ab", max_tokens=3, seed=0, progress=True)
    assert "1/1 rows" in out.getvalue() and err.getvalue() == ""
    assert list(oc.map(step, ["ab"], seed=0, max_tokens=3, progress=True))[0].shape[:2] == state.shape[:2]
    assert "1/1" in out.getvalue() and err.getvalue() == ""
    redirected = io.StringIO()
    monkeypatch.setattr("sys.stderr", redirected)  # where a cell sends it, it goes
    step("ab", max_tokens=3, seed=0, progress=True)
    assert "1/1 rows" in redirected.getvalue()
