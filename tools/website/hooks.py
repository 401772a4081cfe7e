"""What MkDocs does besides: pages lie as in the repository, so that the links of the repository lead on."""
# pyright: reportMissingImports=false
# (MkDocs comes with the extra `docs`)

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent.parent.parent))  # MkDocs loads this file by its path

from tools.website import api, contents, inlined, notebooks, sessions
from tools.website.markdown import for_mkdocs

_outputs: dict[str, list[str]] = {}


class NotebookFile(File):
    """A notebook, which is a page."""

    def is_documentation_page(self) -> bool:
        return True


@event_priority(100)  # before mkdocstrings looks at that folder
def on_config(config: Any) -> Any:
    """The navigation is that of docs/index.md; docstrings are read in `paths` of mkdocs.yml."""
    (path,) = config.plugins["mkdocstrings"].config.handlers["python"]["paths"]
    api.lay_out(contents.ROOT / path)
    config.nav = contents.navigation(contents.INDEX.read_text(encoding="utf-8"), api.navigation())
    return config


def on_files(files: Files, config: Any) -> Files:
    """Everything under its path in the repository: README.md as the home page, docs/, notebooks/; and the API."""
    laid_out = [file for file in files if file.src_dir != config.docs_dir]
    for file in files:
        if file.src_dir == config.docs_dir:
            laid_out.append(File.generated(config, f"docs/{file.src_uri}", abs_src_path=str(file.abs_src_path)))
    for name in [*contents.BESIDE, *contents.linked_files()]:
        laid_out.append(File.generated(config, name, abs_src_path=str(contents.ROOT / name)))
    for path in sorted((contents.ROOT / "notebooks").glob("*.ipynb")):
        laid_out.append(NotebookFile.generated(config, f"notebooks/{path.name}", abs_src_path=str(path)))
    for name, text in api.pages().items():
        laid_out.append(File.generated(config, name, content=text))
    for path in sorted(Path(__file__).parent.glob("assets/*")):
        laid_out.append(File.generated(config, f"assets/{path.name}", abs_src_path=str(path)))
    return Files(laid_out)


def on_page_read_source(page: Any, config: Any) -> str | None:
    """Notebooks are read as Markdown."""
    if not isinstance(page.file, NotebookFile):
        return None
    text, _outputs[page.file.src_uri] = notebooks.page_of(page.file.content_string)
    return text


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page as MkDocs reads it; the index has the pages of the API."""
    if page.file.src_uri == "docs/index.md":
        links = [f"- [{title}](../{path})" for item in api.navigation() for title, path in item.items()]
        markdown = markdown.replace(f"\n## {contents.API}\n", "\n".join(["", f"## {contents.API}", "", *links, ""]))
    return for_mkdocs(markdown)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Pictures, the outputs of a notebook, and what is copied of sessions."""
    shown = inlined.with_pictures(sessions.copied_as_code(html))
    return notebooks.with_outputs(shown, _outputs.get(page.file.src_uri, []))
