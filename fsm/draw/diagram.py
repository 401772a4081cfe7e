"""Pictures of guides: the automaton of a small one as SVG, the first states of any other as an HTML table."""

from __future__ import annotations

import numpy as np

from ..bitmask import unpack
from ..protocol import FullGuide
from .graph import CharacterGraph, Edge, character_graph
from .labels import LABEL, WIDE, LabelPart, cut, label_lines, label_width, whole_label
from .layout import Box, Placement, layout
from .picture import BLUE, GREY, Picture, markup, readable, seen

# Pixels.
RADIUS, GAP, MARGIN = 16, 22, 8
FONT, LINE = 13, 17  # the height of letters and of lines
ARROW, LOOP = 7, 26
SMALLEST = 0.75  # to which a picture is shrunk where there is little room; then it is scrolled
NAME = 200  # characters of the name of a guide
SHOWN, TRIED, EXAMPLES = 20, 1000, 6  # of a table: states; tokens after each; tokens shown
HEAD = ("state", "after", "may end", "forced", "tokens", "for example")
CELL = f"text-align:left;padding:3px 8px;border-bottom:1px solid {GREY}66;white-space:nowrap"
CODE = f"background:{GREY}22;color:inherit;padding:0 3px;border-radius:3px"


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
        [_label_box(label_lines(edge)) for edge in edges],
        automaton.initial,
        GAP,
    )
    shift, bottom = MARGIN + 2 * RADIUS, MARGIN + placed.height + 2 * LINE
    name_shown = cut(name, max(40, int((placed.width + shift) / WIDE)))
    width = round(max(placed.width + shift + MARGIN, label_width(name_shown) + 2 * MARGIN))
    start_x, start_y = placed.nodes[automaton.initial]
    tip = start_x - RADIUS
    begin = f"M{_xy(tip - RADIUS, start_y)}L{_xy(tip - ARROW, start_y)}"
    body = [_arrow(begin, (tip, start_y), (1, 0))]
    body += [_edge(edge, i, placed) for i, edge in enumerate(edges)]
    body += [_loop(edge, placed.nodes[node]) for node, edge in loops.items()]
    body += [_node(node, placed.nodes[node], node in automaton.accepting) for node in automaton.nodes]
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {round(bottom)}" width="{width}" '
        f'style="max-width:max(100%,{round(SMALLEST * width)}px);height:auto" font-family="ui-monospace,Menlo,Consolas,'
        f'DejaVu Sans Mono,monospace" font-size="{FONT}" fill="none" stroke="currentColor" role="img">\n'
        f"<title>{markup(name)}</title>\n"
        f'<g transform="translate({shift} {MARGIN})">\n' + "\n".join(body) + "\n</g>\n"
        f"{_text((MARGIN, bottom - 0.5 * LINE), [(name_shown, True)], 'start', 0.7)}\n</svg>"
    )


def _label_box(lines: list[list[LabelPart]]) -> Box:
    """A label stands on its edge."""
    return Box(max(label_width("".join(text for text, _ in line)) for line in lines), LINE * len(lines) + 2, 4)


def _node_box(loop: Edge | None) -> Box:
    if loop is None:
        return Box(2 * RADIUS, RADIUS, RADIUS)
    label = _label_box(label_lines(loop))
    return Box(max(2 * RADIUS, label.width), RADIUS + LOOP + label.above, RADIUS)


def _node(node: int, at: tuple[float, float], ends: bool) -> str:
    x, y = (f"{z:.4g}" for z in at)
    circles = f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{BLUE if ends else GREY}" fill-opacity=".2"/>'
    if ends:
        circles += f'<circle cx="{x}" cy="{y}" r="{RADIUS - 3}"/>'
    title = f"state {node}" + ": the string may end here" * ends
    return f"<g><title>{title}</title>{circles}{_text((at[0], at[1] + 4), [(str(node), True)], font=11)}</g>"


def _edge(edge: Edge, number: int, placed: Placement) -> str:
    """From circle to circle; edges back leave and arrive below the middle."""
    back = number in placed.back
    sign, side, low = (-1, -0.8, 0.6) if back else (1, 1, 0)
    (x, y), (end_x, end_y) = placed.nodes[edge.source], placed.nodes[edge.target]
    end = (end_x - side * RADIUS, end_y + low * RADIUS)
    path = [f"M{_xy(x + side * RADIUS, y + low * RADIUS)}"]
    x, y = x + sign * max(placed.half[edge.source], RADIUS), y + low * RADIUS
    path.append(f"L{_xy(x, y)}" if placed.half[edge.source] > RADIUS else "")
    for start, stop, level in placed.edges[number]:
        path += [_curve((x, y), (start, level)), f"L{_xy(stop, level)}"]
        x, y = stop, level
    path.append(_curve((x, y), (end_x - sign * max(placed.half[edge.target], RADIUS + ARROW), end[1])))
    path.append(f"L{_xy(end[0] - sign * ARROW, end[1])}")
    return _labelled(edge, _arrow("".join(path), end, (sign, 0)), placed.labels[number])


def _loop(edge: Edge, at: tuple[float, float]) -> str:
    x, y = at
    top = y - RADIUS - LOOP
    path = f"M{_xy(x - 7, y - 14.5)}C{_xy(x - 24, top - 8)} {_xy(x + 24, top - 8)} {_xy(x + 10, y - 21)}"
    return _labelled(edge, _arrow(path, (x + 7, y - 14.5), (-0.42, 0.91)), (x, top))


def _labelled(edge: Edge, line: str, at: tuple[float, float]) -> str:
    """An edge with its label, whose lowest line stands just above a point."""
    lines = label_lines(edge)
    texts = (_text((at[0], at[1] - 5 - LINE * i), line) for i, line in zip(range(len(lines))[::-1], lines, strict=True))
    return f"<g><title>{edge.source} → {edge.target}\n{markup(whole_label(edge))}</title>{line}{''.join(texts)}</g>"


def _arrow(path: str, tip: tuple[float, float], towards: tuple[float, float]) -> str:
    """A line, and the head of an arrow at its end. `towards`: the direction of the head, of length 1."""
    (x, y), (dx, dy) = tip, towards
    back_x, back_y, half = x - ARROW * dx, y - ARROW * dy, ARROW / 2
    corners = (
        f"M{_xy(x, y)}L{_xy(back_x - half * dy, back_y + half * dx)} {_xy(back_x + half * dy, back_y - half * dx)}z"
    )
    return f'<path d="{path}" stroke-opacity=".6"/><path d="{corners}" fill="currentColor" stroke="none"/>'


def _curve(a: tuple[float, float], b: tuple[float, float]) -> str:
    """Level at both ends; nothing where what comes next is level, too."""
    if abs(a[1] - b[1]) < 0.5:
        return ""
    middle = (a[0] + b[0]) / 2
    return f"C{_xy(middle, a[1])} {_xy(middle, b[1])} {_xy(*b)}"


def _xy(x: float, y: float) -> str:
    return f"{x:.1f},{y:.1f}".replace(".0", "")


def _text(
    at: tuple[float, float], parts: list[LabelPart], anchor: str = "middle", opacity: float = 1, font: int = FONT
) -> str:
    """Classes are slanted: they do not stand for themselves."""
    spans = "".join(
        markup(text) if itself else f'<tspan font-style="italic">{markup(text)}</tspan>' for text, itself in parts
    )
    look = f' opacity="{opacity}"' * (opacity != 1) + f' font-size="{font}"' * (font != FONT)
    x, y = _xy(*at).split(",")
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor" stroke="none"{look}>{spans}</text>'


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
    head = "".join(f'<th style="{CELL}">{title}</th>' for title in HEAD)
    rows = "".join(_row(guide, state, text) for state, text in shown)
    return Picture(
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;color:inherit">\n'
        f'<caption style="text-align:left;padding:4px 8px">{markup(name)}: {caption}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>"
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
    return "<tr>" + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells) + "</tr>\n"


def _code(data: bytes, last: bool = False) -> str:
    """Bytes, shortened to their beginning or to their last part; spaces can be seen."""
    text = readable(data).replace(" ", "␣")
    if len(text) > LABEL:
        text = "…" + text[1 - LABEL :] if last else cut(text, LABEL)
    return f'<code style="{CODE}">{markup(text)}</code>' if text else ""
