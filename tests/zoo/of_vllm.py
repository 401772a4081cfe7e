"""vLLM 0.32: docs/coming_from/vllm.md. Ours is computed by vLLM, too: `oc.load(engine="vllm")`.

(Its JSON may have any whitespace by default, which this model writes until it is cut.)
"""

from __future__ import annotations

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")

import json
from functools import cache
from typing import Any

import vllm
from common import (
    ADDRESS,
    AGE,
    GBNF_SUM,
    HOME,
    IS_SUM,
    JOB,
    JOBS,
    MESSAGES,
    Program,
    each,
    hf,
    is_address,
    is_job,
    likeliest_by_ours,
    matches,
    without,
)
from vllm.sampling_params import BeamSearchParams, SamplingParams, StructuredOutputsParams

import outlines_cont as oc
from outlines_cont import tiny

SHAPE: dict[str, Any] = {"dtype": "float32", "enforce_eager": True, "max_model_len": 512, "max_num_seqs": 16}


@cache
def llm() -> Any:
    return vllm.LLM(str(tiny.PATH), **SHAPE)


@cache
def model() -> oc.Model:
    return oc.load(engine="vllm", **SHAPE)


def outputs(prompt: Any, **options: Any) -> list[Any]:
    parameters = SamplingParams(**{"temperature": 0, "max_tokens": 40, **options})
    return llm().generate(prompt, parameters, use_tqdm=False)


def text(prompt: str, **options: Any) -> str:
    return outputs(prompt, **options)[0].outputs[0].text


def structured(prompt: str, **kind: Any) -> str:
    return text(prompt, structured_outputs=StructuredOutputsParams(**kind))


def likeliest() -> list[float]:
    [output] = outputs(JOB, max_tokens=1, logprobs=3)
    return sorted((each.logprob for each in output.outputs[0].logprobs[0].values()), reverse=True)


def of_prompt() -> float:
    [output] = outputs(AGE + " 34", max_tokens=1, prompt_logprobs=0)
    return sum(next(iter(law.values())).logprob for law in output.prompt_logprobs if law)


def beams() -> list[str]:
    [output] = llm().beam_search([{"prompt": AGE}], BeamSearchParams(beam_width=3, max_tokens=4))
    return [sequence.text.split(AGE)[-1] for sequence in output.sequences]


def chat() -> str:
    parameters = SamplingParams(temperature=0, max_tokens=8)
    return llm().chat(MESSAGES, parameters, use_tqdm=False)[0].outputs[0].text


def greedy(output_type: Any, prompt: Any, **options: Any) -> Any:
    return oc.Generator(model(), output_type, oc.samplers.greedy())(prompt, **options)


def line(prompt: Any, **options: Any) -> str:
    return oc.generate.text(model(), oc.samplers.greedy())(prompt, errors="return", **options)


def beams_of_ours() -> list[str]:
    step = oc.continuous(oc.generate.text(model(), oc.samplers.beam_search(3, distinct="tokens")))
    return [text[len(AGE) :] for text in step(AGE, max_tokens=4)]


def drawn() -> list[str]:
    sampler = oc.samplers.multinomial(samples=4, temperature=0.8, top_k=20, top_p=0.95)
    return oc.generate.text(model(), sampler)(JOB, seed=3, max_tokens=6, errors="return")


def programs() -> list[Program]:
    llm(), model()  # both start before llvmlite is loaded
    net, tokenizer = hf()
    top = net(**tokenizer(JOB, return_tensors="pt")).logits[0, -1].log_softmax(-1).topk(3).values.tolist()
    ids = tokenizer(AGE + " 34", return_tensors="pt").input_ids
    rows = net(ids).logits[0, :-1].log_softmax(-1)
    total = rows.gather(1, ids[0, 1:, None]).sum().item()
    draws = {"n": 4, "temperature": 0.8, "top_k": 20, "top_p": 0.95, "seed": 3, "max_tokens": 6}
    return [
        Program("a choice", lambda: structured(JOB, choice=JOBS), lambda: greedy(JOBS, JOB), is_job),
        Program(
            "a pattern",
            lambda: structured(AGE, regex=" [0-9]{2}"),
            lambda: greedy(oc.types.regex(" [0-9]{2}"), AGE),
            matches(" [0-9]{2}"),
        ),
        Program(
            "a JSON Schema", lambda: structured(JOB, json=json.dumps(ADDRESS)), lambda: greedy(ADDRESS, JOB), is_address
        ),
        Program(
            "a grammar",
            lambda: structured(JOB, grammar=GBNF_SUM),
            lambda: greedy(oc.types.cfg(GBNF_SUM, syntax="gbnf"), JOB),
            matches(IS_SUM),
        ),
        Program("four samples", lambda: [o.text for o in outputs(JOB, **draws)[0].outputs], drawn, each(bool, 4)),
        Program(
            "a batch with a stop string",
            lambda: [output.outputs[0].text for output in outputs([AGE, JOB, HOME], stop=["\n"])],
            lambda: [value for [value] in line([AGE, JOB, HOME], stop_at="\n", max_tokens=40)],
            each(lambda value: "\n" not in value, 3),
        ),
        Program(
            "probabilities of the likeliest tokens",
            likeliest,
            lambda: likeliest_by_ours(model(), JOB),
            lambda values: len(values) == 3 and all(abs(a - b) < 1e-3 for a, b in zip(values, top, strict=True)),
        ),
        Program(
            "the probability of a prompt",
            of_prompt,
            lambda: oc.score(model().state(""), AGE + " 34").item(),
            lambda value: abs(value - total) < 1e-2,
        ),
        Program("beams", beams, beams_of_ours, lambda texts: texts[0].startswith(" 34") and len({*texts}) == 3),
        Program("a conversation", chat, lambda: line(model().chat(MESSAGES), max_tokens=8), matches("34")),
        Program(
            "a banned word",
            lambda: text(JOB, bad_words=["painter"], max_tokens=12),
            lambda: without("painter", model(), JOB),
            lambda value: "painter" not in value,
        ),
    ]
