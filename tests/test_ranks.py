"""Tensor parallelism: rank 0 runs all Python, the others follow. Two gloo processes on the shipped model, which has
two heads of keys and values; every night four on a random Llama."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from ranks import ROOT, run_ranks
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

import outlines_cont as oc
from outlines_cont.ranks import leader
from outlines_cont.ranks.leader import RankedEngine

EVERY_NIGHT = pytest.mark.skipif("OUTLINES_CONT_RANKS" not in os.environ, reason="every night: OUTLINES_CONT_RANKS=4")


def test_one_mind():
    """Ranks that do not fit together are refused. Then the programs give what the model gives that is not spread, and
    the end of rank 0 ends its follower."""
    leader, follower = run_ranks(2, "rank_programs.py", "whole")
    assert leader.code == 0 and "all equal" in leader.text, leader.text
    assert "FutureWarning" not in leader.text, leader.text
    assert follower.code == 0, follower.text


def test_a_follower_that_is_killed_ends_the_others_by_name():
    leader, follower = run_ranks(2, "rank_programs.py", "dies", limit=90)
    assert follower.code == -9
    assert leader.code == 1 and "RankError: the model can be used no longer" in leader.text, leader.text
    assert "the other ranks are asked why, for 5 s" in leader.text, "it is said before they are asked"


def test_an_error_is_asked_of_the_other_ranks_and_a_second_ctrl_c_waits_for_nobody():
    def failing(error: type[BaseException]) -> None:
        names = ("tier", "name", "n_vocab", "eos", "context_length", "keeps", "alone")
        inner = SimpleNamespace(hf=SimpleNamespace(config=None), lock=nullcontext(), **dict.fromkeys(names))
        stream = SimpleNamespace(size=2, send=lambda *command: 1, last_words=lambda: "rank 1 was asked")
        engine = RankedEngine(cast(Any, inner), cast(Any, stream))
        try:
            with engine._together("pass", None):
                raise error
        finally:
            with pytest.raises(oc.errors.RankError, match=r"can be used no longer: .*'pass' did not end on all ranks"):
                engine.identity()

    with pytest.raises(KeyboardInterrupt):
        failing(KeyboardInterrupt)
    with pytest.warns(match="asked why") as told, pytest.raises(oc.errors.RankError, match="rank 1 was asked"):
        failing(ZeroDivisionError)
    assert [each.filename for each in told] == [__file__]


@EVERY_NIGHT
def test_under_torchrun_rank_0_keeps_its_state_when_a_follower_was_killed(tmp_path: Path):
    """As docs/scale.md says: SIGTERM is taken as Ctrl-C."""
    state = tmp_path / "stopped"
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"]
    command += [str(ROOT / "tests" / "rank_programs.py"), "terminated", str(state)]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    printed = run.stdout + run.stderr
    assert run.returncode == 1 and "kept (1, 1, " in printed, printed
    assert re.search(r"rank +: 1 \(local_rank: 1\)\n +exitcode +: -9 .*\(SIGKILL\)", printed), printed
    model = oc.load(dtype="float32")
    kept = oc.load_state(state, model)
    assert kept.shape[2] > model.state("The sky is").shape[2]
    step = oc.continuous(oc.generate.regex(model, "[a-z ]{1900}", oc.samplers.greedy()), name="long")
    assert step.resume(kept, max_tokens=3)[..., : kept.shape[2]] == kept


@EVERY_NIGHT
def test_a_follower_that_vanished_before_a_pass_is_named():
    leader, follower = run_ranks(2, "rank_programs.py", "vanishes", limit=90)
    assert follower.code == -9
    assert leader.code == 1 and "rank 1 gives no sign of life" in leader.text, leader.text


@EVERY_NIGHT
def test_an_error_of_a_follower_is_told_on_rank_0():
    leader, follower = run_ranks(2, "rank_programs.py", "fails", limit=90)
    assert leader.code == 1 and "rank 1 failed: ZeroDivisionError: spoilt" in leader.text, leader.text
    assert follower.code == 1 and "ZeroDivisionError" in follower.text


@EVERY_NIGHT
def test_an_error_on_rank_0_ends_the_follower():
    leader, follower = run_ranks(2, "rank_programs.py", "raises", limit=90)
    assert leader.code == 1 and "LookupError: from the program" in leader.text, leader.text
    assert follower.code == 0, follower.text


def test_heads_are_shared_out_evenly(monkeypatch: pytest.MonkeyPatch):
    text = SimpleNamespace(num_attention_heads=12, num_key_value_heads=4)
    config = SimpleNamespace(get_text_config=lambda: text)
    for size, reason in ((8, "8 ranks, and the model has 4 heads of keys and values"), (3, "cannot share 4 heads")):
        monkeypatch.setattr(leader.dist, "get_world_size", lambda size=size: size)
        with pytest.raises(ValueError, match=reason):
            leader._check_heads(config)
    monkeypatch.setattr(leader.dist, "get_world_size", lambda: 4)
    leader._check_heads(config)


def test_ranks_compare_the_subfolder_and_tell_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "config.json").write_text("{}")
    asked = []
    monkeypatch.setattr(leader, "_check_heads", asked.append)
    facts = leader._facts(tmp_path, {"subfolder": "inner", "token": "a secret"}, lambda: "its config")
    assert facts["the size of the file config.json"] == 2 and facts["the option subfolder"] == "'inner'"
    assert asked == ["its config"] and "secret" not in repr(facts)


def test_without_torchrun_it_is_said_how_to_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RANK", raising=False)
    with pytest.raises(oc.errors.RankError, match="torchrun --nproc-per-node 2"):
        oc.load(tp_plan="auto")


@EVERY_NIGHT
def test_four_ranks_on_a_random_llama(tmp_path: Path):
    torch.manual_seed(0)
    config = LlamaConfig.from_pretrained(oc.tiny.PATH)
    config.num_attention_heads, config.num_key_value_heads, config.head_dim = 8, 4, config.hidden_size // 8
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(oc.tiny.PATH).save_pretrained(tmp_path)
    leader, *followers = run_ranks(4, "rank_programs.py", "whole", str(tmp_path), limit=600)
    assert leader.code == 0 and "all equal" in leader.text, leader.text
    assert [each.code for each in followers] == [0] * 3, followers[0].text
