"""The legend of a tree: every sign that is used in it, and only those."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from outlines_cont.display.tree_labels import CUT, STOP, WHITESPACE_SIGNS, TreeLabel, words_width
from outlines_cont.display.tree_layout import MARGIN, PlacedStem
from outlines_cont.fsm.draw.picture import BLUE, GREY, SKY, VERMILION

LETTERS, LINE, GAP = 11.5, 21.0, 12.0  # pixels: the height of letters; of lines; between items
SOURCE_COLOURS = {"generated": BLUE, "forced": VERMILION}
SOURCE_STYLES = {"text": ' font-style="italic"', "beside": ' font-style="italic"'}
SOURCE_STYLES["forced"] = ' text-decoration="underline"'
SOURCES = {
    "prompt": "prompt",
    "text": "text",
    "generated": "generated",
    "forced": "forced",
    "beside": "beside the constraint",
}
BAR = "#8a8a8a"
BAR_DASHES = {"kept": "", "recomputed": ' stroke-dasharray="1.5 3"', "graft": ' stroke-dasharray="6 2"'}
BAR_NAMES = {
    "kept": "keys and values kept",
    "recomputed": "keys and values to be recomputed",
    "graft": "keys and values of a graft",
}
WHITESPACE = {" ": "space", "\n": "end of line", "\t": "tab"}
SAMPLE = 26.0  # pixels: the width of a sample of a line


class LegendItem(NamedTuple):
    """A sample of a sign, given a place, and what it means. `width`: of the sample, in pixels."""

    text: str
    width: float = 0.0
    sample: Callable[[float, float], str] = lambda x, y: ""


def legend(placed: list[PlacedStem], room: float, y: float) -> tuple[str, float, float]:
    """The legend of some trees, so wide at most, below a height. Returns it, its width and the height below it."""
    drawn: list[str] = []
    x, width, base = MARGIN, 0.0, y + LINE - 6
    for item in _items([stem for root in placed for stem in root.every()]):
        size = item.width + words_width(item.text, LETTERS)
        if x > MARGIN and x + size > room - MARGIN:
            x, base = MARGIN, base + LINE
        drawn.append(item.sample(x, base) + _words(x + item.width, base, item.text))
        x, width = x + size + GAP, max(width, x + size + MARGIN)
    if not drawn:
        return "", 0.0, y
    look = f'font-family="system-ui,sans-serif" font-size="{LETTERS}" opacity=".85"'
    return f'<g role="note" aria-label="legend" {look}>{"".join(drawn)}</g>', width, base + 6


def _items(stems: list[PlacedStem]) -> Iterator[LegendItem]:
    every = [label for stem in stems for line in stem.lines for label in line.labels]
    marks = [label.mark for label in every if label.mark]
    sources = {mark.source for mark in marks}
    yield from (_source_item(source) for source in SOURCES if source in sources)
    if sources & SOURCE_COLOURS.keys():
        yield LegendItem("fill: how likely as drawn")
    yield from _bar_items(every)
    yield from _edge_items(stems)
    yield from _sign_items(every)
    yield from _number_items(every)


def _source_item(source: str) -> LegendItem:
    text = SOURCES[source]
    wide = words_width(text, LETTERS) + 8

    def sample(x: float, y: float) -> str:
        return token_box(x, y, wide, source, 0.55) + _words(x + 4, y, text, SOURCE_STYLES.get(source, ""))

    return LegendItem("", wide, sample)


def _bar_items(every: list[TreeLabel]) -> Iterator[LegendItem]:
    bars = {bar_kind(label) for label in every if label.mark}
    for kind, called in BAR_NAMES.items():
        if kind in bars:
            text = called if kind == min(bars, key=list(BAR_NAMES).index) else called.removeprefix("keys and values ")
            yield LegendItem(text, SAMPLE + 6, lambda x, y, kind=kind: bar(x, y - 4, SAMPLE, kind))


def _edge_items(stems: list[PlacedStem]) -> Iterator[LegendItem]:
    if not any(stem.branches for stem in stems):
        return

    def sample(x: float, y: float) -> str:
        path = f"M{x:.1f} {y - 4:.1f}L{x + SAMPLE:.1f} {y - 9:.1f}V{y + 1:.1f}z"
        return f'<path d="{path}" fill="{SKY}" fill-opacity=".85"/>'

    alike = all(stem.stem.weights_known for stem in stems)
    yield LegendItem("edge: share of the probability" if alike else "edge: share of the rows", SAMPLE + 6, sample)


def _sign_items(every: list[TreeLabel]) -> Iterator[LegendItem]:
    written = "".join(label.text for label in every if not label.mark)
    for sign, meaning in ((STOP, "stop"), (CUT, "cut")):
        if sign in written:
            yield LegendItem(f"{sign} {meaning}")
    if any(label.left_out for label in every):
        yield LegendItem("…3… three tokens left out")
    if any(label.name for label in every):
        yield LegendItem("small: name of the step")
    data = b"".join(label.mark.data for label in every if label.mark).decode("utf-8", "replace")
    drawn = [f"{WHITESPACE_SIGNS[character]} {name}" for character, name in WHITESPACE.items() if character in data]
    yield from map(LegendItem, drawn)


def _number_items(every: list[TreeLabel]) -> Iterator[LegendItem]:
    numbers = " ".join(label.text for label in every if label.words)
    if "weight" in numbers:
        yield LegendItem("weight: log-probability of what was generated (nats)")
    if "≈" in numbers:
        yield LegendItem("≈ measured on a graft")
    if "%" in numbers:
        yield LegendItem("%: share of the probability of this tree")
    if "×" in numbers:
        yield LegendItem("×2: two equal rows")


# --- what the tree and its legend draw alike


def bar_kind(label: TreeLabel) -> str:
    """Whether the keys and values of a token are kept, or a graft's, or would be recomputed."""
    mark = label.mark
    return "" if mark is None else "graft" if mark.grafted_keys else "kept" if mark.kept else "recomputed"


def bar(x: float, y: float, width: float, kind: str) -> str:
    """The bar of keys and values."""
    return f'<path d="M{x:.1f} {y:.1f}h{width:.1f}" stroke="{BAR}" stroke-width="3"{BAR_DASHES[kind]}/>'


def token_box(x: float, base: float, width: float, source: str, opacity: float) -> str:
    """What is drawn behind a token."""
    place = f'<rect x="{x:.1f}" y="{base - 13:.1f}" width="{width:.1f}" height="18"'
    if source in SOURCE_COLOURS:
        return f'{place} fill="{SOURCE_COLOURS[source]}" fill-opacity="{opacity:.2f}"/>'
    if source == "beside":
        return f'{place} fill="none" stroke="{GREY}" stroke-dasharray="3 2"/>'
    return ""


def _words(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{text}</text>' if text else ""
