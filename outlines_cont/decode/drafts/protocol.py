"""What proposes, and what it is shown: the protocol `Draft`, and `DraftRow`, a row that waits for logits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor

from outlines_cont.arguments import shown
from outlines_cont.decode.drafts.ahead import Ahead, Ids, followed
from outlines_cont.decode.hypothesis import Hypothesis
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.engines.text.encoding import Encoder
from outlines_cont.fsm.bitmask import pack, unpack
from outlines_cont.fsm.vocabulary import Vocabulary
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
        >>> said = word(["The sky is", "Mira is"], max_tokens=2, draft=lambda row: print(row.key))
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
        """The same as `mask_after`, as a bool tensor `[V]` on the CPU.

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
    - `paces_itself`: if true, the draft decides itself how much to propose: `propose` is called before every pass, with
      a large budget.
    - `begin(model)`: returns the draft of one generation. An object with only this method is a draft, too.

    A plain function of one row is a draft, too: it returns one continuation (token ids, or a str or bytes), a list of
    several, or None.
    """

    def propose(self, rows: Sequence[DraftRow], /) -> Sequence[Sequence[Sequence[int]]]:
        """For each row a list of continuations, which may be empty, each of at most `row.budget` token ids.
        Continuations that begin alike are read as a tree."""
        ...
