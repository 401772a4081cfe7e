"""Pages as MkDocs reads them: its Markdown differs here and there from that of code hosts."""

from __future__ import annotations

import re

ITEM = re.compile(r"([-*]|\d+\.) ")


def for_mkdocs(text: str) -> str:
    """A blank line before each list that has none, and sessions marked as such.

    >>> for_mkdocs("First:\\n- a\\n- b\\n\\n```python\\n>>> 1\\n1\\n```\\n")
    'First:\\n\\n- a\\n- b\\n\\n```pycon\\n>>> 1\\n1\\n```\\n'
    """
    text = re.sub(r"^( *```)python\n(?= *>>> )", r"\1pycon\n", text, flags=re.M)
    lines: list[str] = []
    in_code = in_list = False
    for line in text.split("\n"):
        in_code ^= line.lstrip().startswith("```")
        item = not in_code and ITEM.match(line) is not None
        if item and not in_list and lines and lines[-1].strip():
            lines.append("")
        in_list = item or (in_list and bool(line.strip()))
        lines.append(line)
    return "\n".join(lines)
