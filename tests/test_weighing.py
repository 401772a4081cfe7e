"""How much weighed samples tell, in pictures and in the progress bar: against the state's own tensors."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_generation import small_model

import outlines_cont as oc
from outlines_cont.decode.growing_row import GrowingRow
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.pictures.picture import as_svg
from outlines_cont.state.row import DEAD, Row

draw, smc = oc.samplers.multinomial, oc.samplers.smc
HEAD = re.compile(r'<div class="o">SequenceState\(.*?\)((?:; (?:\[\d+, :, :\] )?ESS [^;<]*)*)</div>')
WORDS = ["a", "ab", "abc", "12", "ca"]


def told(state: oc.SequenceState, b: int) -> str | None:
    """What is to be told of a batch row, by its tensors."""
    live = [place for place, row in enumerate(state.rows[b]) if not row.dead]
    weights = torch.softmax(state.particles.log_importance[b, live], 0)
    size, distinct = (1 / (weights**2).sum()).item(), len({*state.particles.ancestors[b, live].tolist()} - {-1})
    written = f"{size:.1f}" if size < 10 else f"{size:.0f}"
    shown = f"ESS {written} of {len(live)} by importance"
    if distinct < len(live):
        return f"{shown}, {distinct} distinct ancestor{'s' * (distinct != 1)}"
    return shown if len(live) > 1 and float(written) < len(live) else None


@settings(max_examples=20)
@given(
    st.integers(0, 60), st.sampled_from([draw(samples=12), smc(12, 1.0), smc(3, 1.0), draw(samples=1)]), st.booleans()
)
def test_pictures_tell_what_the_tensors_say(seed: int, sampler: Any, dead: bool) -> None:
    model = small_model(seed % 3)
    link = oc.continuous(oc.generate.choice(model, WORDS, sampler), name="a")
    state = (link >> "-" >> link)(["xy", "b"], seed=seed)
    if dead:
        state = oc.SequenceState(model, [[*rows, DEAD] for rows in state.rows], state.shape[1] + 1)
    texts = [told(state, b) for b in range(2)]
    match = HEAD.search(state.html(rows=40))
    assert match is not None
    assert match[1] == "".join(f"; [{b}, :, :] {text}" for b, text in enumerate(texts) if text)
    alone = HEAD.search(state[1:2, :, :].html())
    assert alone is not None and alone[1] == (f"; {texts[1]}" if texts[1] else "")
    drawn = as_svg(state.tree(rows=40))
    expected = [f"[{b}, :, :] {text} (percentages: by probability)" for b, text in enumerate(texts) if text]
    assert re.findall(r'<div class="o">(\[\d, :, :\] ESS [^<]*)</div>', state.tree(rows=40)) == expected
    last = float(re.findall(r'viewBox="0 0 \d+ (\d+)"', drawn)[0])
    assert all(float(y) < last for y in re.findall(r' y="([\d.]+)"', drawn))


def test_only_the_rows_that_are_shown_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model()
    state = oc.continuous(oc.generate.choice(model, WORDS, draw(samples=3)))(["xy"] * 20, seed=0)
    weighed: list[Row] = []
    importance = Row.log_importance.fget
    monkeypatch.setattr(Row, "log_importance", property(lambda row: (weighed.append(row), importance(row))[1]))  # type: ignore
    state.html(rows=4)
    assert len(weighed) == 2 * 3
    repr(state)
    assert len(weighed) == 2 * 3


@pytest.mark.parametrize(
    "sampler", [oc.samplers.greedy(), oc.samplers.beam_search(4), draw(), draw(samples=3)], ids=repr
)
def test_where_nothing_is_weighed_nothing_is_told(sampler: Any) -> None:
    model = small_model()
    make = oc.generate.text if sampler == draw(samples=3) else lambda *given: oc.generate.choice(model, WORDS, given[1])
    state = oc.continuous(make(model, sampler))("xy", max_tokens=4, seed=0)
    assert "ESS" not in state.html() and "ESS" not in state.tree()


def bars(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.split("\r")[-1] for line in capsys.readouterr().err.split("\n")[:-1]]


def test_the_bar_tells_of_the_particles_that_tell_least(capsys: pytest.CaptureFixture[str]) -> None:
    model = small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc]{1,4}-[12]{1,3}", smc(12, 0.9, every=rb"-")), name="w")
    state = step("xy", seed=2, progress=True)
    [bar] = bars(capsys)
    size, count = state.particles.effective_sample_size.item(), len(set(state.particles.ancestors.flatten().tolist()))
    shown = f"{size:.1f}" if size < 10 else f"{size:.0f}"
    assert bar.endswith(f", ESS {shown}/12, {count} ancestor{'s' * (count != 1)}]") and count < 12
    both = step(["xy", "b"], seed=2, progress=True)
    [bar] = bars(capsys)
    sizes = both.particles.effective_sample_size.tolist()
    least = sizes.index(min(sizes))
    count, size = len(set(both.particles.ancestors[least].tolist())), sizes[least]
    shown = f"{size:.1f}" if size < 10 else f"{size:.0f}"
    assert bar.endswith(f", least ESS {shown}/12, {count} ancestor{'s' * (count != 1)}]")
    oc.continuous(oc.generate.choice(model, WORDS, draw(samples=3)))("xy", seed=2, progress=True)
    assert "ESS" not in bars(capsys)[0]


def test_who_waits_for_no_bar_pays_nothing_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = small_model(1)
    step = oc.continuous(oc.generate.regex(model, "[abc]{12}", smc(4, 0.0)), name="w")
    looked: list[GrowingRow] = []
    scored_row = Hypothesis.scored_row.fget
    monkeypatch.setattr(Hypothesis, "scored_row", property(lambda h: (looked.append(h), scored_row(h))[1]))  # type: ignore
    quiet = step("xy", seed=0)
    assert looked == []
    assert step("xy", seed=0, progress=True).identical(quiet)
    assert len(looked) <= 3 * 4, "at the beginning, at the end, and once a second"


def test_the_bar_outlives_particles_that_die(capsys: pytest.CaptureFixture[str]) -> None:
    model = small_model()
    generator = oc.generate.choice(model, ["ab", "12"], smc(4), where=lambda text, done: not done)
    state = generator.run("xy", seed=0, progress=True)
    assert state.finished == [["dead"] * 4] and "ESS" not in bars(capsys)[0]
