"""Thoughts: free text up to a mark, which is written for the model when its budget is used up. What went wrong in other
systems, by the numbers of their issues, stands beside the tests of it."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import product
from random import Random
from typing import Any

import made_tokenizers
import pytest
import torch
from guides import check_guide
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from test_generation import random_model

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.kinds import BYTES
from outlines_cont.fsm.vocabulary import Vocabulary, unpack
from outlines_cont.generate.asked import constraint_on
from outlines_cont.integrations.transformers import LogitsProcessor
from outlines_cont.integrations.vllm import ConstrainedRequest, GuidedRow, asked_for
from outlines_cont.state.constraint import Constraint
from outlines_cont.state.spans import SpanEnd

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

# ------------------------------------------------------------------------------- the guide, beside a machine of strings


def whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        assert error.reason == "unexpected end of data" or not begins_text(data)
        return False
    return True


def begins_text(data: bytes) -> bool:
    """Whether whole characters, or some and the beginning of one."""
    return any(all_of(data + more) for more in (b"", b"\xa9", b"\x82\xac", b"\xac"))


def all_of(data: bytes) -> bool:
    try:
        return bool(data.decode() or not data)
    except UnicodeDecodeError:
        return False


class Machine:
    """A thought as a plain machine: the text so far, how many tokens it took, and what may be left to write."""

    def __init__(self, v: Vocabulary, budget: int, mark: bytes):
        self.v, self.mark, self.left = v, mark, budget
        self.text, self.over, self.targets = b"", False, None if budget else self.ends(b"")
        self.special = {t for t in v.special - {*v.eos} if v.tokens[t] == mark}

    def ends(self, text: bytes) -> set[bytes]:
        """The texts to which it may come when nothing but the mark may be written: b"" stands for a special token."""
        special = any(self.v.tokens[t] == self.mark for t in self.v.special)
        if not special:
            begun = [n for n in range(1, len(self.mark)) if text.endswith(self.mark[:n])]
            if begun:
                return {text + self.mark[begun[-1] :]}
        letters = [bytes([b]) for b in (0x82, 0xA9, 0xAC)]
        more = next(n for n in range(3) if any(all_of(text + b"".join(x)) for x in product(letters, repeat=n)))
        characters = [text + b"".join(x) for x in product(letters, repeat=more) if all_of(text + b"".join(x))]
        return {each if special else each + self.mark for each in characters if not special or self.mark not in each}

    def allows(self, token: int) -> bool:
        if token in self.v.eos:
            return self.over
        if self.over or (token in self.v.special and token not in self.special):
            return False
        if token in self.special:
            return self.text in self.targets if self.targets is not None else all_of(self.text)
        text = self.text + self.v.tokens[token]
        if self.targets is not None:
            return any(target.startswith(text) for target in self.targets)
        if not begins_text(text):
            return False
        place = text.find(self.mark)
        return place < 0 or (not self.special and place + len(self.mark) == len(text))

    def take(self, token: int) -> None:
        self.over = token in self.special
        self.text += b"" if self.over else self.v.tokens[token]
        self.over = self.over or (not self.special and self.text.endswith(self.mark))
        self.left -= 1
        if self.left == 0 and not self.over:
            self.targets = self.ends(self.text)


LETTERS = [b"a", b"b", b"<", b"\xc3", b"\xa9", b"\xe2", b"\x82", b"\xac"]
pieces = st.lists(st.sampled_from(LETTERS), min_size=2, max_size=4).map(b"".join)
marks = st.sampled_from(["a", "<b", "aa", "aba", "<<b", "é", "aé", "€<", "b<b<"])


@SLOW
@given(
    st.lists(pieces, max_size=8, unique=True),
    marks,
    st.integers(0, 5),
    st.sampled_from([(), (0,), (0, 0)]),
    st.randoms(use_true_random=False),
)
@example([b"<b"], "<b", 2, (), Random(0))
@example([b"b<", b"<b<"], "b<b<", 1, (), Random(1))
def test_a_thought_is_text_up_to_its_first_mark_and_then_the_mark_is_written(
    longer: list[bytes], mark: str, budget: int, special: tuple[int, ...], r: Random
) -> None:
    """TensorRT-LLM 18616: of a mark in several tokens that the model had begun, the first was forced again."""
    tokens = [*LETTERS, *longer, b"<eos>", b"<other>", *[mark.encode() for _ in special]]
    eos, n = len(LETTERS) + len(longer), len(LETTERS) + len(longer)
    v = Vocabulary(tokens, eos=[eos], special=range(n, len(tokens)))
    g = guide.thought(budget, v, mark)
    check_guide(g, walks=2, steps=12, seed=r.randrange(2**30), ending=g.marks)
    for _ in range(4):
        machine, state = Machine(v, budget, mark.encode()), g.initial
        for _ in range(budget + 12):
            allowed = unpack(g.mask(state), len(v)).nonzero()[0].tolist()
            assert allowed == [t for t in range(len(v)) if machine.allows(t)], (machine.text, machine.targets)
            assert g.complete(state) == machine.over
            if machine.over:
                break
            token = r.choice(allowed)
            state = g.advance(state, token)
            machine.take(token)
        assert machine.over, "the mark comes at last"
        assert machine.text.count(mark.encode()) == (not special)


def test_the_mark_is_completed_and_not_begun_anew_and_a_character_is_ended_first() -> None:
    v = Vocabulary([*BYTES.tokens, b"</th", b"ink>", b"</", b"think", b">x", b"\x82\xacx"], eos=[256])

    def runs(budget: int, *ids: int) -> list[bytes]:
        g = guide.thought(budget, v)
        state: Any = g.initial
        for token in ids:
            state = g.advance(state, token)
        return [v.tokens[t] for t in unpack(g.mask(state), len(v)).nonzero()[0]]

    assert runs(1, 257) == [b"i", b"ink>"] and runs(2, 97, 259) == [b"t", b"think"]
    assert runs(2, 257, 258) == [b"<eos>"], "the mark itself is the last token of the budget"
    assert runs(1, ord("<")) == [b"/"] and len(runs(2, ord("<"))) > 180, '"<" may be text'
    assert {*runs(0)} == {b"<", b"</", b"</th"}
    assert set(runs(1, 0xE2)) == {bytes([b]) for b in range(0x80, 0xC0)}
    assert set(runs(1, 0xF4)) == {bytes([b]) for b in range(0x80, 0x90)}, "no character is beyond U+10FFFF"
    assert {*runs(1, 0xE2, 0x82, 0xAC)} == {*runs(0)}
    assert b">" in runs(3, 259, 260) and b">x" not in runs(3, 259, 260), "a token that goes beyond the mark is none"


def test_what_a_vocabulary_cannot_end_goes_on_by_a_token_and_what_it_cannot_spell_is_refused() -> None:
    v = Vocabulary([b"<eos>", b"<", b"</b>", b"\xe2\x82", b"\xacb"], eos=[0])
    g = guide.thought(1, v, "</b>")
    check_guide(g, walks=40, steps=12)
    begun = g.advance(g.initial, 1)
    assert unpack(g.mask(begun), 5).nonzero()[0].tolist() == [1, 2, 3], '"/b>" is no text of its tokens'
    with pytest.raises(ConstraintError, match="a thought up to '</th>' cannot be spelled"):
        guide.thought(1, v, "</th>")
    for given_, error, message in (
        ((-1, v), ValueError, "budget=-1: it must be an int ≥ 0"),
        (("3", v), TypeError, "budget='3'"),
        ((3, v, ""), ValueError, "mark='': it must be a text"),
        ((3, v, 7), TypeError, "mark=7: it must be a text"),
        ((3, "v"), TypeError, "made for a Vocabulary"),
    ):
        with pytest.raises(error, match=re.escape(message)):
            guide.thought(*given_)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="budget=-1"):
        oc.types.thought(-1)


# ----------------------------------------------------------------------------------------------------- generators of it

END = "<|im_end|>"  # one special token
SPLIT = "</think>"  # several tokens
PROMPTS = ["(", "The capital"]


@cache
def special_model() -> oc.Model:
    """A random model of which some tokens are special, and likely."""
    model = random_model(made_tokenizers.byte_level(), 0, positions=256)
    with torch.no_grad():
        model.hf.lm_head.weight[sorted(model.vocabulary.special - {0})] *= 2
    return oc.Model(model.hf, model.tokenizer)


SAMPLERS = {
    "greedy": oc.samplers.greedy(),
    "multinomial": oc.samplers.multinomial(samples=3),
    "beams": oc.samplers.beam_search(3),
    "particles": oc.samplers.smc(3, every=1),
    "filtered": oc.samplers.multinomial(samples=3, filters=[oc.filters.bad_words(["e"])]),
}


def lives(state: oc.SequenceState) -> list[list[tuple[int, ...]]]:
    """The tokens of the rows that are not dead."""
    return [[row.ids for row in rows if not row.dead] for rows in state.rows]


def spans(state: oc.SequenceState, name: str) -> list[tuple[Any, tuple[int, ...]]]:
    """The spans of a name, each with its tokens."""
    rows = [row for rows in state.rows for row in rows if not row.dead]
    return [(span, row.ids[span.start : span.end]) for row in rows for span in row.spans if span.name == name]


@pytest.mark.parametrize("mark", [END, SPLIT, "e"])
@pytest.mark.parametrize("budget", [0, 1, 7])
@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_every_sampler_writes_thoughts_that_are_cut_resumed_saved_and_streamed_like_others(
    name: str, budget: int, mark: str
) -> None:
    model = special_model()
    if name == "filtered" and "e" in mark and mark != END:
        mark = "</b>"
    step = oc.continuous(oc.Generator(model, oc.types.thought(budget, mark=mark), SAMPLERS[name]), name="t")
    state = step(PROMPTS, seed=1)
    values = [value for rows in state.captures["t"] for row in rows for value in row]
    assert len(values) == len(spans(state, "t")) > 0
    for value, (span, ids) in zip(values, spans(state, "t"), strict=True):
        written = model.vocabulary.decode(ids, special=True).decode()
        assert written.endswith(value + mark) and written.index(mark) + len(mark) == len(written)
        assert span.finished == "stop"
        assert span.ended_by == SpanEnd("mark" if len(ids) <= budget else "budget", text=mark)
        if mark == END:
            assert model.vocabulary.tokens[ids[-1]] == END.encode() and len(ids) <= budget + 4
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-3)
    for part in step.stream(PROMPTS, seed=1):
        last = part
    assert last == state
    loaded = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
    assert loaded.captures == state.captures and loaded.identical(state)
    assert [s.ended_by for s, _ in spans(loaded, "t")] == [s.ended_by for s, _ in spans(state, "t")]
    if name == "particles":
        return
    shortest = min(len(ids) for _, ids in spans(state, "t"))
    for cut in range(1, shortest + 1):
        short = state[..., :-cut]
        assert {each for rows in short.finished for each in rows} <= {None, "dead"}
        if name != "beams":  # which choose among what they have
            assert step.resume(short, seed=1) == state, "law 7"
            assert step.resume(oc.storage.from_bytes(oc.storage.to_bytes(short), model), seed=1) == state
        else:
            again = step.resume(short, seed=1)
            assert sum(len(row) for rows in again.captures["t"] for row in rows) == len(spans(again, "t")) >= 2
    alone = step(model.state(PROMPTS)[1:2, :, :], seed=1)
    assert lives(alone) == lives(state[1:2, :, :]), "law 9"


@pytest.mark.parametrize("mark", [END, SPLIT])
def test_the_tokens_of_a_mark_that_is_forced_are_read_in_one_pass(mark: str) -> None:
    """The last one is read with what comes next, as the mark is that is one token."""
    passes, states = {}, {}
    for forced in ("canonical", "never"):
        model = oc.Model(special_model().hf, special_model().tokenizer)
        thought = oc.generate.format(model, oc.types.thought(5, mark=mark), oc.samplers.greedy(), forced=forced)
        answer = oc.generate.choice(model, ["a", "bc"], oc.samplers.greedy())
        states[forced] = (oc.continuous(thought, name="t") >> oc.continuous(answer, name="a"))("(")
        assert spans(states[forced], "t")[0][0].ended_by == SpanEnd("budget", text=mark)
        passes[forced] = model.stats.passes
    [(_, ids)] = spans(states["canonical"], "t")
    assert (mark == END) == (passes["never"] == passes["canonical"]) and passes["never"] - passes["canonical"] in (0, 6)
    assert torch.allclose(states["canonical"].rescore().weights, states["canonical"].weights, atol=1e-3)
    row = states["canonical"].rows[0][0]
    piece = next(piece for piece in row.pieces if piece.name == "t")
    assert list(piece.forced) == ([] if mark == END else list(range(7, len(ids))))


PERSON = {"properties": {"name": {"type": "string", "maxLength": 3}, "age": {"type": "integer", "maximum": 9}}}
PERSON |= {"required": ["name", "age"]}
CHAINED = {name: SAMPLERS[name] for name in ("greedy", "multinomial", "beams", "particles")}


def chain_of(model: oc.Model, sampler: Any, budget: int, mark: str, **options: Any) -> Any:
    thought = oc.Generator(model, oc.types.thought(budget, mark=mark), sampler)
    answer = oc.generate.json(model, PERSON, sampler)
    return oc.continuous(thought, name="thought", **options) >> oc.continuous(answer, name="answer")


@settings(SLOW, max_examples=15)
@given(
    st.sampled_from(sorted(CHAINED)),
    st.integers(0, 9),
    st.sampled_from([END, SPLIT, "e"]),
    st.integers(0, 99),
    st.data(),
)
def test_after_each_thought_comes_a_valid_answer(name: str, budget: int, mark: str, seed: int, data: Any) -> None:
    """vLLM 34241, 39573; sglang 23953: after a mark among tokens that were guessed, the answer was free, and the budget
    did not count. Laws 7, 9 and 12 of the chain, and drafts."""
    model = special_model()
    chain = chain_of(model, CHAINED[name], budget, mark)
    state = chain(PROMPTS, seed=seed)
    for (span, ids), (answer, written) in zip(spans(state, "thought"), spans(state, "answer"), strict=True):
        assert span.ended_by == SpanEnd("mark" if len(ids) <= budget else "budget", text=mark)
        assert answer.finished == "stop"
        assert set(json.loads(model.vocabulary.decode(written))) == {"name", "age"}
    assert len(spans(state, "answer")) >= 2
    thought, answer = (chain.steps[0], chain.steps[-1])
    if name != "particles":
        assert lives(answer(thought(PROMPTS, seed=seed), seed=seed)) == lives(state), "law 12"
    if name in ("greedy", "multinomial"):
        assert chain(PROMPTS, seed=seed, draft=oc.drafts.lookup()) == state
        place = data.draw(st.integers(1, int(state.lengths.min()) - 2), label="place")
        cut = state[..., :-place]
        assert lives(chain.resume(cut, seed=seed)) == lives(state), "law 7"
        *_, last = chain.stream(PROMPTS, seed=seed)
        assert last == state


# --------------------------------------------------------------------------------------------- what it is used with


def test_text_that_is_appended_counts_and_what_heals_is_no_part_of_the_value() -> None:
    model = special_model()
    step = oc.continuous(oc.Generator(model, oc.types.thought(6, mark=SPLIT), SAMPLERS["greedy"]), name="t")
    state = step("(")
    joined = step.resume(state[..., :4] + " and </th")
    [(span, _)] = spans(joined, "t")
    [[[value]]] = joined.captures["t"]
    before = model.vocabulary.decode(state.rows[0][0].ids[2:4]).decode()
    appended = len(model.state("( and </th").rows[0][0].ids) - 2
    assert value.startswith(before + " and ") and span.ended_by == SpanEnd("budget", text=SPLIT)
    if appended + 2 >= 6:
        assert value == before + " and "
    healed = step(model.state("The capital of Franc"))
    assert str(healed) == "The capital of Franc" + healed.captures["t"][0][0][0] + SPLIT


def test_under_a_controller_a_thought_is_a_branch_and_a_special_token_may_be_appended() -> None:
    model = special_model()
    v, end = model.vocabulary, model.vocabulary.tokens.index(END.encode())
    thought, digit = guide.thought(3, v, END), guide.regex("[0-9]", v)

    def thinks(row: Any) -> list[oc.steer.Branch]:
        if END in row.text:
            return [] if row.text[-1:].isdigit() else [oc.steer.Branch(allowed=digit)]
        return [oc.steer.Branch(allowed=thought)] if not row.text else [oc.steer.Branch(forced=[end])]

    def writes(row: Any) -> list[oc.steer.Branch]:
        if END in row.text:
            return [] if row.text[-1:].isdigit() else [oc.steer.Branch(allowed=digit)]
        return [
            oc.steer.Branch(forced=[end]) if len(row.text) > 3 else oc.steer.Branch(allowed=guide.regex("[a-z]", v))
        ]

    for controller, sampler in ((thinks, SAMPLERS["multinomial"]), (writes, SAMPLERS["multinomial"])):
        step = oc.continuous(oc.generate.control(model, controller, sampler), name="t")
        state = step(PROMPTS, seed=1)
        for (_, ids), value in zip(
            spans(state, "t"), [v for x in state.captures["t"] for y in x for v in y], strict=True
        ):
            assert ids.count(end) == 1 and v.tokens[ids[-1]].isdigit()
            assert value == v.decode(ids, special=True).decode()
        assert END not in str(list(state)[0])
        short = min(len(ids) for _, ids in spans(state, "t"))
        for cut in range(1, short + 1):
            assert step.resume(state[..., :-cut], seed=1) == state
        loaded = oc.storage.from_bytes(oc.storage.to_bytes(state[..., :-1]), model)
        assert lives(step.resume(loaded, seed=1)) == lives(state)
        assert oc.storage.from_bytes(oc.storage.to_bytes(state), model).captures == state.captures
    for branch, message in (
        (oc.steer.Branch(forced=[v.eos[0]]), "it ends a text, and a controller does that by"),
        (oc.steer.Branch(allowed=[end]), rf"forced=\[{end}\] appends it"),
    ):
        with pytest.raises(ValueError, match=message):
            oc.generate.control(model, lambda row, branch=branch: [branch])("(", max_tokens=3)


def test_banned_texts_are_in_no_thought_and_ban_no_special_token() -> None:
    model = special_model()
    banned = oc.samplers.multinomial(samples=8, filters=[oc.filters.bad_words(["m", "e", "<"])])
    kind = oc.types.triggered({"<|im_start|>": (oc.types.regex("[0-9]"), END)}, at_least=1)
    for asked in (oc.types.thought(4, mark=END), kind):
        state = oc.continuous(oc.Generator(model, asked, banned), name="t")("(", seed=0, max_tokens=60)
        for _, ids in spans(state, "t"):
            text = model.vocabulary.decode(ids)
            assert not {*b"me<"} & {*text}
        assert any(model.vocabulary.tokens[ids[-1]] == END.encode() for _, ids in spans(state, "t"))
    with pytest.raises(ConstraintError, match="without 'think' matches no string"):
        bad = oc.samplers.greedy(filters=[oc.filters.bad_words(["think"])])
        oc.Generator(model, oc.types.thought(4), bad)("(")


@pytest.mark.parametrize("mark", [END, SPLIT])
def test_a_thought_closes_within_max_tokens_if_it_is_to_be_whole(mark: str) -> None:
    """A budget larger than max_tokens leaves no answer."""
    model = special_model()
    whole = oc.generate.format(model, oc.types.thought(20, mark=mark), SAMPLERS["multinomial"], whole=True)
    least = 1 if mark == END else 7
    for tokens in range(least, least + 6):
        state = oc.continuous(whole, name="t")("(", seed=tokens, max_tokens=tokens)
        assert state.finished == [["stop"] * 3] and int(state.lengths.max()) <= 2 + tokens
    with pytest.raises(ConstraintError, match=f"the shortest known takes {least}"):
        whole("(", max_tokens=least - 1)
    plain = oc.continuous(oc.Generator(model, oc.types.thought(20, mark=mark), SAMPLERS["multinomial"]), name="t")
    cut = plain("(", seed=1, max_tokens=5)
    assert cut.finished == [["length"] * 3] and cut.captures["t"] == [[[], [], []]]
    assert plain.resume(cut, seed=1) == plain("(", seed=1), "the budget counts what is there"
    room = random_model(made_tokenizers.byte_level(), 0, positions=9)
    full = oc.continuous(oc.Generator(room, oc.types.thought(20, mark=mark), SAMPLERS["multinomial"]), name="t")
    assert full("(", seed=1).finished == [["length"] * 3], "the context ends it"


@pytest.mark.parametrize("mark", [END, SPLIT])
def test_generate_of_transformers_and_requests_of_vllm_write_the_same_thoughts(mark: str) -> None:
    model = special_model()
    kind = oc.types.thought(4, mark=mark)
    ours = oc.continuous(oc.generate.format(model, kind, SAMPLERS["greedy"], forced="never"), name="t")("(")
    [(span, ids)] = spans(ours, "t")
    processor, prompt = LogitsProcessor(kind, model.tokenizer), torch.tensor([ours.rows[0][0].ids[:2]])
    eos = model.vocabulary.eos[0]
    hf: Any = model.hf
    options = {"attention_mask": torch.ones_like(prompt), "eos_token_id": eos, "pad_token_id": eos}
    rows = hf.generate(prompt, logits_processor=[processor], max_new_tokens=40, do_sample=False, **options)
    assert tuple(rows[0, 2:].tolist()) == (*ids, eos)
    [value] = processor.values(rows[:, 2:])
    assert [[[value]]] == ours.captures["t"] and span.ended_by == SpanEnd("budget", text=mark)
    request = ConstrainedRequest(kind)
    asked, _ = asked_for(request.extra_args["outlines_cont"])
    row = GuidedRow(constraint_on(model.vocabulary, asked).guide, model.vocabulary)
    assert row.state(list(ids[:-1])) is not None and row.guide is not None
    assert not row.guide.accepting(row.state(list(ids[:-1]))) and row.guide.complete(row.state(list(ids)))
    assert row.state([*ids, 5]) is None
    assert request.value(value + mark, "stop") == value
    with pytest.raises(ValueError, match="is no text of"):
        request.value(value + mark + "a", "stop")


def test_output_types_of_thoughts_are_equal_if_what_they_say_is_and_forged_ones_are_refused() -> None:
    kind = oc.types.thought(4, mark=END)
    assert kind == oc.types.thought(budget=4, mark=END) and hash(kind) == hash(oc.types.thought(4, mark=END))
    assert kind not in (oc.types.thought(5, mark=END), oc.types.thought(4), oc.types.regex("a"))
    assert repr(kind) == "oc.types.thought(4, mark='<|im_end|>')"
    for argument in ([4], [4, 5], [True, "a"], ["4", "a"], {}, "ab", [-1, "a"], [1, ""]):
        with pytest.raises(ValueError, match=r"budget|thought|mark"):
            spec = json.dumps({"kind": "thought", "argument": argument, "options": {}})
            _ = Constraint.of(spec, BYTES, "a file").guide
