"""Structured generation as values: immutable sequence states, batch × sample × token, that are indexed, sliced, forked,
joined, resumed and beam-searched, and that keep what was already computed."""

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
