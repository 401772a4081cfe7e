"""What controllers answer: branches, the ways on for a row.

A controller is a function from a `Writing` to a list of `Branch`es. How a row follows them is told in `branching.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from outlines_cont.decode.canonical import spelled_after
from outlines_cont.engines.encoding import Encoder
from outlines_cont.fsm.bitmask import pack, unpack
from outlines_cont.fsm.protocol import with_defaults
from outlines_cont.fsm.vocabulary import Vocabulary


class KeepMemory:
    """The type of `KEEP`.

    >>> oc.Branch(forced=" so").memory
    KEEP
    """

    def __repr__(self) -> str:
        return "KEEP"


KEEP = KeepMemory()


ForcedRun = bytes | str | Sequence[int]  # a text, or token ids


@dataclass(frozen=True, slots=True)
class Branch:
    """One way on, said by a controller.

    First `backtrack` tokens of the span are dropped, or all after the point that has this label. Then `forced` is
    appended, if it is given; else something is drawn:

    - under `allowed`, a guide, or a generator, of which only the constraint counts: tokens, until it is complete or its
      stop is drawn;
    - under `allowed`, token ids or a packed mask (int32 `[(V + 31) // 32]`): one token; where eos is among them the
      stop may be drawn instead, and ends the span;
    - with neither: one token of any text, or the stop.

    Then the controller is asked again.

    Attributes:
        backtrack: a number of tokens, or a label.
        allowed: what may be drawn.
        forced: bytes or a str, spelled canonically, or token ids; or a dict {token id: a run that begins with it}, of
            which one is drawn by its first token (or, with `allowed` token ids, one of those) and appended whole.
        memory: an immutable value that the row remembers from now on; KEEP: what it remembers already.
        label: a name for the point at which this branch begins, after its backtrack.

    >>> def both(row):
    ...     return [] if row.text else [oc.Branch(forced=" yes"), oc.Branch(forced=" no")]
    >>> oc.generate.control(model, both)("Is it blue?")
    [[' yes', ' no']]
    """

    backtrack: int | str = 0
    allowed: Any = None
    forced: ForcedRun | Mapping[int, ForcedRun] | None = None
    memory: Any = KEEP
    label: str | None = None

    def guide(self, encoder: Encoder, before: Sequence[int], everything: np.ndarray) -> Any:
        """The guide of what it says.

        before: the row's last tokens, from which a forced text goes on; everything: the mask of all text tokens.

        Raises:
            TypeError, ValueError: `allowed` or `forced` is none of what a branch takes, or allows nothing.
        """
        vocabulary = encoder.vocabulary
        constraint = getattr(self.allowed, "constraint", None)
        if getattr(constraint, "controller", None) is not None:
            raise TypeError(f"Branch(allowed={self.allowed!r}): a controller cannot stand in another; give it a guide")
        allowed = getattr(constraint, "guide", self.allowed)
        is_guide = hasattr(allowed, "advance") or (hasattr(allowed, "mask") and not isinstance(allowed, np.ndarray))
        guide = with_defaults(cast(Any, allowed)) if is_guide else None  # or it says what a guide needs
        if guide is not None and guide.vocabulary != vocabulary:
            raise ValueError(f"Branch(allowed={guide!r}): a guide over another vocabulary, {guide.vocabulary!r}")
        if self.forced is None or isinstance(self.forced, Mapping):
            if guide is None:
                return one_token(vocabulary, self, encoder.encode_bytes, everything)
            if self.forced is not None:
                raise TypeError("Branch(allowed=a guide, forced={…}): runs by first token go with token ids")
            return guide
        if allowed is not None:
            raise TypeError("Branch(allowed=…, forced=…): a branch draws, or appends a run; say the one or the other")

        def spell(data: bytes) -> Sequence[int]:
            ids = spelled_after(encoder, before, data)
            return encoder.encode_bytes(data) if ids is None else ids

        return Given(vocabulary, _run(vocabulary, self.forced, spell))


class Given:
    """A guide for one run of tokens that are given, not drawn. A state is the number of tokens so far."""

    initial = 0

    def __init__(self, vocabulary: Vocabulary, ids: tuple[int, ...]):
        self.vocabulary, self.ids = vocabulary, ids

    def mask(self, state: int) -> np.ndarray:
        if state == len(self.ids):
            return _eos_mask(self.vocabulary)
        return _packed(self.vocabulary, self.ids[state : state + 1])

    def masks(self, states: Sequence[int]) -> np.ndarray:
        return np.stack([self.mask(state) for state in states])

    def advance(self, state: int, token: int) -> int | None:
        _checked_index(self.vocabulary, token)
        if state == len(self.ids):
            return state + 1 if token in self.vocabulary.eos else None
        return state + 1 if self.ids[state : state + 1] == (token,) else None

    def accepting(self, state: int) -> bool:
        return state >= len(self.ids)

    complete = over = accepting

    def forced(self, state: int) -> bytes:
        return b""


class OneToken:
    """A guide for one token, or for none if the stop may be drawn. States: −1 at first, then the last token's id.

    Attributes:
        runs: what follows each token that begins a run.
    """

    initial = -1

    def __init__(
        self, vocabulary: Vocabulary, mask: np.ndarray, may_stop: bool, runs: Mapping[int, tuple[int, ...]] = {}
    ):
        self.vocabulary, self._may_stop, self.runs = vocabulary, may_stop, runs
        self._only_stop = not mask.any()
        self._eos = _eos_mask(vocabulary)
        self._mask = mask | self._eos if may_stop else mask

    def mask(self, state: int) -> np.ndarray:
        if state == self.initial:
            return self._mask
        return np.zeros_like(self._mask) if state in self.vocabulary.eos else self._eos

    def masks(self, states: Sequence[int]) -> np.ndarray:
        return np.stack([self.mask(state) for state in states])

    def advance(self, state: int, token: int) -> int | None:
        _checked_index(self.vocabulary, token)
        return token if self.mask(state)[token // 32] >> (token % 32) & 1 else None

    def accepting(self, state: int) -> bool:
        return self._may_stop or state != self.initial

    def complete(self, state: int) -> bool:
        return state != self.initial or (self._may_stop and self._only_stop)

    def over(self, state: int) -> bool:
        """Whether the token was drawn. (Where only the stop is allowed, that is still drawn, with its probability.)"""
        return state != self.initial

    def forced(self, state: int) -> bytes:
        return b""


def _checked_index(vocabulary: Vocabulary, token: int) -> None:
    if not 0 <= token < len(vocabulary):
        raise IndexError(token)


def one_token(vocabulary: Vocabulary, branch: Branch, spell: Any, everything: np.ndarray) -> OneToken:
    """The guide of a branch that draws one token. `spell`: bytes → ids; `everything`: the mask of all text tokens."""
    size, eos = len(vocabulary), set(vocabulary.eos)
    allowed, runs = branch.allowed, {}
    if isinstance(branch.forced, Mapping):
        for token, run in branch.forced.items():
            ids = _run(vocabulary, run, spell, _checked(vocabulary, token))
            if ids[0] != token:
                raise ValueError(f"Branch(forced={{{token!r}: {run!r}}}): the run does not begin with its token")
            runs[token] = ids[1:]
        allowed = [] if allowed is None else allowed
    if allowed is None:
        return OneToken(vocabulary, everything, True)
    if isinstance(allowed, np.ndarray) and allowed.dtype == np.int32 and allowed.shape == ((size + 31) // 32,):
        ids = set(np.flatnonzero(unpack(allowed, size)).tolist())
    elif isinstance(allowed, Iterable) and not isinstance(allowed, (str, bytes)):
        ids = {_checked(vocabulary, token, eos) for token in allowed}
    else:
        raise TypeError(
            f"Branch(allowed={allowed!r}): it takes a guide, a generator, token ids or a packed mask "
            f"(int32 [{(size + 31) // 32}])"
        )
    may_stop = bool(ids & eos)
    ids = ids - vocabulary.special | runs.keys()
    if not ids and not may_stop:
        raise ValueError(f"Branch(allowed={branch.allowed!r}, forced={branch.forced!r}) allows no token")
    return OneToken(vocabulary, _packed(vocabulary, ids), may_stop, runs)


def _run(vocabulary: Vocabulary, run: ForcedRun, spell: Any, first: int | None = None) -> tuple[int, ...]:
    """The tokens of a run; those of a text begin with `first`, if it is given."""
    if isinstance(run, str):
        run = run.encode()
    if isinstance(run, (bytes, bytearray)):
        if first is None:
            return tuple(spell(bytes(run)))
        lead = vocabulary.tokens[first]
        if not run.startswith(lead):
            raise ValueError(f"Branch(forced={{{first}: {run!r}}}): the run does not begin with its token, {lead!r}")
        return (first, *(spell(bytes(run[len(lead) :])) if len(run) > len(lead) else ()))
    if not isinstance(run, Iterable):
        raise TypeError(f"Branch(forced={run!r}): it takes bytes, a str, token ids, or a dict of those by first token")
    return tuple(_checked(vocabulary, token) for token in run) or (() if first is None else (first,))


def _checked(vocabulary: Vocabulary, token: Any, fine: Container[int] = ()) -> int:
    """The id of a text token, or of one that is fine."""
    try:
        number = operator.index(token)
    except TypeError:
        raise TypeError(f"{token!r} is no token id") from None
    if isinstance(token, bool) or not 0 <= number < len(vocabulary):
        raise ValueError(f"token {token!r} is not in a vocabulary of {len(vocabulary)} tokens")
    if number in vocabulary.special and number not in fine:
        raise ValueError(f"token {number} is a special token: rows that are generated hold text")
    return number


def _eos_mask(vocabulary: Vocabulary) -> np.ndarray:
    mask = np.zeros((len(vocabulary) + 31) // 32, np.uint32)
    for token in vocabulary.eos:
        mask[token // 32] |= np.uint32(1 << token % 32)
    return mask.view(np.int32)


def _packed(vocabulary: Vocabulary, ids: Iterable[int]) -> np.ndarray:
    allowed = np.zeros(len(vocabulary), bool)
    allowed[list(ids)] = True
    return pack(allowed)
