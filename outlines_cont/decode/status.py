"""What a row waits for, or how it ended."""

from __future__ import annotations

from dataclasses import dataclass, replace

from outlines_cont.decode.option_scoring import OptionScoring
from outlines_cont.decode.settings import Turn
from outlines_cont.state.spans import Finished


@dataclass(frozen=True, slots=True, eq=False)
class Status:
    """One of the constants below, or `electing(…)`.

    Attributes:
        drawing: its next token is drawn as soon as it has the logits after its last one.
        ready: it has them.
        asking: its controller is asked as soon as all its tokens are scored.
        waiting: for other rows: its controller is asked as soon as those in lock-step with it wait, too; a particle
            goes on as soon as the others have come as far.
        ending: how it ends, as soon as all its tokens are scored.
        scoring: the options of which it takes one, as soon as they are scored.
        finished: how it ended.
        seen: the controller of all rows has been told that it ended, and has kept it.
        whole: its row holds its span already, so that it has no tokens of its own.
        kept: this call writes nothing after its row; it had ended before.
        elsewhere: nor are others written with it: all have ended, or it is dead, or in another stage of its chain.
        onward: how it goes on in its chain, once the rows that it waits for have come to the border, too.
        died: its predicate has refused, in this stage, all that it could become.
        failing: it has failed in this step, and its frontier does not know yet.
    """

    drawing: bool = False
    ready: bool = False
    asking: bool = False
    waiting: bool = False
    ending: Finished | None = None
    scoring: OptionScoring | None = None
    finished: Finished | None = None
    seen: bool = False
    whole: bool = False
    kept: bool = False
    elsewhere: bool = False
    died: bool = False
    failing: bool = False
    onward: Turn | None = None


ENDS: tuple[Finished, ...] = ("stop", "length", "interrupted")

DRAWING = Status(drawing=True)
READY = Status(drawing=True, ready=True)
ASKING = Status(asking=True)
WAITING = Status(waiting=True)
ENDING = {how: Status(ending=how) for how in ENDS}
ENDED = {how: Status(finished=how) for how in ENDS}
SEEN = {how: Status(finished=how, seen=True) for how in ENDS}
WHOLE = {how: Status(finished=how, whole=True) for how in ENDS}
KEPT = Status(finished="stop", whole=True, kept=True)
ELSEWHERE = Status(finished="stop", whole=True, kept=True, elsewhere=True)
OUT = replace(ELSEWHERE, finished="length")  # it was cut short in an earlier link of its chain
DIED = replace(ELSEWHERE, died=True)
FAILING = replace(ELSEWHERE, failing=True)


def electing(scoring: OptionScoring) -> Status:
    """It waits for the logits that score its options."""
    return Status(scoring=scoring)
