"""The samples of a state as a tree: what they share drawn once, in the signs of the rows view, as wide as a page.

Where there is little room, branches take several lines, and given text is left out first: its beginning, since its end
says most. Generated text is left out only of spans that are longer than `LONGEST`, and only their middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import exp, inf, isnan
from typing import NamedTuple

from outlines_cont.pictures.blocks import BASE, HIGH, Glyph, across, broken, drawn_line, even_share, glyphs
from outlines_cont.pictures.marks import live, marks, number, outcome, whole
from outlines_cont.pictures.markup import SKY, cut, end_of, read_markup, readable
from outlines_cont.pictures.picture import Picture
from outlines_cont.pictures.protocol import DrawnRow, DrawnState
from outlines_cont.pictures.rows import FEW_TOKENS, note, signs_of, token
from outlines_cont.pictures.style import framed
from outlines_cont.pictures.svg import FONT, MARGIN, PLAIN, WIDE, document, line, route, titled
from outlines_cont.pictures.text import row_key, weighings
from outlines_cont.prefixes import common_length

PAGE, LETTER = 720.0, WIDE * FONT  # pixels: the widths of a picture, and of a letter: one space may hang over a line
BETWEEN = 6.0  # pixels: between branches
WIDEST_EDGE, THINNEST_EDGE = 11.0, 1.2
LONGEST = 80  # tokens that are shown of a generated span
READ_BACK = 100  # tokens of given text that may be shown where all fits into the picture
TITLE_CHARACTERS, LONGEST_WORDS = 600, 60
MOST_ROWS = 200
MOST_LINES = 3  # of given text, in a branch that others go on from; one at the ends


class TreeRoom(NamedTuple):
    """How much is shown where there is so much room: characters of what all rows share, of any other given text, and of
    names; the least width of branches at which rows end, in characters; and the width of edges, in pixels."""

    root: float
    given: float
    names: int
    narrowest: int
    gap: float


ROOMS = [TreeRoom(given, given, 18, 46, 44) for given in (inf, 120)]
ROOMS += [TreeRoom(max(given, 32), given, 18, 46, 26) for given in (60, 40, 26, 16, 8, 0)]
ROOMS += [TreeRoom(32, 0, 18, 24, 26), TreeRoom(8, 0, 10, 12, 14), TreeRoom(0, 0, 4, 8, 9)]


def sample_tree(state: DrawnState, rows: int, tokens: int | None) -> Picture:
    """See `SequenceState.tree`."""
    roots = forest(state, rows)
    texts = {id(stem): _Text(state, stem, tokens) for root in roots for stem in root.every()}
    placed, room = _placed(roots, texts, tokens)
    parts, y = [], MARGIN
    for root in placed:
        root.settle(y)
        parts += root.drawn()
        y += root.height + BETWEEN
    below = [f"{text} (percentages: by probability)" for text in weighings(state, [root.first.b for root in roots])]
    if (more := len(state) - rows) > 0:
        below.insert(0, f"… and {more:,} more row{'s' * (more > 1)}: state.tree(rows={min(len(state), MOST_ROWS)})")
    signs = "".join(text.html(room) for text in texts.values())
    edges = [root for root in roots if root.branches]
    signs += f'<b class="edge{" alike" * (not all(root.weights_known for root in edges))}"></b>' * bool(edges)
    width = max([PAGE, *(root.right + MARGIN - LETTER for root in placed)])
    told = "".join(f'<div class="o">{text}</div>' for text in below)
    return Picture(framed(document(width, y, parts, "samples as a tree") + told, signs))


# ------------------------------------------------------------------------------------------------------ what is shared


@dataclass(frozen=True, slots=True, eq=False)
class TreeRow:
    """A row, its place, and how many of its tokens have their keys and values in the tree."""

    b: int
    s: int
    row: DrawnRow
    kept: int


@dataclass(slots=True, eq=False)
class Stem:
    """Tokens that some rows share, with the stems that go on from there.

    Attributes:
        first: of the rows that share the tokens the one with the most generated ones.
        begin: where the tokens begin in these rows.
        end: where they end.
        leaves: the rows that end here: then no stem goes on.
        rows: how many rows share the tokens.
        branches: the stems that go on.
        drawn: the positions of those tokens that were generated in any of the rows.
        mass: the share of these rows in the probability of all rows of the tree.
        weights_known: whether the weights of all rows of the tree are known.
    """

    first: TreeRow
    begin: int
    end: int
    leaves: list[TreeRow]
    rows: int
    branches: list[Stem] = field(default_factory=list)
    drawn: frozenset[int] = frozenset()
    mass: float = 1.0
    weights_known: bool = True

    def every(self) -> Iterator[Stem]:
        """This stem, and all below it; each before those that go on from it."""
        yield self
        for below in self.branches:
            yield from below.every()


def forest(state: DrawnState, rows: int) -> list[Stem]:
    """A tree for each batch row, of the first so many live rows of the state."""
    shown = live(state)[:rows]
    kept = state.model.kv_lengths(row for _, _, row in shown)
    leaves = [TreeRow(*place, count) for place, count in zip(shown, kept, strict=True)]
    roots = [_tree(list(group), 0) for _, group in groupby(leaves, key=lambda leaf: leaf.b)]
    for root in roots:
        _weigh(root)
    return roots


def _tree(leaves: list[TreeRow], begin: int) -> Stem:
    """The tree of rows that agree before `begin`: what they have in common from there on, and then how each goes on."""
    every = [leaf.row.ids for leaf in leaves]
    end = common_length(min(every), max(every))  # all rows share what these do
    most_generated = max(leaves, key=lambda leaf: leaf.row.generated)  # tokens given to one row may be drawn in another
    further: dict[int, list[TreeRow]] = {}
    for leaf in leaves:
        if len(leaf.row) > end:
            further.setdefault(leaf.row.ids[end], []).append(leaf)
    ended = [leaf for leaf in leaves if len(leaf.row) == end]
    branches = [_tree(group, end) for group in further.values()]
    if ended and branches:  # rows that end where others go on have a branch of their own
        branches.insert(0, Stem(ended[0], end, end, ended, len(ended)))
        ended = []
    drawn = frozenset(at for leaf in leaves for at in _drawn(leaf.row, begin, end))
    return Stem(most_generated, begin, end, ended, len(leaves), branches, drawn)


def _drawn(row: DrawnRow, begin: int, end: int) -> Iterator[int]:
    """Which of the tokens begin … end − 1 were generated."""
    for start, stop, piece in row.placed:
        if piece.kind == "generated":
            yield from range(max(start, begin), min(stop, end))


def _weigh(root: Stem) -> None:
    """Set the share of each stem in the probability of the rows of its tree.

    Rows of equal tokens count once. Where a weight is not known, or nothing was generated, all count alike.
    """
    order = list(root.every())
    weights = {id(stem): stem.leaves[0].row.weight for stem in order if stem.leaves}
    all_known = root.first.row.generated > 0 and not any(isnan(each) or each == inf for each in weights.values())
    top = max((weight for weight in weights.values() if weight > -inf), default=0.0)
    for stem in reversed(order):
        weight = weights.get(id(stem))
        mass = 0.0 if weight is None else exp(weight - top) if all_known else 1.0
        stem.mass = mass + sum(below.mass for below in stem.branches)
    total = root.mass or 1.0
    for stem in order:
        stem.mass, stem.weights_known = stem.mass / total, all_known


# ------------------------------------------------------------------------------------------------------ what is said


class _Text:
    """The markup of a stem, as rows have it: with as much of its given text as there is room for.

    Attributes:
        stretches: its tokens begin … end − 1, by where they come from, and whether they were given.
        ends: where tokens that are never shown begin, and where they end.
        marks: every token that may be shown, by its position.
    """

    def __init__(self, state: DrawnState, stem: Stem, tokens: int | None):
        self.stem, self.vocabulary = stem, state.model.vocabulary.tokens
        self.stretches = list(self._stretches())
        self.ends = dict(self._beyond(tokens))
        never = {at for begin, end in self.ends.items() for at in range(begin, end)}
        if tokens is None:
            never |= {at for begin, end, given in self.stretches if given for at in range(begin, end - READ_BACK)}
        places = [at for at in range(stem.begin, stem.end) if at not in never]
        each = marks(state.model, stem.first.row, stem.first.kept, places)
        self.marks = {mark.position: mark for mark in each}

    def _stretches(self) -> Iterator[tuple[int, int, bool]]:
        """Its tokens, by where they come from. Given texts side by side are one."""
        stem = self.stem
        spans = [(start, end) for start, end, piece in stem.first.row.shown if piece.kind == "generated"]
        begins = {at for span in spans for at in span}
        keys = [(sum(begin <= at for begin in begins), at not in stem.drawn) for at in range(stem.begin, stem.end)]
        at = stem.begin
        for (_, given), members in groupby(keys):
            end = at + len(list(members))
            yield at, end, given
            at = end

    def _beyond(self, tokens: int | None) -> Iterator[tuple[int, int]]:
        """The tokens that are left out wherever there is room: of very long generated spans the middle, and all but the
        last ones of given text, if so many are asked for."""
        most = LONGEST if tokens is None else tokens
        for begin, end, given in self.stretches:
            if end - begin >= most + FEW_TOKENS and not (given and tokens is None):
                tail = most if given else most // 2
                yield begin + most - tail, end - tail

    def glyphs(self, room: TreeRoom) -> list[Glyph]:
        """The markup as characters. The end of a line is none here."""
        every = glyphs(read_markup(self.html(room)), PLAIN)
        return [replace(glyph, ends="may") if glyph.ends else glyph for glyph in every]

    def html(self, room: TreeRoom) -> str:
        """The markup, with as much of each given text as there is room for."""
        of_all = not self.stem.begin and self.stem.branches
        ends = self.ends | dict(self._given_beyond(room.root if of_all else room.given))
        signs = signs_of(self.stem.first.row, names=room.names)
        hidden = {at for begin, end in ends.items() for at in range(begin, end)}
        shown = (mark for at, mark in self.marks.items() if at not in hidden)
        written = {mark.position: token(mark) for mark in whole(shown, signs)}
        parts, at = [], self.stem.begin
        while at < self.stem.end:
            parts += signs.get(at, ())
            parts.append(written.get(at, "") if at not in ends else self._left_out(at, ends[at]))
            at = ends.get(at, at + 1)
        return "".join([*parts, *self._ends()])

    def _given_beyond(self, most: float) -> Iterator[tuple[int, int]]:
        """Of each given text its beginning, if more than so many characters of it would be shown."""
        tokens, ids = self.vocabulary, self.stem.first.row.ids
        for begin, end, given in self.stretches:
            if not given or begin in self.ends:
                continue
            first, room = end, most
            while first > begin and first - 1 in self.marks:
                room -= len(readable(tokens[ids[first - 1]]))
                if room < 0:
                    break
                first -= 1
            if first - begin >= FEW_TOKENS or (first > begin and first - 1 not in self.marks):
                yield begin, first

    def _left_out(self, begin: int, end: int) -> str:
        ids = self.stem.first.row.ids[begin:end]
        text = readable(b"".join(self.vocabulary[token] for token in ids[-TITLE_CHARACTERS:]))
        title = f"{end - begin} token{'s' * (end - begin > 1)} left out: '{end_of(text, TITLE_CHARACTERS)}'"
        return note(f"…{end - begin}…", title)

    def _ends(self) -> Iterator[str]:
        """How the rows that end here ended, and what they weigh."""
        leaves = self.stem.leaves
        signs = [signs_of(leaf.row).get(len(leaf.row), []) for leaf in leaves]
        looks = {"".join(sign[: sign.index(" title")] for sign in each) for each in signs}
        yield from signs[0] if len(looks) == 1 else ()
        title = "\n".join(f"{row_key(leaf.b, leaf.s)}: {outcome(leaf.row)}" for leaf in leaves)
        title += "\nthe weight is the sum of the log-probabilities of what was generated, in nats"
        text = self._weights()
        if text or (leaves and self.stem.begin == self.stem.end):
            yield note(text or "ends here", title)

    def _weights(self) -> str:
        counts = Counter(f"weight {number(leaf.row)}" for leaf in self.stem.leaves if leaf.row.generated)
        text = cut(", ".join(text + f" ×{count}" * (count > 1) for text, count in counts.items()), LONGEST_WORDS)
        shares = text and self.stem.weights_known and self.stem.begin  # else it is all of its tree
        return text + (f" · {_percentage(self.stem.mass)}" if shares else "")


def _percentage(share: float) -> str:
    if 0.001 <= share < 0.9995:
        return f"{100 * share:.3g}%"
    return "under 0.1%" if share < 0.5 else "over 99.9%"


# ---------------------------------------------------------------------------------------------------------- where it is


@dataclass(eq=False)
class PlacedStem:
    """A stem with its lines, where it begins, and how much room it and all that goes on from it take."""

    stem: Stem
    lines: list[list[Glyph]]
    x: float
    branches: list[PlacedStem]
    y: float = 0.0

    def __post_init__(self) -> None:
        self.width = max(map(across, self.lines), default=0.0)
        self.right = max([self.x + self.width, *(below.right for below in self.branches)])
        self.own_height = HIGH * len(self.lines)
        beside = sum(below.height for below in self.branches) + BETWEEN * max(0, len(self.branches) - 1)
        self.height = max(self.own_height, beside)
        self.beside = beside
        tokens = ((glyph, glyph.look.token) for line in self.lines for glyph in line)
        given = across(glyph for glyph, token in tokens if token is not None and token.classes[0] in ("p", "t"))
        self.brief = given <= self.width * (MOST_LINES if self.branches else 1) and all(b.brief for b in self.branches)

    @property
    def middle(self) -> float:
        """The height at which edges arrive and leave."""
        return self.y + self.own_height / 2

    def settle(self, top: float) -> None:
        """Set the heights of a tree that begins at this one: a stem stands in the middle of where it goes on."""
        y = top + (self.height - self.beside) / 2
        for below in self.branches:
            below.settle(y)
            y += below.height + BETWEEN
        middle = (self.branches[0].middle + self.branches[-1].middle) / 2 if self.branches else top + self.height / 2
        self.y = min(max(top, middle - self.own_height / 2), top + self.height - self.own_height)

    def drawn(self) -> Iterator[str]:
        """The SVG of it and of all that goes on from it."""
        for below in self.branches:
            yield self._edge(below)
        for i, each in enumerate(self.lines):
            yield from drawn_line(each, self.x, self.y + HIGH * (i + 1) - BASE)
        for below in self.branches:
            yield from below.drawn()

    def _edge(self, below: PlacedStem) -> str:
        stem = below.stem
        share = f"{100 * stem.mass:.3g}% of the probability of this tree, " if stem.weights_known else ""
        points = [(self.x + self.width + 2, self.middle), (below.x - 3, below.middle)]
        thick = max(THINNEST_EDGE, min(WIDEST_EDGE, (below.x - self.x - self.width) / 2) * stem.mass)
        return titled(f"{share}{stem.rows} of its rows", [line(route(points), thick, SKY, 0.85)])


def _placed(roots: Sequence[Stem], texts: dict[int, _Text], tokens: int | None) -> tuple[list[PlacedStem], TreeRoom]:
    """The trees where most is shown of those that fit the page. `tokens`: no other text is left out, if it is given."""
    placed, room = [], ROOMS[0]
    for room in ROOMS:
        if tokens is not None:
            room = room._replace(root=inf, given=inf)
        written = {stem: text.glyphs(room) for stem, text in texts.items()}
        limit = min((_limit(root, written, room, []) for root in roots), default=inf)
        placed = [_across(root, written, room, max(limit, LETTER), MARGIN) for root in roots]
        if all(root.right <= PAGE - MARGIN + LETTER and (tokens is not None or root.brief) for root in placed):
            break
    return placed, room


def _limit(stem: Stem, texts: dict[int, list[Glyph]], room: TreeRoom, above: list[float]) -> float:
    """How wide the lines of branches may be that others go on from, so that there is room for those at the ends."""
    width = across(texts[id(stem)])
    if not stem.branches:
        return even_share(above, PAGE - 2 * MARGIN - room.gap * len(above) - min(width, room.narrowest * LETTER))
    return min(_limit(below, texts, room, [*above, width]) for below in stem.branches)


def _across(stem: Stem, texts: dict[int, list[Glyph]], room: TreeRoom, limit: float, x: float) -> PlacedStem:
    """A stem that begins at x, and all below it. Those at which rows end take all room that there is."""
    most = limit if stem.branches else max(room.narrowest * LETTER, PAGE - MARGIN - x)
    text = list(broken(texts[id(stem)], most)) or [[]]
    right = x + max(map(across, text)) + room.gap
    return PlacedStem(stem, text, x, [_across(below, texts, room, limit, right) for below in stem.branches])
