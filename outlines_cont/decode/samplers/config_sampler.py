"""The sampler that a generation config of transformers describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outlines_cont.arguments import meant, plain, shown
from outlines_cont.decode.filters import Filters
from outlines_cont.decode.samplers.beam_search import BeamSearch
from outlines_cont.decode.samplers.filters import LogitFilter
from outlines_cont.decode.samplers.row_by_row import Greedy, Multinomial
from outlines_cont.engines.hf.generation_config import changed_settings

#: Settings and the filters of `oc.filters` that they are, in the order in which transformers applies them.
FILTERS = {
    "sequence_bias": "sequence_bias",
    "repetition_penalty": "repetition_penalty",
    "no_repeat_ngram_size": "no_repeat_ngram",
    "bad_words_ids": "bad_words",
    "min_new_tokens": "min_tokens",
    "suppress_tokens": "suppress_tokens",
    "typical_p": "typical_p",
}
WARPS = ("temperature", "top_k", "top_p", "min_p")
#: What a call is given, and not its sampler.
OF_CALLS = ("max_new_tokens", "max_length", "stop_strings", "token_healing")
TOP_K = 50  # that of `generate()` where a config says nothing


def from_config(source: Any, *, ignore: Sequence[str] = ()) -> Greedy | Multinomial[Any] | BeamSearch:
    """The sampler of a model's generation config, as transformers' `generate()` would read it.

    With `do_sample` it draws `num_return_sequences` samples with the config's temperature, top-k, top-p, min-p,
    typical-p (`top_k` is 50 if the config does not set it, as in `generate()`). Without it the sampler is greedy, or a
    beam search with `num_beams`. Biases of sequences, the repetition penalty, n-grams that do not come twice, forbidden
    words and tokens, and the least number of new tokens become filters, in transformers' order.

    Settings that are options of a call here are left out: `max_new_tokens`, `max_length`, `stop_strings`,
    `token_healing`.

    Args:
        source: a `Model` of a transformers model, such a model, or a `GenerationConfig`.
        ignore: names of settings that are left out, too.

    Raises:
        ValueError: a setting, by name, that no sampler here has; a name in `ignore` that the config does not have.

    >>> from transformers import GenerationConfig
    >>> config = GenerationConfig(do_sample=True, temperature=0.6, top_k=0, repetition_penalty=1.1)
    >>> sampler = oc.samplers.from_config(config)
    >>> sampler.temperature, sampler.top_k, sampler.logit_filters
    (0.6, None, (repetition_penalty(penalty=1.1),))
    >>> oc.samplers.from_config(model)
    Greedy()
    """
    config = _config_of(source)
    for name in ignore:
        if not isinstance(name, str) or not hasattr(config, name):
            near = meant(str(name), vars(config))
            raise ValueError(f"from_config(ignore=…): the config has no setting {shown(name)}{near}")
    settings = {name: value for name, value in changed_settings(config).items() if name not in ignore}
    if lacking := [
        name for name in settings if name not in (*FILTERS, *WARPS, *OF_CALLS, "num_beams", "length_penalty")
    ]:
        named = ", ".join(f"{name}={shown(settings[name])}" for name in lacking)
        raise ValueError(
            f"from_config(): no sampler here has {named}. Leave it out with ignore={lacking!r}, or write a filter: "
            "oc.samplers.multinomial(filters=[function of (row, logits)])"
        )
    draws = bool(getattr(config, "do_sample", None))
    samples = _samples(config, settings, draws, ignore)
    filters = _filters(settings, config)
    if (beams := settings.get("num_beams") or 1) > 1:
        penalty = None if "length_penalty" in ignore else getattr(config, "length_penalty", None)
        return _beams(beams, 1.0 if penalty is None else float(penalty), draws, filters)
    return _drawn(config, settings, filters, ignore, samples) if draws else Greedy(filters)


def _samples(config: Any, settings: dict[str, Any], draws: bool, ignore: Sequence[str]) -> int:
    """How many samples it asks for. ValueError, if that is not how many the sampler gives."""
    samples = 1 if "num_return_sequences" in ignore else getattr(config, "num_return_sequences", None) or 1
    if samples > 1 and not draws and samples != settings.get("num_beams"):
        raise ValueError(
            f"from_config(): num_return_sequences={samples} without do_sample: a beam search gives all its samples, of "
            "which state.best(k) takes some. Leave it out with ignore=['num_return_sequences']"
        )
    return samples


def _filters(settings: dict[str, Any], config: Any) -> tuple[LogitFilter, ...]:
    """The filters of a config. `generate()` passes over a bad word that is an eos alone."""
    from outlines_cont import filters

    given = {name: plain(settings[name]) for name in FILTERS if name in settings}
    if isinstance(listed := given.get("sequence_bias"), list):
        given["sequence_bias"] = {tuple(plain(tokens)): bias for tokens, bias in listed}
    if "bad_words_ids" in given:
        eos = plain(getattr(config, "eos_token_id", None))
        ends = [[token] for token in (eos if isinstance(eos, (list, tuple)) else [eos])]
        given["bad_words_ids"] = [word for word in given["bad_words_ids"] if plain(word) not in ends]
    return tuple(getattr(filters, FILTERS[name])(value) for name, value in given.items() if value)


def _drawn(
    config: Any, settings: dict[str, Any], filters: tuple[LogitFilter, ...], ignore: Sequence[str], samples: int
) -> Multinomial[Any]:
    top_k = plain(getattr(config, "top_k", None))
    top_k = None if "top_k" in ignore else TOP_K if top_k is None else top_k or None
    top_p = settings.get("top_p")
    if top_p == 0:  # only the likeliest token is left
        top_k, top_p = 1, None
    warp = Filters.of(settings.get("temperature", 1.0), top_k, top_p, settings.get("min_p"))
    return Multinomial(samples, warp.temperature or 1.0, *warp[1:], filters)


def _beams(beams: int, length_penalty: float, draws: bool, filters: tuple[LogitFilter, ...]) -> BeamSearch:
    if draws or filters:
        also = "do_sample=True" if draws else ", ".join(map(repr, filters))
        raise ValueError(
            f"from_config(): num_beams={beams} together with {also}: a beam search here ranks by the model's own "
            "log-probabilities. Take oc.samplers.beam_search(), or ignore=['num_beams']"
        )
    return BeamSearch(beams, length_penalty)


def _config_of(source: Any) -> Any:
    hf = getattr(source, "hf", source)
    config = getattr(hf, "generation_config", hf)
    if not hasattr(config, "do_sample"):
        raise TypeError(f"from_config() takes a Model, a transformers model or a GenerationConfig, not {shown(source)}")
    return config
