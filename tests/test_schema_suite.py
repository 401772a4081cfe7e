"""The official JSON Schema test suite, draft 2020-12: what is compiled is right, and nearly all of it is compiled.

`python tests/test_schema_suite.py` prints a table by file; `--wrong` and `--refused` list what it counts. A schema that
is refused by name counts as `refused` with all its tests; of the others a test is `pass` or `wrong`. Every instance is
spelled in several ways, and must be judged rightly in each: with the numbers as the file has them (`1.0`, `1e308`, 50
digits), and as `json.dumps` writes it; with and without escapes for what is not ASCII. Schemas keep their numbers, too.

The required files and most of `optional/` take `format` as an annotation, `optional/format/` as an assertion. What lies
in the suite's `remotes/` is not given to the compiler. `known` are tests of formats that are meant to fail, see KNOWN.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.vocabulary import Vocabulary

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parents[2] / "shared" / "data"))
SUITE = DATA / "schemas" / "json-schema-test-suite" / "draft2020-12"
BYTES = Vocabulary([*(bytes([i]) for i in range(256)), b"<eos>"], eos=[256])

needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason=f"the JSON Schema test suite is not in {SUITE}")


#: Where formats are narrower, or wider, than the suite has them: the file, what the test's name has in it, and why.
KNOWN = (
    ("hostname", "A-label", "accepts", "what a label in Punycode stands for is not looked at"),
    ("time", "leap second, positive", "refuses", "a leap second is written in UTC"),
    ("time", "leap second, large positive", "refuses", "as before"),
    ("time", "leap second, negative", "refuses", "as before"),
    ("time", "leap second, large negative", "refuses", "as before"),
    ("date-time", "leap second", "refuses", "as before"),
    ("email", "with a @ in the local part", "refuses", "the @ of an address is there once"),
)
KINDS = ("pass", "refused", "known", "wrong")


class Outcome(NamedTuple):
    """What became of one test."""

    kind: str  # one of KINDS
    about: str


class Numeral(str):
    """A number, as it is written."""


def spell(value: Any, ensure_ascii: bool) -> str:
    """`json.dumps`, compact, for values whose numbers are numerals."""
    if isinstance(value, Numeral):
        return value
    if isinstance(value, list):
        return "[" + ",".join(spell(item, ensure_ascii) for item in value) + "]"
    if isinstance(value, dict):
        members = (f"{json.dumps(k, ensure_ascii=ensure_ascii)}:{spell(v, ensure_ascii)}" for k, v in value.items())
        return "{" + ",".join(members) + "}"
    return json.dumps(value, ensure_ascii=ensure_ascii)


def spellings(data: Any) -> set[bytes]:
    """An instance whose numbers are numerals, spelled in every way that is tried."""
    found = {spell(data, ensure_ascii) for ensure_ascii in (False, True)}
    value = json.loads(spell(data, True))
    for ensure_ascii in (False, True):
        try:
            found.add(json.dumps(value, separators=(",", ":"), ensure_ascii=ensure_ascii, allow_nan=False))
        except ValueError:  # 1e400, which Python reads as infinite
            break
    return {text.encode() for text in found}


def accepts(g: Guide, text: bytes) -> bool:
    """Whether a guide over single bytes has this text."""
    state = g.advance_all(g.initial, text)
    return state is not None and g.accepting(state)


def outcomes(path: Path, format: str) -> Iterator[Outcome]:
    """What becomes of every test of a file."""
    groups = json.loads(path.read_text(encoding="utf-8"), parse_int=Numeral, parse_float=Numeral)
    for group in groups:
        schema, g, failure = spell(group["schema"], True), None, None
        try:
            g = guide.json_schema(schema, BYTES, whitespace="compact", order="any", extra="schema", format=format)
        except ConstraintError as error:
            if not str(error).endswith("matches no string"):  # which is an answer: nothing is valid
                failure = Outcome("refused", f"{group['description']}: {error}")
        except Exception as error:
            failure = Outcome("wrong", f"{group['description']}: {type(error).__name__}: {error}: {schema}")
        if failure is not None:
            yield from [failure] * len(group["tests"])
            continue
        for test in group["tests"]:
            said = {text: g is not None and accepts(g, text) for text in spellings(test["data"])}
            bad = [text.decode() for text, accepted in said.items() if accepted is not test["valid"]]
            about = f"{group['description']}, {test['description']}: {'refuses' if test['valid'] else 'accepts'}"
            known = any(path.stem == file and name in about and verb in about for file, name, verb, _ in KNOWN)
            kind = "known" if known and format == "assert" else "wrong"
            yield Outcome(kind, f"{about} {bad[0]} of {schema}") if bad else Outcome("pass", about)


def judged(folder: str, format: str, names: list[str] | None = None) -> dict[str, list[Outcome]]:
    """The outcomes of every file of a folder of the suite, or of those files with a name of `names`."""
    paths = [path for path in sorted((SUITE / folder).glob("*.json")) if not names or path.stem in names]
    formats = {path: "assert" if path.stem == "format-assertion" else format for path in paths}
    return {str(path.relative_to(SUITE)): list(outcomes(path, formats[path])) for path in paths}


def count(found: list[Outcome]) -> Counter[str]:
    return Counter(outcome.kind for outcome in found)


def table(by_file: dict[str, list[Outcome]]) -> str:
    """A line for each file, and one for all."""
    rows = [(name, count(found)) for name, found in by_file.items()]
    rows.append(("all", sum((counts for _, counts in rows), Counter())))
    width = max(len(name) for name, _ in rows)
    lines = [f"{'':<{width}}" + "".join(f"{kind:>9}" for kind in KINDS)]
    lines += [f"{name:<{width}}" + "".join(f"{counts[kind]:>9}" for kind in KINDS) for name, counts in rows]
    return "\n".join(lines)


def listed(by_file: dict[str, list[Outcome]], kind: str) -> str:
    """What is of one kind, each once."""
    lines = (f"{kind}: {name}: {o.about}" for name, found in by_file.items() for o in found if o.kind == kind)
    return "\n".join(dict.fromkeys(lines))


FOLDERS = {
    "required": (".", "annotate"),
    "optional": ("optional", "annotate"),
    "formats": ("optional/format", "assert"),
}


@needs_suite
@pytest.mark.parametrize("which", FOLDERS)
def test_the_official_suite(which):
    by_file = judged(*FOLDERS[which])
    total = sum(map(count, by_file.values()), Counter())
    assert total["wrong"] == 0, f"\n{table(by_file)}\n{listed(by_file, 'wrong')}"
    if which == "required":
        assert total["pass"] >= 0.9 * total.total() > 1000, f"\n{table(by_file)}\n{listed(by_file, 'refused')}"


def test_numbers_keep_their_spelling():
    value = json.loads(
        '{"a": [1.0, 1E400, -0, 12345678901234567890123], "é": "1.0"}', parse_int=Numeral, parse_float=Numeral
    )
    assert spell(value, False) == '{"a":[1.0,1E400,-0,12345678901234567890123],"é":"1.0"}'
    assert spellings(value) == {spell(value, False).encode(), spell(value, True).encode()}
    assert spellings(Numeral("1e2")) == {b"1e2", b"100.0"}


def main() -> int:
    parser = argparse.ArgumentParser(description="The official JSON Schema test suite, by file.")
    parser.add_argument("files", nargs="*", help="only these: anyOf, ref …")
    parser.add_argument("--wrong", action="store_true", help="list the tests that are judged wrongly")
    parser.add_argument("--refused", action="store_true", help="list the schemas that are refused, and why")
    options = parser.parse_args()
    if not SUITE.is_dir():
        print(f"no suite in {SUITE}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    wrong = 0
    for which, (folder, format) in FOLDERS.items():
        by_file = judged(folder, format, options.files)
        if not by_file:
            continue
        print(f'{which}, format="{format}"\n{table(by_file)}')
        for kind in ("wrong", "refused"):
            if getattr(options, kind) and any(o.kind == kind for found in by_file.values() for o in found):
                print(listed(by_file, kind))
        print()
        wrong += sum(count(found)["wrong"] for found in by_file.values())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
