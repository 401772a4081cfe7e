"""Each setting of transformers' generation config, by behaviour: those that change what `generate()` writes are warned
of, or belong to the sampler; all others are passed over. A new setting of transformers turns this red."""

from __future__ import annotations

import copy
import warnings
from functools import cache
from typing import Any, NamedTuple

import pytest
import torch
from strategies import shipped_model
from transformers import GenerationConfig, WatermarkingConfig

import outlines_cont as oc
from outlines_cont import errors
from outlines_cont.engines.hf import generation_config
from outlines_cont.engines.hf.generation_config import changed_settings

CONTEXT = 2048
PROMPT = "The capital of France is Paris. The capital of France is"
DRAWS, BEAMS = {"do_sample": True}, {"num_beams": 3}
LIMIT = {"max_new_tokens": 12}
#: Common tokens as ends, so that beams end at different times.
ENDS = {"num_beams": 3, "eos_token_id": [1, 14, 263, 781], "max_new_tokens": 40}

NAMED, NOTHING, OURS, REFUSED = "is warned of", "changes nothing", "is decided elsewhere here", "generate() refuses it"


class Trial(NamedTuple):
    """A value of a setting, what happens, and the settings beside it, the limit of tokens among them."""

    value: Any
    outcome: str
    beside: dict[str, Any] = LIMIT
    prompt: str = PROMPT


def draws(value: Any, outcome: str) -> Trial:
    return Trial(value, outcome, {**LIMIT, **DRAWS})


def beams(value: Any, outcome: str) -> Trial:
    return Trial(value, outcome, {**LIMIT, **BEAMS})


TRIALS: dict[str, list[Trial]] = {
    # how long a text gets
    "max_length": [Trial(20, NAMED, {}), Trial(30, NAMED, {}), Trial(4096, NOTHING)],
    "max_new_tokens": [Trial(5, NAMED, {}), Trial(0, REFUSED, {})],
    "min_length": [Trial(25, NAMED), Trial(0, NOTHING)],
    "min_new_tokens": [Trial(10, NAMED), Trial(0, NOTHING)],
    "max_time": [Trial(1e-9, NAMED)],
    "stop_strings": [Trial("a", NAMED), Trial(["a"], NAMED)],
    "eos_token_id": [Trial(310, OURS), Trial([1, 310], OURS)],
    "forced_eos_token_id": [Trial(5, NAMED, {"max_length": 22}), Trial(0, NAMED, {"max_length": 22})],
    "exponential_decay_length_penalty": [Trial((2, 1.5), NAMED)],
    # how it is searched
    "do_sample": [Trial(True, OURS)],
    "num_return_sequences": [draws(2, OURS), beams(2, OURS), Trial(2, REFUSED)],
    "num_beams": [Trial(3, NAMED), Trial(1, NOTHING), draws(3, NAMED)],
    "early_stopping": [Trial(True, NAMED, ENDS), Trial("never", NAMED, ENDS), Trial(True, NOTHING)],
    "length_penalty": [beams(3.0, NAMED), beams(1.0, NOTHING), Trial(3.0, NOTHING)],
    "diversity_penalty": [beams(0.5, NOTHING)],
    "num_beam_groups": [beams(3, REFUSED), Trial(1, NOTHING)],
    "penalty_alpha": [Trial(0.6, REFUSED)],
    "dola_layers": [Trial("low", REFUSED)],
    "constraints": [Trial(["x"], REFUSED)],
    "force_words_ids": [Trial([[5]], REFUSED)],
    # the law of a token
    "temperature": [draws(0.5, NAMED), Trial(0.5, NOTHING), draws(1.0, NOTHING), draws(0.0, REFUSED)],
    "top_k": [draws(5, NAMED), Trial(5, NOTHING), draws(50, NOTHING), draws(0, OURS)],
    "top_p": [draws(0.5, NAMED), draws(0.0, NAMED), Trial(0.5, NOTHING), draws(1.0, NOTHING)],
    "min_p": [draws(0.1, NAMED), Trial(0.1, NOTHING), draws(0.0, NOTHING), draws(1.0, NAMED)],
    "top_h": [draws(0.3, NAMED), Trial(0.3, NOTHING), draws(1.0, NOTHING)],
    "typical_p": [draws(0.5, NAMED), Trial(0.5, NOTHING), draws(1.0, NOTHING)],
    "epsilon_cutoff": [draws(0.1, NAMED), Trial(0.1, NOTHING), draws(1.0, NOTHING), draws(0.0, NOTHING)],
    "eta_cutoff": [draws(0.1, NAMED), Trial(0.1, NOTHING), draws(1.0, NOTHING), draws(0.0, NOTHING)],
    "repetition_penalty": [Trial(1.5, NAMED), Trial(0.5, NAMED), Trial(1.0, NOTHING), Trial(0.0, REFUSED)],
    "encoder_repetition_penalty": [Trial(1.5, NAMED), Trial(0.5, NAMED), Trial(1.0, NOTHING), Trial(0.0, REFUSED)],
    "no_repeat_ngram_size": [Trial(2, NAMED), Trial(0, NOTHING)],
    "encoder_no_repeat_ngram_size": [Trial(2, NAMED), Trial(0, NOTHING)],
    "bad_words_ids": [Trial([[781]], NAMED)],
    "suppress_tokens": [Trial([263], NAMED), Trial([], NOTHING)],
    "begin_suppress_tokens": [Trial([263], NAMED), Trial([], NOTHING)],
    "sequence_bias": [Trial([[[263], -9.0]], NAMED)],
    "forced_bos_token_id": [Trial(5, NAMED, prompt=""), Trial(0, NAMED, prompt="")],
    "guidance_scale": [Trial(1.5, NAMED), Trial(0.0, NAMED), Trial(1.0, NOTHING)],
    "watermarking_config": [Trial(WatermarkingConfig(bias=3.0), NAMED)],
    "renormalize_logits": [Trial(True, NOTHING), draws(True, NOTHING)],
    "remove_invalid_values": [Trial(True, NOTHING)],
    "token_healing": [Trial(True, NAMED)],
    # tokens and outputs
    "pad_token_id": [Trial(3, NOTHING)],
    "bos_token_id": [Trial(5, NOTHING)],
    "decoder_start_token_id": [Trial(5, NOTHING)],
    "output_attentions": [Trial(True, NOTHING)],
    "output_hidden_states": [Trial(True, NOTHING)],
    "output_scores": [Trial(True, NOTHING)],
    "output_logits": [Trial(True, NOTHING)],
    "return_dict_in_generate": [Trial(True, NOTHING)],
    # how it is computed
    "use_cache": [Trial(False, NOTHING), Trial(True, NOTHING)],
    "cache_implementation": [Trial("static", NOTHING)],
    "cache_config": [Trial({"nbits": 4}, NOTHING)],
    "max_cache_len": [Trial(4, NOTHING)],
    "prefill_chunk_size": [Trial(4, NOTHING)],
    "low_memory": [Trial(True, NOTHING)],
    "compile_config": [],  # of a compiled cache, which takes a C compiler
    "disable_compile": [Trial(True, NOTHING)],
    "continuous_batching_config": [Trial({"a": 1}, NOTHING)],
    # drafts, which change no law
    "use_mtp": [Trial(True, REFUSED)],
    "speculation_type": [Trial("mtp", NOTHING)],
    "prompt_lookup_num_tokens": [Trial(3, NOTHING)],
    "max_matching_ngram_size": [Trial(2, NOTHING)],
    "is_assistant": [Trial(True, NAMED)],  # it ends where it is not sure
    "num_assistant_tokens": [Trial(2, NOTHING)],
    "num_assistant_tokens_schedule": [Trial("constant", NOTHING)],
    "assistant_confidence_threshold": [Trial(0.9, NOTHING)],
    "assistant_early_exit": [Trial(1, NOTHING)],
    "assistant_lookbehind": [Trial(3, NOTHING)],
    "target_lookbehind": [Trial(3, NOTHING)],
    "assistant_ensemble_weight": [Trial(0.5, NOTHING)],
    # of the file
    "transformers_version": [Trial("4.0.0", NOTHING)],
    "_from_model_config": [Trial(True, NOTHING)],
}


class Written(NamedTuple):
    """What `generate()` has written, and the law of each token; or its error."""

    ids: list[list[int]]
    laws: tuple[torch.Tensor, ...]
    error: str = ""


def generated(settings: dict[str, Any], prompt: str) -> Written:
    model = shipped_model()
    torch.manual_seed(0)
    config = GenerationConfig()
    vars(config).update({"pad_token_id": 1, "eos_token_id": 1, **settings})
    ids = torch.tensor([model.state(prompt).rows[0][0].ids])
    options: dict[str, Any] = {"output_scores": True, "return_dict_in_generate": True, "tokenizer": model.tokenizer}
    try:
        out: Any = _hf().generate(
            ids, attention_mask=torch.ones_like(ids), generation_config=copy.deepcopy(config), **options
        )
    except (ValueError, ImportError) as error:
        return Written([], (), str(error) or type(error).__name__)
    return Written(out.sequences.tolist(), tuple(torch.log_softmax(each.float(), -1) for each in out.scores))


@cache
def _hf() -> Any:
    """A copy, whose own config says nothing."""
    hf = copy.deepcopy(shipped_model().hf)
    hf.generation_config = GenerationConfig(pad_token_id=1, eos_token_id=1)
    return hf


def differ(a: Written, b: Written) -> bool:
    if a.ids != b.ids or len(a.laws) != len(b.laws):
        return True
    pairs = [(x.nan_to_num(neginf=-1e4), y.nan_to_num(neginf=-1e4)) for x, y in zip(a.laws, b.laws, strict=True)]
    return any(x.shape != y.shape or not torch.allclose(x, y, atol=1e-2) for x, y in pairs)


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_every_setting_of_transformers_has_a_trial() -> None:
    """Whoever raises the version of transformers adds the new ones to the table, with what they do."""
    assert vars(GenerationConfig()).keys() - TRIALS.keys() == set()


_without: dict[str, Written] = {}  # what is written by settings that stand beside one: many trials have the same


@pytest.mark.parametrize(("name", "trial"), [(name, trial) for name, trials in TRIALS.items() for trial in trials])
def test_a_setting_is_warned_of_exactly_where_it_changes_what_generate_writes(name: str, trial: Trial) -> None:
    if name not in vars(GenerationConfig()):
        pytest.skip("this transformers does not have it")
    without = _without.get(at := repr((trial.beside, trial.prompt))) or generated(trial.beside, trial.prompt)
    _without[at] = without
    given = generated({**trial.beside, name: trial.value}, trial.prompt)
    assert not without.error
    if trial.outcome == REFUSED:
        assert given.error, "generate() has come to take it: say what it does"
        return
    assert not given.error
    assert differ(without, given) == (trial.outcome in (NAMED, OURS))
    config = GenerationConfig()
    vars(config).update({**trial.beside, name: trial.value})
    assert (name in changed_settings(config, CONTEXT)) == (trial.outcome == NAMED)
    hf = copy.copy(_hf())
    hf.generation_config = config
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        errors._warned.clear()
        generation_config.warn_of_ignored_settings(hf, CONTEXT)
    told = "".join(str(each.message) for each in caught).partition(": transformers' generate() applies that")[0]
    assert (f" {name}=" in told) == (trial.outcome == NAMED)


def test_what_is_decided_elsewhere_is_applied() -> None:
    """The ends by the vocabulary, the others by the sampler that the config describes."""
    hf = copy.copy(_hf())
    hf.generation_config = GenerationConfig(eos_token_id=[1, 78], pad_token_id=1)
    assert oc.Model(hf, shipped_model().tokenizer).vocabulary.eos == (1, 78)
    drawn = GenerationConfig(do_sample=True, top_k=0, num_return_sequences=2)
    assert oc.samplers.from_config(drawn) == oc.samplers.multinomial(2)


def test_a_top_p_of_0_leaves_the_likeliest_token() -> None:
    config = GenerationConfig()
    vars(config).update(do_sample=True, top_p=0.0)
    model = shipped_model()
    text = oc.generate.text(model, oc.samplers.from_config(config))
    [greedy] = generated({"max_new_tokens": 6}, PROMPT).ids
    [drawn] = generated({"max_new_tokens": 6, "do_sample": True, "top_p": 0.0}, PROMPT).ids
    assert list(text.run(PROMPT, max_tokens=6, seed=3).rows[0][0].ids) == drawn == greedy


@pytest.mark.parametrize(
    ("settings", "advice"),
    [
        ({"num_beams": 4}, "Write oc.samplers.beam_search(beams=4, length_penalty=1.0)."),
        ({"num_beams": 4, "length_penalty": 0.0}, "Write oc.samplers.beam_search(beams=4)."),
        ({"do_sample": True, "top_p": 0.0}, "Write oc.samplers.multinomial(top_k=1)."),
        ({"encoder_repetition_penalty": 1.5}, "For encoder_repetition_penalty, write a filter of logits"),
        ({"max_time": 2.0}, "Nothing here stands for max_time."),
    ],
)
def test_what_is_advised_does_the_same(settings: dict[str, Any], advice: str) -> None:
    hf = copy.copy(_hf())
    hf.generation_config = GenerationConfig()
    vars(hf.generation_config).update(settings)
    errors._warned.clear()
    with pytest.warns(UserWarning) as caught:
        generation_config.warn_of_ignored_settings(hf, CONTEXT)
    assert advice in str(caught[0].message)
