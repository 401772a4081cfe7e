"""What proposes, and what it is shown: the protocol `Draft`, and `DraftRow`, a row that waits for logits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import is_whole, plain, shown
from outlines_cont.decode.hypothesis import Hypothesis, scored
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.decode.settings import SpanSettings
from outlines_cont.engines.protocol import LanguageModel
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.errors import DraftError
from outlines_cont.fsm.vocabulary import Vocabulary, pack, unpack
from outlines_cont.hints import ROW_MEMBERS, Shown
from outlines_cont.processes import ProcessBoundValue


class DraftRow(Shown, ProcessBoundValue):
    """A row that waits for logits, as a draft sees it. It is immutable, and may be kept.

    Attributes:
        budget: the largest number of tokens worth proposing now; more are cut off. It depends on how many were accepted
            lately, and is never 0.
        ahead: the state of its constraint, and the tokens that follow without a draw.
        sampler, seed: they decide its draws, together with its logits and its position.

    >>> def draft(row):
    ...     print(row)  # and proposes nothing
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, draft=draft)
    DraftRow('The sky is', budget=1)
    ' blue.'
    """

    _instead = "pass on what it says, as row.ids and row.text"

    _members = ROW_MEMBERS
    _returns = "a draft returns the tokens that it proposes: ids, a str, bytes, a list of several, or None"

    _growing: Hypothesis
    ahead: Ahead
    budget: int
    sampler: Sampler
    seed: int

    def __init__(self, growing: Hypothesis, ahead: Ahead, budget: int, sampler: Sampler, seed: int):
        vars(self).update(_growing=growing, ahead=ahead, budget=budget, sampler=sampler, seed=seed)

    @cached_property
    def ids(self) -> Ids:
        """All token ids of the row, those of the prompt included.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(row.ids))
        (0, 341, 324, 78, 92, 263)
        """
        return self._growing.row.ids + self._growing.ids

    @property
    def start(self) -> int:
        """The position at which the span begins that is being written.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(row.start))
        6
        """
        return len(self._growing.row)

    @cached_property
    def text(self) -> str:
        """The text of the row, that of the prompt included.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(row.text))
        The sky is
        """
        return self.encoder.decode(self.ids)

    @property
    def key(self) -> Ids:
        """Identifies the row: the same at every step, and different for all rows of a call.

        The key of a forked row (samples, beams) begins with the key of the row from which it comes.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word(["The sky is", "Mira is"], max_tokens=3, draft=lambda row: print(row.key))
        (0,)
        (1,)
        """
        return self._growing.lineage

    @property
    def encoder(self) -> Encoder:
        """Text ↔ token ids.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(row.encoder.append(" blue")))
        [781]
        """
        return self._growing.encoder

    @property
    def vocabulary(self) -> Vocabulary:
        """The bytes of every token.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(len(row.vocabulary)))
        1536
        """
        return self.encoder.vocabulary

    def agreed(self, continuation: Sequence[int]) -> int:
        """How many of these tokens, one after the other, the constraint allows here.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> rows = []
        >>> said = year("In the year ", draft=rows.append)
        >>> rows[0].agreed(rows[0].encoder.encode_bytes(b"19th"))
        2
        """
        return followed(self.ahead, tuple(continuation))[1]

    def forced_after(self, continuation: Sequence[int] = ()) -> Ids:
        """The tokens of the forced run after a continuation, appended without a draw; mostly ().

        They need not be proposed: they are read together with the tokens before them. A longer continuation must
        contain them.

        >>> schema = {"type": "object", "properties": {"name": {"enum": ["Mira", "Max"]}, "age": {"type": "integer"}}}
        >>> person = oc.generate.json(model, schema | {"required": ["name", "age"]}, oc.samplers.greedy())
        >>> def draft(row):
        ...     mira = row.encoder.encode_bytes(b"Mira")
        ...     if row.agreed(mira) == len(mira):
        ...         print(row.vocabulary.decode(row.forced_after(mira)))
        >>> said = person("Who is 34? ", draft=draft)
        b'","age":'
        """
        ahead, agreed = followed(self.ahead, tuple(continuation))
        return ahead.ids[agreed:] if agreed == len(continuation) else ()

    def mask_after(self, continuation: Sequence[int] = ()) -> np.ndarray | None:
        """The tokens that the constraint allows after a continuation, packed into int32 words as the guides' masks are.

        In a forced run, only its next token. None if the continuation is refused, if the span ends after it, and if a
        controller decides what follows.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> rows = []
        >>> said = year("In the year ", draft=rows.append)
        >>> mask = rows[0].mask_after([])
        >>> mask.dtype, len(mask) * 32 >= len(model.vocabulary)
        (dtype('int32'), True)
        """
        ahead, agreed = followed(self.ahead, tuple(continuation))
        if agreed < len(continuation):
            return None
        if agreed < len(ahead.ids):
            only = np.zeros(len(self.vocabulary), bool)
            only[ahead.ids[agreed]] = True
            return pack(only)
        return None if ahead.over else ahead.mask

    def allowed_after(self, continuation: Sequence[int] = ()) -> Tensor | None:
        """The tokens that the constraint allows after a continuation, as a bool tensor `[V]` on the CPU, or None.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> rows = []
        >>> said = year("In the year ", draft=rows.append)
        >>> rows[0].allowed_after([]).sum()
        tensor(10)
        """
        mask = self.mask_after(continuation)
        return None if mask is None else torch.from_numpy(unpack(mask, len(self.vocabulary)))

    def __len__(self) -> int:
        return self._growing.position

    def __repr__(self) -> str:
        return f"DraftRow({shown(self.text)}, budget={self.budget})"


@runtime_checkable
class Draft(Protocol):
    """An object that guesses how rows continue. The result of the generation does not depend on its guesses.

    `propose` is called before every pass in which a guess may be worth its tokens. A draft may have a memory. Several
    threads may call it, if several calls use it.

    Optional members:

    - `settled(rows, accepted)`: called before the next `propose`, and at the end, with the rows of the last `propose`,
      and for each how many tokens of its proposal the row took.
    - `begin(model)`: returns the draft of one generation. An object with only this method is a draft, too.

    A plain function of one row is a draft, too: it returns one continuation (token ids, or a str or bytes), a list of
    several, or None.
    """

    def propose(self, rows: Sequence[DraftRow], /) -> Sequence[Sequence[Sequence[int]]]:
        """For each row a list of continuations, which may be empty, each of at most `row.budget` token ids.
        Continuations that begin alike are read as a tree."""
        ...


# --- where a row would stand after a continuation that nobody has drawn yet

Ids = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ahead:
    """A row that has the logits after its last token, and a continuation, which its constraint allows.

    Its log-probabilities mean nothing: no logits were looked at.

    Attributes:
        h: the row, with the continuation.
        length: how many tokens it has without the continuation.
        ids: the continuation, and what the constraint forces after it.
        wanted: the positions after which the row wants logits on its way there.
        over: nothing is known of what comes after it: its span ends here, or a controller is asked.
        alone: no controller has a word in what follows, and no choice by sequence: forced runs, stop strings and the
            next links of the chain are known in advance.
    """

    h: Hypothesis
    length: int
    ids: Ids = ()
    wanted: Ids = ()
    over: bool = False
    alone: bool = True
    _after: dict[int, Ahead | None] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, h: Hypothesis) -> Ahead | None:
        """A row that waits for logits. None for one that draws nothing when it has them."""
        if not h.status.drawing:
            return None
        alone = all(
            isinstance(link, SpanSettings) and link.constraint.controller is None and not link.constraint.options
            for link in h.settings.links
        )
        return cls(_ready(h), h.position, alone=alone)

    def after(self, token: int) -> Ahead | None:
        """One more token. None if the constraint does not allow it, or if nothing is known of what follows."""
        if token not in self._after:
            self._after[token] = self._one_further(token)
        return self._after[token]

    def _one_further(self, token: int) -> Ahead | None:
        h, vocabulary = self.h, self.h.encoder.vocabulary
        if self.over or token in vocabulary.eos or token in vocabulary.special or not vocabulary.tokens[token]:
            return None
        try:
            if h.at.guide.advance(h.at.state, token) is None:
                return None
            return self._drawn(token) if self.alone else self._longer(token)
        except Exception:  # of somebody's guide: if the row gets there, its step raises it
            return None

    def _longer(self, token: int) -> Ahead:
        """The place after a token, by the guide alone: a controller or a predicate may say more."""
        h, ids = self.h, (*self.ids, token)
        span = h.span.longer((token,), (0.0,), (0.0,))
        wanted = (*self.wanted, self.length + len(self.ids))
        return self._as(h.changed(span=span), ids, wanted, span.guide_ended or span.room <= 0)

    def _drawn(self, token: int) -> Ahead | None:
        """The place after a token, and after all that follows from it without a draw."""
        ids = (*self.ids, token)
        [h] = self.h.extend(token, 0.0, 0.0)
        going = h.status.drawing
        if not going and not h.ending:
            return self._as(h, ids, self.wanted, True)
        need = h.need(0)
        row = self.length + len(ids)
        continuation = need.tokens[self.length :]
        if continuation[: len(ids)] != ids or need.wanted[0] < row - 1:  # tokens of a stop string, say, are taken back
            return self._as(h, ids, self.wanted, True)
        return self._as(_ready(h) if going else h, continuation, (*self.wanted, *need.wanted), not going)

    def _as(self, h: Hypothesis, ids: Ids, wanted: Ids, over: bool) -> Ahead:
        return Ahead(h, self.length, ids, wanted, over, self.alone)

    @property
    def mask(self) -> np.ndarray:
        """The tokens that may come next, packed."""
        at = self.h.at
        return at.guide.mask(at.state) & at.guide.vocabulary.no_eos


def _ready(h: Hypothesis) -> Hypothesis:
    """The hypothesis as if it had all the logits that it waits for."""
    h = h.read(0, 0, None)
    if h.unscored:
        [h] = scored(h, [0.0] * h.unscored)
    return h


def followed(ahead: Ahead, continuation: Ids) -> tuple[Ahead, int]:
    """How far the constraint and its forced runs go along a continuation: the place, and how many tokens agree.

    If fewer than all agree, the continuation is refused there. If all do, a forced run may go on after them.
    """
    for at, token in enumerate(continuation):
        if at < len(ahead.ids):
            if ahead.ids[at] != token:
                return ahead, at
            continue
        longer = ahead.after(token)
        if longer is None:
            return ahead, at
        ahead = longer
    return ahead, len(continuation)


# --- what users give as a draft, as a `Draft`; and what it proposes, checked

TOKEN_BYTES = 64  # longer than nearly all tokens


@dataclass(frozen=True)
class FunctionDraft:
    """A function of one row as a draft."""

    function: Callable[[DraftRow], Any]

    def propose(self, rows: Sequence[DraftRow]) -> list[Any]:
        return [_listed(row, self.function(row)) for row in rows]

    def __repr__(self) -> str:
        return getattr(self.function, "__name__", "") if isinstance(self.function, type(len)) else repr(self.function)


def begun(draft: Any, model: LanguageModel) -> Draft:
    """The draft of one generation of a model."""
    return draft.begin(model) if hasattr(draft, "begin") else draft


def _listed(row: DraftRow, proposed: Any) -> Any:
    """Continuations as a list of them, of one or several, which may be texts."""
    proposed = plain(proposed)
    if proposed is None:
        return []
    if isinstance(proposed, (str, bytes)) or _is_ids(proposed):
        proposed = [proposed]
    if not isinstance(proposed, (list, tuple)):
        raise DraftError(f"it gave {shown(proposed)} after {_end(row)}: token ids, a str or bytes, or a list of these")
    return [_ids_of(row, each) for each in proposed]


def _is_ids(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(map(is_whole, value))


def _ids_of(row: DraftRow, continuation: Any) -> Any:
    if isinstance(continuation, str):
        continuation = continuation.encode(errors="replace")
    if not isinstance(continuation, bytes):
        return continuation
    return row.encoder.encode_bytes(continuation[: TOKEN_BYTES * (row.budget + 1)])  # more would be cut off


def checked_proposals(rows: Sequence[DraftRow], proposals: Any) -> list[list[Ids]]:
    """For each row its continuations. DraftError for what are none."""
    if not isinstance(proposals, (list, tuple)) or len(proposals) != len(rows):
        count = f"{len(proposals)} of them" if isinstance(proposals, (list, tuple)) else shown(proposals)
        raise DraftError(f"it gave {count} for {len(rows)} rows: propose(rows) gives a list of continuations for each")
    return [_checked(row, proposed) for row, proposed in zip(rows, proposals, strict=True)]


def _checked(row: DraftRow, proposed: Any) -> list[Ids]:
    proposed = plain(proposed)
    if not isinstance(proposed, (list, tuple)):
        raise DraftError(f"it proposed {shown(proposed)} after {_end(row)}: continuations are a list of lists of ids")
    size, checked = len(row.vocabulary), []
    for continuation in map(plain, proposed):
        if not isinstance(continuation, (list, tuple)) or not all(map(is_whole, continuation)):
            raise DraftError(f"it proposed {shown(continuation)} after {_end(row)}: a continuation is a list of ids")
        ids = tuple(map(int, continuation))
        if wrong := [token for token in ids if not 0 <= token < size]:
            raise DraftError(f"it proposed token {wrong[0]} after {_end(row)}; the vocabulary has {size} tokens")
        checked.append(ids)
    return checked


def _end(row: DraftRow) -> str:
    return repr(row.encoder.decode(row.ids[-16:]))
