"""What holds of every constraint that somebody may write: one is drawn, compiled, walked and judged by an oracle.

`CHECKS[kind](random, tell)` draws one and checks it:

- it is compiled, or refused with our words (`ConstraintError`);
- the laws of guides hold along random walks, for vocabularies that cut characters in two, have tokens twice, or lack
  bytes; each walk comes to an end, or at least can go on;
- a text that a walk made is right, and texts near to it are accepted or refused, as the oracle says: `jsonschema` under
  the schema's own draft, `re.fullmatch`, lark's Earley parser, or enumeration;
- of guides within so many tokens ("whole"): every walk closes in them.

`Outcome` says what became of it; what does not hold raises an error. `tell(phase)` is called before each piece of work
of ours ("compile", "walk") and of the oracle's ("oracle"), so that a caller may watch the time of each.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import jsonschema
import jsonschema_specifications
import pytest
import test_grammar
import test_regex
from drawn_constraints import TextCase, changed_text, changed_value, grammar_of, near, pattern_of, places, schema_of
from guides import check_guide
from json_cases import BYTES, accepts, allowed, exact, number, read, walk
from test_drafts import VALIDATORS

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.endings import endings_of
from outlines_cont.fsm.guide import FINAL
from outlines_cont.fsm.guide import AutomatonGuide as Guide
from outlines_cont.fsm.json_schema.drafts import FOREIGN
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.fsm.within import Within

Tell = Callable[[str], None]


@dataclass
class Outcome:
    """What became of one constraint.

    Attributes:
        shown: the constraint.
        refused: our message, where it was refused; "" else.
        counts: what was asked of it, by kind.
    """

    shown: str = ""
    refused: str = ""
    counts: Counter[str] = field(default_factory=Counter)


class Wrong(AssertionError):
    """The oracle says something else."""


# ------------------------------------------------------------------------------------------------------- vocabularies

#: The first 257 tokens of a vocabulary are eos and the bytes; others end within characters, come twice, or are special.
SPLITTING = [
    b"a\xc3",
    b"\xa9b",
    b'"\xc3',
    b'\xa9"',
    b"\xf0\x9f",
    b"\x98\x80",
    b"\x80a",
    b"\xe2\x80",
    b"\xa8",
    b"\xc5\xbf\xc3",
]
SPLITTING += [
    b"ab",
    b"ab",
    b"aa",
    b"a",
    b'":',
    b'","',
    b"\\u0",
    b"ba\n",
    b"  ",
    b"<s>",
    b"</s>",
    b"12",
    b'{"a":',
    b"1e",
]
SPLIT = Vocabulary(
    [b"<eos>", *(bytes([i]) for i in range(256)), *SPLITTING],
    eos=[0, 257 + SPLITTING.index(b"</s>")],
    special=[257 + SPLITTING.index(b"<s>")],
)


@cache
def poor(number: int) -> Vocabulary:
    """A vocabulary that lacks some bytes, or has them only inside of longer tokens."""
    r = Random(number)
    single = r.sample([*b'ab01{}[]":,ntruefalsls-.\\ '], r.randrange(3, 24))
    longer = [bytes(r.sample([*b'ab01{}":,\xc3\xa9c'], r.randrange(2, 4))) for _ in range(r.randrange(1, 12))]
    return Vocabulary([b"<eos>", *(bytes([i]) for i in single), *longer, *test_grammar.V.tokens[-3:]], eos=[0])


def vocabulary(r: Random) -> Vocabulary:
    draw = r.random()
    v = BYTES if draw < 0.45 else SPLIT if draw < 0.85 else poor(r.randrange(60))
    v.cache.clear()  # so that no case finds what another one left
    return v


def whole(v: Vocabulary) -> bool:
    """Whether a vocabulary has every byte as a token."""
    return v is BYTES or v is SPLIT


# -------------------------------------------------------------------------------------------------------------- walks

FOLLOWED = 1_500  # states that are looked at for the shortest way out


def walked(g: Guide, r: Random, counts: Counter[str]) -> bytes | None:
    """A random text, with the shortest way out after some tokens; None if it is longer than we look."""
    state, data, tokens = g.initial, bytearray(), g.vocabulary.tokens
    for _ in range(r.choice([0, 1, 3, 8, 20])):
        options = allowed(g, state)
        assert options, f"a dead end after {bytes(data)!r}"
        usual = [t for t in options if tokens[t].isascii()]
        token = r.choice(usual if usual and r.random() < 0.7 else options)
        following = g.advance(state, token)
        assert following is not None, f"the mask after {bytes(data)!r} allows {tokens[token]!r}, which is not taken"
        if following == FINAL:
            return bytes(data)
        data += tokens[token]
        state = following
    end = shortest_way_out(g, state, bytes(data))
    counts["walks that ended" if end is not None else "walks that were given up"] += 1
    return None if end is None else bytes(data) + end


def shortest_way_out(g: Guide, state: int, before: bytes) -> bytes | None:
    """The bytes of the fewest tokens to an end; None if it is not among the first states that are looked at.

    Raises:
        AssertionError: there is none.
    """
    came: dict[int, tuple[int, int] | None] = {state: None}
    for now in (todo := [state]):
        if g.accepting(now):
            ids: list[int] = []
            step = came[now]
            while step is not None:
                ids.append(step[1])
                step = came[step[0]]
            return g.vocabulary.decode(ids[::-1])
        options = allowed(g, now)
        assert options, f"a dead end behind {before!r}"
        for token in options:
            after = g.advance(now, token)
            assert after is not None, f"a mask behind {before!r} allows token {token}, which is not taken"
            if after not in came:
                came[after] = (now, token)
                todo.append(after)
        if len(todo) > FOLLOWED:
            return None
    raise AssertionError(f"no way leads to an end behind {before!r}")


def lawful(g: Guide, r: Random) -> None:
    """The laws of guides, on a few random walks."""
    check_guide(g, walks=r.choice([1, 2]), steps=r.choice([3, 10, 25]), tokens=60, seed=r.randrange(2**30))


# ------------------------------------------------------------------------------------------------------------ schemas

AGREED_FORMATS = ("date", "ipv4", "uuid")  # what jsonschema checks as the standard says, in all of its versions


def exclusion(schema: Any, draft: str | None, asserts: bool) -> str:
    """Why jsonschema is not asked, or not believed; "" if it is."""
    keys = {key for holder, key, _ in [*places(schema)] if isinstance(holder, dict)}
    formats = {holder[key] for holder, key, _ in places(schema) if key == "format" and isinstance(holder[key], str)}
    if asserts and not formats <= {*AGREED_FORMATS, "what", "int32", ""}:
        return "jsonschema's checks of formats are looser than the standard, or need other packages"
    lists = any(key == "items" and isinstance(holder[key], list) for holder, key, _ in places(schema))
    if draft is None and (lists or keys & FOREIGN["2020-12"]):
        return "the schema says no draft and mixes several: jsonschema reads it as 2020-12"
    parts = [
        holder[key] for holder, key, _ in places(schema) if key in ("additionalProperties", "unevaluatedProperties")
    ]
    if draft and "2019-09" in draft and "unevaluatedProperties" in keys and any(isinstance(x, dict) for x in parts):
        return "jsonschema, under 2019-09, says that what a schema in additionalProperties speaks of is unevaluated"
    named = [holder[key] for holder, key, _ in places(schema) if key == "patternProperties"]
    if any(isinstance(patterns, dict) and [*patterns] == [""] for patterns in named):
        return "jsonschema takes the lone pattern '' for none, where it looks for additional properties"
    if "$schema" in {key for holder, key, way in places(schema) if len(way) > 1}:
        return "a $schema inside: jsonschema reads the whole schema under one draft"
    return ""


def ecma(pattern: str) -> str:
    """A pattern of ECMA-262 for `re.search`: `$` is the very end; `.`, `\\s`, `\\d`, `\\w` are narrower."""
    classes = {
        r"\d": "0-9",
        r"\w": "A-Za-z0-9_",
        r"\s": "\\t-\\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    }
    inside = False

    def one(m: re.Match[str]) -> str:
        nonlocal inside
        piece = m[0]
        if piece in classes:
            return classes[piece] if inside else f"[{classes[piece]}]"
        if piece.lower() in classes:
            if inside:
                raise re.error("a negated class inside a class")
            return f"[^{classes[piece.lower()]}]"
        if piece in (r"\b", r"\B") and not inside:
            return f"(?a:{piece})"
        if not inside and piece in "$.":
            return r"\Z" if piece == "$" else "[^\\n\\r\u2028\u2029]"
        if re.fullmatch(r"\\[pPckZA].*", piece) or piece in (r"\u", r"\x"):
            raise re.error("not in Python")
        inside = piece == "[" or (inside and piece != "]")
        return piece

    return re.sub(r"\\.|[\[\]$.]", one, pattern, flags=re.S)


NAMED = ("properties", "$defs", "definitions", "dependentSchemas", "dependencies")


def with_patterns(schema: Any, change: Callable[[str], str]) -> Any:
    """A schema whose patterns are changed, wherever a schema stands."""
    if isinstance(schema, list):
        return [with_patterns(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    new: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("enum", "const", "required", "examples", "default"):
            new[key] = value
        elif key == "pattern" and isinstance(value, str):
            new[key] = change(value)
        elif key in (*NAMED, "patternProperties") and isinstance(value, dict):
            named = key != "patternProperties"
            new[key] = {name if named else change(name): with_patterns(part, change) for name, part in value.items()}
        else:
            new[key] = with_patterns(value, change)
    return new


def with_null(schema: Any) -> Any:
    """The same schema, with OpenAPI's `nullable` as a type, which it is for generation only."""
    if isinstance(schema, list):
        return [with_null(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {word: value if word in ("enum", "const") else with_null(value) for word, value in schema.items()}
    if schema.get("nullable") is True and isinstance(schema.get("type"), (str, list)):
        types = schema["type"]
        whole["type"] = [*dict.fromkeys([*(types if isinstance(types, list) else [types]), "null"])]
    return whole


class Judge:
    """What jsonschema says of texts; None where it has no answer. `silent`: why it has none to any."""

    def __init__(self, schema: Any, asserts: bool):
        uri = schema.get("$schema") if isinstance(schema, dict) else None
        draft = next(
            (known for known in VALIDATORS if isinstance(uri, str) and known.rstrip("#") == uri.rstrip("#")), None
        )
        self.silent = exclusion(schema, draft, asserts)
        if uri is not None and draft is None:
            self.silent = "a $schema that jsonschema reads as another draft"
        validator = VALIDATORS[draft or "https://json-schema.org/draft/2020-12/schema"]
        self.integral = (lambda text: Fraction(text)) if draft and "draft-04" in draft else number
        self.is_schema = True
        self.validator: Any = None
        if self.silent:
            return
        try:
            validator.check_schema(schema)
        except jsonschema.SchemaError:
            self.is_schema, self.silent = False, "no schema, as jsonschema says"
        except Exception as error:
            self.silent = f"jsonschema cannot look at the schema: {type(error).__name__}"
        if self.silent:
            return
        try:
            exactly = json.loads(json.dumps(with_patterns(schema, ecma)), parse_float=number)
        except re.error:
            self.silent = "a pattern that Python cannot read as ECMA-262 does"
            return
        checker = jsonschema.FormatChecker(AGREED_FORMATS) if asserts else None
        registry = jsonschema_specifications.REGISTRY
        self.validator = exact(validator)(exactly, format_checker=checker, registry=registry)

    def __call__(self, text: str | bytes) -> bool | None:
        if self.validator is None:
            return None
        try:
            value = self.read(text)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.validator.is_valid(value)
        except AssertionError:
            raise
        except Exception as error:
            self.silent = f"jsonschema fails: {type(error).__name__}"
            return None

    def read(self, text: str | bytes) -> Any:
        if self.integral is number:
            return read(text)
        return json.loads(text, parse_float=self.integral)


def wild(text: bytes | str) -> bool:
    """Whether a text has a number that no oracle reads in time."""
    data = text if isinstance(text, str) else text.decode()
    return re.search(r"[eE][-+]?\d{3}|\d{300}", data) is not None


def spelled(r: Random, value: Any) -> str:
    """A JSON text of a value, with whitespace as `flexible` has it, and the characters of strings as they may be."""
    spaces = ["", "", " ", "\n", "\n\t ", "\r\n  "] if r.random() < 0.4 else [""]
    escapes = r.random() < 0.2

    def write(value: Any) -> str:
        if isinstance(value, (list, dict)) and value:
            items = (
                [f"{write(name)}{r.choice(spaces)}:{r.choice(spaces)}{write(x)}" for name, x in value.items()]
                if isinstance(value, dict)
                else [write(x) for x in value]
            )
            opening, closing = "{}" if isinstance(value, dict) else "[]"
            inside = f"{r.choice(spaces)},{r.choice(spaces)}".join(items)
            return f"{opening}{r.choice(spaces)}{inside}{r.choice(spaces)}{closing}"
        if isinstance(value, (float, Fraction)):
            return decimal(Fraction(value) if isinstance(value, Fraction) else Fraction(repr(value)))
        return json.dumps(value, ensure_ascii=escapes)

    return write(value)


def decimal(x: Fraction) -> str:
    """A number without exponent: the spelling that every number has."""
    places = 0
    while (x * 10**places).denominator != 1:
        places += 1
    digits = str(abs(int(x * 10**places))).rjust(places + 1, "0")
    sign = "-" if x < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


#: As the standard has it, in which the guide and the oracle have to agree both ways.
STANDARD = {"order": "any", "extra": "schema", "whitespace": "flexible", "spelling": "any"}


def options_of(r: Random) -> dict[str, str]:
    if r.random() < 0.6:
        return STANDARD | {"format": r.choice(["annotate", "annotate", "assert"])}
    return {
        "order": r.choice(["any", "schema"]),
        "extra": r.choice(["forbid", "schema"]),
        "whitespace": r.choice(["compact", "flexible", " ?"]),
        "spelling": r.choice(["any", "plain"]),
        "format": r.choice(["annotate", "assert"]),
    }


def check_schema(r: Random, tell: Tell, case: Any = None) -> Outcome:
    case, options, v = case or schema_of(r), options_of(r), vocabulary(r)
    outcome = Outcome(f"{options}, {_name(v)}: {shown_json(case.schema)}")
    g = compiled(lambda: guide.json_schema(case.schema, v, **options), tell, outcome)
    if g is None and not outcome.refused.endswith("matches no string"):
        return outcome
    tell("oracle")
    judged = with_null(case.schema) if options.get("extra") == "forbid" else case.schema
    judge = Judge(judged, options["format"] == "assert")
    if judge.silent:
        outcome.counts[f"not judged: {judge.silent}"] += 1
    standard = whole(v) and STANDARD.items() <= options.items()
    texts = on_the_way(outcome, lambda: _schema_walks(g, r, tell, outcome, judge)) if g is not None else []
    if not standard or texts is None:
        return outcome
    values = [near(r, case.schema, case.schema) for _ in range(6)]
    values += r.sample(case.instances, min(3, len(case.instances)))
    values += [json.loads(text) for text in texts if not wild(text)]
    values += [changed_value(r, value) for value in r.choices(values, k=6)]
    on_the_way(outcome, lambda: _instances(g, r, tell, outcome, judge, values))
    return outcome


def _schema_walks(g: Guide, r: Random, tell: Tell, outcome: Outcome, judge: Judge) -> list[bytes]:
    tell("walk")
    lawful(g, r)
    texts = []
    for _ in range(3):
        tell("walk")
        text = walk(g, r, r.choice([0, 3, 10, 30])) if whole(g.vocabulary) else walked(g, r, Counter())
        outcome.counts["walks that ended" if text is not None else "walks that were given up"] += 1
        if text is None:
            continue
        try:
            json.loads(text)
        except ValueError as error:
            raise Wrong(f"a walk gives {text!r}, which is no JSON: {error}") from None
        if not wild(text):
            texts.append(text)
            tell("oracle")
            if judge(text) is False:
                raise Wrong(f"a walk gives {text.decode()}, which jsonschema refuses")
    return texts


def _instances(g: Guide | None, r: Random, tell: Tell, outcome: Outcome, judge: Judge, values: list[Any]) -> None:
    for value in values:
        text = spelled(r, value)
        tell("oracle")
        expected = judge(text) if not wild(text) else None
        tell("walk")
        ours = g is not None and accepts(g, text)
        outcome.counts[f"instances: {'valid' if expected else 'not judged' if expected is None else 'invalid'}"] += 1
        if expected is not None and ours is not expected:
            raise Wrong(f"we {'accept' if ours else 'refuse'} {text}, jsonschema does not")


def shown_json(schema: Any) -> str:
    try:
        return json.dumps(schema)
    except (ValueError, TypeError, RecursionError):
        return f"a schema that cannot be shown: {type(schema).__name__}"


# ----------------------------------------------------------------------------------------------------------- patterns


def check_pattern(r: Random, tell: Tell, case: TextCase | None = None) -> Outcome:
    case, v = case or pattern_of(r), vocabulary(r)
    pattern = case.text
    outcome = Outcome(f"{_name(v)}: {pattern!r}")
    tell("oracle")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern)
            readable = True
        except RecursionError:
            readable = None
        except (re.error, OverflowError, ValueError):
            readable = False
    g = compiled(lambda: guide.regex(pattern, v), tell, outcome)
    if readable is None:
        outcome.counts["not judged: `re` says that it is nested too deeply"] += 1
        return outcome
    if not readable:
        assert g is None and "not a regular expression" in outcome.refused, (
            f"`re` does not read it; we: {outcome.refused}"
        )
    if g is None and not outcome.refused.endswith("matches no string"):
        return outcome
    texts = on_the_way(outcome, lambda: _walks(g, r, tell, outcome)) if g is not None else []
    if texts is None:
        return outcome
    alphabet = [*test_regex.SIGMA, *(c for c in pattern if not "\ud800" <= c <= "\udfff")]
    others = ["".join(r.choices(alphabet, k=r.randrange(6))) for _ in range(5)] if whole(v) else []
    others += [changed_text(r, text, alphabet) for text in texts * 2] if whole(v) else []
    on_the_way(outcome, lambda: _texts(g, tell, outcome, texts, others, lambda text: test_regex.matches(pattern, text)))
    return outcome


def _walks(g: Guide, r: Random, tell: Tell, outcome: Outcome) -> list[str]:
    tell("walk")
    lawful(g, r)
    texts = []
    for _ in range(4):
        tell("walk")
        text = walked(g, r, outcome.counts)
        if text is not None:
            texts.append(text.decode())
    return texts


LONG = 40  # characters: of longer texts the oracle is not asked, which may take exponential time


def _texts(
    g: Guide | None,
    tell: Tell,
    outcome: Outcome,
    right: Iterable[str],
    others: Iterable[str],
    judge: Callable[[str], bool],
) -> None:
    """Texts that must be right, and others of which guide and oracle must say the same."""
    for text in right:
        tell("oracle")
        if len(text) < LONG and not judge(text):
            raise Wrong(f"a walk gives {text!r}, which the oracle refuses")
    for text in others:
        tell("walk")
        ours = g is not None and accepts(g, text)
        if len(text) < LONG:
            tell("oracle")
            outcome.counts["texts"] += 1
            if judge(text) is not ours:
                raise Wrong(f"we {'accept' if ours else 'refuse'} {text!r}, the oracle does not")


# ----------------------------------------------------------------------------------------------------------- grammars


def check_grammar(r: Random, tell: Tell, case: TextCase | None = None) -> Outcome:
    case, v = case or grammar_of(r), vocabulary(r)
    outcome = Outcome(f"{case.syntax}, {_name(v)}: {case.text}")
    g = compiled(lambda: guide.grammar(case.text, v, syntax=case.syntax), tell, outcome)
    if g is None and not outcome.refused.endswith("matches no string"):
        assert not any(case.expected.values()) or not whole(v), f"a grammar with texts is refused: {outcome.refused}"
        return outcome
    texts = on_the_way(outcome, lambda: _walks(g, r, tell, outcome)) if g is not None else []
    if texts is None:
        return outcome
    if case.expected:
        others = list(case.expected) if whole(v) else []
        judge: Callable[[str], bool] = lambda text: case.expected.get(text, True)  # noqa: E731
        on_the_way(outcome, lambda: _texts(g, tell, outcome, texts, others, judge))
    elif case.syntax == "lark":
        _judged_by_lark(g, r, tell, outcome, case.text, texts, whole(v))
    return outcome


def _judged_by_lark(
    g: Guide | None, r: Random, tell: Tell, outcome: Outcome, grammar: str, texts: list[str], both: bool
) -> None:
    tell("oracle")
    try:
        parser = test_grammar.oracle(grammar)
    except Exception as error:
        outcome.counts[f"lark refuses: {type(error).__name__}"] += 1
        return
    letters = sorted(set("ab") | set("".join(texts)) | set(re.findall(r'(?<=")[^"\\/](?=")', grammar)))
    others = ["".join(r.choices(letters, k=r.randrange(5))) for _ in range(12)] if both else []
    others += [changed_text(r, text, letters) for text in texts * 2] if both else []
    judge: Callable[[str], bool] = lambda text: test_grammar.parses(parser, text)  # noqa: E731
    short = [text for text in texts if len(text) < 25]
    on_the_way(outcome, lambda: _texts(g, tell, outcome, short, [x for x in others if len(x) < 25], judge))


# ------------------------------------------------------------------------------------------------------ whole values

LONGEST_BUDGET = 200  # tokens: a longer walk takes time and shows nothing else


def check_whole(r: Random, tell: Tell) -> Outcome:
    """A guide within so many tokens: each walk closes in them, at any budget that it takes, and its text is one of the
    guide's. Where there is room the masks are the guide's own."""
    kind, v = r.choice(["schema", "schema", "pattern", "grammar"]), vocabulary(r)
    if kind == "schema":
        case, options = schema_of(r), options_of(r)
        outcome = Outcome(f"whole: {options}, {_name(v)}: {shown_json(case.schema)}")
        g = compiled(lambda: guide.json_schema(case.schema, v, **options), tell, outcome)
    elif kind == "pattern":
        pattern = pattern_of(r).text
        outcome = Outcome(f"whole: {_name(v)}: {pattern!r}")
        g = compiled(lambda: guide.regex(pattern, v), tell, outcome)
    else:
        grammar = grammar_of(r)
        outcome = Outcome(f"whole: {grammar.syntax}, {_name(v)}: {grammar.text}")
        g = compiled(lambda: guide.grammar(grammar.text, v, syntax=grammar.syntax), tell, outcome)
    if g is not None:
        on_the_way(outcome, lambda: _closed(g, r, tell, outcome))
    return outcome


def _closed(g: Guide, r: Random, tell: Tell, outcome: Outcome) -> None:
    tell("walk")
    least = endings_of(g).need(g.initial)
    if least > LONGEST_BUDGET:
        outcome.counts["not walked: its texts are long"] += 1
        return
    if least:
        with pytest.raises(ConstraintError, match=f"within {least - 1} token"):
            Within(g, least - 1)
    for budget in (least, least + r.choice([1, 2, 3]), r.randrange(least, 2 * least + 9)):
        within = Within(g, budget)
        for adverse in (False, True):
            data = _closing(within, r, adverse)
            outcome.counts["values closed"] += 1
            if not accepted_bytes(g, data):
                raise Wrong(f"within {budget} tokens a walk gives {data!r}, which the guide refuses")


def _closing(within: Any, r: Random, adverse: bool) -> bytes:
    """A text, drawn at random, or, if `adverse`, with tokens that make the end as far as they can."""
    g, tokens, state, data = within.guide, within.vocabulary.tokens, within.initial, b""
    while True:
        options = allowed(within, state)
        assert options, f"within {within.tokens} tokens: a dead end after {data!r}, {state[1]} left"
        if within.place(state)[0] is g:
            assert within.mask(state) is g.mask(state[0]) or (within.mask(state) == g.mask(state[0])).all()
        ends = [token for token in options if token in within.vocabulary.eos]
        more = [token for token in options if token not in within.vocabulary.eos]
        if ends and (not more or r.random() < 0.1):
            return data
        token = r.choice(more)
        if adverse:
            after = {token: within.advance(state, token) for token in r.sample(more, min(8, len(more)))}
            token = max(after, key=lambda token: within.endings.need(after[token][0]))  # type: ignore[index]
        following = within.advance(state, token)
        assert following is not None, f"the mask after {data!r} allows {tokens[token]!r}, which is not taken"
        data, state = data + tokens[token], following
        assert state[1] >= 0, f"more than {within.tokens} tokens: {data!r}"


def accepted_bytes(g: Guide, data: bytes) -> bool:
    """Whether some spelling of these bytes is a text of the guide."""
    states: dict[int, set[Any]] = {0: {g.initial}}
    for place in range(len(data)):
        for state in states.get(place, ()):
            for token in g.vocabulary.text_ids.tolist():
                text = g.vocabulary.tokens[token]
                if data.startswith(text, place) and (after := g.advance(state, token)) is not None:
                    states.setdefault(place + len(text), set()).add(after)
    return any(map(g.accepting, states.get(len(data), ())))


# ---------------------------------------------------------------------------------------------------------------- all


def compiled(make: Callable[[], Guide], tell: Tell, outcome: Outcome) -> Guide | None:
    """The guide, or None and the message."""
    tell("compile")
    try:
        return make()
    except ConstraintError as error:
        outcome.refused = str(error)
        assert outcome.refused, "a refusal has a message"
        return None


def on_the_way(outcome: Outcome, work: Callable[[], Any]) -> Any:
    """What some work gives; None if the constraint is refused while it is walked, which is counted."""
    try:
        return work()
    except ConstraintError as error:
        outcome.counts[f"refused on the way: {kind_of_message(str(error))}"] += 1
        return None


def kind_of_message(message: str) -> str:
    """A message without what it is about: places, quotations, numbers."""
    message = re.sub(r"at #\S*?:(?= )", "at #…:", message.partition("\n")[0])
    message = re.sub(
        r"^(the (?:schema|pattern|grammar)|JSON Schema) .*?(?= matches no string$| cannot be spelled)", r"\1 …", message
    )
    message = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\{.*\}|\[.*\]", "…", message)
    return re.sub(r"-?\d+(?:[.,]\d+)*", "n", message)[:110]


def _name(v: Vocabulary) -> str:
    return "BYTES" if v is BYTES else "SPLIT" if v is SPLIT else f"{len(v)} tokens"


CHECKS: dict[str, Callable[[Random, Tell], Outcome]] = {
    "schemas": check_schema,
    "patterns": check_pattern,
    "grammars": check_grammar,
    "whole": check_whole,
}
