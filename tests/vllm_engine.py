"""The engine vLLM, against transformers: `python tests/vllm_engine.py`, in an environment that has vLLM.

vLLM wants an environment of its own (`.ci/nightly` makes one), so this is a script. It runs all parts, each in its own
process, and tells how each ended; it exits with 1 if one failed. With names of parts, only those run.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from time import perf_counter
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")

from engines import GREEDY, chain_of, check_engine

import outlines_cont as oc
from outlines_cont import tiny
from outlines_cont.integrations.vllm import ConstrainedRequest

STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
PROMPTS = [STORY + "Q: In which year?\nA: ", "The sky is", "Mira is a painter", "I live in "]
SCHEMA = {
    "type": "object",
    "properties": {"age": {"type": "integer"}, "name": {"type": "string", "maxLength": 8}},
    "required": ["age", "name"],
}
DRAWN = oc.samplers.multinomial(samples=3, temperature=1.2, top_p=0.95)
FILTERED = oc.samplers.multinomial(samples=2, filters=[oc.filters.repetition_penalty(1.3)])

#: Generators of every kind, of a model; the last ones are read.
GENERATORS: dict[str, Callable[[Any], Any]] = {
    "text": lambda m: oc.generate.text(m, DRAWN),
    "filters": lambda m: oc.generate.text(m, FILTERED),
    "regex": lambda m: oc.generate.regex(m, "[A-Z][a-z]+ (and|or) [0-9]{2,4}", GREEDY),
    "json": lambda m: oc.generate.json(m, SCHEMA, oc.samplers.multinomial(samples=2)),
    "choice": lambda m: oc.generate.choice(m, ["Rome", "Paris, the city of light", "Lima"], DRAWN, by="token"),
    "options": lambda m: oc.generate.choice(m, ["Rome", "Paris, the city of light", "Lima"], DRAWN, by="sequence"),
    "beams": lambda m: oc.generate.regex(m, "[a-z]+ [a-z]+", oc.samplers.beam_search(3)),
    "particles": lambda m: oc.generate.regex(m, "[a-z]+ [a-z]+", oc.samplers.smc(4)),
}


def vllm_model(**options: Any) -> oc.Model:
    return oc.load(engine="vllm", **{"enforce_eager": True, "max_model_len": 512, "max_num_seqs": 32, **options})


def same(name: str, state: oc.SequenceState, expected: oc.SequenceState) -> None:
    """Equal tokens, ends and captures, and log-probabilities up to rounding."""
    assert state.token_ids.tolist() == expected.token_ids.tolist(), f"{name}: {state.text()} is not {expected.text()}"
    assert state.finished == expected.finished and state.captures == expected.captures, name
    for values in ("logprobs", "proposal_logprobs", "weights"):
        ours, theirs = getattr(state, values), getattr(expected, values)
        assert ours.isnan().equal(theirs.isnan()), f"{name}: {values}"
        error = (ours - theirs).nan_to_num().abs().max().item() if ours.numel() else 0.0
        assert error < 1e-3, f"{name}: {values} are off by {error}"


def compare(model: oc.Model, reference: oc.Model, seeds: range, **options: Any) -> None:
    """Every generator, alone and in a chain, with stop strings, forced runs and texts between the links."""
    for name, generator in GENERATORS.items():
        for seed in seeds:
            states = [
                oc.continuous(generator(m))(PROMPTS, seed=seed, max_tokens=24, **options) for m in (model, reference)
            ]
            same(f"{name}, seed {seed}", *states)
    for sampler in (GREEDY, oc.samplers.multinomial(samples=2)):
        for seed in seeds:
            states = [chain_of(m, sampler)(PROMPTS, seed=seed, **options) for m in (model, reference)]
            same(f"chain, {sampler}, seed {seed}", *states)
            states = [stopped_chain(m, sampler)(PROMPTS, seed=seed, **options) for m in (model, reference)]
            same(f"stopped chain, {sampler}, seed {seed}", *states)


def stopped_chain(model: Any, sampler: Any) -> Any:
    """Texts that end at stop strings, which are cut out of the row, and spans with nothing between them."""
    sentence = oc.continuous(
        oc.generate.text(model, sampler), name="sentence", stop_at=["is", ".", "\n"], max_tokens=12
    )
    year = oc.continuous(oc.generate.regex(model, "[0-9]{1,3}", sampler), name="year", max_tokens=8)
    word = oc.continuous(oc.generate.regex(model, "( [a-z]+)?", sampler), name="word", max_tokens=8)
    return sentence >> " It is " >> year >> word >> year


# --- parts


def conformance() -> None:
    check_engine(vllm_model(), oc.load())


def programs() -> None:
    model, reference = vllm_model(), oc.load()
    compare(model, reference, range(3))
    assert model.stats.passes < 5000, model.stats


def preempted() -> None:
    """Few blocks for keys and values, and few tokens a pass: requests give way, and prompts come in parts."""
    model, reference = (
        vllm_model(max_num_batched_tokens=32, num_gpu_blocks_override=8, block_size=32, max_model_len=192),
        oc.load(),
    )
    events = preemptions(model)
    prompts = [STORY + f"Q: {n}?\nA: " for n in range(8)]
    for seed in range(2):
        states = [
            oc.continuous(oc.generate.text(m, oc.samplers.multinomial(samples=2)))(prompts, seed=seed, max_tokens=40)
            for m in (model, reference)
        ]
        same(f"seed {seed}", *states)
    compare(model, reference, range(1))
    needs = [oc.stepping.Need(tuple(model.encoder.start(prompt)[0]), (3, 4, 20)) for prompt in prompts]
    error = (model.read(needs)[0] - reference.read(needs)[0]).abs().max().item()
    assert error < 1e-3, error
    assert events["preempted"] > 0 and events["parts"] > 0, events
    print(f"{events['preempted']} requests gave way, {events['parts']} passes read a part of a prompt")


def preemptions(model: oc.Model) -> dict[str, int]:
    """Counts what vLLM's scheduler does from now on."""
    scheduler = model.language_model.llm.llm_engine.engine_core.engine_core.scheduler
    events, preempt, schedule = {"preempted": 0, "parts": 0}, scheduler._preempt_request, scheduler.schedule

    def counted_preempt(*args: Any, **options: Any) -> Any:
        events["preempted"] += 1
        return preempt(*args, **options)

    def counted_schedule(*args: Any, **options: Any) -> Any:
        output = schedule(*args, **options)
        for key in output.num_scheduled_tokens:
            request = scheduler.requests[key]
            events["parts"] += request.num_computed_tokens < request.num_tokens
        return output

    scheduler._preempt_request, scheduler.schedule = counted_preempt, counted_schedule
    return events


def hooks() -> None:
    """Hooks that only look see every draw once; others are followed."""
    model, reference = (
        vllm_model(max_num_batched_tokens=32, num_gpu_blocks_override=8, block_size=32, max_model_len=192),
        oc.load(),
    )
    prompts = [STORY + f"Q: {n}?\nA: " for n in range(6)]
    seen: dict[Any, list[Any]] = {model: [], reference: []}

    def watched(m: oc.Model) -> oc.SequenceState:
        look = oc.steer.Watch(
            lambda draw: seen[m].append((len(draw.row.ids), draw.token, round(draw.logprob, 2), draw.step))
        )
        return oc.continuous(oc.generate.regex(m, "[a-z ]{1,20}\\.", oc.samplers.multinomial()))(
            prompts, seed=1, max_tokens=20, hooks=[look]
        )

    same("watched", watched(model), watched(reference))
    assert sorted(seen[model]) == sorted(seen[reference]) and seen[model]

    def failing(m: oc.Model) -> oc.SequenceState:
        def look(draw: Any) -> None:
            if draw.step == 3:
                raise KeyError("look")

        return oc.continuous(oc.generate.text(m))(
            prompts, seed=1, max_tokens=8, hooks=[oc.steer.Watch(look)], errors="return"
        )

    states = [failing(m) for m in (model, reference)]
    same("a hook that raises", *states)
    assert [[repr(e) for e in row] for row in states[0].errors] == [[repr(e) for e in row] for row in states[1].errors]

    def sent_back(m: oc.Model) -> oc.SequenceState:
        hook = lambda draw: oc.steer.Backtrack(1, ban=draw.row.ids[-1:]) if draw.row.text == " blue" else None  # noqa: E731
        return oc.continuous(oc.generate.text(m, GREEDY))("The sky is", max_tokens=4, hooks=[hook])

    same("sent back", sent_back(model), sent_back(reference))


def calls() -> None:
    """Streams, asyncio, threads, nested calls, Ctrl-C, what is begun and stepped by hand, and states that move."""
    model, reference = vllm_model(), oc.load()
    for sampler in (GREEDY, oc.samplers.multinomial(samples=2)):
        streams = [list(chain_of(m, sampler).stream(PROMPTS, seed=2)) for m in (model, reference)]
        same("stream", *(each[-1] for each in streams))
        deltas = [written(each) for each in streams]
        assert deltas[0] == deltas[1] and len(streams[0]) > 10

        async def both(m: oc.Model, sampler: Any = sampler) -> list[oc.SequenceState]:
            text = oc.continuous(oc.generate.text(m, sampler))
            return await asyncio.gather(*(text.acall(p, seed=3, max_tokens=20) for p in PROMPTS))

        for ours, theirs in zip(asyncio.run(both(model)), asyncio.run(both(reference)), strict=True):
            same("at once", ours, theirs)
    text = oc.continuous(oc.generate.text(model))
    expected = oc.continuous(oc.generate.text(reference))(PROMPTS, seed=5, max_tokens=30)
    outer = text.stream(PROMPTS, seed=5, max_tokens=30)
    for _ in range(4):  # another call runs past the rows of a stream that waits
        next(outer)
    text(PROMPTS[:2], seed=9, max_tokens=200)
    same("a stream that waits", list(outer)[-1], expected)
    stopped: Any = text.stream(PROMPTS, seed=5, max_tokens=30)
    next(stopped)
    stopped.close()
    assert not model.language_model.requests._open
    interrupted(model, reference)
    frontier = oc.generate.text(model, GREEDY).begin("The sky is", max_tokens=5)
    while not frontier.done:
        frontier = frontier.step(model.logits(frontier.pending))
    assert str(frontier.state) == str(oc.continuous(oc.generate.text(reference, GREEDY))("The sky is", max_tokens=5))


def written(stream: list[Any]) -> dict[tuple[int, int], str]:
    """All that a stream gave out of each row."""
    texts: dict[tuple[int, int], str] = {}
    for partial in stream:
        for b, row in enumerate(partial.delta):
            for s, delta in enumerate(row):
                texts[b, s] = texts.get((b, s), "") + delta
    return texts


def interrupted(model: oc.Model, reference: oc.Model) -> None:
    """Ctrl-C gives the rows so far, and they go on on either model."""
    text = oc.continuous(oc.generate.text(model))

    def interrupt() -> None:
        while not model.language_model.requests._open:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    try:
        text(PROMPTS, seed=5, max_tokens=300)
        raise AssertionError("not interrupted")
    except oc.errors.Interrupted as error:
        state = error.state
    expected = oc.continuous(oc.generate.text(reference))(PROMPTS, seed=5, max_tokens=300)
    assert not model.language_model.requests._open
    same("resumed", text.resume(state, max_tokens=300, seed=5), expected)
    moved = oc.continuous(oc.generate.text(reference)).resume(state.to(reference), max_tokens=300, seed=5)
    assert moved.token_ids.tolist() == expected.token_ids.tolist()  # the other model has not scored what came before


def integration() -> None:
    """People who stay in vLLM: its own sampler draws under our constraints, also where it gives way and throws away."""
    vllm = import_module("vllm")
    texts: list[tuple[Any, Callable[[Any], bool]]] = [
        (oc.types.regex("[A-Z][a-z]{2,9} [0-9]{4}"), lambda v: len(v) > 7),
        (["Rome", "Paris", "Lima"], lambda v: v in ("Rome", "Paris", "Lima")),
        (SCHEMA, lambda v: isinstance(v["age"], int) and len(v["name"]) <= 8),
        (int, lambda v: isinstance(v, int)),
    ]
    for small in ({}, {"max_num_batched_tokens": 32, "num_gpu_blocks_override": 8, "block_size": 32}):
        llm = vllm.LLM(
            str(tiny.PATH), dtype="float32", enforce_eager=True, max_model_len=192, max_num_seqs=32,
            logits_processors=["outlines_cont.integrations.vllm:ConstraintProcessor"], **small,
        )  # fmt: skip
        requests = [ConstrainedRequest(output_type) for output_type, _ in texts] * 6
        settings = [
            vllm.SamplingParams(temperature=1.5, max_tokens=80, extra_args=request.extra_args) for request in requests
        ]
        free = vllm.SamplingParams(temperature=0, max_tokens=4)
        outputs = llm.generate([STORY] * len(requests) + ["The sky is"], [*settings, free], use_tqdm=False)
        ended = 0
        for request, output, (_, fits) in zip(requests, outputs, texts * 6, strict=False):
            [completion] = output.outputs
            if completion.finish_reason == "stop":
                ended += 1
                assert fits(request.value(completion.text, completion.finish_reason)), completion.text
        assert ended > 18, ended
        assert outputs[-1].outputs[0].text.startswith(" blue."), "a request without a constraint is left alone"
        try:
            llm.generate("a", vllm.SamplingParams(extra_args={"outlines_cont": "[0-9]"}), use_tqdm=False)
            raise AssertionError("no constraint")
        except import_module("vllm.exceptions").VLLMValidationError as error:
            assert "is no constraint" in str(error), error


def server() -> None:
    """vLLM's server with our processor: requests at once, wrong ones in between, and Ctrl-C. The model is the shipped
    one, or that of `tests/real_model.py`, in the folder OUTLINES_CONT_REAL."""
    year = "[A-Z][a-z]{2,9} [0-9]{4}"
    with tempfile.TemporaryFile("w+") as log, served(log) as (process, post):
        constraints: list[tuple[Any, Callable[[Any], bool]]] = [
            (oc.types.regex(year), lambda v: re.fullmatch(year, v) is not None),
            (SCHEMA, lambda v: type(v["age"]) is int and len(v["name"]) <= 8),
            (["Rome", "Paris", "Lima"], lambda v: v in ("Rome", "Paris", "Lima")),
        ]

        def ask(n: int) -> bool:
            output_type, fits = constraints[n % 3]
            request = ConstrainedRequest(output_type, max_tokens=80, whole=True)
            status, answer = post(max_tokens=80, temperature=1.0, vllm_xargs=request.extra_args)
            assert status == 200, answer
            [choice] = answer["choices"]
            return fits(request.value(choice["text"], choice["finish_reason"]))

        def written(kind: str, argument: Any, **more: Any) -> dict[str, str]:
            return {"outlines_cont": json.dumps({"kind": kind, "argument": argument, "options": {}, **more})}

        wrong = [written("regex", "[0-9"), written("json", '{"type": "nonsense"}'), written("thought", [])]
        wrong += [written("regex", "a(?!a)a"), {"outlines_cont": "[" * 100_000}, {"outlines_cont": "[0-9]{4}"}]
        with ThreadPoolExecutor(16) as pool:
            answers = pool.map(ask, range(24))
            for each in wrong:
                status, answer = post(max_tokens=4, vllm_xargs=each)
                assert status == 400 and answer["error"]["message"], (each, status, answer)
            assert all(answers)
        status, answer = post(max_tokens=4, vllm_xargs=written("regex", "[a-z]{99}", within=9))
        assert status == 200 and answer["choices"][0]["text"] == "", answer
        many = [{"anyOf": [{"multipleOf": 100_003 + 2 * i * j + 2 * i} for i in range(60)]} for j in range(1, 8)]
        for _ in range(4):  # what stands within it is refused, once a text comes there
            deep = written("json", {"type": "array", "items": {"type": "integer", "allOf": many}})
            assert post(max_tokens=4, vllm_xargs=deep)[0] == 200
        assert ask(0) and ask(1), "it lives on"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, 130, -signal.SIGINT), process.returncode
        log.seek(0)
        assert "a constraint that its model cannot write" in log.read()


@contextmanager
def served(log: Any) -> Iterator[tuple[Any, Callable[..., tuple[int, Any]]]]:
    """The process of a server, and what sends it a request for a text after the story: the status and the answer."""
    real = os.environ.get("OUTLINES_CONT_REAL")
    folder = str(tiny.PATH) if real is None else f"{real}/hf"
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    # (the command `vllm serve` of the CPU build does not start: it asks for the version of a package `vllm`)
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", folder, "--port", str(port)]
    command += ["--logits-processors", "outlines_cont.integrations.vllm:ConstraintProcessor", "--dtype", "float32"]
    command += ["--served-model-name", "mine", "--max-model-len", "512", "--enforce-eager"]
    environment = {**os.environ, "VLLM_USE_V2_MODEL_RUNNER": "0"}
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def post(**fields: Any) -> tuple[int, Any]:
        body = json.dumps({"model": "mine", "prompt": STORY, **fields}).encode()
        headers = {"Content-Type": "application/json"}
        try:
            with urlopen(Request(f"http://localhost:{port}/v1/completions", body, headers), timeout=120) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)

    def ready() -> bool:
        assert process.poll() is None, "the server ended"
        with suppress(URLError), urlopen(f"http://localhost:{port}/health", timeout=10):
            return True
        return False

    try:
        while not ready():
            time.sleep(1)
        yield process, post
    except BaseException:
        log.seek(0)
        print(log.read()[-6000:])
        raise
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def failures() -> None:
    """What is wrong is told by name, and the model serves the next call."""
    model, reference = vllm_model(), oc.load()
    for bad, kind, words in [
        ({"tensor_parallel_size": 2}, ValueError, "one"),
        ({"logits_processors": []}, ValueError, "filters"),
        ({"n_ctx": 8}, TypeError, "max_model_len"),
        ({"nonsense": 8}, TypeError, "no such option"),
        ({"kv_budget": 8}, TypeError, "kv_cache_memory_bytes"),
        ({"tokenizer": shifted_tokenizer()}, ValueError, "not that of the model"),
    ]:
        try:
            vllm_model(**bad)
            raise AssertionError(bad)
        except kind as error:
            assert words in str(error), error

    class Broken(oc.samplers.RowByRow):
        def draw(self, live: Any, law: Any, seed: int) -> Any:
            if live[0].position > 8:
                raise OSError("the sampler is broken")
            return law.greedy()

    try:
        oc.generate.text(model, Broken())("The sky is", max_tokens=9)
        raise AssertionError("it draws")
    except OSError as error:
        assert str(error) == "the sampler is broken"
    assert not model.language_model.requests._open
    with suppress(ValueError):
        model.read([oc.stepping.Need(tuple([5] * 600), (599,))])
        raise AssertionError("too long")
    long = "Mira " * 250
    for m in (model, reference):
        assert len(oc.continuous(oc.generate.text(m, GREEDY))(long, max_tokens=3).token_ids[0, 0]) > 250
    same("afterwards", *(oc.continuous(oc.generate.text(m))(PROMPTS, seed=1, max_tokens=8) for m in (model, reference)))
    assert model.identity == model.identity
    oc.generate.text(model, GREEDY)("Mira " * 253, max_tokens=None)  # to the end of the context


def shifted_tokenizer() -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    return Tokenizer(WordLevel({f"t{n}": n for n in range(1536)}, unk_token="t0"))


PARTS: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (conformance, programs, preempted, hooks, calls, integration, server, failures)
}


def main(names: list[str]) -> int:
    failed = []
    for name in names or PARTS:
        begun = perf_counter()
        result = subprocess.run([sys.executable, __file__, f"--part={name}"])
        print(f"{name}: {'ok' if result.returncode == 0 else 'FAILED'}, {perf_counter() - begun:.0f} s", flush=True)
        if result.returncode:
            failed.append(name)
    print(f"vLLM: {len(failed)} parts failed {failed}" if failed else "vLLM: all parts passed")
    return bool(failed)


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].startswith("--part="):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
        PARTS[sys.argv[1].removeprefix("--part=")]()
    else:
        sys.exit(main(sys.argv[1:]))
