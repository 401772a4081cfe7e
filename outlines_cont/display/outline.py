"""Rows of many tokens in little markup: where each comes from and how sure its draws were, without its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from outlines_cont.display.marks import Mark
from outlines_cont.fsm.draw.picture import characters

LIKELY, POSSIBLE = 0.8, 0.2  # as drawn
DRAWN = ("g", "f")  # the classes of tokens that were generated, and of those among them that were forced


def outlined(marks: Sequence[Mark], names: Callable[[Mark], str], character: Callable[[str], str]) -> Iterator[str]:
    """The markup of tokens that follow each other: one element for those that look alike.

    names: the classes of a token's element; character: a character as markup.
    """
    for _, group in groupby(marks, key=lambda mark: _alike(mark, names)):
        run = list(group)
        first, *others = names(run[0]).split()
        if first in DRAWN:
            first = f"{'g' if any(mark.source == 'generated' for mark in run) else 'f'} a"
        inner = "".join(_run(tag, each, character) for tag, each in groupby(run, key=_level))
        yield f'<span class="{" ".join([first, *others])}">{inner}</span>'


def _alike(mark: Mark, names: Callable[[Mark], str]) -> tuple[str, ...]:
    """Equal for tokens that stand in one element: what was generated and what was forced do."""
    first, *others = names(mark).split()
    return ("" if first in DRAWN else first, *others)


def _level(mark: Mark) -> str:
    """The element of a token within that of its span: none for what was given, and for what was hardly likely."""
    if mark.source == "forced":
        return "i"
    if mark.source != "generated" or mark.drawn < POSSIBLE:
        return ""
    return "b" if mark.drawn >= LIKELY else "u"


def _run(tag: str, run: Iterable[Mark], character: Callable[[str], str]) -> str:
    shown = ""
    for special, group in groupby(run, key=lambda mark: mark.special):
        text = characters(b"".join(mark.data for mark in group))
        written = "".join(_sparing(text, at, character) for at in range(len(text)))
        shown += f'<i class="e">{written}</i>' if special else written
    return f"<{tag}>{shown}</{tag}>" if tag else shown


def _sparing(text: str, at: int, character: Callable[[str], str]) -> str:
    """A character as markup; a space between two words is seen as it is."""
    alone = text[at] == " " and not text[max(at - 1, 0) : at + 2].replace(" ", "", 1).count(" ")
    return " " if alone and text[at - 1 : at] != "\n" else character(text[at])
