"""The site has every page once, every public name, and the output of every notebook. (`.ci/run` builds it, too.)"""

from __future__ import annotations

import doctest
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import outlines_cont as oc
from tools.website import api, contents, docstrings, inlined, markdown, notebooks, sessions

ROOT = Path(__file__).parent.parent
WRITTEN = [ROOT / name for name in contents.sources() if name.endswith(".md")]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_the_navigation_has_every_page_once() -> None:
    nav = contents.navigation(contents.INDEX.read_text(encoding="utf-8"), api.navigation())
    pages = Counter(contents.listed(nav))
    assert sorted(pages) == sorted([*contents.sources(), *api.pages()]), "list it in docs/index.md"
    assert set(pages.values()) == {1}


def test_every_public_name_is_on_one_page_of_the_api() -> None:
    shown = Counter(name for page in api.PAGES for name in api.shown(page))
    modules = {f"oc.{name}": getattr(oc, name) for name in oc.__all__ if isinstance(getattr(oc, name), ModuleType)}
    public = {f"oc.{name}" for name in oc.__all__} - set(modules)
    public |= {
        f"{name}.{member}" for name, module in modules.items() for member in module.__all__ if member not in oc.__all__
    }
    assert public <= set(shown) and set(shown.values()) == {1}
    text = "".join(api.pages().values())
    assert all(f"heading: {name}\n" in text for name in shown)


def test_a_name_whose_module_has_no_page_is_refused() -> None:
    with pytest.raises(LookupError, match="no page of PAGES has the home 'newroom'"):
        api.subject_of("newroom")
    assert (
        api.subject_of("scores.score").title == "Scores of texts" and api.subject_of("state.grafting").title == "States"
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_keeps_its_text_its_code_and_its_output(path: Path) -> None:
    text, outputs = notebooks.page_of(path.read_text(encoding="utf-8"))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    made = [
        output
        for cell in cells
        for output in notebooks.joined(cell.get("outputs", ()))
        if output.get("name") != "stderr"
    ]
    assert len(outputs) == len(made) > 0 and all(text.count(notebooks.place(n)) == 1 for n in range(len(made)))
    assert all("".join(cell["source"]) in text for cell in cells)
    for shown, output in zip(outputs, made, strict=True):
        pictures = output.get("data", {}).keys() & {"text/html", "image/svg+xml", "image/png"}
        assert bool(pictures) != shown.startswith("<pre>")
    assert "data-output" not in notebooks.with_outputs(text, outputs)


def test_search_leaves_pictures_and_legends_out_and_nothing_else() -> None:
    """Material's search skips such an element up to the next end of one of its kind: so none stands in it."""
    for path in NOTEBOOKS:
        text, outputs = notebooks.page_of(path.read_text(encoding="utf-8"))
        page = notebooks.with_outputs(text, outputs)
        left_out = re.findall(r'<figure class="nb-output" data-search-exclude>(.*?)</figure>', page, re.S)
        assert left_out == [output for output in outputs if not output.startswith("<pre>")]
        assert page.count("<summary>legend</summary>") == "".join(left_out).count("<summary>legend</summary>")


def test_the_head_of_readme_has_the_picture_of_its_example_wide_and_narrow_light_and_dark() -> None:
    """The site draws it in its own colours. `python tests/bench/head.py --pictures docs` makes it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [inner] = inlined.PICTURE.findall(text)
    names = re.findall(r'(?:srcset|src)="([^"]+)"', inner)
    assert names == ["docs/state_narrow.svg", "docs/state.svg"] and 'alt="' in inner
    first = text[text.index("[0, 0, :]") : text.index("<picture>")]
    answers = re.findall(r'"city":"(\w+)"', first)
    for name, widest in zip(names, (400, 760), strict=True):
        svg = (ROOT / name).read_text(encoding="utf-8")
        assert float(re.findall(r' width="([\d.]+)"', svg)[0]) <= widest and "@media(prefers-color-scheme:dark)" in svg
        assert len(answers) == 3 and all(f">{city}<" in svg for city in answers)
    page = inlined.with_pictures(text)
    assert "<picture>" not in page and "@media" not in page and 'fill="#ffffff"' not in page
    assert page.count('class="oc-narrow"') == page.count('class="oc-wide"') == 1


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_the_code_that_is_copied_of_a_session_is_what_doctest_runs(page: Path) -> None:
    for block in re.findall(r"^```python\n(>>> .*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        examples = doctest.DocTestParser().get_examples(block)
        assert sessions.code_of(block) + "\n" == "".join(example.source for example in examples)


def test_the_button_copies_the_code() -> None:
    block = (
        '<div class="language-pycon highlight"><pre><code><span>&gt;&gt;&gt; </span>a &lt; "b"\nTrue</code></pre></div>'
    )
    assert 'data-copy="a &lt; &quot;b&quot;"' in sessions.copied_as_code(block)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_lists_and_tables_are_such_for_every_reader_of_markdown(page: Path) -> None:
    """MkDocs reads a table only after a blank line, and inner lists only if they are indented by four."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip("\n").splitlines()
        items = [bool(re.match(r" *([-*]|\d+\.) ", line)) for line in lines]
        rows = [line.startswith("|") for line in lines]
        assert not any(rows) or all(rows), f"{page.name}: a blank line around the table {block!r}"
        for line, item in zip(lines, items, strict=True):
            assert not item or (len(line) - len(line.lstrip())) % 4 == 0, f"{page.name}: indent by four: {line!r}"


@pytest.mark.parametrize(
    "module", [contents, docstrings, inlined, markdown, notebooks, sessions], ids=lambda module: module.__name__
)
def test_examples_of_the_tools_hold(module: object) -> None:
    results = doctest.testmod(module)  # pyright: ignore[reportArgumentType]
    assert results.attempted and not results.failed
