"""What a row waits for, or that it has ended."""

from __future__ import annotations

from enum import Enum
from typing import Literal


class Status(Enum):
    """What a row waits for. How it ends, its options, and where it goes on in its chain stand beside it in the row.

    DRAWING: the logits after its last token; READY: nothing, for it has them: a token is drawn.
    GIVEN: the scores of its last tokens, which were given. Then it has ended, if it was to end there; if not, its
    controller is asked.
    ELECTING: the logits that score its options, of which it takes one.
    WAITING: other rows. Its controller is asked as soon as those in lock-step with it wait, too; a particle goes on as
    soon as the others have come as far.
    ENDED: nothing. WHOLE: nor has it tokens of its own, for its row holds its span already. INACTIVE: nor does it take
    part in this stage of its chain: it is dead, or waits for its turn in the next one, or its chain is over.

    Attributes:
        drawing, ready, waiting, inactive: whether it is one of these.
        ended: whether it has ended; whole: whether its row holds its span.
    """

    DRAWING = "drawing"
    READY = "drawing, ready"
    GIVEN = "given"
    ELECTING = "electing"
    WAITING = "waiting"
    ENDED = "ended"
    WHOLE = "ended, whole"
    INACTIVE = "ended, whole, inactive"

    drawing: bool
    ready: bool
    waiting: bool
    ended: bool
    whole: bool
    inactive: bool

    def __init__(self, traits: str):
        for trait in ("drawing", "ready", "waiting", "ended", "whole", "inactive"):
            setattr(self, trait, trait in traits.split(", "))


DRAWING, READY, GIVEN, ELECTING, WAITING, ENDED, WHOLE, INACTIVE = Status

#: Why a row has no tokens that go on: its predicate has refused, in this stage, all that it could become; or it has
#: failed in this step, and its frontier does not know yet.
Lost = Literal["died", "failing"]
