"""Drafts: guesses of what rows go on with, so that one pass gives the logits of several steps. See docs/drafts.md.

>>> new = oc.load()
>>> oc.generate.text(new, oc.samplers.greedy())("The sky is", max_tokens=4, draft=lambda row: " blue.")
' blue. The'
>>> new.stats.passes, new.stats.drafted, new.stats.accepted
(3, 2, 1)
"""

from outlines_cont.drafts.protocol import Draft, DraftRow
from outlines_cont.drafts.sources import auto, lookup, model, ngram

__all__ = ["Draft", "DraftRow", "auto", "lookup", "model", "ngram"]
