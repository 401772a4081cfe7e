"""`EndingTokens`: a guide whose text may also end with one of some special tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from outlines_cont.processes import ProcessBoundValue

from .language.narrowed import SPECIAL, as_token
from .protocol import Defaults, FullGuide, GuideState, concatenated
from .vocabulary import Vocabulary, pack

#: The states after one of the tokens, and after an eos. (The other guide's states are ints.)
ENDED, OVER = "ended", "over"


def stop_tokens(texts: Sequence[str], vocabulary: Vocabulary) -> frozenset[int]:
    """The special tokens that are written as one of these texts. An eos is none of them: it ends any text.

    >>> v = Vocabulary([b"<eos>", b"a", b"</think>"], eos=[0], special=[2])
    >>> stop_tokens(["</think>", "a", "<eos>"], v)
    frozenset({2})
    """
    wanted = {text.encode() for text in texts}
    special = vocabulary.special.difference(vocabulary.eos)
    return frozenset(token for token in special if vocabulary.tokens[token] in wanted)


def spelled_with(vocabulary: Vocabulary, marks: frozenset[int]) -> Vocabulary:
    """The vocabulary in which some special tokens are text, spelled by `as_token`, as nothing else is.

    Kept with the vocabulary, as its trie is.

    >>> v = Vocabulary([b"<eos>", b"a", b"<call>", b"\\xff"], eos=[0], special=[2])
    >>> spelled_with(v, frozenset({2})).tokens, spelled_with(v, frozenset({2})).special
    ((b'<eos>', b'a', b'\\xff<call>\\xff', b'\\xff'), frozenset({0, 3}))
    """
    made: dict[frozenset[int], Vocabulary] = vocabulary.derived(_spelled)
    if not marks:
        return vocabulary
    if marks not in made:
        tokens = [as_token(data) if token in marks else data for token, data in enumerate(vocabulary.tokens)]
        odd = [token for token, data in enumerate(vocabulary.tokens) if SPECIAL in data]
        special = [token for token in {*vocabulary.special, *odd} if token not in marks]
        made[marks] = Vocabulary(tokens, vocabulary.eos, special)
    return made[marks]


def _spelled(_: Vocabulary) -> dict[frozenset[int], Vocabulary]:
    return {}


class EndingTokens(ProcessBoundValue, Defaults):
    """The texts of a guide, and each of them followed by one of some special tokens, after which nothing comes.

    Special tokens are allowed by no other guide. Here they end the text, as an eos does, but each has a probability of
    its own, and may stand in a row.

    Attributes:
        guide: what the text fits: an `AutomatonGuide`.
        tokens: ids of special tokens that are no eos.

    >>> from outlines_cont.fsm.guide import text
    >>> v = Vocabulary([b"<eos>", b"a", b"</think>"], eos=[0], special=[2])
    >>> g = EndingTokens(text(v), [2])
    >>> state = g.advance(g.advance(g.initial, 1), 2)
    >>> g.mask(g.initial).tolist(), g.mask(state).tolist(), g.complete(state)
    ([7], [1], True)
    """

    _instead = "make it in each process"

    def __init__(self, guide: FullGuide, tokens: Collection[int]):
        self.guide, self.tokens, self.vocabulary = guide, frozenset(tokens), guide.vocabulary
        size = len(self.vocabulary)
        self._ends = pack(np.isin(np.arange(size), list(self.tokens)))
        self._eos = pack(np.isin(np.arange(size), list(self.vocabulary.eos)))
        self._nothing = np.zeros_like(self._eos)
        # by the identity of the other guide's mask, which is kept: equal masks are one array there, and here, too
        self._masks: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def __repr__(self) -> str:
        names = b", ".join(self.vocabulary.tokens[token] for token in sorted(self.tokens)).decode("utf-8", "replace")
        return f"{self.guide!r} up to {names}"

    @property
    def initial(self) -> GuideState:
        return self.guide.initial

    @property
    def free_text(self) -> bool:
        """See `AutomatonGuide`."""
        return getattr(self.guide, "free_text", False)

    def mask(self, state: GuideState) -> np.ndarray:
        if isinstance(state, str):
            return self._eos if state == ENDED else self._nothing
        mask = self.guide.mask(state)
        if not self.guide.accepting(state):
            return mask
        if id(mask) not in self._masks:
            self._masks[id(mask)] = mask, mask | self._ends
        return self._masks[id(mask)][1]

    def advance(self, state: GuideState, token: int) -> GuideState | None:
        if not 0 <= token < len(self.vocabulary):
            raise IndexError(f"token {token} is not in a vocabulary of {len(self.vocabulary)} tokens")
        if token in self.vocabulary.eos:
            return OVER if state != OVER and self.accepting(state) else None
        if isinstance(state, str):
            return None
        if token in self.tokens:
            return ENDED if self.guide.accepting(state) else None
        return self.guide.advance(state, token)

    def accepting(self, state: GuideState) -> bool:
        return isinstance(state, str) or self.guide.accepting(state)

    def complete(self, state: GuideState) -> bool:
        """After one of the tokens. (Where the other guide is complete, one of them may still come.)"""
        return isinstance(state, str)

    def forced(self, state: GuideState) -> bytes:
        return b"" if isinstance(state, str) else self.guide.forced(state)

    def __radd__(self, other: Any) -> EndingTokens:
        """A text of `other`, then one of this guide."""
        return EndingTokens(concatenated(other, self.guide), self.tokens)
