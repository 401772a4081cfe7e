"""Free text in which triggers begin values: the language, how it is read back, and generators of it."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from random import Random
from typing import Any

import made_tokenizers
import pytest
import torch
from constraint_checks import vocabulary
from guides import check_guide
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_generation import random_model

import outlines_cont as oc
from outlines_cont.errors import ConstraintError, IncompleteError
from outlines_cont.fsm import guide
from outlines_cont.fsm.endings import endings_of
from outlines_cont.fsm.kinds import BYTES, Section, sections
from outlines_cont.fsm.vocabulary import Vocabulary, unpack
from outlines_cont.fsm.within import Within
from outlines_cont.integrations.transformers import LogitsProcessor
from outlines_cont.integrations.vllm import ConstrainedRequest

SLOW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
Triggers = dict[str, tuple[list[str], str]]  # of each mark, the values and the end


def made(triggers: Triggers, v: Vocabulary, **counts: Any) -> guide.AutomatonGuide:
    return guide.triggered({mark: (guide.choice(x, v), end) for mark, (x, end) in triggers.items()}, v, **counts)


def accepts(g: guide.AutomatonGuide, text: str) -> bool:
    state = g.advance_all(g.initial, text.encode())
    return state is not None and g.accepting(state)


def fits(text: str, triggers: Triggers, least: int, most: int | None, at: int = 0, count: int = 0) -> bool:
    """What `triggered` says, read from left to right."""
    for end in range(at, len(text) + 1):
        ended = [mark for mark in triggers if text.endswith(mark, at, end)]
        if ended:
            ways = {
                (mark, end - len(one) + len(mark))
                for one in ended
                for mark in triggers
                if text.startswith(mark, end - len(one)) and len(mark) >= len(one)
            }
            return count != most and any(
                fits(text, triggers, least, most, begin + len(value) + len(triggers[mark][1]), count + 1)
                for mark, begin in ways
                for value in triggers[mark][0]
                if text.startswith(value + triggers[mark][1], begin)
            )
    return count >= least


few_letters = st.text("ab<", min_size=1, max_size=3)
some_triggers = st.dictionaries(
    few_letters,
    st.tuples(st.lists(st.text("ab<", max_size=2), min_size=1, max_size=2, unique=True), few_letters),
    min_size=1,
    max_size=3,
)
counts = st.sampled_from([(0, None), (1, None), (0, 1), (1, 2), (2, 2)])


def some(triggers: Triggers, v: Vocabulary, least: int = 0, most: int | None = None) -> guide.AutomatonGuide | None:
    try:
        return made(triggers, v, at_least=least, at_most=most)
    except ValueError as error:
        within = [(x, y) for x in triggers for y in triggers if x in y[1:-1] and not y.startswith(x)]
        assert ("never complete" in str(error) and within) or len(v.single_bytes) < 256, error
        return None


@SLOW
@given(some_triggers, counts)
def test_the_language_is_text_up_to_a_trigger_a_value_its_end_and_so_on(triggers: Triggers, bounds: Any) -> None:
    if (g := some(triggers, BYTES, *bounds)) is not None:
        for size in range(7):
            for letters in product("ab<", repeat=size):
                text = "".join(letters)
                assert accepts(g, text) == fits(text, triggers, *bounds), (text, triggers, bounds)


@SLOW
@given(
    st.dictionaries(
        st.sampled_from(["<a", "<b", "<<b", "b<"]),
        some_triggers.map(lambda x: next(iter(x.values()))),
        min_size=1,
        max_size=2,
    )
)
def test_the_language_of_triggers_that_begin_none_of_each_other_is_a_regular_expression(triggers: Triggers) -> None:
    marks = "|".join(map(re.escape, triggers))
    if any(x != y and y.endswith(x) for x in triggers for y in triggers):
        return  # `re` begins with the longer one, and both count
    values = "|".join(
        re.escape(mark) + f"(?:{'|'.join(map(re.escape, x))})" + re.escape(end) for mark, (x, end) in triggers.items()
    )
    pattern, g = re.compile(f"(?:(?!{marks}).|{values})*", re.S), made(triggers, BYTES)
    for size in range(7):
        for letters in product("ab<", repeat=size):
            text = "".join(letters)
            assert accepts(g, text) == bool(pattern.fullmatch(text)), text


@SLOW
@given(some_triggers, counts, st.randoms(use_true_random=False))
def test_triggers_obey_the_laws_of_guides(triggers: Triggers, bounds: Any, r: Random) -> None:
    """Also where marks are special tokens, and where bytes lack."""
    v = vocabulary(r)
    texts = [text for mark, (_, end) in triggers.items() for text in (mark, end)]
    tokens = [*v.tokens, *(text.encode() for text in sorted(set(texts)) if r.random() < 0.5)]
    v = Vocabulary(tokens, v.eos, [*v.special, *range(len(v), len(tokens))])
    try:
        g = some(triggers, v, *bounds)
    except ConstraintError:
        assert len(v.single_bytes) < 256
        return
    if g is None:
        return
    check_guide(g, walks=2, steps=14, tokens=70, seed=r.randrange(2**30), ending=g.marks)
    try:
        others = guide.without(g, ["ab", "a<"])
    except ConstraintError:
        return
    check_guide(others, walks=1, steps=14, tokens=70, seed=r.randrange(2**30), ending=g.marks)


@SLOW
@given(some_triggers)
@example({"<<": ([""], "<")})
@example({"b": ([""], "<"), "b<": ([""], "<")})
def test_marks_that_are_special_tokens_are_read_as_their_texts_are(triggers: Triggers) -> None:
    """What may be written with them may be written without them; and they may stand for each mark that is read."""
    if some(triggers, BYTES) is None:
        return
    marks = sorted({*triggers, *(end for _, end in triggers.values())})
    tokens = [*BYTES.tokens, *(mark.encode() for mark in marks)]
    v = Vocabulary(tokens, BYTES.eos, [*BYTES.special, *range(len(BYTES), len(tokens))])
    g, special = made(triggers, v), {mark: len(BYTES) + n for n, mark in enumerate(marks)}
    letters = [*map(ord, "ab<"), *special.values()]
    todo: list[tuple[list[int], Any]] = [([], g.initial)]
    for ids, state in todo:
        if g.accepting(state):
            assert fits(v.decode(ids, special=True).decode(), triggers, 0, None), ids
        if len(ids) < 4:
            todo += [([*ids, x], after) for x in letters if (after := g.advance(state, x)) is not None]
    listed = [Section(m.encode(), guide.choice(x, BYTES), end.encode()) for m, (x, end) in triggers.items()]
    for size in range(7):
        for text in map("".join, product("ab<", repeat=size)):
            if fits(text, triggers, 0, None):
                ids = []
                for n, data in sections(text.encode(), listed):
                    mark = None if n is None else listed[n]
                    around = ([], []) if mark is None else ([special[mark.mark.decode()]], [special[mark.end.decode()]])
                    ids += [*around[0], *data, *around[1]]
                state = g.advance_all(g.initial, ids)
                assert state is not None and g.accepting(state), (text, ids)


@SLOW
@given(some_triggers, st.text("ab<", max_size=9))
def test_what_is_read_is_what_was_written(triggers: Triggers, text: str) -> None:
    if some(triggers, BYTES) is None:
        return
    listed = [Section(m.encode(), guide.choice(x, BYTES), end.encode()) for m, (x, end) in triggers.items()]
    try:
        parts = sections(text.encode(), listed)
    except ValueError:
        assert not fits(text, triggers, 0, None)
        return
    assert fits(text, triggers, 0, None)
    written = [data if n is None else listed[n].mark + data + listed[n].end for n, data in parts]
    assert b"".join(written) == text.encode()
    assert all(data.decode() in triggers[listed[n].mark.decode()][0] for n, data in parts if n is not None)
    assert not any(mark.encode() in data for n, data in parts if n is None for mark in triggers)


def test_a_special_token_is_one_mark_whole() -> None:
    v = Vocabulary([*BYTES.tokens, b"<", b"<<"], BYTES.eos, [*BYTES.special, 257, 258])
    g = made({"<<": (["x"], "<")}, v)
    state = g.advance_all(g.initial, [258, ord("x")])
    assert state is not None and g.advance(state, 257) is not None
    assert g.advance(state, 258) is None, "its beginning is the end mark, and it is not"


def test_a_value_of_text_goes_as_far_as_its_end_first_comes() -> None:
    g = guide.triggered({"<t>": (guide.text(BYTES), "</t>")}, BYTES)
    assert accepts(g, "a<t><t></</t>b") and not accepts(g, "<t>x")
    listed = [Section(b"<t>", guide.text(BYTES), b"</t>")]
    assert sections(b"a<t><t></</t>b</t>", listed) == [(None, b"a"), (0, b"<t></"), (None, b"b</t>")]


def test_a_trigger_within_a_value_is_none_and_names_come_once() -> None:
    objects = guide.json_schema({"type": "object", "additionalProperties": {"type": "string"}}, BYTES, extra="schema")
    g = guide.triggered({"<call>": (objects, "</call>")}, BYTES, at_most=1)
    assert accepts(g, '<call>{"<call>":"</call>"}</call> <cal')
    assert not accepts(g, '<call>{"a":"","a":""}</call>')
    assert not accepts(g, "<call>{}</call><call>{}</call>")
    check_guide(g, ['<call>{"a":"<call>","b":""}</call>'])


def test_a_text_with_triggers_closes_within_so_many_tokens() -> None:
    v = Vocabulary([*BYTES.tokens, b"<n>", b"</n>"], BYTES.eos, [*BYTES.special, 257, 258])
    for marks in (v, BYTES):
        g = guide.triggered({"<n>": (guide.regex("[0-9]{4}", marks), "</n>")}, marks, at_least=1)
        need = endings_of(g).need(g.initial)
        for tokens in range(need, need + 9):
            within, r = Within(g, tokens), Random(tokens)
            state = within.initial
            for _ in range(tokens + 1):
                options = unpack(within.mask(state), len(marks)).nonzero()[0].tolist()
                token = r.choice([t for t in options if t not in marks.eos] or options)
                state = within.advance(state, token)
                if token in marks.eos:
                    break
            assert within.accepting(state), (tokens, need)


# -------------------------------------------------------------------------------------- what others' tests say of it


def test_masks_of_tokens_that_go_over_several_triggers() -> None:
    """The tokens of a test of XGrammar's tag dispatch: what may come after each byte of a text."""
    names = ["a", "b", "c", "d", "g", "t", "1", "2", "1a", "2d", "2a", "2dgt", "2dgtag1a", "2dgtag1b", "tag1a", "tag1b"]
    names += ["c哈哈t", "q", "abcdef"]
    v = Vocabulary([name.encode() for name in names] + [b"<eos>"], eos=[len(names)])
    singles = sorted({*"abcdgt12q"} | {"哈"})
    v = Vocabulary([*v.tokens, *(bytes([b]) for b in range(256) if chr(b) not in singles)], eos=v.eos)
    triggers = {"tag1": (guide.choice(["ab"], v), "c"), "tag2": (guide.choice(["d"], v), "g")}
    g = guide.triggered(triggers, v)
    free = {*names} - {"2dgtag1b", "tag1b"}
    after_tag = free - {"2a"}
    expected = [free, free, free, after_tag, {"a", "abcdef"}, {"b"}, {"c哈哈t", "c"}, free, free, free, free, free]
    expected += [after_tag, {"d"}, {"g"}, free, free]
    state: Any = g.initial
    for letter, options in zip("tag1abcqqtag2dgq0", expected, strict=True):
        ids = unpack(g.mask(state), len(v)).nonzero()[0].tolist()
        assert {names[i] for i in ids if i < len(names)} == options, letter
        state = g.advance(state, v.tokens.index(letter.encode()))


def test_marks_that_begin_each_other_and_are_not_ascii() -> None:
    """The tags of a test of XGrammar's structural tags. There, text may not go on otherwise after "、"; here it may."""
    schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    ends = {"、、": "。", "、本": "。。", "、、語": "。。。", "日日語": "日語日"}
    g = guide.triggered({mark: (guide.json_schema(schema, BYTES), end) for mark, end in ends.items()}, BYTES)
    for text in (
        '用、、{"n":0}。用',
        '、本{"n":1}。。',
        '、、語{"n":2}。。。用、本{"n":3}。。',
        '日日語{"n":0}日語日日日語{"n":0}日語日',
    ):
        assert accepts(g, text), text
    assert not accepts(g, '、、語{"n":2}。') and accepts(g, "用、用")
    check_guide(g, ['、、語{"n":2}。。。'], walks=3)


def test_a_token_that_completes_a_trigger_and_goes_on_wrongly_is_not_allowed() -> None:
    """llama.cpp's lazy grammars end the request there: "=list" after "<function", "functional" for "function"."""
    v = Vocabulary([*BYTES.tokens, b"=list", b"=add", b"functional"], eos=BYTES.eos)
    g = guide.triggered({"<function=": (guide.choice(["add"], v), ">")}, v)
    state: Any = g.advance_all(g.initial, b"<function")
    assert (g.advance(state, 257), g.advance(state, 258) is not None) == (None, True)
    words = guide.triggered({"function": (guide.choice(["(x"], v), ")")}, v)
    assert words.advance(words.initial, 259) is None
    assert words.advance_all(words.initial, b"functio of it") is not None


# ----------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: made({}, BYTES), ValueError, "give at least one"),
        (lambda: made({"": (["a"], "b")}, BYTES), ValueError, "not empty"),
        (lambda: made({"a": (["a"], "")}, BYTES), ValueError, "not empty"),
        (lambda: made({"ab": (["a"], "b"), "xaby": (["a"], "b")}, BYTES), ValueError, "'xaby' is never complete"),
        (lambda: made({"a": (["a"], "b")}, BYTES, at_least=3, at_most=2), ValueError, "at_least=3, at_most=2"),
        (lambda: made({"a": (["a"], "b")}, BYTES, at_most=0), ValueError, "1 ≤ at_most"),
        (lambda: made({"a": (["a"], "b")}, BYTES, at_least="1"), TypeError, "at_least='1'"),
        (lambda: guide.triggered({"a": "b"}, BYTES), TypeError, "triggers are {text: "),  # type: ignore[dict-item]
        (lambda: oc.types.triggered({"a": int}), TypeError, "takes {trigger: "),  # type: ignore[dict-item]
        (lambda: oc.types.triggered({"a": (guide.text(BYTES), "b")}), TypeError, "is a type; guides go together"),
        (
            lambda: guide.triggered({"a": (guide.regex("a", Vocabulary([b"a"], eos=[])), "b")}, BYTES),
            ValueError,
            "a guide of another vocabulary",
        ),
        (
            lambda: guide.triggered(
                {"a": (guide.json_schema({"uniqueItems": True}, BYTES), "b"), "c": (guide.regex("a*", BYTES), "d")},
                BYTES,
            ),
            ConstraintError,
            "'uniqueItems' is supported in values of triggers only if",
        ),
    ],
)
def test_what_is_no_text_with_triggers_is_refused_by_name(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        make()


# ------------------------------------------------------------------------------- generators, where marks are special

BEGIN, END = "<|im_start|>", "<|im_end|>"


@cache
def special_model() -> oc.Model:
    """A random model in which the marks are special tokens, and likely."""
    model = random_model(made_tokenizers.byte_level(), 0, positions=256)
    with torch.no_grad():
        model.hf.lm_head.weight[sorted(model.vocabulary.special - {0})] *= 3
    return oc.Model(model.hf, model.tokenizer)


def add(a: int, b: int) -> int:
    return a + b


def say(loud: bool) -> str:
    return "hey" if loud else ""


CALLS = oc.types.triggered({BEGIN: (oc.types.tools([add, say]), END)}, at_most=2)


SCRIPTS = [
    ("Hello", ["Hello"]),
    (
        f'a{BEGIN}{{"name":"say","arguments":{{"loud":true}}}}{END}{BEGIN}{{"name":"add","arguments":{{"a":1,"b":2}}}}{END}b',
        ["a", "hey", 3, "b"],
    ),
    (f'{BEGIN}{{"name":"say","arguments":{{"loud":false}}}}{END}', [""]),
    ("<|im_sta", ["<|im_sta"]),
]


@pytest.mark.parametrize(("text", "value"), SCRIPTS)
@pytest.mark.parametrize("special", [True, False])
def test_a_scripted_text_with_calls_is_read_in_order(text: str, value: list[Any], special: bool) -> None:
    """Marks are written as special tokens, or else byte by byte."""
    model = special_model()
    step = oc.continuous(oc.generate.format(model, CALLS, forced="never"), name="said")
    pieces = re.split(f"({re.escape(BEGIN)}|{re.escape(END)})", text)
    v = model.vocabulary
    ids = [
        token
        for piece in pieces
        for token in (
            [v.tokens.index(piece.encode())]
            if special and piece in (BEGIN, END)
            else [v.single_bytes[b] for b in piece.encode()]
        )
    ]
    frontier = step.begin("(")
    for token in [*ids, None]:
        frontier = frontier.accept([token])
    assert frontier.done
    [[[parts]]] = frontier.state.captures["said"]
    assert [each if isinstance(each, str) else each[1]() for each in parts] == value
    assert [each[0] for each in parts if not isinstance(each, str)] == [BEGIN] * sum(
        not isinstance(x, str) for x in parts
    )
    assert (BEGIN in str(frontier.state)) == (not special and BEGIN in text), "a row's string has no special tokens"
    assert frontier.state.text(special=True)[0][0].endswith(text)


SAMPLERS = {
    "multinomial": oc.samplers.multinomial(samples=3),
    "beams": oc.samplers.beam_search(3),
    "particles": oc.samplers.smc(3, every=1),
    "filtered": oc.samplers.multinomial(samples=3, filters=[oc.filters.bad_words(["e"])]),
}


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_generators_of_it_are_cut_resumed_saved_and_streamed_like_others(name: str) -> None:
    model = special_model()
    numbers = oc.types.triggered({BEGIN: (int, END), "<t>": (str, "</t>")}, at_least=1, at_most=2)
    step = oc.continuous(oc.Generator(model, numbers, SAMPLERS[name]), name="said")
    state = step(["(", "The capital"], seed=1, max_tokens=60)
    marks = step.generator.constraint.marks
    special = any(not marks.isdisjoint(row.ids) for rows in state.rows for row in rows)
    assert len(marks) == 2 and (special or name == "filtered")
    whole = 0
    for b, rows in enumerate(state.rows):
        for s, row in enumerate(rows):
            values = state.captures["said"][b][s]
            assert len(values) == (state.finished[b][s] == "stop")
            whole += len(values)
            for value in values:
                pairs = [each for each in value if isinstance(each, tuple)]
                assert 1 <= len(pairs) <= 2 and all(type(x) is (int if mark == BEGIN else str) for mark, x in pairs)
                written = (
                    x if isinstance(x, str) else f"{x[0]}{x[1]}{END if x[0] == BEGIN else '</t>'}" for x in value
                )
                text = model.vocabulary.decode(row.ids, special=True).decode("utf-8", "replace")
                assert text.endswith("".join(written)) or "\ufffd" in text
    assert torch.allclose(state.rescore().weights, state.weights, atol=1e-3)
    cut = state[..., :-7]
    loaded = oc.storage.from_bytes(oc.storage.to_bytes(cut), model)
    if name != "particles":
        assert step.resume(cut, seed=3, max_tokens=40) == step.resume(loaded, seed=3, max_tokens=40)
    *_, last = parts = list(step.stream(["(", "The capital"], seed=1, max_tokens=60))
    assert last == state
    if name == "multinomial":
        alone = step(model.state(["(", "The capital"])[1:2, :, :], seed=1, max_tokens=60)
        assert alone == state[1:2, :, :], "law 9"
        for s in range(3):
            written = "".join(part.delta[0][s] for part in parts)
            assert written == model.vocabulary.decode(state.rows[0][s].ids, special=True)[len("<s>(") :].decode(
                "utf-8", "replace"
            )
    assert whole or name in ("filtered", "particles")


def test_a_text_that_is_cut_within_a_value_is_no_value_and_may_be_asked_to_close() -> None:
    model = special_model()
    numbers = oc.types.triggered({BEGIN: (oc.types.regex("[0-9]{9}"), END)}, at_least=1)
    with pytest.raises(IncompleteError):
        oc.Generator(model, numbers, oc.samplers.multinomial())("(", seed=0, max_tokens=3)
    closed = oc.generate.format(model, numbers, oc.samplers.multinomial(samples=4), whole=True)(
        "(", seed=0, max_tokens=40
    )
    assert all(any(isinstance(each, tuple) and len(each[1]) == 9 for each in value) for value in closed)


def test_a_chain_goes_on_after_it_and_what_heals_is_no_part_of_it() -> None:
    model = shipped_model()
    known = oc.types.triggered({" is": (oc.types.regex(" [0-9a-zA-Z]+"), ".")}, at_most=1)
    noted = oc.continuous(oc.Generator(model, known), name="said", max_tokens=60)
    age = oc.continuous(oc.generate.regex(model, "[0-9]{1,3}"), name="age")
    chain, state = noted >> "Age: " >> age, model.state("The capital of France")
    written = chain(state, seed=1)
    assert written.finished == [["stop"]] and written == age(noted(state, seed=1) + "Age: ", seed=1)
    [[[value]]] = written.captures["said"]
    assert value == [(" is", " Paris"), "\n"]
    healed = noted(model.state("The capital of Franc"), seed=1)
    for value in healed.captures["said"][0][0]:
        parts = (each if isinstance(each, str) else f"{each[0]}{each[1]}." for each in value)
        assert str(healed) == "The capital of Franc" + "".join(parts)
    v = Vocabulary([*BYTES.tokens, b"<n>", b"a<", b"\xff<"], BYTES.eos, [*BYTES.special, 257])
    g = guide.triggered({"<n>": (guide.regex("[0-9]", v), "</n>")}, v)
    for after in (guide.literal(b"a<", v) + g, guide.text(v) + g, guide.literal(b"\xff", v) | g):
        check_guide(after, walks=4, ending=g.marks)
    both = guide.text(v) + g
    inside = both.advance_all(both.initial, [97, 257])
    assert inside is not None and both.advance(inside, ord("x")) is None, "no text of another guide has a mark"
    both = guide.regex("<[^>]*", v) + g
    inside = both.advance_all(both.initial, [ord("<"), 257])
    assert inside is not None and both.advance(inside, ord("x")) is None, "the mark is no text of the pattern"


def test_generate_of_transformers_and_requests_of_vllm_give_the_same_values() -> None:
    model = special_model()
    processor = LogitsProcessor(CALLS, model.tokenizer)
    prompt = torch.tensor([model.state("(").rows[0][0].ids])
    torch.manual_seed(1)
    hf: Any = model.hf
    rows = hf.generate(
        prompt.repeat(6, 1),
        attention_mask=torch.ones(6, prompt.shape[1], dtype=torch.long),
        logits_processor=[processor],
        max_new_tokens=240,
        do_sample=True,
        pad_token_id=model.vocabulary.eos[0],
        eos_token_id=model.vocabulary.eos[0],
    )[:, prompt.shape[1] :]
    values = processor.values(rows, errors="return")
    calls = [each[1] for value in values if isinstance(value, list) for each in value if isinstance(each, tuple)]
    assert calls and {call.name for call in calls} <= {"add", "say"}
    request = ConstrainedRequest(CALLS)
    for text, value in SCRIPTS:
        parts = request.value(text, "stop")
        assert [each if isinstance(each, str) else each[1]() for each in parts] == value
    with pytest.raises(ValueError, match="is no text of"):
        request.value(BEGIN + "{}" + END, "stop")


def test_output_types_with_triggers_are_equal_if_what_they_say_is() -> None:
    same = oc.types.triggered({BEGIN: (oc.types.tools([add, say]), END)}, at_most=2)
    others = [
        oc.types.triggered({BEGIN: (oc.types.tools([add, say]), END)}),
        oc.types.triggered({BEGIN: (oc.types.tools([add]), END)}, at_most=2),
        oc.types.triggered({BEGIN: (oc.types.tools([add, say]), "]")}, at_most=2),
    ]
    assert same == CALLS and hash(same) == hash(CALLS) and CALLS not in others
