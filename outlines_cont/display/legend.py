"""The legend of the rows view: the signs that a picture uses, and only those, each with what it means."""

from __future__ import annotations

import re
from typing import NamedTuple


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
_LEVELS = '<span class="g a">&lt;20%</span><span class="g a"><u>20–80</u></span><span class="g a"><b>&gt;80%</b></span>'

SIGNS = (
    Sign('<span class="p', '<span class="p">prompt</span>', "given at the beginning"),
    Sign('<span class="t', '<span class="t">text</span>', "given later"),
    Sign('<span class="g', _swatch("g", "generated", 1, 1), "drawn from the model"),
    Sign('<span class="f|<i>', _swatch("f", "forced", 1, 1), "the constraint left one way to go on"),
    Sign('<span class="u', '<span class="u">beside</span>', "put there by a hook; its constraint was not told"),
    Sign('<span class="[gf][^a>]*style', _FILLS, "fill: how likely the token was as it was drawn"),
    Sign('<span class="[gf][^a>]*style', _LINES, "line: how likely the model itself found it"),
    Sign('<span class="g a', _LEVELS, "fill: how likely the tokens were as they were drawn"),
    Sign('<span class="[pgtfu][ a]* k', '<span class="k">solid bar</span>', "keys and values are in the KV tree"),
    Sign('<span class="[pgtfu][ a]* q', '<span class="q">dashed bar</span>', "keys and values are those of a graft"),
    Sign('<span class="[pgtfu][ a]*"', '<span class="j">hatched bar</span>', "keys and values would be computed again"),
    Sign('<b class="s" title', '<b class="s"></b>', "a seam: here a new span begins"),
    Sign(
        '<b class="s" data-n', '<b class="s" data-n="name"></b>', "a seam, and the name of the step that wrote the span"
    ),
    Sign('<b class="z"', "■", "the stop: the span ended here by itself"),
    Sign('<b class="c"', "✂", "the span was cut here: by a limit, or by a slice"),
    Sign('<i class="w"', "·", "a space"),
    Sign('<i class="n"', "⏎", "the end of a line"),
    Sign('<i class="h"', "→", "a tab"),
    Sign('<i class="e">(?!∅|dead|failed)', '<i class="e">box</i>', "a special token, or a character without a shape"),
    Sign('<i class="e">∅', '<i class="e">∅</i>', "a token without text"),
    Sign('<b class="y" data-n="… [0-9,]+ tokens? as', "… as above …", "the same tokens as in the row above"),
    Sign('<b class="y" title="as', "… 26 …", "so many tokens are those of the row above"),
    Sign('<b class="y" data-n="… [0-9,]+ more', "… more …", "left out: html(tokens=…) shows more"),
    Sign('<i class="e">dead<', '<i class="e">dead</i>', "no sample: fewer were found than asked for"),
    Sign('<i class="e">failed<', '<i class="e">failed</i>', "an error ended the row; it has no tokens"),
    Sign(
        '<div title="weight [^"]*">\\[\\d+, \\d+, :\\] [^<]',
        "[0, 1, :] −3.25",
        "the row's key (batch, sample); Σ log-probability (nats)",
    ),
    Sign('<div title="weight [^"]*">\\[\\d+, \\d+, :\\] ≈', "≈", "approximate: measured on a graft"),
    Sign('class="m">[^<]*perplexity', "perplexity", "exp(− mean log-probability of the generated tokens)"),
    Sign('class="m">[^<]*% forced', "% forced", "share of generated tokens that the constraint forced"),
    Sign('class="m">[^<]*least sure', "least sure", "generated tokens that the model found least likely"),
    Sign('title="[^"]*likeliest: ', "✓ ✗", "in tooltips: the constraint allowed the token, or not"),
    Sign('class="o">[^<]*\\bESS\\b', "ESS", "effective number of samples, as their weights say"),
)


def legend(body: str) -> str:
    """The legend of a page with this body."""
    used = (sign for sign in SIGNS if re.search(sign.used, body))
    items = (f"<div><i>{sign.look}</i><i>{sign.meaning}</i></div>" for sign in used)
    return f'<div class="l">{"".join(items)}</div>'
