"""The public face: few names, few options of a call, one default of each option, and a page that shows it."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import outlines_cont as oc
from outlines_cont.fsm import guide
from outlines_cont.generate.call_options import CallOptions

ROOT = Path(__file__).parent.parent
MOST_NAMES = 33  # with `batch` and `Settings`, for rows and jobs that differ
FIRST = "load Model Generator types samplers continuous SequenceState cat score map load_state OutlinesContError"
MOST_OPTIONS = 14  # with `rows`
#: Pages that are not for users.
FOR_MAINTAINERS = {"design", "glossary", "life_of_a_schema", "life_of_a_token", "performance", "testing"}
FOR_MAINTAINERS |= {"private_interfaces"}

#: Options of one name with several defaults: what they mean where.
SEVERAL = {
    "by": "how options are drawn; of best, None: the scores",
    "ban": "of a draw that is made again, the token that was drawn; where a row goes back, none",
    "errors": "a job of a million rows does not end with the first error",
    "k": "how many rows; the likeliest tokens; the length of a draft",
    "n": "how many candidates; the length of the texts that a draft looks for",
    "prompt": "transformers' penalty of repetition counts the prompt, and OpenAI's others do not",
    "rows": "lines of a picture; of a tree, all samples of a prompt; rows of a step",
    "seam": "None: that of the generator",
    "stop": "how a value ends; whether the stop of a text is scored; what stands for it in a completion",
    "temperature": "None: that of the sampler",
    "threshold": "of effective samples, below which particles are resampled; of probabilities",
    "tokens": "a tree may show more of them",
    "where": "a predicate of texts; of forks, the draws before which rows are cut",
    "width": "of bounds, how much may stay open; of a draft, how many rows",
}
#: Of functions of values that only the library calls.
OF_THE_LIBRARY = {"some_wait"}
#: They come without a name.
BY_PLACE = {"sampler", "name_or_path", "controller", "continuation"}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """What users call with options: functions of the face and its modules, members of values, and groups of options."""
    for name in oc.__all__:
        value = getattr(oc, name)
        if isinstance(value, ModuleType):
            yield from _of_module(name, value)
        elif inspect.isclass(value):
            yield from _members(name, value)
        else:
            yield name, value
    yield from ((f"steer.{cls.__name__}", cls) for cls in map(oc.steer.__dict__.get, oc.steer.__all__) if _answers(cls))
    yield from (("Keep", oc.Keep), ("Mix", oc.Mix), ("Generator", oc.Generator))


def _answers(value: Any) -> bool:
    return inspect.isclass(value) and value.__name__ not in ("Draw", "Writing")


def _of_module(module: str, value: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in value.__all__:
        if inspect.isfunction(member := getattr(value, name)):
            yield f"{module}.{name}", member
        elif inspect.isclass(member) and module != "samplers":  # whose members only the library calls
            yield from _members(f"{module}.{name}", member)


def _members(cls: str, value: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, member in inspect.getmembers(value, inspect.isfunction):
        if not name.startswith("_") and member.__module__.startswith("outlines_cont."):
            yield f"{cls}.{name}", member


@cache
def defaults() -> dict[str, dict[str, list[str]]]:
    """The defaults of each option, each with the functions that have it."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, function in [*functions(), ("guide.json_schema", guide.json_schema), ("guide.grammar", guide.grammar)]:
        for option in inspect.signature(function).parameters.values():
            if option.default is not option.empty:
                found[option.name][repr(option.default)].append(name)
    return found


def test_there_are_few_names_and_those_that_come_first_are_first() -> None:
    assert len(oc.__all__) <= MOST_NAMES
    assert oc.__all__[: len(FIRST.split())] == FIRST.split()
    begin, _, others = (oc.__doc__ or "").partition("\n>>> ")
    assert all(f"`{name}`" in begin for name in FIRST.split())
    assert all(f"`{name}`" in others for name in oc.__all__[len(FIRST.split()) :])


def test_a_call_has_few_options() -> None:
    assert len({*CallOptions.__annotations__, "max_tokens"}) <= MOST_OPTIONS
    for name in ("__call__", "acall", "run", "resume", "aresume", "stream", "astream", "begin"):
        taken = {*inspect.signature(getattr(oc.Generator, name)).parameters} - {"self", "prompts", "state", "options"}
        assert taken == {"max_tokens"} | ({"resume"} if name in ("stream", "astream", "begin") else set()), name
    assert {*inspect.signature(oc.continuous).parameters} <= {*CallOptions.__annotations__, "generator", "max_tokens"}


def test_an_option_has_one_default_wherever_it_occurs() -> None:
    several = {option: dict(found) for option, found in defaults().items() if len(found) > 1}
    assert {option: found for option, found in several.items() if option not in SEVERAL} == {}
    assert SEVERAL.keys() - several.keys() == set(), "these have one default by now"


def test_every_option_is_on_a_page_for_users() -> None:
    pages = [page for page in (ROOT / "docs").rglob("*.md") if page.parent.name not in ("rooms", "measured")]
    pages = [ROOT / "README.md", *(page for page in pages if page.stem not in FOR_MAINTAINERS)]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    options = {*defaults(), *CallOptions.__annotations__} - BY_PLACE - OF_THE_LIBRARY
    assert [each for each in sorted(options) if not re.search(rf"\b{each}=|`{each}`", text)] == []
