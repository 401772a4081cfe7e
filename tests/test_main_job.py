"""`python -m outlines_cont`, the model that ships, and Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont import tiny
from outlines_cont.__main__ import main
from tools.tiny.corpus import held_out_questions


def test_the_main_job_shows_everything_and_counts_its_cost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "3"]) == 0
    shown = capsys.readouterr().out
    for part in (
        "a chain: 2 prompts × 3 beams",
        "a slice",
        "resume",
        "a join",
        "list()",
        "Person(name='Mira'",
        "Łukasz",
    ):
        assert part in shown
    [cost] = re.findall(r"cost: ([\d,]+) token positions in (\d+) passes; .* would have taken ([\d,]+)", shown)
    computed, _, recomputed = (int(number.replace(",", "")) for number in cost)
    assert computed < recomputed / 5


def test_its_options_work(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--prompt", "Zoë is a sailor from Porto. Zoë is 51 years old.", "--model", str(tiny.PATH)])
    shown = capsys.readouterr().out
    assert "a chain: 1 prompt × 3 beams" in shown and "Zoë is a sailor" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "/nonexistent"], "no such folder"),
        (["--prompt", " "], "--prompt is empty"),
        (["--prompt", "Mira likes tea. " * 430], "the model's context is 2048"),
    ],
)
def test_ordinary_mistakes_are_told_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert message in capsys.readouterr().err


def test_the_seed_decides(capsys: pytest.CaptureFixture[str]) -> None:
    def sampled(seed: int) -> str:
        main(["--seed", str(seed)])
        return capsys.readouterr().out.split("── resume")[1].split("── a join")[0]

    assert sampled(1) == sampled(1) != sampled(2)


def test_the_shipped_model_answers_questions_about_stories_it_has_not_seen() -> None:
    """200 held-out questions about one person or place, answered greedily under a choice or a regex."""
    model, greedy = shipped_model(), oc.samplers.greedy()
    questions = held_out_questions(200, seed=1)
    generate = {"choice": oc.generate.choice, "regex": oc.generate.regex}
    right = sum(
        generate[question.kind](model, question.constraint, greedy)(question.prompt) == question.answer
        for question in questions
    )
    print(f"{right} of {len(questions)} right")
    assert right >= 0.95 * len(questions)


def test_loaded_alone_it_answers_without_a_network_and_is_small() -> None:
    """Nothing but `load` is imported by name: a call imports what it needs."""
    assert sum(file.stat().st_size for file in Path(tiny.PATH).iterdir() if file.suffix != ".py") <= 8 << 20
    code = """
import sys

def forbid(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise OSError(f"the network was asked for: {event} {arguments}")

sys.addaudithook(forbid)
import outlines_cont as oc
print(oc.load()("2 + 2 = ", ["4", 4.5], oc.samplers.greedy()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "4\n", done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_leaves_a_state_that_goes_on() -> None:
    """A real SIGINT in the middle: the state of the last whole step, which `resume` can finish."""
    code = """
import outlines_cont as oc
model = oc.load()
step = oc.continuous(oc.generate.regex(model, "([a-z]+ ){300}", oc.samplers.multinomial()), name="words")
prompt = model.state("Once upon a time, ")

drawn = []

def tell(draw):  # in the middle of the generation, to the test that waits for it
    drawn.append(draw.token)
    if len(drawn) == 5:
        print("going", flush=True)

try:
    step(prompt, seed=0, hooks=[tell])
    print("too fast")
except oc.errors.Interrupted as error:
    state = error.state
    assert isinstance(error, KeyboardInterrupt)
    assert state.finished == [["interrupted"]], state.finished
    more = step.resume(state, max_tokens=3, seed=0)
    assert more.shape[2] == state.shape[2] + 3 and more[..., : state.shape[2]] == state
    print("resumed")
"""
    # (What is started in a shell's background ignores SIGINT, and so do its children.)
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, preexec_fn=heed)
    assert running.stdout is not None and running.stdout.readline() == "going\n"
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=120)
    assert out.strip() == "resumed"
