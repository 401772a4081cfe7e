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
from outlines_cont.processes import ProcessBoundValue


class DraftRow(ProcessBoundValue):
    """A row that waits for logits, as a draft sees it: frozen, and good for keeping.

    Attributes:
        budget: how many tokens, at most, are worth proposing now; what goes beyond it is cut off. It follows what was
            accepted lately, and is never 0.
        ahead: where its constraint stands, and what follows of each token without a draw.
        sampler, seed: what its draws follow from, besides its logits and its place.

    >>> def draft(row):
    ...     print(row)  # and proposes nothing
    >>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, draft=draft)
    DraftRow('The sky is', budget=1)
    ' blue.'
    """

    _instead = "pass on what it says, as row.ids and row.text"

    def __init__(self, growing: Hypothesis, ahead: Ahead, budget: int, sampler: Sampler, seed: int):
        self._growing, self.ahead, self.budget = growing, ahead, budget
        self.sampler, self.seed = sampler, seed

    @cached_property
    def ids(self) -> Ids:
        """All its tokens, those of the prompt included.

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
        """Its text, that of the prompt included.

        >>> word = oc.generate.text(model, oc.samplers.greedy())
        >>> said = word("The sky is", max_tokens=2, draft=lambda row: print(row.text))
        The sky is
        """
        return self.encoder.decode(self.ids)

    @property
    def key(self) -> Ids:
        """Which row it is: the same at every step, and another one for each row of a call.

        Rows that fork (samples, beams) have keys that begin with that of the row from which they come.

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
        """How many of these tokens could come next: those before the first that the constraint does not allow.

        >>> year = oc.generate.regex(model, "[0-9]{4}", oc.samplers.greedy())
        >>> rows = []
        >>> said = year("In the year ", draft=rows.append)
        >>> rows[0].agreed(rows[0].encoder.encode_bytes(b"19th"))
        2
        """
        return followed(self.ahead, tuple(continuation))[1]

    def forced_after(self, continuation: Sequence[int] = ()) -> Ids:
        """What the constraint writes by itself after a continuation, without a draw; () mostly.

        It need not be proposed: it is read together with what is proposed before it. A continuation that goes on has to
        go on with it.

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

        Where a run is forced, its next token alone. None where the continuation is refused, where the span ends after
        it, and where nobody knows what follows, because a controller is asked there.

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
    """What proposes how rows go on. Whatever it proposes, the result of the generation is the same.

    It is asked before every pass in which a proposal may be worth its tokens. It may remember what it likes, and may
    be asked by several threads, if several calls use it. It may also have a method `settled(rows, accepted)`: it is
    told before it is asked again, and at the end, of the rows that it was asked about before the last pass, and for
    each how many tokens of its proposal the row took.

    If it has an attribute `paces_itself` that is true, it knows by itself how much is worth proposing: it is asked
    before every pass, and its budget is large.

    An object with a method `begin(model)` stands for a draft, too: that gives the draft of one generation.

    A plain function of one row is a draft, too: it gives one continuation (token ids, or a str or bytes), a list of
    several, or None.
    """

    def propose(self, rows: Sequence[DraftRow], /) -> Sequence[Sequence[Sequence[int]]]:
        """For each row some continuations, each of at most `row.budget` token ids: none, one, or several, which are a
        tree where they share beginnings."""
        ...
