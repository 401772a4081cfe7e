"""Drafts: guesses of what rows go on with, so that one pass gives the logits of several steps. See docs/drafts.md.

>>> new = oc.load()
>>> oc.generate.text(new, oc.samplers.greedy())("The sky is", max_tokens=4, draft=lambda row: " blue.")
' blue. The'
>>> new.stats.passes, new.stats.drafted, new.stats.accepted
(2, 2, 2)
"""

from typing import NoReturn

from outlines_cont.drafts.protocol import Draft, DraftRow
from outlines_cont.drafts.sources import lookup, model
from outlines_cont.hints import DRAFTS, hint

__all__ = ["Draft", "DraftRow", "lookup", "model"]


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint(DRAFTS, name)}")
