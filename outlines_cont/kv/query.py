"""The question that decoding asks an engine: the logits after some tokens of one row."""

from __future__ import annotations

from dataclasses import dataclass

from outlines_cont.kv.radix_tree import Claim


@dataclass(frozen=True, slots=True)
class Query:
    """Asks for the logits after each of the tokens at positions `wanted` of the row `head + ids`.

    ids: the row's last tokens, or all of them.
    wanted: positions in the row, counted from 0 at the beginning of `head`; ascending, at least one. Tokens after the
        last wanted position are not read.
    claim: a claim on the keys and values of some prefix of the row, if the caller holds one. An engine then need not
        search for that prefix. A claim on other tokens is an error.
    head: the row's first tokens. Where the claim covers the head, the head is not looked at: a caller that appends one
        token at each step passes the old tokens as `head`, so that a step does not copy or compare the whole row.

    So `Query((5, 6, 7), wanted=(2,))` and `Query((7,), wanted=(2,), head=(5, 6))` ask for the same logits: those after
    the third token of the row 5, 6, 7.
    """

    ids: tuple[int, ...]
    wanted: tuple[int, ...]
    claim: Claim | None = None
    head: tuple[int, ...] = ()

    @property
    def tokens(self) -> tuple[int, ...]:
        """The row up to the last wanted token."""
        return (self.head + self.ids)[: self.wanted[-1] + 1]
