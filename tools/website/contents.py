"""The pages of the site and their order: docs/index.md is the table of contents, and there is no second one."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TypeAlias

ROOT = Path(__file__).parent.parent.parent
INDEX = ROOT / "docs" / "index.md"
BESIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
API = "API"  # the part of the index whose pages are made of docstrings

Nav: TypeAlias = "list[dict[str, str | Nav]]"


def sources() -> list[str]:
    """Every page that is written by hand, as its path in the repository: README, docs, notebooks."""
    pages = [*sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "notebooks").glob("*.ipynb"))]
    return [*BESIDE, *(page.relative_to(ROOT).as_posix() for page in pages)]


def linked_files() -> list[str]:
    """The files of the repository that pages link to and that are no pages, as code: the site has them as they are."""
    files = set()
    for page in sources():
        for target in re.findall(r"\]\(([^)#\s]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            path = (ROOT / page).parent.joinpath(target).resolve()
            if path.is_file() and path.is_relative_to(ROOT) and not path.is_relative_to(INDEX.parent):
                files.add(path.relative_to(ROOT).as_posix())
    return sorted(files - set(sources()))


def navigation(index: str, api: Nav) -> Nav:
    """The navigation that the index asks for.

    Each `## Title` with a list of links, or a table whose last column has them, becomes a part; links of a nested list
    become the pages of the item above it. README is the home page; it and the index itself are the first pages of the
    first part.

    >>> index = "## Begin\\n\\n- [A](a.md): it\\n    - [x](a/x.md)\\n\\n## Want\\n\\n| to look | [Y](y.md) |\\n"
    >>> begin, want = navigation(index, [])
    >>> begin["Begin"][1:]
    [{'Contents': 'docs/index.md'}, {'A': [{'A': 'docs/a.md'}, {'x': 'docs/a/x.md'}]}]
    >>> want
    {'Want': [{'Y': 'docs/y.md'}]}
    """
    nav: Nav = []
    first: Nav = [{"Home": "README.md"}, {"Contents": "docs/index.md"}]
    for part in re.split(r"^## ", index, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        pages = api if title.strip() == API else _pages(body)
        if pages:
            nav.append({title.strip(): first + pages})
            first = []
    return nav


def _pages(body: str) -> Nav:
    """The first link of each item of a list, and the one that ends a line of a table."""
    pages: Nav = []
    for indent, title, target in re.findall(r"^(?:( *)- |\|.*\| )\[([^\]]+)\]\(([^)#\s]+)\)", body, re.M):
        page = _resolved(target)
        if not indent:
            pages.append({title: page})
            continue
        (above, inner), *_ = pages[-1].items()
        if isinstance(inner, str):
            inner = pages[-1][above] = [{above: inner}]
        inner.append({title: page})
    return pages


def _resolved(target: str) -> str:
    """A link of docs/index.md as a path in the repository."""
    return target.removeprefix("../") if target.startswith("../") else str(PurePosixPath("docs", target))


def listed(nav: Nav) -> list[str]:
    """The pages of a navigation, in order."""
    parts = [part for item in nav for part in item.values()]
    return [page for part in parts for page in ([part] if isinstance(part, str) else listed(part))]
