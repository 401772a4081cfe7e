"""llguidance as a guide of a third party: what the guide protocol asks for, around its matcher.

docs/integrations.md links to this class; `engine_differences.py` compares the two engines.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from llguidance import LLMatcher, LLTokenizer, TokenizerWrapper

from outlines_cont.fsm.vocabulary import Vocabulary


class LLGuidance:
    """The texts of a grammar of llguidance. A state is a number: that of the matcher that the tokens led to."""

    def __init__(self, grammar: str, tokenizer: LLTokenizer, vocabulary: Vocabulary):
        self.vocabulary, self.initial = vocabulary, 0
        self._matchers, self._after = [LLMatcher(tokenizer, grammar)], {}
        self._lock = threading.Lock()
        if self._matchers[0].is_error():
            raise ValueError(self._matchers[0].get_error())

    def mask(self, state: int) -> np.ndarray:
        words = (len(self.vocabulary) + 31) // 32
        if state < 0:  # after eos
            return np.zeros(words, np.int32)
        return np.frombuffer(self._matchers[state].compute_bitmask(), np.int32)[:words]

    def advance(self, state: int, token: int) -> int | None:
        if not 0 <= token < len(self.vocabulary):
            raise IndexError(token)
        if not self.mask(state)[token >> 5] >> (token & 31) & 1:
            return None
        if token in self.vocabulary.eos:
            return -1
        with self._lock:
            if (state, token) not in self._after:
                matcher = self._matchers[state].deep_copy()  # the matcher of a state is never moved
                matcher.consume_token(token)
                self._matchers.append(matcher)
                self._after[state, token] = len(self._matchers) - 1
            return self._after[state, token]

    def accepting(self, state: int) -> bool:
        return state < 0 or self._matchers[state].is_accepting()


def llguidance_tokenizer(vocabulary: Vocabulary) -> LLTokenizer:
    """The tokens of a vocabulary, as llguidance reads them."""

    special, tokens = vocabulary.special, vocabulary.tokens

    class Tokens:
        def __init__(self) -> None:
            self.eos_token_id, self.bos_token_id = vocabulary.eos[0], None
            self.tokens = [b"\xff[%d]" % i if i in special else token for i, token in enumerate(tokens)]
            self.special_token_ids = sorted(special)

        def __call__(self, text: Any) -> list[int]:
            data = text if isinstance(text, bytes) else text.encode()
            return [vocabulary.single_bytes[byte] for byte in data]

    return LLTokenizer(TokenizerWrapper(Tokens()), n_vocab=len(vocabulary), eos_token=list(vocabulary.eos))
