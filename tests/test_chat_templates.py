"""Chat templates of many families: what `chat` and `turn` write is what transformers writes of the same arguments.

The templates are ours. Each has the traits of a family that matter here: which roles it writes, how calls and their
results look, what it leaves out of turns that are past, which options it reads, and what it refuses.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

import outlines_cont as oc

CHATML = "<|im_start|>{{ m.role }}\n{{ m.content or '' }}"
CALLS = (
    "{% for c in m.tool_calls or [] %}{% set f = c.function or c %}\n<tool_call>\n"
    '{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}\n</tool_call>{% endfor %}'
)
CHATML_END = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
TEMPLATES = {
    # one call in a message, whose text is then left out; results are the role ipython; the date is an option
    "llama 3": (
        "{{ bos_token }}{% if date_string is not defined %}{% set date_string = '26 Jul 2024' %}{% endif %}"
        "<|start|>system<|header|>\n\nToday: {{ date_string }}\n"
        "{% for t in tools or [] %}{{ t | tojson(indent=4) }}\n{% endfor %}"
        "{% if messages[0].role == 'system' %}{{ messages[0].content | trim }}{% set messages = messages[1:] %}"
        "{% endif %}<|end|>{% for m in messages %}"
        "{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception('one call at a time') }}{% endif %}"
        "{% set f = m.tool_calls[0].function %}<|start|>assistant<|header|>\n\n"
        '{"name": "{{ f.name }}", "parameters": {{ f.arguments | tojson }}}<|end|>'
        "{% elif m.role == 'tool' %}<|start|>ipython<|header|>\n\n{{ m.content | tojson }}<|end|>"
        "{% else %}<|start|>{{ m.role }}<|header|>\n\n{{ m.content | trim }}<|end|>{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|start|>assistant<|header|>\n\n{% endif %}"
    ),
    # a system message of its own; results lie in a turn of the user; other roles are passed over
    "qwen 2.5": (
        "{% if messages[0].role != 'system' %}<|im_start|>system\nYou are helpful.<|im_end|>\n{% endif %}"
        "{% if tools %}<tools>{% for t in tools %}\n{{ t | tojson }}{% endfor %}\n</tools>{% endif %}"
        "{% for m in messages %}{% if m.role in ('user', 'system') or (m.role == 'assistant' and not m.tool_calls) %}"
        + CHATML
        + "<|im_end|>\n{% elif m.role == 'assistant' %}"
        + CHATML
        + CALLS
        + "<|im_end|>\n{% elif m.role == 'tool' %}"
        "{% if messages[loop.index0 - 1].role != 'tool' %}<|im_start|>user{% endif %}"
        "\n<tool_response>\n{{ m.content }}\n</tool_response>"
        "{% if loop.last or messages[loop.index0 + 1].role != 'tool' %}<|im_end|>\n{% endif %}{% endif %}{% endfor %}"
        + CHATML_END
    ),
    # thoughts of turns before the last question are left out; an empty thought, if there is to be none
    "qwen 3": (
        "{% set ns = namespace(last=-1) %}{% for m in messages %}"
        "{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
        "{% for t in tools or [] %}{{ t | tojson }}\n{% endfor %}"
        "{% for m in messages %}{% if m.role == 'assistant' and loop.index0 < ns.last %}"
        "<|im_start|>assistant\n{{ (m.content or '').split('</think>')[-1].lstrip('\n') }}"
        + CALLS
        + "<|im_end|>\n{% elif m.role == 'assistant' %}"
        + CHATML
        + CALLS
        + "<|im_end|>\n{% elif m.role == 'tool' %}<|im_start|>user\n<tool_response>\n{{ m.content }}\n"
        "</tool_response><|im_end|>\n{% elif m.role in ('user', 'system') %}"
        + CHATML
        + "<|im_end|>\n{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
        "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
    ),
    # no system role: its words stand before the first question; turns alternate; the assistant is the model
    "gemma": (
        "{{ bos_token }}{% set first = '' %}{% if messages[0].role == 'system' %}"
        "{% set first = messages[0].content + '\n\n' %}{% set messages = messages[1:] %}{% endif %}"
        "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
        "{{ raise_exception('roles must alternate user/assistant') }}{% endif %}"
        "<|start|>{{ 'model' if m.role == 'assistant' else m.role }}\n"
        "{{ first if loop.first else '' }}{{ m.content | trim }}<|end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|start|>model\n{% endif %}"
    ),
    # ids of nine letters and digits; the system's words before the last question
    "mistral": (
        "{{ bos_token }}{% set ns = namespace(system='', last=-1) %}{% for m in messages %}"
        "{% if m.role == 'system' %}{% set ns.system = m.content + '\n\n' %}"
        "{% elif m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}"
        "{% for m in messages %}{% if m.role == 'user' %}"
        "{% if tools and loop.index0 == ns.last %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}"
        "[INST]{{ ns.system if loop.index0 == ns.last else '' }}{{ m.content }}[/INST]"
        "{% elif m.tool_calls %}[TOOL_CALLS][{% for c in m.tool_calls %}{% if c.id | length != 9 %}"
        "{{ raise_exception('ids must have nine characters') }}{% endif %}"
        '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}, "id": "{{ c.id }}"}'
        "{{ '' if loop.last else ', ' }}{% endfor %}]{{ eos_token }}"
        "{% elif m.role == 'assistant' %} {{ m.content | trim }}{{ eos_token }}"
        "{% elif m.role == 'tool' %}{% if m.tool_call_id is not defined or m.tool_call_id | length != 9 %}"
        "{{ raise_exception('ids must have nine characters') }}{% endif %}"
        '[TOOL_RESULTS]{"content": {{ m.content | tojson }}, "call_id": "{{ m.tool_call_id }}"}[/TOOL_RESULTS]'
        "{% elif m.role != 'system' %}{{ raise_exception('only user, assistant, tool') }}{% endif %}{% endfor %}"
    ),
    # three roles; everything else is passed over
    "phi": (
        "{% for m in messages %}{% if m.role in ('system', 'user', 'assistant') and m.content %}"
        "<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|>\n{% else %}{{ eos_token }}{% endif %}"
    ),
    # a thought is begun for the answer, and left out afterwards; calls beside a text are passed over
    "deepseek r1": (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}{% endif %}{% endfor %}"
        "{% for m in messages %}{% if m.role == 'user' %}<|User|>{{ m.content }}"
        "{% elif m.role == 'assistant' and m.content is none %}<|Assistant|>{% for c in m.tool_calls %}"
        "<|call|>{{ c.function.name }}\n{{ c.function.arguments | tojson }}{% endfor %}{{ eos_token }}"
        "{% elif m.role == 'assistant' %}<|Assistant|>{{ m.content.split('</think>')[-1] }}{{ eos_token }}"
        "{% elif m.role == 'tool' %}<|output|>{{ m.content }}{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|Assistant|><think>\n{% endif %}"
    ),
    # calls in tags beside the text; results in a role of their own, with the function's name
    "hermes": (
        "{{ bos_token }}{% for t in tools or [] %}{{ t | tojson }}\n{% endfor %}{% for m in messages %}"
        "{% if m.role == 'tool' %}<|im_start|>tool\n<tool_response>\n{{ m.name }}: {{ m.content }}\n</tool_response>"
        "{% else %}" + CHATML + CALLS + "{% endif %}<|im_end|>\n{% endfor %}" + CHATML_END
    ),
    # documents and thoughts are options
    "granite": (
        "{% if messages[0].role != 'system' %}<|start|>system<|header|>You are Granite."
        "{% if thinking %} Think first.{% endif %}<|end|>\n{% endif %}"
        "{% for d in documents or [] %}<|start|>document {{ d.doc_id }}<|header|>{{ d.text }}<|end|>\n{% endfor %}"
        "{% for t in tools or [] %}<|start|>tools<|header|>{{ t | tojson }}<|end|>\n{% endfor %}"
        "{% for m in messages %}<|start|>{{ m.role }}<|header|>{{ m.content or '' }}{% for c in m.tool_calls or [] %}"
        "<|call|>{{ c.function | tojson }}{% endfor %}<|end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|start|>assistant<|header|>{% endif %}"
    ),
    # a plan beside the calls; results are numbered, and in the system's turn
    "command r": (
        "{{ bos_token }}{% for m in messages %}{% if m.role == 'tool' %}<|turn|>system<|header|>"
        '{"tool_call_id": "{{ loop.index0 }}", "results": {{ m.content | tojson }}}<|end|>'
        "{% elif m.tool_calls %}<|turn|>chatbot<|header|>{{ m.tool_plan or m.content or '' }}"
        "{% for c in m.tool_calls %}<|call|>{{ c.function | tojson }}{% endfor %}<|end|>"
        "{% elif m.role == 'system' or m.role == 'user' %}<|turn|>{{ m.role }}<|header|>{{ m.content }}<|end|>"
        "{% elif m.role | lower == 'assistant' %}<|turn|>chatbot<|header|>{{ m.content }}<|end|>{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|turn|>chatbot<|header|>{% endif %}"
    ),
    # channels; an effort; results bear the name of the call before them
    "gpt-oss": (
        "{% set ns = namespace(call='') %}<|start|>system<|header|>Reasoning: {{ reasoning_effort or 'medium' }}<|end|>"
        "{% for m in messages %}{% if m.role in ('developer', 'system') %}<|start|>developer<|header|>{{ m.content }}"
        "{% elif m.role == 'user' %}<|start|>user<|header|>{{ m.content }}"
        "{% elif m.tool_calls %}{% set ns.call = m.tool_calls[0].function.name %}{% if m.content %}"
        "<|start|>assistant<|channel|>analysis<|header|>{{ m.content }}<|end|>{% endif %}"
        "<|start|>assistant to=functions.{{ ns.call }}<|channel|>commentary json<|header|>"
        "{{ m.tool_calls[0].function.arguments | tojson }}"
        "{% elif m.role == 'assistant' %}<|start|>assistant<|channel|>final<|header|>{{ m.content }}"
        "{% elif m.role == 'tool' %}{% if not ns.call %}{{ raise_exception('a result without a call') }}{% endif %}"
        "<|start|>functions.{{ ns.call }} to=assistant<|channel|>commentary<|header|>{{ m.content | tojson }}"
        "{% endif %}<|end|>{% endfor %}{% if add_generation_prompt %}<|start|>assistant{% endif %}"
    ),
    # a mode in the system message, which a word of the user's may switch; blocks that transformers marks
    "smollm 3": (
        "{% if enable_thinking is not defined %}{% set enable_thinking = true %}{% endif %}"
        "{% set ns = namespace(mode='/think' if enable_thinking else '/no_think') %}"
        "{% if messages[0].role == 'system' and '/no_think' in messages[0].content %}"
        "{% set ns.mode = '/no_think' %}{% endif %}<|im_start|>system\nMode: {{ ns.mode }}\n"
        "{% for t in xml_tools or [] %}{{ t }}\n{% endfor %}"
        "{% if messages[0].role == 'system' %}{{ messages[0].content | replace('/no_think', '') }}{% endif %}"
        "<|im_end|>\n"
        "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}"
        "<|im_start|>assistant\n{% if ns.mode == '/no_think' %}<think>\n\n</think>\n{% endif %}{{ m.content or '' }}"
        "<|im_end|>\n{% endgeneration %}{% elif m.role in ('user', 'tool') %}"
        "<|im_start|>user\n{{ m.content }}<|im_end|>\n{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% if ns.mode == '/no_think' %}<think>\n\n</think>\n"
        "{% endif %}{% endif %}"
    ),
}
#: The options that each template reads, with values.
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "llama 3": {"date_string": ["1 May 2025"]},
    "qwen 3": {"enable_thinking": [True, False]},
    "granite": {"thinking": [True, False], "documents": [[{"doc_id": 1, "text": "Lima."}]]},
    "gpt-oss": {"reasoning_effort": ["low", "high"]},
    "smollm 3": {"enable_thinking": [True, False], "xml_tools": [["<f/>"]]},
}
SPECIAL = ["<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|start|>", "<|header|>", "<|end|>", "<|turn|>", "[INST]"]
SPECIAL += ["[/INST]", "<|User|>", "<|Assistant|>", "<|call|>", "<|channel|>"]


@cache
def model_of(family: str) -> oc.Model:
    """A model with the template of a family. It computes nothing."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    fast = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    fast.pre_tokenizer, fast.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    fast.add_special_tokens([AddedToken(each, special=True, normalized=False) for each in SPECIAL])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=fast, bos_token="<s>", eos_token="</s>")
    tokenizer.chat_template = TEMPLATES[family]
    return oc.Model(tokenizer, context_length=100_000)


def applied(family: str, messages: list[dict[str, Any]], answer: bool = True, **options: Any) -> str | None:
    """What transformers writes; None if the template refuses it."""
    try:
        return model_of(family).tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=answer, **options
        )
    except Exception:
        return None


def written(state: oc.SequenceState) -> str:
    return state.text(special=True)[0][0]


def weather(city: str, day: date) -> str:
    """The weather in a city."""
    return f"Sunny in {city} on {day}."


def add(a: int, b: int) -> int:
    return a + b


TOOLS = oc.types.tools([weather, add])
CALLED = [
    TOOLS.parse('{"name":"add","arguments":{"a":1,"b":2}}'),
    TOOLS.parse('{"name":"weather","arguments":{"city":"Lima","day":"2026-01-02"}}'),
]

words = st.sampled_from(
    ["Hi", "a b", " x ", "é\n", "<think>y</think>z", "</s>", "<|end|>", "/no_think", "[~0:0~]", '{"q": 1}']
)
plain = words.filter(lambda text: text not in ("</s>", "<|end|>", "<think>y</think>z"))


@st.composite
def conversations(draw: Any, words: st.SearchStrategy[str] = words) -> list[dict[str, Any]]:
    """Messages up to one that an answer follows: questions, answers, calls with their results, and other roles."""
    messages = [{"role": "system", "content": draw(words)}] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 2))):
        messages.append({"role": draw(st.sampled_from(["user"] * 5 + ["developer"])), "content": draw(words)})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(words)})
        else:
            calls = draw(st.lists(st.sampled_from(CALLED), min_size=1, max_size=2))
            content = draw(st.sampled_from([None, None, "", "I look."]))
            messages.append({"role": "assistant", "content": content, "tool_calls": [call.entry for call in calls]})
            for call in calls:
                result = {"role": "tool", "content": str(call()), "name": call.name, "tool_call_id": call.id}
                messages.append(result)
            if draw(st.booleans()):
                return messages
    return [*messages, {"role": "user", "content": draw(words)}]


@st.composite
def options_of(draw: Any, family: str) -> dict[str, Any]:
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS.get(family, {"": []}))), unique=True))
    return {name: draw(st.sampled_from(OPTIONS[family][name])) for name in names if name}


def other_words(value: Any) -> Any:
    """A content, or calls, that says something else."""
    return "other" if isinstance(value, str) else [{**c, "function": {**c["function"], "name": "other"}} for c in value]


def unseen(family: str, messages: list[dict[str, Any]], **options: Any) -> set[tuple[int, str]]:
    """What the template writes nothing of: whatever stands there, it writes the same."""
    whole = applied(family, messages, **options)
    return {
        (at, key)
        for at, message in enumerate(messages)
        for key in ("content", "tool_calls")
        if (value := message.get(key)) and (not isinstance(value, str) or value.strip())
        if applied(family, [*messages[:at], {**message, key: other_words(value)}, *messages[at + 1 :]], **options)
        == whole
    }


@pytest.mark.parametrize("family", TEMPLATES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_chat_writes_what_transformers_writes_or_says_what_the_model_would_not_see(family, data):
    messages = data.draw(conversations())
    options = data.draw(options_of(family))
    tools: dict[str, Any] = {"tools": TOOLS.declarations} if data.draw(st.booleans()) else {}
    whole = applied(family, messages, **options, **tools)
    if whole is None:
        with pytest.raises(ValueError, match="refuses these messages"):
            model_of(family).chat(messages, **options, **tools)
    elif lost := unseen(family, messages, **options, **tools):
        with pytest.raises(ValueError, match=r"writes nothing of the \w+ of messages\[\d+\]") as caught:
            model_of(family).chat(messages, **options, **tools)
        [(key, at)] = re.findall(r"of the (\w+) of messages\[(\d+)\]", str(caught.value))
        assert (int(at), key) in lost
    elif tools and whole == applied(family, messages, **options):
        with pytest.raises(ValueError, match="no place for tools"):
            model_of(family).chat(messages, **options, **tools)
    else:
        assert written(model_of(family).chat(messages, **options, **tools)) == whole


@pytest.mark.parametrize("family", TEMPLATES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_turn_writes_what_chat_writes_of_the_longer_conversation(family, data):
    """An answer is given, or calls with their results, or nothing; then a message more."""
    model = model_of(family)
    messages, options = data.draw(conversations(plain)), data.draw(options_of(family))
    assume(applied(family, messages, **options) is not None and not unseen(family, messages, **options))
    state = model.chat(messages, **options)
    answer = data.draw(st.sampled_from(["Yes.", "No"]))
    calls = data.draw(st.lists(st.sampled_from(CALLED), max_size=2))
    turns: list[tuple[dict[str, Any], bool]] = []
    if calls:
        turns.append(({"role": "assistant", "content": None, "tool_calls": calls}, False))
        for n, call in enumerate(calls, 1):
            result = {"role": "tool", "content": str(call()), "name": call.name, "tool_call_id": call.id}
            turns.append((result, n == len(calls)))
    else:
        state += answer
        messages = [*messages, {"role": "assistant", "content": answer}]
        role = data.draw(st.sampled_from(["user", "user", "tool", "developer"]))
        turns.append(({"role": role, "content": data.draw(plain)}, data.draw(st.booleans())))
    for message, reply in turns:
        role, content, fields = message["role"], message["content"], {**message}
        del fields["role"], fields["content"]
        entries = {"tool_calls": [call.entry for call in calls]} if "tool_calls" in message else {}
        messages = [*messages, {**message, **entries}]
        whole = applied(family, messages, reply and role != "assistant", **options)
        if whole is None or unseen(family, messages, **options) or not whole.startswith(written(state)):
            with pytest.raises(ValueError, match=r"refuses these|writes nothing of|would rewrite the past"):
                state.turn(role, content, reply=reply, **fields)
            return
        longer = state.turn(role, content, reply=reply, **fields)
        assert written(longer) == whole and longer[..., : int(state.lengths)] == state
        assert longer.identical(oc.storage.from_bytes(oc.storage.to_bytes(longer), model))
        state = longer


@pytest.mark.parametrize("family", TEMPLATES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_turn_that_forgets_writes_what_chat_writes_of_the_shorter_conversation(family, data):
    model = model_of(family)
    messages, options = data.draw(conversations(plain)), data.draw(options_of(family))
    assume(applied(family, messages, **options) is not None and not unseen(family, messages, **options))
    state = model.chat(messages, **options) + "Yes."
    messages = [*messages, {"role": "assistant", "content": "Yes."}]
    first = int(messages[0]["role"] in ("system", "developer"))
    first += first and messages[1]["role"] in ("system", "developer")
    count = data.draw(st.integers(1, len(messages) - first + 1))
    left, new = messages[first + count :], {"role": "user", "content": data.draw(plain)}
    if first + count > len(messages) or (left and left[0]["role"] in ("assistant", "tool")):
        with pytest.raises(ValueError, match=rf"turn\(forget={count}\): .* a question with all that answers it"):
            state.turn("user", new["content"], forget=count)
        return
    shorter = [*messages[:first], *left, new]
    whole = applied(family, shorter, **options)
    if whole is None or unseen(family, shorter, **options):
        with pytest.raises(ValueError, match=r"refuses these|writes nothing of"):
            state.turn("user", new["content"], forget=count)
        return
    longer = state.turn("user", new["content"], forget=count)
    assert written(longer) == whole
    again = longer + "No."
    after = applied(family, [*shorter, {"role": "assistant", "content": "No."}, new], **options)
    if after is not None and after.startswith(written(again)):
        assert written(again.turn("user", new["content"])) == after


def test_what_stays_keeps_its_tokens_its_captures_and_the_keys_and_values_of_the_beginning():
    """The answers are spelled in tokens that no tokenizer would choose."""
    model = oc.load()
    options = oc.generate.choice(model, ["Paris", "Tokyo"], oc.samplers.multinomial(), forced="never")
    answer = oc.continuous(options, name="answer")
    state = model.chat([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"}])
    tokens = []
    for seed, question in enumerate(["Two?", "Three?", None]):
        state = state + model.state([model.vocabulary.tokens.index(each) for each in (b"O", b"h", b":")])
        before = int(state.lengths)
        state = answer(state, seed=seed)
        tokens.append(state.rows[0][0].ids[before - 3 :])
        state = state if question is None else state.turn("user", question)
    values = state.captures["answer"][0][0]
    model.stats.reset()
    shorter = state.turn("user", "Four?", forget=2)
    ids = shorter.rows[0][0].ids
    assert shorter.captures["answer"] == [[values[1:]]] and model.stats.tokens == 0
    for each in tokens[1:]:
        assert any(ids[at : at + len(each)] == each for at in range(len(ids)))
    kept = int(shorter.kv.lengths)
    assert kept > 0 and ids[:kept] == state.rows[0][0].ids[:kept] and ids[kept] != state.rows[0][0].ids[kept]
    logits = [
        model.logits(oc.generate.text(model).begin(each, max_tokens=1).pending) for each in (shorter, shorter.kv.drop())
    ]
    assert torch.allclose(*logits, atol=1e-4)
    assert shorter == oc.storage.from_bytes(oc.storage.to_bytes(shorter), model)
    assert (shorter + "Oh").turn("user", "Five?")[..., : len(ids)] == shorter


def test_a_conversation_that_runs_over_is_refused_with_what_to_do():
    tokenizer = oc.load().tokenizer
    small = oc.Model(tokenizer, context_length=40)
    state = small.chat([{"role": "user", "content": "What is the capital of France?"}]) + "Paris"
    long = state.turn("user", "What is the capital of Japan, and why? " * 2)
    with pytest.raises(ValueError, match=r"the prompt has \d+ tokens; the model's context is 40.*turn\(…, forget=n\)"):
        oc.generate.text(small).run(long)
    fits = state.turn("user", "What is the capital of Japan, and why?", forget=2)
    assert int(fits.lengths) <= 40 and oc.generate.text(small).begin(fits).pending


@pytest.mark.parametrize(
    "forget, error", [(-1, ValueError), (1.5, TypeError), (True, TypeError), (9, ValueError), (1, ValueError)]
)
def test_messages_that_cannot_be_forgotten_are_refused(forget, error):
    state = model_of("qwen 3").chat([{"role": "user", "content": "Hi"}]) + "Yes"
    with pytest.raises(error, match="forget"):
        state.turn("user", "So?", forget=forget)
    with pytest.raises(ValueError, match="a conversation begins with"):
        model_of("qwen 3").state("Hi").turn("user", "So?", forget=2)


def test_several_calls_are_captured_and_go_back_in_with_their_results():
    """`list[tools]` is a type; what was captured of it is one message, and each result is another one."""
    model = oc.load()
    calls = oc.generate.json(model, list[TOOLS], oc.samplers.multinomial())("Calls: ", max_tokens=200, seed=1)
    assert calls and all(isinstance(call, oc.types.ToolCall) for call in calls)
    state = model_of("hermes").chat([{"role": "user", "content": "Both?"}], tools=TOOLS)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Both?"}]
    state = state.turn("assistant", None, tool_calls=CALLED, reply=False)
    messages.append({"role": "assistant", "content": None, "tool_calls": [call.entry for call in CALLED]})
    for call in CALLED:
        state = state.turn("tool", str(call()), name=call.name, tool_call_id=call.id, reply=call is CALLED[-1])
        messages.append({"role": "tool", "content": str(call()), "name": call.name, "tool_call_id": call.id})
    assert written(state) == applied("hermes", messages, tools=TOOLS.declarations)
    assert '"day": "2026-01-02"' in written(state) and "weather: Sunny in Lima on 2026-01-02." in written(state)
    assert state == model_of("hermes").chat(
        [*messages[:1], {**messages[1], "tool_calls": CALLED}, *messages[2:]], TOOLS
    )


def test_equal_calls_have_equal_ids_of_nine_characters():
    again = TOOLS.parse('{"name":"add","arguments":{"a":1,"b":2}}')
    assert again.id == CALLED[0].id != CALLED[1].id
    assert all(re.fullmatch("[0-9a-z]{9}", call.id) and call.entry["id"] == call.id for call in CALLED)


@pytest.mark.parametrize(
    ("family", "options", "error"),
    [
        ("qwen 3", {"enable_thinkin": False}, r"option 'enable_thinkin': .* \(did you mean enable_thinking\?\)"),
        ("qwen 2.5", {"enable_thinking": False}, "no option 'enable_thinking': .*; it reads no options"),
        ("granite", {"reasoning_effort": "low"}, "the options that it reads are documents, thinking"),
        ("smollm 3", {"documents": []}, "no option 'documents'"),
        ("qwen 3", {"tokenize": True}, "chat.. takes no option 'tokenize'"),
        ("qwen 3", {"add_generation_prompt": False}, "is ready for the answer"),
        ("qwen 3", {"enable_thinking": object()}, "of what JSON can say"),
    ],
)
def test_an_option_that_a_template_does_not_read_is_refused_by_name(family, options, error):
    with pytest.raises(TypeError, match=error):
        model_of(family).chat([{"role": "user", "content": "Hi"}], **options)


def test_another_template_is_an_option_and_turns_keep_it():
    model, chatml = model_of("gemma"), TEMPLATES["hermes"]
    state = model.chat([{"role": "user", "content": "Hi"}], chat_template=chatml) + "Yes"
    assert written(state.turn("user", "So?")).endswith(
        "Yes<|im_end|>\n<|im_start|>user\nSo?<|im_end|>\n<|im_start|>assistant\n"
    )


@pytest.mark.parametrize("calls", ["f", [3], {"name": "f"}, [["f"]], [{"function": "f"}]])
def test_calls_of_other_types_are_refused_by_name(calls):
    with pytest.raises(ValueError, match="tool_calls of a message are a list of ToolCall or of dicts"):
        model_of("hermes").chat([{"role": "assistant", "content": "x", "tool_calls": calls}])


@pytest.mark.parametrize("field", ["replay", "enable_thinking", "add_generation_prompt", "tool_cals"])
def test_what_no_message_has_is_refused_by_name(field):
    """Also an option of the template: the whole conversation has it."""
    state = model_of("qwen 3").chat([{"role": "user", "content": "Hi"}]) + "Yes"
    with pytest.raises(TypeError, match=rf"turn\(\) takes no option '{field}'"):
        state.turn("user", "And?", **{field: False})
