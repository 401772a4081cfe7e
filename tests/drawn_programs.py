"""Random programs: prompts, a step or a chain of any kinds of generators under any sampler, and the options of a call.

Each link's language is known twice: as what the generator is made of, and as a pattern of bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

import regex
from test_generation import toy_tokenizer

import outlines_cont as oc

LETTERS = "abcxyz12"
TOKENIZERS: dict[str, Callable[[], Any]] = {}


def tokenizer(name: str) -> Any:
    return TOKENIZERS[name]()


def _tokenizers() -> None:
    from made_tokenizers import byte_fallback, byte_level
    from strategies import shipped_model
    from tokenizers import pre_tokenizers

    TOKENIZERS["letters"] = lambda: toy_tokenizer([*dict.fromkeys('abcxyz0123456789-{}[]":,truefalsn+Ġ')])
    TOKENIZERS["bytes"] = lambda: toy_tokenizer(sorted(pre_tokenizers.ByteLevel.alphabet()))
    TOKENIZERS["byte level"] = byte_level
    TOKENIZERS["byte fallback"] = lambda: byte_fallback("none")
    TOKENIZERS["llama"] = lambda: byte_fallback("prepend")
    TOKENIZERS["unigram"] = lambda: byte_fallback("metaspace", "unigram")
    TOKENIZERS["shipped"] = lambda: shipped_model().tokenizer


_tokenizers()


@dataclass(frozen=True)
class Language:
    """The texts that a link may write, as a pattern of bytes; None: any text."""

    pattern: bytes | None

    @cached_property
    def compiled(self) -> Any:
        return None if self.pattern is None else regex.compile(self.pattern, regex.DOTALL)

    def whole(self, data: bytes) -> bool:
        """Whether this is one of them; `re` says so."""
        return self.pattern is None or bool(re.fullmatch(self.pattern, data, re.DOTALL))

    def begins(self, data: bytes) -> bool:
        """Whether one of them begins so, or is this."""
        return self.compiled is None or bool(self.compiled.fullmatch(data, partial=True))


@dataclass(frozen=True)
class Link:
    """A step of a program. what: the options, the pattern, the schema or the grammar of its generator."""

    kind: str
    what: Any
    language: Language
    name: str
    options: dict[str, Any] = field(default_factory=dict)  # of the generator
    settings: dict[str, Any] = field(default_factory=dict)  # of the step

    def step(self, model: Any, sampler: Any) -> oc.Step:
        make: Any = getattr(oc.generate, self.kind)
        if self.kind == "control":
            return oc.continuous(make(model, controller(model), sampler), name=self.name, **self.settings)
        what = () if self.kind == "text" else (self.what,)
        return oc.continuous(make(model, *what, sampler, **self.options), name=self.name, **self.settings)


@dataclass(frozen=True)
class Program:
    """What is called with what. `links`: steps, texts, and functions of a row that give a text."""

    tokenizer: str
    seed: int  # of the model
    context: int
    prompts: list[Any]
    links: tuple[Any, ...]
    sampler: Any
    call: dict[str, Any]

    def work(self, model: Any) -> Any:
        """The step or the chain."""
        [first, *rest] = [part.step(model, self.sampler) if isinstance(part, Link) else part for part in self.links]
        for part in rest:
            first = first >> part
        return first

    def run(self, model: Any, prompts: Any = None, **more: Any) -> oc.SequenceState:
        given = self.prompts if prompts is None else prompts
        return self.work(model)(given, **{**self.returned, **more})

    @property
    def returned(self) -> dict[str, Any]:
        """The options of a call that returns the errors of rows."""
        return {"errors": "return", **self.call}

    @property
    def further(self) -> dict[str, Any]:
        """The options of a call that goes on from a state, whose rows have their keys."""
        return {key: value for key, value in self.call.items() if key != "keys"}

    @property
    def steps(self) -> list[Link]:
        return [part for part in self.links if isinstance(part, Link)]

    @property
    def row_by_row(self) -> bool:
        """Whether rows are not compared with each other."""
        return not self.sampler.joint

    @property
    def resumable(self) -> bool:
        """Whether `resume` draws as the call would have: what hooks and controllers took back is not known any more."""
        hooks = self.call["hooks"].functions if "hooks" in self.call else ()
        predicates = any("where" in link.options for link in self.steps)
        dying = predicates and isinstance(self.sampler, oc.samplers.Particles)  # (or a copy takes the place: search.md)
        controlled = any(link.kind == "control" for link in self.steps)
        return goes_back not in hooks and not dying and not controlled

    @property
    def limited(self) -> bool:
        return "max_tokens" in self.call or any("max_tokens" in link.settings for link in self.steps)


def controller(model: Any) -> Callable[[oc.steer.Writing], list[oc.steer.Branch]]:
    """Words, a text between them, and back once."""
    words = oc.generate.regex(model, "[a-c]{2,4}")

    def controlled(row: oc.steer.Writing) -> list[oc.steer.Branch]:
        return [
            [oc.steer.Branch(allowed=words, memory=1, label="word")],
            [oc.steer.Branch(backtrack="word", forced="b", memory=2)],
            [oc.steer.Branch(forced="12", memory=3)],
            [oc.steer.Branch(allowed=words, memory=4)],
            [],
        ][row.memory or 0]

    return controlled


def no_c(text: str, done: bool) -> bool:
    """A predicate: of a text it refuses all that begin with it."""
    return "c" not in text


def not_by_three(text: str, done: bool) -> bool:
    """A check digit, which is known at the end only."""
    return not done or sum(map(ord, text)) % 3 > 0


def shorter(text: str, done: bool) -> float:
    """A log-potential."""
    return -0.2 * len(text)


def counted(row: oc.SequenceState) -> str:
    """A function of a chain: what it gives depends on the row."""
    return "-" + "ab"[row.shape[2] % 2]


# --- what is drawn


def program_of(r: Random) -> Program:
    name = r.choices([*TOKENIZERS], [4, 3, 1, 1, 1, 1, 1])[0]
    sampler = sampler_of(r)
    links: list[Any] = []
    for at in range(r.choices([1, 2, 3], [5, 3, 1])[0]):
        if at and r.random() < 0.6:
            links.append(r.choice(["x", "-", " ", " ab", "ca ", counted]))
        links.append(link_of(r, f"{'abc'[at]}", sampler))
    if r.random() < 0.15:
        links.append(r.choice(["z", counted]))
    if r.random() < 0.15:
        links.insert(0, r.choice(["y", " "]))
    prompts = [prompt_of(r) for _ in range(r.choice([1, 2, 2, 3]))]
    if len(prompts) > 1 and r.random() < 0.3:
        prompts[-1] = prompts[0]
    return Program(
        name,
        r.randrange(10**6),
        r.choice([48, 64, 96]),
        prompts,
        tuple(links),
        sampler,
        call_of(r, sampler, len(prompts)),
    )


def prompt_of(r: Random) -> str | list[int]:
    if r.random() < 0.05:
        return [r.randrange(4, 24) for _ in range(r.randint(1, 6))]
    return r.choice(["", *"xyab"]) + "".join(r.choices([*LETTERS, " ", "-", "ab", "ca "], k=r.randint(1, 8)))


def sampler_of(r: Random) -> Any:
    s = oc.samplers
    kind = r.choices(["greedy", "multinomial", "beams", "smc"], [3, 5, 3, 2])[0]
    if kind == "greedy":
        return s.greedy(filters_of(r))
    if kind == "multinomial":
        warp: dict[str, Any] = {}
        for option, values in {
            "temperature": [0.5, 0.8, 1.5],
            "top_k": [1, 3, 20],
            "top_p": [0.5, 0.9],
            "min_p": [0.05],
        }.items():
            if r.random() < 0.25:
                warp[option] = r.choice(values)
        return s.multinomial(r.choice([1, 1, 1, 2, 3]), **warp, filters=filters_of(r))
    if kind == "beams":
        penalty = r.choice([0.0, 0.0, 0.7, -0.5])
        distinct = r.choice(["text", "text", "tokens"])
        spellings = {} if distinct == "tokens" else {"spellings": r.choice([1, 2, 2, 4])}
        return s.beam_search(r.randint(1, 4), penalty, distinct, **spellings)
    return s.smc(r.randint(1, 4), r.choice([0.3, 0.5, 1.0]), every=r.choice(["span", "span", 2, "word", None]))


def filters_of(r: Random) -> list[Any]:
    if r.random() < 0.8:
        return []
    f = oc.filters
    return [r.choice([f.repetition_penalty(1.3), f.logit_bias({None: -1.0}), f.min_tokens(2), f.bad_words(["ab"])])]


def call_of(r: Random, sampler: Any, prompts: int) -> dict[str, Any]:
    call: dict[str, Any] = {"seed": r.randrange(1000)}
    if r.random() < 0.35:
        call["max_tokens"] = r.choice([0, 1, 2, 4, 8, 16])
    if r.random() < 0.2 and not sampler.weighs_draws:
        call["hooks"] = oc.steer.Hooks(declines if sampler.joint or r.random() < 0.5 else goes_back, retries=1000)
    if r.random() < 0.1:
        call["keep"] = oc.Keep(candidates=2)
    if r.random() < 0.15:
        call["keys"] = r.sample([0, 1, 2, 7, "one", "two"], prompts)
    return call


def goes_back(draw: oc.steer.Draw) -> oc.steer.Backtrack | None:
    """Another one, which takes back tokens that were taken."""
    said = Random(f"{draw.row.ids} {draw.token} {draw.attempt}").random()
    return oc.steer.Backtrack(1) if said < 0.15 and draw.attempt < 2 and len(draw.row) > draw.row.start else None


def declines(draw: oc.steer.Draw) -> oc.steer.Resample | None:
    """A hook that is a function of its draw."""
    said = Random(f"{draw.row.ids} {draw.token} {draw.attempt}").random()
    return oc.steer.Resample() if said < 0.25 and draw.attempt < 3 and len(draw.candidates(2)) == 2 else None


def link_of(r: Random, name: str, sampler: Any) -> Link:
    kind = r.choices(["choice", "text", "regex", "json", "cfg", "control"], [12, 8, 16, 12, 4, 1])[0]
    if kind == "control" and isinstance(sampler, oc.samplers.Particles):
        kind = "regex"
    options: dict[str, Any] = {}
    settings: dict[str, Any] = {}
    if kind == "choice":
        what: Any = [*dict.fromkeys("".join(r.choices(LETTERS, k=r.randint(1, 4))) for _ in range(r.randint(1, 5)))]
        if r.random() < 0.3:
            what = [*dict.fromkeys([*what, what[0] + "b", what[0][:1]])]
        if r.random() < 0.2:
            what = [f" {each}" for each in what]
        pattern: str | None = "|".join(map(re.escape, what))
        if r.random() < 0.2 and not sampler.weighs_draws and not getattr(sampler, "logit_filters", ()):
            options["by"] = "sequence"
    elif kind == "text":
        what, pattern = None, None
        if r.random() < 0.5:
            settings["stop_at"] = r.sample(["1", "b", "ca", "ab", "x", "  "], r.randint(1, 2))
            if r.random() < 0.3:
                options["include_stop"] = True
    elif kind == "regex":
        what = pattern = pattern_of(r)
    elif kind == "json":
        what, pattern = schema_of(r)
    elif kind == "control":
        what, pattern = None, "b12[a-c]{2,4}"
    else:
        # (A lexer takes the first alternative that matches, and no more than it matches.)
        items, between = r.choice(["[abc]", "[0-9]", "ab", "[a-c1]{2}", "12", "a-b", "[abc]+"]), r.choice("-x+")
        what = f'start: ITEM ("{between}" ITEM)*\nITEM: /{items}/'
        pattern = f"(?:{items})(?:{re.escape(between)}(?:{items}))*"
    if kind not in ("text", "control") and options.get("by") is None:
        if r.random() < 0.2:
            options["forced"] = r.choice(["never", "canonical"])
        if r.random() < 0.15:
            options["stop"] = "eos"
    if kind != "control" and r.random() < 0.1:
        drawn = isinstance(sampler, oc.samplers.Multinomial | oc.samplers.Particles)
        options["where"] = r.choice([no_c, not_by_three, *[shorter] * drawn])
    if kind != "control" and r.random() < 0.15:
        settings["seam"] = r.choice(["heal", "keep"])
    if r.random() < 0.15:
        settings["max_tokens"] = r.choice([1, 3, 6, 12])
    return Link(kind, what, Language(None if pattern is None else pattern.encode()), name, options, settings)


def pattern_of(r: Random, depth: int = 2) -> str:
    if not depth or r.random() < 0.3:
        return r.choice(["[abc]", "[0-9]", "ab", "x", "12", "[a-c1]", "ca", "[xyz]", "-", "a-b"])
    how = r.random()
    if how < 0.45:
        return "".join(pattern_of(r, depth - 1) for _ in range(r.randint(2, 3)))
    if how < 0.7:
        return f"(?:{'|'.join(pattern_of(r, depth - 1) for _ in range(r.randint(2, 3)))})"
    return f"(?:{pattern_of(r, depth - 1)}){r.choice(['?', '*', '+', '{1,3}', '{2}', '{0,2}'])}"


def schema_of(r: Random, depth: int = 2) -> tuple[Any, str]:
    """A schema, and the texts of its values as they are written."""
    kind = r.choice(["enum", "boolean", "integer", "pattern", *["array", "object", "object"] * (depth > 0)])
    if kind == "enum":
        values = r.sample(["a", "ab", "ca", 1, 12, True, None, "x y"], r.randint(1, 3))
        return {"enum": values}, alternatives(map(json.dumps, values))
    if kind == "boolean":
        return {"type": "boolean"}, "(?:true|false)"
    if kind == "integer":
        return {"type": "integer", "minimum": 0, "maximum": 99}, "(?:[1-9]?[0-9])"
    if kind == "pattern":
        body = r.choice(["[ab]{1,3}", "(x|yz)+", "[0-9]{2}", "ca?"])
        return {"type": "string", "pattern": f"^{body}$"}, f'"(?:{body})"'
    if kind == "array":
        items, pattern = schema_of(r, depth - 1)
        least, most = r.choice([(0, 2), (1, 2), (1, 3), (2, 2)])
        some = f"{pattern}(?:,{pattern}){{{max(0, least - 1)},{most - 1}}}"
        schema = {"type": "array", "items": items, "minItems": least, "maxItems": most}
        return schema, rf"\[(?:{some}){'?' * (not least)}\]"
    names = ["a", "bc", "x1"][: r.randint(1, 3)]
    parts = {name: schema_of(r, depth - 1) for name in names}
    required = names[: r.randint(1, len(names))]  # the first ones, so that a comma stands before each other one
    inside = "".join(
        f'{"," * bool(at)}"{name}":{parts[name][1]}' if name in required else f'(?:,"{name}":{parts[name][1]})?'
        for at, name in enumerate(names)
    )
    schema = {"type": "object", "properties": {name: parts[name][0] for name in names}, "required": required}
    return schema, rf"\{{{inside}\}}"


def alternatives(texts: Any) -> str:
    return f"(?:{'|'.join(map(re.escape, texts))})"
