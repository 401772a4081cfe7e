"""Scores of given texts: `oc.score`."""
