"""The keys of `state[batch, sample, token]` and `state.chars[…]` → batch rows, samples and parts of rows."""

from __future__ import annotations

import operator
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from torch import Tensor

from outlines_cont.arguments import is_whole, meant, plain, shown, whole_number, word
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.state.keys_and_values import check_slice
from outlines_cont.state.row import Row

# --- the keys of `state[batch, sample, token]` → batch rows, samples and tokens. This file knows shapes, not states

AXES = ("batch", "sample", "token")
#: What the last key counts, and how the user writes the keys then.
WRITTEN = {"token": "state", "character": "state.chars"}


class Selection(NamedTuple):
    """Which batch rows and samples (positions, outer product) and which tokens of each row (an int or a slice)."""

    batch: Sequence[int]
    sample: Sequence[int]
    token: int | slice

    @property
    def repeats(self) -> bool:
        """Whether a row is selected twice."""
        return any(len(set(axis)) < len(axis) for axis in (self.batch, self.sample) if not isinstance(axis, range))


def select(key: Any, shape: tuple[int, int, int], unit: str = "token") -> Selection:
    """Read `state[key]`.

    `...` fills as in numpy; with fewer keys than three and no `...`, leading axes of size 1 may be left out.
    IndexError when the keys do not fit the shape, with the keys that would. unit: what the last key counts.
    """
    batch, sample, token = _expand(key, shape, unit)
    return Selection(_positions(batch, shape[0], 0), _positions(sample, shape[1], 1), _token(token, unit))


def token_range(key: int | slice, length: int, unit: str = "token") -> range:
    """The positions of one row that a token key means, as Python indexes and slices a list of this length."""
    if isinstance(key, slice):
        return range(length)[_sliceable(key, unit)]
    if not -length <= key < length:
        raise IndexError(f"{unit} {key} is out of range for a row of {length} {unit}s")
    key %= length
    return range(key, key + 1)


def character_range(key: int | slice, length: int) -> tuple[int, int]:
    """The first character of one row that a key means, and the one after the last, as Python indexes a str.

    Slices are not clipped: what lies below 0 means the beginning of the row, and what lies beyond `length` its end.
    """
    if not isinstance(key, slice):
        at = token_range(key, length, "character").start
        return at, at + 1
    if key.step not in (None, 1):
        raise IndexError(f"state.chars[..., {_show([key])}]: characters are cut out side by side, without a step")
    _sliceable(key, "character")
    start, stop = (
        operator.index(default if at is None else at) for at, default in ((key.start, 0), (key.stop, sys.maxsize))
    )
    return start + length * (start < 0), stop + length * (stop < 0)


def _expand(key: Any, shape: tuple[int, int, int], unit: str) -> list[Any]:
    """A key for each of the three axes."""
    keys = list(key) if isinstance(key, tuple) else [key]
    _check_no_name(key, unit)
    dots = sum(k is Ellipsis for k in keys)
    full = slice(None)
    if dots > 1:
        raise IndexError(f"{WRITTEN[unit]}[{_show(keys)}] holds '...' twice; once is enough")
    if dots:
        at = next(i for i, k in enumerate(keys) if k is Ellipsis)
        missing = 3 - (len(keys) - 1)
        if missing >= 0:
            return keys[:at] + [full] * missing + keys[at + 1 :]
    elif len(keys) == 3:
        return keys
    elif len(keys) == 2 and shape[0] == 1:
        return [full, *keys]
    elif len(keys) == 2 and shape[1] == 1:
        return [keys[0], full, keys[1]]
    elif len(keys) == 1 and shape[0] == shape[1] == 1:
        return [full, full, *keys]
    raise IndexError(
        f"{WRITTEN[unit]}[{_show(keys)}] does not fit the shape {shape} (batch, sample, token); "
        f"use {_hint(shape, unit)}{_example(keys, shape, unit)}"
    )


def _check_no_name(key: Any, unit: str) -> None:
    """IndexError for the name of a step, or a text, as a key."""
    if isinstance(key, str):
        raise IndexError(
            f"{WRITTEN[unit]}[{shown(key)}]: the keys are [batch, sample, {unit}]; what a named step wrote is "
            f"in state.captures[{shown(key)}], and state.up_to({shown(key)}) cuts at a text"
        )


def _hint(shape: tuple[int, int, int], unit: str) -> str:
    """The keys that fit a shape."""
    written = WRITTEN[unit]
    short = f"{written}[{unit}], " if shape[0] == shape[1] == 1 else ""
    if shape[0] == 1:
        short += f"{written}[sample, {unit}], "
    elif shape[1] == 1:
        short += f"{written}[batch, {unit}], "
    return f"{short}{written}[batch, sample, {unit}] or {written}[..., {unit}]"


def _example(keys: list[Any], shape: tuple[int, int, int], unit: str) -> str:
    """What to write for one or two keys that are all there are, on the first axis that has more than one place."""
    if not 1 <= len(keys) <= 2 or any(key is None or key is Ellipsis for key in keys):
        return ""
    if len(keys) == 2:
        return f": here {WRITTEN[unit]}[{_show(keys)}, :]"
    rows = [*keys, slice(None), slice(None)] if shape[0] > 1 else [slice(None), *keys, slice(None)]
    axis = AXES[0] if shape[0] > 1 else AXES[1]
    example = f": here {WRITTEN[unit]}[{_show(rows)}] ({axis})"
    if isinstance(keys[0], (int, slice)) and not isinstance(keys[0], bool):  # lists of tokens are refused
        example += f" or {WRITTEN[unit]}[{_show([..., *keys])}] ({unit}s)"
    return example


def _positions(key: Any, size: int, axis: int) -> Sequence[int]:
    """The positions on the batch or sample axis that a key selects."""
    if isinstance(key, slice):
        return range(size)[_sliceable(key, AXES[axis])]
    if isinstance(key, (Tensor, np.ndarray, np.generic)):
        key = _array_as_list(key, size, axis)
    if not isinstance(key, list):
        return [_position(key, size, axis)]
    if key and all(isinstance(k, bool) for k in key):
        _check_mask_length(len(key), size, axis)
        return [i for i, keep in enumerate(key) if keep]
    if all(type(k) is int and 0 <= k < size for k in key):
        return key
    return [_position(k, size, axis) for k in key]


def _array_as_list(key: Any, size: int, axis: int) -> Any:
    """A tensor or an array as a list; an int, if it has no axes."""
    if key.ndim > 1:
        raise IndexError(f"the {AXES[axis]} key has {key.ndim} dimensions; a list of ints has one")
    if key.ndim and "bool" in str(key.dtype):
        _check_mask_length(len(key), size, axis)
    if not any(kind in str(key.dtype) for kind in ("int", "bool")):
        raise IndexError(f"the {AXES[axis]} key is of {key.dtype}; use ints or bools")
    return plain(key)


def _sliceable(key: slice, axis: str) -> slice:
    """A slice of ints. TypeError or ValueError for any other, as of a list."""
    if not all(part is None or is_whole(part) for part in (key.start, key.stop, key.step)):
        raise TypeError(f"the {axis} key is {shown(key)}: slice indices must be integers or None")
    if key.step == 0:
        raise ValueError(f"the {axis} key is {shown(key)}: slice step cannot be zero")
    return key


def _check_mask_length(length: int, size: int, axis: int) -> None:
    if length != size:
        raise IndexError(f"the {AXES[axis]} mask has {length} entries; the axis has {size}")


def _position(key: Any, size: int, axis: int) -> int:
    if isinstance(key, bool):
        raise IndexError(f"the {AXES[axis]} key is {key!r}; use an int, a slice, or a list of ints or bools")
    try:
        index = operator.index(key)
    except TypeError:
        raise IndexError(
            f"the {AXES[axis]} key is {shown(key)} ({type(key).__name__}); use an int, a slice or a list of ints"
        ) from None
    if not -size <= index < size:
        raise IndexError(f"{AXES[axis]} {index} is out of range for an axis of size {size}")
    return index % size


def _token(key: Any, unit: str) -> int | slice:
    if isinstance(key, slice):
        return key
    try:
        if getattr(key, "ndim", 0) or not is_whole(key):
            raise TypeError
        return operator.index(key)
    except TypeError:
        raise IndexError(
            f"the {unit} key is {shown(key)} ({type(key).__name__}); use an int or a slice of each row's {unit}s"
        ) from None


def _show(keys: list[Any]) -> str:
    def one(key: Any) -> str:
        if key is Ellipsis:
            return "..."
        if isinstance(key, slice):
            parts = [key.start, key.stop, *([key.step] if key.step is not None else [])]
            return ":".join("" if part is None else shown(part) for part in parts)
        return shown(key)

    return ", ".join(map(one, keys))


# --- cutting rows at characters of their strings: `state.chars[…]` and `state.up_to(text)`
#
# A row's string is the bytes of its tokens, read as UTF-8. A cut stands between two characters, so it may cross a
# token. Whole tokens are kept as in slices; of the one that crosses the cut, the bytes on the kept side are spelled
# anew, as text that was given.

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
        """The view with another rule for tokens that cross a cut: "spell", "keep" or "drop".

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
        A token beside the constraint (`oc.steer.Insert`) that crosses the end is dropped.
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
