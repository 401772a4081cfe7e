"""`score`: what texts after rows would cost, against plain forwards of every prefix, and what computing it costs."""

from __future__ import annotations

import gc
import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tokenizers import byte_fallback, byte_level, unigram
from strategies import shipped_model
from test_generation import random_model, toy_model
from test_models import random_model as random_model_of
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import outlines_cont as oc
from outlines_cont.decode.canonical import Beginnings
from outlines_cont.engines.slot_model import SlotModel
from outlines_cont.scores import score as continuations

Ids = tuple[int, ...]
ALL_AT_ONCE = continuations.LOGITS_AT_ONCE


@lru_cache(maxsize=4096)
def law(model: oc.Model, ids: Ids) -> torch.Tensor:
    """Log-probabilities `[V]` after a row, by a forward of transformers that knows nothing of us."""
    with torch.no_grad():
        logits = model.hf(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1]
    return logits.double().log_softmax(-1)


def plain(model: oc.Model, context: Ids, text: Ids, stop: bool) -> list[float]:
    """The log-probability of each token of a text, and of the stop."""
    found = [law(model, context + text[:n])[token].item() for n, token in enumerate(text)]
    return found + [law(model, context + text)[list(model.vocabulary.eos)].logsumexp(-1).item()] * stop


def appended(state: oc.SequenceState, text: str) -> list[list[Ids]]:
    """The text's tokens after each row, as `state + text` spells them."""
    pairs = [zip(*rows, strict=True) for rows in zip(state.rows, (state + text).rows, strict=True)]
    return [[whole.ids[len(row) :] for row, whole in pair] for pair in pairs]


def few_token_model(eos: bool, seed: int = 0) -> oc.Model:
    """A model that knows three letters and, maybe, an eos: every text over them is the tokens of its letters."""
    vocabulary = {token: i for i, token in enumerate([*["<eos>"] * eos, "a", "b", "c"])}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **({"eos_token": "<eos>"} if eos else {}))
    if eos:
        return random_model(tokenizer, seed, positions=64)
    config = LlamaConfig(
        vocab_size=3, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        bos_token_id=None, eos_token_id=None,
    )  # fmt: skip
    return oc.Model(LlamaForCausalLM(config).eval(), tokenizer)


def counting(asked: list[int]) -> Any:
    """`SlotModel.read` that notes how many lines of logits each call wants."""
    read = SlotModel.read

    def counted(self: SlotModel, needs: Any) -> Any:
        asked.append(sum(len(need.wanted) for need in needs))
        return read(self, needs)

    return counted


@st.composite
def states(draw: st.DrawFn, model: oc.Model) -> oc.SequenceState:
    """One to three rows, some of them equal or beginnings of others, forked or gone on with or not, with KV or not."""
    state = model.state(draw(st.lists(st.sampled_from(["a", "ab", "abc", "xy", "é1"]), min_size=1, max_size=3)))
    if draw(st.booleans()):
        sampler = oc.samplers.multinomial(samples=draw(st.integers(1, 3)))
        step = oc.continuous(oc.generate.text(model, sampler))
        state = step(state, max_tokens=draw(st.integers(0, 3)), seed=draw(st.integers(0, 9)))
    elif draw(st.booleans()):
        state = state.fork(2)
    return state.kv.drop() if draw(st.booleans()) else state


TEXTS = st.lists(st.text("abc1é", max_size=6), min_size=1, max_size=7)


@settings(max_examples=60)
@given(
    data=st.data(),
    texts=TEXTS,
    stop=st.booleans(),
    normalize=st.sampled_from(["sum", "mean", "unconditional"]),
    at_once=st.sampled_from([1, 1000, ALL_AT_ONCE]),
)
def test_scores_are_those_of_plain_forwards_and_each_token_is_computed_once(
    data: st.DataObject, texts: list[str], stop: bool, normalize: Any, at_once: int
) -> None:
    """Every token's log-probability, whatever is scored beside it; law 8 by counting prefixes; every line of logits is
    asked for once, in parts of limited size; and the keys and values that stay are those of the rows."""
    model = toy_model(data.draw(st.integers(0, 2)))
    assert model.stats.kv_bytes == 0
    state = data.draw(states(model))
    rows = [row for group in state.rows for row in group]
    held = {row.ids[: n + 1] for row, kv in zip(rows, state.kv.lengths.flatten(), strict=True) for n in range(kv)}
    model.stats.reset()
    asked: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuations, "LOGITS_AT_ONCE", at_once)
        patch.setattr(SlotModel, "read", counting(asked))
        scores, tokens = oc.score(state, texts, stop=stop, normalize=normalize, detail=True)
    counted = model.stats.tokens
    kv_bytes = model.stats.kv_bytes
    assert scores.shape == (*state.shape[:2], len(texts)) and scores.dtype == torch.float64

    start = (model.vocabulary.eos[0],)
    needed: set[Ids] = set()
    lines: set[tuple[Ids, Ids]] = set()
    for k, text in enumerate(texts):
        spelled = appended(state, text)
        for b, s in itertools.product(*map(range, state.shape[:2])):
            row, ids = state.rows[b][s].ids, spelled[b][s]
            values = plain(model, row, ids, stop)
            assert [token.token for token in tokens[b][s][k]] == [*ids, *[None] * stop]
            assert b"".join(token.bytes for token in tokens[b][s][k]) == text.encode()
            assert [token.logprob for token in tokens[b][s][k]] == pytest.approx(values, abs=1e-4)
            contexts, expected = [row], math.fsum(values)
            if normalize == "mean":
                expected /= max(len(values), 1)
            elif normalize == "unconditional":
                expected -= math.fsum(plain(model, start, ids, stop))
                contexts.append(start)
            assert scores[b, s, k].item() == pytest.approx(expected, abs=1e-3)
            if normalize == "sum":
                assert scores[b, s, k].item() == math.fsum(token.logprob for token in tokens[b][s][k])
            lines |= {(context, ids[:n]) for context in contexts for n in range(len(values))}
            if values:
                whole = [(context + ids)[: len(context) + len(ids) - (not stop)] for context in contexts]
                needed |= {row[: n + 1] for row in whole for n in range(len(row))}
    assert counted == len(needed - held)
    of_rows = {row[: n + 1] for row in (row.ids for row in rows) for n in range(len(row))}
    assert kv_bytes == len(of_rows & (needed | held)) * model.tree.pool.slot_bytes
    assert sum(asked) == len(lines) and max(asked, default=0) <= max(at_once // len(model.vocabulary), 1)


@given(texts=TEXTS, stop=st.booleans())
@settings(max_examples=20)
def test_a_text_costs_the_same_alone(texts: list[str], stop: bool) -> None:
    state = toy_model().state(["xy", "ab", "xy"])
    together = oc.score(state, texts, stop=stop)
    for k, text in enumerate(texts):
        assert torch.allclose(together[..., k : k + 1], oc.score(state, text, stop=stop), atol=1e-4)


def test_in_parts_nothing_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a part needs may have been computed for any earlier one: a row for another, a text for what it begins."""
    model = toy_model()
    prompts = ["abcab", "xy", "abca", "abcabc"]
    state = model.state(prompts)
    texts = ["bc1", "1", "bc", "bé"]
    whole = [row.ids for text in texts for [row] in (state + text).rows]
    needed = {ids[: n + 1] for ids in whole for n in range(len(ids))}
    found = []
    for at_once in (ALL_AT_ONCE, 1):
        monkeypatch.setattr(continuations, "LOGITS_AT_ONCE", at_once)
        model.stats.reset()
        found.append(oc.score(model.state(prompts), texts, stop=True))
        assert (model.stats.tokens, model.stats.reread) == (len(needed), 0)
        assert (model.stats.passes == 1) == (at_once > 1)
    assert torch.allclose(*found, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_everything_that_may_come_next_has_probability_one(seed: int) -> None:
    """All texts of up to two letters that end there, and all of three letters whatever comes then."""
    model = few_token_model(eos=True, seed=seed)
    assert len(model.vocabulary) == 4
    state = model.state(["a", "cab"]) + ["", "b"]
    short = ["".join(letters) for n in range(3) for letters in itertools.product("abc", repeat=n)]
    long = ["".join(letters) for letters in itertools.product("abc", repeat=3)]
    total = oc.score(state, short, stop=True).exp().sum(-1) + oc.score(state, long).exp().sum(-1)
    assert torch.allclose(total, torch.ones(2, 1, dtype=torch.float64), atol=1e-5)


def test_several_eos_tokens_are_one_event_and_spellings_are_kept_at_the_beginning() -> None:
    """Of a tokenizer that writes a space before a text: only where the text begins its row."""
    model = random_model(byte_fallback("prepend"), seed=0, positions=64)
    assert len(model.vocabulary.eos) == 2 and model.encoder.prefix
    texts = ["ab", " the", ""]
    state = model.state(["", "capital"])
    conditional, tokens = oc.score(state, texts, stop=True, detail=True)
    pmi = oc.score(state, texts, stop=True, normalize="unconditional")
    for (b, rows), (k, text) in itertools.product(enumerate(state.rows), enumerate(texts)):
        ids = appended(state, text)[b][0]
        assert tuple(token.token for token in tokens[b][0][k]) == (*ids, None)
        values = plain(model, rows[0].ids, ids, stop=True)
        assert conditional[b, 0, k].item() == pytest.approx(math.fsum(values), abs=1e-3)
        expected = math.fsum(values) - math.fsum(plain(model, model.encoder.prefix, ids, stop=True))
        assert pmi[b, 0, k].item() == pytest.approx(expected, abs=1e-3)
    assert tokens[0][0][0][0].bytes == b" ab"[: len(tokens[0][0][0][0].bytes)]  # right after the bos
    assert tokens[1][0][0][0].bytes == b"ab"[: len(tokens[1][0][0][0].bytes)]


@pytest.mark.parametrize("name", ["llama", "gemma2 (softcap, window)", "gpt-j", "mamba", "phi3 (longrope)"])
def test_models_of_every_tier(name: str) -> None:
    model = random_model_of(name)
    texts = [" a painter", " a paint", " a", " bird sang", ""]
    state = oc.continuous(oc.generate.text(model))(["Once upon a time", "Mira is"], max_tokens=3, seed=0) + ", then"
    for at in (state, state.kv.drop()):
        scores = oc.score(at, texts, stop=True)
        for b, k in itertools.product(range(2), range(len(texts))):
            ids = appended(state, texts[k])[b][0]
            values = plain(model, state.rows[b][0].ids, ids, stop=True)
            assert scores[b, 0, k].item() == pytest.approx(math.fsum(values), rel=2e-3)


def test_what_was_generated_as_the_only_choice_has_its_score_for_its_weight() -> None:
    model = shipped_model()
    start = model.state(["Mira is a", "Once upon a time, there was"])
    compared = 0
    for text in [" painter from Lisbon.", " little girl", " 34", " Zürich 🦙", "x"]:
        state = oc.continuous(oc.generate.choice(model, [text], oc.samplers.greedy()))(start)
        scores = oc.score(start, text)
        for b, [ids] in enumerate(appended(start, text)):
            if state.rows[b][0].ids == start.rows[b][0].ids + ids:
                assert state.weights[b, 0].item() == pytest.approx(scores[b, 0, 0].item(), abs=1e-3)
                compared += 1
    assert compared >= 6


def test_dead_rows() -> None:
    model = toy_model()

    def fork(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [] if row.text else [oc.steer.Branch(forced="a")] * (2 if row.before == "x" else 1)

    state = oc.continuous(oc.generate.control(model, fork))(["x", "y"])
    assert state.finished == [["stop", "stop"], ["stop", "dead"]]
    for normalize in ("sum", "mean", "unconditional"):
        scores, tokens = oc.score(state, ["b", ""], normalize=normalize, detail=True)
        assert scores.isfinite().tolist() == [[[True, True], [True, True]], [[True, True], [False, False]]]
        assert scores[1, 1].tolist() == [-math.inf, -math.inf] and tokens[1][1] == [(), ()]
    assert oc.score(state[1, 1, :], "b", normalize="unconditional").tolist() == [[[-math.inf]]]
    assert oc.score(state[:, [], :], "b").shape == (2, 0, 1)


def test_what_is_refused() -> None:
    model = toy_model()
    state = model.state(["x" * 60, "x" * 59])
    with pytest.raises(TypeError, match=r"not str: model.state\(prompts\) makes one"):
        oc.score("xy", ["a"])  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"at least one"):
        oc.score(state, [])
    with pytest.raises(TypeError, match=r"texts\[1\] is 7 \(int\)"):
        oc.score(state, ["a", 7])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="not bytes"):
        oc.score(state, b"a")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="surrogate"):
        oc.score(state, "\ud800")
    with pytest.raises(ValueError, match="'sum', 'mean', 'bytes', 'characters' or 'unconditional'"):
        oc.score(state, "a", normalize="max")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="stop='elsewhere'"):
        oc.score(state, "a", stop="elsewhere")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"row \(1, 0\) is empty"):
        oc.score(oc.cat([state[:1, :, :], state[:1, :, :0]], 0), "a")
    with pytest.raises(ValueError, match=r"row \(0, 0\) has 60 tokens and texts\[1\] 5, together 65; .* 64"):
        oc.score(state, ["b" * 4, "b" * 5])
    assert oc.score(state[:1, :, :], "b" * 4, stop=True).isfinite().all()
    endless = few_token_model(eos=False).state("ab")
    assert oc.score(endless, "c").isfinite().all()
    with pytest.raises(oc.errors.ConstraintError, match=r"stop=True: .* has no eos"):
        oc.score(endless, "c", stop=True)
    with pytest.raises(ValueError, match="adds no bos and has no eos"):
        oc.score(endless, "c", normalize="unconditional")
    broken = few_token_model(eos=True)
    with torch.no_grad():
        broken.hf.get_output_embeddings().weight.fill_(math.nan)
    with pytest.raises(ValueError, match="NaN"):
        oc.score(broken.state("ab"), "c")


@pytest.mark.parametrize("name", ["score", "generate", "stream", "beam", "rescore", "steps"])
@pytest.mark.parametrize("taken_back", [0, 1])
def test_a_state_keeps_what_is_computed_of_it(name: str, taken_back: int) -> None:
    """Whoever computes it: the same again reads the state's tokens no more, and when the state goes, they go."""
    model = random_model(byte_level(bos=False), seed=0, positions=64)
    state = model.state(["abcab", "xy"]) + " " * taken_back
    if name == "rescore":
        state = oc.continuous(oc.generate.text(model))(state, max_tokens=3, seed=0).kv.drop()
    text, beam = oc.generate.text(model), oc.generate.text(model, oc.samplers.beam_search(3))
    unread = [[finished == "length" for finished in row] for row in state.finished]  # nobody asks what comes after it
    sizes = state.lengths - torch.tensor(unread).long()
    if name != "rescore":
        sizes -= taken_back

    def stepped(state: oc.SequenceState) -> oc.stepping.Frontier:
        frontier = text.begin(state, max_tokens=2)
        return frontier.step(model.logits(frontier.pending))

    uses: dict[str, Callable[[oc.SequenceState], object]] = {
        "score": lambda state: oc.score(state, ["ca", "cap"]),
        "generate": lambda state: text(state, max_tokens=2, seed=0),
        "stream": lambda state: list(text.stream(state, max_tokens=2, seed=0)),
        "beam": lambda state: beam(state, max_tokens=2),
        "rescore": lambda state: state.rescore(),
        "steps": stepped,
    }
    assert state.kv.lengths.tolist() == [[0], [0]]
    model.stats.reset()
    uses[name](state)
    first = model.stats.tokens
    kept = state.kv.lengths
    if name == "rescore" or not taken_back:
        assert kept.tolist() == sizes.tolist()
    else:  # a span may begin with the very token that it took back
        assert (kept >= sizes).all() and (kept <= state.lengths).all()
    uses[name](state)
    assert (model.stats.tokens, model.stats.reread) == (2 * first - kept.sum(), 0)
    bare = state.kv.drop()
    del state
    gc.collect()
    assert model.stats.kv_bytes == 0 and bare.kv.lengths.tolist() == [[0], [0]]


# --- the end of the row


@cache
def models_of_every_spelling() -> list[oc.Model]:
    """Tokenizers that merge, and that hardly do; that have all bytes, and that do not; with and without a bos."""
    tokenizers = [byte_level(), unigram(), byte_fallback("prepend"), byte_fallback("none", "unigram")]
    return [toy_model(), *(random_model(tokenizer, seed=0, positions=64) for tokenizer in tokenizers)]


ENDS = ["", " ", "\n", "\n\n", "  ", " c", " th", "pr", " a"]
OPTIONS = ("pi", "ca", "e c", "t", "(1", "na", "Ma", "th", "int", " a", "мир", "é", "\n d", "語", "日", "の")
LONG_OPTIONS = ("pital of France", "capital of Spain", "the", "and", "Paris", "Madrid", "return a", " name", "Привет")


@st.composite
def ended_states(draw: st.DrawFn, model: oc.Model) -> oc.SequenceState:
    """Rows whose last tokens were a text's or the prompt's, were generated, or given as ids. Never bos alone:
    after it tokenizers may put a space before a text, which is scored with it, and values begin without one."""
    prompts = [draw(st.sampled_from(["is", "a", "of"])) + draw(st.sampled_from(ENDS)) for _ in range(2)]
    kind = draw(st.sampled_from(["prompt", "text", "generated", "ids", "cut"]))
    if kind == "ids":
        return oc.cat([model.state(list(model.state(prompt).rows[0][0].ids)) for prompt in prompts], 0)
    state = model.state(prompts)
    if kind == "generated":
        state = oc.generate.choice(model, ["a ", "t"], forced="never").run(state, seed=draw(st.integers(0, 9)))
    if kind == "cut":
        return oc.cat(
            [state[b : b + 1, :, : max(len(row) - 1, min(2, len(row)))] for b, [row] in enumerate(state.rows)], 0
        )
    return state + draw(st.sampled_from(ENDS)) if kind in ("text", "generated") else state


@cache
def spellable(model: oc.Model, words: tuple[str, ...]) -> list[str]:
    """Those of which a choice can be made."""
    found = []
    for word in words:
        with suppress(oc.errors.ConstraintError):
            oc.generate.choice(model, [word], forced="never").begin("a")
            found.append(word)
    return found


def options_of(model: oc.Model, words: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Options none of which begins another: so it does not matter how likely their ends are."""
    lists = st.lists(st.sampled_from(spellable(model, words)), min_size=2, max_size=3, unique=True)
    return lists.filter(lambda drawn: not any(a != b and a.startswith(b) for a in drawn for b in drawn))


@settings(max_examples=100)
@given(data=st.data(), seam=st.sampled_from(["auto", "auto", "heal", "keep"]))
def test_a_text_scores_what_it_weighs_where_a_choice_takes_it_at_once(data: st.DataObject, seam: Any) -> None:
    """Whatever the row ends with, and how much of that is spelled once more: the same tokens, and their weight."""
    model = data.draw(st.sampled_from([*models_of_every_spelling(), shipped_model()]))
    state, options = data.draw(ended_states(model)), data.draw(options_of(model, OPTIONS + LONG_OPTIONS))
    scores, tokens = oc.score(state, options, seam=seam, detail=True)
    sampler = oc.samplers.multinomial(3)
    choice = oc.generate.choice(model, options, sampler, by="sequence", forced="never")
    drawn = oc.continuous(choice, name="v", seam=seam)(state, seed=data.draw(st.integers(0, 99)))
    for b, s in itertools.product(range(2), range(3)):
        row, k = drawn.rows[b][s], options.index(drawn.captures["v"][b][s][0])
        spelled = [token.token for token in tokens[b][0][k]]
        assert list(row.ids[len(row) - len(spelled) :]) == spelled
        assert model.vocabulary.decode(spelled) == row.pieces[-1].origin.healed + options[k].encode()
        assert row.weight - state.rows[b][0].weight == pytest.approx(scores[b, 0, k].item(), abs=1e-3)


@settings(max_examples=40)
@given(data=st.data(), seam=st.sampled_from(["auto", "auto", "heal", "keep"]))
def test_a_text_scores_what_it_weighs_as_the_beam_of_these_tokens(data: st.DataObject, seam: Any) -> None:
    """A search so wide that it finds all spellings finds that of the score, and with its weight."""
    model = data.draw(st.sampled_from(models_of_every_spelling()))
    state, options = data.draw(ended_states(model)), data.draw(options_of(model, OPTIONS))
    scores, tokens = oc.score(state, options, seam=seam, detail=True)
    beams = oc.samplers.beam_search(400, distinct="tokens")
    step = oc.continuous(oc.generate.choice(model, options, beams, forced="never"), seam=seam)
    found = step(state)
    for b, [row] in enumerate(state.rows):
        weights = {each.ids: each.weight - row.weight for each in found.rows[b] if not each.dead}
        for k, option in enumerate(options):
            spelled = tuple(token.token for token in tokens[b][0][k])
            healed = model.vocabulary.decode(spelled).removesuffix(option.encode())
            kept = next(n for n in range(len(row), -1, -1) if model.vocabulary.decode(row.ids[n:]) == healed)
            assert weights[row.ids[:kept] + spelled] == pytest.approx(scores[b, 0, k].item(), abs=1e-3)


@settings(max_examples=60)
@given(data=st.data())
def test_before_texts_that_are_given_as_ids_the_row_stays(data: st.DataObject) -> None:
    """Also where texts beside them are given as str; the rows of other texts are not concerned."""
    model = data.draw(st.sampled_from(models_of_every_spelling()))
    state, options = data.draw(ended_states(model)), data.draw(options_of(model, OPTIONS))
    kept = oc.score(state, options, seam="keep", detail=True)
    ids = [[[token.token for token in text] for text in rows[0]] for rows in kept.tokens]
    for seam in ("auto", "heal"):
        whole = oc.score(state, options, seam=seam)
        mixed = oc.score(state, [[ids[0][0], *options[1:]], options], seam=seam, detail=True)
        assert [[token.token for token in text] for text in mixed.tokens[0][0]] == ids[0]
        for scores, expected in [
            (oc.score(state, ids, seam=seam), kept.scores),
            (mixed.scores[0], kept.scores[0]),
            (mixed.scores[1], whole[1]),
        ]:
            assert torch.allclose(scores, expected, atol=1e-3)


@given(data=st.data())
def test_how_a_choice_may_begin_is_how_its_texts_begin(data: st.DataObject) -> None:
    """Also where the vocabulary does not have these bytes alone."""
    model = data.draw(st.sampled_from(models_of_every_spelling()))
    options = data.draw(options_of(model, OPTIONS + LONG_OPTIONS)) + [""] * data.draw(st.integers(0, 1))
    guide = oc.generate.choice(model, options, forced="never").constraint.guide
    for values in (Beginnings.of_guide(guide, model.encoder), Beginnings.of_texts(options)):
        assert values.first() == {option.encode()[0] for option in options if option}
        assert values.empty == ("" in options)


def test_what_contexts_beside_a_row_do_not_have_stays() -> None:
    """As for a choice: what was appended to all of them may be taken back, and what stands in the row alone not."""
    model, options = random_model(byte_level(), seed=0, positions=64), ["pi", "ca"]
    state = oc.generate.text(model).run("is ", beside=[("of ", 0.5)], max_tokens=0)
    assert state.beside
    for seam in ("auto", "heal"):
        assert torch.allclose(oc.score(state, options, seam=seam), oc.score(state, options, seam="keep"), atol=1e-4)
    [[spelled, _]] = oc.score(state + " ", options, detail=True).tokens[0]
    assert b"".join(token.bytes for token in spelled) == b" pi"
