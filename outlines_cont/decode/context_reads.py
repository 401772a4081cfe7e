"""What models read of the contexts beside a growing row, and what they are asked next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.kv.needs import Need
from outlines_cont.kv.radix_tree import Claim
from outlines_cont.state.combination import Combination, OtherContext
from outlines_cont.state.row import Row


class FedContext(NamedTuple):
    """What a model has read of one context.

    Attributes:
        context: it.
        head: its tokens up to where the row's span begins.
        size: the row's tokens up to there.
        parent: the place of the need, in the frontier before, that it continues.
        keep: how many tokens of that one are its own.
        claim: on the keys and values of its first tokens.
    """

    context: OtherContext
    head: tuple[int, ...]
    size: int
    parent: int | None = None
    keep: int = 0
    claim: Claim | None = None

    def length(self, length: int) -> int:
        """How many tokens it has where the row has so many."""
        return len(self.head) + length - self.size

    def cropped(self, length: int) -> FedContext:
        """Of a row that keeps only so many tokens."""
        length = self.length(length)
        return self._replace(keep=min(self.keep, length), claim=self.claim and self.claim.crop(length))

    def need(self, of_row: Need, place: int) -> Need:
        """The same as the row needs: its tokens, and the logits after the same ones of them."""
        if not of_row.wanted:  # the row waits: nothing is read, and what was is still there
            whole = self.head + of_row.tokens[self.size :]
            return Need((), (), self.claim, whole[: self.keep], place, self.parent, self.keep)
        wanted = tuple(map(self.length, of_row.wanted))
        return Need(of_row.ids, wanted, self.claim, self.head, place, self.parent, min(self.keep, wanted[0]))

    def read(self, need: Need, claim: Claim | None) -> FedContext:
        """Once that was answered."""
        return self._replace(parent=need.row, keep=need.length, claim=claim or self.claim)


FedContexts = tuple[FedContext, ...]


def fed_contexts(row: Row) -> FedContexts:
    """The contexts beside a row, of which nothing was read in this frontier."""
    beside = row.beside
    if beside is None:
        return ()
    return tuple(
        FedContext(each, beside.tokens(each, row.ids), len(row.ids), claim=each.claim) for each in beside.contexts
    )


def check_shared(head: Row, row: Row) -> None:
    """ValueError if a span that goes on, whose row has contexts, began before these share its tokens."""
    if row.beside is not None and head.beside is None:
        raise ValueError(
            "resume() of a span that began before the contexts beside its row (state.beside) share its tokens: leave "
            "them out, beside=[], or give others"
        )


def with_claims(contexts: FedContexts, row: Row) -> FedContexts:
    """The contexts of a span that goes on, with the claims of the row that has its tokens."""
    if row.beside is None:
        return contexts
    pairs = zip(contexts, row.beside.contexts, strict=True)
    return tuple(fed._replace(claim=each.claim) for fed, each in pairs)


def going_on(new: FedContexts, before: FedContexts) -> FedContexts:
    """The contexts of a row whose end another one wrote a moment ago: what was read of them was read."""
    if len(new) != len(before):
        return new
    pairs = zip(new, before, strict=True)
    return tuple(a._replace(parent=b.parent, keep=min(b.keep, len(a.head))) for a, b in pairs)


def asked_contexts(contexts: FedContexts, model: LanguageModel | None) -> list[int]:
    """The places of the contexts that a model is asked about, None being the rows' own. One of weight 0 is not read."""
    return [i for i, fed in enumerate(contexts) if fed.context.model is model and fed.context.weight]


def claiming(beside: Combination, contexts: FedContexts, length: int) -> Combination:
    """What stands beside a row of so many tokens, with claims on what was read of it."""
    return beside.claiming([fed.claim and fed.claim.crop(fed.length(length)) for fed in contexts])


def other_models(rows: Sequence[FedContexts]) -> list[LanguageModel]:
    """The models besides the rows' own that read contexts, each once, in order."""
    models: list[LanguageModel] = []
    for fed in (fed for contexts in rows for fed in contexts):
        if fed.context.model is not None and not any(fed.context.model is each for each in models):
            models.append(fed.context.model)
    return models
