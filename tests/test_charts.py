"""Charts of log-probabilities: nothing is drawn where nothing was, and tokens and seams stand where they are."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import given, settings
from test_display import random_walks
from test_generation import small_model
from test_tree_picture import span, states

import outlines_cont as oc
from outlines_cont.pictures.chart import MOST_TICKS
from outlines_cont.state.row import Row

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def no_figures_are_left():
    yield
    plt.close("all")


def own(axis) -> list:
    """The lines of the model's own log-probabilities."""
    return [line for line in axis.lines if line.get_linestyle() == "-"]


def dashed(axis) -> list[float]:
    return [line.get_xdata()[0] + 0.5 for line in axis.lines if line.get_linestyle() == "--"]


def without_gaps(line) -> list[tuple[float, float]]:
    return [(x, y) for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True) if not isnan(y)]


def test_a_chart_draws_the_log_probabilities() -> None:
    state = random_walks(small_model(), 2)
    upper, lower = state.plot()
    dotted = [line for line in upper.lines if line.get_linestyle() == ":"]
    assert len(own(upper)) == len(dotted) == len(own(lower)) == 3
    for row, solid, dots, sums in zip(state.rows[0], own(upper), dotted, own(lower), strict=True):
        places = [at for at, value in enumerate(row.logprobs) if value is not None]
        assert without_gaps(solid) == [(at, row.logprobs[at]) for at in places]
        assert without_gaps(dots) == [(at, row.proposals[at]) for at in places]
        assert sums.get_ydata()[-1] == pytest.approx(sum(row.proposals[at] - row.logprobs[at] for at in places))
    again = state.plot(rows=1, axes=(upper, lower))
    assert again[0] is upper and "first 1 of 3" in upper.get_title()
    small_model().state("a").plot()
    small_model().state("a")[..., :0].plot()


@settings(max_examples=20, deadline=None)
@given(states())
def test_no_line_leads_over_given_text_and_a_seam_is_drawn_once_where_all_rows_have_it(state: oc.SequenceState) -> None:
    upper, lower = state.plot(rows=50, axes=matplotlib.figure.Figure().subplots(2))
    rows = state.rows[0]
    for row, *lines in zip(rows, own(upper), own(lower), strict=True):
        spans = [range(a, b) for a, b, piece in row.placed if piece.kind == "generated" and b > a]
        for line in lines:
            runs: list[list[float]] = [[]]
            for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True):
                runs = [*runs, []] if isnan(y) else [*runs[:-1], [*runs[-1], x]]
            assert [run for run in runs if run] == [list(map(float, span)) for span in spans]
    for axis in (upper, lower):
        assert len(set(dashed(axis))) == len(dashed(axis))
        borders = [
            {at for a, b, piece in row.placed if piece.kind == "generated" for at in (a, b) if 0 < at < len(row)}
            for row in rows
        ]
        assert set(dashed(axis)) == set.intersection(*borders)


def test_one_row_has_its_tokens_below_the_axis() -> None:
    model = small_model()
    step = oc.continuous(oc.generate.regex(model, "ab?c1{2}", oc.samplers.greedy()), name="walk")
    state = step(step("x") + "-x-")
    [row] = state.rows[0]
    upper, lower = state.plot()
    drawn = [at for at, value in enumerate(row.logprobs) if value is not None]
    assert list(lower.get_xticks()) == list(range(drawn[0], drawn[-1] + 1))
    spelled = [model.vocabulary.tokens[row.ids[at]].decode() for at in range(drawn[0], drawn[-1] + 1)]
    assert [label.get_text() for label in lower.get_xticklabels()] == spelled
    assert [text.get_text() for text in upper.texts] == ["walk", "walk"] and upper.get_legend() is None
    seams = [at for at, end, piece in row.placed if piece.kind == "generated"]
    assert [text.get_position()[0] for text in upper.texts] == [at - 0.4 for at in seams]


def test_a_legend_tells_rows_apart_and_only_a_short_row_has_its_tokens_below_the_axis() -> None:
    model = small_model()
    row = span(Row().append([1], kind="prompt"), model, [2] * MOST_TICKS, 1)
    for rows, ticks in (([row], True), ([row, row], False), ([span(row, model, [2], 1)], False)):
        upper, lower = oc.SequenceState(model, [rows], samples=len(rows)).plot()
        assert (upper.get_legend() is not None) == (len(rows) > 1)
        assert lower.get_xlabel().startswith("tokens 1 to") == ticks


def test_a_chart_opens_one_figure_and_none_where_it_has_axes() -> None:
    state = random_walks(small_model(), 2)
    state.plot()
    assert len(plt.get_fignums()) == 1
    figure = matplotlib.figure.Figure()
    axes = state.plot(axes=figure.subplots(2))
    assert len(plt.get_fignums()) == 1 and axes[0].figure is figure


def test_colours_are_those_of_the_users_style() -> None:
    state = oc.continuous(oc.generate.regex(small_model(), "ab?c1{2}", oc.samplers.greedy()), name="walk")("x")
    for style in ("default", "dark_background", "grayscale"):
        with plt.style.context(style):
            upper, _ = state.plot()
            assert upper.texts[0].get_color() == matplotlib.rcParams["text.color"]
            assert upper.lines[0].get_color() == "C0" and tuple(upper.figure.get_size_inches()) == tuple(
                matplotlib.rcParams["figure.figsize"]
            )
            [seam, *_] = [line for line in upper.lines if line.get_linestyle() == "--"]
            assert seam.get_color() == matplotlib.rcParams["grid.color"]


def test_numbers_that_are_not_known_are_gaps() -> None:
    model = small_model()
    row = span(Row().append([1], kind="prompt"), model, [1, 2, 3], 1)
    row = Row(row.ids, (None, -1.0, nan, -2.0), (None, None, -1.0, -2.0), row.pieces)
    upper, _ = oc.SequenceState(model, [[row, row]], samples=2).plot()
    assert without_gaps(own(upper)[0]) == [(1, -1.0), (3, -2.0)]


def test_a_dollar_sign_begins_no_formula() -> None:
    from types import SimpleNamespace

    from outlines_cont.fsm.vocabulary import Vocabulary

    model = SimpleNamespace(vocabulary=Vocabulary([b"<eos>", b"$x^{", b"_$", b"\\$"], eos=[0]))
    row = span(Row().append([1], kind="prompt"), small_model(), [1, 2, 3], 1)
    upper, lower = oc.SequenceState(model, [[row]], samples=1).plot()
    upper.figure.canvas.draw()
    assert [label.get_text() for label in lower.get_xticklabels()] == [r"\$x^{", r"_\$", r"\\$"]
