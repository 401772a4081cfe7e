"""`integrations.transformers.LogitsProcessor`: constraints in the loops of transformers' `generate()`.

Texts are judged by `re`, `jsonschema` and lists (`generate_matrix.py`), states by walking a guide from the beginning.
`python tests/bench/processors.py matrix` tries all loops, tasks and vocabularies.
"""

from __future__ import annotations

import gc
import re
import tracemalloc
import weakref
from typing import Any, Literal

import numpy as np
import pytest
import torch
from generate_matrix import LOOPS, TASKS, generated, place, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from made_tokenizers import unigram
from transformers import LlamaConfig, LlamaForCausalLM, LogitsProcessorList

import outlines_cont as oc
from outlines_cont.fsm import guide as guides
from outlines_cont.fsm.protocol import with_defaults
from outlines_cont.fsm.vocabulary import Vocabulary, unpack
from outlines_cont.integrations.transformers import ENTRY, Ended, LogitsProcessor, RowStates, _mask_of, _masked
from outlines_cont.kernels import bitmask

AT = place("1.5k")
TINY = Vocabulary([b"<eos>", b"a", b"b", b"ab", b"<pad>"], eos=[0], special=[4])


class Counting:
    """A guide that counts how often it is advanced."""

    def __init__(self, guide: Any):
        self.guide, self.advances = guide, 0
        self.vocabulary, self.initial = guide.vocabulary, guide.initial
        self.mask, self.accepting = guide.mask, guide.accepting

    def advance(self, state: Any, token: int) -> Any:
        self.advances += 1
        return self.guide.advance(state, token)


def pattern_of(length: int) -> Counting:
    return Counting(guides.regex(f"[a-z ]{{{length}}}", AT.vocabulary))


# ------------------------------------------------------------------------------------------------------- every loop


@pytest.mark.parametrize("loop", LOOPS)
def test_each_output_of_each_loop_is_a_whole_text(loop: str) -> None:
    for name in ("words", "object") if loop in ("beams", "assistant") else ("words",):
        task = TASKS[name]
        written = list(texts(AT, generated(AT, loop, LogitsProcessor(task.output_type, AT.source))))
        assert [text for text in written if text is None or not task.right(text)] == []


@pytest.mark.parametrize("task", TASKS)
def test_beams_of_each_kind_of_constraint_are_whole_texts(task: str) -> None:
    processor = LogitsProcessor(TASKS[task].output_type, AT.source)
    rows = generated(AT, "beams", processor)
    assert all(text is not None and TASKS[task].right(text) for text in texts(AT, rows))
    assert len(processor.values(rows)) == len(rows)


@pytest.mark.parametrize("loop", ["greedy", "beams", "assistant", "prompt lookup"])
def test_texts_are_counted_after_the_start_tokens_of_a_decoder(loop: str) -> None:
    at = place("t5")
    rows = generated(at, loop, LogitsProcessor(TASKS["date"].output_type, at.source))
    assert all(text is not None and TASKS["date"].right(text) for text in texts(at, rows))


def test_a_forced_bos_of_a_decoder_comes_before_the_text() -> None:
    at = place("t5")
    rows = generated(at, "greedy", LogitsProcessor(["red", "blue"], at.source), forced_bos_token_id=2)
    assert {row[0] for row in rows} == {2}
    assert {*texts(at, [row[1:] for row in rows])} <= {"red", "blue"}


def test_greedy_decoding_takes_the_likeliest_tokens_that_are_allowed() -> None:
    """As a loop over whole forwards and a guide does."""
    guide, ids = guides.regex(r"[a-z]{3,8} [0-9]{2}", AT.vocabulary), list(AT.prompts[1])
    state, expected = guide.initial, []
    while (last := expected[-1:]) != [AT.pad]:
        with torch.no_grad():
            logits = AT.hf(torch.tensor([ids + expected])).logits[0, -1]
        logits[~torch.from_numpy(unpack(guide.mask(state), len(logits)).copy())] = -torch.inf
        expected.append(int(logits.argmax()))
        state = guide.advance(state, expected[-1])
    assert last == [AT.pad]
    out = AT.hf.generate(
        torch.tensor([ids]),
        logits_processor=[LogitsProcessor(guide, AT.source)],
        max_new_tokens=40,
        do_sample=False,
        pad_token_id=AT.pad,
    )
    assert out[0, len(ids) :].tolist() == expected


@pytest.mark.parametrize("do_sample", [False, True])
def test_assistants_with_a_tokenizer_of_their_own_draft_freely(do_sample: bool) -> None:
    """What they draft is translated; the model's own steps hold it to the constraint."""
    tokenizer = unigram()
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=max(tokenizer.get_vocab().values()) + 1,
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        eos_token_id=tokenizer.eos_token_id,
    )
    rows = generated(
        AT,
        "sampling" if do_sample else "greedy",
        LogitsProcessor(TASKS["words"].output_type, AT.source),
        assistant_model=LlamaForCausalLM(config).eval(),
        tokenizer=AT.source,
        assistant_tokenizer=tokenizer,
        num_return_sequences=1,
        prompts=AT.prompts[:1],
    )
    assert all(text is not None and TASKS["words"].right(text) for text in texts(AT, rows))
    if not do_sample:
        alone = generated(AT, "greedy", LogitsProcessor(TASKS["words"].output_type, AT.source), prompts=AT.prompts[:1])
        assert [row[: len(alone[0])] for row in rows] == alone


def test_one_processor_serves_one_call_after_another() -> None:
    """Also where the second prompt is what the first call wrote: it is a prompt, and no text."""
    processor = LogitsProcessor(re.compile("[a-z]{3}"), AT.source)
    prompt = torch.tensor([AT.prompts[1]])
    options: dict[str, Any] = {"do_sample": False, "max_new_tokens": 2, "pad_token_id": AT.pad}
    first = AT.hf.generate(prompt, logits_processor=[processor], **options)
    options["max_new_tokens"] = 8
    again, fresh = (
        AT.hf.generate(first, logits_processor=[each], **options)
        for each in (processor, LogitsProcessor(re.compile("[a-z]{3}"), AT.source))
    )
    assert again.tolist() == fresh.tolist()
    assert len(str(processor.values(again[:, first.shape[1] :])[0])) == 3


def test_a_text_that_was_cut_goes_on_where_the_length_of_the_prompt_is_given() -> None:
    processor = LogitsProcessor(re.compile("[a-z]{9}"), AT.source, prompt_length=len(AT.prompts[1]))
    prompt = torch.tensor([AT.prompts[1]])
    options: dict[str, Any] = {"do_sample": False, "logits_processor": [processor], "pad_token_id": AT.pad}
    whole = AT.hf.generate(prompt, max_new_tokens=12, **options)
    cut = AT.hf.generate(prompt, max_new_tokens=2, **options)
    assert AT.hf.generate(cut, max_new_tokens=12, **options).tolist() == whole.tolist()


# ------------------------------------------------------------------------------------------------------ states


@pytest.mark.parametrize("length", [100, 4000])
def test_states_are_not_walked_again(length: int) -> None:
    """One `advance` for each row of a step, however long the rows are, and also where beams change places."""
    counting = pattern_of(8 * length)
    states = RowStates(with_defaults(counting), AT.vocabulary.eos)
    random, ids = np.random.default_rng(0), AT.vocabulary.text_ids
    letters = [t for t in ids.tolist() if re.fullmatch(b"[a-z ]+", AT.vocabulary.tokens[t])]
    rows = np.zeros((4, 0), np.int64)
    for _ in range(length):
        rows = np.concatenate([rows[random.integers(4, size=4)], random.choice(letters, (4, 1))], 1)
        states.of(rows)
    distinct = counting.advances
    assert length < distinct <= 4 * length
    states.of(rows)
    assert counting.advances == distinct


class Watching:
    """A processor that notes what it is asked about."""

    def __init__(self, processor: Any):
        self.processor, self.asked = processor, set()

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        self.asked.add(tuple(input_ids[0].tolist()))
        return self.processor(input_ids, scores)


def test_drafts_that_are_taken_back_are_not_walked_again() -> None:
    """Prompt lookup and assistants ask about a token several times: each is advanced over once."""
    for loop in ("prompt lookup", "assistant"):
        counting = pattern_of(30)
        watching = Watching(LogitsProcessor(counting, AT.source))
        generated(AT, loop, watching)
        assert 10 < counting.advances <= len(watching.asked)


@given(st.lists(st.lists(st.sampled_from([0, 1, 2, 3, 4, 7]), max_size=6), min_size=1, max_size=5), st.data())
@settings(max_examples=60)
def test_the_state_of_a_row_is_the_one_that_its_ids_lead_to(rows: list[list[int]], data: st.DataObject) -> None:
    guide = guides.regex("(ab)*b?", TINY)
    states = RowStates(guide, TINY.eos)

    def walked(row: list[int]) -> Any:
        state: Any = guide.initial
        for token in row:
            if state in (Ended.STOPPED, Ended.REFUSED):
                return state
            if token == 0:
                state = Ended.STOPPED if guide.accepting(state) else Ended.REFUSED
            else:
                state = guide.advance(state, token) if token < len(TINY) else None
                state = Ended.REFUSED if state is None else state
        return state

    assert states.of(np.array([[1, 0], [2, 0]])) == [Ended.REFUSED, Ended.STOPPED]
    for _ in range(3):  # in any order, again, and in parts
        row = data.draw(st.sampled_from(rows))
        part = row[: data.draw(st.integers(0, len(row)))]
        assert states.of(np.array([part], np.int64).reshape(1, len(part))) == [walked(part)]


def test_what_is_kept_of_rows_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outlines_cont.integrations.transformers.KEPT_BYTES", 8 * ENTRY + 1000)
    counting = Counting(guides.regex("a*", TINY))
    states = RowStates(with_defaults(counting), TINY.eos)
    for n in range(1, 300):
        states.of(np.ones((2, n), np.int64))
    assert len(states._kept) == 8 and counting.advances == 299  # those of the last steps
    assert states._bytes == sum(ENTRY + len(ids) for ids in states._kept)


def test_many_short_rows_take_no_more_memory_than_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row costs more than its ids: a bound on these alone let short rows take ten times as much."""
    monkeypatch.setattr("outlines_cont.integrations.transformers.KEPT_BYTES", 1 << 20)
    states = RowStates(guides.regex("[ab]*", TINY), TINY.eos)
    rows = np.random.default_rng(0).integers(1, 3, (100, 100, 16))
    tracemalloc.start()
    try:
        for part in rows:
            states.of(part)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(states._kept) > 1000 and taken < 1.5 * (1 << 20)


# ------------------------------------------------------------------------------------------------------- masks


@given(
    st.sampled_from([torch.float32, torch.float16, torch.bfloat16, torch.float64]),
    st.integers(1, 3),
    st.integers(1, 70),
    st.booleans(),
    st.sampled_from([0.0, 0.02, 0.5, 0.98, 1.0]),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=100)
def test_masked_logits_are_minus_infinity_or_as_they_were(
    dtype: torch.dtype, rows: int, size: int, shared: bool, share: float, seed: int
) -> None:
    r = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, size, generator=r).to(dtype)
    logits[torch.rand(rows, size, generator=r) < 0.2] = torch.inf
    logits[torch.rand(rows, size, generator=r) < 0.2] = -torch.inf
    allowed = torch.rand(1 if shared else rows, size, generator=r) < share
    before = logits.clone()
    expected = torch.where(allowed.expand(rows, size), logits, torch.tensor(-torch.inf, dtype=dtype))
    for given_ in (logits, logits.T.contiguous().T, logits.clone().requires_grad_()):
        masked, all_left = _masked(given_, bitmask.pack(allowed).numpy())
        assert masked.dtype == dtype and torch.equal(masked, expected) and torch.equal(given_, before)
        assert all_left is bool((expected > -torch.inf).any(1).all())


@given(st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=1, max_size=4))
@settings(max_examples=40)
def test_masks_of_ids(allowed: list[list[int]]) -> None:
    masks = np.stack([_mask_of(ids, 4) for ids in allowed])
    assert [np.flatnonzero(unpack(mask, 100)).tolist() for mask in masks] == [sorted(set(ids)) for ids in allowed]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_scores_of_any_type_are_masked_and_those_given_stay(dtype: torch.dtype) -> None:
    processor = LogitsProcessor(guides.regex("ab|b", TINY))
    scores = torch.arange(8, dtype=dtype).repeat(2, 1)  # a model with more logits than tokens
    before = scores.clone()
    processor(torch.tensor([[7], [7]]), scores)
    masked = processor(torch.tensor([[7, 1], [7, 2]]), scores)
    assert masked.dtype == dtype and torch.equal(scores, before)
    assert [torch.isfinite(row).nonzero().flatten().tolist() for row in masked] == [[2], [0]]
    assert not masked.isnan().any()


def test_behind_an_eos_come_only_eos_and_padding() -> None:
    rows = generated(AT, "sampling", LogitsProcessor(Literal["a", "Paris is large"], AT.source), seed=3)
    assert all(row.count(AT.pad) and {*row[row.index(AT.pad) :]} == {AT.pad} for row in rows)
    loop = LogitsProcessor(guides.regex("ab|b", TINY))
    loop(torch.tensor([[7]]), torch.zeros(1, 5))
    ended = loop(torch.tensor([[7, 2, 0]]), torch.zeros(1, 5))
    refused = loop(torch.tensor([[7, 1, 1]]), torch.zeros(1, 5))
    assert ended.isfinite().tolist() == refused.isfinite().tolist() == [[True, False, False, False, False]]


def test_rows_that_stop_strings_end_are_padded_while_others_go_on() -> None:
    processor = LogitsProcessor(re.compile("[a-f]{2,20}"), AT.source)
    rows = generated(AT, "sampling", processor, stop_strings=["a", "c"], tokenizer=AT.source, max_new_tokens=25)
    written = [AT.vocabulary.decode(row[: row.index(AT.pad)] if AT.pad in row else row) for row in rows]
    assert all(re.fullmatch(b"[a-f]{1,20}", text) for text in written)
    assert len({*map(len, written)}) > 1


def test_a_row_ends_at_the_ids_that_generate_is_told() -> None:
    """Also at a special token that is no eos of the tokenizer; and then not at the tokenizer's."""
    end = AT.source.convert_tokens_to_ids("<|user|>")
    assert end in AT.vocabulary.special and end not in AT.vocabulary.eos
    rows = generated(AT, "beams", LogitsProcessor(["red", "blue"], AT.source), eos_token_id=end)
    written = [AT.vocabulary.decode(row[: row.index(end)], special=True) for row in rows]
    assert {*written} <= {b"red", b"blue"}


# ------------------------------------------------------------------------------------------------- loops of one's own


def test_a_loop_of_ones_own_is_served_and_another_one_needs_a_reset() -> None:
    processor = LogitsProcessor(guides.regex("ab|b", TINY))
    scores = torch.zeros(1, 5)
    assert processor(torch.tensor([[7]]), scores).isfinite().tolist() == [[False, True, True, True, False]]
    with pytest.raises(ValueError, match=r"began with prompts of 1 ids.*reset"):
        processor(torch.tensor([[8, 1]]), scores)
    with pytest.raises(ValueError, match="reset"):
        processor(torch.tensor([[]], dtype=torch.long), scores)
    processor.reset()
    assert processor(torch.tensor([[8, 1]]), scores).isfinite().tolist() == [[False, True, True, True, False]]


def test_a_prompt_length_that_does_not_fit_is_refused() -> None:
    for wrong, error in ((-1, ValueError), ("2", TypeError), (True, TypeError)):
        with pytest.raises(error, match="prompt_length"):
            LogitsProcessor(int, AT.source, prompt_length=wrong)  # type: ignore[arg-type]
    far = LogitsProcessor(guides.regex("ab|b", TINY), prompt_length=3)
    with pytest.raises(ValueError, match="prompt_length=3: the rows of this loop have 1 ids"):
        far(torch.tensor([[7]]), torch.zeros(1, 5))
    with pytest.raises(ValueError, match="prompt_length=99: the prompts of this call have"):
        generated(AT, "greedy", LogitsProcessor(int, AT.source, prompt_length=99))
    with pytest.raises(
        oc.errors.ConstraintError, match=r"row 0 begins with .* after its first 1 ids \(prompt_length\)"
    ):
        generated(AT, "greedy", LogitsProcessor(int, AT.source, prompt_length=1))


def test_calls_are_not_kept_alive() -> None:
    processor = LogitsProcessor(int, AT.source)
    generated(AT, "greedy", processor)
    config = processor._calls._last.config
    gone = weakref.ref(processor)
    gc.collect()
    assert config() is None
    del processor
    gc.collect()
    assert gone() is None


# ------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: LogitsProcessor(int), TypeError, "takes a tokenizer, an oc.Model or a Vocabulary second"),
        (lambda: LogitsProcessor(int, AT.hf), TypeError, "not a bare LlamaForCausalLM: give its tokenizer"),
        (lambda: LogitsProcessor(int, "gpt2"), TypeError, "not 'gpt2'"),
        (lambda: LogitsProcessor("[0-9]", AT.source), TypeError, "oc.types.regex"),
        (lambda: LogitsProcessor(re.compile("(a)\\1"), AT.source), oc.errors.ConstraintError, "backreference"),
        (lambda: LogitsProcessor(guides.regex("a", TINY), AT.source), ValueError, "over another vocabulary"),
        (
            lambda: LogitsProcessor(oc.types.choice(["a", "b"], by="sequence"), AT.source),
            ValueError,
            "by='sequence' draws whole options",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_by_name(make: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        make()


def test_a_tokenizer_that_is_not_the_models_is_refused() -> None:
    with pytest.raises(ValueError, match=r"gives 1536 logits, and the tokenizer of .* has 5 tokens: it is not"):
        generated(AT, "greedy", LogitsProcessor(guides.regex("a", TINY)))
    larger = Vocabulary([*AT.vocabulary.tokens, b"one", b"more"], AT.vocabulary.eos, AT.vocabulary.special)
    with pytest.raises(ValueError, match=r"gives 1536 logits, and the tokenizer of .* has 1538"):
        generated(AT, "greedy", LogitsProcessor(int, larger))
    other = Vocabulary([*AT.vocabulary.tokens[::-1]], [len(AT.vocabulary) - 2])
    with pytest.raises(ValueError, match=r"ends a row at the id 1, which is the text .* Is it the model's"):
        generated(AT, "greedy", LogitsProcessor(int, other))
    with pytest.raises(ValueError, match="no id ends a text"):
        LogitsProcessor(int, Vocabulary([b"1"], []))(torch.tensor([[0]]), torch.zeros(1, 1))
    with pytest.raises(ValueError, match=r"takes ids \[rows, n\] and scores \[rows, V\], not \[1, 1\] and \[2, 5\]"):
        LogitsProcessor(guides.regex("a", TINY))(torch.tensor([[1]]), torch.zeros(2, 5))
    with pytest.raises(ValueError, match=r"logits are torch.int64: they must be of a float dtype"):
        LogitsProcessor(guides.regex("a", TINY))(torch.tensor([[1]]), torch.zeros(1, 5, dtype=torch.long))


def call(processors: list[Any], **options: Any) -> Any:
    ids = torch.tensor([AT.prompts[0]])
    options = {"max_new_tokens": 20, "pad_token_id": AT.pad, "do_sample": False, **options}
    return AT.hf.generate(ids, logits_processor=processors, **options)


def test_a_processor_that_is_given_twice_is_refused() -> None:
    processor = LogitsProcessor(int, AT.source)
    with pytest.raises(ValueError, match=r"has the same .* 2 times: give it once"):
        call([processor, processor])
    with pytest.raises(ValueError, match="stands twice in a list of processors"):
        LogitsProcessorList([processor, processor])(torch.tensor([[5]]), torch.zeros(1, len(AT.vocabulary)))


def test_two_constraints_that_leave_no_token_are_refused() -> None:
    one, two = (LogitsProcessor(re.compile(pattern), AT.source) for pattern in ("[a-c]{2}", "[b-d]{2}"))
    both = call([one, two])
    assert re.fullmatch("[bc]{2}", str(two.values(both[:, len(AT.prompts[0]) :])[0]))
    with pytest.raises(ValueError, match=r"row 0: no token is left. another processor of the list forbids every token"):
        call([LogitsProcessor(["a"], AT.source), LogitsProcessor(["b"], AT.source)])


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("min_new_tokens", 11, "Paris"),
        ("forced_eos_token_id", 1, "Paris is a very large city, and Rome is another"),
        ("suppress_tokens", list(range(2, 1536)), "Paris"),
    ],
)
@pytest.mark.parametrize("beams", [1, 3])
def test_settings_that_leave_no_token_are_named(setting: str, value: Any, text: str, beams: int) -> None:
    with pytest.raises(ValueError, match=f"no token is left. .*{setting}="):
        call([LogitsProcessor([text], AT.source)], num_beams=beams, max_new_tokens=12, **{setting: value})


def test_a_beam_that_may_not_end_yet_gives_way_to_others() -> None:
    texts_left = ["yes", "no, this is a long answer to it"]
    processor = LogitsProcessor(texts_left, AT.source)
    out = call([processor], num_beams=3, num_return_sequences=1, min_new_tokens=6, max_new_tokens=40)
    assert processor.values(out[:, len(AT.prompts[0]) :]) == texts_left[1:]


def test_rows_of_padding_alone_are_no_texts() -> None:
    """What transformers returns where a beam search has fewer texts than it is asked for."""
    options: dict[str, Any] = {
        "num_beams": 8,
        "num_return_sequences": 7,
        "length_penalty": -1.0,
        "early_stopping": True,
    }
    torch.manual_seed(0)
    processor = LogitsProcessor(["Paris", "Rome"], AT.source)
    out = call([processor], do_sample=True, top_k=1, temperature=0.2, **options)[:, len(AT.prompts[0]) :]
    empty = [n for n, row in enumerate(out.tolist()) if {*row} == {AT.pad}]
    assert empty and {*processor.values([row for n, row in enumerate(out.tolist()) if n not in empty])} <= {
        "Paris",
        "Rome",
    }
    with pytest.raises(ValueError, match=f"row {empty[0]} holds no text: num_return_sequences is more than"):
        processor.values(out)


def test_a_token_that_comes_though_it_was_forbidden_is_told() -> None:
    class Raise(torch.nn.Module):
        def forward(self, input_ids: Any, scores: Any) -> Any:
            return scores.nan_to_num(neginf=0.0) + torch.nn.functional.one_hot(torch.tensor(99), scores.shape[1]) * 1e9

    with pytest.raises(ValueError, match=r"row 0 went on with the token 99, which .* had forbidden.*Put this .* last"):
        call([LogitsProcessor(int, AT.source), Raise()])


def test_loops_that_cannot_be_served_are_refused() -> None:
    def loop(model: Any, input_ids: Any, logits_processor: Any, **_: Any) -> Any:
        while input_ids.shape[1] < 30 and int(input_ids[0, -1]) != AT.pad:
            with torch.no_grad():
                scores = logits_processor(input_ids, model(input_ids).logits[:, -1])
            input_ids = torch.cat([input_ids, scores.argmax(-1, keepdim=True)], 1)
        return input_ids

    with pytest.raises(ValueError, match=r"runs a loop that is not transformers' own.*prompt_length=n"):
        call([LogitsProcessor(int, AT.source)], custom_generate=loop)
    processor = LogitsProcessor(int, AT.source, prompt_length=len(AT.prompts[0]))
    assert isinstance(processor.values(call([processor], custom_generate=loop)[:, len(AT.prompts[0]) :])[0], int)
    for options in ({"num_beams": 4, "num_beam_groups": 2, "diversity_penalty": 1.0}, {"dola_layers": "low"}):
        with pytest.raises(ValueError, match="requires `trust_remote_code=True`"):  # transformers' own
            call([LogitsProcessor(int, AT.source)], **options)


def test_modes_that_live_in_the_hub_are_refused_at_their_first_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Group beams, contrastive search and DoLa are fetched code, which calls processors as it likes."""

    def fetched(self: Any, name: str, **_: Any) -> Any:
        def run(model: Any, inputs: Any = None, logits_processor: Any = None, **_: Any) -> Any:
            return LogitsProcessorList(logits_processor)(inputs, model(inputs).logits[:, -1])

        return run

    monkeypatch.setattr(type(AT.hf), "load_custom_generate", fetched)
    for options in ({"penalty_alpha": 0.6, "top_k": 4}, {"num_beams": 4, "num_beam_groups": 2}):
        for length in (None, len(AT.prompts[0])):
            with pytest.raises(ValueError, match="goes on with tokens that a processor has forbidden"):
                processor = LogitsProcessor(int, AT.source, prompt_length=length)
                call([processor], trust_remote_code=True, **options)


def test_a_loop_that_is_compiled_whole_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    with pytest.raises(ValueError, match=r"inside torch.compile.*Compile model.forward"):
        call([LogitsProcessor(int, AT.source)])


def test_values_are_those_of_whole_texts() -> None:
    processor = LogitsProcessor(Literal["red", 3], AT.source)
    red = AT.source("red", add_special_tokens=False).input_ids
    assert processor.values(torch.tensor([[*red, 1, 1]])) == ["red"]
    assert processor.values([[*red], [*AT.source("3", add_special_tokens=False).input_ids, 1]]) == ["red", 3]
    beyond = len(AT.vocabulary)  # models have more logits than tokens, and generate() may end rows there
    assert processor.values([[*red, beyond], [*red, -100]]) == ["red", "red"]
    with pytest.raises(ValueError, match=r"row 1, 're?', was cut short: give generate\(\) more max_new_tokens"):
        processor.values([red, AT.source("re", add_special_tokens=False).input_ids])
    with pytest.raises(ValueError, match=r"row 0, .* is no text of .*: give the new ids alone"):
        processor.values([[*AT.prompts[1][1:], *red]])


def test_the_output_type_comes_first() -> None:
    model = oc.load()
    for wrong, kind in [(model, "model"), (model.hf, "model"), (model.tokenizer, "tokenizer")]:
        with pytest.raises(
            TypeError, match=re.escape(f"the output type comes first, then whose tokens: LogitsProcessor(int, {kind})")
        ):
            LogitsProcessor(wrong, int)


def test_ids_with_their_prompts_are_refused_and_errors_may_stand_among_values() -> None:
    model = oc.load()
    processor = LogitsProcessor(int, model)
    whole = [*model.encoder.append("34"), model.vocabulary.eos[0]]
    prompt = [*model.encoder.prefix, *model.encoder.append("Mira is ")]
    with pytest.raises(ValueError, match=r"row 1 begins with the special token 0, and goes on: ids with their prompt"):
        processor.values([whole, [*prompt, *whole]])
    value, error, cut = processor.values([whole, [*prompt, *whole], []], errors="return")
    assert value == 34 and isinstance(error, ValueError) and isinstance(cut, ValueError)
    with pytest.raises(ValueError, match="errors="):
        processor.values([whole], errors="ignore")  # type: ignore[arg-type]
