"""Texts after contexts, and which logits they need: what they share is asked for once."""

from __future__ import annotations

from collections.abc import Mapping

from outlines_cont.kv.need import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.prefixes import common_length

Ids = tuple[int, ...]


class PrefixNeeds:
    """Lines of logits `[V]`, each after some prefix of texts, and the needs that ask for them.

    Attributes:
        needs: in the order of the lines.
        following: of each line, the tokens that come next in some text.
        paths: context → text → the lines before each of its tokens and, where it was asked for, after the last.
    """

    def __init__(self, lines_at_once: int | None = None):
        self.lines_at_once = lines_at_once
        self.needs: list[Need] = []
        self.following: list[set[int]] = []
        self.paths: dict[Ids, dict[Ids, list[int]]] = {}

    def add(self, context: Ids, texts: Mapping[Ids, bool], claim: Claim | None = None) -> None:
        """texts: each with whether the line after its last token is asked for."""
        paths = self.paths.setdefault(context, {})
        previous: Ids = ()
        path: list[int] = []
        # in order, no text shares more with an earlier one than with its neighbour; backwards, it comes after those
        # that go on from it, and needs no need of its own
        for text in sorted(texts, reverse=True):
            path = path[: common_length(previous, text) + 1]
            size = len(text) + texts[text]
            step = self.lines_at_once or max(size, 1)
            for first in range(len(path), size, step):
                ends = range(first, min(first + step, size))
                wanted = tuple(len(context) - 1 + end for end in ends)
                self.needs.append(Need(text[: ends[-1]], wanted, claim, head=context))
                path += range(len(self.following), len(self.following) + len(ends))
                self.following += [set() for _ in ends]
            for line, token in zip(path, text, strict=False):
                self.following[line].add(token)
            paths[text] = path[:size]
            previous = text
