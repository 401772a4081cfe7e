"""Examples in docstrings: griffe takes `>>>` for a quotation in Markdown, so they become blocks of code first."""
# pyright: reportMissingImports=false, reportUntypedBaseClass=false
# (griffe comes with the extra `docs`)

from __future__ import annotations

import re
from typing import Any

import griffe

# A paragraph that begins with a prompt, up to the next blank line.
EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?! *$).*)*", re.M)


def fenced(docstring: str) -> str:
    """The docstring with its examples as blocks of code.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2\\n\\nMore.")
    'Adds.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nMore.'
    """
    return EXAMPLE.sub(lambda example: f"{example[1]}```pycon\n{example[0]}\n{example[1]}```", docstring)


class Examples(griffe.Extension):
    """Fences the examples of every docstring that griffe reads."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring and ">>> " in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)
