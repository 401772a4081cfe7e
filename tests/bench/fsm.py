r"""Masks of constraints on a real vocabulary: our engine beside llguidance, xgrammar and outlines-core, in one run.

`python tests/bench/fsm.py`, from a checkout (on PYTHONPATH) or with the package installed: about five minutes on a slow
core. `--quick` takes a sample of the schemas' patterns, and llguidance alone; `--each` prints a line for every
constraint; `--vocabulary`, `--engines`, `--guard` and `--differences` choose. The data lie in `../shared/data` beside
the repository, or where OUTLINES_CONT_DATA says. An engine that is not installed is left out by name.

The constraints: everyday regular expressions; choices of 1,000 and of 10,000 strings; every `pattern` of the
development schemas that `re` compiles, rewritten for `re.fullmatch`; and formats, by our own expressions for all. Each
means what `re.fullmatch` means on `str`: the examples were checked against it. They are spelled in the tokens that the
real merges give, the same for every engine.

Every engine works in a process of its own, on one thread, one at a time: constraint by constraint, engine by engine.
One that does not answer within `--guard` seconds is stopped, and the constraint counts as not compiled. What an engine
prepares for a vocabulary is timed apart, and so is the first call in a process, which for ours loads or compiles
machine code. Before each constraint all that an engine keeps of others is forgotten, also what a process keeps, and a
few throw-away ones are walked, the same for every engine: what is timed comes neither too early nor too late.

    first mask   building the constraint and its first mask, with nothing kept of an earlier one but the throw-away ones
    cold         the mask of a state (peers: of a prefix) not asked for before; without the first mask
    warm         the masks of the same steps, a second time
    by prefix    ours once more, over the very steps that the peers are measured on: those with a prefix that is new
    advance      one token, on the first walk

Correctness first: a valid string must be allowed token by token, and the stop after it; an invalid one must be refused
somewhere. If ours fails that, nothing is timed and the exit status is 1. The peers' errors are counted beside their
times. Our masks and llguidance's are compared bit by bit in text tokens, for information. They may differ by design:
where the next bytes are certain llguidance allows one token only (counted apart), and its `\s`, `\d` and `\w` are not
quite Python's.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib.util
import json
import lzma
import math
import multiprocessing
import os
import random
import re
import string
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from itertools import islice, product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parents[3] / "shared" / "data"))
THREADS = ("OMP", "MKL", "OPENBLAS", "NUMBA", "RAYON", "VECLIB_MAXIMUM")  # …_NUM_THREADS
WARM_UP = (r"[0-9]{3}-x", r"[a-f]+\.é", r"[^x]*", r"(?:ab|abc|b)*d?")
MEMORY_STATES = 1000
ROUNDS, SLOW = 3, 1_000_000_000  # ns
PEER_MEMORY = 8 << 30  # bytes that a peer may map: beyond, it counts as failed
ANY = r"[\s\S]*"

sre: Any = import_module("re._constants")
sre_parser: Any = import_module("re._parser")
clock = time.perf_counter_ns


# --- what is asked


@dataclass(frozen=True)
class Constraint:
    """A regular expression or a choice, with strings that it has and strings that it has not."""

    group: str
    name: str
    pattern: str
    options: tuple[str, ...] = ()  # of a choice; `pattern` is the same as an expression then
    valid: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()
    valid_ids: tuple[tuple[int, ...], ...] = ()
    invalid_ids: tuple[tuple[int, ...], ...] = ()

    def check(self) -> None:
        """Compare the examples with what they are meant to be."""
        compiled = None if self.options else re.compile(self.pattern)
        for strings, wanted in ((self.valid, True), (self.invalid, False)):
            for text in strings:
                found = text in self.options if compiled is None else compiled.fullmatch(text) is not None
                assert found is wanted, f"{self.name}: {text!r} is no {'valid' if wanted else 'invalid'} example"


_SENTENCE = "The quick brown fox jumps over the lazy dog, and then it rests in the shade"
EVERYDAY: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "ISO date",
        r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
        ("2024-05-06", "1999-12-31", "0001-01-01"),
        ("2024-13-06", "2024-5-6", "2024-05-061", "24-05-06"),
    ),
    (
        "time",
        r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?",
        ("23:59", "08:30:15.250Z", "00:00:00+02:00"),
        ("24:00", "8:30", "08:30:", "08:30:15.1234567"),
    ),
    (
        "e-mail",
        r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}",
        ("jane.doe+news@mail.example.com", "a@b.co", "INFO_99@sub-domain.example.org"),
        ("jane.doe@example", "@example.com", "jane doe@example.com", "a@b.c"),
    ),
    (
        "e-mail, wide bounds",
        r"[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]{1,64}(?:\.[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]{1,64}){0,8}"
        r"@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){1,8}[a-zA-Z]{2,63}",
        ("jane.doe@mail.example.com", "o'neil!x@a-b.museum", "first.middle.last@department.university.edu"),
        ("jane..doe@example.com", ".jane@example.com", "jane@-example.com", "a" * 65 + "@example.com"),
    ),
    (
        "UUID",
        r"[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        ("123e4567-e89b-12d3-a456-426614174000", "9b2f6c1e-0a3d-4f5b-8c7d-1e2f3a4b5c6d"),
        ("123e4567-e89b-62d3-a456-426614174000", "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456"),
    ),
    (
        "IPv4",
        r"((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
        ("192.168.0.1", "255.255.255.255", "8.8.8.8"),
        ("256.1.1.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"),
    ),
    (
        "phone",
        r"(\+[1-9][0-9]{0,2}[ -]?)?(\([0-9]{2,4}\)[ -]?)?[0-9]{3,4}([ -]?[0-9]{2,4}){1,3}",
        ("+44 (020) 7946 0958", "555-0199", "+1-202-555-0143"),
        ("+0 555 0199", "12", "(020 7946 0958", "555--0199"),
    ),
    (
        "URL",
        r"https?://[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+(:[0-9]{1,5})?(/[^\s?#]*)?(\?[^\s#]*)?(#\S*)?",
        ("https://www.example.com/a/path?q=1&r=two#top", "http://localhost.local:8080", "http://a.b/é"),
        ("ftp://example.com", "https://example", "https://example.com/a b", "http//example.com"),
    ),
    (
        "hex colour",
        r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}([0-9a-fA-F]{2})?)",
        ("#fff", "#1E90FF", "#00000080"),
        ("fff", "#ff", "#12345", "#GGGGGG"),
    ),
    (
        "semver",
        r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z.-]+)?",
        ("1.0.0", "10.20.30-alpha.1+build.5", "0.2.14-rc"),
        ("1.0", "01.0.0", "1.0.0-", "v1.0.0"),
    ),
    (
        "lower case, 1 to 200",
        r"[a-z]{1,200}",
        ("a", "helloworld", "supercalifragilistic" * 3),
        ("", "Hello", "a" * 201),
    ),
    ("anything, to 2,000", r".{0,2000}", ("", "Hello, world! 你好 🦙", _SENTENCE + "."), ("two\nlines", "word " * 401)),
    (
        "a thought, to 2,000",
        r"<think>.{0,2000}</think>yes",
        ("<think></think>yes", f"<think>{_SENTENCE}; a < b.</think>yes"),
        (f"<think>{_SENTENCE}</think>no", "<think>two\nlines</think>yes", "<think>" + "word " * 401 + "</think>yes"),
    ),
    (
        "two texts, to 80",
        r".{1,80} -- .{1,80}",
        (_SENTENCE + " -- " + _SENTENCE, "a - b -- c"),
        (_SENTENCE, " -- a", _SENTENCE + " longer -- a"),
    ),
    (
        "sentences, to 5",
        r"([A-Z].{10,200}\. ){1,5}",
        ((_SENTENCE + ". ") * 3, "Es ist spät. Es regnet. "),
        (_SENTENCE, "It is. ", _SENTENCE + "."),
    ),
    (
        "number",
        r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?",
        ("0", "-12.50", "6.02e+23", "31415926535"),
        ("1.", ".5", "1e", "--1", "1,000"),
    ),
    (
        "sentence",
        r"[A-Z][^.!?\n]{10,120}[.!?]",
        (_SENTENCE + ".", "Où est la bibliothèque ?", "Twelve chars!"),
        ("the quick brown fox.", "Too short.", _SENTENCE, "A" + "b" * 121 + "."),
    ),
    (
        "letters, then d",
        r"(a|b|c)*d{3,50}",
        ("ddd", "abcabcaddddd", "cab" * 8 + "d" * 20),
        ("abc", "dd", "abdcddd", "d" * 51),
    ),
    (
        "money",
        r"[$€£] ?(0|[1-9][0-9]{0,2}(,[0-9]{3})*)(\.[0-9]{2})?",
        ("$1,234,567.89", "€ 5", "£0.99"),
        ("$1234", "1.00", "$01", "€ 5.5"),
    ),
    (
        "JSON string",
        r'"([^"\\\x00-\x1f]|\\["\\bfnrt/])*"',
        ('""', '"Hello, \\"world\\" of naïve 日本語 text"', '"C:\\\\temp\\n"'),
        ('"', "Hello", '"a\nb"', '"\\x"', '"a"b"'),
    ),
    (
        "CJK",
        r"[\u4e00-\u9fff]{2,20}",
        ("中文", "日本国憲法前文", "今天天气很好我们去公园散步"),
        ("中", "中文abc", "ひらがな", "文" * 21),
    ),
)


def everyday() -> list[Constraint]:
    """The regular expressions that people write."""
    return [
        Constraint("everyday regexes", name, p, valid=valid, invalid=invalid) for name, p, valid, invalid in EVERYDAY
    ]


def choices() -> list[Constraint]:
    """A choice between 1,000 and one between 10,000 names, which share beginnings as names do."""
    places = ["Ash", "Black", "Bridge", "Clear", "East", "Fair", "Glen", "Green", "Hamp", "King's ", "Lake ", "Long"]
    places += ["Mill", "New ", "North ", "Old ", "Port ", "Red", "River", "Saint ", "South", "Stone", "White", "Wood"]
    ends = ["brook", "burgh", "bury", "dale", "field", "ford", "gate", "ham", "mouth", "port", "stead", "ton", "ville"]
    kinds = ["Airport", "Bakery", "Bank", "Café", "Central Station", "College", "Garage", "Hospital", "Library", "Mall"]
    kinds += ["Museum", "Park", "Pharmacy", "School", "Theatre", "Water Works", "Zoo", "No. 1", "No. 10", "No. 100"]
    kinds += ["", "(North)", "(South)", "& Sons", "Ltd.", "GmbH", "Street", "Street 5", "Street 55", "Road", "Road 7A"]
    kinds += ["Market", "Market Hall"]
    every = [f"{place}{end} {kind}".strip() for place, end, kind in product(places, ends, kinds)]
    random.Random(7).shuffle(every)
    found = []
    for count in (1000, 10000):
        options = tuple(every[:count])
        known, rng = set(options), random.Random(count)
        changed = (change(option, rng) for option in options)
        invalid = tuple([text for text in changed if text not in known][:6]) + ("",)
        pattern = "|".join(re.sub(r"[\\.^$*+?()\[\]{}|]", r"\\\g<0>", option) for option in options)
        name = f"choice of {count:,}"
        found.append(Constraint(name, name, pattern, options, options[:8], invalid))
    return found


def change(text: str, rng: random.Random) -> str:
    """The text with one character left out, put in, or replaced."""
    at, how = rng.randrange(len(text) + 1), rng.choice(("out", "in", "other"))
    new = rng.choice(string.ascii_letters + string.digits + " -_./:é\n") if how != "out" else ""
    return text[:at] + new + text[at + (how != "in") :]


# --- the patterns of real schemas


def branches(pattern: str) -> list[str]:
    """The alternatives of a pattern, split at each `|` that is in no group and in no class."""
    found, depth, at, start = [], 0, 0, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at += 2 if pattern[at + 1 : at + 2] == "^" else 1
            at += 1  # a first `]` is a character
            while pattern[at] != "]":
                at += 2 if pattern[at] == "\\" else 1
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and not depth:
            found.append(pattern[start:at])
            start = at + 1
        at += 1
    return [*found, pattern[start:]]


def whole(pattern: str) -> str:
    """What `re.search` finds by `pattern`, as one for `re.fullmatch`: without anchors where they are at the ends."""
    parts = []
    for part in branches(pattern):
        group = re.fullmatch(r"\((?:\?:)?((?:[^\\()\[\]]|\\.|\[\^?.(?:[^\\\]]|\\.)*\]|\((?:[^()]|\\.)*\))*)\)", part)
        if group and ("^" in group[1][:1] or "$" in group[1][-1:]):
            parts.append(whole(group[1]))
            continue
        begins = part.startswith("^")
        ends = part.endswith("$") and (len(part) - len(part[:-1].rstrip("\\"))) % 2 == 1
        body = part[begins : len(part) - ends]
        parts.append(("" if begins else ANY) + body + ("" if ends else ANY))
    return parts[0] if len(parts) == 1 else "(?:" + "|".join(parts) + ")"


def has_anchor(parsed: Any) -> bool:
    """Whether an anchor is left somewhere in a pattern that `re` has parsed."""
    if isinstance(parsed, tuple | list | sre_parser.SubPattern):
        return any(has_anchor(part) for part in parsed)
    return parsed is sre.AT


PRINTABLE = string.ascii_letters + string.digits + " " + string.punctuation
CLASSES = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def drawn(parsed: Any, rng: random.Random) -> str:
    """A random string, mostly ASCII, that a pattern which `re` has parsed may match. (The caller makes sure.)"""
    text = ""
    for op, value in parsed:
        if op is sre.LITERAL:
            text += chr(value)
        elif op is sre.NOT_LITERAL:
            text += rng.choice([char for char in PRINTABLE if ord(char) != value])
        elif op is sre.ANY:
            text += rng.choice(PRINTABLE)
        elif op is sre.IN:
            inside = [char for char in PRINTABLE if in_class(value, char)]
            text += rng.choice(inside or [chr(low) for kind, (low, _) in value if kind is sre.RANGE])
        elif op is sre.BRANCH:
            text += drawn(rng.choice(value[1]), rng)
        elif op is sre.SUBPATTERN:
            text += drawn(value[-1], rng)
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            low, high, inner = value
            for _ in range(min(int(high), low + rng.randrange(8))):
                text += drawn(inner, rng)
    return text


def in_class(items: Any, char: str) -> bool:
    """Whether a class, as `re` has parsed it, has a character."""
    found, negated = False, False
    for kind, value in items:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            found |= ord(char) == value
        elif kind is sre.RANGE:
            found |= value[0] <= ord(char) <= value[1]
        else:
            found |= re.match(CLASSES[value], char) is not None
    return found is not negated


def places(schema: Any, instance: Any, root: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The strings of an instance that a `pattern` or a `format` speaks about, where that is easily seen."""
    if not isinstance(schema, dict) or depth > 40:
        return
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target = root
        for key in reference[2:].split("/"):
            target = target.get(key.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        yield from places(target, instance, root, depth + 1)
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()) if isinstance(schema.get(keyword), list) else ():
            yield from places(part, instance, root, depth + 1)
    if isinstance(instance, str):
        yield from ((schema[key], instance) for key in ("pattern", "format") if isinstance(schema.get(key), str))
    elif isinstance(instance, list):
        for item in instance:
            yield from places(schema.get("items"), item, root, depth + 1)
    elif isinstance(instance, dict):
        declared = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
        for key, value in instance.items():
            yield from places(declared.get(key, schema.get("additionalProperties")), value, root, depth + 1)


def texts_of(schema: Any) -> Iterator[str]:
    """Every `pattern` in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for value in schema.values():
            yield from texts_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from texts_of(value)


def wild() -> tuple[list[Constraint], list[str]]:
    """The patterns and formats of the development schemas, each once, and which patterns were left out and why."""
    from outlines_cont.fsm.json_schema import formats

    expressions: dict[str, str] = {}  # as one for fullmatch → as the schema has it
    seen: dict[str, list[str]] = {}
    left_out: dict[str, str] = {}
    for line in (DATA / "schemas" / "maskbench_dev.jsonl").read_text().splitlines():
        case = json.loads(line)
        for pattern in texts_of(case["schema"]):
            try:
                meant = whole(pattern) if re.compile(pattern) else ""
                if has_anchor(sre_parser.parse(meant)):
                    left_out[pattern] = "an anchor inside"
                else:
                    expressions.setdefault(meant, pattern)
            except re.error as error:
                left_out[pattern] = str(error)
        for instance in case["valid"]:
            for key, text in places(case["schema"], instance, case["schema"]):
                seen.setdefault(key, []).append(text)
    found = [("date", formats.DATE), ("date-time", formats.DATE_TIME), ("time", formats.TIME), ("uuid", formats.UUID)]
    found += [("ipv4", formats.IPV4), ("ipv6", formats.IPV6), ("email", formats.EMAIL), ("uri", formats.URI)]
    found += [("hostname", formats.HOSTNAME)]
    named = [(name, pattern, None) for name, pattern in found]
    named += [(source, pattern, source) for pattern, source in expressions.items()]
    return [made(name, pattern, source, seen.get(name, [])) for name, pattern, source in named], [
        f"{pattern[:60]!r}: {why}" for pattern, why in left_out.items()
    ]


def made(name: str, pattern: str, source: str | None, seen: Sequence[str]) -> Constraint:
    """A pattern with two or three strings that it has, from instances if there are, and two that it has not."""
    rng = random.Random(pattern)
    compiled, parsed = re.compile(pattern), sre_parser.parse(pattern)
    real = [text for text in dict.fromkeys(seen) if len(text) <= 200 and compiled.fullmatch(text)]
    more = (drawn(parsed, rng) for _ in range(400))
    valid = [*real[:2]]
    for text in more:
        if len(valid) < 2 and text not in valid and len(text) <= 300 and compiled.fullmatch(text):
            valid.append(text)
    tries = [change(text, rng) for _ in range(40) for text in valid] + ["", "\n", "?"]
    invalid = [text for text in dict.fromkeys(tries) if not compiled.fullmatch(text)][:2]
    assert valid, f"no string for {pattern!r}"
    if source is not None:  # `$` matches before a last newline, too: such strings do not count here
        searched = re.compile(source)
        for text in [*valid, *tries]:
            same = bool(searched.search(text)) is bool(compiled.fullmatch(text))
            assert same or text.endswith("\n"), f"{pattern!r} does not mean {source!r}: {text!r}"
    return Constraint("patterns and formats of schemas", name, pattern, valid=tuple(valid), invalid=tuple(invalid))


# --- the vocabulary


@dataclass(frozen=True)
class Words:
    """A vocabulary of the data folder, or of a folder with a tokenizer, and text in its tokens."""

    name: str
    header: dict[str, Any]
    tokens: list[bytes]

    @classmethod
    def read(cls, name: str) -> Words:
        """Of a vocabulary of the data folder, or of the folder of a tokenizer."""
        if Path(name).is_dir():
            from outlines_cont.fsm.vocabulary import Vocabulary

            v = Vocabulary.of(tokenizer_of(name))
            return cls(name, {"eos": v.eos[0], "special": sorted(v.special), "scheme": "folder"}, list(v.tokens))
        raw = lzma.decompress((DATA / "vocab" / f"{name}.vocab.xz").read_bytes())
        start = raw.index(b"\n") + 1
        header = json.loads(raw[:start])
        first = start + 2 * header["n"]
        ends = (np.cumsum(np.frombuffer(raw, "<u2", header["n"], start), dtype=np.int64) + first).tolist()
        return cls(name, header, [raw[a:b] for a, b in zip([first, *ends], ends, strict=False)])

    @property
    def eos(self) -> int:
        return self.header["eos"]

    @cached_property
    def special(self) -> frozenset[int]:
        return frozenset(self.header["special"])

    @cached_property
    def text(self) -> dict[bytes, int]:
        """The tokens that are text; of equal ones the first."""
        found: dict[bytes, int] = {}
        for i, token in enumerate(self.tokens):
            if token and i not in self.special:
                found.setdefault(token, i)
        return found

    @cached_property
    def text_words(self) -> np.ndarray:
        """The text tokens as a mask."""
        bits = np.zeros((len(self.tokens) + 31) // 32 * 32, bool)
        bits[[i for i, token in enumerate(self.tokens) if token and i not in self.special]] = True
        return np.packbits(bits, bitorder="little").view(np.int32)

    @cached_property
    def encode(self) -> Callable[[str], tuple[int, ...]]:
        """Text → ids by the real merges; where there is no tiktoken vocabulary, the longest token first."""
        if self.header["scheme"] == "folder":
            tokenizer = tokenizer_of(self.name)
            return lambda text: tuple(tokenizer.encode(text, add_special_tokens=False))
        if self.header["scheme"] != "tiktoken":
            return lambda text: greedy(text.encode(), self.text)
        import tiktoken

        offset, pattern = self.header["rank_offset"], self.header["pattern"]
        ranks = {token: i - offset for token, i in self.text.items()}
        encoding = tiktoken.Encoding(self.name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return lambda text: tuple(i + offset for i in encoding.encode_ordinary(text))

    def spelled(self, constraint: Constraint) -> Constraint:
        valid, invalid = (tuple(map(self.encode, texts)) for texts in (constraint.valid, constraint.invalid))
        return replace(constraint, valid_ids=valid, invalid_ids=invalid)


def tokenizer_of(folder: str) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def greedy(data: bytes, text: dict[bytes, int]) -> tuple[int, ...]:
    """The ids of the longest tokens, from left to right."""
    longest, at, ids = max(map(len, text)), 0, []
    while at < len(data):
        size = next(n for n in range(min(longest, len(data) - at), 0, -1) if data[at : at + n] in text)
        ids.append(text[data[at : at + size]])
        at += size
    return tuple(ids)


# --- the engines, each behind the calls that its users make


class Walk:
    """One engine's way through one constraint. Only the calls of `fill` and `step` are timed.

    fill(*where()) makes a mask, whose words are words(…); step(*token(t)) takes a token, and moved(…) says if it did.
    """

    fill: Callable[..., Any]
    step: Callable[..., Any]
    buffer: np.ndarray

    def where(self) -> tuple[Any, ...]:
        return ()

    def token(self, token: int) -> tuple[Any, ...]:
        return (token,)

    def moved(self, outcome: Any) -> bool:
        return outcome is not False

    def words(self, outcome: Any) -> np.ndarray:
        return self.buffer[0]

    def restart(self) -> None:
        raise NotImplementedError

    def key(self, prefix: tuple[int, ...]) -> Any:
        """What is equal for a mask that was asked for before."""
        return prefix

    def fault(self, words: np.ndarray, eos: int, refused: int | None) -> str:
        """What contradicts the mask, if anything."""
        return ""


class Engine:
    """An engine with a vocabulary prepared. package: what has to be installed."""

    name: ClassVar[str]
    package: ClassVar[str]
    throw_away: Sequence[Any] = ()  # constraints to warm up with, after `forget`

    def __init__(self, words: Words):
        self.buffer = np.zeros((1, (len(words.tokens) + 31) // 32), np.int32)
        self.pointer, self.size = self.buffer.ctypes.data, self.buffer.size

    def build(self, constraint: Constraint) -> Walk:
        raise NotImplementedError

    def forget(self) -> None:
        """Drop what was kept of earlier constraints."""


class OurWalk(Walk):
    def __init__(self, guide: Any):
        self.guide, self.fill, self.step, self.state = guide, guide.mask, guide.advance, guide.initial

    def where(self) -> tuple[Any, ...]:
        return (self.state,)

    def token(self, token: int) -> tuple[Any, ...]:
        return self.state, token

    def moved(self, outcome: Any) -> bool:
        if outcome is None:
            return False
        self.state = outcome
        return True

    def words(self, outcome: Any) -> np.ndarray:
        return outcome

    def restart(self) -> None:
        self.state = self.guide.initial

    def key(self, prefix: tuple[int, ...]) -> Any:
        return self.state

    def fault(self, words: np.ndarray, eos: int, refused: int | None) -> str:
        if self.guide.accepting(self.state) is not bit(words, eos):
            return "accepting() and the mask's eos differ"
        if refused is not None and self.guide.advance(self.state, refused) is not None:
            return f"advance() takes token {refused}, which the mask refuses"
        return ""


class Ours(Engine):
    name, package = "ours", "outlines_cont"

    def __init__(self, words: Words):
        from outlines_cont.fsm import guide
        from outlines_cont.fsm.vocabulary import Vocabulary

        super().__init__(words)
        self.guide, self.vocabulary = guide, Vocabulary(words.tokens, [words.eos], words.special)
        modules = [m for name, m in sys.modules.items() if name.startswith("outlines_cont.fsm.")]
        found = {id(x): x for m in modules for x in vars(m).values() if hasattr(x, "cache_parameters")}
        self.caches = [cache for cache in found.values() if cache.cache_parameters()["maxsize"]]  # others are tables

    def guide_of(self, constraint: Constraint) -> Any:
        if constraint.options:
            return self.guide.choice(constraint.options, self.vocabulary)
        return self.guide.regex(constraint.pattern, self.vocabulary)

    def build(self, constraint: Constraint) -> Walk:
        return OurWalk(self.guide_of(constraint))

    def forget(self) -> None:
        self.vocabulary.clear_caches()
        for cache in self.caches:
            cache.cache_clear()


class LLGuidanceWalk(Walk):
    def __init__(self, matcher: Any, engine: Engine):
        self.matcher, self.buffer = matcher, engine.buffer
        self.fill, self.step = matcher.unsafe_compute_mask_ptr, matcher.consume_token
        self.place = (engine.pointer, engine.buffer.nbytes)

    def where(self) -> tuple[Any, ...]:
        return self.place

    def restart(self) -> None:
        self.matcher.reset()


class LLGuidance(Engine):
    name = package = "llguidance"

    def __init__(self, words: Words):
        import llguidance

        super().__init__(words)
        self.matcher = llguidance.LLMatcher
        if words.header["scheme"] == "tiktoken":
            self.tokenizer = llguidance.LLTokenizer.from_tiktoken(
                encoder=words.text,
                special_tokens={f"<|special_{i}|>": i for i in sorted(words.special)},
                pattern=words.header["pattern"],
                eos_token=words.eos,
                n_vocab=len(words.tokens),
                slices=None,
            )
        elif words.header["scheme"] == "folder":
            whole = import_module("llguidance.hf").from_tokenizer
            self.tokenizer = whole(tokenizer_of(words.name), n_vocab=len(words.tokens))
        else:
            self.tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Greedy(words)))

    def build(self, constraint: Constraint) -> Walk:
        if constraint.options:
            options = "|".join(json.dumps(option) for option in constraint.options)
            grammar = self.matcher.grammar_from_lark(f"start: OPTION\nOPTION: {options}")
        else:
            grammar = self.matcher.grammar_from_regex(constraint.pattern)
        matcher = self.matcher(self.tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return LLGuidanceWalk(matcher, self)


class _Greedy:
    """What llguidance asks of a tokenizer. It is slow Python, and llguidance calls it where bytes are forced."""

    def __init__(self, words: Words):
        self.eos_token_id, self.bos_token_id, self.tokens = words.eos, None, words.tokens
        self.special_token_ids, self.text = sorted(words.special), words.text

    def __call__(self, data: bytes) -> list[int]:
        return list(greedy(data, self.text))


class XGrammarWalk(Walk):
    def __init__(self, matcher: Any, engine: Engine):
        self.matcher, self.buffer, self.restart = matcher, engine.buffer, matcher.reset
        self.fill, self.step = matcher.fill_next_token_bitmask, matcher.accept_token

    def where(self) -> tuple[Any, ...]:
        return (self.buffer,)

    def words(self, outcome: Any) -> np.ndarray:
        return self.buffer[0] if outcome else np.full_like(self.buffer[0], -1)


class XGrammar(Engine):
    name = package = "xgrammar"

    def __init__(self, words: Words):
        import torch
        import xgrammar

        torch.set_num_threads(1)
        super().__init__(words)
        tokens = [b"" if i in words.special else token for i, token in enumerate(words.tokens)]
        info = xgrammar.TokenizerInfo(tokens, xgrammar.VocabType.RAW, stop_token_ids=[words.eos])
        self.compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self.matcher = xgrammar.GrammarMatcher

    def build(self, constraint: Constraint) -> Walk:
        if constraint.options:
            options = " | ".join(json.dumps(option, ensure_ascii=False) for option in constraint.options)
            compiled = self.compiler.compile_grammar(f"root ::= {options}")
        else:
            compiled = self.compiler.compile_regex(constraint.pattern)
        return XGrammarWalk(self.matcher(compiled), self)


class OutlinesCoreWalk(Walk):
    def __init__(self, guide: Any, engine: Engine):
        self.guide, self.buffer, self.restart = guide, engine.buffer, guide.reset
        self.fill, self.step = guide.write_mask_into, guide.advance
        self.place = (engine.pointer, engine.size, 4)

    def where(self) -> tuple[Any, ...]:
        return self.place

    def token(self, token: int) -> tuple[Any, ...]:
        return token, False


class OutlinesCore(Engine):
    name, package = "outlines-core", "outlines_core"

    def __init__(self, words: Words):
        import outlines_core

        super().__init__(words)
        ids: dict[bytes, list[int]] = {}
        for i, token in enumerate(words.tokens):
            if token and i not in words.special:
                ids.setdefault(token, []).append(i)
        self.core, self.vocabulary = outlines_core, outlines_core.Vocabulary(words.eos, ids)

    def build(self, constraint: Constraint) -> Walk:
        return OutlinesCoreWalk(self.core.Guide(self.core.Index(constraint.pattern, self.vocabulary)), self)


ENGINES: dict[str, type[Engine]] = {engine.name: engine for engine in (Ours, LLGuidance, XGrammar, OutlinesCore)}


# --- the work, in a process of its own for each engine


@dataclass
class Report:
    """What an engine did with a constraint. Times in ns; `masks` index `table`: one list for each valid string."""

    error: str = ""
    first: int = 0
    cold: list[int] = field(default_factory=list)
    warm: list[int] = field(default_factory=list)
    advance: list[int] = field(default_factory=list)
    cold_prefix: list[int] = field(default_factory=list)  # by prefix rather than by state
    warm_prefix: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # valid strings
    accepted: list[str] = field(default_factory=list)  # invalid ones
    faults: list[str] = field(default_factory=list)
    masks: list[list[int]] = field(default_factory=list)
    table: list[bytes] = field(default_factory=list)

    @property
    def right(self) -> bool:
        return not (self.error or self.refused or self.accepted or self.faults)


def bit(words: np.ndarray, token: int) -> bool:
    return bool(int(words[token // 32]) >> token % 32 & 1)


def ids_of(words: np.ndarray) -> list[int]:
    """The tokens in a mask."""
    return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist()


def timed(engine: Engine, constraint: Constraint, report: Report) -> Walk:
    """Build a constraint and walk its valid strings twice; unless that is slow, three times: medians, step by step.

    The time to the first mask is that of the first time, when the process had not read such a pattern before.
    """
    start = clock()
    walk = timed_once(engine, constraint, report)
    if clock() - start < SLOW:
        others = [Report() for _ in range(ROUNDS - 1)]
        for other in others:
            walk = timed_once(engine, constraint, other)
        for name in ("cold", "warm", "advance", "cold_prefix", "warm_prefix"):
            rounds = [getattr(one, name) for one in (report, *others)]
            setattr(report, name, [sorted(times)[ROUNDS // 2] for times in zip(*rounds, strict=True)])
    return walk


def timed_once(engine: Engine, constraint: Constraint, report: Report) -> Walk:
    """Build a constraint and walk its valid strings twice, in what is like a process that has only warmed up."""
    engine.forget()
    for small in engine.throw_away:
        walk_timed(engine, small, Report())
    return walk_timed(engine, constraint, report)


def walk_timed(engine: Engine, constraint: Constraint, report: Report) -> Walk:
    start = clock()
    walk = engine.build(constraint)
    walk.fill(*walk.where())
    report.first = clock() - start
    seen, prefixes = {walk.key(())}, {()}
    cold: set[tuple[int, int]] = set()
    new: set[tuple[int, int]] = set()
    for again in (False, True):
        for number, ids in enumerate(constraint.valid_ids):
            walk.restart()
            for at in range(len(ids) + 1):
                fill, where = walk.fill, walk.where()
                start = clock()
                fill(*where)
                took = clock() - start
                if not again and ids[:at] not in prefixes:
                    prefixes.add(ids[:at])
                    new.add((number, at))
                    if walk.key(ids[:at]) not in seen:
                        seen.add(walk.key(ids[:at]))
                        cold.add((number, at))
                if (number, at) in new:
                    (report.warm_prefix if again else report.cold_prefix).append(took)
                if (number, at) in cold:
                    (report.warm if again else report.cold).append(took)
                if at == len(ids):
                    break
                step, token = walk.step, walk.token(ids[at])
                try:
                    start = clock()
                    outcome = step(*token)
                    took = clock() - start
                except ValueError:
                    break
                if not walk.moved(outcome):
                    break
                if not again:
                    report.advance.append(took)
    return walk


def checked(walk: Walk, constraint: Constraint, eos: int, report: Report) -> None:
    """Whether the examples are accepted and refused as they should be; the masks on the way of the valid ones."""
    index: dict[bytes, int] = {}
    for texts, spelled, wanted in (
        (constraint.valid, constraint.valid_ids, True),
        (constraint.invalid, constraint.invalid_ids, False),
    ):
        for text, ids in zip(texts, spelled, strict=True):
            walk.restart()
            masks: list[int] = []
            good = True
            for token in [*ids, eos]:
                words = walk.words(walk.fill(*walk.where()))
                if wanted:
                    masks.append(index.setdefault(words.tobytes(), len(index)))
                good = bit(words, token)
                fault = walk.fault(words, eos, None if good else token)
                if fault:
                    report.faults.append(f"{text!r}: {fault}")
                if not good or (token == eos and len(masks) > len(ids)):
                    break
                if token != eos and not walk.moved(walk.step(*walk.token(token))):
                    good = False
                    report.faults.append(f"{text!r}: token {token} is in the mask, and is not taken")
                    break
            if wanted:
                report.masks.append(masks)
            if good is not wanted:
                (report.refused if wanted else report.accepted).append(text)
    report.table = list(index)


def memory(engine: Ours, constraints: Sequence[Constraint], traced: bool) -> tuple[int, int]:
    """How many states were asked for their masks, and the bytes that the guides and the caches grew by."""
    engine.forget()
    gc.collect()
    if traced:
        tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0] if traced else resident()
    guides, states = [], 0
    for constraint, limit in zip(constraints, (150, 50, MEMORY_STATES), strict=True):
        guide = engine.guide_of(constraint)
        guides.append(guide)
        todo, seen = [guide.initial], {guide.initial}
        for state in islice(todo, min(limit, MEMORY_STATES - states)):  # `todo` grows while it is read
            states += 1
            tokens = ids_of(guide.mask(state))
            for token in tokens[:: max(1, len(tokens) // 64)]:
                after = guide.advance(state, token)
                if after not in seen and not guide.final(after):
                    seen.add(after)
                    todo.append(after)
    del todo, seen
    gc.collect()
    grown = (tracemalloc.get_traced_memory()[0] if traced else resident()) - before
    if traced:
        tracemalloc.stop()
    return states, grown


def resident() -> int:
    """Bytes of memory that this process has, without what it has freed; 0 where that cannot be read."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, TypeError):
        return 0


def serve(pipe: Any, name: str, vocabulary: str) -> None:
    """The process of one engine: prepare, say how long it took, then do one job after another."""
    warnings.simplefilter("ignore")
    words = Words.read(vocabulary)
    if name != "ours":
        limit_memory()
    import_module("outlines_cont.fsm.guide" if name == "ours" else ENGINES[name].package)
    start = clock()
    engine = ENGINES[name](words)
    prepared = clock() - start
    gc.disable()
    warm_ups = [Constraint("", "", pattern, valid_ids=((), ())) for pattern in WARM_UP]
    start = clock()
    walk = engine.build(warm_ups[0])
    walk.fill(*walk.where())
    first = clock() - start
    choice = Constraint("", "", "red|green|blue", ("red", "green", "blue"))
    digits = replace(warm_ups[0], valid_ids=(tuple(words.text[b"%d" % n] for n in (1, 2, 3)),))
    engine.throw_away = (*warm_ups, choice, digits)
    timed(engine, digits, Report())
    pipe.send((prepared, first))
    while (job := pipe.recv()) is not None:
        what, constraint = job
        if what == "memory":
            pipe.send([memory(engine, constraint, traced) for traced in (False, True)])  # type: ignore[arg-type]
            continue
        report = Report()
        gc.collect()
        try:
            walk = timed(engine, constraint, report) if what == "time" else engine.build(constraint)
            checked(walk, constraint, words.eos, report)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of Rust is no Exception
            report.error = f"{type(error).__name__}: {error}"
        walk = None
        pipe.send(report)


def limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (PEER_MEMORY, PEER_MEMORY))


class Worker:
    """The other end of `serve`: it asks, waits no longer than allowed, and starts anew after a failure."""

    serve = staticmethod(serve)

    def __init__(self, name: str, vocabulary: str, guard: float):
        self.name, self.vocabulary, self.guard = name, vocabulary, guard
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=self.serve, args=(theirs, self.name, self.vocabulary), daemon=True)
        self.process.start()
        theirs.close()
        self.prepared, self.first = self.pipe.recv()

    def ask(self, what: str, about: Any) -> Any:
        """The answer, or a report that there was none."""
        try:
            self.pipe.send((what, about))
            if self.pipe.poll(self.guard):
                return self.pipe.recv()
            error = f"no answer within {self.guard:g} s"
        except (EOFError, OSError):
            error = "the process died (out of memory?)"
        self.stop()
        self.start()
        return Report(error=error)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


# --- what came out


def at(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)] if values else math.nan


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


COLUMNS = ("p50", "p90", "max", "avg", "p50", "p99", "avg", "p50", "p99", "avg", "p50")


def figures(reports: Sequence[Report], suffix: str = "") -> list[float]:
    """A row of the table: ms, ms, ms, then µs."""
    done = [report for report in reports if not report.error]
    first = [report.first / 1e6 for report in done]
    cold, warm, advance = (
        [ns / 1e3 for report in done for ns in getattr(report, which)]
        for which in ("cold" + suffix, "warm" + suffix, "advance")
    )
    row = [at(first, 0.5), at(first, 0.9), at(first, 1)]
    for values in (cold, warm):
        row += [mean(values), at(values, 0.5), at(values, 0.99)]
    return [*row, mean(advance), at(advance, 0.5)]


def number(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def line(name: str, cells: Sequence[str], last: str) -> str:
    blocks = [cells[:3], cells[3:6], cells[6:9], cells[9:]]
    return f"{name:<14}" + " │ ".join("".join(f"{cell:>8}" for cell in block) for block in blocks) + f" │ {last}"


def table(group: str, reports: dict[str, list[Report]]) -> None:
    """One row for each engine, and ours divided by the best of the others, column by column."""
    count = len(next(iter(reports.values())))
    print(f"\n{group}: {count} constraints")
    heads = ("first mask, ms", "cold masks, µs", "warm masks, µs", "advance, µs")
    print(" " * 14 + " │ ".join(f"{h:>{16 if i == 3 else 24}}" for i, h in enumerate(heads)) + " │ right")
    print(line("", COLUMNS, "(not compiled, valid refused, invalid accepted), cold steps"))
    rows = {}
    for name, all_reports in reports.items():
        rows[name] = figures(all_reports)
        right = sum(report.right for report in all_reports)
        errors = sum(bool(report.error) for report in all_reports)
        refused, accepted = (sum(len(getattr(r, k)) for r in all_reports) for k in ("refused", "accepted"))
        steps = sum(len(report.cold) for report in all_reports if not report.error)
        last = f"{right}/{count} ({errors}, {refused}, {accepted}), {steps:,}"
        print(line(name, list(map(number, rows[name])), last))
    peers = {name: row for name, row in rows.items() if name != "ours"}
    if "ours" in rows and peers:
        best = [
            min(((row[i], name) for name, row in peers.items() if not math.isnan(row[i])), default=(math.nan, "–"))
            for i in range(len(COLUMNS))
        ]
        print(line("best peer", [name[:7] for _, name in best], ""))
        print(line("ours ÷ best", [number(a / b) for a, (b, _) in zip(rows["ours"], best, strict=True)], ""))
        same = figures(reports["ours"], "_prefix")
        print(line("by prefix", ["", "", "", *map(number, same[3:9]), "", ""], ""))
        ratios = [number(a / b) for a, (b, _) in zip(same, best, strict=True)]
        print(line("  ÷ best", ["", "", "", *ratios[3:9], "", ""], ""))


class Differences:
    """Where our masks and llguidance's differ in text tokens."""

    def __init__(self, words: Words, shown: int):
        self.words, self.shown = words, shown
        self.compared = self.differ = self.forced = 0
        self.constraints: set[Constraint] = set()

    def compare(self, constraint: Constraint, ours: Report, theirs: Report) -> None:
        for ids, our_masks, their_masks in zip(constraint.valid_ids, ours.masks, theirs.masks, strict=False):
            for step, (a, b) in enumerate(zip(our_masks, their_masks, strict=False)):
                mine = np.frombuffer(ours.table[a], np.int32) & self.words.text_words
                other = np.frombuffer(theirs.table[b], np.int32) & self.words.text_words
                self.compared += 1
                only_mine, only_other = mine & ~other, other & ~mine
                if not only_mine.any() and not only_other.any():
                    continue
                if not only_other.any() and len(ids_of(other)) == 1:
                    self.forced += 1
                    continue
                self.differ += 1
                if constraint not in self.constraints and len(self.constraints) < self.shown:
                    self.show(constraint, ids[:step], only_mine, only_other)
                self.constraints.add(constraint)

    def show(self, constraint: Constraint, prefix: tuple[int, ...], only_mine: Any, only_other: Any) -> None:
        """One line, for the first difference in a constraint."""
        tokens, said = self.words.tokens, []
        for name, ids in (("ours", ids_of(only_mine)), ("llguidance's", ids_of(only_other))):
            if ids:
                said.append(f"{len(ids)} tokens only in {name}, such as {[tokens[i] for i in ids[:3]]}")
        before = b"".join(tokens[i] for i in prefix)
        print(f"  masks of {constraint.pattern[:60]!r} after {before[-30:]!r}: {'; '.join(said)}")

    def summary(self) -> str:
        return (
            f"masks: {self.compared:,} compared with llguidance's; {self.differ} differ, in {len(self.constraints)} "
            f"constraints; in {self.forced} more llguidance allows one token only of several that are right"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Masks of constraints: ours, llguidance, xgrammar, outlines-core.")
    parser.add_argument(
        "--vocabulary", default="tekken131k", help="a name in the data's vocab folder, or a tokenizer's folder"
    )
    parser.add_argument("--engines", nargs="*", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--quick", action="store_true", help="fewer patterns; ours and llguidance only")
    parser.add_argument("--each", action="store_true", help="a line for every constraint")
    parser.add_argument("--guard", type=float, default=20, help="seconds that an engine has for a constraint")
    parser.add_argument("--differences", type=int, default=8, help="differing masks to be shown")
    options = parser.parse_args()
    if not (DATA / "vocab").is_dir():
        print(f"no data in {DATA}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    for library in THREADS:
        os.environ[f"{library}_NUM_THREADS"] = "1"
    warnings.simplefilter("ignore")

    words = Words.read(options.vocabulary)
    patterns, left_out = wild()
    if options.quick:
        patterns = patterns[::6]
    constraints = [*everyday(), *(choices()[:1] if options.quick else choices()), *patterns]
    for constraint in constraints:
        constraint.check()
    constraints = [words.spelled(constraint) for constraint in constraints]
    steps = sum(len(ids) + 1 for constraint in constraints for ids in constraint.valid_ids)
    print(f"{options.vocabulary}: {len(words.tokens):,} tokens; {len(constraints)} constraints, {steps:,} steps")
    for reason in left_out:
        print(f"  pattern left out: {reason}")

    gate = Worker("ours", options.vocabulary, options.guard)
    print(f"ours, the first process: vocabulary {gate.prepared / 1e9:.2f} s, first call {gate.first / 1e9:.3f} s")
    ours = {constraint: gate.ask("check", constraint) for constraint in constraints}
    gate.stop()
    red = False
    for constraint, report in ours.items():
        if not report.right:
            print(f"  ours, {constraint.name[:60]!r}: {complaint(report)}")
            red |= not report.error.startswith("ConstraintError")  # what is refused by name is not wrong
    compiled = sum(not report.error for report in ours.values())
    print(f"correctness of ours: {'RED' if red else 'green'}, {compiled} of {len(constraints)} compiled")
    if red:
        return 1

    wanted = ["ours", "llguidance"] if options.quick else options.engines
    missing = [name for name in wanted if importlib.util.find_spec(ENGINES[name].package) is None]
    for name in missing:
        print(f"{name} is left out: {ENGINES[name].package} is not installed")
    workers = {name: Worker(name, options.vocabulary, options.guard) for name in wanted if name not in missing}
    for name, worker in workers.items():
        tag = f" {version(ENGINES[name].package)}" if name != "ours" else ""
        print(f"{name}{tag}: vocabulary {worker.prepared / 1e9:.2f} s, first call {worker.first / 1e9:.3f} s")
    differences = Differences(words, options.differences)
    reports: dict[str, dict[str, list[Report]]] = {}
    slow: set[str] = set()
    for constraint in constraints:
        group = reports.setdefault(constraint.group, {name: [] for name in workers})
        for name, worker in workers.items():
            if constraint.options and name in slow:
                report = Report(error="left out: a tenth of the options took too long")
            else:
                report = worker.ask("time", constraint)
            if constraint.options and report.first / 1e9 * 10 > options.guard:
                slow.add(name)
            group[name].append(report)
            if name == "llguidance":
                differences.compare(constraint, ours[constraint], report)
            if name != "ours" and not report.right:
                print(f"  {name}, {constraint.name[:60]!r}: {complaint(report)}")
            report.masks, report.table = [], []
        if options.each:
            cells = [
                f"{name} {number(r[-1].first / 1e6)} ms, {number(mean(r[-1].cold) / 1e3)} µs"
                for name, r in group.items()
            ]
            print(f"{constraint.name[:40]:<40} {'; '.join(cells)}")
    if "llguidance" in workers:
        print(differences.summary())
    for group, by_engine in reports.items():
        table(group, by_engine)
    for worker in workers.values():
        worker.stop()
    if "ours" in workers:
        report_memory(constraints, options.vocabulary)
    return 0


def report_memory(constraints: Sequence[Constraint], vocabulary: str) -> None:
    """Print what guides with many states hold, in a process that did nothing else."""
    by_name = {constraint.name: constraint for constraint in constraints}
    walked = [by_name["lower case, 1 to 200"], by_name["e-mail"], by_name["choice of 1,000"]]
    worker = Worker("ours", vocabulary, 600)
    answer = worker.ask("memory", walked)
    worker.stop()
    if isinstance(answer, Report):
        print(f"memory of ours: {answer.error}")
        return
    (states, grown), (_, traced) = answer
    print(
        f"\nmemory of ours, {states:,} states of {len(walked)} guides asked for their masks: "
        f"{traced / 2**20:.1f} MiB allocated (tracemalloc), {grown / 2**20:.1f} MiB more resident"
    )


def complaint(report: Report) -> str:
    """What was wrong, in a line."""
    said = [report.error.splitlines()[0][:120]] if report.error else []
    for what, texts in (("refuses", report.refused), ("accepts", report.accepted), ("", report.faults)):
        if texts:
            said.append(f"{what} {', '.join(repr(text)[:50] for text in texts[:2])}".strip())
    return "; ".join(said)


if __name__ == "__main__":
    sys.exit(main())
