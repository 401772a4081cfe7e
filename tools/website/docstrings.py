"""Docstrings as the site shows them: examples as blocks of code, and arguments that are told about in running text."""
# pyright: reportMissingImports=false
# (griffe comes with the extra `docs`)

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tools.website import api  # hooks.py has imported it

if TYPE_CHECKING:
    import griffe

    Extension = griffe.Extension
else:
    try:
        from griffe import Extension
    except ImportError:  # the tests ask what becomes of a docstring, without it
        Extension = object

NOTHING_SHOWN: Mapping[str, str] = MappingProxyType({})
# A page that a docstring names, outside of backquotes.
PAGE = re.compile(r"(?<![`\w/])docs/(\w+)\.md\b")
# A name of ours in backquotes, as it is or called.
NAME = re.compile(r"`(oc(?:\.\w+)+)(\([^`\n]*\))?`")
TOLD = re.compile(r"^(\w+): (\S.*(?:\n +\S.*)*)", re.M)


def as_markdown(docstring: str, arguments: Collection[str] = (), shown: Mapping[str, str] = NOTHING_SHOWN) -> str:
    """The docstring as griffe and Markdown read it rightly.

    `>>>` would be a quotation there, and `name: text` with a line that is indented below it a box of its own. Names of
    pages become links, and so do names that the reference shows, by their paths there.

    >>> as_markdown("See `oc.load()`, `oc.loads`, and docs/models.md.", (), {"oc.load": "outlines_cont.load"})
    'See [`oc.load()`][outlines_cont.load], `oc.loads`, and [docs/models.md](../docs/models.md).'

    >>> as_markdown("Adds.\\n\\nn: a number, or\\n    a list of them.\\n\\n>>> 1 + 1\\n2", ["n"]).split("\\n\\n")
    ['Adds.', '`n`: a number, or\\na list of them.', '```pycon\\n>>> 1 + 1\\n2\\n```']
    """

    def told(match: re.Match[str]) -> str:
        name = f"`{match[1]}`" if match[1] in arguments else match[1]
        return f"{name}: " + re.sub(r"\n +", "\n", match[2])

    def linked(match: re.Match[str]) -> str:
        return f"[{match[0]}][{shown[match[1]]}]" if match[1] in shown else match[0]

    paragraphs = re.split(r"\n\s*\n", docstring)
    for number, paragraph in enumerate(paragraphs):
        indent = re.match(r" *", paragraph)[0]  # pyright: ignore[reportOptionalSubscript]
        if paragraph.startswith(f"{indent}>>> "):
            paragraphs[number] = f"{indent}```pycon\n{paragraph}\n{indent}```"
        else:
            paragraph = PAGE.sub(r"[docs/\1.md](../docs/\1.md)", TOLD.sub(told, paragraph))
            paragraphs[number] = NAME.sub(linked, paragraph)
    return "\n\n".join(paragraphs)


class Docstrings(Extension):
    """Reads every docstring by `as_markdown`."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring:
            arguments = [parameter.name for parameter in obj.parameters] if obj.is_function else list(obj.members)
            obj.docstring.value = as_markdown(obj.docstring.value, arguments, api.all_shown())

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """`Model` has the docstrings of the members that it hands on, as it has them when it is imported."""
        slots = pkg["engines.slot_model.SlotModel"].all_members
        for name, member in pkg["state.model.Model"].members.items():
            if not member.docstring and name in slots and not name.startswith("_"):
                member.docstring = slots[name].docstring
