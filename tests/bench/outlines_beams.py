"""Beams in generators of Outlines: with its own logits processors, and with ours.

`python tests/bench/outlines_beams.py`, from a checkout, with outlines and llguidance installed: a minute on two cores,
most of it compiling for their processors; `--ours` leaves these out. The exit status is 1 if a text of ours is wrong.

Each backend generates 60 texts: 5 output types × 3 prompts × 4 beams of `num_beams=4, num_return_sequences=4`. A text
counts as wrong if it does not match (`re.fullmatch`, pydantic), and every text of a call that raises counts as wrong.
`tests/test_outlines.py` runs ours on other prompts.
"""

from __future__ import annotations

import copy
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

import outlines
from outlines import types
from pydantic import BaseModel, Field, ValidationError

import outlines_cont as oc
from outlines_cont.integrations.outlines import processor

PROMPTS = (
    "Mira is a painter from Lisbon. Mira is 34 years old.\nQ: When was Mira born?\nA: ",
    "Dapo's birthday is 1983-09-15. Dapo lives in Rome.\nQ: Where does Dapo live?\nA: ",
    "Once upon a time there was a baker.\n",
)
BEAMS = {"num_beams": 4, "num_return_sequences": 4, "do_sample": False, "max_new_tokens": 80}


class Person(BaseModel):
    name: str = Field(pattern="^[A-Z][a-z]{1,8}$")
    age: int = Field(ge=0, le=150)


def _is_person(text: str) -> bool:
    try:
        Person.model_validate_json(text)
    except ValidationError:
        return False
    return True


def _matches(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text) is not None


DATE, CODE, LIST = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[A-Z]{3}-[0-9]{4}", r"[a-z]{1,8}(?:, [a-z]{1,8}){0,3}"
#: (a name, the output type, whether a text is one) of each.
ASKED: list[tuple[str, Any, Callable[[str], bool]]] = [
    ("date", types.Regex(DATE), _matches(DATE)),
    ("code", types.Regex(CODE), _matches(CODE)),
    ("list", types.Regex(LIST), _matches(LIST)),
    ("choice", Literal["Lisbon", "Rome", "Paris", "Lima"], _matches("Lisbon|Rome|Paris|Lima")),
    ("person", Person, _is_person),
]
BACKENDS = ("outlines_core", "llguidance", "outlines_cont")


def wrong(theirs: Any, backend: str, output_type: Any, fits: Callable[[str], bool], prompt: str) -> tuple[int, str]:
    """How many of the 4 texts are wrong, and the first of them, or the error."""
    try:
        if backend == "outlines_cont":
            generator = outlines.Generator(theirs, processor=processor(theirs, output_type))  # type: ignore[arg-type]
        else:
            generator = outlines.Generator(theirs, output_type, backend)
        texts = generator(prompt, **BEAMS)
    except Exception as error:
        return BEAMS["num_return_sequences"], f"{type(error).__name__}: {str(error)[:60]}"
    # Outlines leaves padding and eos in the texts of several samples
    plain = [re.sub(r"(<\|end\|>|<\|pad\|>)*$", "", text) for text in texts]
    bad = [text for text in plain if not fits(text)]
    return len(bad), repr(bad[0][:60]) if bad else ""


def main() -> int:
    warnings.simplefilter("ignore")
    model = oc.load()
    theirs = outlines.from_transformers(model.hf, copy.deepcopy(model.tokenizer))
    total = 0
    for backend in BACKENDS[-1:] if "--ours" in sys.argv[1:] else BACKENDS:
        total = 0
        for name, output_type, fits in ASKED:
            counts = [wrong(theirs, backend, output_type, fits, prompt) for prompt in PROMPTS]
            count = sum(bad for bad, _ in counts)
            total += count
            first = next((told for _, told in counts if told), "")
            print(f"  {backend:14} {name:8} {count:2} of 12   {first}")
        print(f"{backend:14} {total} of {len(ASKED) * len(PROMPTS) * BEAMS['num_return_sequences']} wrong")
    return total > 0  # ours come last


if __name__ == "__main__":
    sys.exit(main())
