"""Structured generation with language models, as values.

A `SequenceState` is an immutable grid of token sequences, batch × sample × token. Generators are functions from states
to states; states are indexed, sliced, forked, joined, resumed and beam-searched, and keep what was already computed.

Five things one does:

- load a model: `load()` gives the small one that ships with the package, `load("folder-or-hub-id")` another one,
  `Model(hf_model, hf_tokenizer)` one that is there already;
- generate values: `generate.text`, `choice`, `regex`, `cfg`, `json`, `format` and `control` make generators, which are
  called with prompts; `samplers` has what they draw by: `greedy`, `multinomial`, `beam_search` and `smc`;
- go on from states: `continuous(generator, name)` makes a step, from prompts or a state to a state; steps make chains,
  `a >> " text " >> b`; `resume` goes on with what was cut, and `stream` gives all states on the way;
- work with states: `state[batch, sample, token]`, `+`, `cat`, `fork`, `best`, `resample`, `captures`, `save`;
- score texts: `score(state, texts)`.

>>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
>>> state = city(["The capital of France is ", "The capital of Italy is "])
>>> state.captures["city"], state[1, 0, :-1].tolist()
([[['Paris']], [['Rome']]], [['The capital of Italy is ']])

Every example in these docstrings begins after `import outlines_cont as oc; model = oc.load()`.

Read on: `help(oc.SequenceState)`, `help(oc.generate)`; the README, idea by idea; docs/design.md, for the why;
docs/search.md, for beams, scores and particles; docs/stepping.md, for hooks (`Draw`, and the answers `Replace`,
`Resample`, `Backtrack`, `Stop`), controllers (`Writing`, `Branch`) and generations as values (`Frontier`, `Need`);
docs/models.md, docs/json.md and docs/grammars.md. Errors are subclasses of `OutlinesContError`.
"""

from pathlib import Path

# In a checkout, `fsm` and `kernels` lie beside this package rather than inside it.
if not (Path(__file__).parent / "kernels").exists():
    __path__.append(str(Path(__file__).parent.parent))

from outlines_cont import generate, samplers
from outlines_cont.branch import KEEP, Backtrack, Branch, Draw, Replace, Resample, Stop, Writing
from outlines_cont.continuations import score
from outlines_cont.continuous import Chain, Step, continuous
from outlines_cont.decoding import Frontier, Need
from outlines_cont.errors import (
    BatchMismatch,
    ConstraintError,
    HookLimit,
    IncompleteError,
    Interrupted,
    InvalidValueError,
    OutlinesContError,
    SampleMismatch,
    SlicingError,
)
from outlines_cont.fsm.partial import NOTHING, Partial, partial
from outlines_cont.model import Model, load
from outlines_cont.state import SequenceState, cat, load_state, strict_kv

__all__ = [
    "KEEP",
    "NOTHING",
    "Backtrack",
    "BatchMismatch",
    "Branch",
    "Chain",
    "ConstraintError",
    "Draw",
    "Frontier",
    "HookLimit",
    "IncompleteError",
    "Interrupted",
    "InvalidValueError",
    "Model",
    "Need",
    "OutlinesContError",
    "Partial",
    "Replace",
    "Resample",
    "SampleMismatch",
    "SequenceState",
    "SlicingError",
    "Step",
    "Stop",
    "Writing",
    "cat",
    "continuous",
    "generate",
    "load",
    "load_state",
    "partial",
    "samplers",
    "score",
    "strict_kv",
]
