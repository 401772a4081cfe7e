"""`oc.steer`: what steers a generation while it is written.

A hook is a function of a `Draw`: it is called before a token is accepted, and answers None, `Replace`, `Insert`,
`Resample`, `Backtrack` or `Stop`; `Watch` makes one that only looks. `Hooks` are several of them, with limits. A
controller is a function of a row that is written (`Writing`), which gives `Branch`es; `oc.generate.control` makes a
generator of it. docs/stepping.md explains both.

>>> def no_blue(draw):
...     return oc.steer.Resample() if draw.bytes == b" blue" else None
>>> oc.generate.text(model, oc.samplers.greedy())("The sky is", max_tokens=2, hooks=[no_blue])
' white.'
"""

from outlines_cont.decode.branch import KEEP, Branch
from outlines_cont.decode.draws import Backtrack, Draw, Insert, Replace, Resample, Stop, Watch
from outlines_cont.decode.writing import Writing
from outlines_cont.generate.call_options import Hooks

__all__ = ["KEEP", "Backtrack", "Branch", "Draw", "Hooks", "Insert", "Replace", "Resample", "Stop", "Watch", "Writing"]
