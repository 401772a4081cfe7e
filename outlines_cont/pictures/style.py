"""The one style sheet of our pages, and the one legend: the signs that a picture uses, each with what it means."""

from __future__ import annotations

import re
from typing import NamedTuple

from outlines_cont.pictures.markup import BAR, BLUE, GREY, VERMILION

# Of a token, from the top: its fill, by the probability at which it was drawn; a line, by the model's own; the bar of
# keys and values. (--c: the colour of its source; --d, --m: the two probabilities; --u: the line's pattern.)
STYLE = (
    """
.oc{font:13px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.oc .r{display:flex;gap:1em;margin:.6em 0;align-items:baseline}
.oc .v .r{margin:0}
.oc .r>:first-child,.oc .o,.oc .m{opacity:.75;font-variant-numeric:tabular-nums}
.oc .r>:first-child{min-width:8.4em;white-space:nowrap}
.oc .r>:last-child{min-width:0}
.oc .m{font-size:11px}
.oc .x{white-space:pre-wrap;font:13px/2.1 ui-monospace,monospace;min-width:0}
.oc .v .x{line-height:1.85}
.oc span{padding:2px 0 7px;-webkit-box-decoration-break:clone;box-decoration-break:clone;--z:BAR;--k:
repeating-linear-gradient(90deg,var(--z) 0 1px,transparent 1px 4px);--u:none;--f:none;background:
var(--k) 0 100%/100% 2px no-repeat,var(--u) 0 calc(100% - 4px)/100% 2px no-repeat,
var(--f) 0 0/100% calc(100% - 7px) no-repeat}
.oc .k{--k:linear-gradient(var(--z),var(--z))}
.oc .q{--k:repeating-linear-gradient(90deg,var(--z) 0 6px,transparent 6px 9px)}
.oc .t{font-style:italic}
.oc .g,.oc .f,.oc .d{--a:color-mix(in srgb,var(--c) calc(8% + var(--d)*47%),transparent);
--f:linear-gradient(var(--a),var(--a));--b:color-mix(in srgb,currentColor calc(var(--m)*100%),transparent)}
.oc .g{--c:BLUE;--u:linear-gradient(var(--b),var(--b))}
.oc .f{--c:VERMILION;--u:repeating-linear-gradient(90deg,var(--b) 0 2px,transparent 2px 4px)}
.oc .d{--c:VERMILION;--k:none}
.oc .u{font-style:italic;outline:1px dashed GREY;outline-offset:-1px}
.oc .a{--d:0;--u:none!important}
.oc .a>*{font:inherit;opacity:1;text-decoration:none;background:color-mix(in srgb,BLUE 22%,transparent)}
.oc .a>b{background:color-mix(in srgb,BLUE 50%,transparent)}
.oc .a>i{background:color-mix(in srgb,VERMILION 50%,transparent)}
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
.oc svg{display:block}.oc details{font-size:11px;margin-top:.6em}.oc summary{opacity:.75;cursor:pointer}
.oc .l{line-height:1.7;opacity:.9;margin-top:.4em;display:grid;gap:.2em 1.4em;
grid-template-columns:repeat(auto-fill,minmax(21em,1fr))}
.oc .l>div{display:flex;gap:.7em;align-items:baseline}
.oc .l>div>:first-child{flex:none;min-width:6.6em}
.oc .l span:not(.k,.q,.j){--k:none}
.oc .l .s{padding:0}
.oc .two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,27em),1fr));gap:0 2em;align-items:start}
.oc .same{opacity:.5}
.oc .pair{margin:1em 0 1.4em}
.oc table{border-collapse:collapse;color:inherit;margin:.2em 0 .4em;font-variant-numeric:tabular-nums}
.oc td,.oc th{padding:.1em 1.1em .1em 0;border:0;text-align:left;font-weight:400;background:none}
.oc th{opacity:.75}
.oc caption{text-align:left}
""".replace("BLUE", BLUE)
    .replace("VERMILION", VERMILION)
    .replace("GREY", GREY)
    .replace("BAR", f"color-mix(in srgb,{GREY} {BAR:.0%},transparent)")
)


class Sign(NamedTuple):
    """A sign of the legend: the markup by which a picture that uses it is known, how it looks, and what it means.

    Texts of users stand in a page with < and " as entities, so that none of them looks like this markup.
    """

    used: str
    look: str
    meaning: str


def _swatch(names: str, text: str, drawn: float = 0.0, model: float = 0.0) -> str:
    return f'<span class="{names}" style="--d:{drawn:g};--m:{model:g}">{text}</span>'


_FILLS = _swatch("g", "5%", 0.05) + _swatch("g", "50%", 0.5) + _swatch("g", "95%", 0.95)
_LINES = _swatch("g", "5%", 0, 0.05) + _swatch("g", "50%", 0, 0.5) + _swatch("g", "95%", 0, 0.95)
_DOUBTS = _swatch("d", "5%", 0.05) + _swatch("d", "50%", 0.5) + _swatch("d", "95%", 0.95)
_LEVELS = '<span class="g a">&lt;20%</span><span class="g a"><u>20–80</u></span><span class="g a"><b>&gt;80%</b></span>'

SIGNS = (
    Sign('<span class="p', '<span class="p">prompt</span>', "given at the beginning"),
    Sign('<span class="t', '<span class="t">text</span>', "given later"),
    Sign('<span class="g', _swatch("g", "generated", 1, 1), "drawn from the model"),
    Sign('<span class="f|<i>', _swatch("f", "forced", 1, 1), "the constraint left one way to go on"),
    Sign('<span class="u', '<span class="u">beside</span>', "a hook's; its constraint was not told"),
    Sign('<span class="[gf][^a>]*style', _FILLS, "fill: how likely it was, as drawn"),
    Sign('<span class="[gf][^a>]*style', _LINES, "line: how likely to the model itself"),
    Sign('<span class="g a', _LEVELS, "fill: how likely they were, as drawn"),
    Sign('<span class="d', _DOUBTS, "fill: doubt, 1 − the probability of the value"),
    Sign('<span class="[pgtfu][ a]* k', '<span class="k">solid bar</span>', "keys and values are in the KV tree"),
    Sign('<span class="[pgtfu][ a]* q', '<span class="q">dashed bar</span>', "keys and values are those of a graft"),
    Sign('<span class="[pgtfu][ a]*"', '<span class="j">dotted bar</span>', "keys and values to compute again"),
    Sign('<span class="[^"]* same', '<i class="same">pale</i>', "the same in both rows"),
    Sign('<b class="s" title', '<b class="s"></b>', "a seam: here a new span begins"),
    Sign('<b class="s" data', '<b class="s" data-n="name"></b>', "a seam, and the name of the step"),
    Sign('<b class="z"', "■", "the stop: the span ended by itself"),
    Sign('<b class="c"', "✂", "the span was cut here, or sliced"),
    Sign('<i class="[wnh]"', "· ⏎ →", "a space, the end of a line, a tab"),
    Sign('<i class="e">(?!∅|dead|failed)', '<i class="e">box</i>', "a special or an invisible character"),
    Sign('<i class="e">∅', '<i class="e">∅</i>', "a token without text"),
    Sign('data-n="… [0-9,]+ tokens? as', "… as above …", "the same tokens as in the row above"),
    Sign('<b class="y" title="as', "… 26 …", "so many tokens are those of the row above"),
    Sign('data-n="…( [0-9,]+ more|[0-9])', "…3…", "left out: tokens=… shows more"),
    Sign('<i class="e">dead<', '<i class="e">dead</i>', "no sample: fewer than asked for"),
    Sign('<i class="e">failed<', '<i class="e">failed</i>', "an error ended the row"),
    Sign('<div title="weight [^"]*">[^<]*\\] [^<]', "[0, 1, :] −3.25", "row; Σ log-probability (nats)"),
    Sign('data-n="weight ', "weight", "Σ log-probability of the row (nats)"),
    Sign('data-n="weight [^"]*%', "%", "share of the probability of this tree"),
    Sign('data-n="weight [^"]*×', "×2", "two equal rows"),
    Sign('class="edge"', "edge", "width: its share of the probability"),
    Sign('class="edge alike"', "edge", "width: its share of the rows"),
    Sign('(<div title="weight [^"]*">[^<]*|="weight )≈', "≈", "approximate: measured on a graft"),
    Sign('class="m">[^<]*perplexity', "perplexity", "exp(− mean log-probability)"),
    Sign('class="m">[^<]*% forced', "% forced", "share of generated tokens that were forced"),
    Sign('class="m">[^<]*least sure', "least sure", "what the model found least likely"),
    Sign('title="[^"]*likeliest: ', "✓ ✗", "in tooltips: allowed there, or not"),
    Sign('class="o">[^<]*\\bESS\\b', "ESS", "effective number of samples, by their importance weights"),
)


def legend(body: str) -> str:
    """The legend of a page with this body."""
    used = (sign for sign in SIGNS if re.search(sign.used, body))
    items = (f"<div><i>{sign.look}</i><i>{sign.meaning}</i></div>" for sign in used)
    return f'<details><summary>legend</summary><div class="l">{"".join(items)}</div></details>'


def framed(body: str, signs: str = "") -> str:
    """A page: its style sheet, its body, and the legend of what stands there; signs: what stands in its drawing."""
    return f'<div class="oc"><style>{STYLE}</style>{body}{legend(body + signs)}</div>'
