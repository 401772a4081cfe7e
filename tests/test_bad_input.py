"""Whatever is wrong is refused by name, with what was written and what would be right; and nothing breaks by it."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch
from arguments import publics, tried, values
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import shipped_model
from transformers import LlamaConfig, LlamaForCausalLM

import outlines_cont as oc


@cache
def other_model(tokens: int = 1536, context: int = 24) -> oc.Model:
    """Random weights, a short context, and the shipped tokenizer."""
    torch.manual_seed(0)
    tokenizer = shipped_model().tokenizer
    config = LlamaConfig(
        vocab_size=tokens,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=context,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return oc.Model(LlamaForCausalLM(config).eval(), tokenizer)


@cache
def m() -> oc.Model:
    return shipped_model()


@cache
def text() -> Any:
    return oc.continuous(oc.generate.text(m()), name="text")


@cache
def digits() -> Any:
    return oc.continuous(oc.generate.regex(m(), "[0-9]{4}"), name="digits")


@cache
def wide() -> oc.SequenceState:
    """2 batch rows, 3 samples."""
    return oc.cat([m().state(["ab", "cd"])] * 3, 1)


def sampled(k: int) -> Any:
    return oc.continuous(oc.generate.text(m(), oc.samplers.multinomial(samples=k)))


def beam(k: int) -> Any:
    return oc.continuous(oc.generate.text(m(), oc.samplers.beam_search(k)))


class NoGuide:
    """A guide that lacks a member."""

    vocabulary, initial = shipped_model().vocabulary, 0

    def mask(self, state: int) -> Any:
        return np.zeros(48, np.int32)

    def accepting(self, state: int) -> bool:
        return False


class MadeGuide(NoGuide):
    """A guide that gives this for every mask."""

    def __init__(self, made: Any):
        self.made = made

    def mask(self, state: int) -> Any:
        return self.made

    def advance(self, state: int, token: int) -> int | None:
        return state

    def __repr__(self) -> str:
        return "MadeGuide"


def written(allowed: Any) -> Any:
    """A generator whose only branch allows this."""
    return G.control(m(), lambda row: [] if row.text else [oc.steer.Branch(allowed=allowed)])


CHAT = [{"role": "user", "content": "Who?"}]
LETTER = shipped_model().vocabulary.tokens.index(b"a")


def two_rows() -> oc.stepping.Frontier:
    """Two rows, which wait for a token each."""
    return oc.generate.text(m()).begin(["ab", "cd"])


Case = tuple[str, Callable[[], Any], type[BaseException], str]
S, G = oc.samplers, oc.generate
CASES: list[Case] = [
    # prompts
    ("no prompts", lambda: m().state([]), ValueError, "no prompts.*at least one"),
    ("no prompts to a generator", lambda: G.text(m())([]), ValueError, "no prompts"),
    ("None", lambda: m().state(None), TypeError, "str, token ids or a list.*NoneType"),
    ("bytes", lambda: m().state(b"abc"), TypeError, "bytes"),
    ("a text and a token", lambda: m().state(["a", 3]), TypeError, "3 .*int"),
    ("a token and a text", lambda: m().state([3, "a"]), TypeError, "'a'|3"),
    ("a bool for a token", lambda: m().state([True]), TypeError, "True .*bool"),
    ("a float for a token", lambda: m().state([1, 2.0]), TypeError, "2.0 .*float"),
    ("a negative token", lambda: m().state([-1]), ValueError, "token id -1 .*1536"),
    ("a token too large", lambda: m().state([1536]), ValueError, "token id 1536 .*1536"),
    ("a prompt beyond the context", lambda: text()(m().state([5] * 2049)), ValueError, "2049 tokens.*2048"),
    ("a text beyond the context", lambda: G.text(other_model())("a b " * 99), ValueError, "context is 24"),
    ("an empty row", lambda: text()(m().state("abc")[..., :0]), ValueError, "the row is empty"),
    (
        "an empty row, plain call",
        lambda: G.regex(m(), "a")(m().state([[4], []])),
        ValueError,
        r"row \(1, 0\): the row is empty",
    ),
    # models
    ("a name for a model", lambda: G.text("gpt2"), TypeError, "Model first.*oc.load.*gpt2"),
    ("a transformers model", lambda: G.text(m().hf), TypeError, "Model first, not a bare transformers model"),
    ("no model to Model", lambda: oc.Model("gpt2", m().tokenizer), TypeError, "decoder-only.*str"),
    ("a model without its tokenizer", lambda: oc.Model(m().hf), TypeError, "Llama.* needs its tokenizer"),
    ("a name alone to Model", lambda: oc.Model("gpt2"), TypeError, "a tokenizer or a Vocabulary alone, not str"),
    ("nothing to Model", lambda: oc.Model(), TypeError, "not NoneType"),
    ("a budget without a model", lambda: oc.Model(m().tokenizer, kv_budget=5), TypeError, "keeps no keys and values"),
    ("a context beside a model", lambda: oc.Model(m().hf, m().tokenizer, context_length=9), TypeError, "says them"),
    ("a size beside a vocabulary", lambda: oc.Model(m().vocabulary, vocab_size=9), TypeError, "has its own"),
    ("a context of a half", lambda: oc.Model(m().tokenizer, context_length=0.5), TypeError, "=0.5.*int ≥ 1 or None"),
    ("a context of nothing", lambda: oc.Model(m().tokenizer, context_length=0), ValueError, "=0.*int ≥ 1 or None"),
    ("one eos, no list", lambda: oc.Model(m().tokenizer, eos=1), TypeError, "eos=1: .* list of token ids"),
    ("eos outside", lambda: oc.Model(m().tokenizer, eos=[1536]), ValueError, r"\[1536\] lie outside"),
    (
        "a state whose texts end otherwise",
        lambda: text()(oc.Model(m().tokenizer, eos=[2]).state("a")),
        ValueError,
        r"tokens are equal, but those that end a text are \(1, 2\) and \(1,\)",
    ),
    ("True for an eos", lambda: oc.Model(m().tokenizer, eos=[True]), TypeError, r"eos=\[True\]: .* list of token ids"),
    (
        "True for a token of a need",
        lambda: m().logits([oc.stepping.Need((1, True), (1,))]),
        TypeError,
        "token id True .bool.",
    ),
    ("a hook of no draw", lambda: text()("a", hooks=[lambda: None]), TypeError, "a function of one argument, a Draw"),
    ("a chat without a template", lambda: oc.Model(m().vocabulary).chat(CHAT), ValueError, "no chat template"),
    # tokens drawn elsewhere
    ("one id for a list", lambda: two_rows().accept(5), TypeError, "a list of ids, one for each need, not 5"),
    ("a text for ids", lambda: two_rows().accept("ab"), TypeError, "a list of ids, .* not 'ab'"),
    ("too few ids", lambda: two_rows().accept([5]), ValueError, "got 1 ids; pending has 2 needs"),
    ("too few logprobs", lambda: two_rows().accept([5, 6], [-1.0]), ValueError, "got 1 logprobs; pending has 2 needs"),
    (
        "a word for an id",
        lambda: two_rows().accept(["a", 6]),
        TypeError,
        r"ids\[0\]='a': it must be a token id",
    ),
    ("a bool for an id", lambda: two_rows().accept([5, True]), TypeError, r"ids\[1\]=True"),
    ("an id outside", lambda: two_rows().accept([5, 1536]), ValueError, r"ids\[1\]=1536 is outside .* 1536 tokens"),
    ("an id below", lambda: two_rows().accept([-1, 5]), ValueError, r"ids\[0\]=-1 is outside"),
    ("a special token", lambda: two_rows().accept([0, 5]), ValueError, r"ids\[0\]=0 is no token of text"),
    ("a probability", lambda: two_rows().accept([5, 6], [0.5, -1.0]), ValueError, r"logprobs\[0\]=0.5: .*≤ 0, or None"),
    ("a word for a logprob", lambda: two_rows().accept([5, 6], [-1.0, "x"]), ValueError, r"logprobs\[1\]='x'"),
    (
        "letters for digits",
        lambda: digits().begin("a").accept([LETTER]),
        oc.errors.ConstraintError,
        "regex .* not allow b'a'",
    ),
    ("two models, +", lambda: wide() + other_model().state(["a", "b"]).fork(3), ValueError, r"state.to\(model\)"),
    ("two models, cat", lambda: oc.cat([m().state("a"), other_model().state("a")], 0), ValueError, r"to\(model\)"),
    ("two models, a step", lambda: text()(other_model().state("a")), ValueError, r"state.to\(model\)"),
    ("two models, resume", lambda: text().resume(other_model().state("a")), ValueError, r"state.to\(model\)"),
    ("two vocabularies", lambda: m().state("a").to(other_model(1600)), ValueError, "another vocabulary"),
    # numbers of things
    (
        "two texts for three rows",
        lambda: m().state(["a"] * 3) + ["b", "c"],
        oc.errors.BatchMismatch,
        "2 texts.*3 batch rows",
    ),
    ("five texts for 2 x 3", lambda: wide() + ["a"] * 5, oc.errors.BatchMismatch, r"5 texts.*one text, 2 .*6"),
    ("no texts", lambda: wide() + [], oc.errors.BatchMismatch, "0 texts"),
    ("batches, +", lambda: m().state(["a", "b"]) + m().state("c"), oc.errors.BatchMismatch, "2 batch rows.*1"),
    ("samples, +", lambda: wide() + m().state(["c", "d"]), oc.errors.SampleMismatch, "3 samples.*1"),
    ("samples, cat 0", lambda: oc.cat([wide(), m().state("c")], 0), oc.errors.SampleMismatch, r"\[3, 1\]"),
    ("batches, cat 1", lambda: oc.cat([wide(), m().state("c")], 1), oc.errors.BatchMismatch, r"\[2, 1\]"),
    ("fork of three", lambda: wide().fork(2), oc.errors.SampleMismatch, r"fork\(2\) of 3 samples"),
    ("two samples of three", lambda: sampled(2)(wide()), oc.errors.SampleMismatch, "samples=2.*3 samples.*1 or 2"),
    ("two beams of three", lambda: beam(2)(wide()), oc.errors.SampleMismatch, "beams=2.*3 samples.*at most 2"),
    ("best of too few", lambda: wide().best(4), ValueError, r"best\(4\) of 3"),
    ("best 0", lambda: wide().best(0), ValueError, r"best\(0\)"),
    ("best of a str", lambda: wide().best("a"), TypeError, "k='a'.*int"),
    ("best of a float", lambda: wide().best(1.0), TypeError, "1.0|float"),
    ("fork 0", lambda: m().state("a").fork(0), ValueError, r"fork\(0\)"),
    ("fork 1.5", lambda: m().state("a").fork(1.5), TypeError, "n=1.5.*int"),
    # +, cat and what a value refuses
    ("an int added", lambda: wide() + 5, TypeError, "int"),
    ("token ids added", lambda: m().state("a") + [1, 2], TypeError, r"model.state\("),
    ("an int in front", lambda: 5 + wide(), TypeError, "int"),
    ("None added", lambda: wide() + None, TypeError, "NoneType"),
    ("sum()", lambda: sum([wide(), wide()]), TypeError, "int"),
    ("cat of nothing", lambda: oc.cat([], 0), TypeError, "empty list"),
    ("cat of a state", lambda: oc.cat(wide(), 0), TypeError, "SequenceState"),
    ("cat of a str", lambda: oc.cat([wide(), "a"], 0), TypeError, "str"),
    ("cat dim 3", lambda: oc.cat([wide()], 3), IndexError, r"dim=3"),
    ("cat dim a", lambda: oc.cat([wide()], "a"), TypeError, "dim='a'.*0 .batch"),
    ("an attribute set", lambda: setattr(wide(), "rows", ()), AttributeError, "value.*rows"),
    ("a new attribute", lambda: setattr(wide(), "note", 1), AttributeError, "value.*note"),
    ("an attribute deleted", lambda: delattr(wide(), "rows"), AttributeError, "value.*rows"),
    ("pickle", lambda: pickle.dumps(wide()), TypeError, r"state.save\(path\)"),
    ("a capture that is not there", lambda: wide().captures["city"], KeyError, "city"),
    # samplers
    ("no samples", lambda: S.multinomial(samples=0), ValueError, "samples=0.*≥ 1"),
    ("True samples", lambda: S.multinomial(samples=True), ValueError, "samples=True"),
    ("temperature 0", lambda: S.multinomial(temperature=0), ValueError, r"temperature=0.*greedy\(\)"),
    ("temperature nan", lambda: S.multinomial(temperature=float("nan")), ValueError, "temperature=nan"),
    ("temperature inf", lambda: S.multinomial(temperature=float("inf")), ValueError, "temperature=inf"),
    ("temperature a", lambda: S.multinomial(temperature="a"), (TypeError, ValueError), "temperature='a'"),
    ("top_k 0", lambda: S.multinomial(top_k=0), ValueError, "top_k=0"),
    ("top_k 1.5", lambda: S.multinomial(top_k=1.5), ValueError, "top_k=1.5"),
    ("top_p 0", lambda: S.multinomial(top_p=0), ValueError, "top_p=0"),
    ("top_p 1.1", lambda: S.multinomial(top_p=1.1), ValueError, "top_p=1.1"),
    ("top_p a", lambda: S.multinomial(top_p="a"), (TypeError, ValueError), "top_p='a'"),
    ("min_p -1", lambda: S.multinomial(min_p=-1), ValueError, "min_p=-1"),
    ("beams 0", lambda: S.beam_search(0), ValueError, "beams=0"),
    ("beams 1.5", lambda: S.beam_search(1.5), ValueError, "beams=1.5"),
    ("length penalty 1e9", lambda: S.beam_search(2, 1e9), ValueError, "length_penalty=1000000000.0: .* from -32 to 32"),
    ("length penalty nan", lambda: S.beam_search(2, float("nan")), ValueError, "length_penalty=nan"),
    ("length penalty a", lambda: S.beam_search(2, "a"), (TypeError, ValueError), "length_penalty='a'"),
    ("a sampler not made", lambda: G.text(m(), S.greedy), TypeError, r"greedy\(\)"),
    ("a sampler class", lambda: G.text(m(), type(S.greedy())), TypeError, "sampler"),
    ("a sampler's name", lambda: G.text(m(), "greedy"), TypeError, "'greedy'"),
    # constraints
    ("no options", lambda: G.choice(m(), []), oc.errors.ConstraintError, "no options"),
    ("an option twice", lambda: G.choice(m(), ["a", "b", "a"]), ValueError, "'a'.*twice"),
    ("a str of options", lambda: G.choice(m(), "red"), TypeError, "list of options.*'red'"),
    ("lists as options", lambda: G.choice(m(), [[1]]), TypeError, r"an option is a str.*\[1\]"),
    ("None as options", lambda: G.choice(m(), None), TypeError, "list of options.*None"),
    ("a lone surrogate", lambda: G.choice(m(), ["\ud800"]), oc.errors.ConstraintError, "surrogate"),
    ("a pattern without strings", lambda: G.regex(m(), r"[^\s\S]"), oc.errors.ConstraintError, "matches no string"),
    ("no pattern", lambda: G.regex(m(), "("), oc.errors.ConstraintError, "not a regular expression.*position 0"),
    ("an atomic group", lambda: G.regex(m(), "a(?>b)b"), oc.errors.ConstraintError, "atomic group.*position 1"),
    ("a lookahead never met", lambda: G.regex(m(), "a(?=c)b"), oc.errors.ConstraintError, "matches no string"),
    ("a backreference", lambda: G.regex(m(), r"(a)\1"), oc.errors.ConstraintError, "backreference.*position 3"),
    ("an int as pattern", lambda: G.regex(m(), 5), TypeError, "pattern, a str .*not 5"),
    ("stop=never", lambda: G.regex(m(), "a", stop="never"), ValueError, "'never'.*'elsewhere'.*'eos'"),
    (
        "a schema keyword",
        lambda: G.json(m(), {"contains": 3}),
        oc.errors.ConstraintError,
        "#/contains.*a schema is an object",
    ),
    (
        "no keyword",
        lambda: G.json(m(), {"type": "integer", "minumum": 3}),
        oc.errors.ConstraintError,
        "minumum.*'minimum'",
    ),
    ("a schema type", lambda: G.json(m(), {"type": "strnig"}), oc.errors.ConstraintError, "strnig"),
    ("a schema that allows nothing", lambda: G.json(m(), False), oc.errors.ConstraintError, "no"),
    ("a schema that is no JSON", lambda: G.json(m(), "{'type'"), ValueError, "not JSON.*{'type'"),
    ("an int as schema", lambda: G.json(m(), 5), TypeError, "5"),
    ("a format of a class", lambda: G.format(m(), property), TypeError, "the class property"),
    ("an empty Literal", lambda: G.format(m(), Literal[()]), (TypeError, ValueError), "Literal|no options"),
    # calls
    ("max_tokens -1", lambda: text()("a", max_tokens=-1), ValueError, "max_tokens=-1.*≥ 0"),
    ("max_tokens True", lambda: text()("a", max_tokens=True), (TypeError, ValueError), "max_tokens=True"),
    ("max_tokens 1.5", lambda: text()("a", max_tokens=1.5), (TypeError, ValueError), "max_tokens=1.5"),
    ("max_tokens of resume", lambda: text().resume(m().state("a"), max_tokens=-1), ValueError, "max_tokens=-1"),
    ("seed a", lambda: text()("a", seed="a"), TypeError, "seed='a'"),
    ("seed 1.0", lambda: text()("a", seed=1.0), TypeError, "seed=1.0"),
    ("stop_at on a regex", lambda: digits()("a", stop_at="b"), ValueError, "stop_at='b' on a regex"),
    ("an empty stop string", lambda: text()("a", stop_at=""), ValueError, "stop_at=''.*non-empty"),
    ("one empty stop string", lambda: text()("a", stop_at=["b", ""]), ValueError, "non-empty"),
    ("stop_at 5.5", lambda: text()("a", stop_at=5.5), TypeError, "stop_at=5.5"),
    (
        "stop_at of no tokens",
        lambda: text()("a", stop_at=[10**6]),
        ValueError,
        "stop_at=1000000: there is no such token",
    ),
    (
        "no option",
        lambda: G.text(m())("a", max_token=5),
        TypeError,
        "'max_token'.*did you mean max_tokens.*are max",
    ),
    ("a span's name", lambda: G.text(m())("a", name=5), TypeError, "name=5"),
    ("a span's empty name", lambda: G.text(m())("a", name=""), TypeError, "name=''"),
    ("progress 1", lambda: G.text(m())("a", progress=1), TypeError, "progress=1"),
    ("a controller healed", lambda: written([])("a", seam="heal"), ValueError, "seam='heal'.*control.*'keep'"),
    ("a guide without advance", lambda: written(NoGuide())("a"), TypeError, "no guide: it has no 'advance'"),
    (
        "a mask of bools",
        lambda: written(MadeGuide(np.ones(1536, bool)))("a"),
        TypeError,
        r"MadeG.*bool .1536..*pack",
    ),
    ("a mask of int64", lambda: written(MadeGuide(np.ones(48, np.int64)))("a"), TypeError, r"int64 \[48\].*int32"),
    ("a dead end", lambda: written(MadeGuide(np.zeros(48, np.int32)))("a"), ValueError, "dead end"),
    ("a step's own budget", lambda: oc.Step(G.text(m()), None, "keep", -2), ValueError, "max_tokens=-2"),
    ("a step's own seam", lambda: replace(text(), seam="no"), ValueError, "seam='no'"),
    ("a step's own stop", lambda: replace(text(), stop_at=[""]), ValueError, "stop_at="),
    ("a step's own float", lambda: oc.Step(digits().generator, None, "keep", 1.5), TypeError, "max_tokens=1.5"),
    ("a step of a str", lambda: oc.Step("a"), TypeError, "generator.*str"),
    ("continuous of a model", lambda: oc.continuous(m()), TypeError, "generator.*Model"),
    ("continuous of a step", lambda: oc.continuous(text()), TypeError, "generator.*Step"),
    ("a step's name", lambda: oc.continuous(G.text(m()), name=5), TypeError, "name.*5"),
    ("an empty name", lambda: oc.continuous(G.text(m()), name=""), TypeError, "non-empty"),
    # characters
    ("characters with a step", lambda: wide().chars[..., ::2], IndexError, r"state.chars\[..., ::2\].*without a step"),
    ("a character out of range", lambda: wide().chars[..., -3], IndexError, "character -3 .* of 2 characters"),
    ("a str for a character", lambda: wide().chars[..., "a"], IndexError, "the character key is 'a' .*characters"),
    (
        "one key for three axes",
        lambda: wide().chars[0],
        IndexError,
        r"state.chars\[0\] .*state.chars\[..., character",
    ),
    ("characters one by one", lambda: list(wide().chars), TypeError, "not iterable"),
    ("inside a rule of none", lambda: wide().chars(inside="cut"), ValueError, "inside='cut'.*'spell'.*'keep'.*'drop'"),
    ("up to nothing", lambda: wide().up_to(""), ValueError, r"up_to\(''\).*give the text"),
    ("up to an int", lambda: wide().up_to(3), TypeError, r"up_to\(3\).*a str, not int"),
    ("up to a text, unruly", lambda: wide().up_to("a", inside=None), ValueError, "inside=None"),
    (
        "up to a text, missing",
        lambda: wide().up_to("a", missing="ignore"),
        ValueError,
        "missing='ignore'.*'raise' or 'keep'",
    ),
    ("up to a text in span 1.5", lambda: wide().up_to("a", span=1.5), TypeError, "span=1.5.*name.*index.*None"),
    ("up to a text in no span", lambda: wide().up_to("a", span=1), IndexError, "span 1 is out of range.*1 span"),
    # resume
    ("resume of a str", lambda: text().resume("abc"), TypeError, "SequenceState, not str"),
    ("resume of a prompt", lambda: text().resume(m().state("a")), ValueError, "'text'.*no such span.*none"),
    ("resume of another name", lambda: digits().resume(text()("a", 2)), ValueError, "'digits'.*no such span.*'text'"),
    (
        "resume past another span",
        lambda: digits().resume(text()(digits()("a", 2, seed=0), 2)),
        ValueError,
        "another generated span.*'text'.*slice it off",
    ),
    ("resume of unfit text", lambda: digits().resume(digits()("a", 2) + "b"), oc.errors.ConstraintError, "[0-9]{2}b"),
    # needs
    ("a need alone", lambda: m().read(oc.stepping.Need((5, 6))), TypeError, r"a list of them.*read\(\[need\]\)"),
    ("needs one by one", lambda: m().read(iter([oc.stepping.Need((5, 6))])), TypeError, r"takes a list of Needs"),
    ("ids for a need", lambda: m().read([(5, 6)]), TypeError, r"\(5, 6\) .tuple. is no Need: Need\(ids, wanted\)"),
    ("two rows in a need", lambda: oc.stepping.Need([[5], [6]]), TypeError, r"ids\[0\]=\[5\]: it must be an int"),
    (
        "a matrix in a need",
        lambda: oc.stepping.Need(torch.tensor([[5, 6]])),
        TypeError,
        r"ids\[0\]=\[5, 6\]: it must be an int",
    ),
    ("floats in a need", lambda: oc.stepping.Need(torch.tensor([5.0])), TypeError, r"ids\[0\]=5.0: it must be an int"),
    (
        "a mask in a need",
        lambda: oc.stepping.Need(torch.tensor([True])),
        TypeError,
        r"ids\[0\]=True: it must be an int",
    ),
    (
        "a text in a need",
        lambda: oc.stepping.Need("abc"),
        TypeError,
        r"Need\(ids='abc'\): it takes token ids, a tuple or a list",
    ),
    ("a set in a need", lambda: oc.stepping.Need({5, 6}), TypeError, r"Need\(ids=\{5, 6\}\): it takes token ids"),
    ("one position", lambda: oc.stepping.Need((5, 6), 1), TypeError, r"Need\(wanted=1\): it takes positions"),
    ("no head", lambda: oc.stepping.Need((5, 6), head=None), TypeError, r"Need\(head=None\): it takes token ids"),
    ("a float in a need", lambda: oc.stepping.Need((5.0,)), TypeError, r"ids\[0\]=5.0: it must be an int"),
    ("a later float in a need", lambda: m().read([oc.stepping.Need((5, 6.0))]), TypeError, "6.0 .float. is no int"),
    (
        "a need's token too large",
        lambda: m().read([oc.stepping.Need((5, 1536))]),
        ValueError,
        "token id 1536 .*1536 tokens",
    ),
    ("a negative token in a head", lambda: m().read([oc.stepping.Need((5,), head=(-1,))]), ValueError, "token id -1"),
    ("a need beyond the context", lambda: m().read([oc.stepping.Need((5,) * 2049)]), ValueError, "2049 tokens.*2048"),
    ("a prompt to fill, beyond it", lambda: other_model().state("a b " * 99).kv.prefill(), ValueError, "context is 24"),
    # files
    ("no file", lambda: oc.load_state("nowhere.safetensors", m()), FileNotFoundError, "nowhere.safetensors"),
]


@pytest.mark.parametrize(("call", "error", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_it_is_refused_by_name(call: Callable[[], Any], error: type[BaseException], message: str) -> None:
    before = m().stats.kv_bytes
    with pytest.raises(error, match=message) as caught:
        call()
    del caught
    if m().stats.kv_bytes != before:  # a collection takes half a second, a hundred of them most of a minute
        gc.collect()
    assert m().stats.kv_bytes == before


def test_own_errors_are_also_those_that_torch_users_catch() -> None:
    for error, builtin in [
        (oc.errors.BatchMismatch, ValueError),
        (oc.errors.SampleMismatch, ValueError),
        (oc.errors.ConstraintError, ValueError),
        (oc.errors.IncompleteError, ValueError),
        (oc.errors.SlicingError, IndexError),
    ]:
        assert issubclass(error, oc.OutlinesContError) and issubclass(error, builtin)
    assert issubclass(oc.errors.Interrupted, KeyboardInterrupt) and not issubclass(oc.errors.Interrupted, Exception)


def test_what_looks_odd_but_has_a_meaning() -> None:
    """numpy's ints are ints, an empty prompt is the bos, and a budget of nothing gives nothing."""
    assert m().state([np.int64(5), np.int64(6)]) == m().state(torch.tensor([5, 6])) == m().state(np.array([5, 6]))
    assert text()("a", max_tokens=np.int64(2), seed=np.int64(1)) == text()("a", max_tokens=2, seed=1)
    assert m().state("").shape == (1, 1, 1) and list(m().state("")) == [""]
    assert text()("", max_tokens=2).lengths.item() <= 3
    nothing = text()("abc", max_tokens=0)
    assert nothing == m().state("abc") and nothing.finished == [["length"]] and nothing.weights.item() == 0.0
    assert G.text(m())("abc", max_tokens=0) == ""
    assert G.text(m())(m().state("abc")[:0, :, :]) == []
    assert text()(wide()[:0, :, :]).shape == (0, 3, 0) and text()(wide()[:, :0, :]).shape == (2, 0, 0)
    assert G.choice(m(), (option for option in ["a"]))("x") == "a"
    assert G.regex(m(), "")("x") == "" and G.choice(m(), [""])("x") == ""
    assert text()(m().state([5] * 2048)).finished == [["length"]]
    assert copy.deepcopy(wide()) is copy.copy(wide()) is wide()


def test_special_tokens_in_a_text_stay_text() -> None:
    eos = m().tokenizer.eos_token
    for state in (m().state(eos), m().state("a") + eos, eos + m().state("a")):
        assert m().tokenizer.eos_token_id not in state.token_ids and eos in str(state)
    assert m().tokenizer.eos_token_id in m().state(eos, special=True).token_ids


def test_a_value_cut_short_can_be_finished() -> None:
    """A plain call raises `IncompleteError`, whose state `resume()` finishes; a step returns it."""
    with pytest.raises(oc.errors.IncompleteError) as long:
        oc.generate.regex(shipped_model(), "a{1900}", oc.samplers.greedy())("x", max_tokens=400)
    assert len(str(long.value)) < 500 and "…" in str(long.value)
    with pytest.raises(oc.errors.IncompleteError, match=r"'[0-9]{2}' was cut short \(length\).*max_tokens") as caught:
        G.regex(m(), "[0-9]{4}")("In ", max_tokens=2, seed=1)
    state = caught.value.state
    assert state.finished == [["length"]]
    step = oc.continuous(G.regex(m(), "[0-9]{4}"))
    done = step.resume(state, seed=1)
    assert done.finished == [["stop"]] and done[..., : state.shape[2]] == state
    assert done == step("In ", seed=1)
    fitting = step.resume(state[..., :-1] + "77", seed=1)
    assert fitting.finished == [["stop"]] and "77" in str(fitting)[4:6]


def test_a_moved_state_has_no_scores_until_they_are_taken() -> None:
    here = text()("The capital", max_tokens=3, seed=0)
    there = here.to(other_model())
    assert there.model is other_model() and there == here and not there.identical(here)
    assert there.weights.isnan().all() and there.kv.lengths.sum() == 0
    assert there.logprobs[0, 0, -3:].isnan().all() and (there.logprobs[0, 0, :-3] == 0).all()
    assert here.weights.isfinite().all() and here.to(m()) is here
    scored = there.rescore()
    assert other_model().rescore(here).identical(scored) and m().rescore(here).identical(here.rescore())
    with torch.no_grad():
        logits = other_model().hf(input_ids=here.token_ids[0]).logits[0]
    drawn = torch.log_softmax(logits.double(), -1)[:-1].gather(1, here.token_ids[0, 0, 1:, None])[-3:, 0]
    assert torch.allclose(scored.logprobs[0, 0, -3:], drawn, atol=1e-4)
    assert scored.weights.item() == pytest.approx(drawn.sum().item(), abs=1e-4)
    again = there.to(m()).rescore()
    assert torch.allclose(again.logprobs, here.logprobs, atol=1e-4)
    split = there[..., :-2] + there[..., -2:]
    assert split.identical(there)


def test_strict_kv_refuses_what_gives_up_keys_and_values() -> None:
    state = text()("The capital", max_tokens=3, seed=0)
    bare = state.kv.drop()
    with oc.stepping.strict_kv():
        for lost in (lambda: state[..., 1:], lambda: state[..., ::2], lambda: "x" + state, lambda: state + state):
            with pytest.raises(oc.errors.SlicingError, match="keys and values"):
                lost()
        for start, stop in ((1, None), (1, 2), (-1, None)):
            with pytest.raises(oc.errors.SlicingError, match="keys and values"):
                state.chars[..., start:stop]
        assert list(state.up_to("apital")) == list(state.chars[..., 0:5]) == ["The c"]
        assert state.chars[..., 3:2].shape[2] == 0 and list(bare.chars[..., 1:2]) == ["h"]
        assert state[..., :-1] == state[..., :-1] + "" and bare[..., 1:].shape[2] == state.shape[2] - 1
        assert (state + " and").kv.lengths.item() >= state.kv.lengths.item()
        assert state.fork(2)[0, 1, :3].kv.lengths.item() == 3
    assert state[..., 1:].shape[2] == state.shape[2] - 1


def result_of(step: Any, state: oc.SequenceState) -> tuple[Any, ...]:
    after = step(state, max_tokens=6, seed=3)
    return after.token_ids.tolist(), after.finished


@pytest.mark.parametrize("fails_at", [0, 1, 3])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_a_generation_broken_off_leaves_nothing_behind(
    error: type[BaseException], fails_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C (or any error) out of the model's forward: the tree is as it was, and the same call gives the same."""
    model = oc.Model(m().hf, m().tokenizer)
    step = oc.continuous(G.text(model), name="text")
    start = model.state(["The capital of France is", "Once upon a"])
    expected = result_of(step, start.kv.drop())
    gc.collect()
    assert model.stats.kv_bytes == 0
    forward, calls = model.hf.forward, []

    def broken(*args: Any, **kwargs: Any) -> Any:
        calls.append(None)
        if len(calls) > fails_at:
            raise error("out of the blue")
        return forward(*args, **kwargs)

    broken.__signature__ = __import__("inspect").signature(forward)  # type: ignore[attr-defined]
    monkeypatch.setattr(model.hf, "forward", broken)
    raised: type[BaseException] = oc.errors.Interrupted if error is KeyboardInterrupt else error
    with pytest.raises(raised) as caught:
        step(start.kv.drop(), max_tokens=6, seed=3)
    monkeypatch.undo()
    if error is KeyboardInterrupt:
        state = caught.value.state
        assert state.finished == [["interrupted"]] * 2
        assert (state.lengths == start.lengths + fails_at).all()
        assert state[..., :fails_at] == model.state(["The capital of France is", "Once upon a"])[..., :fails_at]
        resumed = step.resume(state, max_tokens=6 - fails_at, seed=3)
        assert (resumed.token_ids.tolist(), resumed.finished) == expected
        del state, resumed
    del caught
    gc.collect()
    assert model.stats.kv_bytes == 0
    assert result_of(step, start.kv.drop()) == expected
    gc.collect()
    assert model.stats.kv_bytes == 0


def test_logits_that_are_not_numbers_are_refused_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """NaN logits raise by name; and once the model is well again, so is everything made before."""
    model = oc.Model(m().hf, m().tokenizer)
    forward, hurt = model.hf.forward, [False]

    def ill(*args: Any, **kwargs: Any) -> Any:
        result = forward(*args, **kwargs)
        if hurt[0]:
            result.logits = torch.full_like(result.logits, torch.nan)
        return result

    monkeypatch.setattr(model.hf, "forward", ill)
    for sampler in (S.multinomial(), S.greedy(), S.beam_search(2)):
        for generator in (G.text(model, sampler), G.regex(model, "[0-9]{2}", sampler)):
            step = oc.continuous(generator)
            start = step("The capital", max_tokens=2, seed=1)[..., :-1]
            expected = result_of(step, start.kv.drop())
            hurt[0] = True
            with pytest.raises(ValueError, match=r"(?i)nan"):
                step(start, max_tokens=6, seed=3)
            hurt[0] = False
            assert result_of(step, start) == expected


def test_errors_are_short_in_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What IPython prints: the user's lines, whatever called whom, and why; not ours."""
    model = shipped_model()

    def hook(draw: oc.steer.Draw) -> None:
        G.regex(model, "[0-9")

    def refused() -> None:
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError as error:
            raise oc.errors.ConstraintError("wrapped") from error

    def shown(call: Callable[[], Any], kind: type[BaseException]) -> str:
        with pytest.raises(kind) as caught:
            call()
        return "".join(caught.value._render_traceback_())  # type: ignore[attr-defined]

    plain = shown(lambda: G.regex(model, "[0-9"), oc.errors.ConstraintError)
    assert plain.splitlines()[-1].startswith("outlines_cont.errors.ConstraintError: the pattern '[0-9' is not")
    assert len(plain.splitlines()) < 10 and "parser.py" not in plain and "test_bad_input.py, line" in plain
    within = shown(lambda: G.text(model)("x", hooks=[hook]), oc.errors.ConstraintError)
    assert "in hook\n" in within and "    …\n" in within and "hooks.py" not in within
    assert shown(refused, oc.errors.ConstraintError).endswith("because of ZeroDivisionError: division by zero\n")
    monkeypatch.setenv("OUTLINES_CONT_TRACEBACK", "full")
    ours = str(Path("decode", "hooks.py"))  # not in one word: the traceback shows the lines of this test, too
    assert ours in shown(lambda: G.text(model)("x", hooks=[hook]), oc.errors.ConstraintError)


def test_what_newcomers_write_is_answered_with_what_is_right() -> None:
    model, other = shipped_model(), oc.load()
    step = oc.continuous(G.regex(model, "[0-9]{4}"), name="year")
    state = step("In ", max_tokens=1, seed=1)
    for kind, said, call in (
        (TypeError, "one flat list", lambda: model.state([["a", "b"]])),
        (TypeError, r"model.chat\(messages\)", lambda: model.state([[{"role": "user"}]])),
        (TypeError, r"\(a >> b\)\(state\)", lambda: state >> step),
        (TypeError, "by their ids", lambda: step("In ", hooks=[lambda draw: oc.steer.Resample(ban=["1"])])),
        (ValueError, r"two Model objects with equal vocabularies, state.to\(model\)", lambda: state + other.state("x")),
        (ValueError, r"cut \+ text", lambda: step.resume(model.state("In 19"))),
        (oc.errors.ConstraintError, "fits as far as", lambda: step.resume(state + "x")),
        (TypeError, r"cat\(\[a, b\], dim\)", lambda: oc.cat(state, state)),
        (ValueError, "does not end in a span", lambda: step.generator.values(model.state("x"))),
    ):
        with pytest.raises(kind, match=said):
            call()


@pytest.mark.parametrize("collecting", [True, False])
def test_the_garbage_collector_is_as_it_was(collecting: bool) -> None:
    """It waits during a step: after it, whatever happened in it, it is on or off as before."""
    states: list[bool] = []

    def look(draw: Any) -> None:
        states.append(gc.isenabled())
        if len(states) == 5:
            raise RuntimeError("out of the blue")

    step = oc.continuous(G.text(m(), oc.samplers.multinomial(samples=2)))
    (gc.enable if collecting else gc.disable)()
    try:
        between = [gc.isenabled() for _ in step.stream("The sky is", max_tokens=3, seed=1)]
        with pytest.raises(RuntimeError, match="out of the blue"):
            step("The sky is", max_tokens=20, seed=1, hooks=[look])
        assert between == [collecting] * len(between) and gc.isenabled() == collecting
        assert len(states) > 5 and not any(states)  # the other sample has gone on
    finally:
        gc.enable()


def made(kind: str, names: list[str]) -> Any:
    """A value that is right for few arguments, or a container of such values."""
    several = [values()[name]() for name in names]
    keyed = zip(["type", "enum", 3], several, strict=False)
    return {"one": several[0], "list": several, "tuple": tuple(several), "dict": dict(keyed)}[kind]


@settings(max_examples=1000)
@given(data=st.data())
def test_arguments_of_any_kind_give_a_result_or_an_error_of_ours(data: st.DataObject) -> None:
    """Every public callable, with one or more of its arguments replaced: it works, or a `raise` of ours says why not.

    So nobody gets an AttributeError, a RecursionError, an OverflowError or a RuntimeError of torch from the middle of
    the library. (At first there were 137 places where one wrong argument was enough.)
    """
    public = publics()[data.draw(st.sampled_from([name for name in publics() if publics()[name].right]), "callable")]
    some = st.lists(st.sampled_from(sorted(values())), min_size=1, max_size=3)
    kinds = st.sampled_from(["one", "one", "one", "list", "tuple", "dict"])
    arguments = st.lists(st.sampled_from(sorted(public.right)), min_size=1, max_size=3, unique=True)
    changed = {name: made(data.draw(kinds), data.draw(some, name)) for name in data.draw(arguments)}
    assert tried(public, changed) is None


def test_right_arguments_are_right() -> None:
    """Else nothing would be tried with the wrong ones."""
    for public in publics().values():
        public.call(**public.right)
