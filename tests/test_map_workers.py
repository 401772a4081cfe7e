"""`oc.map` in other processes: of this machine, of a local Ray, and in one that is killed; and the command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import mapped_jobs
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mapped_jobs import chain, prompts
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.__main__ import main
from outlines_cont.fsm import guide
from outlines_cont.generate.mapping import command
from outlines_cont.generate.mapping.command import filled
from outlines_cont.generate.mapping.recipes import ModelSource

TESTS = Path(__file__).parent
ROOT = TESTS.parent


def expected(count: int) -> list[oc.SequenceState]:
    """The rows of one call."""
    state = chain(shipped_model())(prompts(count), seed=0)
    return [state[b, :, :] for b in range(count)]


def killed_on_the_way(results: Any) -> list[oc.SequenceState]:
    """All results, though a worker is killed after the first."""
    with results:
        first = next(results)
        os.kill(results._run.pool.pids[0], signal.SIGKILL)
        return [first, *results]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_worker_that_is_killed_costs_its_shard() -> None:
    hooked = {"hooks": [mapped_jobs.watch]}
    results = oc.map(chain(shipped_model()), prompts(12), seed=0, shard=2, workers=1, **hooked)
    assert killed_on_the_way(results) == expected(12)
    assert results._run.pool.pids == []


def test_ray_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A local Ray with little memory and one CPU, on which a worker is killed."""
    ray = pytest.importorskip("ray", reason="the extra [ray] is not installed")
    from outlines_cont.integrations.ray import actors

    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{TESTS}")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    try:
        results = oc.map(chain(shipped_model()), prompts(12), seed=0, shard=2, workers=actors(2))
        assert killed_on_the_way(results) == expected(12)  # the cluster never has room for both at once
        assert ray.is_initialized()
        results = oc.map(chain(shipped_model()), prompts(12), seed=0, workers="ray")
        assert results._run.pool.size == 1
        with pytest.raises(oc.WorkerError, match=r"worker 0 failed:(.|\n)*no such disk"):
            list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers="ray", load=mapped_jobs.load_nothing))
        with pytest.raises(ValueError, match=r"the cluster has .*, and an actor needs"):
            list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers=actors(num_gpus=1)))
    finally:
        ray.shutdown()


@pytest.mark.parametrize(
    ("arguments", "message"), [({"count": 0}, "count=0"), ({"num_gpus": -1}, "num_gpus=-1"), ({"num_cpus": "x"}, "num")]
)
def test_actors_that_cannot_be_are_refused(arguments: dict[str, Any], message: str) -> None:
    from outlines_cont.integrations.ray import actors

    with pytest.raises(ValueError, match=message):
        actors(**arguments)


def test_what_cannot_travel_is_refused_by_name() -> None:
    model = shipped_model()
    mine = oc.Model(model.hf, model.tokenizer)
    own = guide.regex("[ab]", model.vocabulary)
    for work, options, message in [
        (chain(mine), {}, "was made of objects that you hold; give load="),
        (oc.Generator(model, own), {}, "goes by a guide of yours"),
        (chain(model), {"hooks": [lambda draw: None]}, "lambda.* cannot be sent to another process"),
        (chain(model), {"load": 3}, "load=3"),
        (chain(model), {"load": lambda: model}, "lambda.* cannot be sent"),
    ]:
        with pytest.raises(TypeError, match=message):
            oc.map(work, prompts(2), seed=0, workers=2, **options)


def test_workers_load_what_the_model_was_loaded_with() -> None:
    model = oc.load(dtype="bfloat16", kv_budget=1 << 20)
    source = ModelSource.of(model, None, "2", 2)
    assert source.arguments == (None, {"kv_budget": 1 << 20, "dtype": "bfloat16"})
    assert source.model(0).identity == model.identity
    shared = ModelSource.of(shipped_model(), None, "2", 2).arguments
    assert shared == (None, {"kv_budget": shipped_model().kv_budget // 2})
    other = oc.load()
    source = ModelSource.of(other, mapped_jobs.load, "2")
    assert source.model(1).identity == other.identity
    with torch.no_grad():
        other.hf.lm_head.weight[0] += 1
    with pytest.raises(ValueError, match=r"the model that the worker loaded, .*, is another one"):
        ModelSource.of(other, None, "2").model(0)


def test_a_worker_that_fails_says_why() -> None:
    with pytest.raises(oc.WorkerError, match=r"worker 0 failed:(.|\n)*no such disk"):
        list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers=1, load=mapped_jobs.load_nothing))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_job_that_is_killed_twice_goes_on(tmp_path: Path) -> None:
    """With −9, while it waits for prompts: after one shard, and after two."""
    for count, shards in [(5, 1), (9, 2)]:
        program = [sys.executable, str(TESTS / "mapped_jobs.py"), str(tmp_path), str(count)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=environment)
        assert running.stdout is not None and running.stdout.readline() == "asleep\n"
        running.kill()
        assert running.wait(120) == -signal.SIGKILL
        assert len(list(tmp_path.glob("*.shard"))) == shards and not (tmp_path / "values.jsonl").exists()
    values = {}
    for folder, skipped in [(tmp_path, 8), (tmp_path / "undisturbed", 0)]:
        model = oc.Model(shipped_model().hf, shipped_model().tokenizer)
        results = oc.map(chain(model), prompts(12), seed=0, shard=4, out=folder)
        assert [each.tolist() for each in results] == [each.tolist() for each in expected(12)]
        assert results.skipped == skipped  # the names are those of another process
        values[folder] = (folder / "values.jsonl").read_bytes()
    assert values[tmp_path] == values[tmp_path / "undisturbed"]


# --- the command


def written(tmp_path: Path, count: int) -> Path:
    path = tmp_path / "prompts.jsonl"
    rows = [{"id": f"row {i}", "prompt": prompt, "n": i} for i, prompt in enumerate(prompts(count))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_command_gives_what_the_function_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = written(tmp_path, 5), tmp_path / "out"
    schema = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}
    (tmp_path / "person.json").write_text(json.dumps(schema))
    common = ["map", "--in", str(path), "--out", str(folder), "--seed", "4", "--shard", "2", "--quiet"]
    assert main([*common, "--schema", str(tmp_path / "person.json"), "--key", "id", "--max-tokens", "30"]) == 0
    model = shipped_model()
    results = oc.map(oc.generate.json(model, schema), path, key="id", seed=4, max_tokens=30, out=tmp_path / "other")
    assert len([*results]) == 5
    assert (folder / "values.jsonl").read_bytes() == (tmp_path / "other" / "values.jsonl").read_bytes()
    assert "5 prompts: 5 values, 0 errors; the values are in" in capsys.readouterr().err
    assert main([*common, "--schema", str(tmp_path / "person.json"), "--key", "id", "--max-tokens", "30"]) == 0
    assert "5 prompts, 5 of them from an earlier run" in capsys.readouterr().err
    assert main(["map", "--in", str(path), "--choice", "a", "b", "--greedy", "--template", "{n}\\nQ:", "--chat"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    greedy = oc.generate.choice(model, ["a", "b"], oc.samplers.greedy())
    chats = [[{"role": "user", "content": f"{i}\nQ:"}] for i in range(5)]
    assert lines == [{"key": i, "value": value} for i, [value] in enumerate(greedy(model.chat(chats)))]
    assert main(["map", "--in", str(path), "--regex", "[0-9]{2}", "--beams", "2", "--quiet"]) == 0
    assert {len(json.loads(line)["value"]) for line in capsys.readouterr().out.splitlines()} == {2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--regex", "a"], "the following arguments are required: --in"),
        (["--in", "none.jsonl", "--regex", "a"], "there is no such file"),
        (["--in", "prompts.jsonl"], "one of the arguments --schema --regex --choice"),
        (["--in", "prompts.jsonl", "--regex", "[0-"], "is not a regular expression"),
        (["--in", "prompts.jsonl", "--regex", "a", "--prompt", "text"], "row 0 has no field 'text'"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{text}"], "row 0 has no field 'text'"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{text"], "a single { at character 0"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{n.text}"], "row 0 has no field 'n.text'"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{n.__class__}"], "takes names of fields only"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{prompt[0]}"], "takes names of fields only"),
        (["--in", "prompts.jsonl", "--regex", "a", "--template", "{n!r:>9}"], "takes names of fields only"),
        (
            ["--in", "prompts.jsonl", "--regex", "a", "--model", "no/such", "--prompt", "promt"],
            "did you mean 'prompt'?",
        ),
        (["--in", "prompts.jsonl", "--regex", "a", "--batch", "many"], "batch='many'"),
        (["--in", "prompts.jsonl", "--regex", "a", "--greedy", "--top-p", "0.5"], "draw nothing"),
        (["--in", "prompts.jsonl", "--schema", "none.json"], "none.json"),
        (["--in", "prompts.jsonl", "--schema", "half.json"], "--schema half.json: it is no JSON"),
        (["--in", "prompts.jsonl", "--regex", "a", "--workers", "some"], "workers='some'"),
    ],
)
def test_the_command_tells_mistakes_in_a_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    written(tmp_path, 2)
    (tmp_path / "half.json").write_text('{"type"')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["map", *arguments, "--quiet"])
    assert re.search(re.escape(message), capsys.readouterr().err)


@given(st.lists(st.sampled_from(["{", "}", "{{", "}}", "{a}", "{b c}", "{a.b}", "{é}", " x", "\\n"]), max_size=6))
def test_a_template_is_filled_as_if_fields_were_pasted(parts: list[str]) -> None:
    """Of pieces that may run into each other: what is no field, and no pair of braces, is refused."""
    row = {"a": 3, "b c": "{a}", "é": ["x"]}
    template, written, rest = "".join(parts), "", "".join(parts).replace("\\n", "\n")
    while rest:
        name = next((name for name in row if rest.startswith("{" + name + "}")), None)
        if rest[:2] in ("{{", "}}"):
            written, rest = written + rest[0], rest[2:]
        elif name is not None:
            written, rest = written + str(row[name]), rest[len(name) + 2 :]
        elif rest[0] in "{}":
            with pytest.raises(ValueError, match="--template"):
                filled(template, row, 0)
            return
        else:
            written, rest = written + rest[0], rest[1:]
    assert filled(template, row, 0) == written


def test_the_command_tells_of_workers_that_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["map", "--in", str(written(tmp_path, 2)), "--regex", "a", "--quiet"]
    for error, code, message in [
        (oc.WorkerError("shard 3 was begun 3 times"), 1, "map: shard 3 was begun"),
        (KeyboardInterrupt(), 130, "the same command goes on"),
        (KeyboardInterrupt("after 3 results"), 130, "after 3 results"),
    ]:
        monkeypatch.setattr(command, "mapped", lambda options, error=error: (_ for _ in ()).throw(error))
        assert main(arguments) == code and message in capsys.readouterr().err


def test_its_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["map", "--help"])
    shown = capsys.readouterr().out
    assert "--workers" in shown and "values.jsonl" in shown and "python -m outlines_cont map --in" in shown
