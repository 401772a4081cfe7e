"""The reference of the API: one page for each subject, made of the names that `outlines_cont` exports.

A name is on the page of the module that defines it: of the entries of PAGES with which its home begins, the longest
wins. So a new public name is on a page without being listed here; `subject_of` refuses one whose home has no page.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tools.website.contents import ROOT, Nav


class Subject(NamedTuple):
    """A page of the reference.

    Attributes:
        path: its name in the folder `api`.
        title: its heading.
        text: the page of docs that explains it.
        homes: the modules, or folders of them, whose exported names it shows.
        modules: modules that it shows whole, by the names that users write.
        first: names that come before the others.
    """

    path: str
    title: str
    text: str
    homes: tuple[str, ...] = ()
    modules: Mapping[str, str] = MappingProxyType({})
    first: tuple[str, ...] = ()


FACE = "_face"
_DOORS = ("transformers", "outlines", "vllm", "trl")
_KERNELS = ("bitmask", "token_masks", "laws", "draw", "sampling", "prefix_attention")
PAGES = (
    Subject("models", "Models", "models.md", ("state.model", "loading"), {}, ("load",)),
    Subject("generators", "Generators", "generators.md", ("generate.generator",), {"oc.generate": "generate"}),
    Subject("types", "Output types", "generators.md", (), {"oc.types": "generate.output_types"}),
    Subject("samplers", "Samplers", "generators.md", (), {"oc.samplers": "decode.samplers"}),
    Subject("steps", "Steps and chains", "search.md", ("generate",), {}, ("continuous", "Step")),
    Subject("states", "States", "algebra.md", ("state", "storage"), {"oc.storage": "storage"}, ("SequenceState",)),
    Subject("scores", "Scores of texts", "search.md", ("scores", "pictures"), {"oc.scores": "scores"}, ("score",)),
    Subject("store", "Keys and values on disk", "store.md", (), {"oc.store": "store"}),
    Subject("map", "Many prompts", "scale.md", ("jobs",)),
    Subject("batches", "Batches", "batches.md", ("batches",)),
    Subject("errors", "Errors", "generators.md", ("errors",), {"oc.errors": "errors"}),
    Subject("steering", "Hooks and controllers", "stepping.md", (), {"oc.steer": "steer"}),
    Subject("stepping", "Stepping", "stepping.md", (), {"oc.stepping": "stepping", "stream": "decode.stream"}),
    Subject("filters", "Filters", "generators.md", (), {"oc.filters": "filters"}),
    Subject("drafts", "Drafts", "drafts.md", (), {"oc.drafts": "drafts"}),
    Subject("grafts", "Grafts", "grafts.md", (), {"oc.grafts": "grafts"}),
    Subject("train", "Learning", "learning.md", (), {"oc.train": "train"}),
    Subject("search", "Searches", "tree_search.md", (), {"oc.search": "search"}),
    Subject(
        "integrations",
        "In other people's loops",
        "integrations.md",
        ("integrations",),
        {name: f"integrations.{name}" for name in _DOORS},
    ),
    Subject("guides", "Guides", "constraints.md", ("fsm",), {"guide": "fsm.guide", "vocabulary": "fsm.vocabulary"}),
    Subject("kernels", "Kernels", "rooms/kernels.md", ("kernels",), {name: f"kernels.{name}" for name in _KERNELS}),
)


@cache
def exported() -> dict[str, str]:
    """The home, below `outlines_cont`, of each name that it exports. Read from its source: nothing is imported."""
    tree = ast.parse((ROOT / "outlines_cont" / "__init__.py").read_text(encoding="utf-8"))
    assigned = (node for node in tree.body if isinstance(node, ast.Assign))
    homes = next(ast.literal_eval(node.value) for node in assigned if _assigned(node) == "_HOMES")
    return {name: home for home, names in homes.items() for name in names}


def _assigned(node: ast.Assign | ast.AugAssign) -> str | None:
    """The name that a statement sets, or adds to, if it is one."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return target.id if isinstance(target, ast.Name) else None


def members(module: str) -> list[str]:
    """What a module exports: its `__all__`, or the public functions and classes that it defines, in their order."""
    path = ROOT.joinpath("outlines_cont", *module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    lists = [node for node in body if isinstance(node, (ast.Assign, ast.AugAssign)) and _assigned(node) == "__all__"]
    if lists:
        names = [name for node in lists for name in ast.literal_eval(node.value)]
        return sorted(names, key=lambda name: (name[0].isupper(), name))
    defined = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return [name for name in dict.fromkeys(defined) if not name.startswith("_")]


def _path(module: str, name: str) -> str:
    """Where griffe has a name that a module exports. Of a package, a submodule of that name hides it: then it is the
    submodule's own, or in the copy of the package's face that `lay_out` makes."""
    hiding = ROOT.joinpath("outlines_cont", *module.split("."), f"{name}.py")
    if not hiding.is_file():
        return f"outlines_cont.{module}.{name}"
    return f"outlines_cont.{module}.{name if name in members(f'{module}.{name}') else FACE}.{name}"


def subject_of(home: str) -> Subject:
    """The page of a module's names."""
    fits = [(len(start), page) for page in PAGES for start in page.homes if f"{home}.".startswith(f"{start}.")]
    if not fits:
        raise LookupError(f"tools/website/api.py: no page of PAGES has the home {home!r}")
    return max(fits, key=lambda fit: fit[0])[1]


def shown(page: Subject) -> dict[str, str]:
    """What a page shows: the name that users write, and the path of the object."""
    names = {name: home for name, home in exported().items() if subject_of(home) is page}
    order = sorted(names, key=lambda name: (name not in page.first, names[name], name.lower()))
    return {f"oc.{name}": _path(names[name], name) for name in order} | _of_modules(page)


@cache
def all_shown() -> dict[str, str]:
    """The same of all pages."""
    return {name: path for page in PAGES for name, path in shown(page).items()}


def _of_modules(page: Subject) -> dict[str, str]:
    """The same of its modules."""
    names = {}
    for name, module in page.modules.items():
        for member in members(module):
            if not exported().get(member, "").startswith(f"{module}."):  # as `Generator`
                names[f"{name}.{member}"] = _path(module, member)
    return names


def _entry(path: str, name: str, level: int = 2) -> str:
    """What mkdocstrings makes a section of."""
    return f"\n::: {path}\n    options:\n      heading: {name}\n      toc_label: {name}\n      heading_level: {level}\n"


def pages() -> dict[str, str]:
    """The pages, as Markdown for mkdocstrings, by their paths in the site."""
    made = {}
    for page in PAGES:
        heading, *_ = (ROOT / "docs" / page.text).read_text(encoding="utf-8").splitlines()
        text = f"# {page.title}\n\nExplained in [{heading.removeprefix('# ')}](../docs/{page.text}).\n"
        names = shown(page)
        text += "".join(_entry(path, name) for name, path in names.items() if name not in _of_modules(page))
        for name, module in page.modules.items():
            text += "" if name.startswith("oc.") else f"\n## outlines_cont.{module}\n"
            text += f"\n::: outlines_cont.{module}\n    options:\n      members: false\n"
            text += "      show_root_heading: false\n      show_root_toc_entry: false\n"
            text += "".join(_entry(names[member], member, 3) for member in names if member.startswith(f"{name}."))
        made[f"api/{page.path}.md"] = text
    return made


def navigation() -> Nav:
    """The part of the navigation that leads to them."""
    return [{page.title: f"api/{page.path}.md"} for page in PAGES]


def lay_out(folder: Path) -> None:
    """A copy of the package as it is installed: griffe wants an `__init__.py` in `fsm` and in `kernels`."""
    shutil.rmtree(folder, ignore_errors=True)
    only_python = shutil.ignore_patterns("__pycache__", "*.safetensors", "*.ll", "*.json", "fsm", "kernels")
    shutil.copytree(ROOT / "outlines_cont", folder / "outlines_cont", ignore=only_python)
    for name in ("fsm", "kernels"):
        shutil.copytree(ROOT / name, folder / "outlines_cont" / name, ignore=only_python)
        (folder / "outlines_cont" / name / "__init__.py").touch()
    for face in (folder / "outlines_cont").rglob("__init__.py"):
        shutil.copy(face, face.with_stem(FACE))
