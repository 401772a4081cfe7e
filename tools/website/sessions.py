"""What is copied of an interactive session: its code, without prompts and results."""

from __future__ import annotations

import html
import re

BLOCK = re.compile(r'<div class="language-pycon highlight">(.*?)</div>', re.S)


def code_of(session: str) -> str:
    """The code of a session.

    >>> code_of(">>> for n in (1, 2):\\n...     print(n)\\n1\\n2\\n>>> n + 1\\n3\\n")
    'for n in (1, 2):\\n    print(n)\\nn + 1'
    """
    lines: list[str] = []
    in_code = False
    for line in session.splitlines():
        in_code = line.startswith(">>>") or (in_code and line.startswith("..."))
        if in_code:
            lines.append(line[4:])
    return "\n".join(lines)


def copied_as_code(page: str) -> str:
    """The HTML of a page, whose sessions say in `data-copy` what the button copies."""

    def said_to_copy(block: re.Match[str]) -> str:
        code = html.escape(code_of(html.unescape(re.sub(r"<[^>]*>", "", block[1]))))
        return f'<div class="language-pycon highlight" data-copy="{code}">{block[1]}</div>'

    return BLOCK.sub(said_to_copy, page)
