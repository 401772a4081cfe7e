"""The call of transformers' `generate()` that a logits processor serves, read from the frames below it.

`generate()` tells its processors the ids of the rows and their logits, and nothing else: neither where the prompts end,
nor that a new call has begun, nor which loop asks. Its own frame says it. (docs/private_interfaces.md lists the names.)
"""

from __future__ import annotations

import inspect
import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final, Literal

import transformers
from transformers import GenerationConfig, GenerationMixin
from transformers.generation.configuration_utils import GenerationMode

from outlines_cont.arguments import plain, shown

_GENERATE = inspect.unwrap(vars(GenerationMixin)["generate"]).__code__

SERVED = {
    GenerationMode.SAMPLE,
    GenerationMode.GREEDY_SEARCH,
    GenerationMode.BEAM_SEARCH,
    GenerationMode.BEAM_SAMPLE,
    GenerationMode.ASSISTED_GENERATION,
}
#: An assistant with another tokenizer than the model's asks: the model judges its drafts when they are translated.
DRAFT: Final = "draft"
#: Settings that forbid or prescribe tokens, and may leave none beside a constraint.
FORBIDDING = (
    *("min_length", "min_new_tokens", "forced_bos_token_id", "forced_eos_token_id", "bad_words_ids"),
    *("suppress_tokens", "begin_suppress_tokens", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size"),
)


@dataclass(frozen=True, eq=False)
class GenerateCall:
    """What one call of `generate()` says.

    Attributes:
        config: gives its generation config, a copy that each call makes.
        width: how many ids its rows have before anything is generated; None in a loop of the user's.
        start: where the constrained text begins, if nobody says otherwise: after a forced bos.
        ends: the ids that end its rows; none where it has no eos.
        pad: the id behind the end of a row, if there is one.
        beams: how many rows are the beams of one text.
        singly: whether each row goes on with a token of its own in every step: sampling, and greedy.
        forbidding: the settings that forbid tokens, as they were given.
    """

    config: weakref.ref[GenerationConfig]
    width: int | None
    start: int | None
    ends: tuple[int, ...]
    pad: tuple[int, ...]
    beams: int
    singly: bool
    forbidding: str


class GenerateCalls:
    """Which call of `generate()` a processor is in; each call is read once.

    Args:
        processor: whose calls.
        may_loop: whether it serves loops of the user's, too.
    """

    def __init__(self, processor: Any, may_loop: bool):
        self._processor = weakref.ref(processor)
        self._may_loop = may_loop
        self._last: GenerateCall | None = None

    def current(self) -> GenerateCall | Literal["draft"] | None:
        """The call that runs; None outside of `generate()`; `DRAFT` where an assistant drafts in tokens of its own.

        Raises:
            ValueError: a loop that cannot be served, or a processor that is given twice.
        """
        processor = self._processor()
        calls = [frame.f_locals for frame in _frames_of_generate()]
        if not calls:
            return None
        # The outermost: an assistant model generates within the call of the model that it assists.
        ours = [given for given in calls if _count(given.get("logits_processor"), processor)]
        given = (ours or calls)[-1]
        options = given.get("generation_mode_kwargs") or {}
        if given is not calls[0] and options.get("assistant_tokenizer") is not None:
            return DRAFT
        last, config = self._last, given.get("generation_config")
        if last is None or config is None or last.config() is not config:
            _check_loop(given, processor, self._may_loop)
            last = self._last = _read(given)
        return last


def _frames_of_generate() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code is _GENERATE:
            yield frame
        frame = frame.f_back


def _count(processors: Any, processor: Any) -> int:
    return sum(each is processor for each in processors) if isinstance(processors, list | tuple) else 0


def _check_loop(given: dict[str, Any], processor: Any, may_loop: bool) -> None:
    """ValueError for a call of `generate()` that cannot be served."""
    if (count := _count(given.get("logits_processor"), processor)) > 1:
        raise ValueError(f"logits_processor= has the same {processor!r} {count} times: give it once")
    mode = given.get("generation_mode")
    if mode is not None and mode not in SERVED:
        raise ValueError(
            f"generate() in the mode {mode.value}: it goes on with tokens that a processor has forbidden, so the text "
            "would not fit. Leave out num_beam_groups, penalty_alpha, dola_layers, constraints and force_words_ids; "
            "beams, sampling, prompt lookup and assistant models are served"
        )
    loop = given.get("custom_generate")
    if loop is not None and not may_loop:
        raise ValueError(
            f"generate(custom_generate={shown(loop)}) runs a loop that is not transformers' own. If it gives its "
            "processors the whole ids of each row, as generate() does, say so by the number of ids before the text: "
            "LogitsProcessor(…, prompt_length=n)"
        )


def _read(given: dict[str, Any]) -> GenerateCall:
    config, ids = given.get("generation_config"), given.get("input_ids")
    loop = given.get("custom_generate") is not None
    if not loop and (ids is None or not isinstance(config, GenerationConfig)):
        raise RuntimeError(
            f"transformers {transformers.__version__}: this release of generate() is not known; give the number of "
            "ids before the text, LogitsProcessor(…, prompt_length=n), and call the processor in a loop of your own"
        )
    if not isinstance(config, GenerationConfig):
        config = GenerationConfig()
    width = None if ids is None else int(ids.shape[1])
    forced = getattr(config, "forced_bos_token_id", None)
    beams = int(getattr(config, "num_beams", None) or 1)
    forbidding = [f"{name}={shown(value)}" for name in FORBIDDING if (value := getattr(config, name, None))]
    forbidding += ["prefix_allowed_tokens_fn"] if given.get("prefix_allowed_tokens_fn") is not None else []
    return GenerateCall(
        config=weakref.ref(config),
        width=width,
        start=None if width is None else width + (width == 1 and forced is not None),
        ends=_ids(config.eos_token_id),
        pad=_ids(getattr(config, "_pad_token_tensor", None)) or _ids(config.pad_token_id),
        beams=beams,
        singly=not loop and given.get("generation_mode") in (GenerationMode.SAMPLE, GenerationMode.GREEDY_SEARCH),
        forbidding=", ".join(forbidding),
    )


def _ids(value: Any) -> tuple[int, ...]:
    """A token id, a list of them or None, as a tuple. Negative ids mean none."""
    value = plain(value)
    listed = () if value is None else value if isinstance(value, list | tuple) else (value,)
    return tuple(int(token) for token in listed if token >= 0)
