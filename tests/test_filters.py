"""Filters of samplers: beside transformers' own, beside brute force, and what they leave alone."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import GenerationConfig
from transformers.generation import logits_process as theirs

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary

SIZE = 12
VOCABULARY = Vocabulary([b"<eos>", *(bytes([97 + i]) for i in range(SIZE - 1))], eos=[0])
GREEDY = oc.samplers.greedy()


@cache
def model() -> oc.Model:
    return oc.load()


def row_of(ids, start=0):
    """As much of a `Writing` as filters look at."""
    ids = tuple(ids)
    data = VOCABULARY.decode(ids)
    return SimpleNamespace(
        ids=ids,
        start=start,
        vocabulary=VOCABULARY,
        tail=lambda size: data[max(len(data) - size, 0) :],
        __len__=lambda: len(ids),
    )


logits = st.lists(st.floats(-8, 8, width=32), min_size=SIZE, max_size=SIZE).map(torch.tensor)
rows = st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=6)


def with_stop(values):
    """Logits of tokens as a filter gets them: here the stop is the one eos, which is no token then."""
    return torch.cat([values.index_fill(0, torch.tensor([0]), -torch.inf), values[:1]])


def theirs_with_stop(processor, ids, values):
    return with_stop(processor(torch.tensor([ids]), values[None].clone())[0])


def same(ours, others):
    assert torch.equal(ours == -torch.inf, others == -torch.inf)
    assert torch.allclose(ours[ours > -torch.inf], others[others > -torch.inf], atol=1e-5)


# -- each beside transformers' ----------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(logits, rows, st.floats(0.25, 4))
def test_the_repetition_penalty_is_transformers(values, ids, penalty):
    other = theirs_with_stop(theirs.RepetitionPenaltyLogitsProcessor(penalty), ids, values)
    same(oc.filters.repetition_penalty(penalty)(row_of(ids), with_stop(values)), other)


@settings(max_examples=200, deadline=None)
@given(logits, st.floats(0.05, 0.99))
def test_typical_p_is_transformers(values, mass):
    values = values + torch.arange(SIZE) * 1e-3  # candidates of equal distance are kept or dropped together here
    logprobs = torch.log_softmax(values.double(), -1)
    distances = (-logprobs + (logprobs.exp() * logprobs).sum()).abs().sort()
    held = logprobs.exp()[distances.indices].cumsum(-1)
    if (distances.values.diff() < 1e-4).any() or ((held - mass).abs() < 1e-4).any():
        return  # rounding decides
    other = theirs_with_stop(theirs.TypicalLogitsWarper(mass), [0], values)
    same(oc.filters.typical_p(mass)(row_of([1]), with_stop(values)), other)


@settings(max_examples=200, deadline=None)
@given(logits, rows, st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=4, unique=True))
def test_suppressed_tokens_are_transformers(values, ids, tokens):
    other = theirs_with_stop(theirs.SuppressTokensLogitsProcessor(tokens), ids, values)
    same(oc.filters.suppress_tokens(tokens)(row_of(ids), with_stop(values)), other)


@settings(max_examples=200, deadline=None)
@given(logits, rows, st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=3), min_size=1, max_size=4))
def test_bad_words_of_ids_are_transformers(values, ids, words):
    words = [list(word) for word in {tuple(word) for word in words}]
    other = theirs_with_stop(theirs.NoBadWordsLogitsProcessor(words, [0]), ids, values)
    same(oc.filters.bad_words(words)(row_of(ids), with_stop(values)), other)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=6, unique=True),
    st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3),
    st.data(),
)
def test_bad_words_ban_exactly_what_would_complete_one(tokens, words, data):
    """Brute force: a token is banned if a word ends in it."""
    vocabulary = Vocabulary([b"<eos>", *(token.encode() for token in tokens)], eos=[0])
    text = "".join(data.draw(st.lists(st.sampled_from(tokens), max_size=4)))
    row = SimpleNamespace(ids=(), vocabulary=vocabulary, tail=lambda n: text.encode()[max(len(text) - n, 0) :])
    after = oc.filters.bad_words(words)(row, torch.zeros(len(vocabulary) + 1))
    for i, token in enumerate(tokens, 1):
        longer = text + token
        ends = any(
            longer.startswith(word, at) and at + len(word) > len(text) for word in words for at in range(len(longer))
        )
        assert (after[i] == -torch.inf) == ends, (text, token)
    assert after[0] == after[-1] == 0


CONFIGS = [
    {"do_sample": True, "temperature": 0.7, "top_p": 0.9, "repetition_penalty": 1.3},
    {"do_sample": True, "top_k": 0, "typical_p": 0.6, "temperature": 1.5},
    {"do_sample": True, "min_p": 0.02, "suppress_tokens": [263, 781]},
    {"do_sample": True, "top_k": 20, "min_new_tokens": 3, "bad_words_ids": [[781], [263, 78]]},
    {"do_sample": False, "repetition_penalty": 1.5},
    {"do_sample": True, "top_k": 0, "bad_words_ids": [[1], [263]]},
    {"repetition_penalty": 1.5, "no_repeat_ngram_size": 2, "sequence_bias": [[[78], -3.0], [[324, 78], 2.0]]},
    {"do_sample": True, "no_repeat_ngram_size": 1, "sequence_bias": {(263,): -9.0}, "top_p": 0.9},
]


@pytest.mark.parametrize("settings", CONFIGS, ids=lambda settings: " ".join(settings))
def test_the_law_of_a_generation_config_is_that_of_generate(settings):
    config = GenerationConfig(**settings, eos_token_id=1)
    sampler = oc.samplers.from_config(config)
    for prompt in ("The sky is", "Mira is a", "The capital of France is Paris. The capital of France is"):
        ids = model().tokenizer(prompt, return_tensors="pt")
        # special tokens are no text here
        unwanted = {"suppress_tokens": [*settings.get("suppress_tokens", []), 0, 2, 3], "eos_token_id": 1}
        limits = {"max_new_tokens": 5, "pad_token_id": 1}
        out = model().hf.generate(
            **ids,
            generation_config=GenerationConfig(**settings | unwanted | limits),
            output_scores=True,
            return_dict_in_generate=True,
        )
        other = torch.log_softmax(out.scores[0][0].double(), -1)
        state = oc.generate.text(model(), sampler, stop="eos").run(
            prompt, max_tokens=1, seed=0, keep=oc.Keep(candidates=1537)
        )
        [[[*_, candidates]]] = state.kept.candidates if state.finished == [["length"]] else state.kept.stop_candidates
        if candidates is None:
            [[candidates]] = state.kept.stop_candidates
        ours = torch.full_like(other, -torch.inf)
        for each in candidates:
            ours[1 if each.token is None else each.token] = each.proposal_logprob
        same(ours, other)


def test_samples_of_a_generation_config():
    several = GenerationConfig(do_sample=True, num_return_sequences=3)
    assert oc.samplers.from_config(several) == oc.samplers.multinomial(3, top_k=50)
    assert oc.samplers.from_config(several, ignore=["num_return_sequences"]) == oc.samplers.multinomial(top_k=50)
    all_beams = GenerationConfig(num_return_sequences=3, num_beams=3)
    assert oc.samplers.from_config(all_beams) == oc.samplers.beam_search(3, length_penalty=1.0)
    with pytest.raises(ValueError, match="num_return_sequences=3 without do_sample"):
        oc.samplers.from_config(GenerationConfig(num_return_sequences=3, num_beams=4))


def test_filters_may_have_parameters():
    scale = torch.nn.Parameter(torch.tensor(2.0))
    sampler = oc.samplers.greedy(filters=[lambda row, logits: logits * scale])
    plain = oc.generate.text(model(), oc.samplers.greedy())("The sky is", max_tokens=2)
    assert oc.generate.text(model(), sampler)("The sky is", max_tokens=2) == plain


def test_beams_of_a_generation_config():
    assert oc.samplers.from_config(GenerationConfig(num_beams=3)) == oc.samplers.beam_search(3, length_penalty=1.0)
    config = GenerationConfig(num_beams=3, length_penalty=0.0)
    assert oc.samplers.from_config(config) == oc.samplers.beam_search(3)
    for also in ({"do_sample": True}, {"repetition_penalty": 1.2}):
        with pytest.raises(ValueError, match="num_beams=3 together with"):
            oc.samplers.from_config(GenerationConfig(num_beams=3, **also))


def test_settings_that_no_sampler_has_are_refused_by_name():
    config = GenerationConfig(encoder_no_repeat_ngram_size=3, do_sample=True, epsilon_cutoff=0.01, top_p=0.9)
    with pytest.raises(ValueError, match=r"epsilon_cutoff=0.01, encoder_no_repeat_ngram_size=3"):
        oc.samplers.from_config(config)
    sampler = oc.samplers.from_config(config, ignore=["encoder_no_repeat_ngram_size", "epsilon_cutoff"])
    assert sampler == oc.samplers.multinomial(top_k=50, top_p=0.9)
    assert oc.samplers.from_config(
        config, ignore=[*("encoder_no_repeat_ngram_size", "epsilon_cutoff", "top_k", "top_p")]
    ) == (oc.samplers.multinomial())
    for wrong in (None, 3, "gpt2", {}):
        with pytest.raises(TypeError, match="from_config"):
            oc.samplers.from_config(wrong)


# -- in a generation --------------------------------------------------------------------------------------------------

FILTERS = {
    "repetition": oc.filters.repetition_penalty(1.4),
    "bias": oc.filters.logit_bias({" blue": -3.0, None: 1.0, 263: 2.0}),
    "min": oc.filters.min_tokens(4),
    "typical": oc.filters.typical_p(0.8),
    "suppress": oc.filters.suppress_tokens([".", 263]),
    "words": oc.filters.bad_words(["blue", "e s"]),
    "function": lambda row, logits: logits * (1 + len(row) % 3),
}


@pytest.mark.parametrize("name", FILTERS)
def test_filters_change_the_law_drawn_from_and_never_the_models_own(name):
    sampler = oc.samplers.multinomial(samples=3, temperature=0.9, filters=[FILTERS[name]])
    state = oc.generate.text(model(), sampler).run(["The sky is", "Mira is a"], max_tokens=6, seed=1)
    plain = state.rescore()
    assert torch.allclose(state.logprobs, plain.logprobs, atol=1e-4)
    assert torch.allclose(state.weights, plain.weights, atol=1e-4)
    assert not torch.allclose(state.logprobs, state.proposal_logprobs, atol=1e-3)


@pytest.mark.parametrize("name", FILTERS)
def test_rows_with_filters_do_not_depend_on_each_other(name):
    step = oc.continuous(oc.generate.text(model(), oc.samplers.multinomial(samples=2, filters=[FILTERS[name]])))
    start = model().state(["The sky is", "Mira is a", "Q: Who?"])
    whole = step(start, max_tokens=5, seed=3)
    assert step(start[1:2, :, :], max_tokens=5, seed=3) == whole[1:2, :, :]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(["e", " b", "a", "ing", "34", "."]), min_size=1, max_size=3, unique=True),
    st.integers(0, 99),
)
def test_bad_words_are_never_written(words, seed):
    sampler = oc.samplers.multinomial(samples=2, filters=[oc.filters.bad_words(words)])
    state = oc.generate.text(model(), sampler).run("Mira is a painter", max_tokens=8, seed=seed)
    for text in state:
        assert not any(word in text[len("Mira is a painter") :] for word in words)


def test_the_proposal_of_a_biased_choice_is_the_biased_law():
    """A brute-force law: the softmax of logits, with what is added."""
    biases = {" blue": -2.0, " red": 3.0}
    options = [" blue", " red", " green"]
    sampler = oc.samplers.multinomial(samples=30, filters=[oc.filters.logit_bias(biases)])
    choice = oc.generate.choice(model(), options, sampler)
    state = choice.run("The sky is", seed=0)
    raw = model().logits(oc.generate.text(model()).begin("The sky is").pending)[0].double()
    logprobs, tokens = torch.log_softmax(raw, -1), model().vocabulary.tokens
    begins = [
        i for i, token in enumerate(tokens) if token and any(option.encode().startswith(token) for option in options)
    ]
    biased = {i: raw[i].item() + biases.get(tokens[i].decode(), 0.0) for i in begins}
    norm = torch.logsumexp(torch.tensor(list(biased.values())), 0).item()
    assert len(set(state)) >= 2
    for s in range(30):
        token = state.token_ids[0, s, state.spans[0][s][-1].start].item()
        at = state.spans[0][s][-1].start
        assert state.proposal_logprobs[0, s, at].item() == pytest.approx(biased[token] - norm, abs=1e-4)
        assert state.logprobs[0, s, at].item() == pytest.approx(logprobs[token].item(), abs=1e-4)


def test_particles_weigh_what_filters_do():
    """The evidence, the mean of the importance weights, does not depend on the filter."""
    options = [" blue", " red", " green"]
    means = []
    for filters in ([], [oc.filters.logit_bias({" red": 3.0})]):
        sampler = oc.samplers.smc(400, threshold=0.0, filters=filters)
        state = oc.generate.choice(model(), options, sampler).run("The sky is", seed=0)
        means.append(state.particles.log_importance.exp().mean().item())
    exact = oc.score(model().state("The sky is"), options, stop=False).exp().sum().item()
    assert means[0] == pytest.approx(exact, rel=0.05)  # (all spellings, where a score has one)
    assert means[1] == pytest.approx(means[0], rel=0.35)


def test_min_tokens_holds_back_the_stop():
    text = oc.generate.text(model(), oc.samplers.greedy(filters=[oc.filters.min_tokens(6)]))
    state = text.run("The capital of France is ", max_tokens=12)
    assert state.spans[0][0][-1].end - state.spans[0][0][-1].start >= 6
    two = oc.generate.choice(
        model(), ["Paris"], oc.samplers.greedy(filters=[oc.filters.min_tokens(50)]), forced="never"
    )
    assert two("The capital of France is ") == "Paris"  # nothing else is left


def test_typical_comes_after_the_warp_and_others_before():
    seen = []

    def look(row, logits):
        seen.append(logits.clone())
        return logits

    def late(row, logits):
        seen.append(logits.clone())
        return logits

    late.after_warp = True
    sampler = oc.samplers.multinomial(top_k=3, filters=[late, look])
    oc.generate.text(model(), sampler)("The sky is", max_tokens=1, seed=0)
    before, after = seen
    assert before.shape == after.shape == (1537,)
    assert (before > -torch.inf).sum() > 1000 and (after > -torch.inf).sum() == 3


def test_hooks_draw_again_from_the_filtered_law():
    blue = model().vocabulary.tokens.index(b" blue")
    sampler = oc.samplers.greedy(filters=[oc.filters.suppress_tokens([" white"])])
    drawn = []

    def hook(draw):
        drawn.append(draw.bytes)
        return oc.steer.Resample() if draw.token == blue else None

    oc.generate.text(model(), sampler)("The sky is", max_tokens=1, hooks=[hook])
    assert drawn[0] == b" blue" and len(drawn) == 2 and drawn[1] != b" white"


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, kind",
    [
        (lambda: oc.samplers.multinomial(filters=3), TypeError),
        (lambda: oc.samplers.multinomial(filters=[3]), TypeError),
        (lambda: oc.samplers.greedy(filters=oc.filters.min_tokens(3)), TypeError),
        (lambda: oc.samplers.greedy(filters=[oc.filters.Filter]), TypeError),
        (lambda: oc.filters.repetition_penalty(0), ValueError),
        (lambda: oc.filters.repetition_penalty("a"), ValueError),
        (lambda: oc.filters.logit_bias({}), TypeError),
        (lambda: oc.filters.logit_bias([1]), TypeError),
        (lambda: oc.filters.logit_bias({1: "a"}), ValueError),
        (lambda: oc.filters.logit_bias({1: float("inf")}), ValueError),
        (lambda: oc.filters.logit_bias({1.5: 1.0}), TypeError),
        (lambda: oc.filters.min_tokens(-1), ValueError),
        (lambda: oc.filters.typical_p(0), ValueError),
        (lambda: oc.filters.typical_p(1.5), ValueError),
        (lambda: oc.filters.suppress_tokens([]), TypeError),
        (lambda: oc.filters.suppress_tokens("abc"), TypeError),
        (lambda: oc.filters.suppress_tokens([True]), TypeError),
        (lambda: oc.filters.bad_words("abc"), TypeError),
        (lambda: oc.filters.bad_words([""]), TypeError),
        (lambda: oc.filters.bad_words([[1, -1]]), TypeError),
        (lambda: oc.filters.bad_words(["\ud800"]), ValueError),
        (lambda: oc.filters.suppress_tokens(["\ud800"]), TypeError),
        (lambda: oc.samplers.greedy(filters=[lambda logits: logits]), TypeError),
        (lambda: oc.samplers.greedy(filters=[theirs.RepetitionPenaltyLogitsProcessor(1.2)]), TypeError),
    ],
)
def test_wrong_arguments_are_named(make, kind):
    with pytest.raises(kind) as caught:
        make()
    assert caught.type is kind


@pytest.mark.parametrize(
    "each, error",
    [
        (lambda row, logits: None, "returned None"),
        (lambda row, logits: logits[:-1], "numbers"),
        (lambda row, logits: logits * float("nan"), "NaN"),
        (lambda row, logits: logits.long(), "numbers"),
        (lambda row, logits: logits.fill_(-torch.inf), "leave no candidate"),
        (oc.filters.suppress_tokens([99999]), "outside the vocabulary"),
        (oc.filters.logit_bias({"no such token": 1.0}), "no single token"),
    ],
)
def test_filters_that_give_no_logits_are_named(each, error):
    with pytest.raises(ValueError, match=error):
        oc.generate.text(model(), oc.samplers.greedy(filters=[each]))("The sky is", max_tokens=1)


def test_what_the_constraint_forbids_stays_forbidden():
    sampler = oc.samplers.multinomial(filters=[lambda row, logits: torch.zeros_like(logits)])
    number = oc.generate.regex(model(), "[0-9]{3}", sampler)
    assert all(number("Mira is ", seed=seed).isdigit() for seed in range(5))


def test_a_choice_by_sequence_takes_no_filters():
    sampler = oc.samplers.greedy(filters=[oc.filters.min_tokens(2)])
    with pytest.raises(ValueError, match="by='token'"):
        oc.generate.choice(model(), ["a", "b"], sampler, by="sequence")


def test_samplers_with_equal_filters_are_equal():
    one, two = (oc.samplers.greedy(filters=[oc.filters.bad_words(["a"]), oc.filters.min_tokens(2)]) for _ in range(2))
    assert one == two and hash(one) == hash(two) and one != oc.samplers.greedy()
    assert repr(oc.samplers.greedy()) == "Greedy()" and "min_tokens(count=2)" in repr(one)


def test_the_warning_about_a_config_speaks_of_the_filters_that_there_are():
    from outlines_cont.decode.samplers import config_sampler
    from outlines_cont.engines.hf import generation_config

    assert set(config_sampler.FILTERS) == set(generation_config.FILTERS)


def test_a_filter_that_fails_at_one_row_ends_that_row_alone():
    def each(row, logits):
        if row.before.startswith("Mira") and len(row) > row.start:
            raise RuntimeError("not this one")
        return logits * 1.5

    prompts = ["The sky is", "Mira is a", "Q: Who?"]
    text = oc.generate.text(model(), oc.samplers.multinomial(filters=[each]))
    [sky], [error], [who] = text(prompts, max_tokens=4, seed=0, errors="return")
    assert isinstance(error, RuntimeError)
    alone = oc.generate.text(model(), oc.samplers.multinomial(filters=[lambda row, logits: logits * 1.5]))
    assert [[sky], [who]] == alone(prompts, max_tokens=4, seed=0)[::2]
    seen = []
    watched = text(prompts, max_tokens=4, seed=0, errors="return", hooks=[oc.steer.Watch(seen.append)])
    assert [watched[0], watched[2]] == [[sky], [who]]
    with pytest.raises(RuntimeError) as caught:
        text(prompts, max_tokens=4, seed=0)
    assert caught.value.row == (1, 0) and caught.value.values[0] == [sky]
