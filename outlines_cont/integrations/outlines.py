"""Constraints of ours in generators of Outlines, so that beams and several samples are right there, too.

    theirs = outlines.from_transformers(hf_model, hf_tokenizer)
    generator = outlines.Generator(theirs, processor=processor(theirs, output_type))
    generator(prompt, num_beams=4, num_return_sequences=4)

The other way round, `oc.Generator(model, …)` takes Outlines' terms, and `oc.continuous(…)` its generators.
"""

from __future__ import annotations

from typing import Any

from outlines_cont.arguments import shown
from outlines_cont.integrations.transformers import LogitsProcessor


def processor(model: Any, output_type: Any) -> LogitsProcessor:
    """A logits processor for `outlines.Generator(model, processor=…)`, where its own have one guide for each row.

    Args:
        model: what `outlines.from_transformers(hf_model, hf_tokenizer)` gave.
        output_type: what is to be written: all that `oc.Generator` takes, Outlines' terms included.

    Raises:
        TypeError: the model is none of Outlines that wraps one of transformers; or an output type that is none.
        ConstraintError: nothing fits the constraint, or the vocabulary cannot spell it.

    The generator gives texts, as all of Outlines do; `processor.constraint.parse(text)` gives the value.

    >>> from types import SimpleNamespace
    >>> from outlines_cont.integrations.outlines import processor
    >>> theirs = SimpleNamespace(model=model.hf, hf_tokenizer=model.tokenizer)  # in place of outlines.from_transformers
    >>> processor(theirs, ["Paris", "Rome"])
    LogitsProcessor(choice, 1536 tokens)
    """
    hf, tokenizer = getattr(model, "model", None), getattr(model, "hf_tokenizer", None)
    if hf is None or tokenizer is None or not hasattr(hf, "generate"):
        raise TypeError(
            "processor() takes a model of Outlines that wraps one of transformers, "
            f"outlines.from_transformers(hf_model, hf_tokenizer), not {shown(model)}; for generate() of transformers "
            "itself, outlines_cont.integrations.transformers has LogitsProcessor"
        )
    return LogitsProcessor(output_type, tokenizer)
