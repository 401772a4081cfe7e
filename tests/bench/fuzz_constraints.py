"""Schemas, patterns and grammars at random, for as long as one likes: no raw error, no dead end, no wrong text.

    python tests/bench/fuzz_constraints.py schemas --minutes 60 --seed 1      also: patterns, grammars,
                                                                              engines, whole
    python tests/bench/fuzz_constraints.py schemas --case 1000000042          one case, in this process

`tests/constraint_checks.py` says what is checked, `tests/drawn_constraints.py` what is drawn. Case n of seed s has the
number s × 10⁹ + n, and a failure prints it. (Schemas are also made of those in `../shared/data`: with other data, or
none, a number stands for another schema.)

The cases run one after the other in a process of their own, which has so much memory, and so much processor time for
each piece of work: one that dies, or does not end, is a failure, and the next case begins in a new process. A case that
failed runs once more in a fresh process: "again" says what came of it. The exit status is 1 if there was a failure.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from constraint_checks import CHECKS, Outcome, Wrong, kind_of_message

if find_spec("llguidance") is not None:
    from engine_differences import check_engines

    CHECKS["engines"] = check_engines

CASES = 10**9  # of one seed
OF_ONE_PROCESS = 400  # cases, so that what is kept of them does not grow
SHOWN = 1500  # characters of a constraint that failed
LONGEST = 20  # times the limit of processor time that a case may take by the clock


def run(kind: str, number: int, tell: Any) -> dict[str, Any]:
    """One case: what came of it, as JSON values."""
    shown = ""
    try:
        outcome: Outcome = CHECKS[kind](Random(f"{kind} {number}"), tell)
        return {"refused": outcome.refused, "counts": dict(outcome.counts)}
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__)]
        ours = next((f for f in reversed(frames) if "/tests/" not in f.filename), frames[-1])
        where = f"{Path(ours.filename).name}:{ours.lineno} {ours.name}"
        message = f"{error}"
        raw = not isinstance(error, AssertionError) or "/tests/" not in frames[-1].filename
        law = kind_of_message(message) if isinstance(error, Wrong) or not raw else where
        shown = next((str(f.f_locals["outcome"].shown) for f in _frames(error) if "outcome" in f.f_locals), "")
        return {"failure": f"{type(error).__name__}: {law[:60]}", "message": message, "where": where, "shown": shown}


def _frames(error: BaseException) -> list[Any]:
    frames, step = [], error.__traceback__
    while step is not None:
        frames.append(step.tb_frame)
        step = step.tb_next
    return frames


# ------------------------------------------------------------------------------------------------ the process of cases


class Limits:
    """The processor time of each phase of a case. The system ends a process that takes more (SIGPROF)."""

    def __init__(self, seconds: float, send: Any):
        self.seconds, self.send = seconds, send
        self.used: dict[str, float] = defaultdict(float)
        self.phase, self.begun = "", 0.0

    def case(self) -> None:
        self.used.clear()
        self.phase = ""

    def tell(self, phase: str) -> None:
        now = time.process_time()
        if self.phase:
            self.used[self.phase] += now - self.begun
        if phase != self.phase:
            self.send({"phase": phase})
        self.phase, self.begun = phase, now
        left = (self.seconds / 4 if phase == "oracle" else self.seconds) - self.used[phase]
        if left <= 0:  # the timer, which is set again and again, has no time to ring
            os.kill(os.getpid(), signal.SIGPROF)
        signal.setitimer(signal.ITIMER_PROF, max(0.01, left))


def child(kind: str, numbers: range, pipe: int, options: argparse.Namespace) -> None:
    """Run cases, and write what comes of them, a line each."""
    size = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() if sys.platform == "linux" else 0
    )
    most = size + int(options.memory * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def send(message: dict[str, Any]) -> None:
        os.write(pipe, json.dumps(message).encode() + b"\n")

    limits = Limits(options.guard, send)
    for number in numbers:
        send({"begin": number})
        limits.case()
        limits.tell("draw")
        answer = run(kind, number, limits.tell)
        limits.tell("")
        signal.setitimer(signal.ITIMER_PROF, 0)
        answer["seconds"] = {phase: round(used, 3) for phase, used in limits.used.items()}
        answer["shown"] = answer.get("shown", "")[: SHOWN * 4]
        answer["message"] = answer.get("message", "")[:SHOWN]
        send({"done": number, **answer})


@dataclass
class Process:
    """A process of cases, and what it says."""

    pid: int
    pipe: int
    unread: bytes = b""
    lines: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def start(cls, kind: str, numbers: range, options: argparse.Namespace) -> Process:
        reading, writing = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            status = 1
            try:
                os.close(reading)
                child(kind, numbers, writing, options)
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        return cls(pid, reading)

    def next(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None if the process has ended, or says nothing for so long."""
        end = time.monotonic() + seconds
        while not self.lines:
            if not select.select([self.pipe], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            more = os.read(self.pipe, 1 << 16)
            if not more:
                return None
            *whole, self.unread = (self.unread + more).split(b"\n")
            self.lines += map(json.loads, whole)
        return self.lines.pop(0)

    def end(self) -> str:
        """End it, if it has not ended. How it ended."""
        done, status = os.waitpid(self.pid, os.WNOHANG)
        deadline = time.monotonic() + 5
        while not done and time.monotonic() < deadline:
            time.sleep(0.01)
            done, status = os.waitpid(self.pid, os.WNOHANG)
        if not done:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.pipe)
            return "no answer"
        os.close(self.pipe)
        number = os.waitstatus_to_exitcode(status)
        return "" if not number else signal.Signals(-number).name if number < 0 else f"exit {number}"


class Fuzzing:
    """The cases of one kind, and what came of them."""

    def __init__(self, kind: str, options: argparse.Namespace):
        self.kind, self.options = kind, options
        self.table: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.failures: dict[str, list[int]] = {}
        self.slowest: list[tuple[float, str, int]] = []
        self.seconds: dict[str, float] = defaultdict(float)  # of the processor, by phase
        self.told = time.monotonic()

    def cases(self, first: int, count: int, until: float) -> None:
        """Run so many cases, or until that time."""
        number = first
        while number < first + count and time.monotonic() < until:
            process = Process.start(self.kind, range(number, min(number + OF_ONE_PROCESS, first + count)), self.options)
            number = self.follow(process, number, until)

    def follow(self, process: Process, number: int, until: float) -> int:
        """Take what a process says, until it ends. The number of the case to go on with."""
        phase = "draw"
        while (message := process.next(self.options.guard * LONGEST)) is not None:
            if "begin" in message:
                number, phase = message["begin"], "draw"
                if time.monotonic() > until:
                    os.kill(process.pid, signal.SIGKILL)
                    process.end()
                    return number
            elif "phase" in message:
                phase = message["phase"] or phase
            else:
                self.record(message["done"], message)
                number = message["done"] + 1
        ended = process.end()
        if ended:
            slow = ended in ("SIGPROF", "no answer")
            if phase == "llguidance" or (slow and phase == "oracle"):
                self.table["drawn"] += 1
                name = "the oracle" if phase == "oracle" else phase
                self.table[f"{name} takes too long" if slow else f"{name} ends the process: {ended}"] += 1
            else:
                what = f"over {self.options.guard:g} s in {phase}" if slow else f"{ended} in {phase}"
                self.record(number, {"failure": what, "message": "", "shown": ""})
            number += 1
        return number

    def record(self, number: int, answer: dict[str, Any]) -> None:
        self.table["drawn"] += 1
        if time.monotonic() > self.told + 300:
            self.told = time.monotonic()
            print(f"… {self.table['drawn']:,} drawn, {sum(map(len, self.failures.values()))} failures", flush=True)
        for phase, seconds in answer.get("seconds", {}).items():
            self.seconds[phase] += seconds
            if phase in ("compile", "walk"):
                self.slowest = sorted([*self.slowest, (seconds, phase, number)], reverse=True)[:8]
        if "failure" in answer:
            self.failures.setdefault(answer["failure"], []).append(number)
            if len(self.failures[answer["failure"]]) <= self.options.each:
                print(f"-- case {number}: {answer['failure']}\n   {answer['message'][:SHOWN]}", flush=True)
                print(f"   {answer['shown'][:SHOWN]}\n   again: {self.again(number)}", flush=True)
            return
        self.table["refused" if answer["refused"] else "compiled"] += 1
        if answer["refused"]:
            self.refused[kind_of_message(answer["refused"])] += 1
        self.table.update(answer["counts"])

    def again(self, number: int) -> str:
        """What comes of a case in a fresh process."""
        process, last, phase = Process.start(self.kind, range(number, number + 1), self.options), {}, ""
        while (message := process.next(self.options.guard * LONGEST)) is not None:
            last, phase = message, message.get("phase") or phase
        ended = process.end()
        return last.get("failure") or (f"{ended} in {phase}" if ended else "no failure")

    def summary(self) -> str:
        failed = sum(map(len, self.failures.values()))
        lines = [f"{self.table.pop('drawn', 0):>9,}  drawn", f"{failed:>9,}  failures"]
        lines += [f"{count:>9,}  {name}" for name, count in sorted(self.table.items())]
        lines += ["", "seconds of the processor:"]
        lines += [f"{seconds:>9,.0f}  {phase}" for phase, seconds in self.seconds.items()]
        lines += ["", "refused:", *(f"{count:>9,}  {name}" for name, count in self.refused.most_common(80))]
        lines += ["", "slowest:", *(f"{seconds:>9.2f} s  {phase}, case {n}" for seconds, phase, n in self.slowest)]
        lines += ["", "failures:" if failed else "no failures"]
        lines += [f"{len(numbers):>9,}  {name}: {numbers[:6]}" for name, numbers in self.failures.items()]
        return "\n".join(lines)


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=CHECKS)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=CASES, help="at most so many")
    parser.add_argument("--case", type=int, help="only this one, in this process")
    parser.add_argument("--guard", type=float, default=20, help="seconds of processor time for a phase of a case")
    parser.add_argument("--memory", type=float, default=3, help="GiB that a case may take")
    parser.add_argument("--each", type=int, default=3, help="of each kind of failure, so many are shown")
    return parser.parse_args(given)


def one(kind: str, number: int) -> int:
    """One case in this process, with all it says."""
    answer = run(kind, number, lambda phase: print(f"… {phase}", flush=True))
    print(json.dumps(answer, indent=2, ensure_ascii=False))
    return int("failure" in answer)


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what is drawn may have lone surrogates
    if options.case is not None:
        return one(options.kind, options.case)
    fuzzing = Fuzzing(options.kind, options)
    begun = time.monotonic()
    fuzzing.cases(options.seed * CASES, options.cases, begun + 60 * options.minutes)
    print(f"\n{options.kind}, seed {options.seed}, {(time.monotonic() - begun) / 60:.1f} min\n{fuzzing.summary()}")
    return int(bool(fuzzing.failures))


if __name__ == "__main__":
    sys.exit(main())
