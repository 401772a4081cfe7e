"""MaskBench by its own runner: `python tests/bench/maskbench.py FOLDER TOKENIZER`.

FOLDER is `maskbench` of a checkout of github.com/guidance-ai/jsonschemabench (Geng et al., arXiv:2501.10868), which has
the runner, the files of other engines, and some 11,000 schemas with instances; TOKENIZER is a folder with a tokenizer.

    --engines ours llguidance xgrammar xgrammar-compliant outlines-core
    --share 8             every eighth schema, of an order by the digest of its name
    --seconds 60          of processor time that a schema may take; then it counts as crashed
    --ends                after each instance comes the token that ends texts: a valid one may end there, and an invalid
                          one that is only begun, such as `1` under a minimum of 10, may not. The runner itself stops
                          before, so that it takes such a beginning for a wrong text
    --keep FOLDER         what each engine found, schema by schema; a run that was cut goes on from there

Each engine runs in processes of its own, part by part in turn, through the runner's `process_file`, whose clock is the
processor time here. The table has schemas that are right (every instance judged rightly), wrong, refused (an error when
compiled), and crashed or too slow; then, in ms, compiling with the first mask, and masks with their steps.
The exit status is 1 if ours is wrong or crashed anywhere, and 77 if there is no such folder.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: The engines: the package that each needs, the module and the class in the runner's package, and what is set there.
ENGINES: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "ours": ("outlines_cont", "", "", {}),
    "llguidance": ("llguidance", "llg_engine", "LlgEngine", {}),
    "xgrammar": ("xgrammar", "xgr_engine", "XgrEngine", {}),
    "xgrammar-compliant": ("xgrammar", "xgr_engine", "XgrEngine", {"compliant": True}),
    "outlines-core": ("outlines_core", "outlines_engine", "OutlinesEngine", {}),
}
OF_ONE_PROCESS = 400  # schemas
MEMORY = 12 << 30  # bytes


def our_engine(base: type) -> Any:
    """Ours, as a subclass of the runner's `Engine`."""
    from outlines_cont.fsm import guide
    from outlines_cont.fsm.vocabulary import Vocabulary

    class Ours(base):
        def init(self) -> None:
            self.vocabulary = Vocabulary.of(self.tokenizer)
            guide.json_schema({}, self.vocabulary)  # what is prepared for a vocabulary is in no engine's times

        def compile_grammar(self, schema: Any) -> None:
            self.guide = guide.json_schema(  # all texts that the standard means
                schema, self.vocabulary, whitespace="flexible", order="any", extra="schema", spelling="any"
            )

        def reset(self) -> None:
            self.state = self.guide.initial

        def compute_mask(self) -> None:
            self.mask = self.guide.mask(self.state)

        def commit_token(self, token: int) -> bool:
            ok = bool(self.mask[token >> 5] >> (token & 31) & 1)
            if ok:
                self.state = self.guide.advance(self.state, token)
            return ok

    return Ours()


def run_part(options: argparse.Namespace, name: str, output: Path, files: list[str]) -> None:
    """In a process of its own: one engine over some files; what the runner finds is written to `output`."""
    sys.path[:0] = [str(ROOT), str(options.folder.resolve())]
    runner = import_module("maskbench.runner")
    runner.output_path, runner.time = str(output), SimpleNamespace(monotonic=time.thread_time)
    _, module, cls, attributes = ENGINES[name]
    engine = getattr(import_module(f"maskbench.{module}"), cls)() if module else our_engine(runner.Engine)
    if name == "llguidance":
        engine.commit_token = partial(_commit, engine)
    vars(engine).update(attributes, multi=True, tokenizer_model_id=str(options.tokenizer))
    engine.tokenizer = tokenizer = runner.AutoTokenizer.from_pretrained(str(options.tokenizer))
    if name == "outlines-core":
        engine.init = partial(_init_of_outlines_core, engine)
    engine.init()
    if options.ends:
        engine.tokenizer = SimpleNamespace(
            encode=lambda *of, **how: [*tokenizer.encode(*of, **how), tokenizer.eos_token_id]
        )
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for file in files:
        allowed = int(time.process_time() + options.seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (allowed, resource.RLIM_INFINITY))  # its signal ends the process
        runner.process_file(engine, file)


def _commit(engine: Any, token: int) -> bool:
    """llguidance's `commit_token`: the runner's own overflows for every 32nd token under numpy 2."""
    ok = bool(int(engine.mask_data[0, token >> 5]) >> (token & 31) & 1)
    if ok:
        engine.interp.consume_token(token)
    elif engine.interp.is_error():
        raise ValueError(engine.interp.get_error())
    return ok


def _init_of_outlines_core(engine: Any) -> None:
    """Its vocabulary from the tokenizer: the runner's own loads it from the hub."""
    import outlines_core

    from outlines_cont.fsm.vocabulary import Vocabulary

    vocabulary, ids = Vocabulary.of(engine.tokenizer), dict[bytes, list[int]]()
    for token, text in enumerate(vocabulary.tokens):
        if text and token not in vocabulary.special:
            ids.setdefault(text, []).append(token)
    engine.vocabulary = outlines_core.Vocabulary(engine.tokenizer.eos_token_id, ids)


def run_all(options: argparse.Namespace, output: Path, files: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """What each engine found, schema by schema."""
    for start in range(0, len(files), OF_ONE_PROCESS):
        part = [str(file) for file in files[start : start + OF_ONE_PROCESS]]
        for name in options.engines:
            folder = output / name
            folder.mkdir(exist_ok=True, parents=True)
            left = [file for file in part if not (folder / Path(file).name).exists()]
            while left:
                given = json.dumps([name, str(folder), left])
                command = [sys.executable, __file__, *map(str, (options.folder, options.tokenizer)), "--part", "-"]
                command += ["--seconds", str(options.seconds), *(["--ends"] if options.ends else [])]
                done = subprocess.run(command, input=given, text=True, capture_output=True)
                before, left = left, [file for file in left if not (folder / Path(file).name).exists()]
                if len(left) == len(before):
                    raise SystemExit(f"{name} does not begin:\n{done.stderr[-2000:]}")
        print(f"{start + len(part)} of {len(files)} schemas", file=sys.stderr)
    return {name: [json.loads((output / name / file.name).read_text()) for file in files] for name in options.engines}


def row(name: str, found: list[dict[str, Any]]) -> tuple[str, int]:
    """A line of the table; and how many schemas are wrong or crashed."""
    crashed = [each for each in found if "pending_file" in each]
    refused = [each for each in found if "compile_error" in each]
    wrong = [each for each in found if "validation_error" in each]
    whole = [each for each in found if each.get("all_mask_us")]
    first = [(each["ttfm_us"] + each["all_mask_us"][0]) / 1e3 for each in whole]
    masks = [us / 1e3 for each in whole for us in each["all_mask_us"]]
    right = len(found) - len(crashed) - len(refused) - len(wrong)
    cells = [f"{right} ({right / len(found):.1%})", *map(len, (wrong, refused, crashed))]
    cells += [f"{_at(first, p):.2f}" for p in (50, 90, 99)] + [f"{_at(masks, p):.3f}" for p in (50, 90, 99)]
    return f"| {name} | " + " | ".join(map(str, cells)) + " |", len(crashed) + len(wrong)


def _at(values: list[float], percent: int) -> float:
    return quantiles(values, n=100)[percent - 1] if len(values) > 1 else float("nan")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=["ours", "llguidance"])
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--ends", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        name, output, files = json.load(sys.stdin)
        run_part(options, name, Path(output), files)
        return 0
    if not (options.folder / "maskbench" / "runner.py").is_file():
        print(f"no MaskBench in {options.folder}: check out jsonschemabench, and give its folder maskbench")
        return 77
    for name in options.engines:
        if find_spec(ENGINES[name][0]) is None:
            raise SystemExit(f"{name} needs {ENGINES[name][0]}, which is not installed")
    every = sorted((options.folder / "data").glob("*.json"), key=lambda file: sha256(file.name.encode()).digest())
    files = every[:: options.share]
    with tempfile.TemporaryDirectory() as output:
        found = run_all(options, options.keep or Path(output), files)
    print(f"{len(files):,} of {len(every):,} schemas, {options.tokenizer}")
    print("| engine | right | wrong | refused | crashed | first p50 | p90 | p99 | mask p50 | p90 | p99 |")
    print("|---" * 11 + "|")
    rows = {name: row(name, each) for name, each in found.items()}
    print("\n".join(line for line, _ in rows.values()))
    for each in found.get("ours", ()):
        problem = each.get("validation_error") or ("crashed" if "pending_file" in each else None)
        if problem:
            print(each.get("id", "?"), problem)
    return int("ours" in rows and rows["ours"][1] > 0)


if __name__ == "__main__":
    sys.exit(main())
