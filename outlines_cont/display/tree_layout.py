"""Where the labels of trees stand: trees grow to the right, and a picture is as wide as a page of a notebook.

What does not fit is tried in this order: a narrower gap between branches; less of the given text; branches of several
lines. Generated text is never left out for want of room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from math import inf

from outlines_cont.display.tree_labels import CHARACTER_WIDTH, LONGEST_NAME, StemText, TreeLabel, cells, labels
from outlines_cont.display.tree_shape import Stem

# Pixels.
PAGE, MARGIN = 720.0, 10.0  # the width of a picture, and what is left free on each side
ASCENT, DESCENT, NAME_HEIGHT = 14.0, 12.0, 11.0  # of a line, above and below its base; of the names above it
BETWEEN, NAME_GAP, WORDS_GAP = 9.0, 5.0, 8.0  # between branches; between names; before the number of a row
WIDE_GAP, NARROW_GAP, SMALLEST_GAP, LEAST_GAP = 44.0, 26.0, 14.0, 9.0  # in which edges are drawn

# Characters.
GIVEN = (inf, 60, 40, 32, 26, 20, 16, 12, 8, 5, 0)  # how many of given text are shown, from the roomiest picture on
ROOTS, ROOT_LINES = (16, 9), 3  # the least width of what all rows share, and how many lines of given text it has
#: With branches of several lines: given text, names, how narrow a branch may get at which rows end, and the gap.
CRAMPED = ((10, 18, 40, NARROW_GAP), (0, 18, 24, NARROW_GAP), (0, 10, 14, SMALLEST_GAP), (0, 4, 8, LEAST_GAP))
NARROWEST = 8


@dataclass(slots=True, eq=False)
class TreeLine:
    """Labels side by side, each with its place from the beginning of the line.

    Attributes:
        labels: the labels.
        x: where each begins.
        width: how far they and the names above them reach.
        end: how far the row's own text reaches.
        named: whether there are names above them.
        base: the height of the letters' base, from the top of the picture.
    """

    labels: list[TreeLabel]
    x: list[float]
    width: float
    end: float
    named: bool
    base: float = 0.0

    @property
    def height(self) -> float:
        return ASCENT + DESCENT + NAME_HEIGHT * self.named


@dataclass(slots=True, eq=False)
class PlacedStem:
    """A stem with its lines, where it begins, and how much room it and all that goes on from it take."""

    stem: Stem
    lines: list[TreeLine]
    branches: list[PlacedStem]
    x: float
    right: float
    height: float = 0.0
    all_height: float = 0.0

    @property
    def width(self) -> float:
        return max((line.width for line in self.lines), default=0.0)

    @property
    def entry(self) -> float:
        """Where an edge that leads here arrives: a height."""
        return self.lines[0].base - 4

    @property
    def exit(self) -> tuple[float, float]:
        """Where the edges that go on from here begin."""
        line = next((line for line in reversed(self.lines) if line.end), self.lines[0])
        return self.x + line.end, line.base - 4

    def every(self) -> Iterator[PlacedStem]:
        yield self
        for below in self.branches:
            yield from below.every()


def layout(roots: list[StemText], tokens: int | None) -> tuple[list[PlacedStem], float, float]:
    """The trees below one another, with their width and height. `tokens`: no other text is left out, if it is given."""
    placed = _placed(roots, tokens)
    y = MARGIN
    for root in placed:
        _measure(root)
        _settle(root, y)
        y += root.all_height + BETWEEN
    return placed, max((root.right for root in placed), default=MARGIN) + MARGIN, y


# --- across


def _placed(roots: list[StemText], tokens: int | None) -> list[PlacedStem]:
    texts = _texts(roots, inf)
    for placed in _in_one_line_each(roots, texts, tokens is not None):
        if _fits(placed):
            return placed
    for most, longest_name, narrowest, gap in CRAMPED:
        texts = _texts(roots, inf if tokens is not None else most, longest_name)
        if tokens is None:
            texts |= {id(root): labels(root, ROOT_LINES * ROOTS[0]) for root in roots if root.branches}
        if placed := _wrapped(roots, texts, gap, narrowest * CHARACTER_WIDTH):
            return placed
    _, _, narrowest, gap = CRAMPED[-1]
    limits = NARROWEST * CHARACTER_WIDTH, narrowest * CHARACTER_WIDTH
    return [_across(root, texts, MARGIN, gap, *limits) for root in roots]


def _in_one_line_each(
    roots: list[StemText], texts: dict[int, list[TreeLabel]], asked: bool
) -> Iterator[list[PlacedStem]]:
    """The trees whose branches take one line each, from the roomiest on. `asked`: all their labels are shown."""
    for gap in (WIDE_GAP, NARROW_GAP):
        yield [_across(root, texts, MARGIN, gap, inf, inf) for root in roots]
    for least in ROOTS:
        for most in (inf,) if asked else GIVEN:
            texts = _texts(roots, most)
            for gap in (WIDE_GAP, NARROW_GAP):
                yield [_beside_root(root, texts, gap, least, asked) for root in roots]


def _fits(placed: list[PlacedStem]) -> bool:
    return all(root.right <= PAGE - MARGIN for root in placed)


def _beside_root(root: StemText, texts: dict[int, list[TreeLabel]], gap: float, least: int, asked: bool) -> PlacedStem:
    """A tree whose branches take one line each. What all rows share takes a few, of all the width that is left, but so
    many characters at least."""
    if not root.branches:
        return _across(root, texts, MARGIN, gap, inf, inf)
    placed = _across(root, {**texts, id(root): []}, MARGIN, gap, inf, inf)
    room = max(least * CHARACTER_WIDTH, PAGE - MARGIN - placed.right)
    shared = texts[id(root)] if asked else labels(root, ROOT_LINES * int(room / CHARACTER_WIDTH - 2))
    return _across(root, {**texts, id(root): shared}, MARGIN, gap, inf, inf, room)


def _wrapped(
    roots: list[StemText], texts: dict[int, list[TreeLabel]], gap: float, narrowest: float
) -> list[PlacedStem] | None:
    """The trees with inner branches of the widest lines with which all fits; None if nothing fits."""
    best, low, high = None, NARROWEST, int(PAGE / CHARACTER_WIDTH)
    while low <= high:
        middle = (low + high) // 2
        placed = [_across(root, texts, MARGIN, gap, middle * CHARACTER_WIDTH, narrowest) for root in roots]
        if _fits(placed):
            best, low = placed, middle + 1
        else:
            high = middle - 1
    return best


def _texts(roots: list[StemText], most: float, longest_name: int = LONGEST_NAME) -> dict[int, list[TreeLabel]]:
    """The labels of every branch, by its id."""
    texts: dict[int, list[TreeLabel]] = {}
    todo = list(roots)
    while todo:
        branch = todo.pop()
        texts[id(branch)] = labels(branch, most, longest_name)
        todo += branch.branches
    return texts


def _across(
    branch: StemText,
    texts: dict[int, list[TreeLabel]],
    x: float,
    gap: float,
    limit: float,
    narrowest: float,
    room: float | None = None,
) -> PlacedStem:
    """A branch that begins at x, and all below it.

    Args:
        limit: how wide the lines of branches may be that others go on from.
        narrowest: how wide those of the others may be at least. They take all room that there is.
        room: how wide the lines of this one may be, if that is another width.
    """
    if room is None:
        room = limit if branch.branches else max(narrowest, PAGE - MARGIN - x)
    lines = _even_lines(texts[id(branch)], room) if branch.branches else _lines(texts[id(branch)], room)
    placed = PlacedStem(branch.stem, lines, [], x, x)
    right = x + placed.width
    placed.branches = [_across(below, texts, right + gap, gap, limit, narrowest) for below in branch.branches]
    placed.right = max([right, *(below.right for below in placed.branches)])
    return placed


def _even_lines(text: list[TreeLabel], room: float) -> list[TreeLine]:
    """Labels in as few lines as can be, and these about equally long."""
    lines = _lines(text, room)
    low, high = 1, int(min(room, PAGE) / CHARACTER_WIDTH)
    while len(lines) > 1 and low < high:
        narrower = _lines(text, (middle := (low + high) // 2) * CHARACTER_WIDTH)
        if len(narrower) <= len(lines):
            lines, high = narrower, middle
        else:
            low = middle + 1
    return lines


def _lines(line: list[TreeLabel], room: float) -> list[TreeLine]:
    """Labels in lines that are so wide at most, unless a label is wider."""
    lines: list[TreeLine] = []
    text = [part for label in line for part in _parts(label, room)]
    while text:
        count = _count(text, room)
        lines.append(_line(text[:count]))
        text = text[count:]
    return lines or [_line([])]


def _count(text: list[TreeLabel], room: float) -> int:
    """How many labels stand in a line: it ends after a word, if one ends in its second half."""
    count = sum(1 for _ in takewhile(lambda place: place[1] <= room, _places(text))) or 1
    if count == len(text):
        return count
    if count > 1 and _is_sign(text[count]):
        count -= 1
    ends = (at for at in range(count, count // 2, -1) if _word_begins(text[at - 1], text[at]))
    return next(ends, count)


def _is_sign(label: TreeLabel) -> bool:
    """Whether it is a stop or a cut, which stands in the line of what it ends."""
    return label.mark is None and not label.left_out and not label.words


def _word_begins(before: TreeLabel, after: TreeLabel) -> bool:
    if _is_sign(after):
        return False
    data = after.mark.data if after.mark else b" "
    return data[:1].isspace() or (before.mark is not None and before.mark.data[-1:].isspace()) or bool(after.name)


def _parts(label: TreeLabel, room: float) -> Iterator[TreeLabel]:
    """A label, in several parts if it is wider than a line."""
    if label.width <= room or not label.mark:
        yield label
        return
    part, name = "", label.name
    for character in label.text:
        if part and cells(part + character) * CHARACTER_WIDTH > room:
            yield TreeLabel(part, cells(part) * CHARACTER_WIDTH, label.mark, name=name)
            part, name = "", ""
        part += character
    yield TreeLabel(part, cells(part) * CHARACTER_WIDTH, label.mark, name=name)


def _line(line: list[TreeLabel]) -> TreeLine:
    """Labels side by side."""
    places = list(_places(line))
    end = max((x + label.width for label, (x, _) in zip(line, places, strict=True) if not label.words), default=0.0)
    return TreeLine(
        line, [x for x, _ in places], places[-1][1] if places else 0.0, end, any(part.name for part in line)
    )


def _places(line: list[TreeLabel]) -> Iterator[tuple[float, float]]:
    """Where each label of a line begins, and how far all up to it reach, with the names above them.

    A name that would run into the next one moves that to the right.
    """
    x = names = 0.0
    for label in line:
        if label.name:
            x = max(x, names + NAME_GAP if names else 0.0)
            names = x + label.name_width
        begin = x + WORDS_GAP * label.words
        x = begin + label.width
        yield begin, max(x, names)


# --- down


def _measure(placed: PlacedStem) -> None:
    """Set the heights of a stem and of all that goes on from it."""
    for below in placed.branches:
        _measure(below)
    placed.height = sum(line.height for line in placed.lines)
    beside = sum(below.all_height for below in placed.branches) + BETWEEN * max(0, len(placed.branches) - 1)
    placed.all_height = max(placed.height, beside)


def _settle(placed: PlacedStem, top: float) -> None:
    """Set the bases of all lines, of trees that begin at a height: a stem stands in the middle of where it goes on."""
    if not placed.branches:
        _set_bases(placed, top)
        return
    beside = sum(below.all_height for below in placed.branches) + BETWEEN * (len(placed.branches) - 1)
    y = top + (placed.all_height - beside) / 2
    for below in placed.branches:
        _settle(below, y)
        y += below.all_height + BETWEEN
    middle = (placed.branches[0].entry + placed.branches[-1].entry) / 2
    _set_bases(placed, top)
    shift = middle - placed.exit[1]
    _set_bases(placed, top + min(max(0.0, shift), placed.all_height - placed.height))


def _set_bases(placed: PlacedStem, top: float) -> None:
    for line in placed.lines:
        line.base = top + line.height - DESCENT
        top += line.height
