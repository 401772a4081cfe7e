"""The guide protocol: what a constraint says, token by token, to whoever draws the tokens.

A third party's guide is any object with the five members of `Guide`; it need not inherit from anything here. Three more
members are optional (`FullGuide` adds them). `with_defaults` supplies those that a guide lacks, so that the code behind
it may call all eight.

For a state s that the tokens t₁ … tₙ lead to:

    mask(s) allows t      ⟺  advance(s, t) is not None, for every token t of the vocabulary
    mask(s) allows eos    ⟺  accepting(s), for every eos token of the vocabulary
    mask(s) allows t       ⟹  t is a text token or an eos token
    not accepting(s)       ⟹  mask(s) allows some token: there are no dead ends
    masks([s, …])          =  the rows mask(s), …
    complete(s)           ⟺  accepting(s), and mask(s) allows nothing but eos
    forced(s)                 begins the bytes of every continuation; b"" always fulfils this

After an eos token the text has ended: that state is accepting and complete, and its mask allows nothing, eos included.
`tests/guides.py` checks these laws for any guide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast, runtime_checkable
from weakref import WeakSet, WeakValueDictionary

import numpy as np

from outlines_cont.errors import ConstraintError
from outlines_cont.processes import ProcessBoundValue

from .vocabulary import Vocabulary

#: The state of a guide: any immutable, hashable value.
GuideState = Any

_REQUIRED = ("vocabulary", "initial", "mask", "advance", "accepting")
_OPTIONAL = ("masks", "complete", "forced")


@runtime_checkable
class Guide(Protocol):
    """A constraint over a vocabulary: pure functions from states to masks and to states.

    States are immutable and hashable. They are kept, compared and gone back to in any order, and they belong to the
    guide that made them. Two equal states have the same continuations. The same tokens lead to equal states each time.
    A guide may keep caches; rows and threads share one guide, so its methods must be safe to call from several threads.

    A guide may also have `masks`, `complete` and `forced` (see `FullGuide`), to be quicker or to tell more; and
    `__add__` and `__radd__`, which concatenate it with another guide (see `concatenated`).

    >>> class Letters:
    ...     "Any number of the letter a: a guide of a third party."
    ...
    ...     def __init__(self, vocabulary):
    ...         self.vocabulary, self.initial = vocabulary, "text"
    ...
    ...     def mask(self, state):
    ...         return np.array([0 if state == "ended" else 0b11], np.int32)
    ...
    ...     def advance(self, state, token):
    ...         if not 0 <= token < len(self.vocabulary):
    ...             raise IndexError(token)
    ...         return None if state == "ended" or token > 1 else ("ended", "text")[token]
    ...
    ...     def accepting(self, state):
    ...         return True
    >>> guide = with_defaults(Letters(Vocabulary([b"<eos>", b"a", b"b"], eos=[0])))
    >>> guide.masks([guide.initial, "ended"]).tolist(), guide.complete("text"), guide.complete("ended")
    ([[3], [0]], False, True)
    """

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens that the guide is about. It never changes."""
        ...

    @property
    def initial(self) -> GuideState:
        """The state before the first token."""
        ...

    def mask(self, state: GuideState) -> np.ndarray:
        """The allowed tokens: int32 `[(V + 31) // 32]`, bit t % 32 of word t // 32 for token t. Callers do not write.

        Bits beyond the vocabulary are 0. `outlines_cont.fsm.vocabulary.pack` makes such a mask of bools.
        """
        ...

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        """The state after `token`, or None if the token is not allowed.

        Raises:
            IndexError: the vocabulary has no such token.
        """
        ...

    def accepting(self, state: GuideState) -> bool:
        """Whether the text may end here. After an eos token it has ended: True."""
        ...


class FullGuide(Guide, Protocol):
    """A guide with the optional members, too: what `with_defaults` returns."""

    def masks(self, states: Sequence[GuideState]) -> np.ndarray:
        """The masks of several states, row by row: int32 `[len(states), (V + 31) // 32]`. Callers do not write.

        Default: `mask` for each state.
        """
        ...

    def complete(self, state: GuideState) -> bool:
        """Whether the text must end here: it may end, and nothing but eos is allowed.

        Default: what `accepting` and `mask` say.
        """
        ...

    def forced(self, state: GuideState) -> bytes:
        """Bytes with which every continuation of the text begins; none where the text may end.

        Their tokens are appended without asking the model, in the tokenization that the tokenizer prefers: a guide that
        prescribes one tokenization of a text gives none here. Default: `b""`.
        """
        ...


class Defaults:
    """The optional members of a guide, by what the others say."""

    vocabulary: Vocabulary
    mask: Any
    accepting: Any

    def masks(self, states: Sequence[GuideState]) -> np.ndarray:
        """The masks of several states, row by row: int32 [len(states), (V + 31) // 32]. Not to be written to.

        Where all are one array (rows often share a state), it is one row in memory: strides[0] == 0.

        >>> from outlines_cont.fsm.guide import choice
        >>> g = choice(["ab", "b"], Vocabulary([b"<eos>", b"a", b"b", b"ab"], eos=[0]))
        >>> g.masks([g.initial, g.advance(g.initial, 1)]).tolist()
        [[14], [4]]
        """
        rows = list(map(self.mask, states))
        if len(set(map(id, rows))) == 1:
            return np.broadcast_to(rows[0], (len(rows), len(rows[0])))
        return np.concatenate([*rows, np.empty(0, np.int32)]).reshape(len(rows), (len(self.vocabulary) + 31) // 32)

    def complete(self, state: GuideState) -> bool:
        return bool(self.accepting(state)) and not (self.mask(state) & self.vocabulary.no_eos).any()

    def forced(self, state: GuideState) -> bytes:
        return b""


class Both(ProcessBoundValue, Defaults):
    """The texts of both guides, of which one remembers texts, so that their languages cannot be intersected. States
    are pairs of theirs.

    Nobody looks ahead: where the two have no way in common any more, `mask` says so by a `ConstraintError`. What only
    one of them forces is drawn.

    >>> from outlines_cont.fsm.guide import Both
    >>> from outlines_cont.fsm.guide import regex
    >>> from outlines_cont.fsm.vocabulary import Vocabulary
    >>> v = Vocabulary([b"<eos>", b"a", b"b"], eos=[0])
    >>> g = Both(regex("[ab]+", v), regex("a*b", v))
    >>> state = g.advance(g.advance(g.initial, 1), 2)
    >>> g.mask(g.initial).tolist(), g.complete(state), g.mask(state).tolist()
    ([6], True, [1])
    """

    _instead = "make it in each process"

    def __init__(self, first: FullGuide, second: FullGuide):
        self.first, self.second, self.vocabulary = first, second, first.vocabulary
        self.initial: GuideState = first.initial, second.initial
        self.marks: frozenset[int] = getattr(first, "marks", frozenset())

    def __repr__(self) -> str:
        return f"{self.first!r} & {self.second!r}"

    def mask(self, state: GuideState) -> np.ndarray:
        one, two = state
        mask = self.first.mask(one) & self.second.mask(two)
        if not mask.any() and not self.accepting(state):
            raise ConstraintError(f"{self!r} have no text in common that goes on from here")
        return mask

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        one, two = self.first.advance(state[0], token), self.second.advance(state[1], token)
        return None if one is None or two is None else (one, two)

    def accepting(self, state: GuideState) -> bool:
        return self.first.accepting(state[0]) and self.second.accepting(state[1])

    def __radd__(self, other: Any) -> Both:
        """A text of `other`, then one of this guide; `other` knows its bytes."""
        return Both(other + self.first, other + self.second)


class _WithDefaults(Defaults):
    """A guide, with defaults for the optional members that it lacks."""

    def __init__(self, guide: Any):
        self.guide: Any = guide
        self.vocabulary = guide.vocabulary
        self.mask, self.advance, self.accepting = guide.mask, guide.advance, guide.accepting
        self.__dict__.update({name: getattr(guide, name) for name in _OPTIONAL if hasattr(guide, name)})

    @property
    def initial(self) -> GuideState:
        return self.guide.initial

    def __repr__(self) -> str:
        return repr(self.guide)


_wrapped: WeakValueDictionary[int, _WithDefaults] = WeakValueDictionary()  # by the id of the guide, which they hold


def with_defaults(guide: Guide) -> FullGuide:
    """The guide itself, if it has all eight members; else one that says the same and has them.

    It can be a key of a dictionary, by its identity, also where the guide itself cannot. The same guide gives the same
    one, as long as somebody holds it.

    Raises:
        TypeError: it lacks a required member, which is named.
    """
    cls: Any = type(guide)
    if cls in _whole_classes:
        return cast(FullGuide, guide)
    lacking = [name for name in _REQUIRED if not hasattr(guide, name)]
    if lacking:
        raise TypeError(f"{guide!r} is no guide: it has no {' and no '.join(map(repr, lacking))}")
    if isinstance(guide, _WithDefaults):
        return guide
    by_identity = cls.__hash__ is object.__hash__ and hasattr(guide, "__weakref__")
    if by_identity and all(hasattr(guide, name) for name in _OPTIONAL):
        if all(hasattr(cls, name) for name in ("mask", "advance", "accepting", *_OPTIONAL)):
            _whole_classes.add(cls)
        return cast(FullGuide, guide)
    wrapped = _wrapped.get(id(guide))
    if wrapped is None or wrapped.guide is not guide:
        wrapped = _wrapped[id(guide)] = _WithDefaults(guide)
    return wrapped


_whole_classes: WeakSet[type] = WeakSet()  # whose guides need not be looked at again


def given(guide: Guide) -> Any:
    """The guide as its maker gave it, without the defaults that `with_defaults` put around it."""
    return guide.guide if isinstance(guide, _WithDefaults) else guide


def allows(guide: Guide, state: GuideState, token: int) -> bool:
    """Whether `mask(state)` allows a token, for one token; an eos token where the text may end."""
    return guide.accepting(state) if token in guide.vocabulary.eos else guide.advance(state, token) is not None


def concatenated(first: Guide, second: Guide) -> FullGuide:
    """The guide of a text of `first`, and then one of `second`: what `first + second` says.

    A token may reach from one text into the other, so only a guide that knows its bytes can say which tokens are
    allowed. Guides are therefore asked: `first.__add__(second)`, then `second.__radd__(first)`.

    Raises:
        ConstraintError: neither of the two methods is there and takes the other guide.

    >>> class Odd:
    ...     vocabulary, initial, mask, advance, accepting = (None,) * 5
    ...     __repr__ = lambda self: "<Odd>"
    >>> concatenated(Odd(), Odd())
    Traceback (most recent call last):
        ...
    outlines_cont.errors.ConstraintError: <Odd> cannot follow <Odd>: it has no `__radd__` that puts a guide before it
    """
    one, two = given(first), given(second)
    for name, guide, other in (("__add__", one, two), ("__radd__", two, one)):
        method = getattr(type(guide), name, None)
        whole = NotImplemented if method is None else method(guide, other)
        if whole is not NotImplemented:
            return with_defaults(whole)
    raise ConstraintError(f"{two!r} cannot follow {one!r}: it has no `__radd__` that puts a guide before it")
