"""What a row needs of a model: to be read, and the logits after some of its tokens. The one question that decoding
asks an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import brief, plain, shown, whole_number
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.processes import ProcessBoundValue


@dataclass(frozen=True, slots=True)
class Need(ProcessBoundValue):
    """Asks that the row `head + ids` be read, and for the logits after each of its tokens at the positions `wanted`.

    `Need((5, 6, 7), wanted=(2,))` and `Need((7,), wanted=(2,), head=(5, 6))` ask for the same logits: those after the
    third token of the row 5, 6, 7. `Need((5, 6, 7))` asks for none: the keys and values of all its tokens enter the KV
    tree, and an engine that keeps none does nothing. `model.read` and `model.logits` take any needs.

    The needs of a frontier also say what an engine without our KV tree may go on from. Whoever computes their logits
    takes what it has of the pending row `parent` of the frontier before (None: nothing), crops it to the first `keep`
    tokens, and reads `token_ids` after them. No wanted position lies before `keep`. If nothing is wanted and `keep` is
    the whole row, there is nothing to do: such a row waits.

    `ids`, `wanted` and `head` may be given as lists or as int tensors `[T]`; TypeError for anything but ints.

    Attributes:
        ids: the row's last tokens, or all of them.
        wanted: positions in the row, counted from 0 at the beginning of `head`; ascending. Tokens after the last wanted
            position are not read; if nothing is wanted, all are.
        claim: on the keys and values of some beginning of the row, if the caller holds one. The KV tree then need not
            search for that beginning. A claim on other tokens is a ValueError where its last token is another.
        head: the row's first tokens. Where the claim covers the head, the head is not looked at: a caller that appends
            one token at each step passes the old tokens as `head`, so that a step does not copy or compare the row.
        row: the place of this need among the needs of its frontier.
        parent: the place of the need, in the frontier before, whose row this one goes on from.
        keep: how many tokens of that row are tokens of this one.
        computed: once our KV tree has computed the logits, the claim on the tokens that it read, and nothing before.
            So a frontier that is given these logits goes on from the same keys and values.

    >>> f = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is")
    >>> f = f.step(model.logits(f.pending))
    >>> [(need.parent, need.keep, need.token_ids, need.wanted) for need in f.pending]
    [(0, 6, (781,), (6,))]
    >>> model.logits([oc.Need((0, 921, 263), wanted=(0, 2))]).shape
    torch.Size([2, 1536])
    """

    ids: tuple[int, ...]
    wanted: tuple[int, ...] = ()
    claim: Claim | None = None
    head: tuple[int, ...] = ()
    row: int = 0
    parent: int | None = None
    keep: int = 0
    computed: list[Claim] = field(default_factory=list, repr=False, compare=False, kw_only=True)

    __repr__ = brief

    def __post_init__(self) -> None:
        if not (_is_plain(self.ids) and _is_plain(self.wanted) and _is_plain(self.head)):
            for name in ("ids", "wanted", "head"):
                object.__setattr__(self, name, _whole_numbers(getattr(self, name), name))

    def __reduce__(self) -> Any:
        """Pickled for an engine in another process: without claims, which belong to this one."""
        return Need, (self.ids, self.wanted, None, self.head, self.row, self.parent, self.keep)

    @property
    def length(self) -> int:
        """How many of the row's tokens are read: those up to the last wanted one; all, if nothing is wanted.

        >>> oc.Need((5, 6, 7), wanted=(0, 1)).length, oc.Need((5, 6, 7)).length
        (2, 3)
        """
        return self.wanted[-1] + 1 if self.wanted else len(self.head) + len(self.ids)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The whole row, up to the last token that is read: its first `keep` tokens, and `token_ids`.

        An engine that finds by itself what it has read before needs nothing else.

        >>> oc.Need((7, 8), wanted=(2,), head=(5, 6)).tokens
        (5, 6, 7)
        """
        return (self.head + self.ids)[: self.length]

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The tokens to read after the first `keep`.

        >>> oc.generate.text(model).begin("Mira is").pending[0].token_ids
        (0, 921, 263)
        """
        return self.tokens[self.keep :]


def _is_plain(values: Any) -> bool:
    """Whether it is a tuple of ints, as far as its first one tells: this is asked for every row at every step, and
    `check_needs` looks at the others."""
    return type(values) is tuple and (not values or type(values[0]) is int)


def _whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """Token ids or positions as a tuple of ints. TypeError for what is no row of ints."""
    listed = plain(values)
    if not isinstance(listed, (list, tuple, range)):
        kind = "positions" if name == "wanted" else "token ids"
        raise TypeError(
            f"Need({name}={shown(values)}): it takes {kind}, a tuple or a list of ints, or an int tensor [T]"
        )
    return tuple(whole_number(value, f"{name}[{i}]", "an int") for i, value in enumerate(listed))


def distinct_needs(needs: Sequence[Need]) -> tuple[Sequence[Need], list[int]]:
    """The needs that ask for different things, and for each need which of these asks for the same. Rows that are still
    the same text are read as one.

    What is no list of needs comes back as it is: `check_needs` says so.
    """
    if not isinstance(needs, (list, tuple)):
        return needs, []
    places: dict[Any, int] = {}
    try:
        each = [places.setdefault((id(n.head), n.ids, n.wanted, id(n.claim), n.keep), len(places)) for n in needs]
    except (AttributeError, TypeError):
        return needs, []
    if len(places) == len(needs):
        return needs, []
    distinct: dict[int, Need] = {}
    for need, place in zip(needs, each, strict=True):
        distinct.setdefault(place, need)
    return list(distinct.values()), each


def for_each(
    distinct: Sequence[Need], places: Sequence[int], logits: Tensor, claims: Sequence[Claim | None]
) -> tuple[Tensor, list[Claim | None]]:
    """The logits and claims of all needs, from those of the `distinct_needs`."""
    ends = list(accumulate((len(need.wanted) for need in distinct), initial=0))
    lines = [line for place in places for line in range(ends[place], ends[place + 1])]
    if lines:
        logits = logits[torch.tensor(lines, device=logits.device)]
    return logits, [claims[place] for place in places]


def check_needs(needs: Sequence[Need], vocabulary_size: int, context_length: int | None, larger: str = "") -> None:
    """TypeError for what is no need; ValueError for positions that a need does not have, for token ids that the
    vocabulary does not have, for rows longer than the context, and for a claim whose last token is another.

    It runs for every row at every step, so it does not look at all tokens that a claim covers. `larger`: how users get
    a larger context, if they can.
    """
    if isinstance(needs, Need):
        raise TypeError("a Need was given where a list of them is taken: read([need])")
    if not isinstance(needs, (list, tuple)):
        raise TypeError(f"needs={shown(needs)}: read() takes a list of Needs")
    longest = 0
    for need in needs:
        if not isinstance(need, Need):
            raise TypeError(f"{shown(need)} ({type(need).__name__}) is no Need: Need(ids, wanted)")
        _check_members(need)
        ids, wanted, head = need.ids, need.wanted, need.head
        begin, covered = len(head), need.claim.depth if need.claim else 0
        for token in ids[covered - begin :] if covered >= begin else (head + ids)[covered:]:
            if type(token) is not int or not 0 <= token < vocabulary_size:
                _check_token(token, vocabulary_size)
        if wanted:
            _check_wanted(wanted, begin + len(ids) - 1)
        longest = max(longest, need.length)
    if context_length is not None and longest > context_length:
        right = f": {larger}" if larger else ""
        raise ValueError(f"a row of {longest} tokens was given to a model whose context is {context_length}{right}")


def _check_members(need: Need) -> None:
    if whole_number(need.keep, "keep", "an int ≥ 0") < 0:
        raise ValueError(f"Need(keep={need.keep}): it must be an int ≥ 0")
    if need.claim is not None:
        if not isinstance(need.claim, Claim):
            raise TypeError(f"Need(claim={shown(need.claim)}): it is None, or a claim that read() gave")
        _check_claim(need.head, need.ids, need.claim)


def _check_claim(head: tuple[int, ...], ids: tuple[int, ...], claim: Claim) -> None:
    """The last token that it covers is the row's. (What it covers of the head is not looked at.)"""
    depth = min(claim.depth, len(head) + len(ids))
    if depth > len(head) and (claimed := claim.token(depth)) not in (None, token := ids[depth - len(head) - 1]):
        raise ValueError(
            f"Need(claim=…): a claim on other tokens; after {depth - 1} tokens it has token {claimed}, the row {token}"
        )


def _check_token(token: Any, vocabulary_size: int) -> None:
    if isinstance(token, bool) or not isinstance(token, (int, np.integer)):
        raise TypeError(f"token id {shown(token)} ({type(token).__name__}) is no int")
    if not 0 <= token < vocabulary_size:
        raise ValueError(f"token id {token} is outside the vocabulary of {vocabulary_size} tokens")


def _check_wanted(wanted: Sequence[int], last: int) -> None:
    ints = all(isinstance(position, (int, np.integer)) and not isinstance(position, bool) for position in wanted)
    if not ints or wanted[0] < 0 or (len(wanted) > 1 and list(wanted) != sorted(set(wanted))):
        raise ValueError(f"wanted={shown(wanted)}: positions of a need, ascending")
    if wanted[-1] > last:
        raise ValueError(f"wanted={wanted}: the last position of the need is {last}")
