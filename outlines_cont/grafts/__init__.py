"""`oc.grafts`: rows that take over keys and values of other texts, the only ones that are not exact.

docs/grafts.md explains them.

>>> question = oc.grafts.graft(model.state("Look up."), model.state(" The sky is"))
>>> str(question)
'Look up. The sky is'
"""

from outlines_cont.grafts.states import GraftDifference, graft, graft_error

__all__ = ["GraftDifference", "graft", "graft_error"]
