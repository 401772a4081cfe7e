"""What a row needs of a model: the logits after some of its tokens. The one question that decoding asks an engine."""

from __future__ import annotations

from dataclasses import dataclass, field

from outlines_cont.kv.radix_tree import Claim


@dataclass(frozen=True, slots=True)
class Need:
    """Asks for the logits after each of the tokens at the positions `wanted` of the row `head + ids`.

    `Need((5, 6, 7), wanted=(2,))` and `Need((7,), wanted=(2,), head=(5, 6))` ask for the same logits: those after the
    third token of the row 5, 6, 7. `model.read` and `model.logits` take any needs.

    The needs of a frontier also say what an engine without our KV tree may go on from. Whoever computes their logits
    takes what it has of the pending row `parent` of the frontier before (None: nothing), crops it to the first `keep`
    tokens, and reads `token_ids` after them. No wanted position lies before `keep`.

    Attributes:
        ids: the row's last tokens, or all of them.
        wanted: positions in the row, counted from 0 at the beginning of `head`; ascending, at least one. Tokens after
            the last wanted position are not read.
        claim: on the keys and values of some beginning of the row, if the caller holds one. The KV tree then need not
            search for that beginning. A claim on other tokens is an error.
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
    wanted: tuple[int, ...]
    claim: Claim | None = None
    head: tuple[int, ...] = ()
    row: int = 0
    parent: int | None = None
    keep: int = 0
    computed: list[Claim] = field(default_factory=list, repr=False, compare=False, kw_only=True)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The row up to the last wanted token.

        >>> oc.Need((7, 8), wanted=(2,), head=(5, 6)).tokens
        (5, 6, 7)
        """
        return (self.head + self.ids)[: self.wanted[-1] + 1]

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The tokens to read after the first `keep`.

        >>> oc.generate.text(model).begin("Mira is").pending[0].token_ids
        (0, 921, 263)
        """
        return self.tokens[self.keep :]
