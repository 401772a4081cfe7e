"""Constraints in transformers' `generate()`, in every loop that it has, with oracles: what tests and benchmarks share.

A `Task` is an output type, its form for other libraries, and a check by `re`, `jsonschema` or a list. All texts are
bounded, so that none is cut short: each output must be a whole text.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from random import Random
from typing import Any, NamedTuple

import jsonschema
import torch
from made_tokenizers import real_byte_level, real_vocabulary
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM, T5Config, T5ForConditionalGeneration

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import Vocabulary

MOST_TOKENS = 80


class Task(NamedTuple):
    """What is to be written. regex, schema: the same for other libraries, if they have it."""

    output_type: Any
    right: Callable[[str], bool]
    regex: str | None = None
    schema: dict[str, Any] | None = None


def _pattern(pattern: str, output_type: Any = None) -> Task:
    fits = re.compile(pattern).fullmatch
    return Task(output_type or re.compile(pattern), lambda text: fits(text) is not None, regex=pattern)


def _json(schema: dict[str, Any]) -> Task:
    validator = jsonschema.Draft202012Validator(schema)

    def right(text: str) -> bool:
        try:
            return validator.is_valid(json.loads(text))
        except ValueError:
            return False

    return Task(schema, right, schema=schema)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


CITIES = ["Paris", "Rome", "Zürich", "São Paulo", "New York", "York"]
PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]{1,5}$"},
        "age": {"type": "integer", "minimum": 0, "maximum": 130},
        "tags": {"type": "array", "items": {"enum": ["a", "bb"]}, "maxItems": 2},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}
GRAMMAR = 'start: item "," item\nitem: "x" | "yy" | "(" inner ")"\ninner: "z" | "w" inner2\ninner2: "z"'

TASKS = {
    "words": _pattern(r"[a-z]{2,6}(, [a-z]{2,6}){0,2}\."),
    "choice": Task(CITIES, CITIES.__contains__, regex="|".join(map(re.escape, CITIES))),
    "integer": _json({"type": "integer", "minimum": 0, "maximum": 99999}),
    "object": _json(PERSON),
    "date": Task(date, _is_date),
    "grammar": Task(oc.types.cfg(GRAMMAR), re.compile(r"(x|yy|\((z|wz)\)),(x|yy|\((z|wz)\))").fullmatch),
}

#: Loops, by their arguments; and how many rows of prompts each is given.
LOOPS: dict[str, tuple[dict[str, Any], int]] = {
    "greedy": ({"do_sample": False}, 3),
    "sampling": ({"do_sample": True, "num_return_sequences": 3}, 3),
    "sampling, filtered": ({"do_sample": True, "top_k": 5, "temperature": 0.7, "num_return_sequences": 2}, 3),
    "beams": ({"do_sample": False, "num_beams": 4, "num_return_sequences": 4}, 3),
    "beam sampling": ({"do_sample": True, "num_beams": 4, "num_return_sequences": 2}, 3),
    "prompt lookup": ({"do_sample": False, "prompt_lookup_num_tokens": 4}, 1),
    "prompt lookup, sampling": ({"do_sample": True, "prompt_lookup_num_tokens": 4}, 1),
    "assistant": ({"do_sample": False, "assistant_model": True}, 1),
    "assistant, sampling": ({"do_sample": True, "assistant_model": True}, 1),
    "no cache": ({"do_sample": False, "use_cache": False}, 2),
    "static cache": ({"do_sample": False, "cache_implementation": "static"}, 2),
}


class Place(NamedTuple):
    """A model with its tokens. source: what a processor takes; draft: a smaller model for assisted decoding."""

    hf: Any
    source: Any
    vocabulary: Vocabulary
    draft: Any
    prompts: list[list[int]]
    pad: int


def _llama(size: int, eos: int, layers: int, seed: int) -> Any:
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        max_position_embeddings=8192,
        bos_token_id=None,
        eos_token_id=eos,
        pad_token_id=eos,
    )
    return LlamaForCausalLM(config).eval()


def _prompts(vocabulary: Vocabulary) -> list[list[int]]:
    random, ids = Random(0), vocabulary.text_ids.tolist()
    return [[random.choice(ids) for _ in range(length)] * 2 for length in (6, 3, 1)]


@cache
def place(name: str) -> Place:
    """A model with its tokens: "1.5k", the one that is shipped; "32k", "131k", or a tokenizer's folder, real tokens
    and random weights; "t5", an encoder and a decoder over the tokens of the first."""
    if name in ("1.5k", "t5"):
        model = oc.load()
        texts = ["The sky is blue, the sky is blue, and the sky is", "Mira is", "x"]
        prompts = [model.tokenizer(text).input_ids for text in texts]
        hf, draft = model.hf, copy.deepcopy(model.hf)
        with torch.no_grad():
            draft.model.layers[0].mlp.down_proj.weight *= 0.5  # a draft that is often wrong
        if name == "t5":
            hf, draft = (_t5(len(model.vocabulary), seed) for seed in (0, 1))
        return Place(hf, model.tokenizer, model.vocabulary, draft, prompts, model.tokenizer.eos_token_id)
    if name == "32k":
        header, tokens = real_vocabulary("spm32k")
        vocabulary = Vocabulary(tokens, [header["eos"]], header["special"])
        source: Any = vocabulary
    else:
        source = real_byte_level("tekken131k") if name == "131k" else AutoTokenizer.from_pretrained(name)
        vocabulary = Vocabulary.of(source)
    # Rows of logits are padded, as those of real models are.
    size, eos = len(vocabulary) + 64, vocabulary.eos[0]
    hf, draft = _llama(size, eos, 2, 0), _llama(size, eos, 1, 1)
    return Place(hf, source, vocabulary, draft, _prompts(vocabulary), eos)


def _t5(size: int, seed: int) -> Any:
    torch.manual_seed(seed)
    config = T5Config(
        vocab_size=size,
        d_model=32,
        d_kv=16,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
        eos_token_id=1,
        pad_token_id=1,
    )
    return T5ForConditionalGeneration(config).eval()


def generated(
    at: Place, loop: str, processor: Any, seed: int = 0, prompts: list[list[int]] | None = None, **more: Any
) -> list[list[int]]:
    """The new ids of each row that a loop returns. prompts: others than those of the place."""
    options, rows = LOOPS[loop]
    prompts = at.prompts[:rows] if prompts is None else prompts
    width = max(map(len, prompts))
    ids = torch.tensor([[at.pad] * (width - len(prompt)) + prompt for prompt in prompts])
    seen = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts])
    options = {"max_new_tokens": MOST_TOKENS, "pad_token_id": at.pad, **options, **more}
    if options.get("assistant_model") is True:
        options["assistant_model"] = at.draft
    torch.manual_seed(seed)
    out = at.hf.generate(input_ids=ids, attention_mask=seen, logits_processor=[processor], **options)
    start = 1 if at.hf.config.is_encoder_decoder else width
    return out[:, start:].tolist()


def texts(at: Place, rows: list[list[int]]) -> Iterator[str | None]:
    """What rows say up to their eos; None where a row has none, or goes on behind it with something else than eos."""
    for row in rows:
        end = next((n for n, token in enumerate(row) if token == at.pad), None)
        whole = end is not None and set(row[end:]) == {at.pad}
        ids = row[:end]
        if not whole or any(token >= len(at.vocabulary) or token in at.vocabulary.special for token in ids):
            yield None
        else:
            yield at.vocabulary.decode(ids).decode("utf-8", "replace")
