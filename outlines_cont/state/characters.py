"""Cutting rows at characters of their strings: `state.chars[…]` and `state.up_to(text)`.

A row's string is the bytes of its tokens, read as UTF-8. A cut stands between two characters, so it may cross a token.
Whole tokens are kept as in slices; of the one that crosses the cut, the bytes on the kept side are spelled anew, as
text that was given.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from outlines_cont.arguments import meant, shown, whole_number, word
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.indexing import character_range
from outlines_cont.state.row import Row
from outlines_cont.state.strict_kv import check_slice

Inside = Literal["spell", "keep", "drop"]
Missing = Literal["raise", "keep"]
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class CharacterView(Generic[State]):
    """What `state.chars` is: the state, with a last key that counts characters.

    Attributes:
        model: the model that reads the state.
        selected: reads a key, and makes a state of the part of each row that its last one means.
        inside: what becomes of a token that crosses a cut.

    >>> model.state("Mira is a painter").chars
    CharacterView(inside='spell')
    """

    model: LanguageModel = field(repr=False)
    selected: Callable[[Any, Callable[[Row, int | slice], Row]], State] = field(repr=False)
    inside: Inside = "spell"
    __iter__ = None

    def __call__(self, *, inside: Inside) -> CharacterView[State]:
        """The same, with another rule for tokens that cross a cut: "spell", "keep" or "drop".

        >>> state = model.state("Mira is a painter")
        >>> [str(state.chars(inside=rule)[:12]) for rule in ("spell", "keep", "drop")]
        ['Mira is a pa', 'Mira is a painter', 'Mira is a']
        """
        return replace(self, inside=checked_inside(inside))

    def __getitem__(self, key: Any) -> State:
        def part(row: Row, characters: int | slice) -> Row:
            if row.dead:
                return row
            text = RowText(self.model, row)
            return text.part(*character_range(characters, len(text)), self.inside)

        return self.selected(key, part)


@dataclass(slots=True)
class UpTo:
    """Cuts rows before the first place where a text stands; see `SequenceState.up_to`.

    occurs: whether a row has the text; missed: where it was looked for in the first row that does not have it; names:
    those of the spans of such rows.
    """

    model: LanguageModel
    text: str
    include: bool
    span: str | int | None
    inside: Inside
    occurs: bool = False
    missed: str | None = None
    names: dict[str, None] = field(default_factory=dict)

    def __call__(self, row: Row) -> Row:
        if row.dead:
            return row
        text, place = RowText(self.model, row), _sought(row, self.span)
        characters = None if place is None else text.characters(*place)
        if place is None or characters is None or (at := str(text).find(self.text, *characters)) < 0:
            if self.missed is None and characters is not None:
                self.missed = str(text)[slice(*characters)]
            self.names.update((piece.name, None) for piece in row.pieces if piece.name is not None)
            return row
        self.occurs = True
        return text.part(0, at + len(self.text) if self.include else at, self.inside, least=place[0].start)

    def checked(self, state: State, rows: int) -> State:
        """The state, if a row has the text, or if there are no rows; else a ValueError that shows what they have."""
        if self.occurs or not rows:
            return state
        asked = f"up_to({shown(self.text)}{'' if self.span is None else f', span={self.span!r}'})"
        if self.missed is None:
            near = meant(str(self.span), self.names)
            names = ", ".join(map(repr, self.names)) or "none"
            raise ValueError(f"{asked}: no row has a span of this name{near}; names of spans: {names}")
        raise ValueError(
            f"{asked}: {'the row does not have' if rows == 1 else f'none of {rows} rows has'} this text"
            f"{'' if self.span is None else ' in that span'}; {'it' if rows == 1 else 'the first one'} "
            f"has {shown(self.missed)}{'' if self.span is None else ' there'}"
        )


def _sought(row: Row, span: str | int | None) -> tuple[range, int] | None:
    """Where a text is sought: the tokens of the last span of a name, if possible one that was not cut off (None if
    there is no such span), or of the span of an index, or of all; and how many bytes at their beginning it had taken
    back from the text before it, which are not its own."""
    if span is None:
        return range(len(row)), 0
    spans = [
        (range(begin, end), 0 if piece.lo else len(piece.origin.healed), piece) for begin, end, piece in row.placed
    ]
    if isinstance(span, str):
        named = [
            (not piece.emptied, tokens.start, (tokens, size)) for tokens, size, piece in spans if piece.name == span
        ]
        return max(named, key=lambda each: each[:2])[2] if named else None
    if not -len(spans) <= span < len(spans):
        raise IndexError(f"up_to(…, span={span}): span {span} is out of range for a row of {len(spans)} spans")
    return spans[span][:2]


class Place(NamedTuple):
    """A place between two characters: tokens before `left` end before it, and tokens from `right` on begin after it.

    `left` and `right` differ where a token crosses the place. `byte`: how many bytes of the row stand before it.
    """

    left: int
    right: int
    byte: int


class RowText:
    """A row as a string: where its tokens and its characters begin in its bytes, and the parts between characters."""

    def __init__(self, model: LanguageModel, row: Row):
        tokens = model.encoder.token_bytes(row.ids)
        self.model, self.row, self.data = model, row, b"".join(tokens)
        self.token_begins = list(accumulate(map(len, tokens), initial=0))
        self.character_begins = character_begins(self.data)

    def __len__(self) -> int:
        """The number of characters."""
        return len(self.character_begins) - 1

    def __str__(self) -> str:
        """The string."""
        return self.data.decode("utf-8", "replace")

    def characters(self, tokens: range, without: int) -> tuple[int, int]:
        """From which character to which one these tokens have whole characters, `without` so many bytes."""
        first = bisect_left(self.character_begins, self.token_begins[tokens.start] + without)
        return first, bisect_right(self.character_begins, self.token_begins[tokens.stop]) - 1

    def place(self, character: int) -> Place:
        """The place before a character; before the first one it is the row's beginning, after the last one its end.

        Special tokens that stand there, and others without bytes, follow it.
        """
        if character <= 0:
            return Place(0, 0, 0)
        if character >= len(self):
            return Place(len(self.row), len(self.row), len(self.data))
        byte = self.character_begins[character]
        right = bisect_left(self.token_begins, byte)
        if self.token_begins[right] > byte:
            return Place(right - 1, right, byte)
        if self.model.encoder.spell(self.row.ids[right:]) != self.data[byte:]:
            # A row that begins with this bos would lose the space after it, so the bos stays before the place.
            right = bisect_right(self.token_begins, byte) - 1
        return Place(right, right, byte)

    def part(self, start: int, stop: int, inside: Inside, least: int = 0) -> Row:
        """The row from one character to another; with "spell" its string is exactly these characters.

        least: so many tokens stand before the place of `stop` in any case, special tokens that stand there among them.
        A token beside the constraint (`oc.Insert`) that crosses the end is dropped.
        SlicingError under `strict_kv`, as for slices of tokens. ValueError if no tokens spell a part of a token.
        """
        first, last = self.place(start), self.place(stop)
        if last.right < least:
            last = Place(least, least, last.byte)
        if inside == "spell" and last.left < last.right and self._unfed(last.left):
            last = Place(last.left, last.left, self.token_begins[last.left])
        if inside == "keep" and first.byte < last.byte:
            kept = range(first.left, last.right)
        else:
            kept = range(first.right, max(first.right, last.left))
        part = self.row.take(kept)
        if inside == "spell":
            part = self._spelled_out(part, first, last)
        check_slice(self.row, range(kept.start, kept.start + len(part)))
        return part

    def _unfed(self, at: int) -> bool:
        """Whether a token stands beside its constraint: a part of it would be text that the constraint is told of."""
        return any(start <= at < end and at - start in piece.unfed for start, end, piece in self.row.placed)

    def _spelled_out(self, kept: Row, first: Place, last: Place) -> Row:
        """The tokens that are kept, and beside them the parts of tokens that cross the first and the last place."""
        part = kept
        if first.right <= last.left < last.right:
            token = self.model.vocabulary.tokens[self.row.ids[last.left]]
            part = part.append(self._spelling(token[: last.byte - self.token_begins[last.right]]))
        before = self._spelling(self.data[first.byte : min(last.byte, self.token_begins[first.right])])
        if self.model.encoder.spell([*before, *part.ids]) == self.data[first.byte : last.byte]:
            space = []
        else:  # the tokenizer takes a row's first space for its own: it gets one, which `+` drops as it drops a bos
            space = self._spelling(b" ")
        if space or before:
            part = Row(lineage=kept.lineage).append([*space, *before], bos=len(space)).join(part)
        return part if part is kept else self.model.claimed(part)

    def _spelling(self, data: bytes) -> list[int]:
        try:
            return self.model.encoder.encode_bytes(data)
        except ValueError as error:
            raise ValueError(f"a cut inside a token: {error}; inside='keep' and inside='drop' spell nothing") from None


def character_begins(data: bytes) -> list[int]:
    """Where each character of `data.decode("utf-8", "replace")` begins in the bytes, and where the last one ends."""
    begins: list[int] = []
    at: int | None = 0
    while at is not None:
        try:
            valid, following = data[at:].decode(), None
        except UnicodeDecodeError as error:
            valid, following = data[at : at + error.start].decode(), at + error.end
        begins += accumulate((len(character.encode()) for character in valid), initial=at)
        at = following
    return begins


def checked_text(text: Any) -> str:
    """What `up_to` looks for. TypeError or ValueError for anything but a str with characters."""
    if not isinstance(text, str):
        raise TypeError(f"up_to({shown(text)}): it takes the text to cut at, a str, not {type(text).__name__}")
    if not text:
        raise ValueError("up_to(''): every row begins with the empty text; give the text to cut at")
    return text


def checked_span(span: Any) -> str | int | None:
    """Where `up_to` looks. TypeError for anything but a name, an index or None."""
    if span is None or isinstance(span, str):
        return span
    return whole_number(span, "span", "the name of a span, its index in each row, or None for the whole row")


def checked_inside(inside: Any) -> Inside:
    """ValueError for anything but a rule for tokens that cross a cut."""
    right = "what becomes of a token that crosses a cut: 'spell', 'keep' or 'drop'"
    word(inside, "inside", get_args(Inside), right)
    return inside
