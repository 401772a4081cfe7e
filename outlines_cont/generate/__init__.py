"""Generators: text, choice, regex, cfg, fsm, json, format, and control, each with all options of its kind.

`oc.Generator(model, output_type, sampler)` makes the same of a type. Called, they give plain values; `continuous()`
makes steps of them.

What a constraint leaves no choice about is not drawn: `forced="canonical"` appends such a run at once, spelled as the
tokenizer would. Tokens that could merge with what stands beside the run are left to the model. `"never"` draws every
token, so that all spellings keep their probability: the default for beams, whose law is exact.

`where=` is a predicate of the text so far, or a log-potential: it says what no grammar can. See docs/weighted.md.

>>> number = oc.generate.regex(model, "[0-9]+", oc.samplers.greedy())
>>> number("Mira is 34 years old.\\nQ: How old is Mira?\\nA: ")
'34'
>>> even = oc.generate.regex(model, "[0-9]{2}", where=lambda text, done: not done or int(text) % 2 == 0)
>>> int(even("The number is ", seed=0)) % 2
0
"""

from typing import Any, NoReturn

from outlines_cont.generate.generator import Generator
from outlines_cont.generate.kinds import cfg, choice, control, format, fsm, json, regex, text
from outlines_cont.generate.next_token import next_of
from outlines_cont.hints import NAMES, hint
from outlines_cont.state.model import generations

__all__ = ["Generator", "cfg", "choice", "control", "format", "fsm", "json", "regex", "text"]


def _called(model: Any, prompts: Any, output_type: Any, sampler: Any, max_tokens: Any, **options: Any) -> Any:
    """What `model(prompts, output_type)` does."""
    where = options.pop("where", None)
    return Generator(model, output_type, sampler, where=where)(prompts, max_tokens, **options)


generations.update(call=_called, next=next_of)


def __getattr__(name: str) -> NoReturn:
    """What people look for here out of habit."""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint(NAMES, name)}")


def __dir__() -> list[str]:
    return sorted(__all__)
