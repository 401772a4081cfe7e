"""Conversations: turns, tools, and special tokens at which a text ends."""

from __future__ import annotations

import copy
import json
import re
import warnings
from copy import deepcopy
from datetime import date
from functools import cache

import made_tokenizers as made
import pytest
import torch
from guides import check_guide
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.fsm.stop_tokens import EndingTokens
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.generate.starts import warn_of_plain_stops

GREEDY = oc.samplers.greedy()


@pytest.fixture(scope="module")
def model() -> oc.Model:
    return oc.load()


#: What templates do with messages: write them as they are, strip them, put the system's words into the last turn of the
#: user, leave out the thoughts of turns that are past.
TEMPLATES = {
    "plain": (
        "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    ),
    "stripped": made.CHAT,
    "without marks": (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'assistant' %} {{ m.content | trim }}</s>"
        "{% else %}[INST] {{ m.content }} [/INST]{% endif %}{% endfor %}"
    ),
    "system last": (
        "{% set ns = namespace(system='') %}{{ bos_token }}{% for m in messages %}"
        "{% if m.role == 'system' %}{% set ns.system = m.content + '\n' %}"
        "{% elif m.role == 'assistant' %}{{ m.content }}</s>"
        "{% else %}[INST] {% if loop.last %}{{ ns.system }}{% endif %}{{ m.content }} [/INST]{% endif %}{% endfor %}"
    ),
    "forgotten thoughts": (
        "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}\n"
        "{% if m.role == 'assistant' and not loop.last %}{{ m.content.split('</think>')[-1] }}"
        "{% else %}{{ m.content }}{% endif %}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    ),
}
TOKENIZERS = {
    "byte-level": made.byte_level,
    "prefix space": lambda: made.byte_level(prefix_space=True),
    "metaspace": lambda: made.byte_fallback("metaspace"),
    "prepend": lambda: made.byte_fallback("prepend"),
}
MODELS: dict[tuple[str, str], oc.Model] = {}


def model_of(tokenizer: str, template: str) -> oc.Model:
    """A model of this tokenizer with this template. It computes nothing."""
    key = tokenizer, template
    if key not in MODELS:
        MODELS[key] = oc.Model(deepcopy(TOKENIZERS[tokenizer]()), context_length=4096)
        MODELS[key].tokenizer.chat_template = TEMPLATES[template]
    return MODELS[key]


def readings(model: oc.Model, state: oc.SequenceState) -> list[object]:
    """What a row says: its texts, and the special tokens between them."""
    said: list[object] = []
    for token in state.rows[0][0].ids:
        if token in model.vocabulary.special:
            said.append(token)
        elif said and isinstance(said[-1], bytes):
            said[-1] += model.vocabulary.tokens[token]
        else:
            said.append(model.vocabulary.tokens[token])
    return said


contents = st.text(st.sampled_from("ab ?é\n</s>"), min_size=1, max_size=6) | st.sampled_from(
    ["The capital", "</think>", "<think>a</think>b", "<|im_end|>", " Paris", "Paris\n", "日本"]
)
turns = st.lists(st.tuples(contents, contents), min_size=1, max_size=3)


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@settings(max_examples=40, deadline=None)
@given(system=st.none() | contents, turns=turns, more=contents)
@example(system="Be brief.", turns=[("a", " b ")], more="c")
@example(system=None, turns=[("a", "<think>x</think>b"), ("c", "d")], more="e")
def test_turns_give_what_the_template_writes_or_say_that_it_rewrites(tokenizer, template, system, turns, more):
    """The oracle: the template's own rendering of the whole conversation, of each length."""
    model = model_of(tokenizer, template)
    messages = [{"role": "system", "content": system}] if system is not None and template != "without marks" else []
    messages.append({"role": "user", "content": turns[0][0]})
    state = model.chat(messages)
    for (_, answer), question in zip(turns, [*(asked for asked, _ in turns[1:]), more], strict=True):
        state = state + answer
        variants = [answer, answer.strip(), answer.lstrip(), answer.rstrip()]
        wholes = [
            model.chat([*messages, {"role": "assistant", "content": each}, {"role": "user", "content": question}])
            for each in variants
        ]
        begins = [starts_with(readings(model, whole), readings(model, state)) for whole in wholes]
        if not any(begins):
            with pytest.raises(ValueError, match="would rewrite the past"):
                state.turn("user", question)
            return
        longer = state.turn("user", question)
        assert longer[..., : len(state.rows[0][0])] == state
        whole = wholes[begins.index(True)]
        assert readings(model, longer) == readings(model, whole)
        messages += [{"role": "assistant", "content": variants[begins.index(True)]}]
        messages += [{"role": "user", "content": question}]
        state = longer


def starts_with(whole: list[object], begin: list[object]) -> bool:
    """Whether what is said begins with this. The last text may go on."""
    *sure, last = begin
    if whole[: len(sure)] != sure or len(whole) <= len(sure):
        return False
    here = whole[len(sure)]
    return here == last or (isinstance(here, bytes) and isinstance(last, bytes) and here.startswith(last))


def test_a_conversation_keeps_its_keys_and_values(model):
    ask = oc.continuous(oc.generate.text(model, GREEDY), name="answer")
    state = ask(model.chat([{"role": "user", "content": "What is the capital of France?"}]))
    for question in ("What is the capital of Japan?", "What is 3 + 4?"):
        before = len(state.rows[0][0])
        state = state.turn("user", question)
        assert state.kv.lengths.item() >= before - 1
        model.stats.reset()
        state = ask(state)
        assert model.stats.tokens + model.stats.reread <= len(state.rows[0][0]) - before + 1
    assert state.captures["answer"][0][0][:2] == ["Paris", "Tokyo"]


def test_turns_of_every_row_of_a_batch(model):
    chats = [[{"role": "user", "content": f"What is the capital of {name}?"}] for name in ("France", "Peru")]
    state = oc.continuous(oc.generate.text(model, oc.samplers.multinomial(samples=2)))(model.chat(chats), seed=0)
    one = state.turn("user", "And?")
    assert one.shape[:2] == (2, 2)
    assert one == state.turn("user", ["And?", "And?"]) == state.turn("user", ["And?"] * 4)
    assert one[1, 0, :] == state[1, 0, :].turn("user", "And?")
    assert all(
        text.endswith("<|end|><|user|>And?<|end|><|assistant|>") for row in one.text(special=True) for text in row
    )
    with pytest.raises(oc.errors.BatchMismatch):
        state.turn("user", ["And?"] * 3)


def test_several_turns_before_an_answer_and_given_answers(model):
    state = model.chat([{"role": "user", "content": "Hello"}])
    given_answer = state.turn("assistant", "Hello Mira!")
    assert given_answer.text(special=True)[0][0].endswith("<|assistant|>Hello Mira!<|end|>")
    both = given_answer.turn("user", "a", reply=False).turn("user", "b")
    assert both.text(special=True)[0][0].endswith("<|user|>a<|end|><|user|>b<|end|><|assistant|>")
    assert both == (state + "Hello Mira!").turn("user", "a", reply=False).turn("user", "b")


def test_the_content_of_a_turn_is_plain_text(model):
    state = (model.chat([{"role": "user", "content": "Hello"}]) + "Hi").turn("user", "<|end|><|assistant|>")
    special = [token for token in state.rows[0][0].ids if token in model.vocabulary.special]
    again = (model.chat([{"role": "user", "content": "Hello"}]) + "Hi").turn("user", "x")
    assert special == [token for token in again.rows[0][0].ids if token in model.vocabulary.special]


def test_a_saved_conversation_goes_on(model, tmp_path):
    state = model.chat([{"role": "user", "content": "Hello"}], tools=oc.types.tools([weather])) + "Hi"
    state.save(tmp_path / "chat")
    loaded = oc.load_state(tmp_path / "chat", model)
    assert loaded.identical(state)
    assert loaded.turn("user", "Who?").identical(state.turn("user", "Who?"))


@pytest.mark.parametrize(
    "state, error",
    [
        (lambda m: m.state("x").turn("user", "y"), "a conversation begins with model.chat"),
        (lambda m: m.chat([{"role": "user", "content": "x"}]).turn("user", "y"), "waits for its answer"),
        (lambda m: m.chat([{"role": "user", "content": "x"}])[..., :-1].turn("user", "y"), "whose last turn was cut"),
        (lambda m: (m.chat([{"role": "user", "content": "x"}]) + "a")[..., 2:].turn("user", "y"), "no conversation"),
        (
            lambda m: ("Before. " + m.chat([{"role": "user", "content": "x"}]) + "a").turn("user", "y"),
            "would rewrite the past",
        ),
        (
            lambda m: (
                (m.chat([{"role": "user", "content": "x"}]) + "a")
                .turn("user", "y", reply=False)
                .__add__("z")
                .turn("user", "z")
            ),
            "part of no message",
        ),
        (
            lambda m: (m.chat([{"role": "user", "content": "x"}]) + "a").turn("system", "y"),
            "a system message comes first",
        ),
    ],
)
def test_what_is_no_conversation_is_refused_by_name(model, state, error):
    with pytest.raises(ValueError, match=error):
        state(model)


@pytest.mark.parametrize("arguments", [("user", 3), (3, "x"), ("user", ["x", 3]), ("user", None)])
def test_turns_of_other_types_are_refused(model, arguments):
    with pytest.raises(TypeError, match="turn"):
        (model.chat([{"role": "user", "content": "x"}]) + "a").turn(*arguments)


def test_the_shipped_template_writes_system_messages_as_such(model):
    state = model.chat([{"role": "system", "content": "Mira is 34."}, {"role": "user", "content": "How old is Mira?"}])
    assert state.text(special=True) == [["<|begin|>Mira is 34.\n<|user|>How old is Mira?<|end|><|assistant|>"]]
    assert oc.generate.text(model, GREEDY)(state) == "34"


# -- tools --------------------------------------------------------------------------------------------------------


class Place(BaseModel):
    city: str
    zip: int


def weather(place: Place, day: date, days: int = 1) -> str:
    """The weather of a place."""
    return f"{place.city} {day} {days}"


def add(a: int, b: int, /) -> int:
    return a + b


def test_calls_of_tools_are_read_with_their_types(model):
    tools = oc.types.tools([weather, add])
    call = oc.generate.json(model, tools, oc.samplers.multinomial(samples=8))
    calls = call("Call: ", max_tokens=400, seed=0)
    assert {call.name for call in calls} == {"weather", "add"}
    for one in calls:
        assert isinstance(one, oc.types.ToolCall)
        if one.name == "weather":
            assert isinstance(one.arguments["place"], Place) and type(one.arguments["day"]) is date
            assert one() == f"{one.arguments['place'].city} {one.arguments['day']} {one.arguments['days']}"
        else:
            assert one() == one.arguments["a"] + one.arguments["b"]


def test_tools_are_shown_to_the_template_or_refused(model):
    chat = [{"role": "user", "content": "x"}]
    [[text]] = model.chat(chat, tools=oc.types.tools([add])).text(special=True)
    [[other]] = model.chat(chat, tools=oc.types.tools([add]).declarations).text(special=True)
    shown = json.loads(text.removeprefix("<|begin|>").split("\n")[0])
    assert text == other and shown == oc.types.tools([add]).declarations[0]
    deaf = model_of("byte-level", "plain")
    with pytest.raises(ValueError, match="no place for tools"):
        deaf.chat(chat, tools=oc.types.tools([add]))


def test_declarations_are_the_schemas_of_the_arguments():
    [declared, _] = oc.types.tools([weather, add]).declarations
    assert declared["function"]["name"] == "weather"
    assert declared["function"]["description"] == "The weather of a place."
    assert declared["function"]["parameters"]["required"] == ["place", "day"]


@pytest.mark.parametrize(
    "functions, kind, error",
    [
        (add, TypeError, r"a list of functions"),
        ([], TypeError, "a list of functions"),
        ([int], TypeError, "is none"),
        ([lambda x: x], ValueError, "lambda"),
        ([add, add], ValueError, "two functions are called 'add'"),
        ([eval("lambda: 0", {}), add], ValueError, "lambda"),
    ],
)
def test_what_is_no_tool_is_refused(functions, kind, error):
    with pytest.raises(kind, match=error):
        oc.types.tools(functions)


def test_arguments_that_no_schema_says_are_refused():
    def starred(*numbers: int): ...
    def bare(x): ...
    def unknown(x: Nowhere): ...  # noqa: F821

    for function, error in [(starred, "with names"), (bare, "annotation"), (unknown, "Nowhere")]:
        with pytest.raises(TypeError, match=error):
            oc.types.tools([function])


# -- special tokens that end a text -------------------------------------------------------------------------------


def test_a_guide_that_ends_with_special_tokens_is_a_guide():
    vocabulary = Vocabulary([b"<eos>", b"a", b"b", b"ab", b"<stop>", b"<other>"], eos=[0], special=[4, 5])
    text = EndingTokens(guide.text(vocabulary), [4])
    check_guide(text, [[1, 2, 4], [4], [3]], ending=[4])
    assert text.advance(text.initial, 5) is None
    healed = guide.literal(b"ab", vocabulary)
    check_guide(text.__radd__(healed), [[1, 2, 4], [3, 1, 4]], ending=[4])


@pytest.fixture
def after_question(model):
    """Where the shipped model goes on with a special token: the end of a question, where the answer begins."""
    ids = model.encoder.chat(
        [{"role": "user", "content": "What is the capital of France?"}], add_generation_prompt=False
    )
    return model.state(ids)


SAMPLERS = {"greedy": GREEDY, "drawn": oc.samplers.multinomial(samples=3), "beams": oc.samplers.beam_search(3)}


@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_text_ends_at_a_special_token_by_name_or_id(model, after_question, sampler, include):
    assistant = model.vocabulary.tokens.index(b"<|assistant|>")
    step = oc.generate.text(model, SAMPLERS[sampler], include_stop=include)
    by_name = step.run(after_question, max_tokens=3, stop_at="<|assistant|>", seed=0)
    assert by_name.identical(step.run(after_question, max_tokens=3, stop_at=assistant, seed=0))
    assert by_name == step.run(after_question, max_tokens=3, stop_at=["\x00", assistant], seed=0)
    best = by_name[0, 0, :]
    logprob = torch.log_softmax(model.logits(after_question_needs(model, after_question)).double(), -1)[-1, assistant]
    assert best.finished == [["stop"]] and best.weights.item() == pytest.approx(logprob.item(), abs=1e-4)
    assert (best.rows[0][0].ids[-1] == assistant) is include
    assert list(best) == list(after_question)  # a special token is no text
    assert best.rescore().weights.item() == pytest.approx(logprob.item(), abs=1e-4)
    assert step.values(best) == ""


def after_question_needs(model, state):
    return oc.generate.text(model).begin(state, max_tokens=1).pending


def stop_warnings(model, stop_at):
    """What is said when a text is to end there."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        oc.generate.text(model, GREEDY)("The sky is", max_tokens=1, stop_at=stop_at)
    assert all(each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


UNKNOWN = [
    *(
        "<|im_end|>",
        "<|eot_id|>",
        "<|endoftext|>",
        "<\uff5cend▁of▁sentence\uff5c>",
        "</s>",
        "<end_of_turn>",
        "<eos>",
        "[INST]",
    ),
    *("[/INST]", "<</SYS>>", "<end_of_utterance>", "[gMASK]", "<EOT>", "<|im_end|>\n", "\n<|im_start|>user"),
]


@pytest.mark.parametrize("stop", UNKNOWN)
def test_a_stop_that_looks_like_a_special_token_and_is_none_is_told_once(model, stop):
    model.vocabulary.cache.pop("stop_at", None)
    [message] = stop_warnings(model, [stop, "."])
    assert f"stop_at={stop!r}: this vocabulary has no token" in message and "This is plain text then" in message
    assert "they are '<|end|>', '<|begin|>', '<|user|>', '<|assistant|>'; '<|end|>' always ends a text." in message
    assert stop_warnings(model, stop) == [], "once"


def test_a_special_token_within_a_longer_stop_is_told(model):
    model.vocabulary.cache.pop("stop_at", None)
    [message] = stop_warnings(model, ["<|end|>\n", "<|im_end|>"])
    assert "stop_at='<|end|>\\n' is longer than the special token '<|end|>'" in message
    assert "stop_at='<|im_end|>': this vocabulary has no token '<|im_end|>'" in message


@given(st.text("<>|[]/abs_.\n=INT0", max_size=8).filter(bool))
@example("<b>").via("HTML")
@example("</div>").via("HTML")
@example("</think>").via("often plain text")
@example("<tool_call>").via("often plain text")
@example("[1]").via("a list")
@example("<|>").via("no name")
@example("a <| b |> c").via("operators")
@example("<s").via("begun")
def test_text_that_names_no_special_token_is_passed_over(stop):
    """Everything but what has a name between the marks of chat formats."""
    plain = not re.search(r"<\|[^<>\s]+\|>|</?s>|\[/?INST\]", stop)
    vocabulary = Vocabulary([b"<eos>", b"a", b"<s>"], eos=[0], special=[2])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_plain_stops([stop], vocabulary)
    assert bool(caught) is not (plain or stop == "<s>")


def test_special_tokens_that_the_vocabulary_has_are_passed_over(model):
    assert stop_warnings(model, ["<|end|>", "<|assistant|>", 3, "\n\n", "."]) == []


def test_a_thought_and_then_an_answer(model, after_question):
    think = oc.continuous(oc.generate.text(model, GREEDY, include_stop=True), name="thought", stop_at="<|assistant|>")
    answer = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], GREEDY), name="answer")
    state = (think >> answer)(after_question)
    assert state.captures["thought"] == [[[""]]] and state.captures["answer"] == [[["Paris"]]]
    assert state.text(special=True)[0][0].endswith("<|end|><|assistant|>Paris")


def test_a_turn_after_a_thought_that_ends_with_its_special_token(model, after_question):
    """The row keeps the token; the template is given the answer as text."""
    assistant = model.vocabulary.tokens.index(b"<|assistant|>")
    bias = oc.samplers.greedy(filters=[oc.filters.logit_bias({assistant: 100.0})])
    think = oc.continuous(oc.generate.text(model, bias, include_stop=True), name="thought", stop_at=assistant)
    answer = oc.continuous(oc.generate.choice(model, ["Rome", "Paris"], GREEDY), name="answer")
    state = (think >> answer)(model.chat([{"role": "user", "content": "What is the capital of France?"}]))
    assert state.text(special=True)[0][0].endswith("<|end|><|assistant|><|assistant|>Paris")
    longer = state.turn("user", "And of Italy?")
    assert longer[..., : int(state.lengths)] == state
    end = "<|end|><|user|>And of Italy?<|end|><|assistant|>"
    assert longer.text(special=True)[0][0] == state.text(special=True)[0][0] + end
    again = (think >> answer)(longer)
    assert again.turn("user", "And of Italy?").text(special=True)[0][0] == again.text(special=True)[0][0] + end


def test_a_turn_after_a_turn_that_was_cut_is_refused(model):
    """Also where the template marks roles with plain text, so that the rest of a turn could be taken for an answer."""
    turns = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    other = oc.Model(model.hf, copy.deepcopy(model.tokenizer))
    other.tokenizer.chat_template = turns + "{% if add_generation_prompt %}assistant: {% endif %}"
    asked = other.chat([{"role": "user", "content": "Hi"}])
    state = (asked + "Hello").turn("user", "And you?")
    begin = int((asked + "Hello").lengths)
    for size in range(begin + 1, int(state.lengths)):
        with pytest.raises(ValueError, match="whose last turn was cut"):
            state[..., :size].turn("user", "Well?")
    assert state[..., :begin].turn("user", "And you?") == state


@cache
def ending_with(ending: str) -> oc.Model:
    """The shipped model with a template that marks roles with plain text, and ends so where an answer begins."""
    model = oc.load()
    other = oc.Model(model.hf, copy.deepcopy(model.tokenizer))
    ending = "{{ " + repr(":" + ending) + " }}"
    turns = "{% for m in messages %}{{ m.role }}" + ending + "{{ m.content }}\n\n{% endfor %}"
    other.tokenizer.chat_template = turns + "{% if add_generation_prompt %}assistant" + ending + "{% endif %}"
    return other


@settings(max_examples=60, deadline=None)
@given(
    ending=st.sampled_from([" ", "  ", "\n", " \n ", ""]),
    kind=st.sampled_from(["text", "choice", "regex"]),
    seam=st.sampled_from(["auto", "auto", "heal", "keep"]),
    seeds=st.lists(st.integers(0, 9), min_size=1, max_size=3),
    saved=st.booleans(),
)
def test_conversations_go_on_after_answers_that_took_a_part_of_the_turn_back(ending, kind, seam, seeds, saved):
    """The oracle: the template's own rendering. What is taken back belongs to the turn, and comes back with a cut."""
    model, sampler = ending_with(ending), oc.samplers.multinomial()
    step = oc.continuous(
        {
            "text": oc.generate.text(model, sampler),
            "choice": oc.generate.choice(model, ["the sea", "Paris", "in Rome"], sampler),
            "regex": oc.generate.regex(model, "[a-z]{2,4} ?[a-z]{0,3}", sampler),
        }[kind],
        name="answer",
        seam=seam,
        max_tokens=6,
    )
    messages = [{"role": "user", "content": "Where is it?"}]
    asked = model.chat(messages)
    for seed in seeds:
        state = step(asked, seed=seed)
        assert str(state).startswith(str(asked))
        value = str(state)[len(str(asked)) :]
        if kind == "text" or state.finished == [["stop"]]:
            assert state.captures["answer"][0][0][-1] == value
        if saved:
            state = oc.storage.from_bytes(oc.storage.to_bytes(state), model)
        begin, end = state.spans[0][0][-1].start, int(state.lengths)
        for size in range(begin, end):
            cut = state[..., :size]
            if len(str(cut)) > len(str(asked)):
                break
            with pytest.raises(ValueError, match="waits for its answer"):
                cut.turn("user", "And?")
            assert str(cut.turn("assistant", "Oslo")) == str(asked) + "Oslo\n\n"
            assert step(cut, seed=seed) == state
        messages += [{"role": "assistant", "content": value}, {"role": "user", "content": "And?"}]
        asked = state.turn("user", "And?")
        assert asked[..., :end] == state and readings(model, asked) == readings(model, model.chat(messages))


def test_streams_of_a_text_that_ends_at_a_special_token(model, after_question):
    for include in (False, True):
        step = oc.generate.text(model, GREEDY, include_stop=include)
        *_, last = step.stream(after_question + " x", max_tokens=20, stop_at="<|assistant|>")
        deltas = [each.delta for each in step.stream(after_question + " x", max_tokens=20, stop_at="<|assistant|>")]
        assert last.identical(step.run(after_question + " x", max_tokens=20, stop_at="<|assistant|>"))
        assert "".join(deltas) == step.values(last)


def test_a_saved_text_with_a_special_stop_goes_on(model, after_question, tmp_path):
    step = oc.continuous(oc.generate.text(model, GREEDY, include_stop=True), name="thought", stop_at="<|assistant|>")
    state = step(after_question)
    state.save(tmp_path / "thought")
    loaded = oc.load_state(tmp_path / "thought", model)
    assert loaded.identical(state) and loaded.rescore().weights.allclose(state.weights, atol=1e-4)
    assert step.resume(loaded).identical(loaded)
    assert step.resume(loaded.reopen()) == loaded


def test_hooks_and_engines_elsewhere_may_take_the_special_token(model, after_question):
    assistant = model.vocabulary.tokens.index(b"<|assistant|>")
    user = model.vocabulary.tokens.index(b"<|user|>")
    step = oc.generate.text(model, GREEDY, include_stop=True)
    seen = []
    step.run(
        after_question,
        max_tokens=2,
        stop_at=assistant,
        hooks=[oc.steer.Watch(lambda draw: seen.append((draw.allows(assistant), draw.allows(user))))],
    )
    assert seen == [(True, False)]
    forced = step.run(after_question, max_tokens=2, stop_at=user, hooks=[lambda draw: oc.steer.Replace(user)])
    assert forced.rows[0][0].ids[-1] == user and forced.finished == [["stop"]]
    frontier = step.begin(after_question, max_tokens=2, stop_at=user).accept([user])
    assert frontier.done and frontier.state.rows[0][0].ids[-1] == user
    with pytest.raises(ValueError, match="no token of text"):
        step.begin(after_question, max_tokens=2, stop_at=user).accept([assistant])


@pytest.mark.parametrize("stop_at", [-1, 10**6, [10**9], ["a", -3]])
def test_ids_that_are_no_tokens_are_refused(model, stop_at):
    with pytest.raises(ValueError, match="stop_at"):
        oc.generate.text(model)("x", max_tokens=1, stop_at=stop_at)


@pytest.mark.parametrize("stop_at", [1.5, True, [None], {"a": 1}, [["a"]]])
def test_what_is_no_stop_is_refused(model, stop_at):
    with pytest.raises(TypeError, match="stop_at"):
        oc.generate.text(model)("x", max_tokens=1, stop_at=stop_at)
