"""`oc.stepping`: generations as values that are stepped by hand, and the engines that compute their logits.

`generator.begin(prompt)` gives a `Frontier`, which says what it needs (`Need`) and takes the logits. An `Engine`, or a
`LanguageModel`, computes them: docs/stepping.md and docs/engines.md say how to write one. `events` reads the
thoughts, text and calls of a stream. `strict_kv` makes operations that lose keys and values an error.

>>> frontier = oc.generate.text(model, oc.samplers.greedy()).begin("The sky is", max_tokens=1)
>>> while not frontier.done:
...     frontier = frontier.step(model.logits(frontier.pending))
>>> str(frontier.state)
'The sky is blue'
"""

from outlines_cont.decode.frontier import Frontier
from outlines_cont.engines.protocol import Engine, LanguageModel
from outlines_cont.kv.needs import Need
from outlines_cont.messages import Event, events
from outlines_cont.state.keys_and_values import strict_kv

__all__ = ["Engine", "Event", "Frontier", "LanguageModel", "Need", "events", "strict_kv"]
