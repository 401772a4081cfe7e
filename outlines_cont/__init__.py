"""Structured generation with language models, as values.

A `SequenceState` is an immutable grid of token sequences, batch × sample × token. Generators are functions from states
to states; states are indexed, sliced, forked, joined, resumed and beam-searched, and keep what was already computed.

The library has six uses:

- load a model: `load()` gives the small one that ships with the package, and `load("folder-or-hub-id")` another one;
  `Model(hf_model, hf_tokenizer)` wraps a loaded one, and `Model(tokenizer)` is one that computes no logits;
- generate values: `Generator(model, output_type, sampler)` takes a type, a list of options, a pattern, a schema, or one
  of `types`, and is called with prompts; `model(prompt, output_type)` does both at once. `generate.text`, `choice`,
  `regex`, `cfg`, `json`, `format` and `control` make generators with all options of a kind; `samplers` has the
  samplers: `greedy`, `multinomial`, `beam_search` and `smc`;
- continue states: `continuous(generator, name)` makes a step, from prompts or a state to a state; steps make chains,
  `a >> " text " >> b`; `resume` continues spans that were cut, and `stream` gives all states on the way;
- work with states: `state[batch, sample, token]`, `+`, `cat`, `fork`, `best`, `resample`, `captures`, `save`;
- score texts: `score(state, texts)`;
- do a job of a million prompts: `map(step, prompts, seed=0, out="folder", workers=4)`, in any number of processes.

>>> oc.Generator(model, int, oc.samplers.greedy())("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
34
>>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
>>> state = city(["The capital of France is ", "The capital of Italy is "])
>>> state.captures["city"], state[1, 0, :-1].tolist()
([[['Paris']], [['Rome']]], [['The capital of Italy is ']])

Every example in these docstrings begins after `import outlines_cont as oc; model = oc.load()`.

Read on: `help(oc.SequenceState)`, `help(oc.generate)`; the README for the ideas; docs/design.md for the reasons;
docs/search.md for beams, scores and particles; docs/stepping.md for hooks (`Draw`, the answers `Replace`, `Insert`,
`Resample`, `Backtrack`, `Stop`, and `Watch`), controllers (`Writing`, `Branch`) and generations as values (`Frontier`,
`Need`); docs/models.md, docs/json.md and docs/grammars.md; docs/engines.md for engines, which compute logits (`Engine`,
`LanguageModel`). Errors are subclasses of `OutlinesContError`.
"""

import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

# In a checkout, `fsm` and `kernels` are links to the folders beside this package; where git makes no links (it then
# leaves text files), they are found through the package's path.
if not (Path(__file__).parent / "kernels").is_dir():
    __path__.append(str(Path(__file__).parent.parent))

# transformers and others import tqdm's bars for notebooks. Where ipywidgets are missing, tqdm warns of that, and a
# notebook shows the warning in a red box above the first result. Bars are text then.
if "ipykernel" in sys.modules:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="IProgress not found")
        import_module("tqdm.auto")

if TYPE_CHECKING:
    from outlines_cont import drafts, generate
    from outlines_cont.decode import samplers
    from outlines_cont.decode.branch import KEEP, Branch
    from outlines_cont.decode.draws import Backtrack, Draw, Insert, Replace, Resample, Stop, Watch
    from outlines_cont.decode.frontier import Frontier
    from outlines_cont.decode.samplers import filters
    from outlines_cont.decode.writing import Writing
    from outlines_cont.engines.protocol import Engine, LanguageModel
    from outlines_cont.errors import (
        BatchMismatch,
        ConstraintError,
        ContextFull,
        CorruptStateError,
        DraftError,
        EngineError,
        InvalidValueError,
        LibraryError,
        ModelFileError,
        OutlinesContError,
        RankError,
        RowError,
        SampleMismatch,
        SlicingError,
        WorkerError,
    )
    from outlines_cont.fsm.partial_json import NOTHING, Partial, partial
    from outlines_cont.generate import output_types as types
    from outlines_cont.generate.call_options import CallOptions
    from outlines_cont.generate.generator import Generator
    from outlines_cont.generate.steps import Chain, Step, continuous
    from outlines_cont.grafts.states import GraftDifference, graft, graft_error
    from outlines_cont.jobs.mapped import map
    from outlines_cont.kv.needs import Need
    from outlines_cont.loading import load
    from outlines_cont.pictures.compare import Comparison, compare
    from outlines_cont.scores.score import Scoring, score, scoring
    from outlines_cont.state.conversation import ToolCall, tools
    from outlines_cont.state.draw_notes import Candidate, LikelyToken
    from outlines_cont.state.errors import HookLimit, IncompleteError, Interrupted
    from outlines_cont.state.keys_and_values import strict_kv
    from outlines_cont.state.model import Model
    from outlines_cont.state.next_law import NextLaw
    from outlines_cont.state.state import SequenceState, cat
    from outlines_cont.storage.states import from_bytes, load_state, unpickling

# The module of each public name: imported when the name is first used, so that `outlines_cont.fsm` needs no torch.
_HOMES = {
    "decode.branch": ("Branch", "KEEP"),
    "decode.draws": ("Backtrack", "Draw", "Insert", "Replace", "Resample", "Stop", "Watch"),
    "decode.frontier": ("Frontier",),
    "decode.writing": ("Writing",),
    "engines.protocol": ("Engine", "LanguageModel"),
    "errors": (
        "BatchMismatch",
        "ConstraintError",
        "ContextFull",
        "CorruptStateError",
        "DraftError",
        "EngineError",
        "InvalidValueError",
        "LibraryError",
        "ModelFileError",
        "OutlinesContError",
        "RankError",
        "RowError",
        "SampleMismatch",
        "SlicingError",
        "WorkerError",
    ),
    "fsm.partial_json": ("NOTHING", "Partial", "partial"),
    "generate.call_options": ("CallOptions",),
    "generate.generator": ("Generator",),
    "jobs.mapped": ("map",),
    "scores.score": ("Scoring", "score", "scoring"),
    "generate.steps": ("Chain", "Step", "continuous"),
    "kv.needs": ("Need",),
    "pictures.compare": ("Comparison", "compare"),
    "grafts.states": ("GraftDifference", "graft", "graft_error"),
    "state.errors": ("HookLimit", "IncompleteError", "Interrupted"),
    "loading": ("load",),
    "state.model": ("Model",),
    "state.next_law": ("NextLaw",),
    "state.state": ("SequenceState", "cat"),
    "storage.states": ("from_bytes", "load_state", "unpickling"),
    "state.keys_and_values": ("strict_kv",),
    "state.draw_notes": ("Candidate", "LikelyToken"),
    "state.conversation": ("ToolCall", "tools"),
}
_MODULES = {
    "drafts": "drafts",
    "filters": "decode.samplers.filters",
    "generate": "generate",
    "samplers": "decode.samplers",
    "types": "generate.output_types",
}
# What registers itself when it is imported, and has to be there as soon as a name is used: what a call of a model does.
_WITH = {"Model": "generate", "load": "generate"}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "KEEP",
    "NOTHING",
    "Backtrack",
    "BatchMismatch",
    "Branch",
    "CallOptions",
    "Candidate",
    "Chain",
    "Comparison",
    "ConstraintError",
    "ContextFull",
    "CorruptStateError",
    "DraftError",
    "Draw",
    "Engine",
    "EngineError",
    "Frontier",
    "Generator",
    "GraftDifference",
    "HookLimit",
    "IncompleteError",
    "Insert",
    "Interrupted",
    "InvalidValueError",
    "LanguageModel",
    "LibraryError",
    "LikelyToken",
    "Model",
    "ModelFileError",
    "Need",
    "NextLaw",
    "OutlinesContError",
    "Partial",
    "RankError",
    "Replace",
    "Resample",
    "RowError",
    "SampleMismatch",
    "Scoring",
    "SequenceState",
    "SlicingError",
    "Step",
    "Stop",
    "ToolCall",
    "Watch",
    "WorkerError",
    "Writing",
    "cat",
    "compare",
    "continuous",
    "drafts",
    "filters",
    "from_bytes",
    "generate",
    "graft",
    "graft_error",
    "load",
    "load_state",
    "map",
    "partial",
    "samplers",
    "score",
    "scoring",
    "strict_kv",
    "tools",
    "types",
    "unpickling",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = import_module(f"{__name__}.{_MODULES[name]}")
    elif name in _HOME:
        if name in _WITH:
            import_module(f"{__name__}.{_WITH[name]}")
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    elif find_spec(f"{__name__}.{name}") is not None:  # `oc.errors` …
        return import_module(f"{__name__}.{name}")
    else:
        from outlines_cont.hints import NAMES, hint

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint(NAMES, name)}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
