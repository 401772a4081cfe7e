"""`oc.store`: keys and values on disk, so that a prefix that was read in any process is not computed again in another.

>>> from tempfile import mkdtemp
>>> store = oc.store.KVStore(mkdtemp(), budget=1 << 30)
>>> first, second = oc.load(store=store), oc.load(store=store)
>>> text = "Mira is a painter from Lisbon. " * 20 + "Mira is"
>>> answers = [oc.generate.text(model, oc.samplers.greedy())(text, max_tokens=2) for model in (first, second)]
>>> answers[0] == answers[1], first.stats.tokens, second.stats.tokens, second.stats.restored
(True, 184, 56, 128)

`kv_store.py` has the files, `signed.py` what makes a file believed, `reads.py` when a model asks for files and writes
them, `copies.py` what an engine has to offer, `of_transformers.py` that for models of transformers, `of_states.py` the
keys and values of a saved state.
"""

from outlines_cont.store.kv_store import KVStore

__all__ = ["KVStore"]
