"""Structured generation with language models, as values.

A `SequenceState` is an immutable grid of token sequences, batch × sample × token. Generators are functions from states
to states; states are indexed, sliced, forked, joined, resumed and beam-searched, and keep what was already computed.

Twelve names are enough to begin with:

- `load`, `Model`: `load()` gives the small model that ships with the package, and `load("folder-or-hub-id")` another
  one; `Model(hf_model, hf_tokenizer)` wraps a loaded one, and `Model(tokenizer)` is one that computes no logits;
- `Generator`, `types`, `samplers`: `Generator(model, output_type, sampler)` takes a type, a list of options, a pattern,
  a schema, or one of `types`, and is called with prompts; `model(prompt, output_type)` does both at once. `samplers`
  has `greedy`, `multinomial`, `exact`, `beam_search` and `smc`;
- `continuous`: `continuous(generator, name)` makes a step, from prompts or a state to a state; steps make chains,
  `a >> " text " >> b`; `resume` continues spans that were cut, and `stream` gives all states on the way;
- `SequenceState`, `cat`, `load_state`: `state[batch, sample, token]`, `+`, `fork`, `best`, `captures`, `save`;
- `score`: `score(state, texts)`, the log-probabilities of texts;
- `map`: `map(step, prompts, seed=0, out="folder", workers=4)` does a job of a million prompts, in any number of
  processes;
- `OutlinesContError`: the root of all errors.

>>> oc.Generator(model, int, oc.samplers.greedy())("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
34
>>> city = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], oc.samplers.greedy()), name="city")
>>> state = city(["The capital of France is ", "The capital of Italy is "])
>>> state.captures["city"], state[1, 0, :-1].tolist()
([[['Paris']], [['Rome']]], [['The capital of Italy is ']])

Every example in these docstrings begins after `import outlines_cont as oc; model = oc.load()`.

The others are for those who want more. `generate` has a function for each kind of generator, with all its options;
`filters` change a sampler's law; `drafts` let one pass give several tokens; `compare` shows where two states part;
`batch` does different jobs in the same passes, and `Settings` are those of one row;
`bounds` proves between which numbers the probabilities of values lie.
`CallOptions` is the type of the options of a call, of which `Keep` and `Mix` are two; `Step` and `Chain` are what
`continuous` makes. And there are modules by subject:

- `errors`: all errors, by name;
- `steer`: hooks (`Draw`, and the answers `Replace`, `Insert`, `Resample`, `Backtrack`, `Stop`) and controllers
  (`Writing`, `Branch`); see docs/stepping.md;
- `stepping`: generations as values that are stepped by hand (`Frontier`, `Need`), and engines, which compute logits
  (`Engine`, `LanguageModel`); see docs/engines.md;
- `scores`: what a model makes of texts and tokens; `storage`: states as bytes; `store`: keys and values on disk;
  `grafts`: keys and values that are taken from other texts; `train`: log-probabilities with gradients; `search`:
  searches over steps of text.

Read on: `help(oc.SequenceState)`, `help(oc.generate)`; the README for the ideas; docs/design.md for the reasons.
"""

import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

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
    from outlines_cont import drafts, errors, filters, generate, grafts, scores, search, steer, stepping, storage
    from outlines_cont import store, train  # isort: skip
    from outlines_cont.batches import Settings, batch
    from outlines_cont.decode import samplers
    from outlines_cont.errors import OutlinesContError
    from outlines_cont.generate import output_types as types
    from outlines_cont.generate.call_options import CallOptions, Keep, Mix
    from outlines_cont.generate.generator import Generator
    from outlines_cont.generate.steps import Chain, Step, continuous
    from outlines_cont.jobs.mapped import map
    from outlines_cont.loading import load
    from outlines_cont.pictures.compare import compare
    from outlines_cont.scores.bounds import bounds
    from outlines_cont.scores.score import score
    from outlines_cont.state.model import Model
    from outlines_cont.state.state import SequenceState, cat
    from outlines_cont.storage.states import load_state

# The module of each public name: imported when the name is first used, so that `outlines_cont.fsm` needs no torch.
_HOMES = {
    "batches": ("Settings", "batch"),
    "errors": ("OutlinesContError",),
    "generate.call_options": ("CallOptions", "Keep", "Mix"),
    "generate.generator": ("Generator",),
    "generate.steps": ("Chain", "Step", "continuous"),
    "jobs.mapped": ("map",),
    "loading": ("load",),
    "pictures.compare": ("compare",),
    "scores.bounds": ("bounds",),
    "scores.score": ("score",),
    "state.model": ("Model",),
    "state.state": ("SequenceState", "cat"),
    "storage.states": ("load_state",),
}
_MODULES = {n: n for n in ("drafts", "errors", "generate", "grafts", "scores", "search", "steer", "stepping", "train")}
_MODULES |= {"samplers": "decode.samplers", "types": "generate.output_types"}
_MODULES |= {name: name for name in ("filters", "storage", "store")}
# What registers itself when it is imported, and has to be there as soon as a name is used: what a call of a model does.
_WITH = {"Model": "generate", "load": "generate"}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

# The twelve that newcomers need, in the order in which they meet them; and the others.
__all__ = ["load", "Model", "Generator", "types", "samplers", "continuous"]  # noqa: RUF022
__all__ += ["SequenceState", "cat", "score", "map", "load_state", "OutlinesContError"]  # noqa: RUF022
__all__ += [
    "CallOptions",
    "Chain",
    "Keep",
    "Mix",
    "Settings",
    "Step",
    "batch",
    "bounds",
    "compare",
    "drafts",
    "errors",
    "filters",
    "generate",
]
__all__ += ["grafts", "scores", "search", "steer", "stepping", "storage", "store", "train"]


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
