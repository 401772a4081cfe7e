"""The labels of a tree: which tokens of a branch are shown, and what stands between them.

Where there is little room, given text is left out first: its beginning, since its end says most. Generated text is left
out only of spans that are longer than `LONGEST`, and only their middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from unicodedata import east_asian_width

from outlines_cont.display.marks import FEW_TOKENS, Mark, marks, number, outcome, percent
from outlines_cont.display.protocol import DrawnRow
from outlines_cont.display.text import row_key
from outlines_cont.display.tree_shape import Stem, TreeRow
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.fsm.draw.picture import characters, readable, seen

CHARACTER_WIDTH = 7.83  # pixels, of a letter of text
NAME_LETTERS, WORD_LETTERS = 10.5, 12.0  # pixels: how high the letters of names and of other words are
LONGEST = 80  # tokens of generated text that are shown of a branch
SAVED = 4  # characters that are saved at least where given text is left out
LONGEST_NAME = 18  # characters
READ_BACK = 100  # tokens of given text that may be shown where all fits into the picture
TITLE_CHARACTERS = 600
ENDS_SHOWN = 2  # ways in which equal rows ended
WHITESPACE_SIGNS = {" ": "·", "\n": "⏎", "\t": "→"}
STOP, CUT = "■", "✂"
NARROW, WIDE = set("ijlftr.,:;'|!()[] ·…1"), set("mwMW%@■✂≈×−+⏎→")  # letters of a proportional font


@dataclass(frozen=True, slots=True, eq=False)
class TreeLabel:
    """One thing in a line of a tree.

    Attributes:
        text: what is written.
        width: how wide that is, in pixels.
        mark: of a token, everything else about it.
        title: what is told where the mouse rests, of anything else.
        name: of the step whose span begins here, perhaps shortened.
        full_name: that name.
        left_out: how many tokens it stands for.
        words: whether it is said of a row, and is no part of its text.
    """

    text: str
    width: float
    mark: Mark | None = None
    title: str = ""
    name: str = ""
    full_name: str = ""
    left_out: int = 0
    words: bool = False

    @property
    def name_width(self) -> float:
        """How wide the name above it is, in pixels."""
        return words_width(self.name, NAME_LETTERS)


class LabelStretch(NamedTuple):
    """Tokens begin … end − 1 of a row that stand in one span, or in given text."""

    begin: int
    end: int
    given: bool


class SpanSign(NamedTuple):
    """A stop, a cut or the name of a span. `text` is empty for a name."""

    text: str
    title: str
    name: str = ""


@dataclass(slots=True, eq=False)
class StemText:
    """What may be shown of a stem.

    Attributes:
        stem: the stem.
        stretches: its tokens, by where they come from.
        hidden: the tokens of it that are never shown, as (begin, end).
        texts: a label of every token that may be shown, by its position.
        signs: what stands before the token of a position.
        branches: those that go on from here.
    """

    stem: Stem
    stretches: list[LabelStretch]
    hidden: list[tuple[int, int]]
    texts: dict[int, TreeLabel]
    signs: dict[int, list[SpanSign]]
    model: LanguageModel
    branches: list[StemText] = field(default_factory=list)


def stem_text(stem: Stem, model: LanguageModel, tokens: int | None) -> StemText:
    """A stem and all below it, with the labels of their tokens. `tokens`: at most so many are shown of each."""
    row, signs = stem.first.row, _signs(stem.first.row)
    stretches = _stretches(stem, signs)
    hidden = _beyond(stretches, tokens)
    back = (LabelStretch(s.begin, s.end - READ_BACK, True) for s in stretches if s.given and tokens is None)
    never = {at for begin, end, *_ in (*hidden, *back) for at in range(begin, end)}
    places = [at for at in range(stem.begin, stem.end) if at not in never]
    texts = {mark.position: _token(mark) for mark in marks(model, row, stem.first.kept, places)}
    below = [stem_text(other, model, tokens) for other in stem.branches]
    if stem.leaves and below:  # rows that end where others go on have an edge of their own
        end = Stem(stem.leaves[0], stem.end, stem.end, stem.leaves, len(stem.leaves), [], stem.leaf_mass)
        end.weights_known, stem = stem.weights_known, replace(stem, leaves=[])
        below.insert(0, stem_text(end, model, tokens))
    return StemText(stem, stretches, hidden, texts, signs, model, below)


def labels(of: StemText, most: float, longest_name: int = LONGEST_NAME) -> list[TreeLabel]:
    """The labels of a branch, in order. At most so many characters are shown of each given text, and of names."""
    ends = dict([*of.hidden, *_given_beyond(of, most)])
    line: list[TreeLabel] = []
    name, at = "", of.stem.begin
    while at < of.stem.end:
        for sign in of.signs.get(at, ()):
            line, name = _signed(line, sign, name)
        end = ends.get(at)
        label = of.texts[at] if end is None else _left_out(of, at, end)
        line.append(replace(label, name=name) if name else label)
        name, at = "", at + 1 if end is None else end
    line += _ends(of, name)
    short = {label.name: _short_name(label.name, longest_name) for label in line if label.name}
    return [replace(part, name=short[part.name], full_name=part.name) if part.name else part for part in line]


def cells(text: str) -> int:
    """How many letters wide a text is."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def words_width(text: str, letters: float) -> float:
    """How wide words are in a proportional font with letters so high; rather too much than too little."""
    each = (0.42 if c in NARROW else 0.95 if c in WIDE else 0.64 * cells(c) for c in text)
    return letters * sum(each)


def _short_name(name: str, longest: int) -> str:
    """The name of a step as it is written above its span."""
    text = "".join(map(seen, name))
    return text if len(text) <= longest else text[: longest - 1] + "…"


# --- which tokens


def _stretches(stem: Stem, signs: dict[int, list[SpanSign]]) -> list[LabelStretch]:
    """The tokens of a stem, by where they come from. Given texts side by side are one, and one is given where no row
    generated it."""
    stretches: list[LabelStretch] = []
    for start, stop, piece in stem.first.row.placed:
        for at in range(max(start, stem.begin), min(stop, stem.end)):
            given = at not in stem.drawn
            begins = at in signs or at == stem.begin or (at == start and piece.kind == "generated")
            if begins or given != stretches[-1].given:
                stretches.append(LabelStretch(at, at + 1, given))
            else:
                stretches[-1] = stretches[-1]._replace(end=at + 1)
    return stretches


def _beyond(stretches: list[LabelStretch], tokens: int | None) -> list[tuple[int, int]]:
    """The tokens that are left out of a branch wherever there is room: if so many are asked for, all others, given ones
    first; else the middle of very long generated spans."""
    generated = [s for s in stretches if not s.given]
    given = [s for s in stretches if s.given]
    count = sum(s.end - s.begin for s in generated)
    share = _shown_of_each(generated, LONGEST if tokens is None else tokens)
    hidden = [(s.begin + share - share // 2, s.end - share // 2) for s in generated if s.end - s.begin > share]
    if tokens is not None:
        share = _shown_of_each(given, tokens - count)
        hidden += [(s.begin, s.end - share) for s in given if s.end - s.begin > share]
    return hidden


def _shown_of_each(stretches: list[LabelStretch], most: int) -> int:
    """How many tokens are shown of each stretch, if so many may be of all; a few more are shown rather than counted."""
    lengths = [s.end - s.begin for s in stretches]
    return _even_share(lengths, max(0, most)) if sum(lengths) - most >= FEW_TOKENS else max(lengths, default=0)


def _even_share(lengths: list[int], most: int) -> int:
    """The largest share of which each may have as much as it needs, and all together at most so much."""
    share, left = 0, sorted(lengths)
    while left and most >= (step := left[0] - share) * len(left):
        most, share = most - step * len(left), left.pop(0)
    return share + most // len(left) if left else max(lengths, default=0)


def _given_beyond(of: StemText, most: float) -> Iterator[tuple[int, int]]:
    """Of each given text its beginning, if more than so many characters of it would be shown."""
    for begin, end, given in of.stretches:
        if not given or any(begin <= low < end for low, _ in of.hidden):
            continue
        first, room = end, most
        while first > begin and (label := of.texts.get(first - 1)) and cells(label.text) <= room:
            first, room = first - 1, room - cells(label.text)
        if any(at not in of.texts for at in range(begin, first)):
            yield begin, first  # far too long
        elif sum(cells(of.texts[at].text) for at in range(begin, first)) > len(f"…{first - begin}…") + SAVED:
            yield begin, first


# --- what is written


def _token(mark: Mark) -> TreeLabel:
    text = "".join(WHITESPACE_SIGNS.get(character) or seen(character) for character in characters(mark.data)) or "∅"
    return TreeLabel(text, cells(text) * CHARACTER_WIDTH, mark)


def _left_out(of: StemText, begin: int, end: int) -> TreeLabel:
    tokens = of.stem.first.ids[begin:end]
    data = readable(b"".join(of.model.vocabulary.tokens[token] for token in tokens[-TITLE_CHARACTERS:]))
    if len(data) > TITLE_CHARACTERS:
        data = "…" + data[1 - TITLE_CHARACTERS :]
    text = f"…{end - begin}…"
    title = f"{end - begin} token{'s' * (end - begin > 1)} left out: '{data}'"
    return TreeLabel(text, len(text) * CHARACTER_WIDTH, None, title, left_out=end - begin)


def _signs(row: DrawnRow) -> dict[int, list[SpanSign]]:
    """Names of steps, stops and cuts, by the position before which they stand."""
    signs: dict[int, list[SpanSign]] = {}
    for start, end, piece in row.shown:
        if piece.kind == "generated" and piece.name:
            signs.setdefault(start, []).append(SpanSign("", "", piece.name))
        for at, stop in piece.stops:
            title = f"stop: model {percent(stop.logprob)}, drawn {percent(stop.proposal)}"
            signs.setdefault(start + at, []).append(SpanSign(STOP, title))
        if piece.kind == "generated" and piece.stop is None:
            signs.setdefault(end, []).append(SpanSign(CUT, f"cut: {piece.finished or 'sliced'}"))
    return signs


def _signed(line: list[TreeLabel], sign: SpanSign, name: str) -> tuple[list[TreeLabel], str]:
    """A line with one more sign, and the name that is still to be written above the next label."""
    if not sign.text:
        return line, sign.name
    return [*line, TreeLabel(sign.text, 1.4 * CHARACTER_WIDTH, None, sign.title, name)], ""


def _ends(of: StemText, name: str) -> Iterator[TreeLabel]:
    """How the rows that end here ended, and what they weigh."""
    if not of.stem.leaves:
        return
    line: list[TreeLabel] = []
    each = [_signs(leaf.row).get(len(leaf.ids), []) for leaf in of.stem.leaves]
    alike = all([sign.text for sign in signs] == [sign.text for sign in each[0]] for signs in each)
    for sign in each[0] if alike else ():
        line, name = _signed(line, sign, name)
    yield from line
    title = "\n".join(f"{row_key(leaf.b, leaf.s)}: {outcome(leaf.row)}" for leaf in of.stem.leaves)
    title += "\nthe weight is the sum of the log-probabilities of what was generated, in nats"
    empty = of.stem.begin == of.stem.end and not line
    for text in _leaf_texts(of.stem, alike) or ["ends here"] * empty:
        yield TreeLabel(text, words_width(text, WORD_LETTERS), None, title, name, words=True)
        name = ""


def _leaf_texts(stem: Stem, alike: bool) -> list[str]:
    """The weight and the end of rows with equal tokens, how often each occurs, and their share in the probability."""
    counts: dict[str, int] = {}
    for leaf in stem.leaves:
        text = _leaf_number(leaf, alike)
        counts[text] = counts.get(text, 0) + 1
    each = [text + (f" ×{count}" if count > 1 else "") for text, count in counts.items() if text]
    more = [f"… {len(each) - ENDS_SHOWN} more"] if len(each) > ENDS_SHOWN else []
    texts = each[:ENDS_SHOWN] + more
    if texts and stem.weights_known and stem.leaf_mass < 1 - 1e-9:
        texts[-1] += f" · {_percentage(stem.leaf_mass)}"
    return texts


def _leaf_number(leaf: TreeRow, alike: bool) -> str:
    text = f"weight {number(leaf.row)}" if leaf.row.generated else ""
    if alike:
        return text
    return text + "".join(f" {sign.text}" for sign in _signs(leaf.row).get(len(leaf.ids), []) if sign.text)


def _percentage(share: float) -> str:
    if 0.9995 <= share < 1:
        return "over 99.9%"
    return "under 0.1%" if 0 < share < 0.001 else f"{100 * share:.3g}%"
