r"""The first constraint of a process on a real vocabulary: without the cache on disk, in the first process, in others.

`OMP_NUM_THREADS=1 python tests/bench/first.py FOLDER`, with the folder of a transformers tokenizer; or the name of a
vocabulary of the data folder, as `tekken131k`. Each number is the CPU time (all threads) of a fresh process:

    vocabulary   `Vocabulary.of` and its fingerprint (folders only)
    first mask   making the guide and its first mask, with all that is prepared for the vocabulary and the processor
    whole value  the masks of every further token of a text, bytes where no longer token is taken; and the longest step
    MB           of memory for what is kept with the vocabulary: its trie, and what is known of its tokens by classes
    peers        what outlines-core takes for its vocabulary and its index, and llguidance for its tokenizer (of a
                 folder) and its first mask, where they are installed

Correctness first: the masks along the text must be the same in all three, or nothing is timed and the exit status is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
#: Each kind of constraint: its argument, and a text that it allows.
CONSTRAINTS: dict[str, tuple[Any, str]] = {
    "regex": (r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "2024-05-06"),
    "regex, wide": (r"[A-Z][^.!?\n]{5,80}[.!?]", "The quick brown fox jumps over the dog."),
    "choice": (["red", "green", "blue"], "green"),
    "json": (PERSON, '{"name":"Ada Lovelace","age":36}'),
    "list[int]": ({"type": "array", "items": {"type": "integer"}}, "[1,20,300]"),
}


def worker(name: str, path: str) -> None:
    """In a fresh process: one constraint. Prints a digest of the masks, and what was measured, as JSON."""
    from outlines_cont.fsm import guide
    from outlines_cont.fsm.engine.slices import surveys_of
    from outlines_cont.fsm.engine.trie import trie_of
    from outlines_cont.fsm.vocabulary import Vocabulary

    v = Vocabulary(*pickle.loads(Path(path).read_bytes()))
    argument, text = CONSTRAINTS[name]
    ids = longest_tokens(v.tokens, set(v.text_ids.tolist()), text.encode())
    make = guide.choice if name == "choice" else guide.regex if "regex" in name else guide.json_schema
    v.fingerprint  # noqa: B018 (a part of making the vocabulary)
    begin = time.process_time()
    g = make(argument, v)
    masks = [g.mask(g.initial)]
    first = time.process_time()
    state: int | None = g.initial
    ends = [first]
    for token in ids:
        assert state is not None
        state = g.advance(state, token)
        assert state is not None, f"{name}: {text!r} is refused at {v.tokens[token]!r}"
        masks.append(g.mask(state))
        ends.append(time.process_time())
    assert state is not None and g.accepting(state)
    longest = max(b - a for a, b in pairwise(ends))
    digest = hashlib.sha256(b"".join(mask.tobytes() for mask in masks)).hexdigest()
    trie, surveys = trie_of(v), surveys_of(v)
    arrays = [array for owner in (trie, surveys) for array in vars(owner).values() if hasattr(array, "nbytes")]
    kept = (sum(array.nbytes for array in arrays) + surveys.nbytes) / 1e6
    print(json.dumps([first - begin, ends[-1] - first, longest, kept, digest]))


def longest_tokens(tokens: tuple[bytes, ...], text_ids: set[int], data: bytes) -> list[int]:
    id_of = {token: i for i, token in enumerate(tokens) if i in text_ids}
    ids = []
    while data:
        size = max(n for n in range(1, len(data) + 1) if data[:n] in id_of)
        ids.append(id_of[data[:size]])
        data = data[size:]
    return ids


def peer(name: str, path: str) -> None:
    """In a fresh process: outlines-core's vocabulary and index. Prints the time."""
    core, json_schema = import_module("outlines_core"), import_module("outlines_core.json_schema")
    tokens, eos, special = pickle.loads(Path(path).read_bytes())
    ids: dict[bytes, list[int]] = {}
    hidden = set(special)
    for i, token in enumerate(tokens):
        if token and i not in hidden:
            ids.setdefault(token, []).append(i)
    argument, _ = CONSTRAINTS[name]
    begin = time.process_time()
    if name == "choice":
        argument = "|".join(argument)
    elif "regex" not in name:
        argument = json_schema.build_regex_from_schema(json.dumps(argument))
    core.Index(argument, core.Vocabulary(eos[0], ids))
    print(json.dumps(time.process_time() - begin))


def llguidance_peer(name: str, source: str) -> None:
    """In a fresh process: llguidance's tokenizer and first mask. Prints the time."""
    from transformers import AutoTokenizer

    llguidance, whole = import_module("llguidance"), import_module("llguidance.hf").from_tokenizer
    tokenizer, (argument, _) = AutoTokenizer.from_pretrained(source), CONSTRAINTS[name]
    begin = time.process_time()
    made = whole(tokenizer)
    matcher = llguidance.LLMatcher
    if name == "choice":
        grammar = matcher.grammar_from_lark("start: " + "|".join(map(json.dumps, argument)))
    elif "regex" in name:
        grammar = matcher.grammar_from_regex(argument)
    else:
        grammar = matcher.grammar_from_json_schema(json.dumps(argument))
    matcher(made, grammar, log_level=0).compute_bitmask()
    print(json.dumps(time.process_time() - begin))


def vocabulary_of(source: str) -> tuple[tuple[Any, ...], float | None]:
    """What a `Vocabulary` is made of; and how long it took, if a tokenizer was read."""
    if not Path(source).is_dir():
        import made_tokenizers as made

        header, tokens = made.real_vocabulary(source)
        return (tokens, [header["eos"]], header["special"]), None
    from transformers import AutoTokenizer

    from outlines_cont.fsm.vocabulary import Vocabulary

    tokenizer = AutoTokenizer.from_pretrained(source)
    begin = time.process_time()
    v = Vocabulary.of(tokenizer)
    v.fingerprint  # noqa: B018
    return (v.tokens, v.eos, sorted(v.special)), time.process_time() - begin


def fresh(what: str, name: str, path: str, cache: str, guard: float | None = None) -> Any:
    """What a fresh process prints; None if that takes longer than `guard` seconds."""
    command = [sys.executable, __file__, "--worker", what, name, path]
    environment = {**os.environ, "OUTLINES_CONT_CACHE": cache}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=guard)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise SystemExit(f"{what}, {name}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def first_constraints(source: str, rounds: int = 3) -> dict[str, dict[str, tuple[float, ...]]]:
    """CPU seconds of the first mask, of a whole value and of its longest step, and MB, by constraint and by "none",
    "first", "later"; medians.

    Raises:
        AssertionError: masks differ.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "vocabulary")
        Path(path).write_bytes(pickle.dumps(vocabulary_of(source)[0]))
        times: dict[str, dict[str, tuple[float, ...]]] = {}
        for name in CONSTRAINTS:
            runs: dict[str, list[list[Any]]] = {"none": [], "first": [], "later": []}
            for turn in range(rounds):
                cache = os.path.join(folder, f"{turn}")
                runs["none"].append(fresh("ours", name, path, ""))
                runs["first"].append(fresh("ours", name, path, cache))
                runs["later"].append(fresh("ours", name, path, cache))
                for file in Path(cache).iterdir():
                    file.unlink()
            digests = {run[-1] for kind in runs.values() for run in kind}
            assert len(digests) == 1, f"{name}: masks differ with the cache and without"
            times[name] = {
                kind: tuple(map(statistics.median, zip(*(run[:-1] for run in each), strict=True)))
                for kind, each in runs.items()
            }
    return times


def peers(source: str, guard: float = 60) -> dict[str, dict[str, float | None]]:
    """CPU seconds of each peer, by its name and by constraint; None if it took longer than `guard`."""
    beside: dict[str, dict[str, float | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "vocabulary")
        Path(path).write_bytes(pickle.dumps(vocabulary_of(source)[0]))
        if importlib.util.find_spec("outlines_core"):
            beside["outlines-core"] = {name: fresh("outlines-core", name, path, "", guard) for name in CONSTRAINTS}
    if importlib.util.find_spec("llguidance") and Path(source).is_dir():
        beside["llguidance"] = {name: fresh("llguidance", name, source, "", guard) for name in CONSTRAINTS}
    return beside


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", help="the folder of a tokenizer, or a name in the data's vocab folder")
    parser.add_argument("--rounds", type=int, default=3, help="of which the medians are printed")
    parser.add_argument("--guard", type=float, default=60, help="seconds that outlines-core has for a constraint")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        what, name, path = options.worker
        {"ours": worker, "outlines-core": peer, "llguidance": llguidance_peer}[what](name, path)
        return 0
    if options.source is None:
        parser.error("the folder of a tokenizer, or the name of a vocabulary, is needed")
    (tokens, *_), made = vocabulary_of(options.source)
    print(f"{options.source}: {len(tokens):,} tokens" + (f", vocabulary {made:.2f} s" if made is not None else ""))
    try:
        times = first_constraints(options.source, options.rounds)
    except AssertionError as error:
        print(f"correctness: RED, {error}")
        return 1
    print("correctness: green, equal masks without a cache, in the first process, in later ones")
    beside = peers(options.source, options.guard)
    print(
        "CPU seconds      no cache        first           later           MB   " + "".join(f"{x:>14}" for x in beside)
    )
    for name in times:
        cells = "".join(f"{first:6.3f}{others:+6.3f}    " for first, others, *_ in times[name].values())
        theirs = "".join(
            f"{f'> {options.guard:.0f}' if took is None else f'{took:.2f}':>14}"
            for took in (each[name] for each in beside.values())
        )
        print(f"{name:<12}  {cells}{times[name]['later'][3]:5.1f}  {theirs}")
    longest = {kind: max(each[kind][2] for each in times.values()) for kind in ("none", "first", "later")}
    print("(first mask, + the masks of a whole value)")
    print("the longest step, ms: " + ", ".join(f"{kind} {1e3 * took:.1f}" for kind, took in longest.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
