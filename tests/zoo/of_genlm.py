"""genlm-control 0.4.1: docs/coming_from/genlm_control.md.

A value is a posterior, or a log-probability. Most prompts are conversations, so that the model ends its answer by eos.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch
from common import IS_SUM, MESSAGES, STORY, SUM, Person, Program, hf, is_person, model
from genlm.control import AWRS, BoolCFG, BoolFSA, JsonSchema, Potential, PromptedLLM, direct_token_sampler
from genlm.control.sampler import MultiTokenUnitSampler, flatten_units
from genlm.control.sampler.unit import TokenSetBoundary

import outlines_cont as oc
from outlines_cont import tiny

CITIES = ["Lima", "Lisbon", "Porto", "Rome"]
WHERE = [{"role": "user", "content": "Where do you live?"}]
ANY = [{"role": "user", "content": "Name a city."}]
AS_JSON = STORY + "JSON with name, age: "
COUNT, MOST = 50, 40


class WithoutM(Potential):
    async def prefix(self, context: list[bytes]) -> float:
        return float("-inf") if b"m" in b"".join(context) else 0.0

    complete = prefix


class LikesL(Potential):
    """A critic: a text that begins with L counts twice."""

    async def prefix(self, context: list[bytes]) -> float:
        return math.log(2) if b"".join(context).startswith(b"L") else 0.0

    complete = prefix


def likes_l(text: str, done: bool) -> float:
    return math.log(2) if text.startswith("L") else 0.0


@cache
def loaded() -> PromptedLLM:
    return PromptedLLM.from_name(str(tiny.PATH), backend="hf")


def llm(messages: list[dict[str, str]] = MESSAGES) -> PromptedLLM:
    tokenizer = loaded().model.tokenizer
    ids = tokenizer.apply_chat_template(messages, tokenize=True, add_generation_prompt=True, return_dict=False)
    return loaded().spawn(prompt_ids=ids)


def llm_of(prompt: str) -> PromptedLLM:
    made = loaded().spawn()
    made.set_prompt_from_str(prompt)
    return made


def run(sampler: Any, count: int = COUNT, critic: Any = None) -> Any:
    torch.manual_seed(0)
    np.random.seed(0)
    return asyncio.run(sampler.smc(n_particles=count, ess_threshold=0.5, max_tokens=MOST, critic=critic))


def posterior(sampler: Any, count: int = COUNT, critic: Any = None) -> dict[str, float]:
    return dict(run(sampler, count, critic).decoded_posterior)


def constrained(potential: Any, condition: Any) -> Any:
    return AWRS(potential, condition.coerce(potential, f=b"".join), seed=0)


def cities(potential: Any) -> Any:
    return BoolFSA.from_regex("|".join(CITIES)).coerce(potential, f=b"".join)


def ours(
    output_type: Any, prompt: Any = MESSAGES, every: Any = "span", where: Any = None, **options: Any
) -> oc.SequenceState:
    """Particles of one type, which end by eos and draw every token, as theirs."""
    particles = oc.samplers.smc(COUNT, every=every)
    generator = oc.Generator(model(), output_type, particles, forced="never", stop="eos", where=where)
    return generator.run(
        prompt if isinstance(prompt, str) else model().chat(prompt), seed=0, max_tokens=MOST, **options
    )


def texts(state: oc.SequenceState) -> dict[str, float]:
    return state.particles.posterior()[0]


def all_fit(fits: Callable[[str], Any]) -> Callable[[Any], bool]:
    """Whether every text of a posterior fits, and their shares are probabilities."""

    def holds(law: dict[str, float]) -> bool:
        return bool(law) and abs(sum(law.values()) - 1) < 1e-3 and all(fits(text) for text in law)

    return holds


def law(messages: list[dict[str, str]], options: list[str]) -> dict[str, float]:
    """The log-probability of each option and eos, in its usual spelling, by transformers alone."""
    net, tokenizer = hf()
    begin = tokenizer.apply_chat_template(messages, tokenize=True, add_generation_prompt=True, return_dict=False)
    scores = {}
    for option in options:
        ids = [*begin, *tokenizer(option, add_special_tokens=False).input_ids, tokenizer.eos_token_id]
        with torch.no_grad():
            rows = net(torch.tensor([ids])).logits[0].log_softmax(-1)
        scores[option] = sum(rows[at - 1, ids[at]].item() for at in range(len(begin), len(ids)))
    return scores


def shares(scores: dict[str, float]) -> dict[str, float]:
    total = sum(math.exp(score) for score in scores.values())
    return {text: math.exp(score) / total for text, score in scores.items()}


def is_law(scores: dict[str, float], most: float = 0.25) -> Callable[[Any], bool]:
    """Whether a posterior of so many particles is this law."""
    exact = shares(scores)
    return lambda law: all(abs(law.get(text, 0.0) - share) < most for text, share in exact.items())


def programs() -> list[Program]:
    where, any_city = law(WHERE, CITIES), law(ANY, CITIES)
    pattern = " [A-Z][a-z]{2,8} (is|was) here"
    words = "[a-z]{2,6}( [a-z]{2,6}){2}"

    def without_m() -> dict[str, float]:
        return posterior(AWRS(llm(WHERE), cities(llm(WHERE)) * WithoutM(llm(WHERE).vocab), seed=0))

    def critic() -> dict[str, float]:
        return posterior(AWRS(llm(WHERE), cities(llm(WHERE)), seed=0), critic=LikesL(llm(WHERE).vocab))

    def by_words() -> dict[str, float]:
        subunits = constrained(llm(), BoolFSA.from_regex(words))
        spaces = {token for token in llm().vocab if bytes(token).endswith(b" ")}
        sequences = run(MultiTokenUnitSampler(subunits, TokenSetBoundary(spaces)))
        # (their decoded_posterior reads tokens, and no units)
        shares: dict[str, float] = {}
        for units, share in zip(sequences.contexts, sequences.normalized_weights, strict=True):
            text = b"".join(flatten_units(units[:-1])).decode()
            shares[text] = shares.get(text, 0.0) + float(share)
        return shares

    def proposed() -> dict[str, float]:
        target, proposal = llm(WHERE) * cities(llm(WHERE)), llm(WHERE) ** 0.5 * cities(llm(WHERE))
        return posterior(direct_token_sampler(target, proposal=proposal))

    choice = oc.types.choice(CITIES)
    product = {text: where[text] + any_city[text] for text in CITIES}
    liked = {text: score + likes_l(text, True) for text, score in where.items()}
    return [
        Program(
            "a pattern",
            lambda: posterior(constrained(llm(), BoolFSA.from_regex(pattern))),
            lambda: texts(ours(oc.types.regex(pattern))),
            all_fit(re.compile(pattern).fullmatch),
        ),
        Program(
            "a JSON Schema",
            lambda: posterior(constrained(llm_of(AS_JSON), JsonSchema(Person.model_json_schema())), count=20),
            lambda: texts(ours(Person, AS_JSON)),
            all_fit(is_person),
        ),
        Program(
            "a grammar",
            lambda: posterior(constrained(llm(), BoolCFG.from_lark(SUM))),
            lambda: texts(ours(oc.types.cfg(SUM))),
            all_fit(re.compile(IS_SUM).fullmatch),
        ),
        Program(
            "a choice",
            lambda: posterior(AWRS(llm(WHERE), cities(llm(WHERE)), seed=0)),
            lambda: texts(ours(choice, WHERE)),
            is_law(where),
        ),
        Program(
            "a choice without a letter",
            without_m,
            lambda: texts(ours(choice, WHERE, where=lambda text, done: "m" not in text)),
            is_law({text: score for text, score in where.items() if "m" not in text}),
        ),
        Program("a critic", critic, lambda: texts(ours(choice, WHERE, where=likes_l)), is_law(liked)),
        Program(
            "the evidence of a choice",
            lambda: float(run(AWRS(llm(WHERE), cities(llm(WHERE)), seed=0)).log_ml),
            lambda: ours(choice, WHERE).particles.log_evidence.item(),
            lambda value: abs(value - math.log(sum(map(math.exp, where.values())))) < 0.3,
        ),
        Program(
            "a product of two prompts",
            lambda: posterior(AWRS(llm(WHERE) * llm(ANY), cities(llm(WHERE)), seed=0)),
            lambda: texts(ours(choice, WHERE, beside=oc.Mix([(model().chat(ANY), 1.0)], product=True))),
            is_law(product),
        ),
        Program(
            "a power of the law",
            lambda: posterior(AWRS(llm(WHERE) ** 0.5, cities(llm(WHERE)), seed=0)),
            lambda: texts(ours(choice, WHERE, beside=oc.Mix([(model().chat(WHERE), 0.5)], own=0.0, product=True))),
            is_law({text: score / 2 for text, score in where.items()}),
        ),
        Program(
            "words as units",
            by_words,
            lambda: texts(ours(oc.types.regex(words), every="word")),
            all_fit(re.compile(words).fullmatch),
        ),
        Program(
            "a proposal",
            proposed,
            lambda: texts(ours(choice, WHERE, beside=oc.Mix.proposal(2.0))),
            is_law(where),
        ),
    ]
