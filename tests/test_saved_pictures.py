"""Pictures as files: what an SVG shows is what the page shows, and a file is whole or not there."""

from __future__ import annotations

import sys
from itertools import takewhile
from pathlib import Path
from struct import unpack
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_display import HARD, SVG, golden
from test_generation import small_model, toy_model
from test_tree_picture import span

import outlines_cont as oc
from outlines_cont.pictures import picture as saving
from outlines_cont.pictures.blocks import across, broken, even_share, glyphs, svg_of
from outlines_cont.pictures.markup import BLUE, GREY, SKY, VERMILION, Element, characters, read_markup, seen
from outlines_cont.pictures.picture import Picture, as_svg
from outlines_cont.pictures.rows import note
from outlines_cont.pictures.svg import PLAIN, clusters, width_of
from outlines_cont.state.row import Row


def pictures() -> dict[str, Picture]:
    state = golden()
    many = oc.generate.cfg(small_model(), 'start: "a" start "b" | "c"')
    return {
        "rows": state.html(),
        "tree": state.tree(),
        "comparison": oc.compare(state[:, 0, :], state[:, 1, :]).html(),
        "automaton": oc.generate.regex(small_model(), "a+b").constraint.guide.to_svg(),
        "table": many.constraint.guide.to_svg(),
    }


def token_texts(svg: str) -> list[str]:
    """The texts of tokens, in the order in which they are read."""
    groups = [(group, group.findtext(f"{SVG}title") or "") for group in ElementTree.fromstring(svg).iter(f"{SVG}g")]
    tokens = [group for group, title in groups if "token " in title]
    return ["".join(text.text or "" for text in group.iter(f"{SVG}text")) for group in tokens]


@given(
    st.lists(st.sampled_from(HARD) | st.text(max_size=8) | st.binary(max_size=6), min_size=1, max_size=6),
    st.integers(min_value=240, max_value=900),
)
@example(["<script>alert(1)</script>"] * 6, 300)
@settings(max_examples=40, deadline=None)
def test_an_svg_has_the_tokens_of_the_page_within_its_width(parts: list[str | bytes], width: int) -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    data = b"".join(p if isinstance(p, bytes) else p.encode("utf-8", "replace") for p in parts) or b"x"
    state = model.state([spell[bytes([byte])] for byte in data])
    svg = as_svg(state.html(tokens=1000), width)
    signs = {"\n": "⏎", "\t": "→"}
    expected = [signs.get(c) or seen(c) for c in characters(data)]
    assert "".join(token_texts(svg)) == "".join(expected)
    root = ElementTree.fromstring(svg)
    heights = set()
    for text in root.iter(f"{SVG}text"):
        if text.get("x") is not None:
            assert float(text.get("x", 0)) + float(text.get("textLength", 0)) <= width
            heights.add(float(text.get("y", 0)))
    assert float(root.get("width", 0)) == width and max(heights) < float(root.get("height", 0))


@given(st.lists(st.text("ab ä日\n", max_size=20), min_size=1, max_size=5), st.integers(min_value=80, max_value=400))
@settings(max_examples=40, deadline=None)
def test_lines_are_full_and_lose_nothing(words: list[str], width: int) -> None:
    line = list(glyphs(Element("div", {}, list(words)), PLAIN))
    lines = list(broken(line, float(width)))
    assert [glyph for each in lines for glyph in each] == line
    for each, following in zip(lines, [*lines, []][1:], strict=False):
        used = sum(glyph.width for glyph in each)
        hanging = sum(glyph.width for glyph in takewhile(lambda glyph: glyph.text.isspace(), reversed(each)))
        assert used - hanging <= width
        end = next((i for i, glyph in enumerate(following) if glyph.ends), len(following) - 1)
        word = sum(glyph.width for glyph in following[: end + 1] if not glyph.text.isspace())
        assert not following or used + word > width


def test_no_line_begins_with_the_gap_before_a_note() -> None:
    text = list(glyphs(read_markup(f"<div>some words {note('weight −8.14')}{note('…3…')} more</div>"), PLAIN))
    for width in range(120, 400):
        lines = list(broken(text, float(width)))
        assert all(line[0].text for line in lines) and (len(lines) > 1 or width > 240)
        assert all(across(line) <= width + 7.8 for line in lines), "only one space hangs over the end"


@pytest.mark.parametrize("name", pictures())
def test_every_picture_is_saved_as_a_page_and_as_an_svg(name: str, tmp_path: Path) -> None:
    picture = pictures()[name]
    picture.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and str(picture) in page and 'charset="utf-8"' in page
    assert 'content="light dark"' in page
    picture.save(str(tmp_path / "a.SVG"), width=500)
    root = ElementTree.parse(tmp_path / "a.SVG").getroot()
    assert root.tag == f"{SVG}svg" and float(root.get("width", 0)) == 500 and root.get("viewBox")
    [paper] = [part for part in root if part.tag == f"{SVG}rect" and part.get("width") == "100%"]
    assert (paper.get("fill"), root.get("color")) == ("#ffffff", "#1b1b1b")
    picture.save(tmp_path / "dark.svg", dark=True, background="none")
    root = ElementTree.parse(tmp_path / "dark.svg").getroot()
    assert root.get("color") == "#e8e8e8" and not [part for part in root if part.get("width") == "100%"]
    seen_texts = "".join(ElementTree.fromstring(as_svg(picture, None)).itertext())
    for element in _texts(read_markup(picture.split("<details>")[0])):
        assert element.strip() in seen_texts or "".join(element.split()) in "".join(seen_texts.split())


def _texts(element: Element) -> list[str]:
    """The words of a picture."""
    parts = [word for child in element.children if isinstance(child, str) for word in child.split()]
    return parts + [part for child in element.elements for part in _texts(child)]


@pytest.mark.parametrize("name", pictures())
def test_a_png_has_two_pixels_for_each(name: str, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    pictures()[name].save(tmp_path / "a.png", width=400)
    light = (tmp_path / "a.png").read_bytes()
    root = ElementTree.fromstring(as_svg(pictures()[name], 400))
    assert light[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = unpack(">II", light[16:24])
    assert width == 800 and abs(height - 2 * float(root.get("height", 0))) <= 2
    pictures()[name].save(tmp_path / "a.png", width=400, dark=True)
    assert (tmp_path / "a.png").read_bytes() != light


@pytest.mark.parametrize("name", pictures())
def test_every_colour_of_an_svg_is_for_both_palettes(name: str) -> None:
    """Its ink and its paper have two colours each, told by rules that only browsers know; all else is read on both."""
    svg = as_svg(pictures()[name])
    root = ElementTree.fromstring(svg)
    parts = list(root.iter())
    [rule] = [part.text or "" for part in parts if part.tag == f"{SVG}style"]
    (light, ink), (dark, dark_ink) = saving.PAPER[False], saving.PAPER[True]
    assert rule.startswith("@media(prefers-color-scheme:dark)")
    assert f".oc-ink{{color:{dark_ink}" in rule and f".oc-paper{{fill:{dark}}}" in rule
    assert [part.tag for part in parts if part.get("class") == "oc-ink"] == [f"{SVG}svg"] and root.get("color") == ink
    [paper] = [part for part in parts if part.get("class") == "oc-paper"]
    parts.remove(paper)
    used = {colour for part in parts for key in ("fill", "stroke") if (colour := part.get(key))}
    assert used <= {"none", "currentColor", BLUE, SKY, VERMILION, GREY} and paper.get("fill") == light
    assert root.get("style") == "max-width:100%;height:auto"
    for fixed in (as_svg(pictures()[name], dark=True), as_svg(pictures()[name], background="#eee")):
        assert "@media" not in fixed


def test_a_picture_of_one_palette_is_not_changed_by_another_on_its_page() -> None:
    picture = golden().tree()
    for fixed in (as_svg(picture, dark=True), as_svg(picture, background="#eee"), as_svg(picture, background="none")):
        root = ElementTree.fromstring(fixed)
        assert all(part.get("class") is None and part.get("id") is None for part in root.iter())


def test_what_a_png_needs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "resvg_py", None)
        with pytest.raises(ImportError, match=r"outlines_cont\[pictures\]"):
            golden().html().save(tmp_path / "a.png")
    pytest.importorskip("resvg_py")
    with pytest.raises(ValueError, match=r"too large.*fewer rows or tokens"):
        Picture('<svg viewBox="0 0 10 99999"></svg>').save(tmp_path / "a.png")
    monkeypatch.setattr(saving, "_fonts_there", lambda: False)
    with pytest.raises(RuntimeError, match="no fonts"):
        golden().html().save(tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "options", "error", "message"),
    [
        ("a.pdf", {}, ValueError, r"ends in \.html, \.svg or \.png"),
        ("a", {}, ValueError, r"ends in \.html, \.svg or \.png"),
        ("nowhere/a.svg", {}, FileNotFoundError, "there is no folder"),
        ("a.svg", {"width": 0}, ValueError, "width=0: it must be a number of pixels"),
        ("a.svg", {"width": 1.5}, TypeError, "width=1.5"),
        ("a.svg", {"dark": 1}, TypeError, "dark=1"),
        ("a.svg", {"background": 3}, TypeError, "background=3"),
    ],
)
def test_what_is_wrong_is_named(
    path: str, options: dict[str, Any], error: type[Exception], message: str, tmp_path
) -> None:
    with pytest.raises(error, match=message):
        golden().html().save(tmp_path / path, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_when_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svg"
    golden().tree().save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *paths: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(OSError, match="no room"):
        golden().html().save(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_columns_give_way_where_there_is_little_room() -> None:
    cells = ["short", "a longer cell of several words that goes on and on", "x" * 80]
    table = f"<table><tbody><tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr></tbody></table>"
    for width in (240, 500, 2000):
        texts = list(ElementTree.fromstring(svg_of(table, width)).iter(f"{SVG}text"))
        assert [text.text for text in texts] == cells or width < 2000, "where there is room each cell is one line"
        assert "".join("".join(text.text or "" for text in texts).split()) == "".join("".join(cells).split())
        assert all(float(text.get("x", 0)) + float(text.get("textLength", 0)) <= width + 1 for text in texts)


def lefts(svg: str) -> dict[str, float]:
    """Where each text of an SVG begins."""
    texts = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return {text.text or "": float(text.get("x", 0)) for text in texts if text.get("x")}


def test_rows_begin_below_one_another_however_wide_their_labels_are() -> None:
    model = toy_model()
    spell = {data: token for token, data in enumerate(model.vocabulary.tokens) if len(data) == 1}
    words = [[spell[bytes([byte])] for byte in f"{n:02}".encode()] for n in range(12)]
    rows = [
        span(Row().append(word, kind="prompt"), model, [spell[b"z"]] * (1 + 30 * (n == 11)), 1)
        for n, word in enumerate(words)
    ]
    places = lefts(as_svg(oc.SequenceState(model, [rows], samples=12).html(rows=12, tokens=100), 600))
    labels = {text for text in places if text.startswith("[0, ")}
    assert len(labels) == 12 and len({len(label) for label in labels}) > 2
    assert len({place for text, place in places.items() if text in ("0", "1")}) == 1
    assert len({place for text, place in places.items() if text in labels}) == 1


@pytest.mark.parametrize("width", [600, 1200])
def test_a_name_of_any_length_leaves_room_for_what_it_names(width: int) -> None:
    state = golden()
    names = ("a model of a very long name, " * 4, "\u202eb\n")
    compared = oc.compare(state[:, 0, :], state[:, 1, :], names=names)
    assert compared.names == (names[0], "\\u202eb\\n") and "\u202e" not in str(compared) + compared.html()
    texts = list(ElementTree.fromstring(as_svg(compared.html(), width)).iter(f"{SVG}text"))
    [label] = [text for text in texts if (text.text or "").endswith("…") and (text.text or "").startswith("a model")]
    assert float(label.get("x", 0)) + float(label.get("textLength", 0)) < width / 3


@pytest.mark.parametrize("sign", ["👍🏽", "❤️", "🇵🇹", "日", "e\u0301e"])
def test_a_sign_of_several_code_points_has_the_room_of_one(sign: str) -> None:
    assert width_of(sign) == width_of("ab") and len(clusters(sign)) == {"🇵🇹": 2, "e\u0301e": 2}.get(sign, 1)


@given(st.lists(st.integers(1, 40), max_size=6), st.integers(0, 100))
def test_what_gives_way_is_the_longest(wanted: list[int], room: int) -> None:
    share = even_share(wanted, room)
    used = sum(min(each, share) for each in wanted)
    assert used == pytest.approx(room) if sum(wanted) > room else share == float("inf")
