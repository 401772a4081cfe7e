"""Texts longer than a model's context: the windows in which their tokens are scored."""

from __future__ import annotations

from typing import Any, NamedTuple

from outlines_cont.arguments import shown, whole_number

Ids = tuple[int, ...]


class TextWindow(NamedTuple):
    """Tokens that are scored, and maybe the stop after them, and the tokens before them that the model reads."""

    context: Ids
    ids: Ids
    stop: bool

    @property
    def count(self) -> int:
        """How many log-probabilities it gives."""
        return len(self.ids) + self.stop


def checked_windows(windows: Any, context_length: int | None) -> int | None:
    """How many tokens each further window scores, or None. ValueError if that is not from 1 to the context's length."""
    if windows is None:
        return None
    right = "how many tokens each further window scores, an int from 1 to the model's context length, or None"
    windows = whole_number(windows, "windows", right)
    if windows < 1 or (context_length is not None and windows > context_length):
        raise ValueError(f"windows={shown(windows)}: it must be {right} (here {context_length})")
    return windows


def text_windows(context: Ids, ids: Ids, stop: bool, length: int | None, step: int | None) -> list[TextWindow]:
    """The windows of a text after a context: the whole, where it fits, or where there is no step.

    The first one reads from the beginning and scores what it has room for. Each further one scores `step` tokens more,
    the last one what is left, and reads as many tokens before them as it has room for. The last token that is scored
    is not read, so a window has `length` tokens and one more.

    >>> from outlines_cont.generate.score_windows import text_windows
    >>> [window[:2] for window in text_windows((0, 1), (2, 3, 4, 5, 6), False, length=3, step=2)]
    [((0, 1), (2, 3)), ((2, 3), (4, 5)), ((3, 4, 5), (6,))]
    """
    count = len(ids) + stop
    if length is None or step is None or len(context) + count - 1 <= length:
        return [TextWindow(context, ids, stop)]
    tokens = context + ids
    windows = []
    begin, end = 0, max(length + 1 - len(context), 0)
    if not end:  # the context alone is longer
        end = step
    while begin < count:
        end = min(end, count)
        first = max(len(context) + end - 1 - length, 0)
        windows.append(TextWindow(tokens[first : len(context) + begin], ids[begin:end], end > len(ids)))
        begin, end = end, end + step
    return windows
