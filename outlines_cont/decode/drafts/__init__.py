"""Drafts: guesses of what rows go on with, so that one pass gives the logits of several steps. See docs/drafts.md."""

from outlines_cont.decode.drafts.protocol import Draft, DraftRow

__all__ = ["Draft", "DraftRow"]
