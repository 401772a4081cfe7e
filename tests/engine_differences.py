"""Our engine and llguidance's over random schemas: where they disagree about a text, `jsonschema` says who is right.

`check_engines(random, tell)` draws a schema and compares the two on texts that either of them writes, and on values
that are near to what the schema allows. It is an error of ours if we accept what jsonschema refuses, or refuse what it
accepts; what llguidance gets wrong is counted. `tests/bench/fuzz_constraints.py engines` runs it.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
from constraint_checks import STANDARD, Judge, Outcome, Tell, Wrong, compiled, on_the_way, shown_json, spelled, wild
from drawn_constraints import changed_value, near, schema_of
from foreign_guides import LLGuidance, llguidance_tokenizer
from json_cases import BYTES, accepts, walk
from llguidance import LLMatcher

from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import unpack

LONGEST = 200  # tokens of a walk
TOKENIZER = llguidance_tokenizer(BYTES)


def check_engines(r: Random, tell: Tell, schema: Any = None) -> Outcome:
    """One schema, and what the two engines say of texts. Wrong: an error of ours."""
    case, drawn_schema = schema_of(r), schema
    schema = case.schema if drawn_schema is None else drawn_schema
    outcome = Outcome(f"BYTES: {shown_json(schema)}")
    ours = compiled(lambda: guide.json_schema(schema, BYTES, **STANDARD, format="annotate"), tell, outcome)
    tell("llguidance")
    theirs = _theirs(schema)
    if ours is None or theirs is None:
        both = "both engines" if ours is theirs else "we" if ours is None else "llguidance"
        outcome.counts[f"schemas that {both} refuse{'s' if both == 'llguidance' else ''}"] += 1
        return outcome
    tell("oracle")
    judge = Judge(schema, asserts=False)
    if judge.silent:
        outcome.counts[f"not judged: {judge.silent}"] += 1
        return outcome
    tell("walk")
    texts = [text.decode() for _ in range(3) if (text := on_the_way(outcome, lambda: walk(ours, r, 10))) is not None]
    tell("llguidance")
    writer = _theirs(schema, {"whitespace_flexible": False, "item_separator": ",", "key_separator": ":"})
    texts += [text for _ in range(3) if writer is not None and (text := _written(writer, r)) is not None]
    values = [near(r, schema, schema) for _ in range(6)]
    values += r.sample(case.instances, min(3, len(case.instances))) if drawn_schema is None else []
    values += [changed_value(r, value) for value in r.choices(values, k=4)]
    for text in [*texts, *(spelled(r, value) for value in values)]:
        if not wild(text):
            on_the_way(outcome, lambda text=text: _compare(ours, theirs, text, judge, tell, outcome))
    return outcome


def _compare(ours: Any, theirs: LLGuidance, text: str, judge: Judge, tell: Tell, outcome: Outcome) -> None:
    tell("oracle")
    if _has_twins(text):
        outcome.counts["llguidance writes a name twice in one object"] += 1
        return
    right = judge(text)
    if right is None:
        outcome.counts["texts that are not judged"] += 1
        return
    tell("walk")
    we = accepts(ours, text)
    tell("llguidance")
    they = _accepted(theirs, text)
    who = {(True, True): "both are right", (True, False): "llguidance is wrong"}
    who |= {(False, False): "both are wrong", (False, True): "we are wrong"}
    outcome.counts[f"texts: {who[we == right, they == right]}"] += 1
    if they != right:
        wrong = "accepts what the schema forbids" if they else f"refuses what it allows{_excuse(text)}"
        outcome.counts[f"llguidance {wrong}"] += 1
    if we != right:
        raise Wrong(
            f"we {'accept' if we else 'refuse'} {text}, jsonschema does not; llguidance agrees: {they == right}"
        )


def _excuse(text: str) -> str:
    """Why llguidance may refuse a text by its own rules: it has one order of keys, and its own numbers and spaces."""
    value = json.loads(text)
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text
    return ("" if compact else ", spelled otherwise than json.dumps") + (", several keys" if _many(value) else "")


def _has_twins(text: str) -> bool:
    """Whether an object has a name twice: `jsonschema` sees the last one only."""
    twins = []
    json.loads(text, object_pairs_hook=lambda pairs: twins.append(len(dict(pairs)) < len(pairs)))
    return any(twins)


def _many(value: Any) -> bool:
    if isinstance(value, dict):
        return len(value) > 1 or any(map(_many, value.values()))
    return isinstance(value, list) and any(map(_many, value))


def _theirs(schema: Any, options: Any = None) -> LLGuidance | None:
    """The guide of llguidance; None where it refuses the schema. (It writes any whitespace, unless options say no.)"""
    try:
        grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=options)
        return LLGuidance(grammar, TOKENIZER, BYTES)
    except (ValueError, RecursionError):
        return None


def _accepted(g: LLGuidance, text: str) -> bool:
    """Whether a text, byte by byte, is one of the guide's."""
    matcher = g._matchers[0].deep_copy()
    ids = [BYTES.single_bytes[byte] for byte in text.encode()]
    return matcher.try_consume_tokens(ids) == len(ids) and matcher.is_accepting()


def _written(g: LLGuidance, r: Random) -> str | None:
    """A text of the guide, drawn token by token; None if it did not come to an end."""
    state, data = g.initial, bytearray()
    for step in range(LONGEST):
        allowed = np.flatnonzero(unpack(g.mask(state), len(BYTES))).tolist()
        if not allowed:
            return None
        closing = [t for t in allowed if t in BYTES.eos] or [t for t in allowed if BYTES.tokens[t] in b'"]}']
        token = r.choice(closing) if closing and (step > 10 or r.random() < 0.3) else r.choice(allowed)
        if token in BYTES.eos:
            return data.decode()
        after = g.advance(state, token)
        if after is None:
            return None
        state, data = after, data + BYTES.tokens[token]
    return None
