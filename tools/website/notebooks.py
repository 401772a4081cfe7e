"""A notebook as Markdown, with its stored output. Nothing is run."""

from __future__ import annotations

import html
import json
import re
from base64 import b64decode
from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple


class NotebookPage(NamedTuple):
    """text: Markdown, where `<div data-output="n"></div>` stands for the nth of outputs; outputs: HTML."""

    text: str
    outputs: list[str]


def place(number: int) -> str:
    """What stands in the Markdown for an output: Markdown would read the HTML of one as text here and there."""
    return f'<div data-output="{number}"></div>'


def page_of(notebook: str) -> NotebookPage:
    """The page that a notebook makes, from the text of its file."""
    parts: list[str] = []
    outputs: list[str] = []
    numbers = count()
    for cell in json.loads(notebook)["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        if source:
            parts.append(f"```python\n{source}\n```")
        for output in map(_shown, joined(cell["outputs"])):
            if output:
                outputs.append(output)
                parts.append(place(next(numbers)))
    return NotebookPage("\n\n".join(parts) + "\n", outputs)


def with_outputs(page: str, outputs: Iterable[str]) -> str:
    """The HTML of the page, with the outputs where they belong."""
    for number, output in enumerate(outputs):
        # Search leaves pictures out, with their legends: up to the next end of a figure, of which they have none.
        tag, exclude = ("div", "") if output.startswith("<pre>") else ("figure", " data-search-exclude")
        page = page.replace(place(number), f'<{tag} class="nb-output"{exclude}>{output}</{tag}>')
    return page


def joined(outputs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs of a cell, with what was printed in parts as one: how it is cut depends on the time it took.

    >>> part = {"output_type": "stream", "name": "stdout"}
    >>> [output["text"] for output in joined([part | {"text": "one\\n"}, part | {"text": ["two\\n", "three"]}])]
    ['one\\ntwo\\nthree']
    """
    whole: list[dict[str, Any]] = []
    for output in outputs:
        if whole and output["output_type"] == "stream" and whole[-1].get("name") == output["name"]:
            whole[-1] = whole[-1] | {"text": _joined(whole[-1]["text"]) + _joined(output["text"])}
        else:
            whole.append(output)
    return whole


def _joined(text: str | list[str]) -> str:
    return "".join(text)


def _shown(output: dict[str, Any]) -> str:
    """An output as HTML: the richest of its forms."""
    if output["output_type"] == "stream":
        return "" if output["name"] == "stderr" else _plain(_joined(output["text"]))
    if output["output_type"] == "error":
        return _plain("\n".join(output["traceback"]))
    data = output["data"]
    for form in ("text/html", "image/svg+xml"):
        if form in data:
            return scalable(_joined(data[form]))
    if "image/png" in data:
        b64decode(picture := _joined(data["image/png"]).replace("\n", ""), validate=True)
        title = html.escape(_joined(data.get("text/plain", "")), quote=True)
        return f'<img class="nb-picture" alt="{title}" src="data:image/png;base64,{picture}">'
    return _plain(_joined(data["text/plain"]))


def scalable(picture: str) -> str:
    """SVGs with a viewBox: without one, a page that is narrower than the picture would cut it off.

    >>> scalable('<svg width="840" height="140" fill="none"><path d="M0"/></svg>')
    '<svg viewBox="0 0 840 140" width="840" height="140" fill="none"><path d="M0"/></svg>'
    """

    def with_box(tag: re.Match[str]) -> str:
        sizes = [re.search(rf'\b{side}="([\d.]+)"', tag[0]) for side in ("width", "height")]
        if "viewBox" in tag[0] or not all(sizes):
            return tag[0]
        return f'<svg viewBox="0 0 {" ".join(size[1] for size in sizes if size)}"{tag[0].removeprefix("<svg")}'

    return re.sub(r"<svg\b[^>]*>", with_box, picture)


def _plain(text: str) -> str:
    return f"<pre><code>{html.escape(text)}</code></pre>"
