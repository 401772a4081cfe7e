"""`oc.train.tree_logprobs`: values and gradients of one pass over a trie are those of plain forwards of each row."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextvars import Context
from functools import cache
from typing import Any

import pytest
import torch
from cases import some_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import shipped_model
from test_models import BY_LENGTH, TIERS, random_hf, random_model
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.masking_utils import causal_mask_function

import outlines_cont as oc
from outlines_cont.train import packed as packing
from outlines_cont.train.packed import LearnedRow, TrieAttention, blocks_of, values_of

CLOSE = 2e-4  # of log-probabilities in float32; and of gradients, as a part of their norm
#: Models that multiply rounding.
ROUGH = {"mamba": 10}
#: Their experts are drawn in train mode.
RANDOM_EXPERTS = {"phimoe"}


@cache
def small_model() -> oc.Model:
    """One in float64, so that little is put down to rounding; the whole vocabulary of the shipped model."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(shipped_model().vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        intermediate_size=32,
        max_position_embeddings=64,
        eos_token_id=1,
        bos_token_id=0,
    )
    hf = LlamaForCausalLM(config).double().eval()
    with torch.no_grad():
        for parameter in hf.parameters():
            parameter.mul_(8 if parameter.dim() > 1 else 1)
    return oc.Model(hf, shipped_model().tokenizer)


def gradients(hf: Any) -> Tensor:
    """Of all parameters, flat; and they are forgotten."""
    flat = [p.new_zeros(p.numel()) if p.grad is None else p.grad.flatten() for p in hf.parameters()]
    hf.zero_grad()
    return torch.cat(flat)


def plain_values(hf: Any, rows: list[LearnedRow]) -> Tensor:
    """`[2, values]`: log-probabilities and entropies by a plain forward of each row."""
    values = []
    for row in rows:
        laws = hf(input_ids=torch.tensor([row.ids]), use_cache=False).logits[0].log_softmax(-1)
        places = [at - 1 for at in row.wanted]
        entropies = torch.distributions.Categorical(logits=laws[places]).entropy()
        values.append(torch.stack([laws[places, [row.ids[at] for at in row.wanted]], entropies]))
    return torch.cat(values, 1)


def apart(one: Tensor, other: Tensor) -> float:
    return float((one - other).norm() / other.norm())


def weighed(values: Tensor) -> Tensor:
    """A loss in which every value has its own weight."""
    weights = torch.linspace(-1, 2, values.numel(), dtype=values.dtype).view_as(values)
    return (weights * values).sum()


def assert_learns_alike(model: oc.Model, rows: list[LearnedRow], close: float = CLOSE, **options: Any) -> None:
    hf = model.hf
    values = values_of(model, rows, **options)
    weighed(values).backward()
    learned = gradients(hf)
    plain = plain_values(hf, rows)[: len(values)]
    weighed(plain).backward()
    assert torch.allclose(values, plain.to(values.dtype), atol=close, rtol=close)
    assert apart(learned, gradients(hf)) <= close


def beginnings(rows: list[LearnedRow]) -> int:
    """How many distinct beginnings have to be read: a plain model of the trie."""
    return len({row.ids[: n + 1] for row in rows for n in range(row.wanted[-1])})


@st.composite
def tries(draw: st.DrawFn, tokens: int = 6, most: int = 8) -> list[LearnedRow]:
    """Rows that branch off from earlier ones at any depth: duplicates, prefixes of others, and rows with nothing in
    common, with gaps between their wanted tokens."""
    rows: list[LearnedRow] = []
    ids = st.lists(st.integers(4, 3 + tokens), max_size=6)
    for _ in range(draw(st.integers(1, most))):
        above = draw(st.sampled_from(rows)).ids if rows and draw(st.integers(0, 3)) else ()
        row = (*above[: draw(st.integers(0, len(above)))], *draw(ids))
        row = row if len(row) > 1 else (*row, 4, 5)
        wanted = draw(st.sets(st.integers(1, len(row) - 1), min_size=1))
        rows.append(LearnedRow(row, tuple(sorted(wanted))))
    return rows


# --- the law: plain forwards


@given(tries(), st.data())
def test_one_pass_over_a_trie_has_the_values_and_gradients_of_plain_forwards(
    rows: list[LearnedRow], data: st.DataObject
) -> None:
    model = small_model()
    longest = max(row.wanted[-1] for row in rows)
    chunk = data.draw(st.none() | st.integers(longest, 3 * longest), label="chunk")
    model.stats.reset()
    assert_learns_alike(model, rows, 1e-6, chunk=chunk, entropies=data.draw(st.booleans(), label="entropies"))
    if chunk is None:
        assert (model.stats.tokens, model.stats.passes) == (beginnings(rows), 1)
    else:
        assert beginnings(rows) <= model.stats.tokens <= model.stats.passes * chunk


ROWS = [
    LearnedRow((0, 300, 9, 21, 22, 23, 24, 25, 26, 27, 28, 29), tuple(range(3, 12))),
    LearnedRow((0, 300, 9, 21, 22, 23, 31, 32, 33, 34), tuple(range(4, 10))),
    LearnedRow((0, 300, 9, 21, 22, 23, 31, 32), (3, 7)),
    LearnedRow((0, 300, 9, 21, 22, 23, 31, 32, 33, 34), tuple(range(4, 10))),
    LearnedRow((40, 41, 42, 43, 44, 45, 46), (1, 2, 5, 6)),
]


@some_of("name", [name for name in TIERS if name not in BY_LENGTH], every=3)
@pytest.mark.filterwarnings("ignore:.*reads every row by itself")
def test_every_kind_of_model_learns_as_by_plain_forwards(name: str) -> None:
    """Windows, chunks, sinks and latent attention; recurrent models, which read padded rows."""
    model = random_model(name)
    model.stats.reset()
    assert_learns_alike(model, ROWS, CLOSE * ROUGH.get(model.hf.config.model_type, 1), entropies=True)
    read = beginnings(ROWS) if TIERS[name] == "hook" else 3 * 11
    assert (model.stats.tokens, model.stats.passes) == (read, 1)
    assert_learns_alike(model, ROWS, CLOSE * ROUGH.get(model.hf.config.model_type, 1), chunk=16)


@pytest.mark.parametrize("name", sorted(BY_LENGTH))
def test_a_model_whose_logits_depend_on_the_length_of_a_forward_is_refused_by_name(name: str) -> None:
    model = random_model(name)
    state = oc.continuous(oc.generate.text(model))("Once upon", max_tokens=2, seed=0)
    with pytest.raises(ValueError, match=r"Phi3ForCausalLM have no logits of their own: .*length of a forward"):
        oc.train.tree_logprobs(state)


CHECKPOINTED = [name for name, tier in TIERS.items() if tier == "hook" and name.split()[0] not in ("ctrl", "jetmoe")]


@some_of("name", [name for name in CHECKPOINTED if name not in RANDOM_EXPERTS], every=7)
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing")
def test_layers_that_are_computed_once_more_see_the_trie_again(name: str, attention: str) -> None:
    """Gradient checkpointing calls layers after our forward, without us."""
    try:
        hf = random_hf(name, attn_implementation=attention)
    except ValueError:
        pytest.skip(f"{name} has no {attention}")
    model = oc.Model(hf, shipped_model().tokenizer)
    without_dropout(hf)
    weighed(values_of(model, ROWS)).backward()
    expected = gradients(hf)
    hf.train().gradient_checkpointing_enable({"use_reentrant": False})
    for chunk in (None, 16):
        weighed(values_of(model, ROWS, chunk=chunk)).backward()
        assert apart(gradients(hf), expected) <= CLOSE
    assert model.tier.name == "hook"


@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing")
def test_who_uses_the_model_beside_a_pass_over_a_trie_gets_plain_layers() -> None:
    """Where layers are computed once more for gradients, too: somebody else's have nothing to do with the trie."""
    hf, ids = random_hf("llama"), torch.tensor([[3, 5, 7, 5]])
    model = oc.Model(hf, shipped_model().tokenizer)
    expected = hf(input_ids=ids).logits
    without_dropout(hf)
    hf.train().gradient_checkpointing_enable({"use_reentrant": False})
    alone = packing.packed([(3,), (5,), (7,), (9,)])
    assert alone.ends is not None
    with TrieAttention(hf, model.engine.lock, alone.depths, alone.ends).used():
        beside = Context().run(lambda: hf(input_ids=ids).logits)
    assert torch.allclose(beside, expected, atol=1e-5)


def without_dropout(hf: Any) -> None:
    for holder in (*hf.modules(), hf.config):
        for name, value in [*vars(holder).items()]:
            if isinstance(value, float) and (name == "p" or "drop" in name):
                setattr(holder, name, 0.0)


# --- states


def grown(model: oc.Model) -> list[oc.SequenceState]:
    """States of one and of several steps, constrained ones, forks, and rows cut at any place."""
    say = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)), name="a")
    year = oc.continuous(oc.generate.regex(model, "in (19|20)[0-9]{2}\\."), name="year")
    begun = say(["The sky is", "Mira is a"], max_tokens=5, seed=1)
    more = year(begun + " She came ", seed=2)
    cut = begun[:, :, :-2]
    forked = oc.continuous(oc.generate.text(model), name="a").resume(oc.cat([cut, cut, begun], 1), max_tokens=4, seed=3)
    return [begun, more, forked]


def rows_of(state: oc.SequenceState) -> list[LearnedRow]:
    return [
        LearnedRow(row.ids, tuple(at for at, value in enumerate(row.logprobs) if value is not None))
        for group in state.rows
        for row in group
    ]


@pytest.mark.parametrize("chunk", [None, 64])
def test_many_states_are_one_trie_and_give_what_rescore_gives(chunk: int | None) -> None:
    model = oc.load()
    states = grown(model)
    joined = oc.cat([states[0], states[1], states[2][:, :3, :], states[2][:, 6:, :]], 0)
    parts = [states[0], states[1], states[2][:, :3, :], states[2][:, 6:, :]]
    model.stats.reset()
    logprobs, mask, entropies = oc.train.tree_logprobs(parts, chunk=chunk, entropies=True)
    if chunk is None:
        assert (model.stats.tokens, model.stats.passes) == (beginnings(rows_of(joined)), 1)
    assert entropies is not None and logprobs.shape == mask.shape == entropies.shape == joined.shape
    for b, group in enumerate(joined.rows):
        for s, row in enumerate(group):
            assert mask[b, s].nonzero()[:, 0].tolist() == [at for at, v in enumerate(row.logprobs) if v is not None]
    assert not logprobs[~mask].any() and not entropies[~mask].any()
    assert torch.allclose(logprobs, joined.rescore().logprobs.float(), atol=CLOSE)
    assert torch.allclose(entropies[mask], plain_values(model.hf, rows_of(joined))[1], atol=CLOSE)
    alone = oc.train.tree_logprobs(states[2])
    assert torch.allclose(alone.logprobs, states[2].rescore().logprobs.float(), atol=CLOSE) and alone.entropies is None


def test_another_model_gives_its_own_log_probabilities_without_gradients_where_none_are_asked_for() -> None:
    """A reference model, say."""
    state = grown(shipped_model())[0]
    hf = random_hf("llama")
    other = oc.Model(hf, shipped_model().tokenizer)
    logprobs, mask, _ = oc.train.tree_logprobs(state, other, grad=False)
    assert not logprobs.requires_grad
    assert torch.allclose(logprobs[mask], plain_values(hf, rows_of(state))[0], atol=CLOSE)
    with torch.no_grad():
        assert not oc.train.tree_logprobs(state, chunk=16).logprobs.requires_grad


def test_learning_neither_uses_nor_spoils_keys_and_values() -> None:
    """Until an optimizer's step they stay; after it they are dropped, and all numbers are of the new parameters."""
    model = oc.load()
    state = grown(model)[0]
    kept, before = state.kv.lengths, state.logprobs
    optimizer = torch.optim.SGD(model.hf.parameters(), lr=0.05)
    logprobs, _, _ = oc.train.tree_logprobs(state)
    (-logprobs.sum(-1)).mean().backward()
    assert (state.kv.lengths == kept).all() and kept.any()
    optimizer.step()
    optimizer.zero_grad()
    assert not state.kv.lengths.any()
    new, mask, _ = oc.train.tree_logprobs(state, grad=False)
    assert new.sum() > logprobs.sum() + 1
    assert torch.allclose(new, state.rescore().logprobs.float(), atol=CLOSE)
    assert torch.allclose(new[mask], plain_values(model.hf, rows_of(state))[0], atol=CLOSE)
    assert torch.equal(state.logprobs, before)


# --- ways to train


def test_an_adapter_learns_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With gradient checkpointing too, for which peft lets the embeddings have gradients."""
    peft = pytest.importorskip("peft")
    lora = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM")
    hf = peft.get_peft_model(random_hf("llama"), lora).eval()
    model = oc.Model(hf, shipped_model().tokenizer)
    assert_learns_alike(model, ROWS)
    assert_learns_alike(model, ROWS, chunk=16)
    weighed(values_of(model, ROWS)).backward()
    expected = gradients(hf)
    hf.train()
    hf.base_model.model.gradient_checkpointing_enable({"use_reentrant": True})
    hf.base_model.model.enable_input_require_grads()
    weighed(values_of(model, ROWS)).backward()
    assert apart(gradients(hf), expected) <= CLOSE and model.tier.name == "hook"


@pytest.mark.parametrize("chunk", [None, 16])
def test_half_precision_and_autocast_are_those_of_plain_forwards(chunk: int | None) -> None:
    hf = random_hf("llama")
    model = oc.Model(hf, shipped_model().tokenizer)
    exact = plain_values(hf, ROWS)[0]

    def errors(values: Tensor) -> float:
        return float((values - exact).abs().mean().detach())

    with torch.autocast("cpu", torch.bfloat16):
        values, plain = values_of(model, ROWS, chunk=chunk)[0], plain_values(hf, ROWS)[0]
    assert values.dtype == torch.float32 and 0 < errors(values) <= 2 * errors(plain)
    weighed(values).backward()
    learned = gradients(hf)
    weighed(plain).backward()
    assert apart(learned, gradients(hf)) <= 0.1
    half = oc.Model(random_hf("llama").bfloat16(), shipped_model().tokenizer)
    values = values_of(half, ROWS, chunk=chunk)[0]
    assert values.dtype == torch.float32
    assert 0 < errors(values) <= 2 * errors(plain_values(half.hf, ROWS)[0].float())


def dropping() -> oc.Model:
    return oc.Model(random_hf("gpt2 (learned positions)", attn_pdrop=0.0), shipped_model().tokenizer)


def test_in_train_mode_each_row_has_the_dropout_of_a_plain_forward_and_shares_it_with_its_beginning() -> None:
    model = dropping()
    model.hf.train()
    for row in ROWS:
        torch.manual_seed(3)
        one = values_of(model, [row])
        torch.manual_seed(3)
        cut = LearnedRow(row.ids[: row.wanted[-1] + 1], row.wanted)
        logits = model.hf(input_ids=torch.tensor([cut.context]), use_cache=False).logits[0]
        laws = logits.log_softmax(-1)
        plain = torch.stack([laws[at - 1, row.ids[at]] for at in row.wanted])
        assert torch.allclose(one[0], plain, atol=CLOSE), "one row draws what a plain forward draws"
    many = values_of(model, ROWS)[0].split([len(row.wanted) for row in ROWS])
    assert torch.equal(many[1], many[3]) and many[0][1] == many[1][0]
    model.hf.eval()
    assert not torch.allclose(many[0], values_of(model, ROWS)[0][: len(many[0])], atol=0.1)


def test_what_is_computed_once_more_for_gradients_draws_the_same_dropout(monkeypatch: pytest.MonkeyPatch) -> None:
    model = dropping()
    model.hf.train()
    torch.manual_seed(5)
    weighed(values_of(model, ROWS, chunk=16)).backward()
    learned = gradients(model.hf)
    monkeypatch.setattr(packing, "checkpoint", lambda function, *given, **_: function(*given))
    torch.manual_seed(5)
    weighed(values_of(model, ROWS, chunk=16)).backward()
    assert apart(gradients(model.hf), learned) <= CLOSE


def test_a_chunk_bounds_what_is_kept_for_gradients() -> None:
    model = shipped_model()
    rows = [LearnedRow((0, *range(100 + n, 132 + n)), tuple(range(1, 33))) for n in range(24)]

    def kept(chunk: int | None) -> int:
        sizes = list[int]()

        def pack(tensor: Tensor) -> Tensor:
            sizes.append(tensor.numel() * tensor.element_size())
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            values_of(model, rows, chunk=chunk)
        return sum(sizes)

    assert kept(64) < kept(None) / 50


def test_a_thread_may_generate_while_another_one_learns() -> None:
    model = oc.load()
    step = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=3)), name="a")
    state = step("The sky is", max_tokens=8, seed=0)
    expected = step("Mira is a", max_tokens=8, seed=0)
    oc.train.tree_logprobs(state, chunk=32).logprobs.sum().backward()
    learned = gradients(model.hf)
    others: list[oc.SequenceState] = []
    thread = threading.Thread(target=lambda: others.extend(step("Mira is a", max_tokens=8, seed=0) for _ in range(5)))
    thread.start()
    for _ in range(5):
        oc.train.tree_logprobs(state, chunk=32).logprobs.sum().backward()
        assert apart(gradients(model.hf), learned) <= CLOSE
    thread.join()
    assert len(others) == 5 and all(other == expected for other in others)


# --- told, and refused


def test_padded_rows_are_told_with_their_price() -> None:
    model = random_model("mamba")
    with pytest.warns(UserWarning, match=r"MambaForCausalLM reads every row by itself, 33 positions .* has 20: .*reco"):
        values_of(model, ROWS)


def test_a_hook_of_the_users_gets_plain_rows() -> None:
    """It may look at positions: so it is called as by plain forwards, row by row."""
    model = oc.Model(random_hf("llama"), shipped_model().tokenizer)
    seen: list[tuple[int, ...]] = []
    handle = model.hf.get_input_embeddings().register_forward_hook(lambda _, ids, __: seen.append(ids[0].shape))
    with pytest.warns(UserWarning, match="forward hooks came or went"):
        assert_learns_alike(model, ROWS[:2])
    assert seen[:2] == [(1, 11), (1, 9)]
    handle.remove()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_learns_alike(model, ROWS[:2])


@pytest.mark.parametrize("name", ["llama", "gemma2 (softcap, window)", "gpt-oss (sinks, window)"])
@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing")
def test_an_attention_that_takes_no_mask_is_replaced(name: str, checkpointing: bool) -> None:
    """Flash attention, say, which no CPU has: only its name is tried."""
    model = oc.Model(random_hf(name), shipped_model().tokenizer)
    weighed(values_of(model, ROWS)).backward()
    expected = gradients(model.hf)
    if checkpointing:
        model.hf.train().gradient_checkpointing_enable()
    model.hf.config._attn_implementation_internal = "flash_attention_2"
    weighed(values_of(model, ROWS)).backward()
    assert apart(gradients(model.hf), expected) <= CLOSE
    assert model.hf.config._attn_implementation == "flash_attention_2"


@given(tries(most=6), st.floats(0, 30))
def test_the_blocks_of_a_trie_see_all_and_only_what_is_above_their_nodes(
    rows: list[LearnedRow], item_cost: float
) -> None:
    one = packing.packed(sorted({row.context for row in rows}))
    above = {path[-1]: path for path in one.paths.values() if path}
    blocks = blocks_of(one.depths, item_cost)
    assert one.ends is not None
    assert [begin for begin, _ in blocks] + [one.ids.size] == [0] + [end for _, end in blocks]
    plan = TrieAttention(shipped_model().hf, None, one.depths, one.ends)
    [*made] = plan._blocks_under(causal_mask_function, torch.device("cpu"))
    for first, end, seen, sees in made:
        for node, line in zip(range(first, end), sees[0, 0], strict=True):
            path = next(path[: path.index(node) + 1] for path in above.values() if node in path)
            assert seen[line].tolist() == path


def bad_calls() -> Iterator[tuple[Callable[[], Any], type[Exception], str]]:
    model = shipped_model()
    begun = grown(model)[0]
    learn: Any = oc.train.tree_logprobs
    other = oc.load()
    yield lambda: learn("The sky"), TypeError, r"list of SequenceStates"
    yield lambda: learn([begun, "x"]), TypeError, r"list of SequenceStates"
    yield lambda: learn([]), TypeError, r"list of SequenceStates first, not an empty list"
    yield lambda: learn(begun[:0, :, :]), ValueError, r"there are no rows"
    yield lambda: learn([begun, begun.to(other)]), ValueError, r"states of two models do not mix"
    yield lambda: learn(begun, "gpt2"), TypeError, r"takes a Model first"
    yield lambda: learn(begun, oc.Model(model.tokenizer)), TypeError, r"needs the parameters of a transformers model"
    yield lambda: learn(begun, chunk=3), ValueError, r"chunk=3: it must hold the longest row"
    yield lambda: learn(begun, chunk=2.5), TypeError, r"chunk=2.5"
    yield lambda: learn(begun, grad=1), TypeError, r"grad=1"
    yield lambda: learn(begun, entropy=True), TypeError, r"entropies"
    yield lambda: learn(model.state("The sky")), ValueError, r"row \[0, 0\] has no generated token"
    yield lambda: learn([begun, begun[:, :, :3]]), ValueError, r"row \[2, 0\] has no generated token"
    drawn = oc.continuous(oc.generate.text(model))("Mira", max_tokens=2, seed=0)
    grafted = oc.continuous(oc.generate.text(model))(
        oc.grafts.graft(model.state("Look up."), model.state(" The sky is")), max_tokens=1, seed=0
    )
    yield lambda: learn([drawn, grafted]), ValueError, r"row \[1, 0\] holds a graft"
    ragged = begun.pick([(0, 0), (0, 1), (1, 0)])
    yield lambda: learn(ragged), ValueError, r"row \[1, 1\] is dead"
    small = small_model()
    long = oc.continuous(oc.generate.text(model))(["a" * 200], max_tokens=1, seed=0)
    yield lambda: learn(long, small), oc.errors.ContextFull, r"context has 64"


@pytest.mark.parametrize("case", range(16))
def test_bad_input_is_refused_before_the_first_pass(case: int) -> None:
    cases = list(bad_calls())
    assert len(cases) == 16
    call, error, message = cases[case]
    before = shipped_model().stats.passes
    with pytest.raises(error, match=message):
        call()
    assert shipped_model().stats.passes == before
