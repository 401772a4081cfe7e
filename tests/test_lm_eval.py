"""Our model in lm-eval, against its `hf` backend with the same weights: numbers, texts, tokens, and what it costs."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from made_tokenizers import byte_fallback
from strategies import shipped_model
from test_generation import random_model, toy_model

pytest.importorskip("lm_eval", reason="lm-eval is not installed (pip install 'outlines_cont[lm-eval]')")

import lm_eval
from evaluation_requests import (
    counted_positions,
    documents,
    few_shot_contexts,
    hf_backend,
    hf_backend_of,
    instances,
    long_options,
    odd_pairs,
    one_token_options,
    questions,
)
from lm_eval.api.model import CachingLM
from lm_eval.api.registry import get_model
from lm_eval.tasks import TaskManager

import outlines_cont as oc
from outlines_cont import tiny
from outlines_cont.integrations.lm_eval import LM, adapter

ROOT = Path(__file__).parent.parent
COUNT = 24  # requests of each kind; tests/bench/evaluation.py takes 1,000
LINE = {"until": ["\n"], "max_gen_toks": 12}


@cache
def reference(max_length: int | None = None) -> Any:
    return hf_backend(batch_size=8, max_length=max_length)


def answers(side: Any, requests: list[Any]) -> list[Any]:
    return getattr(side, requests[0].request_type)(requests, disable_tqdm=True)


def agree(ours: list[Any], theirs: list[Any], kind: str) -> None:
    """Log-probabilities to 1e-4, those of long texts to 1e-6 of themselves; everything else exactly."""
    assert len(ours) == len(theirs)
    if kind == "loglikelihood":
        assert [greedy for _, greedy in ours] == [greedy for _, greedy in theirs]
        ours, theirs = [value for value, _ in ours], [value for value, _ in theirs]
    if kind == "generate_until":
        assert ours == theirs
    else:
        assert ours == [pytest.approx(value, abs=1e-4, rel=1e-6) for value in theirs]


def requests_of_all_kinds() -> list[tuple[list[Any], int | None]]:
    draw = random.Random(1)
    contexts = few_shot_contexts(draw, COUNT // 4)
    drawn = few_shot_contexts(draw, COUNT // 4, drawn_anew=True)
    return [
        (one_token_options(contexts, COUNT), None),
        (long_options(draw, contexts, COUNT), None),
        (long_options(draw, drawn, COUNT), 100),
        (odd_pairs(draw, COUNT), None),
        (documents(draw, COUNT // 2, most_shots=4), None),
        (documents(draw, COUNT // 2, most_shots=4), 60),
        (questions(drawn + contexts, LINE), None),
        (questions(drawn + contexts, LINE), 100),
    ]


@pytest.mark.parametrize("which", range(8))
def test_answers_are_those_of_the_hf_backend(which: int) -> None:
    """One-token and long options, contexts that are cut, odd ones, rolling in one window and in several, texts."""
    requests, max_length = requests_of_all_kinds()[which]
    for batch_size in ("auto", 3):
        ours = LM(pretrained=shipped_model(), max_length=max_length, batch_size=batch_size)
        agree(answers(ours, requests), answers(reference(max_length), requests), requests[0].request_type)


PIECES = st.sampled_from(
    ["Mira", " is", "\n", " ", "  ", "34", "é", "🦙", "a", "Q:", "<|begin|>", "<|end|>", "\t", "painter"]
)
TEXT = st.lists(PIECES, max_size=6).map("".join)


@settings(max_examples=15)
@given(pairs=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), max_length=st.sampled_from([None, 6, 12]))
def test_tokens_are_those_of_the_hf_backend(pairs: list[tuple[str, str]], max_length: int | None) -> None:
    """Any texts: spaces at the end of a context, special tokens in it, nothing before; lm-eval's answer, or ours."""
    ours, theirs = LM(pretrained=shipped_model(), max_length=max_length), reference(max_length)
    kept = []
    for context, continuation in pairs:
        if context:
            following = theirs._encode_pair(context, continuation)[1]
        else:
            following = theirs.tok_encode(continuation, add_special_tokens=False)
            following = following[following[:1] == [theirs.prefix_token_id] :]
        if 0 < len(following) <= theirs.max_length:  # else the hf backend fails
            kept.append((context, continuation))
    assume(kept)
    requests = instances("loglikelihood", kept)
    agree(answers(ours, requests), answers(theirs, requests), "loglikelihood")
    texts = instances("loglikelihood_rolling", [(context + continuation,) for context, continuation in pairs])
    agree(answers(ours, texts), answers(theirs, texts), "loglikelihood_rolling")


@pytest.mark.parametrize("name", ["bytes, no bos", "sentencepiece, two eos"])
def test_other_tokenizers(name: str) -> None:
    """Without a bos, and with a space that is written before a text and taken from the beginning of an answer."""
    model = toy_model(1) if name.startswith("bytes") else random_model(byte_fallback("prepend"), seed=0, positions=64)
    ours, theirs = LM(pretrained=model), hf_backend_of(model)
    assert (ours.max_length, ours.prefix_token_id) == (theirs.max_length, theirs.prefix_token_id)
    draw = random.Random(6)
    pieces = ["the", " capital", "a", " ", "  ", "\n", "é", "b", "xy", " ab"]
    texts = ["".join(draw.choices(pieces, k=draw.randint(1, 7))) for _ in range(2 * COUNT)]
    pairs = [(draw.choice(["", context]), text) for context, text in zip(texts[:COUNT], texts[COUNT:], strict=True)]

    def is_taken(context: str, text: str) -> bool:  # the hf backend needs a token of each
        if not context:
            return bool(theirs.tok_encode(text, add_special_tokens=False))
        return all(theirs._encode_pair(context, text)) and bool(theirs.tok_encode(context.rstrip()))

    requests = instances("loglikelihood", [pair for pair in pairs if is_taken(*pair)])
    assert len(requests) > COUNT / 2
    agree(answers(ours, requests), answers(theirs, requests), "loglikelihood")
    rolled = instances("loglikelihood_rolling", [(text,) for text in texts])
    agree(answers(ours, rolled), answers(theirs, rolled), "loglikelihood_rolling")
    asked = questions([text for text in texts if text], {"max_gen_toks": 12, "until": ["b", "x"]})
    written = list(zip(answers(ours, asked), answers(theirs, asked), strict=True))
    whole = [pair for pair in written if "\ufffd" not in pair[1]]  # ours writes whole characters only
    assert len(whole) > 4 and all(one == other for one, other in whole)
    [spaces], [nothing] = (answers(ours, instances("loglikelihood", [pair])) for pair in ((" ", "a"), ("", " a")))
    if not ours.tok_encode(""):  # the spaces go to the continuation, and nothing is left before it
        assert spaces == nothing


def prefixes(lm: LM, requests: list[Any]) -> set[tuple[int, ...]]:
    """The beginnings of rows that the answers of (context, continuation) requests need."""
    needed: set[tuple[int, ...]] = set()
    for request in requests:
        context, continuation = lm._encode_pair(*request.args)
        row = tuple(context + continuation)[:-1]
        needed |= {row[: n + 1] for n in range(len(row))}
    return needed


def test_what_requests_share_is_computed_once() -> None:
    """Each token of the tree that a batch forms, and no other; across batches, what neighbours share of contexts."""
    model = shipped_model()
    draw = random.Random(2)
    requests = long_options(draw, few_shot_contexts(draw, 6), COUNT)
    whole, one_by_one = LM(pretrained=model), LM(pretrained=model, batch_size=1)
    needed = prefixes(whole, requests)
    model.stats.reset()
    expected = answers(whole, requests)
    assert model.stats.tokens == len(needed) and model.stats.kv_bytes == 0
    model.stats.reset()
    agree(answers(one_by_one, requests), expected, "loglikelihood")
    beyond_contexts = sum(len(one_by_one._encode_pair(*request.args)[1]) for request in requests)
    assert model.stats.tokens <= len(needed) + beyond_contexts and model.stats.kv_bytes == 0
    with counted_positions(reference()) as positions:
        agree(answers(reference(), requests), expected, "loglikelihood")
    assert len(needed) <= sum(positions) / 5


@given(
    sequences=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=9).map(tuple), max_size=12),
    most_tokens=st.integers(1, 30),
    most=st.one_of(st.none(), st.integers(1, 5)),
    more=st.integers(0, 3),
)
def test_batches_are_bounded(sequences: list[Any], most_tokens: int, most: int | None, more: int) -> None:
    """Every request is in one batch; no batch needs more tokens than allowed, nor has more requests, unless it is one
    request; and no two batches that follow each other would be one."""
    lm = LM(pretrained=shipped_model(), max_batch_size=most)
    lm._most_tokens = most_tokens
    batches = list(lm._batches(sequences, more))
    assert sorted(i for batch in batches for i in batch) == list(range(len(sequences)))
    for batch in batches:
        tree = {sequences[i][: n + 1] for i in batch for n in range(len(sequences[i]))}
        assert len(batch) == 1 or (len(tree) + more * len(batch) <= most_tokens and len(batch) <= (most or len(batch)))
    for one, two in pairwise(batches):
        tree = {sequences[i][: n + 1] for i in [*one, two[0]] for n in range(len(sequences[i]))}
        assert len(one) == most or len(tree) + more * (len(one) + 1) > most_tokens


def test_generation_settings() -> None:
    model = shipped_model()
    lm = LM(pretrained=model)
    context = few_shot_contexts(random.Random(3), 1)[0]

    def generated(**gen_kwargs: Any) -> str:
        return answers(lm, questions([context], gen_kwargs))[0]

    def theirs(**gen_kwargs: Any) -> str:
        return answers(reference(), questions([context], gen_kwargs))[0]

    for gen_kwargs in (
        {"until": "\n", "max_gen_toks": 8},
        {"max_new_tokens": 5},
        {"until": ["\n\n", "Q:", " is"], "max_tokens": 20, "do_sample": False},
        {"until": [" from"], "max_gen_toks": 20, "temperature": 0.0},
        {"until": ["<|end|>", "<|user|>"], "max_gen_toks": 20},
        {"max_gen_toks": 12, "repetition_penalty": 1.5},
        {"max_gen_toks": 12, "do_sample": True, "temperature": 0.7, "top_k": 1},
    ):
        assert generated(**gen_kwargs) == theirs(**gen_kwargs), gen_kwargs
    assert generated(until=None, max_gen_toks=5) == generated(until=[""], max_gen_toks=5) == generated(max_gen_toks=5)
    drawn = {"max_gen_toks": 16, "do_sample": True, "temperature": 1.5, "top_k": 0}
    torch.manual_seed(0)
    first = generated(**drawn)
    torch.manual_seed(0)
    assert generated(**drawn) == first
    assert len({generated(**drawn) for _ in range(4)}) > 1

    for gen_kwargs, message in (
        ({"max_length": 30}, r"max_length=30 is not supported: max_gen_toks"),
        ({"num_return_sequences": 2}, r"num_return_sequences=2 is not supported"),
        ({"stop_strings": ["a"]}, r"stop_strings=\['a'\] is not supported: until"),
        ({"top_q": 1}, r"top_q=1: transformers' generate\(\) has no such setting"),
        ({"do_sample": True}, r"do_sample=True with temperature=0.0"),
        ({"do_sample": True, "temperature": -1}, r"temperature=-1"),
        ({"num_beam_groups": 2, "num_beams": 4}, r"num_beam_groups=2"),
        ({"penalty_alpha": 0.6}, r"penalty_alpha=0.6"),
        ({"max_gen_toks": 0}, r"max_gen_toks=0"),
        ({"max_gen_toks": 2048}, r"max_gen_toks=2048 leaves no room for a prompt"),
    ):
        with pytest.raises(ValueError, match=message):
            generated(**gen_kwargs)
    with pytest.raises(TypeError, match=r"until=\[7\]"):
        generated(until=[7])


def test_conversations_are_written_as_the_hf_backend_writes_them() -> None:
    lm = LM(pretrained=shipped_model())
    chat = [{"role": "user", "content": "What is the capital of France?"}]
    answered = [*chat, {"role": "assistant", "content": "Par"}]
    for messages, prompt in ((chat, True), (answered, False)):
        text = lm.apply_chat_template(messages, add_generation_prompt=prompt)
        assert text == reference().apply_chat_template(messages, add_generation_prompt=prompt)
    assert lm.tokenizer_name == reference().tokenizer_name
    assert lm.chat_template(True) == reference().chat_template(True)
    requests = questions([lm.apply_chat_template(chat)], {"max_gen_toks": 8})
    assert answers(lm, requests) == answers(reference(), requests) == ["Paris"]

    template = (
        "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}{{ messages[0].content }}"
    )
    model = oc.load()
    model.tokenizer.chat_template = template
    lm = LM(pretrained=model)
    assert lm.apply_chat_template([{"role": "system", "content": "S"}, *chat]) == "What is the capital of France?"


def test_a_thought_is_cut_from_answers() -> None:
    model = shipped_model()
    context = "Mira is a painter from Lisbon.\nQ: What is Mira's job?\nA:"
    whole, after = (
        answers(LM(pretrained=model, think_end_token=end), questions([context], LINE))[0] for end in (None, "pain")
    )
    assert whole == " painter" and after == "ter"
    with pytest.raises(ValueError, match="needs think_end_token"):
        LM(pretrained=model, enable_thinking=True)
    lm = LM(pretrained=model, enable_thinking=True, think_end_token="</think>")
    with pytest.raises(ValueError, match="only generate_until"):
        answers(lm, instances("loglikelihood", [("a", "b")]))


def test_answers_are_cached_as_lm_eval_caches_them(tmp_path: Path) -> None:
    lm = LM(pretrained=shipped_model())
    cached: Any = CachingLM(lm, str(tmp_path / "answers.db"))
    contexts = few_shot_contexts(random.Random(4), 2)
    for requests in (
        one_token_options(contexts, 8),
        instances("loglikelihood_rolling", [("Mira is",)]),
        questions(contexts, LINE),
    ):
        name = requests[0].request_type
        first = getattr(cached, name)(requests)
        shipped_model().stats.reset()
        assert getattr(cached, name)(requests) == first and shipped_model().stats.tokens == 0


def test_what_is_refused() -> None:
    model = shipped_model()
    for arguments, error, message in (
        ({"peft": "adapter"}, TypeError, r"LM\(peft='adapter'\): there is no such argument; load the adapter yourself"),
        ({"softmax_dtype": "float32"}, TypeError, "always computed in float32"),
        ({"batch_size": 0}, ValueError, "batch_size=0: it must be an int ≥ 1, or 'auto'"),
        ({"batch_size": "many"}, ValueError, "batch_size='many'"),
        ({"max_batch_size": 0}, ValueError, "max_batch_size=0"),
        ({"max_length": 4096}, ValueError, "max_length=4096: it is from 2 to the model's context length, 2048"),
        ({"max_length": "long"}, TypeError, "max_length='long'"),
        ({"prefix_token_id": 5000}, ValueError, "prefix_token_id=5000: the vocabulary has 1536 tokens"),
        ({"think_end_token": 7}, TypeError, "think_end_token=7"),
        ({"tokenizer": model.tokenizer}, TypeError, "an oc.Model has its own"),
        ({"dtype": "float32"}, TypeError, r"LM\(dtype=…\): it is for models that are loaded"),
        ({"device": "cuda"}, TypeError, r"LM\(device='cuda'\): .* this one is on cpu already"),
    ):
        with pytest.raises(error, match=message):
            LM(pretrained=model, **arguments)
    assert repr(LM(pretrained=model)) == f"LM({model!r}, batch_size='auto', max_length=2048)"
    with pytest.raises(TypeError, match=r"LM\(pretrained=LlamaForCausalLM\) needs tokenizer="):
        LM(pretrained=model.hf)
    with pytest.raises(TypeError, match=r"load\(weights=3\): transformers takes no such option"):
        LM(weights=3)
    with pytest.raises(TypeError, match=r"LM\(tokenizer='x'\): a model that is loaded brings its own"):
        LM(tokenizer="x")
    short = LM(pretrained=model, max_length=4)
    with pytest.raises(ValueError, match=r"a continuation has \d+ tokens, and max_length is 4"):
        answers(short, instances("loglikelihood", [("Mira", " is a painter from Lisbon, and a")]))
    assert LM(pretrained=model, batch_size="auto:4", max_batch_size=2).batch_size == 2


def test_a_missing_or_old_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = importlib.import_module("lm_eval.api.registry")
    monkeypatch.setattr(registry, "register_model", lambda _name: lambda model: model)  # a name is taken once

    def loaded() -> None:
        spec = importlib.util.spec_from_file_location("harness_again", adapter.__file__)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look it up
        spec.loader.exec_module(module)

    loaded()
    for installed, message in (
        ("0.4.9.1", r"needs lm-eval 0.4.13 or later; 0.4.9.1 is installed: pip install"),
        (None, "is not installed: pip install 'outlines_cont\\[lm-eval\\]'"),
    ):

        def version(_name: str, installed: str | None = installed) -> str:
            if installed is None:
                raise importlib.metadata.PackageNotFoundError
            return installed

        monkeypatch.setattr(importlib.metadata, "version", version)
        with pytest.raises(ImportError, match=message):
            loaded()


def tasks_in(folder: Path) -> list[str]:
    """Three tasks of our own, each with questions of its own and five shots, written for `include_path`."""
    draw = random.Random(5)
    for name in ("train", "test"):
        lines = []
        for context in few_shot_contexts(draw, 8, shots=0):
            who = context.split()[0]
            job, town = context.split()[3], context.split("from ")[1].split(".")[0]
            text = context.split("Q:")[0] + f"Q: What is {who}'s job?\nA:"
            lines.append(json.dumps({"text": text, "options": [job, "sailor from " + town, "pope"], "job": job}))
        (folder / f"{name}.jsonl").write_text("\n".join(lines))
    files = {name: str(folder / f"{name}.jsonl") for name in ("train", "test")}
    common = f"""
dataset_path: json
dataset_kwargs: {json.dumps({"data_files": files})}
training_split: train
fewshot_split: train
test_split: test
doc_to_text: "{{{{text}}}}"
"""
    (folder / "jobs_choice.yaml").write_text(
        f"task: jobs_choice\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: 0\n{common}"
        "metric_list: [{metric: acc}, {metric: acc_norm}]\nnum_fewshot: 5\n"
    )
    (folder / "jobs_text.yaml").write_text(
        f"task: jobs_text\noutput_type: generate_until\ndoc_to_target: job\n{common}"
        'generation_kwargs: {until: ["\\n"], max_gen_toks: 8}\nmetric_list: [{metric: bypass}]\nnum_fewshot: 5\n'
    )
    (folder / "jobs_rolling.yaml").write_text(
        f'task: jobs_rolling\noutput_type: loglikelihood_rolling\ndoc_to_target: "{{{{text}}}}"\n{common}'.replace(
            'doc_to_text: "{{text}}"', 'doc_to_text: ""'
        )
        + "metric_list: [{metric: word_perplexity}, {metric: bits_per_byte}]\nnum_fewshot: 0\n"
    )
    return ["jobs_choice", "jobs_text", "jobs_rolling"]


def test_an_evaluation_gives_the_results_of_the_hf_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    names = tasks_in(tmp_path)
    assert get_model("outlines_cont") is LM
    results = []
    for side in (LM(pretrained=shipped_model()), reference()):
        manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
        evaluation = lm_eval.simple_evaluate(
            model=side, tasks=names, task_manager=manager, bootstrap_iters=0, log_samples=True, verbosity="ERROR"
        )
        assert evaluation is not None
        results.append(evaluation)
    ours, theirs = results
    for name in names:
        for metric, value in theirs["results"][name].items():
            assert ours["results"][name][metric] == (
                pytest.approx(value, rel=1e-5) if isinstance(value, float) else value
            )
    texts = [[sample["filtered_resps"] for sample in each["samples"]["jobs_text"]] for each in results]
    assert texts[0] == texts[1] and any("".join(text) for text in texts[0])


def test_the_command_line_knows_the_model(tmp_path: Path) -> None:
    names = tasks_in(tmp_path)
    command = [sys.executable, "-m", "outlines_cont.integrations.lm_eval", "--model", "outlines_cont"]
    command += ["--model_args", f"pretrained={tiny.PATH},dtype=float32", "--include_path", str(tmp_path)]
    command += ["--tasks", ",".join(names), "--batch_size", "auto", "--limit", "4", "--log_samples"]
    command += ["--output_path", str(tmp_path / "results.json")]
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache"), "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert all(name in done.stdout for name in names)
    [written] = tmp_path.glob("results_*.json")
    assert set(json.loads(written.read_text())["results"]) == set(names)
