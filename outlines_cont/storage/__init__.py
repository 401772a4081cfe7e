"""`oc.storage`: states as bytes. `state.save(path)` and `oc.load_state` keep them in files.

>>> state = model.state("The sky is")
>>> oc.storage.from_bytes(oc.storage.to_bytes(state), model) == state
True

`records.py` says what is written of a row, `files.py` how, `states.py` reads it again.
"""

from outlines_cont.storage.states import from_bytes, to_bytes, unpickling

__all__ = ["from_bytes", "to_bytes", "unpickling"]
