"""Whether a hypothesis goes on, what it waits for, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from outlines_cont.state.spans import Finished


@dataclass(frozen=True, slots=True, eq=False)
class Status:
    """One of the constants below.

    Attributes:
        ready: it has the logits after its last token, so that its next token can be drawn.
        asking: its controller is asked as soon as all its tokens are scored.
        ending: how it ends, as soon as all its tokens are scored.
        finished: how it ended.
        whole: its row holds its span already, so that it has no tokens of its own.
        kept: this call writes nothing after its row, which comes back unchanged.
    """

    ready: bool = False
    asking: bool = False
    ending: Finished | None = None
    finished: Finished | None = None
    whole: bool = False
    kept: bool = False


ENDS: tuple[Finished, ...] = ("stop", "length", "interrupted")

UNREAD = Status()  # it waits for the logits after its last token
READY = Status(ready=True)
ASKING = Status(asking=True)
ENDING = {how: Status(ending=how) for how in ENDS}
ENDED = {how: Status(finished=how) for how in ENDS}
WHOLE = {how: Status(finished=how, whole=True) for how in ENDS}
KEPT = Status(finished="stop", whole=True, kept=True)
