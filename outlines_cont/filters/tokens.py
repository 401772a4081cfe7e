"""Tokens as users name them in filters: by id, or by the text of exactly one token."""

from __future__ import annotations

import operator
from typing import Any

from outlines_cont.arguments import half_character, is_whole, plain, shown
from outlines_cont.fsm.vocabulary import Vocabulary

Token = int | str | None


def checked_token(name: str, token: Any) -> Token:
    """An id, a text, or None for the stop. TypeError for anything else."""
    if token is None or (isinstance(token, str) and token and not half_character(token)):
        return token
    if isinstance(token, str) or not is_whole(token):
        raise TypeError(f"{name}(): a token is an id, the text of one token, or None for the stop; not {shown(token)}")
    return operator.index(token)


def checked_tokens(name: str, tokens: Any, option: str = "tokens") -> tuple[Token, ...]:
    """Some of them. TypeError for anything but a list."""
    tokens = plain(tokens)
    if not isinstance(tokens, (list, tuple)):
        raise TypeError(f"{name}({option}={shown(tokens)}): it takes a list of tokens")
    return tuple(checked_token(name, token) for token in tokens)


def id_of(name: str, token: int | str, vocabulary: Vocabulary) -> int:
    """The id of a token. ValueError: the vocabulary has no such token."""
    if isinstance(token, str):
        named = vocabulary.derived(_ids_by_bytes).get(token.encode())
        if named is None:
            raise ValueError(f"{name}(): {token!r} is no single token of {vocabulary!r}; give its ids")
        return named
    if not 0 <= token < len(vocabulary):
        raise ValueError(f"{name}(): token {token} is outside the vocabulary of {len(vocabulary)} tokens")
    return token


def column_of(name: str, token: Token, vocabulary: Vocabulary) -> int:
    """The column of a candidate: that of a token, or the last one for the stop, for which any eos stands, too.

    Raises:
        ValueError: the vocabulary has no such token.
    """
    column = len(vocabulary) if token is None else id_of(name, token, vocabulary)
    return len(vocabulary) if column in vocabulary.eos else column


def _ids_by_bytes(vocabulary: Vocabulary) -> dict[bytes, int]:
    """The id of each token by its bytes: of equal ones a token of text, and the smallest."""
    special, tokens = vocabulary.special, vocabulary.tokens
    ordered = [*reversed([i for i in range(len(tokens)) if i in special])]
    ordered += reversed([i for i in range(len(tokens)) if i not in special])
    return {tokens[i]: i for i in ordered if tokens[i]}
