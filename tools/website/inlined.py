"""Pictures of the repository as parts of the page that shows them: in its colours, light or dark, with tooltips."""

from __future__ import annotations

import re
from pathlib import Path

from tools.website.contents import ROOT

PICTURE = re.compile(r"<picture>(.*?)</picture>", re.S)


def as_part(svg: str) -> str:
    """A drawing without a palette of its own.

    >>> as_part('<svg class="oc-ink" color="#111"><style>a{}</style><rect class="oc-paper" fill="#fff"/><path/></svg>')
    '<svg><path/></svg>'
    """
    begin, drawn = svg.split(">", 1)
    begin = re.sub(r' (class="oc-ink"|color="[^"]*")', "", begin)
    return begin + ">" + re.sub(r'<style>.*?</style>|<rect class="oc-paper"[^>]*/>', "", drawn, flags=re.S)


def with_pictures(page: str, folder: Path = ROOT) -> str:
    """The HTML of a page whose `<picture>`s, each of a narrow and a wide drawing, are drawn in it."""

    def drawn(match: re.Match[str]) -> str:
        files = zip(("narrow", "wide"), re.findall(r'(?:srcset|src)="([^"]+\.svg)"', match[1]), strict=True)
        parts = ((form, as_part((folder / name).read_text(encoding="utf-8").strip())) for form, name in files)
        return "".join(f'<span class="oc-{form}" data-search-exclude>{part}</span>' for form, part in parts)

    return PICTURE.sub(drawn, page)
