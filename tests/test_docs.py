"""What the documentation shows is what happens, and its links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from outlines_cont.fsm.json_schema.values_and_keywords import KEYWORDS

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "docs" / "index.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
#: Pages that show no code.
PROSE = {
    "coming_from.md",
    "design.md",
    "glossary.md",
    "index.md",
    "performance.md",
    "private_interfaces.md",
    "stable.md",
    "testing.md",
} | {page.relative_to(ROOT / "docs").as_posix() for page in PAGES if page.parent.name in ("rooms", "measured")}
#: How many words the documentation may have, as `wc -w` counts them: together (the changes do not count), and by page.
ALL_WORDS = 65_000
WORDS = {"docs/design.md": 2_500, "docs/life_of_a_token.md": 1_500, "docs/life_of_a_schema.md": 1_500}


def name_of(page: Path) -> str:
    """Its path in docs/; beside that folder, its name."""
    return page.relative_to(ROOT / "docs").as_posix() if page.is_relative_to(ROOT / "docs") else page.name


def test_the_documentation_can_be_read() -> None:
    pages = [*PAGES, ROOT / "CONTRIBUTING.md"]
    by_page = {page.relative_to(ROOT).as_posix(): len(page.read_text(encoding="utf-8").split()) for page in pages}
    over = {page: f"{by_page[page]:,} words, at most {most:,}" for page, most in WORDS.items() if by_page[page] > most}
    assert over == {}
    longest = sorted(by_page.items(), key=lambda item: -item[1])[:8]
    assert sum(by_page.values()) <= ALL_WORDS, f"cut what is said twice, or what nobody asks; the longest: {longest}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_give_what_is_printed_beside_them(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.name == "lm_eval.md":
        pytest.importorskip("lm_eval")
        monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path)
        monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    results = doctest.testfile(str(page), module_relative=False, verbose=False, encoding="utf-8")
    assert results.failed == 0 and (results.attempted or name_of(page) in PROSE)
    assert results.attempted == page.read_text().count("\n>>> ")


def prose(page: Path) -> str:
    """A page, or the cells of a notebook that are read, without blocks of code."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The files that it links to, each with the anchor there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page))):
        if not target.startswith("https://"):
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ +(.+?) *$", prose(page), re.M)
    slugs = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
    seen: Counter[str] = Counter()
    return {f"{slug}-{seen[slug] - 1}" if seen[slug] > 1 else slug for slug in slugs if seen.update([slug]) is None}


@pytest.mark.parametrize("page", [*PAGES, *NOTEBOOKS], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for there, anchor in links(page):
        assert there.exists(), there
        assert not anchor or anchor in anchors(there), f"{there.name}#{anchor}"


def test_everything_is_reached_from_the_index_and_the_index_from_the_readme() -> None:
    todo, reached = [INDEX], {INDEX}
    while todo:
        new = {there for there, _ in links(todo.pop()) if there.suffix in (".md", ".ipynb") and there.exists()}
        todo += new - reached
        reached |= new
    assert reached >= {*PAGES, *NOTEBOOKS}
    assert INDEX in {there for there, _ in links(ROOT / "README.md")}


def test_every_keyword_of_a_schema_is_told_about() -> None:
    page = (ROOT / "docs" / "constraints.md").read_text(encoding="utf-8")
    assert [keyword for keyword in sorted(KEYWORDS) if f"`{keyword}`" not in page] == []


def test_files_that_pages_name_are_there() -> None:
    """A name in backquotes that ends in .py is a file of the repository, or the end of the path of one."""
    folders = ("outlines_cont", "fsm", "kernels", "tests", "tools")
    files = [f"/{path.relative_to(ROOT)}" for folder in folders for path in (ROOT / folder).rglob("*.py")]
    guides = [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
    for page in [*PAGES, *guides]:
        for name in re.findall(r"`([\w./]+\.py)`", prose(page)):
            assert any(file.endswith(f"/{name}") for file in files), f"{page.name}: {name}"


def test_extras_are_written_as_every_pip_knows_them() -> None:
    """The metadata has them with `-`, and pip before 23.3 takes one with `_` for another, and leaves it out."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) for name in extras)
    files = [path for folder in ("outlines_cont", "tests", ".ci") for path in (ROOT / folder).rglob("*")]
    command = r"""pip install [^\n]*?(?:outlines_cont|["']\.)\[([\w,-]+)\]"""
    named = {
        name
        for path in [*PAGES, *files, ROOT / "CONTRIBUTING.md"]
        if path.is_file() and path.suffix in (".md", ".py", "")
        for names in re.findall(command, path.read_text("utf-8"))
        for name in names.split(",")
    }
    assert {"lm-eval", "test", "docs", "llama"} <= named <= {*extras}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_links_of_the_pages_beside_the_readme_lead_somewhere(page: str) -> None:
    test_links_lead_somewhere(ROOT / page)
