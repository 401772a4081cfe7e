"""Charts of log-probabilities: nothing is drawn where nothing was, and tokens and seams stand where they are."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_display import random_walks
from test_generation import small_model
from test_tree_picture import span, states

import outlines_cont as oc
from outlines_cont.pictures.chart import MOST_TICKS
from outlines_cont.pictures.markup import GREY, escaped
from outlines_cont.state.row import Row

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def no_figures_are_left():
    yield
    plt.close("all")


def strips(upper) -> list:
    """Where each row is drawn."""
    return list(upper.child_axes) or [upper]


def bars(axis) -> list[tuple[float, float]]:
    """The middle and the end of each bar: the model's own log-probabilities."""
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in axis.patches]


def solid(axis) -> list:
    return [line for line in axis.lines if line.get_linestyle() == "-"]


def dashed(axis) -> list[float]:
    return [line.get_xdata()[0] + 0.5 for line in axis.lines if line.get_linestyle() == "--"]


def levels(line) -> list[tuple[float, float]]:
    """The middle and the height of each token in a line that is level along it and joins no two of them."""
    assert all(isnan(x) for x in line.get_xdata()[2::3])
    points = [(x, y) for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True) if not isnan(x)]
    assert all(
        y == then or (isnan(y) and isnan(then)) for (_, y), (_, then) in zip(points[::2], points[1::2], strict=True)
    )
    return [((x + then) / 2, y) for (x, y), (then, _) in zip(points[::2], points[1::2], strict=True)]


def test_a_chart_draws_the_log_probabilities() -> None:
    state = random_walks(small_model(), 2)
    upper, lower = state.plot()
    assert len(strips(upper)) == len(solid(lower)) == len({row.ids for row in state.rows[0]}) == 3
    for row, strip, sums in zip(state.rows[0], strips(upper), solid(lower), strict=True):
        places = [at for at, value in enumerate(row.logprobs) if value is not None]
        assert [at for at, _ in bars(strip)] == pytest.approx(places)
        assert [value for _, value in bars(strip)] == [row.logprobs[at] for at in places]
        [law] = solid(strip)
        assert levels(law) == [(at, row.proposals[at]) for at in places]
        total = sum(row.proposals[at] - row.logprobs[at] for at in places)
        assert [at for at, _ in levels(sums)] == places and levels(sums)[-1][1] == pytest.approx(total)
        assert sums.get_color() == strip.texts[0].get_color(), "a row's key is in the colour of its line"
        assert strip.get_ylim()[0] <= -1 and strip.get_ylim()[1] >= 0 and lower.get_ylim()[1] >= 1, "at least a nat"
    again = state.plot(rows=1, axes=(upper, lower))
    assert again[0] is upper and "first 1 of 3" in upper.get_title()
    small_model().state("a").plot()
    small_model().state("a")[..., :0].plot()


def test_lines_of_equal_rows_are_all_seen() -> None:
    model = small_model()
    row = span(Row().append([1], kind="prompt"), model, [2, 3], 1)
    _, lower = oc.SequenceState(model, [[row, row, row]], samples=3).plot()
    widths = [line.get_linewidth() for line in solid(lower)]
    assert widths == sorted(widths, reverse=True) and len(set(widths)) == 3, "the last is on top of the others"


@settings(max_examples=20, deadline=None)
@given(states())
def test_no_line_leads_over_given_text_and_a_seam_is_drawn_once_where_all_rows_have_it(state: oc.SequenceState) -> None:
    upper, lower = state.plot(rows=50, axes=matplotlib.figure.Figure().subplots(2))
    rows = state.rows[0]
    for row, strip, line in zip(rows, strips(upper) if rows else (), solid(lower), strict=True):
        drawn = [at for a, b, piece in row.placed if piece.kind == "generated" for at in range(a, b)]
        assert [at for at, _ in levels(line)] == [at for at, _ in levels(solid(strip)[0])] == drawn
        assert [at for at, _ in bars(strip)] == pytest.approx(drawn)
    for axis in (*(strips(upper) if rows else ()), lower):
        assert len(set(dashed(axis))) == len(dashed(axis))
        borders = [
            {at for a, b, piece in row.placed if piece.kind == "generated" for at in (a, b) if 0 < at < len(row)}
            for row in rows
        ]
        assert set(dashed(axis)) == set.intersection(*borders)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.text("abcWM$_", min_size=1, max_size=40), st.integers(1, 6)), min_size=1, max_size=6))
def test_no_label_lies_on_another_or_on_the_frame(steps: list[tuple[str, int]]) -> None:
    """Names of steps, the title and the keys of rows; each is within the figure."""
    model = small_model()
    rows = [Row().append([1], kind="prompt") for _ in range(3)]
    for name, length in steps:
        rows = [span(row, model, [2 + n] * length, 1, name) for n, row in enumerate(rows)]
    upper, lower = oc.SequenceState(model, [rows], samples=3).plot()
    figure = upper.figure
    figure.canvas.draw()
    texts = [*upper.texts, upper.title, lower.title, *(text for strip in strips(upper) for text in strip.texts)]
    assert len(upper.texts) == len(steps)
    boxes = [text.get_window_extent() for text in texts]
    frames = [axis.get_window_extent() for axis in (*strips(upper), lower)]
    for n, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in [*boxes[:n], *frames]), texts[n]
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 + 1 for box in boxes[len(steps) :])


def test_signs_that_no_font_has_are_written_as_numbers_and_nothing_warns(recwarn: pytest.WarningsRecorder) -> None:
    model = oc.load()
    step = oc.continuous(oc.generate.choice(model, ["日本 🎉 ﷽ é"], forced="never"), name="日本")
    upper, lower = step("Mira").plot()
    upper.figure.canvas.draw()
    texts = [label.get_text() for label in lower.get_xticklabels()]
    for sign in "日本🎉é":
        assert sign in "".join(texts) or escaped(sign) in "".join(texts), texts
    assert not any("\\x" in text for text in texts) and not [each for each in recwarn if "Glyph" in str(each.message)]


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
    assert [text.get_text() for text in upper.texts] == ["walk", "walk"]
    seams = [at for at, end, piece in row.placed if piece.kind == "generated"]
    assert [text.get_position()[0] for text in upper.texts] == [at - 0.5 for at in seams]


def test_rows_have_a_strip_each_and_only_a_short_row_has_its_tokens_below_the_axis() -> None:
    model = small_model()
    row = span(Row().append([1], kind="prompt"), model, [2] * MOST_TICKS, 1)
    longer = span(row, model, [2], 1)
    for rows, ticks in (([row], True), ([row, longer], False), ([longer], False)):
        upper, lower = oc.SequenceState(model, [rows], samples=len(rows)).plot()
        assert len(strips(upper)) == len(rows)
        assert lower.get_xlabel().startswith("tokens 1 to") == ticks


def test_a_chart_opens_one_figure_and_none_where_it_has_axes() -> None:
    state = random_walks(small_model(), 2)
    state.plot()
    assert len(plt.get_fignums()) == 1
    figure = matplotlib.figure.Figure()
    axes = state.plot(axes=figure.subplots(2))
    assert len(plt.get_fignums()) == 1 and axes[0].figure is figure


def test_a_style_of_the_users_is_kept_and_without_one_a_chart_is_transparent() -> None:
    state = oc.continuous(oc.generate.regex(small_model(), "ab?c1{2}", oc.samplers.greedy()), name="walk")("x")
    for style in ("default", "dark_background", "grayscale"):
        with plt.style.context(style):
            upper, lower = state.plot()
            plain = style == "default"
            ink = GREY if plain else matplotlib.rcParams["text.color"]
            texts = [upper.title, upper.yaxis.label, upper.texts[0], *lower.get_xticklabels(), *lower.get_yticklabels()]
            assert {text.get_color() for text in texts} == {ink}
            assert (upper.figure.get_facecolor()[3] == upper.get_facecolor()[3] == 0) == plain
            assert upper.patches[0].get_facecolor()[:3] == matplotlib.colors.to_rgb("C0")
            assert tuple(upper.figure.get_size_inches()) == tuple(matplotlib.rcParams["figure.figsize"])
            [seam, *_] = [line for line in upper.lines if line.get_linestyle() == "--"]
            assert seam.get_color() == GREY


def test_numbers_that_are_not_known_are_gaps() -> None:
    model = small_model()
    row = span(Row().append([1], kind="prompt"), model, [1, 2, 3], 1)
    row = Row(row.ids, (None, -1.0, nan, -2.0), (None, None, -1.0, -2.0), row.pieces)
    upper, _ = oc.SequenceState(model, [[row, row]], samples=2).plot()
    assert [(at, value) for at, value in bars(strips(upper)[0]) if not isnan(value)] == [(1, -1.0), (3, -2.0)]


def test_where_nothing_was_drawn_the_axis_is_that_of_the_row() -> None:
    model = small_model()
    state = model.state(["ab", "abc"])
    lower = state.plot()[1]
    assert lower.get_xlim() == (-0.5, state.shape[2] - 0.5) and state[..., :0].plot()[1].get_xlim() == (-0.5, 0.5)
    assert all(tick == int(tick) for tick in lower.get_xticks())


def test_a_dollar_sign_begins_no_formula() -> None:
    from types import SimpleNamespace

    from outlines_cont.fsm.vocabulary import Vocabulary

    model = SimpleNamespace(vocabulary=Vocabulary([b"<eos>", b"$x^{", b"_$", b"\\$"], eos=[0]))
    row = span(Row().append([1], kind="prompt"), small_model(), [1, 2, 3], 1)
    upper, lower = oc.SequenceState(model, [[row]], samples=1).plot()
    upper.figure.canvas.draw()
    assert [label.get_text() for label in lower.get_xticklabels()] == [r"\$x^{", r"_\$", r"\\$"]
