"""Habits from other libraries: each gets an error of ours that says what to write here."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import pytest
import torch
from transformers import BatchEncoding, TopKLogitsWarper

import outlines_cont as oc
from outlines_cont import hints
from outlines_cont.errors import ConstraintError
from outlines_cont.generate.call_options import CallOptions
from outlines_cont.state.model import WITHOUT_HF


@pytest.fixture(scope="module")
def model() -> oc.Model:
    return oc.load()


def setting(model: oc.Model, name: str, value: Any) -> None:
    oc.generate.text(model)("x", max_tokens=1, hooks=[lambda draw: setattr(draw, name, value)])


def digits(model: oc.Model, name: str) -> oc.SequenceState:
    return oc.continuous(oc.generate.regex(model, "[0-9]{2}"), name=name)("Mira is ")


ADVICE = [
    (name, advice)
    for table in (
        *(hints.PLACES, hints.ARGUMENTS, hints.NAMES, hints.MEMBERS, hints.MODEL_MEMBERS, hints.STATE_MEMBERS),
        WITHOUT_HF,
        *(hints.DRAW_MEMBERS, hints.ROW_MEMBERS, hints.DRAW_SETTINGS, hints.ROW_SETTINGS),
    )
    for name, advice in table.items()
]


@pytest.mark.parametrize(("name", "advice"), ADVICE, ids=[name for name, _ in ADVICE])
def test_what_is_advised_is_there(model, name, advice):
    """Every name of the package in an advice is one that the package has, and every argument is taken."""
    advice = advice.format(name)
    for path in re.findall(r"\boc\.([\w.]+)", advice):
        reduce(getattr, path.rstrip(".").split("."), oc)
    for path in re.findall(r"\bstate\.([\w.]+)", advice):
        reduce(getattr, path.rstrip(".").split("."), model.state("x"))
    for member in re.findall(r"\bmodel\.(\w+)", advice):
        assert hasattr(model, member)
    for option in re.findall(r"write (\w+)=", advice):
        taken = {*CallOptions.__annotations__, "max_tokens", "device_map", "quantization_config"} | {
            "whitespace",
            "spelling",
        }
        assert option in taken


def test_no_hint_is_about_a_name_that_there_is():
    assert not hints.ARGUMENTS.keys() & {*CallOptions.__annotations__, "max_tokens"}
    assert not hints.NAMES.keys() & {*oc.__all__}
    assert not any(hasattr(cls, name) for cls in (oc.Model, oc.SequenceState, oc.Step) for name in hints.MEMBERS)
    assert not any(hasattr(oc.SequenceState, name) for name in hints.STATE_MEMBERS)


def test_a_state_has_few_members_and_says_where_the_others_are(model):
    members = [name for name in dir(oc.SequenceState) if not name.startswith("_")]
    assert len(members) <= 38, "what belongs together stands behind one of them: kv, kept, particles, captures …"
    for name, advice in hints.STATE_MEMBERS.items():
        with pytest.raises(AttributeError, match=re.escape(f"attribute {name!r}: {advice.format(name)}")):
            getattr(model.state("x"), name)


MODULES = {name: getattr(oc, name) for name in oc.__all__ if isinstance(getattr(oc, name), ModuleType)}
#: Options that calls had before they were grouped.
GROUPED = {
    **dict.fromkeys(("candidates", "alternatives"), "keep=oc.Keep({0}=n)"),
    **dict.fromkeys(("retries", "horizon"), "hooks=oc.steer.Hooks(f, g, {0}=…)"),
    "own": "beside=oc.Mix([…], own=…)",
    "normalize": "beside=oc.Mix([…], product=True)",
    "proposal": "beside=oc.Mix.proposal(…)",
}


@pytest.mark.parametrize("module", ["errors", "grafts", "scores", "steer", "stepping", "storage", "train", "types"])
def test_names_that_stand_in_a_module_say_in_which(module):
    for name in {*MODULES[module].__all__} - {*oc.__all__, "OutputType", *oc.generate.__all__}:
        if module == "types" and name in ("json_schema", "regex", "cfg", "choice"):
            continue
        with pytest.raises(AttributeError, match=rf"has no attribute '{name}': write oc\.{module}\.{name}$"):
            getattr(oc, name)


@pytest.mark.parametrize("option", GROUPED)
def test_options_that_are_grouped_say_in_which_group(model, option):
    advice = re.sub(r"\[.*?\]", "[…]", GROUPED[option].format(option))
    for called in (oc.generate.text(model), oc.continuous(oc.generate.text(model))):
        for call in (called, called.stream, called.begin, called.resume):
            with pytest.raises(TypeError, match=f"takes no option '{option}'") as raised:
                call(model.state("x"), **{option: 1})
            assert advice in re.sub(r"\[.*?\]", "[…]", str(raised.value))
    with pytest.raises(TypeError, match="takes no option 'resume': it belongs to calls that give states one by one"):
        oc.generate.text(model)("x", resume=True)
    with pytest.raises(TypeError, match=r"write keep=oc\.Keep\("):
        oc.generate.text(model)("x", keep=3)
    with pytest.raises(TypeError, match=r"or oc\.steer\.Hooks\("):
        oc.generate.text(model)("x", hooks=print)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda m: oc.generate.text(m)("x", max_new_tokens=3), TypeError, "write max_tokens=…"),
        (lambda m: oc.generate.text(m)("x", num_return_sequences=3), TypeError, "multinomial(samples=…)"),
        (lambda m: oc.generate.text(m)("x", n=3), TypeError, "multinomial(samples=…)"),
        (lambda m: oc.generate.text(m)("x", temperature=0.3), TypeError, "multinomial(temperature=…)"),
        (lambda m: oc.generate.text(m)("x", do_sample=True), TypeError, "oc.samplers.greedy()"),
        (lambda m: oc.generate.text(m)("x", num_beams=3), TypeError, "oc.samplers.beam_search(beams=…)"),
        (lambda m: oc.generate.text(m)("x", stop="\n"), TypeError, "write stop_at="),
        (lambda m: oc.generate.text(m)("x", hook=[]), TypeError, "did you mean hooks?"),
        (lambda m: oc.generate.text(m, temperature=0.3), TypeError, "multinomial(temperature=…)"),
        (lambda m: oc.generate.json(m, {}, backend="xgrammar"), TypeError, "one engine for constraints"),
        (lambda m: oc.generate.json(m, {}, whitespace_pattern=" "), TypeError, "write whitespace="),
        (lambda m: oc.generate.json(m, {}, speling="any"), TypeError, "did you mean spelling?"),
        (lambda m: oc.samplers.multinomial(n=3), TypeError, "write samples=…"),
        (lambda m: oc.samplers.beam_search(num_beams=3), TypeError, "write beams=…"),
        (lambda m: oc.map(oc.generate.text(m), ["x"], seed=0, batch_size=4), TypeError, "oc.map takes batch=…"),
        (lambda m: oc.continuous(oc.generate.text(m), max_new_tokens=4), TypeError, "write max_tokens=…"),
        (lambda m: oc.from_transformers, AttributeError, "oc.Model(hf_model, hf_tokenizer)"),
        (lambda m: oc.models, AttributeError, "oc.load("),
        (lambda m: oc.samplers.beam, AttributeError, "oc.samplers.beam_search(beams)"),
        (lambda m: oc.nothing_like_it, AttributeError, "has no attribute 'nothing_like_it'"),
        (lambda m: m.generate("x"), AttributeError, "oc.generate.text(model)(prompt)"),
        (lambda m: oc.generate.text(m).batch(["x"]), AttributeError, "generator([prompt, prompt])"),
        (lambda m: m.state("x").sequences, AttributeError, "state.token_ids"),
        (lambda m: oc.continuous(oc.generate.text(m)).generate, AttributeError, "oc.generate.text(model)"),
        (lambda m: oc.Generator(m, int, temperature=0.3), TypeError, "multinomial(temperature=…)"),
        (lambda m: oc.Generator(m, int, max_tokens=3), TypeError, "generator(prompt, max_tokens=…)"),
        (lambda m: oc.samplers.greedy(seed=3), TypeError, "generator(prompt, seed=…)"),
        (lambda m: oc.samplers.beam_search(filters=[min]), TypeError, "beams rank by the model's own"),
        (lambda m: oc.generate.text(m)("x", system="terse"), TypeError, "generator(model.chat([{'role'"),
        (lambda m: oc.generate.text(m)("x", return_exceptions=True), TypeError, "write errors='return'"),
        (
            lambda m: m.chat([{"role": "user", "content": "x"}], system="terse"),
            TypeError,
            "generator(model.chat([{'role'",
        ),
        (lambda m: oc.types.Regex("[0-9]"), AttributeError, "oc.types.regex(…)"),
        (lambda m: oc.generate.function(m, print), AttributeError, "oc.types.tools([f, g])"),
        (lambda m: oc.generate.int(m), AttributeError, "oc.Generator(model, the type)"),
        (lambda m: oc.samplers.top_p(0.3), AttributeError, "oc.samplers.multinomial(top_p=…)"),
        (lambda m: m.to("cuda"), AttributeError, "model.hf.to(device)"),
        (lambda m: m.state("x").texts, AttributeError, "list(state)"),
        (lambda m: m.score("x", ["a"]), AttributeError, "oc.score(model.state(prompt), ['text', …])"),
        (lambda m: m.bounds(oc.generate.text(m), "x"), AttributeError, "oc.bounds(generator, prompt)"),
        (lambda m: oc.bounds(oc.generate.text(m)), TypeError, "a list of prompts; oc.map takes any iterable"),
        (lambda m: oc.Model("gpt2", "gpt2"), TypeError, "oc.load('gpt2')"),
        (lambda m: oc.Model(m.tokenizer, m.hf), TypeError, "the model first"),
        (lambda m: oc.Model(m.hf, "gpt2"), TypeError, "AutoTokenizer.from_pretrained('gpt2')"),
        (lambda m: oc.generate.text(m)("x", hooks=[lambda draw: draw.state]), AttributeError, "draw.row.text"),
        (lambda m: oc.cat([m.state("x")], axis=0), TypeError, "write dim: 0 batch"),
        (lambda m: oc.Generator(m, [len, print]), TypeError, "oc.types.tools([f, g])"),
        (lambda m: oc.Generator(m, {"age": int}), ConstraintError, "write a TypedDict"),
        (lambda m: oc.generate.text(m, "greedy"), TypeError, "oc.samplers.greedy()"),
        (lambda m: oc.generate.text(m, stop=["."]), ValueError, "stop_at=[…]"),
        (lambda m: oc.samplers.greedy(filters=[oc.filters.min_tokens]), TypeError, "call it, min_tokens(…)"),
        (lambda m: oc.samplers.greedy(filters=[TopKLogitsWarper(3)]), TypeError, "no LogitsProcessor of transformers"),
        (lambda m: oc.filters.bad_words(["x", ""]), TypeError, "stands everywhere"),
        (lambda m: "Q: " + oc.continuous(oc.generate.text(m)), TypeError, "'text' >> step"),
        (lambda m: oc.load(dtype="float17"), ValueError, "'bfloat16'"),
        (lambda m: m.chat([("user", "hi")]), ValueError, "not ('user', 'hi')"),
        (lambda m: m.chat([{"role": "user"}]), ValueError, "it has no content"),
        (lambda m: next(oc.generate.text(m).stream("x", seed=0)).value, ValueError, "partial.value reads JSON"),
        (lambda m: oc.generate.text(m)([{"role": "user", "content": "x"}]), TypeError, "model.chat(messages)"),
        (lambda m: oc.generate.text(m)({"role": "user", "content": "x"}), TypeError, "model.chat([message])"),
        (lambda m: oc.generate.text(m)(BatchEncoding({"input_ids": [[1]]})), TypeError, "inputs['input_ids'][0]"),
        (lambda m: oc.types.cfg("start: 'a'", start="sum"), TypeError, "cfg() takes no option 'start'"),
        (lambda m: oc.types.email, AttributeError, "oc.types.regex(…); in JSON, {'type': 'string', 'format': 'email'}"),
        (lambda m: oc.types.cfg(Path("a.lark")), TypeError, "path.read_text()"),
        (lambda m: oc.generate.choice(["a"]), TypeError, "write choice(model, ['a'])"),
        (lambda m: oc.types.tools(print, print), TypeError, "tools(functions): too many"),
        (lambda m: m.state("x").turn({"role": "user"}), TypeError, "turn(role, content, …): missing a required"),
        (lambda m: m.state("x").text(skip_special_tokens=True), TypeError, "state.text(special=True) keeps them"),
        (lambda m: m.state("x").add_user_message("y"), AttributeError, "state.turn('user', …)"),
        (lambda m: m.state("x").input_ids, AttributeError, "state.token_ids"),
        (lambda m: m.acall("x"), AttributeError, "oc.Generator(model, output_type).acall(prompt)"),
        (lambda m: m.chat([{"role": "user", "content": "x"}], enable_thinking=False), TypeError, "it reads no options"),
        (
            lambda m: oc.generate.text(m)("x", enable_thinking=False),
            TypeError,
            "model.chat(messages, enable_thinking=…)",
        ),
        (lambda m: oc.generate.text(m)("x", include_stop=True), TypeError, "sampler, include_stop=True"),
        (lambda m: oc.samplers.beam_search(2, diversity_penalty=1.0), TypeError, "its samples are different texts"),
        (lambda m: oc.generate.text(m)(["x", None, "y"]), TypeError, "None (NoneType), prompt 1 of the 3, is neither"),
        (lambda m: m.state([[4], 5]), TypeError, "5 (int), prompt 1 of the 2, is neither"),
        (lambda m: oc.generate.text(m)("x", hooks=[lambda draw: draw.row.prompt]), AttributeError, "row.before"),
        (lambda m: m.state(["x", "y"]).fork(2)["age"], IndexError, "state.captures['age'], and state.up_to('age')"),
        (lambda m: m.state("x").chars["age"], IndexError, "the keys are [batch, sample, character]"),
        (lambda m: digits(m, name="age").captures.age, AttributeError, "write captures['age']"),
        (lambda m: digits(m, name="age").captures.year, AttributeError, "has no attribute 'year'"),
        (lambda m: oc.continuous(oc.generate.text(m)) >> int, TypeError, "continuous(Generator(model, int))"),
        (lambda m: oc.Model(m.hf.model, m.tokenizer), ValueError, "load it with AutoModelForCausalLM"),
        (lambda m: oc.Model("gpt2"), TypeError, "oc.load('gpt2')"),
        (lambda m: oc.load(load_in_4bit=True), TypeError, "quantization_config=BitsAndBytesConfig"),
        (lambda m: oc.load(device="cuda"), TypeError, "device_map="),
        (lambda m: oc.load("./nowhere"), FileNotFoundError, "there is no such folder"),
        (
            lambda m: oc.steer.Branch(sample_mask=[5]),
            TypeError,
            "it returns oc.steer.Branch(allowed=…), token ids or a mask",
        ),
        (
            lambda m: oc.steer.Branch(ff_tokens=[5]),
            TypeError,
            "it returns oc.steer.Branch(forced=…), a text or token ids",
        ),
        (lambda m: oc.steer.Branch(temperatur=0.3), TypeError, "did you mean temperature?"),
        (lambda m: oc.generate.text(m)("x", ff_tokens=[5]), TypeError, "oc.generate.control(model, controller)"),
        (lambda m: oc.steer.Replace(69, feed_filters=False), TypeError, "oc.steer.Replace(id, fed=False)"),
        (
            lambda m: oc.steer.Resample(requires_logits=True),
            TypeError,
            "nothing has to be said: a hook reads draw.logits",
        ),
        (
            lambda m: oc.steer.Watch(print, requires_logits=True),
            TypeError,
            "nothing has to be said: a hook reads draw.logits",
        ),
        (lambda m: setting(m, "sampled_token", 69), AttributeError, "it is a value: return oc.steer.Replace(69)"),
        (lambda m: setting(m, "token", None), AttributeError, "token of a Draw cannot be set"),
        (lambda m: setting(m, "sample_mask", []), AttributeError, "oc.samplers.multinomial(filters=[…])"),
        (lambda m: setting(m, "temperature", 2.0), AttributeError, "return oc.steer.Resample(temperature=…)"),
        (
            lambda m: setting(m, "thing", 2.0),
            AttributeError,
            "return an answer: oc.steer.Replace(id), oc.steer.Insert(id)",
        ),
        (lambda m: m.state("The sky is")[50], IndexError, "token 50 is out of range for a row of 6 tokens"),
    ],
)
def test_habits_are_told_what_to_write(model, call, kind, message):
    with pytest.raises(kind, match=re.escape(message)) as caught:
        call(model)
    assert "\n" not in str(caught.value)


def test_nothing_that_functions_of_users_are_shown_can_be_set(model):
    """A draw, a row that is written, the row of a draft: they say what to return instead, and stay as they are."""
    shown: list[Any] = []

    def look(thing: Any, *others: Any) -> Any:
        things = thing if isinstance(thing, tuple) else (thing,)
        shown.extend(things)
        for each in things:
            for name in {*dir(each), "sampled_token", "memory", "foo"}:
                if name.startswith("__"):
                    continue
                with pytest.raises(AttributeError, match=r"it is a value: .*\b(return|returns) "):
                    setattr(each, name, 5)
                with pytest.raises(AttributeError, match=r"it is a value: .*\b(return|returns) "):
                    delattr(each, name)
            before = repr(each)
            assert "foo" not in vars(each) and repr(each) == before
        return others[0] if others else None

    greedy = oc.samplers.greedy(filters=[look])
    oc.generate.text(model, greedy)("a b", max_tokens=2, hooks=[look, lambda draw: look(draw.row)], draft=look)
    oc.generate.control(model, lambda row: look(row) or ([] if row.text else [oc.steer.Branch(forced=" x")]))("a")
    oc.generate.control(model, together=lambda rows: look(rows) or {row: [] for row in rows})("a")
    assert {type(each).__name__ for each in shown} == {"Draw", "Writing", "DraftRow"}


def test_the_tier_is_short_to_read(model):
    assert repr(model.tier) == "Backend(name='hook', why='', alone=False)"


@pytest.mark.parametrize(
    ("called", "given", "write"),
    [
        ("beam_search", {"num_beams": 3}, "write beams=…"),
        ("multinomial", {"n": 3}, "write samples=…"),
        ("smc", {"num_return_sequences": 3}, "write particles=…"),
        ("multinomial", {"repetition_penalty": 1.1}, "write filters=[oc.filters.repetition_penalty(…)]"),
        ("greedy", {"temperature": 0.5}, "oc.samplers.multinomial(temperature=…), given to the generator"),
        ("greedy", {"num_beams": 3}, "oc.samplers.beam_search(beams=…), given to the generator"),
    ],
)
def test_a_sampler_is_not_told_to_use_the_sampler_that_it_is(called, given, write):
    [name] = given
    with pytest.raises(TypeError) as caught:
        getattr(oc.samplers, called)(**given)
    assert str(caught.value).endswith(write) and f"{called}() takes no option {name!r}: " in str(caught.value)
    assert f"oc.samplers.{called}(" not in str(caught.value)


@pytest.mark.parametrize("make", [torch.Tensor.numpy, torch.Tensor.clone, torch.Tensor.half])
@pytest.mark.parametrize("shape", [(4,), (4, 8), (2, 4, 8)])
def test_embeddings_are_no_prompt_and_it_says_so(model, make, shape):
    embeddings, text = make(torch.zeros(shape)), oc.generate.text(model, oc.samplers.greedy())
    doors = [
        lambda: model.state(embeddings),
        lambda: model.state([embeddings, embeddings]),
        lambda: text(embeddings, max_tokens=1),
        lambda: oc.continuous(text)(embeddings, max_tokens=1),
        lambda: list(oc.map(text, [embeddings], seed=0, max_tokens=1, errors="raise")),
    ]
    for door in doors:
        with pytest.raises(TypeError, match=r"embeddings \(inputs_embeds\) are not taken") as caught:
            door()
        assert f"of shape {shape}" in str(caught.value)


def test_images_are_refused_by_name(model):
    image = type("Image", (), {"__module__": "PIL.Image"})()
    with pytest.raises(TypeError, match="images, videos and sounds are not supported"):
        oc.generate.text(model)(image)


def test_a_folder_without_a_model_and_a_hub_that_is_away(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="finds no model in this folder"):
        oc.load(tmp_path)
    oc.load().hf.save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="finds no tokenizer in this folder"):
        oc.load(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("transformers.utils.hub.is_offline_mode", lambda: True, raising=False)
    with pytest.raises(FileNotFoundError, match=r"load\('no-such/model'\): there is no such folder, and no such model"):
        oc.load("no-such/model", local_files_only=True)


@pytest.mark.parametrize("name", ["hf", "generate", "to", "eval", "cuda", "generation_config"])
def test_a_model_without_hf_is_not_advised_to_use_it(model, name):
    with pytest.raises(AttributeError, match=name) as caught:
        getattr(oc.Model(model.tokenizer, context_length=64), name)
    assert "model.hf" not in str(caught.value) and ": " in str(caught.value)


def test_who_scores_or_resumes_a_prompt_is_told_what_to_write(model):
    step = oc.continuous(oc.generate.text(model))
    for call, advice in [
        (lambda: oc.score(model, "The sky is", [" blue"]), r"score\(state, texts, .*too many"),
        (lambda: oc.score("The sky is", [" blue"]), r"model\.state\(prompts\)"),
        (lambda: oc.score(model.state("The sky is"), [" blue"], normalise="mean"), "did you mean normalize"),
        (lambda: step.resume("The sky is"), "call the generator, step or chain itself"),
    ]:
        with pytest.raises(TypeError, match=advice):
            call()


def test_an_error_within_a_member_is_not_taken_for_a_missing_member(model):
    class Broken(hints.Hinted):
        @property
        def batch(self):
            return model.state("x").no_such_member

    with pytest.raises(AttributeError, match="'SequenceState' object has no attribute 'no_such_member'"):
        Broken().batch  # noqa: B018


@pytest.mark.parametrize("as_type", [lambda f: f | None, lambda f: list[f], lambda f: dict[str, f]])
def test_a_function_within_a_type_is_not_called(model, as_type):
    """As pydantic would: it calls a function to get a value of its schema."""

    def never(a: int) -> int:
        raise AssertionError

    with pytest.raises(ConstraintError, match=re.escape("would call the function never() for its value")):
        oc.Generator(model, as_type(Annotated[never, 1]))


@pytest.mark.parametrize(
    ("part", "error"), [({"type": "text", "text": "hi"}, "takes no list of parts"), ({"type": "image"}, "read text")]
)
def test_parts_are_not_written_as_python_prints_them(model, part, error):
    with pytest.raises(ValueError, match=error):
        model.chat([{"role": "user", "content": [part]}])


def test_parts_that_the_template_knows_are_texts():
    tokenizer = deepcopy(oc.load().tokenizer)
    tokenizer.chat_template = "{% for m in messages %}{% for p in m.content %}{{ p.text }};{% endfor %}{% endfor %}"
    said = [{"type": "text", "text": "hi"}, {"type": "text", "text": "you"}]
    assert str(oc.Model(oc.load().hf, tokenizer).chat([{"role": "user", "content": said}])) == "hi;you;"


def test_a_filter_that_was_made_without_a_module_is_a_filter():
    """As in a doctest, or by exec."""
    scope: dict[str, object] = {}
    exec("def same(row, logits): return logits", {"__name__": None}, scope)
    same: Any = scope["same"]
    assert same.__module__ is None
    plain, filtered = oc.samplers.greedy(), oc.samplers.greedy(filters=[same])
    assert oc.generate.text(oc.load(), filtered)("The sky is", 2) == oc.generate.text(oc.load(), plain)("The sky is", 2)


MAKERS = {
    "text": lambda model, **options: oc.generate.text(model, **options),
    "regex": lambda model, **options: oc.generate.regex(model, "a", **options),
    "choice": lambda model, **options: oc.generate.choice(model, ["a"], **options),
    "cfg": lambda model, **options: oc.generate.cfg(model, "start: 'a'", **options),
    "json": lambda model, **options: oc.generate.json(model, {"type": "integer"}, **options),
    "control": lambda model, **options: oc.generate.control(model, lambda row: [], **options),
    "continuous": lambda model, **options: oc.continuous(oc.generate.text(model), **options),
    "greedy": lambda model, **options: oc.samplers.greedy(**options),
    "multinomial": lambda model, **options: oc.samplers.multinomial(**options),
    "smc": lambda model, **options: oc.samplers.smc(**options),
    "beam_search": lambda model, **options: oc.samplers.beam_search(**options),
    "a generator": lambda model, **options: oc.generate.text(model)("x", **options),
    "a step": lambda model, **options: oc.continuous(oc.generate.text(model))("x", **options),
}


def options_of(name: str) -> set[str]:
    if name == "stream":
        return {*CallOptions.__annotations__, "max_tokens", "resume"}
    home = {"continuous": oc, "Mix": oc, **dict.fromkeys(("greedy", "multinomial", "smc", "beam_search"), oc.samplers)}
    if name.startswith("a "):
        return {*CallOptions.__annotations__, "max_tokens"} - ({"name", "seam"} if name == "a step" else set())
    return {*inspect.signature(getattr(home.get(name, oc.generate), name)).parameters}


GIVEN = {
    "model",
    "generator",
    "options",
    "pattern",
    "schema",
    "controller",
    "grammar",
}  # they come first, without a name
OF_ONE_MAKER = {"together", "pace"}  # of control


@pytest.mark.parametrize("name", MAKERS)
def test_an_option_in_the_wrong_place_is_told_where_it_belongs(model, name):
    """Each option of each place, given to every other one that does not take it."""
    options = set().union(*map(options_of, MAKERS)) - options_of(name) - GIVEN - OF_ONE_MAKER
    assert len(options) > 10
    for option in options:
        with pytest.raises(TypeError) as raised:
            MAKERS[name](model, **{option: None})
        called = name if name.startswith("a ") else f"{name}()"
        assert re.match(rf"{re.escape(called)} takes no option '{option}': \w", str(raised.value)), str(raised.value)


def test_every_place_takes_what_belongs_there():
    """What an advice writes as `function(…, option=…)` is an option of that function."""
    places = {f"oc.samplers.{name}": name for name in ("multinomial", "smc", "beam_search")}
    places |= {f"oc.generate.{name}": name for name in ("text", "regex", "choice", "json", "cfg")}
    places |= {"oc.continuous": "continuous", "generator": "a generator", "step": "a step"}
    places |= {"generator.stream": "stream", "smc": "smc", "beam_search": "beam_search", "oc.Mix": "Mix"}
    for option, advice in hints.PLACES.items():
        written = re.findall(r"([\w.]+)\(((?:[^()]|\([^()]*\))*)\)", advice.format(option))
        named = [(places[place], re.findall(r"(\w+)=", inside)) for place, inside in written]
        assert named and all(set(given) <= options_of(name) for name, given in named), option
        assert option in {each for _, given in named for each in given} or option in ("samples", "sampler")


def test_graft_takes_two_states(model):
    a, b, c = (model.state(text) for text in ("a", "b", "c"))
    with pytest.raises(
        TypeError, match=r"two states, and got three: .*, oc\.grafts\.graft\(oc\.grafts\.graft\(a, b\), c\)"
    ):
        oc.grafts.graft(a, b, c)
    assert oc.grafts.graft(oc.grafts.graft(a, b), c) == a + b + c


def test_captures_show_their_values(model):
    step = oc.continuous(oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy()), name="age")
    state = step("Mira is ")
    [[[age]]] = state.captures["age"]
    assert repr(state.captures) == str(state.captures) == f"Captures({{'age': [[['{age}']]]}})"
    many = oc.continuous(oc.generate.regex(model, "a{3000}", oc.samplers.greedy()), name="long")
    wide = step(["x "] * 3).fork(6)
    assert re.fullmatch(r"Captures\(\{'age': \[(\[(\['\d\d'\], ){4}…\](, )?){3}\]\}\)", repr(wide.captures))
    tall = repr(step(["x "] * 300).captures)
    assert tall.endswith("], …]})") and len(tall) < 80
    cut = many("x", max_tokens=1500).captures
    assert repr(cut) == "Captures({'long': [[[]]]})"
    assert repr(model.state("x").captures) == "Captures({})"


def test_results_of_a_job_say_what_they_are(model):
    results = oc.map(oc.generate.regex(model, "[0-9]{2}", oc.samplers.greedy()), ["a", "b"], seed=7)
    assert repr(results) == "<results of oc.map: 0 given so far, 0 found; seed=7>"
    next(results)
    assert repr(results).startswith("<results of oc.map: 1 given so far")
    results.close()


@pytest.mark.filterwarnings("ignore:state.kept")
def test_whatever_can_be_reached_says_what_it_is_in_a_few_words(model):
    """From public objects along public attributes; but for the parts of a KV tree and the memory of kernels."""
    many = [f"{i:050}" for i in range(300)]
    step = oc.continuous(oc.generate.regex(model, "[0-9]+"), name="n")
    state = oc.continuous(oc.generate.choice(model, ["blue", "white"]), name="c")(["The sky is ", "x"] * 20, seed=0)
    frontier = step.begin(model.state("so " * 600), seed=0)
    logits, [claim] = model.read(frontier.pending)
    seen: list[Any] = []
    oc.generate.text(model)("x", max_tokens=1, hooks=[lambda draw: seen.append(draw)])
    oc.generate.control(model, lambda row: (seen.append(row), [])[1])("x")
    makers = [oc.samplers.greedy, oc.samplers.multinomial, oc.samplers.beam_search, oc.samplers.smc, oc.drafts.lookup]
    roots = [
        *(model, state, step, step >> "x" * 5000 >> step, frontier, frontier.step(logits, [claim]), claim, *seen),
        *(oc.generate.choice(model, many), oc.generate.json(model, {"enum": many}), oc.scores.scoring(model, many)),
        *(oc.compare(state, state), state.captures, oc.map(step, ["a"], seed=0)),
        *(make() for make in makers),
        oc.filters.bad_words(many),
        oc.filters.suppress_tokens(list(range(900))),
        oc.filters.logit_bias(dict.fromkeys(range(900), 1.0)),
    ]
    done: set[int] = set()
    while roots:
        value = roots.pop()
        if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
            roots += value[:2]
        module, name = type(value).__module__, type(value).__name__
        inside = module.startswith(("outlines_cont.kernels", "outlines_cont.kv")) and name not in ("Claim", "Need")
        if not module.startswith("outlines_cont.") or inside or id(value) in done:
            continue
        done.add(id(value))
        seen.append(value)  # so that no other object gets its id
        assert len(repr(value)) < 1000 and " at 0x" not in repr(value).replace("<lambda> at 0x", ""), type(value)
        for member in dir(value):
            if not member.startswith("_"):
                with suppress(Exception):
                    roots.append(getattr(value, member))
    assert len({type(value) for value in seen}) > 30
