"""The public callables, right arguments for each of them, and values that are right for none or for few."""

from __future__ import annotations

import ast
import datetime
import tempfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from strategies import shipped_model
from test_generation import random_model, toy_tokenizer
from tokenizers import pre_tokenizers

import outlines_cont as oc
from outlines_cont.errors import OURS
from outlines_cont.fsm import guide
from outlines_cont.fsm.vocabulary import Vocabulary

G, S = oc.generate, oc.samplers


CALLED = {"look", "controller", "together", "hooks", "draft"}  # the names of arguments that are functions


class Public(NamedTuple):
    """A callable of the public API, and arguments that it takes, by their names."""

    call: Callable[..., Any]
    right: dict[str, Any]


@cache
def own_model(seed: int) -> oc.Model:
    """A small one whose keys and values no other test looks at."""
    return random_model(toy_tokenizer(sorted(pre_tokenizers.ByteLevel.alphabet())), seed, positions=64)


def saved(state: oc.SequenceState) -> Path:
    path = Path(tempfile.mkdtemp()) / "state"
    state.save(path)
    return path


def consumed(stream: Any) -> list[Any]:
    return list(stream)


@cache
def publics() -> dict[str, Public]:
    """Each with small arguments: what is not refused is done."""
    model = own_model(0)
    greedy = S.greedy()
    step = oc.continuous(G.regex(model, "[abc]{2,3}", greedy), name="v")
    text = oc.continuous(G.text(model, S.multinomial(2)), name="t", max_tokens=2)
    chain = step >> "-" >> step
    whole, wide = step(["xy", "a"], seed=1), text("xy", seed=1)
    cut = whole[..., :-1]
    frontier = text.generator.begin("xy", 2, seed=1)
    alone = G.regex(oc.Model(shipped_model().tokenizer, context_length=9), "[ab]{3}").begin("x", seed=1)
    logits, tokenizer = model.logits(frontier.pending), shipped_model().tokenizer
    draws: list[oc.steer.Draw] = []
    text("xy", hooks=[draws.append])
    call = {"prompts": "xy", "max_tokens": 4, "seed": 1, "keys": ["k"]}
    options = {**call, "hooks": [], "keep": oc.Keep(1, 1), "progress": False, "draft": None, "beside": []}
    resumption = {name: value for name, value in options.items() if name not in ("prompts", "keys")}
    written = {"stop_at": "b", "seam": "keep", "name": "n"}
    v, ids = model.vocabulary, model.state("xy").rows[0][0].ids
    filters = {"temperature": 0.5, "top_k": 3, "top_p": 0.9, "min_p": 0.1}
    made = {"stop": "elsewhere", "forced": "never"}
    return {
        # values
        "state": Public(model.state, {"prompts": ["ab", "c"], "special": True, "keys": ["k", 3]}),
        "chat": Public(shipped_model().chat, {"messages": [{"role": "user", "content": "Who?"}], "keys": 3}),
        "Model": Public(
            lambda tokenizer, **more: oc.Model(tokenizer, **more), {"tokenizer": tokenizer, "context_length": 9}
        ),
        "Model, eos": Public(
            lambda eos, vocab_size: oc.Model(tokenizer, eos=eos, vocab_size=vocab_size),
            {"eos": [1], "vocab_size": 1536},
        ),
        "Model, hf": Public(
            lambda hf, tokenizer: oc.Model(hf, tokenizer), {"hf": model.hf, "tokenizer": model.tokenizer}
        ),
        "state of a state": Public(lambda keys: model.state(whole, keys=keys), {"keys": [3, "k"]}),
        "from_bytes": Public(oc.storage.from_bytes, {"data": oc.storage.to_bytes(whole), "model": model}),
        "unpickling": Public(lambda model: oc.storage.unpickling(model).__exit__(None, None, None), {"model": model}),
        "load_state": Public(oc.load_state, {"path": saved(whole), "model": model}),
        "cat": Public(oc.cat, {"states": [whole, whole], "dim": 0}),
        "score": Public(oc.score, {"state": whole, "texts": ["a"], "stop": True, "normalize": "mean", "detail": True}),
        "bounds": Public(
            oc.bounds,
            {"generator": G.choice(model, ["a"]), "prompts": ["xy"], "width": 0.1, "positions": 5, "seconds": 9.0},
        ),
        "partial": Public(oc.types.partial, {"data": '{"a": 1'}),
        "getitem": Public(lambda b, s, t: whole[b, s, t], {"b": slice(0, 1), "s": 0, "t": slice(None, 2)}),
        "getitem of one": Public(lambda key: whole[key], {"key": (0, 1)}),
        "chars": Public(lambda key: whole.chars[key], {"key": (..., slice(0, 2))}),
        "captures": Public(lambda name: whole.captures[name], {"name": "v"}),
        "fork": Public(whole[:1, :, :].fork, {"n": 2}),
        "best": Public(wide.best, {"k": 1}),
        "resample": Public(text("xy", seed=3).particles.resample, {"seed": 1, "reset": True, "method": "systematic"}),
        "to": Public(whole.to, {"model": model}),
        "up_to": Public(
            whole.up_to, {"text": "a", "include": True, "span": "v", "inside": "spell", "missing": "raise"}
        ),
        "text of a state": Public(whole.text, {"special": True}),
        "html": Public(whole.html, {"rows": 2, "tokens": 3}),
        "tree": Public(whole.tree, {"rows": 2, "tokens": 3}),
        "identical": Public(whole.identical, {"other": whole}),
        "contains": Public(lambda part: part in whole, {"part": "a"}),
        "add": Public(lambda right: whole + right, {"right": ["a", "b"]}),
        "radd": Public(lambda left: left + whole, {"left": "a"}),
        "model.rescore": Public(model.rescore, {"state": whole}),
        "kv_budget": Public(lambda budget: setattr(copy_of(model), "kv_budget", budget), {"budget": 10**6}),
        "logits": Public(model.logits, {"needs": [oc.stepping.Need(ids, (1,))]}),
        "Need": Public(
            lambda **fields: model.logits([oc.stepping.Need(**fields)]),
            {"ids": ids, "wanted": (1,), "head": (), "row": 0, "parent": None, "keep": 0, "claim": None},
        ),
        "Vocabulary": Public(Vocabulary, {"tokens": [b"", b"a"], "eos": [0], "special": []}),
        "vocabulary.decode": Public(v.decode, {"ids": [3], "special": True}),
        # generators
        "text": Public(G.text, {"model": model, "sampler": greedy, "include_stop": True, **made}),
        "choice": Public(
            G.choice,
            {"model": model, "options": ["a", "b"], "sampler": greedy, "by": "sequence", "normalize": "mean", **made},
        ),
        "regex": Public(G.regex, {"model": model, "pattern": "ab?", "sampler": greedy, **made}),
        "cfg": Public(G.cfg, {"model": model, "grammar": 'start: "a"', "sampler": greedy, **made}),
        "json": Public(
            G.json,
            {
                "model": model,
                "schema": {"type": "null"},
                "sampler": greedy,
                "whitespace": "compact",
                "order": "schema",
                "extra": "forbid",
                "format": "assert",
                **made,
            },
        ),
        "format": Public(G.format, {"model": model, "python_type": bool, "sampler": greedy, **made}),
        "Generator": Public(oc.Generator, {"model": model, "output_type": bool, "sampler": greedy, **made}),
        "model call": Public(
            model, {"prompts": "xy", "output_type": ["a", "b"], "sampler": greedy, "max_tokens": 3, "seed": 1}
        ),
        "types.regex": Public(oc.types.regex, {"pattern": "ab?"}),
        "types.cfg": Public(oc.types.cfg, {"grammar": 'start: "a"', "syntax": "lark"}),
        "types.choice": Public(oc.types.choice, {"options": ["a", 1], "by": "sequence", "normalize": "mean"}),
        "types.json_schema": Public(
            oc.types.json_schema,
            {"schema": {"type": "null"}, "whitespace": "compact", "order": "any", "extra": "schema", "spelling": "any"},
        ),
        "control": Public(
            lambda **given: G.control(**given)("xy", seed=1, max_tokens=3),
            {"model": model, "controller": lambda row: [], "sampler": greedy, **made},
        ),
        "together": Public(
            lambda **given: G.control(**given)("xy", seed=1, max_tokens=3),
            {"model": model, "together": lambda rows: {row: [] for row in rows}, "pace": 2},
        ),
        "a controller's answer": Public(
            lambda answer: G.control(model, lambda row: answer if not row.text else [])("xy", 3, seed=1),
            {"answer": [oc.steer.Branch(forced="ab")]},
        ),
        "Branch": Public(
            lambda **given: G.control(model, lambda row: [] if row.text else [oc.steer.Branch(**given)])(
                "xy", 3, seed=1
            ),
            {"backtrack": 0, "allowed": [3], "forced": None, "label": "l", "memory": 1, **filters},
        ),
        "forced": Public(
            lambda forced: G.control(model, lambda row: [] if row.text else [oc.steer.Branch(forced=forced)])("x"),
            {"forced": "ab"},
        ),
        "guide.regex": Public(guide.regex, {"pattern": "a", "v": v}),
        "guide.choice": Public(guide.choice, {"options": ["a"], "v": v}),
        "guide.text": Public(guide.text, {"v": v}),
        "guide.literal": Public(guide.literal, {"data": b"a", "v": v}),
        "guide.grammar": Public(guide.grammar, {"text": 'start: "a"', "v": v, "start": "start"}),
        "guide.json_schema": Public(
            guide.json_schema,
            {
                "schema": {"type": "null"},
                "v": v,
                "whitespace": "compact",
                "order": "schema",
                "extra": "forbid",
                "format": "assert",
            },
        ),
        "guide.mask": Public(guide.regex("ab", v).mask, {"state": 0}),
        "guide.advance": Public(guide.regex("ab", v).advance, {"state": 0, "token": 3}),
        "guide.accepting": Public(guide.regex("ab", v).accepting, {"state": 0}),
        # samplers
        "greedy": Public(S.greedy, {}),
        "multinomial": Public(S.multinomial, {"samples": 2, **filters}),
        "beam_search": Public(S.beam_search, {"beams": 2, "length_penalty": 1.0, "distinct": "text", "spellings": 2}),
        "smc": Public(S.smc, {"particles": 2, "threshold": 0.5, "temperature": 1.0}),
        # calls
        "generator": Public(step.generator, {**options, "name": "n", "seam": "heal"}),
        "text generator": Public(text.generator, {**options, **written}),
        "values": Public(step.generator.values, {"state": whole}),
        "probabilities": Public(G.choice(model, ["a", "b"], by="sequence").probabilities, {"prompts": "xy"}),
        "run": Public(text.generator.run, {**options, **written}),
        "stream": Public(lambda **given: consumed(text.stream(**given)), {**options, "stop_at": "b"}),
        "begin": Public(text.begin, {**call, "stop_at": ["b"], "hooks": [], "resume": False}),
        "resume": Public(step.resume, {"state": cut, **resumption}),
        "resume, streamed": Public(
            lambda **given: consumed(step.stream(resume=True, **given)), {"prompts": cut, "seed": 1}
        ),
        "continuous": Public(
            oc.continuous,
            {
                "generator": text.generator,
                "name": "n",
                "seam": "heal",
                "max_tokens": 2,
                "stop_at": "b",
                "hooks": [],
            },
        ),
        "continuous, chain": Public(oc.continuous, {"generator": chain, "name": "n"}),
        "rshift": Public(lambda right: step >> right, {"right": chain}),
        "rrshift": Public(lambda left: left >> step, {"left": "a"}),
        "chain": Public(chain, {**call, "progress": False}),
        "Keep": Public(lambda **given: text("xy", keep=oc.Keep(**given)), {"candidates": 1, "alternatives": 1}),
        "Hooks": Public(lambda **given: text("xy", hooks=oc.steer.Hooks(**given)), {"retries": 3, "horizon": 1}),
        "Mix": Public(
            lambda **given: text("xy", beside=oc.Mix(**given)),
            {"contexts": [("a", 1.0)], "own": 0.5, "product": True},
        ),
        "Mix.proposal": Public(lambda law: text("xy", beside=oc.Mix.proposal(law)), {"law": 0.5}),
        "chain.resume": Public(chain.resume, {"state": chain("xy")[..., :-1], "max_tokens": 2, "seed": 1}),
        # between two tokens
        "accept": Public(alone.accept, {"ids": [tokenizer.convert_tokens_to_ids("a")], "logprobs": [-1.0]}),
        "step": Public(frontier.step, {"logits": logits, "claims": None, "rows": [1, 0]}),
        "Replace": Public(
            lambda **given: text("xy", hooks=oc.steer.Hooks(lambda draw: oc.steer.Replace(**given), retries=3)),
            {"token": 3, "unconstrained": False, "otherwise": "keep", "fed": True},
        ),
        "Insert": Public(
            lambda token: text("xy", hooks=oc.steer.Hooks(lambda draw: oc.steer.Insert(token), retries=3)), {"token": 3}
        ),
        "Resample": Public(
            lambda **given: text(
                "xy", seed=1, hooks=[lambda draw: oc.steer.Resample(**given) if not draw.attempt else None]
            ),
            {"ban": [3], **filters},
        ),
        "Backtrack": Public(
            lambda **given: text(
                "xy",
                seed=1,
                hooks=[
                    lambda draw: (
                        oc.steer.Backtrack(**given) if len(draw.row) > draw.row.start and not draw.attempt else None
                    )
                ],
            ),
            {"n": 1, "ban": [3]},
        ),
        "a hook's answer": Public(lambda answer: text("xy", hooks=[lambda draw: answer], seed=1), {"answer": None}),
        "Watch": Public(lambda look: text("xy", hooks=[oc.steer.Watch(look)], seed=1), {"look": draws.append}),
        "draw.allows": Public(draws[0].allows, {"token": 3}),
        "draw.candidates": Public(
            lambda n: text("xy", hooks=[oc.steer.Watch(lambda draw: draw.candidates(n))], seed=1), {"n": 2}
        ),
    }


def copy_of(model: oc.Model) -> oc.Model:
    return oc.Model(model.hf, model.tokenizer)


def deep(size: int = 100_000) -> list[Any]:
    """A list in a list in a list …"""
    nested: list[Any] = []
    for _ in range(size):
        nested = [nested]
    return nested


def cyclic() -> list[Any]:
    cycle: list[Any] = []
    cycle.append(cycle)
    return cycle


def deep_schema(size: int = 5_000) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(size):
        schema = {"not": schema}
    return schema


@cache
def values() -> dict[str, Callable[[], Any]]:
    """Wrong types, sizes and kinds of numbers, made anew where they can be used up; by names to print."""
    model, other = own_model(0), own_model(1)
    state = model.state(["ab", "c"])
    given: dict[str, Any] = {
        "None": None,
        "True": True,
        "False": False,
        "...": ...,
        "NotImplemented": NotImplemented,
        "0": 0,
        "1": 1,
        "2": 2,
        "-1": -1,
        "2**31": 2**31,
        "2**63": 2**63,
        "-2**63-1": -(2**63) - 1,
        "10**400": 10**400,
        "0.5": 0.5,
        "1.0": 1.0,
        "nan": float("nan"),
        "inf": float("inf"),
        "-inf": float("-inf"),
        "1e308": 1e308,
        "-0.0": -0.0,
        "5e-324": 5e-324,
        "1j": 1j,
        "Fraction": Fraction(1, 2),
        "Decimal": Decimal("1.5"),
        "Decimal NaN": Decimal("nan"),
        "Decimal sNaN": Decimal("snan"),
        "''": "",
        "'a'": "a",
        "surrogate": "\ud800",
        "NUL": "\0",
        "(": "(",
        "{": "{",
        "emoji": "🦙",
        "long": "a" * 3000,
        "b'a'": b"a",
        "b'\\xff'": b"\xff",
        "bytearray": bytearray(b"a"),
        "memoryview": memoryview(b"a"),
        "[]": [],
        "[[]]": [[]],
        "[None]": [None],
        "['a']": ["a"],
        "[1]": [1],
        "[True]": [True],
        "[1.5]": [1.5],
        "['a', 1]": ["a", 1],
        "[nan]": [float("nan")],
        "[-1]": [-1],
        "[10**400]": [10**400],
        "['\\ud800']": ["\ud800"],
        "[['a']]": [["a"]],
        "[{}]": [{}],
        "[object]": [object()],
        "[lambda]": [lambda: 0],
        "()": (),
        "(1,)": (1,),
        "(True,)": (True,),
        "(1, 'a')": (1, "a"),
        "(-1,)": (-1,),
        "(2**70,)": (2**70,),
        "{}": {},
        "{'a': 1}": {"a": 1},
        "{1: 2}": {1: 2},
        "{(): []}": {(): []},
        "{'a': {}}": {"a": {}},
        "set": {1},
        "{'type': 1}": {"type": 1},
        "{'enum': 1}": {"enum": 1},
        "{'a': set}": {"enum": [{1}]},
        "nan schema": {"minimum": float("nan")},
        "{'properties': 1}": {"properties": 1},
        "{3: {}}": {"properties": {3: {}}},
        "pattern 5": {"pattern": 5},
        "frozenset": frozenset(["a"]),
        "range": range(3),
        "slice": slice(None),
        "slice of a": slice("a"),
        "slice step 0": slice(0, 2, 0),
        "slice huge": slice(10**400),
        "slice 1.5": slice(1.5),
        "object": object(),
        "int": int,
        "type": type,
        "list[int]": list[int],
        "Literal": Literal["a", 1],
        "module": np,
        "lambda of none": lambda: 0,
        "lambda of one": lambda x: x,
        "lambda of two": lambda x, y: 0,
        "lambda raising": print,
        "len": len,
        "date": datetime.date(2000, 1, 1),
        "Path": Path("a"),
        "Exception": ValueError("x"),
        "error class": ValueError,
        "np.int64": np.int64(1),
        "np.int8": np.int8(-1),
        "np.uint64": np.uint64(2**63),
        "np.float32": np.float32(0.5),
        "np nan": np.float64("nan"),
        "np.bool": np.bool_(True),
        "np.str": np.str_("a"),
        "np.array": np.array([1, 2]),
        "np 0-d": np.array(1),
        "np floats": np.array([0.5]),
        "np objects": np.array([None, "a"], object),
        "np empty": np.array([]),
        "np 2-d": np.zeros((2, 2), int),
        "np.datetime64": np.datetime64("2000"),
        "np strings": np.array(["a", "b"]),
        "tensor 1": torch.tensor(1),
        "tensor 0.5": torch.tensor(0.5),
        "tensor True": torch.tensor(True),
        "tensor [1]": torch.tensor([1]),
        "tensor int8": torch.tensor([1, 2], dtype=torch.int8),
        "tensor bools": torch.tensor([True, False]),
        "tensor nan": torch.tensor([float("nan")]),
        "tensor complex": torch.tensor([1j]),
        "tensor empty": torch.tensor([]),
        "tensor 3-d": torch.zeros(1, 2, 3),
        "tensor of logits, ints": torch.zeros(2, len(model.vocabulary), dtype=torch.int64),
        "tensor of logits, nan": torch.full((2, len(model.vocabulary)), float("nan")),
        "tensor of logits, bool": torch.zeros(2, len(model.vocabulary), dtype=torch.bool),
        "tensor of logits, complex": torch.zeros(2, len(model.vocabulary), dtype=torch.complex64),
        "tensor on meta": torch.zeros(2, len(model.vocabulary), device="meta"),
        "tensor sparse": torch.eye(2).to_sparse(),
        "model": model,
        "another model": other,
        "hf": model.hf,
        "tokenizer": model.tokenizer,
        "vocabulary": other.vocabulary,
        "another state": other.state("ab"),
        "state": state,
        "empty rows": state[..., :0],
        "no tokens": state[:1, :, :0],
        "generator": G.text(model),
        "step": oc.continuous(G.text(model)),
        "chain": oc.continuous(G.text(model)) >> "a",
        "sampler": S.greedy(),
        "sampler class": type(S.greedy()),
        "smc": S.smc(2),
        "beams": S.beam_search(2),
        "need": oc.stepping.Need((1,), (0,)),
        "[need]": [oc.stepping.Need((1,), (5,))],
        "branch": oc.steer.Branch(),
        "[branch]": [oc.steer.Branch()],
        "Stop": oc.steer.Stop(),
        "Stop class": oc.steer.Stop,
        "KEEP": oc.steer.KEEP,
        "frontier": G.text(model).begin("ab"),
        "[state]": [state],
        "[hook]": [lambda draw: oc.steer.Insert(1)],
        "[wrong hook]": [lambda: None],
        "cyclic": cyclic(),
        "deep": deep(),
        "deep schema": deep_schema(),
        "Any": Any,
    }
    made: dict[str, Callable[[], Any]] = {name: (lambda value=value: value) for name, value in given.items()}
    made["generator object"] = lambda: (x for x in ["a", "b"])
    made["iterator"] = lambda: iter([1])
    return made


def wrong_end(error: BaseException) -> str | None:
    """Why an error is not one that we raise by name: where it comes from; None if it is one."""
    traceback = error.__traceback__
    assert traceback is not None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    path, line = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
    if path == __file__ and isinstance(error, TypeError):  # Python's own: neither operand takes the other
        return None
    if isinstance(error, OSError):  # there is no such file
        return None
    if path.startswith(OURS) and any(begin <= line <= end for begin, end in raises(path)):
        kinds = (TypeError, ValueError, IndexError, KeyError, oc.OutlinesContError)
        return (
            None
            if isinstance(error, kinds) and str(error)
            else f"{Path(path).name}:{line}: {type(error).__name__} is none that we promise"
        )
    return f"{Path(path).name}:{line}: {type(error).__name__}: {str(error)[:300]}"


@cache
def raises(path: str) -> list[tuple[int, int]]:
    """The lines of a file's `raise` statements."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return [(node.lineno, node.end_lineno or 0) for node in ast.walk(tree) if isinstance(node, ast.Raise)]


def called_by_us(value: Any) -> bool:
    """Whether it is, or holds, a class or a function of somebody else: what is wrong when we call it is its own."""
    several = value if isinstance(value, (list, tuple)) else [value]
    return any(callable(one) and type(one) is not FunctionType for one in several)


def tried(public: Public, changed: dict[str, Any]) -> str | None:
    """What goes wrong when a public callable gets these arguments in place of right ones; None if nothing does."""
    if any(name in CALLED and called_by_us(value) for name, value in changed.items()):
        return None
    try:
        public.call(**{**public.right, **changed})
    except (Exception, RecursionError) as error:
        return wrong_end(error)
    return None
