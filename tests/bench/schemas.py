"""JSON Schemas of the real world on a real vocabulary: our engine beside llguidance and xgrammar, in one run.

`python tests/bench/schemas.py`, from a checkout (on PYTHONPATH) or with the package installed. `--quick` takes every
tenth schema; `--list` judges and prints failures, and times nothing; `--only` and `--engines` choose; `--profile N`
prints our slowest first masks and cold masks. The data lie in `../shared/data` beside the repository, or where
OUTLINES_CONT_DATA says. An engine that is not installed is left out by name.

Every instance of a schema is spelled in three ways, compact, with the usual spaces, and indented by two, always in its
own order of keys, and cut into the tokens that the real merges give. A valid one must be allowed token by token, and
the stop after it; an invalid one must be refused somewhere. All options are as a validator reads the schema: any order
of keys (ours; the others keep the schema's), undeclared keys where it allows them, formats asserted, whitespace free.

Every engine works in a process of its own, on one thread, one at a time: schema by schema, engine by engine. One that
does not answer within `--guard` seconds is stopped, and the schema counts as not compiled. Times are CPU time of that
process, less what reading the clock costs; what an engine prepares for a vocabulary is not in them. Before each time,
all that an engine keeps of other schemas is forgotten, also what a process keeps, and three throw-away ones are walked.

    first mask   building the constraint from the schema's text, and its first mask
    cold         the mask of a state (peers: of a prefix) not asked for before; without the first mask
    warm         the masks of the same steps, a second time
    by prefix    ours once more, over the very steps that the peers are measured on: those with a prefix that is new
    advance      one token, on the first walk

They are taken along the valid instances with the usual spaces: cold, warm and advance three times over, medians step by
step, unless that is slow. Correctness first: if ours accepts an invalid instance or refuses a valid one, nothing is
timed (but with `--anyway`) and the exit status is 1. A schema that is refused by name is not wrong.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import fsm as bench  # tests/bench/fsm.py, beside this file
from fsm import Engine, Walk, Words, at, bit, mean, number

SPELLINGS: dict[str, dict[str, Any]] = {"compact": {"separators": (",", ":")}, "spaced": {}, "indented": {"indent": 2}}
TIMED = "spaced"
WARM_UP = (
    '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}',
    '{"type": "array", "items": {"enum": ["x", "y", null]}, "maxItems": 3}',
    '{"type": "object", "properties": {"s": {"type": "string", "maxLength": 5}, "n": {"type": "number"}}}',
)


# --- what is asked


class Text(NamedTuple):
    """An instance in one spelling."""

    instance: int
    spelling: str
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A schema, as JSON text, with instances that are valid and some that are not."""

    name: str
    schema: str
    features: tuple[str, ...] = ()
    valid: tuple[Text, ...] = ()
    invalid: tuple[Text, ...] = ()

    @classmethod
    def read(cls, line: dict[str, Any], words: Words) -> Case:
        valid, invalid = (
            tuple(
                Text(i, name, words.encode(json.dumps(instance, ensure_ascii=False, **options)))
                for i, instance in enumerate(line[which])
                for name, options in SPELLINGS.items()
            )
            for which in ("valid", "invalid")
        )
        return cls(line["id"], json.dumps(line["schema"]), tuple(line["features"]), valid, invalid)


# --- the engines


class Ours(bench.Ours):
    def build(self, case: Case) -> Walk:  # type: ignore[override]
        made = self.guide.json_schema(
            case.schema, self.vocabulary, whitespace="flexible", order="any", extra="schema", format="assert"
        )
        return bench.OurWalk(made)


class LLGuidance(bench.LLGuidance):
    def build(self, case: Case) -> Walk:  # type: ignore[override]
        grammar = self.matcher.grammar_from_json_schema(case.schema, overrides={"whitespace_flexible": True})
        matcher = self.matcher(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return bench.LLGuidanceWalk(matcher, self)


class XGrammar(bench.XGrammar):
    def build(self, case: Case) -> Walk:  # type: ignore[override]
        # Its any_order checks neither what is required nor that keys differ.
        compiled = self.compiler.compile_json_schema(case.schema, any_whitespace=True, strict_mode=False)
        return bench.XGrammarWalk(self.matcher(compiled), self)


ENGINES: dict[str, type[Engine]] = {engine.name: engine for engine in (Ours, LLGuidance, XGrammar)}


# --- the work, in a process of its own for each engine


@dataclass
class Fault:
    """What was wrong with one spelling of one instance. at: how many tokens were taken before that."""

    kind: str  # refuses, accepts, or what contradicts itself
    text: Text
    at: int


@dataclass
class Report:
    """What an engine did with a schema. Times in ns, by (which valid text, after how many tokens)."""

    error: str = ""
    first: int = 0
    cold: dict[tuple[int, int], int] = field(default_factory=dict)
    warm: dict[tuple[int, int], int] = field(default_factory=dict)
    cold_prefix: dict[tuple[int, int], int] = field(default_factory=dict)  # by prefix rather than by state
    warm_prefix: dict[tuple[int, int], int] = field(default_factory=dict)
    advance: dict[tuple[int, int], int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def has(self, kind: str) -> bool:
        return any(fault.kind == kind for fault in self.faults)

    @property
    def right(self) -> bool:
        return not (self.error or self.faults)


STEPS = ("cold", "warm", "cold_prefix", "warm_prefix", "advance")
clock = time.process_time_ns


def clock_cost() -> int:
    """What it takes to read the clock, ns."""
    return at([-(clock() - clock()) for _ in range(5000)], 0.5)  # type: ignore[return-value]


def timed(engine: Any, case: Case, cost: int, report: Report) -> Walk:
    """Build a schema and walk its valid instances; again if that is quick. The first mask is that of the first time."""
    start = clock()
    walk = timed_once(engine, case, cost, report)
    if clock() - start < bench.SLOW:
        reports = [report, *(Report() for _ in range(bench.ROUNDS - 1))]
        for other in reports[1:]:
            walk = timed_once(engine, case, cost, other)
        for name in STEPS:
            rounds = [getattr(one, name) for one in reports]
            medians = {place: sorted(one[place] for one in rounds)[bench.ROUNDS // 2] for place in rounds[0]}
            setattr(report, name, medians)
    return walk


def timed_once(engine: Any, case: Case, cost: int, report: Report) -> Walk:
    """Build a schema and walk its valid instances twice, in what is like a process that has only warmed up."""
    engine.forget()
    for small in engine.throw_away:
        walked_twice(engine, small, cost, Report())
    return walked_twice(engine, case, cost, report)


def walked_twice(engine: Any, case: Case, cost: int, report: Report) -> Walk:
    """The same, in one spelling."""
    start = clock()
    walk = engine.build(case)
    walk.fill(*walk.where())
    report.first = clock() - start - cost
    seen, prefixes = {walk.key(())}, {()}
    for again in (False, True):
        for which, text in enumerate(case.valid):
            if text.spelling == TIMED:
                walk_timed(walk, which, text.ids, cost, report, None if again else (seen, prefixes))
    return walk


def walk_timed(
    walk: Walk, which: int, ids: Sequence[int], cost: int, report: Report, new: tuple[set[Any], set[Any]] | None
) -> None:
    """One walk. new: the keys and the prefixes of masks asked for before; None on the second walk."""
    walk.restart()
    for i in range(len(ids) + 1):
        fill, where, place = walk.fill, walk.where(), (which, i)
        start = clock()
        mask = fill(*where)
        took = max(0, clock() - start - cost)
        if new is None:
            if place in report.cold:
                report.warm[place] = took
            if place in report.cold_prefix:
                report.warm_prefix[place] = took
        else:
            seen, prefixes = new
            prefix = tuple(ids[:i])
            if prefix not in prefixes:
                prefixes.add(prefix)
                report.cold_prefix[place] = took
                if walk.key(prefix) not in seen:
                    seen.add(walk.key(prefix))
                    report.cold[place] = took
        if i == len(ids) or not bit(walk.words(mask), ids[i]):  # a peer that takes a wrong token is broken for good
            return
        step, token = walk.step, walk.token(ids[i])
        start = clock()
        outcome = step(*token)
        took = max(0, clock() - start - cost)
        if not walk.moved(outcome):
            return
        if new is not None:
            report.advance[place] = took


def judge(walk: Walk, case: Case, eos: int, report: Report) -> None:
    """Whether the instances are accepted and refused as they should be."""
    for texts, wanted in ((case.valid, True), (case.invalid, False)):
        for text in texts:
            taken, contradiction = run(walk, text.ids, eos)
            if contradiction:
                report.faults.append(Fault(contradiction, text, taken))
            if (taken > len(text.ids)) is not wanted:
                report.faults.append(Fault("refuses" if wanted else "accepts", text, taken))


def run(walk: Walk, ids: Sequence[int], eos: int) -> tuple[int, str]:
    """How many of the tokens, and eos after them, are taken, and what contradicts the masks on the way."""
    walk.restart()
    contradiction = ""
    for i, token in enumerate([*ids, eos]):
        words = walk.words(walk.fill(*walk.where()))
        allowed = bit(words, token)
        contradiction = contradiction or walk.fault(words, eos, None if allowed else token)
        if not allowed:
            return i, contradiction
        if i < len(ids) and not walk.moved(walk.step(*walk.token(token))):
            return i, "a token that is in the mask is not taken"
    return len(ids) + 1, contradiction


def serve(pipe: Any, name: str, vocabulary: str) -> None:
    """The process of one engine: prepare, say how long it took, then do one job after another."""
    warnings.simplefilter("ignore")
    words = Words.read(vocabulary)
    if name != "ours":
        bench.limit_memory()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # warnings from C++
    import_module("outlines_cont.fsm.guide" if name == "ours" else ENGINES[name].package)
    start = clock()
    engine = ENGINES[name](words)
    prepared = clock() - start
    gc.disable()
    cost = clock_cost()
    start = clock()
    text = Text(0, TIMED, tuple(words.text[bytes([c])] for c in b'{"a": 1}'))
    engine.throw_away = [Case("", schema, valid=(text,)) for schema in WARM_UP]
    timed(engine, engine.throw_away[0], cost, Report())
    pipe.send((prepared, clock() - start))
    walk, walked = None, ""
    while (job := pipe.recv()) is not None:
        what, case = job
        report = Report()
        try:
            if walked != case.name:
                walk, walked = None, ""
                gc.collect()
            if what == "time":
                walk = timed(engine, case, cost, report)
            else:
                if walk is None:
                    engine.forget()
                    walk = engine.build(case)
                walked = case.name
                judge(walk, case, words.eos, report)
            walked = case.name
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of Rust is no Exception
            built = report.first or walked
            report = Report(error=f"{'compiled, then ' if built else ''}{type(error).__name__}: {error}")
            walk, walked = None, ""
        pipe.send(report)


class Worker(bench.Worker):
    """The other end of `serve`."""

    serve = staticmethod(serve)

    def answer(self, what: str, case: Case) -> Report:
        found = self.ask(what, case)
        return found if isinstance(found, Report) else Report(error=found.error)


# --- what came out


class Instances:
    """The instances themselves, and what a validator says of them."""

    def __init__(self, lines: Sequence[dict[str, Any]], words: Words):
        self.lines, self.words = {line["id"]: line for line in lines}, words
        self.validate = importlib.util.find_spec("jsonschema") is not None

    def tail(self, text: Text, taken: int, size: int = 60) -> str:
        return repr(b"".join(self.words.tokens[i] for i in text.ids[:taken])[-size:].decode(errors="replace"))

    def broken(self, case: Case, text: Text) -> str:
        """Which keyword an invalid instance breaks, and where."""
        if not self.validate:
            return "(install jsonschema to see which keyword it breaks)"
        from jsonschema.validators import validator_for

        line = self.lines[case.name]
        try:
            kind = validator_for(line["schema"])
            checker = kind(line["schema"], format_checker=kind.FORMAT_CHECKER)
            errors = list(checker.iter_errors(line["invalid"][text.instance]))
        except Exception as error:
            return f"(jsonschema: {type(error).__name__})"
        said = ["/".join(map(str, ["#", *error.absolute_schema_path])) for error in errors[:2]]
        return (
            f"which breaks {' and '.join(said)}"
            if said
            else "which jsonschema finds valid (it leaves some formats unchecked)"
        )

    def complaints(self, case: Case, report: Report) -> list[str]:
        """A line for what is wrong with each instance."""
        if report.error:
            return [f"not compiled: {report.error.splitlines()[0][:200]}"]
        said = []
        for kind, which in dict.fromkeys((fault.kind, fault.text.instance) for fault in report.faults):
            faults = [f for f in report.faults if (f.kind, f.text.instance) == (kind, which)]
            spellings, text, taken = ", ".join(f.text.spelling for f in faults), faults[0].text, faults[0].at
            if kind == "accepts":
                said.append(f"accepts invalid #{which} ({spellings}), {self.broken(case, text)}")
                continue
            rest = [*(repr(self.words.tokens[i].decode(errors="replace")) for i in text.ids), "the end"]
            next_token = rest[min(taken, len(text.ids))]
            what = f"refuses valid #{which}" if kind == "refuses" else f"{kind}, #{which}"
            said.append(f"{what} ({spellings}): after {self.tail(text, taken)} comes {next_token}")
        return said


def verdicts(reports: dict[str, list[Report]]) -> None:
    """How many schemas each engine does right, and why it does not compile the others."""
    print(f"\n{'of ' + str(len(next(iter(reports.values())))):<14}" + "".join(f"{head:>18}" for head in VERDICTS))
    for name, every in reports.items():
        compiled = [report for report in every if not report.error]
        counts = (
            len(compiled),
            sum(not report.has("refuses") for report in compiled),
            sum(not report.has("accepts") for report in compiled),
            sum(report.right for report in compiled),
            sum(not report.right for report in compiled),
        )
        print(f"{name:<14}" + "".join(f"{count:>10} {100 * count / len(every):>5.1f} %" for count in counts))
    refusals(reports)


VERDICTS = ("compiled", "valid accepted", "invalid refused", "wholly right", "silently wrong")
COLUMNS = ("p50", "p90", "max", "avg", "p50", "p99", "avg", "p50", "p99", "avg", "p50", "p99")


def figures(reports: Sequence[Report], suffix: str = "") -> list[float]:
    """A row of the table: ms, ms, ms, then µs."""
    first = [report.first / 1e6 for report in reports]
    row = [at(first, 0.5), at(first, 0.9), at(first, 1)]
    for which in ("cold" + suffix, "warm" + suffix, "advance"):
        values = [ns / 1e3 for report in reports for ns in getattr(report, which).values()]
        row += [mean(values), at(values, 0.5), at(values, 0.99)]
    return row


def print_row(name: str, cells: Sequence[str], last: str = "") -> None:
    print(
        f"{name:<14}" + " │ ".join("".join(f"{c:>8}" for c in cells[i : i + 3]) for i in range(0, 12, 3)) + " │ " + last
    )


def timings(title: str, reports: dict[str, list[Report]]) -> None:
    """One row for each engine, and ours divided by the best of the others, column by column."""
    print(f"\n{title}")
    heads = ("first mask, ms", "cold masks, µs", "warm masks, µs", "advance, µs")
    print(" " * 14 + " │ ".join(f"{head:>24}" for head in heads) + " │")
    print_row("", COLUMNS, "schemas, cold steps")
    rows = {}
    for name, every in reports.items():
        done = [report for report in every if not report.error]
        rows[name] = figures(done)
        print_row(name, list(map(number, rows[name])), f"{len(done)}, {sum(len(r.cold) for r in done):,}")
    peers = [row for name, row in rows.items() if name != "ours"]
    if "ours" in rows and peers:
        best = [min(column) for column in zip(*peers, strict=True)]
        print_row("ours ÷ best", [number(a / b) if b else "–" for a, b in zip(rows["ours"], best, strict=True)])
        same = figures([report for report in reports["ours"] if not report.error], "_prefix")
        print_row("by prefix", ["", "", "", *map(number, same[3:9]), "", "", ""])
        ratios = [number(a / b) if b else "–" for a, b in zip(same, best, strict=True)]
        print_row("  ÷ best", ["", "", "", *ratios[3:9], "", "", ""])


def profile(cases: Sequence[Case], reports: Sequence[Report], instances: Instances, count: int) -> None:
    """Our slowest schemas to the first mask, our slowest masks, and our slowest steps."""
    pairs = [(case, report) for case, report in zip(cases, reports, strict=True) if not report.error]
    print(f"\nthe {count} slowest of ours to the first mask")
    for case, report in sorted(pairs, key=lambda pair: -pair[1].first)[:count]:
        print(
            f"  {report.first / 1e6:8.2f} ms  {case.name}, {len(case.schema):,} characters: {', '.join(case.features)}"
        )
    for which in ("cold", "advance"):
        print(f"\nthe {count} slowest of ours, {which}")
        steps = [(took, case, place) for case, report in pairs for place, took in getattr(report, which).items()]
        for took, case, (text, i) in sorted(steps, key=lambda step: -step[0])[:count]:
            valid = case.valid[text]
            then = f", token {instances.words.tokens[valid.ids[i]]!r}" if which == "advance" else ""
            place = f"valid #{valid.instance}, {i} tokens in"
            print(f"  {took / 1e3:8.0f} µs  {case.name}, {place}: {instances.tail(valid, i)}{then}")


def main() -> int:
    options = arguments()
    if not (bench.DATA / "schemas").is_dir():
        print(f"no data in {bench.DATA}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    for library in bench.THREADS:
        os.environ[f"{library}_NUM_THREADS"] = "1"
    warnings.simplefilter("ignore")

    words = Words.read(options.vocabulary)
    lines = [
        json.loads(x) for x in (bench.DATA / "schemas" / "maskbench_dev.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    if options.only:
        lines = [line for line in lines if any(part in line["id"] for part in options.only)]
        if not lines:
            print("no schema has such an id", file=sys.stderr)
            return 2
    lines = lines[::10] if options.quick else lines
    cases, instances = [Case.read(line, words) for line in lines], Instances(lines, words)
    steps = sum(len(text.ids) + 1 for case in cases for text in case.valid if text.spelling == TIMED)
    print(f"{options.vocabulary}: {len(words.tokens):,} tokens; {len(cases)} schemas, {steps:,} steps to be timed")

    missing = [name for name in options.engines if importlib.util.find_spec(ENGINES[name].package) is None]
    for name in missing:
        print(f"{name} is left out: {ENGINES[name].package} is not installed")
    peers = [name for name in options.engines if name not in missing and name != "ours"]
    judged: dict[str, list[Report]] = {}
    silent: list[str] = []
    if "ours" in options.engines:
        (judged["ours"],) = asked({"ours": "judge"}, cases, instances, options).values()
        silent = [case.name for case, report in zip(cases, judged["ours"], strict=True) if wrong(report)]
        print(f"correctness of ours: {f'RED, {len(silent)} wrong: ' if silent else 'green'}{', '.join(silent)}")
    if options.list:
        judged |= asked(dict.fromkeys(peers, "judge"), cases, instances, options)
    if options.list or (silent and not options.anyway):
        verdicts(judged)
        return 1 if silent else 0

    reports = asked({**dict.fromkeys(judged, "time"), **dict.fromkeys(peers, "both")}, cases, instances, options)
    for name, every in judged.items():  # what was found before, with the times
        reports[name] = [
            replace(a, error=a.error or b.error, faults=b.faults) for a, b in zip(reports[name], every, strict=True)
        ]
    verdicts(reports)
    timings("what each engine compiles", reports)
    common = [i for i in range(len(cases)) if not any(every[i].error for every in reports.values())]
    timings("what all of them compile", {name: [every[i] for i in common] for name, every in reports.items()})
    if options.profile and "ours" in reports:
        profile(cases, reports["ours"], instances, options.profile)
    return 1 if silent else 0


def asked(
    jobs: dict[str, str], cases: Sequence[Case], instances: Instances, options: argparse.Namespace
) -> dict[str, list[Report]]:
    """The reports of engines that are to judge, to be timed, or both; what is wrong is printed as it is found."""
    workers = {name: Worker(name, options.vocabulary, options.guard) for name in jobs}
    for name, worker in workers.items():
        tag = f" {version(ENGINES[name].package)}" if name != "ours" else ""
        print(f"{name}{tag}: vocabulary {worker.prepared / 1e9:.2f} s, first schemas {worker.first / 1e9:.3f} s")
    reports: dict[str, list[Report]] = {name: [] for name in jobs}
    for case in cases:
        for name, worker in workers.items():
            report = Report() if jobs[name] == "judge" else worker.answer("time", case)
            if jobs[name] != "time" and not report.error:
                found = worker.answer("judge", case)
                report = replace(report, error=found.error, faults=found.faults)
            reports[name].append(report)
            for complaint in [] if jobs[name] == "time" else instances.complaints(case, report):
                print(f"  {name}, {case.name}: {complaint} [{', '.join(case.features)}]", flush=True)
    for worker in workers.values():
        worker.stop()
    return reports


def wrong(report: Report) -> bool:
    """Whether a report of ours is other than right: an instance misjudged, or a failure that is no refusal by name."""
    return bool(report.faults) or (bool(report.error) and not report.error.startswith("ConstraintError"))


def refusals(judged: dict[str, list[Report]], shown: int = 12) -> None:
    """The commonest reasons for which schemas are not compiled, places left out."""
    for name, reports in judged.items():
        reasons = Counter(reason(report.error) for report in reports if report.error)
        if reasons:
            print(f"\n{name} does not compile, because of")
        for why, count in reasons.most_common(shown):
            print(f"{count:5}  {why}")


def reason(error: str) -> str:
    """The first line of a message, without the place."""
    line = error.splitlines()[0]
    _, found, rest = line.partition(", at #")
    return (rest.partition(": ")[2] if found else line)[:120]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="JSON Schemas: ours, llguidance, xgrammar.")
    parser.add_argument("--vocabulary", default="tekken131k", help="a name in the data's vocab folder, or a folder")
    parser.add_argument("--engines", nargs="*", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--quick", action="store_true", help="every tenth schema")
    parser.add_argument("--only", nargs="*", metavar="ID", help="the schemas whose id contains one of these")
    parser.add_argument("--list", action="store_true", help="list what is wrong or refused; time nothing")
    parser.add_argument("--anyway", action="store_true", help="time also when ours is wrong somewhere")
    parser.add_argument("--profile", type=int, default=0, metavar="N", help="show our N slowest of everything")
    parser.add_argument("--guard", type=float, default=30, help="seconds that an engine has for a schema")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
