"""The official JSON Schema test suite, five drafts: what is compiled is right, and nearly all of it is compiled.

`python tests/test_schema_suite.py` prints a table by file; `--wrong` and `--refused` list what it counts, `--drafts`
chooses. A schema that is refused by name counts as `refused` with all its tests. Of the others a test is `pass` or
`wrong`; `empty` passes, too: the schema is said to match nothing, and the instance is invalid. Every instance is
spelled in several ways, and must be judged rightly in each: with the numbers as the file has them (`1.0`, `1e308`, 50
digits), and as `json.dumps` writes it; with and without escapes for what is not ASCII. Schemas keep their numbers, too.

Every schema says its draft in `$schema`. The required files and most of `optional/` take `format` as an annotation,
`optional/format/` as an assertion. Other documents that a schema refers to are bundled, as the standard has it: they
stand under `$defs`, each with its URI. Those are the suite's `remotes/`, as far as the data have them (draft 2020-12),
and the metaschemas. `known` are tests that are meant to fail, see KNOWN.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest
from jsonschema_specifications import REGISTRY as SPECIFICATIONS

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.vocabulary import Vocabulary

DATA = Path(os.environ.get("OUTLINES_CONT_DATA", Path(__file__).parents[2] / "shared" / "data"))
SUITE = DATA / "schemas" / "json-schema-test-suite"
BYTES = Vocabulary([*(bytes([i]) for i in range(256)), b"<eos>"], eos=[256])

needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason=f"the JSON Schema test suite is not in {SUITE}")


#: The drafts: their folder in the suite, and their URI.
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
#: Where we differ from the suite: the folder and the file, what the test's name has in it, and why.
KNOWN = (
    ("format/hostname", "A-label", "accepts", "what a label in Punycode stands for is not looked at"),
    ("format/time", "leap second, positive", "refuses", "a leap second is written in UTC"),
    ("format/time", "leap second, large positive", "refuses", "as before"),
    ("format/time", "leap second, negative", "refuses", "as before"),
    ("format/time", "leap second, large negative", "refuses", "as before"),
    ("format/date-time", "leap second", "refuses", "as before"),
    ("format/email", "with a @ in the local part", "refuses", "the @ of an address is there once"),
    ("format/ecmascript-regex", "named groups and backreferences", "refuses", "Python spells them otherwise"),
    ("format/ecmascript-regex", "lookbehind", "refuses", "Python reads those of one width only"),
    ("format/ecmascript-regex", "character classes and escapes", "refuses", "Python does not read them"),
    ("optional/content", "", "accepts", "in draft 7 `contentEncoding` may be an assertion: here it only describes"),
    ("optional/dependencies-compatibility", "", "accepts", "`dependencies` is no keyword from 2019-09 on"),
)
KINDS = ("pass", "empty", "refused", "known", "wrong")
#: The most tests that are refused, in the folders, by draft. Most are references to remotes that the data lack.
REFUSED = {
    "required": {"draft4": 18, "draft6": 24, "draft7": 24, "draft2019-09": 37, "draft2020-12": 6},
    "optional": {"draft4": 4, "draft6": 4, "draft7": 6, "draft2019-09": 5, "draft2020-12": 9},
    "formats": {"draft4": 0, "draft6": 0, "draft7": 89, "draft2019-09": 90, "draft2020-12": 90},
}


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


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"), parse_int=Numeral, parse_float=Numeral)


@cache
def documents() -> dict[str, Any]:
    """What the schemas of the suite refer to, by URI."""
    remotes = SUITE / "remotes"
    found = {f"http://localhost:1234/{path.relative_to(remotes).as_posix()}": path for path in remotes.rglob("*.json")}
    metaschemas = {uri: SPECIFICATIONS.contents(uri) for uri in SPECIFICATIONS}
    return {uri: read(path) for uri, path in found.items()} | metaschemas


def bundled(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema, with the documents that it refers to, and those that they refer to, under `$defs`."""
    needed: dict[str, Any] = {}
    todo = [(schema, "")]
    while todo:
        part, base = todo.pop()
        if not isinstance(part, dict):
            todo += [(inner, base) for inner in part] if isinstance(part, list) else []
            continue
        base = urljoin(base, identifier(part))
        for keyword in ("$ref", "$dynamicRef"):
            uri = urljoin(base, part[keyword]).partition("#")[0] if isinstance(part.get(keyword), str) else ""
            if uri in documents() and uri not in needed:
                needed[uri] = found_at(uri, documents()[uri])
                todo.append((needed[uri], uri))
        todo += [(inner, base) for inner in part.values()]
    return {**schema, "$defs": {**schema.get("$defs", {}), **needed}} if needed else schema


def identifier(schema: dict[str, Any]) -> str:
    return next((schema[name] for name in ("$id", "id") if isinstance(schema.get(name), str)), "").removesuffix("#")


def found_at(uri: str, document: dict[str, Any]) -> dict[str, Any]:
    """A document that says its URI; where it says another one, what leads to it."""
    other = identifier(document)
    if not other:
        return {"$id": uri, **document}
    return document if other == uri else {"$id": uri, "$ref": other, "$defs": {"there": document}}


def outcomes(path: Path, draft: str, format: str) -> Iterator[Outcome]:
    """What becomes of every test of a file."""
    for group in read(path):
        schema, g, failure = group["schema"], None, None
        if isinstance(schema, dict):
            schema = bundled({"$schema": DRAFTS[draft], **schema})
        schema = spell(schema, True)
        try:
            g = guide.json_schema(
                schema, BYTES, whitespace="compact", order="any", extra="schema", format=format, spelling="any"
            )
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
            file = f"{path.parent.name}/{path.stem}"
            known = any(file == where and name in about and verb in about for where, name, verb, _ in KNOWN)
            if bad:
                yield Outcome("known" if known else "wrong", f"{about} {bad[0]} of {schema}")
            else:
                yield Outcome("empty" if g is None else "pass", about)


def judged(draft: str, folder: str, format: str, names: list[str] | None = None) -> dict[str, list[Outcome]]:
    """The outcomes of every file of a folder of the suite, or of those files with a name of `names`."""
    paths = [path for path in sorted((SUITE / draft / folder).glob("*.json")) if not names or path.stem in names]
    formats = {path: "assert" if path.stem == "format-assertion" else format for path in paths}
    return {str(path.relative_to(SUITE)): list(outcomes(path, draft, formats[path])) for path in paths}


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
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_official_suite(draft, which):
    by_file = judged(draft, *FOLDERS[which])
    total = sum(map(count, by_file.values()), Counter())
    assert total["wrong"] == 0, f"\n{table(by_file)}\n{listed(by_file, 'wrong')}"
    assert total["refused"] <= REFUSED[which][draft], f"\n{table(by_file)}\n{listed(by_file, 'refused')}"
    assert total["pass"] > {"required": 500, "optional": 40, "formats": 0}[which]


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
    parser.add_argument("--drafts", nargs="+", choices=DRAFTS, default=list(DRAFTS))
    parser.add_argument("--wrong", action="store_true", help="list the tests that are judged wrongly")
    parser.add_argument("--refused", action="store_true", help="list the schemas that are refused, and why")
    options = parser.parse_args()
    if not SUITE.is_dir():
        print(f"no suite in {SUITE}: set OUTLINES_CONT_DATA", file=sys.stderr)
        return 2
    wrong = 0
    for draft, (which, (folder, format)) in product(options.drafts, FOLDERS.items()):
        by_file = judged(draft, folder, format, options.files)
        if not by_file:
            continue
        print(f'{draft}, {which}, format="{format}"\n{table(by_file)}')
        for kind in ("wrong", "refused"):
            if getattr(options, kind) and any(o.kind == kind for found in by_file.values() for o in found):
                print(listed(by_file, kind))
        print()
        wrong += sum(count(found)["wrong"] for found in by_file.values())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
