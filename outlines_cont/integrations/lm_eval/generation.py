"""Generation settings of lm-eval's tasks: which sampler they mean, where a text ends, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from outlines_cont.arguments import is_number, shown
from outlines_cont.decode import samplers
from outlines_cont.decode.samplers.protocol import Sampler
from outlines_cont.integrations.lm_eval.harness import normalize_gen_kwargs
from outlines_cont.state.model import Model

MAX_GEN_TOKS = 256  # where a task says nothing, as in lm-eval
#: Settings that transformers has and that mean something else here, with what to write.
INSTEAD = {
    "max_length": "max_gen_toks counts what is generated",
    "stop_strings": "until ends a text",
    "eos_token_id": "until takes the text of a token",
    "num_return_sequences": "a request has one answer; a task draws several with `repeats`",
}


@dataclass(frozen=True)
class GenerationSettings:
    """What the requests of one kind are generated with.

    Attributes:
        sampler: what tokens are drawn by.
        until: strings at which a text ends.
        max_tokens: the most tokens of a text.
    """

    sampler: Sampler[Any]
    until: tuple[str, ...]
    max_tokens: int

    @classmethod
    def of(cls, model: Model, gen_kwargs: dict[str, Any]) -> GenerationSettings:
        """The settings of a request, as lm-eval's `hf` backend reads them: they change the model's generation config.

        Raises:
            TypeError: settings that are no dict.
            ValueError: a setting, by name, that there is not, or with a value that it cannot have.
        """
        if not isinstance(gen_kwargs, dict):
            raise TypeError(f"generation settings are a dict, not {shown(gen_kwargs)}")
        settings: dict[str, Any] = dict(normalize_gen_kwargs(gen_kwargs, MAX_GEN_TOKS))
        until, max_tokens = settings.pop("until", []), settings.pop("max_gen_toks")
        if not all(isinstance(text, str | None) for text in until):
            raise TypeError(f"until={shown(until)}: it is a string or a list of strings")
        if max_tokens < 1:
            raise ValueError(f"max_gen_toks={max_tokens}: it must be an int ≥ 1")
        return cls(_sampler(model, settings), tuple(text for text in until if text), max_tokens)


def _sampler(model: Model, settings: dict[str, Any]) -> Sampler[Any]:
    from transformers import GenerationConfig

    config: Any = deepcopy(getattr(getattr(model, "hf", None), "generation_config", None)) or GenerationConfig()
    temperature = settings.get("temperature", 0.0)
    if settings.get("do_sample"):
        if not is_number(temperature) or temperature <= 0:
            raise ValueError(f"do_sample=True with temperature={shown(temperature)}: it must be a number > 0")
    else:
        settings.pop("temperature", None)
    for name, value in settings.items():
        if name in INSTEAD:
            raise ValueError(f"generation setting {name}={shown(value)} is not supported: {INSTEAD[name]}")
        if not hasattr(config, name):
            raise ValueError(f"generation setting {name}={shown(value)}: transformers' generate() has no such setting")
        setattr(config, name, value)
    # what the model's own config sets of these is a call's business, and a request says it
    return samplers.from_config(config, ignore=("num_return_sequences",))
