"""Pictures of guides: the automaton of a small one as SVG, the first states of any other as an HTML table."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby

import numpy as np

from outlines_cont.fsm.language.nodes import Ranges, complement, overlap, size
from outlines_cont.fsm.patterns.character_machines import LONE
from outlines_cont.fsm.patterns.characters import ECMA_SPACE, escape_class
from outlines_cont.fsm.protocol import FullGuide
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.pictures.graph import JSON, LAST, CharacterGraph, Edge, Way, character_graph
from outlines_cont.pictures.layers import Box, Placement, layout
from outlines_cont.pictures.markup import BLUE, GREY, cut, end_of, markup, readable, seen
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.style import STYLE
from outlines_cont.pictures.svg import (
    FONT,
    MARGIN,
    SMALL,
    WIDE,
    Look,
    Point,
    arrow_head,
    document,
    line,
    route,
    titled,
    width_of,
    written,
)

# Pixels.
RADIUS, GAP = 16, 22
LINE, ARROW, LOOP = 17, 7, 26  # the height of lines; the length of heads; the height of loops
NAME = 200  # characters of the name of a guide
SHOWN, TRIED, EXAMPLES = 20, 1000, 6  # of a table: states; tokens after each; tokens shown
LABEL, LINES = 30, 6  # characters and lines of labels; what is left out can be read where the mouse rests
EVERY = complement(((0xD800, 0xDFFF),), LAST)
ANY_BYTE: Ranges = ((0, 0x7F), (LONE + 0x80, LONE + 0xFF))
HEXADECIMAL: Ranges = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))
EXCEPTIONS = 4  # ranges after "any but", and after the name of a class
MANY = 8  # ranges: such classes may have a name
LabelPart = tuple[str, bool]  # some text, and whether it stands for itself
HEAD = ("state", "after", "may end", "forced", "tokens", "for example")


def picture(guide: FullGuide, title: str, table_of_bytes: tuple[np.ndarray, np.ndarray] | None, limit: int) -> Picture:
    """The picture of a guide: see `AutomatonGuide.to_svg`.

    Args:
        title: what the guide is called. limit: nodes of a drawing.
        table_of_bytes: its automaton over bytes, if it is one: (next states, which accept).
    """
    name = cut("".join(map(seen, title)), NAME)
    if table_of_bytes is not None:
        automaton = character_graph(*table_of_bytes, guide.initial)
        if len(automaton.nodes) <= limit:
            return drawing(automaton, name)
    return table(guide, name, None if table_of_bytes is None else len(table_of_bytes[0]))


# -------------------------------------------------------------------------------------------------------------- drawing


def drawing(automaton: CharacterGraph, name: str) -> Picture:
    """A graph as SVG. Circles hold the numbers of states; where the string may end they are double."""
    loops = {edge.source: edge for edge in automaton.edges if edge.source == edge.target}
    edges = [edge for edge in automaton.edges if edge.source != edge.target]
    placed = layout(
        {node: _node_box(loops.get(node)) for node in automaton.nodes},
        [(edge.source, edge.target) for edge in edges],
        [_label_box(edge) for edge in edges],
        automaton.initial,
        GAP,
    )
    shift, bottom = MARGIN + 2 * RADIUS, MARGIN + placed.height + 2 * LINE
    name_shown = cut(name, max(40, int((placed.width + shift) / (WIDE * FONT))))
    width = max(placed.width + shift + MARGIN, width_of(name_shown) + 2 * MARGIN)
    x, y = placed.nodes[automaton.initial]
    body = [_arrow([(x - 2 * RADIUS, y), (x - RADIUS, y)])]
    body += [_edge(edge, i, placed) for i, edge in enumerate(edges)]
    body += [_loop(edge, placed.nodes[node]) for node, edge in loops.items()]
    body += [_node(node, placed.nodes[node], node in automaton.accepting) for node in automaton.nodes]
    about = written(name_shown, MARGIN, bottom - 0.5 * LINE, Look(opacity=0.7))
    moved = titled("", body, f' transform="translate({shift:g} {MARGIN:g})"')
    return Picture(document(round(width), round(bottom), [moved, about], name))


def _label_box(edge: Edge) -> Box:
    """A label stands on its edge."""
    lines = label_lines(edge)
    return Box(max(width_of("".join(text for text, _ in line)) for line in lines), LINE * len(lines) + 2, 4)


def _node_box(loop: Edge | None) -> Box:
    if loop is None:
        return Box(2 * RADIUS, RADIUS, RADIUS)
    label = _label_box(loop)
    return Box(max(2 * RADIUS, label.width), RADIUS + LOOP + label.above, RADIUS)


def _node(node: int, at: Point, ends: bool) -> str:
    place = f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}"'
    circles = [f'{place} r="{RADIUS}" fill="{BLUE if ends else GREY}" fill-opacity=".2" stroke="currentColor"/>']
    circles += [f'{place} r="{RADIUS - 3}" fill="none" stroke="currentColor"/>'] * ends
    number = written(str(node), at[0] - width_of(str(node), SMALL) / 2, at[1] + 4, Look(SMALL))
    return titled(f"state {node}" + ": the string may end here" * ends, [*circles, number])


def _edge(edge: Edge, number: int, placed: Placement) -> str:
    """From circle to circle; edges back leave and arrive below the middle."""
    back = number in placed.back
    sign, side, low = (-1, -0.8, 0.6 * RADIUS) if back else (1, 1, 0)
    (x, y), (end_x, end_y) = placed.nodes[edge.source], placed.nodes[edge.target]
    beside = [max(placed.half[node], RADIUS) for node in (edge.source, edge.target)]
    points = [(x + side * RADIUS, y + low), (x + sign * beside[0], y + low)]
    points += [point for start, stop, level in placed.edges[number] for point in ((start, level), (stop, level))]
    points += [(end_x - sign * max(beside[1], RADIUS + ARROW), end_y + low), (end_x - side * RADIUS, end_y + low)]
    return _labelled(edge, _arrow(points), placed.labels[number])


def _arrow(points: list[Point]) -> str:
    """A line that ends level, and the head of an arrow there."""
    (tip_x, tip_y), before = points[-1], points[-2][0]
    sign = 1 if tip_x > before else -1
    path = route([*points[:-1], (tip_x - sign * ARROW, tip_y)])
    return line(path) + arrow_head((tip_x, tip_y), (sign, 0), ARROW)


def _loop(edge: Edge, at: Point) -> str:
    x, y = at
    top = y - RADIUS - LOOP
    path = (
        f"M{x - 7:.1f},{y - 14.5:.1f}C{x - 24:.1f},{top - 8:.1f} {x + 24:.1f},{top - 8:.1f} {x + 10:.1f},{y - 21:.1f}"
    )
    return _labelled(edge, line(path) + arrow_head((x + 7, y - 14.5), (-0.42, 0.91), ARROW), (x, top))


def _labelled(edge: Edge, drawn: str, at: Point) -> str:
    """An edge with its label, whose lowest line stands just above a point."""
    lines = label_lines(edge)
    texts = [
        _label(at[0], at[1] - 5 - LINE * i, parts) for i, parts in zip(range(len(lines))[::-1], lines, strict=True)
    ]
    return titled(f"{edge.source} → {edge.target}\n{whole_label(edge)}", [drawn, *texts])


def _label(middle: float, y: float, parts: list[LabelPart]) -> str:
    """Classes are slanted: they do not stand for themselves."""
    x, drawn = middle - width_of("".join(text for text, _ in parts)) / 2, ""
    for text, itself in parts:
        drawn += written(text, x, y, Look(slanted=not itself))
        x += width_of(text)
    return drawn


# --------------------------------------------------------------------------------------------------------------- labels


def class_label(ranges: Ranges) -> str:
    """A class of characters as people call it: by what it holds, not by how it was written."""
    if escaped := tuple((low - JSON, high - JSON) for low, high in ranges if low >= JSON):
        spelled = "any character of a JSON string" if escaped == EVERY else f"{class_label(escaped)} or its JSON escape"
        plain = ranges[: -len(escaped)]
        return f"{class_label(plain)}, {spelled}" if plain else spelled
    for everything, called in ((EVERY, "any"), (ANY_BYTE, "any byte")):
        missing = overlap(complement(ranges, LAST), everything)
        if overlap(ranges, everything) == ranges and size(missing) < size(ranges):
            exceptions = _listed(missing) if len(missing) <= EXCEPTIONS else _name(missing)
            if exceptions or not missing:
                return f"{called} but {exceptions}" if missing else called
    return _name(ranges) or _listed(ranges)


def _name(ranges: Ranges) -> str:
    """The name of a class, perhaps with a few more characters; "" if it has none."""
    if ranges == HEXADECIMAL:
        return "hexadecimal digit"
    for named, name in _named_classes() if len(ranges) >= MANY else ():
        if overlap(named, ranges) == named:
            more = overlap(ranges, complement(named, LAST))
            if len(more) <= EXCEPTIONS:
                return f"{name}, or {_listed(more)}" if more else name
    return ""


@cache
def _named_classes() -> tuple[tuple[Ranges, str], ...]:
    escapes = ((r"\w", "letter, digit or _"), (r"\d", "digit"), (r"\s", "whitespace"))
    named = [(overlap(EVERY, escape_class(escape, False)), name) for escape, name in escapes]
    return (*named, (ECMA_SPACE, "whitespace"))


def _listed(ranges: Ranges) -> str:
    parts = []
    for low, high in ranges:
        if high - low < 2:
            parts += [_sign(code) for code in range(low, high + 1)]
        else:
            parts.append(f"{_sign(low)}–{_sign(high)}")
    return " ".join(parts)


def _sign(code: int, first: bool = True, word: bool = False) -> str:
    """One character. first: none stands before it that it may join; word: it is one of several of a text."""
    character = chr(code)
    if character in "␣ ":
        return "\\u2423" if code == 0x2423 else "␣"
    turning = unicodedata.bidirectional(character) in (("NSM",) if word else ("R", "AL", "NSM"))
    if first and (unicodedata.combining(character) or turning):
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return seen(character)


def way_label(way: Way) -> list[LabelPart]:
    """Characters as they are, and classes: in brackets, where there are several things."""
    parts: list[LabelPart] = []
    for ranges, run in groupby(way):
        times = len(list(run))
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1] < JSON:
            first = _sign(ranges[0][0], not (parts and parts[-1][1]), len(way) > 1)
            parts.append((first + _sign(ranges[0][0], False) * (times - 1), True))
        elif len(way) == 1:
            parts.append((class_label(ranges), False))
        else:
            parts.append((f"[{class_label(ranges)}]" + (f"{{{times}}}" if times > 1 else ""), False))
    return [("".join(text for text, _ in run), itself) for itself, run in groupby(parts, key=lambda part: part[1])]


def label_lines(edge: Edge) -> list[list[LabelPart]]:
    """What is written beside an edge."""
    short = [_cut_parts(way_label(way), LABEL) for way in edge.ways]
    return short if len(short) <= LINES else [*short[: LINES - 1], [(f"… {len(short) - LINES + 1} more", False)]]


def whole_label(edge: Edge) -> str:
    """All ways of an edge, for where the mouse rests."""
    return "\n".join("".join(text for text, _ in way_label(way)) for way in edge.ways)


def _cut_parts(parts: list[LabelPart], limit: int) -> list[LabelPart]:
    shown: list[LabelPart] = []
    for text, itself in parts:
        if len(text) > limit:
            return [*shown, (cut(text, max(limit, 1)), itself)]
        shown.append((text, itself))
        limit -= len(text)
    return shown


# ---------------------------------------------------------------------------------------------------------------- table


def table(guide: FullGuide, name: str, most: int | None) -> Picture:
    """The first states that tokens lead to, breadth first. `most`: how many there can be, if that is known."""
    before, whole = _explored(guide)
    shown = list(before.items())[:SHOWN]
    if len(before) > SHOWN:
        caption = f"the first {SHOWN} states of {f'more than {SHOWN}' if most is None else f'at most {most}'}"
    elif whole or len(before) == most:
        caption = f"all states ({len(before)})"
    else:
        caption = f"the states that are met by the first {TRIED:,} tokens that each of them allows"
    head = "".join(f"<th>{title}</th>" for title in HEAD)
    rows = "".join(_row(guide, state, text) for state, text in shown)
    return Picture(
        f'<div class="oc"><style>{STYLE}</style><table><caption>{markup(name)}: {caption}</caption>'
        f"<tbody><tr>{head}</tr>{rows}</tbody></table></div>"
    )


def _explored(guide: FullGuide) -> tuple[dict[int, bytes], bool]:
    """States and a text that leads to each, breadth first, at most SHOWN + 1; and whether those are all."""
    before, whole = {guide.initial: b""}, True
    todo = [guide.initial]
    for state in todo:  # which grows
        tokens = _allowed(guide, state)
        whole &= len(tokens) <= TRIED
        for token in tokens[:TRIED].tolist():
            after = guide.advance(state, token)
            if after is not None and after not in before:
                before[after] = before[state] + guide.vocabulary.tokens[token]
                todo.append(after)
                if len(todo) > SHOWN:
                    return before, False
    return before, whole


def _allowed(guide: FullGuide, state: int) -> np.ndarray:
    """The tokens of text that are allowed, ascending."""
    allowed = np.flatnonzero(unpack(guide.mask(state), len(guide.vocabulary)))
    return allowed[~np.isin(allowed, guide.vocabulary.eos)]


def _row(guide: FullGuide, state: int, text: bytes) -> str:
    tokens = _allowed(guide, state)
    some = tokens[np.linspace(0, len(tokens) - 1, min(len(tokens), EXAMPLES)).astype(int)].tolist()
    examples = " ".join(_code(guide.vocabulary.tokens[token]) for token in some)
    end = "must" if guide.complete(state) else "yes" if guide.accepting(state) else "no"
    more = " …" if len(tokens) > EXAMPLES else ""
    cells = (state, _code(text, last=True), end, _code(guide.forced(state)), f"{len(tokens):,}", examples + more)
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _code(data: bytes, last: bool = False) -> str:
    """Bytes, shortened to their beginning or to their last part; spaces can be seen."""
    text = (end_of if last else cut)(readable(data).replace(" ", "␣"), LABEL)
    return f'<i class="x">{markup(text)}</i>' if text else ""
