"""`oc.map` in other processes: of this machine, of a local Ray, and in one that is killed; on a disk that is full; and
the command."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import mapped_jobs
import pytest
import torch
from cases import nightly
from hypothesis import given, settings
from hypothesis import strategies as st
from mapped_jobs import chain, prompts
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont import files
from outlines_cont.__main__ import main
from outlines_cont.fsm import guide
from outlines_cont.jobs import command
from outlines_cont.jobs.command import filled
from outlines_cont.jobs.processes import WorkerProcess
from outlines_cont.jobs.recipes import ModelSource

TESTS = Path(__file__).parent
ROOT = TESTS.parent


@cache
def expected(count: int) -> list[oc.SequenceState]:
    """The rows of one call."""
    state = chain(shipped_model())(prompts(count), seed=0).kv.drop()
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
    from outlines_cont.jobs.ray import actors

    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{TESTS}")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    try:
        results = oc.map(chain(shipped_model()), prompts(12), seed=0, shard=2, workers=actors(2))
        assert killed_on_the_way(results) == expected(12)  # the cluster never has room for both at once
        assert ray.is_initialized()
        results = oc.map(chain(shipped_model()), prompts(12), seed=0, workers="ray")
        assert results._run.pool.size == 1
        with pytest.raises(oc.errors.WorkerError, match=r"worker 0 failed:(.|\n)*no such disk"):
            list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers="ray", load=mapped_jobs.load_nothing))
        with pytest.raises(ValueError, match=r"the cluster has .*, and an actor needs"):
            list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers=actors(num_gpus=1)))
    finally:
        ray.shutdown()


@pytest.mark.parametrize(
    ("arguments", "message"), [({"count": 0}, "count=0"), ({"num_gpus": -1}, "num_gpus=-1"), ({"num_cpus": "x"}, "num")]
)
def test_actors_that_cannot_be_are_refused(arguments: dict[str, Any], message: str) -> None:
    from outlines_cont.jobs.ray import actors

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
    with pytest.raises(oc.errors.WorkerError, match=r"worker 0 failed:(.|\n)*no such disk"):
        list(oc.map(chain(shipped_model()), prompts(2), seed=0, workers=1, load=mapped_jobs.load_nothing))


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("deaths", [[(9, 2)], nightly([(5, 1), (9, 2)])], ids=len)
def test_a_job_that_is_killed_goes_on(deaths: list[tuple[int, int]], tmp_path: Path) -> None:
    """With −9, while it waits for prompts; every night twice: after one shard, and after two."""
    for count, shards in deaths:
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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc which processes there are")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """With −9, while they work; a later run goes on, and nothing half written stays."""
    program = [sys.executable, str(TESTS / "mapped_jobs.py"), str(tmp_path), "0", "2"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{TESTS}", "OMP_NUM_THREADS": "1"}
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    workers = [*map(int, running.stdout.readline().split())]
    assert len(workers) == 2 and running.stdout.readline() == "asleep\n"
    running.kill()
    running.wait(120)
    patience = time.monotonic() + 60
    while any(map(is_there, workers)) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not any(map(is_there, workers))
    assert list(tmp_path.glob("*.shard"))
    assert list(oc.map(chain(shipped_model()), prompts(12), seed=0, shard=4, out=tmp_path)) == expected(12)
    assert all(path.name == "values.jsonl" or path.suffix == ".shard" for path in tmp_path.iterdir())


def is_there(pid: int) -> bool:
    """Whether a process runs. One that has ended and that nobody has asked for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_half_a_message_is_no_message(length: int) -> None:
    """A worker was killed while it sent its results."""
    for cut in (length, 3):
        here, there = multiprocessing.Pipe()
        worker = object.__new__(WorkerProcess)
        worker.connection = here
        message = multiprocessing.reduction.ForkingPickler.dumps(("done", bytes(length)))
        whole = struct.pack("!i", len(message)) + message.tobytes()
        sending = threading.Thread(target=os.write, args=(there.fileno(), whole[: cut % len(whole)]))
        sending.start()
        threading.Thread(target=lambda s=sending, t=there: (s.join(), t.close())).start()
        assert here.poll(30) and worker.received() is None


# --- a disk that is full, and a death while a file is written


class FullDisk:
    """A disk on which some operations fail, and all that follow the last of these succeed.

    Attributes:
        fails: of each operation in turn, whether it fails.
    """

    def __init__(self, fails: list[bool], how: Callable[[], None]) -> None:
        self.fails, self.how = fails, how

    def turn(self) -> None:
        if self.fails and self.fails.pop(0):
            self.how()

    @contextmanager
    def everywhere(self) -> Iterator[None]:
        class Failing(files._DiskFile):
            def __init__(made, path: Path, target: Path) -> None:
                self.turn()
                super().__init__(path, target)

            def write(made, data: Any) -> int:
                half = super().write(bytes(data)[: len(data) // 2 + 1])
                with files._naming(made._target):
                    self.turn()
                return half

        def failing(do: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *arguments: (self.turn(), do(*arguments), self.turn())[1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "_DiskFile", Failing)
            patch.setattr(files.os, "fsync", failing(os.fsync))
            patch.setattr(files.os, "replace", lambda *paths, do=os.replace: (self.turn(), do(*paths))[1])
            yield


def no_space() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@given(st.lists(st.booleans(), max_size=40), st.sampled_from([1, 5, 12]))
@settings(max_examples=12)
def test_a_job_on_a_full_disk_goes_on_when_there_is_room(
    tmp_path_factory: pytest.TempPathFactory, fails: list[bool], shard: int
) -> None:
    """However often it fails, wherever: a run ends with an error that says how to go on, or gives the right rows."""
    folder, disk, runs = tmp_path_factory.mktemp("disk"), FullDisk([*fails], no_space), 0
    with disk.everywhere():
        while True:
            kept = len(list(folder.glob("*.shard")))
            results = oc.map(chain(shipped_model()), prompts(12), seed=0, shard=shard, out=folder)
            try:
                assert [*results] == expected(12) and results.skipped == min(kept * shard, 12)
                break
            except OSError as error:
                assert error.errno == errno.ENOSPC and re.search(
                    rf"No space left on device: '{folder}/\S+'; map\(\) ended after \d+ results. The shards that are "
                    rf"done are in '{folder}'; the same call goes on",
                    str(error),
                )
            runs += 1
            assert runs <= len(fails) and len(list(folder.glob("*.shard"))) >= kept
            assert {path.suffix for path in folder.iterdir()} <= {".shard"}
    lines = [json.loads(line) for line in (folder / "values.jsonl").read_text().splitlines()]
    assert [line["captures"]["city"] for line in lines] == [s.captures["city"][0][0] for s in expected(12)]
    assert len(list(folder.iterdir())) == -(-12 // shard) + 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@given(st.integers(0, 12), st.booleans(), st.binary(max_size=20_000))
@settings(max_examples=40)
def test_a_file_is_whole_or_not_there_wherever_its_process_is_killed(
    tmp_path_factory: pytest.TempPathFactory, at: int, before: bool, data: bytes
) -> None:
    folder = tmp_path_factory.mktemp("killed")
    path = folder / "a.shard"
    if before:
        path.write_bytes(b"before")
    if not (child := os.fork()):
        try:
            disk = FullDisk([False] * at + [True], lambda: os.kill(os.getpid(), signal.SIGKILL))
            with disk.everywhere(), files.in_place_of(path) as file:
                file.write(data)
            os._exit(0)
        finally:
            os._exit(1)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL)
    killed = ended != 0
    assert (path.read_bytes() if path.exists() else None) in [data, *([b"before" if before else None] * killed)]
    with files.in_place_of(folder / "b") as other:
        other.write(b"at work")
        files.remove_half_written(folder)
    assert {each.name for each in folder.iterdir()} - {"a.shard"} == {"b"}


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A limit of the system's: a write beyond it is cut, and the next one fails."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def test_a_limit_of_the_system_is_told_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OUTLINES_CONT_CACHE", "")
    path, arguments = tmp_path / "state", ["--regex", "[0-9]", "--quiet", "--seed", "0", "--shard", "3"]
    folder, state = tmp_path / "out", shipped_model().state("Mira " * 300)
    arguments = ["map", "--in", str(written(tmp_path, 3)), "--out", str(folder), *arguments]
    with largest_file(500):
        with pytest.raises(OSError, match=re.escape(f"File too large: '{path}'") + "$"):
            state.save(path)
        code = main(arguments)
    assert code == 1 and re.match(
        rf".* map: \[Errno \d+\] File too large: '{folder}/\w+.shard'; map\(\) ended", capsys.readouterr().err
    )
    assert not path.exists() and list(folder.iterdir()) == []
    assert main(arguments) == 0 and len(list(folder.iterdir())) == 2


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
        (oc.errors.WorkerError("shard 3 was begun 3 times"), 1, "map: shard 3 was begun"),
        (KeyboardInterrupt(), 130, "the same command goes on"),
        (KeyboardInterrupt("after 3 results"), 130, "after 3 results"),
    ]:
        monkeypatch.setattr(command, "mapped", lambda options, error=error: (_ for _ in ()).throw(error))
        assert main(arguments) == code and message in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_the_command_tells_of_an_output_that_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["map", "--in", str(written(tmp_path, 2)), "--regex", "a", "--quiet"]) == 1
    assert "No space left on device: the standard output; with --out" in capsys.readouterr().err


def test_its_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["map", "--help"])
    shown = capsys.readouterr().out
    assert "--workers" in shown and "values.jsonl" in shown and "python -m outlines_cont map --in" in shown
