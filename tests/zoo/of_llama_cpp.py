"""llama.cpp's server, by the requests of its page, in the binding xllamacpp: docs/coming_from/llama_cpp.md.

The model is the shipped one, as a GGUF file. Its server keeps keys and values in half precision, and bans one way to
spell a word only.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import xllamacpp
from common import (
    ADDRESS,
    AGE,
    GBNF_SUM,
    IS_SUM,
    JOB,
    MESSAGES,
    Program,
    each,
    hf,
    is_address,
    likeliest_by_ours,
    matches,
    without,
)
from gguf_files import shipped

import outlines_cont as oc

ITALY = "The capital of Italy"
TRIGGER, CAPITAL = " is", '" is" " " [A-Z] [a-z]+ "."'


@cache
def file() -> str:
    return str(shipped(Path(tempfile.mkdtemp())))


@cache
def server() -> Any:
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel = file(), 4096, 4
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = params.fit_params = False
    params.verbosity = 0
    return xllamacpp.Server(params)


@cache
def model() -> oc.Model:
    return oc.load(file(), n_threads=1)


def asked(prompt: str, **options: Any) -> Any:
    answer = server().handle_completions({"prompt": prompt, "n_predict": 40, "temperature": 0, **options})
    if "error" in answer:
        raise ValueError(answer["error"]["message"])
    return answer


def text(prompt: str, **options: Any) -> str:
    return asked(prompt, **options)["choices"][0]["text"]


def chat() -> str:
    schema = {"type": "json_schema", "json_schema": {"schema": {"type": "integer"}}}
    request = {"messages": MESSAGES, "max_tokens": 8, "temperature": 0, "response_format": schema}
    return server().handle_chat_completions(request)["choices"][0]["message"]["content"]


def streamed() -> list[str]:
    parts: list[Any] = []
    request = {"prompt": AGE, "n_predict": 8, "temperature": 0, "stream": True}
    server().handle_completions(request, parts.append)
    return [part["choices"][0]["text"] for part in parts if isinstance(part, dict)]


def likeliest() -> list[float]:
    [token] = asked(JOB, n_predict=1, n_probs=3)["choices"][0]["logprobs"]["content"]
    return [each["logprob"] for each in token["top_logprobs"]]


def drawn_twice() -> list[str]:
    return [text(JOB, temperature=1.0, top_k=20, top_p=0.9, min_p=0.05, seed=5, n_predict=8) for _ in range(2)]


def read_again() -> int:
    """How many tokens of a prompt are read, when the server has just had one that begins alike."""
    asked(AGE, id_slot=0, n_predict=1)
    return asked(AGE + " 34\nQ: Where?\nA:", id_slot=0, cache_prompt=True, n_predict=1)["timings"]["prompt_n"]


def refused(program: Any) -> str:
    try:
        return f"no error: {program()!r}"
    except Exception as error:
        return f"refused: {error}"


def greedy(output_type: Any, prompt: Any, **options: Any) -> Any:
    return oc.Generator(model(), output_type, oc.samplers.greedy())(prompt, **options)


def gbnf(grammar: str) -> Any:
    return oc.generate.cfg(model(), grammar, oc.samplers.greedy(), syntax="gbnf")


def line(prompt: str, **options: Any) -> str:
    return oc.generate.text(model(), oc.samplers.greedy())(prompt, max_tokens=40, errors="return", **options)


def samples_of_ours() -> list[str]:
    step = oc.generate.text(model(), oc.samplers.multinomial(samples=3))
    return step(JOB, max_tokens=4, seed=0, errors="return")


def stream_of_ours() -> list[str]:
    step = oc.continuous(oc.generate.text(model(), oc.samplers.greedy()))
    return [partial.delta for partial in step.stream(AGE, max_tokens=8)]


def drawn_twice_by_ours() -> list[str]:
    sampler = oc.samplers.multinomial(temperature=1.0, top_k=20, top_p=0.9, min_p=0.05)
    step = oc.generate.text(model(), sampler)
    return [step(JOB, seed=5, max_tokens=8, errors="return") for _ in range(2)]


def read_again_by_ours() -> int:
    step = oc.continuous(oc.generate.text(model(), oc.samplers.greedy()))
    state = step(AGE, max_tokens=1)
    model().stats.reset()
    step(AGE + " 34\nQ: Where?\nA:", max_tokens=1)
    assert state.kv.lengths.sum() > 0
    return model().stats.tokens


def triggered_by_ours() -> str:
    capital = oc.types.triggered({TRIGGER: (oc.types.regex(" [A-Z][a-z]+"), ".")}, at_most=1)
    parts = greedy(capital, ITALY, max_tokens=60)
    return "".join(part if isinstance(part, str) else f"{part[0]}{part[1]}." for part in parts)


def programs() -> list[Program]:
    net, tokenizer = hf()
    top = net(**tokenizer(JOB, return_tensors="pt")).logits[0, -1].log_softmax(-1).topk(3).values.tolist()
    wrong = 'root ::= "<" [a-z'
    drawn = {"n": 3, "temperature": 1.0, "seed": 1, "n_predict": 4}
    return [
        Program("a stop string", lambda: text(JOB, stop=["\n"]), lambda: line(JOB, stop_at="\n"), matches(" painter")),
        Program("a grammar", lambda: text(JOB, grammar=GBNF_SUM), lambda: gbnf(GBNF_SUM)(JOB), matches(IS_SUM)),
        Program("a JSON Schema", lambda: text(JOB, json_schema=ADDRESS), lambda: greedy(ADDRESS, JOB), is_address),
        Program("a conversation, an integer", chat, lambda: greedy(int, model().chat(MESSAGES)), matches("34")),
        Program(
            "probabilities of the likeliest tokens",
            likeliest,
            lambda: likeliest_by_ours(model(), JOB),
            lambda values: len(values) == 3 and all(abs(a - b) < 5e-3 for a, b in zip(values, top, strict=True)),
        ),
        Program(
            "three samples",
            lambda: [choice["text"] for choice in asked(JOB, **drawn)["choices"]],
            samples_of_ours,
            each(lambda value: len(value) > 0, 3),
        ),
        Program("drawn twice with a seed", drawn_twice, drawn_twice_by_ours, lambda texts: len({*texts}) == 1),
        Program("a stream", streamed, stream_of_ours, lambda parts: len(parts) > 2 and "34" in "".join(parts)),
        Program("a prompt that begins as the last one", read_again, read_again_by_ours, lambda read: 0 < read < 20),
        Program(
            "a grammar after a trigger",
            lambda: text(
                ITALY,
                grammar=f"root ::= {CAPITAL}",
                grammar_lazy=True,
                grammar_triggers=[{"type": 1, "value": TRIGGER}],
                preserved_tokens=[TRIGGER],
            ),
            triggered_by_ours,
            matches(r"(?s)(?!.* is.* is).* is [A-Z][a-z]+\..*"),
        ),
        Program(
            "a banned word",
            lambda: text(JOB, logit_bias=[[" painter", False]], n_predict=12),
            lambda: without("painter", model(), JOB),
            lambda value: "painter" not in value,
        ),
        Program(
            "a grammar with a mistake",
            lambda: refused(lambda: text(JOB, grammar=wrong)),
            lambda: refused(lambda: gbnf(wrong)),
            lambda value: value.startswith("refused"),
        ),
    ]
