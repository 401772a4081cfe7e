"""What a model's generation config says: the ids that end a text, and settings that only transformers' own
`generate()` applies. Nobody is to lose these quietly: they are warned of when a model is wrapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from outlines_cont.arguments import is_whole, plain
from outlines_cont.errors import warn_once

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

#: How the names of settings begin that have no effect on the tokens of a text, or that are read elsewhere.
WITHOUT_EFFECT = (
    *("do_sample", "num_return_sequences", "renormalize_logits", "remove_invalid_values"),  # the caller's sampler says
    *("bos_token_id", "pad_token_id", "eos_token_id", "decoder_start_token_id"),
    *("use_cache", "cache_", "max_cache_len", "prefill_chunk_size", "low_memory"),
    *("compile_config", "disable_compile", "continuous_batching_config"),
    *("use_mtp", "speculation_type", "assistant_", "num_assistant_", "target_lookbehind"),
    *("prompt_lookup_num_tokens", "max_matching_ngram_size"),
    *("output_", "return_dict_in_generate", "transformers_version", "_"),
)
#: Settings that count only where `do_sample` is on; `oc.samplers.multinomial` takes the first four.
SAMPLING = ("temperature", "top_k", "top_p", "min_p", "typical_p", "top_h", "epsilon_cutoff", "eta_cutoff")
#: Settings that count only where there are several beams, or several groups of them.
BEAMS, GROUPS = ("early_stopping", "length_penalty", "num_beam_groups"), ("diversity_penalty",)
#: Numbers that switch a setting off, besides 0. (transformers' own top_k is 50.)
OFF = {
    **dict.fromkeys(("temperature", "top_p", "top_h", "typical_p", "epsilon_cutoff", "eta_cutoff"), 1),
    **dict.fromkeys(("repetition_penalty", "encoder_repetition_penalty", "guidance_scale"), 1),
    **dict.fromkeys(("num_beams", "num_beam_groups", "length_penalty"), 1),
    "top_k": 50,
}
#: Settings that 0 does not switch off: only the likeliest token is left, or the prompt does not count.
ON_AT_ZERO = ("top_p", "guidance_scale")
#: Settings that are filters of a sampler here, as `oc.samplers.from_config` makes them.
FILTERS = ("sequence_bias", "repetition_penalty", "no_repeat_ngram_size", "bad_words_ids", "min_new_tokens")
FILTERS += ("suppress_tokens", "typical_p")
#: What a caller writes in place of a setting; the settings of one sampler are joined.
INSTEAD = {
    **dict.fromkeys(SAMPLING[:4], "oc.samplers.multinomial({})"),
    **dict.fromkeys(("num_beams", "length_penalty"), "oc.samplers.beam_search({})"),
    **dict.fromkeys(("max_new_tokens", "max_length", "stop_strings", "token_healing"), "{}"),
}
#: The name here of a setting that has another.
OUR_NAMES = {
    "num_beams": "beams",
    "max_new_tokens": "max_tokens",
    "max_length": "max_tokens",
    "stop_strings": "stop_at",
}
#: What ends a text, or chooses among texts, for reasons that no filter of logits sees.
NO_FILTER = ("max_time", "early_stopping", "is_assistant", "num_beam_groups", "diversity_penalty")
NO_FILTER += ("penalty_alpha", "dola_layers", "constraints", "force_words_ids")


def listed_eos(hf: PreTrainedModel) -> tuple[int, ...]:
    """The ids that its generation config lists as ends of a text, in that order. TypeError if they are no ids."""
    value: Any = getattr(hf.generation_config, "eos_token_id", None)
    ids: Any = plain(value)
    ids = () if ids is None else tuple(ids) if isinstance(ids, (list, tuple)) else (ids,)
    if not all(map(is_whole, ids)):
        raise TypeError(
            f"{type(hf).__name__}: its generation config has eos_token_id={value!r}; it must be a token id, a list of "
            "them, or None"
        )
    return tuple(map(int, ids))


def eos_ids(hf: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, count: int) -> list[int]:
    """Every id that ends a text, ascending: the tokenizer's, and those that the generation config lists.

    count: how many logits the model gives. Ids beyond them can never be drawn, and are left out, with a warning. A
    negative id means none.
    """
    from_tokenizer = cast(int | None, tokenizer.eos_token_id)
    ids = {*listed_eos(hf), *(() if from_tokenizer is None else (from_tokenizer,))}
    if beyond := sorted(token for token in ids if token >= count):
        warn_once(
            f"{type(hf).__name__} gives {count} logits, so the eos ids {beyond} never end a text. Does the tokenizer "
            "belong to the model?"
        )
    return sorted(token for token in ids if 0 <= token < count)


def warn_of_ignored_settings(hf: PreTrainedModel, context_length: int | None) -> None:
    """Name the settings that `generate()` applies and we do not: one warning in a process for a class and its settings.

    Many chat models ship some. Whoever comes from `generate()` expects them, and would take our texts for the model's.
    """
    settings = changed_settings(hf.generation_config, context_length)
    if settings:
        shown = ", ".join(f"{name}={_short(value)}" for name, value in settings.items())
        warn_once(
            f"{type(hf).__name__}'s generation config sets {shown}: transformers' generate() applies that, and "
            f"outlines_cont does not. {' '.join(_advice(settings, hf.generation_config))}"
        )


def changed_settings(config: Any, context_length: int | None = None) -> dict[str, Any]:
    """The settings of a generation config, or of None, that change what `generate()` writes, by name."""
    given = {} if config is None else {name: plain(value) for name, value in vars(config).items()}
    return {name: given[name] for name in _set_names(given) if _changes_tokens(name, given, context_length)}


def _set_names(given: dict[str, Any]) -> list[str]:
    """The settings that transformers knows and that are not at its default: later versions may have more of them."""
    from transformers import GenerationConfig

    defaults = vars(GenerationConfig())
    return [name for name in defaults if name in given and given[name] is not False and given[name] != defaults[name]]


def _changes_tokens(name: str, given: dict[str, Any], context_length: int | None) -> bool:
    """Whether a setting that is given may change what `generate()` writes."""
    value = given[name]
    if name.startswith(WITHOUT_EFFECT):
        return False
    if (name in SAMPLING and not given.get("do_sample")) or (name in BEAMS and given.get("num_beams") in (None, 1)):
        return False
    if name in GROUPS and given.get("num_beam_groups") in (None, 1):
        return False
    if not isinstance(value, (int, float)) or name.endswith("_token_id"):
        return not isinstance(value, (list, tuple, dict)) or len(value) > 0
    beyond_context = name == "max_length" and context_length is not None and value >= context_length
    off = (OFF.get(name), *(() if name in ON_AT_ZERO else (0,)))
    return value not in off and not beyond_context


def _advice(settings: dict[str, Any], config: Any) -> list[str]:
    """What to do about each of these settings of a config, in up to three sentences."""
    if "num_beams" in settings and plain(getattr(config, "length_penalty", None)) in (None, 1):
        settings = {**settings, "length_penalty": 1.0}  # that of `generate()`, and not of beams here
    lacking = [name for name in settings if name not in (*INSTEAD, *FILTERS)]
    calls: dict[str, list[str]] = {}
    if any(name in settings for name in FILTERS) and "num_beams" not in settings:
        calls["oc.samplers.from_config({})"] = ["model", *([f"ignore={lacking!r}"] if lacking else [])]
    for name, template in INSTEAD.items():
        if name in settings and not (calls and name in SAMPLING):
            calls.setdefault(template, []).append(_argument(name, settings[name]))
    ours = [template.format(", ".join(arguments)) for template, arguments in calls.items()]
    return [f"Write {', '.join(ours)}."] * bool(ours) + _of_lacking(lacking)


def _of_lacking(lacking: list[str]) -> list[str]:
    """What to do about settings that nothing here has."""
    filters, nothing = ([name for name in lacking if (name in NO_FILTER) == none] for none in (False, True))
    advice = [f"For {', '.join(filters)}, write a filter of logits (docs/generators.md)."] * bool(filters)
    return advice + [f"Nothing here stands for {', '.join(nothing)}."] * bool(nothing)


def _argument(name: str, value: Any) -> str:
    """A setting as an argument of ours."""
    if name == "top_p" and not value:
        return "top_k=1"  # only the likeliest token is left
    return 'seam="heal"' if name == "token_healing" else f"{OUR_NAMES.get(name, name)}={_short(value)}"


def _short(value: Any) -> str:
    """A value as it is written; of a long list the beginning."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
