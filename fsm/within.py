"""Guides that count tokens: `Within`, whose text ends within so many, and `Thought`, which is given its end."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from outlines_cont.arguments import flag, shown, whole_number
from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue

from .automaton_guide import AutomatonGuide
from .endings import FAR, After, endings_of
from .language.narrowed import BYTES, SPECIAL, ReadTexts, Without, as_token, narrowed, up_to
from .language.nodes import cat, chars, points, star
from .language.tries import literal
from .patterns.characters import utf8
from .protocol import Defaults, FullGuide, GuideState, concatenated
from .stop_tokens import stop_tokens
from .vocabulary import Vocabulary, pack, unpack

KEPT_MASKS = 256  # of states near the end of their tokens


class Within(ProcessBoundValue, Defaults):
    """The texts of a guide, closed within so many tokens: always, and as the guide says while there is room.

    A state is (the guide's, the tokens left). While every token that the guide allows leaves enough for an ending that
    is known, the mask is the guide's own, the same array. Near the edge it leaves the tokens after which a known ending
    still fits. `Endings` says which are known.

    Attributes:
        guide: the guide. tokens: how many there may be; the eos is not counted.

    Raises:
        ConstraintError: no ending is known that fits; or it is a guide of the user's without `need(state)`.

    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    >>> g = Within(regex("a+b", v), 3)
    >>> state = g.advance(g.advance(g.initial, 1), 1)
    >>> state, g.mask(g.initial).tolist(), g.mask(state).tolist()
    ((1, 1), [2], [4])
    >>> Within(regex("a+b", v), 1)
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: the pattern 'a+b' within 1 token: the shortest known takes 2
    """

    _instead = "make it in each process"

    def __init__(self, guide: FullGuide, tokens: int, state: GuideState = None):
        """state: that of the guide from which on there may be so many tokens; None: its initial one."""
        self.guide, self.tokens, self.vocabulary = guide, tokens, guide.vocabulary
        self.endings = endings_of(guide)
        begin = guide.initial if state is None else state
        if (need := self.endings.need(begin)) > tokens:
            told = "none is known" if need >= FAR else f"the shortest known takes {need}"
            part = "" if begin == guide.initial else "the rest of "
            name = getattr(guide, "name", shown(guide))
            raise ConstraintError(f"{part}{name} within {tokens} token{'s' * (tokens != 1)}: {told}")
        self.initial: GuideState = begin, tokens
        self._masks: OrderedDict[tuple[GuideState, int, int | None], np.ndarray] = OrderedDict()

    def __repr__(self) -> str:
        return f"{self.guide!r} within {self.tokens} tokens"

    def place(self, state: GuideState) -> tuple[FullGuide, GuideState]:
        """The guide and the state that say what may come: those within it, where there is room for all of that."""
        inner, left = state
        if left > self.endings.furthest or left > self.endings.after(inner).most:
            return self.guide, inner
        return self, state

    def mask(self, state: GuideState) -> np.ndarray:
        guide, place = self.place(state)
        return guide.mask(place) if guide is self.guide else self._near_the_edge(*state)

    def _near_the_edge(self, inner: GuideState, left: int) -> np.ndarray:
        after, limit, token = self.endings.after(inner), left - 1, self.endings.next(inner)
        mask = self.guide.mask(inner)
        further = int(np.searchsorted(after.needs, limit, "right")) if limit >= after.least else -1
        key = inner, further, token
        kept = self._masks.get(key)
        if kept is None:
            if further < 0:
                allowed = np.zeros(len(self.vocabulary), bool)
            else:
                allowed = unpack(mask, len(self.vocabulary))
                allowed[after.tokens[further:]] = False
            if left > 0 and token is not None:
                allowed[token] = True
            allowed[list(self.vocabulary.eos)] = self.guide.accepting(inner)
            kept = self._masks[key] = pack(allowed)
            kept.flags.writeable = False
            while len(self._masks) > KEPT_MASKS:
                self._masks.popitem(last=False)
        return kept

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        inner, left = state
        after = self.guide.advance(inner, token)
        if after is None:
            return None
        guide, _ = self.place(state)
        if guide is self and not self.mask(state)[token >> 5] >> (token & 31) & 1:
            return None
        return after, left - 1

    def accepting(self, state: GuideState) -> bool:
        return self.guide.accepting(state[0])

    def complete(self, state: GuideState) -> bool:
        return self.guide.complete(state[0])

    def fitting(self, state: GuideState, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """The first of some tokens, as far as an ending still fits after them."""
        for count, token in enumerate(tokens):
            state = self.advance(state, token)
            if state is None:
                return tokens[:count]
        return tokens


def within(guide: FullGuide, tokens: int, state: GuideState) -> Within:
    """`Within`; the same one each time, as long as somebody holds it: rows and calls share its states."""
    kept: WeakValueDictionary[Any, Within] = endings_of(guide).limited
    made = kept.get((state, tokens))
    return kept.setdefault((state, tokens), Within(guide, tokens, state)) if made is None else made


def spent(guide: Any, state: Any, tokens: int) -> Any:
    """The state after so many tokens that the guide is not told of; None if it does not count them.

    ConstraintError: too few are left then.
    """
    if type(guide) is not Within:
        return None
    inner, left = state
    if (need := guide.endings.need(inner)) > left - tokens:
        raise ConstraintError(f"{tokens} tokens beside {guide!r}: of the {left} that are left its end takes {need}")
    return inner, left - tokens


def unlimited(guide: Any, state: Any) -> tuple[Any, Any]:
    """A guide and a state, without the limit of tokens."""
    return (guide.guide, state[0]) if type(guide) is Within else (guide, state)


def plain_place(guide: Any, state: Any) -> tuple[Any, Any]:
    """A guide and a state, without the limit of tokens where that takes nothing away."""
    return guide.place(state) if type(guide) is Within else (guide, state)


def whole_limit(called: str, max_tokens: Any, whole: Any) -> int | None:
    """How many tokens a text may have that others' loops write and end by an eos; None: nobody says."""
    if flag(whole, "whole") is (max_tokens is None):
        raise ValueError(f"{called} takes max_tokens and whole=True together: the text closes within so many tokens")
    if max_tokens is None:
        return None
    right = "an int ≥ 1: the eos is one of these tokens"
    if (limit := whole_number(max_tokens, "max_tokens", right)) < 1:
        raise ValueError(f"max_tokens={max_tokens}: it must be {right}")
    return limit - 1


# --- a thought: free text up to a mark

#: What is left to write when the tokens are used up: for each byte that lacks of a character those that it may be; and
#: what lacks of the mark.
Closing = tuple[tuple[bytes, ...], bytes]
CONTINUING = range(0x80, 0xC0)  # bytes that begin no character in UTF-8


def thought(budget: int, v: Vocabulary, mark: str = "</think>") -> Thought:
    """Free text up to a mark. After `budget` tokens without it nothing may come but the mark, or what lacks of it.

    The text is whole characters: one that has begun is ended first. No eos comes before the mark. If special tokens are
    written as the mark is, one of them ends the text, and the mark stands nowhere in it.

    Raises:
        TypeError, ValueError: `budget` is no int ≥ 0, or `mark` no text.
        ConstraintError: this vocabulary cannot spell the mark.

    >>> v = Vocabulary([b"<eos>", b"a", b"<", b"/>"], eos=[0])
    >>> g = thought(1, v, "</>")
    >>> [g.mask(state).tolist() for state in (g.initial, g.advance(g.initial, 1), g.advance(g.initial, 2))]
    [[14], [4], [8]]
    """
    if not isinstance(v, Vocabulary):
        raise TypeError(f"a guide is made for a Vocabulary (model.vocabulary), not for {type(v).__name__}")
    right = "an int ≥ 0, after how many tokens the mark is written"
    if (tokens := whole_number(budget, "budget", right)) < 0:
        raise ValueError(f"budget={budget}: it must be {right}")
    if not isinstance(mark, str) or not mark:
        raise (ValueError if mark == "" else TypeError)(f"mark={shown(mark)}: it must be a text, which ends a thought")
    data, marks, text = mark.encode(), stop_tokens([mark], v), utf8(star(chars(((0, 0x10FFFF),))))
    if marks:
        language = cat(narrowed(text, Without([data])), literal(as_token(data)))
    else:
        language = narrowed(text, ReadTexts(up_to(data, False, BYTES)))
    return Thought(AutomatonGuide(language, v, f"a thought up to {mark!r}", marks=marks), tokens, data)


class Thought(ProcessBoundValue, Defaults):
    """What `thought` makes. States are (a `Closing`, or None; the state of the guide there; the tokens left).

    Attributes:
        free: the guide of all thoughts, however long. budget, mark: see there. marks: special tokens that are the mark.
    """

    _instead = "make it in each process"

    def __init__(self, free: Any, budget: int, mark: bytes):
        self.free, self.budget, self.mark = free, budget, mark
        self.vocabulary, self.marks = free.vocabulary, free.marks
        self._closings: dict[int, Closing | None] = {}  # by the states of `free`
        self._guides: dict[Closing | None, AutomatonGuide] = {None: free}
        self.initial: GuideState = self._placed(free.initial, budget)
        self.limited: WeakValueDictionary[Any, Any] = WeakValueDictionary()  # see `Endings`

    def __repr__(self) -> str:
        return f"<Guide {self.free.name}, after {self.budget} tokens>"

    def __radd__(self, other: Any) -> Thought:
        return Thought(concatenated(other, self.free), self.budget, self.mark)

    def place(self, state: GuideState) -> tuple[AutomatonGuide, int]:
        """The guide, and its state, that say what may come."""
        return self._guides[state[0]], state[1]

    def mask(self, state: GuideState) -> np.ndarray:
        guide, inner = self.place(state)
        return guide.mask(inner)

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        closing, inner, left = state
        after = self._guides[closing].advance(inner, token)
        if after is None:
            return None
        return self._placed(after, max(left - 1, 0)) if closing is None else (closing, after, 0)

    def accepting(self, state: GuideState) -> bool:
        guide, inner = self.place(state)
        return guide.accepting(inner)

    def complete(self, state: GuideState) -> bool:
        guide, inner = self.place(state)
        return guide.complete(inner)

    def forced(self, state: GuideState) -> bytes:
        guide, inner = self.place(state)
        return b"" if (data := guide.forced(inner)).startswith(SPECIAL) else data  # a special token has no bytes

    def _placed(self, inner: int, left: int) -> GuideState:
        """The state at a state of `free`. Where this vocabulary cannot write what is left, a token comes first."""
        if left or self.free.accepting(inner):
            return None, inner, left
        if inner not in self._closings:
            self._closings[inner] = self._prepared(self._to_write(inner))
        closing = self._closings[inner]
        return closing, inner if closing is None else self._guides[closing].initial, 0

    def _to_write(self, inner: int) -> Closing | None:
        """What is left to write in a state of `free`; None where a text before it (that is healed) goes on first."""
        run, end = self.free._automaton.run, as_token(self.mark) if self.marks else self.mark

        def ends(data: bytes) -> bool:
            return (after := run(inner, data)) >= 0 and self.free.accepting(after)

        for begun in reversed(range(1 if self.marks else len(end))):
            if ends(end[begun:]):
                return (), end[begun:]
        lacking: list[bytes] = []
        while len(lacking) < 3:
            read = b"".join(each[:1] for each in lacking)
            lacking.append(bytes(byte for byte in CONTINUING if run(inner, read + bytes([byte])) >= 0))
            if ends(read + lacking[-1][:1] + end):
                return tuple(lacking), end
        return None

    def _prepared(self, closing: Closing | None) -> Closing | None:
        if closing is not None and closing not in self._guides:
            language = cat(*(chars(points(each)) for each in closing[0]), literal(closing[1]))
            try:
                self._guides[closing] = AutomatonGuide(language, self.vocabulary, self.free.name, marks=self.marks)
            except ConstraintError:
                return None
        return closing

    # --- as `Endings`, those of the guides in it: what ends a longer thought ends one that has to close, too

    @property
    def furthest(self) -> int:
        return endings_of(self.free).furthest

    def need(self, state: GuideState) -> int:
        guide, inner = self.place(state)
        return endings_of(guide).need(inner)

    def next(self, state: GuideState) -> int | None:
        guide, inner = self.place(state)
        return endings_of(guide).next(inner)

    def after(self, state: GuideState) -> After:
        guide, inner = self.place(state)
        return endings_of(guide).after(inner)
