"""A state as HTML: no script, one small style sheet, readable on light and dark and without colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from outlines_cont.display.marks import FEW_TOKENS, Mark, Ranked, marks, number, outcome, percent, ranked
from outlines_cont.display.protocol import DrawnPiece, DrawnRow, DrawnState, DrawnStop
from outlines_cont.display.text import summary
from outlines_cont.display.weighing import head_part
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import BLUE, GREY, VERMILION, Picture, characters, seen

CLASSES = {"prompt": "p", "text": "t", "generated": "g", "forced": "f", "beside": "u"}
LONG_REPEAT = 12  # if a row and the one above it begin with more equal tokens, they are shown once
HIDDEN_SIGNS = 12  # so many seams and stops of the tokens that are left out are shown
INVISIBLE = {" ": "w", "\t": "h", "\n": "n"}  # kept as they are, so that what is copied is the text; a sign is drawn

# Of a token, from the top: its fill, by the probability at which it was drawn; a line, by the model's own; the bar of
# keys and values. (--c: the colour of its source; --d, --m: the two probabilities; --u: the line's pattern.)
STYLE = (
    """
.oc{font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.oc .r{display:flex;gap:1em;margin:.6em 0;align-items:baseline}
.oc .r>:first-child,.oc .o{opacity:.75;white-space:nowrap;font-variant-numeric:tabular-nums}
.oc .r>:first-child{min-width:7.6em}
.oc .x{white-space:pre-wrap;font:13px/2.2 ui-monospace,monospace;min-width:0}
.oc span{padding:2px 0 9px;-webkit-box-decoration-break:clone;box-decoration-break:clone;--k:
repeating-linear-gradient(115deg,currentColor 0 1px,transparent 1px 4px);--u:none;--f:none;background:
var(--k) 0 100%/100% 4px no-repeat,var(--u) 0 calc(100% - 6px)/100% 2px no-repeat,
var(--f) 0 0/100% calc(100% - 9px) no-repeat}
.oc .k{--k:linear-gradient(#8a8a8a,#8a8a8a)}
.oc .q{--k:repeating-linear-gradient(90deg,#8a8a8a 0 6px,transparent 6px 8px)}
.oc .t{font-style:italic}
.oc .g,.oc .f{--a:color-mix(in srgb,var(--c) calc(8% + var(--d)*47%),transparent);
--f:linear-gradient(var(--a),var(--a));--b:color-mix(in srgb,currentColor calc(var(--m)*100%),transparent)}
.oc .g{--c:BLUE;--u:linear-gradient(var(--b),var(--b))}
.oc .f{--c:VERMILION;--u:repeating-linear-gradient(90deg,var(--b) 0 2px,transparent 2px 4px)}
.oc .u{font-style:italic;outline:1px dashed GREY;outline-offset:-1px}
.oc i{font-style:normal}
.oc .w{background:radial-gradient(circle,currentColor 0 .8px,transparent 1.3px) 50% 55%/100% 100% no-repeat;opacity:.55}
.oc .n::before{content:"⏎";opacity:.55}
.oc .h::before{content:"→";opacity:.55}
.oc .e{outline:1px solid GREY;outline-offset:-1px;font-size:.85em}
.oc b{font:600 11px/1 system-ui,sans-serif;opacity:.8}
.oc .s{border-left:2px solid currentColor;margin:0 1px 0 3px;padding:2px 0}
.oc .s::before{content:attr(data-n);padding:0 3px;vertical-align:super;font-size:9px}
.oc .s:not([data-n])::before{content:none}
.oc .z::before{content:"■"}
.oc .c::before{content:"✂"}
.oc .y::before{content:attr(data-n);padding:0 .6em;font-weight:400}
.oc .l{font-size:11px;opacity:.85;margin-top:.4em;display:flex;flex-wrap:wrap;gap:.3em 1.2em;align-items:baseline}
.oc .l span{padding-bottom:7px}
""".replace("BLUE", BLUE)
    .replace("VERMILION", VERMILION)
    .replace("GREY", GREY)
)

LEGEND = (
    '<div class="l"><span class="p k">prompt</span><span class="t k">text</span>'
    '<span class="g k" style="--d:1;--m:1">generated</span><span class="f k" style="--d:1;--m:1">forced</span>'
    '<span class="u k">beside the constraint</span>'
    "<i>fill: how likely it was as drawn</i><i>line: how likely to the model</i><i>bar: keys and values</i>"
    '<span class="k">kept</span><span>to be recomputed</span><i>■ stop</i><i>✂ cut</i></div>'
)


def page(state: DrawnState, rows: int, tokens: int, ranks: bool) -> Picture:
    """See `SequenceState.html`."""
    grid = [(b, s) for b, group in enumerate(state.rows) for s in range(len(group))]
    shown = [_shown_row(state, b, s, tokens) for b, s in grid[:rows]]
    kept = state.model.kv_lengths(each.row for each in shown)
    rank_tables = ranked(state.model, [(each.row, each.places) for each in shown]) if ranks else [{}] * len(shown)
    body = "".join(_row(state.model, *each) for each in zip(shown, kept, rank_tables, strict=True))
    more = len(grid) - len(shown)
    if more:
        body += f'<div class="o">… and {more:,} more row{"s" * (more > 1)}: state.html(rows={len(grid)})</div>'
    legend = LEGEND.replace("<span>to be", '<span class="q">of a graft</span><span>to be') if " q" in body else LEGEND
    weighed = head_part(state, [each.b for each in shown])
    head = f'<div class="o">{escape(summary(state, kept if not more else None) + weighed)}</div>'
    return Picture(f'<div class="oc"><style>{STYLE}</style>{head}{body}{legend}</div>')


class ShownRow(NamedTuple):
    """A row, how many of its tokens are as in the row above (`repeated`), and which of the others are shown."""

    b: int
    s: int
    row: DrawnRow
    repeated: int
    places: Sequence[int]


def _shown_row(state: DrawnState, b: int, s: int, tokens: int) -> ShownRow:
    row = state.rows[b][s]
    repeated = _repeated(row, state.rows[b][s - 1]) if s else 0
    if len(row) - repeated < tokens + FEW_TOKENS:
        return ShownRow(b, s, row, repeated, range(repeated, len(row)))
    head = tokens // 4  # most of what is shown is the row's end
    tail = tokens - head
    return ShownRow(b, s, row, repeated, [*range(repeated, repeated + head), *range(len(row) - tail, len(row))])


def _row(model: LanguageModel, shown: ShownRow, kept: int, ranks: Mapping[int, Ranked]) -> str:
    row = shown.row
    title = f"{outcome(row)}, {len(row)} tokens, {kept} in the KV tree"
    label = f'<div title="{escape(title)}">[{shown.b}, {shown.s}] {number(row) if row.generated else ""}</div>'
    text = '<i class="e">dead</i>' if row.dead else "".join(_tokens(model, shown, kept, ranks))
    return f'<div class="r">{label}<div class="x">{text}</div></div>'


def _tokens(model: LanguageModel, shown: ShownRow, kept: int, ranks: Mapping[int, Ranked]) -> Iterator[str]:
    row, signs, last = shown.row, _signs(shown.row), shown.repeated - 1
    if shown.repeated:
        yield f'<b class="y" data-n="… {shown.repeated:,} tokens as above …"></b>'
    for mark in marks(model, row, kept, shown.places, ranks):
        if mark.position > last + 1:
            yield f'<b class="y" data-n="… {mark.position - last - 1:,} more tokens …"></b>'
            hidden = [sign for at in range(last + 1, mark.position) for sign in signs.get(at, ())]
            yield from hidden[:HIDDEN_SIGNS]
        yield from signs.get(mark.position, ())
        yield _token(mark)
        last = mark.position
    yield from signs.get(len(row), ())


def _repeated(row: DrawnRow, above: DrawnRow) -> int:
    """How many tokens at the beginning need not be shown again: given ones that the row above begins with, too."""
    count = 0
    for token, other, drawn in zip(row.ids, above.ids, row.logprobs, strict=False):
        if token != other or drawn is not None:
            break
        count += 1
    return count if count > LONG_REPEAT else 0


def _token(mark: Mark) -> str:
    names = CLASSES[mark.source] + (" q" if mark.grafted_keys else " k" * mark.kept)
    drawn = f' style="--d:{mark.drawn:.2f};--m:{mark.own:.2f}"' if mark.source in ("generated", "forced") else ""
    shown = "".join(map(_character, characters(mark.data))) or "∅"
    if mark.special:
        shown = f'<i class="e">{shown}</i>'
    return f'<span class="{names}"{drawn} title="{_attribute(mark.facts)}">{shown}</span>'


def _character(character: str) -> str:
    if character in INVISIBLE:
        return f'<i class="{INVISIBLE[character]}">{character}</i>'
    visible = seen(character)
    return escape(visible) if visible == character else f'<i class="e">{visible}</i>'


def _signs(row: DrawnRow) -> dict[int, list[str]]:
    """Seams, stops and cuts, by the position before which they stand."""
    signs: dict[int, list[str]] = {}
    for start, end, piece in row.placed:
        if start or piece.kind == "generated":
            signs.setdefault(start, []).append(_seam(piece))
        for at, stop in piece.stops:
            signs.setdefault(start + at, []).append(_stop(stop))
        if piece.kind == "generated" and piece.stop is None:
            signs.setdefault(end, []).append(f'<b class="c" title="cut: {piece.finished or "sliced"}"></b>')
    return signs


def _seam(piece: DrawnPiece) -> str:
    title = " ".join(filter(None, [piece.kind, piece.generator, piece.name and repr(piece.name)]))
    if not piece.whole:
        title += f", tokens {piece.lo}:{piece.hi} of {piece.length}"
    name = f' data-n="{_visible(piece.name)}"' if piece.name and piece.kind == "generated" else ""
    return f'<b class="s"{name} title="{_attribute(title)}"></b>'


def _stop(stop: DrawnStop) -> str:
    dropped = f", {len(stop.dropped)} tokens dropped" if stop.dropped else ""
    return f'<b class="z" title="stop: model {percent(stop.logprob)}, drawn {percent(stop.proposal)}{dropped}"></b>'


def _visible(name: str) -> str:
    return escape("".join(map(seen, name)))


def _attribute(text: str) -> str:
    return escape(text).replace("\n", "&#10;")
