"""What the ranks of `tests/test_ranks.py` run: `rank_programs.py NAME [FOLDER]`. Functions for `apply` stand above."""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
import torch.distributed as dist
from engines import PROGRAMS, check_engine
from safetensors.torch import load_file, save_file

import outlines_cont as oc
from outlines_cont.engines.hf import backends
from outlines_cont.ranks import commands

torch.set_num_threads(1)
RANK = int(os.environ["RANK"])
LONG = "[a-z ]{1900}"


def double_norm(hf: Any) -> None:
    hf.model.norm.weight.data = hf.model.norm.weight.data * 2


def double_last_rank(hf: Any) -> None:
    if dist.get_rank() == dist.get_world_size() - 1:
        hf.lm_head.weight = torch.nn.Parameter(hf.lm_head.weight.detach())


def halve_norm(hf: Any) -> None:
    hf.model.norm.weight.data = hf.model.norm.weight.data / 2


def nothing(module: Any, states: Any) -> None:
    """A forward pre-hook."""


def register_hook(hf: Any) -> None:
    hf.model.norm.register_forward_pre_hook(nothing)


def remove_hook(hf: Any) -> None:
    hooks = hf.model.norm._forward_pre_hooks
    for number in [number for number, hook in hooks.items() if hook is nothing]:
        del hooks[number]


def refuse(hf: Any) -> None:
    raise KeyError("refused")


def die_on_rank_1(hf: Any) -> None:
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)


def die_soon_on_rank_1(hf: Any) -> None:
    if RANK == 1:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGKILL)).start()


def spoil_rank_1(hf: Any) -> None:
    """From now on a pass of rank 1 fails."""
    if RANK == 1:

        def forward(*args: Any, **kwargs: Any) -> Any:
            raise ZeroDivisionError("spoilt")

        hf.model.layers[1].self_attn.forward = forward


def greedy(model: Any, prompt: str = "The sky is", **options: Any) -> oc.SequenceState:
    return oc.continuous(oc.generate.text(model, oc.samplers.greedy()))(prompt, max_tokens=6, **options)


def whole(folder: str | None) -> None:
    """All that works, in one go: the conformance suite, and what used to make ranks disagree."""
    dist.init_process_group("gloo", timeout=timedelta(seconds=10))
    if folder is None:
        check_refusals()
    source = folder or oc.tiny.PATH
    model = oc.load(source, tp_plan="auto", dtype="float32")
    assert RANK == 0, "a follower came back from load"
    reference = oc.load(source, dtype="float32")
    assert model.tier.name == "hook" and model.identity == reference.identity
    check_engine(model, reference)
    check_ends_of_agreement(model, reference)
    check_interrupt(model, reference)
    check_saved(model, reference)
    check_mapped(model, reference)
    check_guard(model)
    check_apply(model, reference)
    time.sleep(12)  # longer than the group's timeout
    assert greedy(model) == greedy(reference)
    print("all equal")


def check_ends_of_agreement(model: Any, reference: Any) -> None:
    """No seed, a budget that binds, garbage that is collected at random, in threads; a hook that raises."""
    text = oc.continuous(oc.generate.text(model))
    drawn = text(["Mira is", "The sky is"], max_tokens=5, seed=None)
    assert drawn.rescore().weights.shape == drawn.weights.shape
    model.kv_budget = 20 * model.tree.pool.slot_bytes
    draws, stopped = random.Random(0), threading.Event()

    def collect() -> None:
        while not stopped.wait(draws.random() / 50):
            gc.collect(draws.choice((0, 1, 1, 2)))

    gc.collect()
    gc.freeze()  # what torch and transformers have made takes long to look through
    thread = threading.Thread(target=collect)
    thread.start()
    try:
        for name, program in PROGRAMS.items():
            cycle: list[Any] = [program(model)]
            assert cycle[0].token_ids.tolist() == program(reference).token_ids.tolist(), name
            cycle.append(cycle)  # only the garbage collector frees it
    finally:
        stopped.set()
        thread.join()
        gc.unfreeze()
    model.kv_budget = None

    def hook(draw: Any) -> None:
        raise LookupError("from the hook")

    with pytest.raises(LookupError, match="from the hook"):
        text("Mira is", max_tokens=4, seed=0, hooks=[hook])
    assert greedy(model) == greedy(reference)


def check_interrupt(model: Any, reference: Any) -> None:
    """Ctrl-C at any moment of a generation: the next one is right."""
    step = oc.continuous(oc.generate.text(model))
    for delay in (0.0, 0.01, 0.03, 0.1):
        timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            for seed in range(1000):
                step("Mira is", max_tokens=20, seed=seed)
        timer.join()
        assert greedy(model) == greedy(reference)


def check_saved(model: Any, reference: Any) -> None:
    with TemporaryDirectory() as folder:
        state = greedy(model)
        state.save(f"{folder}/a")
        loaded = oc.load_state(f"{folder}/a", reference)
        assert loaded == state and not loaded.weights.isnan().any()
        greedy(reference).save(f"{folder}/b")
        assert oc.load_state(f"{folder}/b", model) == state


def check_mapped(model: Any, reference: Any) -> None:
    """A job with a folder; the model that is not spread finds its shards there."""
    prompts = ["Mira is", "The sky is", "Tom"]
    with TemporaryDirectory() as folder:
        jobs = [
            oc.map(oc.generate.text(each, oc.samplers.greedy()), prompts, seed=0, max_tokens=3, shard=2, out=folder)
            for each in (model, reference)
        ]
        values = [list(job) for job in jobs]
        assert values[0] == values[1] and [job.skipped for job in jobs] == [0, 3]


def check_guard(model: Any) -> None:
    for use in (lambda: model.hf(1), lambda: model.hf.model, lambda: setattr(model.hf, "training", True)):
        with pytest.raises(oc.errors.RankError, match=r"model\.hf.* on rank 0"):
            use()
    layers = model.hf.config.num_hidden_layers
    model.hf.config.num_hidden_layers = 0
    assert model.hf.config.num_hidden_layers == layers > 0, "a copy"
    with pytest.raises(oc.errors.RankError, match="follow the first model"):
        oc.load(tp_plan="auto")


def check_apply(model: Any, reference: Any) -> None:
    """Changes are noticed, on whichever rank they are; what fails on all ranks changes nothing."""
    with pytest.raises(TypeError, match="by its name"):
        model.apply(lambda hf: None)
    before, identity = model.engine.version(), model.identity
    state = greedy(model)
    model.apply(double_norm)
    assert model.engine.version() != before and model.identity != identity
    double_norm(reference.hf)
    assert model.identity == reference.identity
    louder, expected = greedy(model), greedy(reference)
    assert louder == expected and torch.allclose(louder.weights, expected.weights, atol=1e-3)
    assert not torch.allclose(louder.weights, state.weights, atol=1e-3)
    model.apply(halve_norm)
    halve_norm(reference.hf)
    before = model.engine.version()
    model.apply(double_last_rank)
    assert model.engine.version() != before
    with pytest.raises(oc.errors.RankError, match=r"rank 0: KeyError: 'refused'; rank 1: KeyError: 'refused'"):
        model.apply(refuse)
    assert greedy(model) == state and model.identity == identity
    model.apply(register_hook)
    with pytest.raises(ValueError, match="rows are not read by themselves, and its forward hooks"):
        greedy(model)
    model.apply(remove_hook)
    assert greedy(model) == state


def dies(folder: str | None) -> None:
    """A follower is killed."""
    commands.DEAD_AFTER = 4.0
    model: Any = oc.load(folder, tp_plan="auto")
    greedy(model)
    with pytest.raises(oc.errors.RankError, match="rank 1 has given no sign of life"):
        model.apply(die_on_rank_1)
    greedy(model)


def vanishes(folder: str | None) -> None:
    """A follower is killed between two commands; the next pass says who it was."""
    model: Any = oc.load(folder, tp_plan="auto")
    greedy(model)
    model.apply(die_soon_on_rank_1)
    time.sleep(2)
    with pytest.raises(oc.errors.RankError, match="rank 1 gives no sign of life"):
        greedy(model)
    greedy(model)


def terminated(folder: str) -> None:
    """A follower is killed, torchrun ends rank 0, and rank 0 keeps what it has."""
    model: Any = oc.load(tp_plan="auto", dtype="float32")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    assert model.identity
    step = oc.continuous(oc.generate.regex(model, LONG, oc.samplers.greedy()), name="long")
    step("The sky is", max_tokens=1)
    model.apply(die_soon_on_rank_1)
    try:
        step("The sky is")
    except oc.errors.Interrupted as stopped:
        stopped.state.save(folder)
        print("kept", stopped.state.shape)


def fails(folder: str | None) -> None:
    """A pass of a follower raises."""
    model: Any = oc.load(folder, tp_plan="auto")
    model.apply(spoil_rank_1)
    greedy(model)


def raises(folder: str | None) -> None:
    """Rank 0 ends with an error of its own."""
    model = oc.load(folder, tp_plan="auto")
    greedy(model)
    raise LookupError("from the program")


def check_refusals() -> None:
    """Bad input: a named error on every rank, and the ranks can try again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oc, "__version__", f"0.{RANK}")
        with pytest.raises(ValueError, match=r"the version of outlines_cont: '0\.0' and '0\.1'"):
            oc.load(tp_plan="auto")
    with pytest.raises(ValueError, match="ranks 0 and 1 differ in the option kv_budget"):
        oc.load(tp_plan="auto", kv_budget=1000 + RANK)
    with pytest.raises(FileNotFoundError, match="there is no such folder, and no such model was had from the hub"):
        oc.load("nowhere/model", tp_plan="auto", local_files_only=True)
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(oc.tiny.PATH, f"{folder}/model"))
        (copy / "more.txt").write_text("more" * RANK)
        with pytest.raises(ValueError, match=r"ranks 0 and 1 differ in the size of the file more.txt: 0 and 4"):
            oc.load(copy, tp_plan="auto")
        if RANK:
            change_norm(copy)
        (copy / "more.txt").write_text("")
        with pytest.raises(ValueError, match=r"ranks 0 and 1 hold other values of the parameter model.norm.weight"):
            oc.load(copy, tp_plan="auto")
    with pytest.MonkeyPatch.context() as patch:
        if RANK == 1:
            patch.setattr("transformers.AutoTokenizer.from_pretrained", _no_tokenizer)
        with pytest.raises((ValueError, oc.errors.RankError), match=r"finds no|rank 1 could not load the model"):
            oc.load(oc.tiny.PATH, tp_plan="auto")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "_no_hook", lambda hf: "it is a test")
        with pytest.raises(ValueError, match=r"only models of the tier 'hook' are spread .* 'stock': it is a test"):
            oc.load(tp_plan="auto")


def change_norm(folder: Path) -> None:
    """Other values in a file of the same size."""
    file = folder / "model.safetensors"
    tensors = load_file(file)
    tensors["model.norm.weight"] *= 2
    save_file(tensors, file, {"format": "pt"})


def _no_tokenizer(*args: Any, **kwargs: Any) -> Any:
    raise OSError("no tokenizer here")


NAMES: dict[str, Callable[[Any], None]] = {
    each.__name__: each for each in (whole, dies, vanishes, terminated, fails, raises)
}

if __name__ == "__main__":
    faulthandler.dump_traceback_later(60)  # shows where it stands, if it does not end
    NAMES[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else None)
